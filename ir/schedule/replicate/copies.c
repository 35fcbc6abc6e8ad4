/* What stands for a variable or a value in a combination of the dims' numbers. */
#include "ir/schedule/replicate/copies.h"

int copies_all_dims(const Replicas *r)
{
    return (1 << r->dim_count) - 1;
}

/* ---- combinations ---------------------------------------------------------------------------- */

int copies_number(const Replicas *r, const At *at, int dims)
{
    int index = 0;
    for (int d = r->dim_count; d-- > 0;)
        index = index * r->dims[d].count + (dims >> d & 1 ? at->number[d] : 0);
    return index;
}

int copies_count(const Replicas *r)
{
    int count = 1;
    for (int d = 0; d < r->dim_count; d++)
        count *= r->dims[d].count;
    return count;
}

bool copies_next(const Replicas *r, At *at, int dims)
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
                own || (fresh && !ir_is_shared(var)) ? copy_var(r, var, at, dims) : var;
    }
}

void copies_map(Replicas *r, int vars, int dims, bool fresh)
{
    At at = { .fixed = 0 };
    r->maps = arena_array(r->unit->arena, IrVar **, copies_count(r) + 1);
    do
        fill_map(r, &at, vars, fresh);
    while (copies_next(r, &at, dims));
}

/* ---- values ---------------------------------------------------------------------------------- */

IrValue *copies_thread_index(const Replicas *r, IrIntrinsic which, int axis, Span span)
{
    return ir_axis(r->unit->arena, which, axis, span);
}

IrValue *copies_int32(const Replicas *r, int64_t number, Span span)
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

IrClone copies_clone(const Replicas *r, const Copy *copy)
{
    return (IrClone){ .arena = r->unit->arena,
                      .vars = r->maps[copies_number(r, copy->at, copies_all_dims(r))],
                      .value = copy_index,
                      .context = (void *)copy };
}

IrValue *copies_value(const Replicas *r, const At *at, const IrValue *value)
{
    Copy copy = { r, at };
    IrClone clone = copies_clone(r, &copy);
    return ir_clone_value(&clone, value);
}
