/* All configurations in order, or in random order. */
#include "cli/search/search.h"

/* Evaluates a list, or the first of it within the budget. */
static bool in_order(Search *search, const size_t *list)
{
    double value;
    search_announce(search, list, search->space->count, true);
    for (size_t i = 0; i < search->space->count; i++)
        if (!search_value(search, list[i], &value))
            break;
    return true;
}

bool search_exhaustive(Search *search)
{
    size_t *list = malloc(search->space->count * sizeof *list);
    for (size_t i = 0; list && i < search->space->count; i++)
        list[i] = i;
    bool done = list && in_order(search, list);
    free(list);
    return done;
}

/* The baseline that other strategies must beat. */
bool search_at_random(Search *search)
{
    size_t *list = search_shuffled(search);
    bool done = list && in_order(search, list);
    free(list);
    return done;
}
