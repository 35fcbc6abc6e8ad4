/* What Python calls though no call names it: special methods of objects and classes, descriptors,
** methods of metaclasses.
**
** Which of them an expression comes to call is not looked for; Python has too many ways. A
** statement may call each that an object or a class in it has, with whatever else is in it, and
** its expressions may be what they give. Those alone are followed where they are called that change
** objects in the course of things: `__init__`, `__setitem__`, `__iadd__`. */
#include "ir/names/change/follow.h"

enum { CLASSES_MAX = 64 }; /* of an object, its bases and metaclasses */

/* Whether a method is followed where it is called, wherever that is. */
static bool is_followed(const char *name)
{
    static const char *const names[] = {
        "__new__",     "__init__",    "__post_init__", "__call__",    "__enter__",     "__exit__",
        "__setattr__", "__delattr__", "__setitem__",   "__delitem__", "__iadd__",      "__isub__",
        "__imul__",    "__imatmul__", "__itruediv__",  "__imod__",    "__ifloordiv__", "__ipow__",
        "__ilshift__", "__irshift__", "__iand__",      "__ior__",     "__ixor__"
    };
    return TEXT_IS_AMONG(name, names);
}

/* __len__, and an enumeration's _missing_ */
static bool is_special(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && name[0] == '_' && name[length - 1] == '_';
}

/* Whether Python calls it with the class, not with an object. */
static bool is_of_class(const char *name, const AstFunction *function)
{
    return strcmp(name, "__init_subclass__") == 0 || strcmp(name, "__class_getitem__") == 0 ||
           name[1] != '_' || ast_is_decorated(function, "classmethod");
}

/* ---- classes --------------------------------------------------------------------------------- */

static void add_classes(Arena *arena, Set *classes, Set more)
{
    for (int i = 0; i < more.count && classes->count < CLASSES_MAX; i++) {
        const int count = classes->count;
        const Thing *thing = more.items[i].thing;
        if (thing->kind != THING_SPACE)
            continue;
        set_add(arena, classes, more.items[i]);
        if (classes->count > count)
            add_classes(arena, classes, thing->bases);
    }
}

/* The classes of an object, or a class and its bases. */
static Set classes_of(Arena *arena, const Ref *ref)
{
    Set classes = { 0 };
    if (ref->thing->kind == THING_OBJECT)
        add_classes(arena, &classes, ref->thing->bases);
    else if (ref->thing->kind == THING_SPACE && ref->thing->class_)
        add_classes(arena, &classes, (Set){ (Ref *)(uintptr_t)ref, 1, 1 });
    return classes;
}

bool implicit_is_open(Arena *arena, Ref ref)
{
    Set classes = classes_of(arena, &ref);
    bool open = false;
    for (int i = 0; i < classes.count; i++)
        open |= classes.items[i].thing->open;
    return open;
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct Implicit {
    Frame *f;
    Set reach; /* what the statement holds */
    Set args;
    Ref self;
    enum { CALL_SPECIAL, CALL_MAKERS, CALL_ALL } which;
} Implicit;

static bool is_called(const Implicit *it, const Slot *slot, const AstFunction *function)
{
    bool any = it->self.thing->kind == THING_OBJECT || it->self.thing->open;
    bool special = is_special(slot->name) && (it->which == CALL_MAKERS || !is_followed(slot->name));
    return it->which == CALL_ALL || (special && (any || is_of_class(slot->name, function)));
}

static void call_slot(Implicit *it, const Slot *slot)
{
    Frame *f = it->f;
    const Args args = { .spread = it->args, .call = &f->implicit };
    for (int i = 0; i < slot->set.count; i++) {
        Ref ref = slot->set.items[i];
        const ThingKind kind = ref.thing->kind;
        if (kind == THING_OBJECT || kind == THING_FOREIGN) /* a descriptor */
            set_add(arena_of(f), &it->reach, ref);
        if (kind != THING_FUNCTION || !is_called(it, slot, ref.thing->function))
            continue;
        Set result = call_set(f, held_bound(f, &f->implicit, ref.thing, it->self), &args);
        if (thing_hold(arena_of(f), it->self.thing, &it->self.thing->given, result)) {
            names_of_file(f)->gives++;
            f->trace->grown++;
        }
    }
}

static void call_class(Implicit *it, Thing *class)
{
    Table *slots = class->names && !class->running ? &class->names->slots : NULL;
    class->running = true;
    for (size_t i = 0; slots && i < slots->capacity; i++)
        if (slots->slots[i].name)
            call_slot(it, slots->slots[i].value);
    if (slots)
        class->running = false;
}

static void call_classes(Implicit *it, Set classes, int which)
{
    it->which = which;
    for (int i = 0; i < classes.count; i++)
        call_class(it, classes.items[i].thing);
}

/* What metaclasses do with their classes, too. */
static void call_of(Implicit *it, Ref ref)
{
    Arena *arena = arena_of(it->f);
    const Set classes = classes_of(arena, &ref);
    it->self = ref;
    call_classes(it, classes, CALL_SPECIAL);
    for (int i = 0; i < classes.count; i++) {
        Set metas = { 0 };
        add_classes(arena, &metas, classes.items[i].thing->metas);
        call_classes(it, metas, CALL_ALL);
    }
}

void call_implicit(Frame *f, Set touched)
{
    Implicit it = { .f = f };
    bool some = false;
    if (f->trace->r->in_main)
        return;
    join(f, &it.reach, set_reach(arena_of(f), touched));
    for (int i = 0; i < it.reach.count; i++) {
        const Thing *thing = it.reach.items[i].thing;
        some |= thing->kind == THING_OBJECT || (thing->kind == THING_SPACE && thing->class_);
        it.reach.items[i].rank = 0;
    }
    if (!some)
        return;
    const bool lost = f->trace->lost;
    join(f, &it.args, it.reach);
    f->trace->lost = true; /* running the statement may not call them */
    for (int i = 0; i < it.reach.count; i++)
        call_of(&it, it.reach.items[i]);
    f->trace->lost = lost;
}

Set implicit_given(Frame *f, Set touched)
{
    Set given = { 0 }, reach = { 0 };
    if (names_of_file(f)->gives)
        reach = set_reach(arena_of(f), touched);
    for (int i = 0; i < reach.count; i++)
        join(f, &given, reach.items[i].thing->given);
    for (int i = 0; i < given.count; i++)
        given.items[i].rank = 0;
    return given;
}

void call_open(Frame *f, Ref object, Set args)
{
    const Set classes = classes_of(arena_of(f), &object);
    Implicit it = { .f = f, .self = object, .args = args };
    if (implicit_is_open(arena_of(f), object))
        call_classes(&it, classes, CALL_ALL);
}

void call_makers(Frame *f, Ref class)
{
    Implicit it = { .f = f, .self = class };
    if (class.thing->open)
        call_classes(&it, set_of(arena_of(f), class.thing, 0), CALL_MAKERS);
}
