/* Expressions of arrays that are not computed yet, and the kernels that compute them. */
#pragma once

#include "runtime/program/arrays.h"

enum { OPERANDS_MOST = 8, LEAVES_MOST = 32, FUSE_LEAST = 256 };
enum { FUSION_BLOCK = 256 }; /* threads of a block along a single axis */
enum { NUMBERS_MOST = LEAVES_MOST + 2 + KJIT_RANK_MAX };

struct HostExpression {
    HostObject head;
    const char *form; /* "%0 + %1" */
    kjit_dtype dtype; /* of the elements */
    kjit_dtype in;    /* that operands are brought to */
    int rank, count, leaves;
    int64_t shape[KJIT_RANK_MAX];
    HostValue operands[OPERANDS_MOST]; /* arrays, expressions, numbers */
};
typedef struct HostExpression HostExpression;

/* ---- array/expression.c --------------------------------------------------------------------- */

/* The tree of an operation; false after a complaint about shapes. */
bool expression_new(Program *p, const char *form, kjit_dtype in, kjit_dtype dtype,
                    const HostValue *operands, int count, HostValue *out);
/* a op b where one of them is an array; a comparison too. */
bool host_array_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_array_unary(Program *p, AstOp op, HostValue a, HostValue *out);
bool is_arrays(HostValue value);
/* The dtype and the shape of an array, an expression or a number. */
kjit_dtype operand_dtype(HostValue value);
int operand_shape(HostValue value, int64_t shape[KJIT_RANK_MAX]);
/* The shape as NumPy's messages of broadcasting have it, without blanks: "(2,3)". */
const char *shape_text(Program *p, HostValue value);
/* Makes a shape, with room for KJIT_RANK_MAX axes, the one that it and another are broadcast to;
** false: they cannot be. Source: NumPy's manual, "Broadcasting". */
bool shape_join(int *rank, int64_t *shape, int other_rank, const int64_t *other);
/* The shape that all operands are broadcast to; false after an error: there is none, or there are
** records among them. */
bool operands_shape(Program *p, const HostValue *operands, int count, int *rank,
                    int64_t shape[KJIT_RANK_MAX]);

/* ---- array/layout.c ------------------------------------------------------------------------- */

/* The axes of a value in memory, outermost first; of an expression, as NumPy's result has them. */
void axes_by_steps(HostValue value, int32_t order[KJIT_RANK_MAX]);
/* The same without one of them, and where each of the others, in its place, is in that order. */
void axes_without(HostValue value, int axis, int32_t order[KJIT_RANK_MAX],
                  int32_t back[KJIT_RANK_MAX]);
/* A new array for what the expression gives, with its axes in this order. */
bool host_array_for(Program *p, HostExpression *expression, HostArray **out);

/* ---- array/dense.c -------------------------------------------------------------------------- */

/* A view as a part of whole rows: of which axes of the view the indices are, and from where. */
typedef struct Dense {
    kjit_array rows; /* all of them */
    int count;       /* of its axes; 0: the view is taken as it is */
    int axis[KJIT_RANK_MAX];
    int64_t offset[KJIT_RANK_MAX];
} Dense;

/* False if the view's elements are not those of whole rows of the block. */
bool dense_of(const HostBlock *block, const kjit_array *view, Dense *dense);

/* ---- array/fuse.c --------------------------------------------------------------------------- */

/* What kernels are made of: the text of an element, and its parameters. */
typedef struct Fusion {
    Program *program;
    Buf params, element;
    Buf functions; /* that it calls, beside those that are found by their names */
    HostArray *arrays[LEAVES_MOST + 2];
    kjit_array views[LEAVES_MOST + 2]; /* of them, broadcast to the shape */
    int array_count;
    Dense dense[LEAVES_MOST + 2]; /* as which they are read */
    int param[LEAVES_MOST + 2];   /* the kernel's parameter that each is of */
    int param_count;
    Dense out;      /* as which the result is written */
    bool counted;   /* the extents that threads go over are numbers, else those of the result */
    int out_number; /* of the first of them */
    int shift_axis; /* of the view, along which */
    int64_t shift;  /* indices begin so many elements before it, where its rows begin */
    kjit_arg numbers[NUMBERS_MOST];
    int number_count;
    int rank; /* of what they are broadcast to */
    int64_t shape[KJIT_RANK_MAX];
    int operations;    /* that the element has */
    bool apart;        /* it is not computed where it belongs, but copied there */
    bool flat;         /* all lie row by row, and are one axis */
    const char *index; /* "i", "i0, i1" */
} Fusion;

/* Finds the leaves of a value, all broadcast to a shape. `out` is an array that is written in the
** same places, or NULL. */
bool fusion_begin(Fusion *fusion, Program *p, HostValue value, int rank, const int64_t *shape,
                  const HostArray *out);
