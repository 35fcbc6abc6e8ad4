/* Copies from and to pageable host memory, through page-locked memory of kjit's own.
**
** A GPU accesses only page-locked memory. For other memory the driver copies through a buffer of
** its own on one thread, which is by far the slower half. Here several threads take chunks of a
** copy: each moves its chunk on the processor while the GPU transfers those of the others. Small
** copies are left to the driver, which is as fast. */
#include "runtime/crew.h"
#include "runtime/cuda/cuda.h"

enum {
    CHUNK = 256 << 10,
    LANE_BYTES = LANE_CHUNKS * CHUNK,
    STAGED_FROM = 512 << 10,
    OWN_CHUNKS = LANE_CHUNKS / COPIERS /* chunks of the lane for each thread */
};

/* ---- lanes ---------------------------------------------------------------------------- */

static void close_lane(const Driver *driver, StagingLane *lane)
{
    for (int i = 0; i < LANE_CHUNKS; i++) {
        if (lane->passed[i])
            driver->event_destroy(lane->passed[i]);
    }
    if (lane->memory)
        driver->host_free(lane->memory);
    *lane = (StagingLane){ 0 };
}

static CuResult open_lane(const Driver *driver, StagingLane *lane)
{
    void *memory = NULL;
    CuResult result = driver->host_alloc(&memory, LANE_BYTES, CU_HOST_PORTABLE);

    *lane = (StagingLane){ .memory = memory };
    for (int i = 0; i < LANE_CHUNKS && result == CU_OK; i++)
        result = driver->event_create(&lane->passed[i], CU_EVENT_UNTIMED);
    if (result != CU_OK)
        close_lane(driver, lane);
    return result;
}

/* A lane for one copy; NULL if all are in use or allocation fails, and for the first copy, which
** may be the only one and not worth the milliseconds of page-locking. */
static StagingLane *take_lane(CudaDevice *device)
{
    StagingLane *lane = NULL;

    if (!atomic_exchange(&device->copied, true))
        return NULL;
    pthread_mutex_lock(&device->lock);
    if (device->free_count) {
        lane = device->free_lanes[--device->free_count];
    } else if (device->lane_count < LANES) {
        int mode = cuda_begin_apart(device);
        lane = &device->lanes[device->lane_count];
        if (open_lane(device->driver, lane) == CU_OK)
            device->lane_count++;
        else
            lane = NULL;
        cuda_end_apart(device, mode);
    }
    pthread_mutex_unlock(&device->lock);
    return lane;
}

static void give_lane(CudaDevice *device, StagingLane *lane)
{
    pthread_mutex_lock(&device->lock);
    device->free_lanes[device->free_count++] = lane;
    pthread_mutex_unlock(&device->lock);
}

void cuda_close_staging(CudaDevice *device)
{
    for (int i = 0; i < device->lane_count; i++)
        close_lane(device->driver, &device->lanes[i]);
    device->lane_count = device->free_count = 0;
}

/* ---- copies --------------------------------------------------------------------------- */

/* Page-locked, managed and device memory are known to the driver; pageable memory is not. */
static bool is_plain(const Driver *driver, const void *memory)
{
    unsigned kind = 0;

    return driver->pointer_attribute(&kind, CU_POINTER_KIND, cuda_address(memory)) != CU_OK ||
           kind == 0;
}

static bool is_recorded(const Driver *driver, CuStream stream)
{
    int capturing = 0;

    return stream && (driver->stream_capturing(stream, &capturing) != CU_OK || capturing != 0);
}

bool cuda_wants_staging(CudaDevice *device, const CopyRequest *request)
{
    const void *host = request->from_host ? request->from : request->to;

    return request->height == 1 && request->width >= STAGED_FROM &&
           request->from_host != request->to_host && is_plain(device->driver, host) &&
           !is_recorded(device->driver, request->stream);
}

/* A copy shared by several threads. */
typedef struct StagedCopy {
    CudaDevice *device;
    StagingLane *lane;
    const CopyRequest *request;
    size_t chunks;
    atomic_size_t next;
    atomic_int result; /* the first failure, else CU_OK */
} StagedCopy;

/* A chunk of a copy and its slot in the lane. */
typedef struct Chunk {
    size_t at, bytes;
    int slot;
} Chunk;

/* Takes the next chunk, for a slot; false if none is left, or after a failure. */
static bool next_chunk(StagedCopy *copy, int slot, Chunk *chunk)
{
    size_t index = atomic_fetch_add(&copy->next, 1);

    if (index >= copy->chunks || atomic_load(&copy->result) != CU_OK)
        return false;
    size_t at = index * CHUNK, left = copy->request->width - at;
    *chunk = (Chunk){ at, left < CHUNK ? left : CHUNK, slot };
    return true;
}

static char *room_of(const StagedCopy *copy, int slot)
{
    return copy->lane->memory + (size_t)slot * CHUNK;
}

