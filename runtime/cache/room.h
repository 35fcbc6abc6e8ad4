/* What the cache's own files say to one another: which files there are, and room for one more. */
#ifndef KJIT_CACHE_ROOM_H
#define KJIT_CACHE_ROOM_H

#include "runtime/cache.h"

enum { CACHE_NAME_MAX = 64, CACHE_KEY_LENGTH = 32 };

#define CACHE_SUFFIX ".bin"
#define CACHE_TEMPORARY                                                                            \
    "tmp-" /* what names begin with, of files and folders, until they are done */

/* Whether a file of this name is an entry. */
bool cache_is_entry(const char *name);

typedef struct CacheFile {
    char name[CACHE_NAME_MAX];
    uint64_t bytes;
    int64_t used; /* seconds since 1970 */
    bool future;  /* that is still to come: the clock was wrong then, or is now */
} CacheFile;

typedef struct CacheFiles {
    CacheFile *list; /* to be memory_free()d */
    size_t count, capacity;
    uint64_t bytes; /* of entries, and of temporary files that stay */
} CacheFiles;

/* Lists the entries, what was longest not used first. Temporary files of which it is certain that
** nobody writes them any more are removed on the way: with `alone`, which is to hold the lock, all,
** else those of another hour. False if some could not be listed. */
bool cache_list_files(const Cache *cache, bool alone, CacheFiles *files);

/* The right to write into the folder. */
typedef struct CacheRoom {
    int lock;
    bool alone; /* nobody else has it; false on file systems without locks */
} CacheRoom;

/* Waits for the right, a few seconds at most. False: another process keeps it. */
bool cache_lock(const Cache *cache, CacheRoom *room);
void cache_unlock(CacheRoom *room);
/* Makes room for so many bytes; false if that would pass the bound. The lock is held. */
bool cache_evict(const Cache *cache, const CacheRoom *room, uint64_t wanted);

/* ---- folder.c ------------------------------------------------------------------------- */

/* Makes a folder and those above it, but for what the first `given` bytes name. 0, or why the last
** cannot be made. */
int cache_make_folders(const char *path, size_t given);
/* The bytes that a text says: digits, perhaps with a point among them, and perhaps a unit. */
bool cache_read_size(const char *text, uint64_t *bytes);

/* ---- cache.c -------------------------------------------------------------------------- */

/* Tells the caller of an entry, if it is sound. */
void cache_show(const Cache *cache, const CacheFile *file,
                void (*each)(void *, const kjit_cache_entry *), void *context);

#endif
