/* NumPy's functions, and the methods of arrays, lists and dictionaries: what they change in
** place, and whether what they give is new, a part of what they are given, or holds it. */
#include "ir/names/change/follow.h"

static Set first_of(const Args *args)
{
    return argument(args, 0, NULL);
}

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* ---- what changes in place ------------------------------------------------------------------- */

static bool changes_first(const char *name)
{
    static const char *const names[] = {
        "copyto",    "put",         "place",          "putmask", "shuffle",      "fill_diagonal",
        "heapify",   "heappush",    "put_along_axis", "heappop", "heapreplace",  "heappushpop",
        "insort",    "insort_left", "insort_right",   "setitem", "delitem",      "setattr",
        "delattr",   "__setattr__", "iadd",           "isub",    "imul",         "itruediv",
        "ifloordiv", "imod",        "ipow",           "iand",    "ior",          "ixor",
        "ilshift",   "irshift",     "iconcat",        "imatmul", "copy_to_host", "at",
        "pack_into", "memmove",     "readinto",       "memset"
    };
    return TEXT_IS_AMONG(name, names);
}

bool known_changes_object(const char *name)
{
    static const char *const names[] = { "fill",
                                         "sort",
                                         "resize",
                                         "put",
                                         "partition",
                                         "itemset",
                                         "byteswap",
                                         "setfield",
                                         "setflags",
                                         "append",
                                         "extend",
                                         "insert",
                                         "remove",
                                         "pop",
                                         "popitem",
                                         "clear",
                                         "reverse",
                                         "update",
                                         "discard",
                                         "setdefault",
                                         "add",
                                         "appendleft",
                                         "extendleft",
                                         "popleft",
                                         "rotate",
                                         "move_to_end",
                                         "subtract",
                                         "intersection_update",
                                         "difference_update",
                                         "symmetric_difference_update",
                                         "__setitem__",
                                         "__delitem__",
                                         "__setattr__",
                                         "__iadd__",
                                         "__isub__",
                                         "__imul__",
                                         "__itruediv__",
                                         "__ifloordiv__",
                                         "__imod__",
                                         "__ipow__",
                                         "__iand__",
                                         "__ior__",
                                         "__ixor__",
                                         "__ilshift__",
                                         "__irshift__",
                                         "__imatmul__",
                                         "frombytes",
                                         "fromlist" };
    return TEXT_IS_AMONG(name, names);
}

/* Functions of numbers, which make numbers of numbers and arrays of arrays. The place of the
** argument that they write to; 0: there is none such. */
static int out_place(const char *name)
{
    static const char *const one[] = {
        "negative", "positive", "absolute", "abs",       "fabs",        "sqrt",       "square",
        "cbrt",     "exp",      "exp2",     "expm1",     "log",         "log2",       "log10",
        "log1p",    "sin",      "cos",      "tan",       "arcsin",      "arccos",     "arctan",
        "sinh",     "cosh",     "tanh",     "arcsinh",   "arccosh",     "arctanh",    "floor",
        "ceil",     "trunc",    "rint",     "sign",      "reciprocal",  "invert",     "isnan",
        "isinf",    "isfinite", "signbit",  "conjugate", "conj",        "degrees",    "radians",
        "deg2rad",  "rad2deg",  "spacing",  "fix",       "logical_not", "bitwise_not"
    };
    static const char *const two[] = {
        "add",         "subtract",    "multiply",    "divide",      "true_divide",   "floor_divide",
        "mod",         "remainder",   "fmod",        "power",       "float_power",   "maximum",
        "minimum",     "fmax",        "fmin",        "arctan2",     "hypot",         "logaddexp",
        "logaddexp2",  "bitwise_and", "bitwise_or",  "bitwise_xor", "logical_and",   "logical_or",
        "logical_xor", "left_shift",  "right_shift", "greater",     "greater_equal", "less",
        "less_equal",  "equal",       "not_equal",   "copysign",    "nextafter",     "ldexp",
        "heaviside",   "gcd",         "lcm",         "matmul",      "dot",           "round",
        "around",      "choose",      "max",         "min",         "amax",          "amin",
        "argmax",      "argmin",      "any",         "all",         "outer",         "nanmax",
        "nanmin",      "concatenate", "divmod",      "vdot",        "inner"
    };
    static const char *const three[] = { "take",   "clip",       "sum",      "prod",   "mean",
                                         "cumsum", "cumprod",    "compress", "std",    "var",
                                         "median", "accumulate", "reduce",   "nansum", "nanmean" };
    return TEXT_IS_AMONG(name, one)     ? 1
           : TEXT_IS_AMONG(name, two)   ? 2
           : TEXT_IS_AMONG(name, three) ? 3
                                        : 0;
}

