/* Loops whose body runs in every m-th iteration alone, from one that differs between threads:
**
**     for k in 0 to 4 by 1                        first = mod(add(x, 1), 2)
**         i = sub(add(x, 1), k)                   for off in 0 to 2 by 1
**         if and_then(eq(mod(i, 2), 0), c)   =>       k = add(first, mul(off, 2))
**             s = add(s, load(w, k))                  i = sub(add(x, 1), k)
**                                                     if c
**                                                         s = add(s, load(w, k))
**
** So do transposed convolutions and other scatters that are written as gathers. If the number of
** iterations is no multiple of m, `lt(k, 4)` stands in front of c. Where the ends are no constants
** the loop itself begins at `first` and goes by m. A branch to the next iteration where that does
** not hold is taken for one around what follows.
**
** LEGAL if i is k or its opposite and what no iteration changes, of int64, which does not overflow;
** if the body is that branch, without another arm, behind sets whose values have no effect and read
** no memory, nor what the iteration before set there; if what else the branch asks has none either;
** if threads do not meet in it; and if nothing reads k and what is set there outside of the loop.
** The iterations that are left run in the same order.
**
** PAYS where threads of a warp differ in where they begin: each iteration keeps all of them busy,
** where m - 1 of m would wait. Elements of arrays of the thread and of constant arrays are better
** off where their indices become numbers, so these loops are left alone. */
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/polynomial.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

/* What shows which threads come to it together. */
typedef struct Congruence {
    IrUnit *unit;
    IrStmt *loop, *branch;
    IrValue *asked;            /* for the branch, or what it goes around, to run */
    const IrValue *comparison; /* in that */
    IrValue *index;            /* i */
    int64_t modulus;           /* m */
    int64_t residue;           /* what i is then, modulo m */
} Congruence;

static bool is_number(const IrValue *value)
{
    return ir_is_constant(value) && value->type == type_int64;
}

/* Whether a value is mod(i, m), or i and the lowest bits. */
static bool take_remainder(Congruence *c, const IrValue *value)
{
    bool masks = value->op == OP_and;
    if ((value->op != OP_mod && !masks) || value->type != type_int64 ||
        !is_number(value->operands[1]))
        return false;
    c->index = value->operands[0];
    c->modulus = value->operands[1]->constant.integer;
    if (masks && (c->modulus < 1 || c->modulus >= INT32_MAX || c->modulus & (c->modulus + 1)))
        return false;
    c->modulus += masks;
    return c->modulus > 1 && c->modulus <= INT32_MAX;
}

/* Looks for the comparison among what all has to hold. */
static bool find_comparison(Congruence *c, const IrValue *value)
{
    if (value->op == OP_and_then)
        return find_comparison(c, value->operands[0]) || find_comparison(c, value->operands[1]);
    c->comparison = value;
    if (value->op != OP_eq || !is_number(value->operands[1]) ||
        !take_remainder(c, value->operands[0]))
        return false;
    c->residue = value->operands[1]->constant.integer;
    return c->residue >= 0 && c->residue < c->modulus;
}

static bool is_array_of_numbers(const IrValue *value)
{
    return value->op == OP_var &&
           (value->var->kind == VAR_PRIVATE || value->var->kind == VAR_CONSTANT);
}

/* Whether what a set in the loop sets is read in front of it, as the iteration before left it. */
static bool is_carried(const IrStmt *loop, const IrStmt *set)
{
    const IrStmt *stmt = loop->for_.body.first;
    for (; stmt != set; stmt = stmt->next)
        if (ir_own_mentions(stmt, set->set.var))
            return true;
    return ir_mentions(set->set.value, set->set.var) > 0;
}

