/* What launches (launch.c) and dispatchers (dispatcher.c) say to one another. */
#pragma once

#include "python/core/core.h"

typedef struct Variant Variant;

typedef struct Dispatcher {
    PyObject_HEAD _Atomic(Context *) owner; /* NULL: not known before the first launch */
    Variant *variants;                      /* what was made last comes first */
    Lock lock;                              /* of these two */
    Py_ssize_t param_count;
} Dispatcher;

/* The arguments of a launch. Most need no tuple. */
typedef struct Given {
    PyObject *const *items;
    size_t count;
    PyObject *tuple; /* of the items, once it was asked for; or all there is, if these are NULL */
} Given;

/* All of them, a borrowed reference; NULL after an exception. */
PyObject *given_tuple(Given *given);

/* The kernel of a Kernel or a Dispatcher for arguments of these types, a new reference; made if
** need be. */
Kernel *kernel_for(PyObject *target, const Pack *pack, Given *given);
/* The context that arguments are for, a new reference; NULL after an exception. */
Context *context_of(PyObject *target);