/* The leaf that an array is; -1: it is none. */
int fusion_leaf(Fusion *fusion, const HostArray *array);
/* The text of an index along so many axes: "i0, i1". */
const char *fusion_indices(int rank);
/* For kernels whose text the caller writes: begins one over `rank` axes, without parameters. */
void fusion_empty(Fusion *fusion, Program *p, int rank);
/* Adds an array, seen as a view, as the next parameter; its number k, "a%d" in the text. */
int fusion_add(Fusion *fusion, HostArray *array, const kjit_array *view);
/* The kernel of a text, which is loaded once; NULL after a complaint. */
kjit_kernel *fusion_kernel(Program *p, const char *text);
/* Launches it: `out`, then the arrays, then the numbers; over so many threads along each axis. */
bool fusion_launch(Fusion *fusion, kjit_kernel *kernel, HostArray *out, const kjit_array *out_view,
                   const int64_t *threads, int axes);

/* The elements of an expression, in a new array. */
bool expression_array(Program *p, HostExpression *expression, HostArray **out);
/* Stores a number, an array or an expression in all of an array. */
bool expression_store(Program *p, HostValue value, HostArray *to);

/* ---- array/fuse_text.c ----------------------------------------------------------------------- */

/* Names the parameters, once all are added. */
void fusion_name(Fusion *fusion);
/* Threads go over these extents, which are parameters, and not over those of the result. */
void fusion_count(Fusion *fusion, const int64_t *extents);
/* Begins the text of a kernel with one thread an element: the last three axes by the grid, what is
** before them by loops. Returns how many spaces the lines of its body begin with. */
int fusion_elements(Fusion *fusion, Buf *text, const char *name);
/* Writes the element at `fusion->index`. */
void fusion_write(Fusion *fusion, HostValue value);
/* Begins the text of a kernel: what it imports, and the functions that the element calls. */
void fusion_head(Fusion *fusion, Buf *text);
/* The text of the kernel that stores the elements of a value as a dtype. */
const char *fusion_elementwise(Fusion *fusion, HostValue value, kjit_dtype dtype);

/* ---- array/ufunc.c -------------------------------------------------------------------------- */

typedef enum Gives { GIVES_SAME, GIVES_FLOAT, GIVES_BOOL, GIVES_ROUND } Gives;

/* Brings what is no number to an array or an expression. */
bool numpy_operand(Program *p, HostValue *value);
/* A function of elements; of numbers alone it gives a NumPy scalar. `args` may be NULL: what it is
** called with, its name and out= among that. */
bool numpy_apply(Program *p, const HostArgs *args, const char *form, Gives gives,
                 HostValue *operands, int count, HostValue *out);
/* Makes NumPy scalars of Python's numbers. */
void numpy_scalars(HostValue *values, int count);
/* out=: what comes of a function is stored there. */
bool store_out(Program *p, const HostArgs *args, HostValue *out);
/* The same of a function that is none of NumPy's, called `name` in messages. */
bool store_out_of(Program *p, const char *name, const HostArgs *args, HostValue *out);

/* ---- array/scalar.c ------------------------------------------------------------------------- */

/* A function of NumPy scalars, by its name, without a kernel; false if there is none of them. */
bool scalar_function(const char *name, const HostValue *operands, int count, HostValue *out);

/* ---- array/gather.c ------------------------------------------------------------------------- */

/* Whether an index is an array, or has one beside slices. */
bool gather_is(HostValue index);
bool host_gather_take(Program *p, HostArray *array, HostValue index, HostValue *out);
bool gather_put(Program *p, HostArray *array, HostValue index, HostValue value);
/* Where elements are true, an array an axis. */
bool gather_where(Program *p, HostArray *mask, HostArray *places[KJIT_RANK_MAX]);

/* ---- array/reductions.c --------------------------------------------------------------------- */

/* A value as one of another dtype. */
bool numpy_cast(Program *p, kjit_dtype dtype, HostValue *value);

/* ---- array/numpy.c -------------------------------------------------------------------------- */

/* What np.iinfo() and np.finfo() tell: bits, min, max, eps. */
bool host_limits_attribute(Program *p, kjit_dtype dtype, const char *name, HostValue *out);
bool host_array_product(Program *p, HostValue a, HostValue b, HostValue *out);

/* ---- array/sum.c ---------------------------------------------------------------------------- */

/* Whether NumPy adds the floats of a value along an axis by halves. */
bool sum_is_by_halves(HostValue value, int axis);
/* The tree with its axes, and its shape, as its elements lie in memory: NumPy goes over all so. */
bool in_order_of_memory(Program *p, HostValue value, int rank, int64_t *shape, HostValue *out);
/* The sum over that axis, which has elements as its result has; over all. */
bool sum_axis(Program *p, HostValue value, int axis, HostValue *out);
bool sum_all(Program *p, HostValue value, HostValue *out);

/* ---- array/reduce.c ------------------------------------------------------------------------- */

typedef enum Reduction {
    REDUCE_SUM,
    REDUCE_PROD,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_ANY,
    REDUCE_ALL,
    REDUCE_ARGMIN, /* over one axis of several */
    REDUCE_ARGMAX
} Reduction;

/* Over one axis, or with `axis` being rank over all. */
bool reduce(Program *p, Reduction what, HostValue value, int axis, HostValue *out);
/* Refuses the least or the greatest of complex numbers; false. */
bool reduce_unordered(Program *p);
/* What it is up to each element along an axis, in an array of a dtype: a row a thread. */
bool reduce_running(Program *p, Reduction what, HostArray *array, kjit_dtype dtype, int axis,
                    HostValue *out);
