/* Launches in numba's way: kernel[grid, block, stream, shared](arguments).
**
** A Dispatcher is a kernel that is made when it is first called with arguments of given types: a
** subclass in Python makes it (`make_kernel`), here it is looked up. */
#include "python/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *dispatcher_type, *launch_type;

/* A kernel that was made for arguments of some types. */
typedef struct Variant {
    struct Variant *next;
    Kernel *kernel;
    size_t count;
    uint64_t words[];
} Variant;

typedef struct Dispatcher {
    PyObject_HEAD Context *owner; /* NULL: not known before the first launch */
    Variant *variants;            /* what was made last comes first */
    Py_ssize_t param_count;
} Dispatcher;

typedef struct Launch {
    PyObject_HEAD PyObject *target; /* a Kernel or a Dispatcher */
    PyObject *stream;
    kjit_launch_config config;
    uint64_t threads; /* that forall() is to cover; 0: the configuration is complete */
    int empty;        /* of no threads at all */
} Launch;

/* ---- the types of arguments as words --------------------------------------------------------- */

enum { WORDS_MOST = 64 };

typedef struct Key {
    uint64_t words[WORDS_MOST];
    size_t count;
    int whole; /* 0: there were too many */
} Key;

static void key_add(Key *key, uint64_t word)
{
    if (key->count < WORDS_MOST)
        key->words[key->count++] = word;
    else
        key->whole = 0;
}

static void key_args(Key *key, const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = &args[i];
        const kjit_array *array = &arg->as.array;
        switch (arg->kind) {
        case KJIT_ARG_SCALAR:
            key_add(key, 1 | (uint64_t)arg->dtype << 8);
            break;
        case KJIT_ARG_ARRAY:
            key_add(key, 2 | (uint64_t)array->dtype << 8 | (uint64_t)array->rank << 24 |
                             (uint64_t)(array->flags & KJIT_READONLY) << 32 |
                             (uint64_t)kjit_array_is_contiguous(array, 0) << 40 |
                             (uint64_t)kjit_array_is_contiguous(array, 1) << 41);
            if (array->record)
                key_add(key, (uint64_t)(uintptr_t)array->record);
            break;
        case KJIT_ARG_TUPLE:
            key_add(key, 3 | (uint64_t)arg->as.tuple.count << 8);
            key_args(key, arg->as.tuple.items, arg->as.tuple.count);
            break;
        }
    }
}

/* A kernel of that context: other threads may have made another one current meanwhile. */
static Kernel *find_variant(const Dispatcher *self, const Context *context, const Key *key)
{
    for (const Variant *it = self->variants; it; it = it->next) {
        if (it->count == key->count && it->kernel->owner->owner == context &&
            memcmp(it->words, key->words, key->count * sizeof *key->words) == 0)
            return it->kernel;
    }
    return NULL;
}

static int add_variant(Dispatcher *self, const Key *key, Kernel *kernel)
{
    size_t bytes = key->count * sizeof *key->words;
    Variant *variant = malloc(sizeof *variant + bytes);

    if (!variant) {
        PyErr_NoMemory();
        return -1;
    }
    Py_INCREF(kernel);
    *variant = (Variant){ .next = self->variants, .kernel = kernel, .count = key->count };
    memcpy(variant->words, key->words, bytes);
    self->variants = variant;
    return 0;
}

/* Other threads run while a kernel goes, and see a dispatcher that has none. */
static void forget_variants(Dispatcher *self)
{
    Variant *variants = self->variants;
    Context *owner = self->owner;

    self->variants = NULL;
    self->owner = NULL;
    while (variants) {
        Variant *next = variants->next;
        Py_DECREF(variants->kernel);
        free(variants);
        variants = next;
    }
    Py_XDECREF(owner);
}

