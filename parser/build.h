/* What the grammar's actions call, and the state of one parse. Only parser/ includes this.
**
** A constructor checks what the grammar cannot say (what may be assigned to, the order of
** arguments) and complains there; it returns a tree in any case. */
#pragma once

#include "lexer/lexer.h"
#include "parser/ast.h"

typedef struct Parse {
    Arena *arena;
    Diags *diags;
    const Source *source;
    Lexer lexer;
    Token token, before;   /* the one being fed to the automaton, and its predecessor */
    const AstExpr *joined; /* the string literal being joined, and its capacity */
    size_t string_capacity;
    bool after_broken; /* the last statement had a mistake: no complaint about its else */
    bool stop;         /* what follows would be noise */
    AstBody body;      /* the result, of a module */
    AstExpr *expr;     /* the result, of an expression */
} Parse;

/* Names of an import, while the list grows. */
typedef struct AstAliases {
    AstAlias *items;
    int count, capacity;
} AstAliases;

/* ---- grammar.y ------------------------------------------------------------------------ */

/* Runs the automaton over the lexer's tokens, after `start`: TK_MODULE or TK_EXPRESSION. */
void grammar_run(Parse *ps, int start);
/* Writes to `kinds` which of the tokens could stand where the mistake is; returns their count. */
int grammar_expected(const void *automaton, int *kinds);
bool grammar_takes(const void *automaton, int kind);

/* ---- unexpected.c --------------------------------------------------------------------- */

/* Says what is wrong with ps->token, which the automaton cannot take. */
void parse_unexpected(Parse *ps, const void *automaton);
/* Says that a line is indented where no block begins. */
void parse_indented(Parse *ps);

/* ---- check.c -------------------------------------------------------------------------- */

/* Complains of a return outside of a function, a break or continue outside of a loop. */
void parse_check(Diags *diags, const AstBody *body);

/* ---- literal.c ------------------------------------------------------------------------ */

/* An integer, a float or an imaginary number. */
AstExpr *ast_number(Parse *ps, Token token);
/* A string or bytes. */
AstExpr *ast_string(Parse *ps, Token token);
/* `string`, and what stands after it, as one. */
AstExpr *ast_string_join(Parse *ps, AstExpr *string, AstExpr *next);

/* ---- fstring.c ------------------------------------------------------------------------ */

/* A whole f-string, from its opening quotes to its closing ones. */
AstExpr *ast_fstring(Parse *ps, Token first, AstExprs parts, Token last);
/* Text of an f-string, with the braces in it. */
AstExpr *ast_fstring_text(Parse *ps, Token token);
/* `conversion`: the name behind the '!', or no token. */
AstExpr *ast_field(Parse *ps, Token first, AstExpr *value, bool shown, Token conversion,
                   AstExpr *format, Token last);
AstExpr *ast_format(Parse *ps, Token colon, AstExprs parts);

/* ---- ast.c: expressions --------------------------------------------------------------- */

/* Where a token stands. */
Span parse_span(const Parse *ps, Token token);
/* Stops the parse: the program nests too deeply. */
void parse_too_deep(Parse *ps, Span span, const char *what);

/* An expression without parts, of one token; and one whose parts the caller sets. */
AstExpr *ast_leaf(Parse *ps, AstExprKind kind, Token token);
AstExpr *ast_expr(Parse *ps, AstExprKind kind, Span span);
/* Puts `child`, which may be NULL, below `parent`, unless the tree would be too deep. */
AstExpr *ast_hang(Parse *ps, AstExpr *parent, AstExpr *child);
AstExpr *ast_name(Parse *ps, Token token);
AstExpr *ast_unary(Parse *ps, Token op, AstExpr *operand);
AstExpr *ast_binary(Parse *ps, Token op, AstExpr *left, AstExpr *right);
/* The operation of an operator's token, TK_PLUS or TK_ADD_EQ. */
AstOp ast_binary_op(int kind);
AstExpr *ast_boolean(Parse *ps, Token op, AstExpr *left, AstExpr *right);
AstExpr *ast_compare(Parse *ps, AstExpr *left, AstOp op, AstExpr *right);
/* The comparison that a token alone stands for. */
AstOp ast_comparison(Token op);
AstExpr *ast_if_expr(Parse *ps, AstExpr *then, AstExpr *condition, AstExpr *otherwise);
AstExpr *ast_lambda(Parse *ps, Token first, AstParams params, AstExpr *body);
AstExpr *ast_walrus(Parse *ps, Token name, AstExpr *value);
AstExpr *ast_starred(Parse *ps, Token star, AstExpr *value);
AstExpr *ast_attribute(Parse *ps, AstExpr *object, Token name);
AstExpr *ast_index(Parse *ps, AstExpr *object, AstExpr *index, Token last);
AstExpr *ast_slice(Parse *ps, Token first, Token last, AstExpr *start, AstExpr *stop,
                   AstExpr *step);
