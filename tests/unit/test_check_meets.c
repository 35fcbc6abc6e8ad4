/* Barriers, warp operations and what waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/check.h"

static uint64_t warp(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value, int argument)
{
    return c->ops->warp(c, site, kind, mask, value, argument, 32);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void two_barriers(KjitCheck *c, void *const *params)
{
    (void)params;
    if (THREAD < 32)
        sync(c, 0);
    else
        sync(c, 1);
    c->ops->end(c);
}

static void one_barrier(KjitCheck *c, void *const *params)
{
    (void)params;
    sync(c, 0);
    c->ops->end(c);
}

/* Who has ended counts as arrived, which is a finding. */
static void some_return(KjitCheck *c, void *const *params)
{
    if (THREAD >= 40)
        c->ops->end(c);
    sync(c, 0);
    store(c, 1, &Y[THREAD], 1);
    sync(c, 2);
    load(c, 3, &Y[39 - THREAD]);
    c->ops->end(c);
}

static void answers(KjitCheck *c, void *const *params)
{
    int64_t odd = THREAD % 2;
    store(c, 0, &Y[4 * THREAD], (int32_t)c->ops->barrier(c, 1, CHECK_BARRIER_COUNT, odd));
    store(c, 2, &Y[4 * THREAD + 1], (int32_t)c->ops->barrier(c, 3, CHECK_BARRIER_AND, odd));
    store(c, 4, &Y[4 * THREAD + 2], (int32_t)c->ops->barrier(c, 5, CHECK_BARRIER_OR, odd));
    store(c, 6, &Y[4 * THREAD + 3], (int32_t)c->ops->barrier(c, 7, CHECK_BARRIER_AND, 1));
    c->ops->end(c);
}

static void across_the_grid(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[GLOBAL], GLOBAL);
    c->ops->grid(c, 1);
    load(c, 2, &Y[COUNT - 1 - GLOBAL]);
    c->ops->end(c);
}

static void not_across_the_grid(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[GLOBAL], GLOBAL);
    if (BLOCK)
        c->ops->grid(c, 1);
    c->ops->end(c);
}

/* ---- warps ----------------------------------------------------------------------------------- */

static void sum_of_warp(KjitCheck *c, void *const *params)
{
    uint64_t sum = (uint64_t)THREAD;
    for (int by = 16; by; by /= 2)
        sum += warp(c, 0, CHECK_WARP_SHUFFLE_DOWN, UINT32_MAX, sum, by);
    store(c, 1, &Y[THREAD], (int32_t)sum);
    c->ops->end(c);
}

static void sum_of_returned(KjitCheck *c, void *const *params)
{
    if (THREAD >= 20)
        c->ops->end(c);
    sum_of_warp(c, params);
}

static void ballots(KjitCheck *c, void *const *params)
{
    if (THREAD < 16)
        store(c, 1, &Y[THREAD],
              (int32_t)warp(c, 0, CHECK_WARP_BALLOT, 0xffff, (uint64_t)THREAD % 3 == 0, 0));
    c->ops->end(c);
}

static void branched_ballots(KjitCheck *c, void *const *params)
{
    if (THREAD < 16)
        store(c, 1, &Y[THREAD],
              (int32_t)warp(c, 0, CHECK_WARP_BALLOT, UINT32_MAX, (uint64_t)THREAD % 3 == 0, 0));
    sync(c, 2);
    c->ops->end(c);
}

static void not_of_the_mask(KjitCheck *c, void *const *params)
{
    (void)params;
    syncwarp(c, 0, 0xffff);
    c->ops->end(c);
}

static void different_masks(KjitCheck *c, void *const *params)
{
    (void)params;
    warp(c, 0, CHECK_WARP_BALLOT, THREAD % 2 ? UINT32_MAX : UINT32_MAX - 2, 1, 0);
    c->ops->end(c);
}

static void reads_beyond_mask(KjitCheck *c, void *const *params)
{
    (void)params;
    if (THREAD < 16) {
        warp(c, 0, CHECK_WARP_SHUFFLE, 0xffff, 1, 20);
        if (c->shuffle_undefined)
            c->ops->undefined(c, -1, -1); /* it is used */
    } else {
        warp(c, 1, CHECK_WARP_BALLOT, 0xffff0000, 1, 0);
    }
    c->ops->end(c);
}

