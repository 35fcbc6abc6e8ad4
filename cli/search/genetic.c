/* A genetic search: the better configurations so far are parents; a child takes each parameter from
** one of two parents (crossover), and sometimes a random value (mutation). Children that are not
** allowed, or evaluated already, are retried, and finally replaced by a random new configuration,
** so that small and sparse spaces neither stall nor repeat. */
#include "cli/search/search.h"

enum { POPULATION = 20, TRIES = 32 };

/* Tournament selection: the better of two random members. */
static size_t choose_parent(Search *search, const size_t *members, size_t count)
{
    size_t one = members[search_random(search, count)];
    size_t other = members[search_random(search, count)];
    return search->values[other] < search->values[one] ? other : one;
}

/* SIZE_MAX if no allowed and new child was found. */
static size_t make_child(Search *search, const size_t *members, size_t count)
{
    const SearchSpace *space = search->space;
    uint32_t child[space->params + 1];
    for (int tries = 0; tries < TRIES; tries++) {
        const uint32_t *one = search_config(space, choose_parent(search, members, count));
        const uint32_t *other = search_config(space, choose_parent(search, members, count));
        for (size_t i = 0; i < space->params; i++) {
            child[i] = search_random(search, 2) ? one[i] : other[i];
            if (search_uniform(search) * (double)space->params < 1)
                child[i] = (uint32_t)search_random(search, space->value_counts[i]);
        }
        size_t found = search_find(space, child);
        if (found != SIZE_MAX && !search_known(search, found))
            return found;
    }
    return SIZE_MAX;
}

static bool contains(const size_t *list, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == index)
            return true;
    return false;
}

/* Evaluates newcomers, which replace the worst members if they are better. */
static bool renew(Search *search, size_t *members, size_t *count, const size_t *newcomers,
                  size_t new_count)
{
    double value;
    search_announce(search, newcomers, new_count, true);
    for (size_t i = 0; i < new_count; i++) {
        if (!search_value(search, newcomers[i], &value))
            return false;
        size_t worst = 0;
        for (size_t m = 1; m < *count; m++)
            if (search->values[members[m]] > search->values[members[worst]])
                worst = m;
        if (*count < POPULATION)
            members[(*count)++] = newcomers[i];
        else if (value < search->values[members[worst]])
            members[worst] = newcomers[i];
    }
    return true;
}

/* Half as many distinct children as there are members; without members, random configurations. */
static size_t next_generation(Search *search, const size_t *members, size_t count,
                              size_t newcomers[POPULATION])
{
    size_t wanted = count ? POPULATION / 2 : POPULATION, made = 0;
    for (size_t i = 0; i < wanted; i++) {
        size_t child = count ? make_child(search, members, count) : SIZE_MAX;
        if (child == SIZE_MAX)
            child = search_unknown(search);
        if (child != SIZE_MAX && !contains(newcomers, made, child))
            newcomers[made++] = child;
    }
    return made;
}

bool search_genetic(Search *search)
{
    size_t members[POPULATION], newcomers[POPULATION], count = 0;
    while (!search_over(search)) {
        size_t made = next_generation(search, members, count, newcomers);
        if (!renew(search, members, &count, newcomers, made))
            break;
    }
    return true;
}
