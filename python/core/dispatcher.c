/* Dispatchers: a kernel that is made when it is first called with arguments of given types. A
** subclass in Python makes it (`make_kernel`), here it is looked up. */
#include "python/core/launch.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *dispatcher_type;

/* A kernel that was made for arguments of some types. */
struct Variant {
    Variant *next;
    Kernel *kernel;
    size_t count;
    uint64_t words[];
};

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

static int is_for(const Variant *self, const Context *context, const Key *key)
{
    return self->count == key->count && self->kernel->owner->owner == context &&
           memcmp(self->words, key->words, key->count * sizeof *key->words) == 0;
}

/* A kernel of that context, a new reference: other threads may have made another one current
** meanwhile. NULL: there is none. */
static Kernel *find_variant(Dispatcher *self, const Context *context, const Key *key)
{
    const Variant *it;
    Kernel *found;

    lock(&self->lock);
    it = self->variants;
    while (it && !is_for(it, context, key))
        it = it->next;
    found = it ? it->kernel : NULL;
    Py_XINCREF(found);
    unlock(&self->lock);
    return found;
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
    *variant = (Variant){ .kernel = kernel, .count = key->count };
    memcpy(variant->words, key->words, bytes);
    lock(&self->lock);
    variant->next = self->variants;
    self->variants = variant;
    unlock(&self->lock);
    return 0;
}

/* Lets go of the kernels, which are another context's from now on; NULL: not known yet. Other
** threads run while a kernel goes, and see a dispatcher that has none. */
static void forget_variants(Dispatcher *self, Context *context)
{
    Variant *variants;
    Context *owner;

    Py_XINCREF(context);
    lock(&self->lock);
    variants = self->variants;
    owner = self->owner;
    self->variants = NULL;
    self->owner = context;
    unlock(&self->lock);
    while (variants) {
        Variant *next = variants->next;
        Py_DECREF(variants->kernel);
        free(variants);
        variants = next;
    }
    Py_XDECREF(owner);
}

Kernel *kernel_for(PyObject *target, const Pack *pack, Given *given)
{
    Key key = { .whole = 1 };
    PyObject *args, *made;
    Kernel *found;

    if (Py_TYPE(target) == kernel_type) {
        Py_INCREF(target);
        return (Kernel *)target;
    }
    key_args(&key, pack->args, pack->count);
    if (pack->classes)
        key_add(&key, pack->classes);
    found = key.whole ? find_variant((Dispatcher *)target, pack->context, &key) : NULL;
    if (found)
        return found;
    args = given_tuple(given);
    made = args ? PyObject_CallMethod(target, "make_kernel", "(O)", args) : NULL;
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

/* Kernels that a dispatcher has are of one context. */
Context *context_of(PyObject *target)
{
    Dispatcher *self = (Dispatcher *)target;
    Context *context;
    PyObject *found;

    if (Py_TYPE(target) == kernel_type) {
        context = ((Kernel *)target)->owner->owner;
        Py_INCREF(context);
        return context;
    }
    context = (Context *)shared_get(&current_context);
    if (!context) {
        found = PyObject_CallMethod(target, "find_context", NULL);
        Py_XDECREF(found);
        context = found ? (Context *)shared_get(&current_context) : NULL;
        if (found && !context)
            PyErr_SetString(PyExc_RuntimeError, "no device is current");
        if (!context)
            return NULL;
    }
    if (self->owner != context)
        forget_variants(self, context);
    return context;
}

/* ---- the type ------------------------------------------------------------------------------ */

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
    forget_variants(self, NULL);
    free_object(object);
}

/* Kernels are made anew for the next launches. */
static PyObject *dispatcher_forget(PyObject *self, PyObject *none)
{
    (void)none;
    forget_variants((Dispatcher *)self, NULL);
    Py_RETURN_NONE;
}

static PyObject *dispatcher_kernels(PyObject *object, PyObject *none)
{
    Dispatcher *self = (Dispatcher *)object;
    PyObject *list = PyList_New(0);
    int status = list ? 0 : -1;

    (void)none;
    lock(&self->lock);
    for (Variant *it = self->variants; status == 0 && it; it = it->next)
        status = PyList_Append(list, (PyObject *)it->kernel);
    unlock(&self->lock);
    if (status < 0)
        Py_CLEAR(list);
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

static PyType_Spec dispatcher_spec = { "kjit._core.Dispatcher", sizeof(Dispatcher), 0,
                                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                                           Py_TPFLAGS_HAVE_GC,
                                       dispatcher_slots };

int dispatcher_ready(PyObject *module)
{
    dispatcher_type = add_type(module, &dispatcher_spec);
    return dispatcher_type ? 0 : -1;
}
