/* Statements. */
#include "runtime/program/compiled.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

/* The name that a decorator begins with: "cuda" of @cuda.jit(device=True). */
static const char *first_name(const AstExpr *expr)
{
    while (expr->kind == AST_CALL || expr->kind == AST_ATTRIBUTE)
        expr = expr->kind == AST_CALL ? expr->call.function : expr->attribute.object;
    return expr->kind == AST_NAME ? expr->name.name : "";
}

/* Of what names stand for that lies in a module, its path; else "". */
static const char *path_of(const HostValue *value)
{
    bool module = value->kind == HOST_MODULE || value->kind == HOST_FOREIGN;
    return value->kind == HOST_BUILTIN ? value->builtin->name : module ? value->text : "";
}

/* What is said to the compiler changes nothing for the host. */
static bool is_for_kernels(const Program *p, const AstExpr *decorator)
{
    static const char *const bare[] = { "kernel",   "device", "example", "tune",
                                        "schedule", "cuda",   "numba" };
    const char *name = first_name(decorator);
    const HostName *slot = env_find(env_module(p->frame->env), name);
    for (size_t i = 0; !slot && i < ARRAY_COUNT(bare); i++)
        if (strcmp(bare[i], name) == 0)
            return true;
    if (!slot)
        return false;
    const char *path = path_of(&slot->value);
    return strncmp(path, "cuda", 4) == 0 || strncmp(path, "numba", 5) == 0;
}

/* The last name of what a decorator calls: "vectorize" of @numba.vectorize([...]). */
static const char *last_name(const Program *p, const AstExpr *decorator)
{
    const AstExpr *callee = decorator->kind == AST_CALL ? decorator->call.function : decorator;
    const HostName *slot =
        callee->kind == AST_NAME ? env_find(env_module(p->frame->env), callee->name.name) : NULL;
    const char *path = slot ? path_of(&slot->value) : "", *dot = strrchr(path, '.');
    return callee->kind == AST_ATTRIBUTE ? callee->attribute.name : dot ? dot + 1 : path;
}

/* @njit and @numba.jit; that of numba.cuda marks what runs there. */
static bool is_compiled(const Program *p, const AstExpr *decorator, const char *name)
{
    const HostName *slot = env_find(env_module(p->frame->env), first_name(decorator));
    const bool numba = slot && strncmp(path_of(&slot->value), "numba", 5) == 0;
    const AstExpr *callee = decorator->kind == AST_CALL ? decorator->call.function : decorator;
    const bool cuda = callee->kind == AST_ATTRIBUTE && callee->attribute.object->kind != AST_NAME;
    return strcmp(name, "njit") == 0 || (strcmp(name, "jit") == 0 && numba && !cuda);
}

/* A decorator for kernels that makes something else of the function, which the host calls. */
static bool make_more(Program *p, const AstExpr *decorator, HostValue *function)
{
    static const char *const none[] = { "stencil", "cfunc", "jitclass" };
    const char *name = last_name(p, decorator);
    if (TEXT_IS_AMONG(name, none))
        return host_refuse(p, decorator->span,
                           "there is no @%s in programs: write a kernel, or an expression of "
                           "arrays",
                           name);
    if (is_compiled(p, decorator, name) && function->kind == HOST_FUNCTION)
        function->function->compiles = true;
    if (strcmp(name, "vectorize") == 0)
        return ufunc_define(p, UFUNC_VECTORIZED, decorator, *function, function);
    if (strcmp(name, "guvectorize") == 0)
        return ufunc_define(p, UFUNC_GENERALIZED, decorator, *function, function);
    if (strcmp(name, "reduce") == 0 || strcmp(name, "Reduce") == 0)
        return ufunc_define(p, UFUNC_REDUCE, decorator, *function, function);
    return true;
}