/* `call` comes from ast_arguments() and the like. */
AstExpr *ast_call(Parse *ps, AstExpr *function, AstExpr *call, Token last);
AstExpr *ast_arguments(Parse *ps);
AstExpr *ast_argument(Parse *ps, AstExpr *call, AstExpr *value);
AstExpr *ast_keyword(Parse *ps, AstExpr *call, Token name, AstExpr *value);
/* `f(e for x in s)`. */
AstExpr *ast_generator_argument(Parse *ps, Token first, AstExpr *generator, Token last);
AstExpr *ast_keyword_splat(Parse *ps, AstExpr *call, Token stars, AstExpr *value);

/* The list with an item appended. */
AstExprs ast_exprs(Parse *ps, AstExprs list, AstExpr *item);
/* One item as it is, or a tuple: of several, or of one with a comma behind it. */
AstExpr *ast_group(Parse *ps, AstExprs items, bool comma);
AstExpr *ast_subscripts(Parse *ps, AstExprs items, bool comma);
AstExpr *ast_bracketed(Parse *ps, Token first, AstExpr *inner, Token last);
AstExpr *ast_sequence(Parse *ps, AstExprKind kind, Token first, AstExprs items, Token last);
AstExpr *ast_yield(Parse *ps, Token word, AstExpr *value, bool from);
AstExpr *ast_await(Parse *ps, Token word, AstExpr *value);

/* ---- display.c: dicts and comprehensions ------------------------------------------------ */

/* One item of a dict; `key` is NULL for **value. */
AstExpr *ast_dict(Parse *ps);
AstExpr *ast_dict_item(Parse *ps, AstExpr *dict, AstExpr *key, AstExpr *value);
AstExpr *ast_display(Parse *ps, Token first, AstExpr *dict, Token last);
AstComprehension *ast_clauses(Parse *ps, AstComprehension *list, AstClause clause);
AstExpr *ast_comprehension(Parse *ps, AstExprKind kind, Token first, AstExpr *element,
                           AstExpr *value, AstComprehension *clauses, Token last);
AstClause ast_clause(Parse *ps, bool is_async, AstExpr *target, AstExpr *iterable,
                     AstExprs conditions);

/* ---- target.c ------------------------------------------------------------------------- */

/* Complains if nothing can be assigned to `target`; if no tuple will do, with `message`, which has
** a %s for what it is; if it cannot be deleted. */
void ast_check_target(Parse *ps, const AstExpr *target);
void ast_check_single_target(Parse *ps, const AstExpr *target, const char *message);
void ast_check_deleted(Parse *ps, const AstExpr *target);

/* ---- statement.c ---------------------------------------------------------------------- */

/* A body of one statement; a body with another behind it; and one in place of a block that is
** missing, which is complained of. */
AstBody ast_single(Parse *ps, AstStmt *stmt);
AstBody ast_extend(Parse *ps, AstBody body, AstBody more);
AstBody ast_missing_block(Parse *ps, Token line_end);
/* A statement without parts, and `body` below `stmt`, unless the tree would be too deep. */
AstStmt *ast_stmt(Parse *ps, AstStmtKind kind, Span span);
AstBody ast_hang_body(Parse *ps, AstStmt *stmt, AstBody body);
/* normal.c: a name as Python compares it. */
const char *name_normal(Arena *arena, const char *text, size_t length);
const char *ast_text(Parse *ps, Token token);

