/* `kjit bench --compare`: which of the kernels in two files differ.
**
** Two runs of one kernel never take quite the same time, and with many samples a test detects even
** changes of the clock or of addresses. So the medians of rounds are compared, between which such
** things vary. A difference counts if it is significant, by a Mann-Whitney test at 5 % with Holm's
** correction for the number of tests; if the gap between the intervals of the medians is large
** compared with their widths, since runs differ by more than their rounds do; and if the medians
** are far enough apart, on a GPU also beyond the resolution of its events. There is no verdict on
** disturbed samples. Source of the correction: S. Holm, "A Simple Sequentially Rejective Multiple
** Test Procedure", 1979. */
#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "cli/bench/bench.h"

static const double LEVEL = 0.05;
static const double APART = 2; /* minimum gap, in widths of the wider interval */
/* The resolution of a GPU's events, ms (CUDA Driver API, cuEventElapsedTime). */
static const double EVENTS_MS = 0.0005;
/* Variation between processes of the time of back-to-back launches, ms: on an H200 equal runs of
** kernels of 2 us differed by up to 0.17 us. */
static const double STARTS_MS = 0.00025;

/* A measurement in both files. */
typedef struct Pairing {
    const char *kernel, *which; /* "cold", "warm" */
    double before, after;       /* medians, ms */
    double gap, width;          /* gap between the intervals and width of the wider one, ms */
    double resolution;          /* the coarser of both, ms */
    double p;
    const char *disturbed, *when; /* the disturbance that kjit bench recorded, or NULL, and in
                                     which file */
    bool significant;
} Pairing;

typedef struct Pairings {
    Pairing *list;
    size_t count;
} Pairings;

/* ---- reading -------------------------------------------------------------------------------- */

static json_t *refuse(const char *path, json_t *root, const char *what)
{
    complain("%s %s; 'kjit bench --json FILE.k >RUN.json' writes such files", path, what);
    json_decref(root);
    return NULL;
}

/* Whether it is a plausible time of a launch, in ms; 1e12 are thirty years. */
static bool is_time(const json_t *value)
{
    return json_is_number(value) && json_number_value(value) > 0 && json_number_value(value) < 1e12;
}

static bool are_times(const json_t *list)
{
    size_t index;
    json_t *time;

    json_array_foreach(list, index, time)
    {
        if (!is_time(time))
            return false;
    }
    return json_array_size(list) > 0;
}

static bool is_timing(const json_t *timing)
{
    return are_times(json_object_get(timing, "samples_ms")) &&
           are_times(json_object_get(timing, "rounds_ms")) &&
           is_time(json_object_get(timing, "median_ms"));
}

static bool is_kernel(const json_t *kernel)
{
    return json_is_string(json_object_get(kernel, "kernel")) &&
           json_is_string(json_object_get(kernel, "file")) &&
           json_is_array(json_object_get(kernel, "arguments")) &&
           is_timing(json_object_get(kernel, "cold")) && is_timing(json_object_get(kernel, "warm"));
}

json_t *bench_read(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *kernel;
    size_t index;

    if (!root && json_error_code(&error) == json_error_cannot_open_file) {
        complain("%s: %s", path, strerror(errno));
        return NULL;
    }
    if (!root) {
        complain("%s:%d:%d: this is no JSON, or damaged: %s", path, error.line, error.column,
                 error.text);
        return NULL;
    }
    if (!json_is_integer(json_object_get(root, "bench")) ||
        !json_is_array(json_object_get(root, "kernels")))
        return refuse(path, root, "is JSON, but not what kjit bench writes");
    if (json_integer_value(json_object_get(root, "bench")) != BENCH_FORMAT)
        return refuse(path, root, "was written by another version of kjit bench");
    json_array_foreach(json_object_get(root, "kernels"), index, kernel)
    {
        if (!is_kernel(kernel))
            return refuse(path, root, "is damaged, or has kernels without times");
    }
    return root;
}

/* ---- pairing -------------------------------------------------------------------------------- */

