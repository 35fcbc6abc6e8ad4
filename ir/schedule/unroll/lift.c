/* What of a loop's iteration can be done before it, or behind it: loads, stores, and which
** variables are the iteration's own. See unroll.c. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/unroll/unroll.h"

/* ---- what comes in every iteration ----------------------------------------------------------- */

/* Whether every iteration comes to a load, or store. */
static bool is_certain(const Unroll *u, const Access *access)
{
    for (const IrStmt *stmt = u->loop->for_.body.first; stmt; stmt = stmt->next) {
        if (stmt == access->stmt)
            return !access->load || flow_evaluates(stmt, access->load);
        if (ir_stmt_has(stmt, 1 << IR_CONTINUE))
            break;
    }
    return false;
}

/* ---- what can be lifted -------------------------------------------------------------------- */

/* Whether a value is the loop's counter. */
static bool unroll_is_counter(const Unroll *u, const IrValue *value)
{
    return ir_is_var(value, u->loop->for_.var);
}

/* Whether nothing in the iteration but the counter changes a value. */
bool unroll_is_known_before(const Unroll *u, const IrValue *value)
{
    return sets_invariant(&u->accesses.sets, value, u->loop->for_.var);
}

static bool is_whole_array(const Access *access)
{
    const IrValue *array = access->array;
    return array->op == OP_var && array->var->kind == VAR_PARAM && !access->hinted &&
           type_is_scalar(array->type->array.element) && !array->type->array.unaligned;
}

bool unroll_meet(const Unroll *u, const Access *a, const Access *b)
{
    const IrPointsTo *points_to = u->accesses.points_to;
    const IrVar *one, *other;
    return ir_may_alias(points_to, u->unit->launch, ir_pointees(points_to, a->array),
                        ir_pointees(points_to, b->array), &one, &other);
}

/* Whether two accesses are of one element, of which each iteration has its own: no index counts
** from the end. */
static bool same_of_iteration(const Unroll *u, const Access *a, const Access *b)
{
    bool counted = false;
    for (int i = 0; i < a->count; i++)
        counted |= unroll_is_counter(u, a->indices[i]);
    return counted && (u->down || ir_nonnegative(u->loop->for_.start)) &&
           a->array->type->array.layout != LAYOUT_A && same_element(a, b);
}

/* Whether nothing is written that a load, made before all iterations, would miss. */
static bool may_go_first(const Unroll *u, int load)
{
    const Access *accesses = u->accesses.list;
    for (int i = 0; i < u->accesses.count; i++) {
        if (!accesses[i].written || !unroll_meet(u, &accesses[load], &accesses[i]))
            continue;
        if (i < load || !same_of_iteration(u, &accesses[load], &accesses[i]))
            return false;
    }
    return true;
}

/* Whether nothing else comes to what a store, made behind all iterations, writes. */
static bool may_go_last(const Unroll *u, int store)
{
    const Access *accesses = u->accesses.list;
    for (int i = 0; i < u->accesses.count; i++)
        if (i != store && unroll_meet(u, &accesses[store], &accesses[i]) &&
            (i > store || accesses[i].written ||
             !same_of_iteration(u, &accesses[store], &accesses[i])))
            return false;
    return true;
}

/* Whether the elements at neighbouring iterations are neighbours, and those at a multiple of a
** width aligned. */
static bool is_wide(Unroll *u, const Access *access)
{
    const Type *type = access->array->type;
    int along = type->array.layout == LAYOUT_F ? 0 : type->array.rank - 1;
    if (type->array.layout == LAYOUT_A || type->array.rank == 0 || access->hinted ||
        !unroll_is_counter(u, access->indices[along]))
        return false;
    for (int i = 0; i < access->count; i++)
        if (i != along && !sets_invariant(&u->accesses.sets, access->indices[i], NULL))
            return false;
    return ir_rows_aligned(u->unit, access->array->var);
}

Lifted *unroll_find_lifted(Unroll *u, const Access *access)
{
    for (int i = 0; i < u->count; i++)
        if (u->lifted[i].access->kind == access->kind && same_element(u->lifted[i].access, access))
            return &u->lifted[i];
    return NULL;
}

bool unroll_waits(Unroll *u)
{
    for (int i = 0; i < u->accesses.count; i++) {
        const Access *access = &u->accesses.list[i];
        int param = access->kind == ACCESS_LOAD ? ir_array_param(access->array) : -1;
        if (param >= 0 && u->unit->kernel->access[param] == ACCESS_READ &&
            !unroll_find_lifted(u, access))
            return true;
    }
    return false;
}

bool unroll_is_scattered(Unroll *u)
{
    return u->unit->kernel->effects & EFFECT_ATOMIC && unroll_waits(u) &&
           !schedule_is_given(u->unit);
}

static void lift(Unroll *u, const Access *access)
{
    if (!unroll_find_lifted(u, access) && u->count < LIFTED_MOST)
        u->lifted[u->count++] = (Lifted){ .access = access, .wide = is_wide(u, access) };
}

/* Whether a load's element is known before the iteration, and what it finds there as well. */
static bool can_lift_load(const Unroll *u, int index)
{
    const Access *access = &u->accesses.list[index];
    if (access->kind != ACCESS_LOAD || !is_whole_array(access))
        return false;
    for (int i = 0; i < access->count; i++)
        if (!unroll_is_known_before(u, access->indices[i]))
            return false;
    for (int i = index; i < u->accesses.count; i++) /* the other equal ones get its variable */
        if (same_element(access, &u->accesses.list[i]) && u->accesses.list[i].kind == ACCESS_LOAD &&
            !may_go_first(u, i))
            return false;
    return may_go_first(u, index);
}

