/* Loops: what names hold from one iteration to the next; `while`, and the ways out of an iteration.
**
** Every name that the body assigns needs one variable that holds it whenever an iteration begins.
** Its type is that on entry, unified with what the ends of iterations (and breaks) leave in it.
** Those are seen only after the body, so they go into the loop's memo; if that changes what was
** assumed, the function is lowered again (lower.h). */
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- heads and ends of iterations ------------------------------------------------------------ */

/* A name that is None on entry, and something else once the loop has come round. */
static bool bind_optional_head(FnState *f, Loop *loop, int index)
{
    Name *name = loop->names.items[index];
    Span span = loop->stmt->span;
    const Type *type = memo_for(f, loop->stmt, name->name)->type;
    if (!type || type->kind == TY_NONE)
        return false;
    type = typing_unify(f->types, type, type_none);
    IrVar *head = ir_var_new(f->arena, f->fn, name->name, type, VAR_LOCAL, span);
    head->origins = origin_join(f, origin_of(f, name->binding, NULL),
                                memo_for(f, loop->stmt, name->name)->origins);
    emit(f, ir_set(f->arena, head, ir_zero(f->arena, type, span), span));
    env_bind(f, name, (Binding){ .kind = BIND_VAR, .span = name->binding.span, .var = head });
    loop->heads[index] = name->binding;
    return true;
}

/* A range or a slice that a name stands for, as a variable: iterations may give it others. */
static void settle_thing(FnState *f, const Name *name)
{
    if (name->binding.kind != BIND_OPERAND)
        return;
    Operand settled = thing_settled(f, *name->binding.operand);
    if (settled.kind == OPD_VALUE)
        lower_set(f, name->name, settled.value, name->binding.span);
}

/* The variable that holds `name` when an iteration begins, given what it was bound to
** before. Names that hold no plain variable on entry are left alone until the memo says that
** they are read. */
static void bind_head(FnState *f, Loop *loop, int index)
{
    Name *name = loop->names.items[index];
    Span span = loop->stmt->span;
    settle_thing(f, name);
    if (binding_is_none(name->binding) && bind_optional_head(f, loop, index))
        return;
    if (name->binding.kind == BIND_OPERAND) { /* assigning it in the body will be refused */
        loop->heads[index] = name->binding;
        return;
    }
    const Memo *known = memo_for(f, loop->stmt, name->name);
    if ((name->binding.kind != BIND_VAR || known->torn) && !known->needed) {
        env_bind(f, name, (Binding){ .kind = BIND_LOOP, .span = span, .loop = loop->stmt });
        loop->heads[index] = name->binding;
        return;
    }
    IrVar *entry = env_settle(f, name, span);
    const Memo *memo = memo_for(f, loop->stmt, name->name);
    const Type *type = memo->type;
    if (entry)
        type = type ? typing_unify(f->types, entry->type, type) : entry->type;
    if (entry && memo->narrow)
        remark_join(f, name->name, entry->type, name->binding.span, memo->narrow, memo->at, type);
    if (type && type->kind == TY_NONE) { /* so far it is only None */
        lower_bind(f, name->name, (Operand){ .kind = OPD_NONE, .span = span }, span);
        loop->heads[index] = name->binding;
        return;
    }
    if (!type) {
        if (entry)
            fail(f, span, "'%s' is %s before the loop and %s in it", name->name,
                 type_name(f->arena, entry->type), type_name(f->arena, memo->type));
        else
            f->untyped = memo; /* known after this pass, or never */
        type = type_error;
    }
    IrVar *head = entry;
    if (!entry || entry->kind != VAR_LOCAL || entry->type != type) {
        head = ir_var_new(f->arena, f->fn, name->name, type, VAR_LOCAL, span);
        head->origins =
            origin_join(f, entry ? origin_of(f, name->binding, entry) : NULL, memo->origins);
        IrValue *value = entry ? convert(f, ir_var(f->arena, entry, span), type, span)
                               : env_unset(f, name, type, span);
        if (type->kind != TY_ERROR)
            emit(f, ir_set(f->arena, head, value, span));
    }
    env_bind(f, name, (Binding){ .kind = BIND_VAR, .span = name->binding.span, .var = head });
    loop->heads[index] = name->binding;
}

