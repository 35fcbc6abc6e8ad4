/* How threads go through statements: which ones they may leave by another way than the end, and
** what loops count. */
#pragma once

#include "ir/ir.h"

enum { OUT_THREAD = 1, OUT_LOOP = 2, OUT_ITERATION = 4 };

/* What a statement, or one of a region, may end beside itself: OUT_ flags. */
int flow_stmt_ways_out(const IrStmt *stmt);
int flow_ways_out(const IrRegion *region);
/* Whether the loop around a region may be left, or its iteration, from the region. */
bool flow_jumps(const IrRegion *region);
/* Whether a value of the statement itself may end the thread. */
bool flow_may_stop(const IrStmt *stmt);
/* Whether no thread that enters a region comes to what stands behind it. */
bool flow_never_ends(const IrRegion *region);
/* What a statement adds to the variable that it sets; NULL if it does something else. */
const IrValue *flow_step(const IrStmt *stmt);
/* Whether a statement, its regions aside, evaluates `part` whenever it runs. */
bool flow_evaluates(const IrStmt *stmt, const IrValue *part);
bool flow_sets_once(const IrRegion *region, const IrVar *var);
