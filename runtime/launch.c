/* From a call's arguments to a running kernel.
**
** An argument becomes the parameters that codegen.h lists. On a device with memory of its own,
** host arrays get there first: arrays whose bytes overlap share one copy of the span they cover,
** so that they overlap there too; a span is copied in if the kernel touches it at all (what it
** writes may be a part) and copied back only if it writes. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_SLOTS = 256, FEW_SPANS = 16 };

/* The bytes of one or more host arrays, and the device memory that stands for them. */
typedef struct HostSpan {
    char *low, *high;
    int access;
    bool shared;      /* by arrays that start at different places */
    char *data;       /* of the first array */
    void *block;      /* device memory */
    ptrdiff_t offset; /* of the span in it */
} HostSpan;

/* A launch's parameters as the entry takes them. */
typedef struct Pack {
    uint64_t *slots; /* values, eight bytes or a whole tuple each */
    size_t used;     /* slots */
    void **params;
    size_t count;
    HostSpan *spans;
    int span_count;
    KjitFault *fault; /* device address, NULL without debug */
    _Alignas(16) uint64_t few_slots[FEW_SLOTS];
    void *few_params[FEW_SLOTS];
    HostSpan few_spans[FEW_SPANS];
} Pack;

/* ---- sizes ----------------------------------------------------------------------------- */

static size_t round_up(size_t value, size_t align)
{
    return (value + align - 1) / align * align;
}

static size_t arg_align(const kjit_arg *arg)
{
    size_t align = 1;

    if (arg->kind == KJIT_ARG_SCALAR)
        return type_align(dtype_type(arg->dtype));
    if (arg->kind == KJIT_ARG_ARRAY)
        return 8;
    for (size_t i = 0; i < arg->as.tuple.count; i++) {
        size_t item = arg_align(&arg->as.tuple.items[i]);
        align = item > align ? item : align;
    }
    return align;
}

/* Bytes of an argument as a member of a struct. */
static size_t arg_size(const kjit_arg *arg)
{
    size_t size = 0;

    if (arg->kind == KJIT_ARG_SCALAR)
        return kjit_dtype_bytes(arg->dtype);
    if (arg->kind == KJIT_ARG_ARRAY)
        return 8 + 16 * (size_t)arg->as.array.rank;
    for (size_t i = 0; i < arg->as.tuple.count; i++) {
        const kjit_arg *item = &arg->as.tuple.items[i];
        size = round_up(size, arg_align(item)) + arg_size(item);
    }
    return round_up(size, arg_align(arg));
}

static int count_arrays(const kjit_arg *arg)
{
    int count = arg->kind == KJIT_ARG_ARRAY;

    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        count += count_arrays(&arg->as.tuple.items[i]);
    return count;
}

/* Slots that any argument needs at the most; as many parameters suffice. */
static size_t slots_for(const kjit_arg *arg)
{
    size_t bytes = arg_size(arg);

    return (bytes > 16 ? round_up(bytes, 16) : 16) / 8 + 2;
}

/* ---- host arrays on a device of their own ----------------------------------------------------- */

static void add_array_span(Pack *pack, const kjit_array *array, int access)
{
    int64_t low, high;

    array_span(array, &low, &high);
    if ((array->flags & KJIT_ON_DEVICE) || low == high)
        return;
    pack->spans[pack->span_count++] = (HostSpan){ .low = (char *)array->data + low,
                                                  .high = (char *)array->data + high,
                                                  .access = access,
                                                  .data = array->data };
}

static void add_spans(Pack *pack, const kjit_arg *arg, int access)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        add_array_span(pack, &arg->as.array, access);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_spans(pack, &arg->as.tuple.items[i], access);
}

static int by_address(const void *a, const void *b)
{
    const HostSpan *x = a, *y = b;

    return x->low < y->low ? -1 : x->low > y->low;
}

/* Joins spans that have bytes in common. */
static void merge_spans(Pack *pack)
{
    int kept = 0;

    if (pack->span_count > 1)
        qsort(pack->spans, (size_t)pack->span_count, sizeof *pack->spans, by_address);
    for (int i = 1; i < pack->span_count; i++) {
        HostSpan *last = &pack->spans[kept], *span = &pack->spans[i];
        if (span->low >= last->high) {
            pack->spans[++kept] = *span;
            continue;
        }
        last->high = span->high > last->high ? span->high : last->high;
        last->access |= span->access;
        last->shared = last->shared || span->data != last->data;
    }
    pack->span_count = pack->span_count ? kept + 1 : 0;
}