bool known_changes(const char *path)
{
    const char *name = last_name(path);
    bool numpy = strncmp(path, "np.", 3) == 0;
    return numpy &&
           (strncmp(path, "np.ndarray.", 11) == 0 || changes_first(name) || out_place(name));
}

/* Those that make a number of an array, unless an axis is given. */
static bool reduces(const char *name)
{
    static const char *const names[] = { "sum",    "prod",    "mean",          "std",   "var",
                                         "max",    "min",     "amax",          "amin",  "any",
                                         "all",    "argmax",  "size",          "ndim",  "item",
                                         "argmin", "median",  "count_nonzero", "ptp",   "len",
                                         "nansum", "nanmean", "nanmax",        "nanmin" };
    return TEXT_IS_AMONG(name, names);
}

/* Those that make types, numbers and other things that cannot change of whatever they are given. */
static bool gives_fixed(const char *name)
{
    static const char *const names[] = { "dtype",         "finfo",         "iinfo",
                                         "result_type",   "promote_types", "min_scalar_type",
                                         "can_cast",      "issubdtype",    "isscalar",
                                         "common_type",   "array_equal",   "allclose",
                                         "shares_memory", "size",          "may_share_memory",
                                         "ndim",          "iterable",      "array_equiv" };
    return TEXT_IS_AMONG(name, names);
}

/* ---- ranks of arrays ------------------------------------------------------------------------- */

static int highest_rank(Set set)
{
    int rank = 1;
    for (int i = 0; i < set.count; i++) {
        if (!set.items[i].rank)
            return 0;
        rank = set.items[i].rank > rank ? set.items[i].rank : rank;
    }
    return rank;
}

/* Of an array of a shape: a number, or so many in a tuple. */
static int rank_of_shape(Set shape)
{
    const Thing *thing = shape.count == 1 ? shape.items[0].thing : NULL;
    return !shape.count ? 1 : thing && thing->kind == THING_TUPLE ? thing->count : 0;
}

/* Of an array of what is given: rows of a list, or the array that it is. */
static int rank_of_content(const Frame *f, Set content, int depth)
{
    enum { DEEPEST = 8 };
    int rank = content.count && depth < DEEPEST ? 0 : 1;
    for (int i = 0; i < content.count && depth < DEEPEST; i++) {
        const Thing *thing = content.items[i].thing;
        int own = content.items[i].rank;
        if (thing->kind == THING_LIST || thing->kind == THING_TUPLE) {
            Set items = thing_items(arena_of(f), thing);
            int below = items.count ? rank_of_content(f, items, depth + 1) : 0;
            own = items.count && !below ? 0 : below + 1;
        }
        if (!own || (rank && rank != own))
            return 0;
        rank = own;
    }
    return rank;
}

/* Whether a call says that elements are plain numbers, or says nothing of them. */
static bool has_plain_elements(const Frame *f, const Args *args, int place)
{
    const AstExpr *call = args->call;
    const AstExpr *type =
        call && call->kind == AST_CALL ? ast_call_argument(call, place, "dtype") : NULL;
    const char *path = type ? module_path_of(arena_of(f), f->module, type) : NULL;
    return !type || (path && builtin_find(arena_of(f), path, type->span).kind == OPD_TYPE);
}

