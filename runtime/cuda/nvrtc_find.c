/* Finds NVRTC. The library has 100 MB, so it is located and identified without loading it: folders
** are searched for its file, whose path, size and time go into cache keys. The loader's own search
** is the last resort. */
#include "runtime/cuda/nvrtc.h"
#include "runtime/cuda/driver.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Sets library_path to `name` in the last folder that `pattern` matches, which is the newest. */
static bool search_pattern(const char *pattern, const char *name)
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
                snprintf(library_path, sizeof library_path, "%s", found.gl_pathv[i]) <
                    (int)sizeof library_path;
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
            if (search_pattern(folder, name))
                return true;
        }
    }
    return false;
}

/* Searches the folders of Python's wheels under a prefix. */
static bool search_wheels(const char *prefix, const char *name)
{
    static const char *const places[] = {
        "lib/python3*/site-packages/nvidia/cu13/lib",
        "lib/python3*/site-packages/nvidia/cuda_nvrtc/lib",
        "lib/python3*/dist-packages/nvidia/cu13/lib",
        "lib/python3*/dist-packages/nvidia/cuda_nvrtc/lib",
    };
    char pattern[CACHE_PATH_MAX];

    for (size_t i = 0; prefix && *prefix && i < ARRAY_COUNT(places); i++) {
        if (snprintf(pattern, sizeof pattern, "%s/%s", prefix, places[i]) < (int)sizeof pattern &&
            search_pattern(pattern, name))
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
    const char *home = getenv("HOME");
    char local[CACHE_PATH_MAX];

    if (search_list(getenv("LD_LIBRARY_PATH"), name))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++) {
        if (search_pattern(folders[i], name))
            return true;
    }
    snprintf(local, sizeof local, "%s/.local", home ? home : "");
    return search_wheels(getenv("VIRTUAL_ENV"), name) ||
           search_wheels(getenv("CONDA_PREFIX"), name) ||
           search_pattern(getenv("CONDA_PREFIX") ? getenv("CONDA_PREFIX") : "/nowhere", name) ||
           (home && search_wheels(local, name)) || search_wheels("/usr/local", name) ||
           search_wheels("/usr", name) || (home && search_wheels(home, name));
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
