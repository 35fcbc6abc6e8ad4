/* What the files of the CUDA device share.
**
** The device's primary context is used, so that other CUDA code of the process shares the memory.
** Every entry makes it current for its own duration, and only if it is not already. */
#pragma once

#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvrtc.h"

/* COPIERS: threads that copy in parallel */
enum { LANES = 8, COPIERS = 4, LANE_CHUNKS = 2 * COPIERS };

/* A ring of page-locked chunks that copies pass through (staging.c). */
typedef struct StagingLane {
    char *memory;
    CuEvent passed[LANE_CHUNKS]; /* recorded after the device's use of the chunk */
    bool used[LANE_CHUNKS];      /* the event is to be waited for */
} StagingLane;

typedef struct CudaDevice {
    Device base;
    const Driver *driver;
    CuDevice handle;
    int ordinal;
    atomic_bool starting; /* by the thread `starter`, which must be joined before its results are
                             read */
    pthread_mutex_t joining;
    pthread_t starter;
    CuResult started;
    CuContext context; /* NULL: starting failed */
    bool has_pools;
    CuPool pool;     /* NULL without pools */
    unsigned forks;  /* forks_seen() when it was opened */
    unsigned resets; /* number of resets of the primary context, by any code, when it was
                        retained */
    /* Each wait for the device begins a new round; launches up to round `passed` have completed
    ** without errors. A wait for the default stream alone covers launches on that stream:
    ** `default_passed`. */
    _Atomic uint64_t round, passed, default_passed;
    _Atomic uint64_t graph_launched; /* the round of a graph's last launch */
    atomic_bool broken;              /* see `cause` */
    pthread_mutex_t lock;            /* of all fields below */
    char cause[768];
    Code *codes;
    StagingLane lanes[LANES];
    int lane_count, free_count;
    StagingLane *free_lanes[LANES];
    atomic_bool copied; /* a large copy was made before */
} CudaDevice;

struct Code {
    Code *next, **link; /* links of the device's list */
    CuModule module;
    CuFunction function, rounding; /* `rounding` is launched after it, unless NULL */
    int most_threads;
    bool cooperative; /* cooperative launch: all blocks must be resident */
    pthread_mutex_t lock;
    _Atomic size_t dynamic_shared; /* the function's limit so far */
    /* The rounds of the last launches on the default stream and on other streams; 0: none. */
    _Atomic uint64_t launched, launched_apart;
    char *call;
    BuildRequest request; /* for loading it, without texts */
    char *entry, *rounding_entry, *image;
    size_t image_length;
    Spills spills;
};

static inline CudaDevice *cuda(Device *device)
{
    return (CudaDevice *)device;
}

/* A pointer as the driver has it. */
static inline CuPointer cuda_address(const void *memory)
{
    return (CuPointer)(uintptr_t)memory;
}

/* ---- facts.c -------------------------------------------------------------------------- */

/* As in DeviceOps, like all functions below whose names are those there behind `cuda_`. */
void cuda_facts(Device *base, kjit_device_info *info);
void cuda_sensors(Device *base, kjit_sensors *sensors);

/* ---- device.c ------------------------------------------------------------------------- */

/* Converts a driver call's result to a status, with a message that names the call. The first error
** that breaks the context is recorded as its cause. */
kjit_status cuda_check(CudaDevice *device, CuResult result, const char *call);
/* Makes the context current; `*pushed`: cuda_leave() must undo it. Fails if the device is no longer
** usable. */
kjit_status cuda_enter(CudaDevice *device, bool *pushed);
void cuda_leave(CudaDevice *device, bool pushed);
/* Sets `result` to what one of the driver's functions gives where the context is current; what
** stands around it returns if the device is no longer usable. */
#define CUDA_CALL(device, result, function, ...)                                                   \
    do {                                                                                           \
        bool pushed;                                                                               \
        KJIT_TRY(cuda_enter(device, &pushed));                                                     \
        (result) = (device)->driver->function(__VA_ARGS__);                                        \
        cuda_leave(device, pushed);                                                                \
    } while (0)
/* All that a function of Device's does, where that is one call. */
#define CUDA_ONLY(base, what, function, ...)                                                       \
    CudaDevice *device = cuda(base);                                                               \
    CuResult result;                                                                               \
    CUDA_CALL(device, result, function, __VA_ARGS__);                                              \
    return cuda_check(device, result, what)