static Set array_new(Frame *f, const Args *args, int rank)
{
    Set made = held_made(f, args->call, "", THING_ARRAY, (Set){ 0 });
    made.items[0].rank = rank;
    return made;
}

/* ---- what is looked at ----------------------------------------------------------------------- */

/* The same arrays, of a rank that may differ; lists are copied. */
static Set look(Frame *f, const Args *args, Set of, const char *name)
{
    static const char *const same[] = { "asarray",        "asanyarray", "ascontiguousarray",
                                        "transpose",      "real",       "imag",
                                        "asfortranarray", "swapaxes",   "moveaxis",
                                        "flip",           "flipud",     "fliplr",
                                        "memoryview" };
    Set result = { 0 }, copied = { 0 };
    bool keeps = TEXT_IS_AMONG(name, same), flat = strcmp(name, "ravel") == 0;
    for (int i = 0; i < of.count; i++) {
        Ref ref = of.items[i];
        if (ref.thing->kind == THING_LIST || ref.thing->kind == THING_TUPLE)
            set_add(arena_of(f), &copied, ref);
        else if (ref.thing->kind == THING_OBJECT) /* by __array_interface__ */
            join(f, &result,
                 held_made(f, args->call, "of", THING_FOREIGN, set_of(arena_of(f), ref.thing, 0)));
        else
            set_add(arena_of(f), &result, (Ref){ ref.thing, keeps ? ref.rank : flat });
    }
    if (copied.count || !of.count)
        join(f, &result, array_new(f, args, keeps ? rank_of_content(f, copied, 0) : 0));
    return result;
}

/* Those that give several such. */
static bool gives_several(const char *name)
{
    static const char *const names[] = { "split",      "array_split",      "hsplit",
                                         "vsplit",     "dsplit",           "unstack",
                                         "meshgrid",   "broadcast_arrays", "atleast_1d",
                                         "atleast_2d", "atleast_3d" };
    return TEXT_IS_AMONG(name, names);
}

static Set look_at(Frame *f, const Args *args, Set object, const char *name)
{
    Set of = { 0 };
    join(f, &of, object.count ? object : arguments_all(f, args));
    if (!gives_several(name))
        return look(f, args, object.count ? object : of, name);
    Set parts = look(f, args, of, name), result = { 0 };
    join(f, &result, parts);
    join(f, &result, held_made(f, args->call, "parts", THING_LIST, parts));
    return result;
}

/* ---- functions that are given ---------------------------------------------------------------- */

static bool is_function(const Thing *thing)
{
    return thing->kind == THING_FUNCTION ||
           (thing->kind == THING_FOREIGN && thing->path && known_changes(thing->path)) ||
           (thing->kind == THING_OBJECT && class_slot(thing, "__call__"));
}

/* What calls functions and objects that it is given calls them with what else it is given. */
Set known_given(Frame *f, const Args *args, Set with)
{
    Set result = { 0 }, given = set_reach(arena_of(f), arguments_all(f, args));
    join(f, &given, set_reach(arena_of(f), with));
    for (int i = 0; i < given.count; i++)
        given.items[i].rank = 0;
    Args any = arguments_for_any(given);
    any.call = args->call;
    for (int i = 0; i < given.count; i++)
        if (is_function(given.items[i].thing))
            join(f, &result, call_set(f, (Set){ &given.items[i], 1, 1 }, &any));
    join(f, &result, call_method(f, args->call, given, "__enter__", given)); /* of an ExitStack */
    join(f, &result, call_method(f, args->call, given, "__exit__", given));
    return result;
}

