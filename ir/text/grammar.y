/* The grammar of the IR's text: lines become nodes, of which read.c makes the unit.
**
** Words that the automaton cannot take where they stand are names: `to` may be a variable. After
** the first mistake nothing more is read. */

%name textgrammar_
%token_prefix TX_
%token_type {TextToken}
%extra_context {TextParse *ps}
%start_symbol text
%stack_size 8000

%include {
#include "ir/text/read.h"
}

%syntax_error   { text_unexpected(ps); (void)yymajor; (void)yyminor; }
%parse_failure  { ps->stop = true; }
%stack_overflow { text_too_deep(ps); }

%fallback NAME ANY BOUNDED BY DEVICE IN KERNEL LAUNCH OF ORDER READONLY REST RISES SHAPE SUMS TABLE
               TO TYPE UNALIGNED UNIT UNROLL RECORD.

%type line {Node *}
%type function {Node *}
%type statement {Node *}
%type simple {Node *}
%type value {Node *}
%type type {Node *}
%type base {Node *}
%type definition {Node *}
%type declared {Node *}
%type loop_var {Node *}
%type suffix {Node *}
%type lines {NodeList}
%type block {NodeList}
%type else {NodeList}
%type statements {NodeList}
%type values {NodeList}
%type some_values {NodeList}
%type types {NodeList}
%type angle {NodeList}
%type axes {NodeList}
%type attributes {NodeList}
%type params {NodeList}
%type some_params {NodeList}
%type fields {NodeList}
%type extents {NodeList}
%type of {NodeList}
%type names {NodeList}
%type loops {NodeList}
%type position {TextPosition}

text ::= lines(L).                          { ps->lines = L; }
lines(A) ::= .                              { A = (NodeList){ 0 }; }
lines(A) ::= lines(A) line(N).              { A = node_append(A, N); }

/* ---- lines --------------------------------------------------------------------------------- */

line(A) ::= LAUNCH(T) attributes(L) NEWLINE.    { A = node_list(ps, NODE_LAUNCH, T, L); }
line(A) ::= SHAPE(T) attributes(L) NEWLINE.     { A = node_list(ps, NODE_SHAPE, T, L); }
line(A) ::= UNIT(T) attributes(L) NEWLINE.      { A = node_list(ps, NODE_UNIT, T, L); }
line(A) ::= TYPE NAME(T) ASSIGN definition(D) NEWLINE.
    { A = node_new(ps, NODE_TYPE, T); A->type = D; }
line(A) ::= TABLE NAME(T) COLON type(Y) of(E) NEWLINE.
    { A = node_new(ps, NODE_TABLE, T); A->type = Y; A->more = E; }
line(A) ::= TABLE NAME(T) COLON type(Y) of(E) ASSIGN some_values(V) NEWLINE.
    { A = node_list(ps, NODE_TABLE, T, V); A->type = Y; A->more = E; }
line(A) ::= function(A).

function(A) ::= KERNEL NAME(T) LPAREN params(P) RPAREN attributes(M) position(W) NEWLINE block(B).
    { A = node_function(ps, NODE_KERNEL, T, P, M, B); A->at = W; }
function(A) ::= DEVICE NAME(T) LPAREN params(P) RPAREN ARROW type(R) attributes(M) position(W)
                NEWLINE block(B).
    { A = node_function(ps, NODE_DEVICE, T, P, M, B); A->type = R; A->at = W; }
params(A) ::= .                             { A = (NodeList){ 0 }; }
params(A) ::= some_params(A).
some_params(A) ::= declared(D).             { A = node_append((NodeList){ 0 }, D); }
some_params(A) ::= some_params(A) COMMA declared(D).    { A = node_append(A, D); }

declared(A) ::= NAME(T) COLON type(Y) attributes(M) of(E).
    { A = node_list(ps, NODE_DECLARED, T, E); A->type = Y; A->more = M; }
