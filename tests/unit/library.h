/* For tests of the library from outside, on the processor. Kernels are compiled once for all of
** these tests, and for builds that sanitizers watch, in the folder KERNELS where there is one; with
** OWN_CACHE defined, where a test is about compiling, the cache is its own. Include it behind
** cmocka.h's headers. */
#ifndef KJIT_TESTS_LIBRARY_H
#define KJIT_TESTS_LIBRARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/runtime.h"

static char folder[64];
static kjit_context *context;

static inline int open_all(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };

    (void)state;
    strcpy(folder, "/tmp/kjit-runtime-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    const char *kernels = getenv("KERNELS");
#ifdef OWN_CACHE
    kernels = NULL;
#endif
    setenv("KJIT_CACHE", kernels && *kernels ? kernels : folder, 1);
    return kjit_open(&options, &context);
}

static inline int close_all(void **state)
{
    char command[256];

    (void)state;
    kjit_close(context);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* The same with a context of the device "check", and that of the processor beside it. */
__attribute__((unused)) static kjit_context *processor;

static inline int open_check(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "check" };

    if (open_all(state) != 0)
        return -1;
    processor = context;
    return kjit_open(&options, &context);
}

static inline int close_check(void **state)
{
    kjit_close(processor);
    return close_all(state);
}

/* The only kernel of a text that must load. */
static inline kjit_kernel *kernel_with(const char *text, const kjit_load_options *options)
{
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, text, "t.k", options, &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kernel;
}

static inline kjit_kernel *kernel_of(const char *text)
{
    return kernel_with(text, NULL);
}

static inline void expect(kjit_status got, kjit_status wanted, const char *part)
{
    if (got != wanted || !strstr(kjit_error_message(), part))
        fail_msg("%s (%s), not %s (%s)", kjit_status_name(got), kjit_error_message(),
                 kjit_status_name(wanted), part);
}

static inline void expect_ok(kjit_status got)
{
    if (got != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(got), kjit_error_message());
}

__attribute__((unused)) static const char double_text[] = "from numba import cuda\n"
                                                          "@cuda.jit\n"
                                                          "def twice(a, b):\n"
                                                          "    i = cuda.grid(1)\n"
                                                          "    if i < a.shape[0]:\n"
                                                          "        b[i] = 2 * a[i]\n";

/* Puts a file into the folder. */
static inline void write_file(const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#endif
