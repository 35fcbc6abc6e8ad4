/* What the files with the functions of value expressions share: call.c has their table. */
#ifndef KJIT_CALL_H
#define KJIT_CALL_H

#include "runtime/values/values.h"

enum { ARGS_MAX = 8 };

/* A call after binding: a value for each parameter, VALUE_MISSING where none was given. */
typedef struct ValueCall {
    Eval *eval;
    const AstExpr *expr;
    const char *name;
    Value args[ARGS_MAX];
    const Value *self;
} ValueCall;

typedef bool ValueMake(ValueCall *call, Value *out);

typedef struct ValueFunction {
    const char *name;
    const char *params[ARGS_MAX]; /* "a|b": two names for one */
    int required;
    ValueMake *make;
} ValueFunction;

/* ---- argument.c: false after a complaint ---------------------------------------------------- */

/* Evaluates the arguments of `call`, each for its parameter. */
bool call_bind(ValueCall *call, const ValueFunction *function);

/* Whether there is an argument, and it is not None. What follows leaves its result as it is where
** there is none. */
bool call_given(const ValueCall *call, int index);
/* A real number. */
bool call_number(ValueCall *call, int index, double *number);
bool call_integer(ValueCall *call, int index, int64_t *integer);
bool call_scalar(ValueCall *call, int index, kjit_arg *scalar);
bool call_dtype(ValueCall *call, int index, kjit_dtype *dtype);
/* The same where records will do: as the dtype of `like`. */
bool call_element(ValueCall *call, int index, kjit_array *like);
/* order="C" or "F", which is columns; rows where there is none. */
bool call_order(ValueCall *call, int index, bool *columns);
/* Complains of the call. */
bool call_fail(ValueCall *call, const char *message);

/* ---- call.c ------------------------------------------------------------------------------ */

/* The function of that name; NULL: there is none. */
const ValueFunction *value_function(const char *name);
/* Whether a parameter, "a|b", is called so. */
bool param_called(const char *param, const char *name);

/* ---- create.c ------------------------------------------------------------------------------- */

ValueMake make_zeros, make_ones, make_empty, make_full, make_arange, make_linspace, make_normal,
    make_uniform, make_randint, make_states, make_load;

/* ---- convert.c ------------------------------------------------------------------------------ */

ValueMake make_array_of, make_ndarray, make_readonly, make_reshape, make_transpose, make_astype,
    make_copy, make_view, make_len, make_time;

#endif
