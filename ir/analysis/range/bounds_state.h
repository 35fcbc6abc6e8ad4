/* What the files of the bounds share. Not for others.
**
** bounds_linear.c   atoms, sums of them, and what is known of these
** bounds_value.c    what a value is
** bounds_assume.c   what a condition says
** bounds_access.c   what an access says
** bounds_set.c      what a variable is set to
** bounds.c          the walk
**
** An atom is a number that stays what it is: what a variable was set to somewhere, an extent, a
** thread's index. Values are sums of atoms as far as that can be said, so that `i - j` is known
** again after `if j <= i`, and a variable that is set once more stands for other atoms. */
#pragma once

#include "ir/analysis/range/bounds.h"

/* Each keeps the time of the walk in bounds: what does not fit is not known. */
enum {
    TERMS = 6,         /* of a sum of atoms */
    BUCKETS = 64,      /* of the hash table of atoms by key */
    FACTS_SEEN = 24,   /* the last facts, which are asked about any sum that shares an atom; */
    FACTS_ABOUT = 400, /* and those that are asked about sums of all of their atoms */
    SUMS_KEPT = 64,    /* ranges of sums that need not be found again, */
    STEPS_KEPT = 64,   /* steps from state to state, */
    VALUES_KEPT = 64,  /* and of values */
    LEAST_MOST = 4     /* operands of nested min and max */
};
#define TRIPS_MANY ((IrWide)1 << 40) /* of a loop of which nothing is known */

/* rest + the sum of factor * atom; `count` is -1 where that is not known. */
typedef struct Linear {
    int count;
    int64_t rest;
    struct {
        int atom;
        int64_t factor;
    } term[TERMS];
} Linear;

/* Atoms of equal keys are one atom. */
typedef enum KeyKind {
    KEY_NONE,
    KEY_EXTENT,       /* a: variable, b: axis and version */
    KEY_THREAD_INDEX, /* a: intrinsic, b: axis */
    KEY_PRODUCT,      /* of atoms a and b */
    KEY_QUOTIENT,     /* of atom a by the number b */
    KEY_REST,         /* the same, modulo */
    KEY_QUOTIENT_BY,  /* of atom a by atom b */
    KEY_REST_BY
} KeyKind;

typedef struct Key {
    KeyKind kind;
    int64_t a, b;
} Key;

typedef struct Atom {
    Key key;
    int next;       /* in its bucket; -1: none */
    Interval range; /* of a float: without its fraction */
    bool number;    /* of a float: it is no NaN */
    int guess;      /* the range is VarState.all as it was then, or of that; 0: it is not */
} Atom;

/* What is known of a value: its range, and the sum of atoms that it is. */
typedef struct BoundedValue {
    Interval range;
    Linear form;
} BoundedValue;

/* A statement that adds to a variable, and the range of the sum of all that it ever adds. */
typedef struct VarSteps {
    const IrStmt *stmt;
    Interval sum;
} VarSteps;

typedef struct VarState {
    BoundedValue now;
    Interval all;  /* of all values that it is ever set to */
    Interval next; /* the same, found by one more walk: narrow_all() */
    /* The region that begins with a set other than one of `steps` and holds all other sets; NULL if
    ** there is none. How many loops stand around that region. */
    const IrRegion *home;
    int home_loops;
    Interval base; /* of what other statements than those of `steps` set it to */
    VarSteps *steps;
    int step_count, step_capacity;
    bool is_step;         /* loops go by it */
    int set_count;        /* statements that set it */
    bool fixed;           /* one does, around which nothing stands, and the walk has been there */
    const IrValue *holds; /* what a bool is that is fixed, of what is; NULL: not known */
    int version;          /* of arrays */
    int inside;           /* how many loops that count in it are being walked */
    bool counts;          /* there is such a loop */
    bool unfit;           /* bounds_count_fits() is false */
    /* In this round of the walk: the first guess that was read of it, and when its `all` has grown
    ** last; 0: none, and never. It was read before `counts`; its sums were used. */
    int guessed, grew;
    bool uncounted, summed;
} VarState;

/* What the statements in a branch or a loop set: each variable once, in the order of the text. */
typedef struct SetsInside {
    const int *vars; /* IrVar.id */
    int count;
} SetsInside;

/* A sum that is not negative, and a bit for each of its atoms that others may share; and those of
** all facts before it, too. */
typedef struct Fact {
    Linear form;
    uint64_t atoms, all;
} Fact;

/* The range of a sum as it was computed in a state of IrBounds: as long as that is the state, it is
** right. */
typedef struct KeptRange {
    int64_t state;
    Linear form;
    Interval range;
} KeptRange;

/* What is known of a value in a state of IrBounds, and of its variables. */
typedef struct KeptValue {
    const IrValue *value;
    int64_t state, sets;
    BoundedValue known;
} KeptValue;

/* What has led from one state of IrBounds to another: an atom's range, or, with atom -1, a fact.
** Many statements have one condition, under which what is kept of sums is right again. */
typedef struct StateStep {
    int64_t from, to;
    int atom;
    bool number;
    Interval range;
    Linear fact;
} StateStep;

/* What is undone where a condition holds no more: an atom's range, or, with atom -1, a fact. */
typedef struct Undo {
    int64_t state; /* before */
    int atom;
    Interval range;
    bool number;
} Undo;

