/* Records of wisdom that a user has edited, or whose @tune is another now: which are taken, and
** which are complained of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/wisdoms.h"

/* A record with one item of its configuration edited, for a launch of `count` elements. */
static kjit_tuned find_edited(const char *from, const char *to, int64_t count)
{
    static const uint32_t config[] = { 0, 1, 0 };

    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    edit(from, to);
    return find(scale_of(scale_text, NULL), count);
}

static void records_that_contradict_the_source_are_complained_of(void **state)
{
    static const struct {
        const char *from, *to, *what;
    } edits[] = {
        { "TILE=1", "TILE=32", "TILE * threads <= 64 and x.shape[0] % TILE == 0 does not hold" },
        { "TILE=1", "TILE='a'", "'TILE' is a number in the module, and this is a string" },
        { "TILE=1", "TILE=1, tale=3", "there is nothing called 'tale' to set" },
        { "TILE=1, ", "", "the configuration does not say TILE=" },
        { "unroll=None", "unroll=0", "'unroll' cannot be 0" },
        { "threads=8", "threads=nowhere", "there is no value 'nowhere'" },
        { "problem=['x.shape[0]']", "problem=['x.shape[4]']", "" },
    };
    static const char remedy[] = "note: the record of this line is not used; mend it";

    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        forget_wisdom(state);
        kjit_tuned tuned = find_edited(edits[i].from, edits[i].to, 64);
        const char *said = tuned.complaints ? tuned.complaints : "";
        assert_string_equal(tuned.how, "constants");
        if (!strstr(said, "scale.wisdom:3: warning: ") || !strstr(said, edits[i].what) ||
            !strstr(said, remedy))
            fail_msg("%s: %s", edits[i].to, said);
    }
}

static void records_that_do_not_suit_a_launch_are_not_complained_of(void **state)
{
    forget_wisdom(state);
    kjit_tuned tuned = find_edited("TILE=1", "TILE=4", 66); /* 66 % 4: another launch's */
    expect_tuned(tuned, "constants", "scale.wisdom:3 is not taken: ", "TILE=2, threads=4");
    assert_null(tuned.complaints);
    forget_wisdom(state);
    tuned = find_edited("digest='", "digest='0", 64);
    expect_tuned(tuned, "constants", "of another text", "TILE=2, threads=4");
    assert_null(tuned.complaints);
}

static void a_condition_over_a_scalar_is_about_the_launch(void **state)
{
    static const char text[] =
        "T = 4\n"
        "@tune(T=[4, 8], block='T', problem='x.shape[0]', restrict='n % T == 0')\n"
        "@cuda.jit\n"
        "def scale(x, n):\n"
        "    x[cuda.threadIdx.x] = n\n";
    static const uint32_t config[] = { 1 };
    const int64_t count = 64;
    kjit_arg args[2] = { kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, &count)),
                         kjit_arg_int64(16) };
    kjit_kernel *kernel = scale_of(text, NULL);
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_space *space;

    (void)state;
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_wisdom_add(space, config, args, 2, "time", 1, NULL));
    kjit_space_close(space);
    args[1] = kjit_arg_int64(12);
    expect_ok(kjit_tuned_find(kernel, args, 2, &tuned));
    expect_tuned(tuned, "constants", "n % T == 0 does not hold (restrict at ", "T=4");
    assert_null(tuned.complaints);
}

/* As -T may have had them measured, or a user wants them. */
static void values_that_tune_does_not_name_are_taken_and_remarked(void **state)
{
    static const uint32_t config[] = { 0, 0, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_space *space;
    kjit_arg args[2];

    forget_wisdom(state);
    kjit_tuned tuned = find_edited("threads=8", "threads=16", 64);
    expect_tuned(tuned, "exact", "; not among what @tune has to try: threads=16",
                 "TILE=1, threads=16, unroll=None");
    assert_null(tuned.complaints);
    forget_wisdom(state);
    fill_args(args, 64);
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_space_set(space, "only_asked", "[3]"));
    expect_ok(kjit_space_set(space, "restrict", "only_asked == 3"));
    expect_ok(kjit_space_set(space, "threads", "[16]"));
    static const uint32_t asked[] = { 0, 0, 0, 0 };
    expect_ok(kjit_wisdom_add(space, asked, args, 2, "time", 1, NULL));
    kjit_space_close(space);
    tuned = find(scale_of(scale_text, NULL), 64);
    expect_tuned(tuned, "exact", "threads=16", "TILE=1, threads=16, unroll=None");
    assert_null(tuned.complaints);
    forget_wisdom(state);
    expect_ok(add(kernel, config, 64, "time", 1));
    tuned = find(kernel, 64);
    assert_null(strstr(tuned.why, "not among"));
}

/* What the record was measured with is what stands in the source. */
static void a_parameter_that_came_later_has_the_sources_value(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    static char text[sizeof scale_text + 32];

    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    const char *at = strstr(scale_text, "TILE=[");
    snprintf(text, sizeof text, "%.*sother=[7, 8], %s", (int)(at - scale_text), scale_text, at);
    kjit_tuned tuned = find(scale_of(text, NULL), 64);
    expect_tuned(tuned, "exact", "scale.wisdom:3", "TILE=1, threads=8, unroll=None");
    assert_null(tuned.complaints);
}

/* Some lines show what has happened to a file as well as a thousand. */
static void of_many_damaged_lines_some_are_told_and_the_rest_is_counted(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    static char text[1 << 16];
    int told = 0;

    forget_wisdom(state);
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    snprintf(text, sizeof text, "%s", wisdom_text());
    for (int i = 0; i < 12; i++)
        strcat(text, "damaged\n");
    write_file("scale.wisdom", text);
    kjit_tuned tuned = find(scale_of(scale_text, NULL), 64);
    assert_string_equal(tuned.how, "exact");
    assert_non_null(tuned.complaints);
    for (const char *at = tuned.complaints; (at = strstr(at, "a record is written")); at++)
        told++;
    assert_int_equal(told, 8);
    assert_non_null(strstr(tuned.complaints, "scale.wisdom: 4 more lines make no sense"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget_wisdom)
    const struct CMUnitTest tests[] = {
        TEST(records_that_contradict_the_source_are_complained_of),
        TEST(records_that_do_not_suit_a_launch_are_not_complained_of),
        TEST(a_condition_over_a_scalar_is_about_the_launch),
        TEST(values_that_tune_does_not_name_are_taken_and_remarked),
        TEST(a_parameter_that_came_later_has_the_sources_value),
        TEST(of_many_damaged_lines_some_are_told_and_the_rest_is_counted),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