/* The kernel for arguments of these types, a new reference; made if need be. */
static Kernel *kernel_for(PyObject *target, const Pack *pack, PyObject *args)
{
    Key key = { .whole = 1 };
    PyObject *made;
    Kernel *found;

    if (Py_TYPE(target) == kernel_type) {
        Py_INCREF(target);
        return (Kernel *)target;
    }
    key_args(&key, pack->args, pack->count);
    if (pack->classes)
        key_add(&key, pack->classes);
    found = key.whole ? find_variant((Dispatcher *)target, pack->context, &key) : NULL;
    if (found) {
        Py_INCREF(found);
        return found;
    }
    made = PyObject_CallMethod(target, "make_kernel", "(O)", args);
    if (made && Py_TYPE(made) != kernel_type) {
        PyErr_SetString(PyExc_TypeError, "make_kernel() gave no kernel");
        Py_CLEAR(made);
    }
    if (made && ((Kernel *)made)->owner->owner != pack->context) {
        PyErr_SetString(PyExc_RuntimeError, "another device became current during the launch");
        Py_CLEAR(made);
    }
    if (made && key.whole && add_variant((Dispatcher *)target, &key, (Kernel *)made) < 0)
        Py_CLEAR(made);
    return (Kernel *)made;
}

/* The context that arguments are for, a new reference; NULL after an exception. Kernels that a
** dispatcher has are of one context. */
static Context *context_of(PyObject *target)
{
    Dispatcher *self = (Dispatcher *)target;
    Context *context;
    PyObject *found;

    if (Py_TYPE(target) == kernel_type) {
        context = ((Kernel *)target)->owner->owner;
        Py_INCREF(context);
        return context;
    }
    if (!current_context) {
        found = PyObject_CallMethod(target, "find_context", NULL);
        Py_XDECREF(found);
        if (found && !current_context)
            PyErr_SetString(PyExc_RuntimeError, "no device is current");
        if (!found || !current_context)
            return NULL;
    }
    context = current_context;
    Py_INCREF(context);
    if (self->owner != context) {
        forget_variants(self);
        Py_INCREF(context);
        Context *before = self->owner; /* that another thread has set meanwhile */
        self->owner = context;
        Py_XDECREF(before);
    }
    return context;
}

/* ---- launching ------------------------------------------------------------------------------- */

static kjit_status launch_now(Launch *self, Kernel *kernel, kjit_launch_config *config,
                              const Pack *pack, const Over *over)
{
    kjit_status status = KJIT_OK;

    Py_BEGIN_ALLOW_THREADS if (self->threads) status =
        kjit_forall(kernel->kernel, pack->args, pack->count, self->threads, config);
    if (status == KJIT_OK)
        status = over->group ? kjit_group_launch(over->group->group, kernel->kernel, config,
                                                 pack->args, pack->count, over->wishes, over->count)
                             : kjit_launch(kernel->kernel, config, pack->args, pack->count);
    if (kernel->prints) {
        if (status == KJIT_OK)
            status = kjit_synchronize(kernel->owner->owner->context);
        fflush(stdout);
    }
    Py_END_ALLOW_THREADS return status;
}

/* Are there keywords, or other arguments than parameters? */
static int needs_arranging(PyObject *target, PyObject *args, PyObject *words)
{
    if (words && PyDict_Size(words))
        return 1;
    return Py_TYPE(target) != kernel_type &&
           PyTuple_Size(args) != ((Dispatcher *)target)->param_count;
}

/* Converts the arguments again, with the arrays behind them that the kernel captures. */
static int pack_captured(Pack *pack, const Kernel *kernel, PyObject *args)
{
    Context *context = pack->context;

    if (!kernel->captured || kernel->captured == Py_None)
        return 0;
    PyObject *all = PySequence_Concat(args, kernel->captured);
    pack_free(pack);
    pack_begin(pack, context);
    int status = all ? pack_args(pack, context, all) : -1;
    Py_XDECREF(all); /* the kernel owns the arrays, the caller the others */
    return status;
}

PyObject *launch_over(PyObject *object, PyObject *args, PyObject *words, const Over *over)
{
    Launch *self = (Launch *)object;
    kjit_launch_config config = self->config;
    Context *context = context_of(self->target);
    PyObject *result = NULL, *filled = NULL;
    Kernel *kernel;
    Pack pack;

    if (!context)
        return NULL;
    if (needs_arranging(self->target, args, words)) {
        filled = PyObject_CallMethod(self->target, "arrange", "OO", args, words ? words : Py_None);
        if (!filled) {
            Py_DECREF(context);
            return NULL;
        }
        args = filled;
    }
    if (pack_args(&pack, context, args) == 0) {
        kernel = kernel_for(self->target, &pack, args);
        if (kernel && (pack_captured(&pack, kernel, args) < 0 ||
                       (over->group && group_serves(over->group, context) < 0)))
            Py_CLEAR(kernel);
        if (kernel) {
            if (kernel->prints)
                flush_python();
            kjit_status status =
                self->empty ? KJIT_OK : launch_now(self, kernel, &config, &pack, over);
            if (status != KJIT_OK)
                raise_status(status);
            else if (pack_after(&pack) == 0)
                result = Py_None;
            Py_DECREF(kernel);
        }
        pack_free(&pack);
    }
    Py_XDECREF(filled);
    Py_DECREF(context);
    Py_XINCREF(result);
    return result;
}

