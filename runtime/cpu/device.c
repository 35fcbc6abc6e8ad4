/* The processor as a device: C code compiled by the system's compiler and loaded as a shared
** object. */
#include "runtime/cpu/cc.h"
#include "runtime/cpu/queue.h"
#include "runtime/cpu/running.h"
#include "runtime/crew.h"
#include "runtime/cuda/driver.h"
#include "runtime/array/array.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

typedef int HostEntry(void *const *params, const KjitHostLaunch *launch);

/* What a Code is on the processor; on a GPU it is something else. */
typedef struct CpuCode {
    void *library;
    HostEntry *entry;
} CpuCode;

static const CpuCode *host_code(const Code *code)
{
    return (const CpuCode *)code;
}

void *cpu_entry(const Code *code)
{
    void *entry;

    memcpy(&entry, &host_code(code)->entry, sizeof entry);
    return entry;
}

typedef struct CpuDevice {
    Device base;
    CC cc;
} CpuDevice;

enum {
    ENTRY_NO_MEMORY = 1,
    ENTRY_DEADLOCK = 2,
    ENTRY_GRID_DEADLOCK = 3,
    ENTRY_NOT_NAMED = 4,
    ENTRY_LOOP_DEADLOCK = 5
};

static void cpu_close(Device *device)
{
    memory_free(device);
}

/* Held during dlopen() and dlclose(), so that a fork cannot leave the C library's own lock taken in
** the child. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static kjit_status cannot_load(const BuildRequest *request, const char *reason)
{
    if (request->extra_count)
        return error_set(KJIT_ARGUMENT,
                         "error: what the compiler options make of %s cannot be loaded: %s\n"
                         "note: leave those out that change what kind of code comes out",
                         request->call, reason);
    return error_set(KJIT_INTERNAL, "error: the compiled %s cannot be loaded: %s", request->call,
                     reason);
}

/* Under the lock `loading`. With a key the object may be one of several kernels. */
static kjit_status load_library(const char *path, const BuildRequest *request, const CacheKey *key,
                                Code **out)
{
    double begin = clock_ms();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *entry = library ? queue_find_entry(library, request->entry, key) : NULL;

    if (!entry) {
        const char *reason = dlerror();
        kjit_status status = cannot_load(request, reason ? reason : "no reason given");
        if (library)
            dlclose(library);
        return status;
    }
    CpuCode *code = memory_zeroed(1, sizeof *code);
    if (!code) {
        dlclose(library);
        return error_memory();
    }
    code->library = library;
    memcpy(&code->entry, &entry, sizeof entry);
    report_current()->load_ms = clock_ms() - begin;
    *out = (Code *)code;
    return KJIT_OK;
}

static kjit_status load_object(const char *path, const BuildRequest *request, const CacheKey *key,
                               Code **out)
{
    forks_lock(&loading);
    kjit_status status = load_library(path, request, key, out);
    forks_unlock(&loading);
    return status;
}

/* ---- objects from memory ------------------------------------------------------------------- */

/* A unique path of an open file: the loader identifies libraries by their paths, and descriptors
** are reused. The path differs only in components that have no effect. */
static void unique_path(int fd, char path[CACHE_PATH_MAX])
{
    static _Atomic uint64_t serial;
    uint64_t number = atomic_fetch_add(&serial, 1);
    int used = snprintf(path, CACHE_PATH_MAX, "/proc/self/fd");

    for (; number; number /= 2)
        used += snprintf(path + used, CACHE_PATH_MAX - (size_t)used, number % 2 ? "/." : "//");
    snprintf(path + used, CACHE_PATH_MAX - (size_t)used, "/%d", fd);
}

/* Through an anonymous file. */
static kjit_status load_from_memory(const void *image, size_t length, const BuildRequest *request,
                                    Code **code)
{
    char path[CACHE_PATH_MAX];
    int fd = memfd_create("kjit", MFD_CLOEXEC);

    if (fd < 0)
        return error_set(KJIT_FILE, "error: no file in memory can be made: %s", strerror(errno));
    kjit_status status = KJIT_MEMORY;
    unique_path(fd, path);
    if (write_all(fd, image, length))
        status = load_object(path, request, NULL, code);
    close(fd);
    return status;
}

