/* Programs on a pretended GPU: what goes there, and what comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/cuda.h"

static const char host_text[] = "import numpy as np\n"
                                "\n"
                                "kept = None\n"
                                "\n"
                                "def work(x, factor, times):\n"
                                "    for _ in range(times):\n"
                                "        scale[1, 128](x, np.float32(factor))\n"
                                "\n"
                                "def both(x, y):\n"
                                "    scale[1, 128](x, np.float32(3))\n"
                                "    scale[1, 128](y, np.float32(2))\n"
                                "\n"
                                "def put(x, i, value):\n"
                                "    x[i] = value\n"
                                "    return x[i:]\n"
                                "\n"
                                "def keep(x):\n"
                                "    global kept\n"
                                "    kept = x\n"
                                "\n"
                                "def total():\n"
                                "    return sum(kept)\n";

static int begin(void **state)
{
    (void)state;
    fake_cuda_forget();
    fake_nvrtc_forget();
    fake_cuda_kernel("scale", do_scale);
    return 0;
}

static kjit_program *open_program(kjit_context *context)
{
    char text[2048];
    kjit_module *module;
    kjit_program *program;

    snprintf(text, sizeof text, "%s\n%s", kernels, host_text);
    expect_ok(kjit_load_source(context, text, "t.py", NULL, &module));
    expect_ok(kjit_program_open(module, NULL, &program));
    return program;
}

static void host_arrays_come_back(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N];

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, N), 2.0, 3));
    assert_true(x[1] == 8 && x[N - 1] == 8 * (N - 1));
    assert_int_equal(fake_cuda_launches("scale"), 3);
    kjit_program_close(program);
    close_gpu(context);
}

/* Arrays of one memory are one on the GPU, too. */
static void arrays_that_overlap_stay_together(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N];

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 1;
    expect_ok(KJIT_PROGRAM_CALL(program, "both", NULL, KJIT_ARRAY(x, 60), KJIT_ARRAY(x + 40, 60)));
    assert_true(x[0] == 3 && x[50] == 6 && x[N - 1] == 2);
    kjit_program_close(program);
    close_gpu(context);
}

/* An array of the GPU stays there, for kernels and for what the host writes. */
static void device_arrays_stay_where_they_are(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N], back[N];
    kjit_array host = kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }), device;
    kjit_arg result;

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    expect_ok(kjit_to_device(context, &host, &device));
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, device, 2.0, 1));
    expect_ok(KJIT_PROGRAM_CALL(program, "put", &result, device, 7, 0.5));
    assert_true(result.as.array.flags & KJIT_ON_DEVICE);
    assert_ptr_equal(result.as.array.data, (char *)device.data + 28);
    expect_ok(KJIT_PROGRAM_CALL(program, "keep", NULL, device));
    host.data = back;
    expect_ok(kjit_copy_to_host(context, &device, &host));
    assert_true(back[6] == 12 && back[7] == 0.5F && back[8] == 16);
    expect_ok(kjit_array_zero(context, NULL, &device));
    kjit_array_free(context, &device);
    expect_ok(kjit_program_call(program, "total", NULL, 0, &result)); /* of its copy */
    assert_true(result.as.number == 2 * (N - 1) * N / 2 - 14 + 0.5);
    kjit_program_close(program);
    close_gpu(context);
}

/* Whatever call of the driver fails, the caller is told, and nothing is lost. */
static void failures_are_told(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N] = { 1 };

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, N), 2.0, 1));
    for (long n = 1;; n++) {
        fake_cuda_fail(n, 2);
        kjit_status status = KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, N), 2.0, 1);
        if (!*fake_cuda_failed())
            break;
        if (status != KJIT_OK)
            assert_int_equal(status, KJIT_MEMORY);
    }
    fake_cuda_fail(0, 0);
    x[0] = 1;
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, N), 2.0, 1));
    assert_true(x[0] == 2);
    kjit_program_close(program);
    close_gpu(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(host_arrays_come_back, begin),
        cmocka_unit_test_setup(arrays_that_overlap_stay_together, begin),
        cmocka_unit_test_setup(device_arrays_stay_where_they_are, begin),
        cmocka_unit_test_setup(failures_are_told, begin),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}
