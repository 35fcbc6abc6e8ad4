/* Loops.
**
** Every name that the body assigns needs one variable that holds it whenever a turn begins. Its
** type is that on entry, unified with what the ends of turns (and breaks) leave in it. Those are
** seen only after the body, so they go into the loop's memo; if that changes what was assumed,
** the function is lowered again (lower.h). */
#include "ir/lower.h"

#include <string.h>

/* ---- which names a body assigns ------------------------------------------------------------ */

static void add_name(FnState *f, Names *names, const char *text)
{
    Name *name = env_name(f, text);
    for (int i = 0; i < names->count; i++)
        if (names->items[i] == name)
            return;
    array_push(f->arena, names->items, names->count, names->capacity) = name;
}

static void add_target(FnState *f, Names *names, const AstExpr *target)
{
    if (target->kind == AST_NAME)
        add_name(f, names, target->name.name);
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        for (int i = 0; i < target->list.items.count; i++)
            add_target(f, names, target->list.items.items[i]);
}

static void add_body(FnState *f, Names *names, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        switch (stmt->kind) {
        case AST_ASSIGN:
            for (int k = 0; k < stmt->assign.targets.count; k++)
                add_target(f, names, stmt->assign.targets.items[k]);
            break;
        case AST_AUG_ASSIGN:
            add_target(f, names, stmt->aug_assign.target);
            break;
        case AST_ANN_ASSIGN:
            add_target(f, names, stmt->ann_assign.target);
            break;
        case AST_IF:
            add_body(f, names, &stmt->if_.then);
            add_body(f, names, &stmt->if_.otherwise);
            break;
        case AST_WHILE:
            add_body(f, names, &stmt->while_.body);
            add_body(f, names, &stmt->while_.otherwise);
            break;
        case AST_FOR:
            add_target(f, names, stmt->for_.target);
            add_body(f, names, &stmt->for_.body);
            add_body(f, names, &stmt->for_.otherwise);
            break;
        default:
            break;
        }
    }
}

/* ---- heads and ends of turns ----------------------------------------------------------------- */

/* The variable that holds `name` when a turn begins, given what it was bound to before. Names that
** hold no plain variable on entry are left alone until the memo says that somebody reads them. */
static void bind_head(FnState *f, Loop *loop, int index)
{
    Name *name = loop->names.items[index];
    Span span = loop->stmt->span;
    if (name->binding.kind == BIND_OPERAND) { /* assigning it in the body will be refused */
        loop->heads[index] = name->binding;
        return;
    }
    bool needed = memo_for(f, loop->stmt, name->name)->needed;
    if (name->binding.kind != BIND_VAR && !needed) {
        env_bind(f, name, (Binding){ .kind = BIND_LOOP, .span = span, .loop = loop->stmt });
        loop->heads[index] = name->binding;
        return;
    }
    IrVar *entry = env_settle(f, name, span);
    const Memo *memo = memo_for(f, loop->stmt, name->name);
    const Type *type = memo->type;
    if (entry)
        type = type ? typing_unify(f->types, entry->type, type) : entry->type;
    if (!type) {
        if (entry)
            fail(f, span, "'%s' is %s before the loop and %s in it", name->name,
                 type_name(f->arena, entry->type), type_name(f->arena, memo->type));
        else
            f->untyped = name->name; /* known after this pass, or never */
        type = type_error;
    }
    IrVar *head = entry;
    if (!entry || entry->kind != VAR_LOCAL || entry->type != type) {
        head = ir_var_new(f->arena, f->fn, name->name, type, VAR_LOCAL, span);
        IrValue *value = entry ? convert(f, ir_var(f->arena, entry, span), type, span)
                               : ir_zero(f->arena, type, span);
        if (type->kind != TY_ERROR)
            emit(f, ir_set(f->arena, head, value, span));
    }
    env_bind(f, name, (Binding){ .kind = BIND_VAR, .span = name->binding.span, .var = head });
    loop->heads[index] = name->binding;
}

