/* A CUDA GPU as a device, through the driver: opening, closing, and handling of faults.
**
** A fault of a kernel makes the context unusable, and the driver returns the same error from every
** later call. So the first error is recorded with details, and later calls fail with it before they
** reach the driver, until kjit_reset(). */
#include "runtime/cuda/cuda.h"

/* ---- faults --------------------------------------------------------------------------- */

/* The number of resets of each primary context, by which contexts that share it notice a reset. */
static atomic_uint primary_resets[64];

static unsigned resets_of(const CudaDevice *device)
{
    return atomic_load_explicit(&primary_resets[device->ordinal % 64], memory_order_relaxed);
}

/* The meaning of errors that destroy the context; NULL for others. */
static const char *fatal_meaning(CuResult result)
{
    switch (result) {
    case CU_ILLEGAL_ADDRESS:
        return "reached outside of its arrays";
    case CU_MISALIGNED_ADDRESS:
        return "reached for memory at an address that its type does not allow";
    case CU_INVALID_ADDRESS_SPACE:
        return "reached outside of its arrays, to where shared or local memory is mapped";
    case CU_ILLEGAL_INSTRUCTION:
    case CU_INVALID_PC:
        return "ran what is no instruction";
    case CU_HARDWARE_STACK:
        return "used up its stack: too deep a recursion";
    case CU_LAUNCH_TIMEOUT:
        return "ran longer than the system allows";
    case CU_ASSERT:
        return "failed an assertion";
    case CU_LAUNCH_FAILED:
        return "failed";
    case CU_CONTEXT_DESTROYED:
        return "lost its context";
    }
    return NULL;
}

enum { SUSPECTS_SHOWN = 4 };

static uint64_t read_round(const _Atomic uint64_t *round)
{
    return atomic_load_explicit(round, memory_order_relaxed);
}

/* Whether it may have run since the last wait for the device, or for its stream. */
static bool is_suspect(const CudaDevice *device, const Code *code)
{
    uint64_t passed = read_round(&device->passed), by_default = read_round(&device->default_passed);

    return read_round(&code->launched_apart) > passed ||
           read_round(&code->launched) > (by_default > passed ? by_default : passed);
}

/* The kernels launched since the last wait for the device. Under the lock. */
static void print_suspects(const CudaDevice *device, char *out, size_t size)
{
    bool graph = read_round(&device->graph_launched) > read_round(&device->passed);
    size_t used = 0;
    int count = 0;

    *out = '\0';
    for (const Code *code = device->codes; code; code = code->next) {
        if (!is_suspect(device, code))
            continue;
        if (count < SUSPECTS_SHOWN && used < size)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", count ? " or " : "", code->call);
        count++;
    }
    if (count > SUSPECTS_SHOWN && used < size)
        snprintf(out + used, size - used, " or one of %d more", count - SUSPECTS_SHOWN);
    if (graph && used < size)
        snprintf(out + used, size - used, "%sa kernel of a graph", count ? " or " : "");
    else if (!count)
        snprintf(out, size, "a kernel, perhaps of other code in the process,");
}

static kjit_status repeat_cause(CudaDevice *device)
{
    char cause[sizeof device->cause];

    pthread_mutex_lock(&device->lock);
    memcpy(cause, device->cause, sizeof cause);
    pthread_mutex_unlock(&device->lock);
    return error_set(KJIT_BROKEN,
                     "%s\nnote: %s stays unusable until kjit_reset(), or in a new process", cause,
                     device->base.name);
}

/* Records the first cause. */
static void break_device(CudaDevice *device, CuResult result, const char *call, const char *meaning)
{
    char suspects[512];

    pthread_mutex_lock(&device->lock);
    if (!atomic_load(&device->broken)) {
        print_suspects(device, suspects, sizeof suspects);
        snprintf(device->cause, sizeof device->cause, "error: %s %s: %s%s%s%s", suspects, meaning,
                 driver_error(result), result == CU_CONTEXT_DESTROYED ? ", in " : "",
                 result == CU_CONTEXT_DESTROYED ? call : "",
                 result == CU_ILLEGAL_ADDRESS || result == CU_MISALIGNED_ADDRESS
                     ? "\nnote: load it for debug ('kjit run --debug') to be told where"
                     : "");
        atomic_store(&device->broken, true);
    }
    pthread_mutex_unlock(&device->lock);
}

