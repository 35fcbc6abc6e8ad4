/* Several iterations of a loop go through the loop inside of it together, and share what they read
** there:
**
**     for c in 0 to k by 1                   for _from in 0 to k - k % 4 by 4
**         d2 = 0.0                               c_0 = _from ... c_3 = add(_from, 3)
**         for d in 0 to m by 1                   d2_0 = 0.0 ... d2_3 = 0.0
**             x = load(p, i, d)                  for d_all in 0 to m by 1
**             y = load(q, c, d)          =>          x_0 = load(p, i, d_all)
**             d2 = d2 + x * y                        y_0 = load(q, c_0, d_all)
**         if d2 < least                              d2_0 = d2_0 + x_0 * y_0
**             least = d2                             x_1 = load(p, i, d_all) ...
**                                                if d2_0 < least: least = d2_0 ...
**                                            for c in what is left over: as it was
**
** of which the device's compiler makes one load of p. (Unroll-and-jam: Allen and Cocke, 1972.)
**
** Legal in loops that count upward by a number from one that is not negative, if nothing leaves an
** iteration early, or the kernel, and what comes before the end of the loop inside sets variables
** alone, which nothing sets or reads elsewhere but in the same iteration; if it reads neither what
** is set behind it nor elements that an iteration before may have stored; and if the loop inside
** has the same iterations whatever the one around counts, or ends where that one's counter lies.
** What stands behind it is done for one iteration after the other, as before, and so is what a loop
** inside has more of in later ones, which may read what the earlier ones store:
**
**     for i in 0 to n by 1                       for k_all in 0 to _from by 1
**         s = load(b, i, j)                          s_0 = s_0 - load(a, i_0, k_all) * ...
**         for k in 0 to i by 1               =>      s_1 = s_1 - load(a, i_1, k_all) * ...
**             s = s - load(a, i, k) *            store b[i_0, j] = s_0
**                     load(b, k, j)              s_1 = s_1 - load(a, i_1, _from) * s_0
**         store b[i, j] = s                      store b[i_1, j] = s_1 ...
**
** Pays if something that the loop inside reads from memory that threads share is another element
** for each thread, and the same for all iterations of the loop around, while something else differs
** between these. */
#include "ir/analysis/accesses.h"
#include "ir/analysis/affine.h"
#include "ir/analysis/flow/flow.h"
#include "ir/clone.h"
#include "ir/schedule/schedule.h"

enum {
    TOGETHER = 4,      /* iterations */
    LEAST_TRIPS = 8,   /* of a loop of which these are taken */
    TOGETHER_MOST = 8, /* of a schedule that is given */
    STEP_MOST = 1 << 16
};

typedef struct Jams {
    IrUnit *unit;
    Arena *arena;
    IrFunc *fn;
    IrSets sets;
    IrAffine affine;

    IrRegion *region; /* that the loop stands in */
    IrStmt *loop, *inner;
    IrSets inside;      /* of the loop, its counter too */
    int *own;           /* by IrVar.id: sets in front of and in the loop inside */
    int *read, *within; /* by IrVar.id: reads in the kernel, and in the loop's body */
    Refusal refusal;
    int shared, apart;  /* loads in the loop inside */
    bool slanted;       /* the loop inside ends at the counter of the one around, */
    int64_t beyond;     /* and so many iterations behind it */
    Accesses *accesses; /* of the loop, if some load may read what it stores; NULL: not yet known */
} Jams;

/* ---- what is set and read -------------------------------------------------------------------- */

static void count_read(void *context, IrValue *value)
{
    if (value->op == OP_var)
        ((int *)context)[value->var->id]++;
}

/* Notes what is set in front of the loop inside, and in it. */
static void note_sets(Jams *j, const IrStmt *first)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_SET)
            j->own[stmt->set.var->id]++;
        else if (stmt->kind == IR_FOR)
            note_sets(j, stmt->for_.body.first);
        if (stmt == j->inner)
            return;
    }
}

static bool is_own(const Jams *j, const IrVar *var)
{
    return var == j->loop->for_.var || j->own[var->id] > 0;
}

/* Nothing else sets or reads what iterations get one of each. */
static void check_own(Jams *j, const IrVar *var)
{
    if (j->sets.count[var->id] != j->own[var->id] || j->read[var->id] != j->within[var->id])
        refuse_for(&j->refusal, j->loop->span,
                   "a variable that each iteration has is set or read elsewhere");
}

