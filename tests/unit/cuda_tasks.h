/* What programs do on a GPU, each as a task that opens nothing but what it closes, and goes on to
** the end of that whatever fails: for tests of failures. A row of `tasks` adds one. */
#ifndef KJIT_TESTS_CUDA_TASKS_H
#define KJIT_TESTS_CUDA_TASKS_H

#include "tests/unit/cuda.h"

enum { ILLEGAL_ADDRESS = 700, LARGE = 300000 };

static float x[N], y[N], out[N], large[LARGE];
static bool right; /* what the task found it had done */

static kjit_array floats(float *data, int64_t count)
{
    return kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, &count);
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1000;
        out[i] = -1;
    }
}

static kjit_status load(kjit_context *context, const char *name, int debug, kjit_module **module,
                        kjit_kernel **kernel)
{
    kjit_load_options options = { .size = sizeof options, .debug = debug };
    kjit_status status = kjit_load_source(context, kernels, "t.k", &options, module);

    return status == KJIT_OK ? kjit_get_kernel(*module, name, kernel) : status;
}

static kjit_status launch_add(kjit_context *context, int debug)
{
    kjit_module *module;
    kjit_kernel *add;
    kjit_status status = load(context, "add", debug, &module, &add);

    fill();
    if (status == KJIT_OK)
        status = KJIT_CALL(add, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                           KJIT_ARRAY(out, N));
    right = out[N - 1] == 1000 + N - 1;
    kjit_close_module(module);
    return status;
}

static kjit_status host_arrays(kjit_context *context)
{
    return launch_add(context, 0);
}

static kjit_status debug_kernels(kjit_context *context)
{
    return launch_add(context, 1);
}

/* Through page-locked memory, chunk by chunk. */
static kjit_status sums_beside_arrays(kjit_context *context)
{
    float sums[2] = { 1, 2 };
    kjit_module *module;
    kjit_kernel *total;
    kjit_status status = load(context, "total", 0, &module, &total);

    fill();
    if (status == KJIT_OK)
        status =
            KJIT_CALL(total, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), KJIT_ARRAY(sums, 2));
    right = sums[0] == 1 + 2450 && sums[1] == 2 + 2500;
    kjit_close_module(module);
    return status;
}

static kjit_status large_arrays(kjit_context *context)
{
    kjit_module *module;
    kjit_kernel *scale;
    kjit_status status = load(context, "scale", 0, &module, &scale);

    for (int i = 0; i < LARGE; i++)
        large[i] = (float)(i % 1000);
    if (status == KJIT_OK)
        status = KJIT_CALL(scale, KJIT_GRID(LARGE / 100), KJIT_BLOCK(100), KJIT_ARRAY(large, LARGE),
                           2.0f);
    right = true;
    for (int i = 0; i < LARGE; i++)
        right = right && large[i] == (float)(2 * (i % 1000));
    kjit_close_module(module);
    return status;
}

static kjit_status device_arrays(kjit_context *context)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x, N), back = floats(out, N), device = { 0 };
    kjit_module *module;
    kjit_kernel *scale;
    kjit_status status = load(context, "scale", 0, &module, &scale);

    fill();
    if (status == KJIT_OK)
        status = kjit_to_device(context, &host, &device);
    if (status == KJIT_OK)
        status = kjit_launch(scale, &config,
                             (kjit_arg[]){ kjit_arg_array(device), kjit_arg_float32(3) }, 2);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(context, &device, &back);
    right = out[5] == 15;
    kjit_status freed = kjit_array_free(context, &device);
    kjit_close_module(module);
    return status == KJIT_OK ? freed : status;
}

/* Every second column there; and back, in the other order. */
static kjit_status strided_copies(kjit_context *context)
{
    static float wide[20][40], tall[20][20];
    kjit_array from = kjit_host_array(wide, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 20, 20 });
    kjit_array to = kjit_host_array(tall, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ 20, 20 });
    kjit_array device = { 0 };

    for (int i = 0; i < 800; i++)
        wide[i / 40][i % 40] = (float)i;
    from.strides[0] = 160;
    from.strides[1] = 8;
    to.strides[0] = 4;
    to.strides[1] = 80;
    memset(tall, 0, sizeof tall);
    kjit_status status = kjit_to_device(context, &from, &device);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(context, &device, &to);
    right = tall[3][2] == wide[2][6];
    kjit_status freed = kjit_array_free(context, &device);
    return status == KJIT_OK ? freed : status;
}

