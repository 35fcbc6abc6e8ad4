/* What a library of kernels for TVM FFI has beside them: from the arguments of a call to those of a
** kernel, and the launch, on the processor or on a GPU by CUDA's driver. Plain C, on nothing but
** the C library: TVM FFI and the driver are looked up when something is called. Behind this text
** come tables that say what kernels there are, and for each a function `kernel(grid, block, ...)`.
**
** Any, Object, Sequence and Tensor are laid out as TVM FFI and DLPack have them for good. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- TVM FFI and DLPack -------------------------------------------------------------------- */

enum {
    NONE = 0,
    INTEGER = 1,
    BOOLEAN = 2,
    REAL = 3,
    TENSOR_POINTER = 7,
    SHAPE = 69,
    TENSOR = 70,
    ARRAY = 71,
    LIST = 77
};
enum { ON_CPU = 1, ON_CUDA = 2, ON_CUDA_HOST = 3, ON_CUDA_MANAGED = 13 };

typedef struct Any {
    int32_t type;
    uint32_t padding;
    union {
        int64_t integer;
        double real;
        void *pointer;
    } as;
} Any;

/* What every object begins with. */
typedef struct Object {
    uint64_t counts;
    int32_t type;
    uint32_t padding;
    void (*deleter)(void *, int);
} Object;

/* Behind the object of a tuple, list or shape. */
typedef struct Sequence {
    void *data;
    int64_t size;
} Sequence;

typedef struct Tensor {
    void *data;
    struct {
        int32_t type, number;
    } device;
    int32_t rank;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* strides: of elements; NULL: rows without gaps */
    uint64_t offset;
} Tensor;

