/* For the processor: loops in which a counter is divided go from multiple to multiple.
**
**     for at in low to high                    for y in low // w to (high - 1) // w + 1
**         y = at // w                              begin = max(low, y * w)
**         x = at % w                               end = min(high, y * w + w)
**         out[at] = a[y, x]          becomes       for at in begin to end
**                                                      out[at] = a[y, at - y * w]
**
** Between two multiples quotients stay, and remainders grow as the counter does: what the loop does
** goes along memory, and nothing is divided. Of several divisors, as of an index that is taken
** apart into three, each makes such loops inside of those of another.
**
** LEGAL wherever the divisor is the same for the whole loop; iterations keep their order. One that
** is not 2 or more, or no int32, leaves the loop as it is, which is seen when it runs, and so do
** ends so far from 0 that something wraps.
** PAYS for divisors that are no small constants or powers of 2, in loops that have none inside, and
** stand in none that is a vector. Other steps than 1 are rare there. */
#include "ir/analysis/flow/flow.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/tile/tiles.h"

enum { DIVISORS_MOST = 3 };

typedef struct Periods {
    IrUnit *unit;
    IrBuilder b[1];
    int count;                           /* of the variables that there were */
    int *mentions;                       /* by IrVar.id: of these, in the kernel */
    IrStmt *loop;                        /* at hand */
    IrSets sets;                         /* of it */
    int *here;                           /* mentions in it */
    const IrValue *begin, *divided, *by; /* what is divided as it stands there, and spelled out; by
                                            what; NULL: nothing was found */
    IrVar *row, *first, *from; /* the quotient, times the divisor; what stands for the counter */
    IrVar *low, *high, *last;  /* the loop's bounds, and its last iteration */
} Periods;

/* ---- what is divided ------------------------------------------------------------------------ */

typedef struct Mentions {
    int *list, count;
} Mentions;

static void count_var(Mentions *m, const IrVar *var)
{
    if (var && var->id < m->count)
        m->list[var->id]++;
}

static void count_node(void *context, IrValue *value)
{
    count_var(context, value->op == OP_var ? value->var : NULL);
}

static void count_stmt(void *context, IrStmt *stmt)
{
    ir_each_own_node(stmt, count_node, context);
    count_var(context, ir_set_var(stmt));
}

/* Whether nothing but the loop at hand has to do with a variable. */
static bool is_own(const Periods *p, const int *here, const IrVar *var)
{
    return var->id >= p->count || here[var->id] == p->mentions[var->id];
}

static int *mentions_here(const Periods *p)
{
    Mentions m = { arena_array(p->unit->arena, int, p->count + 1), p->count };
    ir_each_stmt_of(p->loop, count_stmt, &m);
    return m.list;
}

/* What the loop's one set of a variable that it alone has to do with sets it to; else NULL. */
static const IrValue *set_here(const Periods *p, const IrVar *var)
{
    return is_own(p, p->here, var) ? sets_value(&p->sets, var) : NULL;
}

/* A value with what the iteration sets looked through, as it is where the counter is `at`. */
static IrValue *spell(const IrClone *clone, const IrValue *value)
{
    const Periods *p = clone->context;
    if (value->op != OP_var)
        return NULL;
    if (value->var == p->loop->for_.var)
        return p->from ? ir_var(clone->arena, p->from, value->span) : NULL;
    const IrValue *set = set_here(p, value->var);
    return set ? ir_clone_value(clone, set) : NULL;
}

static IrValue *spelled(const Periods *p, const IrValue *value, IrVar *at)
{
    Periods own = *p;
    own.from = at;
    IrClone clone = { .arena = p->unit->arena, .value = spell, .context = &own };
    return ir_clone_value(&clone, value);
}

