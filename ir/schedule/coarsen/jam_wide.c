/* What a jammed statement reads and writes, for several threads at once.
**
** Of the loads of a statement that runs for all coordinates of some steps,
**     those that vary by fewer steps are done once for all that share them, into a variable;
**     those of neighbours that lie side by side in memory are done by one wide access, into a
**     private array. A stencil's x[i - 1], x[i], x[i + 1] are one family: what neighbours read of
**     it is loaded wide as far as it fills whole groups of elements, the rest one by one.
**
** Of a branch that threads take each for itself, as at borders, those that all threads share which
** take it, as a filter's weights, are done once where any does: if the branch writes nothing, and
** nothing that it sets is in their indices.
**
** A wide access is legal if it accesses just the elements that the threads would have, each of them
** surely (so nothing under a condition within the statement), and if its first lies where such
** accesses may: the array and its rows are aligned by a fact of the launch, and the index is a
** constant multiple away from what is known to be a multiple of the group, and not negative, so
** that it does not wrap. */
#include "base/arith.h"
#include "ir/schedule/coarsen/coarsen.h"

enum { GROUPS = 8 }; /* wide accesses of a family */

/* Loads of one array whose indices differ by constants alone, along the side's axis. */
typedef struct Family {
    const IrValue *like, *rest; /* one of them; its index along `axis` without constants */
    int axis;                   /* of the array */
    int side;
    Steps steps;              /* they vary by; NEAR of the side among them */
    uint64_t read[GROUPS];    /* by group: elements that are loaded */
    IrVar **privates[GROUPS]; /* by group, by coordinate: what they were loaded into */
} Family;

typedef struct JamLoad {
    const IrValue *load;
    Steps steps;
    Family *family; /* NULL: it is not loaded wide */
    int64_t offset; /* behind rest */
    IrVar **temps;  /* by coordinate; NULL, and NULL there: the load itself stands in its place */
} JamLoad;

int dense_axis(const Type *array)
{
    if (array->array.layout == LAYOUT_A || array->array.unaligned || array->array.rank == 0)
        return -1;
    return array->array.layout == LAYOUT_F ? 0 : array->array.rank - 1;
}

bool is_long_axis(IrLaunch *launch, const IrValue *extent)
{
    const Type *type = extent->operands[0]->type;
    int param = ir_array_param(extent->operands[0]);
    return param >= 0 && (type->array.rank < 3 || extent->index == dense_axis(type)) &&
           launch_axes_from_128(launch, param);
}

bool moves_by_one(const IrAffine *affine, const IrValue *array, IrValue *const *indices, int axis)
{
    int dense = dense_axis(array->type);
    if (dense < 0 || affine_varies(affine, array, axis))
        return false;
    for (int i = 0; i < array->type->array.rank; i++) {
        int64_t slope;
        if (!affine_slope(affine, indices[i], axis, &slope) || slope != (i == dense))
            return false;
    }
    return true;
}

static Steps near_bit(int side)
{
    return 1u << (side * STEPS + NEAR);
}

static int width_of(const Jam *jam, int side)
{
    return jam->tile->count[side][NEAR];
}

/* Whether a group of elements of the type is something that the machine loads. */
static bool fits_wide(const Type *element, int width)
{
    if (!type_is_scalar(element))
        return false;
    size_t bytes = type_size(element) * (size_t)width;
    return width > 1 && bytes <= 64 && (bytes & (bytes - 1)) == 0;
}

/* Whether wide accesses of an array pay along a side. Where tiles move back from an end, they do so
** by multiples then: if it is none, the last of them is not whole. That it is one only rows tell
** that are aligned and as long. */
static bool may_be_wide(const Jam *jam, const Type *array, int side)
{
    return array->array.rank > 1 || jam->rows[side] || !shift_may(jam, jam->tile->axis[side]);
}

/* The side along which an access of neighbours is one wide access, or -1; `*rest` and `*offset`
** are its index along the dense axis. */
static int wide_side(Jam *jam, const IrValue *array, IrValue *const *indices, Steps steps,
                     const IrValue **rest, int64_t *offset)
{
    int param = ir_array_param(array), dense = dense_axis(array->type);
    for (int side = 0; side < SIDES && param >= 0 && dense >= 0; side++) {
        int width = width_of(jam, side);
        if (jam->tile->scalar[side] || !(steps & near_bit(side)) ||
            !fits_wide(array->type->array.element, width) || !may_be_wide(jam, array->type, side) ||
            !moves_by_one(jam->affine, array, indices, jam->tile->axis[side]))
            continue;
        *rest = affine_split(&jam->affine->sets, indices[dense], offset);
        if (*rest && ir_nonnegative(*rest) && affine_multiple(jam->affine, *rest) % width == 0 &&
            ir_rows_aligned(jam->unit, array->var))
            return side;
    }
    return -1;
}

