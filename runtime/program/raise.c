/* What goes wrong, and Python's traceback of it. Carets go by the rules of CPython 3.11. */
#include "runtime/program/program.h"

#include <ctype.h>
#include <errno.h>

HostException *host_exception(Program *p, const char *class_, HostValue args)
{
    HostException *exception = host_new(p, HOST_EXCEPTION, sizeof *exception);
    exception->class_ = class_;
    exception->args = args;
    return exception;
}

/* What is handled is the context of what is raised, unless that comes around to it. */
static void set_context(const Program *p, HostException *exception)
{
    HostException *const context = p->handling;
    if (!context || context == exception)
        return;
    for (HostException *at = context; at->context; at = at->context)
        if (at->context == exception) {
            at->context = NULL;
            break;
        }
    exception->context = context;
}

bool host_fail_exception(Program *p, HostException *exception)
{
    set_context(p, exception);
    p->failed = true;
    p->foreign = false;
    p->exception = exception;
    p->trace_count = 0;
    p->traced = NULL;
    return false;
}

/* What is not implemented is kjit's to say; programs that say so have raised it themselves. */
static void fail_text(Program *p, const char *class_, const char *format, va_list list)
{
    HostValue text = host_text(p, arena_vprintf(&p->scratch, format, list));
    host_fail_exception(p, host_exception(p, class_, host_items(p, HOST_TUPLE, &text, 1)));
    p->exception->final = strcmp(class_, "NotImplementedError") == 0;
}

/* Whether the frame at hand is of the library, whose errors are its caller's. */
static bool is_hidden(const Program *p)
{
    const HostEnv *globals = env_module(p->frame->env);
    return globals->library ||
           (globals->module && strncmp(globals->module->main->path, "std:", 4) == 0);
}

bool host_place(Program *p, Span span)
{
    if (p->traced == p->frame)
        return false;
    if (is_hidden(p)) {
        p->traced = p->frame;
        return false;
    }
    if (!p->traces)
        p->traces = arena_array(p->arena, HostTrace, HOST_TRACE_MOST);
    if (p->trace_count < HOST_TRACE_MOST)
        p->traces[p->trace_count++] = (HostTrace){ p->frame->name, span };
    p->traced = p->frame;
    return false;
}

bool host_fail(Program *p, const char *class_, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_text(p, class_, format, list);
    va_end(list);
    return false;
}

bool host_lacks(Program *p, const char *class_, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_text(p, class_, format, list);
    va_end(list);
    p->exception->final = true;
    return false;
}

bool host_raise(Program *p, Span span, const char *class_, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_text(p, class_, format, list);
    va_end(list);
    return host_place(p, span);
}

bool host_raise_exception(Program *p, Span span, HostException *exception)
{
    const bool again = exception->trace_count > 0;
    host_fail_exception(p, exception);
    if (again) { /* it has come a way already */
        host_again(p, exception);
        p->traced = NULL;
    }
    exception->final |= is_hidden(p) && exception_is(exception, "NotImplementedError");
    return host_place(p, span);
}

bool host_refuse(Program *p, Span span, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_text(p, "NotImplementedError", format, list);
    va_end(list);
    return host_place(p, span);
}

HostFault host_fault(Program *p, const char *message)
{
    HostFault fault = { .line = 0 };
    const char *at = strchr(message, ':');
    unsigned column = 0;
    int length = 0;
    while (at && sscanf(at, ":%u:%u: %n", &fault.line, &column, &length) < 2)
        at = strchr(at + 1, ':');
    const char *said = at ? at + length : message;
    const size_t named = strcspn(said, ": ");
    fault.place = (int)(said - message);
    fault.class_ = exception_class(arena_strndup(&p->scratch, said, named));
    const char *text = fault.class_ ? said + named + strspn(said + named, ": ") : said;
    const char *behind = strstr(said, " (block (");
    fault.thread = behind ? behind : "";
    fault.text =
        behind && text < behind ? arena_strndup(&p->scratch, text, (size_t)(behind - text)) : "";
    return fault;
}

/* Of the class that the kernel has raised. */
static bool kernel_raised(Program *p, const char *message)
{
    const HostFault fault = host_fault(p, message);
    const char *thread = fault.thread + (!*fault.text && *fault.thread); /* without its space */
    return host_fail(p, fault.class_ ? fault.class_ : "RuntimeError", "%.*s%s%s", fault.place,
                     message, fault.text, thread);
}

