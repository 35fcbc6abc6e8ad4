/* Gives arrays that are indexed by sums the axes that these sums are made of:
**
**     store v[add(mul(y, w), x)] = load(u, add(mul(sub(y, 1), w), x))
** becomes, where 0 <= y - 1 and 0 <= x < w,
**     store v[y, x] = load(u, sub(y, 1), x)
**
** of parameters that have two axes from then on, the second of w elements (IrVar.extents), or more
** for (b * h + y) * w + x. The addresses stay what they were; passes can tell rows from columns.
**
** LEGAL if, at every access of the array, what is left of the index without the multiples of w,
** names replaced by what they stand for, lies in 0 to w - 1, and there are 0 of these or more: then
** two pairs of indices are one element only if they are the same pair, and none counts from the
** end. The kernel must not ask how long the array is, nor pass it on, nor change it by atomics. w
** is a parameter below 2^30 or a number: from 16 on, or of channels, as in (y * w + x) * 3 + c.
** That a row's number times w stays within 64 bits where the access is right rests on that, and on
** arrays having less than 2^31 elements.
**
** It PAYS always: an index that has a name is at most computed again. After the delinearisation of
** dependence tests (Maslov, PLDI 1992), with the kernel's own conditions for proof.
**
** Where the kernel takes an index i apart itself, its sums keep one axis, but do not count from the
** end:
**
**     row = floordiv(i, w)
**     column = mod(i, w)
**     if gt(row, 0)
**         s = load(u, sub(i, w))
**
** LEGAL as i is row * w + column for positive w, so that i - w is (row - 1) * w + column, of which
** neither part is negative; and what is not negative is at least its remainder by anything. */
#include "ir/analysis/accesses.h"
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/polynomial.h"
#include "ir/analysis/range/bounds.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum {
    CANDIDATES = 8,    /* lengths of rows that are tried, */
    RANK_MOST = 4,     /* and axes that come of them */
    NUMBER_LEAST = 16, /* of a length that is a number: shorter rows are no rows, */
    GROUP_LEAST = 2,   /* but in an array of rows, as the channels of a pixel are */
    PARTS_MOST = 8,    /* quotients and remainders, */
    PARTS_DEEP = 4     /* and how often parts are taken apart */
};

typedef struct Candidate {
    IrValue *length;
    bool refuted; /* at some access what is left over may be as long, or less than 0 */
} Candidate;

typedef struct Flat {
    bool fine; /* only loaded from and stored to, element by element */
    int count;
    Candidate candidates[CANDIDATES];
} Flat;

typedef struct Delinearise {
    IrUnit *unit;
    IrFunc *fn;
    Arena *arena;
    IrPolynomials sums;
    Flat *flats; /* by parameter */
    IrBounds *bounds;
    IrSets sets;
    IrValue *parts[PARTS_MOST]; /* quotients and remainders that the kernel asks for */
    int part_count;
} Delinearise;

/* ---- the accesses ---------------------------------------------------------------------------- */

/* The parameter that an access at these indices may be rewritten for; NULL of others. */
static Flat *flat_of(const Delinearise *d, const IrValue *array)
{
    int param = ir_array_param(array);
    return param >= 0 && d->flats[param].fine ? &d->flats[param] : NULL;
}

static void add_candidate(Flat *flat, IrValue *length)
{
    for (int i = 0; i < flat->count; i++)
        if (ir_same_value(flat->candidates[i].length, length))
            return;
    if (flat->count < CANDIDATES)
        flat->candidates[flat->count++] = (Candidate){ .length = length };
}

static void note_lengths(Delinearise *d, Flat *flat, IrValue *index)
{
    IrPolynomial sum = polynomial_of(&d->sums, index);
    for (int i = 0; i < sum.count; i++) {
        const IrProduct *term = &sum.terms[i];
        bool rows = false;
        for (int k = 0; k < term->count && term->count > 1; k++) {
            rows |= polynomial_is_length(term->atoms[k]);
            if (polynomial_is_length(term->atoms[k]))
                add_candidate(flat, term->atoms[k]);
        }
        int64_t number = term->factor < 0 ? -term->factor : term->factor;
        if (term->count && number >= (rows ? GROUP_LEAST : NUMBER_LEAST))
            add_candidate(flat, ir_integer(d->arena, type_int64, number, index->span));
    }
}