static bool is_counter(const Jams *j, const IrVar *var)
{
    const IrStmt *loop = sets_loop(&j->sets, var);
    return loop && loop != j->loop;
}

static bool is_steady(const Jams *j, const IrValue *array)
{
    return array->op == OP_var && ir_only_read(j->unit, array->var);
}

/* Whether a load reads nothing that an iteration before has stored, wherever that stands. */
static bool passes_stores(Jams *j, const IrValue *load)
{
    if (!j->accesses) {
        IrPointsTo *points_to = arena_array(j->arena, IrPointsTo, 1);
        *points_to = ir_points_to(j->arena, j->fn);
        j->accesses = arena_array(j->arena, Accesses, 1);
        *j->accesses = accesses_of(j->unit, points_to, j->loop);
    }
    const Accesses *all = j->accesses;
    const Access *own = NULL;
    for (int i = 0; i < all->count && !own; i++)
        own = all->list[i].load == load ? &all->list[i] : NULL;
    bool passes = own && !own->hinted && !all->why;
    for (int i = 0; i < all->count && passes; i++)
        passes = !all->list[i].written || loads_before(all, &j->sets, &all->list[i], own,
                                                       j->slanted ? j->inner : NULL, j->beyond);
    return passes;
}

static void check_node(void *context, IrValue *value)
{
    Jams *j = context;
    if (value->op == OP_var && !is_own(j, value->var) && !is_counter(j, value->var) &&
        sets_any(&j->inside, value->var))
        refuse_for(&j->refusal, value->span, "it is set behind the loop inside");
    if (value->op == OP_load && !is_steady(j, value->operands[0]) && !passes_stores(j, value))
        refuse_for(&j->refusal, value->span, "it may be written meanwhile");
    if (value->op == OP_call && value->callee->effects & EFFECT_READ)
        refuse_for(&j->refusal, value->span, "it may read what is written meanwhile");
}

/* Whether a loop inside has the same iterations for all, and nothing else reads its counter. */
static bool is_same_for_all(const Jams *j, const IrStmt *loop)
{
    return !loop->for_.unroll && !loop->for_.sum_count && ir_is_constant(loop->for_.step) &&
           sets_loop(&j->sets, loop->for_.var) == loop &&
           j->read[loop->for_.var->id] == j->within[loop->for_.var->id] &&
           sets_invariant(&j->inside, loop->for_.start, NULL) &&
           ((loop == j->inner && j->slanted) || sets_invariant(&j->inside, loop->for_.stop, NULL));
}

/* Whether the loop inside ends at the counter of the one around and `*beyond`, and begins before
** that whatever it counts. */
static bool is_slanted(const Jams *j, int64_t *beyond)
{
    enum { BEYOND_MOST = 1 << 20 }; /* iterations: sums with a counter do not wrap */
    const IrValue *start = j->inner->for_.start, *from = j->loop->for_.start;
    const IrValue *rest = affine_split(&j->sets, j->inner->for_.stop, beyond);
    int64_t least = ir_is_constant(from) ? from->constant.integer : 0;
    for (const IrStmt *stmt = j->inner->for_.body.first; stmt; stmt = stmt->next)
        if (stmt->kind != IR_SET)
            return false; /* a copy of a loop would count in the same variable */
    return rest && ir_is_var(rest, j->loop->for_.var) && ir_is_integer(j->inner->for_.step, 1) &&
           *beyond >= -BEYOND_MOST && *beyond <= BEYOND_MOST && ir_is_constant(start) &&
           start->constant.integer >= 0 && start->constant.integer <= least + *beyond;
}

/* Checks the statements from `first` to the loop inside, and those of that. */
static void check_stmts(Jams *j, const IrStmt *first)
{
    for (const IrStmt *stmt = first; stmt && !j->refusal.why; stmt = stmt->next) {
        if ((stmt->kind != IR_SET && stmt->kind != IR_FOR) || ir_stmt_effects(stmt) & ~EFFECT_READ)
            refuse_for(&j->refusal, stmt->span, "more than sets of variables comes before its end");
        else if (stmt->kind == IR_SET)
            check_own(j, stmt->set.var);
        else if (!is_same_for_all(j, stmt))
            refuse_for(&j->refusal, stmt->span,
                       "its iterations may differ, or its counter is read elsewhere");
        else
            check_stmts(j, stmt->for_.body.first);
        ir_each_own_node(stmt, check_node, j);
        if (stmt == j->inner)
            return;
    }
}

