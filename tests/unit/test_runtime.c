/* The library from outside, on the processor; and its layouts, signatures and copies from inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/nvrtc.h"
#include "runtime/runtime.h"

static char folder[64];
static kjit_context *context;

static int open_all(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };

    (void)state;
    strcpy(folder, "/tmp/kjit-runtime-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    setenv("KJIT_CACHE", folder, 1);
    return kjit_open(&options, &context);
}

static int close_all(void **state)
{
    char command[256];

    (void)state;
    kjit_close(context);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* The only kernel of a text that must load. */
static kjit_kernel *kernel_with(const char *text, const kjit_load_options *options)
{
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, text, "t.k", options, &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kernel;
}

static kjit_kernel *kernel_of(const char *text)
{
    return kernel_with(text, NULL);
}

static void expect(kjit_status got, kjit_status wanted, const char *part)
{
    if (got != wanted || !strstr(kjit_error_message(), part))
        fail_msg("%s (%s), not %s (%s)", kjit_status_name(got), kjit_error_message(),
                 kjit_status_name(wanted), part);
}

static void expect_ok(kjit_status got)
{
    if (got != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(got), kjit_error_message());
}

static const char double_text[] = "from numba import cuda\n"
                                  "@cuda.jit\n"
                                  "def twice(a, b):\n"
                                  "    i = cuda.grid(1)\n"
                                  "    if i < a.shape[0]:\n"
                                  "        b[i] = 2 * a[i]\n";

/* ---- launching ------------------------------------------------------------------------ */

static void a_call_reads_like_numba(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    const float a[5] = { 1, 2, 3, 4, 5 };
    double b[5] = { 0 };

    (void)state;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_CONST_ARRAY(a, 5), KJIT_ARRAY(b, 5)));
    for (int i = 0; i < 5; i++)
        assert_true(b[i] == 2 * (double)a[i]);
}

static void every_c_type_is_its_dtype(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(out, a, b, c, d, e, f, g):\n"
                               "    out[0] = a + b + c + d + e + f + g\n";
    kjit_kernel *kernel = kernel_of(text);
    double out[1] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(out, 1), (_Bool)1, (char)2,
                        (short)3, 4, 5l, 6.5f, 7.25));
    assert_true(out[0] == 28.75);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(out, 1), (unsigned char)1,
                        (unsigned short)2, 3u, 4ul, -5ll, (int8_t)-6, kjit_arg_bool(7)));
    assert_true(out[0] == 0);
}

static void arrays_of_any_strides_arrive(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(a, b):\n"
                               "    i, j = cuda.grid(2)\n"
                               "    if i < a.shape[0] and j < a.shape[1]:\n"
                               "        b[i, j] = a[i, j]\n";
    kjit_kernel *kernel = kernel_of(text);
    int32_t grid[4][6], out[2][3];
    kjit_array view = { .data = &grid[3][5],
                        .dtype = KJIT_DTYPE_INT32,
                        .rank = 2,
                        .shape = { 2, 3 },
                        .strides = { -2 * 24, -2 * 4 } };

    (void)state;
    for (int i = 0; i < 24; i++)
        grid[i / 6][i % 6] = i;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4, 4), view, KJIT_ARRAY(*out, 2, 3)));
    for (int i = 0; i < 6; i++)
        assert_int_equal(out[i / 3][i % 3], 23 - 12 * (i / 3) - 2 * (i % 3));
}

static void tuples_are_passed_whole(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(t, out):\n"
                               "    out[0] = t[0] + t[1] + t[2][0] + t[2][1][1]\n";
    kjit_kernel *kernel = kernel_of(text);
    double out[1] = { 0 };
    int32_t list[2] = { 100, 200 };
    kjit_arg inner[] = { kjit_arg_float32(0.5f), KJIT_ARRAY(list, 2) };
    kjit_arg items[] = { kjit_arg_int8(3), kjit_arg_float64(4), kjit_arg_tuple(inner, 2) };
    kjit_arg tuple = kjit_arg_tuple(items, 3);

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), tuple, KJIT_ARRAY(out, 1)));
    assert_true(out[0] == 207.5);
    out[0] = 0;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1),
                  KJIT_TUPLE(kjit_arg_int8(3), 4.0, KJIT_TUPLE(0.5f, KJIT_CONST_ARRAY(list, 2))),
                  KJIT_ARRAY(out, 1)));
    assert_true(out[0] == 207.5);
}

static void empty_tuples_take_no_harm(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(t, out):\n"
                               "    out[0] = len(t[0]) + t[1] + t[2][0]\n";
    kjit_arg none = kjit_arg_tuple(NULL, 0);
    double out[1] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel_of(text), KJIT_GRID(1), KJIT_BLOCK(1),
                        KJIT_TUPLE(none, kjit_arg_int8(3), KJIT_TUPLE(0.5)), KJIT_ARRAY(out, 1)));
    assert_true(out[0] == 3.5);
}

static void empty_arrays_are_no_error(void **state)
{
    float none[1];

    (void)state;
    expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(2), KJIT_BLOCK(32), KJIT_ARRAY(none, 0),
                        KJIT_ARRAY(none, 0)));
}

