/* Vector types and namedtuples: what is made of them, and their parts. Both are tuples in the IR,
** whose items have names. A vector is made of numbers and of shorter vectors of its own parts'
** type, as many as it takes. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"
#include "lexer/lexer.h"

/* ---- vectors -------------------------------------------------------------------------------- */

/* How many parts an argument gives; 0 after a complaint. */
static int parts_of(FnState *f, const Type *type, Operand arg)
{
    const Type *part = type->tuple.items[0];
    const Type *given = arg.kind == OPD_VALUE ? arg.value->type : type_none;
    if (given->kind == TY_ERROR || arg.kind == OPD_ERROR)
        return 0;
    if (type_is_vector(given) && given->tuple.items[0] == part)
        return given->tuple.count;
    if (!type_is_vector(given) && type_is_scalar(given) && typing_can_store(given, part))
        return 1;
    fail(f, arg.span, "a %s is made of numbers and of vectors of %s, and this is %s",
         type->tuple.names->name, type_name(f->arena, part), describe(f, arg));
    return 0;
}

Operand lower_vector(FnState *f, const Call *call, const Type *type)
{
    int given = 0, wanted = type->tuple.count;
    if (call->expr->call.keyword_count)
        return fail_operand(f, call->expr->call.keywords[0].span,
                            "%s takes its parts without names", call->name);
    for (int i = 0; i < call->count; i++) {
        int parts = parts_of(f, type, call->args[i]);
        if (!parts)
            return operand_error(call->span);
        given += parts;
    }
    if (given != wanted)
        return fail_operand(f, call->span, "a %s has %d part%s, and %d %s given",
                            type->tuple.names->name, wanted, wanted == 1 ? "" : "s", given,
                            given == 1 ? "is" : "are");
    IrValue *vector = ir_value(f->arena, OP_tuple, type, call->span, wanted);
    for (int i = 0, at = 0; i < call->count; i++) {
        IrValue *value = call->args[i].value;
        if (!type_is_vector(value->type)) {
            vector->operands[at++] = convert(f, value, type->tuple.items[0], call->span);
            continue;
        }
        value = stable_tuple(f, value, "_vector");
        for (int k = 0; k < value->type->tuple.count; k++)
            vector->operands[at++] = ir_item(f->arena, value, k, call->span);
    }
    return operand_value(vector);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* "x, y and z" */
static const char *listed(FnState *f, const Type *type)
{
    int count = type->tuple.count;
    Buf out = buf_in(f->arena);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%s",
                   i == 0          ? ""
                   : i + 1 < count ? ", "
                                   : " and ",
                   type->tuple.names->items[i]);
    return buf_text(&out);
}

enum { IMPLIED_NONE = -1, IMPLIED_SEVERAL = -2 };

/* The number of the item that an attribute of a plain tuple means: launches know no names of items,
** so that it is any namedtuple of the module with as many items and one of that name. */
static int implied_item(FnState *f, const Type *type, const AstExpr *expr)
{
    int count, found = IMPLIED_NONE;
    const char **names = module_names(f->module, f->arena, &count);
    for (int i = 0; i < count; i++) {
        if (!module_namedtuple(f->module, names[i]))
            continue;
        Operand known = lower_symbol(f, module_symbol(f->module, names[i]), expr->span);
        if (known.kind != OPD_NAMED || known.named->count != type->tuple.count)
            continue;
        for (int item = 0; item < known.named->count; item++)
            if (strcmp(known.named->names.items[item], expr->attribute.name) == 0) {
                if (found >= 0 && found != item)
                    return IMPLIED_SEVERAL;
                found = item;
            }
    }
    return found;
}

/* Whether it is a method of Python's lists that kernels, which have no heap, cannot have. */
static bool changes_list(const char *name)
{
    static const char *const names[] = { "append", "extend", "insert", "pop",
                                         "remove", "sort",   "clear",  "reverse" };
    return TEXT_IS_AMONG(name, names);
}

/* A list is to grow. What is read of it later would be a second complaint of that. */
static void fail_list(FnState *f, const AstExpr *expr)
{
    const AstExpr *list = expr->attribute.object;
    fail(f, expr->attribute.name_span,
         "a list cannot be changed in a kernel; use cuda.local.array and count its elements");
    if (list->kind == AST_NAME)
        lower_bind(f, list->name.name, operand_error(expr->span), expr->span);
}