/* Device memory for a span, filled if the kernel looks at it. */
static kjit_status place_span(Device *device, HostSpan *span)
{
    size_t bytes = (size_t)(span->high - span->low);

    /* Arrays of several types may share a span: keep the alignment each has on the host. A lone
    ** array starts at the block's own. */
    span->offset = span->shared ? (ptrdiff_t)((uintptr_t)span->low & 15) : 0;
    KJIT_TRY(device->ops->alloc(device, bytes + (size_t)span->offset, &span->block));
    if (span->access == ACCESS_NONE)
        return KJIT_OK;
    report_current()->bytes_in += bytes;
    return device->ops->copy_in(device, (char *)span->block + span->offset, span->low, bytes);
}

static kjit_status place_spans(Device *device, Pack *pack)
{
    for (int i = 0; i < pack->span_count; i++)
        KJIT_TRY(place_span(device, &pack->spans[i]));
    return KJIT_OK;
}

static kjit_status fetch_spans(Device *device, Pack *pack)
{
    for (int i = 0; i < pack->span_count; i++) {
        HostSpan *span = &pack->spans[i];
        size_t bytes = (size_t)(span->high - span->low);
        if (!(span->access & (ACCESS_WRITE | ACCESS_ATOMIC)))
            continue;
        KJIT_TRY(
            device->ops->copy_out(device, span->low, (char *)span->block + span->offset, bytes));
        report_current()->bytes_out += bytes;
    }
    return KJIT_OK;
}

/* Where the kernel finds an array's first element. */
static uint64_t device_address(const Pack *pack, const kjit_array *array)
{
    const char *data = array->data;

    for (int i = 0; i < pack->span_count && !(array->flags & KJIT_ON_DEVICE); i++) {
        const HostSpan *span = &pack->spans[i];
        if (data >= span->low && data < span->high)
            return (uint64_t)(uintptr_t)((char *)span->block + span->offset + (data - span->low));
    }
    return (uint64_t)(uintptr_t)data;
}

/* The same, with no array of nothing pointing into host memory. */
static uint64_t array_address(const Pack *pack, const Device *device, const kjit_array *array)
{
    int64_t low, high;

    array_span(array, &low, &high);
    if (low == high)
        return 0;
    return device->ops->host_memory ? (uint64_t)(uintptr_t)array->data
                                    : device_address(pack, array);
}

/* ---- parameters ------------------------------------------------------------------------ */

/* An argument as the struct member that stands for it. */
static void store_member(const Pack *pack, const Device *device, const kjit_arg *arg, char *to)
{
    if (arg->kind == KJIT_ARG_SCALAR) {
        scalar_store(arg, to);
    } else if (arg->kind == KJIT_ARG_ARRAY) {
        const kjit_array *array = &arg->as.array;
        size_t axes = 8 * (size_t)array->rank;
        uint64_t address = array_address(pack, device, array);
        memcpy(to, &address, 8);
        memcpy(to + 8, array->shape, axes);
        memcpy(to + 8 + axes, array->strides, axes);
    } else {
        size_t at = 0;
        for (size_t i = 0; i < arg->as.tuple.count; i++) {
            const kjit_arg *item = &arg->as.tuple.items[i];
            at = round_up(at, arg_align(item));
            store_member(pack, device, item, to + at);
            at += arg_size(item);
        }
    }
}

/* Room for one value of `bytes`, which becomes the next parameter. */
static void *next_param(Pack *pack, size_t bytes)
{
    void *room = &pack->slots[pack->used];

    pack->params[pack->count++] = room;
    pack->used += bytes > 8 ? round_up(bytes, 16) / 8 : 1;
    return room;
}

static void pack_word(Pack *pack, uint64_t word)
{
    *(uint64_t *)next_param(pack, 8) = word;
}

