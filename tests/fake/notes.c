/* What was called, what happened, what was done wrong, and what is to fail. */
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 1 << 20 };

static const char *const symbols[CALLS] = {
#define DRIVER(name, symbol, params) symbol,
#include "runtime/cuda/cuda_api.def"
};

static _Atomic long calls[CALLS];
static _Atomic bool armed; /* whether a call is to fail */
static struct Plan {
    int call; /* -1: any */
    long left;
    int code;
} plan;
static char failed[64], misuse[256];
static int misuses;
static char events[EVENTS_MAX], told[EVENTS_MAX];
static size_t events_used;
static FILE *events_file;

/* The length of a symbol without its version. */
static size_t bare_length(const char *symbol)
{
    const char *version = strstr(symbol, "_v");

    return version ? (size_t)(version - symbol) : strlen(symbol);
}

/* The call of a name; CALLS if there is none. */
static int call_named(const char *name)
{
    int call = 0;

    while (call < CALLS && (strlen(name) != bare_length(symbols[call]) ||
                            strncmp(name, symbols[call], strlen(name)) != 0))
        call++;
    return call;
}

/* ---- failing -------------------------------------------------------------------------- */

bool fake_fatal(int code)
{
    return code == 700 || code == 702 || (code >= 714 && code <= 719) || code == 709 || code == 710;
}

static void demand(int call, long n, int code)
{
    pthread_mutex_lock(&fake.lock);
    plan = (struct Plan){ call, n, code };
    failed[0] = '\0';
    atomic_store(&armed, n > 0);
    pthread_mutex_unlock(&fake.lock);
}

EXPORT void fake_cuda_fail(long n, int code)
{
    demand(-1, n, code);
}

EXPORT void fake_cuda_fail_at(const char *call, long n, int code)
{
    demand(call_named(call), n, code);
}

EXPORT const char *fake_cuda_failed(void)
{
    return failed;
}

