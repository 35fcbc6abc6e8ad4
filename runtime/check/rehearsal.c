/* Launches that are rehearsed first, and run unchecked if they are proved free of findings.
**
** The unchecked code is compiled once launches have come whose checks would take longer than
** compiling it. It is the variant of the device cpu that assumes no facts of a launch. */
#include "runtime/check/rehearsal.h"

#include "ir/predict/rehearse.h"
#include "runtime/binary/binary.h"
#include "runtime/array/array.h"

/* Launches from LEAST_THREADS threads on are rehearsed, with at most WORK_LEAST operations, or
** WORK_SHARE for each thread: a small part of the time that checking takes. */
enum { LEAST_THREADS = 1 << 12, WORK_SHARE = 2, WORK_LEAST = 1 << 20 };
/* After so many rehearsals in a row without success there are no more. */
enum { DECLINED_MOST = 4 };
/* Estimated time of checking, in nanoseconds: a thread, an access, a wait. From WORTH_NS on
** compiling pays. */
enum { THREAD_NS = 10, ACCESS_NS = 8, WAIT_NS = 25, WORTH_NS = 20000000 };

struct CheckPlain {
    pthread_mutex_t lock; /* of the fields that change */
    const IrUnit *unit;
    const kjit_kernel *kernel;
    const uint32_t *key;
    int key_length, block_threads;
    Device *device; /* of the code */
    Code *code;
    uint64_t moved_shared; /* as in Emitted */
    bool compiling;        /* some thread is */
    bool refused;          /* there is no code */
    int declined;          /* consecutive launches that had to be checked */
    double saved_ns;       /* by rehearsals; or it would have been with code */
};

/* ---- one kernel ------------------------------------------------------------------------------ */

CheckPlain *check_plain_new(Arena *arena, const KernelRequest *translation)
{
    const IrOptions *options = &translation->unit->kernel->options;
    uint32_t *key;

    if (options->debug || options->deterministic || translation->nan || !translation->key ||
        translation->emitted.cooperative)
        return NULL;
    const IrUnit *unit = ir_rehearsable(translation->unit);
    if (!unit)
        return NULL;
    CheckPlain *plain = arena_new(arena, CheckPlain);
    key = arena_array(arena, uint32_t, translation->key_length);
    memcpy(key, translation->key, sizeof *key * (size_t)translation->key_length);
    *plain = (CheckPlain){ .lock = PTHREAD_MUTEX_INITIALIZER,
                           .unit = unit,
                           .kernel = translation->kernel,
                           .key = key,
                           .key_length = translation->key_length,
                           .block_threads = translation->block_threads };
    return plain;
}

void check_plain_free(CheckPlain *plain)
{
    if (plain && plain->code)
        plain->device->ops->unload(plain->device, plain->code);
}

static kjit_status translate(void *context, Arena *arena)
{
    return compile_kernel(arena, context);
}

static kjit_status compile(CheckPlain *plain, Device *device, Code **code, uint64_t *moved)
{
    KernelRequest request = { .kernel = plain->kernel,
                              .key = plain->key,
                              .key_length = plain->key_length,
                              .block_threads = plain->block_threads,
                              .dialect = DIALECT_C };
    pthread_mutex_t *front_end = &plain->kernel->module->lock;
    WatchPlace *place =
        watch_begin(device->watch, KJIT_COMPILING, plain->kernel->info->name, clock_ms());
    Arena arena;

    arena_init(&arena, NULL);
    forks_lock(front_end);
    kjit_status status = arena_catch(&arena, translate, &request);
    forks_unlock(front_end);
    if (status == KJIT_OK) {
        BuildRequest build = build_request(&request);
        status = cpu_ops.build(device, &build, code);
        *moved = request.emitted.moved_shared;
    }
    arena_free(&arena);
    watch_end(place);
    return status;
}

/* Called without the lock: launches that come meanwhile are checked. */
static void get_code(CheckPlain *plain, Device *device)
{
    Code *code = NULL;
    uint64_t moved = 0;
    kjit_status status = compile(plain, device, &code, &moved);

    forks_lock(&plain->lock);
    plain->compiling = false;
    plain->refused = status != KJIT_OK;
    plain->code = status == KJIT_OK ? code : NULL;
    plain->moved_shared = moved;
    plain->device = device;
    forks_unlock(&plain->lock);
}

