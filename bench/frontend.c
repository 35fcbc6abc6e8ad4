/* What it costs to get from text to CUDA C: time and memory for examples/hist.k, and how both grow
** with a module's length. Prints a line a figure; the ratio says whether growth is linear.
**
** Memory is counted by standing in for malloc (the link wraps it), so it is all that kjit asks
** for. */
#include <kjit_tools.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- memory ------------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

static size_t held, most;

static void *hold(void *block)
{
    held += block ? malloc_usable_size(block) : 0;
    most = held > most ? held : most;
    return block;
}

static void *release(void *block)
{
    held -= block ? malloc_usable_size(block) : 0;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return hold(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return hold(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    return hold(__real_realloc(release(old), size));
}

void __wrap_free(void *block)
{
    __real_free(release(block));
}

/* ---- time --------------------------------------------------------------------------------- */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void die(void)
{
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

/* Milliseconds for one text; `*bytes` gets the most memory that was held at once. */
static double compile(kjit_context *context, const char *text, const char *kernel,
                      const char *signature, size_t *bytes)
{
    kjit_module *module;
    kjit_kernel *found;
    char *out;
    size_t length, before = held;
    kjit_emit_options options = {
        .size = sizeof(options), .stage = "cuda", .signature = signature, .arch = "sm_90"
    };
    most = held;
    double start = now_ms();
    if (kjit_load_source(context, text, "bench.k", NULL, &module) != KJIT_OK ||
        kjit_get_kernel(module, kernel, &found) != KJIT_OK ||
        kjit_emit(found, &options, &out, &length) != KJIT_OK)
        die();
    double spent = now_ms() - start;
    *bytes = most - before;
    kjit_free(out);
    kjit_close_module(module);
    return spent;
}

static double best_of(int times, kjit_context *context, const char *text, const char *kernel,
                      const char *signature, size_t *bytes)
{
    double best = 1e300;
    for (int i = 0; i < times; i++) {
        double spent = compile(context, text, kernel, signature, bytes);
        best = spent < best ? spent : best;
    }
    return best;
}

/* ---- texts -------------------------------------------------------------------------------- */

static const char hist[] = "@cuda.jit\n"
                           "def hist_kernel(x, xmin, xmax, histogram_out):\n"
                           "    nbins = histogram_out.shape[0]\n"
                           "    bin_width = (xmax - xmin) / nbins\n"
                           "    start = cuda.grid(1)\n"
                           "    stride = cuda.gridsize(1)\n"
                           "    for i in range(start, x.shape[0], stride):\n"
                           "        bin_number = math.floor((x[i] - xmin)/bin_width)\n"
                           "        if bin_number >= 0 and bin_number < nbins:\n"
                           "            cuda.atomic.add(histogram_out, bin_number, 1)\n";

/* So many functions of ten lines that call one another in chains of four, and a kernel that calls
** the first of each chain. */
static char *many_functions(int functions)
{
    size_t room = (size_t)functions * 11 * 48 + 4096, at = 0;
    char *text = malloc(room);
    for (int i = 0; i < functions; i++) {
        at += (size_t)snprintf(text + at, room - at,
                               "def f%d(a, b):\n    s = a\n    for i in range(3):\n"
                               "        if i < b:\n            s += i * a\n        else:\n"
                               "            s -= b\n    t = s * 2 + b\n    u = t - a\n"
                               "    return u + %s%d%s\n\n",
                               i, i % 4 ? "f" : "", i % 4 ? i - 1 : i, i % 4 ? "(a, b)" : "");
    }
    at += (size_t)snprintf(text + at, room - at, "@cuda.jit\ndef k(x):\n");
    for (int i = 3; i < functions; i += 4)
        at += (size_t)snprintf(text + at, room - at, "    x[%d] = f%d(x[0], 2.0)\n", i, i);
    return text;
}

/* One kernel of about `lines` lines, straight with a branch now and then. */
static char *one_kernel(int lines)
{
    size_t room = (size_t)lines * 40 + 4096, at = 0;
    char *text = malloc(room);
    at += (size_t)snprintf(text, room, "@cuda.jit\ndef k(x):\n    y = 0\n");
    for (int i = 0; i < lines / 5; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "    v%d = x[%d] + y\n    if v%d > %d:\n        y = v%d * 2\n"
                               "    else:\n        y = %d\n",
                               i, i, i, i, i, i);
    snprintf(text + at, room - at, "    x[0] = y\n");
    return text;
}

/* Five texts, each twice the one before, the last of `limit` units. */
static void growth(kjit_context *context, const char *unit, int limit, char *make(int count))
{
    double per_unit = 0;
    for (int count = limit / 16; count <= limit; count *= 2) {
        size_t bytes;
        char *text = make(count);
        double spent = best_of(5, context, text, "k", "k(float64[::1])", &bytes);
        double each = 1e3 * spent / count;
        printf("%5d %s: %8.2f ms, %6.2f MB, %.2f us each", count, unit, spent, (double)bytes / 1e6,
               each);
        printf(per_unit > 0 ? ", %.2f times that among half as many\n" : "\n", each / per_unit);
        per_unit = each;
        free(text);
    }
}

int main(void)
{
    kjit_context *context;
    setvbuf(stdout, NULL, _IOLBF, 0);
    kjit_open_options options = { .size = sizeof(options), .device = "cpu" };
    if (kjit_open(&options, &context) != KJIT_OK)
        die();
    size_t bytes;
    const char *signature = "hist_kernel(float32[::1], float32, float32, int32[::1])";
    double first = compile(context, hist, "hist_kernel", signature, &bytes);
    double best = best_of(200, context, hist, "hist_kernel", signature, &bytes);
    printf("hist.k from text to CUDA C: %.3f ms the first time, %.3f ms at best, %.3f MB\n", first,
           best, (double)bytes / 1e6);
    growth(context, "functions of 11 lines", 2000, many_functions);
    growth(context, "lines of one kernel", 20000, one_kernel);
    kjit_close(context);
    return 0;
}
