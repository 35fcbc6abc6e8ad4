/* A program's embedded binary, met by many threads at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { THREADS = 16 };

typedef struct Errand {
    const char *data;
    size_t length;
    pthread_barrier_t *start;
    kjit_kernel *kernel;
    float result;
    kjit_status status;
} Errand;

static void *call(void *data)
{
    Errand *errand = data;
    float a = 21;

    pthread_barrier_wait(errand->start);
    errand->status =
        kjit_embedded_kernel(context, errand->data, errand->length, "twice", &errand->kernel);
    if (errand->status == KJIT_OK)
        errand->status = KJIT_CALL(errand->kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(&a, 1),
                                   KJIT_ARRAY(&errand->result, 1));
    return NULL;
}

static void threads_share_what_one_of_them_loads(void **state)
{
    static const char *const cpu = "cpu";
    kjit_build_item item = { .kernel = kernel_of(double_text),
                             .signature = "twice(float32[::1], float32[::1])" };
    kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = &cpu, .target_count = 1
    };
    Errand errands[THREADS] = { 0 };
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    char *data;
    size_t length;

    (void)state;
    expect_ok(kjit_build(&item, 1, &options, &data, &length));
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        errands[i] = (Errand){ .data = data, .length = length, .start = &start };
        assert_int_equal(pthread_create(&threads[i], NULL, call, &errands[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(errands[i].status, KJIT_OK);
        assert_ptr_equal(errands[i].kernel, errands[0].kernel);
        assert_float_equal(errands[i].result, 42, 0);
    }
    pthread_barrier_destroy(&start);
    kjit_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_what_one_of_them_loads),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
