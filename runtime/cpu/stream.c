/* The processor's streams, events and graphs. Work is done synchronously, so a stream only matters
** while it records: a graph is the list of operations on the recording stream, and on those that
** waited for an event recorded by it, as in CUDA.
**
** One lock protects all recordings, which may involve streams and events of several contexts.
** Without a recording no lock is taken: the graph pointers of streams and events are atomic, and
** read again under the lock before use. */
#include "runtime/runtime.h"

typedef enum StepKind { STEP_LAUNCH, STEP_COPY, STEP_ZERO, STEP_CALL } StepKind;

typedef struct Graph Graph;

typedef struct CpuEvent {
    _Atomic double ms;
    _Atomic(Graph *) graph; /* the recording that the event belongs to, or NULL */
    struct CpuEvent *next;
} CpuEvent;

typedef struct CpuStream {
    _Atomic(Graph *) recording; /* or NULL */
    struct CpuStream *next;
} CpuStream;

/* A recorded operation. */
typedef struct RecordedStep {
    struct RecordedStep *next;
    StepKind kind;
    union {
        struct {
            Code *code;
            LaunchRequest request; /* its slots and parameters follow the step */
        } launch;
        CopyRequest copy;
        struct {
            void *memory;
            size_t bytes;
        } zero;
        struct {
            void (*function)(void *);
            void *data;
        } call;
    } as;
} RecordedStep;

struct Graph {
    RecordedStep *first, **last;
    CpuStream *streams; /* the streams that record into it */
    CpuEvent *events;   /* the events recorded into it; both lists exist until the recording ends */
};

static pthread_mutex_t recordings = PTHREAD_MUTEX_INITIALIZER;

/* ---- recording ------------------------------------------------------------------------ */

static RecordedStep *add_step(Graph *graph, StepKind kind, size_t more)
{
    RecordedStep *step = memory_zeroed(1, sizeof *step + more);

    if (!step)
        return NULL;
    step->kind = kind;
    *graph->last = step;
    graph->last = &step->next;
    return step;
}

static Graph *recording_of(void *stream)
{
    return stream ? ((CpuStream *)stream)->recording : NULL;
}

/* If the stream records, takes the lock and returns the graph: unlock() it. Else NULL, without the
** lock. */
static Graph *lock_recording(void *stream)
{
    if (!recording_of(stream))
        return NULL;
    forks_lock(&recordings);
    Graph *graph = recording_of(stream);
    if (!graph) /* it has ended meanwhile */
        forks_unlock(&recordings);
    return graph;
}

static void unlock(void)
{
    forks_unlock(&recordings);
}

static void fill_launch(RecordedStep *step, Code *code, const LaunchRequest *request)
{
    size_t slots = request->slot_count, params = request->param_count;

    /* Keeps values of 16 bytes aligned. */
    uint64_t *values = (uint64_t *)(((uintptr_t)(step + 1) + 15) & ~(uintptr_t)15);
    void **pointers = (void **)(values + slots);
    memcpy(values, request->slots, 8 * slots);
    for (size_t i = 0; i < params; i++)
        pointers[i] = values + ((const uint64_t *)request->params[i] - request->slots);
    step->as.launch.code = code;
    step->as.launch.request = *request;
    step->as.launch.request.stream = NULL;
    step->as.launch.request.slots = values;
    step->as.launch.request.params = pointers;
}

kjit_status cpu_record_launch(void *stream, Code *code, const LaunchRequest *request,
                              bool *recorded)
{
    Graph *graph = lock_recording(stream);

    *recorded = graph != NULL;
    if (!graph)
        return KJIT_OK;
    RecordedStep *step = add_step(
        graph, STEP_LAUNCH, 16 + 8 * request->slot_count + sizeof(void *) * request->param_count);
    if (step)
        fill_launch(step, code, request);
    unlock();
    return step ? KJIT_OK : error_memory();
}

