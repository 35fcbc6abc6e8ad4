/* What a launch shows, and the variants of kernels made for it: each fact at the very edge of where
** it holds, and which variant a launch gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/launch/variant.h"
#include "tests/unit/library.h"

#define EDGE (INT64_C(1) << 31)

/* Where nothing lies: facts look at addresses alone. */
static char *const nowhere = (char *)(uintptr_t)0x100000;

static kjit_arg array_at(void *data, kjit_dtype dtype, int rank, const int64_t *shape)
{
    return kjit_arg_array(kjit_host_array(data, dtype, rank, shape));
}

static kjit_arg bytes_at(char *data, int64_t count)
{
    return array_at(data, KJIT_DTYPE_INT8, 1, &count);
}

static kjit_arg floats_at(char *data, int64_t count)
{
    return array_at(data, KJIT_DTYPE_FLOAT32, 1, &count);
}

static IrFacts facts_on(const Device *device, const kjit_arg *args, size_t count)
{
    IrFacts facts;

    facts_of_launch(args, count, NULL, device, &facts);
    return facts;
}

#define FACTS(...)                                                                                 \
    facts_on(context->device, (const kjit_arg[]){ __VA_ARGS__ },                                   \
             sizeof((const kjit_arg[]){ __VA_ARGS__ }) / sizeof(kjit_arg))

/* A device with memory of its own, for facts alone. */
static Device device_elsewhere(DeviceOps *ops)
{
    Device device = { .ops = ops };

    *ops = *context->device->ops;
    ops->host_memory = false;
    return device;
}

/* ---- overlaps -------------------------------------------------------------------------------- */

static void arrays_that_touch_are_alone(void **state)
{
    (void)state;
    assert_int_equal(FACTS(bytes_at(nowhere, 100), bytes_at(nowhere + 100, 9)).alone, 3);
    assert_int_equal(FACTS(floats_at(nowhere + 40, 1), floats_at(nowhere, 10)).alone, 3);
}

static void one_byte_in_common_is_an_overlap(void **state)
{
    (void)state;
    assert_int_equal(FACTS(bytes_at(nowhere, 100), bytes_at(nowhere + 99, 9)).alone, 0);
    assert_int_equal(FACTS(floats_at(nowhere, 10), bytes_at(nowhere + 39, 1)).alone, 0);
    assert_int_equal(FACTS(floats_at(nowhere, 10), floats_at(nowhere + 36, 10)).alone, 0);
    assert_int_equal(FACTS(floats_at(nowhere, 10), floats_at(nowhere, 10)).alone, 0);
    assert_int_equal(FACTS(bytes_at(nowhere, 100), bytes_at(nowhere + 50, 1)).alone, 0);
}

static void a_third_array_may_well_be_alone(void **state)
{
    (void)state;
    assert_int_equal(
        FACTS(bytes_at(nowhere, 10), bytes_at(nowhere + 5, 10), bytes_at(nowhere + 15, 10)).alone,
        4);
}

static void empty_arrays_overlap_nothing(void **state)
{
    (void)state;
    assert_int_equal(FACTS(bytes_at(nowhere, 100), bytes_at(nowhere + 50, 0)).alone, 3);
    assert_int_equal(FACTS(bytes_at(nowhere, 0), bytes_at(nowhere, 0)).alone, 3);
    assert_int_equal(FACTS(bytes_at(NULL, 0), bytes_at(NULL, 0)).alone, 3);
}

static void reversed_arrays_reach_below_their_data(void **state)
{
    kjit_arg reversed = floats_at(nowhere + 36, 10), beside = floats_at(nowhere, 1);

    (void)state;
    reversed.as.array.strides[0] = -4;
    assert_int_equal(FACTS(reversed, beside).alone, 0);
    beside.as.array.data = nowhere - 4;
    assert_int_equal(FACTS(reversed, beside).alone, 3);
    beside.as.array.data = nowhere + 40;
    assert_int_equal(FACTS(reversed, beside).alone, 3);
}

/* Even and odd elements have no byte in common, but are not known to be alone. */
static void what_lies_between_elements_counts(void **state)
{
    kjit_arg even = floats_at(nowhere, 10), odd = floats_at(nowhere + 4, 10);

    (void)state;
    even.as.array.strides[0] = odd.as.array.strides[0] = 8;
    assert_int_equal(FACTS(even, odd).alone, 0);
}

static void arrays_in_tuples_overlap_too(void **state)
{
    const kjit_arg items[] = { floats_at(nowhere, 10), floats_at(nowhere + 400, 10) };
    const kjit_arg twice[] = { floats_at(nowhere, 10), floats_at(nowhere, 10) };
    const kjit_arg outer[] = { kjit_arg_int64(1), kjit_arg_tuple(items, 2) };

    (void)state;
    assert_int_equal(FACTS(kjit_arg_tuple(items, 2), floats_at(nowhere + 436, 10)).alone & 2, 0);
    assert_int_equal(FACTS(kjit_arg_tuple(outer, 2), floats_at(nowhere + 436, 10)).alone & 2, 0);
    assert_int_equal(FACTS(kjit_arg_tuple(items, 2), floats_at(nowhere + 440, 10)).alone & 2, 2);
    assert_int_equal(FACTS(kjit_arg_tuple(twice, 2), floats_at(nowhere + 440, 10)).alone & 2, 2);
}

/* One of its arrays being alone says nothing of the other. */
static void tuples_themselves_are_not_alone(void **state)
{
    const kjit_arg items[] = { floats_at(nowhere, 10), floats_at(nowhere + 400, 10) };

    (void)state;
    assert_int_equal(FACTS(kjit_arg_tuple(items, 2), floats_at(nowhere + 436, 10)).alone, 0);
}

