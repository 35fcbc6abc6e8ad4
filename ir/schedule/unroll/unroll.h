/* What unroll.c decides and make.c builds. Not for others. */
#pragma once

#include "ir/analysis/accesses.h"
#include "ir/analysis/affine.h"
#include "ir/analysis/divergence.h"
#include "ir/analysis/warp.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"
#include "ir/schedule/schedule.h"

enum {
    LIFTED_MOST = 12,   /* accesses of an iteration that come before or behind all, */
    CLAIMS_MOST = 4,    /* and atomics */
    CHUNKS_MOST = 8,    /* that are begun at once */
    WIDEST_BYTES = 64,  /* of neighbours that a thread takes */
    STEP_MOST = 1 << 30 /* with which a counter that is an index does not wrap */
};

enum { GUARDS_MOST = 4 };

/* The branches around a load, from the outermost on, and which way each goes to it. */
typedef struct LoadGuards {
    const IrStmt *branches[GUARDS_MOST];
    bool wanted[GUARDS_MOST];
    int count;
} LoadGuards;

/* A load that comes before all iterations, or a store that comes behind them. */
typedef struct Lifted {
    const Access *access;
    LoadGuards guards; /* it is loaded only where these hold */
    bool wide;         /* neighbours at neighbouring iterations, which can be had at once */
    int window;        /* in Unroll.windows; NO_WINDOW: in none */
    int64_t ahead;     /* how far it lies behind where the window begins */
    IrVar *held;       /* private array of what the iterations at hand have */
    IrVar *near;       /* shared array of what they and the groups behind them have, by group in the
                    ring, iteration and thread; NULL: it is in `held` */
} Lifted;

/* Loads of elements that lie a few apart and move by one with the counter, so that iterations share
** most of them: windows.c. */
typedef struct Window {
    const Access *access; /* the first of them, */
    int64_t ahead;        /* how far it lies behind where the window begins */
    const IrValue *rest;  /* its index along `along` without the counter and a constant; NULL: 0 */
    int along;            /* the axis in which the elements are neighbours */
    int64_t first, last;  /* constants of where it begins, and of the last load */
    int count;            /* of loads */
    IrVar *held;          /* private array of all that the iterations at hand have */
} Window;

enum { NO_WINDOW = -1 };

/* An atomic whose result is used, and that comes before all iterations at hand. */
typedef struct Claim {
    IrStmt *stmt;
    bool one; /* it is one for all lanes and iterations */
    /* by IrVar.id: set on the way to it, to what is not known before all iterations */
    bool *unknown;
    IrVar *held; /* private array of what each iteration found */
} Claim;

/* A loop, and how it is to be unrolled. */
typedef struct Unroll {
    IrUnit *unit;
    IrRegion *region; /* in which it stands */
    IrStmt *loop;
    Accesses accesses;
    Lifted lifted[LIFTED_MOST];
    int count;
    Window windows[LIFTED_MOST];
    int window_count;
    Claim claims[CLAIMS_MOST];
    int claim_count;
    bool *own;       /* by IrVar.id: set in the loop, and of no use outside of the iteration */
    bool chunks;     /* iterations are shared out anew among the grid's threads, `width` to each */
    IrSets names;    /* of the kernel */
    bool rows;       /* the counter goes by 1 from a multiple of `width` on */
    bool all;        /* the loop has so many iterations, which are laid out */
    int width;       /* elements of a wide access */
    int groups;      /* of so many iterations that are under way at a time; 0: it is no ring */
    int iterations;  /* chunks, or iterations, that are begun at once */
    bool down;       /* the loop counts downward */
    bool ringed;     /* it is what a ring has left over */
    bool small_step; /* at most STEP_MOST, whatever the launch */
} Unroll;

/* ---- lift.c -------------------------------------------------------------------------------- */

/* Whether nothing in the iteration but the loop's counter changes a value. */
bool unroll_is_known_before(const Unroll *u, const IrValue *value);
/* Whether two arrays may have memory in common. */
bool unroll_meet(const Unroll *u, const Access *a, const Access *b);
/* Fill u->lifted, each element once. */
void unroll_lift_loads(Unroll *u);
void unroll_lift_stores(Unroll *u);
/* Adds loads that come where conditions hold that are known before the iteration. */
void unroll_lift_guarded(Unroll *u);
Lifted *unroll_find_lifted(Unroll *u, const Access *access);
/* Whether iterations store to arrays that are parameters. */
bool unroll_stores(const Unroll *u);
/* Whether an iteration waits for loads of what nothing writes, which do not come before it. */
bool unroll_waits(Unroll *u);
/* Whether one waits for what lies anywhere, and adds to what does: memory is busy with that, so
** that few iterations at once are enough. */
bool unroll_is_scattered(Unroll *u);
/* Fills u->own; `uses` and `inside` say how often the kernel and the body read each variable.
** False if the counter is read outside of the loop. */
bool unroll_find_own(Unroll *u, const int *uses, const int *inside);

/* ---- reach.c ------------------------------------------------------------------------------- */

/* Bounds where loops end by the elements that they access, where that may take more bits. */
void unroll_bound_ends(IrUnit *unit);
/* See remainders.c. */
void unroll_carry_remainders(IrUnit *unit);
/* Whether all of a block goes on at once: by what the text calls its size, or by that number. */
bool unroll_goes_by_block(const Unroll *u);

/* ---- widen.c ------------------------------------------------------------------------------- */

/* Has loops count in int64. */
void unroll_widen(IrUnit *unit);
/* Writes out what a loop's loads have for indices that the iteration works out; spell.c. */
void unroll_spell(IrUnit *unit, IrStmt *loop);