bool host_failed(Program *p, kjit_status status)
{
    const char *message = kjit_error_message();
    bool missing = strstr(message, "there is no f") != NULL; /* file or folder */
    const char *class_ = status == KJIT_MEMORY     ? "MemoryError"
                         : status == KJIT_FILE     ? (missing ? "FileNotFoundError" : "OSError")
                         : status == KJIT_ARGUMENT ? "ValueError"
                         : status == KJIT_INVALID  ? "TypeError"
                                                   : "RuntimeError";
    if (strncmp(message, "error: ", 7) == 0)
        message += 7;
    p->status = status;
    if (status == KJIT_FAULT)
        return kernel_raised(p, message);
    const char *quote = missing && !p->eval ? strchr(message, '\'') : NULL;
    const size_t length = quote ? strcspn(quote + 1, "'\n") : 0;
    if (length && quote[1 + length] == '\'')
        return exception_of_file(p, ENOENT, arena_strndup(&p->scratch, quote + 1, length));
    return host_fail(p, class_, "%s", message);
}

void host_forget(Program *p)
{
    p->failed = p->foreign = false;
    p->status = KJIT_OK;
    p->exception = NULL;
    p->trace_count = 0;
    p->traced = NULL;
}

HostException *host_caught(Program *p)
{
    HostException *exception = p->exception;
    const size_t count = p->trace_count;
    HostTrace *traces = memory_resize(exception->traces, (count + 1) * sizeof *traces);
    if (!traces)
        arena_give_up(p->arena);
    if (count)
        memcpy(traces, p->traces, count * sizeof *traces);
    exception->traces = traces;
    exception->trace_count = count;
    exception->status = p->status;
    host_forget(p);
    host_keep(p, host_object(exception));
    return exception;
}

bool host_again(Program *p, HostException *exception)
{
    if (!p->traces)
        p->traces = arena_array(p->arena, HostTrace, HOST_TRACE_MOST);
    if (exception->trace_count)
        memcpy(p->traces, exception->traces, exception->trace_count * sizeof *p->traces);
    p->trace_count = exception->trace_count;
    p->traced = p->frame;
    p->failed = true;
    p->exception = exception;
    p->status = exception->status;
    return false;
}

/* A failure of the machine or of a compiler is none of Python's. */
bool host_is_final(const Program *p)
{
    return p->exception->final || p->foreign ||
           (p->status != KJIT_OK && p->status != KJIT_FILE && p->status != KJIT_ARGUMENT &&
            p->status != KJIT_FAULT);
}

/* ---- the traceback -------------------------------------------------------------------------- */

/* The expression of the tree that has just these bytes, for its operator or its bracket. */
typedef struct SpanSearch {
    Span span;
    const AstExpr *found;
} SpanSearch;

static void search(void *context, const AstExpr *expr)
{
    SpanSearch *s = context;
    const Span span = host_span(expr);
    bool same = span.begin == s->span.begin && span.end == s->span.end;
    if (same && (expr->kind == AST_BINARY || expr->kind == AST_INDEX) && !s->found)
        s->found = expr;
    if (!s->found)
        ast_each_child(expr, search, s);
}

static void search_body(SpanSearch *s, const AstBody *body)
{
    for (int i = 0; i < body->count && !s->found; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        ast_each_value(stmt, search, s);
        ast_each_target(stmt, search, s);
        for (int k = 0; stmt->kind == AST_DEL && k < stmt->del.targets.count; k++)
            search(s, stmt->del.targets.items[k]);
        if (stmt->kind == AST_DEF)
            search_body(s, &stmt->def.function.body);
        if (stmt->kind == AST_CLASS)
            search_body(s, &stmt->class_.body);
        for (int k = 0; (inner = ast_body(stmt, k)) != NULL; k++)
            search_body(s, inner);
    }
}

/* The part of the span that is to stand out: the operator, or the index with its brackets. */
static bool anchors(const Program *p, Span span, uint32_t *left, uint32_t *right)
{
    SpanSearch s = { .span = span };
    const char *text = span.source->text;
    const AstBody *body = imported_body(p, span.source);
    if (!body)
        return false;
    search_body(&s, body);
    if (!s.found)
        return false;
    if (s.found->kind == AST_INDEX) {
        *left = s.found->index.object->span.end;
        while (*left < span.end && text[*left] != '[')
            ++*left;
        *right = span.end;
        return *left > span.begin;
    }
    uint32_t stop = s.found->binary.right->span.begin;
    *left = s.found->binary.left->span.end;
    while (*left < stop && (isspace((unsigned char)text[*left]) || text[*left] == ')'))
        ++*left;
    *right = *left + 1;
    if (*right < stop && !isspace((unsigned char)text[*right]) && text[*right] != '(')
        ++*right;
    return true;
}

