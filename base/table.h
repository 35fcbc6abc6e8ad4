/* A hash table from names to pointers, in an arena. Keys are not copied. */
#pragma once

#include "base/base.h"

typedef struct TableSlot {
    const char *name;
    void *value;
} TableSlot;

typedef struct Table {
    Arena *arena;
    TableSlot *slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
} Table;

void table_init(Table *table, Arena *arena);
/* The value under `name`, or NULL. */
void *table_get(const Table *table, const char *name);
/* The value under the first `length` characters of `name`, or NULL. */
void *table_get_part(const Table *table, const char *name, size_t length);
/* Puts or replaces. */
void table_put(Table *table, const char *name, void *value);
