/* Arrays, expressions of them, and kernels, in programs.
**
** Memory. An array is a view of a block, which has a copy on the host and, where the device has
** memory of its own, one there from when a kernel first needs it. The block has a flag for each
** that is current; copying happens where the other side is read (array/block.c).
**
** Expressions. `a + 0.1 * b` computes nothing: it is a HostExpression, a tree whose leaves are
** arrays and numbers, of a dtype and a shape that are known. Where its elements are needed it
** becomes one kernel: its text is written, loaded as a module, which is found again by the text,
** and launched (fuse.c). A reduction is a kernel of the same kind, with the tree inside its loop
** (reduce.c). */
#pragma once

#include "runtime/program/program.h"

typedef struct HostBlock {
    HostObject head;
    void *raw; /* host memory, to be freed by block_release(); NULL: it is not the array's own */
    size_t mapped; /* bytes of `raw` that are a mapped file; 0: it is plain memory */
    char *begin;   /* of it, aligned */
    uint64_t bytes;
    kjit_array device; /* its copy there; no data: there is none */
    bool host_current, device_current;
    bool unwritten; /* nothing was stored in it yet */
    int looks;      /* single elements that the host read since a kernel wrote to it */
    bool of_device; /* cuda.to_device() or its like made it: kernels that read it from around them
                       see what it holds then, and may write to it */
    bool spread; /* ranks of the program's group share it out: `host_current` tells of the host */
} HostBlock;

typedef struct HostArray {
    HostObject head;
    HostBlock *block;
    kjit_array view; /* its data is an address of the host's copy */
} HostArray;

/* ---- array/block.c -------------------------------------------------------------------------- */

/* A new array, zeroed or not, all of one block. False after a complaint. */
bool host_array_new(Program *p, kjit_dtype dtype, int rank, const int64_t *shape, bool zeroed,
                    HostArray **out);
/* The same with the elements of `like`, by columns or rows, zeroed or with odd bytes in them. */
bool host_array_like(Program *p, const kjit_array *like, int rank, const int64_t *shape,
                     bool columns, bool poison, HostArray **out);
/* A view of a block's memory. */
HostArray *host_array_of(Program *p, HostBlock *block, const kjit_array *view);
/* A block that has no memory yet: it is made first, so that memory always has an owner. */
HostBlock *block_new(Program *p);
/* Whether kernels can read its elements, which a field of packed records may prevent. */
bool view_is_aligned(const kjit_array *view);
/* Gives it memory of values, or of a file; `raw` is what to memory_free(). */
void block_adopt(Program *p, HostBlock *block, void *raw, void *begin, uint64_t bytes);
void block_free(Program *p, HostBlock *block);
/* Whether kernels work on the host's own copy. */
static inline bool host_shares(const Program *p)
{
    return p->context->device->ops->host_memory && !p->group;
}
/* Before the host reads, or writes, elements: waits for kernels that write them, fetches them. */
bool host_array_read(Program *p, const HostArray *array);
/* Before it reads only the first element of a view: may fetch that one alone. */
bool host_array_read_one(Program *p, const HostArray *array);
bool host_array_write(Program *p, HostArray *array);
/* The array as kernels get it; with `writes` what is on the host is not current any more. */
bool host_array_launch(Program *p, HostArray *array, kjit_array *out);
void host_array_launched(Program *p, HostArray *array, bool writes);

/* ---- array/arrays.c ------------------------------------------------------------------------- */

/* The array that a value is, or that is made of it: of a number, a list, an expression. */
bool host_array_from(Program *p, HostValue value, kjit_dtype dtype, HostArray **out);
/* The dtype that a value names: np.float32, "int8", float; NONE with false after a complaint. */
bool dtype_from(Program *p, HostValue value, kjit_dtype *dtype);
/* Whether its elements are numbers: no records, texts, times. */
bool dtype_has_numbers(kjit_dtype dtype);
/* An array's dtype as a value. */
HostValue dtype_value(kjit_dtype dtype, const kjit_record *record);
/* The same, or a record; into an array. */
bool element_from(Program *p, HostValue value, kjit_array *like);
/* The dtype of records that a list of fields says; `align`: they lie as in C. */
bool record_dtype(Program *p, HostValue list, bool align, HostValue *out);
/* What a dtype has under a name; false: nothing. */
bool dtype_attribute(Program *p, HostValue type, const char *name, HostValue *out);
/* dtype["x"], of the records that it is of. */
bool dtype_field(Program *p, const kjit_record *record, HostValue index, HostValue *out);
/* Complains of an array of records where numbers are needed; false. */
bool records_refused(Program *p);
/* Its fields, as NumPy prints them; what lies between them as fields without names. */
void record_dtype_text(Program *p, Buf *out, const kjit_record *record);
/* A shape: an int or a tuple of them. */
bool shape_from(Program *p, HostValue value, int64_t shape[KJIT_RANK_MAX], int *rank);
HostValue shape_value(Program *p, int rank, const int64_t *shape);
/* Element by element, in row-major order. */
HostValue host_array_element(const kjit_array *view, const int64_t *index);
bool index_next(const kjit_array *view, int64_t *index);
/* A row-major copy, of another dtype too. */
bool host_array_copy_as(Program *p, HostArray *from, kjit_dtype dtype, HostArray **out);

