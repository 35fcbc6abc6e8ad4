/* Floats that become int64, as coordinates do, are asked once whether 32 bits hold them:
**
**     f = sub(mul(x, scale), 0.5)          f = sub(mul(x, scale), 0.5)
**     i = cast<int64>(floor(f))            if lt(fabs(f), 1073741824.0)
**     store y[x] = load(a, max(i, 0))          i.2 = cast<int64>(floor(f))
**                                     =>       store y[x] = load(a, max(i.2, 0))
**                                          else
**                                              i = cast<int64>(floor(f))
**                                              store y[x] = load(a, max(i, 0))
**
** Legal always, as both branches compute the same, except for what synchronises with other threads:
** all of these must come to the same barrier. Behind the condition narrow.c finds that 32 bits do.
**
** What held.c has made an int32 before is not asked.
**
** Pays on a GPU, where conversions, comparisons and products of 64 bits are several instructions,
** or slow ones; not where other conditions say as much already, and not for long texts.
**
** The same of loops that divide what they count, to an end that may take more bits, as a product of
** extents may: counters.
**
**     for i in t to mul(mul(n, h), w) by 256    _end = mul(mul(n, h), w)
**         s = add(s, load(x, floordiv(i, w)))   if le(_end, 1073741824)
**                                           =>      for i in t to _end by 256
**                                                       s = add(s, load(x, floordiv(i, w)))
**                                               else
**                                                   the same */
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum {
    FLOATS_MOST = 8,
    NODES_MOST = 400 /* of what is copied */
};

typedef struct Floats {
    IrUnit *unit;
    IrSets sets;
    IrBounds *bounds; /* NULL until what may pay is there: most kernels have nothing such */
    IrMagnitude *magnitude;
    int *reads;                  /* by IrVar.id, of the kernel */
    IrSets rest;                 /* of what is copied */
    int *inside;                 /* reads there */
    IrValue *asked[FLOATS_MOST]; /* what the condition asks */
    int count, nodes;
} Floats;

/* Whether 32 bits are known to hold a variable. */
static bool is_short(Floats *f, const IrVar *var)
{
    const IrFunc *fn = f->unit->kernel;
    if (!f->bounds) {
        f->sets = ir_sets(f->unit->arena, fn, &fn->body);
        f->reads = ir_reads(f->unit->arena, fn, &fn->body);
        f->bounds = ir_bounds(f->unit);
    }
    return interval_fits(bounds_of_var(f->bounds, var), type_int32);
}

static bool keeps_order(const IrValue *value)
{
    if (value->op == OP_intrinsic)
        return value->intrinsic == INTR_floor || value->intrinsic == INTR_ceil ||
               value->intrinsic == INTR_trunc;
    return value->op == OP_cast && type_is_float(value->operands[0]->type) &&
           type_size(value->operands[0]->type) <= type_size(value->type);
}

/* The float that a statement makes an int64 of; NULL: it does no such thing, or it is known that 32
** bits hold it. */
static IrValue *float_of(Floats *f, const IrStmt *stmt)
{
    if (stmt->kind != IR_SET || stmt->set.var->type != type_int64 || stmt->set.value->op != OP_cast)
        return NULL;
    IrValue *value = stmt->set.value->operands[0];
    if (value->type != type_float32 && value->type != type_float64)
        return NULL;
    while (keeps_order(value))
        value = value->operands[0];
    return ir_is_constant(value) || is_short(f, stmt->set.var) ? NULL : value;
}

static void count_node(void *context, IrValue *value)
{
    Floats *f = context;
    f->nodes++;
    if (value->op == OP_var)
        f->inside[value->var->id]++;
}

/* Whether what begins at a statement can be copied; finds what the condition is to ask. */
static bool look_at_rest(Floats *f, const IrRegion *rest)
{
    const IrFunc *fn = f->unit->kernel;
    f->rest = ir_sets(f->unit->arena, fn, rest);
    f->inside = arena_array(f->unit->arena, int, fn->var_count + 1);
    f->count = f->nodes = 0;
    ir_each_node_in(rest, count_node, f);
    for (IrStmt *stmt = rest->first; stmt; stmt = stmt->next) {
        IrValue *value = float_of(f, stmt);
        bool known = stmt == rest->first || (value && sets_invariant(&f->rest, value, NULL));
        if (value && known && f->count < FLOATS_MOST)
            f->asked[f->count++] = value;
    }
    return f->count > 0 && f->nodes <= NODES_MOST && !sets_arrays(&f->rest, f->unit->kernel) &&
           !(ir_region_effects(rest) & EFFECT_BEYOND_MEMORY);
}

/* Appends variables that hold what the condition asks. */
static void name_floats(Floats *f, const IrBuilder *b, IrRegion *out)
{
    for (int i = 0; i < f->count; i++) {
        IrValue *value = f->asked[i];
        if (value->op == OP_var)
            continue;
        IrVar *var = build_temporary(b, "_float", value->type);
        build_set(b, var, ir_copy_value(b->arena, value), out);
        *value = *build_var(b, var);
    }
}

