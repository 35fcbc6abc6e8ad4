/* Facts of the device that numba's host side gives. */
#include "runtime/program/kernels.h"

/* What the device is, or NULL. The driver of a GPU takes a millisecond to tell, so it is asked
** once. */
static const kjit_device_info *facts_of(Program *p)
{
    kjit_device_info info = { .size = sizeof info };

    if (!p->device.size) {
        kjit_status status = kjit_device_facts(p->context, &info);
        if (status != KJIT_OK) {
            host_failed(p, status);
            return NULL;
        }
        p->device = info;
    }
    return &p->device;
}

/* 9 and 0 of sm_90; the processor is as capable as numba's simulator says. */
static void capability_of(const Program *p, const kjit_device_info *info, int *major, int *minor)
{
    int number = 52;
    if (!p->context->device->ops->host_memory)
        sscanf(info->arch, "sm_%d", &number);
    *major = number / 10;
    *minor = number % 10;
}

static HostValue pair(Program *p, int64_t first, int64_t second)
{
    const HostValue items[] = { host_int(first), host_int(second) };
    return host_items(p, HOST_TUPLE, items, 2);
}

static bool number_attribute(const kjit_device_info *info, const char *name, HostValue *out)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        { "WARP_SIZE", info->warp },
        { "MULTIPROCESSOR_COUNT", info->processors },
        { "MAX_THREADS_PER_BLOCK", info->block_threads },
        { "MAX_BLOCK_DIM_X", info->max_block[0] },
        { "MAX_BLOCK_DIM_Y", info->max_block[1] },
        { "MAX_BLOCK_DIM_Z", info->max_block[2] },
        { "MAX_GRID_DIM_X", info->max_grid[0] },
        { "MAX_GRID_DIM_Y", info->max_grid[1] },
        { "MAX_GRID_DIM_Z", info->max_grid[2] },
        { "MAX_SHARED_MEMORY_PER_BLOCK", info->static_shared },
        { "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", info->shared },
        { "MAX_REGISTERS_PER_BLOCK", info->block_registers },
        { "MAX_THREADS_PER_MULTI_PROCESSOR", info->resident_threads },
        { "MAX_BLOCKS_PER_MULTIPROCESSOR", info->resident_blocks },
        { "CLOCK_RATE", info->clock_khz },
        { "MEMORY_CLOCK_RATE", info->memory_clock_khz },
        { "GLOBAL_MEMORY_BUS_WIDTH", info->memory_bus_bits },
        { "L2_CACHE_SIZE", info->l2_bytes },
        { "id", 0 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        if (strcmp(numbers[i].name, name) == 0)
            return host_give(out, host_int(numbers[i].value));
    return false;
}

bool device_attribute(Program *p, const char *name, HostValue *out)
{
    const kjit_device_info *info = facts_of(p);
    int major, minor;
    if (!info)
        return false;
    capability_of(p, info, &major, &minor);
    if (number_attribute(info, name, out))
        return true;
    if (strcmp(name, "name") == 0)
        *out = host_text(p, kjit_device_model(p->context));
    else if (strcmp(name, "compute_capability") == 0)
        *out = pair(p, major, minor);
    else if (strcmp(name, "COMPUTE_CAPABILITY_MAJOR") == 0)
        *out = host_int(major);
    else if (strcmp(name, "COMPUTE_CAPABILITY_MINOR") == 0)
        *out = host_int(minor);
    else if (strcmp(name, "device") == 0) /* of the context, which is the device here */
        *out = (HostValue){ .kind = HOST_DEVICE };
    else
        return false;
    return true;
}

static bool current_device(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, (HostValue){ .kind = HOST_DEVICE });
}

static bool memory_info(Program *p, HostArgs *args, HostValue *out)
{
    kjit_memory_info info = { .size = sizeof info };
    (void)args;
    kjit_status status = kjit_memory_usage(p->context, &info);
    *out = pair(p, (int64_t)info.free, (int64_t)info.total);
    return status == KJIT_OK || host_failed(p, status);
}

static bool device_nothing(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    (void)out;
    return true;
}

static bool cuda_detect(Program *p, HostArgs *args, HostValue *out)
{
    const kjit_device_info *info = facts_of(p);
    int major, minor;
    (void)args;
    if (!info)
        return false;
    capability_of(p, info, &major, &minor);
    Buf text = buf_in(&p->scratch);
    buf_printf(&text,
               "Found 1 CUDA devices\nid 0    b'%s'                              [SUPPORTED]\n"
               "                      compute capability: %d.%d\nSummary:\n"
               "\t1/1 devices are supported\n",
               kjit_device_model(p->context), major, minor);
    host_print(p, buf_text(&text), text.length);
    return host_give(out, host_bool(true));
}

const HostBuiltin device_functions[] = {
    { "cuda.get_current_device", 0, 0, current_device, NULL },
    { "cuda.current_context", 0, 1, current_device, NULL },
    { "cuda.select_device", 1, 1, current_device, NULL },
    { "cuda.close", 0, 0, device_nothing, NULL },
    { "cuda.detect", 0, 0, cuda_detect, NULL },
    { "cuda._memory_info", 0, 0, memory_info, NULL },
    { "device.synchronize", 0, 0, device_nothing, NULL },
    { "device.reset", 0, 0, device_nothing, NULL },
    { NULL, 0, 0, NULL, NULL },
};
