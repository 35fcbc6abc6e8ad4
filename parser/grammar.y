/* Python's grammar.
**
** An action is one call; constructors are in ast.c, statement.c and their neighbours. The first
** token is not in the text: MODULE or EXPRESSION says what is parsed.
**
** After a mistake the automaton drops the statement and goes on with the next line. A token that
** begins no statement is preceded by MISTAKE, which does: so the statements before it are
** finished, and are not dropped with it. */

%name grammar_
%token_prefix TK_
%token_type {Token}
%extra_context {Parse *ps}
%start_symbol input
%stack_size 1000

%include {
#include "parser/build.h"

/* What an `except` names. */
typedef struct Caught {
    AstExpr *class_;
    Token name;
    bool star;
} Caught;
}

%syntax_error   { parse_unexpected(ps, yypParser); (void)yymajor; (void)yyminor; }
%parse_failure  { ps->stop = true; }
%stack_overflow { parse_too_deep(ps, parse_span(ps, ps->token), "this is"); }

%token BAD.

/* Weakest first. */
%nonassoc AFTER_BROKEN.
%nonassoc INDENT.
%left OR.
%left AND.
%right NOT.
%left EQ NE LT LE GT GE IS IN.
%left BAR.
%left CARET.
%left AMP.
%left LSHIFT RSHIFT.
%left PLUS MINUS.
%left STAR SLASH DSLASH PERCENT AT.
%right SIGN.
%right POWER.

input ::= MODULE.
input ::= MODULE body(B).                  { ps->body = B; }
input ::= EXPRESSION exprs(E) NEWLINE.     { ps->expr = E; }

/* ---- statements ----------------------------------------------------------------------- */

%type body {AstBody}
%type statement {AstBody}
%type line {AstBody}
%type simples {AstBody}
body(A) ::= statement(A).
body(A) ::= body(A) statement(S).          { A = ast_extend(ps, A, S); }
statement(A) ::= line(A).                  { ps->after_broken = false; }
statement(A) ::= compound(S).              { A = ast_single(ps, S); ps->after_broken = false; }
line(A) ::= simples(A) NEWLINE.
line(A) ::= simples(A) SEMI NEWLINE.
simples(A) ::= simple(S).                  { A = ast_single(ps, S); }
simples(A) ::= simples(A) SEMI simple(S).  { A = ast_extend(ps, A, ast_single(ps, S)); }

/* A statement with a mistake, and what is indented below it. */
broken ::= error NEWLINE.                  { yypParser->yyerrcnt = -1; ps->after_broken = true; }
broken ::= MISTAKE error NEWLINE.          { yypParser->yyerrcnt = -1; ps->after_broken = true; }
statement(A) ::= broken. [AFTER_BROKEN]    { A = (AstBody){ 0 }; }
statement(A) ::= broken INDENT body DEDENT.  { A = (AstBody){ 0 }; ps->after_broken = true; }
statement(A) ::= stray_indent body(B) DEDENT.  { A = B; }
stray_indent ::= INDENT.
    { if (!ps->after_broken)
          parse_indented(ps); }

%type simple {AstStmt *}
%type assignment {AstStmt *}
%type value {AstExpr *}
simple(A) ::= exprs(E).                    { A = ast_expr_stmt(ps, E); }
simple(A) ::= yield(E).                    { A = ast_expr_stmt(ps, E); }
simple(A) ::= assignment(A).
assignment(A) ::= exprs(T) ASSIGN value(E).         { A = ast_assign(ps, T, E); }
assignment(A) ::= assignment(A) ASSIGN value(E).    { A = ast_assign_chain(ps, A, E); }
simple(A) ::= exprs(T)
    ADD_EQ|SUB_EQ|MUL_EQ|MATMUL_EQ|DIV_EQ|FLOOR_EQ|MOD_EQ|POW_EQ|LSHIFT_EQ|RSHIFT_EQ|AND_EQ|OR_EQ
    |XOR_EQ(O)
    value(E).                              { A = ast_aug_assign(ps, T, O, E); }
