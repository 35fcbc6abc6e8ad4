/* Groups of ranks that share launches. */
#include "python/core/core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *group_type;
Shared current_group;

/* ---- a transport of Python's ----------------------------------------------------------------- */

/* Raised by a transport's method, as the message of a status. */
static kjit_status status_of_exception(void)
{
    PyObject *type, *value, *trace, *text;

    PyErr_Fetch(&type, &value, &trace);
    text = value ? PyObject_Str(value) : NULL;
    PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
    const char *message = bytes ? PyBytes_AsString(bytes) : "the transport failed";
    kjit_status status = kjit_fail_with(KJIT_LAUNCH, message);
    PyErr_Clear();
    Py_XDECREF(bytes);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return status;
}

static kjit_status status_of_call(PyObject *done)
{
    kjit_status status = done ? KJIT_OK : status_of_exception();
    Py_XDECREF(done);
    return status;
}

/* Also what is sent is given as memory that can be written to, as torch.frombuffer() wants it. */
static kjit_status move(void *context, const char *method, int peer, void *data, size_t bytes)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *view = PyMemoryView_FromMemory(data, (Py_ssize_t)bytes, PyBUF_WRITE);
    PyObject *done = view ? PyObject_CallMethod(context, method, "iO", peer, view) : NULL;
    kjit_status status = status_of_call(done);

    Py_XDECREF(view);
    PyGILState_Release(state);
    return status;
}

static kjit_status send_bytes(void *context, int to, const void *data, size_t bytes)
{
    return move(context, "send", to, (void *)(uintptr_t)data, bytes);
}

static kjit_status receive_bytes(void *context, int from, void *data, size_t bytes)
{
    return move(context, "receive", from, data, bytes);
}

static kjit_status finish_bytes(void *context)
{
    PyGILState_STATE state = PyGILState_Ensure();
    kjit_status status = status_of_call(PyObject_CallMethod(context, "finish", NULL));

    PyGILState_Release(state);
    return status;
}

static void fail_others(void *context, const char *message)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *done = PyObject_CallMethod(context, "fail", "s", message);

    if (!done)
        PyErr_Clear(); /* what has failed already is reported */
    Py_XDECREF(done);
    PyGILState_Release(state);
}

static void close_transport(void *context)
{
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)context);
    PyGILState_Release(state);
}

/* ---- opening --------------------------------------------------------------------------------- */

static kjit_status open_by(PyObject *transport, int rank, int ranks, kjit_group **group)
{
    kjit_transport own = { .size = sizeof own,
                           .context = transport,
                           .rank = rank,
                           .ranks = ranks,
                           .send = send_bytes,
                           .receive = receive_bytes,
                           .finish = finish_bytes,
                           .fail = fail_others,
                           .close = close_transport };
    Py_INCREF(transport);
    return kjit_open_group_by(&own, group);
}

enum { GPUS = 64 };

static int read_gpus(PyObject *list, int gpus[GPUS])
{
    Py_ssize_t count = PyTuple_Size(list);

    if (count > GPUS)
        count = GPUS;
    for (Py_ssize_t i = 0; i < count; i++) {
        gpus[i] = (int)PyLong_AsLong(PyTuple_GetItem(list, i));
        if (PyErr_Occurred())
            return -1;
    }
    return (int)count;
}

