/* kjit_space_visit(): what it finds is what asking about each configuration finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { MOST = 4096 /* configurations that are told apart */ };

static float x[MOST];

static kjit_space *space_of(const char *said)
{
    static char text[16384];
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_space *space;

    snprintf(text, sizeof text,
             "a = 1\nb = 1\nc = 1\nd = 1\nhalf = a // 2\nfree = True\n"
             "@tune(%s)\n@cuda.jit\ndef f(x, n):\n"
             "    s = cuda.shared.array(a * c * 64, float32)\n"
             "    s[0] = b + d\n"
             "    x[0] = s[0] + n\n",
             said);
    expect_ok(kjit_load_source(context, text, "f.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, "f", &kernel));
    expect_ok(kjit_space_new(kernel, &space));
    return space;
}

static void fill_args(kjit_arg args[2])
{
    const int64_t count = 1000;

    args[0] = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, &count));
    args[1] = kjit_arg_int64(12);
}

/* Which were found, by their number among all, and how many were not. */
typedef struct Found {
    const kjit_space *space;
    bool allowed[MOST];
    size_t count, most;
    double excluded;
} Found;

static size_t number_of(const kjit_space *space, const uint32_t *config)
{
    size_t number = 0;

    for (size_t i = 0; i < kjit_space_param_count(space); i++)
        number = number * kjit_space_value_count(space, i) + config[i];
    return number;
}

static int note_allowed(void *told, const uint32_t *config, const kjit_launch_config *shape)
{
    Found *found = told;
    size_t number = number_of(found->space, config);

    assert_true(shape->block[0] > 0 && shape->grid[0] > 0);
    assert_true(number >= MOST || !found->allowed[number]);
    if (number < MOST)
        found->allowed[number] = true;
    return ++found->count == found->most;
}

static void note_excluded(void *told, double count, const char *why, int by_device)
{
    Found *found = told;

    assert_true(count >= 1 && *why);
    assert_true(by_device || strstr(why, "does not hold (restrict at f.k:7)"));
    found->excluded += count;
}

static kjit_status visit(kjit_space *space, Found *found)
{
    const kjit_space_visitor visitor = {
        .size = sizeof visitor, .context = found, .allowed = note_allowed, .excluded = note_excluded
    };
    kjit_arg args[2];

    found->space = space;
    fill_args(args);
    return kjit_space_visit(space, args, 2, &visitor);
}

#define VALUES "a=[1, 2, 3, 4, 8, 0], b=[0, 1, -2, 5, 7], c=[1, 2, 64], d=[3, 1, 2, 16], "
#define SHAPE  "block='32 * c', problem='x.size'"

static void it_finds_what_asking_finds(void **state)
{
    static const char *const restrictions[] = {
        "[]",
        "'a'",
        "'a * b * c * d == 8'",
        "'a < b < c'",
        "'not 1 <= a * c <= 8 <= b + d'",
        "'a and d % a == 0 and n % a == b'",
        "['a > 1 or b > 1', 'c == 1 or d == 1 and a != b']",
        "['b // 3 == -1', 'b % 3 == 1', 'half > 0']",
        "'half + b - -d > n // 4'",
        "'a / 2 == d and free'",
        "'a if b > 0 else c == 2'",
        "['b in (1, 5)', 'min(a, d) == 2', 'x.size % 8 == 0']",
        "'False'",
        "['True', '9223372036854775807 + 0 * a > 1']",
        "'(a == 1) + (b == 1) == 1'",
    };

    (void)state;
    for (size_t i = 0; i < sizeof restrictions / sizeof *restrictions; i++) {
        char said[512];
        Found found = { .most = SIZE_MAX };
        uint32_t config[4];
        size_t all = 6 * 5 * 3 * 4, left = 0;
        kjit_arg args[2];
        const char *why;
        snprintf(said, sizeof said, VALUES SHAPE ", restrict=%s", restrictions[i]);
        kjit_space *space = space_of(said);
        fill_args(args);
        expect_ok(visit(space, &found));
        for (size_t k = 0; k < all; k++) {
            config[0] = (uint32_t)(k / 60), config[1] = (uint32_t)(k / 12 % 5);
            config[2] = (uint32_t)(k / 4 % 3), config[3] = (uint32_t)(k % 4);
            expect_ok(kjit_space_allows(space, config, args, 2, &why));
            left += !why;
            if (found.allowed[k] != !why)
                fail_msg("%s: %zu: %s", restrictions[i], k, why ? why : "allowed");
        }
        assert_int_equal(found.count, left);
        assert_true(found.excluded == (double)(all - left));
        kjit_space_close(space);
    }
}

static void it_goes_on_as_long_as_is_wanted(void **state)
{
    Found found = { .most = 3 };
    kjit_space *space = space_of(VALUES SHAPE);

    (void)state;
    expect_ok(visit(space, &found));
    assert_int_equal(found.count, 3);
    kjit_space_close(space);
}

/* More than a thousand million configurations: what excludes them is looked at early. */
static void what_is_excluded_is_not_gone_through(void **state)
{
    enum { VALUES_EACH = 200 };
    static char said[8192];
    size_t used = 0;
    Found found = { .most = SIZE_MAX };

    (void)state;
    for (const char *name = "abcd"; *name; name++) {
        used += (size_t)snprintf(said + used, sizeof said - used, "%c=[", *name);
        for (int i = 0; i < VALUES_EACH; i++)
            used += (size_t)snprintf(said + used, sizeof said - used, "%d, ", i);
        used += (size_t)snprintf(said + used, sizeof said - used, "], ");
    }
    snprintf(said + used, sizeof said - used,
             SHAPE ", restrict='d == 7 and c == 1 and a + b == 3 and a < 2'");
    kjit_space *space = space_of(said);
    expect_ok(visit(space, &found));
    assert_int_equal(found.count, 2);
    assert_true(found.excluded == 200.0 * 200 * 200 * 200 - 2);
    kjit_space_close(space);
}

static void what_cannot_be_computed_is_told_with_its_values(void **state)
{
    Found found = { .most = SIZE_MAX };
    kjit_space *space = space_of("a=[1, 0], b=[3], " SHAPE ", restrict='4 % a == 0'");

    (void)state;
    assert_int_equal(visit(space, &found), KJIT_INVALID);
    assert_non_null(strstr(kjit_error_message(), "f.k:7:"));
    assert_non_null(strstr(kjit_error_message(), "note: that is for a=0, b=3"));
    kjit_space_close(space);
    found = (Found){ .most = SIZE_MAX };
    space = space_of("a=[1, 0], b=[3], " SHAPE ", restrict=['a and 4 % a == 0', 'b // a > 1']");
    expect_ok(visit(space, &found));
    assert_int_equal(found.count, 1);
    kjit_space_close(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_what_asking_finds),
        cmocka_unit_test(it_goes_on_as_long_as_is_wanted),
        cmocka_unit_test(what_is_excluded_is_not_gone_through),
        cmocka_unit_test(what_cannot_be_computed_is_told_with_its_values),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
