/* How much work a launch does: the kernel that counts in its place (ir/predict/count.h) is compiled
** for the processor and run there, on the real extents and, where it goes by what arrays hold, on
** these.
**
** Loops that only count are nothing for the C compiler to run, so most kernels take a moment. Where
** a few blocks show that all of them would take too long, blocks spread over the grid stand for
** those between them. */
#include "ir/predict/count.h"
#include "runtime/binary/binary.h"
#include "runtime/launch/launching.h"
#include "runtime/array/array.h"

#include <math.h>
#include <time.h>

enum { PROBED = 64, WORDS = COUNT_PARAMS + 1 };

static const double BUDGET_MS = 1500; /* what running all blocks may take */

typedef struct Counted {
    kjit_kernel *kernel;
    Device *processor;
    Arena arena; /* of the translation, which `count` lies in */
    KernelRequest request;
    IrCount count;
    Specialisation *spec;
    int64_t *counts;
    uint32_t grid[3]; /* that is asked about */
} Counted;

/* ---- the kernel that counts ----------------------------------------------------------------- */

/* The signature with what the counting kernel has behind its own parameters. */
static void extend_signature(Arena *arena, KernelRequest *request)
{
    const IrFunc *fn = request->unit->kernel;
    const Type **params = arena_array(arena, const Type *, fn->param_count + 1);

    for (int i = 0; i < fn->param_count; i++)
        params[i] = fn->vars[i]->type;
    request->signature.params = params;
    request->signature.count = fn->param_count;
}

static kjit_status translate(void *context, Arena *arena)
{
    Counted *c = context;
    Diags diags;

    diags_init(&diags, arena);
    c->spec->keep.exhausted = arena->exhausted;
    KJIT_TRY(compile_kernel(arena, &c->request));
    const char *why = ir_count(&c->request.unit, &c->count);
    if (why)
        return error_set(KJIT_UNSUPPORTED, "error: what %s does cannot be counted: it %s",
                         c->kernel->info->name, why);
    if (!emit_unit(arena, c->request.unit, DIALECT_C, &diags, &c->request.emitted))
        return error_diags(&diags);
    extend_signature(arena, &c->request);
    specialisation_describe(c->spec, &c->request);
    return KJIT_OK;
}

static kjit_status compile(Counted *c)
{
    kjit_module *module = c->kernel->module;

    c->request = (KernelRequest){ .kernel = c->kernel,
                                  .key = c->spec->key,
                                  .key_length = c->spec->key_length,
                                  .dialect = DIALECT_C,
                                  .stop_at_ir = true };
    forks_lock(&module->lock);
    kjit_status status = arena_catch(&c->arena, translate, c);
    forks_unlock(&module->lock);
    c->spec->keep.exhausted = NULL;
    if (status != KJIT_OK)
        return status;
    BuildRequest build = build_request(&c->request);
    KJIT_TRY(specialisation_check(c->processor, c->spec));
    KJIT_TRY(c->processor->ops->build(c->processor, &build, &c->spec->code));
    c->spec->most_threads = c->processor->ops->most_threads(c->spec->code);
    c->counts = memory_zeroed((size_t)c->count.count + 1, sizeof *c->counts);
    return c->counts ? KJIT_OK : error_memory();
}