/* ---- its arguments --------------------------------------------------------------------------- */

/* The address range of an array. */
static void span_of(const CheckArray *array, uintptr_t *low, uintptr_t *high)
{
    *low = *high = (uintptr_t)array->data;
    for (int k = 0; k < array->rank; k++)
        if (array->shape[k] <= 0)
            return;
    *high += array->item;
    for (int k = 0; k < array->rank; k++) {
        int64_t bytes = (array->shape[k] - 1) * array->strides[k];
        if (bytes < 0)
            *low -= (uintptr_t)-bytes;
        else
            *high += (uintptr_t)bytes;
    }
}

static uint64_t bytes_of(const CheckArray *array)
{
    uint64_t bytes = array->item;

    for (int k = 0; k < array->rank; k++)
        bytes *= (uint64_t)array->shape[k];
    return bytes;
}

/* Whether its elements are contiguous. */
static bool is_dense(const CheckArray *array)
{
    uintptr_t low, high;

    span_of(array, &low, &high);
    return high - low == bytes_of(array);
}

static bool is_apart(const CheckArray *arrays, int count, int i)
{
    uintptr_t low, high, other_low, other_high;

    span_of(&arrays[i], &low, &high);
    for (int k = 0; k < count; k++) {
        if (k == i)
            continue;
        span_of(&arrays[k], &other_low, &other_high);
        if (low < other_high && other_low < high)
            return false;
    }
    return strides_are_apart(arrays[i].rank, arrays[i].shape, arrays[i].strides, arrays[i].item);
}

static bool is_aligned(const CheckArray *array)
{
    uint64_t any = (uintptr_t)array->data;

    for (int k = 0; k < array->rank; k++)
        any |= array->shape[k] > 1 ? (uint64_t)array->strides[k] : 0;
    return any % array->item == 0;
}

static RehearsalArg array_arg(const CheckArray *arrays, int count, int i)
{
    const CheckArray *array = &arrays[i];
    RehearsalArg arg = { .array = true, .aligned = is_aligned(array) };
    uintptr_t low, high;

    memcpy(arg.shape, array->shape, sizeof *arg.shape * (size_t)array->rank);
    span_of(array, &low, &high);
    arg.apart = is_apart(arrays, count, i);
    arg.written = check_memory_is_written((void *)low, high - low);
    return arg;
}

/* The value of an integer or bool. */
static RehearsalArg scalar_arg(const Type *type, const void *value)
{
    uint64_t bits = 0;
    size_t size = type_size(type);
    int unused = (int)(64 - 8 * size);

    if (!type_is_integer(type) && type != type_bool)
        return (RehearsalArg){ 0 };
    memcpy(&bits, value, size); /* the lowest byte comes first */
    if (type_is_signed(type))
        return (RehearsalArg){ .known = true, .value = (int64_t)(bits << unused) >> unused };
    return (RehearsalArg){ .known = bits <= INT64_MAX, .value = (int64_t)bits };
}

static RehearsalArg *read_args(Arena *arena, const IrFunc *fn, const CheckedKernel *kernel,
                               const LaunchRequest *launch, const CheckArray *arrays)
{
    RehearsalArg *args = arena_array(arena, RehearsalArg, fn->param_count + 1);
    int first = 0, array = 0;

    for (int i = 0; i < fn->param_count; i++) {
        const Type *type = fn->vars[i]->type;
        while (array < kernel->count && kernel->params[array].first < first)
            array++;
        if (type_is_array(type))
            args[i] = array_arg(arrays, kernel->count, array);
        else if (type_is_scalar(type))
            args[i] = scalar_arg(type, launch->params[first]);
        first += checked_params_of(type);
    }
    return args;
}

/* ---- one launch ------------------------------------------------------------------------------ */

/* A rehearsal. */
typedef struct RehearsalTask {
    const CheckPlain *plain;
    const CheckedKernel *kernel;
    const LaunchRequest *launch;
    const CheckArray *arrays;
    uint64_t threads;
    bool clean; /* out */
    double ns;  /* estimated time of checking it */
} RehearsalTask;

