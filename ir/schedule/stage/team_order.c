/* Loops of a team whose iterations keep their order, as sums of floats have to:
**
**     for k in 0 to m by 1                 for iteration in 0 to m by 128
**         d = a[i, k] - mean       =>          all: term[k] = a[i, k] - mean, of 128 iterations
**         total = total + d * d                eval barrier()
**                                              one warp: for k in 0 to 128
**                                                            d = term[k]
**                                                            total = total + d * d
**
** All warps compute what each iteration makes of the counter and of what stays as it is, its terms,
** and bring these to shared memory; one warp makes the iterations of them, one after the other,
** while the others load what the next ones need. Then all learn what its threads have come to.
**
** Legal for loops that count by one between bounds made of arguments, which nothing leaves early,
** and that do nothing but read and set variables. A term is evaluated in every iteration whatever
** it comes to, and is made of nothing that the loop sets, so that it can be computed at any time
** while the loop runs; and all of its variables are numbers, which lanes can hand to each other.
** The loop reads nothing but by its terms. A product that is added to something is two terms, which
** leaves it to compilers to join both operations. What stands under a condition made of the same is
** computed where that holds. */
#include "ir/schedule/stage/team.h"

typedef struct TeamOrder {
    const Team *team;
    TeamLoop *loop;
    IrSets sets;      /* of the loop */
    IrValue *only_if; /* what holds where the statement at hand is executed; NULL: nothing has to */
    bool unknown;     /* it is executed where something holds that no term can be made of */
    bool fine;
    int loads;
} TeamOrder;

/* ---- terms ----------------------------------------------------------------------------------- */

static bool is_handed(const IrVar *var)
{
    return type_is_number(var->type) && type_size(var->type) >= 4;
}

/* Whether a variable is the same to all iterations, or counts them. */
static bool stays(const TeamOrder *o, const IrVar *var)
{
    if (var->kind == VAR_PARAM || var == o->loop->loop->for_.var)
        return true;
    return var->kind == VAR_LOCAL && is_handed(var) && !sets_any(&o->sets, var);
}

/* Whether a value asks for nothing of a thread but its index, and calls nothing. */
static bool is_plain(const IrValue *value)
{
    if (value->op != OP_intrinsic)
        return value->op != OP_call;
    return value->intrinsic == INTR_grid ||
           (value->count > 0 && ir_intrinsics[value->intrinsic].effect == EFFECT_NONE);
}

static void check_part(void *context, IrValue *value)
{
    TeamOrder *o = context;
    if (value->op == OP_var)
        o->fine &= stays(o, value->var);
    else if (value->op == OP_load)
        o->fine &= ir_array_param(value->operands[0]) >= 0;
    else
        o->fine &= is_plain(value);
    o->loads += value->op == OP_load;
}

/* Whether it is made of what can be computed at any time while the loop runs. */
static bool is_free(TeamOrder *o, const IrValue *value)
{
    o->fine = !(ir_value_effects(value) & EFFECT_ORDERED);
    o->loads = 0;
    ir_each_node((IrValue *)value, check_part, o);
    return o->fine;
}

/* Adds a value to a list that has it not; false if there is no room. */
static bool add(const IrValue **list, int *count, const IrValue *value)
{
    for (int i = 0; i < *count; i++)
        if (ir_same_value(list[i], value))
            return true;
    if (*count == TEAM_TERMS)
        return false;
    list[(*count)++] = value;
    return true;
}

/* What is loaded in any case, to be on its way early. */
static void add_loads(TeamLoop *loop, const IrValue *value)
{
    if (value->op == OP_load)
        add(loop->loads, &loop->load_count, value);
    for (int i = 0; i < ir_certain_operands(value) && value->op != OP_load; i++)
        add_loads(loop, value->operands[i]);
}

/* What is as well done by the warp that makes the iterations: what compilers may join with a sum,
** and what takes more room than what it is made of. */
static bool is_left(const IrValue *value, bool summed)
{
    bool widens = value->op == OP_cast && type_is_number(value->operands[0]->type) &&
                  type_size(value->operands[0]->type) < type_size(value->type);
    return widens || (summed && value->op == OP_mul);
}

/* Whether a term that is computed under a condition is where another one holds. */
static bool covers(const IrValue *only_if, const IrValue *where)
{
    return !only_if || (where && ir_same_value(only_if, where)) ||
           (only_if->op == OP_or_else &&
            (covers(only_if->operands[0], where) || covers(only_if->operands[1], where)));
}

