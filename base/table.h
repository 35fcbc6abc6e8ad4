/* A hash table from names to pointers, in an arena, whose keys are not copied; and an index of
** pointers by hashes that its user computes. */
#pragma once

#include "base/base.h"

/* A hash of what `hash` is one of, and of `more` behind it: FNV-1a, by words, which begins with
** HASH_FIRST. Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm". */
#define HASH_FIRST UINT64_C(14695981039346656037)
static inline uint64_t hash_with(uint64_t hash, uint64_t more)
{
    return (hash ^ more) * UINT64_C(1099511628211);
}

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

typedef struct HashSlot {
    uint64_t hash;
    void *item; /* NULL: the slot is free */
} HashSlot;

/* Zeroed, with its arena, it is empty. */
typedef struct Hashes {
    Arena *arena;
    HashSlot *slots;
    size_t count, capacity; /* capacity is 0 or a power of two */
} Hashes;

/* The next item with this hash, in no certain order, or NULL: `step` counts the slots that were
** looked at, and is 0 at first. */
void *hashes_next(const Hashes *index, uint64_t hash, size_t *step);
void hashes_put(Hashes *index, uint64_t hash, const void *item);
