/* `match` with cases that are more than a choice among values: sequences, mappings, classes. What a
** pattern binds is bound when all of it fits. */
#include "runtime/program/python/classes.h"

/* What a pattern on its way binds. */
typedef struct Bindings {
    HostList *names, *values; /* the names as texts of modules, which nothing holds */
} Bindings;

static bool fits(Program *p, const AstExpr *pattern, HostValue value, Bindings *bindings,
                 bool *all);

static void bind(Program *p, Bindings *bindings, const char *name, HostValue value)
{
    if (strcmp(name, "_") == 0)
        return;
    host_append(p, bindings->names, (HostValue){ .kind = HOST_MODULE, .text = name });
    host_append(p, bindings->values, value);
}

static bool is_equal(Program *p, const AstExpr *pattern, HostValue value, bool *all)
{
    HostValue wanted, said;
    return host_eval(p, pattern, &wanted) &&
           ((host_compare(p, AST_EQ, value, wanted, &said) && host_truth(p, said, all)) ||
            host_place(p, host_span(pattern)));
}

/* ---- sequences and mappings ----------------------------------------------------------------- */

static bool sequence_fits(Program *p, const AstExpr *pattern, HostValue value, Bindings *bindings,
                          bool *all)
{
    const AstExprs *items = &pattern->list.items;
    const int count = items->count;
    int star = count;
    HostValue list;
    *all = false;
    if (value.kind != HOST_LIST && value.kind != HOST_TUPLE && value.kind != HOST_RANGE)
        return true;
    if (!host_collect(p, HOST_LIST, value, &list))
        return false;
    for (int i = 0; i < count; i++)
        star = items->items[i]->kind == AST_STARRED ? i : star;
    const size_t given = list.list->count, least = (size_t)count - (star < count);
    if (given < least || (star == count && given > least))
        return true;
    *all = true;
    for (int i = 0; i < count && *all; i++) {
        const size_t at = i < star ? (size_t)i : given - (size_t)(count - i);
        if (i == star)
            bind(p, bindings, items->items[i]->starred.value->name.name,
                 host_items(p, HOST_LIST, list.list->items + i, given - least));
        else if (!fits(p, items->items[i], list.list->items[at], bindings, all))
            return false;
    }
    return true;
}

static bool mapping_fits(Program *p, const AstExpr *pattern, HostValue value, Bindings *bindings,
                         bool *all)
{
    HostValue key, *found;
    *all = value.kind == HOST_DICT;
    if (!*all)
        return true;
    HostValue rest = host_dict(p);
    if (!dict_update(p, rest.dict, value))
        return false;
    for (int i = 0; i < pattern->dict.keys.count && *all; i++) {
        const AstExpr *wanted = pattern->dict.keys.items[i], *item = pattern->dict.values.items[i];
        bool removed;
        if (!wanted) { /* **rest, the last one */
            bind(p, bindings, item->name.name, rest);
            continue;
        }
        if (!host_eval(p, wanted, &key) || !dict_find(p, value.dict, key, &found))
            return false;
        *all = found;
        if (found && (!fits(p, item, *found, bindings, all) ||
                      !dict_remove(p, rest.dict, key, NULL, &removed)))
            return false;
    }
    return true;
}

/* ---- classes -------------------------------------------------------------------------------- */

/* Types whose pattern has the value itself in its brackets. */
static bool takes_itself(HostValue class_)
{
    static const char *const names[] = { "bool", "dict", "float", "frozenset", "int",
                                         "list", "set",  "str",   "tuple" };
    return class_.kind == HOST_BUILTIN && TEXT_IS_AMONG(class_.builtin->name, names);
}

/* The attribute that a place in the brackets stands for; NULL: there is none. */
static const char *name_of_place(HostValue class_, int index)
{
    const HostValue *names =
        class_.kind == HOST_CLASS ? class_find(class_.class_, NULL, "__match_args__") : NULL;
    return names && names->kind == HOST_TUPLE && (size_t)index < names->list->count &&
                   names->list->items[index].kind == HOST_STRING
               ? names->list->items[index].string->text
               : NULL;
}

static bool attribute_fits(Program *p, const char *name, const AstExpr *pattern, HostValue value,
                           Bindings *bindings, bool *all)
{
    HostValue part;
    const AstExpr asked = { .kind = AST_ATTRIBUTE, .span = pattern->span, .attribute.name = name };
    *all = eval_attribute(p, value, &asked, &part);
    if (*all)
        return host_settle(p, &part) && fits(p, pattern, part, bindings, all);
    if (host_is_final(p) || !exception_is(p->exception, "AttributeError"))
        return false;
    host_forget(p);
    return true;
}