/* What of an array is no access of an element keeps it as it is. */
static void note_uses(void *context, IrValue *value)
{
    Delinearise *d = context;
    bool load = value->op == OP_load;
    for (int i = load; i < value->count; i++) {
        Flat *flat = flat_of(d, value->operands[i]);
        if (flat)
            flat->fine = false;
    }
    Flat *flat = load ? flat_of(d, value->operands[0]) : NULL;
    if (flat)
        note_lengths(d, flat, value->operands[1]);
}

static void note_uses_below(Delinearise *d, IrValue *value)
{
    Flat *flat = flat_of(d, value);
    if (flat)
        flat->fine = false;
    ir_each_node(value, note_uses, d);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    Delinearise *d = context;
    Flat *flat = stmt->kind == IR_STORE ? flat_of(d, stmt->store.array) : NULL;
    if (!flat) {
        for_each_value (value, stmt)
            note_uses_below(d, value);
        return;
    }
    for (int i = 0; i < stmt->store.count; i++)
        note_uses_below(d, stmt->store.indices[i]);
    note_uses_below(d, stmt->store.value);
    note_lengths(d, flat, stmt->store.indices[0]);
}

/* Whether a sum is a remainder by the length, as indices that wrap around are. */
static bool is_remainder(const Delinearise *d, const IrPolynomial *sum, const IrValue *length)
{
    const IrProduct *term = &sum->terms[0];
    const IrValue *value = sum->count == 1 && term->count == 1 ? term->atoms[0] : NULL;
    if (value && value->op == OP_var && d->sums.named[value->var->id])
        value = d->sums.named[value->var->id];
    return value && term->factor == 1 && value->op == OP_mod &&
           ir_same_value(value->operands[1], length) && bounds_of(d->bounds, length).low >= 1;
}

/* Whether no part of a sum is negative: then it is not, as sums and products of signed integers are
** taken not to overflow, even of more bits than there are. */
static bool adds_up(Delinearise *d, const IrPolynomial *sum)
{
    for (int i = 0; i < sum->count; i++) {
        const IrProduct *term = &sum->terms[i];
        for (int k = 0; k < term->count; k++)
            if (bounds_of(d->bounds, term->atoms[k]).low < 0)
                return false;
        if (term->factor < 0)
            return false;
    }
    return true;
}

/* Whether a sum is never negative: by its bounds, or as so many times a length, and more. */
static bool is_nonnegative(Delinearise *d, const IrPolynomial *sum, Span span, int depth)
{
    if (sum->count < 0)
        return false;
    if (bounds_of(d->bounds, polynomial_value(&d->sums, sum, span)).low >= 0 || adds_up(d, sum))
        return true;
    for (int i = 0; i < sum->count && depth; i++)
        for (int k = 0; k < sum->terms[i].count && sum->terms[i].count > 1; k++) {
            const IrValue *length = sum->terms[i].atoms[k];
            IrPolynomial times, rest;
            if (!polynomial_is_length(length) || bounds_of(d->bounds, length).low < 0)
                continue;
            polynomial_divide(sum, length, &times, &rest);
            if (is_nonnegative(d, &times, span, depth - 1) &&
                is_nonnegative(d, &rest, span, depth - 1))
                return true;
        }
    return false;
}

static bool holds_at(Delinearise *d, const IrValue *length, const IrPolynomial *sum, Span span)
{
    IrPolynomial rows, column;
    polynomial_divide(sum, length, &rows, &column);
    if (rows.count < 0 || column.count < 0)
        return false;
    IrValue *left = polynomial_value(&d->sums, &column, span);
    Interval range = bounds_of(d->bounds, left);
    Interval beyond = bounds_difference(d->bounds, left, length);
    if (interval_empty(range) || !is_nonnegative(d, &rows, span, RANK_MOST))
        return false;
    return (range.low >= 0 && beyond.high < 0) || is_remainder(d, &column, length);
}

