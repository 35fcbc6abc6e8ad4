/* `for`: a counter's range, and what each iteration makes of the counter. */
#include "ir/lower/array.h"
#include "ir/lower/values.h"

/* Whether the loop may count in the user's own variable: nothing but the loop assigns it, and
** it is not read once the loop is over, when C's counter is one step too far. */
static bool counts_in_name(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->for_.target;
    return target->kind == AST_NAME && !names_assigned(&stmt->for_.body, target->name.name) &&
           !names_read_outside(&f->function->ast->body, target->name.name);
}

/* What a `for` walks: a counter's range, and from the counter each iteration's value. */
typedef struct ForWalk {
    IrValue *range[3];
    const Operand *over;
} ForWalk;

Operand sequence_item(FnState *f, const Operand *over, IrValue *counter, Span span)
{
    if (over->kind == OPD_RANGE) {
        return operand_value(range_item(f, over, counter, span));
    }
    if (over->kind == OPD_SEQUENCE) {
        IrValue *tuple = NULL;
        int extra = over->sequence.start ? 1 : 0, count = over->sequence.count + extra;
        const Type **types = arena_array(f->arena, const Type *, count + 1);
        IrValue **items = arena_array(f->arena, IrValue *, count + 1);
        if (extra)
            items[0] = ir_binary(f->arena, OP_add, over->sequence.start, counter, span);
        for (int i = 0; i < over->sequence.count; i++)
            items[i + extra] = sequence_item(f, &over->sequence.parts[i], counter, span).value;
        for (int i = 0; i < count; i++)
            types[i] = items[i]->type;
        tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, count), span, count);
        tuple->operands = items;
        return operand_value(tuple);
    }
    if (over->kind == OPD_WALK)
        return operand_value(walk_item(f, over, counter, span));
    IrValue *object = over->value;
    if (type_is_array(object->type))
        return operand_value(lower_row(f, object, counter, span));
    IrValue *item = ir_value(f->arena, OP_item_at, object->type->tuple.items[0], span, 2);
    item->operands[0] = object;
    item->operands[1] = counter;
    return operand_value(item);
}

void sequence_hold(FnState *f, Operand *over)
{
    if (over->kind == OPD_RANGE)
        for (int i = 0; i < 3; i++)
            over->range[i] = lower_stable(f, over->range[i], "_range");
    for (int i = 0; over->kind == OPD_SEQUENCE && i < over->sequence.count; i++) {
        Operand *part = &over->sequence.parts[i];
        if (part->kind == OPD_VALUE && part->value->type->kind != TY_ERROR)
            part->value = lower_stable(f, part->value, "_part");
        sequence_hold(f, part);
    }
}

IrValue *sequence_length(FnState *f, Operand *over, Span span)
{
    characters_settle(f, over);
    if (over->kind == OPD_RANGE) {
        for (int i = 0; i < 3; i++)
            over->range[i] = lower_stable(f, over->range[i], "_range");
        return range_length(f, over, span);
    }
    if (over->kind == OPD_SEQUENCE) {
        IrValue *shortest = NULL;
        for (int i = 0; i < over->sequence.count; i++) {
            IrValue *length = sequence_length(f, &over->sequence.parts[i], span);
            if (!length)
                return NULL;
            shortest = shortest ? ir_min(f->arena, shortest, length, span) : length;
        }
        return shortest ? shortest : ir_integer(f->arena, type_int64, 0, span);
    }
    if (over->kind == OPD_WALK)
        return walk_length(f, over, span);
    const Type *type = over->kind == OPD_VALUE ? over->value->type : type_none;
    if (type->kind == TY_ERROR || over->kind == OPD_ERROR)
        return NULL;
    if (type_is_array(type) && type->array.rank > 0) {
        over->value = lower_stable(f, over->value, "_array");
        return array_extent(f, over->value, 0, span);
    }
    if (type_is_tuple(type) && type_is_uniform(type)) {
        over->value = lower_stable(f, over->value, "_tuple");
        return ir_integer(f->arena, type_int64, type->tuple.count, span);
    }
    if (type_is_tuple(type))
        fail(f, over->span,
             "a loop over a tuple needs items of one type, and this is %s; "
             "literal_unroll(...) around it types the body for each",
             type_name(f->arena, type));
    else
        fail(f, over->span,
             "cannot loop over %s; use range(), an array, a tuple, enumerate() or "
             "zip()",
             describe(f, *over));
    if (over->kind == OPD_VALUE)
        note_types(f, over->value, NULL);
    return NULL;
}

