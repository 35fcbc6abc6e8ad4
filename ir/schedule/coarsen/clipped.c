/* Windows that end at borders, of tiles that lie well inside:
**
**     i = grid(0)
**     if lt(i, n)
**         for k in max(0, sub(i, r)) to min(n, add(i, add(r, 1))) by 1
**             total = add(total, load(x, k))
** becomes, as what tiles do that lie well inside (inside.c),
**     if lt(i, n)
**         if and_then(ge(sub(grid(0), r), 0), le(add(grid(0), add(r, 1)), n))
**             for of in 0 to add(mul(r, 2), 1) by 1
**                 k = add(sub(i, r), of)
**                 total = add(total, load(x, k))
**
** Legal for loops that count by one, where that holds: the greatest and the least are what moves
** with the index then. Both ends move alike, so that threads make the same number of iterations.
**
** Pays where nearly all threads find it to hold, which are those whose windows have no border. */
#include "ir/analysis/polynomial.h"
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

typedef struct Clipped {
    IrBuilder b[1];
    IrUnit *unit;
    IrAffine affine;
    IrPolynomials sums;
    IrValue *all; /* what must hold */
} Clipped;

static bool moves(const Clipped *c, const IrValue *value)
{
    for (int axis = 0; axis < 3; axis++)
        if (affine_varies(&c->affine, value, axis))
            return true;
    return false;
}

/* Of a minimum or maximum, the part that moves with the index; of another value itself. The other
** one is `*border`, or NULL. */
static IrValue *moving_part(const Clipped *c, IrValue *value, IrIntrinsic which, IrValue **border)
{
    IrValue *found = (IrValue *)sets_behind(&c->affine.sets, value);
    *border = NULL;
    for (int k = 0; found->op == OP_intrinsic && found->intrinsic == which && k < 2; k++)
        if (moves(c, found->operands[!k]) && !moves(c, found->operands[k])) {
            *border = found->operands[k];
            return found->operands[!k];
        }
    return value;
}

/* What holds where a part is what a minimum or maximum is; NULL: it cannot be asked in front. */
static IrValue *holds(const Clipped *c, IrOp op, const IrValue *part, const IrValue *border)
{
    IrValue *left = guard_in_front(c->unit->arena, &c->affine, part);
    IrValue *right = guard_in_front(c->unit->arena, &c->affine, border);
    return left && right ? build_op(c->b, op, left, right) : NULL;
}

/* How many iterations there are from one to the other, if that is the same for all threads. */
static IrValue *distance(const Clipped *c, IrValue *from, IrValue *to)
{
    IrPolynomial start = polynomial_of(&c->sums, from), stop = polynomial_of(&c->sums, to);
    if (start.count < 0 || stop.count < 0)
        return NULL;
    IrPolynomial between = polynomial_plus(&stop, &start, -1);
    return between.count < 0 ? NULL
                             : guard_in_arguments(c->unit->arena, &c->affine,
                                                  polynomial_value(&c->sums, &between, c->b->span));
}

/* Has a loop count from 0, with what it counted in set in its body. */
static void count_from_0(Clipped *c, IrStmt *loop, IrValue *from, IrValue *times)
{
    IrVar *counter = build_counter(c->b, "_of");
    IrStmt *set = ir_set(c->b->arena, loop->for_.var,
                         build_op(c->b, OP_add, build_copy(c->b, from), counter), loop->span);
    ir_insert_before(&loop->for_.body, loop->for_.body.first, set);
    loop->for_.var = counter;
    loop->for_.start = build_int(c->b, 0);
    loop->for_.stop = times;
}

static void look(void *context, IrStmt *stmt)
{
    Clipped *c = context;
    IrValue *borders[2], *conditions[2] = { NULL, NULL };
    if (stmt->kind != IR_FOR || stmt->for_.var->type != type_int64 || stmt->for_.sum_count ||
        !stmt->for_.body.first || !ir_is_integer(stmt->for_.step, 1) ||
        sets_loop(&c->affine.sets, stmt->for_.var) != stmt)
        return;
    c->b->span = stmt->span;
    IrValue *from = moving_part(c, stmt->for_.start, INTR_max, &borders[0]);
    IrValue *to = moving_part(c, stmt->for_.stop, INTR_min, &borders[1]);
    IrValue *times = (borders[0] || borders[1]) && from->type == type_int64 &&
                             to->type == type_int64 && sets_stable(&c->affine.sets, from)
                         ? distance(c, from, to)
                         : NULL;
    if (!times)
        return;
    for (int i = 0; i < 2; i++)
        if (borders[i] && !(conditions[i] = holds(c, i ? OP_le : OP_ge, i ? to : from, borders[i])))
            return;
    for (int i = 0; i < 2; i++)
        c->all = conditions[i] ? ir_both(c->b->arena, c->all, conditions[i]) : c->all;
    count_from_0(c, stmt, from, times);
}

bool clipped_leave(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Guarded guarded = guard_find(unit->arena, fn);
    if (!guarded.rest || !ir_has_loop(&fn->body))
        return false;
    Clipped c = { .b = { { unit->arena, fn, fn->span } },
                  .unit = unit,
                  .affine = ir_affine(unit, guarded.within),
                  .sums = ir_polynomials(unit->arena, fn) };
    c.sums.whole = true;
    ir_each_stmt((IrRegion *)guarded.within, look, &c);
    if (c.all)
        inside_put_under(unit, (IrRegion *)guarded.within, c.all);
    return c.all != NULL;
}
