/* From text to syntax tree. */
#pragma once

#include "parser/ast.h"

/* Parses a whole module. Mistakes go to `diags`, several of them if there are several; the
** result is then incomplete, and NULL only if nothing could be made of the text. Everything
** lives in `arena`. */
AstModule *parse_module(Arena *arena, Diags *diags, const Source *source);

/* Parses one expression that is the whole text of `source`: a value on the command line, a
** signature. NULL after a mistake. */
AstExpr *parse_expression(Arena *arena, Diags *diags, const Source *source);

/* The forms that `--emit ast` shows: one node a line, children indented, places left out. */
void ast_print_module(Buf *out, const AstModule *module);
/* The same of a function, and of some statements. */
void ast_print_function(Buf *out, const AstFunction *function);
void ast_print_body(Buf *out, const AstBody *body);
/* An expression as source text again, fully bracketed only where needed. */
void ast_print_expr(Buf *out, const AstExpr *expr);
const char *ast_expr_text(Arena *arena, const AstExpr *expr); /* the same */

/* The form that `--emit tokens` shows: a token a line, `line:column kind 'text'`. Lexing goes
** on past mistakes. */
void tokens_print(Arena *arena, Buf *out, Diags *diags, const Source *source);
