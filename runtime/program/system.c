/* What programs ask of the operating system: os and os.path. */
#include "runtime/program/program.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static bool text_of(Program *p, const HostArgs *args, size_t index, const char **text)
{
    return path_text(p, args->values[index], text);
}

static bool give(Program *p, const char *text, HostValue *out)
{
    return host_give(out, host_text(p, text));
}

/* ---- paths ---------------------------------------------------------------------------------- */

static bool path_join(Program *p, HostArgs *args, HostValue *out)
{
    const char *made = "", *part;
    for (size_t i = 0; i < args->count; i++) {
        if (!text_of(p, args, i, &part))
            return false;
        size_t length = strlen(made);
        bool slash = length && made[length - 1] != '/';
        made =
            *part == '/' ? part : arena_printf(&p->scratch, "%s%s%s", made, slash ? "/" : "", part);
    }
    return give(p, made, out);
}

static bool path_base(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    if (!text_of(p, args, 0, &path))
        return false;
    const char *slash = strrchr(path, '/');
    return give(p, slash ? slash + 1 : path, out);
}

static bool path_folder(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    if (!text_of(p, args, 0, &path))
        return false;
    const char *slash = strrchr(path, '/');
    size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return host_give(out, host_string(p, path, length));
}

static bool path_split_text(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    if (!text_of(p, args, 0, &path))
        return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || strspn(name, ".") >= (size_t)(dot - name) + 1)
        dot = path + strlen(path);
    const HostValue parts[] = { host_string(p, path, (size_t)(dot - path)), host_text(p, dot) };
    return host_give(out, host_items(p, HOST_TUPLE, parts, 2));
}

static bool path_user(Program *p, HostArgs *args, HostValue *out)
{
    const char *path, *home = getenv("HOME");
    if (!text_of(p, args, 0, &path))
        return false;
    bool own = path[0] == '~' && (path[1] == '/' || !path[1]) && home;
    return give(p, own ? arena_printf(&p->scratch, "%s%s", home, path + 1) : path, out);
}

static bool path_exists(Program *p, HostArgs *args, HostValue *out)
{
    const char *path, *name = args->builtin->name;
    struct stat facts;
    if (!text_of(p, args, 0, &path))
        return false;
    bool there = stat(path, &facts) == 0;
    return host_give(
        out, host_bool(there && (strcmp(name, "os.path.isdir") == 0    ? S_ISDIR(facts.st_mode)
                                 : strcmp(name, "os.path.isfile") == 0 ? S_ISREG(facts.st_mode)
                                                                       : true)));
}

/* ---- the system ----------------------------------------------------------------------------- */

static bool make_folder(Program *p, const char *path, bool may_exist)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return true;
    int error = errno;
    if (error == EEXIST && may_exist && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return true;
    return exception_of_file(p, error, path);
}

static bool os_mkdir(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    (void)out;
    return text_of(p, args, 0, &path) && make_folder(p, path, false);
}

/* Those around it, too. */
static bool os_makedirs(Program *p, HostArgs *args, HostValue *out)
{
    const char *path;
    bool exists = false;
    (void)out;
    if (!text_of(p, args, 0, &path) ||
        !host_truth(p, args_get(args, SIZE_MAX, "exist_ok", host_bool(false)), &exists))
        return false;
    for (const char *at = strchr(path + (*path == '/'), '/'); at; at = strchr(at + 1, '/'))
        if (at[1] && !make_folder(p, arena_strndup(&p->scratch, path, (size_t)(at - path)), true))
            return false;
    return make_folder(p, path, exists);
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
    if (!text_of(p, args, 0, &name))
        return false;
    const char *value = getenv(name);
    if (!value)
        return host_give(out, args_get(args, 1, "default", host_none()));
    return give(p, value, out);
}

static bool os_cpu_count(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, host_int(sysconf(_SC_NPROCESSORS_ONLN)));
}

const HostBuiltin system_functions[] = {
    { "os.path.join", 1, -1, path_join, NULL },
    { "os.path.basename", 1, 1, path_base, NULL },
    { "os.path.dirname", 1, 1, path_folder, NULL },
    { "os.path.splitext", 1, 1, path_split_text, NULL },
    { "os.path.expanduser", 1, 1, path_user, NULL },
    { "os.path.exists", 1, 1, path_exists, NULL },
    { "os.path.isfile", 1, 1, path_exists, NULL },
    { "os.path.isdir", 1, 1, path_exists, NULL },
    { "os.mkdir", 1, 1, os_mkdir, NULL },
    { "os.makedirs", 1, 1, os_makedirs, "exist_ok" },
    { "os.getcwd", 0, 0, os_getcwd, NULL },
    { "os.getenv", 1, 2, os_getenv, "default" },
    { "os.cpu_count", 0, 0, os_cpu_count, NULL },
    { NULL, 0, 0, NULL, NULL },
};