static void among_many_arrays_none_is_alone(void **state)
{
    kjit_arg args[17];

    (void)state;
    for (int i = 0; i < 17; i++)
        args[i] = floats_at(nowhere + 4096 * i, 10);
    assert_int_equal(facts_on(context->device, args, 16).alone, 0xffff);
    assert_int_equal(facts_on(context->device, args, 17).alone, 0);
}

static void nothing_is_known_of_the_65th_parameter(void **state)
{
    kjit_arg args[66];

    (void)state;
    for (int i = 0; i < 66; i++)
        args[i] = i == 65 ? floats_at(nowhere, 16) : kjit_arg_int64(INT64_MAX);
    IrFacts facts = facts_on(context->device, args, 66);
    assert_true(!facts.alone && !facts.aligned && !facts.elements_to_4096 &&
                !facts.scalars_30_bits);
    assert_false(launch_alone(&(IrLaunch){ .facts.alone = UINT64_MAX }, 64));
}

/* ---- extents --------------------------------------------------------------------------------- */

/* What elements and threads may not come to. */
#define ROOM (EDGE - 2 * NARROW_SLACK)

static bool is_narrow(uint32_t blocks, uint32_t threads, int rank, const int64_t *shape,
                      int64_t stride)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { blocks, 1, 1 },
                                        .block = { threads, 1, 1 } };
    kjit_arg arg = array_at(nowhere, KJIT_DTYPE_INT8, rank, shape);
    IrFacts facts;

    if (stride != 1)
        arg.as.array.strides[0] = stride;
    facts_of_launch(&arg, 1, &config, context->device, &facts);
    return facts.narrow;
}

static void extents_and_threads_together_stay_below_two_to_the_31_with_room(void **state)
{
    (void)state;
    assert_true(is_narrow(1, 1, 1, (int64_t[]){ ROOM - 2 }, 1));
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ ROOM - 1 }, 1));
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ ROOM }, 1));
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ ROOM + 1 }, 1));
    assert_true(is_narrow(4, 256, 1, (int64_t[]){ ROOM - 1025 }, 1));
    assert_false(is_narrow(4, 256, 1, (int64_t[]){ ROOM - 1024 }, 1));
}

static void the_longest_axis_of_the_grid_counts(void **state)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 2, 1, 65535 },
                                        .block = { 1, 1, 64 } };
    kjit_arg arg = bytes_at(nowhere, ROOM - 1 - 65535 * 64);
    IrFacts facts;

    (void)state;
    facts_of_launch(&arg, 1, &config, context->device, &facts);
    assert_true(facts.narrow);
    arg.as.array.shape[0]++;
    facts_of_launch(&arg, 1, &config, context->device, &facts);
    assert_false(facts.narrow);
    facts_of_launch(NULL, 0,
                    &(kjit_launch_config){ .grid = { 1 << 23, 1, 1 }, .block = { 256, 1, 1 } },
                    context->device, &facts);
    assert_false(facts.narrow);
}

static void all_elements_count_not_only_extents(void **state)
{
    (void)state;
    assert_true(is_narrow(1, 1, 2, (int64_t[]){ 1 << 16, (1 << 15) - 3 }, (1 << 15) - 3));
    assert_false(is_narrow(1, 1, 2, (int64_t[]){ 1 << 16, (1 << 15) - 2 }, (1 << 15) - 2));
}

static void what_strides_reach_counts_and_so_do_extents_without_any(void **state)
{
    (void)state;
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ 2 }, ROOM));
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ 2 }, -ROOM));
    assert_true(is_narrow(1, 1, 1, (int64_t[]){ 2 }, ROOM - 4));
    assert_true(is_narrow(1, 1, 1, (int64_t[]){ 2 }, 4 - ROOM));
    assert_false(is_narrow(1, 1, 1, (int64_t[]){ ROOM }, 0));
    assert_false(is_narrow(1, 1, 2, (int64_t[]){ 0, ROOM }, 0));
}

static void arrays_in_tuples_can_be_too_long_too(void **state)
{
    const kjit_arg items[] = { bytes_at(nowhere, EDGE) };

    (void)state;
    assert_false(FACTS(kjit_arg_tuple(items, 1)).narrow);
    assert_true(FACTS(kjit_arg_tuple(items, 0)).narrow);
}

/* ---- alignment ------------------------------------------------------------------------------- */

static uint64_t aligned(kjit_arg arg)
{
    return FACTS(arg).aligned;
}

static void only_multiples_of_16_are_aligned(void **state)
{
    (void)state;
    assert_true(aligned(floats_at(nowhere, 5)));
    for (int k = 1; k < 16; k++)
        assert_false(aligned(bytes_at(nowhere + k, 32)));
}

static void every_row_has_to_be_aligned(void **state)
{
    kjit_arg volume = array_at(nowhere, KJIT_DTYPE_FLOAT32, 3, (int64_t[]){ 2, 3, 4 });

    (void)state;
    assert_true(aligned(volume));
    assert_true(aligned(array_at(nowhere, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 3, 8 })));
    assert_false(aligned(array_at(nowhere, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 8, 3 })));
    assert_false(aligned(array_at(nowhere, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 2, 5 })));
    assert_true(aligned(array_at(nowhere, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 5, 2 })));
    assert_false(aligned(array_at(nowhere, KJIT_DTYPE_INT8, 2, (int64_t[]){ 16, 15 })));
}

