/* For the processor: loops over threads part into those at borders and those between.
**
**     for at in low to high                        inside = clamp(0 - u, low, high)
**         x = min(max(at + u, 0), w - 1)           beyond = clamp(w - u, inside, high)
**         out[at] = a[x]               becomes     for part in 0 to 3
**                                                      if part == 1
**                                                          for at in inside to beyond
**                                                              out[at] = a[at + u]
**                                                      else
**                                                          ... as it was, from low to inside and
**                                                          from beyond to high
**
** Between the borders a clamped index is none, a remainder by the extent is what is divided, and
** a branch that asks for the border is taken: what is left goes along memory.
**
** Iterations keep their order. LEGAL where an index and what it is compared with differ
** from iteration to iteration by the counter alone, the counters of loops inside taken at their
** ends, and are far from where 64 bits end. Where no iteration lies between, none is made there.
** PAYS where memory is read at such an index, or behind such a condition. */
#include "ir/analysis/affine.h"
#include "ir/analysis/polynomial.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/tile/tiles.h"

enum { CUTS_MOST = 32, BODY_MOST = 600, FEW_BITS = 5 };

/* What a node is between the borders: whether it holds, of a condition, or its operand. */
typedef struct Inner {
    const IrValue *node, *operand;
    bool holds;
    bool never_negative;
} Inner;

/* A loop, and what lies between its borders. */
typedef struct Border {
    IrRegion *region;
    IrStmt *loop;
    IrSets sets;
    IrValue *low[CUTS_MOST], *high[CUTS_MOST]; /* the counter is at least, and below */
    Inner inner[CUTS_MOST];
    const IrValue *rising[CUTS_MOST]; /* indices that are not negative then */
    int low_count, high_count, inner_count, rising_count;
    struct Border *next;
} Border;

typedef struct BorderPass {
    IrUnit *unit;
    IrMagnitude *magnitude;
    IrPolynomials sums;
    bool short_loop; /* the loop at hand makes few iterations: what is asked there is but a mask */
    int count;       /* of the variables that there were */
    int *mentions;   /* by IrVar.id: of these, in the kernel */
    IrSets sets;     /* of it */
    Border *at, *all;
} BorderPass;

/* ---- where indices are ----------------------------------------------------------------------- */

static bool is_tame(const BorderPass *w, const IrValue *value)
{
    return type_is_integer(value->type) && type_is_signed(value->type) &&
           magnitude_bits(w->magnitude, value) < FAR_BITS;
}

static const IrValue *cut_at(BorderPass *w, const IrValue *node);
static IrValue *rest_of(BorderPass *w, const IrValue *value, bool high, int *slope);

/* The end of what a loop inside counts. */
static IrValue *end_of_counter(BorderPass *w, const IrStmt *inner, bool high)
{
    int slope = 0;
    const IrBuilder b[1] = { { w->unit->arena, w->unit->kernel, inner->span } };
    if (!ir_is_integer(inner->for_.step, 1))
        return NULL;
    IrValue *end = rest_of(w, high ? inner->for_.stop : inner->for_.start, high, &slope);
    return !end || slope ? NULL : high ? build_plus(b, end, -1) : end;
}

static IrValue *rest_of_var(BorderPass *w, const IrVar *var, bool high, int *slope)
{
    const IrStmt *inner = sets_loop(&w->sets, var);
    const IrValue *set = sets_value(&w->sets, var);
    if (inner)
        return end_of_counter(w, inner, high);
    return set && sets_is_short(&w->sets, set) ? rest_of(w, set, high, slope) : NULL;
}

