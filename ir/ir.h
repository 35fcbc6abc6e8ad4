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

/* ---- names/module.c: names at module level ------------------------------------------------ */

typedef struct Module Module;

/* Finds a module: "a.b", with dots in front where an import is relative to its file. NULL if there
** is none, `*why` telling where it was looked for (or NULL). One that cannot be read is there, and
** broken. */
typedef Module *ModuleFinder(void *context, const char *name, Span span, const char **why);

/* A module without names; `source` is what its text is called. */
Module *module_new(Arena *arena, const char *source);
/* Binds its imports, constants, functions and classes. Nothing is reported: an error in a name is
** reported when a kernel reads it. `is_main`: it is the file that was asked for. `finder` (NULL:
** none) is asked for every import that is not one of the built-in namespaces. */
void module_bind(Module *module, Diags *diags, const AstModule *ast, bool is_main,
                 ModuleFinder *finder, void *context);
/* Both of a main module. */
Module *module_resolve(Arena *arena, Diags *diags, const AstModule *ast, ModuleFinder *finder,
                       void *context);
/* Marks a module as one that could not be read: the error is reported when one of its names is
** read. */
void module_break(Module *module, const Diag *complaints, size_t count);
/* Makes `part` what package.name stands for, unless the package itself binds the name. */
void module_add_part(Module *package, const char *name, Module *part);

/* Whether it, or a class or function in it, has a constant of that name, or a name of no known
** value, which a Define may replace. */
bool module_has_constant(const Module *module, const char *name);

/* names/captured.c: gives a kernel parameters for arrays that it captures, behind its own, unless
** it has such already: cuda.captured(0) is the first. Its tree with these; NULL if there is no such
** kernel. */
const AstFunction *module_capture(Arena *arena, const Module *module, const char *kernel,
                                  const char *const *names, int count);

/* The call namedtuple(...) that a name of the module stands for; NULL if it is none. */
const AstExpr *module_namedtuple(const Module *module, const char *name);

/* A parameter of @tune and the values to try, each a constant expression. */
typedef struct TuneParam {
    const char *name;
    Span span;
    AstExprs values;
} TuneParam;

enum { TUNE_AXES = 3 };

/* What @tune(...) says, out of its quotes and unevaluated. */
typedef struct TuneSpace {
    TuneParam *params;
    int param_count, param_capacity;
    AstExprs block, problem;    /* a size for each axis; none: not said */
    AstExprs divide[TUNE_AXES]; /* whose product is what a block covers along the axis */
    bool divides[TUNE_AXES];    /* that is said */
    AstExprs restrictions;      /* all must hold */
} TuneSpace;

/* The error in a statement, reported when a name that it binds is read. */
typedef struct Complaints {
    const Diag *items;
    size_t count;
} Complaints;

/* Of what a module binds a name to, if something is wrong with it; else NULL. */
const Complaints *module_complaints_about(const Module *module, const char *name);

typedef struct KernelInfo {
    const char *name; /* "kernel", or "factory.kernel" of one in a function or class */
    const AstFunction *ast;
    AstExpr *example;      /* the call @example(...), NULL if there is none */
    AstExpr *signature;    /* the first that the decorator declares, NULL if none */
    const TuneSpace *tune; /* NULL if there is no @tune */
    Span schedule;         /* the text of @schedule; without a source if there is none */
    Complaints complaints; /* of its decorators and parameters: it cannot be compiled */
    bool made;             /* by a call, name = factory(4), or by another name */
    bool found;            /* by evaluating its name (lower/asked.c) */
    bool replaced;         /* the name stands for another in the end: this is "kernel@LINE" */
    const char *uncertain; /* the name, if it may: only running tells which kernel has it */
    struct Symbol *symbol;
} KernelInfo;

/* ---- names/tune.c: what @tune says ---------------------------------------------------------- */

