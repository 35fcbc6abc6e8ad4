/* Finds NVRTC. The library has 100 MB, so it is located and identified without loading it: folders
** are searched for its file, whose path, size and time go into cache keys. The loader's own search
** is the last resort. */
#include "runtime/cuda/nvrtc.h"
#include "runtime/cuda/driver.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

static char library_path[CACHE_PATH_MAX];
static pthread_once_t search_once = PTHREAD_ONCE_INIT;

const char *const *nvrtc_names(void)
{
    static const char *const twelve_first[] = { "libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so",
                                                NULL };
    static const char *const newest_first[] = { "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                                NULL };
    const Driver *driver = driver_get();

    return driver->version && driver->version < 13000 ? twelve_first : newest_first;
}

/* Sets `path` to `name` in the last folder that `pattern` matches, which is the newest. */
static bool search_pattern(const char *pattern, const char *name, char path[CACHE_PATH_MAX])
{
    char full[CACHE_PATH_MAX];
    glob_t found;
    bool there = false;

    if (snprintf(full, sizeof full, "%s/%s", pattern, name) >= (int)sizeof full)
        return false;
    if (glob(full, 0, NULL, &found) != 0)
        return false;
    for (size_t i = found.gl_pathc; i-- > 0 && !there;) {
        there = access(found.gl_pathv[i], R_OK) == 0 &&
                snprintf(path, CACHE_PATH_MAX, "%s", found.gl_pathv[i]) < CACHE_PATH_MAX;
    }
    globfree(&found);
    return there;
}

/* Searches a colon-separated list of folders. */
static bool search_list(const char *list, const char *name)
{
    char folder[CACHE_PATH_MAX];

    for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
        int length = (int)strcspn(list, ":");
        if (length && length < CACHE_PATH_MAX - 64) {
            snprintf(folder, sizeof folder, "%.*s", length, list);
            if (search_pattern(folder, name, library_path))
                return true;
        }
    }
    return false;
}

/* Searches `prefix`, in which no character is a wildcard, and what is below it, if there is a
** prefix. */
static bool search_below(const char *prefix, const char *below, const char *name,
                         char path[CACHE_PATH_MAX])
{
    char pattern[CACHE_PATH_MAX];
    size_t length = 0;

    for (const char *at = prefix ? prefix : ""; *at && length < sizeof pattern - 2; at++) {
        if (strchr("*?[\\", *at))
            pattern[length++] = '\\';
        pattern[length++] = *at;
    }
    const size_t room = sizeof pattern - length;
    return length && snprintf(pattern + length, room, "/%s", below) < (int)room &&
           search_pattern(pattern, name, path);
}

/* The folder in which kjit's own package lies, if it is one of Python's, with those of NVIDIA. */
static const char *own_packages(char folder[CACHE_PATH_MAX])
{
    Dl_info info;
    const char *slash = NULL;

    if (dladdr(library_path, &info) && info.dli_fname)
        slash = strrchr(info.dli_fname, '/');
    if (!slash || snprintf(folder, CACHE_PATH_MAX, "%.*s/..", (int)(slash - info.dli_fname),
                           info.dli_fname) >= CACHE_PATH_MAX)
        return NULL;
    return folder;
}

bool wheels_find(const char *folder, const char *name, char path[CACHE_PATH_MAX])
{
    char own[CACHE_PATH_MAX], local[CACHE_PATH_MAX] = "", below[64];
    const char *home = getenv("HOME");

    snprintf(below, sizeof below, "nvidia/*/%s", folder);
    if (search_below(own_packages(own), below, name, path))
        return true;
    if (home)
        snprintf(local, sizeof local, "%s/.local", home);
    const char *prefixes[] = {
        getenv("VIRTUAL_ENV"), getenv("CONDA_PREFIX"), local, "/usr/local", "/usr", home,
    };
    snprintf(below, sizeof below, "lib/python3*/*-packages/nvidia/*/%s", folder);
    for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++) {
        if (search_below(prefixes[i], below, name, path))
            return true;
    }
    return false;
}

static bool search_name(const char *name)
{
    static const char *const folders[] = {
        "/usr/local/cuda/lib64",
        "/usr/local/cuda/targets/x86_64-linux/lib",
        "/usr/local/cuda-1[2-9]*/lib64",
        "/usr/local/cuda-1[2-9]*/targets/x86_64-linux/lib",
        "/opt/cuda/lib64",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    };

    if (search_list(getenv("LD_LIBRARY_PATH"), name))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++) {
        if (search_pattern(folders[i], name, library_path))
            return true;
    }
    return search_below(getenv("CONDA_PREFIX"), "lib", name, library_path) ||
           wheels_find("lib", name, library_path);
}

static void search(void)
{
    const char *setting = getenv("KJIT_NVRTC");

    if (setting && *setting) {
        snprintf(library_path, sizeof library_path, "%s", setting);
        return;
    }
    for (const char *const *name = nvrtc_names(); *name; name++) {
        if (search_name(*name))
            return;
    }
    library_path[0] = '\0';
}

const char *nvrtc_path(void)
{
    pthread_once(&search_once, search);
    return library_path;
}

void nvrtc_identify(KeyState *key)
{
    char real[CACHE_PATH_MAX];
    const char *path = nvrtc_path();

    key_file(key, *path && realpath(path, real) ? real : path);
    key_number(key, NVRTC_CARE);
}
