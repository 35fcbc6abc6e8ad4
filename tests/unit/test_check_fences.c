/* What fences and atomic operations order is no race; what they do not is, in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/check.h"

enum { BLOCKS = 8 };

/* x[0] counts blocks, x[1] is a flag or a lock, x[2] what it guards, from x[64] on are flags. */

/* ---- the last block reads what all have written ---------------------------------------------- */

/* `mended`: whether each thread 0 fences before it counts. All threads of each block write. */
static void last_block(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[GLOBAL], 1);
    sync(c, 1);
    if (THREAD == 0) {
        if (mended)
            fence(c, 2);
        store(c, 3, &TILE[0], atomic_add(c, 4, &X[0], 1));
    }
    sync(c, 5);
    if (load(c, 6, &TILE[0]) == c->grid_dim[0] - 1) {
        for (int i = THREAD; i < c->grid_dim[0] * THREADS; i += THREADS)
            load(c, 7, &Y[i]);
        if (THREAD == 0)
            store(c, 8, &X[0], 0);
    }
    c->ops->end(c);
}

/* All threads fence, then meet, then one counts. The defect: one alone has fenced, before the
** others are known to have written. */
static void all_fence(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[GLOBAL], 1);
    if (mended || THREAD == 0)
        fence(c, 2);
    sync(c, 1);
    if (THREAD == 0)
        store(c, 3, &TILE[0], atomic_add(c, 4, &X[0], 1));
    sync(c, 5);
    if (load(c, 6, &TILE[0]) == c->grid_dim[0] - 1)
        for (int i = THREAD; i < c->grid_dim[0] * THREADS; i += THREADS)
            load(c, 7, &Y[i]);
    c->ops->end(c);
}

/* ---- a flag ---------------------------------------------------------------------------------- */

static void hand_over(KjitCheck *c, void *const *params, int scope, bool plain)
{
    if (BLOCK == 0 && THREAD == 0) {
        store(c, 0, &X[2], 42);
        if (scope >= 0)
            c->ops->fence(c, 1, scope);
        atomic_add(c, 2, &X[1], 1);
    }
    if (BLOCK == 1 && THREAD == 0) {
        while (!(plain ? load(c, 3, &X[1]) : atomic_add(c, 3, &X[1], 0)))
            ;
        store(c, 5, &Y[0], load(c, 4, &X[2]));
    }
    c->ops->end(c);
}

static void flag(KjitCheck *c, void *const *params)
{
    hand_over(c, params, mended ? CHECK_FENCE_DEVICE : -1, false);
}

static void flag_fenced_in_block(KjitCheck *c, void *const *params)
{
    hand_over(c, params, CHECK_FENCE_BLOCK, false);
}

static void flag_plain(KjitCheck *c, void *const *params)
{
    hand_over(c, params, CHECK_FENCE_DEVICE, true);
}

/* Within a block the nearer fence will do. */
static void flag_in_block(KjitCheck *c, void *const *params)
{
    (void)params;
    if (THREAD == 0)
        store(c, 6, &TILE[1], 0);
    sync(c, 7);
    if (THREAD == 0) {
        store(c, 0, &TILE[0], 42);
        c->ops->fence(c, 1, CHECK_FENCE_BLOCK);
        atomic_add(c, 2, &TILE[1], 1);
    }
    if (THREAD == 40) {
        while (!atomic_add(c, 3, &TILE[1], 0))
            ;
        load(c, 4, &TILE[0]);
    }
    c->ops->end(c);
}

/* What was written behind the fence is not handed over. */
static void written_late(KjitCheck *c, void *const *params)
{
    if (BLOCK == 0 && THREAD == 0) {
        fence(c, 1);
        store(c, 0, &X[2], 42);
        atomic_add(c, 2, &X[1], 1);
    }
    if (BLOCK == 1 && THREAD == 0) {
        while (!atomic_add(c, 3, &X[1], 0))
            ;
        load(c, 4, &X[2]);
    }
    c->ops->end(c);
}

/* ---- a lock ---------------------------------------------------------------------------------- */

static void lock(KjitCheck *c, void *const *params)
{
    if (THREAD == 0) {
        while (atomic_cas(c, 0, &X[1], 0, 1) != 0)
            ;
        store(c, 2, &X[2], load(c, 1, &X[2]) + 1);
        if (mended)
            fence(c, 3);
        atomic_add(c, 4, &X[1], -1);
    }
    c->ops->end(c);
}

/* ---- each block waits for the one before ----------------------------------------------------- */

