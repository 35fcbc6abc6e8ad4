/* Elements of arrays as they are sent, and what several ranks' come to: parts.c, combine.c. */
#pragma once

#include "runtime/many/plan.h"

/* ---- parts.c --------------------------------------------------------------------------------- */

/* The elements of an array of the host, one behind the other without gaps. */
uint64_t parcel_bytes(const kjit_array *array);
void parcel_take(const kjit_array *array, void *parcel);
void parcel_put(const kjit_array *array, const void *parcel);

/* ---- combine.c ------------------------------------------------------------------------------- */

/* Fills a parcel with what a float sum begins with on other ranks than the first. */
void combine_begin(kjit_dtype dtype, void *parcel, uint64_t bytes);
/* Puts one more rank's parcel to what the ranks before it came to. `begun` is what integers began
** with, on each of them. */
void combine_add(kjit_dtype dtype, Combine combine, void *sum, const void *parcel,
                 const void *begun, uint64_t bytes);
/* Takes what a rank changed. -1, or an element that ranks changed otherwise. */
int64_t merge_add(void *all, const void *parcel, const void *begun, uint64_t bytes, size_t item);
