/* Searching a space of configurations for the one of least value.
**
** It knows nothing of kernels: a space is a list of configurations, and what one is worth a
** callback says. So a search can be made over a device, over a run that is played back, or over
** numbers that a test made up. The same seed over the same values makes the same search. */
#ifndef KJIT_TUNE_SEARCH_H
#define KJIT_TUNE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allowed configurations, each one value's index a parameter, in lexicographic order. */
typedef struct SearchSpace {
    size_t params;
    const size_t *value_counts;   /* a parameter */
    const double *const *numbers; /* of a parameter, a value; NULL where they are no numbers */
    const uint32_t *configs;      /* `count` times `params` */
    size_t count;
    /* Of each: the logarithm of what it is worth, but for a constant, as well as that can be
    ** guessed beforehand. NULL: nobody knows. */
    const double *expected;
} SearchSpace;

/* Where a configuration stands in the list; SIZE_MAX if it is not allowed. */
size_t search_find(const SearchSpace *space, const uint32_t *config);
const uint32_t *search_config(const SearchSpace *space, size_t index);

/* What the configuration is worth: less is better, INFINITY is one that failed. False ends the
** search. No configuration is asked for twice. */
typedef bool SearchEvaluate(void *context, size_t index, double *value);
/* These are asked for next, in this order if that is certain, or are likely to be: they can be
** prepared meanwhile. */
typedef void SearchComing(void *context, const size_t *indices, size_t count, bool certain);

typedef struct Search {
    const SearchSpace *space;
    uint64_t seed;
    size_t budget; /* evaluations at most */
    SearchEvaluate *evaluate;
    SearchComing *coming; /* NULL: nobody wants to know */
    void *context;

    /* The search's own. */
    uint64_t state; /* of the random numbers */
    double *values; /* NAN: not evaluated */
    size_t *order;  /* in which they were */
    size_t done;
    size_t best; /* the best one's index, SIZE_MAX if none succeeded */
    bool stopped;
} Search;

typedef struct Strategy {
    const char *name, *about;
    bool (*run)(Search *search); /* false if memory ran out */
} Strategy;

/* NULL beyond the last; by its name, NULL if there is none. */
const Strategy *strategy_at(size_t index);
const Strategy *strategy_find(const char *name);

/* Searches until the budget is spent, the callback says stop, or nothing is left. False if memory
** ran out. Afterwards search_free(), failed or not. */
bool search_run(Search *search, const Strategy *strategy);
void search_free(Search *search);

/* ---- for the strategies ---------------------------------------------------------------------- */

/* Its value, asked for unless it is known. False: the search is over. */
bool search_value(Search *search, size_t index, double *value);
bool search_known(const Search *search, size_t index);
/* Whether nothing more may be asked for. */
bool search_over(const Search *search);
void search_coming(const Search *search, const size_t *indices, size_t count, bool certain);
/* From 0 up to `below`, which is not 0; and from 0 up to 1. */
size_t search_random(Search *search, size_t below);
double search_uniform(Search *search);
/* All configurations in a random order, to be free()d; NULL if there is no memory. */
size_t *search_shuffled(Search *search);
/* One that is not known yet; SIZE_MAX if all are. */
size_t search_unknown(Search *search);
/* The allowed configurations that differ in one parameter, those with an adjacent value first, each
** part in random order; `list` has room for all values of all parameters. */
size_t search_neighbours(Search *search, size_t index, size_t *list);
size_t search_neighbour_room(const SearchSpace *space);

bool search_exhaustive(Search *search);
bool search_at_random(Search *search);
bool search_greedy(Search *search);
bool search_genetic(Search *search);
bool search_model(Search *search);

#endif
