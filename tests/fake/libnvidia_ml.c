/* The pretended NVML: a GPU at work whose energy grows by a joule each time it is asked. What is
** not said is an H200's. Environment, read at each call:
**     FAKE_NVML_FAIL      CALL:CODE, what that call gives
**     FAKE_NVML_REASONS   why clocks are not the highest, in hexadecimal */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct NvmlDevice_st *NvmlDevice;

#define NVML(name, symbol, params) EXPORT int ml_##name params __asm__(symbol);
#include "runtime/cuda/nvml_api.def"

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, NOT_FOUND = 6 };

static int started;
static unsigned long long joules;

/* What a call is to give: FAKE_NVML_FAIL's code if that names it. */
static int begin(const char *call)
{
    const char *fail = getenv("FAKE_NVML_FAIL");
    size_t length = strlen(call);

    if (fail && strncmp(fail, call, length) == 0 && fail[length] == ':')
        return atoi(fail + length + 1);
    return started || !strcmp(call, "nvmlInit") ? OK : UNINITIALIZED;
}

int ml_init(void)
{
    int result = begin("nvmlInit");

    started = result == OK;
    return result;
}

int ml_driver_version(char *text, unsigned room)
{
    int result = begin("nvmlSystemGetDriverVersion");

    if (result == OK)
        snprintf(text, room, "580.00");
    return result;
}

int ml_handle(const char *bus, NvmlDevice *device)
{
    static int gpus[2];
    int result = begin("nvmlDeviceGetHandleByPciBusId"), number = 0;

    if (result != OK)
        return result;
    if (sscanf(bus, "0000:%d:00.0", &number) != 1 || number < 0 || number > 1)
        return NOT_FOUND;
    *device = (NvmlDevice)(void *)&gpus[number];
    return OK;
}

int ml_clock(NvmlDevice device, int kind, unsigned *mhz)
{
    int result = begin("nvmlDeviceGetClockInfo");

    if (result == OK)
        *mhz = kind == 1 ? 1980 : 3201;
    return device && kind >= 1 && kind <= 2 ? result : INVALID;
}

int ml_reasons(NvmlDevice device, unsigned long long *reasons)
{
    const char *setting = getenv("FAKE_NVML_REASONS");
    int result = begin("nvmlDeviceGetCurrentClocksThrottleReasons");

    if (result == OK)
        *reasons = setting ? strtoull(setting, NULL, 16) : 0;
    return device ? result : INVALID;
}

int ml_temperature(NvmlDevice device, int sensor, unsigned *celsius)
{
    int result = begin("nvmlDeviceGetTemperature");

    if (result == OK)
        *celsius = 41;
    return device && !sensor ? result : INVALID;
}

int ml_power(NvmlDevice device, unsigned *mw)
{
    int result = begin("nvmlDeviceGetPowerUsage");

    if (result == OK)
        *mw = 350500;
    return device ? result : INVALID;
}

int ml_energy(NvmlDevice device, unsigned long long *mj)
{
    int result = begin("nvmlDeviceGetTotalEnergyConsumption");

    if (result == OK)
        *mj = ++joules * 1000;
    return device ? result : INVALID;
}
