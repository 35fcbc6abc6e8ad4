/* A combination gives a number to each dim; it is counted in the dims' mixed radix. Statements are
** copied with, instead of each variable that varies by some dims, the one that these dims'
** numbers name. */
#include "ir/schedule/replicate/replicas.h"

#include "ir/analysis/segments.h"
#include "ir/clone.h"
#include "ir/optimise.h"

#include <string.h>

/* Those for whom a joint branch's condition holds: a variable for each combination of `dims`. */
typedef struct Held {
    int dims, number; /* number of the joint if */
    IrVar **holds;    /* by combination, dims that are not in `dims` 0 */
    IrVar *all;       /* whether it holds for all */
} Held;

/* Where statements go, and for whom. */
typedef struct At {
    int number[REPLICA_DIMS]; /* of dims in `fixed`; else 0 */
    int fixed;                /* dims whose number is given by what is around */
    const Held *held;         /* in a branch that some may have to stand by in; else NULL */
    bool singly;              /* one block after the other: all threads come to all barriers */
} At;

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

static int copies_all_dims(const Replicas *r)
{
    return (1 << r->dim_count) - 1;
}

static int dims_of_value(const Replicas *r, const IrValue *value)
{
    return replicas_of_bits(r, ir_divergence_of(&r->joints.divergence, value));
}

/* ---- combinations ---------------------------------------------------------------------------- */

static int copies_number(const Replicas *r, const At *at, int dims)
{
    int index = 0;
    for (int d = r->dim_count; d-- > 0;)
        index = index * r->dims[d].count + (dims >> d & 1 ? at->number[d] : 0);
    return index;
}

static int copies_count(const Replicas *r)
{
    int count = 1;
    for (int d = 0; d < r->dim_count; d++)
        count *= r->dims[d].count;
    return count;
}

/* The next combination of `dims`; false behind the last, when all are 0 again. */
static bool copies_next(const Replicas *r, At *at, int dims)
{
    for (int d = 0; d < r->dim_count; d++) {
        if (!(dims >> d & 1))
            continue;
        if (++at->number[d] < r->dims[d].count)
            return true;
        at->number[d] = 0;
    }
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

static const char *copy_name(const Replicas *r, const IrVar *var, const At *at, int dims)
{
    const char *name = var->name;
    for (int d = r->dim_count; d-- > 0;)
        if (dims >> d & 1)
            name = arena_printf(r->unit->arena, "%s_%d", name, at->number[d]);
    return name;
}

static IrVar *copy_var(const Replicas *r, const IrVar *var, const At *at, int dims)
{
    IrVar *copy = ir_var_new(r->unit->arena, r->unit->kernel, copy_name(r, var, at, dims),
                             var->type, var->kind, var->span);
    int id = copy->id;
    const char *name = copy->name;
    *copy = *var;
    copy->id = id;
    copy->name = name;
    return copy;
}

static bool is_of_block(const IrVar *var)
{
    return var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC;
}

/* The map of one combination: variables of fewer dims are those of a smaller one. With `fresh`
** local ones are others than before. */
static void fill_map(Replicas *r, const At *at, int vars, bool fresh)
{
    int own = copies_number(r, at, copies_all_dims(r));
    r->maps[own] = arena_array(r->unit->arena, IrVar *, vars + 1);
    for (int i = 0; i < vars; i++) {
        IrVar *var = r->unit->kernel->vars[i];
        int dims = replicas_of_bits(r, r->joints.divergence.vars[i]);
        int home = copies_number(r, at, dims);
        if (var->kind == VAR_PARAM || var->kind == VAR_CONSTANT)
            r->maps[own][i] = var;
        else if (home != own)
            r->maps[own][i] = r->maps[home][i];
        else
            r->maps[own][i] =
                own || (fresh && !is_of_block(var)) ? copy_var(r, var, at, dims) : var;
    }
}

static void copies_map(Replicas *r, int vars, int dims, bool fresh)
{
    At at = { .fixed = 0 };
    r->maps = arena_array(r->unit->arena, IrVar **, copies_count(r) + 1);
    do
        fill_map(r, &at, vars, fresh);
    while (copies_next(r, &at, dims));
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct Copy {
    const Replicas *r;
    const At *at;
} Copy;

static IrValue *copies_thread_index(const Replicas *r, IrIntrinsic which, int axis, Span span)
{
    IrValue *value = ir_intrinsic(r->unit->arena, which, type_int32, span, NULL, NULL, NULL);
    value->index = axis;
    return value;
}

static IrValue *copies_int32(const Replicas *r, int64_t number, Span span)
{
    return ir_integer(r->unit->arena, type_int32, number, span);
}

/* The dim along an axis, or NULL. */
static const ReplicaDim *find_dim(const Replicas *r, int axis, bool merges, int *number)
{
    for (int d = 0; d < r->dim_count; d++)
        if (r->dims[d].axis == axis && r->dims[d].merges == merges) {
            *number = d;
            return &r->dims[d];
        }
    return NULL;
}

static IrValue *thread_idx(const Copy *c, int axis, Span span)
{
    const Replicas *r = c->r;
    Arena *arena = r->unit->arena;
    IrValue *real = copies_thread_index(r, INTR_thread_idx, axis, span);
    int d;
    const ReplicaDim *dim = find_dim(r, axis, false, &d);
    if (!dim)
        return real;
    int apart = (int)r->block[axis] / dim->count;
    return ir_binary(arena, OP_add, real, copies_int32(r, c->at->number[d] * apart, span), span);
}

static IrValue *block_idx(const Copy *c, int axis, Span span)
{
    const Replicas *r = c->r;
    Arena *arena = r->unit->arena;
    IrValue *real = copies_thread_index(r, INTR_block_idx, axis, span);
    int d;
    const ReplicaDim *dim = find_dim(r, axis, true, &d);
    if (!dim)
        return real;
    real = ir_binary(arena, OP_mul, real, copies_int32(r, dim->count, span), span);
    if (r->only[axis])
        return ir_binary(arena, OP_add, real, ir_var(arena, r->only[axis], span), span);
    return ir_binary(arena, OP_add, real, copies_int32(r, c->at->number[d], span), span);
}

static IrValue *block_dim(const Replicas *r, int axis, const Type *type, Span span)
{
    return ir_integer(r->unit->arena, type, r->block[axis], span);
}

static IrValue *grid_dim(const Replicas *r, int axis, Span span)
{
    if (!r->blocks[axis])
        return copies_thread_index(r, INTR_grid_dim, axis, span);
    return ir_cast(r->unit->arena, type_int32, ir_var(r->unit->arena, r->blocks[axis], span), span);
}

static IrValue *grid(const Copy *c, int axis, Span span)
{
    Arena *arena = c->r->unit->arena;
    IrValue *block = ir_cast(arena, type_int64, block_idx(c, axis, span), span);
    IrValue *begin = ir_binary(arena, OP_mul, block, block_dim(c->r, axis, type_int64, span), span);
    IrValue *thread = ir_cast(arena, type_int64, thread_idx(c, axis, span), span);
    return ir_binary(arena, OP_add, begin, thread, span);
}

static IrValue *copy_index(const IrClone *clone, const IrValue *value)
{
    const Copy *c = clone->context;
    if (value->op != OP_intrinsic)
        return NULL;
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return thread_idx(c, value->index, value->span);
    case INTR_block_idx:
        return block_idx(c, value->index, value->span);
    case INTR_block_dim:
        return block_dim(c->r, value->index, type_int32, value->span);
    case INTR_grid_dim:
        return grid_dim(c->r, value->index, value->span);
    case INTR_grid:
        return grid(c, value->index, value->span);
    case INTR_gridsize:
        return ir_binary(clone->arena, OP_mul,
                         ir_cast(clone->arena, type_int64,
                                 grid_dim(c->r, value->index, value->span), value->span),
                         block_dim(c->r, value->index, type_int64, value->span), value->span);
    default:
        return NULL;
    }
}

static IrClone copies_clone(const Replicas *r, const Copy *copy)
{
    return (IrClone){ .arena = r->unit->arena,
                      .vars = r->maps[copies_number(r, copy->at, copies_all_dims(r))],
                      .value = copy_index,
                      .context = (void *)copy };
}

static IrValue *copies_value(const Replicas *r, const At *at, const IrValue *value)
{
    Copy copy = { r, at };
    IrClone clone = copies_clone(r, &copy);
    return ir_clone_value(&clone, value);
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

/* Whether the condition of `held` holds for one of those that `at` fixes; NULL: for who is here. */
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
    IrStmt *guard = ir_stmt(r->unit->arena, IR_IF, stmt->span);
    guard->if_.condition = any;
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
        found = found ? ir_binary(arena, OP_and_then, found, one, span) : one;
    } while (copies_next(r, &each, dims));
    return found;
}

