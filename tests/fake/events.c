/* Events: points in the work of streams, and a clock that ticks when one is recorded. */
#include "tests/fake/work.h"

typedef struct Event {
    bool untimed, recorded;
    Point point;
    Handle *graph; /* it was recorded into */
    long time;
} Event;

static _Atomic long clock_ticks;

static CuResult enter_event(Call call, CuEvent handle, Event **event)
{
    FakeDevice *device;
    CuResult result = fake_enter(call, &device);

    *event = result == CU_OK ? handle_data(handle, KIND_EVENT, "the event") : NULL;
    return result == CU_OK && !*event ? FAKE_INVALID_HANDLE : result;
}

CuResult cu_event_create(CuEvent *event, unsigned flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_event_create, &device);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    Handle *handle =
        handle_new(KIND_EVENT, (int)(device - fake.devices), NULL, sizeof(Event), NULL);
    pthread_mutex_unlock(&fake.lock);
    if (!handle)
        return FAKE_NO_MEMORY;
    ((Event *)handle->data)->untimed = flags & CU_EVENT_UNTIMED;
    *event = (CuEvent)(void *)handle;
    return CU_OK;
}

CuResult cu_event_destroy(CuEvent handle)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_event_destroy, &device);

    if (!device)
        return result;
    if (!handle_data(handle, KIND_EVENT, "the event"))
        return FAKE_INVALID_HANDLE;
    pthread_mutex_lock(&fake.lock);
    handle_free((Handle *)(void *)handle);
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult cu_event_record(CuEvent handle, CuStream stream_handle)
{
    Event *event;
    CuResult result = enter_event(CALL_event_record, handle, &event);
    Stream *stream = result == CU_OK ? stream_of(stream_handle) : NULL;

    if (!stream)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    event->graph = atomic_load(&stream->graph);
    event->recorded = true;
    event->point = stream_point(stream);
    event->time = atomic_fetch_add(&clock_ticks, 1);
    return CU_OK;
}

/* A stream that waits for an event in a recording records from then on. */
CuResult cu_stream_wait(CuStream stream_handle, CuEvent handle, unsigned flags)
{
    Event *event;
    CuResult result = enter_event(CALL_stream_wait, handle, &event);
    Stream *stream = result == CU_OK ? stream_of(stream_handle) : NULL;

    if (!stream || flags)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (event->graph) {
        atomic_store(&stream->graph, event->graph);
        return CU_OK;
    }
    Work work = { .kind = WORK_WAIT, .point = event->point };
    return event->recorded ? work_submit(stream_handle, &work) : CU_OK;
}

CuResult cu_event_query(CuEvent handle)
{
    Event *event;
    CuResult result = enter_event(CALL_event_query, handle, &event);

    if (result != CU_OK || !event->recorded || point_passed(&event->point))
        return result;
    point_step(&event->point);
    return FAKE_NOT_READY;
}

CuResult cu_event_synchronize(CuEvent handle)
{
    Event *event;
    CuResult result = enter_event(CALL_event_synchronize, handle, &event);

    if (result == CU_OK && event->recorded)
        point_reach(&event->point);
    return result == CU_OK ? atomic_load(&fake_current()->broken) : result;
}

CuResult cu_event_elapsed(float *ms, CuEvent start, CuEvent end)
{
    Event *from, *to;
    CuResult result = enter_event(CALL_event_elapsed, start, &from);

    if (result != CU_OK)
        return result;
    to = handle_data(end, KIND_EVENT, "the event");
    if (!to || from->untimed || to->untimed || !from->recorded || !to->recorded)
        return FAKE_INVALID_HANDLE;
    if (!point_passed(&from->point) || !point_passed(&to->point))
        return FAKE_NOT_READY;
    *ms = (float)(to->time - from->time);
    return CU_OK;
}
