/* What team.c finds and team_make.c builds. Not for others. */
#pragma once

#include "ir/analysis/flow/flow.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/stage/front.h"

enum {
    TEAM_SUMS = 6,       /* that a loop may add to */
    TEAM_TERMS = 4,      /* that go through shared memory, and loads that these are made of */
    TEAM_SLOTS = 8,      /* of shared memory for terms */
    TEAM_WARPS = 16,     /* of a block, where passes choose */
    TEAM_BLOCKS = 32,    /* that have the same threads' work, at most */
    TEAM_ROWS = 32,      /* warps of a block where each takes a thread's row */
    TEAM_STEP = 1 << 16, /* a loop's step, at most */
    TEAM_TALLIES = 4,    /* arrays that a loop may add to elements of */
    TEAM_TALLY_TEAMS = 4 /* of a block, at most, each with memory of its own */
};

/* An array that all iterations of a loop add to elements of. */
typedef struct TeamTally {
    const IrVar *array;
    IrValue *const *row; /* all indices but the last, if they are the same in all iterations */
    int64_t room;        /* elements that shared memory holds of a row; 0: it holds none */
    const Type *held;    /* as what it holds them: what a loop comes to in them fits */
    int accesses;
    bool atomic; /* other threads may add to them, too */
    IrVar *near; /* shared memory, once there is some */
} TeamTally;

/* What iterations of a loop do to a variable that goes on from one to the next: always the same
** operation, whose operands may come in any order. */
typedef struct TeamSum {
    IrVar *var;
    IrOp op; /* OP_intrinsic: `intrinsic`, of two */
    IrIntrinsic intrinsic;
} TeamSum;

/* A loop whose iterations are shared out; or whose iterations one warp makes in order, of what all
** have brought to shared memory (team_order.c). */
typedef struct TeamLoop {
    IrStmt *loop;
    TeamSum sums[TEAM_SUMS]; /* if in order: variables alone, which are read behind it */
    int sum_count;
    /* the first of the sums that are a pick together, as where the greatest element lies: what is
    ** compared, the iteration that set it, and what else is set there; 0: there is none */
    int pick_count;
    IrStmt *pick;     /* the branch that sets them, */
    IrOp pick_better; /* where a new value is lt or gt the old one, */
    bool pick_last;   /* or as much: the last iteration of several counts, not the first */
    bool outer;       /* all threads of a block execute it, but for conditions around the kernel */
    bool along;       /* its elements lie one behind the other, not its threads' */
    bool ordered;
    uint64_t reads; /* the parameters that it reads along it: a bit each */
    TeamTally tallies[TEAM_TALLIES];
    int tally_count;
    bool owns; /* it stores to an array that a thread has of its own */
    /* if in order: its bounds, made of arguments; what each iteration computes of the counter and
    ** of what stays, and the loads in that */
    IrValue *start, *stop;
    const IrValue *terms[TEAM_TERMS], *loads[TEAM_TERMS];
    IrValue *only_if[TEAM_TERMS]; /* where an iteration computes a term; NULL: in any case */
    int term_count, load_count;
    int slots[TEAM_TERMS]; /* of Team.slots: where each term lies */
} TeamLoop;

/* Shared memory that loops have for a term each, one loop after the other. */
typedef struct TeamSlot {
    const Type *element;
    bool along;  /* [thread][iteration], else [iteration][thread]; */
    bool same;   /* or [iteration], of what is the same for all threads of a warp */
    int tile;    /* iterations that it has room for, twice */
    IrVar *near; /* the array, once there is one */
} TeamSlot;

typedef struct Team {
    IrUnit *unit;
    IrAffine affine;
    TeamLoop *loops;
    int count, capacity;
    int along, across; /* accesses that differ between threads: those that go by one element with
                          the counter of such a loop, and with the thread's index */
    bool all;          /* each loop is shared out, or has such loops in it */
    bool line;         /* threads have one index alone */
    unsigned axes;     /* along which they have one: a bit each */
    bool own;          /* some access's indices change along all of these axes */
    bool in_order;     /* loops are looked for whose iterations one warp makes in order, too */
    bool ordered;      /* one of those found is such a one */
    bool adds;         /* loops are looked for that add to elements, each warp for itself
                          (team_adds.c) */
    bool tallies;      /* one of them adds to elements of an array */
    bool again;        /* two of them read one array along */
    TeamSlot slots[TEAM_SLOTS];
    int slot_count;
    bool meets;      /* one of them reads what another stores, or stores where others may: all of
                          a team meet before and behind each */
    Refusal refusal; /* not all threads of a team come to the same */
} Team;

/* Finds the loops, of a kernel that is as it was or whose variables have new numbers. */
void team_look(Team *t, const Guarded *guarded);
/* What one of the team does for all. */
bool team_is_for_one(const IrStmt *stmt);
const TeamLoop *team_loop(const Team *t, const IrStmt *stmt);

