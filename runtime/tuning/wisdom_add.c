/* Writing a record into a file of wisdom.
**
** Several processes may write at the same time without losing records: a writer locks the file,
** reads it again, and replaces it by a new one with rename(). A process that waited for the lock
** may then hold a file that was replaced: it checks, and starts over. Other lines are kept byte for
** byte. */
#include "runtime/tuning/tuned.h"
#include "runtime/cpu/cc.h"
#include "runtime/cuda/nvrtc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct AddTask {
    SpacePoint point;
    const char *objective;
    double value;
    const char *path;      /* NULL: beside the source; out: the path used */
    kjit_device_info info; /* like the following, determined before the arena exists */
    char date[16];
    char compiler[256];
    Wisdom *wisdom;   /* contents of the file */
    const char *text; /* its bytes */
    size_t length;
    const char *written; /* out: its new bytes */
    size_t written_length;
} AddTask;

/* ---- the record --------------------------------------------------------------------------- */

/* Driver, compiler and versions, for readers of a record. */
static kjit_status find_environment(AddTask *task)
{
    const Device *device = task->point.space->kernel->module->context->device;
    time_t now = time(NULL);
    struct tm when;
    int major, minor;

    task->info.size = sizeof task->info;
    KJIT_TRY(kjit_device_facts(task->point.space->kernel->module->context, &task->info));
    if (gmtime_r(&now, &when))
        strftime(task->date, sizeof task->date, "%Y-%m-%d", &when);
    if (device->ops->host_memory) {
        CC cc;
        cc_find(&cc);
        char *version = cc_version(&cc);
        snprintf(task->compiler, sizeof task->compiler, "%s", version ? version : "");
        memory_free(version);
        return KJIT_OK;
    }
    if (nvrtc_version(&major, &minor) == KJIT_OK)
        snprintf(task->compiler, sizeof task->compiler, "NVRTC %d.%d", major, minor);
    return KJIT_OK;
}

static void add_item(Arena *arena, WisdomItems *items, const char *name, const char *text)
{
    array_push(arena, items->list, items->count, items->capacity) = (WisdomItem){ name, text };
}

/* A list of expressions as kjit_space_set() takes it: each in quotes. */
static void add_expressions(Arena *arena, WisdomItems *items, const char *name,
                            const AstExprs *list)
{
    Buf out = buf_in(arena);
    buf_putc(&out, '[');
    for (int i = 0; i < list->count; i++) {
        Buf one = buf_in(arena);
        ast_print_expr(&one, list->items[i]);
        const Value quoted = { .kind = VALUE_STRING, .text = buf_text(&one) };
        buf_puts(&out, i ? ", " : "");
        space_value_text(&out, &quoted);
    }
    buf_putc(&out, ']');
    add_item(arena, items, name, buf_text(&out));
}

void wisdom_shape(Arena *arena, const TuneSpace *said, WisdomItems *items)
{
    static const char *const names[] = { "grid_div_x", "grid_div_y", "grid_div_z" };

    if (said->block.count)
        add_expressions(arena, items, "block", &said->block);
    if (said->problem.count)
        add_expressions(arena, items, "problem", &said->problem);
    for (int i = 0; i < TUNE_AXES; i++) {
        if (said->divides[i])
            add_expressions(arena, items, names[i], &said->divide[i]);
    }
}

static kjit_status make_record(Arena *arena, const AddTask *task, WisdomRecord *record)
{
    const kjit_space *space = task->point.space;
    const kjit_kernel *kernel = space->kernel;
    const Device *device = kernel->module->context->device;
    const char **names = arena_array(arena, const char *, space->count + 1);
    CacheKey *digest = arena_new(arena, CacheKey);

    *record = (WisdomRecord){ .kernel = kernel->info->name,
                              .device = device->model,
                              .arch = task->info.arch,
                              .objective = task->objective,
                              .value = task->value,
                              .driver = task->info.driver,
                              .compiler = task->compiler,
                              .kjit = kjit_version(),
                              .date = task->date };
    size_t known = 0;
    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        if (!space_affects_launch(arena, space, param)) /* it is read by restrictions of the search
                                                     alone */
            continue;
        names[known++] = param->name;
        add_item(arena, &record->configuration, param->name,
                 param->values[task->point.config[i]].text);
    }
    wisdom_digest(arena, kernel, names, known, digest);
    record->digest = digest->name;
    wisdom_shape(arena, &space->said, &record->shape);
    return wisdom_arguments(arena, &task->point, record);
}

/* ---- the text ----------------------------------------------------------------------------- */

/* The next line from `line` on that the record replaces; 0: none. */
static uint32_t find_line(const Wisdom *wisdom, const WisdomRecord *record, uint32_t line)
{
    uint32_t found = 0;

    for (int i = wisdom->count; i-- > 0;) {
        if (wisdom->records[i].line >= line && wisdom_replaces(&wisdom->records[i], record))
            found = wisdom->records[i].line;
    }
    return found;
}

