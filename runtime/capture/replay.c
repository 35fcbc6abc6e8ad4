/* Reads captured launches. launch.txt has sections of lines `NAME = TEXT` (written by plan.c); it
** is validated, since it may have been edited. */
#include "runtime/capture/capture.h"
#include "runtime/values/values.h"
#include "runtime/compile/compile.h"

#include <sys/stat.h>

enum { FORMAT = 1 };

typedef enum Section {
    SECTION_NONE,
    SECTION_LAUNCH,
    SECTION_FILES,
    SECTION_DEFINE,
    SECTION_BEFORE,
    SECTION_AFTER
} Section;

/* A value, before or after the launch. */
typedef struct ReplayLine {
    const char *name, *text;
    bool after;
} ReplayLine;

struct kjit_replay {
    HandleHead self;
    Arena arena;
    const char *folder;    /* with a final slash */
    const char *directory; /* without it; NULL: the working directory */
    const char *path;      /* of launch.txt */
    kjit_replay_facts facts;
    const char *main; /* value of `file =` */
    int64_t format;
    bool has_after;
    kjit_define *defines;
    int define_count, define_room;
    ReplayLine *lines;
    int line_count, line_room;
};

/* A text being read. */
typedef struct ReplayReader {
    kjit_replay *replay;
    const char *wanted; /* the requested path */
    char *text;
    Section section;
    int line;
} ReplayReader;

static kjit_status bad_line(const ReplayReader *reader, const char *fact, const char *name)
{
    return error_set(KJIT_FILE, "error: %s:%d: %s '%.80s'", reader->replay->path, reader->line,
                     fact, name);
}

/* ---- [launch] ------------------------------------------------------------------------- */

static bool read_count(const char *text, uint64_t most, uint64_t *count)
{
    char *end;

    *count = strtoull(text, &end, 10);
    return end != text && *text >= '0' && *text <= '9' && !*end && *count <= most;
}

/* "64, 1, 1" */
static bool read_sizes(const char *text, uint32_t sizes[3])
{
    uint32_t read[3] = { 1, 1, 1 };

    for (int i = 0; i < 3; i++) {
        char *end;
        text += strspn(text, " \t");
        unsigned long long size = strtoull(text, &end, 10);
        if (end == text || *text < '0' || *text > '9' || size < 1 || size > UINT32_MAX)
            return false;
        read[i] = (uint32_t)size;
        text = end + strspn(end, " \t");
        if (!*text) {
            memcpy(sizes, read, sizeof read);
            return true;
        }
        if (*text++ != ',')
            return false;
    }
    return false;
}

static bool read_fact(kjit_replay *replay, const char *name, const char *text)
{
    kjit_replay_facts *facts = &replay->facts;
    uint64_t count;
    const struct {
        const char *name;
        const char **place;
    } texts[] = { { "file", &replay->main },
                  { "kernel", &facts->kernel },
                  { "device", &facts->device },
                  { "model", &facts->model },
                  { "options", &facts->compiler_options },
                  { "passes", &facts->passes },
                  { "schedule", &facts->schedule },
                  { "matmul", &facts->matmul },
                  { "failed", &facts->failure } };

    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        if (strcmp(texts[i].name, name) == 0) {
            *texts[i].place = text;
            return *text != '\0';
        }
    }
    if (strcmp(name, "grid") == 0)
        return read_sizes(text, facts->config.grid);
    if (strcmp(name, "block") == 0)
        return read_sizes(text, facts->config.block);
    if (!read_count(text, INT32_MAX, &count))
        return false;
    if (strcmp(name, "shared") == 0)
        facts->config.shared_bytes = (size_t)count;
    else if (strcmp(name, "debug") == 0)
        facts->debug = count != 0;
    else if (strcmp(name, "fastmath") == 0)
        facts->fastmath = count != 0;
    else if (strcmp(name, "max_registers") == 0)
        facts->max_registers = (int)count;
    else if (strcmp(name, "unroll") == 0)
        facts->unroll = (int)count;
    else if (strcmp(name, "format") == 0)
        replay->format = (int64_t)count;
    else
        return false;
    return true;
}

