/* malloc and its kin, with a way to make any one of them fail.
**
** A debug build counts the calls and fails the n-th when the environment has KJIT_FAIL_ALLOC=n;
** a test counts n up and so walks every path out of memory. Another n starts a new count. */
#include "base/base.h"

#ifdef KJIT_DEBUG
#include <stdatomic.h>

static atomic_long calls, chosen, blocks;

/* Notes a setting that has changed. */
static long read_setting(void)
{
    const char *setting = getenv("KJIT_FAIL_ALLOC");
    long n = setting ? strtol(setting, NULL, 10) : 0;

    if (atomic_exchange(&chosen, n) != n)
        atomic_store(&calls, 0);
    return n;
}

/* Whether this call is the one that fails. */
static bool must_fail(void)
{
    long n = read_setting();

    return n > 0 && atomic_fetch_add(&calls, 1) + 1 == n;
}

bool memory_has_failed(void)
{
    long n = read_setting();

    return n > 0 && atomic_load(&calls) >= n;
}

long memory_blocks(void)
{
    return atomic_load(&blocks);
}

/* Counts a block that is new or, if `change` is -1, gone. */
static void *count(void *block, long change)
{
    if (block)
        atomic_fetch_add(&blocks, change);
    return block;
}
#else
static bool must_fail(void)
{
    return false;
}

static void *count(void *block, long change)
{
    (void)change;
    return block;
}
#endif

void *memory_alloc(size_t bytes)
{
    return must_fail() ? NULL : count(malloc(bytes ? bytes : 1), 1);
}

void *memory_zeroed(size_t number, size_t bytes)
{
    return must_fail() ? NULL : count(calloc(number ? number : 1, bytes ? bytes : 1), 1);
}

void *memory_resize(void *old, size_t bytes)
{
    if (!old)
        return memory_alloc(bytes);
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
    free(count(block, -1));
}
