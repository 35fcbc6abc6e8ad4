/* Python's objects as arguments of kernels.
**
** How an object is read follows from its type, and is looked up once for each type: numbers,
** tuples, kjit's own arrays, and whatever exports the buffer protocol, __cuda_array_interface__,
** __array_interface__ or __dlpack__. Nothing is copied. */
#include "python/core/convert.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *value_type;

typedef enum How {
    HOW_NOT, /* known yet */
    HOW_BOOL,
    HOW_INT,
    HOW_FLOAT,
    HOW_COMPLEX,
    HOW_TUPLE,
    HOW_DEVICE,    /* DeviceArray */
    HOW_VALUE,     /* Value */
    HOW_NUMPY,     /* numpy.ndarray, else as what follows */
    HOW_BUFFER,    /* the buffer protocol */
    HOW_NUMBER,    /* NumPy's scalars, by the buffer protocol */
    HOW_EXCHANGE,  /* DLPack's C exchange API, else as what follows */
    HOW_INTERFACE, /* __cuda_array_interface__, else as what follows */
    HOW_DLPACK,
    HOW_MASKED, /* numpy.ma: a kernel would compute with what the mask hides */
    HOW_ASK     /* Python's side */
} How;

static int convert(Pack *pack, PyObject *object, kjit_arg *arg, int depth);

/* ---- what is held ---------------------------------------------------------------------------- */

Held *hold(Pack *pack, int kind)
{
    if (pack->held_count == pack->held_room) {
        size_t room = pack->held_room * 2;
        Held *held = malloc(room * sizeof *held);
        if (!held) {
            PyErr_NoMemory();
            return NULL;
        }
        memcpy(held, pack->held, pack->held_count * sizeof *held);
        if (pack->held != pack->held_few)
            free(pack->held);
        pack->held = held;
        pack->held_room = room;
    }
    Held *held = &pack->held[pack->held_count++];
    held->kind = kind;
    return held;
}

void let_go_of(Held *held)
{
    switch (held->kind) {
    case HELD_BUFFER:
        PyBuffer_Release(&held->as.view);
        break;
    case HELD_TENSOR:
        kjit_dlpack_release(held->as.tensor);
        break;
    case HELD_VERSIONED:
        versioned_release(held->as.versioned);
        break;
    case HELD_OBJECT:
    case HELD_AFTER:
        Py_DECREF(held->as.object);
        break;
    case HELD_MEMORY:
        free(held->as.memory);
        break;
    }
}

void pack_free(Pack *pack)
{
    PyObject *type, *value, *trace;

    PyErr_Fetch(&type, &value, &trace);
    while (pack->held_count)
        let_go_of(&pack->held[--pack->held_count]);
    if (pack->held != pack->held_few)
        free(pack->held);
    if (pack->args != pack->few)
        free(pack->args);
    PyErr_Restore(type, value, trace);
}

int pack_after(Pack *pack)
{
    for (size_t i = 0; i < pack->held_count; i++) {
        if (pack->held[i].kind != HELD_AFTER)
            continue;
        PyObject *result = PyObject_CallObject(pack->held[i].as.object, NULL);
        if (!result)
            return -1;
        Py_DECREF(result);
    }
    return 0;
}

/* ---- which way ------------------------------------------------------------------------------- */

static Notes ways; /* of types: How */

static int has(PyTypeObject *type, const char *name)
{
    return PyObject_HasAttrString((PyObject *)type, name);
}

/* Is it NumPy's own class of arrays? */
static int is_numpy_array(PyTypeObject *type)
{
    PyObject *numpy = PyMapping_GetItemString(PyImport_GetModuleDict(), "numpy");
    PyObject *found = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
    int same = found == (PyObject *)type;

    Py_XDECREF(found);
    Py_XDECREF(numpy);
    PyErr_Clear();
    return same;
}