static void note_rows(Jam *jam, const IrValue *array, IrValue *const *indices)
{
    if (ir_array_param(array) < 0 || array->type->array.rank < 2)
        return;
    for (int side = 0; side < SIDES; side++)
        if (jam->tile->axis[side] >= 0 && !jam->rows[side])
            jam->rows[side] = moves_by_one(jam->affine, array, indices, jam->tile->axis[side]) &&
                              ir_rows_aligned(jam->unit, array->var);
}

static void note_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        note_rows(context, value->operands[0], value->operands + 1);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_STORE)
        note_rows(context, stmt->store.array, stmt->store.indices);
}

void jam_note_rows(Jam *jam, const IrStmt *first)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next) {
        ir_each_node_of(stmt, note_load, jam);
        ir_each_stmt_of(stmt, note_stmt, jam);
    }
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* The group that an element `position` behind rest lies in, or -1 if that is too far off. */
static int group_of(const Jam *jam, const Family *family, int64_t position)
{
    int64_t group = position / width_of(jam, family->side);
    return position < 0 || group >= GROUPS ? -1 : (int)group;
}

static bool in_family(const Family *family, const IrValue *load, const IrValue *rest, int side,
                      Steps steps)
{
    const IrValue *like = family->like;
    if (family->side != side || family->steps != steps ||
        like->operands[0]->var != load->operands[0]->var || !affine_same(family->rest, rest))
        return false;
    for (int i = 1; i < load->count; i++)
        if (i - 1 != family->axis && !affine_same(like->operands[i], load->operands[i]))
            return false;
    return true;
}

static Family *find_family(Jam *jam, const JamLoad *added, const IrValue *rest, int side)
{
    for (int i = 0; i < jam->load_count; i++) {
        Family *family = jam->loads[i].family;
        if (family && in_family(family, added->load, rest, side, added->steps))
            return family;
    }
    Family *made = arena_new(jam->unit->arena, Family);
    *made = (Family){ .like = added->load,
                      .rest = rest,
                      .axis = dense_axis(added->load->operands[0]->type),
                      .side = side,
                      .steps = added->steps };
    return made;
}

/* Elements before rest are not loaded wide: their index may be negative. */
static void join_family(Jam *jam, JamLoad *added, const IrValue *rest, int side)
{
    added->family = find_family(jam, added, rest, side);
    for (int i = 0; i < width_of(jam, side); i++) {
        int group = group_of(jam, added->family, added->offset + i);
        int64_t within = floor_rest(added->offset + i, width_of(jam, side));
        if (group >= 0)
            added->family->read[group] |= UINT64_C(1) << within;
    }
}

static void add_load(Jam *jam, const IrValue *load, Steps steps)
{
    JamLoad added = { .load = load, .steps = jam_steps(jam, load) & steps };
    const IrValue *rest = NULL;
    int side = load->index ? -1
                           : wide_side(jam, load->operands[0], load->operands + 1, added.steps,
                                       &rest, &added.offset);
    if (side >= 0)
        join_family(jam, &added, rest, side);
    array_push(jam->unit->arena, jam->loads, jam->load_count, jam->load_capacity) = added;
}

static bool is_kept(const Jam *jam, const IrValue *load)
{
    for (int i = 0; i < jam->kept; i++)
        if (jam->loads[i].load == load)
            return true;
    return false;
}

/* The loads of a value that are done whenever it is asked for, those inside of others first. */
static void collect(Jam *jam, const IrValue *value, Steps steps)
{
    for (int i = 0; i < ir_certain_operands(value); i++)
        collect(jam, value->operands[i], steps);
    if (value->op == OP_load && !is_kept(jam, value))
        add_load(jam, value, steps);
}

/* ---- loading --------------------------------------------------------------------------------- */

static IrVar *new_private(const Jam *jam, const IrValue *array, int width, Span span)
{
    Arena *arena = jam->unit->arena;
    IrVar *var =
        ir_array_var(arena, jam->unit->kernel, arena_printf(arena, "%s_wide", array->var->name),
                     array->type->array.element, VAR_PRIVATE, (int64_t[]){ width }, 1, span);
    var->alignment = 16;
    var->temporary = true;
    return var;
}

