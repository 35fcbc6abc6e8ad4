/* The IR: a kernel for one list of argument types, typed and structured.
**
** A function is a region, a region a list of statements, and loops and branches hold regions:
** there is no control-flow graph. Statements hold trees of values. A value inside a tree is
** free of effects, but may read memory; what writes, synchronises, prints or calls a function
** that does stands alone as the whole value of an IR_SET or IR_EVAL, so the order of statements
** is the order of effects. Casts are explicit: the operands of an operation have the types its
** row in ops.def demands. Variables are mutable and have one type each; where numba's typing
** gives one name several types there are several variables of that name.
**
** Every node has its place in the source. ir_verify() says what else holds. */
#pragma once

#include "ir/cover.h"
#include "ir/launch.h"
#include "ir/types/types.h"
#include "parser/parser.h"

typedef struct IrValue IrValue;
typedef struct IrStmt IrStmt;
typedef struct IrFunc IrFunc;

typedef enum IrOp {
#define OP(name, operands, result, effect) OP_##name,
#include "ir/ops.def"
    OP_COUNT
} IrOp;

typedef enum IrIntrinsic {
#define INTRINSIC(id, path, rule, operands, effect) INTR_##id,
#include "ir/intrinsics.def"
    INTR_COUNT
} IrIntrinsic;

typedef enum IrEffect {
    EFFECT_NONE = 0,
    EFFECT_READ = 1, /* reads memory that others may write */
    EFFECT_WRITE = 2,
    EFFECT_ATOMIC = 4,     /* reads and writes memory in one step */
    EFFECT_BLOCK_SYNC = 8, /* waits for the block */
    EFFECT_WARP_SYNC = 16, /* waits for lanes of the warp */
    EFFECT_FENCE = 32,
    EFFECT_IO = 64,         /* prints, or reports a fault */
    EFFECT_STOP = 128,      /* may end the thread */
    EFFECT_GRID_SYNC = 256, /* waits for the whole grid, beside BLOCK_SYNC */
    EFFECT_YIELD = 512,     /* of loops that wait: stops, so that others run (spin_yield.c) */
    EFFECT_BY_USE = 1 << 30 /* in ops.def only: ask the intrinsic or the callee */
} IrEffect;

enum {
    /* after which the order of evaluation shows */
    EFFECT_ORDERED = ~(EFFECT_NONE | EFFECT_READ),
    /* that are more than accesses of memory: waits, orders, prints, ends the thread */
    EFFECT_BEYOND_MEMORY = ~(EFFECT_READ | EFFECT_WRITE | EFFECT_ATOMIC),
    /* that wait for other threads: GRID_SYNC is never without BLOCK_SYNC */
    EFFECT_MEETS = EFFECT_BLOCK_SYNC | EFFECT_WARP_SYNC
};

/* A constant array of the module: rows whole, elements as they lie in memory. */
typedef struct IrTable {
    const char *name; /* of the constant; NULL until it is known */
    const Type *element;
    int rank;
    int64_t shape[RANK_MAX];
    size_t size; /* bytes */
    const unsigned char *bytes;
    bool viewed; /* in NumPy it may be one with another, which it was copied from or to */
} IrTable;

typedef enum IrVarKind {
    VAR_LOCAL,
    VAR_PARAM,          /* nothing sets it */
    VAR_SHARED,         /* an array of the block, extents fixed */
    VAR_SHARED_DYNAMIC, /* all of the launch's dynamic shared memory, one axis */
    VAR_PRIVATE,        /* an array of the thread, extents fixed (numba's local.array) */
    VAR_CONSTANT        /* a constant array of the module, read-only; functions have one each */
} IrVarKind;

/* How what two threads do to an element by atomics goes together. */
typedef enum Combine {
    COMBINE_NONE,
    COMBINE_SUM,
    COMBINE_MAX,
    COMBINE_MIN,
    COMBINE_AND,
    COMBINE_OR,
    COMBINE_XOR
} Combine;

/* An assignment that gave a variable its type, for messages. */
typedef struct IrOrigin {
    const char *what; /* the type of what was assigned, or what that is */
    Span span;
    const struct IrOrigin *next;
} IrOrigin;

