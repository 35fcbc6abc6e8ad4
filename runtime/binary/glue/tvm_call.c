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

/* A function of TVM FFI's, which the calling program has loaded. */
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

/* A number; whether it fits an integer is decided by its value, as Python's numbers have no
** width. */
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

