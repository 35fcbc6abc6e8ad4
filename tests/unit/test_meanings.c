/* What names mean where they stand: kjit_meanings(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/library.h"

static char told[4096];

/* "LINE:COLUMN-END WHAT <- LINE:COLUMN" of each. */
static void tell(void *unused, const kjit_meaning *one)
{
    size_t length = strlen(told);

    (void)unused;
    length += (size_t)snprintf(told + length, sizeof told - length, "%u:%u-%u %s", one->line,
                               one->column, one->end_column, one->what);
    if (one->made_file)
        snprintf(told + length, sizeof told - length, " <- %u:%u\n", one->made_line,
                 one->made_column);
    else
        snprintf(told + length, sizeof told - length, "\n");
}

static void ask(const char *text, kjit_status status, const char *complaint)
{
    float x[4] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(x, 4) };

    told[0] = '\0';
    kjit_status given = kjit_meanings(kernel_of(text), args, 1, tell, NULL);
    if (complaint)
        expect(given, status, complaint);
    else
        expect_ok(given);
}

/* A device function that is called with two types is told of twice; a name of a loop has the type
** that it ends up with, not those of passes before. */
static void names_have_types_and_places(void **state)
{
    (void)state;
    ask("from numba import cuda\n"
        "N = 2\n"
        "def same(v):\n"
        "    return v\n"
        "@cuda.jit\n"
        "def k(x):\n"
        "    s = 0\n"
        "    for i in range(N):\n"
        "        s += x[i]\n"
        "    x[0] = same(s) + same(i)\n",
        KJIT_OK, NULL);
    assert_string_equal(told, "3:10-11 float64 <- 3:10\n"
                              "3:10-11 int64 <- 3:10\n"
                              "4:12-13 float64 <- 3:10\n"
                              "4:12-13 int64 <- 3:10\n"
                              "6:7-8 float32[::1] <- 6:7\n"
                              "7:5-6 int64 <- 7:5\n"
                              "8:9-10 int64 <- 8:9\n"
                              "8:14-19 the function range\n"
                              "8:20-21 int64 = 2 <- 2:1\n"
                              "9:9-10 float64 <- 7:5\n"
                              "9:14-15 float32[::1] <- 6:7\n"
                              "9:16-17 int64 <- 8:9\n"
                              "10:5-6 float32[::1] <- 6:7\n"
                              "10:12-16 the function same <- 3:5\n"
                              "10:17-18 float64 <- 7:5\n"
                              "10:22-26 the function same <- 3:5\n"
                              "10:27-28 int64 <- 8:9\n");
}

static void what_was_understood_before_a_mistake_is_told(void **state)
{
    (void)state;
    ask("from numba import cuda\n"
        "@cuda.jit\n"
        "def k(x):\n"
        "    y = x[0]\n"
        "    x[0] = z\n",
        KJIT_INVALID, "'z' is not defined");
    assert_non_null(strstr(told, "4:5-6 float32 <- 4:5\n"));
}

static void types_come_from_somewhere(void **state)
{
    (void)state;
    kjit_kernel *kernel = kernel_of("from numba import cuda\n"
                                    "@cuda.jit('void(int32[:])')\n"
                                    "def k(x):\n"
                                    "    x[0] = 1\n");
    told[0] = '\0';
    expect_ok(kjit_meanings(kernel, NULL, 0, tell, NULL));
    assert_non_null(strstr(told, "3:7-8 int32[:] <- 3:7\n"));
    expect(kjit_meanings(kernel_of(double_text), NULL, 0, tell, NULL), KJIT_ARGUMENT,
           "2 parameters, and 0 arguments say their types");
    expect(kjit_meanings(NULL, NULL, 0, tell, NULL), KJIT_ARGUMENT, "NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_types_and_places),
        cmocka_unit_test(what_was_understood_before_a_mistake_is_told),
        cmocka_unit_test(types_come_from_somewhere),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