/* Takes one keyword of @tune, which has a name, and replaces what was said of it. False, and the
** space as before, after a complaint. */
bool tune_take(Arena *arena, Diags *diags, TuneSpace *space, const AstKeyword *keyword);
/* The keywords of sizes and conditions: block, problem and so on; NULL behind the last. */
const char *tune_keyword(size_t index);
/* Takes the call @tune(...) above a kernel. */
const TuneSpace *tune_read(Arena *arena, Diags *diags, const AstExpr *tune,
                           const AstFunction *kernel);

/* Once it is decided between branches that bind the same names: of kernels that share a name, the
** one that it stands for keeps it, and the others are called by their lines, too. */
void module_settle_kernels(Module *module);

/* The text of the function that a path stands for in the end: "f", "factory.f"; NULL: none. */
const AstFunction *module_tree(const Module *module, const char *path);

/* Whether a kernel is called so, by its name or by its line, "kernel@LINE". */
bool module_kernel_is(const KernelInfo *kernel, const char *name);

/* The function inside a function of the module's file whose name begins at this byte, as its
** decorators describe it, by itself and not as a call makes it; NULL: none. */
const struct Function *module_described(const Module *module, uint32_t begin);

/* The kernels of a module in the order they stand, made ones among them. */
int module_kernels(const Module *module, const KernelInfo **kernels);
/* What is known of the kernel with that text, by itself, in the file that a module is or lies in;
** NULL: there is none. */
const KernelInfo *module_kernel_of(const Module *module, const AstFunction *ast);
/* How the functions in a list or dictionary of the module's are called: "steps[0], steps[1]"; NULL:
** the name stands for no such thing. */
const char *module_items(Arena *arena, const Module *module, const char *name);
/* Where the name that a path begins with is bound to a value, or to what the path calls; without a
** source: nowhere. */
Span module_bound_at(Arena *arena, const Module *module, const char *path);

/* `-D NAME=VALUE`: a constant that the compilation sees instead of what the module says. */
typedef struct Define {
    const char *name; /* or NAME@PLACE, which is that place's alone: names/define.c */
    const AstExpr *value;
} Define;

/* ---- names/define.c ------------------------------------------------------------------------ */

/* The place that a file, or a class or function in it, is for a Define. */
const char *module_place(Arena *arena, const Module *module);
/* That of what is around a kernel: of number 0 the next, of the last one the file, then NULL. */
const char *module_kernel_place(Arena *arena, const Module *module, const char *kernel, int level);
/* Whether a Define of that name, with a place or without, is of a constant `name`. */
bool define_names(const char *define, const char *name);

/* ---- names/assigned.c ---------------------------------------------------------------------- */

/* Whether `name` is read anywhere but in the bodies of loops that alone count in it. */
bool names_read_outside(const AstBody *body, const char *name);

/* ---- names/reach.c: what a kernel's text reaches ------------------------------------------- */

/* Whether the kernel, or what it calls, reads the constant that a Define of that name is of. */
bool module_reads(Arena *arena, const Module *module, const char *kernel, const char *define);

/* What a kernel in a function or class reads and has no value for, which a Define may give: its
** factory's parameters above all. Ends in NULL. */
const char **module_needs(Arena *arena, const Module *module, const char *kernel);

typedef struct ReachRequest {
    const Module *module;
    const char *kernel;
    const Define *defines; /* which stand for constants */
    int define_count;
    const char *const *without; /* constants that are left out */
    size_t without_count;
} ReachRequest;

/* The tree of the kernel and of all that it reaches as text: what decides its meaning. Comments,
** docstrings, blanks, @example and @tune are not in it; nor is the standard library, a part of
** kjit. */
void module_reach_text(Arena *arena, const ReachRequest *request, Buf *out);

/* reach_shared.c: each cuda.shared.array(shape, dtype) in the kernel and in what it calls, if no
** variable of the function is named in it, and no branch whose condition is known keeps the program
** away from it. */
typedef struct SharedQuery {
    void (*visit)(void *context, const AstExpr *shape, const AstExpr *dtype);
    int (*decide)(void *context, const AstExpr *condition); /* 1 or 0; -1: not known */
    void *context;
} SharedQuery;

