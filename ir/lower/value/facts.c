/* What a program reads at module level of its environment: sys.argv, sys.version_info,
** cuda.is_available(). kjit answers as a current Python would that runs the file by itself on a
** machine with a GPU. */
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <float.h>

/* "sys.argv" of the attribute of a module that is imported under its own name; "" of others. */
static const char *path_of(FnState *f, const AstExpr *expr)
{
    const AstExpr *owner = expr->kind == AST_ATTRIBUTE ? expr->attribute.object : NULL;
    const Symbol *symbol =
        owner && owner->kind == AST_NAME ? lower_lookup(f, owner->name.name) : NULL;
    if (!symbol || (symbol->kind != SYMBOL_UNKNOWN && symbol->kind != SYMBOL_BUILTIN))
        return "";
    const char *module = symbol->kind == SYMBOL_BUILTIN ? symbol->path : owner->name.name;
    return arena_printf(f->arena, "%s.%s", module, expr->attribute.name);
}

/* sys.float_info.max and its like. */
static bool limit_of_float(FnState *f, const AstExpr *expr, Operand *out)
{
    static const struct {
        const char *name;
        double value;
    } limits[] = { { "max", DBL_MAX }, { "min", DBL_MIN }, { "epsilon", DBL_EPSILON } };
    if (!f->constant_only || expr->kind != AST_ATTRIBUTE ||
        strcmp(path_of(f, expr->attribute.object), "sys.float_info") != 0)
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(limits); i++)
        if (strcmp(limits[i].name, expr->attribute.name) == 0) {
            *out = operand_value(ir_number(f->arena, type_float64, limits[i].value, expr->span));
            return true;
        }
    return false;
}

bool lower_fact(FnState *f, const AstExpr *expr, Operand *out)
{
    enum { MAJOR = 3, MINOR = 13 };
    const char *path = f->constant_only ? path_of(f, expr) : "";
    if (strcmp(path, "sys.argv") == 0) {
        Operand name = operand_text(f->arena, module_source(f->module),
                                    strlen(module_source(f->module)), expr->span);
        *out = tuple_of_operands(f, &name, 1, expr->span);
    } else if (strcmp(path, "sys.version_info") == 0) {
        const Operand parts[] = {
            operand_value(ir_integer(f->arena, type_int64, MAJOR, expr->span)),
            operand_value(ir_integer(f->arena, type_int64, MINOR, expr->span)),
        };
        *out = tuple_of_operands(f, parts, 2, expr->span);
    } else if (strcmp(path, "sys.maxsize") == 0) {
        *out = operand_value(ir_integer(f->arena, type_int64, INT64_MAX, expr->span));
    } else if (limit_of_float(f, expr, out)) {
        return true;
    } else if (strcmp(path, "sys.platform") == 0) {
        *out = operand_text(f->arena, "linux", strlen("linux"), expr->span);
    } else {
        return false;
    }
    return true;
}

bool lower_fact_call(FnState *f, const AstExpr *call, Operand *out)
{
    const char *path = f->constant_only ? path_of(f, call->call.function) : "";
    if (strcmp(path, "cuda.is_available") != 0 && strcmp(path, "cuda.detect") != 0)
        return false;
    *out = operand_value(ir_integer(f->arena, type_bool, true, call->span));
    return true;
}
