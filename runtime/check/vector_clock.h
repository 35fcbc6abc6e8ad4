/* Vector clocks over the threads of many blocks: which of their events happen before something.
** Immutable values, counted by reference. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* NULL: no events. */
typedef struct VectorClock VectorClock;

/* The clocks of one warp's threads in one phase of their block. */
typedef struct ClockRow {
    uint32_t warp;
    uint32_t time[32]; /* [lane]: 1 + the time of its last event; 0: none */
} ClockRow;

/* Allocator of vector clocks; begins zeroed. vector_clocks_close() frees all that are left. */
typedef struct ClockHeap {
    struct ClockChunk *chunks;
    void *free[34]; /* by number of rows */
    uint64_t bytes; /* allocated */
    uint64_t work;  /* leaves and forks visited so far */
    bool out;       /* out of memory: clocks may lack events */
} ClockHeap;

/* Frees all clocks of a heap, whoever retains them. */
void vector_clocks_close(ClockHeap *heap);
/* All events of a block before that many barriers, and the row of the phase after them. */
VectorClock *vector_clock_new(ClockHeap *heap, uint32_t block, uint32_t barrier,
                              const ClockRow *row);
VectorClock *vector_clock_retain(VectorClock *clock);
void vector_clock_drop(ClockHeap *heap, VectorClock *clock);
/* The union, as a new reference. */
VectorClock *vector_clock_join(ClockHeap *heap, VectorClock *a, VectorClock *b);
/* The part about a block, or NULL; a borrowed reference. */
VectorClock *vector_clock_of_block(VectorClock *clock, uint32_t block);
/* Whether it has the event of a thread at a time of the phase after so many barriers of its
** block. */
bool vector_clock_has(const VectorClock *clock, uint32_t block, uint32_t thread, uint32_t barrier,
                      uint32_t time);
