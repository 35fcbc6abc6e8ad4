/* What Python's own functions change in place, and what they give; and numba's. */
#include "ir/names/change/follow.h"

enum { SETS_MAX = 16 };

static Set list_of(Frame *f, const Args *args, Set items)
{
    return held_made(f, args->call, "", THING_LIST, items);
}

/* ---- what loops go over ---------------------------------------------------------------------- */

/* enumerate(x), zip(x, y): a list of tuples. */
static Set call_zip(Frame *f, const Args *args, bool counts)
{
    Set sets[SETS_MAX + 1] = { { 0 } };
    int count = args->count < SETS_MAX ? args->count : SETS_MAX;
    if (args->spread.count || args->count > SETS_MAX)
        return list_of(f, args,
                       list_of(f, args, held_items(f, args->call, arguments_all(f, args))));
    for (int i = 0; i < count; i++)
        sets[i + counts] = held_items(f, args->call, args->items[i]);
    return list_of(f, args, known_tuple(f, args, sets, counts ? 2 : count));
}

/* map(f, x, y) */
static Set call_map(Frame *f, const Args *args)
{
    Args inner = { .call = args->call, .spread = args->spread };
    inner.items = arena_array(arena_of(f), Set, args->count + 1);
    for (int i = 1; i < args->count; i++)
        inner.items[inner.count++] = held_items(f, args->call, args->items[i]);
    return list_of(f, args, call_set(f, argument(args, 0, NULL), &inner));
}

static Set call_filter(Frame *f, const Args *args)
{
    Set items = held_items(f, args->call, argument(args, 1, NULL));
    call_set(f, argument(args, 0, NULL),
             &(Args){ .call = args->call, .items = &items, .count = 1 });
    return list_of(f, args, items);
}

/* Goes through what is given, whose items it only looks at if no key=f is there. */
static void go_through(Frame *f, const Args *args, Set items)
{
    const Set all = arguments_all(f, args);
    bool calls = args->count != 1 || (args->keywords && args->call->call.keyword_count);
    for (int i = 0; i < all.count; i++)
        calls |= all.items[i].thing->kind != THING_LIST &&
                 all.items[i].thing->kind != THING_TUPLE && all.items[i].thing->kind != THING_DICT;
    if (calls)
        known_given(f, args, items);
}

/* list(x), sorted(x, key=f); a tuple or an iterator, too. */
static Set call_list(Frame *f, const Args *args, const char *name)
{
    Set over = argument(args, 0, NULL), items = held_items(f, args->call, over);
    go_through(f, args, items);
    bool tuple = strcmp(name, "tuple") == 0;
    return held_made(f, args->call, "", tuple ? THING_TUPLE : THING_LIST, items);
}

static Set call_dict(Frame *f, const Args *args)
{
    Set over = argument(args, 0, NULL), made = held_made(f, args->call, "", THING_DICT, over);
    Thing *thing = made.items[0].thing;
    Set pairs = held_items(f, args->call, over), inside = held_items(f, args->call, pairs);
    for (int i = 0; i < over.count; i++)
        held_hold(f, thing, thing_items(arena_of(f), over.items[i].thing));
    held_hold(f, thing, inside);
    held_hold(f, thing, arguments_all(f, args));
    thing_hold(arena_of(f), thing, &thing->keys, pairs);
    thing_hold(arena_of(f), thing, &thing->keys, inside);
    return made;
}

/* next(x), min(x), max(x, y, key=f), sum(x): an item, or an argument. */
static Set call_pick(Frame *f, const Args *args, bool sums)
{
    Set all = arguments_all(f, args), items = held_items(f, args->call, all), result = { 0 };
    go_through(f, args, items);
    if (sums)
        return held_computed(f, args->call, items, argument(args, 1, "start"));
    for (int i = 0; i < all.count && (args->count > 1 || args->spread.count); i++)
        if (all.items[i].thing->kind != THING_FUNCTION)
            set_add(arena_of(f), &result, all.items[i]);
    join(f, &result, items);
    return result;
}

/* ---- attributes by name ---------------------------------------------------------------------- */

static const char *text_argument(const Args *args, int place)
{
    const AstExpr *expr = args->call->kind == AST_CALL && place < args->call->call.args.count
                              ? args->call->call.args.items[place]
                              : NULL;
    return expr && expr->kind == AST_STRING ? expr->string.text : NULL;
}

static Set call_getattr(Frame *f, const Args *args)
{
    const char *name = text_argument(args, 1);
    Set objects = argument(args, 0, NULL), result = { 0 };
    join(f, &result, argument(args, 2, NULL));
    join(f, &result,
         name ? held_attribute(f, args->call, objects, name) : set_reach(arena_of(f), objects));
    return result;
}

