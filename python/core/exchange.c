/* DLPack's C exchange API: tensors of other libraries, and kjit's arrays as theirs, without a call
** of Python's. A type that has it shows a table of functions in a capsule,
** `__dlpack_c_exchange_api__`.
**
** The structs are DLPack 1.2's, written out, as the headers of older systems lack them. */
#include "python/core/convert.h"

#include <dlpack/dlpack.h>
#include <stdlib.h>

enum { MAJOR = 1, MINOR = 2, FLAG_READ_ONLY = 1 };

typedef struct Version {
    uint32_t major, minor;
} Version;

/* DLManagedTensorVersioned */
struct VersionedTensor {
    Version version;
    void *manager;
    void (*deleter)(VersionedTensor *self);
    uint64_t flags;
    DLTensor tensor;
};

typedef void SetError(void *context, const char *kind, const char *message);

/* DLPackExchangeAPI. None of the functions waits for work on the tensors. */
typedef struct ExchangeApi {
    Version version;
    struct ExchangeApi *previous; /* of an older version, or NULL */
    int (*allocate)(DLTensor *like, VersionedTensor **out, void *context, SetError *set_error);
    int (*from_object)(void *object, VersionedTensor **out);
    int (*to_object)(VersionedTensor *tensor, void **out);
    int (*borrow)(void *object, DLTensor *out); /* or NULL */
    int (*current_stream)(DLDeviceType type, int32_t device, void **out);
} ExchangeApi;

static const char attribute[] = "__dlpack_c_exchange_api__", capsule_name[] = "dlpack_exchange_api";

/* ---- in -------------------------------------------------------------------------------------- */

int has_exchange(PyTypeObject *type)
{
    return PyObject_HasAttrString((PyObject *)type, attribute);
}

/* The table of a type, of the version that is read here; NULL, without an exception, if it has
** none. */
static const ExchangeApi *exchange_of(PyTypeObject *type)
{
    PyObject *capsule = PyObject_GetAttrString((PyObject *)type, attribute);
    const ExchangeApi *api = NULL;

    if (capsule && PyCapsule_IsValid(capsule, capsule_name))
        api = PyCapsule_GetPointer(capsule, capsule_name);
    Py_XDECREF(capsule); /* the type keeps it */
    PyErr_Clear();
    while (api && api->version.major > MAJOR)
        api = api->previous;
    return api && api->version.major == MAJOR ? api : NULL;
}

void versioned_release(VersionedTensor *tensor)
{
    if (tensor->deleter)
        tensor->deleter(tensor);
}

/* Reads a tensor that is released with the pack. */
static int array_of_versioned(Pack *pack, VersionedTensor *tensor, kjit_array *array)
{
    DLManagedTensor plain = { .dl_tensor = tensor->tensor };
    Held *held = hold(pack, HELD_VERSIONED);

    if (!held) {
        versioned_release(tensor);
        return -1;
    }
    held->as.versioned = tensor;
    kjit_status status = kjit_from_dlpack(pack->context->context, &plain, array);
    if (status != KJIT_OK)
        return raise_status(status), -1;
    if (tensor->flags & FLAG_READ_ONLY)
        array->flags |= KJIT_READONLY;
    return 0;
}

int array_of_exchange(Pack *pack, PyObject *object, kjit_array *array)
{
    const ExchangeApi *api = pack->context ? exchange_of(Py_TYPE(object)) : NULL;
    VersionedTensor *tensor = NULL;
    void *stream = NULL;

    if (!api)
        return 1;
    if (api->from_object(object, &tensor) != 0) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_BufferError))
            return -1;
        PyErr_Clear(); /* the tensor cannot be described so: others ways are tried */
        return 1;
    }
    DLDevice device = tensor->tensor.device;
    if (array_of_versioned(pack, tensor, array) < 0)
        return -1;
    if (!pack->context->cuda || device.device_type != kDLCUDA || !api->current_stream)
        return 0;
    if (api->current_stream(device.device_type, device.device_id, &stream) != 0)
        return -1;
    return await_handle(pack->context, stream ? stream : (void *)1 /* the legacy default */);
}

/* ---- out ------------------------------------------------------------------------------------- */

static void delete_versioned(VersionedTensor *self)
{
    kjit_dlpack_release(self->manager);
    free(self);
}

