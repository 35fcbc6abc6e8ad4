/* `kjit bench --devices 1,2`: what a launch takes on one GPU, and split over more of them; with
** cpu:1,2 over ranks that the processor serves one after the other, which is for trying.
**
** Arrays are held by the ranks, and what is timed are launches one behind the other, with what they
** bring from rank to rank. */
#include "cli/bench/bench.h"
#include "cli/measure/clock.h"

enum { ROUNDS = 9, MOST = 64 };

/* ---- which ---------------------------------------------------------------------------------- */

static int wrong(const char *text)
{
    return bad_usage(
        "--devices %s: it takes how many GPUs to time on, as in 1,2,4, or with cpu: how many "
        "ranks of the processor, as in cpu:1,2; %d at most",
        text, MOST);
}

int bench_read_devices(const char *text, BenchDevices *devices)
{
    static const char cpu[] = "cpu:";
    char *at = (char *)text;

    devices->text = text;
    devices->count = 0;
    devices->processor = strncmp(text, cpu, strlen(cpu)) == 0;
    at += devices->processor ? strlen(cpu) : 0;
    for (bool more = true; more; at++) {
        char *end;
        long number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (number < 1 || number > MOST || (*end && *end != ','))
            return wrong(text);
        must_push(devices->counts, devices->count) = (int)number;
        more = *end == ',';
        at = end;
    }
    return EXIT_DONE;
}

static kjit_status open_group(const BenchDevices *devices, int count, kjit_group **group)
{
    int gpus[MOST];

    for (int i = 0; i < count; i++)
        gpus[i] = i;
    return devices->processor ? kjit_open_group(count, group) : kjit_open_gpus(gpus, count, group);
}

/* ---- timing --------------------------------------------------------------------------------- */

/* A kernel's launches over a group. */
typedef struct Many {
    const BenchDevices *devices;
    kjit_group *group;
    kjit_kernel *kernel;
    kjit_launch_config config;
    kjit_arg *args;
    size_t places[2]; /* of what changes places */
} Many;

static kjit_status launch(const Many *m, uint64_t times)
{
    const ManyOptions *said = &m->devices->many;
    size_t count = kjit_param_count(m->kernel);
    kjit_status status = KJIT_OK;

    for (uint64_t i = 0; i < times && status == KJIT_OK; i++) {
        status = kjit_group_launch(m->group, m->kernel, &m->config, m->args, count, said->list,
                                   said->count);
        swap_args(m->args, m->places);
    }
    return status == KJIT_OK ? kjit_group_synchronize(m->group) : status;
}

/* How many seconds so many launches take. */
static kjit_status time_them(const Many *m, uint64_t times, double *seconds)
{
    double begin = clock_of_launches();
    kjit_status status = launch(m, times);

    *seconds = clock_of_launches() - begin;
    return status;
}

/* Finds how many launches take `wanted` seconds or more, by doubling their number. */
static kjit_status find_times(const Many *m, double wanted, uint64_t *times)
{
    double seconds = 0;

    *times = 1;
    kjit_status status = launch(m, 2); /* the second one has its arguments where they are needed */
    while (status == KJIT_OK && !interrupted()) {
        status = time_them(m, *times, &seconds);
        if (seconds >= wanted || *times >= UINT64_C(1) << 20)
            break;
        *times *= 2;
    }
    return status;
}

static kjit_status time_rounds(const Many *m, const BenchOptions *bench, double *ms)
{
    double rounds[ROUNDS], seconds;
    uint64_t times;
    size_t done = 0, most = bench->samples && bench->samples < ROUNDS ? bench->samples : ROUNDS;
    kjit_status status = find_times(m, bench->seconds / ROUNDS, &times);

    for (; done < most && status == KJIT_OK && !(done && interrupted()); done++) {
        status = time_them(m, times, &seconds);
        rounds[done] = seconds * 1e3 / (double)times;
    }
    *ms = statistics_median(rounds, done);
    return status;
}

static kjit_status time_group(Many *m, const BenchOptions *bench, Session *session, int count,
                              double *ms)
{
    kjit_status status = open_group(m->devices, count, &m->group);

    if (status != KJIT_OK)
        return status;
    status = kjit_group_hold_args(m->group, session->context, m->args, kjit_param_count(m->kernel));
    if (status == KJIT_OK)
        status = time_rounds(m, bench, ms);
    kjit_group_leave(m->group);
    kjit_close_group(m->group);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void print_heading(const Many *m)
{
    const uint32_t *grid = m->config.grid, *block = m->config.block;

    printf("%s\n  launch  [%u, %u, %u] blocks of [%u, %u, %u] threads\n",
           kjit_kernel_name(m->kernel), grid[0], grid[1] ? grid[1] : 1, grid[2] ? grid[2] : 1,
           block[0], block[1] ? block[1] : 1, block[2] ? block[2] : 1);
    printf("  %7s  %12s  %8s  %10s\n", m->devices->processor ? "ranks" : "GPUs", "time", "speed-up",
           "efficiency");
}

static int time_count(Many *m, const BenchOptions *bench, Session *session, size_t which,
                      double *first)
{
    int count = m->devices->counts[which];
    char text[BENCH_TEXT];
    double ms = 0;
    bool chosen;
    kjit_status status = launching_shape(&bench->launch, m->kernel, m->args, &m->config, &chosen);

    if (status == KJIT_OK && !which)
        print_heading(m);
    if (status == KJIT_OK)
        status = time_group(m, bench, session, count, &ms);
    if (status != KJIT_OK)
        return complain_status(status);
    *first = which ? *first : ms;
    printf("  %7d  %12s  %8.2f  %10.3f\n", count, bench_time_text(text, ms), *first / ms,
           *first / ms * m->devices->counts[0] / count);
    fflush(stdout);
    return EXIT_DONE;
}

/* Makes the launch's arguments again, so that each number of devices begins with the same. */
static int time_anew(Many *m, const BenchOptions *bench, Session *session, size_t which,
                     double *first)
{
    kjit_values *values = NULL;
    kjit_status made = kjit_values_new(&values);
    int status = made == KJIT_OK
                     ? launching_values(&bench->launch, session->module, m->kernel, values)
                     : complain_status(made);

    m->args = NULL;
    if (status == EXIT_DONE)
        status = session_args(m->kernel, values, &m->args);
    if (status == EXIT_DONE)
        status = swap_find(m->devices->swap, m->kernel, m->args, m->places);
    if (status == EXIT_DONE)
        status = time_count(m, bench, session, which, first);
    free(m->args);
    kjit_values_close(values);
    return status;
}

int bench_devices(const BenchOptions *bench, Session *session, kjit_kernel *kernel)
{
    Many m = { .devices = &bench->devices, .kernel = kernel };
    int status = EXIT_DONE;
    double first = 0;

    for (size_t i = 0; i < m.devices->count && status == EXIT_DONE && !interrupted(); i++)
        status = time_anew(&m, bench, session, i, &first);
    return status;
}