/* ---- whether it pays ------------------------------------------------------------------------- */

typedef struct OwnMentions {
    const Jams *jams;
    bool any;
} OwnMentions;

static void note_own(void *context, IrValue *value)
{
    OwnMentions *m = context;
    m->any |= value->op == OP_var && is_own(m->jams, value->var);
}

static void count_load(void *context, IrValue *value)
{
    Jams *j = context;
    OwnMentions mentions = { j, false };
    bool varies = false;
    if (value->op != OP_load ||
        (value->operands[0]->op == OP_var && value->operands[0]->var->kind == VAR_PRIVATE))
        return; /* elements of the thread's own may stay in registers */
    for (int i = 1; i < value->count; i++) {
        ir_each_node(value->operands[i], note_own, &mentions);
        for (int axis = 0; axis < 3; axis++)
            varies |= affine_varies(&j->affine, value->operands[i], axis);
    }
    j->apart += mentions.any;
    j->shared += varies && !mentions.any;
}

/* Whether loads are shared that are worth it. */
static bool pays(Jams *j)
{
    int64_t trips = ir_trip_count(j->loop);
    j->affine = ir_affine(j->unit, j->region); /* of threads that all come to the loop */
    j->shared = j->apart = 0;
    ir_each_node_in(&j->inner->for_.body, count_load, j);
    return j->shared && j->apart && (trips < 0 || trips >= LEAST_TRIPS);
}

/* ---- which ----------------------------------------------------------------------------------- */

/* The first loop in the body of one, behind sets alone. */
static IrStmt *loop_inside(const IrStmt *loop)
{
    IrStmt *stmt = loop->for_.body.first;
    while (stmt && stmt->kind == IR_SET)
        stmt = stmt->next;
    return stmt && stmt->kind == IR_FOR ? stmt : NULL;
}

static bool counts(const Jams *j, const IrStmt *loop)
{
    const IrValue *step = loop->for_.step;
    return loop->for_.var->type == type_int64 && !loop->for_.sum_count && !loop->for_.unroll &&
           ir_is_constant(step) && step->constant.integer > 0 &&
           step->constant.integer <= STEP_MOST && ir_nonnegative(loop->for_.start) &&
           sets_loop(&j->sets, loop->for_.var) == loop && !flow_ways_out(&loop->for_.body);
}

/* Takes a loop into view; false if it is none that has another one inside. */
static bool look_at(Jams *j, IrRegion *region, IrStmt *loop)
{
    int count = j->fn->var_count + 1;
    j->region = region;
    j->loop = loop;
    j->inner = loop_inside(loop);
    j->refusal = (Refusal){ 0 };
    if (!j->inner || !counts(j, loop))
        return false;
    j->own = arena_array(j->arena, int, count);
    j->within = arena_array(j->arena, int, count);
    j->inside = ir_sets_of_loop(j->arena, j->fn, loop);
    note_sets(j, loop->for_.body.first);
    ir_each_node_in(&loop->for_.body, count_read, j->within);
    j->accesses = NULL;
    j->slanted = is_slanted(j, &j->beyond);
    return true;
}

static void check(Jams *j)
{
    if (ir_region_effects(&j->loop->for_.body) & EFFECT_BEYOND_MEMORY)
        refuse_for(&j->refusal, j->loop->span, "threads wait for one another in it");
    if (j->read[j->loop->for_.var->id] != j->within[j->loop->for_.var->id])
        refuse_for(&j->refusal, j->loop->span, "its counter is read elsewhere");
    check_stmts(j, j->loop->for_.body.first);
}

/* ---- what becomes of it ---------------------------------------------------------------------- */

typedef struct JamBuild {
    Jams *jams;
    int count;
    int64_t step;    /* from one iteration to the next */
    IrClone *clones; /* one for each iteration */
} JamBuild;

/* One of each of their own variables for each iteration. */
static JamBuild begin_build(Jams *j, int count)
{
    int vars = j->fn->var_count;
    JamBuild m = { j, count, j->loop->for_.step->constant.integer,
                   arena_array(j->arena, IrClone, count) };
    for (int k = 0; k < count; k++) {
        m.clones[k] =
            (IrClone){ .arena = j->arena, .vars = arena_array(j->arena, IrVar *, vars + 1) };
        for (int i = 0; i < vars; i++)
            if (is_own(j, j->fn->vars[i]))
                m.clones[k].vars[i] =
                    ir_var_like(j->arena, j->fn, j->fn->vars[i],
                                arena_printf(j->arena, "%s_%d", j->fn->vars[i]->name, k));
    }
    return m;
}

