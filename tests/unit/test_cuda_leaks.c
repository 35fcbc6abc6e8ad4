/* What is done often on a GPU leaves nothing behind: no memory there, no handle of the driver's, no
** memory here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/cuda.h"
#include "tests/unit/leaks.h"

enum { LAUNCHES = 100000, MODULES = 1000, USED_MODULES = 200, WARM_UP = 20 };

typedef struct Use {
    size_t host, device;
    int handles;
} Use;

static Use in_use(void)
{
    return (Use){ leaks_bytes(), fake_cuda_bytes(0), fake_cuda_leaks() };
}

/* The C library keeps some; a leak of a byte each time would be more. */
static void expect_no_more(Use before, int times)
{
    Use after = in_use();

    assert_int_equal(after.device, before.device);
    assert_int_equal(after.handles, before.handles);
    if (after.host > before.host + (size_t)times)
        fail_msg("%zu bytes more after %d times", after.host - before.host, times);
}

static float x[N], y[N], out[N];

static void launches_leave_nothing(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add = must_load(context, kernels, "add");
    long launched = fake_cuda_launches("add");
    Use before = { 0 };

    (void)state;
    for (int i = 0; i < WARM_UP + LAUNCHES; i++) {
        if (i == WARM_UP)
            before = in_use();
        expect_ok(KJIT_CALL(add, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                            KJIT_ARRAY(out, N)));
    }
    expect_no_more(before, LAUNCHES);
    assert_int_equal(fake_cuda_launches("add") - launched, WARM_UP + LAUNCHES);
    close_gpu(context);
}

static void prepare_and_launch(kjit_kernel *scale, const kjit_array *device, kjit_stream *stream)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 32 } };
    kjit_arg args[] = { kjit_arg_array(*device), kjit_arg_float32(2) };
    kjit_prepared *prepared;

    config.stream = stream;
    expect_ok(kjit_prepare(scale, &config, args, 2, &prepared));
    expect_ok(kjit_launch_prepared(prepared));
    kjit_close_prepared(prepared);
}

/* Streams, events, graphs, arrays of every kind, prepared launches. */
static void handles_leave_nothing(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    Use before = { 0 };

    (void)state;
    for (int i = 0; i < WARM_UP + MODULES; i++) {
        kjit_array_options options = { .size = sizeof options, .memory = (kjit_memory)(i % 4) };
        kjit_array device;
        kjit_stream *stream;
        kjit_event *event;
        kjit_graph *graph;
        if (i == WARM_UP)
            before = in_use();
        expect_ok(kjit_stream_new(context, NULL, &stream));
        options.stream = i % 8 == 0 ? stream : NULL;
        expect_ok(kjit_event_new(context, 1, &event));
        expect_ok(
            kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }, &options, &device));
        expect_ok(kjit_capture_begin(stream));
        if (device.flags & KJIT_ON_DEVICE)
            prepare_and_launch(scale, &device, stream);
        expect_ok(kjit_capture_end(stream, &graph));
        expect_ok(kjit_graph_launch(graph, stream));
        expect_ok(kjit_event_record(event, stream));
        expect_ok(kjit_event_synchronize(event));
        expect_ok(kjit_array_free(context, &device));
        kjit_graph_close(graph);
        kjit_event_close(event);
        kjit_stream_close(stream);
    }
    expect_no_more(before, MODULES);
    close_gpu(context);
}

/* Every fifth is launched too. */
static void modules_leave_nothing(void **state)
{
    kjit_context *context = open_gpu("cuda");
    Use before = { 0 };

    (void)state;
    for (int i = 0; i < WARM_UP + MODULES; i++) {
        kjit_module *module;
        kjit_kernel *add;
        if (i == WARM_UP)
            before = in_use();
        expect_ok(kjit_load_source(context, kernels, "t.k", NULL, &module));
        expect_ok(kjit_get_kernel(module, "add", &add));
        if (i % (MODULES / USED_MODULES) == 0)
            expect_ok(KJIT_CALL(add, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(x, N),
                                KJIT_ARRAY(y, N), KJIT_ARRAY(out, N)));
        kjit_close_module(module);
    }
    expect_no_more(before, 10 * MODULES);
    close_gpu(context);
}

static void contexts_leave_nothing(void **state)
{
    Use before = { 0 };

    (void)state;
    for (int i = 0; i < WARM_UP + MODULES; i++) {
        if (i == WARM_UP)
            before = in_use();
        close_gpu(open_gpu("cuda"));
    }
    expect_no_more(before, MODULES);
}

static void resets_leave_nothing(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *add = must_load(context, kernels, "add");
    Use before = { 0 };

    (void)state;
    for (int i = 0; i < WARM_UP + MODULES; i++) {
        if (i == WARM_UP)
            before = in_use();
        expect_ok(KJIT_CALL(add, KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                            KJIT_ARRAY(out, N)));
        expect_ok(kjit_reset(context));
    }
    expect_no_more(before, MODULES);
    close_gpu(context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_leave_nothing), cmocka_unit_test(handles_leave_nothing),
        cmocka_unit_test(modules_leave_nothing),  cmocka_unit_test(contexts_leave_nothing),
        cmocka_unit_test(resets_leave_nothing),
    };

    (void)argc;
    leaks_begin(argv);
    return cmocka_run_group_tests(tests, pretend, NULL);
}
