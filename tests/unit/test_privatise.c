/* Atomics in shared memory give what they give in global memory: every kernel runs as it is and
** with all passes, on the processor, and what they leave is compared. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { SAMPLES = 3000, MOST = 64 };

static const char text[] =
    "from numba import cuda, int32, float32\n"
    "@cuda.jit\n"
    "def counts(x, out):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        cuda.atomic.add(out, x[i] - 3, 1 + x[i])\n"
    "@cuda.jit\n"
    "def once(x, out):\n"
    "    i = cuda.grid(1)\n"
    "    if i >= x.size or x[i] < 2:\n"
    "        return\n"
    "    cuda.atomic.sub(out, 0, x[i])\n"
    "@cuda.jit\n"
    "def until(x, out):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        for k in range(3):\n"
    "            if x[i] == 7 and k == 1:\n"
    "                return\n"
    "            cuda.atomic.xor(out, x[i], 1 << (i + k) % 31)\n"
    "@cuda.jit\n"
    "def extremes(x, out):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        cuda.atomic.max(out, x[i], i - 1000)\n"
    "@cuda.jit\n"
    "def least(x, out):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        cuda.atomic.min(out, x[i], 1000 - i)\n"
    "@cuda.jit\n"
    "def masks(x, out):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        cuda.atomic.and_(out, x[i], ~(1 << i % 20))\n"
    "@cuda.jit\n"
    "def waits(x, out):\n"
    "    near = cuda.shared.array(96, int32)\n"
    "    for first in range(0, x.size - 96, 96):\n"
    "        near[cuda.threadIdx.x] = x[first + cuda.threadIdx.x]\n"
    "        cuda.syncthreads()\n"
    "        cuda.atomic.add(out, near[cuda.blockDim.x - 1 - cuda.threadIdx.x], 1)\n"
    "        cuda.syncthreads()\n";

static const char two_text[] =
    "from numba import cuda\n"
    "@cuda.jit\n"
    "def two(x, square, count, cube):\n"
    "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
    "        cuda.atomic.add(square, (x[i] % 3, x[i] % 5 - 5), x[i])\n"
    "        cuda.atomic.add(count, x[i], 1)\n"
    "        cuda.atomic.or_(cube, (x[i] % 2, x[i] % 3, -1), 1 << x[i])\n";

static const char sums_text[] = "from numba import cuda\n"
                                "@cuda.jit\n"
                                "def sums(x, out):\n"
                                "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                                "        cuda.atomic.add(out, i % out.size, x[i])\n";

static kjit_kernel *kernel_in(const char *source, const char *name, const char *passes)
{
    kjit_load_options options = { .size = sizeof options, .passes = passes };
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, source, "t.k", &options, &module) != KJIT_OK ||
        kjit_get_kernel(module, name, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kernel;
}

static void make_samples(int32_t *x)
{
    uint32_t seed = 1;

    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (int32_t)(seed >> 24) % 11;
    }
}

/* Runs a kernel of `text` for each launch, on `elements` counters. */
static void compare(const char *name, int elements, const uint32_t (*launches)[2], int count)
{
    kjit_kernel *plain = kernel_in(text, name, "none"), *shared = kernel_in(text, name, "all");
    int32_t x[SAMPLES], before[MOST], wanted[MOST], got[MOST];

    make_samples(x);
    for (int i = 0; i < MOST; i++)
        before[i] = i * 77 - 100;
    for (int i = 0; i < count; i++)
        for (int samples = 0; samples <= SAMPLES; samples += SAMPLES / 2) {
            kjit_array own = KJIT_CONST_ARRAY(x, samples).as.array;
            memcpy(wanted, before, sizeof before);
            memcpy(got, before, sizeof before);
            expect_ok(KJIT_CALL(plain, KJIT_GRID(launches[i][0]), KJIT_BLOCK(launches[i][1]), own,
                                KJIT_ARRAY(wanted, elements)));
            expect_ok(KJIT_CALL(shared, KJIT_GRID(launches[i][0]), KJIT_BLOCK(launches[i][1]), own,
                                KJIT_ARRAY(got, elements)));
            assert_memory_equal(got, wanted, sizeof got);
        }
}

static const uint32_t launches[][2] = { { 3, 96 }, { 1, 1 }, { 5, 33 }, { 2, 256 } };

