#include "ir/schedule/unroll/scalar.h"

#include "ir/clone.h"
#include "ir/analysis/flow/flow.h"

/* ---- what is the element's ------------------------------------------------------------------- */

static bool is_own(const Replacement *k, const Access *access)
{
    return same_element(k->access, access);
}

/* Whether the statement itself accesses the element. */
static bool accesses(const Replacement *k, const IrStmt *stmt)
{
    for (int i = 0; i < k->accesses->count; i++)
        if (k->accesses->list[i].stmt == stmt && is_own(k, &k->accesses->list[i]))
            return true;
    return false;
}

static bool region_accesses(const Replacement *k, const IrRegion *region);

static bool accesses_within(const Replacement *k, IrStmt *stmt)
{
    for_each_region (inner, stmt)
        if (region_accesses(k, inner))
            return true;
    return false;
}

static bool region_accesses(const Replacement *k, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (accesses(k, stmt) || accesses_within(k, stmt))
            return true;
    return false;
}

bool scalar_is_store(const Replacement *k, const IrStmt *stmt)
{
    for (int i = 0; i < k->accesses->count; i++) {
        const Access *access = &k->accesses->list[i];
        if (access->kind == ACCESS_STORE && access->stmt == stmt)
            return is_own(k, access);
    }
    return false;
}

bool scalar_is_load(const Replacement *k, const IrValue *value)
{
    for (int i = 0; value->op == OP_load && i < k->accesses->count; i++)
        if (k->accesses->list[i].load == value)
            return is_own(k, &k->accesses->list[i]);
    return false;
}

bool scalar_has_load(const Replacement *k, const IrValue *value)
{
    bool found = scalar_is_load(k, value);
    for (int i = 0; i < value->count && !found; i++)
        found = scalar_has_load(k, value->operands[i]);
    return found;
}

/* The same, of loads that are not one arm of a choice. */
static bool loads_surely(const Replacement *k, const IrValue *value)
{
    bool found = scalar_is_load(k, value);
    for (int i = 0; i < ir_certain_operands(value) && !found; i++)
        found = loads_surely(k, value->operands[i]);
    return found;
}

const IrVar *keep_base(const Replacement *k)
{
    const IrValue *array = k->access->array;
    while (array->op != OP_var && array->count)
        array = array->operands[0];
    return array->op == OP_var ? array->var : NULL;
}

static bool region_is_innermost(const Replacement *k, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool loop = ir_is_loop(stmt);
        if (loop && (accesses(k, stmt) || accesses_within(k, stmt)))
            return false;
        if (stmt->kind == IR_IF && (!region_is_innermost(k, &stmt->if_.then) ||
                                    !region_is_innermost(k, &stmt->if_.otherwise)))
            return false;
    }
    return true;
}

bool scalar_is_innermost(const Replacement *k)
{
    return region_is_innermost(k, ir_loop_body(k->accesses->loop));
}

/* ---- conditions ------------------------------------------------------------------------------ */

IrValue *scalar_both(Arena *arena, IrValue *a, IrValue *b)
{
    if (!a || (ir_is_constant(a) && a->constant.integer))
        return b;
    if (!b || ir_is_constant(a) || (ir_is_constant(b) && b->constant.integer))
        return a;
    return ir_binary(arena, OP_and_then, a, b, b->span);
}

static IrValue *either(Arena *arena, IrValue *a, IrValue *b)
{
    if (ir_is_constant(a))
        return a->constant.integer ? a : b;
    if (ir_is_constant(b))
        return b->constant.integer ? b : a;
    return ir_binary(arena, OP_or_else, a, b, b->span);
}

static void add_condition(Replacement *k, IrValue *more)
{
    k->condition = scalar_both(k->accesses->unit->arena, k->condition, more);
}

static IrValue *compare(Arena *arena, IrOp op, const IrValue *a, const IrValue *b)
{
    const IrClone clone = { .arena = arena };
    return ir_binary(arena, op, ir_clone_value(&clone, a), ir_clone_value(&clone, b), a->span);
}

static IrValue *counts(Arena *arena, const IrStmt *loop)
{
    const IrValue *start = loop->for_.start, *stop = loop->for_.stop, *step = loop->for_.step;
    if (ir_is_integer(step, 0))
        return NULL;
    if (ir_rises(loop))
        return compare(arena, OP_lt, start, stop);
    if (ir_is_constant(step))
        return compare(arena, OP_gt, start, stop);
    IrValue *zero = ir_integer(arena, step->type, 0, step->span);
    IrValue *up =
        scalar_both(arena, compare(arena, OP_gt, step, zero), compare(arena, OP_lt, start, stop));
    IrValue *down =
        scalar_both(arena, compare(arena, OP_lt, step, zero), compare(arena, OP_gt, start, stop));
    return either(arena, up, down);
}

IrValue *scalar_iterations(Arena *arena, const IrStmt *loop)
{
    const IrClone clone = { .arena = arena };
    return loop->kind == IR_FOR ? counts(arena, loop)
                                : ir_clone_value(&clone, loop->while_.condition);
}

/* ---- the first iteration --------------------------------------------------------------------- */

