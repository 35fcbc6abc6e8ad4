/* Launches that are timed, and the copies of arguments that they work on, on the processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/measure/clock.h"
#include "cli/measure/load.h"
#include "cli/measure/measure.h"
#include "tests/unit/library.h"

enum { ELEMENTS = 1000 };

static const char count_text[] = "@cuda.jit\n"
                                 "def count(x):\n"
                                 "    i = cuda.grid(1)\n"
                                 "    if i < x.size:\n"
                                 "        x[i] += 1\n";
static const char fill_text[] = "@cuda.jit\n"
                                "def fill(x):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < x.size:\n"
                                "        x[i] = 3\n";
static const char pair_text[] = "@cuda.jit\n"
                                "def pair(t, y):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < y.size:\n"
                                "        t[0][i] = t[1] + y[i]\n";

/* In place of the machine's own accounts: so many seconds of ten were waited, in turns. */
static double waits[8];
static size_t readings, waits_count;

void __wrap_load_read(Load *load);
double __wrap_clock_of_launches(void);

/* A millisecond passes from look to look. */
double __wrap_clock_of_launches(void)
{
    static int looks;

    return ++looks / 1e3;
}

void __wrap_load_read(Load *load)
{
    size_t pair = readings / 2, end = readings % 2;

    readings++;
    *load = (Load){ .processors = 1 };
    if (!end)
        return;
    load->wall = load->processor = 10;
    load->waited = pair < waits_count ? waits[pair] : 0;
}

static void expect_waits(size_t count, const double list[])
{
    readings = 0;
    waits_count = count;
    for (size_t i = 0; i < count; i++)
        waits[i] = list[i];
}

static int32_t numbers[ELEMENTS];
static const kjit_launch_config config = { .size = sizeof config,
                                           .grid = { 8, 1, 1 },
                                           .block = { 128, 1, 1 } };

static kjit_array array_of(int32_t *data, int64_t count)
{
    return kjit_host_array(data, KJIT_DTYPE_INT32, 1, &count);
}

static void fill_numbers(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = i;
}

/* ---- copies --------------------------------------------------------------------------------- */

static void copies_share_memory_where_the_arguments_did(void **state)
{
    const kjit_slice back[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -2) };
    const kjit_slice part[] = { KJIT_SPAN(10, 20) };
    kjit_array whole = array_of(numbers, ELEMENTS), backwards, some;
    int32_t other[4] = { 1, 2, 3, 4 };
    DeviceArgs *copies;

    (void)state;
    fill_numbers();
    expect_ok(kjit_array_slice(&whole, back, 1, &backwards));
    expect_ok(kjit_array_slice(&whole, part, 1, &some));
    const kjit_arg items[] = { kjit_arg_array(some), kjit_arg_int64(7) };
    const kjit_arg args[] = { kjit_arg_array(backwards), kjit_arg_tuple(items, 2),
                              kjit_arg_array(array_of(other, 4)),
                              kjit_arg_array(array_of(NULL, 0)) };
    expect_ok(device_args_new(context, args, 4, &copies));
    const kjit_arg *list = device_args_list(copies);
    const kjit_array *moved = &list[0].as.array, *inner = &list[1].as.tuple.items[0].as.array;
    assert_int_equal(moved->strides[0], -8);
    assert_true(moved->flags & KJIT_ON_DEVICE);
    assert_ptr_not_equal(moved->data, backwards.data);
    assert_int_equal((char *)moved->data - (char *)inner->data,
                     (char *)backwards.data - (char *)some.data);
    assert_int_equal((uintptr_t)inner->data % 64, (uintptr_t)some.data % 64);
    assert_int_equal(((int32_t *)inner->data)[3], 13);
    assert_int_equal(((int32_t *)list[2].as.array.data)[3], 4);
    assert_int_equal(list[1].as.tuple.items[1].as.integer, 7);
    device_args_free(copies);
}

