/* The protocols by which other libraries take arrays of kjit's over: buffers, array interfaces,
** DLPack's tensors in capsules. */
#include "python/core/core.h"

#include <dlpack/dlpack.h>
#include <string.h>

static int on_host(const DeviceArray *self)
{
    return !self->owner->cuda || (self->array.flags & KJIT_ON_HOST) ||
           !(self->array.flags & KJIT_ON_DEVICE);
}

static PyObject *interface_dict(const kjit_interface *it)
{
    PyObject *strides = Py_None, *shape = extents_tuple(it->shape, it->rank);

    if (it->has_strides)
        strides = extents_tuple(it->strides, it->rank);
    else
        Py_INCREF(strides);
    PyObject *stream = it->stream ? PyLong_FromUnsignedLongLong(it->stream) : Py_None;
    if (!it->stream)
        Py_INCREF(stream);
    return Py_BuildValue("{sis(NN)sNsNsssN}", "version", it->version, "data",
                         PyLong_FromVoidPtr(it->data), PyBool_FromLong(it->readonly), "shape",
                         shape, "strides", strides, "typestr", it->typestr, "stream", stream);
}

/* __cuda_array_interface__ of a GPU's arrays, __array_interface__ of the host's. */
PyObject *array_interface(PyObject *object, void *closure)
{
    DeviceArray *self = (DeviceArray *)object;
    int of_cuda = closure != NULL;
    kjit_interface it = { .size = sizeof it };

    if (of_cuda ? !self->owner->cuda : !on_host(self)) {
        PyErr_Format(PyExc_AttributeError, "memory of %s: its arrays have no %s",
                     kjit_device_name(self->owner->context),
                     of_cuda ? "__cuda_array_interface__" : "__array_interface__");
        return NULL;
    }
    kjit_status status = kjit_array_interface(self->owner->context, NULL, &self->array, &it);
    if (!of_cuda)
        it.stream = 0;
    return status == KJIT_OK ? interface_dict(&it) : raise_status(status);
}

/* The formats of the module struct. */
static char *format_of(kjit_dtype dtype)
{
    switch (dtype) {
    case KJIT_DTYPE_BOOL:
        return "?";
    case KJIT_DTYPE_INT8:
        return "b";
    case KJIT_DTYPE_INT16:
        return "h";
    case KJIT_DTYPE_INT32:
        return "i";
    case KJIT_DTYPE_INT64:
        return "q";
    case KJIT_DTYPE_UINT8:
        return "B";
    case KJIT_DTYPE_UINT16:
        return "H";
    case KJIT_DTYPE_UINT32:
        return "I";
    case KJIT_DTYPE_UINT64:
        return "Q";
    case KJIT_DTYPE_FLOAT16:
        return "e";
    case KJIT_DTYPE_FLOAT32:
        return "f";
    case KJIT_DTYPE_FLOAT64:
        return "d";
    case KJIT_DTYPE_COMPLEX64:
        return "Zf";
    case KJIT_DTYPE_COMPLEX128:
        return "Zd";
    default:
        return NULL;
    }
}

/* Extents of 64 bits are what the protocol calls Py_ssize_t. */
_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents");

static int asks(int flags, int all)
{
    return (flags & all) == all;
}

/* Do the elements lie as the request for a buffer needs it? */
static int lies_so(const kjit_array *array, int flags)
{
    int rows = kjit_array_is_contiguous(array, 0), columns = kjit_array_is_contiguous(array, 1);

    if (asks(flags, PyBUF_C_CONTIGUOUS) || !asks(flags, PyBUF_STRIDES))
        return rows;
    if (asks(flags, PyBUF_F_CONTIGUOUS))
        return columns;
    return rows || columns || !asks(flags, PyBUF_ANY_CONTIGUOUS);
}

