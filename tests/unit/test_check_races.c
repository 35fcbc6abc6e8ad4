/* Races are found by what orders two accesses, whatever came first; repaired kernels have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/check.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static void add_one(KjitCheck *c, void *const *params)
{
    if (GLOBAL < COUNT)
        store(c, 1, &Y[GLOBAL], load(c, 0, &X[GLOBAL]) + 1);
    c->ops->end(c);
}

static void counts(KjitCheck *c, void *const *params)
{
    if (mended)
        atomic_add(c, 0, &X[0], 1);
    else
        store(c, 1, &X[0], load(c, 0, &X[0]) + 1);
    c->ops->end(c);
}

static void neighbour(KjitCheck *c, void *const *params)
{
    store(c, 0, &TILE[THREAD], THREAD);
    if (mended)
        sync(c, 3);
    store(c, 1, &Y[GLOBAL], load(c, 2, &TILE[(THREAD + 1) % THREADS]));
    c->ops->end(c);
}

/* Reads of the last round, then writes of the next. */
static void rounds(KjitCheck *c, void *const *params)
{
    (void)params;
    for (int i = 0; i < 4; i++) {
        store(c, 0, &TILE[THREAD], i);
        sync(c, 1);
        load(c, 2, &TILE[THREADS - 1 - THREAD]);
        if (mended)
            sync(c, 3);
    }
    c->ops->end(c);
}

static void lanes(KjitCheck *c, void *const *params)
{
    (void)params;
    store(c, 0, &TILE[THREAD], THREAD);
    if (mended)
        syncwarp(c, 2, UINT32_MAX);
    load(c, 1, &TILE[THREAD ^ 1]);
    c->ops->end(c);
}

/* A mask that orders halves of a warp alone. */
static void halves(KjitCheck *c, void *const *params)
{
    (void)params;
    store(c, 0, &TILE[THREAD], THREAD);
    syncwarp(c, 2, THREAD % 32 < 16 ? 0xffff : 0xffff0000);
    load(c, 1, &TILE[THREAD ^ (mended ? 8 : 16)]);
    c->ops->end(c);
}

/* All write one value. */
static void same_value(KjitCheck *c, void *const *params)
{
    if (!mended || GLOBAL == 0)
        store(c, 0, &X[3], 7);
    c->ops->end(c);
}

/* Many read, one writes: the reads that are forgotten do not matter. */
static void read_then_write(KjitCheck *c, void *const *params)
{
    load(c, 0, &X[5]);
    if (mended)
        sync(c, 2);
    if (THREAD == 0)
        store(c, 1, &X[5], 1);
    c->ops->end(c);
}

static void atomic_and_plain(KjitCheck *c, void *const *params)
{
    atomic_add(c, 0, &X[2], 1);
    if (mended)
        sync(c, 2);
    if (THREAD == 9)
        load(c, 1, &X[2]);
    c->ops->end(c);
}

/* Bytes of one word belong to different threads. */
static void bytes(KjitCheck *c, void *const *params)
{
    char *all = (char *)X;
    *(char *)c->ops->access(c, 16, all + THREAD + !mended, 1, CHECK_WRITE) = 1;
    *(char *)c->ops->access(c, 17, all + THREAD, 1, CHECK_WRITE) = 1;
    c->ops->end(c);
}

/* A word of which another thread has written a byte. */
static void word_over_bytes(KjitCheck *c, void *const *params)
{
    if (THREAD == 1)
        *(char *)c->ops->access(c, 16, (char *)X + (mended ? 4 : 2), 1, CHECK_WRITE) = 1;
    if (THREAD == 2)
        load(c, 1, &X[0]);
    c->ops->end(c);
}