/* Copies of things, which hold what these do; `deep`: copies of that, too. */
static Set known_copy(Frame *f, const Args *args, Set of, bool deep)
{
    Set result = { 0 };
    for (int i = 0; i < of.count; i++) {
        const Thing *thing = of.items[i].thing;
        Set items = deep ? set_reach(arena_of(f), of) : thing_items(arena_of(f), thing), made;
        if (deep) /* new ones, all of them */
            items.count = 0;
        ThingKind kind = thing->kind == THING_OBJECT ? THING_FOREIGN : thing->kind;
        if (kind == THING_FUNCTION || kind == THING_SPACE) {
            set_add(arena_of(f), &result, of.items[i]);
            continue;
        }
        made = held_made(f, args->call, arena_printf(arena_of(f), "copy%d", kind), kind, items);
        made.items[0].rank = of.items[i].rank;
        for (size_t k = 0; !deep && thing->kind == THING_OBJECT && k < thing->names->slots.capacity;
             k++)
            if (thing->names->slots.slots[k].name)
                held_hold(f, made.items[0].thing,
                          ((Slot *)thing->names->slots.slots[k].value)->set);
        if (kind == THING_DICT &&
            thing_hold(arena_of(f), made.items[0].thing, &made.items[0].thing->keys, thing->keys))
            f->trace->grown++;
        join(f, &result, made);
    }
    return result;
}

/* Python's own that take functions and call none of them; what partial() gives may, when it is
** called. */
static bool calls_nothing(const char *name)
{
    static const char *const names[] = { "signature",  "getsource",      "getfullargspec",
                                         "isfunction", "update_wrapper", "wraps",
                                         "partial",    "partialmethod",  "lru_cache",
                                         "cache",      "singledispatch", "iscoroutinefunction" };
    return TEXT_IS_AMONG(name, names);
}

