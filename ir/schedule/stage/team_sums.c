/* What the iterations of a loop hand on: sums that may be taken apart, or nothing. See team.c.
**
** One branch of a loop may pick an iteration: `if a[i, k] > most: most = a[i, k]; where = k`. What
** several picked is put together by the same comparison, of equals by the iteration: the outcome is
** the loop's own, bit for bit, of floats, too, whatever is no number or a zero of either sign.
**
** A variable that a loop sets is the iteration's own where each iteration sets it before it reads
** it, and nothing reads it behind the loop before it is set anew. Any other has to be a sum: set by
** one and the same operation to itself and something in which it is not; and the loop's bounds are
** not made of it, as sums begin before these are asked for. */
#include "ir/schedule/stage/team.h"

/* ---- what becomes of what a variable holds ------------------------------------------------- */

typedef enum Fate { UNTOUCHED, SET_ANEW, READ } Fate;

static Fate fate_from(const IrStmt *first, const IrVar *var);

static Fate fate_of(const IrStmt *stmt, const IrVar *var)
{
    if (ir_own_mentions(stmt, var))
        return READ;
    if (stmt->kind == IR_SET)
        return stmt->set.var == var ? SET_ANEW : UNTOUCHED;
    if (stmt->kind == IR_IF) {
        Fate then = fate_from(stmt->if_.then.first, var);
        Fate otherwise = fate_from(stmt->if_.otherwise.first, var);
        if (then == READ || otherwise == READ)
            return READ;
        return then == otherwise ? then : UNTOUCHED;
    }
    /* a loop may make no iterations */
    if (stmt->kind == IR_FOR && stmt->for_.var != var)
        return fate_from(stmt->for_.body.first, var) == READ ? READ : UNTOUCHED;
    if (stmt->kind == IR_WHILE)
        return fate_from(stmt->while_.body.first, var) == READ ? READ : UNTOUCHED;
    return UNTOUCHED;
}

/* What a thread may pass by, having left the loop around or its iteration, it may not come to. */
static Fate fate_from(const IrStmt *first, const IrVar *var)
{
    bool certain = true;
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next) {
        Fate fate = fate_of(stmt, var);
        if (fate != UNTOUCHED)
            return fate == SET_ANEW && !certain ? UNTOUCHED : fate;
        certain &= !(flow_stmt_ways_out(stmt) & (OUT_LOOP | OUT_ITERATION));
    }
    return UNTOUCHED;
}

/* What becomes of it behind a loop that stands in a region; `*found` if it does. */
static Fate fate_behind(const IrRegion *region, const IrStmt *loop, const IrVar *var, bool *found)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        Fate fate = UNTOUCHED;
        *found = stmt == loop;
        for (int i = *found ? 0 : ir_regions(stmt, regions); i-- > 0 && !*found;)
            fate = fate_behind(regions[i], loop, var, found);
        if (!*found)
            continue;
        bool again = stmt != loop && ir_is_loop(stmt);
        if (fate == UNTOUCHED && again && fate_of(stmt, var) == READ)
            fate = READ;
        return fate == UNTOUCHED ? fate_from(stmt->next, var) : fate;
    }
    return UNTOUCHED;
}

bool team_reads_behind(const Team *t, const IrStmt *loop, const IrVar *var)
{
    bool found = false;
    return fate_behind(&t->unit->kernel->body, loop, var, &found) == READ;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool team_exchanges(const Type *type)
{
    return type_is_integer(type) || (type_is_float(type) && type_size(type) >= 4);
}

static bool is_any_order(const Team *t, const IrValue *value)
{
    const Type *type = value->type;
    bool number = type_is_float(type),
         loose = t->unit->kernel->options.reassociate || t->unit->kernel->options.fastmath;
    if (!team_exchanges(type))
        return false;
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        return !number || loose;
    case OP_and:
    case OP_or:
    case OP_xor:
        return true;
    default: /* C compilers may take 0.0 for more than -0.0 or not, GPUs do */
        return value->op == OP_intrinsic &&
               (value->intrinsic == INTR_min || value->intrinsic == INTR_max) &&
               (!number || loose || !t->unit->processor);
    }
}

/* Whether a value is the variable and something, by an operation of the sum's; of a difference the
** variable stands in front. */
static bool is_of_sum(const Team *t, const IrValue *value, TeamSum *sum)
{
    IrOp op = value->op == OP_sub ? OP_add : value->op;
    if (value->count != 2 || !is_any_order(t, value) || value->type != sum->var->type)
        return false;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    bool first = ir_is_var(a, sum->var), second = ir_is_var(b, sum->var);
    if (ir_mentions(value, sum->var) != 1 || !(first || (second && value->op != OP_sub)))
        return false;
    bool same = sum->op == op && (op != OP_intrinsic || sum->intrinsic == value->intrinsic);
    if (sum->op != OP_COUNT && !same)
        return false;
    sum->op = op;
    sum->intrinsic = value->intrinsic;
    return true;
}

typedef struct TeamSumUses {
    const Team *team;
    TeamSum sum;
    int mentions, sets;
    bool fine;
} TeamSumUses;