Operand tuple_attribute(FnState *f, IrValue *tuple, const AstExpr *expr)
{
    const Type *type = tuple->type;
    const Operand text = type_is_enum(type) ? enum_text(f, tuple, expr) : (Operand){ 0 };
    int index = type_find_item(type, expr->attribute.name);
    if (type_is_enum(type) && text.kind != OPD_NONE)
        return text;
    if (index >= 0)
        return operand_value(ir_item(f->arena, tuple, index, expr->span));
    const char *name = expr->attribute.name;
    if (type_is_tuple(type) && !type->tuple.names)
        index = implied_item(f, type, expr);
    if (index >= 0)
        return operand_value(ir_item(f->arena, tuple, index, expr->span));
    if (index == IMPLIED_SEVERAL)
        return fail_operand(
            f, expr->attribute.name_span,
            "several namedtuples of %d items have '%s'; annotate the parameter with the one meant",
            type->tuple.count, name);
    if (library_method(f, type, name, expr->span))
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { tuple, name } };
    if (type_is_tuple(type) && (strcmp(name, "index") == 0 || strcmp(name, "count") == 0))
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { tuple, name } };
    if (type_is_tuple(type) && type->tuple.names && type->tuple.count &&
        strcmp(name, "_replace") == 0)
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { tuple, name } };
    if (library_lacks_method(f, type, name, expr->attribute.name_span))
        return operand_error(expr->span);
    if (type->tuple.names && type->tuple.count && !type_is_time(type))
        fail(f, expr->attribute.name_span, "%s has %s, and no '%s'",
             describe(f, operand_value(tuple)), listed(f, type), name);
    else if (changes_list(name))
        fail_list(f, expr);
    else
        fail(f, expr->attribute.name_span, "%s has no attribute '%s'",
             describe(f, operand_value(tuple)), name);
    return operand_error(expr->span);
}

/* ---- namedtuples ---------------------------------------------------------------------------- */

static bool is_field_name(const char *name, size_t length)
{
    bool ok = length > 0 && name[0] != '_';
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        ok &= c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (i && c >= '0' && c <= '9');
    }
    return ok;
}

/* Fields as they are read. */
typedef struct TupleFields {
    const char **items;
    int count, capacity;
    bool rename; /* one that cannot have its name is called by its place, "_1" */
} TupleFields;

/* One more field; false after a complaint. */
static bool add_field(FnState *f, TupleFields *fields, const char *name, size_t length, Span span)
{
    const char *text = arena_strndup(f->arena, name, length);
    const bool twice = text_is_among(text, fields->items, (size_t)fields->count);
    const bool fits = is_field_name(name, length) && !lexer_is_keyword(f->arena, text);
    if (fields->rename && (twice || !fits)) {
        text = arena_printf(f->arena, "_%d", fields->count);
    } else if (!fits || twice) {
        return fail(f, span,
                    fits ? "this namedtuple has the field '%s' twice"
                         : "'%s' is no name that a namedtuple's field can have",
                    text);
    }
    array_push(f->arena, fields->items, fields->count, fields->capacity) = text;
    return true;
}

/* The fields as namedtuple() takes them: in one string, or in a list or tuple of strings. */
static bool read_fields(FnState *f, TupleFields *fields, const AstExpr *expr)
{
    bool listed = expr->kind == AST_LIST || expr->kind == AST_TUPLE, ok = true;
    for (int i = 0; listed && ok && i < expr->list.items.count; i++) {
        const AstExpr *item = expr->list.items.items[i];
        ok = item->kind == AST_STRING &&
             add_field(f, fields, item->string.text, item->string.length, item->span);
        if (item->kind != AST_STRING)
            fail(f, item->span, "a field's name is a string");
    }
    const char *text = listed ? "" : expr->string.text;
    while (ok && *(text += strspn(text, " ,\t\n"))) {
        size_t length = strcspn(text, " ,\t\n");
        ok = add_field(f, fields, text, length, expr->span);
        text += length;
    }
    return ok;
}

/* rename=True; false after a complaint. */
static bool read_rename(FnState *f, const AstExpr *expr, bool *rename)
{
    *rename = false;
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        if (!keyword->name || strcmp(keyword->name, "rename") != 0)
            continue;
        *rename = keyword->value->kind == AST_TRUE;
        if (!*rename && keyword->value->kind != AST_FALSE)
            return fail(f, keyword->span, "rename= is True or False");
    }
    return true;
}

