/* Which passes run, in which order, and those that run on units that are not optimised, too. The
** optimising ones are in optimise.h. */
#pragma once

#include "ir/ir.h"

enum { PASSES_MAX = 64 };

/* Sets of optimising passes: those to leave out, and those to run whatever the device. */
typedef struct IrPassSet {
    uint64_t without, with;
} IrPassSet;

/* Which passes run, and how. */
typedef struct IrPlan {
    const IrFacts *facts; /* of the launches it is for; NULL: it is not optimised */
    bool processor;
    IrPassSet set;
    int arch;   /* of the GPU that its code is for, 90 of sm_90; 0: not known, or less than 80 */
    int unroll; /* how many iterations of innermost loops begin at once; 0: as the pass chooses */
    const char *after;  /* the last pass to run, "lower" for none; NULL: all */
    Diags *remarks;     /* NULL: they are not collected */
    Schedule *schedule; /* what passes are to do, and what they did; NULL: neither */
} IrPlan;

/* Runs the passes of a plan in order (NULL: those that optimise nothing), and verifies what comes
** of them; in debug builds what comes of each. Gives what ir_verify() does. */
const char *ir_run_passes(IrUnit *unit, const IrPlan *plan);
/* Runs just the passes of a list, "forward,dce", one after the other; "all" among them stands for
** what a plan with the unit's facts runs, on every device. What they find is found again after
** each. Gives what ir_verify() does. */
const char *ir_run_listed(IrUnit *unit, const char *names, Diags *remarks);
/* The first of a list that is no pass, as far as the next comma; NULL if all are. */
const char *ir_list_wrong(const char *names);
/* Whether a pass is among those that run. */
bool ir_pass_runs(const IrPassSet *set, const char *name, bool processor);
/* Reads what people write: "all" (on every device), "none", "narrow" (also there), "-narrow", and
** lists of these between commas. Returns what is no such thing, or NULL. */
const char *ir_read_passes(const char *text, IrPassSet *set);
/* Writes what comes to the same set when it is read. */
void ir_write_passes(Buf *out, const IrPassSet *set);
/* The name of optimising pass number `index`, in the order they run; NULL behind the last. */
const char *ir_pass_name(int index);
bool ir_is_pass(const char *name);
/* Says of the name at `wrong`, which a comma ends, that no pass has it, and which is near to it. */
enum { PASS_WRONG = 128 };
void ir_pass_wrong(char says[PASS_WRONG], const char *wrong);
/* All names between commas, in room of PASS_NAMES bytes. */
enum { PASS_NAMES = 512 };
void ir_pass_names(char names[PASS_NAMES]);
/* What is broken in the IR after a pass, with the place, or NULL. That is a bug of kjit's, and such
** IR is not to be emitted. */
const char *ir_verify(const IrUnit *unit, const char *after);

typedef struct IrBroken {
    const IrFunc *fn;
    Span span;
    const char *what;
} IrBroken;

/* The same, in parts: the first thing that is broken; false if nothing is. */
bool ir_find_broken(const IrUnit *unit, IrBroken *broken);

/* Puts functions that hand out arrays of their own in the place of their calls. */
void ir_handed_out(IrUnit *unit);
/* Leaves out functions that are not called. */
void ir_prune(IrUnit *unit);
/* Puts values in place of variables that merely name them. */
void ir_forward(IrUnit *unit);
/* Drops sets that are never read. */
void ir_dce(IrUnit *unit);
/* EFFECT_ flags of everything in a function, as far as its callees' are known. */
int ir_function_effects(const IrFunc *fn);
/* Sets IrFunc.effects and IrFunc.access of every function. */
void ir_effects(IrUnit *unit);
/* Sets IrFunc.covers of the kernel. Needs ir_effects. */
void ir_cover(IrUnit *unit);
/* Sets IrVar.nonnegative and IrVar.positive everywhere. */
void ir_range(IrUnit *unit);
/* Sets IrVar.uniform everywhere. Needs ir_effects. */
void ir_uniform(IrUnit *unit);
/* Needs ir_uniform: whether a value, evaluated by all threads of a block, is one for all; whether
** they all make the same iterations of a loop that they enter together; whether a function may
** synchronise where only some of the threads come. */
bool ir_uniform_value(const IrValue *value);
bool ir_uniform_loop(const IrStmt *loop);
bool ir_syncs_divergently(const IrFunc *fn);

/* A unit in which no statement calls a function that `inlined` says yes to: its body stands there
** instead, returns made branches. `unit` itself stays as it was, and is the answer if it has no
** such function. Effects, ranges and uniformity of a new unit are set. */
typedef bool IrInlined(const IrFunc *callee);
/* Yes to all functions but those that are to stay. */
bool ir_is_inlined(const IrFunc *callee);
IrUnit *ir_inline(Arena *arena, const IrUnit *unit, IrInlined *inlined);
/* A unit of functions of its own, which does the same. */
IrUnit *ir_copy_unit(Arena *arena, const IrUnit *unit);
/* The first function in whose place ir_inline() would put more than `most` statements of others;
** NULL if there is none. */
const IrFunc *ir_inline_excess(const IrUnit *unit, IrInlined *inlined, int64_t most);

/* ---- analysis/spin.c, schedule/spin_yield.c: for the processor ------------------------------- */

/* A loop that repeats until another thread does something, in the kernel or in what it calls;
** NULL: there is none. */
const IrStmt *ir_spin(Arena *arena, const IrUnit *unit);
/* A unit in which such loops let other threads run, all in the kernel; NULL: nothing is to be
** done. */
IrUnit *ir_yield_in_waits(Arena *arena, const IrUnit *unit);

/* ---- simplify/ends.c: for the processor ------------------------------------------------------ */

/* Has functions that call themselves and may end the thread tell their callers, which do so for
** them. Changes the unit; what ir_range() and the like found holds again after. */
void ir_report_ends(IrUnit *unit);

/* ---- schedule/privatise/exact.c ------------------------------------------------------------ */

enum { EXACT_ARRAYS = 8 }; /* that a kernel may have */

/* Marks the parameters of a deterministic kernel whose sums are kept exactly. */
void ir_exact(IrUnit *unit);
/* How many integers of 64 bits stand for the sum of one element, float32 or float64. */
int ir_exact_words(const Type *element);

/* ---- schedule/privatise/order.c ------------------------------------------------------------ */

/* An atomic of the kernel, or of a function that it calls, whose order shows in the results; NULL:
** none does. */
const IrValue *ir_order_shows(const IrUnit *unit);

/* ---- lower/call/escape.c ------------------------------------------------------------------- */

/* Whether a recursive function calls itself on every way through it. */
bool ir_is_endless(const IrFunc *fn);
/* A return of `fn` that gives out an array which ends with the function, or NULL. */
const IrStmt *ir_escape(Arena *arena, const IrFunc *fn);