/* The counter's range: of range() itself if that is walked alone, else 0 to the length. */
static bool plan_walk(FnState *f, Operand *over, ForWalk *walk)
{
    walk->over = over;
    Span span = over->span;
    if (over->kind == OPD_RANGE) {
        memcpy(walk->range, over->range, sizeof(walk->range));
        return true;
    }
    IrValue *length = sequence_length(f, over, span);
    walk->range[0] = ir_integer(f->arena, type_int64, 0, span);
    walk->range[1] = length;
    walk->range[2] = ir_integer(f->arena, type_int64, 1, span);
    return length != NULL;
}

/* Makes the loop's counter and binds the target to what the counter gives. */
static void bind_iteration(FnState *f, const AstStmt *stmt, const ForWalk *walk, bool own,
                           IrStmt *ir)
{
    const AstExpr *target = stmt->for_.target;
    const Type *type = walk->range[0]->type;
    if (own) {
        const char *name = target->name.name;
        ir->for_.var = ir_var_new(f->arena, f->fn, name, type, VAR_LOCAL, target->span);
        env_assign(f, env_name(f, name),
                   (Binding){ .kind = BIND_VAR, .span = target->span, .var = ir->for_.var });
        meaning_of_target(f, target, operand_value(ir_var(f->arena, ir->for_.var, target->span)));
        return;
    }
    ir->for_.var = ir_temporary(f->arena, f->fn, "_i", type, target->span);
    IrValue *counter = ir_var(f->arena, ir->for_.var, target->span);
    lower_assign(f, target,
                 walk->over->kind == OPD_RANGE
                     ? operand_value(counter)
                     : sequence_item(f, walk->over, counter, target->span));
}

/* After a complaint about what is looped over: looks for mistakes in the rest all the same. */
static void walk_nothing(FnState *f, const AstStmt *stmt)
{
    Loop loop;
    Names assigned = { 0 };
    lower_assign(f, stmt->for_.target, operand_value(lower_poison(f, stmt->span)));
    loop_open(f, &loop, stmt, &assigned);
    int mark = env_mark(f);
    loop_iterations(f, &loop, &stmt->for_.body);
    env_end_branch(f, mark, f->region);
    loop_else(f, &loop, &stmt->for_.otherwise);
}

/* Around an iterator: the body may take from it too. */
static void lower_for_iterator(FnState *f, const AstStmt *stmt, const Operand *iterator)
{
    Loop loop;
    Names assigned = { 0 };
    names_of_target(f, stmt->for_.target, &assigned);
    loop_open(f, &loop, stmt, &assigned);
    IrStmt *ir = ir_stmt(f->arena, IR_WHILE, stmt->span);
    ir->while_.condition = ir_integer(f->arena, type_bool, true, stmt->span);
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = &ir->while_.body;
    lower_assign(f, stmt->for_.target, iterator_take(f, iterator, &loop, stmt->for_.target->span));
    loop_iterations(f, &loop, &stmt->for_.body);
    f->region = outer;
    env_end_branch(f, mark, &ir->while_.body);
    emit(f, ir);
    f->reachable = true;
    loop_else(f, &loop, &stmt->for_.otherwise);
}

void lower_for(FnState *f, const AstStmt *stmt)
{
    Operand over = lower_expr(f, stmt->for_.iterable);
    ForWalk walk;
    if (over.kind == OPD_UNROLL) {
        lower_unrolled(f, stmt, over.value);
        return;
    }
    if (over.kind == OPD_VALUE && type_is_tuple(over.value->type) &&
        over.value->type->tuple.count == 0) { /* no iteration: the body has no types */
        lower_body(f, &stmt->for_.otherwise);
        return;
    }
    if (is_iterator(&over)) {
        lower_for_iterator(f, stmt, &over);
        return;
    }
    if (!plan_walk(f, &over, &walk)) {
        walk_nothing(f, stmt);
        return;
    }
    Loop loop;
    Names assigned = { 0 };
    bool own = over.kind == OPD_RANGE && counts_in_name(f, stmt);
    if (!own)
        names_of_target(f, stmt->for_.target, &assigned);
    loop_open(f, &loop, stmt, &assigned);
    IrStmt *ir = ir_stmt(f->arena, IR_FOR, stmt->span);
    ir->for_.start = walk.range[0];
    ir->for_.stop = walk.range[1];
    ir->for_.step = walk.range[2];
    ir->for_.unroll = over.kind == OPD_RANGE ? over.unroll : 0;
    IrRegion *outer = f->region;
    int mark = env_mark(f);
    f->region = &ir->for_.body;
    bind_iteration(f, stmt, &walk, own, ir);
    loop_iterations(f, &loop, &stmt->for_.body);
    f->region = outer;
    env_end_branch(f, mark, &ir->for_.body);
    emit(f, ir);
    loop_else(f, &loop, &stmt->for_.otherwise);
}
