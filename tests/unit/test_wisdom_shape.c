/* Records of wisdom and the shape of launches: the source says how block and grid follow, and a
** record stands in no launch's way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/wisdoms.h"

static const uint32_t config[] = { 0, 1, 0 }; /* TILE=1, threads=8, unroll=None */

/* The text with `to` where `from` stands first. */
static const char *edited(const char *from, const char *to)
{
    static char text[2 * sizeof scale_text];
    const char *at = strstr(scale_text, from);

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scale_text), scale_text, to,
             at + strlen(from));
    return text;
}

static int line_count(void)
{
    int count = 0;

    for (const char *at = wisdom_text(); *at; at++)
        count += *at == '\n';
    return count;
}

/* ---- what @tune says ---------------------------------------------------------------------- */

static void a_record_of_another_shape_is_not_taken(void **state)
{
    static const struct {
        const char *from, *to, *what;
    } edits[] = {
        { "block='threads'", "block='2 * threads'",
          "block=['threads'], and @tune says block=['2 * threads']" },
        { "problem='x.shape[0]'", "problem='x.size'",
          "problem=['x.shape[0]'], and @tune says problem=['x.size']" },
        { "['threads', 'TILE']", "'TILE'", "grid_div_x=['threads', 'TILE'], and @tune says grid" },
        { "grid_div_x=['threads', 'TILE'],", "", "and @tune says none" },
        { "problem=", "grid_div_y=3, problem=", "no grid_div_y=, and @tune says grid_div_y=['3']" },
    };

    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        forget_wisdom(state);
        expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
        kjit_tuned tuned = find(scale_of(edited(edits[i].from, edits[i].to), NULL), 64);
        expect_tuned(tuned, "constants", "scale.wisdom:3 is not taken: it was tuned with ",
                     "TILE=2, threads=4");
        if (!strstr(tuned.why, edits[i].what))
            fail_msg("%s: %s", edits[i].to, tuned.why);
        assert_null(tuned.complaints);
    }
}

static void a_record_of_the_same_shape_written_otherwise_is_taken(void **state)
{
    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    kjit_tuned tuned = find(scale_of(edited("block='threads'", "block=(threads,)"), NULL), 64);
    expect_tuned(tuned, "exact", "scale.wisdom:3", "TILE=1, threads=8, unroll=None");
    assert_int_equal(tuned.shape.grid[0], 8);
}

static void tuning_again_takes_the_place_of_another_shape(void **state)
{
    const char *text = edited("problem='x.shape[0]'", "problem='2 * x.shape[0]'");

    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    expect_ok(add(scale_of(scale_text, NULL), config, 128, "time", 1));
    assert_int_equal(line_count(), 4);
    expect_ok(add(scale_of(text, NULL), config, 64, "time", 2));
    assert_int_equal(line_count(), 4);
    kjit_tuned tuned = find(scale_of(text, NULL), 64);
    expect_tuned(tuned, "exact", "scale.wisdom:3", "TILE=1, threads=8, unroll=None");
    assert_int_equal(tuned.shape.grid[0], 16);
}

/* Both in the file, as an older kjit has left them. */
static void all_records_of_a_place_make_room_for_one(void **state)
{
    static char twice[1 << 16];

    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    const char *text = wisdom_text(), *record = strstr(text, "tuned(");
    snprintf(twice, sizeof twice, "%s# kept\n%s", text, record);
    write_file("scale.wisdom", twice);
    assert_int_equal(line_count(), 5);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 3));
    assert_int_equal(line_count(), 4);
    assert_non_null(strstr(wisdom_text(), "value=3, "));
    assert_non_null(strstr(wisdom_text(), "# kept\n"));
}

static void what_launches_would_not_take_is_not_written(void **state)
{
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_space *space;
    kjit_arg args[2];

    forget_wisdom(state);
    fill_args(args, 64);
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_space_set(space, "block", "16"));
    assert_int_equal(kjit_wisdom_add(space, config, args, 2, "time", 1, NULL), KJIT_UNSUPPORTED);
    assert_non_null(strstr(kjit_error_message(), "block=['16'], and @tune says block=['threads']"));
    kjit_space_close(space);
}

/* ---- what @tune does not say -------------------------------------------------------------- */

static const char plain_text[] = "T = 4\n"
                                 "@cuda.jit\n"
                                 "def scale(x, y):\n"
                                 "    y[cuda.grid(1)] = x[cuda.grid(1)] * T\n";

static void add_plain(kjit_kernel *kernel, const char *problem)
{
    static const uint32_t first[] = { 0 };
    kjit_space *space;
    kjit_arg args[2];

    fill_args(args, 64);
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_space_set(space, "T", "[8]"));
    expect_ok(kjit_space_set(space, "block", "T"));
    expect_ok(kjit_space_set(space, "problem", problem));
    expect_ok(kjit_wisdom_add(space, first, args, 2, "time", 1, NULL));
    kjit_space_close(space);
}

static void a_source_that_says_nothing_leaves_it_to_the_record(void **state)
{
    kjit_kernel *kernel = scale_of(plain_text, NULL);

    forget_wisdom(state);
    add_plain(kernel, "x.size");
    kjit_tuned tuned = find(scale_of(plain_text, NULL), 128);
    expect_tuned(tuned, "nearest", "scale.wisdom:3", "T=8");
    assert_int_equal(tuned.shape.grid[0], 16);
}

