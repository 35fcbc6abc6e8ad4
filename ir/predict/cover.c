/* Which array parameters a kernel overwrites whole, whatever they held, so that they need not be
** brought their old contents to where it runs; and what bounds the grid (cover_limit.c) and the
** block (cover_block.c), noted on the same walk.
**
** A parameter is claimed if, under needs that a launch meets or does not (cover.h), every element
** of it is surely stored, and no thread loads an element that it has not stored itself before:
** then what the array held before the launch cannot show in what it holds after, nor anywhere else.
**
** Each thread's way through the kernel is followed once, in the order of the text, device functions
** in place of their calls, with what is known of the variables: integers as sums of facts, bools
** as guards, arrays as the parameters that they are or are parts of, tuples as all of these.
** A variable that is set under a condition or in a loop is not known after it, or in it. The
** exceptions are a loop's counter, and a variable to which a while loop adds the same in each
** iteration. A region gives a list of the stores that happen whenever it is entered and their
** guards hold. Two arms of a branch that store the same element make a store without a guard; a
** branch that ends the thread, or the iteration, makes guards for what comes behind it. Where that
** cannot be put as guards - a loop that may be left early, a callee that may end the thread - what
** comes behind does not count.
**
** Not claimed: parameters that atomics access, or that a callee reads that stays one; records, of
** which a store may write a part; anything under debug, where a fault ends threads anywhere. */
#include "ir/analysis/flow/flow.h"
#include "ir/optimise.h"
#include "ir/predict/cover_parts.h"

enum {
    FEW_STORED = 64, /* more are not worth the time */
    FEW_COUNTERS = 4,
    FEW_ACCESSES = 96
};

typedef struct Cover {
    Knowledge know;
    const IrFunc *fn;
    Write stored[FEW_STORED]; /* by this thread on every way that leads here */
    int stored_count;
    bool *read;              /* by parameter: elements that may be old are loaded */
    int *stores;             /* by parameter: how many elements, and calls, may be stored in it */
    const Write **stored_at; /* by parameter: the first of these elements */
    int loops;               /* so many were entered */
    Guards path;             /* what holds where the walk is */
    bool sure;               /* and no other branch leads there */
    CoverAccess *accesses, *last_access;
    int access_count;
} Cover;

static const Guards always = { true, NULL }, unknown = { false, NULL };

/* ---- variables ------------------------------------------------------------------------------- */

static void visit_set(Cover *c, const IrStmt *stmt)
{
    const IrValue *value = stmt->set.value;
    bool same = type_is_array(value->type) || stmt->set.var->type == value->type;
    known_set(&c->know, stmt->set.var, same ? known_value(&c->know, value) : (VarValue){ 0 });
}

/* ---- loads ----------------------------------------------------------------------------------- */

static const IrSum **find_sums(const Cover *c, IrValue *const *indices, int count)
{
    const IrSum **sums = arena_array(c->know.arena, const IrSum *, count + 1);
    for (int i = 0; i < count; i++)
        sums[i] = known_sum(&c->know, indices[i]);
    return sums;
}

/* The element of a parameter that an array and indices name; false if that is not known. */
static bool find_element(const Cover *c, const IrValue *array, IrValue *const *indices, int count,
                         Write *element)
{
    const ArrayView *view = known_array(&c->know, array);
    if (!view || count != view->rank)
        return false;
    const IrSum **index = view_element(c->know.arena, view, find_sums(c, indices, count));
    *element = (Write){ .param = view->param->param,
                        .rank = view->param->type->array.rank,
                        .index = index };
    for (int i = 0; i < element->rank; i++) {
        if (!index[i])
            return write_flatten(&c->know, view, indices, element);
    }
    return true;
}

/* Whether it is that element, whatever wraps. */
static bool is_proven(const Write *element)
{
    for (int i = 0; i < element->rank; i++) {
        if (element->index[i]->loose)
            return false;
    }
    return true;
}