/* Is the type, or one that it is derived from, written `<class 'NAME'>`? */
static int descends_from(PyTypeObject *type, const char *name)
{
    PyObject *bases = PyObject_GetAttrString((PyObject *)type, "__mro__");
    Py_ssize_t count = bases && PyTuple_Check(bases) ? PyTuple_Size(bases) : 0;
    int found = 0;

    for (Py_ssize_t i = 0; i < count && !found; i++) {
        PyObject *text = PyObject_Repr(PyTuple_GetItem(bases, i));
        found = text && PyUnicode_CompareWithASCIIString(text, name) == 0;
        Py_XDECREF(text);
    }
    Py_XDECREF(bases);
    PyErr_Clear();
    return found;
}

static How how_of_type(PyTypeObject *type, PyObject *object)
{
    if (type == &PyBool_Type)
        return HOW_BOOL;
    if (type == &PyLong_Type)
        return HOW_INT;
    if (type == &PyFloat_Type)
        return HOW_FLOAT;
    if (type == &PyComplex_Type)
        return HOW_COMPLEX;
    if (PyType_IsSubtype(type, array_type))
        return HOW_DEVICE;
    if (type == value_type)
        return HOW_VALUE;
    if (descends_from(type, "<class 'numpy.generic'>"))
        return HOW_NUMBER;
    if (descends_from(type, "<class 'numpy.ma.MaskedArray'>") ||
        descends_from(type, "<class 'numpy.ma.core.MaskedArray'>"))
        return HOW_MASKED;
    if (PyTuple_Check(object))
        return HOW_TUPLE;
    if (has_exchange(type) && !PyObject_CheckBuffer(object))
        return HOW_EXCHANGE;
    if (has(type, "__cuda_array_interface__"))
        return HOW_INTERFACE;
    if (PyObject_CheckBuffer(object))
        return is_numpy_array(type) ? HOW_NUMPY : HOW_BUFFER;
    if (has(type, "__dlpack__"))
        return HOW_DLPACK;
    return HOW_ASK;
}

static How how_of(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    How how = (How)notes_find(&ways, type);

    if (how == HOW_NOT) {
        how = how_of_type(type, object);
        notes_add(&ways, (PyObject *)type, how);
    }
    return how;
}

/* ---- scalars --------------------------------------------------------------------------------- */

static int convert_int(const Pack *pack, PyObject *object, kjit_arg *arg)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);

    if (value == -1 && !overflow && PyErr_Occurred())
        return -1;
    *arg = kjit_arg_int64(value);
    if (!overflow)
        return 0;
    unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Format(PyExc_OverflowError,
                     "argument %zu is an integer that does not fit into 64 bits", pack->count + 1);
        return -1;
    }
    *arg = kjit_arg_uint64(large);
    return 0;
}

