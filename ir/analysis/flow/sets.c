#include "ir/analysis/flow/sets.h"

#include "ir/analysis/flow/uses.h"

static void note_stmt(void *context, IrStmt *stmt)
{
    const IrSets *sets = context;
    const IrVar *var = ir_set_var(stmt);
    if (!var)
        return;
    bool first = !sets->count[var->id]++;
    bool named = first && stmt->kind == IR_SET && !ir_is_var(stmt->set.value, var);
    sets->only[var->id] = first ? stmt : NULL;
    sets->value[var->id] = named ? stmt->set.value : NULL; /* no name stands for itself */
}

static IrSets no_sets(Arena *arena, const IrFunc *fn)
{
    return (IrSets){ fn->var_count, arena_array(arena, int, fn->var_count + 1),
                     arena_array(arena, const IrStmt *, fn->var_count + 1),
                     arena_array(arena, IrValue *, fn->var_count + 1) };
}

IrSets ir_sets(Arena *arena, const IrFunc *fn, const IrRegion *region)
{
    IrSets sets = no_sets(arena, fn);
    ir_each_stmt(region, note_stmt, &sets);
    return sets;
}

IrSets ir_sets_of_loop(Arena *arena, const IrFunc *fn, const IrStmt *loop)
{
    IrSets sets = no_sets(arena, fn);
    ir_each_stmt_of(loop, note_stmt, &sets);
    return sets;
}

bool sets_any(const IrSets *sets, const IrVar *var)
{
    return var->id < sets->var_count && sets->count[var->id];
}

bool sets_arrays(const IrSets *sets, const IrFunc *fn)
{
    for (int i = 0; i < sets->var_count; i++)
        if (sets->count[i] && type_is_array(fn->vars[i]->type))
            return true;
    return false;
}

const IrStmt *sets_only(const IrSets *sets, const IrVar *var)
{
    return var->id < sets->var_count ? sets->only[var->id] : NULL;
}

IrValue *sets_value(const IrSets *sets, const IrVar *var)
{
    return var->id < sets->var_count ? sets->value[var->id] : NULL;
}

const IrStmt *sets_loop(const IrSets *sets, const IrVar *var)
{
    const IrStmt *loop = sets_only(sets, var);
    return loop && loop->kind == IR_FOR ? loop : NULL;
}

const IrValue *sets_behind(const IrSets *sets, const IrValue *value)
{
    while (value->op == OP_var && sets_value(sets, value->var))
        value = sets_value(sets, value->var);
    return value;
}

const IrValue *sets_behind_casts(const IrSets *sets, const IrValue *value)
{
    value = sets_behind(sets, value);
    while (value->op == OP_cast && ir_keeps_value(value))
        value = sets_behind(sets, value->operands[0]);
    return value;
}

/* Takes a value's nodes off; false if there are not as many. In code that is never reached a value
** may be made of itself: so a node counts before its operands do. */
static bool has_room(const IrSets *sets, const IrValue *value, int *nodes)
{
    value = sets_behind(sets, value);
    --*nodes;
    for (int i = 0; *nodes > 0 && i < value->count; i++)
        has_room(sets, value->operands[i], nodes);
    return *nodes > 0;
}

bool sets_is_short(const IrSets *sets, const IrValue *value)
{
    int nodes = 256;
    return has_room(sets, value, &nodes);
}

static void each_load(const IrSets *sets, const IrValue *value, IrValueVisitor *visit,
                      void *context)
{
    value = sets_behind(sets, value);
    if (value->op == OP_load)
        visit(context, (IrValue *)value);
    for (int i = 0; i < value->count; i++)
        each_load(sets, value->operands[i], visit, context);
}

void sets_each_load(const IrSets *sets, const IrValue *value, IrValueVisitor *visit, void *context)
{
    if (sets_is_short(sets, value))
        each_load(sets, value, visit, context);
}

bool sets_invariant(const IrSets *sets, const IrValue *value, const IrVar *but)
{
    if (value->op == OP_call || value->op == OP_load)
        return false;
    if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect != EFFECT_NONE)
        return false;
    if (value->op == OP_var && value->var != but && sets_any(sets, value->var))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!sets_invariant(sets, value->operands[i], but))
            return false;
    return true;
}

bool sets_stable(const IrSets *sets, const IrValue *value)
{
    if (value->op == OP_load || value->op == OP_call)
        return false;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL)
        return sets_only(sets, value->var) != NULL;
    for (int i = 0; i < value->count; i++)
        if (!sets_stable(sets, value->operands[i]))
            return false;
    return true;
}

void sets_drop(IrSets *sets, const IrVar *var)
{
    sets->count[var->id]--;
    sets->only[var->id] = NULL;
    sets->value[var->id] = NULL;
}

/* ---- what loops leave ------------------------------------------------------------------------ */

/* The loops around a statement. */
typedef struct LoopsAround {
    const IrStmt *loop;
    const struct LoopsAround *outer;
    unsigned char *uses; /* of the loop's body; NULL: not asked for yet */
} LoopsAround;