static void wrong_calls_are_explained(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[2] = { 0 };
    kjit_array bad = kjit_host_array(NULL, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ 5 });
    kjit_launch_config big = { sizeof big, { 1, 1, 1 }, { 1, 1, 1 }, 1 << 30 };
    kjit_arg args[] = { KJIT_ARRAY(a, 2), KJIT_ARRAY(a, 2) };

    (void)state;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 2)), KJIT_ARGUMENT,
           "twice(a, b) takes 2 arguments, and 1 was given");
    expect(KJIT_CALL(kernel, KJIT_GRID(0), KJIT_BLOCK(1), args[0], args[1]), KJIT_ARGUMENT,
           "the grid has no blocks in x");
    expect(KJIT_CALL(kernel, KJIT_GRID(1, 70000), KJIT_BLOCK(1), args[0], args[1]), KJIT_ARGUMENT,
           "the grid is 70000 in y");
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1025), args[0], args[1]), KJIT_ARGUMENT,
           "allows 1024");
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(64, 32), args[0], args[1]), KJIT_ARGUMENT,
           "2048 threads");
    expect(kjit_launch(kernel, &big, args, 2), KJIT_ARGUMENT, "shared memory");
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), bad, args[1]), KJIT_ARGUMENT,
           "data is NULL");
    bad.strides[0] = INT64_MAX / 2;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), bad, args[1]), KJIT_ARGUMENT,
           "lead out of any memory");
    bad.shape[0] = -1;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), bad, args[1]), KJIT_ARGUMENT,
           "-1 elements");
    bad.rank = 9;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), bad, args[1]), KJIT_ARGUMENT, "rank 9");
}

static void a_read_only_array_is_not_written(void **state)
{
    float a[2] = { 1, 2 };
    kjit_status got = KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(2),
                                KJIT_ARRAY(a, 2), KJIT_CONST_ARRAY(a, 2));

    (void)state;
    assert_int_not_equal(got, KJIT_OK);
    assert_non_null(strstr(kjit_error_message(), "read"));
}

static void errors_are_not_remembered_against_a_kernel(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[2] = { 1, 2 };

    (void)state;
    for (int i = 0; i < 2; i++)
        expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2), 1, KJIT_ARRAY(a, 2)), KJIT_INVALID,
               "t.k:5");
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2), KJIT_ARRAY(a, 2), KJIT_ARRAY(a, 2)));
}

static void the_second_process_compiles_nothing(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def fresh(a):\n"
                               "    a[cuda.grid(1)] = 42\n";
    kjit_report report = { .size = sizeof report };
    float a[4];

    (void)state;
    expect_ok(KJIT_CALL(kernel_of(text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4)));
    kjit_last_report(&report);
    assert_int_equal(report.compiled, 1);
    expect_ok(KJIT_CALL(kernel_of(text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4)));
    kjit_last_report(&report);
    assert_int_equal(report.compiled, 0);
    assert_int_equal(report.disk_hit, 1);
    assert_true(a[3] == 42);
}

static void debug_names_line_block_and_thread(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(a):\n"
                               "    i = cuda.grid(1)\n"
                               "    a[i] = 1\n";
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(text, &options);
    int32_t a[5] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(5), KJIT_ARRAY(a, 5)));
    expect(KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(2), KJIT_ARRAY(a, 5)), KJIT_FAULT, "t.k:5:");
    assert_non_null(strstr(kjit_error_message(), " (block (2, 0, 0), thread (1, 0, 0))"));
}

static void a_compiler_that_is_not_there_is_named(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_context *own = context;
    float a[1] = { 0 };

    (void)state;
    setenv("KJIT_CC", "no-such-compiler -x", 1);
    expect_ok(kjit_open(&options, &context));
    expect(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1),
                     KJIT_ARRAY(a, 1)),
           KJIT_NO_DEVICE, "no-such-compiler");
    kjit_close(context);
    unsetenv("KJIT_CC");
    context = own;
}

/* Launches once in a child, which has what it took of the parent and nothing else. */
static void a_forked_process_launches_too(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[64] = { 1 }, b[64] = { 0 };
    int ended;

    (void)state;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(64), KJIT_BLOCK(1), KJIT_ARRAY(a, 64), KJIT_ARRAY(b, 64)));
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        b[0] = 0;
        _exit(KJIT_CALL(kernel, KJIT_GRID(64), KJIT_BLOCK(1), KJIT_ARRAY(a, 64),
                        KJIT_ARRAY(b, 64)) != KJIT_OK ||
              b[0] != 2);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

/* A program may ignore its children; its kernels compile all the same, and errors are still found. */
static void a_host_may_ignore_sigchld(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_context *own, *kept = context;
    float a[4] = { 1, 2, 3, 4 };

    (void)state;
    signal(SIGCHLD, SIG_IGN);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                        KJIT_ARRAY(a, 4)));
    assert_true(a[3] == 8);
    kjit_close(own);
    setenv("KJIT_CC", "false", 1);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect(
        kjit_compile(kernel_of(double_text), (kjit_arg[]){ KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4) }, 2),
        KJIT_NO_DEVICE, "does not work here");
    kjit_close(own);
    unsetenv("KJIT_CC");
    context = kept;
    signal(SIGCHLD, SIG_DFL);
}

