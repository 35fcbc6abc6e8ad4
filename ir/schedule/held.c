/* Floats that become int64 become int32 before, where nothing shows how far beyond its ends they
** lie:
**
**     k = cast<int64>(t)                          k = cast<int64>(cast<int32>(t))
**     f = sub(t, cast<float32>(k))                f = sub(t, cast<float32>(k))
**     if and_then(ge(k, 0), lt(k, extent(a, 0)))  =>
**         s = add(s, mul(f, load(a, k)))          the same
**
** Casts hold what is too large at the ends of their type, and make 0 of NaN, so that both give the
** same wherever an int32 holds k, and else lie on the same side of all that lies between the ends
** of int32.
**
** LEGAL where k is read only
** - where conditions say that an int32 holds it,
** - beside what lies between these ends: in comparisons, and in min and max, what these give being
**   read like k itself, and
** - for a variable that is read like this, where an int32 holds k. One statement sets it, by k, and
**   all that reads it stands behind that in the same region, as all that reads k does: so both are
**   of the same iteration.
**
** Pays always: nothing asks then whether 32 bits hold k. */
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"

enum { CANDIDATES_MOST = 64 }; /* a bit of Seen.by each */

/* What a value is where some candidates are held at the ends of int32. */
typedef struct Seen {
    uint64_t by; /* those whose being held may make it another number; a bit each */
    bool held;   /* that one is then beyond the same end of int32, too */
} Seen;

typedef struct HeldFloats {
    IrUnit *unit;
    IrBounds *bounds;
    IrSets sets;
    int *reads, *behind; /* by IrVar.id: of the kernel; counted anew for each variable */
    IrRegion **region;   /* likewise: in which the one statement that sets it stands */
    Seen *seen;          /* likewise: what it is */
    IrStmt *candidates[CANDIDATES_MOST];
    int count;
    uint64_t shown; /* candidates of which it shows how far beyond they lie */
} HeldFloats;

/* ---- candidates ------------------------------------------------------------------------------ */

static void count_read(void *context, IrValue *value)
{
    HeldFloats *h = context;
    if (value->op == OP_var)
        h->behind[value->var->id]++;
}

/* Whether one statement alone sets a variable, and all that reads it stands behind that. */
static bool is_read_behind(HeldFloats *h, const IrStmt *set)
{
    const IrVar *var = set->set.var;
    const IrRegion rest = { set->next, h->region[var->id]->last };
    if (sets_only(&h->sets, var) != set)
        return false;
    h->behind[var->id] = 0;
    if (set->next)
        ir_each_node_in(&rest, count_read, h);
    return h->behind[var->id] == h->reads[var->id];
}

static bool is_from_float(const IrValue *value)
{
    return value->op == OP_cast && value->type == type_int64 &&
           (value->operands[0]->type == type_float32 || value->operands[0]->type == type_float64);
}

static void find_in(HeldFloats *h, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *inner[2];
        for (int i = ir_regions(stmt, inner); i-- > 0;)
            find_in(h, inner[i]);
        if (stmt->kind != IR_SET)
            continue;
        const IrVar *var = stmt->set.var;
        h->region[var->id] = region;
        if (!is_from_float(stmt->set.value) || var->type != type_int64 ||
            h->count == CANDIDATES_MOST || !is_read_behind(h, stmt) ||
            interval_fits(bounds_of_var(h->bounds, var), type_int32))
            continue;
        h->seen[var->id] = (Seen){ UINT64_C(1) << h->count, true };
        h->candidates[h->count++] = stmt;
    }
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* Whether all of it lies between the ends of int32. */
static bool is_between(HeldFloats *h, const IrValue *value)
{
    Interval range = bounds_of(h->bounds, value);
    return interval_within(range, interval_from((IrWide)INT32_MIN + 1, (IrWide)INT32_MAX - 1));
}

/* Without the candidates that an int32 holds at this point. */
static Seen seen_var(HeldFloats *h, const IrVar *var)
{
    Seen seen = h->seen[var->id];
    for (int i = 0; i < h->count && seen.by >> i; i++) {
        const IrStmt *by = h->candidates[i];
        const IrValue *value = ir_var(h->unit->arena, by->set.var, by->span);
        if (seen.by >> i & 1 && interval_fits(bounds_of(h->bounds, value), type_int32))
            seen.by &= ~(UINT64_C(1) << i);
    }
    return seen;
}

/* Of an operation on a value that may be another number, and on another one: whether that is the
** same, and lies where it does not matter which number the first one is. */
static bool is_beside(HeldFloats *h, const IrValue *value, const Seen *of)
{
    int at = of[0].by ? 0 : 1;
    return value->count == 2 && of[at].held && !of[1 - at].by &&
           is_between(h, value->operands[1 - at]);
}

static Seen seen_value(HeldFloats *h, const IrValue *value);

/* The candidates of the operands; of the first two each alone. */
static uint64_t seen_operands(HeldFloats *h, const IrValue *value, Seen of[2])
{
    uint64_t by = 0;
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(h->bounds, value, i);
        Seen operand = seen_value(h, value->operands[i]);
        bounds_forget(h->bounds, mark);
        by |= operand.by;
        if (i < 2)
            of[i] = operand;
    }
    return by;
}

static Seen seen_value(HeldFloats *h, const IrValue *value)
{
    Seen of[2] = { { 0 } };
    if (value->op == OP_var)
        return seen_var(h, value->var);
    uint64_t by = seen_operands(h, value, of);
    bool outer = ir_is_intrinsic(value, INTR_min) || ir_is_intrinsic(value, INTR_max);
    bool beside = by && is_beside(h, value, of);
    if (ir_own_effects(value) != EFFECT_NONE)
        h->shown |= by;
    if (beside && (ir_is_comparison(value->op) || (outer && is_between(h, value))))
        return (Seen){ 0 };
    return (Seen){ by, beside && outer };
}

static void look_at(void *context, IrBounds *bounds, IrStmt *stmt)
{
    HeldFloats *h = context;
    (void)bounds;
    for_each_value (value, stmt) {
        Seen seen = seen_value(h, value);
        if (!seen.by)
            continue;
        if (stmt->kind == IR_SET && is_read_behind(h, stmt) && !h->seen[stmt->set.var->id].by)
            h->seen[stmt->set.var->id] = seen;
        else
            h->shown |= seen.by;
    }
}

void ir_held(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    Arena *arena = unit->arena;
    if (!ir_region_has_node(&fn->body, is_from_float) || !launch_narrow(unit->launch))
        return;
    HeldFloats h = { .unit = unit,
                     .bounds = ir_bounds(unit),
                     .sets = ir_sets(arena, fn, &fn->body),
                     .reads = ir_reads(arena, fn, &fn->body),
                     .behind = arena_array(arena, int, fn->var_count + 1),
                     .region = arena_array(arena, IrRegion *, fn->var_count + 1),
                     .seen = arena_array(arena, Seen, fn->var_count + 1) };
    find_in(&h, &unit->kernel->body);
    if (h.count)
        bounds_walk(h.bounds, look_at, &h);
    for (int i = 0; i < h.count; i++) {
        IrValue **from = &h.candidates[i]->set.value->operands[0];
        if (!(h.shown >> i & 1))
            *from = ir_cast(arena, type_int32, *from, (*from)->span);
    }
}
