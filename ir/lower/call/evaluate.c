/* Calls of functions in constants of a module: the function is run, statement by statement, on
** values that are known. */
#include "ir/lower/call/evaluate.h"

enum { STEPS_MOST = 1000000, CALL_STEPS = 16, DEPTH_MOST = 100 };

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAILED } Flow;

static Flow run_body(Evaluation *e, const AstBody *body);

bool evaluate_fails(Evaluation *e, Span span, const char *what)
{
    if (library_hides(e->f))
        fail(e->f, span, "a constant cannot call it");
    else if (!e->function)
        fail(e->f, span, "this is run for a constant, and %s", what);
    else
        fail(e->f, span, "'%s' is called for a constant, and %s", e->function->name, what);
    return false;
}

static Flow give_up(Evaluation *e, Span span, const char *what)
{
    evaluate_fails(e, span, what);
    return FLOW_FAILED;
}

/* A number, a constant array or a part of one, a tuple of these. */
static bool is_known_value(const IrValue *value)
{
    TableView view;
    if (type_is_array(value->type))
        return ir_table_view(value, &view);
    if (value->op != OP_tuple)
        return constant_is_known(value);
    for (int i = 0; i < value->count; i++)
        if (!is_known_value(value->operands[i]))
            return false;
    return true;
}

static bool is_known(const Operand *value)
{
    return value->kind != OPD_VALUE || is_known_value(value->value);
}

bool evaluate_expr(Evaluation *e, const AstExpr *expr, Operand *out)
{
    *out = lower_expr(e->f, expr);
    if (out->kind == OPD_ERROR || (out->kind == OPD_VALUE && is_poison(out->value)))
        return false;
    if (!is_known(out))
        give_up(e, expr->span, "this is not known before a kernel runs");
    return is_known(out);
}

/* 1 or 0; -1 after a complaint. */
static int evaluate_condition(Evaluation *e, const AstExpr *expr)
{
    IrValue *value = lower_condition(e->f, expr);
    if (!is_poison(value) && !ir_is_constant(value))
        give_up(e, expr->span, "this is not known before a kernel runs");
    return ir_is_constant(value) ? value->constant.integer != 0 : -1;
}

/* ---- assignments ----------------------------------------------------------------------------- */

static void bind(Evaluation *e, const char *name, Operand value)
{
    Operand *copy = arena_new(e->f->arena, Operand);
    *copy = value;
    env_bind(e->f, env_name(e->f, name),
             (Binding){ .kind = BIND_OPERAND, .span = value.span, .operand = copy });
}

static bool assign_items(Evaluation *e, const AstExpr *target, const Operand *value)
{
    const AstExprs *targets = &target->list.items;
    if (evaluate_count(e->f, value) != targets->count)
        return evaluate_fails(e, target->span, "this cannot be assigned to then");
    for (int i = 0; i < targets->count; i++)
        if (!evaluate_assign(e, targets->items[i], evaluate_item(e->f, value, i, value->span)))
            return false;
    return true;
}

bool evaluate_assign(Evaluation *e, const AstExpr *target, Operand value)
{
    if (value.kind == OPD_ERROR)
        return false;
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        return assign_items(e, target, &value);
    if (target->kind == AST_INDEX)
        return evaluate_store(e, target, value);
    if (target->kind == AST_ATTRIBUTE)
        return evaluate_set_attribute(e, target, value);
    if (target->kind != AST_NAME)
        return evaluate_fails(e, target->span, "this cannot be assigned to then");
    bind(e, target->name.name, value);
    return true;
}

static Flow assign(Evaluation *e, const AstExpr *target, Operand value)
{
    return evaluate_assign(e, target, value) ? FLOW_ON : FLOW_FAILED;
}

bool evaluate_is_iterator(const FnState *f, const AstExpr *expr)
{
    static const char *const makers[] = { "map", "filter", "reversed", "zip", "enumerate", "iter" };
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    if (expr->kind == AST_COMPREHENSION)
        return expr->comprehension->kind == AST_TUPLE;
    return callee && callee->kind == AST_NAME && TEXT_IS_AMONG(callee->name.name, makers) &&
           !names_local(f, callee->name.name) && !lower_lookup(f, callee->name.name);
}