attributes(A) ::= .                         { A = (NodeList){ 0 }; }
attributes(A) ::= attributes(A) NAME(T).    { A = node_append(A, node_new(ps, NODE_NAME, T)); }
attributes(A) ::= attributes(A) NAME(T) LPAREN values(V) RPAREN.
    { A = node_append(A, node_list(ps, NODE_NAME, T, V)); }
of(A) ::= .                                 { A = (NodeList){ 0 }; }
of(A) ::= OF extents(E).                    { A = E; }
of(A) ::= OF NAME(T).                       { A = node_first(ps, NODE_NAME, T); }
extents(A) ::= INT(T).                      { A = node_first(ps, NODE_INT, T); }
extents(A) ::= extents(A) NAME(X) INT(T).
    { text_want(ps, X, "x"); A = node_append(A, node_new(ps, NODE_INT, T)); }

position(A) ::= .                           { A = (TextPosition){ 0 }; }
position(A) ::= AT INT(L).                  { A = text_position(ps, NULL, L, NULL, NULL); }
position(A) ::= AT STRING(F) INT(L).        { A = text_position(ps, &F, L, NULL, NULL); }
position(A) ::= AT INT(L) COLON INT(R) COLON INT(C).
    { A = text_position(ps, NULL, L, &R, &C); }
position(A) ::= AT STRING(F) INT(L) COLON INT(R) COLON INT(C).
    { A = text_position(ps, &F, L, &R, &C); }

/* ---- statements ---------------------------------------------------------------------------- */

block(A) ::= .                              { A = (NodeList){ 0 }; }
block(A) ::= INDENT statements(L) DEDENT.    { A = L; }
statements(A) ::= statement(S).             { A = node_append((NodeList){ 0 }, S); }
statements(A) ::= statements(A) statement(S).   { A = node_append(A, S); }

statement(A) ::= simple(A) position(W) NEWLINE. { A->at = W; }
statement(A) ::= IF(T) value(C) position(W) NEWLINE block(B) else(E).
    { A = node_body(ps, NODE_IF, T, C, B); A->more = E; A->at = W; }
else(A) ::= .                               { A = (NodeList){ 0 }; }
else(A) ::= ELSE NEWLINE block(B).          { A = B; }
statement(A) ::= WHILE(T) value(C) position(W) NEWLINE block(B).
    { A = node_body(ps, NODE_WHILE, T, C, B); A->at = W; }
statement(A) ::= FOR(T) loop_var(V) IN value(X) TO value(Y) BY value(Z) loops(M) position(W) NEWLINE
                 block(B).
    { A = node_body(ps, NODE_FOR, T, X, B); A->items = node_append(node_append(A->items, Y), Z);
      A->target = V; A->more = M; A->at = W; }
loop_var(A) ::= NAME(T).                    { A = node_new(ps, NODE_NAME, T); }
loop_var(A) ::= NAME(T) COLON type(Y) attributes(M).
    { A = node_list(ps, NODE_DECLARED, T, (NodeList){ 0 }); A->type = Y; A->more = M; }
loops(A) ::= .                              { A = (NodeList){ 0 }; }
loops(A) ::= loops(A) BOUNDED(T).           { A = node_append(A, node_new(ps, NODE_BOUNDED, T)); }
loops(A) ::= loops(A) RISES(T).             { A = node_append(A, node_new(ps, NODE_RISES, T)); }
loops(A) ::= loops(A) REST(T).              { A = node_append(A, node_new(ps, NODE_REST, T)); }
loops(A) ::= loops(A) IN(T) ANY ORDER.      { A = node_append(A, node_new(ps, NODE_ANY_ORDER, T)); }
loops(A) ::= loops(A) SUMS(T) names(L).     { A = node_append(A, node_list(ps, NODE_SUMS, T, L)); }
loops(A) ::= loops(A) UNROLL(T).            { A = node_append(A, node_new(ps, NODE_UNROLL, T)); }
loops(A) ::= loops(A) UNROLL(T) INT(N).
    { A = node_append(A, node_list(ps, NODE_UNROLL, T,
                                   node_first(ps, NODE_INT, N))); }
