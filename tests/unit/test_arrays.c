/* Arrays of memory that the library hands out, on the processor: what they are made of, what is
** refused, and what becomes of their elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/copies.h"
#include "tests/unit/library.h"
#include "runtime/array/array.h"

static const int64_t shape8[KJIT_RANK_MAX] = { 2, 3, 1, 2, 1, 2, 3, 2 };

static kjit_memory_info usage(void)
{
    kjit_memory_info info = { .size = sizeof info };

    expect_ok(kjit_memory_usage(context, &info));
    return info;
}

static void every_dtype_and_rank_has_arrays(void **state)
{
    (void)state;
    for (int i = KJIT_DTYPE_BOOL; i <= KJIT_DTYPE_TIMEDELTA64; i++) {
        for (int rank = 0; kjit_dtype_bytes((kjit_dtype)i) && rank <= KJIT_RANK_MAX; rank++) {
            kjit_array_options options = { .size = sizeof options, .columns = rank % 2 };
            kjit_array array;
            expect_ok(kjit_array_new(context, (kjit_dtype)i, rank, shape8, &options, &array));
            assert_true(kjit_array_is_contiguous(&array, rank % 2));
            assert_int_equal((uintptr_t)array.data % 64, 0);
            expect_ok(kjit_array_zero(context, NULL, &array));
            for (uint64_t k = 0; k < kjit_array_bytes(&array); k++)
                assert_int_equal(((char *)array.data)[k], 0);
            expect_ok(kjit_array_free(context, &array));
            assert_null(array.data);
        }
    }
}

static void every_kind_of_memory_says_who_may_use_it(void **state)
{
    static const uint32_t flags[] = { KJIT_ON_DEVICE, 0, KJIT_ON_DEVICE | KJIT_ON_HOST,
                                      KJIT_ON_DEVICE | KJIT_ON_HOST };

    (void)state;
    for (int kind = KJIT_MEMORY_DEVICE; kind <= KJIT_MEMORY_MANAGED; kind++) {
        kjit_array_options options = { .size = sizeof options, .memory = (kjit_memory)kind };
        kjit_array array;
        expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, shape8, &options, &array));
        assert_int_equal(array.flags, flags[kind]);
        expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(32), array, array));
        expect_ok(kjit_array_free(context, &array));
    }
}

static void what_is_handed_out_is_counted(void **state)
{
    kjit_memory_info before = usage(), info;
    kjit_array a, b;

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT16, 2, shape8, NULL, &a));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT64, 1, (int64_t[]){ 0 }, NULL, &b));
    assert_non_null(b.data);
    info = usage();
    assert_int_equal(info.arrays, before.arrays + 2);
    assert_int_equal(info.bytes, before.bytes + 12);
    assert_true(info.total >= info.free && info.free > 0);
    expect_ok(kjit_array_free(context, &a));
    expect_ok(kjit_array_free(context, &b));
    info = usage();
    assert_int_equal(info.arrays, before.arrays);
    assert_int_equal(info.bytes, before.bytes);
    expect_ok(kjit_memory_trim(context, 0));
}

static void only_arrays_are_freed_and_once(void **state)
{
    static const kjit_slice tail[] = { KJIT_SPAN(1, KJIT_OMIT) };
    kjit_array array, view, again;

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT32, 1, (int64_t[]){ 9 }, NULL, &array));
    expect_ok(kjit_array_slice(&array, tail, 1, &view));
    again = array;
    expect(kjit_array_free(context, &view), KJIT_ARGUMENT, "not an array of this context");
    expect_ok(kjit_array_free(context, &array));
    expect(kjit_array_free(context, &again), KJIT_ARGUMENT, "or was freed before\nnote: views");
    expect_ok(kjit_array_free(context, &again)); /* which has no data now */
    expect_ok(kjit_array_free(context, NULL));
}

static void arrays_come_and_go_in_the_order_of_a_stream(void **state)
{
    kjit_array_options options = { .size = sizeof options };
    kjit_array array;

    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &options.stream));
    for (int i = 0; i < 100; i++) {
        expect_ok(
            kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 100 }, &options, &array));
        expect_ok(kjit_array_zero(context, options.stream, &array));
        expect_ok(kjit_array_free_on(context, options.stream, &array));
    }
    options.memory = KJIT_MEMORY_PINNED;
    expect(kjit_array_new(context, KJIT_DTYPE_FLOAT64, 0, NULL, &options, &array), KJIT_ARGUMENT,
           "only memory of the device comes in the order of a stream");
    kjit_stream_close(options.stream);
}

