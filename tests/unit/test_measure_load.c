/* Whether times are worth anything, by what a machine says of itself: invented accounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/measure/load.h"

/* What passed between two readings: `ms` on the clock. */
typedef struct Passed {
    double ms, processor, waited, slices, others;
    int processors;
    const char *why; /* NULL: nothing is wrong */
} Passed;

static const Passed rows[] = {
    /* two threads that have a processor each */
    { 1000, 1990, 0, 10, 0, 2, NULL },
    { 50, 95, 0.1, 20, 10, 2, NULL },
    /* one waits while the other sleeps */
    { 1000, 1000, 400, 80, 0, 2, "its threads waited for a processor 40 % of the time" },
    { 50, 60, 4, 8, 0, 2, "its threads waited for a processor 7 % of the time" },
    /* more than all of the time, of all threads together */
    { 100, 40, 180, 60, 0, 2, "its threads waited for a processor 100 % of the time" },
    { 1000, 1500, 9, 10, 0, 2, NULL },
    /* threads that are woken often need a moment each time, and do not wait */
    { 1000, 1200, 400, 9000, 0, 2, NULL },
    /* a machine that does not tell of waiting: the process has lost its processor */
    { 1000, 700, 0, 0, 0, 2, "it had no processor 30 % of the time" },
    { 1000, 950, 0, 0, 0, 2, NULL },
    { 1.5, 0.8, 0, 0, 0, 2, NULL }, /* while its threads slept, the one for the other */
    /* others use what there is, however it is shared out */
    { 1000, 1900, 0, 0, 1000, 2, "other programs had 1 of 2 processors" },
    { 1000, 990, 0, 0, 500, 1, "other programs had 0.5 of 1 processor" },
    { 1000, 1900, 0, 0, 150, 2, NULL },
    { 1000, 15000, 0, 0, 900, 64, NULL },
    { 1000, 15000, 0, 0, 9000, 64, "other programs had 9 of 64 processors" },
    { 20, 20, 0, 0, 30, 2, NULL }, /* less than a tick of each is not known */
    { 1000, 1900, 0, 0, -500, 2, NULL },
    { 0, 0, 0, 0, 0, 0, NULL },
};

static void samples_are_worth_what_the_machine_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Passed *row = &rows[i];
        const Load from = { 100, 50, 7, 1000, 900, row->processors };
        const Load to = { from.wall + row->ms / 1e3,       from.processor + row->processor / 1e3,
                          from.waited + row->waited / 1e3, from.slices + row->slices,
                          from.others + row->others / 1e3, row->processors };
        char why[120] = "before";
        assert_int_equal(load_disturbs(&from, &to, why, sizeof why), row->why != NULL);
        assert_string_equal(why, row->why ? row->why : "");
    }
}

/* What this machine says of itself, whatever it is. */
static void what_the_machine_says_only_grows(void **state)
{
    Load from, to;
    (void)state;
    load_read(&from);
    for (volatile int i = 0; i < 20000000; i++)
        ;
    load_read(&to);
    assert_true(to.wall >= from.wall && to.processor > from.processor);
    assert_true(to.waited >= from.waited && to.slices >= from.slices);
    assert_int_equal(to.processors, from.processors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_worth_what_the_machine_says),
        cmocka_unit_test(what_the_machine_says_only_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
