/* For the processor: blocks that lie well inside of what a kernel works on ask for no borders.
**
**     if lt(grid(0), n)                   inside: bool = le(block_idx * 16 + 15, n - 1)
**         tile[t] = x[grid(0)]            if inside
**     eval syncthreads()       becomes        tile[t] = x[grid(0)]
**     ...                                     eval syncthreads() ...
**                                         else
**                                             ... as it was
**
** What all threads of a block find alike, at all iterations of the loops around, is asked for the
** block: comparisons, and which of two is the lesser or the greater. The loops that a block becomes
** then have numbers for bounds, as the C compiler wants them for vectors, and clamped indices are
** none.
**
** LEGAL where both sides of what is asked lie between bounds that are made of arguments and the
** block's index alone, and are far from where 64 bits end: the copy runs where these say that there
** is one answer.
** PAYS where threads of a block meet, so that loops over them are as short as a block. */
#include "ir/analysis/polynomial.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/tile/tiles.h"

enum { LIMITS_MOST = 16, ANSWERS_MOST = 64, BODY_MOST = 1200, DEPTH_MOST = 24 };

/* What a node is inside: whether it holds, of a condition, or its operand. */
typedef struct Answer {
    const IrValue *node, *operand;
    bool holds;
} Answer;

typedef struct Insides {
    IrUnit *unit;
    const uint32_t *block;
    IrSets sets;
    IrMagnitude *magnitude;
    IrPolynomials sums;
    IrPolynomial limits[LIMITS_MOST]; /* which are not negative inside */
    Answer answers[ANSWERS_MOST];
    int limit_count, answer_count;
} Insides;

/* ---- the least and the greatest of a block ------------------------------------------------- */

static IrValue *end_of(Insides *in, const IrValue *value, bool high, int depth);

/* What the kernel has from the launch on. */
static bool is_argument(const IrValue *value)
{
    while (value->op == OP_cast)
        value = value->operands[0];
    return value->op == OP_extent ? ir_array_param(value->operands[0]) >= 0
                                  : value->op == OP_var && value->var->kind == VAR_PARAM;
}

static bool is_tame(const Insides *in, const IrValue *value)
{
    return type_is_integer(value->type) && type_is_signed(value->type) &&
           magnitude_bits(in->magnitude, value) < FAR_BITS;
}

/* Steps are positive. */
static IrValue *end_of_counter(Insides *in, const IrStmt *loop, bool high, int depth)
{
    const IrBuilder b[1] = { { in->unit->arena, in->unit->kernel, loop->span } };
    const IrValue *step = sets_behind_casts(&in->sets, loop->for_.step);
    bool size = step->op == OP_intrinsic && step->intrinsic == INTR_block_dim;
    if (!size && !(ir_is_constant(step) && step->constant.integer > 0))
        return NULL;
    IrValue *end = end_of(in, high ? loop->for_.stop : loop->for_.start, high, depth);
    return end && high ? build_plus(b, end, -1) : end;
}

static IrValue *end_of_intrinsic(Insides *in, const IrValue *value, bool high, int depth)
{
    const IrBuilder b[1] = { { in->unit->arena, in->unit->kernel, value->span } };
    int64_t size = in->block[value->index];
    if (value->intrinsic == INTR_thread_idx)
        return build_int(b, high ? size - 1 : 0);
    if (value->intrinsic == INTR_block_dim)
        return build_int(b, size);
    if (value->intrinsic == INTR_grid)
        return build_plus(b, tiles_base(b->arena, value), high ? size - 1 : 0);
    if (value->intrinsic == INTR_block_idx || value->intrinsic == INTR_grid_dim)
        return build_cast(b, type_int64, build_copy(b, value));
    if (value->intrinsic != INTR_min && value->intrinsic != INTR_max)
        return NULL;
    IrValue *left = end_of(in, value->operands[0], high, depth);
    IrValue *right = left ? end_of(in, value->operands[1], high, depth) : NULL;
    return !right                         ? NULL
           : value->intrinsic == INTR_min ? build_min(b, left, right)
                                          : build_max(b, left, right);
}

/* Of a product, a quotient or a remainder by a number. */
static IrValue *end_by_number(Insides *in, const IrValue *value, bool high, int depth)
{
    const IrBuilder b[1] = { { in->unit->arena, in->unit->kernel, value->span } };
    const IrValue *by = value->operands[1], *of = value->operands[0];
    if (value->op == OP_mul && ir_is_constant(of)) {
        by = of;
        of = value->operands[1];
    }
    if (!ir_is_constant(by) || by->constant.integer <= 0)
        return NULL;
    if (value->op == OP_mod)
        return build_int(b, high ? by->constant.integer - 1 : 0);
    IrValue *end = end_of(in, of, high, depth);
    return end ? build_op(b, value->op, end, by->constant.integer) : NULL;
}

