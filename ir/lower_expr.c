/* Expressions. */
#include "ir/lower.h"

#include <string.h>

/* ---- operands ---------------------------------------------------------------------------- */

IrValue *lower_poison(FnState *f, Span span)
{
    return ir_value(f->arena, OP_zero, type_error, span, 0);
}

static Operand poison(FnState *f, Span span)
{
    return operand_value(lower_poison(f, span));
}

const char *describe(FnState *f, Operand operand)
{
    switch (operand.kind) {
    case OPD_ERROR:
        return "an error";
    case OPD_VALUE: {
        const Type *type = operand.value->type;
        if (type->kind == TY_NONE)
            return "nothing";
        bool array = type_is_array(type) && !type_is_record_ref(type);
        const Type *first = type_is_vector(type) ? type->tuple.items[0] : type;
        bool an = array || type_is_signed(first); /* an int32 */
        if (type_is_enum(type))
            return arena_printf(f->arena, "a member of %s", type_name(f->arena, type));
        return arena_printf(f->arena, "a%s %s%s", an ? "n" : "", array ? "array " : "",
                            type_name(f->arena, type));
    }
    case OPD_NONE:
        return "None";
    case OPD_STRING:
        return "a string";
    case OPD_TYPE:
        return arena_printf(f->arena, "the type %s", type_name(f->arena, operand.type));
    case OPD_FUNCTION:
        return arena_printf(f->arena, "the function %s", operand.function->name);
    case OPD_INTRINSIC:
        if (operand.intrinsic == INTR_grid_group)
            return "the grid";
        if (ir_intrinsics[operand.intrinsic].rule == RULE_DIM3)
            return arena_printf(f->arena, "%s, which has x, y and z",
                                ir_intrinsics[operand.intrinsic].path);
        return arena_printf(f->arena, "the function %s", ir_intrinsics[operand.intrinsic].path);
    case OPD_FIXED:
        return arena_printf(f->arena, "the function %s", operand.fixed->path);
    case OPD_NAMED:
        return arena_printf(f->arena, "the namedtuple %s", operand.named->names.name);
    case OPD_ENUM:
        return arena_printf(f->arena, "the enumeration %s", operand.enumeration->names.name);
    case OPD_NAMESPACE:
        return arena_printf(f->arena, "the module %s", operand.path);
    case OPD_RANGE:
        return "a range";
    case OPD_LIMITS:
        return arena_printf(f->arena, "the limits of %s", type_name(f->arena, operand.type));
    case OPD_UNROLL:
        return "what literal_unroll gives";
    case OPD_SEQUENCE:
        return "a sequence";
    case OPD_SLICE:
        return "a slice";
    case OPD_ELLIPSIS:
        return "'...'";
    case OPD_LITERAL:
        return describe(f, operand_value(operand.value));
    case OPD_ITERATOR:
        return "an iterator";
    case OPD_WALK:
        return "a sequence of elements";
    case OPD_METHOD:
        return arena_printf(f->arena, "the method %s", operand.method.name);
    }
    return "this";
}

IrValue *operand_as_value(FnState *f, Operand operand, const AstExpr *expr)
{
    operand = optional_unwrap(f, operand);
    if (operand.kind == OPD_VALUE && operand.value->type->kind != TY_NONE)
        return operand.value;
    if (operand.kind != OPD_ERROR)
        fail(f, expr->span, "a value is needed here, and this is %s", describe(f, operand));
    return lower_poison(f, expr->span);
}

/* The same, but what may be None stays so. */
static IrValue *operand_as_value_maybe(FnState *f, Operand operand, const AstExpr *expr)
{
    bool optional = operand.kind == OPD_VALUE && type_is_optional(operand.value->type);
    return optional ? operand.value : operand_as_value(f, operand, expr);
}

IrValue *lower_value(FnState *f, const AstExpr *expr)
{
    return operand_as_value(f, lower_expr(f, expr), expr);
}

static void lower_pair(FnState *f, const AstExpr *a, const AstExpr *b, IrValue *out[2])
{
    AstExpr *const exprs[] = { (AstExpr *)a, (AstExpr *)b };
    Operand operands[2];
    lower_list(f, exprs, 2, operands);
    out[0] = operand_as_value(f, operands[0], a);
    out[1] = operand_as_value(f, operands[1], b);
}

/* ---- conversions ------------------------------------------------------------------------- */

