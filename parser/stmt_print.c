/* Statements as text: one a line, those inside others indented. */
#include "parser/parser.h"
#include "parser/print.h"

static void put_body(Printer *p, const AstBody *body);

static void begin_line(Printer *p, const char *word)
{
    for (int i = 0; i < p->indent; i++)
        buf_puts(p->out, "    ");
    buf_puts(p->out, word);
}

/* A line of a word and an expression, which may be missing. */
static void put_line(Printer *p, const char *word, const AstExpr *expr)
{
    begin_line(p, word);
    if (expr) {
        buf_putc(p->out, ' ');
        print_expr(p, expr);
    }
    buf_putc(p->out, '\n');
}

static void put_else(Printer *p, const AstBody *body)
{
    if (body->count == 0)
        return;
    put_line(p, "else", NULL);
    put_body(p, body);
}

static void put_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    for (int i = 0; i < stmt->assign.targets.count; i++) {
        print_expr(p, stmt->assign.targets.items[i]);
        buf_puts(p->out, " = ");
    }
    print_expr(p, stmt->assign.value);
    buf_putc(p->out, '\n');
}

static void put_aug_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    print_expr(p, stmt->aug_assign.target);
    buf_printf(p->out, " %s= ", ast_op_spelling(stmt->aug_assign.op));
    print_expr(p, stmt->aug_assign.value);
    buf_putc(p->out, '\n');
}

static void put_ann_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    print_expr(p, stmt->ann_assign.target);
    buf_puts(p->out, ": ");
    print_expr(p, stmt->ann_assign.annotation);
    if (stmt->ann_assign.value) {
        buf_puts(p->out, " = ");
        print_expr(p, stmt->ann_assign.value);
    }
    buf_putc(p->out, '\n');
}

static void put_for(Printer *p, const AstStmt *stmt)
{
    begin_line(p, stmt->for_.is_async ? "async for " : "for ");
    print_expr(p, stmt->for_.target);
    buf_puts(p->out, " in ");
    print_expr(p, stmt->for_.iterable);
    buf_putc(p->out, '\n');
    put_body(p, &stmt->for_.body);
    put_else(p, &stmt->for_.otherwise);
}

static void put_assert(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "assert ");
    print_expr(p, stmt->assert_.condition);
    if (stmt->assert_.message) {
        buf_puts(p->out, ", ");
        print_expr(p, stmt->assert_.message);
    }
    buf_putc(p->out, '\n');
}

static void put_decorators(Printer *p, const AstExprs *decorators)
{
    for (int i = 0; i < decorators->count; i++) {
        begin_line(p, "@");
        print_expr(p, decorators->items[i]);
        buf_putc(p->out, '\n');
    }
}

static void put_type_params(Printer *p, const AstTypeParams *params)
{
    for (int i = 0; i < params->count; i++) {
        const AstTypeParam *param = &params->items[i];
        buf_puts(p->out, i ? ", " : "[");
        buf_printf(p->out, "%s%s", &"**"[2 - param->stars], param -> name);
        if (param->bound) {
            buf_puts(p->out, ": ");
            print_expr(p, param->bound);
        }
        if (param->default_value) {
            buf_puts(p->out, " = ");
            print_expr(p, param->default_value);
        }
    }
    buf_puts(p->out, params->count ? "]" : "");
}

static void put_function(Printer *p, const AstFunction *function)
{
    put_decorators(p, &function->decorators);
    begin_line(p, function->is_async ? "async function " : "function ");
    buf_puts(p->out, function->name);
    put_type_params(p, &function->type_params);
    buf_putc(p->out, '(');
    print_params(p, &function->params);
    buf_putc(p->out, ')');
    if (function->returns) {
        buf_puts(p->out, " -> ");
        print_expr(p, function->returns);
    }
    buf_putc(p->out, '\n');
    put_body(p, &function->body);
}

static void put_class(Printer *p, const AstClass *class)
{
    put_decorators(p, &class->decorators);
    begin_line(p, "class ");
    buf_puts(p->out, class->name);
    put_type_params(p, &class->type_params);
    print_arguments(p, &class->bases, class->keywords, class->keyword_count);
    buf_putc(p->out, '\n');
    put_body(p, &class->body);
}

static void put_import(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    if (stmt->kind == AST_FROM_IMPORT) {
        buf_puts(p->out, "from ");
        for (int i = 0; i < stmt->import.level; i++)
            buf_putc(p->out, '.');
        buf_printf(p->out, "%s ", stmt->import.module);
    }
    buf_puts(p->out, "import ");
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        buf_printf(p->out, "%s%s%s%s", i ? ", " : "", alias->name, alias->as ? " as " : "",
                   alias->as ? alias->as : "");
    }
    buf_putc(p->out, '\n');
}

static void put_raise(Printer *p, const AstStmt *stmt)
{
    put_line(p, "raise", stmt->raise.exception);
    if (stmt->raise.cause)
        put_line(p, "from", stmt->raise.cause);
}

static void put_names(Printer *p, const char *word, const AstExprs *names)
{
    begin_line(p, word);
    for (int i = 0; i < names->count; i++) {
        buf_puts(p->out, i ? ", " : "");
        print_expr(p, names->items[i]);
    }
    buf_putc(p->out, '\n');
}

