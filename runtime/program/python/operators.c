/* Python's operator: operators as functions. */
#include "runtime/program/program.h"

static bool apply_binary(Program *p, HostArgs *args, HostValue *out)
{
    return host_binary(p, *(const AstOp *)args->builtin->with, args->values[0], args->values[1],
                       out);
}

static bool apply_comparison(Program *p, HostArgs *args, HostValue *out)
{
    return host_compare(p, *(const AstOp *)args->builtin->with, args->values[0], args->values[1],
                        out);
}

static bool apply_unary(Program *p, HostArgs *args, HostValue *out)
{
    return host_unary(p, *(const AstOp *)args->builtin->with, args->values[0], out);
}

static bool operator_truth(Program *p, HostArgs *args, HostValue *out)
{
    bool truth;
    if (!host_truth(p, args->values[0], &truth))
        return false;
    *out = host_bool(truth == !args->builtin->with); /* not_ has an operation */
    return true;
}

static bool operator_contains(Program *p, HostArgs *args, HostValue *out)
{
    bool found;
    if (!host_contains(p, args->values[1], args->values[0], &found))
        return false;
    return host_give(out, host_bool(found));
}

static bool operator_getitem(Program *p, HostArgs *args, HostValue *out)
{
    return host_index(p, args->values[0], args->values[1], out);
}

static bool operator_setitem(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return host_set_index(p, args->values[0], args->values[1], args->values[2]);
}

/* clang-format off */
#define BINARY(name, op) { "operator." #name, 2, 2, apply_binary, NULL, &(const AstOp){ AST_##op } }
#define COMPARISON(name, op)                                                                       \
    { "operator." #name, 2, 2, apply_comparison, NULL, &(const AstOp){ AST_##op } }
#define UNARY(name, op) { "operator." #name, 1, 1, apply_unary, NULL, &(const AstOp){ AST_##op } }

const HostBuiltin operator_functions[] = {
    BINARY(add, ADD), BINARY(sub, SUB), BINARY(mul, MUL), BINARY(truediv, DIV),
    BINARY(floordiv, FLOORDIV), BINARY(mod, MOD), BINARY(pow, POW), BINARY(matmul, MATMUL),
    BINARY(and_, BITAND), BINARY(or_, BITOR), BINARY(xor, BITXOR), BINARY(lshift, LSHIFT),
    BINARY(rshift, RSHIFT), BINARY(concat, ADD),
    COMPARISON(lt, LT), COMPARISON(le, LE), COMPARISON(gt, GT), COMPARISON(ge, GE),
    COMPARISON(eq, EQ), COMPARISON(ne, NE), COMPARISON(is_, IS), COMPARISON(is_not, IS_NOT),
    UNARY(neg, NEG), UNARY(pos, POS), UNARY(invert, INVERT), UNARY(inv, INVERT),
    { "operator.not_", 1, 1, operator_truth, NULL, &(const AstOp){ AST_NOT } },
    { "operator.truth", 1, 1, operator_truth, NULL },
    { "operator.contains", 2, 2, operator_contains, NULL },
    { "operator.getitem", 2, 2, operator_getitem, NULL },
    { "operator.setitem", 3, 3, operator_setitem, NULL },
    { NULL, 0, 0, NULL, NULL },
};
/* clang-format on */
