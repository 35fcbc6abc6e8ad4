/* From a call's arguments to the parameters that codegen.h lists.
**
** On a device with memory of its own, host arrays get there first: arrays whose bytes overlap share
** one copy of the span they cover, so that they overlap there too; a span is copied in if the
** kernel accesses it at all (what it writes may be a part), unless it overwrites every array in it
** whole. What comes back are the elements of the arrays that it writes: other threads of the
** program may write what lies between them meanwhile. */
#include "runtime/launch/pack.h"
#include "runtime/launch/variant.h"
#include "runtime/array/array.h"

/* ---- sizes ----------------------------------------------------------------------------- */

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
    return arg->as.tuple.count ? round_up(size, arg_align(arg)) : 1;
}

size_t arg_arrays(const kjit_arg *arg)
{
    size_t count = arg->kind == KJIT_ARG_ARRAY;

    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        count += arg_arrays(&arg->as.tuple.items[i]);
    return count;
}

/* Slots that any argument needs at the most; as many parameters suffice. */
static size_t slots_for(const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return 2 + 2 * KJIT_RANK_MAX;
    size_t bytes = arg_size(arg);

    return (bytes > 16 ? round_up(bytes, 16) : 16) / 8 + 2;
}

/* ---- host arrays on a device of their own ---------------------------------------------------- */

static void add_array_span(Pack *pack, const kjit_array *array, int access, bool whole)
{
    int64_t low, high;

    if (array->flags & KJIT_ON_DEVICE)
        return;
    array_span(array, &low, &high);
    if (low == high)
        return;
    pack->spans[pack->span_count++] = (HostSpan){ .low = (char *)array->data + low,
                                                  .high = (char *)array->data + high,
                                                  .access = access,
                                                  .unwritten = array->flags & KJIT_UNWRITTEN,
                                                  .whole = whole };
}

static void add_spans(Pack *pack, const kjit_arg *arg, int access, bool whole)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        add_array_span(pack, &arg->as.array, access, whole);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_spans(pack, &arg->as.tuple.items[i], access, false);
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
        last->whole = last->whole && span->whole;
        last->unwritten = last->unwritten && span->unwritten;
        last->shared = last->shared || span->low != last->low;
    }
    pack->span_count = pack->span_count ? kept + 1 : 0;
}

/* Device memory of the pack's own, there until the stream is done with the launch. */
static kjit_status get_memory(Device *device, const Pack *pack, size_t bytes, Block *block)
{
    *block = (Block){ .bytes = bytes, .ordered = true };
    return device->ops->alloc(device, block, pack->stream);
}

static kjit_status copy_in(Device *device, const Pack *pack, const HostSpan *span, size_t bytes)
{
    CopyRequest request = { .to = (char *)span->block.memory + span->offset,
                            .from = span->low,
                            .from_host = true,
                            .width = bytes,
                            .height = 1,
                            .unwritten = span->unwritten,
                            .stream = pack->stream };

    return device->ops->copy(device, &request);
}

static kjit_status copy_out(Device *device, const Pack *pack, void *to, const void *from,
                            size_t bytes)
{
    CopyRequest request = {
        .to = to, .from = from, .to_host = true, .width = bytes, .height = 1, .stream = pack->stream
    };

    return device->ops->copy(device, &request);
}

/* Device memory for a span, filled if what it holds may show. */
static kjit_status place_span(Device *device, const Pack *pack, HostSpan *span)
{
    size_t bytes = (size_t)(span->high - span->low);

    /* Arrays of several types may share a span: keep the alignment each has on the host. A lone
    ** array starts at the block's own. */
    span->offset = span->shared ? (ptrdiff_t)((uintptr_t)span->low & 15) : 0;
    KJIT_TRY(get_memory(device, pack, bytes + (size_t)span->offset, &span->block));
    if (span->access == ACCESS_NONE || span->whole)
        return KJIT_OK;
    report_current()->bytes_in += bytes;
    return copy_in(device, pack, span, bytes);
}

static kjit_status place_spans(Device *device, Pack *pack)
{
    for (int i = 0; i < pack->span_count; i++)
        KJIT_TRY(place_span(device, pack, &pack->spans[i]));
    return KJIT_OK;
}

/* Where the kernel finds an array's first element. */
static uint64_t device_address(const Pack *pack, const kjit_array *array)
{
    const char *data = array->data;

    for (int i = 0; i < pack->span_count && !(array->flags & KJIT_ON_DEVICE); i++) {
        const HostSpan *span = &pack->spans[i];
        if (data >= span->low && data < span->high)
            return (uint64_t)(uintptr_t)((char *)span->block.memory + span->offset +
                                         (data - span->low));
    }
    return (uint64_t)(uintptr_t)data;
}

