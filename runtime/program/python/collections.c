/* The dictionaries of Python's collections: defaultdict, OrderedDict, Counter. Methods that they
** have beside those of Python's own are in library/python/_methods.k. */
#include "runtime/program/program.h"

static bool make_default(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs rest = *args;
    *out = host_dict(p);
    out->dict->form = DICT_DEFAULT;
    out->dict->factory = args_get(args, 0, NULL, host_none());
    if (args->count) {
        rest.values++;
        rest.count--;
    }
    return dict_update_by(p, out->dict, &rest);
}

static bool make_ordered(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_dict(p);
    out->dict->form = DICT_ORDERED;
    return dict_update_by(p, out->dict, args);
}

static bool make_counter(Program *p, HostArgs *args, HostValue *out)
{
    HostValue made = host_dict(p), method, none;
    *out = made;
    made.dict->form = DICT_COUNTER;
    return module_method(p, "Counter", made, "update", &method) &&
           host_call(p, method, args, &none);
}

/* What an operator makes of two counts; NULL: nothing. */
static const char *count_path(AstOp op)
{
    return op == AST_ADD      ? "operator.add"
           : op == AST_SUB    ? "operator.sub"
           : op == AST_BITAND ? "min"
           : op == AST_BITOR  ? "max"
                              : NULL;
}

bool dict_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    HostValue parts[3] = { a, b };
    if (a.kind != HOST_DICT || b.kind != HOST_DICT)
        return false;
    if (a.dict->form == DICT_COUNTER && b.dict->form == DICT_COUNTER)
        return count_path(op) && module_path(p, count_path(op), &parts[2]) &&
               modules_call(p, "_methods.Counter_joined", parts, 3, out);
    if (op != AST_BITOR)
        return false;
    *out = dict_like(p, a.dict->form ? a.dict : b.dict);
    return dict_update(p, out->dict, a) && dict_update(p, out->dict, b);
}

bool dict_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    HostValue made;
    const bool counters = a.dict->form == DICT_COUNTER && b.kind == HOST_DICT;
    *out = a;
    if (!counters)
        return op == AST_BITOR && dict_update(p, a.dict, b);
    if (!dict_binary(p, op, a, b, &made))
        return false;
    dict_clear(a.dict);
    return dict_update(p, a.dict, made);
}

const HostBuiltin collection_functions[] = {
    { "collections.defaultdict", 0, 2, make_default, "*" },
    { "collections.OrderedDict", 0, 1, make_ordered, "*" },
    { "collections.Counter", 0, 1, make_counter, "*" },
    { NULL, 0, 0, NULL, NULL },
};
