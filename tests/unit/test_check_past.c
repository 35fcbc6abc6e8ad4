/* Pasts of threads tell what tables of all their clocks would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/base.h"
#include "runtime/check/past.h"

enum { BLOCKS = 7, THREADS = 96, PASTS = 24, STEPS = 4000, TIMES = 8 };

/* Far from each other and next to each other, up to the highest bit. */
static const uint32_t numbers[BLOCKS] = { 0, 1, 2, 300, 301, 0x7fffffff, 0xfffffff0 };

/* The same, told at length. */
typedef struct Table {
    struct {
        uint32_t barrier, time[THREADS];
        bool known;
    } block[BLOCKS];
} Table;

static Table tables[PASTS];
static Past *pasts[PASTS];
static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

static void join_tables(Table *a, const Table *b)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (!b->block[i].known)
            continue;
        if (!a->block[i].known || a->block[i].barrier < b->block[i].barrier)
            a->block[i] = b->block[i];
        else if (a->block[i].barrier == b->block[i].barrier)
            for (int k = 0; k < THREADS; k++)
                if (a->block[i].time[k] < b->block[i].time[k])
                    a->block[i].time[k] = b->block[i].time[k];
    }
}

static void replace(PastHeap *heap, int at, Past *past)
{
    past_drop(heap, pasts[at]);
    pasts[at] = past;
}

/* A past becomes one that knows a row of a block, and what it knew. */
static void learn(PastHeap *heap, int at)
{
    uint32_t block = draw(BLOCKS), barrier = draw(3);
    PastRow row = { .warp = draw(THREADS / 32) };
    Table table = { .block[0] = { .known = false } };

    table.block[block].known = true;
    table.block[block].barrier = barrier;
    for (int i = 0; i < 32; i++)
        row.time[i] = table.block[block].time[32 * row.warp + (uint32_t)i] = draw(TIMES);
    Past *leaf = past_make(heap, numbers[block], barrier, &row);
    replace(heap, at, past_join(heap, pasts[at], leaf));
    past_drop(heap, leaf);
    join_tables(&tables[at], &table);
}

static bool table_has(const Table *table, uint32_t block, uint32_t thread, uint32_t barrier,
                      uint32_t time)
{
    if (!table->block[block].known || barrier >= table->block[block].barrier)
        return table->block[block].known && barrier == table->block[block].barrier &&
               table->block[block].time[thread] > time;
    return true;
}

static void compare(int at)
{
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t thread = 0; thread < THREADS; thread++)
            for (uint32_t barrier = 0; barrier < 4; barrier++) {
                uint32_t time = draw(TIMES);
                assert_int_equal(past_has(pasts[at], numbers[block], thread, barrier, time),
                                 table_has(&tables[at], block, thread, barrier, time));
            }
}

static void test_joined_pasts_have_what_either_has(void **context)
{
    (void)context;
    PastHeap heap = { .chunks = NULL };
    for (int step = 0; step < STEPS; step++) {
        int a = (int)draw(PASTS), b = (int)draw(PASTS);
        if (draw(20) == 0) {
            replace(&heap, a, NULL);
            tables[a] = (Table){ .block[0] = { .known = false } };
        } else if (draw(2)) {
            learn(&heap, a);
        } else {
            replace(&heap, a, past_join(&heap, pasts[a], pasts[b]));
            join_tables(&tables[a], &tables[b]);
        }
        compare(a);
    }
    assert_false(heap.out);
    memset(pasts, 0, sizeof pasts);
    past_close(&heap);
}

static void test_a_join_that_adds_nothing_is_what_was_there(void **context)
{
    (void)context;
    PastHeap heap = { .chunks = NULL };
    PastRow row = { .warp = 1, .time = { 3, 5 } }, less = { .warp = 1, .time = { 3, 4 } };
    Past *a = past_make(&heap, 8, 2, &row), *b = past_make(&heap, 9, 2, &row);
    Past *both = past_join(&heap, a, b), *small = past_make(&heap, 9, 2, &less);
    assert_ptr_equal(past_join(&heap, both, small), both);
    assert_ptr_equal(past_join(&heap, small, both), both);
    assert_ptr_equal(past_join(&heap, both, NULL), both);
    assert_ptr_equal(past_of_block(both, 9), b);
    assert_null(past_of_block(both, 10));
    past_close(&heap);
}

/* What is dropped is used again: a chain of any length takes no more. */
static void test_a_long_chain_of_joins_takes_no_more_memory(void **context)
{
    (void)context;
    PastHeap heap = { .chunks = NULL };
    Past *past = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        PastRow row = { .warp = i / 32 % 3 };
        row.time[i % 32] = i + 1;
        Past *leaf = past_make(&heap, i % 64, 0, &row), *joined = past_join(&heap, past, leaf);
        past_drop(&heap, leaf);
        past_drop(&heap, past);
        past = joined;
    }
    assert_true(heap.bytes <= 1 << 18);
    past_close(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined_pasts_have_what_either_has),
        cmocka_unit_test(test_a_join_that_adds_nothing_is_what_was_there),
        cmocka_unit_test(test_a_long_chain_of_joins_takes_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
