/* `kjit bench`: what its files share. */
#ifndef KJIT_BENCH_H
#define KJIT_BENCH_H

#include <jansson.h>

#include "cli/cli.h"

/* Of what --json writes, which --compare has to know. */
enum { BENCH_FORMAT = 2 };

typedef struct BenchOptions {
    LaunchOptions launch;
    Target target;
    const char *second;  /* with --compare: the newer file; `target` has the older */
    bool compare, count; /* count: nothing is timed */
    bool json, no_wisdom;
    uint64_t samples; /* at most, of a measurement; 0: as many as there is time for */
    double seconds;   /* for a measurement */
    double least;     /* --compare: percent that medians must differ by */
} BenchOptions;

/* What became of one kernel. */
typedef struct BenchRow {
    const char *file;
    kjit_context *context;
    kjit_kernel *kernel;
    const kjit_arg *args;
    kjit_launch_config config;
    bool chosen; /* by the sizes of the arrays */
    bool tuned;  /* the kernel and the shape are those that wisdom has */
    Taken taken; /* of wisdom, if it was asked */
    kjit_work work;
    bool counted;
    char *why_not;     /* it was not counted; else NULL */
    bool timed;        /* then what follows holds */
    Timing cold, warm; /* with empty caches, and with what the launch before left in them */
    kjit_sensors before, after;
} BenchRow;

/* How a row's time compares with the least that the device would need. */
typedef struct Roof {
    double ms;        /* the least */
    const char *what; /* what takes so long: "memory", "float32 arithmetic"; NULL: not known */
    bool drifts;      /* as of peaks_drift(): it says little */
} Roof;

Roof bench_roof(const BenchRow *row, const Peaks *peaks);
/* All floating-point operations. */
uint64_t bench_flops(const kjit_work *work);

/* run.c: chooses how `row` is launched, compiles it and counts what it does; times it.
** Afterwards bench_row_free(), failed or not. Exit statuses. */
int bench_prepare(const BenchOptions *bench, BenchRow *row);
int bench_time(const BenchOptions *bench, BenchRow *row);
void bench_row_free(BenchRow *row);

/* print.c: for people. `peaks` are NULL if nothing was timed. */
void bench_print_device(FILE *out, kjit_context *context, const Peaks *peaks);
void bench_print_row(FILE *out, const BenchRow *row, const Peaks *peaks);

/* json.c: for programs: a json_t to which rows are added; bench_json_print() lets go of
** it. */
void *bench_json_new(kjit_context *context, const Peaks *peaks);
void bench_json_add(void *root, const BenchRow *row, const Peaks *peaks);

/* pair.c: of each of one file's kernels the number of the same one in the other's, of the
** same path, or of the same file name where that is clear; SIZE_MAX: it has none such. To be
** free()d. And what differs in how two such were launched, for people. */
size_t *bench_pair(const json_t *before, const json_t *after);
void bench_tell_pair(const json_t *before, const json_t *after);

/* compare.c: what differs between two files that --json wrote. EXIT_DEFECT if something is
** slower, EXIT_FAILED if there is nothing to compare. */
int bench_compare(const char *older, const char *newer, double least_percent);

#endif
