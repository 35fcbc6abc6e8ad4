/* Searching a space of configurations for the one with the least value.
**
** It is independent of kernels: a space is a list of configurations, whose values a callback
** returns: measured, replayed from a log, or made up by a test. The same seed and values give the
** same search. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The allowed configurations, each an index of a value for every parameter, in lexicographic
** order. */
typedef struct SearchSpace {
    size_t params;
    const size_t *value_counts;   /* per parameter */
    const double *const *numbers; /* per parameter and value; NULL for a parameter whose values
                                     are no numbers */
    const uint32_t *configs;      /* `count` times `params` */
    size_t count;
    /* Per configuration an estimate of the logarithm of its value, up to a constant; or NULL. */
    const double *expected;
} SearchSpace;

/* The index of a configuration in the list; SIZE_MAX if it is not allowed. */
size_t search_find(const SearchSpace *space, const uint32_t *config);
const uint32_t *search_config(const SearchSpace *space, size_t index);

/* Evaluates a configuration: less is better, INFINITY if it failed. False ends the search. Called
** at most once for each. */
typedef bool SearchEvaluate(void *context, size_t index, double *value);
/* The configurations that are evaluated next, in this order if `certain`, else probably: so that
** they can be prepared meanwhile. */
typedef void SearchAnnounce(void *context, const size_t *indices, size_t count, bool certain);

typedef struct Search {
    const SearchSpace *space;
    uint64_t seed;
    size_t budget; /* maximum number of evaluations */
    SearchEvaluate *evaluate;
    SearchAnnounce *coming; /* or NULL */
    void *context;

    /* State of the search. */
    uint64_t state; /* of the random number generator */
    double *values; /* NAN: not evaluated */
    size_t *order;  /* indices in the order of evaluation */
    size_t done;
    size_t best; /* index of the best; SIZE_MAX: none has succeeded */
    bool stopped;
} Search;

typedef struct Strategy {
    const char *name, *about;
    bool (*run)(Search *search); /* false if memory ran out */
} Strategy;

/* The strategy of an index, or of a name; NULL: there is none. */
const Strategy *strategy_at(size_t index);
const Strategy *strategy_find(const char *name);

/* Searches until the budget is spent, the callback returns false, or all are evaluated. False if
** memory ran out. Then search_free(), failed or not. */
bool search_run(Search *search, const Strategy *strategy);
void search_free(Search *search);

/* ---- for the strategies ---------------------------------------------------------------------- */

/* The value of a configuration, evaluated unless it is known. False: the search is over. */
bool search_value(Search *search, size_t index, double *value);
bool search_known(const Search *search, size_t index);
/* Whether no more evaluations are possible. */
bool search_over(const Search *search);
void search_announce(const Search *search, const size_t *indices, size_t count, bool certain);
/* Random numbers: in [0, below), `below` not 0; in [0, 1). */
size_t search_random(Search *search, size_t below);
double search_uniform(Search *search);
/* All configurations in a random order, to be free()d; NULL if there is no memory. */
size_t *search_shuffled(Search *search);
/* A random configuration that is not evaluated yet; SIZE_MAX if all are. */
size_t search_unknown(Search *search);
/* The allowed configurations that differ in one parameter: those with an adjacent value first, then
** the others, each part in random order. `list` has space for search_neighbour_room() of them. */
size_t search_neighbours(Search *search, size_t index, size_t *list);
size_t search_neighbour_room(const SearchSpace *space);

bool search_exhaustive(Search *search);
bool search_at_random(Search *search);
bool search_greedy(Search *search);
bool search_genetic(Search *search);
bool search_model(Search *search);