/* What holds where a condition does not; NULL: not known, as of floats, which may be NaN. */
static IrValue *opposite(const Congruence *c, IrValue *value)
{
    static const IrOp others[][2] = { { OP_lt, OP_ge }, { OP_gt, OP_le }, { OP_eq, OP_ne } };
    Arena *arena = c->unit->arena;
    IrValue *const *of = value->operands;
    if (value->op == OP_or_else) {
        IrValue *left = opposite(c, of[0]), *right = opposite(c, of[1]);
        return left && right ? ir_both(arena, left, right) : NULL;
    }
    if (!ir_is_comparison(value->op) || of[0]->type != type_int64 || of[1]->type != type_int64)
        return NULL;
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        for (int k = 0; k < 2; k++)
            if (value->op == others[i][k])
                return ir_binary(arena, others[i][!k], of[0], of[1], value->span);
    return NULL;
}

/* The branch that all behind the sets in front stands in, or that goes to the next iteration before
** it; what is asked for the rest to run. */
static bool take_branch(Congruence *c)
{
    IrStmt *branch = c->loop->for_.body.first;
    while (branch && branch->kind == IR_SET)
        branch = branch->next;
    if (!branch || branch->kind != IR_IF || branch->if_.otherwise.first)
        return false;
    const IrStmt *first = branch->if_.then.first;
    bool skips = first && first->kind == IR_CONTINUE;
    c->branch = branch;
    c->asked = skips ? opposite(c, branch->if_.condition) : branch->if_.condition;
    return c->asked && skips == (branch->next != NULL);
}

/* Whether the loop is a branch behind sets, and nothing reads outside what it sets in front. */
static bool has_form(Congruence *c)
{
    const IrFunc *fn = c->unit->kernel;
    const IrStmt *loop = c->loop;
    if (loop->for_.var->type != type_int64 || loop->for_.unroll ||
        !ir_is_integer(loop->for_.step, 1) || !take_branch(c) ||
        ir_value_effects(c->asked) != EFFECT_NONE || !find_comparison(c, c->asked) ||
        ir_region_effects(&loop->for_.body) & EFFECT_MEETS ||
        ir_region_has_node(&loop->for_.body, is_array_of_numbers))
        return false;
    const IrSets sets = ir_sets(c->unit->arena, fn, &fn->body);
    const int *reads = ir_reads(c->unit->arena, fn, &fn->body);
    const int *inside = ir_reads(c->unit->arena, fn, &loop->for_.body);
    if (reads[loop->for_.var->id] != inside[loop->for_.var->id] ||
        sets_loop(&sets, loop->for_.var) != loop)
        return false;
    for (const IrStmt *stmt = loop->for_.body.first; stmt != c->branch; stmt = stmt->next)
        if (stmt->kind != IR_SET || ir_value_effects(stmt->set.value) != EFFECT_NONE ||
            reads[stmt->set.var->id] != inside[stmt->set.var->id] || is_carried(loop, stmt))
            return false;
    return true;
}

/* Takes the counter's term out of the sum; its factor, 0 if the sum is none of one such term and
** what no iteration changes, or of numbers alone. */
static int64_t take_counter(const Congruence *c, IrPolynomial *sum)
{
    const IrSets sets = ir_sets_of_loop(c->unit->arena, c->unit->kernel, c->loop);
    int64_t factor = 0;
    int rest = 0;
    bool varies = false;
    for (int i = 0; i < sum->count; i++) {
        const IrProduct *term = &sum->terms[i];
        const IrValue *atom = term->count == 1 ? term->atoms[0] : NULL;
        if (atom && ir_is_var(atom, c->loop->for_.var)) {
            factor = term->factor;
            continue;
        }
        for (int k = 0; k < term->count; k++)
            if (!sets_invariant(&sets, term->atoms[k], NULL))
                return 0;
        varies |= term->count > 0;
        sum->terms[rest++] = *term;
    }
    sum->count = rest;
    return varies ? factor : 0;
}

