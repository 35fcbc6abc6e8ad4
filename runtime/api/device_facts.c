/* What a device is, and how it is at this moment. */
#include "runtime/cpu/cc.h"
#include "runtime/cuda/nvrtc.h"

/* The numbers that devices may leave unknown. */
static void forget_numbers(kjit_device_info *info)
{
    info->processors = info->warp = info->block_threads = -1;
    info->resident_threads = info->resident_blocks = info->block_registers = -1;
    info->l2_bytes = info->clock_khz = info->memory_clock_khz = -1;
    info->memory_bus_bits = -1;
}

kjit_status kjit_device_facts(kjit_context *context, kjit_device_info *info)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    Device *device = context->device;
    const DeviceLimits *limits = &device->limits;
    kjit_device_info all = { .size = info->size };
    kjit_memory_info memory = { 0 };

    KJIT_TRY(device->ops->memory_info(device, &memory));
    forget_numbers(&all);
    for (int axis = 0; axis < 3; axis++) {
        all.max_block[axis] = (int)limits->block[axis];
        all.max_grid[axis] = limits->grid[axis];
    }
    all.block_threads = (int)limits->threads;
    all.static_shared = (int64_t)limits->static_shared;
    all.shared = (int64_t)limits->shared;
    all.memory_bytes = (int64_t)memory.total;
    device->ops->facts(device, &all);
    SIZED_GIVE(info, &all);
    return KJIT_OK;
}

/* What the C compiler says of itself. */
static void describe_cc(char *text, size_t room)
{
    CC cc;

    cc_find(&cc);
    char *version = cc_version(&cc);
    snprintf(text, room, "%s", version ? version : "");
    memory_free(version);
}

const char *kjit_device_compiler(kjit_context *context)
{
    if (!HANDLE_IS(CONTEXT, context))
        return NULL;
    static _Thread_local char text[256];
    int major, minor;

    text[0] = '\0';
    if (!device_is_gpu(context->device)) {
        describe_cc(text, sizeof text);
        return text;
    }
    error_quiet(true);
    if (nvrtc_version(&major, &minor) == KJIT_OK)
        snprintf(text, sizeof text, "NVRTC %d.%d", major, minor);
    error_quiet(false);
    return text;
}

kjit_status kjit_device_sensors(kjit_context *context, kjit_sensors *sensors)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_sensors all = { .size = sensors->size,
                         .clock_mhz = -1,
                         .memory_clock_mhz = -1,
                         .throttled = -1,
                         .celsius = -1,
                         .milliwatts = -1,
                         .millijoules = -1 };

    context->device->ops->sensors(context->device, &all);
    SIZED_GIVE(sensors, &all);
    return KJIT_OK;
}