/* A disk that is full, as far as the compiler can tell: it cannot write what it is told to. */
static void a_full_cache_is_as_good_as_none(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    char compiler[128], text[512];
    kjit_context *own, *kept = context;
    float a[4] = { 1, 2, 3, 4 };

    (void)state;
    snprintf(compiler, sizeof compiler, "%s/cc-full", folder);
    FILE *script = fopen(compiler, "w");
    snprintf(text, sizeof text,
             "#!/bin/sh\ncase \"$*\" in *\"-o %s/\"*) echo 'No space left' >&2; exit 1;; esac\n"
             "exec cc \"$@\"\n",
             folder);
    fputs(text, script);
    fclose(script);
    chmod(compiler, 0700);
    setenv("KJIT_CC", compiler, 1);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                        KJIT_ARRAY(a, 4)));
    assert_true(a[3] == 8);
    kjit_close(own);
    unsetenv("KJIT_CC");
    context = kept;
}

static void prepared_launches_launch_again(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { 4, 1, 1 }, 0 };
    float a[4] = { 1, 2, 3, 4 };
    kjit_array host = kjit_host_array(a, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ 4 }), device;
    kjit_prepared *prepared;

    (void)state;
    expect_ok(kjit_to_device(context, &host, &device));
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_array(device) };
    expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared));
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_launch_prepared(prepared));
    kjit_close_prepared(prepared);
    expect_ok(kjit_synchronize(context));
    expect_ok(kjit_copy_to_host(context, &device, &host));
    assert_true(a[3] == 32);
    kjit_device_free(context, &device);
    assert_null(device.data);
}

static void access_says_what_a_kernel_does(void **state)
{
    float a[1] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 1), KJIT_ARRAY(a, 1) };
    uint32_t access[2];

    (void)state;
    expect_ok(kjit_access(kernel_of(double_text), args, 2, access));
    assert_int_equal(access[0], KJIT_READS);
    assert_int_equal(access[1], KJIT_WRITES);
}

static void forall_covers_every_thread(void **state)
{
    float a[1] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 1), KJIT_ARRAY(a, 1) };
    kjit_launch_config config = { .size = sizeof config };

    (void)state;
    expect_ok(kjit_forall(kernel_of(double_text), args, 2, 1000, &config));
    assert_true((uint64_t)config.grid[0] * config.block[0] >= 1000);
    expect(kjit_forall(kernel_of(double_text), args, 2, 0, &config), KJIT_ARGUMENT, "0 threads");
}

static void axes_are_those_asked_about(void **state)
{
    static const struct {
        const char *body;
        int axes;
    } rows[] = {
        { "x[cuda.grid(1), 0, 0] = 1", 1 },
        { "x[0, 0, 0] = 1", 1 },
        { "x[cuda.blockIdx.y, 0, 0] = 1", 2 },
        { "i, j = cuda.grid(2)\n    x[i, j, 0] = 1", 2 },
        { "for i in range(cuda.threadIdx.z):\n        x[i, 0, 0] = 1", 3 },
        { "i, j, k = cuda.grid(3)\n    x[i, j, k] = 1", 3 },
    };
    float a[1] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 1, 1, 1) };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        char text[200];
        int axes;
        snprintf(text, sizeof text, "@cuda.jit\ndef k(x):\n    %s\n", rows[i].body);
        expect_ok(kjit_axes(kernel_of(text), args, 1, &axes));
        assert_int_equal(axes, rows[i].axes);
    }
}

/* ---- a device with memory of its own, played by the processor --------------------------------- */

static kjit_status far_alloc(Device *device, size_t bytes, void **memory)
{
    (void)device;
    *memory = malloc(bytes + 1);
    memset(*memory, 0xee, bytes);
    return KJIT_OK;
}

static void far_release(Device *device, void *memory)
{
    (void)device;
    free(memory);
}

/* Somebody who writes `*neighbour` while a kernel runs. */
static float *neighbour;

static kjit_status far_synchronize(Device *device)
{
    (void)device;
    if (neighbour)
        *neighbour = 99;
    return KJIT_OK;
}

static void host_arrays_go_there_and_back(void **state)
{
    const DeviceOps *ops = context->device->ops;
    DeviceOps apart = *ops;
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_report report = { .size = sizeof report };
    float a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, b[8] = { 0 };
    kjit_array odd = {
        .data = a + 7, .dtype = KJIT_DTYPE_FLOAT32, .rank = 1, .shape = { 4 }, .strides = { -8 }
    };

    (void)state;
    apart.host_memory = false;
    apart.alloc = far_alloc;
    apart.release = far_release;
    apart.synchronize = far_synchronize;
    context->device->ops = &apart;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, 64);
    assert_int_equal(report.bytes_out, 32); /* a is only read */
    assert_true(b[7] == 16);
    /* The same array twice, and overlapping ones: one span. */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(b, 8), KJIT_ARRAY(b, 8)));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, 32);
    assert_true(b[7] == 32);
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(b, 1), KJIT_ARRAY(b + 1, 7)));
    assert_true(b[1] == 2 * b[0]);
    assert_true(b[7] == 32);
    /* Every other element, backwards: what lies between is not touched. */
    neighbour = &a[6];
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), odd, odd));
    assert_true(a[7] == 16 && a[6] == 99 && a[1] == 4 && a[0] == 1);
    /* Not either where the span is shared with what is only read. */
    neighbour = &a[1];
    odd.data = a + 6;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 8), odd));
    assert_true(a[6] == 2 && a[4] == 8 && a[1] == 99 && a[7] == 16);
    neighbour = NULL;
    /* Nothing at all. */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 0), KJIT_ARRAY(a, 0)));
    context->device->ops = ops;
}

