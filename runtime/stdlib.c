/* The library modules written in the language itself, as the build embedded them. */
#include "runtime/runtime.h"

#include <string.h>

static const struct LibraryModule {
    const char *name, *text;
} library[] = {
#define STDLIB(name, text) { name, text },
#if __has_include("stdlib/stdlib.inc")
#include "stdlib/stdlib.inc"
#endif
#undef STDLIB
    { NULL, NULL },
};

const char *stdlib_find(const char *name)
{
    for (const struct LibraryModule *module = library; module->name; module++) {
        if (strcmp(module->name, name) == 0)
            return module->text;
    }
    return NULL;
}