static kjit_status prepared_launches(kjit_context *context)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x, N), device = { 0 };
    kjit_prepared *prepared = NULL;
    kjit_module *module;
    kjit_kernel *scale;
    kjit_status status = load(context, "scale", 1, &module, &scale);

    fill();
    if (status == KJIT_OK)
        status = kjit_to_device(context, &host, &device);
    if (status == KJIT_OK)
        status =
            kjit_prepare(scale, &config,
                         (kjit_arg[]){ kjit_arg_array(device), kjit_arg_float32(3) }, 2, &prepared);
    for (int i = 0; i < 2 && status == KJIT_OK; i++)
        status = kjit_launch_prepared(prepared);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(context, &device, &host);
    right = x[5] == 45;
    kjit_close_prepared(prepared);
    kjit_status freed = kjit_array_free(context, &device);
    kjit_close_module(module);
    return status == KJIT_OK ? freed : status;
}

static kjit_status questions(kjit_context *context)
{
    kjit_launch_config config = { .size = sizeof config };
    kjit_memory_info info = { .size = sizeof info };
    kjit_arg args[] = { KJIT_ARRAY(x, N), kjit_arg_float32(3) };
    kjit_module *module;
    kjit_kernel *scale;
    kjit_status status = load(context, "scale", 0, &module, &scale);

    if (status == KJIT_OK)
        status = kjit_forall(scale, args, 2, 1000, &config);
    if (status == KJIT_OK)
        status = kjit_memory_usage(context, &info);
    if (status == KJIT_OK)
        status = kjit_memory_trim(context, 0);
    if (status == KJIT_OK)
        status = kjit_synchronize(context);
    right = config.grid[0] == 4 && info.total && info.free <= info.total;
    kjit_close_module(module);
    return status;
}

static kjit_status shared_and_together(kjit_context *context)
{
    static const char text[] = "@cuda.jit\n"
                               "def waits(a):\n"
                               "    s = cuda.shared.array(0, float32)\n"
                               "    s[0] = a[0]\n"
                               "    cuda.cg.this_grid().sync()\n"
                               "    a[0] = s[0]\n";
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 2 }, .block = { 64 }, .shared_bytes = 100 << 10
    };
    kjit_module *module;
    kjit_kernel *waits = NULL;
    kjit_status status = kjit_load_source(context, text, "t.k", NULL, &module);

    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &waits);
    if (status == KJIT_OK)
        status = kjit_launch(waits, &config, (kjit_arg[]){ KJIT_ARRAY(x, N) }, 1);
    right = true;
    kjit_close_module(module);
    return status;
}

static void note_call(void *data)
{
    ++*(int *)data;
}

static kjit_status streams_and_events(kjit_context *context)
{
    kjit_array host = floats(x, N), device = { 0 };
    kjit_stream *one = NULL, *two = NULL;
    kjit_event *first = NULL, *second = NULL;
    kjit_array_options options = { .size = sizeof options };
    double ms = -1;
    int called = 0, done = 0;

    fill();
    kjit_status status = kjit_stream_new(context, NULL, &one);
    if (status == KJIT_OK)
        status = kjit_stream_new(
            context,
            &(kjit_stream_options){ .size = sizeof(kjit_stream_options), .independent = 1 }, &two);
    options.stream = one;
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &first);
    if (status == KJIT_OK)
        status = kjit_event_new(context, 1, &second);
    if (status == KJIT_OK)
        status =
            kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }, &options, &device);
    if (status == KJIT_OK)
        status = kjit_copy_on(context, one, &device, &host);
    if (status == KJIT_OK)
        status = kjit_event_record(first, one);
    if (status == KJIT_OK)
        status = kjit_event_wait(first, two);
    if (status == KJIT_OK)
        status = kjit_array_zero(context, two, &device);
    if (status == KJIT_OK)
        status = kjit_stream_callback(two, note_call, &called);
    if (status == KJIT_OK)
        status = kjit_event_record(second, two);
    while (status == KJIT_OK && !done)
        status = kjit_event_query(second, &done);
    if (status == KJIT_OK)
        status = kjit_event_synchronize(second);
    if (status == KJIT_OK)
        status = kjit_event_elapsed(first, second, &ms);
    if (status == KJIT_OK)
        status = kjit_event_wait(second, one);
    if (status == KJIT_OK)
        status = kjit_copy_on(context, one, &host, &device);
    if (status == KJIT_OK)
        status = kjit_stream_synchronize(one);
    if (status == KJIT_OK)
        status = kjit_stream_query(one, &done);
    right = called == 1 && ms > 0 && x[5] == 0 && done;
    kjit_status freed = status == KJIT_OK ? kjit_array_free_on(context, one, &device)
                                          : kjit_array_free(context, &device);
    kjit_event_close(first);
    kjit_event_close(second);
    kjit_stream_close(one);
    kjit_stream_close(two);
    return status == KJIT_OK ? freed : status;
}