enum { EXTENT_UNKNOWN = -1 };

typedef struct IrVar {
    const char *name; /* not unique */
    const Type *type;
    IrVarKind kind;
    Span span;
    int id;               /* index in the function's vars */
    int param;            /* which parameter, for VAR_PARAM */
    const int64_t *shape; /* extents of arrays, one for each axis; not of VAR_SHARED_DYNAMIC, and of
                             parameters only if they are constants, EXTENT_UNKNOWN of one that is
                             none (constants.c) */
    struct IrValue **extents; /* of an array parameter that comes with one axis and has more: those
                                 of the axes behind the first (ir_delinearise); else NULL */
    IrTable *table;           /* of VAR_CONSTANT */
    int alignment;            /* bytes, 0 for the type's own */
    struct IrValue *literal;  /* the constant it was last set to, while lowering */
    Span began;               /* the literal that gave it its type, if one did */
    const IrOrigin *origins;  /* of what stands for several variables; else NULL */
    bool temporary;           /* made to hold a value, not named by the user */
    bool nonnegative;         /* an integer that never holds less than 0 (ir_range) */
    bool positive;            /* an integer that never holds less than 1 (ir_range) */
    bool uniform;             /* all threads of a block that get there hold the same (ir_uniform) */
    bool restricted;          /* an array of the kernel's that only this parameter leads to */
    bool runs_on;             /* an array parameter, some of whose accesses reach other rows by an
                                 index along the last axis (ir_collapse) */
    bool exact;               /* an array parameter whose sums are kept beside it (ir_exact) */
    Combine merged; /* of an array parameter of few elements: each of the processor's threads has a
                       copy, and they are merged so at the end (ir_merge) */
} IrVar;

typedef union IrConstant {
    int64_t integer; /* bool and every integer type; uint64 by its bits */
    double number;   /* every float type, already rounded to it */
    struct {
        double real, imag;
    } complex;
} IrConstant;

/* What is known of a float that becomes an integer: nothing; that it is a number, and fits; that if
** it does not it is meant to become the end of the type that it is beyond, or 0 if it is NaN.
** CAST_FITS of an integer: it keeps its value. */
typedef enum CastKind { CAST_PLAIN, CAST_FITS, CAST_CLAMPS } CastKind;

struct IrValue {
    IrOp op;
    const Type *type;
    Span span;
    int index; /* axis, item; of OP_load which of ir_cache_names; of OP_cast a CastKind */
    union {
        IrConstant constant;
        IrVar *var;
        IrIntrinsic intrinsic;
        IrFunc *callee;
        const char *axes; /* OP_view */
    };
    bool
        weak; /* a number as it is written: in NumPy 2's typing it takes the other operand's type */
    bool numpys;      /* a constant that NumPy has computed: it is none of Python's int and bool */
    bool nonnegative; /* an integer that is never less than 0, which its operands do not show */
    bool unset;       /* zero, for a name that has no value on this path */
    int count;
    IrValue **operands;
};

typedef struct IrRegion {
    IrStmt *first, *last;
} IrRegion;

enum { UNROLL_ALL = 65534, UNROLL_MOST = 64 }; /* the latter: that IrPlan may ask for */
enum { FAULT_VALUES = 6 };                     /* that a report has at most */

/* clang-format off */
typedef enum IrStmtKind {
    IR_SET,        /* var = value                                                      */
    IR_STORE,      /* array[indices] = value, of the element type                      */
    IR_EVAL,       /* value, for its effect                                            */
    IR_IF,         /* condition is bool                                                */
    IR_WHILE,      /* condition is evaluated before each iteration                           */
    IR_FOR,        /* var counts from start while it is short of stop, by step; all three
                      are evaluated once, before; of step 0 there are no iterations; nothing in
                      the body sets var; unroll is
                      how many iterations to lay side by side, UNROLL_ALL, or 0: not said         */
    IR_BREAK, IR_CONTINUE,   /* of the innermost loop                                  */
    IR_RETURN,     /* value is NULL in kernels and functions that return nothing        */
    IR_PRINT,      /* one line                                                         */
    IR_FAULT,      /* debug: report `message`, where marks stand for the values (fault.c),
                      with the place, then the thread ends                               */
    IR_STOP        /* the thread ends                                                   */
} IrStmtKind;
/* clang-format on */

