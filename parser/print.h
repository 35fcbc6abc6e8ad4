/* What ast_print.c and stmt_print.c share. Only parser/ includes this. */
#pragma once

#include "parser/ast.h"

typedef struct Printer {
    Buf *out;
    bool explicit; /* brackets round every operation inside another */
    int indent;
} Printer;

void print_expr(Printer *p, const AstExpr *expr);
/* `a: t = e, *b`, without brackets; `(a, *b, c=d)`, with them. */
void print_params(Printer *p, const AstParams *params);
void print_arguments(Printer *p, const AstExprs *args, const AstKeyword *keywords, int count);