static bool is_stored(const Cover *c, const Write *element)
{
    for (int i = 0; i < c->stored_count; i++) {
        if (write_same_element(&c->stored[i], element))
            return true;
    }
    return false;
}

/* Memory of the block, the thread or the module: no parameter's. */
static bool is_own_array(const IrValue *array)
{
    while (array->op == OP_view || array->op == OP_field || array->op == OP_recast ||
           array->op == OP_transpose)
        array = array->operands[0];
    return array->op == OP_var && array->var->kind != VAR_LOCAL && array->var->kind != VAR_PARAM;
}

/* Something stores in an array, or in what an argument holds; `element` may be NULL. */
static void note_store(Cover *c, const IrValue *array, const Write *element)
{
    const ArrayView *view = known_array(&c->know, array);
    if (is_own_array(array))
        return;
    if (element && c->stored_at[element->param] &&
        write_same_element(element, c->stored_at[element->param]))
        return;
    if (element && !c->stored_at[element->param]) {
        Write *copy = arena_new(c->know.arena, Write);
        *copy = *element;
        c->stored_at[element->param] = copy;
    }
    for (int i = 0; i < c->fn->param_count; i++)
        c->stores[i] += !view || view->param->param == i;
}

/* Notes how far the grid goes for an access, whose `element` is NULL if it is not known. */
static void note_limit(const Cover *c, const Write *element, bool is_store)
{
    cover_limit(c->know.arena, element, c->path.list, is_store && c->path.known, c->fn->covers);
}

/* Something reads an array, or what an argument holds. */
static void note_read(Cover *c, const IrValue *array)
{
    const ArrayView *view = known_array(&c->know, array);
    if (is_own_array(array))
        return;
    for (int i = 0; i < c->fn->param_count; i++)
        c->read[i] |= !view || view->param->param == i;
}

/* Notes an access for what it demands of the block, by its line in the kernel's file. */
static void note_access(Cover *c, const IrValue *array, IrValue *const *indices, int count,
                        const CoverAccess *how)
{
    bool shared = array->op == OP_var && array->var->kind == VAR_SHARED;
    const ArrayView *view = shared ? NULL : known_array(&c->know, array);
    if (!(shared ? count == array->type->array.rank : view && count == view->rank) ||
        c->access_count == FEW_ACCESSES || how->span.source != c->fn->span.source)
        return;
    const IrSum **index = find_sums(c, indices, count);
    if (view)
        index = view_element(c->know.arena, view, index);
    CoverAccess *access = arena_new(c->know.arena, CoverAccess);
    *access = *how;
    access->array = view ? view->param : array->var;
    access->rank = access->array->type->array.rank;
    access->index = index;
    for (int i = 0; i < access->rank; i++)
        index[i] = index[i] && index[i]->loose ? NULL : index[i];
    access->guards = c->path.list;
    access->sure = c->sure;
    *(c->last_access ? &c->last_access->next : &c->accesses) = access;
    c->last_access = access;
    c->access_count++;
}

static void note_atomic(Cover *c, const IrValue *value)
{
    const CoverAccess how = { .stores = true, .atomic = true, .span = value->span };
    const Type *array = value->operands[0]->type;
    note_limit(c, NULL, false);
    if (array->kind == TY_ARRAY && array->array.rank < value->count)
        note_access(c, value->operands[0], &value->operands[1], array->array.rank, &how);
}

static void visit_node(Cover *c, IrValue *value)
{
    Write element;
    if (value->op == OP_load) {
        bool found =
            find_element(c, value->operands[0], &value->operands[1], value->count - 1, &element);
        if (!found || !is_proven(&element) || !is_stored(c, &element))
            note_read(c, value->operands[0]);
        if (!is_own_array(value->operands[0]))
            note_limit(c, found ? &element : NULL, false);
        note_access(c, value->operands[0], &value->operands[1], value->count - 1,
                    &(CoverAccess){ .span = value->span });
    } else if (value->op == OP_intrinsic &&
               ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC) {
        note_atomic(c, value);
    } else if (value->op == OP_call) {
        for (int i = 0; i < value->count; i++) {
            int access = value->callee->access ? value->callee->access[i] : ~0;
            if (access & ACCESS_READ)
                note_read(c, value->operands[i]);
            if (access & (ACCESS_WRITE | ACCESS_ATOMIC))
                note_store(c, value->operands[i], NULL);
        }
        note_limit(c, NULL, false);
    }
}