static void judge(Delinearise *d, const IrValue *array, IrValue *index, Span span)
{
    Flat *flat = flat_of(d, array);
    if (!flat)
        return;
    IrPolynomial sum = polynomial_of(&d->sums, index);
    for (int i = 0; i < flat->count; i++) {
        Candidate *candidate = &flat->candidates[i];
        candidate->refuted |= sum.count < 0 || !holds_at(d, candidate->length, &sum, span);
    }
}

/* What an operand that is evaluated only sometimes is judged by. */
static void judge_below(Delinearise *d, IrValue *value)
{
    if (value->op == OP_load)
        judge(d, value->operands[0], value->operands[1], value->span);
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(d->bounds, value, i);
        judge_below(d, value->operands[i]);
        bounds_forget(d->bounds, mark);
    }
}

static void judge_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Delinearise *d = context;
    (void)bounds;
    for_each_value (value, stmt)
        judge_below(d, value);
    if (stmt->kind == IR_STORE)
        judge(d, stmt->store.array, stmt->store.indices[0], stmt->span);
}

/* ---- new axes -------------------------------------------------------------------------------- */

static const IrValue *length_of(const Flat *flat)
{
    for (int i = 0; flat && flat->fine && i < flat->count; i++)
        if (!flat->candidates[i].refuted)
            return flat->candidates[i].length;
    return NULL;
}

/* The indices with the first one divided; neither part counts from the end. */
static IrValue **split_first(Delinearise *d, const IrValue *length, IrValue *const *indices,
                             int count)
{
    IrValue **made = arena_array(d->arena, IrValue *, count + 1);
    IrPolynomial sum = polynomial_of(&d->sums, indices[0]), rows, column;
    polynomial_divide(&sum, length, &rows, &column);
    made[0] = polynomial_value(&d->sums, &rows, indices[0]->span);
    made[1] = polynomial_value(&d->sums, &column, indices[0]->span);
    for (int i = 0; i < 2; i++)
        ir_take_sign(made[i], true);
    for (int i = 1; i < count; i++)
        made[i + 1] = indices[i];
    return made;
}

static void rewrite_load(void *context, IrValue *value)
{
    Delinearise *d = context;
    const IrValue *length = value->op == OP_load ? length_of(flat_of(d, value->operands[0])) : NULL;
    if (!length)
        return;
    IrValue **indices = split_first(d, length, value->operands + 1, value->count - 1);
    IrValue **operands = arena_array(d->arena, IrValue *, value->count + 1);
    operands[0] = value->operands[0];
    for (int i = 0; i < value->count; i++)
        operands[i + 1] = indices[i];
    value->operands = operands;
    value->count++;
}

static void rewrite_stmt(void *context, IrStmt *stmt)
{
    Delinearise *d = context;
    ir_each_own_node(stmt, rewrite_load, d);
    const IrValue *length =
        stmt->kind == IR_STORE ? length_of(flat_of(d, stmt->store.array)) : NULL;
    if (!length)
        return;
    stmt->store.indices = split_first(d, length, stmt->store.indices, stmt->store.count);
    stmt->store.count++;
}

static void note_type(void *context, IrValue *value)
{
    (void)context;
    if (value->op == OP_var && value->var->extents)
        value->type = value->var->type;
}

/* The extents of an array whose own are known, with rows of `length`. */
static int64_t *split_shape(Delinearise *d, const IrVar *array, int64_t length)
{
    int rank = array->type->array.rank;
    int64_t *shape = arena_array(d->arena, int64_t, rank + 1);
    shape[0] = (array->shape[0] + length - 1) / length; /* the last row may end early */
    shape[1] = length;
    for (int i = 1; i < rank; i++)
        shape[i + 1] = array->shape[i];
    return shape;
}

static void add_axis(Delinearise *d, IrVar *array, const IrValue *length)
{
    const Type *old = array->type;
    int rank = old->array.rank;
    IrValue **extents = arena_array(d->arena, IrValue *, rank);
    extents[0] = ir_clone_value(&(IrClone){ .arena = d->arena }, length);
    for (int i = 1; i < rank; i++)
        extents[i] = array->extents[i - 1];
    array->extents = extents;
    if (array->shape)
        array->shape = split_shape(d, array, length->constant.integer);
    Type *type = arena_new(d->arena, Type);
    *type = *old;
    type->array.rank++;
    array->type = type;
    const IrVar *param = ir_length_param(length);
    ir_remark(d->unit, array->span, "'%s' is taken for rows of %s elements", array->name,
              param ? param->name
                    : arena_printf(d->arena, "%lld", (long long)length->constant.integer));
}

