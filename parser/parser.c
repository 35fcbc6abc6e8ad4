/* The parser's entry points. */
#include "parser/parser.h"
#include "parser/build.h"
#include "parser/grammar.h"

static bool parse_start(Parse *ps, Arena *arena, Diags *diags, const Source *source, bool layout)
{
    *ps = (Parse){ .arena = arena, .diags = diags, .source = source };
    return lexer_init(&ps->lexer, diags, source, layout);
}

AstModule *parse_module(Arena *arena, Diags *diags, const Source *source)
{
    Parse ps;

    if (!parse_start(&ps, arena, diags, source, true))
        return NULL;
    AstModule *module = arena_new(arena, AstModule);
    grammar_run(&ps, TK_MODULE);
    parse_check(diags, &ps.body);
    module->source = source;
    module->body = ps.body;
    module->docstring = ast_docstring(&ps.body);
    return module;
}

AstExpr *parse_expression(Arena *arena, Diags *diags, const Source *source)
{
    Parse ps;
    size_t errors = diags->errors;

    if (!parse_start(&ps, arena, diags, source, false))
        return NULL;
    grammar_run(&ps, TK_EXPRESSION);
    return diags->errors == errors ? ps.expr : NULL;
}
