/* What the library tells of what it did: counters of a context, facts of a kernel; and batches of
** compilations, whose outcome the counters show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define OWN_CACHE
#include "tests/unit/library.h"

static kjit_counters count_now(void)
{
    kjit_counters counters = { .size = sizeof counters };

    kjit_count(context, &counters);
    return counters;
}

static void counters_tell_hits_from_misses(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text), *again = kernel_of(double_text);
    float a[8] = { 1 }, b[8];
    kjit_counters before = count_now();

    (void)state;
    for (int i = 0; i < 3; i++)
        expect_ok(
            KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)));
    expect_ok(KJIT_CALL(again, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)));
    kjit_counters after = count_now();
    assert_int_equal(after.compilations - before.compilations, 1);
    assert_int_equal(after.disk_hits - before.disk_hits, 1);
    assert_int_equal(after.memory_hits - before.memory_hits, 2);
    assert_int_equal(after.launches - before.launches, 4);
}

static void a_launch_that_fails_is_not_counted(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[8] = { 1 }, b[8];
    kjit_counters before = count_now();

    (void)state;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2000), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)),
           KJIT_ARGUMENT, "2000");
    assert_int_equal(count_now().launches, before.launches);
}

static void an_older_program_gets_as_much_as_it_knows(void **state)
{
    kjit_counters counters = { .size = offsetof(kjit_counters, launches), .launches = 77 };
    kjit_facts facts = { .size = offsetof(kjit_facts, registers), .registers = 77 };
    kjit_kernel *kernel = kernel_of(double_text);
    float a[8];
    kjit_arg args[] = { KJIT_ARRAY(a, 8), KJIT_ARRAY(a, 8) };

    (void)state;
    kjit_count(context, &counters);
    assert_int_equal(counters.launches, 77);
    expect_ok(kjit_kernel_facts(kernel, NULL, args, 2, &facts));
    assert_int_equal(facts.registers, 77);
    assert_int_equal(facts.max_threads, 1024);
}

static void facts_name_each_specialisation(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_facts facts = { .size = sizeof facts };
    float a[8];
    int32_t i[8];

    (void)state;
    assert_int_equal(kjit_specialisation_count(kernel), 0);
    expect_ok(kjit_kernel_facts(kernel, NULL, (kjit_arg[]){ KJIT_ARRAY(a, 8), KJIT_ARRAY(a, 8) }, 2,
                                &facts));
    assert_string_equal(facts.call, "twice(float32[::1], float32[::1])");
    expect_ok(kjit_compile(kernel, (kjit_arg[]){ KJIT_ARRAY(i, 8), KJIT_ARRAY(i, 8) }, 2));
    assert_int_equal(kjit_specialisation_count(kernel), 2);
    expect_ok(kjit_specialisation_facts(kernel, 0, &facts));
    assert_string_equal(facts.call, "twice(int32[::1], int32[::1])");
    assert_true(facts.frontend_ms > 0 && (facts.disk_hit || facts.compiler_ms > 0));
    expect_ok(kjit_specialisation_facts(kernel, 1, &facts));
    assert_string_equal(facts.call, "twice(float32[::1], float32[::1])");
    expect(kjit_specialisation_facts(kernel, 2, &facts), KJIT_ARGUMENT, "2 times");
}

static void shared_arrays_are_among_the_facts(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def share(x):\n"
                               "    s = cuda.shared.array(100, float64)\n"
                               "    s[cuda.threadIdx.x] = x[0]\n"
                               "    cuda.syncthreads()\n"
                               "    x[0] = s[0]\n";
    kjit_facts facts = { .size = sizeof facts };
    double x[1];

    (void)state;
    expect_ok(
        kjit_kernel_facts(kernel_of(text), NULL, (kjit_arg[]){ KJIT_ARRAY(x, 1) }, 1, &facts));
    assert_int_equal(facts.shared_bytes, 800);
}

/* ---- batches -------------------------------------------------------------------------- */

enum { KERNELS = 6 };

/* A module of kernels whose texts differ; the one called `bad`, if any, makes no sense. */
static kjit_module *module_of_many(int bad)
{
    char text[KERNELS * 128] = "";
    kjit_module *module;

    for (int i = 0; i < KERNELS; i++)
        sprintf(text + strlen(text), "@cuda.jit\ndef k%d(x):\n    x[cuda.grid(1)] = %s%d\n\n", i,
                i == bad ? "x + " : "", 1000 + i);
    expect_ok(kjit_load_source(context, text, "many.k", NULL, &module));
    return module;
}

