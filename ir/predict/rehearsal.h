/* What the files of a rehearsal share. Not for other folders.
**
** rehearse.c         the launch: blocks that take the same branches, one after the other
** rehearse_flow.c    statements
** rehearse_value.c   values
** rehearse_spread.c  arithmetic of integers that differ from thread to thread
** rehearse_memory.c  accesses, within a block
** rehearse_blocks.c  accesses of different blocks */
#pragma once

#include "ir/predict/rehearse.h"

#include <setjmp.h>

__extension__ typedef __int128 Wide;

/* What is beyond is not known: so sums of two do not overflow. */
#define SPREAD_LIMIT ((int64_t)1 << 61)

typedef struct Rehearsal Rehearsal;
typedef struct Memory Memory;

/* An integer of each thread: base + lanes[thread] + slope[k] for each block before its own along
** axis k. */
typedef struct Spread {
    bool known; /* else nothing that follows is */
    int64_t base, slope[3];
    const int64_t *lanes; /* NULL: all 0 */
    int64_t low, high;    /* no thread at work has less, or more */
    Memory *memory;       /* the array that it is, instead; else NULL */
} Spread;

/* Threads of the block: those at work. */
typedef struct Mask {
    uint8_t *on; /* 1 or 0 */
    int count;
    bool sure; /* else, of those, it is not known which */
} Mask;

/* What is known of an element, in the block at hand. */
typedef struct Cell {
    int64_t element;
    uint32_t run;           /* in which it was accessed; what follows is of that one */
    uint32_t wrote, read;   /* the stretch of the last of each; 0: none */
    int16_t writer, reader; /* the thread; READERS: several */
    bool written;
} Cell;

enum { READERS = -1 };

/* Elements along an axis that a block accesses, wherever the block is. */
typedef struct BlockReach {
    int64_t low, high;
} BlockReach;

typedef struct ReachList {
    BlockReach *list;
    int count, capacity;
} ReachList;

struct Memory {
    const IrVar *var;
    const RehearsalArg *arg; /* of a parameter; else NULL */
    int rank;
    int64_t shape[RANK_MAX];
    int access; /* ACCESS_ flags of the kernel */
    bool own;   /* a thread has it to itself */
    Cell *cells;
    uint32_t capacity, used; /* a table by element, a power of 2; used: in this run */
    uint32_t run;
    uint64_t fresh;       /* elements that the block has surely written */
    uint32_t read, wrote; /* the stretch in which some thread last did */
    bool mixed; /* written and, before that, read between two barriers: readers are recorded */
    /* of a parameter that is written */
    bool accessed;
    int64_t slope[RANK_MAX][3]; /* of its indices */
    uint32_t first[3], last[3]; /* of the blocks that access it */
    ReachList reach[RANK_MAX];
    uint64_t total; /* elements that all blocks surely write */
};

/* Blocks, from first to last along each axis. */
typedef struct Box {
    uint32_t first[3], last[3];
} Box;

enum { JUMP_GIVE_UP = 2, JUMP_SPLIT, JUMP_AGAIN };

/* A loop that threads are in. */
typedef struct RehearsedLoop {
    struct RehearsedLoop *outer;
    uint8_t *next; /* threads that have gone on to the next iteration */
    bool any;      /* whether there are such */
} RehearsedLoop;

struct Rehearsal {
    Arena *arena;
    const RehearsalRequest *request;
    int threads; /* of a block */
    jmp_buf jump;
    uint64_t work, limit; /* so far; at least so much is allowed */
    /* the box at hand */
    Box box;
    int split_axis; /* of a JUMP_SPLIT, and the last block of the first part */
    uint32_t split_at;
    uint32_t run, stretch; /* never 0, and never again the same */
    Spread place[3], lane; /* thread_idx; laneid */
    Spread *vars;          /* by IrVar.id; one of no type is not set */
    bool *set;             /* whether it is */
    bool *index;           /* whether it goes into an index */
    int64_t **homes;       /* lanes of each variable's own */
    Memory **memories;     /* by IrVar.id */
    uint8_t *none;         /* no threads */
    uint8_t *gone;         /* threads that have returned */
    int gone_count;
    RehearsedLoop *loop;
    uint64_t accesses, waits; /* of a block */
    uint64_t all_accesses, all_waits;
    /* room for what a statement computes */
    int64_t **rooms;
    int room_count, room_used, room_capacity;
};