/* defaults=(1, 2), which the last fields have; false after a complaint, or of other keywords. */
static bool read_defaults(FnState *f, NamedTuple *named, const AstExpr *expr)
{
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        if (!keyword->name || strcmp(keyword->name, "module") == 0 ||
            strcmp(keyword->name, "rename") == 0)
            continue;
        const AstExpr *value = keyword->value;
        bool listed = value->kind == AST_TUPLE || value->kind == AST_LIST;
        if (strcmp(keyword->name, "defaults") != 0 || !listed ||
            value->list.items.count > named->count)
            return fail(f, keyword->span,
                        "namedtuple takes defaults=, a value for each of the last fields");
        named->default_count = value->list.items.count;
        Operand *defaults = arena_array(f->arena, Operand, named->default_count + 1);
        lower_list(f, value->list.items.items, named->default_count, defaults);
        named->defaults = defaults;
    }
    return true;
}

Operand lower_namedtuple(FnState *f, const AstExpr *expr)
{
    const AstExprs *args = &expr->call.args;
    bool readable = args->count == 2 && args->items[0]->kind == AST_STRING;
    AstExprKind kind = readable ? args->items[1]->kind : AST_NAME;
    if (!f->constant_only)
        return fail_operand(f, expr->span, "a namedtuple is made at module level");
    if (kind != AST_STRING && kind != AST_LIST && kind != AST_TUPLE)
        return fail_operand(
            f, expr->span,
            "namedtuple takes its name and its fields, written out: namedtuple(\"Point\", \"x "
            "y\")");
    NamedTuple *named = arena_new(f->arena, NamedTuple);
    TupleFields fields = { 0 };
    if (!read_rename(f, expr, &fields.rename) || !read_fields(f, &fields, args->items[1]))
        return operand_error(expr->span);
    named->names.name = args->items[0]->string.text;
    named->names.items = fields.items;
    named->count = fields.count;
    return read_defaults(f, named, expr)
               ? (Operand){ .kind = OPD_NAMED, .span = expr->span, .named = named }
               : operand_error(expr->span);
}

bool is_named(const Type *type, const NamedTuple *named)
{
    const Type like = { .kind = TY_TUPLE,
                        .tuple = { .count = named->count, .names = &named->names } };
    return type_is_tuple(type) && type_same_names(type, &like);
}

/* What a field has that is given no value; OPD_ERROR: nothing. */
static Operand default_of(FnState *f, const NamedTuple *named, int field, Span span)
{
    int at = field - (named->count - named->default_count);
    if (at < 0)
        return (Operand){ .kind = OPD_ERROR };
    Operand value = named->defaults[at];
    value.span = span;
    if (value.kind == OPD_VALUE)
        value.value = lower_table_in_function(f, value.value);
    return value;
}

/* Whether each keyword names a field that has no value yet; puts it there. */
static bool take_keywords(FnState *f, const Call *call, const NamedTuple *named, Operand *fields)
{
    for (int i = 0; i < call->expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->expr->call.keywords[i];
        int at = 0;
        while (at < named->count &&
               (!keyword->name || strcmp(named->names.items[at], keyword->name) != 0))
            at++;
        if (at == named->count || fields[at].span.source)
            return fail(f, keyword->span,
                        at == named->count ? "'%s' has no field '%s'" : "'%s' gets '%s' twice",
                        call->name, keyword->name ? keyword->name : "**");
        fields[at] = call->args[call->count + i];
    }
    return true;
}

Operand lower_named(FnState *f, const Call *call, const NamedTuple *named)
{
    Operand *fields = arena_array(f->arena, Operand, named->count + 1);
    const Type **types = arena_array(f->arena, const Type *, named->count + 1);
    if (call->count > named->count)
        return fail_operand(f, call->span, "'%s' has %d field%s, and %d values were given",
                            call->name, named->count, named->count == 1 ? "" : "s", call->count);
    for (int i = 0; i < named->count; i++)
        fields[i] = i < call->count ? call->args[i] : (Operand){ .kind = OPD_ERROR };
    if (!take_keywords(f, call, named, fields))
        return operand_error(call->span);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, call->span, named->count);
    for (int i = 0; i < named->count; i++) {
        if (!fields[i].span.source)
            fields[i] = default_of(f, named, i, call->span);
        IrValue *thing = fields[i].span.source ? thing_value(f, fields[i]) : NULL;
        if (thing)
            fields[i] = operand_value(thing);
        bool given = fields[i].kind == OPD_VALUE;
        if (!fields[i].span.source)
            fail(f, call->span, "'%s' lacks a value for '%s'", call->name, named->names.items[i]);
        else if (!given && fields[i].kind != OPD_ERROR)
            fail(f, fields[i].span, "%s cannot be in a tuple", describe(f, fields[i]));
        if (!given || is_poison(fields[i].value))
            return operand_error(call->span);
        tuple->operands[i] = fields[i].value;
        types[i] = fields[i].value->type;
    }
    tuple->type = type_tuple_named(f->types, types, named->count, &named->names);
    return operand_value(tuple);
}