static void put_try(Printer *p, const AstTry *stmt)
{
    put_line(p, "try", NULL);
    put_body(p, &stmt->body);
    for (int i = 0; i < stmt->handlers.count; i++) {
        const AstHandler *handler = &stmt->handlers.items[i];
        begin_line(p, handler->star ? "except*" : "except");
        if (handler->class_) {
            buf_putc(p->out, ' ');
            print_expr(p, handler->class_);
        }
        buf_printf(p->out, "%s%s\n", handler->name ? " as " : "",
                   handler->name ? handler->name : "");
        put_body(p, &handler->body);
    }
    put_else(p, &stmt->otherwise);
    if (stmt->finally.count) {
        put_line(p, "finally", NULL);
        put_body(p, &stmt->finally);
    }
}

static void put_with(Printer *p, const AstWith *stmt)
{
    begin_line(p, stmt->is_async ? "async with " : "with ");
    for (int i = 0; i < stmt->count; i++) {
        buf_puts(p->out, i ? ", " : "");
        print_expr(p, stmt->items[i].value);
        if (stmt->items[i].target) {
            buf_puts(p->out, " as ");
            print_expr(p, stmt->items[i].target);
        }
    }
    buf_putc(p->out, '\n');
    put_body(p, &stmt->body);
}

static void put_match(Printer *p, const AstStmt *stmt)
{
    put_line(p, "match", stmt->match.subject);
    p->indent++;
    for (int i = 0; i < stmt->match.cases.count; i++) {
        const AstCase *item = &stmt->match.cases.items[i];
        begin_line(p, "case ");
        print_expr(p, item->pattern);
        if (item->guard) {
            buf_puts(p->out, " if ");
            print_expr(p, item->guard);
        }
        buf_putc(p->out, '\n');
        put_body(p, &item->body);
    }
    p->indent--;
}

static void put_type_alias(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "type ");
    print_expr(p, stmt->type_alias.name);
    put_type_params(p, &stmt->type_alias.params);
    buf_puts(p->out, " = ");
    print_expr(p, stmt->type_alias.value);
    buf_putc(p->out, '\n');
}

/* A statement of one line. */
static void put_simple(Printer *p, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        begin_line(p, "");
        print_expr(p, stmt->expr.value);
        buf_putc(p->out, '\n');
        break;
    case AST_ASSIGN:
        put_assign(p, stmt);
        break;
    case AST_AUG_ASSIGN:
        put_aug_assign(p, stmt);
        break;
    case AST_ANN_ASSIGN:
        put_ann_assign(p, stmt);
        break;
    case AST_BREAK:
        put_line(p, "break", NULL);
        break;
    case AST_CONTINUE:
        put_line(p, "continue", NULL);
        break;
    case AST_PASS:
        put_line(p, "pass", NULL);
        break;
    case AST_RETURN:
        put_line(p, "return", stmt->return_.value);
        break;
    case AST_ASSERT:
        put_assert(p, stmt);
        break;
    case AST_RAISE:
        put_raise(p, stmt);
        break;
    case AST_DEL:
        put_names(p, "del ", &stmt->del.targets);
        break;
    case AST_GLOBAL:
        put_names(p, "global ", &stmt->global.names);
        break;
    case AST_NONLOCAL:
        put_names(p, "nonlocal ", &stmt->global.names);
        break;
    case AST_TYPE_ALIAS:
        put_type_alias(p, stmt);
        break;
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        put_import(p, stmt);
        break;
    default:
        break;
    }
}

static void put_stmt(Printer *p, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_IF:
        put_line(p, "if", stmt->if_.condition);
        put_body(p, &stmt->if_.then);
        put_else(p, &stmt->if_.otherwise);
        break;
    case AST_WHILE:
        put_line(p, "while", stmt->while_.condition);
        put_body(p, &stmt->while_.body);
        put_else(p, &stmt->while_.otherwise);
        break;
    case AST_FOR:
        put_for(p, stmt);
        break;
    case AST_TRY:
        put_try(p, &stmt->try_);
        break;
    case AST_WITH:
        put_with(p, &stmt->with);
        break;
    case AST_MATCH:
        put_match(p, stmt);
        break;
    case AST_DEF:
        put_function(p, &stmt->def.function);
        break;
    case AST_CLASS:
        put_class(p, &stmt->class_);
        break;
    default:
        put_simple(p, stmt);
        break;
    }
}

static void put_body(Printer *p, const AstBody *body)
{
    p->indent++;
    for (int i = 0; i < body->count; i++)
        put_stmt(p, body->items[i]);
    p->indent--;
}

void ast_print_module(Buf *out, const AstModule *module)
{
    Printer p = { out, true, -1 };

    put_body(&p, &module->body);
}

void ast_print_function(Buf *out, const AstFunction *function)
{
    Printer p = { out, true, 0 };

    put_function(&p, function);
}

void ast_print_body(Buf *out, const AstBody *body)
{
    Printer p = { out, true, -1 };

    put_body(&p, body);
}
