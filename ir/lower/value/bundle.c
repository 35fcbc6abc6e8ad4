/* What a constant may be made of that is no value itself: dictionaries, namespaces, and objects of
** classes (object.c). Their items are expressions, evaluated when they are read, for a file holds
** many that kernels cannot use. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/value/bundle.h"

static void look_for_call(void *context, const AstExpr *expr)
{
    bool *found = context;
    *found |= expr->kind == AST_CALL;
    if (!*found)
        ast_each_child(expr, look_for_call, found);
}

static bool has_call(const AstExpr *expr)
{
    bool found = false;
    look_for_call(&found, expr);
    return found;
}

/* What stands there is evaluated when it is read, for it may be nothing for kernels; but at once
** where statements are run, which may change what its names hold. */
void bundle_add(FnState *f, Bundle *bundle, Operand key, const AstExpr *expr)
{
    Entry entry = { .key = key, .expr = expr, .state = f };
    if (f->runs) {
        Attempt attempt = attempt_begin(f->lower);
        entry.value = lower_expr(f, expr);
        if (!attempt_failed(f->lower, attempt))
            entry.expr = NULL;
        else if (f->lower->run && has_call(expr)) /* which may change what the run is for */
            return;
        attempt_void(f->lower, attempt);
    }
    array_push(f->arena, bundle->entries, bundle->count, bundle->capacity) = entry;
}

Operand bundle_operand(const Bundle *bundle, Span span)
{
    return (Operand){ .kind = OPD_BUNDLE, .span = span, .bundle = bundle };
}

/* ---- making ---------------------------------------------------------------------------------- */

/* **other; false after a complaint. */
static bool add_all(FnState *f, Bundle *bundle, Operand other, Span span)
{
    if (other.kind == OPD_ERROR)
        return false;
    if (other.kind != OPD_BUNDLE)
        return fail(f, span, "'**' spreads a dictionary here");
    for (int i = 0; i < other.bundle->count; i++)
        array_push(f->arena, bundle->entries, bundle->count, bundle->capacity) =
            other.bundle->entries[i];
    return true;
}

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
        if (key)
            bundle_add(f, bundle, other, value);
        else if (!add_all(f, bundle, other, value->span))
            return operand_error(value->span);
    }
    return bundle_operand(bundle, expr->span);
}

bool bundle_add_keywords(FnState *f, Bundle *bundle, const AstExpr *call)
{
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!keyword->name) {
            if (!add_all(f, bundle, lower_expr(f, keyword->value), keyword->span))
                return false;
            continue;
        }
        bundle_add(f, bundle,
                   operand_text(f->arena, keyword->name, strlen(keyword->name), keyword->span),
                   keyword->value);
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

/* type("name", (), attributes) */
Operand bundle_of_type(FnState *f, const AstExpr *call)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    const AstExpr *attributes = call->call.args.items[2];
    return add_all(f, bundle, lower_expr(f, attributes), attributes->span)
               ? bundle_operand(bundle, call->span)
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

static bool same_value(FnState *f, const IrValue *a, const IrValue *b)
{
    if (a->op == OP_tuple && b->op == OP_tuple) {
        for (int i = 0; a->count == b->count && i < a->count; i++)
            if (!same_value(f, a->operands[i], b->operands[i]))
                return false;
        return a->count == b->count && (a->count || a->type == b->type);
    }
    if (!ir_is_constant(a) || !ir_is_constant(b))
        return false;
    bool numbers = type_is_real(a->type) && type_is_real(b->type);
    return numbers ? same_number(f, a, b) : literal_same(a, b);
}

static bool same_key(FnState *f, const Operand *a, const Operand *b)
{
    if (a->kind != OPD_VALUE || b->kind != OPD_VALUE)
        return operand_same(a, b);
    return same_value(f, a->value, b->value);
}

/* Whether an entry is a parameter of __init__ that the call gave nothing; complains of it. */
static bool is_missing(FnState *f, const Entry *entry)
{
    if (!entry->expr || entry->expr->kind != AST_NAME || !entry->state->of_init)
        return false;
    const AstFunction *init = entry->state->of_init;
    const char *name = entry->expr->name.name;
    for (int i = 1; i < init->params.count; i++)
        if (strcmp(init->params.items[i].name, name) == 0 && !init->params.items[i].default_value &&
            !table_get(&entry->state->names, name)) {
            fail(f, entry->expr->span,
                 "'%s' is what the object is made with, and has no value: give one with -D to a "
                 "name that is assigned this",
                 name);
            return true;
        }
    return false;
}

