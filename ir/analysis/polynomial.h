/* Integers as sums of products: (b * h + y) * w + x is b*h*w + y*w + x.
**
** What is neither sum, difference nor product is an atom. Variables of int64 stand for the sum or
** product that they are set to, if they do so wherever they are read, and a length is multiplied in
** it or `whole` asks for all; others are atoms. Signed sums and products are taken not to
** overflow. */
#pragma once

#include "ir/ir.h"

enum { POLYNOMIAL_TERMS = 8, PRODUCT_ATOMS = 4 }; /* of a sum of more nothing is known */

typedef struct IrProduct {
    int64_t factor; /* times the product of the atoms */
    int count;
    IrValue *atoms[PRODUCT_ATOMS];
} IrProduct;

typedef struct IrPolynomial {
    int count; /* -1: it is none that fits here */
    IrProduct terms[POLYNOMIAL_TERMS];
} IrPolynomial;

typedef struct IrPolynomials {
    Arena *arena;
    IrValue **named; /* by IrVar.id: the sum, product, remainder or minimum that it is set to, if it
                        stands for that wherever it is read */
    IrPolynomial **known; /* by IrVar.id: the sum of that, NULL before it is asked for */
    bool whole;
} IrPolynomials;

/* Of a function as it is. */
IrPolynomials ir_polynomials(Arena *arena, const IrFunc *fn);
IrPolynomial polynomial_of(const IrPolynomials *p, IrValue *value);
/* As a value again. */
IrValue *polynomial_value(const IrPolynomials *p, const IrPolynomial *sum, Span span);
/* a + sign * b */
IrPolynomial polynomial_plus(const IrPolynomial *a, const IrPolynomial *b, int sign);
/* sum = length * rows + column */
void polynomial_divide(const IrPolynomial *sum, const IrValue *length, IrPolynomial *rows,
                       IrPolynomial *column);
/* A length that is the same all through the launch: a parameter, which nothing sets. */
bool polynomial_is_length(const IrValue *value);