/* Whether what pays for threads of one index pays here: they have one index alone, or some access
** is of one thread alone, so that tiles of threads would not read it once for many. With `lanes`, a
** warp needs 32 of them along the first axis besides. */
bool team_is_line(const Team *t, bool lanes);

/* ---- team_pays.c ----------------------------------------------------------------------------- */

/* Whether all loops are long; beside long ones that add to elements others may be as long as the
** rows of these. */
bool team_is_long(const Team *t);
/* As many warps as their sums have room for in shared memory. */
int64_t team_warps_with_room(const Team *t, int64_t count);
/* The warps of a block for each thread with a long row, along which several loops go: the rows of
** so many blocks stay in caches from one loop to the next, those of as many warps do not. 0: it is
** short, or not known to be long. */
int64_t team_warps_of_row(const Team *t);

/* ---- team_stores.c --------------------------------------------------------------------------- */

/* The counter that an index is, with a number added that is not negative. */
bool team_at_counter(const Team *t, const IrValue *index, const IrVar *counter, int64_t *plus);
/* Whether an array is the thread's own; whether a loop that is shared out stores to it, so that a
** team has it in common. What forbids that; NULL: nothing. */
bool team_is_own(const IrValue *array);
bool team_shares_own(const Team *t, const IrVar *array);
const char *team_forbids_own(const Team *t);
/* The effects of a statement, but for those in it. */
int team_own_effects(const IrStmt *stmt);
/* How often a region stores to an array, and accesses it. */
int team_stores_to(const IrRegion *region, const IrVar *array);
int team_accesses(const Team *t, const IrRegion *region, const IrVar *array);
/* Whether any of a team may make any iteration of a loop, for what it stores; notes its tallies. */
bool team_stores(const Team *t, TeamLoop *loop);
/* Whether a loop stores to an array that is named elsewhere, or comes to the loop again: another of
** the team may then store to the same element, before or behind. */
bool team_stores_again(const Team *t, const TeamLoop *loop);
/* Whether the members of a team need not meet: loops hand on nothing, and none comes to what
** another stores. They can be in several blocks then; in how many, so that each multiprocessor has
** some. */
bool team_stays_apart(const Team *t);
int64_t team_blocks_of_choice(const Team *t);

/* ---- team_tally.c ---------------------------------------------------------------------------- */

/* Whether a statement of a loop adds to an element of an array; then that is noted. */
bool team_take_tally(const Team *t, TeamLoop *loop, const IrStmt *stmt);
/* Whether a loop does nothing else with its array. */
bool team_tally_alone(const Team *t, const TeamLoop *loop, const TeamTally *tally);

/* ---- team_adds.c ----------------------------------------------------------------------------- */

/* Whether what warps add to arrays of a thread's own has room in shared memory. */
bool team_adds_fit(const TeamLoop *loop);

/* ---- team_block.c ---------------------------------------------------------------------------- */

/* What the threads of a block as it is asked for add to a row meets in shared memory. */
void team_blocks(IrUnit *unit);

/* ---- team_sums.c ----------------------------------------------------------------------------- */

/* What of a loop goes on from one iteration to the next, or behind the loop; false if that is
** something else than sums. */
bool team_sums(const Team *t, TeamLoop *loop);
/* Whether a variable may be read behind a loop before it is set anew. */
bool team_reads_behind(const Team *t, const IrStmt *loop, const IrVar *var);

/* ---- team_order.c ---------------------------------------------------------------------------- */

/* Whether one warp can make a loop's iterations of what all bring to shared memory; then notes what
** that is. */
bool team_order(Team *t, TeamLoop *loop);
/* Whether it pays to have them so. */
bool team_order_pays(const Team *t);
/* Whether few threads go across, so that a multiprocessor has one of its blocks at most. */
bool team_order_alone(const Team *t);
/* The threads whose work a block has, if fewer than a warp has lanes pay; 0: they do not. */
int64_t team_order_lanes(const Team *t);
/* What forbids a directive of a team with loops in order; NULL: nothing, and slots have room. */
const char *team_forbids_order(Team *t, const Directive *given);
/* The elements of a slot for a thread, with room between rows, so that threads' 16 bytes lie in
** other banks. */
int64_t team_slot_columns(const TeamSlot *slot);
/* Gives slots room, in blocks of so many warps with so many threads' work; false if there is not
** enough. */
bool team_room(Team *t, int warps, int lanes);

/* ---- team_rows.c ----------------------------------------------------------------------------- */

/* Whether lanes can hand to each other all that a loop is given. */
bool team_hands(const Team *t, const IrStmt *loop);

/* ---- team_make.c ----------------------------------------------------------------------------- */

/* A warp's lanes for a thread's work each, or the threads of a block of so many warps; so many
** warps for so many threads', in each of so many blocks. */
void team_make_lanes(Team *t, const Guarded *guarded);
void team_make_block(Team *t, const Guarded *guarded, int warps);
void team_make_warps(Team *t, const Guarded *guarded, int warps, int blocks, int lanes);
