#include "cli/measure/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WITHOUT_MEMORY = 3 };

static void *must(void *block)
{
    if (block)
        return block;
    fflush(stdout);
    fputs("kjit: out of memory\n", stderr);
    exit(EXIT_WITHOUT_MEMORY);
}

void *must_alloc(size_t bytes)
{
    return must(calloc(1, bytes ? bytes : 1));
}

void *must_grow(void *old, size_t bytes)
{
    return must(realloc(old, bytes ? bytes : 1));
}

char *must_strndup(const char *text, size_t length)
{
    return must(strndup(text, length));
}
