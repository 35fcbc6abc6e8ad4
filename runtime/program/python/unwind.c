/* The statements that raise, that handle what was raised, and that look after things when they are
** left: assert, raise, try, with. Carried on by `return false`, an exception passes every call on
** its way; a `try` takes it from the program (host_caught), and what no handler takes is raised
** again with the traceback that it had. What kjit has not passes all of them: no handler and no
** `finally` runs for it, as Python would not have come there. */
#include "runtime/program/kernels.h"
#include "runtime/program/python/classes.h"

/* ---- assert, raise -------------------------------------------------------------------------- */

bool exec_assert(Program *p, const AstStmt *stmt)
{
    HostValue value;
    bool truth;
    if (!host_eval(p, stmt->assert_.condition, &value))
        return false;
    if (!host_truth(p, value, &truth))
        return host_place(p, host_span(stmt->assert_.condition));
    if (truth)
        return true;
    if (stmt->assert_.message &&
        !(host_eval(p, stmt->assert_.message, &value) && host_settle(p, &value)))
        return false;
    HostValue args = host_items(p, HOST_TUPLE, &value, stmt->assert_.message ? 1 : 0);
    const AstExpr *condition = stmt->assert_.condition;
    bool constant = condition->kind == AST_FALSE || condition->kind == AST_INT;
    return host_raise_exception(p, constant ? stmt->span : host_span(condition),
                                host_exception(p, "AssertionError", args));
}

bool exception_of(Program *p, HostValue value, HostException **out)
{
    HostArgs none = { .count = 0 };
    *out = NULL;
    if (value.kind == HOST_EXCEPTION_CLASS)
        *out = host_exception(p, value.text, host_items(p, HOST_TUPLE, NULL, 0));
    else if (value.kind == HOST_CLASS && value.class_->raises &&
             !class_call(p, value.class_, &none, &value))
        return false;
    if (value.kind == HOST_EXCEPTION)
        *out = value.exception;
    return true;
}

static bool set_cause(Program *p, const AstExpr *expr, HostException *exception)
{
    HostValue value;
    if (!host_eval(p, expr, &value))
        return false;
    if (!exception_of(p, value, &exception->cause))
        return host_place(p, host_span(expr));
    exception->from = true;
    return exception->cause || value.kind == HOST_NONE ||
           host_fail(p, "TypeError", "exception causes must derive from BaseException");
}

bool exec_raise(Program *p, const AstStmt *stmt)
{
    HostValue value;
    HostException *exception;
    if (!stmt->raise.exception && p->handling)
        return host_again(p, p->handling);
    if (!stmt->raise.exception)
        return host_raise(p, stmt->span, "RuntimeError", "No active exception to reraise");
    if (!host_eval(p, stmt->raise.exception, &value))
        return false;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value) || host_place(p, stmt->span);
    if (!exception_of(p, value, &exception))
        return host_place(p, stmt->span);
    if (!exception)
        return host_raise(p, stmt->span, "TypeError", "exceptions must derive from BaseException");
    if (stmt->raise.cause && !set_cause(p, stmt->raise.cause, exception))
        return host_place(p, stmt->span);
    return host_raise_exception(p, stmt->span, exception);
}

/* ---- try ------------------------------------------------------------------------------------ */

/* Which of its bodies a `try` is in; from PART_HANDLERS on a handler's. */
enum { PART_BODY, PART_ELSE, PART_FINALLY, PART_HANDLERS };

/* What an exception leaves as it was amid an expression. */
typedef struct Rest {
    HostEnv *env;
    const HostShown *shown;
    int texts, loops;
} Rest;

static Rest rest(const Program *p)
{
    return (Rest){ p->frame->env, p->shown, p->texts, p->loops };
}

static HostException *caught(Program *p, Rest rest)
{
    p->frame->env = rest.env;
    p->shown = rest.shown;
    p->texts = rest.texts;
    p->loops = rest.loops;
    p->called = NULL;
    p->ufunc = NULL;
    return host_caught(p);
}

/* Where a handler is left its name is bound no more. */
static void unbind(Program *p, const AstHandler *handler)
{
    const AstExpr name = { .kind = AST_NAME, .span = handler->span, .name.name = handler->name };
    env_write(p, handler->name, host_none());
    env_delete(p, &name);
}

static HostFlow exec_handler(Program *p, const AstTry *stmt, size_t part, HostException *exception,
                             bool resumed)
{
    const AstHandler *handler = &stmt->handlers.items[part - PART_HANDLERS];
    HostException *const outer = p->handling;
    const HostPoint point = { .at = part, .it.over = host_object(exception) };
    p->handling = exception;
    if (handler->name && !resumed)
        env_write(p, handler->name, host_object(exception));
    const HostFlow left = host_exec(p, &handler->body);
    p->handling = outer;
    if (handler->name && left != FLOW_YIELD)
        unbind(p, handler);
    return generator_leaves(p, left, point);
}

static bool matches(Program *p, const AstHandler *handler, HostException *exception, bool *is)
{
    HostValue class_;
    *is = !handler->class_;
    return *is || (host_eval(p, handler->class_, &class_) &&
                   (exception_matches(p, exception, class_, is) ||
                    host_place(p, host_span(handler->class_))));
}