/* Before control goes from here to the next turn, or out of the loop: puts what each name is
** bound to into the variable of its head. */
static void settle_turn(FnState *f, Loop *loop, Span span)
{
    for (int i = 0; i < loop->names.count; i++) {
        Name *name = loop->names.items[i];
        Binding head = loop->heads[i];
        if (head.kind == BIND_OPERAND) {
            if (name->binding.kind == BIND_VAR)
                fail(f, span, "'%s' is %s before the loop and %s in it", name->name,
                     describe(f, *head.operand), type_name(f->arena, name->binding.var->type));
            continue;
        }
        if (name->binding.kind == BIND_LOOP || name->binding.kind == BIND_NONE ||
            name->binding.kind == BIND_OPERAND)
            continue;
        if (head.kind == BIND_LOOP && name->binding.kind == BIND_JOIN)
            continue; /* nobody has asked yet; settling it might complain for nothing */
        Span assigned = name->binding.span;
        IrVar *now = env_settle(f, name, span);
        if (!now)
            continue;
        Memo *memo = memo_for(f, loop->stmt, name->name);
        if (head.kind != BIND_VAR) {
            bool known = memo->type != NULL;
            bool again = f->again;
            memo_widen(f, memo, now->type);
            if (!known || !memo->needed)
                f->again = again; /* nobody relies on it so far */
            continue;
        }
        if (now == head.var)
            continue;
        const Type *type = typing_unify(f->types, head.var->type, now->type);
        if (!type) {
            fail(f, assigned, "'%s' is %s here, and %s when the loop comes round", name->name,
                 type_name(f->arena, now->type), type_name(f->arena, head.var->type));
            continue;
        }
        if (type != head.var->type)
            memo_widen(f, memo, type);
        else if (type->kind != TY_ERROR && now->type->kind != TY_ERROR)
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

/* Opens a loop: heads are bound, and a flag is made if an `else` needs to know of breaks. */
static void open_loop(FnState *f, Loop *loop, const AstStmt *stmt, const AstBody *body,
                      const AstBody *otherwise, const AstExpr *target)
{
    *loop = (Loop){ .outer = f->loop, .stmt = stmt };
    if (target)
        add_target(f, &loop->names, target);
    add_body(f, &loop->names, body);
    loop->heads = arena_array(f->arena, Binding, loop->names.count + 1);
    for (int i = 0; i < loop->names.count; i++)
        bind_head(f, loop, i);
    if (otherwise->count > 0 && body_breaks(body)) {
        loop->broke = ir_var_new(f->arena, f->fn, "_broke", type_bool, VAR_LOCAL, stmt->span);
        emit(f, set_flag(f, loop->broke, false, stmt->span));
    }
}

/* Walks the body into `region`; bindings come back as they were at the head. */
static void lower_turns(FnState *f, Loop *loop, const AstBody *body, IrRegion *region)
{
    f->loop = loop;
    lower_body(f, body);
    if (f->reachable)
        settle_turn(f, loop, loop->stmt->span);
    f->loop = loop->outer;
    (void)region;
}

static void lower_else(FnState *f, Loop *loop, const AstBody *otherwise)
{
    f->reachable = true;
    if (otherwise->count == 0)
        return;
    if (!loop->broke) {
        lower_body(f, otherwise);
        return;
    }
    IrStmt *ir = ir_stmt(f->arena, IR_IF, loop->stmt->span);
    ir->if_.condition = ir_unary(f->arena, OP_not, ir_var(f->arena, loop->broke, loop->stmt->span),
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
    settle_turn(f, f->loop, span);
    if (f->loop->broke)
        emit(f, set_flag(f, f->loop->broke, true, span));
    emit(f, ir_stmt(f->arena, IR_BREAK, span));
    f->reachable = false;
}

void lower_continue(FnState *f, Span span)
{
    if (!f->loop)
        return;
    settle_turn(f, f->loop, span);
    emit(f, ir_stmt(f->arena, IR_CONTINUE, span));
    f->reachable = false;
}

/* ---- while ------------------------------------------------------------------------------ */

/* `if not condition: break` at the end of `f->region`. */
static void emit_leave(FnState *f, IrValue *condition, Span span)
{
    IrStmt *leave = ir_stmt(f->arena, IR_IF, span);
    leave->if_.condition = ir_unary(f->arena, OP_not, condition, span);
    ir_append(&leave->if_.then, ir_stmt(f->arena, IR_BREAK, span));
    emit(f, leave);
}

void lower_while(FnState *f, const AstStmt *stmt)
{
    Loop loop;
    open_loop(f, &loop, stmt, &stmt->while_.body, &stmt->while_.otherwise, NULL);
    IrStmt *ir = ir_stmt(f->arena, IR_WHILE, stmt->span);
    loop.ir = ir;
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = &ir->while_.body;
    ir->while_.condition = ir_integer(f->arena, type_bool, true, stmt->span);
    IrValue *condition = lower_condition(f, stmt->while_.condition);
    bool forever = ir_is_constant(condition) && condition->constant.integer;
    bool never = ir_is_constant(condition) && !condition->constant.integer;
    if (ir->while_.body.first) /* the condition took statements to compute */
        emit_leave(f, condition, stmt->while_.condition->span);
    else
        ir->while_.condition = condition;
    if (!never)
        lower_turns(f, &loop, &stmt->while_.body, &ir->while_.body);
    f->region = outer;
    env_end_branch(f, mark, &ir->while_.body);
    if (!never)
        emit(f, ir);
    f->reachable = true;
    if (!forever)
        lower_else(f, &loop, &stmt->while_.otherwise);
    else if (!body_breaks(&stmt->while_.body))
        f->reachable = false;
}

/* ---- for -------------------------------------------------------------------------------- */

/* Whether `name` is read anywhere in the function outside the bodies of loops that count in it. */
static bool expr_reads(const AstExpr *expr, const char *name);

static bool exprs_read(const AstExprs *exprs, const char *name)
{
    for (int i = 0; i < exprs->count; i++)
        if (expr_reads(exprs->items[i], name))
            return true;
    return false;
}

static bool expr_reads(const AstExpr *expr, const char *name)
{
    if (!expr)
        return false;
    switch (expr->kind) {
    case AST_NAME:
        return strcmp(expr->name.name, name) == 0;
    case AST_TUPLE:
    case AST_LIST:
        return exprs_read(&expr->list.items, name);
    case AST_UNARY:
        return expr_reads(expr->unary.operand, name);
    case AST_BINARY:
    case AST_BOOLEAN:
        return expr_reads(expr->binary.left, name) || expr_reads(expr->binary.right, name);
    case AST_COMPARE:
        for (int i = 0; i < expr->compare.count; i++)
            if (expr_reads(expr->compare.rest[i], name))
                return true;
        return expr_reads(expr->compare.first, name);
    case AST_IF_EXPR:
        return expr_reads(expr->if_expr.condition, name) || expr_reads(expr->if_expr.then, name) ||
               expr_reads(expr->if_expr.otherwise, name);
    case AST_CALL:
        for (int i = 0; i < expr->call.keyword_count; i++)
            if (expr_reads(expr->call.keywords[i].value, name))
                return true;
        return expr_reads(expr->call.function, name) || exprs_read(&expr->call.args, name);
    case AST_ATTRIBUTE:
        return expr_reads(expr->attribute.object, name);
    case AST_INDEX:
        return expr_reads(expr->index.object, name) || expr_reads(expr->index.index, name);
    case AST_SLICE:
        return expr_reads(expr->slice.start, name) || expr_reads(expr->slice.stop, name) ||
               expr_reads(expr->slice.step, name);
    case AST_STARRED:
        return expr_reads(expr->starred.value, name);
    case AST_WALRUS:
        return strcmp(expr->walrus.name, name) == 0 || expr_reads(expr->walrus.value, name);
    case AST_LAMBDA:
        return true;
    default:
        return false;
    }
}

static bool body_reads_outside(const AstBody *body, const char *name);

static bool is_counter_loop(const AstStmt *stmt, const char *name)
{
    return stmt->kind == AST_FOR && stmt->for_.target->kind == AST_NAME &&
           strcmp(stmt->for_.target->name.name, name) == 0;
}

static bool target_reads(const AstExpr *target, const char *name)
{
    return target->kind != AST_NAME && expr_reads(target, name);
}

static bool stmt_reads_outside(const AstStmt *stmt, const char *name)
{
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        return expr_reads(stmt->expr.value, name);
    case AST_ASSIGN:
        for (int i = 0; i < stmt->assign.targets.count; i++)
            if (target_reads(stmt->assign.targets.items[i], name))
                return true;
        return expr_reads(stmt->assign.value, name);
    case AST_AUG_ASSIGN:
        return expr_reads(stmt->aug_assign.target, name) ||
               expr_reads(stmt->aug_assign.value, name);
    case AST_ANN_ASSIGN:
        return expr_reads(stmt->ann_assign.value, name);
    case AST_IF:
        return expr_reads(stmt->if_.condition, name) || body_reads_outside(&stmt->if_.then, name) ||
               body_reads_outside(&stmt->if_.otherwise, name);
    case AST_WHILE:
        return expr_reads(stmt->while_.condition, name) ||
               body_reads_outside(&stmt->while_.body, name) ||
               body_reads_outside(&stmt->while_.otherwise, name);
    case AST_FOR:
        return expr_reads(stmt->for_.iterable, name) || target_reads(stmt->for_.target, name) ||
               (!is_counter_loop(stmt, name) && body_reads_outside(&stmt->for_.body, name)) ||
               body_reads_outside(&stmt->for_.otherwise, name);
    case AST_RETURN:
        return expr_reads(stmt->return_.value, name);
    case AST_ASSERT:
        return expr_reads(stmt->assert_.condition, name);
    case AST_RAISE:
        return expr_reads(stmt->raise.exception, name);
    default:
        return false;
    }
}

static bool body_reads_outside(const AstBody *body, const char *name)
{
    for (int i = 0; i < body->count; i++)
        if (stmt_reads_outside(body->items[i], name))
            return true;
    return false;
}

/* Whether the loop may count in the user's own variable: nothing but the loop assigns it, and
** nobody reads it once the loop is over, when C's counter is one step too far. */
static bool counts_in_name(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->for_.target;
    if (target->kind != AST_NAME)
        return false;
    Names assigned = { 0 };
    add_body(f, &assigned, &stmt->for_.body);
    for (int i = 0; i < assigned.count; i++)
        if (strcmp(assigned.items[i]->name, target->name.name) == 0)
            return false;
    return !body_reads_outside(&f->function->ast->body, target->name.name);
}

/* What a `for` walks: a counter's range, and from the counter each turn's value. */
typedef struct Walk {
    IrValue *range[3];
    const Operand *over;
} Walk;

/* What a sequence gives at `counter`. */
static Operand item_at(FnState *f, const Operand *over, IrValue *counter, Span span)
{
    if (over->kind == OPD_RANGE) {
        const Type *type = over->range[0]->type;
        IrValue *step = ir_binary(f->arena, OP_mul, ir_cast(f->arena, type, counter, span),
                                  over->range[2], span);
        return operand_value(ir_binary(f->arena, OP_add, over->range[0], step, span));
    }
    if (over->kind == OPD_SEQUENCE) {
        IrValue *tuple = NULL;
        int extra = over->sequence.start ? 1 : 0, count = over->sequence.count + extra;
        const Type **types = arena_array(f->arena, const Type *, count + 1);
        IrValue **items = arena_array(f->arena, IrValue *, count + 1);
        if (extra)
            items[0] = ir_binary(f->arena, OP_add, over->sequence.start, counter, span);
        for (int i = 0; i < over->sequence.count; i++)
            items[i + extra] = item_at(f, &over->sequence.parts[i], counter, span).value;
        for (int i = 0; i < count; i++)
            types[i] = items[i]->type;
        tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, count), span, count);
        tuple->operands = items;
        return operand_value(tuple);
    }
    IrValue *object = over->value;
    if (type_is_array(object->type))
        return operand_value(lower_row(f, object, counter, span));
    IrValue *item = ir_value(f->arena, OP_item_at, object->type->tuple.items[0], span, 2);
    item->operands[0] = object;
    item->operands[1] = counter;
    return operand_value(item);
}