simple(A) ::= exprs(T) COLON expr(N).      { A = ast_ann_assign(ps, T, N, NULL); }
simple(A) ::= exprs(T) COLON expr(N) ASSIGN value(E).  { A = ast_ann_assign(ps, T, N, E); }
value(A) ::= exprs(A).
value(A) ::= yield(A).
simple(A) ::= BREAK(T).                    { A = ast_word(ps, AST_BREAK, T); }
simple(A) ::= CONTINUE(T).                 { A = ast_word(ps, AST_CONTINUE, T); }
simple(A) ::= PASS(T).                     { A = ast_word(ps, AST_PASS, T); }
simple(A) ::= RETURN(T).                   { A = ast_return(ps, T, NULL); }
simple(A) ::= RETURN(T) exprs(E).          { A = ast_return(ps, T, E); }
simple(A) ::= ASSERT(T) expr(C).           { A = ast_assert(ps, T, C, NULL); }
simple(A) ::= ASSERT(T) expr(C) COMMA expr(M).  { A = ast_assert(ps, T, C, M); }
simple(A) ::= RAISE(T).                    { A = ast_raise(ps, T, NULL, NULL); }
simple(A) ::= RAISE(T) expr(E).            { A = ast_raise(ps, T, E, NULL); }
simple(A) ::= RAISE(T) expr(E) FROM expr(C).  { A = ast_raise(ps, T, E, C); }
simple(A) ::= DEL(T) exprs(E).             { A = ast_del(ps, T, E); }
%type bare_names {AstExprs}
simple(A) ::= GLOBAL(T) bare_names(L).     { A = ast_global(ps, AST_GLOBAL, T, L); }
simple(A) ::= NONLOCAL(T) bare_names(L).   { A = ast_global(ps, AST_NONLOCAL, T, L); }
bare_names(A) ::= NAME(N).                 { A = ast_exprs(ps, (AstExprs){ 0 }, ast_name(ps, N)); }
bare_names(A) ::= bare_names(A) COMMA NAME(N).  { A = ast_exprs(ps, A, ast_name(ps, N)); }
simple(A) ::= TYPE(T) NAME(N) type_params(P) ASSIGN expr(E).
                                           { A = ast_type_alias(ps, T, N, P, E); }
%type yield {AstExpr *}
yield(A) ::= YIELD(T).                     { A = ast_yield(ps, T, NULL, false); }
yield(A) ::= YIELD(T) exprs(E).            { A = ast_yield(ps, T, E, false); }
yield(A) ::= YIELD(T) FROM expr(E).        { A = ast_yield(ps, T, E, true); }

/* ---- imports -------------------------------------------------------------------------- */

%type modules {AstAliases}
%type names {AstAliases}
%type imported {AstAliases}
simple(A) ::= IMPORT(T) modules(L).        { A = ast_import(ps, T, L); }
simple(A) ::= FROM(T) dotted(M) IMPORT imported(L).
    { A = ast_from_import(ps, T, (Token){ 0 }, M, L); }
simple(A) ::= FROM(T) dots(D) IMPORT imported(L).
    { A = ast_from_import(ps, T, D, (Token){ 0 }, L); }
simple(A) ::= FROM(T) dots(D) dotted(M) IMPORT imported(L).
    { A = ast_from_import(ps, T, D, M, L); }
%type dots {Token}
dots(A) ::= DOT|ELLIPSIS(A).
dots(A) ::= dots(A) DOT|ELLIPSIS(N).       { A.end = N.end; }
modules(A) ::= dotted(D) as(N).            { A = ast_alias(ps, (AstAliases){ 0 }, D, N); }
modules(A) ::= modules(A) COMMA dotted(D) as(N).     { A = ast_alias(ps, A, D, N); }
imported(A) ::= STAR(T).
    { A = ast_alias(ps, (AstAliases){ 0 }, T, (Token){ 0 }); }
imported(A) ::= names(A).
imported(A) ::= LPAREN names(L) comma RPAREN.        { A = L; }
names(A) ::= NAME(D) as(N).                { A = ast_alias(ps, (AstAliases){ 0 }, D, N); }
names(A) ::= names(A) COMMA NAME(D) as(N). { A = ast_alias(ps, A, D, N); }
%type dotted {Token}
dotted(A) ::= NAME(A).
dotted(A) ::= dotted(A) DOT NAME(N).       { A.end = N.end; }
%type as {Token}
as(A) ::= .                                { A = (Token){ 0 }; }
as(A) ::= AS NAME(N).                      { A = N; }

/* ---- blocks --------------------------------------------------------------------------- */

%type compound {AstStmt *}
%type block {AstBody}
%type else {AstBody}
block(A) ::= line(A).
block(A) ::= NEWLINE INDENT body(B) DEDENT.  { A = B; }
block(A) ::= NEWLINE(T) nothing.           { A = ast_missing_block(ps, T); }
nothing ::= . [AFTER_BROKEN]
else(A) ::= .                              { A = (AstBody){ 0 }; }
else(A) ::= ELSE COLON block(B).           { A = B; }

%type if {AstStmt *}
%type elifs {AstBody}
compound(A) ::= if(A) elifs(L) else(E).    { A = ast_if_chain(ps, A, L, E); }
if(A) ::= IF(T) named(C) COLON block(B).   { A = ast_if(ps, T, C, B); }
elifs(A) ::= .                             { A = (AstBody){ 0 }; }
elifs(A) ::= elifs(A) ELIF(T) named(C) COLON block(B).
    { A = ast_extend(ps, A, ast_single(ps, ast_if(ps, T, C, B))); }

compound(A) ::= WHILE(T) named(C) COLON block(B) else(E).  { A = ast_while(ps, T, C, B, E); }
compound(A) ::= for(A).
compound(A) ::= ASYNC(T) for(S).           { A = ast_async(T, S); }
%type for {AstStmt *}
for(A) ::= FOR(T) targets(V) IN exprs(S) COLON block(B) else(E).
    { A = ast_for(ps, T, V, S, B, E); }
