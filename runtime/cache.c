/* The disk cache; cache.h states what it promises. */
#include "runtime/cache.h"
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static const char SUFFIX[] = ".bin", TEMPORARY[] = "tmp-";
static const char MAGIC[8] = "kjit-01";

enum { STALE_SECONDS = 3600, KEY_LENGTH = 32, NAME_MAX_LENGTH = 64 };

/* What an entry ends with. */
typedef struct Trailer {
    uint64_t payload_length;
    uint32_t call_length, target_length;
    uint64_t checksum[2]; /* of everything before this field */
    char magic[8];
} Trailer;

/* ---- the folder ------------------------------------------------------------------------ */

/* The folder the environment names; false if it names none. */
static bool folder_name(char *out, size_t size)
{
    const char *own = getenv("KJIT_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length = -1;

    if (own && *own)
        length = snprintf(out, size, "%s", own);
    else if (cache && *cache == '/')
        length = snprintf(out, size, "%s/kjit", cache);
    else if (home && *home == '/')
        length = snprintf(out, size, "%s/.cache/kjit", home);
    if (length < 0 || (size_t)length + NAME_MAX_LENGTH + 1 > size) {
        *out = '\0';
        return false;
    }
    return true;
}

static void path_in(const char *directory, const char *name, char path[CACHE_PATH_MAX])
{
    snprintf(path, CACHE_PATH_MAX, "%.*s/%.*s", CACHE_PATH_MAX - NAME_MAX_LENGTH - 2, directory,
             NAME_MAX_LENGTH - 1, name);
}

/* Makes a folder and those above it. */
static void make_folders(const char *path)
{
    char part[CACHE_PATH_MAX];

    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
    mkdir(part, 0700);
}

static uint64_t size_limit(void)
{
    const char *text = getenv("KJIT_CACHE_SIZE");
    char *end = NULL;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;

    if (!text || end == text)
        return 1ull << 30;
    switch (*end) {
    case 'k':
    case 'K':
        return value << 10;
    case 'm':
    case 'M':
        return value << 20;
    case 'g':
    case 'G':
        return value << 30;
    }
    return value;
}

/* Opens the folder if it is one that only its owner, this user, can touch. */
static int open_folder(Cache *cache)
{
    struct stat info;
    int folder = open(cache->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder < 0) {
        bool link = lstat(cache->directory, &info) == 0 && S_ISLNK(info.st_mode);
        snprintf(cache->problem, sizeof cache->problem, "%s",
                 link ? "the folder is a symbolic link" : strerror(errno));
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

/* So that the path still leads there when the process goes to another folder. */
static void make_absolute(char directory[CACHE_PATH_MAX])
{
    char real[PATH_MAX];

    if (realpath(directory, real) && strlen(real) + NAME_MAX_LENGTH + 1 < CACHE_PATH_MAX)
        strcpy(directory, real);
}

void cache_open(Cache *cache, bool disabled)
{
    *cache = (Cache){ .folder = -1, .limit = size_limit() };
    if (!folder_name(cache->directory, sizeof cache->directory)) {
        snprintf(cache->problem, sizeof cache->problem,
                 "no folder: set KJIT_CACHE, XDG_CACHE_HOME or HOME");
        return;
    }
    if (disabled) {
        snprintf(cache->problem, sizeof cache->problem, "switched off");
        return;
    }
    if (cache->limit == 0) {
        snprintf(cache->problem, sizeof cache->problem, "KJIT_CACHE_SIZE is 0");
        return;
    }
    make_folders(cache->directory);
    cache->folder = open_folder(cache);
    if (cache->folder >= 0 && *cache->directory != '/')
        make_absolute(cache->directory);
    cache->writable = cache->folder >= 0 && faccessat(cache->folder, ".", W_OK, AT_EACCESS) == 0;
    if (cache->folder >= 0 && !cache->writable)
        snprintf(cache->problem, sizeof cache->problem, "the folder cannot be written");
}

void cache_close(Cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
}

const char *kjit_cache_directory(void)
{
    static _Thread_local char directory[CACHE_PATH_MAX];

    folder_name(directory, sizeof directory);
    return directory;
}

/* ---- entries -------------------------------------------------------------------------- */

static void entry_name(const CacheKey *key, char name[NAME_MAX_LENGTH])
{
    snprintf(name, NAME_MAX_LENGTH, "%s%s", key->name, SUFFIX);
}

static bool is_entry(const char *name)
{
    return strlen(name) == KEY_LENGTH + sizeof SUFFIX - 1 &&
           strspn(name, "0123456789abcdef") == KEY_LENGTH && strcmp(name + KEY_LENGTH, SUFFIX) == 0;
}

/* Whether an entry's bytes are what was written; gives its trailer. */
static bool entry_sound(const char *bytes, size_t length, Trailer *trailer)
{
    if (length < sizeof *trailer)
        return false;
    memcpy(trailer, bytes + length - sizeof *trailer, sizeof *trailer);
    if (memcmp(trailer->magic, MAGIC, sizeof MAGIC) != 0)
        return false;
    uint64_t said = trailer->call_length + (uint64_t)trailer->target_length + sizeof *trailer;
    if (said > length || trailer->payload_length != length - said)
        return false;
    size_t covered = length - sizeof *trailer + offsetof(Trailer, checksum);
    XXH128_hash_t digest = XXH3_128bits(bytes, covered);
    return digest.low64 == trailer->checksum[0] && digest.high64 == trailer->checksum[1];
}

/* The bytes of a file that is this user's own and no pipe in disguise; NULL if there is none. */
static char *read_own(int fd, size_t *length)
{
    struct stat info;
    bool own =
        fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid();

    return own ? read_all(fd, length) : NULL;
}

static int open_entry(const Cache *cache, const char *name)
{
    return openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

char *cache_read(Cache *cache, const CacheKey *key, size_t *length, char path[CACHE_PATH_MAX])
{
    char name[NAME_MAX_LENGTH];
    Trailer trailer;
    size_t total;

    if (cache->folder < 0)
        return NULL;
    entry_name(key, name);
    int fd = open_entry(cache, name);
    if (fd < 0)
        return NULL;
    char *bytes = read_own(fd, &total);
    if (bytes && entry_sound(bytes, total, &trailer)) {
        const struct timespec now[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_NOW } };
        futimens(fd, now);
        *length = (size_t)trailer.payload_length;
        bytes[*length] = '\0';
        if (path)
            path_in(cache->directory, name, path);
    } else if (bytes) {
        unlinkat(cache->folder, name, 0);
        memory_free(bytes);
        bytes = NULL;
    }
    close(fd);
    return bytes;
}

/* ---- keeping within the bound ------------------------------------------------------------- */

typedef struct EntryFile {
    char name[NAME_MAX_LENGTH];
    uint64_t bytes;
    int64_t used;
} EntryFile;

typedef struct EntryFiles {
    EntryFile *list;
    size_t count, capacity;
    uint64_t bytes;
} EntryFiles;

static bool push_entry(EntryFiles *files, const char *name, const struct stat *info)
{
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        EntryFile *list = memory_resize(files->list, capacity * sizeof *list);
        if (!list)
            return false;
        files->list = list;
        files->capacity = capacity;
    }
    EntryFile *file = &files->list[files->count++];
    snprintf(file->name, sizeof file->name, "%.63s", name);
    file->bytes = (uint64_t)info->st_size;
    file->used = info->st_mtim.tv_sec;
    files->bytes += file->bytes;
    return true;
}

/* Lists the entries; temporary files that a killed process left are removed on the way. */
static bool list_entries(Cache *cache, EntryFiles *files)
{
    int again = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    bool complete = folder != NULL;
    struct dirent *found;
    struct stat info;

    if (!folder && again >= 0)
        close(again);
    while (folder && (found = readdir(folder))) {
        bool temporary = strncmp(found->d_name, TEMPORARY, sizeof TEMPORARY - 1) == 0;
        if ((!temporary && !is_entry(found->d_name)) ||
            fstatat(cache->folder, found->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (temporary && time(NULL) - info.st_mtim.tv_sec > STALE_SECONDS)
            unlinkat(cache->folder, found->d_name, 0);
        else if (!temporary && !push_entry(files, found->d_name, &info))
            complete = false;
    }
    if (folder)
        closedir(folder);
    return complete;
}

static int oldest_first(const void *a, const void *b)
{
    const EntryFile *x = a, *y = b;

    return x->used != y->used ? (x->used < y->used ? -1 : 1) : strcmp(x->name, y->name);
}

/* Makes room for `wanted` more bytes; false if the bound does not allow them at all. */
static bool evict(Cache *cache, uint64_t wanted)
{
    EntryFiles files = { 0 };

    if (wanted > cache->limit)
        return false;
    list_entries(cache, &files);
    if (files.bytes + wanted > cache->limit) {
        /* A tenth more than needed, so that not every write has to. */
        uint64_t goal = cache->limit - cache->limit / 10;
        qsort(files.list, files.count, sizeof *files.list, oldest_first);
        for (size_t i = 0; i < files.count && files.bytes + wanted > goal; i++) {
            unlinkat(cache->folder, files.list[i].name, 0);
            files.bytes -= files.list[i].bytes;
        }
    }
    memory_free(files.list);
    return true;
}

static void temporary_name(char *name, size_t size)
{
    static atomic_uint serial;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, size, "%s%d-%lx-%x", TEMPORARY, (int)getpid(),
             (unsigned long)now.tv_nsec ^ (unsigned long)now.tv_sec << 20,
             atomic_fetch_add(&serial, 1));
}

static bool write_entry(int fd, const void *payload, size_t length, const char *call,
                        const char *target)
{
    Trailer trailer = { .payload_length = length,
                        .call_length = (uint32_t)strlen(call),
                        .target_length = (uint32_t)strlen(target) };
    XXH3_state_t hash;

    memcpy(trailer.magic, MAGIC, sizeof MAGIC);
    XXH3_128bits_reset(&hash);
    XXH3_128bits_update(&hash, payload, length);
    XXH3_128bits_update(&hash, call, trailer.call_length);
    XXH3_128bits_update(&hash, target, trailer.target_length);
    XXH3_128bits_update(&hash, &trailer, offsetof(Trailer, checksum));
    XXH128_hash_t digest = XXH3_128bits_digest(&hash);
    trailer.checksum[0] = digest.low64;
    trailer.checksum[1] = digest.high64;
    return write_all(fd, payload, length) && write_all(fd, call, trailer.call_length) &&
           write_all(fd, target, trailer.target_length) && write_all(fd, &trailer, sizeof trailer);
}

bool cache_write(Cache *cache, const CacheKey *key, const void *payload, size_t length,
                 const char *call, const char *target, char path[CACHE_PATH_MAX])
{
    char name[NAME_MAX_LENGTH], temporary[NAME_MAX_LENGTH];

    if (!cache->writable || !key->name[0] ||
        !evict(cache, length + strlen(call) + strlen(target) + sizeof(Trailer)))
        return false;
    entry_name(key, name);
    temporary_name(temporary, sizeof temporary);
    int fd = openat(cache->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool written = write_entry(fd, payload, length, call, target);
    written = close(fd) == 0 && written;
    if (!written || renameat(cache->folder, temporary, cache->folder, name) != 0) {
        unlinkat(cache->folder, temporary, 0);
        return false;
    }
    if (path)
        path_in(cache->directory, name, path);
    return true;
}

/* ---- temporary files ------------------------------------------------------------------- */

bool cache_temporary(Cache *cache, char path[CACHE_PATH_MAX], char folder[CACHE_PATH_MAX])
{
    char name[NAME_MAX_LENGTH];
    const char *base = getenv("TMPDIR");

    temporary_name(name, sizeof name);
    folder[0] = '\0';
    if (cache && cache->writable) {
        path_in(cache->directory, name, path);
        return true;
    }
    path_in(base && *base ? base : "/tmp", "kjit-XXXXXX", folder);
    if (!mkdtemp(folder)) {
        folder[0] = '\0';
        return false;
    }
    path_in(folder, name, path);
    return true;
}

void cache_remove_temporary(const char *path, const char *folder)
{
    unlink(path);
    if (folder[0])
        rmdir(folder);
}

/* ---- for `kjit cache` ------------------------------------------------------------------ */

/* Shows one entry to the caller, if it is sound. */
static void show_entry(Cache *cache, const EntryFile *file,
                       void (*each)(void *, const kjit_cache_entry *), void *context)
{
    Trailer trailer;
    size_t total;
    int fd = open_entry(cache, file->name);
    char *bytes = read_own(fd, &total);

    if (bytes && entry_sound(bytes, total, &trailer)) {
        char *call = bytes + trailer.payload_length, *target = call + trailer.call_length;
        target[trailer.target_length] = '\0';
        memmove(target + 1, target, trailer.target_length + 1);
        target[0] = '\0';
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

static kjit_status unusable(const Cache *cache)
{
    return error_set(KJIT_FILE, "error: the cache %s%scannot be used: %s", cache->directory,
                     *cache->directory ? " " : "", cache->problem);
}

kjit_status kjit_cache_list(void (*each)(void *context, const kjit_cache_entry *entry),
                            void *context)
{
    Cache cache;
    EntryFiles files = { 0 };

    cache_open(&cache, false);
    if (cache.folder < 0)
        return unusable(&cache);
    bool complete = list_entries(&cache, &files);
    if (files.count)
        qsort(files.list, files.count, sizeof *files.list, oldest_first);
    for (size_t i = files.count; i-- > 0;)
        show_entry(&cache, &files.list[i], each, context);
    memory_free(files.list);
    cache_close(&cache);
    return complete ? KJIT_OK : error_memory();
}

kjit_status kjit_cache_clear(size_t *removed)
{
    Cache cache;
    EntryFiles files = { 0 };
    size_t count = 0;
    bool all = true;

    if (removed)
        *removed = 0;
    cache_open(&cache, false);
    if (cache.folder < 0)
        return unusable(&cache);
    bool complete = list_entries(&cache, &files);
    for (size_t i = 0; i < files.count; i++) {
        bool gone = unlinkat(cache.folder, files.list[i].name, 0) == 0;
        count += gone;
        /* Another process may have been faster. */
        all = all && (gone || errno == ENOENT);
    }
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
