/* From the name of a module to its file, as Python finds it: a folder with __init__ is a
** package, and a name without dots in front is looked for beside the outermost package
** around the file, too. */
#include "runtime/api/search.h"

#include <dirent.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

/* The folder of a file, with a slash at its end; "" for the working directory. */
static const char *folder_of(Arena *arena, const char *path)
{
    return arena_strndup(arena, path, (size_t)(basename(path) - path));
}

static const char *folder_above(Arena *arena, const char *folder)
{
    size_t length = strlen(folder);

    if (strcmp(folder, "/") == 0)
        return folder;
    if (!length || strcmp(folder, "./") == 0 ||
        (length >= 3 && strcmp(folder + length - 3, "../") == 0))
        return arena_printf(arena, "%s../", folder);
    while (length > 1 && folder[length - 2] != '/')
        length--;
    return arena_strndup(arena, folder, length - 1);
}

/* Whether a folder holds modules, or folders that do: Python takes any for a package. */
static bool has_modules(Arena *arena, const char *folder, int depth)
{
    enum { DEEPEST = 6 };
    DIR *dir = depth < DEEPEST ? opendir(folder) : NULL;
    bool found = false;

    if (!dir)
        return false;
    for (const struct dirent *entry; !found && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        found = dot && (strcmp(dot, ".py") == 0 || strcmp(dot, ".k") == 0);
    }
    rewinddir(dir);
    for (const struct dirent *entry; !found && (entry = readdir(dir));)
        found = !strchr(entry->d_name, '.') && entry->d_type == DT_DIR &&
                has_modules(arena, arena_printf(arena, "%s%s/", folder, entry->d_name), depth + 1);
    closedir(dir);
    return found;
}

static const char *package_file(Arena *arena, const char *folder)
{
    static const char *const names[] = { "__init__.k", "__init__.py" };

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const char *path = arena_printf(arena, "%s%s", folder, names[i]);
        if (is_there(path))
            return path;
    }
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The module NAME in a folder, dots being folders; NULL if it is not there. */
static const char *file_in(Arena *arena, const char *folder, const char *name)
{
    static const char *const endings[] = { ".k", ".py" };
    char *path = arena_printf(arena, "%s%s", folder, name);

    for (char *at = path + strlen(folder); *at; at++)
        if (*at == '.')
            *at = '/';
    const char *inside = *name ? arena_printf(arena, "%s/", path) : path;
    const char *package = package_file(arena, inside);
    if (package)
        return package;
    for (size_t i = 0; *name && i < ARRAY_COUNT(endings); i++) {
        const char *file = arena_printf(arena, "%s%s", path, endings[i]);
        if (is_there(file))
            return file;
    }
    inside = *inside ? inside : "./";
    return has_modules(arena, inside, 0) ? inside : NULL;
}

/* In the folders of KJIT_PATH. */
static const char *file_on_path(Arena *arena, const char *name)
{
    const char *list = getenv("KJIT_PATH"), *path = NULL;

    while (!path && list && *list) {
        size_t length = strcspn(list, ":");
        if (length)
            path = file_in(arena, arena_printf(arena, "%.*s/", (int)length, list), name);
        list += length + (list[length] == ':');
    }
    return path;
}

const char *import_search(Arena *arena, const char *importer, const char *name)
{
    enum { DEEPEST = 100 };
    const char *folder = folder_of(arena, importer), *path;
    size_t level = strspn(name, ".");

    if (level) {
        for (size_t i = 1; i < level; i++)
            folder = folder_above(arena, folder);
        return file_in(arena, folder, name + level);
    }
    path = file_in(arena, folder, name);
    for (int i = 0; !path && i < DEEPEST && package_file(arena, folder); i++) {
        folder = folder_above(arena, folder);
        path = file_in(arena, folder, name);
    }
    return path ? path : file_on_path(arena, name);
}

const char *import_places(Arena *arena, const char *importer, const char *name)
{
    size_t level = strspn(name, ".");

    if (level)
        return arena_printf(arena, "looked for %s.k and %s.py in the package of %s", name + level,
                            name + level, importer);
    return arena_printf(arena, "looked for %s.k and %s.py beside %s%s", name, name, importer,
                        getenv("KJIT_PATH") ? " and in the folders of KJIT_PATH"
                                            : "; KJIT_PATH can name more folders");
}