/* Between these the thread may do what a recording of other code's forbids all threads, and what
** would end it: loading, allocating, asking for events. None of it is recorded. */
int cuda_begin_apart(const CudaDevice *device);
void cuda_end_apart(const CudaDevice *device, int mode);
/* Called before a wait for the device; and, with its result, after a successful one: all launches
** before it have completed. */
uint64_t cuda_begin_wait(CudaDevice *device);
void cuda_end_wait(CudaDevice *device, uint64_t round, bool default_only);
int cuda_attribute(const CudaDevice *device, int number);

/* ---- code.c --------------------------------------------------------------------------- */

kjit_status cuda_build(Device *base, const BuildRequest *request, Code **code);
kjit_status cuda_load(Device *base, const void *image, size_t length, const BuildRequest *request,
                      Code **code);
void cuda_unload(Device *base, Code *code);
/* Loads all code again, after a reset. */
kjit_status cuda_reload(CudaDevice *device);
int cuda_most_threads(const Code *code);
kjit_status cuda_best_block(Device *base, Code *code, size_t shared, int *best);
kjit_status cuda_code_facts(Device *base, Code *code, uint64_t threads, size_t shared,
                            CodeFacts *facts);

/* ---- launch.c ------------------------------------------------------------------------- */

kjit_status cuda_map(Device *base, const MapRequest *request, void *map);
kjit_status cuda_launch(Device *base, Code *code, const LaunchRequest *request);

/* ---- memory.c ------------------------------------------------------------------------- */

/* Creates the pool, if the device supports pools. */
void cuda_open_pool(CudaDevice *device);
kjit_status cuda_alloc(Device *base, Block *block, void *stream);
kjit_status cuda_release(Device *base, Block *block, void *stream);
bool cuda_on_gpu(Device *base, const void *memory);
kjit_status cuda_copy(Device *base, const CopyRequest *request);
/* A copy of height 1, by the driver. The context is current. */
CuResult cuda_copy_line(const Driver *driver, const CopyRequest *request);
kjit_status cuda_zero(Device *base, void *memory, size_t bytes, void *stream);
kjit_status cuda_pin(Device *base, void *memory, size_t bytes);
kjit_status cuda_unpin(Device *base, void *memory);
kjit_status cuda_memory_info(Device *base, kjit_memory_info *info);
kjit_status cuda_trim(Device *base, uint64_t keep);

/* ---- peer.c --------------------------------------------------------------------------- */

void cuda_befriend(Device *one, Device *other);
kjit_status cuda_copy_from(Device *base, void *to, Device *other, const void *from, size_t bytes,
                           void *stream);
kjit_status cuda_enter_device(Device *base, void **current);
void cuda_leave_device(Device *base, void *current);

/* ---- staging.c ------------------------------------------------------------------------ */

/* Whether a copy is faster through page-locked memory. The context is current. */
bool cuda_wants_staging(CudaDevice *device, const CopyRequest *request);
/* Copies from or to pageable host memory in chunks. Returns when the host memory may be reused. */
kjit_status cuda_copy_staged(CudaDevice *device, const CopyRequest *request);
/* Frees the page-locked memory. */
void cuda_close_staging(CudaDevice *device);

/* ---- stream.c ------------------------------------------------------------------------- */

kjit_status cuda_stream_new(Device *base, bool independent, int priority, void **stream);
void cuda_stream_close(Device *base, void *stream);
kjit_status cuda_stream_synchronize(Device *base, void *stream);
kjit_status cuda_stream_query(Device *base, void *stream, bool *done);
kjit_status cuda_stream_records(Device *base, void *stream, bool *records);
kjit_status cuda_stream_wait(Device *base, void *stream, void *event);
kjit_status cuda_stream_call(Device *base, void *stream, void (*function)(void *), void *data);
kjit_status cuda_event_new(Device *base, bool timed, void **event);
void cuda_event_close(Device *base, void *event);
kjit_status cuda_event_record(Device *base, void *event, void *stream);
kjit_status cuda_event_synchronize(Device *base, void *event);
kjit_status cuda_event_query(Device *base, void *event, bool *done);
kjit_status cuda_event_elapsed(Device *base, void *from, void *to, double *ms);
kjit_status cuda_capture_begin(Device *base, void *stream);
kjit_status cuda_capture_end(Device *base, void *stream, void **graph);
kjit_status cuda_graph_launch(Device *base, void *graph, void *stream);
void cuda_graph_close(Device *base, void *graph);
