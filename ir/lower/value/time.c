/* Times: datetime64 and timedelta64. One is a tuple of its 64 bits, its count, in a type of its
** own; so that all that is done with them is integer arithmetic with a look at NaT. Types and units
** of results are numba's, and so are values but where NumPy's differ: float32 factors work in
** float64. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

#include <math.h>

/* ---- counts --------------------------------------------------------------------------------- */

static IrValue *number(FnState *f, int64_t value, Span span)
{
    return ir_integer(f->arena, type_int64, value, span);
}

static IrValue *binary(FnState *f, IrOp op, IrValue *a, IrValue *b, Span span)
{
    return ir_binary(f->arena, op, a, b, span);
}

static IrValue *time_of(FnState *f, const Type *type, IrValue *count, Span span)
{
    IrValue *time = ir_value(f->arena, OP_tuple, type, span, 1);
    time->operands[0] = count;
    return time;
}

/* The count of a time, which may be used several times. */
static IrValue *count_of(FnState *f, IrValue *time, Span span)
{
    return lower_stable(f, ir_item(f->arena, time, 0, span), "_count");
}

static IrValue *is_nat(FnState *f, IrValue *count, Span span)
{
    return binary(f, OP_eq, count, number(f, INT64_MIN, span), span);
}

static IrValue *either(FnState *f, IrValue *a, IrValue *b, Span span)
{
    if (ir_is_constant(a) || ir_is_constant(b)) {
        bool first = ir_is_constant(a);
        return (first ? a : b)->constant.integer ? (first ? a : b) : first ? b : a;
    }
    return binary(f, OP_or_else, a, b, span);
}

static IrValue *nat_if(FnState *f, IrValue *condition, IrValue *count, Span span)
{
    return ir_select(f->arena, condition, number(f, INT64_MIN, span), count, span);
}

/* Days from 1970 to the first of a month, as in types/time.c. */
static IrValue *days_of_month(FnState *f, IrValue *month, Span span)
{
    IrValue *since =
        lower_stable(f, binary(f, OP_add, month, number(f, 1970 * 12 - 2, span), span), "_months");
    IrValue *year =
        lower_stable(f, binary(f, OP_floordiv, since, number(f, 12, span), span), "_year");
    IrValue *at =
        binary(f, OP_sub, since, binary(f, OP_mul, year, number(f, 12, span), span), span);
    IrValue *days = binary(f, OP_mul, year, number(f, 365, span), span);
    static const struct {
        IrOp op;
        int every;
    } leaps[] = { { OP_add, 4 }, { OP_sub, 100 }, { OP_add, 400 } };
    for (size_t i = 0; i < ARRAY_COUNT(leaps); i++)
        days = binary(f, leaps[i].op, days,
                      binary(f, OP_floordiv, year, number(f, leaps[i].every, span), span), span);
    at = binary(f, OP_add, binary(f, OP_mul, at, number(f, 153, span), span), number(f, 2, span),
                span);
    days = binary(f, OP_add, days, binary(f, OP_floordiv, at, number(f, 5, span), span), span);
    return binary(f, OP_sub, days, number(f, 719468, span), span);
}

/* A count in a finer unit. Of dates, months and years become the days they begin with. */
static IrValue *in_unit(FnState *f, IrValue *count, TimeUnit from, TimeUnit to, Span span)
{
    if (from <= TIME_M && to > TIME_M && to != TIME_NONE) {
        IrValue *month =
            from == TIME_M ? count : binary(f, OP_mul, count, number(f, 12, span), span);
        count = days_of_month(f, month, span);
        if (to == TIME_W)
            return binary(f, OP_floordiv, count, number(f, 7, span), span);
        from = TIME_D;
    }
    return binary(f, OP_mul, count, number(f, time_factor(from, to), span), span);
}

IrValue *time_convert(FnState *f, IrValue *time, const Type *type, Span span)
{
    IrValue *count = count_of(f, time, span);
    IrValue *fine = in_unit(f, count, time_unit(time->type), time_unit(type), span);
    return time_of(f, type, nat_if(f, is_nat(f, count, span), fine, span), span);
}

