/* What the iterations of a loop store, so that any of a team may make them. See team.c.
**
** A thread's own array that iterations store to lies in shared memory then, one for each team: all
** that is done with it is done element by element, and nothing else stores to it.
**
** A store goes where no other iteration comes: the element lies at the counter along an axis. Or it
** is a tally (team_tally.c): all that the loop does with an array is to add to elements of it. */
#include "ir/schedule/stage/team.h"

bool team_at_counter(const Team *t, const IrValue *index, const IrVar *counter, int64_t *plus)
{
    const IrValue *rest = affine_split(&t->affine.sets, index, plus);
    return rest && ir_is_var(rest, counter) && *plus >= 0 && *plus <= TEAM_STEP &&
           index->type == type_int64;
}

bool team_is_own(const IrValue *array)
{
    return array->op == OP_var && array->var->kind == VAR_PRIVATE;
}

/* What a loop does with an array that it stores to. */
typedef struct ArrayUses {
    const Team *team;
    const IrVar *array, *counter;
    int axis;     /* along which it is at the counter */
    int64_t plus; /* and so much behind it */
    int direct, accesses;
} ArrayUses;

static bool is_at_place(const ArrayUses *c, const IrValue *array, IrValue *const *indices,
                        int count)
{
    int64_t plus;
    return ir_is_var(array, c->array) && c->axis < count &&
           team_at_counter(c->team, indices[c->axis], c->counter, &plus) && plus == c->plus;
}

static void count_use(void *context, IrValue *value)
{
    ArrayUses *c = context;
    c->accesses += ir_counts_access(value, c->array);
    if (value->op == OP_load)
        c->direct += is_at_place(c, value->operands[0], value->operands + 1, value->count - 1);
}

static void count_uses(void *context, IrStmt *stmt)
{
    ArrayUses *c = context;
    ir_each_own_node(stmt, count_use, c);
    if (stmt->kind == IR_STORE)
        c->direct += is_at_place(c, stmt->store.array, stmt->store.indices, stmt->store.count);
}

int team_accesses(const Team *t, const IrRegion *region, const IrVar *array)
{
    ArrayUses c = { .team = t, .array = array };
    ir_each_stmt((IrRegion *)region, count_uses, &c);
    return c.accesses;
}

/* Whether no two iterations of a loop come to one element of an array that a store is to. */
static bool is_apart(const Team *t, const IrStmt *loop, const IrStmt *store)
{
    const IrValue *array = store->store.array;
    ArrayUses c = { .team = t, .counter = loop->for_.var };
    if (!team_is_own(array) && (ir_array_param(array) < 0 || dense_axis(array->type) < 0))
        return false;
    c.array = array->var;
    while (c.axis < store->store.count &&
           !team_at_counter(t, store->store.indices[c.axis], c.counter, &c.plus))
        c.axis++;
    if (c.axis == store->store.count)
        return false;
    ir_each_stmt((IrRegion *)&loop->for_.body, count_uses, &c);
    return c.direct == c.accesses;
}

int team_own_effects(const IrStmt *stmt)
{
    IrRegion *regions[2];
    int effects = EFFECT_NONE;
    if (!ir_regions((IrStmt *)stmt, regions))
        return ir_stmt_effects(stmt);
    for_each_value (value, stmt)
        effects |= ir_value_effects(value);
    return effects;
}

typedef struct LoopCheck {
    const Team *team;
    TeamLoop *loop;
    bool fine;
} LoopCheck;

static void check_in_loop(void *context, IrStmt *stmt)
{
    LoopCheck *c = context;
    switch ((int)stmt->kind) {
    case IR_SET:
    case IR_IF:
    case IR_FOR:
    case IR_WHILE:
    case IR_BREAK:
    case IR_CONTINUE:
        c->fine &= !(team_own_effects(stmt) & EFFECT_ORDERED & ~EFFECT_WRITE);
        break;
    case IR_STORE:
        c->loop->owns |= team_is_own(stmt->store.array);
        c->fine &= (is_apart(c->team, c->loop->loop, stmt) &&
                    !(c->team->adds && team_is_own(stmt->store.array))) ||
                   team_take_tally(c->team, c->loop, stmt);
        break;
    default:
        c->fine &= team_take_tally(c->team, c->loop, stmt);
    }
}