static IrValue *convert_tuple(FnState *f, IrValue *value, const Type *type, Span span)
{
    IrValue *tuple = ir_value(f->arena, OP_tuple, type, span, type->tuple.count);
    for (int i = 0; i < type->tuple.count; i++)
        tuple->operands[i] =
            convert(f, ir_item(f->arena, value, i, span), type->tuple.items[i], span);
    return tuple;
}

IrValue *convert(FnState *f, IrValue *value, const Type *type, Span span)
{
    if (value->type == type || is_poison(value) || type->kind == TY_ERROR)
        return value;
    if (type_is_optional(type))
        return optional_convert(f, value, type, span);
    if (type_is_optional(value->type))
        return convert(f, optional_unwrap(f, operand_value(value)).value, type, span);
    value = plain_value(f, value);
    if (type_is_time(type))
        return time_convert(f, value, type, span);
    if (type_is_tuple(type))
        return convert_tuple(f, value, type, span);
    if (type_is_complex(type) && !type_is_complex(value->type)) {
        const Type *part = type_complex_part(type);
        return ir_complex(f->arena, type, ir_cast(f->arena, part, value, span),
                          ir_number(f->arena, part, 0, span), span);
    }
    return ir_cast(f->arena, type, value, span);
}

IrValue *truth_of(FnState *f, IrValue *value, Span span)
{
    value = array_single(f, value);
    value = plain_value(f, value);
    const Type *type = value->type;
    if (is_poison(value))
        return ir_integer(f->arena, type_bool, 1, span);
    if (type->kind == TY_BOOL)
        return value;
    if (type_is_optional(type))
        return optional_truth(f, value, span);
    if (type_is_tuple(type))
        return ir_integer(f->arena, type_bool, type->tuple.count > 0, span);
    if (type_is_complex(type))
        return ir_binary(f->arena, OP_ne, value, ir_zero(f->arena, type, span), span);
    if (type_is_scalar(type))
        return ir_cast(f->arena, type_bool, value, span);
    fail(f, span, "%s is neither true nor false; compare its %s", describe(f, operand_value(value)),
         type_is_record_ref(type) ? "fields"
         : type_is_vector(type)   ? "parts"
         : type_is_enum(type)     ? "value"
         : type_is_time(type)     ? "size"
                                  : "elements");
    note_types(f, value, NULL);
    return NULL;
}

IrValue *lower_truth(FnState *f, IrValue *value, Span span)
{
    IrValue *truth = truth_of(f, value, span);
    return truth ? truth : ir_integer(f->arena, type_bool, 1, span);
}

IrValue *lower_condition(FnState *f, const AstExpr *expr)
{
    Operand operand = lower_maybe(f, expr);
    if (operand.kind == OPD_NONE)
        return ir_integer(f->arena, type_bool, 0, expr->span);
    IrValue *value = operand_as_value_maybe(f, operand, expr);
    if (is_poison(value)) {
        /* neither branch may be pruned on a guess */
        IrValue *unknown = ir_value(f->arena, OP_zero, type_bool, expr->span, 0);
        return unknown;
    }
    return lower_truth(f, value, expr->span);
}

/* ---- leaves ------------------------------------------------------------------------------ */

static Operand unknown_name(FnState *f, const AstExpr *expr)
{
    const char *name = expr->name.name, *refusal = builtin_refusal(f->arena, name);
    int count = 0;
    if (refusal) {
        fail(f, expr->span, "kernels cannot use '%s': %s", name, refusal);
        return operand_error(expr->span);
    }
    const char **known = module_names(f->module, f->arena, &count);
    const char **all = arena_array(f->arena, const char *, (size_t)count + f->names.capacity + 1);
    size_t total = 0;
    for (int i = 0; i < count; i++)
        all[total++] = known[i];
    for (size_t i = 0; i < f->names.capacity; i++)
        if (f->names.slots[i].name && ((Name *)f->names.slots[i].value)->binding.kind != BIND_NONE)
            all[total++] = f->names.slots[i].name;
    const char *near = diag_nearest(name, all, total);
    if (!near)
        near = builtin_nearest(f->arena, name);
    fail(f, expr->span, "'%s' is not defined%s%s%s", name, near ? "; did you mean '" : "",
         near ? near : "", near ? "'?" : "");
    return operand_error(expr->span);
}

