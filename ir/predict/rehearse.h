/* A launch gone through without its data: whether the checker could find anything in it.
**
** One block is followed, with all its threads side by side, for all blocks that take the same
** branches. What a thread computes of its place, of scalars and of extents is known: a number for
** each thread of the block, and how much that grows from block to block. What comes from the memory
** of arrays is not known, nor is what is computed of it. So it is known, for all threads of the
** grid at once, which elements are accessed, and in which stretch between two barriers: whether all
** are in range, were written before they are read, and whether two threads meet. What cannot be
** decided counts as a finding. */
#pragma once

#include "ir/ir.h"

/* What a parameter of the kernel is. */
typedef struct RehearsalArg {
    bool known; /* it is an integer or bool, `value` */
    int64_t value;
    bool array; /* it is an array */
    int64_t shape[RANK_MAX];
    bool aligned; /* its elements lie at multiples of their size */
    bool apart;   /* no two of them share a byte, nor do they with another array */
    bool written; /* all of them have values before the launch */
} RehearsalArg;

typedef struct RehearsalRequest {
    const IrUnit *unit; /* as ir_rehearsable() gives it */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;  /* bytes */
    const RehearsalArg *args; /* one for each parameter */
    uint64_t work;            /* operations of single threads that it may take, about */
} RehearsalRequest;

typedef struct RehearsalAnswer {
    bool clean;  /* nothing can be found in it: what follows is known */
    bool *whole; /* for each parameter: an array all of whose elements have values after it */
    uint64_t accesses, waits; /* of all threads, about; at barriers */
} RehearsalAnswer;

/* The unit with device functions in place of their calls. Changes `unit`, which must not be
** used any more. */
const IrUnit *ir_rehearsable(IrUnit *unit);
/* The answer lies in the arena; where that has no memory left it jumps as always. */
RehearsalAnswer rehearse(Arena *arena, const RehearsalRequest *request);
