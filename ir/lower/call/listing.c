/* Python's functions in constants: list, tuple, map, filter, sorted, reversed, set, dict of pairs,
** where lists are tuples; what texts and dictionaries have; the environment. */
#include "base/strings.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

typedef struct List {
    Operand *items;
    int count;
} List;

enum { ITEMS_MOST = 65536 };

/* The items of something that can be walked; false after a complaint. */
static bool take_list(FnState *f, const AstExpr *expr, List *list)
{
    if (expr->kind == AST_BYTES) {
        list->count = (int)expr->string.length;
        list->items = arena_array(f->arena, Operand, expr->string.length + 1);
        for (int i = 0; i < list->count; i++)
            list->items[i] = operand_value(
                ir_integer(f->arena, type_int64, (unsigned char)expr->string.text[i], expr->span));
        return true;
    }
    Operand over = lower_expr(f, expr);
    int64_t count = over.kind == OPD_ERROR ? -1 : evaluate_count(f, &over);
    if (count < 0 || count > ITEMS_MOST) {
        if (over.kind != OPD_ERROR)
            fail(f, expr->span, "this is no range or tuple that is known");
        return false;
    }
    list->items = arena_array(f->arena, Operand, (size_t)count + 1);
    list->count = (int)count;
    for (int i = 0; i < list->count; i++)
        if ((list->items[i] = evaluate_item(f, &over, i, expr->span)).kind == OPD_ERROR)
            return false;
    return true;
}

static Operand made(FnState *f, const List *list, Span span)
{
    return tuple_of_operands(f, list->items, list->count, span);
}

/* Whether a list of items that are tuples is made of them by it: map(list, ...). */
static bool makes_lists(FnState *f, const AstExpr *function)
{
    const char *name = function->kind == AST_NAME ? function->name.name : "";
    return (strcmp(name, "list") == 0 || strcmp(name, "tuple") == 0) && !lower_lookup(f, name);
}

static bool are_tuples(const List *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i].kind != OPD_VALUE || !type_is_tuple(list->items[i].value->type))
            return false;
    return true;
}

/* Each item as `function` gives it; or, of a filter, those that it holds for. */
static Operand mapped(FnState *f, const AstExpr *call, bool filter)
{
    List list, kept = { 0 };
    const AstExpr *function_expr = call->call.args.items[0];
    if (!take_list(f, call->call.args.items[1], &list))
        return operand_error(call->span);
    if (!filter && makes_lists(f, function_expr) && are_tuples(&list))
        return made(f, &list, call->span);
    Operand function = lower_expr(f, function_expr);
    if (function.kind == OPD_ERROR)
        return function;
    kept.items = list.items;
    for (int i = 0; i < list.count; i++) {
        Operand arg = list.items[i];
        Operand result = lower_apply(f, call, function, &arg, 1);
        if (result.kind == OPD_ERROR)
            return result;
        bool known = result.kind == OPD_VALUE && ir_is_constant(result.value);
        if (filter && !known)
            return fail_operand(f, call->span, "this is not known before a kernel runs");
        if (!filter || result.value->constant.integer)
            kept.items[kept.count++] = filter ? list.items[i] : result;
    }
    return made(f, &kept, call->span);
}

/* -1, 0, 1 as a is before, with or behind b; 2 if they are in no order that is known. */
static int order(FnState *f, const Operand *a, const Operand *b, Span span)
{
    if (a->kind == OPD_STRING && b->kind == OPD_STRING) {
        const int how = strcmp(a->string.text, b->string.text);
        return (how > 0) - (how < 0);
    }
    if (a->kind != OPD_VALUE || b->kind != OPD_VALUE)
        return 2;
    const IrValue *less = compare_values(f, AST_LT, a->value, b->value, span);
    const IrValue *more = compare_values(f, AST_LT, b->value, a->value, span);
    if (!ir_is_constant(less) || !ir_is_constant(more))
        return 2;
    return less->constant.integer ? -1 : more->constant.integer ? 1 : 0;
}