/* How many turns a range takes, as int64. */
static IrValue *range_length(FnState *f, const Operand *range, Span span)
{
    IrValue *start = ir_cast(f->arena, type_int64, range->range[0], span);
    IrValue *stop = ir_cast(f->arena, type_int64, range->range[1], span);
    IrValue *step = ir_cast(f->arena, type_int64, range->range[2], span);
    IrValue *zero = ir_integer(f->arena, type_int64, 0, span);
    IrValue *one = ir_integer(f->arena, type_int64, 1, span);
    IrValue *forward = ir_binary(f->arena, OP_gt, step, zero, span);
    IrValue *last = ir_binary(
        f->arena, OP_sub,
        ir_binary(f->arena, OP_add, ir_binary(f->arena, OP_sub, stop, start, span), step, span),
        ir_select(f->arena, forward, one, ir_integer(f->arena, type_int64, -1, span), span), span);
    IrValue *count = ir_binary(f->arena, OP_floordiv, last, step, span);
    return ir_intrinsic(f->arena, INTR_max, type_int64, span, count, zero, NULL);
}

static bool is_uniform_tuple(const Type *type)
{
    for (int i = 1; i < type->tuple.count; i++)
        if (type->tuple.items[i] != type->tuple.items[0])
            return false;
    return type->tuple.count > 0;
}

