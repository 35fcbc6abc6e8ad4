/* What is known of the forms of INTR_tile_product: tiles.def as functions. */
#include "ir/ir.h"

static const char *const names[] = {
#define TILE(NAME, name, sums, tiles, depth) name,
#include "ir/tiles.def"
#undef TILE
    [MATMUL_FLOAT64] = "float64",
    [MATMUL_PLAIN] = "plain",
};

const char ir_tile_names[] = "\"tf32\", \"tf32x3\", \"f16\", \"bf16\" or \"bf16x9\"";

const char *ir_tile_name(TileForm form)
{
    return names[form];
}

const Type *ir_tile_sums(TileForm form)
{
    const Type *const types[] = {
#define TILE(NAME, name, sums, tiles, depth) type_of(sums),
#include "ir/tiles.def"
#undef TILE
    };
    return types[form];
}

const Type *ir_tile_type(TileForm form)
{
    const Type *const types[] = {
#define TILE(NAME, name, sums, tiles, depth) type_of(tiles),
#include "ir/tiles.def"
#undef TILE
    };
    return types[form];
}

int ir_tile_depth(TileForm form)
{
    static const int depths[] = {
#define TILE(NAME, name, sums, tiles, depth) depth,
#include "ir/tiles.def"
#undef TILE
    };
    return depths[form];
}

bool ir_tile_grouped(TileForm form)
{
    return form >= TILE_F16_GROUP && form <= TILE_TF32X3_GROUP_MASKED;
}

bool ir_tile_lies_grouped(const IrVar *tile, TileForm form)
{
    return tile->shape[2] == ir_tile_depth(form) && tile->alignment >= 8 * TILE_ROW_BYTES;
}

bool ir_tile_split(TileForm form)
{
    return form >= TILE_TF32_GROUP && form <= TILE_TF32X3_GROUP_MASKED;
}

bool ir_tile_overlaps(TileForm form)
{
    return form >= TILE_F16_GROUP && form <= TILE_TF32X3_GROUP;
}

bool ir_tile_works_ahead(TileForm form)
{
    return form == TILE_F64;
}

int64_t ir_tile_held(int64_t m, int64_t n)
{
    return 4 * m + 2 * 2 * n;
}

TileForm ir_tile_named(const char *name)
{
    for (TileForm form = TILE_TF32; form <= TILE_BF16X9; form++)
        if (strcmp(names[form], name) == 0)
            return form;
    return TILE_F64;
}

TileForm ir_matmul_named(const char *name)
{
    for (TileForm form = MATMUL_FLOAT64; form <= MATMUL_PLAIN; form++)
        if (strcmp(names[form], name) == 0)
            return form;
    return ir_tile_named(name);
}
