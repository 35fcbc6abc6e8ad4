/* Programs that are open: functions of the host's part, called from C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { COUNT = 6 };

static const char text[] = "import numpy as np\n"
                           "\n"
                           "R = 0.5\n"
                           "kept = None\n"
                           "calls = 0\n"
                           "\n"
                           "@cuda.jit(opt=False)\n"
                           "def twice(x):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size:\n"
                           "        x[i] *= 2\n"
                           "\n"
                           "def work(x, times):\n"
                           "    for _ in range(times):\n"
                           "        twice[1, 32](x)\n"
                           "    return x.sum()\n"
                           "\n"
                           "def scale(x, factor):\n"
                           "    return x * factor, R, None\n"
                           "\n"
                           "def shift(x, y):\n"
                           "    x[:] = x + 1\n"
                           "    return y[0]\n"
                           "\n"
                           "def keep(x):\n"
                           "    global kept, calls\n"
                           "    kept = x\n"
                           "    calls += 1\n"
                           "    return x[1:3]\n"
                           "\n"
                           "def add(x):\n"
                           "    return x + 1\n"
                           "\n"
                           "def total():\n"
                           "    return int(kept.sum())\n"
                           "\n"
                           "def fail(n):\n"
                           "    return [1, 2][n]\n"
                           "\n"
                           "def say():\n"
                           "    print('said', __name__)\n"
                           "    return 'text'\n"
                           "\n"
                           "if __name__ == '__main__':\n"
                           "    raise ValueError\n";

static kjit_program *open_with(const char *of, const kjit_program_open_options *options)
{
    kjit_module *module;
    kjit_program *program;

    expect_ok(kjit_load_source(context, of, "cases/t.py", NULL, &module));
    expect_ok(kjit_program_open(module, options, &program));
    return program;
}

static void functions_take_arrays_and_numbers(void **state)
{
    kjit_program *program = open_with(text, NULL);
    double x[COUNT] = { 1, 2, 3, 4, 5, 6 };
    kjit_arg sum;

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "work", &sum, KJIT_ARRAY(x, COUNT), 3));
    assert_int_equal(sum.kind, KJIT_ARG_SCALAR);
    assert_int_equal(sum.dtype, KJIT_DTYPE_FLOAT64);
    assert_true(sum.as.number == 21 * 8);
    assert_true(x[0] == 8 && x[5] == 48);
    expect_ok(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, COUNT), 1L));
    assert_true(x[5] == 96);
    kjit_program_close(program);
}

/* C's double is Python's float, which takes the dtype of the array. */
static void results_are_what_is_returned(void **state)
{
    kjit_program *program = open_with(text, NULL);
    float x[COUNT] = { 1, 2, 3, 4, 5, 6 };
    kjit_arg all;

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "scale", &all, KJIT_ARRAY(x, 2, 3), 0.25));
    assert_int_equal(all.kind, KJIT_ARG_TUPLE);
    assert_int_equal(all.as.tuple.count, 3);
    const kjit_arg *items = all.as.tuple.items;
    const kjit_array *array = &items[0].as.array;
    assert_int_equal(items[0].kind, KJIT_ARG_ARRAY);
    assert_int_equal(array->dtype, KJIT_DTYPE_FLOAT32);
    assert_int_equal(array->rank, 2);
    assert_true(((const float *)array->data)[5] == 1.5F);
    assert_true(items[1].as.number == 0.5);
    assert_int_equal(items[2].kind, KJIT_ARG_TUPLE);
    assert_int_equal(items[2].as.tuple.count, 0);
    kjit_program_close(program);
}

/* Two arrays that overlap are one memory. */
static void arrays_that_overlap_stay_together(void **state)
{
    kjit_program *program = open_with(text, NULL);
    double x[COUNT] = { 1, 2, 3, 4, 5, 6 };
    kjit_arg first;

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "shift", &first, KJIT_ARRAY(x, 4), KJIT_ARRAY(x + 2, 4)));
    assert_true(first.as.number == 4);
    assert_true(x[3] == 5 && x[4] == 5);
    kjit_program_close(program);
}

/* What a name holds after the call does not change with the caller's memory. */
static void what_is_kept_is_a_copy(void **state)
{
    kjit_program *program = open_with(text, NULL);
    int64_t x[COUNT] = { 1, 2, 3, 4, 5, 6 };
    kjit_arg part, sum;

    (void)state;
    expect_ok(KJIT_PROGRAM_CALL(program, "keep", &part, KJIT_ARRAY(x, COUNT)));
    assert_ptr_equal(part.as.array.data, x + 1);
    assert_int_equal(part.as.array.shape[0], 2);
    memset(x, 0, sizeof x);
    expect_ok(kjit_program_call(program, "total", NULL, 0, &sum));
    assert_int_equal(sum.as.integer, 21);
    expect_ok(kjit_program_get(program, "kept", &part));
    assert_int_equal(((const int64_t *)part.as.array.data)[5], 6);
    expect_ok(kjit_program_get(program, "calls", &sum));
    assert_int_equal(sum.as.integer, 1);
    kjit_program_close(program);
}

