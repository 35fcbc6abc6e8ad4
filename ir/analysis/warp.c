#include "ir/analysis/warp.h"

enum { LOOP_DEPTH_MAX = 4 }; /* deeper loops count as much as this */

/* ---- from thread to thread ------------------------------------------------------------------- */

typedef struct Branches {
    Arena *arena;
    const IrRegion **list;
    int count, capacity;
} Branches;

static void note_branches(void *context, IrStmt *stmt)
{
    Branches *b = context;
    IrRegion *regions[2];
    int count = stmt->kind == IR_IF ? ir_regions(stmt, regions) : 0;
    for (int i = 0; i < count; i++)
        array_push(b->arena, b->list, b->count, b->capacity) = regions[i];
}

/* As the threads see it that get everywhere. */
static IrDivergence divergence_of_all(const IrUnit *unit)
{
    Branches b = { .arena = unit->arena };
    ir_each_stmt(&unit->kernel->body, note_branches, &b);
    return ir_divergence_by(unit, &(IrDivergenceRules){ .joint = b.list, .joint_count = b.count });
}

IrAffine ir_steps(const IrUnit *unit)
{
    return (IrAffine){ .divergence = divergence_of_all(unit),
                       .sets = ir_sets(unit->arena, unit->kernel, &unit->kernel->body),
                       .unit = { 1, 1, 1 },
                       .in_block = true,
                       .estimate = true };
}

/* How long an axis is; 0 if the text does not tell. One that is indexed by a number, as the channel
** of a picture's point or the coordinate of a body, is taken for a few elements long. */
static int64_t extent_along(const IrValue *array, IrValue *const *indices, int axis)
{
    enum { FEW = 4, MANY = 16 };
    const int64_t *shape = array->op == OP_var ? array->var->shape : NULL;
    if (shape && shape[axis] != EXTENT_UNKNOWN)
        return shape[axis];
    int64_t number = ir_is_constant(indices[axis]) ? indices[axis]->constant.integer : MANY;
    return number < 0 || number >= MANY ? 0 : number < FEW ? FEW : number + 1;
}

/* Elements from one to the next along an axis of an array; false if the text does not tell. */
static bool elements_along(const IrValue *array, IrValue *const *indices, int axis,
                           int64_t *elements)
{
    const Type *type = array->type;
    int last = type->array.layout == LAYOUT_F ? 0 : type->array.rank - 1;
    *elements = 1;
    if (type->array.layout == LAYOUT_A)
        return false;
    for (int k = axis; k != last && *elements; k += last ? 1 : -1)
        *elements *= extent_along(array, indices, k + (last ? 1 : -1));
    return *elements != 0;
}

/* How many elements on an access is from one thread to the next along `axis`; false if that is not
** known, or far. */
static bool find_distance(const IrAffine *steps, const IrValue *array, IrValue *const *indices,
                          int axis, int64_t *distance)
{
    enum { NEAR = 4096 };
    *distance = 0;
    if (affine_varies(steps, array, axis))
        return false;
    for (int k = 0; k < array->type->array.rank; k++) {
        int64_t step, elements;
        if (!affine_slope(steps, indices[k], axis, &step))
            return false;
        if (step == 0)
            continue;
        if (!elements_along(array, indices, k, &elements) || step > NEAR || step < -NEAR)
            return false;
        *distance += step * elements;
    }
    return true;
}

IrMoves ir_moves(const IrAffine *steps, const IrValue *array, IrValue *const *indices)
{
    static const int64_t far[3] = { 0x10000040, 0x3000004c0, 0x5000005040 };
    const IrVar *var = ir_array_base(array);
    int64_t bytes = (int64_t)type_size(array->type->array.element);
    IrMoves moves = { .shared = var && ir_is_shared(var) };
    for (int axis = 0; axis < 3; axis++) {
        int64_t distance;
        moves.by[axis] = find_distance(steps, array, indices, axis, &distance) ? distance * bytes
                         : moves.shared ? 4 * BANK_BYTES /* unknown: neither good nor bad */
                                        : far[axis];
    }
    return moves;
}

/* ---- what that costs ------------------------------------------------------------------------- */

/* Where the lanes find their elements, from where the first does. */
static void lane_offsets(const uint32_t block[3], const IrMoves *moves, int64_t offsets[WARP_LANES])
{
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t left = lane;
        offsets[lane] = 0;
        for (int k = 0; k < 3; k++) {
            offsets[lane] += moves->by[k] * (left % block[k]);
            left /= block[k];
        }
    }
}

