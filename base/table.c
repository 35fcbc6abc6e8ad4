/* Open addressing with linear steps; the hash is FNV-1a. */
#include "base/table.h"

static size_t hash_name(const char *name, size_t length)
{
    uint64_t hash = HASH_FIRST;
    for (size_t i = 0; i < length; i++)
        hash = hash_with(hash, (unsigned char)name[i]);
    return (size_t)(hash ^ hash >> 32);
}

static bool is_name(const char *held, const char *name, size_t length)
{
    return strncmp(held, name, length) == 0 && !held[length];
}

/* The slot that holds the first `length` characters of `name`, or the free one where they
** belong. */
static TableSlot *find_slot(const Table *table, const char *name, size_t length)
{
    size_t mask = table->capacity - 1;
    size_t at = hash_name(name, length) & mask;
    while (table->slots[at].name && !is_name(table->slots[at].name, name, length))
        at = (at + 1) & mask;
    return &table->slots[at];
}

static void grow(Table *table)
{
    Table bigger = { table->arena, NULL, table->count, table->capacity ? 2 * table->capacity : 16 };
    bigger.slots = arena_array(table->arena, TableSlot, bigger.capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const char *name = table->slots[i].name;
        if (name)
            *find_slot(&bigger, name, strlen(name)) = table->slots[i];
    }
    *table = bigger;
}

void table_init(Table *table, Arena *arena)
{
    *table = (Table){ .arena = arena };
}

void *table_get(const Table *table, const char *name)
{
    return table_get_part(table, name, strlen(name));
}

void *table_get_part(const Table *table, const char *name, size_t length)
{
    return table->capacity ? find_slot(table, name, length)->value : NULL;
}

void table_put(Table *table, const char *name, void *value)
{
    if (4 * (table->count + 1) > 3 * table->capacity)
        grow(table);
    TableSlot *slot = find_slot(table, name, strlen(name));
    if (!slot->name) {
        slot->name = name;
        table->count++;
    }
    slot->value = value;
}

/* ---- the index ------------------------------------------------------------------------------ */

void *hashes_next(const Hashes *index, uint64_t hash, size_t *step)
{
    size_t mask = index->capacity - 1, first = (size_t)(hash ^ hash >> 32);
    while (index->capacity) {
        const HashSlot *slot = &index->slots[(first + (*step)++) & mask];
        if (!slot->item || slot->hash == hash)
            return slot->item;
    }
    return NULL;
}

void hashes_put(Hashes *index, uint64_t hash, const void *item)
{
    if (4 * (index->count + 1) > 3 * index->capacity) {
        Hashes bigger = { index->arena, NULL, 0, index->capacity ? 2 * index->capacity : 16 };
        bigger.slots = arena_array(index->arena, HashSlot, bigger.capacity);
        for (size_t i = 0; i < index->capacity; i++)
            if (index->slots[i].item)
                hashes_put(&bigger, index->slots[i].hash, index->slots[i].item);
        *index = bigger;
    }
    size_t at = (size_t)(hash ^ hash >> 32), mask = index->capacity - 1;
    while (index->slots[at & mask].item)
        at++;
    index->slots[at & mask] = (HashSlot){ hash, (void *)(uintptr_t)item };
    index->count++;
}