/* ---- modules -------------------------------------------------------------------------- */

static void write_file(const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static kjit_status load_named(const char *name, kjit_module **module)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return kjit_load_file(context, path, NULL, module);
}

static void imports_are_found_beside_the_file(void **state)
{
    kjit_module *module;
    kjit_kernel *kernel;
    int32_t a[1] = { 0 };

    (void)state;
    write_file("more.k", "def four():\n    return 4\n");
    write_file(
        "main.k",
        "from numba import cuda\nfrom more import four\n@cuda.jit\ndef k(a):\n    a[0] = four()\n");
    expect_ok(load_named("main.k", &module));
    expect_ok(kjit_get_kernel(module, "k", &kernel));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1)));
    assert_int_equal(a[0], 4);
    expect(kjit_get_kernel(module, "kk", &kernel), KJIT_ARGUMENT, "has no kernel 'kk'; it has k");
    assert_null(kernel);
}

static void cycles_are_named(void **state)
{
    kjit_module *module;

    (void)state;
    write_file("a.k", "from b import f\n");
    write_file("b.k", "from c import f\n");
    write_file("c.k", "from a import f\n");
    expect(load_named("a.k", &module), KJIT_INVALID, "import one another");
    assert_non_null(strstr(kjit_error_message(), "c.k -> "));
    assert_null(module);
}

static void files_that_cannot_be_read_are_one_message(void **state)
{
    kjit_module *module;

    (void)state;
    expect(kjit_load_file(context, "/nowhere.k", NULL, &module), KJIT_FILE,
           "there is no file '/nowhere.k'");
    expect(kjit_load_file(context, folder, NULL, &module), KJIT_FILE, "is a folder");
    write_file("d.k", "from nowhere import f\n");
    expect(load_named("d.k", &module), KJIT_INVALID, "there is no module 'nowhere'");
}

static void constants_can_be_overridden(void **state)
{
    static const char text[] =
        "from numba import cuda\nN = 3\n@cuda.jit\ndef k(a):\n    a[0] = N\n";
    kjit_define define = { "N", "5 + 1" };
    kjit_load_options options = { .size = sizeof options, .defines = &define, .define_count = 1 };
    int32_t a[1];

    (void)state;
    expect_ok(
        KJIT_CALL(kernel_with(text, &options), KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1)));
    assert_int_equal(a[0], 6);
}

/* ---- stages --------------------------------------------------------------------------- */

static void every_stage_can_be_shown(void **state)
{
    static const struct {
        const char *stage, *part;
    } rows[] = {
        { "ir", "twice" },
        { "cuda", "__global__" },
        { "c", "kjit_entry" },
    };
    kjit_kernel *kernel = kernel_of(double_text);
    char *data;
    size_t length;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_emit_options options = { .size = sizeof options,
                                      .stage = rows[i].stage,
                                      .signature = "twice(float32[::1], float32[::1])" };
        expect_ok(kjit_emit(kernel, &options, &data, &length));
        assert_non_null(strstr(data, rows[i].part));
        assert_int_equal(strlen(data), length);
        kjit_free(data);
    }
    kjit_emit_options wrong = { .size = sizeof wrong,
                                .stage = "cuda",
                                .signature = "other(int32)" };
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "'other'");
    wrong.signature = "(int32)";
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "1 types");
    wrong.signature = "void(float32[::1], int32[::1])";
    expect_ok(kjit_emit(kernel, &wrong, &data, &length));
    kjit_free(data);
    wrong.stage = "soup";
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "'soup'");
    assert_null(data);
}

static void machine_code_is_made_without_a_gpu(void **state)
{
    static const char *const archs[] = { "sm_75", "sm_80", "sm_90" };
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = "cubin",
                                  .signature = "(float32[::1], float32[:])" };
    int major, minor;
    char *data;
    size_t length;

    (void)state;
    if (nvrtc_version(&major, &minor) != KJIT_OK)
        skip();
    for (size_t i = 0; i < ARRAY_COUNT(archs); i++) {
        options.arch = archs[i];
        expect_ok(kjit_emit(kernel, &options, &data, &length));
        assert_memory_equal(data,
                            "\x7f"
                            "ELF",
                            4);
        kjit_free(data);
    }
    options.stage = "ptx";
    expect_ok(kjit_emit(kernel, &options, &data, &length));
    assert_non_null(strstr(data, ".entry twice"));
    kjit_free(data);
    options.arch = "sm_1";
    expect(kjit_emit(kernel, &options, &data, &length), KJIT_ARGUMENT,
           "does not compile for 'sm_1'");
    /* A GPU newer than NVRTC gets PTX. */
    BuildRequest build = {
        .text = "extern \"C\" __global__ void k() {}", .length = 33, .entry = "k", .options.opt = 3
    };
    expect_ok(nvrtc_compile(&build, "sm_999", NVRTC_CUBIN, true, &data, &length));
    assert_non_null(strstr(data, ".entry k"));
    memory_free(data);
    build.text = "nonsense";
    expect(nvrtc_compile(&build, "sm_90", NVRTC_CUBIN, true, &data, &length), KJIT_INTERNAL,
           "this is a bug in kjit");
}

