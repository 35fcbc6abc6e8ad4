/* The few driver and NVRTC functions that the benchmarks call by themselves, to compare with. */
#ifndef KJIT_BENCH_DRIVER_H
#define KJIT_BENCH_DRIVER_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* X(library, name in this program, symbol, parameters) */
#define BENCH_FUNCTIONS(X)                                                                         \
    X(driver, init, "cuInit", (unsigned flags))                                                    \
    X(driver, device_get, "cuDeviceGet", (int *device, int ordinal))                               \
    X(driver, primary_retain, "cuDevicePrimaryCtxRetain", (void **context, int device))            \
    X(driver, set_current, "cuCtxSetCurrent", (void *context))                                     \
    X(driver, synchronize, "cuCtxSynchronize", (void))                                             \
    X(driver, module_load, "cuModuleLoadData", (void **module, const void *image))                 \
    X(driver, get_function, "cuModuleGetFunction", (void **fn, void *module, const char *name))    \
    X(driver, launch, "cuLaunchKernel",                                                            \
      (void *fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,     \
       unsigned shared, void *stream, void **params, void **extra))                                \
    X(nvrtc, program_new, "nvrtcCreateProgram",                                                    \
      (void **program, const char *text, const char *name, int headers,                            \
       const char *const *text_of, const char *const *names))                                      \
    X(nvrtc, program_compile, "nvrtcCompileProgram",                                               \
      (void *program, int count, const char *const *options))                                      \
    X(nvrtc, cubin_size, "nvrtcGetCUBINSize", (void *program, size_t *size))                       \
    X(nvrtc, cubin_get, "nvrtcGetCUBIN", (void *program, char *cubin))                             \
    X(nvrtc, program_free, "nvrtcDestroyProgram", (void **program))

#define BENCH_DECLARE(library, name, symbol, params) static int(*name) params;
BENCH_FUNCTIONS(BENCH_DECLARE)
#undef BENCH_DECLARE

static inline void check(int result, const char *what)
{
    if (result == 0)
        return;
    fprintf(stderr, "%s failed with %d\n", what, result);
    exit(1);
}

static inline void *find(const char *const *names, const char *symbol)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW);
        if (library)
            return dlsym(library, symbol);
    }
    return NULL;
}

/* Looks up everything; exits with a message if something is missing. */
static inline void bench_load(void)
{
    static const char *const driver[] = { "libcuda.so.1", NULL };
    static const char *const nvrtc[] = { "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                         "/usr/local/cuda/lib64/libnvrtc.so", NULL };
#define BENCH_FIND(library, name, symbol, params)                                                  \
    *(void **)&name = find(library, symbol);                                                       \
    if (!name)                                                                                     \
        check(1, symbol);
    BENCH_FUNCTIONS(BENCH_FIND)
#undef BENCH_FIND
}

static inline double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(values[0]), by_value);
    return values[count / 2];
}

#endif
