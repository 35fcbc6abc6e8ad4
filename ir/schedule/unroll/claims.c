/* Atomics whose result is used, of iterations that begin at once: all of them come before what is
** done with what they found, and those that add to one counter are one for all lanes of a warp.
**
**     for i in grid(0) to n by gridsize(0)
**         if gt(load(x, i), limit)
**             place = atomic_add(count, 0, 1)
**             store kept[place] = i
** becomes, of the iterations i_0 to i_7,
**     for k in 0 to 8 unroll
**         store claimed[k] = 0
**         if gt(load(x_held, k), limit)
**             store claimed[k] = 1
**     eval atomic_add_each(count, 0, claimed, 1)
**     for k in 0 to 8 unroll
**         if gt(load(x_held, k), limit)
**             place = load(claimed, k)
**             store kept[place] = i_k
** and where elements differ, as in atomic_add(seen, load(x, i), 1), the first loop has the atomics.
**
** Legal for atomics that change an element and order nothing else, in the iterations' order, if
** - nothing else in the loop may come to that element: then the thread's own order of what it does
**   to it stays; other memory is in no order with an atomic where no fence makes one;
** - whether an iteration comes to the atomic, and with what, is decided by what it sets itself,
**   what the loop leaves alone, and what is read from arguments that the kernel only reads and that
**   overlap no other: so it can be computed before all iterations, and again behind them, in the
**   same way.
** One for all lanes is it of sums of a constant that is not 0, to one element that the whole loop
** and all lanes agree on: lanes have no order among them, and the hardware could have taken one
** after the other.
**
** Pays always: answers are waited for once, and iterations and lanes queue for a counter once. */
#include "ir/schedule/unroll/unroll.h"

#include "ir/builder.h"

typedef struct Path {
    const Unroll *u;
    Claim *claim;
    bool changed, bad;
} Path;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Whether a load gives the same at any time of the kernel. */
static bool is_only_read(const Unroll *u, const IrValue *load)
{
    const IrValue *array = load->operands[0];
    return array->op == OP_var && load->index == 0 && ir_only_read(u->unit, array->var);
}

bool unroll_only_read(const Unroll *u)
{
    for (int i = 0; i < u->count; i++)
        if (!is_only_read(u, u->lifted[i].access->load))
            return false;
    return true;
}

static bool is_constant_index(const IrValue *index)
{
    return ir_is_constant(index) && index->constant.integer >= 0;
}

/* Whether two atomics on one array are of elements whose numbers differ. */
static bool elements_differ(const IrValue *a, const IrValue *b)
{
    if (!a || !b || a->operands[0]->op != OP_var || b->operands[0]->op != OP_var ||
        a->operands[0]->var != b->operands[0]->var ||
        a->operands[0]->type->array.layout == LAYOUT_A)
        return false;
    for (int i = 1; i <= a->operands[0]->type->array.rank; i++)
        if (is_constant_index(a->operands[i]) && is_constant_index(b->operands[i]) &&
            a->operands[i]->constant.integer != b->operands[i]->constant.integer)
            return true;
    return false;
}

/* Whether nothing else in the loop may come to what an atomic comes to. */
static bool is_element_alone(const Unroll *u, const IrStmt *stmt)
{
    const IrValue *atomic = atomic_of(stmt);
    const Access own = { .array = atomic->operands[0] };
    for (int i = 0; i < u->accesses.count; i++) {
        const Access *access = &u->accesses.list[i];
        if (access->stmt != stmt && unroll_meet(u, &own, access) &&
            !elements_differ(atomic, atomic_of(access->stmt)))
            return false;
    }
    return true;
}

/* ---- the way to an atomic -------------------------------------------------------------------- */

typedef struct Clean {
    const Path *path;
    bool all;
} Clean;

static void clean_node(void *context, IrValue *value)
{
    Clean *clean = context;
    const Path *path = clean->path;
    if (value->op == OP_load)
        clean->all &= is_only_read(path->u, value);
    else if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect != EFFECT_NONE)
        clean->all = false;
    if (value->op == OP_var && sets_any(&path->u->accesses.sets, value->var))
        clean->all &= path->u->own[value->var->id] && !path->claim->unknown[value->var->id];
}

/* Whether a value is known before all iterations, and the same behind them. */
static bool is_clean(const Path *path, const IrValue *value)
{
    Clean clean = { path, true };
    ir_each_node((IrValue *)value, clean_node, &clean);
    return clean.all;
}

static bool are_operands_clean(const Path *path, const IrValue *atomic)
{
    bool clean = true;
    for (int i = 1; i < atomic->count; i++)
        clean &= is_clean(path, atomic->operands[i]);
    return clean;
}

static void forget(Path *path, const IrVar *var)
{
    path->changed |= !path->claim->unknown[var->id];
    path->claim->unknown[var->id] = true;
}

