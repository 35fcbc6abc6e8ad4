/* What constants may call besides functions: methods of objects, which are given the object, and
** jit, which gives back the function that it is given. Properties are methods that are called where
** they are read. */
#include "ir/lower/function.h"
#include "ir/lower/value/bundle.h"

/* The function that an object's class has under that name; NULL: none. */
static const Function *member_of(const Bundle *bundle, const char *name)
{
    const Symbol *symbol = bundle->class ? module_symbol_in(bundle->class->of, name) : NULL;
    bool function = symbol && symbol->kind == SYMBOL_FUNCTION && !symbol->complaints.count;
    return function && symbol->function->ast ? symbol->function : NULL;
}

bool lower_property(FnState *f, const Bundle *bundle, const AstExpr *expr, Operand *out)
{
    const Function *function = member_of(bundle, expr->attribute.name);
    if (!function || !function->property)
        return false;
    Operand self = bundle_operand(bundle, expr->span);
    FnState *constant = f->constant_only ? f : constant_state(f, function->module);
    *out = lower_evaluate(constant, expr, function, &self, 1);
    return true;
}

/* Whether an expression is a name, or an attribute of one: evaluating it twice costs nothing. */
static bool is_path(const AstExpr *expr)
{
    while (expr->kind == AST_ATTRIBUTE)
        expr = expr->attribute.object;
    return expr->kind == AST_NAME;
}

/* Whether a path begins with a name of the module, and not of the function. */
static bool is_of_module(FnState *f, const AstExpr *path)
{
    while (path->kind == AST_ATTRIBUTE)
        path = path->attribute.object;
    return !names_local(f, path->name.name) && lower_lookup(f, path->name.name);
}

const Function *lower_bound_method(FnState *f, const AstExpr *callee, Operand *self)
{
    if (callee->kind != AST_ATTRIBUTE || !is_path(callee->attribute.object) ||
        (!f->constant_only && !is_of_module(f, callee->attribute.object)))
        return NULL;
    Attempt attempt = attempt_begin(f->lower);
    *self = lower_expr(f, callee->attribute.object);
    attempt_void(f->lower, attempt);
    const Function *function =
        self->kind == OPD_BUNDLE ? member_of(self->bundle, callee->attribute.name) : NULL;
    bool bound = function && !function->of_class && !function->of_none && !function->property &&
                 !function->compiled && !function->wrapped &&
                 !object_is_unknown(self->bundle, callee->attribute.name, NULL);
    return bound ? function : NULL;
}

bool lower_jitted(FnState *f, const AstExpr *call, Operand *out)
{
    const AstExpr *callee = call->call.function;
    bool made = callee->kind == AST_CALL && module_is_jit(f->module, callee->call.function);
    if (!f->constant_only || (!made && !module_is_jit(f->module, callee)) ||
        call->call.args.count != 1)
        return false;
    *out = lower_expr(f, call->call.args.items[0]);
    if (out->kind == OPD_FUNCTION && out->function->partial) {
        fail(f, call->span,
             "jit compiles functions, and what partial() makes of '%s' is none: define a function "
             "that calls it",
             out->function->name);
        *out = operand_error(call->span);
    }
    const AstExpr *jit = made ? callee : call;
    const bool plain = !jit->call.keyword_count && (!made || !jit->call.args.count);
    if (out->kind == OPD_FUNCTION && plain && module_is_kernel_jit(f->module, jit->call.function)) {
        Function *kernel = arena_new(f->arena, Function);
        *kernel = *out->function;
        kernel->kernel = true;
        out->function = kernel;
    }
    return out->kind == OPD_FUNCTION || out->kind == OPD_ERROR;
}
