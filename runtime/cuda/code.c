/* Machine code on a GPU: compiled by NVRTC or read from the cache, loaded, and queried. */
#include "runtime/cuda/cuda.h"

enum { DEFAULT_DYNAMIC_SHARED = 48 << 10 };

static bool make_key(const Device *device, const BuildRequest *request, CacheKey *key)
{
    KeyState *state = key_begin();
    const IrOptions *options = &request->options;

    key_text(state, "cuda");
    key_text(state, device->arch);
    key_field(state, request->text, request->length);
    key_text(state, request->entry);
    key_text(state, request->rounding ? request->rounding : "");
    key_number(state, options->fastmath);
    key_number(state, options->unfused);
    key_number(state, options->debug);
    key_number(state, options->lineinfo);
    key_number(state, (uint64_t)options->max_registers);
    key_number(state, options->opt <= 0);
    key_words(state, request->extra, request->extra_count);
    nvrtc_identify(state);
    return key_end(state, key);
}

/* Stack bytes for recursive kernels beyond their own frame. The driver's default, 1 KB, overflows
** quickly, which destroys the context. Allocated for every resident thread of the device. */
enum { RECURSION_STACK = 16384 };

/* A hint: failure is ignored. */
static void raise_stack(const Driver *driver, CuFunction function)
{
    int frame;
    size_t stack;

    if (driver->function_attribute(&frame, CU_FN_LOCAL, function) != CU_OK ||
        driver->context_limit(&stack, CU_LIMIT_STACK) != CU_OK)
        return;
    if (stack < (size_t)frame + RECURSION_STACK)
        driver->context_set_limit(CU_LIMIT_STACK, (size_t)frame + RECURSION_STACK);
}

static kjit_status load_failure(CudaDevice *device, const Code *code, CuResult result,
                                const char *call, const char *log)
{
    kjit_status status = cuda_check(device, result, call);

    if (status != KJIT_LAUNCH) /* not the code's fault: no memory, or a broken device */
        return status;
    if (code->request.extra_count)
        return error_set(KJIT_ARGUMENT,
                         "error: the driver does not load what the compiler options make of %s\n"
                         "note: leave those out that change what kind of code comes out",
                         code->call);
    return error_set(KJIT_INTERNAL, "error: the driver does not load %s: %s failed: %s%s%s",
                     code->call, call, driver_error(result), *log ? "\n" : "", log);
}

/* Loads the image and looks up the kernel. The context is current; no recording is ended. */
static kjit_status load_apart(CudaDevice *device, Code *code)
{
    char log[2048] = "";
    int options[] = { CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)(sizeof log - 1) };
    const Driver *driver = device->driver;
    const BuildRequest *request = &code->request;
    CuResult result = driver->module_load(&code->module, code->image, 2, options, values);

    if (result != CU_OK)
        return load_failure(device, code, result, "cuModuleLoadDataEx", log);
    result = driver->module_function(&code->function, code->module, code->entry);
    if (result == CU_OK && code->rounding_entry)
        result = driver->module_function(&code->rounding, code->module, code->rounding_entry);
    const char *call = result == CU_OK ? "cuFuncGetAttribute" : "cuModuleGetFunction";
    if (result == CU_OK)
        result = driver->function_attribute(&code->most_threads, CU_FN_MAX_THREADS, code->function);
    if (result == CU_OK && request->options.carveout >= 0) /* a hint: failure is ignored */
        driver->function_set(code->function, CU_FN_SHARED_CARVEOUT, request->options.carveout);
    if (result == CU_OK && request->recursive)
        raise_stack(driver, code->function);
    if (result == CU_OK)
        return KJIT_OK;
    driver->module_unload(code->module);
    code->module = NULL;
    return load_failure(device, code, result, call, "");
}

static kjit_status load_image(CudaDevice *device, Code *code)
{
    int mode = cuda_begin_apart(device);
    kjit_status status = load_apart(device, code);

    cuda_end_apart(device, mode);
    return status;
}

static void allow_default_shared(Code *code)
{
    uint64_t fixed = code->request.static_shared;

    atomic_store(&code->dynamic_shared,
                 fixed < DEFAULT_DYNAMIC_SHARED ? DEFAULT_DYNAMIC_SHARED - fixed : 0);
}

