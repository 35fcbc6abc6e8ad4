/* From a file and values to a kernel and its arguments, for all subcommands. */
#include <unistd.h>

#include "cli/cli.h"

static kjit_define *defines_of(const Pairs *pairs)
{
    kjit_define *defines = must_alloc(pairs->count * sizeof *defines);
    for (size_t i = 0; i < pairs->count; i++)
        defines[i] = (kjit_define){ pairs->list[i].name, pairs->list[i].value };
    return defines;
}

/* A file, or with "-" what comes from the standard input. */
static kjit_status load_text(Session *session, const char *file, const kjit_load_options *options)
{
    if (strcmp(file, "-") != 0)
        return kjit_load_file(session->context, file, options, &session->module);
    char *text = text_read("/dev/stdin");
    if (!text)
        return KJIT_FILE;
    kjit_status status =
        kjit_load_source(session->context, text, "<stdin>", options, &session->module);
    free(text);
    return status;
}

kjit_status session_try(Session *session, const char *file, const SessionOptions *options)
{
    static const Pairs none;
    const Pairs *pairs = options->defines ? options->defines : &none;
    kjit_open_options open = { .size = sizeof open, .device = options->device };
    kjit_define *defines = defines_of(pairs);
    kjit_load_options load = {
        .size = sizeof load,
        .defines = defines,
        .define_count = pairs->count,
        .debug = options->debug,
        .fastmath = options->fastmath,
        .matmul = options->matmul,
        .passes = options->passes,
        .max_registers = options->max_registers,
        .unroll = options->unroll,
        .compiler_options = options->compiler_options,
    };

    load.schedule = options->schedule_text;
    load.schedule_name = options->schedule;
    *session = (Session){ 0 };
    doing_say("loading %s", file);
    kjit_status status = kjit_open_behind(&open, &session->context);
    if (status == KJIT_OK) {
        doing_watch(session->context);
        status = load_text(session, file, &load);
    }
    doing_say(NULL);
    free(defines);
    return status;
}

int session_open(Session *session, const char *file, const SessionOptions *options)
{
    *session = (Session){ 0 }; /* callers close it whatever comes of this */
    size_t length = strlen(file);
    if (length > 1 && file[length - 1] == ':' && access(file, F_OK) != 0)
        return bad_usage(
            "'%s' names no kernel behind its colon: leave the colon out, or say %sNAME", file,
            file);
    SessionOptions with = *options;
    char *schedule = options->schedule ? text_read(options->schedule) : NULL;
    if (options->schedule && !schedule)
        return EXIT_FAILED;
    with.schedule_text = schedule ? schedule : options->schedule_text;
    kjit_status status = session_try(session, file, &with);
    free(schedule);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

void session_close(Session *session)
{
    kjit_close_module(session->module);
    doing_unwatch(session->context);
    doing_say("closing the device");
    kjit_close(session->context);
    doing_say(NULL);
    *session = (Session){ 0 };
}

/* Prints how to name a kernel on the command line, with what it lacks. */
static void print_kernel(const Session *session, const char *file, const char *name)
{
    const char *need;
    kjit_kernel *kernel = NULL;

    fprintf(stderr, "    %s:%s", file, name);
    if (kjit_get_kernel(session->module, name, &kernel) == KJIT_OK)
        for (size_t i = 0; (need = kjit_kernel_need(kernel, i)); i++)
            fprintf(stderr, " -D %s=VALUE", need);
    fputc('\n', stderr);
}

int session_kernel(const Session *session, const Target *target, kjit_kernel **kernel)
{
    size_t count = kjit_kernel_count(session->module);
    if (!target->kernel && kjit_get_kernel(session->module, NULL, kernel) == KJIT_OK)
        return EXIT_DONE;
    if (!target->kernel && count > 1) {
        complain("%s has %zu kernels; name one:", target->file, count);
        for (size_t i = 0; i < count; i++)
            print_kernel(session, target->file, kjit_kernel_name_at(session->module, i));
        return EXIT_COMMAND;
    }
    kjit_status status = kjit_get_kernel(session->module, target->kernel, kernel);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int session_example(kjit_kernel *kernel, kjit_values *values, bool *has)
{
    doing_say("making the arguments of %s", kjit_kernel_name(kernel));
    kjit_status status = kjit_values_example(values, kernel);
    doing_say(NULL);
    *has = status == KJIT_OK;
    return status == KJIT_OK || status == KJIT_ARGUMENT ? EXIT_DONE : complain_status(status);
}

int session_has_example(kjit_kernel *kernel, bool *has)
{
    kjit_values *values = NULL;
    kjit_status made = kjit_values_new(&values);
    int status = made == KJIT_OK ? session_example(kernel, values, has) : complain_status(made);

    kjit_values_close(values);
    return status;
}

bool session_constant(const char *file, const char *name)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t room = 0, length = strlen(name);
    bool found = false;

    while (in && !found && getline(&line, &room, in) >= 0) {
        const char *after = line + length;
        if (!strncmp(line, name, length)) {
            after += strspn(after, " \t");
            found = after[0] == '=' && after[1] != '=';
        }
    }
    free(line);
    if (in)
        fclose(in);
    return found;
}

int session_args(kjit_kernel *kernel, const kjit_values *values, kjit_arg **args)
{
    size_t count = kjit_param_count(kernel), missing = 0;
    *args = must_alloc(count * sizeof **args);
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = kjit_values_get(values, kjit_param_name(kernel, i));
        if (arg)
            (*args)[i] = *arg;
        else
            missing++;
    }
    if (!missing)
        return EXIT_DONE;

    fflush(stdout);
    fprintf(stderr, "kjit: %s needs", kjit_kernel_name(kernel));
    const char *before = " ";
    for (size_t i = 0; i < count; i++)
        if (!kjit_values_get(values, kjit_param_name(kernel, i))) {
            fprintf(stderr, "%s%s", before, kjit_param_name(kernel, i));
            before = ", ";
        }
    fputs(": say NAME=VALUE in an @example above the kernel, or on the command line\n", stderr);
    return EXIT_COMMAND;
}