void module_each_shared(Arena *arena, const Module *module, const char *kernel,
                        const SharedQuery *query);

/* ---- lower/lower.c: from the tree to typed IR --------------------------------------------- */

/* What a name stands for at a place: a type, or what else it is, in words; and where it got that,
** without a source for what is built in. */
typedef struct Meaning {
    Span use;
    const char *what;
    Span defined;
} Meaning;

typedef struct Meanings {
    Meaning *list;
    int count, capacity;
} Meanings;

typedef struct LowerRequest {
    const Module *module;
    const char *kernel;
    Signature signature;
    const Define *defines;
    int define_count;
    bool debug, fastmath; /* asked for from outside, beside what the decorator says */
    int matmul;           /* likewise: the TileForm for all products, which goes before; 0: none */
    bool checked; /* for the checker: assert and raise are reported, the rest it sees itself */
    bool remarks; /* collect them, too */
    Meanings *meanings; /* gets those of the names that are lowered, also if that fails; or NULL */
    ModuleFinder *library; /* finds modules of the standard library; NULL: there is none */
    void *library_context;
    /* Reads a file for link=; NULL: there is none, `*why` saying so. Of a request without, no file
    ** can be linked. */
    const Source *(*read)(Arena *arena, const char *path, const char **why);
} LowerRequest;

/* The IR of one kernel for one signature, or NULL with complaints made. */
IrUnit *ir_lower(Arena *arena, Types *types, Diags *diags, const LowerRequest *request);

/* lower/decide.c: which of several kernels of one name, in branches, each name stands for: by the
** module's constants and the request's definitions. One for which that is not known
** complains of the condition when it is asked for. */
void ir_decide_kernels(Arena *arena, Types *types, const LowerRequest *request);

/* lower/asked.c: the kernel that an expression gives at the end of the module, where no text
** defines one by that name; false, perhaps after complaints, if it gives none. */
bool ir_find_kernel(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                    KernelInfo *info);

/* Reads a signature, in which names of the module may stand for types; false after complaints. */
bool ir_read_signature(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                       const AstExpr *expr, const char **name, Signature *signature);

/* ---- schedule/privatise/exact.c ------------------------------------------------------------ */

enum { EXACT_ARRAYS = 8 }; /* that a kernel may have */

/* Marks the parameters of a deterministic kernel whose sums are kept exactly. */
void ir_exact(IrUnit *unit);
/* How many integers of 64 bits stand for the sum of one element, float32 or float64. */
int ir_exact_words(const Type *element);

/* ---- schedule/privatise/order.c ------------------------------------------------------------ */

/* An atomic of the kernel, or of a function that it calls, whose order shows in the results; NULL:
** none does. */
const IrValue *ir_order_shows(const IrUnit *unit);

/* ---- lower/call/escape.c ------------------------------------------------------------------- */

/* Whether a recursive function calls itself on every way through it. */
bool ir_is_endless(const IrFunc *fn);
/* A return of `fn` that gives out an array which ends with the function, or NULL. */
const IrStmt *ir_escape(Arena *arena, const IrFunc *fn);

/* ---- build.c: constructors; operations on constants fold as they are built ------------------- */

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

/* ---- walking -------------------------------------------------------------------------- */

typedef struct IrOpInfo {
    const char *name;
    int operands; /* -1: any number */
    enum { RESULT_SAME, RESULT_BOOL, RESULT_OWN } result;
    int effect;
} IrOpInfo;
extern const IrOpInfo ir_ops[OP_COUNT];

enum {
    OPERANDS_ARRAY = -1, /* an array, its indices and more */
    OPERANDS_GONE = -2   /* lowering makes something else of it */
};

typedef struct IrIntrinsicInfo {
    const char *name, *path;
    int rule;     /* RULE_, of rules.def */
    int operands; /* how many scalars; or OPERANDS_ */
    int effect;
} IrIntrinsicInfo;
extern const IrIntrinsicInfo ir_intrinsics[INTR_COUNT];