/* How many turns a sequence takes, as int64; NULL after a complaint. Sequences are made stable. */
static IrValue *length_of(FnState *f, Operand *over, Span span)
{
    if (over->kind == OPD_RANGE) {
        for (int i = 0; i < 3; i++)
            over->range[i] = lower_stable(f, over->range[i], "_range");
        return range_length(f, over, span);
    }
    if (over->kind == OPD_SEQUENCE) {
        IrValue *shortest = NULL;
        for (int i = 0; i < over->sequence.count; i++) {
            IrValue *length = length_of(f, &over->sequence.parts[i], span);
            if (!length)
                return NULL;
            shortest = shortest ? ir_intrinsic(f->arena, INTR_min, type_int64, span, shortest,
                                               length, NULL)
                                : length;
        }
        return shortest ? shortest : ir_integer(f->arena, type_int64, 0, span);
    }
    const Type *type = over->kind == OPD_VALUE ? over->value->type : type_none;
    if (type->kind == TY_ERROR || over->kind == OPD_ERROR)
        return NULL;
    if (type_is_array(type) && type->array.rank > 0) {
        over->value = lower_stable(f, over->value, "_array");
        return array_extent(f, over->value, 0, span);
    }
    if (type_is_tuple(type) && (type->tuple.count == 0 || is_uniform_tuple(type))) {
        over->value = lower_stable(f, over->value, "_tuple");
        return ir_integer(f->arena, type_int64, type->tuple.count, span);
    }
    if (type_is_tuple(type))
        fail(f, over->span, "a loop over a tuple needs items of one type, and this is %s",
             type_name(f->arena, type));
    else
        fail(f, over->span,
             "cannot loop over %s; use range(), an array, a tuple, enumerate() or "
             "zip()",
             describe(f, *over));
    return NULL;
}