%type targets {AstExpr *}
%type target_list {AstExprs}
%type target {AstExpr *}
targets(A) ::= target_list(L).             { A = ast_group(ps, L, false); }
targets(A) ::= target_list(L) COMMA.       { A = ast_group(ps, L, true); }
target_list(A) ::= target(E).              { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
target_list(A) ::= target_list(A) COMMA target(E).  { A = ast_exprs(ps, A, E); }
target(A) ::= arith(A).
target(A) ::= STAR(T) arith(E).            { A = ast_starred(ps, T, E); }

%type handlers {AstHandlers}
%type finally {AstBody}
compound(A) ::= TRY(T) COLON block(B) handlers(H) else(E) finally(F).
    { A = ast_try(ps, T, B, H, E, F); }
compound(A) ::= TRY(T) COLON block(B) FINALLY COLON block(F).
    { A = ast_try(ps, T, B, (AstHandlers){ 0 }, (AstBody){ 0 }, F); }
finally(A) ::= .                           { A = (AstBody){ 0 }; }
finally(A) ::= FINALLY COLON block(B).     { A = B; }
handlers(A) ::= handler(A).
handlers(A) ::= handlers(L) EXCEPT(T) caught(C) COLON block(B).
    { A = ast_handler(ps, L, T, C.star, C.class_, C.name, B); }
%type handler {AstHandlers}
handler(A) ::= EXCEPT(T) caught(C) COLON block(B).
    { A = ast_handler(ps, (AstHandlers){ 0 }, T, C.star, C.class_, C.name, B); }
%type caught {Caught}
caught(A) ::= .                            { A = (Caught){ 0 }; }
caught(A) ::= expr(E) as(N).               { A = (Caught){ E, N, false }; }
caught(A) ::= STAR expr(E) as(N).          { A = (Caught){ E, N, true }; }

%type with {AstStmt *}
%type with_list {AstWith *}
compound(A) ::= with(A).
compound(A) ::= ASYNC(T) with(S).          { A = ast_async(T, S); }
with(A) ::= WITH(T) with_list(L) COLON block(B).  { A = ast_with(ps, T, L, B); }
with(A) ::= WITH_GROUP(T) LPAREN with_list(L) comma RPAREN COLON block(B).
                                           { A = ast_with(ps, T, L, B); }
with_list(A) ::= expr(E).                  { A = ast_with_item(ps, NULL, E, NULL); }
with_list(A) ::= expr(E) AS target(V).     { A = ast_with_item(ps, NULL, E, V); }
with_list(A) ::= with_list(A) COMMA expr(E).  { A = ast_with_item(ps, A, E, NULL); }
with_list(A) ::= with_list(A) COMMA expr(E) AS target(V).  { A = ast_with_item(ps, A, E, V); }

/* ---- match ---------------------------------------------------------------------------- */

%type cases {AstCases}
%type case {AstCases}
%type guard {AstExpr *}
compound(A) ::= MATCH(T) subject(S) COLON NEWLINE INDENT cases(L) DEDENT.
                                           { A = ast_match(ps, T, S, L); }
%type subject {AstExpr *}
subject(A) ::= exprs(A).
subject(A) ::= NAME(N) COLONEQ expr(E).    { A = ast_walrus(ps, N, E); }
cases(A) ::= case(A).
cases(A) ::= cases(A) case(C).             { A = ast_cases(ps, A, C.items[0]); }
case(A) ::= CASE(T) open_pattern(P) guard(G) COLON block(B).  { A = ast_case(ps, T, P, G, B); }
guard(A) ::= .                             { A = NULL; }
guard(A) ::= IF named(C).                  { A = C; }

%type open_pattern {AstExpr *}
%type pattern_list {AstExprs}
%type some_pattern {AstExpr *}
%type pattern {AstExpr *}
%type or_pattern {AstExpr *}
%type closed_pattern {AstExpr *}
open_pattern(A) ::= pattern_list(L).       { A = ast_group(ps, L, false); }
open_pattern(A) ::= pattern_list(L) COMMA. { A = ast_group(ps, L, true); }
pattern_list(A) ::= some_pattern(P).       { A = ast_exprs(ps, (AstExprs){ 0 }, P); }
pattern_list(A) ::= pattern_list(A) COMMA some_pattern(P).  { A = ast_exprs(ps, A, P); }
some_pattern(A) ::= pattern(A).
some_pattern(A) ::= STAR(T) NAME(N).       { A = ast_starred(ps, T, ast_name(ps, N)); }
pattern(A) ::= or_pattern(A).
pattern(A) ::= or_pattern(P) AS NAME(N).   { A = ast_pattern_as(ps, P, N); }
or_pattern(A) ::= closed_pattern(A).
or_pattern(A) ::= or_pattern(A) BAR(T) closed_pattern(B).  { A = ast_binary(ps, T, A, B); }
closed_pattern(A) ::= pattern_number(A).
closed_pattern(A) ::= strings(S).          { A = ast_pattern_string(ps, S); }
closed_pattern(A) ::= TRUE(T).             { A = ast_leaf(ps, AST_TRUE, T); }
closed_pattern(A) ::= FALSE(T).            { A = ast_leaf(ps, AST_FALSE, T); }
closed_pattern(A) ::= NONE(T).             { A = ast_leaf(ps, AST_NONE, T); }
closed_pattern(A) ::= pattern_path(A).
closed_pattern(A) ::= pattern_path(A) LPAREN pattern_args(C) RPAREN(T).
                                           { A = ast_call(ps, A, C, T); }
closed_pattern(A) ::= LPAREN(L) RPAREN(R).
    { A = ast_sequence(ps, AST_TUPLE, L, (AstExprs){ 0 }, R); }
closed_pattern(A) ::= LPAREN(L) open_pattern(P) RPAREN(R).  { A = ast_bracketed(ps, L, P, R); }
closed_pattern(A) ::= LBRACKET(L) RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, (AstExprs){ 0 }, R); }
closed_pattern(A) ::= LBRACKET(L) pattern_list(P) comma RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, P, R); }
closed_pattern(A) ::= LBRACE(L) RBRACE(R).  { A = ast_display(ps, L, ast_dict(ps), R); }
closed_pattern(A) ::= LBRACE(L) pattern_items(D) comma RBRACE(R).  { A = ast_display(ps, L, D, R); }
%type pattern_path {AstExpr *}
pattern_path(A) ::= NAME(N).               { A = ast_name(ps, N); }
pattern_path(A) ::= pattern_path(A) DOT NAME(N).  { A = ast_attribute(ps, A, N); }
%type pattern_number {AstExpr *}
%type signed {AstExpr *}
pattern_number(A) ::= signed(A).
pattern_number(A) ::= signed(A) PLUS|MINUS(T) IMAG(N).
                                           { A = ast_binary(ps, T, A, ast_number(ps, N)); }