static Flow run_assign(Evaluation *e, const AstStmt *stmt)
{
    Operand value;
    for (int i = 0; i < stmt->assign.targets.count; i++)
        if (stmt->assign.targets.items[i]->kind == AST_NAME &&
            evaluate_is_iterator(e->f, stmt->assign.value))
            return give_up(e, stmt->span,
                           "an iterator gets a name, which can be gone through once: make a tuple "
                           "of it");
    if (!evaluate_expr(e, stmt->assign.value, &value))
        return FLOW_FAILED;
    for (int i = 0; i < stmt->assign.targets.count; i++)
        if (assign(e, stmt->assign.targets.items[i], value) != FLOW_ON)
            return FLOW_FAILED;
    return FLOW_ON;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Counts a step against the most that one compilation takes. */
static bool may_step(Evaluation *e, Span span)
{
    if (e->f->lower->steps++ < STEPS_MOST)
        return true;
    give_up(e, span, "this takes too many steps");
    return false;
}

static Flow run_while(Evaluation *e, const AstStmt *stmt)
{
    int condition;
    while ((condition = evaluate_condition(e, stmt->while_.condition)) > 0) {
        Flow flow = may_step(e, stmt->span) ? run_body(e, &stmt->while_.body) : FLOW_FAILED;
        if (flow == FLOW_BREAK)
            return FLOW_ON;
        if (flow > FLOW_CONTINUE)
            return flow;
    }
    return condition < 0 ? FLOW_FAILED : run_body(e, &stmt->while_.otherwise);
}

int64_t evaluate_count(FnState *f, const Operand *over)
{
    bool value = over->kind == OPD_VALUE || over->kind == OPD_UNROLL;
    int64_t least = -1;
    if (over->kind == OPD_STRING)
        return over->string.characters;
    if (value && type_is_tuple(over->value->type))
        return over->value->type->tuple.count;
    if (over->kind == OPD_BUNDLE)
        return bundle_count(f, over->bundle);
    if (over->kind == OPD_ENUM)
        return enum_count(f, over->enumeration);
    if (value && type_is_array(over->value->type)) {
        TableView view;
        return ir_table_view(over->value, &view) && view.rank ? view.shape[0] : -1;
    }
    for (int i = 0; over->kind == OPD_SEQUENCE && !over->sequence.taken && i < over->sequence.count;
         i++) {
        int64_t count = evaluate_count(f, &over->sequence.parts[i]);
        if (count < 0 || least < 0 || count < least)
            least = count;
        if (count < 0)
            return -1;
    }
    if (over->kind != OPD_RANGE)
        return least;
    for (int i = 0; i < 3; i++)
        if (!ir_is_constant(over->range[i]))
            return -1;
    int64_t start = over->range[0]->constant.integer, stop = over->range[1]->constant.integer;
    int64_t step = over->range[2]->constant.integer;
    int64_t distance;
    if (step == 0 || (step > 0 ? start >= stop : start <= stop))
        return 0;
    if (step == INT64_MIN ||
        __builtin_sub_overflow(step > 0 ? stop : start, step > 0 ? start : stop, &distance))
        return -1;
    return (distance - 1) / (step > 0 ? step : -step) + 1;
}

Operand evaluate_item(FnState *f, const Operand *over, int64_t index, Span span)
{
    if (over->kind == OPD_SEQUENCE) {
        int count = over->sequence.count, first = over->sequence.start != NULL;
        Operand *items = arena_array(f->arena, Operand, count + 2);
        if (first)
            items[0] = operand_value(
                ir_binary(f->arena, OP_add, over->sequence.start,
                          ir_integer(f->arena, over->sequence.start->type, index, span), span));
        for (int i = 0; i < count; i++)
            items[first + i] = evaluate_item(f, &over->sequence.parts[i], index, span);
        return tuple_of_operands(f, items, first + count, span);
    }
    if (over->kind == OPD_STRING)
        return lower_text_item(f, over, index, span);
    if (over->kind == OPD_BUNDLE)
        return bundle_key_at(f, over->bundle, (int)index);
    if (over->kind == OPD_ENUM)
        return enum_member_at(f, over->enumeration, (int)index, span);
    if (over->kind == OPD_VALUE && type_is_array(over->value->type))
        return operand_value(
            lower_row(f, over->value, ir_integer(f->arena, type_int64, index, span), span));
    if (over->kind != OPD_RANGE)
        return thing_operand(f, operand_value(ir_item(f->arena, over->value, (int)index, span)));
    int64_t number = over->range[0]->constant.integer + index * over->range[2]->constant.integer;
    return operand_value(ir_integer(f->arena, over->range[0]->type, number, span));
}

static Flow run_for(Evaluation *e, const AstStmt *stmt)
{
    Operand over = lower_expr(e->f, stmt->for_.iterable);
    int64_t count = over.kind == OPD_ERROR ? 0 : evaluate_count(e->f, &over);
    if (over.kind == OPD_ERROR)
        return FLOW_FAILED;
    if (count < 0)
        return give_up(e, stmt->for_.iterable->span, "this is no range or tuple that is known");
    for (int64_t i = 0; i < count; i++) {
        Operand item = evaluate_item(e->f, &over, i, stmt->for_.target->span);
        if (!may_step(e, stmt->span) || assign(e, stmt->for_.target, item) != FLOW_ON)
            return FLOW_FAILED;
        Flow flow = run_body(e, &stmt->for_.body);
        if (flow == FLOW_BREAK)
            return FLOW_ON;
        if (flow > FLOW_CONTINUE)
            return flow;
    }
    return run_body(e, &stmt->for_.otherwise);
}

/* ---- statements ------------------------------------------------------------------------------ */

static Flow run_return(Evaluation *e, const AstStmt *stmt)
{
    e->result = (Operand){ .kind = OPD_NONE, .span = stmt->span };
    return !stmt->return_.value || evaluate_expr(e, stmt->return_.value, &e->result) ? FLOW_RETURN
                                                                                     : FLOW_FAILED;
}

/* Whether running the statement at hand tells what a name of its module is from there on. */
static bool is_of_run(const Lower *lower, const char *name)
{
    const Symbol *bound;
    for (int i = 0; (bound = module_bound_by(lower->run, i)); i++)
        if (strcmp(bound->name, name) == 0)
            return !bound->unknown.lost;
    return false;
}

/* Has a function give values to a name of the module, or of the factory that it is in, where the
** statement that is run for that calls it. */
static bool share_name(Evaluation *e, const AstStmt *stmt, const char *name)
{
    const Lower *lower = e->f->lower;
    const Function *function = e->function;
    bool file = stmt->kind == AST_GLOBAL;
    if (!e->changes || function->run || function->owner || !is_of_run(lower, name) ||
        lower->run_state->module != function->module || module_is_file(function->module) != file)
        return false;
    table_put(&e->f->names, name, env_name(lower->run_state, name));
    return true;
}

/* Names of the module that the function only reads need no saying. */
static Flow run_global(Evaluation *e, const AstStmt *stmt)
{
    for (int i = 0; e->function && i < stmt->global.names.count; i++) {
        const char *name = stmt->global.names.items[i]->name.name;
        if (names_assigned(&e->function->ast->body, name) && !share_name(e, stmt, name))
            return give_up(e, stmt->span,
                           e->changes ? "this changes a constant of the module"
                                      : "this changes a constant of the module: call it in a "
                                        "statement of its own");
    }
    return FLOW_ON;
}

/* with np.errstate(...): what only says how its body is to be run */
static Flow run_with(Evaluation *e, const AstStmt *stmt)
{
    static const char *const known[] = { "errstate", "catch_warnings", "printoptions",
                                         "nullcontext" };
    for (int i = 0; i < stmt->with.count; i++) {
        const AstExpr *call = stmt->with.items[i].value;
        const AstExpr *callee = call->kind == AST_CALL ? call->call.function : call;
        bool harmless = false;
        for (size_t k = 0; k < ARRAY_COUNT(known); k++)
            harmless |=
                callee->kind == AST_ATTRIBUTE && strcmp(callee->attribute.name, known[k]) == 0;
        if (!harmless || stmt->with.items[i].target)
            return give_up(e, stmt->span, "this statement cannot be run then");
    }
    return run_body(e, &stmt->with.body);
}

/* A call for what it does: it changes what it belongs to or is given, or it prints. */
static Flow run_expression(Evaluation *e, const AstExpr *expr)
{
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    Operand value;
    if (expr->kind == AST_STRING)
        return FLOW_ON;
    if (callee && callee->kind == AST_NAME && strcmp(callee->name.name, "print") == 0) {
        bool calls = false; /* which may change something */
        for (int i = 0; i < expr->call.args.count; i++)
            calls |= expr->call.args.items[i]->kind == AST_CALL;
        if (!calls)
            return FLOW_ON;
    }
    if (!callee)
        return give_up(e, expr->span, "this statement cannot be run then");
    int changed = evaluate_method(e, expr);
    if (changed)
        return changed > 0 ? FLOW_ON : FLOW_FAILED;
    e->f->lower->run_call = e->changes ? expr : NULL;
    bool fine = evaluate_expr(e, expr, &value);
    e->f->lower->run_call = NULL;
    return fine ? FLOW_ON : FLOW_FAILED;
}

static Flow run_stmt(Evaluation *e, const AstStmt *stmt)
{
    Operand value;
    int condition;
    switch (stmt->kind) {
    case AST_ASSIGN:
        return run_assign(e, stmt);
    case AST_AUG_ASSIGN:
        return evaluate_augmented(e, stmt) ? FLOW_ON : FLOW_FAILED;
    case AST_ANN_ASSIGN:
        if (!stmt->ann_assign.value)
            return FLOW_ON;
        return evaluate_expr(e, stmt->ann_assign.value, &value)
                   ? assign(e, stmt->ann_assign.target, value)
                   : FLOW_FAILED;
    case AST_IF:
        condition = evaluate_condition(e, stmt->if_.condition);
        return condition < 0 ? FLOW_FAILED
                             : run_body(e, condition ? &stmt->if_.then : &stmt->if_.otherwise);
    case AST_WHILE:
        return run_while(e, stmt);
    case AST_FOR:
        return run_for(e, stmt);
    case AST_BREAK:
        return FLOW_BREAK;
    case AST_CONTINUE:
        return FLOW_CONTINUE;
    case AST_PASS:
    case AST_IMPORT: /* what is built in is there without */
    case AST_FROM_IMPORT:
        return FLOW_ON;
    case AST_GLOBAL:
    case AST_NONLOCAL:
        return run_global(e, stmt);
    case AST_DEF:
        lower_def(e->f, stmt);
        return FLOW_ON;
    case AST_WITH:
        return run_with(e, stmt);
    case AST_RETURN:
        return run_return(e, stmt);
    case AST_ASSERT:
        condition = evaluate_condition(e, stmt->assert_.condition);
        return condition > 0   ? FLOW_ON
               : condition < 0 ? FLOW_FAILED
                               : give_up(e, stmt->span, "this assertion fails");
    case AST_EXPR_STMT:
        return run_expression(e, stmt->expr.value);
    case AST_RAISE:
        return give_up(e, stmt->span, "this is raised");
    default:
        break;
    }
    return give_up(e, stmt->span, "this statement cannot be run then");
}

static Flow run_body(Evaluation *e, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        Flow flow = run_stmt(e, body->items[i]);
        if (flow != FLOW_ON)
            return flow;
    }
    return FLOW_ON;
}