/* One item of a print: text, or a scalar or tuple value. */
typedef struct IrPrintItem {
    const char *text;
    IrValue *value;
} IrPrintItem;

/* clang-format off */
struct IrStmt {
    IrStmtKind kind;
    Span span;
    IrStmt *next, *prev;
    union {
        struct { IrVar *var; IrValue *value; } set;
        struct { IrValue *array; IrValue **indices; int count; IrValue *value; int cache; } store;
        struct { IrValue *value; } eval;
        struct { IrValue *condition; IrRegion then, otherwise; } if_;
        struct { IrValue *condition; IrRegion body; } while_;
        struct { IrVar *var; IrValue *start, *stop, *step; IrRegion body; int unroll;
                 bool bounded;   /* a step beyond the last iteration does not overflow var */
                 bool rises;     /* the step is 1 or more, whether or not that shows (ir_rises) */
                 bool rest;      /* what a split has left over: few iterations, not counted */
                 bool any_order; /* no iteration depends on another, but for what they add to: */
                 IrVar **sums; int sum_count; } for_;
        struct { IrValue *value; } return_;
        struct { IrPrintItem *items; int count; } print;
        struct { const char *message; IrValue **values; int count; } fault;
    };
};
/* clang-format on */

/* What products of tiles are multiplied by. */
typedef enum TileForm {
#define TILE(NAME, name, sums, tiles, depth) TILE_##NAME,
#include "ir/tiles.def"
#undef TILE
    TILE_FORMS,
    /* of IrOptions.matmul alone: in place of what kernels say, to tell what that makes of sums */
    MATMUL_FLOAT64 = TILE_FORMS, /* sums in float64 */
    MATMUL_PLAIN                 /* none */
} TileForm;

/* What numba's decorator may say of a kernel. */
typedef struct IrOptions {
    bool fastmath, debug, lineinfo, nep50;
    bool reassociate;   /* sums and products of floats may be taken apart, in any order */
    bool deterministic; /* bit for bit the same from run to run */
    bool unfused;       /* products and sums of floats are rounded one by one */
    bool inline_always;
    int matmul;        /* the TileForm that was asked for by name; 0, that of float64: none was */
    bool matmul_all;   /* for all kernels, so that one without products is nothing wrong */
    int max_registers; /* 0: not said */
    int launch_threads, launch_blocks, launch_cluster; /* launch_bounds; 0: not said */
    int carveout; /* percent of the cache for shared memory; -1: not said */
    int opt;      /* 3 unless said otherwise */
} IrOptions;

/* A function of a linked text, which stands for the body: it is called like this, by numba's rules
** `int NAME(RESULT *result, ...)`, else by C's `RESULT NAME(...)`. */
typedef struct IrForeign {
    const char *name;
    bool c_abi;
    bool cooperative; /* it may wait for the whole grid */
} IrForeign;

/* A text in CUDA C or C that a kernel is compiled together with. */
typedef struct IrLinked {
    enum { LINKED_CUDA, LINKED_C, LINKED_OTHER } kind;
    const Source
        *source;      /* with the files that it includes; NULL: LINKED_OTHER, which is not read */
    const char *name; /* as messages call it */
    Span span;        /* where it is named */
} IrLinked;

/* What a function does to one parameter's memory, or to what a parameter holds. */
typedef enum IrAccess {
    ACCESS_NONE = 0,
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
    ACCESS_ATOMIC = 4
} IrAccess;

struct IrFunc {
    const char *name; /* unique in the unit */
    bool kernel;
    const AstFunction *ast;
    Span span;
    IrOptions options;
    IrVar **vars; /* every variable of the function; parameters first */
    int var_count, var_capacity;
    int param_count;
    const Type *result; /* type_none for kernels */
    IrRegion body;
    int effects; /* EFFECT_ flags of everything in it (ir_effects) */
    int *access; /* ACCESS_ flags for each parameter (ir_effects) */
    IrCovers
        *covers; /* of a kernel: the parameters that it overwrites whole, and when (ir_cover) */
    bool recursive;
    bool hands_out; /* it returns an array of its own, so that it goes in the place of its calls */
    bool stays;     /* a call of it cannot be taken out of a value (ir_take_calls) */
    bool ends;      /* its result is a tuple, the last item telling whether the thread has ended */
    const IrForeign *foreign; /* what it calls, its body being empty; NULL: nothing */
};