static int export_array(void *object, VersionedTensor **out)
{
    DeviceArray *self = object;
    kjit_array array = self->array;
    VersionedTensor *versioned = malloc(sizeof *versioned);
    DLManagedTensor *tensor = NULL;

    *out = NULL;
    if (!versioned) {
        PyErr_NoMemory();
        return -1;
    }
    array.flags &= ~(uint32_t)KJIT_READONLY; /* which the versioned tensor says */
    tensor = array_tensor(self, &array);
    if (!tensor) {
        free(versioned);
        return -1;
    }
    *versioned = (VersionedTensor){ .version = { MAJOR, MINOR },
                                    .manager = tensor,
                                    .deleter = delete_versioned,
                                    .flags = self->array.flags & KJIT_READONLY ? FLAG_READ_ONLY : 0,
                                    .tensor = tensor->dl_tensor };
    *out = versioned;
    return 0;
}

/* A context for arrays that no argument says it of, a new reference; NULL after an exception. */
static Context *any_context(void)
{
    PyObject *context = shared_get(&current_context);

    if (!context)
        PyErr_SetString(PyExc_RuntimeError, "no device of kjit's is open: cuda.current_context() "
                                            "opens one");
    return (Context *)context;
}

/* The class that programs see, from Python's side. */
static PyTypeObject *array_class(void)
{
    PyObject *module = PyImport_ImportModule("kjit.arrays");
    PyObject *found = module ? PyObject_GetAttrString(module, "DeviceNDArray") : NULL;

    Py_XDECREF(module);
    return (PyTypeObject *)found;
}

/* Takes the tensor over, if it can. */
static int import_array(VersionedTensor *tensor, void **out)
{
    Context *context = any_context();
    PyTypeObject *type = context ? array_class() : NULL;
    PyObject *made = NULL;
    kjit_array array;
    Pack *pack = type ? malloc(sizeof *pack) : NULL;

    *out = NULL;
    if (pack) {
        pack_begin(pack, context);
        if (array_of_versioned(pack, tensor, &array) == 0)
            made = array_of_pack(type, pack, &array);
        if (!made) {
            pack_free(pack);
            free(pack);
        }
    }
    Py_XDECREF((PyObject *)type);
    Py_XDECREF((PyObject *)context);
    *out = made;
    return made ? 0 : -1;
}

/* A new array of the extents and the dtype of another, exported at once. */
static int new_like(Context *context, DLTensor *like, VersionedTensor **out)
{
    static char somewhere[64]; /* nothing there is read */
    DLManagedTensor plain = { .dl_tensor = *like };
    kjit_array array;

    plain.dl_tensor.data = somewhere;
    plain.dl_tensor.byte_offset = 0;
    plain.dl_tensor.strides = NULL;
    kjit_status status = kjit_from_dlpack(context->context, &plain, &array);
    if (status != KJIT_OK)
        return raise_status(status), -1;
    PyTypeObject *type = array_class();
    PyObject *shape = type ? extents_tuple(array.shape, array.rank) : NULL;
    PyObject *made =
        shape ? PyObject_CallMethod((PyObject *)array_type, "__new__", "OOOi", (PyObject *)type,
                                    (PyObject *)context, shape, (int)array.dtype)
              : NULL;
    int result = made ? export_array(made, out) : -1;
    Py_XDECREF(made);
    Py_XDECREF(shape);
    Py_XDECREF((PyObject *)type);
    return result;
}

/* Is called from anywhere, and raises nothing: `set_error` gets the error. */
static int allocate(DLTensor *like, VersionedTensor **out, void *context, SetError *set_error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    Context *owner = any_context();
    int result;

    *out = NULL;
    result = owner ? new_like(owner, like, out) : -1;
    Py_XDECREF((PyObject *)owner);
    if (result < 0) {
        PyErr_Clear();
        if (set_error)
            set_error(context, "RuntimeError", "kjit cannot make an array like this tensor");
    }
    PyGILState_Release(state);
    return result;
}

/* Arrays are settled when they are exported: any stream will do. */
static int current_stream(DLDeviceType type, int32_t device, void **out)
{
    (void)type, (void)device;
    *out = NULL;
    return 0;
}

int exchange_ready(void)
{
    static ExchangeApi api = { .version = { MAJOR, MINOR },
                               .allocate = allocate,
                               .from_object = export_array,
                               .to_object = import_array,
                               .current_stream = current_stream };
    PyObject *capsule = PyCapsule_New(&api, capsule_name, NULL);
    int status = capsule ? PyObject_SetAttrString((PyObject *)array_type, attribute, capsule) : -1;

    Py_XDECREF(capsule);
    return status;
}
