/* Threads that go along a row each, which end where the next thread's begin, as those of a sparse
** matrix do, read and write through shared memory, a warp's 32 rows at a time:
**
**     for k in start[i] to start[i + 1] by 1   lo, hi = where lane 0's row begins and the last ends
**         total = total + value[k]       =>    for base in lo to hi by 1024
**                                                  value_near[at - base] = value[at], of all at
**                                                      from base to base + 1024 and hi, a lane each
**                                                  eval syncwarp()
**                                                  for k in max(start[i], base) to
**                                                           min(start[i + 1], base + 1024) by 1
**                                                      total = total + value_near[k - base]
**                                                  eval syncwarp()
**
** What the lanes of a warp read at once then lies side by side, and what is found through it, as in
** x[column[k]], is asked for by all lanes, whose loads are on their way together. Stores at the
** counter go the same way back.
**
** Legal where it is unobservable which thread does what (independent.c), in loops that count by
** one and that nothing leaves early. Each warp finds out before each loop whether its rows lie one
** behind the other, none before 0: where a lane's ends the next one's begins, and lanes whose
** threads come to no iteration stand behind the others. Then each iteration between is one lane's,
** and what it accesses for certain, at indices that any lane can compute (made of the counter, of
** arguments, and of such elements), is what the threads access. The arrays overlap no other
** argument and are not written in the loop; or the loop accesses them nowhere but at one such
** element at the counter, and stores that for certain, once. What lanes wrote before they see, as
** all meet. Warps whose rows are others go on as they were.
**
** Pays for kernels that store along the rows: rows that are but read come out of the cache, which
** shared memory would take the room of, and what is found through them waits for no other lanes.
** For rows that are each one thread's. Not where other data says which threads go along theirs, as
** the nodes at the front of a search: these rows do not lie one behind the other. And for rows of
** few iterations, which together are no more than RAGGED_MOST: others go on as they were, too. */
#include "ir/schedule/stage/ragged.h"

#include "ir/analysis/affine.h"

/* ---- elements -------------------------------------------------------------------------------- */

const RaggedElement *ragged_find(const RaggedLoop *loop, const IrValue *array,
                                 IrValue *const *index, int count)
{
    for (int i = 0; i < loop->count; i++) {
        const RaggedElement *element = &loop->elements[i];
        bool same = ir_is_var(array, element->array) && count == element->count;
        for (int k = 0; k < count && same; k++)
            same = ir_same_value(index[k], element->index[k]);
        if (same)
            return element;
    }
    return NULL;
}

typedef struct FreeCheck {
    const Ragged *r;
    const RaggedLoop *loop;
    bool fine;
} FreeCheck;

static bool is_set_in(const IrStmt *loop, const IrStmt *stmt)
{
    for (const IrStmt *in = loop->for_.body.first; in; in = in->next)
        if (in == stmt)
            return true;
    return false;
}

/* A variable that any lane can compute: one statement sets it, in every iteration. */
static bool is_name(const Ragged *r, const RaggedLoop *loop, const IrVar *var)
{
    const IrStmt *only = sets_only(&r->sets, var);
    return var == loop->loop->for_.var || var->kind == VAR_PARAM ||
           (only && only->kind == IR_SET && !type_holds_arrays(var->type) &&
            is_set_in(loop->loop, only));
}

static void check_free(void *context, IrValue *value)
{
    FreeCheck *check = context;
    const RaggedLoop *loop = check->loop;
    if (value->op == OP_load)
        check->fine &=
            ragged_find(loop, value->operands[0], value->operands + 1, value->count - 1) != NULL;
    else if (value->op == OP_intrinsic)
        check->fine &= value->count > 0 && ir_intrinsics[value->intrinsic].effect == EFFECT_NONE;
    else if (value->op == OP_var)
        check->fine &= is_name(check->r, loop, value->var);
    else
        check->fine &= value->op != OP_call;
    if (value->op == OP_var && check->fine && value->var->kind == VAR_LOCAL &&
        value->var != loop->loop->for_.var)
        ir_each_node(sets_value(&check->r->sets, value->var), check_free, check);
}

