/* Launches in numba's way: kernel[grid, block, stream, shared](arguments). */
#include "python/core/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *launch_type;

typedef struct Launch {
    PyObject_HEAD vectorcallfunc call;
    PyObject *target; /* a Kernel or a Dispatcher */
    PyObject *stream;
    kjit_launch_config config;
    uint64_t threads; /* that forall() is to cover; 0: the configuration is complete */
    int empty;        /* of no threads at all */
} Launch;

/* ---- arguments ------------------------------------------------------------------------------- */

static PyObject *tuple_of(PyObject *const *items, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);

    for (size_t i = 0; tuple && i < count; i++) {
        Py_INCREF(items[i]);
        if (PyTuple_SetItem(tuple, (Py_ssize_t)i, items[i]) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *given_tuple(Given *given)
{
    if (!given->tuple)
        given->tuple = tuple_of(given->items, given->count);
    return given->tuple;
}

static int pack_given(Pack *pack, Context *context, const Given *given)
{
    return given->items ? pack_items(pack, context, given->items, given->count)
                        : pack_args(pack, context, given->tuple);
}

/* ---- launching ------------------------------------------------------------------------------- */

/* numba's forall() launches along x alone, whatever axes the kernel reads indices along. */
static kjit_status configure_forall(const Launch *self, Kernel *kernel, const Pack *pack,
                                    kjit_launch_config *config)
{
    kjit_status status =
        kjit_forall(kernel->kernel, pack->args, pack->count, self->threads, config);

    for (int axis = 1; axis < 3; axis++)
        config->grid[axis] = config->block[axis] = 1;
    return status;
}

static kjit_status launch_now(Launch *self, Kernel *kernel, kjit_launch_config *config,
                              const Pack *pack, const Over *over)
{
    kjit_status status = KJIT_OK;

    Py_BEGIN_ALLOW_THREADS
        if (self->threads)
            status = configure_forall(self, kernel, pack, config);
        if (status == KJIT_OK)
            status = over->group
                         ? kjit_group_launch(over->group->group, kernel->kernel, config, pack->args,
                                             pack->count, over->wishes, over->count)
                         : kjit_launch(kernel->kernel, config, pack->args, pack->count);
        if (kernel->prints) {
            if (status == KJIT_OK)
                status = kjit_synchronize(kernel->owner->owner->context);
            fflush(stdout);
        }
    Py_END_ALLOW_THREADS
    return status;
}

/* Are there keywords, or other arguments than parameters? */
static int needs_arranging(PyObject *target, const Given *given, PyObject *names)
{
    if (names && PyTuple_Size(names))
        return 1;
    return Py_TYPE(target) != kernel_type &&
           (Py_ssize_t)given->count != ((Dispatcher *)target)->param_count;
}

/* Keywords, whose values follow the other arguments. */
static PyObject *dict_of(const Given *given, PyObject *names)
{
    Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    PyObject *words = PyDict_New();

    for (Py_ssize_t i = 0; words && i < count; i++) {
        if (PyDict_SetItem(words, PyTuple_GetItem(names, i),
                           given->items[given->count + (size_t)i]) < 0)
            Py_CLEAR(words);
    }
    return words;
}

/* Puts the arguments by position in place of those given; -1 after an exception. */
static int arrange(PyObject *target, Given *given, PyObject *names)
{
    PyObject *args = given_tuple(given), *words = args ? dict_of(given, names) : NULL;
    PyObject *filled = words ? PyObject_CallMethod(target, "arrange", "OO", args, words) : NULL;

    Py_XDECREF(words);
    if (filled && !PyTuple_Check(filled)) {
        PyErr_SetString(PyExc_TypeError, "arrange() gave no tuple");
        Py_CLEAR(filled);
    }
    if (!filled)
        return -1;
    Py_DECREF(args);
    *given = (Given){ .tuple = filled };
    return 0;
}

/* Converts the arguments again, with the arrays behind them that the kernel captures. */
static int pack_captured(Pack *pack, const Kernel *kernel, Given *given)
{
    Context *context = pack->context;

    if (!kernel->captured || kernel->captured == Py_None)
        return 0;
    PyObject *args = given_tuple(given);
    PyObject *all = args ? PySequence_Concat(args, kernel->captured) : NULL;
    pack_free(pack);
    pack_begin(pack, context);
    int status = all ? pack_args(pack, context, all) : -1;
    Py_XDECREF(all); /* the kernel owns the arrays, the caller the others */
    return status;
}

/* Launches the kernel for arguments that are packed; -1 after an exception. */
static int launch_packed(Launch *self, Pack *pack, Given *given, const Over *over)
{
    kjit_launch_config config = self->config;
    Kernel *kernel = kernel_for(self->target, pack, given);
    kjit_status status = KJIT_OK;
    int failed = !kernel || pack_captured(pack, kernel, given) < 0 ||
                 (over->group && group_serves(over->group, pack->context) < 0);

    if (!failed && !self->empty) {
        if (kernel->prints)
            flush_python();
        status = launch_now(self, kernel, &config, pack, over);
        failed = interrupt_raised();
    }
    if (status != KJIT_OK && !failed)
        raise_status(status);
    failed = failed || status != KJIT_OK || pack_after(pack) < 0;
    Py_XDECREF(kernel);
    return failed ? -1 : 0;
}

/* None, or NULL after an exception. Lets go of the tuple of what is given. */
static PyObject *launch_given(Launch *self, Given *given, PyObject *names, const Over *over)
{
    Context *context = context_of(self->target);
    int status = context ? 0 : -1;
    Pack pack;

    if (status == 0 && needs_arranging(self->target, given, names))
        status = arrange(self->target, given, names);
    if (status == 0)
        status = pack_given(&pack, context, given);
    if (status == 0) {
        status = launch_packed(self, &pack, given, over);
        pack_free(&pack);
    }
    Py_XDECREF(given->tuple);
    Py_XDECREF(context);
    if (status < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyObject *launch_over(PyObject *object, PyObject *args, const Over *over)
{
    Given given = { .count = (size_t)PyTuple_Size(args), .tuple = args };

    Py_INCREF(args);
    return launch_given((Launch *)object, &given, NULL, over);
}

static PyObject *launch_call(PyObject *object, PyObject *const *args, size_t flagged,
                             PyObject *names)
{
    Given given = { .items = args, .count = flagged & ~PY_VECTORCALL_ARGUMENTS_OFFSET };
    Over over = { .group = (Group *)shared_get(&current_group) };
    PyObject *result;

    result = launch_given((Launch *)object, &given, names, &over);
    Py_XDECREF(over.group);
    return result;
}

/* ---- configurations -------------------------------------------------------------------------- */

/* Blocks or threads along an axis; `what` is griddim or blockdim. */
static int read_size(const char *what, PyObject *object, uint32_t *size)
{
    PyObject *whole = PyNumber_Index(object);
    long long value = whole ? PyLong_AsLongLong(whole) : -1;

    Py_XDECREF(whole);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a sequence of integers, got [%R]", what, object);
        return -1;
    }
    if (value < 0 || value > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s must be from 1 to 4294967295, got [%R]", what, object);
        return -1;
    }
    *size = (uint32_t)value;
    return 0;
}

/* A number or a tuple (or list) of up to three. */
static int read_sizes(const char *what, PyObject *object, uint32_t sizes[3])
{
    Py_ssize_t count;
    int status = 0;

    sizes[1] = sizes[2] = 1;
    if (!PyTuple_Check(object) && !PyList_Check(object))
        return read_size(what, object, &sizes[0]);
    count = PySequence_Size(object);
    if (count < 1 || count > 3) {
        PyObject *list = PySequence_List(object);
        if (list)
            PyErr_Format(PyExc_ValueError, "%s must be a sequence of 1, 2 or 3 integers, got %R",
                         what, list);
        Py_XDECREF(list);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count && status == 0; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        status = item ? read_size(what, item, &sizes[i]) : -1;
        Py_XDECREF(item);
    }
    return status;
}

static Launch *new_launch(PyObject *target)
{
    Launch *self = (Launch *)PyType_GenericAlloc(launch_type, 0);

    if (!self)
        return NULL;
    Py_INCREF(target);
    self->call = launch_call;
    self->target = target;
    self->config = (kjit_launch_config){ .size = sizeof self->config };
    return self;
}

/* The stream and the shared bytes of what stands in the brackets. */
static int read_rest(Launch *self, PyObject *stream, PyObject *shared)
{
    if (shared) {
        PyObject *whole = PyNumber_Index(shared);
        self->config.shared_bytes = whole ? PyLong_AsSize_t(whole) : 0;
        Py_XDECREF(whole);
        if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_Format(PyExc_ValueError, "%R bytes of shared memory: these are 0 or more",
                         shared);
        if (PyErr_Occurred())
            return -1;
    }
    if (!stream)
        return 0;
    return read_stream(stream, &self->config.stream, &self->stream);
}

/* The shape that was read last: a loop has the same objects in its brackets each time. Without the
** GIL none is kept: reading one takes less time than locking. */
static struct {
    PyObject *grid, *block; /* which cannot change */
    kjit_launch_config config;
} last;

/* Whether the same object will always say the same sizes. */
static int stays(PyObject *sizes)
{
    int same = PyLong_CheckExact(sizes) || PyTuple_CheckExact(sizes);

    for (Py_ssize_t i = 0; same && PyTuple_Check(sizes) && i < PyTuple_Size(sizes); i++)
        same = PyLong_CheckExact(PyTuple_GetItem(sizes, i));
    return same;
}

static void keep_shape(PyObject *grid, PyObject *block, const kjit_launch_config *config)
{
    PyObject *old_grid = last.grid, *old_block = last.block;

    if (WITHOUT_GIL || !stays(grid) || !stays(block))
        return;
    Py_INCREF(grid);
    Py_INCREF(block);
    last.grid = grid;
    last.block = block;
    memcpy(last.config.grid, config->grid, sizeof config->grid);
    memcpy(last.config.block, config->block, sizeof config->block);
    Py_XDECREF(old_grid);
    Py_XDECREF(old_block);
}

static int read_shape(Launch *self, PyObject *grid, PyObject *block)
{
    kjit_launch_config *config = &self->config;

    if (grid == last.grid && block == last.block) {
        memcpy(config->grid, last.config.grid, sizeof config->grid);
        memcpy(config->block, last.config.block, sizeof config->block);
        return 0;
    }
    if (read_sizes("griddim", grid, config->grid) < 0 ||
        read_sizes("blockdim", block, config->block) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        if (config->grid[i] && config->block[i])
            continue;
        PyErr_Format(PyExc_ValueError, "a grid or block of no threads: [%R, %R]", grid, block);
        return -1;
    }
    keep_shape(grid, block, config);
    return 0;
}

/* kernel[grid, block, stream, shared bytes] */
PyObject *target_item(PyObject *target, PyObject *key)
{
    Py_ssize_t count = PyTuple_Check(key) ? PyTuple_Size(key) : 0;
    Launch *self;

    if (count < 2 || count > 4) {
        PyErr_SetString(PyExc_ValueError,
                        "a launch is kernel[grid, block], kernel[grid, block, stream] or "
                        "kernel[grid, block, stream, shared_bytes]");
        return NULL;
    }
    self = new_launch(target);
    if (self && (read_shape(self, PyTuple_GetItem(key, 0), PyTuple_GetItem(key, 1)) < 0 ||
                 read_rest(self, count > 2 ? PyTuple_GetItem(key, 2) : NULL,
                           count > 3 ? PyTuple_GetItem(key, 3) : NULL) < 0))
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* forall(ntasks, tpb=0, stream=0, sharedmem=0) */
PyObject *target_forall(PyObject *target, PyObject *args, PyObject *words)
{
    static char *names[] = { "ntasks", "tpb", "stream", "sharedmem", NULL };
    long long tasks;
    uint32_t block = 0;
    PyObject *block_given = NULL, *stream = NULL, *shared = NULL;
    Launch *self;

    if (!PyArg_ParseTupleAndKeywords(args, words, "L|OOO", names, &tasks, &block_given, &stream,
                                     &shared) ||
        (block_given && read_size("tpb", block_given, &block) < 0))
        return NULL;
    if (tasks < 0) {
        PyErr_Format(PyExc_ValueError, "Can't create ForAll with negative task count: %lld", tasks);
        return NULL;
    }
    self = new_launch(target);
    if (!self || read_rest(self, stream, shared) < 0) {
        Py_XDECREF(self);
        return NULL;
    }
    self->empty = tasks == 0;
    if (!block || self->empty) {
        self->threads = (uint64_t)tasks;
        return (PyObject *)self;
    }
    long long blocks = (tasks - 1) / block + 1;
    if (blocks > UINT32_MAX) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_ValueError, "more blocks than a grid can have");
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        self->config.grid[i] = i ? 1 : (uint32_t)blocks;
        self->config.block[i] = i ? 1 : block;
    }
    return (PyObject *)self;
}

static int launch_visit(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((Launch *)object)->target);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void launch_free(PyObject *object)
{
    Launch *self = (Launch *)object;

    PyObject_GC_UnTrack(object);
    Py_XDECREF(self->target);
    Py_XDECREF(self->stream);
    free_object(object);
}

static PyObject *launch_repr(PyObject *object)
{
    const Launch *self = (const Launch *)object;
    const uint32_t *grid = self->config.grid, *block = self->config.block;
    PyObject *name = PyObject_GetAttrString(self->target, "__name__"), *text = NULL;

    if (name && self->threads)
        text = PyUnicode_FromFormat("<kjit launch %U.forall(%llu)>", name,
                                    (unsigned long long)self->threads);
    else if (name)
        text = PyUnicode_FromFormat("<kjit launch %U[(%u, %u, %u), (%u, %u, %u)]>", name, grid[0],
                                    grid[1], grid[2], block[0], block[1], block[2]);
    Py_XDECREF(name);
    return text;
}

/* ---- the type ------------------------------------------------------------------------------ */

static PyMemberDef launch_members[] = {
    { "__vectorcalloffset__", T_PYSSIZET, offsetof(Launch, call), READONLY, NULL },
    { 0 },
};

static PyType_Slot launch_slots[] = {
    { Py_tp_doc, "A kernel with its configuration." },
    { Py_tp_new, not_made_so },
    { Py_tp_dealloc, launch_free },
    { Py_tp_traverse, launch_visit },
    { Py_tp_repr, launch_repr },
    { Py_tp_members, launch_members },
    { Py_tp_call, PyVectorcall_Call },
    { 0 },
};

static PyType_Spec launch_spec = { "kjit._core.Launch", sizeof(Launch), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                       Py_TPFLAGS_HAVE_VECTORCALL,
                                   launch_slots };

int launch_ready(PyObject *module)
{
    launch_type = add_type(module, &launch_spec);
    return launch_type ? 0 : -1;
}
