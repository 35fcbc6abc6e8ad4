/* From typed IR to text: CUDA C for NVRTC, or C for the system's compiler, as it is or with the
** checker's questions. One emitter, three dialects; the differences stand side by side in text.def
** and in the preludes.
**
** The CUDA text has one extern "C" __global__ function, named like the kernel. The C text has one
** entry, `int kjit_entry(void *const *params, const KjitHostLaunch *launch)`, that runs the whole
** grid, blocks in parallel by KjitHostLaunch.share, and returns 0, 1 if it had no memory, or 2 if
** the threads of a block wait for one another at synchronisations that cannot both open: a deadlock
** on a GPU too, 3 if blocks wait for the grid while others have ended: likewise, and 5 if threads
** repeat loops that wait for others, and none is left that does anything.
**
** Parameters, for both, in order. `params` holds a pointer to each value:
**     scalar      the value (bool as one byte, float16 and bfloat16 as their bits)
**     array       its address, its extents as int64, and for layout A its strides in bytes as
**                 int64: 1 + rank or 1 + 2 * rank values; a rank-0 array is its address alone
**     tuple       one value, a C struct of its items in order, one byte if it has none; an array
**                 inside is the struct
**                 { T *data; int64_t shape[rank]; int64_t strides[rank]; } with strides in every
**                 layout and no member of length 0
** behind them, when the kernel was lowered for debug, the address of a KjitFault; and in CUDA, for
** each parameter whose sums are kept exactly (IrVar.exact), the address of ir_exact_words() zeros
** for each of its elements, which Emitted.rounding rounds after the kernel, with the same
** parameters. */
#pragma once

#include "ir/ir.h"

/* DIALECT_CHECK is C of one thread for the checker: codegen/checked.h. */
typedef enum Dialect { DIALECT_CUDA, DIALECT_C, DIALECT_CHECK } Dialect;

/* The arguments of the C dialect's entry. Its layout is written out again in prelude.c. */
typedef struct KjitHostLaunch KjitHostLaunch;

/* Takes parts of a job as long as there are some, from `*next` on, a counter that all workers
** share, `chunk` at a time; 0, or what failed. `shared` is the job's own. */
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);

struct KjitHostLaunch {
    uint32_t grid[3], block[3]; /* x, y, z; none is 0 */
    uint64_t dynamic_shared;    /* bytes */
    /* Has several threads do a job of `count` parts; the largest of what they return. */
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

/* Where the first thread that failed writes what happened. `code` is 0 until then, and 1 + the
** number of the message in Emitted.faults after; value i of the message is integers[i] or
** floats[i]. Its layout is written out again in the preludes. */
typedef struct KjitFault {
    uint32_t code;
    uint32_t block[3], thread[3];
    int64_t integers[FAULT_VALUES];
    double floats[FAULT_VALUES];
} KjitFault;

typedef struct EmitFault {
    const char *message; /* with marks for its values: ir/lower/statement/fault.c */
    Span span;
    bool inner; /* in a device function */
} EmitFault;

/* A place of a checked kernel that accesses memory, synchronises, branches or may go wrong. */
typedef struct EmitSite {
    Span span;          /* of the expression or statement */
    const char *array;  /* what the array is called there, or NULL */
    const char *what;   /* "load", "store", "atomic add", "syncthreads", "shfl_sync", "branch" */
    uint32_t alignment; /* of an access: what its address is to be a multiple of */
    bool inner;         /* in a device function */
    int wraps;          /* of arithmetic of an index 1 + the number of its bit, else 0 */
} EmitSite;

/* A static shared array of a checked kernel, in the memory that a block has for these. */
typedef struct EmitShared {
    const char *name;
    const Type *type;     /* of the array */
    const int64_t *shape; /* type->array.rank extents */
    uint64_t offset, bytes;
    Span span;
} EmitShared;

typedef struct Emitted {
    const char *text;
    size_t length;
    const char *linked;   /* C: a text to be compiled and linked with it; NULL: none */
    bool foreign;         /* CUDA: texts of the user's are a part of it */
    const char *entry;    /* the symbol to load */
    const char *rounding; /* CUDA: the kernel to launch behind it, for exact sums; or NULL */
    EmitFault *faults;
    int fault_count;
    bool cooperative;       /* the blocks wait for one another: all must run at once */
    bool recursive;         /* some function calls itself */
    bool ordered_sums;      /* functions of math live on the order of sums: prelude/math.c */
    uint64_t static_shared; /* bytes of static shared arrays, alignment included */
    uint64_t
        moved_shared; /* bytes of these, all or none, that lie at the start of the dynamic shared
                               memory, which a launch has to be given beside its own */
    EmitSite *sites;  /* of a checked kernel, as the two that follow: codegen/checked.h */
    int site_count;
    EmitShared *shared;
    int shared_count;
} Emitted;

/* Writes a unit in one dialect; false after complaints. Every unit that ir_lower() made and the
** passes went over can be emitted, and the text compiles, unless it would become enormous, calls
** what the dialect has not, or asks for an order of atomics that it does not have. Everything lives
** in `arena`. */
bool emit_unit(Arena *arena, const IrUnit *unit, Dialect dialect, Diags *diags, Emitted *out);
