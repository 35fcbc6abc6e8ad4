/* What of Python kernels have not: it is read like the rest, and complained of here, where a kernel
** gets to it. */
#include "ir/lower/lower.h"

/* ---- statements --------------------------------------------------------------------------- */

static const char *refusal_of(AstStmtKind kind)
{
    switch (kind) {
    case AST_CLASS:
        return "kernels have no classes; use functions and arrays, and enumerations at module "
               "level";
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        return "imports stand at module level; move it there";
    case AST_DEL:
        return "kernels have no 'del'; nothing needs to be deleted";
    case AST_GLOBAL:
        return "kernels have no 'global'; pass an array to write to";
    case AST_NONLOCAL:
        return "kernels have no 'nonlocal'; return the new value instead";
    case AST_TRY:
        return "kernels have no 'try'; test for what may go wrong beforehand";
    case AST_WITH:
        return "kernels have no 'with'; call what it would call";
    case AST_MATCH:
        return "a case is a number, True, False, None, a string, a name, '_', or several of them "
               "with '|' between";
    case AST_TYPE_ALIAS:
        return "kernels have no 'type' statement; it stands at module level";
    case AST_FOR:
        return "kernels have no 'async'; every thread runs by itself";
    default:
        return "kernels have no such statement";
    }
}

/* The first pattern of a match that asks for more than a value to compare with. */
static Span place_of_match(const AstStmt *stmt)
{
    for (int i = 0; i < stmt->match.cases.count; i++) {
        const AstExpr *pattern = stmt->match.cases.items[i].pattern;
        if (pattern->kind == AST_TUPLE || pattern->kind == AST_LIST || pattern->kind == AST_CALL ||
            pattern->kind == AST_DICT)
            return pattern->span;
    }
    return stmt->span;
}

void lower_refused(FnState *f, const AstStmt *stmt)
{
    fail(f, stmt->kind == AST_MATCH ? place_of_match(stmt) : stmt->span, "%s",
         refusal_of(stmt->kind));
    if (stmt->kind == AST_TRY) {
        lower_body(f, &stmt->try_.body);
        lower_body(f, &stmt->try_.finally);
    } else if (stmt->kind == AST_WITH) {
        for (int i = 0; i < stmt->with.count; i++)
            if (stmt->with.items[i].target)
                lower_assign(f, stmt->with.items[i].target, operand_error(stmt->span));
        lower_body(f, &stmt->with.body);
    } else if (stmt->kind == AST_IMPORT || stmt->kind == AST_FROM_IMPORT) {
        for (int i = 0; i < stmt->import.count; i++) {
            const AstAlias *alias = &stmt->import.names[i];
            lower_bind(f, alias->as ? alias->as : alias->name, operand_error(alias->span),
                       alias->span);
        }
    } else if (stmt->kind == AST_MATCH || stmt->kind == AST_FOR) {
        f->reachable = false; /* what it would assign is not known */
    }
}

/* ---- functions ---------------------------------------------------------------------------- */

bool lower_is_callable(FnState *f, const AstFunction *function)
{
    if (function->is_async)
        return fail(f, function->name_span, "kernels have no 'async'; every thread runs by itself");
    for (int i = 0; i < function->params.count; i++) {
        const AstParam *param = &function->params.items[i];
        if (!param->double_star || f->constant_only)
            continue;
        return fail(f, param->span, "what a kernel calls takes no '**%s'; name each parameter",
                    param->name);
    }
    return true;
}

/* ---- expressions -------------------------------------------------------------------------- */

Operand lower_refused_expr(FnState *f, const AstExpr *expr)
{
    const char *reason = "kernels have no such expression";
    switch (expr->kind) {
    case AST_BYTES:
        reason = "constants are not made of bytes; give them a name of their own, KEY = b\"...\"";
        break;
    case AST_FSTRING:
    case AST_FIELD:
        reason =
            "kernels have no f-strings: arrays hold numbers, and print() takes values one by one";
        break;
    case AST_SET:
    case AST_DICT:
        reason = "kernels have no dicts and sets; use an array or a tuple";
        break;
    case AST_COMPREHENSION:
        reason = "kernels have no comprehensions and generators; write a loop";
        break;
    case AST_YIELD:
        reason = "kernels have no generators; write to an array";
        break;
    case AST_AWAIT:
        reason = "kernels have no 'await'; see cuda.syncthreads()";
        break;
    default:
        break;
    }
    return fail_operand(f, expr->span, "%s", reason);
}
