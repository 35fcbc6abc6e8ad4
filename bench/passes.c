/* What the passes over the IR cost, all together, for each kernel of the files that are named: the
** best of some runs, in time of the processor's. Prints the slowest kernels, and which part of
** kjit's own compilation (reading, lowering, passes, text) the verifier takes; fails if a kernel
** took more than LIMIT_MS, or the verifier more than VERIFIER_PERCENT of all kernels' time.
**
**     passes FILE.k...
**
** ir_run_passes() and ir_verify() are measured by standing in for them (the link wraps them), for a
** GPU, and for the launch of the kernel's @example, or without one what launches have in common. */
#include <kjit_tools.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ir/ir.h"

enum { RUNS = 7, SHOWN = 8, KERNELS_MAX = 1000 };
#define LIMIT_MS         3.0
#define VERIFIER_PERCENT 2.0

const char *__real_ir_run_passes(IrUnit *unit, const IrPlan *plan);
const char *__wrap_ir_run_passes(IrUnit *unit, const IrPlan *plan);
const char *__real_ir_verify(const IrUnit *unit, const char *after);
const char *__wrap_ir_verify(const IrUnit *unit, const char *after);

typedef struct Cost {
    char name[96];
    double ms;               /* of the passes */
    double whole, verifying; /* the compilation that took least, and the verifier's part of it */
} Cost;

static double spent;     /* by the last run of the passes */
static double verifying; /* in the compilation that runs */
static Cost costs[KERNELS_MAX];
static int cost_count;

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

const char *__wrap_ir_run_passes(IrUnit *unit, const IrPlan *plan)
{
    double start = now_ms();
    const char *broken = __real_ir_run_passes(unit, plan);

    spent = now_ms() - start;
    return broken;
}

const char *__wrap_ir_verify(const IrUnit *unit, const char *after)
{
    double start = now_ms();
    const char *broken = __real_ir_verify(unit, after);

    verifying += now_ms() - start;
    return broken;
}

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, kjit_error_message());
    exit(1);
}

/* Says whether the kernel could be compiled: one without an @example needs a signature. */
static bool measure(kjit_kernel *kernel, const kjit_emit_options *options, Cost *best)
{
    for (int i = 0; i < RUNS; i++) {
        char *data;
        size_t length;
        double start = now_ms();
        verifying = 0;
        if (kjit_emit(kernel, options, &data, &length) != KJIT_OK)
            return false;
        double whole = now_ms() - start;
        kjit_free(data);
        best->ms = spent < best->ms ? spent : best->ms;
        if (whole < best->whole) {
            best->whole = whole;
            best->verifying = verifying;
        }
    }
    return true;
}

static const kjit_arg *example_args(kjit_kernel *kernel, kjit_values *values, kjit_arg *room)
{
    for (size_t i = 0; i < kjit_param_count(kernel); i++) {
        const kjit_arg *arg = kjit_values_get(values, kjit_param_name(kernel, i));
        if (!arg)
            return NULL;
        room[i] = *arg;
    }
    return room;
}

static void measure_kernel(kjit_module *module, kjit_kernel *kernel, const char *file)
{
    kjit_launch_config config = { .size = sizeof config };
    kjit_arg room[64];
    kjit_values *values;

    if (kjit_values_new(&values) != KJIT_OK)
        die(file);
    kjit_values_constants(values, module);
    kjit_values_example(values, kernel);
    const kjit_arg *args = example_args(kernel, values, room);
    bool shaped = kjit_example_config(kernel, &config) == KJIT_OK && config.block[0];
    kjit_emit_options options = {
        .size = sizeof options,
        .stage = "cuda",
        .args = args,
        .arg_count = args ? kjit_param_count(kernel) : 0,
        .arch = "sm_90",
        .facts = args ? "launch" : "common,block=256",
        .config = shaped ? &config : NULL,
    };
    Cost *cost = &costs[cost_count];
    *cost = (Cost){ .ms = 1e9, .whole = 1e9 };
    snprintf(cost->name, sizeof cost->name, "%s:%s", file, kjit_kernel_name(kernel));
    if (measure(kernel, &options, cost) && cost_count < KERNELS_MAX - 1)
        cost_count++;
    kjit_values_close(values);
}

static void measure_file(kjit_context *context, const char *file)
{
    kjit_module *module;

    if (kjit_load_file(context, file, NULL, &module) != KJIT_OK)
        die(file);
    for (size_t i = 0; i < kjit_kernel_count(module); i++) {
        kjit_kernel *kernel;
        if (kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel) != KJIT_OK)
            die(file);
        measure_kernel(module, kernel, file);
    }
    kjit_close_module(module);
}

static int slower_first(const void *a, const void *b)
{
    double x = ((const Cost *)a)->ms, y = ((const Cost *)b)->ms;

    return (x < y) - (x > y);
}

/* In hundredths of all compilations' time. */
static double verifier_percent(void)
{
    double whole = 0, verifier = 0;

    for (int i = 0; i < cost_count; i++) {
        whole += costs[i].whole;
        verifier += costs[i].verifying;
    }
    return whole > 0 ? 100 * verifier / whole : 0;
}

int main(int argc, char **argv)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *context;
    int slow = 0;

    if (kjit_open(&options, &context) != KJIT_OK)
        die("no processor");
    for (int i = 1; i < argc; i++)
        measure_file(context, argv[i]);
    kjit_close(context);
    qsort(costs, (size_t)cost_count, sizeof *costs, slower_first);
    for (int i = 0; i < cost_count; i++) {
        slow += costs[i].ms > LIMIT_MS;
        if (i < SHOWN)
            printf("passes of %-60s %7.3f ms\n", costs[i].name, costs[i].ms);
    }
    printf("%d kernels, %d of them over %.1f ms\n", cost_count, slow, LIMIT_MS);
    printf("the verifier takes %.2f %% of compilations without NVRTC and the C compiler\n",
           verifier_percent());
    return slow || !cost_count || verifier_percent() > VERIFIER_PERCENT;
}