static void copies_are_restored(void **state)
{
    int32_t other[4] = { 1, 2, 3, 4 };
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)),
                              kjit_arg_array(array_of(other, 4)) };
    const uint32_t second[] = { 0, 1 };
    DeviceArgs *copies;

    (void)state;
    fill_numbers();
    expect_ok(device_args_new(context, args, 2, &copies));
    int32_t *x = device_args_list(copies)[0].as.array.data;
    int32_t *y = device_args_list(copies)[1].as.array.data;
    x[5] = y[1] = -1;
    assert_int_equal(numbers[5], 5);
    expect_ok(device_args_restore(copies, NULL, second));
    assert_int_equal(x[5], -1);
    assert_int_equal(y[1], 2);
    expect_ok(device_args_restore(copies, NULL, NULL));
    assert_int_equal(x[5], 5);
    device_args_free(copies);
    device_args_free(NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static void check_timing(const Timing *timing, size_t count)
{
    assert_int_equal(timing->count, count);
    assert_false(timing->gave_up);
    assert_true(timing->least <= timing->low && timing->low <= timing->median &&
                timing->median <= timing->high);
    for (size_t i = 0; i < count; i++)
        assert_true(timing->ms[i] > 0);
}

static void as_many_samples_are_taken_as_are_wanted(void **state)
{
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions alone = { .least = 7, .most = 7, .alone = true };
    const MeasureOptions batches = { .least = 3, .most = 3 };
    kjit_kernel *kernel = kernel_with(count_text, NULL);
    DeviceArgs *copies;
    Timing timing;

    (void)state;
    fill_numbers();
    expect_ok(device_args_new(context, args, 1, &copies));
    const int32_t *x = device_args_list(copies)[0].as.array.data;
    expect_ok(
        measure_launches(context, kernel, &config, device_args_list(copies), 1, &alone, &timing));
    check_timing(&timing, 7);
    assert_int_equal(timing.batch, 1);
    assert_int_equal(x[10], 10 + 8); /* and one to warm up */
    timing_free(&timing);
    expect_ok(
        measure_launches(context, kernel, &config, device_args_list(copies), 1, &batches, &timing));
    check_timing(&timing, 3);
    assert_int_equal(x[10], 10 + 8 + 1 + 3 * (int)timing.batch);
    timing_free(&timing);
    assert_int_equal(numbers[10], 10);
    device_args_free(copies);
}

static void what_is_read_and_written_comes_back(void **state)
{
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    MeasureOptions options = { .least = 4, .most = 4, .cold = true };
    DeviceArgs *copies;
    Timing timing;

    (void)state;
    fill_numbers();
    expect_ok(device_args_new(context, args, 1, &copies));
    options.restore = copies;
    const int32_t *x = device_args_list(copies)[0].as.array.data;
    expect_ok(measure_launches(context, kernel_with(count_text, NULL), &config,
                               device_args_list(copies), 1, &options, &timing));
    check_timing(&timing, 4);
    assert_int_equal(timing.batch, 1);
    assert_int_equal(x[10], 11);
    timing_free(&timing);
    /* and what is only written does not keep launches apart */
    options.cold = false;
    expect_ok(measure_launches(context, kernel_with(fill_text, NULL), &config,
                               device_args_list(copies), 1, &options, &timing));
    assert_int_equal(x[10], 3);
    timing_free(&timing);
    device_args_free(copies);
}

static void tuples_are_launched_with(void **state)
{
    int32_t sums[ELEMENTS];
    const kjit_arg items[] = { kjit_arg_array(array_of(sums, ELEMENTS)), kjit_arg_int64(7) };
    const kjit_arg args[] = { kjit_arg_tuple(items, 2),
                              kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions options = { .least = 2, .most = 2 };
    DeviceArgs *copies;
    Timing timing;

    (void)state;
    fill_numbers();
    expect_ok(device_args_new(context, args, 2, &copies));
    expect_ok(measure_launches(context, kernel_with(pair_text, NULL), &config,
                               device_args_list(copies), 2, &options, &timing));
    const int32_t *out = device_args_list(copies)[0].as.tuple.items[0].as.array.data;
    assert_int_equal(out[20], 27);
    timing_free(&timing);
    device_args_free(copies);
}

static void what_is_hopeless_is_given_up(void **state)
{
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions options = { .least = 1000000, .stop_above_ms = 1e-9 };
    DeviceArgs *copies;
    Timing timing;

    (void)state;
    expect_ok(device_args_new(context, args, 1, &copies));
    expect_ok(measure_launches(context, kernel_with(count_text, NULL), &config,
                               device_args_list(copies), 1, &options, &timing));
    assert_true(timing.gave_up);
    assert_in_range(timing.count, 3, options.least - 1);
    timing_free(&timing);
    device_args_free(copies);
}

/* Samples that others disturbed are taken again, up to three times, and nothing is given up. */
static void what_is_disturbed_is_taken_again(void **state)
{
    static const double list[] = { 5, 0 }, all[] = { 5, 4, 3, 2 };
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions four = { .least = 4, .most = 4, .alone = true },
                         once = { .least = 4, .most = 4, .once = true },
                         hopeless = { .least = 40, .stop_above_ms = 1e-9, .alone = true };
    const struct {
        const MeasureOptions *options;
        const double *waits;
        size_t waits_count, count;
        int tries;
        const char *disturbed;
    } rows[] = {
        { &four, list, 0, 4, 1, "" },
        { &four, list, 2, 4, 2, "" },
        { &four, all, 4, 4, 3, "its threads waited for a processor 30 % of the time" },
        { &once, all, 4, 4, 1, "its threads waited for a processor 50 % of the time" },
        { &hopeless, list, 2, 40, 2, "" },
        { &hopeless, all, 4, 40, 3, "its threads waited for a processor 30 % of the time" },
    };
    Timing timing;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_waits(rows[i].waits_count, rows[i].waits);
        expect_ok(measure_launches(context, kernel_with(count_text, NULL), &config, args, 1,
                                   rows[i].options, &timing));
        assert_int_equal(timing.count, rows[i].count);
        assert_int_equal(timing.tries, rows[i].tries);
        assert_string_equal(timing.disturbed, rows[i].disturbed);
        assert_false(timing.gave_up);
        timing_free(&timing);
    }
    expect_waits(0, NULL);
}

static void a_launch_that_fails_is_told(void **state)
{
    kjit_launch_config wrong = config;
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions options = { .least = 3 };
    Timing timing;

    (void)state;
    wrong.block[0] = 5000;
    expect(measure_launches(context, kernel_with(count_text, NULL), &wrong, args, 1, &options,
                            &timing),
           KJIT_ARGUMENT, "5000");
    assert_int_equal(timing.count, 0);
    timing_free(&timing);
}

static void a_narrow_interval_ends_it(void **state)
{
    const kjit_arg args[] = { kjit_arg_array(array_of(numbers, ELEMENTS)) };
    const MeasureOptions options = { .least = 6, .narrow = 1e9 };
    Timing timing;

    (void)state;
    expect_ok(measure_launches(context, kernel_with(count_text, NULL), &config, args, 1, &options,
                               &timing));
    assert_in_range(timing.count, 6, 20);
    timing_free(&timing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_share_memory_where_the_arguments_did),
        cmocka_unit_test(copies_are_restored),
        cmocka_unit_test(as_many_samples_are_taken_as_are_wanted),
        cmocka_unit_test(what_is_read_and_written_comes_back),
        cmocka_unit_test(tuples_are_launched_with),
        cmocka_unit_test(what_is_hopeless_is_given_up),
        cmocka_unit_test(what_is_disturbed_is_taken_again),
        cmocka_unit_test(a_launch_that_fails_is_told),
        cmocka_unit_test(a_narrow_interval_ends_it),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
