/* What would become of a launch: its compiled code ahead of time, what it reads, writes and
** copies, and how many threads suit it. */
#include "runtime/launching.h"

#include <string.h>

kjit_status kjit_compile(kjit_kernel *kernel, const kjit_arg *args, size_t count)
{
    Specialisation *spec;

    launch_clear_report();
    return dispatch(kernel, args, count, NULL, DISPATCH_BEST, &spec);
}

kjit_status kjit_compile_signature(kjit_kernel *kernel, const char *signature)
{
    Specialisation *spec;

    launch_clear_report();
    return dispatch_signature(kernel, signature, &spec);
}

kjit_status kjit_access(kjit_kernel *kernel, const kjit_arg *args, size_t count, uint32_t *access)
{
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

kjit_status kjit_transfers(kjit_kernel *kernel, const kjit_launch_config *config,
                           const kjit_arg *args, size_t count, uint32_t *transfers)
{
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);
    Specialisation *spec;
    LaunchRequest request;

    launch_clear_report();
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    KJIT_TRY(launch_check_config(own, kernel->module->context->device, spec, &request));
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
    Specialisation *spec;

    launch_clear_report();
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

    launch_clear_report();
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
