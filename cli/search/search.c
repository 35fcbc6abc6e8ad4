/* What the strategies share: look-up of configurations, evaluation, random numbers, neighbours. */
#include "cli/search/search.h"

#include <math.h>

/* ---- strategies ------------------------------------------------------------------------------ */

static const Strategy strategies[] = {
    { "model", "a Gaussian process says which one promises most", search_model },
    { "exhaustive", "all of them, in order", search_exhaustive },
    { "random", "any, none twice", search_at_random },
    { "greedy", "to the first better neighbour, and from elsewhere when there is none",
      search_greedy },
    { "genetic", "the better ones are crossed and mutated", search_genetic },
};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

const Strategy *strategy_at(size_t index)
{
    return index < STRATEGIES ? &strategies[index] : NULL;
}

const Strategy *strategy_find(const char *name)
{
    for (size_t i = 0; i < STRATEGIES; i++)
        if (!strcmp(strategies[i].name, name))
            return &strategies[i];
    return NULL;
}

bool search_run(Search *search, const Strategy *strategy)
{
    size_t count = search->space->count;
    search->state = search->seed;
    search->best = SIZE_MAX;
    search->done = 0;
    search->stopped = false;
    search->values = malloc((count ? count : 1) * sizeof *search->values);
    search->order = malloc((count ? count : 1) * sizeof *search->order);
    if (!search->values || !search->order)
        return false;
    for (size_t i = 0; i < count; i++)
        search->values[i] = NAN;
    return search_over(search) || strategy->run(search);
}

void search_free(Search *search)
{
    free(search->values);
    free(search->order);
    search->values = NULL;
    search->order = NULL;
}

/* ---- configurations -------------------------------------------------------------------------- */

const uint32_t *search_config(const SearchSpace *space, size_t index)
{
    return space->configs + index * space->params;
}

size_t search_find(const SearchSpace *space, const uint32_t *config)
{
    size_t low = 0, high = space->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2, param = 0;
        const uint32_t *other = search_config(space, middle);
        while (param < space->params && other[param] == config[param])
            param++;
        if (param == space->params)
            return middle;
        if (other[param] < config[param])
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

bool search_known(const Search *search, size_t index)
{
    return !isnan(search->values[index]);
}

bool search_over(const Search *search)
{
    return search->stopped || search->done >= search->budget ||
           search->done >= search->space->count;
}

bool search_value(Search *search, size_t index, double *value)
{
    if (search_known(search, index)) {
        *value = search->values[index];
        return true;
    }
    if (search_over(search))
        return false;
    if (!search->evaluate(search->context, index, value)) {
        search->stopped = true;
        return false;
    }
    if (!isfinite(*value))
        *value = (double)INFINITY;
    search->values[index] = *value;
    search->order[search->done++] = index;
    if (isfinite(*value) && (search->best == SIZE_MAX || *value < search->values[search->best]))
        search->best = index;
    return true;
}

void search_announce(const Search *search, const size_t *indices, size_t count, bool certain)
{
    size_t left = search->budget - search->done;
    if (search->coming && count && !search_over(search))
        search->coming(search->context, indices, count < left ? count : left, certain);
}

/* ---- randomness ------------------------------------------------------------------------------ */

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next_random(Search *search)
{
    uint64_t z = search->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t search_random(Search *search, size_t below)
{
    return (size_t)(((unsigned __int128)next_random(search) * below) >> 64);
}

double search_uniform(Search *search)
{
    return (double)(next_random(search) >> 11) * 0x1p-53;
}

static void shuffle(Search *search, size_t *list, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = search_random(search, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

size_t *search_shuffled(Search *search)
{
    size_t count = search->space->count;
    size_t *list = malloc((count ? count : 1) * sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = i;
    if (list)
        shuffle(search, list, count);
    return list;
}

size_t search_unknown(Search *search)
{
    size_t count = search->space->count;
    if (search->done >= count)
        return SIZE_MAX;
    /* A few tries suffice while many are left; then the next one after a random index. */
    for (int i = 0; i < 16; i++) {
        size_t index = search_random(search, count);
        if (!search_known(search, index))
            return index;
    }
    size_t index = search_random(search, count);
    while (search_known(search, index))
        index = index + 1 < count ? index + 1 : 0;
    return index;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

size_t search_neighbour_room(const SearchSpace *space)
{
    size_t room = 1;
    for (size_t i = 0; i < space->params; i++)
        room += space->value_counts[i];
    return room;
}

size_t search_neighbours(Search *search, size_t index, size_t *list)
{
    const SearchSpace *space = search->space;
    uint32_t config[space->params + 1];
    size_t count = 0;

    memcpy(config, search_config(space, index), space->params * sizeof *config);
    for (int adjacent = 1; adjacent >= 0; adjacent--) {
        size_t begin = count;
        for (size_t i = 0; i < space->params; i++) {
            uint32_t own = config[i];
            for (uint32_t value = 0; value < space->value_counts[i]; value++) {
                bool is_adjacent = value + 1 == own || value == own + 1;
                if (value == own || is_adjacent != adjacent)
                    continue;
                config[i] = value;
                size_t found = search_find(space, config);
                if (found != SIZE_MAX)
                    list[count++] = found;
            }
            config[i] = own;
        }
        shuffle(search, list + begin, count - begin);
    }
    return count;
}