/* EFFECT_ flags of the value and everything below it; of a statement, with its regions. */
int ir_value_effects(const IrValue *value);
int ir_stmt_effects(const IrStmt *stmt);

/* How many operands of a value, from the first on, are evaluated whenever the value is: all, or the
** condition of a choice. */
int ir_certain_operands(const IrValue *value);
/* Whether a function has a variable of a kind. */
bool ir_has_kind(const IrFunc *fn, IrVarKind kind);
/* The number of a device function among those of a unit; the unit's count for the kernel. */
int ir_function_number(const IrUnit *unit, const IrFunc *fn);
static inline bool ir_is_shared(const IrVar *var)
{
    return var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC;
}
/* Whether a value is the variable itself; a call of the intrinsic. */
static inline bool ir_is_var(const IrValue *value, const IrVar *var)
{
    return value->op == OP_var && value->var == var;
}
static inline bool ir_is_intrinsic(const IrValue *value, IrIntrinsic intrinsic)
{
    return value->op == OP_intrinsic && value->intrinsic == intrinsic;
}
/* Whether an intrinsic is an atomic that changes one element of an array. */
static inline bool ir_changes_element(IrIntrinsic intrinsic)
{
    return intrinsic >= INTR_atomic_add && intrinsic <= INTR_atomic_compare_and_swap;
}
/* Whether a value is a constant of an integer type that equals a number. */
bool ir_is_integer(const IrValue *value, int64_t number);
/* Whether a value is a call of an atomic operation: of EFFECT_ATOMIC, one that only reads, too. */
bool ir_is_atomic(const IrValue *value);
/* The variable that a statement sets itself, regions left out; NULL if none. */
IrVar *ir_set_var(const IrStmt *stmt);
/* Whether two values are the same text: equal if nothing that they read changes between them.
** Whether they are the same operation, whatever its operands. */
bool ir_same_value(const IrValue *a, const IrValue *b);
bool ir_same_operation(const IrValue *a, const IrValue *b);
/* Whether an array value is a part or another form of its operand's; the variable that is behind
** all such, NULL where that is none. */
bool ir_is_part(const IrValue *array);
IrVar *ir_array_base(const IrValue *array);
bool ir_is_comparison(IrOp op);
/* How many axes a view has, of an array of `rank` axes; -1 if `axes` is none of these. How many
** operands stand behind its array. */
int ir_view_rank(const char *axes, int rank);
int ir_view_operands(const char *axes);
/* Which comparison of integers holds where this one does not. */
IrOp ir_opposite(IrOp comparison);