static void arrays_that_cannot_be_are_refused(void **state)
{
    kjit_array_options options = { .size = sizeof options, .memory = (kjit_memory)9 };
    kjit_array array;
    int64_t huge[] = { (int64_t)1 << 50 };

    (void)state;
    expect(kjit_array_new(context, KJIT_DTYPE_INT8, 0, NULL, &options, &array), KJIT_ARGUMENT,
           "no kind of memory 9");
    expect(kjit_array_new(context, KJIT_DTYPE_INT8, 9, shape8, NULL, &array), KJIT_ARGUMENT,
           "rank 9");
    expect(kjit_array_new(context, KJIT_DTYPE_NONE, 1, shape8, NULL, &array), KJIT_ARGUMENT,
           "dtype 0");
    expect(kjit_array_new(context, KJIT_DTYPE_RECORD, 1, shape8, NULL, &array), KJIT_ARGUMENT,
           "dtype 255");
    expect(kjit_array_new(context, KJIT_DTYPE_INT8, 1, (int64_t[]){ -1 }, NULL, &array),
           KJIT_ARGUMENT, "-1 elements");
    expect(kjit_array_new(context, KJIT_DTYPE_INT64, 1, huge, NULL, &array), KJIT_MEMORY,
           "8.0 PiB");
    assert_null(array.data);
}

static void copies_go_between_any_two_layouts(void **state)
{
    (void)state;
    copy_at_random(context, 3000);
}

static void copies_that_make_no_sense_are_refused(void **state)
{
    double from[6] = { 0 }, to[6];
    kjit_array a = kjit_host_array(from, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 2, 3 }), b = a, view;

    (void)state;
    b.data = to;
    b.shape[1] = 2;
    expect(kjit_copy(context, &b, &a), KJIT_ARGUMENT,
           "axis 1 has 2 elements in the array to copy to, and 3 in the other");
    b = a;
    b.dtype = KJIT_DTYPE_INT64;
    expect(kjit_copy(context, &b, &a), KJIT_ARGUMENT, "int64, and the other float64");
    b = kjit_host_array(to, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 6 });
    expect(kjit_copy(context, &b, &a), KJIT_ARGUMENT, "1 axes, and the other 2");
    expect_ok(kjit_array_broadcast(&a, 2, (int64_t[]){ 2, 3 }, &view));
    expect(kjit_copy(context, &view, &a), KJIT_ARGUMENT, "read-only");
    expect(kjit_array_zero(context, NULL, &view), KJIT_ARGUMENT, "read-only");
    expect(kjit_copy_to_host(context, &a, &a), KJIT_ARGUMENT, "from a device array to a host");
    b.data = NULL;
    expect(kjit_copy(context, &b, &a), KJIT_ARGUMENT, "the array to copy to has elements but");
}

static void a_device_array_is_copied_in_its_own_order(void **state)
{
    double host[6] = { 0, 1, 2, 3, 4, 5 }, back[6];
    kjit_array array = kjit_host_array(host, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 2, 3 }), device;
    kjit_array there = kjit_host_array(back, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 3, 2 });

    (void)state;
    expect_ok(kjit_array_transpose(&array, NULL, &array));
    expect_ok(kjit_to_device(context, &array, &device));
    assert_true(kjit_array_is_contiguous(&device, 1));
    expect_ok(kjit_copy_to_host(context, &device, &there));
    assert_true(back[1] == 3 && back[4] == 2 && back[5] == 5);
    expect(kjit_to_device(context, &device, &array), KJIT_ARGUMENT, "on a device already");
    expect_ok(kjit_array_free(context, &device));
}

static void elements_are_read_and_written(void **state)
{
    static const int64_t at[] = { -1, 1 };
    kjit_array array;
    kjit_arg value;

    (void)state;
    for (int i = KJIT_DTYPE_BOOL; i <= KJIT_DTYPE_COMPLEX128; i++) {
        expect_ok(kjit_array_new(context, (kjit_dtype)i, 2, (int64_t[]){ 3, 2 }, NULL, &array));
        expect_ok(kjit_array_zero(context, NULL, &array));
        expect_ok(kjit_array_set(context, &array, at, kjit_arg_int32(1)));
        expect_ok(kjit_array_get(context, &array, at, &value));
        assert_int_equal(value.dtype, i);
        assert_true(dtype_is_float(value.dtype) || dtype_is_complex(value.dtype)
                        ? value.as.number == 1
                        : value.as.integer == 1);
        expect_ok(kjit_array_get(context, &array, (int64_t[]){ 2, 0 }, &value));
        assert_true(value.as.integer == 0);
        expect_ok(kjit_array_free(context, &array));
    }
}

