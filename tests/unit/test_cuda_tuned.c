/* What is tuned, on a pretended GPU: its limits, options for NVRTC, and launches by wisdom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "include/kjit_tools.h"
#include "tests/unit/cuda.h"

static const char scale_text[] =
    "T = 64\n"
    "W = 8\n"
    "@tune(T=[32, 64, 2048], W=[8, 65536], block='T', problem=('x.shape[0]', 'H'))\n"
    "@cuda.jit\n"
    "def scale(x, factor):\n"
    "    s = cuda.shared.array((W, 128), float32)\n"
    "    s[0, 0] = factor\n"
    "    i = cuda.grid(1)\n"
    "    if i < x.shape[0]:\n"
    "        x[i] *= s[0, 0]\n";

static char folder[] = "/tmp/kjit-tuned-XXXXXX", path[64], wisdom[64];
static float x[N];

static int begin(void **state)
{
    char text[sizeof scale_text + 16];

    (void)state;
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    snprintf(text, sizeof text, "H = 1\n%s", scale_text);
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    fputs(text, file);
    fclose(file);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(wisdom);
    return 0;
}

static kjit_kernel *load(kjit_context *context, const kjit_load_options *options)
{
    kjit_module *module;
    kjit_kernel *kernel;

    expect_ok(kjit_load_file(context, path, options, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    return kernel;
}

static void fill_args(kjit_arg args[2], int64_t count)
{
    args[0] = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, &count));
    args[1] = kjit_arg_float32(2);
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
}

static void the_devices_limits_are_restrictions(void **state)
{
    static const struct {
        uint32_t config[2];
        const char *height, *why;
    } cases[] = {
        { { 0, 0 }, "H", NULL },
        { { 2, 0 }, "H", "the block is 2048 in x, and cuda:0 allows 1024 there" },
        { { 0, 1 }, "H", "of shared memory, and cuda:0 allows" },
        { { 0, 0 }, "100000", "the grid is 100000 in y, and cuda:0 allows 65535 there" },
    };
    kjit_context *context = open_gpu("cuda");
    kjit_space *space;
    kjit_arg args[2];
    const char *why;

    (void)state;
    fill_args(args, N);
    expect_ok(kjit_space_new(load(context, NULL), &space));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[64];
        snprintf(problem, sizeof problem, "('x.shape[0]', %s)", cases[i].height);
        expect_ok(kjit_space_set(space, "problem", problem));
        expect_ok(kjit_space_allows(space, cases[i].config, args, 2, &why));
        if (!cases[i].why != !why || (why && !strstr(why, cases[i].why)))
            fail_msg("%zu: %s", i, why ? why : "allowed");
    }
    kjit_space_close(space);
    close_gpu(context);
}

/* The pretended NVRTC takes no option without a dash. */
static void an_option_that_nvrtc_does_not_take_is_named(void **state)
{
    kjit_load_options options = { .size = sizeof options, .compiler_options = "--one oops --two" };
    kjit_launch_config config = { .size = sizeof config, .grid = { 2 }, .block = { 64 } };
    kjit_context *context = open_gpu("cuda");
    kjit_arg args[2];

    (void)state;
    fill_args(args, N);
    expect(kjit_launch(load(context, &options), &config, args, 2), KJIT_ARGUMENT,
           "with the compiler option 'oops'");
    options.compiler_options = "--one=oops '--two'";
    expect_ok(kjit_launch(load(context, &options), &config, args, 2));
    close_gpu(context);
}

static void what_was_tuned_is_launched_and_given_back(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *kernel = load(context, NULL);
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_stream *stream;
    kjit_space *space;
    kjit_arg args[2];

    (void)state;
    fill_args(args, N);
    expect_ok(kjit_stream_new(context, NULL, &stream));
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_wisdom_add(space, (uint32_t[]){ 0, 0 }, args, 2, "time", 1, NULL));
    kjit_space_close(space);
    expect_ok(kjit_tuned_find(kernel, args, 2, &tuned));
    assert_string_equal(tuned.how, "exact");
    assert_string_equal(tuned.configuration, "T=32, W=8");
    assert_int_equal(tuned.shape.grid[0], (N + 31) / 32);
    assert_ptr_not_equal(tuned.kernel, kernel);
    for (int turn = 0; turn < 3; turn++)
        expect_ok(kjit_launch_tuned(kernel, turn ? stream : NULL, args, 2));
    expect_ok(kjit_stream_synchronize(stream));
    for (int i = 0; i < N; i++)
        assert_true(x[i] == (float)(8 * i));
    kjit_stream_close(stream);
    close_gpu(context);
}

/* The record says what the machine is. */
static void records_name_device_driver_and_compiler(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_space *space;
    kjit_arg args[2];
    char text[2048], part[300];

    (void)state;
    fill_args(args, N);
    expect_ok(kjit_space_new(load(context, NULL), &space));
    expect_ok(kjit_wisdom_add(space, (uint32_t[]){ 0, 0 }, args, 2, "time", 1, NULL));
    kjit_space_close(space);
    FILE *file = fopen(wisdom, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    snprintf(part, sizeof part, "device='%s', arch='sm_", kjit_device_model(context));
    assert_non_null(strstr(text, part));
    assert_non_null(strstr(text, "driver='CUDA 1"));
    assert_non_null(strstr(text, "compiler='NVRTC 1"));
    close_gpu(context);
}

static int begin_all(void **state)
{
    if (pretend(state) != 0 || !mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/scale.k", folder);
    snprintf(wisdom, sizeof wisdom, "%s/scale.wisdom", folder);
    return 0;
}

static int end_all(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(the_devices_limits_are_restrictions),
        TEST(an_option_that_nvrtc_does_not_take_is_named),
        TEST(what_was_tuned_is_launched_and_given_back),
        TEST(records_name_device_driver_and_compiler),
    };

    return cmocka_run_group_tests(tests, begin_all, end_all);
}