static void columns_take_the_place_of_rows(void **state)
{
    kjit_arg columns = array_at(nowhere, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 4, 3 });

    (void)state;
    columns.as.array.strides[0] = 4;
    columns.as.array.strides[1] = 16;
    assert_true(aligned(columns));
    columns.as.array.shape[0] = 3;
    columns.as.array.strides[1] = 12;
    assert_false(aligned(columns));
}

static void arrays_with_gaps_are_not_aligned(void **state)
{
    kjit_arg rows = array_at(nowhere, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 4, 4 });
    kjit_arg reversed = floats_at(nowhere, 16);

    (void)state;
    rows.as.array.strides[0] = 32;
    reversed.as.array.strides[0] = -4;
    assert_false(aligned(rows));
    assert_false(aligned(reversed));
}

/* Host arrays go to memory that is aligned; together with what they overlap they keep their
** distance. */
static void what_moves_to_a_device_is_aligned_unless_it_overlaps(void **state)
{
    DeviceOps ops;
    Device device = device_elsewhere(&ops);
    kjit_arg args[] = { floats_at(nowhere + 4, 16), floats_at(nowhere + 400, 16) };

    (void)state;
    assert_int_equal(facts_on(&device, args, 2).aligned, 3);
    args[1].as.array.data = nowhere + 64;
    assert_int_equal(facts_on(&device, args, 2).aligned, 2);
    args[0].as.array.flags = KJIT_ON_DEVICE;
    args[1].as.array.data = nowhere + 404;
    assert_int_equal(facts_on(&device, args, 2).aligned, 2);
}

static void among_many_moved_arrays_none_is_aligned(void **state)
{
    DeviceOps ops;
    Device device = device_elsewhere(&ops);
    kjit_arg args[17];

    (void)state;
    for (int i = 0; i < 17; i++)
        args[i] = floats_at(nowhere + 4096 * i, 16);
    assert_int_equal(facts_on(&device, args, 16).aligned, 0xffff);
    assert_int_equal(facts_on(&device, args, 17).aligned, 0);
}

/* ---- few and small --------------------------------------------------------------------------- */

static void few_is_neither_none_nor_many(void **state)
{
    (void)state;
    assert_int_equal(FACTS(bytes_at(nowhere, 0)).elements_to_4096, 0);
    assert_int_equal(FACTS(bytes_at(nowhere, 1)).elements_to_4096, 1);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_4096)).elements_to_4096, 1);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_4096 + 1)).elements_to_4096, 0);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_8192)).elements_to_8192, 1);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_8192 + 1)).elements_to_8192, 0);
    assert_int_equal(
        FACTS(array_at(nowhere, KJIT_DTYPE_INT8, 2, (int64_t[]){ 65, 64 })).elements_to_4096, 0);
    assert_int_equal(
        FACTS(array_at(nowhere, KJIT_DTYPE_INT8, 2, (int64_t[]){ 0, 64 })).elements_to_4096, 0);
}

static void tiny_is_less_than_few(void **state)
{
    (void)state;
    assert_int_equal(FACTS(bytes_at(nowhere, 0)).elements_to_256, 0);
    assert_int_equal(FACTS(bytes_at(nowhere, 1)).elements_to_256, 1);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_256)).elements_to_256, 1);
    assert_int_equal(FACTS(bytes_at(nowhere, ELEMENTS_256 + 1)).elements_to_256, 0);
}

static void small_ends_at_two_to_the_30_on_both_sides(void **state)
{
    (void)state;
    assert_int_equal(FACTS(kjit_arg_int64(LIMIT_30_BITS - 1)).scalars_30_bits, 1);
    assert_int_equal(FACTS(kjit_arg_int64(LIMIT_30_BITS)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_int64(1 - LIMIT_30_BITS)).scalars_30_bits, 1);
    assert_int_equal(FACTS(kjit_arg_int64(-LIMIT_30_BITS)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_int32(INT32_MIN)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_int64(INT64_MIN)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_uint8(255)).scalars_30_bits, 1);
    assert_int_equal(FACTS(kjit_arg_uint32(UINT32_MAX)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_float32(1)).scalars_30_bits, 0);
}

static void positive_begins_at_1(void **state)
{
    (void)state;
    assert_int_equal(FACTS(kjit_arg_int64(1)).positive_scalars, 1);
    assert_int_equal(FACTS(kjit_arg_int64(INT64_MAX)).positive_scalars, 1);
    assert_int_equal(FACTS(kjit_arg_int64(0)).positive_scalars, 0);
    assert_int_equal(FACTS(kjit_arg_int32(-1)).positive_scalars, 0);
    assert_int_equal(FACTS(kjit_arg_float32(1)).positive_scalars, 0);
}

static void great_unsigned_numbers_are_not_small(void **state)
{
    kjit_arg all_ones = kjit_arg_uint32(0);

    (void)state;
    assert_int_equal(FACTS(kjit_arg_uint64(UINT64_MAX)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_uint64((uint64_t)-LIMIT_30_BITS)).scalars_30_bits, 0);
    assert_int_equal(FACTS(kjit_arg_uint64(UINT64_C(1) << 63)).scalars_30_bits, 0);
    all_ones.as.integer = -1; /* the same 32 bits */
    assert_int_equal(FACTS(all_ones).scalars_30_bits, 0);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void blocks_are_known_where_there_is_a_launch(void **state)
{
    const kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 48 } };
    IrFacts facts;

    (void)state;
    facts_of_launch(NULL, 0, &config, context->device, &facts);
    assert_int_equal(facts.block[0], 48);
    assert_int_equal(facts.block[1], 1);
    assert_int_equal(facts.block[2], 1);
    facts_of_launch(NULL, 0, NULL, context->device, &facts);
    assert_int_equal(facts.block[0], 0);
}