static void free_code(Code *code)
{
    memory_free(code->call);
    memory_free(code->entry);
    memory_free(code->rounding_entry);
    memory_free(code->image);
    memory_free(code);
}

/* Code with copies of everything that loading needs, now or after a reset; NULL without memory.
** Takes over `image` unless it fails. */
static Code *new_code(char *image, size_t length, const BuildRequest *request)
{
    Code *code = memory_zeroed(1, sizeof *code);

    if (!code)
        return NULL;
    code->call = memory_strdup(request->call);
    code->entry = memory_strdup(request->entry);
    if (request->rounding)
        code->rounding_entry = memory_strdup(request->rounding);
    if (!code->call || !code->entry || (request->rounding && !code->rounding_entry)) {
        free_code(code);
        return NULL;
    }
    code->image = image;
    code->image_length = length;
    code->request = *request;
    code->request.text = code->request.call = code->request.entry = NULL;
    code->request.rounding = NULL;
    code->request.edited = code->request.march = NULL;
    code->request.extra = NULL;
    code->cooperative = request->cooperative;
    code->spills = (Spills){ -1, -1 };
    return code;
}

static void list_code(CudaDevice *device, Code *code)
{
    pthread_mutex_lock(&device->lock);
    code->next = device->codes;
    code->link = &device->codes;
    if (code->next)
        code->next->link = &code->next;
    device->codes = code;
    pthread_mutex_unlock(&device->lock);
}

static void unlist_code(CudaDevice *device, Code *code)
{
    pthread_mutex_lock(&device->lock);
    *code->link = code->next;
    if (code->next)
        code->next->link = code->link;
    pthread_mutex_unlock(&device->lock);
}

/* Loads an image, and takes it over unless it fails. */
static kjit_status load_code(CudaDevice *device, char *image, size_t length,
                             const BuildRequest *request, Code **out)
{
    double begin = clock_ms();
    bool pushed;
    Code *code = new_code(image, length, request);

    if (!code)
        return error_memory();
    kjit_status status = cuda_enter(device, &pushed);
    if (status == KJIT_OK) {
        status = load_image(device, code);
        cuda_leave(device, pushed);
    }
    if (status != KJIT_OK) {
        code->image = NULL;
        free_code(code);
        return status;
    }
    pthread_mutex_init(&code->lock, NULL);
    allow_default_shared(code);
    list_code(device, code);
    report_current()->load_ms = clock_ms() - begin;
    *out = code;
    return KJIT_OK;
}

/* Appended to the image in an entry of the cache; loading ignores it. */
typedef struct CodeNote {
    Spills spills;
    char magic[8];
} CodeNote;

static const char NOTE_MAGIC[8] = "kjitnote";

/* Stores an image and its note in the cache. */
static void store_image(Device *base, const CacheKey *key, const BuildRequest *request,
                        const Code *code)
{
    CodeNote note = { .spills = code->spills };
    char *entry = memory_alloc(code->image_length + sizeof note);

    if (!entry)
        return;
    memcpy(note.magic, NOTE_MAGIC, sizeof note.magic);
    memcpy(entry, code->image, code->image_length);
    memcpy(entry + code->image_length, &note, sizeof note);
    cache_write(base->cache, key, entry, code->image_length + sizeof note, request->call,
                base->arch, NULL);
    memory_free(entry);
}

/* An entry's image, to be memory_free()d, and its note; NULL if there is none. */
static char *find_image(Device *base, const CacheKey *key, size_t *length, Spills *spills)
{
    CodeNote note;
    size_t total;
    char *entry = cache_read(base->cache, key, &total, NULL);

    if (!entry)
        return NULL;
    if (total < sizeof note) {
        memory_free(entry);
        return NULL;
    }
    memcpy(&note, entry + total - sizeof note, sizeof note);
    *length = total - sizeof note;
    *spills = note.spills;
    if (memcmp(note.magic, NOTE_MAGIC, sizeof note.magic) == 0)
        return entry;
    memory_free(entry);
    return NULL;
}

