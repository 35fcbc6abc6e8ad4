/* SPDX-License-Identifier: BSD-2-Clause
** Copyright (c) 2026, The kjit developers
**
** The extension module kjit._core: libkjit's handles as Python's objects, and launches with
** Python's arguments. It is written on CPython's limited API, so that one build serves every
** CPython from 3.9 on, and does not depend on NumPy. Free-threaded builds of CPython have no such
** API: for each of their versions it is compiled anew, from the same sources.
**
** What numba's API is made of beside these objects is written in Python: python/kjit/. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <structmember.h>

#include "include/kjit_tools.h"

#ifdef Py_LIMITED_API
/* The buffer protocol joined the limited API in 3.11, as it had been since 3.3: these functions
** are exported, and the struct has this layout, in every CPython that the module runs on. */
typedef struct bufferinfo {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} Py_buffer;
PyAPI_FUNC(int) PyObject_CheckBuffer(PyObject *object);
PyAPI_FUNC(int) PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
enum { PyBUF_WRITE = 0x200 };
enum { PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_ND = 8, PyBUF_STRIDES = 0x10 | PyBUF_ND };
enum {
    PyBUF_C_CONTIGUOUS = 0x20 | PyBUF_STRIDES,
    PyBUF_F_CONTIGUOUS = 0x40 | PyBUF_STRIDES,
    PyBUF_ANY_CONTIGUOUS = 0x80 | PyBUF_STRIDES
};
#ifndef Py_bf_getbuffer
#define Py_bf_getbuffer 1
#endif

/* Calls without a tuple joined it in 3.12, as types of the limited API had been able to have them
** since 3.9. */
typedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject *const *args, size_t flagged,
                                    PyObject *names);
PyAPI_FUNC(PyObject *) PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *words);
#define Py_TPFLAGS_HAVE_VECTORCALL     (1UL << 11)
#define PY_VECTORCALL_ARGUMENTS_OFFSET ((size_t)1 << (8 * sizeof(size_t) - 1))
#endif

/* ---- shared.c: what threads read while others change it -------------------------------------- */

#ifdef Py_GIL_DISABLED
enum { WITHOUT_GIL = 1 };
typedef PyMutex Lock;
#else
enum { WITHOUT_GIL = 0 };
typedef struct Lock {
} Lock;
#endif

/* Between the two no code of Python's runs; with the GIL, this alone keeps others out. */
static inline void lock(Lock *it)
{
#ifdef Py_GIL_DISABLED
    PyMutex_Lock(it);
#else
    (void)it;
#endif
}

static inline void unlock(Lock *it)
{
#ifdef Py_GIL_DISABLED
    PyMutex_Unlock(it);
#else
    (void)it;
#endif
}

/* An object that threads take, and that one of them replaces meanwhile. */
typedef struct Shared {
    _Atomic(PyObject *) object;
    Lock lock;
} Shared;

/* A new reference to the object; NULL if there is none. */
PyObject *shared_get(Shared *self);
/* Puts another in its place; NULL or None: none. */
void shared_set(Shared *self, PyObject *object);

enum { NOTES = 64 };

/* Numbers from 1 to 255 of objects met with lately, which are kept. A note that another one
** displaces is made anew. */
typedef struct Notes {
    _Atomic(uintptr_t) words[NOTES];
} Notes;

/* The number that is noted for the object; 0: none. */
unsigned notes_find(Notes *notes, const void *object);
void notes_add(Notes *notes, PyObject *object, unsigned number);

/* ---- objects --------------------------------------------------------------------------------- */

typedef struct Context {
    PyObject_HEAD kjit_context *context;
    int cuda; /* it is a GPU's */
} Context;

typedef struct Module {
    PyObject_HEAD Context *owner;
    kjit_module *module;
} Module;

typedef struct Kernel {
    PyObject_HEAD Module *owner;
    kjit_kernel *kernel;
    int prints;         /* what it prints is to come in the order of Python's own output */
    PyObject *captured; /* a tuple of arrays that it is given behind its own arguments; or NULL */
} Kernel;

