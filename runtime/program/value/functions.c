/* What expressions given as text have beside what programs have: dtypes of records, and times. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

bool value_is_text(const Program *p)
{
    return p->eval && p->frame->env == p->globals;
}

/* ---- records -------------------------------------------------------------------------------- */

bool value_is_fields(const AstExpr *list)
{
    TimeUnit unit = TIME_NONE;
    int64_t count;
    for (int i = 0; i < list->list.items.count; i++) {
        const AstExpr *item = list->list.items.items[i];
        if (item->kind != AST_TUPLE || item->list.items.count < 2)
            return false;
        const AstExpr *name = item->list.items.items[0];
        if (name->kind == AST_STRING ? time_parse(name->string.text, &unit, &count)
                                     : name->kind != AST_TUPLE || name->list.items.count != 2 ||
                                           name->list.items.items[0]->kind != AST_STRING)
            return false;
    }
    return list->list.items.count > 0;
}

bool value_fields(Program *p, const AstExpr *list, HostValue *out)
{
    Diags diags;
    Value dtype = { .kind = VALUE_MISSING };
    Eval eval = *p->eval;
    diags_init(&diags, &p->scratch);
    eval.diags = &diags;
    if (value_dtype(&eval, list, &dtype))
        return host_give(out, dtype_value(dtype.dtype, dtype.record));
    const Diag *wrong = diags.count ? &diags.list[0] : NULL;
    if (eval.status == KJIT_MEMORY)
        p->status = eval.status;
    return host_raise(p, wrong && wrong->span.source ? wrong->span : list->span, "TypeError", "%s",
                      wrong ? wrong->message : "this is no dtype");
}

static bool make_dtype(Program *p, HostArgs *args, HostValue *out)
{
    return value_fields(p, args->call, out);
}

/* ---- times ---------------------------------------------------------------------------------- */

static HostValue time_value(bool date, TimeUnit unit, int64_t count)
{
    const kjit_arg scalar = kjit_arg_int64(count);
    return host_number(type_dtype(type_time(date, unit)), &scalar);
}

bool value_time(Program *p, HostValue text, HostValue *out)
{
    TimeUnit unit = TIME_NONE;
    int64_t count;
    if (!time_parse(text.string->text, &unit, &count))
        return host_fail(p, "ValueError", "this is no time: it is written 2001-12-31T23:59:59.999");
    return host_give(out, time_value(true, unit, count));
}

/* datetime64("2001-12-31", "ns"), timedelta64(5, "s") */
static bool make_time(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args_get(args, 0, "value", host_none()),
              named = args_get(args, 1, "unit", host_none());
    bool date = strcmp(args->builtin->name, "np.datetime64") == 0;
    TimeUnit unit = TIME_NONE;
    int64_t count = 0;
    if (named.kind != HOST_NONE &&
        (named.kind != HOST_STRING ||
         !time_unit_named(named.string->text, named.string->length, &unit)))
        return host_fail(p, "ValueError",
                         "a unit is one of Y M W D h m s ms us ns ps fs as, as a string");
    if (value.kind == HOST_STRING) {
        if (!time_parse(value.string->text, &unit, &count) || (!date && count != INT64_MIN))
            return host_fail(p, "ValueError",
                             date ? "a time is written 2001-12-31T23:59:59.999"
                                  : "a span of time is a number and a unit");
    } else if (!host_integer(p, value, &count)) {
        return false;
    }
    return host_give(out, time_value(date, unit, count));
}

const HostBuiltin *value_function(const char *path)
{
    static const HostBuiltin functions[] = {
        { "np.dtype", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.from_dtype", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.record", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.packed", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.CharSeq", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.UnicodeCharSeq", HOST_AS_WRITTEN, 0, make_dtype, NULL },
        { "np.datetime64", 1, 2, make_time, "value unit" },
        { "np.timedelta64", 1, 2, make_time, "value unit" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(functions); i++)
        if (strcmp(functions[i].name, path) == 0)
            return &functions[i];
    return NULL;
}
