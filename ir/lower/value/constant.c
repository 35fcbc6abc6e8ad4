/* What Python computes before a kernel is compiled, where a kernel's own operations have other
** types or are left for run time: constants of a module, and operations on numbers as they are
** written, which CPython's compiler does before numba sees them (Python/ast_opt.c). */
#include "base/arith.h"
#include "ir/lower/function.h"

#include <math.h>

double constant_number(Arena *arena, const IrValue *value)
{
    return fold_cast(arena, type_float64, value, value->span)->constant.number;
}

/* A negative number to a power that is not whole is complex in Python; as CPython's c_pow() has
** it. */
static IrValue *negative_power(FnState *f, double a, double b, Span span)
{
    double size = pow(-a, b), angle = atan2(0, a) * b;
    return ir_complex(f->arena, type_of(COMPLEX128),
                      ir_number(f->arena, type_float64, size * cos(angle), span),
                      ir_number(f->arena, type_float64, size * sin(angle), span), span);
}

/* Python's own numbers to a power that is no integer: Python computes it when it compiles, with the
** C library's pow(), whose last bit is not always that of a device. What Python would raise for is
** left to the device: division by 0, what is too large. */
static IrValue *python_power(FnState *f, const IrValue *left, const IrValue *right, Span span)
{
    bool real = type_is_real(left->type) && type_is_real(right->type);
    if (!real || !left->weak || !right->weak || !ir_is_constant(left) || !ir_is_constant(right) ||
        (!type_is_float(left->type) && !type_is_float(right->type)))
        return NULL;
    double a = constant_number(f->arena, left), b = constant_number(f->arena, right);
    if (!isfinite(a) || !isfinite(b) || (a == 0 && b < 0))
        return NULL;
    if (a < 0 && b != floor(b))
        return negative_power(f, a, b, span);
    double result = pow(a, b);
    if (!isfinite(result))
        return NULL;
    IrValue *value = ir_number(f->arena, type_float64, result, span);
    value->weak = true;
    return value;
}

static void complex_parts(Arena *arena, const IrValue *value, double out[2])
{
    bool complex = type_is_complex(value->type);
    out[0] = complex ? value->constant.complex.real : constant_number(arena, value);
    out[1] = complex ? value->constant.complex.imag : 0;
}

/* A quotient or power of numbers of which one is complex; NULL of other operations, and by 0. */
static IrValue *complex_result(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                               Span span)
{
    const Type *type = typing_binary(AST_MUL, left->type, right->type).result;
    if (!type || !type_is_complex(type) || (op != AST_DIV && op != AST_POW))
        return NULL;
    double a[2], b[2], out[2];
    complex_parts(f->arena, left, a);
    complex_parts(f->arena, right, b);
    if (b[0] == 0 && b[1] == 0)
        return NULL;
    (op == AST_DIV ? complex_quotient : complex_power)(a, b, out);
    const Type *part = type_complex_part(type);
    return ir_complex(f->arena, type, ir_number(f->arena, part, out[0], span),
                      ir_number(f->arena, part, out[1], span), span);
}

IrValue *lower_constant_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                               Span span)
{
    bool real = type_is_real(left->type) && type_is_real(right->type);
    if (!f->constant_only && op == AST_POW)
        return python_power(f, left, right, span);
    if (f->constant_only && !real && ir_is_constant(left) && ir_is_constant(right) &&
        type_is_scalar(left->type) && type_is_scalar(right->type))
        return complex_result(f, op, left, right, span);
    if (!f->constant_only || !real || !ir_is_constant(left) || !ir_is_constant(right))
        return NULL;
    bool floats = type_is_float(left->type) || type_is_float(right->type);
    bool fraction = op == AST_POW && type_is_signed(right->type) && right->constant.integer < 0;
    if ((op != AST_POW && op != AST_FLOORDIV && op != AST_MOD) || !(floats || fraction))
        return NULL;
    const Type *type =
        !floats ? type_float64
        : left->weak && right->weak
            ? typing_binary(op, left->type, right->type).result
            : typing_nep50(op, left->type, left->weak, right->type, right->weak).result;
    if (!type || !type_is_float(type))
        return NULL;
    double a = constant_number(f->arena, left), b = constant_number(f->arena, right);
    double result = op == AST_POW        ? pow(a, b)
                    : op == AST_FLOORDIV ? float_floor_quotient(a, b)
                                         : float_floor_rest(a, b);
    if (isnan(result) && !isnan(a) && !isnan(b))
        return fail_value(f, span, "a constant is not a real number");
    IrValue *value = ir_number(f->arena, type, result, span);
    value->weak = left->weak && right->weak;
    return value;
}

