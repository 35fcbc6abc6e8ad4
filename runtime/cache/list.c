/* Listing and clearing the cache. */
#include "runtime/cache/room.h"
#include "runtime/runtime.h"

#include <errno.h>
#include <unistd.h>

static kjit_status open_usable(Cache *cache)
{
    KJIT_TRY(cache_open(cache, false));
    if (cache->folder >= 0)
        return KJIT_OK;
    return error_set(KJIT_FILE, "error: the cache %s%scannot be used: %s", cache->directory,
                     *cache->directory ? " " : "", cache->problem);
}

kjit_status kjit_cache_list(void (*each)(void *context, const kjit_cache_entry *entry),
                            void *context)
{
    Cache cache;
    CacheFiles files;

    KJIT_TRY(open_usable(&cache));
    bool complete = cache_list_files(&cache, false, &files);
    for (size_t i = files.count; i-- > 0;)
        cache_show(&cache, &files.list[i], each, context);
    memory_free(files.list);
    cache_close(&cache);
    return complete ? KJIT_OK : error_memory();
}

/* Removes the entries, and counts them; false if one cannot be removed. */
static bool remove_entries(const Cache *cache, const CacheFiles *files, size_t *removed)
{
    bool all = true;

    for (size_t i = 0; i < files->count; i++) {
        bool gone = unlinkat(cache->folder, files->list[i].name, 0) == 0;
        *removed += gone;
        /* Another process may have removed it. */
        all = all && (gone || errno == ENOENT);
    }
    return all;
}

kjit_status kjit_cache_clear(size_t *removed)
{
    Cache cache;
    CacheFiles files;
    CacheRoom room = { .lock = -1 };
    size_t count = 0;

    if (removed)
        *removed = 0;
    KJIT_TRY(open_usable(&cache));
    bool locked = cache.writable && cache_lock(&cache, &room);
    bool complete = cache_list_files(&cache, room.alone, &files);
    bool all = remove_entries(&cache, &files, &count);
    if (locked)
        cache_unlock(&cache, &room);
    if (removed)
        *removed = count;
    memory_free(files.list);
    cache_close(&cache);
    if (!complete)
        return error_memory();
    return all ? KJIT_OK
               : error_set(KJIT_FILE, "error: the cache %s cannot be written",
                           kjit_cache_directory());
}