/* The items in order, of equal ones the first first, or without what was there before. They are
** compared by their keys, which are the items themselves if NULL. */
static Operand in_order(FnState *f, List list, Operand *keys, bool unique, bool falling, Span span)
{
    int kept = 0;
    keys = keys ? keys : list.items;
    for (int i = 0; i < list.count; i++) {
        Operand item = list.items[i], key = keys[i];
        int at = kept, how = 1;
        for (; at > 0; at--) {
            how =
                falling ? order(f, &keys[at - 1], &key, span) : order(f, &key, &keys[at - 1], span);
            if (how >= 0)
                break;
        }
        if (at > 0 && how == 2)
            return fail_operand(f, span, "these cannot be sorted in a constant");
        if (unique && at > 0 && how == 0)
            continue;
        size_t moved = (size_t)(kept++ - at) * sizeof(Operand);
        memmove(list.items + at + 1, list.items + at, moved);
        if (keys != list.items)
            memmove(keys + at + 1, keys + at, moved);
        keys[at] = key;
        list.items[at] = item;
    }
    list.count = kept;
    return made(f, &list, span);
}

/* What `function` makes of each item; NULL after a complaint. */
static Operand *keys_of(FnState *f, const AstExpr *call, const List *list, const AstExpr *function)
{
    Operand *keys = arena_array(f->arena, Operand, list->count + 1);
    Operand key = lower_expr(f, function);
    for (int i = 0; i < list->count; i++) {
        Operand arg = list->items[i];
        keys[i] = lower_apply(f, call, key, &arg, 1);
        if (keys[i].kind == OPD_ERROR)
            return NULL;
    }
    return keys;
}

/* sorted(x, key=f, reverse=b), or x without what was there before. */
static Operand sorted(FnState *f, const AstExpr *call, bool unique)
{
    List list;
    Operand *keys = NULL;
    bool falling = false;
    if (!take_list(f, call->call.args.items[0], &list))
        return operand_error(call->span);
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        bool key = strcmp(keyword->name, "key") == 0 && keyword->value->kind != AST_NONE;
        if (key && !(keys = keys_of(f, call, &list, keyword->value)))
            return operand_error(call->span);
        falling |= strcmp(keyword->name, "reverse") == 0 && keyword->value->kind == AST_TRUE;
    }
    return in_order(f, list, keys, unique, falling, call->span);
}

/* min(x) and max(x): of equal items the first. */
static Operand extreme(FnState *f, const AstExpr *call, bool most)
{
    List list;
    if (!take_list(f, call->call.args.items[0], &list))
        return operand_error(call->span);
    int at = 0;
    for (int i = 1; i < list.count; i++) {
        const int how = order(f, &list.items[i], &list.items[at], call->span);
        if (how == 2)
            return fail_operand(f, call->span, "these cannot be compared in a constant");
        at = how == (most ? 1 : -1) ? i : at;
    }
    if (list.count)
        return list.items[at];
    return fail_operand(f, call->span, "there is nothing to take one of");
}

/* Whether the call has no keywords but those that sorted() takes, written out. */
static bool sorts_by(const AstExpr *call, const char *name)
{
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        AstExprKind kind = keyword->value->kind;
        bool reverse = keyword->name && strcmp(keyword->name, "reverse") == 0;
        if (!(reverse && (kind == AST_TRUE || kind == AST_FALSE)) &&
            !(keyword->name && strcmp(keyword->name, "key") == 0))
            return false;
    }
    return strcmp(name, "sorted") == 0;
}

Operand lower_set_display(FnState *f, const AstExpr *expr)
{
    List list = { .count = expr->list.items.count };
    list.items = arena_array(f->arena, Operand, list.count + 1);
    lower_list(f, expr->list.items.items, list.count, list.items);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].kind == OPD_ERROR)
            return list.items[i];
    return in_order(f, list, NULL, true, false, expr->span);
}

static Operand reversed(FnState *f, const AstExpr *call)
{
    List list;
    if (!take_list(f, call->call.args.items[0], &list))
        return operand_error(call->span);
    for (int i = 0; i < list.count / 2; i++) {
        Operand swap = list.items[i];
        list.items[i] = list.items[list.count - 1 - i];
        list.items[list.count - 1 - i] = swap;
    }
    return made(f, &list, call->span);
}