static IrValue *end_of_var(Insides *in, const IrVar *var, bool high, int depth)
{
    const IrStmt *loop = sets_loop(&in->sets, var);
    const IrValue *set = sets_value(&in->sets, var);
    return loop ? end_of_counter(in, loop, high, depth) : set ? end_of(in, set, high, depth) : NULL;
}

/* No less, or no more, than a value is for any thread of a block at any time, as an int64; NULL:
** that is not known. */
static IrValue *end_of(Insides *in, const IrValue *value, bool high, int depth)
{
    const IrBuilder b[1] = { { in->unit->arena, in->unit->kernel, value->span } };
    if (depth > DEPTH_MOST || !is_tame(in, value))
        return NULL;
    depth++;
    if (ir_is_constant(value) || (value->op != OP_cast && is_argument(value)))
        return build_cast(b, type_int64, build_copy(b, value));
    if (value->op == OP_var)
        return end_of_var(in, value->var, high, depth);
    if (value->op == OP_intrinsic)
        return end_of_intrinsic(in, value, high, depth);
    if (value->op == OP_cast)
        return magnitude_bits(in->magnitude, value->operands[0]) <= magnitude_type_bits(value->type)
                   ? end_of(in, value->operands[0], high, depth)
                   : NULL;
    if (value->type != type_int64)
        return NULL;
    if (value->op == OP_mul || value->op == OP_floordiv || value->op == OP_mod)
        return end_by_number(in, value, high, depth);
    if (value->op != OP_add && value->op != OP_sub)
        return NULL;
    IrValue *left = end_of(in, value->operands[0], high, depth);
    IrValue *right =
        left ? end_of(in, value->operands[1], high != (value->op == OP_sub), depth) : NULL;
    return right ? build_op(b, value->op, left, right) : NULL;
}

/* ---- what is asked ------------------------------------------------------------------------- */

static bool is_number(const IrPolynomial *sum, int64_t *number)
{
    *number = sum->count ? sum->terms[0].factor : 0;
    return sum->count == 0 || (sum->count == 1 && !sum->terms[0].count);
}

/* Whether a sum is one of arguments alone: all blocks have one answer then, which may be no. */
static bool is_of_arguments(const IrPolynomial *sum)
{
    for (int i = 0; i < sum->count; i++)
        for (int k = 0; k < sum->terms[i].count; k++)
            if (!is_argument(sum->terms[i].atoms[k]))
                return false;
    return true;
}

/* Has a sum not be negative inside; false: it cannot be said, or contradicts another. */
static bool limit(Insides *in, const IrPolynomial *sum)
{
    int64_t number;
    if (sum->count < 0 || (is_number(sum, &number) && number < 0))
        return false;
    if (is_number(sum, &number))
        return true;
    if (is_of_arguments(sum))
        return false;
    for (int i = 0; i < in->limit_count; i++) {
        IrPolynomial less = polynomial_plus(sum, &in->limits[i], -1),
                     both = polynomial_plus(sum, &in->limits[i], 1);
        if (both.count >= 0 && is_number(&both, &number) && number < 0)
            return false;
        if (less.count < 0 || !is_number(&less, &number))
            continue;
        if (number < 0)
            in->limits[i] = *sum;
        return true;
    }
    if (in->limit_count == LIMITS_MOST)
        return false;
    in->limits[in->limit_count++] = *sum;
    return true;
}

/* Whether threads of a block have different values, or iterations. */
static bool varies(Insides *in, const IrValue *value)
{
    const IrValue *most = end_of(in, value, true, 0), *least = end_of(in, value, false, 0);
    return most && least && !ir_same_value(least, most);
}

/* Has a value be less than another for the whole block, or equal. */
static bool hold_less(Insides *in, const IrValue *left, const IrValue *right, bool or_equal)
{
    const IrBuilder b[1] = { { in->unit->arena, in->unit->kernel, left->span } };
    if (!sets_is_short(&in->sets, left) || !sets_is_short(&in->sets, right))
        return false;
    IrValue *most = end_of(in, left, true, 0), *least = most ? end_of(in, right, false, 0) : NULL;
    if (!least || (!varies(in, left) && !varies(in, right)))
        return false;
    IrPolynomial sum = polynomial_of(
        &in->sums, build_plus(b, build_op(b, OP_sub, least, most), or_equal ? 0 : -1));
    return limit(in, &sum);
}

static const Answer *answer_of(const Insides *in, const IrValue *node)
{
    for (int i = 0; i < in->answer_count; i++)
        if (in->answers[i].node == node)
            return &in->answers[i];
    return NULL;
}

static void answer(Insides *in, Answer answer)
{
    in->answers[in->answer_count++] = answer;
}

/* Has a comparison hold, as far as a block can say it. */
static void want_less(void *context, const TileLess *less)
{
    Insides *in = context;
    if (!answer_of(in, less->node) && in->answer_count < ANSWERS_MOST &&
        hold_less(in, less->left, less->right, less->or_equal))
        answer(in, (Answer){ less->node, NULL, less->holds });
}

static void want(Insides *in, const IrValue *condition, bool wanted)
{
    tiles_each_less(&in->sets, NULL, condition, wanted, want_less, in);
}