static void pack_arg(Pack *pack, const Device *device, const kjit_arg *arg)
{
    if (arg->kind != KJIT_ARG_ARRAY) {
        size_t bytes = arg_size(arg);
        if (bytes > 8 && pack->used % 2)
            pack->used++;
        store_member(pack, device, arg, next_param(pack, bytes));
        return;
    }
    const kjit_array *array = &arg->as.array;
    pack_word(pack, array_address(pack, device, array));
    for (int i = 0; i < array->rank; i++)
        pack_word(pack, (uint64_t)array->shape[i]);
    for (int i = 0; i < array->rank && array_layout(array) == LAYOUT_A; i++)
        pack_word(pack, (uint64_t)array->strides[i]);
}

static kjit_status pack_init(Pack *pack, const kjit_arg *args, size_t count)
{
    size_t slots = 2, arrays = 0;

    for (size_t i = 0; i < count; i++) {
        slots += slots_for(&args[i]);
        arrays += (size_t)count_arrays(&args[i]);
    }
    pack->used = pack->count = 0;
    pack->span_count = 0;
    pack->fault = NULL;
    pack->slots = slots <= FEW_SLOTS ? pack->few_slots : memory_alloc(8 * slots);
    pack->params = slots <= FEW_SLOTS ? pack->few_params : memory_alloc(sizeof(void *) * slots);
    pack->spans =
        arrays <= FEW_SPANS ? pack->few_spans : memory_alloc(sizeof *pack->spans * arrays);
    return pack->slots && pack->params && pack->spans ? KJIT_OK : error_memory();
}

static void pack_free(Pack *pack, Device *device)
{
    for (int i = 0; i < pack->span_count; i++) {
        if (pack->spans[i].block)
            device->ops->release(device, pack->spans[i].block);
    }
    if (pack->fault)
        device->ops->release(device, pack->fault);
    if (pack->slots != pack->few_slots)
        memory_free(pack->slots);
    if (pack->params != pack->few_params)
        memory_free(pack->params);
    if (pack->spans != pack->few_spans)
        memory_free(pack->spans);
}

/* Memory that a debug kernel reports to. */
static kjit_status place_fault(Pack *pack, Device *device)
{
    KjitFault none = { 0 };
    void *memory;

    KJIT_TRY(device->ops->alloc(device, sizeof none, &memory));
    pack->fault = memory;
    return device->ops->copy_in(device, memory, &none, sizeof none);
}

/* Everything but the launch: memory on the device, and the parameters. */
static kjit_status pack_args(Pack *pack, Device *device, const Specialisation *spec,
                             const kjit_arg *args, size_t count)
{
    KJIT_TRY(pack_init(pack, args, count));
    if (!device->ops->host_memory) {
        for (size_t i = 0; i < count; i++)
            add_spans(pack, &args[i], spec->access[i]);
        merge_spans(pack);
        KJIT_TRY(place_spans(device, pack));
    }
    if (spec->debug)
        KJIT_TRY(place_fault(pack, device));
    for (size_t i = 0; i < count; i++)
        pack_arg(pack, device, &args[i]);
    if (spec->debug)
        pack_word(pack, (uint64_t)(uintptr_t)pack->fault);
    return KJIT_OK;
}

/* ---- checks --------------------------------------------------------------------------- */

static kjit_status check_axes(const char *what, const uint32_t sizes[3], const uint32_t limits[3],
                              const Device *device)
{
    static const char axes[] = "xyz";

    for (int i = 0; i < 3; i++) {
        if (sizes[i] == 0)
            return error_set(KJIT_ARGUMENT, "error: the %s has no %s in %c", what,
                             what[0] == 'g' ? "blocks" : "threads", axes[i]);
        if (sizes[i] > limits[i])
            return error_set(KJIT_ARGUMENT, "error: the %s is %u in %c, and %s allows %u there",
                             what, sizes[i], axes[i], device->name, limits[i]);
    }
    return KJIT_OK;
}

/* Fills a request from a configuration that the device allows. */
static kjit_status check_config(const kjit_launch_config *config, const Device *device,
                                const Specialisation *spec, LaunchRequest *request)
{
    const DeviceLimits *limits = &device->limits;

    for (int i = 0; i < 3; i++) {
        request->grid[i] = i && !config->grid[i] ? 1 : config->grid[i];
        request->block[i] = i && !config->block[i] ? 1 : config->block[i];
    }
    request->shared_bytes = config->shared_bytes;
    KJIT_TRY(check_axes("grid", request->grid, limits->grid, device));
    KJIT_TRY(check_axes("block", request->block, limits->block, device));
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2];
    if (threads > limits->threads)
        return error_set(KJIT_ARGUMENT,
                         "error: a block of %u x %u x %u is %llu threads, and %s allows %u",
                         request->block[0], request->block[1], request->block[2],
                         (unsigned long long)threads, device->name, limits->threads);
    if (config->shared_bytes > limits->shared ||
        spec->static_shared > limits->shared - config->shared_bytes)
        return error_set(
            KJIT_ARGUMENT,
            "error: %zu bytes of dynamic and %llu of static shared memory: %s allows %zu in "
            "all",
            config->shared_bytes, (unsigned long long)spec->static_shared, device->name,
            limits->shared);
    return KJIT_OK;
}

