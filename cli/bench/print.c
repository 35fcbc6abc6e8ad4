/* Results of `kjit bench` as text. */
#include <math.h>

#include "cli/bench/bench.h"

/* Four digits and a prefix: "12.34 k", "5 "; the unit follows. */
static const char *scaled(char text[BENCH_TEXT], double value)
{
    static const struct {
        double from;
        const char *prefix;
    } steps[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (fabs(value) >= steps[i].from * 0.99995) {
            snprintf(text, BENCH_TEXT, "%.4g %s", value / steps[i].from, steps[i].prefix);
            return text;
        }
    }
    snprintf(text, BENCH_TEXT, "%.4g ", value);
    return text;
}

const char *bench_time_text(char text[BENCH_TEXT], double ms)
{
    if (ms >= 1000)
        snprintf(text, BENCH_TEXT, "%.4g s", ms / 1000);
    else if (ms >= 1)
        snprintf(text, BENCH_TEXT, "%.4g ms", ms);
    else
        snprintf(text, BENCH_TEXT, "%.4g us", ms * 1000);
    return text;
}

/* ---- the device ----------------------------------------------------------------------------- */

void bench_print_device(FILE *out, kjit_context *context, const Peaks *peaks)
{
    kjit_device_info device = { .size = sizeof device };
    bool gpu = !strncmp(kjit_device_name(context), "cuda", 4);
    char a[BENCH_TEXT], b[BENCH_TEXT], c[BENCH_TEXT];

    fprintf(out, "%s", kjit_device_model(context));
    if (kjit_device_facts(context, &device) == KJIT_OK) {
        fprintf(out, ", %s", device.arch);
        if (*device.driver)
            fprintf(out, ", %s", device.driver);
        fprintf(out, ", %d %s%s", device.processors, gpu ? "multiprocessor" : "thread",
                device.processors == 1 ? "" : "s");
        if (device.l2_bytes > 0)
            fprintf(out, ", %sB of %s", scaled(a, (double)device.l2_bytes),
                    gpu ? "L2" : "caches together");
    }
    fprintf(out, "\nat best, as measured: copies %sB/s, float32 %sFLOP/s, float64 %sFLOP/s\n",
            scaled(a, peaks->copy_gbs * 1e9), scaled(b, peaks->float32_gflops * 1e9),
            scaled(c, peaks->float64_gflops * 1e9));
    if (peaks_drift(peaks))
        fprintf(out, "unreliable: measured %d times, the two best are %.2g %% apart\n",
                peaks->tries, 100 * peaks->drift);
}

/* ---- a kernel ------------------------------------------------------------------------------- */

static void print_call(FILE *out, const BenchRow *row)
{
    kjit_facts facts = { .size = sizeof facts };
    const uint32_t *grid = row->config.grid, *block = row->config.block;
    size_t count = kjit_param_count(row->kernel);

    if (row->timed &&
        kjit_kernel_facts(row->kernel, &row->config, row->args, count, &facts) == KJIT_OK)
        fprintf(out, "\n%s\n", facts.call);
    else
        fprintf(out, "%s%s\n", row->timed ? "\n" : "", kjit_kernel_name(row->kernel));
    fprintf(out, "  launch  [%u, %u, %u] blocks of [%u, %u, %u] threads%s\n", grid[0],
            grid[1] ? grid[1] : 1, grid[2] ? grid[2] : 1, block[0], block[1] ? block[1] : 1,
            block[2] ? block[2] : 1,
            row->tuned    ? ", as tuned"
            : row->chosen ? ", chosen: for all there is to do, in whole blocks"
                          : "");
}

static void print_timing(FILE *out, const char *name, const Timing *timing)
{
    char median[BENCH_TEXT], low[BENCH_TEXT], high[BENCH_TEXT];

    fprintf(out, "  %-7s %s, %s to %s of ", name, bench_time_text(median, timing->median),
            bench_time_text(low, timing->low), bench_time_text(high, timing->high));
    if (timing->batch == 1)
        fprintf(out, "%zu launch%s", timing->count, timing->count == 1 ? "" : "es");
    else
        fprintf(out, "%zu times %zu launches", timing->count, timing->batch);
    fprintf(out, "%s\n", timing->count < 6 ? ", too few for an interval" : "");
    if (*timing->disturbed)
        fprintf(out, "          disturbed: %s; measured %d times\n", timing->disturbed,
                timing->tries);
}

