/* What the analysis behind cover.h works with. */
#pragma once

#include "ir/ir.h"

/* ---- sum.c: while the analysis runs; NULL is what is not known ------------------------------ */

/* Terms in order, no two of the same facts, none times 0. */
typedef struct IrSum {
    bool loose; /* it is another number where a type is too narrow, or where min() or max() keeps an
                   array's part within the array: enough to size a grid by, and no proof */
    int count;
    IrTerm terms[];
} IrSum;

/* A number as a sum; a fact of the launch or of a loop. */
const IrSum *sum_constant(Arena *arena, int64_t value);
const IrSum *sum_fact(Arena *arena, IrFactKind kind, int axis, int index);
/* The same, loose. */
const IrSum *sum_loose(Arena *arena, const IrSum *sum);
/* a + scale * b, and a * b. */
const IrSum *sum_add(Arena *arena, const IrSum *a, int64_t scale, const IrSum *b);
const IrSum *sum_mul(Arena *arena, const IrSum *a, const IrSum *b);
bool sum_equal(const IrSum *a, const IrSum *b);
/* a / b, where b is a single term that divides every term of a; else NULL. */
const IrSum *sum_divide(Arena *arena, const IrSum *a, const IrSum *b);
/* Whether it is a number, which `*value` gets. */
bool sum_is_constant(const IrSum *sum, int64_t *value);
/* The place among a term's facts of the one that differs within a launch; -1 if none does, -2 if
** several do. */
int term_varying(const IrTerm *term);
/* A term as a sum, without the fact at `place`. */
const IrSum *term_without(Arena *arena, const IrTerm *term, int place);
/* The terms in which nothing differs within a launch. */
const IrSum *sum_settled(Arena *arena, const IrSum *sum);

/* ---- cover_solve.c ------------------------------------------------------------------------- */

typedef enum GuardKind { GUARD_LT, GUARD_LE, GUARD_GT, GUARD_GE, GUARD_EQ, GUARD_NE } GuardKind;

/* A comparison that must hold for a store to happen. */
typedef struct Guard {
    GuardKind kind;
    bool is_unsigned; /* both sides are compared as uint64 */
    const IrSum *a, *b;
    const struct Guard *next;
} Guard;

/* A store that happens in every thread, for every iteration of the loops around it, for which all
** guards hold. Where `flat` is not 0, so many axes from `flat_from` on are one (cover_flat.c). */
typedef struct Write {
    int param, rank, flat_from, flat;
    const IrSum *const *index;
    const Guard *guards;
    const struct Write *next;
} Write;

/* Adds to `covers` when the store reaches every element; nothing if that is not known. */
void cover_solve(Arena *arena, const Write *write, IrCovers *covers);
/* The same of every element that the store's conditions on its index let it reach. */
void cover_solve_part(Arena *arena, const Write *write, IrCovers *covers);
/* Copies the terms of a sum to `covers`. */
void cover_keep_sum(Arena *arena, IrCovers *covers, const IrSum *sum, int *first, int *count);

/* ---- cover_limit.c ------------------------------------------------------------------------- */

/* Adds what bounds the grid for one access: the conditions that hold there, and the index of each
** axis where `element` is not NULL (its guards are not read). `required` as in IrLimit. */
void cover_limit(Arena *arena, const Write *element, const Guard *guards, bool required,
                 IrCovers *covers);

/* ---- cover_block.c ------------------------------------------------------------------------- */

/* An access of a parameter or a shared array. */
typedef struct CoverAccess {
    const IrVar *array;
    int rank;
    const IrSum *const *index; /* NULL among them: not known */
    const Guard *guards;
    bool sure;   /* nothing but the guards, and loops, decides whether it happens */
    bool stores; /* or is an atomic */
    bool atomic;
    Span span;
    struct CoverAccess *next;
} CoverAccess;

/* Adds to `covers` what the accesses of a kernel demand of the block. */
void cover_block(Arena *arena, const CoverAccess *accesses, IrCovers *covers);

/* ---- cover_array.c ------------------------------------------------------------------------- */

/* NULL is not known; `along` is the axis of the part whose index moves there, -1 if none does. */
typedef struct ViewAxis {
    const IrSum *start, *step;
    int along;
} ViewAxis;