/* Whether any array in the argument is `flags`-less: host memory, or writable. */
static bool any_without(const kjit_arg *arg, uint32_t flag)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return !(arg->as.array.flags & flag);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++) {
        if (any_without(&arg->as.tuple.items[i], flag))
            return true;
    }
    return false;
}

/* A kernel that writes what its caller forbids is refused, whatever its types say. */
static kjit_status check_readonly(const kjit_kernel *kernel, const Specialisation *spec,
                                  const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool writes = spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        if (writes && args[i].kind == KJIT_ARG_ARRAY && !any_without(&args[i], KJIT_READONLY))
            return error_set(KJIT_ARGUMENT, "error: %s writes '%s', which is read-only",
                             kernel->info->name, kernel->param_names[i]);
    }
    return KJIT_OK;
}

/* ---- after the launch ------------------------------------------------------------------- */

/* Turns what a debug kernel left into an error. */
static kjit_status report_fault(const Specialisation *spec, const KjitFault *fault)
{
    if (!fault->code)
        return KJIT_OK;
    if (fault->code > (uint32_t)spec->fault_count)
        return error_set(KJIT_INTERNAL, "error: %s reported the unknown fault %u", spec->call,
                         fault->code);
    const FaultPlace *place = &spec->faults[fault->code - 1];
    char where[512] = "";
    if (place->file)
        snprintf(where, sizeof where, "%.400s:%u:%u: ", place->file, place->place.line,
                 place->place.column);
    return error_set(KJIT_FAULT, "%s%s in block (%u, %u, %u), thread (%u, %u, %u)", where,
                     place->message, fault->block[0], fault->block[1], fault->block[2],
                     fault->thread[0], fault->thread[1], fault->thread[2]);
}

static kjit_status check_fault(Device *device, const Specialisation *spec, const Pack *pack)
{
    KjitFault fault;

    if (!pack->fault)
        return KJIT_OK;
    KJIT_TRY(device->ops->synchronize(device));
    KJIT_TRY(device->ops->copy_out(device, &fault, pack->fault, sizeof fault));
    return report_fault(spec, &fault);
}

/* Launches what is packed and brings back what the host waits for. */
static kjit_status run(Device *device, const Specialisation *spec, Pack *pack,
                       LaunchRequest *request)
{
    double begin = pack->span_count ? clock_ms() : 0;

    request->params = pack->params;
    KJIT_TRY(device->ops->launch(device, spec->code, request));
    if (pack->span_count) {
        KJIT_TRY(device->ops->synchronize(device));
        report_current()->run_ms = clock_ms() - begin;
    }
    KJIT_TRY(fetch_spans(device, pack));
    return check_fault(device, spec, pack);
}

/* A kernel launch as a whole. */
static kjit_status launch(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, size_t count)
{
    Device *device = kernel->module->context->device;
    Specialisation *spec;
    LaunchRequest request;
    Pack pack;

    KJIT_TRY(dispatch(kernel, args, count, &spec));
    KJIT_TRY(check_config(config, device, spec, &request));
    KJIT_TRY(check_readonly(kernel, spec, args, count));
    pack.span_count = 0;
    kjit_status status = pack_args(&pack, device, spec, args, count);
    if (status == KJIT_OK)
        status = run(device, spec, &pack, &request);
    pack_free(&pack, device);
    return status;
}

static void clear_report(void)
{
    *report_current() = (kjit_report){ .size = sizeof(kjit_report) };
}

/* The configuration as this version of the header has it. */
static kjit_launch_config read_config(const kjit_launch_config *config)
{
    kjit_launch_config own = { .size = sizeof own };

    memcpy(&own, config, config->size < sizeof own ? config->size : sizeof own);
    return own;
}

