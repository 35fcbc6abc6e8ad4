/* What the cache's files share: listing entries, locking, eviction. */
#pragma once

#include "runtime/cache.h"

enum { CACHE_NAME_MAX = 64, CACHE_KEY_LENGTH = 32 };

#define CACHE_SUFFIX    ".bin"
#define CACHE_TEMPORARY "tmp-" /* prefix of files and folders that are not complete */

typedef struct CacheFile {
    char name[CACHE_NAME_MAX];
    uint64_t bytes;
    int64_t used; /* seconds since 1970 */
    bool future;  /* `used` is in the future: the clock was wrong then, or is now */
} CacheFile;

typedef struct CacheFiles {
    CacheFile *list; /* to be memory_free()d */
    size_t count, capacity;
    uint64_t bytes; /* of entries, and of temporary files that are in use */
} CacheFiles;

/* Lists the entries, least recently used first, and removes abandoned temporary files: with
** `alone`, when the lock is held, all of them, else those older than an hour. False if some could
** not be listed. */
bool cache_list_files(const Cache *cache, bool alone, CacheFiles *files);

/* The lock for writing to the folder. */
typedef struct CacheRoom {
    int lock;
    bool alone;     /* the lock is held; false on file systems without locks */
    bool counts;    /* the lock file may hold what is spare */
    uint64_t spare; /* bytes that fit without listing the files first */
} CacheRoom;

/* Waits for the lock, a few seconds at most. False: another process holds it. */
bool cache_lock(const Cache *cache, CacheRoom *room);
void cache_unlock(const Cache *cache, CacheRoom *room);
/* Evicts entries until `wanted` bytes fit; false if they exceed the limit. The lock is held. */
bool cache_evict(const Cache *cache, CacheRoom *room, uint64_t wanted);

/* ---- folder.c ------------------------------------------------------------------------- */

/* Creates a folder and its parents, except those within the first `given` bytes. 0, or the errno of
** the last. */
int cache_make_folders(const char *path, size_t given);
/* Parses a size: digits, optionally with a decimal point and a unit. */
bool cache_read_size(const char *text, uint64_t *bytes);

/* ---- cache.c -------------------------------------------------------------------------- */

/* Passes an entry to the callback, if it is intact. */
void cache_show(const Cache *cache, const CacheFile *file,
                void (*each)(void *, const kjit_cache_entry *), void *context);
