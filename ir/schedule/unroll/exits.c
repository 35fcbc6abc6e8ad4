/* Loops that threads leave after few iterations, each after a number of its own, laid out:
**
**     while and_then(gt(k, 0), gt(load(near, sub(k, 1)), v))
**         store near[k] = load(near, sub(k, 1))
**         k = sub(k, 1)
**     store near[k] = v
** where k holds 2 before it becomes
**     _on = gt(load(near, 1), v)
**     store near[2] = select(_on, load(near, 1), load(near, 2))
**     _on.2 = and_then(_on, gt(load(near, 0), v))
**     store near[1] = select(_on.2, load(near, 0), load(near, 1))
**     store near[2] = select(_on, load(near, 2), v)
**     ...
** A thread that has left changes nothing any more. The counter is a number in each iteration;
** behind the loop it is one of a few, and an element at it is chosen among those at these.
**
** Legal for a loop that ends by numbers alone after few iterations, whatever else may end it
** before, and that does nothing but set variables and store elements of the arrays that are meant;
** it may break where it does nothing else. Values are only found where a thread still goes. */
#include "ir/schedule/unroll/whole.h"

#include "ir/analysis/affine.h"

typedef struct Leaving {
    Whole *w;
    const IrClone *clone;
    IrRegion *out;
    IrVar **vars; /* that the loop sets */
    int var_count;
    IrVar *going[2 * TRIPS_MOST + 1];     /* [0]: NULL */
    int64_t *numbers[2 * TRIPS_MOST + 1]; /* of the variables, where threads leave */
    bool *known;                          /* by variable: it was a number wherever threads left */
    int count;                            /* of places where threads leave */
} Leaving;

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_element(const Whole *w, const IrValue *array)
{
    return w->elements && array->op == OP_var && array->var->id < w->count &&
           w->elements[array->var->id];
}

typedef struct ExitAccess {
    const Whole *w;
    bool found;
} ExitAccess;

static void access_node(void *context, IrValue *value)
{
    ExitAccess *access = context;
    access->found |= is_element(access->w, value);
}

bool exits_wanted(const Whole *w, const IrStmt *loop)
{
    ExitAccess access = { .w = w };
    if (w->elements)
        ir_each_node_of(loop, access_node, &access);
    return access.found;
}

/* ---- values ---------------------------------------------------------------------------------- */

static IrValue *number(const IrClone *clone, const Type *type, int64_t value, Span span)
{
    return ir_integer(clone->arena, type, value, span);
}

static IrValue *element(const IrClone *clone, const IrValue *array, const Type *type, int64_t at,
                        Span span)
{
    IrValue *index = number(clone, type, at, span);
    return ir_load(clone->arena, ir_clone_value(clone, array), &index, 1, span);
}

static IrValue *going(const IrClone *clone, IrVar *var, Span span)
{
    return ir_var(clone->arena, var, span);
}

/* The numbers that an index may be, all within the array, but for `*more`; NULL: it is as any. */
static const Exits *exits_of(Whole *w, const IrValue *array, const IrValue *index, int64_t *more)
{
    const IrValue *rest = affine_split(NULL, index, more);
    const Exits *exits =
        rest && rest->op == OP_var && rest->var->id < w->count ? w->exits[rest->var->id] : NULL;
    for (int i = 0; exits && i < exits->count; i++) {
        int64_t at;
        if (__builtin_add_overflow(exits->numbers[i], *more, &at) || at < 0 ||
            at >= array->var->shape[0])
            w->failed = true;
    }
    return w->failed ? NULL : exits;
}

IrValue *exits_load(const IrClone *clone, const IrValue *load)
{
    Whole *w = clone->context;
    int64_t more;
    if (!is_element(w, load->operands[0]))
        return NULL;
    const IrValue *array = load->operands[0], *index = load->operands[1];
    const Exits *exits = exits_of(w, array, index, &more);
    if (!exits)
        return NULL;
    IrValue *found = element(clone, array, index->type, exits->numbers[0] + more, load->span);
    for (int i = 1; i < exits->count; i++)
        found = ir_select(clone->arena, going(clone, exits->going[i], load->span),
                          element(clone, array, index->type, exits->numbers[i] + more, load->span),
                          found, load->span);
    return found;
}

/* ---- stores ---------------------------------------------------------------------------------- */

