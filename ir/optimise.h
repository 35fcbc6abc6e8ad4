/* The optimising passes, in the order they run, and what they share.
**
** A pass changes the kernel of unit->kernel for the launches that unit->launch tells of, or leaves
** it alone; either way its results stay the same, bit for bit, but for the order of atomics, which
** no one can know. Each says in remarks, where they are collected, what it did, and where it was
** nearly possible what prevents it. Passes run on kernels that are not for debug; device functions
** that can stand in place of their calls do so by then.
**
** What a pass may rely on, beside ir_verify(): IrVar.uniform and nonnegative are as ir_uniform()
** and ir_range() left them before the first pass; a pass that needs them after others changed the
** kernel runs these again itself. */
#pragma once

#include "ir/ir.h"

#define OPTIMISING_PASSES(PASS)                                                                    \
    /* name, runs for the processor too by default */                                              \
    PASS(inlined, true)                                                                            \
    PASS(constants, false)                                                                         \
    PASS(widths, true)                                                                             \
    PASS(returns, true)                                                                            \
    PASS(counted, true)                                                                            \
    PASS(versions, false)                                                                          \
    PASS(quotients, true)                                                                          \
    PASS(bits, true)                                                                               \
    PASS(views, false)                                                                             \
    PASS(held, false)                                                                              \
    PASS(selects, false)                                                                           \
    PASS(delinearise, true)                                                                        \
    PASS(elements, false)                                                                          \
    PASS(registers, true)                                                                          \
    PASS(carry, false)                                                                             \
    PASS(tensor, false)                                                                            \
    PASS(raise, false)                                                                             \
    PASS(persist, false)                                                                           \
    PASS(ranks, false)                                                                             \
    PASS(collapse, false)                                                                          \
    PASS(team, false)                                                                              \
    PASS(jam, false)                                                                               \
    PASS(rows, false)                                                                              \
    PASS(ragged, false)                                                                            \
    PASS(records, false)                                                                           \
    PASS(transpose, false)                                                                         \
    PASS(coarsen, false)                                                                           \
    PASS(stage, false)                                                                             \
    PASS(axes, false)                                                                              \
    PASS(trips, false)                                                                             \
    PASS(blocks, false)                                                                            \
    PASS(pad, false)                                                                               \
    PASS(spread, false)                                                                            \
    PASS(lockstep, false)                                                                          \
    PASS(counters, false)                                                                          \
    PASS(wraps, false)                                                                             \
    PASS(reciprocal, false)                                                                        \
    PASS(unroll, false)                                                                            \
    PASS(privatise, false)                                                                         \
    PASS(runs, false)                                                                              \
    PASS(slots, false)                                                                             \
    PASS(webs, true)                                                                               \
    PASS(merge, true)                                                                              \
    PASS(invariants, true)                                                                         \
    PASS(tiles, true)                                                                              \
    PASS(periods, true)                                                                            \
    PASS(borders, true)                                                                            \
    PASS(floats, false)                                                                            \
    PASS(packs, false)                                                                             \
    PASS(restrict, true)                                                                           \
    PASS(narrow, true)

/* Marks loops for the device's compiler to unroll; see schedule/unroll/ask.c. */
void ir_unroll_ask(IrUnit *unit);
/* A part of the pass counted, at each loop; see simplify/counted_congruent.c. */
IrChangeVisitor ir_counted_congruent;
/* A part of the pass unroll; see schedule/unroll/shared.c. */
void ir_unroll_shared(IrUnit *unit);

/* A copy of the kernel's body in which loops of few known iterations are laid out, those too that
** threads leave earlier if they come to private arrays of `elements`, by IrVar.id, unless that is
** NULL; see schedule/unroll/whole.c and exits.c. Whether there is any; -1 if it has more than
** `most` nodes, or an index of such an array is no number: then it is of no use. */
int ir_unroll_whole(IrUnit *unit, const IrRegion *body, int most, const bool *elements,
                    IrRegion *out);
/* A copy of the kernel's body in which loops of few known iterations are laid out if threads of a
** block meet in them, `block` being what it has along each axis; whether there is any. */
bool ir_unroll_meetings(IrUnit *unit, const IrRegion *body, const uint32_t block[3], IrRegion *out);
/* By IrVar.id: a thread's own arrays that are only accessed element by element, at indices that
** threads compute, each its own; NULL: there are none. See schedule/privatise/slots.c. */
bool *ir_computed_arrays(IrUnit *unit);
/* Keeps elements in registers while one loop of a region runs; see schedule/unroll/registers.c. */
void ir_registers_of(IrUnit *unit, IrRegion *region, IrStmt *loop);
/* Leaves out what bounds rule out; see simplify/settle.c. */
void ir_settle(IrUnit *unit);

#define PASS(name, processor) void ir_##name(IrUnit *unit);
OPTIMISING_PASSES(PASS)
#undef PASS

/* ---- optimise.c ------------------------------------------------------------------------------ */

/* Says at a line of the source what a pass did, or what keeps it from doing it. Nothing where
** they are not collected. A remark on the same place with the same words is given once. */
void ir_remark(IrUnit *unit, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A new parameter of the kernel, behind the others. */
IrVar *ir_add_param(IrUnit *unit, const char *name, const Type *type);

/* A new parameter of the kernel that holds what of the launch `kind` says, an int64; the same one
** if it has it already. */
IrVar *ir_hidden(IrUnit *unit, IrHiddenKind kind, int axis);
/* A new parameter that tells a GPU how it finds boxes of an array, which have 128 bytes along its
** last axis and so many rows along another one. */
IrVar *ir_map(IrUnit *unit, const IrVar *array, int along, int rows);

/* Has calls stand alone, as the whole value of a statement, or puts what they give in their place;
** where neither may be, IrFunc.stays is set. */
void ir_take_calls(IrUnit *unit);

/* Whether nothing writes an array while the kernel runs, by no other name either: it is constant,
** or a parameter that the kernel does not write and that overlaps no other argument. Then its
** elements may be read at another time, and by another thread. False of NULL. */
bool ir_only_read(const IrUnit *unit, const IrVar *array);

/* Whether the rows of an array parameter are known to begin at multiples of 16 bytes. */
bool ir_rows_aligned(IrUnit *unit, const IrVar *array);

/* The bytes of an array with memory of its own, and of all arrays in a block's shared memory that
** the kernel's text has. */
int64_t ir_array_bytes(const IrVar *array);
int64_t ir_shared_bytes(const IrFunc *fn);

/* The parameter that an array value is, whole: its number, or -1. */
int ir_array_param(const IrValue *array);