bool host_decorate(Program *p, const AstExpr *decorator, HostValue *function)
{
    HostValue value;
    if (is_for_kernels(p, decorator)) {
        if (!make_more(p, decorator, function))
            return false;
        host_keep(p, *function);
        return true;
    }
    if (!host_eval(p, decorator, &value))
        return false;
    if (!host_call_one(p, value, *function, function))
        return host_place(p, decorator->span);
    host_keep(p, *function);
    return true;
}

/* `def`: a function, or what its decorators make of it. */
static bool host_define(Program *p, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    HostValue function;
    if (!kernel_define(p, ast, &function) && !host_function(p, ast, &function))
        return false;
    for (int i = ast->decorators.count; i-- > 0;)
        if (!host_decorate(p, ast->decorators.items[i], &function))
            return false;
    env_write(p, ast->name, function);
    return true;
}

/* ---- assignments ---------------------------------------------------------------------------- */

const char *exec_givable(const AstStmt *stmt)
{
    const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.targets.items[0]
                            : stmt->kind == AST_ANN_ASSIGN && stmt->ann_assign.value
                                ? stmt->ann_assign.target
                                : NULL;
    return target && target->kind == AST_NAME ? target->name.name : NULL;
}

/* What -D or NAME=VALUE has in place of a value of the module; that holds once. */
static bool given(Program *p, const AstStmt *stmt, HostValue *out)
{
    const char *name = p->given.count && !p->frame->caller ? exec_givable(stmt) : NULL;
    const HostValue *value = name ? table_get(&p->given, name) : NULL;
    if (!value)
        return false;
    table_put(&p->given, name, NULL);
    return host_give(out, *value);
}

static bool exec_assign(Program *p, const AstStmt *stmt)
{
    HostValue value;
    if (!given(p, stmt, &value) && !host_eval(p, stmt->assign.value, &value))
        return false;
    const AstExprs *targets = &stmt->assign.targets;
    bool stored = targets->count == 1 && targets->items[0]->kind == AST_INDEX;
    if (!stored && !host_settle(p, &value)) /* x[...] = takes an expression as it is */
        return host_place(p, host_span(stmt->assign.value));
    host_keep(p, value);
    for (int i = 0; i < stmt->assign.targets.count; i++)
        if (!host_assign(p, stmt->assign.targets.items[i], value))
            return false;
    return true;
}

static bool exec_annotated(Program *p, const AstStmt *stmt)
{
    const AstExpr *expr = stmt->ann_assign.value;
    HostValue value;
    if (!expr)
        return true;
    if (!given(p, stmt, &value) && !host_eval(p, expr, &value))
        return false;
    if (!host_settle(p, &value))
        return host_place(p, host_span(expr));
    host_keep(p, value);
    return host_assign(p, stmt->ann_assign.target, value);
}

static bool exec_augmented(Program *p, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    bool element = target->kind == AST_INDEX;
    HostValue object, index, before, value, after;
    if (!element && !host_eval(p, target, &before))
        return false;
    if (element && (!host_eval(p, target->index.object, &object) ||
                    !host_eval(p, target->index.index, &index)))
        return false;
    if (element && !host_index(p, object, index, &before))
        return host_place(p, host_span(target));
    host_keep(p, before);
    if (!host_eval(p, stmt->aug_assign.value, &value))
        return false;
    if (!host_augmented(p, stmt->aug_assign.op, before, value, &after))
        return host_place(p, stmt->span);
    host_keep(p, after);
    if (target->kind == AST_ATTRIBUTE && after.kind == HOST_ARRAY)
        return true;
    if (!element)
        return host_assign(p, target, after);
    if (object.kind == HOST_ARRAY && after.kind == HOST_ARRAY &&
        after.array->block == object.array->block)
        return true; /* a view, which was changed in place */
    return host_set_index(p, object, index, after) || host_place(p, host_span(target));
}

/* del object.name */
static bool delete_attribute(Program *p, const AstExpr *target)
{
    HostValue object;
    if (!host_eval(p, target->attribute.object, &object))
        return false;
    if (object.kind != HOST_INSTANCE)
        return host_refuse(p, target->span, "this cannot be deleted");
    return object_delete(p, object, target->attribute.name) || host_place(p, host_span(target));
}

