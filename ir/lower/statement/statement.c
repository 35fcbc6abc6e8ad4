/* Statements, but for loops. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

void emit(FnState *f, IrStmt *stmt)
{
    ir_append(f->region, stmt);
}

/* ---- assignment ------------------------------------------------------------------------- */

/* An array that is the same as long as the function runs: a second name for it is no new
** variable. */
static bool is_fixed_array(const IrVar *var)
{
    return type_is_array(var->type) && var->kind != VAR_LOCAL;
}

IrVar *lower_set(FnState *f, const char *text, IrValue *value, Span span)
{
    Name *name = env_name(f, text);
    int made = name->var_count;
    IrVar *var = env_var_for(f, name, value->type, span);
    var->literal = literal_is(value) ? value : NULL;
    if (name->var_count > made && value->weak)
        var->began = value->span;
    if (value->type->kind != TY_ERROR && value->type->kind != TY_NONE)
        emit(f, ir_set(f->arena, var, value, span));
    env_assign(f, name, (Binding){ .kind = BIND_VAR, .span = span, .var = var });
    return var;
}

void lower_bind(FnState *f, const char *text, Operand value, Span span)
{
    Name *name = env_name(f, text);
    if (operand_is_none(value))
        value.kind = OPD_NONE;
    if (value.kind == OPD_SEQUENCE)
        value = iterator_of(f, value, span);
    if (value.kind != OPD_VALUE) {
        Operand *copy = arena_new(f->arena, Operand);
        *copy = value;
        sequence_hold(f, copy);
        env_assign(f, name, (Binding){ .kind = BIND_OPERAND, .span = span, .operand = copy });
        return;
    }
    if (value.value->op == OP_var && is_fixed_array(value.value->var)) {
        if (strcmp(value.value->var->name, UNNAMED_ARRAY) == 0)
            value.value->var->name = text;
        env_assign(f, name, (Binding){ .kind = BIND_VAR, .span = span, .var = value.value->var });
        return;
    }
    lower_set(f, text, value.value, span);
}

/* Its elements, or rows; that there are so many is found out under debug. */
static IrValue **unpack_array(FnState *f, IrValue *array, int count, Span span)
{
    array = lower_stable(f, array, "_array");
    if (is_reported(f)) {
        IrValue *given = array_extent(f, array, 0, span);
        IrValue *wanted = ir_integer(f->arena, type_int64, count, span);
        lower_fault_if(f, ir_binary(f->arena, OP_ne, given, wanted, span),
                       arena_printf(f->arena, "ValueError: not %d values to unpack", count), span);
    }
    IrValue **items = arena_array(f->arena, IrValue *, count + 1);
    for (int i = 0; i < count; i++)
        items[i] = lower_row(f, array, ir_integer(f->arena, type_int64, i, span), span);
    return items;
}

/* The items of a value that can be unpacked into `count` targets; NULL after a complaint. */
static IrValue **unpack(FnState *f, Operand value, int count, Span span)
{
    if (value.kind == OPD_ERROR)
        return NULL;
    IrValue *tuple = value.kind == OPD_VALUE ? value.value : NULL;
    if (tuple && tuple->type->kind == TY_ERROR)
        return NULL;
    if (tuple && type_is_array(tuple->type) && tuple->type->array.rank > 0)
        return unpack_array(f, tuple, count, span);
    if (!tuple || !type_is_tuple(tuple->type)) {
        bool grid = tuple && count <= 3 && tuple->op == OP_intrinsic &&
                    ir_intrinsics[tuple->intrinsic].rule == RULE_GRID;
        fail(f, span, "cannot unpack %s into %d names: %s", describe(f, value), count,
             grid ? arena_printf(f->arena, "say how many axes, %s(%d)",
                                 ir_intrinsics[tuple->intrinsic].path, count)
                  : "tuples and arrays can be unpacked");
        if (tuple)
            note_types(f, tuple, NULL);
        return NULL;
    }
    if (tuple->type->tuple.count != count) {
        fail(f, span, "cannot unpack %d value%s into %d names", tuple->type->tuple.count,
             tuple->type->tuple.count == 1 ? "" : "s", count);
        note_types(f, tuple, NULL);
        return NULL;
    }
    if (tuple->op != OP_tuple)
        tuple = lower_stable(f, tuple, "_tuple");
    IrValue **items = arena_array(f->arena, IrValue *, count + 1);
    for (int i = 0; i < count; i++)
        items[i] = ir_item(f->arena, tuple, i, span);
    return items;
}