/* Whether to come to `stmt` is to access the element as it has to be: to store it, if it is stored
** anywhere. */
static bool accesses_surely(const Replacement *k, const IrStmt *stmt)
{
    if (k->stores)
        return scalar_is_store(k, stmt);
    for_each_value (value, stmt)
        if (loads_surely(k, value))
            return true;
    return false;
}

static bool comes_there(Replacement *k, const IrRegion *region);

static bool comes_inside_for(Replacement *k, const IrStmt *stmt)
{
    if (!sets_invariant(&k->accesses->sets, stmt->for_.start, NULL) ||
        !sets_invariant(&k->accesses->sets, stmt->for_.stop, NULL) ||
        !sets_invariant(&k->accesses->sets, stmt->for_.step, NULL))
        return false;
    IrValue *iterations = scalar_iterations(k->accesses->unit->arena, stmt);
    if (iterations)
        add_condition(k, iterations);
    return iterations && comes_there(k, &stmt->for_.body);
}

static bool comes_inside_if(Replacement *k, const IrStmt *stmt)
{
    const IrClone clone = { .arena = k->accesses->unit->arena };
    bool then = region_accesses(k, &stmt->if_.then);
    if (!sets_invariant(&k->accesses->sets, stmt->if_.condition, NULL) ||
        (then && region_accesses(k, &stmt->if_.otherwise)))
        return false;
    IrValue *condition = ir_clone_value(&clone, stmt->if_.condition);
    if (!then)
        condition = ir_unary(clone.arena, OP_not, condition, condition->span);
    add_condition(k, condition);
    return comes_there(k, then ? &stmt->if_.then : &stmt->if_.otherwise);
}

/* Whether what stands in `stmt`, all that accesses the element, is sure to do so under a condition
** that is the same at each iteration. */
static bool comes_inside(Replacement *k, const IrStmt *stmt)
{
    if (accesses(k, stmt))
        return false;
    if (stmt->kind == IR_FOR)
        return comes_inside_for(k, stmt);
    return stmt->kind == IR_IF && comes_inside_if(k, stmt);
}

/* The only statement of a region that has to do with the element, if nothing before it leads
** elsewhere; else NULL. */
static IrStmt *only_holder(const Replacement *k, const IrRegion *region)
{
    IrStmt *holder = NULL;
    bool leaves = false;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (accesses(k, stmt) || accesses_within(k, stmt)) {
            if (holder || leaves)
                return NULL;
            holder = stmt;
        }
        leaves |= flow_stmt_ways_out(stmt) != 0;
    }
    return holder;
}

/* Whether a thread that enters a region, the only one of the loop that accesses the element, is
** sure to access it before leaving; under k->condition, which grows. */
static bool comes_there(Replacement *k, const IrRegion *region)
{
    bool before = false;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (accesses_surely(k, stmt)) {
            k->written_first = !before && k->stores && !scalar_has_load(k, stmt->store.value);
            return true;
        }
        before |= accesses(k, stmt) || accesses_within(k, stmt);
        if (flow_stmt_ways_out(stmt))
            break;
    }
    const IrStmt *holder = only_holder(k, region);
    return holder && comes_inside(k, holder);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Whether a loop, or one in it, ends by something else than a count. */
static bool has_open_end(IrStmt *loop)
{
    return loop->kind == IR_WHILE ||
           ir_region_has(ir_loop_body(loop), 1 << IR_WHILE | 1 << IR_BREAK);
}

/* Where what an element holds may go in a loop, and what loads of other elements at each iteration
** give. */
typedef struct ScalarSpread {
    const Replacement *scalar;
    bool *vars, *varied; /* by IrVar.id: depends on it; on such loads */
    bool changed, decides;
} ScalarSpread;

/* Whether a load goes elsewhere at each iteration. */
static bool moves(const ScalarSpread *s, const IrValue *value)
{
    for (int i = 1; i < value->count && value->op == OP_load; i++)
        if (!sets_invariant(&s->scalar->accesses->sets, value->operands[i], NULL))
            return true;
    return false;
}

static bool depends(const ScalarSpread *s, const IrValue *value, const bool *vars)
{
    bool found = vars == s->vars ? scalar_is_load(s->scalar, value) : moves(s, value);
    found |= value->op == OP_var && vars[value->var->id];
    for (int i = 0; i < value->count && !found; i++)
        found = depends(s, value->operands[i], vars);
    return found;
}

static void spread_stmt(void *context, IrStmt *stmt)
{
    ScalarSpread *s = context;
    bool *both[] = { s->vars, s->varied };
    for (int i = 0; i < 2 && stmt->kind == IR_SET; i++) {
        bool *held = &both[i][stmt->set.var->id];
        if (!*held && depends(s, stmt->set.value, both[i]))
            *held = s->changed = true;
    }
}

