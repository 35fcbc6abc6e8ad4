/* Open addressing with linear steps; the hash is FNV-1a. */
#include "base/table.h"

static size_t hash_name(const char *name, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
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
