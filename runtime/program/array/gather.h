/* Indices that are arrays: what gather.c finds of them, and the kernels that follow them. */
#ifndef KJIT_GATHER_H
#define KJIT_GATHER_H

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

/* The shape of what is taken; its rank. */
int gather_shape(const Gather *g, int64_t *shape);

/* ---- array/scatter.c ------------------------------------------------------------------------ */

/* Whether kernels are to do it: the host has few elements done meanwhile, unless they are on the
** device. */
bool gather_by_kernels(Program *p, const HostArray *array, int64_t count);
/* *beyond: an index is beyond its axis. */
bool gather_is_beyond(Gather *g, bool *beyond);
/* Takes the elements; stores them, a number or an array of their shape. */
bool gather_take_by_kernel(Gather *g, HostArray *made);
bool gather_put_by_kernels(Gather *g, HostValue value);
/* gather_where() by kernels. */
bool gather_where_by_kernels(Program *p, HostArray *mask, HostArray *places[KJIT_RANK_MAX]);

#endif
