/* How many threads jobs get, on machines that are made up: how long a job takes there, and for how
** long its threads compute, follows from their number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/crew_size.h"

enum { KIND = 1 };

/* Jobs of `ms` for one thread, one behind the other. */
typedef struct Machine {
    double rates[17]; /* ms that so many threads compute in one */
    double ms, now;
    double wasted; /* of the time that several threads compute */
    CrewSize size;
} Machine;

/* Runs jobs for so many milliseconds; returns how many each of them took, of what it takes one
** thread that nobody interrupts. */
static double run_for(Machine *machine, int most, double ms)
{
    double begin = machine->now, jobs = 0;

    while (machine->now < begin + ms) {
        int threads = crew_size(&machine->size, KIND, most);
        assert_in_range(threads, 1, most);
        CrewDone done = { KIND, threads, machine->ms / machine->rates[threads], machine->ms };
        if (threads > 1)
            done.worked /= 1 - machine->wasted;
        machine->now += done.took;
        crew_size_note(&machine->size, &done, machine->now);
        jobs++;
    }
    return (machine->now - begin) / jobs / machine->ms;
}

/* A job that may have two threads. */
static void note(Machine *machine, int threads, double took, double worked)
{
    crew_size_note(&machine->size, &(CrewDone){ KIND, threads, took, worked }, machine->now);
}

static bool near(double value, double expected)
{
    return value > 0.999 * expected && value < 1.001 * expected;
}

static void all_threads_where_none_is_interrupted(void **state)
{
    Machine machine = { .rates = { 0, 1, 1.8 }, .ms = 0.05, .now = 1e6 };

    (void)state;
    assert_false(crew_size_settled(&machine.size));
    assert_true(near(run_for(&machine, 2, 1000), 1 / 1.8));
    assert_true(crew_size_settled(&machine.size));
    machine.rates[16] = 9;
    assert_true(near(run_for(&machine, 16, 1000), 1 / 9.0));
    machine.ms = 10000;
    assert_true(near(run_for(&machine, 16, 100000), 1 / 9.0));
}

static void one_alone_where_two_are_slower(void **state)
{
    Machine machine = { .rates = { 0, 1, 0.5 }, .ms = 0.05 };

    (void)state;
    /* The first milliseconds, and trials. */
    assert_true(run_for(&machine, 2, 40) < 1.15);
    assert_true(run_for(&machine, 2, 10000) < 1.1);
    assert_false(crew_size_settled(&machine.size));
}

static void all_again_when_the_processors_are_free(void **state)
{
    Machine machine = { .rates = { 0, 1, 0.5 }, .ms = 0.05 };

    (void)state;
    run_for(&machine, 2, 10000);
    machine.rates[2] = 2;
    run_for(&machine, 2, 150);
    assert_true(near(run_for(&machine, 2, 1000), 0.5));
}

static void two_that_are_interrupted_where_one_is_more(void **state)
{
    Machine machine = { .rates = { 0, 0.5, 0.8 }, .ms = 0.05 };

    (void)state;
    run_for(&machine, 2, 1000);
    assert_true(run_for(&machine, 2, 10000) < 1.01 / 0.8);
}

static void interruptions_cost_little(void **state)
{
    Machine machine = { .rates = { 0, 1, 1.8 }, .ms = 0.05 };

    (void)state;
    run_for(&machine, 2, 1000);
    note(&machine, 2, 4, 0.05);
    assert_int_equal(crew_size(&machine.size, KIND, 2), 2);
    note(&machine, 2, 4, 0.05);
    assert_int_equal(crew_size(&machine.size, KIND, 2), 1);
    run_for(&machine, 2, 5);
    assert_true(near(run_for(&machine, 2, 1000), 1 / 1.8));
}

static void long_jobs_that_end_late(void **state)
{
    Machine machine = { .rates = { 0, 1, 1.3 }, .ms = 20 };

    (void)state;
    assert_true(near(run_for(&machine, 2, 10000), 1 / 1.3));
}

static void one_alone_where_two_waste_time(void **state)
{
    Machine machine = { .rates = { 0, 1, 0.9 }, .ms = 0.01, .wasted = 0.5 };

    (void)state;
    assert_true(run_for(&machine, 2, 10000) < 1.05);
    machine.rates[2] = 1.8;
    machine.wasted = 0;
    run_for(&machine, 2, 150);
    assert_true(near(run_for(&machine, 2, 1000), 1 / 1.8));
    /* Two that waste time and are faster nevertheless. */
    machine.rates[2] = 1.2;
    machine.wasted = 0.3;
    assert_true(near(run_for(&machine, 2, 1000), 1 / 1.2));
}

static void trials_cost_little_where_jobs_are_few(void **state)
{
    Machine machine = { .rates = { 0, 1, 0.5 }, .ms = 0.05 };
    double took = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        took += run_for(&machine, 2, 1);
        machine.now += 30;
    }
    assert_true(took / 1000 < 1.15);
}

static void jobs_of_one_kind_that_become_longer(void **state)
{
    Machine machine = { .rates = { 0, 1, 1.8 }, .ms = 0.05 };

    (void)state;
    run_for(&machine, 2, 1000);
    machine.ms = 5;
    run_for(&machine, 2, 1000);
    assert_true(near(run_for(&machine, 2, 10000), 1 / 1.8));
}

static void what_did_not_run_as_it_would_now_does_not_count(void **state)
{
    Machine machine = { .rates = { 0, 1, 0.5 }, .ms = 0.05 };

    (void)state;
    for (int i = 0; i < 1000; i++)
        note(&machine, 1, 1, 0.01);
    note(&machine, 2, 0, 0);
    assert_int_equal(crew_size(&machine.size, KIND, 2), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_where_none_is_interrupted),
        cmocka_unit_test(one_alone_where_two_are_slower),
        cmocka_unit_test(all_again_when_the_processors_are_free),
        cmocka_unit_test(two_that_are_interrupted_where_one_is_more),
        cmocka_unit_test(interruptions_cost_little),
        cmocka_unit_test(long_jobs_that_end_late),
        cmocka_unit_test(one_alone_where_two_waste_time),
        cmocka_unit_test(trials_cost_little_where_jobs_are_few),
        cmocka_unit_test(jobs_of_one_kind_that_become_longer),
        cmocka_unit_test(what_did_not_run_as_it_would_now_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
