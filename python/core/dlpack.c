/* DLPack: tensors in Python's capsules, taken over and handed out. */
#include "python/core/core.h"

#include <dlpack/dlpack.h>
#include <string.h>

static const char fresh[] = "dltensor", used[] = "used_dltensor";

struct DLManagedTensor *tensor_take(PyObject *capsule)
{
    struct DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, fresh);

    if (tensor && PyCapsule_SetName(capsule, used) < 0)
        return NULL;
    return tensor;
}

/* A consumer lets go of a tensor, on any thread. */
static void let_go(void *array)
{
    PyGILState_STATE state = PyGILState_Ensure();

    Py_DECREF((PyObject *)array);
    PyGILState_Release(state);
}

/* Nobody took the tensor over. */
static void capsule_free(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, fresh))
        kjit_dlpack_release(PyCapsule_GetPointer(capsule, fresh));
}

/* Work on the array is done before another library sees it. */
static kjit_status settle(Context *context)
{
    kjit_status status = KJIT_OK;

    if (!context->cuda)
        return status;
    Py_BEGIN_ALLOW_THREADS status = kjit_synchronize(context->context);
    Py_END_ALLOW_THREADS return status;
}

PyObject *array_to_dlpack(PyObject *object, PyObject *args, PyObject *words)
{
    static char *names[] = { "stream", "max_version", "dl_device", "copy", NULL };
    DeviceArray *self = (DeviceArray *)object;
    PyObject *given[4] = { NULL };
    struct DLManagedTensor *tensor;

    if (!PyArg_ParseTupleAndKeywords(args, words, "|OOOO", names, &given[0], &given[1], &given[2],
                                     &given[3]))
        return NULL;
    if (given[3] && given[3] == Py_True) {
        PyErr_SetString(PyExc_BufferError, "__dlpack__(copy=True): copy the array before");
        return NULL;
    }
    kjit_status status = settle(self->owner);
    if (status == KJIT_OK)
        status = kjit_to_dlpack(self->owner->context, &self->array, let_go, object, &tensor);
    if (status != KJIT_OK)
        return raise_status(status);
    Py_INCREF(object);
    PyObject *capsule = PyCapsule_New(tensor, fresh, capsule_free);
    if (!capsule)
        kjit_dlpack_release(tensor);
    return capsule;
}

/* The device's type and number, as DLPack counts them. */
PyObject *array_dlpack_device(PyObject *object, PyObject *none)
{
    DeviceArray *self = (DeviceArray *)object;
    const char *name = kjit_device_name(self->owner->context), *colon = strchr(name, ':');
    int number = colon ? colon[1] - '0' : 0;

    (void)none;
    for (const char *at = colon ? colon + 2 : ""; *at; at++)
        number = 10 * number + (*at - '0');
    return Py_BuildValue("(ii)", self->owner->cuda ? kDLCUDA : kDLCPU, number);
}