/* ---- operators ------------------------------------------------------------------------------ */

/* Whether both can be counted in the finer of their units. */
static bool agree(const Type *a, const Type *b)
{
    TimeUnit unit = time_finer(time_unit(a), time_unit(b));
    return time_castable(type_is_date(a), time_unit(a), unit) &&
           time_castable(type_is_date(b), time_unit(b), unit);
}

/* What a + b or a - b is; NULL if there is no such thing. */
static const Type *sum_type(AstOp op, const Type *a, const Type *b)
{
    bool add = op == AST_ADD;
    if (!type_is_time(a) || !type_is_time(b) || (!add && op != AST_SUB) || !agree(a, b))
        return NULL;
    TimeUnit unit = time_finer(time_unit(a), time_unit(b));
    if (type_is_span(a) && type_is_span(b))
        return type_time(false, unit);
    if (type_is_date(a) && type_is_date(b))
        return add ? NULL : type_time(false, unit);
    if (type_is_span(a) && !add)
        return NULL;
    return type_time(true, unit);
}

static IrValue *add(FnState *f, AstOp op, const Type *type, IrValue *a, IrValue *b, Span span)
{
    IrValue *x = count_of(f, a, span), *y = count_of(f, b, span);
    IrValue *nat = either(f, is_nat(f, x, span), is_nat(f, y, span), span);
    x = in_unit(f, x, time_unit(a->type), time_unit(type), span);
    y = in_unit(f, y, time_unit(b->type), time_unit(type), span);
    IrValue *sum = binary(f, op == AST_ADD ? OP_add : OP_sub, x, y, span);
    return time_of(f, type, nat_if(f, nat, sum, span), span);
}

/* A float as a count; what is no number, or infinite, is NaT. */
static IrValue *count_from(FnState *f, IrValue *real, Span span)
{
    real = lower_stable(f, real, "_count");
    IrValue *fine = ir_intrinsic(f->arena, INTR_isfinite, type_bool, span, real, NULL, NULL);
    return nat_if(f, ir_unary(f->arena, OP_not, fine, span),
                  ir_cast(f->arena, type_int64, real, span), span);
}

static IrValue *times(FnState *f, IrValue *time, IrValue *by, Span span)
{
    IrValue *count = count_of(f, time, span), *product;
    if (type_is_float(by->type))
        product = count_from(f,
                             binary(f, OP_mul, ir_cast(f->arena, type_float64, count, span),
                                    ir_cast(f->arena, type_float64, by, span), span),
                             span);
    else
        product = binary(f, OP_mul, count, ir_cast(f->arena, type_int64, by, span), span);
    return time_of(f, time->type, nat_if(f, is_nat(f, count, span), product, span), span);
}

/* a / b towards zero, of integers: what NumPy does for / and // alike. */
static IrValue *truncated(FnState *f, IrValue *a, IrValue *b, Span span)
{
    IrValue *zero = number(f, 0, span);
    IrValue *differ = binary(f, OP_lt, binary(f, OP_xor, a, b, span), zero, span);
    IrValue *minus = ir_unary(f->arena, OP_neg, a, span);
    IrValue *up = ir_unary(f->arena, OP_neg, binary(f, OP_floordiv, minus, b, span), span);
    return ir_select(f->arena, differ, up, binary(f, OP_floordiv, a, b, span), span);
}

static IrValue *over_number(FnState *f, IrValue *time, IrValue *by, Span span)
{
    IrValue *count = count_of(f, time, span), *nat = is_nat(f, count, span), *quotient;
    if (type_is_float(by->type)) {
        quotient = count_from(f,
                              binary(f, OP_div, ir_cast(f->arena, type_float64, count, span),
                                     ir_cast(f->arena, type_float64, by, span), span),
                              span);
    } else {
        by = lower_stable(f, ir_cast(f->arena, type_int64, by, span), "_by");
        nat = either(f, nat, binary(f, OP_eq, by, number(f, 0, span), span), span);
        quotient = truncated(f, count, by, span);
    }
    return time_of(f, time->type, nat_if(f, nat, quotient, span), span);
}

