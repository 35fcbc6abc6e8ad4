/* What team.c finds and team_make.c builds. Not for others. */
#pragma once

#include "ir/analysis/flow/flow.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/stage/front.h"

enum {
    TEAM_SUMS = 4,      /* that a loop may add to */
    TEAM_WARPS = 16,    /* of a block, where passes choose */
    TEAM_STEP = 1 << 16 /* a loop's step, at most */
};

/* What iterations of a loop do to a variable that goes on from one to the next: always the same
** operation, whose operands may come in any order. */
typedef struct TeamSum {
    IrVar *var;
    IrOp op; /* OP_intrinsic: `intrinsic`, of two */
    IrIntrinsic intrinsic;
} TeamSum;

/* A loop whose iterations are shared out. */
typedef struct TeamLoop {
    IrStmt *loop;
    TeamSum sums[TEAM_SUMS];
    int sum_count;
    bool outer; /* all threads of a block execute it, but for conditions around the kernel */
} TeamLoop;

typedef struct Team {
    IrUnit *unit;
    IrAffine affine;
    TeamLoop *loops;
    int count, capacity;
    int along, across; /* accesses that differ between threads: those that go by one element with
                          the counter of such a loop, and with the thread's index */
    bool all;          /* each loop is shared out, or has such loops in it */
    bool meets;        /* one of them reads what the kernel writes, or stores where others may: all
                          of a team meet before and behind each */
    const char *why;   /* not all threads of a team come to the same; NULL: they do */
    Span where;
} Team;

/* Finds the loops, of a kernel that is as it was or whose variables have new numbers. */
void team_look(Team *t, const Guarded *guarded);
/* What one of the team does for all. */
bool team_is_for_one(const IrStmt *stmt);
const TeamLoop *team_loop(const Team *t, const IrStmt *stmt);

/* ---- team_sums.c ----------------------------------------------------------------------------- */

/* What of a loop goes on from one iteration to the next, or behind the loop; false if that is
** something else than sums. */
bool team_sums(const Team *t, TeamLoop *loop);

/* ---- team_make.c ----------------------------------------------------------------------------- */

/* A warp's lanes for a thread's work each; so many warps for 32 threads'. */
void team_make_lanes(Team *t, const Guarded *guarded);
void team_make_warps(Team *t, const Guarded *guarded, int warps);
