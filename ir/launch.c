#include "ir/launch.h"

#include <stdlib.h>
#include <string.h>

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

bool launch_alone(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.alone, launch->facts.alone, param);
}

bool launch_aligned(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.aligned, launch->facts.aligned, param);
}

bool launch_few_elements(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.few_elements, launch->facts.few_elements, param);
}

bool launch_tiny_array(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.tiny_arrays, launch->facts.tiny_arrays, param);
}

bool launch_small_scalar(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.small_scalars, launch->facts.small_scalars, param);
}

bool launch_positive_scalar(IrLaunch *launch, int param)
{
    return launch &&
           ask_param(&launch->asked.positive_scalars, launch->facts.positive_scalars, param);
}

bool launch_short(IrLaunch *launch, int param)
{
    return launch && ask_param(&launch->asked.shorts, launch->facts.shorts, param);
}

bool launch_multiple(IrLaunch *launch, int param, int of)
{
    if (of == 4)
        return launch && ask_param(&launch->asked.multiples_4, launch->facts.multiples_4, param);
    return launch && ask_param(&launch->asked.multiples_16, launch->facts.multiples_16, param);
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
    launch->asked.grid_size |= bit;
    return launch->facts.grid_size & bit;
}

bool launch_serves(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    return !((own->alone ^ facts->alone) & asked->alone) &&
           !((own->aligned ^ facts->aligned) & asked->aligned) &&
           !((own->few_elements ^ facts->few_elements) & asked->few_elements) &&
           !((own->tiny_arrays ^ facts->tiny_arrays) & asked->tiny_arrays) &&
           !((own->small_scalars ^ facts->small_scalars) & asked->small_scalars) &&
           !((own->positive_scalars ^ facts->positive_scalars) & asked->positive_scalars) &&
           !((own->multiples_4 ^ facts->multiples_4) & asked->multiples_4) &&
           !((own->multiples_16 ^ facts->multiples_16) & asked->multiples_16) &&
           !((own->shorts ^ facts->shorts) & asked->shorts) &&
           !((own->grid_size ^ facts->grid_size) & asked->grid_size) &&
           (!asked->narrow || own->narrow == facts->narrow) &&
           (!asked->value_count || same_values(own, facts)) &&
           (!asked->many_blocks || own->many_blocks == facts->many_blocks) &&
           (!asked->block[0] || memcmp(own->block, facts->block, sizeof own->block) == 0);
}

bool launch_allows(const IrLaunch *launch, const IrFacts *facts)
{
    const IrFacts *own = &launch->facts, *asked = &launch->asked;

    return !(own->alone & asked->alone & ~facts->alone) &&
           !(own->aligned & asked->aligned & ~facts->aligned) &&
           !(own->few_elements & asked->few_elements & ~facts->few_elements) &&
           !(own->tiny_arrays & asked->tiny_arrays & ~facts->tiny_arrays) &&
           !(own->small_scalars & asked->small_scalars & ~facts->small_scalars) &&
           !(own->positive_scalars & asked->positive_scalars & ~facts->positive_scalars) &&
           !(own->multiples_4 & asked->multiples_4 & ~facts->multiples_4) &&
           !(own->multiples_16 & asked->multiples_16 & ~facts->multiples_16) &&
           !(own->shorts & asked->shorts & ~facts->shorts) &&
           (!asked->narrow || !own->narrow || facts->narrow) &&
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
    const uint64_t all = ~UINT64_C(0);

    if (is_word(text, length, "common")) {
        facts->narrow = facts->many_blocks = true;
        facts->grid_size = GRID_ALL;
        facts->alone = facts->aligned = facts->few_elements = facts->tiny_arrays =
            facts->small_scalars = facts->positive_scalars = facts->multiples_4 =
                facts->multiples_16 = facts->shorts = all;
    } else if (is_word(text, length, "narrow")) {
        facts->narrow = true;
    } else if (is_word(text, length, "many_blocks")) {
        facts->many_blocks = true;
    } else if (is_word(text, length, "alone")) {
        facts->alone = all;
    } else if (is_word(text, length, "aligned")) {
        facts->aligned = all;
    } else if (is_word(text, length, "few_elements")) {
        facts->few_elements = all;
    } else if (is_word(text, length, "tiny_arrays")) {
        facts->tiny_arrays = all;
    } else if (is_word(text, length, "small_scalars")) {
        facts->small_scalars = all;
    } else if (is_word(text, length, "positive_scalars")) {
        facts->positive_scalars = all;
    } else if (is_word(text, length, "multiples_4")) {
        facts->multiples_4 = all;
    } else if (is_word(text, length, "multiples_16")) {
        facts->multiples_16 = all;
    } else if (is_word(text, length, "shorts")) {
        facts->shorts = all;
    } else if (is_word(text, length, "large_grid")) {
        facts->grid_size = GRID_ALL;
    } else if (length > 6 && strncmp(text, "block=", 6) == 0) {
        return read_block(text + 6, text + length, facts->block);
    } else {
        return is_word(text, length, "none");
    }
    return true;
}

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

uint32_t launch_copies(const IrShape *shape, int i, uint64_t elements, uint64_t threads)
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
