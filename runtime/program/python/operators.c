/* Python's operator: operators as functions. */
#include "runtime/program/program.h"

static const char *own_name(const HostArgs *args)
{
    return strrchr(args->builtin->name, '.') + 1;
}

static bool apply_binary(Program *p, HostArgs *args, HostValue *out)
{
    static const struct {
        const char *name;
        AstOp op;
    } rows[] = {
        { "add", AST_ADD },       { "sub", AST_SUB },           { "mul", AST_MUL },
        { "truediv", AST_DIV },   { "floordiv", AST_FLOORDIV }, { "mod", AST_MOD },
        { "pow", AST_POW },       { "and_", AST_BITAND },       { "or_", AST_BITOR },
        { "xor", AST_BITXOR },    { "lshift", AST_LSHIFT },     { "rshift", AST_RSHIFT },
        { "matmul", AST_MATMUL }, { "concat", AST_ADD },
    };
    size_t i = 0;
    while (strcmp(rows[i].name, own_name(args)) != 0)
        i++;
    return host_binary(p, rows[i].op, args->values[0], args->values[1], out);
}

static bool apply_comparison(Program *p, HostArgs *args, HostValue *out)
{
    static const struct {
        const char *name;
        AstOp op;
    } rows[] = {
        { "lt", AST_LT }, { "le", AST_LE }, { "gt", AST_GT },  { "ge", AST_GE },
        { "eq", AST_EQ }, { "ne", AST_NE }, { "is_", AST_IS }, { "is_not", AST_IS_NOT },
    };
    size_t i = 0;
    while (strcmp(rows[i].name, own_name(args)) != 0)
        i++;
    return host_compare(p, rows[i].op, args->values[0], args->values[1], out);
}

static bool apply_unary(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = own_name(args);
    bool truth;
    if (strcmp(name, "not_") == 0 || strcmp(name, "truth") == 0) {
        if (!host_truth(p, args->values[0], &truth))
            return false;
        *out = host_bool(truth == (*name == 't'));
        return true;
    }
    const AstOp op = strcmp(name, "neg") == 0 ? AST_NEG : *name == 'p' ? AST_POS : AST_INVERT;
    return host_unary(p, op, args->values[0], out);
}

static bool operator_contains(Program *p, HostArgs *args, HostValue *out)
{
    bool found;
    if (!host_contains(p, args->values[1], args->values[0], &found))
        return false;
    *out = host_bool(found);
    return true;
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

const HostBuiltin operator_functions[] = {
    { "operator.add", 2, 2, apply_binary, NULL },
    { "operator.sub", 2, 2, apply_binary, NULL },
    { "operator.mul", 2, 2, apply_binary, NULL },
    { "operator.truediv", 2, 2, apply_binary, NULL },
    { "operator.floordiv", 2, 2, apply_binary, NULL },
    { "operator.mod", 2, 2, apply_binary, NULL },
    { "operator.pow", 2, 2, apply_binary, NULL },
    { "operator.and_", 2, 2, apply_binary, NULL },
    { "operator.or_", 2, 2, apply_binary, NULL },
    { "operator.xor", 2, 2, apply_binary, NULL },
    { "operator.lshift", 2, 2, apply_binary, NULL },
    { "operator.rshift", 2, 2, apply_binary, NULL },
    { "operator.matmul", 2, 2, apply_binary, NULL },
    { "operator.concat", 2, 2, apply_binary, NULL },
    { "operator.lt", 2, 2, apply_comparison, NULL },
    { "operator.le", 2, 2, apply_comparison, NULL },
    { "operator.gt", 2, 2, apply_comparison, NULL },
    { "operator.ge", 2, 2, apply_comparison, NULL },
    { "operator.eq", 2, 2, apply_comparison, NULL },
    { "operator.ne", 2, 2, apply_comparison, NULL },
    { "operator.is_", 2, 2, apply_comparison, NULL },
    { "operator.is_not", 2, 2, apply_comparison, NULL },
    { "operator.neg", 1, 1, apply_unary, NULL },
    { "operator.pos", 1, 1, apply_unary, NULL },
    { "operator.invert", 1, 1, apply_unary, NULL },
    { "operator.inv", 1, 1, apply_unary, NULL },
    { "operator.not_", 1, 1, apply_unary, NULL },
    { "operator.truth", 1, 1, apply_unary, NULL },
    { "operator.contains", 2, 2, operator_contains, NULL },
    { "operator.getitem", 2, 2, operator_getitem, NULL },
    { "operator.setitem", 3, 3, operator_setitem, NULL },
    { NULL, 0, 0, NULL, NULL },
};
