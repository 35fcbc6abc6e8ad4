/* Binaries and edited texts on a pretended GPU: what reaches the driver, and that no compiler is
** needed for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "include/kjit_tools.h"
#include "tests/unit/cuda.h"

static float x[N], y[N], out[N];

static int begin(void **state)
{
    (void)state;
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_most_threads("scale", 0);
    fake_cuda_forget();
    fake_nvrtc_forget();
    fake_cuda_record(true);
    fake_cuda_events();
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1000;
        out[i] = -1;
    }
    return 0;
}

typedef struct Bytes {
    char *data;
    size_t length;
} Bytes;

/* Both kernels, for floats. */
static Bytes build(const char *const *targets, size_t count)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_build_options wanted = {
        .size = sizeof wanted, .form = "binary", .targets = targets, .target_count = count
    };
    kjit_context *context;
    kjit_build_item items[2] = {
        { .signature = "add(float32[::1], float32[::1], float32[::1])" },
        { .signature = "scale(float32[::1], float32)" },
    };
    Bytes bytes;

    expect_ok(kjit_open(&options, &context));
    items[0].kernel = must_load(context, kernels, "add");
    items[1].kernel = must_load(context, kernels, "scale");
    expect_ok(kjit_build(items, 2, &wanted, &bytes.data, &bytes.length));
    kjit_close(context);
    fake_nvrtc_forget();
    return bytes;
}

static kjit_status load_bytes(kjit_context *context, Bytes bytes, const char *name,
                              kjit_kernel **kernel)
{
    kjit_module *module;
    kjit_status status = kjit_load_binary(context, bytes.data, bytes.length, "t.kjit", &module);

    *kernel = NULL;
    return status == KJIT_OK ? kjit_get_kernel(module, name, kernel) : status;
}

static kjit_status call_add(kjit_kernel *add)
{
    return KJIT_CALL(add, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_CONST_ARRAY(x, N),
                     KJIT_CONST_ARRAY(y, N), KJIT_ARRAY(out, N));
}

static void a_gpu_runs_a_binary_without_nvrtc(void **state)
{
    static const char *const targets[] = { "sm_80", "sm_90", "compute_75" };
    Bytes bytes = build(targets, 3);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add;

    (void)state;
    expect_ok(load_bytes(context, bytes, "add", &add));
    kjit_free(bytes.data);
    expect_ok(call_add(add));
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (float)(1000 + i));
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 0);
    assert_int_equal(fake_cuda_calls("cuModuleLoadDataEx"), 2);
    close_gpu(context);
}

static void only_what_is_needed_is_copied(void **state)
{
    static const char *const targets[] = { "compute_75" };
    Bytes bytes = build(targets, 1);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add;
    kjit_report report = { .size = sizeof report };

    (void)state;
    expect_ok(load_bytes(context, bytes, "add", &add));
    kjit_free(bytes.data);
    expect_ok(call_add(add));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, sizeof x + sizeof y);
    assert_int_equal(report.bytes_out, sizeof out);
    close_gpu(context);
}

static void a_reset_brings_binaries_back_too(void **state)
{
    static const char *const targets[] = { "sm_90" };
    Bytes bytes = build(targets, 1);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add;

    (void)state;
    expect_ok(load_bytes(context, bytes, "add", &add));
    memset(bytes.data, 0, bytes.length);
    kjit_free(bytes.data);
    expect_ok(kjit_reset(context));
    expect_ok(call_add(add));
    assert_true(out[1] == 1001);
    close_gpu(context);
}

static void blocks_that_do_not_fit_are_refused_with_a_remedy(void **state)
{
    static const char *const targets[] = { "sm_90" };
    Bytes bytes = build(targets, 1);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale;

    (void)state;
    fake_cuda_most_threads("scale", 512);
    expect_ok(load_bytes(context, bytes, "scale", &scale));
    kjit_free(bytes.data);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(512), KJIT_ARRAY(x, N), 1.0f));
    expect(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(513), KJIT_ARRAY(x, N), 1.0f), KJIT_ARGUMENT,
           "runs at most 512");
    assert_non_null(strstr(kjit_error_message(), "launch_bounds"));
    close_gpu(context);
}

static void code_for_other_gpus_is_listed(void **state)
{
    static const char *const targets[] = { "sm_80", "cpu" };
    Bytes bytes = build(targets, 2);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add;

    (void)state;
    expect(load_bytes(context, bytes, "add", &add), KJIT_NO_DEVICE,
           "t.kjit has no code of add(float32[::1], float32[::1], float32[::1]) for cuda:0 "
           "(sm_90): it has sm_80, cpu");
    kjit_free(bytes.data);
    close_gpu(context);
}

