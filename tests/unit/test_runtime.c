/* The library's own ends: devices by name, messages, locales. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

static void devices_have_names(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "tpu" };
    kjit_context *other;

    (void)state;
    assert_string_equal(kjit_device_name(context), "cpu");
    assert_true(*kjit_device_model(context));
    expect(kjit_open(&options, &other), KJIT_ARGUMENT, "'tpu'");
    options.device = "cuda:99";
    expect(kjit_open(&options, &other), KJIT_NO_DEVICE, "error: ");
    assert_null(other);
    kjit_close(NULL);
    kjit_close_module(NULL);
    kjit_close_prepared(NULL);
    kjit_values_close(NULL);
    kjit_free(NULL);
    kjit_array_free(context, NULL);
}

static void long_messages_are_whole(void **state)
{
    char text[2000];

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    error_text(KJIT_INVALID, text);
    assert_string_equal(kjit_error_message(), text);
    error_set(KJIT_INVALID, "again: %s", kjit_error_message());
    assert_int_equal(strlen(kjit_error_message()), sizeof text - 1 + 7);
    assert_string_equal(kjit_status_name(KJIT_FAULT), "KJIT_FAULT");
    assert_string_equal(kjit_status_name((kjit_status)99), "unknown status");
}

static void kernels_do_not_depend_on_the_locale(void **state)
{
    kjit_emit_options options = { .size = sizeof options, .stage = "c" };
    kjit_kernel *kernel = kernel_of("from numba import cuda\n"
                                    "@cuda.jit('void(float64[::1])')\n"
                                    "def k(x):\n"
                                    "    x[0] = x[1] * 2.25 + float('1.125')\n");
    char *text;
    size_t length;

    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    assert_int_equal(kjit_emit(kernel, &options, &text, &length), KJIT_OK);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(strstr(text, "2.25"));
    assert_non_null(strstr(text, "1.125"));
    kjit_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_have_names),
        cmocka_unit_test(long_messages_are_whole),
        cmocka_unit_test(kernels_do_not_depend_on_the_locale),
    };

    return cmocka_run_group_tests_name("the library", tests, open_all, close_all);
}
