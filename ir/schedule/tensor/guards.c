/* Conditions within the loop of a product: what they leave out counts as zeros.
**
**     for k in 0 to depth by 1                    for k in 0 to depth by 1
**         if 0 <= i + k - 1 < n            ->         total = total + masked * b[k, j]
**             total = total + a[i + k - 1] * b[k, j]
**                                                 where masked is a[i + k - 1], or 0 where the
**                                                 condition does not hold; a thread that has a sum
**                                                 for which that may tell does the loop once more
**
** A product by 0 that is added changes a sum if the other factor is not finite, which makes NaN of
** the sum for good; or if the sum was -0.0, which may become 0.0: and then all that follows comes
** to the same, but for the sign of a 0.0. So sums that are neither NaN nor 0 at the end are those
** of the loop, bit for bit; forms that round in their own way do not promise the sign of a 0.
**
** Legal if
** - the condition is the last of what its loop does, or goes on with the next iteration, and reads
**   no memory, nor do the ends of loops under it;
** - each of its terms varies along the axis of one factor alone, or of none;
** - a factor is read only where all terms hold that do not vary along the other's axis. Where there
**   are others, some of what is read then no thread may have read: that lies within its array, or 0
**   stands for it.
**
** Pays as the product does: pictures have more within than along their border. */
#include "ir/schedule/tensor/tensor.h"

/* ---- what is added under conditions ---------------------------------------------------------- */

static bool refuse_more(Product *p, const IrStmt *stmt)
{
    return product_refuse(p, stmt->span, "the loop does more than add up");
}

const IrStmt *product_inner(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_FOR)
            return stmt;
        const IrStmt *found = stmt->kind != IR_IF         ? NULL
                              : stmt->if_.otherwise.first ? product_inner(&stmt->if_.otherwise)
                                                          : product_inner(&stmt->if_.then);
        if (found)
            return found;
    }
    return NULL;
}

/* `if condition: continue` */
static bool goes_on(const IrStmt *branch)
{
    const IrStmt *first = branch->if_.then.first;
    return first && first->kind == IR_CONTINUE && !branch->if_.otherwise.first;
}

static bool note_guard(Product *p, const IrStmt *branch, bool wanted)
{
    if (ir_value_effects(branch->if_.condition) != EFFECT_NONE)
        return product_refuse(p, branch->if_.condition->span,
                              "a condition in the loop reads memory");
    guard_terms(p->unit->arena, &p->guards, branch->if_.condition, wanted);
    return true;
}

/* Walks to the inner loop, or to what adds if that is NULL: nothing else is done on the way but to
** set names. `found` tells whether it has been come to. */
static bool walk(Product *p, const IrRegion *region, const IrStmt *inner, bool *found)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt == inner) {
            *found = true;
        } else if (stmt->kind == IR_IF && goes_on(stmt) && !*found) {
            if (!note_guard(p, stmt, false))
                return false;
        } else if (stmt->kind == IR_IF && stmt == region->last && !*found) {
            bool then = stmt->if_.then.first != NULL;
            if (then && stmt->if_.otherwise.first)
                return refuse_more(p, stmt);
            if (!note_guard(p, stmt, then) ||
                !walk(p, then ? &stmt->if_.then : &stmt->if_.otherwise, inner, found))
                return false;
            if (!*found)
                return refuse_more(p, stmt);
        } else if (stmt->kind != IR_SET || ir_stmt_effects(stmt) & ~EFFECT_READ) {
            return refuse_more(p, stmt);
        } else if (!sets_value(&p->affine.sets, stmt->set.var)) {
            if (inner)
                return refuse_more(p, stmt);
            if (!product_adds(p, stmt))
                return false;
            *found = true;
        }
    }
    return true;
}

bool product_walk(Product *p, const IrRegion *body, const IrStmt *inner)
{
    bool found = false;
    return walk(p, body, inner, &found);
}

/* ---- what varies ----------------------------------------------------------------------------- */

typedef struct Joint {
    Arena *arena;
    const IrRegion **list;
    int count, capacity;
} Joint;

static void note_branch(void *context, IrStmt *stmt)
{
    Joint *joint = context;
    IrRegion *regions[2];
    for (int i = stmt->kind == IR_IF ? ir_regions(stmt, regions) : 0; i-- > 0;)
        array_push(joint->arena, joint->list, joint->count, joint->capacity) = regions[i];
}

static void note_branches(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_FOR)
        ir_each_stmt(&stmt->for_.body, note_branch, context);
}

