/* DLPack's tensors inside Python's capsules. */
#ifndef KJIT_PYTHON_DLPACK_CAPSULE_H
#define KJIT_PYTHON_DLPACK_CAPSULE_H

#include "python/core/core.h"

/* Takes the tensor over; NULL after an exception. */
static inline struct DLManagedTensor *take_capsule(PyObject *capsule)
{
    struct DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");

    if (tensor && PyCapsule_SetName(capsule, "used_dltensor") < 0)
        return NULL;
    return tensor;
}

#endif