static void many_blocks_are_counted_over_all_axes(void **state)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 64, 64, 1 }, .block = { 1 } };
    IrFacts facts;

    (void)state;
    facts_of_launch(NULL, 0, &config, context->device, &facts);
    assert_true(facts.blocks_from_4096);
    config.grid[1] = 63;
    facts_of_launch(NULL, 0, &config, context->device, &facts);
    assert_false(facts.blocks_from_4096);
    facts_of_launch(NULL, 0, NULL, context->device, &facts);
    assert_false(facts.blocks_from_4096);
}

/* ---- which code serves which launches -------------------------------------------------------- */

/* Code for launches where all facts hold, or none. */
static IrLaunch launch_of(bool hold)
{
    const uint64_t all = hold ? UINT64_MAX : 0;

    return (IrLaunch){ .facts = { .narrow = hold,
                                  .blocks_from_4096 = hold,
                                  .alone = all,
                                  .aligned = all,
                                  .elements_to_4096 = all,
                                  .elements_to_256 = all,
                                  .scalars_30_bits = all,
                                  .positive_scalars = all,
                                  .axes_to_32768 = all,
                                  .rows_to_1024 = all,
                                  .width_2 = all,
                                  .axes_from_128 = all,
                                  .block = { hold ? 64 : 0, hold, hold } } };
}

static void what_nobody_asked_makes_no_difference(void **state)
{
    IrLaunch with = launch_of(true), without = launch_of(false);

    (void)state;
    assert_true(launch_serves(&with, &without.facts) && launch_allows(&with, &without.facts));
    assert_true(launch_serves(&without, &with.facts) && launch_allows(&without, &with.facts));
}

/* Code that took a fact to hold wants it; code that took it not to hold is right without being the
** best. */
static void expect_one_fact_to_matter(void (*ask)(IrLaunch *))
{
    IrLaunch with = launch_of(true), without = launch_of(false);

    ask(&with);
    ask(&without);
    assert_true(launch_serves(&with, &with.facts) && launch_allows(&with, &with.facts));
    assert_true(launch_serves(&without, &without.facts));
    assert_false(launch_serves(&with, &without.facts));
    assert_false(launch_allows(&with, &without.facts));
    assert_false(launch_serves(&without, &with.facts));
    assert_true(launch_allows(&without, &with.facts));
}

static void ask_narrow(IrLaunch *launch)
{
    launch_narrow(launch);
}

static void ask_alone(IrLaunch *launch)
{
    launch_alone(launch, 63);
}

static void ask_aligned(IrLaunch *launch)
{
    launch_aligned(launch, 0);
}

static void ask_few(IrLaunch *launch)
{
    launch_elements_to_4096(launch, 1);
}

static void ask_tiny(IrLaunch *launch)
{
    launch_elements_to_256(launch, 2);
}

static void ask_small(IrLaunch *launch)
{
    launch_scalar_30_bits(launch, 40);
}

static void ask_short(IrLaunch *launch)
{
    launch_axes_to_32768(launch, 3);
}

static void ask_long(IrLaunch *launch)
{
    launch_axes_from_128(launch, 4);
}

static void ask_block(IrLaunch *launch)
{
    uint32_t block[3];

    launch_block(launch, block);
}

static void each_fact_that_was_asked_matters(void **state)
{
    (void)state;
    expect_one_fact_to_matter(ask_narrow);
    expect_one_fact_to_matter(ask_alone);
    expect_one_fact_to_matter(ask_aligned);
    expect_one_fact_to_matter(ask_few);
    expect_one_fact_to_matter(ask_tiny);
    expect_one_fact_to_matter(ask_small);
    expect_one_fact_to_matter(ask_short);
    expect_one_fact_to_matter(ask_long);
    expect_one_fact_to_matter(ask_block);
}

static void that_a_grid_has_many_blocks_is_no_more_than_worth_knowing(void **state)
{
    IrLaunch with = launch_of(true), without = launch_of(false);

    (void)state;
    launch_blocks_from_4096(&with);
    launch_blocks_from_4096(&without);
    assert_false(launch_serves(&with, &without.facts) || launch_serves(&without, &with.facts));
    assert_true(launch_allows(&with, &without.facts) && launch_allows(&without, &with.facts));
}

static void blocks_differ_in_each_axis(void **state)
{
    IrLaunch launch = { .facts.block = { 8, 8, 4 } };
    IrFacts facts = launch.facts;

    (void)state;
    ask_block(&launch);
    for (int k = 0; k < 3; k++) {
        facts.block[k]++;
        assert_false(launch_serves(&launch, &facts) || launch_allows(&launch, &facts));
        facts.block[k]--;
    }
    assert_true(launch_serves(&launch, &facts) && launch_allows(&launch, &facts));
}

/* What a variant for certain values is right for: launches with these. */
static void values_have_to_be_the_same(void **state)
{
    const int64_t values[] = { 3, 4 }, others[] = { 3, 5 };
    IrLaunch hot = { .facts = { .values = values, .value_count = 2 } }, other = { .asked = { 0 } };

    (void)state;
    launch_values(&hot);
    launch_values(&other);
    assert_true(launch_allows(&hot, &hot.facts) && launch_serves(&hot, &hot.facts));
    assert_true(launch_allows(&other, &hot.facts));
    assert_false(launch_serves(&other, &hot.facts));
    assert_false(launch_allows(&hot, &other.facts));
    assert_false(launch_allows(&hot, &(IrFacts){ .values = others, .value_count = 2 }));
    assert_false(launch_allows(&hot, &(IrFacts){ .values = values, .value_count = 1 }));
}

