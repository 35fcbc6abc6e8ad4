/* Streams, events and graphs of a GPU: the driver's own, by its handles. */
#include "runtime/cuda/cuda.h"

/* If the context cannot be entered the object was destroyed with it, which is no error when
** closing. */
static bool enter_to_close(CudaDevice *device, bool *pushed)
{
    error_quiet(true);
    bool entered = cuda_enter(device, pushed) == KJIT_OK;
    error_quiet(false);
    return entered;
}

/* ---- streams -------------------------------------------------------------------------- */

kjit_status cuda_stream_new(Device *base, bool independent, int priority, void **stream)
{
    CudaDevice *device = cuda(base);
    CuStream made = NULL;
    CuResult result;

    *stream = NULL;
    CUDA_CALL(device, result, stream_create, &made, independent ? CU_STREAM_INDEPENDENT : 0,
              priority);
    *stream = made;
    return cuda_check(device, result, "cuStreamCreate");
}

void cuda_stream_close(Device *base, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!enter_to_close(device, &pushed))
        return;
    device->driver->stream_destroy(stream);
    cuda_leave(device, pushed);
}

kjit_status cuda_stream_synchronize(Device *base, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    uint64_t round = stream ? 0 : cuda_begin_wait(device);
    CuResult result = device->driver->stream_synchronize(stream);
    cuda_leave(device, pushed);
    if (result == CU_OK)
        cuda_end_wait(device, round, true);
    return cuda_check(device, result, "waiting for a stream (cuStreamSynchronize)");
}

/* Whether it is ready, of a query's result. */
static kjit_status check_query(CudaDevice *device, CuResult result, const char *call, bool *done)
{
    *done = result == CU_OK;
    return result == CU_NOT_READY ? KJIT_OK : cuda_check(device, result, call);
}

kjit_status cuda_stream_query(Device *base, void *stream, bool *done)
{
    CudaDevice *device = cuda(base);
    CuResult result;

    *done = false;
    CUDA_CALL(device, result, stream_query, stream);
    return check_query(device, result, "cuStreamQuery", done);
}

kjit_status cuda_stream_records(Device *base, void *stream, bool *records)
{
    CudaDevice *device = cuda(base);
    int status = 0;
    CuResult result;

    *records = false;
    if (stream == CU_STREAM_LEGACY) /* which cannot; to ask disturbs those that do */
        return KJIT_OK;
    CUDA_CALL(device, result, stream_capturing, stream, &status);
    *records = status != 0; /* also if the recording has failed, and was not ended yet */
    return cuda_check(device, result, "cuStreamIsCapturing");
}

kjit_status cuda_stream_wait(Device *base, void *stream, void *event)
{
    CUDA_ONLY(base, "cuStreamWaitEvent", stream_wait, stream, event, 0);
}

kjit_status cuda_stream_call(Device *base, void *stream, void (*function)(void *), void *data)
{
    CUDA_ONLY(base, "cuLaunchHostFunc", stream_call, stream, function, data);
}

/* ---- events --------------------------------------------------------------------------- */

kjit_status cuda_event_new(Device *base, bool timed, void **event)
{
    CudaDevice *device = cuda(base);
    CuEvent made = NULL;
    CuResult result;

    *event = NULL;
    CUDA_CALL(device, result, event_create, &made, timed ? 0 : CU_EVENT_UNTIMED);
    *event = made;
    return cuda_check(device, result, "cuEventCreate");
}

void cuda_event_close(Device *base, void *event)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!enter_to_close(device, &pushed))
        return;
    device->driver->event_destroy(event);
    cuda_leave(device, pushed);
}

kjit_status cuda_event_record(Device *base, void *event, void *stream)
{
    CUDA_ONLY(base, "cuEventRecord", event_record, event, stream);
}

kjit_status cuda_event_synchronize(Device *base, void *event)
{
    CUDA_ONLY(base, "waiting for an event (cuEventSynchronize)", event_synchronize, event);
}

kjit_status cuda_event_query(Device *base, void *event, bool *done)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    *done = false;
    KJIT_TRY(cuda_enter(device, &pushed));
    int mode = cuda_begin_apart(device);
    CuResult result = device->driver->event_query(event);
    cuda_end_apart(device, mode);
    cuda_leave(device, pushed);
    return check_query(device, result, "cuEventQuery", done);
}

kjit_status cuda_event_elapsed(Device *base, void *from, void *to, double *ms)
{
    CudaDevice *device = cuda(base);
    float measured = 0;
    CuResult result;

    CUDA_CALL(device, result, event_elapsed, &measured, from, to);
    *ms = (double)measured;
    if (result == CU_NOT_READY)
        return error_set(KJIT_ARGUMENT, "error: the stream has not passed both events yet\n"
                                        "note: kjit_event_synchronize() waits for one");
    return cuda_check(device, result, "cuEventElapsedTime");
}

/* ---- graphs --------------------------------------------------------------------------- */

kjit_status cuda_capture_begin(Device *base, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    /* Relaxed: the first call of a kernel loads its code, which the other modes forbid. */
    CuResult result = device->driver->capture_begin(stream, CU_CAPTURE_RELAXED);
    cuda_leave(device, pushed);
    return cuda_check(device, result, "cuStreamBeginCapture");
}

kjit_status cuda_capture_end(Device *base, void *stream, void **graph)
{
    CudaDevice *device = cuda(base);
    const Driver *driver = device->driver;
    CuGraph recorded = NULL;
    CuGraphExec exec = NULL;
    bool pushed;

    *graph = NULL;
    KJIT_TRY(cuda_enter(device, &pushed));
    CuResult result = driver->capture_end(stream, &recorded);
    const char *call = "making a graph of what was recorded (cuStreamEndCapture)";
    if (result == CU_OK) {
        call = "making a graph of what was recorded (cuGraphInstantiateWithFlags)";
        result = driver->graph_instantiate(&exec, recorded, 0);
    }
    if (recorded)
        driver->graph_destroy(recorded);
    cuda_leave(device, pushed);
    *graph = exec;
    return cuda_check(device, result, call);
}

kjit_status cuda_graph_launch(Device *base, void *graph, void *stream)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    KJIT_TRY(cuda_enter(device, &pushed));
    atomic_store_explicit(&device->graph_launched,
                          atomic_load_explicit(&device->round, memory_order_relaxed),
                          memory_order_relaxed);
    CuResult result = device->driver->graph_launch(graph, stream);
    cuda_leave(device, pushed);
    return cuda_check(device, result, "cuGraphLaunch");
}

void cuda_graph_close(Device *base, void *graph)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (!enter_to_close(device, &pushed))
        return;
    device->driver->graph_exec_destroy(graph);
    cuda_leave(device, pushed);
}
