/* Modules, kernels and launches. A kernel stands in a list by its name, with what the test has it
** do; the list is only ever pushed to. */
#include "tests/fake/cuda.h"
#include "tests/fake/params.h"
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Kernel Kernel;

/* ---- kernels by name ------------------------------------------------------------------ */

struct Kernel {
    struct Kernel *next;
    char name[256];
    _Atomic(FakeKernel *) function;
    _Atomic int most_threads;
    _Atomic long launches;
};

static _Atomic(Kernel *) kernels;
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER; /* of those who push */

static Kernel *find_kernel(const char *name)
{
    Kernel *kernel = atomic_load(&kernels);

    while (kernel && strcmp(kernel->name, name) != 0)
        kernel = kernel->next;
    return kernel;
}

/* NULL without memory. They stay until the process ends. */
static Kernel *kernel_named(const char *name)
{
    pthread_mutex_lock(&kernels_lock);
    Kernel *kernel = find_kernel(name);
    if (!kernel && (kernel = calloc(1, sizeof *kernel))) {
        snprintf(kernel->name, sizeof kernel->name, "%s", name);
        kernel->next = atomic_load(&kernels);
        atomic_store(&kernels, kernel);
    }
    pthread_mutex_unlock(&kernels_lock);
    return kernel;
}

EXPORT void fake_cuda_kernel(const char *name, FakeKernel *function)
{
    Kernel *kernel = kernel_named(name);

    if (kernel)
        atomic_store(&kernel->function, function);
}

EXPORT void fake_cuda_most_threads(const char *name, int threads)
{
    Kernel *kernel = kernel_named(name);

    if (kernel)
        atomic_store(&kernel->most_threads, threads);
}

EXPORT long fake_cuda_launches(const char *name)
{
    const Kernel *kernel = find_kernel(name);

    return kernel ? atomic_load(&kernel->launches) : 0;
}

/* ---- modules -------------------------------------------------------------------------- */

typedef struct Function {
    Kernel *kernel;
    FakeEntry entry;
    _Atomic int dynamic_shared; /* allowed */
} Function;

/* Reads the head that NVRTC wrote. */
static bool read_image(const char *image, FakeEntry *entry)
{
    char arch[32];
    int used = 0;

    memset(entry, 0, sizeof *entry);
    if (sscanf(image, "\177ELF fake %31s %255s %d %d%n", arch, entry->name, &entry->bounds,
               &entry->count, &used) != 4 ||
        entry->count < 0 || entry->count > FAKE_PARAMS_MAX)
        return false;
    for (int i = 0; i < entry->count; i++) {
        char *end;
        entry->sizes[i] = strtoul(image + used, &end, 10);
        used = (int)(end - image);
    }
    entry->rounds = strstr(image + used, "_round(");
    return image[used] == '\n' && emulated_make(image + used, entry);
}

CuResult cu_module_load(CuModule *module, const void *image, unsigned count, int *options,
                        void **values)
{
    FakeDevice *device;
    FakeEntry entry;
    CuResult result = fake_enter(CALL_module_load, &device);

    if (result == CU_OK && !read_image(image, &entry))
        result = FAKE_INVALID_IMAGE;
    for (unsigned i = 0; result != CU_OK && i < count; i++) {
        if (options[i] == CU_JIT_ERROR_LOG)
            strcpy(values[i], "made up");
    }
    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    Handle *handle =
        handle_new(KIND_MODULE, (int)(device - fake.devices), NULL, sizeof entry, NULL);
    if (handle)
        memcpy(handle->data, &entry, sizeof entry);
    pthread_mutex_unlock(&fake.lock);
    *module = (CuModule)(void *)handle;
    fake_note("load %s", entry.name);
    return handle ? CU_OK : FAKE_NO_MEMORY;
}

CuResult cu_module_unload(CuModule module)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_module_unload, &device);
    const FakeEntry *entry = device ? handle_data(module, KIND_MODULE, "the module") : NULL;

    if (!entry)
        return device ? FAKE_INVALID_HANDLE : result;
    fake_note("unload %s", entry->name);
    pthread_mutex_lock(&fake.lock);
    handle_free((Handle *)(void *)module);
    pthread_mutex_unlock(&fake.lock);
    return result;
}

/* Whether a module has a kernel of that name: its own, or the one behind it that rounds its sums,
** which takes the same parameters. */
static bool is_of(const FakeEntry *entry, const char *name)
{
    size_t length = strlen(entry->name);

    return strncmp(name, entry->name, length) == 0 &&
           (!name[length] || (entry->rounds && strcmp(name + length, "_round") == 0));
}

