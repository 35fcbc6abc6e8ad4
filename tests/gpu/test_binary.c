/* What only a GPU can show of kernels compiled ahead of time, and of edited texts: that the driver
** takes the machine code and the PTX in a binary, and NVRTC what was edited. All are skipped
** where there is no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit_tools.h"

enum { N = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def add(x, y, out):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < out.shape[0]:\n"
                           "        out[i] = x[i] + y[i]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def reverse(x):\n"
                           "    s = cuda.shared.array(0, int32)\n"
                           "    n = x.shape[0]\n"
                           "    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):\n"
                           "        s[i] = x[i]\n"
                           "    cuda.syncthreads()\n"
                           "    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):\n"
                           "        x[i] = s[n - 1 - i]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def checked(x, limit):\n"
                           "    i = cuda.grid(1)\n"
                           "    assert i < limit, i\n"
                           "    x[i] = 1\n";

static kjit_context *context;
static kjit_module *source, *debugged;
static float x[N], y[N], out[N];
static int32_t numbers[N];

static int open_device(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };

    (void)state;
    kjit_status status = kjit_open(&options, &context);
    if (status == KJIT_NO_DEVICE)
        return 0;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 2 * (float)i;
        numbers[i] = i;
    }
    return status != KJIT_OK ||
           kjit_load_source(context, text, "gpu.k", NULL, &source) != KJIT_OK ||
           kjit_load_source(context, text, "gpu.k", &debug, &debugged) != KJIT_OK;
}

static int close_device(void **state)
{
    (void)state;
    kjit_close(context);
    return 0;
}

static void expect_ok(kjit_status status)
{
    if (status != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(status), kjit_error_message());
}

static kjit_kernel *kernel_of(kjit_module *module, const char *name)
{
    kjit_kernel *kernel;

    expect_ok(kjit_get_kernel(module, name, &kernel));
    return kernel;
}

/* All three kernels compiled for the target and loaded again; NULL for the GPU's own. */
static kjit_module *ahead(const char *target)
{
    char arch[64] = "";
    kjit_build_item items[] = {
        { .kernel = kernel_of(source, "add"),
          .signature = "add(float32[::1], float32[::1], float32[:])" },
        { .kernel = kernel_of(source, "reverse"), .signature = "reverse(int32[::1])" },
        { .kernel = kernel_of(debugged, "checked"), .signature = "checked(int32[::1], int32)" },
    };
    const char *const targets[] = { target ? target : arch };
    kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = targets, .target_count = 1
    };
    kjit_emit_options ptx = { .size = sizeof ptx, .stage = "ptx", .signature = items[0].signature };
    kjit_module *module;
    char *data;
    size_t length;

    /* What the GPU is, its PTX says. */
    expect_ok(kjit_emit(items[0].kernel, &ptx, &data, &length));
    assert_int_equal(sscanf(strstr(data, ".target "), ".target %63[a-z0-9_]", arch), 1);
    kjit_free(data);
    expect_ok(kjit_build(items, 3, &options, &data, &length));
    expect_ok(kjit_load_binary(context, data, length, "gpu.kjit", &module));
    memset(data, 0, length);
    kjit_free(data);
    return module;
}

static void check_module(kjit_module *module)
{
    kjit_kernel *checked = kernel_of(module, "checked");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 256 } };
    kjit_arg args[] = { KJIT_ARRAY(numbers, N) };

    memset(out, 0, sizeof out);
    expect_ok(KJIT_CALL(kernel_of(module, "add"), KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N),
                        KJIT_ARRAY(y, N), KJIT_ARRAY(out, N)));
    for (int i = 0; i < N; i++)
        assert_true(out[i] == 3 * (float)i);
    config.shared_bytes = sizeof numbers;
    int32_t first = numbers[0], last = numbers[N - 1];
    expect_ok(kjit_launch(kernel_of(module, "reverse"), &config, args, 1));
    assert_int_equal(numbers[0], last);
    assert_int_equal(numbers[N - 1], first);
    expect_ok(KJIT_CALL(checked, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(numbers, N), 32));
    assert_int_equal(KJIT_CALL(checked, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(numbers, N), 31),
                     KJIT_FAULT);
    assert_non_null(strstr(kjit_error_message(), "gpu.k:20:"));
    for (int i = 0; i < N; i++)
        numbers[i] = i;
    kjit_close_module(module);
}

static void machine_code_runs(void **state)
{
    (void)state;
    if (!context)
        skip();
    check_module(ahead(NULL));
}

static void ptx_runs_on_what_is_newer(void **state)
{
    (void)state;
    if (!context)
        skip();
    check_module(ahead("compute_75"));
}

/* A device array in a prepared launch, as with any kernel. */
static void prepared_launches_take_them(void **state)
{
    kjit_array array;
    kjit_prepared *prepared;
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { 256 }, .shared_bytes = sizeof numbers
    };

    (void)state;
    if (!context)
        skip();
    kjit_module *module = ahead(NULL);
    kjit_array host = kjit_host_array(numbers, KJIT_DTYPE_INT32, 1, (int64_t[]){ N });
    expect_ok(kjit_to_device(context, &host, &array));
    kjit_arg args[] = { kjit_arg_array(array) };
    expect_ok(kjit_prepare(kernel_of(module, "reverse"), &config, args, 1, &prepared));
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_launch_prepared(prepared));
    kjit_close_prepared(prepared);
    expect_ok(kjit_copy_to_host(context, &array, &host));
    assert_int_equal(numbers[0], N - 1);
    expect_ok(kjit_array_free(context, &array));
    for (int i = 0; i < N; i++)
        numbers[i] = i;
    kjit_close_module(module);
}

static void an_edited_text_runs_instead(void **state)
{
    kjit_arg args[] = { KJIT_ARRAY(x, N), KJIT_ARRAY(y, N), KJIT_ARRAY(out, N) };
    kjit_emit_options options = {
        .size = sizeof options, .stage = "cuda", .args = args, .arg_count = 3
    };
    char *cuda, *plus;
    size_t length;

    (void)state;
    if (!context)
        skip();
    kjit_kernel *add = kernel_of(source, "add");
    expect_ok(kjit_emit(add, &options, &cuda, &length));
    plus = strstr(cuda, "] + ");
    assert_non_null(plus);
    plus[2] = '-';
    expect_ok(kjit_replace_text(add, args, 3, "cuda", cuda, "mine.cu"));
    expect_ok(KJIT_CALL(add, KJIT_GRID(8), KJIT_BLOCK(128), args[0], args[1], args[2]));
    for (int i = 0; i < N; i++)
        assert_true(out[i] == -(float)i);
    plus[2] = '?';
    assert_int_equal(kjit_replace_text(add, args, 3, "cuda", cuda, "mine.cu"), KJIT_INVALID);
    assert_non_null(strstr(kjit_error_message(), "\nmine.cu("));
    kjit_free(cuda);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_code_runs),
        cmocka_unit_test(ptx_runs_on_what_is_newer),
        cmocka_unit_test(prepared_launches_take_them),
        cmocka_unit_test(an_edited_text_runs_instead),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
