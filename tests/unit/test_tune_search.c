/* Search strategies over spaces that are numbers: what they ask for, and what they find. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/search/gp.h"
#include "cli/search/search.h"
#include "tests/unit/spaces.h"

/* ---- a tutorial's recorded space ------------------------------------------------------------- */

/* A tiled matrix product of 4096 x 4096 on a GTX TITAN X: ms, as Kernel Tuner's tutorial "Matrix
** multiplication" prints them; of 64, 16, 4, 4 it prints nothing: too much shared memory. */
static const struct {
    int block_x, block_y, tile_x, tile_y;
    double ms;
} recorded[] = {
    { 16, 4, 1, 4, 116.965977478 },  { 16, 4, 2, 4, 78.8942474365 },
    { 16, 4, 4, 4, 74.6099975586 },  { 16, 8, 1, 2, 139.567144775 },
    { 16, 8, 2, 2, 99.2369506836 },  { 16, 8, 4, 2, 76.6434997559 },
    { 16, 16, 1, 1, 181.034790039 }, { 16, 16, 2, 1, 137.795379639 },
    { 16, 16, 4, 1, 115.078149414 }, { 32, 8, 1, 4, 106.250497437 },
    { 32, 8, 2, 4, 66.8792709351 },  { 32, 8, 4, 4, 56.9498825073 },
    { 32, 16, 1, 2, 128.12996521 },  { 32, 16, 2, 2, 87.9004043579 },
    { 32, 16, 4, 2, 67.264831543 },  { 32, 32, 1, 1, 181.32989502 },
    { 32, 32, 2, 1, 133.450820923 }, { 32, 32, 4, 1, 108.808274841 },
    { 64, 16, 1, 4, 105.944480896 }, { 64, 16, 2, 4, 65.4696899414 },
    { 64, 16, 4, 4, INFINITY },
};

static double worth_recorded(const double *at, const uint32_t *config)
{
    (void)config;
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        if (recorded[i].block_x == at[0] && recorded[i].block_y == at[1] &&
            recorded[i].tile_x == at[2] && recorded[i].tile_y == at[3])
            return recorded[i].ms;
    return (double)NAN;
}

static void make_recorded(Space *made)
{
    static const double block_x[] = { 16, 32, 64 }, block_y[] = { 1, 2, 4, 8, 16, 32 },
                        tile[] = { 1, 2, 4 };
    static const double *const numbers[] = { block_x, block_y, tile, tile };
    make_space(made, 4, (const size_t[]){ 3, 6, 3, 3 }, numbers, worth_recorded);
    assert_int_equal(made->space.count, 21);
}

/* ---- a larger one, made up ------------------------------------------------------------------- */

/* Some rule of what tiles cost: work a thread, reuse, occupancy, a cliff where registers run out,
** and roughness of 5 %. */
static double worth_tiles(const double *at, const uint32_t *config)
{
    double threads = at[0] * at[1], width = at[0] * at[2], height = at[1] * at[3];
    double registers = 20 + 4 * at[2] * at[3] + 2 * at[4], shared = (width + height) * at[4] * 4;
    if (threads < 32 || threads > 1024 || fmod(at[0], at[1]) != 0)
        return (double)NAN;
    if (shared > 49152)
        return (double)INFINITY;
    double blocks = fmin(65536 / (registers * threads), floor(100000 / (shared + 1024)));
    double occupancy = fmin(1, fmin(blocks, 32) * threads / 2048);
    double memory = 1 + 300 * (1 / width + 1 / height);
    double compute = 3 * (1 + 2 / (at[2] * at[3]) + 0.5 / at[4] + (registers > 200 ? 3 : 0));
    double value = (fmax(memory, compute) + 0.3 * fmin(memory, compute)) /
                   fmin(1, 0.3 + 1.5 * occupancy) * (config[5] && width > 32 ? 0.9 : 1);
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 6; i++)
        hash = (hash ^ config[i]) * 16777619u;
    return value * (1 + 0.05 * ((hash >> 16) / 65536.0 - 0.5));
}