static kjit_status load_from_file(const char *above, const void *image, size_t length,
                                  const BuildRequest *request, Code **code)
{
    char path[CACHE_PATH_MAX];
    Scratch scratch;

    if (!scratch_open(&scratch, above))
        return error_set(KJIT_FILE, "error: there is no folder for temporary files\n"
                                    "note: set TMPDIR to one that can be written");
    scratch_path(&scratch, "kernel.so", path);
    kjit_status status = file_write(path, image, length, NULL, 0);
    if (status == KJIT_OK)
        status = load_object(path, request, NULL, code);
    scratch_close(&scratch);
    return status;
}

/* Some systems forbid loading code from anonymous files, others from TMPDIR (noexec). */
static kjit_status cpu_load(Device *device, const void *image, size_t length,
                            const BuildRequest *request, Code **code)
{
    kjit_status status = load_from_memory(image, length, request, code);

    if (status != KJIT_OK && device->cache->writable)
        status = load_from_file(device->cache->directory, image, length, request, code);
    if (status != KJIT_OK)
        status = load_from_file(NULL, image, length, request, code);
    return status;
}

/* ---- building ------------------------------------------------------------------------------ */

static bool make_key(const CpuDevice *device, const BuildRequest *request, CacheKey *key)
{
    KeyState *state = key_begin();

    key_text(state, "cpu");
    key_field(state, request->text, request->length);
    key_text(state, request->linked ? request->linked : "");
    key_text(state, request->entry);
    key_number(state, request->options.fastmath);
    key_number(state, request->options.unfused);
    key_number(state, request->ordered_sums);
    key_number(state, request->options.debug || request->options.lineinfo);
    key_number(state, request->options.opt <= 0);
    key_words(state, request->extra, request->extra_count);
    cc_identify(&device->cc, state);
    return key_end(state, key);
}

/* Stores the object in the cache, and loads it from there; false: load the temporary file. */
static bool into_cache(CpuDevice *device, const CacheKey *key, const BuildRequest *request,
                       const char *from, char path[CACHE_PATH_MAX])
{
    char *bytes;
    size_t length;

    if (!device->base.cache->writable || file_read(from, SOURCE_MAX, &bytes, &length) != KJIT_OK)
        return false;
    bool stored = cache_write(device->base.cache, key, bytes, length, request->call, "cpu", path);
    memory_free(bytes);
    return stored;
}

/* Compiles in a folder below `above`, or with NULL under TMPDIR. */
static kjit_status compile_in(const char *above, CpuDevice *device, const CacheKey *key,
                              const BuildRequest *request, Code **code)
{
    char object[CACHE_PATH_MAX], path[CACHE_PATH_MAX];
    double begin = clock_ms();
    Scratch scratch;

    if (!scratch_open(&scratch, above))
        return error_set(KJIT_FILE, "error: there is no folder for temporary files\n"
                                    "note: set TMPDIR to one that can be written");
    scratch_path(&scratch, "kernel.so", object);
    report_current()->compiled = 1;
    kjit_status status = cc_compile(&device->cc, request, object);
    report_current()->compiler_ms += clock_ms() - begin;
    if (status == KJIT_OK) {
        bool stored = into_cache(device, key, request, object, path);
        status = load_object(stored ? path : object, request, NULL, code);
        /* Another process may have evicted it, or code may not be loaded from the cache
        ** (noexec). */
        if (status != KJIT_OK && status != KJIT_MEMORY && stored)
            status = load_object(object, request, NULL, code);
    }
    scratch_close(&scratch);
    return status;
}

