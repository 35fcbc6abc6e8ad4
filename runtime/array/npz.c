/* Members of NumPy's .npz archives, by libzip, which is loaded with the first of them. */
#include "runtime/array/array.h"

#include <dlfcn.h>
#include <pthread.h>
#include <zip.h>

#define ZIP_FUNCTIONS(F)                                                                           \
    F(open)                                                                                        \
    F(discard)                                                                                     \
    F(get_num_entries) F(get_name) F(name_locate) F(stat_index) F(fopen_index) F(fread) F(fclose)

/* What is called of libzip. */
static struct {
#define ZIP_FUNCTION(name) __typeof__(zip_##name) *name;
    ZIP_FUNCTIONS(ZIP_FUNCTION)
#undef ZIP_FUNCTION
    bool found;
} zip;
static pthread_once_t zip_once = PTHREAD_ONCE_INIT;

/* Versions differ in their numbers and not in these functions; it stays loaded. */
static void find_zip(void)
{
    static const char *const names[] = { "libzip.so.5", "libzip.so.4" };
    static const WantedSymbol wanted[] = {
#define ZIP_FUNCTION(name) { "zip_" #name, &zip.name },
        ZIP_FUNCTIONS(ZIP_FUNCTION)
#undef ZIP_FUNCTION
    };
    void *library = NULL;

    for (size_t i = 0; i < ARRAY_COUNT(names) && !library; i++)
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    zip.found = library && !symbols_find(library, wanted, ARRAY_COUNT(wanted));
}

/* "a, b, c": the members of an archive, without .npy. */
static void member_names(zip_t *archive, char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    for (zip_int64_t i = 0; i < zip.get_num_entries(archive, 0) && used + 1 < size; i++) {
        const char *name = zip.get_name(archive, (zip_uint64_t)i, 0);
        int length = name ? (int)strlen(name) : 0;
        length -= length > 4 && strcmp(name + length - 4, ".npy") == 0 ? 4 : 0;
        int put =
            snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", length, name ? name : "");
        used += put > 0 ? (size_t)put : 0;
    }
}

/* The index of the member `key`, with or without .npy; -1 if there is none. */
static zip_int64_t find_member(zip_t *archive, const char *key)
{
    char name[1024];

    if (!key)
        return zip.get_num_entries(archive, 0) == 1 ? 0 : -1;
    snprintf(name, sizeof name, "%s.npy", key);
    zip_int64_t found = zip.name_locate(archive, name, 0);
    return found >= 0 ? found : zip.name_locate(archive, key, 0);
}

static kjit_status read_member(zip_t *archive, zip_uint64_t index, const char *path,
                               LoadedArray *out)
{
    zip_stat_t info;
    char *text = NULL;
    zip_int64_t got = -1;

    if (zip.stat_index(archive, index, 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE))
        return file_bad(path, "the archive is damaged");
    if (info.size > SIZE_MAX / 4 || !(text = memory_alloc((size_t)info.size + 1)))
        return error_set(KJIT_MEMORY, "error: %s: no memory for a member of %llu bytes", path,
                         (unsigned long long)info.size);
    zip_file_t *member = zip.fopen_index(archive, index, 0);
    if (member) {
        got = zip.fread(member, text, info.size);
        zip.fclose(member);
    }
    kjit_status status =
        member && got == (zip_int64_t)info.size
            ? npy_parse(path, text, (size_t)info.size, out)
            : file_bad(path, "the archive is damaged, or compressed in an unknown way");
    memory_free(text);
    return status;
}

kjit_status npz_load(const char *path, const char *key, LoadedArray *out)
{
    int problem = 0;
    char names[512];

    *out = (LoadedArray){ 0 };
    pthread_once(&zip_once, find_zip);
    if (!zip.found)
        return error_set(KJIT_FILE,
                         "error: %s: reading an .npz file needs libzip.so.5 or libzip.so.4, and "
                         "neither can be loaded; Debian's package libzip4 or libzip5 has it, and a "
                         ".npy file needs none",
                         path);
    zip_t *archive = zip.open(path, ZIP_RDONLY, &problem);
    if (!archive) {
        if (problem == ZIP_ER_NOENT)
            return error_set(KJIT_FILE, "error: there is no file '%s'", path);
        return file_bad(path, problem == ZIP_ER_NOZIP ? "this is no .npz file"
                                                      : "the archive cannot be opened");
    }
    zip_int64_t index = find_member(archive, key);
    kjit_status status;
    if (index >= 0) {
        status = read_member(archive, (zip_uint64_t)index, path, out);
    } else {
        member_names(archive, names, sizeof names);
        status =
            key ? error_set(KJIT_FILE, "error: %s has no array '%s'; it has %s", path, key, names)
                : error_set(KJIT_FILE, "error: %s holds several arrays, so one must be named: %s",
                            path, names);
    }
    zip.discard(archive);
    return status;
}
