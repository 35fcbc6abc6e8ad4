/* Arrays of other libraries, by what they export: a buffer, an array interface, a DLPack tensor. */
#include "python/core/convert.h"

#include <string.h>

/* ---- buffers --------------------------------------------------------------------------------- */

static kjit_dtype signed_dtype(Py_ssize_t bytes)
{
    return bytes == 1   ? KJIT_DTYPE_INT8
           : bytes == 2 ? KJIT_DTYPE_INT16
           : bytes == 4 ? KJIT_DTYPE_INT32
                        : KJIT_DTYPE_INT64;
}

static kjit_dtype unsigned_dtype(Py_ssize_t bytes)
{
    return bytes == 1   ? KJIT_DTYPE_UINT8
           : bytes == 2 ? KJIT_DTYPE_UINT16
           : bytes == 4 ? KJIT_DTYPE_UINT32
                        : KJIT_DTYPE_UINT64;
}

/* The dtype of a format's letters; NONE if they name anything but one number. */
static kjit_dtype dtype_named(const char *format, Py_ssize_t bytes)
{
    format += *format == '@' || *format == '=' || *format == '<' || *format == '^';
    if (format[0] == 'Z' && format[1] && !format[2])
        return format[1] == 'f'   ? KJIT_DTYPE_COMPLEX64
               : format[1] == 'd' ? KJIT_DTYPE_COMPLEX128
                                  : KJIT_DTYPE_NONE;
    if (!format[0] || format[1])
        return KJIT_DTYPE_NONE;
    switch (format[0]) {
    case '?':
        return KJIT_DTYPE_BOOL;
    case 'e':
        return KJIT_DTYPE_FLOAT16;
    case 'f':
        return KJIT_DTYPE_FLOAT32;
    case 'd':
        return KJIT_DTYPE_FLOAT64;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
        return signed_dtype(bytes);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
    case 'c':
        return unsigned_dtype(bytes);
    default:
        return KJIT_DTYPE_NONE;
    }
}

/* The dtype of a format as the module struct has it, of one number; NONE if it is anything else,
** or if its numbers are of another size than the exporter says. */
kjit_dtype dtype_of_format(const char *format, Py_ssize_t bytes)
{
    kjit_dtype dtype = format ? dtype_named(format, bytes) : KJIT_DTYPE_UINT8;

    return (Py_ssize_t)kjit_dtype_bytes(dtype) == bytes ? dtype : KJIT_DTYPE_NONE;
}

static int too_many_axes(int rank)
{
    PyErr_Format(PyExc_TypeError, "an array of %d axes: kernels take up to %d", rank,
                 KJIT_RANK_MAX);
    return -1;
}

/* The array of an exported buffer; 1 if its format is none of one number. */
static int array_of_view(const Py_buffer *view, kjit_array *array)
{
    int64_t stride = view->itemsize;

    array->dtype = dtype_of_format(view->format, view->itemsize);
    if (array->dtype == KJIT_DTYPE_NONE || view->suboffsets)
        return 1;
    if (view->ndim > KJIT_RANK_MAX)
        return too_many_axes(view->ndim);
    array->data = view->buf;
    array->rank = view->ndim;
    array->flags = view->readonly ? KJIT_READONLY : 0;
    array->record = NULL;
    for (int i = view->ndim - 1; i >= 0; i--) {
        array->shape[i] = view->shape[i];
        array->strides[i] = view->strides ? view->strides[i] : stride; /* ctypes gives none */
        stride *= view->shape[i];
    }
    return 0;
}

/* Forgets an exception of that kind; 1 if what was raised is of another. */
static int unless(PyObject *kind)
{
    if (!PyErr_ExceptionMatches(kind))
        return 1;
    PyErr_Clear();
    return 0;
}

