/* Texts of indices, extents and offsets, and how they are added up. Shared by the files that write
** arrays: text.c has the texts, axis.c what the axes of an array are, array.c where its elements
** lie. */
#pragma once

#include "codegen/emit/emit.h"

/* A piece of C: a number, a value, or a text with how tightly it binds. Numbers and values get
** their text when the place where they go is known. */
typedef struct Text {
    const char *text; /* NULL: that of the value, or the number */
    Prec prec;
    const IrValue *value;
    bool exact;  /* the value is written as just its type */
    bool narrow; /* its type in C is int */
    bool known;  /* it is `number` */
    bool hides;  /* what an index is made of it is to be hidden from the compiler */
    int64_t number;
    IndexShape shape;
} Text;

/* ---- text.c -------------------------------------------------------------------------------- */

/* A text that is no index, and one with the factors that it is made of. */
Text text_written(const char *text, Prec prec);
Text text_shaped(const char *text, Prec prec, IndexShape shape);
/* Never the least one, which C cannot write. */
Text text_number(int64_t value);
/* A value, written as just its type if `exact`. */
Text text_of_value(const Emitter *e, const IrValue *value, bool exact);
/* An integer value of 64 bits, or a constant, which goes beside anything. */
Text text_wide(const Emitter *e, const IrValue *value);
/* What stands in C where an operand must bind at least as tightly as `prec`. */
const char *text_at(Emitter *e, Text text, Prec prec);
/* Whether it is known to be this number. */
bool text_is(Text text, int64_t number);
/* Sums and products; of numbers that are known they are numbers. */
Text text_plus(Emitter *e, Text a, Text b);
Text text_times(Emitter *e, Text a, Text b);
/* An index or a stride, hidden from the compiler's analysis; and an index of an array, hidden if
** what it is made of says so, or if its factors would mislead the compiler: shape.c. */
Text text_hidden(Emitter *e, Text text);
Text text_index(Emitter *e, const IrValue *array, Text text);

/* ---- axis.c -------------------------------------------------------------------------------- */

/* The array without casts, which only forget its layout. */
const IrValue *array_uncast(const IrValue *array);
/* How a base array, no view, is written; and the name that its parts have. */
ArrayForm array_form(Emitter *e, const IrValue *array);
const char *array_parts(Emitter *e, const IrValue *array);
/* The field that a view of one looks at, and the number of axes before the field's own. */
const RecordField *view_field(const IrValue *view, int *outer);
/* The elements along an axis, and the bytes from one of them to the next. */
Text axis_extent(Emitter *e, const IrValue *array, int axis);
Text axis_stride(Emitter *e, const IrValue *array, int axis);
