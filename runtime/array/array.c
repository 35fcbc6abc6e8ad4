/* Arrays of host memory: allocation, and copies between layouts. */
#include "runtime/array/array.h"

#include <sys/mman.h>

enum { BLOCK_ALIGN = 64, POISON = 0xa5, POISONED = 1 << 20, LARGE = 1 << 22 };

/* Asks for pages of 2 MiB, as NumPy does: to touch memory for the first time takes a fifth of the
** time then. Systems that have none ignore it. */
static void ask_for_huge_pages(char *data, size_t bytes)
{
    enum { PAGE = 4096 };
    size_t skipped = -(uintptr_t)data % PAGE;

    if (bytes >= LARGE)
        (void)madvise(data + skipped, (bytes - skipped) / PAGE * PAGE, MADV_HUGEPAGE);
}

kjit_status block_alloc(uint64_t bytes, bool poison, void **block, void **data)
{
    *block = *data = NULL;
    KJIT_TRY(memory_room(NULL, bytes));
    size_t size = (size_t)bytes + BLOCK_ALIGN;
    /* Large zeroed memory is committed only when touched, which to poison all of it would be. */
    poison = poison && bytes <= POISONED;
    *block = poison ? memory_alloc(size) : memory_zeroed(size, 1);
    if (!*block)
        return memory_no_room(NULL, bytes);
    *data = (void *)(((uintptr_t)*block + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN);
    ask_for_huge_pages(*data, (size_t)bytes);
    if (poison)
        memset(*data, POISON, (size_t)bytes);
    return KJIT_OK;
}

void block_release(void *block, size_t mapped)
{
    if (mapped)
        munmap(block, mapped);
    else
        memory_free(block);
}

void array_set_strides(kjit_array *array, bool columns)
{
    int64_t stride = (int64_t)array_item_bytes(array);

    for (int i = 0; i < array->rank; i++) {
        int axis = columns ? i : array->rank - 1 - i;
        array->strides[axis] = stride;
        if (__builtin_mul_overflow(stride, array->shape[axis], &stride))
            stride = 0;
    }
}

kjit_array array_field(const kjit_array *array, const kjit_field *field)
{
    kjit_array view = *array;

    view.data = (char *)array->data + field->offset;
    view.dtype = field->dtype;
    view.record = field->record;
    view.rank = array->rank + field->rank;
    int64_t stride = (int64_t)array_item_bytes(&view);
    for (int i = field->rank; i-- > 0; stride *= field->shape[i]) {
        view.shape[array->rank + i] = field->shape[i];
        view.strides[array->rank + i] = stride;
    }
    return view;
}

kjit_array kjit_host_array(void *data, kjit_dtype dtype, int32_t rank, const int64_t *shape)
{
    kjit_array array = { .data = data, .dtype = dtype, .rank = rank };

    if (rank < 0 || rank > KJIT_RANK_MAX)
        return array; /* reported by the function that takes the array */
    if (rank)
        memcpy(array.shape, shape, sizeof *shape * (size_t)rank);
    array_set_strides(&array, false);
    return array;
}

/* Copies elements between arrays of one dtype and shape: axis by axis, the last one in a loop. */
static void copy_axis(int axis, int rank, const int64_t *shape, size_t bytes, char *to,
                      const int64_t *to_strides, const char *from, const int64_t *from_strides)
{
    if (axis == rank) {
        memcpy(to, from, bytes);
        return;
    }
    bool whole = axis == rank - 1 && to_strides[axis] == (int64_t)bytes &&
                 from_strides[axis] == (int64_t)bytes;
    if (whole) {
        memcpy(to, from, bytes * (size_t)shape[axis]);
        return;
    }
    for (int64_t i = 0; i < shape[axis]; i++)
        copy_axis(axis + 1, rank, shape, bytes, to + i * to_strides[axis], to_strides,
                  from + i * from_strides[axis], from_strides);
}

void array_copy(const kjit_array *to, const kjit_array *from)
{
    for (int i = 0; i < to->rank; i++) {
        if (to->shape[i] == 0)
            return;
    }
    copy_axis(0, to->rank, to->shape, array_item_bytes(to), to->data, to->strides, from->data,
              from->strides);
}
