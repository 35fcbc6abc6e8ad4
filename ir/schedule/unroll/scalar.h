/* Whether an element of an array can be kept in a variable while a loop runs: registers.c says when
** that is legal. */
#pragma once

#include "ir/analysis/accesses.h"

/* An element, and what the loop does to it. */
typedef struct Replacement {
    Accesses *accesses;
    const Access *access;
    bool loads, stores;
    bool mere;          /* it is read for nothing but being changed */
    bool written_first; /* what it held before the loop is never read */
    bool lazy;          /* not every iteration comes to it: a flag must tell whether one did */
    IrValue *condition; /* for the first iteration to come to it; NULL: none */
} Replacement;

/* Looks whether the element of an access is one that the loop could come back to at each iteration,
** and is the first access of it. */
bool scalar_is_candidate(Replacement *scalar, Accesses *accesses, const Access *access);
/* Why it must not be kept; NULL: it may. */
const char *scalar_why_not(Replacement *scalar);
/* Whether all that accesses it stands in the loop and in no other inside of it. */
bool scalar_is_innermost(const Replacement *scalar);
bool scalar_is_load(const Replacement *scalar, const IrValue *value);
bool scalar_is_store(const Replacement *scalar, const IrStmt *stmt);
bool scalar_has_load(const Replacement *scalar, const IrValue *value);
/* The variable that an array is, or is a part of; NULL: none. */
const IrVar *keep_base(const Replacement *scalar);
/* a and b, of which either may be NULL: nothing is asked. */
IrValue *scalar_both(Arena *arena, IrValue *a, IrValue *b);
/* Whether a loop makes an iteration; NULL if that cannot be said. */
IrValue *scalar_iterations(Arena *arena, const IrStmt *loop);
