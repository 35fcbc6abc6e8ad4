/* What a device does for the rest of the runtime: one table of functions, for GPUs and for the
** processor.
**
** Memory, streams, events and graphs go by the device's own handles: CUDA's, or the processor's
** stand-ins. A stream NULL is the default one. Whatever takes a stream is in its order: on a GPU it
** may be done later than the call returns. */
#pragma once

#include "codegen/codegen.h"
#include "include/kjit_tools.h"
#include "runtime/cache.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Device Device;
typedef struct Code Code;

/* A kernel's text and what to make of it. */
typedef struct BuildRequest {
    const char *text, *entry, *call;
    const char *rounding; /* Emitted.rounding */
    size_t length;
    const char *linked; /* Emitted.linked */
    bool foreign;       /* what does not compile may be a text of the user's: Emitted.foreign */
    IrOptions options;
    uint64_t static_shared;
    bool cooperative;         /* all blocks must run at once */
    bool recursive;           /* how deep its stack grows is not known */
    const char *edited;       /* the file whose text it is, edited by hand; else NULL */
    const char *march;        /* for the processor: as -march of cc; NULL: the one at hand */
    bool ordered_sums;        /* of its sums none may be reordered, with fastmath either */
    bool quick;               /* it need not be the best code there is */
    const char *const *extra; /* options that the user gave for the compiler */
    int extra_count;
} BuildRequest;

typedef struct LaunchRequest {
    uint32_t grid[3], block[3];
    size_t shared_bytes;
    void *stream;
    void **params;      /* each points into `slots` */
    size_t param_count; /* of them */
    const uint64_t *slots;
    size_t slot_count;
    const struct CheckedKernel *checked; /* of a checked kernel; else NULL */
    /* For observers: the kernel's call, and how many blocks the program has asked for. */
    const char *call;
    uint64_t asked_blocks;
    const int64_t *part; /* of a kernel for a part of a grid: the part; else NULL */
    bool one_by_one;     /* a processor: its blocks one after the other */
    /* On a GPU: memory of so many bytes, all zero, for each of the last parameters while the kernel
    ** runs; the elements that are rounded after it. */
    const uint64_t *sums;
    int sum_count;
    uint64_t rounded;
} LaunchRequest;

typedef struct DeviceLimits {
    uint32_t grid[3], block[3], threads;
    size_t static_shared, shared; /* bytes a block may have fixed; and in all */
    int workers;                  /* a processor: blocks that run at a time */
    uint32_t multiprocessors;     /* a GPU */
} DeviceLimits;

/* Rows of bytes from one place to another. */
typedef struct CopyRequest {
    void *to;
    const void *from;
    bool to_host, from_host; /* plain memory of the process, which the caller may change at once */
    size_t width, height;    /* bytes of a row; rows, all of `width` bytes if it is 1 */
    size_t to_pitch, from_pitch;
    void *stream;
    bool unwritten; /* what is copied has not been written, which the checker is to know */
} CopyRequest;

/* Memory that was handed out. */
typedef struct Block {
    void *memory;
    size_t bytes;
    uint32_t tag; /* of arrays there, or 0 */
    kjit_memory kind;
    bool ordered; /* in the order of streams */
    bool pooled;  /* the device's own note: whether it came from a pool */
} Block;

/* What a GPU says of machine code. */
typedef struct CodeFacts {
    int registers, most_threads, resident_blocks, resident_threads, multiprocessors;
    size_t shared, local, constant;
    int64_t spill_stores, spill_loads; /* -1: not known */
} CodeFacts;

/* An array whose rows lie one behind the other, and the box: 128 bytes along its last axis, `rows`
** along another one. */
typedef struct MapRequest {
    void *memory; /* the device's */
    const int64_t *shape;
    int rank, along, rows; /* axes of the array; the axis of the rows; how many */
    size_t size;           /* of an element: 2 or 4 bytes */
} MapRequest;

