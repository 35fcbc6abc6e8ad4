/* Several kernels' texts as one. */
#pragma once

#include "base/table.h"
#include "runtime/runtime.h"

typedef struct TextJoin {
    Buf *out;
    Table shared; /* what texts define, to the words of the first that does */
    int count;    /* of the texts */
} TextJoin;

/* No texts yet; they are appended to `out`. */
void join_init(TextJoin *join, Buf *out);
/* Puts a kernel's C text so that others can stand before and behind it: its entry is called
** `entry_name`, and whatever else it defines has a name that ends in the number of texts before. */
void join_text(TextJoin *join, const char *text, const char *entry, const char *entry_name);