/* The same, with no array of nothing pointing into host memory. */
static uint64_t array_address(const Pack *pack, const Device *device, const kjit_array *array)
{
    int64_t low, high;

    if (array->flags & KJIT_ON_DEVICE)
        return (uint64_t)(uintptr_t)array->data;
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

/* An argument as parameters; an array's strides are among them if it is `strided`. */
static void pack_arg(Pack *pack, const Device *device, const kjit_arg *arg, bool strided)
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
    for (int i = 0; strided && i < array->rank; i++)
        pack_word(pack, (uint64_t)array->strides[i]);
}

static kjit_status pack_init(Pack *pack, const kjit_arg *args, size_t count)
{
    size_t slots = 2 + HIDDEN_MAX + EXACT_ARRAYS + MAP_MOST * MAP_BYTES / 8, arrays = 0;

    for (size_t i = 0; i < count; i++) {
        slots += slots_for(&args[i]);
        arrays += arg_arrays(&args[i]);
    }
    pack->used = pack->count = 0;
    pack->span_count = 0;
    pack->fault.memory = NULL;
    pack->sum_count = 0;
    pack->rounded = 0;
    pack->slots = slots <= FEW_SLOTS ? pack->few_slots : memory_alloc(8 * slots);
    pack->params = slots <= FEW_SLOTS ? pack->few_params : memory_alloc(sizeof(void *) * slots);
    pack->spans =
        arrays <= FEW_SPANS ? pack->few_spans : memory_alloc(sizeof *pack->spans * arrays);
    return pack->slots && pack->params && pack->spans ? KJIT_OK : error_memory();
}

static void release_memory(Pack *pack, Device *device)
{
    error_quiet(true);
    for (int i = 0; i < pack->span_count; i++) {
        if (pack->spans[i].block.memory)
            device->ops->release(device, &pack->spans[i].block, pack->stream);
    }
    if (pack->fault.memory)
        device->ops->release(device, &pack->fault, pack->stream);
    error_quiet(false);
}

void pack_free(Pack *pack, Device *device)
{
    if (pack->span_count || pack->fault.memory)
        release_memory(pack, device);
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
    KJIT_TRY(get_memory(device, pack, sizeof(KjitFault), &pack->fault));
    return device->ops->zero(device, pack->fault.memory, sizeof(KjitFault), pack->stream);
}

kjit_status pack_fault(Pack *pack, Device *device, KjitFault *fault)
{
    KJIT_TRY(copy_out(device, pack, fault, pack->fault.memory, sizeof *fault));
    return device->ops->stream_synchronize(device, pack->stream);
}

/* Parameters for sums that are kept exactly: what they point to comes with the launch. */
static void pack_sums(Pack *pack, const Specialisation *spec, const kjit_arg *args)
{
    for (int i = 0; i < spec->sum_count; i++) {
        const kjit_array *array = &args[spec->sums[i].param].as.array;
        uint64_t elements = 1;
        for (int axis = 0; axis < array->rank; axis++)
            elements *= (uint64_t)array->shape[axis];
        pack->rounded = elements > pack->rounded ? elements : pack->rounded;
        pack->sums[pack->sum_count++] = elements * (uint64_t)spec->sums[i].words * 8;
        pack_word(pack, 0);
    }
}

static kjit_status pack_map(Pack *pack, Device *device, const IrHidden *map, const kjit_arg *args)
{
    const kjit_array *array = &args[map->axis].as.array;
    MapRequest request = { .memory = (void *)(uintptr_t)array_address(pack, device, array),
                           .shape = array->shape,
                           .rank = array->rank,
                           .along = map->along,
                           .rows = map->rows,
                           .size = kjit_dtype_bytes(array->dtype) };
    void *room = next_param(pack, MAP_BYTES);

    if (device->ops->map)
        return device->ops->map(device, &request, room);
    memset(room, 0, MAP_BYTES);
    return KJIT_OK;
}

static kjit_status pack_hidden(Pack *pack, Device *device, const Specialisation *spec,
                               const LaunchRequest *request, const kjit_arg *args)
{
    for (int i = 0; i < spec->hidden_count; i++)
        if (spec->hidden[i].kind == HIDDEN_MAP)
            KJIT_TRY(pack_map(pack, device, &spec->hidden[i], args));
        else
            pack_word(pack, hidden_value(spec, i, request, args));
    return KJIT_OK;
}