Set known_foreign(Frame *f, Set object, const char *name, const Args *args)
{
    Set all = arguments_all(f, args), held = { 0 };
    if (changes_first(name) || (!object.count && known_changes_object(name)))
        change_things(f, strcmp(name, "pack_into") == 0 ? all : first_of(args));
    for (int i = 0; changes_first(name) && i < first_of(args).count; i++)
        if (first_of(args).items[i].thing->kind != THING_ARRAY) /* object.__setattr__(x, "a", y) */
            held_hold(f, first_of(args).items[i].thing, all);
    if (object.count && known_changes_object(name))
        change_things(f, object);
    if (strcmp(name, "copy") == 0 || strcmp(name, "deepcopy") == 0)
        return known_copy(f, args, all.count ? all : object, strcmp(name, "deepcopy") == 0);
    for (int i = 0; i < object.count; i++) {
        Ref ref = object.items[i];
        if (ref.thing->kind == THING_SPACE && !ref.thing->class_ && known_changes_object(name))
            change_names(f, ref.thing->names, NULL); /* globals().update(x) */
        if (ref.thing->kind != THING_FOREIGN && ref.thing->kind != THING_OBJECT)
            continue;
        held_hold(f, ref.thing, all);
        for (int k = 0; k < ref.thing->self.count; k++) /* super().append(x) */
            held_hold(f, ref.thing->self.items[k].thing, all);
        if (ref.thing->kind == THING_OBJECT)
            call_open(f, ref, all);
    }
    join(f, &held, all);
    join(f, &held, object);
    if (!calls_nothing(name))
        join(f, &held, known_given(f, args, (Set){ 0 }));
    for (int i = 0; i < object.count; i++)
        join(f, &held, thing_items(arena_of(f), object.items[i].thing));
    return held_made(f, args->call, "foreign", THING_FOREIGN, held);
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

/* np.zeros(shape) and the like: the rank of what they make; -1: they are none such. */
static int rank_made(const Frame *f, const char *name, const Args *args)
{
    static const char *const shaped[] = { "zeros", "ones", "empty", "full" };
    static const char *const flat[] = { "arange",   "linspace", "logspace",   "geomspace",
                                        "hamming",  "hanning",  "bartlett",   "blackman",
                                        "fromiter", "kaiser",   "flatnonzero" };
    static const char *const like[] = { "zeros_like", "ones_like", "empty_like", "full_like",
                                        "copy",       "cumsum",    "sort",       "where" };
    static const char *const square[] = { "eye", "identity", "tri", "vander" };
    if (TEXT_IS_AMONG(name, shaped))
        return has_plain_elements(f, args, name[0] == 'f' ? 2 : 1)
                   ? rank_of_shape(argument(args, 0, "shape"))
                   : 0;
    if (strcmp(name, "array") == 0)
        return has_plain_elements(f, args, 1) ? rank_of_content(f, first_of(args), 0) : 0;
    if (TEXT_IS_AMONG(name, flat))
        return has_plain_elements(f, args, 9);
    if (TEXT_IS_AMONG(name, square))
        return 2;
    bool ranked = TEXT_IS_AMONG(name, like) && !set_has(first_of(args), THING_FOREIGN);
    return ranked ? highest_rank(first_of(args)) : -1;
}

static bool says_axis(const Args *args)
{
    const AstExpr *call = args->call;
    return call && call->kind == AST_CALL &&
           (call->call.args.count > 1 || call->call.keyword_count > 0 || args->spread.count);
}

/* An array of what objects give: of these, if it says dtype=object. */
static Set array_of_objects(Frame *f, const Args *args, Set of)
{
    Set held = { 0 };
    join(f, &held, held_items(f, args->call, of));
    return held_made(f, args->call, "objects", THING_FOREIGN, set_reach(arena_of(f), held));
}

static bool says_object(const Args *args)
{
    const AstExpr *call = args->call;
    const AstExpr *type =
        call && call->kind == AST_CALL ? ast_call_argument(call, 1, "dtype") : NULL;
    return type && (ast_ends_in(type, "object") || ast_ends_in(type, "object_") ||
                    (type->kind == AST_STRING && strcmp(type->string.text, "O") == 0));
}

Set known_numpy(Frame *f, const char *path, const Args *args)
{
    const char *name = last_name(path);
    int out = out_place(name), rank = rank_made(f, name, args);
    Set all = arguments_all(f, args), result = { 0 };
    if (changes_first(name))
        change_things(f, first_of(args));
    for (int i = out; out && i < args->count; i++)
        change_unseen(f, args->items[i]);
    if (out)
        change_unseen(f, args->spread); /* np.add(*arguments) */
    if (strcmp(name, "nan_to_num") == 0 && says_axis(args))
        change_unseen(f, first_of(args));
    if (strcmp(name, "array") == 0 && says_object(args))
        return array_of_objects(f, args, first_of(args));
    if (strcmp(name, "array") == 0 && args->keywords && ast_call_argument(args->call, 2, "copy"))
        join(f, &result, look(f, args, first_of(args), "asarray"));
    if (builtin_looks_at(name))
        return look_at(f, args, (Set){ 0 }, name);
    if (!out && rank < 0 && !reduces(name) && !gives_fixed(name)) /* these call no functions */
        join(f, &result, known_given(f, args, (Set){ 0 }));
    if (gives_fixed(name) || (reduces(name) && !says_axis(args)))
        return result;
    if (builtin_find(arena_of(f), path, args->call->span).kind == OPD_TYPE || (out && out < 3))
        join(f, &result, held_computed(f, args->call, all, (Set){ 0 }));
    else
        join(f, &result, array_new(f, args, rank < 0 ? 0 : rank));
    if (out && out < args->count)
        join(f, &result, args->items[out]);
    join(f, &result, argument(args, -1, "out"));
    return result;
}

/* ---- methods --------------------------------------------------------------------------------- */

static Set array_method(Frame *f, Ref object, const char *name, const Args *args)
{
    static const char *const like[] = { "copy", "astype", "conj", "round", "clip", "repeat" };
    Set self = set_of(arena_of(f), object.thing, object.rank), result = { 0 };
    int out = out_place(name) - 1;
    if (known_changes_object(name))
        change_things(f, self);
    if (changes_first(name)) /* np.random.RandomState(3).shuffle(x) */
        change_things(f, first_of(args));
    if (out > 0 && out < args->count)
        change_unseen(f, args->items[out]);
    if (builtin_looks_at(name))
        return look_at(f, args, self, name);
    if (reduces(name) && !args->count && !says_axis(args))
        return result;
    if (strcmp(name, "astype") == 0 && args->keywords && ast_call_argument(args->call, 4, "copy"))
        join(f, &result, self);
    if (strcmp(name, "tolist") != 0) {
        bool flat = strcmp(name, "flatten") == 0;
        join(f, &result,
             array_new(f, args,
                       flat                        ? 1
                       : TEXT_IS_AMONG(name, like) ? object.rank
                                                   : 0));
        return result;
    }
    Set list = held_made(f, args->call, "", THING_LIST, result);
    if (object.rank != 1) /* lists in a list */
        held_hold(f, list.items[0].thing, list);
    return list;
}

Set known_tuple(Frame *f, const Args *args, const Set *sets, int count)
{
    Thing *thing = thing_made(f, args->call, "tuple", THING_TUPLE);
    if (!thing->at)
        thing->at = arena_array(arena_of(f), Set, count + 1);
    thing->count = count;
    for (int i = 0; i < count; i++)
        if (thing_hold(arena_of(f), thing, &thing->at[i], sets[i]))
            f->trace->grown++;
    return set_of(arena_of(f), thing, 0);
}

static void hold_arguments(Frame *f, Thing *thing, const Args *args)
{
    Set all = arguments_all(f, args);
    thing->twice |= set_meets(thing->items, all);
    held_hold(f, thing, all);
    held_hold(f, thing, held_items(f, args->call, all)); /* extend, update */
}

static Set container_method(Frame *f, Ref object, const char *name, const Args *args)
{
    static const char *const numbers[] = { "index", "count", "isdisjoint", "issubset" };
    static const char *const sends[] = { "send", "throw", "asend", "athrow" };
    static const char *const moves[] = { "append", "appendleft", "insert", "pop",     "popleft",
                                         "clear",  "get",        "keys",   "values",  "items",
                                         "copy",   "setdefault", "remove", "reverse", "popitem" };
    Thing *thing = object.thing;
    Set self = set_of(arena_of(f), thing, 0), items = thing_items(arena_of(f), thing);
    if (known_changes_object(name)) {
        change_things(f, self);
        hold_arguments(f, thing, args);
        items = thing_items(arena_of(f), thing);
    }
    if (TEXT_IS_AMONG(name, numbers))
        return (Set){ 0 };
    if (TEXT_IS_AMONG(name, sends)) /* what the generator does with it is not followed */
        change_unseen(f, set_reach(arena_of(f), arguments_all(f, args)));
    if (!TEXT_IS_AMONG(name, moves))
        known_given(f, args, items); /* sort(key=f) */
    if (strcmp(name, "copy") == 0)
        return known_copy(f, args, self, false);
    if (strcmp(name, "keys") == 0)
        return held_made(f, args->call, "", THING_LIST, thing->keys);
    if (strcmp(name, "values") == 0)
        return held_made(f, args->call, "", THING_LIST, items);
    if (strcmp(name, "items") != 0 && strcmp(name, "popitem") != 0) {
        Set result = { 0 };
        join(f, &result, items);
        join(f, &result, arguments_all(f, args));
        join(f, &result, held_made(f, args->call, "", THING_LIST, items));
        return result;
    }
    Set sets[] = { thing->keys, items };
    Set pair = known_tuple(f, args, sets, 2);
    return name[0] == 'i' ? held_made(f, args->call, "", THING_LIST, pair) : pair;
}

Set known_method(Frame *f, Ref object, const char *name, const Args *args)
{
    return object.thing->kind == THING_ARRAY ? array_method(f, object, name, args)
                                             : container_method(f, object, name, args);
}