static IrValue *condition_of(const Floats *f, const IrBuilder *b)
{
    const double far = 0x1p30; /* with room for what is added */
    IrValue *all = NULL;
    for (int i = 0; i < f->count; i++) {
        const Type *type = f->asked[i]->type;
        IrValue *size = ir_intrinsic(b->arena, INTR_fabs, type, b->span,
                                     build_var(b, f->asked[i]->var), NULL, NULL);
        IrValue *most = ir_number(b->arena, type, far, b->span);
        all = ir_both(b->arena, all, ir_binary(b->arena, OP_lt, size, most, b->span));
    }
    return all;
}

/* Other variables for what is the text's own, in the copy. */
static IrVar **own_vars(const Floats *f, const IrBuilder *b)
{
    IrVar **vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1);
    const IrUses part = { f->rest.count, f->inside }, all = { f->sets.count, f->reads };
    build_own_vars(b, f->sets.var_count, part, all, vars);
    return vars;
}

/* Puts a statement and all behind it in its region under a condition; false: it stays. */
static bool ask_once(Floats *f, IrRegion *region, IrStmt *stmt)
{
    const IrBuilder b[1] = { { f->unit->arena, f->unit->kernel, stmt->span } };
    IrRegion names = { 0 }, rest = { stmt, region->last };
    if (!look_at_rest(f, &rest))
        return false;
    name_floats(f, b, &names);
    IrStmt *branch = ir_if(b->arena, condition_of(f, b), stmt->span);
    ir_insert_region(region, stmt, names);
    ir_insert_before(region, stmt, branch);
    rest = ir_take_rest(region, branch);
    const IrClone clone = { .arena = b->arena, .vars = own_vars(f, b) };
    ir_clone_region(&clone, &rest, &branch->if_.then);
    ir_append_region(&branch->if_.otherwise, rest);
    return true;
}

/* ---- counters -------------------------------------------------------------------------------- */

static bool divides_wide(const IrValue *value)
{
    return (value->op == OP_floordiv || value->op == OP_mod) && value->type == type_int64;
}

static void note_division(void *context, IrValue *value)
{
    Floats *f = context;
    if (divides_wide(value))
        ir_each_node(value->operands[0], count_node, f);
}

/* Whether a loop counts in an int64 that 32 bits may not hold, only for where it ends, and divides
** what it counts. */
static bool may_ask_count(Floats *f, const IrStmt *loop)
{
    const IrVar *counter = loop->for_.var;
    if (counter->type != type_int64 || loop->for_.stop->type != type_int64 ||
        ir_is_constant(loop->for_.stop) || !ir_region_has_node(&loop->for_.body, divides_wide))
        return false;
    f->inside = arena_array(f->unit->arena, int, f->unit->kernel->var_count + 1);
    ir_each_node_in(&loop->for_.body, note_division, f);
    return f->inside[counter->id] > 0 && magnitude_bits(f->magnitude, loop->for_.start) <= 31 &&
           !is_short(f, counter);
}

static bool look_at_loop(Floats *f, const IrStmt *loop)
{
    const IrFunc *fn = f->unit->kernel;
    f->rest = ir_sets_of_loop(f->unit->arena, fn, loop);
    f->inside = arena_array(f->unit->arena, int, fn->var_count + 1);
    f->nodes = 0;
    ir_each_node_of(loop, count_node, f);
    return f->nodes <= NODES_MOST && !sets_arrays(&f->rest, f->unit->kernel) &&
           !(ir_stmt_effects(loop) & EFFECT_BEYOND_MEMORY);
}

static void ask_count(Floats *f, IrRegion *region, IrStmt *loop)
{
    const IrBuilder b[1] = { { f->unit->arena, f->unit->kernel, loop->span } };
    if (!may_ask_count(f, loop) || !look_at_loop(f, loop))
        return;
    IrRegion names = { 0 };
    IrVar *end = build_temporary(b, "_end", type_int64);
    build_set(b, end, loop->for_.stop, &names);
    ir_insert_region(region, loop, names);
    loop->for_.stop = build_var(b, end);
    IrValue *condition = build_op(b, OP_le, end, build_int(b, INT64_C(1) << 30));
    const IrClone clone = { .arena = b->arena, .vars = own_vars(f, b) };
    ir_ask_loop(&clone, region, loop, condition);
}

static void ask_loop(void *context, IrRegion *region, IrStmt *stmt)
{
    if (stmt->kind == IR_FOR && !ir_has_loop(&stmt->for_.body))
        ask_count(context, region, stmt);
}

void ir_counters(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!ir_region_has_node(&fn->body, divides_wide) || !launch_narrow(unit->launch))
        return;
    Floats f = { .unit = unit, .magnitude = ir_magnitude(unit->arena, fn, unit->launch) };
    ir_change_stmts(&fn->body, ask_loop, &f);
}

/* ---- floats ---------------------------------------------------------------------------------- */

static void visit_region(Floats *f, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (float_of(f, stmt) && ask_once(f, region, stmt))
            return;
        IrRegion *inner[2];
        int count = ir_regions(stmt, inner);
        for (int i = 0; i < count; i++)
            visit_region(f, inner[i]);
    }
}

static bool is_from_float(const IrValue *value)
{
    return value->op == OP_cast && value->type == type_int64 &&
           type_is_float(value->operands[0]->type);
}

void ir_floats(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!ir_region_has_node(&fn->body, is_from_float) || !launch_narrow(unit->launch))
        return;
    Floats f = { .unit = unit };
    visit_region(&f, &fn->body);
}