static Operand entry_value(FnState *f, const Entry *entry, Span span)
{
    if (is_missing(f, entry))
        return operand_error(span);
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
    return fail_operand(f, key.span,
                        bundle->dict ? "the dictionary has no such key, or none that is known here"
                                     : "an object has attributes, and no items");
}

Operand bundle_attribute(FnState *f, const Bundle *bundle, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    Operand key = operand_text(f->arena, name, strlen(name), expr->attribute.name_span);
    const Entry *entry = bundle->dict ? NULL : find(f, bundle, &key);
    if (bundle->class && object_is_unknown(bundle, name, entry))
        return fail_operand(
            f, expr->attribute.name_span,
            "only running '%s' would tell what '%s' of an object of '%s' is: write its value at "
            "once",
            bundle->unknown ? bundle->unknown : "__init__", name, bundle->class->name);
    if (entry)
        return entry_value(f, entry, expr->span);
    Operand property;
    if (lower_property(f, bundle, expr, &property)) {
        if (property.kind == OPD_VALUE)
            property.value = lower_table_in_function(f, property.value);
        return property;
    }
    if (bundle->class)
        return module_attribute(f, bundle->class, expr);
    return fail_operand(f, expr->attribute.name_span, "%s has no '%s'",
                        bundle->dict ? "a dictionary that kernels read" : "the object", name);
}

int bundle_count(FnState *f, const Bundle *bundle)
{
    int count = 0;
    for (int i = 0; bundle->dict && i < bundle->count; i++)
        count += find(f, bundle, &bundle->entries[i].key) == &bundle->entries[i];
    return bundle->dict ? count : -1;
}

/* The entry of key number `index`, in the order in which they came. */
static const Entry *entry_at(FnState *f, const Bundle *bundle, int index)
{
    for (int i = 0, at = 0; i < bundle->count; i++) {
        bool first = true;
        for (int k = 0; first && k < i; k++)
            first = !same_key(f, &bundle->entries[k].key, &bundle->entries[i].key);
        if (first && at++ == index)
            return find(f, bundle, &bundle->entries[i].key);
    }
    return NULL;
}

Operand bundle_key_at(FnState *f, const Bundle *bundle, int index)
{
    return entry_at(f, bundle, index)->key;
}

bool bundle_has(FnState *f, const Bundle *bundle, const Operand *key)
{
    return find(f, bundle, key) != NULL;
}

static Bundle *bundle_copy(FnState *f, const Bundle *bundle)
{
    Bundle *copy = arena_new(f->arena, Bundle);
    *copy = (Bundle){ .class = bundle->class, .dict = bundle->dict, .unknown = bundle->unknown };
    for (int i = 0; i < bundle->count; i++)
        array_push(f->arena, copy->entries, copy->count, copy->capacity) = bundle->entries[i];
    return copy;
}

Operand bundle_with(FnState *f, const Bundle *bundle, Operand key, Operand value)
{
    Bundle *copy = bundle_copy(f, bundle);
    array_push(f->arena, copy->entries, copy->count, copy->capacity) =
        (Entry){ .key = key, .value = value };
    return bundle_operand(copy, value.span);
}

bool bundle_with_attribute(FnState *f, const Bundle *bundle, const char *name, Operand value,
                           Operand *out)
{
    if (bundle->dict || bundle->class)
        return false;
    *out = bundle_with(f, bundle, operand_text(f->arena, name, strlen(name), value.span), value);
    return true;
}

Operand bundle_joined(FnState *f, const Bundle *bundle, const Bundle *more, Span span)
{
    Bundle *copy = bundle_copy(f, bundle);
    for (int i = 0; i < more->count; i++)
        array_push(f->arena, copy->entries, copy->count, copy->capacity) = more->entries[i];
    return bundle_operand(copy, span);
}

