/* Lays out loops of few known iterations one after the other, as a copy:
**
**     total = 0.0                         total.2 = 0.0
**     for d in -1 to 2 by 1               total.2 = add(total.2, load(x, sub(i, 1)))
**         total = add(total,       =>     total.2 = add(total.2, load(x, i))
**                     load(x, add(i, d))) total.2 = add(total.2, load(x, add(i, 1)))
**
** Counters become numbers, and so does what is computed of them, through variables that hold a
** number where they are read; branches whose condition is one are gone. The copy has variables of
** its own, and a variable that each iteration sets anew is another one in each.
**
** Legal for any loop whose start, stop and step are numbers by then and that nothing in it leaves
** or cuts short. It pays where the iterations have something to share, as threads that read windows
** have: it is for the pass that finds that out to keep the copy or to throw it away. For the
** processor it pays in loops in which threads meet, scans and trees in shared memory, which halve
** or double a distance: between two meetings threads are vectors, of which the distance is a number
** then. */
#include "ir/schedule/unroll/whole.h"

#include "ir/analysis/affine.h"
#include "ir/analysis/flow/flow.h"

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_true(const IrValue *value, bool wanted)
{
    return ir_is_constant(value) && value->type->kind == TY_BOOL &&
           (value->constant.integer != 0) == wanted;
}

/* `a and b`, `a or b`, of which one may be known. */
static IrValue *simpler_choice(IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    bool both = value->op == OP_and_then;
    if (is_true(a, !both) || is_true(b, both))
        return a;
    return is_true(a, both) ? b : value;
}

/* (a + 2) - 3 as a - 1: low bits depend on low bits alone. */
static IrValue *simpler_sum(Arena *arena, IrValue *value)
{
    int64_t number;
    if (!type_is_integer(value->type) || !type_is_signed(value->type))
        return value;
    IrValue *rest = (IrValue *)affine_split(NULL, value, &number);
    if (!rest || rest == value || number == INT64_MIN)
        return value;
    bool less = number < 0;
    return ir_binary(arena, less ? OP_sub : OP_add, rest,
                     ir_integer(arena, value->type, less ? -number : number, value->span),
                     value->span);
}

/* A value whose operands are as simple as they get. */
static IrValue *simpler(Arena *arena, IrValue *value)
{
    IrValue **of = value->operands, *folded = NULL;
    if (value->op == OP_and_then || value->op == OP_or_else)
        return simpler_choice(value);
    if (value->op == OP_select)
        return ir_is_constant(of[0]) ? of[of[0]->constant.integer ? 1 : 2] : value;
    if (value->op == OP_cast && ir_is_constant(of[0]))
        return ir_cast(arena, value->type, of[0], value->span);
    if (value->count == 1)
        folded = fold_unary(arena, value->op, value->type, of[0], value->span);
    if (value->count == 2 && ir_ops[value->op].result != RESULT_OWN)
        folded = fold_binary(arena, value->op, value->type, of[0], of[1], value->span);
    if (folded)
        return folded;
    return value->op == OP_add || value->op == OP_sub ? simpler_sum(arena, value) : value;
}

/* An element of a tuple of numbers, at a number; NULL: it is something else. */
static IrValue *item(const IrClone *clone, const IrValue *value)
{
    const Whole *w = clone->context;
    const IrValue *tuple = sets_behind(&w->sets, value->operands[0]);
    const IrValue *index = ir_clone_value(clone, value->operands[1]);
    if (tuple->op != OP_tuple || !ir_is_constant(index) || index->constant.integer < 0 ||
        index->constant.integer >= tuple->count)
        return NULL;
    const IrValue *found = tuple->operands[index->constant.integer];
    return ir_is_constant(found) ? ir_copy_value(clone->arena, found) : NULL;
}

/* What stands for a value that is a number, or chosen by one; NULL: nothing does. */
static IrValue *known_value(const IrClone *clone, const IrValue *value)
{
    const Whole *w = clone->context;
    if (value->op == OP_var && value->var->id < w->count && w->known[value->var->id])
        return ir_integer(clone->arena, value->type, w->known[value->var->id]->constant.integer,
                          value->span);
    if (w->block && value->op == OP_intrinsic && value->intrinsic == INTR_block_dim)
        return ir_integer(clone->arena, value->type, w->block[value->index], value->span);
    if (w->block && value->op == OP_item_at)
        return item(clone, value);
    return value->op == OP_load ? exits_load(clone, value) : NULL;
}