static bool may_have_axes(const IrVar *var)
{
    const Type *type = var->type;
    return type_is_array(type) && type->array.layout == LAYOUT_C && !type->array.unaligned &&
           type_is_scalar(type->array.element) &&
           (type->array.rank == 1 || (var->extents && type->array.rank < RANK_MOST));
}

/* The first candidate that holds, which the launch has to keep to; false if there is none. */
static bool choose(Delinearise *d, const IrVar *array, Flat *flat)
{
    const IrValue *length;
    for (int i = 0; (length = length_of(flat)) && i < flat->count; i++) {
        const IrVar *param = ir_length_param(length);
        bool fits = !param || (!array->shape && /* which is of numbers, then */
                               launch_scalar_30_bits(d->unit->launch, param->param));
        if (fits)
            return true;
        for (int k = 0; k < flat->count; k++)
            flat->candidates[k].refuted |= flat->candidates[k].length == length;
    }
    return false;
}

/* One more axis for each array that can have one; whether any can. */
static bool add_axes(Delinearise *d)
{
    bool any = false;
    d->sums = ir_polynomials(d->arena, d->fn);
    d->flats = arena_array(d->arena, Flat, d->fn->param_count + 1);
    for (int i = 0; i < d->fn->param_count; i++)
        d->flats[i].fine = may_have_axes(d->fn->vars[i]);
    ir_each_stmt(&d->fn->body, note_stmt, d);
    for (int i = 0; i < d->fn->param_count; i++)
        any |= d->flats[i].fine && d->flats[i].count;
    if (!any)
        return false;
    d->bounds = ir_bounds(d->unit);
    bounds_walk(d->bounds, judge_stmt, d);
    any = false;
    for (int i = 0; i < d->fn->param_count; i++)
        any |= choose(d, d->fn->vars[i], &d->flats[i]);
    if (!any)
        return false;
    ir_each_stmt(&d->fn->body, rewrite_stmt, d);
    for (int i = 0; i < d->fn->param_count; i++)
        if (length_of(&d->flats[i]))
            add_axis(d, d->fn->vars[i], length_of(&d->flats[i]));
    ir_each_node_in(&d->fn->body, note_type, NULL);
    return true;
}

/* ---- indices that the kernel takes apart ----------------------------------------------------- */

/* The quotient or remainder that a variable stands for; else the value. */
static const IrValue *behind(const Delinearise *d, const IrValue *value)
{
    const IrValue *named = value->op == OP_var ? sets_value(&d->sets, value->var) : NULL;
    bool part = named && (named->op == OP_floordiv || named->op == OP_mod);
    return part && sets_stable(&d->sets, named) ? named : value;
}

static void note_part(void *context, IrValue *value)
{
    Delinearise *d = context;
    if ((value->op != OP_floordiv && value->op != OP_mod) || value->type != type_int64 ||
        !sets_stable(&d->sets, value) || d->part_count == PARTS_MOST)
        return;
    for (int i = 0; i < d->part_count; i++)
        if (ir_same_value(d->parts[i], value))
            return;
    d->parts[d->part_count++] = value;
}

/* Where a sum adds a value, or subtracts it; -1: nowhere. */
static int term_of(const Delinearise *d, const IrPolynomial *sum, const IrValue *value)
{
    for (int i = 0; i < sum->count; i++)
        if (sum->terms[i].count == 1 &&
            ir_same_value(behind(d, sum->terms[i].atoms[0]), behind(d, value)))
            return i;
    return -1;
}

/* A sum with another value in the place of a term's. */
static IrPolynomial with_value(const Delinearise *d, const IrPolynomial *sum, int term,
                               IrValue *value, Span span)
{
    IrPolynomial rest = *sum;
    rest.terms[term] = rest.terms[--rest.count];
    IrValue *number = ir_integer(d->arena, type_int64, sum->terms[term].factor, span);
    IrPolynomial more = polynomial_of(&d->sums, ir_binary(d->arena, OP_mul, number, value, span));
    return polynomial_plus(&rest, &more, 1);
}

