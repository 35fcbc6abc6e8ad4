/* For the processor: what lanes of a warp tell one another goes through shared memory.
**
**     eval A                                  if warp_0
**     if warp_0                                   A
**         B                                       sent[t] = v
**         got = shfl_down_sync(-1, v, 4)      eval syncthreads()
**         C                          becomes  if warp_0
**                                                 found = sent[t + 4]
**                                                 got = select(t % 32 + 4 < 32, found, v)
**                                                 C
**
** The threads of a block can be loops then, as those of other kernels that meet (block.c), and a
** shuffle is two of these, which are vectors. Loops of few iterations whose counters are numbers
** are laid out, as lanes that are numbers make better vectors.
**
** Legal where
** - a mask names all lanes, and whole warps come: what stands around an operation is the same for
**   the block, or for a warp; lanes that do not come have nothing to do with it;
** - a block has whole warps along its first axis: that is asked of the launch.
** Whatever meets may wait for more threads than it asked for: between two meetings of the whole
** block the order of a warp's meetings and another's is unobservable.
** It pays if the threads become loops; otherwise the kernel stays as it was. */
#include "ir/schedule/tile/warps.h"

#include "ir/analysis/flow/flow.h"

void warps_refuse(Warps *w, Span span, const char *why)
{
    if (w->why)
        return;
    w->why = why;
    w->where = span;
}

/* ---- what is known of variables ------------------------------------------------------------- */

static bool is_marked(const Marks *marks, const IrVar *var)
{
    return var->id < marks->count && marks->by_id[var->id];
}

/* Marks a variable that one statement sets; others may be something else later. */
static void mark(Warps *w, Marks *marks, const IrVar *var)
{
    if (var->id < w->sets.var_count && !sets_value(&w->sets, var))
        return;
    if (var->id >= marks->count) {
        int count = 2 * var->id + 16;
        bool *by_id = arena_array(w->unit->arena, bool, count);
        if (marks->count)
            memcpy(by_id, marks->by_id, sizeof *by_id * (size_t)marks->count);
        *marks = (Marks){ by_id, count };
    }
    marks->by_id[var->id] = true;
}

void warps_note_same(Warps *w, const IrVar *var)
{
    mark(w, &w->same, var);
}

bool warps_leaves(const Warps *w, const IrVar *var)
{
    return var->id < w->sets.var_count && w->left[var->id];
}

/* ---- values that are the same for a warp ---------------------------------------------------- */

bool warps_is_first_index(const IrSets *sets, const IrValue *value)
{
    const IrValue *behind = sets_behind_casts(sets, value);
    bool thread = ir_is_intrinsic(behind, INTR_thread_idx);
    return (thread && behind->index == 0) || ir_thread_axis(sets, value) == 0;
}

static bool is_of_warps(const IrValue *value, int64_t more)
{
    return ir_is_constant(value) && type_is_integer(value->type) && value->constant.integer >= 0 &&
           (value->constant.integer + more) % WARP_LANES == 0;
}

/* A quotient or comparison that parts a row of threads between warps. */
static bool parts_warps(const Warps *w, const IrValue *value)
{
    if (value->count != 2 || !warps_is_first_index(&w->sets, value->operands[0]))
        return false;
    const IrValue *by = value->operands[1];
    switch ((int)value->op) {
    case OP_floordiv:
        return is_of_warps(by, 0) && by->constant.integer > 0;
    case OP_shr:
        return ir_is_constant(by) && by->constant.integer >= 5 && by->constant.integer < 31;
    case OP_lt:
    case OP_ge:
        return is_of_warps(by, 0);
    case OP_le:
    case OP_gt:
        return is_of_warps(by, 1);
    default:
        return false;
    }
}

bool warps_same(const Warps *w, const IrValue *value)
{
    if (ir_uniform_value(value) || parts_warps(w, value))
        return true;
    if (value->op == OP_var)
        return value->var->kind == VAR_LOCAL && is_marked(&w->same, value->var);
    if (value->op == OP_call || (value->op == OP_intrinsic && !value->count))
        return value->op == OP_intrinsic && value->index > 0 &&
               (value->intrinsic == INTR_thread_idx || value->intrinsic == INTR_grid);
    if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect != EFFECT_NONE)
        return false;
    for (int i = 0; i < value->count; i++)
        if (!warps_same(w, value->operands[i]))
            return false;
    return true;
}

