/* Times: their names, their units, and what is written and read. The numbers are NumPy's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ir/types/types.h"

static void names_name_units(void **state)
{
    static const char *const wrong[] = { "datetime64[]",  "datetime64[x]", "datetime65", "M8[s",
                                         "M8[s]]",        "m8[mss]",       ">M8[s]",     "",
                                         "datetime64 [s]" };

    (void)state;
    assert_ptr_equal(type_time_by_name("datetime64[ns]"), type_time(true, TIME_ns));
    assert_ptr_equal(type_time_by_name("<M8[ns]"), type_time(true, TIME_ns));
    assert_ptr_equal(type_time_by_name("m8[as]"), type_time(false, TIME_as));
    assert_ptr_equal(type_time_by_name("timedelta64"), type_time(false, TIME_NONE));
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++)
        assert_null(type_time_by_name(wrong[i]));
    for (int unit = 0; unit < TIME_UNITS; unit++)
        for (int date = 0; date < 2; date++) {
            const Type *type = type_time(date, (TimeUnit)unit);
            assert_int_equal(time_unit(type), unit);
            assert_ptr_equal(type_time_by_name(type->tuple.names->name), type);
            assert_int_equal(type_size(type), 8);
            assert_int_equal(type_align(type), 8);
        }
}

static void units_hold_one_another(void **state)
{
    (void)state;
    assert_int_equal(time_factor(TIME_Y, TIME_M), 12);
    assert_int_equal(time_factor(TIME_W, TIME_s), 604800);
    assert_int_equal(time_factor(TIME_D, TIME_ns), INT64_C(86400000000000));
    assert_int_equal(time_factor(TIME_s, TIME_as), INT64_C(1000000000000000000));
    assert_int_equal(time_factor(TIME_M, TIME_D), 0);
    assert_int_equal(time_factor(TIME_Y, TIME_W), 0);
    assert_int_equal(time_factor(TIME_ns, TIME_s), 0);
    assert_true(time_castable(false, TIME_Y, TIME_M));
    assert_false(time_castable(false, TIME_M, TIME_D));
    assert_false(time_castable(false, TIME_s, TIME_h));
    assert_true(time_castable(false, TIME_NONE, TIME_D));
    assert_false(time_castable(false, TIME_D, TIME_NONE));
    assert_true(time_castable(true, TIME_M, TIME_D));
    assert_true(time_castable(true, TIME_Y, TIME_W));
    assert_false(time_castable(true, TIME_Y, TIME_as)); /* beyond 64 bits */
    assert_false(time_castable(false, TIME_D, TIME_as));
    assert_int_equal(time_factor(TIME_D, TIME_as), 0);
}

static void text_is_read(void **state)
{
    static const struct {
        const char *text;
        TimeUnit unit, found;
        int64_t count;
    } rows[] = {
        { "2001", TIME_NONE, TIME_Y, 31 },
        { "2001-02", TIME_NONE, TIME_M, 373 },
        { "1969-12-31", TIME_NONE, TIME_D, -1 },
        { "2000-02-29T23", TIME_NONE, TIME_h, 264407 },
        { "2001-12-31 23:59", TIME_NONE, TIME_m, 16830719 },
        { "1970-01-01T00:00:01", TIME_NONE, TIME_s, 1 },
        { "1970-01-01T00:00:01.5", TIME_NONE, TIME_ms, 1500 },
        { "1970-01-01T00:00:00.123456789", TIME_NONE, TIME_ns, 123456789 },
        { "1969-12-31T23:59:59.999", TIME_s, TIME_s, -1 },
        { "1969-07-20", TIME_Y, TIME_Y, -1 },
        { "1969-07-20", TIME_W, TIME_W, -24 },
        { "0000-01-01", TIME_D, TIME_D, -719528 },
        { "-0001-12-31", TIME_D, TIME_D, -719529 },
        { "9999-12-31", TIME_D, TIME_D, 2932896 },
        { "NaT", TIME_s, TIME_s, INT64_MIN },
        { "", TIME_NONE, TIME_NONE, INT64_MIN },
    };
    static const char *const wrong[] = {
        "2001-13", "2001-00",  "2001-02-29",   "1900-02-29",  "2001-01-01T24",       "2001-1-1",
        "now",     "20010101", "2001-01-01T1", "2001-01-01x", "2001-01-01T01:02:03."
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        TimeUnit unit = rows[i].unit;
        int64_t count;
        assert_true(time_parse(rows[i].text, &unit, &count));
        assert_int_equal(unit, rows[i].found);
        if (count != rows[i].count)
            fail_msg("%s: %lld", rows[i].text, (long long)count);
    }
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        TimeUnit unit = TIME_NONE;
        int64_t count;
        if (time_parse(wrong[i], &unit, &count))
            fail_msg("%s is taken for a time", wrong[i]);
    }
    TimeUnit unit = TIME_as;
    int64_t count;
    assert_false(time_parse("2001", &unit, &count)); /* does not fit */
}