/* Sums along a chain of blocks; each reads what the one before has written, and the last also what
** the first has, which it learns of through all the others. */
static void look_back(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[2048 + GLOBAL], BLOCK);
    sync(c, 1);
    if (THREAD == 0) {
        int32_t sum = BLOCK;
        if (BLOCK) {
            while (!atomic_add(c, 2, &X[64 + BLOCK - 1], 0))
                ;
            sum += load(c, 3, &Y[BLOCK - 1]);
        }
        store(c, 4, &Y[BLOCK], sum);
        if (mended)
            fence(c, 5);
        atomic_add(c, 6, &X[64 + BLOCK], 1);
    }
    sync(c, 7);
    if (BLOCK == c->grid_dim[0] - 1)
        load(c, 8, &Y[2048 + THREAD]);
    c->ops->end(c);
}

/* A lane speaks for its warp. */
static void lane_speaks(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[GLOBAL], 1);
    syncwarp(c, 1, UINT32_MAX);
    if (THREAD == 0) {
        fence(c, 2);
        atomic_add(c, 3, &X[0], 1);
        if (BLOCK == 1) {
            while (atomic_add(c, 4, &X[0], 0) < 2)
                ;
            for (int i = 0; i < 32; i++)
                load(c, 5, &Y[i]);
        }
    }
    c->ops->end(c);
}

/* ---- many releases, at many places ----------------------------------------------------------- */

enum { ROUNDS = 1200 };

/* So many that what each thread knows of the others is no longer kept apart. The last block reads
** what all have written before, and, if it is not mended, after their last fences. */
static void crowd(KjitCheck *c, void *const *params)
{
    int32_t threads = c->grid_dim[0] * THREADS;

    for (int32_t k = 0; k < ROUNDS; k++) {
        store(c, 0, &Y[GLOBAL], k);
        fence(c, 1);
        atomic_add(c, 2, &X[64 + (GLOBAL + k) % threads], 1);
    }
    if (!mended)
        store(c, 3, &Y[GLOBAL], ROUNDS);
    sync(c, 4);
    if (THREAD == 0)
        store(c, 5, &TILE[0], atomic_add(c, 6, &X[0], 1));
    sync(c, 7);
    if (load(c, 8, &TILE[0]) == c->grid_dim[0] - 1)
        for (int i = THREAD; i < threads; i += THREADS)
            load(c, 9, &Y[i]);
    c->ops->end(c);
}

/* Elements of eight bytes: what is true of the first half is of the second. */
static void wide_count(KjitCheck *c, void *const *params)
{
    int access = CHECK_READ | CHECK_WRITE | CHECK_ATOMIC;

    if (THREAD == 0) {
        if (mended)
            fence(c, 0);
        int64_t *count = c->ops->access(c, 1, &X[2], 8, access);
        if (++*count == c->grid_dim[0])
            *(int64_t *)c->ops->access(c, 2, &X[2], 8, CHECK_WRITE) = 0;
    }
    c->ops->end(c);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* clang-format off */
static const Twins all_twins[] = {
    { "last block", last_block, last_block, 0, 7, 1, "y[", BLOCKS, 64 },
    { "who fences", all_fence, all_fence, 0, 7, 1, "y[", BLOCKS, 64 },
    { "no fence", flag, flag, 0, 4, 1, "x[2]", 2, 32 },
    { "too near a fence", flag_fenced_in_block, flag_in_block, 0, 4, 1, "x[2]", 2, 64 },
    { "plain flag", flag_plain, flag, 2, 3, 1, "x[1]", 2, 32 },
    { "too early a fence", written_late, flag, 0, 4, 1, "x[2]", 2, 32 },
    { "lock", lock, lock, 2, 1, 1, "x[2]", BLOCKS, 32 },
    { "look back", look_back, look_back, 3, 4, 1, "y[", BLOCKS, 32 },
    { "lane", flag, lane_speaks, 0, 4, 1, "x[2]", 2, 32 },
    { "wide", wide_count, wide_count, 1, 2, 1, "x[2]", BLOCKS, 32 },
};

static const Twins crowded = { "crowd", crowd, crowd, 3, 9, 1, "y[", BLOCKS, 128 };
/* clang-format on */

static void test_fences_order_what_they_should_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(all_twins); i++)
        for (uint64_t seed = 0; seed < orders(6); seed++) {
            expect_race(&all_twins[i], seed);
            expect_peace(&all_twins[i], seed);
        }
}

static void test_very_many_releases_are_told_less_closely_but_still_told(void **state)
{
    (void)state;
    expect_race(&crowded, 0);
    expect_peace(&crowded, 0);
}

static void test_a_long_chain_of_blocks_runs_through(void **state)
{
    (void)state;
    Trial trial;
    mended = true;
    trial_open(&trial, look_back, 65536, 400, 32);
    trial.request.seed = 3;
    trial_run(&trial);
    assert_int_equal(trial.report.count, 0);
    assert_int_equal(trial.y[399], 399 * 400 / 2);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fences_order_what_they_should_and_nothing_else),
        cmocka_unit_test(test_very_many_releases_are_told_less_closely_but_still_told),
        cmocka_unit_test(test_a_long_chain_of_blocks_runs_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