/* ---- layouts and signatures ------------------------------------------------------------------ */

static void layouts_follow_numba(void **state)
{
    static const struct {
        int rank;
        int64_t shape[3], strides[3];
        ArrayLayout layout;
        bool gaps;
    } rows[] = {
        { 0, { 0 }, { 0 }, LAYOUT_C, false },
        { 1, { 5 }, { 4 }, LAYOUT_C, false },
        { 1, { 5 }, { 8 }, LAYOUT_A, true },
        { 1, { 5 }, { -4 }, LAYOUT_A, false },
        { 1, { 5 }, { 0 }, LAYOUT_A, true },
        { 1, { 1 }, { 99 }, LAYOUT_C, false },
        { 2, { 2, 3 }, { 12, 4 }, LAYOUT_C, false },
        { 2, { 2, 3 }, { 4, 8 }, LAYOUT_F, false },
        { 2, { 2, 3 }, { 24, 4 }, LAYOUT_A, true },
        { 2, { 2, 3 }, { 0, 4 }, LAYOUT_A, true },
        { 2, { 1, 3 }, { 77, 4 }, LAYOUT_C, false },
        { 2, { 3, 1 }, { 4, 77 }, LAYOUT_C, false },
        { 2, { 0, 3 }, { 1, 1 }, LAYOUT_C, false },
        { 3, { 2, 1, 3 }, { 12, 1, 4 }, LAYOUT_C, false },
        { 3, { 2, 1, 3 }, { 4, 1, 8 }, LAYOUT_F, false },
        { 3, { 2, 4, 3 }, { 12, 24, -4 }, LAYOUT_A, false },
        { 3, { 2, 4, 3 }, { 12, 28, -4 }, LAYOUT_A, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_array array = { .dtype = KJIT_DTYPE_FLOAT32, .rank = rows[i].rank };
        memcpy(array.shape, rows[i].shape, sizeof rows[i].shape);
        memcpy(array.strides, rows[i].strides, sizeof rows[i].strides);
        if (array_layout(&array) != rows[i].layout)
            fail_msg("row %zu", i);
        if (rows[i].shape[0] && array_is_dense(&array) == rows[i].gaps)
            fail_msg("row %zu", i);
    }
}

typedef struct Unpacked {
    const kjit_arg *args;
    size_t count;
    const char *text;
} Unpacked;

static kjit_status print_signature(void *state, Arena *arena)
{
    static const char *const names[] = { "a", "b", "c" };
    Unpacked *unpacked = state;
    uint32_t key[KEY_MAX];
    int length;
    Types types;
    Buf out;

    types_init(&types, arena);
    buf_init(&out, arena);
    expect_ok(signature_pack(unpacked->args, unpacked->count, names, key, &length));
    signature_print(&out, "k", signature_unpack(arena, &types, key, length));
    assert_string_equal(buf_text(&out), unpacked->text);
    return KJIT_OK;
}

static void signatures_say_dtype_rank_and_layout(void **state)
{
    float data[6];
    kjit_arg items[] = { kjit_arg_int64(1), kjit_arg_bool(1) };
    kjit_arg args[] = { KJIT_ARRAY(data, 2, 3),
                        { .kind = KJIT_ARG_TUPLE, .as.tuple = { items, 2 } },
                        kjit_arg_complex64(1, 2) };
    Unpacked unpacked = { args, 3, "k(float32[:, ::1], (int64, bool), complex64)" };

    (void)state;
    expect_ok(arena_run(print_signature, &unpacked));
}

static void scalars_round_and_wrap(void **state)
{
    kjit_arg wide = kjit_arg_float64(1.0 / 3), big = kjit_arg_int64(300),
             half = kjit_arg_float64(65519.99);

    (void)state;
    assert_true(scalar_cast(&wide, KJIT_DTYPE_FLOAT32).as.number == (double)(1.0f / 3));
    assert_true(scalar_cast(&wide, KJIT_DTYPE_FLOAT16).as.number == 0.333251953125);
    assert_true(scalar_cast(&wide, KJIT_DTYPE_BFLOAT16).as.number == 0.333984375);
    assert_true(scalar_cast(&half, KJIT_DTYPE_FLOAT16).as.number == 65504);
    half.as.number = 65520;
    assert_true(isinf(scalar_cast(&half, KJIT_DTYPE_FLOAT16).as.number));
    half.as.number = 0x1p-25;
    assert_true(scalar_cast(&half, KJIT_DTYPE_FLOAT16).as.number == 0);
    half.as.number = 0x1.8p-25;
    assert_true(scalar_cast(&half, KJIT_DTYPE_FLOAT16).as.number == 0x1p-24);
    assert_int_equal(scalar_cast(&big, KJIT_DTYPE_INT8).as.integer, 44);
    assert_int_equal(scalar_cast(&big, KJIT_DTYPE_BOOL).as.integer, 1);
}

/* ---- values --------------------------------------------------------------------------- */

static void values_are_what_they_say(void **state)
{
    static const struct {
        const char *text;
        kjit_dtype dtype;
        double number;
    } rows[] = {
        { "4", KJIT_DTYPE_INT64, 4 },
        { "-4", KJIT_DTYPE_INT64, -4 },
        { "4.5", KJIT_DTYPE_FLOAT64, 4.5 },
        { "True", KJIT_DTYPE_BOOL, 1 },
        { "float32(-4)", KJIT_DTYPE_FLOAT32, -4 },
        { "np.float32(1)/3", KJIT_DTYPE_FLOAT64, 1.0 / 3 },
        { "int8(200)", KJIT_DTYPE_INT8, -56 },
        { "-7 // 2", KJIT_DTYPE_INT64, -4 },
        { "-7 % 3", KJIT_DTYPE_INT64, 2 },
        { "7 / 2", KJIT_DTYPE_FLOAT64, 3.5 },
        { "2 ** 10", KJIT_DTYPE_INT64, 1024 },
        { "(-2) ** 63", KJIT_DTYPE_INT64, -0x1p63 },
        { "-9223372036854775808", KJIT_DTYPE_INT64, -0x1p63 },
        { "-5 >> 70", KJIT_DTYPE_INT64, -1 },
        { "0 << 99", KJIT_DTYPE_INT64, 0 },
        { "5.0 % 0.1", KJIT_DTYPE_FLOAT64, 0.09999999999999973 },
        { "5.0 % -inf", KJIT_DTYPE_FLOAT64, -INFINITY },
        { "1.0 // 0.1", KJIT_DTYPE_FLOAT64, 9 },
        { "2 ** -1", KJIT_DTYPE_FLOAT64, 0.5 },
        { "1 << 4 | 3", KJIT_DTYPE_INT64, 19 },
        { "(1, 2)[1]", KJIT_DTYPE_INT64, 2 },
        { "arange(10)[3]", KJIT_DTYPE_INT64, 3 },
        { "arange(10)[::-2][1]", KJIT_DTYPE_INT64, 7 },
        { "arange(6).reshape(2, 3).T[2, 1]", KJIT_DTYPE_INT64, 5 },
        { "arange(6).reshape(2, -1)[1][0]", KJIT_DTYPE_INT64, 3 },
        { "arange(0, 1, 0.25)[3]", KJIT_DTYPE_FLOAT64, 0.75 },
        { "arange(5, dtype=float32)[4]", KJIT_DTYPE_FLOAT32, 4 },
        { "linspace(0, 1, 5)[1]", KJIT_DTYPE_FLOAT64, 0.25 },
        { "zeros(3, dtype=int32)[2]", KJIT_DTYPE_INT32, 0 },
        { "ones((2, 2))[1, 1]", KJIT_DTYPE_FLOAT64, 1 },
        { "full(3, 7)[0]", KJIT_DTYPE_INT64, 7 },
        { "full(3, 7.5, dtype='f4')[2]", KJIT_DTYPE_FLOAT32, 7.5 },
        { "empty(1, dtype=uint8)[0]", KJIT_DTYPE_UINT8, 0xa5 },
        { "len(zeros((3, 4)))", KJIT_DTYPE_INT64, 3 },
        { "zeros((3, 4)).shape[1]", KJIT_DTYPE_INT64, 4 },
        { "arange(4).astype(float32)[3]", KJIT_DTYPE_FLOAT32, 3 },
        { "n * 2", KJIT_DTYPE_INT64, 2000 },
        { "normal(n).size", KJIT_DTYPE_INT64, 1000 },
        { "math.floor(math.sqrt(17))", KJIT_DTYPE_FLOAT64, 4 },
    };
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "n", "1000", NULL));
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        if (kjit_values_set(values, "v", rows[i].text, NULL) != KJIT_OK)
            fail_msg("%s: %s", rows[i].text, kjit_error_message());
        const kjit_arg *v = kjit_values_get(values, "v");
        kjit_arg number = scalar_cast(v, KJIT_DTYPE_FLOAT64);
        if (v->kind != KJIT_ARG_SCALAR || v->dtype != rows[i].dtype ||
            number.as.number != rows[i].number)
            fail_msg("%s: %s %g", rows[i].text, kjit_dtype_name(v->dtype), number.as.number);
    }
    assert_string_equal(kjit_values_name_at(values, 1), "v");
    assert_null(kjit_values_name_at(values, 2));
    kjit_values_close(values);
}

