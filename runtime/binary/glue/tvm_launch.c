/* The second part of what a library for TVM FFI has: launches, on the processor by threads that
** last as long as a launch, or on a GPU by the driver. */

/* ---- the processor ------------------------------------------------------------------------- */

typedef struct Job {
    KjitHostWork *work;
    void *const *params;
    const KjitHostLaunch *launch;
    void *shared;
    long long chunk, next;
    int failed;
} Job;

static void *work(void *given)
{
    Job *job = given;
    int status = job->work(job->params, job->launch, job->chunk, &job->next, job->shared);
    int failed = __atomic_load_n(&job->failed, __ATOMIC_RELAXED);

    while (status > failed && !__atomic_compare_exchange_n(&job->failed, &failed, status, 0,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return NULL;
}

static int threads_to_use(void)
{
    const char *said = getenv("OMP_NUM_THREADS");
    cpu_set_t set;
    int most = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1,
        wanted = said ? atoi(said) : most;

    return wanted >= 1 && wanted < 256 ? wanted : most;
}

/* KjitHostLaunch.share: by threads that last as long as the job. */
static int share(KjitHostWork *function, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared)
{
    int threads = threads_to_use(), started = 0;
    Job job = { function, params, launch, shared, count / (16 * (long long)threads) + 1, 0, 0 };
    pthread_t others[256];

    while (started + 1 < threads && started + 1 < count &&
           pthread_create(&others[started], NULL, work, &job) == 0)
        started++;
    work(&job);
    while (started)
        pthread_join(others[--started], NULL);
    return job.failed;
}

static int run_on_processor(const Specialisation *made, const Call *call)
{
    KjitHostLaunch launch = { .dynamic_shared = call->shared, .share = share };

    if (!made->entry)
        return fail("RuntimeError", "%s was not built for the processor: kjit build --arch cpu",
                    made->call);
    memcpy(launch.grid, call->grid, sizeof launch.grid);
    memcpy(launch.block, call->block, sizeof launch.block);
    switch (made->entry(call->params, &launch)) {
    case 0:
        return 0;
    case 1:
        return fail("MemoryError", "%s: no memory", made->call);
    default:
        return fail("RuntimeError", "%s: its threads wait for one another for ever", made->call);
    }
}

/* ---- a GPU --------------------------------------------------------------------------------- */

static struct {
    int (*init)(unsigned), (*device)(int *, int), (*retain)(void **, int), (*push)(void *),
        (*pop)(void **);
    int (*attribute)(int *, int, int), (*load)(void **, const void *, unsigned, int *, void **),
        (*function)(void **, void *, const char *);
    int (*set)(void *, int, int), (*mode)(int *), (*name_error)(int, const char **);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    int (*launch_together)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, void *, void **);
    int found;
} driver;
static void *contexts[GPUS];
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int failed_call(const char *call, int result)
{
    const char *name = NULL;

    driver.name_error(result, &name);
    return fail("RuntimeError", "%s: %s (%d)", call, name ? name : "an error of CUDA's", result);
}

/* Under the lock. */
static int find_driver(void)
{
    void *library = driver.found ? NULL : dlopen("libcuda.so.1", RTLD_NOW);
    int missing = 0;

    if (driver.found)
        return 0;
    if (!library)
        return fail("RuntimeError", "there is no CUDA driver, libcuda.so.1");
#define FIND(member, name) missing |= !(*(void **)&driver.member = dlsym(library, name))
    FIND(init, "cuInit");
    FIND(device, "cuDeviceGet");
    FIND(retain, "cuDevicePrimaryCtxRetain");
    FIND(push, "cuCtxPushCurrent_v2");
    FIND(pop, "cuCtxPopCurrent_v2");
    FIND(attribute, "cuDeviceGetAttribute");
    FIND(load, "cuModuleLoadDataEx");
    FIND(function, "cuModuleGetFunction");
    FIND(set, "cuFuncSetAttribute");
    FIND(mode, "cuThreadExchangeStreamCaptureMode");
    FIND(name_error, "cuGetErrorName");
    FIND(launch, "cuLaunchKernel");
    FIND(launch_together, "cuLaunchCooperativeKernel");
#undef FIND
    if (missing)
        return fail("RuntimeError", "the CUDA driver is too old: libcuda.so.1");
    int result = driver.init(0);
    driver.found = result == 0;
    return result ? failed_call("cuInit", result) : 0;
}

/* Under the lock. The context is the device's own, which all libraries of the process share. */
static int find_context(int number, int *arch)
{
    int device, major = 0, minor = 0, result;

    if (find_driver() < 0)
        return -1;
    if ((result = driver.device(&device, number)) != 0)
        return failed_call("cuDeviceGet", result);
    if (!contexts[number] && (result = driver.retain(&contexts[number], device)) != 0)
        return failed_call("cuDevicePrimaryCtxRetain", result);
    driver.attribute(&major, 75, device);
    driver.attribute(&minor, 76, device);
    *arch = 10 * major + minor;
    return 0;
}

/* The code that suits a GPU best: for itself, for an older one of its kind, else PTX. */
static const Image *best_image(const Specialisation *made, int arch)
{
    const Image *best = NULL;
    int most = 0;

    for (int i = 0; i < made->image_count; i++) {
        const Image *image = &made->images[i];
        const int runs = image->suffixed ? image->arch == arch
                         : image->is_ptx ? image->arch <= arch
                                         : image->arch / 10 == arch / 10 && image->arch <= arch;
        const int worth = runs ? image->arch + (image->is_ptx ? 0 : 100000) : 0;
        if (worth > most) {
            most = worth;
            best = image;
        }
    }
    return best;
}

/* Under the lock, with the context current. */
static int load(Specialisation *made, int number, int arch)
{
    const Image *image = best_image(made, arch);
    void *module, *function;

    if (!image)
        return fail("RuntimeError", "%s was not built for a GPU of sm_%d: kjit build --arch sm_%d",
                    made->call, arch, arch);
    int mode = 2; /* relaxed: loading ends no capture */
    driver.mode(&mode);
    int result = driver.load(&module, image->bytes, 0, NULL, NULL);
    driver.mode(&mode);
    if (result != 0)
        return failed_call("cuModuleLoadDataEx", result);
    if ((result = driver.function(&function, module, image->entry)) != 0)
        return failed_call("cuModuleGetFunction", result);
    if (image->carveout >= 0)
        driver.set(function, 9, image->carveout); /* a hint: failure is ignored */
    made->loaded[number].image = image;
    __atomic_store_n(&made->loaded[number].function, function, __ATOMIC_RELEASE);
    return 0;
}

static int launch_there(const Specialisation *made, const Call *call, int number, void *stream)
{
    const Image *image = made->loaded[number].image;
    void *function = made->loaded[number].function, **params = (void **)(uintptr_t)call->params;
    const uint64_t shared = call->shared + image->moved_shared;
    const uint32_t *grid = call->grid, *block = call->block;
    int result = 0;

    if (shared + image->static_shared > DEFAULT_SHARED)
        result = driver.set(function, 8, (int)shared);
    if (result)
        return failed_call("cuFuncSetAttribute for so much shared memory", result);
    if (image->cooperative)
        result = driver.launch_together(function, grid[0], grid[1], grid[2], block[0], block[1],
                                        block[2], (unsigned)shared, stream, params);
    else
        result = driver.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                               (unsigned)shared, stream, params, NULL);
    return result ? failed_call("cuLaunchKernel", result) : 0;
}