bool bundle_replaced(FnState *f, const AstExpr *call, Operand *out)
{
    Operand object = lower_expr(f, call->call.args.items[0]);
    if (object.kind != OPD_BUNDLE || object.bundle->dict || !call->call.keyword_count)
        return false;
    Bundle *copy = bundle_copy(f, object.bundle);
    *out = bundle_add_keywords(f, copy, call) ? bundle_operand(copy, call->span)
                                              : operand_error(call->span);
    return true;
}

/* dict.keys(), dict.values() and dict.items(), as tuples. */
static Operand bundle_listed(FnState *f, const Bundle *bundle, const char *what, Span span)
{
    int count = bundle_count(f, bundle);
    Operand *items = arena_array(f->arena, Operand, count + 1);
    for (int i = 0; i < count; i++) {
        const Entry *entry = entry_at(f, bundle, i);
        Operand pair[] = { entry->key, entry->key };
        if (*what != 'k')
            pair[1] = entry_value(f, entry, span);
        items[i] = *what == 'i' ? tuple_of_operands(f, pair, 2, span) : pair[1];
        if (items[i].kind == OPD_ERROR)
            return operand_error(span);
    }
    return tuple_of_operands(f, items, count, span);
}

bool bundle_method(FnState *f, const Bundle *bundle, const AstExpr *call, Operand *out)
{
    const char *name = call->call.function->attribute.name;
    const AstExprs *args = &call->call.args;
    bool list =
        strcmp(name, "keys") == 0 || strcmp(name, "values") == 0 || strcmp(name, "items") == 0;
    if (!bundle->dict && bundle->class && strcmp(name, "_replace") == 0 && !args->count) {
        Bundle *copy = bundle_copy(f, bundle);
        *out = bundle_add_keywords(f, copy, call) ? bundle_operand(copy, call->span)
                                                  : operand_error(call->span);
        return true;
    }
    bool get = strcmp(name, "get") == 0 && (args->count == 1 || args->count == 2);
    if (!bundle->dict || call->call.keyword_count || !(list ? args->count == 0 : get))
        return false;
    if (list) {
        *out = bundle_listed(f, bundle, name, call->span);
        return true;
    }
    Operand key = lower_expr(f, args->items[0]);
    const Entry *entry = key.kind == OPD_ERROR ? NULL : find(f, bundle, &key);
    *out = key.kind == OPD_ERROR ? key
           : entry               ? entry_value(f, entry, call->span)
           : args->count == 2    ? lower_expr(f, args->items[1])
                                 : (Operand){ .kind = OPD_NONE, .span = call->span };
    return true;
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
    if (!tuple || !list || value.value->type->tuple.count != target->list.items.count)
        return fail(f, target->span, "this cannot be assigned to in a constant");
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
    if (item.kind == OPD_ERROR || (item.kind == OPD_VALUE && is_poison(item.value)))
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
        if (++c->steps > ITEMS_MOST)
            return fail(f, now->iterable->span, "a constant takes no more than %d items",
                        ITEMS_MOST);
        if (!take_target(f, now->target, evaluate_item(f, &over, i, now->target->span)))
            return false;
        int holds = conditions_hold(f, now);
        if (holds < 0 || (holds && !collect(c, clause + 1)))
            return false;
    }
    return count >= 0;
}

/* A state of its own, as a function has it, which does not see a class's names either. Functions
** made in it find its names there. */
static FnState *collection_state(FnState *f)
{
    FnState *inner = constant_state(f, module_around_class(f->module));
    names_see(inner, f);
    inner->runs = true;
    inner->running = f->running;
    inner->constant = f->constant;
    return inner;
}

Operand lower_comprehension(FnState *f, const AstExpr *expr)
{
    Collection c = { .f = collection_state(f), .first = f, .ast = expr->comprehension };
    if (c.ast->kind == AST_DICT) {
        c.dict = arena_new(f->arena, Bundle);
        c.dict->dict = true;
    }
    if (!collect(&c, 0))
        return operand_error(expr->span);
    return c.dict ? bundle_operand(c.dict, expr->span)
                  : tuple_of_operands(f, c.items, c.count, expr->span);
}

void bundle_each_held(const Bundle *bundle, OperandVisitor *operand, RunVisitor *run, void *context)
{
    for (int i = 0; i < bundle->count; i++) {
        const Entry *entry = &bundle->entries[i];
        if (entry->expr)
            run(context, entry->state);
        else
            operand(context, &entry->value);
    }
}
