/* Releases and acquisitions. */
#include "runtime/check_run.h"

void release_fence(Thread *t, int scope)
{
    (void)scope;
    order_tick(t);
}

void release_atomic(Thread *t, const void *address, int access)
{
    (void)t, (void)address, (void)access;
}

bool release_before(const Thread *t, uint64_t record)
{
    (void)t, (void)record;
    return false;
}

void release_barrier(Run *run, CheckBlock *block)
{
    (void)run, (void)block;
}

void release_warp(CheckBlock *block, uint32_t warp, uint32_t lanes)
{
    (void)block, (void)warp, (void)lanes;
}

void release_close(Run *run)
{
    (void)run;
}
