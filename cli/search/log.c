/* The log of a run: a line of JSON per record, each flushed to disk before the next configuration
** is measured, so that a run that is killed at any moment can be resumed.
**
** The first line is the key: everything but the configuration that a time depends on. A log with
** another key is not appended to, but kept under another name. */
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/measure/complain.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

enum { VERSION = 1 };

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether a number, if present, can be a launch's time in ms; 1e12 are thirty years. */
static bool is_time(const json_t *value)
{
    return !value || (json_is_number(value) && json_number_value(value) > 0 &&
                      json_number_value(value) < 1e12);
}

static bool are_times(const json_t *list)
{
    size_t index;
    json_t *value;
    json_array_foreach((json_t *)list, index, value)
    {
        if (!is_time(value))
            return false;
    }
    return true;
}

/* Whether a run may have written the record. A bogus time could win. */
static bool is_sound(const json_t *record)
{
    static const char *const times[] = { "ms", "low", "high", "least" };
    if (!json_is_object(record))
        return false;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!is_time(json_object_get(record, times[i])))
            return false;
    bool timed = record_is_good(record) || record_is_disturbed(record) ||
                 !strcmp(record_text(record, "outcome"), "slow");
    return (!timed || json_object_get(record, "ms")) && are_times(json_object_get(record, "times"));
}

/* The lines of a file. A last line without newline is incomplete; `*whole` is the number of bytes
** before it. */
static json_t *read_lines(FILE *in, long *whole, size_t *damaged)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    json_t *list = json_array();

    *whole = 0;
    *damaged = 0;
    while ((length = getline(&line, &room, in)) > 0 && line[length - 1] == '\n') {
        json_t *record = json_loadb(line, (size_t)length, 0, NULL);
        *whole += length;
        if (is_sound(record))
            json_array_append(list, record);
        else
            ++*damaged;
        json_decref(record);
    }
    free(line);
    return list;
}

static bool is_key(const json_t *record)
{
    const char *what = json_string_value(json_object_get(record, "record"));
    return what && !strcmp(what, "key");
}

static bool is_newer(const json_t *first, const char *path)
{
    if (json_integer_value(json_object_get(first, "version")) <= VERSION)
        return false;
    complain("%s: this log was written by a newer kjit", path);
    return true;
}

bool log_read(TuneLog *log, const char *path, json_t **key)
{
    long whole;
    size_t damaged;
    struct stat info;
    *log = (TuneLog){ 0 };
    if (stat(path, &info) == 0 && S_ISCHR(info.st_mode)) { /* a device may have no end */
        return complain("%s: this is no log of 'kjit tune', but a device", path);
    }
    FILE *in = fopen(path, "re");
    if (!in)
        return complain("%s: %s", path, strerror(errno));
    log->records = read_lines(in, &whole, &damaged);
    fclose(in);
    json_t *first = json_array_get(log->records, 0);
    if (!is_key(first))
        return complain(
            "%s: this is no log of 'kjit tune': its first line has no \"record\": \"key\"", path);
    if (is_newer(first, path))
        return false;
    if (damaged)
        complain("%s: %zu damaged line%s passed over", path, damaged, damaged == 1 ? "" : "s");
    *key = json_incref(first);
    json_array_remove(log->records, 0);
    return true;
}

/* ---- resuming -------------------------------------------------------------------------------- */

/* The name of the part in which two keys differ, like "device"; of settings, which one. */
static const char *what_differs(const json_t *one, const json_t *other)
{
    const json_t *sides[] = { one, other };
    const char *name;
    json_t *value;
    for (int side = 0; side < 2; side++) {
        json_object_foreach((json_t *)sides[side], name, value)
        {
            const json_t *its = json_object_get(sides[!side], name);
            if (json_equal(value, its))
                continue;
            return json_is_object(value) && json_is_object(its) ? what_differs(value, its) : name;
        }
    }
    return "kjit's version";
}

/* `path.3`, to be free()d. */
static char *numbered(const char *path, int number)
{
    size_t room = strlen(path) + 16;
    char *name = must_alloc(room);
    snprintf(name, room, "%s.%d", path, number);
    return name;
}

/* Renames the file to the first free name of .1, .2 and so on. */
static bool put_aside(const char *path, const char *why)
{
    struct stat info;
    int number = 1;
    char *other = numbered(path, number);
    while (stat(other, &info) == 0) {
        free(other);
        other = numbered(path, ++number);
    }
    bool moved = rename(path, other) == 0;
    if (moved)
        complain("%s is of another run (%s): kept as %s", path, why, other);
    else
        complain("%s cannot be renamed: %s", path, strerror(errno));
    free(other);
    return moved;
}

/* Whether the file's first line is that key. */
static bool has_key(const char *path, const json_t *key)
{
    FILE *in = fopen(path, "re");
    json_t *first = in ? json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    bool same = is_key(first) && json_equal(json_object_get(first, "key"), key) &&
                json_integer_value(json_object_get(first, "version")) <= VERSION;
    json_decref(first);
    if (in)
        fclose(in);
    return same;
}

