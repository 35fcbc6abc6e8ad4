/* What a device can do at the best: how fast it copies, and how fast it multiplies and adds.
**
** The copy is several times as large as the caches. Sums are in chains that do not wait for one
** another, more than the pipelines are deep (4 to 5 steps, two of them side by side on
** processors). On these the threads of a block lie side by side in vectors where they do the same
** without a loop between: so each iteration begins with a barrier, and is long. Of each
** the fastest launch counts: a roof is what was reached once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/measure.h"

static const double DRIFT_MOST = 0.1;

enum { CHAINS = 12, ROUNDS = 32, TURNS = 128, BLOCK = 256, COPIES_OF_CACHE = 4 };

static const int64_t copy_most = 1ll << 30, copy_least = 1ll << 26; /* bytes of an array */

static const char copy_text[] = "@cuda.jit\n"
                                "def copy(x, y):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < x.size:\n"
                                "        y[i] = x[i]\n";

static const MeasureOptions quick = { .warm_up = 3,
                                      .warm_up_seconds = 0.05,
                                      .least = 5,
                                      .most = 50,
                                      .most_seconds = 0.15,
                                      .alone = true,
                                      .once = true };

static kjit_status fastest(kjit_context *context, kjit_kernel *kernel,
                           const kjit_launch_config *config, const kjit_arg *args, size_t count,
                           double *ms)
{
    Timing timing;
    kjit_status status = measure_launches(context, kernel, config, args, count, &quick, &timing);

    *ms = timing.least;
    timing_free(&timing);
    return status;
}

/* The bytes of an array to be copied: it and its copy take a third of what memory is free. */
static kjit_status copy_size(kjit_context *context, int64_t *bytes)
{
    kjit_device_info device = { .size = sizeof device };
    kjit_memory_info memory = { .size = sizeof memory };
    kjit_status status = kjit_device_facts(context, &device);

    if (status == KJIT_OK)
        status = kjit_memory_usage(context, &memory);
    if (status != KJIT_OK)
        return status;
    int64_t wanted = COPIES_OF_CACHE * (device.l2_bytes > 0 ? device.l2_bytes : copy_least);
    int64_t room = (int64_t)(memory.free / 6);
    *bytes = wanted < copy_least ? copy_least : wanted > copy_most ? copy_most : wanted;
    *bytes = (*bytes > room ? room : *bytes) / BLOCK * BLOCK;
    return KJIT_OK;
}

/* What copies: made once, since memory so large takes longer to get than to copy. */
typedef struct Copying {
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_array from, to;
    int64_t bytes; /* of each */
} Copying;

static void copying_free(kjit_context *context, Copying *copying)
{
    kjit_array_free(context, &copying->from);
    kjit_array_free(context, &copying->to);
    kjit_close_module(copying->module);
}

static kjit_status copying_new(kjit_context *context, Copying *copying)
{
    *copying = (Copying){ 0 };
    kjit_status status = kjit_load_source(context, copy_text, "copy.k", NULL, &copying->module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(copying->module, NULL, &copying->kernel);
    if (status == KJIT_OK)
        status = copy_size(context, &copying->bytes);
    const int64_t count = copying->bytes / 8;
    kjit_array *const arrays[] = { &copying->from, &copying->to };
    for (int i = 0; i < 2 && status == KJIT_OK; i++) {
        status = kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, &count, NULL, arrays[i]);
        if (status == KJIT_OK)
            status = kjit_array_zero(context, NULL, arrays[i]);
    }
    if (status != KJIT_OK)
        copying_free(context, copying);
    return status;
}

static kjit_status measure_copy(kjit_context *context, const Copying *copying, double *gbs)
{
    const kjit_arg args[] = { kjit_arg_array(copying->from), kjit_arg_array(copying->to) };
    const int64_t count = copying->bytes / 8;
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { (uint32_t)((count + BLOCK - 1) / BLOCK), 1, 1 },
                                        .block = { BLOCK, 1, 1 } };
    double ms;
    kjit_status status = fastest(context, copying->kernel, &config, args, 2, &ms);

    if (status == KJIT_OK)
        *gbs = 2 * (double)copying->bytes / ms / 1e6;
    return status;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* The kernel's text; NULL without memory. */