static void copy_all(const JamBuild *m, const IrStmt *stmt, IrRegion *out)
{
    for (int k = 0; k < m->count; k++)
        ir_append(out, ir_clone_stmt(&m->clones[k], stmt));
}

static void jam(const JamBuild *m, const IrStmt *first, const IrStmt *last, IrRegion *out);

/* A loop inside, once for all, with a counter of its own, whose name tells schedules this loop from
** the one that is left over. */
static void jam_loop(const JamBuild *m, const IrStmt *loop, IrRegion *out)
{
    const IrClone *clone = &m->clones[0];
    const char *name = arena_printf(m->jams->arena, "%s_all", loop->for_.var->name);
    IrVar *counter = ir_var_like(m->jams->arena, m->jams->fn, loop->for_.var, name);
    for (int k = 0; k < m->count; k++)
        m->clones[k].vars[loop->for_.var->id] = counter;
    IrStmt *made = ir_for(m->jams->arena, counter, ir_clone_value(clone, loop->for_.start),
                          ir_clone_value(clone, loop->for_.stop),
                          ir_clone_value(clone, loop->for_.step), loop->span);
    made->for_.bounded = loop->for_.bounded;
    jam(m, loop->for_.body.first, NULL, &made->for_.body);
    ir_append(out, made);
}

static void jam(const JamBuild *m, const IrStmt *first, const IrStmt *last, IrRegion *out)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt == last ? NULL : stmt->next) {
        if (stmt->kind == IR_FOR)
            jam_loop(m, stmt, out);
        else
            copy_all(m, stmt, out);
    }
}

static IrValue *plus(const Jams *j, IrValue *value, int64_t number)
{
    IrValue *part = ir_integer(j->arena, type_int64, number, value->span);
    return number ? ir_binary(j->arena, OP_add, value, part, value->span) : value;
}

/* A variable that is never negative. */
static IrVar *let(const Jams *j, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *var = ir_counter(j->arena, j->fn, name, value->span);
    ir_append(out, ir_set(j->arena, var, value, value->span));
    return var;
}

/* What comes behind a loop inside that is longer each time: what is known there is loaded before
** it, and what is stored stays in registers, so that nothing is waited for in between. */
typedef struct Behind {
    const JamBuild *m;
    const IrStmt *stmt;  /* that is copied, */
    IrClone clone;       /* as the text has it */
    int64_t at;          /* the counter inside, from `_from` on; -1: outside of that loop */
    const IrStmt *store; /* the only one of the loop around, at its depth; NULL */
    IrVar **stored;      /* by iteration */
    IrRegion *early;
} Behind;

typedef struct EarlyIndex {
    const Jams *jams;
    bool fine;
} EarlyIndex;

static void check_early(void *context, IrValue *value)
{
    EarlyIndex *e = context;
    if (value->op == OP_var)
        e->fine &= value->var == e->jams->loop->for_.var ||
                   value->var == e->jams->inner->for_.var ||
                   !sets_any(&e->jams->inside, value->var);
    else
        e->fine &= value->op != OP_load && value->op != OP_call && value->op != OP_intrinsic;
}

/* Whether a load finds the same before the loop inside. */
static bool is_early(const Behind *b, const IrValue *load)
{
    EarlyIndex e = { b->m->jams, is_steady(b->m->jams, load->operands[0]) && load->index == 0 &&
                                     flow_evaluates(b->stmt, load) };
    for (int i = 1; i < load->count && e.fine; i++)
        ir_each_node(load->operands[i], check_early, &e);
    return e.fine;
}