/* By how much a sum grows from iteration to iteration; false: it is no sum of the counter. */
static bool slope_of(const Periods *p, const IrValue *value, int64_t *slope)
{
    int64_t other;
    if (sets_invariant(&p->sets, value, NULL)) {
        *slope = 0;
        return true;
    }
    switch ((int)value->op) {
    case OP_var: {
        const IrValue *set = set_here(p, value->var);
        *slope = 1;
        return value->var == p->loop->for_.var || (set && slope_of(p, set, slope));
    }
    case OP_cast:
        return value->type == type_int64 && type_is_integer(value->operands[0]->type) &&
               type_is_signed(value->operands[0]->type) && slope_of(p, value->operands[0], slope);
    case OP_add:
    case OP_sub:
        if (value->type != type_int64 || !slope_of(p, value->operands[0], slope) ||
            !slope_of(p, value->operands[1], &other))
            return false;
        *slope += value->op == OP_add ? other : -other;
        return true;
    default:
        return false;
    }
}

/* What is divided, and by what: `a // m // k` is `a // (m * k)` where both are positive. */
typedef struct Division {
    const IrValue *of;
    IrValue *by;
} Division;

/* Whether a divisor is a number of so few that vectors over several rows are best, or one that C
** compilers shift by. */
static bool is_plain(const IrValue *by)
{
    enum { FEW = 16 };
    int64_t number = ir_is_constant(by) ? by->constant.integer : FEW + 1;
    return number < FEW || !(number & (number - 1));
}

static bool find_division(const Periods *p, const IrValue *value, Division *found)
{
    int64_t slope;
    bool divides = value->op == OP_floordiv || value->op == OP_mod;
    if (!divides || value->type != type_int64 || is_plain(value->operands[1]) ||
        !sets_invariant(&p->sets, value->operands[1], NULL))
        return false;
    *found = (Division){ value->operands[0], value->operands[1] };
    const IrValue *of = found->of, *by = of->count == 2 ? of->operands[1] : NULL;
    if (value->op == OP_floordiv && of->op == OP_floordiv && ir_nonnegative(by) &&
        sets_invariant(&p->sets, by, NULL))
        *found = (Division){ of->operands[0], build_op(p->b, OP_mul, build_copy(p->b, by),
                                                       build_copy(p->b, found->by)) };
    return sets_is_short(&p->sets, found->of) && slope_of(p, found->of, &slope) && slope == 1;
}