static void find_none(const char *text, int64_t count, const char *why, bool complained)
{
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_arg args[2];

    fill_args(args, count);
    kjit_kernel *kernel = scale_of(text, NULL);
    assert_int_equal(kjit_tuned_find(kernel, args, 2, &tuned), KJIT_ARGUMENT); /* no shape at all */
    if (!strstr(tuned.why, why) || !tuned.complaints == complained)
        fail_msg("%s\n%s", tuned.why, tuned.complaints);
}

/* Or three quarters of the elements would be left out without a word. */
static void a_grid_that_is_always_the_same_is_for_its_own_extents(void **state)
{
    forget_wisdom(state);
    add_plain(scale_of(plain_text, NULL), "64");
    expect_tuned(find(scale_of(plain_text, NULL), 64), "exact", "scale.wisdom:3", "T=8");
    find_none(plain_text, 256, "its grid is the same for all extents, and these are others", false);
    edit("problem=['64']", "problem=['8']");
    find_none(plain_text, 64, "its shape= covers something else than its problem=", true);
}

static void a_record_with_too_few_extents_is_told(void **state)
{
    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    edit("extents=(64, 64)", "extents=(64,)");
    kjit_tuned tuned = find(scale_of(scale_text, NULL), 64);
    expect_tuned(tuned, "constants", "extents= has 1 number, and it takes 2", "TILE=2, threads=4");
    assert_non_null(strstr(tuned.complaints, "scale.wisdom:3: warning: extents="));
}

/* ---- what does not compile ---------------------------------------------------------------- */

static float launched(kjit_kernel *kernel)
{
    kjit_arg args[2];

    for (int i = 0; i < 64; i++)
        x[i] = 1;
    fill_args(args, 64);
    expect_ok(kjit_launch_tuned(kernel, NULL, args, 2));
    return y[63];
}

static void a_record_that_does_not_compile_stops_no_launch(void **state)
{
    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    edit("unroll=None", "unroll=None, options='-mno-such'");
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    for (int turn = 0; turn < 2; turn++) {
        kjit_tuned tuned = find(kernel, 64);
        expect_tuned(tuned, "constants", "scale.wisdom:3 is not taken: ", "TILE=2, threads=4");
        assert_non_null(strstr(tuned.complaints, "scale.wisdom:3: warning: "));
        assert_non_null(strstr(tuned.complaints, "'-mno-such'"));
    }
    assert_true(launched(kernel) == 2 + 4 * 1000 + 7 * 100000);
    assert_true(launched(scale_of(scale_text, NULL)) == 2 + 4 * 1000 + 7 * 100000);
}

static void the_next_record_is_taken_instead(void **state)
{
    static const uint32_t other[] = { 0, 0, 1 };

    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    edit("unroll=None", "options='-mno-such'");
    expect_ok(add(scale_of(scale_text, NULL), other, 128, "time", 1));
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_tuned tuned = find(kernel, 64);
    expect_tuned(tuned, "nearest", "scale.wisdom:4", "TILE=1, threads=4, unroll=3");
    assert_non_null(strstr(tuned.why, "; scale.wisdom:3 is not taken: "));
    assert_non_null(strstr(tuned.complaints, "scale.wisdom:3: warning: "));
}

/* ---- the file ----------------------------------------------------------------------------- */

static void texts_keep_what_is_no_part_of_a_line(void **state)
{
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    forget_wisdom(state);
    for (int turn = 0; turn < 2; turn++)
        expect_ok(add(kernel, config, 64, "ti\nme", 1));
    assert_int_equal(line_count(), 3);
    assert_non_null(strstr(wisdom_text(), "objective='ti\\x0ame'"));
    assert_string_equal(find(kernel, 64).objective, "ti\nme");
}

static void a_first_line_says_which_format_it_is(void **state)
{
    static const struct {
        const char *first;
        bool fine;
    } lines[] = { { "# kjit wisdom 1\r\n", true }, { "# kjit wisdom 1 of mine\n", true },
                  { "# kjit wisdom x\n", false },  { "# kjit wisdom -1\n", false },
                  { "# kjit wisdom 1x\n", false }, { "# kjit wisdom 0\n", false },
                  { "# kjit wisdom \n", false },   { "# kjit wisdom\n", false },
                  { "# kjit wisdom 1.5\n", false } };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        forget_wisdom(state);
        write_file("scale.wisdom", lines[i].first);
        kjit_tuned tuned = find(scale_of(scale_text, NULL), 64);
        if (!tuned.complaints != lines[i].fine)
            fail_msg("%s: %s", lines[i].first, tuned.complaints);
    }
    write_file("scale.wisdom", "# kjit wisdom 99999999999999999999\n");
    assert_non_null(strstr(find(scale_of(scale_text, NULL), 64).complaints, "a newer kjit"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget_wisdom)
    const struct CMUnitTest tests[] = {
        TEST(a_record_of_another_shape_is_not_taken),
        TEST(a_record_of_the_same_shape_written_otherwise_is_taken),
        TEST(tuning_again_takes_the_place_of_another_shape),
        TEST(all_records_of_a_place_make_room_for_one),
        TEST(what_launches_would_not_take_is_not_written),
        TEST(a_source_that_says_nothing_leaves_it_to_the_record),
        TEST(a_grid_that_is_always_the_same_is_for_its_own_extents),
        TEST(a_record_with_too_few_extents_is_told),
        TEST(a_record_that_does_not_compile_stops_no_launch),
        TEST(the_next_record_is_taken_instead),
        TEST(texts_keep_what_is_no_part_of_a_line),
        TEST(a_first_line_says_which_format_it_is),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
