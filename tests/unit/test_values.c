/* Value expressions: what they give, what is wrong with them, how long they live. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "tests/unit/library.h"
#include "runtime/array/array.h"

/* Expressions, with n = 1000, that give a scalar, its dtype, and it as float64. */
static const struct {
    const char *text;
    kjit_dtype dtype;
    double number;
} scalars[] = {
    { "4", KJIT_DTYPE_INT64, 4 },
    { "-4", KJIT_DTYPE_INT64, -4 },
    { "4.5", KJIT_DTYPE_FLOAT64, 4.5 },
    { "True", KJIT_DTYPE_BOOL, 1 },
    { "float32(-4)", KJIT_DTYPE_FLOAT32, -4 },
    { "np.float32(1)/3", KJIT_DTYPE_FLOAT32, 1.0F / 3 },
    { "np.finfo(np.bfloat16).eps", KJIT_DTYPE_BFLOAT16, 0x1p-7 },
    { "np.finfo(np.complex64).tiny", KJIT_DTYPE_FLOAT32, 0x1p-126 },
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
    { "len(array(5).shape)", KJIT_DTYPE_INT64, 0 },
    { "array(object=float32(5)).reshape(1)[0]", KJIT_DTYPE_FLOAT32, 5 },
    { "array(5, int8).reshape(1)[0]", KJIT_DTYPE_INT8, 5 },
    { "ones(2, dtype=[('x', 'f4'), ('y', int8)])['x'][1]", KJIT_DTYPE_FLOAT32, 1 },
    { "n * 2", KJIT_DTYPE_INT64, 2000 },
    { "normal(n).size", KJIT_DTYPE_INT64, 1000 },
    { "float32(1).dtype(3)", KJIT_DTYPE_FLOAT32, 3 },
    { "(int8(1) + int8(1)).dtype(200)", KJIT_DTYPE_INT8, -56 },
    { "(ones(1, dtype=int8).dtype(1) * float32(1)).dtype()", KJIT_DTYPE_FLOAT32, 0 },
    { "math.floor(math.sqrt(17))", KJIT_DTYPE_INT64, 4 },
    { "np.floor(math.sqrt(17))", KJIT_DTYPE_FLOAT64, 4 },
    { "ceil(2.1) + trunc(-2.9)", KJIT_DTYPE_INT64, 1 },
    { "min(3, 2.5, 7)", KJIT_DTYPE_FLOAT64, 2.5 },
    { "max((1, float32(4), 2))", KJIT_DTYPE_FLOAT32, 4 },
    /* They are one float64. */
    { "max(9007199254740993, 9007199254740992) - 9007199254740992", KJIT_DTYPE_INT64, 1 },
    { "min(9007199254740993, 9007199254740992) - 9007199254740992", KJIT_DTYPE_INT64, 0 },
    { "abs(-3) + abs(True)", KJIT_DTYPE_INT64, 4 },
    { "abs(int8(-3))", KJIT_DTYPE_INT8, 3 },
    { "abs(3 - 4j)", KJIT_DTYPE_FLOAT64, 5 },
    { "round(2.5) + round(3.5)", KJIT_DTYPE_INT64, 6 },
    { "round(2.675, 2)", KJIT_DTYPE_FLOAT64, 2.67 },
    { "pow(2, 10)", KJIT_DTYPE_INT64, 1024 },
    { "math.pow(2, 10)", KJIT_DTYPE_FLOAT64, 1024 },
    { "divmod(-7, 2)[0] * 10 + divmod(-7, 2)[1]", KJIT_DTYPE_INT64, -39 },
    { "math.log(8, 2)", KJIT_DTYPE_FLOAT64, 3 },
    { "log2(n - 1000 + 8) + hypot(3, 4)", KJIT_DTYPE_FLOAT64, 8 },
    { "cuda.warpsize", KJIT_DTYPE_INT64, 32 },
    { "uint64(18446744073709551615) >> 63", KJIT_DTYPE_UINT64, 1 },
    { "ones(5)[::2].sum()", KJIT_DTYPE_FLOAT64, 3 },
    { "(2 * arange(4) + 1)[3]", KJIT_DTYPE_INT64, 7 },
    { "zeros_like(arange(3, dtype=int8))[1]", KJIT_DTYPE_INT8, 0 },
    { "np.sqrt(full(3, 16.0))[2]", KJIT_DTYPE_FLOAT64, 4 },
    { "sum([i * i for i in range(4)])", KJIT_DTYPE_INT64, 14 },
    { "(lambda x: x + 1)(2)", KJIT_DTYPE_INT64, 3 },
    { "len(f'{n}')", KJIT_DTYPE_INT64, 4 },
    { "abs(complex64(3, -4) * 1j)", KJIT_DTYPE_FLOAT32, 5 },
};