/* The lesser and the greater of two is what varies. */
static void look_at_node(void *context, IrValue *value)
{
    Insides *in = context;
    if (value->op == OP_select) {
        bool then = ir_is_constant(value->operands[1]);
        if (then != ir_is_constant(value->operands[2]))
            want(in, value->operands[0], !then);
    }
    bool least = value->op == OP_intrinsic && value->intrinsic == INTR_min;
    if ((!least && !(value->op == OP_intrinsic && value->intrinsic == INTR_max)) ||
        value->type != type_int64 || answer_of(in, value) || in->answer_count == ANSWERS_MOST)
        return;
    const IrValue *own = value->operands[0], *other = value->operands[1];
    if (least ? hold_less(in, own, other, true) : hold_less(in, other, own, true))
        answer(in, (Answer){ value, own, false });
}

/* A branch is taken that is the only one, or the only one to read memory. */
static void look_at_stmt(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_IF) {
        const IrRegion *then = &stmt->if_.then, *otherwise = &stmt->if_.otherwise;
        bool reads = ir_region_has_node(then, ir_is_load);
        if (!then->first || !otherwise->first)
            want(context, stmt->if_.condition, then->first);
        else if (reads != ir_region_has_node(otherwise, ir_is_load))
            want(context, stmt->if_.condition, reads);
    }
    ir_each_own_node(stmt, look_at_node, context);
}

/* ---- the copy ------------------------------------------------------------------------------ */

static IrValue *inside_value(const IrClone *clone, const IrValue *value)
{
    const Answer *found = answer_of(clone->context, value);
    if (found && found->operand)
        return ir_clone_value(clone, found->operand);
    if (found)
        return ir_integer(clone->arena, type_bool, found->holds, value->span);
    if (value->op != OP_and_then && value->op != OP_or_else && value->op != OP_not &&
        value->op != OP_select)
        return NULL;
    IrValue *of[3] = { NULL };
    for (int i = 0; i < value->count; i++)
        of[i] = ir_clone_value(clone, value->operands[i]);
    bool known = ir_is_constant(of[0]), holds = known && of[0]->constant.integer;
    if (value->op == OP_select)
        return known ? of[holds ? 1 : 2]
                     : ir_select(clone->arena, of[0], of[1], of[2], value->span);
    if (value->op == OP_not)
        return known ? ir_integer(clone->arena, type_bool, !holds, value->span)
                     : ir_unary(clone->arena, OP_not, of[0], value->span);
    bool both = value->op == OP_and_then;
    if (known)
        return holds == both ? of[1] : of[0];
    if (ir_is_constant(of[1]) && (of[1]->constant.integer != 0) == both)
        return of[0];
    return ir_binary(clone->arena, value->op, of[0], of[1], value->span);
}

static IrRegion copy_inside(const Insides *in)
{
    IrFunc *fn = in->unit->kernel;
    Arena *arena = in->unit->arena;
    int count = fn->var_count;
    IrRegion copy = { NULL, NULL };
    IrClone clone = { .arena = arena,
                      .vars = arena_array(arena, IrVar *, count + 1),
                      .value = inside_value,
                      .stmt = ir_clone_decided,
                      .context = (void *)in };
    for (int i = 0; i < count; i++) {
        if (fn->vars[i]->kind != VAR_LOCAL)
            continue;
        clone.vars[i] = ir_var_like(arena, fn, fn->vars[i], fn->vars[i]->name);
        clone.vars[i]->uniform = fn->vars[i]->uniform;
    }
    ir_clone_region(&clone, &fn->body, &copy);
    return copy;
}

void tiles_inside(IrUnit *unit, const uint32_t block[3])
{
    IrFunc *fn = unit->kernel;
    Insides in = { .unit = unit, .block = block };
    if (ir_node_count_in(&fn->body) > BODY_MOST)
        return;
    in.sets = ir_sets(unit->arena, fn, &fn->body);
    in.magnitude = ir_magnitude(unit->arena, fn, unit->launch);
    in.sums = ir_polynomials(unit->arena, fn);
    ir_each_stmt(&fn->body, look_at_stmt, &in);
    if (!in.limit_count)
        return;
    const IrBuilder b[1] = { { unit->arena, fn, fn->body.first->span } };
    IrValue *all = NULL;
    for (int i = 0; i < in.limit_count; i++)
        all = ir_both(unit->arena, all,
                      build_op(b, OP_ge, polynomial_value(&in.sums, &in.limits[i], b->span), 0));
    IrVar *inside = build_temporary(b, "inside", type_bool);
    IrRegion copy = copy_inside(&in), out = { NULL, NULL };
    inside->uniform = true;
    build_set(b, inside, all, &out);
    IrStmt *branch = ir_if(unit->arena, build_var(b, inside), b->span);
    branch->if_.then = copy;
    branch->if_.otherwise = fn->body;
    ir_append(&out, branch);
    fn->body = out;
}
