/* The launch of an empty kernel by kjit_launch(): what launches.py is compared with. */
#include <kjit.h>
#include <stdio.h>
#include <time.h>

enum { COUNT = 200000, ROUNDS = 5 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static kjit_status run(kjit_context *context, kjit_kernel *kernel, double *best)
{
    static const int64_t shape[] = { 1 };
    const kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { 1, 1, 1 }, 0, NULL };
    kjit_array array;
    kjit_status status = kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, shape, NULL, &array);
    kjit_arg arg = kjit_arg_array(array);
    *best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int i = 0; i < COUNT && status == KJIT_OK; i++)
            status = kjit_launch(kernel, &config, &arg, 1);
        double took = now() - begin;
        *best = took < *best ? took : *best;
        if (status == KJIT_OK)
            status = kjit_synchronize(context);
    }
    return status;
}

int main(int argc, char **argv)
{
    kjit_open_options options = { .size = sizeof options, .device = argc > 1 ? argv[1] : "auto" };
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    double best;
    if (kjit_open(&options, &context) != KJIT_OK ||
        kjit_load_source(context, "@cuda.jit\ndef nothing(x):\n    pass\n", "t.k", NULL,
                         &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &kernel) != KJIT_OK ||
        run(context, kernel, &best) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        return 1;
    }
    printf("%.3f us a launch\n", 1e6 * best / COUNT);
    kjit_close(context);
    return 0;
}
