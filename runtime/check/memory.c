/* The checker's memory: one range of addresses, and its shadow another, so that the shadow of a
** byte is found by arithmetic. Both are reserved once for the process; pages are committed when
** they are touched, and returned when what lay there is freed.
**
** The lower half is for arrays: whole pages, first fit. The upper half is for the stacks of fibers,
** each with a guard page below it. (Not all have one: Linux limits the number of a process's
** mappings.) */
#include "runtime/check/run.h"
#include "runtime/runtime.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GRANULE = 256, STACK = 1 << 20, GUARDED = 8192, KEPT_STACKS = 2048, SKEWED = 4096 };
/* Arrays of up to SMALL bytes lie at the beginning of the region. Planes are skewed, lest a word's
** records in all of them fall into one set of the cache. */
enum { SMALL = 8 << 20, SKEW = 13 * 64 };

CheckRegion check_region;

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t page_up(uint64_t at)
{
    return (at + page_bytes() - 1) / page_bytes() * page_bytes();
}

/* Ranges in use, sorted by address. */
typedef struct UsedRange {
    uint64_t begin, end; /* from the region's base; whole pages */
} UsedRange;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static UsedRange *extents;
static size_t extent_count, extent_capacity;

/* A fiber, and its stack's number. */
typedef struct Slot {
    Fiber fiber;
    struct Slot *next, *next_of_all;
    uint32_t number;
} Slot;

static Slot *idle_slots, *all_slots;
static uint32_t slot_count, slots_opened;

/* ---- the region ------------------------------------------------------------------------------ */