/* setattr(x, "a", v) is x.a = v. */
static Set call_setattr(Frame *f, const Args *args)
{
    const char *name = text_argument(args, 1);
    Set objects = argument(args, 0, NULL), value = argument(args, 2, NULL);
    if (name && args->call->call.args.count) {
        AstExpr target = { .kind = AST_ATTRIBUTE, .span = args->call->span };
        target.attribute.object = args->call->call.args.items[0];
        target.attribute.name = name;
        follow_target(f, &target, value);
        return (Set){ 0 };
    }
    for (int i = 0; i < objects.count; i++) {
        HeapNames *names = objects.items[i].thing->names;
        held_hold(f, objects.items[i].thing, value);
        for (size_t k = 0; names && k < names->slots.capacity; k++)
            if (names->slots.slots[k].name)
                slot_put(arena_of(f), names->slots.slots[k].value, value, true, f->trace->stmt);
    }
    change_things(f, objects);
    return (Set){ 0 };
}

Set held_module(const Frame *f)
{
    const HeapNames *names = f->names;
    while (names->outer)
        names = names->outer;
    return set_of(arena_of(f), names->thing, 0);
}

/* Whether the statements of an exec() outside of functions have been followed by themselves. */
static bool is_resolved(const Frame *f, const AstExprs *args)
{
    const AstExpr *in = args->count > 1 ? args->items[1] : NULL;
    const Module *module = f->names->module;
    return !f->function && (!module || !module->outer || module->is_class) &&
           (!in || (in->kind == AST_CALL && ast_ends_in(in->call.function, "globals")));
}

/* exec("..."), eval("..."): whatever the text names, and what the names that it is given hold. */
static Set call_exec(Frame *f, const Args *args, bool evaluates)
{
    const char *text = text_argument(args, 0);
    Set given = argument(args, 1, "globals");
    HeapNames *names = held_module(f).items[0].thing->names;
    TableSlot *slots = names->slots.slots;
    if (!evaluates && args->call->kind == AST_CALL && is_resolved(f, &args->call->call.args))
        return (Set){ 0 };
    if (text && (strstr(text, "globals") || strstr(text, "__")))
        text = NULL;
    f->trace->by_text = true;
    change_unseen(f, set_reach(arena_of(f), given));
    bool own = args->count < 2 || set_has(given, THING_SPACE);
    for (size_t i = 0, count = names->slots.capacity; own && i < count; i++)
        if (slots[i].name && (!text || strstr(text, slots[i].name))) {
            Set held = ((Slot *)slots[i].value)->set;
            change_things(f, held);
            change_slot(f, slots[i].value);
            if (set_has(held, THING_FUNCTION))
                call_set(f, held, &(Args){ .call = args->call });
        }
    f->trace->by_text = false;
    return (Set){ 0 };
}

static Set call_type(Frame *f, const Args *args)
{
    Set of = argument(args, 0, NULL), result = { 0 };
    if (args->count > 1) /* a new class */
        return known_foreign(f, (Set){ 0 }, "type", args);
    for (int i = 0; i < of.count; i++)
        if (of.items[i].thing->kind == THING_OBJECT)
            join(f, &result, of.items[i].thing->bases);
    return result;
}

/* ---- by path --------------------------------------------------------------------------------- */

static bool gives_number(const char *name)
{
    static const char *const names[] = { "len",   "int",        "float",      "bool",   "str",
                                         "range", "print",      "ord",        "chr",    "hash",
                                         "id",    "isinstance", "issubclass", "repr",   "hex",
                                         "bin",   "oct",        "format",     "input",  "callable",
                                         "bytes", "complex",    "any",        "all",    "dir",
                                         "slice", "prange",     "object",     "example" };
    return TEXT_IS_AMONG(name, names);
}