/* The operands of a tile_product: the sums, [m][n][4]; tile a, its three indices; tile b, likewise;
** the lane; the orders of both tiles, each a constant: 0 of [][row or column of the result][k], 1
** of [][k][row or column]; which TileForm, a constant. The indices are those of the first element
** that the warp reads. A lane's sum [m][n][e] is of row 16 * m + lane / 4 + e / 2 * 8 and column
** 8 * n + lane % 4 * 2 + e % 2 of the warp's (of bytes of the order 1: as many times the latter as
** there are n, and n), and as many products are added to it as the form
** says: of float64 in the order of k, each by fma; of bytes exactly; of the others as tensor cores
** do. Of TF32X3_GROUP there is one m more, of what is added to the others when the next product is
** asked for, or by tile_wait.
**
** Of a form of a GROUP four warps multiply together, the first of which has a number that four
** divides: in the lane's place stands the thread's number in the block, the tiles' indices are
** those of the group, m is 0, and a lane's sums are of the 16 of the group's 64 rows that are its
** warp's. Tiles are made of rows of 128 bytes, of as many k each as the form says, and of as many
** rows or columns: in the order 0 element k of a row of the result, r, is [][r][k'], in the order 1
** it is [][r - r % depth + k][r']; k' is k with the 16 bytes in which it lies moved to where their
** number among the 8 of a row has the bits of r % 8 turned over, r' is r % depth likewise by k % 8.
** Tiles are written before a tile_fence and a barrier behind that; the product may go on until the
** next but one, or until tile_wait: until then sums are not to be read, nor tiles written. A first
** factor that lanes load may lie so, too; its indices are those of the group then.
**
** A tile_load fills rows of such a tile: 128 bytes from an element of an array on, along its last
** axis, and as many neighbours of these along another axis as its map says; 0 stands for elements
** that the array does not have. The copy goes on beside the threads. An mbarrier of CUDA counts the
** bytes that come: tile_expect says how many a phase of it is to wait for, and threads that have
** waited for the phase's end, by tile_ready, find them.
**
** A form that works ahead has lanes hold parts of the factors in registers: one operand more, a
** private array. A tile_product finds the first half of its factors there, where
** tile_ahead or tile_rest has put it, and may leave the second half of its products to a tile_rest,
** which puts the first half of other tiles there meanwhile. Until then sums are not to be read; the
** tiles may be written once all warps have asked for the product. */
enum {
    /* operands of a tile_load: the mbarriers, an index behind them; the map; the array, likewise */
    TILE_LOAD_READY = 4,
    TILE_LOAD_MAP = 6,
    TILE_LOAD_SOURCE = 7,
    TILE_PRODUCT_FORM = 12,
    TILE_PRODUCT_HELD = 13, /* of forms that work ahead */
    TILE_PRODUCT_OPERANDS = 13,
    TILE_ROW_BYTES = 128,
    TILE_GROUP_ROWS = 64
};
enum { ROWS_LOADED = 16 }; /* rows of a rows_load, and elements of each */
bool ir_tile_grouped(TileForm form);
/* Whether a form of a group has the first factor of its lanes, from a tile like those of single
** warps, and the second one from a tile that tile_split has made ready. */
bool ir_tile_split(TileForm form);
/* Whether a tile lies as groups find it in shared memory, be it read so or not. */
bool ir_tile_lies_grouped(const IrVar *tile, TileForm form);
/* Whether the product may go on behind it. */
bool ir_tile_overlaps(TileForm form);
/* Whether lanes hold parts of the factors; how many numbers that are for sums [m][n][4]. */
bool ir_tile_works_ahead(TileForm form);
int64_t ir_tile_held(int64_t m, int64_t n);
const char *ir_tile_name(TileForm form);
const Type *ir_tile_sums(TileForm form);
const Type *ir_tile_type(TileForm form);
int ir_tile_depth(TileForm form);
/* The form that may be asked for by a name; 0: there is none of that name. */
TileForm ir_tile_named(const char *name);
/* Likewise, with the names of all that IrOptions.matmul can be. */
TileForm ir_matmul_named(const char *name);
/* The names that may be asked for, as messages list them. */
extern const char ir_tile_names[];
/* What a parameter holds that passes have added to the kernel; NULL: it is none of these. */
const IrHidden *ir_hidden_of(const IrUnit *unit, const IrVar *var);
/* Which operand of an async_copy is the array that it reads. */
int ir_async_source(const IrValue *copy);

/* How caches should treat a load or a store; the first says nothing. From CACHE_AT on: it lies at a
** multiple of 2, 4, 8 or 16 bytes (packs.c). */
extern const char *const ir_cache_names[];
enum { CACHE_AT = INTR_stwt - INTR_ldca + 2, CACHE_COUNT = CACHE_AT + 4 };
static inline int ir_cache_at(int64_t bytes)
{
    return CACHE_AT + __builtin_ctzll((uint64_t)bytes) - 1;
}
/* Whether a value is a load that may wait for another thread's store: no other stands for it. */
static inline bool ir_is_volatile(const IrValue *value)
{
    return value->op == OP_load && value->index == INTR_ldcv - INTR_ldca + 1;
}