static void across_blocks(KjitCheck *c, void *const *params)
{
    if (THREAD == 0 && (mended || BLOCK == 0))
        store(c, 0, &X[mended ? BLOCK : 0], 1);
    sync(c, 2);
    if (THREAD == 5 && (mended || BLOCK == 1))
        load(c, 1, &X[mended ? BLOCK : 0]);
    c->ops->end(c);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* clang-format off */
static const Twins all_twins[] = {
    { "counter", counts, counts, 0, 1, 1, "x[0]", 1, 64 },
    { "neighbour", neighbour, neighbour, 0, 2, 1, NULL, 2, 64 },
    { "rounds", rounds, rounds, 0, 2, 1, NULL, 2, 64 },
    { "lanes", lanes, lanes, 0, 1, 1, NULL, 1, 64 },
    { "halves", halves, halves, 0, 1, 1, NULL, 1, 64 },
    { "same value", same_value, same_value, 0, 0, 2, "x[3]", 2, 32 },
    { "read, then write", read_then_write, read_then_write, 0, 1, 1, "x[5]", 1, 256 },
    { "atomic and plain", atomic_and_plain, atomic_and_plain, 0, 1, 1, "x[2]", 1, 64 },
    { "bytes", bytes, bytes, 16, 17, 2, NULL, 1, 64 },
    { "word over bytes", word_over_bytes, word_over_bytes, 16, 1, 1, "x[0]", 1, 32 },
    { "across blocks", across_blocks, across_blocks, 0, 1, 1, "x[0]", 2, 32 },
};
/* clang-format on */

static void test_races_are_found_in_any_order_and_twins_have_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(all_twins); i++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            expect_race(&all_twins[i], seed);
            expect_peace(&all_twins[i], seed);
        }
}

static void test_a_race_names_both_places(void **state)
{
    (void)state;
    Trial trial;
    mended = false;
    trial_open(&trial, counts, 16, 1, 2);
    trial_run(&trial);
    assert_int_equal(trial.report.count, 2);
    const CheckFinding *found = &trial.report.findings[0];
    assert_string_equal(check_rule_name(found->rule), "race");
    assert_int_equal(found->at.site, 0);
    assert_int_equal(found->at.thread[0], 1);
    assert_int_equal(found->other.site, 1);
    assert_int_equal(found->other.thread[0], 0);
    assert_string_equal(found->message,
                        "a thread reads x[0], another of its block writes it, and nothing orders "
                        "them");
    trial_close(&trial);
}

static void test_many_threads_run_and_leave_what_they_should(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, add_one, 65536, 64, 1024);
    for (int i = 0; i < 65536; i++)
        trial.x[i] = i;
    trial_run(&trial);
    assert_int_equal(trial.report.count, 0);
    for (int i = 0; i < 65536; i++)
        assert_int_equal(trial.y[i], i + 1);
    trial_close(&trial);
    mended = true;
    trial_open(&trial, rounds, 65536, 64, 1024);
    trial.request.cooperative = true;
    trial_run(&trial);
    assert_int_equal(trial.report.count, 0);
    trial_close(&trial);
}

static void test_a_seed_gives_the_same_findings_each_time(void **state)
{
    (void)state;
    mended = false;
    for (uint64_t seed = 0; seed < 4; seed++) {
        Trial trials[2];
        for (int i = 0; i < 2; i++) {
            trial_open(&trials[i], rounds, 4096, 3, 96);
            trials[i].request.seed = seed;
            trial_run(&trials[i]);
        }
        const CheckReport *a = &trials[0].report, *b = &trials[1].report;
        assert_int_equal(a->count, b->count);
        for (int i = 0; i < a->count; i++) {
            assert_string_equal(a->findings[i].message, b->findings[i].message);
            assert_memory_equal(a->findings[i].at.thread, b->findings[i].at.thread, 12);
            assert_memory_equal(a->findings[i].other.block, b->findings[i].other.block, 12);
            assert_int_equal(a->findings[i].times, b->findings[i].times);
        }
        trial_close(&trials[0]);
        trial_close(&trials[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races_are_found_in_any_order_and_twins_have_none),
        cmocka_unit_test(test_a_race_names_both_places),
        cmocka_unit_test(test_a_seed_gives_the_same_findings_each_time),
        cmocka_unit_test(test_many_threads_run_and_leave_what_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
