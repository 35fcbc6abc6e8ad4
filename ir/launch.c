#include "ir/launch.h"

/* ---- asking -------------------------------------------------------------------------------- */

static bool ask_param(uint64_t *asked, uint64_t facts, int param)
{
    if (param < 0 || param >= LAUNCH_PARAMS)
        return false;
    *asked |= UINT64_C(1) << param;
    return facts >> param & 1;
}

bool launch_narrow(IrLaunch *launch)
{
    if (!launch)
        return false;
    launch->asked.narrow = true;
    return launch->facts.narrow;
}

bool launch_blocks_from_4096(IrLaunch *launch)
{
    if (!launch)
        return false;
    launch->asked.blocks_from_4096 = true;
    return launch->facts.blocks_from_4096;
}

bool launch_in_parts(const IrLaunch *launch)
{
    return launch && launch->facts.parts;
}

#define FACT(name, asks)                                                                           \
    bool launch_##asks(IrLaunch *launch, int param)                                                \
    {                                                                                              \
        return launch && ask_param(&launch->asked.name, launch->facts.name, param);                \
    }
LAUNCH_SETS(FACT)
#undef FACT

int64_t launch_width(IrLaunch *launch, int param)
{
    int64_t width = launch_width_2(launch, param) ? 2 : 0;
    width = launch_width_3(launch, param) ? 3 : width;
    width = launch_width_4(launch, param) ? 4 : width;
    return launch_width_6(launch, param) ? 6 : width;
}

bool launch_multiple(IrLaunch *launch, int param, int of)
{
    return of == 4 ? launch_multiple_4(launch, param) : launch_multiple_16(launch, param);
}

uint64_t launch_together(const IrShape *shape, int k)
{
    uint64_t threads = (uint64_t)shape->block[k] * shape->tile[k];
    return k == 0 && shape->team ? threads / shape->team : threads;
}

int launch_axis(const IrShape *shape, int k)
{
    return shape->changed ? shape->axis[k] : k;
}

bool launch_block(IrLaunch *launch, uint32_t block[3])
{
    if (!launch)
        return false;
    launch->asked.block[0] = 1;
    memcpy(block, launch->facts.block, sizeof launch->facts.block);
    return block[0] != 0;
}

const int64_t *launch_values(IrLaunch *launch)
{
    if (!launch)
        return NULL;
    launch->asked.value_count = 1;
    return launch->facts.values;
}

static bool same_values(const IrFacts *a, const IrFacts *b)
{
    if (!a->values || !b->values)
        return !a->values && !b->values;
    return a->value_count == b->value_count &&
           memcmp(a->values, b->values, sizeof *a->values * (size_t)a->value_count) == 0;
}

bool launch_large_grid(IrLaunch *launch, unsigned bit)
{
    if (!launch)
        return false;
    *(launch->raised ? &launch->asked.array_size : &launch->asked.grid_size) |= bit;
    return (launch->raised ? launch->facts.array_size : launch->facts.grid_size) & bit;
}

bool launch_along_64(IrLaunch *launch, int axis)
{
    return launch_large_grid(launch, (unsigned)GRID_X_64 << axis);
}

bool launch_along_32(IrLaunch *launch, int axis)
{
    return launch_large_grid(launch, (unsigned)GRID_X_32 << axis);
}

#define FACT(name, asks) #name,
const char *const launch_set_names[LAUNCH_SET_COUNT] = { LAUNCH_SETS(FACT) };
#undef FACT

bool launch_serves(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    for (int i = 0; i < LAUNCH_SET_COUNT; i++)
        if ((own->sets[i] ^ facts->sets[i]) & asked->sets[i])
            return false;
    return !((own->grid_size ^ facts->grid_size) & asked->grid_size) &&
           !((own->array_size ^ facts->array_size) & asked->array_size) &&
           (!asked->narrow || own->narrow == facts->narrow) &&
           (!asked->value_count || same_values(own, facts)) &&
           (!asked->blocks_from_4096 || own->blocks_from_4096 == facts->blocks_from_4096) &&
           (!asked->block[0] || memcmp(own->block, facts->block, sizeof own->block) == 0);
}

bool launch_allows(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    for (int i = 0; i < LAUNCH_SET_COUNT; i++)
        if (own->sets[i] & asked->sets[i] & ~facts->sets[i])
            return false;
    return (!asked->narrow || !own->narrow || facts->narrow) &&
           (!asked->value_count || !own->values || same_values(own, facts)) &&
           (!asked->block[0] || !own->block[0] ||
            memcmp(own->block, facts->block, sizeof own->block) == 0);
}

/* ---- as people write them ---------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* "16", "16x16" or "8x8x4", up to `end`. */
static bool read_block(const char *text, const char *end, uint32_t block[3])
{
    uint32_t read[3] = { 1, 1, 1 };

    for (int axis = 0; axis < 3; axis++) {
        char *after;
        if (*text < '1' || *text > '9')
            return false;
        unsigned long long value = strtoull(text, &after, 10);
        if (value > 1024)
            return false;
        read[axis] = (uint32_t)value;
        if (after == end) {
            memcpy(block, read, sizeof read);
            return true;
        }
        if (*after != 'x')
            return false;
        text = after + 1;
    }
    return false;
}

static bool read_fact(const char *text, size_t length, IrFacts *facts)
{
    bool common = is_word(text, length, "common"), known = common;

    for (int i = 0; i < LAUNCH_SET_COUNT; i++)
        if ((common && strncmp(launch_set_names[i], "width", 5) != 0) ||
            is_word(text, length, launch_set_names[i])) {
            facts->sets[i] = ~UINT64_C(0);
            known = true;
        }
    if (common || is_word(text, length, "narrow"))
        facts->narrow = known = true;
    if (common || is_word(text, length, "blocks_from_4096"))
        facts->blocks_from_4096 = known = true;
    if (common || is_word(text, length, "large_grid")) {
        facts->grid_size = facts->array_size = GRID_ALL;
        known = true;
    }
    if (length > 6 && strncmp(text, "block=", 6) == 0)
        return read_block(text + 6, text + length, facts->block);
    return known || is_word(text, length, "none");
}

#define FACT(name, asks) #name ", "
const char launch_fact_names[] =
    "none, common, narrow, " LAUNCH_SETS(FACT) "blocks_from_4096, large_grid and block=16x16";
#undef FACT

const char *facts_read(const char *text, IrFacts *facts)
{
    *facts = (IrFacts){ 0 };
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!read_fact(at, length, facts))
            return at;
        at += length;
        if (!*at)
            return NULL;
    }
}

/* ---- copies of arrays ---------------------------------------------------------------------- */

/* How many copies of array `i` of shape->shared there are for a block of `threads`: 1, 2, 4, ... */
static uint32_t launch_copies(const IrShape *shape, int i, uint64_t elements, uint64_t threads)
{
    uint64_t room = threads * shape->shared[i].room;
    uint32_t copies = COPIES_MOST;

    if (room > COPIES_ROOM)
        room = COPIES_ROOM;
    while (copies > 1 && elements * shape->shared[i].bytes * copies > room)
        copies /= 2;
    return copies;
}

uint64_t launch_shared(const IrShape *shape, int i, uint64_t elements, uint64_t threads)
{
    uint64_t bytes = elements * shape->shared[i].bytes * launch_copies(shape, i, elements, threads);

    return (bytes + COPIES_ALIGN - 1) / COPIES_ALIGN * COPIES_ALIGN;
}
