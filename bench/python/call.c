/* What a launch with three small host arrays takes from C: the least of many, in nanoseconds. For
** bench/python/launch.py, which measures the same launch from Python. */
#include <kjit.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LAUNCHES = 1000, ROUNDS = 300 };

static void must(kjit_status status)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s\n", kjit_error_message());
    exit(1);
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int count, char **words)
{
    static float a[4], b[4], c[4];
    kjit_open_options options = { .size = sizeof options, .device = count > 1 ? words[1] : NULL };
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *add;
    double least = 1e30;

    must(kjit_open(&options, &context));
    must(kjit_load_file(context, count > 2 ? words[2] : "add.k", NULL, &module));
    must(kjit_get_kernel(module, "add", &add));
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now_ns();
        for (int i = 0; i < LAUNCHES; i++)
            must(KJIT_CALL(add, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4), KJIT_ARRAY(b, 4),
                           KJIT_ARRAY(c, 4)));
        double took = (now_ns() - begin) / LAUNCHES;
        least = took < least ? took : least;
    }
    printf("%.1f\n", least);
    kjit_close(context);
    return 0;
}
