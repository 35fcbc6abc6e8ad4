/* What @vectorize, @guvectorize and @cuda.reduce make of a function. */
#pragma once

#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

enum { UFUNC_ARGS = OPERANDS_MOST, UFUNC_SIGNATURES = 16, UFUNC_SYMBOLS = 16 };

typedef enum UfuncKind { UFUNC_VECTORIZED, UFUNC_GENERALIZED, UFUNC_REDUCE } UfuncKind;

typedef struct UfuncSignature {
    kjit_dtype result; /* NONE: as the function computes it */
    kjit_dtype args[UFUNC_ARGS];
    bool rows[UFUNC_ARGS]; /* which are written as arrays, float64[:] */
    int count;
    const struct Defines *frozen; /* what the function reads, as it was when this was compiled */
} UfuncSignature;

/* Of an argument of @guvectorize: the symbols of its last axes. */
typedef struct UfuncCore {
    int symbols[4], rank;
} UfuncCore;

struct HostUfunc {
    HostObject head;
    UfuncKind kind;
    HostValue function;
    const char *name;
    const char *text;   /* the module's, in which it has no decorators */
    const char *called; /* its name in that text */
    UfuncSignature signatures[UFUNC_SIGNATURES];
    int signature_count;
    bool lazy;                    /* it has signatures as calls come that none fits */
    const struct Defines *frozen; /* of the call at hand */
    bool exact;                   /* target="cuda": a signature of the very types goes before */
    const char *layout;           /* "(n),(n)->(n)" */
    UfuncCore cores[UFUNC_ARGS];
    int inputs, outputs, symbol_count;
    char symbols[UFUNC_SYMBOLS][16];
};
typedef struct HostUfunc HostUfunc;

/* ---- numba/ufunc.c --------------------------------------------------------------------------- */

extern const HostBuiltin ufunc_functions[];

/* What @vectorize, @guvectorize or @cuda.reduce makes of a function; and its call. False after an
** error. */
bool ufunc_define(Program *p, UfuncKind kind, const AstExpr *decorator, HostValue function,
                  HostValue *out);
bool ufunc_call(Program *p, HostUfunc *made, HostArgs *args, HostValue *out);
/* The first signature that all arguments go into; before that with target="cuda", as numba has
** it, one of their very types, and one of the very types of arrays. Of a function without
** signatures of its own a new one, as numba compiles it then. */
bool ufunc_choose(Program *p, HostUfunc *made, const HostValue *args, int count,
                  UfuncSignature *out);
/* The kernel `name` of a text that stands behind the module's; NULL after a complaint. */
kjit_kernel *ufunc_kernel(Program *p, const HostUfunc *made, const char *text, const char *name);

/* ---- numba/generalized.c --------------------------------------------------------------------- */

/* Reads the layout of @guvectorize. */
bool ufunc_layout(Program *p, HostUfunc *made, Span span);
bool ufunc_call_generalized(Program *p, HostUfunc *made, HostArgs *args, HostValue *out);
