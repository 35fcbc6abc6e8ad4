/* Kernels whose threads do the work of several, beside the same as they are written: on sizes that
** divide nothing, on misaligned and reversed arrays, and launched with too few threads. The pass
** `persist` is left out, which would take those with atomics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { ELEMENTS = 1 << 15 };

/* Memory for the arrays of one launch; numbers so small that sums are exact in any order. */
typedef struct Memory {
    _Alignas(64) float a[ELEMENTS + 16];
    _Alignas(64) float b[ELEMENTS + 16];
    _Alignas(64) float out[ELEMENTS + 16];
} Memory;

static Memory plain, wide;

static void fill(Memory *memory)
{
    for (int i = 0; i < ELEMENTS + 16; i++) {
        memory->a[i] = (float)((i * 37 + i / 11) % 23 - 11);
        memory->b[i] = (float)((i * 53 + i / 7) % 19 - 9);
        memory->out[i] = (float)(i % 5);
    }
}

static kjit_kernel *kernel_by(const char *body, const char *passes)
{
    char text[4096];
    kjit_load_options options = { .size = sizeof options, .passes = passes };

    snprintf(text, sizeof text,
             "import math\nfrom numba import cuda, float32\n@cuda.jit\ndef k(a, b, out):\n%s",
             body);
    return kernel_with(text, &options);
}

/* Whether the passes gave the kernel a launch of its own, if they know all there is to know. */
static bool is_coarsened(kjit_kernel *kernel, const char *signature)
{
    kjit_emit_options options = {
        .size = sizeof options, .stage = "ir", .signature = signature, .facts = "common"
    };
    char *text;
    size_t length;

    expect_ok(kjit_emit(kernel, &options, &text, &length));
    bool is = strstr(text, "first_x") != NULL;
    kjit_free(text);
    return is;
}

static kjit_array vector_at(float *first, int64_t count, int64_t step)
{
    return (kjit_array){ .data = first,
                         .dtype = KJIT_DTYPE_FLOAT32,
                         .rank = 1,
                         .shape = { count },
                         .strides = { step * 4 } };
}

static kjit_array matrix_at(float *first, int64_t rows, int64_t columns)
{
    return (kjit_array){ .data = first,
                         .dtype = KJIT_DTYPE_FLOAT32,
                         .rank = 2,
                         .shape = { rows, columns },
                         .strides = { columns * 4, 4 } };
}

static kjit_launch_config config_of(uint32_t grid, uint32_t block)
{
    return (kjit_launch_config){ .size = sizeof(kjit_launch_config),
                                 .grid = { grid },
                                 .block = { block } };
}

/* Launches both kernels, each on memory of its own, and compares all of it. */
static void compare(kjit_kernel *kernels[2], const kjit_launch_config *config,
                    const kjit_array arrays[3], const char *what)
{
    Memory *memories[2] = { &plain, &wide };

    for (int i = 0; i < 2; i++) {
        kjit_arg args[3];
        fill(memories[i]);
        for (int k = 0; k < 3; k++) {
            kjit_array array = arrays[k];
            array.data = (char *)memories[i] + ((char *)array.data - (char *)&plain);
            args[k] = kjit_arg_array(array);
        }
        expect_ok(kjit_launch(kernels[i], config, args, 3));
    }
    if (memcmp(&plain, &wide, sizeof plain) != 0)
        fail_msg("%s: the coarsened kernel leaves something else", what);
}

/* ---- one axis -------------------------------------------------------------------------------- */

/* The first so many are worth it. */
enum { COARSENED_ROWS = 7, COARSENED_PLANES = 4 };

