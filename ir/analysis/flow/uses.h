/* Which variables statements that run one after the other read and set, and which of them may be
** read before they are set, so that they must hold something when the statements begin. */
#pragma once

#include "ir/ir.h"

enum { USE_MENTIONED = 1, USE_SET = 2, USE_INCOMING = 4 /* may be read before it is set */ };

/* Each adds to the flags that `uses` has by IrVar.id what comes next. `surely`: it runs whenever
** the statements are come to. */
void uses_of_value(unsigned char *uses, const IrValue *value);
void uses_of_set(unsigned char *uses, const IrVar *var, bool surely);
void uses_of_stmt(unsigned char *uses, const IrStmt *stmt, bool surely);