/* The least or greatest number that a value is beyond `slope` times the counter; NULL: that is not
** known. */
static IrValue *rest_of(BorderPass *w, const IrValue *value, bool high, int *slope)
{
    Arena *arena = w->unit->arena;
    const IrVar *counter = w->at->loop->for_.var;
    int right = 0;
    if (ir_is_var(value, counter)) {
        ++*slope;
        return ir_integer(arena, type_int64, 0, value->span);
    }
    if (type_is_integer(value->type) && sets_invariant(&w->at->sets, value, NULL))
        return ir_cast(arena, type_int64, ir_copy_value(arena, value), value->span);
    if (value->op == OP_var)
        return rest_of_var(w, value->var, high, slope);
    if (value->op == OP_cast && type_is_integer(value->type) && type_is_signed(value->type) &&
        type_is_integer(value->operands[0]->type) && type_is_signed(value->operands[0]->type) &&
        (ir_keeps_value(value) ||
         magnitude_bits(w->magnitude, value->operands[0]) <= magnitude_type_bits(value->type)))
        return rest_of(w, value->operands[0], high, slope);
    const IrValue *inner = cut_at(w, value);
    if (inner)
        return rest_of(w, inner, high, slope);
    if (value->type != type_int64 || (value->op != OP_add && value->op != OP_sub))
        return NULL;
    bool minus = value->op == OP_sub;
    IrValue *a = rest_of(w, value->operands[0], high, slope);
    IrValue *b = a ? rest_of(w, value->operands[1], high != minus, &right) : NULL;
    *slope += minus ? -right : right;
    return b ? ir_binary(arena, value->op, a, b, value->span) : NULL;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static bool add_once(IrValue **list, int *count, IrValue *value)
{
    for (int i = 0; i < *count; i++)
        if (ir_same_value(list[i], value))
            return true;
    if (*count >= CUTS_MOST)
        return false;
    list[(*count)++] = value;
    return true;
}

typedef enum CutSide { CUT_LEFT, CUT_RIGHT, CUT_EITHER } CutSide;

/* Has `left < right`, or with `or_equal` <=, hold between the borders, where the counter is on that
** side; false: that cannot be said. */
static bool cut(BorderPass *w, const IrValue *left, const IrValue *right, bool or_equal,
                CutSide side)
{
    Border *at = w->at;
    int slopes[2] = { 0, 0 };
    if (!is_tame(w, left) || !is_tame(w, right))
        return false;
    IrValue *l = rest_of(w, left, true, &slopes[0]);
    IrValue *r = l ? rest_of(w, right, false, &slopes[1]) : NULL;
    bool is_left = slopes[0] == 1 && slopes[1] == 0, is_right = slopes[0] == 0 && slopes[1] == 1;
    if (!r || !(is_left || is_right) || (side == CUT_LEFT && !is_left) ||
        (side == CUT_RIGHT && !is_right))
        return false;
    const IrBuilder b[1] = { { w->unit->arena, w->unit->kernel, left->span } };
    if (is_left)
        return add_once(at->high, &at->high_count,
                        build_plus(b, build_op(b, OP_sub, r, l), or_equal));
    return add_once(at->low, &at->low_count, build_plus(b, build_op(b, OP_sub, l, r), !or_equal));
}

static const Inner *inner_of(const Border *at, const IrValue *node)
{
    for (int i = 0; i < at->inner_count; i++)
        if (at->inner[i].node == node)
            return &at->inner[i];
    return NULL;
}

static bool note_inner(Border *at, Inner inner)
{
    if (at->inner_count >= CUTS_MOST)
        return false;
    at->inner[at->inner_count++] = inner;
    return true;
}

static bool is_no_less(const IrValue *value, int64_t than)
{
    return ir_is_constant(value) && value->constant.integer >= than;
}

/* What a remainder is taken of, without the divisor that may be added lest it be negative. */
static const IrValue *remainder_of(const BorderPass *w, const IrValue *of, const IrValue *by)
{
    const IrValue *less =
        by->op == OP_var && is_tame(w, of) ? affine_without(w->unit->arena, of, by->var) : NULL;
    return less ? less : of;
}

/* What a clamped index, or a remainder, is between the borders; NULL: not that. */
static const IrValue *cut_at(BorderPass *w, const IrValue *node)
{
    const IrValue *const *at = (const IrValue *const *)node->operands;
    const Inner *known = inner_of(w->at, node);
    if (known)
        return known->operand;
    if (node->type != type_int64)
        return NULL;
    if (node->op == OP_mod) {
        if (ir_is_constant(at[1]))
            return NULL; /* which rows of a tile are as long as, rather than an array */
        const IrValue *none = ir_integer(w->unit->arena, type_int64, 0, node->span);
        const IrValue *of = remainder_of(w, at[0], at[1]);
        bool cuts = cut(w, none, of, true, CUT_RIGHT) && cut(w, of, at[1], false, CUT_LEFT) &&
                    note_inner(w->at, (Inner){ node, of, false, true });
        return cuts ? of : NULL;
    }
    bool least = ir_is_intrinsic(node, INTR_min);
    if (!least && !ir_is_intrinsic(node, INTR_max))
        return NULL;
    for (int i = 0; i < 2; i++) {
        const IrValue *own = at[i], *other = at[1 - i];
        bool cuts =
            least ? cut(w, own, other, true, CUT_LEFT) : cut(w, other, own, true, CUT_RIGHT);
        Inner inner = { node, own, false, !least && is_no_less(other, 0) };
        if (cuts)
            return note_inner(w->at, inner) ? own : NULL;
    }
    return NULL;
}

/* ---- what there is to cut -------------------------------------------------------------------- */

/* Has a comparison hold between the borders, as far as it can be said. */
static void want_less(void *context, const TileLess *less)
{
    BorderPass *w = context;
    if (!inner_of(w->at, less->node) && cut(w, less->left, less->right, less->or_equal, CUT_EITHER))
        note_inner(w->at, (Inner){ less->node, NULL, less->holds, false });
}

static void want(BorderPass *w, const IrValue *condition, bool wanted)
{
    tiles_each_less(&w->sets, &w->at->sets, condition, wanted, want_less, w);
}

static void look_at_node(void *context, IrValue *value)
{
    BorderPass *w = context;
    cut_at(w, value);
    if (w->short_loop || value->op != OP_select)
        return;
    bool then = ir_has_node(value->operands[1], ir_is_load);
    if (then != ir_has_node(value->operands[2], ir_is_load))
        want(w, value->operands[0], then);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    BorderPass *w = context;
    if (!w->short_loop && stmt->kind == IR_IF &&
        !stmt->if_.then.first != !stmt->if_.otherwise.first) {
        const IrRegion *way = stmt->if_.then.first ? &stmt->if_.then : &stmt->if_.otherwise;
        if (ir_region_has_node(way, ir_is_load))
            want(w, stmt->if_.condition, way == &stmt->if_.then);
    }
    ir_each_own_node(stmt, look_at_node, w);
}

static bool rises(const Border *at, const IrValue *value)
{
    for (int i = 0; i < at->rising_count; i++)
        if (at->rising[i] == value)
            return true;
    return false;
}

/* Whether an index is not negative from some cut on: the least that it is beyond the counter, and
** that, are no less than 0 together. */
static void note_rising(BorderPass *w, IrValue *index)
{
    Border *at = w->at;
    int slope = 0;
    bool plain = index->op == OP_var || index->op == OP_add || index->op == OP_sub;
    if (!plain || !is_tame(w, index) || ir_nonnegative(index) || rises(at, index) ||
        at->rising_count >= CUTS_MOST)
        return;
    IrValue *rest = rest_of(w, index, false, &slope);
    if (!rest || slope != 1)
        return;
    IrPolynomial beyond = polynomial_of(&w->sums, rest);
    for (int i = 0; i < at->low_count; i++) {
        IrPolynomial low = polynomial_of(&w->sums, at->low[i]),
                     least = polynomial_plus(&low, &beyond, 1);
        if (least.count == 0 ||
            (least.count == 1 && !least.terms[0].count && least.terms[0].factor >= 0)) {
            at->rising[at->rising_count++] = index;
            return;
        }
    }
}

static void rise_node(void *context, IrValue *value)
{
    for (int i = 1; value->op == OP_load && i < value->count; i++)
        note_rising(context, value->operands[i]);
}

static void rise_stmt(void *context, IrStmt *stmt)
{
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        note_rising(context, stmt->store.indices[i]);
    ir_each_own_node(stmt, rise_node, context);
}

static void look_at_region(BorderPass *w, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind != IR_FOR || !stmt->for_.any_order) {
            for_each_region (inner, stmt)
                look_at_region(w, inner);
            continue;
        }
        if (stmt->for_.var->type != type_int64 || !ir_is_integer(stmt->for_.step, 1) ||
            ir_node_count_in(&stmt->for_.body) > BODY_MOST)
            continue;
        Border *border = w->at = arena_new(w->unit->arena, Border);
        *border = (Border){ .region = region, .loop = stmt, .next = w->all };
        w->short_loop = ir_is_constant(sets_behind(&w->sets, stmt->for_.stop)) ||
                        magnitude_bits(w->magnitude, stmt->for_.stop) <= FEW_BITS;
        border->sets = ir_sets_of_loop(w->unit->arena, w->unit->kernel, stmt);
        ir_each_stmt(&stmt->for_.body, look_at_stmt, w);
        if (!border->inner_count)
            continue;
        ir_each_stmt(&stmt->for_.body, rise_stmt, w);
        w->all = border;
    }
}

