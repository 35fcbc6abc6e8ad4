/* Properties of a GPU from the driver. Numbers: CUDA Driver API, CUdevice_attribute. */
#include "runtime/cuda/cuda.h"
#include "runtime/cuda/nvml.h"

/* An attribute; -1 if the driver does not know it. Some drivers report 0 for unknown ones. */
static int known(const CudaDevice *device, int number)
{
    int value = 0;

    if (device->driver->device_attribute(&value, number, device->handle) != CU_OK)
        return -1;
    return value > 0 ? value : -1;
}

void cuda_facts(Device *base, kjit_device_info *info)
{
    const CudaDevice *device = cuda(base);
    int version = device->driver->version;

    snprintf(info->arch, sizeof info->arch, "%s", base->arch);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    info->processors = known(device, CU_MULTIPROCESSORS);
    info->warp = known(device, CU_WARP);
    info->resident_threads = known(device, CU_THREADS_RESIDENT);
    info->resident_blocks = known(device, CU_BLOCKS_RESIDENT);
    info->block_registers = known(device, CU_BLOCK_REGISTERS);
    info->l2_bytes = known(device, CU_L2_BYTES);
    info->clock_khz = known(device, CU_CLOCK);
    info->memory_clock_khz = known(device, CU_MEMORY_CLOCK);
    info->memory_bus_bits = known(device, CU_MEMORY_BUS);
}

void cuda_sensors(Device *base, kjit_sensors *sensors)
{
    const CudaDevice *device = cuda(base);
    char bus[64] = "";
    CuResult result = device->driver->device_bus(bus, sizeof bus, device->handle);

    if (result == CU_OK)
        nvml_read(bus, sensors);
    else
        snprintf(sensors->why_not, sizeof sensors->why_not,
                 "the driver does not tell where the GPU is: cuDeviceGetPCIBusId failed: %.200s",
                 driver_error(result));
}
