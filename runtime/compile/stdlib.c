/* The library modules written in the language itself, as the build embedded them. */
#include "runtime/compile/compile.h"

static const struct LibraryModule {
    const char *name, *text;
} library[] = {
#include "stdlib/stdlib.inc"
    { NULL, NULL },
};

const char *kjit_standard_name_at(size_t index)
{
    return index < ARRAY_COUNT(library) ? library[index].name : NULL;
}

const char *kjit_standard_text(const char *name)
{
    return stdlib_find(name);
}

const char *stdlib_named(const char *path)
{
    return strncmp(path, "std:", 4) == 0 ? path + 4 : NULL;
}

/* "a, b, c" */
static const char *all_names(Arena *arena)
{
    const char *text = "";

    for (const struct LibraryModule *module = library; module->name; module++)
        text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "", module->name);
    return text;
}

const char *stdlib_unknown(Arena *arena, const char *name)
{
    const char *names[ARRAY_COUNT(library)];

    for (size_t i = 0; i < ARRAY_COUNT(library); i++)
        names[i] = library[i].name;
    const char *near = diag_nearest(name, names, ARRAY_COUNT(library) - 1);
    return arena_printf(arena, "the standard library has no module '%s'%s%s%s It has %s", name,
                        near ? "; did you mean '" : ".", near ? near : "", near ? "'?" : "",
                        all_names(arena));
}

const char *stdlib_find(const char *name)
{
    for (const struct LibraryModule *module = library; module->name; module++) {
        if (strcmp(module->name, name) == 0)
            return module->text;
    }
    return NULL;
}