/* wide_load or wide_store between `here` and an array's elements from `indices` on. */
static void append_wide(Jam *jam, IrIntrinsic which, IrVar *here, const IrValue *array,
                        IrValue *const *indices, Span span, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    int rank = array->type->array.rank, at = 0;
    IrValue *value = ir_value(arena, OP_intrinsic, type_none, span, rank + 2);
    value->intrinsic = which;
    if (which == INTR_wide_load)
        value->operands[at++] = ir_var(arena, here, span);
    value->operands[at++] = ir_var(arena, array->var, span);
    for (int i = 0; i < rank; i++)
        value->operands[at++] = indices[i];
    if (which == INTR_wide_store)
        value->operands[at++] = ir_var(arena, here, span);
    ir_append(out, ir_eval(arena, value, span));
}

static bool is_whole(const Jam *jam, const Family *family, int group)
{
    return group >= 0 && family->read[group] == (UINT64_C(1) << width_of(jam, family->side)) - 1;
}

static IrVar *load_group(Jam *jam, const JamLoad *load, int group, TileCoord coord, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    const Family *family = load->family;
    const IrValue *array = load->load->operands[0];
    int rank = array->type->array.rank, width = width_of(jam, family->side);
    IrValue **indices = arena_array(arena, IrValue *, rank + 1);
    int64_t begin = (int64_t)group * width;
    Span span = load->load->span;
    for (int i = 0; i < rank; i++)
        indices[i] = jam_value(jam, load->load->operands[1 + i], coord);
    IrValue **dense = &indices[family->axis];
    IrValue *more = ir_integer(arena, (*dense)->type, begin - load->offset, span);
    if (begin != load->offset)
        *dense = ir_binary(arena, OP_add, *dense, more, span);
    IrVar *here = new_private(jam, array, width, span);
    append_wide(jam, INTR_wide_load, here, array, indices, span, out);
    jam->wide[family->side] = true;
    return here;
}

/* The groups that the loads of neighbours access, if they are whole, for all coordinates. */
static void load_groups(Jam *jam, const JamLoad *load, TileCoord coord, IrRegion *out)
{
    Family *family = load->family;
    Steps steps = load->steps & ~near_bit(family->side);
    for (int i = 0; i < width_of(jam, family->side); i++) {
        int group = group_of(jam, family, load->offset + i);
        if (!is_whole(jam, family, group) || family->privates[group])
            continue;
        family->privates[group] = arena_array(jam->unit->arena, IrVar *, tile_size(jam->tile));
        do
            family->privates[group][coord_number(jam->tile, steps, coord)] =
                load_group(jam, load, group, coord, out);
        while (coord_next(jam->tile, steps, &coord));
    }
}

static int wide_group(const Jam *jam, const JamLoad *load, TileCoord coord)
{
    if (!load->family)
        return -1;
    int group = group_of(jam, load->family, load->offset + coord.at[load->family->side][NEAR]);
    return is_whole(jam, load->family, group) && load->family->privates[group] ? group : -1;
}

/* One by one, what no group has. */
static void load_temps(Jam *jam, JamLoad *load, TileCoord coord, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    const IrValue *array = load->load->operands[0];
    const char *name = array->op == OP_var ? array->var->name : "element";
    IrVar **temps = arena_array(arena, IrVar *, tile_size(jam->tile));
    do {
        if (wide_group(jam, load, coord) >= 0)
            continue;
        IrVar *temp = ir_temporary(arena, jam->unit->kernel, arena_printf(arena, "%s_1", name),
                                   load->load->type, load->load->span);
        IrValue *value = jam_value(jam, load->load, coord);
        temps[coord_number(jam->tile, load->steps, coord)] = temp;
        ir_append(out, ir_set(arena, temp, value, load->load->span));
    } while (coord_next(jam->tile, load->steps, &coord));
    load->temps = temps;
}

void jam_load_ahead(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, bool all,
                    IrRegion *out)
{
    if (!steps)
        return;
    for_each_value (value, stmt)
        collect(jam, value, steps);
    for (int i = jam->kept; i < jam->load_count; i++) {
        JamLoad *load = &jam->loads[i];
        if (load->family)
            load_groups(jam, load, coord, out);
        if (all || load->steps != steps)
            load_temps(jam, load, coord, out);
    }
}