/* What was raised goes to the first handler that takes it. */
static HostFlow handle(Program *p, const AstTry *stmt, Rest at)
{
    if (host_is_final(p))
        return FLOW_FAILED;
    HostException *const outer = p->handling, *const exception = caught(p, at);
    bool is = false;
    int i = 0;
    p->handling = exception;
    for (; i < stmt->handlers.count && !p->failed; i++)
        if (!matches(p, &stmt->handlers.items[i], exception, &is) || is)
            break;
    p->handling = outer;
    if (p->failed)
        return FLOW_FAILED;
    if (is)
        return exec_handler(p, stmt, PART_HANDLERS + (size_t)i, exception, false);
    host_again(p, exception);
    return FLOW_FAILED;
}

/* Whether a handler is of everything, or names one of some classes. */
static bool handles(const AstTry *stmt, const char *const *names, size_t count)
{
    for (int i = 0; i < stmt->handlers.count; i++) {
        const AstExpr *class_ = stmt->handlers.items[i].class_;
        for (size_t k = 0; class_ && k < count; k++)
            if (ast_mentions(class_, names[k]))
                return true;
        if (!class_)
            return true;
    }
    return false;
}

/* Whether a program says itself what is to be done where a module is not there. */
static bool seeks(const AstTry *stmt)
{
    static const char *const names[] = { "ImportError", "ModuleNotFoundError", "Exception",
                                         "BaseException" };
    return handles(stmt, names, ARRAY_COUNT(names));
}

/* Whether more is to run when a generator is left amid it. */
static bool guards(const AstTry *stmt)
{
    static const char *const names[] = { "GeneratorExit", "BaseException" };
    return stmt->finally.count || handles(stmt, names, ARRAY_COUNT(names));
}

/* All but its `finally`. */
static HostFlow exec_guarded(Program *p, const AstTry *stmt, const HostPoint *point)
{
    HostFlow left = FLOW_NEXT;
    size_t part = point->at;
    if (part >= PART_HANDLERS) {
        host_keep(p, point->it.over);
        return exec_handler(p, stmt, part, point->it.over.exception, true);
    }
    if (part == PART_BODY) {
        const Rest at = rest(p);
        const bool outer = p->frame->seeks;
        p->frame->seeks |= seeks(stmt);
        left = host_exec(p, &stmt->body);
        p->frame->seeks = outer;
        if (left == FLOW_FAILED)
            return handle(p, stmt, at);
        generator_leaves(p, left, (HostPoint){ .at = PART_BODY });
        part = PART_ELSE;
    }
    if (left != FLOW_NEXT)
        return left;
    return generator_leaves(p, host_exec(p, &stmt->otherwise), (HostPoint){ .at = PART_ELSE });
}

/* How the rest of a statement was left: by an exception, or with what is returned. */
typedef struct Ending {
    HostFlow flow;
    HostValue value;
} Ending;

static Ending ending(Program *p, HostFlow left, Rest at)
{
    Ending end = { left, { .kind = HOST_NONE } };
    if (left == FLOW_FAILED)
        end.value = host_object(caught(p, at));
    else if (left == FLOW_RETURN)
        end.value = p->result;
    host_keep(p, end.value);
    return end;
}

/* Leaves in the same manner. */
static HostFlow ended(Program *p, Ending end)
{
    if (end.flow == FLOW_FAILED)
        host_again(p, end.value.exception);
    else if (end.flow == FLOW_RETURN)
        p->result = end.value;
    return end.flow;
}

HostFlow exec_leaves(Program *p, HostFlow left, HostProducer *generator)
{
    if (left == FLOW_NEXT || left == FLOW_YIELD || !producer_waits(generator) ||
        (left == FLOW_FAILED && host_is_final(p)))
        return left;
    const Ending end = ending(p, left, rest(p));
    return generator_end(p, generator) ? ended(p, end) : FLOW_FAILED;
}

static HostFlow exec_finally(Program *p, const AstTry *stmt, Ending end)
{
    HostException *const outer = p->handling;
    if (end.flow == FLOW_FAILED)
        p->handling = end.value.exception;
    const HostFlow left = host_exec(p, &stmt->finally);
    p->handling = outer;
    generator_leaves(
        p, left,
        (HostPoint){ .at = PART_FINALLY, .it = { .over = end.value, .at = (size_t)end.flow } });
    return left == FLOW_NEXT ? ended(p, end) : left;
}

HostFlow exec_try(Program *p, const AstStmt *stmt)
{
    const AstTry *all = &stmt->try_;
    const Rest at = rest(p);
    HostPoint point = { .at = PART_BODY };
    generator_resumes(p, &point);
    if (all->handlers.count && all->handlers.items[0].star) {
        host_refuse(p, stmt->span, "there is no 'except*' in programs: write 'except'");
        return FLOW_FAILED;
    }
    if (point.at == PART_FINALLY) {
        host_keep(p, point.it.over);
        return exec_finally(p, all, (Ending){ (HostFlow)point.it.at, point.it.over });
    }
    const HostFlow left = exec_guarded(p, all, &point);
    if (left == FLOW_YIELD && guards(all))
        p->frame->generator->guarded = true;
    if (!all->finally.count || left == FLOW_YIELD || (left == FLOW_FAILED && host_is_final(p)))
        return left;
    return exec_finally(p, all, ending(p, left, at));
}