typedef struct Schedule Schedule; /* schedule/schedule.h */

/* A kernel and the device functions it calls, callees before callers. */
typedef struct IrUnit {
    Arena *arena;
    IrFunc *kernel;
    IrFunc **functions; /* without the kernel */
    int count, capacity;
    /* of a unit that is optimised, else NULL and 0 */
    IrLaunch *launch;
    Diags *remarks;    /* NULL: they are not collected */
    bool processor;    /* its code is for the processor */
    bool nan;          /* the checker reports where NaN and infinities arise */
    bool unlined;      /* its text is for readers: without #line */
    int unroll;        /* as of its plan */
    int arch;          /* likewise */
    bool narrow;       /* only for launches that are: extents and indices may be int32 */
    bool exchanged;    /* threads do iterations of a loop by the grid's stride that others have in
                          the text: a block's are not those that it says */
    const char *unmet; /* why what IrOptions.matmul asks cannot be done; NULL: it was, or may be */
    Span unmet_at, unmet_by; /* the loop, and what of it */
    IrShape shape;
    IrHidden hidden[HIDDEN_MAX]; /* what the kernel's last parameters hold */
    int hidden_count;
    const IrLinked *linked; /* where foreign functions are, if there are any */
    int linked_count;
    Schedule *schedule; /* as of its plan */
} IrUnit;

/* ---- build.c: constructors; operations on constants fold as they are built ------------------- */

/* A new variable of the function, behind its others. */
IrVar *ir_var_new(Arena *arena, IrFunc *fn, const char *name, const Type *type, IrVarKind kind,
                  Span span);
/* A local variable that the user did not name. */
IrVar *ir_temporary(Arena *arena, IrFunc *fn, const char *name, const Type *type, Span span);
/* A temporary int64 that is never negative. */
IrVar *ir_counter(Arena *arena, IrFunc *fn, const char *name, Span span);
/* A local variable that is set to what another is set to, or to what that could be. */
IrVar *ir_var_like(Arena *arena, IrFunc *fn, const IrVar *var, const char *name);
/* An array with memory of its own, in C's order; `shape`, NULL where the launch says it, is
** copied. */
IrVar *ir_array_var(Arena *arena, IrFunc *fn, const char *name, const Type *element, IrVarKind kind,
                    const int64_t *shape, int rank, Span span);
IrValue *ir_value(Arena *arena, IrOp op, const Type *type, Span span, int count);
IrValue *ir_integer(Arena *arena, const Type *type, int64_t value, Span span);
IrValue *ir_number(Arena *arena, const Type *type, double value, Span span);
IrValue *ir_var(Arena *arena, IrVar *var, Span span);
IrValue *ir_unary(Arena *arena, IrOp op, IrValue *a, Span span);
IrValue *ir_binary(Arena *arena, IrOp op, IrValue *a, IrValue *b, Span span);
IrValue *ir_cast(Arena *arena, const Type *type, IrValue *a, Span span);
/* A constant or `zero` of any type. */
IrValue *ir_zero(Arena *arena, const Type *type, Span span);
/* The same, where a name has no value: the checker reports that it is read. */
IrValue *ir_unset(Arena *arena, const Type *type, Span span);
/* The complex number of two floats, its parts. */
IrValue *ir_complex(Arena *arena, const Type *type, IrValue *real, IrValue *imag, Span span);
IrValue *ir_select(Arena *arena, IrValue *condition, IrValue *a, IrValue *b, Span span);
/* Item `index` of a tuple; of a tuple just made, the operand itself. */
IrValue *ir_item(Arena *arena, IrValue *tuple, int index, Span span);
/* An intrinsic of up to three operands; NULL ends them. */
IrValue *ir_intrinsic(Arena *arena, IrIntrinsic intrinsic, const Type *type, Span span, IrValue *a,
                      IrValue *b, IrValue *c);