/* The innermost loops around what sets a variable; NULL: none is. */
typedef struct SettingLoop {
    const IrStmt *loop;
    const struct SettingLoop *next;
} SettingLoop;

typedef struct Scopes {
    Arena *arena;
    int count; /* of variables */
    LoopsAround *around;
    const SettingLoop **homes; /* by IrVar.id */
    bool *left;                /* likewise: it is read outside of one of them */
} Scopes;

static bool is_around(const LoopsAround *around, const IrStmt *loop)
{
    while (around && around->loop != loop)
        around = around->outer;
    return around || !loop;
}

/* Whether an iteration of the innermost loop reads a variable only behind where it sets it. */
static bool is_set_first(const Scopes *s, const IrVar *var)
{
    LoopsAround *inner = s->around;
    if (!inner)
        return false;
    if (!inner->uses) {
        inner->uses = arena_array(s->arena, unsigned char, s->count);
        for_each_region (body, inner->loop)
            for (const IrStmt *stmt = body->first; stmt; stmt = stmt->next)
                uses_of_stmt(inner->uses, stmt, true);
    }
    return (inner->uses[var->id] & (USE_SET | USE_INCOMING)) == USE_SET;
}

static bool is_counter(const LoopsAround *around, const IrVar *var)
{
    while (around && !(around->loop->kind == IR_FOR && around->loop->for_.var == var))
        around = around->outer;
    return around != NULL;
}

static void note_read(void *context, IrValue *value)
{
    Scopes *s = context;
    if (value->op != OP_var || s->left[value->var->id])
        return;
    const SettingLoop *home = s->homes[value->var->id];
    while (home && is_around(s->around, home->loop))
        home = home->next;
    s->left[value->var->id] =
        home && !is_counter(s->around, value->var) && !is_set_first(s, value->var);
}

static void note_home(Scopes *s, const IrVar *var, const IrStmt *loop)
{
    SettingLoop *home = arena_new(s->arena, SettingLoop);
    *home = (SettingLoop){ loop, s->homes[var->id] };
    s->homes[var->id] = home;
}

/* First where variables are set, then, with `reads`, where they are read: an iteration reads what
** stands behind it in the one before, too. */
static void note_region(Scopes *s, const IrRegion *region, bool reads)
{
    LoopsAround *outer = s->around;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        LoopsAround inner = { stmt, outer, NULL };
        bool loop = ir_is_loop(stmt);
        IrVar *var = ir_set_var(stmt);
        if (reads)
            ir_each_own_node(stmt, note_read, s);
        else if (var)
            note_home(s, var, stmt->kind == IR_FOR ? stmt : outer ? outer->loop : NULL);
        s->around = loop ? &inner : outer;
        for_each_region (within, stmt)
            note_region(s, within, reads);
        s->around = outer;
    }
}

bool *ir_left_by_loops(Arena *arena, const IrFunc *fn, const IrRegion *region)
{
    int count = fn->var_count + 1;
    Scopes s = { .arena = arena,
                 .count = count,
                 .homes = arena_array(arena, const SettingLoop *, count),
                 .left = arena_array(arena, bool, count) };
    note_region(&s, region, false);
    note_region(&s, region, true);
    return s.left;
}

/* ---- indices --------------------------------------------------------------------------------- */

static int axis_of(const IrSets *sets, const IrValue *value, IrIntrinsic intrinsic)
{
    value = sets_behind_casts(sets, value);
    return value->op == OP_intrinsic && value->intrinsic == intrinsic ? value->index : -1;
}

/* The axis along which a sum or product of two such is, in any order. */
static int axis_of_both(int a, int b, int other_a, int other_b)
{
    return a >= 0 && a == b ? a : other_a >= 0 && other_a == other_b ? other_a : -1;
}

static int product_axis(const IrSets *sets, const IrValue *value, IrIntrinsic factor)
{
    value = sets_behind_casts(sets, value);
    if (value->op != OP_mul)
        return -1;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    return axis_of_both(axis_of(sets, a, factor), axis_of(sets, b, INTR_block_dim),
                        axis_of(sets, b, factor), axis_of(sets, a, INTR_block_dim));
}

int ir_thread_axis(const IrSets *sets, const IrValue *value)
{
    int axis = axis_of(sets, value, INTR_grid);
    value = sets_behind_casts(sets, value);
    if (axis >= 0 || value->op != OP_add)
        return axis;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    return axis_of_both(axis_of(sets, a, INTR_thread_idx), product_axis(sets, b, INTR_block_idx),
                        axis_of(sets, b, INTR_thread_idx), product_axis(sets, a, INTR_block_idx));
}

int ir_threads_axis(const IrSets *sets, const IrValue *value)
{
    int axis = axis_of(sets, value, INTR_gridsize);
    return axis >= 0 ? axis : product_axis(sets, value, INTR_grid_dim);
}

int ir_stride_axis(const IrSets *sets, const IrStmt *loop)
{
    int axis = ir_thread_axis(sets, loop->for_.start);
    return axis >= 0 && axis == ir_threads_axis(sets, loop->for_.step) ? axis : -1;
}