/* ---- with ----------------------------------------------------------------------------------- */

static bool is_module(HostValue value, const char *name)
{
    return value.kind == HOST_MODULE && strcmp(value.text, name) == 0;
}

/* What a `with` stands around: objects with __enter__ and __exit__, a stream that is waited for,
** how arrays are printed, or what has nothing to do here. */
static bool enter(Program *p, const AstWithItem *item, HostValue *entered)
{
    static const char *const methods[] = { "__enter__", "__exit__" };
    if (!host_eval(p, item->value, entered))
        return false;
    host_keep(p, *entered);
    for (int i = 0; entered->kind == HOST_INSTANCE && i < 2; i++)
        if (!object_has(*entered, methods[i]))
            return host_raise(p, host_span(item->value), "TypeError",
                              "'%s' object does not support the context manager protocol%s",
                              host_type_name(p, *entered), i ? " (missed __exit__ method)" : "");
    HostValue given = *entered;
    if (entered->kind == HOST_INSTANCE && !object_calls(p, *entered, "__enter__", NULL, 0, &given))
        return host_place(p, host_span(item->value));
    if (entered->kind == HOST_FOREIGN)
        foreign_note(p, *entered, item->value->span);
    else if (entered->kind != HOST_STREAM && entered->kind != HOST_INSTANCE &&
             !is_module(*entered, "contextlib.nothing") && !is_module(*entered, "np.printoptions"))
        return host_refuse(p, host_span(item->value),
                           "'with' is there for streams and memory of the device: write its body "
                           "alone, with calls before and behind it");
    return !item->target || host_assign(p, item->target, given);
}

/* Waits for a stream. */
static bool wait_for(Program *p, const HostStream *waited)
{
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status =
            waited->stream ? kjit_stream_synchronize(waited->stream) : kjit_synchronize(p->context);
    return status == KJIT_OK || host_failed(p, status);
}

/* Calls __exit__ with what was raised, or with None; *taken: it is not raised any further. */
static bool leave(Program *p, HostValue entered, Ending end, bool *taken)
{
    HostValue values[3] = { { .kind = HOST_NONE } }, given;
    HostException *const outer = p->handling;
    *taken = false;
    if (entered.kind == HOST_STREAM)
        return end.flow == FLOW_FAILED || wait_for(p, entered.stream);
    if (entered.kind != HOST_INSTANCE)
        return true;
    if (end.flow == FLOW_FAILED) {
        values[0] = exception_type(end.value.exception);
        values[1] = end.value;
        values[2] = (HostValue){ .kind = HOST_FOREIGN, .text = "__traceback__" };
        p->handling = end.value.exception;
    }
    const bool fine = object_calls(p, entered, "__exit__", values, 3, &given) &&
                      (end.flow != FLOW_FAILED || host_truth(p, given, taken));
    p->handling = outer;
    return fine;
}

/* All of it: Python underlines nothing there. */
static Span first_line(const AstStmt *stmt)
{
    Span span = stmt->span;
    const char *text = span.source->text;
    while (text[span.end] && text[span.end] != '\n')
        span.end++;
    return span;
}

/* The items from `index` on, and the body. */
static HostFlow with_from(Program *p, const AstStmt *stmt, int index)
{
    const AstWith *with = &stmt->with;
    const PrintOptions printing = p->printing;
    const Rest at = rest(p);
    HostPoint point = { .at = 0 };
    bool taken;
    if (index == with->count)
        return host_exec(p, &with->body);
    if (generator_resumes(p, &point))
        host_keep(p, point.it.over);
    else if (!enter(p, &with->items[index], &point.it.over))
        return FLOW_FAILED;
    const HostValue entered = point.it.over;
    const bool prints = is_module(entered, "np.printoptions");
    const HostFlow left = with_from(p, stmt, index + 1);
    if (left == FLOW_YIELD && prints) {
        host_refuse(p, stmt->span, "there is no 'yield' inside of 'with np.printoptions'");
        return FLOW_FAILED;
    }
    if (left == FLOW_YIELD) {
        p->frame->generator->guarded |= entered.kind == HOST_INSTANCE;
        return generator_leaves(p, left, point);
    }
    if (prints)
        p->printing = printing;
    if (left == FLOW_FAILED && host_is_final(p))
        return left;
    const Ending end = ending(p, left, at);
    if (!leave(p, entered, end, &taken)) {
        host_place(p, left == FLOW_FAILED ? first_line(stmt) : host_span(with->items[index].value));
        return FLOW_FAILED;
    }
    return taken ? FLOW_NEXT : ended(p, end);
}

HostFlow exec_with(Program *p, const AstStmt *stmt)
{
    return with_from(p, stmt, 0);
}