static void find_divided(void *context, IrValue *value)
{
    Periods *p = context;
    Division found;
    if (p->by || !find_division(p, value, &found))
        return;
    p->divided = spelled(p, found.of, NULL);
    p->begin = found.of;
    p->by = found.by;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The value of a name that grows as the counter does, or is a quotient or remainder of it: to C a
** sum of 64 bits goes along memory, what a narrow variable holds does not. */
static IrValue *named(const IrClone *clone, const IrValue *name)
{
    const Periods *p = clone->context;
    const IrValue *set = name->var == p->loop->for_.var ? NULL : set_here(p, name->var);
    Division found;
    int64_t slope;
    bool sum = set && sets_is_short(&p->sets, set) && slope_of(p, set, &slope) && slope == 1;
    return sum || (set && find_division(p, set, &found)) ? ir_clone_value(clone, set) : NULL;
}

static IrValue *put_row(const IrClone *clone, const IrValue *value)
{
    const Periods *p = clone->context;
    Division found;
    if (value->op == OP_var)
        return named(clone, value);
    if (!find_division(p, value, &found) || !ir_same_value(found.by, p->by) ||
        !ir_same_value(spelled(p, found.of, NULL), p->divided))
        return NULL;
    if (value->op == OP_floordiv)
        return ir_var(clone->arena, p->row, value->span);
    return ir_never_negative(ir_binary(clone->arena, OP_sub, ir_clone_value(clone, found.of),
                                       ir_var(clone->arena, p->first, value->span), value->span));
}

/* Variables of the pieces' own for those of the loop's own. */
static void own_stmt(void *context, IrStmt *stmt)
{
    const IrClone *clone = context;
    const Periods *p = clone->context;
    IrVar *var = ir_set_var(stmt);
    if (var && is_own(p, p->here, var) && !clone->vars[var->id])
        clone->vars[var->id] = build_own(p->b, var);
}

static void append_split(const Periods *outer, IrStmt *loop, int depth, IrRegion *out);

/* What is divided where the counter is `at`, and by how much that is more. */
static IrValue *offset(const Periods *p, IrVar *at)
{
    if (p->divided->op == OP_var)
        return NULL;
    return build_op(p->b, OP_sub, spelled(p, p->begin, at), at);
}

/* for row in E(low) // w to E(last) // w + 1: what lies in it. */
static void append_pieces(Periods *p, int depth, IrRegion *out)
{
    const IrBuilder *b = p->b;
    const IrStmt *loop = p->loop;
    IrVar *low = p->low, *high = p->high, *by = build_temporary(b, "by", type_int64);
    IrVar *begin = build_temporary(b, "begin", type_int64),
          *end = build_temporary(b, "end", type_int64);
    p->row = build_temporary(b, "row", type_int64);
    p->first = build_temporary(b, "first", type_int64);
    begin->nonnegative = ir_nonnegative(loop->for_.start);
    p->row->nonnegative = ir_nonnegative(p->begin);
    build_set(b, by, build_copy(b, p->by), out);
    IrValue *from = build_op(b, OP_floordiv, spelled(p, p->begin, low), by);
    IrValue *to = build_op(b, OP_floordiv, spelled(p, p->begin, p->last), by);
    IrStmt *rows = build_for(b, p->row, from, build_op(b, OP_add, to, 1), 1, 0);
    IrRegion *in = &rows->for_.body;
    build_set(b, p->first, build_op(b, OP_mul, p->row, by), in);
    IrValue *start = build_var(b, p->first), *more = offset(p, low);
    start = more ? build_op(b, OP_sub, start, more) : start;
    build_set(b, begin, build_max(b, low, start), in);
    build_set(b, end, build_min(b, high, build_op(b, OP_add, build_copy(b, start), by)), in);
    IrStmt *piece = build_for(b, build_own(b, loop->for_.var), begin, end, 1, loop->for_.unroll);
    piece->for_.bounded = loop->for_.bounded;
    piece->for_.any_order = loop->for_.any_order;
    piece->for_.sums = loop->for_.sums;
    piece->for_.sum_count = loop->for_.sum_count;
    IrClone clone = { .arena = b->arena, .value = put_row, .context = p };
    clone.vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1);
    ir_each_stmt(&loop->for_.body, own_stmt, &clone);
    clone.vars[loop->for_.var->id] = piece->for_.var;
    ir_clone_region(&clone, &loop->for_.body, &piece->for_.body);
    append_split(p, piece, depth + 1, in);
    ir_append(out, rows);
}

static bool has_loop_or_jump(const IrStmt *loop)
{
    return ir_has_loop(&loop->for_.body) || flow_ways_out(&loop->for_.body);
}

/* That a divisor is `least` or more and an int32; and of a product, that it does not wrap. */
static IrValue *fits(const Periods *p, const IrValue *by, int least)
{
    IrValue *enough = build_op(p->b, OP_le, least, build_copy(p->b, by));
    IrValue *small = build_op(p->b, OP_le, build_copy(p->b, by), build_int(p->b, INT32_MAX));
    IrValue *both = build_op(p->b, OP_and_then, enough, small);
    if (by->op != OP_mul)
        return both;
    IrValue *factors =
        build_op(p->b, OP_and_then, fits(p, by->operands[0], 1), fits(p, by->operands[1], 1));
    return build_op(p->b, OP_and_then, factors, both);
}

