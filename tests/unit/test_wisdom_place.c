/* Which line of a file of wisdom a new record takes, and that each stays a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/wisdoms.h"

static const uint32_t config[] = { 0, 1, 0 };

static int count_records(void)
{
    int count = 0;

    for (const char *at = wisdom_text(); (at = strstr(at, "\ntuned(")); at++)
        count++;
    return count;
}

/* Adds a record beside one that was edited since it was written. */
static void expect_beside(const char *from, const char *to)
{
    unlink(wisdom_file);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    edit(from, to);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 2));
    if (count_records() != 2 || !strstr(wisdom_text(), to))
        fail_msg("%s: %s", to, wisdom_text());
}

static void what_a_record_is_known_by_makes_it_another(void **state)
{
    char device[256];

    (void)state;
    snprintf(device, sizeof device, "device='%s'", kjit_device_model(context));
    expect_beside(device, "device='Another'");
    expect_beside("arch='x86-64'", "arch='sm_90'");
    expect_beside("objective='time'", "objective='energy'");
    expect_beside("problem=(64,)", "problem=(65,)");
    expect_beside("extents=(64, 64)", "extents=(64, 65)");
    expect_beside("types='scale(float32", "types='scale(float64");
    expect_beside("digest='", "digest='0");
    expect_beside("kernel='scale'", "kernel='scales'");
}

/* Two lines for the same, as a user has copied them, make room for one. */
static void equal_lines_are_replaced_by_one(void **state)
{
    static const uint32_t other[] = { 0, 2, 0 };
    static char twice[1 << 16];

    (void)state;
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    const char *line = strstr(wisdom_text(), "\ntuned(") + 1;
    snprintf(twice, sizeof twice, "%s%s", wisdom_text(), line);
    write_file("scale.wisdom", twice);
    expect_ok(add(scale_of(scale_text, NULL), other, 64, "time", 2));
    assert_int_equal(count_records(), 1);
    expect_tuned(find(scale_of(scale_text, NULL), 64), "exact", "scale.wisdom:3, ",
                 "TILE=1, threads=32, unroll=None");
}

static void what_is_no_part_of_a_line_is_written_as_its_code(void **state)
{
    (void)state;
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "ti\nme\x7f'\\", 1));
    assert_int_equal(count_records(), 1);
    assert_non_null(strstr(wisdom_text(), "objective='ti\\x0ame\\x7f\\'\\\\'"));
    kjit_tuned tuned = find(scale_of(scale_text, NULL), 64);
    assert_null(tuned.complaints);
    assert_string_equal(tuned.objective, "ti\nme\x7f'\\");
    assert_string_equal(tuned.how, "exact");
}

/* What a record sets itself is no part of the text that it is of. */
static void how_the_module_is_loaded_is_part_of_the_text_unless_the_record_says_it(void **state)
{
    static const uint32_t first[] = { 0 };
    static const char plain[] = "T = 4\n"
                                "@tune(T=[8], block='T', problem='x.shape[0]')\n"
                                "@cuda.jit\n"
                                "def scale(x, y):\n"
                                "    y[cuda.grid(1)] = x[cuda.grid(1)] * T\n";
    const kjit_load_options fast = { .size = sizeof fast, .fastmath = 1 };
    static char text[sizeof plain + 32];

    forget_wisdom(state);
    expect_ok(add(scale_of(plain, NULL), first, 64, "time", 1));
    expect_tuned(find(scale_of(plain, NULL), 64), "exact", "", "T=8");
    expect_tuned(find(scale_of(plain, &fast), 64), "constants", "of another text", "T=4");
    forget_wisdom(state);
    const char *at = strstr(plain, "T=[8]");
    snprintf(text, sizeof text, "%.*sfastmath=[True], %s", (int)(at - plain), plain, at);
    static const uint32_t both[] = { 0, 0 };
    expect_ok(add(scale_of(text, NULL), both, 64, "time", 1));
    expect_tuned(find(scale_of(text, NULL), 64), "exact", "", "fastmath=True, T=8");
    expect_tuned(find(scale_of(text, &fast), 64), "exact", "", "fastmath=True, T=8");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget_wisdom)
    const struct CMUnitTest tests[] = {
        TEST(what_a_record_is_known_by_makes_it_another),
        TEST(equal_lines_are_replaced_by_one),
        TEST(what_is_no_part_of_a_line_is_written_as_its_code),
        TEST(how_the_module_is_loaded_is_part_of_the_text_unless_the_record_says_it),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