static void put(const IrClone *clone, const IrStmt *store, int64_t at, IrValue *value,
                IrRegion *out)
{
    IrValue *index = number(clone, store->store.indices[0]->type, at, store->span);
    ir_append(out, ir_store(clone->arena, ir_clone_value(clone, store->store.array), &index, 1,
                            value, store->span));
}

/* Where threads left at place `i`, the value; else what is there. */
static IrValue *at_exit(const IrClone *clone, const IrStmt *store, const Exits *exits, int i,
                        int64_t at, IrVar *value)
{
    const IrValue *array = store->store.array;
    const Type *type = store->store.indices[0]->type;
    Span span = store->span;
    IrValue *made = ir_var(clone->arena, value, span);
    if (i > 0)
        made = ir_select(clone->arena, going(clone, exits->going[i], span), made,
                         element(clone, array, type, at, span), span);
    if (i + 1 < exits->count)
        made = ir_select(clone->arena, going(clone, exits->going[i + 1], span),
                         element(clone, array, type, at, span), made, span);
    return made;
}

bool exits_store(const IrClone *clone, const IrStmt *store, IrRegion *out)
{
    Whole *w = clone->context;
    int64_t more;
    if (!is_element(w, store->store.array))
        return false;
    const Exits *exits = exits_of(w, store->store.array, store->store.indices[0], &more);
    if (!exits)
        return false;
    IrVar *value = ir_temporary(clone->arena, w->unit->kernel, "_stored", store->store.value->type,
                                store->span);
    ir_append(out,
              ir_set(clone->arena, value, ir_clone_value(clone, store->store.value), store->span));
    for (int i = 0; i < exits->count; i++) {
        int64_t at = exits->numbers[i] + more;
        put(clone, store, at, at_exit(clone, store, exits, i, at, value), out);
    }
    return true;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static bool is_break(const IrStmt *stmt)
{
    const IrStmt *first = stmt->kind == IR_IF ? stmt->if_.then.first : NULL;
    return first && first->kind == IR_BREAK && !first->next && !stmt->if_.otherwise.first;
}

/* Whether what a variable is set to can be one of two values: it holds one before, or is of no use
** but in the iteration. */
static bool may_be_chosen(const Whole *w, const IrStmt *set)
{
    const IrVar *var = set->set.var;
    return var->kind == VAR_LOCAL && type_is_scalar(var->type) &&
           !(sets_only(&w->sets, var) == set && w->left[var->id]);
}

/* Whether the loop does nothing that cannot be left out; notes what it sets. */
static bool look(Leaving *l, const IrStmt *loop)
{
    bool fine = true;
    for (const IrStmt *stmt = loop->while_.body.first; stmt; stmt = stmt->next) {
        bool sets = stmt->kind == IR_SET && may_be_chosen(l->w, stmt);
        bool known = false;
        for (int i = 0; sets && i < l->var_count; i++)
            known |= l->vars[i] == stmt->set.var;
        if (sets && !known)
            l->vars[l->var_count++] = stmt->set.var;
        fine &= sets || is_break(stmt) ||
                (stmt->kind == IR_STORE && is_element(l->w, stmt->store.array));
    }
    return fine && !(ir_stmt_effects(loop) & ~(EFFECT_READ | EFFECT_WRITE));
}

static int count_stmts(const IrRegion *region)
{
    int count = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        count++;
    return count;
}

/* What the variables hold where threads leave. */
static void note_place(Leaving *l)
{
    int64_t *numbers = arena_array(l->clone->arena, int64_t, l->var_count + 1);
    for (int i = 0; i < l->var_count; i++) {
        const IrValue *known = l->w->known[l->vars[i]->id];
        l->known[i] &= known != NULL;
        numbers[i] = known ? known->constant.integer : 0;
    }
    l->numbers[l->count] = numbers;
}

/* Whether some thread goes on where the condition is `wanted`. */
static bool go_on(Leaving *l, const IrValue *condition, bool wanted)
{
    Arena *arena = l->clone->arena;
    IrValue *value = ir_clone_value(l->clone, condition);
    if (ir_is_constant(value))
        return (value->constant.integer != 0) == wanted;
    if (l->count >= 2 * TRIPS_MOST) {
        l->w->failed = true;
        return false;
    }
    note_place(l);
    IrVar *last = l->going[l->count];
    IrVar *on = ir_temporary(arena, l->w->unit->kernel, "_on", type_bool, condition->span);
    if (!wanted)
        value = ir_unary(arena, OP_not, value, condition->span);
    IrValue *both = ir_both(arena, last ? ir_var(arena, last, condition->span) : NULL, value);
    ir_append(l->out, ir_set(arena, on, both, condition->span));
    l->going[++l->count] = on;
    return true;
}

/* A value where a thread still goes, else another. */
static IrValue *if_going(const Leaving *l, IrValue *value, IrValue *otherwise)
{
    IrVar *on = l->going[l->count];
    if (!on)
        return value;
    return ir_select(l->clone->arena, ir_var(l->clone->arena, on, value->span), value, otherwise,
                     value->span);
}

static void copy_set(const Leaving *l, const IrStmt *stmt)
{
    Whole *w = l->w;
    Arena *arena = l->clone->arena;
    IrVar *var = stmt->set.var;
    IrValue *value = ir_clone_value(l->clone, stmt->set.value);
    bool number = ir_is_constant(value) && value->type == var->type && type_is_integer(value->type);
    IrVar *own = ir_clone_var(l->clone, var);
    IrValue *old = sets_only(&w->sets, var) == stmt ? ir_zero(arena, var->type, stmt->span)
                                                    : ir_var(arena, own, stmt->span);
    w->known[var->id] = number ? value : NULL;
    ir_append(l->out, ir_set(arena, own, if_going(l, value, old), stmt->span));
}

static void copy_store(const Leaving *l, const IrStmt *stmt)
{
    const IrValue *array = stmt->store.array;
    IrValue *index = ir_clone_value(l->clone, stmt->store.indices[0]);
    IrValue *value = ir_clone_value(l->clone, stmt->store.value);
    if (!ir_is_constant(index)) {
        l->w->failed = true;
        return;
    }
    int64_t at = index->constant.integer;
    put(l->clone, stmt, at,
        if_going(l, value, element(l->clone, array, index->type, at, stmt->span)), l->out);
}

/* Whether some thread comes to the iteration's end. */
static bool copy_iteration(Leaving *l, const IrStmt *loop)
{
    for (const IrStmt *stmt = loop->while_.body.first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_IF && !go_on(l, stmt->if_.condition, false))
            return false;
        if (stmt->kind == IR_SET)
            copy_set(l, stmt);
        if (stmt->kind == IR_STORE)
            copy_store(l, stmt);
    }
    return true;
}

