/* `kjit bench`: times kernels, and relates the work they do to the device's peak rates. */
#include <argp.h>

#include "cli/bench/bench.h"

/* ---- the command line ----------------------------------------------------------------------- */

enum {
    OPTION_HISTORY = 256,
    OPTION_LEAST,
    OPTION_SECONDS,
    OPTION_SAMPLES,
    OPTION_DEVICES,
    OPTION_SWAP
};

#define SETS(field) OPTION_SETS(BenchOptions, field)

static const struct argp_option options[] = {
    { "device", SETS(launch.session.device), "DEVICE", 0, "auto, cuda, cuda:N, or cpu", 0 },
    { "devices", OPTION_DEVICES, "N,N,...", 0,
      "time over so many GPUs: 1,2; or ranks of the processor: cpu:1,2", 0 },
    { "swap", OPTION_SWAP, "A,B", 0,
      "with --devices: let two arrays change places after each launch", 0 },
    { "passes", SETS(launch.session.passes), "LIST", 0,
      "which passes optimise: none, -PASS, PASS, all", 0 },
    { "seconds", OPTION_SECONDS, "S", 0, "for each of a kernel's two measurements (1)", 0 },
    { "samples", OPTION_SAMPLES, "N", 0, "at most so many samples of each", 0 },
    { "count", SETS(count), NULL, 0, "say what a launch does, and time nothing", 0 },
    { "no-wisdom", SETS(no_wisdom), NULL, 0, "do as if nothing had been tuned", 0 },
    { "json", SETS(json), NULL, 0, "print all of it as JSON, every sample too", 0 },
    { "report", SETS(report), "FILE.html", 0, "write a page: roofline, distributions, history", 0 },
    { "history", OPTION_HISTORY, "FILE.json", OPTION_REPEATS,
      "with --report: what --json wrote earlier", 0 },
    { "compare", SETS(compare), NULL, 0, "compare two files that --json wrote: OLD NEW", 0 },
    { "least", OPTION_LEAST, "PERCENT", 0,
      "with --compare: medians that are nearer count as equal (2)", 0 },
    { 0 }
};

static int parse_argument(BenchOptions *bench, const char *text)
{
    if (!bench->target.file) {
        bench->target = target_parse(text);
        return EXIT_DONE;
    }
    if (!bench->compare)
        return pairs_add(&bench->launch.values, text, "an argument", "NAME=VALUE");
    if (bench->second)
        return bad_usage("--compare takes two files, and '%s' is a third", text);
    bench->second = text;
    return EXIT_DONE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    BenchOptions *bench = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &bench->launch;
        state->child_inputs[1] = &bench->devices.many;
        break;
    case OPTION_DEVICES:
        status = bench_read_devices(text, &bench->devices);
        break;
    case OPTION_SWAP:
        status = swap_check(text);
        bench->devices.swap = text;
        break;
    case OPTION_SECONDS:
        status = number_parse("--seconds", text, 1e6, &bench->seconds);
        break;
    case OPTION_SAMPLES:
        status = count_parse("--samples", text, 1, 1000000, &bench->samples);
        break;
    case OPTION_HISTORY:
        must_push(bench->history, bench->history_count) = text;
        break;
    case OPTION_LEAST:
        status = number_parse("--least", text, 1e6, &bench->least);
        break;
    case ARGP_KEY_ARG:
        status = parse_argument(bench, text);
        break;
    case ARGP_KEY_END:
        if (!bench->target.file)
            usage_error(bench->compare ? "which files?" : "which FILE?");
        if (bench->compare && !bench->second)
            usage_error("--compare takes two files: OLD NEW");
        break;
    default:
        return option_set(options, key, text, bench);
    }
    return option_result(status);
}