static void other_parameters_do_not_matter(void **state)
{
    IrLaunch launch = { .facts.alone = 2 };

    (void)state;
    launch_alone(&launch, 1);
    assert_true(launch_serves(&launch, &(IrFacts){ .alone = 2 | 4 }));
    assert_false(launch_serves(&launch, &(IrFacts){ .alone = 4 | 1 }));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool apply_on(const Device *device, const IrShape *shape, const uint32_t grid[3],
                     const uint32_t block[3], LaunchRequest *real)
{
    const Specialisation spec = { .shape = *shape };
    LaunchRequest asked = { .shared_bytes = 100 };

    memcpy(asked.grid, grid, sizeof asked.grid);
    memcpy(asked.block, block, sizeof asked.block);
    return shape_apply(&spec, device, &asked, NULL, 0, real);
}

static bool apply(const IrShape *shape, const uint32_t grid[3], const uint32_t block[3],
                  LaunchRequest *real)
{
    return apply_on(context->device, shape, grid, block, real);
}

static void assert_sizes(const uint32_t got[3], uint32_t x, uint32_t y, uint32_t z)
{
    assert_int_equal(got[0], x);
    assert_int_equal(got[1], y);
    assert_int_equal(got[2], z);
}

static void a_launch_without_a_shape_is_what_was_asked(void **state)
{
    LaunchRequest real;

    (void)state;
    assert_true(apply(&(IrShape){ 0 }, KJIT_GRID(7, 2, 1), KJIT_BLOCK(33, 3, 2), &real));
    assert_sizes(real.grid, 7, 2, 1);
    assert_sizes(real.block, 33, 3, 2);
    assert_int_equal(real.shared_bytes, 100);
}

static void free_shapes_cover_every_thread_that_was_asked_for(void **state)
{
    const IrShape shape = { .changed = true,
                            .free = true,
                            .axis = { 1, 0, 2 },
                            .block = { 32, 8, 1 },
                            .tile = { 4, 1, 1 } };
    LaunchRequest real;

    (void)state;
    for (uint32_t n = 1; n < 300; n += 37) {
        assert_true(apply(&shape, KJIT_GRID(n, 3, 2), KJIT_BLOCK(5, 7, 1), &real));
        assert_sizes(real.block, 32, 8, 1);
        assert_true(real.grid[0] * 128 >= 21 && (real.grid[0] - 1) * 128 < 21);
        assert_true(real.grid[1] * 8 >= n * 5 && (real.grid[1] - 1) * 8 < n * 5);
        assert_int_equal(real.grid[2], 2);
    }
}

static void the_most_threads_there_can_be_do_not_overflow(void **state)
{
    const IrShape shape = { .changed = true,
                            .free = true,
                            .axis = { 0, 1, 2 },
                            .block = { 256, 1, 1 },
                            .tile = { 4, 1, 1 } };
    LaunchRequest real;

    (void)state;
    assert_true(apply(&shape, KJIT_GRID(INT32_MAX, 1, 1), KJIT_BLOCK(1024, 1, 1), &real));
    assert_int_equal(real.grid[0], INT32_MAX);
}

static void what_the_device_cannot_have_is_refused(void **state)
{
    const IrShape turned = { .changed = true,
                             .free = true,
                             .axis = { 1, 0, 2 },
                             .block = { 32, 8, 1 },
                             .tile = { 1, 1, 1 } };
    Device device = *context->device;
    LaunchRequest real;

    (void)state; /* y and z have room for 65535 blocks, but on a processor, where grids are loops */
    assert_true(apply(&turned, KJIT_GRID(65536, 1, 1), KJIT_BLOCK(8, 1, 1), &real));
    device.limits.workers = 0;
    assert_true(apply_on(&device, &turned, KJIT_GRID(65535, 1, 1), KJIT_BLOCK(8, 1, 1), &real));
    assert_false(apply_on(&device, &turned, KJIT_GRID(65536, 1, 1), KJIT_BLOCK(8, 1, 1), &real));
}

/* Of a grid that turns are shared among; the turns are an array's elements. */
static uint32_t blocks_that_stay(uint32_t multiprocessors, int64_t turns, uint32_t blocks)
{
    const Specialisation spec = { .shape = { .changed = true,
                                             .free = true,
                                             .axis = { 0, 1, 2 },
                                             .block = { 256, 1, 1 },
                                             .tile = { 16, 1, 1 },
                                             .stay = 8,
                                             .iterations = { .any = turns >= 0, .over = 1 } } };
    LaunchRequest asked = { { blocks, 1, 1 }, { 64, 1, 1 }, .shared_bytes = 0 }, real;
    Device device = *context->device;
    kjit_arg args[] = { bytes_at(nowhere, turns) };

    device.limits.multiprocessors = multiprocessors;
    assert_true(shape_apply(&spec, &device, &asked, args, 1, &real));
    assert_sizes(real.block, 256, 1, 1);
    return real.grid[0];
}

static void few_blocks_stay_as_long_as_there_is_work(void **state)
{
    (void)state;
    assert_int_equal(blocks_that_stay(132, 268435456, 64), 8 * 132); /* all there can be */
    assert_int_equal(blocks_that_stay(132, 1000000, 64), 245);       /* enough to do for each */
    assert_int_equal(blocks_that_stay(132, 1000000, 4096), 1024);    /* as many as were asked for */
    assert_int_equal(blocks_that_stay(132, 100000, 1 << 20), 391);   /* but with a turn each */
    assert_int_equal(blocks_that_stay(132, 0, 64), 1);
    assert_int_equal(blocks_that_stay(132, -1, 1 << 16), 1024); /* threads are what is to be done */
    assert_int_equal(blocks_that_stay(132, -1, 1 << 24), 8 * 132);
    assert_int_equal(blocks_that_stay(0, 268435456, 64), 65536); /* no end is known */
}

static void shapes_that_keep_their_blocks_divide_and_merge_them(void **state)
{
    const IrShape shape = {
        .changed = true, .axis = { 0, 1, 2 }, .divide = { 2, 4, 1 }, .merge = { 1, 2, 3 }
    };
    LaunchRequest real;
    const Specialisation spec = { .shape = shape };

    (void)state;
    assert_true(apply(&shape, KJIT_GRID(5, 5, 7), KJIT_BLOCK(16, 16, 2), &real));
    assert_sizes(real.block, 8, 4, 2);
    assert_sizes(real.grid, 5, 3, 3);
    assert_int_equal(shape_threads(&spec, 16 * 16 * 2), 64);
}

static void shared_memory_grows_with_arrays_up_to_what_there_is(void **state)
{
    const size_t most = context->device->limits.shared;
    Specialisation spec = { .shape = { .changed = true,
                                       .free = true,
                                       .block = { 32, 1, 1 },
                                       .tile = { 1, 1, 1 },
                                       .axis = { 0, 1, 2 },
                                       .shared = { { .param = 1, .bytes = 8 } },
                                       .shared_count = 1 } };
    LaunchRequest asked = { { 1, 1, 1 }, { 32, 1, 1 }, .shared_bytes = 16 }, real;
    kjit_arg args[] = { kjit_arg_int64(1), bytes_at(nowhere, 150) };

    (void)state;
    assert_true(shape_apply(&spec, context->device, &asked, args, 2, &real));
    assert_int_equal(real.shared_bytes, 16 + 150 * 8);
    args[1] = bytes_at(nowhere, (int64_t)(most - 16) / 8);
    assert_true(shape_apply(&spec, context->device, &asked, args, 2, &real));
    spec.static_shared = 8; /* which has to have room as well */
    assert_false(shape_apply(&spec, context->device, &asked, args, 2, &real));
    spec.static_shared = 0;
    args[1].as.array.shape[0]++;
    assert_false(shape_apply(&spec, context->device, &asked, args, 2, &real));
}

static void hidden_parameters_hold_what_was_asked(void **state)
{
    const LaunchRequest asked = { { INT32_MAX, 2, 3 }, { 1024, 5, 7 }, .shared_bytes = 0 };
    const Specialisation spec = { .hidden = { { .kind = HIDDEN_BLOCKS, .axis = 1 },
                                              { .kind = HIDDEN_THREADS, .axis = 2 },
                                              { .kind = HIDDEN_THREADS, .axis = 0 } } };

    (void)state;
    assert_int_equal(hidden_value(&spec, 0, &asked, NULL), 2);
    assert_int_equal(hidden_value(&spec, 1, &asked, NULL), 21);
    assert_true(hidden_value(&spec, 2, &asked, NULL) == INT32_MAX * UINT64_C(1024));
}

static void raised_grids_have_a_thread_for_each_iteration(void **state)
{
    const LaunchRequest asked = { { 3, 2, 5 }, { 32, 4, 1 }, .shared_bytes = 0 };
    Specialisation spec = { .shape.raised = { { .any = true, .param = 1, .axis = 0, .over = 1 },
                                              { .any = true, .param = 0, .axis = -1, .over = 2 } },
                            .hidden = { { .kind = HIDDEN_THREADS, .axis = 0 },
                                        { .kind = HIDDEN_BLOCKS, .axis = 1 },
                                        { .kind = HIDDEN_THREADS, .axis = 2 } } };
    kjit_arg args[] = { kjit_arg_int64(19), bytes_at(nowhere, 150) };
    LaunchRequest real;

    (void)state;
    spec.shape.raised[1].plus = 1; /* (19 + 1) / 2 */
    assert_true(shape_apply(&spec, context->device, &asked, args, 2, &real));
    assert_sizes(real.grid, 5, 3, 5);
    assert_sizes(real.block, 32, 4, 1);
    assert_int_equal(hidden_value(&spec, 0, &asked, args), 160);
    assert_int_equal(hidden_value(&spec, 1, &asked, args), 3);
    assert_int_equal(hidden_value(&spec, 2, &asked, args), 5);
    args[0].as.integer = -19; /* no iteration is no less than one block */
    assert_true(shape_apply(&spec, context->device, &asked, args, 2, &real));
    assert_sizes(real.grid, 5, 1, 5);
    args[0].as.integer = INT64_MAX; /* nor is there a grid for all */
    assert_false(shape_apply(&spec, context->device, &asked, args, 2, &real));
    args[0].as.integer = INT64_C(1) << 31;
    assert_false(shape_apply(&spec, context->device, &asked, args, 2, &real));
    args[0].as.integer = INT64_C(1) << 30; /* which with what the array spans is beyond 32 bits */
    args[1].as.array.shape[0] = INT64_C(3) << 29;
    assert_false(shape_apply(&spec, context->device, &asked, args, 2, &real));
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Whether a load may move past a store makes the difference, if the arrays overlap. */
static const char after_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def after(a, b):\n"
                                 "    for i in range(b.size):\n"
                                 "        a[i] = b[i] + 1\n";

enum { LENGTH = 40 };

static kjit_kernel *restricting(void)
{
    return kernel_with(after_text, &(kjit_load_options){ .size = sizeof(kjit_load_options),
                                                         .passes = "none,restrict" });
}

/* a = b + 1 with arrays apart. */
static void launch_apart(kjit_kernel *kernel)
{
    float a[LENGTH] = { 0 }, b[LENGTH] = { 0 };

    for (int i = 0; i < LENGTH; i++)
        b[i] = (float)i;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, LENGTH),
                        KJIT_ARRAY(b, LENGTH)));
    for (int i = 0; i < LENGTH; i++)
        assert_true(a[i] == (float)i + 1);
}