static void sums_of_integers_are_the_same(void **state)
{
    (void)state;
    compare("counts", 11, launches, 4);
    compare("counts", MOST, launches, 4);
}

static void a_return_still_comes_to_the_merging(void **state)
{
    static const uint32_t wide[][2] = { { 32, 96 }, { 3000, 1 }, { 100, 33 } };

    (void)state;
    compare("once", 1, wide, 3);
    compare("until", 11, launches, 4);
}

static void extremes_and_masks_are_the_same(void **state)
{
    (void)state;
    compare("extremes", 11, launches, 4);
    compare("least", 11, launches, 4);
    compare("masks", 11, launches, 4);
}

static void a_barrier_inside_stays_one(void **state)
{
    static const uint32_t launch[][2] = { { 2, 96 } };

    (void)state;
    compare("waits", 11, launch, 1);
}

static void several_arrays_of_several_axes_do_not_mix(void **state)
{
    kjit_kernel *kernels[2] = { kernel_in(two_text, "two", "none"),
                                kernel_in(two_text, "two", "all") };
    int32_t x[SAMPLES];
    int64_t square[2][15] = { { 0 } }, cube[2][30] = { { 0 } };
    uint32_t count[2][11] = { { 0 } };

    (void)state;
    make_samples(x);
    for (int k = 0; k < 2; k++) {
        kjit_array columns = { .data = cube[k],
                               .dtype = KJIT_DTYPE_INT64,
                               .rank = 3,
                               .shape = { 2, 3, 5 },
                               .strides = { 8, 16, 48 } };
        expect_ok(KJIT_CALL(kernels[k], KJIT_GRID(3), KJIT_BLOCK(8, 6), KJIT_ARRAY(x, SAMPLES),
                            KJIT_ARRAY(square[k], 3, 5), KJIT_ARRAY(count[k], 11), columns));
    }
    assert_memory_equal(square[1], square[0], sizeof square[0]);
    assert_memory_equal(count[1], count[0], sizeof count[0]);
    assert_memory_equal(cube[1], cube[0], sizeof cube[0]);
    assert_int_not_equal(cube[0][29], 0);
}

static void an_array_at_any_strides_is_merged_in_place(void **state)
{
    kjit_kernel *kernel = kernel_in(text, "counts", "all");
    int32_t x[SAMPLES], sums[33] = { 0 }, wanted[11] = { 0 };
    kjit_array backwards = {
        .data = &sums[32], .dtype = KJIT_DTYPE_INT32, .rank = 1, .shape = { 11 }, .strides = { -12 }
    };

    (void)state;
    make_samples(x);
    for (int i = 0; i < SAMPLES; i++)
        wanted[(x[i] - 3 + 11) % 11] += 1 + x[i];
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(64), KJIT_ARRAY(x, SAMPLES), backwards));
    for (int i = 0; i < 33; i++)
        assert_int_equal(sums[i], i % 3 == 2 ? wanted[(32 - i) / 3] : 0);
}

/* What is added is exact, so that its order does not show; and no zero changes its sign. */
static void sums_of_floats_keep_their_zeros(void **state)
{
    kjit_kernel *kernel = kernel_in(sums_text, "sums", "all");
    float x[40], out[4] = { -0.0f, -0.0f, 0.0f, -0.0f };

    (void)state;
    for (int i = 0; i < 40; i++)
        x[i] = i % 4 == 0 ? -0.0f : i % 4 == 1 ? 0.0f : i % 4 == 2 ? -0.0f : 1.5f;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(7), KJIT_ARRAY(x, 40), KJIT_ARRAY(out, 4)));
    assert_true(signbit(out[0]) && out[0] == 0);
    assert_true(!signbit(out[1]) && out[1] == 0);
    assert_true(!signbit(out[2]) && out[2] == 0);
    assert_true(out[3] == 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_integers_are_the_same),
        cmocka_unit_test(a_return_still_comes_to_the_merging),
        cmocka_unit_test(extremes_and_masks_are_the_same),
        cmocka_unit_test(a_barrier_inside_stays_one),
        cmocka_unit_test(several_arrays_of_several_axes_do_not_mix),
        cmocka_unit_test(an_array_at_any_strides_is_merged_in_place),
        cmocka_unit_test(sums_of_floats_keep_their_zeros),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
