/* Expressions: which things a value may be, or may look at. */
#include "ir/names/change/follow.h"

enum { DEEPEST = 2500, PLACES_MAX = 16 }; /* expressions in one another; items kept apart */

/* ---- things ---------------------------------------------------------------------------------- */

Thing *thing_made(Frame *f, const void *site, const char *part, ThingKind kind)
{
    const char *key = arena_printf(arena_of(f), "%p%d%s", site, (int)kind, part);
    Thing *thing = table_get(&f->things, key);
    if (thing)
        return thing;
    thing = thing_new(arena_of(f), kind);
    table_put(&f->things, key, thing);
    return thing;
}

void held_hold(Frame *f, Thing *thing, Set items)
{
    if (thing_hold(arena_of(f), thing, &thing->items, items))
        f->trace->grown++;
}

void held_store(Frame *f, Thing *thing, const AstExpr *key, Set value)
{
    if (thing->kind != THING_DICT || !key || key->kind != AST_STRING) {
        thing->twice |= set_meets(thing->items, value);
        held_hold(f, thing, value);
        return;
    }
    if (!thing->names) {
        thing->names = names_new(arena_of(f), NULL);
        thing->names->thing = thing;
    }
    if (slot_put(arena_of(f), names_slot(arena_of(f), thing->names, key->string.text), value, true,
                 f->trace->stmt))
        f->trace->grown++;
}

