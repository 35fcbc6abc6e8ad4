/* Contexts and modules. */
#include "python/core/core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *context_type, *module_type;

/* ---- contexts -------------------------------------------------------------------------------- */

static PyObject *context_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    static char *names[] = { "device", NULL };
    kjit_open_options options = { .size = sizeof options };
    Context *self;
    kjit_status status;

    if (!PyArg_ParseTupleAndKeywords(args, words, "|z", names, &options.device))
        return NULL;
    self = (Context *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_open(&options, &self->context);
    Py_END_ALLOW_THREADS
    if (status != KJIT_OK) {
        Py_DECREF(self);
        return raise_status(status);
    }
    self->cuda = strncmp(kjit_device_name(self->context), "cuda", 4) == 0;
    if (!self->cuda) {
        crash_watch();
        interrupt_watch();
    }
    return (PyObject *)self;
}

static void context_free(PyObject *object)
{
    Context *self = (Context *)object;

    Py_BEGIN_ALLOW_THREADS
        kjit_close(self->context);
    Py_END_ALLOW_THREADS
    free_object(object);
}

static PyObject *context_device(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(kjit_device_name(((Context *)self)->context));
}

static PyObject *context_model(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(kjit_device_model(((Context *)self)->context));
}

static PyObject *context_synchronize(PyObject *self, PyObject *none)
{
    kjit_status status;

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_synchronize(((Context *)self)->context);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *context_reset(PyObject *self, PyObject *none)
{
    kjit_status status;

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_reset(((Context *)self)->context);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *context_memory(PyObject *self, PyObject *none)
{
    kjit_memory_info info = { .size = sizeof info };
    kjit_status status = kjit_memory_usage(((Context *)self)->context, &info);

    (void)none;
    if (status != KJIT_OK)
        return raise_status(status);
    return Py_BuildValue("{sKsKsKsK}", "free", info.free, "total", info.total, "arrays",
                         info.arrays, "bytes", info.bytes);
}

static PyObject *context_counters(PyObject *self, PyObject *none)
{
    kjit_counters counters = { .size = sizeof counters };

    (void)none;
    kjit_count(((Context *)self)->context, &counters);
    return Py_BuildValue("{sKsKsKsKsKsK}", "compilations", counters.compilations, "disk_hits",
                         counters.disk_hits, "memory_hits", counters.memory_hits, "launches",
                         counters.launches, "bytes_in", counters.bytes_in, "bytes_out",
                         counters.bytes_out);
}

static PyObject *context_facts(PyObject *self, PyObject *none)
{
    kjit_device_info it = { .size = sizeof it };
    kjit_status status = kjit_device_facts(((Context *)self)->context, &it);

    (void)none;
    if (status != KJIT_OK)
        return raise_status(status);
    return Py_BuildValue(
        "{sssssisisis(iii)s(LLL)sisisLsLsLsL}", "arch", it.arch, "driver", it.driver, "processors",
        it.processors, "warp", it.warp, "block_threads", it.block_threads, "max_block",
        it.max_block[0], it.max_block[1], it.max_block[2], "max_grid", (long long)it.max_grid[0],
        (long long)it.max_grid[1], (long long)it.max_grid[2], "resident_threads",
        it.resident_threads, "block_registers", it.block_registers, "static_shared",
        (long long)it.static_shared, "shared", (long long)it.shared, "l2_bytes",
        (long long)it.l2_bytes, "memory_bytes", (long long)it.memory_bytes);
}

/* ---- what the checker found ------------------------------------------------------------------ */

static PyObject *text_or_none(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

static PyObject *indices_or_none(const uint32_t *at, int known)
{
    if (!known)
        Py_RETURN_NONE;
    return Py_BuildValue("(III)", at[0], at[1], at[2]);
}

static PyObject *place_tuple(const kjit_check_place *place)
{
    return Py_BuildValue("(NIIIINNN)", text_or_none(place->file), place->line, place->column,
                         place->end_line, place->end_column, text_or_none(place->what),
                         indices_or_none(place->block, place->known),
                         indices_or_none(place->thread, place->known));
}

static PyObject *finding_tuple(const kjit_check_finding *it)
{
    PyObject *other;

    if (it->other.file) {
        other = place_tuple(&it->other);
    } else {
        other = Py_None;
        Py_INCREF(other);
    }
    return Py_BuildValue("(NNNNNNKNNN)", text_or_none(it->rule), PyBool_FromLong(it->advice),
                         text_or_none(it->kernel), text_or_none(it->message),
                         text_or_none(it->note), text_or_none(it->element),
                         (unsigned long long)it->times, place_tuple(&it->at), other,
                         text_or_none(it->text));
}

/* Tuples in the order of python/kjit/checked.py's Finding. */
static PyObject *context_findings(PyObject *self, PyObject *none)
{
    kjit_context *context = ((Context *)self)->context;
    PyObject *list = PyList_New(0);
    size_t count = kjit_check_count(context);

    (void)none;
    for (size_t i = 0; list && i < count; i++) {
        kjit_check_finding finding = { .size = sizeof finding };
        if (kjit_check_finding_at(context, i, &finding) != KJIT_OK)
            break;
        PyObject *one = finding_tuple(&finding);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* The pairs (name, value) of a tuple, or triples (name, file, text), whose strings stay the
** tuple's: `width` of them in each row of `table`. -1 after an exception. */
static int read_rows(PyObject *rows, size_t width, const char ***table, size_t *count)
{
    *table = NULL;
    *count = 0;
    if (!rows || rows == Py_None)
        return 0;
    if (!PyTuple_Check(rows)) {
        PyErr_SetString(PyExc_TypeError, "defines and texts are tuples of tuples");
        return -1;
    }
    *count = (size_t)PyTuple_Size(rows);
    *table = calloc(*count * width + 1, sizeof **table);
    if (!*table) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < *count; i++) {
        PyObject *row = PyTuple_GetItem(rows, (Py_ssize_t)i);
        for (size_t k = 0; k < width; k++) {
            PyObject *item = PyTuple_Check(row) ? PyTuple_GetItem(row, (Py_ssize_t)k) : NULL;
            PyObject *bytes = item && PyBytes_Check(item) ? item : NULL;
            if (!bytes) {
                PyErr_SetString(PyExc_TypeError, "defines and texts hold bytes");
                return -1;
            }
            (*table)[i * width + k] = PyBytes_AsString(bytes);
        }
    }
    return 0;
}

/* load(name, text, defines, texts, debug, fastmath, max_registers, passes, matmul=None,
** schedule=None): without a text, the file of that name. Strings of `defines` and `texts` are
** bytes. */
static PyObject *context_load(PyObject *object, PyObject *args)
{
    Context *self = (Context *)object;
    const char *name, *text, **defines = NULL, **texts = NULL;
    PyObject *given_defines, *given_texts;
    kjit_load_options options = { .size = sizeof options };
    kjit_module *loaded = NULL;
    kjit_status status = KJIT_OK;
    Module *module = NULL;

    if (!PyArg_ParseTuple(args, "szOOppiz|zz", &name, &text, &given_defines, &given_texts,
                          &options.debug, &options.fastmath, &options.max_registers,
                          &options.passes, &options.matmul, &options.schedule))
        return NULL;
    if (read_rows(given_defines, 2, &defines, &options.define_count) == 0 &&
        read_rows(given_texts, 3, &texts, &options.text_count) == 0) {
        options.defines = (const kjit_define *)defines;
        options.texts = (const kjit_text *)texts;
        Py_BEGIN_ALLOW_THREADS
            status = text ? kjit_load_source(self->context, text, name, &options, &loaded)
                          : kjit_load_file(self->context, name, &options, &loaded);
        Py_END_ALLOW_THREADS
        if (status != KJIT_OK)
            raise_status(status);
        else
            module = (Module *)PyType_GenericAlloc(module_type, 0);
    }
    free(defines);
    free(texts);
    if (!module) {
        kjit_close_module(loaded);
        return NULL;
    }
    Py_INCREF(self);
    module->owner = self;
    module->module = loaded;
    return (PyObject *)module;
}

/* They are passed on as rows of strings. */
_Static_assert(sizeof(kjit_define) == 2 * sizeof(char *), "pairs");
_Static_assert(sizeof(kjit_text) == 3 * sizeof(char *), "triples");

/* ---- modules --------------------------------------------------------------------------------- */

static void module_free(PyObject *object)
{
    Module *self = (Module *)object;

    Py_BEGIN_ALLOW_THREADS
        kjit_close_module(self->module);
    Py_END_ALLOW_THREADS
    Py_XDECREF(self->owner);
    free_object(object);
}

static PyObject *module_names(PyObject *self, PyObject *none)
{
    kjit_module *module = ((Module *)self)->module;
    size_t count = kjit_kernel_count(module);
    PyObject *names = PyTuple_New((Py_ssize_t)count);

    (void)none;
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(kjit_kernel_name_at(module, i));
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

static PyObject *module_kernel(PyObject *object, PyObject *args)
{
    const char *name;
    kjit_kernel *found;
    Kernel *kernel;

    if (!PyArg_ParseTuple(args, "z", &name))
        return NULL;
    kjit_status status = kjit_get_kernel(((Module *)object)->module, name, &found);
    if (status != KJIT_OK)
        return raise_status(status);
    kernel = (Kernel *)PyType_GenericAlloc(kernel_type, 0);
    if (!kernel)
        return NULL;
    Py_INCREF(object);
    kernel->owner = (Module *)object;
    kernel->kernel = found;
    return (PyObject *)kernel;
}

static PyObject *module_has_function(PyObject *object, PyObject *args)
{
    const char *name;

    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    return PyBool_FromLong(kjit_module_has_function(((Module *)object)->module, name));
}

static PyGetSetDef context_properties[] = {
    { "device", context_device, NULL, "\"cpu\", \"check\" or \"cuda:0\"", NULL },
    { "model", context_model, NULL, "What the device calls itself", NULL },
    { 0 },
};

static PyMethodDef context_methods[] = {
    { "load", context_load, METH_VARARGS, "Loads a file or a text." },
    { "synchronize", context_synchronize, METH_NOARGS, "Waits for the device." },
    { "reset", context_reset, METH_NOARGS, "Brings a GPU back that a kernel broke." },
    { "memory", context_memory, METH_NOARGS, "The device's memory, in bytes." },
    { "counters", context_counters, METH_NOARGS, "What the context has done." },
    { "facts", context_facts, METH_NOARGS, "What the device is." },
    { "findings", context_findings, METH_NOARGS, "What the checker found, as tuples." },
    { 0 },
};

static PyType_Slot context_slots[] = {
    { Py_tp_doc, "Context(device=None): a device, with what is compiled for it." },
    { Py_tp_new, context_new },
    { Py_tp_dealloc, context_free },
    { Py_tp_getset, context_properties },
    { Py_tp_methods, context_methods },
    { 0 },
};

static PyMethodDef module_methods[] = {
    { "names", module_names, METH_NOARGS, "The names of its kernels." },
    { "kernel", module_kernel, METH_VARARGS, "The kernel of that name; None: the only one." },
    { "has_function", module_has_function, METH_VARARGS, "Does the host call such a name?" },
    { "program", program_open, METH_NOARGS, "Runs its level: a Program." },
    { 0 },
};

static PyType_Slot module_slots[] = {
    { Py_tp_doc, "Kernels that were loaded." },
    { Py_tp_new, not_made_so },
    { Py_tp_dealloc, module_free },
    { Py_tp_methods, module_methods },
    { 0 },
};

static PyType_Spec context_spec = { "kjit._core.Context", sizeof(Context), 0, Py_TPFLAGS_DEFAULT,
                                    context_slots };
static PyType_Spec module_spec = { "kjit._core.Module", sizeof(Module), 0, Py_TPFLAGS_DEFAULT,
                                   module_slots };

int context_ready(PyObject *module)
{
    context_type = add_type(module, &context_spec);
    module_type = add_type(module, &module_spec);
    return context_type && module_type ? 0 : -1;
}
