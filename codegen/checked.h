/* What a checked kernel and the checker say to each other.
**
** DIALECT_CHECK writes a kernel as one function that runs one thread from its begin to its end,
**
**     void kjit_check_thread(KjitCheck *c, void *const *params);
**
** with `params` as codegen.h says. Whatever touches memory, synchronises, or may go wrong goes
** through `c->ops`, each time with the number of the site in the source, an index of
** Emitted.sites; but not reads that leave nothing new behind, of which a mark of the word tells.
** The checker decides whose turn it is: any of these calls may come back after other threads have
** run, and end() never does. A thread that returns is over as well. The threads of all blocks take
** iterations on one thread of the process, so plain C operations are atomic between two calls.
**
** The layout of KjitCheck and KjitCheckOps is written out again in prelude/check.c. */
#ifndef KJIT_CHECKED_H
#define KJIT_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* What is done to memory. An atomic operation reads and writes at once. */
enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4 };

/* Where views lie of what is not there: outside() was told, and what is done to their elements must
** not happen anywhere. */
#define CHECK_NOWHERE ((uintptr_t)1 << 62)

static inline bool check_is_nowhere(const void *address)
{
    return (uintptr_t)address - CHECK_NOWHERE / 2 < CHECK_NOWHERE;
}

/* How far a fence reaches. */
enum { CHECK_FENCE_BLOCK, CHECK_FENCE_DEVICE, CHECK_FENCE_SYSTEM };

/* Where the threads of a block meet: what they are asked, and what all of them get. */
enum {
    CHECK_BARRIER,       /* nothing */
    CHECK_BARRIER_COUNT, /* how many said other than 0 */
    CHECK_BARRIER_AND,   /* 1 if all did */
    CHECK_BARRIER_OR     /* 1 if any did */
};

/* Where the lanes of a warp meet. */
enum {
    CHECK_WARP_SYNC,
    CHECK_WARP_SHUFFLE,      /* value of lane `argument` */
    CHECK_WARP_SHUFFLE_UP,   /* of the lane that many below */
    CHECK_WARP_SHUFFLE_DOWN, /* above */
    CHECK_WARP_SHUFFLE_XOR,
    CHECK_WARP_ALL, /* value is 0 or 1; so is what comes back */
    CHECK_WARP_ANY,
    CHECK_WARP_EQUAL,  /* whether all say the same */
    CHECK_WARP_BALLOT, /* the lanes that say 1 */
    CHECK_WARP_MATCH,  /* the lanes that say the same value */
    CHECK_WARP_ACTIVE  /* the lanes that are there; has no mask */
};

/* What goes wrong in arithmetic. */
enum {
    CHECK_ZERO_DIVISION,  /* of integers: a is divided by 0 */
    CHECK_INDEX_OVERFLOW, /* the result, used as an index, is beyond its type: a, b the operands */
    CHECK_SHIFT,          /* a is shifted by b, which is negative or beyond its bits */
    CHECK_CAST,           /* float a (the bits of a double) is beyond the integers of b bits */
    CHECK_INDEX_CAST,     /* integer a, used as an index, is beyond those of b bits */
    CHECK_NAN,            /* is born, of numbers: the bits of doubles, of a function's first two;
                             this and infinity only where the unit asks for it (IrUnit.nan) */
    CHECK_INFINITY        /* is born, of finite numbers likewise */
};

typedef struct KjitCheck KjitCheck;

