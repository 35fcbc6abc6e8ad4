/* Files, for the modules in library/python/: what they read and write is bytes, which are arrays
** of uint8 inside the library's class `bytes`. */
#include "runtime/array/array.h"
#include "runtime/program/arrays.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static bool array_of_bytes(Program *p, const void *data, size_t length, HostValue *out)
{
    const int64_t shape[1] = { (int64_t)length };
    HostArray *array;
    if (!host_array_new(p, KJIT_DTYPE_UINT8, 1, shape, false, &array) ||
        !host_array_write(p, array))
        return false;
    if (length)
        memcpy(array->view.data, data, length);
    return host_give(out, host_object(array));
}

static bool is_a(HostValue value, char kind)
{
    const bool array = value.kind == HOST_ARRAY;
    return kind == 's'   ? value.kind == HOST_STRING
           : kind == 'c' ? value.kind == HOST_CLASS
           : kind == 'o' ? value.kind == HOST_INSTANCE
           : kind == 'a' ? array
           : kind == 'b'
               ? array && value.array->view.rank == 1 && value.array->view.dtype == KJIT_DTYPE_UINT8
               : true;
}

bool args_are(Program *p, const HostArgs *args, const char *kinds)
{
    for (size_t i = 0; i < args->count && kinds[i]; i++)
        if (!is_a(args->values[i], kinds[i]))
            return host_fail(p, "TypeError", "%s() takes no '%s' here",
                             strrchr(args->builtin->name, '.') + 1,
                             host_type_name(p, args->values[i]));
    return true;
}

bool bytes_value(Program *p, const void *data, size_t length, HostValue *out)
{
    HostValue array, class_;
    if (!array_of_bytes(p, data, length, &array))
        return false;
    host_keep(p, array);
    return modules_find(p, "builtins.bytes", &class_) && host_call_one(p, class_, array, out);
}

bool path_text(Program *p, HostValue value, const char **text)
{
    HostValue made = value;
    if (value.kind == HOST_INSTANCE && !object_calls(p, value, "__fspath__", NULL, 0, &made) &&
        p->failed)
        return false;
    *text = made.kind == HOST_STRING ? made.string->text : "";
    if (object_has(value, "write"))
        return host_lacks(p, "NotImplementedError",
                          "this takes a path here, and no file that is open");
    return made.kind == HOST_STRING ||
           host_fail(p, "TypeError", "expected str, bytes or os.PathLike object, not %s",
                     host_type_name(p, value));
}

/* os._read(path): what is in a file. */
static bool read_file(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    struct stat facts;
    char chunk[65536];
    if (!path_text(p, args->values[0], &path))
        return false;
    FILE *file = fopen(path, "rb");
    if (!file || (fstat(fileno(file), &facts) == 0 && S_ISDIR(facts.st_mode))) {
        const int error = file ? EISDIR : errno;
        if (file)
            fclose(file);
        return exception_of_file(p, error, path);
    }
    Buf all = buf_in(&p->scratch);
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        buf_put(&all, chunk, got);
    const bool whole = !ferror(file);
    fclose(file);
    return whole ? array_of_bytes(p, buf_text(&all), all.length, out)
                 : exception_of_file(p, EIO, path);
}

/* os._write(path, text or bytes, mode), which begins anew, goes on behind what is there, or wants
** that there is none: "w", "a", "x". Of ranks that run the same program the first one writes. */
static bool write_file(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    const HostValue what = args->values[1];
    (void)out;
    if (!args_are(p, args, what.kind == HOST_STRING ? ".ss" : ".bs") ||
        !path_text(p, args->values[0], &path))
        return false;
    const char *mode = args->values[2].string->text;
    if (what.kind == HOST_ARRAY && !host_array_read(p, what.array))
        return false;
    if (p->group && kjit_group_rank(p->group))
        return true;
    const bool text = what.kind == HOST_STRING;
    const void *data = text ? what.string->text : what.array->view.data;
    const size_t length = text ? what.string->length : (size_t)what.array->view.shape[0];
    FILE *file = fopen(path, *mode == 'w' ? "wb" : *mode == 'a' ? "ab" : "wbx");
    if (!file)
        return exception_of_file(p, errno, path);
    bool fine = fwrite(data, 1, length, file) == length;
    fine &= fclose(file) == 0;
    return fine || exception_of_file(p, errno, path);
}