static void *reserve(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Huge pages for the shadow of large arrays; for the rest, small pages are cheaper to touch
** first. */
static void advise_large(void)
{
    for (int k = 0; k < PLANES; k++) {
        uintptr_t plane = (uintptr_t)check_region.shadow + (uint64_t)k * check_region.stride;
        uintptr_t begin = page_up(plane + 2 * (uintptr_t)SMALL);
        madvise((void *)begin, plane + check_region.size - begin, MADV_HUGEPAGE);
    }
}

static bool try_region(uint64_t size)
{
    uint64_t stride = 2 * size + SKEW, bits = size / GRANULE / 8;
    char *base = reserve(size);
    char *shadow = base ? reserve(PLANES * stride) : NULL;
    uint64_t *written = shadow ? reserve(bits) : NULL;

    if (!written) {
        if (shadow)
            munmap(shadow, PLANES * stride);
        if (base)
            munmap(base, size);
        return false;
    }
    madvise(base, size, MADV_DONTDUMP);
    madvise(shadow, PLANES * stride, MADV_DONTDUMP);
    check_region = (CheckRegion){ (uintptr_t)base, size, shadow, stride, written };
    advise_large();
    return true;
}

/* Under the lock. Reserves as much as the process may have. */
static bool open_region(void)
{
    for (uint64_t size = 1ull << 37; !check_region.size && size >= 1ull << 26; size /= 2)
        try_region(size);
    return check_region.size;
}

bool check_memory_open(void)
{
    forks_lock(&lock);
    bool open = open_region();
    forks_unlock(&lock);
    return open;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* The offset of free bytes, and how many extents precede it; UINT64_MAX: there is no room. */
static uint64_t find_room(uint64_t bytes, size_t *before)
{
    uint64_t begin = 0;

    for (*before = 0; *before < extent_count; ++*before) {
        if (extents[*before].begin - begin >= bytes)
            return begin;
        begin = extents[*before].end;
    }
    return check_region.size / 2 - begin >= bytes ? begin : UINT64_MAX;
}

static void *take_room(uint64_t bytes)
{
    size_t before;

    if (!open_region() || !memory_more(extents, extent_count, extent_capacity))
        return NULL;
    uint64_t begin = find_room(bytes, &before);
    if (begin == UINT64_MAX)
        return NULL;
    memmove(extents + before + 1, extents + before, (extent_count - before) * sizeof *extents);
    extents[before] = (UsedRange){ begin, begin + bytes };
    extent_count++;
    return (char *)check_region.base + begin;
}

void *check_memory_alloc(uint64_t bytes)
{
    if (bytes > UINT64_MAX / 2)
        return NULL;
    forks_lock(&lock);
    void *memory = take_room(page_up(bytes + 1));
    forks_unlock(&lock);
    return memory;
}

/* Zeroes memory; many pages by returning them to the system. */
static void clear(void *memory, uint64_t bytes)
{
    if (bytes < 1u << 20)
        memset(memory, 0, bytes);
    else {
        uintptr_t begin = page_up((uintptr_t)memory);
        uintptr_t end = ((uintptr_t)memory + bytes) / page_bytes() * page_bytes();
        memset(memory, 0, begin - (uintptr_t)memory);
        madvise((void *)begin, end - begin, MADV_DONTNEED);
        memset((void *)end, 0, (uintptr_t)memory + bytes - end);
    }
}

static void set_written(uint64_t begin, uint64_t end, bool written)
{
    for (uint64_t granule = begin / GRANULE; granule < end / GRANULE; granule++) {
        uint64_t *word = &check_region.written[granule / 64];
        if (granule % 64 == 0 && granule + 64 <= end / GRANULE) {
            *word = written ? UINT64_MAX : 0;
            granule += 63;
        } else if (written) {
            *word |= 1ull << granule % 64;
        } else {
            *word &= ~(1ull << granule % 64);
        }
    }
}

/* Zeroes only what is not zero, so that pages that were never touched stay so. */
static void clear_nonzero(uint64_t *records, uint64_t count)
{
    for (uint64_t i = 0; i < count; i += 8) {
        uint64_t any = 0, end = count - i < 8 ? count : i + 8;
        for (uint64_t k = i; k < end; k++)
            any |= records[k];
        if (any)
            memset(records + i, 0, (end - i) * sizeof *records);
    }
}

void check_memory_unwritten(void *memory, uint64_t bytes)
{
    uint64_t *first = shadow_of(memory), words = (bytes + 3) / 4, flags = 0;

    if (bytes >= 1u << 19) {
        for (int k = 0; k < PLANES; k++)
            clear(shadow_plane(first, k), words * sizeof *first);
        return;
    }
    for (uint64_t i = 0; i < words; i++)
        flags |= first[i];
    for (int k = 0; k < (flags & REC_BYTES ? PLANES : PLANES / 2); k++)
        clear_nonzero(shadow_plane(first, k), words);
}

void check_memory_free(void *memory)
{
    uint64_t begin = (uintptr_t)memory - check_region.base;

    if (!memory)
        return;
    forks_lock(&lock);
    size_t at = 0;
    while (at < extent_count && extents[at].begin != begin)
        at++;
    if (at < extent_count) {
        uint64_t bytes = extents[at].end - begin;
        clear(memory, bytes);
        check_memory_unwritten(memory, bytes);
        set_written(begin, begin + bytes, false);
        memmove(extents + at, extents + at + 1, (--extent_count - at) * sizeof *extents);
    }
    if (!extent_count) {
        memory_free(extents);
        extents = NULL;
        extent_capacity = 0;
    }
    forks_unlock(&lock);
}

static void mark_byte(uint64_t at, bool written)
{
    uint64_t *first = (uint64_t *)check_region.shadow + at / 4;
    int byte = (int)(at % 4);

    shadow_split(first);
    *shadow_plane(first, 2 * byte) = (written ? REC_THERE : 0) | (byte ? 0 : REC_BYTES);
    *shadow_plane(first, 2 * byte + 1) = 0;
}

/* Marks bytes one by one. */
static void mark_bytes(uint64_t begin, uint64_t end, bool written)
{
    for (uint64_t at = begin; at < end;) {
        uint64_t *first = (uint64_t *)check_region.shadow + at / 4;
        if (at % 4 || end - at < 4 || *first & REC_BYTES) {
            mark_byte(at++, written);
        } else {
            *first = written ? REC_THERE : 0;
            for (int k = 1; k < PLANES / 2; k++)
                *shadow_plane(first, k) = 0;
            at += 4;
        }
    }
}

/* Replaces a granule's bit by marks of each of its bytes, before part of it becomes unwritten. */
static void split_granule(uint64_t at)
{
    uint64_t granule = at / GRANULE;

    if (!(check_region.written[granule / 64] >> granule % 64 & 1))
        return;
    check_region.written[granule / 64] &= ~(1ull << granule % 64);
    mark_bytes(granule * GRANULE, (granule + 1) * GRANULE, true);
}

static void mark_part(uint64_t begin, uint64_t end, bool written)
{
    if (begin == end)
        return;
    if (!written)
        split_granule(begin);
    mark_bytes(begin, end, written);
}

void check_memory_mark(void *memory, uint64_t bytes, bool written)
{
    uint64_t begin = (uintptr_t)memory - check_region.base, end = begin + bytes;
    uint64_t from = (begin + GRANULE - 1) / GRANULE * GRANULE, to = end / GRANULE * GRANULE;

    if (!bytes || !in_region(memory))
        return;
    forks_lock(&lock);
    if (from < to) {
        /* Their records stay: they are of past launches, and show the bytes as written. */
        set_written(from, to, written);
        if (!written)
            check_memory_unwritten((char *)check_region.base + from, to - from);
        mark_part(begin, from, written);
        mark_part(to, end, written);
    } else { /* within one granule, or across the border of two */
        uint64_t middle = from < end ? from : end;
        mark_part(begin, middle, written);
        mark_part(middle, end, written);
    }
    forks_unlock(&lock);
}

static bool has_value(uint64_t at)
{
    uint64_t *first = (uint64_t *)check_region.shadow + at / 4;
    uint64_t granule = at / GRANULE;

    if (*first & REC_BYTES)
        first = shadow_plane(first, 2 * (int)(at % 4));
    return *first & REC_THERE || check_region.written[granule / 64] >> granule % 64 & 1;
}

/* The end of the written granules that follow `at`. */
static uint64_t skip_written(uint64_t at, uint64_t end)
{
    while (at < end && at % GRANULE == 0) {
        uint64_t granule = at / GRANULE, word = check_region.written[granule / 64];
        if (word == UINT64_MAX && granule % 64 == 0)
            at += 64 * GRANULE;
        else if (word >> granule % 64 & 1)
            at += GRANULE;
        else
            break;
    }
    return at;
}

bool check_memory_is_written(const void *memory, uint64_t bytes)
{
    uint64_t at = (uintptr_t)memory - check_region.base, end = at + bytes;

    if (!in_region(memory))
        return false;
    forks_lock(&lock);
    for (at = skip_written(at, end); at < end && has_value(at);)
        at = skip_written(at + 1, end);
    forks_unlock(&lock);
    return at >= end;
}

static void age_word(uint64_t *first)
{
    bool split = *first & REC_BYTES;

    for (int k = 0; k < (split ? PLANES : PLANES / 2); k++) {
        uint64_t *record = shadow_plane(first, k);
        bool write = split ? k % 2 == 0 : k == 0;
        if (*record)
            *record &= write ? REC_THERE | REC_BYTES : 0;
    }
    uint64_t *mark = shadow_plane(first, MARK_PLANE);
    if (!split && *mark)
        *mark = 0;
}

void check_memory_age(void)
{
    forks_lock(&lock);
    for (size_t i = 0; i < extent_count; i++)
        for (uint64_t at = extents[i].begin; at < extents[i].end; at += 4)
            age_word((uint64_t *)check_region.shadow + at / 4);
    forks_unlock(&lock);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

bool is_stack(const void *address)
{
    uint64_t at = (uintptr_t)address - check_region.base;

    return at - check_region.size / 2 < check_region.size / 2;
}

/* Protects the guard page of the next stack, the first time it is used. */
static bool open_stack(void)
{
    uint64_t begin = check_region.size / 2 + (uint64_t)slots_opened * STACK;

    if (begin + STACK > check_region.size ||
        (slots_opened < GUARDED &&
         mprotect((char *)check_region.base + begin, page_bytes(), PROT_NONE) != 0))
        return false;
    slots_opened++;
    return true;
}

static Slot *new_slot(void)
{
    if (slot_count == slots_opened && !open_stack())
        return NULL;
    Slot *slot = memory_zeroed(1, sizeof *slot);
    if (!slot)
        return NULL;
    char *bottom = (char *)check_region.base + check_region.size / 2;
    slot->next_of_all = all_slots;
    all_slots = slot;
    slot->number = slot_count++;
    bottom += (uint64_t)slot->number * STACK + page_bytes();
    /* Stacks are skewed, lest their tops all fall into one set of the cache. */
    fiber_open(&slot->fiber, bottom, STACK - page_bytes() - slot->number * 320u % SKEWED);
    return slot;
}

Fiber *check_stack_get(void)
{
    Slot *slot = idle_slots;

    if (slot)
        idle_slots = slot->next;
    else
        slot = new_slot();
    return slot ? &slot->fiber : NULL;
}

void check_stack_put(Fiber *fiber)
{
    Slot *slot = (Slot *)fiber; /* the fiber is its first member */

    slot->next = idle_slots;
    idle_slots = slot;
}

/* No stack is in use between runs. Addresses and guard pages are kept. */
void check_stacks_trim(void)
{
    char *base = (char *)check_region.base + check_region.size / 2;

    idle_slots = NULL;
    while (all_slots) {
        Slot *slot = all_slots;
        all_slots = slot->next_of_all;
        fiber_close(&slot->fiber);
        memory_free(slot);
    }
    if (slot_count > KEPT_STACKS) {
        uint64_t bytes = (uint64_t)slot_count * STACK;
        madvise(base, bytes, MADV_DONTNEED);
        for (int k = 0; k < PLANES; k++)
            clear(shadow_plane(shadow_of(base), k), 2 * bytes);
    }
    slot_count = 0;
}
