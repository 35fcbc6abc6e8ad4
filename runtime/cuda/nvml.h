/* NVML, the driver's monitoring library: found at run time, and optional. */
#pragma once

#include "runtime/runtime.h"

typedef struct NvmlDevice_st *NvmlDevice;

/* Fills what is known of the GPU at a PCI bus id; leaves the rest alone. */
void nvml_read(const char *bus, kjit_sensors *sensors);