signed(A) ::= INT|FLOAT|IMAG(T).           { A = ast_number(ps, T); }
signed(A) ::= MINUS(T) INT|FLOAT|IMAG(N).  { A = ast_unary(ps, T, ast_number(ps, N)); }
%type pattern_args {AstExpr *}
%type pattern_arg_list {AstExpr *}
pattern_args(A) ::= .                      { A = ast_arguments(ps); }
pattern_args(A) ::= pattern_arg_list(A) comma.
pattern_arg_list(A) ::= pattern(P).        { A = ast_argument(ps, ast_arguments(ps), P); }
pattern_arg_list(A) ::= NAME(N) ASSIGN pattern(P).
                                           { A = ast_keyword(ps, ast_arguments(ps), N, P); }
pattern_arg_list(A) ::= pattern_arg_list(A) COMMA pattern(P).  { A = ast_argument(ps, A, P); }
pattern_arg_list(A) ::= pattern_arg_list(A) COMMA NAME(N) ASSIGN pattern(P).
                                           { A = ast_keyword(ps, A, N, P); }
%type pattern_items {AstExpr *}
%type pattern_key {AstExpr *}
pattern_items(A) ::= pattern_key(K) COLON pattern(P).
    { A = ast_dict_item(ps, ast_dict(ps), K, P); }
pattern_items(A) ::= POWER NAME(N).
    { A = ast_dict_item(ps, ast_dict(ps), NULL, ast_name(ps, N)); }
pattern_items(A) ::= pattern_items(A) COMMA pattern_key(K) COLON pattern(P).
    { A = ast_dict_item(ps, A, K, P); }
pattern_items(A) ::= pattern_items(A) COMMA POWER NAME(N).
    { A = ast_dict_item(ps, A, NULL, ast_name(ps, N)); }
pattern_key(A) ::= pattern_number(A).
pattern_key(A) ::= strings(S).             { A = ast_pattern_string(ps, S); }
pattern_key(A) ::= TRUE(T).                { A = ast_leaf(ps, AST_TRUE, T); }
pattern_key(A) ::= FALSE(T).               { A = ast_leaf(ps, AST_FALSE, T); }
pattern_key(A) ::= NONE(T).                { A = ast_leaf(ps, AST_NONE, T); }
pattern_key(A) ::= pattern_path(P) DOT NAME(N).  { A = ast_attribute(ps, P, N); }

/* ---- functions ------------------------------------------------------------------------ */

