/* DLPack: exchanging arrays with other libraries of the process.
**
** A DLManagedTensor is a description of an array with a function that releases it. The code for
** bool, used here, is of DLPack 0.6; older consumers reject it. */
#include "runtime/array/array.h"

#include <dlpack/dlpack.h>

/* kDLBool, kDLFloat8_e4m3fn, kDLFloat8_e5m2: newer than some headers */
enum { DL_BOOL = 6, DL_FLOAT8_E4M3FN = 10, DL_FLOAT8_E5M2 = 12 };

typedef struct Tensor {
    DLManagedTensor managed;
    int64_t shape[KJIT_RANK_MAX], strides[KJIT_RANK_MAX];
    void (*release)(void *data);
    void *data;
} Tensor;

/* ---- dtypes --------------------------------------------------------------------------- */

/* DLPack's code of a dtype; -1 if it has none. */
static int code_of(kjit_dtype dtype)
{
    enum {
        BOOL = DL_BOOL,
        SIGNED = kDLInt,
        UNSIGNED = kDLUInt,
        FLOAT = kDLFloat,
        COMPLEX = kDLComplex
    };
    static const int codes[] = {
        -1,
#define TYPE(NAME, name, bytes, class, descr) class,
#include "ir/types/types.def"
    };

    if (dtype == KJIT_DTYPE_BFLOAT16)
        return kDLBfloat;
    if (dtype == KJIT_DTYPE_FLOAT8_E4M3 || dtype == KJIT_DTYPE_FLOAT8_E5M2)
        return dtype == KJIT_DTYPE_FLOAT8_E4M3 ? DL_FLOAT8_E4M3FN : DL_FLOAT8_E5M2;
    return (size_t)dtype < ARRAY_COUNT(codes) ? codes[dtype] : -1;
}

static kjit_dtype dtype_of(DLDataType type)
{
    for (int i = KJIT_DTYPE_BOOL; i <= KJIT_DTYPE_FLOAT8_E5M2; i++) {
        kjit_dtype dtype = (kjit_dtype)i;
        if (code_of(dtype) == type.code && kjit_dtype_bytes(dtype) * 8 == type.bits)
            return dtype;
    }
    return KJIT_DTYPE_NONE;
}

/* ---- devices -------------------------------------------------------------------------- */

/* The number in "cuda:1". */
static int ordinal_of(const kjit_context *context)
{
    return atoi(context->device->name + strlen("cuda:"));
}

/* The device of an array; the kind of memory is known for allocations of the context. */
static DLDevice device_of(kjit_context *context, const kjit_array *array)
{
    DLDevice device = { kDLCPU, 0 };
    Block block;

    if (!device_is_gpu(context->device))
        return device;
    bool ours = blocks_find(&context->blocks, array->data, &block);
    if (ours && (block.kind == KJIT_MEMORY_PINNED || block.kind == KJIT_MEMORY_MAPPED))
        device.device_type = kDLCUDAHost;
    else if (array->flags & KJIT_ON_HOST)
        device.device_type = kDLCUDAManaged;
    else if (array->flags & KJIT_ON_DEVICE)
        device = (DLDevice){ kDLCUDA, ordinal_of(context) };
    return device;
}

/* ---- out ------------------------------------------------------------------------------ */

static void delete_tensor(DLManagedTensor *managed)
{
    Tensor *tensor = managed->manager_ctx;

    if (tensor->release)
        tensor->release(tensor->data);
    memory_free(tensor);
}

static kjit_status check_exportable(const kjit_array *array)
{
    uint64_t total;

    if (!array_check(array, "the array", &total))
        return KJIT_ARGUMENT;
    if (array->dtype == KJIT_DTYPE_RECORD)
        return error_set(KJIT_ARGUMENT, "error: DLPack has no records\n"
                                        "note: kjit_array_field() makes arrays of their fields");
    if (code_of(array->dtype) < 0)
        return error_set(KJIT_ARGUMENT,
                         "error: DLPack has no %s\nnote: kjit_array_view() sees it as int64",
                         kjit_dtype_name(array->dtype));
    if (array->flags & KJIT_READONLY)
        return error_set(KJIT_ARGUMENT,
                         "error: the array is read-only, which DLPack cannot say\n"
                         "note: copy it, or clear KJIT_READONLY if the consumer only reads");
    size_t bytes = kjit_dtype_bytes(array->dtype);
    for (int i = 0; i < array->rank; i++) {
        if (array->shape[i] > 1 && array->strides[i] % (int64_t)bytes != 0)
            return error_set(KJIT_ARGUMENT,
                             "error: the stride of axis %d is %lld bytes, and DLPack counts in "
                             "elements of %zu",
                             i, (long long)array->strides[i], bytes);
    }
    return KJIT_OK;
}

