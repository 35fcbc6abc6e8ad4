/* The module itself: its functions, and how failures of libkjit become exceptions. */
#include "python/core/core.h"

Hooks hooks;
Shared current_context;

static PyObject *plain_error; /* raised where Python's side has said nothing yet */

PyObject *raise_status(kjit_status status)
{
    PyObject *error;

    if (!hooks.error) {
        PyErr_SetString(plain_error, kjit_error_message());
        return NULL;
    }
    error = PyObject_CallFunction(hooks.error, "is", (int)status, kjit_error_message());
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    return NULL;
}

PyObject *none_or_raise(kjit_status status)
{
    if (status != KJIT_OK)
        return raise_status(status);
    Py_RETURN_NONE;
}

void flush_python(void)
{
    PyObject *sys = PyImport_ImportModule("sys");
    PyObject *out = sys ? PyObject_GetAttrString(sys, "stdout") : NULL;
    PyObject *done = out && out != Py_None ? PyObject_CallMethod(out, "flush", NULL) : NULL;

    if (!done)
        PyErr_Clear();
    Py_XDECREF(done);
    Py_XDECREF(out);
    Py_XDECREF(sys);
}

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    const char *dot = strrchr(spec->name, '.');

    if (!type)
        return NULL;
    Py_INCREF(type);
    if (PyModule_AddObject(module, dot + 1, type) < 0) {
        Py_DECREF(type);
        Py_DECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type;
}

void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc free_it = (freefunc)PyType_GetSlot(type, Py_tp_free);

    free_it(self);
    Py_DECREF(type); /* which each object of it keeps */
}

PyObject *not_made_so(PyTypeObject *type, PyObject *args, PyObject *words)
{
    (void)args;
    (void)words;
    PyErr_Format(PyExc_TypeError, "%R is not made by calling it", type);
    return NULL;
}

/* hooks(error=, convert=, record=) */
static PyObject *set_hooks(PyObject *self, PyObject *args, PyObject *words)
{
    static char *names[] = { "error", "convert", "record", NULL };
    Hooks given = { 0 };

    (void)self;
    /* Not in PyInit__core(), which is called for the first interpreter alone. */
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError, "kjit runs in a process's main interpreter alone");
        return NULL;
    }
    if (!PyArg_ParseTupleAndKeywords(args, words, "OOO", names, &given.error, &given.convert,
                                     &given.record))
        return NULL;
    Py_INCREF(given.error);
    Py_INCREF(given.convert);
    Py_INCREF(given.record);
    hooks = given;
    Py_RETURN_NONE;
}

static PyObject *use_context(PyObject *self, PyObject *given)
{
    (void)self;
    if (given != Py_None && Py_TYPE(given) != context_type) {
        PyErr_SetString(PyExc_TypeError, "use() takes a Context or None");
        return NULL;
    }
    shared_set(&current_context, given);
    Py_RETURN_NONE;
}

static PyObject *gpu_count(PyObject *self, PyObject *none)
{
    int count;

    (void)self;
    (void)none;
    Py_BEGIN_ALLOW_THREADS
        count = kjit_gpu_count();
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(count);
}

/* random_states(array, seed, subsequence_start): fills a host array of states. */
static PyObject *random_states(PyObject *self, PyObject *args)
{
    PyObject *object;
    unsigned long long seed, start;
    Pack pack;
    kjit_array array;
    kjit_status status;

    (void)self;
    if (!PyArg_ParseTuple(args, "OKK", &object, &seed, &start) ||
        pack_array(&pack, NULL, object, &array) < 0)
        return NULL;
    if (kjit_array_itemsize(&array) != kjit_xoroshiro128p_record()->bytes ||
        !kjit_array_is_contiguous(&array, 0) || (array.flags & (KJIT_READONLY | KJIT_ON_DEVICE))) {
        PyErr_SetString(PyExc_TypeError, "states are a host array of xoroshiro128p_dtype, to which "
                                         "can be written and whose rows lie whole");
        pack_free(&pack);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = kjit_xoroshiro128p_states(array.data, kjit_array_count(&array), seed, start);
    Py_END_ALLOW_THREADS
    PyObject *result = none_or_raise(status);
    pack_free(&pack);
    return result;
}

/* Called by exit(), which alone knows the status that an interpreter ends with. Called again, it
** goes on with the other handlers, and ends the process with the new status. */
static void change_status(int status, void *other)
{
    if (status == 0)
        exit((int)(intptr_t)other);
}

static PyObject *end_with(PyObject *self, PyObject *args)
{
    int status;

    (void)self;
    if (!PyArg_ParseTuple(args, "i", &status))
        return NULL;
    on_exit(change_status, (void *)(intptr_t)status);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    { "hooks", (PyCFunction)(void (*)(void))set_hooks, METH_VARARGS | METH_KEYWORDS,
      "What Python's side answers: error, convert, record." },
    { "use", use_context, METH_O, "The context that dispatchers launch in from now on." },
    { "gpu_count", gpu_count, METH_NOARGS, "How many GPUs there are." },
    { "end_with", end_with, METH_VARARGS, "The status of the process where it ends with 0." },
    { "random_states", random_states, METH_VARARGS, "Fills an array of xoroshiro128+ states." },
    { 0 },
};

/* DTYPES: {"float32": 12, ...}, times too */
static int add_dtypes(PyObject *module)
{
    enum { CODES = 160 };
    PyObject *table = PyDict_New();

    for (int code = 1; table && code < CODES; code++) {
        PyObject *number = PyLong_FromLong(code);
        const char *name = kjit_dtype_name((kjit_dtype)code);
        if (!number ||
            (kjit_dtype_bytes((kjit_dtype)code) && PyDict_SetItemString(table, name, number) < 0))
            Py_CLEAR(table);
        Py_XDECREF(number);
    }
    if (!table || PyModule_AddObject(module, "DTYPES", table) < 0) {
        Py_XDECREF(table);
        return -1;
    }
    return 0;
}

static int add_statuses(PyObject *module)
{
#define ADD_STATUS(name, number, meaning)                                                          \
    if (PyModule_AddIntConstant(module, #name, number) < 0)                                        \
        return -1;
    KJIT_STATUS_MAP(ADD_STATUS)
#undef ADD_STATUS
    return 0;
}

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "kjit._core",
                                         .m_size = -1, .m_methods = functions };

PyMODINIT_FUNC PyInit__core(void); /* what Python looks for */

PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (!module)
        return NULL;
#ifdef Py_GIL_DISABLED
    PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    plain_error = PyExc_RuntimeError;
    if (context_ready(module) < 0 || kernel_ready(module) < 0 || launch_ready(module) < 0 ||
        dispatcher_ready(module) < 0 || stream_ready(module) < 0 || array_ready(module) < 0 ||
        convert_ready(module) < 0 || program_ready(module) < 0 || group_ready(module) < 0 ||
        add_dtypes(module) < 0 || add_statuses(module) < 0 ||
        PyModule_AddStringConstant(module, "VERSION", kjit_version()) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
