/* What a constant may be made of that is no value itself: dictionaries, and objects of classes that
** only hold values, dataclasses, namedtuples, namespaces. Their items are expressions, evaluated
** when they are read, for a file holds many that kernels cannot use. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <string.h>

typedef struct Entry {
    Operand key;
    const AstExpr *expr; /* NULL: `value` is known */
    FnState *state;      /* in which `expr` is evaluated */
    Operand value;
} Entry;

struct Bundle {
    const Symbol *class; /* of an object that has one; NULL: none */
    bool dict;
    Entry *entries;
    int count, capacity;
};

static void add(FnState *f, Bundle *bundle, Operand key, const AstExpr *expr)
{
    array_push(f->arena, bundle->entries, bundle->count, bundle->capacity) =
        (Entry){ .key = key, .expr = expr, .state = f };
}

static Operand text_key(const char *name, Span span)
{
    return (Operand){ .kind = OPD_STRING, .span = span, .string = { name, strlen(name) } };
}

static Operand bundle_operand(const Bundle *bundle, Span span)
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
            add(f, bundle, other, value);
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

static bool add_keywords(FnState *f, Bundle *bundle, const AstExpr *call)
{
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!keyword->name) {
            fail(f, keyword->span, "'**' cannot be used in a constant");
            return false;
        }
        add(f, bundle, text_key(keyword->name, keyword->span), keyword->value);
    }
    return true;
}

/* dict(a=1), SimpleNamespace(a=1) */
Operand bundle_of_keywords(FnState *f, const AstExpr *call, bool dict)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    bundle->dict = dict;
    return add_keywords(f, bundle, call) ? bundle_operand(bundle, call->span)
                                         : operand_error(call->span);
}

/* The method of a class that makes its objects, if it is written. */
static const AstFunction *init_of(const AstClass *class)
{
    for (int i = 0; i < class->body.count; i++) {
        const AstStmt *stmt = class->body.items[i];
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, "__init__") == 0)
            return &stmt->def.function;
    }
    return NULL;
}

/* The parameters of __init__, bound to the arguments; false if they do not fit. */
static bool bind_init(FnState *f, FnState *inner, const AstFunction *init, const AstExpr *call)
{
    for (int i = 1; i < init->params.count; i++) {
        const AstParam *param = &init->params.items[i];
        const AstExpr *given = i - 1 < call->call.args.count ? call->call.args.items[i - 1] : NULL;
        for (int k = 0; k < call->call.keyword_count; k++)
            if (call->call.keywords[k].name &&
                strcmp(call->call.keywords[k].name, param->name) == 0)
                given = call->call.keywords[k].value;
        if (!given && !param->default_value)
            continue; /* told when it is read */
        Operand *value = arena_new(f->arena, Operand);
        *value = given ? lower_expr(f, given) : lower_expr(inner, param->default_value);
        if (value->kind == OPD_ERROR)
            return false;
        env_bind(inner, env_name(inner, param->name),
                 (Binding){ .kind = BIND_OPERAND, .span = param->span, .operand = value });
    }
    return true;
}

/* How many places of __init__ assign an attribute of the object. */
typedef struct Assigns {
    const char *self, *name;
    int count;
    bool calls; /* its own methods, which may assign all */
} Assigns;

static void count_target(void *context, const AstExpr *target)
{
    Assigns *assigns = context;
    ast_each_child(target, count_target, context);
    if (target->kind == AST_ATTRIBUTE && target->attribute.object->kind == AST_NAME &&
        strcmp(target->attribute.object->name.name, assigns->self) == 0 &&
        strcmp(target->attribute.name, assigns->name) == 0)
        assigns->count++;
}

static void find_calls(void *context, const AstExpr *expr)
{
    Assigns *assigns = context;
    const AstExpr *at = expr->kind == AST_CALL ? expr->call.function : NULL;
    ast_each_child(expr, find_calls, context);
    while (at && (at->kind == AST_ATTRIBUTE || at->kind == AST_INDEX))
        at = at->kind == AST_INDEX ? at->index.object : at->attribute.object;
    assigns->calls |= at && at->kind == AST_NAME && strcmp(at->name.name, assigns->self) == 0;
}

static void count_assigns(Assigns *assigns, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstBody *bodies[2];
        ast_each_target(body->items[i], count_target, assigns);
        ast_each_value(body->items[i], find_calls, assigns);
        for (int k = 0, count = ast_bodies(body->items[i], bodies); k < count; k++)
            count_assigns(assigns, bodies[k]);
    }
}