static Set call_python(Frame *f, const char *name, const Args *args)
{
    static const char *const lists[] = { "list",   "tuple",    "set",  "frozenset", "bytearray",
                                         "sorted", "reversed", "iter", "deque" };
    static const char *const picks[] = { "next", "min", "max", "sum" };
    static const char *const computed[] = { "abs", "round", "pow", "divmod" };
    if (TEXT_IS_AMONG(name, lists))
        return call_list(f, args, name);
    if (TEXT_IS_AMONG(name, picks))
        return call_pick(f, args, strcmp(name, "sum") == 0);
    if (TEXT_IS_AMONG(name, computed))
        return held_computed(f, args->call, arguments_all(f, args), (Set){ 0 });
    if (strcmp(name, "zip") == 0 || strcmp(name, "enumerate") == 0)
        return call_zip(f, args, name[0] == 'e');
    if (strcmp(name, "map") == 0)
        return call_map(f, args);
    if (strcmp(name, "filter") == 0)
        return call_filter(f, args);
    if (strcmp(name, "dict") == 0)
        return call_dict(f, args);
    if (strcmp(name, "getattr") == 0 || strcmp(name, "hasattr") == 0)
        return call_getattr(f, args);
    if (strcmp(name, "setattr") == 0)
        return call_setattr(f, args);
    if (strcmp(name, "globals") == 0 || strcmp(name, "locals") == 0 ||
        (strcmp(name, "vars") == 0 && !args->count))
        return held_module(f);
    if (strcmp(name, "vars") == 0 || strcmp(name, "memoryview") == 0)
        return argument(args, 0, NULL);
    if (strcmp(name, "exec") == 0 || strcmp(name, "eval") == 0)
        return call_exec(f, args, name[1] == 'v');
    if (strcmp(name, "type") == 0)
        return call_type(f, args);
    return gives_number(name) ? (Set){ 0 } : known_foreign(f, (Set){ 0 }, name, args);
}

/* Arrays of the device's: they have copies of what is stored in them. */
static bool makes_array(const char *path)
{
    static const char *const names[] = {
        "array",        "array_like",    "device_array",      "to_device",    "device_array_like",
        "mapped_array", "managed_array", "mapped_array_like", "pinned_array", "pinned_array_like"
    };
    return TEXT_IS_AMONG(strrchr(path, '.') + 1, names);
}

/* cuda.jit(f) is f; what else numba makes is new. */
static Set call_numba(Frame *f, const char *path, const Args *args)
{
    static const char *const jits[] = { "cuda.jit", "numba.jit", "numba.njit" };
    if (strncmp(path, "cuda.atomic.", 12) == 0)
        change_things(f, argument(args, 0, NULL));
    if (TEXT_IS_AMONG(path, jits) && set_has(argument(args, 0, NULL), THING_FUNCTION))
        return argument(args, 0, NULL);
    return strncmp(path, "cuda.", 5) == 0
               ? held_made(f, args->call, "", makes_array(path) ? THING_ARRAY : THING_FOREIGN,
                           (Set){ 0 })
               : known_foreign(f, (Set){ 0 }, strrchr(path, '.') + 1, args);
}

/* list.append(x, y), np.ndarray.fill(x, y): a method of the first argument. */
static bool is_method_of_type(const char *path)
{
    static const char *const types[] = { "list.", "dict.", "set.", "np.ndarray." };
    for (size_t i = 0; i < ARRAY_COUNT(types); i++)
        if (strncmp(path, types[i], strlen(types[i])) == 0)
            return true;
    return false;
}

static Set call_method_of_type(Frame *f, const char *name, const Args *args)
{
    Set objects = argument(args, 0, NULL), result = { 0 };
    Args rest = *args;
    rest.items += rest.count > 0;
    rest.count -= rest.count > 0;
    bool lost = f->trace->lost;
    f->trace->lost = true;
    for (int i = 0; i < objects.count; i++)
        join(f, &result, known_method(f, objects.items[i], name, &rest));
    f->trace->lost = lost;
    return result;
}

/* Whether a call gives a module by its name, which may be the one at hand. */
static bool gives_module(const char *path, const Args *args)
{
    const char *text = text_argument(args, 0);
    return (strcmp(path, "importlib.import_module") == 0 || strcmp(path, "__import__") == 0) &&
           (!text || strcmp(text, "__main__") == 0);
}

/* A class of namedtuples cannot be changed, and a call of it makes a tuple. */
static const char tuples[] = "collections.namedtuple.call";

static Set make_namedtuple(Frame *f, const Args *args)
{
    Set made = held_made(f, args->call, "", THING_FOREIGN, (Set){ 0 });
    made.items[0].thing->path = tuples;
    return made;
}

Set known_call(Frame *f, const char *path, const Args *args)
{
    if (strcmp(path, "collections.namedtuple") == 0)
        return make_namedtuple(f, args);
    if (path == tuples)
        return held_made(f, args->call, "", THING_TUPLE, arguments_all(f, args));
    if (gives_module(path, args))
        return held_module(f);
    if (is_method_of_type(path))
        return call_method_of_type(f, strrchr(path, '.') + 1, args);
    if (strncmp(path, "np.", 3) == 0)
        return known_numpy(f, path, args);
    if (strncmp(path, "math.", 5) == 0 || strncmp(path, "cmath.", 6) == 0)
        return (Set){ 0 };
    if (strncmp(path, "cuda.", 5) == 0 || strncmp(path, "numba.", 6) == 0)
        return call_numba(f, path, args);
    return strchr(path, '.') ? known_foreign(f, (Set){ 0 }, strrchr(path, '.') + 1, args)
                             : call_python(f, path, args);
}