typedef struct DeviceOps {
    Dialect dialect;
    bool host_memory; /* kernels work on the host's own memory */
    void (*close)(Device *device);
    /* Brings a broken device back, with its code. */
    kjit_status (*reset)(Device *device);

    /* Makes a kernel ready, from the disk cache if that has it. */
    kjit_status (*build)(Device *device, const BuildRequest *request, Code **code);
    /* The same of machine code, or of PTX that ends in a NUL; it is copied if kept. */
    kjit_status (*load)(Device *device, const void *image, size_t length,
                        const BuildRequest *request, Code **code);
    void (*unload)(Device *device, Code *code);
    /* The most threads a block of this kernel may have. */
    int (*most_threads)(const Code *code);
    /* The number of threads a block that suits it best. */
    kjit_status (*best_block)(Device *device, Code *code, size_t shared, int *best);
    /* The facts, `resident_` ones for blocks of so many threads and bytes of dynamic shared
    ** memory. */
    kjit_status (*code_facts)(Device *device, Code *code, uint64_t threads, size_t shared,
                              CodeFacts *facts);
    kjit_status (*launch)(Device *device, Code *code, const LaunchRequest *request);
    /* Writes MAP_BYTES that tell a kernel how it finds boxes of an array. NULL: kernels of this
    ** device go by the array itself, as on the processor. */
    kjit_status (*map)(Device *device, const MapRequest *request, void *map);

    /* Memory of `bytes` of the kind and order that `block` says; sets the rest of it. */
    kjit_status (*alloc)(Device *device, Block *block, void *stream);
    /* Gives it back: if it is ordered behind the work of `stream`, else when no work is left. The
    ** block keeps its memory if not even that could be tried. */
    kjit_status (*release)(Device *device, Block *block, void *stream);
    /* Whether memory that an array says is on a device is a GPU's, or plain memory that the
    ** processor's context gave out. */
    bool (*on_gpu)(Device *device, const void *memory);
    kjit_status (*copy)(Device *device, const CopyRequest *request);
    kjit_status (*zero)(Device *device, void *memory, size_t bytes, void *stream);
    /* Of GPUs alone. Lets two of a process reach one another's memory, if they can. */
    void (*befriend)(Device *device, Device *other);
    /* Copies from the memory of another one to its own, in the order of one of its streams. */
    kjit_status (*copy_from)(Device *device, void *to, Device *other, const void *from,
                             size_t bytes, void *stream);
    /* Between them the device is the thread's current one, for other libraries. */
    kjit_status (*enter)(Device *device, void **before);
    void (*leave)(Device *device, void *before);
    kjit_status (*pin)(Device *device, void *memory, size_t bytes);
    kjit_status (*unpin)(Device *device, void *memory);
    kjit_status (*memory_info)(Device *device, kjit_memory_info *info);
    kjit_status (*trim)(Device *device, uint64_t keep);
    /* What kjit_device_facts() gives, beyond the limits and the memory; all of it is -1 before. */
    void (*facts)(Device *device, kjit_device_info *info);
    /* The same for kjit_device_sensors(); texts are empty before. */
    void (*sensors)(Device *device, kjit_sensors *sensors);

    kjit_status (*synchronize)(Device *device);
    kjit_status (*stream_new)(Device *device, bool independent, int priority, void **stream);
    void (*stream_close)(Device *device, void *stream);
    kjit_status (*stream_synchronize)(Device *device, void *stream);
    kjit_status (*stream_query)(Device *device, void *stream, bool *done);
    /* Whether work on it is recorded into a graph, by whomever that was begun. Not NULL. */
    kjit_status (*stream_records)(Device *device, void *stream, bool *records);
    kjit_status (*stream_wait)(Device *device, void *stream, void *event);
    kjit_status (*stream_call)(Device *device, void *stream, void (*function)(void *), void *data);
    kjit_status (*event_new)(Device *device, bool timed, void **event);
    void (*event_close)(Device *device, void *event);
    kjit_status (*event_record)(Device *device, void *event, void *stream);
    kjit_status (*event_synchronize)(Device *device, void *event);
    kjit_status (*event_query)(Device *device, void *event, bool *done);
    kjit_status (*event_elapsed)(Device *device, void *from, void *to, double *ms);
    kjit_status (*capture_begin)(Device *device, void *stream);
    kjit_status (*capture_end)(Device *device, void *stream, void **graph);
    kjit_status (*graph_launch)(Device *device, void *graph, void *stream);
    void (*graph_close)(Device *device, void *graph);
} DeviceOps;

struct Device {
    const DeviceOps *ops;
    Cache *cache;
    DeviceLimits limits;
    char name[32], model[256];
    char arch[16];             /* "sm_90", "" on the processor */
    _Atomic unsigned lifetime; /* counts resets: handles of earlier ones are lost */
    struct Findings *findings; /* of the checker; else NULL */
    struct Watch *watch;       /* observes what it does, or NULL */
};

/* Whether it is a GPU, with CUDA's streams and pointers. */
static inline bool device_is_gpu(const Device *device)
{
    return device->ops->dialect == DIALECT_CUDA;
}

/* The processor's own name for itself. */
void processor_model(char *model, size_t size);
kjit_status device_cpu_open(Cache *cache, Device **device);
/* `behind`: it is started by a thread of its own, for which the first use waits. */
kjit_status device_cuda_open(Cache *cache, int ordinal, bool behind, Device **device);
kjit_status device_check_open(Cache *cache, Device **device);

/* ---- cpu/device.c: what the checker's device shares with the processor's --------------------- */

extern const DeviceOps cpu_ops;
/* The entry that a build gave. */
void *cpu_entry(const Code *code);