/* Reads a buffer; 1 if the object exports none that can be read so. */
int array_of_buffer(Pack *pack, PyObject *object, kjit_array *array)
{
    Held *held = hold(pack, HELD_BUFFER);
    int status;

    if (!held)
        return -1;
    if (PyObject_GetBuffer(object, &held->as.view, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        pack->held_count--;
        /* These say that the protocol has no format for the dtype. */
        return unless(PyExc_BufferError) && unless(PyExc_ValueError) && unless(PyExc_TypeError) ? -1
                                                                                                : 1;
    }
    status = array_of_view(&held->as.view, array);
    if (status) {
        pack->held_count--;
        let_go_of(&pack->held[pack->held_count]);
    }
    return status;
}

/* ---- NumPy's arrays ------------------------------------------------------------------------ */

/* What every array of NumPy's begins with. Extensions are compiled for it: it is the same from 1.7
** to 2.x. */
typedef struct NumpyArray {
    PyObject_HEAD char *data;
    int rank;
    Py_ssize_t *shape, *strides;
    PyObject *base, *descr;
    int flags;
} NumpyArray;

enum { NUMPY_ROWS = 1, NUMPY_COLUMNS = 2, NUMPY_WRITEABLE = 0x400 };

static Notes described; /* of NumPy's dtypes: kjit's, which the buffer protocol gave for them */

/* As the buffer protocol has them: an axis of one element may have any stride in NumPy. */
static void numpy_strides(const NumpyArray *self, int64_t stride, int64_t strides[])
{
    int count = self->rank, rows = self->flags & NUMPY_ROWS, columns = self->flags & NUMPY_COLUMNS;

    for (int i = 0; i < count; i++) {
        int axis = rows ? count - 1 - i : i;
        strides[axis] = rows || columns ? stride : self->strides[axis];
        stride *= self->shape[axis];
    }
}

/* Is the array laid out as is thought here? Then its dtype is known from now on. */
static void learn(const NumpyArray *self, const Py_buffer *view, kjit_dtype dtype)
{
    if (self->data != view->buf || self->rank != view->ndim ||
        !(self->flags & NUMPY_WRITEABLE) == !view->readonly ||
        memcmp(self->shape, view->shape, (size_t)view->ndim * sizeof *view->shape) != 0)
        return;
    notes_add(&described, self->descr, dtype);
}

int array_of_numpy(Pack *pack, PyObject *object, kjit_array *array)
{
    const NumpyArray *self = (const NumpyArray *)object;
    kjit_dtype dtype = (kjit_dtype)notes_find(&described, self->descr);
    Held *held;

    if (dtype == KJIT_DTYPE_NONE || self->flags < 0 || self->rank > KJIT_RANK_MAX) {
        int status = array_of_buffer(pack, object, array);
        if (status == 0 && array->rank)
            learn(self, &pack->held[pack->held_count - 1].as.view, array->dtype);
        return status;
    }
    held = hold(pack, HELD_OBJECT);
    if (!held)
        return -1;
    Py_INCREF(object);
    held->as.object = object;
    array->data = self->data;
    array->dtype = dtype;
    array->rank = self->rank;
    array->flags = self->flags & NUMPY_WRITEABLE ? 0 : KJIT_READONLY;
    array->record = NULL;
    for (int i = 0; i < self->rank; i++)
        array->shape[i] = self->shape[i];
    numpy_strides(self, (int64_t)kjit_dtype_bytes(dtype), array->strides);
    return 0;
}

/* ---- array interfaces ------------------------------------------------------------------------ */

static int wrong_interface(const char *what)
{
    PyErr_Format(PyExc_TypeError, "an array interface whose %s makes no sense", what);
    return -1;
}

/* A tuple of numbers; gives how many, or -1 without an exception. */
static int read_numbers(PyObject *tuple, int64_t numbers[KJIT_RANK_MAX])
{
    Py_ssize_t count = tuple && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;

    for (Py_ssize_t i = 0; i < count && i < KJIT_RANK_MAX; i++) {
        numbers[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if (numbers[i] == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return -1;
        }
    }
    return (int)count;
}

static int read_typestr(PyObject *dict, kjit_interface *it)
{
    PyObject *text = PyDict_GetItemString(dict, "typestr");
    PyObject *bytes = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8String(text) : NULL;
    size_t length = bytes ? (size_t)PyBytes_Size(bytes) : sizeof it->typestr;

    if (length < sizeof it->typestr)
        memcpy(it->typestr, PyBytes_AsString(bytes), length + 1);
    Py_XDECREF(bytes);
    PyErr_Clear();
    return length < sizeof it->typestr ? 0 : wrong_interface("typestr");
}

static int read_interface(PyObject *dict, kjit_interface *it)
{
    PyObject *data, *strides, *mask;

    *it = (kjit_interface){ .size = sizeof *it, .version = 3 };
    it->rank = read_numbers(PyDict_GetItemString(dict, "shape"), it->shape);
    if (it->rank < 0)
        return wrong_interface("shape");
    if (it->rank > KJIT_RANK_MAX)
        return too_many_axes(it->rank);
    data = PyDict_GetItemString(dict, "data");
    if (!data || !PyTuple_Check(data) || PyTuple_Size(data) != 2)
        return wrong_interface("data");
    it->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
    it->readonly = PyObject_IsTrue(PyTuple_GetItem(data, 1));
    if (PyErr_Occurred())
        return -1;
    strides = PyDict_GetItemString(dict, "strides");
    it->has_strides = strides && strides != Py_None;
    if (it->has_strides && read_numbers(strides, it->strides) != it->rank)
        return wrong_interface("strides");
    mask = PyDict_GetItemString(dict, "mask");
    it->has_mask = mask && mask != Py_None;
    return read_typestr(dict, it);
}

int await_handle(const Context *context, void *handle)
{
    kjit_stream *stream;
    kjit_status status;

    Py_BEGIN_ALLOW_THREADS
        status = kjit_stream_foreign(context->context, handle, &stream);
        if (status == KJIT_OK)
            status = kjit_stream_synchronize(stream);
        kjit_stream_close(stream);
    Py_END_ALLOW_THREADS
    return status == KJIT_OK ? 0 : (raise_status(status), -1);
}

/* The stream that an interface names has to be done before a launch on another. */
static int await_stream(Pack *pack, PyObject *dict)
{
    PyObject *number = PyDict_GetItemString(dict, "stream");

    if (!number || number == Py_None || !pack->context || !pack->context->cuda)
        return 0;
    void *handle = PyLong_AsVoidPtr(number);
    return PyErr_Occurred() ? -1 : await_handle(pack->context, handle);
}

/* An object's attribute of that name, a new reference to a dict that is not shared; NULL
** with an exception, or without one if there is no such attribute. */
static PyObject *interface_of(PyObject *object, const char *name)
{
    PyObject *given = PyObject_GetAttrString(object, name), *dict;

    if (!given) {
        unless(PyExc_AttributeError);
        return NULL;
    }
    if (PyDict_Check(given)) {
        dict = PyDict_Copy(given);
    } else {
        wrong_interface("dict");
        dict = NULL;
    }
    Py_DECREF(given);
    return dict;
}

/* Reads an object's attribute of that name; 1 if it has none. */
int array_of_interface(Pack *pack, PyObject *object, const char *name, uint32_t flags,
                       kjit_array *array)
{
    PyObject *dict = interface_of(object, name), *record = NULL, *dtype;
    kjit_interface it;
    Held *held;

    if (!dict)
        return PyErr_Occurred() ? -1 : 1;
    held = hold(pack, HELD_OBJECT);
    if (!held) {
        Py_DECREF(dict);
        return -1;
    }
    held->as.object = dict;
    if (read_interface(dict, &it) < 0 || (flags && await_stream(pack, dict) < 0))
        return -1;
    if (it.typestr[1] && strchr("VSU", it.typestr[1])) {
        dtype = PyObject_GetAttrString(object, "dtype");
        record = dtype ? PyObject_CallFunctionObjArgs(hooks.record, dtype, NULL) : NULL;
        Py_XDECREF(dtype);
        if (!record)
            return -1;
        held = hold(pack, HELD_OBJECT);
        if (!held) {
            Py_DECREF(record);
            return -1;
        }
        held->as.object = record;
        if (Py_TYPE(record) == record_type)
            it.record = &((Record *)record)->record;
    }
    kjit_status status = kjit_interface_array(&it, flags, array);
    return status == KJIT_OK ? 0 : (raise_status(status), -1);
}

/* ---- DLPack ---------------------------------------------------------------------------------- */

/* Takes the tensor that obj.__dlpack__() gives; 1 if it has no such method. */
int array_of_dlpack(Pack *pack, PyObject *object, kjit_array *array)
{
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__"), *capsule;
    struct DLManagedTensor *tensor;
    kjit_status status;
    Held *held;

    if (!method)
        return unless(PyExc_AttributeError) ? -1 : 1;
    if (!pack->context) {
        Py_DECREF(method);
        return 1;
    }
    capsule = PyObject_CallObject(method, NULL);
    Py_DECREF(method);
    if (!capsule)
        return -1;
    tensor = tensor_take(capsule);
    Py_DECREF(capsule);
    if (!tensor)
        return -1;
    held = hold(pack, HELD_TENSOR);
    if (!held) {
        kjit_dlpack_release(tensor);
        return -1;
    }
    held->as.tensor = tensor;
    status = kjit_from_dlpack(pack->context->context, tensor, array);
    return status == KJIT_OK ? 0 : (raise_status(status), -1);
}
