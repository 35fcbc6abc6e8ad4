/* The space of a kernel that is tuned: parameters with their values, and what follows from them. */
#ifndef KJIT_SPACE_H
#define KJIT_SPACE_H

#include "runtime/values/values.h"

/* What a parameter sets: a constant of the module, or what a module is loaded with. */
typedef enum SpaceRole {
    ROLE_CONSTANT,
    ROLE_MAX_REGISTERS,
    ROLE_UNROLL,
    ROLE_FASTMATH,
    ROLE_PASSES,
    ROLE_OPTIONS
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
    Arena arena;    /* of all that it says */
    TuneSpace said; /* its parameters are `params` */
    SpaceParam *params;
    size_t count, capacity;
    const char **unread; /* NULL: not looked for yet; ends in NULL */
    char *why;           /* of the last kjit_space_allows() */
    uint64_t reads;      /* as of SpacePoint, of all that was asked so far */
};

/* ---- space.c ------------------------------------------------------------------------------ */

SpaceRole space_role(const kjit_module *module, const char *name);
/* The number of the value of that text, or the count of values. */
size_t space_find_value(const SpaceParam *param, const char *text);
/* A value as Python writes it; false if there is no such text for it. */
bool space_value_text(Buf *out, const Value *value);

/* ---- space_own.c -------------------------------------------------------------------------- */

/* The value that a parameter has in the module as it stands, as a text; false if it has none. */
bool space_own_text(Eval *eval, const kjit_module *module, const char *name, Buf *out);
/* As kjit_own_shape(), which configuration it is, too: in the space, whose parameters are left with
** the values that the module's constants have. */
kjit_status space_own_shape(kjit_space *space, const kjit_arg *args, size_t count, uint32_t *config,
                            kjit_launch_config *shape);

enum { READS_MOST = 63 }; /* arguments beyond count as all */

/* ---- space_shape.c ------------------------------------------------------------------------ */

/* Which parameters an evaluation may ask for, and which it did: by number. */
typedef struct SpaceTrace {
    const bool *chosen; /* the others have no value yet */
    bool *asked;
    bool grown; /* out: it asked for one that it had not before */
} SpaceTrace;

/* A configuration among its arguments: where expressions find their names. */
typedef struct SpacePoint {
    const kjit_space *space;
    const uint32_t *config;
    const kjit_arg *args;
    size_t count;
    kjit_values *scratch; /* no values; what expressions make lies there until it is cleared */
    uint64_t *reads;   /* out: bit i: the value of scalar i was asked for; NULL: of no interest */
    SpaceTrace *trace; /* NULL: of no interest, and all have values */
} SpacePoint;

/* Whether the configuration has values, and the kernel so many arguments. */
kjit_status space_check_point(const SpacePoint *point);
/* How to evaluate at a point. */
Eval space_eval(Arena *arena, Diags *diags, const SpacePoint *point);
/* Which axis of the block a parameter of that name is, 0 to 2; -1: none. */
int space_block_axis(const char *name);
/* The extents of the problem, as many as are returned; -1 after a complaint. */
int space_problem(Eval *eval, const kjit_space *space, int64_t problem[TUNE_AXES]);
/* A restriction that does not hold, in words. */
const char *space_broken_text(Arena *arena, const AstExpr *restriction);
/* Whether the launch that follows fits the device: its shape, and `why` not, or NULL. Restrictions
** are not looked at. */
kjit_status space_fits(Arena *arena, const SpacePoint *point, kjit_launch_config *shape,
                       const char **why);
/* What an evaluation that failed returns. */
kjit_status space_failure(const Eval *eval);

/* ---- space_names.c ------------------------------------------------------------------------ */

/* Whether an expression looks at no element of an array; else a complaint. The evaluation is
** space_eval()'s. */
bool space_looks_at_shapes(Eval *eval, const AstExpr *expr);

/* ---- space_terms.c ------------------------------------------------------------------------ */

typedef struct SpaceCode SpaceCode;

/* A restriction, or one of several that `and` joins. */
typedef struct SpaceTerm {
    const AstExpr *expr, *restriction; /* the latter whole */
    bool *needs;                       /* parameters, by number */
    size_t depth;                      /* of these in the order; as soon as so many have values */
    SpaceCode *code;                   /* NULL: it has to be evaluated */
} SpaceTerm;

/* In which order parameters get their values, so that terms can be looked at early. */
typedef struct SpaceOrder {
    SpaceTerm *terms;
    size_t count, capacity;
    size_t *params; /* their numbers */
} SpaceOrder;

void space_order(Arena *arena, const kjit_space *space, SpaceOrder *order);

/* ---- space_code.c ------------------------------------------------------------------------- */

/* A condition over whole numbers as a program, whose parts that need no parameter are computed at
** the point; NULL if it is no such. */
SpaceCode *space_code(Arena *arena, const SpacePoint *point, const AstExpr *expr);
/* Whether it holds for a configuration; false if only the evaluator can tell. */
bool space_code_run(const SpaceCode *code, const uint32_t *config, bool *holds);

/* ---- space_kernel.c ----------------------------------------------------------------------- */

/* The module of a configuration, which the context does not know of: module_free(). */
kjit_status space_load(const kjit_space *space, const uint32_t *config, kjit_module **module);

/* ---- space_shared.c ----------------------------------------------------------------------- */

/* The bytes of the shared arrays whose sizes the text of the kernel, and of what it calls, shows:
** those that are not known count nothing, nor do those in branches that the configuration never
** takes. The evaluation is space_eval()'s. */
uint64_t space_shared(const Eval *eval, const kjit_kernel *kernel);
/* Whether launches have a use for a parameter: it is kjit's own, a constant of the module, or read
** by a size or by a condition of the source's @tune. */
bool space_is_known(Arena *arena, const kjit_space *space, const SpaceParam *param);

#endif