/* ---- loops between ------------------------------------------------------------------------ */

/* An index that is not negative. */
static IrValue *rising_value(const IrClone *clone, const IrValue *value)
{
    if (value->op == OP_var)
        return ir_never_negative(
            ir_var(clone->arena, ir_clone_var(clone, value->var), value->span));
    return ir_never_negative(ir_binary(clone->arena, value->op,
                                       ir_clone_value(clone, value->operands[0]),
                                       ir_clone_value(clone, value->operands[1]), value->span));
}

/* `and` of what is left of both sides. */
static IrValue *inner_and(const IrClone *clone, const IrValue *value)
{
    IrValue *a = ir_clone_value(clone, value->operands[0]);
    IrValue *b = ir_clone_value(clone, value->operands[1]);
    if (ir_is_constant(a))
        return a->constant.integer ? b : a;
    return ir_is_constant(b) && b->constant.integer
               ? a
               : ir_binary(clone->arena, OP_and_then, a, b, value->span);
}

static IrValue *inner_value(const IrClone *clone, const IrValue *value)
{
    const Inner *inner = inner_of(clone->context, value);
    if (rises(clone->context, value))
        return rising_value(clone, value);
    if (!inner)
        return value->op == OP_and_then ? inner_and(clone, value) : NULL;
    if (!inner->operand)
        return ir_integer(clone->arena, type_bool, inner->holds, value->span);
    IrValue *operand = ir_clone_value(clone, inner->operand);
    return inner->never_negative ? ir_never_negative(operand) : operand;
}