/* Whether any lane can compute a value of an iteration, once it has the elements found so far. */
static bool is_free(const Ragged *r, const RaggedLoop *loop, const IrValue *value)
{
    FreeCheck check = { r, loop, true };
    ir_each_node((IrValue *)value, check_free, &check);
    return check.fine;
}

static bool may_be_element(const Ragged *r, const IrValue *array, int count)
{
    int param = ir_array_param(array);
    if (param < 0 || array->op != OP_var || count != array->type->array.rank ||
        array->type->array.unaligned)
        return false;
    const Type *element = array->type->array.element;
    return type_is_number(element) && launch_alone(r->unit->launch, param) &&
           !(r->unit->kernel->access[param] & ACCESS_ATOMIC);
}

typedef struct RaggedAdding {
    Ragged *r;
    RaggedLoop *loop;
} RaggedAdding;

/* What every iteration accesses; what others depend on comes first. */
static void add_access(void *context, const IrValue *array, IrValue *const *index, int count,
                       bool store)
{
    const RaggedAdding *adding = context;
    RaggedLoop *loop = adding->loop;
    RaggedElement *found = (RaggedElement *)ragged_find(loop, array, index, count);
    bool fine = loop->count < RAGGED_ELEMENTS;
    for (int i = 0; i < count && !found && fine; i++)
        fine = is_free(adding->r, loop, index[i]);
    if (!found && (!fine || !may_be_element(adding->r, array, count)))
        return;
    if (!found) {
        found = &loop->elements[loop->count++];
        *found = (RaggedElement){ .array = array->var, .index = index, .count = count };
    }
    found->loaded |= !store && !found->stored;
    found->stored |= store;
}

/* ---- what a loop does to an array ------------------------------------------------------------ */

typedef struct RaggedUses {
    const RaggedLoop *loop;
    const RaggedElement *element;
    int all, at_element; /* mentions of the array; loads and stores of the element */
    int stores;          /* to the array */
    bool others;         /* arrays may be known by other names, or functions be called */
} RaggedUses;

static void count_use(void *context, IrValue *value)
{
    RaggedUses *uses = context;
    uses->all += ir_counts_access(value, uses->element->array);
    if (value->op == OP_load)
        uses->at_element += ragged_find(uses->loop, value->operands[0], value->operands + 1,
                                        value->count - 1) == uses->element;
    uses->others |= value->op == OP_call || (value->op == OP_var && value->var->kind == VAR_LOCAL &&
                                             type_holds_arrays(value->type));
}

static void count_uses(void *context, IrStmt *stmt)
{
    RaggedUses *uses = context;
    ir_each_node_of(stmt, count_use, uses);
    if (stmt->kind != IR_STORE)
        return;
    uses->stores +=
        stmt->store.array->op != OP_var || stmt->store.array->var == uses->element->array;
    uses->at_element += ragged_find(uses->loop, stmt->store.array, stmt->store.indices,
                                    stmt->store.count) == uses->element;
}

/* Whether an element lies one behind the other in memory from iteration to iteration. */
static bool is_dense(const Ragged *r, const RaggedLoop *loop, const RaggedElement *element)
{
    const Type *type = element->array->type;
    int64_t number;
    const IrValue *last = affine_split(&r->sets, element->index[element->count - 1], &number);
    return (element->count == 1 || type->array.layout == LAYOUT_C) && last &&
           sets_behind_casts(&r->sets, last)->op == OP_var &&
           sets_behind_casts(&r->sets, last)->var == loop->loop->for_.var;
}

/* What forbids that it goes through shared memory; NULL: nothing. */
static const char *forbids(const Ragged *r, const RaggedLoop *loop, const RaggedElement *element)
{
    RaggedUses uses = { .loop = loop, .element = element };
    ir_each_stmt(&loop->loop->for_.body, count_uses, &uses);
    if (uses.others)
        return "arrays have other names there, or a function is called";
    if (!uses.stores)
        return NULL;
    if (uses.stores != 1 || !element->stored || uses.all != uses.at_element)
        return "the array is written elsewhere than at the counter, or not in every iteration";
    return is_dense(r, loop, element) ? NULL : "what is written does not lie at the counter";
}

