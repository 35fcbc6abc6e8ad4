/* Open addressing with linear steps; the hash is FNV-1a. */
#include "base/table.h"

static size_t hash_name(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds `name`, or the free one where it belongs. */
static TableSlot *find_slot(const Table *table, const char *name)
{
    size_t mask = table->capacity - 1;
    size_t at = hash_name(name) & mask;
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0)
        at = (at + 1) & mask;
    return &table->slots[at];
}

static void grow(Table *table)
{
    Table bigger = { table->arena, NULL, table->count, table->capacity ? 2 * table->capacity : 16 };
    bigger.slots = arena_array(table->arena, TableSlot, bigger.capacity);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].name)
            *find_slot(&bigger, table->slots[i].name) = table->slots[i];
    *table = bigger;
}

void table_init(Table *table, Arena *arena)
{
    *table = (Table){ .arena = arena };
}

void *table_get(const Table *table, const char *name)
{
    return table->capacity ? find_slot(table, name)->value : NULL;
}

void table_put(Table *table, const char *name, void *value)
{
    if (4 * (table->count + 1) > 3 * table->capacity)
        grow(table);
    TableSlot *slot = find_slot(table, name);
    if (!slot->name) {
        slot->name = name;
        table->count++;
    }
    slot->value = value;
}
