/* What the analyses claim, against brute force: random small kernels are run thread by thread, and
** what their values are and which elements they touch is compared with every claim.
**
** draw*.c    a random kernel as IR text
** launch.c   a random launch of it: sizes, scalars, memory that may overlap, facts that hold
** run*.c     runs it, and notes each value and each access
** values.c   claims about values: ranges, linear forms, what is the same where
** memory.c   claims about accesses: same, disjoint, read, written, overwritten whole
** passes.c   passes whose result can be run too must leave the same memory
** main.c     seeds, and what is printed of a claim that is false */
#ifndef KJIT_TESTS_BRUTE_H
#define KJIT_TESTS_BRUTE_H

#include "ir/ir.h"

enum { ARRAYS = 3, SCALARS = 4, PARAMS = ARRAYS + SCALARS, MEMORY = 512, OWN_MEMORY = 1024 };
enum { NESTED = 5, ORDINAL_BITS = 12 }; /* loops in one another; their iterations */

typedef struct Random {
    uint64_t state;
} Random;

/* A number from 0 to below `below`; true once in `of`. */
uint32_t draw_below(Random *random, uint32_t below);
bool draw_once_in(Random *random, uint32_t of);
/* A kernel k(x, y, z, n, m, h, w): two rows and a matrix of int64, two int64, an int32 and a
** uint64. */
const char *draw_kernel(Arena *arena, Random *random);

/* ---- launch.c ------------------------------------------------------------------------------ */

typedef struct Launch {
    uint32_t grid[3], block[3];
    int threads;              /* of the whole grid */
    int64_t base[ARRAYS];     /* of an array, in elements of the memory */
    int64_t shape[ARRAYS][2]; /* the matrix has both */
    int64_t scalar[SCALARS];
    int64_t memory[MEMORY]; /* before */
} Launch;

void launch_draw(Launch *launch, Random *random);
int64_t launch_elements(const Launch *launch, int array);
bool launch_overlap(const Launch *launch, int a, int b);
/* Some of the facts that hold. */
void launch_facts(const Launch *launch, Random *random, IrFacts *facts);
void launch_print(const Launch *launch);
/* The index of a thread of the grid in its block, or the block's. */
void launch_place(const Launch *launch, int thread, uint32_t thread_idx[3], uint32_t block_idx[3]);

/* ---- run.c --------------------------------------------------------------------------------- */

/* A value of the kernel's text, by the statement that it hangs on. */
typedef struct Node {
    const IrValue *value;
    const IrStmt *stmt;
    const IrStmt *loops[NESTED]; /* around the value, outer ones first */
    int depth;
    bool root; /* no operand of another */
} Node;

/* A value that a thread had: the ordinals of the iterations of all loops around it, the outermost
** in the highest bits, say when. */
typedef struct Event {
    int node, thread;
    uint64_t when;
    int64_t value;
} Event;

/* An element that a load, a store or an atomic came to. */
typedef struct Touch {
    const void *access; /* the load's or atomic's IrValue, or the IrStmt of a store */
    int array, thread;  /* the parameter that it is of; ARRAYS: a private array */
    uint64_t when;
    int64_t at; /* in the memory, and behind it in the thread's own */
    int how;    /* ACCESS_ */
} Touch;

/* How often a thread went round a loop, and by which ways it left a statement. */
typedef struct Exit {
    const IrStmt *stmt;
    int thread;
    uint64_t when;
    int64_t iterations; /* of a loop, else -1 */
    int ways;           /* OUT_ flags, 0: by its end */
} Exit;

typedef struct Run {
    Arena *arena;
    const IrUnit *unit;
    const Launch *launch;
    int64_t memory[MEMORY];
    bool undefined;   /* something happened of which nothing can be claimed, or it takes too long */
    bool unsupported; /* there is an operation that is not known here */
    bool racy;        /* a thread came to an element that another wrote */
    bool quiet;       /* nothing is noted */
    Node *nodes;
    int node_count, node_capacity;
    int *slots; /* a hash table of nodes by their values */
    int slot_count;
    Event *events;
    int event_count, event_capacity;
    Touch *touches;
    int touch_count, touch_capacity;
    Exit *exits;
    int exit_count, exit_capacity;
    /* asked at each value, while the thread's variables are what they are */
    void (*each)(void *context, struct Run *run, int node, int64_t value);
    void *context;
    struct Runner *at;
} Run;

Run *run_new(Arena *arena, const IrUnit *unit, const Launch *launch);
void run_all(Run *run);
/* What a value is at the point where run->each was called; false if that is not defined. */
bool run_value(Run *run, const IrValue *value, int64_t *result);
/* The ordinals of the outer `depth` loops alone. */
uint64_t when_outside(uint64_t when, int depth);

/* ---- claims -------------------------------------------------------------------------------- */

/* Says that a claim about a statement is false; at most once a kernel and kind of claim. */
void claim_fails(const Run *run, const IrStmt *stmt, const IrValue *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef struct ValueClaims ValueClaims;
/* Asks the analyses, has the kernel run, and compares. */
ValueClaims *values_ask(Run *run);
void values_compare(ValueClaims *claims);
void memory_compare(Run *run);
void passes_compare(const Run *run, const char *text, Random *random, const IrFacts *facts);

#endif
