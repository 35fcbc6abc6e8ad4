/* isinstance(x, T): decided while compiling, so that what lies behind it in an `if` that is not
** taken need not even have types. T is a type, one of the abstract ones of numba, NumPy and
** Python, or a tuple of these. Python's int, float and complex are int64, float64 and complex128
** alone, as numba has it, and bool is no int. Constants are as in Python: there it is one, and what
** has the type of an int may be Python's or NumPy's. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

typedef bool TypeTest(const Type *type);

static bool is_bool(const Type *type)
{
    return type->kind == TY_BOOL;
}

static bool is_pythons_int(const Type *type)
{
    return type == type_int64;
}

static bool is_pythons_float(const Type *type)
{
    return type == type_float64;
}

static bool is_pythons_complex(const Type *type)
{
    return type == type_of(COMPLEX128);
}

static bool is_number(const Type *type)
{
    return type_is_scalar(type) && type->kind != TY_BOOL;
}

static const struct {
    const char *path;
    TypeTest *test;
} classes[] = {
    { "int", is_pythons_int },
    { "float", is_pythons_float },
    { "complex", is_pythons_complex },
    { "bool", is_bool },
    { "tuple", type_is_tuple },
    { "numba.Integer", type_is_integer },
    { "numba.Float", type_is_float },
    { "numba.Complex", type_is_complex },
    { "numba.Boolean", is_bool },
    { "numba.Number", is_number },
    { "numba.Array", type_is_array },
    { "numba.BaseTuple", type_is_tuple },
    { "numba.Tuple", type_is_tuple },
    { "numba.UniTuple", type_is_tuple },
    { "np.integer", type_is_integer },
    { "np.signedinteger", type_is_signed },
    { "np.unsignedinteger", type_is_unsigned },
    { "np.floating", type_is_float },
    { "np.complexfloating", type_is_complex },
    { "np.number", is_number },
    { "np.generic", type_is_scalar },
    { "np.datetime64", type_is_date },
    { "np.timedelta64", type_is_span },
    { "np.ndarray", type_is_array },
};

/* The path that a name or attribute spells, "np.floating"; NULL for other expressions. */
static const char *path_of(FnState *f, const AstExpr *expr)
{
    if (expr->kind == AST_NAME) {
        const Name *local = table_get(&f->names, expr->name.name);
        if (local && local->binding.kind != BIND_NONE)
            return NULL;
        const Symbol *symbol = module_symbol(f->module, expr->name.name);
        return !symbol ? expr->name.name : symbol->kind == SYMBOL_BUILTIN ? symbol->path : NULL;
    }
    const char *object = expr->kind == AST_ATTRIBUTE ? path_of(f, expr->attribute.object) : NULL;
    return object ? arena_printf(f->arena, "%s.%s", object, expr->attribute.name) : NULL;
}

static TypeTest *class_of(FnState *f, const char *path)
{
    for (size_t i = 0; path && i < ARRAY_COUNT(classes); i++)
        if (strcmp(builtin_canonical(f->arena, path), classes[i].path) == 0)
            return classes[i].test;
    return NULL;
}

/* Whether it is asked in a constant of a program's. */
static bool is_asked_outside(const FnState *f)
{
    return f->constant_only && !module_is_standard(f->module);
}

/* Whether the value may be Python's or NumPy's, so that NumPy's classes do not tell. */
static bool may_be_pythons(const FnState *f, const Type *type)
{
    return is_asked_outside(f) && (is_bool(type) || is_pythons_int(type) ||
                                   is_pythons_float(type) || is_pythons_complex(type));
}

static int whose(FnState *f, const AstExpr *expr)
{
    fail(f, expr->span,
         "kjit does not know whether a constant's number is Python's or NumPy's: ask for both, as "
         "(int, np.integer) does");
    return -1;
}

/* Whose the numbers are that a call gives: 1 NumPy's, 0 Python's, -1 whose those are that it is
** given. */
static int whose_result(FnState *f, const Operand *callee, const char *path)
{
    static const char *const lists[] = { "tolist", "item" };
    static const char *const pythons[] = { "int", "bool" };
    if (path && strncmp(builtin_canonical(f->arena, path), "np.", 3) == 0)
        return 1;
    if (path && TEXT_IS_AMONG(path, pythons))
        return 0;
    switch (callee->kind) {
    case OPD_TYPE:
        return 1;
    case OPD_METHOD:
        return !TEXT_IS_AMONG(callee->method.name, lists);
    case OPD_INTRINSIC:
        return strncmp(ir_intrinsics[callee->intrinsic].path, "np.", 3) == 0 ? 1 : -1;
    case OPD_FUNCTION:
        return path ? -1 : 1;
    default:
        return -1;
    }
}

