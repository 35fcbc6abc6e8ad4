/* `kjit run --time`: a launch over and over, on arrays of the device's own. */
#include "cli/cli.h"

kjit_status time_launches(const RunFacts *facts, uint64_t wanted, Timing *timing)
{
    size_t count = kjit_param_count(facts->kernel);
    const MeasureOptions each = {
        .warm_up = 3, .least = wanted, .most = wanted, .alone = true, .stop = interrupted
    };
    DeviceArgs *copies;
    kjit_status status = device_args_new(facts->context, facts->args, count, &copies);

    doing_say("timing %s", kjit_kernel_name(facts->kernel));
    *timing = (Timing){ 0 };
    if (status == KJIT_OK)
        status = measure_launches(facts->context, facts->kernel, &facts->config,
                                  device_args_list(copies), count, &each, timing);
    device_args_free(copies);
    return status;
}
