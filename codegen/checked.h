/* The interface between a checked kernel and the checker.
**
** DIALECT_CHECK emits a kernel as one function that runs one thread from start to end,
**
**     void kjit_check_thread(KjitCheck *c, void *const *params);
**
** with `params` laid out as in codegen.h. Every memory access, synchronisation and operation that
** may fail calls `c->ops` with its source location, an index into Emitted.sites; only redundant
** reads, which would not change the shadow memory, may skip the call (KjitCheck.redundant). The
** checker schedules: any of these calls may return after other threads have run, and end() never
** returns. A thread also ends by returning. The threads of all blocks are multiplexed on one thread
** of the process, so plain C operations between two calls are atomic.
**
** prelude/check.c repeats the layout of KjitCheck and KjitCheckOps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Kinds of accesses. An atomic operation reads and writes at once. */
enum { CHECK_READ = 1, CHECK_WRITE = 2, CHECK_ATOMIC = 4 };
/* A volatile load, which no atomic operation races with. */
enum { CHECK_VOLATILE = CHECK_READ | CHECK_ATOMIC };

/* Address of views that are out of bounds: outside() has been called, and accesses to their
** elements must not be carried out. */
#define CHECK_NOWHERE ((uintptr_t)1 << 62)

static inline bool check_is_nowhere(const void *address)
{
    return (uintptr_t)address - CHECK_NOWHERE / 2 < CHECK_NOWHERE;
}

/* What EmitSite says of a loop with a last iteration, however far that is. */
#define CHECK_COUNTED_LOOP "counted loop"

/* Scopes of fences. */
enum { CHECK_FENCE_BLOCK, CHECK_FENCE_DEVICE, CHECK_FENCE_SYSTEM };

/* Barriers of a block, and what each returns to all threads. */
enum {
    CHECK_BARRIER,       /* nothing */
    CHECK_BARRIER_COUNT, /* how many values are not 0 */
    CHECK_BARRIER_AND,   /* 1 if all are not 0 */
    CHECK_BARRIER_OR     /* 1 if any is not 0 */
};

/* Warp operations. */
enum {
    CHECK_WARP_SYNC,
    CHECK_WARP_SHUFFLE,      /* the value of lane `argument` */
    CHECK_WARP_SHUFFLE_UP,   /* of the lane `argument` below */
    CHECK_WARP_SHUFFLE_DOWN, /* above */
    CHECK_WARP_SHUFFLE_XOR,
    CHECK_WARP_ALL, /* value and result are 0 or 1 */
    CHECK_WARP_ANY,
    CHECK_WARP_EQUAL,  /* whether all values are equal */
    CHECK_WARP_BALLOT, /* mask of the lanes whose value is 1 */
    CHECK_WARP_MATCH,  /* mask of the lanes with the same value */
    CHECK_WARP_ACTIVE  /* mask of the active lanes; takes no mask */
};

/* Errors of arithmetic. */
enum {
    CHECK_ZERO_DIVISION,  /* of integers: a is divided by 0 */
    CHECK_INDEX_OVERFLOW, /* a result used in an index overflows its type: a, b are the operands */
    CHECK_SHIFT,          /* a is shifted by b, which is negative or at least its width */
    CHECK_CAST,           /* float a (the bits of a double) does not fit an integer of b bits */
    CHECK_INDEX_CAST,     /* integer a, used in an index, does not fit b bits */
    CHECK_UNSET,          /* a local variable is read that nothing has set */
    CHECK_NAN,     /* a NaN computed from numbers a, b: the bits of doubles, of a function's first
                             two arguments; this and CHECK_INFINITY only with IrUnit.nan */
    CHECK_INFINITY /* an infinity computed from finite numbers a, b */
};

typedef struct KjitCheck KjitCheck;

