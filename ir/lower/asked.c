/* The kernel that is asked for. Most are there by name, as the text alone says; the others are what
** an expression gives at the end of the module, `k`, `steps[1]`, `solver.step`, `make(3)`, and that
** is evaluated as constants are. */
#include "ir/lower/function.h"
#include "ir/lower/lower.h"

#include <string.h>

/* The tree of an expression that is written as a name; NULL: it is none. */
static const AstExpr *parsed(const Lower *lower, const char *text)
{
    Diags none;
    diags_init(&none, lower->arena);
    return parse_expression(lower->arena, &none,
                            source_new(lower->arena, "<kernel>", text, strlen(text)));
}

/* The name that an expression begins with; NULL: it begins with none. */
static const char *first_name(const AstExpr *expr)
{
    while (expr && expr->kind != AST_NAME)
        expr = expr->kind == AST_ATTRIBUTE ? expr->attribute.object
               : expr->kind == AST_INDEX   ? expr->index.object
               : expr->kind == AST_CALL    ? expr->call.function
                                           : NULL;
    return expr ? expr->name.name : NULL;
}

/* What the expression gives at the end of the module, if that is a kernel. */
static const Function *evaluated(Lower *lower, const AstExpr *expr)
{
    FnState none = { .lower = lower, .arena = lower->arena, .types = lower->types };
    const Operand value = lower_expr(constant_state(&none, lower->request->module), expr);
    return value.kind == OPD_FUNCTION && value.function->kernel ? value.function : NULL;
}

const Function *asked_kernel(Lower *lower)
{
    const LowerRequest *request = lower->request;
    const Symbol *symbol = module_function_symbol(request->module, request->kernel);
    if (symbol)
        return symbol->function;
    const AstExpr *expr = parsed(lower, request->kernel);
    const char *name = first_name(expr);
    return name && module_symbol(request->module, name) ? evaluated(lower, expr) : NULL;
}

static bool has_stars(const AstParams *params)
{
    bool stars = false;
    for (int i = 0; i < params->count; i++)
        stars |= params->items[i].star || params->items[i].double_star;
    return stars;
}

bool ir_find_kernel(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                    KernelInfo *info)
{
    Lower lower = lower_new(arena, types, diags, request);
    const Function *kernel = asked_kernel(&lower);
    const KernelInfo *known = kernel ? module_kernel_of(kernel->module, kernel->ast) : NULL;
    if (!kernel || !kernel->kernel || (!known && has_stars(&kernel->ast->params)))
        return false;
    *info = known ? *known : (KernelInfo){ .ast = kernel->ast }; /* else jit made it of a value */
    info->name = request->kernel;
    info->complaints = known ? known->symbol->complaints : (Complaints){ 0 };
    info->found = true;
    return true;
}