static int run_on_gpu(Specialisation *made, const Call *call, int number)
{
    void *(*stream_of)(int, int) = (void *(*)(int, int))find("TVMFFIEnvGetStream"), *before;
    int arch = 0, status, result;

    pthread_mutex_lock(&loading);
    status = find_context(number, &arch);
    if (status == 0 && (result = driver.push(contexts[number])) != 0)
        status = failed_call("cuCtxPushCurrent", result);
    if (status < 0) {
        pthread_mutex_unlock(&loading);
        return -1;
    }
    if (!made->loaded[number].function)
        status = load(made, number, arch);
    pthread_mutex_unlock(&loading);
    if (status == 0)
        status = launch_there(made, call, number, stream_of ? stream_of(ON_CUDA, number) : NULL);
    driver.pop(&before);
    return status;
}

/* ---- a call -------------------------------------------------------------------------------- */

/* Where all arrays lie: -1 the processor, else the number of a GPU; -2 after a complaint. */
static int place_of(const char *name, const Any *args, int count)
{
    int place = -1, first = 1;

    for (int i = 0; i < count; i++) {
        const Tensor *tensor = tensor_of(&args[i]);
        if (!tensor)
            continue;
        const int kind = tensor->device.type;
        if (kind != ON_CPU && kind != ON_CUDA && kind != ON_CUDA_HOST && kind != ON_CUDA_MANAGED)
            return fail("ValueError", "%s: argument %d lies on a device of DLPack's kind %d", name,
                        i, kind) -
                   1;
        const int on_gpu = kind == ON_CUDA || kind == ON_CUDA_MANAGED,
                  number = tensor->device.number;
        const int here = on_gpu ? number : -1;
        if (on_gpu && (number < 0 || number >= GPUS))
            return fail("ValueError", "there is no GPU %d", number) - 1;
        if (!first && here != place)
            return fail("ValueError", "%s: argument %d lies on another device than those before it",
                        name, i) -
                   1;
        place = here;
        first = 0;
    }
    return place;
}

static int take_configuration(const char *name, const Any *args, int has_shared, Call *call)
{
    if (read_extents("the grid", &args[0], call->grid) < 0 ||
        read_extents("the block", &args[1], call->block) < 0)
        return -1;
    call->shared = 0;
    if (has_shared && (args[2].type != INTEGER || args[2].as.integer < 0))
        return fail("TypeError", "%s: the bytes of dynamic shared memory are an integer", name);
    if (has_shared)
        call->shared = (uint64_t)args[2].as.integer;
    if ((uint64_t)call->block[0] * call->block[1] * call->block[2] > MOST_THREADS)
        return fail("ValueError", "%s: a block of %u x %u x %u threads: %d at the most", name,
                    call->block[0], call->block[1], call->block[2], MOST_THREADS);
    return 0;
}

/* kernel(grid, block, arguments...); between block and arguments bytes of dynamic shared memory. */
static int run(const char *name, Specialisation *made, int count, const Any *args, int given)
{
    const int wanted = made->count, own = given - wanted;
    Call call;

    if (own != 2 && own != 3)
        return fail("TypeError",
                    "%s(grid, block, ...) takes %d arguments behind these, and the bytes of "
                    "dynamic shared memory "
                    "before them if there are any: %d were given",
                    name, wanted, given);
    if (take_configuration(name, args, own == 3, &call) < 0)
        return -1;
    const int place = place_of(name, args + own, wanted);
    if (place < -1)
        return -1;
    for (int i = 0; i < count; i++) {
        if (fits(&made[i], args + own, &call))
            return place < 0 ? run_on_processor(&made[i], &call)
                             : run_on_gpu(&made[i], &call, place);
    }
    return no_match(name, made, count, args + own, wanted);
}