%type def {AstStmt *}
%type decorators {AstExprs}
compound(A) ::= defined(A).
compound(A) ::= decorators(L) defined(D).  { A = ast_decorate(D, L); }
decorators(A) ::= AT named(E) NEWLINE.     { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
decorators(A) ::= decorators(A) AT named(E) NEWLINE.  { A = ast_exprs(ps, A, E); }
%type defined {AstStmt *}
defined(A) ::= def(A).
defined(A) ::= ASYNC(T) def(S).            { A = ast_async(T, S); }
defined(A) ::= class(A).
def(A) ::= DEF(T) NAME(N) type_params(Y) LPAREN params(P) RPAREN returns(R) COLON block(B).
    { A = ast_def(ps, T, N, Y, P, R, B); }
%type returns {AstExpr *}
returns(A) ::= .                           { A = NULL; }
returns(A) ::= ARROW expr(E).              { A = E; }

%type bases {AstExpr *}
%type class {AstStmt *}
class(A) ::= CLASS(T) NAME(N) type_params(Y) bases(C) COLON block(B).
    { A = ast_class(ps, T, N, Y, C, B); }
bases(A) ::= .                             { A = NULL; }
bases(A) ::= LPAREN arguments(C) RPAREN.   { A = C; }

%type type_params {AstTypeParams}
%type type_list {AstTypeParams}
%type bound_of {AstExpr *}
%type type_default {AstExpr *}
type_params(A) ::= .                       { A = (AstTypeParams){ 0 }; }
type_params(A) ::= LBRACKET type_list(L) comma RBRACKET.  { A = L; }
type_list(A) ::= NAME(N) bound_of(B) type_default(D).
    { A = ast_type_param(ps, (AstTypeParams){ 0 }, N, 0, B, D); }
type_list(A) ::= STAR NAME(N) star_default(D).
    { A = ast_type_param(ps, (AstTypeParams){ 0 }, N, 1, NULL, D); }
type_list(A) ::= POWER NAME(N) type_default(D).
    { A = ast_type_param(ps, (AstTypeParams){ 0 }, N, 2, NULL, D); }
type_list(A) ::= type_list(A) COMMA NAME(N) bound_of(B) type_default(D).
    { A = ast_type_param(ps, A, N, 0, B, D); }
type_list(A) ::= type_list(A) COMMA STAR NAME(N) star_default(D).
    { A = ast_type_param(ps, A, N, 1, NULL, D); }
type_list(A) ::= type_list(A) COMMA POWER NAME(N) type_default(D).
    { A = ast_type_param(ps, A, N, 2, NULL, D); }
bound_of(A) ::= .                          { A = NULL; }
bound_of(A) ::= COLON expr(E).             { A = E; }
type_default(A) ::= .                      { A = NULL; }
type_default(A) ::= ASSIGN expr(E).        { A = E; }
%type star_default {AstExpr *}
star_default(A) ::= type_default(A).
star_default(A) ::= ASSIGN STAR(T) arith(E).  { A = ast_starred(ps, T, E); }

%type params {AstParams}
%type param_list {AstParams}
%type param {AstParam}
params(A) ::= .                            { A = (AstParams){ 0 }; }
params(A) ::= param_list(L) comma.         { A = ast_params_end(ps, L); }
param_list(A) ::= param(P).                { A = ast_params(ps, (AstParams){ 0 }, P); }
param_list(A) ::= param_list(A) COMMA param(P).  { A = ast_params(ps, A, P); }
param(A) ::= NAME(N) annotation(T).        { A = ast_param(ps, N, T, NULL, 0); }
param(A) ::= NAME(N) annotation(T) ASSIGN expr(V).  { A = ast_param(ps, N, T, V, 0); }
param(A) ::= STAR NAME(N) annotation(T).   { A = ast_param(ps, N, T, NULL, 1); }
param(A) ::= STAR NAME(N) COLON STAR(S) arith(E).
    { A = ast_param(ps, N, ast_starred(ps, S, E), NULL, 1); }
param(A) ::= POWER NAME(N) annotation(T).  { A = ast_param(ps, N, T, NULL, 2); }
param(A) ::= STAR(T).                      { A = ast_param_mark(ps, T); }
param(A) ::= SLASH(T).                     { A = ast_param_mark(ps, T); }
%type annotation {AstExpr *}
annotation(A) ::= .                        { A = NULL; }
annotation(A) ::= COLON expr(E).           { A = E; }

/* A lambda's have no annotations, since ':' ends them. */
%type lambda_params {AstParams}
%type lambda_list {AstParams}
%type lambda_param {AstParam}
lambda_params(A) ::= .                     { A = (AstParams){ 0 }; }
lambda_params(A) ::= lambda_list(L) comma. { A = ast_params_end(ps, L); }
lambda_list(A) ::= lambda_param(P).        { A = ast_params(ps, (AstParams){ 0 }, P); }
lambda_list(A) ::= lambda_list(A) COMMA lambda_param(P).  { A = ast_params(ps, A, P); }
lambda_param(A) ::= NAME(N).               { A = ast_param(ps, N, NULL, NULL, 0); }
lambda_param(A) ::= NAME(N) ASSIGN expr(V).  { A = ast_param(ps, N, NULL, V, 0); }
lambda_param(A) ::= STAR NAME(N).          { A = ast_param(ps, N, NULL, NULL, 1); }
lambda_param(A) ::= POWER NAME(N).         { A = ast_param(ps, N, NULL, NULL, 2); }
lambda_param(A) ::= STAR(T).               { A = ast_param_mark(ps, T); }
lambda_param(A) ::= SLASH(T).              { A = ast_param_mark(ps, T); }

/* ---- expressions ---------------------------------------------------------------------- */

%type exprs {AstExpr *}
%type expr_list {AstExprs}
%type item {AstExpr *}
exprs(A) ::= expr_list(L).                 { A = ast_group(ps, L, false); }
exprs(A) ::= expr_list(L) COMMA.           { A = ast_group(ps, L, true); }
expr_list(A) ::= item(E).                  { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
expr_list(A) ::= expr_list(A) COMMA item(E).  { A = ast_exprs(ps, A, E); }
item(A) ::= expr(A).
item(A) ::= STAR(T) arith(E).              { A = ast_starred(ps, T, E); }

%type named {AstExpr *}
named(A) ::= expr(A).
named(A) ::= NAME(N) COLONEQ expr(E).      { A = ast_walrus(ps, N, E); }

%type expr {AstExpr *}
%type choice {AstExpr *}
expr(A) ::= LAMBDA(T) lambda_params(P) COLON expr(E).  { A = ast_lambda(ps, T, P, E); }
expr(A) ::= choice(A).
expr(A) ::= choice(A) IF choice(C) ELSE expr(E).  { A = ast_if_expr(ps, A, C, E); }
choice(A) ::= choice(A) OR(T) choice(B).   { A = ast_boolean(ps, T, A, B); }
choice(A) ::= choice(A) AND(T) choice(B).  { A = ast_boolean(ps, T, A, B); }
choice(A) ::= NOT(T) choice(E).            { A = ast_unary(ps, T, E); }
choice(A) ::= choice(A) EQ|NE|LT|LE|GT|GE|IN(T) arith(B).
    { A = ast_compare(ps, A, ast_comparison(T), B); }
choice(A) ::= choice(A) NOT IN arith(B). [IN]  { A = ast_compare(ps, A, AST_NOT_IN, B); }
choice(A) ::= choice(A) IS arith(B).       { A = ast_compare(ps, A, AST_IS, B); }
choice(A) ::= choice(A) IS NOT arith(B). [IS]  { A = ast_compare(ps, A, AST_IS_NOT, B); }
choice(A) ::= arith(A).

%type arith {AstExpr *}
arith(A) ::= arith(A) BAR(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) CARET(T) arith(B).   { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) AMP(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) LSHIFT|RSHIFT(T) arith(B).  { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) PLUS|MINUS(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) STAR|SLASH|DSLASH|PERCENT|AT(T) arith(B).  { A = ast_binary(ps, T, A, B); }
arith(A) ::= PLUS|MINUS|TILDE(T) arith(E). [SIGN]  { A = ast_unary(ps, T, E); }
arith(A) ::= arith(A) POWER(T) arith(B).   { A = ast_binary(ps, T, A, B); }
arith(A) ::= AWAIT(T) primary(E).          { A = ast_await(ps, T, E); }
arith(A) ::= primary(A).

%type primary {AstExpr *}
primary(A) ::= atom(A).
primary(A) ::= primary(A) DOT NAME(N).     { A = ast_attribute(ps, A, N); }
primary(A) ::= primary(A) LPAREN arguments(C) RPAREN(T).     { A = ast_call(ps, A, C, T); }
primary(A) ::= primary(A) LPAREN(L) named(E) clauses(C) RPAREN(T).
    { A = ast_call(ps, A, ast_generator_argument(
                           ps, L, ast_comprehension(ps, AST_TUPLE, L, E, NULL, C, T), T), T); }
primary(A) ::= primary(A) LBRACKET subscripts(I) RBRACKET(T).  { A = ast_index(ps, A, I, T); }

%type atom {AstExpr *}
%type strings {AstExpr *}
%type group {AstExpr *}
%type group_list {AstExprs}
%type group_item {AstExpr *}
atom(A) ::= NAME(T).                       { A = ast_name(ps, T); }
atom(A) ::= INT|FLOAT|IMAG(T).             { A = ast_number(ps, T); }
atom(A) ::= TRUE(T).                       { A = ast_leaf(ps, AST_TRUE, T); }
atom(A) ::= FALSE(T).                      { A = ast_leaf(ps, AST_FALSE, T); }
atom(A) ::= NONE(T).                       { A = ast_leaf(ps, AST_NONE, T); }
atom(A) ::= ELLIPSIS(T).                   { A = ast_leaf(ps, AST_ELLIPSIS, T); }
atom(A) ::= strings(A).
strings(A) ::= string(A).
strings(A) ::= strings(A) string(S).       { A = ast_string_join(ps, A, S); }
%type string {AstExpr *}
%type parts {AstExprs}
%type part {AstExpr *}
string(A) ::= STRING(T).                   { A = ast_string(ps, T); }
string(A) ::= FSTRING_START(T) parts(L) FSTRING_END(E).  { A = ast_fstring(ps, T, L, E); }
parts(A) ::= .                             { A = (AstExprs){ 0 }; }
parts(A) ::= parts(A) part(P).             { A = ast_exprs(ps, A, P); }
part(A) ::= FSTRING_TEXT|FSTRING_RAW(T).   { A = ast_fstring_text(ps, T); }
part(A) ::= LBRACE(L) value(E) shown(S) conversion(C) format(F) RBRACE(R).
    { A = ast_field(ps, L, E, S.end > 0, C, F, R); }
%type shown {Token}
%type conversion {Token}
%type format {AstExpr *}
shown(A) ::= .                             { A = (Token){ 0 }; }
shown(A) ::= ASSIGN(A).
conversion(A) ::= .                        { A = (Token){ 0 }; }
conversion(A) ::= BANG NAME(N).             { A = N; }
format(A) ::= .                            { A = NULL; }
format(A) ::= COLON(T) parts(L).           { A = ast_format(ps, T, L); }
atom(A) ::= LPAREN(L) RPAREN(R).
    { A = ast_sequence(ps, AST_TUPLE, L, (AstExprs){ 0 }, R); }
atom(A) ::= LPAREN(L) group(E) RPAREN(R).  { A = ast_bracketed(ps, L, E, R); }
atom(A) ::= LBRACKET(L) RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, (AstExprs){ 0 }, R); }
atom(A) ::= LBRACKET(L) group_list(E) comma RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, E, R); }
atom(A) ::= LPAREN(L) yield(E) RPAREN(R).  { A = ast_bracketed(ps, L, E, R); }
atom(A) ::= LPAREN(L) group_item(E) clauses(C) RPAREN(R).
    { A = ast_comprehension(ps, AST_TUPLE, L, E, NULL, C, R); }