void unroll_lift_loads(Unroll *u)
{
    for (int i = 0; i < u->accesses.count; i++)
        if (is_certain(u, &u->accesses.list[i]) && can_lift_load(u, i))
            lift(u, &u->accesses.list[i]);
}

/* ---- loads under conditions ------------------------------------------------------------------ */

/* The branches around a statement; false if there are too many. */
static bool find_guards(const IrRegion *region, const IrStmt *wanted, LoadGuards *guards)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt == wanted)
            return true;
        if (stmt->kind != IR_IF)
            continue;
        bool then = ir_region_holds(&stmt->if_.then, wanted);
        if (!then && !ir_region_holds(&stmt->if_.otherwise, wanted))
            continue;
        if (guards->count == GUARDS_MOST)
            return false;
        guards->branches[guards->count] = stmt;
        guards->wanted[guards->count++] = then;
        return find_guards(then ? &stmt->if_.then : &stmt->if_.otherwise, wanted, guards);
    }
    return false;
}

static bool are_known_before(const Unroll *u, const LoadGuards *guards)
{
    for (int i = 0; i < guards->count; i++)
        if (!unroll_is_known_before(u, guards->branches[i]->if_.condition))
            return false;
    return true;
}

/* Whether the guards `way` begin with the guards `first`: the same branches, taken alike. */
static bool leads_through(const LoadGuards *way, const LoadGuards *first)
{
    if (way->count < first->count)
        return false;
    for (int i = 0; i < first->count; i++)
        if (way->wanted[i] != first->wanted[i] ||
            !ir_same_value(way->branches[i]->if_.condition, first->branches[i]->if_.condition))
            return false;
    return true;
}

/* Whether every load of the element is under these guards, perhaps under more. */
static bool are_all_guarded(const Unroll *u, const Access *access, const LoadGuards *guards)
{
    for (int i = 0; i < u->accesses.count; i++) {
        const Access *other = &u->accesses.list[i];
        LoadGuards way = { .count = 0 };
        if (other->kind != ACCESS_LOAD || !same_element(access, other))
            continue;
        if (!find_guards(&u->loop->for_.body, other->stmt, &way) || !leads_through(&way, guards))
            return false;
    }
    return true;
}

void unroll_lift_guarded(Unroll *u)
{
    if (ir_region_has(&u->loop->for_.body, 1 << IR_CONTINUE))
        return;
    for (int i = 0; i < u->accesses.count && u->count < LIFTED_MOST; i++) {
        const Access *access = &u->accesses.list[i];
        LoadGuards guards = { .count = 0 };
        if (!can_lift_load(u, i) || unroll_find_lifted(u, access) ||
            !find_guards(&u->loop->for_.body, access->stmt, &guards) || !guards.count ||
            !flow_evaluates(access->stmt, access->load) || !are_known_before(u, &guards) ||
            !are_all_guarded(u, access, &guards))
            continue;
        u->lifted[u->count++] = (Lifted){ .access = access, .guards = guards, .window = NO_WINDOW };
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

void unroll_lift_stores(Unroll *u)
{
    for (int i = 0; i < u->accesses.count; i++) {
        const Access *access = &u->accesses.list[i];
        if (access->kind == ACCESS_STORE && is_whole_array(access) && is_certain(u, access) &&
            may_go_last(u, i))
            lift(u, access);
    }
}

/* ---- variables ----------------------------------------------------------------------------- */

typedef struct ReadFlow {
    const Unroll *u;
    bool *known;   /* by IrVar.id: set by now, in this iteration */
    bool *carried; /* read before that */
} ReadFlow;

static void flow_node(void *context, IrValue *value)
{
    const ReadFlow *flow = context;
    if (value->op == OP_var && sets_any(&flow->u->accesses.sets, value->var) &&
        !flow->known[value->var->id])
        flow->carried[value->var->id] = true;
}

static void flow_region(const ReadFlow *flow, const IrRegion *region)
{
    int count = flow->u->accesses.sets.var_count;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_own_node(stmt, flow_node, (void *)flow);
        if (stmt->kind == IR_SET)
            flow->known[stmt->set.var->id] = true;
        if (stmt->kind != IR_IF)
            continue;
        ReadFlow inner[2] = { *flow, *flow };
        for (int k = 0; k < 2; k++) {
            inner[k].known = arena_array(flow->u->unit->arena, bool, count + 1);
            for (int i = 0; i < count; i++)
                inner[k].known[i] = flow->known[i];
        }
        flow_region(&inner[0], &stmt->if_.then);
        flow_region(&inner[1], &stmt->if_.otherwise);
        for (int i = 0; i < count; i++)
            flow->known[i] = inner[0].known[i] && inner[1].known[i];
    }
}

/* Finds the variables of which each iteration has its own; false if the counter is none. */
bool unroll_find_own(Unroll *u, const int *uses, const int *inside)
{
    Arena *arena = u->unit->arena;
    int count = u->accesses.sets.var_count, counter = u->loop->for_.var->id;
    ReadFlow flow = { u, arena_array(arena, bool, count + 1), arena_array(arena, bool, count + 1) };
    u->own = arena_array(arena, bool, count + 1);
    flow.known[counter] = true;
    flow_region(&flow, &u->loop->for_.body);
    for (int i = 0; i < count; i++)
        u->own[i] = u->accesses.sets.count[i] && inside[i] == uses[i] && !flow.carried[i];
    return u->own[counter];
}

bool unroll_stores(const Unroll *u)
{
    for (int i = 0; i < u->accesses.count; i++)
        if (u->accesses.list[i].kind == ACCESS_STORE &&
            ir_array_param(u->accesses.list[i].array) >= 0)
            return true;
    return false;
}
