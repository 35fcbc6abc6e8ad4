/* How long launches take, and what that is worth: what `run --time`, `bench` and `tune` share. It
** stands on the public header alone.
**
** On a GPU time is what passes on the device between two events, while launches that were queued
** before it began run one after the other; on the processor it is the clock's. What the host takes
** to launch is never in it. */
#pragma once

#include <stdbool.h>

#include "include/kjit_tools.h"

/* ---- device_args.c ------------------------------------------------------------------------ */

/* Copies of a launch's arguments: scalars as they are, arrays in memory of their own with the same
** strides, as far from a multiple of 64 bytes, and sharing memory where they did. So launches with
** them are of the same types and variant, and what is launched with them leaves the caller's arrays
** alone. One thread at a time. */
typedef struct DeviceArgs DeviceArgs;

/* Copies in the context's device. `args` are of the host; they
** and what they point to stay, and keep their values, as long as the copies are used: they are what
** device_args_restore() brings back. The copies are the caller's: device_args_free(). */
kjit_status device_args_new(kjit_context *context, const kjit_arg *args, size_t count,
                            DeviceArgs **copies);
/* NULL is harmless. */
void device_args_free(DeviceArgs *copies);
/* The arguments to launch with: as many as there were, good until they are freed. */
const kjit_arg *device_args_list(const DeviceArgs *copies);
/* To be called before anything is launched with the copies, or not at all: keeps on a GPU, if that
** has room, what the arrays hold of the arguments for which which[i] is not 0 (NULL: of all), so
** that restoring them takes nothing from the host. Elsewhere it does nothing. */
kjit_status device_args_keep(DeviceArgs *copies, const uint32_t *which);
/* In the order of a stream, which may be NULL, the arrays hold again what they held at first; with
** `which`, those of the arguments alone for which which[i] is not 0, and what shares memory with
** them. From the second time on a GPU takes that from a copy on the device, if that has room. */
kjit_status device_args_restore(DeviceArgs *copies, kjit_stream *stream, const uint32_t *which);

/* ---- flush.c ------------------------------------------------------------------------------ */

/* Empties the caches of a device by writing more memory than they hold. */
typedef struct Flush Flush;

/* The caller's: flush_free(), for which NULL is harmless. KJIT_UNSUPPORTED where the device does
** not tell how large its caches are. */
kjit_status flush_new(kjit_context *context, Flush **flush);
void flush_free(Flush *flush);
/* In the order of a stream. */
kjit_status flush_caches(Flush *flush, kjit_stream *stream);

/* ---- launches.c --------------------------------------------------------------------------- */

typedef struct MeasureOptions {
    size_t warm_up;         /* launches before those that count; at least one */
    double warm_up_seconds; /* and it goes on until so much time has passed */
    size_t least, most;     /* samples; `most` 0: as many as there is time for */
    double most_seconds;    /* behind the warm-up, but for `least`; 0: as long as it takes */
    double narrow;          /* from `least` on it stops when the interval is within so much of the
                               median, as 0.01; 0: it does not look */
    double stop_above_ms;   /* gives up early if it is clearly slower; 0: never */
    bool cold;              /* caches are emptied before each launch */
    bool alone;             /* a sample is one launch, however short */
    bool (*stop)(void);     /* what there is by then is enough; NULL: never */
    bool once;              /* samples that others have disturbed are not taken again */
    double known_ms;        /* what a launch took on the GPU a moment ago, by events; 0: not known.
                               One of half a millisecond or more needs no warm-up then, and what
                               seems hopeless is given up after one or two launches more */
    DeviceArgs *restore;    /* before each launch arrays come back that the kernel reads and writes,
                               which are these copies'; NULL: launches find what others left */
} MeasureOptions;

typedef struct Timing {
    double *ms; /* of a launch each, in the order they were taken */
    size_t count;
    size_t batch;             /* launches that a sample is the mean of */
    size_t launches;          /* made in all, those included that are no samples */
    double median, low, high; /* and its 95 % interval */
    double least;
    bool gave_up;
    int tries;           /* how often the samples were taken: up to MEASURE_TRIES times */
    char disturbed[120]; /* why even the last ones tell nothing, as of load_disturbs(); or empty */
    double *rounds;      /* the median of each that timing_join() put together; NULL: none */
    size_t round_count;
} Timing;

/* Samples that others have disturbed are thrown away and taken again, so often in all. */
enum { MEASURE_TRIES = 3 };

/* Times launches of a kernel, on a stream of its own; that of `config` does not matter. The arrays
** are the device's. With `cold`, or `restore` where the kernel reads what it writes, a sample is a
** single launch; else so many that they take long against what a clock can tell apart. Afterwards
** timing_free(), failed or not.
**
** What is timed on the processor while other programs have it tells nothing: nothing is given up by
** such samples, they are taken again, and where that does not help, `timing->disturbed` says so. */
kjit_status measure_launches(kjit_context *context, kjit_kernel *kernel,
                             const kjit_launch_config *config, const kjit_arg *device_args,
                             size_t count, const MeasureOptions *options, Timing *timing);
void timing_free(Timing *timing);
/* A round's samples come behind those of the rounds before; at first `timing` is { 0 }. Samples of
** one round depend on each other, as on where the arrays came to lie: from ROUNDS_TELL on it is the
** rounds' medians that the interval comes from. What disturbed one round has disturbed all. */
enum { ROUNDS_TELL = 6 };
void timing_join(Timing *timing, const Timing *round);

/* ---- peaks.c ------------------------------------------------------------------------------ */

/* The best that a device does with memory and arithmetic, as kernels of kjit's own find it. */
typedef struct Peaks {
    double copy_gbs; /* bytes read and written together, 1e9 a second, far beyond all caches */
    double float32_gflops, float64_gflops; /* 1e9 operations a second, a fused multiply-add two */
    int tries;                             /* how often they were measured: the best counts */
    double drift; /* how far the two best of each are apart at most, of the best */
} Peaks;

/* The two best are farther apart than they may be: what they tell is not what the device can do. */
bool peaks_drift(const Peaks *peaks);
/* At least twice, until the two best of each are near each other, up to PEAKS_TRIES times. */
enum { PEAKS_TRIES = 4 };
kjit_status measure_peaks(kjit_context *context, Peaks *peaks);
/* The same for the library. */
kjit_peaks measure_peaks_found(const Peaks *peaks);

/* ---- statistics.c ------------------------------------------------------------------------- */

/* Compares two doubles, as qsort() wants it. */
int statistics_compare(const void *a, const void *b);
/* Of numbers in any order, which stay as they are. 0 of none. */
double statistics_median(const double *values, size_t count);

/* A 95 % confidence interval of the median that assumes nothing of the distribution: from one order
** statistic to another, the narrowest symmetric ones with at least that probability. Of fewer than
** 6 values no such interval exists; theirs goes from the least to the largest, and `*confidence`,
** which may be NULL, is what that is worth. */
void statistics_interval(const double *values, size_t count, double *low, double *high,
                         double *confidence);

/* Whether two samples come from distributions of which neither tends to larger values: the
** two-sided p of Mann and Whitney's test. Exact for up to 20 values each without ties, else by the
** normal approximation with corrections for ties and continuity. 1 if a sample is empty. */
double statistics_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);
