/* streams.c: two streams that work side by side, an event that joins them, and the time */
#include <kjit.h>
#include <stdio.h>

enum { COUNT = 1 << 20 };

static const char text[] = "@cuda.jit\n"
                           "def fill(a, value):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < a.size:\n"
                           "        a[i] = value\n"
                           "\n"
                           "@cuda.jit\n"
                           "def add(a, b):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < a.size:\n"
                           "        a[i] += b[i]\n";

/* What the program holds. */
static kjit_context *context;
static kjit_stream *streams[2];
static kjit_event *begin, *filled, *end;
static kjit_kernel *fill, *add;
static kjit_array arrays[2], host;

static kjit_status prepare(const char *device)
{
    static const int64_t shape[] = { COUNT };
    kjit_open_options options = { sizeof options, device, 0, 0, 0 };
    kjit_array_options pinned = { sizeof pinned, KJIT_MEMORY_PINNED, 0, NULL, NULL };
    kjit_module *module;
    kjit_status status = kjit_open(&options, &context);

    if (status == KJIT_OK)
        status = kjit_load_source(context, text, "streams.k", NULL, &module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, "fill", &fill);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, "add", &add);
    for (int i = 0; i < 2 && status == KJIT_OK; i++) {
        status = kjit_stream_new(context, NULL, &streams[i]);
        if (status == KJIT_OK)
            status = kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &arrays[i]);
    }
    if (status == KJIT_OK)
        status = kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, &pinned, &host);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &begin);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 0, &filled);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &end);
    return status;
}

static kjit_status launch(kjit_stream *stream, kjit_kernel *kernel, kjit_array a, kjit_arg b)
{
    kjit_launch_config config = { sizeof config, { COUNT / 256, 1, 1 }, { 256, 1, 1 }, 0, stream };
    kjit_arg args[2];

    args[0] = kjit_arg_array(a);
    args[1] = b;
    return kjit_launch(kernel, &config, args, 2);
}

/* Nothing waits until the end: pinned memory lets even the copy to the host return at once. */
static kjit_status run(double *ms)
{
    kjit_status status = kjit_event_record(begin, streams[0]);

    if (status == KJIT_OK)
        status = launch(streams[0], fill, arrays[0], kjit_arg_float32(1));
    if (status == KJIT_OK)
        status = launch(streams[1], fill, arrays[1], kjit_arg_float32(2));
    if (status == KJIT_OK)
        status = kjit_event_record(filled, streams[1]);
    if (status == KJIT_OK)
        status = kjit_event_wait(filled, streams[0]);
    if (status == KJIT_OK)
        status = launch(streams[0], add, arrays[0], kjit_arg_array(arrays[1]));
    if (status == KJIT_OK)
        status = kjit_copy_on(context, streams[0], &host, &arrays[0]);
    if (status == KJIT_OK)
        status = kjit_event_record(end, streams[0]);
    if (status == KJIT_OK)
        status = kjit_event_synchronize(end);
    return status == KJIT_OK ? kjit_event_elapsed(begin, end, ms) : status;
}

int main(int argc, char **argv)
{
    double ms = 0;
    kjit_status status = prepare(argc > 1 ? argv[1] : "auto");

    if (status == KJIT_OK)
        status = run(&ms);
    if (status == KJIT_OK)
        printf("%g after %.3f ms\n", (double)((float *)host.data)[COUNT - 1], ms);
    else
        fprintf(stderr, "%s\n", kjit_error_message());
    kjit_event_close(begin);
    kjit_event_close(filled);
    kjit_event_close(end);
    kjit_stream_close(streams[0]);
    kjit_stream_close(streams[1]);
    kjit_close(context); /* and its arrays */
    return status != KJIT_OK;
}