/* Whether it is this call's turn. */
static CuResult planned(Call call)
{
    CuResult result = CU_OK;

    pthread_mutex_lock(&fake.lock);
    if (plan.left > 0 && (plan.call < 0 || plan.call == (int)call) && --plan.left == 0) {
        FakeDevice *device = fake_current();
        result = plan.code;
        snprintf(failed, sizeof failed, "%.*s", (int)bare_length(symbols[call]), symbols[call]);
        if (device && fake_fatal(result))
            atomic_store(&device->broken, result);
        atomic_store(&armed, false);
    }
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult fake_begin(Call call)
{
    atomic_fetch_add_explicit(&calls[call], 1, memory_order_relaxed);
    CuResult result =
        atomic_load_explicit(&armed, memory_order_relaxed) ? planned(call) : (CuResult)CU_OK;
    if (fake_in_callback)
        return fake_misuse(FAKE_NOT_PERMITTED, "%s in a callback", symbols[call]);
    if (result == CU_OK && !atomic_load_explicit(&fake.started, memory_order_relaxed) &&
        call != CALL_init && call != CALL_driver_version)
        return fake_misuse(FAKE_NOT_INITIALIZED, "%s before cuInit", symbols[call]);
    return result;
}

/* What other code records in the mode that is the usual one: threads that are in that mode too, as
** all are that have chosen none, end it by what might wait for it. */
static _Atomic bool recorded_elsewhere;
static _Thread_local int mode;

EXPORT void fake_cuda_recorded_elsewhere(bool on)
{
    atomic_store(&recorded_elsewhere, on);
}

CuResult cu_capture_mode(int *exchanged)
{
    CuResult result = fake_begin(CALL_capture_mode);
    int was = mode;

    if (*exchanged < 0 || *exchanged > CU_CAPTURE_RELAXED)
        return fake_misuse(FAKE_INVALID_VALUE, "mode %d of recording", *exchanged);
    mode = *exchanged;
    *exchanged = was;
    return result;
}

static bool ends_recordings(Call call)
{
    return call == CALL_module_load || call == CALL_mem_alloc || call == CALL_mem_alloc_managed ||
           call == CALL_host_alloc || call == CALL_event_query;
}

CuResult fake_enter(Call call, FakeDevice **device)
{
    CuResult result = fake_begin(call);

    *device = fake_current();
    if (!*device)
        return fake_misuse(FAKE_INVALID_CONTEXT, "%s without a context", symbols[call]);
    if (!atomic_load_explicit(&(*device)->active, memory_order_relaxed))
        return fake_misuse(FAKE_CONTEXT_DESTROYED, "%s on a context that is gone", symbols[call]);
    if (ends_recordings(call) && mode != CU_CAPTURE_RELAXED && atomic_load(&recorded_elsewhere))
        return fake_misuse(FAKE_NO_CAPTURE, "%s ends what others record", symbols[call]);
    if (result == CU_OK)
        result = atomic_load_explicit(&(*device)->broken, memory_order_relaxed);
    return result;
}

EXPORT void fake_cuda_break(int code)
{
    FakeDevice *device = fake_current();

    if (device)
        atomic_store(&device->broken, code);
}

/* ---- noting --------------------------------------------------------------------------- */

CuResult fake_misuse(CuResult result, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pthread_mutex_lock(&fake.lock);
    vsnprintf(misuse, sizeof misuse, format, args);
    misuses++;
    pthread_mutex_unlock(&fake.lock);
    va_end(args);
    return result;
}

/* Appends a line to what is told later. The caller has the lock. */
static void keep_line(const char *line)
{
    size_t length = strlen(line);

    if (events_used + length + 2 < sizeof events) {
        memcpy(events + events_used, line, length);
        memcpy(events + events_used + length, "\n", 2);
        events_used += length + 1;
    }
    if (events_file) {
        fprintf(events_file, "%s\n", line);
        fflush(events_file);
    }
}

void fake_note(const char *format, ...)
{
    char line[256];
    va_list args;

    if (!atomic_load_explicit(&fake.recording, memory_order_relaxed))
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    pthread_mutex_lock(&fake.lock);
    keep_line(line);
    pthread_mutex_unlock(&fake.lock);
}

EXPORT void fake_cuda_record(bool on)
{
    atomic_store(&fake.recording, on);
}

EXPORT const char *fake_cuda_events(void)
{
    pthread_mutex_lock(&fake.lock);
    memcpy(told, events, events_used);
    told[events_used] = '\0';
    events_used = 0;
    pthread_mutex_unlock(&fake.lock);
    return told;
}

/* ---- telling -------------------------------------------------------------------------- */

EXPORT long fake_cuda_calls(const char *name)
{
    long sum = 0;
    int wanted = name ? call_named(name) : CALLS;

    for (int call = 0; call < CALLS; call++) {
        if (!name || call == wanted)
            sum += atomic_load(&calls[call]);
    }
    return sum;
}

EXPORT int fake_cuda_leaks(void)
{
    pthread_mutex_lock(&fake.lock);
    int count = fake.leaks + handles_count() + memory_count();
    for (int i = 0; i < FAKE_DEVICES; i++)
        count += fake.devices[i].retained;
    pthread_mutex_unlock(&fake.lock);
    return count;
}

EXPORT int fake_cuda_misuses(void)
{
    pthread_mutex_lock(&fake.lock);
    int count = misuses;
    pthread_mutex_unlock(&fake.lock);
    return count;
}

EXPORT const char *fake_cuda_misuse(void)
{
    return misuse;
}

EXPORT size_t fake_cuda_bytes(int device)
{
    pthread_mutex_lock(&fake.lock);
    size_t bytes = fake.devices[device].used;
    pthread_mutex_unlock(&fake.lock);
    return bytes;
}

EXPORT void fake_cuda_capacity(int device, size_t bytes)
{
    pthread_mutex_lock(&fake.lock);
    fake.devices[device].capacity = bytes;
    pthread_mutex_unlock(&fake.lock);
}

EXPORT void fake_cuda_forget(void)
{
    demand(-1, 0, 0);
    for (int call = 0; call < CALLS; call++)
        atomic_store(&calls[call], 0);
    streams_lock();
    pthread_mutex_lock(&fake.lock);
    for (int i = 0; i < FAKE_DEVICES; i++) {
        fake.devices[i].retained = 0;
        streams_end(i);
        memory_end(i);
        handles_end(i);
        atomic_store(&fake.devices[i].broken, 0);
    }
    misuses = fake.leaks = 0;
    misuse[0] = '\0';
    events_used = 0;
    pthread_mutex_unlock(&fake.lock);
    streams_unlock();
}

/* What the environment demands of a whole process. */
__attribute__((constructor)) static void read_environment(void)
{
    const char *fail = getenv("FAKE_CUDA_FAIL"), *path = getenv("FAKE_CUDA_EVENTS");
    char name[64] = "";
    long n;
    int code;

    if (fail && sscanf(fail, "%ld:%d", &n, &code) == 2)
        fake_cuda_fail(n, code);
    else if (fail && sscanf(fail, "%63[A-Za-z0-9]:%ld:%d", name, &n, &code) == 3)
        fake_cuda_fail_at(name, n, code);
    if (path) {
        events_file = fopen(path, "a");
        fake_cuda_record(events_file != NULL);
    }
}