static void count_node(void *context, IrValue *value)
{
    if (value->op == OP_var)
        ((int *)context)[value->var->id]++;
}

static void count_stmt(void *context, IrStmt *stmt)
{
    ir_each_own_node(stmt, count_node, context);
    if (ir_set_var(stmt))
        ((int *)context)[ir_set_var(stmt)->id]++;
}

/* What the loop alone has to do with gets variables of its own between the borders. */
static IrVar **own_vars(const BorderPass *w, const Border *border)
{
    IrFunc *fn = w->unit->kernel;
    Arena *arena = w->unit->arena;
    int *here = arena_array(arena, int, fn->var_count + 1);
    IrVar **vars = arena_array(arena, IrVar *, fn->var_count + 1);
    ir_each_stmt_of(border->loop, count_stmt, here);
    for (int i = 0; i < w->count; i++)
        if (here[i] && here[i] == w->mentions[i] && fn->vars[i]->kind == VAR_LOCAL)
            vars[i] = ir_var_like(arena, fn, fn->vars[i], fn->vars[i]->name);
    return vars;
}

static IrVar *name_end(const IrBuilder *b, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *end = build_temporary(b, name, type_int64);
    end->uniform = true;
    build_set(b, end, value, out);
    return end;
}

/* Parts 0 and 2: the loop as it was, from its start to `first` and from `last` to its stop. */
static void append_edges(const IrBuilder *b, const IrVar *part, IrStmt *loop, IrVar *first,
                         IrVar *last, IrRegion *out)
{
    IrValue *low = loop->for_.start, *high = loop->for_.stop;
    IrValue *is_first = build_op(b, OP_eq, part, 0), *copy = build_copy(b, is_first);
    IrValue *begin = ir_select(b->arena, is_first, low, build_var(b, last), b->span);
    IrValue *end = ir_select(b->arena, copy, build_var(b, first), high, b->span);
    loop->for_.start = build_var(b, name_end(b, "begin", begin, out));
    loop->for_.stop = build_var(b, name_end(b, "end", end, out));
    ir_append(out, loop);
}

