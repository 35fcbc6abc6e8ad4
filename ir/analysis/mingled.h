/* Whether loads of arrays that a kernel only reads may become one with loads of what it writes. */
#pragma once

#include "ir/ir.h"

/* Of a kernel whose accesses are known (ir_effects()): whether a load of an array that is only read
** gives a value where a load of an element as large of an array that is written gives another: in
** the arms of a branch or of a choice, in two sets of a variable, or of an array that may be
** either. */
bool ir_mingles_reads(Arena *arena, const IrFunc *fn);