/* Whether an integer value is never less than 0, or than 1 (range.c); false where that is not
** known. */
bool ir_nonnegative(const IrValue *value);
bool ir_positive(const IrValue *value);
/* Notes of an integer that it is never less than 0, whatever is known of its variables later; the
** same, if it is so and its operands do not show it already. Both give the value. */
IrValue *ir_never_negative(IrValue *value);
IrValue *ir_take_sign(IrValue *value, bool nonnegative);
/* That a variable which nothing else sets is set to a value. */
void ir_take_range(IrVar *var, const IrValue *value);
/* Whether a cast to an integer gives the number that it is given, an integer or bool. */
bool ir_keeps_value(const IrValue *cast);
/* Whether the step of a `for` is known to be 1 or more. One that is not negative may still be 0,
** and then the loop makes no iterations, wherever it starts. */
bool ir_rises(const IrStmt *loop);

int ir_region_effects(const IrRegion *region);

/* What holds the next value that stands in a statement itself, no operand nor in a region: behind
** the one that holds another, the first after NULL. NULL: there is none. */
IrValue **ir_next_slot(const IrStmt *stmt, IrValue **slot);
/* A loop over these, for passes that put other values there; and over the values. */
#define for_each_slot(slot, stmt)                                                                  \
    for (IrValue **slot = ir_next_slot(stmt, NULL); slot; slot = ir_next_slot(stmt, slot))
#define for_each_value(value, stmt)                                                                \
    for (IrValue **slot_ = ir_next_slot(stmt, NULL), *value; slot_ && (value = *slot_, true);      \
         slot_ = ir_next_slot(stmt, slot_))
typedef void IrValueVisitor(void *context, IrValue *value);
/* Calls `visit` for `value` and every value below it; for all of these that stand in `stmt` itself,
** or in its regions too; for all of them in a region. */
void ir_each_node(IrValue *value, IrValueVisitor *visit, void *context);
void ir_each_own_node(const IrStmt *stmt, IrValueVisitor *visit, void *context);
void ir_each_node_of(const IrStmt *stmt, IrValueVisitor *visit, void *context);
void ir_each_node_in(const IrRegion *region, IrValueVisitor *visit, void *context);
/* Whether a value or one below it, or any that stands in a region, passes a test. */
typedef bool IrValueTest(const IrValue *value);
bool ir_has_node(const IrValue *value, IrValueTest *test);
bool ir_region_has_node(const IrRegion *region, IrValueTest *test);
/* For each statement of a region and of the regions inside, in the order of the text. */
typedef void IrStmtVisitor(void *context, IrStmt *stmt);
void ir_each_stmt(const IrRegion *region, IrStmtVisitor *visit, void *context);
/* For a statement and all inside of it. */
void ir_each_stmt_of(const IrStmt *stmt, IrStmtVisitor *visit, void *context);
/* For each statement of a region behind those inside it, by their regions from the last to the
** first: the visitor may remove the statement, put others around it, and change what is inside. */
typedef void IrChangeVisitor(void *context, IrRegion *region, IrStmt *stmt);
void ir_change_stmts(IrRegion *region, IrChangeVisitor *visit, void *context);
/* Whether a statement, or one inside of it, is of one of these kinds: `kinds` has 1 << IR_FOR for
** loops that count, and so on. */
bool ir_stmt_has(const IrStmt *stmt, unsigned kinds);
bool ir_region_has(const IrRegion *region, unsigned kinds);
/* Whether a statement is in a region, or in one inside of it. */
bool ir_region_holds(const IrRegion *region, const IrStmt *wanted);
enum { LOOP_KINDS = 1 << IR_FOR | 1 << IR_WHILE };
/* Visits what is evaluated whenever a value is, operands first. */
void ir_each_certain(const IrValue *value, IrValueVisitor *visit, void *context);
/* Whether a loop stands in a region, however deep. */
bool ir_has_loop(const IrRegion *region);
/* For each slot of the statements of a region and of those in them. */
typedef void IrSlotVisitor(void *context, IrValue **slot);
void ir_each_slot_in(const IrRegion *region, IrSlotVisitor *visit, void *context);
/* Puts what `replacement` gives in place of each node for which that is not NULL; what is inside of
** such a node is left out. */
typedef IrValue *IrReplacement(void *context, IrValue *node);
void ir_replace(IrValue **slot, IrReplacement *replacement, void *context);
void ir_replace_in(const IrRegion *region, IrReplacement *replacement, void *context);
/* By IrVar.id: how often a region of `fn` reads each variable. */
int *ir_reads(Arena *arena, const IrFunc *fn, const IrRegion *region);
/* What a node adds to the number of accesses of an array: 1 where it names the array's variable, -1
** for an extent or a stride of that, which accesses nothing. */
int ir_counts_access(const IrValue *node, const IrVar *array);
/* What a statement sets a variable to, or evaluates; NULL: it does neither. */
IrValue *ir_stmt_value(const IrStmt *stmt);
/* How often a value, or what a statement itself evaluates, mentions a variable; of how many nodes a
** value consists. */
int ir_mentions(const IrValue *value, const IrVar *var);
int ir_own_mentions(const IrStmt *stmt, const IrVar *var);
int ir_node_count(const IrValue *value);
/* The same of all that statements of a region, and of those in it, compute. */
int ir_node_count_in(const IrRegion *region);
/* The regions of a statement, at most two; returns how many. */
int ir_regions(IrStmt *stmt, IrRegion *regions[2]);
/* The region of a statement that follows one of its regions, the first after NULL; NULL: there is
** no other. */
IrRegion *ir_next_region(const IrStmt *stmt, const IrRegion *region);
/* The region of a branch that has only one; NULL if it has both. */
IrRegion *ir_only_way(IrStmt *branch);
/* A loop over the regions of a statement, in the order of the text. */
#define for_each_region(region, stmt)                                                              \
    for (IrRegion *region = ir_next_region(stmt, NULL); region;                                    \
         region = ir_next_region(stmt, region))

