/* Which quotients and remainders of a thread's index are steady: neighbours in a tile have the same
** quotient, and remainders one behind the other.
**
**     h = floordiv(grid(0), w)            h = floordiv(first_x, w)
**     d = mod(grid(0), w)                 d_0 = mod(first_x, w) ... d_3 = mod(first_x + 3, w)
**     store x[h, d] = ...        becomes  eval wide_store(x, h, d_0, ...)
**
** Legal for tiles of so many neighbours as divide w, which is positive, where these begin at
** multiples of as many: no multiple of w lies between them.
**
** Pays where an access moves along memory with a remainder, as where the text takes apart the one
** index of an array of several axes. */
#include "ir/schedule/coarsen/coarsen.h"

enum { STEADY_LEAST = 4, STEADY_MOST = 8 };

typedef struct Finding {
    IrUnit *unit;
    IrAffine *affine;
    Steady *steady;
    int capacity;
} Finding;

/* The axis along which a value moves by one from thread to thread; -1: along none, or several. */
static int axis_of(const IrAffine *affine, const IrValue *value)
{
    int found = -1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t slope;
        if (!affine_varies(affine, value, axis))
            continue;
        if (found >= 0 || !affine_slope(affine, value, axis, &slope) || slope != 1)
            return -1;
        found = axis;
    }
    return found;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void visit(void *context, IrValue *value)
{
    Finding *f = context;
    if ((value->op != OP_floordiv && value->op != OP_mod) || !type_is_signed(value->type) ||
        !ir_positive(value->operands[1]) || !ir_nonnegative(value->operands[0]) ||
        ir_divergence_of(&f->affine->divergence, value->operands[1]))
        return;
    int axis = axis_of(f->affine, value->operands[0]);
    if (axis < 0)
        return;
    int64_t multiple = smaller(affine_multiple(f->affine, value->operands[0]),
                               affine_multiple(f->affine, value->operands[1]));
    if (multiple < STEADY_LEAST)
        return;
    f->steady->near[axis] = (int)smaller(f->steady->near[axis], multiple);
    array_push(f->unit->arena, f->steady->list, f->steady->count, f->capacity) =
        (IrSteady){ value, axis };
}

static Steady steady_find(IrUnit *unit, const IrRegion *within)
{
    Steady steady = { .near = { STEADY_MOST, STEADY_MOST, STEADY_MOST } };
    IrAffine affine = ir_affine(unit, within);
    affine.launch = unit->launch;
    for (int axis = 0; axis < 3; axis++)
        affine.unit[axis] = STEADY_MOST;
    Finding f = { .unit = unit, .affine = &affine, .steady = &steady };
    for (const IrStmt *stmt = unit->kernel->body.first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, visit, &f);
    return steady;
}

IrAffine steady_affine(IrUnit *unit, const IrRegion *within, const Steady *steady)
{
    IrAffine affine = ir_affine(unit, within);
    if (!steady->count)
        return affine;
    affine.divergence = ir_divergence_by(unit, &(IrDivergenceRules){ .steady = steady->list,
                                                                     .steady_count = steady->count,
                                                                     .within = within });
    affine.launch = unit->launch;
    return affine;
}

/* Whether no more of a tile are neighbours than a steady quotient allows. */
static bool fits(const Steady *steady, const Tile *tile)
{
    for (int i = 0; i < steady->count; i++)
        for (int side = 0; side < SIDES; side++) {
            int axis = steady->list[i].axis;
            if (tile->axis[side] == axis &&
                (tile->count[side][NEAR] > steady->near[axis] || tile->count[side][APART] > 1))
                return false;
        }
    return true;
}

bool steady_choose(IrUnit *unit, const Guarded *guarded, Steady *steady, Tile *tile)
{
    *steady = steady_find(unit, guarded->within);
    IrAffine affine = steady_affine(unit, guarded->within, steady);
    if (tile_choose(unit, &affine, guarded, false, tile) && fits(steady, tile))
        return true;
    if (!steady->count)
        return false;
    *steady = (Steady){ 0 };
    affine = ir_affine(unit, guarded->within);
    return tile_choose(unit, &affine, guarded, false, tile);
}