static Operand lower_name(FnState *f, const AstExpr *expr)
{
    const char *text = expr->name.name;
    Name *name = table_get(&f->names, text);
    if (name && name->binding.kind == BIND_OPERAND) {
        Operand operand = *name->binding.operand;
        operand.span = expr->span;
        return operand;
    }
    if (name && name->binding.kind != BIND_NONE) {
        IrVar *var = env_settle(f, name, expr->span);
        if (name->binding.kind == BIND_OPERAND)
            return *name->binding.operand;
        if (var && var->type->kind == TY_NONE)
            return (Operand){ .kind = OPD_NONE, .span = expr->span };
        return var ? operand_value(ir_var(f->arena, var, expr->span)) : poison(f, expr->span);
    }
    Symbol *symbol = module_symbol(f->module, text);
    if (symbol)
        return lower_builtin(f, lower_symbol(f, symbol, expr->span));
    Operand builtin = builtin_find_bare(f->arena, text, expr->span);
    if (builtin.kind == OPD_ERROR)
        builtin = library_find(f, arena_printf(f->arena, "cuda.%s", text), expr->span);
    if (builtin.kind == OPD_ERROR)
        builtin = library_find(f, arena_printf(f->arena, "python.%s", text), expr->span);
    return builtin.kind != OPD_ERROR ? lower_builtin(f, builtin) : unknown_name(f, expr);
}

static Operand lower_integer(FnState *f, const AstExpr *expr)
{
    if (expr->integer.too_big) {
        fail(f, expr->span, "this number does not fit 64 bits");
        return poison(f, expr->span);
    }
    const Type *type = expr->integer.value > INT64_MAX ? type_uint64 : type_int64;
    IrValue *value = ir_integer(f->arena, type, (int64_t)expr->integer.value, expr->span);
    value->weak = true;
    return operand_value(value);
}

static Operand lower_float(FnState *f, const AstExpr *expr)
{
    IrValue *value = ir_number(f->arena, type_float64, expr->number.value, expr->span);
    value->weak = true;
    return operand_value(value);
}

static Operand lower_imaginary(FnState *f, const AstExpr *expr)
{
    IrValue *value = ir_value(f->arena, OP_constant, type_of(COMPLEX128), expr->span, 0);
    value->constant.complex.imag = expr->number.value;
    value->weak = true;
    return operand_value(value);
}

static Operand lower_tuple(FnState *f, const AstExpr *expr)
{
    int count = expr->list.items.count;
    Operand *items = arena_array(f->arena, Operand, count + 1);
    lower_list(f, expr->list.items.items, count, items);
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, expr->span, count);
    bool whole = true;
    for (int i = 0; i < count; i++) {
        tuple->operands[i] = optional_item(f, items[i], expr->list.items.items[i]);
        types[i] = tuple->operands[i]->type;
        whole &= types[i]->kind != TY_ERROR;
    }
    if (!whole)
        return poison(f, expr->span);
    tuple->type = type_tuple(f->types, types, count);
    return operand_value(tuple);
}

/* ---- arithmetic -------------------------------------------------------------------------- */

static IrOp ir_op(AstOp op)
{
    switch (op) {
    case AST_ADD:
        return OP_add;
    case AST_SUB:
        return OP_sub;
    case AST_MUL:
        return OP_mul;
    case AST_DIV:
        return OP_div;
    case AST_FLOORDIV:
        return OP_floordiv;
    case AST_MOD:
        return OP_mod;
    case AST_POW:
        return OP_pow;
    case AST_LSHIFT:
        return OP_shl;
    case AST_RSHIFT:
        return OP_shr;
    case AST_BITAND:
        return OP_and;
    case AST_BITOR:
        return OP_or;
    case AST_BITXOR:
        return OP_xor;
    case AST_EQ:
    case AST_IS:
        return OP_eq;
    case AST_NE:
    case AST_IS_NOT:
        return OP_ne;
    case AST_LT:
        return OP_lt;
    case AST_LE:
        return OP_le;
    case AST_GT:
        return OP_gt;
    case AST_GE:
        return OP_ge;
    default:
        return OP_COUNT;
    }
}

static bool is_half(const Type *type)
{
    return type->kind == TY_FLOAT16 || type->kind == TY_BFLOAT16;
}

/* An operation on two operands already of the types it works in. 16-bit floats are computed in
** float32 and rounded, which gives the same bits as hardware that has the operation. */
static IrValue *compute(FnState *f, IrOp op, IrValue *a, IrValue *b, Span span)
{
    if (!is_half(a->type))
        return ir_binary(f->arena, op, a, b, span);
    const Type *half = a->type;
    IrValue *wide = ir_binary(f->arena, op, ir_cast(f->arena, type_float32, a, span),
                              ir_cast(f->arena, type_float32, b, span), span);
    return wide->type->kind == TY_BOOL ? wide : ir_cast(f->arena, half, wide, span);
}

