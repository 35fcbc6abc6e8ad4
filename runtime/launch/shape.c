/* How launches are carried out that a specialisation's passes gave another shape: ir/launch.h. */
#include "runtime/launch/variant.h"
#include "runtime/array/array.h"

uint64_t shape_threads(const Specialisation *spec, uint64_t threads)
{
    const IrShape *shape = &spec->shape;

    if (!shape->changed || !threads)
        return threads;
    for (int k = 0; k < 3 && !shape->free; k++)
        threads /= shape->divide[k] ? shape->divide[k] : 1;
    return shape->free ? (uint64_t)shape->block[0] * shape->block[1] * shape->block[2] : threads;
}

static uint64_t divide_up(uint64_t whole, uint64_t part)
{
    return whole / part + (whole % part != 0);
}

/* What is counted, at least 0; false if that is more than an integer holds. */
static bool counted(const ShapeCount *count, const LaunchRequest *asked, const kjit_arg *args,
                    int64_t *value)
{
    const kjit_arg *arg = count->param < 0 ? NULL : &args[count->param];

    if (!arg)
        *value = count->axis < 0 ? 0 : asked->grid[count->axis];
    else
        *value = count->axis < 0 ? arg->as.integer : arg->as.array.shape[count->axis];
    if (__builtin_add_overflow(*value, count->plus, value))
        return false;
    *value = *value < 0 ? 0 : *value / count->over;
    return true;
}

/* Whether so many threads along an axis, added to what arrays span, stay within 32 bits as those
** asked for do (IrFacts.narrow). */
static bool stays_narrow(const kjit_arg *args, size_t count, uint64_t threads)
{
    enum { MOST = INT32_MAX - 2 * NARROW_SLACK };

    for (size_t i = 0; i < count; i++) {
        const kjit_array *array = &args[i].as.array;
        int64_t low, high;
        if (args[i].kind != KJIT_ARG_ARRAY)
            continue;
        array_span(array, &low, &high);
        uint64_t most = (uint64_t)(high - low) / array_item_bytes(array);
        for (int k = 0; k < array->rank; k++)
            most = (uint64_t)array->shape[k] > most ? (uint64_t)array->shape[k] : most;
        if (most < MOST && threads > MOST - most)
            return false;
    }
    return true;
}

/* The blocks along an axis that a kernel's loops ask for (IrShape.raised), or those asked for; 0:
** too many. */
static uint32_t blocks_along(const IrShape *shape, int axis, const LaunchRequest *asked,
                             const kjit_arg *args)
{
    int64_t threads;

    if (!shape->raised[axis].any)
        return asked->grid[axis];
    if (!counted(&shape->raised[axis], asked, args, &threads) ||
        threads > NARROW_THREADS - NARROW_SLACK)
        return 0;
    return threads ? (uint32_t)divide_up((uint64_t)threads, asked->block[axis]) : 1;
}

/* The launch with the grid that a kernel's loops ask for; false if it is too large. */
static bool raise(const IrShape *shape, const LaunchRequest *asked, const kjit_arg *args,
                  size_t count, LaunchRequest *raised)
{
    for (int axis = 0; axis < 3; axis++) {
        raised->grid[axis] = blocks_along(shape, axis, asked, args);
        if (shape->raised[axis].any &&
            !stays_narrow(args, count, (uint64_t)raised->grid[axis] * asked->block[axis]))
            return false;
    }
    return true;
}

/* As many threads as there are iterations, but so many at most that what holds of the threads asked
** for still does (IrFacts.narrow): added to an extent, they stay within 32 bits if that does. */
static uint64_t threads_for(int64_t iterations, uint64_t asked)
{
    const int64_t narrow = (int64_t)2 * NARROW_THREADS - NARROW_SLACK;
    int64_t most = iterations < narrow ? narrow - iterations : NARROW_THREADS;

    if (iterations < 1)
        return 1;
    if (iterations <= most)
        return (uint64_t)iterations;
    return (uint64_t)most > asked ? (uint64_t)most : asked;
}

