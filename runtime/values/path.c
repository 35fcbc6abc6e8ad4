/* Values that are paths of files: what looks like one, and what can be read. */
#include "runtime/values/values.h"

#include <errno.h>
#include <strings.h>
#include <unistd.h>

/* What data and pictures are called. Pictures that are not read Python makes arrays of, which
** numpy.save() writes in a form that is. */
static const struct {
    const char *ending;
    bool picture;
} kinds[] = {
    { ".npy", false },     { ".npz", false },  { ".bin", false },     { ".dat", false },
    { ".raw", false },     { ".csv", false },  { ".tsv", false },     { ".txt", false },
    { ".png", false },     { ".pgm", false },  { ".ppm", false },     { ".pnm", false },
    { ".bmp", true },      { ".gif", true },   { ".jpg", true },      { ".jpeg", true },
    { ".tif", true },      { ".tiff", true },  { ".webp", true },     { ".gz", false },
    { ".h5", false },      { ".hdf5", false }, { ".json", false },    { ".mat", false },
    { ".parquet", false }, { ".pkl", false },  { ".wav", false },     { ".xlsx", false },
    { ".zip", false },     { ".pdf", false },  { ".svg", false },     { ".xls", false },
    { ".docx", false },    { ".pt", false },   { ".pth", false },     { ".fits", false },
    { ".nc", false },      { ".mp4", false },  { ".feather", false },
};

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
    const char *name = basename(path), *dot = strrchr(name, '.');

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return arena_printf(arena, "there is no file '%s'", path);
    for (size_t i = 0; dot && i < ARRAY_COUNT(kinds); i++) {
        if (kinds[i].picture && !strcasecmp(dot, kinds[i].ending))
            return arena_printf(arena,
                                "it reads .npy, .npz and .csv, and pictures that are .png, .pgm or "
                                ".ppm; in Python, PIL.Image.open(\"%s\").save(\"%.*s.png\") makes "
                                "one",
                                name, (int)(dot - name), name);
    }
    return arena_printf(arena,
                        "it reads .csv, .npy and .npz, which numpy.save() makes of any array, "
                        "pictures (.png, .pgm, .ppm), and numbers as they lie in a file, which "
                        "need a dtype: load(\"%s\", dtype=float32, shape=(10, 20))",
                        name);
}