static const char *tuple_advice(const Type *left, const Type *right)
{
    if (type_is_record_ref(left) || type_is_record_ref(right))
        return "; take the record's fields";
    if (type_is_vector(left) || type_is_vector(right))
        return "; take the vector's parts";
    if (left->kind == TY_ENUM || right->kind == TY_ENUM)
        return "; take the member's value";
    return type_is_array(left) || type_is_array(right)
               ? "; kernels work on elements: index the arrays"
               : "";
}

/* A uint64 exponent as one that int64 can hold. What lies beyond does what the end of int64 does:
** the power is 0, 1 or out of bounds either way. */
static IrValue *bound_exponent(FnState *f, IrValue *exponent, Span span)
{
    IrValue *top = ir_integer(f->arena, type_uint64, INT64_MAX, span);
    exponent = lower_stable(f, exponent, "_exponent");
    return ir_select(f->arena, ir_binary(f->arena, OP_lt, exponent, top, span), exponent, top,
                     span);
}

static bool raises_on_zero(const FnState *f)
{
    return is_debugged(f) && !library_divides(f->lower, f->module);
}

/* An integer exponent that is not negative where the base is 0, of whose powers Python has none. */
static IrValue *checked_exponent(FnState *f, IrValue *base, IrValue *exponent, Span span)
{
    exponent = lower_stable(f, exponent, "_exponent");
    IrValue *zero = ir_unary(f->arena, OP_not, lower_truth(f, base, span), span);
    IrValue *negative =
        ir_binary(f->arena, OP_lt, exponent, ir_zero(f->arena, exponent->type, span), span);
    lower_fault_if(f, ir_binary(f->arena, OP_and_then, zero, negative, span),
                   "ZeroDivisionError: 0 cannot be raised to a negative power", span);
    return exponent;
}

IrValue *lower_power(FnState *f, Typing typing, IrValue *left, IrValue *right, Span span)
{
    if (right->type->kind == TY_UINT64 && !type_is_complex(typing.result) &&
        typing.result != type_uint64)
        right = bound_exponent(f, right, span);
    if (raises_on_zero(f) && type_is_integer(typing.result) && type_is_signed(right->type))
        right = checked_exponent(f, left, right, span);
    IrValue *base = convert(f, left, typing.left, span);
    bool counted = type_is_float(typing.left) && !type_is_float(typing.right);
    IrValue *exponent = convert(f, right, counted ? type_int64 : typing.result, span);
    if (!counted)
        return ir_binary(f->arena, OP_pow, convert(f, base, typing.result, span), exponent, span);
    IrValue *value = ir_value(f->arena, OP_pow, typing.result, span, 2);
    value->operands[0] = base;
    value->operands[1] = exponent;
    return value;
}

/* Tuples add and multiply as sequences; only + is there. */
static IrValue *concatenate(FnState *f, IrValue *a, IrValue *b, Span span)
{
    int count = a->type->tuple.count + b->type->tuple.count;
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, span, count);
    for (int i = 0; i < count; i++) {
        bool first = i < a->type->tuple.count;
        tuple->operands[i] =
            ir_item(f->arena, first ? a : b, first ? i : i - a->type->tuple.count, span);
        types[i] = tuple->operands[i]->type;
    }
    tuple->type = type_tuple(f->types, types, count);
    return tuple;
}

static bool is_zero(const IrValue *value)
{
    if (!ir_is_constant(value) || type_is_complex(value->type))
        return false;
    return type_is_float(value->type) ? value->constant.number == 0 : value->constant.integer == 0;
}

/* A divisor that is not zero: Python raises, which numba's kernels do under debug only. */
static IrValue *checked_divisor(FnState *f, IrValue *divisor, Span span)
{
    divisor = lower_stable(f, divisor, "_divisor");
    IrValue *zero = ir_unary(f->arena, OP_not, lower_truth(f, divisor, span), span);
    lower_fault_if(f, zero, "ZeroDivisionError: division by zero", span);
    return divisor;
}

IrValue *lower_no_operation(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                            Span span)
{
    fail(f, span, "there is no '%s' between %s and %s%s", ast_op_spelling(op),
         type_name(f->arena, left->type), type_name(f->arena, right->type),
         tuple_advice(left->type, right->type));
    note_types(f, left, right);
    return lower_poison(f, span);
}

