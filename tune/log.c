/* The log of a run: a line of JSON a record, each on disk before the next configuration is asked
** for, so that a run that is ended at any moment goes on where it was.
**
** The first line is the key: all that a time depends on besides the configuration. A log with
** another key is never gone on with; it is kept beside, under another name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/complain.h"
#include "measure/memory.h"
#include "tune/tune.h"

enum { VERSION = 1 };

/* ---- reading --------------------------------------------------------------------------------- */

/* The lines of a file, of which one that ends without a newline was cut off by whatever ended the
** run: `*whole` is how many bytes come before it. NULL if there is no such file, or no memory. */
static json_t *read_lines(const char *path, long *whole, size_t *damaged)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    json_t *list = in ? json_array() : NULL;

    *whole = 0;
    *damaged = 0;
    while (in && (length = getline(&line, &room, in)) > 0 && line[length - 1] == '\n') {
        json_t *record = json_loadb(line, (size_t)length, 0, NULL);
        *whole += length;
        if (json_is_object(record))
            json_array_append(list, record);
        else
            ++*damaged;
        json_decref(record);
    }
    free(line);
    if (in)
        fclose(in);
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
    *log = (TuneLog){ .records = read_lines(path, &whole, &damaged) };
    json_t *first = json_array_get(log->records, 0);
    if (!log->records) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    if (!is_key(first)) {
        complain("%s: this is no log of 'kjit tune': its first line has no \"record\": \"key\"",
                 path);
        return false;
    }
    if (is_newer(first, path))
        return false;
    if (damaged)
        complain("%s: %zu damaged line%s passed over", path, damaged, damaged == 1 ? "" : "s");
    *key = json_incref(first);
    json_array_remove(log->records, 0);
    return true;
}

/* ---- going on -------------------------------------------------------------------------------- */

/* What differs, "device" and the like, for the remark. */
static const char *what_differs(const json_t *one, const json_t *other)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)one, name, value)
    {
        if (!json_equal(value, json_object_get(other, name)))
            return name;
    }
    return "kjit's version";
}

/* Renames the file to the first free name of .1, .2 and so on. */
static bool put_aside(const char *path, const char *why)
{
    size_t room = strlen(path) + 16;
    char *other = must_alloc(room);
    struct stat info;
    int number = 1;
    do
        snprintf(other, room, "%s.%d", path, number++);
    while (stat(other, &info) == 0 && number < 10000);
    bool moved = rename(path, other) == 0;
    if (moved)
        complain("%s is of another run (%s): kept as %s", path, why, other);
    else
        complain("%s cannot be renamed: %s", path, strerror(errno));
    free(other);
    return moved;
}

/* Whether a file without a whole first line is what is left of a log's. */
static bool begins_as_log(const char *path)
{
    static const char start[] = "{\"record\":\"key\"";
    char found[sizeof start] = "";
    FILE *in = fopen(path, "r");
    size_t length = in ? fread(found, 1, sizeof start - 1, in) : 0;
    if (in)
        fclose(in);
    return strncmp(found, start, length) == 0;
}

static bool begin_file(TuneLog *log, json_t *key, bool same)
{
    log->file = fopen(log->path, "a");
    if (!log->file) {
        complain("%s cannot be written: %s; --log FILE names another place", log->path,
                 strerror(errno));
        return false;
    }
    if (flock(fileno(log->file), LOCK_EX | LOCK_NB) != 0) {
        complain("%s is being written by another run; --log FILE names another one", log->path);
        return false;
    }
    if (same)
        return true;
    json_t *first = json_pack("{s:s,s:i,s:O}", "record", "key", "version", VERSION, "key", key);
    log_add(log, first);
    json_array_clear(log->records);
    return !log->told;
}

bool log_open(TuneLog *log, const char *path, json_t *key)
{
    long whole;
    size_t damaged;
    *log = (TuneLog){ .path = must_strndup(path, strlen(path)) };
    log->records = read_lines(path, &whole, &damaged);
    struct stat info;
    bool there = log->records && stat(path, &info) == 0 && info.st_size > 0;
    json_t *first = json_array_get(log->records, 0), *had = json_object_get(first, "key");
    bool same = there && is_key(first) && json_equal(had, key);

    if (there && !is_key(first) && !begins_as_log(path)) {
        complain("%s is there, and no log of 'kjit tune': --log FILE names another place", path);
        return false;
    }
    if (there && is_key(first) && is_newer(first, path))
        return false;
    if (there && !same && whole > 0 &&
        !put_aside(path, is_key(first) ? what_differs(had, key) : "its key is damaged"))
        return false;
    if (there && (same || !whole) && info.st_size > whole) {
        complain("%s: its last line was cut off and is dropped", path);
        if (truncate(path, whole) != 0) {
            complain("%s cannot be shortened: %s", path, strerror(errno));
            return false;
        }
    }
    if (same && damaged)
        complain("%s: %zu damaged line%s passed over", path, damaged, damaged == 1 ? "" : "s");
    json_array_remove(log->records, 0);
    if (!same) {
        json_decref(log->records);
        log->records = json_array();
    }
    return begin_file(log, key, same);
}

void log_add(TuneLog *log, json_t *record)
{
    json_array_append(log->records, record);
    if (log->file && !log->told) {
        bool wrote = json_dumpf(record, log->file, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0 &&
                     fputc('\n', log->file) != EOF && fflush(log->file) == 0 &&
                     fdatasync(fileno(log->file)) == 0;
        if (!wrote) {
            complain("%s cannot be written (%s): the run goes on, but cannot be resumed", log->path,
                     strerror(errno));
            log->told = true;
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
