/* Clocks, temperature and power of a GPU, by NVML. Numbers: nvml.h of the CUDA toolkit. */
#include "runtime/cuda/nvml.h"

#include <dlfcn.h>

enum { NVML_OK = 0, CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0 };

/* nvmlClocksThrottleReasons: why the clock is below its maximum. */
static const struct {
    unsigned long long bit;
    const char *words;
    bool slows; /* throttled, rather than idle or set so */
} reasons[] = {
    { 0x1, "idle", false },
    { 0x2, "application clocks", false },
    { 0x4, "power cap", true },
    { 0x8, "hardware slowdown", true },
    { 0x10, "clocks in step with another GPU", true },
    { 0x20, "heat", true },
    { 0x40, "heat (hardware)", true },
    { 0x80, "power brake", true },
    { 0x100, "display clocks", false },
};

static struct {
#define NVML(name, symbol, params) int(*name) params;
#include "runtime/cuda/nvml_api.def"
    char why_not[320];
} nvml;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Functions that a release lacks are NULL. */
static void find_symbols(void *library)
{
    static const WantedSymbol wanted[] = {
#define NVML(name, symbol, params) { symbol, &nvml.name },
#include "runtime/cuda/nvml_api.def"
    };
    symbols_find(library, wanted, ARRAY_COUNT(wanted));
}

static void find_library(void)
{
    const char *named = getenv("KJIT_NVML");
    bool is_named = named && *named;
    void *library = dlopen(is_named ? named : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(nvml.why_not, sizeof nvml.why_not, "NVML cannot be loaded: %.250s%s",
                 is_named ? named : "libnvidia-ml.so.1", is_named ? ", which KJIT_NVML names" : "");
        return;
    }
    find_symbols(library);
    int result = nvml.init && nvml.handle ? nvml.init() : -1;
    if (result == -1)
        snprintf(nvml.why_not, sizeof nvml.why_not, "the library of that name is no NVML");
    else if (result != NVML_OK)
        snprintf(nvml.why_not, sizeof nvml.why_not, "NVML does not start: nvmlInit gives %d",
                 result);
}

static void put_reasons(unsigned long long bits, kjit_sensors *sensors)
{
    size_t used = 0;

    sensors->throttled = 0;
    for (size_t i = 0; i < ARRAY_COUNT(reasons); i++) {
        if (!(bits & reasons[i].bit) || used >= sizeof sensors->throttle)
            continue;
        if (reasons[i].slows)
            sensors->throttled = 1;
        used += (size_t)snprintf(sensors->throttle + used, sizeof sensors->throttle - used, "%s%s",
                                 used ? ", " : "", reasons[i].words);
    }
}

static void read_clocks(NvmlDevice device, kjit_sensors *sensors)
{
    unsigned long long bits = 0;
    unsigned mhz = 0;

    if (nvml.clock && nvml.clock(device, CLOCK_SM, &mhz) == NVML_OK)
        sensors->clock_mhz = (int)mhz;
    if (nvml.clock && nvml.clock(device, CLOCK_MEMORY, &mhz) == NVML_OK)
        sensors->memory_clock_mhz = (int)mhz;
    if (nvml.reasons && nvml.reasons(device, &bits) == NVML_OK)
        put_reasons(bits, sensors);
}

void nvml_read(const char *bus, kjit_sensors *sensors)
{
    unsigned long long mj = 0;
    unsigned value = 0;
    NvmlDevice device;

    pthread_once(&once, find_library);
    snprintf(sensors->why_not, sizeof sensors->why_not, "%s", nvml.why_not);
    if (nvml.why_not[0])
        return;
    if (nvml.driver_version)
        nvml.driver_version(sensors->driver, sizeof sensors->driver);
    int result = nvml.handle(bus, &device);
    if (result != NVML_OK) {
        snprintf(sensors->why_not, sizeof sensors->why_not,
                 "NVML does not know the GPU at %.40s: nvmlDeviceGetHandleByPciBusId gives %d", bus,
                 result);
        return;
    }
    read_clocks(device, sensors);
    if (nvml.temperature && nvml.temperature(device, TEMPERATURE_GPU, &value) == NVML_OK)
        sensors->celsius = (int)value;
    if (nvml.power && nvml.power(device, &value) == NVML_OK)
        sensors->milliwatts = value;
    if (nvml.energy && nvml.energy(device, &mj) == NVML_OK)
        sensors->millijoules = (int64_t)mj;
}