/* Names the loop's ends. */
static void put_ends(Periods *p, IrRegion *out)
{
    const IrBuilder *b = p->b;
    p->low = build_temporary(b, "low", type_int64);
    p->high = build_temporary(b, "high", type_int64);
    p->last = build_temporary(b, "last", type_int64);
    p->low->nonnegative = ir_nonnegative(p->loop->for_.start);
    build_set(b, p->low, build_copy(b, p->loop->for_.start), out);
    build_set(b, p->high, build_copy(b, p->loop->for_.stop), out);
    build_set(b, p->last, build_op(b, OP_sub, p->high, 1), out);
}

/* That a row more in front of the loop and behind it does not wrap; pieces have such ends. */
static IrValue *has_room(const Periods *p)
{
    const IrBuilder *b = p->b;
    IrValue *above = build_op(b, OP_le, p->last, build_int(b, INT64_MAX - INT32_MAX));
    if (p->low->nonnegative)
        return above;
    IrValue *below = build_op(b, OP_ge, p->low, build_int(b, INT64_MIN + INT32_MAX));
    return build_op(b, OP_and_then, below, above);
}

/* That there are iterations, as what is known of them is known of the ends then, that the divisor
** fits and makes rows, and that what is divided, which grows by one, does not wrap on the way. */
static IrValue *wanted(const Periods *p, int depth)
{
    const IrBuilder *b = p->b;
    IrValue *all = build_op(b, OP_lt, p->low, p->high);
    all = build_op(b, OP_and_then, all, fits(p, p->by, 2));
    if (!depth)
        all = build_op(b, OP_and_then, all, has_room(p));
    if (p->divided->op == OP_var)
        return all;
    IrValue *grows =
        build_op(b, OP_le, spelled(p, p->begin, p->low), spelled(p, p->begin, p->last));
    return build_op(b, OP_and_then, all, grows);
}

/* The loop, or what becomes of it. */
static void append_split(const Periods *outer, IrStmt *loop, int depth, IrRegion *out)
{
    Periods p = *outer;
    p.loop = loop;
    p.by = NULL;
    p.b->span = loop->span;
    p.sets = ir_sets_of_loop(p.unit->arena, p.b->fn, loop);
    p.here = mentions_here(&p);
    p.from = NULL;
    if (depth < DIVISORS_MOST)
        ir_each_node_in(&loop->for_.body, find_divided, &p);
    if (!p.by) {
        ir_append(out, loop);
        return;
    }
    put_ends(&p, out);
    IrStmt *branch = ir_if(p.unit->arena, wanted(&p, depth), loop->span);
    append_pieces(&p, depth, &branch->if_.then);
    ir_append(&branch->if_.otherwise, loop);
    ir_append(out, branch);
}

static bool is_worth_it(const IrStmt *loop)
{
    enum { FEW = 32 };
    int64_t count = ir_trip_count(loop);
    return loop->for_.var->type == type_int64 && ir_is_integer(loop->for_.step, 1) &&
           (count < 0 || count > FEW) && !has_loop_or_jump(loop);
}

/* Loops that are vectors stay whole, with what is inside. */
static void change_region(Periods *p, IrRegion *region, bool vector)
{
    IrStmt *next;
    for (IrStmt *stmt = region->first; stmt; stmt = next) {
        IrRegion made = { NULL, NULL };
        bool loop = stmt->kind == IR_FOR;
        next = stmt->next;
        if (loop && !vector && is_worth_it(stmt)) {
            ir_remove(region, stmt);
            append_split(p, stmt, 0, &made);
            ir_insert_region(region, next, made);
            continue;
        }
        for_each_region (inner, stmt)
            change_region(p, inner, vector || (loop && stmt->for_.any_order));
    }
}

void ir_periods(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!unit->processor)
        return;
    Periods p = { .unit = unit, .b = { { unit->arena, fn, fn->span } }, .count = fn->var_count };
    Mentions m = { arena_array(unit->arena, int, fn->var_count + 1), fn->var_count };
    ir_each_stmt(&fn->body, count_stmt, &m);
    p.mentions = m.list;
    change_region(&p, &fn->body, false);
}
