/* Tiles of a group of warps as boxes of arrays, which one thread loads.
**
**     for each row and each k of a step           if self == 0
**         eval async_copy(near, .., a, ..)   ->       eval tile_expect(ready, buffer, bytes)
**                                                     eval tile_load(near, .., ready, buffer,
**                                                                    map, a, row, step)
**
** Legal of arrays whose rows begin at multiples of 16 bytes and lie one behind the other, where one
** index is just the row's, one just the loop's counter, and a third the same for all of a block.
** Elements that the array does not have are 0: of rows and columns that there are not, whose sums
** are not used. The step that the loop ends in the middle of is copied by the threads, as without
** boxes: what the array has behind it is no part of the sum.
**
** Pays always: the threads have nothing to do for what comes. */
#include "ir/schedule/tensor/make.h"

enum { ARCH_BOXES = 90 };

static bool has_boxes(const Product *p, TileForm form)
{
    IrUnit *unit = p->unit;
    if ((!unit->processor && unit->arch != ARCH_BOXES) || !ir_tile_grouped(form) ||
        p->joined >= 0 || unit->hidden_count + FACTORS > HIDDEN_MAX)
        return false;
    for (int f = 0; f < FACTORS; f++)
        if (p->factor[f].along < 0)
            return false;
    return launch_narrow(unit->launch);
}

/* Rows of a box: of k, or of the result, as many as the tile has. */
static int rows_of(const Factor *factor, const TensorTile *tile, int f)
{
    return factor->deep ? tile->size[f] : ir_tile_depth(tile->form);
}

void boxes_find(const Product *p, TensorTile *tile)
{
    if (!has_boxes(p, tile->form))
        return;
    for (int f = 0; f < FACTORS; f++) {
        const Factor *factor = &p->factor[f];
        tile->map[f] = ir_map(p->unit, factor->load->operands[0]->var, factor->along,
                              rows_of(factor, tile, f));
    }
}

void boxes_new(TensorBuild *m)
{
    m->ready = ir_array_var(m->b->arena, m->b->fn, "_ready", type_of(UINT64), VAR_SHARED,
                            (int64_t[]){ m->stages }, 1, m->b->span);
}

static IrRegion *first_thread(const TensorBuild *m, IrRegion *out)
{
    return build_if(m->b, build_op(m->b, OP_eq, m->self, 0), out);
}

static IrValue *call(const TensorBuild *m, IrIntrinsic intrinsic, int count, IrRegion *out)
{
    IrValue *value = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, count);
    value->intrinsic = intrinsic;
    ir_append(out, ir_eval(m->b->arena, value, m->b->span));
    return value;
}

void boxes_begin(TensorBuild *m, IrRegion *out)
{
    call(m, INTR_tile_begin, 1, first_thread(m, out))->operands[0] = build_var(m->b, m->ready);
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
}

static void append_expect(const TensorBuild *m, IrVar *buffer, int64_t bytes, IrRegion *out)
{
    IrValue **at = call(m, INTR_tile_expect, 3, out)->operands;
    at[0] = build_var(m->b, m->ready);
    at[1] = build_var(m->b, buffer);
    at[2] = build_integer(m->b, type_int32, bytes);
}

/* One box of a factor's tile, from a row or column of the result on. */
static void append_box(TensorBuild *m, int f, IrVar *step, IrVar *buffer, int64_t from,
                       IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    const IrValue *load = factor->load;
    IrVar *first =
        build_let(m->b, f == FACTOR_ROWS ? "_i" : "_j", build_plus(m->b, m->first[f], from), out);
    put_index(m, f, first, out);
    m->k = m->counter[0] = step;
    IrValue **at = call(m, INTR_tile_load, TILE_LOAD_SOURCE + load->count, out)->operands;
    *at++ = build_var(m->b, m->near[f]);
    *at++ = build_var(m->b, buffer);
    *at++ = build_int(m->b, from);
    *at++ = build_int(m->b, 0);
    *at++ = build_var(m->b, m->ready);
    *at++ = build_var(m->b, buffer);
    *at++ = build_var(m->b, m->tile->map[f]);
    for (int i = 0; i < load->count; i++)
        *at++ = put(m, load->operands[i]);
}

void boxes_load(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out)
{
    IrRegion *body = first_thread(m, out);
    int64_t rows = m->tile->size[FACTOR_ROWS] + m->tile->size[FACTOR_COLUMNS];
    append_expect(m, buffer, rows * TILE_ROW_BYTES, body);
    for (int f = 0; f < FACTORS; f++)
        for (int64_t from = 0; from < m->tile->size[f];
             from += rows_of(&m->p->factor[f], m->tile, f))
            append_box(m, f, step, buffer, from, body);
}

void boxes_skip(TensorBuild *m, IrVar *buffer, IrRegion *out)
{
    append_expect(m, buffer, 0, first_thread(m, out));
}

void boxes_wait(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out)
{
    IrValue *phase = build_op(m->b, OP_floordiv, step, (int64_t)m->depth * m->stages);
    IrValue **at = call(m, INTR_tile_ready, 3, out)->operands;
    at[0] = build_var(m->b, m->ready);
    at[1] = build_var(m->b, buffer);
    at[2] = build_cast(m->b, type_int32, build_op(m->b, OP_mod, phase, 2));
}
