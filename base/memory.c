/* malloc and its kin, with a way to make any one of them fail.
**
** A debug build counts the calls and fails the n-th when the environment has KJIT_FAIL_ALLOC=n;
** a test counts n up and so walks every path out of memory. Another n starts a new count. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#ifdef KJIT_DEBUG
#include <stdatomic.h>

/* Whether it is this call's turn to fail. */
static bool must_fail(void)
{
    static atomic_long calls, chosen;
    const char *setting = getenv("KJIT_FAIL_ALLOC");
    long n = setting ? strtol(setting, NULL, 10) : 0;

    if (atomic_exchange(&chosen, n) != n)
        atomic_store(&calls, 0);
    return n > 0 && atomic_fetch_add(&calls, 1) + 1 == n;
}
#else
static bool must_fail(void)
{
    return false;
}
#endif

void *memory_alloc(size_t bytes)
{
    return must_fail() ? NULL : malloc(bytes ? bytes : 1);
}

void *memory_zeroed(size_t count, size_t bytes)
{
    return must_fail() ? NULL : calloc(count ? count : 1, bytes ? bytes : 1);
}

void *memory_resize(void *old, size_t bytes)
{
    return must_fail() ? NULL : realloc(old, bytes ? bytes : 1);
}

char *memory_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_alloc(bytes);

    return copy ? memcpy(copy, text, bytes) : NULL;
}

void memory_free(void *block)
{
    free(block);
}