atom(A) ::= LBRACKET(L) group_item(E) clauses(C) RBRACKET(R).
    { A = ast_comprehension(ps, AST_LIST, L, E, NULL, C, R); }
atom(A) ::= LBRACE(L) group_item(E) clauses(C) RBRACE(R).
    { A = ast_comprehension(ps, AST_SET, L, E, NULL, C, R); }
atom(A) ::= LBRACE(L) expr(K) COLON expr(E) clauses(C) RBRACE(R).
    { A = ast_comprehension(ps, AST_DICT, L, K, E, C, R); }
atom(A) ::= LBRACE(L) group_list(E) comma RBRACE(R).  { A = ast_sequence(ps, AST_SET, L, E, R); }
atom(A) ::= LBRACE(L) RBRACE(R).           { A = ast_display(ps, L, ast_dict(ps), R); }
atom(A) ::= LBRACE(L) dict_items(D) comma RBRACE(R).  { A = ast_display(ps, L, D, R); }
%type dict_items {AstExpr *}
dict_items(A) ::= expr(K) COLON expr(E).   { A = ast_dict_item(ps, ast_dict(ps), K, E); }
dict_items(A) ::= POWER arith(E).          { A = ast_dict_item(ps, ast_dict(ps), NULL, E); }
dict_items(A) ::= dict_items(A) COMMA expr(K) COLON expr(E).  { A = ast_dict_item(ps, A, K, E); }
dict_items(A) ::= dict_items(A) COMMA POWER arith(E).  { A = ast_dict_item(ps, A, NULL, E); }
%type clauses {AstComprehension *}
%type clause {AstClause}
%type conditions {AstExprs}
clauses(A) ::= clause(C).                  { A = ast_clauses(ps, NULL, C); }
clauses(A) ::= clauses(A) clause(C).       { A = ast_clauses(ps, A, C); }
clause(A) ::= FOR targets(V) IN choice(S) conditions(C).
    { A = ast_clause(ps, false, V, S, C); }
