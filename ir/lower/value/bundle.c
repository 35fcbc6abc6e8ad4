/* What a constant may be made of that is no value itself: dictionaries, namespaces, and objects of
** classes (object.c). Their items are expressions, evaluated when they are read, for a file holds
** many that kernels cannot use. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/value/bundle.h"

#include <string.h>

void bundle_add(FnState *f, Bundle *bundle, Operand key, const AstExpr *expr)
{
    array_push(f->arena, bundle->entries, bundle->count, bundle->capacity) =
        (Entry){ .key = key, .expr = expr, .state = f };
}

Operand bundle_key(const char *name, Span span)
{
    return (Operand){ .kind = OPD_STRING, .span = span, .string = { name, strlen(name) } };
}

Operand bundle_operand(const Bundle *bundle, Span span)
{
    return (Operand){ .kind = OPD_BUNDLE, .span = span, .bundle = bundle };
}

/* ---- making ---------------------------------------------------------------------------------- */

/* {a: b, **c} */
Operand bundle_of_dict(FnState *f, const AstExpr *expr)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    bundle->dict = true;
    for (int i = 0; i < expr->dict.keys.count; i++) {
        const AstExpr *key = expr->dict.keys.items[i], *value = expr->dict.values.items[i];
        Operand other = lower_expr(f, key ? key : value);
        if (other.kind == OPD_ERROR)
            return other;
        if (key) {
            bundle_add(f, bundle, other, value);
        } else if (other.kind == OPD_BUNDLE) {
            for (int k = 0; k < other.bundle->count; k++)
                array_push(f->arena, bundle->entries, bundle->count, bundle->capacity) =
                    other.bundle->entries[k];
        } else {
            fail(f, value->span, "'**' spreads a dictionary here");
            return operand_error(value->span);
        }
    }
    return bundle_operand(bundle, expr->span);
}

bool bundle_add_keywords(FnState *f, Bundle *bundle, const AstExpr *call)
{
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!keyword->name) {
            fail(f, keyword->span, "'**' cannot be used in a constant");
            return false;
        }
        bundle_add(f, bundle, bundle_key(keyword->name, keyword->span), keyword->value);
    }
    return true;
}

/* dict(a=1), SimpleNamespace(a=1) */
Operand bundle_of_keywords(FnState *f, const AstExpr *call, bool dict)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    bundle->dict = dict;
    return bundle_add_keywords(f, bundle, call) ? bundle_operand(bundle, call->span)
                                                : operand_error(call->span);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* As Python compares keys: 1, 1.0 and True are one. */
static bool same_number(FnState *f, const IrValue *a, const IrValue *b)
{
    bool floats = type_is_float(a->type) || type_is_float(b->type);
    bool beyond =
        (a->type->kind == TY_UINT64) != (b->type->kind == TY_UINT64) && a->constant.integer < 0;
    if (!floats)
        return a->constant.integer == b->constant.integer && !beyond;
    return fold_cast(f->arena, type_float64, a, a->span)->constant.number ==
           fold_cast(f->arena, type_float64, b, b->span)->constant.number;
}

static bool same_key(FnState *f, const Operand *a, const Operand *b)
{
    if (a->kind != OPD_VALUE || b->kind != OPD_VALUE)
        return operand_same(a, b);
    if (!ir_is_constant(a->value) || !ir_is_constant(b->value))
        return false;
    bool numbers = type_is_real(a->value->type) && type_is_real(b->value->type);
    return numbers ? same_number(f, a->value, b->value) : literal_same(a->value, b->value);
}

static Operand entry_value(FnState *f, const Entry *entry, Span span)
{
    Operand value = entry->expr ? lower_expr(entry->state, entry->expr) : entry->value;
    if (value.kind == OPD_VALUE && !constant_is_known(value.value))
        value.value = lower_table_settle(entry->state, value.value, "_item");
    if (value.kind == OPD_VALUE)
        value.value = lower_table_in_function(f, value.value);
    value.span = span;
    return value;
}

/* The last entry of a key; NULL: there is none. */
static const Entry *find(FnState *f, const Bundle *bundle, const Operand *key)
{
    for (int i = bundle->count; i-- > 0;)
        if (same_key(f, &bundle->entries[i].key, key))
            return &bundle->entries[i];
    return NULL;
}

Operand bundle_item(FnState *f, const Bundle *bundle, Operand key, Span span)
{
    const Entry *entry = bundle->dict ? find(f, bundle, &key) : NULL;
    if (entry)
        return entry_value(f, entry, span);
    fail(f, key.span,
         bundle->dict ? "the dictionary has no such key, or none that is known here"
                      : "an object has attributes, and no items");
    return operand_error(span);
}