/* One of NumPy's scalars, by its buffer; 1 if it has none. */
static int convert_number(PyObject *object, kjit_arg *arg)
{
    Py_buffer view;

    if (PyObject_GetBuffer(object, &view, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return 1;
    }
    kjit_dtype dtype = dtype_of_format(view.format, view.itemsize);
    int other = view.ndim || !kjit_dtype_bytes(dtype);
    if (!other)
        kjit_element(dtype, view.buf, arg);
    PyBuffer_Release(&view);
    return other;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void add_class(Pack *pack, uint64_t number)
{
    pack->classes = pack->classes * 1000003 + number;
}

static int convert_tuple(Pack *pack, PyObject *tuple, kjit_arg *arg, int depth)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    kjit_arg *items = malloc(((size_t)count + 1) * sizeof *items);
    Held *held = items ? hold(pack, HELD_MEMORY) : NULL;

    if (!held) {
        free(items);
        PyErr_NoMemory();
        return -1;
    }
    held->as.memory = items;
    add_class(pack, Py_TYPE(tuple) == &PyTuple_Type ? 1 : (uint64_t)(uintptr_t)Py_TYPE(tuple));
    for (Py_ssize_t i = 0; i < count; i++) {
        if (convert(pack, PyTuple_GetItem(tuple, i), &items[i], depth + 1) < 0)
            return -1;
    }
    *arg = kjit_arg_tuple(items, (size_t)count);
    return 0;
}

/* Reads an array in the way of its type; 1 if it is none. */
static int read_array(Pack *pack, PyObject *object, How how, kjit_array *array)
{
    static const char cuda[] = "__cuda_array_interface__", host[] = "__array_interface__";
    int status = 1;

    if (how == HOW_DEVICE) {
        *array = ((DeviceArray *)object)->array;
        return 0;
    }
    if (how == HOW_EXCHANGE) {
        status = array_of_exchange(pack, object, array);
        how = HOW_INTERFACE;
    }
    if (status == 1 && how == HOW_INTERFACE)
        status = array_of_interface(pack, object, cuda, KJIT_ON_DEVICE, array);
    if (how == HOW_NUMPY)
        status = array_of_numpy(pack, object, array);
    else if (status == 1 && PyObject_CheckBuffer(object))
        status = array_of_buffer(pack, object, array);
    if (status == 1 && (how == HOW_DLPACK || how == HOW_INTERFACE))
        status = array_of_dlpack(pack, object, array);
    if (status == 1)
        status = array_of_interface(pack, object, host, 0, array);
    return status;
}

/* An object whose type says nothing: it may be an array all the same. */
static int convert_unknown(Pack *pack, PyObject *object, kjit_arg *arg)
{
    arg->kind = KJIT_ARG_ARRAY;
    arg->dtype = KJIT_DTYPE_NONE;
    int status = PyType_Check(object) /* whose attributes are those of its objects */
                     ? 1
                     : read_array(pack, object, HOW_INTERFACE, &arg->as.array);
    if (status == 1)
        PyErr_Format(
            PyExc_TypeError,
            "argument %zu is of type %R: kernels take numbers, arrays and tuples of these%s",
            pack->count + 1, Py_TYPE(object),
            PyList_Check(object)                ? "; np.array() makes an array of a list"
            : object == Py_None                 ? "; give a number that stands for None"
            : PyType_Check(object)              ? "; a kernel may name a type itself"
            : has(Py_TYPE(object), "__array__") ? "; np.asarray() makes an array of it"
                                                : "");
    return status ? -1 : 0;
}

/* Has Python's side convert the object: what it gives is the value, or a pair of arrays.Standing:
** the value, and its class or what is to be called after the launch. */
static int convert_by_asking(Pack *pack, PyObject *object, kjit_arg *arg, int depth)
{
    PyObject *given = PyObject_CallFunctionObjArgs(hooks.convert, object, NULL), *after;
    Held *held = given ? hold(pack, HELD_OBJECT) : NULL;

    if (!held) {
        Py_XDECREF(given);
        return -1;
    }
    held->as.object = given;
    if (given != object && PyList_Check(given) && !PyList_CheckExact(given) &&
        PyList_Size(given) == 2) {
        after = PyList_GetItem(given, 1);
        given = PyList_GetItem(given, 0);
        if (PyType_Check(after)) {
            add_class(pack, (uint64_t)(uintptr_t)after);
            return convert(pack, given, arg, depth + 1);
        }
        held = hold(pack, HELD_AFTER);
        if (!held)
            return -1;
        Py_INCREF(after);
        held->as.object = after;
    }
    return given == object ? convert_unknown(pack, object, arg)
                           : convert(pack, given, arg, depth + 1);
}

static int convert(Pack *pack, PyObject *object, kjit_arg *arg, int depth)
{
    enum { DEEPEST = 32 };
    How how = how_of(object);
    int status = 1;

    if (depth > DEEPEST) {
        PyErr_SetString(PyExc_TypeError, "tuples inside each other more than 32 times");
        return -1;
    }
    switch (how) {
    case HOW_BOOL:
        *arg = kjit_arg_bool(object == Py_True);
        return 0;
    case HOW_INT:
        return convert_int(pack, object, arg);
    case HOW_FLOAT:
        *arg = kjit_arg_float64(PyFloat_AsDouble(object));
        return 0;
    case HOW_COMPLEX:
        *arg = kjit_arg_complex128(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object));
        return 0;
    case HOW_TUPLE:
        return convert_tuple(pack, object, arg, depth);
    case HOW_VALUE:
        *arg = ((Value *)object)->arg;
        return 0;
    case HOW_NUMBER:
        status = convert_number(object, arg);
        break;
    case HOW_DEVICE:
    case HOW_NUMPY:
    case HOW_BUFFER:
    case HOW_EXCHANGE:
    case HOW_INTERFACE:
    case HOW_DLPACK:
        arg->kind = KJIT_ARG_ARRAY;
        arg->dtype = KJIT_DTYPE_NONE;
        status = read_array(pack, object, how, &arg->as.array);
        break;
    case HOW_MASKED:
        PyErr_Format(PyExc_TypeError,
                     "argument %zu is a masked array, whose mask kernels do not see: give its "
                     "filled(), or its data and its mask",
                     pack->count + 1);
        return -1;
    case HOW_NOT:
    case HOW_ASK:
        break;
    }
    return status == 1 ? convert_by_asking(pack, object, arg, depth) : status;
}