/* An array parameter, or a view of part of it. */
typedef struct ArrayView {
    const IrVar *param;
    ViewAxis axes[RANK_MAX];
    int rank;
    const IrSum *extent[RANK_MAX]; /* of the part */
} ArrayView;

/* An array parameter as a view of itself. */
const ArrayView *view_whole(Arena *arena, const IrVar *param);
/* What OP_view makes of a view, and what OP_transpose does. */
const ArrayView *view_within(Arena *arena, const ArrayView *of, const char *kinds,
                             const IrSum *const *operands);
const ArrayView *view_transposed(Arena *arena, const ArrayView *of);
/* The index of the parameter's element, by axis. */
const IrSum **view_element(Arena *arena, const ArrayView *view, const IrSum *const *index);

/* ---- cover_flat.c -------------------------------------------------------------------------- */

/* of // by, and where `below` is not NULL that % below. */
typedef struct Split {
    const IrSum *of, *by, *below;
} Split;

/* How many elements an index of the store chooses from. */
const IrSum *write_extent(Arena *arena, const Write *write, int axis);
/* ---- cover_known.c ------------------------------------------------------------------------- */

/* What a variable holds. */
typedef struct VarValue {
    const IrSum *sum;
    const Guard *yes, *no; /* of a bool: what holds if it is true, and false */
    bool has_yes, has_no;
    const ArrayView *array;
    const struct VarValue *items; /* of a tuple */
    const Split *split;           /* of an integer that is no sum */
} VarValue;

/* What a variable held before it was set. */
typedef struct KnownBefore {
    int var;
    VarValue known;
} KnownBefore;

/* What is known at some place of a function, by variable, and how that came about. */
typedef struct Knowledge {
    Arena *arena;
    VarValue *vars;
    KnownBefore *trail;
    int trail_count, trail_capacity;
} Knowledge;

/* Guards that hold where a condition does; `known` if they are all of it. */
typedef struct Guards {
    bool known;
    const Guard *list;
} Guards;

/* What is known of a value; of it an integer as a sum, an array; what makes a bool `truth`. */
VarValue known_value(const Knowledge *k, const IrValue *value);
const IrSum *known_sum(const Knowledge *k, const IrValue *value);
const ArrayView *known_array(const Knowledge *k, const IrValue *value);
Guards known_guards(const Knowledge *k, const IrValue *value, bool truth);
/* What an integer is a quotient or a remainder of: cover_flat.c. */
const Split *known_split(const Knowledge *k, const IrValue *value);
/* Makes one index of those of a view that are not known, if they are one number taken apart. */
bool write_flatten(const Knowledge *k, const ArrayView *view, IrValue *const *indices,
                   Write *write);
/* Sets what a variable holds; back to what was known when the trail had `count` steps; what a
** region sets is not known any more. */
void known_set(Knowledge *k, const IrVar *var, VarValue known);
void known_go_back(Knowledge *k, int count);
void known_forget(Knowledge *k, const IrRegion *region);
/* What the variable holds that a branch's condition is, or the negation of; nothing for others. */
VarValue known_of_condition(const Knowledge *k, const IrValue *condition);
/* What it holds behind the branch, if it held `before` at the branch and `ends` where its arms end:
** a bool that one arm alone sets is true if it was, and is. */
void known_meet_condition(Knowledge *k, const IrValue *condition, const VarValue *before,
                          const VarValue ends[2]);
/* A comparison, not `known` if a sum is loose, and the guards of two lists. */
Guards guard_new(Arena *arena, GuardKind kind, bool is_unsigned, const IrSum *a, const IrSum *b);
Guards guards_join(Arena *arena, Guards a, Guards b);

/* ---- cover_writes.c ------------------------------------------------------------------------- */

typedef struct Writes {
    const Write *first;
    int count;
} Writes;

/* Whether two writes are to the one element that both name. */
bool write_same_element(const Write *a, const Write *b);
/* Adds a store, or all of a list, that happen where more guards hold. */
void writes_add(Arena *arena, Writes *writes, const Write *write, Guards more);
void writes_add_all(Arena *arena, Writes *writes, Writes more, Guards guards);
/* Adds what one list and the other both have. */
void writes_add_both(Arena *arena, Writes *writes, Writes one, Writes other);