/* ---- passes ---------------------------------------------------------------------------- */

enum { PASSES_MAX = 64 };

/* Sets of optimising passes: those to leave out, and those to run whatever the device. */
typedef struct IrPassSet {
    uint64_t without, with;
} IrPassSet;

/* Which passes run, and how. */
typedef struct IrPlan {
    const IrFacts *facts; /* of the launches it is for; NULL: it is not optimised */
    bool processor;
    IrPassSet set;
    int arch;   /* of the GPU that its code is for, 90 of sm_90; 0: not known, or less than 80 */
    int unroll; /* how many iterations of innermost loops begin at once; 0: as the pass chooses */
    const char *after;  /* the last pass to run, "lower" for none; NULL: all */
    Diags *remarks;     /* NULL: they are not collected */
    Schedule *schedule; /* what passes are to do, and what they did; NULL: neither */
} IrPlan;

/* Runs the passes of a plan in order (NULL: those that optimise nothing), and verifies what comes
** of them; in debug builds what comes of each. Gives what ir_verify() does. */
const char *ir_run_passes(IrUnit *unit, const IrPlan *plan);
/* Runs just the passes of a list, "forward,dce", one after the other; "all" among them stands for
** what a plan with the unit's facts runs, on every device. What they find is found again after
** each. Gives what ir_verify() does. */
const char *ir_run_listed(IrUnit *unit, const char *names, Diags *remarks);
/* The first of a list that is no pass, as far as the next comma; NULL if all are. */
const char *ir_list_wrong(const char *names);
/* Whether a pass is among those that run. */
bool ir_pass_runs(const IrPassSet *set, const char *name, bool processor);
/* Reads what people write: "all" (on every device), "none", "narrow" (also there), "-narrow", and
** lists of these between commas. Returns what is no such thing, or NULL. */
const char *ir_read_passes(const char *text, IrPassSet *set);
/* Writes what comes to the same set when it is read. */
void ir_write_passes(Buf *out, const IrPassSet *set);
/* The name of optimising pass number `index`, in the order they run; NULL behind the last. */
const char *ir_pass_name(int index);
bool ir_is_pass(const char *name);
/* Says of the name at `wrong`, which a comma ends, that no pass has it, and which is near to it. */
enum { PASS_WRONG = 128 };
void ir_pass_wrong(char says[PASS_WRONG], const char *wrong);
/* All names between commas, in room of PASS_NAMES bytes. */
enum { PASS_NAMES = 512 };
void ir_pass_names(char names[PASS_NAMES]);
/* What is broken in the IR after a pass, with the place, or NULL. That is a bug of kjit's, and such
** IR is not to be emitted. */
const char *ir_verify(const IrUnit *unit, const char *after);