/* Waits until the device has finished with a slot of the lane. */
static CuResult await_slot(const Driver *driver, StagingLane *lane, int slot)
{
    if (!lane->used[slot])
        return CU_OK;
    lane->used[slot] = false;
    return driver->event_synchronize(lane->passed[slot]);
}

static CuResult mark_slot(const Driver *driver, StagingLane *lane, int slot, CuStream stream)
{
    CuResult result = driver->event_record(lane->passed[slot], stream);

    lane->used[slot] = result == CU_OK;
    return result;
}

static CuResult send_chunk(StagedCopy *copy, const Chunk *chunk)
{
    const Driver *driver = copy->device->driver;
    const CopyRequest *request = copy->request;
    char *room = room_of(copy, chunk->slot);
    CuResult result = await_slot(driver, copy->lane, chunk->slot);

    if (result != CU_OK)
        return result;
    memcpy(room, (const char *)request->from + chunk->at, chunk->bytes);
    result = driver->copy_in_async(cuda_address(request->to) + chunk->at, room, chunk->bytes,
                                   request->stream);
    return result == CU_OK ? mark_slot(driver, copy->lane, chunk->slot, request->stream) : result;
}

static CuResult request_chunk(StagedCopy *copy, const Chunk *chunk)
{
    const Driver *driver = copy->device->driver;
    const CopyRequest *request = copy->request;
    CuResult result = await_slot(driver, copy->lane, chunk->slot);

    if (result == CU_OK)
        result = driver->copy_out_async(room_of(copy, chunk->slot),
                                        cuda_address(request->from) + chunk->at, chunk->bytes,
                                        request->stream);
    return result == CU_OK ? mark_slot(driver, copy->lane, chunk->slot, request->stream) : result;
}

static CuResult receive_chunk(StagedCopy *copy, const Chunk *chunk)
{
    CuResult result = await_slot(copy->device->driver, copy->lane, chunk->slot);

    if (result == CU_OK)
        memcpy((char *)copy->request->to + chunk->at, room_of(copy, chunk->slot), chunk->bytes);
    return result;
}

static void note_result(StagedCopy *copy, CuResult result)
{
    int fine = CU_OK;

    if (result != CU_OK)
        atomic_compare_exchange_strong(&copy->result, &fine, result);
}

/* A thread's part of a copy to the device, through its own slots one after the other. */
static void send_chunks(StagedCopy *copy, int member)
{
    int first = member * OWN_CHUNKS;
    Chunk chunk;

    for (int i = 0; next_chunk(copy, first + i % OWN_CHUNKS, &chunk); i++)
        note_result(copy, send_chunk(copy, &chunk));
}

/* A thread's part of a copy from the device: the next transfer is started before the last is waited
** for. */
static void receive_chunks(StagedCopy *copy, int member)
{
    int first = member * OWN_CHUNKS;
    Chunk asked[OWN_CHUNKS];
    int begun = 0, taken = 0;
    bool more = true;

    while (more || taken < begun) {
        Chunk *chunk = &asked[begun % OWN_CHUNKS];
        more = more && next_chunk(copy, first + begun % OWN_CHUNKS, chunk);
        if (more) {
            CuResult result = request_chunk(copy, chunk);
            note_result(copy, result);
            if (result == CU_OK)
                begun++;
        }
        if (taken < begun && (!more || begun - taken == OWN_CHUNKS))
            note_result(copy, receive_chunk(copy, &asked[taken++ % OWN_CHUNKS]));
    }
}

static void take_part(void *job, int member)
{
    StagedCopy *copy = job;
    bool pushed = false;

    /* The caller has entered the context already; a helper that cannot leaves its part to the
    ** others. */
    if (member && cuda_enter(copy->device, &pushed) != KJIT_OK)
        return;
    if (copy->request->from_host)
        send_chunks(copy, member);
    else
        receive_chunks(copy, member);
    cuda_leave(copy->device, pushed);
}

kjit_status cuda_copy_staged(CudaDevice *device, const CopyRequest *request)
{
    StagingLane *lane = take_lane(device);
    const char *call = request->from_host ? "copying to the GPU (cuMemcpyHtoDAsync)"
                                          : "copying from the GPU (cuMemcpyDtoHAsync)";
    StagedCopy copy = { .device = device,
                        .lane = lane,
                        .request = request,
                        .chunks = (request->width + CHUNK - 1) / CHUNK };

    if (!lane)
        return cuda_check(device, cuda_copy_line(device->driver, request), call);
    /* The per-thread default stream differs in each thread: no helpers. */
    if (request->stream == CU_STREAM_PER_THREAD)
        take_part(&copy, 0);
    else
        crew_run(take_part, &copy, crew_threads() < COPIERS ? crew_threads() : COPIERS);
    /* After a failure, transfers in progress must end before the lane is reused. */
    if (atomic_load(&copy.result) != CU_OK)
        device->driver->stream_synchronize(request->stream);
    give_lane(device, lane);
    return cuda_check(device, (CuResult)atomic_load(&copy.result), call);
}