IrValue *lower_arithmetic(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD;
    bool fast = op == AST_DIV && right->type == type_float32 && !f->constant_only &&
                f->fn->options.fastmath; /* numba's fast division raises nothing */
    if (divides && !fast && raises_on_zero(f))
        right = checked_divisor(f, right, span);
    return compute(f, ir_op(op), left, right, span);
}

IrValue *lower_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    if (is_poison(left) || is_poison(right))
        return lower_poison(f, span);
    if (f->constant_only && (type_is_array(left->type) || type_is_array(right->type)))
        return lower_table_binary(f, op, left, right, span);
    left = array_single(f, left);
    right = array_single(f, right);
    left = plain_value(f, left);
    right = plain_value(f, right);
    bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD;
    if (f->constant_only && divides && is_zero(right)) { /* Python computes these, and raises */
        fail(f, span, "a constant is divided by zero");
        return lower_poison(f, span);
    }
    IrValue *known = lower_constant_binary(f, op, left, right, span);
    if (known)
        return known;
    if (type_is_time(left->type) || type_is_time(right->type))
        return time_binary(f, op, left, right, span);
    if (op == AST_ADD && type_is_tuple(left->type) && type_is_tuple(right->type))
        return concatenate(f, left, right, span);
    if (op == AST_MUL && type_is_tuple(left->type) && type_is_integer(right->type))
        return tuple_repeat(f, left, right, span);
    if (op == AST_MUL && type_is_tuple(right->type) && type_is_integer(left->type))
        return tuple_repeat(f, right, left, span);
    if (is_nep50(f))
        return lower_nep50(f, op, left, right, span);
    Typing typing = typing_binary(op, left->type, right->type);
    if (!typing.result)
        return lower_no_operation(f, op, left, right, span);
    bool weak = left->weak && right->weak;
    remark_binary(f, op, left, right, typing.result, span);
    if (op == AST_POW)
        return lower_power(f, typing, left, right, span);
    if (op == AST_LSHIFT || op == AST_RSHIFT) /* the count's sign does not matter in range */
        typing.right = typing.result;
    else if (!is_half(typing.result))
        typing.left = typing.right = typing.result;
    left = convert(f, left, typing.left, span);
    right = convert(f, right, typing.right, span);
    IrValue *result = lower_arithmetic(f, op, left, right, span);
    result->weak = weak && ir_is_constant(result);
    return result;
}

static IrValue *lower_unary_value(FnState *f, AstOp op, IrValue *operand, Span span)
{
    if (is_poison(operand))
        return operand;
    if (f->constant_only && type_is_array(operand->type) && op == AST_NEG)
        return lower_table_negated(f, operand, span);
    operand = plain_value(f, operand);
    operand = array_single(f, operand);
    if (type_is_time(operand->type))
        return time_unary(f, op, operand, span);
    Typing typing = typing_unary(op, operand->type);
    if (!typing.result) {
        fail(f, span, "there is no unary '%s' for %s", ast_op_spelling(op),
             type_name(f->arena, operand->type));
        note_types(f, operand, NULL);
        return lower_poison(f, span);
    }
    IrValue *value = convert(f, operand, typing.left, span);
    if (op == AST_NEG && is_half(typing.left))
        value = ir_cast(
            f->arena, typing.left,
            ir_unary(f->arena, OP_neg, ir_cast(f->arena, type_float32, value, span), span), span);
    else if (op != AST_POS)
        value = ir_unary(f->arena, op == AST_NEG ? OP_neg : OP_invert, value, span);
    bool keeps = is_nep50(f) && operand->type->kind != TY_BOOL;
    value = convert(f, value, keeps ? operand->type : typing.result, span);
    value->weak = operand->weak && ir_is_constant(value);
    return value;
}

/* -9223372036854775808, which Python reads as one number. */
static bool is_least_integer(const AstExpr *expr)
{
    const AstExpr *operand = expr->unary.operand;
    return expr->unary.op == AST_NEG && operand->kind == AST_INT &&
           operand->integer.value == (uint64_t)INT64_MAX + 1 && !operand->integer.too_big;
}

static Operand lower_unary(FnState *f, const AstExpr *expr)
{
    const AstExpr *of = expr->unary.operand;
    if (expr->unary.op != AST_NOT)
        return operand_value(lower_unary_value(f, expr->unary.op, lower_value(f, of), expr->span));
    Operand operand = lower_maybe(f, of);
    if (operand_is_none(operand))
        return operand_value(ir_integer(f->arena, type_bool, true, expr->span));
    IrValue *value = operand_as_value_maybe(f, operand, of);
    return operand_value(
        is_poison(value)
            ? value
            : ir_unary(f->arena, OP_not, lower_truth(f, value, expr->span), expr->span));
}