int array_buffer(PyObject *object, Py_buffer *view, int flags)
{
    DeviceArray *self = (DeviceArray *)object;
    kjit_array *array = &self->array;
    int axes = array->rank > 0;
    char *format = format_of(array->dtype);
    const char *why = !on_host(self)           ? "it lies in a GPU's memory: copy_to_host() it"
                      : !format                ? "its dtype has no format of the protocol's"
                      : !lies_so(array, flags) ? "its elements do not lie so"
                      : (flags & PyBUF_WRITABLE) && (array->flags & KJIT_READONLY)
                          ? "it is read-only"
                          : NULL;

    view->obj = NULL;
    if (why) {
        PyErr_Format(PyExc_BufferError, "a buffer of the array: %s", why);
        return -1;
    }
    *view = (Py_buffer){
        .buf = array->data,
        .obj = object,
        .len = (Py_ssize_t)kjit_array_bytes(array),
        .itemsize = (Py_ssize_t)kjit_array_itemsize(array),
        .readonly = (array->flags & KJIT_READONLY) != 0,
        .ndim = array->rank,
        .format = flags & PyBUF_FORMAT ? format : NULL,
        .shape = axes && flags & PyBUF_ND ? (Py_ssize_t *)array->shape : NULL,
        .strides = axes && asks(flags, PyBUF_STRIDES) ? (Py_ssize_t *)array->strides : NULL,
    };
    Py_INCREF(object);
    return 0;
}

/* ---- DLPack ---------------------------------------------------------------------------------- */

static const char fresh[] = "dltensor", used[] = "used_dltensor";

struct DLManagedTensor *tensor_take(PyObject *capsule)
{
    struct DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, fresh);

    if (tensor && PyCapsule_SetName(capsule, used) < 0)
        return NULL;
    return tensor;
}

/* A consumer lets go of a tensor, on any thread. */
static void let_go(void *array)
{
    if (!Py_IsInitialized()) /* the process ends, and with it the memory */
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)array);
    PyGILState_Release(state);
}

/* The tensor was never taken over. */
static void capsule_free(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, fresh))
        kjit_dlpack_release(PyCapsule_GetPointer(capsule, fresh));
}

/* Work on the array is done before another library sees it. */
static kjit_status settle(Context *context)
{
    kjit_status status = KJIT_OK;

    if (!context->cuda)
        return status;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_synchronize(context->context);
    Py_END_ALLOW_THREADS
    return status;
}

/* Does an array lie on the device that a consumer asks for? An exception if not. */
static int lies_on(PyObject *object, PyObject *asked)
{
    PyObject *own = asked && asked != Py_None ? array_dlpack_device(object, NULL) : NULL;
    int same = own ? PyObject_RichCompareBool(own, asked, Py_EQ) : !PyErr_Occurred();

    if (same == 0 && own)
        PyErr_Format(PyExc_BufferError, "__dlpack__(dl_device=%R): the array lies on %R", asked,
                     own);
    Py_XDECREF(own);
    return same > 0;
}

struct DLManagedTensor *array_tensor(DeviceArray *self, const kjit_array *array)
{
    struct DLManagedTensor *tensor;
    kjit_status status = settle(self->owner);

    if (status == KJIT_OK)
        status = kjit_to_dlpack(self->owner->context, array, let_go, self, &tensor);
    if (status != KJIT_OK) {
        raise_status(status);
        return NULL;
    }
    Py_INCREF(self);
    return tensor;
}

PyObject *array_to_dlpack(PyObject *object, PyObject *args, PyObject *words)
{
    static char *names[] = { "stream", "max_version", "dl_device", "copy", NULL };
    DeviceArray *self = (DeviceArray *)object;
    PyObject *given[4] = { NULL };
    struct DLManagedTensor *tensor;

    if (!PyArg_ParseTupleAndKeywords(args, words, "|OOOO", names, &given[0], &given[1], &given[2],
                                     &given[3]))
        return NULL;
    if (given[3] && given[3] == Py_True) {
        PyErr_SetString(PyExc_BufferError, "__dlpack__(copy=True): copy the array before");
        return NULL;
    }
    if (!lies_on(object, given[2]))
        return NULL;
    tensor = array_tensor(self, &self->array);
    if (!tensor)
        return NULL;
    PyObject *capsule = PyCapsule_New(tensor, fresh, capsule_free);
    if (!capsule)
        kjit_dlpack_release(tensor);
    return capsule;
}

/* The device's type and number, as DLPack counts them. */
PyObject *array_dlpack_device(PyObject *object, PyObject *none)
{
    DeviceArray *self = (DeviceArray *)object;
    const char *name = kjit_device_name(self->owner->context), *colon = strchr(name, ':');
    int number = colon ? colon[1] - '0' : 0;

    (void)none;
    for (const char *at = colon ? colon + 2 : ""; *at; at++)
        number = 10 * number + (*at - '0');
    return Py_BuildValue("(ii)", self->owner->cuda ? kDLCUDA : kDLCPU, number);
}
