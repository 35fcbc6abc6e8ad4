/* Streams: what they are given is done at once; or, for tests of what waits for what, not before
** it has to be waited for. */
#include "tests/fake/work.h"

#include <stdlib.h>

static Stream legacy[FAKE_DEVICES], per_thread[FAKE_DEVICES];
static Stream *all[4096]; /* that were made */
static int all_count;
static unsigned long last_serial = 2 * FAKE_DEVICES;
static _Atomic bool lazy;
static pthread_mutex_t lock; /* of all that, and of what waits; its owner may take it again */

static CuStream const legacy_handle = (CuStream)1, per_thread_handle = (CuStream)2;

__attribute__((constructor)) static void make_lock(void)
{
    pthread_mutexattr_t recursive;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    for (int i = 0; i < FAKE_DEVICES; i++) {
        legacy[i].serial = 1 + (unsigned long)i;
        per_thread[i].serial = 1 + FAKE_DEVICES + (unsigned long)i;
        legacy[i].legacy = true;
        legacy[i].last = &legacy[i].first;
        per_thread[i].last = &per_thread[i].first;
    }
}

EXPORT void fake_cuda_lazy(bool on)
{
    atomic_store(&lazy, on);
}

void streams_lock(void)
{
    pthread_mutex_lock(&lock);
}

void streams_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- doing what waits ------------------------------------------------------------------- */

/* The oldest piece; the caller has the lock. What a broken device was to do is forgotten. */
static void do_first(Stream *stream, int device)
{
    Work *work = stream->first;

    stream->first = work->next;
    if (!stream->first)
        stream->last = &stream->first;
    if (!atomic_load(&fake.devices[device].broken))
        work_do(work);
    work_free(work);
    stream->done++;
}

static int device_of(const Stream *stream)
{
    if (stream->handle)
        return stream->handle->device;
    return (int)(stream->legacy ? stream - legacy : stream - per_thread);
}

static void drain(Stream *stream)
{
    while (stream->first)
        do_first(stream, device_of(stream));
}

/* The stream of a point; NULL if it is gone. */
static Stream *point_stream(const Point *point)
{
    for (int i = 0; i < FAKE_DEVICES; i++) {
        if (point->serial == legacy[i].serial)
            return &legacy[i];
        if (point->serial == per_thread[i].serial)
            return &per_thread[i];
    }
    for (int i = 0; i < all_count; i++) {
        if (all[i]->serial == point->serial)
            return all[i];
    }
    return NULL;
}

bool point_passed(const Point *point)
{
    pthread_mutex_lock(&lock);
    const Stream *stream = point->serial ? point_stream(point) : NULL;
    bool passed = !stream || stream->done >= point->position || !stream->first;
    pthread_mutex_unlock(&lock);
    return passed;
}

void point_step(const Point *point)
{
    pthread_mutex_lock(&lock);
    Stream *stream = point->serial ? point_stream(point) : NULL;
    if (stream && stream->first && stream->done < point->position)
        do_first(stream, device_of(stream));
    pthread_mutex_unlock(&lock);
}

void point_reach(const Point *point)
{
    pthread_mutex_lock(&lock);
    while (!point_passed(point))
        point_step(point);
    pthread_mutex_unlock(&lock);
}

void device_drain(int device)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; i++) {
        if (device_of(all[i]) == device)
            drain(all[i]);
    }
    drain(&legacy[device]);
    drain(&per_thread[device]);
    pthread_mutex_unlock(&lock);
}

static void forget_work(Stream *stream)
{
    works_free(stream->first);
    stream->first = NULL;
    stream->last = &stream->first;
    stream->done = stream->asked;
}

void streams_end(int device)
{
    for (int i = 0; i < all_count; i++) {
        if (device_of(all[i]) == device)
            forget_work(all[i]);
    }
    forget_work(&legacy[device]);
    forget_work(&per_thread[device]);
}

/* ---- asking --------------------------------------------------------------------------- */

Stream *stream_of(CuStream handle)
{
    int device = (int)(fake_current() - fake.devices);

    if (!handle || handle == legacy_handle)
        return &legacy[device];
    if (handle == per_thread_handle)
        return &per_thread[device];
    return handle_data(handle, KIND_STREAM, "the stream");
}

Point stream_point(const Stream *stream)
{
    return (Point){ stream->handle, stream->serial, stream->asked };
}

/* What the default stream and the others wait for of each other. The caller has the lock. */
static void settle_order(const Stream *stream)
{
    int device = device_of(stream);

    if (stream->independent)
        return;
    if (!stream->legacy) {
        drain(&legacy[device]);
        return;
    }
    for (int i = 0; i < all_count; i++) {
        if (device_of(all[i]) == device && !all[i]->independent)
            drain(all[i]);
    }
    drain(&per_thread[device]);
}

