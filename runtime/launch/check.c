/* What launches are refused for, before anything happens. */
#include "runtime/launch/launching.h"

kjit_status launch_check_size(const kjit_launch_config *config)
{
    if (!config)
        return error_set(KJIT_ARGUMENT, "error: the launch configuration is NULL");
    if (config->size >= sizeof config->size)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: the size of the kjit_launch_config is not set\n"
                                    "note: .size = sizeof(kjit_launch_config)");
}

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
kjit_status launch_check_config(const kjit_launch_config *config, const Device *device,
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
    request->call = spec->call;
    request->asked_blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    request->one_by_one = false;
    return KJIT_OK;
}

/* Whether any array in the argument is `flags`-less: host memory, or writable. */
bool launch_any_without(const kjit_arg *arg, uint32_t flag)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return !(arg->as.array.flags & flag);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++) {
        if (launch_any_without(&arg->as.tuple.items[i], flag))
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
        if (writes && args[i].kind == KJIT_ARG_ARRAY &&
            !launch_any_without(&args[i], KJIT_READONLY))
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

kjit_status launch_check_arrays(const kjit_kernel *kernel, const Specialisation *spec,
                                const kjit_arg *args, size_t count)
{
    KJIT_TRY(check_readonly(kernel, spec, args, count));
    return check_sums(kernel, spec, args, count);
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

kjit_status launch_refuse_recording(const kjit_kernel *kernel, const Specialisation *spec)
{
    return spec->debug ? refuse_debug() : refuse_sums(kernel);
}

/* What would have to wait cannot be recorded into a graph. */
kjit_status launch_check_recording(const kjit_kernel *kernel, const kjit_launch_config *config,
                                   const Specialisation *spec, const kjit_arg *args, size_t count)
{
    Device *device = kernel->module->context->device;
    size_t host = device->ops->host_memory ? count : 0;
    bool records;

    while (host < count && !launch_any_without(&args[host], KJIT_ON_DEVICE))
        host++;
    bool sums = spec->sum_count && device_is_gpu(device);
    if (!config->stream || (!spec->debug && !sums && host == count))
        return KJIT_OK; /* nothing to refuse: the device is not asked */
    KJIT_TRY(stream_records(device, config->stream->handle, &records));
    if (!records)
        return KJIT_OK;
    if (spec->debug || sums)
        return launch_refuse_recording(kernel, spec);
    return error_set(KJIT_ARGUMENT,
                     "error: '%s' is a host array, and a graph cannot record the copies\n"
                     "note: kjit_to_device() makes a device array of it",
                     kernel->param_names[host]);
}