/* os._bytes(text) as an array, and os._text(array), None where it is no UTF-8. */
static bool bytes_of_text(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *text = args->values[0].string;
    return args_are(p, args, "s") && array_of_bytes(p, text->text, text->length, out);
}

static bool text_of_bytes(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    if (!args_are(p, args, "b") ||
        !host_array_copy_as(p, args->values[0].array, KJIT_DTYPE_UINT8, &array) ||
        !host_array_read(p, array))
        return false;
    const char *at = array->view.data, *end = at + array->view.shape[0];
    while (at < end) {
        const size_t length = utf8_length(at, end);
        if (!length)
            return true;
        at += length;
    }
    return host_give(out, host_string(p, array->view.data, (size_t)array->view.shape[0]));
}

static bool list_folder(Program *p, HostArgs *args, HostValue *out)
{
    const char *path = ".";
    if (args->count && !path_text(p, args->values[0], &path))
        return false;
    DIR *folder = opendir(path);
    if (!folder)
        return exception_of_file(p, errno, path);
    *out = host_room(p, HOST_LIST, 0);
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            host_append(p, out->list, host_text(p, entry->d_name));
    closedir(folder);
    return true;
}

/* os.mkdir(), os.remove(), os.rmdir(), os.rename() and their other names. */
static bool change_path(Program *p, HostArgs *args, HostValue *out)
{
    const char *path, *to = "", *name = args->builtin->name + strlen("os.");
    (void)out;
    if (!path_text(p, args->values[0], &path) ||
        (args->count > 1 && !path_text(p, args->values[1], &to)))
        return false;
    if (p->group && kjit_group_rank(p->group))
        return true;
    const int result = args->count > 1              ? rename(path, to)
                       : strcmp(name, "mkdir") == 0 ? mkdir(path, 0777)
                       : strcmp(name, "rmdir") == 0 ? rmdir(path)
                                                    : unlink(path);
    return result == 0 || exception_of_file(p, errno, path);
}

static bool change_folder(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    (void)out;
    if (p->group)
        return host_fail(p, "NotImplementedError",
                         "os.chdir() is not there over several ranks: write whole paths");
    return path_text(p, args->values[0], &path) &&
           (chdir(path) == 0 || exception_of_file(p, errno, path));
}

/* os._stat(path): its bytes, the time of its last change, whether it is a folder, and whether it is
** a plain file. */
static bool stat_path(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    struct stat facts;
    if (!path_text(p, args->values[0], &path))
        return false;
    if (stat(path, &facts) != 0)
        return exception_of_file(p, errno, path);
    const HostValue parts[] = {
        host_int((int64_t)facts.st_size),
        host_float((double)facts.st_mtim.tv_sec + 1e-9 * (double)facts.st_mtim.tv_nsec),
        host_bool(S_ISDIR(facts.st_mode)),
        host_bool(S_ISREG(facts.st_mode)),
    };
    return host_give(out, host_items(p, HOST_TUPLE, parts, ARRAY_COUNT(parts)));
}

/* os._temporary(start, end, folder): makes a file, or a folder, of a name that no other has. */
static bool make_temporary(Program *p, HostArgs *args, HostValue *out)
{
    bool folder = false;
    if (!args_are(p, args, "ss.") || !host_truth(p, args->values[2], &folder))
        return false;
    const HostString *end = args->values[1].string;
    char *path = arena_printf(&p->scratch, "%sXXXXXX%s", args->values[0].string->text, end->text);
    const int file = folder ? -1 : mkstemps(path, (int)end->length);
    if (folder ? !mkdtemp(path) : file < 0)
        return exception_of_file(p, errno, path);
    if (file >= 0)
        close(file);
    return host_give(out, host_text(p, path));
}

/* os._raw(array): its bytes, a view of it. os._array(bytes, dtype): back, a copy. */
static bool raw_array(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array = args->values[0].array;
    return args_are(p, args, "a") && host_array_read(p, array) &&
           array_of_bytes(p, array->view.data, (size_t)kjit_array_bytes(&array->view), out);
}

