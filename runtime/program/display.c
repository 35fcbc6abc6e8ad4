/* Comprehensions and f-strings. */
#include "runtime/program/program.h"

#include <ctype.h>

/* ---- comprehensions ------------------------------------------------------------------------- */

static bool run_clause(Program *p, const AstExpr *expr, int index, HostIterator *it,
                       HostValue into);

/* Evaluates the element, of a dictionary the key and its value, and adds it. */
static bool add_element(Program *p, const AstExpr *expr, HostValue into)
{
    const AstComprehension *all = expr->comprehension;
    HostValue element, value;
    if (!host_eval(p, all->element, &element))
        return false;
    if (!host_settle(p, &element))
        return host_place(p, all->element->span);
    if (into.kind == HOST_LIST) {
        host_append(p, into.list, element);
        return true;
    }
    if (into.kind == HOST_SET)
        return host_set_add(p, into.set, element) || host_place(p, host_span(expr));
    return host_eval(p, all->value, &value) &&
           ((host_settle(p, &value) && dict_put(p, into.dict, element, value)) ||
            host_place(p, host_span(expr)));
}

/* What stands behind the clauses that are bound: the next one, or the element. */
static bool run_inside(Program *p, const AstExpr *expr, int index, HostValue into)
{
    const AstComprehension *all = expr->comprehension;
    HostValue value;
    HostIterator it;
    if (index == all->count)
        return add_element(p, expr, into);
    const AstExpr *iterable = all->clauses[index].iterable;
    if (!host_eval(p, iterable, &value))
        return false;
    if (!host_iterate(p, value, &it))
        return host_place(p, iterable->span);
    return run_clause(p, expr, index, &it, into);
}

static bool holds(Program *p, const AstClause *clause, bool *all)
{
    *all = true;
    for (int i = 0; i < clause->conditions.count && *all; i++) {
        HostValue value;
        const AstExpr *condition = clause->conditions.items[i];
        if (!host_eval(p, condition, &value))
            return false;
        if (!host_truth(p, value, all))
            return host_place(p, condition->span);
    }
    return true;
}

static bool run_clause(Program *p, const AstExpr *expr, int index, HostIterator *it, HostValue into)
{
    const AstClause *clause = &expr->comprehension->clauses[index];
    HostValue value;
    bool wanted;
    size_t mark = p->temp_count;
    while (host_next(p, it, &value)) {
        host_sweep(p);
        host_keep(p, value);
        if (!host_assign(p, clause->target, value) || !holds(p, clause, &wanted) ||
            (wanted && !run_inside(p, expr, index + 1, into)))
            return false;
        p->temp_count = mark;
    }
    return !p->failed || host_place(p, expr->span);
}

bool eval_comprehension(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstComprehension *all = expr->comprehension;
    HostValue value;
    HostIterator it;
    const bool dict = all->kind == AST_DICT;
    if (all->kind == AST_TUPLE)
        return eval_generator(p, expr, out);
    if (!host_eval(p, all->clauses[0].iterable, &value))
        return false;
    if (!host_iterate(p, value, &it))
        return host_place(p, expr->span);
    const bool set = all->kind == AST_SET;
    *out = dict ? host_dict(p) : set ? host_set(p, false) : host_items(p, HOST_LIST, NULL, 0);
    HostFrame frame = { .caller = p->frame,
                        .name = dict  ? "<dictcomp>"
                                : set ? "<setcomp>"
                                      : "<listcomp>",
                        .env = env_new(p, p->frame->env, NULL),
                        .depth = p->frame->depth };
    p->frame = &frame;
    bool fine = run_clause(p, expr, 0, &it, *out);
    p->frame = frame.caller;
    return fine || host_place(p, expr->span);
}

/* ---- f-strings ------------------------------------------------------------------------------ */

/* {x = } shows what stands before the value, too, blanks included. */
static void put_source(Buf *out, const AstExpr *field)
{
    const char *text = field->span.source->text;
    uint32_t begin = field->span.begin + 1, end = field->field.value->span.end;
    while (text[end] != '=')
        end++;
    end++;
    while (isspace((unsigned char)text[end]))
        end++;
    buf_put(out, text + begin, end - begin);
}

static bool eval_field(Program *p, const AstExpr *field, HostValue *out)
{
    HostValue value, spec = { .kind = HOST_NONE };
    char conversion = field->field.conversion;
    if (!host_eval(p, field->field.value, &value))
        return false;
    if (!host_settle(p, &value))
        return host_place(p, field->span);
    host_keep(p, value);
    if (field->field.format && !host_eval(p, field->field.format, &spec))
        return false;
    if (!conversion && field->field.shown && spec.kind == HOST_NONE)
        conversion = 'r';
    if (conversion)
        value = host_converted(p, value, conversion);
    Buf text = buf_in(&p->scratch);
    if (field->field.shown)
        put_source(&text, field);
    bool plain = spec.kind == HOST_NONE;
    if (!host_format(p, value, plain ? "" : spec.string->text, plain ? 0 : spec.string->length,
                     &text))
        return false;
    return host_give(out, host_buf(p, &text));
}

bool eval_fstring(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstExprs *parts = &expr->list.items;
    HostValue list = host_items(p, HOST_LIST, NULL, 0);
    for (int i = 0; i < parts->count; i++) {
        HostValue part;
        const AstExpr *item = parts->items[i];
        if (!(item->kind == AST_FIELD ? eval_field(p, item, &part) : host_eval(p, item, &part)))
            return host_place(p, expr->span);
        host_append(p, list.list, part);
    }
    Buf text = buf_in(&p->scratch);
    for (size_t i = 0; i < list.list->count; i++)
        buf_put(&text, list.list->items[i].string->text, list.list->items[i].string->length);
    return host_give(out, host_buf(p, &text));
}
