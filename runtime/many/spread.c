/* Memory that ranks share out: where it is, and what is current there. */
#include "runtime/many/group.h"

#include <sys/mman.h>

enum { PAGE = 4096, POISON = 0xA5, ALIGN = 16 };

/* KJIT_MANY_POISON=1: what is not current is overwritten, so that reads of it show. */
bool many_poisons(void)
{
    const char *said = getenv("KJIT_MANY_POISON");
    return said && *said && strcmp(said, "0") != 0;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static kjit_status fill_valid(kjit_group *group, Spread *spread)
{
    for (int p = 0; p < group->processes; p++)
        if (!region_append(&spread->valid[group_host(group, p)], 0, spread->bytes))
            return error_memory();
    return KJIT_OK;
}

/* How many begin at an address or before it. */
static size_t up_to(const kjit_group *group, const char *address)
{
    size_t low = 0, high = group->spread_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (group->spreads[middle]->begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool list_spread(kjit_group *group, Spread *spread)
{
    if (!memory_more(group->spreads, group->spread_count, group->spread_capacity))
        return false;
    size_t at = up_to(group, spread->begin);
    memmove(&group->spreads[at + 1], &group->spreads[at],
            (group->spread_count - at) * sizeof *group->spreads);
    group->spreads[at] = spread;
    group->spread_count++;
    return true;
}

kjit_status spread_open(kjit_group *group, void *begin, int64_t bytes, Spread **out)
{
    Spread *spread = memory_zeroed(1, sizeof *spread);

    *out = NULL;
    if (!spread)
        return error_memory();
    *spread = (Spread){ .begin = begin, .bytes = bytes, .number = group->spreads_made++ };
    spread->valid = memory_zeroed((size_t)group_places(group), sizeof *spread->valid);
    spread->memory = memory_zeroed((size_t)group->locals, sizeof *spread->memory);
    bool good = spread->valid && spread->memory && list_spread(group, spread);
    kjit_status status = good ? fill_valid(group, spread) : error_memory();
    if (status != KJIT_OK) {
        spread_close(group, spread);
        return status;
    }
    *out = spread;
    return KJIT_OK;
}

static void free_memory(kjit_group *group, int local, struct SpreadMemory *memory)
{
    if (memory->map)
        munmap(memory->map, memory->map_bytes);
    for (int tries = 0; memory->block.memory && tries < 2; tries++) /* it may fail to even begin */
        group->devices[local]->ops->release(group->devices[local], &memory->block, NULL);
}

void spread_close(kjit_group *group, Spread *spread)
{
    size_t at = up_to(group, spread->begin);

    if (at && group->spreads[at - 1] == spread) {
        group->spread_count--;
        memmove(&group->spreads[at - 1], &group->spreads[at],
                (group->spread_count + 1 - at) * sizeof *group->spreads);
    }
    error_quiet(true);
    for (int r = 0; spread->memory && r < group->locals; r++)
        free_memory(group, r, &spread->memory[r]);
    error_quiet(false);
    for (int place = 0; spread->valid && place < group_places(group); place++)
        region_free(&spread->valid[place]);
    reduce_free(spread->pending);
    memory_free(spread->valid);
    memory_free(spread->memory);
    memory_free(spread);
}

Spread *spread_find(const kjit_group *group, const void *address)
{
    const char *at = address;
    size_t before = up_to(group, at);
    Spread *spread = before ? group->spreads[before - 1] : NULL;

    return spread && at < spread->begin + spread->bytes ? spread : NULL;
}

bool spread_meets(const kjit_group *group, const void *low, const void *high)
{
    const char *from = low, *to = high;
    size_t before = up_to(group, from);
    const Spread *first = before ? group->spreads[before - 1] : NULL;
    const Spread *next = before < group->spread_count ? group->spreads[before] : NULL;

    return (first && from < first->begin + first->bytes) || (next && next->begin < to);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* As large as the whole, but made by the system only where it is written. Places in a page are
** kept: alignment may show. */
static kjit_status map_memory(const Spread *spread, struct SpreadMemory *memory)
{
    size_t offset = (uintptr_t)spread->begin % PAGE;

    memory->map_bytes = (size_t)spread->bytes + offset + PAGE;
    void *map = mmap(NULL, memory->map_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return error_memory();
    memory->map = map;
    memory->begin = memory->map;
    memory->begin += offset;
    if (many_poisons())
        memset(memory->begin, POISON, (size_t)spread->bytes);
    return KJIT_OK;
}

/* Where processes share launches it is aligned alike in all of them, so that code is the same. */
static kjit_status device_memory(const kjit_group *group, Device *device, const Spread *spread,
                                 struct SpreadMemory *memory)
{
    size_t offset = group->engine ? 0 : (uintptr_t)spread->begin % ALIGN;

    memory->block = (Block){ .bytes = (size_t)spread->bytes + offset };
    KJIT_TRY(device->ops->alloc(device, &memory->block, NULL));
    memory->begin = (char *)memory->block.memory + offset;
    return KJIT_OK;
}

kjit_status spread_at(kjit_group *group, Spread *spread, int place, int64_t at, char **address)
{
    int local = place - group->first;

    if (place >= group->ranks || (!group->apart && local == 0)) {
        *address = spread->begin + at;
        return KJIT_OK;
    }
    struct SpreadMemory *memory = &spread->memory[local];
    if (!memory->begin)
        KJIT_TRY(group->gpu ? device_memory(group, group->devices[local], spread, memory)
                            : map_memory(spread, memory));
    *address = memory->begin + at;
    return KJIT_OK;
}

/* ---- what is current ------------------------------------------------------------------------- */

static void poison(kjit_group *group, Spread *spread, int place, const Region *bytes)
{
    char *at;
    Region lost;

    if (!many_poisons() || !group_is_local(group, place) || group_on_gpu(group, place) ||
        spread_at(group, spread, place, 0, &at) != KJIT_OK ||
        !region_common(&spread->valid[place], bytes, &lost))
        return;
    for (int64_t i = 0; i < lost.count; i++)
        memset(at + lost.runs[i].low, POISON, (size_t)(lost.runs[i].high - lost.runs[i].low));
    region_free(&lost);
}

kjit_status spread_claim(kjit_group *group, Spread *spread, int place, const Region *written)
{
    if (!written->count)
        return KJIT_OK;
    for (int other = 0; other < group_places(group); other++) {
        if (other != place)
            poison(group, spread, other, written);
        bool good = other == place ? region_add(&spread->valid[other], written)
                                   : region_take_away(&spread->valid[other], written);
        if (!good)
            return error_memory();
    }
    return KJIT_OK;
}

kjit_status spread_claim_host(kjit_group *group, Spread *spread)
{
    reduce_free(spread->pending);
    spread->pending = NULL;
    for (int place = 0; place < group_places(group); place++)
        spread->valid[place].count = 0;
    return fill_valid(group, spread);
}
