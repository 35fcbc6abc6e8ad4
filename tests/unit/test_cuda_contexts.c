/* Several contexts in one process, two of them on GPUs that only pretend: copies from each to each,
** of arrays that lie together and of such that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/cuda.h"

enum { ROWS = 6, COLUMNS = 5 };

static float from[ROWS][COLUMNS], to[ROWS][COLUMNS];

static kjit_array matrix(void *data)
{
    return kjit_host_array(data, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS });
}

/* A context's array with `from` in it. */
static kjit_array filled(kjit_context *context)
{
    kjit_array host = matrix(from), device;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        from[i / COLUMNS][i % COLUMNS] = (float)i;
    expect_ok(kjit_to_device(context, &host, &device));
    return device;
}

static kjit_array zeros(kjit_context *context)
{
    kjit_array array;

    expect_ok(
        kjit_array_new(context, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS }, NULL, &array));
    expect_ok(kjit_array_zero(context, NULL, &array));
    expect_ok(kjit_synchronize(context)); /* copies do not wait for the work of other devices */
    return array;
}

/* Every second row of a column but the first, and so on: what no one request copies. */
static kjit_array part(const kjit_array *array)
{
    const kjit_slice where[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, 2), KJIT_SPAN(1, KJIT_OMIT) };
    kjit_array view;

    expect_ok(kjit_array_slice(array, where, 2, &view));
    return view;
}

static void copy_each_way(kjit_context *asked, kjit_context *source, kjit_context *target)
{
    kjit_array a = filled(source), b = zeros(target), host = matrix(to);
    kjit_array a_part = part(&a), b_part = part(&b);

    expect_ok(kjit_copy(asked, &b_part, &a_part));
    expect_ok(kjit_copy_to_host(target, &b, &host));
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            assert_true(to[i][j] == (i % 2 || !j ? 0 : from[i][j]));
    }
    expect_ok(kjit_copy(asked, &b, &a));
    expect_ok(kjit_copy_to_host(target, &b, &host));
    assert_memory_equal(to, from, sizeof to);
    expect_ok(kjit_array_free(source, &a));
    expect_ok(kjit_array_free(target, &b));
}

static void arrays_are_copied_between_contexts_of_all_devices(void **state)
{
    kjit_context *all[] = { open_gpu("cuda:0"), open_gpu("cuda:1"), open_gpu("cpu"),
                            open_gpu("cpu") };

    (void)state;
    for (int lazy = 0; lazy < 2; lazy++) {
        fake_cuda_lazy(lazy);
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 4; k++) {
                copy_each_way(all[0], all[i], all[k]);
                copy_each_way(all[1], all[i], all[k]);
            }
        }
        fake_cuda_lazy(false);
    }
    copy_each_way(all[2], all[2], all[3]);
    kjit_close(all[3]);
    kjit_close(all[2]);
    kjit_close(all[1]);
    close_gpu(all[0]);
}

static void the_processor_does_not_reach_into_a_gpu(void **state)
{
    kjit_context *gpu = open_gpu("cuda:1"), *processor = open_gpu("cpu");
    kjit_array far = filled(gpu), near = filled(processor), host = matrix(to);

    (void)state;
    expect(kjit_copy(processor, &near, &far), KJIT_ARGUMENT, "give the copy the GPU's context");
    expect(kjit_copy(processor, &far, &near), KJIT_ARGUMENT, "give the copy the GPU's context");
    expect(kjit_copy(processor, &host, &far), KJIT_ARGUMENT, "give the copy the GPU's context");
    kjit_close(processor);
    close_gpu(gpu);
}

/* Managed and mapped memory is everybody's. */
static void the_processor_copies_what_both_reach(void **state)
{
    kjit_context *gpu = open_gpu("cuda:0"), *processor = open_gpu("cpu");
    kjit_array near = filled(processor);

    (void)state;
    for (int kind = KJIT_MEMORY_PINNED; kind <= KJIT_MEMORY_MANAGED; kind++) {
        kjit_array_options options = { .size = sizeof options, .memory = (kjit_memory)kind };
        kjit_array shared;
        expect_ok(kjit_array_new(gpu, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS }, &options,
                                 &shared));
        expect_ok(kjit_copy(processor, &shared, &near));
        assert_memory_equal(shared.data, from, sizeof from);
        expect_ok(kjit_array_free(gpu, &shared));
    }
    kjit_close(processor);
    close_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_copied_between_contexts_of_all_devices),
        cmocka_unit_test(the_processor_does_not_reach_into_a_gpu),
        cmocka_unit_test(the_processor_copies_what_both_reach),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}