static const char *const rows[] = {
    "    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n"
    "        out[i] = a[i] * b[i]\n",
    "    start = cuda.grid(1)\n"
    "    stride = cuda.gridsize(1)\n"
    "    n = out.size - 2\n"
    "    for i in range(start, n, stride):\n"
    "        out[i] += a[i] + a[i + 1] * b[i]\n",
    "    i = cuda.grid(1)\n"
    "    if i < out.size:\n"
    "        out[i] = a[i] + b[i]\n",
    "    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x\n"
    "    if i >= out.shape[0]:\n"
    "        return\n"
    "    out[i] += a[i] * b[i] - i\n",
    "    i = cuda.grid(1)\n"
    "    if i > 0 and i < out.size - 2:\n"
    "        out[i] = a[i - 1] + a[i] + a[i + 1] + a[i + 2]\n",
    "    i = cuda.grid(1)\n"
    "    if i + 4 < out.size:\n"
    "        out[i + 4] = a[i + 4] + b[i]\n",
    "    i = cuda.grid(1)\n"
    "    if i < out.size:\n"
    "        t = b[i]\n"
    "        cuda.atomic.add(a, 0, 1)\n"
    "        out[i] += t\n",
    "    i = cuda.grid(1)\n"
    "    if i < out.size and a[i] > 1:\n"
    "        out[i] = a[i] if b[i] > 0 else b[i]\n",
    "    i = cuda.grid(1)\n"
    "    if i < out.size:\n"
    "        if a[i] > 0:\n"
    "            out[i] = a[i]\n"
    "        else:\n"
    "            out[i] -= b[i]\n",
};

static void a_row_of_any_length_and_alignment(void **state)
{
    static const int64_t counts[] = { 0, 1, 3, 4, 5, 63, 1021, 1024, 4099 };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        kjit_kernel *kernels[2] = { kernel_by(rows[r], "none"),
                                    kernel_by(rows[r], "all,-persist") };
        if (r < COARSENED_ROWS &&
            !is_coarsened(kernels[1], "(float32[::1], float32[::1], float32[::1])"))
            fail_msg("%s: it is not coarsened", rows[r]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int off = 0; off < (r < 3 ? 4 : 2); off++) {
                kjit_array arrays[3] = { vector_at(plain.a, counts[c], 1),
                                         vector_at(plain.b, counts[c], 1),
                                         vector_at(plain.out, counts[c], 1) };
                if (off > 1) /* one of them is misaligned */
                    arrays[(off - 2) * 2].data = (float *)arrays[(off - 2) * 2].data + 1;
                kjit_launch_config config = config_of(off == 1 ? 1 : 37, off == 1 ? 100 : 113);
                compare(kernels, &config, arrays, rows[r]);
            }
    }
}

static void reversed_and_spread_rows(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        kjit_kernel *kernels[2] = { kernel_by(rows[r], "none"),
                                    kernel_by(rows[r], "all,-persist") };
        kjit_array arrays[3] = { vector_at(plain.a + 2000, 1000, -1), vector_at(plain.b, 1000, 3),
                                 vector_at(plain.out, 1000, 1) };
        kjit_launch_config config = config_of(32, 32);
        compare(kernels, &config, arrays, rows[r]);
    }
}

/* What a thread reads no other writes: the results are sure, however the arrays lie. */
static void arrays_that_overlap(void **state)
{
    (void)state;
    kjit_kernel *kernels[2] = { kernel_by(rows[0], "none"), kernel_by(rows[0], "all,-persist") };
    kjit_array arrays[3] = { vector_at(plain.a, 1003, 1), vector_at(plain.b, 1003, 1),
                             vector_at(plain.a, 1003, 1) };
    kjit_launch_config config = config_of(32, 32);
    compare(kernels, &config, arrays, "out is a");
    arrays[1] = arrays[2];
    compare(kernels, &config, arrays, "all are one");
}

/* ---- two axes -------------------------------------------------------------------------------- */