bool team_stores(const Team *t, TeamLoop *loop)
{
    LoopCheck check = { t, loop, true };
    loop->tally_count = 0;
    loop->owns = false;
    ir_each_stmt(&loop->loop->for_.body, check_in_loop, &check);
    for (int i = 0; i < loop->tally_count; i++)
        check.fine &= team_tally_alone(t, loop, &loop->tallies[i]);
    return check.fine;
}

/* ---- own arrays ------------------------------------------------------------------------------ */

typedef struct OwnUses {
    const IrVar *array;
    int mentions, direct, stores;
} OwnUses;

static void note_own_use(void *context, IrValue *value)
{
    OwnUses *uses = context;
    uses->mentions += ir_is_var(value, uses->array);
    uses->direct += value->op == OP_load && ir_is_var(value->operands[0], uses->array);
}

static void note_own(void *context, IrStmt *stmt)
{
    OwnUses *uses = context;
    ir_each_own_node(stmt, note_own_use, uses);
    uses->stores += stmt->kind == IR_STORE && ir_is_var(stmt->store.array, uses->array);
}

static OwnUses own_uses(const IrRegion *region, const IrVar *array)
{
    OwnUses uses = { .array = array };
    ir_each_stmt((IrRegion *)region, note_own, &uses);
    return uses;
}

int team_stores_to(const IrRegion *region, const IrVar *array)
{
    return own_uses(region, array).stores;
}

/* How often loops that are shared out store to an array. */
static int shared_stores(const Team *t, const IrVar *array)
{
    int stores = 0;
    for (int i = 0; i < t->count; i++)
        stores += team_stores_to(&t->loops[i].loop->for_.body, array);
    return stores;
}

bool team_shares_own(const Team *t, const IrVar *array)
{
    return !t->adds && array->kind == VAR_PRIVATE && shared_stores(t, array);
}

const char *team_forbids_own(const Team *t)
{
    const IrFunc *fn = t->unit->kernel;
    int64_t bytes = 0;
    if (t->adds)
        return NULL; /* each of the team has its own */
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *array = fn->vars[i];
        if (!team_shares_own(t, array))
            continue;
        OwnUses all = own_uses(&fn->body, array);
        if (array->type->array.rank == RANK_MAX || shared_stores(t, array) != all.stores ||
            all.mentions != all.direct + all.stores)
            return "a thread's own array is not stored to by iterations alone";
        bytes += TEAM_TALLY_TEAMS * ir_array_bytes(array);
    }
    return bytes <= BROUGHT_BYTES ? NULL : "shared memory has no room for threads' own arrays";
}

typedef struct TeamStores {
    const Team *team;
    const TeamLoop *loop;
    bool again;
} TeamStores;

static void note_store(void *context, IrStmt *stmt)
{
    TeamStores *s = context;
    if (stmt->kind != IR_STORE)
        return;
    const IrVar *array = stmt->store.array->var;
    s->again |= !s->loop->outer || team_accesses(s->team, &s->team->unit->kernel->body, array) !=
                                       team_accesses(s->team, &s->loop->loop->for_.body, array);
}

bool team_stores_again(const Team *t, const TeamLoop *loop)
{
    TeamStores s = { t, loop, loop->tally_count > 0 || loop->owns };
    ir_each_stmt(&loop->loop->for_.body, note_store, &s);
    return s.again;
}

bool team_stays_apart(const Team *t)
{
    bool apart = !t->ordered && !t->meets;
    for (int i = 0; i < t->count; i++)
        apart &= !t->loops[i].sum_count;
    return apart && !launch_in_parts(t->unit->launch);
}

int64_t team_blocks_of_choice(const Team *t)
{
    IrLaunch *launch = t->unit->launch;
    if (!team_stays_apart(t))
        return 0;
    return launch_large_grid(launch, GRID_BELOW_1024)   ? TEAM_BLOCKS
           : launch_large_grid(launch, GRID_BELOW_8192) ? TEAM_BLOCKS / 8
                                                        : 0;
}
