/* Kernels that run from their own emitted text after it was edited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

static kjit_arg args[2];
static float a[4] = { 1, 2, 3, 4 }, b[4];

static kjit_kernel *kernel_on_floats(void)
{
    args[0] = KJIT_ARRAY(a, 4);
    args[1] = KJIT_ARRAY(b, 4);
    return kernel_of(double_text);
}

/* The C of a kernel with one part replaced, to be free()d. */
static char *edited(kjit_kernel *kernel, const char *part, const char *by)
{
    kjit_emit_options options = {
        .size = sizeof options, .stage = "c", .args = args, .arg_count = 2
    };
    char *text;
    size_t length;

    expect_ok(kjit_emit(kernel, &options, &text, &length));
    const char *at = strstr(text, part);
    if (!at)
        fail_msg("no %s", part);
    char *made = malloc(length + strlen(by) + 1);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    kjit_free(text);
    return made;
}

static kjit_status replace(kjit_kernel *kernel, const char *part, const char *by)
{
    char *text = edited(kernel, part, by);
    kjit_status status = kjit_replace_text(kernel, args, 2, "c", text, "mine.c");

    free(text);
    return status;
}

static kjit_status launch(kjit_kernel *kernel)
{
    memset(b, 0, sizeof b);
    return KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), args[0], args[1]);
}

static void an_edited_text_runs_instead(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();

    (void)state;
    expect_ok(replace(kernel, "2.0 * a[i]", "5 * a[i]"));
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 20, 0);
}

static void an_edit_also_replaces_what_ran_before(void **state)
{
    kjit_kernel *kernel = kernel_on_floats(), *other = kernel_on_floats();
    double doubles[1] = { 1.5 };

    (void)state;
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 8, 0);
    expect_ok(replace(kernel, "2.0 * a[i]", "5 * a[i]"));
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 20, 0);
    expect_ok(replace(kernel, "2.0 * a[i]", "7 * a[i]"));
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 28, 0);
    /* Other types, and the kernel of another module, are as they were. */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(doubles, 1),
                        KJIT_ARRAY(doubles, 1)));
    assert_float_equal(doubles[0], 3, 0);
    expect_ok(launch(other));
    assert_float_equal(b[3], 8, 0);
}

static void a_mistake_is_told_with_the_file_s_own_lines(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();
    char *text = edited(kernel, "2.0 * a[i]", "undefined_thing * a[i]");
    int line = 1;

    (void)state;
    for (const char *at = text; at < strstr(text, "undefined_thing"); at++)
        line += *at == '\n';
    char place[64];
    snprintf(place, sizeof place, "\nmy \"own\".c:%d:", line);
    expect(kjit_replace_text(kernel, args, 2, "c", text, "my \"own\".c"), KJIT_INVALID,
           "undefined_thing");
    assert_non_null(strstr(kjit_error_message(), place));
    free(text);
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 8, 0);
}

static void a_text_for_other_types_is_refused(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();

    (void)state;
    expect(replace(kernel, "const float *a", "const double *a"), KJIT_ARGUMENT,
           "other parameters than the kernel has for these types");
    expect_ok(launch(kernel));
    assert_float_equal(b[3], 8, 0);
}

static void the_entry_must_be_there(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();

    (void)state;
    expect(replace(kernel, "int kjit_entry(", "int my_entry("), KJIT_ARGUMENT,
           "mine.c does not define 'kjit_entry'");
    expect(kjit_replace_text(kernel, args, 2, "c", "int kjit_entry(void);", "mine.c"),
           KJIT_ARGUMENT, "does not define");
    expect(kjit_replace_text(kernel, args, 2, "c", "/* int kjit_entry(void) {} */", "mine.c"),
           KJIT_ARGUMENT, "does not define");
    expect(kjit_replace_text(kernel, args, 2, "c", "", "mine.c"), KJIT_ARGUMENT, "does not define");
    expect(kjit_replace_text(kernel, args, 2, "c", "int kjit_entry((((", "mine.c"), KJIT_ARGUMENT,
           "does not define");
    expect(kjit_replace_text(kernel, args, 2, "c", "char *s = \"kjit_entry(void) {", "mine.c"),
           KJIT_ARGUMENT, "does not define");
}

static void its_parameters_stay(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();

    (void)state;
    expect(replace(kernel, "kjit_entry(void *const *params,", "kjit_entry(int n,"), KJIT_ARGUMENT,
           "other parameters");
    assert_non_null(strstr(kjit_error_message(), "they are (void *const *params, "));
    expect_ok(replace(kernel, "kjit_entry(void *const *params,",
                      "kjit_entry(void *\n const *params /* as before */,"));
}

static void the_device_says_which_stage_it_runs(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();

    (void)state;
    expect(kjit_replace_text(kernel, args, 2, "cuda", "", "mine.cu"), KJIT_ARGUMENT,
           "cpu runs C, not CUDA C\nnote: ");
    expect(kjit_replace_text(kernel, args, 2, "ptx", "", "mine.ptx"), KJIT_ARGUMENT, "'ptx'");
    expect(kjit_replace_text(kernel, args, 1, "c", "", "mine.c"), KJIT_ARGUMENT, "2 arguments");
}

static void an_edited_text_becomes_a_shared_object(void **state)
{
    kjit_kernel *kernel = kernel_on_floats();
    char *text = edited(kernel, "2.0 * a[i]", "5 * a[i]"), *object;
    size_t length;
    kjit_emit_options options = {
        .size = sizeof options, .stage = "so", .args = args, .arg_count = 2, .text = text
    };

    (void)state;
    expect_ok(kjit_emit(kernel, &options, &object, &length));
    assert_memory_equal(object,
                        "\x7f"
                        "ELF",
                        4);
    kjit_free(object);
    options.text = "int f(void) { return 0; }";
    expect(kjit_emit(kernel, &options, &object, &length), KJIT_ARGUMENT, "edited text does not");
    options.arch = "sm_90";
    expect(kjit_emit(kernel, &options, &object, &length), KJIT_ARGUMENT, "shared object is for");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edited_text_runs_instead),
        cmocka_unit_test(an_edit_also_replaces_what_ran_before),
        cmocka_unit_test(a_mistake_is_told_with_the_file_s_own_lines),
        cmocka_unit_test(a_text_for_other_types_is_refused),
        cmocka_unit_test(the_entry_must_be_there),
        cmocka_unit_test(its_parameters_stay),
        cmocka_unit_test(the_device_says_which_stage_it_runs),
        cmocka_unit_test(an_edited_text_becomes_a_shared_object),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
