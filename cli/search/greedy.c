/* Local search: from anywhere to the first neighbour that is better, until none is; then again from
** a place that nobody has seen.
**
** Restrictions that tie parameters together leave configurations with few neighbours, or none: so
** that is no reason to stop, but one to begin elsewhere. */
#include "cli/search/search.h"

#include <stdlib.h>

/* Goes down from `index`; false when the search is over. */
static bool descend(Search *search, size_t index, size_t *neighbours)
{
    double here, there;
    search_coming(search, &index, 1, true);
    if (!search_value(search, index, &here))
        return false;
    for (;;) {
        size_t count = search_neighbours(search, index, neighbours), i;
        search_coming(search, neighbours, count, false);
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
