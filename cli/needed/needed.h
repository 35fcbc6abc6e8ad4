/* Libraries that are loaded when something of them is first called: most runs of the command need
** neither cairo nor jansson, and loading cairo with all that it needs takes longer than they do.
**
** cairo.c and jansson.c define each function of theirs that the command calls, under its own name,
** so that callers include the library's own header. A function that is called anew needs a line
** there; the linker names it. */
#pragma once

#include <stddef.h>

typedef struct Needed {
    const char *file;         /* "libcairo.so.2" */
    const char *package;      /* that has it on Debian */
    const char *purpose;      /* "draw" */
    void (*loaded)(void *it); /* called once; may be NULL */
    void *it;                 /* what dlopen() gave */
} Needed;

/* The address of a function of the library, which is loaded if it is not yet. Where there is no
** such library, the command says so and ends. One thread at a time. */
void *needed_function(Needed *library, const char *name);

/* Defines the function `name` as one that calls the library's. */
#define NEEDED(library, result, name, params, args)                                                \
    result name params                                                                             \
    {                                                                                              \
        static __typeof__(name) *its;                                                              \
        if (!its)                                                                                  \
            its = needed_function(&library, #name);                                                \
        return its args;                                                                           \
    }

/* What jansson is to allocate with: by `alloc`, which never fails, and free(). */
void needed_json_memory(void *(*alloc)(size_t size));
