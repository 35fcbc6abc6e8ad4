/* Sets: the table. Programs iterate over a set in CPython's order, as hashes (hash.c), the steps of
** a search and the growth of a table are CPython's. sets.c has what programs do with sets. */
#include "runtime/program/python/set.h"

enum { LEAST_SLOTS = 8, NEAR = 9, MANY = 50000 };

HostValue host_set(Program *p, bool frozen)
{
    HostSet *set = host_new(p, frozen ? HOST_FROZEN_SET : HOST_SET, sizeof *set);
    return host_object(set);
}

/* ---- the table ------------------------------------------------------------------------------ */

static size_t near(const HostSet *set, size_t at)
{
    return at + NEAR < set->slots ? NEAR : 0;
}

/* The next place to look at, once those near the last one are taken. */
static size_t far(const HostSet *set, size_t at, uint64_t *rest)
{
    *rest >>= 5;
    return (at * 5 + 1 + (size_t)*rest) & (set->slots - 1);
}

static bool is_free(const HostSlot *slot)
{
    return slot->item.kind == HOST_KINDS && !slot->removed;
}

/* The slot of an item, or the one for it: the last of those looked at whose item was removed, else
** the free one behind them. */
static bool find(Program *p, const HostSet *set, HostValue item, uint64_t hash, HostSlot **out)
{
    HostSlot *removed = NULL;
    uint64_t rest = hash;
    for (size_t at = (size_t)hash & (set->slots - 1);; at = far(set, at, &rest)) {
        for (size_t i = 0, most = near(set, at); i <= most; i++) {
            HostSlot *slot = *out = &set->table[at + i];
            bool same = host_set_has_item(slot) && slot->hash == hash;
            if (is_free(slot) && removed)
                *out = removed;
            if (is_free(slot))
                return true;
            removed = slot->removed ? slot : removed;
            if (same && !host_same_or_equal(p, slot->item, item, &same))
                return false;
            if (same)
                return true;
        }
    }
}

/* Puts what is in no slot yet. */
static void insert(HostSet *set, HostValue item, uint64_t hash)
{
    uint64_t rest = hash;
    for (size_t at = (size_t)hash & (set->slots - 1);; at = far(set, at, &rest))
        for (size_t i = 0, most = near(set, at); i <= most; i++)
            if (is_free(&set->table[at + i])) {
                set->table[at + i] = (HostSlot){ .hash = hash, .item = item };
                return;
            }
}

static HostSlot *new_table(Program *p, size_t slots)
{
    HostSlot *table = slots <= HOST_ITEMS_MOST ? memory_alloc(slots * sizeof *table) : NULL;
    if (!table)
        arena_give_up(p->arena);
    for (size_t i = 0; i < slots; i++)
        table[i] = (HostSlot){ .item.kind = HOST_KINDS };
    p->bytes += slots * sizeof *table;
    return table;
}

/* A table of more slots than `least`, without those of items that were removed. */
static void resize(Program *p, HostSet *set, size_t least)
{
    HostSlot *const table = set->table;
    const size_t slots = set->slots;
    size_t wanted = LEAST_SLOTS;
    while (wanted <= least)
        wanted *= 2;
    set->table = new_table(p, wanted);
    set->slots = wanted;
    set->filled = set->used;
    for (size_t i = 0; i < slots; i++)
        if (host_set_has_item(&table[i]))
            insert(set, table[i].item, table[i].hash);
    memory_free(table);
}

static void grow(Program *p, HostSet *set)
{
    resize(p, set, set->used > MANY ? 2 * set->used : 4 * set->used);
}

static bool add_hashed(Program *p, HostSet *set, HostValue item, uint64_t hash)
{
    HostSlot *slot;
    if (!set->slots)
        resize(p, set, 0);
    if (!find(p, set, item, hash, &slot))
        return false;
    if (host_set_has_item(slot))
        return true;
    const bool again = slot->removed;
    *slot = (HostSlot){ .hash = hash, .item = item };
    set->used++;
    set->filled += !again;
    if (!again && 5 * set->filled >= 3 * (set->slots - 1))
        grow(p, set);
    return true;
}