typedef struct Stream {
    PyObject_HEAD Context *owner;
    kjit_stream *stream; /* NULL: the default stream */
} Stream;

typedef struct Event {
    PyObject_HEAD Context *owner;
    kjit_event *event;
} Event;

/* The record of an array's elements, with what it points to. */
typedef struct Record {
    PyObject_HEAD kjit_record record;
    PyObject *description; /* a tuple, which keeps names and inner records */
} Record;

/* An array of a context's memory, or a view of one. */
typedef struct DeviceArray {
    PyObject_HEAD kjit_array array;
    Context *owner;
    PyObject *base; /* whose memory it is; NULL: its own */
    PyObject *record;
    struct Pack *pack; /* what `base` exported of its memory; NULL: nothing */
} DeviceArray;

/* A scalar of a dtype that no Python object stands for. */
typedef struct Value {
    PyObject_HEAD kjit_arg arg;
} Value;

extern PyTypeObject *context_type, *module_type, *kernel_type, *stream_type, *event_type,
    *record_type, *array_type, *value_type, *dispatcher_type, *launch_type;

/* Ranks that share launches. */
typedef struct Group {
    PyObject_HEAD _Atomic(kjit_group *) group; /* NULL: it is closed */
    _Atomic(Context *) owner;                  /* whose launches it has; NULL: there were none */
} Group;

extern PyTypeObject *group_type;

/* Makes the types of a file and adds them to the module; -1 after an exception. */
int context_ready(PyObject *module);
int kernel_ready(PyObject *module);
int launch_ready(PyObject *module);
int dispatcher_ready(PyObject *module);
int stream_ready(PyObject *module);
int array_ready(PyObject *module);
int convert_ready(PyObject *module);
int program_ready(PyObject *module);
int group_ready(PyObject *module);

/* ---- module.c: errors and hooks ------------------------------------------------------------- */

/* Raises what Python's side makes of the calling thread's last message. Gives NULL. */
PyObject *raise_status(kjit_status status);
/* None, or NULL after raising. */
PyObject *none_or_raise(kjit_status status);
/* Writes out what Python has printed so far: a kernel's or program's own output follows it. */
void flush_python(void);

/* What Python's side answers for the C side: set by hooks(name=function, ...). */
typedef struct Hooks {
    PyObject *error;   /* (status, message): an exception */
    PyObject *convert; /* (object): another object in its place as an argument, or a list of it and
                          of what to call after the launch, or of it and the class that it is of */
    PyObject *record;  /* (dtype of an array): a Record */
} Hooks;
extern Hooks hooks;

/* The context that Dispatchers launch in: use(context). Without one they have to find it. */
extern Shared current_context;

/* Makes a type of a spec, and adds it to the module; NULL after an exception. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);
/* Frees an object of such a type. */
void free_object(PyObject *self);
/* tp_new of types whose objects come from functions alone. */
PyObject *not_made_so(PyTypeObject *type, PyObject *args, PyObject *words);

/* ---- launch.c: what stands behind a kernel --------------------------------------------------- */

/* kernel[grid, block, stream, shared_bytes], and kernel.forall(tasks, tpb, stream, sharedmem). */
PyObject *target_item(PyObject *target, PyObject *key);
PyObject *target_forall(PyObject *target, PyObject *args, PyObject *words);

/* What a launch is split over, and what is said of its arrays. */
typedef struct Over {
    Group *group; /* NULL: it is not split */
    kjit_wish *wishes;
    size_t count;
} Over;

/* Calls a Launch with a tuple of arguments. */
PyObject *launch_over(PyObject *launch, PyObject *args, const Over *over);

/* ---- crash.c --------------------------------------------------------------------------------- */

/* From now on a kernel on the processor that crashes is named, unless the program has a handler of
** its own for that. */
void crash_watch(void);

/* ---- interrupt.c ----------------------------------------------------------------------------- */

/* From now on an interrupt stops a launch on the processor, if the program leaves it to Python. */
void interrupt_watch(void);
/* Behind a launch: whether it was stopped so, and KeyboardInterrupt is raised. */
int interrupt_raised(void);

/* ---- group.c --------------------------------------------------------------------------------- */

