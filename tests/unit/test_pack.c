/* Parameters as kernels get them: every dtype, every layout, tuples with arrays inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

/* Launches the only kernel of a text with one block. */
static void launch(const char *text, uint32_t threads, const kjit_arg *args, size_t count)
{
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { threads, 1, 1 } };

    expect_ok(kjit_launch(kernel_of(text), &config, args, count));
}

static kjit_arg tuple_of(const kjit_arg *items, size_t count)
{
    return (kjit_arg){ .kind = KJIT_ARG_TUPLE, .as.tuple = { items, count } };
}

static kjit_arg one_of(kjit_dtype dtype)
{
    kjit_arg arg = { .kind = KJIT_ARG_SCALAR, .dtype = dtype };

    if (dtype >= KJIT_DTYPE_COMPLEX64)
        arg.as.complex_parts[0] = 1;
    else if (dtype >= KJIT_DTYPE_FLOAT16)
        arg.as.number = 1;
    else
        arg.as.integer = 1;
    return arg;
}

/* The element between two others becomes 1, and they stay as they were. */
static void every_dtype_arrives(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def store(scalar, out):\n"
                               "    out[1] = scalar\n";
    /* The last bytes of 1: the rest is 0. */
    static const struct {
        kjit_dtype dtype;
        size_t used;
        uint8_t bytes[8];
    } ones[] = {
        { KJIT_DTYPE_FLOAT16, 2, { 0, 0x3c } },
        { KJIT_DTYPE_BFLOAT16, 2, { 0x80, 0x3f } },
        { KJIT_DTYPE_FLOAT32, 4, { 0, 0, 0x80, 0x3f } },
        { KJIT_DTYPE_FLOAT64, 8, { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f } },
        { KJIT_DTYPE_COMPLEX64, 4, { 0, 0, 0x80, 0x3f } },
        { KJIT_DTYPE_COMPLEX128, 8, { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f } },
    };

    (void)state;
    for (int dtype = KJIT_DTYPE_BOOL; dtype <= KJIT_DTYPE_COMPLEX128; dtype++) {
        size_t size = kjit_dtype_bytes((kjit_dtype)dtype);
        uint8_t out[48], wanted[16] = { 1 };
        for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++) {
            if ((int)ones[i].dtype == dtype)
                memcpy(wanted, ones[i].bytes, ones[i].used);
        }
        memset(out, 0xee, sizeof out);
        kjit_array array = kjit_host_array(out, (kjit_dtype)dtype, 1, (int64_t[]){ 3 });
        launch(text, 1, (kjit_arg[]){ one_of((kjit_dtype)dtype), kjit_arg_array(array) }, 2);
        assert_memory_equal(out + size, wanted, size);
        assert_true(out[size - 1] == 0xee && out[2 * size] == 0xee);
    }
}

static void every_layout_is_walked(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def walk(a, b):\n"
                               "    for i in range(a.shape[0]):\n"
                               "        for j in range(a.shape[1]):\n"
                               "            b[i, j] = 10 * a[i, j] + i - j\n";
    int32_t from[12], to[48], five = 5;
    kjit_array columns = { from, KJIT_DTYPE_INT32, 2, 0, { 3, 4 }, { 4, 12 }, NULL },
               backwards = { to + 45, KJIT_DTYPE_INT32, 2, 0, { 3, 4 }, { -64, -16 }, NULL },
               same = { &five, KJIT_DTYPE_INT32, 2, 0, { 3, 4 }, { 0, 0 }, NULL },
               none = { NULL, KJIT_DTYPE_INT32, 2, 0, { 0, 4 }, { 16, 4 }, NULL };
    int touched = 0;

    (void)state;
    for (int i = 0; i < 12; i++)
        from[i] = i;
    memset(to, 0x7f, sizeof to);
    launch(text, 1, (kjit_arg[]){ kjit_arg_array(columns), kjit_arg_array(backwards) }, 2);
    for (int i = 0; i < 12; i++)
        assert_int_equal(to[45 - 16 * (i / 4) - 4 * (i % 4)],
                         10 * (i / 4 + 3 * (i % 4)) + i / 4 - i % 4);
    for (int i = 0; i < 48; i++)
        touched += to[i] != 0x7f7f7f7f;
    assert_int_equal(touched, 12);
    launch(text, 1, (kjit_arg[]){ kjit_arg_array(same), KJIT_ARRAY(to, 3, 4) }, 2);
    assert_int_equal(to[5], 50);
    launch(text, 1, (kjit_arg[]){ kjit_arg_array(none), kjit_arg_array(none) }, 2);
}

/* (double[:] backwards, (float32[:] by twos, 7), True, int16[:, :]) */
static void tuples_hold_arrays(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def spread(t, n):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < n:\n"
                               "        t[1][0][i] = t[0][i] + t[2] + i\n"
                               "        t[3][i, 0] = t[1][1]\n";
    double from[10];
    float to[20] = { 0 };
    int16_t sevens[10][3] = { 0 };
    kjit_array backwards = { from + 9, KJIT_DTYPE_FLOAT64, 1, 0, { 10 }, { -8 }, NULL },
               by_twos = { to, KJIT_DTYPE_FLOAT32, 1, 0, { 10 }, { 8 }, NULL };
    kjit_arg inner[] = { kjit_arg_array(by_twos), kjit_arg_int8(7) };
    kjit_arg outer[] = { kjit_arg_array(backwards), tuple_of(inner, 2), kjit_arg_bool(1),
                         KJIT_ARRAY(&sevens[0][0], 10, 3) };

    (void)state;
    for (int i = 0; i < 10; i++)
        from[i] = i;
    launch(text, 32, (kjit_arg[]){ tuple_of(outer, 4), kjit_arg_int32(10) }, 2);
    for (int i = 0; i < 10; i++) {
        assert_true(to[2 * i] == 10 && to[2 * i + 1] == 0);
        assert_true(sevens[i][0] == 7 && sevens[i][1] == 0);
    }
}

/* Items of 1, 16, 4 and 2 bytes; a tuple of nothing; an array of one element without axes. */
static void tuples_are_aligned_as_structs(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def take(t, nothing, product, single, half):\n"
                               "    product[0] = t[1] * t[0] + len(nothing)\n"
                               "    single[()] = t[2]\n"
                               "    half[0] = t[3]\n";
    double product[2] = { 0 };
    float single = 0;
    uint16_t half = 0;
    int64_t one = 1;
    kjit_arg items[] = { kjit_arg_int8(3), kjit_arg_complex128(1, 2), kjit_arg_float32(2.5f),
                         kjit_arg_float16(1.5f) };
    kjit_arg args[] = {
        tuple_of(items, 4),
        tuple_of(NULL, 0),
        kjit_arg_array(kjit_host_array(product, KJIT_DTYPE_COMPLEX128, 1, &one)),
        kjit_arg_array(kjit_host_array(&single, KJIT_DTYPE_FLOAT32, 0, NULL)),
        kjit_arg_array(kjit_host_array(&half, KJIT_DTYPE_FLOAT16, 1, &one)),
    };

    (void)state;
    launch(text, 1, args, 5);
    assert_true(product[0] == 3 && product[1] == 6 && single == 2.5f);
    assert_int_equal(half, 0x3e00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_arrives),
        cmocka_unit_test(every_layout_is_walked),
        cmocka_unit_test(tuples_hold_arrays),
        cmocka_unit_test(tuples_are_aligned_as_structs),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