static bool exec_delete(Program *p, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->del.targets.count; i++) {
        const AstExpr *target = stmt->del.targets.items[i];
        HostValue object, index;
        if (target->kind == AST_NAME) {
            if (!env_delete(p, target))
                return false;
        } else if (target->kind == AST_ATTRIBUTE) {
            if (!delete_attribute(p, target))
                return false;
        } else if (target->kind != AST_INDEX) {
            return host_refuse(p, target->span, "this cannot be deleted");
        } else if (!host_eval(p, target->index.object, &object) ||
                   !host_eval(p, target->index.index, &index)) {
            return false;
        } else if (!host_delete_index(p, object, index)) {
            return host_place(p, host_span(target));
        }
    }
    return true;
}

/* ---- loops, branches ------------------------------------------------------------------------ */

/* Which of its bodies a loop is in. */
enum { OTHERWISE, BODY };

static HostFlow flow(bool fine)
{
    return fine ? FLOW_NEXT : FLOW_FAILED;
}

static bool condition(Program *p, const AstExpr *expr, bool *truth)
{
    HostValue value;
    return host_eval(p, expr, &value) &&
           (host_truth(p, value, truth) || host_place(p, host_span(expr)));
}

/* An 'if' whose condition asks for the value of what kjit has not: it is passed over, and said. */
static bool hangs_on_foreign(Program *p, const AstStmt *stmt)
{
    const Span span = stmt->if_.condition->span;
    if (!p->foreign || p->traced != p->frame || p->trace_count != 1)
        return false;
    const SourcePlace place = source_place(span.source, span.begin);
    fprintf(stderr, "%s:%u: note: 'if' is passed over: kjit has not what it asks for\n",
            span.source->name, place.line);
    host_forget(p);
    return true;
}

static HostFlow exec_if(Program *p, const AstStmt *stmt)
{
    HostPoint point = { .at = 0 };
    bool truth = generator_resumes(p, &point) && point.at;
    if (!point.resumed && !condition(p, stmt->if_.condition, &truth))
        return hangs_on_foreign(p, stmt) ? FLOW_NEXT : FLOW_FAILED;
    point.at = truth;
    const HostFlow left = host_exec(p, truth ? &stmt->if_.then : &stmt->if_.otherwise);
    return generator_leaves(p, left, point);
}

/* Whether a statement is of the program's own text. */
static bool is_own(const Program *p, const AstStmt *stmt)
{
    return p->module && stmt->span.source == p->module->main->source;
}

/* The body of a loop once. */
static HostFlow exec_iteration(Program *p, const AstStmt *stmt, const AstBody *body)
{
    const HostFlow left = host_exec(p, body);
    if (is_own(p, stmt) && p->loops == 1 && p->options->step && left < FLOW_YIELD)
        p->options->step(p->options->step_context, (kjit_program_state *)p);
    return p->failed ? FLOW_FAILED : left;
}

/* Whether a loop is done where its body was left so; what it is left by itself. */
static bool ends_loop(Program *p, HostFlow *left, HostPoint point)
{
    const bool ends = *left != FLOW_NEXT && *left != FLOW_CONTINUE;
    *left = *left == FLOW_BREAK ? FLOW_NEXT : generator_leaves(p, *left, point);
    return ends;
}

static HostFlow exec_while(Program *p, const AstStmt *stmt)
{
    size_t mark = p->temp_count;
    HostPoint point = { .at = 0 };
    bool truth = generator_resumes(p, &point) && point.at;
    for (;; point.resumed = false) {
        p->temp_count = mark;
        if (!point.resumed && !condition(p, stmt->while_.condition, &truth))
            return FLOW_FAILED;
        point.at = truth;
        if (!truth)
            return generator_leaves(p, host_exec(p, &stmt->while_.otherwise), point);
        HostFlow left = exec_iteration(p, stmt, &stmt->while_.body);
        if (ends_loop(p, &left, point))
            return left;
    }
}

