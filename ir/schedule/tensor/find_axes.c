/* Along which axes of the grid the two factors of a product go, and the parts of these. tensor.c
** says what is legal. */
#include "ir/schedule/tensor/tensor.h"

bool product_stores_along(const Product *p, int axis)
{
    for (const IrStmt *stmt = p->around->next; stmt; stmt = stmt->next)
        if (stmt->kind == IR_STORE)
            return moves_by_one(&p->affine, stmt->store.array, stmt->store.indices, axis);
    return false;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Quotients of the index along an axis by one number. */
typedef struct AxisQuotients {
    const Product *p;
    int axis;
    const IrValue *first; /* NULL: the next will be */
    Steady steady;
    int capacity;
} AxisQuotients;

/* Whether a value is the index along an axis by a number that is never negative and the same for
** all threads: the greater the index, the greater the quotient, or the same. */
static bool is_quotient(const AxisQuotients *q, const IrValue *value)
{
    if (value->op != OP_floordiv || value->type != type_int64)
        return false;
    const IrValue *index = sets_behind_casts(&q->p->affine.sets, value->operands[0]);
    const IrValue *number = value->operands[1];
    return ir_is_intrinsic(index, INTR_grid) && index->index == q->axis && ir_nonnegative(number) &&
           product_known(q->p, number) && !ir_divergence_of(&q->p->affine.divergence, number);
}

static void note_quotient(void *context, IrValue *value)
{
    AxisQuotients *q = context;
    if (!is_quotient(q, value) ||
        (q->first && !affine_same(q->first->operands[1], value->operands[1])))
        return;
    q->first = q->first ? q->first : value;
    array_push(q->p->unit->arena, q->steady.list, q->steady.count, q->capacity) =
        (IrSteady){ value, q->axis };
}

/* Looks for parts of an axis along which both factors vary: one of them does not within a part. */
static bool find_part(Product *p, const IrValue *left, const IrValue *right, int axis)
{
    AxisQuotients q = { .p = p, .axis = axis };
    ir_each_node_in(&p->unit->kernel->body, note_quotient, &q);
    if (!q.first)
        return false;
    IrAffine affine = product_affine(p, &q.steady);
    if (affine_varies(&affine, left, axis) == affine_varies(&affine, right, axis))
        return false;
    p->affine = affine;
    p->part = q.first;
    p->part_axis = axis;
    return true;
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* The axis that a factor has for itself: along which the result is stored, if there are two. */
static int own_axis(const Product *p, const IrValue *own, const IrValue *other)
{
    int found = -1;
    for (int axis = 0; axis < 3; axis++)
        if (affine_varies(&p->affine, own, axis) && !affine_varies(&p->affine, other, axis) &&
            (found < 0 || product_stores_along(p, axis)))
            found = axis;
    return found;
}

static bool find_own(const Product *p, const IrValue *left, const IrValue *right, int axes[FACTORS])
{
    axes[0] = own_axis(p, left, right);
    axes[1] = own_axis(p, right, left);
    return axes[0] >= 0 && axes[1] >= 0;
}

/* Notes that a factor has the third axis for itself, too. */
static void find_joined(Product *p, const IrValue *left, const IrValue *right,
                        const int axes[FACTORS])
{
    int third = 3 - axes[0] - axes[1];
    bool by_left = affine_varies(&p->affine, left, third);
    bool by_right = affine_varies(&p->affine, right, third);
    p->joined_to = axes[by_right];
    if (p->nested > 1 && by_left != by_right && (!p->part || p->part_axis != p->joined_to))
        p->joined = third;
}

bool product_axes(Product *p, const IrValue *left, const IrValue *right, int axes[FACTORS])
{
    bool found = find_own(p, left, right, axes);
    for (int axis = 0; axis < 3 && !found && !p->axes.made; axis++)
        if (affine_varies(&p->affine, left, axis) && affine_varies(&p->affine, right, axis) &&
            find_part(p, left, right, axis)) {
            found = find_own(p, left, right, axes);
            break;
        }
    if (found)
        find_joined(p, left, right, axes);
    return found && (p->axes.levels < 2 || axes[0] + axes[1] == 1);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* What `index / number < end` holds an index below, for a number that may be 0, by which a quotient
** is 0. */
static IrValue *end_of_quotient(Arena *arena, IrValue *end, IrValue *number)
{
    Span span = end->span;
    IrValue *none = ir_integer(arena, type_int64, 0, span);
    IrValue *all = ir_integer(arena, type_int64, INT64_MAX, span);
    IrValue *product = ir_binary(arena, OP_mul, end, number, span);
    if (ir_is_constant(number))
        return product;
    IrValue *by_none =
        ir_select(arena, ir_binary(arena, OP_gt, ir_copy_value(arena, end), none, span), all,
                  ir_copy_value(arena, none), span);
    return ir_select(arena, ir_binary(arena, OP_gt, ir_copy_value(arena, number), none, span),
                     product, by_none, span);
}

IrValue *product_end(const Product *p, const IrValue *term, int axis)
{
    Arena *arena = p->unit->arena;
    const IrAffine *affine = &p->affine;
    const IrValue *place;
    IrValue *end = guard_bound(arena, affine, term, &place);
    place = end ? sets_behind_casts(&affine->sets, place) : NULL;
    if (!place || place->op != OP_floordiv || place->type != type_int64)
        return guard_end(arena, affine, term, axis);
    IrValue *number = guard_in_arguments(arena, affine, place->operands[1]);
    const IrValue *index = sets_behind_casts(&affine->sets, place->operands[0]);
    if (!number || !ir_is_intrinsic(index, INTR_grid) || index->index != axis ||
        !affine_varies(affine, term, axis) || !ir_nonnegative(number) ||
        (ir_is_constant(number) && number->constant.integer < 1) ||
        magnitude_bits(affine->magnitude, end) + magnitude_bits(affine->magnitude, number) > 62)
        return NULL;
    return end_of_quotient(arena, end, number);
}

/* ---- axes that are joined -------------------------------------------------------------------- */

/* Whether the index along an axis, alone, is one of those that the result is stored at. */
static bool stores_at(const Product *p, int axis)
{
    for (const IrStmt *stmt = p->around->next; stmt; stmt = stmt->next)
        for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++) {
            const IrValue *index = sets_behind_casts(&p->affine.sets, stmt->store.indices[i]);
            if (ir_is_intrinsic(index, INTR_grid) && index->index == axis)
                return dense_axis(stmt->store.array->type) >= 0;
        }
    return false;
}

/* Whether a condition is none of an axis's indices, or where these end. */
static bool takes_end(Product *p, const IrValue *term, int axis)
{
    IrValue *end = product_end(p, term, axis);
    if (end && p->end[axis])
        end = ir_min(p->unit->arena, p->end[axis], end, term->span);
    p->end[axis] = end ? end : p->end[axis];
    return end || !affine_varies(&p->affine, term, axis);
}

/* Whether the two axes may be counted as one: there are as many indices as elements of the result
** then, and nothing that all threads of a block share depends on the third axis. Where other ranks
** do some of the grid's blocks they go by the third axis as it is. */
static bool may_join(Product *p)
{
    bool may = !p->axes.made && !p->slant && !launch_in_parts(p->unit->launch) &&
               stores_at(p, p->joined) && stores_at(p, p->joined_to) &&
               launch_narrow(p->unit->launch);
    for (int f = 0; f < FACTORS; f++)
        may = may && !(p->factor[f].axis == p->joined_to && p->factor[f].wide);
    for (int i = 0; i < p->nested && may; i++)
        may = !affine_varies(&p->affine, p->nest[i]->for_.start, p->joined) &&
              !affine_varies(&p->affine, p->nest[i]->for_.stop, p->joined);
    for (int i = 0; i < p->guarded.term_count && may; i++)
        may = takes_end(p, p->guarded.terms[i], p->joined);
    return may;
}

void product_join(Product *p)
{
    if (p->joined >= 0 && !may_join(p))
        p->joined = -1;
}