static void halves_of_masks(KjitCheck *c, void *const *params)
{
    if (THREAD < 16)
        store(c, 2, &Y[THREAD], (int32_t)warp(c, 0, CHECK_WARP_SHUFFLE, 0xffff, 7, 3));
    else
        store(c, 3, &Y[THREAD],
              (int32_t)warp(c, 1, CHECK_WARP_MATCH, 0xffff0000, (uint64_t)THREAD % 2, 0));
    c->ops->end(c);
}

/* Lanes in a branch ask who is there, and go on with the answer. */
static void who_is_there(KjitCheck *c, void *const *params)
{
    if (THREAD % 4 == 0) {
        uint32_t mask = (uint32_t)warp(c, 0, CHECK_WARP_ACTIVE, 0, 0, 0);
        store(c, 2, &Y[THREAD], (int32_t)warp(c, 1, CHECK_WARP_BALLOT, mask, 1, 0));
    }
    c->ops->end(c);
}

/* ---- what waits for ever --------------------------------------------------------------------- */

static void waits_for_nobody(KjitCheck *c, void *const *params)
{
    if (THREAD == 3)
        while (!atomic_add(c, 0, &X[1], 0))
            ;
    sync(c, 1);
    c->ops->end(c);
}

static void waits_for_later(KjitCheck *c, void *const *params)
{
    if (BLOCK == 0)
        while (!atomic_add(c, 0, &X[1], 0))
            ;
    if (BLOCK == c->grid_dim[0] - 1)
        atomic_add(c, 1, &X[1], 1);
    c->ops->end(c);
}

/* A lock that the lanes of a warp take one by one, while the others spin. */
static void lock_in_warp(KjitCheck *c, void *const *params)
{
    while (atomic_cas(c, 0, &X[1], 0, 1) != 0)
        ;
    fence(c, 1);
    atomic_add(c, 2, &X[1], -1);
    c->ops->end(c);
}

/* No thread lets go of it. */
static void lock_for_ever(KjitCheck *c, void *const *params)
{
    while (atomic_cas(c, 0, &X[1], 0, 1) != 0)
        ;
    c->ops->end(c);
}

/* All iterate together, and none ends it. */
static void round_and_round(KjitCheck *c, void *const *params)
{
    for (;;) {
        if (THREAD == 0)
            store(c, 1, &TILE[0], atomic_add(c, 0, &X[1], 0));
        sync(c, 2);
        if (load(c, 3, &TILE[0]))
            break;
        sync(c, 4);
    }
    c->ops->end(c);
}

static int32_t deeper(KjitCheck *c, int32_t *x, int32_t depth)
{
    volatile int32_t room[64];

    room[0] = load(c, 0, x);
    return depth < 0 ? room[0] : deeper(c, x, depth + 1 - room[0]) + room[0];
}

static void no_end_of_calls(KjitCheck *c, void *const *params)
{
    store(c, 1, &Y[GLOBAL], deeper(c, X, GLOBAL));
    c->ops->end(c);
}

static void only_barriers(KjitCheck *c, void *const *params)
{
    (void)params;
    for (;;)
        sync(c, 0);
}

/* Reads the same few places often, but not for ever. */
static void long_loop(KjitCheck *c, void *const *params)
{
    int32_t sum = 0;
    for (int i = 0; i < 60000; i++)
        sum += load(c, 0, &X[i % 3]);
    store(c, 1, &Y[GLOBAL], sum);
    c->ops->end(c);
}

