/* Indices that are arrays: what gather.c finds of them, and the kernels that follow them. */
#pragma once

#include "runtime/program/fuse.h"

typedef struct Gather {
    Program *program;
    HostArray *array;
    HostArray *indices[KJIT_RANK_MAX]; /* of integers */
    int axes[KJIT_RANK_MAX];           /* of `rest` before they are taken out, one an index */
    int count;
    int masked;       /* how many of them are places where a mask is true */
    bool apart;       /* something stands between two of them */
    kjit_array whole; /* what the slices take */
    kjit_array rest;  /* of it the axes without arrays; its data is where all indices are 0 */
    int rank, front;  /* of what the arrays are broadcast to; axes of `rest` that come before */
    int64_t shape[KJIT_RANK_MAX];
} Gather;

/* Writes the shape of what is taken, of 2 * KJIT_RANK_MAX axes at the most; returns its rank. */
int gather_shape(const Gather *g, int64_t *shape);

/* ---- array/scatter.c ------------------------------------------------------------------------ */

/* These return false after an error, but for gather_by_kernels(). */

/* Whether kernels are to take or store `count` elements of an array: of few that the host has it is
** faster itself. */
bool gather_by_kernels(Program *p, const HostArray *array, int64_t count);
/* Sets *beyond to whether an index is beyond its axis; waits for the kernels that look. */
bool gather_is_beyond(Gather *g, bool *beyond);
/* Takes the elements into `made`, which has gather_shape(). No index may be beyond its axis. */
bool gather_take_by_kernel(Gather *g, HostArray *made);
/* Stores a number, or the elements of an array of gather_shape() and the same dtype. Likewise. */
bool gather_put_by_kernels(Gather *g, HostValue value);
/* As gather_where(). */
bool gather_where_by_kernels(Program *p, HostArray *mask, HostArray *places[KJIT_RANK_MAX]);
