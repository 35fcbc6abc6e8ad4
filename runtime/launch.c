/* A launch from its arguments to its results: checked, packed, run, and what a debug kernel left
** turned into an error. Prepared launches keep all of it but the run. */
#include "runtime/capture.h"
#include "runtime/hot.h"
#include "runtime/pack.h"
#include "runtime/variant.h"

#include <stdio.h>
#include <string.h>

/* ---- checks --------------------------------------------------------------------------- */

static kjit_status check_axes(const char *what, const uint32_t sizes[3], const uint32_t limits[3],
                              const Device *device)
{
    static const char axes[] = "xyz";

    for (int i = 0; i < 3; i++) {
        if (sizes[i] == 0)
            return error_set(KJIT_ARGUMENT, "error: the %s has no %s in %c", what,
                             what[0] == 'g' ? "blocks" : "threads", axes[i]);
        if (sizes[i] > limits[i])
            return error_set(KJIT_ARGUMENT, "error: the %s is %u in %c, and %s allows %u there",
                             what, sizes[i], axes[i], device->name, limits[i]);
    }
    return KJIT_OK;
}

uint64_t config_threads(const kjit_launch_config *config)
{
    const uint32_t *block = config->block;

    return (uint64_t)block[0] * (block[1] ? block[1] : 1) * (block[2] ? block[2] : 1);
}

/* Fills a request from a configuration that the device allows. */
static kjit_status check_config(const kjit_launch_config *config, const Device *device,
                                const Specialisation *spec, LaunchRequest *request)
{
    const DeviceLimits *limits = &device->limits;

    for (int i = 0; i < 3; i++) {
        request->grid[i] = i && !config->grid[i] ? 1 : config->grid[i];
        request->block[i] = i && !config->block[i] ? 1 : config->block[i];
    }
    request->shared_bytes = config->shared_bytes;
    KJIT_TRY(check_axes("grid", request->grid, limits->grid, device));
    KJIT_TRY(check_axes("block", request->block, limits->block, device));
    uint64_t threads = config_threads(config);
    if (threads > limits->threads)
        return error_set(KJIT_ARGUMENT,
                         "error: a block of %u x %u x %u is %llu threads, and %s allows %u",
                         request->block[0], request->block[1], request->block[2],
                         (unsigned long long)threads, device->name, limits->threads);
    if (spec->launch_bound && threads > (uint64_t)spec->launch_bound)
        return error_set(KJIT_ARGUMENT,
                         "error: a block of %llu threads, and the launch_bounds of %s allow %d",
                         (unsigned long long)threads, spec->call, spec->launch_bound);
    if (config->shared_bytes > limits->shared ||
        spec->static_shared > limits->shared - config->shared_bytes)
        return error_set(
            KJIT_ARGUMENT,
            "error: %zu bytes of dynamic and %llu of static shared memory: %s allows %zu in "
            "all",
            config->shared_bytes, (unsigned long long)spec->static_shared, device->name,
            limits->shared);
    request->shared_bytes += spec->moved_shared;
    request->checked = spec->checked;
    return KJIT_OK;
}

/* Whether any array in the argument is `flags`-less: host memory, or writable. */
static bool any_without(const kjit_arg *arg, uint32_t flag)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return !(arg->as.array.flags & flag);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++) {
        if (any_without(&arg->as.tuple.items[i], flag))
            return true;
    }
    return false;
}

/* A kernel that writes what its caller forbids is refused, whatever its types say. */
static kjit_status check_readonly(const kjit_kernel *kernel, const Specialisation *spec,
                                  const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool writes = spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        if (writes && args[i].kind == KJIT_ARG_ARRAY && !any_without(&args[i], KJIT_READONLY))
            return error_set(KJIT_ARGUMENT, "error: %s writes '%s', which is read-only",
                             kernel->info->name, kernel->param_names[i]);
    }
    return KJIT_OK;
}

/* Sums beside an array are no one's but its own. */
static kjit_status check_sums(const kjit_kernel *kernel, const Specialisation *spec,
                              const kjit_arg *args, size_t count)
{
    IrFacts facts;

    if (!spec->sum_count)
        return KJIT_OK;
    facts_of_launch(args, count, NULL, kernel->module->context->device, &facts);
    for (int i = 0; i < spec->sum_count; i++) {
        int param = spec->sums[i].param;
        if (param >= LAUNCH_PARAMS || !(facts.alone >> param & 1))
            return error_set(KJIT_ARGUMENT,
                             "error: '%s' may overlap another argument of %s, whose sums "
                             "deterministic=True keeps beside it until the kernel is over\n"
                             "note: give it memory of its own",
                             kernel->param_names[param], kernel->info->name);
    }
    return KJIT_OK;
}