/* A result is there until the next call, whatever is swept. */
static void results_last_until_the_next_call(void **state)
{
    kjit_program *program = open_with(text, NULL);
    double x[COUNT] = { 1, 2, 3, 4, 5, 6 };
    kjit_arg result;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        expect_ok(KJIT_PROGRAM_CALL(program, "add", &result, KJIT_ARRAY(x, COUNT)));
        memcpy(x, result.as.array.data, sizeof x);
    }
    assert_true(x[0] == 1001 && x[5] == 1006);
    expect_ok(KJIT_PROGRAM_CALL(program, "add", &result, KJIT_ARRAY(x, 0)));
    assert_int_equal(result.as.array.shape[0], 0);
    kjit_program_close(program);
}

static void what_is_raised_is_the_message(void **state)
{
    kjit_program *program = open_with(text, NULL);
    double x[COUNT] = { 1 };
    kjit_arg result;

    (void)state;
    expect(KJIT_PROGRAM_CALL(program, "fail", &result, 2), KJIT_INVALID,
           "line 38, in fail\n    return [1, 2][n]\n");
    expect(KJIT_PROGRAM_CALL(program, "fail", &result, 2), KJIT_INVALID,
           "IndexError: list index out of range");
    assert_int_equal(result.kind, KJIT_ARG_TUPLE);
    expect(KJIT_PROGRAM_CALL(program, "nothing", NULL, 2), KJIT_ARGUMENT,
           "cases/t.py has no function 'nothing'");
    expect(KJIT_PROGRAM_CALL(program, "R", NULL, 2), KJIT_INVALID,
           "'float' object is not callable");
    expect(KJIT_PROGRAM_CALL(program, "add", NULL, 2, 3), KJIT_INVALID, "takes 1 positional");
    expect(kjit_program_get(program, "nothing", &result), KJIT_ARGUMENT,
           "cases/t.py has nothing called 'nothing'");
    expect(kjit_program_get(program, "total", &result), KJIT_INVALID,
           "C gets numbers, arrays and tuples of such, not 'function'");
    expect(KJIT_PROGRAM_CALL(program, "work", NULL, KJIT_ARRAY(x, COUNT), 0.5), KJIT_INVALID,
           "'float' object cannot be interpreted as an integer");
    expect_ok(KJIT_PROGRAM_CALL(program, "fail", &result, 1)); /* it goes on */
    assert_int_equal(result.as.integer, 2);
    kjit_program_close(program);
}

static void note(void *to, const char *piece, size_t length)
{
    strncat(to, piece, length);
}

static void options_are_heeded(void **state)
{
    static const kjit_define values[] = { { "R", "1 / 8" } }, wrong[] = { { "Q", "1" } };
    char said[64] = "";
    kjit_program_open_options options = {
        .size = sizeof options, .print = note, .context = said, .values = values, .value_count = 1
    };
    kjit_program *program = open_with(text, &options);
    kjit_module *module;
    kjit_arg result;

    (void)state;
    expect_ok(kjit_program_get(program, "R", &result));
    assert_true(result.as.number == 0.125);
    expect_ok(kjit_program_call(program, "say", NULL, 0, NULL));
    assert_string_equal(said, "said t\n");
    expect(kjit_program_call(program, "say", NULL, 0, &result), KJIT_INVALID, "not 'str'");
    kjit_program_close(program);
    options.values = wrong;
    expect_ok(kjit_load_source(context, text, "t.py", NULL, &module));
    expect(kjit_program_open(module, &options, &program), KJIT_ARGUMENT, "assigns nothing to 'Q'");
    assert_null(program);
    expect_ok(kjit_load_source(context, "x = [1]\nx[1]\n", "t.py", NULL, &module));
    expect(kjit_program_open(module, NULL, &program), KJIT_INVALID, "list index out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_take_arrays_and_numbers),
        cmocka_unit_test(results_are_what_is_returned),
        cmocka_unit_test(arrays_that_overlap_stay_together),
        cmocka_unit_test(what_is_kept_is_a_copy),
        cmocka_unit_test(results_last_until_the_next_call),
        cmocka_unit_test(what_is_raised_is_the_message),
        cmocka_unit_test(options_are_heeded),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