static void wrong_values_are_pointed_at(void **state)
{
    static const struct {
        const char *text, *part;
        kjit_status status;
    } rows[] = {
        { "zeroes(4)", "did you mean 'zeros'", KJIT_ARGUMENT },
        { "1 +", "<v>:1:", KJIT_ARGUMENT },
        { "m", "there is no value 'm'", KJIT_ARGUMENT },
        { "zeros(-1)", "cannot have -1", KJIT_ARGUMENT },
        { "zeros(1.5)", "an integer is needed", KJIT_ARGUMENT },
        { "zeros(10**13)", "TiB", KJIT_MEMORY },
        { "zeros((2**40, 2**40))", "larger than any memory", KJIT_MEMORY },
        { "1 // 0", "cannot be computed", KJIT_ARGUMENT },
        { "10 ** 20", "not in 64 bits", KJIT_ARGUMENT },
        { "1 << 63", "not in 64 bits", KJIT_ARGUMENT },
        { "1 << -1", "cannot be computed", KJIT_ARGUMENT },
        { "9223372036854775807 + 1", "not in 64 bits", KJIT_ARGUMENT },
        { "zeros(3)[5]", "outside of 3", KJIT_ARGUMENT },
        { "zeros(3)[::0]", "step", KJIT_ARGUMENT },
        { "zeros(3, 4, 5, 6)", "takes 3 arguments at the most", KJIT_ARGUMENT },
        { "zeros(3, shape=4)", "given twice", KJIT_ARGUMENT },
        { "zeros(3, dtyp=4)", "no parameter 'dtyp'", KJIT_ARGUMENT },
        { "zeros()", "needs 'shape'", KJIT_ARGUMENT },
        { "load('nope.npy')", "there is no file", KJIT_FILE },
        { "nope.npz", "there is no file", KJIT_FILE },
        { "float32", "not a value", KJIT_ARGUMENT },
        { "'text'", "not a value", KJIT_ARGUMENT },
        { "1 if True else 2", "cannot be written", KJIT_ARGUMENT },
        { "zeros(3) + 1", "not for arrays", KJIT_ARGUMENT },
        { "arange(0, 1, 0)", "no end", KJIT_ARGUMENT },
        { "arange(6).reshape(4)", "another number", KJIT_ARGUMENT },
        { "randint(3, 3, 5)", "no integer", KJIT_ARGUMENT },
        { "99999999999999999999", "64 bits", KJIT_ARGUMENT },
        { "", "", KJIT_ARGUMENT },
    };
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_status got = kjit_values_set(values, "v", rows[i].text, NULL);
        if (got != rows[i].status || !strstr(kjit_error_message(), rows[i].part))
            fail_msg("%s: %s %s", rows[i].text, kjit_status_name(got), kjit_error_message());
        assert_null(kjit_values_get(values, "v"));
    }
    kjit_values_close(values);
}

