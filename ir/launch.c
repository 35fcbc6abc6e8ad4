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

bool launch_many_blocks(IrLaunch *launch)
{
    if (!launch)
        return false;
    launch->asked.many_blocks = true;
    return launch->facts.many_blocks;
}

bool launch_in_parts(const IrLaunch *launch)
{
    return launch && launch->facts.parts;
}

#define ASKS_PARAM(name, fact)                                                                     \
    bool launch_##name(IrLaunch *launch, int param)                                                \
    {                                                                                              \
        return launch && ask_param(&launch->asked.fact, launch->facts.fact, param);                \
    }
ASKS_PARAM(alone, alone)
ASKS_PARAM(aligned, aligned)
ASKS_PARAM(some_elements, some_elements)
ASKS_PARAM(few_elements, few_elements)
ASKS_PARAM(tiny_array, tiny_arrays)
ASKS_PARAM(small_scalar, small_scalars)
ASKS_PARAM(positive_scalar, positive_scalars)
ASKS_PARAM(short, shorts)
ASKS_PARAM(slim, slims)
ASKS_PARAM(width_2, width_2)
ASKS_PARAM(width_3, width_3)
ASKS_PARAM(width_4, width_4)
ASKS_PARAM(width_6, width_6)
ASKS_PARAM(short_row, short_rows)
ASKS_PARAM(long, longs)
ASKS_PARAM(alike, alike)
#undef ASKS_PARAM

int64_t launch_width(IrLaunch *launch, int param)
{
    int64_t width = launch_width_2(launch, param) ? 2 : 0;
    width = launch_width_3(launch, param) ? 3 : width;
    width = launch_width_4(launch, param) ? 4 : width;
    return launch_width_6(launch, param) ? 6 : width;
}

bool launch_multiple(IrLaunch *launch, int param, int of)
{
    if (of == 4)
        return launch && ask_param(&launch->asked.multiples_4, launch->facts.multiples_4, param);
    return launch && ask_param(&launch->asked.multiples_16, launch->facts.multiples_16, param);
}

uint64_t launch_together(const IrShape *shape, int k)
{
    uint64_t threads = (uint64_t)shape->block[k] * shape->tile[k];
    return k == 0 && shape->team ? threads / shape->team : threads;
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

bool launch_many_along(IrLaunch *launch, int axis)
{
    return launch_large_grid(launch, (unsigned)GRID_X << axis);
}

bool launch_some_along(IrLaunch *launch, int axis)
{
    return launch_large_grid(launch, (unsigned)GRID_SOME_X << axis);
}

const ParamFact launch_param_facts[] = {
    { "alone", offsetof(IrFacts, alone) },
    { "aligned", offsetof(IrFacts, aligned) },
    { "some_elements", offsetof(IrFacts, some_elements) },
    { "few_elements", offsetof(IrFacts, few_elements) },
    { "tiny_arrays", offsetof(IrFacts, tiny_arrays) },
    { "small_scalars", offsetof(IrFacts, small_scalars) },
    { "positive_scalars", offsetof(IrFacts, positive_scalars) },
    { "multiples_4", offsetof(IrFacts, multiples_4) },
    { "multiples_16", offsetof(IrFacts, multiples_16) },
    { "shorts", offsetof(IrFacts, shorts) },
    { "slims", offsetof(IrFacts, slims) },
    { "width_2", offsetof(IrFacts, width_2) },
    { "width_3", offsetof(IrFacts, width_3) },
    { "width_4", offsetof(IrFacts, width_4) },
    { "width_6", offsetof(IrFacts, width_6) },
    { "short_rows", offsetof(IrFacts, short_rows) },
    { "longs", offsetof(IrFacts, longs) },
    { "alike", offsetof(IrFacts, alike) },
    { NULL, 0 },
};

uint64_t *launch_param_fact(const IrFacts *facts, const ParamFact *fact)
{
    return (uint64_t *)(void *)((char *)facts + fact->offset);
}

bool launch_serves(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    for (const ParamFact *fact = launch_param_facts; fact->name; fact++)
        if ((*launch_param_fact(own, fact) ^ *launch_param_fact(facts, fact)) &
            *launch_param_fact(asked, fact))
            return false;
    return !((own->grid_size ^ facts->grid_size) & asked->grid_size) &&
           !((own->array_size ^ facts->array_size) & asked->array_size) &&
           (!asked->narrow || own->narrow == facts->narrow) &&
           (!asked->value_count || same_values(own, facts)) &&
           (!asked->many_blocks || own->many_blocks == facts->many_blocks) &&
           (!asked->block[0] || memcmp(own->block, facts->block, sizeof own->block) == 0);
}

bool launch_allows(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    for (const ParamFact *fact = launch_param_facts; fact->name; fact++)
        if (*launch_param_fact(own, fact) & *launch_param_fact(asked, fact) &
            ~*launch_param_fact(facts, fact))
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

    for (const ParamFact *fact = launch_param_facts; fact->name; fact++)
        if ((common && strncmp(fact->name, "width", 5) != 0) || is_word(text, length, fact->name)) {
            *launch_param_fact(facts, fact) = ~UINT64_C(0);
            known = true;
        }
    if (common || is_word(text, length, "narrow"))
        facts->narrow = known = true;
    if (common || is_word(text, length, "many_blocks"))
        facts->many_blocks = known = true;
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
    "none, common, narrow, " LAUNCH_SETS(FACT) "many_blocks, large_grid and block=16x16";
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