static kjit_status compile_watched(Counted *c)
{
    WatchPlace *place =
        watch_begin(c->processor->watch, KJIT_COMPILING, c->kernel->info->name, clock_ms());
    kjit_status status = compile(c);

    watch_end(place);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* Arguments whose memory the processor can reach; `owned` is what is to be freed. */
typedef struct Reachable {
    kjit_arg *args;
    void **owned;
    size_t owned_count, owned_room;
} Reachable;

static void *own(Reachable *r, size_t bytes)
{
    if (!memory_more(r->owned, r->owned_count, r->owned_room))
        return NULL;
    void *memory = memory_alloc(bytes ? bytes : 1);
    if (memory)
        r->owned[r->owned_count++] = memory;
    return memory;
}

static void let_go(Reachable *r)
{
    for (size_t i = 0; i < r->owned_count; i++)
        memory_free(r->owned[i]);
    memory_free(r->owned);
}

/* The bytes from an array's first to behind its last, and how far its first element lies in. */
static uint64_t reach(const kjit_array *array, int64_t *low)
{
    uint64_t bytes = kjit_array_itemsize(array);

    *low = 0;
    if (!kjit_array_count(array))
        return 0;
    for (int axis = 0; axis < array->rank; axis++) {
        int64_t far = (array->shape[axis] - 1) * array->strides[axis];
        bytes += (uint64_t)llabs(far);
        *low += far < 0 ? -far : 0;
    }
    return bytes;
}

/* An array becomes a copy of itself in memory of the host. */
static kjit_status copy_array(const Counted *c, Reachable *r, kjit_array *array)
{
    int64_t low, bytes = (int64_t)reach(array, &low);
    char *memory = own(r, (size_t)bytes);

    if (!memory)
        return error_memory();
    kjit_array from = kjit_host_array((char *)array->data - low, KJIT_DTYPE_UINT8, 1, &bytes);
    kjit_array to = kjit_host_array(memory, KJIT_DTYPE_UINT8, 1, &bytes);
    from.flags = array->flags & (KJIT_ON_DEVICE | KJIT_ON_HOST);
    if (bytes)
        KJIT_TRY(kjit_copy(c->kernel->module->context, &to, &from));
    array->data = memory + low;
    array->flags &= (uint32_t)KJIT_READONLY;
    return KJIT_OK;
}

/* Copies what the processor cannot reach, or must not write. */
static kjit_status make_reachable(const Counted *c, Reachable *r, kjit_arg *arg, bool read,
                                  bool written)
{
    if (arg->kind == KJIT_ARG_ARRAY) {
        uint32_t place = arg->as.array.flags & (KJIT_ON_DEVICE | KJIT_ON_HOST);
        bool far = place == KJIT_ON_DEVICE && !c->kernel->module->context->device->ops->host_memory;
        return read && (far || written) ? copy_array(c, r, &arg->as.array) : KJIT_OK;
    }
    if (arg->kind != KJIT_ARG_TUPLE || !arg->as.tuple.count)
        return KJIT_OK;
    size_t count = arg->as.tuple.count;
    kjit_arg *items = own(r, count * sizeof *items);
    if (!items)
        return error_memory();
    memcpy(items, arg->as.tuple.items, count * sizeof *items);
    arg->as.tuple.items = items;
    for (size_t i = 0; i < count; i++)
        KJIT_TRY(make_reachable(c, r, &items[i], read, written));
    return KJIT_OK;
}

/* ---- running -------------------------------------------------------------------------------- */

/* Which blocks of the grid are run: along each axis `blocks`, from `first` on, `step` apart. */
typedef struct Sample {
    int64_t first[3], step[3];
    uint32_t blocks[3];
} Sample;

static double block_count(const uint32_t blocks[3])
{
    return (double)blocks[0] * blocks[1] * blocks[2];
}

/* Blocks spread evenly, about as many as are wanted. */
static Sample choose_blocks(const uint32_t grid[3], double wanted)
{
    Sample sample = { .step = { 1, 1, 1 } };

    memcpy(sample.blocks, grid, sizeof sample.blocks);
    while (block_count(sample.blocks) > wanted) {
        int axis = 0;
        for (int i = 1; i < 3; i++)
            axis = sample.blocks[i] > sample.blocks[axis] ? i : axis;
        if (sample.blocks[axis] < 2)
            break;
        int64_t step = sample.step[axis] * 2, first = (step - 1) / 2;
        sample.step[axis] = step;
        sample.first[axis] = first < grid[axis] ? first : 0;
        sample.blocks[axis] = (uint32_t)((grid[axis] - 1 - sample.first[axis]) / step + 1);
    }
    return sample;
}

/* What the counting kernel is launched with; `args` has room for COUNT_PARAMS behind `count`. */
static void add_arguments(const Counted *c, const Sample *sample, kjit_arg *args, size_t count)
{
    int64_t length = c->count.count ? c->count.count : 1;

    for (int axis = 0; axis < 3; axis++) {
        args[count + (size_t)axis] = kjit_arg_int64(sample->first[axis]);
        args[count + 3 + (size_t)axis] = kjit_arg_int64(sample->step[axis]);
        args[count + 6 + (size_t)axis] = kjit_arg_int64(c->grid[axis]);
    }
    args[count + COUNT_SCALARS] =
        kjit_arg_array(kjit_host_array(c->counts, KJIT_DTYPE_INT64, 1, &length));
}

static kjit_status launch_sample(Counted *c, const LaunchRequest *asked, const Sample *sample,
                                 kjit_arg *args, size_t count)
{
    LaunchRequest request = *asked;
    Pack pack;

    memset(c->counts, 0, sizeof *c->counts * (size_t)c->count.count);
    memcpy(request.grid, sample->blocks, sizeof request.grid);
    add_arguments(c, sample, args, count);
    kjit_status status =
        pack_args(&pack, c->processor, NULL, c->spec, &request, args, count + COUNT_PARAMS);
    if (status == KJIT_OK) {
        launch_set_params(&request, &pack);
        status = c->processor->ops->launch(c->processor, c->spec->code, &request);
    }
    pack_free(&pack, c->processor);
    return status;
}

/* How long the process's threads have run, all together. */
static double processor_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Runs all blocks, or as many as there is time for: first a few, then by how long these took more,
** until that was long enough to tell. While a thread waits for a processor time does not count, so
** that what is counted does not depend on how busy the machine is. */
static kjit_status run(Counted *c, const LaunchRequest *asked, kjit_arg *args, size_t count,
                       Sample *sample)
{
    double all = block_count(c->grid), wanted = c->count.together ? all : PROBED, passed, blocks;

    do {
        *sample = choose_blocks(c->grid, wanted);
        double begin = clock_ms(), worked = processor_ms();
        KJIT_TRY(launch_sample(c, asked, sample, args, count));
        passed = fmin(clock_ms() - begin, processor_ms() - worked);
        blocks = block_count(sample->blocks);
        wanted = BUDGET_MS / (passed > 1e-3 ? passed : 1e-3) * blocks;
    } while (blocks < all && passed < BUDGET_MS / 4 && wanted > blocks);
    return KJIT_OK;
}

/* ---- adding up ------------------------------------------------------------------------------ */

/* The bytes of an array's elements, those that are one counted once. */
static uint64_t distinct_bytes(const kjit_arg *arg)
{
    uint64_t bytes = 0;

    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        bytes += distinct_bytes(&arg->as.tuple.items[i]);
    if (arg->kind != KJIT_ARG_ARRAY)
        return bytes;
    const kjit_array *array = &arg->as.array;
    bytes = kjit_array_count(array) ? kjit_array_itemsize(array) : 0;
    for (int axis = 0; axis < array->rank; axis++)
        bytes *= array->strides[axis] ? (uint64_t)array->shape[axis] : 1;
    return bytes;
}

static uint64_t scaled(uint64_t number, double scale)
{
    return scale == 1 ? number : (uint64_t)llround((double)number * scale);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What parameter `param` had done to it. */
static void add_param(const Counted *c, int param, const kjit_arg *arg, double scale,
                      kjit_work *work)
{
    uint64_t loads = 0, stores = 0, atomics = 0;

    for (int i = 0; i < c->count.count; i++) {
        uint64_t times = (uint64_t)c->counts[i];
        loads += times * c->count.works[i].loads[param];
        stores += times * c->count.works[i].stores[param];
        atomics += times * c->count.works[i].atomics[param];
    }
    loads = scaled(loads, scale);
    stores = scaled(stores, scale);
    atomics = scaled(atomics, scale);
    uint64_t most = arg ? distinct_bytes(arg) : UINT64_MAX;
    work->load_bytes += loads;
    work->store_bytes += stores;
    work->atomic_bytes += atomics;
    work->least_bytes += lesser(loads + atomics, most) + lesser(stores + atomics, most);
}

static void add_up(const Counted *c, const Sample *sample, const kjit_arg *args, kjit_work *work)
{
    double all = block_count(c->grid), run_blocks = block_count(sample->blocks);
    double scale = run_blocks >= all ? 1 : all / run_blocks;
    uint64_t flops[COUNT_WIDTHS] = { 0 };

    for (int i = 0; i < c->count.count; i++) {
        for (int width = 0; width < COUNT_WIDTHS; width++)
            flops[width] += (uint64_t)c->counts[i] * c->count.works[i].flops[width];
    }
    work->float16_ops = scaled(flops[0], scale);
    work->float32_ops = scaled(flops[1], scale);
    work->float64_ops = scaled(flops[2], scale);
    for (int param = 0; param <= c->count.params; param++)
        add_param(c, param, param < c->count.params ? &args[param] : NULL, scale, work);
    work->blocks = (uint64_t)all;
    work->counted_blocks = (uint64_t)run_blocks;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static kjit_status count_launch(Counted *c, const kjit_launch_config *config, const kjit_arg *args,
                                size_t count, Reachable *r, kjit_work *work)
{
    LaunchRequest asked = { 0 };
    Sample sample;

    KJIT_TRY(compile_watched(c));
    KJIT_TRY(launch_check_config(config, c->processor, c->spec, &asked));
    memcpy(c->grid, asked.grid, sizeof c->grid);
    r->args = own(r, (count + COUNT_PARAMS) * sizeof *r->args);
    if (!r->args)
        return error_memory();
    if (count)
        memcpy(r->args, args, count * sizeof *r->args);
    for (size_t i = 0; i < count; i++) {
        bool writes = c->count.whole && c->spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        KJIT_TRY(make_reachable(c, r, &r->args[i], c->count.whole || c->count.reads[i], writes));
    }
    KJIT_TRY(run(c, &asked, r->args, count, &sample));
    add_up(c, &sample, args, work);
    return KJIT_OK;
}

static kjit_status open_processor(Counted *c, const kjit_arg *args, size_t count)
{
    const kjit_kernel *kernel = c->kernel;
    uint32_t words[KEY_MAX];
    int length;

    KJIT_TRY(check_count(kernel, count));
    if (kernel->module->compiled)
        return error_set(KJIT_UNSUPPORTED,
                         "error: what %s does cannot be counted: it comes from a binary",
                         kernel->info->name);
    KJIT_TRY(signature_pack(args, count, kernel->param_names, words, &length));
    c->spec = specialisation_new(words, length, 0);
    if (!c->spec)
        return error_memory();
    KJIT_TRY(device_cpu_open(kernel->module->context->device->cache, &c->processor));
    c->processor->watch = &kernel->module->context->watch;
    return KJIT_OK;
}

kjit_status kjit_count_work(kjit_kernel *kernel, const kjit_launch_config *config,
                            const kjit_arg *args, size_t count, kjit_work *work)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Counted c = { .kernel = kernel };
    kjit_work all = { .size = work->size };
    Reachable reachable = { 0 };
    kjit_launch_config room;

    launch_clear_report();
    KJIT_TRY(launch_check_size(config));
    arena_init(&c.arena, NULL);
    kjit_status status = open_processor(&c, args, count);
    if (status == KJIT_OK)
        status = count_launch(&c, config_read(config, &room), args, count, &reachable, &all);
    let_go(&reachable);
    memory_free(c.counts);
    watch_settle(&kernel->module->context->watch);
    if (c.spec && c.spec->code)
        c.processor->ops->unload(c.processor, c.spec->code);
    if (c.processor)
        c.processor->ops->close(c.processor);
    if (c.spec)
        specialisation_free(c.spec);
    arena_free(&c.arena);
    if (status == KJIT_OK)
        SIZED_GIVE(work, &all);
    return status;
}

double kjit_roof(const kjit_work *work, const kjit_peaks *peaks, const char **what)
{
    const struct {
        const char *what;
        double amount, peak; /* 1e6 of them are done in a millisecond at 1e9 a second */
    } limits[] = {
        { "memory", (double)work->least_bytes, peaks->copy_gbs },
        { "float32", (double)work->float32_ops, peaks->float32_gflops },
        { "float64", (double)work->float64_ops, peaks->float64_gflops },
    };
    double roof = 0;

    *what = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(limits); i++) {
        double ms = limits[i].peak > 0 ? limits[i].amount / limits[i].peak / 1e6 : 0;
        if (ms > roof) {
            roof = ms;
            *what = limits[i].what;
        }
    }
    return roof;
}
