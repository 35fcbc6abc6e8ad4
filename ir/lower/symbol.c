/* What a name of the module stands for: a function, a constant, something built in. Constants are
** lowered when they are asked for, once, and kept. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"

#include <string.h>

/* ---- constants ------------------------------------------------------------------------------- */

static bool is_constant_value(const IrValue *value)
{
    if (value->op == OP_tuple) {
        for (int i = 0; i < value->count; i++)
            if (!is_constant_value(value->operands[i]))
                return false;
        return true;
    }
    return value->op == OP_constant || value->op == OP_zero ||
           (value->op == OP_var && value->var->kind == VAR_CONSTANT);
}

static const AstExpr *defined_value(const Lower *lower, const Symbol *symbol)
{
    for (int i = 0; i < lower->request->define_count; i++)
        if (symbol->module == lower->request->module &&
            strcmp(lower->request->defines[i].name, symbol->name) == 0)
            return lower->request->defines[i].value;
    return NULL;
}

FnState *constant_state(FnState *f, const Module *module)
{
    FnState *constant = arena_new(f->arena, FnState);
    *constant = (FnState){ .lower = f->lower,
                           .arena = f->arena,
                           .types = f->types,
                           .module = module,
                           .fn = arena_new(f->arena, IrFunc), /* for what turns out to be none */
                           .constant_only = true,
                           .reachable = true,
                           .region = arena_new(f->arena, IrRegion) };
    table_init(&constant->names, f->arena);
    return constant;
}

const AstExpr *constant_expr(const Lower *lower, const Symbol *symbol)
{
    if (symbol->kind != SYMBOL_CONSTANT)
        return NULL;
    const AstExpr *defined = defined_value(lower, symbol);
    return defined ? defined : symbol->constant.item < 0 ? symbol->constant.value : NULL;
}

static Operand evaluate_constant(FnState *f, const Symbol *symbol, Span span)
{
    const AstExpr *defined = defined_value(f->lower, symbol);
    FnState *constant = constant_state(f, symbol->module);
    Operand value = lower_expr(constant, defined ? defined : symbol->constant.value);
    int item = defined ? -1 : symbol->constant.item;
    if (value.kind == OPD_VALUE && item >= 0) {
        if (!type_is_tuple(value.value->type) || item >= value.value->type->tuple.count) {
            fail(f, symbol->span, "there is no value for '%s'", symbol->name);
            return operand_error(span);
        }
        value = operand_value(ir_item(f->arena, value.value, item, span));
    }
    if (value.kind == OPD_VALUE)
        value.value = lower_table_settle(constant, value.value, symbol->name);
    bool walks = value.kind == OPD_WALK || value.kind == OPD_SEQUENCE || value.kind == OPD_UNROLL ||
                 value.kind == OPD_ITERATOR;
    if (walks || (value.kind == OPD_VALUE && !is_constant_value(value.value))) {
        fail(f, symbol->constant.value->span, "'%s' is not a constant that kjit can evaluate",
             symbol->name);
        return operand_error(span);
    }
    return value;
}

/* A module's constant as it was evaluated. */
typedef struct Constant {
    Operand operand;
    bool forgotten; /* it failed, and that was void */
} Constant;

static Operand lower_constant(FnState *f, Symbol *symbol, Span span)
{
    static Constant in_progress;
    const char *key = arena_printf(f->arena, "%p", (void *)symbol);
    Constant *known = table_get(&f->lower->constants, key);
    if (known == &in_progress) {
        fail(f, symbol->span, "the constant '%s' depends on itself", symbol->name);
        return operand_error(span);
    }
    if (!known || known->forgotten) {
        size_t mark = f->lower->diags->count, errors = f->lower->diags->errors;
        table_put(&f->lower->constants, key, &in_progress);
        known = arena_new(f->arena, Constant);
        known->operand = evaluate_constant(f, symbol, span);
        table_put(&f->lower->constants, key, known);
        if (f->lower->diags->errors != errors)
            failure_remember(f->lower, mark, &known->forgotten);
    }
    Operand operand = known->operand;
    operand.span = span;
    if (operand.kind == OPD_VALUE && operand.value->op == OP_constant) {
        IrValue *here = arena_new(f->arena, IrValue);
        *here = *operand.value;
        here->span = span;
        operand.value = here;
    }
    if (operand.kind == OPD_VALUE)
        operand.value = lower_table_in_function(f, operand.value);
    return operand;
}

/* ---- symbols --------------------------------------------------------------------------------- */

Operand lower_symbol(FnState *f, Symbol *symbol, Span span)
{
    switch (symbol->kind) {
    case SYMBOL_FUNCTION:
        return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = symbol->function };
    case SYMBOL_BUILTIN: {
        Operand found = builtin_find(f->arena, symbol->path, span);
        if (found.kind == OPD_ERROR)
            found = library_find(f, symbol->path, span);
        if (found.kind == OPD_ERROR)
            library_missing(f, symbol->path, span);
        return found;
    }
    case SYMBOL_CONSTANT:
        return lower_constant(f, symbol, span);
    case SYMBOL_ENUM:
        return (Operand){ .kind = OPD_ENUM, .span = span, .enumeration = symbol->enumeration };
    }
    return operand_error(span);
}
