/* What is known of compiled kernels: what the compiler made of them, and how they fit a device. */
#include "runtime/launch/variant.h"

/* What the device says, for blocks of so many threads; 0 if that is not asked. */
static kjit_status read_facts(Device *device, const Specialisation *spec, uint64_t threads,
                              size_t shared, kjit_facts *out)
{
    CodeFacts code;
    kjit_facts all = { .size = out->size,
                       .call = spec->call,
                       .disk_hit = spec->disk_hit,
                       .frontend_ms = spec->frontend_ms,
                       .compiler_ms = spec->compiler_ms,
                       .load_ms = spec->load_ms };

    KJIT_TRY(
        device->ops->code_facts(device, spec->code, threads, shared + spec->moved_shared, &code));
    all.max_threads = code.most_threads < (int)device->limits.threads ? code.most_threads
                                                                      : (int)device->limits.threads;
    all.registers = code.registers;
    all.shared_bytes = spec->static_shared;
    all.local_bytes = code.local;
    all.constant_bytes = code.constant;
    all.spill_store_bytes = code.spill_stores;
    all.spill_load_bytes = code.spill_loads;
    all.resident_blocks = code.resident_blocks;
    all.device_blocks = (uint64_t)code.resident_blocks * (uint64_t)code.multiprocessors;
    if (code.resident_threads)
        all.occupancy = (double)((uint64_t)code.resident_blocks * threads) / code.resident_threads;
    SIZED_GIVE(out, &all);
    return KJIT_OK;
}

kjit_status kjit_kernel_facts(kjit_kernel *kernel, const kjit_launch_config *config,
                              const kjit_arg *args, size_t count, kjit_facts *facts)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Device *device = kernel->module->context->device;
    kjit_launch_config room;
    const kjit_launch_config *own = config ? config_read(config, &room) : NULL;
    uint64_t threads = own ? config_threads(own) : 0;
    size_t shared = own ? own->shared_bytes : 0;
    Specialisation *spec;

    *report_current() = (kjit_report){ .size = sizeof(kjit_report) };
    KJIT_TRY(dispatch(kernel, args, count, own, DISPATCH_BEST, &spec));
    threads = shape_threads(spec, threads);
    if (threads > device->limits.threads || shared > device->limits.shared)
        threads = 0;
    return read_facts(device, spec, threads, shared, facts);
}

size_t kjit_specialisation_count(const kjit_kernel *kernel)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return 0;
    size_t count = 0;

    for (const Specialisation *spec = atomic_load(&kernel->ready); spec; spec = spec->next)
        count++;
    return count;
}

kjit_status kjit_specialisation_facts(kjit_kernel *kernel, size_t index, kjit_facts *facts)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    const Specialisation *spec = atomic_load(&kernel->ready);

    for (size_t i = 0; spec && i < index; i++)
        spec = spec->next;
    if (!spec)
        return error_set(KJIT_ARGUMENT,
                         "error: %s was compiled %zu times, and this asks for number "
                         "%zu, from 0",
                         kernel->info->name, kjit_specialisation_count(kernel), index);
    return read_facts(kernel->module->context->device, spec, 0, 0, facts);
}
