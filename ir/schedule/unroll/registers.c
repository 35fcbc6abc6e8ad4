/* Keeps elements of arrays in variables while a loop runs that comes back to them at each
** iteration:
**
**     for k in 0 to n by 1
**         store out[i, j] = add(load(out, i, j), ...)
** becomes
**     if lt(0, n)
**         out_kept = load(out, i, j)
**         for k in 0 to n by 1
**             out_kept = add(out_kept, ...)
**         store out[i, j] = out_kept
**
** Where a store of the element is right in front of the loop, whose bounds do not read it, the
** variable begins with what that stores, and is stored behind the loop, whether or not it makes an
** iteration.
**
** Legal for an element that is the same at each iteration, if
** - nothing else in the loop accesses memory that may be the element's: other arrays are known not
**   to overlap its array, other elements of the same array to be others. Programs have no data
**   races, as CUDA has it: what other threads do shows at barriers, fences and atomics alone, and
**   the loop has none of these; nor does it print, end the thread, or return;
** - the first iteration is sure to come to a store of it (to a load, if nothing stores it) before
**   it can leave the loop: so its indices are good ones, and it would have been written. What must
**   hold for that and is the same at each iteration becomes the condition of the load before the
**   loop and of the store behind it. Or all that happens to it is that it is changed, here and
**   there: then a flag tells whether that was done;
** - the loop does not wait for memory to change: in one that ends by something else than a count,
**   nothing is decided by an element that is the same at each iteration, unless it is compared with
**   what comes out of memory along the way. A loop that spins on plain loads by other ways, its
**   index set anew at each iteration say, is a data race, as above.
**
** It pays wherever it is legal, as long as there are not too many: a load and a store an iteration
** less, or none of them in the loop at all. The variable has the element's type, so results round
** as they did. Outer loops come first. */
#include "ir/analysis/flow/flow.h"
#include "ir/clone.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/scalar.h"

enum {
    MOST_KEPT = 16,  /* elements that a loop keeps in registers, */
    MOST_READ = 8,   /* of which it only reads so many */
    CHEAP_NODES = 4, /* of a part of the loop's head that is computed twice */
    TEXT_MOST = 40   /* characters of an element in a remark */
};

/* The loop that is worked on. */
typedef struct Site {
    IrUnit *unit;
    const IrPointsTo *points_to;
    IrRegion *region; /* in which it stands */
    IrStmt *loop;
    bool entered;  /* a thread that gets there makes an iteration */
    IrStmt *after; /* the last that was put behind it; NULL: nothing */
    int kept, read;
} Site;

/* ---- remarks --------------------------------------------------------------------------------- */

/* A piece of text on one line that begins with an array's name; else that. */
static const char *element_text(const Replacement *k, Span span)
{
    const char *name = keep_base(k)->name;
    size_t length = span.end - span.begin, own = strlen(name);
    if (!span.source || length > TEXT_MOST || length <= own)
        return name;
    const char *text = span.source->text + span.begin;
    if (strncmp(text, name, own) != 0 || text[own] != '[' || memchr(text, '\n', length))
        return name;
    size_t end = own, depth = 0;
    do {
        depth = depth + (text[end] == '[') - (text[end] == ']');
    } while (++end < length && (depth || text[end] == '['));
    return depth ? name : arena_strndup(k->accesses->unit->arena, text, end);
}

