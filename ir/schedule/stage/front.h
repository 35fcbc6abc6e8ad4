/* Kernels whose warps stay together: rows.c, ragged.c. Not for others. */
#pragma once

#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

enum { FRONT_THREADS = 64 }; /* of a block */

typedef struct Front {
    IrVar *active;       /* the thread does something */
    IrVar *self, *lane;  /* the thread in the block, and in the warp; */
    IrVar *base, *first; /* lane 0 of the warp: in the block, and its index in the grid */
    IrVar *place;        /* the thread's own */
} Front;

/* Appends that, with what stands around all that the kernel does. Threads are `lanes` of each warp:
** 32, or fewer, whose index in the grid is Front.place then, in all that is appended as well. */
Front front_make(const IrBuilder *b, const Guarded *guarded, IrVar *threads, int lanes,
                 IrRegion *out);
/* The same of threads that know their index in the grid by a name: gives whether they do something.
*/
IrVar *front_active(const IrBuilder *b, const Guarded *guarded, const IrVar *place,
                    const IrVar *threads, IrRegion *out);
/* Whether an access's indices change along each of these axes, a bit each, so that threads do not
** go to one element together: says what pays, not what is legal. */
bool front_apart(const IrAffine *affine, unsigned axes, IrValue *const *index, int count);
/* Appends names for a thread's index along the axes y and z, of blocks that go along x alone. */
void front_beside(const IrBuilder *b, IrVar *beside[2], IrRegion *out);
/* Appends: all lanes meet; which lanes have a bool, as a uint32, which it gives. */
void front_meet(const IrBuilder *b, IrRegion *out);
IrVar *front_vote(const IrBuilder *b, const IrVar *own, IrRegion *out);
/* Visits what every iteration of a loop loads and stores, in this order for each statement. */
typedef void FrontAccess(void *context, const IrValue *array, IrValue *const *index, int count,
                         bool store);
void front_accesses(const IrStmt *loop, FrontAccess *visit, void *context);
/* Whether a loop to `stop` makes LONG_AXIS iterations by its text, or goes to an extent or a number
** of the launch's that is as much, or to what is made of one; for what pays alone. */
bool front_is_long(IrUnit *unit, const IrSets *sets, const IrStmt *loop, const IrValue *stop);
/* How many iterations a loop makes, by its text, or about so many if it goes along rows that are no
** slim ones; 0: not known. For what pays alone. */
int64_t front_length(IrUnit *unit, const IrSets *sets, const IrStmt *loop);
