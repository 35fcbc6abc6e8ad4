/* How arrays lie, what signatures say of arguments, and what becomes of scalars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "tests/unit/library.h"
#include "runtime/array/array.h"

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

    types_init(&types, arena);
    Buf out = buf_in(arena);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_follow_numba),
        cmocka_unit_test(signatures_say_dtype_rank_and_layout),
        cmocka_unit_test(scalars_round_and_wrap),
    };

    return cmocka_run_group_tests_name("layouts and signatures", tests, open_all, close_all);
}
