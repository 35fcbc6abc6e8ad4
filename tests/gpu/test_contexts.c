/* Contexts of all devices of the machine in one process: copies from each to each, which on real
** GPUs depend on what the driver makes of addresses. All are skipped where there is no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit.h"

enum { ROWS = 600, COLUMNS = 500, CONTEXTS_MAX = 17 };

static kjit_context *contexts[CONTEXTS_MAX]; /* the processor's comes last */
static int count;
static float from[ROWS][COLUMNS], to[ROWS][COLUMNS];

static void expect_ok(kjit_status got)
{
    if (got != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(got), kjit_error_message());
}

static int open_all(void **state)
{
    int gpus = kjit_gpu_count();

    (void)state;
    for (int i = 0; gpus && i <= gpus && i < CONTEXTS_MAX; i++) {
        char name[24] = "cpu";
        kjit_open_options options = { .size = sizeof options, .device = name, .no_disk_cache = 1 };
        if (i < gpus && i < CONTEXTS_MAX - 1)
            snprintf(name, sizeof name, "cuda:%d", i);
        if (kjit_open(&options, &contexts[count++]) != KJIT_OK)
            return -1;
    }
    for (int i = 0; i < ROWS * COLUMNS; i++)
        from[i / COLUMNS][i % COLUMNS] = (float)(i + 1);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < count; i++)
        kjit_close(contexts[i]);
    return 0;
}

static kjit_array matrix(void *data)
{
    return kjit_host_array(data, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS });
}

static kjit_array filled(kjit_context *context)
{
    kjit_array host = matrix(from), device;

    expect_ok(kjit_to_device(context, &host, &device));
    return device;
}

static kjit_array zeros(kjit_context *context, kjit_stream *stream)
{
    kjit_array_options options = { .size = sizeof options, .stream = stream };
    kjit_array array;

    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS }, &options,
                             &array));
    expect_ok(kjit_array_zero(context, stream, &array));
    expect_ok(kjit_synchronize(context)); /* copies do not wait for the work of other devices */
    return array;
}

static void copy_both(kjit_context *asked, kjit_context *source, kjit_context *target)
{
    const kjit_slice slices[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, 2), KJIT_SPAN(1, KJIT_OMIT) };
    kjit_stream *stream;
    kjit_array a = filled(source), host = matrix(to), a_part, b_part;

    expect_ok(kjit_stream_new(target, NULL, &stream));
    kjit_array b = zeros(target, stream); /* memory of a pool, which only its own GPU reaches */
    expect_ok(kjit_array_slice(&a, slices, 2, &a_part));
    expect_ok(kjit_array_slice(&b, slices, 2, &b_part));
    expect_ok(kjit_copy(asked, &b_part, &a_part));
    expect_ok(kjit_copy(target, &host, &b));
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            assert_true(to[i][j] == (i % 2 || !j ? 0 : from[i][j]));
    }
    expect_ok(kjit_copy(asked, &b, &a));
    expect_ok(kjit_copy(target, &host, &b));
    assert_memory_equal(to, from, sizeof to);
    expect_ok(kjit_array_free(source, &a));
    expect_ok(kjit_array_free(target, &b));
    kjit_stream_close(stream);
}

static void arrays_are_copied_between_contexts_of_all_devices(void **state)
{
    (void)state;
    if (!count)
        skip();
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++)
            copy_both(contexts[i < k ? i : k], contexts[i], contexts[k]);
    }
}

static void the_processor_does_not_reach_into_a_gpu(void **state)
{
    (void)state;
    if (!count)
        skip();
    kjit_array far = filled(contexts[0]), near = filled(contexts[count - 1]);
    assert_int_equal(kjit_copy(contexts[count - 1], &near, &far), KJIT_ARGUMENT);
    assert_non_null(strstr(kjit_error_message(), "give the copy the GPU's context"));
    assert_int_equal(kjit_copy(contexts[count - 1], &far, &near), KJIT_ARGUMENT);
    expect_ok(kjit_array_free(contexts[0], &far));
    expect_ok(kjit_array_free(contexts[count - 1], &near));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_copied_between_contexts_of_all_devices),
        cmocka_unit_test(the_processor_does_not_reach_into_a_gpu),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