/* ---- the standard library ------------------------------------------------------------------- */

/* `    name    the docstring's first sentence`, on one line. */
static void print_doc(const char *indent, const char *name, const char *doc)
{
    printf("%s%-*s ", indent, 24 - (int)strlen(indent), name);
    for (const char *word = doc ? doc : ""; *word; word += strspn(word, " \n")) {
        size_t length = strcspn(word, " \n");
        bool stop = length > 1 && word[length - 1] == '.' && word[length - 2] != '.';
        bool last = stop || !strncmp(word + length, "\n\n", 2);
        printf(" %.*s", (int)(length - stop), word);
        if (last)
            break;
        word += length;
    }
    putchar('\n');
}

static int list_module(kjit_context *context, const char *name)
{
    char file[256];
    kjit_module *module;
    snprintf(file, sizeof file, "std:%s", name);
    kjit_status status = kjit_load_file(context, file, NULL, &module);
    if (status != KJIT_OK)
        return complain_status(status);
    print_doc("", file, kjit_module_doc(module));
    const char *text;
    for (size_t i = 0; (name = kjit_module_function_at(module, i, &text)) != NULL; i++)
        print_doc("    ", name, text);
    for (size_t i = 0; i < kjit_kernel_count(module); i++) {
        kjit_kernel *kernel;
        if (*kjit_kernel_name_at(module, i) != '_' && /* which is the module's own */
            kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel) == KJIT_OK)
            print_doc("    ", kjit_kernel_name(kernel), kjit_kernel_doc(kernel));
    }
    kjit_close_module(module);
    return EXIT_DONE;
}

int session_list_standard(void)
{
    kjit_open_options open = { .size = sizeof open, .device = "cpu" };
    kjit_context *context;
    kjit_status opened = kjit_open(&open, &context);
    int status = opened == KJIT_OK ? EXIT_DONE : complain_status(opened);
    const char *name;
    for (size_t i = 0; status == EXIT_DONE && (name = kjit_standard_name_at(i)) != NULL; i++)
        status = list_module(context, name);
    kjit_close(context);
    return status;
}