kjit_status cuda_build(Device *base, const BuildRequest *request, Code **code)
{
    CudaDevice *device = cuda(base);
    CacheKey key;
    Spills spills = { -1, -1 };
    size_t length;
    bool keyed = make_key(base, request, &key);
    char *image = keyed ? find_image(base, &key, &length, &spills) : NULL;

    if (image) {
        kjit_status loaded = load_code(device, image, length, request, code);
        report_current()->disk_hit = loaded == KJIT_OK;
        if (loaded == KJIT_OK)
            (*code)->spills = spills;
        else
            memory_free(image);
        if (loaded != KJIT_INTERNAL)
            return loaded;
    }
    double begin = clock_ms();
    report_current()->compiled = 1;
    KJIT_TRY(nvrtc_compile(request, base->arch, NVRTC_CUBIN, true, &image, &length, &spills));
    report_current()->compiler_ms = clock_ms() - begin;
    kjit_status status = load_code(device, image, length, request, code);
    if (status != KJIT_OK) {
        memory_free(image);
        return status;
    }
    (*code)->spills = spills;
    if (keyed)
        store_image(base, &key, request, *code);
    return KJIT_OK;
}

kjit_status cuda_load(Device *base, const void *image, size_t length, const BuildRequest *request,
                      Code **code)
{
    char *own = memory_alloc(length + 1);

    if (!own)
        return error_memory();
    memcpy(own, image, length);
    kjit_status status = load_code(cuda(base), own, length, request, code);
    if (status != KJIT_OK)
        memory_free(own);
    return status;
}

void cuda_unload(Device *base, Code *code)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    if (code->module && cuda_enter(device, &pushed) == KJIT_OK) {
        /* It may still be running, as launches with device arrays alone do not wait. A failure can
        ** name it only while it is listed. */
        error_quiet(true);
        cuda_check(device, device->driver->context_synchronize(), "cuCtxSynchronize");
        error_quiet(false);
        device->driver->module_unload(code->module);
        cuda_leave(device, pushed);
    }
    unlist_code(device, code);
    pthread_mutex_destroy(&code->lock);
    free_code(code);
}

kjit_status cuda_reload(CudaDevice *device)
{
    kjit_status status = KJIT_OK;

    for (Code *code = device->codes; code; code = code->next)
        code->module = NULL;
    for (Code *code = device->codes; code && status == KJIT_OK; code = code->next) {
        status = load_image(device, code);
        allow_default_shared(code);
        atomic_store(&code->launched, 0);
        atomic_store(&code->launched_apart, 0);
    }
    return status;
}

int cuda_most_threads(const Code *code)
{
    return code->most_threads;
}

kjit_status cuda_best_block(Device *base, Code *code, size_t shared, int *best)
{
    CudaDevice *device = cuda(base);
    int grid;
    CuResult result;

    *best = code->most_threads;
    CUDA_CALL(device, result, best_block, &grid, best, code->function, NULL, shared, 0);
    return cuda_check(device, result, "cuOccupancyMaxPotentialBlockSize");
}

static CuResult read_facts(const Driver *driver, const Code *code, int threads, size_t shared,
                           CodeFacts *facts)
{
    int fixed = 0, local = 0, constant = 0;
    CuResult result =
        driver->function_attribute(&facts->registers, CU_FN_REGISTERS, code->function);

    if (result == CU_OK)
        result = driver->function_attribute(&fixed, CU_FN_SHARED, code->function);
    if (result == CU_OK)
        result = driver->function_attribute(&local, CU_FN_LOCAL, code->function);
    if (result == CU_OK)
        result = driver->function_attribute(&constant, CU_FN_CONST, code->function);
    if (result == CU_OK && threads)
        result = driver->resident_blocks(&facts->resident_blocks, code->function, threads, shared);
    facts->shared = (size_t)fixed;
    facts->local = (size_t)local;
    facts->constant = (size_t)constant;
    return result;
}

kjit_status cuda_code_facts(Device *base, Code *code, uint64_t threads, size_t shared,
                            CodeFacts *facts)
{
    CudaDevice *device = cuda(base);
    bool pushed;

    *facts = (CodeFacts){ .most_threads = code->most_threads,
                          .resident_threads = cuda_attribute(device, CU_THREADS_RESIDENT),
                          .multiprocessors = cuda_attribute(device, CU_MULTIPROCESSORS),
                          .spill_stores = code->spills.stores,
                          .spill_loads = code->spills.loads };
    KJIT_TRY(cuda_enter(device, &pushed));
    CuResult result = read_facts(device->driver, code, (int)threads, shared, facts);
    cuda_leave(device, pushed);
    return cuda_check(device, result, "cuFuncGetAttribute");
}
