/* What may be assigned to, and what may be deleted. */
#include "parser/build.h"

/* What an expression that is no target is called. */
static const char *describe(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
        return "a number";
    case AST_STRING:
        return "a string";
    case AST_TRUE:
        return "True";
    case AST_FALSE:
        return "False";
    case AST_NONE:
        return "None";
    case AST_ELLIPSIS:
        return "'...'";
    case AST_CALL:
        return "a call";
    case AST_COMPARE:
        return "a comparison";
    case AST_IF_EXPR:
        return "a conditional expression";
    case AST_LAMBDA:
        return "a lambda";
    case AST_WALRUS:
        return "an assignment";
    case AST_TUPLE:
        return "a tuple";
    case AST_LIST:
        return "a list";
    case AST_STARRED:
        return "a starred expression";
    case AST_BYTES:
        return "bytes";
    case AST_FSTRING:
    case AST_FIELD:
        return "an f-string";
    case AST_SET:
        return "a set";
    case AST_DICT:
        return "a dict";
    case AST_COMPREHENSION:
        return expr->comprehension->kind == AST_TUPLE ? "a generator" : "a comprehension";
    case AST_YIELD:
        return "a yield expression";
    case AST_AWAIT:
        return "an await expression";
    case AST_UNARY:
    case AST_BINARY:
    case AST_BOOLEAN:
    case AST_NAME:
    case AST_ATTRIBUTE:
    case AST_INDEX:
    case AST_SLICE:
    case AST_EXPR_KINDS:
        break;
    }
    return "an expression";
}

static void check_targets(Parse *ps, const AstExprs *targets)
{
    const AstExpr *starred = NULL;

    for (int i = 0; i < targets->count; i++) {
        const AstExpr *item = targets->items[i];
        if (item->kind != AST_STARRED) {
            ast_check_target(ps, item);
            continue;
        }
        if (starred)
            diag_error(ps->diags, item->span, "only one target may be starred");
        starred = item;
        ast_check_target(ps, item->starred.value);
    }
}

void ast_check_target(Parse *ps, const AstExpr *target)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        check_targets(ps, &target->list.items);
    else if (target->kind != AST_NAME && target->kind != AST_ATTRIBUTE &&
             target->kind != AST_INDEX && target->kind != AST_STARRED)
        diag_error(ps->diags, target->span, "cannot assign to %s%s", describe(target),
                   target->kind == AST_CALL ? "; an element is written with [ ]" : "");
}

void ast_check_single_target(Parse *ps, const AstExpr *target, const char *message)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        diag_error(ps->diags, target->span, message, describe(target));
    else
        ast_check_target(ps, target);
}

void ast_check_deleted(Parse *ps, const AstExpr *target)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        for (int i = 0; i < target->list.items.count; i++)
            ast_check_deleted(ps, target->list.items.items[i]);
    else if (target->kind != AST_NAME && target->kind != AST_ATTRIBUTE && target->kind != AST_INDEX)
        diag_error(ps->diags, target->span, "cannot delete %s", describe(target));
}
