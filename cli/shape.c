/* The shape of a launch that nobody named: a thread for each element of the arrays, along as many
** axes as the kernel asks about. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Threads wanted along x, y and z; `found` tells whether an array has that many axes. */
typedef struct Extents {
    uint64_t of[3];
    bool found;
} Extents;

static void at_least(uint64_t *extent, int64_t wanted)
{
    if (wanted > 0 && (uint64_t)wanted > *extent)
        *extent = (uint64_t)wanted;
}

/* One axis covers the elements of the largest array, whatever its shape; several cover the longest
** of each, x being the first as in numba. */
static void measure(const kjit_arg *args, size_t count, int axes, Extents *extents)
{
    for (size_t i = 0; i < count; i++) {
        const kjit_array *array = &args[i].as.array;
        if (args[i].kind == KJIT_ARG_TUPLE)
            measure(args[i].as.tuple.items, args[i].as.tuple.count, axes, extents);
        if (args[i].kind != KJIT_ARG_ARRAY || (axes > 1 && array->rank < axes))
            continue;
        extents->found = true;
        if (axes == 1)
            at_least(&extents->of[0], array_count(array));
        for (int axis = 0; axes > 1 && axis < axes; axis++)
            at_least(&extents->of[axis], array->shape[axis]);
    }
}

/* The block and the grid that `config` lacks. */
static kjit_status complete(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config)
{
    static const uint32_t blocks[4][3] = { [2] = { 16, 16, 1 }, [3] = { 8, 8, 4 } };
    size_t count = kjit_param_count(kernel);
    Extents extents = { { 1, 1, 1 }, false };
    kjit_launch_config flat = *config;
    int axes;

    kjit_status status = kjit_axes(kernel, args, count, &axes);
    if (status != KJIT_OK)
        return status;
    measure(args, count, axes, &extents);
    if (!extents.found)
        measure(args, count, axes = 1, &extents);
    if (axes == 1)
        status = kjit_forall(kernel, args, count, extents.of[0], &flat);
    if (status != KJIT_OK)
        return status;
    if (!config->block[0])
        memcpy(config->block, axes == 1 ? flat.block : blocks[axes], sizeof config->block);
    for (int i = 0, named = config->grid[0] != 0; i < 3 && !named; i++) {
        uint64_t block = config->block[i] ? config->block[i] : 1;
        uint64_t grid = extents.of[i] / block + (extents.of[i] % block != 0);
        config->grid[i] = grid < UINT32_MAX ? (uint32_t)grid : UINT32_MAX;
    }
    return KJIT_OK;
}

kjit_status shape_choose(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config,
                         bool *chosen)
{
    if (config->grid[0])
        return KJIT_OK;
    kjit_status tuned =
        kjit_kernel_tunes(kernel) ? tuned_own_shape(kernel, args, config) : KJIT_ARGUMENT;
    if (tuned != KJIT_ARGUMENT)
        return tuned;
    kjit_status status = kjit_example_config(kernel, config);
    *chosen = !config->grid[0] || !config->block[0];
    if ((status == KJIT_OK || status == KJIT_ARGUMENT) && *chosen)
        status = complete(kernel, args, config);
    return status;
}

static void print_sizes(FILE *out, const uint32_t sizes[3])
{
    fprintf(out, "%u", sizes[0]);
    if (sizes[1] > 1 || sizes[2] > 1)
        fprintf(out, ",%u", sizes[1]);
    if (sizes[2] > 1)
        fprintf(out, ",%u", sizes[2]);
}

void shape_print(FILE *out, const kjit_launch_config *config)
{
    fputs("--grid ", out);
    print_sizes(out, config->grid);
    fputc('x', out);
    print_sizes(out, config->block);
    fputs(" was chosen by the arrays' sizes\n", out);
}