/* ---- array/layout.c: by rows 'C', by columns 'F', or 'K', as another array's axes lie ------- */

/* What argument `index`, or `order`, asks for; `plain` without it. "A" is 'F' if `like` lies by
** columns, else 'C'. */
bool host_array_layout(Program *p, const HostArgs *args, size_t index, char plain,
                       const kjit_array *like, char *layout);
/* Its axes in another order: a view. */
bool host_array_permute(Program *p, const int32_t *axes, HostArray **array);
/* Its axes in the opposite order: a view. */
bool host_array_transpose(Program *p, HostArray **array);
/* A view whose rows are what lies side by side in this layout of the array. */
bool host_array_in(Program *p, char layout, HostArray **array);
/* A new array of a shape, zeroed, with the elements of `element`. */
bool host_array_new_like(Program *p, const kjit_array *element, const kjit_array *like, char layout,
                         HostArray **out);
bool host_array_copy_in(Program *p, HostArray *from, kjit_dtype dtype, char layout,
                        HostArray **out);
/* A copy in place of an array that kernels cannot read: a field of packed records. */
bool host_array_aligned(Program *p, HostArray **array);
/* A number without axes as a NumPy scalar, others as they are. */
HostValue host_array_or_number(HostArray *array);
/* Its elements as a list of lists. */
bool host_array_list(Program *p, HostArray *array, HostValue *out);
bool host_array_attribute(Program *p, HostValue value, const char *name, HostValue *out);
/* layout.c: ndarray.flags, and one of them by its key or attribute; false: there is none such. */
HostValue host_flags(const kjit_array *view);
bool host_flag(HostValue flags, const char *name, bool key, HostValue *out);

/* ---- array/index.c -------------------------------------------------------------------------- */

/* array[index], a view, a copy or a number, as in NumPy; and array[index] = value. */
bool host_array_index(Program *p, HostArray *array, HostValue index, HostValue *out);
bool host_array_set_index(Program *p, HostArray *array, HostValue index, HostValue value);
/* Stores a value, broadcast, in all of an array. */
bool host_array_assign(Program *p, HostArray *to, HostValue value);

/* Whether what a ufunc gives may be stored in an array: none of a lesser kind, complex to bool. */
bool host_same_kind(Program *p, const char *ufunc, HostValue result, HostValue to);

/* The fields' names, a tuple. */
HostValue record_names(Program *p, const kjit_record *record);
/* Whether records are texts of a fixed length: a field of dtype "U5" is one, with the characters'
** numbers in a field of its own. */
bool record_is_text(const kjit_array *view);
/* The first of them, which is read: a text, or bytes. */
bool record_as_text(Program *p, const kjit_array *view, HostValue *out);
/* An array of such becomes one of texts, which compares and sorts; other values stay. */
bool record_texts(Program *p, HostValue *value);
/* (1, 2.5, [3, 4]): one record. */
void record_show(Program *p, Buf *out, HostArray *record);
/* Stores a tuple in each record of an array, or a list of as many. */
bool record_assign(Program *p, HostArray *to, HostValue value);
/* Stores records in others, of this dtype or another. */
bool record_copy(Program *p, HostArray *from, HostArray *to);
/* An array of them, of a list of tuples; one record of a tuple. */
bool record_array(Program *p, HostValue value, const kjit_array *like, HostArray **out);

/* ---- array/random.c -------------------------------------------------------------------------- */

/* What a function of np.random draws from, or a method of a RandomState or Generator. */
RandomSource *host_source(Program *p, const HostArgs *args);

/* ---- array/text.c --------------------------------------------------------------------------- */

/* As NumPy prints it: str(), or repr(). */
void host_array_text(Program *p, Buf *out, HostArray *array, bool repr);

extern const HostBuiltin array_methods[], make_functions[], create_functions[],
    elementwise_functions[], numpy_functions[], reduction_functions[], order_functions[],
    random_functions[], printing_functions[], pick_functions[], cuda_functions[];
