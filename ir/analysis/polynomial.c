#include "ir/analysis/polynomial.h"

#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"

/* ---- what variables stand for ---------------------------------------------------------------- */

typedef struct LeftReads {
    const bool *left;
    bool any;
} LeftReads;

static void note_left(void *context, IrValue *value)
{
    LeftReads *reads = context;
    reads->any |= value->op == OP_var && reads->left[value->var->id];
}

static bool has_name(const IrValue *value)
{
    return value->op == OP_add || value->op == OP_sub || value->op == OP_mul ||
           value->op == OP_mod || value->op == OP_var || ir_is_intrinsic(value, INTR_min);
}

/* No part of what a name stands for is set again, or read behind its loop. Not `at` in
** `at = i * w + j; i += 1`. */
IrPolynomials ir_polynomials(Arena *arena, const IrFunc *fn)
{
    const IrSets sets = ir_sets(arena, fn, &fn->body);
    const bool *left = ir_left_by_loops(arena, fn, &fn->body);
    IrPolynomials p = { .arena = arena,
                        .named = arena_array(arena, IrValue *, fn->var_count + 1),
                        .known = arena_array(arena, IrPolynomial *, fn->var_count + 1) };
    for (int i = 0; i < fn->var_count; i++) {
        IrValue *value = sets_value(&sets, fn->vars[i]);
        LeftReads reads = { left, left[i] };
        if (!value || value->type != type_int64 || ir_value_effects(value) != EFFECT_NONE ||
            !has_name(value) || !sets_stable(&sets, value))
            continue;
        ir_each_node(value, note_left, &reads);
        p.named[i] = reads.any ? NULL : value;
    }
    return p;
}

/* ---- sums of products ------------------------------------------------------------------------ */

/* Whether two products are of the same, in whatever order. */
static bool same_atoms(const IrProduct *a, const IrProduct *b)
{
    unsigned met = 0;
    for (int i = 0; i < a->count && a->count == b->count; i++) {
        int k = 0;
        while (k < b->count && (met >> k & 1 || !ir_same_value(a->atoms[i], b->atoms[k])))
            k++;
        if (k == b->count)
            return false;
        met |= 1u << k;
    }
    return a->count == b->count;
}

static void add_term(IrPolynomial *sum, IrProduct term)
{
    for (int i = 0; i < sum->count; i++) {
        if (!same_atoms(&sum->terms[i], &term))
            continue;
        if (__builtin_add_overflow(sum->terms[i].factor, term.factor, &sum->terms[i].factor))
            sum->count = -1;
        else if (sum->terms[i].factor == INT64_MIN)
            sum->count = -1;
        else if (sum->terms[i].factor == 0)
            sum->terms[i] = sum->terms[--sum->count];
        return;
    }
    if (sum->count == POLYNOMIAL_TERMS || term.factor == INT64_MIN)
        sum->count = -1;
    if (sum->count >= 0 && term.factor != 0)
        sum->terms[sum->count++] = term;
}

IrPolynomial polynomial_plus(const IrPolynomial *a, const IrPolynomial *b, int sign)
{
    IrPolynomial sum = *a;
    for (int i = 0; i < b->count && sum.count >= 0; i++) {
        IrProduct term = b->terms[i];
        term.factor *= sign;
        add_term(&sum, term);
    }
    if (b->count < 0)
        sum.count = -1;
    return sum;
}

static IrPolynomial polynomial_times(const IrPolynomial *a, const IrPolynomial *b)
{
    IrPolynomial sum = { .count = a->count < 0 || b->count < 0 ? -1 : 0 };
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count && sum.count >= 0; k++) {
            IrProduct term = a->terms[i];
            const IrProduct *by = &b->terms[k];
            if (term.count + by->count > PRODUCT_ATOMS ||
                __builtin_mul_overflow(term.factor, by->factor, &term.factor)) {
                sum.count = -1;
                break;
            }
            for (int atom = 0; atom < by->count; atom++)
                term.atoms[term.count++] = by->atoms[atom];
            add_term(&sum, term);
        }
    return sum;
}

bool polynomial_is_length(const IrValue *value)
{
    if (value->op == OP_cast)
        value = value->operands[0];
    return value->op == OP_var && value->var->kind == VAR_PARAM && type_is_integer(value->type);
}