static bool add_term(TeamOrder *o, const IrValue *value)
{
    TeamLoop *loop = o->loop;
    int before = loop->term_count, at = 0;
    if (!o->only_if)
        add_loads(loop, value);
    if (!add(loop->terms, &loop->term_count, value))
        return false;
    while (!ir_same_value(loop->terms[at], value))
        at++;
    if (at == before)
        loop->only_if[at] = o->only_if;
    else if (o->only_if && !covers(loop->only_if[at], o->only_if))
        loop->only_if[at] =
            ir_binary(o->team->unit->arena, OP_or_else, loop->only_if[at], o->only_if, value->span);
    return true;
}

/* The largest terms among the parts of a value that are evaluated in any case. */
static bool add_parts(TeamOrder *o, const IrValue *value, bool summed)
{
    if (!is_left(value, summed) && type_is_number(value->type) && is_free(o, value) && o->loads > 0)
        return add_term(o, value);
    bool sum = type_is_float(value->type) && (value->op == OP_add || value->op == OP_sub);
    for (int i = 0; i < ir_certain_operands(value); i++)
        if (!add_parts(o, value->operands[i], sum))
            return false;
    return true;
}

/* ---- conditions ------------------------------------------------------------------------------ */

typedef bool OrderVisit(TeamOrder *o, const IrValue *value);

static bool each_value(TeamOrder *o, const IrRegion *region, OrderVisit *visit);

/* What stands in a branch, which iterations come to where all that is around it holds. */
static bool each_in_branch(TeamOrder *o, const IrRegion *branch, IrValue *condition,
                           OrderVisit *visit)
{
    IrValue *before = o->only_if;
    bool unknown = o->unknown;
    o->unknown |= !is_free(o, condition);
    o->only_if =
        before ? ir_binary(o->team->unit->arena, OP_and_then, before, condition, condition->span)
               : condition;
    bool fine = each_value(o, branch, visit);
    o->only_if = before;
    o->unknown = unknown;
    return fine;
}

static bool each_value(TeamOrder *o, const IrRegion *region, OrderVisit *visit)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_value (value, stmt)
            if (!visit(o, value))
                return false;
        if (stmt->kind != IR_IF)
            continue;
        IrValue *is = stmt->if_.condition;
        IrValue *is_not = ir_unary(o->team->unit->arena, OP_not, is, is->span);
        if (!each_in_branch(o, &stmt->if_.then, is, visit) ||
            !each_in_branch(o, &stmt->if_.otherwise, is_not, visit))
            return false;
    }
    return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_among(const IrValue *const *list, int count, const IrValue *value)
{
    for (int i = 0; i < count; i++)
        if (ir_same_value(list[i], value))
            return true;
    return false;
}

/* Whether a value is a term that is computed where the statement at hand is executed. */
static bool has_term(const TeamOrder *o, const IrValue *value)
{
    const TeamLoop *loop = o->loop;
    for (int i = 0; i < loop->term_count; i++)
        if (ir_same_value(loop->terms[i], value))
            return !loop->only_if[i] || (o->only_if && ir_same_value(loop->only_if[i], o->only_if));
    return false;
}

/* Whether a value reads memory by its terms alone. What is read elsewhere in any case becomes one.
*/
static bool reads_terms(TeamOrder *o, const IrValue *value)
{
    TeamLoop *loop = o->loop;
    if (is_among(loop->terms, loop->term_count, value))
        return has_term(o, value);
    if (value->op == OP_load)
        return is_among(loop->loads, loop->load_count, value) &&
               add(loop->terms, &loop->term_count, value);
    for (int i = 0; i < value->count; i++)
        if (!reads_terms(o, value->operands[i]))
            return false;
    return true;
}

/* What is evaluated in any case. */
static bool add_certain(TeamOrder *o, const IrValue *value)
{
    return o->only_if || add_parts(o, value, false);
}

/* What else is read, where that is known beforehand. */
static bool add_rest(TeamOrder *o, const IrValue *value)
{
    return reads_terms(o, value) ||
           (!o->unknown && add_parts(o, value, false) && reads_terms(o, value));
}

/* Whether a statement sets variables, or says whether others do. */
static void check_stmt(void *context, IrStmt *stmt)
{
    TeamOrder *o = context;
    o->fine &=
        (stmt->kind == IR_SET || stmt->kind == IR_IF) && !(ir_stmt_effects(stmt) & EFFECT_ORDERED);
}

static void check_node(void *context, IrValue *value)
{
    ((TeamOrder *)context)->fine &= is_plain(value);
}

