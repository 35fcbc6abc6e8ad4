/* Creates a CUDA context, says so and ends: what any first use of the GPU costs a process. */
#include "bench/driver.h"

int main(void)
{
    void *context;
    int device;
    bench_load();
    check(init(0), "cuInit");
    check(device_get(&device, 0), "cuDeviceGet");
    check(primary_retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(set_current(context), "cuCtxSetCurrent");
    check(synchronize(), "cuCtxSynchronize");
    puts("ready");
    return 0;
}