/* Whether a condition, or a part of it, depends on the element and on nothing else that the loop
** reads, as that of a loop does which waits for memory to change. */
static bool depends_on_it(const ScalarSpread *s, const IrValue *value)
{
    bool parts = value->op == OP_and_then || value->op == OP_or_else || value->op == OP_and ||
                 value->op == OP_or || value->op == OP_not;
    if (!parts)
        return depends(s, value, s->vars) && !depends(s, value, s->varied);
    for (int i = 0; i < value->count; i++)
        if (depends_on_it(s, value->operands[i]))
            return true;
    return false;
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    ScalarSpread *s = context;
    if (stmt->kind == IR_IF || ir_is_loop(stmt))
        for_each_value (value, stmt)
            s->decides |= depends_on_it(s, value);
}

/* Whether the loop may go one way or another by what an element holds alone. */
static bool decides(const Replacement *k)
{
    const IrUnit *unit = k->accesses->unit;
    IrStmt *loop = k->accesses->loop;
    ScalarSpread spread = { .scalar = k,
                            .vars = arena_array(unit->arena, bool, unit->kernel->var_count + 1),
                            .varied = arena_array(unit->arena, bool, unit->kernel->var_count + 1) };
    do {
        spread.changed = false;
        ir_each_stmt(ir_loop_body(loop), spread_stmt, &spread);
    } while (spread.changed);
    if (loop->kind == IR_WHILE)
        spread.decides = depends_on_it(&spread, loop->while_.condition);
    ir_each_stmt(ir_loop_body(loop), look_at_stmt, &spread);
    return spread.decides;
}

static bool scalar_waits(Accesses *accesses);

static bool region_waits(const Accesses *accesses, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool loop = ir_is_loop(stmt);
        if (loop) {
            Accesses inner = accesses_of(accesses->unit, accesses->points_to, stmt);
            if (scalar_waits(&inner))
                return true;
            continue;
        }
        for_each_region (within, stmt)
            if (region_waits(accesses, within))
                return true;
    }
    return false;
}

/* Whether a loop, or one in it, may be waiting for an element to change that each iteration
** reads. */
static bool scalar_waits(Accesses *accesses)
{
    if (!has_open_end(accesses->loop))
        return false;
    for (int i = 0; i < accesses->count; i++) {
        const Replacement scalar = { .accesses = accesses, .access = &accesses->list[i] };
        if (scalar.access->load && access_invariant(accesses, scalar.access) && decides(&scalar))
            return true;
    }
    return region_waits(accesses, ir_loop_body(accesses->loop));
}

/* ---- whether it is legal --------------------------------------------------------------------- */

/* What the loop does to the element. False if the text says how that is to be done. */
static bool find_uses(Replacement *k)
{
    k->mere = true;
    for (int i = 0; i < k->accesses->count; i++) {
        const Access *access = &k->accesses->list[i];
        if (!is_own(k, access))
            continue;
        if (access->hinted)
            return false;
        k->stores |= access->kind == ACCESS_STORE;
        k->loads |= access->kind == ACCESS_LOAD;
        if (access->kind == ACCESS_LOAD && !scalar_is_store(k, access->stmt))
            k->mere = false;
    }
    return true;
}

/* Whether an array is in memory that threads share. */
static bool is_shared(const Replacement *k)
{
    const IrVar *base = keep_base(k);
    return base && base->kind != VAR_PRIVATE && base->kind != VAR_CONSTANT;
}

bool scalar_is_candidate(Replacement *k, Accesses *accesses, const Access *access)
{
    *k = (Replacement){ .accesses = accesses, .access = access };
    if (access->kind == ACCESS_OTHER || !type_is_scalar(access->array->type->array.element))
        return false;
    for (const Access *before = accesses->list; before < access; before++)
        if (same_element(before, access))
            return false;
    return is_shared(k) && access_invariant(accesses, access) && find_uses(k);
}

/* The first thing that the loop does, and may do to the element beside what is known of; NULL if
** there is none. `*met` is the variable whose memory that is, NULL if unknown. */
static const Access *find_meeting(const Replacement *k, const IrVar **met)
{
    for (int i = 0; i < k->accesses->count; i++) {
        const Access *access = &k->accesses->list[i];
        if (!is_own(k, access) && (access->written || k->stores) &&
            !disjoint_elements(k->accesses, k->access, access, met))
            return access;
    }
    return NULL;
}

static const char *meeting_text(const Replacement *k)
{
    const IrVar *met = NULL;
    const char *name = keep_base(k)->name;
    if (!find_meeting(k, &met))
        return NULL;
    if (met == keep_base(k))
        return arena_printf(k->accesses->unit->arena,
                            "other elements of '%s' that the loop uses may be the same", name);
    return arena_printf(k->accesses->unit->arena, "'%s' may overlap '%s'", name,
                        met ? met->name : "other arrays");
}

const char *scalar_why_not(Replacement *k)
{
    const char *meeting = k->accesses->why ? k->accesses->why : meeting_text(k);
    if (meeting)
        return meeting;
    if (scalar_waits(k->accesses))
        return "the loop may be waiting for memory to change";
    if (comes_there(k, ir_loop_body(k->accesses->loop)))
        return NULL;
    k->condition = NULL;
    k->written_first = false;
    k->lazy = k->mere && k->stores && scalar_is_innermost(k);
    return k->lazy ? NULL : "not every iteration comes to it";
}
