/* What builds teams: team_make.c. Not for others. */
#pragma once

#include "ir/schedule/stage/team.h"

typedef struct TeamBuild {
    IrBuilder b[1];
    Team *t;
    int size;      /* of a team */
    IrVar *place;  /* the thread asked for that it stands for: its index in the grid */
    IrVar *member; /* which of the team this one is */
    IrVar *lane;   /* which of its warp */
    IrVar *active; /* warps: the thread does something; NULL: lanes, whose warps do or not */
} TeamBuild;

/* ---- team_make.c ----------------------------------------------------------------------------- */

/* What was there before the loop comes in by one of the team; each makes its part of the
** iterations; and lanes put together what they have come to. */
void team_begin(const TeamBuild *m, const TeamLoop *loop, IrRegion *out);
void team_share(const TeamBuild *m, IrStmt *loop, IrRegion *out);
void team_exchange(const TeamBuild *m, const TeamSum *sum, IrRegion *out);