/* Notes what is read behind the loop of what it sets. */
static bool add_results(TeamOrder *o)
{
    const IrFunc *fn = o->team->unit->kernel;
    TeamLoop *loop = o->loop;
    for (int i = 0; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        if (!sets_any(&o->sets, var) || !team_reads_behind(o->team, loop->loop, var))
            continue;
        if (loop->sum_count == TEAM_SUMS || var == loop->loop->for_.var || !is_handed(var))
            return false;
        loop->sums[loop->sum_count++].var = var;
    }
    return true;
}

static bool take_slot(Team *t, TeamLoop *loop, int term)
{
    int slot = 0;
    bool taken = true, same = !loop->along && !loop->only_if[term] &&
                              !affine_varies(&t->affine, loop->terms[term], 0);
    while (taken && slot < TEAM_SLOTS) {
        taken = slot < t->slot_count &&
                (t->slots[slot].element != loop->terms[term]->type ||
                 t->slots[slot].along != loop->along || t->slots[slot].same != same);
        for (int i = 0; i < term; i++)
            taken |= loop->slots[i] == slot;
        slot += taken;
    }
    if (slot == TEAM_SLOTS)
        return false;
    loop->slots[term] = slot;
    if (slot == t->slot_count)
        t->slots[t->slot_count++] =
            (TeamSlot){ .element = loop->terms[term]->type, .along = loop->along, .same = same };
    return true;
}

bool team_order(Team *t, TeamLoop *loop)
{
    const IrStmt *stmt = loop->loop;
    TeamOrder o = { t, loop, ir_sets_of_loop(t->unit->arena, t->unit->kernel, stmt), .fine = true };
    loop->sum_count = loop->pick_count = loop->term_count = loop->load_count = 0;
    memset(loop->only_if, 0, sizeof loop->only_if);
    loop->start = guard_in_arguments(t->unit->arena, &t->affine, stmt->for_.start);
    loop->stop = guard_in_arguments(t->unit->arena, &t->affine, stmt->for_.stop);
    if (!loop->outer || !loop->start || !loop->stop || !ir_is_integer(stmt->for_.step, 1) ||
        flow_ways_out(&stmt->for_.body))
        return false;
    if (!each_value(&o, &stmt->for_.body, add_certain) ||
        !each_value(&o, &stmt->for_.body, add_rest))
        return false;
    o.fine = loop->term_count > 0;
    ir_each_stmt(&((IrStmt *)stmt)->for_.body, check_stmt, &o);
    ir_each_node_in(&stmt->for_.body, check_node, &o);
    if (!o.fine || !add_results(&o))
        return false;
    for (int i = 0; i < loop->term_count; i++)
        if (!take_slot(t, loop, i))
            return false;
    return true;
}

/* ---- room ------------------------------------------------------------------------------------ */

int64_t team_slot_columns(const TeamSlot *slot)
{
    int64_t wide = WIDE_BYTES / (int64_t)type_size(slot->element);
    return slot->tile + (wide > 1 ? wide : 1);
}

static int64_t slot_bytes(const TeamSlot *slot, int lanes)
{
    int64_t threads = slot->same ? 1 : lanes;
    return 2 * threads * team_slot_columns(slot) * (int64_t)type_size(slot->element);
}

/* The largest that can be less; NULL: none can. */
static TeamSlot *largest(Team *t, int lanes)
{
    TeamSlot *most = NULL;
    for (int i = 0; i < t->slot_count; i++)
        if (t->slots[i].tile > WARP_LANES &&
            (!most || slot_bytes(&t->slots[i], lanes) > slot_bytes(most, lanes)))
            most = &t->slots[i];
    return most;
}

bool team_room(Team *t, int warps, int lanes)
{
    enum {
        BYTES_MOST = 47 << 10, /* which leaves room in SHARED_BYTES for what is not counted */
        TILE_MOST = 128        /* iterations that a slot has for 32 threads */
    };
    int64_t bytes = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->loops[i].sum_count; k++)
            bytes += (int64_t)lanes * (int64_t)type_size(t->loops[i].sums[k].var->type) *
                     (t->loops[i].ordered || t->loops[i].along ? 1 : warps);
    for (int i = 0; i < t->slot_count; i++) {
        t->slots[i].tile = TILE_MOST * WARP_LANES / lanes;
        bytes += slot_bytes(&t->slots[i], lanes);
    }
    for (TeamSlot *slot = largest(t, lanes); bytes > BYTES_MOST && slot; slot = largest(t, lanes)) {
        bytes -= slot_bytes(slot, lanes);
        slot->tile /= 2;
        bytes += slot_bytes(slot, lanes);
    }
    return bytes <= BYTES_MOST;
}

