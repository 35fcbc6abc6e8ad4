/* Values from text, inside: the evaluator's view of them. */
#pragma once

#include "runtime/array/array.h"

/* Memory that arrays lie in. What no value points into any more is swept after each change. */
typedef struct ValueBlock {
    struct ValueBlock *next;
    void *raw;
    size_t mapped; /* as for block_release() */
    char *begin, *end;
    bool used;
} ValueBlock;

/* The description of records that some arrays hold, kept as long as the values. */
typedef struct ValueRecord {
    struct ValueRecord *next;
    kjit_record *record;
} ValueRecord;

typedef struct NamedValue {
    char *name;
    kjit_arg arg; /* a tuple's items are memory_alloc()ed */
} NamedValue;

struct kjit_values {
    HandleHead self;
    NamedValue *list;
    size_t count, capacity;
    ValueBlock *blocks;
    ValueRecord *records;
    const kjit_module *module; /* whose constants texts may name, or NULL */
};

typedef enum ValueKind {
    VALUE_MISSING,
    VALUE_ARG,
    VALUE_DTYPE,
    VALUE_STRING,
    VALUE_NONE
} ValueKind;

/* What an expression can come to. A tuple's items lie in the arena. */
typedef struct Value {
    ValueKind kind;
    Span span;
    kjit_arg arg;
    kjit_dtype dtype;
    const kjit_record *record; /* of the dtype, or NULL */
    const char *text;
} Value;

/* An evaluation: where names come from, where memory and complaints go. */
typedef struct Eval {
    Arena *arena;
    Diags *diags;
    kjit_values *values;
    const char *directory;     /* NULL: the working directory */
    const kjit_module *module; /* whose constants are visible, or NULL */
    kjit_status status;        /* what a failure is, if not a wrong expression */
    int depth;                 /* of constants that dtypes name */
    /* names that go before all others; NULL: there are none */
    bool (*look)(const void *context, const char *name, Value *out);
    const void *look_context;
} Eval;

/* ---- values.c ------------------------------------------------------------------------------- */

/* Frees all that values own, as kjit_values_close() does. */
void values_clear(kjit_values *values);
/* Sets a value, whose arrays lie in a block of the values'. */
kjit_status values_put(kjit_values *values, const char *name, const kjit_arg *arg);
/* Takes over the descriptions of records that others keep. */
void values_take_records(kjit_values *values, kjit_values *from);

/* The parts of a launch that an @example can say. */
enum { EXAMPLE_GRID = 1, EXAMPLE_BLOCK = 2, EXAMPLE_SHARED = 4 };

/* The expression of the @example's grid, block or shared; NULL if it has none. */
const AstExpr *example_config_text(const kjit_kernel *kernel, const char *name);
/* As kjit_example_config(), of some parts alone and with the names that `eval` looks up. */
kjit_status example_config(Eval *eval, const kjit_kernel *kernel, unsigned parts,
                           kjit_launch_config *config);

/* ---- runtime/program/value/value.c ----------------------------------------------------------- */

/* Evaluates an expression as programs are; false after a complaint. */
bool value_eval(Eval *eval, const AstExpr *expr, Value *out);

/* ---- value.c: false after a complaint ------------------------------------------------------- */

/* A value as an integer; and as a shape, which is an integer or a tuple of them. */
bool value_integer(Eval *eval, const Value *value, int64_t *integer);
bool value_shape(Eval *eval, const Value *value, int64_t shape[KJIT_RANK_MAX], int *rank);
/* Whether a value counts as true. */
bool value_truth(Eval *eval, Span span, const Value *value, bool *truth);
/* What the module means by a name, or NULL. */
const AstExpr *value_constant(const Eval *eval, const char *name);

/* ---- arith.c ----------------------------------------------------------------------------- */

/* a op b for scalars; false if the operator has no such operands. */
/* Of signed integers of 64 bits; false where these do not hold the result, or it is no integer. */
bool value_integers(AstOp op, int64_t a, int64_t b, int64_t *out);
bool value_binary(AstOp op, const kjit_arg *a, const kjit_arg *b, kjit_arg *out);
bool value_unary(AstOp op, const kjit_arg *a, kjit_arg *out);

/* ---- record.c ----------------------------------------------------------------------------- */

/* The dtype called that, NumPy's and Python's names included; KJIT_DTYPE_NONE if none is. */
kjit_dtype value_dtype_named(const char *name);
/* The dtype that an expression writes out, a list of fields too. */
bool value_dtype(Eval *eval, const AstExpr *expr, Value *out);
/* Takes over a description, NULL too; NULL if there is no memory. */
const kjit_record *value_keep_record(kjit_values *values, kjit_record *record);
/* Sets every number in a record. */
void fill_record(const kjit_record *record, void *to, const kjit_arg *scalar);

/* ---- fill.c, random.c --------------------------------------------------------------------- */

/* Each fills a contiguous array, with as many threads as that is worth. */
void fill_scalar(const kjit_array *array, const kjit_arg *scalar);
void fill_range(const kjit_array *array, const kjit_arg *start, const kjit_arg *step);
void fill_line(const kjit_array *array, double start, double stop, bool endpoint);
void fill_normal(const kjit_array *array, uint64_t seed, double mean, double deviation);
void fill_uniform(const kjit_array *array, uint64_t seed, double low, double high);
void fill_integers(const kjit_array *array, uint64_t seed, int64_t low, uint64_t range);

/* A part is what one thread fills at a time, a chunk what it makes before it stores it. Both are
** even, and a part a power of 2. */
enum { FILL_CHUNK = 1024, FILL_PART = 1 << 16 };

typedef struct FillPart {
    int64_t begin, end; /* elements */
} FillPart;

/* How many parts an array has, and the elements of one. */
int64_t fill_parts(const kjit_array *array);
FillPart fill_part(const kjit_array *array, int64_t part);
/* Numbers to elements [first, first + count). */
void store_numbers(const kjit_array *array, int64_t first, const double *numbers, int64_t count);
void store_integers(const kjit_array *array, int64_t first, const int64_t *integers, int64_t count);

/* ---- path.c ------------------------------------------------------------------------- */

/* Whether a file of that name is read as text with numbers. */
bool path_is_text(const char *path);
/* Whether a value is a path and not an expression: it begins like one, or ends like a file of data,
** which can be read or not, and calls nothing. */
bool path_stands_alone(const char *text, size_t length);
/* What to say of a file that is neither .npy nor .npz, when nothing was said of what lies in it. */
const char *path_refused(Arena *arena, const char *path);
