/* The functions of value expressions that take numbers and give one: Python's own and math's. They
** compute what Python does, as constants of a module do (ir/lower/call/constant_math.c); np.floor()
** and the like give floats. */
#include "runtime/values/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 64, DIGITS_MOST = 17 };

/* A call with its arguments, all of them numbers. */
typedef struct NumberCall {
    Eval *eval;
    const AstExpr *expr;
    const char *name;
    const kjit_arg *args;
    int count;
    bool numpy; /* np.floor(), not floor() or math.floor() */
} NumberCall;

typedef double OfOne(double x);
typedef double OfTwo(double x, double y);

typedef struct NumberFunction {
    const char *name;
    int least, most; /* arguments */
    bool (*make)(const NumberCall *call, kjit_arg *out);
    OfOne *one;
    OfTwo *two;
} NumberFunction;

static bool fail(const NumberCall *call, const char *message)
{
    diag_error(call->eval->diags, call->expr->span, "%s: %s", call->name, message);
    return false;
}

static kjit_arg real_scalar(double number)
{
    kjit_arg scalar = { .kind = KJIT_ARG_SCALAR, .dtype = KJIT_DTYPE_FLOAT64 };

    scalar.as.number = number;
    return scalar;
}

static double real_of(const kjit_arg *arg)
{
    return scalar_cast(arg, KJIT_DTYPE_FLOAT64).as.number;
}

static bool has_complex(const NumberCall *call)
{
    for (int i = 0; i < call->count; i++) {
        if (dtype_is_complex(call->args[i].dtype))
            return true;
    }
    return false;
}

/* ---- Python's own ------------------------------------------------------------------------- */

/* The item itself, as Python gives it: min(4, 2.5) is 2.5 and min(2, 2.5) is 2. */
static bool make_least(const NumberCall *call, kjit_arg *out)
{
    bool most = call->name[1] == 'a';

    if (has_complex(call))
        return fail(call, "complex numbers have no order");
    *out = call->args[0];
    for (int i = 1; i < call->count; i++) {
        double now = real_of(&call->args[i]), best = real_of(out);
        bool integers = !dtype_is_float(call->args[i].dtype) && !dtype_is_float(out->dtype);
        if (integers && now == best) { /* beyond 53 bits doubles do not tell */
            now = call->args[i].as.integer > out->as.integer ? 1 : 0;
            best = call->args[i].as.integer < out->as.integer ? 1 : 0;
        }
        if (most ? now > best : now < best)
            *out = call->args[i];
    }
    return true;
}

static bool make_abs(const NumberCall *call, kjit_arg *out)
{
    const kjit_arg *arg = &call->args[0];

    if (dtype_is_complex(arg->dtype)) {
        const double *parts = arg->as.complex_parts;
        *out = real_scalar(hypot(parts[0], parts[1]));
        return true;
    }
    *out = arg->dtype == KJIT_DTYPE_BOOL ? scalar_cast(arg, KJIT_DTYPE_INT64) : *arg;
    if (dtype_is_float(out->dtype)) {
        out->as.number = fabs(out->as.number);
        return true;
    }
    bool negative = out->dtype != KJIT_DTYPE_UINT64 && out->as.integer < 0;
    return !negative || value_unary(AST_NEG, arg, out);
}

/* An integer for one that 64 bits hold; a NaN or more than that stays a float. */
static kjit_arg whole(double number)
{
    kjit_arg scalar = real_scalar(number);

    return fabs(number) < 9e18 ? scalar_cast(&scalar, KJIT_DTYPE_INT64) : scalar;
}

/* Halves go to the even neighbour; round(x, digits) is the nearest decimal. */
static bool make_round(const NumberCall *call, kjit_arg *out)
{
    char text[400];
    double number = real_of(&call->args[0]);

    if (has_complex(call))
        return fail(call, "it takes a real number");
    if (call->count == 1) {
        *out = dtype_is_float(call->args[0].dtype) ? whole(nearbyint(number)) : call->args[0];
        return true;
    }
    int64_t digits = call->args[1].as.integer;
    if (dtype_is_float(call->args[1].dtype) || digits < 0 || digits > DIGITS_MOST)
        return fail(call, "digits are an integer from 0 to 17");
    snprintf(text, sizeof text, "%.*f", (int)digits, number);
    *out = dtype_is_float(call->args[0].dtype) ? real_scalar(strtod(text, NULL)) : call->args[0];
    return true;
}

static bool make_pow(const NumberCall *call, kjit_arg *out)
{
    return value_binary(AST_POW, &call->args[0], &call->args[1], out) ||
           fail(call, "it cannot be computed for these numbers, or not in 64 bits");
}

static bool make_divmod(const NumberCall *call, kjit_arg *out)
{
    kjit_arg *items = arena_array(call->eval->arena, kjit_arg, 2);

    if (has_complex(call) ||
        !value_binary(AST_FLOORDIV, &call->args[0], &call->args[1], &items[0]) ||
        !value_binary(AST_MOD, &call->args[0], &call->args[1], &items[1]))
        return fail(call, "it cannot be computed for these numbers");
    *out = (kjit_arg){ .kind = KJIT_ARG_TUPLE };
    out->as.tuple.items = items;
    out->as.tuple.count = 2;
    return true;
}

/* ---- math's ------------------------------------------------------------------------------- */

static double log_of_base(double x, double base)
{
    return log(x) / log(base);
}

