/* Whether threads of a block may be carried out in another order: what lies between the barriers of
** a kernel may, unless something tells which threads share a warp.
**
**     store near[thread_idx(0)] = load(x, i)
**     store y[i] = load(near, sub(31, thread_idx(0)))
**
** without a barrier between relies on the lanes of a warp going on together, as programs for old
** devices could; with one it does not. */
#pragma once

#include "ir/ir.h"

/* Whether a statement waits for the block, itself or in its regions. */
bool ir_waits(const IrStmt *stmt);

/* What lets a kernel tell which threads share a warp, in words ("it asks for lanes"), or NULL. */
const char *ir_warp_hindrance(const IrUnit *unit);