static void make_tiles(Space *made)
{
    static const double x[] = { 16, 32, 64, 128 }, y[] = { 1, 2, 4, 8, 16, 32 },
                        tile[] = { 1, 2, 4, 8 }, deep[] = { 1, 2, 4, 8, 16 };
    static const double *const numbers[] = { x, y, tile, tile, deep, NULL };
    make_space(made, 6, (const size_t[]){ 4, 6, 4, 4, 5, 2 }, numbers, worth_tiles);
    assert_true(made->space.count > 2000);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void the_model_finds_the_tutorials_best_in_a_quarter_of_the_evaluations(void **state)
{
    Space made;
    (void)state;
    make_recorded(&made);
    double model = median_found(&made, "model", made.space.count / 4);
    double chance = median_found(&made, "random", made.space.count / 4);
    assert_true(model <= 1.05);
    assert_true(model < chance);
    free_space(&made);
}

static void the_model_finds_a_good_one_in_a_hundredth_of_thousands(void **state)
{
    Space made;
    (void)state;
    make_tiles(&made);
    double model = median_found(&made, "model", made.space.count / 100);
    double chance = median_found(&made, "random", made.space.count / 100);
    assert_true(model <= 1.05);
    assert_true(model < chance);
    free_space(&made);
}

static void local_and_genetic_search_beat_chance(void **state)
{
    Space made;
    (void)state;
    make_tiles(&made);
    double chance = median_found(&made, "random", 100);
    assert_true(median_found(&made, "greedy", 100) < chance);
    assert_true(median_found(&made, "genetic", 100) < chance);
    free_space(&made);
}

static void each_strategy_finds_the_best_when_it_may_look_at_all(void **state)
{
    Space made;
    (void)state;
    make_recorded(&made);
    for (size_t i = 0; strategy_at(i); i++) {
        assert_true(found(&made, strategy_at(i)->name, SIZE_MAX, 7) == 1);
        assert_int_equal(made.asked_count, 21);
    }
    free_space(&made);
}

static void budgets_are_kept(void **state)
{
    Space made;
    (void)state;
    make_tiles(&made);
    for (size_t i = 0; strategy_at(i); i++) {
        const size_t budgets[] = { 0, 1, 2, 3, 17, 60 };
        for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
            made.said = 0;
            found(&made, strategy_at(i)->name, budgets[b], b);
            assert_int_equal(made.asked_count, budgets[b]);
            assert_int_equal(made.said > 0, budgets[b] > 0);
        }
    }
    free_space(&made);
}

static void a_search_ends_when_the_callback_says_so(void **state)
{
    Space made;
    (void)state;
    make_tiles(&made);
    for (size_t i = 0; strategy_at(i); i++) {
        for (made.stop_at = 0; made.stop_at < 40; made.stop_at += 13) {
            found(&made, strategy_at(i)->name, 100, 3);
            assert_int_equal(made.asked_count, made.stop_at);
        }
    }
    free_space(&made);
}

static void the_same_seed_makes_the_same_search_and_another_another(void **state)
{
    Space made, again;
    (void)state;
    make_tiles(&made);
    make_tiles(&again);
    for (size_t i = 0; strategy_at(i); i++) {
        const char *name = strategy_at(i)->name;
        found(&made, name, 40, 5);
        found(&again, name, 40, 5);
        assert_memory_equal(made.asked, again.asked, 40 * sizeof made.asked[0]);
        found(&again, name, 40, 6);
        bool same = !memcmp(made.asked, again.asked, 40 * sizeof made.asked[0]);
        assert_int_equal(same, !strcmp(name, "exhaustive"));
    }
    free_space(&made);
    free_space(&again);
}

static double worth_nothing(const double *at, const uint32_t *config)
{
    (void)at, (void)config;
    return (double)NAN;
}

static double worth_failure(const double *at, const uint32_t *config)
{
    (void)at, (void)config;
    return (double)INFINITY;
}

static double worth_the_same(const double *at, const uint32_t *config)
{
    (void)at, (void)config;
    return 2;
}

static double worth_below_zero(const double *at, const uint32_t *config)
{
    (void)at;
    return -100.0 * config[0] - config[1];
}

static double worth_one(const double *at, const uint32_t *config)
{
    (void)at;
    return config[0] == 1 && config[1] == 2 ? 1 : (double)NAN;
}

