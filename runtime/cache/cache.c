/* Entries of the disk cache; the contract is in cache.h. */
#include "runtime/cache.h"
#include "runtime/cache/room.h"
#include "runtime/runtime.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static const char MAGIC[8] = "kjit-02";

/* The end of an entry. */
typedef struct Trailer {
    uint64_t payload_length;
    uint32_t call_length, target_length;
    uint64_t checksum[2]; /* of the key, and of everything before this field */
    char magic[8];
} Trailer;

static void entry_name(const CacheKey *key, char name[CACHE_NAME_MAX])
{
    snprintf(name, CACHE_NAME_MAX, "%s%s", key->name, CACHE_SUFFIX);
}

static void entry_path(const Cache *cache, const char *name, char path[CACHE_PATH_MAX])
{
    snprintf(path, CACHE_PATH_MAX, "%.*s/%s", CACHE_PATH_MAX - CACHE_NAME_MAX - 2, cache->directory,
             name);
}

/* ---- reading -------------------------------------------------------------------------- */

/* Whether a file of this size ends like an entry. Checked before the rest is read, since a foreign
** file may be of any size. */
static bool read_trailer(int fd, uint64_t size, Trailer *trailer)
{
    if (size < sizeof *trailer ||
        pread(fd, trailer, sizeof *trailer, (off_t)(size - sizeof *trailer)) != sizeof *trailer ||
        memcmp(trailer->magic, MAGIC, sizeof MAGIC) != 0)
        return false;
    uint64_t said = trailer->call_length + (uint64_t)trailer->target_length + sizeof *trailer;
    return said <= size && trailer->payload_length == size - said;
}

/* Whether the contents match the checksum and the name, which begins with the key. */
static bool entry_sound(const char *bytes, size_t length, const char *name, const Trailer *trailer)
{
    size_t covered = length - sizeof *trailer + offsetof(Trailer, checksum);
    XXH3_state_t hash;

    XXH3_128bits_reset(&hash);
    XXH3_128bits_update(&hash, name, CACHE_KEY_LENGTH);
    XXH3_128bits_update(&hash, bytes, covered);
    XXH128_hash_t digest = XXH3_128bits_digest(&hash);
    return digest.low64 == trailer->checksum[0] && digest.high64 == trailer->checksum[1];
}

/* Reads an entry, if it is a regular file of this user's and intact. Else NULL; `*damaged` if it is
** useless to every process. */
static char *read_entry(int fd, const char *name, Trailer *trailer, bool *damaged)
{
    struct stat info;
    size_t length;

    *damaged = false;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid())
        return NULL;
    *damaged = !read_trailer(fd, (uint64_t)info.st_size, trailer);
    char *bytes = *damaged ? NULL : read_all(fd, &length);
    if (!bytes)
        return NULL;
    if (length == (size_t)info.st_size && entry_sound(bytes, length, name, trailer))
        return bytes;
    *damaged = true;
    memory_free(bytes);
    return NULL;
}

static int open_entry(const Cache *cache, const char *name)
{
    return openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

char *cache_read(Cache *cache, const CacheKey *key, size_t *length, char path[CACHE_PATH_MAX])
{
    char name[CACHE_NAME_MAX];
    Trailer trailer;
    bool damaged;

    if (cache->folder < 0)
        return NULL;
    entry_name(key, name);
    int fd = open_entry(cache, name);
    char *bytes = read_entry(fd, name, &trailer, &damaged);
    if (bytes) {
        const struct timespec now[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_NOW } };
        futimens(fd, now);
        *length = (size_t)trailer.payload_length;
        bytes[*length] = '\0';
        if (path)
            entry_path(cache, name, path);
    }
    if (damaged)
        unlinkat(cache->folder, name, 0);
    if (fd >= 0)
        close(fd);
    return bytes;
}