/* The medians of a measurement's rounds, and their interval. */
typedef struct RoundMedians {
    double *ms, low, high;
    size_t count;
} RoundMedians;

static RoundMedians rounds_of(const json_t *timing)
{
    const json_t *list = json_object_get(timing, "rounds_ms");
    RoundMedians rounds = { .count = json_array_size(list) };

    rounds.ms = must_alloc(rounds.count * sizeof *rounds.ms);
    for (size_t i = 0; i < rounds.count; i++)
        rounds.ms[i] = json_number_value(json_array_get(list, i));
    statistics_interval(rounds.ms, rounds.count, &rounds.low, &rounds.high, NULL);
    return rounds;
}

/* A kernel in its file. */
typedef struct ComparedKernel {
    const json_t *root, *kernel;
} ComparedKernel;

/* The resolution of a launch's time, ms: a sample may be of several launches. */
static double resolution_of(const json_t *root, const json_t *timing)
{
    const char *device =
        json_string_value(json_object_get(json_object_get(root, "device"), "name"));
    json_int_t launches = json_integer_value(json_object_get(timing, "launches_per_sample"));

    if (!device || strncmp(device, "cuda", 4) != 0)
        return 0;
    double by_events = EVENTS_MS / (double)(launches > 0 ? launches : 1);
    return by_events > STARTS_MS ? by_events : STARTS_MS;
}

static const char *disturbed(const json_t *timing)
{
    return json_string_value(json_object_get(timing, "disturbed"));
}

static void add_pairing(Pairings *pairings, const ComparedKernel *older,
                        const ComparedKernel *newer, const char *which)
{
    const json_t *a = json_object_get(older->kernel, which);
    const json_t *b = json_object_get(newer->kernel, which);
    double a_resolution = resolution_of(older->root, a),
           b_resolution = resolution_of(newer->root, b);
    RoundMedians was = rounds_of(a), is = rounds_of(b);
    Pairing pairing = {
        .kernel = json_string_value(json_object_get(older->kernel, "kernel")),
        .which = which,
        .before = json_number_value(json_object_get(a, "median_ms")),
        .after = json_number_value(json_object_get(b, "median_ms")),
        .resolution = a_resolution > b_resolution ? a_resolution : b_resolution,
        .gap = fmax(was.low - is.high, is.low - was.high),
        .width = fmax(was.high - was.low, is.high - is.low),
        .p = statistics_mann_whitney(was.ms, was.count, is.ms, is.count),
        .disturbed = disturbed(a) ? disturbed(a) : disturbed(b),
        .when = disturbed(a) ? "before" : "now",
    };

    must_push(pairings->list, pairings->count) = pairing;
    free(was.ms);
    free(is.ms);
}

static void name_alone(const char *path, const json_t *kernel)
{
    printf("%s: only in %s\n", json_string_value(json_object_get(kernel, "kernel")), path);
}