static void small_and_odd_spaces_are_searched(void **state)
{
    static Worth *const worths[] = { worth_nothing, worth_failure, worth_the_same, worth_below_zero,
                                     worth_one };
    static const double numbers[] = { 1, 2, 3, 4 }, same[] = { 3, 3, 3 };
    static const double *const lists[][2] = { { numbers, same },
                                              { NULL, NULL },
                                              { numbers, NULL } };
    (void)state;
    for (size_t w = 0; w < sizeof worths / sizeof worths[0]; w++) {
        for (size_t l = 0; l < 3; l++) {
            Space made;
            make_space(&made, 2, (const size_t[]){ 4, 3 }, lists[l], worths[w]);
            for (size_t i = 0; strategy_at(i); i++) {
                double best = found(&made, strategy_at(i)->name, 100, l);
                assert_int_equal(made.asked_count, made.space.count);
                assert_true(made.space.count == 0 || isnan(best) || best == 1);
            }
            free_space(&made);
        }
    }
}

static void a_space_without_parameters_has_one_configuration(void **state)
{
    Space made;
    (void)state;
    make_space(&made, 0, NULL, NULL, worth_the_same);
    assert_int_equal(made.space.count, 1);
    for (size_t i = 0; strategy_at(i); i++) {
        assert_true(found(&made, strategy_at(i)->name, 10, 1) == 1);
        assert_int_equal(made.asked_count, 1);
    }
    free_space(&made);
}

static void neighbours_differ_in_one_parameter_and_are_allowed(void **state)
{
    Space made;
    size_t list[64];
    (void)state;
    make_tiles(&made);
    Search search = { .space = &made.space, .seed = 1 };
    for (size_t index = 0; index < made.space.count; index += 97) {
        size_t count = search_neighbours(&search, index, list);
        assert_true(count <= search_neighbour_room(&made.space));
        for (size_t i = 0; i < count; i++) {
            const uint32_t *one = search_config(&made.space, index);
            const uint32_t *other = search_config(&made.space, list[i]);
            int differ = 0;
            for (size_t p = 0; p < made.space.params; p++)
                differ += one[p] != other[p];
            assert_int_equal(differ, 1);
        }
        assert_int_equal(search_find(&made.space, search_config(&made.space, index)), index);
    }
    free_space(&made);
}

static void a_process_goes_through_its_points_and_doubts_elsewhere(void **state)
{
    const double x[] = { 0, 0.25, 0.5, 1 }, y[] = { 3, 2, 4, 8 };
    double mean, near, far;
    Gp gp;
    (void)state;
    assert_true(gp_new(&gp, 1, 4));
    assert_true(gp_learn(&gp, x, y, 4, false));
    for (int i = 0; i < 4; i++) {
        gp_predict(&gp, &x[i], &mean, &near);
        assert_true(fabs(mean - y[i]) < 0.2);
        assert_true(near < 0.2);
    }
    gp_predict(&gp, &(double){ 0.77 }, &mean, &far);
    assert_true(mean > 4 && mean < 8);
    assert_true(far > near);
    gp_free(&gp);
}

static void a_process_goes_on_where_values_rise(void **state)
{
    const double x[] = { 0, 0.2, 0.4 }, y[] = { 1, 2, 3 };
    double mean, deviation;
    Gp gp;
    (void)state;
    assert_true(gp_new(&gp, 1, 3));
    assert_true(gp_learn(&gp, x, y, 3, true));
    gp_predict(&gp, &(double){ 0.8 }, &mean, &deviation);
    assert_true(mean > 3.5);
    gp_free(&gp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_finds_the_tutorials_best_in_a_quarter_of_the_evaluations),
        cmocka_unit_test(the_model_finds_a_good_one_in_a_hundredth_of_thousands),
        cmocka_unit_test(local_and_genetic_search_beat_chance),
        cmocka_unit_test(each_strategy_finds_the_best_when_it_may_look_at_all),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(a_search_ends_when_the_callback_says_so),
        cmocka_unit_test(the_same_seed_makes_the_same_search_and_another_another),
        cmocka_unit_test(small_and_odd_spaces_are_searched),
        cmocka_unit_test(a_space_without_parameters_has_one_configuration),
        cmocka_unit_test(neighbours_differ_in_one_parameter_and_are_allowed),
        cmocka_unit_test(a_process_goes_through_its_points_and_doubts_elsewhere),
        cmocka_unit_test(a_process_goes_on_where_values_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