static void views_keep_their_memory_alive(void **state)
{
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "a", "arange(100)", NULL));
    expect_ok(kjit_values_set(values, "b", "a[::-1]", NULL));
    expect_ok(kjit_values_set(values, "t", "(a, (b, 1))", NULL));
    expect_ok(kjit_values_set(values, "a", "1", NULL));
    const kjit_array *b = &kjit_values_get(values, "b")->as.array;
    assert_int_equal(((int64_t *)b->data)[0], 99);
    assert_int_equal(b->strides[0], -8);
    kjit_values_close(values);
}

static void random_numbers_do_not_depend_on_the_dtype(void **state)
{
    kjit_values *values;
    double sum = 0, squares = 0;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "d", "normal(10001, seed=3)", NULL));
    expect_ok(kjit_values_set(values, "f", "normal(10001, seed=3, dtype=float32)", NULL));
    const double *d = kjit_values_get(values, "d")->as.array.data;
    const float *f = kjit_values_get(values, "f")->as.array.data;
    for (int i = 0; i < 10001; i++) {
        assert_true(f[i] == (float)d[i]);
        sum += d[i];
        squares += d[i] * d[i];
    }
    assert_true(fabs(sum / 10001) < 0.04);
    assert_true(fabs(squares / 10001 - 1) < 0.05);
    expect_ok(kjit_values_set(values, "r", "randint(-3, 3, 1000, dtype=int32)", NULL));
    const int32_t *r = kjit_values_get(values, "r")->as.array.data;
    for (int i = 0; i < 1000; i++)
        assert_in_range(r[i] + 3, 0, 5);
    kjit_values_close(values);
}

static void examples_see_constants_and_what_was_set(void **state)
{
    static const char text[] = "from numba import cuda\nN = 6\nM = N // 2\n"
                               "@example(n=N + 1, a=zeros(n), b=zeros(M), grid=(N, 2), block=32)\n"
                               "@cuda.jit\ndef k(n, a, b):\n    pass\n";
    kjit_define define = { "N", "8" };
    kjit_load_options options = { .size = sizeof options, .defines = &define, .define_count = 1 };
    kjit_kernel *kernel = kernel_with(text, &options);
    kjit_launch_config config = { .size = sizeof config };
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "n", "3", NULL));
    expect_ok(kjit_values_example(values, kernel));
    assert_int_equal(kjit_values_get(values, "a")->as.array.shape[0], 3);
    assert_int_equal(kjit_values_get(values, "b")->as.array.shape[0], 4);
    assert_null(kjit_values_get(values, "grid"));
    expect_ok(kjit_example_config(kernel, &config));
    assert_int_equal(config.grid[0], 8);
    assert_int_equal(config.grid[1], 2);
    assert_int_equal(config.block[0], 32);
    expect(kjit_values_example(values, kernel_of(double_text)), KJIT_ARGUMENT, "no @example");
    expect(kjit_example_config(kernel_of(double_text), &config), KJIT_ARGUMENT, "no grid");
    kjit_values_close(values);
}