/* Nothing is asked of lanes that are not there. */
static void only_syncwarp(KjitCheck *c, void *const *params)
{
    (void)params;
    store(c, 0, &TILE[THREAD], THREAD);
    syncwarp(c, 1, UINT32_MAX);
    load(c, 2, &TILE[(THREAD + 1) % THREADS]);
    c->ops->end(c);
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct Scenario {
    const char *name;
    Kernel *kernel;
    int rule, at, other; /* rule -1: nothing is found */
    const char *message; /* a part of it */
    uint32_t grid, block;
} Scenario;

/* clang-format off */
static const Scenario scenarios[] = {
    { "two barriers", two_barriers, FOUND_DIVERGENT_BARRIER, -2, -2, "different barriers", 2, 64 },
    { "one barrier", one_barrier, -1, 0, 0, "", 2, 64 },
    { "returned threads", some_return, FOUND_DIVERGENT_BARRIER, -2, -2, "have ended", 1, 64 },
    { "grid", across_the_grid, -1, 0, 0, "", 8, 32 },
    { "part of the grid", not_across_the_grid, FOUND_DEADLOCK, 1, -1, "some blocks have ended", 8,
      32 },
    { "sum", sum_of_warp, -1, 0, 0, "", 1, 32 },
    { "small block", sum_of_warp, FOUND_ABSENT_LANES, 0, -1, "has 10 lanes", 1, 10 },
    { "small block waits", only_syncwarp, -1, 0, 0, "", 1, 10 },
    { "sum of returned", sum_of_returned, FOUND_ABSENT_LANES, 0, -1, "which has ended", 1, 32 },
    { "ballots", ballots, -1, 0, 0, "", 1, 32 },
    { "branched ballots", branched_ballots, FOUND_ABSENT_LANES, 0, 2, "waits elsewhere", 1, 32 },
    { "not of the mask", not_of_the_mask, FOUND_ABSENT_LANES, 0, -1, "its own mask", 1, 32 },
    { "different masks", different_masks, FOUND_ABSENT_LANES, 0, 0, "different masks", 1, 32 },
    { "beyond the mask", reads_beyond_mask, FOUND_ABSENT_LANES, 0, -1, "reads lane 20", 1, 32 },
    { "halves", halves_of_masks, -1, 0, 0, "", 1, 32 },
    { "active lanes", who_is_there, -1, 0, 0, "", 1, 64 },
    { "nobody", waits_for_nobody, FOUND_DEADLOCK, 0, 1, "waits for ever for x[1]", 2, 64 },
    { "later block", waits_for_later, -1, 0, 0, "", 20, 64 },
    { "lock in a warp", lock_in_warp, -1, 0, 0, "", 2, 64 },
    { "lock for ever", lock_for_ever, FOUND_DEADLOCK, 0, -1, "waits for ever for x[1]", 2, 64 },
    { "round and round", round_and_round, FOUND_DEADLOCK, -2, -2, "for ever", 1, 64 },
    { "only barriers", only_barriers, FOUND_DEADLOCK, -2, -2, "for ever", 2, 64 },
    { "no end of calls", no_end_of_calls, FOUND_DEADLOCK, -2, -1, "stack is full", 2, 64 },
    { "long loop", long_loop, -1, 0, 0, "", 2, 2 },
};
/* clang-format on */

static void expect(const Scenario *scenario, uint64_t seed)
{
    Trial trial;
    bool found = false;

    trial_open(&trial, scenario->kernel, 256, scenario->grid, scenario->block);
    trial.request.seed = seed;
    trial.request.cooperative = scenario->kernel == across_the_grid;
    trial_run(&trial);
    for (int i = 0; i < trial.report.count; i++) {
        const CheckFinding *f = &trial.report.findings[i];
        if ((int)f->rule != scenario->rule)
            fail_msg("%s, seed %d: %s: %s", scenario->name, (int)seed, check_rule_name(f->rule),
                     f->message);
        found |= strstr(f->message, scenario->message) &&
                 (scenario->at == -2 || f->at.site == scenario->at) &&
                 (scenario->other == -2 || f->other.site == scenario->other);
    }
    if (!found && scenario->rule >= 0)
        fail_msg("%s, seed %d: not found; %d others: %s", scenario->name, (int)seed,
                 trial.report.count, trial.report.count ? trial.report.findings[0].message : "");
    trial_close(&trial);
}

static void test_threads_meet_or_the_checker_says_why_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(scenarios); i++)
        for (uint64_t seed = 0; seed < orders(4); seed++)
            expect(&scenarios[i], seed);
}

static void test_barriers_and_warps_answer(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, answers, 256, 1, 60);
    trial_run(&trial);
    for (int i = 0; i < 60; i++) {
        const int32_t expected[] = { 30, 0, 1, 1 };
        assert_memory_equal(&trial.y[4 * i], expected, sizeof expected);
    }
    trial_close(&trial);
    trial_open(&trial, sum_of_warp, 256, 1, 32);
    trial_run(&trial);
    assert_int_equal(trial.y[0], 31 * 32 / 2);
    trial_close(&trial);
    trial_open(&trial, ballots, 256, 1, 32);
    trial_run(&trial);
    assert_int_equal(trial.y[5], 0x9249);
    trial_close(&trial);
    trial_open(&trial, halves_of_masks, 256, 1, 32);
    trial_run(&trial);
    assert_int_equal(trial.y[0], 7);
    assert_int_equal((uint32_t)trial.y[17], 0xaaaa0000);
    trial_close(&trial);
    trial_open(&trial, who_is_there, 256, 1, 32);
    trial_run(&trial);
    assert_int_equal(trial.y[8], 0x11111111);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_meet_or_the_checker_says_why_not),
        cmocka_unit_test(test_barriers_and_warps_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
