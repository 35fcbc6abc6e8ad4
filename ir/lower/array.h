/* Arrays: attributes, indices, views, stores; records, whose arrays they are; constant arrays; and
** their methods. */
#pragma once

#include "ir/lower/lower.h"

/* ---- value/attribute.c, array/array.c -------------------------------------------------------- */

Operand lower_attribute(FnState *f, const AstExpr *expr);
/* array.name; x.flags.c_contiguous and x.ctypes.data, `part` being x.flags. */
Operand array_attribute(FnState *f, IrValue *array, const AstExpr *expr);
Operand part_attribute(FnState *f, Operand part, const AstExpr *expr);
Operand array_transposed(FnState *f, IrValue *array, Span span);
IrValue *array_shape(FnState *f, IrValue *array, Span span); /* a tuple */
IrValue *array_extent(FnState *f, IrValue *array, int axis, Span span);
IrValue *array_stride(FnState *f, IrValue *array, int axis, Span span); /* bytes */
IrValue *array_size(FnState *f, IrValue *array, Span span);             /* elements */
/* The element of an array without axes, which stands for it where numbers are needed; else the
** value. */
IrValue *array_single(FnState *f, IrValue *value);

/* ---- array/index.c -------------------------------------------------------------------------- */

Operand lower_index(FnState *f, const AstExpr *expr);
/* The object and the indices of `object[indices]`, in Python's order; false after a complaint. */
bool lower_subscript(FnState *f, const AstExpr *expr, Operand *object, Operand **indices,
                     int *count);
/* Whether all indices are values, one an axis: neither slices nor None nor '...'. */
bool indices_plain(const Operand *operands, int count);
/* Integer indices for every axis of an array, cast; NULL after a complaint. `floats` lets floats
** be truncated, as numba's atomics do. The second takes as many as there are. */
IrValue **lower_indices(FnState *f, IrValue *array, Operand index, bool floats, int *count);
IrValue **cast_indices(FnState *f, const Operand *operands, int count, bool floats);
/* One index as int64 or uint64; NULL after a complaint. */
IrValue *cast_index(FnState *f, Operand operand, bool floats);
/* Complains of too many indices, or too few, of an array, in the expression `at` if that is not
** NULL. */
void fail_index_count(FnState *f, const AstExpr *at, const IrValue *array, int count, Span span);
/* Says where what cannot be indexed has its type from: from an assignment or, a parameter, from the
** call. */
void note_parameter(FnState *f, const AstExpr *object, const IrValue *value);
/* Says of what type the call has made the parameter that an array is, or is a part of. */
void note_whole(FnState *f, const IrValue *part);
IrValue *lower_load(FnState *f, IrValue *array, IrValue **indices, Span span);
/* Row `index` of an array: an element, or a view of the other axes. */
IrValue *lower_row(FnState *f, IrValue *array, IrValue *index, Span span);
/* Under debug: reports indices that are out of range. The indices may be given variables. */
void lower_bounds(FnState *f, IrValue *array, IrValue **indices, Span span);
void lower_bound(FnState *f, IrValue *array, int axis, IrValue **index, Span span);

/* ---- array/store.c -------------------------------------------------------------------------- */

void lower_store(FnState *f, const AstExpr *target, Operand value);
void lower_aug_assign(FnState *f, const AstStmt *stmt);

/* ---- array/view.c ------------------------------------------------------------------------- */

/* The view that these indices give. */
Operand lower_view(FnState *f, IrValue *array, const Operand *operands, int count, Span span);

/* The extent of a view where the view itself says it, else NULL. */
IrValue *view_extent(FnState *f, IrValue *array, int axis, Span span);

/* ---- array/fill.c ------------------------------------------------------------------------- */

/* Loops inside one another, one an axis, from 0 up to `extents`. Between open and close, statements
** go into the innermost; `at` holds the counters. */
typedef struct Nest {
    IrRegion *outer;
    IrValue *at[RANK_MAX];
    int rank;
} Nest;

