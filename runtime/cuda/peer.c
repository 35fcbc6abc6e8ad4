/* Several GPUs of one process: each reaches the memory of the others, where the machine lets it. */
#include "runtime/cuda/cuda.h"

static void befriend_one(CudaDevice *device, const CudaDevice *other)
{
    int can = 0;
    bool pushed;

    if (device->driver->can_access_peer(&can, device->handle, other->handle) != CU_OK || !can ||
        cuda_enter(device, &pushed) != KJIT_OK)
        return;
    device->driver->enable_peer(other->context, 0); /* else copies go through the host */
    cuda_leave(device, pushed);
}

void cuda_befriend(Device *one, Device *other)
{
    error_quiet(true);
    befriend_one(cuda(one), cuda(other));
    befriend_one(cuda(other), cuda(one));
    error_quiet(false);
}

kjit_status cuda_copy_from(Device *base, void *to, Device *other, const void *from, size_t bytes,
                           void *stream)
{
    CUDA_ONLY(base, "copying from another GPU (cuMemcpyPeerAsync)", copy_peer_async,
              cuda_address(to), device->context, cuda_address(from), cuda(other)->context, bytes,
              stream);
}

kjit_status cuda_enter_device(Device *base, void **current)
{
    bool pushed = false;
    kjit_status status = cuda_enter(cuda(base), &pushed);

    *current = pushed ? base : NULL;
    return status;
}

void cuda_leave_device(Device *base, void *current)
{
    cuda_leave(cuda(base), current != NULL);
}