static int64_t unit_of(int64_t offset, int64_t bytes)
{
    return offset >= 0 ? offset / bytes : ~(~offset / bytes);
}

/* How many units of so many bytes the offsets lie in. */
static int64_t count_units(const int64_t offsets[WARP_LANES], int64_t bytes)
{
    int64_t units[WARP_LANES], count = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        bool seen = false;
        units[i] = unit_of(offsets[i], bytes);
        for (int k = 0; k < i && !seen; k++)
            seen = units[i] == units[k];
        count += !seen;
    }
    return count;
}

/* How many different words of one bank the offsets lie in, at most. */
static int64_t count_conflicts(const int64_t offsets[WARP_LANES])
{
    int64_t words[WARP_LANES], most = 1;
    int last[BANKS], before[WARP_LANES]; /* lanes that ask one bank; -1: none */
    for (int i = 0; i < BANKS; i++)
        last[i] = -1;
    for (int i = 0; i < WARP_LANES; i++) {
        words[i] = unit_of(offsets[i], BANK_BYTES);
        int *bank = &last[(uint64_t)words[i] % BANKS];
        int64_t own = 1;
        for (int k = *bank; k >= 0; k = before[k])
            own += words[k] != words[i];
        before[i] = *bank;
        *bank = i;
        most = own > most ? own : most;
    }
    return most;
}

int64_t ir_warp_cost(const uint32_t block[3], const IrMoves *moves)
{
    int64_t offsets[WARP_LANES];
    lane_offsets(block, moves, offsets);
    return moves->shared ? count_conflicts(offsets) : count_units(offsets, SECTOR_BYTES);
}

int64_t ir_warp_units(const uint32_t block[3], const IrMoves *moves, int64_t bytes)
{
    int64_t offsets[WARP_LANES], pieces[WARP_LANES], units = 0;
    int64_t unit = moves->shared ? BANK_BYTES : bytes < SECTOR_BYTES ? bytes : SECTOR_BYTES;
    lane_offsets(block, moves, offsets);
    if (moves->shared)
        return count_conflicts(offsets) * (bytes + WIDE_BYTES - 1) / WIDE_BYTES;
    for (int64_t from = 0; from < bytes; from += unit) {
        for (int i = 0; i < WARP_LANES; i++)
            pieces[i] = offsets[i] + from;
        units += count_units(pieces, SECTOR_BYTES);
    }
    int64_t most = (bytes * WARP_LANES + SECTOR_BYTES - 1) / SECTOR_BYTES;
    return bytes >= SECTOR_BYTES && units > most ? most : units;
}

int64_t ir_warp_queue(const uint32_t block[3], const IrMoves *moves)
{
    int64_t offsets[WARP_LANES];
    lane_offsets(block, moves, offsets);
    return WARP_LANES - count_units(offsets, 1);
}

/* ---- what a kernel accesses ------------------------------------------------------------------ */

typedef struct WarpWalk {
    WarpVisitor *visit;
    void *context;
    int64_t weight;
} WarpWalk;

static void visit_node(void *context, IrValue *value)
{
    const WarpWalk *w = context;
    const bool atomic = ir_is_atomic(value);
    if (value->op == OP_load || atomic)
        w->visit(w->context,
                 &(WarpAccess){ value->operands[0], value->operands + 1,
                                atomic ? EFFECT_ATOMIC : EFFECT_READ, w->weight, value->span });
}

static void visit_region(const IrRegion *region, WarpWalk w, int depth)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        WarpWalk inside = w;
        bool loop = ir_is_loop(stmt) && depth < LOOP_DEPTH_MAX;
        ir_each_own_node(stmt, visit_node, &w);
        if (stmt->kind == IR_STORE)
            w.visit(w.context, &(WarpAccess){ stmt->store.array, stmt->store.indices, EFFECT_WRITE,
                                              w.weight, stmt->span });
        inside.weight *= loop ? LOOP_WEIGHT : 1;
        for_each_region (inner, stmt)
            visit_region(inner, inside, depth + loop);
    }
}

void ir_each_warp_access(const IrRegion *region, WarpVisitor *visit, void *context)
{
    visit_region(region, (WarpWalk){ visit, context, 1 }, 0);
}
