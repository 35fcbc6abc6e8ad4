/* Order: a value stands where it is needed, which is after the statements that later operands took.
** It is put into a variable before them if they may change it, and only then. */
#include "ir/lower/lower.h"

static bool is_cheap(const IrValue *value)
{
    return ir_is_constant(value) || value->op == OP_zero ||
           (value->op == OP_var && (value->var->kind != VAR_LOCAL || value->var->temporary)) ||
           (value->op == OP_extent && value->operands[0]->op == OP_var &&
            value->operands[0]->var->kind != VAR_LOCAL);
}

IrValue *spill_before(FnState *f, IrStmt *at, IrValue *value, const char *name)
{
    if (f->constant_only || is_poison(value) || value->type->kind == TY_NONE)
        return value;
    IrVar *var = ir_temporary(f->arena, f->fn, name, value->type, value->span);
    ir_insert_before(f->region, at, ir_set(f->arena, var, value, value->span));
    return ir_var(f->arena, var, value->span);
}

IrValue *lower_stable(FnState *f, IrValue *value, const char *name)
{
    return is_cheap(value) ? value : spill_before(f, NULL, value, name);
}

IrValue *stable_tuple(FnState *f, IrValue *tuple, const char *name)
{
    return tuple->op == OP_tuple ? tuple : lower_stable(f, tuple, name);
}

IrStmt *statement_after(const FnState *f, const IrStmt *last)
{
    return last ? last->next : f->region->first;
}

static bool sets_name(IrStmt *from, const char *name)
{
    for (IrStmt *stmt = from; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_SET && strcmp(stmt->set.var->name, name) == 0)
            return true;
        for_each_region (inner, stmt)
            if (sets_name(inner->first, name))
                return true;
    }
    return false;
}

/* Whether a statement sets a variable that `value` reads. Names are compared, since where branches
** meet one variable of a name may yet be copied into another. */
static bool reads_what_is_set(const IrValue *value, IrStmt *from)
{
    if (value->op == OP_var)
        return value->var->kind == VAR_LOCAL && !value->var->temporary &&
               sets_name(from, value->var->name);
    for (int i = 0; i < value->count; i++)
        if (reads_what_is_set(value->operands[i], from))
            return true;
    return false;
}

void keep_before(FnState *f, IrStmt *at, IrValue **value)
{
    enum { HARMLESS = EFFECT_READ | EFFECT_IO | EFFECT_STOP };
    int effects = EFFECT_NONE;
    for (const IrStmt *stmt = at; stmt; stmt = stmt->next)
        effects |= ir_stmt_effects(stmt);
    bool memory = effects & ~HARMLESS && ir_value_effects(*value) & EFFECT_READ;
    if (at && !is_cheap(*value) && (memory || reads_what_is_set(*value, at)))
        *value = spill_before(f, at, *value, "_t");
}

void lower_list(FnState *f, AstExpr *const *exprs, int count, Operand *out)
{
    for (int i = 0; i < count; i++) {
        IrStmt *last = f->region->last;
        out[i] = lower_maybe(f, exprs[i]);
        IrStmt *place = statement_after(f, last);
        for (int k = 0; place && k < i; k++) /* what came before must not see what this does */
            if (out[k].kind == OPD_VALUE)
                keep_before(f, place, &out[k].value);
    }
}
