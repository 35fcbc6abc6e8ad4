/* The pretended driver's beginnings: errors, devices and contexts. */
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Fake fake = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the process ---------------------------------------------------------------------- */

static int setting(const char *name, int otherwise)
{
    const char *text = getenv(name);

    return text ? atoi(text) : otherwise;
}

CuResult cu_init(unsigned flags)
{
    CuResult result = fake_begin(CALL_init);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    fake.device_count = setting("FAKE_CUDA_DEVICES", FAKE_DEVICES);
    for (int i = 0; i < FAKE_DEVICES; i++) {
        if (!fake.devices[i].context) {
            fake.devices[i].context = handle_new(KIND_CONTEXT, i, NULL, 0, NULL);
            fake.devices[i].capacity = (size_t)141 << 30;
        }
    }
    pthread_mutex_unlock(&fake.lock);
    atomic_store(&fake.started, true);
    return flags ? FAKE_INVALID_VALUE : fake.device_count ? CU_OK : FAKE_NO_DEVICE;
}

CuResult cu_driver_version(int *version)
{
    CuResult result = fake_begin(CALL_driver_version);

    *version = setting("FAKE_CUDA_VERSION", 13000);
    return result;
}

/* X(code, name, meaning) */
#define ERRORS(X)                                                                                  \
    X(0, "CUDA_SUCCESS", "no error")                                                               \
    X(1, "CUDA_ERROR_INVALID_VALUE", "invalid argument")                                           \
    X(2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory")                                              \
    X(3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error")                                     \
    X(100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected")                           \
    X(101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal")                                  \
    X(200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid")                           \
    X(201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context")                                 \
    X(400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle")                                 \
    X(500, "CUDA_ERROR_NOT_FOUND", "named symbol not found")                                       \
    X(600, "CUDA_ERROR_NOT_READY", "device not ready")                                             \
    X(700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered")               \
    X(701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch")        \
    X(709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed")                              \
    X(719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure")                               \
    X(720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch")     \
    X(800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted")                                  \
    X(801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported")                                  \
    X(704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled")             \
    X(900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not permitted when stream is capturing")      \
    X(999, "CUDA_ERROR_UNKNOWN", "unknown error")

CuResult cu_error_name(CuResult error, const char **name)
{
    switch (error) {
#define NAME(code, text, meaning)                                                                  \
    case code:                                                                                     \
        *name = text;                                                                              \
        return CU_OK;
        ERRORS(NAME)
    }
    *name = NULL;
    return FAKE_INVALID_VALUE;
}

CuResult cu_error_string(CuResult error, const char **text)
{
    switch (error) {
#define MEANING(code, name, meaning)                                                               \
    case code:                                                                                     \
        *text = meaning;                                                                           \
        return CU_OK;
        ERRORS(MEANING)
    }
    *text = NULL;
    return FAKE_INVALID_VALUE;
}

/* ---- devices -------------------------------------------------------------------------- */

static CuResult begin_device(Call call, CuDevice device)
{
    CuResult result = fake_begin(call);

    return result == CU_OK && (device < 0 || device >= fake.device_count)
               ? fake_misuse(FAKE_INVALID_DEVICE, "there is no device %d", device)
               : result;
}

CuResult cu_device_count_get(int *count)
{
    CuResult result = fake_begin(CALL_device_count_get);

    *count = result == CU_OK ? fake.device_count : 0;
    return result;
}

CuResult cu_device_get(CuDevice *device, int ordinal)
{
    *device = ordinal;
    return begin_device(CALL_device_get, ordinal);
}

CuResult cu_device_name(char *name, int size, CuDevice device)
{
    CuResult result = begin_device(CALL_device_name, device);

    if (result == CU_OK)
        snprintf(name, (size_t)size, "Pretended GPU %d", device);
    return result;
}

CuResult cu_device_bus(char *bus, int size, CuDevice device)
{
    CuResult result = begin_device(CALL_device_bus, device);

    if (result == CU_OK)
        snprintf(bus, (size_t)size, "0000:%02d:00.0", device);
    return result;
}

/* An H200's. */
CuResult cu_device_attribute(int *value, int attribute, CuDevice device)
{
    static const struct {
        int attribute, value;
    } known[] = {
        { 1, FAKE_THREADS }, { 2, 1024 },   { 3, 1024 },         { 4, 64 },
        { 5, INT32_MAX },    { 6, 65535 },  { 7, 65535 },        { 8, FAKE_STATIC_SHARED },
        { 10, 32 },          { 12, 65536 }, { 13, 1980000 },     { 16, FAKE_PROCESSORS },
        { 19, 1 },           { 31, 1 },     { 36, 3201000 },     { 37, 6144 },
        { 38, 62914560 },    { 39, 2048 },  { 40, 3 },           { 41, 1 },
        { 75, 9 },           { 76, 0 },     { 78, 1 },           { 81, 233472 },
        { 83, 1 },           { 95, 1 },     { 97, FAKE_SHARED }, { 106, 32 },
        { 115, 1 },
    };
    CuResult result = begin_device(CALL_device_attribute, device);

    if (result != CU_OK)
        return result;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
        if (known[i].attribute == attribute) {
            *value = known[i].value;
            return CU_OK;
        }
    }
    return fake_misuse(FAKE_INVALID_VALUE, "device attribute %d", attribute);
}