static void visit_value(Cover *c, IrValue *value);

/* An operand that is evaluated where the first one is `truth`. */
static void visit_choice(Cover *c, const IrValue *value, int which, bool truth)
{
    const Guards path = c->path, guards = known_guards(&c->know, value->operands[0], truth);
    const bool sure = c->sure;
    c->path = guards_join(c->know.arena, path, guards);
    c->sure = sure && guards.known;
    visit_value(c, value->operands[which]);
    c->path = path;
    c->sure = sure;
}

/* A value's loads and calls, each under what decides that it is evaluated. */
static void visit_value(Cover *c, IrValue *value)
{
    bool short_circuit = value->op == OP_and_then || value->op == OP_or_else;
    bool choice = short_circuit || value->op == OP_select;
    for (int i = 0; i < (choice ? 1 : value->count); i++)
        visit_value(c, value->operands[i]);
    if (short_circuit)
        visit_choice(c, value, 1, value->op == OP_and_then);
    for (int i = 1; i < value->count && value->op == OP_select; i++)
        visit_choice(c, value, i, i == 1);
    visit_node(c, value);
}

/* ---- stores ---------------------------------------------------------------------------------- */

static void visit_store(Cover *c, const IrStmt *stmt, Writes *writes)
{
    Write element;
    bool found =
        find_element(c, stmt->store.array, stmt->store.indices, stmt->store.count, &element);
    bool proven = found && is_proven(&element);
    note_store(c, stmt->store.array, proven ? &element : NULL);
    if (!is_own_array(stmt->store.array))
        note_limit(c, found ? &element : NULL, true);
    note_access(c, stmt->store.array, stmt->store.indices, stmt->store.count,
                &(CoverAccess){ .stores = true, .span = stmt->span });
    if (!proven)
        return;
    if (c->stored_count < FEW_STORED && c->fn->access[element.param] & ACCESS_READ)
        c->stored[c->stored_count++] = element;
    writes_add(c->know.arena, writes, &element, always);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A place in a region behind which a thread may not come. */
typedef struct Cut {
    Guards pass;    /* it comes there if these hold */
    Writes instead; /* and if it does not, these were stored */
    Writes before;  /* what was stored either way */
} Cut;

static Writes walk(Cover *c, const IrRegion *region);

/* A region that is entered where `guards` hold. */
static Writes walk_under(Cover *c, const IrRegion *region, Guards guards)
{
    Guards path = c->path;
    c->path = guards_join(c->know.arena, path, guards);
    Writes writes = walk(c, region);
    c->path = path;
    return writes;
}

/* A variable to which each iteration adds the same. */
typedef struct Counter {
    const IrVar *var;
    const IrSum *start;
    const IrValue *step;
} Counter;

/* The counters of a loop whose iterations are all whole. */
static int find_counters(const Cover *c, const IrRegion *body, Counter counters[FEW_COUNTERS])
{
    int count = 0;
    for (const IrStmt *stmt = body->first; stmt && count < FEW_COUNTERS; stmt = stmt->next) {
        const IrValue *step = flow_step(stmt);
        const IrSum *start = step ? c->know.vars[stmt->set.var->id].sum : NULL;
        if (start && flow_sets_once(body, stmt->set.var))
            counters[count++] = (Counter){ stmt->set.var, start, step };
    }
    return count;
}

/* What a counter holds at the beginning of an iteration. */
static void set_counter(Cover *c, const IrVar *var, const IrSum *start, const IrSum *step,
                        int iteration)
{
    const IrSum *iterations = sum_fact(c->know.arena, FACT_ITERATION, 0, iteration);
    bool fixed = step && sum_equal(step, sum_settled(c->know.arena, step));
    const IrSum *steps = fixed ? sum_mul(c->know.arena, iterations, step) : NULL;
    known_set(&c->know, var, (VarValue){ .sum = sum_add(c->know.arena, start, 1, steps) });
}

/* The stores of a loop's iterations, as far as there is an iteration whose guards hold: `enter`
** lets it begin, and the ones before it do not end the loop. */
static Writes walk_iterations(Cover *c, const IrRegion *body, Guards enter)
{
    int stored = c->stored_count;
    Writes all = { NULL, 0 }, iteration = walk_under(c, body, enter);
    c->stored_count = stored;
    if (!(flow_ways_out(body) & (OUT_THREAD | OUT_LOOP)))
        writes_add_all(c->know.arena, &all, iteration, enter);
    return all;
}

static Writes walk_while(Cover *c, const IrStmt *loop)
{
    const IrRegion *body = &loop->while_.body;
    Counter counters[FEW_COUNTERS];
    bool whole = !(flow_ways_out(body) & OUT_ITERATION);
    int iteration = c->loops++, count = whole ? find_counters(c, body, counters) : 0;
    known_forget(&c->know, body);
    int mark = c->know.trail_count;
    for (int i = 0; i < count; i++)
        set_counter(c, counters[i].var, counters[i].start, known_sum(&c->know, counters[i].step),
                    iteration);
    visit_value(c, loop->while_.condition);
    Guards enter = whole ? known_guards(&c->know, loop->while_.condition, true) : unknown;
    const bool sure = c->sure;
    c->sure = sure && enter.known;
    Writes writes = walk_iterations(c, body, enter);
    c->sure = sure;
    known_go_back(&c->know, mark);
    return writes;
}

static Writes walk_for(Cover *c, const IrStmt *loop)
{
    Arena *arena = c->know.arena;
    const IrVar *var = loop->for_.var;
    const IrSum *start = known_sum(&c->know, loop->for_.start);
    const IrSum *stop = known_sum(&c->know, loop->for_.stop);
    const IrSum *step = known_sum(&c->know, loop->for_.step);
    known_forget(&c->know, &loop->for_.body);
    known_set(&c->know, var, (VarValue){ 0 });
    int mark = c->know.trail_count;
    set_counter(c, var, start, step, c->loops++);
    Guards upward = guard_new(arena, GUARD_GE, false, step, sum_constant(arena, 1));
    Guards enter =
        guard_new(arena, GUARD_LT, type_is_unsigned(var->type), c->know.vars[var->id].sum, stop);
    Writes writes = walk_iterations(c, &loop->for_.body, guards_join(arena, upward, enter));
    known_go_back(&c->know, mark);
    return writes;
}

/* ---- branches ------------------------------------------------------------------------------- */

/* What is stored behind a branch, of which the arms stored `then` and what c->stored has from
** `first` on. */
static void meet_stored(Cover *c, const IrStmt *stmt, int first, const Write *then, int count)
{
    int kept = first;
    if (flow_never_ends(&stmt->if_.then))
        return;
    if (flow_never_ends(&stmt->if_.otherwise)) {
        memcpy(&c->stored[first], then, sizeof *then * (size_t)count);
        c->stored_count = first + count;
        return;
    }
    for (int i = first; i < c->stored_count; i++) {
        for (int k = 0; k < count; k++) {
            if (write_same_element(&c->stored[i], &then[k])) {
                c->stored[kept++] = c->stored[i];
                break;
            }
        }
    }
    c->stored_count = kept;
}

/* Both arms' stores. */
static void walk_arms(Cover *c, const IrStmt *stmt, const Guards guards[2], Writes *then,
                      Writes *otherwise)
{
    int mark = c->know.trail_count, first = c->stored_count;
    const bool sure = c->sure;
    const VarValue before = known_of_condition(&c->know, stmt->if_.condition);
    VarValue ends[2];
    c->sure = sure && guards[0].known;
    *then = walk_under(c, &stmt->if_.then, guards[0]);
    c->sure = sure && guards[1].known;
    ends[0] = known_of_condition(&c->know, stmt->if_.condition);
    known_go_back(&c->know, mark);
    int count = c->stored_count - first;
    Write *stored = arena_array(c->know.arena, Write, count + 1);
    memcpy(stored, &c->stored[first], sizeof *stored * (size_t)count);
    c->stored_count = first;
    *otherwise = walk_under(c, &stmt->if_.otherwise, guards[1]);
    c->sure = sure;
    ends[1] = known_of_condition(&c->know, stmt->if_.condition);
    known_go_back(&c->know, mark);
    meet_stored(c, stmt, first, stored, count);
    known_forget(&c->know, &stmt->if_.then);
    known_forget(&c->know, &stmt->if_.otherwise);
    known_meet_condition(&c->know, stmt->if_.condition, &before, ends);
}

/* Adds the stores of a branch; true if what comes behind is behind `*cut`, and `*writes` then
** begins anew. */
static bool walk_if(Cover *c, const IrStmt *stmt, Writes *writes, Cut *cut)
{
    static const Writes none = { NULL, 0 };
    const IrRegion *arms[] = { &stmt->if_.then, &stmt->if_.otherwise };
    const Guards guards[] = { known_guards(&c->know, stmt->if_.condition, true),
                              known_guards(&c->know, stmt->if_.condition, false) };
    const bool leaves[] = { flow_ways_out(arms[0]) != 0, flow_ways_out(arms[1]) != 0 };
    Writes stores[2];
    walk_arms(c, stmt, guards, &stores[0], &stores[1]);
    if (leaves[0] == leaves[1])
        writes_add_both(c->know.arena, writes, stores[0], stores[1]);
    for (int i = 0; i < 2; i++) {
        if (leaves[0] == leaves[1] || leaves[i])
            writes_add_all(c->know.arena, writes, stores[i], guards[i]);
    }
    if (!leaves[0] && !leaves[1])
        return false;
    int left = leaves[0] ? 0 : 1; /* by the other arm the thread goes on */
    bool both = leaves[0] && leaves[1];
    *cut = (Cut){ .pass = both ? unknown : guards[1 - left],
                  .instead = both || !flow_never_ends(arms[left]) ? none : stores[left],
                  .before = *writes };
    *writes = both ? none : stores[1 - left];
    return true;
}

/* ---- regions -------------------------------------------------------------------------------- */

/* The stores of a statement; `*cut` as for walk_if(). */
static bool walk_stmt(Cover *c, const IrStmt *stmt, Writes *writes, Cut *cut)
{
    bool leaves = flow_may_stop(stmt);
    if (stmt->kind != IR_WHILE)
        for_each_value (value, stmt)
            visit_value(c, value);
    switch (stmt->kind) {
    case IR_SET:
        visit_set(c, stmt);
        break;
    case IR_STORE:
        if (!leaves)
            visit_store(c, stmt, writes);
        break;
    case IR_IF:
        if (walk_if(c, stmt, writes, cut))
            return true;
        break;
    case IR_WHILE:
    case IR_FOR: {
        leaves |= (flow_stmt_ways_out(stmt) & OUT_THREAD) != 0;
        Writes iterations = stmt->kind == IR_FOR ? walk_for(c, stmt) : walk_while(c, stmt);
        writes_add_all(c->know.arena, writes, iterations, leaves ? unknown : always);
        break;
    }
    case IR_EVAL:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP:
        break;
    }
    if (leaves)
        *cut = (Cut){ .pass = unknown, .before = *writes };
    return leaves;
}

/* The stores of a region that is entered: what comes behind a cut is stored if the cut is passed,
** or if it is what is stored instead. */
static Writes walk(Cover *c, const IrRegion *region)
{
    Writes writes = { NULL, 0 };
    Cut *cuts = NULL;
    int count = 0, capacity = 0;
    const Guards path = c->path;
    const bool sure = c->sure;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        Cut cut;
        if (!walk_stmt(c, stmt, &writes, &cut))
            continue;
        array_push(c->know.arena, cuts, count, capacity) = cut;
        c->path = guards_join(c->know.arena, c->path, cut.pass);
        c->sure = c->sure && cut.pass.known;
    }
    c->path = path;
    c->sure = sure;
    while (count-- > 0) {
        Writes behind = writes;
        writes = cuts[count].before;
        writes_add_both(c->know.arena, &writes, behind, cuts[count].instead);
        writes_add_all(c->know.arena, &writes, behind, cuts[count].pass);
    }
    return writes;
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static bool is_candidate(const IrVar *var, int access)
{
    return var->type->kind == TY_ARRAY && var->type->array.element->kind != TY_RECORD &&
           (access & ACCESS_WRITE) && !(access & ACCESS_ATOMIC);
}

static bool has_way(const IrCovers *covers, int param)
{
    for (int i = 0; i < covers->way_count; i++) {
        if (covers->ways[i].param == param && !covers->ways[i].part)
            return true;
    }
    return false;
}

/* What the stores reach: arrays whole, as far as what these held does not show, or else parts. */
static void solve_writes(const Cover *c, const Write *first)
{
    Arena *arena = c->know.arena;
    IrCovers *covers = c->fn->covers;
    for (const Write *write = first; write; write = write->next) {
        int access = c->fn->access[write->param];
        bool old = (access & ACCESS_READ) && c->read[write->param];
        if (is_candidate(c->fn->vars[write->param], access) && !old)
            cover_solve(arena, write, covers);
    }
    for (const Write *write = first; write; write = write->next) {
        if (is_candidate(c->fn->vars[write->param], c->fn->access[write->param]) &&
            !has_way(covers, write->param))
            cover_solve_part(arena, write, covers);
    }
}

static void know_params(Cover *c)
{
    for (int i = 0; i < c->fn->param_count; i++) {
        const IrVar *var = c->fn->vars[i];
        VarValue *known = &c->know.vars[var->id];
        if (var->type->kind == TY_ARRAY)
            known->array = view_whole(c->know.arena, var);
        else if (type_is_integer(var->type))
            known->sum = sum_fact(c->know.arena, FACT_SCALAR, 0, var->param);
    }
}

/* The kernel with the bodies of device functions in place of their calls. */
static const IrFunc *whole_kernel(const IrUnit *unit)
{
    if (!unit->count)
        return unit->kernel;
    IrUnit *copy = ir_copy_unit(unit->arena, unit);
    copy->remarks = NULL;
    ir_inlined(copy);
    return copy->kernel;
}

void ir_cover(IrUnit *unit)
{
    unit->kernel->covers = arena_new(unit->arena, IrCovers);
    const IrFunc *fn = whole_kernel(unit);
    Cover *c = arena_new(unit->arena, Cover);
    c->fn = fn;
    c->path = always;
    c->sure = true;
    c->know.arena = unit->arena;
    c->know.vars = arena_array(unit->arena, VarValue, fn->var_count + 1);
    c->read = arena_array(unit->arena, bool, fn->param_count + 1);
    c->stores = arena_array(unit->arena, int, fn->param_count + 1);
    c->stored_at = arena_array(unit->arena, const Write *, fn->param_count + 1);
    know_params(c);
    const Writes writes = walk(c, &fn->body);
    if (!fn->options.debug)
        solve_writes(c, writes.first);
    cover_block(unit->arena, c->accesses, fn->covers);
    for (int i = 0; i < fn->covers->way_count; i++)
        fn->covers->ways[i].sole = c->stores[fn->covers->ways[i].param] == 1;
}
