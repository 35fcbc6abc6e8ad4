/* The standard library as programs see it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit_tools.h"

static kjit_context *context;

static int open_context(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };

    (void)state;
    return kjit_open(&options, &context);
}

static int close_context(void **state)
{
    (void)state;
    kjit_close(context);
    return 0;
}

static void a_standard_module_is_a_file(void **state)
{
    int32_t values[] = { 1, 1, 3, 7 }, counts[4] = { 0 };
    kjit_module *module;
    kjit_kernel *kernel;

    (void)state;
    assert_int_equal(kjit_load_file(context, "std:histogram", NULL, &module), KJIT_OK);
    assert_int_equal(kjit_get_kernel(module, NULL, &kernel), KJIT_OK);
    assert_string_equal(kjit_kernel_name(kernel), "histogram");
    assert_int_equal(kjit_get_kernel(module, "bincount", &kernel), KJIT_OK);
    assert_non_null(strstr(kjit_kernel_doc(kernel), "how many"));
    assert_non_null(strstr(kjit_module_doc(module), "Histograms"));
    assert_int_equal(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(values, 4),
                               KJIT_ARRAY(counts, 4)),
                     KJIT_OK);
    assert_int_equal(counts[1], 2);
    assert_int_equal(counts[3], 1);
    kjit_close_module(module);
}

static void every_module_loads_and_is_documented(void **state)
{
    char path[64] = "std:";
    const char *name;
    size_t count = 0;

    (void)state;
    for (; (name = kjit_standard_name_at(count)) != NULL; count++) {
        kjit_module *module;
        strcpy(path + 4, name);
        assert_int_equal(kjit_load_file(context, path, NULL, &module), KJIT_OK);
        assert_non_null(kjit_module_doc(module));
        assert_non_null(kjit_standard_text(name));
        for (size_t i = 0; i < kjit_kernel_count(module); i++) {
            kjit_kernel *kernel;
            assert_int_equal(kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel),
                             KJIT_OK);
            assert_non_null(kjit_kernel_doc(kernel));
        }
        kjit_close_module(module);
    }
    assert_true(count > 5);
    assert_null(kjit_standard_name_at(count + 1));
    assert_null(kjit_standard_text("nothing"));
}

static void a_module_that_is_not_there_is_named(void **state)
{
    kjit_module *module;

    (void)state;
    assert_int_equal(kjit_load_file(context, "std:histogran", NULL, &module), KJIT_ARGUMENT);
    assert_null(module);
    assert_non_null(strstr(kjit_error_message(), "did you mean 'histogram'?"));
    assert_int_equal(kjit_load_file(context, "std:", NULL, &module), KJIT_ARGUMENT);
}

/* Numbers that numba made; how states are skipped makes no difference. */
static void states_are_numbas(void **state)
{
    uint64_t states[3][2], later[1][2];

    (void)state;
    assert_int_equal(kjit_xoroshiro128p_states(states, 3, 1, 0), KJIT_OK);
    assert_true(states[1][0] == 0x73c19a5348fc9098 && states[1][1] == 0x6c96c932f21d71ee);
    assert_true(states[2][0] == 0x0b3d0cd6ddfa7a4c && states[2][1] == 0xd3c2c33e9b8e707a);
    assert_int_equal(kjit_xoroshiro128p_states(later, 1, 1, 2), KJIT_OK);
    assert_memory_equal(later, states[2], sizeof later);
    assert_int_equal(kjit_xoroshiro128p_states(later, 1, 12345, 7), KJIT_OK);
    assert_true(later[0][0] == 0x28a46ebc660d8bb3 && later[0][1] == 0xad75fba22e03075f);
    assert_int_equal(kjit_xoroshiro128p_states(later, 1, 1, UINT64_MAX), KJIT_OK);
    assert_int_equal(kjit_xoroshiro128p_states(later, 0, 1, 0), KJIT_OK);
}

static void states_go_to_kernels_as_records(void **state)
{
    uint64_t states[4][2];
    double numbers[8] = { 0 };
    const int64_t count = 4;
    kjit_module *module;
    kjit_kernel *kernel;

    (void)state;
    assert_int_equal(kjit_xoroshiro128p_states(states, 4, 1, 0), KJIT_OK);
    assert_int_equal(kjit_load_file(context, "std:random", NULL, &module), KJIT_OK);
    assert_int_equal(kjit_get_kernel(module, "uniform", &kernel), KJIT_OK);
    kjit_arg args[] = {
        { .kind = KJIT_ARG_ARRAY,
          .as.array = kjit_record_array(states, kjit_xoroshiro128p_record(), 1, &count) },
        KJIT_ARRAY(numbers, 8),
    };
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 4 } };
    assert_int_equal(kjit_launch(kernel, &config, args, 2), KJIT_OK);
    assert_true(numbers[1] == 0x1.c0b0c70c76340p-1 && numbers[5] == 0x1.aea7a3b7046a8p-3);
    kjit_close_module(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_standard_module_is_a_file),
        cmocka_unit_test(every_module_loads_and_is_documented),
        cmocka_unit_test(a_module_that_is_not_there_is_named),
        cmocka_unit_test(states_are_numbas),
        cmocka_unit_test(states_go_to_kernels_as_records),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