/* ---- the lines ------------------------------------------------------------------------ */

static kjit_status read_section(ReplayReader *reader, const char *line)
{
    static const char *const names[] = { "",         "[launch]", "[files]",
                                         "[define]", "[before]", "[after]" };

    for (size_t i = 1; i < ARRAY_COUNT(names); i++) {
        if (strcmp(names[i], line) == 0) {
            reader->section = (Section)i;
            reader->replay->has_after |= i == SECTION_AFTER;
            return KJIT_OK;
        }
    }
    return bad_line(reader, "there is no section", line);
}

/* Whether a relative path stays inside the folder. */
static bool is_inside(const char *path)
{
    return *path != '/' && !strstr(path, "../");
}

/* Checks a source file: it must exist; notes whether it was edited. */
static kjit_status read_file_line(ReplayReader *reader, const char *name, const char *digest)
{
    kjit_replay *replay = reader->replay;
    const char *path = arena_printf(&replay->arena, "%s%s", replay->folder, name);
    char *text;
    size_t length;
    CacheKey now;

    if (!is_inside(name))
        return bad_line(reader, "this is no file of the folder:", name);
    KJIT_TRY(file_read(path, SOURCE_MAX, &text, &length));
    key_of_bytes(text, length, &now);
    memory_free(text);
    if (strcmp(now.name, digest) != 0)
        replay->facts.changed = replay->facts.changed ? arena_printf(&replay->arena, "%s, %s",
                                                                     replay->facts.changed, name)
                                                      : name;
    return KJIT_OK;
}

static kjit_status read_pair(ReplayReader *reader, const char *name, const char *text)
{
    kjit_replay *replay = reader->replay;

    switch (reader->section) {
    case SECTION_NONE:
        return bad_line(reader, "this stands before any section:", name);
    case SECTION_LAUNCH:
        return read_fact(replay, name, text) ? KJIT_OK
                                             : bad_line(reader, "this makes no sense:", name);
    case SECTION_FILES:
        return read_file_line(reader, name, text);
    case SECTION_DEFINE:
        array_push(&replay->arena, replay->defines, replay->define_count, replay->define_room) =
            (kjit_define){ name, text };
        return KJIT_OK;
    case SECTION_BEFORE:
    case SECTION_AFTER:
        break;
    }
    array_push(&replay->arena, replay->lines, replay->line_count, replay->line_room) =
        (ReplayLine){ name, text, reader->section == SECTION_AFTER };
    return KJIT_OK;
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);

    while (length && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static kjit_status read_line(ReplayReader *reader, char *line)
{
    line = trim(line);
    if (!*line || *line == '#')
        return KJIT_OK;
    if (*line == '[')
        return read_section(reader, line);
    char *equals = strchr(line, '=');
    if (!equals)
        return bad_line(reader, "NAME = VALUE is wanted, not", line);
    *equals = '\0';
    return read_pair(reader, trim(line), trim(equals + 1));
}

/* ---- the whole ------------------------------------------------------------------------ */

/* Derives the folder and launch.txt from a path to either. */
static void find_folder(kjit_replay *replay, const char *path)
{
    struct stat info;
    size_t length = strlen(path);
    bool folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);

    if (folder)
        replay->folder = arena_printf(&replay->arena, "%s%s", path,
                                      length && path[length - 1] == '/' ? "" : "/");
    else
        replay->folder = arena_strndup(&replay->arena, path, (size_t)(basename(path) - path));
    length = strlen(replay->folder);
    if (length)
        replay->directory = arena_strndup(&replay->arena, replay->folder, length - (length > 1));
    replay->path = folder ? arena_printf(&replay->arena, "%s%s", replay->folder, CAPTURE_TEXT)
                          : arena_strdup(&replay->arena, path);
}

