/* Kernels of a module: what they are called, compiled for, and became. */
#include "python/core/core.h"

#include "include/kjit_tools.h"

#include <string.h>

PyTypeObject *kernel_type;

static void kernel_free(PyObject *object)
{
    Py_XDECREF(((Kernel *)object)->captured);
    Py_XDECREF(((Kernel *)object)->owner);
    free_object(object);
}

static PyObject *kernel_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(kjit_kernel_name(((Kernel *)self)->kernel));
}

static PyObject *kernel_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<kjit kernel %s>", kjit_kernel_name(((Kernel *)self)->kernel));
}

static PyObject *kernel_call(PyObject *self, PyObject *args, PyObject *names)
{
    const char *name = kjit_kernel_name(((Kernel *)self)->kernel);

    (void)args;
    (void)names;
    return PyErr_Format(PyExc_ValueError,
                        "%s: launch configuration was not specified: write %s[blocks, threads]"
                        "(...), or %s.forall(n)(...)",
                        name, name, name);
}

static PyObject *kernel_params(PyObject *self, void *closure)
{
    kjit_kernel *kernel = ((Kernel *)self)->kernel;
    size_t count = kjit_param_count(kernel);
    PyObject *names = PyTuple_New((Py_ssize_t)count);

    (void)closure;
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(kjit_param_name(kernel, i));
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

/* For inspect.signature(). */
static PyObject *kernel_signature(PyObject *self, void *closure)
{
    PyObject *names = kernel_params(self, closure);
    PyObject *shown = names ? PyImport_ImportModule("kjit.shown") : NULL;
    PyObject *signature = shown ? PyObject_CallMethod(shown, "signature_of", "(O)", names) : NULL;

    Py_XDECREF(shown);
    Py_XDECREF(names);
    return signature;
}

/* compile(signature): a text; None: the first that its decorator declares */
static PyObject *kernel_compile(PyObject *self, PyObject *args)
{
    const char *signature;
    kjit_status status;

    if (!PyArg_ParseTuple(args, "z", &signature))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_compile_signature(((Kernel *)self)->kernel, signature);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

/* Always raises a TypeError: a kernel of a .k file takes its arguments by position. If one of the
** names given is none of its parameters the error says that instead. */
static PyObject *kernel_arrange(PyObject *self, PyObject *args)
{
    kjit_kernel *kernel = ((Kernel *)self)->kernel;
    PyObject *given, *words, *word, *value;
    Py_ssize_t at = 0;
    size_t count = kjit_param_count(kernel), i = 0;

    if (!PyArg_ParseTuple(args, "OO!", &given, &PyDict_Type, &words))
        return NULL;
    while (PyDict_Next(words, &at, &word, &value)) {
        for (i = 0; i < count; i++)
            if (PyUnicode_CompareWithASCIIString(word, kjit_param_name(kernel, i)) == 0)
                break;
        if (i == count)
            return PyErr_Format(PyExc_TypeError, "%s has no parameter '%U'",
                                kjit_kernel_name(kernel), word);
    }
    return PyErr_Format(PyExc_TypeError, "%s takes its arguments by position",
                        kjit_kernel_name(kernel));
}

static PyObject *bytes_or_none(int64_t bytes)
{
    if (bytes < 0)
        Py_RETURN_NONE;
    return PyLong_FromLongLong(bytes);
}

/* Bytes that are not known are None. */
static PyObject *facts_dict(const kjit_facts *facts)
{
    return Py_BuildValue("{sssisisKsKsKsNsK}", "call", facts->call, "max_threads",
                         facts->max_threads, "registers", facts->registers, "shared_bytes",
                         (unsigned long long)facts->shared_bytes, "local_bytes",
                         (unsigned long long)facts->local_bytes, "constant_bytes",
                         (unsigned long long)facts->constant_bytes, "spill_bytes",
                         bytes_or_none(facts->spill_store_bytes + facts->spill_load_bytes),
                         "device_blocks", (unsigned long long)facts->device_blocks);
}

/* What became of the kernel for each list of types, what came last first. */
static PyObject *kernel_facts(PyObject *self, PyObject *none)
{
    kjit_kernel *kernel = ((Kernel *)self)->kernel;
    PyObject *list = PyList_New(0);

    (void)none;
    for (size_t i = 0; list && i < kjit_specialisation_count(kernel); i++) {
        kjit_facts facts = { .size = sizeof facts };
        if (kjit_specialisation_facts(kernel, i, &facts) != KJIT_OK)
            break;
        PyObject *one = facts_dict(&facts);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* facts_for(arguments, block, shared bytes): for arguments of these types, compiled if need be. */
static PyObject *kernel_facts_for(PyObject *self, PyObject *args)
{
    Kernel *kernel = (Kernel *)self;
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 } };
    kjit_facts facts = { .size = sizeof facts };
    PyObject *given;
    Py_ssize_t shared;
    kjit_status status;
    Pack pack;

    if (!PyArg_ParseTuple(args, "O!(III)n", &PyTuple_Type, &given, &config.block[0],
                          &config.block[1], &config.block[2], &shared) ||
        pack_args(&pack, kernel->owner->owner, given) < 0)
        return NULL;
    config.shared_bytes = (size_t)shared;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_kernel_facts(kernel->kernel, &config, pack.args, pack.count, &facts);
    Py_END_ALLOW_THREADS
    pack_free(&pack);
    return status == KJIT_OK ? facts_dict(&facts) : raise_status(status);
}

/* emit(stage, signature, arch, facts): a stage of its compilation, as text or bytes. */
static PyObject *kernel_emit(PyObject *self, PyObject *args)
{
    kjit_emit_options options = { .size = sizeof options };
    char *data;
    size_t length;
    kjit_status status;

    if (!PyArg_ParseTuple(args, "szzz", &options.stage, &options.signature, &options.arch,
                          &options.facts))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_emit(((Kernel *)self)->kernel, &options, &data, &length);
    Py_END_ALLOW_THREADS
    if (status != KJIT_OK)
        return raise_status(status);
    PyObject *result = strcmp(options.stage, "cubin") == 0 || strcmp(options.stage, "so") == 0
                           ? PyBytes_FromStringAndSize(data, (Py_ssize_t)length)
                           : PyUnicode_DecodeUTF8(data, (Py_ssize_t)length, "replace");
    kjit_free(data);
    return result;
}

static PyMemberDef kernel_members[] = {
    { "prints", T_INT, offsetof(Kernel, prints), 0, "It prints." },
    { "captured", T_OBJECT, offsetof(Kernel, captured), 0, "Arrays behind its own arguments." },
    { 0 },
};

static PyGetSetDef kernel_properties[] = {
    { "name", kernel_name, NULL, "Its name", NULL },
    { "__name__", kernel_name, NULL, "Its name", NULL },
    { "__signature__", kernel_signature, NULL, "Its parameters", NULL },
    { "params", kernel_params, NULL, "The names of its parameters", NULL },
    { 0 },
};

static PyMethodDef kernel_methods[] = {
    { "forall", (PyCFunction)(void (*)(void))target_forall, METH_VARARGS | METH_KEYWORDS,
      "A launch of so many threads." },
    { "compile", kernel_compile, METH_VARARGS, "Compiles for a signature." },
    { "facts_for", kernel_facts_for, METH_VARARGS, "The same for arguments and a block." },
    { "emit", kernel_emit, METH_VARARGS, "A stage: ir, cuda, c, ptx, cubin, sass, so." },
    { "arrange", kernel_arrange, METH_VARARGS, "Refuses keywords." },
    { "facts", kernel_facts, METH_NOARGS, "What became of it for each list of types." },
    { 0 },
};

static PyType_Slot kernel_slots[] = {
    { Py_tp_doc, "A kernel: kernel[grid, block](arguments)." },
    { Py_tp_new, not_made_so },
    { Py_tp_dealloc, kernel_free },
    { Py_tp_call, kernel_call },
    { Py_tp_repr, kernel_repr },
    { Py_tp_members, kernel_members },
    { Py_tp_getset, kernel_properties },
    { Py_tp_methods, kernel_methods },
    { Py_mp_subscript, target_item },
    { 0 },
};

static PyType_Spec kernel_spec = { "kjit._core.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT,
                                   kernel_slots };

int kernel_ready(PyObject *module)
{
    kernel_type = add_type(module, &kernel_spec);
    return kernel_type ? 0 : -1;
}
