/* Which names are a function's own, as Python decides it: by its text. */
#include "parser/ast.h"

static void note(Table *table, const char *name)
{
    table_put(table, name, (void *)(uintptr_t)name);
}

static void find_walrus(void *context, const AstExpr *expr)
{
    AstNames *names = context;
    names->generates |= expr->kind == AST_YIELD;
    if (expr->kind == AST_WALRUS)
        note(&names->locals, expr->walrus.name);
    if (expr->kind != AST_LAMBDA)
        ast_each_child(expr, find_walrus, names);
}

static void find_target(void *context, const AstExpr *target)
{
    AstNames *names = context;
    if (target->kind == AST_NAME)
        note(&names->locals, target->name.name);
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST || target->kind == AST_STARRED)
        ast_each_child(target, find_target, names);
}

static void note_defined(AstNames *names, const char *name)
{
    note(&names->locals, name);
    note(&names->defined, name);
}

static void note_import(AstNames *names, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++)
        note_defined(names, ast_alias_name(&stmt->import.names[i]));
}

static void note_captured(void *context, const char *name)
{
    note(&((AstNames *)context)->locals, name);
}

static void find_names(AstNames *names, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        ast_each_target(stmt, find_target, names);
        ast_each_value(stmt, find_walrus, names);
        if (stmt->kind == AST_DEF)
            note_defined(names, stmt->def.function.name);
        if (stmt->kind == AST_IMPORT || stmt->kind == AST_FROM_IMPORT)
            note_import(names, stmt);
        if (stmt->kind == AST_GLOBAL || stmt->kind == AST_NONLOCAL)
            for (int k = 0; k < stmt->global.names.count; k++)
                note(stmt->kind == AST_GLOBAL ? &names->globals : &names->nonlocals,
                     stmt->global.names.items[k]->name.name);
        for (int k = 0; stmt->kind == AST_TRY && k < stmt->try_.handlers.count; k++)
            if (stmt->try_.handlers.items[k].name)
                note(&names->locals, stmt->try_.handlers.items[k].name);
        for (int k = 0; stmt->kind == AST_MATCH && k < stmt->match.cases.count; k++)
            ast_each_captured(stmt->match.cases.items[k].pattern, note_captured, names);
        for (int k = 0; (inner = ast_body(stmt, k)) != NULL; k++)
            find_names(names, inner);
    }
}

/* What is declared global or nonlocal is none of the function's own. */
static void leave_out(Table *locals, const Table *others)
{
    for (size_t i = 0; i < others->capacity; i++)
        if (others->slots[i].name)
            table_put(locals, others->slots[i].name, NULL);
}

void ast_names(AstNames *names, Arena *arena, const AstFunction *function)
{
    *names = (AstNames){ 0 };
    table_init(&names->locals, arena);
    table_init(&names->defined, arena);
    table_init(&names->globals, arena);
    table_init(&names->nonlocals, arena);
    for (int i = 0; i < function->params.count; i++)
        note(&names->locals, function->params.items[i].name);
    find_names(names, &function->body);
    leave_out(&names->locals, &names->globals);
    leave_out(&names->locals, &names->nonlocals);
}