static PyObject *launch_call(PyObject *object, PyObject *args, PyObject *words)
{
    Over over = { .group = current_group };
    PyObject *result;

    Py_XINCREF(over.group); /* another thread may use another one meanwhile */
    result = launch_over(object, args, words, &over);
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
    allocfunc allocate = (allocfunc)PyType_GetSlot(launch_type, Py_tp_alloc);
    Launch *self = (Launch *)allocate(launch_type, 0);

    if (!self)
        return NULL;
    Py_INCREF(target);
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
        if (PyErr_Occurred())
            return -1;
    }
    if (!stream)
        return 0;
    return read_stream(stream, &self->config.stream, &self->stream);
}

/* The shape that was read last: a loop has the same objects in its brackets each time. */
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

    if (!stays(grid) || !stays(block))
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

/* ---- dispatchers ----------------------------------------------------------------------------- */

static int dispatcher_visit(PyObject *object, visitproc visit, void *arg)
{
    Dispatcher *self = (Dispatcher *)object;

    for (Variant *it = self->variants; it; it = it->next)
        Py_VISIT(it->kernel);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void dispatcher_free(PyObject *object)
{
    Dispatcher *self = (Dispatcher *)object;

    PyObject_GC_UnTrack(object);
    forget_variants(self);
    free_object(object);
}

/* Kernels are made anew for the next launches. */
static PyObject *dispatcher_forget(PyObject *self, PyObject *none)
{
    (void)none;
    forget_variants((Dispatcher *)self);
    Py_RETURN_NONE;
}

static PyObject *dispatcher_kernels(PyObject *self, PyObject *none)
{
    PyObject *list = PyList_New(0);

    (void)none;
    for (Variant *it = ((Dispatcher *)self)->variants; list && it; it = it->next) {
        if (PyList_Append(list, (PyObject *)it->kernel) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyMemberDef dispatcher_members[] = {
    { "param_count", T_PYSSIZET, offsetof(Dispatcher, param_count), 0, "Of its text" },
    { 0 },
};

static PyMethodDef dispatcher_methods[] = {
    { "forall", (PyCFunction)(void (*)(void))target_forall, METH_VARARGS | METH_KEYWORDS,
      "A launch of so many threads." },
    { "forget", dispatcher_forget, METH_NOARGS, "Makes kernels anew for the next launches." },
    { "kernels", dispatcher_kernels, METH_NOARGS, "Those that were made, the last one first." },
    { 0 },
};

static PyType_Slot dispatcher_slots[] = {
    { Py_tp_doc, "Kernels of one text, made for the types of arguments." },
    { Py_tp_dealloc, dispatcher_free },
    { Py_tp_traverse, dispatcher_visit },
    { Py_tp_members, dispatcher_members },
    { Py_tp_methods, dispatcher_methods },
    { Py_mp_subscript, target_item },
    { 0 },
};

static PyType_Slot launch_slots[] = {
    { Py_tp_doc, "A kernel with its configuration." },
    { Py_tp_new, not_made_so },
    { Py_tp_dealloc, launch_free },
    { Py_tp_traverse, launch_visit },
    { Py_tp_call, launch_call },
    { 0 },
};

static PyType_Spec dispatcher_spec = { "kjit._core.Dispatcher", sizeof(Dispatcher), 0,
                                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                                           Py_TPFLAGS_HAVE_GC,
                                       dispatcher_slots };
static PyType_Spec launch_spec = { "kjit._core.Launch", sizeof(Launch), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, launch_slots };

int launch_ready(PyObject *module)
{
    dispatcher_type = add_type(module, &dispatcher_spec);
    launch_type = add_type(module, &launch_spec);
    return dispatcher_type && launch_type ? 0 : -1;
}