/* Renames back the latest log with this key that was renamed before. */
static void take_back(const char *path, const json_t *key)
{
    struct stat info;
    char *found = NULL, *name = numbered(path, 1);
    for (int number = 1; stat(name, &info) == 0;) {
        if (S_ISREG(info.st_mode) && has_key(name, key)) {
            free(found);
            found = must_strndup(name, strlen(name));
        }
        free(name);
        name = numbered(path, ++number);
    }
    if (found && rename(found, path) == 0)
        complain("%s is of this run: it is %s again", found, path);
    free(found);
    free(name);
}

/* Whether a file without a complete first line begins like a log. */
static bool begins_as_log(FILE *file)
{
    static const char start[] = "{\"record\":\"key\"";
    char found[sizeof start] = "";
    rewind(file);
    size_t length = fread(found, 1, sizeof start - 1, file);
    return strncmp(found, start, length) == 0;
}

/* Whether the path still names the open file, which another run may have renamed. */
static bool is_current(FILE *file, const char *path)
{
    struct stat held, there;
    return fstat(fileno(file), &held) == 0 && stat(path, &there) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* Opens and locks the file, and creates it if need be. It is read only after that, as another run
** may have been writing a line. NULL after an error. */
static FILE *open_locked(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        complain("%s is no regular file, and a log is read again: --log FILE names another place",
                 path);
        return NULL;
    }
    for (;;) {
        FILE *file = fopen(path, "a+e"); /* close-on-exec: a child that outlives its parent must
                                            not hold the lock */
        if (!file) {
            complain("%s cannot be written: %s; --log FILE names another place", path,
                     strerror(errno));
            return NULL;
        }
        if (flock(fileno(file), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            complain("%s is being written by another run; --log FILE names another one", path);
            fclose(file);
            return NULL;
        }
        if (is_current(file, path))
            return file;
        fclose(file);
    }
}

typedef enum LogState { LOG_EMPTY, LOG_SAME, LOG_OTHER, LOG_NONE } LogState;

/* Classifies an open file: empty, a log with this key or another, or no log. */
static LogState state_of(const TuneLog *log, const json_t *key, long whole)
{
    const json_t *first = json_array_get(log->records, 0);
    if (is_key(first))
        return json_equal(json_object_get(first, "key"), key) ? LOG_SAME : LOG_OTHER;
    if (!begins_as_log(log->file))
        return LOG_NONE;
    return whole ? LOG_OTHER : LOG_EMPTY;
}

static const char *why_other(const TuneLog *log, const json_t *key)
{
    const json_t *first = json_array_get(log->records, 0);
    return is_key(first) ? what_differs(json_object_get(first, "key"), key) : "its key is damaged";
}

/* Truncates the file to its complete lines, and appends from there. */
static bool go_on(TuneLog *log, json_t *key, bool same, long whole, size_t damaged)
{
    struct stat info;
    if (fstat(fileno(log->file), &info) == 0 && info.st_size > whole) {
        complain("%s: its last line was cut off and is dropped", log->path);
        if (ftruncate(fileno(log->file), whole) != 0)
            return complain("%s cannot be shortened: %s", log->path, strerror(errno));
    }
    fseek(log->file, 0, SEEK_END); /* required between reading and writing */
    json_array_remove(log->records, 0);
    if (same && damaged)
        complain("%s: %zu damaged line%s passed over", log->path, damaged, damaged == 1 ? "" : "s");
    if (same)
        return true;
    log_add(log, json_pack("{s:s,s:i,s:O}", "record", "key", "version", VERSION, "key", key));
    json_array_clear(log->records);
    return true; /* failures to write are reported, but not fatal */
}

bool log_open(TuneLog *log, const char *path, json_t *key)
{
    long whole;
    size_t damaged;
    *log = (TuneLog){ .path = must_strndup(path, strlen(path)) };
    for (;;) {
        log->file = open_locked(path);
        if (!log->file)
            return false;
        log->records = read_lines(log->file, &whole, &damaged);
        LogState state = state_of(log, key, whole);
        if (state != LOG_NONE && is_newer(json_array_get(log->records, 0), path))
            return false;
        if (state == LOG_EMPTY || state == LOG_SAME)
            return go_on(log, key, state == LOG_SAME, whole, damaged);
        if (state == LOG_NONE)
            complain("%s is there, and no log of 'kjit tune': --log FILE names another place",
                     path);
        if (state == LOG_NONE || !put_aside(path, why_other(log, key)))
            return false;
        take_back(path, key);
        fclose(log->file);
        json_decref(log->records);
    }
}

void log_add(TuneLog *log, json_t *record)
{
    json_array_append(log->records, record);
    if (log->file && !log->write_failed) {
        bool wrote = json_dumpf(record, log->file, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0 &&
                     fputc('\n', log->file) != EOF && fflush(log->file) == 0 &&
                     (fdatasync(fileno(log->file)) == 0 || errno == EINVAL); /* not supported by
                                                                                this kind of file */
        if (!wrote) {
            complain("%s cannot be written (%s): the run goes on, but cannot be resumed", log->path,
                     strerror(errno));
            log->write_failed = true;
        }
    }
    json_decref(record);
}

void log_close(TuneLog *log)
{
    if (log->file)
        fclose(log->file);
    free(log->path);
    json_decref(log->records);
    *log = (TuneLog){ 0 };
}