typedef struct KjitCheckOps {
    /* An access within the bounds of its array. Returns the address to access: this one, or, if
    ** that would be an error, scratch bytes of the thread's. A store's value is computed before the
    ** call. */
    void *(*access)(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
    /* The same for four bytes, the most frequent size. */
    void *(*read)(KjitCheck *c, int site, void *address);
    void *(*write)(KjitCheck *c, int site, void *address);
    /* An access out of bounds: `index`, as written in the program, along `axis` of `extent`
    ** elements. Returns the address to access instead. For a view `bytes` and `access` are 0, the
    ** result is ignored, and the view's address is CHECK_NOWHERE. */
    void *(*outside)(KjitCheck *c, int site, int axis, int64_t index, int64_t extent,
                     uint32_t bytes, int access);
    /* A local array comes into scope, with nothing written. */
    void (*local)(KjitCheck *c, int site, void *address, uint64_t bytes);
    void (*fence)(KjitCheck *c, int site, int scope);
    int64_t (*barrier)(KjitCheck *c, int site, int kind, int64_t value);
    /* Values are bit patterns, zero-extended. `width` is that of numba's shuffles, 32 by
    ** default. */
    uint64_t (*warp)(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value,
                     int32_t argument, int32_t width);
    void (*grid)(KjitCheck *c, int site); /* a barrier of all blocks */
    void (*wrong)(KjitCheck *c, int site, int kind, int64_t a, int64_t b);
    /* assert or raise: entry `fault` of Emitted.faults with its values; end() follows. */
    void (*fault)(KjitCheck *c, int fault, const int64_t *integers, const double *floats);
    /* A condition that may diverge; only with KjitCheck.advise. */
    void (*branch)(KjitCheck *c, int site, int taken);
    /* The thread's budget `iterations` is used up, of which each iteration of a loop and each call
    ** of a recursive function takes one. */
    void (*iteration)(KjitCheck *c, int site);
    /* An undefined result of a shuffle, which read a lane that does not take part, is copied to the
    ** variable of bit `to` of `undefined`: from the last shuffle if from < 0, else from the
    ** variable of bit `from`. With to < 0 it is used. */
    void (*undefined)(KjitCheck *c, int from, int to);
    /* An atomic exchange, or compare and swap, has changed an integer. */
    void (*swapped)(KjitCheck *c, const void *address, uint32_t bytes, uint64_t before,
                    uint64_t after);
    /* Integer a, part of an index, loses bits when converted to `bits` bits, by the arithmetic with
    ** bit `number` of `wraps` or, where the result is stored in an array, of `stored`. `data`: it
    ** was computed from elements of arrays. */
    void (*cut)(KjitCheck *c, int site, int number, bool stored, bool data, int64_t a, int bits);
    /* An index in range was computed from arithmetic that has wrapped: bits of it that went in
    ** unchanged (`whole`), and through more arithmetic (`part`). */
    void (*used)(KjitCheck *c, int site, uint32_t whole, uint32_t part, int64_t extent);
    /* Memory is passed to a linked function, which may write all of it: it counts as written before
    ** the launch. The function's accesses are not checked. */
    void (*escaped)(KjitCheck *c, void *address, uint64_t bytes);
    /* The thread ends; does not return. */
    void (*end)(KjitCheck *c);
} KjitCheckOps;

/* Whose reads of a word are redundant, by the word's mark: of all threads, the block's, the
** warp's. */
enum { CHECK_REDUNDANT_ALL, CHECK_REDUNDANT_BLOCK, CHECK_REDUNDANT_WARP, CHECK_REDUNDANTS };

/* Operations of index arithmetic that are tracked, each by a bit. */
enum { CHECK_WRAPS = 32 };

/* One thread of the kernel: the first member of the checker's Thread. The first fields serve
** redundant reads, which need no call: reads of one or two whole words of four bytes, aligned to
** their size, in watched memory, whose marks are all among `redundant`. Such a read takes one from
** the budget, if there is any left. */
struct KjitCheck {
    const KjitCheckOps *ops;
    uint64_t base;        /* of watched memory */
    uint64_t words;       /* of watched memory; 0: no read is redundant */
    const uint64_t *mark; /* of each word */
    uint64_t redundant[CHECK_REDUNDANTS];
    int32_t budget; /* calls left in its time slice */
    int32_t site;   /* of its last call */
    int32_t block[3], thread[3], block_dim[3], grid_dim[3];
    char *shared;            /* its block's static shared arrays as laid out in Emitted.shared */
    char *dynamic;           /* its block's dynamic shared memory */
    uint64_t dynamic_shared; /* bytes */
    int64_t iterations;      /* left until iteration() is called */
    int32_t called;          /* site of the kernel's last call of a function; -1: none */
    int32_t left;            /* site of the kernel's return; -1: none yet, or at its end */
    uint32_t undefined;      /* bits of variables that hold an undefined result of a shuffle */
    uint32_t wraps;          /* bits of operations whose last result wrapped */
    const uint32_t *stored;  /* bits of operations whose wrapped results any thread has stored */
    bool advise;             /* whether to call branch() */
    bool shuffle_undefined;  /* whether the last shuffle's result is undefined */
};

/* prelude/check.c asserts the same. */
_Static_assert(sizeof(KjitCheck) == 176, "another layout");
