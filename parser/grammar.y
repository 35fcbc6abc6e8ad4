/* The grammar of the kernel language: Python's, less what no kernel has.
**
** An action is one call; constructors are in ast.c and statement.c. Tokens that no rule uses
** are Python's words and brackets for what is left out: unexpected.c says what to do instead.
** The first token is not in the text: MODULE or EXPRESSION says what is parsed.
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
}

%syntax_error   { parse_unexpected(ps, yypParser); (void)yymajor; (void)yyminor; }
%parse_failure  { ps->stop = true; }
%stack_overflow { parse_too_deep(ps, parse_span(ps, ps->token), "this is"); }

%token CLASS TRY EXCEPT FINALLY WITH YIELD ASYNC AWAIT GLOBAL NONLOCAL DEL BAD.
%token LBRACE RBRACE.

/* Weakest first. */
%nonassoc AFTER_BROKEN.
%nonassoc INDENT.
%right LAMBDA.
%right IF ELSE.
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
          diag_error(ps->diags, parse_span(ps, ps->token), "unexpected indentation"); }

%type simple {AstStmt *}
%type assignment {AstStmt *}
simple(A) ::= exprs(E).                    { A = ast_expr_stmt(ps, E); }
simple(A) ::= assignment(A).
assignment(A) ::= exprs(T) ASSIGN exprs(E).         { A = ast_assign(ps, T, E); }
assignment(A) ::= assignment(A) ASSIGN exprs(E).    { A = ast_assign_chain(ps, A, E); }
simple(A) ::= exprs(T)
    ADD_EQ|SUB_EQ|MUL_EQ|MATMUL_EQ|DIV_EQ|FLOOR_EQ|MOD_EQ|POW_EQ|LSHIFT_EQ|RSHIFT_EQ|AND_EQ|OR_EQ
    |XOR_EQ(O)
    exprs(E).                              { A = ast_aug_assign(ps, T, O, E); }
simple(A) ::= exprs(T) COLON expr(N).      { A = ast_ann_assign(ps, T, N, NULL); }
simple(A) ::= exprs(T) COLON expr(N) ASSIGN exprs(E).  { A = ast_ann_assign(ps, T, N, E); }
simple(A) ::= BREAK(T).                    { A = ast_word(ps, AST_BREAK, T); }
simple(A) ::= CONTINUE(T).                 { A = ast_word(ps, AST_CONTINUE, T); }
simple(A) ::= PASS(T).                     { A = ast_word(ps, AST_PASS, T); }
simple(A) ::= RETURN(T).                   { A = ast_return(ps, T, NULL); }
simple(A) ::= RETURN(T) exprs(E).          { A = ast_return(ps, T, E); }
simple(A) ::= ASSERT(T) expr(C).           { A = ast_assert(ps, T, C, NULL); }
simple(A) ::= ASSERT(T) expr(C) COMMA expr(M).  { A = ast_assert(ps, T, C, M); }
simple(A) ::= RAISE(T).                    { A = ast_raise(ps, T, NULL); }
simple(A) ::= RAISE(T) expr(E).            { A = ast_raise(ps, T, E); }
simple(A) ::= RAISE(T) expr(E) FROM(F) expr(C).
    { A = ast_raise(ps, T, E); ast_refuse_cause(ps, F, C); }

/* ---- imports -------------------------------------------------------------------------- */

%type modules {AstAliases}
%type names {AstAliases}
%type imported {AstAliases}
simple(A) ::= IMPORT(T) modules(L).        { A = ast_import(ps, T, L); }
simple(A) ::= FROM(T) dotted(M) IMPORT imported(L).  { A = ast_from_import(ps, T, M, L); }
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

%type cases {AstCases}
%type guard {AstExpr *}
compound(A) ::= MATCH(T) exprs(S) COLON NEWLINE INDENT cases(L) DEDENT.
                                           { A = ast_match(ps, T, S, L); }