static bool has_length(const IrPolynomial *sum)
{
    for (int i = 0; i < sum->count; i++)
        for (int k = 0; k < sum->terms[i].count && sum->terms[i].count > 1; k++)
            if (polynomial_is_length(sum->terms[i].atoms[k]))
                return true;
    return false;
}

/* Worked out once for each name: squares of squares double with each. One that nothing sets but
** itself, as where the branch that began it is never taken, stands in that for itself. */
static const IrPolynomial *of_name(const IrPolynomials *p, int id)
{
    if (!p->known[id]) {
        IrPolynomial *sum = p->known[id] = arena_new(p->arena, IrPolynomial);
        sum->count = -1;
        *sum = polynomial_of(p, p->named[id]);
    }
    return p->known[id];
}

static IrPolynomial of_atom(const IrPolynomials *p, IrValue *value)
{
    IrValue *stands_for = value->op == OP_var ? p->named[value->var->id] : NULL;
    if (stands_for) {
        const IrPolynomial *sum = of_name(p, value->var->id);
        if (p->whole ? sum->count >= 0 : has_length(sum))
            return *sum;
    }
    return (IrPolynomial){ 1, { { 1, 1, { value } } } };
}

IrPolynomial polynomial_of(const IrPolynomials *p, IrValue *value)
{
    if (value->type != type_int64)
        return (IrPolynomial){ 1, { { 1, 1, { value } } } };
    if (ir_is_constant(value) && value->constant.integer != INT64_MIN)
        return (IrPolynomial){ value->constant.integer != 0,
                               { { value->constant.integer, 0, { NULL } } } };
    if (value->op != OP_add && value->op != OP_sub && value->op != OP_mul)
        return of_atom(p, value);
    IrPolynomial a = polynomial_of(p, value->operands[0]), b = polynomial_of(p, value->operands[1]);
    return value->op == OP_mul ? polynomial_times(&a, &b)
                               : polynomial_plus(&a, &b, value->op == OP_add ? 1 : -1);
}

IrValue *polynomial_value(const IrPolynomials *p, const IrPolynomial *sum, Span span)
{
    IrValue *value = NULL;
    for (int i = 0; i < sum->count; i++) {
        const IrProduct *term = &sum->terms[i];
        bool negative = term->factor < 0 && value;
        int64_t factor = negative ? -term->factor : term->factor;
        IrValue *product = NULL;
        for (int k = 0; k < term->count; k++) {
            IrValue *atom = ir_clone_value(&(IrClone){ .arena = p->arena }, term->atoms[k]);
            product = product ? ir_binary(p->arena, OP_mul, product, atom, span) : atom;
        }
        IrValue *number = ir_integer(p->arena, type_int64, factor, span);
        if (!product)
            product = number;
        else if (factor != 1)
            product = ir_binary(p->arena, OP_mul, product, number, span);
        value =
            value ? ir_binary(p->arena, negative ? OP_sub : OP_add, value, product, span) : product;
    }
    return value ? value : ir_integer(p->arena, type_int64, 0, span);
}

/* Whether a term is a multiple of the length; `*rest` is how many times that. */
static bool divide_term(const IrProduct *term, const IrValue *length, IrProduct *rest)
{
    *rest = *term;
    if (ir_is_constant(length)) {
        rest->factor = term->factor / length->constant.integer;
        return term->factor % length->constant.integer == 0;
    }
    for (int i = 0; i < term->count; i++) {
        if (!ir_same_value(term->atoms[i], length))
            continue;
        rest->count--;
        for (int k = i; k < rest->count; k++)
            rest->atoms[k] = term->atoms[k + 1];
        return true;
    }
    return false;
}

void polynomial_divide(const IrPolynomial *sum, const IrValue *length, IrPolynomial *rows,
                       IrPolynomial *column)
{
    IrProduct term;
    *rows = *column = (IrPolynomial){ 0 };
    for (int i = 0; i < sum->count; i++)
        if (divide_term(&sum->terms[i], length, &term))
            add_term(rows, term);
        else
            add_term(column, sum->terms[i]);
}