void nest_open(FnState *f, Nest *nest, IrValue *const *extents, int rank, Span span);
void nest_close(FnState *f, const Nest *nest);
/* An array whose place no statement changes: calls and indices that read memory are done once. */
IrValue *stable_array(FnState *f, IrValue *array);
void stable_extents(FnState *f, IrValue *array, IrValue **extents, Span span);
/* An element that was read as the value that it is to kernels: floats of 8 bits are float32. */
IrValue *array_read(FnState *f, IrValue *element);
/* An element read or written, without a check of the indices: int64 or uint64, one an axis. */
IrValue *array_element(FnState *f, IrValue *array, IrValue *const *indices, Span span);
/* What to write where a value cannot be stored in elements of a type; "" if nothing helps. */
const char *store_advice(const Type *from, const Type *element);
/* ---- array/characters.c ---------------------------------------------------------------------- */

/* Whether a value refers to a text of fixed length, an element of an array of characters. */
bool is_characters(const IrValue *value);
/* Bytes that are indexed or gone through are an array of uint8 that is only read. */
void characters_settle(FnState *f, Operand *operand);
/* An element of a constant array, of zeros so far: the text that an expression is; false after a
** complaint. */
bool characters_put(FnState *f, unsigned char *to, const Type *type, const AstExpr *expr);
/* Stores a text, written out or another such, in one, cut off or filled up with zeros. */
void characters_store(FnState *f, IrValue *to, const Operand *from, Span span);
/* A comparison of two, of which one may be written out; poison after a complaint. */
IrValue *characters_compare(FnState *f, AstOp op, const Operand *left, const Operand *right,
                            Span span);
/* Without the zeros behind it. */
IrValue *characters_length(FnState *f, IrValue *characters, Span span);
/* The byte at an index. */
Operand characters_index(FnState *f, IrValue *characters, IrValue **indices, Span span);

void array_store(FnState *f, IrValue *array, IrValue *const *indices, IrValue *value, Span span);
/* view[...] = source and view[...] op= source; the source is a number, an array or a tuple. */
void lower_fill(FnState *f, IrValue *view, IrValue *source, Span span);
void lower_fill_op(FnState *f, IrValue *view, AstOp op, IrValue *source, Span span);

/* ---- array/overlap.c ------------------------------------------------------------------------ */

/* Whether two arrays may share elements; whether there is an order in which to assign one to the
** other so that none is written before it is read. */
bool views_may_overlap(const FnState *f, const IrValue *view, const IrValue *source);
bool views_can_be_ordered(const FnState *f, const IrValue *view, const IrValue *source);

/* ---- array/record.c ------------------------------------------------------------------------ */

/* The type that an expression names, constants of the module included; NULL after a complaint. */
const Type *lower_type(FnState *f, const AstExpr *expr);
/* The same of a signature's types. */
bool lower_signature(FnState *f, const AstExpr *expr, const char **name, Signature *signature);
/* The call np.dtype(...), numba.from_dtype(...) or record(...): a type. */
Operand lower_dtype(FnState *f, const AstExpr *expr);
/* Whether a value is an array of records, or a reference to one record. */
bool is_of_records(const IrValue *value);
/* Field `index` of such a value, an array: without axes if it is one thing. */
IrValue *lower_field(FnState *f, IrValue *array, int index, Span span);
/* What stands for a field where it is read: its one element, unless that is a record. */
IrValue *lower_field_value(FnState *f, IrValue *field, Span span);
/* Whether what stands in brackets behind `array` is to name a field; and that field, poison after a
** complaint. */
bool names_field(const IrValue *array, const Operand *indices, int count);
IrValue *lower_field_at(FnState *f, IrValue *array, Operand index);
/* Complains that there is no such field. */
void lower_no_field(FnState *f, const IrValue *array, const char *name, Span span);

/* ---- call/memory.c --------------------------------------------------------------------------- */

/* The name of a shared or local array until it is assigned to one. */
#define UNNAMED_ARRAY "array"
/* The scalar type that a dtype argument names; NULL after a complaint. */
const Type *dtype_argument(FnState *f, const Operand *dtype);

/* ---- array/method.c, array/reduce.c ---------------------------------------------------------- */

