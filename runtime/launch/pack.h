/* A launch's parameters, and the device memory that stands for its host arrays. */
#pragma once

#include "runtime/runtime.h"

/* What nearly all launches get by with, without asking for memory. */
enum { FEW_SLOTS = 256, FEW_SPANS = 16 };

/* The bytes of one or more host arrays, and the device memory that stands for them. */
typedef struct HostSpan {
    char *low, *high;
    int access;
    bool whole;       /* every array in it is overwritten whole: what it holds does not matter */
    bool unwritten;   /* none of it has been written */
    bool shared;      /* by arrays that start at different places */
    Block block;      /* device memory */
    ptrdiff_t offset; /* of the span in it */
} HostSpan;

/* A launch's parameters as the entry takes them. */
typedef struct Pack {
    uint64_t *slots; /* values, eight bytes or a whole tuple each */
    size_t used;     /* slots */
    void **params;
    size_t count;
    HostSpan *spans;
    int span_count;
    void *stream;                         /* the device's, whose order the copies are in */
    Block fault;                          /* of a KjitFault; no memory without debug */
    uint64_t sums[EXACT_ARRAYS], rounded; /* as in LaunchRequest */
    int sum_count;
    _Alignas(16) uint64_t few_slots[FEW_SLOTS];
    void *few_params[FEW_SLOTS];
    HostSpan few_spans[FEW_SPANS];
} Pack;

/* Everything but the launch: memory on the device, and the parameters. pack_free() it whatever
** comes of it. `request` has the grid and the block. The pack stays where it is: it points into
** itself. */
kjit_status pack_args(Pack *pack, Device *device, void *stream, const Specialisation *spec,
                      const LaunchRequest *request, const kjit_arg *args, size_t count);
/* Brings what the kernel wrote back to the host arrays among the same arguments: their elements,
** and nothing that lies between them. */
kjit_status pack_fetch(const Pack *pack, Device *device, const Specialisation *spec,
                       const kjit_arg *args, size_t count);
/* What a debug kernel reported, once it is done. */
kjit_status pack_fault(Pack *pack, Device *device, KjitFault *fault);
/* Gives the memory back, behind the work of the stream. */
void pack_free(Pack *pack, Device *device);
