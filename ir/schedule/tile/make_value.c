/* Values for a thread of the tile, and for all of it. */
#include "ir/schedule/tile/make.h"

IrValue *make_number(const TileBuild *m, int64_t value, Span span)
{
    return ir_integer(m->arena, type_int64, value, span);
}

IrValue *make_read(const TileBuild *m, IrVar *var, Span span)
{
    for (int axis = 0; axis < 3 && m->tiles->block; axis++)
        if (var == m->first[axis])
            return make_number(m, 0, span);
    if (var == &m->none || var == &m->one || var == &m->all)
        return make_number(m, var == &m->all ? ROWS_LOADED : var == &m->one, span);
    return ir_var(m->arena, var, span);
}

IrValue *make_distance(const TileBuild *m, IrValue *a, IrValue *b)
{
    if (ir_is_integer(b, 0))
        return a;
    return ir_never_negative(ir_binary(m->arena, OP_sub, a, b, a->span));
}

IrVar *make_var(const TileBuild *m, const char *name, Span span)
{
    IrVar *var = ir_counter(m->arena, m->fn, name, span);
    var->uniform = true;
    return var;
}

/* A thread's index along an axis, counted as the loops count; NULL: there is no loop. */
static IrValue *counted(const IrClone *clone, const Here *p, int axis, Span span)
{
    if (!p->at[axis])
        return NULL;
    IrValue *at = ir_var(clone->arena, p->at[axis], span);
    IrVar *shift = p->range->shift[axis], *base = p->range->base[axis];
    if (base)
        return ir_binary(clone->arena, OP_add, ir_var(clone->arena, base, span), at, span);
    return shift ? ir_never_negative(
                       ir_binary(clone->arena, OP_sub, at, ir_var(clone->arena, shift, span), span))
                 : at;
}

/* What a thread of a block asks for. */
static IrValue *index_in_block(const IrClone *clone, const Here *p, const IrValue *value)
{
    const int axis = value->index;
    const Span span = value->span;
    IrValue *at = counted(clone, p, axis, span);
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return at ? ir_cast(clone->arena, value->type, at, span)
                  : ir_integer(clone->arena, value->type, 0, span);
    case INTR_block_dim:
        return ir_integer(clone->arena, value->type, p->make->tiles->along[axis], span);
    case INTR_grid: {
        IrValue *base = ir_var(clone->arena, p->make->base[axis], span);
        return at ? ir_binary(clone->arena, OP_add, base, at, span) : base;
    }
    default:
        return NULL;
    }
}

/* Whether a value is an index and little more, which stands for itself wherever it is read: the C
** compiler sees better through sums than through narrow variables. What is the same for all threads
** it takes out of the loops over them. */
static bool is_simple(const Tiles *tiles, const IrValue *value, int *nodes)
{
    enum { MOST = 8 };
    bool integer = type_is_integer(value->type);
    bool sum = value->op == OP_add || value->op == OP_sub || value->op == OP_cast;
    bool leaf = value->op == OP_var || value->op == OP_constant || value->op == OP_intrinsic;
    if (!integer || ++*nodes > MOST)
        return false;
    if (tiles_outside(tiles, value))
        return true;
    if (!sum && (!leaf || value->count))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_simple(tiles, value->operands[i], nodes))
            return false;
    return true;
}

const IrValue *make_simple(const TileBuild *m, const IrVar *var)
{
    int nodes = 0;
    bool again = var->id < m->var_count && m->tiles->vars[var->id] == TILE_VAR_AGAIN;
    const IrSets *sets = &m->tiles->affine.sets;
    const IrValue *set = again ? sets_value(sets, var) : NULL;
    return set && is_simple(m->tiles, set, &nodes) && sets_is_short(sets, set) ? set : NULL;
}

static IrValue *again_value(const IrClone *clone, const IrValue *value)
{
    const Here *p = clone->context;
    const IrValue *set = make_simple(p->make, value->var);
    if (!set)
        return NULL;
    IrValue *copy = ir_clone_value(clone, set);
    return value->var->nonnegative ? ir_never_negative(copy) : copy;
}

/* Whether a value is an index that a stride counts from where a row begins, which is no index from
** the end. */
static bool is_in_row(const Here *p, const IrValue *value)
{
    const TileRow *row = p->range ? &p->range->row : NULL;
    return row && row->begin && value->op == OP_add && ir_is_var(value->operands[0], row->begin) &&
           ir_is_var(value->operands[1], row->off);
}

IrValue *make_value(const IrClone *clone, const IrValue *value)
{
    const Here *p = clone->context;
    if (is_in_row(p, value)) {
        IrValue *begin = ir_clone_value(clone, value->operands[0]);
        IrValue *off = ir_clone_value(clone, value->operands[1]);
        return ir_never_negative(ir_binary(clone->arena, OP_add, begin, off, value->span));
    }
    if (value->op == OP_var)
        return again_value(clone, value);
    if (value->op != OP_intrinsic)
        return NULL;
    if (p->make->tiles->block)
        return index_in_block(clone, p, value);
    if (value->intrinsic == INTR_grid)
        return counted(clone, p, value->index, value->span);
    if (value->intrinsic == INTR_gridsize)
        return ir_var(clone->arena, p->make->threads[value->index], value->span);
    return NULL;
}

IrValue *make_outside(const TileBuild *m, const IrValue *value)
{
    Here none = { .make = m };
    IrClone clone = { .arena = m->arena, .value = make_value, .context = &none };
    return ir_clone_value(&clone, value);
}