static kjit_status compile_object(CpuDevice *device, const CacheKey *key,
                                  const BuildRequest *request, Code **code)
{
    const Cache *cache = device->base.cache;
    kjit_status status = compile_in(NULL, device, key, request, code);

    /* TMPDIR may be full, missing, or forbid loading code. */
    bool elsewhere = status != KJIT_OK && status != KJIT_MEMORY && status != KJIT_INVALID;
    if (elsewhere && cache->writable && device->cc.path[0])
        status = compile_in(cache->directory, device, key, request, code);
    return status;
}

/* For a kernel whose compilation waits. */
static kjit_status load_nothing(Code **out)
{
    CpuCode *code = memory_zeroed(1, sizeof *code);

    if (!code)
        return error_memory();
    code->entry = queue_run_nothing;
    *out = (Code *)code;
    return KJIT_OK;
}

static kjit_status cpu_build(Device *base, const BuildRequest *request, Code **code)
{
    CpuDevice *device = (CpuDevice *)base;
    CacheKey key;
    char path[CACHE_PATH_MAX];
    size_t length;
    bool has_key = make_key(device, request, &key);
    char *bytes = has_key ? cache_read(base->cache, &key, &length, path) : NULL;

    if (bytes) {
        memory_free(bytes);
        if (load_object(path, request, &key, code) == KJIT_OK) {
            report_current()->disk_hit = 1;
            return KJIT_OK;
        }
    }
    if (has_key && base->cache->writable && cc_queue(&device->cc, request, &key))
        return load_nothing(code);
    return compile_object(device, &key, request, code);
}

static void cpu_unload(Device *device, Code *code)
{
    (void)device;
    forks_lock(&loading);
    if (host_code(code)->library)
        dlclose(host_code(code)->library);
    forks_unlock(&loading);
    memory_free(code);
}

static int cpu_most_threads(const Code *code)
{
    (void)code;
    return INT_MAX; /* only the device's limit applies */
}

static kjit_status cpu_best_block(Device *device, Code *code, size_t shared, int *best)
{
    (void)device, (void)code, (void)shared;
    *best = 256;
    return KJIT_OK;
}

/* The argument of a kernel's entry, and the number of threads. */
typedef struct CpuLaunch {
    KjitHostLaunch given; /* the first member: share() casts its address */
    int threads;
    Running running;
    WatchPlace *place; /* or NULL */
} CpuLaunch;

/* A job of the thread pool: KjitHostLaunch.share. */
typedef struct SharedJob {
    KjitHostWork *work;
    void *const *params;
    const KjitHostLaunch *launch;
    void *shared;
    long long chunk, *next;
    WatchPlace *place; /* owner of `next`, or NULL */
    atomic_int failed;
} SharedJob;

static void take_part(void *job, int member)
{
    SharedJob *shared = job;

    if (shared->place)
        watch_join(shared->place);
    Running helper = { .call = ((const CpuLaunch *)shared->launch)->running.call };
    Running *around = member ? running_set(&helper) : NULL;
    int status =
        shared->work(shared->params, shared->launch, shared->chunk, shared->next, shared->shared);
    if (member)
        running_set(around);
    int failed = atomic_load(&shared->failed);

    while (status > failed && !atomic_compare_exchange_weak(&shared->failed, &failed, status))
        ;
}

/* Threads take chunks of parts, about 16 each, so that the load is balanced.
**
** With `shared` data blocks may be visited more than once, or parts are no blocks: then progress is
** unknown, and they are not stopped. */
static int share(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared)
{
    WatchPlace *place = ((const CpuLaunch *)launch)->place;
    int threads = ((const CpuLaunch *)launch)->threads;
    long long next = 0;
    SharedJob job = { .work = work,
                      .params = params,
                      .launch = launch,
                      .shared = shared,
                      .chunk = count / (16 * (long long)threads) + 1,
                      .next = &next };

    if (place && !shared) {
        job.place = place;
        job.next = watch_share(place, count, job.chunk);
    } else {
        watch_unobserved(place);
    }
    if (!shared && !running_share(job.next))
        return 0;
    crew_run(take_part, &job, count < threads ? (int)count : threads);
    running_share(NULL);
    return atomic_load(&job.failed);
}

