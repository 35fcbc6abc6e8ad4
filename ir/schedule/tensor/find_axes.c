/* Along which axes of the grid the two factors of a product go, and the parts of these. tensor.c
** says what is legal. */
#include "ir/schedule/tensor/tensor.h"

bool product_stores_along(const Product *p, int axis)
{
    for (const IrStmt *stmt = p->loop->next; stmt; stmt = stmt->next)
        if (stmt->kind == IR_STORE)
            return moves_by_one(&p->affine, stmt->store.array, stmt->store.indices, axis);
    return false;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Quotients of the index along an axis by one number. */
typedef struct Quotients {
    const Product *p;
    int axis;
    const IrValue *first; /* NULL: the next will be */
    Steady steady;
    int capacity;
} Quotients;

/* Whether a value is the index along an axis by a number that is never negative and the same for
** all threads: the greater the index, the greater the quotient, or the same. */
static bool is_quotient(const Quotients *q, const IrValue *value)
{
    if (value->op != OP_floordiv || value->type != type_int64)
        return false;
    const IrValue *index = sets_behind_casts(&q->p->affine.sets, value->operands[0]);
    const IrValue *number = value->operands[1];
    return index->op == OP_intrinsic && index->intrinsic == INTR_grid && index->index == q->axis &&
           ir_nonnegative(number) && product_known(q->p, number) &&
           !ir_divergence_of(&q->p->affine.divergence, number);
}

static void note_quotient(void *context, IrValue *value)
{
    Quotients *q = context;
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
    Quotients q = { .p = p, .axis = axis };
    ir_each_node_in(&p->unit->kernel->body, note_quotient, &q);
    if (!q.first)
        return false;
    IrAffine affine = steady_affine(p->unit, p->guarded.within, &q.steady);
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

bool product_axes(Product *p, const IrValue *left, const IrValue *right, int axes[FACTORS])
{
    if (find_own(p, left, right, axes))
        return true;
    for (int axis = 0; axis < 3; axis++)
        if (affine_varies(&p->affine, left, axis) && affine_varies(&p->affine, right, axis) &&
            find_part(p, left, right, axis))
            return find_own(p, left, right, axes);
    return false;
}