AstStmt *ast_expr_stmt(Parse *ps, AstExpr *value);
AstStmt *ast_assign(Parse *ps, AstExpr *target, AstExpr *value);
AstStmt *ast_assign_chain(Parse *ps, AstStmt *assign, AstExpr *value);
AstStmt *ast_aug_assign(Parse *ps, AstExpr *target, Token op, AstExpr *value);
AstStmt *ast_ann_assign(Parse *ps, AstExpr *target, AstExpr *annotation, AstExpr *value);
AstStmt *ast_word(Parse *ps, AstStmtKind kind, Token word);
AstStmt *ast_return(Parse *ps, Token word, AstExpr *value);
AstStmt *ast_assert(Parse *ps, Token word, AstExpr *condition, AstExpr *message);
AstStmt *ast_raise(Parse *ps, Token word, AstExpr *exception, AstExpr *cause);
AstStmt *ast_import(Parse *ps, Token word, AstAliases names);
/* `dots` and `module` may each be empty: from . import a. */
AstStmt *ast_from_import(Parse *ps, Token word, Token dots, Token module, AstAliases names);
AstStmt *ast_del(Parse *ps, Token word, AstExpr *targets);
AstStmt *ast_global(Parse *ps, AstStmtKind kind, Token word, AstExprs names);
AstStmt *ast_type_alias(Parse *ps, Token word, Token name, AstTypeParams params, AstExpr *value);
AstAliases ast_alias(Parse *ps, AstAliases list, Token name, Token as);

AstStmt *ast_if(Parse *ps, Token word, AstExpr *condition, AstBody then);
/* Hangs the elifs below the first `if` and the else below the last of them. */
AstStmt *ast_if_chain(Parse *ps, AstStmt *first, AstBody elifs, AstBody otherwise);
AstStmt *ast_while(Parse *ps, Token word, AstExpr *condition, AstBody body, AstBody otherwise);
AstStmt *ast_for(Parse *ps, Token word, AstExpr *target, AstExpr *iterable, AstBody body,
                 AstBody otherwise);
AstStmt *ast_async(Token word, AstStmt *stmt);
AstStmt *ast_try(Parse *ps, Token word, AstBody body, AstHandlers handlers, AstBody otherwise,
                 AstBody finally);
AstHandlers ast_handler(Parse *ps, AstHandlers list, Token word, bool star, AstExpr *class_,
                        Token name, AstBody body);
AstWith *ast_with_item(Parse *ps, AstWith *list, AstExpr *value, AstExpr *target);
AstStmt *ast_with(Parse *ps, Token word, AstWith *items, AstBody body);
/* match.c */
AstExpr *ast_pattern_string(Parse *ps, AstExpr *string);
AstExpr *ast_pattern_as(Parse *ps, AstExpr *pattern, Token name);
AstCases ast_case(Parse *ps, Token word, AstExpr *pattern, AstExpr *guard, AstBody body);
AstCases ast_cases(Parse *ps, AstCases list, AstCase item);
AstStmt *ast_match(Parse *ps, Token word, AstExpr *subject, AstCases cases);

/* ---- function.c ------------------------------------------------------------------------ */

/* `types`, `params` and `returns` as they stand; `returns` is NULL where nothing is said. */
AstStmt *ast_def(Parse *ps, Token word, Token name, AstTypeParams types, AstParams params,
                 AstExpr *returns, AstBody body);
/* `call` holds what the class derives from; NULL: nothing. */
AstStmt *ast_class(Parse *ps, Token word, Token name, AstTypeParams types, AstExpr *call,
                   AstBody body);
/* private.c: names in the class that are its own. */
void ast_private(Arena *arena, const AstStmt *class_);
AstStmt *ast_decorate(AstStmt *def, AstExprs decorators);
AstParam ast_param(Parse *ps, Token name, AstExpr *annotation, AstExpr *value, int stars);
/* `*` and `/` alone. */
AstParam ast_param_mark(Parse *ps, Token mark);
AstParams ast_params(Parse *ps, AstParams list, AstParam param);
AstParams ast_params_end(Parse *ps, AstParams list);
AstTypeParams ast_type_param(Parse *ps, AstTypeParams list, Token name, int stars, AstExpr *bound,
                             AstExpr *value);
const char *ast_docstring(const AstBody *body);
