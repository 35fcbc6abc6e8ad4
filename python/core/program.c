/* Programs: functions of a file's host part, called with Python's arguments.
**
** What a call gives back is described to Python's side, which makes NumPy's arrays of it: an array
** is (address, dtype, shape, strides, is it of the device?), good until the program's next call. */
#include "python/core/core.h"

#include <stdio.h>

PyTypeObject *program_type;

typedef struct Program {
    PyObject_HEAD Module *owner;
    kjit_program *program;
} Program;

/* module.program(): runs the statements of the module's level. */
PyObject *program_open(PyObject *module, PyObject *none)
{
    kjit_program *opened;
    kjit_status status;

    (void)none;
    flush_python();
    Py_BEGIN_ALLOW_THREADS
        status = kjit_program_open(((Module *)module)->module, NULL, &opened);
        fflush(stdout);
    Py_END_ALLOW_THREADS
    if (status != KJIT_OK)
        return raise_status(status);
    Program *self = (Program *)PyType_GenericAlloc(program_type, 0);
    if (!self) {
        kjit_program_close(opened);
        return NULL;
    }
    Py_INCREF(module);
    self->owner = (Module *)module;
    self->program = opened;
    return (PyObject *)self;
}

static void program_free(PyObject *object)
{
    Program *self = (Program *)object;

    Py_BEGIN_ALLOW_THREADS
        kjit_program_close(self->program);
    Py_END_ALLOW_THREADS
    Py_XDECREF(self->owner);
    free_object(object);
}

/* ---- what comes back ------------------------------------------------------------------------- */

static PyObject *number_of(const kjit_arg *arg)
{
    switch (arg->dtype) {
    case KJIT_DTYPE_BOOL:
        return PyBool_FromLong(arg->as.integer != 0);
    case KJIT_DTYPE_COMPLEX64:
    case KJIT_DTYPE_COMPLEX128:
        return PyComplex_FromDoubles(arg->as.complex_parts[0], arg->as.complex_parts[1]);
    case KJIT_DTYPE_FLOAT16:
    case KJIT_DTYPE_BFLOAT16:
    case KJIT_DTYPE_FLOAT32:
    case KJIT_DTYPE_FLOAT64:
        return PyFloat_FromDouble(arg->as.number);
    case KJIT_DTYPE_UINT64:
        return PyLong_FromUnsignedLongLong((unsigned long long)arg->as.integer);
    default:
        return PyLong_FromLongLong(arg->as.integer);
    }
}

static PyObject *described(const kjit_array *array)
{
    PyObject *shape = extents_tuple(array->shape, array->rank);
    PyObject *strides = shape ? extents_tuple(array->strides, array->rank) : NULL;

    if (!strides) {
        Py_XDECREF(shape);
        return NULL;
    }
    return Py_BuildValue("[KiNNi]", (unsigned long long)(uintptr_t)array->data, (int)array->dtype,
                         shape, strides, (array->flags & KJIT_ON_DEVICE) != 0);
}

/* A tuple is one of Python's, and an array a list, its description. */
static PyObject *value_of(const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return described(&arg->as.array);
    if (arg->kind == KJIT_ARG_SCALAR)
        return number_of(arg);
    PyObject *items = PyTuple_New((Py_ssize_t)arg->as.tuple.count);
    for (size_t i = 0; items && i < arg->as.tuple.count; i++) {
        PyObject *item = value_of(&arg->as.tuple.items[i]);
        if (!item || PyTuple_SetItem(items, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(items);
    }
    return items;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* call(name, arguments, take): what take() makes of the description of the result, before the
** arguments are let go of. */
static PyObject *program_call(PyObject *object, PyObject *args)
{
    Program *self = (Program *)object;
    PyObject *given, *take, *result = NULL;
    const char *name;
    kjit_arg value;
    kjit_status status;
    Pack pack;

    if (!PyArg_ParseTuple(args, "sO!O", &name, &PyTuple_Type, &given, &take) ||
        pack_args(&pack, self->owner->owner, given) < 0)
        return NULL;
    flush_python();
    Py_BEGIN_ALLOW_THREADS
        status = kjit_program_call(self->program, name, pack.args, pack.count, &value);
        fflush(stdout);
    Py_END_ALLOW_THREADS
    if (status != KJIT_OK)
        raise_status(status);
    else if (pack_after(&pack) == 0) {
        PyObject *description = value_of(&value);
        result = description ? PyObject_CallFunctionObjArgs(take, description, NULL) : NULL;
        Py_XDECREF(description);
    }
    pack_free(&pack);
    return result;
}

/* get(name): the description of what a name of the module's level holds. */
static PyObject *program_get(PyObject *object, PyObject *args)
{
    const char *name;
    kjit_arg value;

    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    kjit_status status = kjit_program_get(((Program *)object)->program, name, &value);
    return status == KJIT_OK ? value_of(&value) : raise_status(status);
}

static PyMethodDef program_methods[] = {
    { "call", program_call, METH_VARARGS, "Calls a function." },
    { "get", program_get, METH_VARARGS, "What a name holds." },
    { 0 },
};

static PyType_Slot program_slots[] = {
    { Py_tp_doc, "A program whose level has run." },
    { Py_tp_new, not_made_so },
    { Py_tp_dealloc, program_free },
    { Py_tp_methods, program_methods },
    { 0 },
};

static PyType_Spec program_spec = { "kjit._core.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT,
                                    program_slots };

int program_ready(PyObject *module)
{
    program_type = add_type(module, &program_spec);
    return program_type ? 0 : -1;
}