/* span / span is a float, span // span an integer, 0 of what cannot be divided; span % span a
** span. */
static IrValue *over_span(FnState *f, AstOp op, IrValue *a, IrValue *b, Span span)
{
    TimeUnit unit = time_finer(time_unit(a->type), time_unit(b->type));
    IrValue *x = count_of(f, a, span), *y = count_of(f, b, span);
    IrValue *nat = either(f, is_nat(f, x, span), is_nat(f, y, span), span);
    x = in_unit(f, x, time_unit(a->type), unit, span);
    y = in_unit(f, y, time_unit(b->type), unit, span);
    if (op == AST_DIV)
        return ir_select(f->arena, nat, ir_number(f->arena, type_float64, NAN, span),
                         binary(f, OP_div, ir_cast(f->arena, type_float64, x, span),
                                ir_cast(f->arena, type_float64, y, span), span),
                         span);
    y = lower_stable(f, y, "_by");
    nat = either(f, nat, binary(f, OP_eq, y, number(f, 0, span), span), span);
    if (op == AST_FLOORDIV)
        return ir_select(f->arena, nat, number(f, 0, span), binary(f, OP_floordiv, x, y, span),
                         span);
    return time_of(f, type_time(false, unit), nat_if(f, nat, binary(f, OP_mod, x, y, span), span),
                   span);
}

IrValue *time_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    const Type *a = left->type, *b = right->type, *sum = sum_type(op, a, b);
    bool divides = op == AST_DIV || op == AST_FLOORDIV;
    if (sum)
        return add(f, op, sum, left, right, span);
    if (op == AST_MUL && type_is_span(a) && type_is_number(b))
        return times(f, left, right, span);
    if (op == AST_MUL && type_is_number(a) && type_is_span(b))
        return times(f, right, left, span);
    if (divides && type_is_span(a) && type_is_number(b))
        return over_number(f, left, right, span);
    if ((divides || op == AST_MOD) && type_is_span(a) && type_is_span(b) && agree(a, b))
        return over_span(f, op, left, right, span);
    return lower_no_operation(f, op, left, right, span);
}

IrValue *time_compare(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    static const IrOp ops[AST_OP_COUNT] = {
        [AST_EQ] = OP_eq, [AST_NE] = OP_ne, [AST_LT] = OP_lt, [AST_LE] = OP_le,
        [AST_GT] = OP_gt, [AST_GE] = OP_ge, [AST_IS] = OP_eq, [AST_IS_NOT] = OP_ne,
    };
    const Type *a = left->type, *b = right->type;
    if (a->kind != b->kind || !agree(a, b))
        return fail_value(f, span, "cannot compare %s and %s with '%s'", type_name(f->arena, a),
                          type_name(f->arena, b), ast_op_spelling(op));
    TimeUnit unit = time_finer(time_unit(a), time_unit(b));
    IrValue *x = count_of(f, left, span), *y = count_of(f, right, span);
    IrValue *nat = either(f, is_nat(f, x, span), is_nat(f, y, span), span);
    IrValue *result = binary(f, ops[op], in_unit(f, x, time_unit(a), unit, span),
                             in_unit(f, y, time_unit(b), unit, span), span);
    return ops[op] == OP_ne
               ? either(f, nat, result, span)
               : binary(f, OP_and_then, ir_unary(f->arena, OP_not, nat, span), result, span);
}

IrValue *time_unary(FnState *f, AstOp op, IrValue *time, Span span)
{
    if (!type_is_span(time->type) || (op != AST_NEG && op != AST_POS))
        return fail_value(f, span, "there is no unary '%s' for %s", ast_op_spelling(op),
                          type_name(f->arena, time->type));
    if (op == AST_POS)
        return time;
    IrValue *count = count_of(f, time, span), *minus = ir_unary(f->arena, OP_neg, count, span);
    return time_of(f, time->type, nat_if(f, is_nat(f, count, span), minus, span), span);
}