/* ---- comparisons ------------------------------------------------------------------------- */

/* (a, b) == (c, d), item by item; tuples of other lengths differ. */
static IrValue *compare_tuples(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    bool equal = op == AST_EQ;
    if (!equal && op != AST_NE)
        return tuple_order(f, op, left, right, span);
    if (left->type->tuple.count != right->type->tuple.count)
        return ir_integer(f->arena, type_bool, !equal, span);
    IrValue *result = ir_integer(f->arena, type_bool, equal, span);
    for (int i = 0; i < left->type->tuple.count; i++) {
        IrValue *item = compare_values(f, op, ir_item(f->arena, left, i, span),
                                       ir_item(f->arena, right, i, span), span);
        result = i == 0 ? item
                        : ir_binary(f->arena, equal ? OP_and_then : OP_or_else, result, item, span);
    }
    return result;
}

IrValue *compare_values(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    if (is_poison(left) || is_poison(right))
        return lower_poison(f, span);
    left = array_single(f, left);
    right = array_single(f, right);
    if (type_is_enum(left->type) || type_is_enum(right->type))
        return compare_members(f, op, left, right, span);
    if (type_is_time(left->type) || type_is_time(right->type))
        return time_compare(f, op, left, right, span);
    if (type_is_tuple(left->type) && type_is_tuple(right->type))
        return compare_tuples(f, op, left, right, span);
    Typing typing = typing_compare(op, left->type, right->type);
    const Type *common = is_nep50(f) && left->weak != right->weak && typing.result
                             ? nep50_common(left, right)
                             : NULL;
    if (common && !type_is_integer(common)) /* integers compare as they are */
        typing.left = typing.right = common;
    if (!typing.result) {
        fail(f, span, "cannot compare %s and %s with '%s'%s", type_name(f->arena, left->type),
             type_name(f->arena, right->type), ast_op_spelling(op),
             tuple_advice(left->type, right->type));
        note_types(f, left, right);
        return lower_poison(f, span);
    }
    return compute(f, ir_op(op), convert(f, left, typing.left, span),
                   convert(f, right, typing.right, span), span);
}

/* x in (a, b), for tuples; each item is compared in turn. */
static IrValue *lower_contains(FnState *f, IrValue *item, IrValue *tuple, bool negate, Span span)
{
    if (is_poison(item) || is_poison(tuple))
        return lower_poison(f, span);
    if (type_is_array(tuple->type) && !type_is_record_ref(tuple->type)) {
        Operand args[] = { operand_value(tuple), operand_value(item) };
        const AstExpr place = { .kind = AST_COMPARE, .span = span };
        Operand found = lower_library_call(f, &place, "_in", args, 2);
        if (found.kind != OPD_VALUE)
            return lower_poison(f, span);
        return negate ? ir_unary(f->arena, OP_not, found.value, span) : found.value;
    }
    if (!type_is_tuple(tuple->type)) {
        fail(f, span, "'in' looks into tuples, arrays and ranges, and this is %s",
             describe(f, operand_value(tuple)));
        note_types(f, tuple, NULL);
        return lower_poison(f, span);
    }
    item = lower_stable(f, item, "_item");
    IrValue *found = ir_integer(f->arena, type_bool, 0, span);
    for (int i = 0; i < tuple->type->tuple.count; i++) {
        IrValue *same = compare_values(f, AST_EQ, item, ir_item(f->arena, tuple, i, span), span);
        found =
            i == 0 || is_poison(same) ? same : ir_binary(f->arena, OP_or_else, found, same, span);
    }
    return negate ? ir_unary(f->arena, OP_not, found, span) : found;
}

/* `is` between compile-time things: None, types, functions. */
static IrValue *compare_identity(FnState *f, AstOp op, Operand a, Operand b, Span span)
{
    bool same =
        a.kind == b.kind && (a.kind == OPD_NONE || (a.kind == OPD_TYPE && a.type == b.type) ||
                             (a.kind == OPD_STRING && a.string.length == b.string.length &&
                              memcmp(a.string.text, b.string.text, a.string.length) == 0) ||
                             (a.kind == OPD_FUNCTION && a.function == b.function));
    return ir_integer(f->arena, type_bool, same == (op == AST_IS || op == AST_EQ), span);
}