/* Each product and sum is rounded, where a device may fuse them. */
static IrValue *complex64_product(Arena *arena, IrConstant a, IrConstant b, Span span)
{
    double ar = a.complex.real, ai = a.complex.imag, br = b.complex.real, bi = b.complex.imag;
    float real = (float)(ar * br) - (float)(ai * bi), imag = (float)(ar * bi) + (float)(ai * br);
    return ir_complex(arena, type_of(COMPLEX64), ir_number(arena, type_float32, (double)real, span),
                      ir_number(arena, type_float32, (double)imag, span), span);
}

IrValue *lower_constant_of_numpy(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                                 Span span)
{
    if (!f->constant_only || !ir_is_constant(left) || !ir_is_constant(right))
        return NULL;
    if ((op == AST_FLOORDIV || op == AST_MOD) && type_is_integer(right->type) &&
        right->constant.integer == 0)
        return ir_zero(f->arena, right->type, span); /* and a warning */
    return op == AST_MUL && right->type->kind == TY_COMPLEX64
               ? complex64_product(f->arena, left->constant, right->constant, span)
               : NULL;
}

IrValue *lower_constant_round(FnState *f, const IrValue *value, const IrValue *digits, Span span)
{
    if (!f->constant_only || !ir_is_constant(value) || !type_is_float(value->type))
        return NULL;
    double number = constant_number(f->arena, value);
    if (!digits)
        return fold_cast(f->arena, type_int64,
                         ir_number(f->arena, type_float64, nearbyint(number), span), span);
    if (!ir_is_constant(digits) || digits->constant.integer < 0 || digits->constant.integer > 300)
        return NULL;
    /* the nearest decimal, as CPython finds it */
    const char *text = arena_printf(f->arena, "%.*f", (int)digits->constant.integer, number);
    return ir_number(f->arena, value->type, strtod(text, NULL), span);
}

int library_out_place(const Function *function)
{
    const AstParams *params = &function->ast->params;
    for (int i = 0; i < params->count; i++)
        if (strcmp(params->items[i].name, "out") == 0)
            return i;
    return -1;
}

/* Whether a call may give the function an array to write to. */
static bool may_give_out(const Function *function, const AstExpr *call, int count)
{
    int place = library_out_place(function);
    return ast_given_keyword(call, "out") || (place >= 0 && place < count);
}

Operand lower_constant_callee(FnState *f, Operand callee, const AstExpr *call, int count)
{
    static const struct {
        const char *numpy, *path;
    } others[] = {
        { "arcsin", "math.asin" },     { "arccos", "math.acos" },
        { "arctan", "math.atan" },     { "arcsinh", "math.asinh" },
        { "arccosh", "math.acosh" },   { "arctanh", "math.atanh" },
        { "arctan2", "math.atan2" },   { "deg2rad", "math.radians" },
        { "rad2deg", "math.degrees" }, { "abs", "abs" },
        { "absolute", "abs" },         { "power", "pow" },
    };
    if (!f->constant_only || callee.kind != OPD_FUNCTION ||
        !library_is_namespace(f->lower, callee.function->module) ||
        may_give_out(callee.function, call, count))
        return callee;
    const char *path = arena_printf(f->arena, "math.%s", callee.function->name);
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        if (strcmp(others[i].numpy, callee.function->name) == 0)
            path = others[i].path;
    Operand found = builtin_find(f->arena, path, callee.span);
    return found.kind == OPD_INTRINSIC ? found : callee;
}

/* ---- numbers as they are written ------------------------------------------------------------- */

__extension__ typedef __int128 Wide;

/* An integer of Python's, and how many more parts of the expression may be looked at. */
typedef struct Tree {
    FnState *f;
    int parts;
    bool too_big;
} Tree;

enum { PARTS_MAX = 1000, CPYTHON_BITS = 128, WIDE_BITS = 126 };

static int bits_of(Wide value)
{
    int bits = 0;

    for (Wide rest = value < 0 ? -value : value; rest; rest >>= 1)
        bits++;
    return bits;
}

/* `bits`: of the result, at the most. CPython leaves what is too large to run time. */
static bool is_left(Tree *tree, long long bits)
{
    tree->too_big = tree->too_big || (bits > WIDE_BITS && bits <= CPYTHON_BITS);
    return bits > WIDE_BITS;
}

static bool wide_power(Tree *tree, Wide base, Wide exponent, Wide *result)
{
    if (exponent < 0 || (base && exponent > CPYTHON_BITS) ||
        is_left(tree, base ? bits_of(base) * (long long)exponent : 0))
        return false;
    *result = 1;
    for (Wide i = 0; i < exponent && (base || i == 0); i++)
        *result *= base;
    return true;
}