/* Each element comes of the one before it. */
static void launch_overlapping(kjit_kernel *kernel)
{
    float a[LENGTH + 1] = { 0 };

    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a + 1, LENGTH),
                        KJIT_ARRAY(a, LENGTH)));
    for (int i = 0; i <= LENGTH; i++)
        assert_true(a[i] == (float)i);
}

static void blocks_go_along_an_axis_of_their_own(void **state)
{
    const LaunchRequest asked = { { 100, 6, 9 }, { 64, 2, 1 }, .shared_bytes = 0 };
    const Specialisation spec = {
        .shape.raised = { { .any = true, .param = -1, .axis = -1, .plus = 64, .over = 1 },
                          { .any = false },
                          { .any = true, .param = -1, .axis = 0, .over = 1 } },
        .hidden = { { .kind = HIDDEN_THREADS, .axis = 0 },
                    { .kind = HIDDEN_THREADS, .axis = 1 },
                    { .kind = HIDDEN_THREADS, .axis = 2 } }
    };
    LaunchRequest real;

    (void)state;
    assert_true(shape_apply(&spec, context->device, &asked, NULL, 0, &real));
    assert_sizes(real.grid, 1, 6, 100);
    assert_sizes(real.block, 64, 2, 1);
    assert_int_equal(hidden_value(&spec, 0, &asked, NULL), 64);
    assert_int_equal(hidden_value(&spec, 1, &asked, NULL), 12);
    assert_int_equal(hidden_value(&spec, 2, &asked, NULL), 100);
}