/* A number, or a tuple of numbers, as NumPy's or Python's. */
static IrValue *given_class(Arena *arena, const IrValue *value, bool numpys)
{
    IrValue *given = arena_new(arena, IrValue);
    *given = *value;
    given->numpys = numpys;
    if (value->op != OP_tuple)
        return given;
    given->operands = arena_array(arena, IrValue *, value->count + 1);
    for (int i = 0; i < value->count; i++)
        given->operands[i] = given_class(arena, value->operands[i], numpys);
    return given;
}

void lower_note_class(FnState *f, const Call *call, const Operand *callee, Operand *out)
{
    const bool own = callee->kind == OPD_FUNCTION && !module_is_standard(callee->function->module);
    const bool numbers = !own && out->kind == OPD_VALUE && constant_is_known(out->value) &&
                         !type_is_array(out->value->type);
    int whose = numbers ? whose_result(f, callee, path_of(f, call->expr->call.function)) : 0;
    for (int i = 0; numbers && whose < 0 && i < call->count; i++)
        if (call->args[i].kind == OPD_VALUE && call->args[i].value->numpys)
            whose = 1;
    if (numbers && whose >= 0)
        out->value = given_class(f->arena, out->value, whose);
}

/* Whether a tuple of classes has both Python's and NumPy's for a type. */
static bool has_both(FnState *f, const Type *type, const AstExprs *asked)
{
    bool pythons = false, numpys = false;
    for (int i = 0; i < asked->count; i++) {
        const char *path = path_of(f, asked->items[i]);
        TypeTest *test = class_of(f, path);
        if (test && test(type))
            *(strncmp(builtin_canonical(f->arena, path), "np.", 3) == 0 ? &numpys : &pythons) =
                true;
    }
    return pythons && numpys;
}

/* 1, 0, or -1 after a complaint. */
static int is_instance(FnState *f, Operand object, const AstExpr *expr)
{
    const Type *type = object.kind == OPD_VALUE ? object.value->type : type_none;
    if (expr->kind == AST_TUPLE) {
        int found = has_both(f, type, &expr->list.items);
        for (int i = 0; i < expr->list.items.count && found == 0; i++)
            found = is_instance(f, object, expr->list.items.items[i]);
        return found;
    }
    if (expr->kind == AST_NONE)
        return object.kind == OPD_NONE;
    const char *path = path_of(f, expr);
    TypeTest *test = class_of(f, path);
    if (test && test(type) && may_be_pythons(f, type) && strncmp(path, "np.", 3) == 0)
        return whose(f, expr);
    if (test && test(type) && (test == is_pythons_int || test == is_bool) && is_asked_outside(f) &&
        object.value->numpys)
        return whose(f, expr);
    if (test)
        return test(type) || (test == is_pythons_int && is_asked_outside(f) && is_bool(type));
    if (path && strcmp(path, "list") == 0 && !type_is_tuple(type))
        return 0; /* of a tuple it is not known: the module's lists are tuples */
    Operand wanted = lower_expr(f, expr);
    if (wanted.kind == OPD_TYPE && may_be_pythons(f, type) && wanted.type == type)
        return whose(f, expr);
    if (wanted.kind == OPD_TYPE)
        return wanted.type == type;
    if (wanted.kind == OPD_NAMED)
        return is_named(type, wanted.named);
    if (wanted.kind == OPD_ENUM)
        return type_is_enum(type) && type->tuple.names == &wanted.enumeration->names;
    if (wanted.kind != OPD_ERROR)
        fail(f, expr->span, "isinstance takes a type or a tuple of types, and this is %s",
             describe(f, wanted));
    return -1;
}

Operand lower_isinstance(FnState *f, const AstExpr *expr)
{
    const AstExprs *args = &expr->call.args;
    if (args->count != 2 || expr->call.keyword_count)
        return fail_operand(
            f, expr->span, "isinstance takes 2 arguments: a value, and a type or a tuple of types");
    Operand object = lower_expr(f, args->items[0]);
    if (object.kind == OPD_ERROR || (object.kind == OPD_VALUE && is_poison(object.value)))
        return operand_error(expr->span);
    int found = is_instance(f, object, args->items[1]);
    return found < 0 ? operand_error(expr->span)
                     : operand_value(ir_integer(f->arena, type_bool, found, expr->span));
}