/* What is written comes back, on every day of a leap cycle's worth of years and beyond. */
static void text_comes_back(void **state)
{
    char text[TIME_TEXT];
    TimeUnit unit;
    int64_t count;

    (void)state;
    for (int64_t day = -800000; day < 800000; day += 13) {
        for (unit = TIME_D; unit <= TIME_us; unit++) {
            int64_t there = day * time_factor(TIME_D, unit) + day % 7;
            const Type *type = type_time(true, unit);
            if (time_in_unit(there, type, TIME_Y) < -1969 ||
                time_in_unit(there, type, TIME_Y) > 8029)
                continue;
            time_print(text, type, there);
            TimeUnit same = unit;
            assert_true(time_parse(text, &same, &count));
            if (count != there)
                fail_msg("%s is not %lld", text, (long long)there);
        }
    }
    time_print(text, type_time(false, TIME_ms), -5);
    assert_string_equal(text, "-5 ms");
    time_print(text, type_time(true, TIME_ns), INT64_MIN);
    assert_string_equal(text, "NaT");
    time_print(text, type_time(true, TIME_Y), -1971);
    assert_string_equal(text, "-0001");
    time_print(text, type_time(true, TIME_M), 14);
    assert_string_equal(text, "1971-03");
    time_print(text, type_time(true, TIME_h), -1);
    assert_string_equal(text, "1969-12-31T23");
    for (unit = TIME_Y; unit <= TIME_NONE; unit++) {
        time_print(text, type_time(true, unit), INT64_MIN + 1);
        time_print(text, type_time(true, unit), INT64_MAX);
    }
    assert_string_equal(text, "9223372036854775807");
}

static void counts_change_units(void **state)
{
    (void)state;
    const Type *day = type_time(true, TIME_D), *month = type_time(true, TIME_M);
    assert_int_equal(time_in_unit(-1, day, TIME_M), -1);
    assert_int_equal(time_in_unit(59, day, TIME_M), 2);
    assert_int_equal(time_in_unit(58, day, TIME_M), 1);
    assert_int_equal(time_in_unit(-1, day, TIME_Y), -1);
    assert_int_equal(time_in_unit(361, month, TIME_D), 10988);
    assert_int_equal(time_in_unit(-1, month, TIME_s), -31 * 86400);
    assert_int_equal(time_in_unit(-1, type_time(true, TIME_s), TIME_h), -1);
    assert_int_equal(time_in_unit(INT64_MIN, day, TIME_ns), INT64_MIN);
    assert_int_equal(time_in_unit(3, type_time(false, TIME_M), TIME_D), INT64_MIN);
    assert_int_equal(time_in_unit(3, type_time(false, TIME_D), TIME_Y), INT64_MIN);
    assert_int_equal(time_in_unit(3, day, TIME_as), INT64_MIN);
    assert_int_equal(time_in_unit(INT64_MAX, type_time(true, TIME_as), TIME_D), 0);
    assert_int_equal(time_in_unit(-1, type_time(true, TIME_as), TIME_W), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_name_units),    cmocka_unit_test(units_hold_one_another),
        cmocka_unit_test(text_is_read),        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(counts_change_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
