/* One kernel of `kjit bench`: counting its work, and timing it with cold and warm caches. */
#include "cli/bench/bench.h"

enum {
    ROUNDS = 9, /* enough to detect differences also among many pairs */
    LEAST = 10  /* samples of all rounds */
};
static const double BEYOND = 1.05; /* times the cold ones: implausibly slow warm launches */

static bool is_gpu(const BenchRow *row)
{
    return !strncmp(kjit_device_name(row->context), "cuda", 4);
}

/* The options of one of so many rounds: until its interval is 1 % wide. */
static MeasureOptions options_of(const BenchOptions *bench, int rounds, int round)
{
    uint64_t least = bench->samples && bench->samples < LEAST ? bench->samples : LEAST;
    uint64_t each = (uint64_t)rounds, most = bench->samples / each;

    most += (uint64_t)round < bench->samples % each;
    return (MeasureOptions){ .warm_up = round ? 1 : 3,
                             .least =
                                 most && most <= least / each ? most : (least + each - 1) / each,
                             .most = most,
                             .most_seconds = bench->seconds > 0 ? bench->seconds / rounds : 1e-9,
                             .narrow = 0.01 };
}

/* A kernel whose work cannot be counted is timed nevertheless. */
static void count(BenchRow *row)
{
    row->work = (kjit_work){ .size = sizeof row->work };
    doing_say("counting what %s does", kjit_kernel_name(row->kernel));
    kjit_status status = kjit_count_work(row->kernel, &row->config, row->args,
                                         kjit_param_count(row->kernel), &row->work);
    doing_say(NULL);
    row->counted = status == KJIT_OK;
    if (row->counted)
        return;
    const char *why = kjit_error_message();
    if (!strncmp(why, "error: ", 7))
        why += 7;
    row->why_not = must_strndup(why, strcspn(why, "\n"));
}

/* Warms up: clocks take some tenths of a second to rise. */
static kjit_status warm_up(const BenchOptions *bench, BenchRow *row, DeviceArgs *copies)
{
    const MeasureOptions options = { .warm_up_seconds = bench->seconds / 5,
                                     .least = 1,
                                     .most = 1,
                                     .once = true,
                                     .restore = copies };
    Timing timing;
    kjit_status status =
        measure_launches(row->context, row->kernel, &row->config, device_args_list(copies),
                         kjit_param_count(row->kernel), &options, &timing);

    timing_free(&timing);
    return status;
}

static kjit_status measure_round(const BenchRow *row, DeviceArgs *copies, MeasureOptions options,
                                 Timing *timing)
{
    Timing round;

    options.restore = copies;
    kjit_status status =
        measure_launches(row->context, row->kernel, &row->config, device_args_list(copies),
                         kjit_param_count(row->kernel), &options, &round);
    if (status == KJIT_OK)
        timing_join(timing, &round);
    timing_free(&round);
    return status;
}

/* Copies the arguments to other addresses, which affect times on the processor, and differ between
** runs of the command. */
static kjit_status move_args(BenchRow *row, DeviceArgs **copies)
{
    if (is_gpu(row))
        return KJIT_OK;
    device_args_free(*copies);
    *copies = NULL;
    return device_args_new(row->context, row->args, kjit_param_count(row->kernel), copies);
}

/* Alternates rounds of back-to-back launches and of launches with empty caches. */
static kjit_status measure_both(const BenchOptions *bench, BenchRow *row, DeviceArgs **copies)
{
    int rounds = bench->samples && bench->samples < ROUNDS ? (int)bench->samples : ROUNDS;
    kjit_status status = KJIT_OK;

    timing_free(&row->warm);
    timing_free(&row->cold);
    for (int round = 0; round < rounds && status == KJIT_OK && !(round && interrupted()); round++) {
        MeasureOptions options = options_of(bench, rounds, round);
        doing_count((uint64_t)round, (uint64_t)rounds, "rounds");
        status = round ? move_args(row, copies) : KJIT_OK;
        if (status == KJIT_OK)
            status = measure_round(row, *copies, options, &row->warm);
        options.cold = true;
        if (status == KJIT_OK)
            status = measure_round(row, *copies, options, &row->cold);
    }
    return status;
}

