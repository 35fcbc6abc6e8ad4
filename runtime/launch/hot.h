/* Kernels that are launched again and again with the same extents and scalars.
**
** After a number of such launches in a row a variant is compiled behind them that has these values
** as constants. Some launches with either are then timed by events, alternately, and the variant
** serves such launches from then on if it was faster. */
#pragma once

#include "runtime/runtime.h"

typedef struct Hot Hot;

enum { VALUES_MAX = 128 };

/* The values of a launch, as ir/launch.h lists them. */
typedef struct HotValues {
    int64_t of[VALUES_MAX];
    int count; /* -1: too many */
} HotValues;

/* Lists what a variant may have as constants: extents and scalars, in the order of the
** arguments. */
void hot_values(const kjit_arg *args, size_t count, HotValues *values);

/* A launch that is timed. */
typedef struct HotLaunch {
    Hot *hot; /* NULL: it is not */
    int which;
} HotLaunch;

/* What a launch that dispatch() chose `spec` for is to run: that, or the variant that has its
** values as constants. `config` is the launch's. With `timed` the launch counts, and is followed by
** hot_before() and hot_after(), or hot_drop(). */
Specialisation *hot_choose(kjit_kernel *kernel, Specialisation *spec, const kjit_arg *args,
                           size_t count, const kjit_launch_config *config, HotLaunch *timed);
/* Around the launch itself, in the order of its stream. */
void hot_before(const HotLaunch *timed, Device *device, void *stream);
void hot_after(const HotLaunch *timed, Device *device, void *stream);
void hot_drop(const HotLaunch *timed);
/* The variant is there; NULL: it could not be made. */
void hot_built(Hot *hot, Specialisation *variant);
/* One that counts from 0; NULL without memory. */
Hot *hot_new(void);
/* NULL is harmless. */
void hot_free(Hot *hot);
/* Lets go of what belongs to the device. */
void hot_close(Hot *hot, Device *device);
