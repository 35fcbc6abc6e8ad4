/* What rows.c and rows_index.c find, and rows_make.c and rows_move.c build. Not for others. */
#pragma once

#include "ir/analysis/points_to.h"
#include "ir/analysis/polynomial.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/stage/front.h"

enum {
    ROW_ARRAYS = 8,      /* that one loop has in shared memory */
    ROW_SLOTS = 8,       /* that all loops have */
    ROW_ITERATIONS = 32, /* of 32 threads at a time; of fewer, as many more */
    ROW_FEW = 8,         /* lanes that have a thread, where threads are few, */
    ROW_SOME = 16,       /* and where a multiprocessor has room for twice as many warps */
    ROW_LEAST = 64,      /* iterations that a loop makes, or it goes on as it was */
    ROW_APART = 32,      /* elements from one thread's row to the next's, if that is a number */
    ROW_GROUP = 16       /* rows of which a warp loads at once what is left over behind whole tiles:
                            addresses of all 32 would stay in registers for as long as these run */
};

/* Elements that a loop accesses in each iteration: at the counter along the axis along which an
** array's elements lie one behind the other, and at the thread's index along another, or none; or
** at what is made of that, along another or added to the counter, as in a[i * m + k]. */
typedef struct Row {
    const IrVar *array;
    IrValue *const *index;    /* of one of the accesses */
    int count;                /* of indices */
    int counter, along;       /* the numbers of those of the counter, and of the thread; -1: none */
    int64_t iteration, shift; /* what is added to the counter, and to the thread's index */
    IrValue *base; /* the index along without the counter, if the thread's is not all of it; NULL */
    bool loads, stores;
    int slot; /* of Rows.slots */
    Directive *directive;
} Row;

/* Memory that loops have for a row each, one loop after the other. */
typedef struct RowSlot {
    const Type *element;
    bool along;  /* for what has an index of the thread */
    bool taken;  /* by the loop that is looked at */
    IrVar *near; /* a shared array, by thread and iteration, or by thread alone */
    IrVar *held; /* a private one: what a lane has loaded for the next iterations; */
    IrVar *rest; /* for those that are left over, so that nothing of the others stays alive */
} RowSlot;

typedef struct RowLoop {
    IrStmt *loop;
    IrValue *stop; /* where it ends at the latest, which all lanes know */
    bool own;      /* some lanes' may end before that */
    bool down;     /* it counts down, by one */
    bool ends;     /* rows are short: what is left over goes through shared memory, too */
    Row rows[ROW_ARRAYS];
    int count;
} RowLoop;

typedef struct Rows {
    IrUnit *unit;
    IrAffine affine;
    IrPointsTo points_to;
    IrPolynomials sums;
    bool *common; /* by IrVar.id: set where all lanes pass */
    RowLoop *loops;
    int loop_count, loop_capacity;
    RowSlot slots[ROW_SLOTS];
    int slot_count;
    int64_t bytes; /* of shared memory, of all slots */
    int lanes; /* of a warp that have a thread and its row; 0: not yet known, as a schedule says */
} Rows;

/* Finds the loops, of a kernel that is as it was or whose variables have new numbers. What is
** found lies in the unit's arena. Asks facts of the launch, which the code depends on if there are
** any. */
void rows_look(Rows *r, const Guarded *guarded);
/* Whether a statement, which all lanes execute, reads only what all of them can compute: then they
** do, whether their threads do anything or not. */
bool rows_names(const Rows *r, const IrStmt *stmt);
/* The loop of Rows.loops that a statement is, or NULL. */
const RowLoop *rows_loop(const Rows *r, const IrStmt *stmt);
/* Whether a statement has one of them in it. */
bool rows_inside(const Rows *r, const IrStmt *stmt);

/* Iterations that are in shared memory at a time, and how many loads of a warp bring those of a
** row. */
int64_t rows_width(const Rows *r);
int rows_pieces(const Rows *r);

/* ---- rows_index.c ---------------------------------------------------------------------------- */

/* Whether all lanes of a warp can compute a value, whether their threads do anything or not, and
** come to the same. */
bool rows_shared(const Rows *r, const IrValue *value);
/* What the lanes know alike of the least of some; NULL: nothing. */
IrValue *rows_least(const Rows *r, IrValue *value);
/* What an access is of; false if it is of nothing that could be a row. */
bool rows_read(const Rows *r, const IrStmt *loop, const IrValue *array, IrValue *const *index,
               int count, Row *row);
/* Whether a row's elements exist in every iteration, whatever conditions stand in it. */
bool rows_exist(const Rows *r, const IrStmt *loop, const Row *row);
/* The row among a loop's that an access belongs to, or NULL. */
const Row *rows_find(const Rows *r, const RowLoop *loop, const IrValue *array,
                     IrValue *const *index, int count);

/* ---- rows_move.c ---------------------------------------------------------------------------- */

/* The kernel that is being built. */
typedef struct RowsBuild {
    IrBuilder b[1];
    Rows *r;
    IrVar *active;              /* the thread does something */
    IrVar *mask;                /* of the warp's lanes whose threads do: uint32 */
    IrVar *self, *lane;         /* the thread in the block, and in the warp; */
    IrVar *base, *first;        /* the warp's first row in the block, and its index in the grid */
    IrVar *row;                 /* the thread's own row in the block */
    IrVar *common;              /* where what all rows have in common begins, for the warp */
    IrValue *at_row;            /* that thread's index of whose row something is asked */
    const RowLoop *loop;        /* at hand, */
    IrVar *iteration, *counter; /* its first iteration at hand, and those from there */
    IrVar *left;                /* of these, if they are fewer than go through at once; NULL */
    IrVar *group;               /* the first of the rows whose part of them comes; NULL: none's */
    IrVar *top;                 /* where it begins, if it counts down; NULL: it counts up */
    IrVar *place, *beside[2];   /* the thread's index in the grid, and along the other axes */
    IrVar *own[ROW_ARRAYS];     /* private arrays of what these read of a row; NULL: none */
} RowsBuild;

/* A new array for a row, of one axis or, if `cols` is not 0, of two. */
IrVar *rows_array(const RowsBuild *m, const Row *row, const char *what, IrVarKind kind,
                  int64_t rows, int64_t cols);
/* The shared array of a row's slot. */
IrVar *rows_near(const RowsBuild *m, const Row *row);
/* The index there of an element of what all rows have in common. */
IrValue *rows_common(const RowsBuild *m, IrValue *place);
/* The loop's own counter in an iteration: these are counted up, from 0 if the loop counts down. */
IrValue *rows_counter(const RowsBuild *m, IrValue *iteration);
/* Append what loads what the iterations from `iteration` on read, to be held; what brings that to
** where all lanes can read it; and what stores what the iterations at hand have left there. */
void rows_load(const RowsBuild *m, IrValue *iteration, IrRegion *out);
void rows_bring(const RowsBuild *m, IrRegion *out);
void rows_store(const RowsBuild *m, IrRegion *out);

/* ---- rows_make.c ---------------------------------------------------------------------------- */

/* Puts the rows that were found through shared memory, and says so. */
void rows_make(Rows *r, Guarded *guarded);