names(A) ::= NAME(T).                       { A = node_first(ps, NODE_NAME, T); }
names(A) ::= names(A) COMMA NAME(T).        { A = node_append(A, node_new(ps, NODE_NAME, T)); }

simple(A) ::= NAME(T) ASSIGN value(V).
    { A = node_one(ps, NODE_SET, T, V); A->target = node_new(ps, NODE_NAME, T); }
simple(A) ::= NAME(T) COLON type(Y) attributes(M) ASSIGN value(V).
    { A = node_one(ps, NODE_SET, T, V); A->target = node_new(ps, NODE_DECLARED, T);
      A->target->type = Y; A->target->more = M; }
simple(A) ::= STORE(T) value(X) LBRACKET values(I) RBRACKET ASSIGN value(V).
    { A = node_list(ps, NODE_STORE, T, I); A->target = X; A->type = V; }
simple(A) ::= STORE(T) CACHE(C) value(X) LBRACKET values(I) RBRACKET ASSIGN value(V).
    { A = node_list(ps, NODE_STORE, T, I); A->target = X; A->type = V;
      A->cache = node_new(ps, NODE_NAME, C); }
simple(A) ::= EVAL(T) value(V).             { A = node_one(ps, NODE_EVAL, T, V); }
simple(A) ::= BREAK(T).                     { A = node_new(ps, NODE_BREAK, T); }
simple(A) ::= CONTINUE(T).                  { A = node_new(ps, NODE_CONTINUE, T); }
simple(A) ::= RETURN(T).                    { A = node_new(ps, NODE_RETURN, T); }
simple(A) ::= RETURN(T) value(V).           { A = node_one(ps, NODE_RETURN, T, V); }
simple(A) ::= STOP(T).                      { A = node_new(ps, NODE_STOP, T); }
simple(A) ::= PRINT(T) values(L).           { A = node_list(ps, NODE_PRINT, T, L); }
simple(A) ::= FAULT(T) some_values(L).      { A = node_list(ps, NODE_FAULT, T, L); }
simple(A) ::= LOCAL|SHARED|DYNAMIC|PRIVATE|CONSTANT(T) declared(D).
    { A = node_new(ps, NODE_FIRST, T); A->target = D; }

/* ---- values -------------------------------------------------------------------------------- */

values(A) ::= .                             { A = (NodeList){ 0 }; }
values(A) ::= some_values(A).
some_values(A) ::= value(V).                { A = node_append((NodeList){ 0 }, V); }
some_values(A) ::= some_values(A) COMMA value(V).   { A = node_append(A, V); }

value(A) ::= NAME(T).                       { A = node_new(ps, NODE_NAME, T); }
value(A) ::= STRING(T).                     { A = node_new(ps, NODE_STRING, T); }
value(A) ::= TRUE(T).                       { A = node_new(ps, NODE_TRUE, T); }
value(A) ::= FALSE(T).                      { A = node_new(ps, NODE_FALSE, T); }
value(A) ::= INT(T) suffix(Y).              { A = node_new(ps, NODE_INT, T); A->type = Y; }
value(A) ::= FLOAT(T) suffix(Y).            { A = node_new(ps, NODE_FLOAT, T); A->type = Y; }
value(A) ::= LPAREN(T) FLOAT(X) COMMA FLOAT(Y) RPAREN suffix(S).
    { A = node_one(ps, NODE_COMPLEX, T, node_new(ps, NODE_FLOAT, X)); A->type = S;
      A->items = node_append(A->items, node_new(ps, NODE_FLOAT, Y)); }
value(A) ::= CALL NAME(T) LPAREN values(L) RPAREN.   { A = node_list(ps, NODE_CALL, T, L); }
value(A) ::= NAME(T) angle(Y) LPAREN values(L) RPAREN.
    { A = node_list(ps, NODE_OPERATION, T, L); A->more = Y; }