static kjit_status graphs(kjit_context *context)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x, N), device = { 0 };
    kjit_stream *stream = NULL;
    kjit_graph *graph = NULL;
    kjit_module *module;
    kjit_kernel *scale;
    kjit_status status = load(context, "scale", 0, &module, &scale);

    fill();
    if (status == KJIT_OK)
        status = kjit_stream_new(context, NULL, &stream);
    if (status == KJIT_OK)
        status = kjit_to_device(context, &host, &device);
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(3) };
    config.stream = stream;
    if (status == KJIT_OK)
        status = kjit_capture_begin(stream);
    if (status == KJIT_OK) {
        status = kjit_launch(scale, &config, args, 2);
        if (status == KJIT_OK)
            status = kjit_launch(scale, &config, args, 2);
        kjit_status ended = kjit_capture_end(stream, &graph);
        status = status == KJIT_OK ? ended : status;
    }
    if (status == KJIT_OK)
        status = kjit_graph_launch(graph, stream);
    if (status == KJIT_OK)
        status = kjit_graph_launch(graph, NULL);
    if (status == KJIT_OK)
        status = kjit_copy_to_host(context, &device, &host);
    right = x[5] == 5 * 81;
    kjit_graph_close(graph);
    kjit_status freed = kjit_array_free(context, &device);
    kjit_stream_close(stream);
    kjit_close_module(module);
    return status == KJIT_OK ? freed : status;
}

static kjit_status kinds_of_memory(kjit_context *context)
{
    kjit_array_options options = { .size = sizeof options };
    kjit_array host = floats(x, N), kept = floats(out, N), array = { 0 };
    kjit_status status = KJIT_OK, freed = KJIT_OK;
    bool pinned = false;

    fill();
    right = true;
    for (int kind = 0; kind <= KJIT_MEMORY_MANAGED && status == KJIT_OK && freed == KJIT_OK;
         kind++) {
        options.memory = (kjit_memory)kind;
        status = kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }, &options, &array);
        if (status == KJIT_OK)
            status = kjit_copy(context, &array, &host);
        if (status == KJIT_OK)
            status = kjit_copy(context, &kept, &array);
        right = right && out[kind + 1] == (float)(kind + 1);
        freed = kjit_array_free(context, &array);
    }
    if (status == KJIT_OK)
        status = kjit_pin(context, &host);
    pinned = status == KJIT_OK;
    if (pinned)
        status = kjit_unpin(context, &host);
    if (pinned && status != KJIT_OK && status != KJIT_BROKEN)
        kjit_unpin(context, &host);
    return status == KJIT_OK ? freed : status;
}

static void do_break(const FakeLaunch *launch)
{
    (void)launch;
    fake_cuda_break(ILLEGAL_ADDRESS);
}

/* A kernel breaks the context, which is brought back, and what was compiled runs again. */
static kjit_status resets(kjit_context *context)
{
    kjit_module *module;
    kjit_kernel *add, *scale;
    kjit_status status = load(context, "add", 0, &module, &add);

    fill();
    fake_cuda_kernel("scale", do_break);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, "scale", &scale);
    for (int round = 0; round < 2 && status == KJIT_OK; round++) {
        out[5] = 0;
        status = KJIT_CALL(add, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                           KJIT_ARRAY(out, N));
        right = out[5] == 1005;
        if (status == KJIT_OK && round == 0) {
            status = KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 1.0f);
            if (status == KJIT_BROKEN)
                status = kjit_reset(context);
        }
    }
    fake_cuda_kernel("scale", do_scale);
    kjit_close_module(module);
    return status;
}

static const struct Task {
    const char *name;
    kjit_status (*run)(kjit_context *context);
    bool resets; /* it may leave the context in need of one */
} tasks[] = {
    { "host_arrays", host_arrays, false },
    { "debug_kernels", debug_kernels, false },
    { "sums_beside_arrays", sums_beside_arrays, false },
    { "large_arrays", large_arrays, false },
    { "device_arrays", device_arrays, false },
    { "strided_copies", strided_copies, false },
    { "prepared_launches", prepared_launches, false },
    { "questions", questions, false },
    { "shared_and_together", shared_and_together, false },
    { "streams_and_events", streams_and_events, false },
    { "graphs", graphs, false },
    { "kinds_of_memory", kinds_of_memory, false },
    { "resets", resets, true },
};

enum { TASKS = sizeof tasks / sizeof *tasks };

#endif