/* Without a barrier: at once if the condition holds for all, else one after the other. */
static void put_together(const Replicas *r, const At *at, const IrStmt *stmt, IrRegion *out)
{
    IrStmt *split = ir_stmt(r->unit->arena, IR_IF, stmt->span);
    split->if_.condition = for_all(r, at, stmt->if_.condition, false, NULL);
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

/* With a barrier: who is held back stands by. Of blocks that are carried out one by one all threads
** go through, as the next block's barriers must not meet with these. */
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
    IrStmt *enter = ir_stmt(arena, IR_IF, span);
    enter->if_.condition = join_held(r, at, inside.held, OP_or_else, span);
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
    IrStmt *split = ir_stmt(r->unit->arena, IR_IF, from->span);
    split->if_.condition = ir_var(r->unit->arena, at->held->all, from->span);
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
        all = all ? ir_binary(arena, OP_and_then, all, one, span) : one;
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
    IrStmt *loop = ir_stmt(arena, IR_FOR, span);
    counter->nonnegative = counter->uniform = true;
    loop->for_.var = r->only[dim->axis] = counter;
    loop->for_.start = copies_int32(r, 0, span);
    loop->for_.stop = ir_cast(
        arena, type_int32, ir_intrinsic(arena, INTR_min, type_int64, span, most, left, NULL), span);
    loop->for_.step = copies_int32(r, 1, span);
    return loop;
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
    IrStmt *barrier = ir_stmt(r->unit->arena, IR_EVAL, span);
    barrier->eval.value =
        ir_intrinsic(r->unit->arena, INTR_syncthreads, type_none, span, NULL, NULL, NULL);
    ir_append(out, barrier);
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
        IrStmt *split = ir_stmt(r->unit->arena, IR_IF, fn->span);
        split->if_.condition = whole;
        put_region(r, &at, &body, &split->if_.then);
        copies_map(r, vars, dims_within_blocks(r), true);
        put_singly(r, &body, &split->if_.otherwise);
        ir_append(&made, split);
    } else {
        put_region(r, &at, &body, &made);
    }
    fn->body = made;
}
