/* Launches: what arguments may be, which are refused, and what a launch covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

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
    kjit_launch_config big = {
        .size = sizeof big, .grid = { 1 }, .block = { 1 }, .shared_bytes = 1 << 30
    };
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

static void prepared_launches_launch_again(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { 4, 1, 1 } };
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
    kjit_array_free(context, &device);
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

static const char in_blocks[] = "from numba import cuda\n"
                                "@cuda.jit\n"
                                "def k(x, size):\n"
                                "    i = cuda.blockIdx.x * 48 + cuda.threadIdx.x\n"
                                "    j = cuda.blockIdx.y * size + cuda.threadIdx.y\n"
                                "    if i < x.shape[1] and j < x.shape[0]:\n"
                                "        x[j, i] += 1\n";

static void blocks_are_those_that_the_text_is_written_for(void **state)
{
    kjit_kernel *kernel = kernel_of(in_blocks);
    float x[100 * 100] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(x, 100, 100), kjit_arg_int64(4) };
    kjit_launch_config config = { .size = sizeof config };
    char *misfit;

    (void)state;
    expect_ok(kjit_auto_config(kernel, args, 2, &config));
    assert_memory_equal(config.block, ((uint32_t[]){ 48, 4, 1 }), sizeof config.block);
    assert_memory_equal(config.grid, ((uint32_t[]){ 3, 25, 1 }), sizeof config.grid);
    expect_ok(kjit_misfit(kernel, &config, args, 2, &misfit));
    assert_null(misfit);
    expect_ok(kjit_launch(kernel, &config, args, 2));
    for (int i = 0; i < 100 * 100; i++)
        assert_true(x[i] == 1);
    expect_ok(kjit_forall(kernel, args, 2, 100, &config));
    assert_memory_equal(config.block, ((uint32_t[]){ 48, 4, 1 }), sizeof config.block);
    config.block[1] = 5;
    expect_ok(kjit_misfit(kernel, &config, args, 2, &misfit));
    assert_non_null(misfit);
    assert_non_null(strstr(misfit, ":7 is for blocks of 4 threads along y, not of 5"));
    kjit_free(misfit);
    args[1] = kjit_arg_int64(4000); /* which no block has room for: it is as if nothing were said */
    expect_ok(kjit_auto_config(kernel, args, 2, &(kjit_launch_config){ .size = sizeof config }));
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

static void a_call_may_name_a_whole_configuration(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def total(x, out):\n"
                               "    s = cuda.shared.array(0, float32)\n"
                               "    t = cuda.threadIdx.x\n"
                               "    s[t] = x[t]\n"
                               "    cuda.syncthreads()\n"
                               "    if t == 0:\n"
                               "        for i in range(cuda.blockDim.x):\n"
                               "            out[0] += s[i]\n";
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { 4 }, .shared_bytes = 4 * sizeof(float)
    };
    float x[4] = { 1, 2, 3, 4 }, out[1] = { 0 };

    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &config.stream));
    expect_ok(KJIT_CALL_WITH(kernel_of(text), &config, KJIT_ARRAY(x, 4), KJIT_ARRAY(out, 1)));
    assert_true(out[0] == 10);
    expect(KJIT_CALL_WITH(kernel_of(text), &config), KJIT_ARGUMENT, "takes 2 arguments");
    kjit_stream_close(config.stream);
}

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
        cmocka_unit_test(prepared_launches_launch_again),
        cmocka_unit_test(access_says_what_a_kernel_does),
        cmocka_unit_test(forall_covers_every_thread),
        cmocka_unit_test(blocks_are_those_that_the_text_is_written_for),
        cmocka_unit_test(axes_are_those_asked_about),
        cmocka_unit_test(a_call_may_name_a_whole_configuration),
    };

    return cmocka_run_group_tests_name("launches", tests, open_all, close_all);
}