/* Checks that required fields are present. */
static kjit_status check_facts(kjit_replay *replay)
{
    kjit_replay_facts *facts = &replay->facts;
    const char *missing = !replay->format           ? "format"
                          : !replay->main           ? "file"
                          : !facts->kernel          ? "kernel"
                          : !facts->config.grid[0]  ? "grid"
                          : !facts->config.block[0] ? "block"
                          : !facts->device          ? "device"
                                                    : NULL;

    if (replay->format > FORMAT)
        return error_set(KJIT_FILE, "error: %s is of a newer kjit: its format is %lld",
                         replay->path, (long long)replay->format);
    if (missing)
        return error_set(KJIT_FILE, "error: %s is no captured launch: it lacks '%s'", replay->path,
                         missing);
    if (!facts->failure && !replay->has_after)
        return error_set(KJIT_FILE, "error: %s is damaged: its end is missing, from [after] on",
                         replay->path);
    bool standard = stdlib_named(replay->main) != NULL;
    if (!standard && !is_inside(replay->main))
        return error_set(KJIT_FILE, "error: %s: '%s' is no file of the folder", replay->path,
                         replay->main);
    facts->file = standard ? replay->main
                           : arena_printf(&replay->arena, "%s%s", replay->folder, replay->main);
    facts->model = facts->model ? facts->model : facts->device;
    facts->defines = replay->defines;
    facts->define_count = (size_t)replay->define_count;
    return KJIT_OK;
}

static kjit_status read_replay(void *context, Arena *arena)
{
    ReplayReader *reader = context;
    size_t length;
    kjit_replay *replay = reader->replay;

    find_folder(replay, reader->wanted);
    KJIT_TRY(file_read(replay->path, SOURCE_MAX, &reader->text, &length));
    char *text = arena_strndup(arena, reader->text, length);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        reader->line++;
        KJIT_TRY(read_line(reader, line));
    }
    return check_facts(replay);
}

kjit_status kjit_replay_open(const char *path, kjit_replay **replay)
{
    kjit_replay *made = memory_zeroed(1, sizeof *made);
    ReplayReader reader = { .replay = made, .wanted = path };

    *replay = NULL;
    if (!made)
        return error_memory();
    head_open(&made->self, HANDLE_REPLAY, NULL);
    made->facts.config.size = sizeof made->facts.config;
    arena_init(&made->arena, NULL);
    kjit_status status = arena_catch(&made->arena, read_replay, &reader);
    memory_free(reader.text);
    if (status == KJIT_OK)
        *replay = made;
    else
        kjit_replay_close(made);
    return status;
}

void kjit_replay_close(kjit_replay *replay)
{
    if (!replay || !HANDLE_IS(REPLAY, replay))
        return;
    arena_free(&replay->arena);
    head_free(&replay->self);
}

void kjit_replay_tell(const kjit_replay *replay, kjit_replay_facts *facts)
{
    if (!HANDLE_IS(REPLAY, replay))
        return;
    kjit_replay_facts all = replay->facts;

    all.size = facts->size;
    SIZED_GIVE(facts, &all);
}

kjit_status kjit_replay_values(const kjit_replay *replay, int after, kjit_values *values)
{
    KJIT_TRY(HANDLE(REPLAY, replay));
    KJIT_TRY(HANDLE(VALUES, values));
    const kjit_module *module = values->module;
    kjit_status status = KJIT_OK;

    values->module = NULL; /* its constants must not affect the values */
    for (int i = 0; status == KJIT_OK && i < replay->line_count; i++) {
        const ReplayLine *line = &replay->lines[i];
        if (line->after == (after != 0) && !kjit_values_get(values, line->name))
            status = kjit_values_set(values, line->name, line->text, replay->directory);
    }
    values->module = module;
    return status;
}
