/* Arguments as copies on a device. Arrays that overlap are parts of one block of memory, of which
** there is one copy. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/measure.h"
#include "cli/measure/memory.h"

enum { ALIGNED = 64 }; /* what distances from a multiple of it are kept */

typedef struct Block {
    uintptr_t from, to;  /* in the caller's memory */
    kjit_array memory;   /* allocated for the copy, which begins at `copy` */
    char *copy;          /* NULL: not there yet */
    kjit_array pristine; /* on a GPU what the copy held at first; no data: not there */
    bool tried;          /* to have that */
} Block;

struct DeviceArgs {
    kjit_context *context;
    const kjit_arg *given;
    kjit_arg *list;
    size_t count;
    Block *blocks; /* by their addresses */
    size_t block_count;
};

/* ---- the memory that arguments use ---------------------------------------------------------- */

typedef void ArrayAction(DeviceArgs *copies, kjit_array *array);

/* Every array of an argument, those in tuples too. */
static void each_array(DeviceArgs *copies, kjit_arg *arg, ArrayAction *action)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        action(copies, &arg->as.array);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        each_array(copies, (kjit_arg *)&arg->as.tuple.items[i], action);
}

/* From the first byte that an array's elements use to behind the last. */
static Block span_of(const kjit_array *array)
{
    uintptr_t from = (uintptr_t)array->data, to = from;

    if (!kjit_array_count(array))
        return (Block){ .from = from, .to = to };
    to += kjit_array_itemsize(array);
    for (int axis = 0; axis < array->rank; axis++) {
        int64_t reach = (array->shape[axis] - 1) * array->strides[axis];
        if (reach < 0)
            from += (uintptr_t)reach;
        else
            to += (uintptr_t)reach;
    }
    return (Block){ .from = from, .to = to };
}

static void add_block(DeviceArgs *copies, kjit_array *array)
{
    size_t bytes = (copies->block_count + 1) * sizeof *copies->blocks;

    copies->blocks = must_grow(copies->blocks, bytes);
    copies->blocks[copies->block_count++] = span_of(array);
}

static int by_address(const void *a, const void *b)
{
    const Block *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void merge_blocks(DeviceArgs *copies)
{
    Block *blocks = copies->blocks;
    size_t kept = 0;

    if (copies->block_count)
        qsort(blocks, copies->block_count, sizeof *blocks, by_address);
    for (size_t i = 0; i < copies->block_count; i++) {
        if (kept &&
            (blocks[i].from < blocks[kept - 1].to || blocks[i].from == blocks[kept - 1].from)) {
            if (blocks[i].to > blocks[kept - 1].to)
                blocks[kept - 1].to = blocks[i].to;
        } else {
            blocks[kept++] = blocks[i];
        }
    }
    copies->block_count = kept;
}

/* The block that an array of the caller's lies in. */
static Block *block_of(const DeviceArgs *copies, const kjit_array *array)
{
    uintptr_t from = span_of(array).from;
    Block *found = copies->blocks;

    for (size_t i = 0; i < copies->block_count && copies->blocks[i].from <= from; i++)
        found = &copies->blocks[i];
    return found;
}

/* ---- copying -------------------------------------------------------------------------------- */

static kjit_array bytes_at(void *data, const Block *block, uint32_t flags)
{
    int64_t length = (int64_t)(block->to - block->from);
    kjit_array array = kjit_host_array(data, KJIT_DTYPE_UINT8, 1, &length);

    array.flags = flags;
    return array;
}

static kjit_array caller_bytes(const Block *block)
{
    return bytes_at((void *)block->from, block, 0); /* NOLINT: it is an address */
}

static kjit_array copied_bytes(const Block *block)
{
    return bytes_at(block->copy, block, KJIT_ON_DEVICE);
}

/* Copies a block's bytes in the order of a stream. */
static kjit_status copy_bytes(kjit_context *context, kjit_stream *stream, const kjit_array *to,
                              const kjit_array *from)
{
    return kjit_array_count(to) ? kjit_copy_on(context, stream, to, from) : KJIT_OK;
}

static kjit_status allocate(DeviceArgs *copies, Block *block)
{
    int64_t room = (int64_t)(block->to - block->from) + 2 * ALIGNED;
    kjit_status status =
        kjit_array_new(copies->context, KJIT_DTYPE_UINT8, 1, &room, NULL, &block->memory);
    if (status != KJIT_OK)
        return status;
    char *memory = block->memory.data;
    uintptr_t aligned = ((uintptr_t)memory + ALIGNED - 1) / ALIGNED * ALIGNED;
    block->copy = memory + (aligned - (uintptr_t)memory) + block->from % ALIGNED;
    return KJIT_OK;
}

/* An array becomes one in the copy of its block. */
static void move_array(DeviceArgs *copies, kjit_array *array)
{
    const Block *block = block_of(copies, array);

    array->data = block->copy + ((uintptr_t)array->data - block->from);
    array->flags = (array->flags & KJIT_READONLY) | KJIT_ON_DEVICE;
}

/* Lists of arguments, of those in tuples too, of our own. */
static kjit_arg *copy_list(const kjit_arg *args, size_t count)
{
    kjit_arg *list = must_alloc(count * sizeof *list);

    for (size_t i = 0; i < count; i++) {
        list[i] = args[i];
        if (args[i].kind == KJIT_ARG_TUPLE)
            list[i].as.tuple.items = copy_list(args[i].as.tuple.items, args[i].as.tuple.count);
    }
    return list;
}

static void free_list(kjit_arg *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == KJIT_ARG_TUPLE)
            free_list((kjit_arg *)list[i].as.tuple.items, list[i].as.tuple.count);
    }
    free(list);
}

