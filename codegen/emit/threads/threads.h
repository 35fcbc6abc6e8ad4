/* How a kernel in C runs the threads of a block. Shared by the files that write it:
**
** threads.c          which of three shapes a kernel gets, and the function of a block
** worker.c           what a worker keeps
** entry.c            the entry, and what it passes on
** split_barriers.c   the plan of a kernel that is split at its synchronisations
** split_vars.c       where such a kernel's variables live
** split_masks.c      which lanes of a warp meet in such a kernel
** split_rest.c       what follows an early return
** split_apart.c      a long kernel: its stretches as functions
** split_text.c       the plan as C
** resume.c           a kernel that cannot be split: threads that stop and go on
** grid.c             the entry of a kernel whose blocks wait for one another
** yield.c            a kernel with loops that wait for other threads
** merge.c            arrays of which each worker has a copy
** meet.c             what threads tell one another where they meet: shuffles, votes, counts
**
** A kernel that never synchronises is one loop over the block's threads. A kernel whose threads all
** come to each synchronisation is cut there: each stretch between two is a loop over the threads,
** and the loops and branches that hold synchronisations stand around these loops. Any other
** kernel becomes a function that a scheduler calls for one thread after the other, and that returns
** where the thread must wait. */
#pragma once

#include "codegen/emit/emit.h"
#include "ir/analysis/flow/uses.h"

enum { EFFECT_SYNC = EFFECT_MEETS | EFFECT_YIELD };

typedef struct Threads Threads;

/* One loop over a block's threads, several between barriers, or threads that stop and go on. */
typedef enum Shape { SHAPE_LOOP, SHAPE_SPLIT, SHAPE_RESUME } Shape;

/* ---- the plan of a split kernel --------------------------------------------------------- */

typedef enum StepRole {
    STEP_RUN,     /* the statement as it stands */
    STEP_SEND,    /* a meeting: what the thread tells the others */
    STEP_RECEIVE, /* and what it gets */
    STEP_GUARD    /* a branch that some go into to meet in it: whether the thread is one of them */
} StepRole;

typedef struct Step {
    const IrStmt *stmt;
    StepRole role;
    int slot; /* of a meeting: which buffer; of a guard: its number */
} Step;

typedef enum PartKind {
    PART_THREADS, /* a loop over the threads */
    PART_ONCE,    /* a statement that stands for all threads: uniform */
    PART_MEET,    /* a synchronisation */
    PART_IF,      /* uniform branches and loops with synchronisations in them */
    PART_LOOP,
    PART_GUARD, /* a branch that some threads go into, where warps synchronise */
    PART_JUMP   /* break and continue of such loops */
} PartKind;

typedef struct Part Part;
struct Part {
    PartKind kind;
    const IrStmt *stmt; /* all but PART_THREADS */
    Part *next;
    Part *then, *otherwise; /* PART_IF; a loop's body or what is guarded is `then` */
    int slot;               /* PART_MEET; of PART_GUARD its number */
    int guard;              /* the guard around it, from 1; 0: none */
    bool looks;             /* PART_MEET: finds out whether the lanes of the masks meet there */
    int view;               /* of that: what is found out with others, from 1; 0: by itself */
    const IrValue *mask;    /* of that: what each thread can tell without its variables, or NULL */
    /* PART_THREADS */
    Step *steps;
    int count, capacity;
    int number;          /* among the parts of this kind */
    bool in_loop;        /* of the block */
    bool last;           /* nothing comes after it */
    bool leaves;         /* a thread may end in it */
    unsigned char *uses; /* USE_ flags by IrVar.id */
};

typedef enum Allocation {
    ALLOC_PLAIN, /* a local of the one stretch that has it; also parameters and shared arrays */
    ALLOC_BLOCK, /* one for the block */
    ALLOC_REMATERIALISED, /* computed again in each stretch: cheaper than to keep */
    ALLOC_SPILLED,        /* kept in the worker from stretch to stretch, a local within */
    ALLOC_ARRAY           /* an array of the thread that stays in the worker */
} Allocation;

/* What a loop's frame keeps them as. */
typedef struct Bounds {
    const char *stop, *step;
} Bounds;

struct Threads {
    Emitter *e;
    const IrFunc *fn;
    const char *block_name; /* the function that runs a block */
    /* names in the text, none of them the user's */
    const char *w, *t, *x, *y, *z, *threads, *done, *sent, *votes, *warps, *skips, *lane, *frame,
        *opened, *late, *masks, *seen, *moved;
    bool has_worker;
    bool needs_done, needs_sent, needs_votes, needs_warps, needs_late, needs_masks;
    const char **totals; /* by slot number: the local with a meeting's result */