/* Of two int64. */
IrValue *ir_min(Arena *arena, IrValue *a, IrValue *b, Span span);
IrValue *ir_max(Arena *arena, IrValue *a, IrValue *b, Span span);
/* A place along an axis: grid and gridsize are int64, thread_idx, block_dim and the like int32. */
IrValue *ir_axis(Arena *arena, IrIntrinsic intrinsic, int axis, Span span);
IrValue *ir_extent(Arena *arena, IrValue *array, int axis, Span span);
/* The element of an array at `count` indices, which are copied from the list. */
IrValue *ir_load(Arena *arena, IrValue *array, IrValue *const *indices, int count, Span span);
/* `a and b`, evaluated in this order; NULL stands for what always holds. */
IrValue *ir_both(Arena *arena, IrValue *a, IrValue *b);
IrStmt *ir_stmt(Arena *arena, IrStmtKind kind, Span span);
IrStmt *ir_set(Arena *arena, IrVar *var, IrValue *value, Span span);
IrStmt *ir_eval(Arena *arena, IrValue *value, Span span);
/* The block's threads wait for each other. */
IrStmt *ir_barrier(Arena *arena, Span span);
IrStmt *ir_store(Arena *arena, IrValue *array, IrValue *const *indices, int count, IrValue *value,
                 Span span);
/* A branch whose regions are still empty; a loop whose body is, of which nothing else is said. */
IrStmt *ir_if(Arena *arena, IrValue *condition, Span span);
IrStmt *ir_for(Arena *arena, IrVar *var, IrValue *start, IrValue *stop, IrValue *step, Span span);
void ir_append(IrRegion *region, IrStmt *stmt);
void ir_insert_before(IrRegion *region, IrStmt *at, IrStmt *stmt); /* NULL: at the end */
void ir_remove(IrRegion *region, IrStmt *stmt);
bool ir_is_constant(const IrValue *value);
bool ir_is_load(const IrValue *value);
/* How many axes an array parameter comes with: one if it has IrVar.extents. */
int ir_given_axes(const IrVar *array);
/* The parameter that one of IrVar.extents is; NULL of a number. */
const IrVar *ir_length_param(const IrValue *length);
/* Whether a parameter is one of an array's IrVar.extents: an access takes it to be known. */
bool ir_has_length(const IrVar *array, const IrVar *param);
/* How many iterations a `for` makes whose bounds and step are constants; -1 where that is not
** known. */
int64_t ir_trip_count(const IrStmt *loop);

/* ---- table.c: elements of constant arrays ---------------------------------------------------- */

/* A view of a constant array: bytes to its first element, elements and bytes along each axis. */
typedef struct TableView {
    const IrTable *table;
    int rank;
    int64_t offset, shape[RANK_MAX], strides[RANK_MAX];
} TableView;

/* A scalar constant as an element of scalar type `type`, cast as an assignment would; and back. */
void ir_table_put(Arena *arena, unsigned char *to, const Type *type, const IrValue *value);
IrValue *ir_table_get(Arena *arena, const Type *type, const unsigned char *from, Span span);
/* What an array value looks at; false unless that is a constant array, through parts that are
** known. */
bool ir_table_view(const IrValue *array, TableView *view);
/* The element at indices, of which negative ones count from the end; NULL if there is none. */
const unsigned char *ir_table_at(const TableView *view, const int64_t *indices);
static inline int64_t ir_table_count(const IrTable *table)
{
    return (int64_t)(table->size / type_size(table->element));
}

/* ---- fold.c: what an operation on constants gives, or NULL if that is for run time ----------- */

IrValue *fold_unary(Arena *arena, IrOp op, const Type *type, const IrValue *a, Span span);
IrValue *fold_binary(Arena *arena, IrOp op, const Type *type, const IrValue *a, const IrValue *b,
                     Span span);
IrValue *fold_cast(Arena *arena, const Type *type, const IrValue *a, Span span);

/* What is done with it. */
#include "ir/module.h"
#include "ir/passes.h"
#include "ir/walk.h"