/* ---- cpu/facts.c ------------------------------------------------------------------------ */

/* How many threads of the processor blocks run on: what OMP_NUM_THREADS says, else those that the
** process may use. */
int cpu_threads(void);
void cpu_facts(Device *device, kjit_device_info *info);
void cpu_sensors(Device *device, kjit_sensors *sensors);

/* ---- cpu/stream.c: the processor's streams, events and graphs ------------------------------- */

/* As in DeviceOps, whose names these are behind `cpu_`. */
kjit_status cpu_stream_new(Device *device, bool independent, int priority, void **stream);
void cpu_stream_close(Device *device, void *stream);
kjit_status cpu_stream_synchronize(Device *device, void *stream);
kjit_status cpu_stream_query(Device *device, void *stream, bool *done);
kjit_status cpu_stream_records(Device *device, void *stream, bool *records);
kjit_status cpu_stream_wait(Device *device, void *stream, void *event);
kjit_status cpu_stream_call(Device *device, void *stream, void (*function)(void *), void *data);
kjit_status cpu_event_new(Device *device, bool timed, void **event);
void cpu_event_close(Device *device, void *event);
kjit_status cpu_event_record(Device *device, void *event, void *stream);
kjit_status cpu_event_synchronize(Device *device, void *event);
kjit_status cpu_event_query(Device *device, void *event, bool *done);
kjit_status cpu_event_elapsed(Device *device, void *from, void *to, double *ms);
kjit_status cpu_capture_begin(Device *device, void *stream);
kjit_status cpu_capture_end(Device *device, void *stream, void **graph);
kjit_status cpu_graph_launch(Device *device, void *graph, void *stream);
void cpu_graph_close(Device *device, void *graph);
/* If the stream records, notes the work instead of having it done; `*recorded` says which. */
kjit_status cpu_record_launch(void *stream, Code *code, const LaunchRequest *request,
                              bool *recorded);
kjit_status cpu_record_copy(void *stream, const CopyRequest *request, bool *recorded);
kjit_status cpu_record_zero(void *stream, void *memory, size_t bytes, bool *recorded);

/* ---- array/blocks.c ------------------------------------------------------------------- */

/* The memory that a context has handed out, found by its address. Any thread. */
typedef struct Blocks {
    pthread_mutex_t lock;
    Block *slots; /* a hash table; empty where memory is NULL */
    size_t count, capacity;
    uint64_t bytes;
} Blocks;

/* An empty table. */
void blocks_init(Blocks *blocks);
/* Frees the table, not what it lists. */
void blocks_free(Blocks *blocks);
/* False without memory. */
bool blocks_add(Blocks *blocks, const Block *block);
/* Takes the block that begins at an address out; false if there is none. */
bool blocks_take(Blocks *blocks, const void *memory, Block *block);
/* The block that an address lies in; false if there is none. Looks at all of them. */
bool blocks_find(Blocks *blocks, const void *inside, Block *block);
/* Takes any block out; false if none is left. */
bool blocks_take_any(Blocks *blocks, Block *block);

/* ---- counters.c ------------------------------------------------------------------------- */

enum { COUNTER_OWNERS = 64 };

typedef enum Counter {
    COUNT_LAUNCHES,
    COUNT_GRAPH_LAUNCHES,
    COUNT_COMPILATIONS,
    COUNT_DISK_HITS,
    COUNT_MEMORY_HITS,
    COUNT_BYTES_IN,
    COUNT_BYTES_OUT,
    COUNT_CAPTURES,
    COUNT_CAPTURE_FAILURES,
    COUNTERS
} Counter;

/* What a context did. Threads count apart, so that they do not wait for one another. */
typedef struct Counters {
    struct CounterShard {
        atomic_uint_least64_t at[16]; /* two cache lines */
    } shards[COUNTER_OWNERS + 1];     /* the last is shared */
} Counters;

/* The calling thread's place among COUNTER_OWNERS, its own until it ends; COUNTER_OWNERS if none is
** left. */
int counters_place(void);
void counters_add(Counters *counters, Counter which, uint64_t amount);

/* ---- forks.c -------------------------------------------------------------------------- */

/* Starts counting forks of this process. */
void forks_watch(void);
/* How many forks lie between the process that first watched and this one. */
unsigned forks_seen(void);
/* Before a lock is taken that a thread may have held, or a condition waited for that it was to
** bring about, when another one forked: in the child, renew(what) is called once. `*seen` is what
** forks_seen() was when `what` was made. */
void forks_renew(atomic_uint *seen, void renew(void *what), void *what);
/* A lock that is held for a moment, in which no thread forks: no child finds it taken, nor what it
** guards half done. */
void forks_lock(pthread_mutex_t *lock);
void forks_unlock(pthread_mutex_t *lock);
