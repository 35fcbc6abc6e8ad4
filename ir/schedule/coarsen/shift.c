/* Tiles at the end of what a kernel works on move back until they are whole.
**
**     first_x = block_idx(0) * 128 + thread_idx(0) * 4
** becomes
**     _block_x = block_idx(0) * 128
**     _begin_x = _block_x < end ? min(_block_x, max(end - 128, 0)) : _block_x
**     first_x = _begin_x + thread_idx(0) * 4
**
** where no thread at `end` or beyond does anything: because it was not asked for, or because a
** condition around the whole kernel says so. Blocks that lie beyond stay there. Without this, the
** thread of a tile that is not whole does the work of its threads one after the other, and where
** that is a loop, the grid waits for its edges.
**
** Legal where doing a thread's work twice leaves what doing it once does: it writes no array that
** it reads, nor any that overlaps another argument, and nothing atomically. Both then write the
** same.
**
** Pays for tiles along two axes: the others' edges are short. */
#include "ir/schedule/coarsen/coarsen.h"

/* Whether work that is done twice shows. */
static bool may_repeat(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    for (int i = 0; i < fn->param_count; i++) {
        int access = fn->access[i];
        if (!(access & (ACCESS_WRITE | ACCESS_ATOMIC)))
            continue;
        if (access != ACCESS_WRITE || !launch_alone(unit->launch, i))
            return false;
    }
    return true;
}

static IrValue *choose(Arena *arena, IrIntrinsic which, IrValue *a, IrValue *b)
{
    return ir_intrinsic(arena, which, type_int64, a->span, a, b, NULL);
}

IrValue *shift_end(const Jam *jam, const Guarded *guarded, int axis, Span span)
{
    Arena *arena = jam->unit->arena;
    if (!jam->threads[axis] || tile_along(jam->tile, ACROSS) < 2 ||
        tile_along(jam->tile, LANES) < 2 || !may_repeat(jam->unit))
        return NULL;
    IrValue *least = ir_var(arena, jam->threads[axis], span);
    for (int i = 0; i < guarded->term_count; i++) {
        IrValue *end = guard_end(arena, jam->affine, guarded->terms[i], axis);
        if (end)
            least = choose(arena, INTR_min, least, end);
    }
    return least;
}

IrValue *shifted(Jam *jam, IrValue *block, IrValue *end, int64_t width, int64_t multiple,
                 IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    Span span = block->span;
    IrVar *first = ir_temporary(arena, jam->unit->kernel, "_block", type_int64, span);
    IrVar *stop = ir_temporary(arena, jam->unit->kernel, "_end", type_int64, span);
    IrVar *begin = ir_temporary(arena, jam->unit->kernel, "_begin", type_int64, span);
    IrValue *zero = ir_integer(arena, type_int64, 0, span);
    first->nonnegative = begin->nonnegative = true;
    ir_append(out, ir_set(arena, first, block, span));
    ir_append(out, ir_set(arena, stop, end, span));
    IrValue *back = ir_binary(arena, OP_sub, ir_var(arena, stop, span),
                              ir_integer(arena, type_int64, width, span), span);
    back = choose(arena, INTR_max, back, zero);
    if (multiple > 1)
        back = ir_binary(
            arena, OP_and,
            ir_binary(arena, OP_add, back, ir_integer(arena, type_int64, multiple - 1, span), span),
            ir_integer(arena, type_int64, -multiple, span), span);
    IrValue *within =
        ir_binary(arena, OP_lt, ir_var(arena, first, span), ir_var(arena, stop, span), span);
    IrValue *moved = choose(arena, INTR_min, ir_var(arena, first, span), back);
    ir_append(out, ir_set(arena, begin,
                          ir_select(arena, within, moved, ir_var(arena, first, span), span), span));
    return ir_var(arena, begin, span);
}
