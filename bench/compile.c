/* Twenty kernels of one module, compiled from nothing: all at once in a process that has compiled
** nothing yet, and then, NVRTC being started, one after the other and several at once. Needs a GPU,
** whose machine code they become. */
#include "bench/driver.h"

#include <kjit.h>

#include <string.h>

enum { KERNELS = 20, ROUNDS = 5 };

static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

/* A module of kernels alike in size and none alike in text. */
static void write_module(char *text, size_t size, int round)
{
    size_t used = 0;
    for (int k = 0; k < KERNELS; k++)
        used += (size_t)snprintf(text + used, size - used,
                                 "@cuda.jit\n"
                                 "def kernel_%d(x, low, high, bins):\n"
                                 "    width = (high - low) / bins.shape[0] + %d.%d\n"
                                 "    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):\n"
                                 "        b = math.floor(math.sqrt(x[i] - low) / width)\n"
                                 "        if b >= 0 and b < bins.shape[0]:\n"
                                 "            cuda.atomic.add(bins, b, 1)\n\n",
                                 k, round, k);
}

/* Milliseconds for all of them; `threads` 0: as many as there are processors. `slowest` gets the
** longest that one took by itself. */
static double compile_all(kjit_context *context, int round, int threads, double *slowest)
{
    static char text[KERNELS * 512];
    kjit_arg array = kjit_arg_host_array(text, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ 100 });
    kjit_arg bins = kjit_arg_host_array(text, KJIT_DTYPE_INT32, 0, 1, (int64_t[]){ 100 });
    kjit_arg args[] = { array, kjit_arg_float32(0), kjit_arg_float32(1), bins };
    kjit_compile_job jobs[KERNELS];
    kjit_module *module;
    kjit_batch *batch;

    write_module(text, sizeof text, round);
    must(kjit_load_source(context, text, "bench.k", NULL, &module));
    for (int k = 0; k < KERNELS; k++) {
        jobs[k] = (kjit_compile_job){ .args = args, .arg_count = 4 };
        must(kjit_get_kernel(module, kjit_kernel_name_at(module, (size_t)k), &jobs[k].kernel));
    }
    double begin = now_us(), before = begin;
    *slowest = 0;
    for (int k = 0; threads == 1 && k < KERNELS; k++) {
        must(kjit_compile(jobs[k].kernel, args, 4));
        double now = now_us();
        *slowest = now - before > *slowest ? now - before : *slowest;
        before = now;
    }
    if (threads != 1) {
        must(kjit_compile_begin(jobs, KERNELS, threads, &batch));
        must(kjit_compile_end(batch));
    }
    double took = (now_us() - begin) / 1e3;
    *slowest /= 1e3;
    kjit_close_module(module);
    return took;
}

int main(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };
    kjit_context *context;
    static const int threads[] = { 2, 4, 8, 0 };
    enum { KINDS = sizeof threads / sizeof threads[0] };
    double one[ROUNDS], slow[ROUNDS], many[KINDS][ROUNDS], ignored;

    must(kjit_open(&options, &context));
    double first = compile_all(context, 99, 0, &ignored);
    for (int i = 0; i < ROUNDS; i++) {
        one[i] = compile_all(context, (KINDS + 1) * i, 1, &slow[i]);
        for (int k = 0; k < KINDS; k++)
            many[k][i] = compile_all(context, (KINDS + 1) * i + k + 1, threads[k], &ignored);
    }
    printf(
        "compiling %d kernels at once, NVRTC's start and all: %.0f ms; later one by one %.0f ms, "
        "the slowest of them %.1f ms\n",
        KERNELS, first, median(one, ROUNDS), median(slow, ROUNDS));
    for (int k = 0; k < KINDS; k++)
        printf("compiling %d kernels by %d threads (0: one a processor): %.0f ms\n", KERNELS,
               threads[k], median(many[k], ROUNDS));
    kjit_close(context);
    return 0;
}