static IrValue *whole_value(const IrClone *clone, const IrValue *value)
{
    Whole *w = clone->context;
    w->nodes++;
    IrValue *known = known_value(clone, value);
    if (known || !value->count)
        return known;
    IrValue *copy = arena_new(clone->arena, IrValue);
    *copy = *value;
    copy->operands = arena_array(clone->arena, IrValue *, value->count);
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = ir_clone_value(clone, value->operands[i]);
    IrValue *simple = simpler(clone->arena, copy);
    return ir_take_sign(simple, value->nonnegative);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void forget_stmt(void *context, IrStmt *stmt)
{
    Whole *w = context;
    const IrVar *var = ir_set_var(stmt);
    if (var) {
        w->known[var->id] = NULL;
        w->exits[var->id] = NULL;
    }
}

/* What a region sets holds no known number behind it. */
static void forget(Whole *w, const IrRegion *region)
{
    ir_each_stmt(region, forget_stmt, w);
}

static void copy_set(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    const IrVar *var = stmt->set.var;
    IrValue *value = ir_clone_value(clone, stmt->set.value);
    bool number = ir_is_constant(value) && value->type == var->type &&
                  (type_is_integer(value->type) || value->type->kind == TY_BOOL);
    w->known[var->id] = number ? value : NULL;
    w->exits[var->id] = NULL;
    ir_append(out, ir_set(clone->arena, ir_clone_var(clone, stmt->set.var), value, stmt->span));
}

static void copy_if(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    IrValue *condition = ir_clone_value(clone, stmt->if_.condition);
    if (ir_is_constant(condition)) {
        bool holds = condition->constant.integer;
        ir_clone_region(clone, holds ? &stmt->if_.then : &stmt->if_.otherwise, out);
        return;
    }
    IrValue **before = arena_array(clone->arena, IrValue *, w->count + 1);
    const Exits **exits = arena_array(clone->arena, const Exits *, w->count + 1);
    for (int i = 0; i < w->count; i++) {
        before[i] = w->known[i];
        exits[i] = w->exits[i];
    }
    IrStmt *branch = ir_if(clone->arena, condition, stmt->span);
    ir_clone_region(clone, &stmt->if_.then, &branch->if_.then);
    for (int i = 0; i < w->count; i++) {
        w->known[i] = before[i];
        w->exits[i] = exits[i];
    }
    ir_clone_region(clone, &stmt->if_.otherwise, &branch->if_.otherwise);
    forget(w, &stmt->if_.then);
    forget(w, &stmt->if_.otherwise);
    ir_append(out, branch);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static IrVar *like(const Whole *w, const IrVar *var)
{
    IrVar *made = ir_var_like(w->unit->arena, w->unit->kernel, var, var->name);
    made->uniform = var->uniform;
    return made;
}

/* A variable that only one statement sets and nothing reads outside of the loop around that is
** another one in each iteration. */
static void renew_stmt(void *context, IrStmt *stmt)
{
    Whole *w = context;
    const IrVar *var = ir_set_var(stmt);
    if (var && sets_only(&w->sets, var) == stmt && !w->left[var->id])
        w->vars[var->id] = like(w, var);
}

/* Room for the iterations of a loop in which threads meet, and what to go back to. */
enum { MEETING_NODES = 800 };
typedef struct Trial {
    IrValue **known;
    IrVar **vars;
    int nodes, most;
} Trial;

static Trial trial_begin(Whole *w)
{
    size_t count = (size_t)w->count;
    Trial trial = { arena_array(w->unit->arena, IrValue *, count + 1),
                    arena_array(w->unit->arena, IrVar *, count + 1), w->nodes, w->most };
    memcpy(trial.known, w->known, count * sizeof *w->known);
    memcpy(trial.vars, w->vars, count * sizeof *w->vars);
    if (w->block && w->most - w->nodes > MEETING_NODES)
        w->most = w->nodes + MEETING_NODES;
    return trial;
}

/* Whether what was tried has come to its end; else all is as it was. */
static bool trial_end(Whole *w, const Trial *trial, bool done)
{
    size_t count = (size_t)w->count;
    done &= !w->block || w->nodes <= w->most;
    w->most = trial->most;
    w->any |= done;
    if (done)
        return true;
    memcpy(w->known, trial->known, count * sizeof *w->known);
    memcpy(w->vars, trial->vars, count * sizeof *w->vars);
    w->nodes = trial->nodes;
    return false;
}

static bool copy_iterations(const IrClone *clone, const IrStmt *loop, const IrStmt *counted,
                            int64_t trips, IrRegion *out)
{
    Whole *w = clone->context;
    IrVar *var = loop->for_.var;
    IrRegion laid = { NULL, NULL };
    const Trial trial = trial_begin(w);
    int64_t at = counted->for_.start->constant.integer, step = counted->for_.step->constant.integer;
    for (int64_t i = 0; i < trips && w->nodes <= w->most; i++) {
        ir_each_stmt(&loop->for_.body, renew_stmt, w);
        w->known[var->id] = ir_integer(clone->arena, var->type, at + i * step, loop->span);
        ir_clone_region(clone, &loop->for_.body, &laid);
    }
    w->known[var->id] = NULL;
    bool done = trial_end(w, &trial, true);
    if (done)
        ir_append_region(out, laid);
    return done;
}

static bool meets(const IrRegion *region)
{
    return ir_region_effects(region) & (EFFECT_BLOCK_SYNC | EFFECT_WARP_SYNC);
}

/* Whether a loop goes: its counter is read nowhere else. */
static bool is_laid_out(const Whole *w, const IrStmt *loop, int64_t trips)
{
    return trips >= 1 && trips <= TRIPS_MOST && !flow_jumps(&loop->for_.body) &&
           (!w->block || meets(&loop->for_.body)) && !w->left[loop->for_.var->id] &&
           loop->for_.unroll != 1 && sets_only(&w->sets, loop->for_.var) == loop;
}

static void copy_for(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    IrStmt *loop = ir_for(clone->arena, stmt->for_.var, ir_clone_value(clone, stmt->for_.start),
                          ir_clone_value(clone, stmt->for_.stop),
                          ir_clone_value(clone, stmt->for_.step), stmt->span);
    int64_t trips = ir_trip_count(loop);
    if (is_laid_out(w, stmt, trips) && copy_iterations(clone, stmt, loop, trips, out))
        return;
    IrRegion body = { NULL, NULL };
    IrStmt whole = *stmt;
    whole.for_.start = loop->for_.start;
    whole.for_.stop = loop->for_.stop;
    whole.for_.step = loop->for_.step;
    forget_stmt(w, (IrStmt *)stmt);
    forget(w, &stmt->for_.body);
    ir_clone_region(clone, &stmt->for_.body, &body);
    forget(w, &stmt->for_.body);
    *loop = whole;
    loop->next = loop->prev = NULL;
    loop->for_.var = ir_clone_var(clone, stmt->for_.var);
    loop->for_.body = body;
    ir_append(out, loop);
}

/* Appends the iterations of a loop whose condition is known whenever it is come to. */
static bool lay_while(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    const IrRegion *body = &stmt->while_.body;
    if (!w->block || !meets(body) || flow_jumps(body))
        return false;
    IrRegion laid = { NULL, NULL };
    const Trial trial = trial_begin(w);
    const IrValue *more = ir_clone_value(clone, stmt->while_.condition);
    for (int i = 0; i < TRIPS_MOST && is_true(more, true) && w->nodes <= w->most; i++) {
        ir_each_stmt(body, renew_stmt, w);
        ir_clone_region(clone, body, &laid);
        more = ir_clone_value(clone, stmt->while_.condition);
    }
    bool done = trial_end(w, &trial, is_true(more, false));
    if (done)
        ir_append_region(out, laid);
    return done;
}

static void copy_while(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    IrStmt *loop = ir_stmt(clone->arena, IR_WHILE, stmt->span);
    forget(w, &stmt->while_.body);
    loop->while_.condition = ir_clone_value(clone, stmt->while_.condition);
    ir_clone_region(clone, &stmt->while_.body, &loop->while_.body);
    forget(w, &stmt->while_.body);
    ir_append(out, loop);
}

static bool whole_stmt(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Whole *w = clone->context;
    w->nodes++;
    if (w->nodes > w->most)
        return true; /* it is thrown away */
    switch (stmt->kind) {
    case IR_SET:
        copy_set(clone, stmt, out);
        return true;
    case IR_IF:
        copy_if(clone, stmt, out);
        return true;
    case IR_FOR:
        copy_for(clone, stmt, out);
        return true;
    case IR_WHILE:
        if (exits_wanted(w, stmt))
            exits_copy(clone, stmt, out);
        else if (!lay_while(clone, stmt, out))
            copy_while(clone, stmt, out);
        return true;
    case IR_STORE:
        return exits_store(clone, stmt, out);
    default:
        return false;
    }
}

/* Appends the copy. */
static void copy_all(Whole *w, const IrRegion *body, IrRegion *out)
{
    Arena *arena = w->unit->arena;
    IrFunc *fn = w->unit->kernel;
    w->sets = ir_sets(arena, fn, body);
    w->left = ir_left_by_loops(arena, fn, body);
    w->count = fn->var_count;
    w->vars = arena_array(arena, IrVar *, fn->var_count + 1);
    w->known = arena_array(arena, IrValue *, fn->var_count + 1);
    w->exits = arena_array(arena, const Exits *, fn->var_count + 1);
    IrClone clone = {
        .arena = arena, .vars = w->vars, .value = whole_value, .stmt = whole_stmt, .context = w
    };
    for (int i = 0; i < w->count; i++)
        if (fn->vars[i]->kind == VAR_LOCAL)
            w->vars[i] = like(w, fn->vars[i]);
    *out = (IrRegion){ NULL, NULL };
    ir_clone_region(&clone, body, out);
}

int ir_unroll_whole(IrUnit *unit, const IrRegion *body, int most, const bool *elements,
                    IrRegion *out)
{
    Whole w = { .unit = unit, .elements = elements, .most = most };
    copy_all(&w, body, out);
    return w.nodes > w.most || w.failed ? -1 : w.any;
}

bool ir_unroll_meetings(IrUnit *unit, const IrRegion *body, const uint32_t block[3], IrRegion *out)
{
    Whole w = { .unit = unit, .block = block, .most = INT32_MAX };
    copy_all(&w, body, out);
    return w.any;
}
