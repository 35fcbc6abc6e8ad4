/* What threads read while others change it. With the GIL the locks are nothing; without it they are
** held for a few instructions, in which no code of Python's runs. */
#include "python/core/core.h"

/* ---- objects that are replaced --------------------------------------------------------------- */

PyObject *shared_get(Shared *self)
{
    PyObject *object = self->object;

    if (!object)
        return NULL;
    lock(&self->lock);
    object = self->object;
    Py_XINCREF(object);
    unlock(&self->lock);
    return object;
}

void shared_set(Shared *self, PyObject *object)
{
    PyObject *before;

    if (object == Py_None)
        object = NULL;
    Py_XINCREF(object);
    lock(&self->lock);
    before = self->object;
    self->object = object;
    unlock(&self->lock);
    Py_XDECREF(before);
}

/* ---- numbers noted for objects --------------------------------------------------------------- */

/* An address above the number: programs have no addresses of more than 56 bits. */
enum { NUMBER_BITS = 8 };

static _Atomic(uintptr_t) *note_of(Notes *notes, uintptr_t address)
{
    return &notes->words[(address >> 4 ^ address >> 10) % NOTES];
}

unsigned notes_find(Notes *notes, const void *object)
{
    uintptr_t address = (uintptr_t)object;
    uintptr_t word = atomic_load_explicit(note_of(notes, address), memory_order_acquire);

    return word >> NUMBER_BITS == address ? (unsigned)(word & ((1 << NUMBER_BITS) - 1)) : 0;
}

void notes_add(Notes *notes, PyObject *object, unsigned number)
{
    uintptr_t address = (uintptr_t)object, word = address << NUMBER_BITS | number, before;

    if (word >> NUMBER_BITS != address)
        return;
    Py_INCREF(object);
    before = atomic_exchange(note_of(notes, address), word);
    Py_XDECREF((PyObject *)(before >> NUMBER_BITS));
}
