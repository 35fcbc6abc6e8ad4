/* A combination gives a number to each dim; it is counted in the dims' mixed radix. Statements are
** copied with, instead of each variable that varies by some dims, the one that these dims'
** numbers name. */
#include "ir/schedule/replicate/copies.h"

#include "ir/analysis/segments.h"

/* Those for whom a joint branch's condition holds: a variable for each combination of `dims`. */
typedef struct Held {
    int dims, number; /* number of the joint if */
    IrVar **holds;    /* by combination, dims that are not in `dims` 0 */
    IrVar *all;       /* whether it holds for all */
} Held;

int replicas_of_bits(const Replicas *r, int bits)
{
    int dims = 0;
    for (int d = 0; d < r->dim_count; d++) {
        int own = (r->dims[d].merges ? DIVERGES_BLOCK : DIVERGES_THREAD) << r->dims[d].axis;
        if (bits & (own | DIVERGES_OTHER))
            dims |= 1 << d;
    }
    return dims;
}

static int dims_of_value(const Replicas *r, const IrValue *value)
{
    return replicas_of_bits(r, ir_divergence_of(&r->joints.divergence, value));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void put_region(const Replicas *r, const At *at, const IrRegion *region, IrRegion *out);
static void put_stmt(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out);

/* The dims that a statement must be copied for, those of what is in its regions left out. */
static int dims_of_stmt(const Replicas *r, const IrStmt *stmt)
{
    const IrDivergence *divergence = &r->joints.divergence;
    int bits = 0;
    switch (stmt->kind) {
    case IR_SET:
        return replicas_of_bits(r, divergence->vars[stmt->set.var->id]);
    case IR_STORE:
        bits = ir_divergence_of(divergence, stmt->store.array) |
               ir_divergence_of(divergence, stmt->store.value);
        for (int i = 0; i < stmt->store.count; i++)
            bits |= ir_divergence_of(divergence, stmt->store.indices[i]);
        return replicas_of_bits(r, bits);
    case IR_EVAL:
        return ir_waits(stmt) ? 0 : copies_all_dims(r);
    case IR_IF:
        return dims_of_value(r, stmt->if_.condition);
    case IR_FOR:
    case IR_WHILE:
        return replicas_of_bits(r, ir_divergence_of_loop(divergence, stmt));
    default:
        return 0;
    }
}

/* A statement whose dims are all fixed; its regions are gone through again. */
static void put_fixed(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    Copy copy = { r, at };
    IrClone clone = copies_clone(r, &copy);
    IrStmt head = *stmt;
    IrRegion *from[2], *to[2];
    int count = ir_regions((IrStmt *)stmt, from);
    ir_regions(&head, to);
    for (int i = 0; i < count; i++)
        *to[i] = (IrRegion){ NULL, NULL };
    IrStmt *made = ir_clone_stmt(&clone, &head);
    ir_regions(made, to);
    for (int i = 0; i < count; i++)
        put_region(r, at, from[i], to[i]);
    ir_append(out, made);
}

/* Whether the condition of `held` holds for one of those that `at` fixes; NULL: for those that are
** not held back. */
static IrValue *any_held(const Replicas *r, const At *at, const Held *held, Span span)
{
    Arena *arena = r->unit->arena;
    At each = *at;
    int rest = held->dims & ~at->fixed;
    IrValue *any = NULL;
    if ((held->dims & at->fixed) == 0 && !at->singly)
        return NULL;
    do {
        IrValue *one = ir_var(arena, held->holds[copies_number(r, &each, held->dims)], span);
        any = any ? ir_binary(arena, OP_or_else, any, one, span) : one;
    } while (copies_next(r, &each, rest));
    return any;
}

/* A region that only those enter whom `at` does not hold back. */
static IrRegion *hold_back(const Replicas *r, At *at, const IrStmt *stmt, IrRegion *out)
{
    IrValue *any = at->held ? any_held(r, at, at->held, stmt->span) : NULL;
    if (!any)
        return out;
    IrStmt *guard = ir_if(r->unit->arena, any, stmt->span);
    ir_append(out, guard);
    if ((at->held->dims & ~at->fixed) == 0)
        at->held = NULL;
    return &guard->if_.then;
}

/* Whether what a statement does for those who are held back is unobservable. */
static bool is_harmless(const Replicas *r, const At *at, const IrStmt *stmt)
{
    return stmt->kind == IR_SET && !ir_value_effects(stmt->set.value) &&
           r->joints.local[at->held->number][stmt->set.var->id];
}

static void put_copies(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    At each = *at;
    int dims = dims_of_stmt(r, stmt) & ~at->fixed;
    if (each.held && is_harmless(r, at, stmt))
        each.held = NULL;
    do {
        At one = each;
        one.fixed |= dims;
        put_fixed(r, &one, stmt, ir_waits(stmt) ? out : hold_back(r, &one, stmt, out));
    } while (copies_next(r, &each, dims));
}

/* ---- joint branches -------------------------------------------------------------------------- */

/* `found` and the condition, or where that is `negated` its contrary, for all of its dims: part by
** part, so that what varies by few dims is asked for these alone. */
static IrValue *for_all(const Replicas *r, const At *at, const IrValue *condition, bool negated,
                        IrValue *found)
{
    Arena *arena = r->unit->arena;
    At each = *at;
    Span span = condition->span;
    if (condition->op == OP_not)
        return for_all(r, at, condition->operands[0], !negated, found);
    if (condition->op == (negated ? OP_or_else : OP_and_then)) {
        found = for_all(r, at, condition->operands[0], negated, found);
        return for_all(r, at, condition->operands[1], negated, found);
    }
    int dims = dims_of_value(r, condition) & ~at->fixed;
    do {
        IrValue *one = copies_value(r, &each, condition);
        one = negated ? ir_unary(arena, OP_not, one, span) : one;
        found = ir_both(arena, found, one);
    } while (copies_next(r, &each, dims));
    return found;
}

/* Without a barrier: at once if the condition holds for all, else one after the other. */
static void put_together(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    IrStmt *split =
        ir_if(r->unit->arena, for_all(r, at, stmt->if_.condition, false, NULL), stmt->span);
    put_region(r, at, &stmt->if_.then, &split->if_.then);
    put_copies(r, at, stmt, &split->if_.otherwise);
    ir_append(out, split);
}

/* All the variables of `held`, with one operation between them. */
static IrValue *join_held(const Replicas *r, const At *at, const Held *held, IrOp op, Span span)
{
    Arena *arena = r->unit->arena;
    At each = *at;
    IrValue *joined = NULL;
    do {
        IrValue *one = ir_var(arena, held->holds[copies_number(r, &each, held->dims)], span);
        joined = joined ? ir_binary(arena, op, joined, one, span) : one;
    } while (copies_next(r, &each, held->dims));
    return joined;
}

/* Sets a variable for each combination to whether the condition holds, or its contrary, and those
** around do. */
static Held *put_held(const Replicas *r, const At *at, const IrStmt *stmt, bool negated,
                      IrRegion *out)
{
    Arena *arena = r->unit->arena;
    Span span = stmt->span;
    Held *held = arena_new(arena, Held);
    At each = *at;
    held->number = ir_find_joint(&r->joints, stmt);
    held->dims = (dims_of_stmt(r, stmt) | (at->held ? at->held->dims : 0)) & ~at->fixed;
    held->holds = arena_array(arena, IrVar *, copies_count(r) + 1);
    do {
        IrValue *one = copies_value(r, &each, stmt->if_.condition);
        one = negated ? ir_unary(arena, OP_not, one, span) : one;
        if (at->held) {
            IrVar *outer = at->held->holds[copies_number(r, &each, at->held->dims)];
            one = ir_binary(arena, OP_and_then, ir_var(arena, outer, span), one, span);
        }
        IrVar *var = ir_temporary(arena, r->unit->kernel, "_here", type_bool, span);
        held->holds[copies_number(r, &each, held->dims)] = var;
        ir_append(out, ir_set(arena, var, one, span));
    } while (copies_next(r, &each, held->dims));
    held->all = ir_temporary(arena, r->unit->kernel, "_all_here", type_bool, span);
    ir_append(out, ir_set(arena, held->all, join_held(r, at, held, OP_and_then, span), span));
    return held;
}

/* What those do for whom the condition does not hold. */
static void put_others(const Replicas *r, const At *at, const IrStmt *stmt, bool negated,
                       IrRegion *out)
{
    IrStmt others = *stmt;
    others.if_.then = negated ? stmt->if_.then : stmt->if_.otherwise;
    others.if_.otherwise = (IrRegion){ NULL, NULL };
    if (!negated)
        others.if_.condition = ir_unary(r->unit->arena, OP_not, stmt->if_.condition, stmt->span);
    if (others.if_.then.first)
        put_copies(r, at, &others, out);
}

/* With a barrier: threads that are held back take part. Of blocks that are carried out one by one
** all threads go through, as the next block's barriers must not meet with these. */
static void put_joint(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    Arena *arena = r->unit->arena;
    Span span = stmt->span;
    const IrRegion *branch = ir_joint_branch(stmt);
    bool negated = branch != &stmt->if_.then;
    At inside = *at;

    inside.held = put_held(r, at, stmt, negated, out);
    put_others(r, at, stmt, negated, out);
    if (at->singly) {
        put_region(r, &inside, branch, out);
        return;
    }
    IrStmt *enter = ir_if(arena, join_held(r, at, inside.held, OP_or_else, span), span);
    put_region(r, &inside, branch, &enter->if_.then);
    ir_append(out, enter);
}

static void put_stmt(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    bool alone = at->singly && ir_waits(stmt) && (at->held || replicas_part_block(r, stmt));
    bool joint = stmt->kind == IR_IF && ir_find_joint(&r->joints, stmt) >= 0 &&
                 (alone || dims_of_stmt(r, stmt) & ~at->fixed);
    if (joint && ir_waits(stmt))
        put_joint(r, at, stmt, out);
    else if (joint && !at->held)
        put_together(r, at, stmt, out);
    else
        put_copies(r, at, stmt, out);
}

/* Statements up to `end` without a barrier: at once if no thread is held back. Returns `end`. */
static const IrStmt *put_run(const Replicas *r, const At *at, const IrStmt *from, const IrStmt *end,
                             IrRegion *out)
{
    At free = *at;
    IrStmt *split =
        ir_if(r->unit->arena, ir_var(r->unit->arena, at->held->all, from->span), from->span);
    free.held = NULL;
    for (const IrStmt *stmt = from; stmt != end; stmt = stmt->next) {
        put_stmt(r, &free, stmt, &split->if_.then);
        if (at->held->dims & ~at->fixed) /* else all or none */
            put_stmt(r, at, stmt, &split->if_.otherwise);
    }
    ir_append(out, split);
    return end;
}

/* Past the statements that neither wait nor are harmless. */
static const IrStmt *end_of_run(const Replicas *r, const At *at, const IrStmt *stmt)
{
    while (stmt && !ir_waits(stmt) && !is_harmless(r, at, stmt))
        stmt = stmt->next;
    return stmt;
}

static void put_region(const Replicas *r, const At *at, const IrRegion *region, IrRegion *out)
{
    bool split = at->held && ir_region_effects(region) & EFFECT_BLOCK_SYNC;
    for (const IrStmt *stmt = region->first; stmt;) {
        const IrStmt *end = split ? end_of_run(r, at, stmt) : stmt;
        if (end != stmt) {
            stmt = put_run(r, at, stmt, end, out);
            continue;
        }
        put_stmt(r, at, stmt, out);
        stmt = stmt->next;
    }
}

bool replicas_part_block(const Replicas *r, const IrStmt *branch)
{
    int bits = ir_divergence_of(&r->joints.divergence, branch->if_.condition);
    return bits & (7 * DIVERGES_THREAD | DIVERGES_OTHER);
}

/* ---- the body ---------------------------------------------------------------------------- */

/* The first of the program's blocks along an axis that one stands for, int64. */
static IrValue *first_block(const Replicas *r, const ReplicaDim *dim, Span span)
{
    Arena *arena = r->unit->arena;
    IrValue *real =
        ir_cast(arena, type_int64, copies_thread_index(r, INTR_block_idx, dim->axis, span), span);
    return ir_binary(arena, OP_mul, real, ir_integer(arena, type_int64, dim->count, span), span);
}

/* Whether all the blocks that one stands for are in the grid; NULL if that is only one. */
static IrValue *all_in_grid(const Replicas *r, Span span)
{
    Arena *arena = r->unit->arena;
    IrValue *all = NULL;
    for (int d = 0; d < r->dim_count; d++) {
        const ReplicaDim *dim = &r->dims[d];
        if (!dim->merges)
            continue;
        IrValue *end = ir_binary(arena, OP_add, first_block(r, dim, span),
                                 ir_integer(arena, type_int64, dim->count, span), span);
        IrValue *one =
            ir_binary(arena, OP_le, end, ir_var(arena, r->blocks[dim->axis], span), span);
        all = ir_both(arena, all, one);
    }
    return all;
}

/* A loop over the blocks along an axis that are in the grid. */
static IrStmt *loop_over_blocks(Replicas *r, const ReplicaDim *dim, Span span)
{
    Arena *arena = r->unit->arena;
    IrVar *counter = ir_temporary(arena, r->unit->kernel, "_block", type_int32, span);
    IrValue *left = ir_binary(arena, OP_sub, ir_var(arena, r->blocks[dim->axis], span),
                              first_block(r, dim, span), span);
    IrValue *most = ir_integer(arena, type_int64, dim->count, span);
    IrValue *stop = ir_min(arena, most, left, span);
    counter->nonnegative = counter->uniform = true;
    r->only[dim->axis] = counter;
    return ir_for(arena, counter, copies_int32(r, 0, span), ir_cast(arena, type_int32, stop, span),
                  copies_int32(r, 1, span), span);
}

/* At the grid's end: block by block. */
static void put_singly(Replicas *r, const IrRegion *body, IrRegion *out)
{
    At at = { .fixed = 0, .singly = true };
    Span span = r->unit->kernel->span;
    for (int d = 0; d < r->dim_count; d++) {
        if (!r->dims[d].merges)
            continue;
        IrStmt *loop = loop_over_blocks(r, &r->dims[d], span);
        ir_append(out, loop);
        out = &loop->for_.body;
        at.fixed |= 1 << d;
    }
    put_region(r, &at, body, out);
    ir_append(out, ir_eval(r->unit->arena,
                           ir_intrinsic(r->unit->arena, INTR_syncthreads, type_none, span, NULL,
                                        NULL, NULL),
                           span));
    memset(r->only, 0, sizeof r->only);
}

/* The dims within blocks. */
static int dims_within_blocks(const Replicas *r)
{
    int dims = 0;
    for (int d = 0; d < r->dim_count; d++)
        dims |= r->dims[d].merges ? 0 : 1 << d;
    return dims;
}

void replicas_build(Replicas *r)
{
    IrFunc *fn = r->unit->kernel;
    IrRegion body = fn->body, made = { NULL, NULL };
    IrValue *whole = all_in_grid(r, fn->span);
    const At at = { .fixed = 0 };
    int vars = fn->var_count;
    copies_map(r, vars, copies_all_dims(r), false);
    if (whole) {
        IrStmt *split = ir_if(r->unit->arena, whole, fn->span);
        put_region(r, &at, &body, &split->if_.then);
        copies_map(r, vars, dims_within_blocks(r), true);
        put_singly(r, &body, &split->if_.otherwise);
        ir_append(&made, split);
    } else {
        put_region(r, &at, &body, &made);
    }
    fn->body = made;
}