void jam_loads_done(Jam *jam)
{
    jam->load_count = jam->kept;
}

typedef struct Sharing {
    Jam *jam;
    IrSets sets; /* of the branch */
    Steps steps, all;
} Sharing;

/* Keeps the loads of a value that are the same along the steps, of elements that nothing in the
** branch decides. */
static void keep(void *context, IrValue *value)
{
    Sharing *s = context;
    Jam *jam = s->jam;
    if (value->op != OP_load || value->index || ir_array_param(value->operands[0]) < 0 ||
        jam_steps(jam, value) & s->steps)
        return;
    for (int i = 1; i < value->count; i++)
        if (!sets_invariant(&s->sets, value->operands[i], NULL))
            return;
    JamLoad load = { .load = value, .steps = jam_steps(jam, value) & s->all };
    array_push(jam->unit->arena, jam->loads, jam->load_count, jam->load_capacity) = load;
    jam->kept = jam->load_count;
}

bool jam_load_shared(Jam *jam, const IrStmt *branch, TileCoord coord, Steps steps, Steps fixed,
                     IrRegion *any)
{
    const IrRegion *then = &branch->if_.then;
    int before = jam->kept;
    Sharing s = { jam, ir_sets(jam->unit->arena, jam->unit->kernel, then), steps, ~fixed };
    if (ir_region_effects(then) & ~EFFECT_READ)
        return false;
    for (const IrStmt *stmt = then->first; stmt && stmt->kind == IR_SET; stmt = stmt->next)
        ir_each_certain(stmt->set.value, keep, &s);
    for (int i = before; i < jam->kept; i++)
        load_temps(jam, &jam->loads[i], coord, any);
    return jam->kept > before;
}

IrValue *jam_loaded(Jam *jam, const IrValue *value, TileCoord coord)
{
    Arena *arena = jam->unit->arena;
    for (int i = 0; i < jam->load_count; i++) {
        const JamLoad *load = &jam->loads[i];
        if (load->load != value)
            continue;
        int group = wide_group(jam, load, coord);
        if (group >= 0) {
            const Family *family = load->family;
            Steps steps = load->steps & ~near_bit(family->side);
            int64_t at = load->offset + coord.at[family->side][NEAR];
            IrVar *held = family->privates[group][coord_number(jam->tile, steps, coord)];
            IrValue *index = ir_integer(arena, type_int64,
                                        floor_rest(at, width_of(jam, family->side)), value->span);
            return ir_load(arena, ir_var(arena, held, value->span), &index, 1, value->span);
        }
        IrVar *temp = load->temps ? load->temps[coord_number(jam->tile, load->steps, coord)] : NULL;
        return temp ? ir_var(arena, temp, value->span) : NULL;
    }
    return NULL;
}

/* ---- storing --------------------------------------------------------------------------------- */

static void store_group(Jam *jam, const IrStmt *stmt, int side, TileCoord coord, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    const IrValue *array = stmt->store.array;
    int width = width_of(jam, side);
    IrVar *here = new_private(jam, array, width, stmt->span);
    IrValue **indices = arena_array(arena, IrValue *, stmt->store.count + 1);
    out = jam_own(jam, coord, stmt->span, out); /* tiles begin at multiples of the width then */
    for (int i = 0; i < stmt->store.count; i++)
        indices[i] = jam_value(jam, stmt->store.indices[i], coord);
    for (int i = 0; i < width; i++) {
        IrValue *at = ir_integer(arena, type_int64, i, stmt->span);
        coord.at[side][NEAR] = i;
        ir_append(out, ir_store(arena, ir_var(arena, here, stmt->span), &at, 1,
                                jam_value(jam, stmt->store.value, coord), stmt->span));
    }
    append_wide(jam, INTR_wide_store, here, array, indices, stmt->span, out);
    jam->wide[side] = true;
}

bool jam_store_wide(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, IrRegion *out)
{
    const IrValue *rest = NULL;
    int64_t offset = 0;
    if (stmt->store.cache)
        return false;
    int side = wide_side(jam, stmt->store.array, stmt->store.indices, steps, &rest, &offset);
    if (side < 0 || offset < 0 || offset % width_of(jam, side) != 0)
        return false;
    do
        store_group(jam, stmt, side, coord, out);
    while (coord_next(jam->tile, steps & ~near_bit(side), &coord));
    return true;
}