static bool class_fits(Program *p, const AstExpr *pattern, HostValue value, Bindings *bindings,
                       bool *all)
{
    const AstExprs *places = &pattern->call.args;
    HostValue class_;
    if (!host_eval(p, pattern->call.function, &class_) || !host_is_instance(p, value, class_, all))
        return false;
    for (int i = 0; i < places->count && *all; i++) {
        const char *name = name_of_place(class_, i);
        const bool itself = takes_itself(class_) && i == 0;
        if (itself && !fits(p, places->items[i], value, bindings, all))
            return false;
        if (!itself && !name)
            return host_fail(p, "TypeError", "%s() accepts %d positional sub-pattern%s (%d given)",
                             class_.kind == HOST_CLASS     ? class_.class_->name
                             : class_.kind == HOST_BUILTIN ? class_.builtin->name
                                                           : "class",
                             i, i == 1 ? "" : "s", places->count);
        if (!itself && !attribute_fits(p, name, places->items[i], value, bindings, all))
            return false;
    }
    for (int i = 0; i < pattern->call.keyword_count && *all; i++) {
        const AstKeyword *keyword = &pattern->call.keywords[i];
        if (!attribute_fits(p, keyword->name, keyword->value, value, bindings, all))
            return false;
    }
    return true;
}

/* ---- patterns ------------------------------------------------------------------------------- */

static bool fits(Program *p, const AstExpr *pattern, HostValue value, Bindings *bindings, bool *all)
{
    const size_t bound = bindings->names->count;
    switch (pattern->kind) {
    case AST_NAME:
        *all = true;
        bind(p, bindings, pattern->name.name, value);
        return true;
    case AST_NONE:
        *all = value.kind == HOST_NONE;
        return true;
    case AST_TRUE:
    case AST_FALSE:
        *all = value.kind == HOST_BOOL && (value.integer != 0) == (pattern->kind == AST_TRUE);
        return true;
    case AST_WALRUS: /* pattern as name */
        if (!fits(p, pattern->walrus.value, value, bindings, all))
            return false;
        if (*all)
            bind(p, bindings, pattern->walrus.name, value);
        return true;
    case AST_BINARY:
        if (pattern->binary.op != AST_BITOR)
            return is_equal(p, pattern, value, all);
        if (!fits(p, pattern->binary.left, value, bindings, all))
            return false;
        if (*all)
            return true;
        bindings->names->count = bindings->values->count = bound;
        return fits(p, pattern->binary.right, value, bindings, all);
    case AST_TUPLE:
    case AST_LIST:
        return sequence_fits(p, pattern, value, bindings, all);
    case AST_DICT:
        return mapping_fits(p, pattern, value, bindings, all);
    case AST_CALL:
        return class_fits(p, pattern, value, bindings, all) || host_place(p, host_span(pattern));
    default:
        return is_equal(p, pattern, value, all);
    }
}

/* Whether a case is taken: its pattern fits, whose names are bound then, and its guard holds. */
static bool takes(Program *p, const AstCase *item, HostValue value, bool *all)
{
    Bindings bindings = { host_room(p, HOST_LIST, 0).list, host_room(p, HOST_LIST, 0).list };
    HostValue guard;
    if (!fits(p, item->pattern, value, &bindings, all))
        return false;
    for (size_t i = 0; i < bindings.names->count && *all; i++)
        env_write(p, bindings.names->items[i].text, bindings.values->items[i]);
    if (!*all || !item->guard)
        return true;
    return host_eval(p, item->guard, &guard) &&
           (host_truth(p, guard, all) || host_place(p, host_span(item->guard)));
}

HostFlow exec_match(Program *p, const AstStmt *stmt)
{
    const AstCases *cases = &stmt->match.cases;
    HostPoint point = { .at = 0 };
    HostValue value;
    bool taken = false;
    if (generator_resumes(p, &point))
        return generator_leaves(p, host_exec(p, &cases->items[point.at].body), point);
    if (!host_eval(p, stmt->match.subject, &value) || !host_settle(p, &value))
        return FLOW_FAILED;
    host_keep(p, value);
    for (; point.at < (size_t)cases->count; point.at++) {
        if (!takes(p, &cases->items[point.at], value, &taken))
            return FLOW_FAILED;
        if (taken)
            return generator_leaves(p, host_exec(p, &cases->items[point.at].body), point);
    }
    return FLOW_NEXT;
}