CuResult cu_device_memory(size_t *bytes, CuDevice device)
{
    CuResult result = begin_device(CALL_device_memory, device);

    if (result == CU_OK)
        *bytes = fake.devices[device].capacity;
    return result;
}

/* ---- contexts ------------------------------------------------------------------------- */

enum { DEPTH_MAX = 64 };

static _Thread_local FakeDevice *stack[DEPTH_MAX];
static _Thread_local int depth;

FakeDevice *fake_current(void)
{
    return depth ? stack[depth - 1] : NULL;
}

EXPORT int fake_cuda_depth(void)
{
    return depth;
}

static _Atomic bool keep_broken;

EXPORT void fake_cuda_keep_broken(bool on)
{
    atomic_store(&keep_broken, on);
    for (int i = 0; i < FAKE_DEVICES && !on; i++)
        atomic_store(&fake.devices[i].broken, 0);
}

CuResult cu_primary_retain(CuContext *context, CuDevice device)
{
    CuResult result = begin_device(CALL_primary_retain, device);

    if (result != CU_OK)
        return result;
    FakeDevice *of = &fake.devices[device];
    if (atomic_load(&of->broken) && atomic_load(&keep_broken))
        return atomic_load(&of->broken);
    pthread_mutex_lock(&fake.lock);
    of->retained++;
    atomic_store(&of->active, true);
    *context = (CuContext)(void *)of->context;
    pthread_mutex_unlock(&fake.lock);
    fake_note("retain %d", device);
    return CU_OK;
}

/* Ends all that a context has. The caller has both locks. */
static void end_context(int number)
{
    FakeDevice *device = &fake.devices[number];
    streams_end(number);
    int ended = memory_end(number); /* before the pools it is of */
    ended += handles_end(number);
    if (!atomic_load(&device->broken))
        fake.leaks += ended;
    atomic_store(&device->active, false);
    if (!atomic_load(&keep_broken))
        atomic_store(&device->broken, 0);
}

CuResult cu_primary_release(CuDevice device)
{
    CuResult result = begin_device(CALL_primary_release, device);
    FakeDevice *of = &fake.devices[device < 0 || device >= FAKE_DEVICES ? 0 : device];

    streams_lock();
    pthread_mutex_lock(&fake.lock);
    bool held = of->retained > 0;
    if (held && --of->retained == 0)
        end_context(device);
    pthread_mutex_unlock(&fake.lock);
    streams_unlock();
    fake_note("release %d", device);
    return held ? result : fake_misuse(FAKE_INVALID_CONTEXT, "released too often");
}

/* Takes everything along; who has retained the context may have it anew by retaining it again. */
CuResult cu_primary_reset(CuDevice device)
{
    CuResult result = begin_device(CALL_primary_reset, device);

    if (result != CU_OK)
        return result;
    streams_lock();
    pthread_mutex_lock(&fake.lock);
    int leaks = fake.leaks;
    end_context(device);
    fake.leaks = leaks;
    pthread_mutex_unlock(&fake.lock);
    streams_unlock();
    fake_note("reset %d", device);
    return CU_OK;
}

CuResult cu_context_current(CuContext *context)
{
    CuResult result = fake_begin(CALL_context_current);
    const FakeDevice *current = fake_current();

    if (result == CU_OK)
        *context = current ? (CuContext)(void *)current->context : NULL;
    return result;
}

CuResult cu_context_push(CuContext context)
{
    CuResult result = fake_begin(CALL_context_push);

    if (result != CU_OK)
        return result;
    for (int i = 0; i < FAKE_DEVICES; i++) {
        FakeDevice *device = &fake.devices[i];
        if ((void *)device->context == (void *)context && depth < DEPTH_MAX) {
            stack[depth++] = device;
            return CU_OK;
        }
    }
    return fake_misuse(FAKE_INVALID_CONTEXT, "no context is pushed, or too many");
}

CuResult cu_context_pop(CuContext *context)
{
    CuResult result = fake_begin(CALL_context_pop);

    if (!depth)
        return fake_misuse(FAKE_INVALID_CONTEXT, "nothing to pop");
    *context = (CuContext)(void *)stack[--depth]->context;
    return result;
}

CuResult cu_context_limit(size_t *value, int limit)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_context_limit, &device);

    if (result == CU_OK)
        *value = limit == CU_LIMIT_STACK ? 1024 : 0;
    return result;
}

CuResult cu_context_set_limit(int limit, size_t value)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_context_set_limit, &device);

    if (result == CU_OK)
        fake_note("limit %d %zu", limit, value);
    return result;
}