/* The threads along an axis of the grid asked for, or those that stand for them. */
static uint64_t threads_along(const IrShape *shape, int axis, const LaunchRequest *asked,
                              const kjit_arg *args)
{
    uint64_t threads = (uint64_t)asked->grid[axis] * asked->block[axis];
    int64_t iterations;

    if (!shape->iterations.any || axis != 0 ||
        !counted(&shape->iterations, asked, args, &iterations))
        return threads;
    return threads_for(iterations, threads);
}

/* Blocks for so many `threads`, of which no more than stay are of use: but as many threads as were
** asked for, if that many have something to do. */
static uint64_t blocks_that_stay(const IrShape *shape, const LaunchRequest *asked, uint64_t threads,
                                 uint32_t multiprocessors)
{
    uint64_t most = (uint64_t)shape->stay * multiprocessors, width = shape->block[0];
    uint64_t blocks = divide_up(threads, width * shape->tile[0]);
    uint64_t own = divide_up((uint64_t)asked->grid[0] * asked->block[0], width);

    if (shape->iterations.any && own > divide_up(threads, width))
        own = divide_up(threads, width);
    if (shape->iterations.any && blocks < own)
        blocks = own;
    return most && blocks > most ? most : blocks;
}

/* The blocks and threads along one axis of what is launched. */
static void shape_axis(const IrShape *shape, int k, const LaunchRequest *asked,
                       const kjit_arg *args, const DeviceLimits *limits, uint64_t *grid,
                       uint32_t *block)
{
    int from = shape->axis[k];

    if (shape->free) {
        uint64_t threads = threads_along(shape, from, asked, args);
        *block = shape->block[k];
        *grid = divide_up(threads, launch_together(shape, k));
        if (k == 0 && shape->share)
            *grid *= shape->share;
        if (k == 0 && *grid < shape->least)
            *grid = shape->least;
        if (k == 0 && shape->stay)
            *grid = blocks_that_stay(shape, asked, threads, limits->multiprocessors);
    } else {
        *block = asked->block[from] / (shape->divide[k] ? shape->divide[k] : 1);
        *grid = divide_up(asked->grid[from], shape->merge[k] ? shape->merge[k] : 1);
    }
}

bool shape_apply(const Specialisation *spec, const Device *device, const LaunchRequest *asked,
                 const kjit_arg *args, size_t count, LaunchRequest *real)
{
    const IrShape *shape = &spec->shape;
    const DeviceLimits *limits = &device->limits;
    LaunchRequest raised = *asked;

    if (!raise(shape, asked, args, count, &raised))
        return false;
    *real = raised;
    if (!shape->changed && memcmp(raised.grid, asked->grid, sizeof raised.grid) == 0)
        return true;
    for (int k = 0; k < 3; k++) {
        uint64_t grid = raised.grid[k], most = limits->workers ? INT32_MAX : limits->grid[k];
        if (shape->changed)
            shape_axis(shape, k, &raised, args, limits, &grid, &real->block[k]);
        if (!grid || grid > most || !real->block[k] || real->block[k] > limits->block[k])
            return false;
        real->grid[k] = (uint32_t)grid;
    }
    for (int i = 0; i < shape->shared_count; i++) {
        uint64_t elements = array_elements(&args[shape->shared[i].param].as.array);
        uint64_t threads = (uint64_t)real->block[0] * real->block[1] * real->block[2];
        real->shared_bytes += launch_shared(shape, i, elements, threads);
    }
    uint64_t fixed = spec->moved_shared ? 0 : spec->static_shared;
    return real->shared_bytes + fixed <= limits->shared;
}

uint64_t hidden_value(const Specialisation *spec, int index, const LaunchRequest *asked,
                      const kjit_arg *args)
{
    const IrHidden *hidden = &spec->hidden[index];

    LaunchRequest raised = *asked;

    if (hidden->kind == HIDDEN_PART)
        return (uint64_t)asked->part[hidden->axis];
    raised.grid[hidden->axis] = blocks_along(&spec->shape, hidden->axis, asked, args);
    return hidden->kind == HIDDEN_BLOCKS ? raised.grid[hidden->axis]
                                         : threads_along(&spec->shape, hidden->axis, &raised, args);
}