/* Whether a value is there for all threads, those too that the guard keeps away, and harmless to
** compute for them. */
static bool is_everywhere(const Warps *w, const IrValue *value)
{
    if (!ir_uniform_value(value) || value->op == OP_load || value->op == OP_call ||
        (value->op == OP_intrinsic && value->intrinsic > INTR_gridsize))
        return false;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL)
        return is_marked(&w->everywhere, value->var);
    for (int i = 0; i < value->count; i++)
        if (!is_everywhere(w, value->operands[i]))
            return false;
    return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

IrRegion *warps_guarded(Warps *w, IrRegion *out)
{
    if (!w->guard)
        return out;
    if (!w->guarded)
        w->guarded = build_if(w->b, w->guard, out);
    return w->guarded;
}

/* A statement in which nothing meets. */
static void lay_plain(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    IrClone clone = { .arena = w->unit->arena };
    bool set = stmt->kind == IR_SET && type_is_scalar(stmt->set.var->type);
    if (set && is_everywhere(w, stmt->set.value) && stmt->set.var->uniform) {
        mark(w, &w->everywhere, stmt->set.var);
        if (is_marked(&w->everywhere, stmt->set.var)) { /* for all: loops may depend on it */
            w->guarded = NULL;
            ir_append(out, ir_clone_stmt(&clone, stmt));
            return;
        }
    }
    if (set && warps_same(w, stmt->set.value))
        warps_note_same(w, stmt->set.var);
    w->b->span = stmt->span;
    ir_append(warps_guarded(w, out), ir_clone_stmt(&clone, stmt));
}

/* What only threads do that pass a further guard; with `parts` some lanes of a warp. */
static void lay_guarded(Warps *w, const IrRegion *region, IrValue *passes, bool parts,
                        IrRegion *out)
{
    IrVar *outer = w->guard, *here = w->here;
    w->guarded = NULL;
    w->guard = build_temporary(w->b, "guard", type_bool);
    build_set(w->b, w->guard, outer ? build_op(w->b, OP_and_then, outer, passes) : passes, out);
    if (parts)
        warps_part(w, out);
    warps_lay(w, region, out);
    w->here = here;
    w->guard = outer;
    w->guarded = NULL;
}

static bool lanes_meet(const IrRegion *region)
{
    return ir_region_effects(region) & EFFECT_MEETS;
}

static void lay_if(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    const IrRegion *then = &stmt->if_.then, *otherwise = &stmt->if_.otherwise;
    bool parts = !warps_same(w, stmt->if_.condition);
    if (parts && (!w->last || (lanes_meet(then) && lanes_meet(otherwise)))) {
        warps_refuse(w, stmt->span, "lanes of a warp may part around what they do together");
        return;
    }
    w->b->span = stmt->span;
    IrValue *condition = build_copy(w->b, stmt->if_.condition);
    if (!w->guard && ir_uniform_value(condition)) {
        IrStmt *branch = ir_if(w->unit->arena, condition, stmt->span);
        warps_settle(w, out);
        warps_lay(w, then, &branch->if_.then);
        warps_settle(w, &branch->if_.then);
        warps_lay(w, otherwise, &branch->if_.otherwise);
        warps_settle(w, &branch->if_.otherwise);
        ir_append(out, branch);
        return;
    }
    IrVar *passes = build_temporary(w->b, "passes", type_bool);
    build_set(w->b, passes, condition, warps_guarded(w, out));
    lay_guarded(w, then, build_var(w->b, passes), parts && lanes_meet(then), out);
    if (otherwise->first)
        lay_guarded(w, otherwise,
                    ir_unary(w->unit->arena, OP_not, build_var(w->b, passes), stmt->span),
                    parts && lanes_meet(otherwise), out);
}

