/* Branches that the threads of a group, carried out by one, go through together.
**
** Where a thread of the hardware stands for several of the program's
** (ir/schedule/replicate/replicas.h), a branch that some of these take and others do not would be
** walked through by one after the other. If a barrier stands in it that cannot be, and else it is
** slow. Such branches are joint: all of the group enter, and each thread for which the condition
** does not hold is held back statement by statement. What is set in a joint branch then varies by
** its own values alone, not by the condition, as long as nothing from before the branch or another
** iteration of a loop can be seen. */
#pragma once

#include "ir/analysis/divergence.h"

typedef struct IrJoints {
    IrDivergence divergence; /* with what is said above */
    const IrStmt **list;     /* the ifs with a joint branch, outer ones first */
    int count, capacity;
    bool **local; /* of each, by IrVar.id: what its branch sets is seen nowhere else, nor when the
                     branch is entered again */
} IrJoints;

/* Of the kernel. Turns `if c: continue` before a barrier into a branch around what follows. */
IrJoints ir_joints(IrUnit *unit);
/* Its number, or -1. */
int ir_find_joint(const IrJoints *joints, const IrStmt *stmt);
/* The joint branch of such an if. */
const IrRegion *ir_joint_branch(const IrStmt *stmt);

/* What a loop's iterations vary by: its bounds and what leaves it, or goes on to the next
** iteration. */
int ir_divergence_of_loop(const IrDivergence *divergence, const IrStmt *loop);