static void remark(const Replacement *k, const char *why)
{
    Span span = k->access->load ? k->access->load->span : k->access->stmt->span;
    const char *text = element_text(k, span);
    if (why)
        ir_remark(k->accesses->unit, span, "'%s' is not kept in a register: %s", text, why);
    else if (k->stores)
        ir_remark(k->accesses->unit, span, "'%s' is kept in a register while the loop runs", text);
    else
        ir_remark(k->accesses->unit, span, "'%s' is read once, before the loop", text);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static IrVar *new_var(const Site *s, const char *name, const Type *type, Span span)
{
    return ir_temporary(s->unit->arena, s->unit->kernel, name, type, span);
}

static IrStmt *set(const Site *s, IrVar *var, IrValue *value)
{
    return ir_set(s->unit->arena, var, value, value->span);
}

static IrValue **copies_of(const Site *s, const Access *access)
{
    IrValue **copies = arena_array(s->unit->arena, IrValue *, access->count + 1);
    for (int i = 0; i < access->count; i++)
        copies[i] = ir_copy_value(s->unit->arena, access->indices[i]);
    return copies;
}

static IrStmt *load_into(const Replacement *k, const Site *s, IrVar *var)
{
    const Access *access = k->access;
    return set(s, var,
               ir_load(s->unit->arena, ir_copy_value(s->unit->arena, access->array),
                       copies_of(s, access), access->count, var->span));
}

static IrStmt *store_from(const Replacement *k, const Site *s, IrVar *var)
{
    const Access *access = k->access;
    return ir_store(s->unit->arena, ir_copy_value(s->unit->arena, access->array),
                    copies_of(s, access), access->count, ir_var(s->unit->arena, var, var->span),
                    var->span);
}

/* Has a part of the loop's head evaluated before the loop, unless that is cheap to do twice. */
static void hold(const Site *s, const char *name, IrValue **slot)
{
    IrValue *value = *slot;
    if (ir_node_count(value) <= CHEAP_NODES && ir_value_effects(value) == EFFECT_NONE)
        return;
    IrVar *var = new_var(s, name, value->type, value->span);
    ir_take_range(var, value);
    var->uniform = ir_uniform_value(value);
    ir_insert_before(s->region, s->loop, set(s, var, value));
    *slot = ir_var(s->unit->arena, var, value->span);
}

/* Whether the loop makes an iteration: a condition, or NULL if that is sure. */
static IrValue *entry_condition(const Site *s)
{
    IrStmt *loop = s->loop;
    if (s->entered)
        return NULL;
    if (loop->kind == IR_FOR) {
        hold(s, "_start", &loop->for_.start);
        hold(s, "_stop", &loop->for_.stop);
        hold(s, "_step", &loop->for_.step);
    }
    IrValue *iterations = scalar_iterations(s->unit->arena, loop);
    return ir_is_constant(iterations) && iterations->constant.integer ? NULL : iterations;
}

/* ---- in the loop ----------------------------------------------------------------------------- */

typedef struct Change {
    const Replacement *scalar;
    const Site *site;
    IrVar *var;
    IrVar *held; /* of what is lazy: whether `var` holds the element */
} Change;

static void replace_loads(const Change *c, IrValue **slot)
{
    if (scalar_is_load(c->scalar, *slot)) {
        *slot = ir_var(c->site->unit->arena, c->var, (*slot)->span);
        return;
    }
    for (int i = 0; i < (*slot)->count; i++)
        replace_loads(c, &(*slot)->operands[i]);
}

static IrStmt *set_held(const Change *c, bool held)
{
    IrValue *value = ir_integer(c->site->unit->arena, type_bool, held, c->var->span);
    return set(c->site, c->held, value);
}

/* Before a store that changes what the element held: `if not held: var = load; held = True`. */
static void fetch(const Change *c, IrRegion *region, IrStmt *stmt, bool changes)
{
    if (!changes) {
        ir_insert_before(region, stmt, set_held(c, true));
        return;
    }
    Arena *arena = c->site->unit->arena;
    IrValue *held = ir_var(arena, c->held, c->var->span);
    IrStmt *ask = ir_if(arena, ir_unary(arena, OP_not, held, held->span), held->span);
    ir_append(&ask->if_.then, load_into(c->scalar, c->site, c->var));
    ir_append(&ask->if_.then, set_held(c, true));
    ir_insert_before(region, stmt, ask);
}

/* What was stored is what the variable becomes. */
static void make_set(IrStmt *store, IrVar *var)
{
    IrValue *value = store->store.value;
    store->kind = IR_SET;
    store->set.var = var;
    store->set.value = value;
}

static void change_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    const Change *c = context;
    bool store = scalar_is_store(c->scalar, stmt);
    bool changes = store && scalar_has_load(c->scalar, stmt->store.value);
    for_each_slot (slot, stmt)
        replace_loads(c, slot);
    if (!store)
        return;
    if (c->held)
        fetch(c, region, stmt, changes);
    make_set(stmt, c->var);
}

