/* For tests of the library on a GPU that only pretends: tests/fake/fake.h. Include it behind
** cmocka.h's headers. */
#ifndef KJIT_TESTS_CUDA_H
#define KJIT_TESTS_CUDA_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit.h"
#include "tests/fake/fake.h"

enum { N = 100 };

/* Has the library find the pretended driver and NVRTC, and no compiled kernels. */
static inline int pretend(void **state)
{
    Dl_info driver, nvrtc;

    (void)state;
    if (!dladdr((void *)(uintptr_t)fake_cuda_fail, &driver) ||
        !dladdr((void *)(uintptr_t)fake_nvrtc_fail, &nvrtc))
        return -1;
    setenv("KJIT_DRIVER", driver.dli_fname, 1);
    setenv("KJIT_NVRTC", nvrtc.dli_fname, 1);
    char nvml[512];
    snprintf(nvml, sizeof nvml, "%.*s/libnvidia-ml.so.1",
             (int)(strrchr(driver.dli_fname, '/') - driver.dli_fname), driver.dli_fname);
    setenv("KJIT_NVML", nvml, 1);
    setenv("KJIT_CACHE_SIZE", "0", 1);
    /* no variant comes by itself (test_cuda_hot.c), and kernels count the threads that there are */
    setenv("KJIT_PASSES", "-constants,-coarsen", 1);
    return 0;
}

/* Ends a test in which work is done when it is waited for, and not before. */
static inline int end_late(void **state)
{
    (void)state;
    fake_cuda_lazy(false);
    return 0;
}

/* Opens a pretended GPU, which must go well. */
static inline kjit_context *open_gpu(const char *device)
{
    kjit_open_options options = { .size = sizeof options, .device = device, .no_disk_cache = 1 };
    kjit_context *context;

    if (kjit_open(&options, &context) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return context;
}

/* Closes a context: nothing may be left of it, and nothing have been done wrong. */
static inline void close_gpu(kjit_context *context)
{
    kjit_close(context);
    assert_string_equal(fake_cuda_misuse(), "");
    assert_int_equal(fake_cuda_leaks(), 0);
    assert_int_equal(fake_nvrtc_leaks(), 0);
    assert_int_equal(fake_cuda_depth(), 0);
}

static inline void expect_ok(kjit_status got)
{
    if (got != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(got), kjit_error_message());
}

static inline void expect(kjit_status got, kjit_status wanted, const char *part)
{
    if (got != wanted || !strstr(kjit_error_message(), part))
        fail_msg("%s (%s), not %s (%s)", kjit_status_name(got), kjit_error_message(),
                 kjit_status_name(wanted), part);
}

/* ---- kernels, and what they do ---------------------------------------------------------- */

__attribute__((unused)) static const char kernels[] =
    "@cuda.jit\n"
    "def add(x, y, out):\n"
    "    i = cuda.grid(1)\n"
    "    if i < out.shape[0]:\n"
    "        out[i] = x[i] + y[i]\n"
    "\n"
    "@cuda.jit\n"
    "def scale(x, factor):\n"
    "    i = cuda.grid(1)\n"
    "    if i < x.shape[0]:\n"
    "        x[i] *= factor\n"
    "\n"
    "@cuda.jit(deterministic=True)\n"
    "def total(x, sums):\n"
    "    i = cuda.grid(1)\n"
    "    if i < x.shape[0]:\n"
    "        cuda.atomic.add(sums, i % 2, x[i])\n";

/* Parameter i of a launch. */
#define PARAM(launch, i, type) (*(type *)(launch)->params[i])

static inline long thread_count(const FakeLaunch *launch)
{
    return (long)launch->grid[0] * (long)launch->block[0];
}

static inline void do_add(const FakeLaunch *launch)
{
    const float *x = PARAM(launch, 0, float *), *y = PARAM(launch, 2, float *);
    float *out = PARAM(launch, 4, float *);

    for (long i = 0; i < thread_count(launch) && i < PARAM(launch, 5, int64_t); i++)
        out[i] = x[i] + y[i];
}

static inline void do_scale(const FakeLaunch *launch)
{
    float *x = PARAM(launch, 0, float *);

    for (long i = 0; i < thread_count(launch) && i < PARAM(launch, 1, int64_t); i++)
        x[i] *= PARAM(launch, 2, float);
}

/* Whole numbers, in the first word of each row. */
static inline void do_total(const FakeLaunch *launch)
{
    const float *x = PARAM(launch, 0, float *);
    int64_t *rows = PARAM(launch, 4, int64_t *);

    for (long i = 0; i < PARAM(launch, 1, int64_t); i++)
        rows[i % 2 * 10] += (int64_t)x[i];
}

static inline void do_total_round(const FakeLaunch *launch)
{
    float *sums = PARAM(launch, 2, float *);
    const int64_t *rows = PARAM(launch, 4, int64_t *);

    for (long i = 0; i < PARAM(launch, 3, int64_t); i++)
        sums[i] += (float)rows[i * 10];
}

static inline kjit_kernel *must_load(kjit_context *context, const char *text, const char *name)
{
    kjit_module *module;
    kjit_kernel *kernel;

    expect_ok(kjit_load_source(context, text, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, name, &kernel));
    return kernel;
}

#endif