/* What the variables hold behind the loop. */
static void note_exits(Leaving *l)
{
    Arena *arena = l->clone->arena;
    note_place(l);
    for (int i = 0; i < l->var_count; i++) {
        const IrVar *var = l->vars[i];
        if (l->count == 0)
            continue; /* all left at once */
        l->w->known[var->id] = NULL;
        if (!l->known[i])
            continue;
        int64_t *numbers = arena_array(arena, int64_t, l->count + 1);
        IrVar **going = arena_array(arena, IrVar *, l->count + 1);
        for (int k = 0; k <= l->count; k++) {
            numbers[k] = l->numbers[k][i];
            going[k] = l->going[k];
        }
        Exits *exits = arena_new(arena, Exits);
        *exits = (Exits){ l->count + 1, going, numbers };
        l->w->exits[var->id] = exits;
    }
}

void exits_copy(const IrClone *clone, const IrStmt *loop, IrRegion *out)
{
    Whole *w = clone->context;
    int stmts = count_stmts(&loop->while_.body);
    Leaving l = { .w = w,
                  .clone = clone,
                  .out = out,
                  .vars = arena_array(clone->arena, IrVar *, stmts + 1),
                  .known = arena_array(clone->arena, bool, stmts + 1) };
    if (!look(&l, loop)) {
        w->failed = true;
        return;
    }
    for (int i = 0; i < l.var_count; i++) {
        l.known[i] = true;
        w->exits[l.vars[i]->id] = NULL;
    }
    int trips = 0;
    while (!w->failed && w->nodes <= w->most && go_on(&l, loop->while_.condition, true)) {
        if (trips++ == TRIPS_MOST)
            w->failed = true;
        else if (!copy_iteration(&l, loop))
            break;
    }
    w->any = true;
    note_exits(&l);
}
