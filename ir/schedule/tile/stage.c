/* What the rows of a tile share and that lies far apart is collected once for all of them:
**
**     for k in 0 to depth                     for k in 0 to depth
**         for x in first_x to end_x               if first_x < end_x
**             for y in first_y to end_y               for y in first_y to end_y
**                 ... b[y, k] ...                         near[y - first_y] = b[y, k]
**                                                 for x in first_x to end_x
**                                     becomes         for y in first_y to end_y
**                                                         ... near[y - first_y] ...
**
** The lanes of the inner loop have each a line of memory to itself, and would go through all of
** them for each x.
**
** Legal for arrays that the kernel does not write, by no other name either, where every thread of
** the nest comes to the load: then nothing is read that would not have been, and it is the same
** whenever it is read. It pays in a loop of the kernel's own, where the tile comes by again. */
#include "ir/schedule/tile/tiles.h"

bool tiles_read_only(const IrUnit *unit, const IrValue *array)
{
    return ir_array_param(array) >= 0 && ir_only_read(unit, array->var);
}

static bool is_staged(const Tiles *tiles, const IrValue *load)
{
    const int lanes = tiles->order[tiles->axes - 1];
    const IrValue *array = load->operands[0];
    IrValue *const *indices = load->operands + 1;
    bool varies = false;
    if (!type_is_scalar(load->type) || !tiles_read_only(tiles->unit, array) ||
        moves_by_one(&tiles->affine, array, indices, lanes) ||
        tiles_go_by_stride(tiles, array, indices, lanes))
        return false;
    for (int i = 0; i < array->type->array.rank; i++) {
        varies |= affine_varies(&tiles->affine, indices[i], lanes);
        if (!tiles_made_of(tiles, indices[i], MADE_AGAIN))
            return false;
        for (int k = 0; k < tiles->axes - 1; k++)
            if (affine_varies(&tiles->affine, indices[i], tiles->order[k]))
                return false;
    }
    return varies;
}

static void find_in(const Tiles *tiles, const IrValue *value, TileStage *stage)
{
    if (value->op == OP_load && is_staged(tiles, value)) {
        array_push(tiles->unit->arena, stage->loads, stage->count, stage->capacity) = value;
        return;
    }
    for (int i = 0; i < ir_certain_operands(value); i++)
        find_in(tiles, value->operands[i], stage);
}

TileStage tiles_stage(const Tiles *tiles, const TilePart *nest)
{
    TileStage stage = { 0 };
    if (tiles->axes < 2 || tiles->block || !nest->repeated)
        return stage;
    for (int i = 0; i < nest->count; i++) {
        const IrStmt *stmt = nest->stmts[i];
        if (stmt->kind == IR_SET)
            find_in(tiles, stmt->set.value, &stage);
        else if (stmt->kind == IR_STORE)
            find_in(tiles, stmt->store.value, &stage);
    }
    return stage;
}

bool tiles_stage_any(const Tiles *tiles)
{
    for (int i = 0; i < tiles->nest_count; i++)
        if (tiles_stage(tiles, tiles->nests[i]).count)
            return true;
    return false;
}
