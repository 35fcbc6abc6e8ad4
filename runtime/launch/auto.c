/* The shape of a launch whose grid or block is not given: as many threads along each axis of the
** grid as the kernel has work for (ir/predict/cover_limit.c), in blocks that its text is written
** for (fit.c), or that suit the device. Where nothing is known of an axis, the extents of the
** arrays have to do. Along an axis that the kernel does not look at there is one thread: others
** would do the same again. */
#include "runtime/launch/launching.h"
#include "runtime/array/array.h"

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
            at_least(&extents->of[0], (int64_t)array_elements(array));
        for (int axis = 0; axes > 1 && axis < axes; axis++)
            at_least(&extents->of[axis], array->shape[axis]);
    }
}

static uint64_t blocks_for(uint64_t threads, uint32_t width)
{
    uint64_t blocks = threads / width + (threads % width != 0);

    return blocks ? blocks : 1;
}

static kjit_status check_grid(const Device *device, int axis, uint64_t threads, uint32_t block,
                              uint64_t blocks)
{
    if (blocks <= device->limits.grid[axis])
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: %llu threads need %llu blocks of %u, and %s allows %u",
                     (unsigned long long)threads, (unsigned long long)blocks, block, device->name,
                     device->limits.grid[axis]);
}

/* The block of one axis that keeps the device busiest. */
static kjit_status find_best(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                             size_t shared_bytes, uint32_t *block)
{
    Device *device = kernel->module->context->device;
    Specialisation *spec;
    int best;

    KJIT_TRY(dispatch(kernel, args, count, NULL, DISPATCH_BEST, &spec));
    KJIT_TRY(device->ops->best_block(device, spec->code, shared_bytes + spec->moved_shared, &best));
    *block = (uint32_t)best;
    return KJIT_OK;
}

/* The axes along which a launch may be more than one thread, or block, wide: those that the kernel
** reads indices along, or x where there are none. */
static unsigned wide_axes(const Specialisation *spec, unsigned asked)
{
    return spec->threads_asked | spec->blocks_asked ? asked : 1;
}

/* The block that `config` lacks. */
static kjit_status choose_block(kjit_kernel *kernel, const Specialisation *spec,
                                const kjit_arg *args, size_t count, kjit_launch_config *config)
{
    static const uint32_t sizes[4][3] = { [1] = { 1 }, [2] = { 16, 16 }, [3] = { 8, 8, 4 } };
    const unsigned wide = wide_axes(spec, spec->threads_asked);
    const int axes = __builtin_popcount(wide);
    uint32_t usual[3], best = 1;

    if (config->block[0])
        return KJIT_OK;
    if (axes == 1 && !fit_demands(kernel, spec, args))
        KJIT_TRY(find_best(kernel, args, count, config->shared_bytes, &best));
    for (int axis = 0, k = 0; axis < 3; axis++)
        usual[axis] = !(wide >> axis & 1) ? 1 : axes == 1 ? best : sizes[axes][k++];
    return fit_block(kernel, spec, args, usual, config->block);
}

/* The grid for a block that is chosen; `threads` along x, or 0 for what there is to do. */
static kjit_status choose_grid(kjit_kernel *kernel, const Specialisation *spec,
                               const kjit_arg *args, size_t count, uint64_t threads,
                               kjit_launch_config *config)
{
    const Device *device = kernel->module->context->device;
    const unsigned wide = wide_axes(spec, spec->threads_asked | spec->blocks_asked);
    int axes = spec->axes;
    Extents extents = { { 1, 1, 1 }, false };

    measure(args, count, axes, &extents);
    if (!extents.found)
        measure(args, count, 1, &extents);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t block = config->block[axis] ? config->block[axis] : 1;
        uint64_t blocks = wide >> axis & 1 ? blocks_for(extents.of[axis], block) : 1;
        if (axis == 0 && threads)
            blocks = blocks_for(threads, block);
        else if (wide >> axis & 1)
            covers_blocks(&spec->covers, config->block, args, axis, &blocks);
        KJIT_TRY(check_grid(device, axis, axis == 0 && threads ? threads : blocks * block, block,
                            blocks));
        config->grid[axis] = (uint32_t)blocks;
    }
    return KJIT_OK;
}

kjit_status kjit_auto_config(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                             kjit_launch_config *config)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    KJIT_TRY(choose_block(kernel, spec, args, count, config));
    return config->grid[0] ? KJIT_OK : choose_grid(kernel, spec, args, count, 0, config);
}

kjit_status kjit_forall(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint64_t threads,
                        kjit_launch_config *config)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    if (threads == 0)
        return error_set(KJIT_ARGUMENT, "error: there is nothing to launch for 0 threads");
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    memset(config->block, 0, sizeof config->block);
    KJIT_TRY(choose_block(kernel, spec, args, count, config));
    return choose_grid(kernel, spec, args, count, threads, config);
}
