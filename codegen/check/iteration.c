/* DIALECT_CHECK: iterations of loops, which are counted to find endless ones, and calls, whose
** sites are shown with findings inside functions. */
#include "codegen/check/check.h"

enum { SHORT = 4096 };

/* Whether a loop's constant bounds allow only few iterations. */
static bool is_short(const IrStmt *loop)
{
    const IrValue *start = loop->for_.start, *stop = loop->for_.stop, *step = loop->for_.step;
    int64_t from = start->op == OP_constant ? start->constant.integer : 0;

    if ((start->op != OP_constant && start->op != OP_zero) || stop->op != OP_constant ||
        step->op != OP_constant)
        return false;
    return from >= -SHORT && from <= SHORT && stop->constant.integer >= -SHORT &&
           stop->constant.integer <= SHORT && step->constant.integer;
}

/* The first line of a function or loop. */
static Span head_of(Span span)
{
    Span head = { span.source, span.begin, span.begin };

    while (span.source && head.end < span.end && span.source->text[head.end] != '\n')
        head.end++;
    return head;
}

static void begin_iteration(Emitter *e, Span span, const char *what)
{
    line(e, "%s(%s);", prelude(e, "begin_iteration", NULL),
         check_site_args(e, head_of(span), what));
}

bool check_counts_iterations(const Emitter *e, const IrStmt *loop)
{
    return e->dialect == DIALECT_CHECK && !(loop->kind == IR_FOR && is_short(loop));
}

void check_loop(Emitter *e, const IrStmt *loop)
{
    begin_iteration(e, loop->span, loop->kind == IR_FOR ? CHECK_COUNTED_LOOP : "loop");
}

void check_recursion(Emitter *e)
{
    if (e->dialect == DIALECT_CHECK && e->fn->recursive) {
        line(e, "%s->site = %d;", e->context_arg,
             check_site(e, head_of(e->fn->span), NULL, "call", 1));
        begin_iteration(e, e->fn->span, "call");
    }
}

const char *check_caller(Emitter *e, const IrValue *call)
{
    if (e->dialect != DIALECT_CHECK || !e->fn->kernel)
        return e->context_arg;
    return arena_printf(e->arena, "%s(%s)", prelude(e, "calls_at", NULL),
                        check_site_args(e, call->span, "call"));
}