cases(A) ::= case(A).
cases(A) ::= cases(A) case(C).             { A = ast_cases(ps, A, C.items[0]); }
%type case {AstCases}
case(A) ::= CASE(T) arith(P) guard(G) COLON block(B).  { A = ast_case(ps, T, P, G, B); }
case(A) ::= CASE(T) arith(P) AS NAME(N) guard(G) COLON block(B). {
    A = ast_case(ps, T, ast_pattern_as(ps, P, N), G, B);
}
guard(A) ::= .                             { A = NULL; }
guard(A) ::= IF named(C).                 { A = C; }

compound(A) ::= WHILE(T) named(C) COLON block(B) else(E).  { A = ast_while(ps, T, C, B, E); }
compound(A) ::= FOR(T) targets(V) IN exprs(S) COLON block(B) else(E).
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

/* ---- functions ------------------------------------------------------------------------ */

%type def {AstStmt *}
%type decorators {AstExprs}
compound(A) ::= def(A).
compound(A) ::= decorators(L) def(D).      { A = ast_decorate(D, L); }
decorators(A) ::= AT named(E) NEWLINE.     { A = ast_exprs(ps, (AstExprs){ 0 }, E); }
decorators(A) ::= decorators(A) AT named(E) NEWLINE.  { A = ast_exprs(ps, A, E); }
def(A) ::= DEF(T) NAME(N) LPAREN params(P) RPAREN returns(R) COLON block(B).
    { A = ast_def(ps, T, N, P, R, B); }
%type returns {AstExpr *}
returns(A) ::= .                           { A = NULL; }
returns(A) ::= ARROW expr(E).              { A = E; }

/* An enumeration; all others are refused. */
%type bases {AstExpr *}
%type class {AstStmt *}
compound(A) ::= class(A).
compound(A) ::= decorators(L) class(C).    { A = ast_decorate(C, L); }
class(A) ::= CLASS(T) NAME(N) bases(C) COLON block(B).  { A = ast_class(ps, T, N, C, B); }
bases(A) ::= .                             { A = NULL; }
bases(A) ::= LPAREN arguments(C) RPAREN.   { A = C; }

%type params {AstParams}
%type param_list {AstParams}
%type param {AstParam}
params(A) ::= .                            { A = (AstParams){ 0 }; }
params(A) ::= param_list(A) comma.
param_list(A) ::= param(P).                { A = ast_params(ps, (AstParams){ 0 }, P); }
param_list(A) ::= param_list(A) COMMA param(P).  { A = ast_params(ps, A, P); }
param(A) ::= NAME(N) annotation(T).        { A = ast_param(ps, N, T, NULL, false); }
param(A) ::= NAME(N) annotation(T) ASSIGN expr(V).  { A = ast_param(ps, N, T, V, false); }
param(A) ::= STAR NAME(N) annotation(T).   { A = ast_param(ps, N, T, NULL, true); }
param(A) ::= odd_param(A).
%type annotation {AstExpr *}
annotation(A) ::= .                        { A = NULL; }
annotation(A) ::= COLON expr(E).           { A = E; }

/* A lambda's have no annotations, since ':' ends them. */
%type lambda_params {AstParams}
%type lambda_list {AstParams}
%type lambda_param {AstParam}
lambda_params(A) ::= .                     { A = (AstParams){ 0 }; }
lambda_params(A) ::= lambda_list(A) comma.
lambda_list(A) ::= lambda_param(P).        { A = ast_params(ps, (AstParams){ 0 }, P); }
lambda_list(A) ::= lambda_list(A) COMMA lambda_param(P).  { A = ast_params(ps, A, P); }
lambda_param(A) ::= NAME(N).               { A = ast_param(ps, N, NULL, NULL, false); }
lambda_param(A) ::= NAME(N) ASSIGN expr(V).  { A = ast_param(ps, N, NULL, V, false); }
lambda_param(A) ::= STAR NAME(N).          { A = ast_param(ps, N, NULL, NULL, true); }
lambda_param(A) ::= odd_param(A).

%type odd_param {AstParam}
odd_param(A) ::= STAR(T).
    { ast_refuse_param(ps, T, T, "keyword-only parameters are not part of the kernel language; "
                                 "leave the '*' out");
      A = (AstParam){ 0 }; }