static void values_are_what_they_say(void **state)
{
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "n", "1000", NULL));
    for (size_t i = 0; i < ARRAY_COUNT(scalars); i++) {
        if (kjit_values_set(values, "v", scalars[i].text, NULL) != KJIT_OK)
            fail_msg("%s: %s", scalars[i].text, kjit_error_message());
        const kjit_arg *v = kjit_values_get(values, "v");
        kjit_arg number = scalar_cast(v, KJIT_DTYPE_FLOAT64);
        if (v->kind != KJIT_ARG_SCALAR || v->dtype != scalars[i].dtype ||
            number.as.number != scalars[i].number)
            fail_msg("%s: %s %g", scalars[i].text, kjit_dtype_name(v->dtype), number.as.number);
    }
    assert_string_equal(kjit_values_name_at(values, 1), "v");
    assert_null(kjit_values_name_at(values, 2));
    kjit_values_close(values);
}

/* Lists of two numbers, against numpy.array(list).dtype of NumPy 2. */
static void lists_have_the_dtype_that_numpy_gives_them(void **state)
{
    static const char *const names[] = { "bool_",   "int8",    "int16",     "int32",     "int64",
                                         "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                         "float32", "float64", "complex64", "complex128" };
    /* Their places in `names`, from a; a row for each first number. */
    static const char *const results[] = {
        "abcdefghijklmn", "bbcdecdeljklmn", "cccdecdelkklmn", "ddddeddellllnn", "eeeeeeeellllnn",
        "fccdefghijklmn", "gdddegghikklmn", "heeeehhhilllnn", "illlliiiilllnn", "jjklljklljklmn",
        "kkkllkkllkklmn", "llllllllllllnn", "mmmnnmmnnmmnmn", "nnnnnnnnnnnnnn",
    };
    kjit_values *values;
    char text[80];

    (void)state;
    expect_ok(kjit_values_new(&values));
    for (size_t i = 0; i < ARRAY_COUNT(names) * ARRAY_COUNT(names); i++) {
        const char *a = names[i / ARRAY_COUNT(names)], *b = names[i % ARRAY_COUNT(names)];
        const char *want = names[results[i / ARRAY_COUNT(names)][i % ARRAY_COUNT(names)] - 'a'];
        snprintf(text, sizeof text, "[%s(1), %s(1)]", a, b);
        expect_ok(kjit_values_set(values, "v", text, NULL));
        const char *got = kjit_dtype_name(kjit_values_get(values, "v")->as.array.dtype);
        if (strncmp(got, want, strlen(got)) != 0)
            fail_msg("%s: %s, and not %s", text, got, want);
    }
    kjit_values_close(values);
}

static void wrong_values_are_pointed_at(void **state)
{
    static const struct {
        const char *text, *part;
        kjit_status status;
    } rows[] = {
        { "zeroes(4)", "did you mean 'zeros'", KJIT_ARGUMENT },
        { "zeros", "not builtin_function_or_method; write () behind it", KJIT_ARGUMENT },
        { "zeros(4, dtype=flaot32)", "no value 'flaot32'; did you mean 'float32'?", KJIT_ARGUMENT },
        { "1 +", "<v>:1:", KJIT_ARGUMENT },
        { "m", "there is no value 'm'", KJIT_ARGUMENT },
        { "nothing_near(3)", "docs/values.md", KJIT_ARGUMENT },
        { "zeros(3).summ()", "has no attribute 'summ'", KJIT_ARGUMENT },
        { "zeros(-1)", "negative dimensions are not allowed", KJIT_ARGUMENT },
        { "zeros(1.5)", "cannot be interpreted as an integer", KJIT_ARGUMENT },
        { "zeros(10**13)", "TiB", KJIT_MEMORY },
        { "zeros((2**40, 2**40))", " the array is larger than any memory", KJIT_MEMORY },
        { "zeros(2, dtype=[1])", "a field is written", KJIT_ARGUMENT },
        { "array(float32)", "made of numbers", KJIT_ARGUMENT },
        { "1 // 0", "integer division or modulo by zero", KJIT_ARGUMENT },
        { "10 ** 20", "beyond 64 bits", KJIT_ARGUMENT },
        { "1 << 64", "beyond 64 bits", KJIT_ARGUMENT },
        { "1 << -1", "negative shift count", KJIT_ARGUMENT },
        { "-9223372036854775808 - 1", "beyond 64 bits", KJIT_ARGUMENT },
        { "[1 << 64]", "64 bits", KJIT_ARGUMENT },
        { "zeros(3)[5]", "index 5 is out of bounds for axis 0 with size 3", KJIT_ARGUMENT },
        { "zeros(3)[::0]", "step", KJIT_ARGUMENT },
        { "zeros(3, 4, 5, 6)", "at most 3 arguments, got 4", KJIT_ARGUMENT },
        { "zeros(3, shape=4)", "given by its name and its place", KJIT_ARGUMENT },
        { "zeros(3, dtyp=4)", "'dtyp' is an invalid keyword", KJIT_ARGUMENT },
        { "zeros()", "missing required argument 'shape'", KJIT_ARGUMENT },
        { "load('nope.npy')", "there is no file", KJIT_FILE },
        { "nope.npz", "there is no file", KJIT_FILE },
        { "'text'", "a string is no argument of a kernel: pass", KJIT_ARGUMENT },
        { "float32", "this is a type: pass a value of it", KJIT_ARGUMENT },
        { "lambda x: x", "arrays and tuples of such, not function", KJIT_ARGUMENT },
        { "1 if zeros(3) else 2", "is ambiguous", KJIT_ARGUMENT },
        { "floor(inf)", "infinity to integer", KJIT_ARGUMENT },
        { "1 in 4", "not iterable", KJIT_ARGUMENT },
        { "zeros(3) + ones(4)", "could not be broadcast", KJIT_ARGUMENT },
        { "arange(0, 1, 0)", "no end", KJIT_ARGUMENT },
        { "arange(6).reshape(4)", "cannot reshape array of size 6 into shape (4,)", KJIT_ARGUMENT },
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

/* The generator once more, one number after the other. */
static uint64_t next_bits(uint64_t words[2])
{
    uint64_t bits = words[0] + words[1], s1 = words[0] ^ words[1], s0 = words[0];

    words[0] = (s0 << 24 | s0 >> 40) ^ s1 ^ s1 << 16;
    words[1] = s1 << 37 | s1 >> 27;
    return bits;
}

static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* So many that they are drawn in parts. */
static void large_arrays_hold_the_stream_in_order(void **state)
{
    enum { COUNT = 300001 };
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t words[2] = { mixed(7 + golden), mixed(7 + 2 * golden) };
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "u", "uniform(300001, seed=7)", NULL));
    expect_ok(kjit_values_set(values, "n", "normal(300001, seed=7)", NULL));
    expect_ok(kjit_values_set(values, "r", "randint(-5, 1000, 300001, seed=7, dtype=int32)", NULL));
    const double *u = kjit_values_get(values, "u")->as.array.data;
    const double *n = kjit_values_get(values, "n")->as.array.data;
    const int32_t *r = kjit_values_get(values, "r")->as.array.data;
    for (int i = 0; i < COUNT; i++) {
        uint64_t bits = next_bits(words);
        assert_true(u[i] == (double)(bits >> 11) * 0x1p-53);
        assert_int_equal(r[i], (int32_t)((unsigned __int128)bits * 1005 >> 64) - 5);
    }
    for (int i = 0; i + 1 < COUNT; i += 2) {
        double radius = sqrt(-2 * log(1 - u[i])), angle = 6.283185307179586477 * u[i + 1];
        assert_true(fabs(n[i] - radius * cos(angle)) < 1e-12);
        assert_true(fabs(n[i + 1] - radius * sin(angle)) < 1e-12);
    }
    kjit_values_close(values);
}

static void large_lines_are_straight(void **state)
{
    enum { COUNT = 200001 };
    kjit_values *values;

    (void)state;
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_set(values, "a", "arange(3, 600006, 3)", NULL));
    expect_ok(kjit_values_set(values, "f", "arange(0.5, 200001, 1)", NULL));
    expect_ok(kjit_values_set(values, "l", "linspace(0, 0.7, 200001)", NULL));
    const int64_t *a = kjit_values_get(values, "a")->as.array.data;
    const double *f = kjit_values_get(values, "f")->as.array.data;
    const double *l = kjit_values_get(values, "l")->as.array.data;
    assert_int_equal(kjit_values_get(values, "a")->as.array.shape[0], COUNT);
    assert_int_equal(kjit_values_get(values, "f")->as.array.shape[0], COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(a[i], 3 + 3 * i);
        assert_true(f[i] == 0.5 + i);
        assert_true(l[i] == (i == COUNT - 1 ? 0.7 : i * (0.7 / (COUNT - 1))));
    }
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

static void texts_see_the_constants_of_a_module(void **state)
{
    static const char text[] = "SIZE = 4\n"
                               "real = float32\n"
                               "pair = np.dtype([('x', np.float32), ('y', np.int32)])\n"
                               "@cuda.jit\n"
                               "def k(x):\n"
                               "    x[0] = 1\n";
    const kjit_define define = { "SIZE", "5" };
    const kjit_load_options options = { .size = sizeof options,
                                        .defines = &define,
                                        .define_count = 1 };
    kjit_module *module, *defined;
    kjit_values *values;

    (void)state;
    expect_ok(kjit_load_source(context, text, "constants.k", NULL, &module));
    expect_ok(kjit_load_source(context, text, "constants.k", &options, &defined));
    expect_ok(kjit_values_new(&values));
    expect(kjit_values_set(values, "a", "zeros(SIZE)", NULL), KJIT_ARGUMENT, "no value 'SIZE'");
    kjit_values_constants(values, module);
    expect_ok(kjit_values_set(values, "a", "zeros(SIZE, dtype=pair)", NULL));
    assert_int_equal(kjit_values_get(values, "a")->as.array.shape[0], 4);
    assert_int_equal(kjit_array_itemsize(&kjit_values_get(values, "a")->as.array), 8);
    expect_ok(kjit_values_set(values, "b", "real(1)", NULL));
    assert_int_equal(kjit_values_get(values, "b")->dtype, KJIT_DTYPE_FLOAT32);
    expect(kjit_values_set(values, "c", "SIZE(1)", NULL), KJIT_ARGUMENT, "not callable");
    expect(kjit_values_set(values, "c", "pair(1)", NULL), KJIT_ARGUMENT, "zeros(n, dtype=...)");
    kjit_values_constants(values, defined);
    expect_ok(kjit_values_set(values, "a", "zeros(SIZE)", NULL));
    assert_int_equal(kjit_values_get(values, "a")->as.array.shape[0], 5);
    expect_ok(kjit_values_set(values, "SIZE", "6", NULL));
    expect_ok(kjit_values_set(values, "a", "zeros(SIZE)", NULL));
    assert_int_equal(kjit_values_get(values, "a")->as.array.shape[0], 6);
    kjit_values_close(values);
    kjit_close_module(module);
    kjit_close_module(defined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_what_they_say),
        cmocka_unit_test(lists_have_the_dtype_that_numpy_gives_them),
        cmocka_unit_test(wrong_values_are_pointed_at),
        cmocka_unit_test(views_keep_their_memory_alive),
        cmocka_unit_test(random_numbers_do_not_depend_on_the_dtype),
        cmocka_unit_test(large_arrays_hold_the_stream_in_order),
        cmocka_unit_test(large_lines_are_straight),
        cmocka_unit_test(examples_see_constants_and_what_was_set),
        cmocka_unit_test(texts_see_the_constants_of_a_module),
    };

    return cmocka_run_group_tests_name("values", tests, open_all, close_all);
}