/* A loop that all threads go through, though the guard lets some do nothing in it. */
static void lay_loop(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    bool counts = stmt->kind == IR_FOR;
    w->last = false;
    const IrRegion *body = counts ? &stmt->for_.body : &stmt->while_.body;
    bool there = counts && is_everywhere(w, stmt->for_.start) &&
                 is_everywhere(w, stmt->for_.stop) && is_everywhere(w, stmt->for_.step);
    if (flow_jumps(body) || !ir_uniform_loop(stmt) || (w->guard && !there)) {
        warps_refuse(w, stmt->span, "threads may go through a loop in different ways");
        return;
    }
    IrClone clone = { .arena = w->unit->arena };
    IrStmt *loop = ir_stmt(w->unit->arena, stmt->kind, stmt->span);
    if (counts) {
        loop->for_ = stmt->for_;
        loop->for_.start = ir_clone_value(&clone, stmt->for_.start);
        loop->for_.stop = ir_clone_value(&clone, stmt->for_.stop);
        loop->for_.step = ir_clone_value(&clone, stmt->for_.step);
        loop->for_.body = (IrRegion){ NULL, NULL };
        mark(w, &w->everywhere, stmt->for_.var);
    } else {
        loop->while_.condition = ir_clone_value(&clone, stmt->while_.condition);
    }
    IrRegion *inside = counts ? &loop->for_.body : &loop->while_.body;
    w->guarded = NULL;
    warps_settle(w, out);
    warps_lay(w, body, inside);
    warps_settle(w, inside);
    ir_append(out, loop);
}

static bool any_meet(const IrStmt *stmt)
{
    for (; stmt; stmt = stmt->next)
        if (ir_stmt_effects(stmt) & EFFECT_MEETS)
            return true;
    return false;
}

void warps_lay(Warps *w, const IrRegion *region, IrRegion *out)
{
    bool last = w->last;
    for (const IrStmt *stmt = region->first; stmt && !w->why; stmt = stmt->next) {
        const IrValue *value = ir_stmt_value(stmt);
        w->last = last && !any_meet(stmt->next);
        if (!(ir_stmt_effects(stmt) & EFFECT_MEETS))
            lay_plain(w, stmt, out);
        else if (stmt->kind == IR_IF)
            lay_if(w, stmt, out);
        else if (ir_is_loop(stmt))
            lay_loop(w, stmt, out);
        else if (value && value->op == OP_intrinsic)
            warps_lay_meeting(w, stmt, out);
        else
            warps_refuse(w, stmt->span, "lanes of a warp meet in a function");
    }
    w->last = last;
}

/* Lanes by their threads, of which warps are a row each. */
static IrValue *without_lanes(const IrClone *clone, const IrValue *value)
{
    const IrBuilder b = { clone->arena, clone->context, value->span };
    if (value->op != OP_intrinsic)
        return NULL;
    if (value->intrinsic == INTR_laneid)
        return build_cast(&b, value->type,
                          build_op(&b, OP_and, build_thread_index(&b, 0), WARP_LANES - 1));
    return value->intrinsic == INTR_warpsize ? build_integer(&b, value->type, WARP_LANES) : NULL;
}

const char *tiles_lay_warps(IrUnit *unit, IrRegion *body, uint32_t block[3], Span *where)
{
    IrFunc *fn = unit->kernel;
    Warps w = { .unit = unit, .b = { { unit->arena, fn, fn->span } }, .last = true };
    IrClone clone = { .arena = unit->arena, .value = without_lanes, .context = fn };
    IrRegion plain = { NULL, NULL }, laid;
    *where = fn->span;
    if (!launch_block(unit->launch, w.block) || w.block[0] % WARP_LANES)
        return "a block's warps are not known to be whole";
    ir_clone_region(&clone, &fn->body, &plain);
    ir_unroll_meetings(unit, &plain, w.block, &laid);
    w.sets = ir_sets(unit->arena, fn, &laid);
    w.left = ir_left_by_loops(unit->arena, fn, &laid);
    warps_lay(&w, &laid, body);
    if (!w.why)
        warps_fold(&w, body);
    memcpy(block, w.block, sizeof w.block);
    *where = w.where;
    return w.why;
}
