/* The tuning space of a kernel: parameters with their values, and what follows from a
** configuration. */
#pragma once

#include "runtime/values/values.h"

/* What a parameter sets: a constant of the module, or one of its load options. */
typedef enum SpaceRole {
    ROLE_CONSTANT,
    ROLE_MAX_REGISTERS,
    ROLE_UNROLL,
    ROLE_FASTMATH,
    ROLE_PASSES,
    ROLE_OPTIONS,
    ROLE_SCHEDULE
} SpaceRole;

typedef struct SpaceValue {
    Value value;      /* VALUE_ARG, VALUE_STRING or VALUE_NONE */
    const char *text; /* as Python writes it */
} SpaceValue;

typedef struct SpaceParam {
    const char *name;
    Span span;
    SpaceRole role;
    SpaceValue *values;
    size_t count;
} SpaceParam;

struct kjit_space {
    HandleHead self;
    kjit_kernel *kernel;
    Arena arena;    /* of the parameters and `said` */
    TuneSpace said; /* as @tune and kjit_space_set() say; its parameters are in `params` */
    SpaceParam *params;
    size_t count, capacity;
    const char **unread; /* parameters that nothing reads, ended by NULL; NULL: not determined
                            yet */
    char *why;           /* of the last kjit_space_allows() */
    uint64_t reads;      /* as in SpacePoint, over all evaluations so far */
};

/* ---- space.c ------------------------------------------------------------------------------ */

/* What a parameter of that name decides: one of kjit's own, unless the module has such a
** constant, else a constant. */
SpaceRole space_role(const kjit_module *module, const char *name);
/* The index of the value with that text, or the count of values. */
size_t space_find_value(const SpaceParam *param, const char *text);
/* Writes a value as Python does; false if it has no literal. */
bool space_value_text(Buf *out, const Value *value);

/* ---- space_own.c -------------------------------------------------------------------------- */

/* The value that a parameter has in the module itself, as a text; false if it has none. */
bool space_own_text(Eval *eval, const kjit_module *module, const char *name, Buf *out);
/* As kjit_own_shape(), and gives the configuration too: in the space, whose parameters are reduced
** to the values of the module's constants. */
kjit_status space_own_shape(kjit_space *space, const kjit_arg *args, size_t count, uint32_t *config,
                            kjit_launch_config *shape);

enum { READS_MOST = 63 }; /* reads of later arguments count as reads of all */

/* ---- space_shape.c ------------------------------------------------------------------------ */

/* Which parameters an evaluation may read, and which it has read, by index. */
typedef struct SpaceTrace {
    const bool *chosen; /* those that have values */
    bool *asked;
    bool grown; /* out: an entry of `asked` was added */
} SpaceTrace;

/* A configuration and the kernel's arguments: the names that expressions may use. */
typedef struct SpacePoint {
    const kjit_space *space;
    const uint32_t *config;
    const kjit_arg *args;
    size_t count;
    kjit_values *scratch; /* memory of intermediate results, until it is cleared */
    uint64_t *reads;      /* out: bit i: scalar argument i was read; or NULL */
    SpaceTrace *trace;    /* NULL: all parameters have values */
} SpacePoint;

/* Checks the configuration's indices and the number of arguments. */
kjit_status space_check_point(const SpacePoint *point);
/* An evaluator at a point. */
Eval space_eval(Arena *arena, Diags *diags, const SpacePoint *point);
/* The axis of the block that a parameter of that name sets, 0 to 2; -1: none. */
int space_block_axis(const char *name);
/* The extents of the problem; returns their number, -1 after an error. */
int space_problem(Eval *eval, const kjit_space *space, int64_t problem[TUNE_AXES]);
/* The message for a restriction that does not hold. */
const char *space_broken_text(Arena *arena, const AstExpr *restriction);
/* Whether the launch fits the device: its shape, and the reason `why` not, or NULL. Ignores
** restrictions. */
kjit_status space_fits(Arena *arena, const SpacePoint *point, kjit_launch_config *shape,
                       const char **why);
/* The status of an evaluation that failed. */
kjit_status space_failure(const Eval *eval);

/* ---- space_names.c ------------------------------------------------------------------------ */

/* Whether an expression reads no element of an array; else an error. `eval` is of space_eval(). */
bool space_looks_at_shapes(Eval *eval, const AstExpr *expr);

/* ---- space_terms.c ------------------------------------------------------------------------ */

typedef struct SpaceCode SpaceCode;

/* A restriction, or one operand of its top-level `and`. */
typedef struct SpaceTerm {
    const AstExpr *expr, *restriction; /* its part; the whole */
    bool *needs;                       /* by parameter: whether it reads it */
    size_t depth;                      /* it can be evaluated once so many parameters of the
                                          order have values */
    SpaceCode *code;                   /* NULL: only the evaluator can compute it */
} SpaceTerm;

/* The order in which parameters get their values, so that terms are decided early. */
typedef struct SpaceOrder {
    SpaceTerm *terms;
    size_t count, capacity;
    size_t *params; /* their indices */
} SpaceOrder;

/* Orders the parameters of a space, and its restrictions by the parameter that decides each. */
void space_order(Arena *arena, const kjit_space *space, SpaceOrder *order);

/* ---- space_code.c ------------------------------------------------------------------------- */

/* Compiles a condition over integers, with the parts that depend on no parameter computed at the
** point; NULL if it is no such condition. */
SpaceCode *space_code(Arena *arena, const SpacePoint *point, const AstExpr *expr);
/* Computes the condition for a configuration; false if only the evaluator can. */
bool space_code_run(const SpaceCode *code, const uint32_t *config, bool *holds);

/* ---- space_kernel.c ----------------------------------------------------------------------- */

/* Loads the module of a configuration, which the context does not list: module_free(). */
kjit_status space_load(const kjit_space *space, const uint32_t *config, kjit_module **module);

/* ---- space_shared.c ----------------------------------------------------------------------- */

/* The bytes of shared arrays in the kernel and its callees, as far as their sizes can be evaluated,
** without those in branches that the configuration never takes. `eval` is of space_eval(). */
uint64_t space_shared(const Eval *eval, const kjit_kernel *kernel);
/* Whether a parameter affects launches: it is kjit's own, a constant of the module, or read by a
** size or restriction of the source's @tune. */
bool space_affects_launch(Arena *arena, const kjit_space *space, const SpaceParam *param);