static bool array_of_raw(Program *p, HostArgs *args, HostValue *out)
{
    const HostArray *raw = args->values[0].array;
    kjit_array like = { 0 };
    HostArray *made;
    if (!args_are(p, args, "b.") || !element_from(p, args->values[1], &like) ||
        !host_array_read(p, raw))
        return false;
    const int64_t bytes = (int64_t)array_item_bytes(&like);
    if (raw->view.shape[0] % bytes)
        return host_fail(p, "ValueError", "buffer size must be a multiple of element size");
    const int64_t shape[1] = { raw->view.shape[0] / bytes };
    if (!host_array_like(p, &like, 1, shape, false, false, &made) || !host_array_write(p, made))
        return false;
    if (shape[0])
        memcpy(made->view.data, raw->view.data, (size_t)raw->view.shape[0]);
    return host_give(out, host_object(made));
}

/* os._crc(bytes, start): the check sum that archives have of a member, of what follows bytes whose
** sum is `start`. */
static bool check_sum(Program *p, HostArgs *args, HostValue *out)
{
    int64_t start;
    if (!args_are(p, args, "b") || !host_integer(p, args->values[1], &start) ||
        !host_array_read(p, args->values[0].array))
        return false;
    const kjit_array *view = &args->values[0].array->view;
    const unsigned char *at = view->data;
    uint32_t sum = ~(uint32_t)start, table[256];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xEDB88320 : table[i] >> 1;
    }
    for (int64_t i = 0; i < view->shape[0]; i++)
        sum = table[(sum ^ at[i * view->strides[0]]) & 255] ^ sum >> 8;
    return host_give(out, host_int(~sum));
}

/* os._real(path): through all links; a path of nothing is itself. */
static bool real_path(Program *p, HostArgs *args, HostValue *out)
{
    if (!args_are(p, args, "s"))
        return false;
    char *path = realpath(args->values[0].string->text, NULL);
    *out = path ? host_text(p, path) : args->values[0];
    free(path);
    return true;
}

static bool os_getcwd(Program *p, HostArgs *args, HostValue *out)
{
    char *folder = getcwd(NULL, 0);
    (void)args;
    *out = host_text(p, folder ? folder : ".");
    free(folder);
    return true;
}

static bool os_getenv(Program *p, HostArgs *args, HostValue *out)
{
    const char *name;
    if (!path_text(p, args->values[0], &name))
        return false;
    const char *value = getenv(name);
    return host_give(out, value ? host_text(p, value) : args_get(args, 1, "default", host_none()));
}

static bool os_cpu_count(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, host_int(sysconf(_SC_NPROCESSORS_ONLN)));
}

static bool set_environment(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    for (size_t i = 0; i < 2; i++)
        if (args->values[i].kind != HOST_STRING)
            return host_fail(p, "TypeError", "str expected, not %s",
                             host_type_name(p, args->values[i]));
    return setenv(args->values[0].string->text, args->values[1].string->text, 1) == 0 ||
           host_fail(p, "ValueError", "illegal environment variable name");
}

static bool process_number(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, host_int(getpid()));
}

/* os._machine(): its name, what it is, and its system's release. */
static bool machine_names(Program *p, HostArgs *args, HostValue *out)
{
    struct utsname names;
    (void)args;
    if (uname(&names) != 0)
        return exception_of_file(p, errno, "uname");
    const HostValue parts[] = { host_text(p, names.nodename), host_text(p, names.machine),
                                host_text(p, names.release) };
    return host_give(out, host_items(p, HOST_TUPLE, parts, ARRAY_COUNT(parts)));
}

/* ---- times ---------------------------------------------------------------------------------- */

