/* What rounding in a form of its own makes of a launch's sums: beside sums in float64, and beside
** what the plain loop makes of them. Three launches of the same arguments tell. */
#include <math.h>

#include "cli/cli.h"

/* What the remark of a loop says whose sums are rounded in a form that a name asked for. */
static const char rounded[] = "a sum of n products is off by";

/* A launch of its own. */
typedef struct Sums {
    Session session;
    kjit_kernel *kernel;
    kjit_values *values;
    kjit_arg *args;
    kjit_launch_config config;
} Sums;

/* How far the numbers of an array are from others: at most, and in the root mean square. */
typedef struct Distance {
    double most, squares;
    int64_t count;
} Distance;

static int launch_sums(Sums *sums)
{
    kjit_status status =
        kjit_launch(sums->kernel, &sums->config, sums->args, kjit_param_count(sums->kernel));
    if (status == KJIT_OK)
        status = kjit_synchronize(sums->session.context);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* The kernel, loaded with a name for its products; NULL: as the launch says. */
static int load_sums(Sums *sums, const Target *target, const LaunchOptions *launch,
                     const char *matmul)
{
    LaunchOptions wanted = *launch;
    bool chosen;
    if (matmul)
        wanted.session.matmul = matmul;
    int status = session_open(&sums->session, target->file, &wanted.session);
    if (status == EXIT_DONE)
        status = session_kernel(&sums->session, target, &sums->kernel);
    if (status != EXIT_DONE)
        return status;
    kjit_status made = kjit_values_new(&sums->values);
    status = made == KJIT_OK
                 ? launching_values(&wanted, sums->session.module, sums->kernel, sums->values)
                 : complain_status(made);
    if (status == EXIT_DONE)
        status = session_args(sums->kernel, sums->values, &sums->args);
    if (status != EXIT_DONE)
        return status;
    made = launching_shape(&wanted, sums->kernel, sums->args, &sums->config, &chosen);
    return made == KJIT_OK ? EXIT_DONE : complain_status(made);
}

static void free_sums(Sums *sums)
{
    free(sums->args);
    kjit_values_close(sums->values);
    session_close(&sums->session);
}

static Distance distance(const kjit_array *array, const kjit_array *wide)
{
    Distance far = { 0 };
    Walk here, there;
    Number found, wanted;
    walk_start(&here, array);
    walk_start(&there, wide);
    while (walk_next(&here, &found) && walk_next(&there, &wanted)) {
        double apart = fabs(found.real - wanted.real);
        if (!isfinite(apart))
            continue;
        far.most = apart > far.most ? apart : far.most;
        far.squares += apart * apart;
        far.count++;
    }
    return far;
}

static double mean(const Distance *far)
{
    return far->count ? sqrt(far->squares / (double)far->count) : 0;
}

static bool is_float(const kjit_arg *arg)
{
    static const kjit_dtype floats[] = { KJIT_DTYPE_FLOAT16, KJIT_DTYPE_BFLOAT16,
                                         KJIT_DTYPE_FLOAT32, KJIT_DTYPE_FLOAT64 };
    bool is = false;
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        is |= arg->kind == KJIT_ARG_ARRAY && arg->as.array.dtype == floats[i];
    return is;
}

/* A line for each array of floats that the kernel writes. */
static int tell(FILE *out, Sums *own, Sums *plain, Sums *wide)
{
    size_t count = kjit_param_count(own->kernel);
    uint32_t *access = must_alloc((count + 1) * sizeof *access);
    kjit_status status = kjit_access(own->kernel, own->args, count, access);
    for (size_t i = 0; i < count && status == KJIT_OK; i++) {
        if (!(access[i] & KJIT_WRITES) || !is_float(&own->args[i]))
            continue;
        Distance far = distance(&own->args[i].as.array, &wide->args[i].as.array);
        Distance without = distance(&plain->args[i].as.array, &wide->args[i].as.array);
        fprintf(out,
                "%s: %s is off sums in float64 by at most %.3g, in the root mean square %.3g; "
                "without tensor cores by %.3g, %.3g\n",
                kjit_kernel_name(own->kernel), kjit_param_name(own->kernel, i), far.most,
                mean(&far), without.most, mean(&without));
    }
    free(access);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int measured_remarks(FILE *out, kjit_context *context, kjit_kernel *kernel, const kjit_arg *args,
                     const kjit_launch_config *config, bool *rounds)
{
    kjit_emit_options wanted = {
        .size = sizeof wanted,
        .stage = "remarks",
        .args = args,
        .arg_count = kjit_param_count(kernel),
        .arch = strcmp(kjit_device_name(context), "cpu") == 0 ? "cpu" : NULL,
        .facts = "launch",
        .config = config,
    };
    char *text;
    size_t length;
    kjit_status status = kjit_emit(kernel, &wanted, &text, &length);
    if (status != KJIT_OK)
        return complain_status(status);
    if (out)
        fputs(text, out);
    *rounds = strstr(text, rounded) != NULL;
    kjit_free(text);
    return EXIT_DONE;
}

int measured_tell(FILE *out, const Target *target, const LaunchOptions *launch)
{
    static const char *const names[] = { NULL, "plain", "float64" };
    Sums sums[3] = { { .args = NULL } };
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == EXIT_DONE; i++) {
        status = load_sums(&sums[i], target, launch, names[i]);
        if (status == EXIT_DONE)
            status = launch_sums(&sums[i]);
    }
    if (status == EXIT_DONE)
        status = tell(out, &sums[0], &sums[1], &sums[2]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        free_sums(&sums[i]);
    return status;
}

/* Whether passes for GPUs run at all: without them tensor cores have no part in it. */
static bool may_round(const char *device)
{
    return !device || strncmp(device, "cpu", 3) != 0 || getenv("KJIT_PASSES");
}

static int measure_example(FILE *out, const Session *session, const char *file, kjit_kernel *kernel)
{
    const char *device = kjit_device_name(session->context);
    const LaunchOptions launch = { .file = file, .session.device = device };
    const Target target = { .file = (char *)file, .kernel = (char *)kjit_kernel_name(kernel) };
    Sums sums = { .args = NULL };
    bool rounds = false, has = false;
    int status = session_has_example(kernel, &has);
    if (status == EXIT_DONE && has)
        status = load_sums(&sums, &target, &launch, NULL);
    if (status == EXIT_DONE && has)
        status = measured_remarks(NULL, sums.session.context, sums.kernel, sums.args, &sums.config,
                                  &rounds);
    free_sums(&sums);
    return status == EXIT_DONE && rounds ? measured_tell(out, &target, &launch) : status;
}

int measured_examples(FILE *out, const char *file, const char *device)
{
    Session session = { 0 };
    SessionOptions options = { .device = device };
    if (!may_round(device))
        return EXIT_DONE;
    int status = session_open(&session, file, &options);
    size_t count = session.module ? kjit_kernel_count(session.module) : 0;
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        kjit_kernel *kernel;
        const char *name = kjit_kernel_name_at(session.module, i);
        kjit_status got = kjit_get_kernel(session.module, name, &kernel);
        status =
            got == KJIT_OK ? measure_example(out, &session, file, kernel) : complain_status(got);
    }
    session_close(&session);
    return status;
}
