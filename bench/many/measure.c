/* Launches over one and more GPUs of this process: what they take, and what of it more GPUs save.
**
**     measure [SCALE [GPUS...]]
**
** for 1 GPU and for each number of them that is named (2), with arrays whose elements are divided
** by SCALE. Under mpirun it measures the ranks that there are. A line for each: what it is, GPUs,
** milliseconds of a launch, the speed-up against one GPU, and that over the number of GPUs. The
** first line that is measured is compared, bit for bit, with what the others leave. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "include/kjit_tools.h"

enum { ARRAYS = 4, GPUS = 64 };

typedef struct Load {
    const char *name, *kernel;
    int rounds; /* launches that are timed */
    bool swap;  /* the first two arrays change places after each */
    int count;
    struct {
        kjit_dtype dtype;
        int rank;
        int64_t shape[2];
        bool filled;
    } arrays[ARRAYS];
    uint32_t grid[2], block[2];
} Load;

static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

/* DEVICE=cpu: to try it where there is no GPU. */
static bool on_processor(void)
{
    const char *device = getenv("DEVICE");
    return device && !strcmp(device, "cpu");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static size_t bytes_of(const kjit_array *array)
{
    size_t bytes = kjit_dtype_bytes(array->dtype);
    for (int k = 0; k < array->rank; k++)
        bytes *= (size_t)array->shape[k];
    return bytes;
}

/* Numbers between 0 and 1 that repeat after a while. */
static void fill(const kjit_array *array)
{
    enum { PERIOD = 1 << 20 };
    float *to = array->data;
    size_t count = bytes_of(array) / sizeof *to, first = count < PERIOD ? count : PERIOD;
    uint32_t state = 1;

    for (size_t i = 0; i < first; i++) {
        state = state * 1664525u + 1013904223u;
        to[i] = (float)(state >> 8) / (float)(1 << 24);
    }
    for (size_t at = first; at < count; at += first)
        memcpy(to + at, to, (count - at < first ? count - at : first) * sizeof *to);
}

static void make_args(const Load *load, kjit_arg *args)
{
    for (int i = 0; i < load->count; i++) {
        kjit_array array = kjit_host_array(NULL, load->arrays[i].dtype, load->arrays[i].rank,
                                           load->arrays[i].shape);
        if (posix_memalign(&array.data, 4096, bytes_of(&array)))
            exit(1);
        memset(array.data, 0, bytes_of(&array));
        if (load->arrays[i].filled)
            fill(&array);
        args[i] = kjit_arg_array(array);
    }
}

static uint64_t digest(const kjit_arg *args, int count)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < count; i++) {
        const uint64_t *words = args[i].as.array.data;
        for (size_t k = 0; k < bytes_of(&args[i].as.array) / 8; k++)
            sum = (sum ^ words[k]) * 1099511628211u;
    }
    return sum;
}

static void launch(kjit_group *group, kjit_kernel *kernel, const Load *load, kjit_arg *args,
                   int times)
{
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { load->grid[0], load->grid[1], 1 },
                                  .block = { load->block[0], load->block[1], 1 } };
    for (int i = 0; i < times; i++) {
        must(kjit_group_launch(group, kernel, &config, args, (size_t)load->count, NULL, 0));
        kjit_arg first = args[0];
        args[0] = load->swap ? args[1] : args[0];
        args[1] = load->swap ? first : args[1];
    }
    must(kjit_group_synchronize(group));
}

/* Milliseconds of a launch; `*sum` is of what the first ones leave. */
static double measure(kjit_group *group, int gpu, const Load *load, uint64_t *sum)
{
    char device[16];
    snprintf(device, sizeof device, on_processor() ? "cpu" : "cuda:%d", gpu);
    kjit_open_options open = { .size = sizeof open, .device = device };
    kjit_load_options options = { .size = sizeof options };
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg args[ARRAYS];
    double best = 1e300;

    must(kjit_open(&open, &context));
    must(kjit_load_file(context, "bench/many/many.k", &options, &module));
    must(kjit_get_kernel(module, load->kernel, &kernel));
    make_args(load, args);
    must(kjit_group_hold_args(group, context, args, (size_t)load->count));
    launch(group, kernel, load, args, 2);
    must(kjit_group_fetch(group, NULL));
    *sum = digest(args, load->count);
    launch(group, kernel, load, args, 2);
    for (int round = 0; round < 3; round++) {
        double begin = now();
        launch(group, kernel, load, args, load->rounds);
        double took = (now() - begin) / load->rounds;
        best = took < best ? took : best;
    }
    must(kjit_group_drop(group, NULL));
    kjit_group_leave(group);
    for (int i = 0; i < load->count; i++)
        free(args[i].as.array.data);
    kjit_close(context);
    return best;
}