static const char *const planes[] = {
    "    row, col = cuda.grid(2)\n"
    "    if row < out.shape[0] and col < out.shape[1]:\n"
    "        total = float32(0)\n"
    "        for k in range(a.shape[1]):\n"
    "            total += a[row, k] * b[k, col]\n"
    "        out[row, col] = total\n",
    "    col, row = cuda.grid(2)\n"
    "    if row < a.shape[0] and col < a.shape[1]:\n"
    "        out[col, row] = a[row, col] + b[row, col]\n",
    "    col, row = cuda.grid(2)\n"
    "    if col >= out.shape[1] or row >= out.shape[0]:\n"
    "        return\n"
    "    out[row, col] = a[row, col] - b[row, col]\n",
    "    i, j = cuda.grid(2)\n"
    "    if i < out.shape[0] and j < out.shape[1]:\n"
    "        for k in range(a.shape[1]):\n"
    "            if k % 3 == 1:\n"
    "                continue\n"
    "            out[i, j] += a[i, k] * b[k, j]\n"
    "            if k > 20:\n"
    "                break\n",
};

static void a_plane_of_any_shape(void **state)
{
    static const int64_t sides[] = { 1, 3, 8, 37, 64, 130 };
    (void)state;
    for (size_t p = 0; p < sizeof planes / sizeof *planes; p++) {
        kjit_kernel *kernels[2] = { kernel_by(planes[p], "none"),
                                    kernel_by(planes[p], "all,-persist") };
        if (p < COARSENED_PLANES &&
            !is_coarsened(kernels[1], "(float32[:, ::1], float32[:, ::1], float32[:, ::1])"))
            fail_msg("%s: it is not coarsened", planes[p]);
        for (int i = 0; i < 36; i++) {
            int64_t side = sides[i % 6], other = p == 1 || p == 2 ? sides[i / 6] : side;
            kjit_array arrays[3] = { matrix_at(plain.a, side, other),
                                     matrix_at(plain.b, side, other),
                                     p == 1 ? matrix_at(plain.out, other, side)
                                            : matrix_at(plain.out, side, other) };
            kjit_launch_config config = config_of(9, 17);
            config.grid[1] = i % 4 ? 9 : 2; /* too few now and then */
            config.block[1] = 15;
            compare(kernels, &config, arrays, planes[p]);
        }
    }
}

/* ---- what is left alone ---------------------------------------------------------------------- */

static const char *const alone[] = {
    "    total = float32(0)\n"
    "    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n"
    "        total += a[i]\n"
    "        out[i] = total\n",
    "    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n"
    "        out[i] = out[i - 1] + a[i]\n",
    "    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n"
    "        if a[i] > 3:\n"
    "            break\n"
    "        out[i] = b[i]\n",
    "    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):\n"
    "        out[int(b[i])] = a[i]\n",
    "    i = cuda.grid(1)\n"
    "    cuda.syncthreads()\n"
    "    out[i] = a[i]\n",
    "    i = cuda.grid(1)\n"
    "    out[i] = a[i] + cuda.laneid\n",
    "    i = cuda.grid(1)\n"
    "    out[i] = a[i] + cuda.threadIdx.x\n",
    "    i = cuda.grid(1)\n"
    "    out[i] = cuda.atomic.add(a, 0, 1)\n",
    "    i = cuda.grid(1)\n"
    "    while out[i] < 1:\n"
    "        out[i] = a[i]\n",
    "    i = cuda.grid(1)\n"
    "    print(i)\n"
    "    out[i] = a[i]\n",
    "    i = cuda.grid(1)\n"
    "    out[i] = a[i]\n"
    "    cuda.threadfence()\n"
    "    b[i] = a[i]\n",
};

static void threads_that_are_not_on_their_own_stay_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (is_coarsened(kernel_by(alone[i], "all,-persist"),
                         "(float32[::1], float32[::1], float32[::1])"))
            fail_msg("%s: it is coarsened", alone[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_any_length_and_alignment),
        cmocka_unit_test(reversed_and_spread_rows),
        cmocka_unit_test(arrays_that_overlap),
        cmocka_unit_test(a_plane_of_any_shape),
        cmocka_unit_test(threads_that_are_not_on_their_own_stay_themselves),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