odd_param(A) ::= SLASH(T).
    { ast_refuse_param(ps, T, T, "positional-only parameters are not part of the kernel language; "
                                 "leave the '/' out");
      A = (AstParam){ 0 }; }
odd_param(A) ::= POWER(T) NAME(N).
    { ast_refuse_param(ps, T, N, "a kernel takes no '**' parameter; name each one");
      A = (AstParam){ 0 }; }

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
expr(A) ::= LAMBDA(T) lambda_params(P) COLON expr(E). [LAMBDA]  { A = ast_lambda(ps, T, P, E); }
expr(A) ::= expr(A) IF expr(C) ELSE expr(E).  { A = ast_if_expr(ps, A, C, E); }
expr(A) ::= expr(A) OR(T) expr(B).         { A = ast_boolean(ps, T, A, B); }
expr(A) ::= expr(A) AND(T) expr(B).        { A = ast_boolean(ps, T, A, B); }
expr(A) ::= NOT(T) expr(E).                { A = ast_unary(ps, T, E); }
expr(A) ::= expr(A) EQ|NE|LT|LE|GT|GE|IN(T) arith(B).
    { A = ast_compare(ps, A, ast_comparison(T), B); }
expr(A) ::= expr(A) NOT IN arith(B). [IN]  { A = ast_compare(ps, A, AST_NOT_IN, B); }
expr(A) ::= expr(A) IS arith(B).           { A = ast_compare(ps, A, AST_IS, B); }
expr(A) ::= expr(A) IS NOT arith(B). [IS]  { A = ast_compare(ps, A, AST_IS_NOT, B); }
expr(A) ::= arith(A).

%type arith {AstExpr *}
arith(A) ::= arith(A) BAR(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) CARET(T) arith(B).   { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) AMP(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) LSHIFT|RSHIFT(T) arith(B).  { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) PLUS|MINUS(T) arith(B).     { A = ast_binary(ps, T, A, B); }
arith(A) ::= arith(A) STAR|SLASH|DSLASH|PERCENT|AT(T) arith(B).  { A = ast_binary(ps, T, A, B); }
arith(A) ::= PLUS|MINUS|TILDE(T) arith(E). [SIGN]  { A = ast_unary(ps, T, E); }
arith(A) ::= arith(A) POWER(T) arith(B).   { A = ast_binary(ps, T, A, B); }
arith(A) ::= primary(A).

%type primary {AstExpr *}
primary(A) ::= atom(A).
primary(A) ::= primary(A) DOT NAME(N).     { A = ast_attribute(ps, A, N); }
primary(A) ::= primary(A) LPAREN arguments(C) RPAREN(T).     { A = ast_call(ps, A, C, T); }
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
strings(A) ::= STRING(T).                  { A = ast_string(ps, T); }
strings(A) ::= strings(A) STRING(T).       { A = ast_string_join(ps, A, T); }
atom(A) ::= LPAREN(L) RPAREN(R).
    { A = ast_sequence(ps, AST_TUPLE, L, (AstExprs){ 0 }, R); }
atom(A) ::= LPAREN(L) group(E) RPAREN(R).  { A = ast_bracketed(ps, L, E, R); }
atom(A) ::= LBRACKET(L) RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, (AstExprs){ 0 }, R); }
atom(A) ::= LBRACKET(L) group_list(E) comma RBRACKET(R).
    { A = ast_sequence(ps, AST_LIST, L, E, R); }
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

/* Passes the block that comes next, if one does. */
static void skip_block(Parse *ps)
{
    int depth = 0;

    ps->skip_block = false;
    if (ps->token.kind != TK_INDENT)
        return;
    do {
        depth += (ps->token.kind == TK_INDENT) - (ps->token.kind == TK_DEDENT);
        ps->token = lexer_next(&ps->lexer);
    } while (depth > 0 && ps->token.kind != 0);
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
        if (ps->skip_block && ps->before.kind == TK_NEWLINE)
            skip_block(ps);
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