kjit_status cuda_check(CudaDevice *device, CuResult result, const char *call)
{
    if (result == CU_OK)
        return KJIT_OK;
    const char *meaning = fatal_meaning(result);
    if (meaning) {
        break_device(device, result, call, meaning);
        return repeat_cause(device);
    }
    kjit_status status = result == CU_OUT_OF_MEMORY ? KJIT_MEMORY : KJIT_LAUNCH;
    return error_set(status, "error: %s failed: %s", call, driver_error(result));
}

/* ---- entering ------------------------------------------------------------------------- */

static kjit_status refuse_use(CudaDevice *device)
{
    if (device->forks != forks_seen())
        return error_set(KJIT_LAUNCH,
                         "error: %s was opened before this process was forked, and CUDA does not "
                         "survive that\n"
                         "note: ask for no GPU before fork(), or start the program anew (exec)",
                         device->base.name);
    if (atomic_load(&device->broken))
        return repeat_cause(device);
    return error_set(KJIT_BROKEN,
                     "error: %s was reset through another context\n"
                     "note: kjit_reset() brings this one back",
                     device->base.name);
}

static kjit_status start_failure(CudaDevice *device)
{
    return cuda_check(device, device->started, "starting the GPU (cuDevicePrimaryCtxRetain)");
}

/* Waits for the thread that starts the device. */
static void await_start(CudaDevice *device)
{
    pthread_mutex_lock(&device->joining);
    if (atomic_load(&device->starting))
        pthread_join(device->starter, NULL);
    atomic_store(&device->starting, false);
    pthread_mutex_unlock(&device->joining);
}

kjit_status cuda_enter(CudaDevice *device, bool *pushed)
{
    CuContext current = NULL;

    *pushed = false;
    if (atomic_load_explicit(&device->starting, memory_order_acquire) &&
        device->forks == forks_seen())
        await_start(device);
    if (device->forks != forks_seen() ||
        atomic_load_explicit(&device->broken, memory_order_relaxed) ||
        device->resets != resets_of(device))
        return refuse_use(device);
    if (!device->context)
        return start_failure(device);
    if (device->driver->context_current(&current) == CU_OK && current == device->context)
        return KJIT_OK;
    KJIT_TRY(cuda_check(device, device->driver->context_push(device->context), "cuCtxPushCurrent"));
    *pushed = true;
    return KJIT_OK;
}

void cuda_leave(CudaDevice *device, bool pushed)
{
    CuContext was;

    if (pushed)
        device->driver->context_pop(&was);
}

enum { CAPTURE_MODE_KEPT = -1 }; /* the driver did not change it */

int cuda_begin_apart(const CudaDevice *device)
{
    int mode = CU_CAPTURE_RELAXED;

    return device->driver->capture_mode(&mode) ? CAPTURE_MODE_KEPT : mode;
}

void cuda_end_apart(const CudaDevice *device, int mode)
{
    if (mode != CAPTURE_MODE_KEPT)
        device->driver->capture_mode(&mode);
}

int cuda_attribute(const CudaDevice *device, int number)
{
    int value = 0;

    device->driver->device_attribute(&value, number, device->handle);
    return value;
}

uint64_t cuda_begin_wait(CudaDevice *device)
{
    return atomic_fetch_add_explicit(&device->round, 1, memory_order_relaxed);
}

void cuda_end_wait(CudaDevice *device, uint64_t round, bool default_only)
{
    _Atomic uint64_t *which = default_only ? &device->default_passed : &device->passed;
    uint64_t passed = read_round(which);

    while (passed < round &&
           !atomic_compare_exchange_weak_explicit(which, &passed, round, memory_order_relaxed,
                                                  memory_order_relaxed)) {}
}

static kjit_status cuda_synchronize(Device *base)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    uint64_t round = cuda_begin_wait(device);
    CuResult result = device->driver->context_synchronize();
    cuda_leave(device, pushed);
    if (result == CU_OK)
        cuda_end_wait(device, round, false);
    return cuda_check(device, result, "waiting for the GPU (cuCtxSynchronize)");
}

/* ---- opening and closing ---------------------------------------------------------------- */

static void *start(void *context)
{
    CudaDevice *device = context;
    int mode = cuda_begin_apart(device);

    device->started = device->driver->primary_retain(&device->context, device->handle);
    if (device->started == CU_OK)
        cuda_open_pool(device);
    else
        device->context = NULL;
    cuda_end_apart(device, mode);
    return NULL;
}

/* Starts the device here, or with `behind` on a thread: cuda_enter() then reports failures. */
static kjit_status begin_start(CudaDevice *device, bool behind)
{
    device->resets = resets_of(device);
    atomic_store(&device->starting, true);
    if (behind && pthread_create(&device->starter, NULL, start, device) == 0)
        return KJIT_OK;
    atomic_store(&device->starting, false);
    start(device);
    return start_failure(device);
}