typedef struct IrBroken {
    const IrFunc *fn;
    Span span;
    const char *what;
} IrBroken;

/* The same, in parts: the first thing that is broken; false if nothing is. */
bool ir_find_broken(const IrUnit *unit, IrBroken *broken);

/* Puts functions that hand out arrays of their own in the place of their calls. */
void ir_handed_out(IrUnit *unit);
/* Leaves out functions that are not called. */
void ir_prune(IrUnit *unit);
/* Puts values in place of variables that merely name them. */
void ir_forward(IrUnit *unit);
/* Drops sets that are never read. */
void ir_dce(IrUnit *unit);
/* EFFECT_ flags of everything in a function, as far as its callees' are known. */
int ir_function_effects(const IrFunc *fn);
/* Sets IrFunc.effects and IrFunc.access of every function. */
void ir_effects(IrUnit *unit);
/* Sets IrFunc.covers of the kernel. Needs ir_effects. */
void ir_cover(IrUnit *unit);
/* Sets IrVar.nonnegative and IrVar.positive everywhere. */
void ir_range(IrUnit *unit);
/* Sets IrVar.uniform everywhere. Needs ir_effects. */
void ir_uniform(IrUnit *unit);
/* Needs ir_uniform: whether a value, evaluated by all threads of a block, is one for all; whether
** they all make the same iterations of a loop that they enter together; whether a function may
** synchronise where only some of the threads come. */
bool ir_uniform_value(const IrValue *value);
bool ir_uniform_loop(const IrStmt *loop);
bool ir_syncs_divergently(const IrFunc *fn);

/* A unit in which no statement calls a function that `inlined` says yes to: its body stands there
** instead, returns made branches. `unit` itself stays as it was, and is the answer if it has no
** such function. Effects, ranges and uniformity of a new unit are set. */
typedef bool IrInlined(const IrFunc *callee);
/* Yes to all functions but those that are to stay. */
bool ir_is_inlined(const IrFunc *callee);
IrUnit *ir_inline(Arena *arena, const IrUnit *unit, IrInlined *inlined);
/* A unit of functions of its own, which does the same. */
IrUnit *ir_copy_unit(Arena *arena, const IrUnit *unit);
/* The first function in whose place ir_inline() would put more than `most` statements of others;
** NULL if there is none. */
const IrFunc *ir_inline_excess(const IrUnit *unit, IrInlined *inlined, int64_t most);

/* ---- analysis/spin.c, schedule/spin_yield.c: for the processor ------------------------------- */

/* A loop that repeats until another thread does something, in the kernel or in what it calls;
** NULL: there is none. */
const IrStmt *ir_spin(Arena *arena, const IrUnit *unit);
/* A unit in which such loops let other threads run, all in the kernel; NULL: nothing is to be
** done. */
IrUnit *ir_yield_in_waits(Arena *arena, const IrUnit *unit);

/* ---- simplify/ends.c: for the processor ------------------------------------------------------ */

/* Has functions that call themselves and may end the thread tell their callers, which do so for
** them. Changes the unit; what ir_range() and the like found holds again after. */
void ir_report_ends(IrUnit *unit);
