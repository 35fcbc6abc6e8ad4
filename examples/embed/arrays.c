/* arrays.c: adds 100 to every other column of a table on the device, through a view */
#include <kjit.h>
#include <stdio.h>

enum { ROWS = 4, COLUMNS = 6 };

static const char text[] = "@cuda.jit\n"
                           "def add_to_all(a, amount):\n"
                           "    i, j = cuda.grid(2)\n"
                           "    if i < a.shape[0] and j < a.shape[1]:\n"
                           "        a[i, j] += amount\n";

/* Every other column of a table, from the last one on, on the device; back in `result`. */
static kjit_status work(kjit_context *context, float *table, float *result)
{
    static const int64_t shape[] = { ROWS, COLUMNS }, part_shape[] = { ROWS, COLUMNS / 2 };
    static const kjit_slice columns[] = { KJIT_ALL, KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -2) };
    kjit_array host = kjit_host_array(table, KJIT_DTYPE_FLOAT32, 2, shape);
    kjit_array back = kjit_host_array(result, KJIT_DTYPE_FLOAT32, 2, part_shape);
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { 8, 8, 1 }, 0, NULL };
    kjit_array device, view;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg args[2];
    kjit_status status = kjit_to_device(context, &host, &device);

    if (status == KJIT_OK)
        status = kjit_array_slice(&device, columns, 2, &view);
    if (status == KJIT_OK)
        status = kjit_load_source(context, text, "arrays.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK) {
        args[0] = kjit_arg_array(view);
        args[1] = kjit_arg_float32(100);
        status = kjit_launch(kernel, &config, args, 2);
    }
    if (status == KJIT_OK)
        status = kjit_copy(context, &back, &view);
    kjit_array_free(context, &device); /* views are not freed */
    return status;
}

int main(int argc, char **argv)
{
    kjit_open_options options = { sizeof options, argc > 1 ? argv[1] : "auto", 0, 0, 0 };
    kjit_context *context;
    float table[ROWS * COLUMNS], result[ROWS * COLUMNS / 2];

    for (int i = 0; i < ROWS * COLUMNS; i++)
        table[i] = (float)i;
    if (kjit_open(&options, &context) != KJIT_OK || work(context, table, result) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        kjit_close(context);
        return 1;
    }
    for (int i = 0; i < ROWS * COLUMNS / 2; i++)
        printf("%g%c", (double)result[i], i % (COLUMNS / 2) == COLUMNS / 2 - 1 ? '\n' : ' ');
    kjit_close(context);
    return 0;
}
