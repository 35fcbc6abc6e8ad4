/* What a name of the module stands for: a function, a constant, something built in. Constants are
** lowered when they are asked for, once, and kept. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

#include <string.h>

/* ---- constants ------------------------------------------------------------------------------- */

bool constant_is_known(const IrValue *value)
{
    if (value->op == OP_tuple) {
        for (int i = 0; i < value->count; i++)
            if (!constant_is_known(value->operands[i]))
                return false;
        return true;
    }
    return value->op == OP_constant || value->op == OP_zero ||
           (value->op == OP_var && value->var->kind == VAR_CONSTANT);
}

static const AstExpr *defined_value(const Lower *lower, const Symbol *symbol)
{
    for (int i = 0; i < lower->request->define_count; i++)
        if (module_in(symbol->module, lower->request->module) &&
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

/* ---- what cannot be read --------------------------------------------------------------------- */

void complaints_tell(FnState *f, const Complaints *complaints, const char *name, Span span)
{
    Diags *diags = f->lower->diags;
    for (size_t i = 0; i < complaints->count; i++) {
        const Diag *diag = &complaints->items[i];
        (diag->level == DIAG_ERROR ? diag_error : diag_note)(diags, diag->span, "%s",
                                                             diag->message);
    }
    diag_note(diags, span, "'%s' is read here", name);
}

static Operand unknown_symbol(FnState *f, const Symbol *symbol, Span span)
{
    const char *where = symbol->unknown.where;
    fail(f, span, "'%s' %s", symbol->name, symbol->unknown.reason);
    diag_note(f->lower->diags, symbol->span, "%s%s",
              where ? "it is imported here; " : "it is bound here", where ? where : "");
    return operand_error(span);
}

/* What an import names is not in its module. */
static Operand missing_import(FnState *f, const Symbol *symbol, Span span)
{
    const Module *from = symbol->import.from;
    const Complaints *broken = module_complaints(from);
    int count;
    if (broken) {
        complaints_tell(f, broken, symbol->name, span);
        return operand_error(span);
    }
    if (module_binding(from, symbol->import.name)) {
        fail(f, symbol->span, "'%s' comes from files that import one another, and none defines it",
             symbol->import.name);
        diag_note(f->lower->diags, span, "'%s' is read here", symbol->name);
        return operand_error(span);
    }
    const char **names = module_names(from, f->arena, &count);
    const char *near = diag_nearest(symbol->import.name, names, (size_t)count);
    fail(f, symbol->span, "module '%s' has no '%s'%s%s%s", symbol->import.module,
         symbol->import.name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    diag_note(f->lower->diags, span, "'%s' is read here", symbol->name);
    return operand_error(span);
}

/* 1 or 0 as the condition is; -1 where kjit cannot tell, without a complaint. */
static int decide(FnState *f, const Symbol *symbol)
{
    FnState *constant = constant_state(f, symbol->module);
    size_t mark = f->lower->diags->count;
    Symbol *at = arena_new(f->arena, Symbol);
    *at = *symbol;
    at->order = symbol->choice.begin; /* what stands before the branches is seen */
    constant->constant = at;
    IrValue *value = lower_condition(constant, symbol->choice.condition);
    bool known = f->lower->diags->count == mark && ir_is_constant(value);
    complaints_void(f->lower, mark);
    return known ? value->constant.integer != 0 : -1;
}

/* What a branch at module level binds: the one that the condition chooses, or the only one. */
static Operand chosen_symbol(FnState *f, const Symbol *symbol, Span span)
{
    Symbol *then = symbol->choice.then, *otherwise = symbol->choice.otherwise;
    int known = decide(f, symbol);
    Symbol *chosen = known > 0           ? then
                     : known == 0        ? otherwise
                     : then && otherwise ? NULL
                     : then              ? then
                                         : otherwise;
    if (chosen)
        return lower_symbol(f, chosen, span);
    fail(f, span,
         known < 0 ? "which '%s' is meant depends on a condition that kjit cannot evaluate: give "
                     "its value with -D %s=VALUE"
                   : "'%s' is bound only under a condition that does not hold%.0s",
         symbol->name, symbol->name);
    diag_note(f->lower->diags, symbol->choice.condition->span, "this condition");
    return operand_error(span);
}

/* ---- what is worked out once ----------------------------------------------------------------- */

static Operand evaluate_constant(FnState *f, const Symbol *symbol, Span span)
{
    const AstExpr *defined = defined_value(f->lower, symbol);
    FnState *constant = constant_state(f, symbol->module);
    if (!defined)
        constant->constant = symbol;
    Operand value = lower_expr(constant, defined ? defined : symbol->constant.value);
    int item = defined ? -1 : symbol->constant.item;
    if (item >= 0 &&
        (value.kind == OPD_RANGE || value.kind == OPD_STRING || value.kind == OPD_SEQUENCE) &&
        item < evaluate_count(constant, &value))
        return evaluate_item(constant, &value, item, span);
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
    if (walks || (value.kind == OPD_VALUE && !constant_is_known(value.value))) {
        fail(f, symbol->constant.value->span, "'%s' is not a constant that kjit can evaluate",
             symbol->name);
        return operand_error(span);
    }
    return value;
}

static Operand evaluate_symbol(FnState *f, Symbol *symbol, Span span)
{
    if (symbol->kind == SYMBOL_CONSTANT || defined_value(f->lower, symbol))
        return evaluate_constant(f, symbol, span);
    if (symbol->kind == SYMBOL_UNKNOWN && !symbol->complaints.count)
        return unknown_symbol(f, symbol, span);
    if (symbol->kind == SYMBOL_IMPORT)
        return missing_import(f, symbol, span);
    if (symbol->kind == SYMBOL_CHOICE)
        return chosen_symbol(f, symbol, span);
    complaints_tell(f, &symbol->complaints, symbol->name, span);
    return operand_error(span);
}

/* The same, unless too many wait for one another. */
static Operand evaluate_deeper(FnState *f, Symbol *symbol, Span span)
{
    enum { DEEPEST = 300 };
    if (f->lower->constant_depth == DEEPEST) {
        fail(f, symbol->span, "'%s' hangs on too many other constants, one of the other",
             symbol->name);
        return operand_error(span);
    }
    f->lower->constant_depth++;
    Operand value = evaluate_symbol(f, symbol, span);
    f->lower->constant_depth--;
    return value;
}

/* A module's constant, or what is none, as it was evaluated. */
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
        known->operand = evaluate_deeper(f, symbol, span);
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

Symbol *lower_lookup(const FnState *f, const char *name)
{
    if (f->constant && f->constant->module == f->module)
        return module_symbol_before(f->module, name, f->constant->order);
    return module_symbol(f->module, name);
}

Operand module_attribute(FnState *f, const Symbol *module, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    const Complaints *broken = module_complaints(module->of);
    if (broken) {
        complaints_tell(f, broken, module->name, expr->span);
        return operand_error(expr->span);
    }
    Symbol *symbol = module_symbol_in(module->of, name);
    if (symbol)
        return lower_builtin(f, lower_symbol(f, symbol, expr->span));
    int count;
    const char **names = module_names(module->of, f->arena, &count);
    const char *near = diag_nearest(name, names, (size_t)count);
    fail(f, expr->attribute.name_span, "'%s' has no '%s'%s%s%s", module->name, name,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    diag_note(f->lower->diags, module->span, "'%s' is bound here", module->name);
    return operand_error(expr->span);
}

Operand lower_symbol(FnState *f, Symbol *symbol, Span span)
{
    if (symbol->complaints.count)
        return lower_constant(f, symbol, span);
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
    case SYMBOL_UNKNOWN:
    case SYMBOL_IMPORT:
    case SYMBOL_CHOICE:
        return lower_constant(f, symbol, span);
    case SYMBOL_MODULE:
        return (Operand){ .kind = OPD_MODULE, .span = span, .module = symbol };
    case SYMBOL_ENUM:
        return (Operand){ .kind = OPD_ENUM, .span = span, .enumeration = symbol->enumeration };
    }
    return operand_error(span);
}