kjit_status cpu_record_copy(void *stream, const CopyRequest *request, bool *recorded)
{
    Graph *graph = lock_recording(stream);

    *recorded = graph != NULL;
    if (!graph)
        return KJIT_OK;
    RecordedStep *step = add_step(graph, STEP_COPY, 0);
    if (step) {
        step->as.copy = *request;
        step->as.copy.stream = NULL;
    }
    unlock();
    return step ? KJIT_OK : error_memory();
}

kjit_status cpu_record_zero(void *stream, void *memory, size_t bytes, bool *recorded)
{
    Graph *graph = lock_recording(stream);

    *recorded = graph != NULL;
    if (!graph)
        return KJIT_OK;
    RecordedStep *step = add_step(graph, STEP_ZERO, 0);
    if (step) {
        step->as.zero.memory = memory;
        step->as.zero.bytes = bytes;
    }
    unlock();
    return step ? KJIT_OK : error_memory();
}

/* ---- streams -------------------------------------------------------------------------- */

kjit_status cpu_stream_new(Device *device, bool independent, int priority, void **stream)
{
    (void)device, (void)independent, (void)priority;
    *stream = memory_zeroed(1, sizeof(CpuStream));
    return *stream ? KJIT_OK : error_memory();
}

/* Makes the stream record into the graph. Under the lock, like the two functions below. */
static void join(CpuStream *stream, Graph *graph)
{
    stream->recording = graph;
    stream->next = graph->streams;
    graph->streams = stream;
}

static void leave(CpuStream *stream)
{
    Graph *graph = stream->recording;
    CpuStream **at = &graph->streams;

    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    stream->recording = NULL;
}

/* Ends the recording of a graph. */
static void end_recording(Graph *graph)
{
    while (graph->streams)
        leave(graph->streams);
    for (CpuEvent *event = graph->events; event; event = event->next)
        event->graph = NULL;
    graph->events = NULL;
}

void cpu_stream_close(Device *device, void *stream)
{
    Graph *graph = lock_recording(stream);

    if (graph) {
        leave(stream);
        if (!graph->streams) { /* no stream is left to end it */
            end_recording(graph);
            cpu_graph_close(device, graph);
        }
        unlock();
    }
    memory_free(stream);
}

kjit_status cpu_stream_synchronize(Device *device, void *stream)
{
    (void)device, (void)stream;
    return KJIT_OK;
}

kjit_status cpu_stream_query(Device *device, void *stream, bool *done)
{
    (void)device, (void)stream;
    *done = true;
    return KJIT_OK;
}

kjit_status cpu_stream_records(Device *device, void *stream, bool *records)
{
    (void)device;
    *records = recording_of(stream) != NULL;
    return KJIT_OK;
}

kjit_status cpu_stream_wait(Device *device, void *stream, void *handle)
{
    CpuEvent *event = handle;
    kjit_status status = KJIT_OK;

    (void)device;
    if (!event->graph)
        return KJIT_OK;
    forks_lock(&recordings);
    Graph *graph = event->graph;
    if (graph && recording_of(stream) != graph) {
        if (stream && !recording_of(stream))
            join(stream, graph);
        else
            status = error_set(KJIT_ARGUMENT,
                               "error: the event belongs to a recording that %s cannot join",
                               stream ? "a stream that records another" : "the default stream");
    }
    unlock();
    return status;
}

kjit_status cpu_stream_call(Device *device, void *stream, void (*function)(void *), void *data)
{
    Graph *graph = lock_recording(stream);

    (void)device;
    if (!graph) {
        function(data);
        return KJIT_OK;
    }
    RecordedStep *step = add_step(graph, STEP_CALL, 0);
    if (step) {
        step->as.call.function = function;
        step->as.call.data = data;
    }
    unlock();
    return step ? KJIT_OK : error_memory();
}

/* ---- events --------------------------------------------------------------------------- */

