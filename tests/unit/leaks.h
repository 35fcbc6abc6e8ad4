/* For tests of what is left behind: how much memory of malloc's is in use.
**
** What the C library keeps for a thread in case it asks again (its "tcache") counts as in use
** there, up to some hundred kilobytes, and how much that is hangs on the lengths of paths and the
** like. So these tests run without it. */
#ifndef KJIT_TESTS_LEAKS_H
#define KJIT_TESTS_LEAKS_H

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

static inline size_t leaks_bytes(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* Starts the program once more with a C library that keeps nothing, unless it is that already.
** First of main(). */
static inline void leaks_begin(char **argv)
{
    if (getenv("GLIBC_TUNABLES"))
        return;
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
    execv("/proc/self/exe", argv);
    exit(127); /* it cannot be started: not passed */
}

#endif
