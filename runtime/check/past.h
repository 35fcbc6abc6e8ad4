/* Pasts: what is before something, of the threads of many blocks. Values, counted by reference. */
#ifndef KJIT_CHECK_PAST_H
#define KJIT_CHECK_PAST_H

#include <stdbool.h>
#include <stdint.h>

/* NULL is nothing. */
typedef struct Past Past;

/* What of one warp's threads is before, in one phase of their block. */
typedef struct PastRow {
    uint32_t warp;
    uint32_t time[32]; /* [lane]: 1 + the last of its times; 0: none */
} PastRow;

/* Where pasts live; zeroed at first. They need not be given back one by one before the end. */
typedef struct PastHeap {
    struct PastChunk *chunks;
    void *free[34]; /* by what they hold */
    uint64_t bytes; /* that it has taken */
    uint64_t work;  /* what was looked at so far, in parts of pasts */
    bool out;       /* of memory: pasts tell less than they should */
} PastHeap;

void past_close(PastHeap *heap);
/* All of a block before as many barriers, and the row of the phase after. */
Past *past_make(PastHeap *heap, uint32_t block, uint32_t barrier, const PastRow *row);
Past *past_keep(Past *past);
void past_drop(PastHeap *heap, Past *past);
/* What is in either; one more to drop. */
Past *past_join(PastHeap *heap, Past *a, Past *b);
/* The part about a block, or NULL. Still the whole's. */
Past *past_of_block(Past *past, uint32_t block);
/* Whether it has what a thread did at a time of the phase of its block after so many barriers. */
bool past_has(const Past *past, uint32_t block, uint32_t thread, uint32_t barrier, uint32_t time);

#endif