/* ---- windows.c ----------------------------------------------------------------------------- */

/* Fills u->windows with those that wide loads can bring, and says so in u->lifted. */
void windows_find(Unroll *u);
/* How many wide loads a window takes for the iterations at hand. */
int windows_pieces(const Unroll *u, const Window *window);
/* How many iterations more there must be so that windows have no element that the loop does not
** read behind the last that is needed. */
int windows_beyond(const Unroll *u);

/* ---- claims.c ------------------------------------------------------------------------------ */

/* Whether what is lifted is the same at any time of the kernel. */
bool unroll_only_read(const Unroll *u);
/* Fills u->claims. */
void unroll_find_claims(Unroll *u);
/* Appends what tells whether an iteration comes to an atomic; and where it does, what clone->stmt
** makes of the atomic. */
void unroll_clone_way(const IrClone *clone, const Unroll *u, const Claim *claim, IrRegion *out);

/* ---- unroll.c ------------------------------------------------------------------------------- */

enum { NODES_MOST = 640 }; /* of the unrolled iterations */

/* Whether a loop goes upward, by steps that are not too large; downward, through numbers that are
** not negative. See widen.c. */
bool unroll_counts_upward(const IrStmt *loop);
bool unroll_counts_downward(const IrStmt *loop);
/* Whether the device's compiler lays all iterations out itself, of which each has so many nodes. */
bool unroll_is_short(const IrStmt *loop, int nodes);
/* Whether the iterations of a loop are elements of arrays of a thread's own, and few enough for all
** to be laid out: these are registers then. See shared.c. */
bool unroll_through_own(const IrStmt *loop);
/* What a schedule says of it. */
Directive unroll_directive(const Unroll *u, Primitive primitive);

/* ---- mask.c -------------------------------------------------------------------------------- */

/* Lays out loops that make a few iterations at most. */
void unroll_mask(IrUnit *unit);

/* ---- make.c -------------------------------------------------------------------------------- */

/* Some iterations on their way. */
typedef struct UnrollBuild {
    IrBuilder b[1];
    Unroll *u;
    const Type *type;     /* the counter's */
    IrVar *counter;       /* in its place in the iteration that is copied */
    IrVar *held_at;       /* counts the elements of Lifted.held, or of a group of Lifted.near */
    IrVar *slot, *self;   /* the group at hand in the ring; the thread */
    const Claim *claimed; /* whose atomics are being made */
    bool whole;           /* the loop itself has nothing left over */
} UnrollBuild;

/* A constant of the counter's type. */
IrValue *unroll_number(const UnrollBuild *m, int64_t value);
/* A variable that is set to a value that is counted on. */
IrVar *unroll_let(const UnrollBuild *m, IrRegion *out, const char *name, IrValue *value);
/* The step so many times. */
IrValue *unroll_steps(const UnrollBuild *m, const IrValue *step, int count);
IrStmt *unroll_new_loop(const UnrollBuild *m, const char *name, IrValue *start, IrValue *stop,
                        IrValue *step, int unroll);
/* A copy of a value in which the counter is `at`. */
IrValue *unroll_at(const UnrollBuild *m, const IrValue *value, IrVar *at);
/* A private array for so many elements of what an access is of; a wide access of it where the
** counter is `at`. */
IrVar *unroll_held(const UnrollBuild *m, const Access *access, int count);
IrValue *unroll_wide(const UnrollBuild *m, const Access *access, IrVar *here, IrVar *at);
/* Appends what loads a window for the iterations from `at` on. */
void windows_load(const UnrollBuild *m, const Window *window, IrVar *at, IrRegion *out);
/* Appends the iterations of a group, from `first` on, with what was loaded for them. */
void unroll_group(UnrollBuild *m, IrVar *first, const IrValue *step, IrRegion *out);
/* Puts the unrolled loop in front of the loop, which keeps what is left over. */
void unroll_make(Unroll *u);

/* ---- ends.c -------------------------------------------------------------------------------- */

/* Whether `stop` less some steps cannot wrap, being as small as it gets or they as large, nor the
** counter behind it: else there are not several iterations. NULL: that is sure. */
IrValue *unroll_may_look_ahead(const UnrollBuild *m, IrVar *next, IrVar *stop, const IrValue *step);

/* ---- share.c ------------------------------------------------------------------------------- */

/* Whether the iterations can be shared out anew; says why not where it is a matter of one array. */
bool unroll_can_share(Unroll *u, int axis);
/* Elements of 16 bytes, or of the widest access there is that all others can follow. */
int unroll_width_of(const Unroll *u);
/* In how many loads threads take other elements than their neighbours in the same iteration, those
** along axes of these bits. */
int unroll_count_apart(const Unroll *u, int bits);
enum { UNROLL_ANY_THREAD = DIVERGES_THREAD * 7 | DIVERGES_OTHER };

/* ---- ring.c -------------------------------------------------------------------------------- */

/* What was copied for the iteration at hand. */
IrValue *ring_load(const UnrollBuild *m, const Lifted *lifted);
/* Appends the loops over groups from `next` on, and sets that to where they end. */
void ring_make(UnrollBuild *m, IrVar *next, IrVar *stop, const IrValue *step, IrRegion *out);
/* The iterations of a loop through a ring, where that is legal and pays; what is left over may be
** taken several at a time still. An iteration has so many nodes. False: there is none. */
bool ring_try(Unroll u, int nodes);
/* Whether neighbours load some element one after the other, so that a cache has it. */
bool ring_shares(const Unroll *u);
