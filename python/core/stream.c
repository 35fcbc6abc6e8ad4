/* Streams and events. */
#include "python/core/core.h"

PyTypeObject *stream_type, *event_type;

/* The context that launches would be in, a new reference; its device is opened if none is
** current. */
static PyObject *open_context(void)
{
    PyObject *context = shared_get(&current_context);
    PyObject *module = context ? NULL : PyImport_ImportModule("kjit.device");

    if (module)
        context = PyObject_CallMethod(module, "current", NULL);
    Py_XDECREF(module);
    return context;
}

static PyObject *stream_of_number(unsigned long long number)
{
    PyObject *context = open_context();
    PyObject *made = context ? PyObject_CallFunction((PyObject *)stream_type, "OsK", context,
                                                     number ? "foreign" : "default", number)
                             : NULL;

    Py_XDECREF(context);
    return made;
}

/* A stream of another library's, by __cuda_stream__(): (version, number); NULL without an exception
** if the object has no such. */
static PyObject *foreign_stream(PyObject *object)
{
    PyObject *made = NULL, *method = PyObject_GetAttrString(object, "__cuda_stream__");
    PyObject *said = method ? PyObject_CallFunctionObjArgs(method, NULL) : NULL;
    unsigned long long version, number;

    if (!method && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    if (said && !PyTuple_Check(said))
        PyErr_SetString(PyExc_TypeError, "__cuda_stream__() gives no (version, number)");
    else if (said && PyArg_ParseTuple(said, "KK", &version, &number))
        made = stream_of_number(number);
    Py_XDECREF(said);
    Py_XDECREF(method);
    return made;
}

int read_stream(PyObject *object, kjit_stream **stream, PyObject **keeper)
{
    *stream = NULL;
    *keeper = NULL;
    if (object == Py_None)
        return 0;
    if (PyLong_Check(object)) {
        if (PyLong_AsLong(object) == 0)
            return 0;
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "a stream's number: cuda.external_stream(number) makes a "
                                         "stream of it");
        return -1;
    }
    *keeper = object;
    if (PyObject_TypeCheck(object, stream_type))
        Py_INCREF(object);
    else
        *keeper = PyObject_GetAttrString(object, "_kjit_stream");
    if (!*keeper && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return -1;
    PyErr_Clear();
    if (!*keeper && !(*keeper = foreign_stream(object)) && PyErr_Occurred())
        return -1;
    if (!*keeper || !PyObject_TypeCheck(*keeper, stream_type)) {
        Py_CLEAR(*keeper);
        PyErr_Format(PyExc_TypeError, "%R is no stream", object);
        return -1;
    }
    *stream = ((Stream *)*keeper)->stream;
    return 0;
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Stream(context, kind, number): "new", "independent", "default", "thread" or "foreign". */
static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    kjit_stream_options options = { .size = sizeof options };
    unsigned long long number = 0;
    kjit_stream *made = NULL;
    PyObject *context;
    const char *kind;
    kjit_status status;

    (void)words;
    if (!PyArg_ParseTuple(args, "O!sK", context_type, &context, &kind, &number))
        return NULL;
    kjit_context *owner = ((Context *)context)->context;
    options.independent = kind[0] == 'i';
    Py_BEGIN_ALLOW_THREADS
        status = kind[0] == 'd'   ? kjit_stream_default(owner, &made)
                 : kind[0] == 't' ? kjit_stream_per_thread(owner, &made)
                 : kind[0] == 'f' ? kjit_stream_foreign(owner, (void *)(uintptr_t)number, &made)
                                  : kjit_stream_new(owner, &options, &made);
    Py_END_ALLOW_THREADS
    if (status != KJIT_OK)
        return raise_status(status);
    Stream *self = (Stream *)PyType_GenericAlloc(type, 0);
    if (!self) {
        kjit_stream_close(made);
        return NULL;
    }
    Py_INCREF(context);
    self->owner = (Context *)context;
    self->stream = made;
    return (PyObject *)self;
}

static void stream_free(PyObject *object)
{
    Stream *self = (Stream *)object;

    kjit_stream_close(self->stream);
    Py_XDECREF(self->owner);
    free_object(object);
}

static PyObject *stream_synchronize(PyObject *self, PyObject *none)
{
    kjit_status status;

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_stream_synchronize(((Stream *)self)->stream);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *stream_query(PyObject *self, PyObject *none)
{
    int done = 0;
    kjit_status status = kjit_stream_query(((Stream *)self)->stream, &done);

    (void)none;
    return status == KJIT_OK ? PyBool_FromLong(done) : raise_status(status);
}

static PyObject *stream_handle(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(kjit_stream_handle(((Stream *)self)->stream));
}

/* ---- events ---------------------------------------------------------------------------------- */

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    kjit_event *made;
    PyObject *context;
    int timed;

    (void)words;
    if (!PyArg_ParseTuple(args, "O!p", context_type, &context, &timed))
        return NULL;
    kjit_status status = kjit_event_new(((Context *)context)->context, timed, &made);
    if (status != KJIT_OK)
        return raise_status(status);
    Event *self = (Event *)PyType_GenericAlloc(type, 0);
    if (!self) {
        kjit_event_close(made);
        return NULL;
    }
    Py_INCREF(context);
    self->owner = (Context *)context;
    self->event = made;
    return (PyObject *)self;
}

static void event_free(PyObject *object)
{
    Event *self = (Event *)object;

    kjit_event_close(self->event);
    Py_XDECREF(self->owner);
    free_object(object);
}

static PyObject *event_on(PyObject *self, PyObject *args,
                          kjit_status act(kjit_event *event, kjit_stream *stream))
{
    PyObject *given = Py_None, *keeper;
    kjit_stream *stream;

    if (!PyArg_ParseTuple(args, "|O", &given) || read_stream(given, &stream, &keeper) < 0)
        return NULL;
    PyObject *result = none_or_raise(act(((Event *)self)->event, stream));
    Py_XDECREF(keeper);
    return result;
}

static PyObject *event_record(PyObject *self, PyObject *args)
{
    return event_on(self, args, kjit_event_record);
}

static PyObject *event_wait(PyObject *self, PyObject *args)
{
    return event_on(self, args, kjit_event_wait);
}

static PyObject *event_synchronize(PyObject *self, PyObject *none)
{
    kjit_status status;

    (void)none;
    Py_BEGIN_ALLOW_THREADS
        status = kjit_event_synchronize(((Event *)self)->event);
    Py_END_ALLOW_THREADS
    return none_or_raise(status);
}

static PyObject *event_query(PyObject *self, PyObject *none)
{
    int done = 0;
    kjit_status status = kjit_event_query(((Event *)self)->event, &done);

    (void)none;
    return status == KJIT_OK ? PyBool_FromLong(done) : raise_status(status);
}

/* Milliseconds from this event to a later one. */
static PyObject *event_elapsed(PyObject *self, PyObject *args)
{
    PyObject *later;
    double ms;

    if (!PyArg_ParseTuple(args, "O!", event_type, &later))
        return NULL;
    kjit_status status = kjit_event_elapsed(((Event *)self)->event, ((Event *)later)->event, &ms);
    return status == KJIT_OK ? PyFloat_FromDouble(ms) : raise_status(status);
}

static PyGetSetDef stream_properties[] = {
    { "handle", stream_handle, NULL, "The CUstream, as a number", NULL },
    { 0 },
};

static PyMethodDef stream_methods[] = {
    { "synchronize", stream_synchronize, METH_NOARGS, "Waits for its work." },
    { "query", stream_query, METH_NOARGS, "Is nothing left to do?" },
    { 0 },
};

static PyType_Slot stream_slots[] = {
    { Py_tp_doc, "Stream(context, kind, number): a queue of work." },
    { Py_tp_new, stream_new },
    { Py_tp_dealloc, stream_free },
    { Py_tp_getset, stream_properties },
    { Py_tp_methods, stream_methods },
    { 0 },
};

static PyMethodDef event_methods[] = {
    { "record", event_record, METH_VARARGS, "Is now behind what the stream was asked." },
    { "wait", event_wait, METH_VARARGS, "What the stream is asked from now on waits for it." },
    { "synchronize", event_synchronize, METH_NOARGS, "Waits until it was passed." },
    { "query", event_query, METH_NOARGS, "Was it passed?" },
    { "elapsed", event_elapsed, METH_VARARGS, "Milliseconds to another." },
    { 0 },
};

static PyType_Slot event_slots[] = {
    { Py_tp_doc, "Event(context, timed): a point in a stream's work." },
    { Py_tp_new, event_new },
    { Py_tp_dealloc, event_free },
    { Py_tp_methods, event_methods },
    { 0 },
};

static PyType_Spec stream_spec = { "kjit._core.Stream", sizeof(Stream), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, stream_slots };
static PyType_Spec event_spec = { "kjit._core.Event", sizeof(Event), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, event_slots };

int stream_ready(PyObject *module)
{
    stream_type = add_type(module, &stream_spec);
    event_type = add_type(module, &event_spec);
    return stream_type && event_type ? 0 : -1;
}
