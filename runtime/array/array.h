/* Arrays and scalars of the host: their layout, views, copies, files and text, and the types of
** arguments as keys. */
#pragma once

#include "runtime/runtime.h"

/* ---- signature.c ---------------------------------------------------------------------- */

enum { KEY_MAX = 1024 };

/* A key under construction. */
typedef struct KeyWriter {
    uint32_t *key;
    int length;
    const char *name; /* of the argument at hand */
} KeyWriter;

/* Appends a word; KJIT_ARGUMENT where the key is full. */
kjit_status key_push(KeyWriter *key, uint32_t word);

/* Packs the types of arguments into words that are equal exactly if the types are. Checks what
** can be checked of an argument alone. `name` says what to call argument i. */
kjit_status signature_pack(const kjit_arg *args, size_t count, const char *const *names,
                           uint32_t key[KEY_MAX], int *length);
/* The same of types that a user wrote. KJIT_ARGUMENT for one that no argument has. */
kjit_status signature_pack_types(const Signature *signature, const char *const *names,
                                 uint32_t key[KEY_MAX], int *length);
/* Whether a kernel compiled for the types of `wanted` may be called with the arguments, whose types
** are `given`, a key of the same length: the same types but for the layout of arrays where strides
** are passed, and for what may not be written. */
bool signature_accepts(const uint32_t *wanted, const uint32_t *given, const kjit_arg *args,
                       size_t count);
/* The types again. */
Signature signature_unpack(Arena *arena, Types *types, const uint32_t *key, int length);
const Type *dtype_type(kjit_dtype dtype);
kjit_dtype type_dtype(const Type *type);

/* ---- dtype.c ---------------------------------------------------------------------------- */

/* The bytes of an element, 0 if its dtype makes no sense. */
size_t array_item_bytes(const kjit_array *array);
/* Whether it is a datetime64 or timedelta64. */
bool dtype_is_time(kjit_dtype dtype);
bool dtype_same_record(const kjit_record *a, const kjit_record *b);
/* Whether a record that a caller describes makes sense; `name` is the array's. */
kjit_status dtype_check_record(const kjit_record *record, const char *name);
/* A record that makes sense as words of a key, and as a type again. */
kjit_status dtype_pack_record(KeyWriter *key, const kjit_record *record);
const Type *dtype_unpack_record(Arena *arena, Types *types, const uint32_t *key, int *at);
/* The description of a record type, one block to be memory_free()d; NULL without memory. */
kjit_record *dtype_make_record(const Type *type);

/* ---- layout.c --------------------------------------------------------------------------- */

/* The layout that an array has for kernels. */
ArrayLayout array_layout(const kjit_array *array);
/* Whether its elements also lie as those of a column-major array. */
bool array_is_columns(const kjit_array *array);
/* What stands around a name in a message: nothing around "the array", which is no name. */
const char *quote_around(const char *name);
#define QUOTED(name) quote_around(name), name, quote_around(name)
/* Whether it is row-major, has elements, and makes sense, which is quickly seen of most arrays.
** Only then are the bytes of all elements counted. */
bool array_is_plain(const kjit_array *array, uint64_t *bytes);
/* Whether rank, dtype, extents and strides make sense; counts the bytes of all elements. */
bool array_check(const kjit_array *array, const char *name, uint64_t *bytes);
/* Whether the elements, in whatever order, are all the bytes that the array spans. It has some. */
bool array_is_dense(const kjit_array *array);
/* Whether no two elements of an array share a byte, as the strides show: each is beyond what those
** that are smaller span. Arrays that are not regular tilings may be taken to share some. */
bool strides_are_apart(int rank, const int64_t *shape, const int64_t *strides, uint64_t item);
/* How many elements it has; the array is checked. */
int64_t array_elements(const kjit_array *array);
/* The first byte of an array and the one behind its last, data being at address 0. */
void array_span(const kjit_array *array, int64_t *low, int64_t *high);

/* ---- view.c ----------------------------------------------------------------------------- */

/* An index counted from the end if negative; false if there is no such element. */
bool index_wrap(int64_t *index, int64_t count);
/* The extents of a reshape, -1 filled in; false if they hold another number of elements. */
bool shape_fit(int64_t *shape, int rank, int64_t count);

/* ---- scalar.c --------------------------------------------------------------------------- */

/* Writes a scalar as an element of its dtype, and reads one. */
void scalar_store(const kjit_arg *scalar, void *to);
kjit_arg scalar_load(kjit_dtype dtype, const void *from);
/* The same number in another dtype: integers wrap, floats are truncated towards zero. */
kjit_arg scalar_cast(const kjit_arg *scalar, kjit_dtype dtype);
bool dtype_is_float(kjit_dtype dtype);
bool dtype_is_complex(kjit_dtype dtype);

