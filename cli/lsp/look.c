/* What a text means, found out by a child: it loads the text, makes the values of each @example,
** and asks the library for complaints, remarks and the meanings of names. What it found it writes
** into a pipe as JSON:
**
**     {"diagnostics": [...], "names": [[line, column, end, what, file, line, column, end], ...]}
**
** with places from 1 and by characters, and an empty file for what is built in. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/lsp/lsp.h"

enum { LOOK_SECONDS = 20, CHECK_SECONDS = 600 };

/* ---- in the child ---------------------------------------------------------------------------- */

typedef struct Looking {
    const Document *document;
    kjit_context *context;
    kjit_module *module;
    json_t *diagnostics, *names;
} Looking;

static void note_name(void *context, const kjit_meaning *one)
{
    const Looking *looking = context;
    if (strcmp(one->file, looking->document->path) != 0)
        return;
    json_array_append_new(
        looking->names, json_pack("[I,I,I,s,s,I,I,I]", (json_int_t)one->line,
                                  (json_int_t)one->column, (json_int_t)one->end_column, one->what,
                                  one->made_file ? one->made_file : "", (json_int_t)one->made_line,
                                  (json_int_t)one->made_column, (json_int_t)one->made_end_column));
}

static void complain_of(const Looking *looking)
{
    said_add(looking->diagnostics, looking->document, kjit_error_message());
}

static void take_remarks(const Looking *looking, kjit_kernel *kernel, const kjit_arg *args)
{
    kjit_launch_config config = { .size = sizeof config };
    bool shaped = args && kjit_example_config(kernel, &config) == KJIT_OK && config.block[0];
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = "remarks",
                                  .args = args,
                                  .arg_count = args ? kjit_param_count(kernel) : 0,
                                  .arch = "sm_90",
                                  .facts = shaped ? "launch" : NULL,
                                  .config = shaped ? &config : NULL };
    char *text = NULL;
    size_t length;
    if (kjit_emit(kernel, &options, &text, &length) == KJIT_OK)
        said_add(looking->diagnostics, looking->document, text);
    kjit_free(text);
}

/* The arguments of the @example; false, and nothing said, if it has not all of them. */
static bool arguments_of(kjit_kernel *kernel, const kjit_values *values, kjit_arg **args)
{
    size_t count = kjit_param_count(kernel);
    *args = must_alloc((count + 1) * sizeof **args);
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = kjit_values_get(values, kjit_param_name(kernel, i));
        if (!arg)
            return false;
        (*args)[i] = *arg;
    }
    return true;
}

static void look_with(Looking *looking, kjit_kernel *kernel, const kjit_arg *args)
{
    size_t count = args ? kjit_param_count(kernel) : 0;
    kjit_status status = kjit_meanings(kernel, args, count, note_name, looking);
    if (status == KJIT_INVALID || (status != KJIT_OK && args))
        complain_of(looking);
    if (status == KJIT_OK)
        take_remarks(looking, kernel, args);
}

/* A kernel without an @example and without a signature has no types, and nothing is said of it. */
static void look_at_kernel(Looking *looking, const char *name)
{
    kjit_kernel *kernel;
    kjit_values *values = NULL;
    kjit_arg *args = NULL;

    if (kjit_get_kernel(looking->module, name, &kernel) != KJIT_OK)
        return;
    kjit_status status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_values_example(values, kernel);
    bool has = status == KJIT_OK;
    if (!has && status != KJIT_ARGUMENT)
        complain_of(looking);
    else if (!has || arguments_of(kernel, values, &args))
        look_with(looking, kernel, args);
    free(args);
    kjit_values_close(values);
}

/* In one order of its threads after the other, on new values each time. */
static void check_kernel(Looking *looking, const char *name)
{
    kjit_kernel *kernel;
    kjit_arg *args = NULL;
    kjit_status status = kjit_get_kernel(looking->module, name, &kernel);

    for (uint64_t seed = 0; seed < 3 && status == KJIT_OK; seed++) {
        kjit_check_options wanted = { .size = sizeof wanted, .seed = seed };
        kjit_launch_config config = { .size = sizeof config };
        kjit_values *values = NULL;
        bool chosen;
        status = kjit_values_new(&values);
        if (status == KJIT_OK && kjit_values_example(values, kernel) == KJIT_OK &&
            arguments_of(kernel, values, &args)) {
            kjit_check_set(looking->context, &wanted);
            kjit_example_config(kernel, &config);
            status = config.grid[0] ? KJIT_OK : shape_choose(kernel, args, &config, &chosen);
            if (status == KJIT_OK)
                status = kjit_launch(kernel, &config, args, kjit_param_count(kernel));
            if (status != KJIT_OK)
                complain_of(looking);
        }
        free(args);
        args = NULL;
        kjit_values_close(values);
    }
}