static const NumberFunction functions[] = {
    { "min", 1, NUMBERS_MOST, make_least, NULL, NULL },
    { "max", 1, NUMBERS_MOST, make_least, NULL, NULL },
    { "abs", 1, 1, make_abs, NULL, NULL },
    { "round", 1, 2, make_round, NULL, NULL },
    { "divmod", 2, 2, make_divmod, NULL, NULL },
    { "pow", 2, 2, NULL, NULL, pow },
    { "sqrt", 1, 1, NULL, sqrt, NULL },
    { "exp", 1, 1, NULL, exp, NULL },
    { "exp2", 1, 1, NULL, exp2, NULL },
    { "expm1", 1, 1, NULL, expm1, NULL },
    { "log", 1, 2, NULL, log, log_of_base },
    { "log2", 1, 1, NULL, log2, NULL },
    { "log10", 1, 1, NULL, log10, NULL },
    { "log1p", 1, 1, NULL, log1p, NULL },
    { "sin", 1, 1, NULL, sin, NULL },
    { "cos", 1, 1, NULL, cos, NULL },
    { "tan", 1, 1, NULL, tan, NULL },
    { "asin", 1, 1, NULL, asin, NULL },
    { "acos", 1, 1, NULL, acos, NULL },
    { "atan", 1, 1, NULL, atan, NULL },
    { "sinh", 1, 1, NULL, sinh, NULL },
    { "cosh", 1, 1, NULL, cosh, NULL },
    { "tanh", 1, 1, NULL, tanh, NULL },
    { "fabs", 1, 1, NULL, fabs, NULL },
    { "floor", 1, 1, NULL, floor, NULL },
    { "ceil", 1, 1, NULL, ceil, NULL },
    { "trunc", 1, 1, NULL, trunc, NULL },
    { "atan2", 2, 2, NULL, NULL, atan2 },
    { "hypot", 2, 2, NULL, NULL, hypot },
    { "fmod", 2, 2, NULL, NULL, fmod },
    { "copysign", 2, 2, NULL, NULL, copysign },
};

const char *value_number_function(size_t index)
{
    return index < ARRAY_COUNT(functions) ? functions[index].name : NULL;
}

/* As Python's math: floor, ceil and trunc give integers. */
static bool compute(const NumberFunction *function, const NumberCall *call, kjit_arg *out)
{
    OfOne *one = call->count == 1 ? function->one : NULL;

    if (has_complex(call))
        return fail(call, "it takes real numbers");
    double result = one ? one(real_of(&call->args[0]))
                        : function->two(real_of(&call->args[0]), real_of(&call->args[1]));
    bool integer = one == floor || one == ceil || one == trunc;
    *out = integer && !call->numpy ? whole(result) : real_scalar(result);
    return true;
}

/* ---- arguments ---------------------------------------------------------------------------- */

static const NumberFunction *find(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(functions); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    }
    return NULL;
}

/* The values of all arguments; those of min((a, b)) are the tuple's items. */
static bool take_numbers(NumberCall *call, bool tuple_too)
{
    const AstExprs *given = &call->expr->call.args;
    kjit_arg *numbers = arena_array(call->eval->arena, kjit_arg, given->count + 1);

    call->args = numbers;
    call->count = given->count;
    for (int i = 0; i < given->count; i++) {
        Value value;
        if (!value_eval(call->eval, given->items[i], &value))
            return false;
        bool arg = value.kind == VALUE_ARG;
        if (arg && value.arg.kind == KJIT_ARG_TUPLE && given->count == 1 && tuple_too) {
            call->args = value.arg.as.tuple.items;
            call->count = (int)value.arg.as.tuple.count;
            break;
        }
        if (!arg) {
            diag_error(call->eval->diags, given->items[i]->span, "a number is needed here");
            return false;
        }
        numbers[i] = value.arg;
    }
    for (int i = 0; i < call->count; i++) {
        const AstExpr *at = given->items[i < given->count ? i : 0];
        if (call->args[i].kind == KJIT_ARG_SCALAR && !dtype_is_time(call->args[i].dtype))
            continue;
        diag_error(call->eval->diags, at->span, "a number is needed here");
        return false;
    }
    return true;
}

static bool is_module(const AstExpr *function, const char *name)
{
    const AstExpr *object = function->kind == AST_ATTRIBUTE ? function->attribute.object : NULL;

    return object && object->kind == AST_NAME && strcmp(object->name.name, name) == 0;
}

bool value_number_call(Eval *eval, const AstExpr *expr, const char *name, Value *out)
{
    const NumberFunction *function = find(name);
    const AstExpr *callee = expr->call.function;
    NumberCall call = { .eval = eval, .expr = expr, .name = name };

    call.numpy = is_module(callee, "np") || is_module(callee, "numpy");
    if (expr->call.keyword_count) {
        diag_error(eval->diags, expr->call.keywords[0].span, "%s takes numbers without names",
                   name);
        return false;
    }
    if (!take_numbers(&call, function->make == make_least))
        return false;
    if (call.count < function->least || call.count > function->most) {
        diag_error(eval->diags, expr->span, "%s takes %s%d number%s", name,
                   function->least < function->most ? "at least " : "", function->least,
                   function->least == 1 ? "" : "s");
        return false;
    }
    out->kind = VALUE_ARG;
    out->span = expr->span;
    if (function->make)
        return function->make(&call, &out->arg);
    bool own_pow = function->two == pow && callee->kind == AST_NAME;
    return own_pow ? make_pow(&call, &out->arg) : compute(function, &call, &out->arg);
}
