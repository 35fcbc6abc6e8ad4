/* Calls: functions of the program are followed with what their parameters are given, each call by
** itself; where these come to be many, all calls of a function as one. A call that is followed
** again is passed over if nothing has changed since. A statement whose calls are still too many, or
** are given too much, may change all that names hold.
**
** Under `if __name__ == "__main__"` calls are not followed: there programs launch what is compiled
** here. */
#include "ir/names/change/follow.h"

/* Calls of a statement that are followed by themselves; rounds over a recursive function. */
enum { CALLS_APART = 2000, ROUNDS_MAX = 20 };

/* ---- arguments ------------------------------------------------------------------------------- */

static Args args_of(Frame *f, const AstExpr *call)
{
    Args args = { .call = call, .count = call->call.args.count };
    args.items = arena_array(arena_of(f), Set, args.count + 1);
    args.keywords = arena_array(arena_of(f), Set, call->call.keyword_count + 1);
    int places = args.count;
    for (int i = 0; i < args.count; i++) {
        const AstExpr *arg = call->call.args.items[i];
        bool star = arg->kind == AST_STARRED;
        Set value = follow_value(f, star ? arg->starred.value : arg);
        if (star && i < places)
            places = i;
        join(f, i >= places ? &args.spread : &args.items[i],
             star ? held_items(f, arg, value) : value);
    }
    args.count = places;
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        args.keywords[i] = follow_value(f, keyword->value);
        for (int k = 0; !keyword->name && k < args.keywords[i].count; k++)
            join(f, &args.spread, thing_items(arena_of(f), args.keywords[i].items[k].thing));
    }
    return args;
}

Args arguments_for_any(Set set)
{
    return (Args){ .spread = set };
}

static int keyword_count(const Args *args)
{
    return args->keywords ? args->call->call.keyword_count : 0;
}

Set arguments_all(Frame *f, const Args *args)
{
    Set all = { 0 };
    join(f, &all, args->spread);
    for (int i = 0; i < args->count; i++)
        join(f, &all, args->items[i]);
    for (int i = 0; i < keyword_count(args); i++)
        join(f, &all, args->keywords[i]);
    return all;
}

Set argument(const Args *args, int place, const char *name)
{
    if (place >= 0 && place < args->count)
        return args->items[place];
    int at = name && args->keywords ? ast_find_keyword(args->call, name) : -1;
    return at < 0 ? args->spread : args->keywords[at];
}

static bool has_parameter(const AstFunction *function, const char *name)
{
    for (int i = 0; i < function->params.count; i++)
        if (!function->params.items[i].star && !function->params.items[i].double_star &&
            strcmp(function->params.items[i].name, name) == 0)
            return true;
    return false;
}

/* What *args or **kwargs is given: all that no other parameter is. */
static Set rest_given(Frame *called, const Args *args, const AstParam *param, int place)
{
    Set rest = { 0 };
    Arena *arena = arena_of(called);
    set_join(arena, &rest, args->spread);
    for (int i = place; param->star && i < args->count; i++)
        set_join(arena, &rest, args->items[i]);
    for (int i = 0; param->double_star && i < keyword_count(args); i++) {
        const char *name = args->call->call.keywords[i].name;
        if (name && !has_parameter(called->function, name))
            set_join(arena, &rest, args->keywords[i]);
    }
    return held_made(called, param, "", param->star ? THING_TUPLE : THING_DICT, rest);
}

static bool is_given(const Args *args, int place, const AstParam *param)
{
    return (place < args->count && !param->keyword_only) ||
           (args->keywords && ast_find_keyword(args->call, param->name) >= 0);
}

static Set given(Frame *called, const Args *args, int i)
{
    const AstParam *param = &called->function->params.items[i];
    const Thing *thing = called->called;
    int place = i - (thing->self.count > 0);
    Set result = { 0 };
    if (place < 0)
        return thing->self;
    if (param->star || param->double_star)
        return rest_given(called, args, param, place);
    join(called, &result, argument(args, param->keyword_only ? -1 : place, param->name));
    if (!is_given(args, place, param) && thing->defaults)
        join(called, &result, thing->defaults[i]);
    return result;
}