/* ---- around the loop ------------------------------------------------------------------------- */

/* Puts `before` and `after` around the loop, either NULL. */
static void surround(Site *s, IrStmt *before, IrStmt *after)
{
    if (before)
        ir_insert_before(s->region, s->loop, before);
    if (!after)
        return;
    ir_insert_before(s->region, (s->after ? s->after : s->loop)->next, after);
    s->after = after;
}

/* Moves the loop into a branch that only those enter who make an iteration. */
static void enter(Site *s)
{
    IrValue *condition = entry_condition(s);
    if (condition) {
        IrStmt *branch = ir_if(s->unit->arena, condition, condition->span);
        ir_insert_before(s->region, s->loop, branch);
        ir_remove(s->region, s->loop);
        ir_append(&branch->if_.then, s->loop);
        s->region = &branch->if_.then;
        s->after = NULL; /* what was put behind the loop is behind the branch */
    }
    s->entered = true;
}

static IrStmt *only_if(const Site *s, IrVar *condition, IrStmt *stmt)
{
    if (!stmt)
        return NULL;
    Arena *arena = s->unit->arena;
    IrStmt *branch = ir_if(arena, ir_var(arena, condition, stmt->span), stmt->span);
    ir_append(&branch->if_.then, stmt);
    return branch;
}

/* `before` and `after` where the condition of the first iteration's coming to the element holds. */
static void surround_if(const Replacement *k, Site *s, IrStmt *before, IrStmt *after)
{
    IrValue *condition = entry_condition(s);
    condition = scalar_both(s->unit->arena, condition, k->condition);
    IrVar *comes = new_var(s, "_comes", type_bool, condition->span);
    surround(s, set(s, comes, condition), NULL);
    surround(s, only_if(s, comes, before), only_if(s, comes, after));
}

static bool is_store_of(const Replacement *k, const IrStmt *stmt)
{
    const Access *access = k->access;
    bool same = stmt->kind == IR_STORE && !stmt->store.cache &&
                ir_same_value(stmt->store.array, access->array);
    for (int i = 0; same && i < access->count; i++)
        same = ir_same_value(stmt->store.indices[i], access->indices[i]) &&
               ir_value_effects(access->indices[i]) == EFFECT_NONE;
    return same;
}

/* Whether the element may be read where a `for` finds its bounds, behind what stands before it. */
static bool bounds_may_read(const Replacement *k, const Site *s)
{
    if (s->loop->kind != IR_FOR)
        return false;
    const Accesses bounds = accesses_of_values(s->unit, s->points_to, s->loop);
    bool may = bounds.why != NULL;
    for (int i = 0; i < bounds.count && !may; i++) {
        const IrVar *other;
        may = !disjoint_elements(&bounds, k->access, &bounds.list[i], &other);
    }
    return may;
}

/* The store of the element right in front of the loop, but for sets of temporaries that other
** elements are kept in, if it can wait until behind the loop; NULL: there is none. */
static IrStmt *stored_in_front(const Replacement *k, const Site *s)
{
    IrStmt *stmt = s->loop->prev;
    while (k->stores && stmt && stmt->kind == IR_SET && stmt->set.var->temporary &&
           ir_is_constant(stmt->set.value))
        stmt = stmt->prev;
    return k->stores && stmt && is_store_of(k, stmt) && !bounds_may_read(k, s) ? stmt : NULL;
}

