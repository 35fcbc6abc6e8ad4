/* `i = grid(0)`, `if i < n: ...` and no more: what stands around all that a kernel does.
**
** The sets in front of the conditions run without harm for threads that fail these, or that were
** not asked for: they read no memory. */
#include "ir/schedule/coarsen/coarsen.h"

static bool is_harmless(const IrValue *value)
{
    return ir_value_effects(value) == EFFECT_NONE;
}

/* What holds where `value` does not. */
static IrValue *negated(Arena *arena, const IrValue *value)
{
    IrValue *a = value->count ? value->operands[0] : NULL;
    if (ir_is_comparison(value->op) && type_is_integer(a->type))
        return ir_binary(arena, ir_opposite(value->op), a, value->operands[1], value->span);
    return ir_unary(arena, OP_not, (IrValue *)value, value->span);
}

void guard_terms(Arena *arena, Terms *terms, const IrValue *condition, bool wanted)
{
    if (condition->op == OP_not) {
        guard_terms(arena, terms, condition->operands[0], !wanted);
        return;
    }
    if (condition->op == (wanted ? OP_and_then : OP_or_else)) {
        guard_terms(arena, terms, condition->operands[0], wanted);
        guard_terms(arena, terms, condition->operands[1], wanted);
        return;
    }
    array_push(arena, terms->list, terms->count, terms->capacity) =
        wanted ? condition : negated(arena, condition);
}

static bool depends_on_thread(const IrValue *value)
{
    return (value->op == OP_var && value->var->kind != VAR_PARAM) ||
           (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize && !value->count);
}

/* Whether a term picks threads here and there, as that of a checkerboard does: neighbours do not
** all meet it, so that it is no guard of them together. */
static bool picks(const IrValue *term)
{
    return term->op == OP_eq && ir_has_node(term, depends_on_thread);
}

static bool is_guard(Arena *arena, const IrValue *condition, bool wanted)
{
    Terms terms = { 0 };
    bool fine = is_harmless(condition);
    if (fine)
        guard_terms(arena, &terms, condition, wanted);
    for (int i = 0; i < terms.count; i++)
        fine &= !picks(terms.list[i]);
    return fine;
}

/* Whether only one of a branch's ways is of interest: there is no other, or, with `loops`, it has
** loops and the other has none. */
static bool has_one_way(const IrStmt *branch, bool loops)
{
    const IrRegion *then = &branch->if_.then, *otherwise = &branch->if_.otherwise;
    return !then->first || !otherwise->first ||
           (loops && ir_has_loop(then) != ir_has_loop(otherwise));
}

/* Which of them. */
static bool goes_then(const IrStmt *branch)
{
    const IrRegion *then = &branch->if_.then, *otherwise = &branch->if_.otherwise;
    return then->first && (!otherwise->first || ir_has_loop(then));
}

/* The branch that a region consists of, but for harmless sets in front, and that has one way
** alone; NULL if it is not so. */
static const IrStmt *only_branch(Arena *arena, const IrRegion *region, bool loops)
{
    const IrStmt *last = region->last;
    if (!last || last->kind != IR_IF || !has_one_way(last, loops) ||
        !is_guard(arena, last->if_.condition, goes_then(last)))
        return NULL;
    for (const IrStmt *stmt = region->first; stmt != last; stmt = stmt->next)
        if (stmt->kind != IR_SET || !is_harmless(stmt->set.value))
            return NULL;
    return last;
}

static Guarded find(Arena *arena, const IrFunc *fn, bool loops)
{
    Guarded g = { .within = &fn->body };
    Terms terms = { 0 };
    const IrStmt *branch;
    while ((branch = only_branch(arena, g.within, loops))) {
        for (const IrStmt *stmt = g.within->first; stmt != branch; stmt = stmt->next)
            array_push(arena, g.sets, g.set_count, g.set_capacity) = stmt;
        bool wanted = goes_then(branch);
        guard_terms(arena, &terms, branch->if_.condition, wanted);
        g.within = wanted ? &branch->if_.then : &branch->if_.otherwise;
    }
    g.terms = terms.list;
    g.term_count = terms.count;
    g.rest = g.within->first;
    while (g.rest && g.rest->kind == IR_SET && is_harmless(g.rest->set.value) &&
           g.within == &fn->body) {
        array_push(arena, g.sets, g.set_count, g.set_capacity) = g.rest;
        g.rest = g.rest->next;
    }
    return g;
}

bool guard_begin(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;

    if (unit->shape.changed || !fn->body.first || ir_is_bound(&fn->options))
        return false;
    ir_effects(unit);
    if (ir_shows_order(fn))
        return false;
    ir_grid_indices(unit);
    ir_range(unit);
    return true;
}

Guarded guard_find(Arena *arena, const IrFunc *fn)
{
    return find(arena, fn, false);
}

