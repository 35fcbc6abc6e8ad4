/* graphs.c: heat that spreads along a rod, in many small steps that are recorded once */
#include <kjit.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 64, STEPS = 50 };

static const char text[] = "@cuda.jit\n"
                           "def spread(old, new):\n"
                           "    i = cuda.grid(1)\n"
                           "    if 0 < i < old.size - 1:\n"
                           "        new[i] = (old[i - 1] + 2 * old[i] + old[i + 1]) / 4\n";

/* Records STEPS steps there and back between two arrays. */
static kjit_status record(kjit_stream *stream, kjit_kernel *kernel, const kjit_array rods[2],
                          kjit_graph **graph)
{
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { CELLS, 1, 1 }, 0, stream };
    kjit_status status = kjit_capture_begin(stream), ended;

    for (int i = 0; i < STEPS && status == KJIT_OK; i++) {
        kjit_arg args[2];
        args[0] = kjit_arg_array(rods[i % 2]);
        args[1] = kjit_arg_array(rods[1 - i % 2]);
        status = kjit_launch(kernel, &config, args, 2);
    }
    /* Whatever happened, the stream must not stay as it is. */
    ended = kjit_capture_end(stream, graph);
    return status == KJIT_OK ? ended : status;
}

static kjit_status run(kjit_context *context, double *heat)
{
    static const int64_t shape[] = { CELLS }, middle[] = { CELLS / 2 };
    kjit_array rods[2];
    kjit_stream *stream = NULL;
    kjit_graph *graph = NULL;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg value;
    kjit_status status = kjit_load_source(context, text, "graphs.k", NULL, &module);

    memset(rods, 0, sizeof rods); /* so that they can be freed */
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = kjit_stream_new(context, NULL, &stream);
    for (int i = 0; i < 2 && status == KJIT_OK; i++) {
        status = kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, shape, NULL, &rods[i]);
        if (status == KJIT_OK)
            status = kjit_array_zero(context, stream, &rods[i]);
    }
    if (status == KJIT_OK)
        status = record(stream, kernel, rods, &graph);
    if (status == KJIT_OK)
        status = kjit_array_set(context, &rods[0], middle, kjit_arg_float64(1000));
    for (int i = 0; i < 10 && status == KJIT_OK; i++)
        status = kjit_graph_launch(graph, stream);
    if (status == KJIT_OK)
        status = kjit_stream_synchronize(stream);
    if (status == KJIT_OK)
        status = kjit_array_get(context, &rods[STEPS % 2], middle, &value);
    if (status == KJIT_OK)
        *heat = value.as.number;
    kjit_graph_close(graph);
    kjit_stream_close(stream);
    kjit_array_free(context, &rods[0]);
    kjit_array_free(context, &rods[1]);
    return status;
}

int main(int argc, char **argv)
{
    kjit_open_options options = { sizeof options, argc > 1 ? argv[1] : "auto", 0, 0, 0 };
    kjit_context *context;
    double heat;

    if (kjit_open(&options, &context) != KJIT_OK || run(context, &heat) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        kjit_close(context);
        return 1;
    }
    printf("%.3f\n", heat);
    kjit_close(context);
    return 0;
}