/* ---- what is offered ------------------------------------------------------------------------ */

kjit_status device_args_new(kjit_context *context, const kjit_arg *args, size_t count,
                            DeviceArgs **made)
{
    DeviceArgs *copies = must_alloc(sizeof *copies);
    kjit_status status = KJIT_OK;

    *copies = (DeviceArgs){ .context = context, .given = args, .count = count };
    copies->list = copy_list(args, count);
    for (size_t i = 0; i < count; i++)
        each_array(copies, &copies->list[i], add_block);
    merge_blocks(copies);
    for (size_t i = 0; i < copies->block_count && status == KJIT_OK; i++)
        status = allocate(copies, &copies->blocks[i]);
    for (size_t i = 0; i < copies->block_count && status == KJIT_OK; i++) {
        kjit_array to = copied_bytes(&copies->blocks[i]);
        kjit_array from = caller_bytes(&copies->blocks[i]);
        status = copy_bytes(context, NULL, &to, &from);
    }
    if (status == KJIT_OK)
        status = kjit_synchronize(context);
    *made = status == KJIT_OK ? copies : NULL;
    if (status != KJIT_OK) {
        device_args_free(copies);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        each_array(copies, &copies->list[i], move_array);
    return KJIT_OK;
}

void device_args_free(DeviceArgs *copies)
{
    if (!copies)
        return;
    for (size_t i = 0; i < copies->block_count; i++) {
        kjit_array_free(copies->context, &copies->blocks[i].memory);
        kjit_array_free(copies->context, &copies->blocks[i].pristine);
    }
    free(copies->blocks);
    free_list(copies->list, copies->count);
    free(copies);
}

const kjit_arg *device_args_list(const DeviceArgs *copies)
{
    return copies->list;
}

static bool on_gpu(const DeviceArgs *copies)
{
    return !strncmp(kjit_device_name(copies->context), "cuda", 4);
}

/* Keeps a copy on the GPU of what the caller's memory holds; without room it does not, and does not
** try again. */
static void keep_pristine(DeviceArgs *copies, Block *block)
{
    kjit_array from = caller_bytes(block);

    block->tried = true;
    if (kjit_to_device(copies->context, &from, &block->pristine) != KJIT_OK)
        block->pristine = (kjit_array){ 0 };
}

static void mark_block(const DeviceArgs *copies, const kjit_arg *arg, bool *marks)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        marks[block_of(copies, &arg->as.array) - copies->blocks] = true;
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        mark_block(copies, &arg->as.tuple.items[i], marks);
}

/* The blocks of all arguments, or of those that `which` names. The caller's. */
static bool *mark_blocks(const DeviceArgs *copies, const uint32_t *which)
{
    bool *marks = must_alloc(copies->block_count * sizeof *marks);

    for (size_t i = 0; i < copies->count; i++) {
        if (!which || which[i])
            mark_block(copies, &copies->given[i], marks);
    }
    return marks;
}

/* A copy of the copy, which is quicker than another one of the host's. */
static kjit_status keep_as_it_is(DeviceArgs *copies, Block *block)
{
    kjit_array now = copied_bytes(block);

    block->tried = true;
    if (kjit_array_new(copies->context, KJIT_DTYPE_UINT8, 1, now.shape, NULL, &block->pristine) !=
        KJIT_OK) {
        block->pristine = (kjit_array){ 0 };
        return KJIT_OK;
    }
    return copy_bytes(copies->context, NULL, &block->pristine, &now);
}

kjit_status device_args_keep(DeviceArgs *copies, const uint32_t *which)
{
    bool *marks = mark_blocks(copies, which);
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < copies->block_count && status == KJIT_OK; i++) {
        if (marks[i] && on_gpu(copies) && !copies->blocks[i].tried)
            status = keep_as_it_is(copies, &copies->blocks[i]);
    }
    free(marks);
    return status;
}

kjit_status device_args_restore(DeviceArgs *copies, kjit_stream *stream, const uint32_t *which)
{
    bool *marks = mark_blocks(copies, which);
    kjit_status status = KJIT_OK;

    for (size_t i = 0; i < copies->block_count && status == KJIT_OK; i++) {
        Block *block = &copies->blocks[i];
        if (!marks[i])
            continue;
        if (on_gpu(copies) && !block->tried)
            keep_pristine(copies, block);
        kjit_array to = copied_bytes(block);
        kjit_array from = block->pristine.data ? block->pristine : caller_bytes(block);
        status = copy_bytes(copies->context, stream, &to, &from);
    }
    free(marks);
    return status;
}
