/* The cache's folder and size limit, from the environment; the contract is in cache.h. */
#include "runtime/cache/room.h"
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SHIFT = 30 }; /* 1 GiB */

/* The folder by the environment. Returns NULL, or the problem. Folders after the first `*given`
** bytes of the name may be created. */
static const char *folder_name(char *out, size_t size, size_t *given)
{
    const char *own = getenv("KJIT_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length = -1;

    *out = '\0';
    *given = 0;
    if (own && *own)
        length = snprintf(out, size, "%s", own);
    else if (cache && *cache == '/')
        length = snprintf(out, size, "%s/kjit", cache);
    else if (home && *home == '/') {
        length = snprintf(out, size, "%s/.cache/kjit", home);
        *given = strlen(home); /* it may be mounted later */
    }
    if (length < 0)
        return "no folder: set KJIT_CACHE, XDG_CACHE_HOME or HOME";
    if ((size_t)length + CACHE_NAME_MAX + 1 <= size)
        return NULL;
    *out = '\0';
    return own && *own ? "the path in KJIT_CACHE is too long"
                       : "the path of the home folder is too long: set KJIT_CACHE";
}

const char *kjit_cache_directory(void)
{
    static _Thread_local char directory[CACHE_PATH_MAX];
    size_t given;

    folder_name(directory, sizeof directory, &given);
    return directory;
}

/* ---- the limit ------------------------------------------------------------------------ */

/* The unit after a number, as a power of 2; -1 if it is unknown. */
static int unit_shift(const char *unit)
{
    static const char letters[] = "KMGT";
    const char *at = *unit ? strchr(letters, *unit & ~0x20) : NULL;

    if (!*unit)
        return 0;
    return at && *at && !unit[1] ? 10 * (int)(at - letters + 1) : -1;
}

bool cache_read_size(const char *text, uint64_t *bytes)
{
    size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
    size_t parts = point ? strspn(text + whole + 1, "0123456789") : 0;
    int shift = unit_shift(text + whole + point + parts);
    double value = 0, place = 1;

    /* Not by strtod(), which depends on the locale. */
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (text[i] - '0');
    for (size_t i = 0; i < parts; i++)
        value += (text[whole + 1 + i] - '0') * (place /= 10);
    value *= shift > 0 ? (double)(1ull << shift) : 1;
    if (!whole || shift < 0 || value >= 0x1p63)
        return false;
    *bytes = (uint64_t)value;
    return true;
}

static kjit_status read_limit(Cache *cache)
{
    const char *text = getenv("KJIT_CACHE_SIZE");

    cache->limit = 1ull << DEFAULT_SHIFT;
    if (!text || !*text || cache_read_size(text, &cache->limit))
        return KJIT_OK;
    snprintf(cache->problem, sizeof cache->problem, "KJIT_CACHE_SIZE is '%.40s', which is no size",
             text);
    return error_set(KJIT_ARGUMENT,
                     "error: %s\nnote: set KJIT_CACHE_SIZE to so many bytes, with K, M, G or T "
                     "behind them if need be (500M, 1.5G), to 0 for no cache, or unset it for 1G",
                     cache->problem);
}

/* ---- the folder ----------------------------------------------------------------------- */

int cache_make_folders(const char *path, size_t given)
{
    char part[CACHE_PATH_MAX];

    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + given + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

/* Opens the folder if it belongs to this user and no other may write to it. `made` is the result
** of cache_make_folders(). */
static int open_folder(Cache *cache, int made)
{
    struct stat info;
    int folder = open(cache->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder < 0) {
        int reason = made ? made : errno;
        bool link = lstat(cache->directory, &info) == 0 && S_ISLNK(info.st_mode);
        snprintf(cache->problem, sizeof cache->problem, "%s",
                 link ? "the folder is a symbolic link" : strerror(reason));
        return -1;
    }
    if (fstat(folder, &info) != 0 || info.st_uid != geteuid())
        snprintf(cache->problem, sizeof cache->problem, "the folder belongs to another user");
    else if ((info.st_mode & 077) != 0 && fchmod(folder, 0700) != 0)
        snprintf(cache->problem, sizeof cache->problem, "others may write to the folder");
    if (!cache->problem[0])
        return folder;
    close(folder);
    return -1;
}

/* Makes the path independent of the working directory. */
static void make_absolute(char directory[CACHE_PATH_MAX])
{
    char real[PATH_MAX];

    if (realpath(directory, real) && strlen(real) + CACHE_NAME_MAX + 1 < CACHE_PATH_MAX)
        strcpy(directory, real);
}

kjit_status cache_open(Cache *cache, bool disabled)
{
    *cache = (Cache){ .folder = -1 };
    size_t given;
    const char *problem = folder_name(cache->directory, sizeof cache->directory, &given);

    if (!disabled)
        KJIT_TRY(read_limit(cache));
    if (disabled)
        problem = "switched off";
    else if (!problem && cache->limit == 0)
        problem = "KJIT_CACHE_SIZE is 0";
    if (problem) {
        snprintf(cache->problem, sizeof cache->problem, "%s", problem);
        return KJIT_OK;
    }
    cache->folder = open_folder(cache, cache_make_folders(cache->directory, given));
    if (cache->folder >= 0 && *cache->directory != '/')
        make_absolute(cache->directory);
    cache->writable = cache->folder >= 0 && faccessat(cache->folder, ".", W_OK, AT_EACCESS) == 0;
    if (cache->folder >= 0 && !cache->writable)
        snprintf(cache->problem, sizeof cache->problem, "the folder cannot be written");
    return KJIT_OK;
}

void cache_close(Cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
}