/* What an iteration before has stored to the element that a load is of. */
static IrVar *stored_to(const Behind *b, const IrValue *load)
{
    const Jams *j = b->m->jams;
    int64_t which = -1;
    if (b->at < 0 || !b->store || load->count - 1 != b->store->store.count ||
        !ir_same_value(load->operands[0], b->store->store.array))
        return NULL;
    for (int i = 0; i < b->store->store.count; i++) {
        const IrValue *at = b->store->store.indices[i], *from = load->operands[i + 1];
        int64_t stores, loads;
        const IrValue *rest = affine_split(&j->sets, from, &loads);
        if (ir_same_value(at, from) && sets_invariant(&j->inside, at, NULL))
            continue;
        const IrValue *own = affine_split(&j->sets, at, &stores);
        if (which >= 0 || !rest || !own || !ir_is_var(rest, j->inner->for_.var) ||
            !ir_is_var(own, j->loop->for_.var) || (b->at + loads - stores) % b->m->step)
            return NULL;
        which = (b->at + loads - stores) / b->m->step;
    }
    return which >= 0 && which < b->m->count ? b->stored[which] : NULL;
}

static IrValue *value_behind(const IrClone *clone, const IrValue *value)
{
    const Behind *b = clone->context;
    const Jams *j = b->m->jams;
    IrVar *var = value->op == OP_load ? stored_to(b, value) : NULL;
    if (value->op != OP_load || (!var && !is_early(b, value)))
        return NULL;
    if (!var) {
        var = ir_var_new(j->arena, j->fn, "_ahead", value->type, VAR_LOCAL, value->span);
        var->temporary = true;
        ir_append(b->early, ir_set(j->arena, var, ir_clone_value(&b->clone, value), value->span));
    }
    return ir_var(j->arena, var, value->span);
}

static void copy_behind(Behind *b, const IrStmt *stmt, IrRegion *out)
{
    IrClone clone = b->clone;
    clone.value = value_behind;
    clone.context = b;
    b->stmt = stmt;
    ir_append(out, ir_clone_stmt(&clone, stmt));
}

/* What the loop inside has more of in an iteration than in the first of those that go together. */
static void append_more(Behind *b, int which, IrVar *from, IrRegion *out)
{
    const Jams *j = b->m->jams;
    const IrStmt *loop = j->inner;
    for (int64_t k = 0; k < which * b->m->step; k++) {
        IrVar *counter = ir_var_like(j->arena, j->fn, loop->for_.var, loop->for_.var->name);
        IrValue *at = plus(j, ir_var(j->arena, from, loop->span), j->beyond + k);
        ir_append(b->early, ir_set(j->arena, counter, at, loop->span));
        b->clone.vars[loop->for_.var->id] = counter;
        b->at = j->beyond + k;
        for (const IrStmt *stmt = loop->for_.body.first; stmt; stmt = stmt->next)
            copy_behind(b, stmt, out);
    }
    b->at = -1;
}

/* The store that is all that the loop writes, or NULL. */
static const IrStmt *only_store(const Jams *j)
{
    const IrStmt *found = NULL;
    for (int i = 0; j->accesses && i < j->accesses->count; i++) {
        const Access *access = &j->accesses->list[i];
        if (access->written && (found || access->kind != ACCESS_STORE))
            return NULL;
        found = access->written ? access->stmt : found;
    }
    for (const IrStmt *stmt = j->inner->next; stmt; stmt = stmt->next)
        if (stmt == found && stmt->store.value->type == stmt->store.array->type->array.element)
            return found;
    return NULL;
}

static void append_behind(Behind *b, int which, IrVar *from, IrRegion *out)
{
    const Jams *j = b->m->jams;
    b->clone = b->m->clones[which];
    append_more(b, which, from, out);
    for (const IrStmt *stmt = j->inner->next; stmt; stmt = stmt->next) {
        copy_behind(b, stmt, out);
        IrStmt *store = out->last;
        if (stmt != b->store)
            continue;
        IrVar *var =
            ir_var_new(j->arena, j->fn, "_stored", store->store.value->type, VAR_LOCAL, stmt->span);
        var->temporary = true;
        ir_insert_before(out, store, ir_set(j->arena, var, store->store.value, stmt->span));
        store->store.value = ir_var(j->arena, var, stmt->span);
        b->stored[which] = var;
    }
}

