/* Sets, things and the names that hold them. */
#include "ir/names/change/heap.h"

bool set_add(Arena *arena, Set *set, Ref ref)
{
    for (int i = 0; i < set->count; i++)
        if (set->items[i].thing == ref.thing) {
            if (set->items[i].rank != ref.rank)
                set->items[i].rank = 0;
            return false;
        }
    array_push(arena, set->items, set->count, set->capacity) = ref;
    return true;
}

/* Numbers the things of a set from 1 on, or takes these numbers from them: sets of thousands are
** compared in one pass over each. */
static void set_number(Set set, bool on)
{
    for (int i = 0; i < set.count; i++)
        set.items[i].thing->number = on ? i + 1 : 0;
}

static bool join_many(Arena *arena, Set *set, Set more)
{
    const int before = set->count;
    if (!set->count) { /* room for all of them at once */
        set->capacity = more.count;
        set->items = arena_array(arena, Ref, more.count);
    }
    set_number(*set, true);
    for (int i = 0; i < more.count; i++) {
        const Ref ref = more.items[i];
        Ref *known = ref.thing->number ? &set->items[ref.thing->number - 1] : NULL;
        if (known && known->rank != ref.rank)
            known->rank = 0;
        if (known)
            continue;
        array_push(arena, set->items, set->count, set->capacity) = ref;
        ref.thing->number = set->count;
    }
    set_number(*set, false);
    return set->count > before;
}

bool set_join(Arena *arena, Set *set, Set more)
{
    enum { FEW = 4 };
    bool grown = false;
    if (more.count > FEW)
        return join_many(arena, set, more);
    for (int i = 0; i < more.count; i++)
        grown |= set_add(arena, set, more.items[i]);
    return grown;
}

Set set_of(Arena *arena, Thing *thing, int rank)
{
    Set set = { 0 };
    set_add(arena, &set, (Ref){ thing, rank });
    return set;
}

bool set_has(Set set, ThingKind kind)
{
    for (int i = 0; i < set.count; i++)
        if (set.items[i].thing->kind == kind)
            return true;
    return false;
}

Thing *thing_new(Arena *arena, ThingKind kind)
{
    Thing *thing = arena_new(arena, Thing);
    thing->kind = kind;
    return thing;
}

static void own(Arena *arena, Thing *owner, Thing *thing)
{
    for (int i = 0; i < thing->owner_count && owner->kind != THING_SPACE; i++)
        owner->twice |= thing->owners[i] == owner;
    array_push(arena, thing->owners, thing->owner_count, thing->owner_capacity) = owner;
}

bool thing_hold(Arena *arena, Thing *owner, Set *into, Set set)
{
    bool grown = false;
    for (int i = 0; i < set.count; i++)
        if (set_add(arena, into, set.items[i])) {
            own(arena, owner, set.items[i].thing);
            grown = true;
        }
    return grown;
}

bool set_holds(const Set *set, const Thing *thing)
{
    for (int i = 0; i < set->count; i++)
        if (set->items[i].thing == thing)
            return true;
    return false;
}

bool set_meets(Set a, Set b)
{
    bool meets = false;
    set_number(a, true);
    for (int i = 0; i < b.count; i++)
        meets |= b.items[i].thing->number > 0;
    set_number(a, false);
    return meets;
}

bool set_equals(Set a, Set b)
{
    if (a.count != b.count)
        return false;
    for (int i = 0; i < a.count; i++)
        if (a.items[i].thing != b.items[i].thing || a.items[i].rank != b.items[i].rank)
            return false;
    return true;
}

/* Adds all that a thing holds, wherever. */
static void add_items(Arena *arena, Set *items, const Thing *thing)
{
    set_join(arena, items, thing->items);
    for (int i = 0; i < thing->count; i++)
        set_join(arena, items, thing->at[i]);
    for (size_t i = 0;
         thing->kind == THING_DICT && thing->names && i < thing->names->slots.capacity; i++)
        if (thing->names->slots.slots[i].name)
            set_join(arena, items, ((Slot *)thing->names->slots.slots[i].value)->set);
}

Set thing_items(Arena *arena, const Thing *thing)
{
    Set items = { 0 };
    add_items(arena, &items, thing);
    return items;
}

Set set_reach(Arena *arena, Set set)
{
    Set reach = { 0 };
    set_join(arena, &reach, set);
    for (int i = 0; i < reach.count; i++) {
        const Thing *thing = reach.items[i].thing;
        if (thing->kind == THING_FUNCTION || thing->kind == THING_SPACE)
            continue;
        add_items(arena, &reach, thing);
        set_join(arena, &reach, thing->keys);
        for (size_t k = 0; thing->names && k < thing->names->slots.capacity; k++)
            if (thing->names->slots.slots[k].name)
                set_join(arena, &reach, ((Slot *)thing->names->slots.slots[k].value)->set);
    }
    return reach;
}

/* ---- names ----------------------------------------------------------------------------------- */

HeapNames *names_new(Arena *arena, HeapNames *outer)
{
    HeapNames *names = arena_new(arena, HeapNames);
    table_init(&names->slots, arena);
    names->outer = outer;
    return names;
}

HeapNames *names_of_module(Module *module)
{
    if (module->held)
        return module->held;
    HeapNames *names =
        names_new(module->arena, module->outer ? names_of_module(module->outer) : NULL);
    names->module = module;
    names->thing = thing_new(module->arena, THING_SPACE);
    names->thing->names = names;
    module->held = names;
    return names;
}

Thing *names_thing(Arena *arena, HeapNames *names)
{
    if (names->thing)
        return names->thing;
    names->thing = thing_new(arena, THING_LIST);
    for (size_t i = 0; i < names->slots.capacity; i++) {
        const Slot *slot = names->slots.slots[i].name ? names->slots.slots[i].value : NULL;
        for (int k = 0; slot && k < slot->set.count; k++)
            own(arena, names->thing, slot->set.items[k].thing);
    }
    return names->thing;
}

Slot *names_slot(Arena *arena, HeapNames *names, const char *name)
{
    Slot *slot = table_get(&names->slots, name);
    if (slot)
        return slot;
    slot = arena_new(arena, Slot);
    slot->name = name;
    slot->names = names;
    table_put(&names->slots, name, slot);
    return slot;
}

/* Whether a set has all of another, numbered as this one is. */
static bool has_numbered(Set set, Set other)
{
    for (int i = 0; i < other.count; i++) {
        const int number = other.items[i].thing->number;
        if (!number || set.items[number - 1].rank != other.items[i].rank)
            return false;
    }
    return true;
}

bool slot_put(Arena *arena, Slot *slot, Set set, bool weak, const AstStmt *at)
{
    Set old = slot->set, now = { 0 };
    bool grown = false;
    if (slot->at != at)
        slot->before = old;
    slot->at = at;
    set_number(old, true);
    const bool same = weak && has_numbered(old, set);
    for (int i = 0; i < set.count && !same; i++) {
        Thing *thing = set.items[i].thing;
        if (thing->number)
            continue;
        grown = true;
        if (slot->names->module)
            array_push(arena, thing->slots, thing->slot_count, thing->slot_capacity) = slot;
        if (slot->names->thing && slot->names->thing != thing)
            own(arena, slot->names->thing, thing);
    }
    set_number(old, false);
    if (same)
        return false;
    if (weak)
        set_join(arena, &now, old);
    set_join(arena, &now, set);
    slot->set = now;
    return grown;
}