static Pairings pair_kernels(const char *older, const json_t *a, const char *newer, const json_t *b)
{
    const json_t *before = json_object_get(a, "kernels"), *after = json_object_get(b, "kernels");
    size_t *partners = bench_pair(before, after), paired = json_array_size(before);
    bool *has = must_alloc((json_array_size(after) + 1) * sizeof *has);
    Pairings pairings = { 0 };

    for (size_t i = 0; i < paired; i++) {
        const json_t *kernel = json_array_get(before, i);
        if (partners[i] == SIZE_MAX) {
            name_alone(older, kernel);
            continue;
        }
        const ComparedKernel from = { a, kernel }, to = { b, json_array_get(after, partners[i]) };
        has[partners[i]] = true;
        bench_tell_pair(from.kernel, to.kernel);
        add_pairing(&pairings, &from, &to, "cold");
        add_pairing(&pairings, &from, &to, "warm");
    }
    for (size_t i = 0; i < json_array_size(after); i++)
        if (!has[i])
            name_alone(newer, json_array_get(after, i));
    free(partners);
    free(has);
    return pairings;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static int by_p(const void *a, const void *b)
{
    const Pairing *x = *(Pairing *const *)a, *y = *(Pairing *const *)b;

    return (x->p > y->p) - (x->p < y->p);
}

/* Holm's procedure: in ascending order each p is compared with the level divided by the number of
** those left, up to the first that exceeds it. Disturbed measurements do not take part. */
static void apply_holm(Pairings *pairings)
{
    Pairing **order = must_alloc(pairings->count * sizeof *order);
    size_t count = 0;

    for (size_t i = 0; i < pairings->count; i++)
        if (!pairings->list[i].disturbed)
            order[count++] = &pairings->list[i];
    qsort(order, count, sizeof *order, by_p);
    for (size_t i = 0; i < count; i++) {
        if (order[i]->p > LEVEL / (double)(count - i))
            break;
        order[i]->significant = true;
    }
    free(order);
}

static double percent_of(const Pairing *pairing)
{
    return pairing->before > 0 ? 100 * (pairing->after / pairing->before - 1) : 0;
}

static bool differs(const Pairing *pairing, double least)
{
    double percent = percent_of(pairing);

    return pairing->significant && pairing->gap > APART * pairing->width && percent != 0 &&
           fabs(percent) >= least && fabs(pairing->after - pairing->before) > pairing->resolution;
}

static void print_pairing(const Pairing *pairing, double least)
{
    double percent = percent_of(pairing);
    const char *verdict = !differs(pairing, least) ? "no difference"
                          : percent > 0            ? "slower"
                                                   : "faster";

    printf("%s, %s: %.4g ms before, %.4g ms now: ", pairing->kernel, pairing->which,
           pairing->before, pairing->after);
    if (pairing->disturbed)
        printf("no verdict (disturbed %s: %s)\n", pairing->when, pairing->disturbed);
    else
        printf("%+.1f %%, %s (p = %.2g)\n", percent, verdict, pairing->p);
}

/* Prints differences of the environment, which may be the cause. */
static void print_environment(const json_t *a, const json_t *b)
{
    static const char *const keys[] = { "model",          "arch",     "driver",
                                        "driver_release", "compiler", "processors" };
    const json_t *before = json_object_get(a, "device"), *after = json_object_get(b, "device");

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (bench_same(before, after, keys[i]))
            continue;
        char *was = json_dumps(json_object_get(before, keys[i]), JSON_ENCODE_ANY);
        char *is = json_dumps(json_object_get(after, keys[i]), JSON_ENCODE_ANY);
        printf("%s: %s before, %s now\n", keys[i], was ? was : "not said", is ? is : "not said");
        free(was);
        free(is);
    }
    if (!bench_same(a, b, "kjit"))
        printf("kjit: another version\n");
}

static int print_all(const Pairings *pairings, double least)
{
    size_t slower = 0, faster = 0, open = 0;

    for (size_t i = 0; i < pairings->count; i++) {
        const Pairing *pairing = &pairings->list[i];
        print_pairing(pairing, least);
        slower += differs(pairing, least) && percent_of(pairing) > 0;
        faster += differs(pairing, least) && percent_of(pairing) < 0;
        open += pairing->disturbed != NULL;
    }
    printf("%zu measurement%s compared: %zu slower, %zu faster", pairings->count,
           pairings->count == 1 ? "" : "s", slower, faster);
    if (open)
        printf(", %zu without a verdict", open);
    putchar('\n');
    return slower ? EXIT_DEFECT : EXIT_DONE;
}

int bench_compare(const char *older, const char *newer, double least)
{
    json_t *a = bench_read(older), *b = a ? bench_read(newer) : NULL;
    int status = EXIT_FAILED;

    if (b) {
        print_environment(a, b);
        Pairings pairings = pair_kernels(older, a, newer, b);
        apply_holm(&pairings);
        if (pairings.count)
            status = print_all(&pairings, least);
        else
            complain("no kernel of %s is in %s, for the same arguments: nothing was compared",
                     older, newer);
        free(pairings.list);
    }
    json_decref(a);
    json_decref(b);
    return status;
}
