/* Loops that count bits become the count:
**
**     while ne(x, 0)                        s = add(s, popc(x))
**         x = and(x, sub(x, 1))             x = 0
**         s = add(s, 1)
**
** and likewise where bits leave at the low end, one an iteration,
**
**     while ne(x, 0)
**         s = add(s, and(x, 1))
**         x = shr(x, 1)
**
** with the two statements in either order as long as what is counted is the bit that leaves; of the
** latter `if ne(and(x, 1), 0): s = add(s, 1)` is another form. What is added may be any constant.
**
** Legal for an integer x of 32 or 64 bits and a sum of integers, both variables. Where x is shifted
** it is never negative: a negative one never comes to 0. `x > 0` is equivalent for such an x.
**
** Pays always: it is one instruction, and the loops around it have none inside. */
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct BitLoop {
    const IrVar *bits;
    const IrStmt *leaves, *counts; /* the two statements; the latter sets the sum */
    IrValue *each;                 /* what each bit adds */
} BitLoop;

static bool is_zero(const IrValue *value)
{
    return ir_is_integer(value, 0) ||
           (ir_is_constant(value) && type_is_float(value->type) && value->constant.number == 0);
}

/* Whether a value is `op` of the variable and a number, the latter on the right, or, if the
** operation does not mind, on either side. */
static bool is_of_bits(const BitLoop *loop, const IrValue *value, IrOp op, int64_t number)
{
    if (value->op != op)
        return false;
    IrValue **sides = value->operands;
    return (ir_is_var(sides[0], loop->bits) && ir_is_integer(sides[1], number)) ||
           (op == OP_and && ir_is_var(sides[1], loop->bits) && ir_is_integer(sides[0], number));
}

static const IrValue *behind_casts(const IrValue *value)
{
    while (value->op == OP_cast && type_is_integer(value->type) &&
           type_is_integer(value->operands[0]->type))
        value = value->operands[0];
    return value;
}

/* The variable that a loop goes on with while it is not 0; NULL. */
static const IrVar *asked(const IrValue *condition)
{
    bool truth = condition->op == OP_cast && condition->type == type_bool;
    bool ne = condition->op == OP_ne, gt = condition->op == OP_gt;
    const IrValue *x = truth || ne || gt ? condition->operands[0] : NULL;
    if (!x || (!truth && !is_zero(condition->operands[1])))
        return NULL;
    if (x->op == OP_cast && type_is_float(x->type) && type_size(x->type) >= 4)
        x = x->operands[0]; /* as a uint64 beside an int64: only 0 becomes 0 */
    if (x->op != OP_var || x->var->kind != VAR_LOCAL || !type_is_integer(x->type) ||
        type_size(x->type) < 4)
        return NULL;
    return !gt || type_is_unsigned(x->type) || x->var->nonnegative ? x->var : NULL;
}

/* x & x - 1 */
static bool drops_lowest(const BitLoop *loop, const IrValue *value)
{
    if (value->op != OP_and)
        return false;
    for (int i = 0; i < 2; i++)
        if (ir_is_var(value->operands[i], loop->bits) &&
            is_of_bits(loop, value->operands[1 - i], OP_sub, 1))
            return true;
    return false;
}

/* x >> 1 of what has no sign. */
static bool shifts(const BitLoop *loop, const IrValue *value)
{
    return (type_is_unsigned(loop->bits->type) || loop->bits->nonnegative) &&
           (is_of_bits(loop, value, OP_shr, 1) || is_of_bits(loop, value, OP_floordiv, 2));
}

/* The lowest bit of x, whatever type it is of by then. */
static bool is_lowest(const BitLoop *loop, const IrValue *value)
{
    value = behind_casts(value);
    for (int i = 0; i < 2 && value->op == OP_and; i++)
        if (ir_is_var(behind_casts(value->operands[i]), loop->bits) &&
            ir_is_integer(value->operands[1 - i], 1))
            return true;
    return (type_is_unsigned(loop->bits->type) || loop->bits->nonnegative) &&
           is_of_bits(loop, value, OP_mod, 2);
}

/* What a statement adds to an integer that is not x; NULL if it does something else. */
static IrValue *added(const BitLoop *loop, const IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_SET ? stmt->set.value : NULL;
    if (!value || value->op != OP_add || stmt->set.var == loop->bits ||
        !type_is_integer(value->type))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (ir_is_var(value->operands[i], stmt->set.var))
            return value->operands[1 - i];
    return NULL;
}

static bool counts_each(BitLoop *loop, const IrStmt *stmt)
{
    loop->counts = stmt;
    loop->each = added(loop, stmt);
    return loop->each && ir_is_constant(loop->each);
}

/* `s += x & 1`, or `if x & 1: s += each`. */
static bool counts_lowest(BitLoop *loop, const IrStmt *stmt)
{
    if (stmt->kind == IR_SET) {
        loop->counts = stmt;
        loop->each = NULL;
        return added(loop, stmt) && is_lowest(loop, added(loop, stmt));
    }
    if (stmt->kind != IR_IF || stmt->if_.otherwise.first || !stmt->if_.then.first ||
        stmt->if_.then.first->next)
        return false;
    const IrValue *condition = stmt->if_.condition;
    bool set = (condition->op == OP_ne && ir_is_integer(condition->operands[1], 0)) ||
               (condition->op == OP_eq && ir_is_integer(condition->operands[1], 1));
    return set && is_lowest(loop, condition->operands[0]) &&
           counts_each(loop, stmt->if_.then.first);
}

/* Whether a loop does nothing but count the bits of a variable. */
static bool counts_bits(const IrStmt *stmt, BitLoop *loop)
{
    const IrStmt *first = stmt->while_.body.first, *second = first ? first->next : NULL;
    loop->bits = asked(stmt->while_.condition);
    if (!loop->bits || !second || second->next)
        return false;
    for (int i = 0; i < 2; i++) {
        const IrStmt *leaves = i ? second : first, *counts = i ? first : second;
        if (leaves->kind != IR_SET || leaves->set.var != loop->bits)
            continue;
        if (drops_lowest(loop, leaves->set.value))
            return counts_each(loop, counts);
        return i == 1 && shifts(loop, leaves->set.value) && counts_lowest(loop, counts);
    }
    return false;
}

static void replace(IrUnit *unit, IrRegion *region, IrStmt *stmt, const BitLoop *loop)
{
    const IrBuilder b = { unit->arena, unit->kernel, stmt->span };
    IrVar *sum = loop->counts->set.var, *bits = (IrVar *)loop->bits;
    IrRegion out = { NULL, NULL };
    IrValue *count =
        ir_intrinsic(b.arena, INTR_popc, bits->type, b.span, build_var(&b, bits), NULL, NULL);
    count = build_cast(&b, sum->type, count);
    if (loop->each && !ir_is_integer(loop->each, 1))
        count = build_op(&b, OP_mul, count, build_copy(&b, loop->each));
    build_set(&b, sum, build_op(&b, OP_add, sum, count), &out);
    build_set(&b, bits, build_integer(&b, bits->type, 0), &out);
    ir_insert_region(region, stmt, out);
    ir_remove(region, stmt);
    ir_remark(unit, stmt->span, "the loop counts the bits of '%s', as one instruction does",
              bits->name);
}

static void visit_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    BitLoop loop;
    if (stmt->kind == IR_WHILE && counts_bits(stmt, &loop))
        replace(context, region, stmt, &loop);
}

void ir_bits(IrUnit *unit)
{
    ir_change_stmts(&unit->kernel->body, visit_stmt, unit);
}