/* Group(ranks, gpus, comm, transport, rank): one of them; `ranks` is 0 for the processes of a
** launcher, `comm` the address of an MPI_Comm. */
static PyObject *group_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    static char *names[] = { "ranks", "gpus", "comm", "transport", "rank", NULL };
    PyObject *gpus = NULL, *transport = NULL;
    int numbers[GPUS], ranks = 0, rank = 0, count;
    unsigned long long comm = 0;
    kjit_group *group = NULL;
    kjit_status status = KJIT_OK;

    if (!PyArg_ParseTupleAndKeywords(args, words, "|iO!KOi", names, &ranks, &PyTuple_Type, &gpus,
                                     &comm, &transport, &rank))
        return NULL;
    count = gpus ? read_gpus(gpus, numbers) : 0;
    if (count < 0)
        return NULL;
    Group *self = (Group *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        if (gpus)
            status = kjit_open_gpus(numbers, count, &group);
        else if (comm)
            status = kjit_open_group_of((const void *)(uintptr_t)comm, &group);
        else if (!transport)
            status = kjit_open_group(ranks, &group);
    Py_END_ALLOW_THREADS
    if (transport)
        status = open_by(transport, rank, ranks, &group);
    self->group = group;
    if (status == KJIT_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return raise_status(status);
}

/* Lets go of everything; a call of all ranks. */
static PyObject *group_close(PyObject *object, PyObject *none)
{
    Group *self = (Group *)object;
    kjit_group *group = atomic_exchange(&self->group, NULL);

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        kjit_close_group(group);
    Py_END_ALLOW_THREADS
    Py_XDECREF(atomic_exchange(&self->owner, NULL));
    Py_RETURN_NONE;
}

static void group_free(PyObject *object)
{
    PyObject *done = group_close(object, NULL);
    Py_XDECREF(done);
    free_object(object);
}

/* ---- what it does ---------------------------------------------------------------------------- */

int group_serves(Group *self, Context *context)
{
    Context *none = NULL;

    if (!self->group) {
        PyErr_SetString(PyExc_ValueError, "the group is closed");
        return -1;
    }
    Py_INCREF(context);
    if (!atomic_compare_exchange_strong(&self->owner, &none, context))
        Py_DECREF(context);
    return 0;
}

static PyObject *group_hold(PyObject *object, PyObject *args)
{
    Group *self = (Group *)object;
    kjit_status status;
    PyObject *arrays;
    Context *context;
    Pack pack;

    if (!PyArg_ParseTuple(args, "O!O!", context_type, &context, &PyTuple_Type, &arrays) ||
        group_serves(self, context) < 0 || pack_args(&pack, context, arrays) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_group_hold_args(self->group, context->context, pack.args, pack.count);
    Py_END_ALLOW_THREADS
    pack_free(&pack);
    return none_or_raise(status);
}

/* A call of kjit_tools.h for the memory of an array, or with None for all that is held. */
static PyObject *of_memory(PyObject *object, PyObject *array,
                           kjit_status (*call)(kjit_group *group, const void *memory))
{
    Group *self = (Group *)object;
    kjit_array found = { 0 };
    kjit_status status;
    Pack pack;

    if (!self->group) {
        PyErr_SetString(PyExc_ValueError, "the group is closed");
        return NULL;
    }
    if (array != Py_None && pack_array(&pack, self->owner, array, &found) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = call(self->group, found.data);
    Py_END_ALLOW_THREADS
    if (array != Py_None)
        pack_free(&pack);
    return none_or_raise(status);
}

static PyObject *group_fetch(PyObject *self, PyObject *array)
{
    return of_memory(self, array, kjit_group_fetch);
}

static PyObject *group_wrote(PyObject *self, PyObject *array)
{
    return of_memory(self, array, kjit_group_wrote);
}

static PyObject *group_drop(PyObject *self, PyObject *array)
{
    return of_memory(self, array, kjit_group_drop);
}

static PyObject *group_synchronize(PyObject *object, PyObject *none)
{
    kjit_status status;

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_group_synchronize(((Group *)object)->group);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *group_fail(PyObject *object, PyObject *message)
{
    PyObject *bytes = PyUnicode_AsUTF8String(message);

    if (!bytes)
        return NULL;
    kjit_group_fail(((Group *)object)->group, PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    Py_RETURN_NONE;
}

/* The pairs of rows (option, array's name, value) as wishes; -1 after an exception. */
static int read_wishes(PyObject *rows, kjit_wish **wishes, size_t *count)
{
    *count = (size_t)PyTuple_Size(rows);
    *wishes = calloc(*count + 1, sizeof **wishes);
    if (!*wishes) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < *count; i++) {
        kjit_wish *wish = &(*wishes)[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, (Py_ssize_t)i), "yyy", &wish->option,
                              &wish->name, &wish->value))
            return -1;
    }
    return 0;
}

/* launch(kernel[grid, block], arguments, wishes) */
static PyObject *group_launch(PyObject *object, PyObject *args)
{
    PyObject *launch, *arguments, *rows, *result = NULL;
    Over over = { .group = (Group *)object };

    if (!PyArg_ParseTuple(args, "O!O!O!", launch_type, &launch, &PyTuple_Type, &arguments,
                          &PyTuple_Type, &rows))
        return NULL;
    if (read_wishes(rows, &over.wishes, &over.count) == 0)
        result = launch_over(launch, arguments, &over);
    free(over.wishes);
    return result;
}

/* Launches are the group's from now on; None: of the device alone. */
static PyObject *group_use(PyObject *module, PyObject *given)
{
    (void)module;
    if (given != Py_None && !PyObject_TypeCheck(given, group_type)) {
        PyErr_SetString(PyExc_TypeError, "use_group() takes a Group or None");
        return NULL;
    }
    shared_set(&current_group, given);
    Py_RETURN_NONE;
}

static PyObject *group_rank(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(kjit_group_rank(((Group *)self)->group));
}

static PyObject *group_ranks(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(kjit_group_ranks(((Group *)self)->group));
}

static PyObject *launched(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return Py_BuildValue("(iiii)", kjit_launched_ranks(), kjit_launched_local_rank(),
                         kjit_launched_local_ranks(), kjit_launched_by_mpi());
}

static PyGetSetDef group_properties[] = {
    { "rank", group_rank, NULL, "Which of the processes this is", NULL },
    { "ranks", group_ranks, NULL, "How many share a launch", NULL },
    { 0 },
};

static PyMethodDef group_methods[] = {
    { "launch", group_launch, METH_VARARGS, "A launch over the ranks." },
    { "hold", group_hold, METH_VARARGS, "Keeps arrays spread over the ranks." },
    { "fetch", group_fetch, METH_O, "Brings an array, or with None all, to the host." },
    { "wrote", group_wrote, METH_O, "The program has changed the array." },
    { "drop", group_drop, METH_O, "Does not hold the array, or with None any, any more." },
    { "synchronize", group_synchronize, METH_NOARGS, "Waits for all ranks." },
    { "fail", group_fail, METH_O, "Tells the other ranks that this one has failed." },
    { "close", group_close, METH_NOARGS, "Lets go of everything." },
    { 0 },
};

static PyType_Slot group_slots[] = {
    { Py_tp_doc, "Ranks that share launches." },
    { Py_tp_new, group_new },
    { Py_tp_dealloc, group_free },
    { Py_tp_getset, group_properties },
    { Py_tp_methods, group_methods },
    { 0 },
};

static PyType_Spec group_spec = { "kjit._core.Group", sizeof(Group), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, group_slots };

static PyMethodDef functions[] = {
    { "use_group", group_use, METH_O, "The group that launches are of from now on." },
    { "launched", launched, METH_NOARGS, "Ranks of MPI's launcher, local rank, local ranks." },
    { 0 },
};

int group_ready(PyObject *module)
{
    group_type = add_type(module, &group_spec);
    return group_type ? PyModule_AddFunctions(module, functions) : -1;
}