/* ---- after the launch ------------------------------------------------------------------- */

void fault_print(char *out, size_t size, const char *message, const int64_t *integers,
                 const double *floats)
{
    size_t used = 0;
    int value = 0;

    for (const char *at = message; *at && used + 32 < size; at++) {
        if (*at != '%') {
            out[used++] = *at;
            continue;
        }
        const char mark = *++at;
        if (mark == 'd')
            used += (size_t)sprintf(out + used, "%lld", (long long)integers[value++]);
        else if (mark == 'u')
            used += (size_t)sprintf(out + used, "%llu", (unsigned long long)integers[value++]);
        else if (mark == 'b')
            used += (size_t)sprintf(out + used, "%s", integers[value++] ? "True" : "False");
        else if (mark == 'g')
            used += (size_t)sprintf(out + used, "%g", floats[value++]);
        else
            out[used++] = '%';
    }
    out[used] = 0;
}

/* Turns what a debug kernel left into an error. */
static kjit_status report_fault(const Specialisation *spec, const KjitFault *fault)
{
    if (!fault->code)
        return KJIT_OK;
    if (fault->code > (uint32_t)spec->fault_count)
        return error_set(KJIT_INTERNAL, "error: %s reported the unknown fault %u", spec->call,
                         fault->code);
    const FaultPlace *place = &spec->faults[fault->code - 1];
    char where[512] = "";
    if (place->file)
        snprintf(where, sizeof where, "%.400s:%u:%u: ", place->file, place->place.line,
                 place->place.column);
    char message[1024];
    fault_print(message, sizeof message, place->message, fault->integers, fault->floats);
    return error_set(KJIT_FAULT, "%s%s (block (%u, %u, %u), thread (%u, %u, %u))", where, message,
                     fault->block[0], fault->block[1], fault->block[2], fault->thread[0],
                     fault->thread[1], fault->thread[2]);
}

static kjit_status check_fault(Device *device, const Specialisation *spec, Pack *pack)
{
    KjitFault fault;

    if (!pack->fault.memory)
        return KJIT_OK;
    KJIT_TRY(pack_fault(pack, device, &fault));
    return report_fault(spec, &fault);
}

static void set_params(LaunchRequest *request, const Pack *pack)
{
    request->stream = pack->stream;
    request->params = pack->params;
    request->param_count = pack->count;
    request->slots = pack->slots;
    request->slot_count = pack->used;
    request->sums = pack->sums;
    request->sum_count = pack->sum_count;
    request->rounded = pack->rounded;
}

/* The specialisation for a launch, what is asked for as a request, and what carries that out. */
typedef struct Choice {
    Specialisation *spec;
    LaunchRequest asked, real;
} Choice;

/* Launches what is packed, as the specialisation's shape has it, and brings back what the host
** waits for. */
static kjit_status run(Device *device, Choice *choice, Pack *pack, const HotLaunch *timed,
                       const kjit_arg *args, size_t count)
{
    const Specialisation *spec = choice->spec;
    double begin = pack->span_count ? clock_ms() : 0;

    set_params(&choice->real, pack);
    hot_before(timed, device, pack->stream);
    kjit_status status = device->ops->launch(device, spec->code, &choice->real);
    hot_after(timed, device, pack->stream);
    if (status != KJIT_OK)
        return status;
    KJIT_TRY(pack_fetch(pack, device, spec, args, count));
    if (pack->span_count) {
        KJIT_TRY(device->ops->stream_synchronize(device, pack->stream));
        report_current()->run_ms = clock_ms() - begin;
    }
    return check_fault(device, spec, pack);
}

static kjit_status refuse_debug(void)
{
    return error_set(KJIT_ARGUMENT, "error: a kernel loaded for debug waits for its faults, "
                                    "which a graph cannot record");
}

static kjit_status refuse_sums(const kjit_kernel *kernel)
{
    return error_set(KJIT_UNSUPPORTED,
                     "error: %s has deterministic=True and keeps sums beside its arrays, which a "
                     "graph cannot record yet\nnote: launch it by itself",
                     kernel->info->name);
}

/* After a failure: the caller may free page-locked arrays that copies are still on their way to. */
static void await_copies(Device *device, void *stream)
{
    error_quiet(true);
    device->ops->stream_synchronize(device, stream);
    error_quiet(false);
}