kjit_status kjit_to_dlpack(kjit_context *context, const kjit_array *array,
                           void (*release)(void *data), void *data, DLManagedTensor **out)
{
    *out = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    KJIT_TRY(check_exportable(array));
    Tensor *tensor = memory_zeroed(1, sizeof *tensor);
    if (!tensor)
        return error_memory();
    int64_t bytes = (int64_t)kjit_dtype_bytes(array->dtype);
    for (int i = 0; i < array->rank; i++) {
        tensor->shape[i] = array->shape[i];
        tensor->strides[i] = array->strides[i] / bytes;
    }
    tensor->release = release;
    tensor->data = data;
    /* The offset is 0, as many consumers assume. */
    tensor->managed = (DLManagedTensor){
        .dl_tensor = { .data = array->data,
                       .device = device_of(context, array),
                       .ndim = array->rank,
                       .dtype = { (uint8_t)code_of(array->dtype), (uint8_t)(8 * bytes), 1 },
                       .shape = tensor->shape,
                       .strides = tensor->strides },
        .manager_ctx = tensor,
        .deleter = delete_tensor,
    };
    *out = &tensor->managed;
    return KJIT_OK;
}

/* ---- in ------------------------------------------------------------------------------- */

static kjit_status read_device(const kjit_context *context, DLDevice device, uint32_t *flags)
{
    bool processor = !device_is_gpu(context->device);
    int type = (int)device.device_type;

    *flags = 0;
    switch (type) {
    case kDLCPU:
    case kDLCUDAHost:
        return KJIT_OK;
    case kDLCUDAManaged:
        *flags = processor ? 0 : KJIT_ON_DEVICE | KJIT_ON_HOST;
        return KJIT_OK;
    case kDLCUDA:
        *flags = KJIT_ON_DEVICE;
        if (!processor && device.device_id == ordinal_of(context))
            return KJIT_OK;
        return error_set(KJIT_ARGUMENT,
                         "error: the tensor is on cuda:%d, and the context is one of %s\n"
                         "note: kjit_open() opens the former; or have the tensor's owner copy it",
                         device.device_id, context->device->name);
    default:
        return error_set(KJIT_ARGUMENT,
                         "error: the tensor is on a device of DLPack's type %d, neither a CPU nor "
                         "an NVIDIA GPU\nnote: have its owner copy it there",
                         type);
    }
}

static kjit_status read_dtype(DLDataType type, kjit_dtype *dtype)
{
    *dtype = dtype_of(type);
    if (type.lanes != 1)
        return error_set(KJIT_ARGUMENT,
                         "error: the tensor's elements are vectors of %d numbers\n"
                         "note: kjit takes an axis of that many instead",
                         type.lanes);
    if (*dtype == KJIT_DTYPE_NONE)
        return error_set(KJIT_ARGUMENT, "error: kjit has no dtype of DLPack's code %d and %d bits",
                         type.code, type.bits);
    return KJIT_OK;
}

static kjit_status read_strides(const DLTensor *tensor, kjit_array *array)
{
    int64_t bytes = (int64_t)kjit_dtype_bytes(array->dtype);

    array_set_strides(array, false);
    for (int i = 0; tensor->strides && i < array->rank; i++) {
        if (__builtin_mul_overflow(tensor->strides[i], bytes, &array->strides[i]))
            return error_set(KJIT_ARGUMENT,
                             "error: axis %d of the tensor has a stride of %lld elements", i,
                             (long long)tensor->strides[i]);
    }
    return KJIT_OK;
}

kjit_status kjit_from_dlpack(kjit_context *context, const DLManagedTensor *managed,
                             kjit_array *array)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    const DLTensor *tensor = &managed->dl_tensor;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    uint32_t flags = 0;
    uint64_t bytes;

    memset(array, 0, sizeof *array);
    if (tensor->ndim < 0 || tensor->ndim > KJIT_RANK_MAX || (tensor->ndim && !tensor->shape))
        return error_set(KJIT_ARGUMENT, "error: the tensor has %d axes, and kjit's arrays 0 to %d",
                         tensor->ndim, KJIT_RANK_MAX);
    KJIT_TRY(read_device(context, tensor->device, &flags));
    KJIT_TRY(read_dtype(tensor->dtype, &dtype));
    kjit_array made = kjit_host_array(NULL, dtype, tensor->ndim, tensor->shape);
    if (tensor->data)
        made.data = (char *)tensor->data + tensor->byte_offset;
    made.flags = flags;
    KJIT_TRY(read_strides(tensor, &made));
    if (!array_check(&made, "the tensor", &bytes))
        return KJIT_ARGUMENT;
    *array = made;
    return KJIT_OK;
}

void kjit_dlpack_release(DLManagedTensor *tensor)
{
    if (tensor && tensor->deleter)
        tensor->deleter(tensor);
}
