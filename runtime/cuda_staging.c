/* Copies from and to plain host memory, through page-locked memory of our own.
**
** The GPU can only fetch from memory that stays in place. The driver copies the rest through a
** buffer of its own, one thread at a time; here a copy is cut into chunks, and while the GPU moves
** one of them the processor moves the next. What is smaller than a chunk is left to the driver,
** which puts it into the command itself or does it as well as we could. */
#include "runtime/cuda.h"

#include <string.h>

enum { CHUNK = 1 << 20, LANE_BYTES = LANE_CHUNKS * CHUNK, STAGED_FROM = 256 << 10 };

/* ---- lanes ---------------------------------------------------------------------------- */

static void close_lane(const Driver *driver, Lane *lane)
{
    for (int i = 0; i < LANE_CHUNKS; i++) {
        if (lane->passed[i])
            driver->event_destroy(lane->passed[i]);
    }
    if (lane->memory)
        driver->host_free(lane->memory);
    *lane = (Lane){ 0 };
}

static CuResult open_lane(const Driver *driver, Lane *lane)
{
    void *memory = NULL;
    CuResult result = driver->host_alloc(&memory, LANE_BYTES, CU_HOST_PORTABLE);

    *lane = (Lane){ .memory = memory };
    for (int i = 0; i < LANE_CHUNKS && result == CU_OK; i++)
        result = driver->event_create(&lane->passed[i], CU_EVENT_UNTIMED);
    if (result != CU_OK)
        close_lane(driver, lane);
    return result;
}

/* A lane for one copy, NULL if all are taken or none can be had. */
static Lane *take_lane(CudaDevice *device)
{
    Lane *lane = NULL;

    pthread_mutex_lock(&device->lock);
    if (device->free_count) {
        lane = device->free_lanes[--device->free_count];
    } else if (device->lane_count < LANES) {
        lane = &device->lanes[device->lane_count];
        if (open_lane(device->driver, lane) == CU_OK)
            device->lane_count++;
        else
            lane = NULL;
    }
    pthread_mutex_unlock(&device->lock);
    return lane;
}

static void give_lane(CudaDevice *device, Lane *lane)
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

/* Page-locked, managed and device memory has a kind; plain memory has none. */
static bool is_plain(const Driver *driver, const void *memory)
{
    unsigned kind = 0;

    return driver->pointer_attribute(&kind, CU_POINTER_KIND, (CuPointer)(uintptr_t)memory) !=
               CU_OK ||
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

/* Waits until the device is done with a chunk of the lane. */
static CuResult await_chunk(const Driver *driver, Lane *lane, int chunk)
{
    if (!lane->used[chunk])
        return CU_OK;
    lane->used[chunk] = false;
    return driver->event_synchronize(lane->passed[chunk]);
}

static CuResult mark_chunk(const Driver *driver, Lane *lane, int chunk, CuStream stream)
{
    CuResult result = driver->event_record(lane->passed[chunk], stream);

    lane->used[chunk] = result == CU_OK;
    return result;
}

static size_t chunk_bytes(size_t total, size_t at)
{
    return total - at < CHUNK ? total - at : CHUNK;
}

static CuResult stage_in(const Driver *driver, Lane *lane, const CopyRequest *request)
{
    CuPointer to = (CuPointer)(uintptr_t)request->to;
    const char *from = request->from;
    CuResult result = CU_OK;
    int chunk = 0;

    for (size_t at = 0; at < request->width && result == CU_OK; at += CHUNK) {
        size_t bytes = chunk_bytes(request->width, at);
        char *room = lane->memory + (size_t)chunk * CHUNK;
        result = await_chunk(driver, lane, chunk);
        if (result != CU_OK)
            break;
        memcpy(room, from + at, bytes);
        result = driver->copy_in_async(to + at, room, bytes, request->stream);
        if (result == CU_OK)
            result = mark_chunk(driver, lane, chunk, request->stream);
        chunk = (chunk + 1) % LANE_CHUNKS;
    }
    return result;
}

/* Asks for chunk after chunk, and takes each out once it has come, LANE_CHUNKS - 1 behind. */
static CuResult stage_out(const Driver *driver, Lane *lane, const CopyRequest *request)
{
    CuPointer from = (CuPointer)(uintptr_t)request->from;
    size_t chunks = (request->width + CHUNK - 1) / CHUNK;
    CuResult result = CU_OK;

    for (size_t i = 0; i < chunks + LANE_CHUNKS - 1 && result == CU_OK; i++) {
        if (i < chunks) {
            int chunk = (int)(i % LANE_CHUNKS);
            result = await_chunk(driver, lane, chunk);
            if (result == CU_OK)
                result =
                    driver->copy_out_async(lane->memory + (size_t)chunk * CHUNK, from + i * CHUNK,
                                           chunk_bytes(request->width, i * CHUNK), request->stream);
            if (result == CU_OK)
                result = mark_chunk(driver, lane, chunk, request->stream);
        }
        if (result == CU_OK && i >= LANE_CHUNKS - 1) {
            size_t come = i - (LANE_CHUNKS - 1);
            int chunk = (int)(come % LANE_CHUNKS);
            result = await_chunk(driver, lane, chunk);
            if (result == CU_OK)
                memcpy((char *)request->to + come * CHUNK, lane->memory + (size_t)chunk * CHUNK,
                       chunk_bytes(request->width, come * CHUNK));
        }
    }
    return result;
}

kjit_status cuda_copy_staged(CudaDevice *device, const CopyRequest *request)
{
    const Driver *driver = device->driver;
    Lane *lane = take_lane(device);
    const char *call = request->from_host ? "copying to the GPU (cuMemcpyHtoDAsync)"
                                          : "copying from the GPU (cuMemcpyDtoHAsync)";
    CuResult result;

    if (!lane)
        result = request->from_host
                     ? driver->copy_in_async((CuPointer)(uintptr_t)request->to, request->from,
                                             request->width, request->stream)
                     : driver->copy_out_async(request->to, (CuPointer)(uintptr_t)request->from,
                                              request->width, request->stream);
    else
        result =
            request->from_host ? stage_in(driver, lane, request) : stage_out(driver, lane, request);
    if (lane)
        give_lane(device, lane);
    return cuda_check(device, result, call);
}