/* ---- rehearse.c ----------------------------------------------------------------------------- */

/* There could be a finding. */
void rehearsal_give_up(Rehearsal *r) __attribute__((noreturn));
/* Blocks up to `last` along an axis are to be looked at by themselves. */
void rehearsal_split(Rehearsal *r, int axis, uint32_t last) __attribute__((noreturn));
/* The box is to be gone through once more. */
void rehearsal_again(Rehearsal *r) __attribute__((noreturn));
/* So many operations of single threads. */
void rehearsal_work(Rehearsal *r, uint64_t work);
/* Room for a number of each thread, until the statement is done. */
int64_t *rehearsal_room(Rehearsal *r);
Mask rehearsal_mask(Rehearsal *r, const Mask *like);

/* ---- rehearse_spread.c ---------------------------------------------------------------------- */

/* What threads have: nothing is known of it; all have the number. */
Spread spread_unknown(void);
Spread spread_number(int64_t value);
/* What a bool is. */
Spread spread_lanes(Rehearsal *r, const int64_t *lanes, const Mask *mask);
/* The least and the most that threads of the mask have, as exactly as it is known. */
void spread_bounds(const Rehearsal *r, const Spread *a, const Mask *mask, int64_t *low,
                   int64_t *high);
/* Gives up where it overflows. */
Spread spread_add(Rehearsal *r, const Type *type, Spread a, Spread b, int sign, const Mask *mask);
Spread spread_multiply(Rehearsal *r, const Type *type, Spread a, Spread b, const Mask *mask);
/* Other operations of integers, of which the divisor or count is known to be right. */
Spread spread_binary(Rehearsal *r, IrOp op, const Type *type, Spread a, Spread b, const Mask *mask);
/* A comparison: 0 or 1 for each. */
Spread spread_compare(Rehearsal *r, IrOp op, Spread a, Spread b, const Mask *mask);
/* Whether each is what the type holds. */
bool spread_fits(const Rehearsal *r, const Spread *a, const Type *type, const Mask *mask);
/* Without slopes: splits the box until each of them is a number. */
Spread spread_settled(Rehearsal *r, Spread a);
/* Of each thread what its mask says: a where it is at work in `mask`, else b. */
Spread spread_merge(Rehearsal *r, Spread a, const Mask *mask, Spread b);

/* ---- rehearse_value.c ----------------------------------------------------------------------- */

/* `index`: whether it goes into an index. */
Spread value_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index);
/* The threads of a mask for which a condition holds, and the others; both are not sure if that is
** not known. The condition's values may be the mask's own, as long as the mask is in use. */
void value_branch(Rehearsal *r, const IrValue *condition, const Mask *mask, Mask *yes, Mask *no);
/* The same by a bool that is known for each. */
void value_part(Rehearsal *r, const Spread *is, const Mask *mask, Mask *yes, Mask *no);

/* ---- rehearse_flow.c ------------------------------------------------------------------------ */

/* Runs the statements of a region for the threads of a mask, from which those go that leave. */
void flow_run(Rehearsal *r, const IrRegion *region, Mask *mask);
/* Sets Rehearsal.index. */
void flow_find_indices(Rehearsal *r);

/* ---- rehearse_memory.c ---------------------------------------------------------------------- */

/* Begins with no access noted; notes one of the threads of a mask. */
void memory_open(Rehearsal *r);
void memory_access(Rehearsal *r, Memory *memory, IrValue *const *indices, int count, int access,
                   const Mask *mask);
/* The box, of so many blocks, is done. */
void memory_close_box(Rehearsal *r, uint64_t blocks);

/* ---- rehearse_blocks.c ---------------------------------------------------------------------- */

/* An access to a parameter that is written: what a block reaches along an axis. */
void blocks_note(Rehearsal *r, Memory *memory, int axis, const Spread *index, const Mask *mask);
void blocks_note_box(Rehearsal *r, Memory *memory);
/* Whether no two blocks access the same element of it. */
bool blocks_are_apart(Rehearsal *r, Memory *memory);