    Part *plan;
    Part **parts; /* the PART_THREADS, by number */
    int part_count, part_capacity;
    int meetings;       /* so far: two buffers alternate */
    int guards;         /* so far */
    const Part **views; /* the first that finds something out, by number */
    int view_count, view_capacity;
    const Part **looks; /* all of them */
    int look_count, look_capacity;
    bool *block;                   /* by IrVar.id: one for the block */
    const IrStmt *parting;         /* where threads may part around a synchronisation, or NULL */
    Allocation *allocation;        /* by IrVar.id */
    int first_leaving;             /* the first part in which a thread may end */
    int second_leaving;            /* the next one */
    const char *rest_name, *ended; /* split_rest.c; rest_name is NULL where there is no rest */
    const char **functions; /* split_apart.c: by Part.number; NULL: stretches are no functions */
    bool in_rest;           /* what is being written is in that function */
    const Part *at;         /* the part being written */
    Bounds *bounds;         /* of the loops of a resumable kernel that wait, in order */
    int bounds_count, bounds_capacity;
    Span *asking; /* of a resumable kernel: where activemask() stands */
    int asking_count, asking_capacity;
};

/* ---- split_barriers.c ------------------------------------------------------------------ */

/* Plans a kernel's parts; false if it cannot be split, because of `parting`. */
bool split_plan(Threads *th);
/* Whether a statement must stand outside of the loops over the threads. */
bool split_is_outside(const IrStmt *stmt);
/* The region of a branch that only some threads go into, where warps synchronise and the block does
** not, so that those threads can go through it on their own; NULL for other statements. */
const IrRegion *split_guarded(const IrStmt *stmt);
/* The other region of such a branch. */
const IrRegion *split_unguarded(const IrStmt *stmt);

/* ---- split_masks.c --------------------------------------------------------------------- */

/* Finds which meetings must look at their masks (Part.looks); false if lanes may meet that come
** there at different times, because of `parting`. */
bool split_masks(Threads *th);
/* The mask of a warp operation unless it is a constant; NULL for all others. */
const IrValue *split_divergent_mask(const IrStmt *stmt);
/* The part in which a meeting's masks are looked at; NULL if they are not. */
const Part *split_look(const Threads *th, const IrStmt *stmt);
/* Whether a meeting is one of all lanes that come to it. */
bool split_names_all(const IrStmt *stmt);

/* ---- split_vars.c ---------------------------------------------------------------------- */

/* Finds the uniform variables that can be one for the block (th->block); false if control
** around synchronisations depends on others. */
bool split_find_block_vars(Threads *th);
/* Whether all that a statement does is to set variables of the block. */
bool split_sets_block_vars(const Threads *th, const IrStmt *stmt);
/* Fills the parts' uses and says where each variable is kept. */
void split_place_vars(Threads *th);
/* The variables of ALLOC_REMATERIALISED that a part needs, in the order to compute them; returns
** how many. `sets` has room for all of the function's. */
int split_again(const Threads *th, const Part *part, const IrStmt **sets);

/* ---- split_text.c ---------------------------------------------------------------------- */

/* Write what holds values between stretches; and the threads of a block, stretch by stretch. */
void emit_split_members(Threads *th); /* of the worker */
void emit_split_prepare(Threads *th); /* after that, before the functions */
void emit_split_body(Threads *th);
/* One stretch, as a loop over the threads; whether there is nothing in it to write. */
void emit_split_stretch(Threads *th, const Part *part);
bool split_is_empty(const Threads *th, const Part *part);
/* The parts up to `end`, with the variables of the block that they alone have to do with. */
void emit_split_parts(Threads *th, const Part *part, const Part *end);

/* ---- split_rest.c ---------------------------------------------------------------------- */

/* What follows the first stretch in which threads may end, if that is no part of another; or
** NULL. */
const Part *split_rest(const Threads *th);
/* Whether parts up to `end` have to do with a variable of the block. */
bool split_parts_have(const Threads *th, const Part *part, const Part *end, const IrVar *var);
/* The function for the rest, if there is one; the statements that call it. */
void emit_split_rest(Threads *th);
void emit_split_call_rest(Threads *th);

/* ---- split_apart.c --------------------------------------------------------------------- */

/* Whether a kernel is so long that its stretches are to be functions; these, after which
** emit_split_parts() writes calls; and one such call. */
bool split_is_apart(const Threads *th);
void emit_split_apart(Threads *th);
void emit_split_call(Threads *th, const Part *part);

/* ---- resume.c -------------------------------------------------------------------------- */

/* The frame of a thread; members of the worker; the function of a thread; the body of a block. */
void emit_resume_frame(Threads *th);
void emit_resume_thread(Threads *th);
void emit_resume_members(Threads *th);
void emit_resume_body(Threads *th);

/* ---- grid.c ---------------------------------------------------------------------------- */

/* The entry's statements behind the sizes of grid and block. */
void emit_grid_entry(Threads *th);
void emit_grid_work(Threads *th); /* the body of what each worker does in a time slice */