/* dict(pairs), OrderedDict(pairs), dict(other) */
static Operand dict_of(FnState *f, const AstExpr *call)
{
    List list;
    Operand given = lower_expr(f, call->call.args.items[0]);
    if (given.kind == OPD_BUNDLE || given.kind == OPD_ERROR)
        return given;
    if (!take_list(f, call->call.args.items[0], &list))
        return operand_error(call->span);
    Operand dict = bundle_of_keywords(f, call, true);
    for (int i = 0; i < list.count; i++) {
        Operand *pair = &list.items[i];
        if (evaluate_count(f, pair) != 2)
            return fail_operand(f, call->span, "a dictionary is made of pairs here");
        dict = bundle_with(f, dict.bundle, evaluate_item(f, pair, 0, call->span),
                           evaluate_item(f, pair, 1, call->span));
    }
    return dict;
}

/* functools.reduce(function, list, first) */
static Operand reduced(FnState *f, const AstExpr *call)
{
    List list;
    const AstExprs *args = &call->call.args;
    Operand function = lower_expr(f, args->items[0]);
    if (function.kind == OPD_ERROR || !take_list(f, args->items[1], &list))
        return operand_error(call->span);
    int at = args->count == 2;
    if (at && !list.count)
        return fail_operand(f, call->span, "there is nothing to reduce");
    Operand value = at ? list.items[0] : lower_expr(f, args->items[2]);
    for (int i = at; i < list.count && value.kind != OPD_ERROR; i++) {
        Operand pair[] = { value, list.items[i] };
        value = lower_apply(f, call, function, pair, 2);
    }
    return value;
}

static bool make_list(FnState *f, const AstExpr *call, const char *name, Operand *out)
{
    int count = call->call.args.count;
    bool plain = !call->call.keyword_count || sorts_by(call, name);
    bool map = strcmp(name, "map") == 0, filter = strcmp(name, "filter") == 0;
    bool list_of = strcmp(name, "list") == 0 || strcmp(name, "tuple") == 0;
    bool dict = strcmp(name, "dict") == 0 || strcmp(name, "OrderedDict") == 0;
    List list;
    if (!plain && strcmp(name, "partial") != 0)
        return false;
    if ((map || filter) && count == 2) {
        *out = mapped(f, call, filter);
        return true;
    }
    if ((count == 2 || count == 3) && strcmp(name, "reduce") == 0) {
        *out = reduced(f, call);
        return true;
    }
    if (count == 0 && (list_of || strcmp(name, "set") == 0)) {
        *out = tuple_of_operands(f, NULL, 0, call->span);
        return true;
    }
    if (count && strcmp(name, "partial") == 0) {
        *out = lower_partial(f, call);
        return true;
    }
    if (count != 1)
        return false;
    if (dict) {
        *out = dict_of(f, call);
    } else if (list_of) {
        *out = take_list(f, call->call.args.items[0], &list) ? made(f, &list, call->span)
                                                             : operand_error(call->span);
    } else if (strcmp(name, "sorted") == 0 || strcmp(name, "set") == 0) {
        *out = sorted(f, call, *name == 's' && name[1] == 'e');
    } else if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        *out = extreme(f, call, name[1] == 'a');
    } else if (strcmp(name, "MappingProxyType") == 0) {
        *out = dict_of(f, call);
    } else if (strcmp(name, "reversed") == 0) {
        *out = reversed(f, call);
    } else {
        return false;
    }
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* os.getenv(name, otherwise) and os.environ.get(name, otherwise); NULL of other calls. */
static const char *variable_of(const AstExpr *call, const char *name)
{
    const AstExpr *function = call->call.function, *owner = NULL;
    if (function->kind == AST_ATTRIBUTE)
        owner = function->attribute.object;
    bool asks = strcmp(name, "getenv") == 0 ||
                (strcmp(name, "get") == 0 && owner && ast_ends_in(owner, "environ"));
    bool text = call->call.args.count > 0 && call->call.args.items[0]->kind == AST_STRING;
    return asks && text ? call->call.args.items[0]->string.text : NULL;
}

static Operand environment(FnState *f, const AstExpr *call, const char *variable)
{
    const char *value = getenv(variable);
    if (value)
        return operand_text(f->arena, value, strlen(value), call->span);
    return call->call.args.count > 1 ? lower_expr(f, call->call.args.items[1])
                                     : (Operand){ .kind = OPD_NONE, .span = call->span };
}