/* ---- what a schedule asks for ---------------------------------------------------------------- */

/* Whether one of the loops that a warp makes goes along rows. */
static bool team_order_along(const Team *t)
{
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].ordered && t->loops[i].along)
            return true;
    return false;
}

/* Whether a block may have the work of fewer threads than a warp has lanes. */
static bool may_be_narrow(const Team *t)
{
    bool narrow = true;
    for (int i = 0; i < t->count; i++)
        narrow &= !t->loops[i].along && (t->loops[i].ordered || !t->loops[i].sum_count);
    return narrow;
}

const char *team_forbids_order(Team *t, const Directive *given)
{
    enum { LANES_LEAST = 4 }; /* as many float32 are half a sector */
    int64_t warps = given->warps, lanes = given->lanes;
    if (given->blocks || warps < 2 || warps > TEAM_ROWS ||
        (warps < TEAM_ROWS && team_order_along(t)))
        return "loops in order take 2 to 32 warps of a block, and 32 along rows";
    if (lanes && (lanes < LANES_LEAST || lanes > WARP_LANES || (lanes & (lanes - 1)) ||
                  (lanes < WARP_LANES && !may_be_narrow(t))))
        return "a block has 32 threads' work, or, if it adds nothing up in any order, 4, 8 or 16";
    return team_room(t, (int)warps, lanes ? (int)lanes : WARP_LANES)
               ? NULL
               : "what a loop needs in order has no room in shared memory";
}

/* ---- what pays ------------------------------------------------------------------------------- */

static bool all_ordered(const Team *t)
{
    for (int i = 0; i < t->count; i++)
        if (!t->loops[i].ordered)
            return false;
    return true;
}

/* Whether a value takes as long as many others: divisions, functions, float64. */
static void note_slow(void *context, IrValue *value)
{
    bool sum = value->op == OP_add || value->op == OP_sub || value->op == OP_mul;
    bool quotient = value->op == OP_div || value->op == OP_pow;
    bool function = value->op == OP_intrinsic && value->count > 0 && value->intrinsic != INTR_min &&
                    value->intrinsic != INTR_max;
    *(bool *)context |= type_is_float(value->type) &&
                        (quotient || function || (sum && type_size(value->type) == 8));
}

static bool is_slow(const Team *t, bool ordered)
{
    bool slow = false;
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].ordered == ordered)
            ir_each_node_in(&t->loops[i].loop->for_.body, note_slow, &slow);
    return slow;
}

static void note_store(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_STORE;
}

static bool shares_stores(const Team *t)
{
    bool stores = false;
    for (int i = 0; i < t->count; i++)
        if (!t->loops[i].ordered)
            ir_each_stmt(&t->loops[i].loop->for_.body, note_store, &stores);
    return stores;
}

bool team_order_alone(const Team *t)
{
    return t->along <= t->across && launch_large_grid(t->unit->launch, GRID_BELOW_1024);
}

int64_t team_order_lanes(const Team *t)
{
    static const struct {
        unsigned grid;
        int64_t lanes;
    } choices[] = { { GRID_TO_256, 4 }, { GRID_BELOW_1024, 8 }, { GRID_BELOW_8192, 16 } };
    if (t->along > t->across || !may_be_narrow(t))
        return 0;
    /* 4 float32 are half of the 32 bytes that memory takes at once: only where all is in order */
    for (size_t i = all_ordered(t) ? 0 : 1; i < ARRAY_COUNT(choices); i++)
        if (launch_large_grid(t->unit->launch, choices[i].grid))
            return choices[i].lanes;
    return 0;
}

/* Rows that several loops go along are few at a time, and so in caches when the next loop comes to
** them; but while one warp makes iterations of 32 rows the others only load: of rows that are only
** read that costs more than it saves. Few columns leave most of the GPU to a loop that is shared
** out, if there is more to do in it than to move them; fewer ones also to what loads for loops in
** order, if one warp makes their iterations as fast. So few threads that most of the GPU has none
** wait for memory less if others load for them. */
bool team_order_pays(const Team *t)
{
    IrLaunch *launch = t->unit->launch;
    if (team_order_alone(t))
        return true;
    if (t->along == t->across || !team_is_line(t, true))
        return false;
    if (t->along > t->across)
        return t->again && shares_stores(t) && launch_large_grid(launch, GRID_X_64);
    if (all_ordered(t))
        return !is_slow(t, true) && launch_large_grid(launch, GRID_BELOW_8192);
    return is_slow(t, false) && !launch_large_grid(launch, GRID_COARSENS_4);
}