clause(A) ::= ASYNC FOR targets(V) IN choice(S) conditions(C).
    { A = ast_clause(ps, true, V, S, C); }
conditions(A) ::= .                        { A = (AstExprs){ 0 }; }
conditions(A) ::= conditions(A) IF choice(E).  { A = ast_exprs(ps, A, E); }
group(A) ::= group_list(L).                { A = ast_group(ps, L, false); }
group(A) ::= group_list(L) COMMA.          { A = ast_group(ps, L, true); }
group_list(A) ::= group_item(E).           { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
group_list(A) ::= group_list(A) COMMA group_item(E).  { A = ast_exprs(ps, A, E); }
group_item(A) ::= named(A).
group_item(A) ::= STAR(T) arith(E).        { A = ast_starred(ps, T, E); }
comma ::= .
comma ::= COMMA.

%type arguments {AstExpr *}
%type argument_list {AstExpr *}
arguments(A) ::= .                         { A = ast_arguments(ps); }
arguments(A) ::= argument_list(A) comma.
argument_list(A) ::= argument(A).
argument_list(A) ::= argument_list(A) COMMA named(E).  { A = ast_argument(ps, A, E); }
argument_list(A) ::= argument_list(A) COMMA STAR(T) expr(E).
    { A = ast_argument(ps, A, ast_starred(ps, T, E)); }
argument_list(A) ::= argument_list(A) COMMA NAME(N) ASSIGN expr(E).
    { A = ast_keyword(ps, A, N, E); }
argument_list(A) ::= argument_list(A) COMMA POWER(T) expr(E).
    { A = ast_keyword_splat(ps, A, T, E); }
%type argument {AstExpr *}
argument(A) ::= named(E).                  { A = ast_argument(ps, ast_arguments(ps), E); }
argument(A) ::= STAR(T) expr(E).
    { A = ast_argument(ps, ast_arguments(ps), ast_starred(ps, T, E)); }
argument(A) ::= NAME(N) ASSIGN expr(E).    { A = ast_keyword(ps, ast_arguments(ps), N, E); }
argument(A) ::= POWER(T) expr(E).          { A = ast_keyword_splat(ps, ast_arguments(ps), T, E); }

%type subscripts {AstExpr *}
%type subscript_list {AstExprs}
%type subscript {AstExpr *}
%type bound {AstExpr *}
subscripts(A) ::= subscript_list(L).       { A = ast_subscripts(ps, L, false); }
subscripts(A) ::= subscript_list(L) COMMA. { A = ast_subscripts(ps, L, true); }
subscript_list(A) ::= subscript(E).        { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
subscript_list(A) ::= subscript_list(A) COMMA subscript(E).  { A = ast_exprs(ps, A, E); }
subscript(A) ::= named(A).
subscript(A) ::= STAR(T) arith(E).         { A = ast_starred(ps, T, E); }
subscript(A) ::= bound(B) COLON(T) bound(E).   { A = ast_slice(ps, T, T, B, E, NULL); }
subscript(A) ::= bound(B) COLON(T) bound(E) COLON(L) bound(S).
    { A = ast_slice(ps, T, L, B, E, S); }
bound(A) ::= .                             { A = NULL; }
bound(A) ::= expr(A).

/* ---- the automaton -------------------------------------------------------------------- */

%code {

/* Would `token` be taken here, after whatever reductions it triggers? They are played on a copy
** of the stack. */
static bool takes(const yyParser *p, int token)
{
    YYACTIONTYPE state[YYSTACKDEPTH + YYNRULE];
    int top = (int)(p->yytos - p->yystack);

    for (int i = 0; i <= top; i++)
        state[i] = p->yystack[i].stateno;
    for (;;) {
        int act = yy_find_shift_action((YYCODETYPE)token, state[top]);
        if (act == YY_ERROR_ACTION)
            return false;
        if (act < YY_MIN_REDUCE)
            return true;
        int rule = act - YY_MIN_REDUCE;
        top += yyRuleInfoNRhs[rule]; /* stored as negative lengths */
        state[top + 1] = yy_find_reduce_action(state[top], yyRuleInfoLhs[rule]);
        top++;
    }
}

bool grammar_takes(const void *automaton, int kind)
{
    return takes(automaton, kind);
}

int grammar_expected(const void *automaton, int *kinds)
{
    int count = 0;

    for (int kind = 1; kind < YYNTOKEN; kind++) {
        if (token_name(kind) && takes(automaton, kind))
            kinds[count++] = kind;
    }
    return count;
}

/* Prepares for a token that will not be taken, so that recovery drops no more than a line. */
static void meet_mistake(Parse *ps, yyParser *parser)
{
    int kind = ps->token.kind, before = ps->before.kind;
    bool layout = kind == TK_INDENT || kind == TK_DEDENT || kind == 0;
    bool line_begins = before == TK_NEWLINE || before == TK_INDENT || before == TK_DEDENT ||
                       before == 0;

    if (!layout && !line_begins)
        return;
    if (takes(parser, kind))
        return;
    if (layout)
        grammar_(parser, TK_NEWLINE, ps->token); /* recovery would drop a token of the layout */
    else if (takes(parser, TK_MISTAKE))
        grammar_(parser, TK_MISTAKE, ps->token);
}

void grammar_run(Parse *ps, int start)
{
    enum { LONGEST_LINE = 1000000 };
    yyParser parser;
    int length = 0;

    grammar_Init(&parser, ps);
    grammar_(&parser, start, (Token){ 0 });
    do {
        ps->before = ps->token;
        ps->token = lexer_next(&ps->lexer);
        if (ps->lexer.stopped)
            break;
        length = ps->token.kind == TK_NEWLINE ? 0 : length + 1;
        if (length > LONGEST_LINE) {
            diag_error(ps->diags, parse_span(ps, ps->token),
                       "this line is too long: a line has at most %d tokens", LONGEST_LINE);
            break;
        }
        meet_mistake(ps, &parser);
        if (!ps->stop)
            grammar_(&parser, ps->token.kind, ps->token);
    } while (ps->token.kind != 0 && !ps->stop);
}

}
