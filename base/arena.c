/* Memory with one lifetime: blocks in a chain, filled from the front, freed together.
**
** The first block is small, since most kernels are; each later one is twice the one before,
** up to a limit. What does not fit a block gets one of its own, put behind the block in use so
** that the room left there is not lost. Fresh blocks are zero, so nothing is cleared twice. */
#include "base/base.h"

#include <stdatomic.h>

enum {
    ALIGNMENT = 16,
    FIRST_BLOCK = 16 << 10,
    LARGEST_BLOCK = 1 << 20,
    SIZES = 7, /* of blocks, from the first to the largest */
    KEPT = 3   /* free blocks of a size */
};

struct ArenaBlock {
    ArenaBlock *before;
    size_t used, size; /* of `bytes` */
    _Alignas(ALIGNMENT) char bytes[];
};

/* ---- free blocks ------------------------------------------------------------------------- */

#ifndef KJIT_DEBUG
/* Zeroed, for the next arena: memory that the system gives costs a fault for each page of it, a
** sixth of the time that a large kernel takes. A slot changes hands at once, without a lock: any
** thread may come, and so may a child of a process that had threads. Debug builds keep none, so
** that sanitizers see blocks that are used after they are freed. */
static _Atomic(ArenaBlock *) kept[SIZES][KEPT];

/* Which of the sizes that double it is; or -1. */
static int size_class(size_t size)
{
    for (int k = 0; k < SIZES; k++)
        if (size == (size_t)FIRST_BLOCK << k)
            return k;
    return -1;
}

static ArenaBlock *kept_block(size_t size)
{
    int class = size_class(size);
    ArenaBlock *block = NULL;

    for (int k = 0; class >= 0 && !block && k < KEPT; k++)
        block = atomic_exchange(&kept[class][k], NULL);
    return block;
}

static void free_block(ArenaBlock *block)
{
    int class = size_class(block->size);

    memset(block->bytes, 0, class < 0 ? 0 : block->used);
    block->used = 0;
    for (int k = 0; class >= 0 && k < KEPT; k++) {
        ArenaBlock *none = NULL;
        if (atomic_compare_exchange_strong(&kept[class][k], &none, block))
            return;
    }
    memory_free(block);
}
#else
static ArenaBlock *kept_block(size_t size)
{
    (void)size;
    return NULL;
}

static void free_block(ArenaBlock *block)
{
    memory_free(block);
}
#endif

/* ---- arenas ------------------------------------------------------------------------------ */

void arena_init(Arena *arena, jmp_buf *exhausted)
{
    *arena = (Arena){ .exhausted = exhausted };
}

void arena_free(Arena *arena)
{
    for (ArenaBlock *block = arena->last; block;) {
        ArenaBlock *before = block->before;
        free_block(block);
        block = before;
    }
    arena->last = NULL;
    arena->total = 0;
}

void arena_give_up(Arena *arena)
{
    longjmp(*arena->exhausted, 1);
}

static ArenaBlock *new_block(Arena *arena, size_t size)
{
    ArenaBlock *block = kept_block(size);

    if (!block && size < SIZE_MAX / 2)
        block = memory_zeroed(1, sizeof *block + size);
    if (!block)
        arena_give_up(arena);
    block->size = size;
    arena->total += sizeof *block + size;
    return block;
}

/* Room for `bytes` in a block of their own. */
static void *alloc_apart(Arena *arena, size_t bytes)
{
    ArenaBlock *block = new_block(arena, bytes);

    block->used = bytes;
    if (arena->last) {
        block->before = arena->last->before;
        arena->last->before = block;
    } else {
        arena->last = block;
    }
    return block->bytes;
}

static void add_block(Arena *arena)
{
    size_t size = FIRST_BLOCK;

    if (arena->last && arena->last->size >= FIRST_BLOCK)
        size = arena->last->size < LARGEST_BLOCK ? 2 * arena->last->size : LARGEST_BLOCK;
    ArenaBlock *block = new_block(arena, size);
    block->before = arena->last;
    arena->last = block;
}

void *arena_alloc(Arena *arena, size_t bytes)
{
    bytes = bytes < SIZE_MAX / 2 ? (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1) : bytes;
    if (!arena->last || arena->last->size - arena->last->used < bytes) {
        if (bytes > FIRST_BLOCK / 4)
            return alloc_apart(arena, bytes);
        add_block(arena);
    }
    void *room = arena->last->bytes + arena->last->used;
    arena->last->used += bytes;
    return room;
}

void *arena_grow(Arena *arena, const void *old, size_t old_bytes, size_t new_bytes)
{
    void *grown = arena_alloc(arena, new_bytes);

    if (old_bytes)
        memcpy(grown, old, old_bytes);
    return grown;
}

char *arena_strndup(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);

    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    size_t room = arena->last ? arena->last->size - arena->last->used : 0;
    char *text = room ? arena->last->bytes + arena->last->used : NULL;
    va_list again;

    /* Most texts fit what is left of the block: those are formatted once. */
    va_copy(again, args);
    int length = print_text(text, room, format, again);
    va_end(again);
    size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    if (bytes > room && room)
        memset(text, 0, room);
    text = arena_alloc(arena, bytes);
    if (bytes > room)
        print_text(text, bytes, format, args);
    return text;
}
