/* A kernel's body carried out for several of the program's threads by each thread of the hardware:
** every statement once for each of those that it varies by. */
#pragma once

#include "ir/schedule/replicate/joint.h"

enum { REPLICA_DIMS = 4 };

/* A way in which the threads differ that one stands for. Axes are the hardware's. */
typedef struct ReplicaDim {
    bool merges; /* in their block's index, not in their own within it */
    int axis, count;
} ReplicaDim;

typedef struct Replicas {
    IrUnit *unit;
    IrJoints joints;
    uint32_t block[3]; /* threads of the program's blocks, by the hardware's axes */
    ReplicaDim dims[REPLICA_DIMS];
    int dim_count;
    IrVar *blocks[3]; /* along axes of which blocks are merged: how many there are */
    IrVar ***maps;    /* by combination of dims: what stands for each variable */
    IrVar *only[3];   /* along an axis whose blocks are taken one by one: which of them */
} Replicas;

/* The dims, as a set of bits, that something varies by that has these DIVERGES_ bits. */
int replicas_of_bits(const Replicas *r, int bits);
/* Whether threads of one block may take different ways at an `if`. */
bool replicas_part_block(const Replicas *r, const IrStmt *branch);
/* What keeps the body from being carried out so, in words, with its place; NULL: nothing. */
const char *replicas_hindrance(const Replicas *r, Span *at);
/* Replaces the body. */
void replicas_build(Replicas *r);