/* Whether a target is, or has in it, the name `name`, or (NULL) an element of an array. */
static bool assigns(const AstExpr *target, const char *name)
{
    if (target->kind == AST_NAME)
        return name && strcmp(target->name.name, name) == 0;
    if (target->kind != AST_TUPLE && target->kind != AST_LIST)
        return !name;
    for (int i = 0; i < target->list.items.count; i++)
        if (assigns(target->list.items.items[i], name))
            return true;
    return false;
}

/* Whether assigning `target` could change what a value is. */
static bool is_changed_by(const AstExpr *target, const IrValue *value)
{
    if (value->op == OP_var && value->var->kind == VAR_LOCAL && assigns(target, value->var->name))
        return true;
    for (int i = 0; i < value->count; i++)
        if (is_changed_by(target, value->operands[i]))
            return true;
    return ir_value_effects(value) & EFFECT_READ && assigns(target, NULL);
}

/* Computes an item before any target is assigned, if an assignment could change it. */
static void stabilise(FnState *f, const AstExpr *target, IrValue **item)
{
    if ((*item)->op == OP_tuple)
        for (int i = 0; i < (*item)->count; i++)
            stabilise(f, target, &(*item)->operands[i]);
    else if (is_changed_by(target, *item))
        *item = lower_stable(f, *item, "_item");
}

/* Targets are assigned one by one, so every item but the first must be computed before. */
static void lower_unpack(FnState *f, const AstExpr *target, Operand value)
{
    AstExprs targets = target->list.items;
    IrValue **items = unpack(f, value, targets.count, target->span);
    for (int i = 1; items && i < targets.count; i++)
        stabilise(f, target, &items[i]);
    for (int i = 0; i < targets.count; i++)
        lower_assign(f, targets.items[i],
                     items ? operand_value(items[i]) : operand_error(value.span));
}

/* After a complaint: what the names would have been is not complained about again. */
static void bind_nothing(FnState *f, const AstExpr *target)
{
    if (target->kind == AST_NAME)
        lower_bind(f, target->name.name, operand_error(target->span), target->span);
    if (target->kind == AST_STARRED)
        bind_nothing(f, target->starred.value);
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        for (int i = 0; i < target->list.items.count; i++)
            bind_nothing(f, target->list.items.items[i]);
}

void lower_assign(FnState *f, const AstExpr *target, Operand value)
{
    switch (target->kind) {
    case AST_NAME:
        meaning_of_target(f, target, value);
        lower_bind(f, target->name.name, value, target->span);
        return;
    case AST_TUPLE:
    case AST_LIST:
        for (int i = 0; i < target->list.items.count; i++)
            if (target->list.items.items[i]->kind == AST_STARRED) {
                fail(f, target->list.items.items[i]->span,
                     "a starred name cannot be unpacked into: name each item");
                bind_nothing(f, target);
                return;
            }
        lower_unpack(f, target, optional_unwrap(f, value));
        return;
    case AST_INDEX:
    case AST_ATTRIBUTE:
        lower_store(f, target, optional_unwrap(f, value));
        return;
    default:
        fail(f, target->span, "this cannot be assigned to");
    }
}

