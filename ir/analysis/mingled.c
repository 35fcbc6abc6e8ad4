/* Which loads a value comes of, through all names, and where two of these meet:
**
**     v = load(x, i)
**     if c
**         v = load(out, j)
**
** What variables have of each other grows until it stays. */
#include "ir/analysis/mingled.h"

#include "ir/analysis/flow/flow.h"
#include "ir/analysis/points_to.h"

/* What a value is: a load, or made of loads. One of these is never one with one of those. */
enum { IS_LOAD = 1, IS_MADE = 2 };
/* Sizes of what is loaded: a bit for 1, 2, 4 and 8 bytes, and for the several elements that
** intrinsics load. Records and what functions load may have any. */
enum { SIZE_1 = 1, SIZE_2 = 2, SIZE_4 = 4, SIZE_8 = 8, SIZE_WIDE = 16, SIZE_ANY = 31 };

typedef struct Origins {
    unsigned char only_read, written; /* SIZE_ bits, by what becomes of the array */
    unsigned char is;
} Origins;

/* Stores to memory of the block or the thread are never one with others. */
typedef struct EffectsOf {
    Origins near, far;
} EffectsOf;

typedef struct Mingling {
    const IrFunc *fn;
    IrPointsTo points_to;
    Origins *of_var;   /* by IrVar.id */
    Origins *in_front; /* likewise, of what sets a variable in front of the statement at hand */
    bool changed;
    bool leaves; /* something goes out of a region */
    bool found;
} Mingling;

static Origins both(Origins a, Origins b)
{
    return (Origins){ a.only_read | b.only_read, a.written | b.written, a.is | b.is };
}

/* Loads of these give one value or the other. */
static void meet(Mingling *m, Origins a, Origins b)
{
    m->found |= a.is & b.is && (a.only_read & b.written || a.written & b.only_read);
}

/* Of what a value loads from its operands. */
static int sizes_of(const IrValue *value)
{
    size_t bytes = value->op == OP_load && type_is_scalar(value->type) ? type_size(value->type) : 0;
    if (value->op == OP_intrinsic)
        return SIZE_WIDE;
    return bytes == 1   ? SIZE_1
           : bytes == 2 ? SIZE_2
           : bytes == 4 ? SIZE_4
           : bytes == 8 ? SIZE_8
                        : SIZE_ANY;
}

/* What a load of that size from an array, or from any of a tuple, comes of. */
static Origins of_array(Mingling *m, const IrValue *array, int sizes)
{
    const uint64_t *set = ir_pointees(&m->points_to, array);
    Origins here = { .is = IS_LOAD };
    for_each_pointee (id, &m->points_to, set) {
        const IrVar *var = m->fn->vars[id];
        if (var->kind != VAR_PARAM)
            continue;
        int access = m->fn->access[var->param];
        if (!(access & ACCESS_READ))
            continue;
        if (access & (ACCESS_WRITE | ACCESS_ATOMIC))
            here.written |= sizes;
        else
            here.only_read |= sizes;
    }
    meet(m, here, here);
    return here;
}

static Origins of_value(Mingling *m, const IrValue *value)
{
    Origins all = { 0 }, last = { 0 }, before_last = { 0 };
    bool loads = value->op == OP_load || value->op == OP_call || value->op == OP_intrinsic;
    bool picks = value->op == OP_select || value->op == OP_and_then || value->op == OP_or_else;
    if (value->op == OP_var && !type_holds_arrays(value->type))
        return m->of_var[value->var->id];
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        before_last = last;
        last = of_value(m, operand);
        if (loads && type_holds_arrays(operand->type))
            last = both(last, of_array(m, operand, sizes_of(value)));
        all = both(all, last);
    }
    if (value->op == OP_call)
        meet(m, all, all);
    if (picks)
        meet(m, before_last, last);
    else if (value->op != OP_cast)
        all.is = loads ? IS_LOAD : IS_MADE;
    return all;
}

/* ---- what sets variables --------------------------------------------------------------------- */

static void note_set(void *context, IrStmt *stmt)
{
    Mingling *m = context;
    if (stmt->kind != IR_SET || type_holds_arrays(stmt->set.var->type))
        return;
    Origins *var = &m->of_var[stmt->set.var->id], all = both(*var, of_value(m, stmt->set.value));
    m->changed |= memcmp(var, &all, sizeof all) != 0;
    *var = all;
}

/* Each set of a variable with those in front of it. */
static void meet_sets(void *context, IrStmt *stmt)
{
    Mingling *m = context;
    if (stmt->kind != IR_SET || type_holds_arrays(stmt->set.var->type))
        return;
    Origins value = of_value(m, stmt->set.value), *others = &m->in_front[stmt->set.var->id];
    meet(m, *others, value);
    *others = both(*others, value);
}

/* ---- what is done in arms -------------------------------------------------------------------- */

static void add_effect(Mingling *m, EffectsOf *to, const IrStmt *stmt)
{
    const IrValue *array = stmt->kind == IR_STORE ? stmt->store.array : NULL;
    bool near = array && array->op == OP_var && array->var->kind != VAR_PARAM &&
                array->var->kind != VAR_LOCAL;
    bool effect = stmt->kind != IR_SET && stmt->kind != IR_IF && stmt->kind != IR_FOR &&
                  stmt->kind != IR_WHILE;
    for_each_value (value, stmt) {
        Origins one = of_value(m, value), *of = near ? &to->near : &to->far;
        one.is = IS_MADE;
        *of = effect ? both(*of, one) : *of;
    }
}

static void meet_effects(Mingling *m, const EffectsOf *a, const EffectsOf *b)
{
    meet(m, a->near, b->near);
    meet(m, a->far, b->far);
}

/* Those of a branch's arms meet. */
static EffectsOf of_effects(Mingling *m, const IrRegion *region)
{
    EffectsOf all = { 0 };
    m->leaves |= flow_ways_out(region) != 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        EffectsOf arms = { 0 };
        add_effect(m, &all, stmt);
        for_each_region (inner, stmt) {
            EffectsOf arm = of_effects(m, inner);
            meet_effects(m, &arms, &arm);
            arms = (EffectsOf){ both(arms.near, arm.near), both(arms.far, arm.far) };
        }
        all = (EffectsOf){ both(all.near, arms.near), both(all.far, arms.far) };
    }
    return all;
}

bool ir_mingles_reads(Arena *arena, const IrFunc *fn)
{
    Mingling m = { .fn = fn, .points_to = ir_points_to(arena, fn) };
    m.of_var = arena_array(arena, Origins, fn->var_count + 1);
    m.in_front = arena_array(arena, Origins, fn->var_count + 1);
    do {
        m.changed = false;
        ir_each_stmt((IrRegion *)&fn->body, note_set, &m);
    } while (m.changed);
    ir_each_stmt((IrRegion *)&fn->body, meet_sets, &m);
    const EffectsOf effects = of_effects(&m, &fn->body);
    if (m.leaves) /* an arm may go on wherever another does */
        meet_effects(&m, &effects, &effects);
    return m.found;
}