static IrStmt *loop_of_many(const JamBuild *m, IrVar *rest)
{
    const Jams *j = m->jams;
    const Span span = j->loop->span;
    IrVar *from = ir_counter(j->arena, j->fn, "_from", span);
    IrStmt *many = ir_for(j->arena, from, j->loop->for_.start, ir_var(j->arena, rest, span),
                          ir_integer(j->arena, type_int64, m->count * m->step, span), span);
    many->for_.bounded = true;
    IrRegion *body = &many->for_.body, together = { NULL, NULL }, behind = { NULL, NULL };
    Behind b = { .m = m,
                 .at = -1,
                 .store = j->slanted ? only_store(j) : NULL,
                 .stored = arena_array(j->arena, IrVar *, m->count),
                 .early = body };
    for (int k = 0; k < m->count; k++)
        ir_append(body, ir_set(j->arena, m->clones[k].vars[j->loop->for_.var->id],
                               plus(j, ir_var(j->arena, from, span), k * m->step), span));
    jam(m, j->loop->for_.body.first, j->inner, &together);
    for (int k = 0; k < m->count; k++) {
        if (j->slanted)
            append_behind(&b, k, from, &behind);
        for (const IrStmt *stmt = j->inner->next; stmt && !j->slanted; stmt = stmt->next)
            ir_append(&behind, ir_clone_stmt(&m->clones[k], stmt));
    }
    ir_append_region(body, together);
    ir_append_region(body, behind);
    return many;
}

/* Where the iterations begin that are left over. */
static IrValue *rest_of(const Jams *j, IrVar *stop, int64_t together)
{
    Arena *arena = j->arena;
    Span span = j->loop->span;
    IrValue *start = ir_clone_value(&(IrClone){ .arena = arena }, j->loop->for_.start);
    IrValue *all = ir_var(arena, stop, span);
    if (!ir_is_integer(start, 0))
        all = ir_binary(arena, OP_sub, all, start, span);
    IrValue *left =
        ir_binary(arena, OP_mod, all, ir_integer(arena, type_int64, together, span), span);
    return ir_binary(arena, OP_sub, ir_var(arena, stop, span), left, span);
}

static void make(Jams *j, int count)
{
    IrStmt *loop = j->loop;
    IrRegion out = { NULL, NULL };
    JamBuild m = begin_build(j, count);
    IrValue *start = ir_clone_value(&(IrClone){ .arena = j->arena }, loop->for_.start);
    IrValue *end = loop->for_.stop;
    if (!ir_is_integer(start, 0) || !ir_nonnegative(end))
        end = ir_max(j->arena, end, start, loop->span);
    IrVar *stop = let(j, "_stop", end, &out);
    IrVar *rest = let(j, "_rest", rest_of(j, stop, count * m.step), &out);
    ir_append(&out, loop_of_many(&m, rest));
    loop->for_.start = ir_var(j->arena, rest, loop->span);
    loop->for_.stop = ir_var(j->arena, stop, loop->span);
    ir_insert_region(j->region, loop, out);
    ir_remark(j->unit, loop->span, "%d of its iterations share what the loop inside reads", count);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool try_loop(Jams *j, IrRegion *region, IrStmt *loop)
{
    if (!look_at(j, region, loop))
        return false;
    Directive own = { DO_JAM_LOOP, .loop = schedule_loop(loop), .site = loop, .span = loop->span,
                      .number = TOGETHER };
    bool worth = pays(j);
    if (!worth && !schedule_is_given(j->unit))
        return false;
    IrLaunch before = *j->unit->launch;
    check(j);
    if (j->refusal.why) {
        *j->unit->launch = before;
        schedule_refuse(j->unit, own, j->refusal.where, j->refusal.why);
        return false;
    }
    Directive *directive = schedule_take(j->unit, own, worth);
    if (directive && directive->number > TOGETHER_MOST) {
        schedule_refuse(j->unit, own, loop->span, "at most 8 iterations go together");
        return false;
    }
    if (!directive)
        return false;
    make(j, (int)directive->number);
    schedule_done(directive);
    return true;
}

static void look_for_loops(Jams *j, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_FOR && try_loop(j, region, stmt))
            continue;
        for_each_region (inner, stmt)
            look_for_loops(j, (IrRegion *)inner);
    }
}

void ir_jam(IrUnit *unit)
{
    Jams j = { .unit = unit, .arena = unit->arena, .fn = unit->kernel };
    if (!ir_has_loop(&unit->kernel->body))
        return;
    ir_effects(unit);
    j.sets = ir_sets(unit->arena, unit->kernel, &unit->kernel->body);
    j.read = arena_array(unit->arena, int, unit->kernel->var_count + 1);
    ir_each_node_in(&unit->kernel->body, count_read, j.read);
    look_for_loops(&j, &unit->kernel->body);
}