/* ---- the rest ------------------------------------------------------------------------- */

static void devices_have_names(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "tpu" };
    kjit_context *other;

    (void)state;
    assert_string_equal(kjit_device_name(context), "cpu");
    assert_true(*kjit_device_model(context));
    expect(kjit_open(&options, &other), KJIT_ARGUMENT, "'tpu'");
    options.device = "cuda:99";
    expect(kjit_open(&options, &other), KJIT_NO_DEVICE, "error: ");
    options.device = "check";
    expect(kjit_open(&options, &other), KJIT_UNSUPPORTED, "check");
    assert_null(other);
    kjit_close(NULL);
    kjit_close_module(NULL);
    kjit_close_prepared(NULL);
    kjit_values_close(NULL);
    kjit_free(NULL);
    kjit_device_free(context, NULL);
}

static void long_messages_are_whole(void **state)
{
    char text[2000];

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    error_text(KJIT_INVALID, text);
    assert_string_equal(kjit_error_message(), text);
    error_set(KJIT_INVALID, "again: %s", kjit_error_message());
    assert_int_equal(strlen(kjit_error_message()), sizeof text - 1 + 7);
    assert_string_equal(kjit_status_name(KJIT_FAULT), "KJIT_FAULT");
    assert_string_equal(kjit_status_name((kjit_status)99), "unknown status");
}

#ifdef KJIT_DEBUG
/* Everything from opening to launching, with its n-th allocation failing. */
static kjit_status whole_life(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *own;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_values *values = NULL;
    float a[4] = { 0 };

    kjit_status status = kjit_open(&options, &own);
    if (status != KJIT_OK)
        return status;
    status = kjit_load_source(own, double_text, "t.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4));
    if (status == KJIT_OK)
        status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_values_set(values, "v", "(zeros(3)[1:], normal(4, dtype=float32))", NULL);
    kjit_values_close(values);
    kjit_close(own);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char text[16];
    kjit_status status = KJIT_MEMORY;

    (void)state;
    expect_ok(whole_life());
    for (int n = 1; n < 100000; n++) {
        snprintf(text, sizeof text, "%d", n);
        setenv("KJIT_FAIL_ALLOC", text, 1);
        status = whole_life();
        unsetenv("KJIT_FAIL_ALLOC");
        if (status != KJIT_OK && status != KJIT_MEMORY && status != KJIT_NO_DEVICE)
            fail_msg("%d: %s: %s", n, kjit_status_name(status), kjit_error_message());
        if (status == KJIT_OK && n > 400)
            break;
    }
    expect_ok(status);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_reads_like_numba),
        cmocka_unit_test(every_c_type_is_its_dtype),
        cmocka_unit_test(arrays_of_any_strides_arrive),
        cmocka_unit_test(tuples_are_passed_whole),
        cmocka_unit_test(empty_tuples_take_no_harm),
        cmocka_unit_test(empty_arrays_are_no_error),
        cmocka_unit_test(wrong_calls_are_explained),
        cmocka_unit_test(a_read_only_array_is_not_written),
        cmocka_unit_test(errors_are_not_remembered_against_a_kernel),
        cmocka_unit_test(the_second_process_compiles_nothing),
        cmocka_unit_test(debug_names_line_block_and_thread),
        cmocka_unit_test(a_compiler_that_is_not_there_is_named),
        cmocka_unit_test(a_forked_process_launches_too),
        cmocka_unit_test(a_host_may_ignore_sigchld),
        cmocka_unit_test(a_full_cache_is_as_good_as_none),
        cmocka_unit_test(prepared_launches_launch_again),
        cmocka_unit_test(access_says_what_a_kernel_does),
        cmocka_unit_test(forall_covers_every_thread),
        cmocka_unit_test(axes_are_those_asked_about),
        cmocka_unit_test(host_arrays_go_there_and_back),
        cmocka_unit_test(imports_are_found_beside_the_file),
        cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(files_that_cannot_be_read_are_one_message),
        cmocka_unit_test(constants_can_be_overridden),
        cmocka_unit_test(every_stage_can_be_shown),
        cmocka_unit_test(machine_code_is_made_without_a_gpu),
        cmocka_unit_test(layouts_follow_numba),
        cmocka_unit_test(signatures_say_dtype_rank_and_layout),
        cmocka_unit_test(scalars_round_and_wrap),
        cmocka_unit_test(values_are_what_they_say),
        cmocka_unit_test(wrong_values_are_pointed_at),
        cmocka_unit_test(views_keep_their_memory_alive),
        cmocka_unit_test(random_numbers_do_not_depend_on_the_dtype),
        cmocka_unit_test(examples_see_constants_and_what_was_set),
        cmocka_unit_test(devices_have_names),
        cmocka_unit_test(long_messages_are_whole),
#ifdef KJIT_DEBUG
        cmocka_unit_test(every_allocation_may_fail),
#endif
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