/* What would have to wait cannot be recorded into a graph. */
static kjit_status check_recording(const kjit_kernel *kernel, const kjit_launch_config *config,
                                   const Specialisation *spec, const kjit_arg *args, size_t count)
{
    Device *device = kernel->module->context->device;
    size_t host = device->ops->host_memory ? count : 0;
    bool records;

    while (host < count && !any_without(&args[host], KJIT_ON_DEVICE))
        host++;
    bool sums = spec->sum_count && device_is_gpu(device);
    if (!config->stream || (!spec->debug && !sums && host == count))
        return KJIT_OK; /* nothing to refuse: the device is not asked */
    KJIT_TRY(stream_records(device, config->stream->handle, &records));
    if (!records)
        return KJIT_OK;
    if (spec->debug)
        return refuse_debug();
    if (sums)
        return refuse_sums(kernel);
    return error_set(KJIT_ARGUMENT,
                     "error: '%s' is a host array, and a graph cannot record the copies\n"
                     "note: kjit_to_device() makes a device array of it",
                     kernel->param_names[host]);
}

/* The launch as one to capture; NULL if it is known, or recorded into a graph. */
static CapturePlan *plan_capture(const kjit_kernel *kernel, const kjit_launch_config *config,
                                 const LaunchRequest *request, const Specialisation *spec,
                                 const kjit_arg *args, size_t count)
{
    const kjit_context *context = kernel->module->context;
    const CaptureLaunch launch = { kernel, spec, request, config->shared_bytes, args, count };

    void *stream = config->stream ? config->stream->handle : NULL;
    bool records;

    if (stream_records(context->device, stream, &records) != KJIT_OK || records)
        return NULL;
    return capture_plan(context->capture, &launch, context->device, stream);
}

/* Whether the shared arrays that passes added leave what the launch asks for itself. */
static bool has_room(const Specialisation *spec, const kjit_launch_config *config,
                     const DeviceLimits *limits)
{
    return !spec->optimised || config->shared_bytes > limits->shared ||
           spec->static_shared <= limits->shared - config->shared_bytes;
}

static kjit_status choose(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, size_t count, DispatchBest best, Choice *choice)
{
    const Device *device = kernel->module->context->device;

    KJIT_TRY(dispatch(kernel, args, count, config, best, &choice->spec));
    if (best != DISPATCH_PLAIN && !has_room(choice->spec, config, &device->limits))
        return choose(kernel, config, args, count, DISPATCH_PLAIN, choice);
    KJIT_TRY(check_config(config, device, choice->spec, &choice->asked));
    if (shape_apply(choice->spec, device, &choice->asked, args, &choice->real))
        return KJIT_OK;
    return choose(kernel, config, args, count, DISPATCH_PLAIN, choice);
}

/* Whether the device can carry the launch out with `hot`, and how. */
static bool can_go_over(Specialisation *hot, const Device *device, const kjit_launch_config *config,
                        const kjit_arg *args, Choice *choice)
{
    choice->spec = hot;
    error_quiet(true);
    bool allowed = check_config(config, device, hot, &choice->asked) == KJIT_OK;
    error_quiet(false);
    return allowed && shape_apply(hot, device, &choice->asked, args, &choice->real) &&
           shape_threads(hot, config_threads(config)) <= (uint64_t)hot->most_threads;
}

/* Goes over to the variant with the launch's values as constants, if there is one for it. `timed`
** as for hot_choose(). */
static void heat(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                 size_t count, Choice *choice, HotLaunch *timed)
{
    const Device *device = kernel->module->context->device;
    Specialisation *hot = hot_choose(kernel, choice->spec, args, count, config, timed);
    Choice other;

    if (hot == choice->spec)
        return;
    if (can_go_over(hot, device, config, args, &other)) {
        *choice = other;
    } else if (timed) {
        hot_drop(timed);
        timed->hot = NULL;
    }
}

/* A kernel launch as a whole. */
static kjit_status launch(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, size_t count)
{
    Device *device = kernel->module->context->device;
    Counters *counters = &kernel->module->context->counters;
    HotLaunch timed;
    Choice choice;
    void *stream;
    Pack pack;

    KJIT_TRY(stream_handle(kernel->module->context, config->stream, &stream));
    KJIT_TRY(choose(kernel, config, args, count, DISPATCH_NOW, &choice));
    KJIT_TRY(check_readonly(kernel, choice.spec, args, count));
    KJIT_TRY(check_sums(kernel, choice.spec, args, count));
    KJIT_TRY(check_recording(kernel, config, choice.spec, args, count));
    CapturePlan *plan = NULL;
    if (kernel->module->context->capture)
        plan = plan_capture(kernel, config, &choice.asked, choice.spec, args, count);
    if (plan)
        plan = capture_before(plan);
    heat(kernel, config, args, count, &choice, &timed);
    kjit_status status = pack_args(&pack, device, stream, choice.spec, &choice.asked, args, count);
    if (status == KJIT_OK)
        status = run(device, &choice, &pack, &timed, args, count);
    else
        hot_drop(&timed);
    if (status != KJIT_OK && pack.span_count)
        await_copies(device, stream);
    capture_after(plan, status);
    pack_free(&pack, device);
    counters_add(counters, COUNT_LAUNCHES, status == KJIT_OK);
    if (pack.span_count) {
        counters_add(counters, COUNT_BYTES_IN, report_current()->bytes_in);
        counters_add(counters, COUNT_BYTES_OUT, report_current()->bytes_out);
    }
    return status;
}