IrValue *time_abs(FnState *f, IrValue *time, Span span)
{
    IrValue *count = count_of(f, time, span);
    IrValue *plain =
        either(f, is_nat(f, count, span), binary(f, OP_ge, count, number(f, 0, span), span), span);
    return time_of(f, time->type,
                   ir_select(f->arena, plain, count, ir_unary(f->arena, OP_neg, count, span), span),
                   span);
}

/* ---- functions ------------------------------------------------------------------------------ */

static Operand lower_isnat(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *time = call_value(f, call, 0);
    if (is_poison(time))
        return operand_error(call->span);
    if (!type_is_time(time->type))
        return fail_operand(f, call->span,
                            "np.isnat takes a datetime64 or timedelta64, and this is %s",
                            describe(f, call->args[0]));
    return operand_value(is_nat(f, ir_item(f->arena, time, 0, call->span), call->span));
}

/* The unit that argument `index` names; false after a complaint. */
static bool read_unit(FnState *f, const Call *call, int index, TimeUnit *unit)
{
    *unit = TIME_NONE;
    if (index >= call->count)
        return true;
    const Operand *arg = &call->args[index];
    if (arg->kind == OPD_STRING && time_unit_named(arg->string.text, arg->string.length, unit))
        return true;
    if (arg->kind != OPD_ERROR)
        fail(f, arg->span, "a unit is one of Y M W D h m s ms us ns ps fs as, as a string");
    return false;
}

/* The unit is the text's own where `unit` is TIME_NONE. */
static IrValue *parsed(FnState *f, const char *text, TimeUnit unit, bool date, Span span)
{
    int64_t count;
    bool fine = time_parse(text, &unit, &count);
    if (fine && (date || count == INT64_MIN))
        return time_of(f, type_time(date, unit), number(f, count, span), span);
    return fail_value(f, span, "this is no %s",
                      date ? "time: it is written 2001-12-31T23:59:59.999"
                           : "span of time: give a number and a unit");
}

IrValue *time_from_text(FnState *f, const char *text, const Type *type, Span span)
{
    return parsed(f, text, time_unit(type), type->kind == TY_DATETIME, span);
}

/* np.datetime64("2001-01-01"[, unit]), np.timedelta64(5, "s"): counts, text, and times of a coarser
** unit. */
Operand lower_time(FnState *f, const Call *call)
{
    if (call->intrinsic == INTR_isnat)
        return lower_isnat(f, call);
    bool date = call->intrinsic == INTR_datetime64;
    TimeUnit unit;
    if (!call_takes(f, call, 1, 2) || !read_unit(f, call, 1, &unit))
        return operand_error(call->span);
    const Operand *arg = &call->args[0];
    if (arg->kind == OPD_STRING) {
        IrValue *time = parsed(f, arg->string.text, unit, date, arg->span);
        return is_poison(time) ? operand_error(call->span) : operand_value(time);
    }
    IrValue *value = call_value(f, call, 0);
    const Type *type = value->type;
    if (is_poison(value))
        return operand_error(call->span);
    if (type_is_integer(type) && (!date || unit != TIME_NONE))
        return operand_value(time_of(f, type_time(date, unit),
                                     ir_cast(f->arena, type_int64, value, call->span), call->span));
    if (type_is_time(type) && call->count == 1)
        unit = time_unit(type);
    if (type_is_time(type) && typing_can_store(type, type_time(date, unit)))
        return operand_value(convert(f, value, type_time(date, unit), call->span));
    return fail_operand(f, call->span, "%s cannot become a %s%s", describe(f, *arg),
                        type_time(date, unit)->tuple.names->name,
                        type_is_integer(type) ? ": a count needs a unit" : "");
}
