/* Whether an element of an array can be kept in a variable while a loop runs: registers.c says when
** that is legal. */
#ifndef KJIT_KEEP_H
#define KJIT_KEEP_H

#include "ir/analysis/accesses.h"

/* An element, and what the loop does to it. */
typedef struct Keep {
    Accesses *accesses;
    const Access *access;
    bool loads, stores;
    bool mere;          /* it is read for nothing but being changed */
    bool written_first; /* what it held before the loop is never read */
    bool lazy;          /* not every iteration comes to it: a flag must tell whether one did */
    IrValue *condition; /* for the first iteration to come to it; NULL: none */
} Keep;

/* Looks whether the element of an access is one that the loop could come back to at each iteration,
** and is the first access of it. */
bool keep_is_candidate(Keep *keep, Accesses *accesses, const Access *access);
/* Why it must not be kept; NULL: it may. */
const char *keep_why_not(Keep *keep);
/* Whether all that accesses it stands in the loop and in no other inside of it. */
bool keep_is_innermost(const Keep *keep);
bool keep_is_load(const Keep *keep, const IrValue *value);
bool keep_is_store(const Keep *keep, const IrStmt *stmt);
bool keep_has_load(const Keep *keep, const IrValue *value);
/* The variable that an array is, or is a part of; NULL: none. */
const IrVar *keep_base(const Keep *keep);
/* Whether a loop, or one in it, may be waiting for an element to change that each iteration reads.
** */
bool keep_waits(Accesses *accesses);
/* a and b, of which either may be NULL: nothing is asked. */
IrValue *keep_both(Arena *arena, IrValue *a, IrValue *b);
/* Whether a loop makes an iteration; NULL if that cannot be said. */
IrValue *keep_iterations(Arena *arena, const IrStmt *loop);

#endif