/* ---- yield.c --------------------------------------------------------------------------- */

/* Members of the worker; the statements of a thread, where it stops and what it has done; the body
** of a block; the body of what each worker does in a round; the entry's statements. */
void emit_yield_members(Threads *th);
void emit_yield(Threads *th, int number);
void emit_moved(Threads *th, const IrValue *condition);
void emit_yield_body(Threads *th);
void emit_yield_work(Threads *th);
void emit_yield_entry(Threads *th);

/* ---- merge.c --------------------------------------------------------------------------- */

/* A worker's copies of arrays that are merged: what comes before its first block, and behind its
** last; and what stands for such a parameter in between. */
void merge_begin(Threads *th);
void merge_end(Threads *th);
const char *merge_name(const Threads *th, const IrVar *param);

/* How many values stand for a parameter. */
int values_of(const IrVar *param);
/* How many elements an array has, whose address is value number `first`. */
const char *elements_text(Emitter *e, const IrVar *param, int first);

/* ---- exact.c --------------------------------------------------------------------------- */

/* In the entry: what comes before all workers and behind them; in each of these, at its begin,
** before its first block and behind its last; and what a block is given. Nothing where no sums are
** kept. */
void exact_begin(Threads *th);
void exact_end(Threads *th);
void exact_begin_work(Threads *th);
/* The body of what each worker does when sums are rounded. */
void exact_round_work(Threads *th);
void exact_begin_worker(Threads *th);
void exact_end_worker(Threads *th);
const char *exact_entry_arguments(Threads *th);

/* ---- meet.c ---------------------------------------------------------------------------- */

/* The synchronising intrinsic that a statement consists of, NULL for any other statement. */
const IrValue *meet_value(const IrStmt *stmt);
bool meet_is_shuffle(const IrValue *meet);
bool meet_is_match(const IrValue *meet);
bool meet_is_vote(const IrValue *meet);  /* of a warp */
bool meet_is_count(const IrValue *meet); /* of a block */
/* The three steps of a meeting in a split kernel. */
void meet_send(Threads *th, const Step *step);
void meet_between(Threads *th, const Part *part);
void meet_receive(Threads *th, const Step *step);
/* A meeting in a resumable thread, as stop number `number`. */
void meet_resume(Threads *th, const IrStmt *stmt, int number);

/* ---- threads.c ------------------------------------------------------------------------- */

/* Whether what is written next runs once for the whole block: calls then pass its first thread's
** place, since what they give does not depend on it. */
void threads_of_block(Emitter *e, bool whole);
/* `for` each thread of the block, with threadIdx set, and th->t too if `numbered`; close_block()
** ends it. `simd`: the iterations may be mixed. */
void threads_open(Threads *th, bool numbered, bool simd);
/* `var = text;`, or its declaration with that value if `stmt` is where it is declared. */
void threads_assign(Threads *th, const IrStmt *stmt, const IrVar *var, const char *text);
/* Whether the kernel's blocks wait for one another; whether it has loops that wait for other
** threads. */
bool threads_of_grid(const Threads *th);
bool threads_yield(const Threads *th);

/* ---- worker.c -------------------------------------------------------------------------- */

/* The struct. */
void emit_worker(Threads *th, Shape shape);
/* From here on a shared array's name leads to the worker. */
void name_shared_arrays(Threads *th);
/* Begins and ends functions that are called from within the kernel: no parameter is `restrict` that
** variables may point into which were set before. */
void threads_within(Threads *th, bool within);
/* `Worker *restrict w`, since no argument lies in the worker. Without `restrict` if variables may
** point into it that were set `earlier`, before the function was called: to C these would be
** pointers that lead elsewhere. */
const char *threads_worker(const Threads *th, bool earlier);
/* The call that gets memory for a worker; NULL comes back if there is none. */
const char *threads_get_memory(Threads *th);
/* Whether the kernel has dynamic shared arrays; declares them for the plain walk. */
bool threads_are_dynamic(const Threads *th);
void threads_dynamic_arrays(Threads *th);

/* ---- entry.c --------------------------------------------------------------------------- */

/* The kernel's parameters, and the same as arguments, each with ", " before it: those that are
** `wanted`, by number, or all if that is NULL. */
const char *threads_parameters(Threads *th, const bool *wanted);
const char *threads_arguments(Threads *th, const bool *wanted);
/* The arguments that the entry passes on, taken out of `params`, each with ", " before it. */
const char *threads_entry_arguments(Threads *th);
/* A statement in the entry that has the kernel's work done, by several threads where that pays and
** the order of the blocks may change, and sets `failed`; `shared` is passed on. */
void threads_share(Threads *th, const char *shared);
/* kjit_entry(), behind the function that has blocks done, which several threads may call. */
void emit_entry(Threads *th);