/* time._fields(seconds, local) */
static bool time_fields(Program *p, HostArgs *args, HostValue *out)
{
    double seconds;
    bool local;
    struct tm tm;
    if (!host_double(p, args->values[0], &seconds) || !host_truth(p, args->values[1], &local))
        return false;
    const time_t at = (time_t)floor(seconds);
    if (!(local ? localtime_r(&at, &tm) : gmtime_r(&at, &tm)))
        return host_fail(p, "OverflowError", "timestamp out of range for platform time_t");
    const HostValue parts[] = {
        host_int(tm.tm_year + 1900),    host_int(tm.tm_mon + 1),  host_int(tm.tm_mday),
        host_int(tm.tm_hour),           host_int(tm.tm_min),      host_int(tm.tm_sec),
        host_int((tm.tm_wday + 6) % 7), host_int(tm.tm_yday + 1), host_int(tm.tm_isdst > 0),
    };
    return host_give(out, host_items(p, HOST_TUPLE, parts, ARRAY_COUNT(parts)));
}

/* What time._fields() gave. */
static bool take_fields(Program *p, HostValue fields, struct tm *tm)
{
    int64_t parts[9];
    if (fields.kind != HOST_TUPLE || fields.list->count != ARRAY_COUNT(parts))
        return host_fail(p, "TypeError", "Tuple or struct_time argument required");
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
        if (!host_integer(p, fields.list->items[i], &parts[i]))
            return false;
    *tm = (struct tm){ .tm_year = (int)parts[0] - 1900,
                       .tm_mon = (int)parts[1] - 1,
                       .tm_mday = (int)parts[2],
                       .tm_hour = (int)parts[3],
                       .tm_min = (int)parts[4],
                       .tm_sec = (int)parts[5],
                       .tm_wday = (int)(parts[6] + 1) % 7,
                       .tm_yday = (int)parts[7] - 1,
                       .tm_isdst = (int)parts[8] };
    return true;
}

/* time._format(format, fields), and time._stamp(fields), the seconds of a local time. */
static bool time_format(Program *p, HostArgs *args, HostValue *out)
{
    struct tm tm;
    char text[1024];
    const HostValue format = args->values[0];
    if (format.kind != HOST_STRING)
        return host_fail(p, "TypeError", "strftime() argument 1 must be str, not %s",
                         host_type_name(p, format));
    if (!take_fields(p, args->values[1], &tm))
        return false;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const size_t length = strftime(text, sizeof text, format.string->text, &tm);
#pragma GCC diagnostic pop
    return host_give(out, host_string(p, text, length));
}

static bool time_stamp(Program *p, HostArgs *args, HostValue *out)
{
    struct tm tm;
    if (!take_fields(p, args->values[0], &tm))
        return false;
    tm.tm_isdst = -1;
    return host_give(out, host_float((double)mktime(&tm)));
}

const HostBuiltin file_functions[] = {
    { "os._machine", 0, 0, machine_names, NULL },
    { "time._fields", 2, 2, time_fields, NULL },
    { "time._format", 2, 2, time_format, NULL },
    { "time._stamp", 1, 1, time_stamp, NULL },
    { "os._raw", 1, 1, raw_array, NULL },
    { "os._array", 2, 2, array_of_raw, NULL },
    { "os._crc", 2, 2, check_sum, NULL },
    { "os._real", 1, 1, real_path, NULL },
    { "os._setenv", 2, 2, set_environment, NULL },
    { "os.getcwd", 0, 0, os_getcwd, NULL },
    { "os.getenv", 1, 2, os_getenv, "default" },
    { "os.cpu_count", 0, 0, os_cpu_count, NULL },
    { "os.getpid", 0, 0, process_number, NULL },
    { "os._read", 1, 1, read_file, NULL },
    { "os._write", 3, 3, write_file, NULL },
    { "os._bytes", 1, 1, bytes_of_text, NULL },
    { "os._text", 1, 1, text_of_bytes, NULL },
    { "os.listdir", 0, 1, list_folder, NULL },
    { "os.chdir", 1, 1, change_folder, NULL },
    { "os.mkdir", 1, 1, change_path, NULL },
    { "os.remove", 1, 1, change_path, NULL },
    { "os.unlink", 1, 1, change_path, NULL },
    { "os.rmdir", 1, 1, change_path, NULL },
    { "os.rename", 2, 2, change_path, NULL },
    { "os.replace", 2, 2, change_path, NULL },
    { "os._stat", 1, 1, stat_path, NULL },
    { "os._temporary", 3, 3, make_temporary, NULL },
    { NULL, 0, 0, NULL, NULL },
};