static bool is_compile_time(Operand operand)
{
    return operand.kind == OPD_NONE || operand.kind == OPD_TYPE || operand.kind == OPD_STRING ||
           operand.kind == OPD_FUNCTION;
}

/* One link of a chain; `*right` may be given a variable if more links follow. */
static IrValue *lower_link(FnState *f, AstOp op, Operand left, Operand right,
                           const AstExpr *left_expr, const AstExpr *right_expr, Span span)
{
    bool identity = op == AST_IS || op == AST_IS_NOT;
    IrValue *optional = optional_compare(f, op, left, right, span);
    if (optional)
        return optional;
    if (is_compile_time(left) || is_compile_time(right)) {
        if (identity || op == AST_EQ || op == AST_NE)
            return compare_identity(f, op, left, right, span);
    }
    if ((op == AST_IN || op == AST_NOT_IN) && left.kind == OPD_STRING && right.kind == OPD_STRING)
        return ir_integer(f->arena, type_bool,
                          (strstr(right.string.text, left.string.text) != NULL) == (op == AST_IN),
                          span);
    if ((op == AST_IN || op == AST_NOT_IN) && right.kind == OPD_RANGE) {
        IrValue *found = range_contains(f, &right, operand_as_value(f, left, left_expr), span);
        return op == AST_IN || is_poison(found) ? found : ir_unary(f->arena, OP_not, found, span);
    }
    IrValue *a = operand_as_value(f, left, left_expr), *b = operand_as_value(f, right, right_expr);
    if (op == AST_IN || op == AST_NOT_IN)
        return lower_contains(f, a, b, op == AST_NOT_IN, span);
    return compare_values(f, op, a, b, span);
}

/* a < b < c: b is evaluated once, c only if a < b. */
static Operand lower_compare(FnState *f, const AstExpr *expr)
{
    AstExpr *const first[] = { expr->compare.first, expr->compare.rest[0] };
    Operand operands[2];
    lower_list(f, first, 2, operands);
    if (expr->compare.count > 1 && operands[1].kind == OPD_VALUE)
        operands[1].value = lower_stable(f, operands[1].value, "_middle");
    IrValue *result = lower_link(f, expr->compare.ops[0], operands[0], operands[1],
                                 expr->compare.first, expr->compare.rest[0], expr->span);
    Operand left = operands[1];
    for (int i = 1; i < expr->compare.count; i++) {
        Apart apart;
        apart_open(f, &apart);
        Operand right = lower_maybe(f, expr->compare.rest[i]);
        if (i + 1 < expr->compare.count && right.kind == OPD_VALUE)
            right.value = lower_stable(f, right.value, "_middle");
        IrValue *link = lower_link(f, expr->compare.ops[i], left, right, expr->compare.rest[i - 1],
                                   expr->compare.rest[i], expr->span);
        apart_close(f, &apart);
        result = apart_combine(f, OP_and_then, result, &apart, link, expr->span);
        left = right;
    }
    return operand_value(result);
}

/* ---- slices, walrus ------------------------------------------------------------------------- */

/* One that may be None when the kernel runs stays optional. */
static IrValue *slice_bound(FnState *f, const AstExpr *expr)
{
    if (!expr)
        return NULL;
    Operand operand = lower_maybe(f, expr);
    if (operand.kind == OPD_NONE)
        return NULL;
    IrValue *value = plain_value(f, operand_as_value_maybe(f, operand, expr));
    if (is_poison(value))
        return value;
    bool optional = type_is_optional(value->type);
    if (!type_is_integer(optional ? type_optional_value(value->type) : value->type)) {
        fail(f, expr->span, "a slice is bounded by integers, and this is %s", describe(f, operand));
        return lower_poison(f, expr->span);
    }
    const Type *type = optional ? type_optional(f->types, type_int64) : type_int64;
    return lower_stable(f, convert(f, value, type, expr->span), "_bound");
}

static Operand lower_slice(FnState *f, const AstExpr *expr)
{
    Operand slice = { .kind = OPD_SLICE, .span = expr->span };
    slice.slice.start = slice_bound(f, expr->slice.start);
    slice.slice.stop = slice_bound(f, expr->slice.stop);
    slice.slice.step = slice_bound(f, expr->slice.step);
    if (slice.slice.step)
        slice.slice.step = optional_unwrap(f, operand_value(slice.slice.step)).value;
    return slice;
}

