/* Local search: moves to the first better neighbour until there is none, then restarts from a
** random configuration that is not evaluated yet.
**
** Restrictions between parameters can leave configurations with few neighbours or none, so a local
** optimum leads to a restart, not to the end. */
#include "cli/search/search.h"

/* Descends from `index`; false when the search is over. */
static bool descend(Search *search, size_t index, size_t *neighbours)
{
    double here, there;
    search_announce(search, &index, 1, true);
    if (!search_value(search, index, &here))
        return false;
    for (;;) {
        size_t count = search_neighbours(search, index, neighbours), i;
        search_announce(search, neighbours, count, false);
        for (i = 0; i < count; i++) {
            if (!search_value(search, neighbours[i], &there))
                return false;
            if (there < here)
                break;
        }
        if (i == count)
            return true;
        index = neighbours[i];
        here = there;
    }
}

bool search_greedy(Search *search)
{
    size_t *neighbours = malloc(search_neighbour_room(search->space) * sizeof *neighbours);
    bool going = neighbours != NULL;
    while (going && !search_over(search))
        going = descend(search, search_unknown(search), neighbours);
    free(neighbours);
    return neighbours != NULL;
}