static void overlapping_launches_after_others_get_code_of_their_own(void **state)
{
    kjit_kernel *kernel = restricting();

    (void)state;
    launch_apart(kernel);
    launch_apart(kernel);
    assert_int_equal(kjit_specialisation_count(kernel), 1);
    launch_overlapping(kernel);
    assert_int_equal(kjit_specialisation_count(kernel), 2);
    launch_apart(kernel);
    launch_overlapping(kernel);
    assert_int_equal(kjit_specialisation_count(kernel), 2);
}

/* The other way round what is there is right, and the better code comes behind it. */
static void launches_go_on_with_what_is_right(void **state)
{
    kjit_kernel *kernel = restricting();
    float a[LENGTH], b[LENGTH];
    const kjit_arg args[] = { KJIT_ARRAY(a, LENGTH), KJIT_ARRAY(b, LENGTH) };
    const kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    kjit_prepared *prepared;

    (void)state;
    launch_overlapping(kernel);
    launch_apart(kernel);
    launch_overlapping(kernel);
    expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared)); /* waits for the best */
    assert_int_equal(kjit_specialisation_count(kernel), 2);
    kjit_close_prepared(prepared);
    launch_apart(kernel);
    launch_overlapping(kernel);
    assert_int_equal(kjit_specialisation_count(kernel), 2);
}

static void without_passes_all_launches_share_their_code(void **state)
{
    kjit_kernel *kernel = kernel_with(
        after_text, &(kjit_load_options){ .size = sizeof(kjit_load_options), .passes = "none" });

    (void)state;
    launch_apart(kernel);
    launch_overlapping(kernel);
    launch_apart(kernel);
    assert_int_equal(kjit_specialisation_count(kernel), 1);
}

/* A thread's index in the grid asks for no block's shape, however its parts are named. */
static const char parts_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def mark(x):\n"
                                 "    thread = cuda.threadIdx.x\n"
                                 "    block = cuda.blockIdx.x\n"
                                 "    width = cuda.blockDim.x\n"
                                 "    i = thread + block * width\n"
                                 "    if i < x.size:\n"
                                 "        x[i] += i\n";

static void blocks_of_any_size_share_the_code_of_an_index(void **state)
{
    kjit_kernel *kernel = kernel_with(
        parts_text, &(kjit_load_options){ .size = sizeof(kjit_load_options), .passes = "all" });
    float x[LENGTH] = { 0 };

    (void)state;
    for (int block = 8; block <= 16; block *= 2)
        expect_ok(
            KJIT_CALL(kernel, KJIT_GRID(LENGTH / 8), KJIT_BLOCK(block), KJIT_ARRAY(x, LENGTH)));
    for (int i = 0; i < LENGTH; i++)
        assert_true(x[i] == 2 * (float)i);
    assert_int_equal(kjit_specialisation_count(kernel), 1);
}

/* Whatever passes there are: each edge after launches far from it. */
static const char shift_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def shift(x, out, n, by):\n"
                                 "    i = cuda.grid(1)\n"
                                 "    if i < n:\n"
                                 "        out[i] = x[i] + by\n";

static void launch_shifted(kjit_kernel *kernel, int64_t n, int offset, int64_t by, uint32_t block)
{
    int64_t x[LENGTH + 2], out[LENGTH + 2];

    for (int i = 0; i < LENGTH + 2; i++) {
        x[i] = i;
        out[i] = -7;
    }
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(block), KJIT_ARRAY(x + offset, LENGTH),
                        KJIT_ARRAY(out + offset, LENGTH), n, by));
    for (int i = 0; i < LENGTH; i++)
        assert_true(out[i + offset] == (i < n && i < (int)(3 * block) ? i + offset + by : -7));
    assert_true(out[LENGTH + 1] == -7 || offset == 2);
}

