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
                                "    return sum(kept)\n"
                                "\n"
                                "def grow(x, y, by, steps, every):\n"
                                "    seen = 0.0\n"
                                "    for i in range(steps):\n"
                                "        add[1, 128](x, by, y)\n"
                                "        x, y = y, x\n"
                                "        if i % every == every - 1:\n"
                                "            seen += x[0]\n"
                                "    return x, seen\n"
                                "\n"
                                "def mixed(x, y, by, steps):\n"
                                "    for i in range(steps):\n"
                                "        for k in range(i):\n"
                                "            add[1, 128](x, by, y)\n"
                                "            scale[1, 128](y, np.float32(1))\n"
                                "            add[1, 128](y, by, x)\n"
                                "        add[1, 128](x, by, y)\n"
                                "        if i % 3 == 1:\n"
                                "            by[1] = i\n"
                                "        x, y = y, x\n"
                                "    return x\n"
                                "\n"
                                "def threads():\n"
                                "    device = cuda.get_current_device()\n"
                                "    assert device.MAX_THREADS_PER_MULTI_PROCESSOR == 2048\n"
                                "    assert device.compute_capability == (9, 0)\n";

static int begin(void **state)
{
    (void)state;
    fake_cuda_forget();
    fake_nvrtc_forget();
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_kernel("add", do_add);
    return 0;
}

/* Work is done when it is waited for, not before. */
static int begin_late(void **state)
{
    fake_cuda_lazy(true);
    return begin(state);
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
    const long before = fake_cuda_launches("scale");
    float x[N];

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, N), 2.0, 3));
    assert_true(x[1] == 8 && x[N - 1] == 8 * (N - 1));
    assert_int_equal(fake_cuda_launches("scale") - before, 3);
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

/* Launches that come again are replayed, as many as were asked for, whenever the host looks. */
static void what_comes_again_is_a_graph(void **state)
{
    static const int steps[] = { 1, 31, 33, 64, 65, 100, 129, 700, 3000 };
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N], y[N], by[N];
    kjit_arg result;

    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (int every = 7; every < 5000; every *= 8) {
            const long before = fake_cuda_launches("add"),
                       graphs = fake_cuda_calls("cuGraphLaunch");
            double seen = 0;
            for (int i = 0; i < N; i++)
                x[i] = y[i] = 0, by[i] = (float)(i + 1);
            expect_ok(KJIT_PROGRAM_CALL(program, "grow", &result, KJIT_ARRAY(x, N),
                                        KJIT_ARRAY(y, N), KJIT_ARRAY(by, N), steps[k], every));
            for (int i = every; i <= steps[k]; i += every)
                seen += i;
            assert_true(result.as.tuple.items[1].as.number == seen);
            assert_true((steps[k] % 2 ? y : x)[0] == (float)steps[k]);
            assert_true((steps[k] % 2 ? y : x)[N - 1] == (float)(steps[k] * N));
            assert_int_equal(fake_cuda_launches("add") - before, steps[k]);
            if (every > steps[k] && steps[k] > 128)
                assert_true(fake_cuda_calls("cuGraphLaunch") > graphs);
        }
    kjit_program_close(program);
    close_gpu(context);
}

/* Sequences that change, and arrays that the host writes between. */
static void what_changes_is_no_graph(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);
    float x[N] = { 0 }, y[N] = { 0 }, by[N] = { 1, 1 }, sum = 0, one = 1;
    kjit_arg result;

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "mixed", &result, KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                                KJIT_ARRAY(by, N), 80));
    for (int i = 0; i < 80; i++) {
        sum += (float)(2 * i + 1) * one;
        if (i % 3 == 1)
            one = (float)i;
    }
    assert_true(x[0] == 80 * 80);
    assert_true(x[1] == sum);
    kjit_program_close(program);
    close_gpu(context);
}

/* Whatever call of the driver fails, at whatever time, nothing is wrong without a word. */
static void graphs_that_fail_are_done_without(void **state)
{
    static const char *const calls[] = { "cuStreamCreateWithPriority", "cuStreamBeginCapture",
                                         "cuStreamEndCapture", "cuGraphInstantiateWithFlags" };
    (void)state;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        kjit_context *context = open_gpu("cuda");
        kjit_program *program = open_program(context);
        float x[N] = { 0 }, y[N] = { 0 }, by[N] = { 1 };
        fake_cuda_fail_at(calls[k], 1, 801);
        expect_ok(KJIT_PROGRAM_CALL(program, "grow", NULL, KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                                    KJIT_ARRAY(by, N), 500, 1000));
        assert_string_equal(fake_cuda_failed(), calls[k]);
        assert_true(x[0] == 500);
        kjit_program_close(program);
        close_gpu(context);
    }
}

static void the_driver_is_asked_once_what_the_gpu_is(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_program *program = open_program(context);

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "threads", NULL));
    const long before = fake_cuda_calls("cuDeviceGetAttribute");
    expect_ok(KJIT_PROGRAM_CALL(program, "threads", NULL));
    assert_int_equal(fake_cuda_calls("cuDeviceGetAttribute"), before);
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
        cmocka_unit_test_setup(what_comes_again_is_a_graph, begin),
        cmocka_unit_test_setup(what_changes_is_no_graph, begin),
        cmocka_unit_test_setup(graphs_that_fail_are_done_without, begin),
        cmocka_unit_test_setup(the_driver_is_asked_once_what_the_gpu_is, begin),
        cmocka_unit_test_setup_teardown(host_arrays_come_back, begin_late, end_late),
        cmocka_unit_test_setup_teardown(device_arrays_stay_where_they_are, begin_late, end_late),
        cmocka_unit_test_setup_teardown(what_comes_again_is_a_graph, begin_late, end_late),
        cmocka_unit_test_setup_teardown(what_changes_is_no_graph, begin_late, end_late),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}