/* Warm caches make no launch slower: an undetected disturbance did. On a GPU it may be the power
** limit, as launches with pauses need less power. */
static bool is_warm_beyond_cold(const BenchRow *row)
{
    const Timing *warm = &row->warm, *cold = &row->cold;

    return !is_gpu(row) && !*warm->disturbed && !*cold->disturbed && warm->low > cold->high &&
           warm->median > BEYOND * cold->median;
}

static void mark_implausible(Timing *timing, int tries)
{
    snprintf(timing->disturbed, sizeof timing->disturbed,
             "launches with warm caches took longer than with cold ones");
    timing->tries = tries;
}

/* Repeats implausible measurements, as often as disturbed ones. */
static kjit_status measure_plausibly(const BenchOptions *bench, BenchRow *row, DeviceArgs **copies)
{
    kjit_status status = measure_both(bench, row, copies);
    int tries = 1;

    for (; status == KJIT_OK && is_warm_beyond_cold(row) && tries < MEASURE_TRIES && !interrupted();
         tries++)
        status = measure_both(bench, row, copies);
    if (status == KJIT_OK && is_warm_beyond_cold(row)) {
        mark_implausible(&row->warm, tries);
        mark_implausible(&row->cold, tries);
    }
    return status;
}

static kjit_status measure(const BenchOptions *bench, BenchRow *row, DeviceArgs **copies)
{
    kjit_status status = warm_up(bench, row, *copies);

    if (status == KJIT_OK)
        status = kjit_device_sensors(row->context, &row->before);
    if (status == KJIT_OK)
        status = measure_plausibly(bench, row, copies);
    return status == KJIT_OK ? kjit_device_sensors(row->context, &row->after) : status;
}

static kjit_status time_row(const BenchOptions *bench, BenchRow *row)
{
    DeviceArgs *copies;
    kjit_status status =
        device_args_new(row->context, row->args, kjit_param_count(row->kernel), &copies);

    doing_say("timing %s", kjit_kernel_name(row->kernel));
    row->before.size = row->after.size = sizeof row->before;
    if (status == KJIT_OK)
        status = measure(bench, row, &copies);
    device_args_free(copies);
    doing_say(NULL);
    row->timed = status == KJIT_OK;
    return status;
}

/* Chooses kernel and shape: as tuned, unless given otherwise. */
static int choose(const BenchOptions *bench, BenchRow *row)
{
    LaunchOptions launch = bench->launch;
    kjit_kernel *const asked = row->kernel;
    int status = EXIT_DONE;

    if (!bench->no_wisdom && !launch.has_grid && !launch.forall && !launch.replay)
        status = tuned_take(&row->kernel, row->args, false, &launch.config, &row->taken);
    if (status != EXIT_DONE)
        return status;
    row->tuned = row->kernel != asked;
    kjit_status shaped =
        launching_shape(&launch, row->kernel, row->args, &row->config, &row->chosen);
    return shaped == KJIT_OK ? EXIT_DONE : complain_status(shaped);
}

int bench_prepare(const BenchOptions *bench, BenchRow *row)
{
    int chosen = choose(bench, row);

    if (chosen != EXIT_DONE)
        return chosen;
    /* compilation errors are reported here, not when counting */
    kjit_status status = kjit_compile(row->kernel, row->args, kjit_param_count(row->kernel));
    if (status != KJIT_OK)
        return complain_status(status);
    crash_guard(kjit_kernel_name(row->kernel), bench->launch.session.debug);
    count(row);
    return EXIT_DONE;
}

int bench_time(const BenchOptions *bench, BenchRow *row)
{
    kjit_status status = time_row(bench, row);

    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

void bench_row_free(BenchRow *row)
{
    timing_free(&row->cold);
    timing_free(&row->warm);
    free(row->why_not);
    taken_free(&row->taken);
}

/* ---- the roofline --------------------------------------------------------------------------- */

uint64_t bench_flops(const kjit_work *work)
{
    return work->float16_ops + work->float32_ops + work->float64_ops;
}

Roof bench_roof(const BenchRow *row, const Peaks *peaks)
{
    const kjit_peaks known = measure_peaks_found(peaks);
    Roof roof = { .drifts = peaks_drift(peaks) };

    if (row->counted)
        roof.ms = kjit_roof(&row->work, &known, &roof.what);
    return roof;
}