static void run_load(const Load *load, kjit_group *launched, const int *counts, int count)
{
    static const int gpus[GPUS] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    double one = 0;
    uint64_t first = 0, sum;

    for (int i = 0; i < count; i++) {
        kjit_group *group = launched;
        if (!group)
            must(on_processor() ? kjit_open_group(counts[i], &group)
                                : kjit_open_gpus(gpus, counts[i], &group));
        double ms = measure(group, launched ? kjit_launched_local_rank() : 0, load, &sum);
        int ranks = kjit_group_ranks(group);
        if (!launched)
            kjit_close_group(group);
        first = i ? first : sum;
        one = i ? one : ms;
        if (!launched || kjit_group_rank(launched) == 0)
            printf("%-28s %2d  %10.4f ms  speed-up %5.2f  efficiency %5.3f%s\n", load->name, ranks,
                   ms, one / ms, one / ms * counts[0] / ranks,
                   i && sum != first ? "  DIFFERS from what the first left" : "");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    int scale = argc > 1 ? atoi(argv[1]) : 1, counts[GPUS] = { 1, 2 };
    int64_t side = 16384 / scale, many = 1000000000 / scale / scale,
            points = 100000000 / scale / scale;
    uint32_t edge = (uint32_t)(side / 16);
    kjit_group *launched = NULL;
    const Load loads[] = {
        { "heat of 16384^2",
          "heat",
          1000 / scale + 2,
          true,
          2,
          { { KJIT_DTYPE_FLOAT32, 2, { side, side }, true },
            { KJIT_DTYPE_FLOAT32, 2, { side, side }, true } },
          { (uint32_t)(side / 32), (uint32_t)(side / 8) },
          { 32, 8 } },
        { "unmoved heat of 16384^2", /* which nothing is exchanged for: what the halo costs */
          "heat",
          1000 / scale + 2,
          false,
          2,
          { { KJIT_DTYPE_FLOAT32, 2, { side, side }, true },
            { KJIT_DTYPE_FLOAT32, 2, { side, side }, true } },
          { (uint32_t)(side / 32), (uint32_t)(side / 8) },
          { 32, 8 } },
        { "histogram of 10^9",
          "histogram",
          20,
          false,
          2,
          { { KJIT_DTYPE_FLOAT32, 1, { many }, true }, { KJIT_DTYPE_INT32, 1, { 150 }, false } },
          { (uint32_t)((many + 255) / 256), 1 },
          { 256, 1 } },
        { "product of 16384^3",
          "product",
          3,
          false,
          3,
          { { KJIT_DTYPE_FLOAT32, 2, { side, side }, true },
            { KJIT_DTYPE_FLOAT32, 2, { side, side }, true },
            { KJIT_DTYPE_FLOAT32, 2, { side, side }, false } },
          { edge, edge },
          { 16, 16 } },
        { "k-means of 10^8, 32 means",
          "k_means",
          20,
          false,
          4,
          { { KJIT_DTYPE_FLOAT32, 2, { points, 2 }, true },
            { KJIT_DTYPE_FLOAT32, 2, { 32, 2 }, true },
            { KJIT_DTYPE_INT32, 1, { points }, false },
            { KJIT_DTYPE_INT64, 1, { 32 }, false } },
          { (uint32_t)((points + 255) / 256), 1 },
          { 256, 1 } },
    };
    int count = argc > 2 ? argc - 1 : 2;

    for (int i = 2; i < argc && i < GPUS; i++)
        counts[i - 1] = atoi(argv[i]);
    if (kjit_launched_ranks() > 1) {
        must(kjit_open_group(0, &launched));
        counts[0] = kjit_group_ranks(launched);
        count = 1;
    }
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        if (!getenv("ONLY") || strstr(loads[i].name, getenv("ONLY")))
            run_load(&loads[i], launched, counts, count);
    kjit_close_group(launched);
    return 0;
}