static void keep(const Replacement *k, Site *s)
{
    const char *name = arena_printf(s->unit->arena, "%s_kept", keep_base(k)->name);
    Change c = { .scalar = k, .site = s };
    c.var = new_var(s, name, k->access->array->type->array.element, k->access->stmt->span);
    IrStmt *stored = stored_in_front(k, s);
    IrStmt *before = stored || k->written_first || k->lazy ? NULL : load_into(k, s, c.var);
    IrStmt *after = k->stores ? store_from(k, s, c.var) : NULL;
    if (stored) {
        make_set(stored, c.var);
        surround(s, NULL, after);
    } else if (k->lazy) {
        c.held = new_var(s, "_held", type_bool, c.var->span);
        if (!k->loads) /* a variable that is set once is taken to have that value everywhere */
            surround(s, set(s, c.var, ir_zero(s->unit->arena, c.var->type, c.var->span)), NULL);
        surround(s, set_held(&c, false), only_if(s, c.held, after));
    } else if (k->condition) {
        surround_if(k, s, before, after);
    } else {
        enter(s);
        surround(s, before, after);
    }
    ir_change_stmts(ir_loop_body(s->loop), change_stmt, &c);
}

/* ---- which ----------------------------------------------------------------------------------- */

/* Whether it is worth a remark that an element stays in memory: it is this loop that could have
** kept it. */
static bool is_near(const Replacement *k)
{
    return k->stores && k->loads && scalar_is_innermost(k);
}

/* What lowering has evaluated in the loop, as an index, moves out if it is always the same. */
static void move_fixed_sets(const Site *s, Accesses *accesses)
{
    IrRegion *body = ir_loop_body(s->loop);
    for (IrStmt *stmt = body->first, *next; stmt; stmt = next) {
        next = stmt->next;
        if (stmt->kind != IR_SET || !stmt->set.var->temporary ||
            !sets_invariant(&accesses->sets, stmt->set.value, NULL) ||
            !flow_sets_once(&s->unit->kernel->body, stmt->set.var))
            continue;
        ir_remove(body, stmt);
        ir_insert_before(s->region, s->loop, stmt);
        sets_drop(&accesses->sets, stmt->set.var);
    }
}

static Directive directive_of(const Replacement *k, const Site *s)
{
    const IrVar *base = keep_base(k);
    return (Directive){ .primitive = DO_REGISTERS,
                        .array = base ? base->name : "element",
                        .loop = schedule_loop(s->loop),
                        .site = k->access->load ? (const void *)k->access->load : k->access->stmt,
                        .span = k->access->stmt->span };
}

/* Keeps one element more, if there is one. */
static bool scalar_one(Site *s)
{
    Accesses accesses = accesses_of(s->unit, s->points_to, s->loop);
    move_fixed_sets(s, &accesses);
    for (int i = 0; i < accesses.count; i++) {
        Replacement k;
        if (!scalar_is_candidate(&k, &accesses, &accesses.list[i]) ||
            (!k.stores && s->read == MOST_READ))
            continue;
        const char *why = scalar_why_not(&k);
        if (why) {
            schedule_refuse(s->unit, directive_of(&k, s), k.access->stmt->span, why);
            if (is_near(&k))
                remark(&k, why);
            continue;
        }
        Directive *directive = schedule_take(s->unit, directive_of(&k, s), true);
        if (!directive)
            continue;
        remark(&k, NULL);
        keep(&k, s);
        schedule_done(directive);
        s->read += !k.stores;
        return true;
    }
    return false;
}

static void scalar_in_loop(IrUnit *unit, const IrPointsTo *points_to, IrRegion *region,
                           IrStmt *loop)
{
    Site site = { .unit = unit, .points_to = points_to, .region = region, .loop = loop };
    while ((loop->kind == IR_WHILE || !ir_is_integer(loop->for_.step, 0)) &&
           site.kept < MOST_KEPT && scalar_one(&site))
        site.kept++;
}

static void scalar_in_region(IrUnit *unit, const IrPointsTo *points_to, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        if (ir_is_loop(stmt))
            scalar_in_loop(unit, points_to, region, stmt);
        IrRegion *regions[2];
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            scalar_in_region(unit, points_to, regions[i]);
    }
}

void ir_registers_of(IrUnit *unit, IrRegion *region, IrStmt *loop)
{
    IrPointsTo points_to = ir_points_to(unit->arena, unit->kernel);
    scalar_in_loop(unit, &points_to, region, loop);
}

void ir_registers(IrUnit *unit)
{
    IrPointsTo points_to = ir_points_to(unit->arena, unit->kernel);
    scalar_in_region(unit, &points_to, &unit->kernel->body);
}