CuResult cu_module_function(CuFunction *function, CuModule module, const char *name)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_module_function, &device);
    const FakeEntry *entry =
        result == CU_OK ? handle_data(module, KIND_MODULE, "the module") : NULL;

    if (!entry)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (!is_of(entry, name))
        return FAKE_NOT_FOUND;
    pthread_mutex_lock(&fake.lock);
    Handle *handle = handle_new(KIND_FUNCTION, (int)(device - fake.devices),
                                (Handle *)(void *)module, sizeof(Function), NULL);
    Function *data = handle ? handle->data : NULL;
    if (data) {
        data->kernel = kernel_named(name);
        data->entry = *entry;
        snprintf(data->entry.name, sizeof data->entry.name, "%s", name);
        atomic_store(&data->dynamic_shared, FAKE_STATIC_SHARED);
    }
    pthread_mutex_unlock(&fake.lock);
    *function = (CuFunction)(void *)handle;
    return data && data->kernel ? CU_OK : FAKE_NO_MEMORY;
}

/* ---- functions ------------------------------------------------------------------------ */

static int most_threads(const Function *function)
{
    int most = atomic_load(&function->kernel->most_threads);

    if (most && function->entry.bounds < most)
        return most;
    return function->entry.bounds ? function->entry.bounds : FAKE_THREADS;
}

CuResult cu_function_attribute(int *value, int attribute, CuFunction handle)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_function_attribute, &device);
    Function *function =
        result == CU_OK ? handle_data(handle, KIND_FUNCTION, "the function") : NULL;

    if (!function)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (attribute == CU_FN_MAX_THREADS)
        *value = most_threads(function);
    else if (attribute == CU_FN_MAX_DYNAMIC_SHARED)
        *value = atomic_load(&function->dynamic_shared);
    else
        *value = attribute == CU_FN_REGISTERS ? 16 : 0;
    return CU_OK;
}

CuResult cu_function_set(CuFunction handle, int attribute, int value)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_function_set, &device);
    Function *function =
        result == CU_OK ? handle_data(handle, KIND_FUNCTION, "the function") : NULL;

    if (!function)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (attribute != CU_FN_MAX_DYNAMIC_SHARED)
        return CU_OK;
    if (value < 0 || value > FAKE_SHARED)
        return FAKE_INVALID_VALUE;
    atomic_store(&function->dynamic_shared, value);
    return CU_OK;
}

CuResult cu_best_block(int *grid, int *block, CuFunction handle, size_t (*shared_for)(int),
                       size_t shared, int limit)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_best_block, &device);
    const Function *function =
        result == CU_OK ? handle_data(handle, KIND_FUNCTION, "the function") : NULL;

    if (!function)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (shared_for || limit || shared > FAKE_SHARED)
        return FAKE_INVALID_VALUE;
    *block = most_threads(function) < 256 ? most_threads(function) : 256;
    *grid = FAKE_PROCESSORS;
    return CU_OK;
}

/* Blocks that a multiprocessor has at once. */
static int resident(int threads, size_t shared)
{
    int blocks = threads > 0 ? 2048 / threads : 0;

    if (shared && FAKE_SHARED / shared < (size_t)blocks)
        blocks = (int)(FAKE_SHARED / shared);
    return blocks < 32 ? blocks : 32;
}

CuResult cu_resident_blocks(int *blocks, CuFunction handle, int threads, size_t shared)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_resident_blocks, &device);

    if (result != CU_OK)
        return result;
    if (!handle_data(handle, KIND_FUNCTION, "the function"))
        return FAKE_INVALID_HANDLE;
    *blocks = resident(threads, shared);
    return CU_OK;
}

/* ---- launches ------------------------------------------------------------------------- */

static void note_launch(const Function *function, const Work *work, CuStream stream,
                        bool cooperative)
{
    const unsigned *grid = work->grid, *block = work->block;

    fake_note("launch %s %ux%ux%u %ux%ux%u%s%s", function->entry.name, grid[0], grid[1], grid[2],
              block[0], block[1], block[2], cooperative ? " together" : "",
              stream ? " on a stream" : "");
}