static kjit_status rehearse_launch(void *context, Arena *arena)
{
    RehearsalTask *task = context;
    const IrFunc *fn = task->plain->unit->kernel;
    RehearsalRequest request = {
        .unit = task->plain->unit,
        .dynamic_shared = task->launch->shared_bytes,
        .args = read_args(arena, fn, task->kernel, task->launch, task->arrays),
        .work = WORK_LEAST + WORK_SHARE * task->threads,
    };

    memcpy(request.grid, task->launch->grid, sizeof request.grid);
    memcpy(request.block, task->launch->block, sizeof request.block);
    RehearsalAnswer answer = rehearse(arena, &request);
    task->clean = answer.clean;
    task->ns = (double)task->threads * THREAD_NS + (double)answer.accesses * ACCESS_NS +
               (double)answer.waits * WAIT_NS;
    for (int i = 0; i < task->kernel->count; i++) /* an array that it writes has gaps */
        if (!is_dense(&task->arrays[i]))
            for (int k = 0; k < fn->param_count; k++)
                task->clean &= !(fn->access[k] & ACCESS_WRITE) || request.args[k].written;
    return KJIT_OK;
}

/* "always" rehearses small launches too, "never" rehearses none. */
static int wanted(void)
{
    const char *text = getenv("KJIT_REHEARSE");

    return !text ? 0 : strcmp(text, "always") == 0 ? 1 : strcmp(text, "never") == 0 ? -1 : 0;
}

static uint64_t threads_of(const LaunchRequest *launch)
{
    uint64_t threads = 1;

    for (int k = 0; k < 3; k++)
        threads *= (uint64_t)launch->grid[k] * launch->block[k];
    return threads;
}

/* Whether a launch may run unchecked; `*missing`: there is no code for it yet. */
static bool decide(CheckPlain *plain, RehearsalTask *task, bool *missing)
{
    int want = wanted();

    if (plain->refused || plain->compiling || want < 0 ||
        (want == 0 && (plain->declined == DECLINED_MOST || task->threads < LEAST_THREADS)))
        return false;
    if (arena_run(rehearse_launch, task) != KJIT_OK || !task->clean) {
        plain->declined += plain->declined < DECLINED_MOST;
        return false;
    }
    plain->declined = 0;
    plain->saved_ns += task->ns;
    *missing = !plain->code;
    plain->compiling = *missing && (want > 0 || plain->saved_ns >= WORTH_NS);
    return plain->code || plain->compiling;
}

/* Marks arrays that the kernel writes as written: a rehearsed launch writes all of them, or they
** had values before. */
static void mark_written(const CheckPlain *plain, const CheckedKernel *kernel,
                         const CheckArray *arrays)
{
    const IrFunc *fn = plain->unit->kernel;
    int first = 0, array = 0;

    for (int i = 0; i < fn->param_count; i++) {
        while (array < kernel->count && kernel->params[array].first < first)
            array++;
        if (type_is_array(fn->vars[i]->type) && (fn->access[i] & ACCESS_WRITE)) {
            uintptr_t low, high;
            span_of(&arrays[array], &low, &high);
            if (!check_memory_is_written((void *)low, high - low))
                check_memory_mark((void *)low, high - low, true);
        }
        first += checked_params_of(fn->vars[i]->type);
    }
}

bool check_plain_launch(CheckPlain *plain, Device *device, const CheckedKernel *kernel,
                        const LaunchRequest *launch, const CheckArray *arrays, kjit_status *status)
{
    RehearsalTask task = { plain, kernel, launch, arrays, threads_of(launch), false, 0 };

    bool missing = false;

    error_quiet(true);
    forks_lock(&plain->lock);
    bool plainly = decide(plain, &task, &missing);
    forks_unlock(&plain->lock);
    if (plainly && missing)
        get_code(plain, device);
    error_quiet(false);
    if (!plainly || plain->refused)
        return false;
    LaunchRequest request = *launch;
    request.shared_bytes += plain->moved_shared;
    *status = cpu_ops.launch(device, plain->code, &request);
    if (*status == KJIT_OK)
        mark_written(plain, kernel, arrays);
    report_current()->rehearsed = 1;
    return true;
}