Set held_made(Frame *f, const void *site, const char *part, ThingKind kind, Set items)
{
    Thing *thing = thing_made(f, site, part, kind);
    held_hold(f, thing, items);
    return set_of(arena_of(f), thing, 0);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* What a symbol of another file, or of a file's class, stands for. */
static Set value_of_symbol(Arena *arena, const Symbol *symbol)
{
    Set none = { 0 };
    if (symbol->kind == SYMBOL_MODULE)
        return set_of(arena, names_of_module(symbol->of)->thing, 0);
    const Slot *slot = table_get(&names_of_module(symbol->module)->slots, symbol->name);
    return slot ? slot->set : none;
}

Set held_of_name(const Frame *f, const char *name, bool *found)
{
    const Slot *elsewhere = table_get(&f->globals, name);
    *found = true;
    if (elsewhere)
        return elsewhere->set;
    for (const HeapNames *names = f->names; names; names = names->outer) {
        bool class = names->module ? names->module->is_class : names->thing && names->thing->class_;
        const Slot *slot = class && names != f->names ? NULL : table_get(&names->slots, name);
        if (slot)
            return slot->set;
        const Symbol *symbol =
            names->module && !names->outer ? module_symbol(names->module, name) : NULL;
        if (symbol && symbol->kind != SYMBOL_BUILTIN)
            return value_of_symbol(arena_of(f), symbol);
    }
    *found = false;
    return (Set){ 0 };
}

/* ---- attributes ------------------------------------------------------------------------------ */

static Slot *class_slot_within(const Thing *class, const char *name, int depth)
{
    enum { DEPTH = 100 }; /* a class may come to be its own base by imports */
    Slot *slot = class->names ? table_get(&class->names->slots, name) : NULL;
    for (int i = 0; !slot && depth < DEPTH && i < class->bases.count; i++)
        slot = class_slot_within(class->bases.items[i].thing, name, depth + 1);
    return slot;
}

Slot *class_slot(const Thing *class, const char *name)
{
    return class_slot_within(class, name, 0);
}

Set held_bound(Frame *f, const AstExpr *site, const Thing *function, Ref self)
{
    Thing *made = thing_made(f, site, arena_printf(arena_of(f), ".%p", (const void *)function),
                             THING_FUNCTION);
    made->function = function->function;
    made->around = function->around;
    made->defaults = function->defaults;
    made->of_class = function->of_class;
    if (!ast_is_decorated(function->function, "staticmethod")) {
        join(f, &made->self,
             self.thing->self.count ? self.thing->self : set_of(arena_of(f), self.thing, 0));
        held_hold(f, made, made->self);
    }
    return set_of(arena_of(f), made, 0);
}

static Set member(Frame *f, const AstExpr *site, Ref object, Set found)
{
    Set result = { 0 };
    for (int i = 0; i < found.count; i++) {
        const Thing *thing = found.items[i].thing;
        if (thing->kind != THING_FUNCTION || thing->self.count) {
            set_add(arena_of(f), &result, found.items[i]);
            continue;
        }
        bool binds = object.thing->kind == THING_OBJECT || thing->of_class;
        Set method = binds ? held_bound(f, site, thing, object)
                           : set_of(arena_of(f), found.items[i].thing, 0);
        bool called = object.thing->kind == THING_OBJECT &&
                      (ast_is_decorated(thing->function, "property") ||
                       ast_is_decorated(thing->function, "cached_property"));
        join(f, &result, called ? call_set(f, method, &(Args){ .call = site }) : method);
    }
    return result;
}

/* Attributes of arrays that are numbers. */
static bool is_number_of_array(const char *name)
{
    static const char *const names[] = { "size",   "ndim",    "dtype", "itemsize",
                                         "nbytes", "strides", "flags" };
    return TEXT_IS_AMONG(name, names);
}

/* All that a function holds: its defaults, and what the names around it do. */
static Set held_inside(const Frame *f, const Thing *function)
{
    Set held = { 0 };
    join(f, &held, set_reach(arena_of(f), function->items));
    for (const HeapNames *names = function->around; names && !names->module; names = names->outer)
        for (size_t i = 0; i < names->slots.capacity; i++)
            if (names->slots.slots[i].name)
                join(f, &held, ((Slot *)names->slots.slots[i].value)->set);
    return held;
}

static Set attribute_of(Frame *f, const AstExpr *site, Ref ref, const char *name)
{
    static const char *const globals[] = { "__globals__", "f_globals", "f_locals", "f_builtins" };
    static const char *const cells[] = { "__closure__", "__defaults__", "__kwdefaults__",
                                         "__dict__" };
    Set result = { 0 };
    Thing *thing = ref.thing;
    const Slot *own = thing->names ? table_get(&thing->names->slots, name) : NULL;
    const Slot *slot = own ? own : class_slot(thing, name);
    if (thing->kind == THING_FOREIGN && thing->path) {
        Set part = held_made(f, site, arena_printf(arena_of(f), "%p", (void *)thing), THING_FOREIGN,
                             result);
        part.items[0].thing->path =
            builtin_canonical(arena_of(f), arena_printf(arena_of(f), "%s.%s", thing->path, name));
        return part;
    }
    if (TEXT_IS_AMONG(name, globals))
        return held_module(f);
    if (thing->kind == THING_FUNCTION && TEXT_IS_AMONG(name, cells))
        return held_made(f, site, name, THING_FOREIGN, held_inside(f, thing));
    if (thing->kind == THING_ARRAY && known_changes_object(name)) { /* f = x.fill */
        Set method = held_made(f, site, name, THING_FOREIGN, set_of(arena_of(f), thing, ref.rank));
        method.items[0].thing->path = arena_printf(arena_of(f), "np.ndarray.%s", name);
        method.items[0].thing->self = method.items[0].thing->items;
        return method;
    }
    if (thing->kind == THING_ARRAY) {
        bool same = strcmp(name, "T") == 0 || strcmp(name, "real") == 0;
        if (strcmp(name, "shape") == 0)
            join(f, &result, held_made(f, site, "shape", THING_TUPLE, result));
        else if (!is_number_of_array(name))
            set_add(arena_of(f), &result, (Ref){ thing, same ? ref.rank : 0 });
    } else if (slot) {
        join(f, &result,
             thing->kind == THING_OBJECT && own ? own->set : member(f, site, ref, slot->set));
    } else if (thing->kind == THING_SPACE && thing->names->module && !thing->class_) {
        const Symbol *symbol = module_symbol_in(thing->names->module, name);
        if (symbol)
            join(f, &result, value_of_symbol(arena_of(f), symbol));
    } else if (strcmp(name, "__class__") == 0) {
        join(f, &result, thing->bases);
    } else if (thing->kind == THING_OBJECT || thing->kind == THING_FOREIGN ||
               thing->kind == THING_FUNCTION) {
        Set self = set_of(arena_of(f), thing, 0);
        join(f, &result, thing->items);
        join(f, &result, call_method(f, site, self, "__getattr__", (Set){ 0 }));
    }
    if (thing->kind == THING_FOREIGN || thing->kind == THING_LIST || thing->kind == THING_DICT ||
        thing->kind == THING_FUNCTION || strcmp(name, "__dict__") == 0)
        set_add(arena_of(f), &result, ref);
    return result;
}

Set held_attribute(Frame *f, const AstExpr *expr, Set objects, const char *name)
{
    Set result = { 0 };
    for (int i = 0; i < objects.count; i++)
        join(f, &result, attribute_of(f, expr, objects.items[i], name));
    return result;
}

/* ---- items ----------------------------------------------------------------------------------- */

Set held_items(Frame *f, const AstExpr *site, Set over)
{
    Set result = { 0 };
    for (int i = 0; i < over.count; i++) {
        Ref ref = over.items[i];
        Set one = { &over.items[i], 1, 1 };
        if (ref.thing->kind == THING_ARRAY) {
            if (ref.rank != 1)
                set_add(arena_of(f), &result, (Ref){ ref.thing, ref.rank ? ref.rank - 1 : 0 });
            continue;
        }
        join(f, &result,
             ref.thing->kind == THING_DICT ? ref.thing->keys : thing_items(arena_of(f), ref.thing));
        if (ref.thing->kind == THING_FOREIGN)
            set_add(arena_of(f), &result, ref);
        if (ref.thing->kind != THING_OBJECT)
            continue;
        Set iterator = call_method(f, site, one, "__iter__", (Set){ 0 });
        join(f, &result, call_method(f, site, iterator, "__next__", (Set){ 0 }));
        join(f, &result, call_method(f, site, one, "__getitem__", (Set){ 0 }));
        for (int k = 0; k < iterator.count; k++)
            join(f, &result, thing_items(arena_of(f), iterator.items[k].thing));
    }
    return result;
}

/* By how much an index lowers the rank of an array; -1: that does not show. */
static int lowers_rank(Frame *f, const AstExpr *index)
{
    if (index->kind == AST_TUPLE) {
        int sum = 0;
        for (int i = 0; i < index->list.items.count && sum >= 0; i++) {
            int by = lowers_rank(f, index->list.items.items[i]);
            sum = by < 0 ? by : sum + by;
        }
        return sum;
    }
    if (index->kind == AST_SLICE)
        return 0;
    const char *path =
        index->kind == AST_NAME || index->kind == AST_ATTRIBUTE ? builtin_path_of(f, index) : NULL;
    bool plain = !(path && strcmp(path, "np.newaxis") == 0) && index->kind != AST_STRING &&
                 index->kind != AST_NONE && index->kind != AST_ELLIPSIS &&
                 index->kind != AST_TRUE && index->kind != AST_FALSE &&
                 !follow_value(f, index).count;
    return plain ? 1 : -1;
}

static void index_array(Frame *f, const AstExpr *expr, Ref ref, Set *result)
{
    int by = ref.rank ? lowers_rank(f, expr->index.index) : -1;
    if (by < 0)
        set_add(arena_of(f), result, (Ref){ ref.thing, 0 });
    else if (by < ref.rank)
        set_add(arena_of(f), result, (Ref){ ref.thing, ref.rank - by });
}

static void index_thing(Frame *f, const AstExpr *expr, Ref ref, Set *result)
{
    const AstExpr *at = expr->index.index;
    Thing *thing = ref.thing;
    bool space = thing->kind == THING_SPACE || thing->kind == THING_OBJECT;
    if (thing->kind == THING_ARRAY)
        index_array(f, expr, ref, result);
    else if (space && at->kind == AST_STRING)
        join(f, result, attribute_of(f, expr, ref, at->string.text)); /* vars(x)["a"] */
    else if (at->kind == AST_SLICE && (thing->kind == THING_LIST || thing->kind == THING_TUPLE))
        join(f, result, held_made(f, expr, "", thing->kind, thing_items(arena_of(f), thing)));
    else if (thing->kind == THING_TUPLE && thing->at && at->kind == AST_INT &&
             at->integer.value < (uint64_t)thing->count)
        join(f, result, thing->at[at->integer.value]);
    else if (thing->kind == THING_DICT && thing->names && at->kind == AST_STRING &&
             table_get(&thing->names->slots, at->string.text)) {
        join(f, result, thing->items);
        join(f, result, ((Slot *)table_get(&thing->names->slots, at->string.text))->set);
    } else if (thing->kind == THING_FUNCTION || thing->kind == THING_SPACE)
        set_add(arena_of(f), result, ref); /* kernel[grid, block] */
    else
        join(f, result, thing_items(arena_of(f), thing));
    if (thing->kind == THING_FOREIGN)
        set_add(arena_of(f), result, ref);
    if (thing->path && strcmp(thing->path, "sys.modules") == 0)
        join(f, result, held_module(f));
}

static Set value_of_index(Frame *f, const AstExpr *expr)
{
    Set objects = follow_value(f, expr->index.object), index = follow_value(f, expr->index.index);
    Set result = { 0 };
    for (int i = 0; i < objects.count; i++)
        index_thing(f, expr, objects.items[i], &result);
    join(f, &result, call_method(f, expr, objects, "__getitem__", index));
    return result;
}

/* ---- what is made ---------------------------------------------------------------------------- */

/* The highest rank of some arrays; 0: not known. */
static int highest_rank(Set set)
{
    int rank = 1;
    for (int i = 0; i < set.count; i++) {
        if (set.items[i].thing->kind == THING_ARRAY && !set.items[i].rank)
            return 0;
        rank = set.items[i].rank > rank ? set.items[i].rank : rank;
    }
    return rank;
}

Set held_computed(Frame *f, const AstExpr *site, Set a, Set b)
{
    Set both = { 0 };
    join(f, &both, a);
    join(f, &both, b);
    if (!both.count)
        return both;
    ThingKind kind = set_has(both, THING_FOREIGN) || set_has(both, THING_OBJECT) ? THING_FOREIGN
                     : set_has(both, THING_ARRAY)                                ? THING_ARRAY
                     : set_has(both, THING_TUPLE)                                ? THING_TUPLE
                                                                                 : THING_LIST;
    Set items = { 0 };
    for (int i = 0; i < both.count && kind != THING_ARRAY; i++)
        if (both.items[i].thing->kind == THING_LIST || both.items[i].thing->kind == THING_TUPLE ||
            both.items[i].thing->kind == THING_DICT)
            join(f, &items, thing_items(arena_of(f), both.items[i].thing));
    Set made = held_made(f, site, "+", kind, items);
    made.items[0].rank = kind == THING_ARRAY ? highest_rank(both) : 0;
    return made;
}

const char *held_special(AstOp op)
{
    static const char *const names[AST_OP_COUNT] = {
        [AST_ADD] = "__add__",           [AST_SUB] = "__sub__",     [AST_MUL] = "__mul__",
        [AST_MATMUL] = "__matmul__",     [AST_DIV] = "__truediv__", [AST_MOD] = "__mod__",
        [AST_FLOORDIV] = "__floordiv__", [AST_POW] = "__pow__",     [AST_LSHIFT] = "__lshift__",
        [AST_RSHIFT] = "__rshift__",     [AST_BITAND] = "__and__",  [AST_BITOR] = "__or__",
        [AST_BITXOR] = "__xor__",        [AST_NEG] = "__neg__",     [AST_POS] = "__pos__",
        [AST_INVERT] = "__invert__"
    };
    return names[op];
}

static Set value_of_binary(Frame *f, const AstExpr *expr)
{
    Set left = follow_value(f, expr->binary.left), right = follow_value(f, expr->binary.right);
    Set result = { 0 };
    const char *special = held_special(expr->binary.op);
    join(f, &result, held_computed(f, expr, left, right));
    if (special) {
        const char *reflected = arena_printf(arena_of(f), "__r%s", special + 2);
        join(f, &result, call_method(f, expr, left, special, right));
        join(f, &result, call_method(f, expr, right, reflected, left));
    }
    return result;
}

static Set value_of_compare(Frame *f, const AstExpr *expr)
{
    Set all = { 0 };
    join(f, &all, follow_value(f, expr->compare.first));
    for (int i = 0; i < expr->compare.count; i++)
        join(f, &all, follow_value(f, expr->compare.rest[i]));
    return set_has(all, THING_ARRAY) ? held_computed(f, expr, all, (Set){ 0 }) : (Set){ 0 };
}

static Set value_of_unary(Frame *f, const AstExpr *expr)
{
    Set operand = follow_value(f, expr->unary.operand), result = { 0 };
    const char *special = held_special(expr->unary.op);
    if (expr->unary.op == AST_NOT)
        return result;
    join(f, &result, held_computed(f, expr, operand, (Set){ 0 }));
    if (special)
        join(f, &result, call_method(f, expr, operand, special, (Set){ 0 }));
    return result;
}

/* (a, b), [a, *b] */
static Set value_of_display(Frame *f, const AstExpr *expr)
{
    const AstExprs *exprs = &expr->list.items;
    ThingKind kind = expr->kind == AST_TUPLE ? THING_TUPLE : THING_LIST;
    Thing *thing = thing_made(f, expr, "", kind);
    bool places = kind == THING_TUPLE && exprs->count <= PLACES_MAX;
    for (int i = 0; i < exprs->count; i++)
        places &= exprs->items[i]->kind != AST_STARRED;
    if (places && !thing->at)
        thing->at = arena_array(arena_of(f), Set, exprs->count + 1);
    thing->count = places ? exprs->count : 0;
    Set now = { 0 };
    for (int i = 0; i < exprs->count; i++) {
        const AstExpr *item = exprs->items[i];
        bool star = item->kind == AST_STARRED;
        Set value = follow_value(f, star ? item->starred.value : item);
        if (star)
            value = held_items(f, item, value);
        thing->twice |= set_meets(now, value);
        join(f, &now, value);
        if (thing_hold(arena_of(f), thing, places ? &thing->at[i] : &thing->items, value))
            f->trace->grown++;
    }
    return set_of(arena_of(f), thing, 0);
}

static Set value_of_dict(Frame *f, const AstExpr *expr)
{
    Thing *thing = thing_made(f, expr, "", THING_DICT);
    for (int i = 0; i < expr->dict.values.count; i++) {
        const AstExpr *key = expr->dict.keys.items[i];
        Set value = follow_value(f, expr->dict.values.items[i]);
        if (!key)
            for (int k = 0; k < value.count; k++)
                held_hold(f, thing, thing_items(arena_of(f), value.items[k].thing));
        held_store(f, thing, key, value);
        if (key && thing_hold(arena_of(f), thing, &thing->keys, follow_value(f, key)))
            f->trace->grown++;
    }
    return set_of(arena_of(f), thing, 0);
}

static Set value_of_lambda(Frame *f, const AstExpr *expr)
{
    const AstParams *params = &expr->lambda.params;
    Thing *thing = thing_made(f, expr, "", THING_FUNCTION);
    if (!thing->function)
        thing->function = ast_lambda_function(arena_of(f), expr);
    thing->around = f->names;
    if (!f->names->module)
        held_hold(f, thing, set_of(arena_of(f), names_thing(arena_of(f), f->names), 0));
    thing->defaults = arena_array(arena_of(f), Set, params->count + 1);
    for (int i = 0; i < params->count; i++)
        if (params->items[i].default_value) {
            thing->defaults[i] = follow_value(f, params->items[i].default_value);
            held_hold(f, thing, thing->defaults[i]);
        }
    return set_of(arena_of(f), thing, 0);
}

static Set value_of_yield(Frame *f, const AstExpr *expr)
{
    f->is_generator = true;
    if (!expr->yield.value)
        return (Set){ 0 };
    Set value = follow_value(f, expr->yield.value);
    if (set_join(arena_of(f), &f->yields, expr->yield.from ? held_items(f, expr, value) : value))
        f->trace->grown++;
    return expr->yield.from ? value : (Set){ 0 };
}

/* Binds a name of what is around comprehensions. */
static Set value_of_walrus(Frame *f, const AstExpr *expr)
{
    const AstExpr name = { .kind = AST_NAME, .name.name = expr->walrus.name };
    Set value = follow_value(f, expr->walrus.value);
    HeapNames *inner = f->names;
    while (f->names->of_comprehension)
        f->names = f->names->outer;
    follow_target(f, &name, value);
    f->names = inner;
    return value;
}

/* np.add as a value: what calls it changes what it is given. */
static Set value_of_builtin(Frame *f, const AstExpr *expr)
{
    const char *path = builtin_path_of(f, expr);
    if (!path || !known_changes(path))
        return (Set){ 0 };
    Set made = held_made(f, expr, "path", THING_FOREIGN, (Set){ 0 });
    made.items[0].thing->path = path;
    return made;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void visit_value(void *context, const AstExpr *expr)
{
    follow_value(context, expr);
}

static Set value_of_either(Frame *f, const AstExpr *a, const AstExpr *b)
{
    Set result = { 0 };
    join(f, &result, follow_value(f, a));
    join(f, &result, follow_value(f, b));
    return result;
}

static Set value_of_kind(Frame *f, const AstExpr *expr)
{
    bool found;
    Set value;
    switch (expr->kind) {
    case AST_NAME:
        value = held_of_name(f, expr->name.name, &found);
        return found ? value : value_of_builtin(f, expr);
    case AST_TUPLE:
    case AST_LIST:
    case AST_SET:
        return value_of_display(f, expr);
    case AST_DICT:
        return value_of_dict(f, expr);
    case AST_COMPREHENSION:
        return follow_comprehension(f, expr);
    case AST_UNARY:
        return value_of_unary(f, expr);
    case AST_BINARY:
        return value_of_binary(f, expr);
    case AST_BOOLEAN:
        return value_of_either(f, expr->binary.left, expr->binary.right);
    case AST_COMPARE:
        return value_of_compare(f, expr);
    case AST_IF_EXPR:
        follow_value(f, expr->if_expr.condition);
        return value_of_either(f, expr->if_expr.then, expr->if_expr.otherwise);
    case AST_LAMBDA:
        return value_of_lambda(f, expr);
    case AST_CALL:
        return call_expr(f, expr);
    case AST_ATTRIBUTE:
        value = follow_value(f, expr->attribute.object);
        return value.count ? held_attribute(f, expr, value, expr->attribute.name)
                           : value_of_builtin(f, expr);
    case AST_INDEX:
        return value_of_index(f, expr);
    case AST_STARRED:
    case AST_AWAIT:
        return follow_value(f, expr->starred.value);
    case AST_WALRUS:
        return value_of_walrus(f, expr);
    case AST_YIELD:
        return value_of_yield(f, expr);
    default:
        ast_each_child(expr, visit_value, f);
        return (Set){ 0 };
    }
}

Set follow_value(Frame *f, const AstExpr *expr)
{
    if (f->trace->depth > DEEPEST)
        return (Set){ 0 };
    f->trace->depth++;
    Set outer = f->touched, value = { 0 };
    f->touched = (Set){ 0 };
    join(f, &value, value_of_kind(f, expr));
    join(f, &f->touched, value);
    if (expr->kind != AST_NAME)
        join(f, &value, implicit_given(f, f->touched));
    join(f, &f->touched, outer);
    f->trace->depth--;
    return value;
}