/* ord("A"); false of what is no letter. */
static bool number_of_letter(FnState *f, const AstExpr *call, Operand *out)
{
    Operand letter = lower_expr(f, call->call.args.items[0]);
    if (letter.kind != OPD_STRING || letter.string.characters != 1)
        return false;
    const char *text = letter.string.text;
    const size_t length = letter.string.length;
    const int64_t code = length == 1 ? (unsigned char)*text : utf8_decode(text, length);
    *out = operand_value(ir_integer(f->arena, type_int64, code, call->span));
    return true;
}

/* Whether a path begins with a name that the program does not define itself. */
static bool is_imported(const FnState *f, const AstExpr *path)
{
    while (path->kind == AST_ATTRIBUTE)
        path = path->attribute.object;
    const Symbol *symbol = path->kind == AST_NAME && !names_local(f, path->name.name)
                               ? lower_lookup(f, path->name.name)
                               : NULL;
    return symbol && symbol->kind != SYMBOL_FUNCTION && symbol->kind != SYMBOL_CONSTANT &&
           symbol->kind != SYMBOL_MODULE;
}

/* Functions that are imported from Python's modules. */
static bool is_of_module(const FnState *f, const AstExpr *path, const char *name)
{
    static const char *const names[] = { "OrderedDict", "reduce", "partial", "MappingProxyType" };
    return TEXT_IS_AMONG(name, names) && is_imported(f, path);
}

/* Whether it is the name of a method of dictionaries or texts. */
static bool is_of_bundles_or_texts(const char *name)
{
    static const char *const names[] = { "keys", "values", "items", "get", "format", "_replace" };
    return TEXT_IS_AMONG(name, names) || string_find(name);
}

bool lower_python_call(FnState *f, const AstExpr *expr, Operand *out)
{
    const AstExpr *function = expr->call.function;
    const AstExprs *args = &expr->call.args;
    const char *name = ast_last_name(function);
    bool own = function->kind == AST_NAME && (names_local(f, name) || lower_lookup(f, name));
    const AstExpr *only = args->count == 1 && !expr->call.keyword_count ? args->items[0] : NULL;
    const char *variable = f->constant_only ? variable_of(expr, name) : NULL;
    bool written = function->kind == AST_ATTRIBUTE && strcmp(name, "format") != 0 &&
                   (function->attribute.object->kind == AST_STRING ||
                    function->attribute.object->kind == AST_NAME);
    if (function->kind == AST_ATTRIBUTE && is_of_bundles_or_texts(name) &&
        (f->constant_only || written)) {
        Attempt attempt = attempt_begin(f->lower);
        Operand object = lower_expr(f, function->attribute.object);
        if (f->constant_only && object.kind == OPD_BUNDLE &&
            bundle_method(f, object.bundle, expr, out))
            return true;
        if (object.kind == OPD_STRING && !object.string.bytes &&
            lower_text_method(f, expr, &object, out))
            return true;
        attempt_void(f->lower, attempt);
    }
    if (!own && strcmp(name, "ord") == 0 && only && (f->constant_only || only->kind == AST_STRING))
        return number_of_letter(f, expr, out);
    if (variable)
        *out = environment(f, expr, variable);
    else if (f->constant_only && !own && function->kind == AST_NAME &&
             lower_text_function(f, expr, name, out))
        return true;
    else if (f->constant_only &&
             ((!own && function->kind == AST_NAME) || is_of_module(f, function, name)) &&
             make_list(f, expr, name, out))
        return true;
    else if (f->constant_only && strcmp(name, "replace") == 0 && args->count == 1 &&
             bundle_replaced(f, expr, out))
        return true;
    else if (f->constant_only && !args->count &&
             ((!own && strcmp(name, "dict") == 0) || strcmp(name, "OrderedDict") == 0))
        *out = bundle_of_keywords(f, expr, true);
    else if (f->constant_only && !args->count && strcmp(name, "SimpleNamespace") == 0)
        *out = bundle_of_keywords(f, expr, false);
    else if (f->constant_only && !own && strcmp(name, "type") == 0 && args->count == 3 &&
             args->items[1]->kind == AST_TUPLE && !args->items[1]->list.items.count)
        *out = bundle_of_type(f, expr);
    else
        return false;
    return true;
}