/* Which elements the iterations name themselves, not only for where others are. */
static void note_used(RaggedLoop *loop, const IrValue *value)
{
    RaggedElement *element =
        value->op == OP_load ? (RaggedElement *)ragged_find(loop, value->operands[0],
                                                            value->operands + 1, value->count - 1)
                             : NULL;
    if (element)
        element->used = true;
    for (int i = 0; i < value->count && !element; i++)
        note_used(loop, value->operands[i]);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    for_each_value (value, stmt)
        note_used(context, value);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool counts_by_one(const Ragged *r, const IrStmt *loop)
{
    /* what may end the loop or an iteration early */
    enum { ENDS = 1 << IR_BREAK | 1 << IR_CONTINUE | 1 << IR_RETURN | 1 << IR_WHILE };
    const Type *type = loop->for_.var->type;
    return type_is_integer(type) && (type == type_int64 || type_size(type) <= 4) &&
           ir_is_integer(loop->for_.step, 1) && !loop->for_.sum_count && !loop->for_.unroll &&
           sets_loop(&r->sets, loop->for_.var) == loop && !ir_region_has(&loop->for_.body, ENDS);
}

static bool has_room(const RaggedLoop *loop)
{
    int64_t bytes = 0;
    for (int i = 0; i < loop->count; i++)
        bytes += loop->elements[i].used || loop->elements[i].stored
                     ? (int64_t)type_size(loop->elements[i].array->type->array.element)
                     : 0;
    return bytes * (RAGGED_ITERATIONS + RAGGED_ITERATIONS / WARP_LANES) * FRONT_THREADS /
               WARP_LANES <=
           RAGGED_BYTES;
}

/* Whether bounds are a thread's own: those that all have alike are for rows.c. */
static bool is_ragged(const IrStmt *loop)
{
    return !ir_uniform_value(loop->for_.start) && !ir_uniform_value(loop->for_.stop);
}

/* What decides whether a thread comes to a loop, beside what says where its row lies. */
typedef struct ByData {
    const Ragged *r;
    const IrStmt *loop;
    const IrVar *array; /* that a condition reads */
    bool found, bounds; /* there is such a one; the array says where rows lie, too */
} ByData;

static void note_bound(void *context, IrValue *load)
{
    ByData *by = context;
    by->bounds |= ir_array_base(load->operands[0]) == by->array;
}

static void note_condition(void *context, IrValue *load)
{
    ByData *by = context;
    by->array = ir_array_base(load->operands[0]);
    by->bounds = false;
    sets_each_load(&by->r->sets, by->loop->for_.start, note_bound, by);
    sets_each_load(&by->r->sets, by->loop->for_.stop, note_bound, by);
    by->found |= !by->bounds;
}

/* Whether data decides that, so that the rows of those that do are not one behind the other. */
static bool is_by_data(const Ragged *r, const IrStmt *loop, const Terms *terms)
{
    ByData by = { .r = r, .loop = loop };
    for (int i = 0; i < terms->count; i++)
        sets_each_load(&r->sets, terms->list[i], note_condition, &by);
    return by.found;
}

static void try_loop(Ragged *r, IrStmt *stmt, const Terms *terms)
{
    RaggedLoop loop = { .loop = stmt };
    bool dense = false;
    const char *why = NULL;
    if (!counts_by_one(r, stmt) || !is_ragged(stmt))
        return;
    front_accesses(stmt, add_access, &(RaggedAdding){ r, &loop });
    ir_each_stmt(&stmt->for_.body, note_stmt, &loop);
    for (int i = 0; i < loop.count; i++) {
        dense |= is_dense(r, &loop, &loop.elements[i]);
        why = why ? why : forbids(r, &loop, &loop.elements[i]);
    }
    if (!dense && !why)
        why = "no array of its own is read at the counter in every iteration";
    if (!has_room(&loop) && !why)
        why = "there is no room for so much in shared memory";
    Directive own = { DO_RAGGED, .loop = schedule_loop(stmt), .site = stmt, .span = stmt->span };
    if (why)
        schedule_refuse(r->unit, own, stmt->span, why);
    if (why && dense && !r->remarked)
        ir_remark(r->unit, stmt->span, "rows could go through shared memory, but %s", why);
    loop.directive =
        why ? NULL : schedule_take(r->unit, own, r->pays && !is_by_data(r, stmt, terms));
    if (loop.directive)
        array_push(r->unit->arena, r->loops, r->count, r->capacity) = loop;
}

static void note_pays(void *context, IrStmt *stmt)
{
    Ragged *r = context;
    r->pays |= stmt->kind == IR_STORE;
}

/* Whether a loop begins elsewhere for each thread: those that share a row, as the four of i // 4
** do, have none that lie one behind the other. */
static bool begins_apart(const Ragged *r, const IrStmt *loop)
{
    const IrAffine affine = ir_affine(r->unit, NULL);
    const IrValue *start = sets_behind_casts(&r->sets, loop->for_.start);
    int64_t slope;
    if (start->op != OP_load)
        return affine_slope(&affine, start, 0, &slope) && slope;
    for (int i = 1; i < start->count; i++)
        if (affine_slope(&affine, start->operands[i], 0, &slope) && slope)
            return true;
    return false;
}

static void look_at_loop(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_FOR && is_ragged(stmt) && begins_apart(context, stmt))
        ir_each_stmt(&stmt->for_.body, note_pays, context);
}

