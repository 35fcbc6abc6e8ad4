/* Random launches of few threads on few elements. */
#include "tests/brute/brute.h"

#include <stdio.h>
#include <string.h>

static uint32_t pick(Random *random, const uint32_t *of, uint32_t count)
{
    return of[draw_below(random, count)];
}

static void draw_grid(Launch *launch, Random *random)
{
    static const uint32_t sides[] = { 1, 2, 3, 4 };
    for (int k = 0; k < 3; k++)
        launch->grid[k] = launch->block[k] = 1;
    launch->threads = 1;
    if (draw_once_in(random, 5))
        return;
    launch->block[0] = pick(random, sides, 4);
    launch->grid[0] = pick(random, sides, 3);
    if (launch->block[0] * launch->grid[0] <= 6 && draw_once_in(random, 2))
        launch->block[1] = 2;
    if (launch->block[0] * launch->grid[0] <= 6 && draw_once_in(random, 4) && launch->block[1] == 1)
        launch->grid[1] = 2;
    for (int k = 0; k < 3; k++)
        launch->threads *= (int)(launch->grid[k] * launch->block[k]);
}

void launch_draw(Launch *launch, Random *random)
{
    static const uint32_t lengths[] = { 1, 3, 4, 4, 7, 12, 16, 40, 40, 64, 64 },
                          sides[] = { 1, 3, 4, 8 };
    static const int64_t rare[] = { 0, -1, -7, 100, 2147483647, 1073741824, 65536 };
    draw_grid(launch, random);
    for (int i = 0; i < ARRAYS; i++) {
        launch->shape[i][0] = pick(random, lengths, ARRAY_COUNT(lengths));
        launch->shape[i][1] = 1;
        launch->base[i] = 150 * i;
    }
    launch->shape[2][0] = pick(random, sides, ARRAY_COUNT(sides));
    launch->shape[2][1] = pick(random, sides, ARRAY_COUNT(sides));
    if (draw_once_in(random, 6))
        launch->base[1 + draw_below(random, 2)] = draw_below(random, 20);
    for (int i = 0; i < SCALARS; i++)
        launch->scalar[i] = draw_once_in(random, 6) ? rare[draw_below(random, ARRAY_COUNT(rare))]
                                                    : (int64_t)draw_below(random, 13);
    for (int i = 0; i < MEMORY; i++)
        launch->memory[i] = (int64_t)draw_below(random, 20) - 4;
}

int64_t launch_elements(const Launch *launch, int array)
{
    return launch->shape[array][0] * launch->shape[array][1];
}

bool launch_overlap(const Launch *launch, int a, int b)
{
    return launch->base[a] < launch->base[b] + launch_elements(launch, b) &&
           launch->base[b] < launch->base[a] + launch_elements(launch, a);
}

void launch_facts(const Launch *launch, Random *random, IrFacts *facts)
{
    *facts = (IrFacts){ .narrow = true };
    bool knows = !draw_once_in(random, 3);
    if (draw_once_in(random, 2))
        memcpy(facts->block, launch->block, sizeof facts->block);
    for (int i = 0; i < ARRAYS && knows; i++) {
        uint64_t bit = UINT64_C(1) << i;
        bool alone = true;
        for (int k = 0; k < ARRAYS; k++)
            alone &= k == i || !launch_overlap(launch, i, k);
        facts->alone |= alone ? bit : 0;
        facts->elements_to_4096 |= bit;
        facts->elements_to_256 |= bit;
        facts->rows_to_1024 |= bit;
    }
    for (int i = 0; i < SCALARS && knows; i++) {
        uint64_t bit = UINT64_C(1) << (ARRAYS + i);
        int64_t value = launch->scalar[i];
        facts->scalars_30_bits |=
            value < LIMIT_30_BITS && value > (i == 3 ? -1 : -LIMIT_30_BITS) ? bit : 0;
        facts->positive_scalars |= value > 0 ? bit : 0;
        facts->multiples_4 |= value % 4 == 0 ? bit : 0;
        facts->multiples_16 |= value % 16 == 0 ? bit : 0;
        facts->axes_to_32768 |= value <= SHORT_AXIS ? bit : 0;
        facts->rows_to_1024 |= value <= SLIM_AXIS ? bit : 0;
        facts->axes_from_128 |= value >= LONG_AXIS ? bit : 0;
    }
    facts->grid_size = draw_once_in(random, 2) ? GRID_ALL : 0;
}

void launch_print(const Launch *launch)
{
    printf("grid %u x %u, block %u x %u, n = %lld, m = %lld, h = %lld, w = %lld\n", launch->grid[0],
           launch->grid[1], launch->block[0], launch->block[1], (long long)launch->scalar[0],
           (long long)launch->scalar[1], (long long)launch->scalar[2],
           (long long)launch->scalar[3]);
    for (int i = 0; i < ARRAYS; i++)
        printf("%c: %lld x %lld elements from %lld on\n", "xyz"[i],
               (long long)launch -> shape[i][0], (long long)launch -> shape[i][1],
               (long long)launch -> base[i]);
}

void launch_place(const Launch *launch, int thread, uint32_t thread_idx[3], uint32_t block_idx[3])
{
    uint32_t rest = (uint32_t)thread;
    for (int k = 0; k < 3; k++) {
        thread_idx[k] = rest % launch->block[k];
        rest /= launch->block[k];
    }
    for (int k = 0; k < 3; k++) {
        block_idx[k] = rest % launch->grid[k];
        rest /= launch->grid[k];
    }
}
