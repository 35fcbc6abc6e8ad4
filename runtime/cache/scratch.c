/* Temporary folders for files of other programs, which are removed even if kjit is killed.
**
** A process holds a lock on its folder; the system releases it when the process ends, however it
** ends. So a folder that can be locked is abandoned. */
#include "runtime/cache/room.h"
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 8, FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* Removes the contents of a folder, recursively. */
static void empty(int folder)
{
    int again = openat(folder, ".", FOLDER_FLAGS);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;
    struct dirent *found;

    if (!listing && again >= 0)
        close(again);
    while (listing && (found = readdir(listing))) {
        bool self = strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0;
        if (self || unlinkat(folder, found->d_name, 0) == 0)
            continue;
        int inner = openat(folder, found->d_name, FOLDER_FLAGS);
        if (inner < 0)
            continue;
        empty(inner);
        close(inner);
        unlinkat(folder, found->d_name, AT_REMOVEDIR);
    }
    if (listing)
        closedir(listing);
}

void scratch_sweep(int above, const char *name)
{
    struct stat info;
    int folder = openat(above, name, FOLDER_FLAGS);

    if (folder < 0)
        return;
    if (fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
        flock(folder, LOCK_EX | LOCK_NB) == 0) {
        empty(folder);
        unlinkat(above, name, AT_REMOVEDIR);
        flock(folder, LOCK_UN);
    }
    close(folder);
}

/* Removes abandoned folders. */
static void sweep_all(const char *above)
{
    DIR *listing = opendir(above);
    struct dirent *found;

    while (listing && (found = readdir(listing))) {
        if (strncmp(found->d_name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY)) == 0)
            scratch_sweep(dirfd(listing), found->d_name);
    }
    if (listing)
        closedir(listing);
}

/* Locks a new folder. False if another process's sweep has locked it before. */
static bool lock_folder(Scratch *scratch)
{
    struct stat mine, named;

    scratch->lock = open(scratch->folder, FOLDER_FLAGS);
    if (scratch->lock < 0)
        return false;
    if (flock(scratch->lock, LOCK_EX | LOCK_NB) == 0) {
        if (fstat(scratch->lock, &mine) == 0 && stat(scratch->folder, &named) == 0 &&
            mine.st_ino == named.st_ino)
            return true;
    } else if (errno != EWOULDBLOCK) {
        close(scratch->lock); /* the file system has no locks, so no process can lock it */
        scratch->lock = -1;
        return true;
    }
    close(scratch->lock);
    return false;
}

/* Creates a folder below `above`, with a name that is unique in the process: the loader identifies
** libraries by their paths. */
static bool make_in(Scratch *scratch, const char *above)
{
    static atomic_uint serial;

    for (int i = 0; i < TRIES; i++) {
        int length = snprintf(scratch->folder, sizeof scratch->folder, "%s/%s%d-%x-XXXXXX", above,
                              CACHE_TEMPORARY, (int)getpid(), atomic_fetch_add(&serial, 1));
        if (length + CACHE_NAME_MAX >= (int)sizeof scratch->folder || !mkdtemp(scratch->folder))
            break;
        if (lock_folder(scratch))
            return true;
    }
    scratch->folder[0] = '\0';
    return false;
}

/* The user's own folder under TMPDIR; false if it belongs to another user. */
static bool own_folder(const char *base, char path[CACHE_PATH_MAX])
{
    struct stat info;

    snprintf(path, CACHE_PATH_MAX, "%.*s/kjit-%u", CACHE_PATH_MAX - CACHE_NAME_MAX, base,
             (unsigned)geteuid());
    mkdir(path, 0700);
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

bool scratch_open(Scratch *scratch, const char *above)
{
    const char *base = getenv("TMPDIR");
    char own[CACHE_PATH_MAX];

    *scratch = (Scratch){ .lock = -1 };
    if (!above) {
        base = base && *base ? base : "/tmp";
        above = own_folder(base, own) ? own : base;
    }
    if (above != base)
        sweep_all(above);
    return make_in(scratch, above);
}

void scratch_path(const Scratch *scratch, const char *name, char path[CACHE_PATH_MAX])
{
    snprintf(path, CACHE_PATH_MAX, "%.*s/%s", CACHE_PATH_MAX - CACHE_NAME_MAX, scratch->folder,
             name);
}

void scratch_close(Scratch *scratch)
{
    int folder = scratch->folder[0] ? open(scratch->folder, FOLDER_FLAGS) : -1;

    if (folder >= 0) {
        empty(folder);
        close(folder);
        rmdir(scratch->folder);
    }
    if (scratch->lock >= 0) {
        flock(scratch->lock, LOCK_UN);
        close(scratch->lock);
    }
    *scratch = (Scratch){ .lock = -1 };
}