/* A function of TVM FFI's, which whoever calls has loaded. */
static void *find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name), *library;

    if (found)
        return found;
    library = dlopen("libtvm_ffi.so", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

__attribute__((format(printf, 2, 3))) static int fail(const char *kind, const char *format, ...)
{
    void (*raise)(const char *, const char *) =
        (void (*)(const char *, const char *))find("TVMFFIErrorSetRaisedFromCStr");
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (raise)
        raise(kind, text);
    return -1;
}

/* ---- what the tables are made of ----------------------------------------------------------- */

typedef struct KjitHostLaunch KjitHostLaunch;
typedef int KjitHostWork(void *const *params, const KjitHostLaunch *launch, long long chunk,
                         long long *next, void *shared);
typedef int KjitEntry(void *const *params, const KjitHostLaunch *launch);
struct KjitHostLaunch {
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    int (*share)(KjitHostWork *work, void *const *params, const KjitHostLaunch *launch,
                 long long count, void *shared);
};

enum { ROWS, COLUMNS, ANY_LAYOUT }; /* of an array */

/* `rank` is -1 of a number. Dtypes are DLPack's. */
typedef struct Param {
    int rank, layout;
    uint8_t code, bits;
} Param;

/* Code of a specialisation for a GPU: `arch` is 90 of sm_90, and suffixed if it has a letter. */
typedef struct Image {
    int arch, suffixed, is_ptx;
    const unsigned char *bytes;
    const char *entry;
    int carveout, cooperative;
    unsigned static_shared, moved_shared;
} Image;

enum { GPUS = 64, PARAMS = 512, DEFAULT_SHARED = 48 << 10, MOST_THREADS = 1024 };

typedef struct Specialisation {
    const char *call; /* "add(float32[::1], int32)" */
    const Param *params;
    int count;
    KjitEntry *entry; /* NULL: not for the processor */
    const Image *images;
    int image_count;
    struct {
        void *function;
        const Image *image;
    } loaded[GPUS];
} Specialisation;

/* A call's arguments as a kernel takes them. */
typedef struct Call {
    uint32_t grid[3], block[3];
    uint64_t shared, slots[PARAMS];
    void *params[PARAMS];
    int used;
} Call;

/* ---- the configuration --------------------------------------------------------------------- */

static int read_extent(const char *what, int64_t given, uint32_t *out)
{
    if (given < 1 || given > 2147483647)
        return fail("ValueError", "%s: %lld is not at least 1", what, (long long)given);
    *out = (uint32_t)given;
    return 0;
}

/* An integer, or one to three of them. */
static int read_extents(const char *what, const Any *given, uint32_t out[3])
{
    const Sequence *list = (const Sequence *)((const Object *)given->as.pointer + 1);

    out[0] = out[1] = out[2] = 1;
    if (given->type == INTEGER)
        return read_extent(what, given->as.integer, &out[0]);
    if (given->type != SHAPE && given->type != ARRAY && given->type != LIST)
        return fail("TypeError", "%s is an integer or a tuple of up to three", what);
    if (list->size < 1 || list->size > 3)
        return fail("ValueError", "%s has %lld axes: there are one to three", what,
                    (long long)list->size);
    for (int i = 0; i < list->size; i++) {
        const Any *item = (const Any *)list->data + i;
        if (given->type != SHAPE && item->type != INTEGER)
            return fail("TypeError", "%s is an integer or a tuple of up to three", what);
        if (read_extent(what,
                        given->type == SHAPE ? ((const int64_t *)list->data)[i] : item->as.integer,
                        &out[i]) < 0)
            return -1;
    }
    return 0;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static const Tensor *tensor_of(const Any *given)
{
    if (given->type == TENSOR_POINTER)
        return given->as.pointer;
    return given->type == TENSOR ? (const Tensor *)((const Object *)given->as.pointer + 1) : NULL;
}

/* A stride, in elements. */
static int64_t stride_of(const Tensor *tensor, int axis)
{
    int64_t stride = 1;

    if (tensor->strides)
        return tensor->strides[axis];
    for (int i = axis + 1; i < tensor->rank; i++)
        stride *= tensor->shape[i];
    return stride;
}

/* Do the elements follow one another, the last axis varying fastest, or the first? */
static int is_dense(const Tensor *tensor, int by_columns)
{
    int64_t next = 1, elements = 1;

    for (int i = 0; i < tensor->rank; i++)
        elements *= tensor->shape[i];
    for (int i = 0; i < tensor->rank && elements; i++) {
        const int axis = by_columns ? i : tensor->rank - 1 - i;
        if (tensor->shape[axis] != 1 && stride_of(tensor, axis) != next)
            return 0;
        next *= tensor->shape[axis];
    }
    return 1;
}

static uint64_t *next_param(Call *call)
{
    call->params[call->used] = &call->slots[call->used];
    call->slots[call->used] = 0;
    return &call->slots[call->used++];
}

static int take_tensor(Call *call, const Param *param, const Tensor *tensor)
{
    const int bytes = param->bits / 8;

    if (!tensor || tensor->rank != param->rank || tensor->dtype.code != param->code ||
        tensor->dtype.bits != param->bits || tensor->dtype.lanes != 1)
        return 0;
    if (param->layout != ANY_LAYOUT && !is_dense(tensor, param->layout == COLUMNS))
        return 0;
    *next_param(call) = (uint64_t)(uintptr_t)tensor->data + tensor->offset;
    for (int i = 0; i < tensor->rank; i++)
        *next_param(call) = (uint64_t)tensor->shape[i];
    for (int i = 0; i < tensor->rank && param->layout == ANY_LAYOUT; i++)
        *next_param(call) = (uint64_t)(stride_of(tensor, i) * bytes);
    return 1;
}

/* The bits of a float of 16 with so many bits of a fraction: rounded to the nearest, to even. */
static uint16_t narrow(double x, int fraction, int bias)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0,
                   infinity = (uint16_t)((2 * bias + 1) << fraction);
    int exponent;

    if (isnan(x))
        return (uint16_t)(sign | infinity | 1 << (fraction - 1));
    if (isinf(x) || x == 0)
        return isinf(x) ? sign | infinity : sign;
    frexp(x, &exponent);
    exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    const double bits =
        rint(ldexp(fabs(x), fraction - exponent)) + ldexp(exponent + bias - 1, fraction);
    return bits >= infinity ? sign | infinity : (uint16_t)(sign | (uint16_t)bits);
}

static void store_real(uint64_t *slot, const Param *param, double value)
{
    const float single = (float)value;
    const uint16_t half = param->code == 4 ? narrow(value, 7, 127) : narrow(value, 10, 15);

    memcpy(slot,
           param->bits == 64   ? (const void *)&value
           : param->bits == 32 ? (const void *)&single
                               : (const void *)&half,
           param->bits / 8);
}

static int goes_into(int64_t value, const Param *param)
{
    if (param->code == 6)
        return value == 0 || value == 1;
    if (param->code == 1)
        return value >= 0 && (param->bits == 64 || value >> param->bits == 0);
    return param->bits == 64 ||
           (value >= -((int64_t)1 << (param->bits - 1)) && value < (int64_t)1 << (param->bits - 1));
}

/* A number; what fits an integer is told by its value, as Python's numbers have no width. */
static int take_number(Call *call, const Param *param, const Any *given)
{
    const int is_real = param->code == 2 || param->code == 4;

    if (given->type != INTEGER && given->type != BOOLEAN && (given->type != REAL || !is_real))
        return 0;
    if (!is_real && !goes_into(given->as.integer, param))
        return 0;
    if (is_real)
        store_real(next_param(call), param,
                   given->type == REAL ? given->as.real : (double)given->as.integer);
    else
        memcpy(next_param(call), &given->as.integer, param->bits / 8);
    return 1;
}

static int fits(const Specialisation *made, const Any *args, Call *call)
{
    call->used = 0;
    for (int i = 0; i < made->count; i++) {
        const Param *param = &made->params[i];
        if (!(param->rank < 0 ? take_number(call, param, &args[i])
                              : take_tensor(call, param, tensor_of(&args[i]))))
            return 0;
    }
    return 1;
}

/* ---- messages ------------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t room, const char *format,
                                                      ...)
{
    const size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, room - used, format, args);
    va_end(args);
}

/* An argument's type as signatures have it. */
static void add_type(char *text, size_t room, const Any *given)
{
    static const char *const codes[] = { "int",    "uint",    "float", "handle",
                                         "bfloat", "complex", "bool" };
    const Tensor *tensor = tensor_of(given);

    if (!tensor) {
        add(text, room, "%s",
            given->type == INTEGER   ? "int"
            : given->type == BOOLEAN ? "bool"
            : given->type == REAL    ? "float"
                                     : "an object");
        return;
    }
    const int code = tensor->dtype.code, is_known = code < 7;
    add(text, room, is_known ? code == 6 ? "%s[" : "%s%d[" : "%s%d[",
        is_known ? codes[code] : "float8 of code ", is_known ? tensor->dtype.bits : code);
    for (int i = 0; i < tensor->rank; i++)
        add(text, room, i + 1 < tensor->rank ? ":, " : is_dense(tensor, 0) ? "::1" : ":");
    add(text, room, "]");
}

static int no_match(const char *name, const Specialisation *made, int count, const Any *args,
                    int given)
{
    char text[1600] = "";

    for (int i = 0; i < given; i++) {
        add(text, sizeof text, i ? ", " : "");
        add_type(text, sizeof text, &args[i]);
    }
    add(text, sizeof text, "); there is");
    for (int i = 0; i < count; i++)
        add(text, sizeof text, "%s %s", i ? "," : "", made[i].call);
    return fail("TypeError", "no matching definition for %s(%s", name, text);
}

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
    int (*set)(void *, int, int), (*name_error)(int, const char **);
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
    int result;

    if (!image)
        return fail("RuntimeError", "%s was not built for a GPU of sm_%d: kjit build --arch sm_%d",
                    made->call, arch, arch);
    if ((result = driver.load(&module, image->bytes, 0, NULL, NULL)) != 0)
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
