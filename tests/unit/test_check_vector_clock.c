/* Vector clocks agree with plain tables of all clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/base.h"
#include "runtime/check/vector_clock.h"

enum { BLOCKS = 7, THREADS = 96, CLOCKS = 24, STEPS = 4000, TIMES = 8 };

/* Far from each other and next to each other, up to the highest bit. */
static const uint32_t numbers[BLOCKS] = { 0, 1, 2, 300, 301, 0x7fffffff, 0xfffffff0 };

/* The same as a plain table. */
typedef struct Table {
    struct {
        uint32_t barrier, time[THREADS];
        bool known;
    } block[BLOCKS];
} Table;

static Table tables[CLOCKS];
static VectorClock *clocks[CLOCKS];
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

static void replace(ClockHeap *heap, int at, VectorClock *clock)
{
    vector_clock_drop(heap, clocks[at]);
    clocks[at] = clock;
}

/* A clock becomes one that knows a row of a block, and what it knew. */
static void learn(ClockHeap *heap, int at)
{
    uint32_t block = draw(BLOCKS), barrier = draw(3);
    ClockRow row = { .warp = draw(THREADS / 32) };
    Table table = { .block[0] = { .known = false } };

    table.block[block].known = true;
    table.block[block].barrier = barrier;
    for (int i = 0; i < 32; i++)
        row.time[i] = table.block[block].time[32 * row.warp + (uint32_t)i] = draw(TIMES);
    VectorClock *leaf = vector_clock_new(heap, numbers[block], barrier, &row);
    replace(heap, at, vector_clock_join(heap, clocks[at], leaf));
    vector_clock_drop(heap, leaf);
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
                assert_int_equal(
                    vector_clock_has(clocks[at], numbers[block], thread, barrier, time),
                    table_has(&tables[at], block, thread, barrier, time));
            }
}

static void test_joined_clocks_have_what_either_has(void **context)
{
    (void)context;
    ClockHeap heap = { .chunks = NULL };
    for (int step = 0; step < STEPS; step++) {
        int a = (int)draw(CLOCKS), b = (int)draw(CLOCKS);
        if (draw(20) == 0) {
            replace(&heap, a, NULL);
            tables[a] = (Table){ .block[0] = { .known = false } };
        } else if (draw(2)) {
            learn(&heap, a);
        } else {
            replace(&heap, a, vector_clock_join(&heap, clocks[a], clocks[b]));
            join_tables(&tables[a], &tables[b]);
        }
        compare(a);
    }
    assert_false(heap.out);
    memset(clocks, 0, sizeof clocks);
    vector_clocks_close(&heap);
}

static void test_a_join_that_adds_nothing_is_what_was_there(void **context)
{
    (void)context;
    ClockHeap heap = { .chunks = NULL };
    ClockRow row = { .warp = 1, .time = { 3, 5 } }, less = { .warp = 1, .time = { 3, 4 } };
    VectorClock *a = vector_clock_new(&heap, 8, 2, &row), *b = vector_clock_new(&heap, 9, 2, &row);
    VectorClock *both = vector_clock_join(&heap, a, b),
                *small = vector_clock_new(&heap, 9, 2, &less);
    assert_ptr_equal(vector_clock_join(&heap, both, small), both);
    assert_ptr_equal(vector_clock_join(&heap, small, both), both);
    assert_ptr_equal(vector_clock_join(&heap, both, NULL), both);
    assert_ptr_equal(vector_clock_of_block(both, 9), b);
    assert_null(vector_clock_of_block(both, 10));
    vector_clocks_close(&heap);
}

/* What is dropped is used again: a chain of any length takes no more. */
static void test_a_long_chain_of_joins_takes_no_more_memory(void **context)
{
    (void)context;
    ClockHeap heap = { .chunks = NULL };
    VectorClock *clock = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        ClockRow row = { .warp = i / 32 % 3 };
        row.time[i % 32] = i + 1;
        VectorClock *leaf = vector_clock_new(&heap, i % 64, 0, &row),
                    *joined = vector_clock_join(&heap, clock, leaf);
        vector_clock_drop(&heap, leaf);
        vector_clock_drop(&heap, clock);
        clock = joined;
    }
    assert_true(heap.bytes <= 1 << 18);
    vector_clocks_close(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined_clocks_have_what_either_has),
        cmocka_unit_test(test_a_join_that_adds_nothing_is_what_was_there),
        cmocka_unit_test(test_a_long_chain_of_joins_takes_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