/* ---- copy.c ----------------------------------------------------------------------------- */

/* Copies between arrays of one dtype and shape that are checked, in the order of a stream. If that
** is `recorded` into a graph, nothing passes through memory that goes away. */
kjit_status copy_arrays(Device *device, void *stream, bool recorded, const kjit_array *to,
                        const kjit_array *from);

/* ---- array.c ---------------------------------------------------------------------------- */

/* Strides of an array whose rows (or columns) lie whole. */
void array_set_strides(kjit_array *array, bool columns);
/* The view of one field of an array of records; its rank is within bounds. */
kjit_array array_field(const kjit_array *array, const kjit_field *field);
/* Copies elements; both are host memory, of one dtype and shape. */
void array_copy(const kjit_array *to, const kjit_array *from);

/* Memory for elements, aligned to 64 bytes; `*block` is what to memory_free(). Zeroed unless
** `poison`, which fills it with 0xA5 up to a megabyte. A size no machine has is a message like any
** other. */
kjit_status block_alloc(uint64_t bytes, bool poison, void **block, void **data);
/* Frees a block: one of block_alloc() if `mapped` is 0, else so many bytes of a mapped file. */
void block_release(void *block, size_t mapped);

/* ---- descr.c ---------------------------------------------------------------------------- */

enum { DESCR_TYPESTR = 32 };

/* The dtype that a type code like "<f4" names, KJIT_DTYPE_NONE if none; `*swapped`: it is
** big-endian. */
kjit_dtype descr_dtype(const char *descr, bool *swapped);
/* The type code; "|V12" of records. */
void descr_typestr(kjit_dtype dtype, const kjit_record *record, char *out, size_t size);
/* The same in quotes; of records the list of their fields, if that can be written: no two may share
** bytes. */
void descr_put(Buf *out, kjit_dtype dtype, const kjit_record *record);
bool descr_can_list(const kjit_record *record);
/* "(3, 4)", "(3,)", "()" */
void descr_put_shape(Buf *out, const int64_t *shape, int rank);

/* ---- npy.c ------------------------------------------------------------------------------ */

/* What is wrong with a file, as an error. */
kjit_status file_bad(const char *file, const char *fact);

/* An array in memory of its own, which lies in `block`. */
typedef struct LoadedArray {
    void *block;
    size_t mapped;       /* as for block_release() */
    kjit_record *record; /* of its elements, a memory_alloc()ed block too, or NULL */
    kjit_array array;
} LoadedArray;

/* Reads a .npy file; a member of a .npz one, the only one if `key` is NULL; raw elements, with
** rank -1 for all of them in one axis. */
kjit_status npy_load(const char *path, LoadedArray *out);
/* The same of a .npy file, which is mapped where that can be, as a private copy: a page is read
** when it is used. The file is not to be written in place meanwhile. Else as npy_load(). */
kjit_status npy_map(const char *path, LoadedArray *out);
/* The same of what such a file holds; messages call it `file`. */
kjit_status npy_parse(const char *file, const char *text, size_t length, LoadedArray *out);
kjit_status npz_load(const char *path, const char *key, LoadedArray *out);
/* Numbers in a text, float64: a line a row; of one column an array of one axis. */
kjit_status text_load(const char *path, LoadedArray *out);
kjit_status raw_load(const char *path, kjit_dtype dtype, int rank, const int64_t *shape,
                     LoadedArray *out);
/* The elements row by row: the array's own, or in `*block`, which is to be memory_free()d. */
kjit_status array_packed(const kjit_array *array, void **block, const void **data);
/* What stands in front of the elements of a .npy file, which lie row by row or column by column. */
char *npy_header(Arena *arena, const kjit_array *array, bool columns, size_t *length);

/* ---- picture.c, png.c -------------------------------------------------------------------- */

typedef struct PictureShape {
    int64_t width, height, channels; /* 1 to 4: grey, colours, and how opaque it is */
    bool wide;                       /* of uint16 */
} PictureShape;

/* Whether a path ends as those of pictures do that can be read and written. */
bool picture_is_named(const char *path);
kjit_status picture_load(const char *path, LoadedArray *out);
/* The array for a picture, with room for its elements. */
kjit_status picture_alloc(const char *file, const PictureShape *shape, LoadedArray *out);
kjit_status png_parse(const char *file, const char *text, size_t length, LoadedArray *out);
kjit_status png_save(const char *path, const PictureShape *shape, const void *data);