static void elements_that_are_not_there_are_refused(void **state)
{
    double number = 2.5;
    kjit_array array = kjit_host_array(&number, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 1 }), records;
    kjit_arg value;

    (void)state;
    expect(kjit_array_get(context, &array, (int64_t[]){ 1 }, &value), KJIT_ARGUMENT,
           "index 1 is outside of axis 0");
    expect(kjit_array_set(context, &array, (int64_t[]){ -2 }, kjit_arg_int32(0)), KJIT_ARGUMENT,
           "index -2 is outside of axis 0");
    expect(kjit_array_set(context, &array, (int64_t[]){ 0 }, kjit_arg_array(array)), KJIT_ARGUMENT,
           "a number");
    records = kjit_record_array(&number, &copies_record, 0, NULL);
    expect(kjit_array_get(context, &records, NULL, &value), KJIT_ARGUMENT, "kjit_array_field()");
    array.flags = KJIT_READONLY;
    expect(kjit_array_set(context, &array, (int64_t[]){ 0 }, kjit_arg_int32(0)), KJIT_ARGUMENT,
           "read-only");
    array.rank = 0;
    expect_ok(kjit_array_get(context, &array, NULL, &value));
    assert_true(value.as.number == 2.5);
}

/* At an odd address, as fields of packed records lie. */
static void elements_of_every_dtype_are_numbers(void **state)
{
    static const struct {
        kjit_dtype dtype;
        uint64_t bits;
        double number;
    } rows[] = {
        { KJIT_DTYPE_BOOL, 2, 1 },
        { KJIT_DTYPE_INT8, 0xfe, -2 },
        { KJIT_DTYPE_INT32, 0xfffffffe, -2 },
        { KJIT_DTYPE_UINT16, 0xfffe, 65534 },
        { KJIT_DTYPE_INT64, UINT64_MAX, -1 },
        { KJIT_DTYPE_TIMEDELTA64_s, 90, 90 },
        { KJIT_DTYPE_FLOAT16, 0xbe00, -1.5 },
        { KJIT_DTYPE_BFLOAT16, 0xbfc0, -1.5 },
        { KJIT_DTYPE_FLOAT8_E4M3, 0xbc, -1.5 },
        { KJIT_DTYPE_FLOAT8_E5M2, 0xbe, -1.5 },
        { KJIT_DTYPE_FLOAT32, 0xbfc00000, -1.5 },
        { KJIT_DTYPE_FLOAT64, 0xbff8000000000000, -1.5 },
        { KJIT_DTYPE_RECORD, UINT64_MAX, 0 },
        { KJIT_DTYPE_NONE, UINT64_MAX, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        char memory[9];
        kjit_arg element;
        memcpy(memory + 1, &rows[i].bits, 8);
        kjit_element(rows[i].dtype, memory + 1, &element);
        assert_int_equal(element.kind, KJIT_ARG_SCALAR);
        assert_int_equal(element.dtype, rows[i].dtype);
        assert_true((dtype_is_float(rows[i].dtype) ? element.as.number
                                                   : (double)element.as.integer) == rows[i].number);
    }
    const float parts[2] = { 1.5f, -2 };
    kjit_arg element;
    kjit_element(KJIT_DTYPE_COMPLEX64, parts, &element);
    assert_true(element.as.complex_parts[0] == 1.5 && element.as.complex_parts[1] == -2);
}

static void pinning_is_nothing_here(void **state)
{
    double numbers[4];
    kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 4 });

    (void)state;
    expect_ok(kjit_pin(context, &array));
    expect_ok(kjit_unpin(context, &array));
    array.flags = KJIT_ON_DEVICE;
    expect(kjit_pin(context, &array), KJIT_ARGUMENT, "on a device");
}

static void zero_reaches_the_elements_alone(void **state)
{
    static const kjit_slice odd[] = { KJIT_STEP(1, KJIT_OMIT, 2) };
    static const kjit_slice back[] = { KJIT_STEP(2, KJIT_OMIT, -1) };
    int32_t numbers[6] = { 1, 2, 3, 4, 5, 6 };
    kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_INT32, 1, (int64_t[]){ 6 }), view;

    (void)state;
    expect_ok(kjit_array_slice(&array, odd, 1, &view));
    expect(kjit_array_zero(context, NULL, &view), KJIT_ARGUMENT, "gaps between its elements");
    expect_ok(kjit_array_slice(&array, back, 1, &view));
    expect_ok(kjit_array_zero(context, NULL, &view));
    assert_true(!numbers[0] && !numbers[1] && !numbers[2] && numbers[3] == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_and_rank_has_arrays),
        cmocka_unit_test(every_kind_of_memory_says_who_may_use_it),
        cmocka_unit_test(what_is_handed_out_is_counted),
        cmocka_unit_test(only_arrays_are_freed_and_once),
        cmocka_unit_test(arrays_come_and_go_in_the_order_of_a_stream),
        cmocka_unit_test(arrays_that_cannot_be_are_refused),
        cmocka_unit_test(copies_go_between_any_two_layouts),
        cmocka_unit_test(copies_that_make_no_sense_are_refused),
        cmocka_unit_test(a_device_array_is_copied_in_its_own_order),
        cmocka_unit_test(elements_are_read_and_written),
        cmocka_unit_test(elements_that_are_not_there_are_refused),
        cmocka_unit_test(elements_of_every_dtype_are_numbers),
        cmocka_unit_test(pinning_is_nothing_here),
        cmocka_unit_test(zero_reaches_the_elements_alone),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
