/* Arrays of a context's memory, and views of them: what NumPy's arrays have of shape and
** layout. By which protocols other libraries take them over is in export.c. */
#include "python/core/core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *array_type, *record_type;

/* ---- extents and dtypes ---------------------------------------------------------------------- */

/* The extents of a tuple or a number; -1 after an exception. */
static int read_extents(PyObject *object, int64_t extents[KJIT_RANK_MAX], int32_t *rank)
{
    int sequence = PyTuple_Check(object) || PyList_Check(object);
    Py_ssize_t count = sequence ? PySequence_Size(object) : 1;

    if (count > KJIT_RANK_MAX) {
        PyErr_Format(PyExc_ValueError, "%zd axes: arrays have up to %d", count, KJIT_RANK_MAX);
        return -1;
    }
    *rank = (int32_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = sequence ? PySequence_GetItem(object, i) : object;
        PyObject *whole = item ? PyNumber_Index(item) : NULL;
        extents[i] = whole ? PyLong_AsLongLong(whole) : -1;
        Py_XDECREF(whole);
        if (sequence)
            Py_XDECREF(item);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

PyObject *extents_tuple(const int64_t *extents, int32_t rank)
{
    PyObject *tuple = PyTuple_New(rank);

    for (int32_t i = 0; tuple && i < rank; i++) {
        PyObject *number = PyLong_FromLongLong(extents[i]);
        if (!number || PyTuple_SetItem(tuple, i, number) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* The kjit_dtype of a number, or a Record, which comes back borrowed; -1 after an exception. */
static int read_dtype(PyObject *object, kjit_dtype *dtype, PyObject **record)
{
    *record = NULL;
    *dtype = KJIT_DTYPE_RECORD;
    if (Py_TYPE(object) == record_type) {
        *record = object;
        return 0;
    }
    long code = PyLong_AsLong(object);
    if (code == -1 && PyErr_Occurred())
        return -1;
    *dtype = (kjit_dtype)code;
    return 0;
}

static const kjit_record *record_of(PyObject *record)
{
    return record ? &((Record *)record)->record : NULL;
}

/* ---- records --------------------------------------------------------------------------------- */

/* One field of (name, dtype, offset, shape); the name is bytes. */
static int read_field(PyObject *row, kjit_field *field)
{
    PyObject *dtype, *shape, *inner;
    const char *name;
    Py_ssize_t offset;

    if (!PyArg_ParseTuple(row, "yOnO", &name, &dtype, &offset, &shape) ||
        read_dtype(dtype, &field->dtype, &inner) < 0 ||
        read_extents(shape, field->shape, &field->rank) < 0)
        return -1;
    field->name = name;
    field->offset = (size_t)offset;
    field->record = record_of(inner);
    return 0;
}

/* Record(bytes, fields): the fields are a tuple of tuples. */
static PyObject *record_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    PyObject *rows;
    Py_ssize_t bytes;

    (void)words;
    if (!PyArg_ParseTuple(args, "nO!", &bytes, &PyTuple_Type, &rows))
        return NULL;
    Py_ssize_t count = PyTuple_Size(rows);
    kjit_field *fields = calloc((size_t)count + 1, sizeof *fields);
    Record *self = fields ? (Record *)PyType_GenericAlloc(type, 0) : NULL;
    if (!self) {
        free(fields);
        return PyErr_NoMemory();
    }
    Py_INCREF(rows);
    self->description = rows;
    self->record = (kjit_record){ fields, (size_t)count, (size_t)bytes };
    for (Py_ssize_t i = 0; i < count; i++) {
        if (read_field(PyTuple_GetItem(rows, i), &fields[i]) < 0) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

static void record_free(PyObject *object)
{
    Record *self = (Record *)object;

    free((void *)self->record.fields);
    Py_XDECREF(self->description);
    free_object(object);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static DeviceArray *new_array(PyTypeObject *type, Context *owner, PyObject *base, PyObject *record)
{
    DeviceArray *self = (DeviceArray *)PyType_GenericAlloc(type, 0);

    if (!self)
        return NULL;
    Py_INCREF(owner);
    Py_XINCREF(base);
    Py_XINCREF(record);
    self->owner = owner;
    self->base = base;
    self->record = record;
    return self;
}

/* DeviceArray(context, shape, dtype, columns, memory, stream) */
static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    kjit_array_options options = { .size = sizeof options };
    int64_t extents[KJIT_RANK_MAX];
    PyObject *context, *shape, *dtype_given, *record, *stream = Py_None, *keeper;
    int32_t rank;
    int memory = 0;
    kjit_dtype dtype;
    kjit_array array;
    kjit_status status;

    (void)words;
    if (!PyArg_ParseTuple(args, "O!OO|piO", context_type, &context, &shape, &dtype_given,
                          &options.columns, &memory, &stream) ||
        read_extents(shape, extents, &rank) < 0 || read_dtype(dtype_given, &dtype, &record) < 0 ||
        read_stream(stream, &options.stream, &keeper) < 0)
        return NULL;
    options.memory = (kjit_memory)memory;
    options.record = record_of(record);
    Py_BEGIN_ALLOW_THREADS
        status =
            kjit_array_new(((Context *)context)->context, dtype, rank, extents, &options, &array);
    Py_END_ALLOW_THREADS
    Py_XDECREF(keeper);
    if (status != KJIT_OK)
        return raise_status(status);
    DeviceArray *self = new_array(type, (Context *)context, NULL, record);
    if (!self) {
        kjit_array_free(((Context *)context)->context, &array);
        return NULL;
    }
    self->array = array;
    return (PyObject *)self;
}

/* Does it own its memory? A view's base is the array it is a view of. */
static int owns(const DeviceArray *self)
{
    return !self->base && self->owner;
}

static int array_visit(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((DeviceArray *)object)->base);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void array_free(PyObject *object)
{
    DeviceArray *self = (DeviceArray *)object;

    PyObject_GC_UnTrack(object);
    if (owns(self)) {
        Py_BEGIN_ALLOW_THREADS
            kjit_array_free(self->owner->context, &self->array);
        Py_END_ALLOW_THREADS
    }
    if (self->pack)
        pack_free(self->pack);
    free(self->pack);
    Py_XDECREF(self->base);
    Py_XDECREF(self->record);
    Py_XDECREF(self->owner);
    free_object(object);
}

static PyObject *array_shape(PyObject *object, void *closure)
{
    const kjit_array *array = &((DeviceArray *)object)->array;

    return extents_tuple(closure ? array->strides : array->shape, array->rank);
}

static PyObject *array_number(PyObject *object, void *closure)
{
    const kjit_array *array = &((DeviceArray *)object)->array;
    const char *what = closure;

    switch (*what) {
    case 'r':
        return PyLong_FromLong(array->rank);
    case 'c':
        return PyLong_FromUnsignedLongLong(kjit_array_count(array));
    case 'b':
        return PyLong_FromUnsignedLongLong(kjit_array_bytes(array));
    case 'i':
        return PyLong_FromSize_t(kjit_array_itemsize(array));
    case 'd':
        return PyLong_FromLong(array->dtype);
    case 'R':
        return PyBool_FromLong(kjit_array_is_contiguous(array, 0));
    case 'C':
        return PyBool_FromLong(kjit_array_is_contiguous(array, 1));
    default:
        return PyLong_FromVoidPtr(array->data);
    }
}

static PyObject *array_object(PyObject *object, void *closure)
{
    DeviceArray *self = (DeviceArray *)object;
    const char *what = closure;
    PyObject *found = *what == 'c'   ? (PyObject *)self->owner
                      : *what == 'r' ? self->record
                                     : self->base;

    if (!found)
        found = Py_None;
    Py_INCREF(found);
    return found;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* copy(to, from, stream): between arrays of whatever kind, of which one is a DeviceArray. */
static PyObject *array_copy(PyObject *object, PyObject *args)
{
    Context *context = ((DeviceArray *)object)->owner;
    PyObject *to_given, *from_given, *stream_given = Py_None, *keeper, *result = NULL;
    kjit_array to, from;
    kjit_stream *stream = NULL;
    kjit_status status;
    Pack to_pack, from_pack;

    if (!PyArg_ParseTuple(args, "OO|O", &to_given, &from_given, &stream_given) ||
        read_stream(stream_given, &stream, &keeper) < 0)
        return NULL;
    if (pack_array(&to_pack, context, to_given, &to) == 0) {
        if (pack_array(&from_pack, context, from_given, &from) == 0) {
            Py_BEGIN_ALLOW_THREADS
                status = stream ? kjit_copy_on(context->context, stream, &to, &from)
                                : kjit_copy(context->context, &to, &from);
            Py_END_ALLOW_THREADS
            result = none_or_raise(status);
            pack_free(&from_pack);
        }
        pack_free(&to_pack);
    }
    Py_XDECREF(keeper);
    return result;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* What shares the memory of `self`, or NULL after an exception. */
static PyObject *view_of(DeviceArray *self, kjit_status status, const kjit_array *array,
                         PyObject *record)
{
    PyObject *base = self->base && !self->pack ? self->base : (PyObject *)self;
    DeviceArray *view;

    if (status != KJIT_OK)
        return raise_status(status);
    view = new_array(Py_TYPE(self), self->owner, base, record);
    if (view)
        view->array = *array;
    return (PyObject *)view;
}

/* One of ("span", start, stop, step), whose numbers may be None, ("at", index), ("new",) or
** ("rest",). */
static int read_slice(PyObject *row, kjit_slice *slice)
{
    const char *kind;
    PyObject *numbers[3] = { Py_None, Py_None, Py_None };
    int64_t *into[] = { &slice->start, &slice->stop, &slice->step };

    if (!PyArg_ParseTuple(row, "s|OOO", &kind, &numbers[0], &numbers[1], &numbers[2]))
        return -1;
    *slice = (kjit_slice){ *kind == 's'   ? KJIT_SLICE_SPAN
                           : *kind == 'a' ? KJIT_SLICE_AT
                           : *kind == 'n' ? KJIT_SLICE_NEW_AXIS
                                          : KJIT_SLICE_REST,
                           KJIT_OMIT, KJIT_OMIT, 1 };
    for (int i = 0; i < 3; i++) {
        if (numbers[i] == Py_None)
            continue;
        *into[i] = *kind == 's'
                       ? PyNumber_AsSsize_t(numbers[i], NULL) /* the end, where it is far */
                       : PyLong_AsLongLong(numbers[i]);
        if (PyErr_Occurred())
            return -1;
        *into[i] += *into[i] == KJIT_OMIT;
    }
    return 0;
}

static PyObject *array_slice(PyObject *object, PyObject *rows)
{
    enum { SLICES_MOST = 4 * KJIT_RANK_MAX };
    DeviceArray *self = (DeviceArray *)object;
    kjit_slice slices[SLICES_MOST];
    Py_ssize_t count = PyTuple_Check(rows) ? PyTuple_Size(rows) : -1;
    kjit_array array;

    if (count < 0 || count > SLICES_MOST) {
        PyErr_SetString(PyExc_IndexError, "too many indices");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (read_slice(PyTuple_GetItem(rows, i), &slices[i]) < 0)
            return NULL;
    }
    kjit_status status = kjit_array_slice(&self->array, slices, (size_t)count, &array);
    return view_of(self, status, &array, self->record);
}

static PyObject *array_transpose(PyObject *object, PyObject *args)
{
    DeviceArray *self = (DeviceArray *)object;
    PyObject *given = Py_None;
    int64_t numbers[KJIT_RANK_MAX];
    int32_t axes[KJIT_RANK_MAX], rank = 0;
    kjit_array array;

    if (!PyArg_ParseTuple(args, "|O", &given) ||
        (given != Py_None && read_extents(given, numbers, &rank) < 0))
        return NULL;
    if (given != Py_None && rank != self->array.rank) {
        PyErr_SetString(PyExc_ValueError, "as many axes as the array has");
        return NULL;
    }
    for (int32_t i = 0; i < rank; i++)
        axes[i] = (int32_t)numbers[i];
    kjit_status status = kjit_array_transpose(&self->array, given == Py_None ? NULL : axes, &array);
    return view_of(self, status, &array, self->record);
}

static PyObject *array_reshape(PyObject *object, PyObject *shape)
{
    DeviceArray *self = (DeviceArray *)object;
    int64_t extents[KJIT_RANK_MAX];
    int32_t rank;
    kjit_array array;

    if (read_extents(shape, extents, &rank) < 0)
        return NULL;
    kjit_status status = kjit_array_reshape(&self->array, rank, extents, &array);
    return view_of(self, status, &array, self->record);
}

/* A tuple of axes; None: all of one element. */
static PyObject *array_squeeze(PyObject *object, PyObject *axes)
{
    DeviceArray *self = (DeviceArray *)object;
    int64_t numbers[KJIT_RANK_MAX];
    int32_t chosen[KJIT_RANK_MAX], count = 0;
    kjit_array array;

    if (axes != Py_None && read_extents(axes, numbers, &count) < 0)
        return NULL;
    for (int32_t i = 0; i < count; i++)
        chosen[i] = (int32_t)numbers[i];
    kjit_status status =
        kjit_array_squeeze(&self->array, axes == Py_None ? NULL : chosen, count, &array);
    return view_of(self, status, &array, self->record);
}

static PyObject *array_view(PyObject *object, PyObject *given)
{
    DeviceArray *self = (DeviceArray *)object;
    PyObject *record;
    kjit_dtype dtype;
    kjit_array array;

    if (read_dtype(given, &dtype, &record) < 0)
        return NULL;
    kjit_status status = kjit_array_view(&self->array, dtype, record_of(record), &array);
    return view_of(self, status, &array, record);
}

/* field(name, record): a field's elements; `record` is that of a field of records, else None. */
static PyObject *array_field(PyObject *object, PyObject *args)
{
    DeviceArray *self = (DeviceArray *)object;
    const char *name;
    PyObject *record;
    kjit_array array;

    if (!PyArg_ParseTuple(args, "sO", &name, &record))
        return NULL;
    kjit_status status = kjit_array_field(&self->array, name, &array);
    return view_of(self, status, &array, record == Py_None ? NULL : record);
}

PyObject *array_of_pack(PyTypeObject *type, Pack *pack, const kjit_array *array)
{
    DeviceArray *self = new_array(type, pack->context, Py_None, NULL);

    if (!self)
        return NULL;
    self->array = *array;
    self->pack = pack;
    return (PyObject *)self;
}

/* adopt(context, object): the array of another library as a DeviceArray, whose memory it is. */
static PyObject *array_adopt(PyObject *type, PyObject *args)
{
    PyObject *context, *given;
    kjit_array array;
    DeviceArray *self = NULL;

    if (!PyArg_ParseTuple(args, "O!O", context_type, &context, &given))
        return NULL;
    Pack *pack = malloc(sizeof *pack);
    if (!pack)
        return PyErr_NoMemory();
    if (pack_array(pack, (Context *)context, given, &array) == 0) {
        self =
            new_array((PyTypeObject *)type, (Context *)context, given, pack_record(pack, &array));
        if (self) {
            self->array = array;
            self->pack = pack;
            return (PyObject *)self;
        }
        pack_free(pack);
    }
    free(pack);
    return NULL;
}

static PyGetSetDef array_properties[] = {
    { "shape", array_shape, NULL, "Elements along each axis", NULL },
    { "strides", array_shape, NULL, "Bytes from one to the next along each axis", "s" },
    { "ndim", array_number, NULL, "How many axes", "r" },
    { "size", array_number, NULL, "How many elements", "c" },
    { "nbytes", array_number, NULL, "Bytes of all elements", "b" },
    { "itemsize", array_number, NULL, "Bytes of one", "i" },
    { "dtype_code", array_number, NULL, "kjit's number of the dtype", "d" },
    { "is_rows", array_number, NULL, "Do rows lie whole, without gaps?", "R" },
    { "is_columns", array_number, NULL, "Do columns?", "C" },
    { "address", array_number, NULL, "Where it begins", "a" },
    { "context", array_object, NULL, "Whose memory it is", "c" },
    { "record", array_object, NULL, "Of its elements; None", "r" },
    { "base", array_object, NULL, "What it is a view of; None", "b" },
    { "__cuda_array_interface__", array_interface, NULL, "Of a GPU's arrays", "c" },
    { "__array_interface__", array_interface, NULL, "Of arrays of the host", NULL },
    { 0 },
};

static PyMethodDef array_methods[] = {
    { "copy_between", array_copy, METH_VARARGS, "Copies (to, from, stream)." },
    { "slice_by", array_slice, METH_O, "A view of a part." },
    { "transpose_by", array_transpose, METH_VARARGS, "A view with other axes." },
    { "reshape_to", array_reshape, METH_O, "A view of another shape." },
    { "squeeze_by", array_squeeze, METH_O, "A view without axes of one element." },
    { "view_as", array_view, METH_O, "A view of another dtype." },
    { "field_of", array_field, METH_VARARGS, "A view of a field." },
    { "__dlpack__", (PyCFunction)(void (*)(void))array_to_dlpack, METH_VARARGS | METH_KEYWORDS,
      "A DLPack tensor of the same memory." },
    { "__dlpack_device__", array_dlpack_device, METH_NOARGS, "Where that lies." },
    { "adopt", array_adopt, METH_VARARGS | METH_CLASS, "Another library's array." },
    { 0 },
};

static PyType_Slot array_slots[] = {
    { Py_tp_doc, "DeviceArray(context, shape, dtype, columns, memory, stream)" },
    { Py_tp_new, array_new },
    { Py_tp_dealloc, array_free },
    { Py_tp_traverse, array_visit },
    { Py_tp_getset, array_properties },
    { Py_tp_methods, array_methods },
    { Py_bf_getbuffer, array_buffer },
    { 0 },
};

static PyType_Slot record_slots[] = {
    { Py_tp_doc, "Record(bytes, fields): NumPy's structured dtype." },
    { Py_tp_new, record_new },
    { Py_tp_dealloc, record_free },
    { 0 },
};

static PyType_Spec array_spec = { "kjit._core.DeviceArray", sizeof(DeviceArray), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                  array_slots };
static PyType_Spec record_spec = { "kjit._core.Record", sizeof(Record), 0, Py_TPFLAGS_DEFAULT,
                                   record_slots };

int array_ready(PyObject *module)
{
    array_type = add_type(module, &array_spec);
    record_type = add_type(module, &record_spec);
    return array_type && record_type ? exchange_ready() : -1;
}