/* The counter's range: of range() itself if that is walked alone, else 0 to the length. */
static bool plan_walk(FnState *f, Operand *over, Walk *walk)
{
    walk->over = over;
    Span span = over->span;
    if (over->kind == OPD_RANGE) {
        memcpy(walk->range, over->range, sizeof(walk->range));
        return true;
    }
    IrValue *length = length_of(f, over, span);
    walk->range[0] = ir_integer(f->arena, type_int64, 0, span);
    walk->range[1] = length;
    walk->range[2] = ir_integer(f->arena, type_int64, 1, span);
    return length != NULL;
}

static void bind_turn(FnState *f, const AstStmt *stmt, const Walk *walk, IrVar *counter)
{
    Span span = stmt->for_.target->span;
    IrValue *value = ir_var(f->arena, counter, span);
    if (walk->over->kind != OPD_RANGE)
        lower_assign(f, stmt->for_.target, item_at(f, walk->over, value, span));
    else
        lower_assign(f, stmt->for_.target, operand_value(value));
}

void lower_for(FnState *f, const AstStmt *stmt)
{
    Operand over = lower_expr(f, stmt->for_.iterable);
    Walk walk;
    if (!plan_walk(f, &over, &walk)) {
        lower_bind(f, stmt->for_.target->kind == AST_NAME ? stmt->for_.target->name.name : "_",
                   operand_value(lower_poison(f, stmt->span)), stmt->span);
        walk = (Walk){ .over = NULL };
    }
    Loop loop;
    bool own = walk.over && over.kind == OPD_RANGE && counts_in_name(f, stmt);
    open_loop(f, &loop, stmt, &stmt->for_.body, &stmt->for_.otherwise,
              own || !walk.over ? NULL : stmt->for_.target);
    IrStmt *ir = ir_stmt(f->arena, IR_FOR, stmt->span);
    loop.ir = ir;
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    if (walk.over) {
        ir->for_.start = walk.range[0];
        ir->for_.stop = walk.range[1];
        ir->for_.step = walk.range[2];
        ir->for_.var = ir_var_new(f->arena, f->fn, own ? stmt->for_.target->name.name : "_i",
                                  walk.range[0]->type, VAR_LOCAL, stmt->for_.target->span);
    }
    f->region = &ir->for_.body;
    if (own)
        env_bind(
            f, env_name(f, stmt->for_.target->name.name),
            (Binding){ .kind = BIND_VAR, .span = stmt->for_.target->span, .var = ir->for_.var });
    else if (walk.over)
        bind_turn(f, stmt, &walk, ir->for_.var);
    lower_turns(f, &loop, &stmt->for_.body, &ir->for_.body);
    f->region = outer;
    env_end_branch(f, mark, &ir->for_.body);
    if (walk.over)
        emit(f, ir);
    lower_else(f, &loop, &stmt->for_.otherwise);
}
