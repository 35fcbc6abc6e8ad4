/* Checks what an expression of a space reads: elements of arrays are not available before a launch,
** and may be on a device. */
#include "runtime/tuning/space.h"

typedef struct NameCheck {
    Eval *eval;
    const SpacePoint *point;
    bool fine;
} NameCheck;

/* The argument with arrays that an expression is, is an item of, or is the transpose of; NULL if it
** is none. */
static const kjit_arg *array_argument(const SpacePoint *point, const AstExpr *expr)
{
    bool item = false;

    for (;;) {
        if (expr->kind == AST_ATTRIBUTE && strcmp(expr->attribute.name, "T") == 0) {
            expr = expr->attribute.object;
        } else if (expr->kind == AST_INDEX && !item) {
            expr = expr->index.object;
            item = true;
        } else {
            break;
        }
    }
    for (size_t i = 0; expr->kind == AST_NAME && i < point->count; i++) {
        const kjit_arg *arg = &point->args[i];
        bool suits = arg_arrays(arg) > 0 && (!item || arg->kind == KJIT_ARG_TUPLE);
        if (strcmp(point->space->kernel->param_names[i], expr->name.name) == 0)
            return suits ? arg : NULL;
    }
    return NULL;
}

static bool tells_shape(const AstExpr *expr)
{
    static const char *const names[] = { "shape", "size", "ndim", "dtype" };

    return expr->kind == AST_ATTRIBUTE && TEXT_IS_AMONG(expr->attribute.name, names);
}

static void check(void *context, const AstExpr *expr)
{
    NameCheck *names = context;
    const AstExpr *object = tells_shape(expr) ? expr->attribute.object : NULL;

    if (expr->kind == AST_CALL && expr->call.function->kind == AST_NAME &&
        strcmp(expr->call.function->name.name, "len") == 0 && expr->call.args.count == 1)
        object = expr->call.args.items[0];
    if (object && array_argument(names->point, object))
        return;
    bool named = expr->kind == AST_NAME && array_argument(names->point, expr);
    if (named && names->fine) {
        names->fine = false;
        diag_error(names->eval->diags, expr->span,
                   "of '%s' the shape alone is known before the launch: %s.shape[0], %s.size, "
                   "%s.ndim, %s.dtype",
                   expr->name.name, expr->name.name, expr->name.name, expr->name.name,
                   expr->name.name);
    }
    ast_each_child(expr, check, names);
}

bool space_looks_at_shapes(Eval *eval, const AstExpr *expr)
{
    NameCheck names = { eval, eval->look_context, true };

    check(&names, expr);
    return names.fine;
}