void pack_begin(Pack *pack, Context *context)
{
    pack->context = context;
    pack->args = pack->few;
    pack->count = 0;
    pack->classes = 0;
    pack->held = pack->held_few;
    pack->held_count = 0;
    pack->held_room = ARGS_FEW;
}

int pack_items(Pack *pack, Context *context, PyObject *const *items, size_t count)
{
    pack_begin(pack, context);
    if (count > ARGS_FEW) {
        pack->args = malloc(count * sizeof *pack->args);
        if (!pack->args) {
            pack->args = pack->few;
            PyErr_NoMemory();
            return -1;
        }
    }
    for (; pack->count < count; pack->count++) {
        if (convert(pack, items[pack->count], &pack->args[pack->count], 0) < 0) {
            pack_free(pack);
            pack_begin(pack, context); /* which may be freed once more */
            return -1;
        }
    }
    return 0;
}

int pack_args(Pack *pack, Context *context, PyObject *args)
{
    size_t count = (size_t)PyTuple_Size(args);
    PyObject *few[ARGS_FEW] = { 0 },
             **items = count > ARGS_FEW ? malloc(count * sizeof *items) : few;
    int status;

    if (!items) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        items[i] = PyTuple_GetItem(args, (Py_ssize_t)i);
    status = pack_items(pack, context, items, count);
    if (items != few)
        free(items);
    return status;
}

int pack_array(Pack *pack, Context *context, PyObject *object, kjit_array *array)
{
    kjit_arg arg;

    pack_begin(pack, context);
    if (convert(pack, object, &arg, 0) == 0) {
        *array = arg.as.array;
        if (arg.kind == KJIT_ARG_ARRAY)
            return 0;
        PyErr_Format(PyExc_TypeError, "%R is no array", object);
    }
    pack_free(pack);
    return -1;
}

PyObject *pack_record(const Pack *pack, const kjit_array *array)
{
    for (size_t i = 0; i < pack->held_count; i++) {
        const Held *held = &pack->held[i];
        if (held->kind == HELD_OBJECT && Py_TYPE(held->as.object) == record_type &&
            &((Record *)held->as.object)->record == array->record)
            return held->as.object;
    }
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Value(dtype, number) */
static PyObject *value_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    int code;
    double number = 0;
    long long integer = 0;
    PyObject *given;
    Value *self;

    if (words && PyDict_Size(words)) {
        PyErr_SetString(PyExc_TypeError, "Value() takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "iO", &code, &given))
        return NULL;
    if (PyFloat_Check(given))
        number = PyFloat_AsDouble(given);
    else
        integer = PyLong_AsLongLong(given);
    if (PyErr_Occurred())
        return NULL;
    self = (Value *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    self->arg = PyFloat_Check(given) ? kjit_arg_float64(number) : kjit_arg_int64(integer);
    self->arg.dtype = (kjit_dtype)code;
    return (PyObject *)self;
}

static PyType_Slot value_slots[] = {
    { Py_tp_doc, "Value(dtype, number): a scalar of a dtype that Python has no numbers of." },
    { Py_tp_new, value_new },
    { Py_tp_dealloc, free_object },
    { 0 },
};

static PyType_Spec value_spec = { "kjit._core.Value", sizeof(Value), 0, Py_TPFLAGS_DEFAULT,
                                  value_slots };

int convert_ready(PyObject *module)
{
    value_type = add_type(module, &value_spec);
    return value_type ? 0 : -1;
}
