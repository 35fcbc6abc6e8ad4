/* What converts arguments (convert.c) and what reads other libraries' arrays (exporters.c) say to
** one another. */
#pragma once

#include "python/core/core.h"

/* Room to note what has to be undone; NULL after an exception. */
Held *hold(Pack *pack, int kind);
void let_go_of(Held *held);

/* The dtype of a format as the module struct has it, of one number; NONE if it is anything else. */
kjit_dtype dtype_of_format(const char *format, Py_ssize_t bytes);

/* These read an object in one way each: 0, -1 after an exception, or 1 if it does not go so. */
int array_of_buffer(Pack *pack, PyObject *object, kjit_array *array);
/* One of NumPy's own arrays, as its ABI has it: what array_of_buffer() gives, in a tenth of the
** time. */
int array_of_numpy(Pack *pack, PyObject *object, kjit_array *array);
/* By the attribute of that name, an array interface; `flags` are the array's. */
int array_of_interface(Pack *pack, PyObject *object, const char *name, uint32_t flags,
                       kjit_array *array);
int array_of_exchange(Pack *pack, PyObject *object, kjit_array *array);
int array_of_dlpack(Pack *pack, PyObject *object, kjit_array *array);

/* Waits for the work of a stream of CUDA's; -1 after an exception. */
int await_handle(const Context *context, void *handle);