void cache_show(const Cache *cache, const CacheFile *file,
                void (*each)(void *, const kjit_cache_entry *), void *context)
{
    Trailer trailer;
    bool damaged;
    int fd = open_entry(cache, file->name);
    char *bytes = read_entry(fd, file->name, &trailer, &damaged);

    if (bytes) {
        /* The texts are adjacent; each is terminated by overwriting the first byte after it. */
        char *call = bytes + trailer.payload_length, *target = call + trailer.call_length;
        memmove(target + 1, target, trailer.target_length);
        target[0] = target[1 + trailer.target_length] = '\0';
        each(context, &(kjit_cache_entry){ .file = file->name,
                                           .kernel = call,
                                           .target = target + 1,
                                           .bytes = file->bytes,
                                           .used = file->used });
    }
    memory_free(bytes);
    if (fd >= 0)
        close(fd);
}

/* ---- writing -------------------------------------------------------------------------- */

/* An entry that is being written. */
typedef struct EntryDraft {
    const char *name, *call, *target;
    const void *payload;
    Trailer trailer;
} EntryDraft;

static uint64_t draft_bytes(const EntryDraft *draft)
{
    const Trailer *trailer = &draft->trailer;

    return trailer->payload_length + trailer->call_length + trailer->target_length +
           sizeof *trailer;
}

static void seal(EntryDraft *draft)
{
    Trailer *trailer = &draft->trailer;
    XXH3_state_t hash;

    memcpy(trailer->magic, MAGIC, sizeof MAGIC);
    XXH3_128bits_reset(&hash);
    XXH3_128bits_update(&hash, draft->name, CACHE_KEY_LENGTH);
    XXH3_128bits_update(&hash, draft->payload, trailer->payload_length);
    XXH3_128bits_update(&hash, draft->call, trailer->call_length);
    XXH3_128bits_update(&hash, draft->target, trailer->target_length);
    XXH3_128bits_update(&hash, trailer, offsetof(Trailer, checksum));
    XXH128_hash_t digest = XXH3_128bits_digest(&hash);
    trailer->checksum[0] = digest.low64;
    trailer->checksum[1] = digest.high64;
}

static bool write_parts(int fd, const EntryDraft *draft)
{
    const Trailer *trailer = &draft->trailer;

    return write_all(fd, draft->payload, trailer->payload_length) &&
           write_all(fd, draft->call, trailer->call_length) &&
           write_all(fd, draft->target, trailer->target_length) &&
           write_all(fd, trailer, sizeof *trailer);
}

/* Writes the entry to a temporary file and renames it. */
static bool write_draft(const Cache *cache, const EntryDraft *draft)
{
    static atomic_uint serial;
    char temporary[CACHE_NAME_MAX];

    snprintf(temporary, sizeof temporary, "%s%d-%x-%lx", CACHE_TEMPORARY, (int)getpid(),
             atomic_fetch_add(&serial, 1), (unsigned long)(clock_ms() * 1e6));
    int fd = openat(cache->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool written = write_parts(fd, draft);
    written = close(fd) == 0 && written;
    if (written && renameat(cache->folder, temporary, cache->folder, draft->name) == 0)
        return true;
    unlinkat(cache->folder, temporary, 0);
    return false;
}

bool cache_write(Cache *cache, const CacheKey *key, const void *payload, size_t length,
                 const char *call, const char *target, char path[CACHE_PATH_MAX])
{
    char name[CACHE_NAME_MAX];
    EntryDraft draft = { .name = name,
                         .call = call,
                         .target = target,
                         .payload = payload,
                         .trailer = { .payload_length = length,
                                      .call_length = (uint32_t)strlen(call),
                                      .target_length = (uint32_t)strlen(target) } };
    CacheRoom room;

    if (!cache->writable || !key->name[0] || !cache_lock(cache, &room))
        return false;
    entry_name(key, name);
    seal(&draft);
    bool written = cache_evict(cache, &room, draft_bytes(&draft)) && write_draft(cache, &draft);
    cache_unlock(cache, &room);
    if (written && path)
        entry_path(cache, name, path);
    return written;
}
