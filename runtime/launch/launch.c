/* A launch from its arguments to its results: checked, packed, run, and what a debug kernel left
** turned into an error. */
#include "runtime/check/findings.h"
#include "runtime/launch/launching.h"
#include "runtime/array/array.h"

void launch_set_params(LaunchRequest *request, const Pack *pack)
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

/* The size of an array of the device's memory that has elements which nothing has written; 0: it
** has none, or lies apart. */
static uint64_t unwritten_on_device(const kjit_array *array)
{
    const uint64_t bytes = (uint64_t)array_elements(array) * kjit_dtype_bytes(array->dtype);
    const bool device = array->flags & KJIT_ON_DEVICE && !(array->flags & KJIT_ON_HOST);

    return device && array_is_dense(array) && !check_memory_is_written(array->data, bytes) ? bytes
                                                                                           : 0;
}

/* Reports to the checker results that a launch leaves unwritten in part. */
static kjit_status check_left_over(const kjit_kernel *kernel, const Choice *choice,
                                   const kjit_arg *args, size_t count)
{
    const Device *device = kernel->module->context->device;
    const Specialisation *spec = choice->spec;
    uint32_t enough[3];

    for (size_t i = 0; device->findings && choice->asked.checked && i < count; i++) {
        if (args[i].kind != KJIT_ARG_ARRAY)
            continue;
        const kjit_array *array = &args[i].as.array;
        const uint64_t bytes = unwritten_on_device(array);
        if (!bytes && !(array->flags & KJIT_UNWRITTEN))
            continue;
        CoversLeft left = covers_left(&spec->covers, i, &choice->asked, args, enough);
        if (left != LEFT_NONE)
            KJIT_TRY(findings_add_left_over(device->findings, choice->asked.checked,
                                            kernel->param_names[i], &choice->asked, enough,
                                            left == LEFT_OF_ALL, array->data, bytes));
    }
    return KJIT_OK;
}

/* Launches what is packed, as the specialisation's shape has it, and brings back what the host
** waits for. */
static kjit_status run(Device *device, Choice *choice, Pack *pack, const HotLaunch *timed,
                       const kjit_arg *args, size_t count)
{
    const Specialisation *spec = choice->spec;
    double begin = pack->span_count ? clock_ms() : 0;

    launch_set_params(&choice->real, pack);
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
    return launch_check_fault(device, spec, pack);
}

/* The same, with a note that a GPU is being waited for; the processor makes its own. */
static kjit_status run_watched(Device *device, Choice *choice, Pack *pack, const HotLaunch *timed,
                               const kjit_arg *args, size_t count)
{
    if (!device_is_gpu(device) || (!pack->span_count && !choice->spec->debug))
        return run(device, choice, pack, timed, args, count);
    WatchPlace *place = watch_begin(device->watch, KJIT_RUNNING, choice->spec->call, clock_ms());
    kjit_status status = run(device, choice, pack, timed, args, count);
    watch_end(place);
    return status;
}

/* After a failure: the caller may free page-locked arrays that copies are still on their way to. */
static void await_copies(Device *device, void *stream)
{
    error_quiet(true);
    device->ops->stream_synchronize(device, stream);
    error_quiet(false);
}

/* The launch as one to capture; NULL if it is known, or recorded into a graph. */
CapturePlan *launch_plan(const kjit_kernel *kernel, const kjit_launch_config *config,
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

/* Whether the shared arrays that passes added leave room for the launch's own. */
static bool has_room(const Specialisation *spec, const kjit_launch_config *config,
                     const DeviceLimits *limits)
{
    return !spec->optimised || config->shared_bytes > limits->shared ||
           spec->static_shared <= limits->shared - config->shared_bytes;
}

kjit_status launch_choose(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, size_t count, DispatchBest best, Choice *choice)
{
    const Device *device = kernel->module->context->device;

    KJIT_TRY(dispatch(kernel, args, count, config, best, &choice->spec));
    if (best != DISPATCH_PLAIN && !has_room(choice->spec, config, &device->limits))
        return launch_choose(kernel, config, args, count, DISPATCH_PLAIN, choice);
    KJIT_TRY(launch_check_config(config, device, choice->spec, &choice->asked));
    if (shape_apply(choice->spec, device, &choice->asked, args, count, &choice->real))
        return KJIT_OK;
    return launch_choose(kernel, config, args, count, DISPATCH_PLAIN, choice);
}

/* Whether the device can carry the launch out with `hot`, and how. */
static bool can_go_over(Specialisation *hot, const Device *device, const kjit_launch_config *config,
                        const kjit_arg *args, size_t count, Choice *choice)
{
    choice->spec = hot;
    error_quiet(true);
    bool allowed = launch_check_config(config, device, hot, &choice->asked) == KJIT_OK;
    error_quiet(false);
    return allowed && shape_apply(hot, device, &choice->asked, args, count, &choice->real) &&
           shape_threads(hot, config_threads(config)) <= (uint64_t)hot->most_threads;
}

/* Goes over to the variant with the launch's values as constants, if there is one for it. `timed`
** as for hot_choose(). */
void launch_heat(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                 size_t count, Choice *choice, HotLaunch *timed)
{
    const Device *device = kernel->module->context->device;
    Specialisation *hot = hot_choose(kernel, choice->spec, args, count, config, timed);
    Choice other;

    if (hot == choice->spec)
        return;
    if (can_go_over(hot, device, config, args, count, &other)) {
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
    KJIT_TRY(launch_choose(kernel, config, args, count, DISPATCH_NOW, &choice));
    KJIT_TRY(launch_check_arrays(kernel, choice.spec, args, count));
    KJIT_TRY(launch_check_recording(kernel, config, choice.spec, args, count));
    CapturePlan *plan = NULL;
    if (kernel->module->context->capture)
        plan = launch_plan(kernel, config, &choice.asked, choice.spec, args, count);
    if (plan)
        plan = capture_before(plan);
    launch_heat(kernel, config, args, count, &choice, &timed);
    kjit_status status = pack_args(&pack, device, stream, choice.spec, &choice.asked, args, count);
    if (status == KJIT_OK)
        status = run_watched(device, &choice, &pack, &timed, args, count);
    else
        hot_drop(&timed);
    if (status == KJIT_OK)
        status = check_left_over(kernel, &choice, args, count);
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

void launch_clear_report(void)
{
    *report_current() = (kjit_report){ .size = sizeof(kjit_report) };
}

const kjit_launch_config *config_read(const kjit_launch_config *config, kjit_launch_config *room)
{
    if (config->size == sizeof *room)
        return config;
    *room = (kjit_launch_config){ .size = sizeof *room };
    SIZED_TAKE(room, config);
    return room;
}

kjit_status kjit_launch(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                        size_t count)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_launch_config room;

    launch_clear_report();
    KJIT_TRY(launch_check_size(config));
    if (count && !args)
        return error_set(KJIT_ARGUMENT, "error: the launch has arguments, %zu, and these are NULL",
                         count);
    return launch(kernel, config_read(config, &room), args, count);
}