static const struct argp_child shared_options[] = { { &launching_parser, 0, "What to launch:", 1 },
                                                    { &many_parser, 0, "With --devices:", 2 },
                                                    { 0 } };

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .children = shared_options,
    .args_doc = "FILE[:KERNEL] [NAME=VALUE...]\n--compare OLD.json NEW.json",
    .doc =
        "Times a kernel, with empty caches and with warm ones, and says how much it does in that "
        "time and how far that is from what the device can do.\v"
        "Without a KERNEL, every kernel of the FILE that has an @example is timed. NAME=VALUE, for "
        "a single kernel, --grid and the rest say what to launch, as kjit run has them; what was "
        "tuned is timed as that says, unless --grid does.\n"
        "FILE may be a folder that KJIT_CAPTURE=FOLDER made of a launch: that launch is timed.\n"
        "A time is the median of nine rounds of launches, with a 95 % confidence interval: as many "
        "in a round as make its own 1 % wide, or as there is time for. On a GPU it is the device's "
        "own time between two "
        "events. The roof is the least time that the device would need for the same operations, "
        "and for moving each byte once, at the speeds that kernels of kjit's own reach on it. "
        "docs/measuring.md has more of what the figures mean.\n"
        "--devices times launches that are split over so many GPUs, as kjit run --devices has "
        "them, and says in a table what that saves.\n"
        "--compare says which kernels are slower or faster in the newer of two files: by a "
        "Mann-Whitney test at 5 %, corrected for how many there are, intervals apart, and a "
        "difference of at least --least percent. Of what other programs disturbed there is no "
        "verdict. Exit status 4 says "
        "that something is slower.",
};

/* ---- the kernels ---------------------------------------------------------------------------- */

/* State of a run. */
typedef struct Bench {
    const BenchOptions *options;
    Session session;
    Peaks peaks;
    void *json; /* of --json and --report, or NULL */
    bool begun; /* the device's peaks are measured */
    size_t done, passed_over;
} Bench;

/* Measures and prints the device's peaks before the first kernel is timed. */
static int begin_once(Bench *b)
{
    const BenchOptions *wanted = b->options;
    kjit_context *context = b->session.context;
    const Peaks *peaks = wanted->count ? NULL : &b->peaks;

    if (b->begun)
        return EXIT_DONE;
    doing_say("measuring the device");
    kjit_status measured = wanted->count ? KJIT_OK : measure_peaks(context, &b->peaks);
    doing_say(NULL);
    if (measured != KJIT_OK)
        return complain_status(measured);
    if (wanted->json || wanted->report)
        b->json = bench_json_new(context, peaks);
    if (!wanted->json && !wanted->count)
        bench_print_device(stdout, context, peaks);
    fflush(stdout);
    b->begun = true;
    return EXIT_DONE;
}

static int bench_with(Bench *b, kjit_kernel *kernel, kjit_values *values)
{
    const BenchOptions *wanted = b->options;
    BenchRow row = { .file = wanted->target.file, .context = b->session.context, .kernel = kernel };
    kjit_arg *args = NULL;
    int status = launching_values(&wanted->launch, b->session.module, kernel, values);

    if (status == EXIT_DONE)
        status = session_args(kernel, values, &args);
    row.args = args;
    if (status == EXIT_DONE)
        status = bench_prepare(wanted, &row);
    if (status == EXIT_DONE)
        status = begin_once(b);
    if (status == EXIT_DONE && !wanted->count)
        status = bench_time(wanted, &row);
    const Peaks *peaks = wanted->count ? NULL : &b->peaks;
    if (status == EXIT_DONE && b->json)
        bench_json_add(b->json, &row, peaks);
    if (status == EXIT_DONE && !wanted->json)
        bench_print_row(stdout, &row, peaks);
    b->done += status == EXIT_DONE;
    fflush(stdout);
    bench_row_free(&row);
    free(args);
    return status;
}

static int bench_kernel(Bench *b, kjit_kernel *kernel)
{
    if (b->options->devices.text) {
        int timed = bench_devices(b->options, &b->session, kernel);
        b->done += timed == EXIT_DONE;
        return timed;
    }
    kjit_values *values = NULL;
    kjit_status made = kjit_values_new(&values);
    int status = made == KJIT_OK ? bench_with(b, kernel, values) : complain_status(made);

    kjit_values_close(values);
    return status;
}