static kjit_status cpu_launch(Device *device, Code *code, const LaunchRequest *request)
{
    CpuLaunch launch = { .given = { .dynamic_shared = request->shared_bytes, .share = share },
                         .threads = request->one_by_one ? 1 : device->limits.workers,
                         .running = { .call = request->call } };
    double begin = clock_ms();
    bool recorded;

    KJIT_TRY(cpu_record_launch(request->stream, code, request, &recorded));
    if (recorded)
        return KJIT_OK;
    memcpy(launch.given.grid, request->grid, sizeof request->grid);
    memcpy(launch.given.block, request->block, sizeof request->block);
    launch.place = watch_launch(device->watch, request->call, begin, request->asked_blocks);
    running_set(&launch.running);
    int result = host_code(code)->entry(request->params, &launch.given);
    running_set(NULL);
    watch_end(launch.place);
    report_current()->run_ms = clock_ms() - begin;
    if (launch.running.stopped)
        return error_stopped();
    switch (result) {
    case 0:
        return KJIT_OK;
    case ENTRY_NO_MEMORY:
        return error_set(KJIT_MEMORY, "error: no memory for the threads of a block");
    case ENTRY_DEADLOCK:
        return error_set(KJIT_LAUNCH,
                         "error: the kernel waits for ever: some threads of a block wait at a "
                         "barrier, or for the lanes that a mask names, while the others wait "
                         "elsewhere\n"
                         "note: `kjit check` names the lines");
    case ENTRY_NOT_NAMED:
        return error_set(KJIT_LAUNCH,
                         "error: a thread takes part in a warp operation whose mask does not name "
                         "its lane, which leaves open what it does\n"
                         "note: `kjit check` names the line");
    case ENTRY_GRID_DEADLOCK:
        return error_set(KJIT_LAUNCH,
                         "error: the kernel waits for ever: some blocks wait for the grid while "
                         "others have ended, or wait elsewhere");
    case ENTRY_LOOP_DEADLOCK:
        return error_set(KJIT_LAUNCH,
                         "error: the kernel waits for ever: threads repeat a loop until another "
                         "does something, and none is left that does anything\n"
                         "note: `kjit check` names the lines");
    }
    return error_set(KJIT_INTERNAL, "error: the kernel ended with the unknown code %d", result);
}

/* ---- memory -------------------------------------------------------------------------------- */

enum { MEMORY_ALIGN = 64 };

/* The header in front of an allocation. */
typedef struct AllocHeader {
    void *block;
} AllocHeader;

static kjit_status cpu_alloc(Device *device, Block *block, void *stream)
{
    void *memory = NULL, *data = NULL;

    (void)device, (void)stream;
    block->memory = NULL;
    KJIT_TRY(block_alloc(block->bytes + MEMORY_ALIGN, false, &memory, &data));
    block->memory = (char *)data + MEMORY_ALIGN;
    ((AllocHeader *)block->memory)[-1].block = memory;
    return KJIT_OK;
}

static kjit_status cpu_release(Device *device, Block *block, void *stream)
{
    (void)device, (void)stream;
    memory_free(((AllocHeader *)block->memory)[-1].block);
    block->memory = NULL;
    return KJIT_OK;
}

/* There is no GPU memory before the driver is started. */
static bool cpu_on_gpu(Device *device, const void *memory)
{
    const Driver *driver = driver_started();
    unsigned kind = 0;

    (void)device;
    return driver &&
           driver->pointer_attribute(&kind, CU_POINTER_KIND, (CuPointer)(uintptr_t)memory) ==
               CU_OK &&
           kind == CU_MEMORY_DEVICE;
}

static kjit_status cpu_copy(Device *device, const CopyRequest *request)
{
    char *to = request->to;
    const char *from = request->from;
    bool recorded;

    (void)device;
    KJIT_TRY(cpu_record_copy(request->stream, request, &recorded));
    for (size_t i = 0; !recorded && request->width && i < request->height; i++)
        memmove(to + i * request->to_pitch, from + i * request->from_pitch, request->width);
    return KJIT_OK;
}

