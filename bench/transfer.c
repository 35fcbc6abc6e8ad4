/* Host arrays through a launch: the histogram of a million samples, in memory that is not
** page-locked, beside what its parts take at the least: the samples up through page-locked memory
** at the best chunk size there is, the kernel, and its 600 bytes of counts back. Needs a GPU. */
#include "bench/driver.h"

#include <kjit.h>

#include <string.h>

enum { SAMPLES = 1000000, BINS = 150, ROUNDS = 200 };

static const char text[] = "@cuda.jit\n"
                           "def hist(x, low, high, bins):\n"
                           "    width = (high - low) / bins.shape[0]\n"
                           "    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):\n"
                           "        b = math.floor((x[i] - low) / width)\n"
                           "        if b >= 0 and b < bins.shape[0]:\n"
                           "            cuda.atomic.add(bins, b, 1)\n";

static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

static float samples[SAMPLES];
static int32_t bins[BINS];
static kjit_context *context;
static kjit_kernel *hist;
static kjit_array device_samples, device_bins, pinned;

static double measure(void work(void))
{
    static double rounds[ROUNDS];
    for (int i = 0; i < 20; i++)
        work();
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_us();
        work();
        rounds[i] = now_us() - start;
    }
    return median(rounds, ROUNDS);
}

static void call_with_host_arrays(void)
{
    must(KJIT_CALL(hist, KJIT_GRID(64), KJIT_BLOCK(64), KJIT_ARRAY(samples, SAMPLES), -4.0f, 4.0f,
                   KJIT_ARRAY(bins, BINS)));
}

static void run_kernel(void)
{
    must(KJIT_CALL(hist, KJIT_GRID(64), KJIT_BLOCK(64), device_samples, -4.0f, 4.0f, device_bins));
    must(kjit_synchronize(context));
}

static void upload_pageable(void)
{
    kjit_array host = kjit_host_array(samples, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ SAMPLES });
    must(kjit_copy(context, &device_samples, &host));
}

static void upload_pinned(void)
{
    must(kjit_copy(context, &device_samples, &pinned));
}

/* Chunk by chunk through page-locked memory, as simply as it can be written. */
static size_t chunk;

static void upload_staged(void)
{
    for (size_t at = 0; at < SAMPLES; at += chunk) {
        int64_t count = (int64_t)(SAMPLES - at < chunk ? SAMPLES - at : chunk);
        kjit_array from = pinned, to = device_samples;
        from.data = (float *)pinned.data + at;
        to.data = (float *)device_samples.data + at;
        from.shape[0] = to.shape[0] = count;
        memcpy(from.data, samples + at, 4 * (size_t)count);
        must(kjit_copy_on(context, NULL, &to, &from));
    }
    must(kjit_synchronize(context));
}

static void download(void)
{
    kjit_array host = kjit_host_array(bins, KJIT_DTYPE_INT32, 1, (int64_t[]){ BINS });
    must(kjit_copy(context, &host, &device_bins));
}

int main(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda" };
    kjit_array_options locked = { .size = sizeof locked, .memory = KJIT_MEMORY_PINNED };
    kjit_module *module;
    bench_load();
    must(kjit_open(&options, &context));
    must(kjit_load_source(context, text, "bench.k", NULL, &module));
    must(kjit_get_kernel(module, NULL, &hist));
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = (float)(i % 997) / 125.0f - 4.0f;
    kjit_array host = kjit_host_array(samples, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ SAMPLES });
    kjit_array host_bins = kjit_host_array(bins, KJIT_DTYPE_INT32, 1, (int64_t[]){ BINS });
    must(kjit_to_device(context, &host, &device_samples));
    must(kjit_to_device(context, &host_bins, &device_bins));
    must(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ SAMPLES }, &locked, &pinned));
    memcpy(pinned.data, samples, sizeof samples);

    double kernel = measure(run_kernel), pageable = measure(upload_pageable);
    double straight = measure(upload_pinned), down = measure(download);
    double staged = 1e30;
    size_t best = 0;
    for (chunk = 16384; chunk <= 2 * SAMPLES; chunk *= 2) {
        double took = measure(upload_staged);
        if (took < staged) {
            staged = took;
            best = 4 * chunk;
        }
    }
    double call = measure(call_with_host_arrays);
    double parts = staged + kernel + down;
    printf("4 MB up: pageable by kjit %.1f us, page-locked %.1f us, staged by hand at best %.1f us "
           "(chunks of %zu bytes)\n",
           pageable, straight, staged, best);
    printf("hist of 1M samples, [64, 64]: kernel %.1f us, 600 bytes down %.1f us\n", kernel, down);
    printf("call with host arrays: %.1f us, parts %.1f us, %.2f times\n", call, parts,
           call / parts);
    kjit_close(context);
    return 0;
}
