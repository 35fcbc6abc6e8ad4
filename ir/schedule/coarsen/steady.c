/* Which quotients and remainders of a thread's index are steady: neighbours in a tile have the same
** quotient, and remainders one behind the other.
**
**     h = floordiv(grid(0), w)            h = floordiv(first_x, w)
**     d = mod(grid(0), w)                 d_0 = mod(first_x, w) ... d_3 = mod(first_x + 3, w)
**     store x[h, d] = ...        becomes  eval wide_store(x, h, d_0, ...)
**
** Legal for tiles of so many neighbours as divide w, which is positive, where these begin at
** multiples of as many: no multiple of w lies between them. Else for tiles whose first and last
** thread have the same quotient, which is asked; the others go one by one.
**
** Pays where an access moves along memory with a remainder, as where the text takes apart the one
** index of an array of several axes; and where what threads with the same quotient read is the
** same. What has to be asked is along the side of a tile alone along which lanes do not go: it
** holds for all lanes or for none then. */
#include "base/arith.h"
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

/* Neighbours in a tile: a divisor that is a multiple of so many needs no asking; no tile has more
** of them than STEADY_MOST. */
enum { STEADY_LEAST = 4, STEADY_MOST = 8 };

typedef struct Finding {
    IrUnit *unit;
    IrAffine *affine;
    const Guarded *guarded;
    Steady *steady;
    bool sure; /* those are looked for that are */
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

typedef struct SteadyNames {
    const Guarded *guarded;
    bool in_front;
} SteadyNames;

static void note_name(void *context, IrValue *value)
{
    SteadyNames *names = context;
    bool found = value->op != OP_var || value->var->kind == VAR_PARAM;
    for (int i = 0; i < names->guarded->set_count; i++)
        found |= value->op == OP_var && names->guarded->sets[i]->set.var == value->var;
    names->in_front &= found && value->op != OP_load && value->op != OP_call;
}

/* Whether a value can be had where it is asked whether a tile is whole. */
static bool in_front(const Guarded *guarded, IrValue *value)
{
    SteadyNames names = { guarded, true };
    ir_each_node(value, note_name, &names);
    return names.in_front;
}

static int64_t multiple_of(const Finding *f, const IrValue *value)
{
    return !ir_positive(value->operands[1])
               ? 1
               : integer_min(affine_multiple(f->affine, value->operands[0]),
                             affine_multiple(f->affine, value->operands[1]));
}

static void visit(void *context, IrValue *value)
{
    Finding *f = context;
    if ((value->op != OP_floordiv && value->op != OP_mod) || !type_is_signed(value->type) ||
        !ir_nonnegative(value->operands[0]) ||
        ir_divergence_of(&f->affine->divergence, value->operands[1]))
        return;
    int axis = axis_of(f->affine, value->operands[0]);
    if (axis < 0)
        return;
    int64_t multiple = multiple_of(f, value);
    if ((multiple >= STEADY_LEAST) != f->sure || (!f->sure && !in_front(f->guarded, value)))
        return;
    if (f->sure)
        f->steady->near[axis] = (int)integer_min(f->steady->near[axis], multiple);
    array_push(f->unit->arena, f->steady->list, f->steady->count, f->capacity) =
        (IrSteady){ value, axis };
}

static Steady steady_find(IrUnit *unit, const Guarded *guarded)
{
    Steady steady = { .near = { STEADY_MOST, STEADY_MOST, STEADY_MOST } };
    IrAffine affine = ir_affine(unit, guarded->within);
    affine.launch = unit->launch;
    for (int axis = 0; axis < 3; axis++)
        affine.unit[axis] = STEADY_MOST;
    Finding f = { unit, &affine, guarded, &steady, true, 0 };
    for (int sure = 1; sure >= 0; sure--) {
        f.sure = sure;
        ir_each_node_in(&unit->kernel->body, visit, &f);
        steady.sure = sure ? steady.count : steady.sure;
    }
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
            if (tile->axis[side] != axis || tile_along(tile, side) == 1)
                continue;
            if (tile->count[side][APART] > 1 || (i >= steady->sure && side == LANES) ||
                (i < steady->sure && steady->near[axis] % tile->count[side][NEAR]))
                return false;
        }
    return true;
}

/* With all that may be steady; with what is sure to be; with none. */
bool steady_choose(IrUnit *unit, const Guarded *guarded, Steady *steady, Tile *tile)
{
    *steady = steady_find(unit, guarded);
    for (;;) {
        IrAffine affine = steady_affine(unit, guarded->within, steady);
        if (tile_choose(unit, &affine, guarded, false, tile) && fits(steady, tile) &&
            (tile_size(tile) > 1 || !steady->count))
            return true;
        if (!steady->count)
            return false;
        bool some = steady->sure && steady->sure < steady->count;
        steady->count = steady->sure = some ? steady->sure : 0;
    }
}

static TileCoord last_along(const Tile *tile, int side)
{
    TileCoord coord = { { { 0 } } };
    coord.at[side][NEAR] = tile->count[side][NEAR] - 1;
    return coord;
}

static IrValue *quotient_at(Jam *jam, const IrValue *value, TileCoord coord)
{
    return ir_binary(jam->unit->arena, OP_floordiv, jam_value(jam, value->operands[0], coord),
                     jam_value(jam, value->operands[1], coord), value->span);
}

/* 0 < w and first // w == last // w: quotients by what is positive do not fall. */
static IrValue *is_steady(Jam *jam, const IrValue *value, int side)
{
    Arena *arena = jam->unit->arena;
    TileCoord first = { { { 0 } } };
    IrValue *by = jam_value(jam, value->operands[1], first);
    IrValue *positive =
        ir_binary(arena, OP_lt, ir_integer(arena, by->type, 0, by->span), by, by->span);
    return ir_both(arena, positive,
                   ir_binary(arena, OP_eq, quotient_at(jam, value, first),
                             quotient_at(jam, value, last_along(jam->tile, side)), value->span));
}

/* A quotient and its remainder are asked for once. */
static bool asked_before(const Steady *steady, int i)
{
    const IrValue *value = steady->list[i].value;
    for (int k = steady->sure; k < i; k++)
        if (ir_same_value(steady->list[k].value->operands[0], value->operands[0]) &&
            ir_same_value(steady->list[k].value->operands[1], value->operands[1]))
            return true;
    return false;
}

IrValue *steady_asked(Jam *jam, const Steady *steady)
{
    IrValue *all = NULL;
    for (int i = steady->sure; i < steady->count; i++)
        if (!asked_before(steady, i) && jam->tile->axis[ACROSS] == steady->list[i].axis &&
            tile_along(jam->tile, ACROSS) > 1)
            all = ir_both(jam->unit->arena, all, is_steady(jam, steady->list[i].value, ACROSS));
    return all;
}

bool steady_is_slow(const IrAffine *affine, const IrValue *load)
{
    bool slow = false;
    for (int i = 1; i < load->count; i++) {
        const IrValue *index = sets_behind_casts(&affine->sets, load->operands[i]);
        if (index->op == OP_mod)
            index = sets_behind_casts(&affine->sets, index->operands[0]);
        bool quotient = index->op == OP_floordiv && !ir_is_constant(index->operands[1]);
        if (!quotient && ir_divergence_of(&affine->divergence, load->operands[i]))
            return false;
        slow |= quotient;
    }
    return slow;
}