static void clear_report(void)
{
    *report_current() = (kjit_report){ .size = sizeof(kjit_report) };
}

const kjit_launch_config *config_read(const kjit_launch_config *config, kjit_launch_config *room)
{
    if (config->size == sizeof *room)
        return config;
    *room = (kjit_launch_config){ .size = sizeof *room };
    memcpy(room, config, config->size < sizeof *room ? config->size : sizeof *room);
    return room;
}

static kjit_status check_size(const kjit_launch_config *config)
{
    if (config->size >= sizeof config->size)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: the size of the kjit_launch_config is not set\n"
                                    "note: .size = sizeof(kjit_launch_config)");
}

kjit_status kjit_launch(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                        size_t count)
{
    kjit_launch_config room;

    clear_report();
    KJIT_TRY(check_size(config));
    return launch(kernel, config_read(config, &room), args, count);
}

kjit_status kjit_compile(kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    Specialisation *spec;

    clear_report();
    return dispatch(kernel, args, count, NULL, DISPATCH_BEST, &spec);
}

kjit_status kjit_compile_signature(kjit_kernel *kernel, const char *signature)
{
    Specialisation *spec;

    clear_report();
    return dispatch_signature(kernel, signature, &spec);
}

kjit_status kjit_access(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint32_t *access)
{
    Specialisation *spec;

    clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    for (size_t i = 0; i < count; i++) {
        int does = arg_arrays(&args[i]) ? spec->access[i] : 0;
        access[i] = (does & (ACCESS_READ | ACCESS_ATOMIC) ? KJIT_READS : 0) |
                    (does & (ACCESS_WRITE | ACCESS_ATOMIC) ? KJIT_WRITES : 0);
    }
    return KJIT_OK;
}

kjit_status kjit_transfers(kjit_kernel *kernel, const kjit_launch_config *config,
                           const kjit_arg *args, size_t count, uint32_t *transfers)
{
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);
    Specialisation *spec;
    LaunchRequest request;

    clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    KJIT_TRY(check_config(own, kernel->module->context->device, spec, &request));
    for (size_t i = 0; i < count; i++) {
        bool host = arg_arrays(&args[i]) && any_without(&args[i], KJIT_ON_DEVICE);
        bool in = spec->access[i] && !covers_whole(&spec->covers, i, &request, args);
        bool back = spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        transfers[i] = !host ? 0 : (in ? KJIT_COPIED_IN : 0) | (back ? KJIT_COPIED_BACK : 0);
    }
    return KJIT_OK;
}

kjit_status kjit_axes(kjit_kernel *kernel, const kjit_arg *args, size_t count, int *axes)
{
    Specialisation *spec;

    clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    *axes = spec->axes;
    return KJIT_OK;
}

kjit_status kjit_forall(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint64_t threads,
                        kjit_launch_config *config)
{
    Device *device = kernel->module->context->device;
    Specialisation *spec;
    int best;

    clear_report();
    if (threads == 0)
        return error_set(KJIT_ARGUMENT, "error: there is nothing to launch for 0 threads");
    KJIT_TRY(dispatch(kernel, args, count, NULL, DISPATCH_BEST, &spec));
    KJIT_TRY(device->ops->best_block(device, spec->code, config->shared_bytes + spec->moved_shared,
                                     &best));
    uint64_t blocks = threads / (uint64_t)best + (threads % (uint64_t)best != 0);
    if (blocks > device->limits.grid[0])
        return error_set(KJIT_ARGUMENT,
                         "error: %llu threads need %llu blocks of %d, and %s allows %u",
                         (unsigned long long)threads, (unsigned long long)blocks, best,
                         device->name, device->limits.grid[0]);
    memcpy(config->grid, (uint32_t[3]){ (uint32_t)blocks, 1, 1 }, sizeof config->grid);
    memcpy(config->block, (uint32_t[3]){ (uint32_t)best, 1, 1 }, sizeof config->block);
    return KJIT_OK;
}