/* None, or a function or a type, where the next iteration has a variable. */
static void settle_operand(FnState *f, Loop *loop, const Name *name, IrVar *head, Span span)
{
    Operand operand = *name->binding.operand;
    if (operand.kind == OPD_NONE) {
        const Type *type = typing_unify(f->types, head->type, type_none);
        if (type != head->type)
            memo_widen(f, memo_for(f, loop->stmt, name->name), type);
        else
            emit(f, ir_set(f->arena, head, ir_zero(f->arena, type, span), span));
        return;
    }
    if (operand.kind == OPD_ITERATOR)
        fail(f, name->binding.span,
             "'%s' is made in a loop and read behind it or in its next iteration, which iterators "
             "cannot "
             "be; make it where it is read",
             name->name);
    else if (operand.kind != OPD_ERROR)
        fail(f, name->binding.span, "'%s' is %s here, and %s when the loop comes round", name->name,
             describe(f, operand), type_name(f->arena, head->type));
}

/* What began as None is something else here: the loop is to begin with an optional variable. */
static bool widen_none(FnState *f, Loop *loop, Name *name, Span span)
{
    if (name->binding.kind == BIND_OPERAND)
        return false;
    const IrVar *now = env_settle(f, name, span);
    Memo *memo = memo_for(f, loop->stmt, name->name);
    if (now) {
        memo->origins = origin_join(f, memo->origins, origin_of(f, name->binding, now));
        memo_widen(f, memo, now->type);
    }
    return true;
}

/* Before control goes from here to the next iteration, or out of the loop: puts what each name is
** bound to into the variable of its head. */
static void settle_iteration(FnState *f, Loop *loop, Span span)
{
    for (int i = 0; i < loop->names.count; i++) {
        Name *name = loop->names.items[i];
        Binding head = loop->heads[i];
        if (head.kind == BIND_VAR)
            settle_thing(f, name);
        if (binding_is_none(head) && name->binding.kind != BIND_NONE &&
            !binding_is_none(name->binding) && widen_none(f, loop, name, span))
            continue;
        if (head.kind == BIND_OPERAND) {
            if (name->binding.kind == BIND_VAR && head.operand->kind != OPD_ERROR)
                fail(f, span, "'%s' is %s before the loop and %s in it", name->name,
                     describe(f, *head.operand), type_name(f->arena, name->binding.var->type));
            continue;
        }
        if (name->binding.kind == BIND_OPERAND && head.kind == BIND_VAR)
            settle_operand(f, loop, name, head.var, span);
        if (name->binding.kind == BIND_NONE || name->binding.kind == BIND_OPERAND)
            continue;
        if (head.kind == BIND_LOOP && name->binding.kind != BIND_VAR)
            continue; /* not asked for yet; settling it might complain for nothing */
        Span assigned = name->binding.span;
        IrVar *now = env_settle(f, name, span);
        if (!now)
            continue;
        Memo *memo = memo_for(f, loop->stmt, name->name);
        if (head.kind != BIND_VAR) {
            if (memo->torn)
                continue;
            bool known = memo->type != NULL;
            bool again = f->again;
            memo->origins = origin_join(f, memo->origins, origin_of(f, name->binding, now));
            memo_widen(f, memo, now->type);
            if (!known || !memo->needed)
                f->again = again; /* nothing relies on it so far */
            continue;
        }
        if (now == head.var)
            continue;
        const Type *type = typing_unify(f->types, head.var->type, now->type);
        if (!type && !memo->needed) { /* an error only if it is read */
            memo->torn = f->again = true;
            continue;
        }
        if (!type) {
            fail(f, assigned, "'%s' is %s here, and %s when the loop comes round", name->name,
                 type_name(f->arena, now->type), type_name(f->arena, head.var->type));
            origin_note(f, origin_of(f, head, head.var));
            continue;
        }
        if (type != head.var->type) {
            if (f->narrow && type_is_integer(head.var->type) && type_is_float(type)) {
                memo->narrow = f->narrow->type;
                memo->at = f->narrow->span;
            }
            memo->origins = origin_join(f, memo->origins, origin_of(f, name->binding, now));
            memo_widen(f, memo, type);
        } else if (type->kind != TY_ERROR && now->type->kind != TY_ERROR)
            emit(f, ir_set(f->arena, head.var, convert(f, ir_var(f->arena, now, span), type, span),
                           span));
    }
}

static bool body_breaks(const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        if (stmt->kind == AST_BREAK)
            return true;
        if (stmt->kind == AST_IF &&
            (body_breaks(&stmt->if_.then) || body_breaks(&stmt->if_.otherwise)))
            return true;
        if (stmt->kind == AST_WHILE && body_breaks(&stmt->while_.otherwise))
            return true;
        if (stmt->kind == AST_FOR && body_breaks(&stmt->for_.otherwise))
            return true;
    }
    return false;
}

