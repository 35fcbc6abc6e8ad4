/* The IR as text, a statement a line, regions indented; and that text as IR again. docs/ir.md has
** the language.
**
**     kernel scale(x: float32[::1], a: float32)
**         for i: int64 in grid(0) to extent(x, 0) by gridsize(0)
**             store x[i] = mul(load(x, i), a)
**
** What is printed is what cannot be found out: a variable's type stands where it is first set, an
** operation's where its operands do not tell it. What ir_effects(), ir_range() and ir_uniform()
** find is not read; the two former's access to arrays is printed as comments. */
#pragma once

#include "ir/ir.h"

typedef enum IrTextForm {
    IR_TEXT_PLAIN, /* for people: positions are left out, and variables without a name */
    IR_TEXT_FULL   /* what is emitted of it, once it is read, is the same to the byte */
} IrTextForm;

/* Prints a unit. What is read of it prints the same, comments excepted. */
void ir_print(Buf *out, const IrUnit *unit, IrTextForm form);

/* The unit that a text is: verified, its effects, ranges and uniformity found. NULL after a
** complaint. Where the text has no positions, nodes have their own in `source`. */
IrUnit *ir_read(Arena *arena, Types *types, Diags *diags, const Source *source);
