/* What the files of the pass `transpose` share: transpose.c says what it does. */
#pragma once

#include "ir/builder.h"
#include "ir/schedule/stage/front.h"

typedef struct Transpose {
    IrUnit *unit;
    IrAffine affine;
    IrStmt *stmt;  /* in which the access stands that goes across: a store, or one with */
    IrValue *load; /* this in it; NULL: the store itself */
    const Type *element;
    /* int64 of arguments: threads whose access lies side by side are `line` apart, and so are
    ** `lines` of them, one behind the other; NULL: as many as there are */
    IrValue *line, *lines;
} Transpose;

/* Finds the access, of a kernel that is as it was or whose variables have new numbers; false: there
** is none. `*pays`: others lie side by side as threads do. */
bool transpose_find(Transpose *t, bool *pays);

/* int64 of arguments that is the same number; NULL: there is none. */
IrValue *transpose_argument(const Transpose *t, const IrValue *value);

/* The product of what the thread's index is divided by, one after the other; NULL: the value is no
** such quotient. Of the index itself `*self`. */
IrValue *transpose_divisors(const Transpose *t, const IrValue *value, bool *self);

/* ---- transpose_make.c ------------------------------------------------------------------------ */

/* Has blocks take the threads in tiles, as was found. */
void transpose_make(Transpose *t);
