/* Keeping the cache within its limit, with several writers that may be killed at any time.
**
** One lock serialises all writers. It is a lock of an open file, which the system releases when its
** holder dies; so abandoned files are recognised without clocks or process ids: while the lock is
** held, no temporary file belongs to another live writer. */
#include "runtime/cache/room.h"
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600, WAIT_MS = 2000, NAP_MS_MAX = 16 };
/* This part of the limit may be written between two listings of the files. */
enum { UNLISTED = 32 };

/* ---- the lock ------------------------------------------------------------------------- */

/* The lock file, which is never removed: another process could lock a new file of that name. */
static int open_lock(const Cache *cache)
{
    int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int lock = openat(cache->folder, "lock", flags, 0600);
    struct stat info;

    if (lock >= 0 && fstat(lock, &info) == 0 && S_ISREG(info.st_mode))
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

/* What the lock file holds: what fits without listing thousands of files for each that is written.
** It holds nothing while a writer has the lock: where one is killed, the next lists them all, and
** finds what that one left. */
typedef struct Spare {
    char magic[8];
    uint64_t limit, bytes;
} Spare;

static const char spare_magic[8] = "KJITroom";

static void take_spare(const Cache *cache, CacheRoom *room)
{
    Spare spare;
    ssize_t got = pread(room->lock, &spare, sizeof spare, 0);
    bool whole = got == sizeof spare && memcmp(spare.magic, spare_magic, sizeof spare_magic) == 0;

    room->counts = got == 0 || (whole && ftruncate(room->lock, 0) == 0);
    if (whole && room->counts && spare.limit == cache->limit &&
        spare.bytes <= cache->limit / UNLISTED)
        room->spare = spare.bytes;
}

static void give_spare(const Cache *cache, const CacheRoom *room)
{
    Spare spare = { .limit = cache->limit, .bytes = room->spare };

    memcpy(spare.magic, spare_magic, sizeof spare_magic);
    if (room->counts && room->spare && pwrite(room->lock, &spare, sizeof spare, 0) < 0)
        return; /* the next lists the files */
}

bool cache_lock(const Cache *cache, CacheRoom *room)
{
    double begin = clock_ms();

    *room = (CacheRoom){ .lock = open_lock(cache) };
    for (long nap = 1; room->lock >= 0; nap = nap < NAP_MS_MAX ? 2 * nap : nap) {
        if (flock(room->lock, LOCK_EX | LOCK_NB) == 0) {
            room->alone = true;
            take_spare(cache, room);
            return true;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; /* the file system has no locks */
        if (clock_ms() - begin > WAIT_MS) {
            close(room->lock);
            return false;
        }
        nanosleep(&(struct timespec){ .tv_nsec = nap * 1000000 }, NULL);
    }
    return true;
}

void cache_unlock(const Cache *cache, CacheRoom *room)
{
    if (room->lock < 0)
        return;
    give_spare(cache, room);
    /* Explicitly, since a child forked meanwhile shares the open file. */
    flock(room->lock, LOCK_UN);
    close(room->lock);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Whether a file of this name is an entry. */
static bool cache_is_entry(const char *name)
{
    return strlen(name) == CACHE_KEY_LENGTH + strlen(CACHE_SUFFIX) &&
           strspn(name, "0123456789abcdef") == CACHE_KEY_LENGTH &&
           strcmp(name + CACHE_KEY_LENGTH, CACHE_SUFFIX) == 0;
}

static bool push_entry(CacheFiles *files, const char *name, const struct stat *info)
{
    if (!memory_more(files->list, files->count, files->capacity))
        return false;
    CacheFile *file = &files->list[files->count++];
    snprintf(file->name, sizeof file->name, "%.63s", name);
    file->bytes = (uint64_t)info->st_size;
    file->used = info->st_mtim.tv_sec;
    file->future = file->used > time(NULL) + HOUR; /* clocks of file servers differ a little */
    files->bytes += file->bytes;
    return true;
}

/* Removes an abandoned temporary file. False if it is not removed. */
static bool remove_dead(const Cache *cache, bool alone, const char *name, const struct stat *info)
{
    int64_t age = time(NULL) - info->st_mtim.tv_sec;

    return (alone || age > HOUR || age < -HOUR) && unlinkat(cache->folder, name, 0) == 0;
}

/* Handles a name in the folder; false without memory. */
static bool list_name(const Cache *cache, bool alone, const char *name, CacheFiles *files)
{
    struct stat info;
    bool temporary = strncmp(name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY)) == 0;

    if ((!temporary && !cache_is_entry(name)) ||
        fstatat(cache->folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    if (temporary && S_ISDIR(info.st_mode)) {
        scratch_sweep(cache->folder, name);
        files->bytes += folder_bytes(cache->folder, name);
        return true;
    }
    if (temporary && !remove_dead(cache, alone, name, &info))
        files->bytes += (uint64_t)info.st_size;
    return temporary || S_ISDIR(info.st_mode) || push_entry(files, name, &info);
}

static int oldest_first(const void *a, const void *b)
{
    const CacheFile *x = a, *y = b;

    if (x->future != y->future)
        return x->future ? -1 : 1;
    return x->used != y->used ? (x->used < y->used ? -1 : 1) : strcmp(x->name, y->name);
}

bool cache_list_files(const Cache *cache, bool alone, CacheFiles *files)
{
    int again = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    bool complete = folder != NULL;
    struct dirent *found;

    *files = (CacheFiles){ 0 };
    if (!folder && again >= 0)
        close(again);
    while (folder && (found = readdir(folder)))
        complete = list_name(cache, alone, found->d_name, files) && complete;
    if (folder)
        closedir(folder);
    if (files->count)
        qsort(files->list, files->count, sizeof *files->list, oldest_first);
    return complete;
}

/* ---- eviction ------------------------------------------------------------------------- */

bool cache_evict(const Cache *cache, CacheRoom *room, uint64_t wanted)
{
    CacheFiles files;

    if (wanted > cache->limit)
        return false;
    if (wanted <= room->spare) {
        room->spare -= wanted;
        return true;
    }
    room->spare = 0;
    bool complete = cache_list_files(cache, room->alone, &files);
    uint64_t goal = cache->limit;
    /* Evicts a tenth more than needed, so that not every write evicts. */
    if (files.bytes + wanted > goal)
        goal -= goal / 10;
    for (size_t i = 0; i < files.count && files.bytes + wanted > goal; i++) {
        const CacheFile *file = &files.list[i];
        if (unlinkat(cache->folder, file->name, 0) == 0 || errno == ENOENT)
            files.bytes -= file->bytes;
    }
    memory_free(files.list);
    if (!complete || files.bytes + wanted > cache->limit)
        return false;
    uint64_t left = cache->limit - files.bytes - wanted;
    room->spare = left < cache->limit / UNLISTED ? left : cache->limit / UNLISTED;
    return true;
}