/* Continues after a kernel that cannot be timed; returns the first failure. */
static int bench_each(Bench *b)
{
    int status = EXIT_DONE;

    for (size_t i = 0; i < kjit_kernel_count(b->session.module) && !interrupted(); i++) {
        const char *name = kjit_kernel_name_at(b->session.module, i);
        kjit_kernel *kernel;
        bool has = false;
        kjit_status got = kjit_get_kernel(b->session.module, name, &kernel);
        int one = got == KJIT_OK ? session_has_example(kernel, &has) : complain_status(got);
        if (one == EXIT_DONE && has)
            one = bench_kernel(b, kernel);
        b->passed_over += one == EXIT_DONE && !has;
        status = status == EXIT_DONE ? one : status;
    }
    if (status == EXIT_DONE && !b->done && !interrupted())
        return bad_usage(
            "there is nothing to time: put an @example(NAME=VALUE, ...) above a kernel, or "
            "name one and give its values");
    if (b->passed_over)
        complain("%zu kernel%s without an @example passed over", b->passed_over,
                 b->passed_over == 1 ? "" : "s");
    return status;
}

static int bench_kernels(Bench *b)
{
    const BenchOptions *wanted = b->options;
    const Target *target = &wanted->target;
    kjit_kernel *kernel;

    if (!target->kernel && kjit_kernel_count(b->session.module) != 1) {
        if (!wanted->launch.values.count)
            return bench_each(b);
        return bad_usage("NAME=VALUE goes with one kernel: name it, as in %s:NAME", target->file);
    }
    int status = session_kernel(&b->session, target, &kernel);
    return status == EXIT_DONE ? bench_kernel(b, kernel) : status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int check_device(const Bench *b)
{
    if (strcmp(kjit_device_name(b->session.context), "check") != 0)
        return EXIT_DONE;
    return bad_usage("the device 'check' looks for mistakes and is slow; time on cuda or cpu");
}

static int bench_target(BenchOptions *wanted)
{
    Bench b = { .options = wanted };

    kjit_replay_facts captured = { .size = sizeof captured };
    int status = EXIT_DONE;

    if (replay_named(wanted->target.file))
        status = replay_take(&wanted->target, &wanted->launch, &captured);
    wanted->launch.session.defines = &wanted->launch.defines;
    wanted->launch.file = wanted->target.file;
    if (status == EXIT_DONE)
        status = session_open(&b.session, wanted->target.file, &wanted->launch.session);
    if (status == EXIT_DONE)
        status = check_device(&b);
    if (status == EXIT_DONE)
        status = bench_kernels(&b);
    if (b.json && wanted->report) {
        int reported = bench_report(b.json, wanted);
        status = status == EXIT_DONE ? reported : status;
    }
    if (b.json && wanted->json) {
        int printed = json_print(stdout, b.json);
        status = status == EXIT_DONE ? printed : status;
    } else {
        json_decref(b.json);
    }
    session_close(&b.session);
    kjit_replay_close(wanted->launch.replay);
    return status;
}

/* Whether the page can be written, and of what: asked before anything is timed. */
static int check_report(const BenchOptions *wanted)
{
    if (wanted->report && !draft_check("--report", wanted->report))
        return EXIT_FAILED;
    for (size_t i = 0; i < wanted->history_count; i++) {
        json_t *earlier = bench_read(wanted->history[i]);
        if (!earlier)
            return EXIT_FAILED;
        json_decref(earlier);
    }
    return EXIT_DONE;
}

/* What --devices has no use for, and what goes with it alone. */
static int check_devices(const BenchOptions *wanted)
{
    const BenchDevices *devices = &wanted->devices;
    const char *alone = devices->swap ? "swap" : NULL;
    const char *not_with = wanted->compare         ? "--compare"
                           : wanted->count         ? "--count"
                           : wanted->json          ? "--json"
                           : wanted->report        ? "--report"
                           : wanted->launch.replay ? "a captured launch"
                                                   : NULL;

    alone = devices->many.count ? devices->many.list[0].option : alone;
    if (!devices->text && alone)
        complain("--%s goes with --devices: it is for launches that are split", alone);
    else if (devices->text && not_with)
        complain("--devices prints a table, and makes no sense with %s", not_with);
    else if (devices->text && wanted->launch.session.device)
        complain("--devices says which devices, and makes no sense with --device");
    else
        return EXIT_DONE;
    return EXIT_COMMAND;
}

/* Refuses options that would be ignored: --compare launches nothing, --count times nothing. */
static int check_options(const BenchOptions *wanted)
{
    const LaunchOptions *launch = &wanted->launch;
    const struct {
        const char *option;
        bool given;
        bool timing;
    } others[] = {
        { "--seconds", wanted->seconds >= 0, true },
        { "--samples", wanted->samples > 0, true },
        { "--count", wanted->count, false },
        { "--json", wanted->json, false },
        { "--report", wanted->report != NULL, true },
        { "--no-wisdom", wanted->no_wisdom, false },
        { "--device", launch->session.device != NULL, false },
        { "--passes", launch->session.passes != NULL, false },
        { "--grid", launch->has_grid, false },
        { "--forall", launch->forall > 0, false },
        { "--shared", launch->shared > 0, false },
        { "--debug", launch->session.debug, false },
        { "--fastmath", launch->session.fastmath, false },
        { "--matmul", launch->session.matmul != NULL, false },
        { "-D", launch->defines.count > 0, false },
    };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (!others[i].given || !(wanted->compare || (wanted->count && others[i].timing)))
            continue;
        return bad_usage(wanted->compare
                             ? "%s makes no sense with --compare, which reads two files and "
                               "launches nothing"
                             : "%s makes no sense with --count, which times nothing",
                         others[i].option);
    }
    if (wanted->least >= 0 && !wanted->compare)
        return bad_usage("--least goes with --compare: it says which differences count");
    if (wanted->history_count && !wanted->report)
        return bad_usage("--history goes with --report, which shows it");
    int status = check_devices(wanted);
    return status == EXIT_DONE ? check_report(wanted) : status;
}

