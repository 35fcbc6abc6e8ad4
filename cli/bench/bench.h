/* `kjit bench`: what its files share. */
#pragma once

#include <jansson.h>

#include "cli/cli.h"

/* Version of the format of --json, checked by --compare. */
enum { BENCH_FORMAT = 2 };

/* Of --devices: numbers of them, one after the other. */
typedef struct BenchDevices {
    const char *text; /* NULL: it was not given */
    const char *swap;
    ManyOptions many;
    int *counts;
    size_t count;
    bool processor; /* that serves so many ranks */
} BenchDevices;

typedef struct BenchOptions {
    LaunchOptions launch;
    Target target;
    BenchDevices devices;
    const char *report;   /* the file of --report, or NULL */
    const char **history; /* earlier files of --json for it */
    size_t history_count;
    const char *second;  /* with --compare: the newer file; `target` has the older */
    bool compare, count; /* count: nothing is timed */
    bool json, no_wisdom;
    uint64_t samples; /* maximum for a measurement; 0: limited by time */
    double seconds;   /* for a measurement */
    double least;     /* --compare: percent that medians must differ by */
} BenchOptions;

/* The results of one kernel. */
typedef struct BenchRow {
    const char *file;
    kjit_context *context;
    kjit_kernel *kernel;
    const kjit_arg *args;
    kjit_launch_config config;
    bool chosen; /* `config` follows from the sizes of the arrays */
    bool tuned;  /* kernel and shape are from wisdom */
    Taken taken; /* record of wisdom, if it was consulted */
    kjit_work work;
    bool counted;
    char *why_not;     /* reason if it was not counted, else NULL */
    bool timed;        /* the fields below are valid */
    Timing cold, warm; /* with empty caches; with those that the previous launch left */
    kjit_sensors before, after;
} BenchRow;

/* The roofline bound of a kernel. */
typedef struct Roof {
    double ms;        /* the least */
    const char *what; /* the limiting resource: "memory", "float32", "float64"; NULL: unknown */
    bool drifts;      /* peaks_drift(): it is unreliable */
} Roof;

/* The least time that the work of a row takes on a device of these peaks, and what limits it. */
Roof bench_roof(const BenchRow *row, const Peaks *peaks);
/* All floating-point operations. */
uint64_t bench_flops(const kjit_work *work);

/* run.c: chooses the launch, compiles it and counts its work; times it. Exit statuses. Then
** bench_row_free(), failed or not. */
int bench_prepare(const BenchOptions *bench, BenchRow *row);
int bench_time(const BenchOptions *bench, BenchRow *row);
void bench_row_free(BenchRow *row);

/* devices.c: reads what --devices takes; times a kernel on each number of them, in a table. Exit
** statuses. */
int bench_read_devices(const char *text, BenchDevices *devices);
int bench_devices(const BenchOptions *bench, Session *session, kjit_kernel *kernel);

enum { BENCH_TEXT = 48 };

/* print.c: as text. `peaks` is NULL if nothing was timed. */
void bench_print_device(FILE *out, kjit_context *context, const Peaks *peaks);
void bench_print_row(FILE *out, const BenchRow *row, const Peaks *peaks);
/* A duration with its unit. */
const char *bench_time_text(char text[BENCH_TEXT], double ms);

/* json.c: a json_t to which rows are added; json_print() frees it. */
void *bench_json_new(kjit_context *context, const Peaks *peaks);
void bench_json_add(void *root, const BenchRow *row, const Peaks *peaks);

/* pair.c: for each kernel of one file the index of the same one in the other, by path, or by file
** name if that is unambiguous; SIZE_MAX: none. To be free()d. bench_tell_pair() prints how the
** launches of two such differ. */
size_t *bench_pair(const json_t *before, const json_t *after);
void bench_tell_pair(const json_t *before, const json_t *after);
/* Whether two objects have the same under a key. */
bool bench_same(const json_t *a, const json_t *b, const char *key);

/* report.c: the page of --report; `now` is what --json prints, of timed kernels. */
int bench_report(const json_t *now, const BenchOptions *bench);

/* compare.c: reads a file of --json; NULL after a complaint. */
json_t *bench_read(const char *path);
/* Compares two of them. EXIT_DEFECT if something is slower, EXIT_FAILED if there
** is nothing to compare. */
int bench_compare(const char *older, const char *newer, double least_percent);
