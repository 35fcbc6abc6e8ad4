/* What a loop by strides will read some iterations on, for the processor to have it near by then:
**
**     for iteration_x in block_x to stop by step       for iteration_x in block_x to stop by step
**         for at_x in iteration_x to end_x                 eval prefetch(x, iteration_x + 4 * step,
**         ...)
**             sum = sum + x[at_x]         becomes     for at_x in iteration_x to end_x
**                                                         sum = sum + x[at_x]
**
** A block accesses pieces of some hundred bytes, each far from the one before, which no processor
** predicts. The shorter they are, the more of them it takes until memory has answered. Legal
** everywhere: the address of a prefetch need not be valid. It pays for blocks, whose pieces are
** short, and for arrays of one axis, where the next piece is known. */
#include "ir/schedule/tile/tiles.h"

enum { LEAST_AHEAD = 4, MOST_AHEAD = 16, BYTES_AHEAD = 2048 };

typedef struct PrefetchSearch {
    const Tiles *tiles;
    const TilePart *stride;
    bool *found; /* by IrVar.id of parameters */
} PrefetchSearch;

static void find_node(void *context, IrValue *value)
{
    PrefetchSearch *f = context;
    const IrValue *array = value->op == OP_load ? value->operands[0] : NULL;
    if (!array || array->op != OP_var || array->var->kind != VAR_PARAM ||
        array->type->array.rank != 1 ||
        !tiles_go_by_stride(f->tiles, array, value->operands + 1, f->stride->axis))
        return;
    const IrValue *index = value->operands[1];
    while (index->op == OP_cast)
        index = index->operands[0];
    f->found[array->var->id] |= index->var == f->stride->stmt->for_.var;
}

static void find_in(PrefetchSearch *f, const TilePart *part)
{
    for (; part; part = part->next) {
        for (int i = 0; i < part->count; i++)
            ir_each_node_of((IrStmt *)part->stmts[i], find_node, f);
        find_in(f, part->then);
        find_in(f, part->otherwise);
    }
}

/* How many iterations on, a multiple of those that are done at once. */
static int iterations_ahead(const Tiles *tiles, const TilePart *stride, const Type *element,
                            int at_once)
{
    int64_t piece = tiles->along[stride->axis] * (int64_t)type_size(element);
    int64_t ahead = BYTES_AHEAD / piece;

    ahead = ahead < LEAST_AHEAD ? LEAST_AHEAD : ahead > MOST_AHEAD ? MOST_AHEAD : ahead;
    return (int)(ahead + at_once - 1) / at_once * at_once;
}

static IrStmt *make_prefetch(const Tiles *tiles, IrVar *array, const TileIteration *iteration,
                             int ahead, Span span)
{
    Arena *arena = tiles->unit->arena;
    IrValue *step = ir_clone_value(&(IrClone){ .arena = arena }, iteration->step);
    IrValue *far = ir_binary(arena, OP_mul, step, ir_integer(arena, type_int64, ahead, span), span);
    IrValue *value = ir_intrinsic(arena, INTR_prefetch, type_none, span, NULL, NULL, NULL);

    value->count = 3;
    value->operands = arena_array(arena, IrValue *, 3);
    value->operands[0] = ir_var(arena, array, span);
    value->operands[1] =
        ir_never_negative(ir_binary(arena, OP_add, ir_var(arena, iteration->low, span), far, span));
    value->operands[2] = ir_binary(arena, OP_sub, ir_var(arena, iteration->high, span),
                                   ir_var(arena, iteration->low, span), span);
    return ir_eval(arena, value, span);
}

void tiles_prefetch(const Tiles *tiles, const TilePart *stride, const TileIteration *iteration,
                    IrRegion *out)
{
    const IrFunc *fn = tiles->unit->kernel;
    PrefetchSearch f = { tiles, stride, arena_array(tiles->unit->arena, bool, fn->var_count + 1) };

    if (!tiles->block)
        return;
    find_in(&f, stride->then);
    for (int i = 0; i < fn->param_count; i++) {
        if (!f.found[i])
            continue;
        int at_once = iteration->at_once;
        int ahead = iterations_ahead(tiles, stride, fn->vars[i]->type->array.element, at_once);
        for (int k = 0; k < at_once; k++)
            ir_append(out,
                      make_prefetch(tiles, fn->vars[i], iteration, ahead + k, stride->stmt->span));
    }
}