typedef struct KjitCheckOps {
    /* An access to bytes that lie in the bounds of their array. Where to do it: there, or, if that
    ** would be wrong, at bytes that no other thread has. A store's value has been computed
    ** before. */
    void *(*access)(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
    /* The same of four bytes, for most are. */
    void *(*read)(KjitCheck *c, int site, void *address);
    void *(*write)(KjitCheck *c, int site, void *address);
    /* The same of an element that is not: `index`, as the program says it, along `axis` of
    ** `extent` elements. Where to do it instead. Where only a view is taken of what the index says,
    ** `bytes` and `access` are 0, nothing is done with the answer, and the view is nowhere. */
    void *(*outside)(KjitCheck *c, int site, int axis, int64_t index, int64_t extent,
                     uint32_t bytes, int access);
    /* Memory of the thread alone begins: it has not been written. */
    void (*local)(KjitCheck *c, int site, void *address, uint64_t bytes);
    void (*fence)(KjitCheck *c, int site, int scope);
    int64_t (*barrier)(KjitCheck *c, int site, int kind, int64_t value);
    /* Values are the bits of what is said, zero-extended. `width` as numba's shuffles have it: 32
    ** where nothing is said. */
    uint64_t (*warp)(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value,
                     int32_t argument, int32_t width);
    void (*grid)(KjitCheck *c, int site); /* the blocks meet */
    void (*wrong)(KjitCheck *c, int site, int kind, int64_t a, int64_t b);
    /* assert or raise: number `fault` of Emitted.faults with its values; then end(). */
    void (*fault)(KjitCheck *c, int fault, const int64_t *integers, const double *floats);
    /* A condition that threads may differ in; only where advice is asked for. */
    void (*branch)(KjitCheck *c, int site, int taken);
    /* A loop begins another iteration, or a function that calls itself another call, and
    ** `iterations`, which each of them takes one from, are used up. */
    void (*iteration)(KjitCheck *c, int site);
    /* A variable, of a bit of `heard`, is set to a number that a shuffle had from no lane: to that
    ** of the last shuffle, or from >= 0 of another variable. With to < 0 the number is used. */
    void (*heard)(KjitCheck *c, int from, int to);
    /* An atomic exchange, or compare and swap, has changed an integer of so many bytes. */
    void (*swapped)(KjitCheck *c, const void *address, uint32_t bytes, uint64_t before,
                    uint64_t after);
    /* Integer a, which goes into an index, is cut to so many bits: as the arithmetic with the bit
    ** `number` of `wraps`, or, of what is stored in an array for all, of `stored`. `data` says
    ** whether it was computed of what arrays hold. */
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, int64_t a, int bits);
    /* An index that is in range was made of arithmetic that has wrapped: of some of these bits, as
    ** it came or by more arithmetic. */
    void (*used)(KjitCheck *c, int site, uint32_t whole, uint32_t part, int64_t extent);
    /* Memory goes to a function that is linked, which may write all of it: it counts as written,
    ** as if before the launch. What the function does there is not looked at. */
    void (*given)(KjitCheck *c, void *address, uint64_t bytes);
    /* The thread is over; does not come back. */
    void (*end)(KjitCheck *c);
} KjitCheckOps;

/* Who need not say that it reads a word: what it would leave behind is known already. */
enum { CHECK_TOLD_ALL, CHECK_TOLD_BLOCK, CHECK_TOLD_WARP, CHECK_TOLD };

/* Arithmetic of indices that has a bit in the thread: so many are told apart. */
enum { CHECK_WRAPS = 32 };

/* One thread of the kernel; the front of what the checker has of it. First what an access looks at
** that need not be said: a read of one or two whole words of four bytes, aligned to its size, in
** memory that the checker watches, if the mark of either is one of `told` and the budget is not
** used up, from which such a read takes one. */
struct KjitCheck {
    const KjitCheckOps *ops;
    uint64_t base;        /* where watched memory begins */
    uint64_t words;       /* how many it is; 0 where all is to be said */
    const uint64_t *mark; /* of each */
    uint64_t told[CHECK_TOLD];
    int32_t budget; /* calls that it may make until others have a turn */
    int32_t site;   /* where it was seen last */
    int32_t block[3], thread[3], block_dim[3], grid_dim[3];
    char *shared;            /* its block's static shared arrays as laid out in Emitted.shared */
    char *dynamic;           /* its block's dynamic shared memory */
    uint64_t dynamic_shared; /* bytes */
    int64_t iterations;      /* of loops, that it may make until iteration() is asked */
    int32_t called;          /* where the kernel called the function at hand; -1: nowhere yet */
    int32_t left;            /* where the kernel returned; -1: nowhere yet, or at its end */
    uint32_t heard;          /* bits of variables that hold what a shuffle had from no lane */
    uint32_t wraps;          /* bits of arithmetic whose last result wrapped */
    const uint32_t *stored;  /* bits of what was cut for arrays, by any thread */
    bool advise;             /* whether branch() is wanted */
    bool unheard;            /* whether the last shuffle read no lane */
};

/* As prelude/check.c has it. */
_Static_assert(sizeof(KjitCheck) == 176, "another layout");

#endif
