/* A histogram from C: load a kernel, call it like numba, read the result.
**
**     cc hist.c -lkjit -o hist && ./hist ../hist.k */
#include <kjit.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 1000000, BINS = 150 };

/* Samples of a bell curve, near enough: each the sum of twelve uniform numbers. */
static void fill(float *samples)
{
    for (int i = 0; i < SAMPLES; i++) {
        float sum = -6;
        for (int k = 0; k < 12; k++)
            sum += (float)rand() / (float)RAND_MAX;
        samples[i] = sum;
    }
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "hist.k";
    kjit_context *ctx = NULL;
    kjit_module *mod;
    kjit_kernel *hist;
    float *samples = malloc(SAMPLES * sizeof *samples);
    int32_t bins[BINS] = { 0 };

    if (!samples)
        return 3;
    fill(samples);
    if (kjit_open(NULL, &ctx) != KJIT_OK || kjit_load_file(ctx, file, NULL, &mod) != KJIT_OK ||
        kjit_get_kernel(mod, NULL, &hist) != KJIT_OK ||
        KJIT_CALL(hist, KJIT_GRID(64), KJIT_BLOCK(64), KJIT_CONST_ARRAY(samples, SAMPLES), -4.0f,
                  4.0f, KJIT_ARRAY(bins, BINS)) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        kjit_close(ctx);
        free(samples);
        return 1;
    }
    for (int i = 0; i < BINS; i++)
        printf("%d%c", bins[i], i % 15 == 14 ? '\n' : ' ');
    kjit_close(ctx);
    free(samples);
    return 0;
}
