/* What the files share that have lanes of a warp meet in shared memory: warps.c says what they
** do. */
#pragma once

#include "ir/analysis/warp.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/tile/tiles.h"

/* Variables of which something holds. */
typedef struct Marks {
    bool *by_id;
    int count;
} Marks;

/* Shared memory through which values of a type go. */
typedef struct Exchange {
    const Type *type;
    IrVar *array;
    bool read; /* since threads last met: nothing may be put there */
} Exchange;

typedef struct Warps {
    IrUnit *unit;
    IrSets sets; /* of the kernel as it was */
    IrBuilder b[1];
    uint32_t block[3];
    const bool *left;  /* by IrVar.id: read outside of the loop that sets it */
    Marks same;        /* variables that lanes of a warp have alike */
    Marks everywhere;  /* those that all threads have alike, whether they pass the guard or not */
    IrVar *guard;      /* whether a thread does what is being laid; NULL: all do */
    IrRegion *guarded; /* where that goes, while nothing else came */
    IrVar *here;       /* where lanes of a warp parted: for each thread whether the guard lets it
                          pass; else NULL */
    bool last;         /* no lane meets others behind what is being laid */
    Exchange *exchanges;
    int exchange_count, exchange_capacity;
    bool alike;      /* lanes of a warp load the same */
    const char *why; /* it cannot be done; NULL: it can */
    Span where;
} Warps;

/* ---- warps.c -------------------------------------------------------------------------------- */

/* Notes why the kernel stays as it is; the first reason counts. */
void warps_refuse(Warps *w, Span span, const char *why);
/* Appends what stands for the statements of a region. */
void warps_lay(Warps *w, const IrRegion *region, IrRegion *out);
/* Where what the guard lets pass goes. */
IrRegion *warps_guarded(Warps *w, IrRegion *out);
/* Whether a variable may be read outside of an iteration that sets it. */
bool warps_leaves(const Warps *w, const IrVar *var);
/* Whether a value is a thread's index along the first axis, in the block or the grid. */
bool warps_is_first_index(const IrSets *sets, const IrValue *value);
/* Whether lanes of a warp have a value alike; that they have what a variable is now set to. */
bool warps_same(const Warps *w, const IrValue *value);
void warps_note_same(Warps *w, const IrVar *var);

/* ---- warps_meet.c --------------------------------------------------------------------------- */

/* Appends a barrier if something was read that may be written next; a statement in which lanes or
** threads meet. */
void warps_settle(Warps *w, IrRegion *out);
void warps_lay_meeting(Warps *w, const IrStmt *stmt, IrRegion *out);
/* Notes for the lanes that meet from now on which of them the guard lets pass. */
void warps_part(Warps *w, IrRegion *out);

/* ---- warps_fold.c --------------------------------------------------------------------------- */

/* Makes an axis of a warp's lanes, if that pays: w->block is what a block is then. */
bool warps_fold(Warps *w, IrRegion *body);