static bool assigned_once(const AstFunction *init, const char *self, const char *name)
{
    Assigns assigns = { self, name, 0, false };
    count_assigns(&assigns, &init->body);
    return assigns.count == 1 && !assigns.calls;
}

/* self.name = value, where __init__ says so in all cases, and once. */
static void add_assigned(FnState *inner, Bundle *bundle, const AstFunction *init)
{
    const char *self = init->params.count ? init->params.items[0].name : "";
    for (int i = 0; i < init->body.count; i++) {
        const AstStmt *stmt = init->body.items[i];
        const AstExpr *target = stmt->kind == AST_ASSIGN       ? stmt->assign.targets.items[0]
                                : stmt->kind == AST_ANN_ASSIGN ? stmt->ann_assign.target
                                                               : NULL;
        const AstExpr *value = stmt->kind == AST_ASSIGN ? stmt->assign.value
                               : target                 ? stmt->ann_assign.value
                                                        : NULL;
        if (!target || !value || target->kind != AST_ATTRIBUTE ||
            target->attribute.object->kind != AST_NAME ||
            strcmp(target->attribute.object->name.name, self) != 0 ||
            !assigned_once(init, self, target->attribute.name))
            continue;
        add(inner, bundle, text_key(target->attribute.name, target->span), value);
    }
}

/* The fields that a class declares, x: float = 1, those of its bases first: arguments go to them in
** their order. */
static int add_fields(FnState *f, Bundle *bundle, const Module *class, const AstExpr *call, int at)
{
    const Module *const *bases;
    int count = module_bases(class, &bases);
    for (int i = 0; i < count; i++)
        at = add_fields(f, bundle, bases[i], call, at);
    const AstClass *ast = module_class(class);
    for (int i = 0; ast && i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        if (stmt->kind != AST_ANN_ASSIGN || stmt->ann_assign.target->kind != AST_NAME)
            continue;
        const AstExpr *name = stmt->ann_assign.target;
        if (at < call->call.args.count)
            add(f, bundle, text_key(name->name.name, name->span), call->call.args.items[at]);
        at++;
    }
    return at;
}

Operand bundle_of_class(FnState *f, const AstExpr *call, const Symbol *symbol)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    const AstClass *ast = module_class(symbol->of);
    const AstFunction *init = ast ? init_of(ast) : NULL;
    bundle->class = symbol;
    if (init) {
        FnState *inner = constant_state(f, symbol->module);
        if (!bind_init(f, inner, init, call))
            return operand_error(call->span);
        if (init->params.count) {
            Operand *self = arena_new(f->arena, Operand);
            *self = bundle_operand(bundle, call->span);
            env_bind(inner, env_name(inner, init->params.items[0].name),
                     (Binding){ .kind = BIND_OPERAND, .span = call->span, .operand = self });
        }
        add_assigned(inner, bundle, init);
        return bundle_operand(bundle, call->span);
    }
    add_fields(f, bundle, symbol->of, call, 0);
    return add_keywords(f, bundle, call) ? bundle_operand(bundle, call->span)
                                         : operand_error(call->span);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool same_key(const Operand *a, const Operand *b)
{
    bool values = a->kind == OPD_VALUE && b->kind == OPD_VALUE;
    return values ? ir_is_constant(a->value) && ir_is_constant(b->value) &&
                        literal_same(a->value, b->value)
                  : operand_same(a, b);
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
static const Entry *find(const Bundle *bundle, const Operand *key)
{
    for (int i = bundle->count; i-- > 0;)
        if (same_key(&bundle->entries[i].key, key))
            return &bundle->entries[i];
    return NULL;
}

Operand bundle_item(FnState *f, const Bundle *bundle, Operand key, Span span)
{
    const Entry *entry = bundle->dict ? find(bundle, &key) : NULL;
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
    Operand key = text_key(name, expr->attribute.name_span);
    const Entry *entry = bundle->dict ? NULL : find(bundle, &key);
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
    FnState *f;
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
    Operand over = lower_expr(f, now->iterable);
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
    Collection c = { .f = f, .ast = expr->comprehension };
    if (c.ast->kind == AST_DICT) {
        c.dict = arena_new(f->arena, Bundle);
        c.dict->dict = true;
    }
    if (!collect(&c, 0))
        return operand_error(expr->span);
    return c.dict ? bundle_operand(c.dict, expr->span)
                  : tuple_of_operands(f, c.items, c.count, expr->span);
}