static IrStmt *set_flag(FnState *f, IrVar *flag, bool value, Span span)
{
    return ir_set(f->arena, flag, ir_integer(f->arena, type_bool, value, span), span);
}

void loop_open(FnState *f, Loop *loop, const AstStmt *stmt, const Names *names)
{
    const AstBody *bodies[2];
    ast_bodies(stmt, bodies);
    *loop = (Loop){ .outer = f->loop, .stmt = stmt, .names = *names };
    names_of_body(f, bodies[0], &loop->names);
    loop->heads = arena_array(f->arena, Binding, loop->names.count + 1);
    for (int i = 0; i < loop->names.count; i++)
        bind_head(f, loop, i);
    if (bodies[1]->count > 0 && body_breaks(bodies[0])) {
        loop->broke = ir_temporary(f->arena, f->fn, "_broke", type_bool, stmt->span);
        emit(f, set_flag(f, loop->broke, false, stmt->span));
    }
}

void loop_iterations(FnState *f, Loop *loop, const AstBody *body)
{
    f->loop = loop;
    lower_body(f, body);
    if (f->reachable)
        settle_iteration(f, loop, loop->stmt->span);
    f->loop = loop->outer;
}

void loop_else(FnState *f, Loop *loop, const AstBody *otherwise)
{
    f->reachable = true;
    if (otherwise->count == 0)
        return;
    if (!loop->broke) {
        lower_body(f, otherwise);
        return;
    }
    IrStmt *ir = ir_if(f->arena,
                       ir_unary(f->arena, OP_not, ir_var(f->arena, loop->broke, loop->stmt->span),
                                loop->stmt->span),
                       loop->stmt->span);
    emit(f, ir);
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = &ir->if_.then;
    lower_body(f, otherwise);
    f->region = outer;
    Branch then = env_end_branch(f, mark, &ir->if_.then);
    Branch skipped = { &ir->if_.otherwise, true, NULL, 0 };
    env_join(f, &then, &skipped, loop->stmt->span);
}

void lower_break(FnState *f, Span span)
{
    if (!f->loop)
        return;
    settle_iteration(f, f->loop, span);
    if (f->loop->broke)
        emit(f, set_flag(f, f->loop->broke, true, span));
    emit(f, ir_stmt(f->arena, IR_BREAK, span));
    f->reachable = false;
}

void lower_continue(FnState *f, Span span)
{
    if (!f->loop)
        return;
    settle_iteration(f, f->loop, span);
    emit(f, ir_stmt(f->arena, IR_CONTINUE, span));
    f->reachable = false;
}

/* ---- while ------------------------------------------------------------------------------ */

void loop_leave(FnState *f, Loop *loop, IrValue *condition, Span span)
{
    IrStmt *leave = ir_if(f->arena, ir_unary(f->arena, OP_not, condition, span), span);
    emit(f, leave);
    IrRegion *outer = f->region;
    f->region = &leave->if_.then;
    settle_iteration(f, loop, span);
    emit(f, ir_stmt(f->arena, IR_BREAK, span));
    f->region = outer;
}

void lower_while(FnState *f, const AstStmt *stmt)
{
    Loop loop;
    Names assigned = { 0 };
    names_of_value(f, stmt->while_.condition, &assigned);
    loop_open(f, &loop, stmt, &assigned);
    IrStmt *ir = ir_stmt(f->arena, IR_WHILE, stmt->span);
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = &ir->while_.body;
    ir->while_.condition = ir_integer(f->arena, type_bool, true, stmt->span);
    IrValue *condition = lower_condition(f, stmt->while_.condition);
    bool forever = ir_is_constant(condition) && condition->constant.integer;
    bool never = ir_is_constant(condition) && !condition->constant.integer;
    if (ir->while_.body.first) /* the condition took statements to compute */
        loop_leave(f, &loop, condition, stmt->while_.condition->span);
    else
        ir->while_.condition = condition;
    if (!never)
        loop_iterations(f, &loop, &stmt->while_.body);
    f->region = outer;
    env_end_branch(f, mark, &ir->while_.body);
    if (!never)
        emit(f, ir);
    f->reachable = true;
    if (!forever)
        loop_else(f, &loop, &stmt->while_.otherwise);
    else if (!body_breaks(&stmt->while_.body))
        f->reachable = false;
}