/* By how much the first iteration that counts is beyond the loop's first; NULL: not known. */
static IrValue *first_of(const Congruence *c, const IrBuilder *b)
{
    IrUnit *unit = c->unit;
    IrPolynomials sums = ir_polynomials(unit->arena, unit->kernel);
    IrMagnitude *magnitude = ir_magnitude(unit->arena, unit->kernel, unit->launch);
    sums.whole = true;
    IrPolynomial rest = polynomial_of(&sums, c->index);
    int64_t factor = take_counter(c, &rest);
    IrValue *start = c->loop->for_.start;
    if ((factor != 1 && factor != -1) || ir_value_effects(start) != EFFECT_NONE ||
        magnitude_open_bits(magnitude, c->index) > FAR_BITS ||
        magnitude_open_bits(magnitude, start) > FAR_BITS - 2 ||
        magnitude_open_bits(magnitude, c->loop->for_.stop) > FAR_BITS - 2)
        return NULL;
    IrPolynomial residue = { .count = 1, .terms = { { .factor = c->residue } } },
                 begin = polynomial_of(&sums, start), none = { .count = 0 },
                 distance = polynomial_plus(&rest, &residue, -1);
    if (factor > 0)
        distance = polynomial_plus(&none, &distance, -1);
    distance = polynomial_plus(&distance, &begin, -1);
    IrValue *value = distance.count < 0 ? NULL : polynomial_value(&sums, &distance, b->span);
    if (!value || magnitude_open_bits(magnitude, value) > FAR_BITS)
        return NULL;
    return build_op(b, OP_mod, value, build_int(b, c->modulus));
}

/* The loop counts those iterations from 0 on. What one of them has to be below; NULL: they all
** are. */
static IrValue *count_from_zero(const Congruence *c, const IrBuilder *b, const IrVar *first)
{
    IrStmt *loop = c->loop;
    IrVar *counter = loop->for_.var;
    int64_t start = loop->for_.start->constant.integer, stop = loop->for_.stop->constant.integer;
    int64_t count = stop > start ? stop - start : 0;
    IrVar *off = build_counter(b, "off");
    IrValue *index =
        build_plus(b, build_op(b, OP_add, first, build_op(b, OP_mul, off, c->modulus)), start);
    ir_insert_before(&loop->for_.body, loop->for_.body.first,
                     ir_set(b->arena, counter, index, b->span));
    loop->for_.var = off;
    loop->for_.start = build_int(b, 0);
    loop->for_.stop = build_int(b, count / c->modulus + (count % c->modulus > 0));
    return count % c->modulus ? build_op(b, OP_lt, counter, stop) : NULL;
}

/* What all has to hold beside the comparison; NULL: nothing. */
static IrValue *rest_of(const Congruence *c, IrValue *condition)
{
    if (condition == c->comparison)
        return NULL;
    if (condition->op != OP_and_then)
        return condition;
    return ir_both(c->unit->arena, rest_of(c, condition->operands[0]),
                   rest_of(c, condition->operands[1]));
}

/* The branch asks the rest of what it did, behind `below`. */
static void leave_out(const Congruence *c, IrValue *below)
{
    IrRegion *body = &c->loop->for_.body;
    IrValue *rest = rest_of(c, c->asked);
    if (c->branch->next)
        c->branch->if_.then = ir_take_rest(body, c->branch);
    if (below || rest) {
        c->branch->if_.condition = ir_both(c->unit->arena, below, rest);
        return;
    }
    ir_remove(body, c->branch);
    ir_append_region(body, c->branch->if_.then);
}

void ir_counted_congruent(void *context, IrRegion *region, IrStmt *loop)
{
    Congruence c = { .unit = context, .loop = loop };
    const IrBuilder b[1] = { { c.unit->arena, c.unit->kernel, loop->span } };
    if (loop->kind != IR_FOR || !has_form(&c))
        return;
    IrValue *distance = first_of(&c, b);
    if (!distance)
        return;
    IrVar *first = build_counter(b, "first");
    ir_insert_before(region, loop, ir_set(b->arena, first, distance, b->span));
    bool known = ir_is_constant(loop->for_.start) && ir_is_constant(loop->for_.stop);
    if (!known) {
        loop->for_.start = build_op(b, OP_add, loop->for_.start, first);
        loop->for_.step = build_int(b, c.modulus);
        loop->for_.rises = true;
    }
    leave_out(&c, known ? count_from_zero(&c, b, first) : NULL);
}