Operand lower_evaluate(FnState *f, const AstExpr *call, const Function *function,
                       const Operand *args, int count)
{
    Evaluation e = { constant_state(f, function->module),
                     function,
                     f->lower->run_call == call,
                     { .kind = OPD_NONE, .span = call->span } };
    if (e.changes)
        f->lower->run_call = NULL;
    if (f->lower->evaluating == DEPTH_MOST)
        return fail_operand(f, call->span, "functions call one another too deeply here");
    if (function->run)
        names_see(e.f, function->run);
    bool hidden = module_is_standard(function->module) && !f->lower->library_called;
    e.f->running = function;
    e.f->runs = true;
    e.f->constant = f->constant; /* names are what they are where the constant stands */
    if (!f->lower->evaluating)
        f->lower->steps = 0; /* each constant may take as many */
    f->lower->steps += CALL_STEPS;
    if (!may_step(&e, call->span))
        return operand_error(call->span);
    for (int i = 0; i < count; i++)
        bind(&e, function->ast->params.items[i].name, args[i]);
    if (hidden) {
        f->lower->library_called = function;
        f->lower->library_call = call->span;
    }
    f->lower->evaluating++;
    Flow flow = run_body(&e, &function->ast->body);
    f->lower->evaluating--;
    if (hidden)
        f->lower->library_called = NULL;
    e.result.span = call->span;
    return flow == FLOW_FAILED ? operand_error(call->span) : e.result;
}

bool evaluate_statement(FnState *f, const AstStmt *stmt)
{
    Evaluation e = { f, NULL, true, { .kind = OPD_NONE, .span = stmt->span } };
    f->runs = true;
    if (!f->lower->evaluating)
        f->lower->steps = 0;
    f->lower->evaluating++;
    Flow flow = run_stmt(&e, stmt);
    f->lower->evaluating--;
    return flow != FLOW_FAILED;
}