/* Open documents beside this one stand for their files: imports see what is not saved yet. */
static kjit_text *texts_of(const Document *document, const Document *others, size_t *count)
{
    kjit_text *texts = NULL;
    size_t folder = (size_t)(basename(document->path) - document->path);

    *count = 0;
    for (const Document *other = others; other; other = other->next) {
        size_t length = strlen(other->path);
        bool beside = other != document && length > folder + 2 &&
                      !strncmp(other->path, document->path, folder) &&
                      !strchr(other->path + folder, '/') && !strcmp(other->path + length - 2, ".k");
        if (!beside)
            continue;
        must_push(texts, *count) =
            (kjit_text){ must_strndup(other->path + folder, length - folder - 2), other->path,
                         other->text };
    }
    return texts;
}

static void look_at(Looking *looking, const Document *others, bool checks)
{
    kjit_open_options open = { .size = sizeof open, .device = checks ? "check" : "cpu" };
    kjit_load_options load = { .size = sizeof load };

    load.texts = texts_of(looking->document, others, &load.text_count);
    if (kjit_open(&open, &looking->context) != KJIT_OK ||
        kjit_load_source(looking->context, looking->document->text, looking->document->path, &load,
                         &looking->module) != KJIT_OK) {
        complain_of(looking);
        return;
    }
    for (size_t i = 0; i < kjit_kernel_count(looking->module); i++) {
        const char *name = kjit_kernel_name_at(looking->module, i);
        (checks ? check_kernel : look_at_kernel)(looking, name);
    }
    if (checks)
        said_findings(looking->diagnostics, looking->document, looking->context);
}

static _Noreturn void child_main(int out, const Document *document, const Document *others,
                                 bool checks)
{
    Looking looking = { .document = document, .diagnostics = json_array(), .names = json_array() };
    int nothing = open("/dev/null", O_RDWR);

    for (int stream = 0; stream < 3; stream++) /* the protocol's streams are the server's */
        dup2(nothing, stream);
    signal(SIGALRM, SIG_DFL);
    alarm(checks ? CHECK_SECONDS : LOOK_SECONDS);
    look_at(&looking, others, checks);
    FILE *pipe = fdopen(out, "w");
    json_t *found =
        json_pack("{s:o,s:o}", "diagnostics", looking.diagnostics, "names", looking.names);
    if (!pipe || json_dumpf(found, pipe, JSON_COMPACT) != 0 || fflush(pipe) != 0)
        _exit(EXIT_FAILED);
    _exit(EXIT_DONE);
}

/* ---- in the server --------------------------------------------------------------------------- */

bool look_start(Look *look, Document *document, const Document *others, bool checks)
{
    int ends[2];

    *look = (Look){ 0 };
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0); /* it is ended with what it runs, as a C compiler */
        close(ends[0]);
        child_main(ends[1], document, others, checks);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    setpgid(child, child);
    *look = (Look){ .child = child, .pipe = ends[0], .document = document, .checks = checks };
    return true;
}

bool look_read(Look *look)
{
    char bytes[16384];
    ssize_t got = read(look->pipe, bytes, sizeof bytes);

    if (got <= 0)
        return true;
    look->bytes = must_grow(look->bytes, look->count + (size_t)got);
    memcpy(look->bytes + look->count, bytes, (size_t)got);
    look->count += (size_t)got;
    return false;
}

static void bury(Look *look)
{
    waitpid(look->child, NULL, 0);
    close(look->pipe);
    free(look->bytes);
    json_decref(look->request);
    *look = (Look){ 0 };
}

json_t *look_end(Look *look)
{
    json_error_t why;
    json_t *found = look->count ? json_loadb(look->bytes, look->count, 0, &why) : NULL;

    bury(look);
    return found;
}

void look_stop(Look *look)
{
    if (!look->child)
        return;
    kill(-look->child, SIGKILL);
    bury(look);
}
