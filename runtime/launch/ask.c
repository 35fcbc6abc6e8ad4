/* What would become of a launch: its compiled code ahead of time, and what it reads, writes
** and copies. */
#include "runtime/launch/launching.h"

kjit_status kjit_compile(kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    return dispatch(kernel, args, count, NULL, DISPATCH_BEST, &spec);
}

kjit_status kjit_compile_signature(kjit_kernel *kernel, const char *signature)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    return dispatch_signature(kernel, signature, &spec);
}

kjit_status kjit_access(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint32_t *access)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    for (size_t i = 0; i < count; i++) {
        int does = arg_arrays(&args[i]) ? spec->access[i] : 0;
        access[i] = (does & (ACCESS_READ | ACCESS_ATOMIC) ? KJIT_READS : 0) |
                    (does & (ACCESS_WRITE | ACCESS_ATOMIC) ? KJIT_WRITES : 0);
    }
    return KJIT_OK;
}

/* The launch as it would be. */
static kjit_status describe(kjit_kernel *kernel, const kjit_launch_config *config,
                            const kjit_arg *args, size_t count, Specialisation **spec,
                            LaunchRequest *request)
{
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);

    launch_clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, spec));
    return launch_check_config(own, kernel->module->context->device, *spec, request);
}

kjit_status kjit_transfers(kjit_kernel *kernel, const kjit_launch_config *config,
                           const kjit_arg *args, size_t count, uint32_t *transfers)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;
    LaunchRequest request;

    KJIT_TRY(describe(kernel, config, args, count, &spec, &request));
    for (size_t i = 0; i < count; i++) {
        bool host = arg_arrays(&args[i]) && launch_any_without(&args[i], KJIT_ON_DEVICE);
        bool in = spec->access[i] && !covers_whole(&spec->covers, i, &request, args);
        bool back = spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        transfers[i] = !host ? 0 : (in ? KJIT_COPIED_IN : 0) | (back ? KJIT_COPIED_BACK : 0);
    }
    return KJIT_OK;
}

kjit_status kjit_axes(kjit_kernel *kernel, const kjit_arg *args, size_t count, int *axes)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;

    launch_clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    *axes = spec->axes;
    return KJIT_OK;
}

kjit_status kjit_left_over(kjit_kernel *kernel, const kjit_launch_config *config,
                           const kjit_arg *args, size_t count, uint32_t *left, uint32_t *enough)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Specialisation *spec;
    LaunchRequest request;

    KJIT_TRY(describe(kernel, config, args, count, &spec, &request));
    for (size_t i = 0; i < count; i++) {
        uint32_t grid[3];
        left[i] = covers_left(&spec->covers, i, &request, args, grid);
        if (left[i])
            memcpy(enough, grid, sizeof grid);
    }
    return KJIT_OK;
}