/* `_t = atomic(...); x = _t` is better said as `x = atomic(...)`. */
static bool take_over_temporary(FnState *f, const AstExpr *target, IrValue *value)
{
    IrStmt *last = f->region->last;
    if (target->kind != AST_NAME || value->op != OP_var || !value->var->temporary || !last ||
        last->kind != IR_SET || last->set.var != value->var)
        return false;
    Name *name = env_name(f, target->name.name);
    IrVar *var = env_var_for(f, name, value->type, target->span);
    last->set.var = var;
    meaning_of_target(f, target, operand_value(value));
    env_assign(f, name, (Binding){ .kind = BIND_VAR, .span = target->span, .var = var });
    return true;
}

static void lower_assign_stmt(FnState *f, const AstStmt *stmt)
{
    Operand value = lower_maybe(f, stmt->assign.value);
    AstExprs targets = stmt->assign.targets;
    if (value.kind == OPD_ELLIPSIS || value.kind == OPD_METHOD || value.kind == OPD_UNROLL) {
        fail(f, stmt->assign.value->span, "%s cannot be assigned", describe(f, value));
        value = operand_error(stmt->span);
    }
    if (targets.count > 1 && value.kind == OPD_VALUE)
        value.value = lower_stable(f, value.value, "_value");
    if (targets.count == 1 && value.kind == OPD_VALUE &&
        take_over_temporary(f, targets.items[0], value.value))
        return;
    for (int i = 0; i < targets.count; i++)
        lower_assign(f, targets.items[i], value);
}

static void lower_ann_assign(FnState *f, const AstStmt *stmt)
{
    if (stmt->ann_assign.value) /* numba, too, takes annotations of locals for comments */
        lower_assign(f, stmt->ann_assign.target, lower_maybe(f, stmt->ann_assign.value));
}

/* ---- branches ---------------------------------------------------------------------------- */

static Branch lower_branch(FnState *f, const AstBody *body, IrRegion *region)
{
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = region;
    f->reachable = true;
    lower_body(f, body);
    f->region = outer;
    return env_end_branch(f, mark, region);
}

static void lower_if(FnState *f, const AstStmt *stmt)
{
    IrValue *condition = lower_condition(f, stmt->if_.condition);
    if (ir_is_constant(condition)) { /* the other branch need not even have types */
        lower_body(f, condition->constant.integer ? &stmt->if_.then : &stmt->if_.otherwise);
        return;
    }
    IrStmt *ir = ir_if(f->arena, condition, stmt->span);
    emit(f, ir);
    Branch then = lower_branch(f, &stmt->if_.then, &ir->if_.then);
    Branch otherwise = lower_branch(f, &stmt->if_.otherwise, &ir->if_.otherwise);
    env_join(f, &then, &otherwise, stmt->span);
}

/* ---- return --------------------------------------------------------------------------------- */

/* What the function returns, if it returns a `type` here; NULL after a complaint. */
static const Type *result_type(FnState *f, const Type *type, Span span)
{
    Specialisation *s = f->specialisation;
    if (s->declared) {
        if (typing_conversion(type, s->result) == CONVERSION_NONE)
            fail(f, span, "'%s' returns %s here, and its signature says %s", f->function->name,
                 type_name(f->arena, type), type_name(f->arena, s->result));
        return typing_conversion(type, s->result) == CONVERSION_NONE ? NULL : s->result;
    }
    const Type *result = s->result ? typing_unify(f->types, s->result, type) : type;
    if (!result) {
        fail(f, span, "'%s' returns %s here and %s elsewhere", f->function->name,
             type_name(f->arena, type), type_name(f->arena, s->result));
        origin_note(f, s->origins);
        return NULL;
    }
    IrOrigin *here = arena_new(f->arena, IrOrigin);
    *here = (IrOrigin){ type_name(f->arena, type), span, NULL };
    s->origins = origin_join(f, s->origins, here);
    return result;
}

