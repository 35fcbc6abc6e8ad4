/* What a call costs, measured where Python is not between: measure.py loads this. */
#include <stddef.h>
#include <time.h>

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Nanoseconds of each of so many calls of kjit_launch_prepared(); negative if one failed. */
double prepared_call(int (*call)(void *), void *what, int calls)
{
    double begin = now();
    int failed = 0;

    for (int i = 0; i < calls; i++)
        failed |= call(what);
    return failed ? -1 : (now() - begin) / calls;
}

/* The same of kjit_launch(). */
double whole_call(int (*call)(void *, const void *, const void *, size_t), void *kernel,
                  const void *config, const void *args, size_t count, int calls)
{
    double begin = now();
    int failed = 0;

    for (int i = 0; i < calls; i++)
        failed |= call(kernel, config, args, count);
    return failed ? -1 : (now() - begin) / calls;
}