/* Whether an argument is a host array that the launch overwrites whole. */
static bool is_overwritten(const Specialisation *spec, size_t i, const LaunchRequest *request,
                           const kjit_arg *args)
{
    return args[i].kind == KJIT_ARG_ARRAY && !(args[i].as.array.flags & KJIT_ON_DEVICE) &&
           !request->checked && covers_whole(&spec->covers, i, request, args);
}

kjit_status pack_args(Pack *pack, Device *device, void *stream, const Specialisation *spec,
                      const LaunchRequest *request, const kjit_arg *args, size_t count)
{
    pack->stream = stream;
    KJIT_TRY(pack_init(pack, args, count));
    if (!device->ops->host_memory) {
        for (size_t i = 0; i < count; i++)
            add_spans(pack, &args[i], spec->access[i], is_overwritten(spec, i, request, args));
        merge_spans(pack);
        KJIT_TRY(place_spans(device, pack));
    }
    if (spec->debug)
        KJIT_TRY(place_fault(pack, device));
    for (size_t i = 0; i < count; i++)
        pack_arg(pack, device, &args[i], spec->strided[i]);
    KJIT_TRY(pack_hidden(pack, device, spec, request, args));
    if (spec->debug)
        pack_word(pack, (uint64_t)(uintptr_t)pack->fault.memory);
    if (device_is_gpu(device))
        pack_sums(pack, spec, args);
    return KJIT_OK;
}

/* ---- what comes back --------------------------------------------------------------------- */

/* A span on its way back. */
typedef struct Fetch {
    const HostSpan *span;
    bool whole;   /* some array that is written has every byte of it */
    char *staged; /* else its bytes, to take elements from */
} Fetch;

static bool in_span(const HostSpan *span, const kjit_array *array)
{
    const char *data = array->data;
    int64_t low, high;

    array_span(array, &low, &high);
    return !(array->flags & (KJIT_ON_DEVICE | KJIT_READONLY)) && low != high && data >= span->low &&
           data < span->high;
}

static void look_for_whole(Fetch *fetch, const kjit_array *array)
{
    int64_t low, high;

    array_span(array, &low, &high);
    if (high - low == fetch->span->high - fetch->span->low && array_is_dense(array))
        fetch->whole = true;
}

static void take_elements(Fetch *fetch, const kjit_array *array)
{
    kjit_array staged = *array;

    staged.data = fetch->staged + ((char *)array->data - fetch->span->low);
    array_copy(array, &staged);
}

/* Calls `visit` for every array of an argument that lies in the span and may be written. */
static void each_array(Fetch *fetch, const kjit_arg *arg,
                       void (*visit)(Fetch *, const kjit_array *))
{
    if (arg->kind == KJIT_ARG_ARRAY && in_span(fetch->span, &arg->as.array))
        visit(fetch, &arg->as.array);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        each_array(fetch, &arg->as.tuple.items[i], visit);
}

static void each_written(Fetch *fetch, const Specialisation *spec, const kjit_arg *args,
                         size_t count, void (*visit)(Fetch *, const kjit_array *))
{
    for (size_t i = 0; i < count; i++) {
        if (spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC))
            each_array(fetch, &args[i], visit);
    }
}

static kjit_status fetch_span(Device *device, const Pack *pack, const HostSpan *span,
                              const Specialisation *spec, const kjit_arg *args, size_t count)
{
    Fetch fetch = { .span = span };
    const char *from = (char *)span->block.memory + span->offset;
    size_t bytes = (size_t)(span->high - span->low);

    report_current()->bytes_out += bytes;
    each_written(&fetch, spec, args, count, look_for_whole);
    if (fetch.whole)
        return copy_out(device, pack, span->low, from, bytes);
    fetch.staged = memory_alloc(bytes);
    if (!fetch.staged)
        return error_memory();
    kjit_status status = copy_out(device, pack, fetch.staged, from, bytes);
    if (status == KJIT_OK)
        status = device->ops->stream_synchronize(device, pack->stream);
    if (status == KJIT_OK)
        each_written(&fetch, spec, args, count, take_elements);
    memory_free(fetch.staged);
    return status;
}

kjit_status pack_fetch(const Pack *pack, Device *device, const Specialisation *spec,
                       const kjit_arg *args, size_t count)
{
    for (int i = 0; i < pack->span_count; i++) {
        if (pack->spans[i].access & (ACCESS_WRITE | ACCESS_ATOMIC))
            KJIT_TRY(fetch_span(device, pack, &pack->spans[i], spec, args, count));
    }
    return KJIT_OK;
}