kjit_status cpu_event_new(Device *device, bool timed, void **out)
{
    CpuEvent *event = memory_zeroed(1, sizeof *event);

    (void)device, (void)timed;
    *out = event;
    return event ? KJIT_OK : error_memory();
}

/* Removes the event from its recording. Under the lock. */
static void forget_graph(CpuEvent *event)
{
    Graph *graph = event->graph;

    if (!graph)
        return;
    CpuEvent **at = &graph->events;
    while (*at != event)
        at = &(*at)->next;
    *at = event->next;
    event->graph = NULL;
}

void cpu_event_close(Device *device, void *event)
{
    (void)device;
    forks_lock(&recordings);
    forget_graph(event);
    unlock();
    memory_free(event);
}

kjit_status cpu_event_record(Device *device, void *handle, void *stream)
{
    CpuEvent *event = handle;

    (void)device;
    event->ms = clock_ms();
    if (!event->graph && !recording_of(stream))
        return KJIT_OK;
    forks_lock(&recordings);
    forget_graph(event);
    Graph *graph = recording_of(stream);
    event->graph = graph;
    if (graph) {
        event->next = graph->events;
        graph->events = event;
    }
    unlock();
    return KJIT_OK;
}

kjit_status cpu_event_synchronize(Device *device, void *event)
{
    (void)device, (void)event;
    return KJIT_OK;
}

kjit_status cpu_event_query(Device *device, void *event, bool *done)
{
    (void)device, (void)event;
    *done = true;
    return KJIT_OK;
}

kjit_status cpu_event_elapsed(Device *device, void *from, void *to, double *ms)
{
    (void)device;
    *ms = ((CpuEvent *)to)->ms - ((CpuEvent *)from)->ms;
    return KJIT_OK;
}

/* ---- graphs --------------------------------------------------------------------------- */

kjit_status cpu_capture_begin(Device *device, void *stream)
{
    Graph *graph = memory_zeroed(1, sizeof *graph);

    (void)device;
    if (!graph)
        return error_memory();
    graph->last = &graph->first;
    forks_lock(&recordings);
    bool records = recording_of(stream) != NULL;
    if (!records)
        join(stream, graph);
    unlock();
    if (!records)
        return KJIT_OK;
    memory_free(graph);
    return error_set(KJIT_ARGUMENT, "error: another thread has the stream record a graph");
}

kjit_status cpu_capture_end(Device *device, void *stream, void **graph)
{
    (void)device;
    forks_lock(&recordings);
    Graph *ended = recording_of(stream);
    end_recording(ended);
    unlock();
    *graph = ended;
    return KJIT_OK;
}

static kjit_status do_step(Device *device, const RecordedStep *step, void *stream)
{
    switch (step->kind) {
    case STEP_LAUNCH: {
        LaunchRequest request = step->as.launch.request;
        request.stream = stream;
        return device->ops->launch(device, step->as.launch.code, &request);
    }
    case STEP_COPY: {
        CopyRequest request = step->as.copy;
        request.stream = stream;
        return device->ops->copy(device, &request);
    }
    case STEP_ZERO:
        return device->ops->zero(device, step->as.zero.memory, step->as.zero.bytes, stream);
    case STEP_CALL:
        return cpu_stream_call(device, stream, step->as.call.function, step->as.call.data);
    }
    return KJIT_OK;
}

kjit_status cpu_graph_launch(Device *device, void *graph, void *stream)
{
    const Graph *steps = graph;

    for (const RecordedStep *step = steps->first; step; step = step->next)
        KJIT_TRY(do_step(device, step, stream));
    return KJIT_OK;
}

void cpu_graph_close(Device *device, void *graph)
{
    RecordedStep *next;

    (void)device;
    for (RecordedStep *step = ((Graph *)graph)->first; step; step = next) {
        next = step->next;
        memory_free(step);
    }
    memory_free(graph);
}