int bench_command(int argc, char **argv)
{
    BenchOptions wanted = { .seconds = -1, .least = -1 };

    options_parse(&parser, argc, argv, &wanted);
    int status = check_options(&wanted);
    if (status == EXIT_DONE) {
        /* What was timed is printed already; of --json and --report nothing is complete. */
        interrupt_open(NULL, NULL);
        doing_open(false, wanted.json);
    }
    wanted.seconds = wanted.seconds < 0 ? 1 : wanted.seconds;
    wanted.least = wanted.least < 0 ? 2 : wanted.least;
    if (wanted.devices.text) /* the session is on the first of them */
        wanted.launch.session.device = wanted.devices.processor ? "cpu" : "cuda:0";
    if (status == EXIT_DONE && wanted.compare) {
        const Target *older = &wanted.target; /* a colon is part of the file's name */
        size_t room = strlen(older->file) + (older->kernel ? strlen(older->kernel) : 0) + 2;
        char *path = must_alloc(room);
        snprintf(path, room, "%s%s%s", older->file, older->kernel ? ":" : "",
                 older->kernel ? older->kernel : "");
        status = bench_compare(path, wanted.second, wanted.least);
        free(path);
    } else if (status == EXIT_DONE) {
        status = bench_target(&wanted);
    }
    free(wanted.history);
    free(wanted.devices.counts);
    many_free(&wanted.devices.many);
    target_free(&wanted.target);
    launching_free(&wanted.launch);
    if (interrupted())
        complain("interrupted");
    return interrupt_end(status);
}