static void lower_return(FnState *f, const AstStmt *stmt)
{
    Specialisation *s = f->specialisation;
    Operand value = { .kind = OPD_NONE, .span = stmt->span };
    if (stmt->return_.value)
        value = lower_maybe(f, stmt->return_.value);
    if (f->fn->kernel) {
        if (value.kind != OPD_NONE && value.kind != OPD_ERROR)
            fail(f, stmt->span, "a kernel returns nothing; write results into an array argument");
        emit(f, ir_stmt(f->arena, IR_RETURN, stmt->span));
        f->reachable = false;
        return;
    }
    const Type *type = type_none;
    if (operand_is_none(value))
        value.kind = OPD_NONE;
    value = thing_settled(f, value);
    if (value.kind == OPD_VALUE)
        type = value.value->type;
    else if (value.kind == OPD_ERROR)
        type = type_error;
    else if (value.kind != OPD_NONE)
        fail(f, stmt->span, "a function cannot return %s", describe(f, value));
    const Type *result = type->kind == TY_ERROR ? NULL : result_type(f, type, stmt->span);
    if (!result) { /* what it might have been shall not be complained about again */
        f->reachable = false;
        return;
    }
    if (result != s->result) {
        f->again |= s->result != NULL || s->recursive;
        s->result = result;
    }
    IrStmt *ir = ir_stmt(f->arena, IR_RETURN, stmt->span);
    if (value.kind == OPD_VALUE)
        ir->return_.value = convert(f, value.value, result, stmt->span);
    else if (result->kind != TY_NONE)
        ir->return_.value = ir_zero(f->arena, result, stmt->span);
    emit(f, ir);
    f->reachable = false;
}

/* ---- the rest ----------------------------------------------------------------------------- */

static void lower_expr_stmt(FnState *f, const AstExpr *expr)
{
    if (expr->kind == AST_STRING || expr->kind == AST_ELLIPSIS)
        return;
    f->discarded = expr;
    Operand what = lower_expr(f, expr);
    f->discarded = NULL;
    if (what.kind == OPD_INTRINSIC || what.kind == OPD_FUNCTION || what.kind == OPD_METHOD)
        fail(f, expr->span, "%.*s is named here, and not called; write it with ()",
             (int)(expr->span.end - expr->span.begin), expr->span.source->text + expr->span.begin);
}

static void lower_stmt(FnState *f, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        lower_expr_stmt(f, stmt->expr.value);
        return;
    case AST_ASSIGN:
        lower_assign_stmt(f, stmt);
        return;
    case AST_AUG_ASSIGN:
        lower_aug_assign(f, stmt);
        return;
    case AST_ANN_ASSIGN:
        lower_ann_assign(f, stmt);
        return;
    case AST_IF:
        lower_if(f, stmt);
        return;
    case AST_WHILE:
        lower_while(f, stmt);
        return;
    case AST_FOR:
        (stmt->for_.is_async ? lower_refused : lower_for)(f, stmt);
        return;
    case AST_BREAK:
        lower_break(f, stmt->span);
        return;
    case AST_CONTINUE:
        lower_continue(f, stmt->span);
        return;
    case AST_PASS:
        return;
    case AST_RETURN:
        lower_return(f, stmt);
        return;
    case AST_ASSERT:
        lower_assert(f, stmt);
        return;
    case AST_RAISE:
        lower_raise(f, stmt);
        return;
    case AST_DEF:
        lower_def(f, stmt);
        return;
    case AST_CLASS:
    case AST_IMPORT:
    case AST_FROM_IMPORT:
    case AST_DEL:
    case AST_GLOBAL:
    case AST_NONLOCAL:
    case AST_TRY:
    case AST_WITH:
    case AST_MATCH:
    case AST_TYPE_ALIAS:
        lower_refused(f, stmt);
        return;
    case AST_STMT_KINDS:
        return;
    }
}

void lower_body(FnState *f, const AstBody *body)
{
    for (int i = 0; i < body->count && f->reachable; i++)
        lower_stmt(f, body->items[i]);
}
