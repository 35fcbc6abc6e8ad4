/* What the files of the CUDA device share.
**
** The device's primary context is used, so that other CUDA code of the process shares the memory.
** Every entry makes it current for its own duration, and only if it is not already. */
#ifndef KJIT_CUDA_H
#define KJIT_CUDA_H

#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvrtc.h"

/* COPIERS: threads that copy at once */
enum { LANES = 8, COPIERS = 4, LANE_CHUNKS = 2 * COPIERS };

/* Page-locked memory that copies pass through, a chunk at a time (staging.c). */
typedef struct Lane {
    char *memory;
    CuEvent passed[LANE_CHUNKS]; /* the device is done with the chunk */
    bool used[LANE_CHUNKS];      /* since somebody waited for it */
} Lane;

typedef struct CudaDevice {
    Device base;
    const Driver *driver;
    CuDevice handle;
    int ordinal;
    atomic_bool starting; /* by `starter`, which is to be joined before what it sets is read */
    pthread_mutex_t joining;
    pthread_t starter;
    CuResult started;
    CuContext context; /* NULL: it did not start */
    bool has_pools;
    CuPool pool;     /* NULL where there are none */
    unsigned forks;  /* seen when it was opened */
    unsigned resets; /* of the primary context, by whomever, when it was retained */
    /* Waiting for the device begins a new round; what was launched in the one that is `passed`, or
    ** before it, has run well. Who waits for the default stream knows of what was launched on it,
    ** and no more: `default_passed`. */
    _Atomic uint64_t round, passed, default_passed;
    _Atomic uint64_t graph_launched; /* the round of a graph's last launch */
    atomic_bool broken;              /* then `cause` says why */
    pthread_mutex_t lock;            /* of all that follows */
    char cause[768];
    Code *codes;
    Lane lanes[LANES];
    int lane_count, free_count;
    Lane *free_lanes[LANES];
    atomic_bool copied; /* something large, once */
} CudaDevice;

struct Code {
    Code *next, **link; /* in the device's list */
    CuModule module;
    CuFunction function, rounding; /* NULL: there is none to launch behind it */
    int most_threads;
    bool cooperative; /* all blocks must run at once */
    pthread_mutex_t lock;
    _Atomic size_t dynamic_shared; /* what the function has been allowed so far */
    /* The rounds of the last launches on the default stream and on others, 0 if there was none. */
    _Atomic uint64_t launched, launched_apart;
    char *call;
    BuildRequest request; /* without texts: what loading it needs */
    char *entry, *rounding_entry, *image;
    size_t image_length;
    Spills spills;
};

static inline CudaDevice *cuda(Device *device)
{
    return (CudaDevice *)device;
}

/* ---- facts.c -------------------------------------------------------------------------- */

void cuda_facts(Device *base, kjit_device_info *info);
void cuda_sensors(Device *base, kjit_sensors *sensors);

/* ---- device.c ------------------------------------------------------------------------- */

/* Turns a driver call's result into a status, with a message that names the call. What breaks the
** context is kept as the first cause. */
kjit_status cuda_check(CudaDevice *device, CuResult result, const char *call);
/* Makes the context current; `*pushed` says whether cuda_leave() has to undo it. Fails where the
** device can no longer be used. */
kjit_status cuda_enter(CudaDevice *device, bool *pushed);
void cuda_leave(CudaDevice *device, bool pushed);
/* Called before the device is waited for; and when that went well, with what it gave: all that was
** launched before has run well. */
uint64_t cuda_begin_wait(CudaDevice *device);
void cuda_end_wait(CudaDevice *device, uint64_t round, bool default_only);
int cuda_attribute(const CudaDevice *device, int number);
kjit_status cuda_synchronize(Device *base);

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

kjit_status cuda_launch(Device *base, Code *code, const LaunchRequest *request);

/* ---- memory.c ------------------------------------------------------------------------- */

/* Makes the pool, where there are pools. */
void cuda_open_pool(CudaDevice *device);
kjit_status cuda_alloc(Device *base, Block *block, void *stream);
kjit_status cuda_release(Device *base, Block *block, void *stream);
bool cuda_on_gpu(Device *base, const void *memory);
kjit_status cuda_copy(Device *base, const CopyRequest *request);
kjit_status cuda_zero(Device *base, void *memory, size_t bytes, void *stream);
kjit_status cuda_pin(Device *base, void *memory, size_t bytes);
kjit_status cuda_unpin(Device *base, void *memory);
kjit_status cuda_memory_info(Device *base, kjit_memory_info *info);
kjit_status cuda_trim(Device *base, uint64_t keep);

/* ---- staging.c ------------------------------------------------------------------------ */

/* Whether a copy would gain from passing through page-locked memory. The context is current. */
bool cuda_wants_staging(CudaDevice *device, const CopyRequest *request);
/* Copies from or to plain host memory, chunk by chunk. Returns when the host memory is free to be
** used again. */
kjit_status cuda_copy_staged(CudaDevice *device, const CopyRequest *request);
/* Gives the page-locked memory back. */
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

#endif
