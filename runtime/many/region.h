/* Sets of bytes of a piece of memory: runs in ascending order, which neither meet nor touch. A set
** without runs needs no memory; region_free() the others. What can fail for lack of memory gives
** false, and leaves what it changes as it was. */
#pragma once

#include "ir/predict/split.h"
#include "include/kjit_tools.h"

typedef struct Run {
    int64_t low, high; /* from low to before high */
} Run;

typedef struct Region {
    Run *runs;
    int64_t count, capacity;
} Region;

/* Frees the runs. The functions below that give a bool are false without memory. */
void region_free(Region *region);
/* A run behind all that are there, or touching the last. */
bool region_append(Region *region, int64_t low, int64_t high);
/* to = to and also `more`, to without `less`, and what is in both of a and b. */
bool region_add(Region *to, const Region *more);
bool region_take_away(Region *to, const Region *less);
bool region_common(const Region *a, const Region *b, Region *common);
bool region_copy(const Region *from, Region *to);
/* The bytes of an array's elements whose index along an axis is in a stretch (NULL: all), counted
** from `begin`. With `coarse` also those between them. */
bool region_of_array(const kjit_array *array, int axis, const SplitStretch *stretch,
                     const char *begin, bool coarse, Region *region);