/* A loop's head, with its colon: all of the line, of which Python underlines nothing. What a
** generator expression has for one is the expression. */
static Span loop_head(const Program *p, const AstStmt *stmt)
{
    Span span = stmt->span;
    const char *text = span.source->text;
    const bool expression = p->frame->generator && !p->frame->env->code;
    while (!expression && text[span.end] && text[span.end] != '\n')
        span.end++;
    return span;
}

/* Where a loop begins, or goes on. */
static bool begin_for(Program *p, const AstStmt *stmt, HostPoint *point)
{
    HostValue over;
    point->at = BODY;
    if (generator_resumes(p, point)) {
        host_keep(p, point->it.over);
        return true;
    }
    return host_eval(p, stmt->for_.iterable, &over) &&
           (host_iterate(p, over, &point->it) || host_place(p, loop_head(p, stmt)));
}

/* What a loop alone goes over ends with it. */
static HostFlow leave_for(Program *p, const AstStmt *stmt, HostFlow left, HostValue over)
{
    const bool alone = over.kind == HOST_PRODUCER && stmt->for_.iterable->kind == AST_CALL;
    if (alone)
        left = exec_leaves(p, left, over.producer);
    return left == FLOW_BREAK ? FLOW_NEXT : left;
}

static HostFlow exec_for(Program *p, const AstStmt *stmt)
{
    HostValue value;
    HostPoint point = { .at = BODY };
    if (!begin_for(p, stmt, &point))
        return FLOW_FAILED;
    size_t mark = p->temp_count;
    for (; point.at == BODY && (point.resumed || host_next(p, &point.it, &value));
         point.resumed = false) {
        if (!point.resumed)
            host_keep(p, value);
        if (!point.resumed && !host_assign(p, stmt->for_.target, value))
            return FLOW_FAILED;
        HostFlow left = exec_iteration(p, stmt, &stmt->for_.body);
        const bool broken = left == FLOW_BREAK;
        if (ends_loop(p, &left, point))
            return leave_for(p, stmt, broken ? FLOW_BREAK : left, point.it.over);
        p->temp_count = mark;
    }
    if (p->failed)
        return flow(host_place(p, loop_head(p, stmt)));
    point.at = OTHERWISE;
    return generator_leaves(p, host_exec(p, &stmt->for_.otherwise), point);
}

/* A loop of the program's own. The outermost one's iterations are the steps that a movie shows. */
static HostFlow exec_loop(Program *p, const AstStmt *stmt)
{
    const bool own = is_own(p, stmt);
    const CompiledFlow compiled = p->frame->compiled ? compiled_loop(p, stmt) : COMPILED_NOT;
    if (compiled != COMPILED_NOT)
        return flow(compiled == COMPILED_DONE);
    p->loops += own;
    const HostFlow left = stmt->kind == AST_WHILE ? exec_while(p, stmt) : exec_for(p, stmt);
    p->loops -= own;
    return left;
}

/* A value that a statement may take from a yield. */
static HostFlow exec_value(Program *p, const AstExpr *expr, HostValue *out)
{
    return expr->kind == AST_YIELD ? generator_yield(p, expr, out) : flow(host_eval(p, expr, out));
}

static HostFlow exec_return(Program *p, const AstStmt *stmt)
{
    p->result = host_none();
    if (!p->frame->caller)
        return flow(host_raise(p, stmt->span, "SyntaxError", "'return' outside function"));
    if (!stmt->return_.value)
        return FLOW_RETURN;
    HostValue value; /* calls on the way have results of their own */
    const HostFlow left = exec_value(p, stmt->return_.value, &value);
    if (left != FLOW_NEXT)
        return left;
    if (!host_settle(p, &value))
        return flow(host_place(p, host_span(stmt->return_.value)));
    p->result = value;
    return FLOW_RETURN;
}