static void print_amount(FILE *out, const char **before, uint64_t amount, const char *what)
{
    char text[BENCH_TEXT];

    if (!amount)
        return;
    fprintf(out, "%s%s%s", *before, scaled(text, (double)amount), what);
    *before = ", ";
}

/* The work of a launch; exact numbers with --count. */
static void print_work(FILE *out, const BenchRow *row)
{
    const kjit_work *work = &row->work;
    const char *before = "";

    if (!row->counted) {
        fprintf(out, "  work    not known: %s\n", row->why_not);
        return;
    }
    fputs("  work    ", out);
    print_amount(out, &before, work->float16_ops, "FLOP float16");
    print_amount(out, &before, work->float32_ops, "FLOP float32");
    print_amount(out, &before, work->float64_ops, "FLOP float64");
    print_amount(out, &before, work->load_bytes, "B loaded");
    print_amount(out, &before, work->store_bytes, "B stored");
    print_amount(out, &before, work->atomic_bytes, "B by atomics");
    print_amount(out, &before, work->least_bytes, "B to move at least");
    if (!*before)
        fputs("nothing", out);
    if (work->counted_blocks < work->blocks)
        fprintf(out, ", judged by %llu of %llu blocks", (unsigned long long)work->counted_blocks,
                (unsigned long long)work->blocks);
    fputc('\n', out);
}

static void print_counts(FILE *out, const BenchRow *row)
{
    const kjit_work *work = &row->work;
    const struct {
        const char *what;
        uint64_t amount;
    } counts[] = {
        { "float16 operations", work->float16_ops },
        { "float32 operations", work->float32_ops },
        { "float64 operations", work->float64_ops },
        { "bytes loaded", work->load_bytes },
        { "bytes stored", work->store_bytes },
        { "bytes by atomics", work->atomic_bytes },
        { "bytes to move at least", work->least_bytes },
    };

    if (!row->counted || work->counted_blocks < work->blocks) {
        print_work(out, row);
        return;
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        fprintf(out, "  %-24s %llu\n", counts[i].what, (unsigned long long)counts[i].amount);
}

static void print_rates(FILE *out, const BenchRow *row, const char *name, const Timing *timing,
                        const Roof *roof)
{
    uint64_t flops = bench_flops(&row->work);
    double seconds = timing->median / 1e3;
    const char *before = "";
    char text[BENCH_TEXT];

    if (!(seconds > 0) || (!flops && !row->work.least_bytes))
        return;
    fprintf(out, "  %-7s ", name);
    if (flops)
        fprintf(out, "%sFLOP/s", scaled(text, (double)flops / seconds));
    before = flops ? ", " : "";
    if (row->work.least_bytes)
        fprintf(out, "%s%sB/s", before, scaled(text, (double)row->work.least_bytes / seconds));
    if (roof->what)
        fprintf(out, ", %.3g %% of the roof (%s%s)", 100 * roof->ms / timing->median, roof->what,
                roof->drifts ? ", unreliable" : "");
    fputc('\n', out);
}

/* A changing or throttled clock shows that times are not the best possible. */
static void print_clocks(FILE *out, const BenchRow *row)
{
    const kjit_sensors *before = &row->before, *after = &row->after;

    if (before->clock_mhz < 0 && after->clock_mhz < 0 && after->throttled < 0)
        return;
    fputs("  clock   ", out);
    if (before->clock_mhz < 0 || after->clock_mhz < 0)
        fputs("not known", out);
    else
        fprintf(out, "%d MHz before, %d MHz after", before->clock_mhz, after->clock_mhz);
    if (after->celsius >= 0)
        fprintf(out, ", %d C", after->celsius);
    if (after->milliwatts >= 0)
        fprintf(out, ", %.0f W", (double)after->milliwatts / 1000);
    if (before->throttled == 1 || after->throttled == 1)
        fprintf(out, "; held down: %s", after->throttled == 1 ? after->throttle : before->throttle);
    fputc('\n', out);
}

void bench_print_row(FILE *out, const BenchRow *row, const Peaks *peaks)
{
    print_call(out, row);
    if (!row->timed) {
        print_counts(out, row);
        return;
    }
    Roof roof = bench_roof(row, peaks);
    print_timing(out, "cold", &row->cold);
    print_timing(out, "warm", &row->warm);
    print_work(out, row);
    if (row->counted) {
        print_rates(out, row, "cold", &row->cold, &roof);
        print_rates(out, row, "warm", &row->warm, &roof);
    }
    print_clocks(out, row);
}
