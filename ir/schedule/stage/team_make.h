/* What builds teams: team_make.c, team_rows.c, team_order_make.c. Not for others. */
#pragma once

#include "ir/schedule/stage/team.h"

typedef struct TeamBuild {
    IrBuilder b[1];
    Team *t;
    int size;         /* of a team */
    int lanes;        /* of warps across: the threads whose work a block has */
    bool alone;       /* and such a block has a multiprocessor for itself */
    int teams;        /* of a block, each a warp, or the block; not of warps across */
    IrVar *block;     /* of those that share one's work: their number among such; NULL: none do */
    IrVar *place;     /* the thread asked for that it stands for: its index in the grid */
    IrVar *beside[2]; /* the same along the other axes, of a block for a thread */
    IrVar *member;    /* which of the team this one is */
    IrVar *lane;      /* which of its warp */
    IrVar *active;    /* warps: the thread does something; NULL: lanes, whose warps do or not */
    IrVar *row;   /* of TEAM_ROWS warps: the index of the thread that lane number `member` stands
                      for, whose row the warp takes; */
    IrVar *taken; /* and whether that does something */
    int share_count;
    bool *shares; /* by IrVar.id: a thread's own array that a team has in common */
} TeamBuild;

/* ---- team_make.c ----------------------------------------------------------------------------- */

/* What was there before the loop comes in by one of the team; each makes its part of the
** iterations; and lanes put together what they have come to. */
void team_begin(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
void team_share(const TeamBuild *m, IrStmt *loop, IrRegion *out);
void team_exchange(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
/* All of a team that is a warp or a block meet. */
void team_meet(const TeamBuild *m, IrRegion *out);

/* ---- team_tally.c ---------------------------------------------------------------------------- */

/* In front of a loop, in it, and behind it, where all of the team have met. */
void team_begin_tallies(TeamBuild *m, TeamLoop *loop, IrRegion *out);
void team_change_tallies(TeamBuild *m, const TeamLoop *loop);
void team_end_tallies(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
/* Puts shared memory in place of a thread's own arrays that teams have in common. */
void team_move_own(TeamBuild *m, IrRegion *body);

/* ---- team_adds.c ----------------------------------------------------------------------------- */

/* In front of a loop that warps share out, and behind it: what each of the team adds to the arrays
** that it has of its own comes to all of them. */
void team_begin_adds(TeamBuild *m, TeamLoop *loop, IrRegion *out);
void team_end_adds(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);

/* ---- team_rows.c ----------------------------------------------------------------------------- */

/* Appends what hands a thread's variables to the warp that takes its row: gives what clones the
** loop, or parts of it, as that thread has them. */
IrClone team_hand_over(const TeamBuild *m, const IrStmt *loop, IrRegion *out);
/* A loop of each of the team's threads by the lanes of a warp. */
void team_rows(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
/* Gives a variable that one warp, or a lane of each, has stored in `parts`, by thread, to all. */
IrVar *team_parts(const TeamBuild *m, const IrVar *var);
void team_spread(const TeamBuild *m, const TeamLoop *loop, IrVar *const *parts, IrRegion *out);

/* ---- team_order_make.c ----------------------------------------------------------------------- */

/* A loop in order by one warp, of what all bring to shared memory. */
void team_in_order(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