/* ---- statements ----------------------------------------------------------------------------- */

/* name = yield value */
static HostFlow exec_received(Program *p, const AstStmt *stmt)
{
    HostValue value;
    const HostFlow left = exec_value(p, stmt->assign.value, &value);
    for (int i = 0; i < stmt->assign.targets.count && left == FLOW_NEXT; i++)
        if (!host_assign(p, stmt->assign.targets.items[i], value))
            return FLOW_FAILED;
    return left;
}

/* name += yield value: what the name has is read before. */
static HostFlow exec_added(Program *p, const AstStmt *stmt)
{
    HostPoint point = { .at = 0 };
    HostValue value, after;
    if (!generator_resumes(p, &point)) {
        if (!host_eval(p, stmt->aug_assign.target, &point.it.over))
            return FLOW_FAILED;
        host_keep(p, point.it.over);
    }
    const HostFlow left = exec_value(p, stmt->aug_assign.value, &value);
    if (left != FLOW_NEXT)
        return generator_leaves(p, left, point);
    if (!host_augmented(p, stmt->aug_assign.op, point.it.over, value, &after))
        return flow(host_place(p, stmt->span));
    return flow(host_assign(p, stmt->aug_assign.target, after));
}

static HostFlow exec_statement(Program *p, const AstStmt *stmt)
{
    HostValue value;
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        if (stmt->expr.value->kind == AST_YIELD)
            return exec_value(p, stmt->expr.value, &value);
        return flow(host_passes_over(p, stmt->expr.value) ||
                    (host_eval(p, stmt->expr.value, &value) && host_settle(p, &value)));
    case AST_ASSIGN:
        return stmt->assign.value->kind == AST_YIELD ? exec_received(p, stmt)
                                                     : flow(exec_assign(p, stmt));
    case AST_AUG_ASSIGN:
        return stmt->aug_assign.value->kind == AST_YIELD &&
                       stmt->aug_assign.target->kind == AST_NAME
                   ? exec_added(p, stmt)
                   : flow(exec_augmented(p, stmt));
    case AST_ANN_ASSIGN:
        return flow(exec_annotated(p, stmt));
    case AST_IF:
        return exec_if(p, stmt);
    case AST_WHILE:
    case AST_FOR:
        return exec_loop(p, stmt);
    case AST_WITH:
        return exec_with(p, stmt);
    case AST_TRY:
        return exec_try(p, stmt);
    case AST_BREAK:
        return FLOW_BREAK;
    case AST_CONTINUE:
        return FLOW_CONTINUE;
    case AST_RETURN:
        return exec_return(p, stmt);
    case AST_PASS:
    case AST_GLOBAL:
    case AST_NONLOCAL:
    case AST_TYPE_ALIAS:
        return FLOW_NEXT;
    case AST_ASSERT:
        return flow(exec_assert(p, stmt));
    case AST_RAISE:
        return flow(exec_raise(p, stmt));
    case AST_DEF:
        return flow(host_define(p, stmt));
    case AST_CLASS:
        return flow(class_define(p, stmt));
    case AST_DEL:
        return flow(exec_delete(p, stmt));
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        return flow(host_import(p, stmt));
    case AST_MATCH:
        return exec_match(p, stmt);
    default:
        return flow(host_refuse(p, stmt->span, "this statement is not there"));
    }
}

HostFlow host_exec(Program *p, const AstBody *body)
{
    HostPoint point = { .at = 0 };
    generator_resumes(p, &point);
    for (; point.at < (size_t)body->count; point.at++) {
        const AstStmt *stmt = body->items[point.at];
        size_t mark = p->temp_count;
        host_sweep(p);
        if (is_own(p, stmt)) /* not the library's */
            p->at = stmt->span;
        const HostFlow left = exec_statement(p, stmt);
        p->temp_count = mark;
        if (left != FLOW_NEXT)
            return generator_leaves(p, left, point);
    }
    return FLOW_NEXT;
}
