/* Values that are paths of files: what looks like one, and what can be read. */
#include "runtime/values/values.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What data and pictures are called. Of a `reader` Python makes an array, which numpy.save() writes
** in a form that can be read; NULL: none comes to mind. */
static const struct {
    const char *ending, *what, *reader, *behind;
} kinds[] = {
    { ".npy", NULL, NULL, NULL },
    { ".npz", NULL, NULL, NULL },
    { ".bin", NULL, NULL, NULL },
    { ".dat", NULL, NULL, NULL },
    { ".raw", NULL, NULL, NULL },
    { ".csv", NULL, NULL, NULL },
    { ".tsv", NULL, NULL, NULL },
    { ".txt", NULL, NULL, NULL },
    { ".bmp", "pictures", "PIL.Image.open(\"", "\")" },
    { ".gif", "pictures", "PIL.Image.open(\"", "\")" },
    { ".jpg", "pictures", "PIL.Image.open(\"", "\")" },
    { ".jpeg", "pictures", "PIL.Image.open(\"", "\")" },
    { ".pgm", "pictures", "PIL.Image.open(\"", "\")" },
    { ".png", "pictures", "PIL.Image.open(\"", "\")" },
    { ".ppm", "pictures", "PIL.Image.open(\"", "\")" },
    { ".tif", "pictures", "PIL.Image.open(\"", "\")" },
    { ".tiff", "pictures", "PIL.Image.open(\"", "\")" },
    { ".webp", "pictures", "PIL.Image.open(\"", "\")" },
    { ".gz", NULL, NULL, NULL },
    { ".h5", NULL, NULL, NULL },
    { ".hdf5", NULL, NULL, NULL },
    { ".json", NULL, NULL, NULL },
    { ".mat", NULL, NULL, NULL },
    { ".parquet", NULL, NULL, NULL },
    { ".pkl", NULL, NULL, NULL },
    { ".wav", NULL, NULL, NULL },
    { ".xlsx", NULL, NULL, NULL },
    { ".zip", NULL, NULL, NULL },
};

bool path_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);

    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

bool path_is_text(const char *path)
{
    return path_ends_in(path, ".csv") || path_ends_in(path, ".tsv") || path_ends_in(path, ".txt");
}

/* Whether a text begins as paths do and expressions do not: /x, ./x, ../x, ~/x. */
static bool begins_as_path(const char *text)
{
    text += *text == '~' ? 1 : strspn(text, ".");
    return *text == '/';
}

static bool ends_as_file(const char *text, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        size_t tail = strlen(kinds[i].ending);
        if (length > tail && !strncasecmp(text + length - tail, kinds[i].ending, tail))
            return true;
    }
    return false;
}

bool path_stands_alone(const char *text, size_t length)
{
    if (length == 1 && *text == '-')
        return true; /* the standard input */
    for (size_t i = 0; i < length; i++) {
        if (strchr("(\"'\\", text[i]))
            return false;
    }
    return length && (begins_as_path(text) || ends_as_file(text, length));
}

const char *path_refused(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return arena_printf(arena, "there is no file '%s'", path);
    for (size_t i = 0; dot && i < ARRAY_COUNT(kinds); i++) {
        if (kinds[i].what && !strcasecmp(dot, kinds[i].ending))
            return arena_printf(arena,
                                "it reads .npy, .npz and .csv, not %s; in Python, "
                                "numpy.save(\"%.*s.npy\", %s%s%s) makes one",
                                kinds[i].what, (int)(dot - name), name, kinds[i].reader, name,
                                kinds[i].behind);
    }
    return arena_printf(arena,
                        "it reads .csv, .npy and .npz, which numpy.save() makes of any array, "
                        "and numbers as they lie in a file, which need a dtype: "
                        "load(\"%s\", dtype=float32, shape=(10, 20))",
                        name);
}