value(A) ::= NAME(T) CACHE(C) angle(Y) LPAREN values(L) RPAREN.
    { A = node_list(ps, NODE_OPERATION, T, L); A->more = Y; A->cache = node_new(ps, NODE_NAME, C); }
suffix(A) ::= .                             { A = NULL; }
suffix(A) ::= COLON NAME(T).                { A = node_new(ps, NODE_NAME, T); }
angle(A) ::= .                              { A = (NodeList){ 0 }; }
angle(A) ::= LANGLE types(L) RANGLE.        { A = L; }

/* ---- types --------------------------------------------------------------------------------- */

types(A) ::= type(T).                       { A = node_append((NodeList){ 0 }, T); }
types(A) ::= types(A) COMMA type(T).        { A = node_append(A, T); }
type(A) ::= base(A).
type(A) ::= INT(T).                         { A = node_new(ps, NODE_INT, T); }
type(A) ::= READONLY(T) type(B).            { A = node_new(ps, NODE_READONLY, T); A->type = B; }
type(A) ::= UNALIGNED(T) type(B).           { A = node_new(ps, NODE_UNALIGNED, T); A->type = B; }
base(A) ::= NAME(T).                        { A = node_new(ps, NODE_NAME, T); }
base(A) ::= base(B) LBRACKET(T) axes(L) RBRACKET.
    { A = node_list(ps, NODE_ARRAY, T, L); A->type = B; }
base(A) ::= base(B) LBRACKET(T) LPAREN RPAREN RBRACKET.
    { A = node_new(ps, NODE_ARRAY, T); A->type = B; }
base(A) ::= base(B) LBRACKET NAME(U) RBRACKET.
    { A = node_new(ps, NODE_TIME, U); A->type = B; }
base(A) ::= NAME(T) LPAREN types(L) RPAREN. { A = node_list(ps, NODE_OPERATION, T, L); }
base(A) ::= LPAREN(T) RPAREN.               { A = node_new(ps, NODE_TUPLE, T); }
base(A) ::= LPAREN(T) types(L) RPAREN.      { A = node_list(ps, NODE_TUPLE, T, L); }
base(A) ::= LPAREN(T) types(L) COMMA RPAREN.    { A = node_list(ps, NODE_TUPLE, T, L); }
axes(A) ::= COLON(T).                       { A = node_first(ps, NODE_AXIS, T); }
axes(A) ::= UNIT_STRIDE(T).                 { A = node_first(ps, NODE_UNIT_AXIS, T); }
axes(A) ::= axes(A) COMMA COLON(T).         { A = node_append(A, node_new(ps, NODE_AXIS, T)); }
axes(A) ::= axes(A) COMMA UNIT_STRIDE(T).   { A = node_append(A, node_new(ps, NODE_UNIT_AXIS, T)); }

definition(A) ::= type(A).
definition(A) ::= RECORD(T).                { A = node_new(ps, NODE_RECORD, T); }
definition(A) ::= LPAREN(T) fields(L) RPAREN.   { A = node_list(ps, NODE_FIELDS, T, L); }
fields(A) ::= NAME(T) COLON type(Y).
    { A = node_first(ps, NODE_DECLARED, T); A.last->type = Y; }
fields(A) ::= fields(A) COMMA NAME(T) COLON type(Y).
    { A = node_append(A, node_new(ps, NODE_DECLARED, T)); A.last->type = Y; }

%code {
void textgrammar_run(TextParse *ps)
{
    yyParser parser;
    size_t errors = ps->diags->errors;

    textgrammar_Init(&parser, ps);
    do {
        ps->token = text_next(&ps->lexer);
        ps->stop |= ps->diags->errors > errors;
        if (!ps->stop)
            textgrammar_(&parser, ps->token.kind, ps->token);
    } while (ps->token.kind != 0 && !ps->stop);
    textgrammar_Finalize(&parser);
}
}
