/* Vector clocks over the threads of many blocks: which of their events happen before something.
** Immutable values, counted by reference. */
#ifndef KJIT_CHECK_PAST_H
#define KJIT_CHECK_PAST_H

#include <stdbool.h>
#include <stdint.h>

/* NULL: no events. */
typedef struct Past Past;

/* The clocks of one warp's threads in one phase of their block. */
typedef struct PastRow {
    uint32_t warp;
    uint32_t time[32]; /* [lane]: 1 + the time of its last event; 0: none */
} PastRow;

/* Allocator of vector clocks; begins zeroed. vector_clocks_close() frees all that are left. */
typedef struct PastHeap {
    struct PastChunk *chunks;
    void *free[34]; /* by number of rows */
    uint64_t bytes; /* allocated */
    uint64_t work;  /* leaves and forks visited so far */
    bool out;       /* out of memory: clocks may lack events */
} PastHeap;

void past_close(PastHeap *heap);
/* All events of a block before that many barriers, and the row of the phase after them. */
Past *past_make(PastHeap *heap, uint32_t block, uint32_t barrier, const PastRow *row);
Past *past_keep(Past *past);
void past_drop(PastHeap *heap, Past *past);
/* The union, as a new reference. */
Past *past_join(PastHeap *heap, Past *a, Past *b);
/* The part about a block, or NULL; a borrowed reference. */
Past *past_of_block(Past *past, uint32_t block);
/* Whether it has the event of a thread at a time of the phase after so many barriers of its
** block. */
bool past_has(const Past *past, uint32_t block, uint32_t thread, uint32_t barrier, uint32_t time);

#endif
