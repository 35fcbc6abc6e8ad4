/* Checks statements and functions: verify.h says of what. */
#include "ir/verify.h"

/* ---- statements ----------------------------------------------------------------------------- */

static bool check_region(const Verifier *v, const IrRegion *region, int loops);

static bool check_target(const Verifier *v, const IrVar *var, Span span)
{
    return verify_var(v, var, span) &&
           check(v, var->kind == VAR_LOCAL, span, "a set of what is no local variable");
}

static bool check_set(const Verifier *v, const IrStmt *stmt)
{
    return check_target(v, stmt->set.var, stmt->span) && verify_value(v, stmt->set.value, true) &&
           check(v, stmt->set.value->type == stmt->set.var->type, stmt->span,
                 "a set of another type");
}

static bool check_store(const Verifier *v, const IrStmt *stmt)
{
    IrValue *array = stmt->store.array;
    return verify_value(v, array, false) &&
           verify_values(v, stmt->store.indices, stmt->store.count) &&
           verify_indices(v, array, stmt->store.indices, stmt->store.count, stmt->span) &&
           verify_typed(v, stmt->store.value, array->type->array.element, stmt->span);
}

static bool check_for(const Verifier *v, const IrStmt *stmt, int loops)
{
    Span span = stmt->span;
    const Type *type = stmt->for_.var->type;
    for (int i = 0; i < stmt->for_.sum_count; i++)
        if (!verify_var(v, stmt->for_.sums[i], span))
            return false;
    return check_target(v, stmt->for_.var, span) &&
           check(v, type_is_integer(type), span, "a counter that is no integer") &&
           verify_typed(v, stmt->for_.start, type, span) &&
           verify_typed(v, stmt->for_.stop, type, span) &&
           verify_typed(v, stmt->for_.step, type, span) &&
           check_region(v, &stmt->for_.body, loops + 1);
}

static bool check_return(const Verifier *v, const IrStmt *stmt)
{
    bool nothing = v->fn->result->kind == TY_NONE;
    return check(v, !stmt->return_.value == nothing, stmt->span,
                 "a return that does not fit the function") &&
           (nothing || verify_typed(v, stmt->return_.value, v->fn->result, stmt->span));
}

static bool check_print(const Verifier *v, const IrStmt *stmt)
{
    for (int i = 0; i < stmt->print.count; i++)
        if (stmt->print.items[i].value && !verify_value(v, stmt->print.items[i].value, false))
            return false;
    return true;
}

static bool check_fault(const Verifier *v, const IrStmt *stmt)
{
    if (!verify_values(v, stmt->fault.values, stmt->fault.count))
        return false;
    for (int i = 0; i < stmt->fault.count; i++) {
        const Type *type = stmt->fault.values[i]->type;
        if (!check(v, type == type_int64 || type == type_uint64 || type == type_float64, stmt->span,
                   "a report of a value that is not 64 bits wide"))
            return false;
    }
    return true;
}

static bool check_stmt(const Verifier *v, const IrStmt *stmt, int loops)
{
    Span span = stmt->span;
    switch (stmt->kind) {
    case IR_SET:
        return check_set(v, stmt);
    case IR_STORE:
        return check_store(v, stmt);
    case IR_EVAL:
        return verify_value(v, stmt->eval.value, true);
    case IR_IF:
        return verify_typed(v, stmt->if_.condition, type_bool, span) &&
               check_region(v, &stmt->if_.then, loops) &&
               check_region(v, &stmt->if_.otherwise, loops);
    case IR_WHILE:
        return verify_typed(v, stmt->while_.condition, type_bool, span) &&
               check_region(v, &stmt->while_.body, loops + 1);
    case IR_FOR:
        return check_for(v, stmt, loops);
    case IR_BREAK:
    case IR_CONTINUE:
        return check(v, loops > 0, span, "break or continue outside of a loop");
    case IR_RETURN:
        return check_return(v, stmt);
    case IR_PRINT:
        return check_print(v, stmt);
    case IR_FAULT:
        return check_fault(v, stmt);
    case IR_STOP:
        return true;
    }
    return true;
}

static bool check_region(const Verifier *v, const IrRegion *region, int loops)
{
    const IrStmt *before = NULL;
    for (const IrStmt *stmt = region->first; stmt; before = stmt, stmt = stmt->next)
        if (!check(v, stmt->prev == before, stmt->span, "a region whose links disagree") ||
            !check_stmt(v, stmt, loops))
            return false;
    return check(v, region->last == before, before ? before->span : v->fn->span,
                 "a region whose end is not its last statement");
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool check_function(const Verifier *v)
{
    const IrFunc *fn = v->fn;
    for (int i = 0; i < fn->param_count; i++)
        if (!check(v, fn->vars[i]->kind == VAR_PARAM && fn->vars[i]->param == i, fn->span,
                   "parameters do not come first") ||
            !verify_var(v, fn->vars[i], fn->vars[i]->span))
            return false;
    for (int i = fn->param_count; i < fn->var_count; i++)
        if (!verify_memory(v, fn->vars[i]))
            return false;
    return check_region(v, &fn->body, 0);
}

bool ir_find_broken(const IrUnit *unit, IrBroken *found)
{
    for (int i = 0; i <= unit->count; i++) {
        const IrFunc *fn = i < unit->count ? unit->functions[i] : unit->kernel;
        if (!check_function(&(Verifier){ unit, fn, found }))
            return true;
    }
    return false;
}

const char *ir_verify(const IrUnit *unit, const char *after)
{
    IrBroken found;
    if (!ir_find_broken(unit, &found))
        return NULL;
    unsigned line = found.span.source ? source_place(found.span.source, found.span.begin).line : 0;
    return arena_printf(unit->arena, "after '%s', in '%s', line %u: %s", after, found.fn->name,
                        line, found.what);
}
