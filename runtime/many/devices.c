/* The devices of a group's ranks, and what is done on them in which order.
**
** Each GPU has two streams: launches are on the default one, and what moves bytes on one beside it,
** with the blocks that wait for these bytes, so that other blocks are computed meanwhile. */
#include "runtime/many/group.h"

/* The priority of streams beside, the nearest to it that there is: what they carry, and the few
** blocks that wait for that, need not stand behind all inner blocks. */
enum { SOONEST = -100 };

/* ---- opening --------------------------------------------------------------------------------- */

static kjit_status open_lanes(kjit_group *group, int local)
{
    Device *device = group->devices[local];

    KJIT_TRY(device->ops->stream_new(device, true, SOONEST, &group->sides[local]));
    for (int lane = 0; lane < 2; lane++)
        KJIT_TRY(device->ops->event_new(device, false, &group->marks[2 * local + lane]));
    return KJIT_OK;
}

static kjit_status open_gpu(kjit_group *group, int local)
{
    kjit_context *context = group->context;
    Device *first = group->devices[0];

    if (local) {
        KJIT_TRY(device_cuda_open(&context->cache, group->ordinals[local], false,
                                  &group->devices[local]));
        if (strcmp(group->devices[local]->arch, first->arch) != 0)
            return error_set(KJIT_UNSUPPORTED,
                             "error: %s (%s) and %s (%s) are GPUs of two kinds, which a launch "
                             "is not split over",
                             first->name, first->arch, group->devices[local]->name,
                             group->devices[local]->arch);
    }
    for (int other = 0; other < local; other++)
        first->ops->befriend(group->devices[local], group->devices[other]);
    return open_lanes(group, local);
}

static kjit_status open_devices(kjit_group *group)
{
    size_t count = (size_t)group->locals;

    group->devices = memory_zeroed(count, sizeof(Device *));
    group->sides = memory_zeroed(count, sizeof(void *));
    group->marks = memory_zeroed(2 * count, sizeof(void *));
    if (!group->devices || !group->sides || !group->marks)
        return error_memory();
    for (int r = 0; r < group->locals; r++)
        group->devices[r] = r && group->gpu ? NULL : group->context->device;
    for (int r = 0; r < group->locals && group->gpu; r++)
        KJIT_TRY(open_gpu(group, r));
    return KJIT_OK;
}

static kjit_status check_device(const kjit_group *group, const Device *device)
{
    if (device->ops->dialect != DIALECT_C && device->ops->dialect != DIALECT_CUDA)
        return error_set(KJIT_UNSUPPORTED,
                         "error: a launch is split over ranks on the processor or on GPUs, not on "
                         "'%s'\n"
                         "note: --device cpu",
                         device->name);
    if (device_is_gpu(device) && group->locals > 1 && !group->ordinals)
        return error_set(KJIT_ARGUMENT, "error: the ranks of this group are for the processor, "
                                        "and the kernel is for a GPU\n"
                                        "note: kjit_open_gpus()");
    if (!device_is_gpu(device) && group->ordinals)
        return error_set(KJIT_ARGUMENT, "error: the ranks of this group are GPUs, and the kernel "
                                        "is for the processor");
    return KJIT_OK;
}

kjit_status group_devices(kjit_group *group, kjit_context *context)
{
    if (group->context == context)
        return KJIT_OK;
    if (group->context)
        return error_set(KJIT_ARGUMENT, "error: a group carries out launches of one context");
    KJIT_TRY(check_device(group, context->device));
    group->context = context;
    group->gpu = device_is_gpu(context->device);
    group->apart |= group->gpu;
    KJIT_TRY(open_devices(group));
    return group->engine && (group->gpu || gpu_wire_serves_hosts())
               ? gpu_wire_open(group->engine, context->device, &group->wire)
               : KJIT_OK;
}