IrAffine product_affine(const Product *p, const Steady *steady)
{
    IrUnit *unit = p->unit;
    Joint joint = { .arena = unit->arena };
    IrAffine affine = steady_affine(unit, p->guarded.within, steady);
    ir_each_stmt(p->guarded.within, note_branches, &joint);
    if (joint.count)
        affine.divergence = ir_divergence_by(unit, &(IrDivergenceRules){
                                                       .joint = joint.list,
                                                       .joint_count = joint.count,
                                                       .steady = steady->list,
                                                       .steady_count = steady->count,
                                                       .within = p->guarded.within,
                                                   });
    return affine;
}

/* ---- which factor a condition leaves out ----------------------------------------------------- */

/* The factor along whose axes an axis of the grid goes; -1: neither. */
static int factor_along(const Product *p, int axis)
{
    if (axis == p->joined)
        axis = p->joined_to;
    for (int f = 0; f < FACTORS; f++)
        if (p->factor[f].axis == axis)
            return f;
    return -1;
}

static void add_term(const Product *p, Terms *terms, const IrValue *term)
{
    array_push(p->unit->arena, terms->list, terms->count, terms->capacity) = term;
}

/* Whether an index counts to where the array ends. */
static bool counts_within(const Product *p, const IrValue *load, int axis)
{
    const IrValue *index = sets_behind_casts(&p->affine.sets, load->operands[1 + axis]);
    int loop = index->op == OP_var ? product_counts(p, index->var) : -1;
    if (loop < 0)
        return false;
    const IrValue *stop = sets_behind_casts(&p->affine.sets, p->nest[loop]->for_.stop);
    return stop->op == OP_extent && stop->index == axis &&
           ir_same_value(stop->operands[0], load->operands[0]);
}

/* Notes that what is read of an array lies within it; what reads the indices comes first. */
static void add_bounds(const Product *p, Factor *factor, const IrValue *value)
{
    Arena *arena = p->unit->arena;
    const IrValue *set = value->op == OP_var ? sets_value(&p->affine.sets, value->var) : NULL;
    if (set)
        add_bounds(p, factor, set);
    for (int i = 0; i < value->count; i++)
        add_bounds(p, factor, value->operands[i]);
    for (int i = 1; value->op == OP_load && i < value->count; i++) {
        if (counts_within(p, value, i - 1))
            continue;
        Span span = value->span;
        IrValue *index = ir_cast(arena, type_int64, value->operands[i], span);
        IrValue *extent = ir_extent(arena, ir_copy_value(arena, value->operands[0]), i - 1, span);
        add_term(p, &factor->bounds, ir_binary(arena, OP_lt, index, extent, span));
        if (!ir_nonnegative(value->operands[i]))
            add_term(p, &factor->bounds,
                     ir_binary(arena, OP_ge, ir_copy_value(arena, index),
                               ir_unary(arena, OP_neg, ir_copy_value(arena, extent), span), span));
    }
}

static bool share_term(Product *p, const IrValue *term, bool apart[FACTORS])
{
    bool varies[FACTORS] = { false, false };
    for (int axis = 0; axis < 3; axis++) {
        int f = factor_along(p, axis);
        if (f >= 0)
            varies[f] |= affine_varies(&p->affine, term, axis);
    }
    if (!product_counted(p, term) || (varies[0] && varies[1]))
        return product_refuse(p, term->span,
                              "a condition in the loop varies along the axes of both factors");
    for (int f = 0; f < FACTORS; f++)
        if (varies[!f])
            apart[f] = true;
        else
            add_term(p, &p->factor[f].mask, term);
    return true;
}

static bool reads_memory(const Product *p, const IrValue *value)
{
    const IrValue *set = value->op == OP_var ? sets_value(&p->affine.sets, value->var) : NULL;
    if (value->op == OP_load || (set && reads_memory(p, set)))
        return true;
    for (int i = 0; i < value->count; i++)
        if (reads_memory(p, value->operands[i]))
            return true;
    return false;
}

/* What loops under conditions count to is computed in front of all loops. */
static bool check_ends(Product *p)
{
    for (int i = 1; i < p->nested; i++) {
        const IrStmt *loop = p->nest[i];
        if (reads_memory(p, loop->for_.start) || reads_memory(p, loop->for_.stop))
            return product_refuse(p, loop->span, "a loop under a condition ends by what it reads");
    }
    return true;
}

bool product_guard(Product *p)
{
    bool apart[FACTORS] = { false, false };
    if (p->guards.count && !check_ends(p))
        return false;
    for (int i = 0; i < p->guards.count; i++)
        if (!share_term(p, p->guards.list[i], apart))
            return false;
    for (int f = 0; f < FACTORS; f++) {
        Factor *factor = &p->factor[f];
        if (apart[f])
            add_bounds(p, factor, factor->value);
        if (factor->mask.count || factor->bounds.count) {
            factor->wide = factor->unaligned = false;
            factor->along = -1;
        }
    }
    return true;
}