/* Writes the file with the record in place of the first line it replaces, without the others; or at
** the end. */
static void put_file(Buf *out, const AddTask *task, const WisdomRecord *record)
{
    uint32_t place = find_line(task->wisdom, record, 1), next_place = place;
    size_t at = 0;

    if (!task->length)
        buf_printf(
            out,
            "# kjit wisdom %d\n# What `kjit tune` found; kjit takes it at launches. Lines may "
            "be deleted.\n",
            WISDOM_VERSION);
    for (uint32_t line = 1; at < task->length; line++) {
        const char *end = memchr(task->text + at, '\n', task->length - at);
        size_t next = end ? (size_t)(end - task->text) + 1 : task->length;
        if (line == place)
            wisdom_record_put(out, record);
        else if (line != next_place)
            buf_put(out, task->text + at, next - at);
        if (!end && line != next_place)
            buf_putc(out, '\n');
        if (line == next_place)
            next_place = find_line(task->wisdom, record, line + 1);
        at = next;
    }
    if (!place)
        wisdom_record_put(out, record);
}

static kjit_status make_text(void *context, Arena *arena)
{
    AddTask *task = context;
    WisdomRecord record;

    const char *other = tuned_other_shape(arena, task->point.space);
    if (other)
        return error_set(KJIT_UNSUPPORTED,
                         "error: it was tuned with %s, by which launches go\n"
                         "note: say in @tune what it was tuned with",
                         other);
    KJIT_TRY(make_record(arena, task, &record));
    Buf out = buf_in(arena);
    put_file(&out, task, &record);
    task->written = buf_text(&out);
    task->written_length = out.length;
    return KJIT_OK;
}

/* ---- the file ----------------------------------------------------------------------------- */

static kjit_status cannot_write(const char *path, const char *why)
{
    return error_set(KJIT_FILE, "error: cannot write '%s': %s", path, why);
}

/* Whether the path still names the open file. */
static bool is_current(int fd, const char *path)
{
    struct stat held, there;

    return fstat(fd, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

/* Opens and locks the file; creates it if need be. */
static kjit_status lock_file(const char *path, int *fd)
{
    for (;;) {
        *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (*fd < 0)
            return cannot_write(path, strerror(errno));
        while (flock(*fd, LOCK_EX) != 0) {
            if (errno == EINTR)
                continue;
            kjit_status status = cannot_write(path, strerror(errno));
            close(*fd);
            return status;
        }
        if (is_current(*fd, path))
            return KJIT_OK;
        close(*fd);
    }
}

/* Under the lock. */
static kjit_status rewrite(AddTask *task, Arena *arena)
{
    char *text = NULL;
    size_t length = 0;

    KJIT_TRY(wisdom_read(task->path, &task->wisdom));
    kjit_status status = KJIT_OK;
    if (task->wisdom->newer)
        status =
            cannot_write(task->path, "a newer kjit has written it, in a format that this one "
                                     "does not know\nnote: name another file, or use that kjit");
    else if (task->wisdom->other)
        status = cannot_write(task->path, "it is no file of wisdom, whose first line is "
                                          "'# kjit wisdom 1'\nnote: name another file; or, if it "
                                          "is one, write that line there");
    if (status == KJIT_OK)
        status = file_read(task->path, SOURCE_MAX, &text, &length);
    task->text = text;
    task->length = length;
    if (status == KJIT_OK)
        status = arena_catch(arena, make_text, task);
    if (status == KJIT_OK)
        status = file_write(task->path, NULL, 0, task->written, task->written_length);
    wisdom_free(task->wisdom);
    memory_free(text);
    return status;
}

static kjit_status find_path(void *context, Arena *arena)
{
    AddTask *task = context;
    const kjit_module *module = task->point.space->kernel->module;

    task->path = wisdom_path(arena, module);
    if (task->path)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: %s was loaded from no file that wisdom could lie beside\n"
                     "note: name the file it is to be written to",
                     module->main->path);
}

kjit_status kjit_wisdom_add(kjit_space *space, const uint32_t *config, const kjit_arg *args,
                            size_t count, const char *objective, double value, const char *path)
{
    KJIT_TRY(HANDLE(SPACE, space));
    kjit_values scratch = { 0 };
    AddTask task = { .point = { space, config, args, count, &scratch, NULL, NULL },
                     .objective = objective,
                     .value = value,
                     .path = path };
    Arena arena;
    int fd;

    KJIT_TRY(space_check_point(&task.point));
    if (!objective || !*objective)
        return error_set(KJIT_ARGUMENT, "error: a record names its objective: \"time\"");
    if (!isfinite(value))
        return error_set(KJIT_ARGUMENT, "error: a record's value is a finite number");
    arena_init(&arena, NULL);
    kjit_status status = path ? KJIT_OK : arena_catch(&arena, find_path, &task);
    if (status == KJIT_OK)
        status = lock_file(task.path, &fd);
    if (status == KJIT_OK) {
        status = find_environment(&task);
        if (status == KJIT_OK)
            status = rewrite(&task, &arena);
        close(fd);
    }
    if (status == KJIT_OK && !path)
        tuned_forget(space->kernel->module);
    values_clear(&scratch);
    arena_free(&arena);
    return status;
}
