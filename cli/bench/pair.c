/* Matches kernels of two files of `kjit bench --json`. */
#include "cli/bench/bench.h"

bool bench_same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

static const char *file_of(const json_t *kernel)
{
    const char *file = json_string_value(json_object_get(kernel, "file"));
    while (!strncmp(file, "./", 2))
        file += 1 + strspn(file + 1, "/");
    return file;
}

static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash && slash[1] ? slash + 1 : file;
}

/* Same name, arguments and file; the launch shape may differ. */
static bool is_alike(const json_t *a, const json_t *b, bool whole_path)
{
    const char *one = file_of(a), *other = file_of(b);
    return bench_same(a, b, "kernel") && bench_same(a, b, "arguments") &&
           !strcmp(whole_path ? one : base_of(one), whole_path ? other : base_of(other));
}

/* The index of an unmatched kernel alike; SIZE_MAX: there is none, or several and `only` is set. */
static size_t find_alike(const json_t *kernels, const bool *taken, const json_t *kernel,
                         bool whole_path, bool only)
{
    size_t found = SIZE_MAX;
    for (size_t i = json_array_size(kernels); i-- > 0;) {
        if (taken[i] || !is_alike(json_array_get(kernels, i), kernel, whole_path))
            continue;
        if (only && found != SIZE_MAX)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

static void pair(const json_t *before, const json_t *after, bool whole_path, bool *has, bool *taken,
                 size_t *partners)
{
    for (size_t i = 0; i < json_array_size(before); i++) {
        const json_t *kernel = json_array_get(before, i);
        if (has[i] || (!whole_path && find_alike(before, has, kernel, false, true) == SIZE_MAX))
            continue;
        partners[i] = find_alike(after, taken, kernel, whole_path, !whole_path);
        has[i] = partners[i] != SIZE_MAX;
        if (has[i])
            taken[partners[i]] = true;
    }
}

size_t *bench_pair(const json_t *before, const json_t *after)
{
    size_t count = json_array_size(before);
    size_t *partners = must_alloc((count + 1) * sizeof *partners);
    bool *has = must_alloc((count + 1) * sizeof *has);
    bool *taken = must_alloc((json_array_size(after) + 1) * sizeof *taken);
    for (size_t i = 0; i < count; i++)
        partners[i] = SIZE_MAX;
    pair(before, after, true, has, taken, partners);
    pair(before, after, false, has, taken, partners);
    free(has);
    free(taken);
    return partners;
}

void bench_tell_pair(const json_t *before, const json_t *after)
{
    static const char *const keys[] = { "grid", "block", "shared_bytes", "tuned", "configuration" };
    const char *kernel = json_string_value(json_object_get(before, "kernel"));
    if (strcmp(file_of(before), file_of(after)) != 0)
        printf("%s: of %s before, of %s now\n", kernel, file_of(before), file_of(after));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *one = json_object_get(before, keys[i]), *other = json_object_get(after, keys[i]);
        if (!one || !other || json_equal(one, other))
            continue;
        char *was = json_dumps(one, JSON_ENCODE_ANY), *is = json_dumps(other, JSON_ENCODE_ANY);
        printf("%s: %s %s before, %s now\n", kernel, keys[i], was ? was : "", is ? is : "");
        free(was);
        free(is);
    }
}