static void fill_jobs(kjit_module *module, const kjit_arg *args, kjit_compile_job *jobs, int count)
{
    for (int i = 0; i < count; i++) {
        jobs[i] = (kjit_compile_job){ .args = args, .arg_count = 1 };
        expect_ok(kjit_get_kernel(module, kjit_kernel_name_at(module, (size_t)(i % KERNELS)),
                                  &jobs[i].kernel));
    }
}

static void a_batch_compiles_each_kernel_once(void **state)
{
    kjit_module *module = module_of_many(-1);
    int32_t x[4];
    kjit_arg args[] = { KJIT_ARRAY(x, 4) };
    kjit_compile_job jobs[3 * KERNELS];
    kjit_counters before = count_now();
    kjit_batch *batch;

    (void)state;
    fill_jobs(module, args, jobs, 3 * KERNELS); /* each three times */
    expect_ok(kjit_compile_begin(jobs, 3 * KERNELS, 4, &batch));
    /* Launches meanwhile wait for their own kernel, and no more. */
    expect_ok(KJIT_CALL(jobs[KERNELS - 1].kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(x, 4)));
    assert_int_equal(x[3], 1000 + KERNELS - 1);
    expect_ok(kjit_compile_end(batch));
    kjit_counters after = count_now();
    assert_int_equal(after.compilations + after.disk_hits - before.compilations - before.disk_hits,
                     KERNELS);
    kjit_close_module(module);
}

static void a_batch_reports_its_first_failure_and_does_the_rest(void **state)
{
    kjit_module *module = module_of_many(2);
    int32_t x[4];
    kjit_arg args[] = { KJIT_ARRAY(x, 4) };
    kjit_compile_job jobs[KERNELS];
    kjit_batch *batch;

    (void)state;
    fill_jobs(module, args, jobs, KERNELS);
    expect_ok(kjit_compile_begin(jobs, KERNELS, 0, &batch));
    expect(kjit_compile_end(batch), KJIT_INVALID, "many.k:");
    for (int i = 0; i < KERNELS; i++)
        assert_int_equal(kjit_specialisation_count(jobs[i].kernel), i == 2 ? 0 : 1);
    kjit_close_module(module);
}

static void signatures_compile_ahead_of_the_first_call(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[8] = { 1 }, b[8];
    kjit_compile_job jobs[] = {
        { .kernel = kernel, .signature = "float32[::1], float32[::1]" },
        { .kernel = kernel, .signature = "twice(int16, int16[::1])" },
    };
    kjit_batch *batch;

    (void)state;
    expect_ok(kjit_compile_begin(jobs, 1, 1, &batch));
    expect_ok(kjit_compile_end(batch));
    kjit_counters before = count_now();
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)));
    assert_int_equal(count_now().memory_hits, before.memory_hits + 1);
    expect_ok(kjit_compile_begin(jobs, 2, 2, &batch));
    expect(kjit_compile_end(batch), KJIT_INVALID, "int16");
    expect(kjit_compile_signature(kernel, "float33, int8"), KJIT_ARGUMENT, "float33");
    expect(kjit_compile_signature(kernel, "int8"), KJIT_ARGUMENT, "1 type for the 2 parameters");
    expect(kjit_compile_signature(kernel, NULL), KJIT_ARGUMENT, "declares no signature");
}

static void a_batch_of_nothing_is_done(void **state)
{
    kjit_batch *batch;

    (void)state;
    expect_ok(kjit_compile_begin(NULL, 0, 0, &batch));
    assert_int_equal(kjit_compile_left(batch), 0);
    expect_ok(kjit_compile_end(batch));
    expect_ok(kjit_compile_end(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_tell_hits_from_misses),
        cmocka_unit_test(a_launch_that_fails_is_not_counted),
        cmocka_unit_test(an_older_program_gets_as_much_as_it_knows),
        cmocka_unit_test(facts_name_each_specialisation),
        cmocka_unit_test(shared_arrays_are_among_the_facts),
        cmocka_unit_test(a_batch_compiles_each_kernel_once),
        cmocka_unit_test(a_batch_reports_its_first_failure_and_does_the_rest),
        cmocka_unit_test(signatures_compile_ahead_of_the_first_call),
        cmocka_unit_test(a_batch_of_nothing_is_done),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