/* The group that launches are of: use_group(group). */
extern Shared current_group;
/* Whether a group may have launches of a context, which it has from then on; -1 after an
** exception. */
int group_serves(Group *group, Context *context);

/* ---- program.c ------------------------------------------------------------------------------- */

/* The method program() of a Module: a Program. */
PyObject *program_open(PyObject *module, PyObject *none);

/* ---- convert.c: what Python's objects are as arguments --------------------------------------- */

/* A tensor of DLPack's newer kind: exchange.c. */
typedef struct VersionedTensor VersionedTensor;

/* What has to be undone when the arguments are not used any more. */
typedef struct Held {
    enum { HELD_BUFFER, HELD_TENSOR, HELD_VERSIONED, HELD_OBJECT, HELD_AFTER, HELD_MEMORY } kind;
    union {
        Py_buffer view;
        struct DLManagedTensor *tensor;
        VersionedTensor *versioned;
        PyObject *object;
        void *memory;
    } as;
} Held;

enum { ARGS_FEW = 16 };

/* The arguments of a call, converted. */
typedef struct Pack {
    Context *context; /* they are for; not counted */
    kjit_arg *args, few[ARGS_FEW];
    size_t count;
    uint64_t
        classes; /* of the tuples among them, in order: namedtuples of other names are others */
    Held *held, held_few[ARGS_FEW];
    size_t held_count, held_room;
} Pack;

/* A pack of nothing yet, for arguments of a context. */
void pack_begin(Pack *pack, Context *context);
/* Converts objects, or the items of a tuple; -1 after an exception, with nothing left to undo. */
int pack_items(Pack *pack, Context *context, PyObject *const *items, size_t count);
int pack_args(Pack *pack, Context *context, PyObject *args);
/* Calls what is to be called after a launch; -1 if one of them raised. */
int pack_after(Pack *pack);
/* Undoes what pack_args() did. What is raised meanwhile stays raised. */
void pack_free(Pack *pack);
/* Converts one object, which has to be an array; -1 after an exception. */
int pack_array(Pack *pack, Context *context, PyObject *object, kjit_array *array);
/* The Record of such an array's elements, a borrowed reference; NULL: they are no records. */
PyObject *pack_record(const Pack *pack, const kjit_array *array);

/* ---- array.c --------------------------------------------------------------------------------- */

/* Extents, or strides, as a tuple of ints. */
PyObject *extents_tuple(const int64_t *extents, int32_t rank);

/* An array of another library's memory, which the pack holds and the object takes over; NULL after
** an exception. */
PyObject *array_of_pack(PyTypeObject *type, Pack *pack, const kjit_array *array);

/* ---- export.c -------------------------------------------------------------------------------- */

/* __cuda_array_interface__ of a GPU's arrays (`closure` is not NULL), __array_interface__ of the
** host's; and bf_getbuffer. */
PyObject *array_interface(PyObject *object, void *closure);
int array_buffer(PyObject *object, Py_buffer *view, int flags);
/* Takes the tensor of a capsule over; NULL after an exception. */
struct DLManagedTensor *tensor_take(PyObject *capsule);
/* The tensor of an array, work on which is done, and which is kept as long; NULL after an
** exception. */
struct DLManagedTensor *array_tensor(DeviceArray *self, const kjit_array *array);
/* The methods __dlpack__ and __dlpack_device__ of a DeviceArray. */
PyObject *array_to_dlpack(PyObject *object, PyObject *args, PyObject *words);
PyObject *array_dlpack_device(PyObject *object, PyObject *none);

/* ---- exchange.c ------------------------------------------------------------------------------ */

/* Has a type DLPack's C exchange API? */
int has_exchange(PyTypeObject *type);
void versioned_release(VersionedTensor *tensor);
/* Gives DeviceArrays the API; -1 after an exception. */
int exchange_ready(void);

/* ---- stream.c -------------------------------------------------------------------------------- */

/* The stream that an argument names: None or 0, or a Stream, of which `*keeper` is a new reference;
** -1 after an exception. The keeper is NULL where there is no Stream. */
int read_stream(PyObject *object, kjit_stream **stream, PyObject **keeper);