static void put_many(Buf *out, char c, uint32_t begin, uint32_t end, const char *text)
{
    for (uint32_t at = begin; at < end; at++)
        if (((unsigned char)text[at] & 0xc0) != 0x80)
            buf_putc(out, c);
}

/* The line of a place and, unless that is all of the line, what of it is meant. */
static void put_excerpt(const Program *p, Buf *out, Span span)
{
    const char *text = span.source->text;
    uint32_t begin = span.begin, end = span.begin, left, right;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (text[end] && text[end] != '\n')
        end++;
    while (begin < end && isspace((unsigned char)text[begin]))
        begin++;
    buf_printf(out, "    %.*s\n", (int)(end - begin), text + begin);
    while (end > begin && isspace((unsigned char)text[end - 1]))
        end--;
    bool one_line = span.end <= end;
    uint32_t last = one_line ? span.end : end;
    bool anchored = one_line && anchors(p, span, &left, &right);
    if (!anchored && span.begin == begin && last == end)
        return;
    buf_puts(out, "    ");
    put_many(out, ' ', begin, span.begin, text);
    if (anchored) {
        put_many(out, '~', span.begin, left, text);
        put_many(out, '^', left, right, text);
        put_many(out, '~', right, last, text);
    } else {
        put_many(out, '^', span.begin, last, text);
    }
    buf_putc(out, '\n');
}

static void put_frame(const Program *p, Buf *out, const HostTrace *trace)
{
    if (!trace->span.source)
        return;
    const SourcePlace place = source_place(trace->span.source, trace->span.begin);
    buf_printf(out, "  File \"%s\", line %u, in %s\n", trace->span.source->name, place.line,
               trace->name);
    put_excerpt(p, out, trace->span);
}

static bool same_trace(const HostTrace *a, const HostTrace *b)
{
    return a->span.source == b->span.source && strcmp(a->name, b->name) == 0 &&
           source_place(a->span.source, a->span.begin).line ==
               source_place(b->span.source, b->span.begin).line;
}

static void put_frames(const Program *p, Buf *out, const HostTrace *traces, size_t count)
{
    enum { SHOWN_SAME = 3 };
    size_t same = 0;
    buf_puts(out, "Traceback (most recent call last):\n");
    for (size_t i = count; i-- > 0;) {
        const HostTrace *trace = &traces[i];
        same = i + 1 < count && same_trace(trace, &traces[i + 1]) ? same + 1 : 0;
        if (same < SHOWN_SAME)
            put_frame(p, out, trace);
        bool ends = i == 0 || !same_trace(trace, &traces[i - 1]);
        if (ends && same >= SHOWN_SAME)
            buf_printf(out, "  [Previous line repeated %zu more time%s]\n", same - SHOWN_SAME + 1,
                       same == SHOWN_SAME ? "" : "s");
    }
}

/* What it was raised for comes first. */
static void put_origin(Program *p, Buf *out, const HostException *exception)
{
    const HostException *origin = exception->from ? exception->cause : exception->context;
    if (!origin)
        return;
    host_traceback(p, out, origin);
    buf_puts(out,
             exception->from
                 ? "\n\nThe above exception was the direct cause of the following exception:\n\n"
                 : "\n\nDuring handling of the above exception, another exception "
                   "occurred:\n\n");
}

/* A method of the program's own may say it, as if nothing had been raised. */
static void put_message(Program *p, Buf *out, const HostException *exception)
{
    HostException *const raised = p->exception;
    const bool failed = p->failed;
    p->failed = false;
    host_str(p, out, host_object((void *)(uintptr_t)exception));
    if (p->failed)
        buf_puts(out, "<exception str() failed>");
    p->failed = failed;
    p->exception = raised;
}

void host_traceback(Program *p, Buf *out, const HostException *exception)
{
    const bool raised = p->failed && exception == p->exception;
    const size_t count = raised ? p->trace_count : exception->trace_count;
    put_origin(p, out, exception);
    if (raised || count)
        put_frames(p, out, raised ? p->traces : exception->traces, count);
    Buf text = buf_in(out->arena);
    put_message(p, &text, exception);
    buf_printf(out, text.length ? "%s: %s" : "%s%s", exception->class_, buf_text(&text));
    if (exception->meant) /* the text that handlers see has not that */
        buf_printf(out, ". Did you mean: '%s'?", exception->meant);
    const HostName *notes = exception->fields ? env_find(exception->fields, "__notes__") : NULL;
    for (size_t i = 0; notes && notes->value.kind == HOST_LIST && i < notes->value.list->count; i++)
        if (notes->value.list->items[i].kind == HOST_STRING)
            buf_printf(out, "\n%s", notes->value.list->items[i].string->text);
}