/* The same arguments behind another. */
static Args args_behind(Frame *f, Set first, const Args *args)
{
    Args result = *args;
    result.items = arena_array(arena_of(f), Set, args->count + 1);
    result.items[0] = first;
    for (int i = 0; i < args->count; i++)
        result.items[i + 1] = args->items[i];
    result.count = args->count + 1;
    return result;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const Module *module_around(const HeapNames *names)
{
    while (names->outer && !names->module)
        names = names->outer;
    return names->module;
}

static Frame *frame_new(const Frame *f, const Thing *thing)
{
    Arena *arena = arena_of(f);
    Frame *called = arena_new(arena, Frame);
    *called = (Frame){ .trace = f->trace,
                       .names = names_new(arena, thing->around),
                       .module = module_around(thing->around),
                       .function = thing->function,
                       .given = arena_array(arena, Set, thing->function->params.count + 1),
                       .implicit.kind = AST_NONE,
                       .settled = -1 };
    table_init(&called->things, arena);
    table_init(&called->frames, arena);
    table_init(&called->globals, arena);
    return called;
}

/* The frame of a call, or of all calls of the function. */
static Frame *frame_of(Frame *f, const Thing *thing, const Args *args)
{
    bool shared = f->trace->calls >= CALLS_APART;
    const void *call = shared ? (const void *)thing->function : args->call;
    const void *called_thing = shared ? (const void *)thing->around : thing;
    Table *frames = shared ? &f->trace->shared : &f->frames;
    const char *key = arena_printf(arena_of(f), "%p.%p", call, called_thing);
    Frame *called = table_get(frames, key);
    if (!called) {
        called = frame_new(f, thing);
        called->weak = called->shared = shared;
        table_put(frames, key, called);
    }
    called->outer = f;
    called->called = thing;
    return called;
}

/* Whether the parameters are given what they were; of a frame of all calls, what they had. */
static bool bind_parameters(Frame *called, const Args *args, bool weak)
{
    bool all_same = true;
    for (int i = 0; i < called->function->params.count; i++) {
        const AstParam *param = &called->function->params.items[i];
        Slot *slot = names_slot(arena_of(called), called->names, param->name);
        Set before = slot->set, set = given(called, args, i);
        if (slot_put(arena_of(called), slot, set, weak, NULL) && weak)
            called->trace->grown++;
        bool same = weak ? set_equals(before, slot->set) : set_equals(called->given[i], set);
        if (!same && slot->names->thing)
            called->trace->rebound++;
        called->given[i] = set;
        all_same &= same;
    }
    return all_same;
}

static Set result_of(Frame *called, const Args *args)
{
    Set result = { 0 };
    join(called, &result, called->result);
    if (called->is_generator)
        join(called, &result,
             held_made(called->outer, args->call, "yields", THING_LIST, called->yields));
    return result;
}

/* What a call that is not followed does, and gives. */
static Set unfollowed(Frame *f, const Args *args)
{
    Set reach = set_reach(arena_of(f), arguments_all(f, args));
    change_things(f, reach);
    return held_made(f, args->call, "lost", THING_FOREIGN, reach);
}

/* While this is the same, a call that found nothing new would find nothing if it were followed
** again. */
static int version(const Trace *trace)
{
    return 4 * (trace->grown + trace->rebound) + 2 * trace->quiet + trace->lost;
}

/* A function calls another that is being followed: those between are settled only together. */
static void mark_recursion(Frame *from, const Frame *to)
{
    for (Frame *at = from; at && at != to; at = at->outer) {
        at->recurses = true;
        at->again |= at->active;
    }
}

static void follow_call(Frame *called)
{
    const Trace *trace = called->trace;
    const int begin = version(trace);
    called->active = true;
    for (int pass = 0, before = -1; pass < ROUNDS_MAX && before != trace->grown; pass++) {
        before = trace->grown;
        called->again = false;
        follow_body(called, &called->function->body);
        if (!called->again)
            break;
    }
    called->active = false;
    called->settled = version(trace) == begin ? begin : -1;
}

/* What following a statement takes: memory, sets of what is given grow with each function that may
** call all the others; and time, where methods call each other in ever new ways, which counts as
** memory. */
size_t trace_taken(const Trace *trace)
{
    enum { CALL_BYTES = 32 << 10, LOOK_BYTES = 4 };
    return trace->r->arena->total - trace->begin + (size_t)trace->calls * CALL_BYTES +
           trace->looked * LOOK_BYTES;
}

/* Whether following the file's statements has taken too much. */
static bool is_over(Trace *trace)
{
    enum { BYTES_MAX = 256 << 20 };
    trace->over |= scope_file(trace->r->module)->followed + trace_taken(trace) > BYTES_MAX;
    return trace->over;
}

static Set call_function(Frame *f, const Thing *thing, const Args *args)
{
    for (Frame *at = f; at; at = at->outer)
        if (at->active && at->function == thing->function) {
            mark_recursion(f, at->outer);
            bind_parameters(at, args, true);
            return result_of(at, args);
        }
    Frame *called = frame_of(f, thing, args);
    bool same = bind_parameters(called, args, called->shared);
    if (!same || called->settled != version(f->trace)) {
        f->trace->calls++;
        follow_call(called);
    } else if (called->recurses) {
        mark_recursion(f, NULL);
    }
    Set result = { 0 };
    join(f, &result, result_of(called, args));
    const bool lost = f->trace->lost;
    f->trace->lost = true; /* running the statement does not call them */
    join(f, &result, call_set(f, thing->registered, args));
    f->trace->lost = lost;
    return result;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Fields of a class without a constructor of its own, as a dataclass's is. */
static void bind_fields(Frame *f, Thing *object, const AstClass *class, const Args *args)
{
    int place = 0;
    for (int i = 0; class && i < class->body.count; i++) {
        const AstStmt *stmt = class->body.items[i];
        if (stmt->kind != AST_ANN_ASSIGN || stmt->ann_assign.target->kind != AST_NAME)
            continue;
        const char *name = stmt->ann_assign.target->name.name;
        Set value = argument(args, place++, name);
        if (value.count)
            slot_put(arena_of(f), names_slot(arena_of(f), object->names, name), value, true, NULL);
    }
    held_hold(f, object, arguments_all(f, args));
    if (implicit_is_open(arena_of(f), (Ref){ object, 0 })) /* class K(list) */
        held_hold(f, object, held_items(f, args->call, arguments_all(f, args)));
}

static Thing *object_made(Frame *f, Thing *class, const Args *args)
{
    const char *part = arena_printf(arena_of(f), "object%p", (void *)class);
    Thing *object = thing_made(f, args->call, part, THING_OBJECT);
    if (!object->names) {
        object->names = names_new(arena_of(f), NULL);
        object->names->thing = object;
        thing_hold(arena_of(f), object, &object->bases, set_of(arena_of(f), class, 0));
    }
    return object;
}

static Set call_thing(Frame *f, Thing *thing, const Args *args);

/* A bound function of an object, called. */
static Set call_bound(Frame *f, Thing *object, const char *name, const Args *args)
{
    Set self = set_of(arena_of(f), object, 0);
    Set method = held_attribute(f, args->call, self, name), result = { 0 };
    const bool inside = f->trace->inside;
    for (int i = 0; i < method.count; i++) {
        Thing *thing = method.items[i].thing;
        /* A class may come to be an object's __init__, even its own: one is followed at once. */
        const bool odd = thing->kind != THING_FUNCTION;
        f->trace->inside |= odd;
        join(f, &result, inside && odd ? unfollowed(f, args) : call_thing(f, thing, args));
        f->trace->inside = inside;
    }
    return result;
}

static Set make_object(Frame *f, Thing *class, const Args *args)
{
    static const char *const makers[] = { "__new__", "__init__", "__post_init__" };
    Thing *object = object_made(f, class, args);
    Set result = set_of(arena_of(f), object, 0);
    if (!class_slot(class, "__init__"))
        bind_fields(f, object, class->class_, args);
    for (size_t i = 0; i < ARRAY_COUNT(makers); i++)
        if (class_slot(class, makers[i]))
            join(f, &result, call_bound(f, object, makers[i], args));
    return result;
}

Set call_method(Frame *f, const AstExpr *site, Set objects, const char *name, Set argument)
{
    Set result = { 0 };
    for (int i = 0; i < objects.count; i++) {
        Thing *thing = objects.items[i].thing;
        if (thing->kind != THING_OBJECT || !class_slot(thing, name))
            continue;
        Args args = { .items = &argument, .count = 1, .call = site };
        join(f, &result, call_bound(f, thing, name, &args));
    }
    return result;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What is built in, or a method of an array. */
static Set call_path(Frame *f, Thing *thing, const Args *args)
{
    Set result = { 0 };
    if (thing->running) /* it is given itself */
        return result;
    thing->running = true;
    Args behind = thing->self.count ? args_behind(f, thing->self, args) : *args;
    join(f, &result, known_call(f, thing->path, &behind));
    thing->running = false;
    return result;
}

/* What is unknown may call functions that it was given; what has not even a name may change what it
** is given: operator.methodcaller("fill", 7)(x). */
static Set call_foreign(Frame *f, Thing *thing, const Args *args)
{
    if (thing->path)
        return call_path(f, thing, args);
    Set all = set_reach(arena_of(f), arguments_all(f, args)), result = { 0 };
    Set held = set_reach(arena_of(f), thing_items(arena_of(f), thing));
    join(f, &all, held);
    Args any = arguments_for_any(all);
    any.call = args->call;
    for (int i = 0; i < held.count; i++) {
        Thing *inner = held.items[i].thing;
        if (inner->kind == THING_FUNCTION || (inner->kind == THING_SPACE && inner->class_) ||
            (inner->kind == THING_FOREIGN && inner->path))
            join(f, &result, call_set(f, (Set){ &held.items[i], 1, 1 }, &any));
    }
    Set self = set_of(arena_of(f), thing, 0);
    change_unseen(f, set_reach(arena_of(f), arguments_all(f, args)));
    join(f, &result, known_foreign(f, self, "", args));
    return result;
}

static Set call_thing(Frame *f, Thing *thing, const Args *args)
{
    if (is_over(f->trace))
        return (Set){ 0 };
    Set self = set_of(arena_of(f), thing, 0);
    switch (thing->kind) {
    case THING_FUNCTION:
        return call_function(f, thing, args);
    case THING_SPACE:
        return make_object(f, thing, args);
    case THING_OBJECT:
        return class_slot(thing, "__call__") ? call_bound(f, thing, "__call__", args)
                                             : known_foreign(f, self, "", args);
    case THING_FOREIGN:
        return call_foreign(f, thing, args);
    default: /* a method that was taken from an array or list */
        change_things(f, self);
        if (thing->kind != THING_ARRAY)
            held_hold(f, thing, arguments_all(f, args));
        return held_items(f, args->call, self);
    }
}

Set call_set(Frame *f, Set callee, const Args *args)
{
    Set result = { 0 };
    for (int i = 0; i < callee.count; i++)
        join(f, &result, call_thing(f, callee.items[i].thing, args));
    return result;
}

/* E.X.m(...) of an enumeration, whose members are not followed. */
static void call_members(Frame *f, const AstExpr *member, const Args *args)
{
    Set owners = follow_value(f, member->attribute.object);
    for (int i = 0; i < owners.count; i++)
        if (owners.items[i].thing->kind == THING_SPACE)
            call_open(f, owners.items[i], arguments_all(f, args));
}

/* x.m(...) */
static Set call_attribute(Frame *f, const AstExpr *callee, const Args *args)
{
    static const char *const lists[] = { "split",     "rsplit",     "splitlines",
                                         "partition", "rpartition", "encode" };
    const char *name = callee->attribute.name;
    Set objects = follow_value(f, callee->attribute.object), result = { 0 };
    for (int i = 0; i < objects.count; i++) {
        Ref ref = objects.items[i];
        Set self = { &objects.items[i], 1, 1 }, method = { 0 };
        bool array = ref.thing->kind == THING_ARRAY;
        bool list = ref.thing->kind == THING_LIST || ref.thing->kind == THING_DICT ||
                    ref.thing->kind == THING_TUPLE;
        if (!array && !list && (ref.thing->kind != THING_FOREIGN || ref.thing->path))
            method = held_attribute(f, callee, self, name);
        join(f, &result,
             array || list      ? known_method(f, ref, name, args)
             : method.count > 0 ? call_set(f, method, args)
                                : known_foreign(f, self, name, args));
    }
    if (!objects.count && callee->attribute.object->kind == AST_ATTRIBUTE)
        call_members(f, callee->attribute.object, args);
    if (!objects.count && TEXT_IS_AMONG(name, lists))
        return held_made(f, args->call, "", THING_LIST, (Set){ 0 });
    return objects.count ? result : known_foreign(f, objects, name, args);
}

const char *builtin_path_of(const Frame *f, const AstExpr *callee)
{
    const AstExpr *root = callee;
    bool found;
    while (root->kind == AST_ATTRIBUTE)
        root = root->attribute.object;
    if (root->kind != AST_NAME)
        return NULL;
    held_of_name(f, root->name.name, &found);
    return found ? NULL : module_path_of(arena_of(f), f->module, callee);
}

/* super(): the object as its class's bases see it. */
static Set call_super(Frame *f, const AstExpr *expr)
{
    Frame *at = f;
    while (at && !(at->called && at->called->self.count))
        at = at->outer;
    if (!at || !at->called->around->thing)
        return (Set){ 0 };
    Thing *thing = thing_made(f, expr, "super", THING_OBJECT);
    Thing *object = at->called->self.items[0].thing;
    thing->self = at->called->self;
    thing->bases = at->called->around->thing->bases;
    thing->names = object->names;
    held_hold(f, thing, thing->self);
    return set_of(arena_of(f), thing, 0);
}

/* f(..., out=x); @example has arguments of the kernel. */
static void change_out(Frame *f, const char *path, const Args *args)
{
    bool example = path && strcmp(path, "example") == 0;
    for (int i = 0; i < keyword_count(args) && !example; i++) {
        const char *name = args->call->call.keywords[i].name;
        if (!name || strcmp(name, "out") != 0)
            continue;
        change_things(f, args->keywords[i]);
        if (set_has(args->keywords[i], THING_TUPLE))
            change_things(f, held_items(f, args->call, args->keywords[i]));
    }
}

static Set call_followed(Frame *f, const AstExpr *callee, const char *path, const Args *args)
{
    if (path && strcmp(path, "super") == 0)
        return call_super(f, args->call);
    if (path)
        return known_call(f, path, args);
    if (callee->kind == AST_ATTRIBUTE)
        return call_attribute(f, callee, args);
    if (callee->kind == AST_CALL && module_is_jit(f->module, callee->call.function) &&
        set_has(argument(args, 0, NULL), THING_FUNCTION))
        return argument(args, 0, NULL); /* cuda.jit(...)(f) */
    Set called = follow_value(f, callee);
    if (called.count)
        return call_set(f, called, args);
    if (callee->kind != AST_NAME) /* getattr(np, "copyto")(x, y) */
        change_unseen(f, set_reach(arena_of(f), arguments_all(f, args)));
    return known_foreign(f, called, callee->kind == AST_NAME ? callee->name.name : "", args);
}

Set call_expr(Frame *f, const AstExpr *expr)
{
    const AstExpr *callee = expr->call.function;
    const char *path = builtin_path_of(f, callee);
    Args args = args_of(f, expr);
    if (!f->trace->r->in_main) {
        Set value = call_followed(f, callee, path, &args);
        change_out(f, path, &args);
        return value;
    }
    Set result = { 0 };
    f->trace->quiet = true;
    join(f, &result,
         path ? known_call(f, path, &args) : held_made(f, expr, "", THING_FOREIGN, (Set){ 0 }));
    f->trace->quiet = false;
    return result;
}
