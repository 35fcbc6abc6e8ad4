/* `kjit run --time`: a launch over and over, on arrays of the device's own. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

/* Copies of the arguments on the device, so that what is timed is the kernel. Tuples stay. */
static kjit_status to_device(kjit_context *context, kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (args[i].kind != KJIT_ARG_ARRAY)
            continue;
        kjit_array host = args[i].as.array;
        kjit_status status = kjit_to_device(context, &host, &args[i].as.array);
        if (status != KJIT_OK) {
            for (; i < count; i++)
                args[i].kind = KJIT_ARG_SCALAR; /* not ours to free */
            return status;
        }
    }
    return KJIT_OK;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each launch is waited for, after three that are not counted. */
static kjit_status launch_often(kjit_context *context, kjit_prepared *prepared, uint64_t count,
                                double *times)
{
    enum { WARM_UP = 3 };
    for (uint64_t i = 0; i < WARM_UP + count; i++) {
        double begin = now_ms();
        kjit_status status = kjit_launch_prepared(prepared);
        if (status == KJIT_OK)
            status = kjit_synchronize(context);
        if (status != KJIT_OK)
            return status;
        if (i >= WARM_UP)
            times[i - WARM_UP] = now_ms() - begin;
    }
    qsort(times, count, sizeof *times, compare_times);
    return KJIT_OK;
}

kjit_status time_launches(const RunFacts *facts, uint64_t wanted, double *times)
{
    size_t count = kjit_param_count(facts->kernel);
    kjit_prepared *prepared = NULL;
    kjit_arg *args = must_alloc(count * sizeof *args);
    if (count)
        memcpy(args, facts->args, count * sizeof *args);

    kjit_status status = to_device(facts->context, args, count);
    if (status == KJIT_OK)
        status = kjit_prepare(facts->kernel, &facts->config, args, count, &prepared);
    if (status == KJIT_OK)
        status = launch_often(facts->context, prepared, wanted, times);
    kjit_close_prepared(prepared);
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == KJIT_ARG_ARRAY)
            kjit_device_free(facts->context, &args[i].as.array);
    free(args);
    return status;
}