/* What is set, or left, where it is not known whether. */
static void forget_stmt(void *context, IrStmt *stmt)
{
    Path *path = context;
    if (stmt->kind == IR_SET)
        forget(path, stmt->set.var);
    path->bad |= stmt->kind == IR_CONTINUE;
}

/* What comes before the atomic; true behind it. */
static bool go(Path *path, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt == path->claim->stmt) {
            path->bad |= !are_operands_clean(path, stmt->set.value);
            return true;
        }
        if (stmt->kind == IR_SET && !is_clean(path, stmt->set.value))
            forget(path, stmt->set.var);
        if (stmt->kind != IR_IF)
            continue;
        bool clean = is_clean(path, stmt->if_.condition);
        bool then = ir_region_holds(&stmt->if_.then, path->claim->stmt);
        if (then || ir_region_holds(&stmt->if_.otherwise, path->claim->stmt)) {
            path->bad |= !clean;
            return go(path, then ? &stmt->if_.then : &stmt->if_.otherwise);
        }
        if (clean) {
            go(path, &stmt->if_.then);
            go(path, &stmt->if_.otherwise);
        } else {
            ir_each_stmt(&stmt->if_.then, forget_stmt, path);
            ir_each_stmt(&stmt->if_.otherwise, forget_stmt, path);
        }
    }
    return false;
}

static bool is_way_known(const Unroll *u, Claim *claim)
{
    Path path = { .u = u, .claim = claim };
    claim->unknown = arena_array(u->unit->arena, bool, u->unit->kernel->var_count + 1);
    do {
        path.changed = false;
        go(&path, &u->loop->for_.body);
    } while (path.changed);
    return !path.bad;
}

/* ---- which ----------------------------------------------------------------------------------- */

/* Whether all iterations come to one element. */
static bool is_one_element(const Unroll *u, const IrValue *atomic)
{
    for (int i = 1; i < atomic->count - 1; i++)
        if (!sets_invariant(&u->accesses.sets, atomic->operands[i], NULL))
            return false;
    return true;
}

static bool is_of_parameter(const IrValue *atomic)
{
    const IrValue *array = atomic->operands[0];
    return array->op == OP_var && array->var->kind == VAR_PARAM &&
           type_is_scalar(array->type->array.element);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    Unroll *u = context;
    const IrValue *atomic = stmt->kind == IR_SET ? atomic_of(stmt) : NULL;
    Claim claim = { .stmt = stmt };
    if (!atomic || u->claim_count == CLAIMS_MOST || !atomic_is_plain(atomic) ||
        !is_of_parameter(atomic) || !u->own[stmt->set.var->id] || !is_element_alone(u, stmt) ||
        !is_way_known(u, &claim))
        return;
    claim.one = atomic_counts(atomic) && is_one_element(u, atomic);
    u->claims[u->claim_count++] = claim;
}

void unroll_find_claims(Unroll *u)
{
    ir_each_stmt(&u->loop->for_.body, look_at_stmt, u);
}

/* ---- the way anew ---------------------------------------------------------------------------- */

static void clone_way(const IrClone *clone, const Claim *claim, const IrRegion *region,
                      IrRegion *out);

/* Where it is not known whether a branch is taken, nothing in it is known, and it is gone. */
static bool clone_branch(const IrClone *clone, const Claim *claim, const IrStmt *stmt,
                         IrRegion *out)
{
    IrStmt *branch = ir_if(clone->arena, ir_clone_value(clone, stmt->if_.condition), stmt->span);
    bool then = ir_region_holds(&stmt->if_.then, claim->stmt);
    bool otherwise = ir_region_holds(&stmt->if_.otherwise, claim->stmt);
    if (!otherwise)
        clone_way(clone, claim, &stmt->if_.then, &branch->if_.then);
    if (!then)
        clone_way(clone, claim, &stmt->if_.otherwise, &branch->if_.otherwise);
    if (branch->if_.then.first || branch->if_.otherwise.first)
        ir_append(out, branch);
    return then || otherwise;
}

/* Copies what is known on the way to the atomic, which the clone's own makes. */
static void clone_way(const IrClone *clone, const Claim *claim, const IrRegion *region,
                      IrRegion *out)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt == claim->stmt) {
            clone->stmt(clone, stmt, out);
            return;
        }
        bool set = stmt->kind == IR_SET && !claim->unknown[stmt->set.var->id];
        if (set || stmt->kind == IR_CONTINUE)
            ir_append(out, ir_clone_stmt(clone, stmt));
        if (stmt->kind == IR_IF && clone_branch(clone, claim, stmt, out))
            return;
    }
}

void unroll_clone_way(const IrClone *clone, const Unroll *u, const Claim *claim, IrRegion *out)
{
    clone_way(clone, claim, &u->loop->for_.body, out);
}
