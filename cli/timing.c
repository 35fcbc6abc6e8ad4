/* `kjit run --time`: a launch over and over, on arrays of the device's own. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

/* The bytes that an array spans, as an array of their own; `low` is how far they begin before the
** first element. */
static kjit_array span_of(const kjit_array *array, int64_t *low)
{
    int64_t length = (int64_t)kjit_array_itemsize(array);
    bool empty = array_count(array) == 0;

    *low = 0;
    for (int axis = 0; axis < array->rank && !empty; axis++) {
        int64_t reach = (array->shape[axis] - 1) * array->strides[axis];
        length += llabs(reach);
        *low += reach < 0 ? -reach : 0;
    }
    if (empty)
        length = 0;
    return kjit_host_array((char *)array->data - *low, KJIT_DTYPE_UINT8, 1, &length);
}

/* An array becomes its copy on the device, of the same strides: others would be another kernel. */
static kjit_status array_to_device(kjit_context *context, kjit_array *array)
{
    int64_t low;
    kjit_array host = span_of(array, &low), device;
    kjit_status status = kjit_to_device(context, &host, &device);
    if (status != KJIT_OK)
        return status;
    array->data = (char *)device.data + low;
    array->flags |= KJIT_ON_DEVICE;
    return KJIT_OK;
}

static void free_arguments(kjit_context *context, kjit_arg *args, size_t count);

/* The arrays of the arguments become copies on the device, so that what is timed is the kernel, and
** what it wrote stays as it is. On failure none is left. */
static kjit_status to_device(kjit_context *context, kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kjit_status status = KJIT_OK;
        if (args[i].kind == KJIT_ARG_ARRAY) {
            status = array_to_device(context, &args[i].as.array);
        } else if (args[i].kind == KJIT_ARG_TUPLE) {
            size_t bytes = args[i].as.tuple.count * sizeof *args;
            kjit_arg *items = must_alloc(bytes);
            if (bytes)
                memcpy(items, args[i].as.tuple.items, bytes);
            args[i].as.tuple.items = items;
            status = to_device(context, items, args[i].as.tuple.count);
            if (status != KJIT_OK)
                free(items);
        }
        if (status != KJIT_OK) {
            free_arguments(context, args, i);
            return status;
        }
    }
    return KJIT_OK;
}

static void free_arguments(kjit_context *context, kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (args[i].kind == KJIT_ARG_ARRAY) {
            int64_t low;
            kjit_array bytes = span_of(&args[i].as.array, &low);
            kjit_array_free(context, &bytes);
        } else if (args[i].kind == KJIT_ARG_TUPLE) {
            kjit_arg *items = (kjit_arg *)args[i].as.tuple.items;
            free_arguments(context, items, args[i].as.tuple.count);
            free(items);
        }
    }
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
    if (status == KJIT_OK) {
        status = kjit_prepare(facts->kernel, &facts->config, args, count, &prepared);
        if (status == KJIT_OK)
            status = launch_often(facts->context, prepared, wanted, times);
        kjit_close_prepared(prepared);
        free_arguments(facts->context, args, count);
    }
    free(args);
    return status;
}