/* The loop between the borders, to which no bounds are put yet. */
static IrStmt *inner_loop(const BorderPass *w, Border *border)
{
    const IrStmt *loop = border->loop;
    IrClone clone = { .arena = w->unit->arena,
                      .vars = own_vars(w, border),
                      .value = inner_value,
                      .stmt = ir_clone_decided,
                      .context = border };
    IrStmt *between = ir_stmt(clone.arena, IR_FOR, loop->span);
    between->for_ = loop->for_;
    between->for_.body = (IrRegion){ NULL, NULL };
    between->for_.var = ir_clone_var(&clone, loop->for_.var);
    ir_clone_region(&clone, &loop->for_.body, &between->for_.body);
    return between;
}

static void part(BorderPass *w, Border *border)
{
    IrStmt *loop = border->loop, *next = loop->next, *between = inner_loop(w, border);
    const IrBuilder b[1] = { { w->unit->arena, w->unit->kernel, loop->span } };
    IrRegion out = { NULL, NULL };
    IrValue *low = build_copy(b, loop->for_.start), *high = build_copy(b, loop->for_.stop);
    for (int i = 0; i < border->low_count; i++)
        low = build_max(b, low, border->low[i]);
    for (int i = 0; i < border->high_count; i++)
        high = build_min(b, high, border->high[i]);
    low = build_min(b, low, build_copy(b, loop->for_.stop));
    IrVar *first = name_end(b, "inside", low, &out);
    IrVar *last = name_end(b, "beyond", build_max(b, high, first), &out);
    IrVar *number = build_counter(b, "part");
    IrStmt *parts = build_for(b, number, 0, 3, 1, 0);
    IrStmt *branch = ir_if(b->arena, build_op(b, OP_eq, number, 1), b->span);
    parts->for_.bounded = true;
    between->for_.start = build_var(b, first);
    between->for_.stop = build_var(b, last);
    ir_remove(border->region, loop);
    append_edges(b, number, loop, first, last, &branch->if_.otherwise);
    ir_append(&branch->if_.then, between);
    ir_append(&parts->for_.body, branch);
    ir_append(&out, parts);
    ir_insert_region(border->region, next, out);
}

void ir_borders(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!unit->processor)
        return;
    BorderPass w = { .unit = unit, .count = fn->var_count };
    w.magnitude = ir_magnitude(unit->arena, fn, unit->launch);
    w.magnitude->least = true;
    w.sets = ir_sets(unit->arena, fn, &fn->body);
    w.sums = ir_polynomials(unit->arena, fn);
    look_at_region(&w, &fn->body);
    if (!w.all)
        return;
    w.mentions = arena_array(unit->arena, int, fn->var_count + 1);
    ir_each_stmt(&fn->body, count_stmt, w.mentions);
    for (Border *border = w.all; border; border = border->next)
        part(&w, border);
}
