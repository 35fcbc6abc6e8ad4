/* What only some paths evaluate: and, or, conditional expressions, the links of a comparison.
**
** Such an expression is lowered apart. If that takes no statements the whole is a tree; otherwise
** the statements go into a branch, and names that ':=' has bound there meet what they were. */
#include "ir/lower/values.h"

void apart_open(FnState *f, Apart *apart)
{
    *apart = (Apart){ .outer = f->region, .mark = env_mark(f) };
    f->region = &apart->region;
}

void apart_close(FnState *f, Apart *apart)
{
    f->region = apart->outer;
    apart->branch = env_end_branch(f, apart->mark, NULL);
}

static Branch *put_apart(Apart *apart, IrRegion *region)
{
    *region = apart->region;
    apart->branch.region = region;
    return &apart->branch;
}

/* What was lowered apart happens after all. */
static void emit_apart(FnState *f, Apart *apart, Span span)
{
    for (IrStmt *stmt = apart->region.first, *next; stmt; stmt = next) {
        next = stmt->next;
        emit(f, stmt);
    }
    const Branch never = { .reachable = false };
    env_join(f, &apart->branch, &never, span);
}

/* A tree if what was lowered apart has no statements, else a branch around them. */
IrValue *apart_combine(FnState *f, IrOp op, IrValue *left, Apart *apart, IrValue *right, Span span)
{
    if (is_poison(left) || is_poison(right))
        return lower_poison(f, span);
    if (ir_is_constant(left)) {
        bool decided = (left->constant.integer != 0) == (op == OP_or_else);
        if (decided)
            return left;
        emit_apart(f, apart, span);
        return right;
    }
    if (!apart->region.first)
        return ir_binary(f->arena, op, left, right, span);
    IrVar *var = ir_temporary(f->arena, f->fn, "_both", type_bool, span);
    emit(f, ir_set(f->arena, var, left, span));
    IrStmt *ir = ir_stmt(f->arena, IR_IF, span);
    IrValue *known = ir_var(f->arena, var, span);
    ir->if_.condition = op == OP_and_then ? known : ir_unary(f->arena, OP_not, known, span);
    emit(f, ir);
    const Branch *taken = put_apart(apart, &ir->if_.then);
    const Branch skipped = { .region = &ir->if_.otherwise, .reachable = true };
    ir_append(&ir->if_.then, ir_set(f->arena, var, right, span));
    env_join(f, taken, &skipped, span);
    return ir_var(f->arena, var, span);
}

/* One of two values, each with what was lowered apart for it. */
typedef struct Choice {
    Apart apart;
    IrValue *value;
} Choice;

/* A branch for each; 'var' takes the value, and is NULL where both are calls that give none. */
static void emit_choice(FnState *f, IrValue *condition, Choice *then, Choice *otherwise, IrVar *var,
                        Span span)
{
    IrStmt *ir = ir_if(f->arena, condition, span);
    emit(f, ir);
    const Branch *first = put_apart(&then->apart, &ir->if_.then);
    const Branch *second = put_apart(&otherwise->apart, &ir->if_.otherwise);
    if (var) {
        ir_append(&ir->if_.then, ir_set(f->arena, var, then->value, span));
        ir_append(&ir->if_.otherwise, ir_set(f->arena, var, otherwise->value, span));
    }
    env_join(f, first, second, span);
}

static Operand choose(FnState *f, IrValue *condition, Choice *then, Choice *otherwise, Span span)
{
    const Type *type = lower_common(f, then->value, otherwise->value);
    if (!type) {
        fail(f, span, "one value is %s and the other %s; they have no common type",
             type_name(f->arena, then->value->type), type_name(f->arena, otherwise->value->type));
        note_types(f, then->value, otherwise->value);
        return operand_value(lower_poison(f, span));
    }
    if (type->kind == TY_ERROR)
        return operand_value(lower_poison(f, span));
    bool plain = !then->apart.region.first && !otherwise->apart.region.first;
    IrVar *var = NULL;
    if (type->kind != TY_NONE) {
        then->value = convert(f, then->value, type, span);
        otherwise->value = convert(f, otherwise->value, type, span);
        if (plain)
            return operand_value(
                ir_select(f->arena, condition, then->value, otherwise->value, span));
        var = ir_temporary(f->arena, f->fn, "_choice", type, span);
    }
    if (!plain)
        emit_choice(f, condition, then, otherwise, var, span);
    return var ? operand_value(ir_var(f->arena, var, span))
               : (Operand){ .kind = OPD_NONE, .span = span };
}

static void lower_choice(FnState *f, const AstExpr *expr, Choice *choice)
{
    apart_open(f, &choice->apart);
    Operand operand = thing_settled(f, lower_maybe(f, expr));
    choice->value =
        operand.kind == OPD_STRING
            ? fail_value(f, expr->span, "this text is one of several, %s", TEXT_IS_NOT_CHOSEN)
            : optional_value(f, operand, expr);
    apart_close(f, &choice->apart);
}

/* and, or: Python gives the operand that decides; for bools that is the plain operation. */
Operand lower_boolean(FnState *f, const AstExpr *expr)
{
    bool and = expr->binary.op == AST_AND;
    Operand first = lower_maybe(f, expr->binary.left);
    if (first.kind == OPD_NONE)
        return and? first : lower_maybe(f, expr->binary.right);
    IrValue *left = optional_value(f, first, expr->binary.left);
    if (ir_is_constant(left)) {
        IrValue *truth = lower_truth(f, left, expr->span);
        return (truth->constant.integer != 0) == and? lower_maybe(f, expr->binary.right)
                                                    : operand_value(left);
    }
    Choice right, plain = { .apart.branch.reachable = true };
    lower_choice(f, expr->binary.right, &right);
    if (is_poison(left) || is_poison(right.value))
        return operand_value(lower_poison(f, expr->span));
    if (left->type->kind == TY_BOOL && right.value->type->kind == TY_BOOL)
        return operand_value(apart_combine(f, and? OP_and_then : OP_or_else, left, &right.apart,
                                           right.value, expr->span));
    plain.value = lower_stable(f, left, "_left");
    IrValue *condition = truth_of(f, plain.value, expr->span);
    if (!condition)
        return operand_value(lower_poison(f, expr->span));
    if (!and) /* what is true is not None */
        plain.value = optional_unwrap(f, operand_value(plain.value)).value;
    return and? choose(f, condition, &right, &plain, expr->span)
              : choose(f, condition, &plain, &right, expr->span);
}

Operand lower_if_expr(FnState *f, const AstExpr *expr)
{
    IrValue *condition = lower_condition(f, expr->if_expr.condition);
    if (ir_is_constant(condition))
        return lower_maybe(f, condition->constant.integer ? expr->if_expr.then
                                                          : expr->if_expr.otherwise);
    Choice then, otherwise;
    lower_choice(f, expr->if_expr.then, &then);
    lower_choice(f, expr->if_expr.otherwise, &otherwise);
    return choose(f, condition, &then, &otherwise, expr->span);
}