/* ---- prepared launches ------------------------------------------------------------------ */

struct kjit_prepared {
    const kjit_kernel *kernel;
    Device *device;
    Counters *counters;
    Specialisation *spec;
    LaunchRequest request;
    unsigned lifetime; /* of the device when it was prepared */
    CapturePlan *plan; /* of the first launch, if that is to be captured */
    Pack pack;
};

static kjit_status refuse_host_arrays(const kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (any_without(&args[i], KJIT_ON_DEVICE))
            return error_set(KJIT_ARGUMENT,
                             "error: '%s' is a host array, and a prepared launch copies nothing\n"
                             "note: kjit_to_device() makes a device array of it",
                             kernel->param_names[i]);
    }
    return KJIT_OK;
}

kjit_status kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                         const kjit_arg *args, size_t count, kjit_prepared **prepared)
{
    Device *device = kernel->module->context->device;
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);
    Choice choice;
    void *stream;

    *prepared = NULL;
    clear_report();
    KJIT_TRY(check_size(config));
    KJIT_TRY(stream_handle(kernel->module->context, own->stream, &stream));
    KJIT_TRY(choose(kernel, own, args, count, DISPATCH_BEST, &choice));
    KJIT_TRY(check_readonly(kernel, choice.spec, args, count));
    KJIT_TRY(check_sums(kernel, choice.spec, args, count));
    KJIT_TRY(check_recording(kernel, own, choice.spec, args, count));
    if (!device->ops->host_memory)
        KJIT_TRY(refuse_host_arrays(kernel, args, count));
    kjit_prepared *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    made->kernel = kernel;
    made->device = device;
    made->counters = &kernel->module->context->counters;
    heat(kernel, own, args, count, &choice, NULL);
    made->spec = choice.spec;
    made->request = choice.real;
    made->lifetime = device_lifetime(device);
    if (kernel->module->context->capture)
        made->plan = plan_capture(kernel, own, &choice.asked, choice.spec, args, count);
    kjit_status status =
        pack_args(&made->pack, device, stream, choice.spec, &choice.asked, args, count);
    if (status != KJIT_OK) {
        kjit_close_prepared(made);
        return status;
    }
    set_params(&made->request, &made->pack);
    *prepared = made;
    return KJIT_OK;
}

/* The first launch, captured, unless it is recorded into a graph. */
static kjit_status launch_captured(kjit_prepared *prepared)
{
    CapturePlan *plan = prepared->plan;
    bool records;

    KJIT_TRY(stream_records(prepared->device, prepared->pack.stream, &records));
    if (records) {
        prepared->plan = NULL;
        kjit_status recorded = kjit_launch_prepared(prepared);
        prepared->plan = plan;
        return recorded;
    }
    prepared->plan = NULL;
    plan = capture_before(plan);
    kjit_status status = kjit_launch_prepared(prepared);
    capture_after(plan, status);
    return status;
}

kjit_status kjit_launch_prepared(kjit_prepared *prepared)
{
    Device *device = prepared->device;
    bool records = false;

    KJIT_TRY(check_alive(device, prepared->lifetime, "prepared launch"));
    if (prepared->plan)
        return launch_captured(prepared);
    if (prepared->pack.fault.memory || prepared->pack.sum_count)
        KJIT_TRY(stream_records(device, prepared->pack.stream, &records));
    if (records)
        return prepared->pack.fault.memory ? refuse_debug() : refuse_sums(prepared->kernel);
    KJIT_TRY(device->ops->launch(device, prepared->spec->code, &prepared->request));
    counters_add(prepared->counters, COUNT_LAUNCHES, 1);
    if (!prepared->pack.fault.memory)
        return KJIT_OK;
    kjit_status status = check_fault(device, prepared->spec, &prepared->pack);
    if (status == KJIT_FAULT || status == KJIT_INTERNAL) {
        error_quiet(true);
        device->ops->zero(device, prepared->pack.fault.memory, sizeof(KjitFault),
                          prepared->pack.stream);
        error_quiet(false);
    }
    return status;
}

void kjit_close_prepared(kjit_prepared *prepared)
{
    if (!prepared)
        return;
    capture_drop(prepared->plan);
    if (prepared->lifetime != device_lifetime(prepared->device))
        prepared->pack.fault.memory = NULL; /* it went with the others */
    pack_free(&prepared->pack, prepared->device);
    memory_free(prepared);
}