struct IrBounds {
    IrUnit *unit;
    IrFunc *fn;
    Arena *arena;
    bool reshapes; /* an array held by a variable may have other extents than the arguments */
    bool asked_block, knows_block;
    uint32_t block[3];

    VarState *vars; /* by IrVar.id */
    Atom *atoms;
    int atom_count, atom_capacity;
    int buckets[BUCKETS];
    bool joins; /* some atom is a product that join_thread_index() looks for */
    Fact *facts;
    int fact_count, fact_capacity;
    /* Another one whenever an atom's range or the facts change, and the same again once that is
    ** undone; how many there were; how many times what a variable is has changed. */
    int64_t state, states, sets;
    KeptRange kept[SUMS_KEPT];
    KeptRange tightened[SUMS_KEPT]; /* sums that bounds_tighten() has brought into a range */
    KeptValue values[VALUES_KEPT];
    StateStep steps[STEPS_KEPT];
    Undo *trail;
    int trail_count, trail_capacity;

    IrWide *trips; /* of the loops around the statement at hand: how many iterations at most */
    int loop_count, loop_capacity;
    int regions;                         /* around the statement at hand */
    SetsInside *nests;                   /* of all branches and loops, in the order of the text */
    int nest, nest_count, nest_capacity; /* the next one that the walk comes to */
    int *marks;                          /* by IrVar.id: the last number of it that was marked */
    int mark;

    int round;
    int time;       /* counts what variables have grown by */
    bool changed;   /* this round may have gone by what is more by now */
    bool cuts;      /* conditions keep within int32 what a variable's sums come to without them */
    bool narrowing; /* VarState.next is being found */
    IrBoundsVisitor *visit;
    void *context;
};

/* ---- bounds_linear.c ------------------------------------------------------------------------- */

/* No sum of atoms; a number; one atom. */
Linear linear_unknown(void);
Linear linear_number(int64_t number);
Linear linear_of_atom(int atom);
/* The atom that a sum is, or -1. */
int linear_atom(const Linear *form);
/* a + factor * b */
Linear linear_add(IrBounds *b, const Linear *x, const Linear *y, int64_t factor);
Linear linear_scale(const Linear *x, int64_t factor);
/* By the ranges of its atoms and all that is known to be not negative. */
Interval linear_range(IrBounds *b, const Linear *form);

/* An atom that no key has, which lies in `range`. */
int bounds_new_atom(IrBounds *b, Interval range);
/* The atom of a key; a new one always lies in `range`. */
int bounds_atom(IrBounds *b, Key key, Interval range);
/* What is known of an atom from here on. */
void bounds_refine(IrBounds *b, int atom, Interval range, bool number);
/* A sum lies in `range`: what that says of its atoms. */
void bounds_tighten(IrBounds *b, const Linear *form, Interval range);
void bounds_add_fact(IrBounds *b, const Linear *form);
void bounds_undo_all(IrBounds *b);

/* ---- bounds_set.c ---------------------------------------------------------------------------- */

/* Finds the regions that begin with setting a variable to which all other sets add, and what
** branches and loops set. */
void bounds_find_homes(IrBounds *b);
/* A variable is set to something in `range`, too. */
void bounds_grow(VarState *var, const Type *type, Interval range, IrBounds *b);
/* From here on a variable is something in `range` that nothing else is known of. */
void bounds_set_unknown(IrBounds *b, const IrVar *var, Interval range);
/* The same, of what it is ever set to, which another round may find to be more. */
void bounds_set_guess(IrBounds *b, const IrVar *var);
/* From here on the variable of an IR_SET is this value. */
void bounds_set_var(IrBounds *b, const IrStmt *stmt, const IrValue *value);
/* Behind that, of a statement that nothing stands around. */
void bounds_fix_var(IrBounds *b, const IrVar *var, const IrValue *value);
/* x - y - less is not negative. */
void bounds_add_difference(IrBounds *b, const Linear *x, const Linear *y, int less);

/* ---- bounds_access.c ------------------------------------------------------------------------- */

/* Takes the indices of all that a statement is sure to access itself, not in its regions, to be
** right. */
void bounds_assume_accesses(IrBounds *b, const IrStmt *stmt);
/* In front of an iteration of a `for`: the same of what all iterations are sure to access at
** indices with its counter. */
void bounds_assume_iteration(IrBounds *b, const IrStmt *loop, const SetsInside *nest);

/* ---- bounds_value.c -------------------------------------------------------------------------- */

/* What is known of a value at the point at hand: its range and, if it is one, its sum. */
BoundedValue bounds_known(IrBounds *b, const IrValue *value);
BoundedValue bounds_of_extent(IrBounds *b, const IrValue *array, int axis);
/* x < y, as bounds_assume() takes it to hold. */
void bounds_assume_less(IrBounds *b, const BoundedValue *x, const BoundedValue *y);
/* The atom of a thread's index. */
int bounds_thread_index(IrBounds *b, IrIntrinsic intrinsic, int axis);
/* Of a float without its fraction, if it is no NaN. (bounds_assume.c) */
Interval bounds_of_float(IrBounds *b, const IrValue *value);
/* Whether a float is known to be finite, and no NaN. (bounds_assume.c) */
bool bounds_is_number(IrBounds *b, const IrValue *value);
/* The variable that holds a float, through casts to wider ones, or NULL. */
const IrVar *bounds_float_var(const IrValue *value);