kjit_status kjit_launch(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                        size_t count)
{
    kjit_launch_config own = read_config(config);

    clear_report();
    return launch(kernel, &own, args, count);
}

kjit_status kjit_compile(kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    Specialisation *spec;

    clear_report();
    return dispatch(kernel, args, count, &spec);
}

kjit_status kjit_access(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint32_t *access)
{
    Specialisation *spec;

    clear_report();
    KJIT_TRY(dispatch(kernel, args, count, &spec));
    for (size_t i = 0; i < count; i++) {
        int does = count_arrays(&args[i]) ? spec->access[i] : 0;
        access[i] = (does & (ACCESS_READ | ACCESS_ATOMIC) ? KJIT_READS : 0) |
                    (does & (ACCESS_WRITE | ACCESS_ATOMIC) ? KJIT_WRITES : 0);
    }
    return KJIT_OK;
}

kjit_status kjit_forall(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint64_t threads,
                        kjit_launch_config *config)
{
    Device *device = kernel->module->context->device;
    Specialisation *spec;
    int most, best;

    clear_report();
    if (threads == 0)
        return error_set(KJIT_ARGUMENT, "error: there is nothing to launch for 0 threads");
    KJIT_TRY(dispatch(kernel, args, count, &spec));
    KJIT_TRY(device->ops->block_limit(device, spec->code, config->shared_bytes, &most, &best));
    uint64_t blocks = threads / (uint64_t)best + (threads % (uint64_t)best != 0);
    if (blocks > device->limits.grid[0])
        return error_set(KJIT_ARGUMENT,
                         "error: %llu threads need %llu blocks of %d, and %s allows %u",
                         (unsigned long long)threads, (unsigned long long)blocks, best,
                         device->name, device->limits.grid[0]);
    memcpy(config->grid, (uint32_t[3]){ (uint32_t)blocks, 1, 1 }, sizeof config->grid);
    memcpy(config->block, (uint32_t[3]){ (uint32_t)best, 1, 1 }, sizeof config->block);
    return KJIT_OK;
}

/* ---- prepared launches ------------------------------------------------------------------ */

struct kjit_prepared {
    Device *device;
    Specialisation *spec;
    LaunchRequest request;
    Pack pack;
};

static kjit_status refuse_host_arrays(const kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (any_without(&args[i], KJIT_ON_DEVICE))
            return error_set(KJIT_ARGUMENT,
                             "error: '%s' is a host array, and a prepared launch copies nothing\n"
                             "note: kjit_to_device() makes a device array of it",
                             kernel->param_names[i]);
    }
    return KJIT_OK;
}

kjit_status kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                         const kjit_arg *args, size_t count, kjit_prepared **prepared)
{
    Device *device = kernel->module->context->device;
    kjit_launch_config own = read_config(config);
    Specialisation *spec;
    LaunchRequest request;

    *prepared = NULL;
    clear_report();
    KJIT_TRY(dispatch(kernel, args, count, &spec));
    KJIT_TRY(check_config(&own, device, spec, &request));
    KJIT_TRY(check_readonly(kernel, spec, args, count));
    if (!device->ops->host_memory)
        KJIT_TRY(refuse_host_arrays(kernel, args, count));
    kjit_prepared *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    made->device = device;
    made->spec = spec;
    made->request = request;
    kjit_status status = pack_args(&made->pack, device, spec, args, count);
    if (status != KJIT_OK) {
        kjit_close_prepared(made);
        return status;
    }
    made->request.params = made->pack.params;
    *prepared = made;
    return KJIT_OK;
}

kjit_status kjit_launch_prepared(kjit_prepared *prepared)
{
    Device *device = prepared->device;

    KJIT_TRY(device->ops->launch(device, prepared->spec->code, &prepared->request));
    if (!prepared->pack.fault)
        return KJIT_OK;
    kjit_status status = check_fault(device, prepared->spec, &prepared->pack);
    if (status == KJIT_FAULT)
        device->ops->copy_in(device, prepared->pack.fault, &(KjitFault){ 0 }, sizeof(KjitFault));
    return status;
}

void kjit_close_prepared(kjit_prepared *prepared)
{
    if (!prepared)
        return;
    pack_free(&prepared->pack, prepared->device);
    memory_free(prepared);
}