bool host_set_add(Program *p, HostSet *set, HostValue item)
{
    uint64_t hash;
    return host_settle(p, &item) && host_hash(p, item, &hash) && add_hashed(p, set, item, hash);
}

/* The slot of an item; NULL: there is none. */
static bool slot_of(Program *p, const HostSet *set, HostValue item, HostSlot **slot)
{
    uint64_t hash;
    *slot = NULL;
    if (!host_hash(p, item, &hash) || (set->used && !find(p, set, item, hash, slot)))
        return false;
    if (*slot && !host_set_has_item(*slot))
        *slot = NULL;
    return true;
}

bool host_set_contains(Program *p, const HostSet *set, HostValue item, bool *found)
{
    HostSlot *slot;
    const bool fine = slot_of(p, set, item, &slot);
    *found = fine && slot;
    return fine;
}

static void remove_slot(HostSet *set, HostSlot *slot)
{
    *slot = (HostSlot){ .item.kind = HOST_KINDS, .removed = true };
    set->used--;
}

bool host_set_remove(Program *p, HostSet *set, HostValue item, bool *found)
{
    HostSlot *slot;
    const bool fine = slot_of(p, set, item, &slot);
    *found = fine && slot;
    if (*found)
        remove_slot(set, slot);
    return fine;
}

bool host_set_pop(HostSet *set, HostValue *out)
{
    size_t at = set->finger;
    if (!set->used)
        return false;
    for (at &= set->slots - 1; !host_set_has_item(&set->table[at]);
         at = (at + 1) & (set->slots - 1))
        ;
    *out = set->table[at].item;
    remove_slot(set, &set->table[at]);
    set->finger = at + 1;
    return true;
}

void host_set_tidy(Program *p, HostSet *set)
{
    if (set->slots && set->filled - set->used > (set->slots - 1) / 4)
        grow(p, set);
}

void host_set_clear(HostSet *set)
{
    memory_free(set->table);
    *set = (HostSet){ .head = set->head, .finger = set->finger };
}

/* Makes room for so many more at once. */
static void reserve(Program *p, HostSet *set, size_t more)
{
    if (!set->slots)
        resize(p, set, 0);
    if (5 * (set->filled + more) >= 3 * (set->slots - 1))
        resize(p, set, 2 * (set->used + more));
}

static bool merge(Program *p, HostSet *set, const HostSet *other)
{
    if (set == other || !other->used)
        return true;
    reserve(p, set, other->used);
    const bool first = !set->filled;
    if (first && set->slots == other->slots && other->filled == other->used) {
        memcpy(set->table, other->table, set->slots * sizeof *set->table);
        set->filled = set->used = other->used;
        return true;
    }
    for (size_t i = 0; i < other->slots; i++) {
        const HostSlot slot = other->table[i];
        if (host_set_has_item(&slot) && first)
            insert(set, slot.item, slot.hash);
        else if (host_set_has_item(&slot) && !add_hashed(p, set, slot.item, slot.hash))
            return false;
    }
    if (first)
        set->filled = set->used = other->used;
    return true;
}

bool host_set_update(Program *p, HostSet *set, HostValue from)
{
    HostIterator it;
    HostValue item;
    if (is_set(from))
        return merge(p, set, from.set);
    if (!host_iterate(p, from, &it))
        return false;
    if (from.kind == HOST_DICT)
        reserve(p, set, from.dict->live);
    while (host_next(p, &it, &item))
        if (!host_set_add(p, set, item))
            return false;
    return !p->failed;
}

bool host_set_next(Program *p, HostIterator *it, HostValue *out)
{
    const HostSet *set = it->over.set;
    if (set->used != it->live)
        return host_fail(p, "RuntimeError", "Set changed size during iteration");
    while (it->at < set->slots && !host_set_has_item(&set->table[it->at]))
        it->at++;
    if (it->at >= set->slots)
        return false;
    return host_give(out, set->table[it->at++].item);
}
