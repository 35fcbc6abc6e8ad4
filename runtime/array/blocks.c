/* The allocations of a context: a hash table by address, with linear probing. */
#include "runtime/runtime.h"

enum { FIRST_CAPACITY = 64 };

void blocks_init(Blocks *blocks)
{
    *blocks = (Blocks){ 0 };
    pthread_mutex_init(&blocks->lock, NULL);
}

void blocks_free(Blocks *blocks)
{
    pthread_mutex_destroy(&blocks->lock);
    memory_free(blocks->slots);
}

/* The slot of a block, or the empty one where it would be. */
static size_t find_slot(const Blocks *blocks, const void *memory)
{
    size_t mask = blocks->capacity - 1;
    size_t at = (size_t)(((uintptr_t)memory >> 6) * 0x9e3779b97f4a7c15u >> 20) & mask;

    while (blocks->slots[at].memory && blocks->slots[at].memory != memory)
        at = (at + 1) & mask;
    return at;
}

/* Keeps a quarter of the table empty. */
static bool make_room(Blocks *blocks)
{
    Blocks larger = { .capacity = blocks->capacity ? 2 * blocks->capacity : FIRST_CAPACITY };

    if (4 * (blocks->count + 1) <= 3 * blocks->capacity)
        return true;
    larger.slots = memory_zeroed(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < blocks->capacity; i++) {
        if (blocks->slots[i].memory)
            larger.slots[find_slot(&larger, blocks->slots[i].memory)] = blocks->slots[i];
    }
    memory_free(blocks->slots);
    blocks->slots = larger.slots;
    blocks->capacity = larger.capacity;
    return true;
}

bool blocks_add(Blocks *blocks, const Block *block)
{
    forks_lock(&blocks->lock);
    bool fits = make_room(blocks);
    if (fits) {
        blocks->slots[find_slot(blocks, block->memory)] = *block;
        blocks->count++;
        blocks->bytes += block->bytes;
        array_tag_set(block->tag, block->memory, block->bytes);
    }
    forks_unlock(&blocks->lock);
    return fits;
}

/* Empties a slot, and moves displaced entries up. */
static void remove_at(Blocks *blocks, size_t at)
{
    size_t mask = blocks->capacity - 1;

    array_tag_drop(blocks->slots[at].tag);
    blocks->count--;
    blocks->bytes -= blocks->slots[at].bytes;
    blocks->slots[at].memory = NULL;
    for (at = (at + 1) & mask; blocks->slots[at].memory; at = (at + 1) & mask) {
        Block moved = blocks->slots[at];
        blocks->slots[at].memory = NULL;
        blocks->slots[find_slot(blocks, moved.memory)] = moved;
    }
}

bool blocks_take(Blocks *blocks, const void *memory, Block *block)
{
    bool found = false;

    forks_lock(&blocks->lock);
    if (blocks->count && memory) {
        size_t at = find_slot(blocks, memory);
        found = blocks->slots[at].memory != NULL;
        *block = blocks->slots[at];
        if (found)
            remove_at(blocks, at);
    }
    forks_unlock(&blocks->lock);
    return found;
}

bool blocks_take_any(Blocks *blocks, Block *block)
{
    bool found = false;

    forks_lock(&blocks->lock);
    for (size_t i = 0; blocks->count && !found; i++) {
        found = blocks->slots[i].memory != NULL;
        *block = blocks->slots[i];
        if (found)
            remove_at(blocks, i);
    }
    forks_unlock(&blocks->lock);
    return found;
}

bool blocks_find(Blocks *blocks, const void *inside, Block *block)
{
    bool found = false;

    forks_lock(&blocks->lock);
    for (size_t i = 0; inside && i < blocks->capacity && !found; i++) {
        uintptr_t begin = (uintptr_t)blocks->slots[i].memory, at = (uintptr_t)inside;
        size_t bytes = blocks->slots[i].bytes;
        found = begin && at >= begin && at - begin < (bytes ? bytes : 1);
        *block = blocks->slots[i];
    }
    forks_unlock(&blocks->lock);
    return found;
}
