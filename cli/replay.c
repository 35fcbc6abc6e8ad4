/* Captured launches, for `kjit run` and `kjit bench`: finding them, and comparing their outputs
** with the captured ones. */
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <sys/stat.h>

#include "cli/cli.h"

#define LAUNCH_TEXT "launch.txt"

/* ---- which launch --------------------------------------------------------------------------- */

bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool replay_named(const char *path)
{
    return !strcmp(basename(path), LAUNCH_TEXT) || is_folder(path);
}

/* Whether a folder is a captured launch, or contains one. */
static bool holds_launch(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + sizeof "//" LAUNCH_TEXT;
    char *path = must_alloc(room);
    struct stat info;
    snprintf(path, room, "%s/%s/" LAUNCH_TEXT, folder, name);
    bool holds = stat(path, &info) == 0;
    free(path);
    return holds;
}

static int launches_only(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Lists the launches in a folder that is none itself. */
static int list_launches(const char *folder)
{
    struct dirent **list;
    size_t length = strlen(folder), found = 0;
    int count = scandir(folder, &list, launches_only, alphasort);

    while (length > 1 && folder[length - 1] == '/')
        length--;
    for (int i = 0; i < count; i++) {
        if (holds_launch(folder, list[i]->d_name)) {
            if (!found++)
                complain("%s holds captured launches; name one:", folder);
            fprintf(stderr, "    %.*s/%s\n", (int)length, folder, list[i]->d_name);
        }
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    if (!found)
        complain("%s is a folder, and no captured launch: there is no " LAUNCH_TEXT " in it",
                 folder);
    return found ? EXIT_COMMAND : EXIT_FAILED;
}

/* Opens a launch; lists them for a folder of several. */
static int replay_open(const char *path, kjit_replay **replay)
{
    *replay = NULL;
    if (is_folder(path) && !holds_launch(path, "."))
        return list_launches(path);
    kjit_status status = kjit_replay_open(path, replay);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int replay_take(Target *target, LaunchOptions *launch, kjit_replay_facts *captured)
{
    SessionOptions *session = &launch->session;
    int status = replay_open(target->file, &launch->replay);
    if (status != EXIT_DONE)
        return status;
    captured->size = sizeof *captured;
    kjit_replay_tell(launch->replay, captured);
    launch->captured = &captured->config;
    free(target->file);
    target->file = must_strndup(captured->file, strlen(captured->file));
    if (!target->kernel)
        target->kernel = must_strndup(captured->kernel, strlen(captured->kernel));
    for (size_t i = 0; i < captured->define_count; i++)
        pairs_default(&launch->defines, captured->defines[i].name, captured->defines[i].value);
    session->debug |= captured->debug != 0;
    session->fastmath |= captured->fastmath != 0;
    if (!session->matmul)
        session->matmul = captured->matmul;
    session->max_registers = captured->max_registers;
    session->unroll = captured->unroll;
    session->compiler_options = captured->compiler_options;
    if (!session->passes)
        session->passes = captured->passes;
    if (!session->schedule)
        session->schedule_text = captured->schedule;
    if (!session->device && !strcmp(captured->device, "cpu"))
        session->device = "cpu";
    return EXIT_DONE;
}

/* ---- elements ------------------------------------------------------------------------------- */

/* The permitted difference of floats: relative * size + absolute. */
typedef struct Tolerance {
    double relative, absolute;
} Tolerance;

/* Those that torch.testing.assert_close() uses:
** https://pytorch.org/docs/stable/testing.html */
static Tolerance tolerance_of(kjit_dtype dtype, double given)
{
    if (given >= 0)
        return (Tolerance){ given, given };
    switch (dtype) {
    case KJIT_DTYPE_FLOAT16:
        return (Tolerance){ 1e-3, 1e-5 };
    case KJIT_DTYPE_FLOAT8_E4M3:
    case KJIT_DTYPE_FLOAT8_E5M2:
        return (Tolerance){ 0.25, 1e-2 };
    case KJIT_DTYPE_BFLOAT16:
        return (Tolerance){ 1.6e-2, 1e-5 };
    case KJIT_DTYPE_FLOAT64:
    case KJIT_DTYPE_COMPLEX128:
        return (Tolerance){ 1e-7, 1e-7 };
    default:
        return (Tolerance){ 1.3e-6, 1e-5 };
    }
}

/* The distance of two floats: 0 if equal or both NaN; infinite if only one is finite. */
static double distance(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) : (double)INFINITY;
}

/* The distance of two elements, and the size of the captured one. Different integers are at least 1
** apart. */
static double element_distance(const Number *now, const Number *then, double *size)
{
    *size = fabs(then->real);
    if (now->kind == NUMBER_REAL)
        return distance(now->real, then->real);
    if (now->kind == NUMBER_COMPLEX) {
        *size = hypot(then->real, then->imag);
        return hypot(distance(now->real, then->real), distance(now->imag, then->imag));
    }
    if (now->integer == then->integer)
        return 0;
    double apart = fabs(now->real - then->real);
    return apart >= 1 ? apart : 1;
}

static void note_element(Difference *difference, const Walk *walk, const Number *now,
                         const Number *then, Tolerance tolerance)
{
    bool exact = now->kind != NUMBER_REAL && now->kind != NUMBER_COMPLEX;
    double size, apart = element_distance(now, then, &size);
    if (apart == 0)
        return;
    bool near = apart <= tolerance.absolute + tolerance.relative * size && isfinite(apart);
    bool beyond = exact || !near;
    double relative = size > 0 ? apart / size : 0;

    if (!difference->differ || (beyond && !difference->beyond)) {
        memcpy(difference->first, walk->index, sizeof difference->first);
        difference->now = *now;
        difference->then = *then;
    }
    difference->differ++;
    difference->beyond += beyond;
    difference->most = fmax(difference->most, apart);
    difference->most_relative = fmax(difference->most_relative, relative);
    difference->most_scaled = fmax(difference->most_scaled, apart / fmax(1, size));
}

static bool floats_within(const float *a, const float *b, uint64_t count, Tolerance tolerance)
{
    float relative = (float)tolerance.relative, absolute = (float)tolerance.absolute;
    uint64_t beyond = 0;

    for (uint64_t i = 0; i < count; i++) {
        float apart = fabsf(a[i] - b[i]);
        beyond += !(apart <= absolute + relative * fabsf(b[i]) && apart <= FLT_MAX);
    }
    return beyond == 0;
}

static bool doubles_within(const double *a, const double *b, uint64_t count, Tolerance tolerance)
{
    uint64_t beyond = 0;

    for (uint64_t i = 0; i < count; i++) {
        double apart = fabs(a[i] - b[i]);
        beyond +=
            !(apart <= tolerance.absolute + tolerance.relative * fabs(b[i]) && apart <= DBL_MAX);
    }
    return beyond == 0;
}

/* The fast path: whether two row-major arrays are equal bit for bit, or floats within the
** tolerance. */
static bool surely_within(const kjit_array *now, const kjit_array *then, Tolerance tolerance)
{
    uint64_t count = kjit_array_count(now);

    if (!kjit_array_is_contiguous(now, 0) || !kjit_array_is_contiguous(then, 0))
        return false;
    if (!memcmp(now->data, then->data, kjit_array_bytes(now)))
        return true;
    if (now->dtype == KJIT_DTYPE_FLOAT32)
        return floats_within(now->data, then->data, count, tolerance);
    return now->dtype == KJIT_DTYPE_FLOAT64 &&
           doubles_within(now->data, then->data, count, tolerance);
}

bool array_is_within(const kjit_array *now, const kjit_array *then, double tolerance)
{
    Difference difference = { 0 };
    if (surely_within(now, then, tolerance_of(now->dtype, tolerance)))
        return true;
    array_compare(&difference, now, then, tolerance);
    return difference.beyond == 0;
}

void array_compare(Difference *difference, const kjit_array *now, const kjit_array *then,
                   double tolerance)
{
    Walk walk_now, walk_then;
    Number one, other;

    difference->dtype = now->dtype;
    difference->rank = now->rank;
    difference->count = array_count(now);
    walk_start(&walk_now, now);
    walk_start(&walk_then, then);
    for (;;) {
        Walk place = walk_now;
        if (!walk_next(&walk_now, &one) || !walk_next(&walk_then, &other))
            break;
        note_element(difference, &place, &one, &other, tolerance_of(now->dtype, tolerance));
    }
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* The arrays among a launch's arguments; fields of records are separate. */
typedef struct Arrays {
    struct {
        char *name;
        kjit_array array;
    } * list;
    size_t count;
} Arrays;

static void collect(void *context, const char *name, const kjit_array *array)
{
    Arrays *arrays = context;
    arrays->list = must_grow(arrays->list, (arrays->count + 1) * sizeof *arrays->list);
    arrays->list[arrays->count].name = must_strndup(name, strlen(name));
    arrays->list[arrays->count++].array = *array;
}

static void arrays_free(Arrays *arrays)
{
    for (size_t i = 0; i < arrays->count; i++)
        free(arrays->list[i].name);
    free(arrays->list);
}

static bool same_shape(const kjit_array *a, const kjit_array *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, sizeof a->shape[0] * (size_t)a->rank);
}

static int compare_lists(const Arrays *now, const Arrays *then, double tolerance,
                         Comparison *comparison)
{
    bool alike = now->count == then->count;
    for (size_t i = 0; i < now->count && alike; i++)
        alike = same_shape(&now->list[i].array, &then->list[i].array);
    if (!alike)
        return complain_failed(
            "what was captured cannot be compared: its [after] has other types than [before]");
    comparison->list = must_alloc(now->count * sizeof *comparison->list);
    comparison->count = now->count;
    comparison->same = comparison->within = true;
    for (size_t i = 0; i < now->count; i++) {
        Difference *difference = &comparison->list[i];
        *difference =
            (Difference){ .name = must_strndup(now->list[i].name, strlen(now->list[i].name)) };
        array_compare(difference, &now->list[i].array, &then->list[i].array, tolerance);
        comparison->same = comparison->same && !difference->differ;
        comparison->within = comparison->within && !difference->beyond;
    }
    return EXIT_DONE;
}

static int compare_values(kjit_kernel *kernel, const kjit_arg *args, const kjit_values *after,
                          double tolerance, Comparison *comparison)
{
    size_t count = kjit_param_count(kernel);
    uint32_t *listed = must_alloc(count * sizeof *listed);
    kjit_arg *captured = must_alloc(count * sizeof *captured);
    Arrays now = { 0 }, then = { 0 };

    for (size_t i = 0; i < count; i++) {
        const kjit_arg *value = kjit_values_get(after, kjit_param_name(kernel, i));
        listed[i] = value ? KJIT_WRITES : 0;
        captured[i] = value ? *value : kjit_arg_int64(0);
    }
    each_written(kernel, args, listed, collect, &now);
    each_written(kernel, captured, listed, collect, &then);
    int status = compare_lists(&now, &then, tolerance, comparison);
    arrays_free(&now);
    arrays_free(&then);
    free(captured);
    free(listed);
    return status;
}

int replay_compare(const kjit_replay *replay, kjit_kernel *kernel, const kjit_arg *args,
                   double tolerance, Comparison *comparison)
{
    kjit_values *after = NULL;
    kjit_status made = kjit_values_new(&after);
    if (made == KJIT_OK)
        made = kjit_replay_values(replay, 1, after);
    int status = made == KJIT_OK ? compare_values(kernel, args, after, tolerance, comparison)
                                 : complain_status(made);
    kjit_values_close(after);
    return status;
}

/* ---- output --------------------------------------------------------------------------------- */

/* `    o  3 of 8 elements, [0, 1] first: 2.5, captured 3.5; by 1 at most, relatively 0.29` */
static void print_difference(FILE *out, const Difference *difference)
{
    char now[NUMBER_TEXT], then[NUMBER_TEXT];
    number_format(now, &difference->now, difference->dtype, 0);
    number_format(then, &difference->then, difference->dtype, 0);
    fprintf(out, "    %s  %lld of %lld element%s, [", difference->name,
            (long long)(difference->beyond ? difference->beyond : difference->differ),
            (long long)difference->count, difference->count == 1 ? "" : "s");
    for (int axis = 0; axis < difference->rank; axis++)
        fprintf(out, "%s%lld", axis ? ", " : "", (long long)difference->first[axis]);
    fprintf(out, "] first: %s, captured %s; by %.3g at most", now, then, difference->most);
    bool exact = difference->now.kind != NUMBER_REAL && difference->now.kind != NUMBER_COMPLEX;
    if (!exact && difference->most_relative > 0)
        fprintf(out, ", %.2g of its size", difference->most_relative);
    fputc('\n', out);
}

void comparison_print(FILE *out, const Comparison *comparison)
{
    const kjit_replay_facts *captured = &comparison->captured;

    if (captured->changed)
        fprintf(out, "edited since it was captured: %s\n", captured->changed);
    if (captured->failure) {
        fprintf(out, "not compared: on %s (%s) it failed: %s\n", captured->device, captured->model,
                captured->failure);
        return;
    }
    if (comparison->given) {
        fprintf(out, "not compared: %s is not what was captured\n", comparison->given);
        return;
    }
    fprintf(out, "%s captured on %s (%s)%s\n",
            comparison->same     ? "the same as"
            : comparison->within ? "but for rounding the same as"
                                 : "not the same as",
            captured->device, captured->model, comparison->same ? "" : ":");
    for (size_t i = 0; i < comparison->count; i++) {
        const Difference *difference = &comparison->list[i];
        if (comparison->within ? difference->differ : difference->beyond)
            print_difference(out, difference);
    }
}

void comparison_free(Comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        free(comparison->list[i].name);
    free(comparison->list);
    comparison->list = NULL;
    comparison->count = 0;
}
