/* The kernel of a rank: the whole launch's, as passes left it, with parameters that say where in
** the grid its blocks are.
**
**     i = grid(0)                      becomes      i = _first_thread + grid(0)
**     b = block_idx(0)                              b = _first_block + block_idx(0)
**     n = gridsize(0)                               n = _threads
**
** along the axis that is split, of what is launched (IrShape). All else stays: so a rank computes
** with the same text as one device alone, and what it computes is the same bit for bit, whatever
** the C compiler makes of sums and products. */
#include "ir/optimise.h"
#include "ir/predict/split_parts.h"

typedef struct Parting {
    Arena *arena;
    IrVar *params[SPLIT_PARAMS];
    int axis;
    Span span;
    IrValue **made; /* places in the part, which stay */
    int made_count, made_capacity;
} Parting;

static IrValue *param(const Parting *p, int which)
{
    return ir_var(p->arena, p->params[which], p->span);
}

static IrValue *place(Parting *p, IrIntrinsic intrinsic)
{
    IrValue *value = ir_never_negative(ir_axis(p->arena, intrinsic, p->axis, p->span));
    array_push(p->arena, p->made, p->made_count, p->made_capacity) = value;
    return ir_cast(p->arena, type_int64, value, p->span);
}

/* Statements share values, and lists of them: what stands in one place already is not to be moved
** on once more. */
static bool was_made(const Parting *p, const IrValue *value)
{
    for (int i = 0; i < p->made_count; i++)
        if (p->made[i] == value)
            return true;
    return false;
}

/* What a value is in the whole grid; NULL: what it says. */
static IrValue *in_whole_grid(Parting *p, const IrValue *value)
{
    if (value->op != OP_intrinsic || value->index != p->axis || was_made(p, value))
        return NULL;
    switch ((int)value->intrinsic) {
    case INTR_block_idx:
        return ir_binary(p->arena, OP_add, param(p, SPLIT_FIRST_BLOCK), place(p, INTR_block_idx),
                         p->span);
    case INTR_grid:
        return ir_binary(p->arena, OP_add, param(p, SPLIT_FIRST_THREAD), place(p, INTR_grid),
                         p->span);
    case INTR_grid_dim:
        return param(p, SPLIT_BLOCKS);
    case INTR_gridsize:
        return param(p, SPLIT_THREADS);
    default:
        return NULL;
    }
}

static IrValue *position(void *context, IrValue *value)
{
    Parting *p = context;
    IrValue *other = in_whole_grid(p, value);
    return other ? ir_never_negative(ir_cast(p->arena, value->type, other, value->span)) : NULL;
}

static bool is_place(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_block_idx || value->intrinsic == INTR_grid ||
            value->intrinsic == INTR_grid_dim || value->intrinsic == INTR_gridsize);
}

/* Whether a device function reads its position, which only the kernel has. */
static bool others_ask(const IrUnit *unit)
{
    bool ask = false;
    for (int i = 0; i < unit->count && !ask; i++)
        ask = ir_region_has_node(&unit->functions[i]->body, is_place);
    return ask;
}

static IrVar *add_param(IrUnit *unit, int which)
{
    static const char *const names[] = { "_first_block", "_blocks", "_first_thread", "_threads" };
    IrVar *var = ir_add_param(unit, names[which], type_int64);
    unit->hidden[unit->hidden_count++] = (IrHidden){ .kind = HIDDEN_PART, .axis = which };
    var->nonnegative = var->uniform = true;
    return var;
}

bool ir_split_part(IrUnit **unit, int axis)
{
    if (others_ask(*unit))
        *unit = split_inlined(*unit);
    IrFunc *fn = (*unit)->kernel;
    Parting p = { .arena = (*unit)->arena, .axis = axis, .span = fn->span };

    if (others_ask(*unit))
        return false;
    for (int i = 0; i < SPLIT_PARAMS; i++)
        p.params[i] = add_param(*unit, i);
    ir_replace_in(&fn->body, position, &p);
    return true;
}