/* What cannot be left for later: the host waits for it. */
static bool waits(const Work *work)
{
    return work->kind == WORK_COPY && work->to_host &&
           !memory_pinned(work->to, (work->height - 1) * work->to_pitch + work->width);
}

static CuResult keep_for_later(Stream *stream, const Work *work)
{
    bool snapshot = work->kind == WORK_COPY && work->from_host &&
                    !memory_pinned(work->from, (work->height - 1) * work->from_pitch + work->width);
    Work *kept = work_keep(work, snapshot);

    if (!kept)
        return FAKE_NO_MEMORY;
    pthread_mutex_lock(&lock);
    settle_order(stream);
    *stream->last = kept;
    stream->last = &kept->next;
    stream->asked++;
    if (waits(work))
        drain(stream);
    pthread_mutex_unlock(&lock);
    return CU_OK;
}

static CuResult record(Handle *handle, const Work *work)
{
    Work *kept = work_keep(work, false);
    Graph *graph = handle->data;

    if (!kept)
        return FAKE_NO_MEMORY;
    pthread_mutex_lock(&lock);
    *graph->last = kept;
    graph->last = &kept->next;
    graph->count++;
    pthread_mutex_unlock(&lock);
    return CU_OK;
}

CuResult work_submit(CuStream handle, const Work *work)
{
    Stream *stream = stream_of(handle);
    Handle *graph = stream ? atomic_load_explicit(&stream->graph, memory_order_relaxed) : NULL;

    if (!stream)
        return FAKE_INVALID_HANDLE;
    if (graph)
        return work->kind == WORK_FREE ? FAKE_NO_CAPTURE : record(graph, work);
    if (atomic_load_explicit(&lazy, memory_order_relaxed))
        return keep_for_later(stream, work);
    work_do(work);
    return CU_OK;
}

/* ---- the driver's functions ------------------------------------------------------------- */

/* Its caller has both locks. */
static void drop_stream(void *data)
{
    Stream *stream = data;

    forget_work(stream);
    for (int i = 0; i < all_count; i++) {
        if (all[i] == stream)
            all[i] = all[--all_count];
    }
}

CuResult cu_stream_create(CuStream *stream, unsigned flags, int priority)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_stream_create, &device);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    Handle *handle =
        handle_new(KIND_STREAM, (int)(device - fake.devices), NULL, sizeof(Stream), drop_stream);
    pthread_mutex_unlock(&fake.lock);
    if (!handle)
        return FAKE_NO_MEMORY;
    pthread_mutex_lock(&lock);
    Stream *made = handle->data;
    made->handle = handle;
    made->serial = ++last_serial;
    made->last = &made->first;
    made->independent = flags & 1;
    all[all_count++] = made;
    pthread_mutex_unlock(&lock);
    *stream = (CuStream)(void *)handle;
    fake_note("stream%s %d", flags & 1 ? " independent" : "", priority);
    return CU_OK;
}

CuResult cu_stream_destroy(CuStream handle)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_stream_destroy, &device);
    Stream *stream = device ? handle_data(handle, KIND_STREAM, "the stream") : NULL;

    if (!stream)
        return device ? FAKE_INVALID_HANDLE : result;
    fake_note("close a stream");
    pthread_mutex_lock(&lock);
    drain(stream);
    pthread_mutex_lock(&fake.lock);
    handle_free((Handle *)(void *)handle);
    pthread_mutex_unlock(&fake.lock);
    pthread_mutex_unlock(&lock);
    return result;
}

/* A stream that calls may wait for: one that records is none. */
static CuResult enter_stream(Call call, CuStream handle, FakeDevice **device, Stream **stream)
{
    CuResult result = fake_enter(call, device);

    *stream = result == CU_OK ? stream_of(handle) : NULL;
    if (!*stream)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    return atomic_load(&(*stream)->graph) ? FAKE_NO_CAPTURE : CU_OK;
}

CuResult cu_stream_synchronize(CuStream handle)
{
    FakeDevice *device;
    Stream *stream;
    CuResult result = enter_stream(CALL_stream_synchronize, handle, &device, &stream);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&lock);
    settle_order(stream);
    drain(stream);
    pthread_mutex_unlock(&lock);
    fake_note("synchronize");
    return atomic_load(&device->broken);
}

CuResult cu_context_synchronize(void)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_context_synchronize, &device);

    if (result != CU_OK)
        return result;
    device_drain((int)(device - fake.devices));
    fake_note("synchronize");
    return atomic_load(&device->broken);
}