static void note_use(void *context, IrStmt *stmt)
{
    TeamSumUses *uses = context;
    uses->mentions += ir_own_mentions(stmt, uses->sum.var);
    if (ir_set_var(stmt) != uses->sum.var)
        return;
    uses->sets++;
    uses->fine &= stmt->kind == IR_SET && is_of_sum(uses->team, stmt->set.value, &uses->sum);
}

/* Whether all that a loop does with a variable is to add to it, in one way. */
static bool is_sum(const Team *t, const IrStmt *loop, IrVar *var, TeamSum *sum)
{
    TeamSumUses uses = { t, { .var = var, .op = OP_COUNT }, 0, 0, true };
    ir_each_stmt(&loop->for_.body, note_use, &uses);
    *sum = uses.sum;
    return uses.fine && uses.mentions == uses.sets && uses.sum.op != OP_COUNT;
}

static bool is_own(const Team *t, const IrSets *sets, const IrStmt *loop, const IrVar *var)
{
    bool inside = sets->count[var->id] == t->affine.sets.count[var->id];
    return (inside || fate_from(loop->for_.body.first, var) != READ) &&
           !team_reads_behind(t, loop, var);
}

/* ---- picks ----------------------------------------------------------------------------------- */

typedef struct VarMentions {
    const IrVar *var;
    int reads, sets;
} VarMentions;

static void count_mentions(void *context, IrStmt *stmt)
{
    VarMentions *m = context;
    m->reads += ir_own_mentions(stmt, m->var);
    m->sets += ir_set_var(stmt) == m->var;
}

/* Whether a loop reads a variable so often, and sets it once. */
static bool is_read(const IrStmt *loop, const IrVar *var, int reads)
{
    VarMentions m = { var, ir_own_mentions(loop, var), 0 };
    ir_each_stmt(&((IrStmt *)loop)->for_.body, count_mentions, &m);
    return m.reads == reads && m.sets == 1 && var->kind == VAR_LOCAL && team_exchanges(var->type);
}

/* Whether all that a branch does is to set variables, one of them to what it was compared with, and
** nothing else in the loop has to do with these. */
static bool is_pick(TeamLoop *loop, IrStmt *branch, IrVar *best, const IrValue *value)
{
    bool found = false;
    loop->pick_count = 2;
    for (const IrStmt *stmt = branch->if_.then.first; stmt; stmt = stmt->next) {
        IrVar *var = stmt->kind == IR_SET ? stmt->set.var : NULL;
        bool own = var == best;
        if (!var || !is_read(loop->loop, var, own) || loop->pick_count == TEAM_SUMS ||
            (own && !ir_same_value(stmt->set.value, value)))
            return false;
        if (!own)
            loop->sums[loop->pick_count++].var = var;
        found |= own;
    }
    loop->sums[0].var = loop->sums[1].var = best;
    return found && value->type == best->type;
}

static bool take_pick(TeamLoop *loop, IrStmt *branch, const IrValue *term)
{
    bool less = term->op == OP_lt || term->op == OP_le;
    if (!less && term->op != OP_gt && term->op != OP_ge)
        return false;
    for (int side = 0; side < 2; side++) {
        const IrValue *best = term->operands[side];
        if (best->op != OP_var || !is_pick(loop, branch, best->var, term->operands[!side]))
            continue;
        loop->pick = branch;
        loop->pick_better = less == (side == 1) ? OP_lt : OP_gt;
        loop->pick_last = term->op == OP_le || term->op == OP_ge;
        return true;
    }
    return false;
}

static void find_pick(const Team *t, TeamLoop *loop)
{
    for (IrStmt *stmt = loop->loop->for_.body.first; stmt; stmt = stmt->next) {
        Terms terms = { 0 };
        if (stmt->kind != IR_IF || stmt->if_.otherwise.first)
            continue;
        guard_terms(t->unit->arena, &terms, stmt->if_.condition, true);
        for (int i = 0; i < terms.count; i++)
            if (take_pick(loop, stmt, terms.list[i]))
                return;
    }
    loop->pick_count = 0;
}

static bool is_picked(const TeamLoop *loop, const IrVar *var)
{
    for (int i = 0; i < loop->pick_count; i++)
        if (loop->sums[i].var == var)
            return true;
    return false;
}

bool team_sums(const Team *t, TeamLoop *loop)
{
    const IrFunc *fn = t->unit->kernel;
    IrSets sets = ir_sets(t->unit->arena, fn, &loop->loop->for_.body);
    find_pick(t, loop);
    loop->sum_count = loop->pick_count;
    if (team_reads_behind(t, loop->loop, loop->loop->for_.var))
        return false;
    for (int i = 0; i < fn->var_count; i++) {
        TeamSum sum;
        if (!sets.count[fn->vars[i]->id] || is_picked(loop, fn->vars[i]) ||
            is_own(t, &sets, loop->loop, fn->vars[i]))
            continue;
        if (loop->sum_count == TEAM_SUMS || ir_own_mentions(loop->loop, fn->vars[i]) ||
            !is_sum(t, loop->loop, fn->vars[i], &sum))
            return false;
        loop->sums[loop->sum_count++] = sum;
    }
    return true;
}