/* Whether a sum is never negative, with what it adds up taken apart as the kernel does. All that is
** asked is asked of values at the point at hand. */
static bool is_nonnegative_in_parts(Delinearise *d, const IrPolynomial *sum, Span span, int depth)
{
    if (is_nonnegative(d, sum, span, 0))
        return true;
    for (int i = 0; i < d->part_count && depth; i++) {
        IrValue *part = d->parts[i], *by = part->operands[1];
        int term = term_of(d, sum, part->operands[0]);
        if (term < 0)
            continue;
        IrValue *of = sum->terms[term].atoms[0];
        IrValue *left = ir_binary(d->arena, OP_mod, of, by, span);
        if (bounds_of(d->bounds, by).low >= 1) {
            IrPolynomial times, rest;
            IrValue *rows = ir_binary(d->arena, OP_floordiv, of, by, span);
            IrValue *whole = ir_binary(d->arena, OP_mul, by, rows, span);
            whole = ir_binary(d->arena, OP_add, whole, left, span);
            IrPolynomial all = with_value(d, sum, term, whole, span);
            polynomial_divide(&all, by, &times, &rest);
            if (is_nonnegative_in_parts(d, &times, span, depth - 1) &&
                is_nonnegative_in_parts(d, &rest, span, depth - 1))
                return true;
        }
        if (part->op != OP_mod || sum->terms[term].factor < 0 || bounds_of(d->bounds, of).low < 0)
            continue;
        IrPolynomial less = with_value(d, sum, term, left, span);
        if (is_nonnegative_in_parts(d, &less, span, depth - 1))
            return true;
    }
    return false;
}

/* Whether an index adds something to what the kernel takes apart. */
static bool may_have_parts(const Delinearise *d, IrValue *index)
{
    if (index->type != type_int64 || ir_nonnegative(index) || index->count < 2)
        return false;
    IrPolynomial sum = polynomial_of(&d->sums, index);
    bool any = false;
    for (int i = 0; i < d->part_count; i++)
        any |= term_of(d, &sum, d->parts[i]->operands[0]) >= 0;
    return any;
}

static void sign_index(Delinearise *d, IrValue *index)
{
    if (!may_have_parts(d, index))
        return;
    IrPolynomial sum = polynomial_of(&d->sums, index);
    ir_take_sign(index, is_nonnegative_in_parts(d, &sum, index->span, PARTS_DEEP));
}

static void sign_below(Delinearise *d, IrValue *value)
{
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(d->bounds, value, i);
        sign_below(d, value->operands[i]);
        bounds_forget(d->bounds, mark);
        if (value->op == OP_load && i > 0)
            sign_index(d, value->operands[i]);
    }
}

static void sign_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Delinearise *d = context;
    (void)bounds;
    for_each_value (value, stmt)
        sign_below(d, value);
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        sign_index(d, stmt->store.indices[i]);
}

typedef struct PartsSearch {
    const Delinearise *d;
    bool any;
} PartsSearch;

static void look_for_parts(void *context, IrValue *value)
{
    PartsSearch *search = context;
    for (int i = 1; i < value->count && value->op == OP_load && !search->any; i++)
        search->any = may_have_parts(search->d, value->operands[i]);
}

static void sign_indices(Delinearise *d)
{
    d->sets = ir_sets(d->arena, d->fn, &d->fn->body);
    ir_each_node_in(&d->fn->body, note_part, d);
    if (!d->part_count)
        return;
    d->sums = ir_polynomials(d->arena, d->fn);
    PartsSearch search = { .d = d };
    ir_each_node_in(&d->fn->body, look_for_parts, &search);
    if (!search.any)
        return;
    d->bounds = ir_bounds(d->unit);
    bounds_walk(d->bounds, sign_stmt, d);
}

void ir_delinearise(IrUnit *unit)
{
    Delinearise d = { .unit = unit, .fn = unit->kernel, .arena = unit->arena };
    int added = 1;
    if (!launch_narrow(unit->launch))
        return;
    while (added < RANK_MOST && add_axes(&d))
        added++;
    sign_indices(&d);
}