/* What the driver refuses. */
static CuResult check(const Function *function, const Work *work, bool cooperative)
{
    uint64_t threads = (uint64_t)work->block[0] * work->block[1] * work->block[2];
    uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];

    if (!threads || !blocks || work->grid[1] > 65535 || work->grid[2] > 65535 ||
        threads > FAKE_THREADS || work->block[2] > 64)
        return FAKE_INVALID_VALUE;
    if (threads > (uint64_t)most_threads(function))
        return FAKE_OUT_OF_RESOURCES;
    if (work->shared >
        (size_t)atomic_load_explicit(&function->dynamic_shared, memory_order_relaxed))
        return FAKE_INVALID_VALUE;
    if (cooperative && blocks > (uint64_t)resident((int)threads, work->shared) * FAKE_PROCESSORS)
        return FAKE_TOO_MANY_BLOCKS;
    return CU_OK;
}

const FakeEntry *function_entry(const Handle *handle)
{
    const Function *function = handle_data(handle, KIND_FUNCTION, "a function to be launched");

    return function ? &function->entry : NULL;
}

void function_run(const Handle *handle, const Work *work)
{
    const Function *found = handle_data(handle, KIND_FUNCTION, "a function to be run");
    Kernel *kernel = found ? found->kernel : NULL;

    if (!kernel)
        return;
    FakeKernel *function = atomic_load_explicit(&kernel->function, memory_order_relaxed);
    FakeLaunch launch = {
        .kernel = kernel->name,
        .grid = { work->grid[0], work->grid[1], work->grid[2] },
        .block = { work->block[0], work->block[1], work->block[2] },
        .shared = work->shared,
        .params = work->params,
        .param_count = found->entry.count,
    };
    atomic_fetch_add_explicit(&kernel->launches, 1, memory_order_relaxed);
    if (function)
        function(&launch);
    else
        emulated_run(&found->entry, &launch);
}

static CuResult submit_launch(CuResult result, CuFunction handle, CuStream stream, Work *work,
                              bool cooperative)
{
    const Function *function =
        result == CU_OK ? handle_data(handle, KIND_FUNCTION, "the function") : NULL;

    if (!function)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (!work->params && function->entry.count)
        return fake_misuse(FAKE_INVALID_VALUE, "a launch without its parameters");
    result = check(function, work, cooperative);
    if (result != CU_OK)
        return result;
    work->function = (Handle *)(void *)handle;
    note_launch(function, work, stream, cooperative);
    return work_submit(stream, work);
}

/* The boxes that kjit asks for: rows of 128 bytes. */
CuResult cu_map_encode(void *map, int type, unsigned rank, void *memory, const uint64_t *extents,
                       const uint64_t *strides, const unsigned *box, const unsigned *steps,
                       int interleave, int swizzle, int promotion, int fill)
{
    unsigned size = type == 1 ? 2 : 4;
    FakeDevice *device;
    CuResult result = fake_enter(CALL_map_encode, &device);

    if (result != CU_OK)
        return result;
    if ((type != 1 && type != 2) || rank < 2 || rank > 5 || (uintptr_t)map % 64 || interleave ||
        swizzle != 3 || promotion != 3 || fill)
        return fake_misuse(FAKE_INVALID_VALUE, "a map of another kind");
    if (!memory || (uintptr_t)memory % 16 || box[0] * size != 128)
        return fake_misuse(FAKE_INVALID_VALUE, "a map of memory that is not aligned");
    for (unsigned i = 0; i < rank; i++) {
        if (!extents[i] || extents[i] >> 32 || !box[i] || box[i] > 256 || steps[i] != 1)
            return fake_misuse(FAKE_INVALID_VALUE, "a map of no such box");
        if (i && (strides[i - 1] % 16 || strides[i - 1] < extents[i - 1] * size))
            return fake_misuse(FAKE_INVALID_VALUE, "a map of rows that are not aligned");
    }
    memset(map, 1, 128);
    return CU_OK;
}

CuResult cu_launch(CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, CuStream stream, void **params,
                   void **extra)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_launch, &device);
    Work work = { .kind = WORK_LAUNCH,
                  .grid = { gx, gy, gz },
                  .block = { bx, by, bz },
                  .shared = shared,
                  .params = params };

    return extra ? FAKE_INVALID_VALUE : submit_launch(result, function, stream, &work, false);
}

CuResult cu_launch_cooperative(CuFunction function, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CuStream stream, void **params)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_launch_cooperative, &device);
    Work work = { .kind = WORK_LAUNCH,
                  .grid = { gx, gy, gz },
                  .block = { bx, by, bz },
                  .shared = shared,
                  .params = params };

    return submit_launch(result, function, stream, &work, true);
}
