/* What a kernel that runs on the processor in place of a GPU asks of who runs it: cuda.hpp has the
** names that CUDA C gives it, threads.c does it. */
#ifndef KJIT_TESTS_EMULATED_H
#define KJIT_TESTS_EMULATED_H

#include <stddef.h>

typedef struct EmulatedAxes {
    unsigned x, y, z;
} EmulatedAxes;

typedef enum EmulatedMeeting { MEET, MEET_COUNT, MEET_AND, MEET_OR } EmulatedMeeting;

typedef struct Emulated {
    EmulatedAxes thread, block, block_dim, grid_dim; /* of the thread that runs */
    unsigned lane, shared_bytes;
    unsigned char *shared; /* what a launch asks for beside the kernel's own */
    /* Waits for all threads of the block that have not ended; what comes of their predicates. */
    int (*meet)(EmulatedMeeting how, int predicate);
    /* Waits for the lanes of a mask that have not ended, for the same `purpose`; what each of them
    ** gave, by lane, and which they are. */
    const unsigned long long *(*exchange)(int purpose, unsigned mask, unsigned long long value,
                                          unsigned *there);
    void (*stop)(void);              /* ends the thread */
    void (*wrong)(const char *what); /* ends the process */
} Emulated;

typedef void EmulatedEntry(void *const *params, Emulated *emulated);

/* Runs a kernel, block after block, each block's threads in an order that differs between any two
** places where they wait: a barrier that is missing shows. */
void emulated_launch(EmulatedEntry *entry, const unsigned grid[3], const unsigned block[3],
                     size_t shared, void *const *params);

#endif
