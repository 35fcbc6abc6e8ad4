/* What lies between the barriers of a kernel. */
#pragma once

#include "ir/ir.h"

/* Whether a statement waits for the block, itself or in its regions. */
bool ir_waits(const IrStmt *stmt);

/* What lets a kernel tell which threads share a warp, in words ("it asks for lanes"), or NULL. */
const char *ir_warp_hindrance(const IrUnit *unit);