static kjit_status cpu_zero(Device *device, void *memory, size_t bytes, void *stream)
{
    bool recorded;

    (void)device;
    KJIT_TRY(cpu_record_zero(stream, memory, bytes, &recorded));
    if (!recorded && bytes)
        memset(memory, 0, bytes);
    return KJIT_OK;
}

static kjit_status cpu_pin(Device *device, void *memory, size_t bytes)
{
    (void)device, (void)memory, (void)bytes;
    return KJIT_OK;
}

static kjit_status cpu_unpin(Device *device, void *memory)
{
    (void)device, (void)memory;
    return KJIT_OK;
}

static kjit_status cpu_memory_info(Device *device, kjit_memory_info *info)
{
    struct sysinfo machine;

    (void)device;
    if (sysinfo(&machine) != 0)
        return error_set(KJIT_INTERNAL, "error: the system does not tell of its memory");
    info->total = (uint64_t)machine.totalram * machine.mem_unit;
    info->free = (uint64_t)machine.freeram * machine.mem_unit;
    return KJIT_OK;
}

static kjit_status cpu_trim(Device *device, uint64_t keep)
{
    (void)device, (void)keep;
    return KJIT_OK;
}

static kjit_status cpu_code_facts(Device *device, Code *code, uint64_t threads, size_t shared,
                                  CodeFacts *facts)
{
    (void)code, (void)threads, (void)shared;
    *facts = (CodeFacts){ .most_threads = (int)device->limits.threads,
                          .spill_stores = -1,
                          .spill_loads = -1 };
    return KJIT_OK;
}

static kjit_status cpu_nothing(Device *device)
{
    (void)device;
    return KJIT_OK;
}

const DeviceOps cpu_ops = {
    .dialect = DIALECT_C,
    .host_memory = true,
    .close = cpu_close,
    .build = cpu_build,
    .load = cpu_load,
    .unload = cpu_unload,
    .most_threads = cpu_most_threads,
    .best_block = cpu_best_block,
    .code_facts = cpu_code_facts,
    .reset = cpu_nothing,
    .launch = cpu_launch,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .on_gpu = cpu_on_gpu,
    .copy = cpu_copy,
    .zero = cpu_zero,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
    .memory_info = cpu_memory_info,
    .trim = cpu_trim,
    .facts = cpu_facts,
    .sensors = cpu_sensors,
    .synchronize = cpu_nothing,
    .stream_new = cpu_stream_new,
    .stream_close = cpu_stream_close,
    .stream_synchronize = cpu_stream_synchronize,
    .stream_query = cpu_stream_query,
    .stream_records = cpu_stream_records,
    .stream_wait = cpu_stream_wait,
    .stream_call = cpu_stream_call,
    .event_new = cpu_event_new,
    .event_close = cpu_event_close,
    .event_record = cpu_event_record,
    .event_synchronize = cpu_event_synchronize,
    .event_query = cpu_event_query,
    .event_elapsed = cpu_event_elapsed,
    .capture_begin = cpu_capture_begin,
    .capture_end = cpu_capture_end,
    .graph_launch = cpu_graph_launch,
    .graph_close = cpu_graph_close,
};

kjit_status device_cpu_open(Cache *cache, Device **out)
{
    CpuDevice *device = memory_zeroed(1, sizeof *device);

    *out = NULL;
    if (!device)
        return error_memory();
    /* The limits of GPUs, so that kernels that run here run there. */
    device->base = (Device){
        .ops = &cpu_ops,
        .cache = cache,
        .limits = { .grid = { INT32_MAX, 65535, 65535 },
                    .block = { 1024, 1024, 64 },
                    .threads = 1024,
                    .static_shared = 48 << 10,
                    .shared = 227 << 10,
                    .workers = crew_threads() },
        .name = "cpu",
    };
    forks_watch();
    running_open();
    processor_model(device->base.model, sizeof device->base.model);
    cc_find(&device->cc);
    *out = &device->base;
    return KJIT_OK;
}
