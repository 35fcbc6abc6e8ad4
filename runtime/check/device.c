/* The device "check": the processor's device with the checker's memory and launches. Arrays of the
** host are copied to that memory and back, as for a GPU. */
#include "runtime/check/findings.h"
#include "runtime/check/rehearsal.h"
#include "runtime/cpu/running.h"

static DeviceOps check_ops; /* the processor's, with the functions below in place of its own */
static pthread_once_t check_ops_once = PTHREAD_ONCE_INIT;

static void check_close(Device *device)
{
    findings_free(device->findings);
    cpu_ops.close(device);
}

/* Compile time matters more than run time: the compiler does not optimise much. */
static kjit_status check_build(Device *device, const BuildRequest *request, Code **code)
{
    BuildRequest quick = *request;

    quick.quick = true;
    return cpu_ops.build(device, &quick, code);
}

static kjit_status refuse_load(Device *device, const void *image, size_t length,
                               const BuildRequest *request, Code **code)
{
    (void)device, (void)image, (void)length, (void)code;
    return error_set(KJIT_UNSUPPORTED,
                     "error: %s comes compiled, and the device check needs its "
                     "source",
                     request->call);
}

/* ---- launching ------------------------------------------------------------------------------ */

typedef void CheckEntry(KjitCheck *c, void *const *params);

static kjit_status run_checked(Device *device, const LaunchRequest *launch, CheckRequest *request)
{
    const CheckedKernel *kernel = launch->checked;
    CheckReport report = { 0 };
    double begin = clock_ms();

    request->place = watch_launch(device->watch, launch->call, begin, launch->asked_blocks);
    kjit_status status = check_run(request, &report);
    watch_end(request->place);
    report_current()->run_ms = clock_ms() - begin;
    if (status == KJIT_OK)
        status = findings_add(device->findings, kernel, &report);
    if (status == KJIT_OK && request->advise)
        status = findings_add_widened(device->findings, kernel);
    check_report_free(&report);
    return status;
}

static kjit_status launch_checked(Device *device, const Code *code, const LaunchRequest *launch)
{
    const CheckedKernel *kernel = launch->checked;
    const Emitted *emitted = kernel->emitted;
    kjit_check_options options = findings_options(device->findings);
    CheckArray *arrays = checked_arrays(kernel, launch->params);
    CheckRequest request = {
        .params = launch->params,
        .static_shared = emitted->static_shared,
        .dynamic_shared = launch->shared_bytes,
        .sites = emitted->sites,
        .site_count = emitted->site_count,
        .shared = emitted->shared,
        .shared_count = emitted->shared_count,
        .faults = emitted->faults,
        .arrays = arrays,
        .array_count = kernel->count,
        .seed = options.seed,
        .cooperative = emitted->cooperative,
        .nan = options.nan,
        .advise = options.advise,
    };
    void *entry = cpu_entry(code);

    if (!arrays)
        return error_memory();
    memcpy(&request.thread, &entry, sizeof entry);
    memcpy(request.grid, launch->grid, sizeof request.grid);
    memcpy(request.block, launch->block, sizeof request.block);
    kjit_status status;
    if (options.advise || options.nan || !kernel->plain ||
        !check_plain_launch(kernel->plain, device, kernel, launch, arrays, &status)) {
        Running running = { .call = launch->call };
        running_set(&running);
        status = run_checked(device, launch, &request);
        running_set(NULL);
    }
    memory_free(arrays);
    return status;
}

static kjit_status check_launch(Device *device, Code *code, const LaunchRequest *request)
{
    bool recorded;

    KJIT_TRY(cpu_record_launch(request->stream, code, request, &recorded));
    return recorded ? KJIT_OK : launch_checked(device, code, request);
}

/* ---- memory --------------------------------------------------------------------------------- */

static kjit_status check_alloc(Device *device, Block *block, void *stream)
{
    (void)device, (void)stream;
    block->memory = check_memory_alloc(block->bytes);
    return block->memory ? KJIT_OK : error_memory();
}

static kjit_status check_release(Device *device, Block *block, void *stream)
{
    kjit_status status = findings_settle(device->findings, block->memory, block->bytes, true);

    (void)stream;
    check_memory_free(block->memory);
    block->memory = NULL;
    return status;
}

/* No memory is a GPU's: even what claims to be on a device is memory of the process. */
static bool check_on_gpu(Device *device, const void *memory)
{
    (void)device, (void)memory;
    return true;
}

static kjit_status check_copy(Device *device, const CopyRequest *request)
{
    bool recorded = request->stream != NULL;

    if (recorded)
        KJIT_TRY(cpu_ops.stream_records(device, request->stream, &recorded));
    KJIT_TRY(cpu_ops.copy(device, request));
    if (!recorded && request->to_host && request->height)
        KJIT_TRY(findings_settle(device->findings, request->from,
                                 (request->height - 1) * request->from_pitch + request->width,
                                 false));
    for (size_t i = 0; !recorded && !request->to_host && request->width && i < request->height; i++)
        check_memory_mark((char *)request->to + i * request->to_pitch, request->width,
                          !request->unwritten);
    return KJIT_OK;
}

static kjit_status check_zero(Device *device, void *memory, size_t bytes, void *stream)
{
    bool recorded = stream != NULL;

    if (recorded)
        KJIT_TRY(cpu_ops.stream_records(device, stream, &recorded));
    KJIT_TRY(cpu_ops.zero(device, memory, bytes, stream));
    if (!recorded)
        check_memory_mark(memory, bytes, true);
    return KJIT_OK;
}

/* ---- opening -------------------------------------------------------------------------------- */

static void make_ops(void)
{
    check_ops = cpu_ops;
    check_ops.dialect = DIALECT_CHECK;
    check_ops.host_memory = false;
    check_ops.close = check_close;
    check_ops.build = check_build;
    check_ops.load = refuse_load;
    check_ops.launch = check_launch;
    check_ops.alloc = check_alloc;
    check_ops.release = check_release;
    check_ops.on_gpu = check_on_gpu;
    check_ops.copy = check_copy;
    check_ops.zero = check_zero;
}

kjit_status device_check_open(Cache *cache, Device **device)
{
    pthread_once(&check_ops_once, make_ops);
    KJIT_TRY(device_cpu_open(cache, device));
    (*device)->ops = &check_ops;
    strcpy((*device)->name, "check");
    (*device)->findings = findings_new();
    if ((*device)->findings)
        return KJIT_OK;
    check_close(*device);
    *device = NULL;
    return error_memory();
}