static void every_call_of_the_driver_may_fail_while_it_loads(void **state)
{
    static const char *const targets[] = { "sm_90" };
    Bytes bytes = build(targets, 1);
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add;
    kjit_status status = KJIT_LAUNCH;

    (void)state;
    for (int n = 1; status != KJIT_OK && n < 100; n++) {
        fake_cuda_fail(n, 999);
        status = load_bytes(context, bytes, "add", &add);
        fake_cuda_fail(0, 0);
    }
    expect_ok(status);
    expect_ok(call_add(add));
    kjit_free(bytes.data);
    close_gpu(context);
}

static void nvrtc_s_failures_leave_nothing(void **state)
{
    static const char *const targets[] = { "cpu", "sm_90", "compute_75" };
    kjit_context *context = open_gpu("cuda");
    kjit_build_item item = { .kernel = must_load(context, kernels, "scale"),
                             .signature = "scale(float32[::1], float32)" };
    kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = targets, .target_count = 3
    };
    kjit_status status = KJIT_LAUNCH;
    char *data;
    size_t length;

    (void)state;
    for (int n = 1; status != KJIT_OK && n < 100; n++) {
        fake_nvrtc_fail(n, 6);
        status = kjit_build(&item, 1, &options, &data, &length);
        assert_true((status == KJIT_OK) == (data != NULL));
        assert_int_equal(fake_nvrtc_leaks(), 0);
    }
    fake_nvrtc_fail(0, 0);
    expect_ok(status);
    kjit_free(data);
    close_gpu(context);
}

/* The CUDA C of `scale`, with another name for its factor, to be kjit_free()d. */
static char *edited_scale(kjit_kernel *scale, const kjit_arg *args)
{
    kjit_emit_options options = {
        .size = sizeof options, .stage = "cuda", .args = args, .arg_count = 2
    };
    char *text;
    size_t length;

    expect_ok(kjit_emit(scale, &options, &text, &length));
    return text;
}

static void an_edited_text_goes_to_nvrtc(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    kjit_arg args[] = { KJIT_ARRAY(x, N), kjit_arg_float32(3) };
    char *text = edited_scale(scale, args);

    (void)state;
    expect_ok(kjit_replace_text(scale, args, 2, "cuda", text, "mine.cu"));
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(2), KJIT_BLOCK(64), args[0], args[1]));
    assert_true(x[2] == 6);
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1);
    /* No text of kjit's own takes its place for larger blocks. */
    fake_cuda_most_threads("scale", 512);
    expect_ok(kjit_replace_text(scale, args, 2, "cuda", text, "mine.cu"));
    expect(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(1024), args[0], args[1]), KJIT_ARGUMENT,
           "runs at most 512");
    fake_nvrtc_fail(0, 0);
    expect(kjit_replace_text(scale, args, 2, "c", text, "mine.c"), KJIT_ARGUMENT,
           "cuda:0 runs CUDA C, not C");
    expect(kjit_replace_text(scale, args, 2, "cuda", "__global__ void f() {}", "mine.cu"),
           KJIT_ARGUMENT, "mine.cu does not define 'scale'");
    kjit_free(text);
    close_gpu(context);
}

static void nvrtc_s_complaints_are_the_editor_s(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    kjit_arg args[] = { KJIT_ARRAY(x, N), kjit_arg_float32(3) };
    char *text = edited_scale(scale, args);

    (void)state;
    fake_cuda_most_threads("scale", 0);
    kjit_status status = KJIT_OK;
    for (int n = 1; n < 20 && !strstr(kjit_error_message(), "made up"); n++) {
        fake_nvrtc_fail(n, 6);
        status = kjit_replace_text(scale, args, 2, "cuda", text, "mine.cu");
    }
    kjit_free(text);
    expect(status, KJIT_INVALID, "mine.cu, edited, does not compile with NVRTC 13.0\n");
    close_gpu(context);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_gpu_runs_a_binary_without_nvrtc),
        TEST(only_what_is_needed_is_copied),
        TEST(a_reset_brings_binaries_back_too),
        TEST(blocks_that_do_not_fit_are_refused_with_a_remedy),
        TEST(code_for_other_gpus_is_listed),
        TEST(every_call_of_the_driver_may_fail_while_it_loads),
        TEST(nvrtc_s_failures_leave_nothing),
        TEST(an_edited_text_goes_to_nvrtc),
        TEST(nvrtc_s_complaints_are_the_editor_s),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}