Guarded guard_find_loops(Arena *arena, const IrFunc *fn)
{
    return find(arena, fn, true);
}

void guard_split(Arena *arena, IrFunc *fn)
{
    Guarded g = guard_find(arena, fn);
    IrStmt *branch = (IrStmt *)g.rest;
    if (!branch || branch->next || branch->kind != IR_IF ||
        (branch->if_.then.first && branch->if_.otherwise.first))
        return;
    Terms terms = { 0 };
    IrRegion *rest = branch->if_.then.first ? &branch->if_.then : &branch->if_.otherwise;
    guard_terms(arena, &terms, branch->if_.condition, rest == &branch->if_.then);
    IrValue *front = NULL, *left = NULL;
    for (int i = 0; i < terms.count; i++) {
        IrValue *term = (IrValue *)terms.list[i];
        bool guards = is_harmless(term) && !picks(term);
        if (guards && (!left || is_harmless(left)))
            front = ir_both(arena, front, term);
        else
            left = ir_both(arena, left, term);
    }
    if (!front || !left)
        return;
    IrStmt *inner = ir_if(arena, left, branch->span);
    inner->if_.then = *rest;
    branch->if_.condition = front;
    branch->if_.then = branch->if_.otherwise = (IrRegion){ NULL, NULL };
    ir_append(&branch->if_.then, inner);
}

bool guard_has_loop(const Guarded *guarded)
{
    return ir_has_loop(&(IrRegion){ (IrStmt *)guarded->rest, NULL });
}

/* ---- ends ---------------------------------------------------------------------------------- */

/* The axis whose index in the grid a value is; -1 of others. */
static int place_axis(const IrAffine *affine, const IrValue *value)
{
    value = sets_behind_casts(&affine->sets, value);
    return ir_is_intrinsic(value, INTR_grid) ? value->index : -1;
}

static void note_local(void *context, IrValue *value)
{
    *(bool *)context &= (value->op != OP_var || value->var->kind == VAR_PARAM) &&
                        value->op != OP_intrinsic && value->op != OP_load && value->op != OP_call;
}

bool guard_of_arguments(const IrValue *value)
{
    bool fine = type_is_integer(value->type) && type_is_signed(value->type) &&
                ir_value_effects(value) == EFFECT_NONE;
    ir_each_node((IrValue *)value, note_local, &fine);
    return fine;
}

/* What a local variable is set to once stands in its place. */
static IrValue *behind_name(const IrClone *clone, const IrValue *value)
{
    const IrSets *sets = clone->context;
    const IrValue *set = value->op == OP_var ? sets_value(sets, value->var) : NULL;
    return set ? ir_clone_value(clone, set) : NULL;
}

/* NULL: it would be too long. */
static IrValue *behind_names(Arena *arena, const IrAffine *affine, const IrValue *value)
{
    IrClone clone = { .arena = arena, .value = behind_name, .context = (void *)&affine->sets };
    return sets_is_short(&affine->sets, value) ? ir_clone_value(&clone, value) : NULL;
}

IrValue *guard_in_arguments(Arena *arena, const IrAffine *affine, const IrValue *value)
{
    IrValue *copy = behind_names(arena, affine, value);
    return copy && guard_of_arguments(copy) ? ir_cast(arena, type_int64, copy, value->span) : NULL;
}

static void note_not_in_front(void *context, IrValue *value)
{
    *(bool *)context &=
        (value->op != OP_var || value->var->kind == VAR_PARAM) &&
        (value->op != OP_intrinsic || value->intrinsic <= INTR_gridsize || value->count > 0);
}

IrValue *guard_in_front(Arena *arena, const IrAffine *affine, const IrValue *value)
{
    IrValue *copy = behind_names(arena, affine, value);
    bool fine = copy && ir_value_effects(copy) == EFFECT_NONE;
    if (copy)
        ir_each_node(copy, note_not_in_front, &fine);
    return fine ? copy : NULL;
}

IrValue *guard_bound(Arena *arena, const IrAffine *affine, const IrValue *term,
                     const IrValue **place)
{
    bool less = term->op == OP_lt || term->op == OP_le;
    if (!less && term->op != OP_gt && term->op != OP_ge)
        return NULL;
    *place = term->operands[!less];
    IrValue *value = guard_in_arguments(arena, affine, term->operands[less]);
    if (value && (term->op == OP_le || term->op == OP_ge))
        value = ir_binary(arena, OP_add, value, ir_integer(arena, type_int64, 1, term->span),
                          term->span);
    return value;
}

IrValue *guard_end(Arena *arena, const IrAffine *affine, const IrValue *term, int axis)
{
    const IrValue *place;
    IrValue *end = guard_bound(arena, affine, term, &place);
    return end && place_axis(affine, place) == axis ? end : NULL;
}