/* Has the value a method of that name? */
bool is_method(FnState *f, const IrValue *value, const char *name, Span span);
/* The attribute or method of an array or number that is spelled most like `name`, as the end of a
** message: empty if none is. */
const char *attribute_advice(FnState *f, const IrValue *value, const char *name);
/* array.name(...) */
Operand lower_method(FnState *f, const Call *call, IrValue *array, const char *name);
/* An array as one axis, rows after one another; NULL where its elements do not lie so. */
IrValue *array_flat(FnState *f, IrValue *array, Span span);
/* The real or imaginary parts of a complex array, as an array. */
IrValue *array_part(FnState *f, IrValue *array, bool imag, Span span);
/* The methods of array/reduce.c; and whether a reduction has arguments, or elements, that it cannot
** have, which is complained of. */
bool reduction_refused(FnState *f, const Call *call, IrValue *array);
Operand lower_sum(FnState *f, const Call *call, IrValue *array);
Operand lower_extreme(FnState *f, const Call *call, IrValue *array);
Operand lower_all(FnState *f, const Call *call, IrValue *array);

/* ---- array/walk.c ---------------------------------------------------------------------------- */

/* x.flat */
Operand lower_flat(FnState *f, IrValue *array, Span span);
/* How many iterations a loop over it takes, and what iteration `counter`, int64, gives. */
IrValue *walk_length(FnState *f, const Operand *walk, Span span);
IrValue *walk_item(FnState *f, const Operand *walk, IrValue *counter, Span span);
/* The indices of element number `counter`, the last axis running fastest. */
void walk_indices(FnState *f, const Operand *walk, IrValue *counter, IrValue **indices, Span span);

/* ---- array/table.c, array/table_value.c, array/table_compute.c ------------------------------- */

enum { TABLE_MAX = 1 << 20 }; /* bytes of a constant array */

/* The call np.array(...), np.zeros(...) and so on: a constant array, at module level only. */
Operand lower_table(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr);
/* A constant array of zeros, to be filled; NULL if it would be too big. */
IrTable *lower_table_new(Arena *arena, const Type *element, int rank, const int64_t *shape);
/* It as a value that belongs to no function. */
IrValue *lower_table_value(FnState *f, IrTable *table, Span span);
/* The same in the function at hand; tuples of them too, and other values as they are. */
IrValue *lower_table_in_function(FnState *f, IrValue *value);
/* What the constant `name` stands for: views of constant arrays become arrays of their own. */
IrValue *lower_table_settle(FnState *f, IrValue *value, const char *name);
/* An element that is known while compiling, or NULL. */
IrValue *lower_table_load(FnState *f, IrValue *array, IrValue *const *indices, Span span);
/* Writes a value to all that `view`, of the array `to`, looks at, repeated where it has fewer axes;
** false after a complaint. */
bool lower_table_assign(FnState *f, const TableView *view, const IrValue *to, IrValue *value);
/* The array that a list of known numbers is; NULL after a complaint. */
IrValue *lower_table_of(FnState *f, IrValue *tuple);
/* The same array with memory of its own. */
IrValue *lower_table_copy(FnState *f, IrValue *array);
/* An operation on whole arrays, by NumPy's rules, at module level. */
IrValue *lower_table_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_table_compare(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_table_part(FnState *f, IrValue *array, bool imag, Span span);
IrValue *lower_table_negated(FnState *f, IrValue *array, Span span);
IrValue *lower_table_inverted(FnState *f, IrValue *array, Span span);
/* array[picks], picks being an array of bools or integers: what it picks along the first axis, or
** of all where it has as many axes. */
Operand lower_table_pick(FnState *f, IrValue *array, IrValue *picks, Span span);
/* The numbers that such an array picks; -1 after a complaint. */
int table_picks(FnState *f, const IrValue *array, const IrValue *picks, int64_t **at, Span span);
/* A method of a constant array, and a function, NumPy's or Python's, of some, at module level;
** OPD_NONE if it is none that arrays are computed with. */
Operand lower_table_method(FnState *f, const Call *call, IrValue *array);
/* What the name of a callee ends in, or NULL. */
const char *lower_callee_name(const Operand *callee);
/* Notes that what a call has copied is a view in NumPy. */
void lower_table_note_view(const Call *call, const Operand *callee, const Operand *out);
Operand lower_table_function(FnState *f, const Call *call, const Operand *callee);
/* Complains that an array cannot be written to. */
void lower_readonly(FnState *f, const IrValue *array, Span span);
