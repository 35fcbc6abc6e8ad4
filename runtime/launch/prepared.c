/* Launches whose arguments are checked and packed once, and that are carried out many times. */
#include "runtime/launch/launching.h"

struct kjit_prepared {
    HandleHead self;
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
        if (launch_any_without(&args[i], KJIT_ON_DEVICE))
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
    *prepared = NULL;
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Device *device = kernel->module->context->device;
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);
    Choice choice;
    void *stream;

    launch_clear_report();
    KJIT_TRY(launch_check_size(config));
    KJIT_TRY(stream_handle(kernel->module->context, own->stream, &stream));
    KJIT_TRY(launch_choose(kernel, own, args, count, DISPATCH_BEST, &choice));
    KJIT_TRY(launch_check_arrays(kernel, choice.spec, args, count));
    KJIT_TRY(launch_check_recording(kernel, own, choice.spec, args, count));
    if (!device->ops->host_memory)
        KJIT_TRY(refuse_host_arrays(kernel, args, count));
    kjit_prepared *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    head_open(&made->self, HANDLE_PREPARED, &kernel->module->self);
    made->kernel = kernel;
    made->device = device;
    made->counters = &kernel->module->context->counters;
    launch_heat(kernel, own, args, count, &choice, NULL);
    made->spec = choice.spec;
    made->request = choice.real;
    made->lifetime = device_lifetime(device);
    if (kernel->module->context->capture)
        made->plan = launch_plan(kernel, own, &choice.asked, choice.spec, args, count);
    kjit_status status =
        pack_args(&made->pack, device, stream, choice.spec, &choice.asked, args, count);
    if (status != KJIT_OK) {
        kjit_close_prepared(made);
        return status;
    }
    launch_set_params(&made->request, &made->pack);
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
    KJIT_TRY(HANDLE(PREPARED, prepared));
    Device *device = prepared->device;
    bool records = false;

    KJIT_TRY(check_alive(device, prepared->lifetime, "prepared launch"));
    if (prepared->plan)
        return launch_captured(prepared);
    if (prepared->pack.fault.memory || prepared->pack.sum_count)
        KJIT_TRY(stream_records(device, prepared->pack.stream, &records));
    if (records)
        return launch_refuse_recording(prepared->kernel, prepared->spec);
    KJIT_TRY(device->ops->launch(device, prepared->spec->code, &prepared->request));
    counters_add(prepared->counters, COUNT_LAUNCHES, 1);
    if (!prepared->pack.fault.memory)
        return KJIT_OK;
    kjit_status status = launch_check_fault(device, prepared->spec, &prepared->pack);
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
    if (!prepared || !HANDLE_IS(PREPARED, prepared))
        return;
    capture_drop(prepared->plan);
    if (prepared->lifetime != device_lifetime(prepared->device))
        prepared->pack.fault.memory = NULL; /* it went with the others */
    pack_free(&prepared->pack, prepared->device);
    head_free(&prepared->self);
}