static void cuda_close(Device *base)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (cuda_enter(device, &pushed) == KJIT_OK) {
        cuda_close_staging(device);
        if (device->pool)
            device->driver->pool_destroy(device->pool);
        cuda_leave(device, pushed);
    }
    if (device->forks == forks_seen() && device->context)
        device->driver->primary_release(device->handle);
    pthread_mutex_destroy(&device->joining);
    pthread_mutex_destroy(&device->lock);
    memory_free(device);
}

/* Forgets what was destroyed with the primary context. */
static void forget_all(CudaDevice *device)
{
    device->context = NULL;
    device->pool = NULL;
    device->lane_count = device->free_count = 0;
    atomic_store(&device->broken, false);
    atomic_fetch_add(&device->base.lifetime, 1);
}

/* The driver refuses to start the GPU again in this process. */
static kjit_status refuse_reset(const CudaDevice *device, CuResult result)
{
    return error_set(KJIT_BROKEN,
                     "error: the driver does not give %s back to this process: %s\n"
                     "note: drivers may insist on a new process after a fault: start the program "
                     "anew; the processor still serves, as the device \"cpu\"",
                     device->base.name, driver_error(result));
}

static kjit_status restart(CudaDevice *device)
{
    CuResult result = device->driver->primary_retain(&device->context, device->handle);
    bool pushed;

    device->resets = resets_of(device);
    if (result != CU_OK)
        device->context = NULL;
    if (fatal_meaning(result))
        return refuse_reset(device, result);
    KJIT_TRY(cuda_check(device, result, "starting the GPU (cuDevicePrimaryCtxRetain)"));
    cuda_open_pool(device);
    KJIT_TRY(cuda_enter(device, &pushed));
    kjit_status status = cuda_reload(device);
    cuda_leave(device, pushed);
    return status;
}

/* A reset that failed half-way must be repeated, as code is not loaded. The original cause
** remains. */
static void stay_broken(CudaDevice *device, bool was_broken)
{
    pthread_mutex_lock(&device->lock);
    if (!was_broken && !atomic_load(&device->broken))
        snprintf(device->cause, sizeof device->cause, "%s", kjit_error_message());
    atomic_store(&device->broken, true);
    pthread_mutex_unlock(&device->lock);
}

static kjit_status cuda_reset(Device *base)
{
    CudaDevice *device = cuda(base);
    bool was_broken = atomic_load(&device->broken);

    if (device->forks != forks_seen())
        return refuse_use(device);
    await_start(device);
    /* Another context may have reset it already. */
    if (device->resets == resets_of(device)) {
        CuResult result = device->driver->primary_reset(device->handle);
        if (!fatal_meaning(result)) /* a fatal result is the fault that the reset repairs */
            KJIT_TRY(cuda_check(device, result, "cuDevicePrimaryCtxReset"));
        atomic_fetch_add(&primary_resets[device->ordinal % 64], 1);
    }
    if (device->context)
        device->driver->primary_release(device->handle);
    forget_all(device);
    kjit_status status = restart(device);
    if (status != KJIT_OK)
        stay_broken(device, was_broken);
    return status;
}

static const DeviceOps cuda_ops = {
    .dialect = DIALECT_CUDA,
    .host_memory = false,
    .close = cuda_close,
    .reset = cuda_reset,
    .build = cuda_build,
    .load = cuda_load,
    .unload = cuda_unload,
    .most_threads = cuda_most_threads,
    .best_block = cuda_best_block,
    .code_facts = cuda_code_facts,
    .launch = cuda_launch,
    .map = cuda_map,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .on_gpu = cuda_on_gpu,
    .copy = cuda_copy,
    .zero = cuda_zero,
    .befriend = cuda_befriend,
    .copy_from = cuda_copy_from,
    .enter = cuda_enter_device,
    .leave = cuda_leave_device,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .memory_info = cuda_memory_info,
    .trim = cuda_trim,
    .facts = cuda_facts,
    .sensors = cuda_sensors,
    .synchronize = cuda_synchronize,
    .stream_new = cuda_stream_new,
    .stream_close = cuda_stream_close,
    .stream_synchronize = cuda_stream_synchronize,
    .stream_query = cuda_stream_query,
    .stream_records = cuda_stream_records,
    .stream_wait = cuda_stream_wait,
    .stream_call = cuda_stream_call,
    .event_new = cuda_event_new,
    .event_close = cuda_event_close,
    .event_record = cuda_event_record,
    .event_synchronize = cuda_event_synchronize,
    .event_query = cuda_event_query,
    .event_elapsed = cuda_event_elapsed,
    .capture_begin = cuda_capture_begin,
    .capture_end = cuda_capture_end,
    .graph_launch = cuda_graph_launch,
    .graph_close = cuda_graph_close,
};