static char *chains_text(bool gpu)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    fputs("@cuda.jit\ndef chains(out, turns, b, c):\n    v0 = b\n", out);
    for (int i = 1; i < CHAINS; i++)
        fprintf(out, "    v%d = v%d + c\n", i, i - 1);
    fprintf(out, "    for k in range(turns):\n%s", gpu ? "" : "        cuda.syncthreads()\n");
    for (int i = 0; i < CHAINS * ROUNDS; i++)
        fprintf(out, "        v%d = cuda.fma(v%d, b, c)\n", i % CHAINS, i % CHAINS);
    fputs("    out[cuda.grid(1)] = v0", out);
    for (int i = 1; i < CHAINS; i++)
        fprintf(out, " + v%d", i);
    fputs("\n", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* As many threads as the device holds at once. */
static kjit_status thread_count(kjit_context *context, int64_t *threads)
{
    kjit_device_info device = { .size = sizeof device };
    kjit_status status = kjit_device_facts(context, &device);
    int64_t each = device.resident_threads > 0 ? device.resident_threads : 4 * BLOCK;

    *threads = (device.processors > 0 ? device.processors : 1) * (each / BLOCK) * BLOCK;
    return status;
}

static kjit_status measure_chains(kjit_context *context, kjit_kernel *kernel, bool wide,
                                  double *gflops)
{
    kjit_dtype dtype = wide ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_FLOAT32;
    kjit_array out = { 0 };
    int64_t threads;
    double ms;
    kjit_status status = thread_count(context, &threads);

    if (status == KJIT_OK)
        status = kjit_array_new(context, dtype, 1, &threads, NULL, &out);
    if (status == KJIT_OK) {
        const kjit_arg args[] = { kjit_arg_array(out), kjit_arg_int64(TURNS),
                                  wide ? kjit_arg_float64(0.5) : kjit_arg_float32(0.5f),
                                  wide ? kjit_arg_float64(1) : kjit_arg_float32(1) };
        const kjit_launch_config config = { .size = sizeof config,
                                            .grid = { (uint32_t)(threads / BLOCK), 1, 1 },
                                            .block = { BLOCK, 1, 1 } };
        status = fastest(context, kernel, &config, args, 4, &ms);
    }
    kjit_array_free(context, &out);
    if (status == KJIT_OK)
        *gflops = 2.0 * CHAINS * ROUNDS * TURNS * (double)threads / ms / 1e6;
    return status;
}

static kjit_status measure_arithmetic(kjit_context *context, Peaks *peaks)
{
    char *text = chains_text(!strncmp(kjit_device_name(context), "cuda", 4));
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_load_source(context, text ? text : "", "chains.k", NULL, &module);

    free(text);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = measure_chains(context, kernel, false, &peaks->float32_gflops);
    if (status == KJIT_OK)
        status = measure_chains(context, kernel, true, &peaks->float64_gflops);
    kjit_close_module(module);
    return status;
}

/* ---- all of it, several times --------------------------------------------------------------- */

static bool are_near(const Peaks *peaks)
{
    return peaks->drift <= DRIFT_MOST;
}

bool peaks_drift(const Peaks *peaks)
{
    return !are_near(peaks);
}

/* The two largest values of several. */
typedef struct Largest {
    double first, second;
} Largest;

static void add(Largest *largest, double value)
{
    double less = value < largest->first ? value : largest->first;

    largest->first = value > largest->first ? value : largest->first;
    largest->second = less > largest->second ? less : largest->second;
}

static double apart(const Largest *largest)
{
    return largest->first > 0 ? 1 - largest->second / largest->first : 0;
}

kjit_status measure_peaks(kjit_context *context, Peaks *peaks)
{
    Largest copy = { 0 }, narrow = { 0 }, wide = { 0 };
    Copying copying;
    kjit_status status = copying_new(context, &copying);

    *peaks = (Peaks){ .drift = 1 };
    if (status != KJIT_OK)
        return status;
    while (peaks->tries < PEAKS_TRIES && (peaks->tries < 2 || !are_near(peaks))) {
        Peaks now = { 0 };
        status = measure_copy(context, &copying, &now.copy_gbs);
        if (status == KJIT_OK)
            status = measure_arithmetic(context, &now);
        if (status != KJIT_OK)
            break;
        add(&copy, now.copy_gbs);
        add(&narrow, now.float32_gflops);
        add(&wide, now.float64_gflops);
        peaks->tries++;
        peaks->drift = fmax(apart(&copy), fmax(apart(&narrow), apart(&wide)));
    }
    copying_free(context, &copying);
    peaks->copy_gbs = copy.first;
    peaks->float32_gflops = narrow.first;
    peaks->float64_gflops = wide.first;
    return status;
}

kjit_peaks measure_peaks_found(const Peaks *peaks)
{
    return (kjit_peaks){ .size = sizeof(kjit_peaks),
                         .copy_gbs = peaks->copy_gbs,
                         .float32_gflops = peaks->float32_gflops,
                         .float64_gflops = peaks->float64_gflops };
}