void group_close_devices(kjit_group *group)
{
    gpu_wire_close(group->wire);
    for (int r = 0; group->devices && r < group->locals; r++) {
        Device *device = group->devices[r];
        for (int lane = 0; device && lane < 2; lane++)
            if (group->marks[2 * r + lane])
                device->ops->event_close(device, group->marks[2 * r + lane]);
        if (device && group->sides[r])
            device->ops->stream_close(device, group->sides[r]);
        if (device && device != group->context->device)
            device->ops->close(device);
    }
    memory_free(group->devices);
    memory_free(group->sides);
    memory_free(group->marks);
    group->wire = NULL;
    group->devices = NULL;
    group->sides = group->marks = NULL;
}

/* ---- order ----------------------------------------------------------------------------------- */

void *group_stream(const kjit_group *group, int rank, Lane lane)
{
    return lane == LANE_SIDE && group->gpu ? group->sides[rank - group->first] : NULL;
}

static void *mark_of(const kjit_group *group, int rank, Lane lane)
{
    return group->marks[2 * (rank - group->first) + (int)lane];
}

kjit_status group_mark(kjit_group *group, int rank, Lane lane)
{
    Device *device = group->devices[rank - group->first];
    void *stream = group_stream(group, rank, lane);

    return device->ops->event_record(device, mark_of(group, rank, lane), stream);
}

kjit_status group_wait(kjit_group *group, int rank, Lane lane, int behind_rank, Lane behind)
{
    Device *device = group->devices[rank - group->first];
    void *mark = mark_of(group, behind_rank, behind);

    return device->ops->stream_wait(device, group_stream(group, rank, lane), mark);
}

kjit_status group_order(kjit_group *group, int rank, Lane lane, int behind_rank, Lane behind)
{
    KJIT_TRY(group_mark(group, behind_rank, behind));
    return group_wait(group, rank, lane, behind_rank, behind);
}

/* Until a stream has done its work. What the wire carries ends only if the GPU of another process
** has its part in it: so this looks whether one has failed meanwhile. */
static kjit_status await(kjit_group *group, int rank, Lane lane)
{
    Device *device = group->devices[rank - group->first];
    void *stream = group_stream(group, rank, lane);
    bool done = false;

    if (!group->wire || !group->gpu)
        return KJIT_OK;
    for (unsigned round = 0; !done; round++) {
        KJIT_TRY(device->ops->stream_query(device, stream, &done));
        if (!done)
            KJIT_TRY(engine_wait(group->engine, round));
    }
    return KJIT_OK;
}

kjit_status group_settle(kjit_group *group)
{
    for (int r = 0; group->gpu && r < group->locals; r++) {
        KJIT_TRY(await(group, group->first + r, LANE_SIDE));
        KJIT_TRY(group->devices[r]->ops->stream_synchronize(group->devices[r], group->sides[r]));
    }
    return KJIT_OK;
}

kjit_status group_synchronize(kjit_group *group)
{
    for (int r = 0; group->devices && r < group->locals; r++) {
        KJIT_TRY(await(group, group->first + r, LANE_SIDE));
        KJIT_TRY(await(group, group->first + r, LANE_WORK));
        KJIT_TRY(group->devices[r]->ops->synchronize(group->devices[r]));
    }
    return KJIT_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

kjit_status group_copy(kjit_group *group, int to, void *to_bytes, int from, const void *from_bytes,
                       size_t bytes)
{
    bool to_gpu = group_on_gpu(group, to), from_gpu = group_on_gpu(group, from);

    if (!to_gpu && !from_gpu) {
        memmove(to_bytes, from_bytes, bytes);
        return KJIT_OK;
    }
    int local = (to_gpu ? to : from) - group->first;
    Device *device = group->devices[local];
    if (to_gpu && from_gpu && to != from)
        return device->ops->copy_from(device, to_bytes, group->devices[from - group->first],
                                      from_bytes, bytes, group->sides[local]);
    KJIT_TRY(await(group, group->first + local, LANE_SIDE)); /* the copy waits for it, too */
    CopyRequest request = { .to = to_bytes,
                            .from = from_bytes,
                            .to_host = !to_gpu,
                            .from_host = !from_gpu,
                            .width = bytes,
                            .height = 1,
                            .stream = group->sides[local] };
    return device->ops->copy(device, &request);
}