static void launches_at_the_edges_are_right_after_others(void **state)
{
    kjit_kernel *kernel = kernel_with(
        shift_text, &(kjit_load_options){ .size = sizeof(kjit_load_options), .passes = "all" });

    (void)state;
    for (int round = 0; round < 2; round++) {
        launch_shifted(kernel, LENGTH, 0, 5, 32);
        launch_shifted(kernel, LENGTH, 1, 5, 32);
        launch_shifted(kernel, LENGTH - 1, 0, LIMIT_30_BITS, 32);
        launch_shifted(kernel, LENGTH, 0, EDGE - 1, 32);
        launch_shifted(kernel, LENGTH, 1, EDGE + 1, 7);
        launch_shifted(kernel, 0, 0, -EDGE, 32);
        launch_shifted(kernel, -3, 1, -1, 1);
        launch_shifted(kernel, 1, 1, INT64_MIN / 2, 1);
        launch_shifted(kernel, -EDGE - 3, 1, 9, 33);
    }
}

static void empty_arrays_are_launched_over(void **state)
{
    kjit_kernel *kernel = kernel_with(
        shift_text, &(kjit_load_options){ .size = sizeof(kjit_load_options), .passes = "all" });
    int64_t x[1] = { 3 }, out[1] = { 4 };

    (void)state;
    launch_shifted(kernel, LENGTH, 0, 5, 32);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(x, 0), KJIT_ARRAY(out, 0),
                        INT64_C(0), INT64_C(1)));
    assert_int_equal(out[0], 4);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(x, 1), KJIT_ARRAY(out, 1),
                        INT64_C(1), INT64_C(1)));
    assert_int_equal(out[0], 4);
    assert_int_equal(x[0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_that_touch_are_alone),
        cmocka_unit_test(one_byte_in_common_is_an_overlap),
        cmocka_unit_test(a_third_array_may_well_be_alone),
        cmocka_unit_test(empty_arrays_overlap_nothing),
        cmocka_unit_test(reversed_arrays_reach_below_their_data),
        cmocka_unit_test(what_lies_between_elements_counts),
        cmocka_unit_test(arrays_in_tuples_overlap_too),
        cmocka_unit_test(tuples_themselves_are_not_alone),
        cmocka_unit_test(among_many_arrays_none_is_alone),
        cmocka_unit_test(nothing_is_known_of_the_65th_parameter),
        cmocka_unit_test(extents_and_threads_together_stay_below_two_to_the_31_with_room),
        cmocka_unit_test(the_longest_axis_of_the_grid_counts),
        cmocka_unit_test(all_elements_count_not_only_extents),
        cmocka_unit_test(what_strides_reach_counts_and_so_do_extents_without_any),
        cmocka_unit_test(arrays_in_tuples_can_be_too_long_too),
        cmocka_unit_test(only_multiples_of_16_are_aligned),
        cmocka_unit_test(every_row_has_to_be_aligned),
        cmocka_unit_test(columns_take_the_place_of_rows),
        cmocka_unit_test(arrays_with_gaps_are_not_aligned),
        cmocka_unit_test(what_moves_to_a_device_is_aligned_unless_it_overlaps),
        cmocka_unit_test(among_many_moved_arrays_none_is_aligned),
        cmocka_unit_test(few_is_neither_none_nor_many),
        cmocka_unit_test(tiny_is_less_than_few),
        cmocka_unit_test(small_ends_at_two_to_the_30_on_both_sides),
        cmocka_unit_test(positive_begins_at_1),
        cmocka_unit_test(great_unsigned_numbers_are_not_small),
        cmocka_unit_test(blocks_are_known_where_there_is_a_launch),
        cmocka_unit_test(many_blocks_are_counted_over_all_axes),
        cmocka_unit_test(what_nobody_asked_makes_no_difference),
        cmocka_unit_test(each_fact_that_was_asked_matters),
        cmocka_unit_test(that_a_grid_has_many_blocks_is_no_more_than_worth_knowing),
        cmocka_unit_test(blocks_differ_in_each_axis),
        cmocka_unit_test(values_have_to_be_the_same),
        cmocka_unit_test(other_parameters_do_not_matter),
        cmocka_unit_test(a_launch_without_a_shape_is_what_was_asked),
        cmocka_unit_test(free_shapes_cover_every_thread_that_was_asked_for),
        cmocka_unit_test(the_most_threads_there_can_be_do_not_overflow),
        cmocka_unit_test(what_the_device_cannot_have_is_refused),
        cmocka_unit_test(few_blocks_stay_as_long_as_there_is_work),
        cmocka_unit_test(shapes_that_keep_their_blocks_divide_and_merge_them),
        cmocka_unit_test(shared_memory_grows_with_arrays_up_to_what_there_is),
        cmocka_unit_test(hidden_parameters_hold_what_was_asked),
        cmocka_unit_test(raised_grids_have_a_thread_for_each_iteration),
        cmocka_unit_test(blocks_go_along_an_axis_of_their_own),
        cmocka_unit_test(overlapping_launches_after_others_get_code_of_their_own),
        cmocka_unit_test(launches_go_on_with_what_is_right),
        cmocka_unit_test(without_passes_all_launches_share_their_code),
        cmocka_unit_test(blocks_of_any_size_share_the_code_of_an_index),
        cmocka_unit_test(launches_at_the_edges_are_right_after_others),
        cmocka_unit_test(empty_arrays_are_launched_over),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
