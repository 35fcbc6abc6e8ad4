/* Finding the CUDA driver. */
#include "runtime/cuda/driver.h"

#include <dlfcn.h>

static Driver driver;
static pthread_once_t driver_once = PTHREAD_ONCE_INIT;
static atomic_bool started; /* and usable */

static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void refuse(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(driver.why_not, sizeof driver.why_not, format, args);
    va_end(args);
}

/* The driver named by the environment, or NULL. */
static const char *named_driver(void)
{
    const char *path = getenv("KJIT_DRIVER");

    return path && *path ? path : NULL;
}

/* Reports a missing function and what that means. */
static void refuse_without(const char *symbol)
{
    const char *named = named_driver();

    if (named)
        refuse("%.300s, which KJIT_DRIVER names, has no '%s': it is no CUDA driver, or one older "
               "than CUDA 12.0",
               named, symbol);
    else
        refuse("the CUDA driver has no '%s': it is older than CUDA 12.0", symbol);
}

/* Fetches every function; false if one is missing. */
static bool find_symbols(void *library)
{
    static const WantedSymbol wanted[] = {
#define DRIVER(name, symbol, params) { symbol, &driver.name },
#include "runtime/cuda/cuda_api.def"
    };
    const char *missing = symbols_find(library, wanted, ARRAY_COUNT(wanted));
    if (missing)
        refuse_without(missing);
    return !missing;
}

static void *open_driver(void)
{
    const char *named = named_driver();
    void *library = dlopen(named ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library && named) {
        const char *reason = dlerror();
        refuse("the CUDA driver that KJIT_DRIVER names cannot be loaded: %.400s",
               reason ? reason : named);
    } else if (!library) {
        refuse("there is no CUDA driver (libcuda.so.1) on this machine");
    }
    return library;
}

static void find_driver(void)
{
    void *library = open_driver();

    forks_watch();
    driver.forks = forks_seen();
    if (!library)
        return;
    if (!find_symbols(library))
        return;
    const char *call = "cuDriverGetVersion";
    CuResult result = driver.driver_version(&driver.version);
    if (result == CU_OK && driver.version < DRIVER_OLDEST) {
        refuse("the CUDA driver is for CUDA %d.%d, and 12.0 or newer is needed",
               driver.version / 1000, driver.version % 1000 / 10);
        return;
    }
    if (result == CU_OK) {
        call = "cuInit";
        result = driver.init(0);
    }
    if (result == CU_OK) {
        call = "cuDeviceGetCount";
        result = driver.device_count_get(&driver.device_count);
    }
    if (result != CU_OK)
        refuse("the CUDA driver does not start: %s failed: %s", call, driver_error(result));
    else if (driver.device_count == 0)
        refuse("the CUDA driver sees no GPU");
}

const Driver *driver_get(void)
{
    pthread_once(&driver_once, find_driver);
    atomic_store_explicit(&started, !driver.why_not[0], memory_order_release);
    return &driver;
}

const Driver *driver_started(void)
{
    return atomic_load_explicit(&started, memory_order_acquire) ? &driver : NULL;
}

const char *driver_error(CuResult result)
{
    static _Thread_local char text[256];
    const char *name = NULL, *meaning = NULL;

    if (driver.error_name)
        driver.error_name(result, &name);
    if (driver.error_string)
        driver.error_string(result, &meaning);
    if (name)
        snprintf(text, sizeof text, "%s (%s)", name, meaning ? meaning : "no description");
    else
        snprintf(text, sizeof text, "CUDA error %d", result);
    return text;
}
