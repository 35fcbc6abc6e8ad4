/* How a launch is split over ranks (ir/predict/split.h): the plan of a kernel, a launch and what
** the user says of its arrays. */
#pragma once

#include "ir/predict/split.h"
#include "include/kjit_tools.h"
#include "runtime/runtime.h"

/* What is said of one array. */
typedef struct ManyWish {
    SplitWish wish;
    bool ordered; /* sums are added rank after rank */
} ManyWish;

/* Ends a digest; 0: there was no memory for it. */
struct KeyState;
uint64_t many_digest(struct KeyState *state);
/* Adds an argument, a tuple's item after item: types, values of scalars, of floats only where these
** matter, and of each array what `add_array` adds. */
typedef void KeyArray(struct KeyState *state, const kjit_array *array, const void *of);
void many_key_arg(struct KeyState *state, const kjit_arg *arg, bool floats, KeyArray *add_array,
                  const void *of);
/* Reads what is said, one ManyWish for each parameter, in the arena. */
kjit_status plan_read_wishes(Arena *arena, const kjit_kernel *kernel, const kjit_arg *args,
                             const kjit_wish *list, size_t count, ManyWish **wishes);
/* The plan, in the arena, of blocks, or of so many threads `together` (NULL: blocks). The caller
** has the module's lock and catches the arena. KJIT_INVALID, with the line, if the launch is
** refused. */
kjit_status plan_make(Arena *arena, const kjit_kernel *kernel, const kjit_launch_config *config,
                      const kjit_arg *args, size_t count, const ManyWish *wishes, int ranks,
                      const uint64_t together[3], SplitPlan *plan);
