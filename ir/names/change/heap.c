/* Sets, things and the names that hold them. */
#include "ir/names/change/heap.h"

#include <string.h>

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

bool set_join(Arena *arena, Set *set, Set more)
{
    bool grown = false;
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
    for (int i = 0; i < b.count; i++)
        if (set_holds(&a, b.items[i].thing))
            return true;
    return false;
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

Set thing_items(Arena *arena, const Thing *thing)
{
    Set items = { 0 };
    set_join(arena, &items, thing->items);
    for (int i = 0; i < thing->count; i++)
        set_join(arena, &items, thing->at[i]);
    for (size_t i = 0;
         thing->kind == THING_DICT && thing->names && i < thing->names->slots.capacity; i++)
        if (thing->names->slots.slots[i].name)
            set_join(arena, &items, ((Slot *)thing->names->slots.slots[i].value)->set);
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
        set_join(arena, &reach, thing_items(arena, thing));
        set_join(arena, &reach, thing->keys);
        for (size_t k = 0; thing->names && k < thing->names->slots.capacity; k++)
            if (thing->names->slots.slots[k].name)
                set_join(arena, &reach, ((Slot *)thing->names->slots.slots[k].value)->set);
    }
    return reach;
}

/* ---- names ----------------------------------------------------------------------------------- */

Names *names_new(Arena *arena, Names *outer)
{
    Names *names = arena_new(arena, Names);
    table_init(&names->slots, arena);
    names->outer = outer;
    return names;
}

Names *names_of_module(Module *module)
{
    if (module->held)
        return module->held;
    Names *names = names_new(module->arena, module->outer ? names_of_module(module->outer) : NULL);
    names->module = module;
    names->thing = thing_new(module->arena, THING_SPACE);
    names->thing->names = names;
    module->held = names;
    return names;
}

Thing *names_thing(Arena *arena, Names *names)
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

Slot *names_slot(Arena *arena, Names *names, const char *name)
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

bool slot_put(Arena *arena, Slot *slot, Set set, bool weak, const AstStmt *at)
{
    Set old = slot->set, now = { 0 };
    bool grown = false;
    if (slot->at != at)
        slot->before = old;
    slot->at = at;
    if (weak)
        set_join(arena, &now, old);
    set_join(arena, &now, set);
    for (int i = 0; i < set.count; i++) {
        Thing *thing = set.items[i].thing;
        if (set_holds(&old, thing))
            continue;
        grown = true;
        if (slot->names->module)
            array_push(arena, thing->slots, thing->slot_count, thing->slot_capacity) = slot;
        if (slot->names->thing && slot->names->thing != thing)
            own(arena, slot->names->thing, thing);
    }
    slot->set = now;
    return grown;
}
