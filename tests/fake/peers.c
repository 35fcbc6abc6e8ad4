/* The pretended driver's GPUs among themselves. */
#include "tests/fake/work.h"

CuResult cu_can_access_peer(int *can, CuDevice device, CuDevice peer)
{
    CuResult result = fake_begin(CALL_can_access_peer);

    *can = device != peer;
    return result;
}

CuResult cu_enable_peer(CuContext peer, unsigned flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_enable_peer, &device);

    if (result != CU_OK || flags)
        return result == CU_OK ? FAKE_INVALID_VALUE : result;
    if (device && (void *)device->context == (void *)peer)
        return fake_misuse(FAKE_INVALID_CONTEXT, "a context is no peer of its own");
    return CU_OK;
}

CuResult cu_copy_peer_async(CuPointer to, CuContext to_context, CuPointer from,
                            CuContext from_context, size_t bytes, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_peer_async, &device);
    Work work = { .kind = WORK_COPY,
                  .to = (void *)(uintptr_t)to,
                  .from = (void *)(uintptr_t)from,
                  .width = bytes,
                  .height = 1,
                  .to_pitch = bytes,
                  .from_pitch = bytes };

    if (result != CU_OK)
        return result;
    if (to_context == from_context)
        return fake_misuse(FAKE_INVALID_CONTEXT, "a copy between peers within one");
    if (!memory_on_device(work.to, bytes) || !memory_on_device(work.from, bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "copied %zu bytes between peers that are not theirs",
                           bytes);
    fake_note("copy_peer %zu", bytes);
    return work_submit(stream, &work);
}