CuResult cu_stream_query(CuStream handle)
{
    FakeDevice *device;
    Stream *stream;
    CuResult result = enter_stream(CALL_stream_query, handle, &device, &stream);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&lock);
    bool left = stream->first != NULL;
    if (left) /* who asks again and again gets there */
        do_first(stream, device_of(stream));
    pthread_mutex_unlock(&lock);
    return left ? FAKE_NOT_READY : atomic_load(&device->broken);
}

CuResult cu_stream_call(CuStream stream, void (*function)(void *), void *data)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_stream_call, &device);
    Work work = { .kind = WORK_CALL, .call = function, .data = data };

    fake_note("call");
    return result == CU_OK ? work_submit(stream, &work) : result;
}

/* ---- recording ------------------------------------------------------------------------ */

static void drop_graph(void *data)
{
    works_free(((Graph *)data)->first);
}

static Handle *new_graph(Kind kind, int device)
{
    pthread_mutex_lock(&fake.lock);
    Handle *handle = handle_new(kind, device, NULL, sizeof(Graph), drop_graph);
    pthread_mutex_unlock(&fake.lock);
    if (handle)
        ((Graph *)handle->data)->last = &((Graph *)handle->data)->first;
    return handle;
}

CuResult cu_stream_capturing(CuStream handle, int *status)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_stream_capturing, &device);
    const Stream *stream = result == CU_OK ? stream_of(handle) : NULL;

    if (!stream)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    *status = atomic_load(&stream->graph) != NULL;
    return CU_OK;
}

CuResult cu_capture_begin(CuStream handle, int mode)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_capture_begin, &device);
    Stream *stream = result == CU_OK ? stream_of(handle) : NULL;

    if (!stream)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (mode < 0 || mode > 2 || stream->legacy || atomic_load(&stream->graph))
        return FAKE_NO_CAPTURE;
    Handle *graph = new_graph(KIND_GRAPH, (int)(device - fake.devices));
    atomic_store(&stream->graph, graph);
    return graph ? CU_OK : FAKE_NO_MEMORY;
}

/* A recording that fails to end has ended nevertheless. */
CuResult cu_capture_end(CuStream handle, CuGraph *graph)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_capture_end, &device);
    Stream *stream = device ? stream_of(handle) : NULL;

    *graph = NULL;
    if (!stream)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    Handle *recorded = atomic_exchange(&stream->graph, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; i++) { /* those that joined in */
        if (atomic_load(&all[i]->graph) == recorded)
            atomic_store(&all[i]->graph, NULL);
    }
    pthread_mutex_unlock(&lock);
    if (!recorded)
        return result == CU_OK ? FAKE_NO_CAPTURE : result;
    if (result == CU_OK) {
        *graph = (CuGraph)(void *)recorded;
        return CU_OK;
    }
    pthread_mutex_lock(&fake.lock);
    handle_free(recorded);
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult cu_graph_instantiate(CuGraphExec *exec, CuGraph graph, unsigned long long flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_graph_instantiate, &device);
    const Graph *recorded = result == CU_OK ? handle_data(graph, KIND_GRAPH, "the graph") : NULL;

    if (!recorded || flags)
        return result == CU_OK ? FAKE_INVALID_VALUE : result;
    Handle *made = new_graph(KIND_EXEC, (int)(device - fake.devices));
    if (!made)
        return FAKE_NO_MEMORY;
    for (const Work *work = recorded->first; work; work = work->next) {
        if (record(made, work) != CU_OK)
            return FAKE_NO_MEMORY;
    }
    *exec = (CuGraphExec)(void *)made;
    fake_note("graph of %d", recorded->count);
    return CU_OK;
}

CuResult cu_graph_launch(CuGraphExec exec, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_graph_launch, &device);
    const Graph *graph = result == CU_OK ? handle_data(exec, KIND_EXEC, "the graph") : NULL;

    if (!graph)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    fake_note("launch a graph of %d", graph->count);
    for (const Work *work = graph->first; work && result == CU_OK; work = work->next)
        result = work_submit(stream, work);
    return result;
}

static CuResult destroy(Call call, void *handle, Kind kind)
{
    FakeDevice *device;
    CuResult result = fake_enter(call, &device);

    if (!device)
        return result;
    if (!handle_data(handle, kind, "the graph"))
        return FAKE_INVALID_HANDLE;
    pthread_mutex_lock(&fake.lock);
    handle_free(handle);
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult cu_graph_destroy(CuGraph graph)
{
    return destroy(CALL_graph_destroy, (void *)graph, KIND_GRAPH);
}

CuResult cu_graph_exec_destroy(CuGraphExec exec)
{
    return destroy(CALL_graph_exec_destroy, (void *)exec, KIND_EXEC);
}