static kjit_status describe(CudaDevice *device)
{
    enum {
        MAJOR,
        MINOR,
        POOLS,
        THREADS,
        SHARED,
        SHARED_OPTIN,
        BLOCK,
        GRID = BLOCK + 3,
        PROCESSORS = GRID + 3,
        COUNT
    };
    static const int numbers[COUNT] = {
        CU_MAJOR,           CU_MINOR,           CU_MEMORY_POOLS,
        CU_MAX_THREADS,     CU_MAX_SHARED,      CU_MAX_SHARED_OPTIN,
        CU_MAX_BLOCK_X,     CU_MAX_BLOCK_X + 1, CU_MAX_BLOCK_X + 2,
        CU_MAX_GRID_X,      CU_MAX_GRID_X + 1,  CU_MAX_GRID_X + 2,
        CU_MULTIPROCESSORS,
    };
    const Driver *driver = device->driver;
    Device *base = &device->base;
    DeviceLimits *limits = &base->limits;
    int values[COUNT];

    for (int i = 0; i < COUNT; i++)
        KJIT_TRY(cuda_check(device,
                            driver->device_attribute(&values[i], numbers[i], device->handle),
                            "asking what the GPU can do (cuDeviceGetAttribute)"));
    if (driver->device_name(base->model, sizeof base->model, device->handle) != CU_OK)
        snprintf(base->model, sizeof base->model, "unknown GPU");
    snprintf(base->arch, sizeof base->arch, "sm_%d%d", values[MAJOR], values[MINOR]);
    for (int axis = 0; axis < 3; axis++) {
        limits->block[axis] = (uint32_t)values[BLOCK + axis];
        limits->grid[axis] = (uint32_t)values[GRID + axis];
    }
    device->has_pools = values[POOLS] != 0;
    limits->threads = (uint32_t)values[THREADS];
    limits->static_shared = (size_t)values[SHARED];
    limits->shared = (size_t)values[SHARED_OPTIN];
    if (limits->shared < limits->static_shared)
        limits->shared = limits->static_shared;
    limits->multiprocessors = (uint32_t)values[PROCESSORS];
    return KJIT_OK;
}

static kjit_status no_driver(const Driver *driver)
{
    return error_set(
        KJIT_NO_DEVICE,
        "error: %s\nnote: install NVIDIA's driver, or use the processor: --device cpu, in Python "
        "KJIT_DEVICE=cpu, in C device \"cpu\" of kjit_open_options; 'kjit doctor' says what was "
        "found",
        driver->why_not);
}

kjit_status device_cuda_open(Cache *cache, int ordinal, bool behind, Device **out)
{
    const Driver *driver = driver_get();

    *out = NULL;
    if (driver->why_not[0])
        return no_driver(driver);
    if (driver->forks != forks_seen())
        return error_set(KJIT_NO_DEVICE,
                         "error: the CUDA driver was started before this process was forked, and "
                         "does not survive that\n"
                         "note: ask for no GPU before fork(), or start the program anew (exec)");
    if (ordinal >= driver->device_count)
        return error_set(KJIT_NO_DEVICE,
                         "error: there is no device cuda:%d: this machine has %d GPU%s", ordinal,
                         driver->device_count, driver->device_count == 1 ? "" : "s");
    CudaDevice *device = memory_zeroed(1, sizeof *device);
    if (!device)
        return error_memory();
    device->base.ops = &cuda_ops;
    device->base.cache = cache;
    device->driver = driver;
    device->ordinal = ordinal;
    atomic_init(&device->round, 1);
    snprintf(device->base.name, sizeof device->base.name, "cuda:%d", ordinal);
    forks_watch();
    device->forks = forks_seen();
    pthread_mutex_init(&device->lock, NULL);
    pthread_mutex_init(&device->joining, NULL);
    kjit_status status =
        cuda_check(device, driver->device_get(&device->handle, ordinal), "cuDeviceGet");
    if (status == KJIT_OK)
        status = describe(device);
    if (status == KJIT_OK)
        status = begin_start(device, behind);
    if (status != KJIT_OK) {
        pthread_mutex_destroy(&device->joining);
        pthread_mutex_destroy(&device->lock);
        memory_free(device);
        return status;
    }
    *out = &device->base;
    return KJIT_OK;
}
