/* What privatise.c decides and make.c builds. Not for others. */
#pragma once

#include "ir/analysis/flow/sets.h"
#include "ir/schedule/schedule.h"

/* An array parameter that atomics go to. */
typedef struct Private {
    IrVar *param; /* NULL: none do */
    Combine combine;
    Span span;       /* of the first of them */
    bool looped;     /* one of them at least stands in a loop */
    bool often;      /* several threads of a block may come to one, or one thread several times */
    bool pitched;    /* threads that come together go to one column of several rows */
    const char *why; /* what prevents it; NULL: nothing */
    uint32_t room;   /* bytes for its copies that a thread brings, a multiple of 8 */
    /* what make.c makes of it, the numbers uint32 */
    IrVar *shared;         /* the dynamic shared memory as an array of its elements */
    IrVar *count, *copies; /* how many elements it has; how many copies there are of it */
    IrVar *begin, *mine;   /* where the copies begin, NULL: at 0; and this thread's one,
                            which counts from there if they are pitched */
    IrVar *mixed;          /* of what is pitched: how many places are mixed */
} Private;

/* Where atomics go instead. */
typedef enum PrivateTo {
    PRIVATE_BLOCK,      /* to copies of each block, in shared memory */
    PRIVATE_ITERATIONS, /* the same, with a loop around the whole kernel */
    PRIVATE_WORKER,     /* to copies of each of the processor's threads */
    PRIVATE_EXACT       /* to exact sums, which are rounded at the end */
} PrivateTo;

/* The arrays whose atomics can go there, `most` of them at most; tells why others cannot. Returns
** how many. */
int privatise_choose(IrUnit *unit, PrivateTo to, Private **chosen, int most);
/* Those of the arrays that the schedule has there, which it notes as done. Returns how many. */
int privatise_keep(IrUnit *unit, Primitive primitive, Private **chosen, int count);
/* Gives each array its copies, and merges them at the kernel's end, which every path reaches. */
void privatise_make(IrUnit *unit, Private *const *arrays, int count);
/* The array, or NULL, whose atomic `value` is. */
Private *privatise_find(Private *const *arrays, int count, const IrValue *value);
/* The axes, 1 << axis, along which threads of a block that meet a condition are one. */
unsigned privatise_pinned(const IrSets *sets, const IrValue *condition);
/* The parameter that an array value is as a whole, whatever is known of its layout; or NULL. */
IrVar *privatise_whole(const IrValue *array);