/* Loops that threads come to on their own way, through conditions alone. */
static void find_loops(Ragged *r, IrStmt *first, Terms terms)
{
    int around = terms.count;
    for (IrStmt *stmt = first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_FOR) {
            try_loop(r, stmt, &terms);
        } else if (stmt->kind == IR_IF && !stmt->if_.otherwise.first) {
            guard_terms(r->unit->arena, &terms, stmt->if_.condition, true);
            find_loops(r, stmt->if_.then.first, terms);
            terms.count = around;
        }
}

const RaggedLoop *ragged_loop(const Ragged *r, const IrStmt *stmt)
{
    for (int i = 0; i < r->count; i++)
        if (r->loops[i].loop == stmt)
            return &r->loops[i];
    return NULL;
}

bool ragged_inside(const Ragged *r, const IrStmt *stmt)
{
    bool inside = ragged_loop(r, stmt);
    if (stmt->kind == IR_IF)
        for (const IrStmt *in = stmt->if_.then.first; in && !inside; in = in->next)
            inside = ragged_inside(r, in);
    return inside;
}

/* ---- the pass -------------------------------------------------------------------------------- */

void ragged_look(Ragged *r, const Guarded *guarded)
{
    *r = (Ragged){ .unit = r->unit, .remarked = r->remarked };
    r->sets = ir_sets(r->unit->arena, r->unit->kernel, &r->unit->kernel->body);
    ir_each_stmt(&r->unit->kernel->body, look_at_loop, r);
    Terms terms = { guarded->terms, guarded->term_count, guarded->term_count };
    find_loops(r, (IrStmt *)guarded->rest, terms);
    r->remarked = true;
}

void ir_ragged(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Ragged r = { .unit = unit };
    Span span;
    if (!guard_begin(unit))
        return;
    IrLaunch before = *unit->launch;
    Guarded guarded = guard_find(unit->arena, fn);
    const char *why = ir_dependent(unit, &span);
    if (guarded.rest && !why && ir_goes_along(fn, 1, false))
        ragged_look(&r, &guarded);
    if (why)
        schedule_refuse_all(unit, DO_RAGGED, span, why);
    if (r.count && (schedule_is_given(unit) || launch_large_grid(unit->launch, GRID_X_64)))
        ragged_make(&r, &guarded);
    else if (!r.count)
        *unit->launch = before; /* the code depends on none of what was asked */
}