static Operand lower_walrus(FnState *f, const AstExpr *expr)
{
    Operand value = lower_maybe(f, expr->walrus.value);
    if (f->constant_only) {
        fail(f, expr->span, "':=' has no place in a constant");
        return operand_error(expr->span);
    }
    if (value.kind != OPD_VALUE) {
        lower_bind(f, expr->walrus.name, value, expr->walrus.name_span);
        return value;
    }
    IrVar *var = lower_set(f, expr->walrus.name, value.value, expr->walrus.name_span);
    return operand_value(ir_var(f->arena, var, expr->span));
}

static Operand lower_binary_expr(FnState *f, const AstExpr *expr)
{
    IrValue *operands[2];
    if (expr->binary.op == AST_MATMUL) {
        fail(f, expr->binary.op_span, "'@' multiplies whole matrices; kernels work on elements");
        return poison(f, expr->span);
    }
    lower_pair(f, expr->binary.left, expr->binary.right, operands);
    return operand_value(lower_binary(f, expr->binary.op, operands[0], operands[1], expr->span));
}

/* An attribute that is not called: methods are nothing by themselves. */
static Operand lower_plain_attribute(FnState *f, const AstExpr *expr)
{
    Operand operand = lower_attribute(f, expr);
    if (operand.kind != OPD_METHOD)
        return operand;
    if (is_of_records(operand.method.object)) {
        lower_no_field(f, operand.method.object, operand.method.name, expr->attribute.name_span);
        return operand_error(expr->span);
    }
    fail(f, expr->attribute.name_span, "%s has no attribute '%s' that kernels can use",
         describe(f, operand_value(operand.method.object)), operand.method.name);
    return operand_error(expr->span);
}

static Operand lower_kind(FnState *f, const AstExpr *expr)
{
    Span span = expr->span;
    switch (expr->kind) {
    case AST_NAME:
        return lower_name(f, expr);
    case AST_INT:
        return lower_integer(f, expr);
    case AST_FLOAT:
        return lower_float(f, expr);
    case AST_IMAG:
        return lower_imaginary(f, expr);
    case AST_STRING:
        return (Operand){ .kind = OPD_STRING,
                          .span = span,
                          .string = { expr->string.text, expr->string.length } };
    case AST_TRUE:
    case AST_FALSE:
        return operand_value(ir_integer(f->arena, type_bool, expr->kind == AST_TRUE, span));
    case AST_NONE:
        return (Operand){ .kind = OPD_NONE, .span = span };
    case AST_ELLIPSIS:
        return (Operand){ .kind = OPD_ELLIPSIS, .span = span };
    case AST_TUPLE:
        return lower_tuple(f, expr);
    case AST_UNARY:
        if (is_least_integer(expr))
            return operand_value(ir_integer(f->arena, type_int64, INT64_MIN, span));
        return lower_unary(f, expr);
    case AST_BINARY:
        return lower_binary_expr(f, expr);
    case AST_BOOLEAN:
        return lower_boolean(f, expr);
    case AST_COMPARE:
        return lower_compare(f, expr);
    case AST_IF_EXPR:
        return lower_if_expr(f, expr);
    case AST_CALL:
        return lower_call(f, expr);
    case AST_ATTRIBUTE:
        return lower_plain_attribute(f, expr);
    case AST_INDEX:
        return lower_index(f, expr);
    case AST_SLICE:
        return lower_slice(f, expr);
    case AST_WALRUS:
        return lower_walrus(f, expr);
    case AST_LAMBDA:
        return lower_lambda(f, expr);
    case AST_LIST:
        fail(
            f, span,
            f->constant_only
                ? "a list is no constant that kernels can read; make it np.array([...]), or a tuple"
                : "kernels have no lists; use a tuple, or cuda.local.array");
        return operand_error(span);
    case AST_STARRED:
        fail(f, span, "'*' cannot be used here");
        return operand_error(span);
    case AST_EXPR_KINDS:
        break;
    }
    return operand_error(span);
}

Operand lower_maybe(FnState *f, const AstExpr *expr)
{
    Operand operand = lower_kind(f, expr);
    bool none = operand.kind == OPD_VALUE && type_is_optional(operand.value->type) &&
                operand_is_none(operand); /* as an item of a tuple */
    return none ? (Operand){ .kind = OPD_NONE, .span = expr->span } : operand;
}

Operand lower_expr(FnState *f, const AstExpr *expr)
{
    return optional_unwrap(f, lower_maybe(f, expr));
}