Operand bundle_attribute(FnState *f, const Bundle *bundle, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    Operand key = bundle_key(name, expr->attribute.name_span);
    const Entry *entry = bundle->dict ? NULL : find(f, bundle, &key);
    if (bundle->class && object_is_unknown(bundle, name, entry)) {
        fail(f, expr->attribute.name_span,
             "only running '%s' would tell what '%s' of an object of '%s' is: write its value at "
             "once",
             bundle->unknown ? bundle->unknown : "__init__", name, bundle->class->name);
        return operand_error(expr->span);
    }
    if (entry)
        return entry_value(f, entry, expr->span);
    if (bundle->class)
        return module_attribute(f, bundle->class, expr);
    fail(f, expr->attribute.name_span, "%s has no '%s'",
         bundle->dict ? "a dictionary that kernels read" : "the object", name);
    return operand_error(expr->span);
}

const char *bundle_describe(FnState *f, const Bundle *bundle)
{
    return bundle->class  ? arena_printf(f->arena, "an object of %s", bundle->class->name)
           : bundle->dict ? "a dictionary"
                          : "an object";
}

/* ---- comprehensions -------------------------------------------------------------------------- */

typedef struct Collection {
    FnState *f, *first; /* in which the first iterable is evaluated */
    const AstComprehension *ast;
    Operand *items;
    int count, capacity;
    Bundle *dict;
    int steps;
} Collection;

enum { ITEMS_MOST = 65536 };

static bool take_target(FnState *f, const AstExpr *target, Operand value)
{
    if (target->kind == AST_NAME) {
        Operand *copy = arena_new(f->arena, Operand);
        *copy = value;
        env_bind(f, env_name(f, target->name.name),
                 (Binding){ .kind = BIND_OPERAND, .span = value.span, .operand = copy });
        return true;
    }
    bool tuple = value.kind == OPD_VALUE && type_is_tuple(value.value->type);
    bool list = target->kind == AST_TUPLE || target->kind == AST_LIST;
    if (!tuple || !list || value.value->type->tuple.count != target->list.items.count) {
        fail(f, target->span, "this cannot be assigned to in a constant");
        return false;
    }
    for (int i = 0; i < target->list.items.count; i++)
        if (!take_target(
                f, target->list.items.items[i],
                thing_operand(f, operand_value(ir_item(f->arena, value.value, i, value.span)))))
            return false;
    return true;
}

static bool collect(Collection *c, int clause);

static bool collect_one(Collection *c)
{
    FnState *f = c->f;
    Operand item = lower_expr(f, c->ast->element);
    if (item.kind == OPD_ERROR)
        return false;
    if (!c->dict) {
        array_push(f->arena, c->items, c->count, c->capacity) = item;
        return true;
    }
    Operand value = lower_expr(f, c->ast->value);
    array_push(f->arena, c->dict->entries, c->dict->count, c->dict->capacity) =
        (Entry){ .key = item, .value = value };
    return value.kind != OPD_ERROR;
}

/* Whether all conditions of a clause hold: 1, 0; -1 after a complaint. */
static int conditions_hold(FnState *f, const AstClause *clause)
{
    for (int i = 0; i < clause->conditions.count; i++) {
        const IrValue *holds = lower_condition(f, clause->conditions.items[i]);
        if (!ir_is_constant(holds))
            return -1;
        if (!holds->constant.integer)
            return 0;
    }
    return 1;
}

static bool collect(Collection *c, int clause)
{
    FnState *f = c->f;
    if (clause == c->ast->count)
        return collect_one(c);
    const AstClause *now = &c->ast->clauses[clause];
    Operand over = lower_expr(clause ? f : c->first, now->iterable);
    int64_t count = over.kind == OPD_ERROR ? -1 : evaluate_count(f, &over);
    if (count < 0 && over.kind != OPD_ERROR)
        fail(f, now->iterable->span, "this is no range or tuple that is known");
    for (int64_t i = 0; i < count; i++) {
        if (++c->steps > ITEMS_MOST) {
            fail(f, now->iterable->span, "a constant takes no more than %d items", ITEMS_MOST);
            return false;
        }
        if (!take_target(f, now->target, evaluate_item(f, &over, i, now->target->span)))
            return false;
        int holds = conditions_hold(f, now);
        if (holds < 0 || (holds && !collect(c, clause + 1)))
            return false;
    }
    return count >= 0;
}

Operand lower_comprehension(FnState *f, const AstExpr *expr)
{
    Collection c = { .f = f, .first = f, .ast = expr->comprehension };
    if (module_is_class(f->module)) { /* as functions, it does not see the class's names */
        c.f = constant_state(f, module_around_class(f->module));
        c.f->names = f->names;
    }
    if (c.ast->kind == AST_DICT) {
        c.dict = arena_new(f->arena, Bundle);
        c.dict->dict = true;
    }
    if (!collect(&c, 0))
        return operand_error(expr->span);
    return c.dict ? bundle_operand(c.dict, expr->span)
                  : tuple_of_operands(f, c.items, c.count, expr->span);
}
