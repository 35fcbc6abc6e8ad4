/* Assignments to variables and elements: `x = value`, `x += value`, `x++`. */
#include "codegen/emit/expr.h"

/* Whether `value` is what an assignment to the same place writes: the variable, or that element. */
static bool reads_target(const IrValue *value, const IrStmt *stmt)
{
    if (stmt->kind == IR_SET)
        return ir_is_var(value, stmt->set.var);
    if (value->op != OP_load || value->count != stmt->store.count + 1 ||
        !ir_same_value(value->operands[0], stmt->store.array))
        return false;
    for (int i = 0; i < stmt->store.count; i++)
        if (!ir_same_value(value->operands[i + 1], stmt->store.indices[i]))
            return false;
    return true;
}

/* Where an assignment goes, binding at least as tightly as `prec`, which is PREC_UNARY or more. */
static const char *target_text(Emitter *e, const IrStmt *stmt, Prec prec)
{
    if (stmt->kind == IR_SET)
        return var_text(e, stmt->set.var);
    return element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, prec);
}

/* The sign of `x op= by`, if the assignment has that form; else NULL. */
static const char *sign_of_assignment(const Emitter *e, const IrValue *value, const IrStmt *stmt)
{
    static const char *const signs[OP_COUNT] = {
        [OP_add] = "+", [OP_sub] = "-", [OP_mul] = "*",  [OP_div] = "/",  [OP_and] = "&",
        [OP_or] = "|",  [OP_xor] = "^", [OP_shl] = "<<", [OP_shr] = ">>",
    };
    const Type *type = value->type;

    if (e->dialect == DIALECT_CHECK &&
        (stmt->kind == IR_STORE || check_may_fail(e, value) || check_is_followed(e, stmt->set.var)))
        return NULL;
    if (!signs[value->op] || !type_is_scalar(type) || type_is_complex(type) ||
        type_size(type) < 4 || !reads_target(value->operands[0], stmt) || may_overflow(e, value))
        return NULL;
    return signs[value->op];
}

static bool is_step(const IrValue *value)
{
    const IrValue *by = value->operands[1];

    return (value->op == OP_add || value->op == OP_sub) && by->op == OP_constant &&
           type_is_integer(value->type) && by->constant.integer == 1;
}

const char *assignment_text(Emitter *e, const IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_SET ? stmt->set.value : stmt->store.value;
    const char *sign = sign_of_assignment(e, value, stmt);
    bool step = sign && is_step(value);
    const char *target = target_text(e, stmt, step ? PREC_POSTFIX : PREC_UNARY);

    if (!sign)
        return arena_printf(e->arena, "%s = %s", target, value_assigned(e, value, PREC_ARGUMENT));
    if (step)
        return arena_printf(e->arena, "%s%s%s", target, sign, sign);
    return arena_printf(e->arena, "%s %s= %s", target, sign,
                        beside_text(e, value->operands[1], value->type, PREC_ARGUMENT));
}

/* The call that stores to `element` with a cache hint. CUDA alone. */
static const char *emit_hinted_store(Emitter *e, const IrStmt *stmt)
{
    const char *hint = ir_cache_names[stmt->store.cache];
    const char *name = stmt->store.cache < CACHE_AT
                           ? arena_printf(e->arena, "__st%s", hint)
                           : prelude(e, arena_printf(e->arena, "store_%s", hint),
                                     stmt->store.array->type->array.element);
    return arena_printf(e->arena, "%s(%s, %s)", name,
                        element_address_text(e, stmt->store.array, stmt->store.indices,
                                             stmt->store.count, PREC_ARGUMENT),
                        value_text(e, stmt->store.value, PREC_ARGUMENT));
}

/* Whether a whole record is copied. gcc 12 mistakes the assignment of one that lies where the
** worker points: later stores to its fields are lost. */
static bool copies_record(const IrValue *value)
{
    return type_is_record(value->type) && value->op == OP_load;
}

void emit_store(Emitter *e, const IrStmt *stmt)
{
    if (stmt->store.cache && e->dialect == DIALECT_CUDA) {
        line(e, "%s;", emit_hinted_store(e, stmt));
    } else if (e->dialect == DIALECT_CHECK) {
        line(e, "%s;", check_store_text(e, stmt));
    } else if (e->dialect == DIALECT_C && copies_record(stmt->store.value)) {
        const char *element =
            element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, PREC_UNARY);
        line(e, "memmove(&%s, &%s, sizeof %s);", element,
             value_text(e, stmt->store.value, PREC_UNARY), element);
    } else if (copies_record(stmt->store.value) && record_holds_packed(stmt->store.value->type)) {
        const char *element =
            element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, PREC_UNARY);
        line(e, "%s(&%s, &%s);", prelude(e, "copy_packed", NULL), element,
             value_text(e, stmt->store.value, PREC_UNARY));
    } else {
        line(e, "%s;", assignment_text(e, stmt));
    }
}
