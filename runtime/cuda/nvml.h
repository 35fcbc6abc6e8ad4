/* NVML, the driver's own monitor of GPUs: found at run time, and done without where it is not
** there. */
#ifndef KJIT_NVML_H
#define KJIT_NVML_H

#include "runtime/runtime.h"

typedef struct NvmlDevice_st *NvmlDevice;

/* Fills what is known of the GPU at a PCI bus id; the rest stays as it is. */
void nvml_read(const char *bus, kjit_sensors *sensors);

#endif