static bool wide_shift(Tree *tree, Wide value, Wide count, Wide *result)
{
    if (count < 0 ||
        (value && (count > CPYTHON_BITS || is_left(tree, bits_of(value) + (long long)count))))
        return false;
    *result = value ? value * ((Wide)1 << (int)count) : 0;
    return true;
}

static Wide floored(Wide a, Wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static bool wide_binary(Tree *tree, AstOp op, Wide a, Wide b, Wide *result)
{
    int bits = bits_of(a) > bits_of(b) ? bits_of(a) : bits_of(b);

    switch ((int)op) {
    case AST_ADD:
    case AST_SUB:
        *result = op == AST_ADD ? a + b : a - b;
        return !is_left(tree, bits + 1);
    case AST_MUL:
        if (is_left(tree, bits_of(a) + bits_of(b)))
            return false;
        *result = a * b;
        return true;
    case AST_FLOORDIV:
    case AST_MOD:
        if (!b)
            return false;
        *result = op == AST_FLOORDIV ? floored(a, b) : a - floored(a, b) * b;
        return true;
    case AST_POW:
        return wide_power(tree, a, b, result);
    case AST_LSHIFT:
        return wide_shift(tree, a, b, result);
    case AST_RSHIFT:
        *result = a >> (b > WIDE_BITS ? WIDE_BITS : (int)b);
        return b >= 0;
    case AST_BITAND:
        *result = a & b;
        return true;
    case AST_BITOR:
        *result = a | b;
        return true;
    case AST_BITXOR:
        *result = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool wide_value(Tree *tree, const AstExpr *expr, Wide *result);

/* A constant's value, of the names that its own place sees. */
static bool wide_name(Tree *tree, const Symbol *symbol, Wide *result)
{
    const AstExpr *expr = symbol ? constant_expr(tree->f->lower, symbol) : NULL;
    FnState *here = tree->f;
    if (!expr)
        return false;
    tree->f = constant_place(here, symbol);
    bool known = wide_value(tree, expr, result);
    tree->f = here;
    return known;
}

/* Whether CPython computes the expression, and it is an integer. Names of a module's constants are
** what they stand for, in other constants. */
static bool wide_value(Tree *tree, const AstExpr *expr, Wide *result)
{
    Wide left, right;

    if (--tree->parts < 0)
        return false;
    switch (expr->kind) {
    case AST_INT:
        *result = (Wide)expr->integer.value;
        return !expr->integer.too_big;
    case AST_TRUE:
    case AST_FALSE:
        *result = expr->kind == AST_TRUE;
        return true;
    case AST_UNARY:
        if (expr->unary.op == AST_NOT || !wide_value(tree, expr->unary.operand, &left))
            return false;
        *result = expr->unary.op == AST_NEG ? -left : expr->unary.op == AST_INVERT ? ~left : left;
        return true;
    case AST_BINARY:
        return wide_value(tree, expr->binary.left, &left) &&
               wide_value(tree, expr->binary.right, &right) &&
               wide_binary(tree, expr->binary.op, left, right, result);
    case AST_NAME:
        return tree->f->constant_only && !names_local(tree->f, expr->name.name) &&
               wide_name(tree, lower_lookup(tree->f, expr->name.name), result);
    default:
        return false;
    }
}

/* 2 ** -1, which Python makes a float. */
static IrValue *fraction(FnState *f, Tree *tree, const AstExpr *expr)
{
    Wide base, exponent;

    if (expr->kind != AST_BINARY || expr->binary.op != AST_POW ||
        !wide_value(tree, expr->binary.left, &base) ||
        !wide_value(tree, expr->binary.right, &exponent) || exponent >= 0 || !base)
        return NULL;
    return ir_number(f->arena, type_float64, pow((double)base, (double)exponent), expr->span);
}

IrValue *lower_written(FnState *f, const AstExpr *expr)
{
    Tree tree = { .f = f, .parts = PARTS_MAX };
    IrValue *value = NULL;
    Wide number;

    if (!wide_value(&tree, expr, &number))
        value = tree.too_big ? NULL : fraction(f, &tree, expr);
    else if (number >= INT64_MIN && number <= UINT64_MAX)
        value = ir_integer(f->arena, number > INT64_MAX ? type_uint64 : type_int64,
                           (int64_t)(uint64_t)number, expr->span);
    else
        tree.too_big = true;
    if (tree.too_big)
        return fail_value(f, expr->span, "this number does not fit 64 bits");
    if (value)
        value->weak = true;
    return value;
}
