/* Streams, events and graphs on the processor: the same rules as on a GPU, except that work is done
** when it is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { N = 8 };

static kjit_stream *stream, *other;
static kjit_event *event;
static kjit_array x, y;

static int open_each(void **state)
{
    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &stream));
    expect_ok(kjit_stream_new(context, NULL, &other));
    expect_ok(kjit_event_new(context, 1, &event));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ N }, NULL, &x));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ N }, NULL, &y));
    expect_ok(kjit_array_zero(context, NULL, &x));
    expect_ok(kjit_array_zero(context, NULL, &y));
    return 0;
}

static int close_each(void **state)
{
    (void)state;
    expect_ok(kjit_array_free(context, &x));
    expect_ok(kjit_array_free(context, &y));
    kjit_event_close(event);
    kjit_stream_close(stream);
    kjit_stream_close(other);
    return 0;
}

static kjit_status launch_on(kjit_stream *on, kjit_kernel *kernel, kjit_array a, kjit_array b)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = on
    };
    kjit_arg args[] = { kjit_arg_array(a), kjit_arg_array(b) };

    return kjit_launch(kernel, &config, args, 2);
}

static void set_all(const kjit_array *array, double value)
{
    for (int i = 0; i < N; i++)
        ((double *)array->data)[i] = value;
}

static double first(const kjit_array *array)
{
    return *(double *)array->data;
}

/* ---- streams and events --------------------------------------------------------------------- */

static void *order[4];
static int called;

static void note(void *data)
{
    order[called++] = data;
}

static void callbacks_come_in_order(void **state)
{
    int done = 0;

    (void)state;
    called = 0;
    set_all(&x, 1);
    expect_ok(kjit_stream_callback(stream, note, &x));
    expect_ok(launch_on(stream, kernel_of(double_text), x, y));
    expect_ok(kjit_stream_callback(stream, note, &y));
    expect_ok(kjit_stream_synchronize(stream));
    expect_ok(kjit_stream_query(stream, &done));
    assert_true(done && called == 2 && order[0] == &x && order[1] == &y && first(&y) == 2);
}

static void the_default_streams_are_streams(void **state)
{
    kjit_stream *whole, *thread, *foreign;

    (void)state;
    expect_ok(kjit_stream_default(context, &whole));
    expect_ok(kjit_stream_per_thread(context, &thread));
    set_all(&x, 3);
    expect_ok(launch_on(whole, kernel_of(double_text), x, y));
    expect_ok(launch_on(thread, kernel_of(double_text), y, x));
    assert_true(first(&x) == 12);
    assert_null(kjit_stream_handle(whole));
    expect(kjit_capture_begin(whole), KJIT_ARGUMENT,
           "a default stream cannot record a graph\nnote:");
    expect(kjit_capture_begin(thread), KJIT_ARGUMENT, "a default stream");
    expect(kjit_stream_foreign(context, &x, &foreign), KJIT_UNSUPPORTED, "kjit_stream_new()");
    assert_null(foreign);
    kjit_stream_close(whole);
    kjit_stream_close(thread);
    kjit_stream_close(NULL);
}

static void events_tell_how_long_it_took(void **state)
{
    kjit_event *later, *untimed;
    double ms = -1;
    int done = 0;

    (void)state;
    expect_ok(kjit_event_new(context, 1, &later));
    expect_ok(kjit_event_new(context, 0, &untimed));
    expect_ok(kjit_event_synchronize(event));
    expect(kjit_event_elapsed(event, later, &ms), KJIT_ARGUMENT, "first event was never recorded");
    expect_ok(kjit_event_record(event, stream));
    expect(kjit_event_elapsed(event, later, &ms), KJIT_ARGUMENT, "second event was never recorded");
    expect(kjit_event_elapsed(event, untimed, &ms), KJIT_ARGUMENT,
           "second event was made without timing");
    expect(kjit_event_elapsed(untimed, event, &ms), KJIT_ARGUMENT, "first event was made without");
    usleep(2000);
    expect_ok(kjit_event_record(later, NULL));
    expect_ok(kjit_event_wait(later, other));
    expect_ok(kjit_event_wait(later, NULL));
    expect_ok(kjit_event_query(later, &done));
    expect_ok(kjit_event_elapsed(event, later, &ms));
    assert_true(done && ms >= 2);
    kjit_event_close(later);
    kjit_event_close(untimed);
    kjit_event_close(NULL);
}

static void streams_are_of_their_device(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *second;

    (void)state;
    expect_ok(kjit_open(&options, &second));
    expect_ok(kjit_copy_on(second, stream, &x, &y));
    expect_ok(kjit_event_record(event, stream));
    kjit_close(second);
}

/* ---- graphs --------------------------------------------------------------------------- */

static void a_graph_is_replayed_with_what_is_there_then(void **state)
{
    kjit_kernel *twice = kernel_of(double_text);
    kjit_graph *graph;
    double host[N] = { 0 };
    kjit_array back = kjit_host_array(host, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ N });

    (void)state;
    called = 0;
    set_all(&x, 1);
    expect_ok(kjit_capture_begin(stream));
    expect_ok(launch_on(stream, twice, x, y));
    expect_ok(launch_on(stream, twice, y, y));
    expect_ok(kjit_copy_on(context, stream, &back, &y));
    expect_ok(kjit_array_zero(context, stream, &y));
    expect_ok(kjit_stream_callback(stream, note, &y));
    expect_ok(kjit_event_record(event, stream));
    assert_true(first(&y) == 0 && host[0] == 0 && called == 0);
    expect_ok(kjit_capture_end(stream, &graph));
    assert_true(first(&y) == 0 && host[0] == 0 && called == 0);
    for (int round = 1; round <= 3; round++) {
        set_all(&x, round);
        expect_ok(kjit_graph_launch(graph, round == 1 ? stream : round == 2 ? other : NULL));
        assert_true(host[N - 1] == 4 * round && first(&y) == 0 && called == round);
    }
    kjit_graph_close(graph);
    kjit_graph_close(NULL);
}

/* Layouts that take many requests, among them those that go through the host otherwise. */
static void copies_of_every_layout_can_be_recorded(void **state)
{
    double from[4][6], to[6][4];
    kjit_array a = kjit_host_array(from, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 4, 6 });
    kjit_array b = kjit_host_array(to, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 6, 4 });
    kjit_graph *graph;

    (void)state;
    memset(to, 0, sizeof to);
    for (int i = 0; i < 24; i++)
        from[i / 6][i % 6] = i;
    expect_ok(kjit_array_transpose(&b, NULL, &b));
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_copy_on(context, stream, &b, &a));
    expect_ok(kjit_capture_end(stream, &graph));
    assert_true(to[5][3] == 0);
    expect_ok(kjit_graph_launch(graph, NULL));
    for (int i = 0; i < 24; i++)
        assert_true(to[i % 6][i / 6] == i);
    kjit_graph_close(graph);
}

static void a_stream_that_waits_joins_the_recording(void **state)
{
    kjit_kernel *twice = kernel_of(double_text);
    kjit_event *joined;
    kjit_graph *graph;

    (void)state;
    expect_ok(kjit_event_new(context, 0, &joined));
    expect_ok(kjit_capture_begin(stream));
    expect_ok(launch_on(stream, twice, x, y));
    expect_ok(kjit_event_record(event, stream));
    expect_ok(kjit_event_wait(event, other));
    expect_ok(launch_on(other, twice, y, y));
    expect_ok(kjit_event_record(joined, other));
    expect_ok(kjit_event_wait(joined, stream));
    expect_ok(launch_on(stream, twice, y, y));
    expect_ok(kjit_capture_end(stream, &graph));
    set_all(&x, 1);
    expect_ok(kjit_graph_launch(graph, NULL));
    assert_true(first(&y) == 8);
    /* The other stream is its own again. */
    expect_ok(launch_on(other, twice, x, y));
    assert_true(first(&y) == 2);
    kjit_graph_close(graph);
    kjit_event_close(joined);
}

/* What a stream does that records not by its own kjit_capture_begin(). */
static void a_stream_that_joined_records_as_the_first(void **state)
{
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };
    kjit_array_options options = { .size = sizeof options, .stream = other };
    kjit_array array;
    kjit_graph *graph, *none;
    int done;

    (void)state;
    set_all(&x, 1);
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_event_record(event, stream));
    expect_ok(kjit_event_wait(event, other));
    expect(kjit_capture_begin(other), KJIT_ARGUMENT, "recording a graph already");
    expect(kjit_capture_end(other, &none), KJIT_ARGUMENT, "not recording a graph that");
    expect_ok(kjit_copy_on(context, other, &y, &x));
    expect(launch_on(other, kernel_with(double_text, &debug), x, y), KJIT_ARGUMENT,
           "loaded for debug");
    expect(kjit_stream_synchronize(other), KJIT_ARGUMENT, "waiting for it");
    expect(kjit_stream_query(other, &done), KJIT_ARGUMENT, "asking whether it is done");
    expect(kjit_array_new(context, KJIT_DTYPE_INT8, 0, NULL, &options, &array), KJIT_ARGUMENT,
           "allocating memory cannot be recorded");
    expect(kjit_array_free_on(context, other, &x), KJIT_ARGUMENT, "freeing memory");
    expect_ok(kjit_event_record(event, other));
    expect(kjit_event_synchronize(event), KJIT_ARGUMENT, "recorded into a graph");
    expect_ok(kjit_event_wait(event, stream));
    expect_ok(kjit_capture_end(stream, &graph));
    assert_true(first(&y) == 0);
    set_all(&x, 2);
    expect_ok(kjit_graph_launch(graph, other));
    assert_true(first(&y) == 2);
    expect_ok(kjit_stream_synchronize(other));
    kjit_graph_close(graph);
}

/* It waits for its faults, whoever launches it. */
static void a_prepared_debug_kernel_is_not_recorded(void **state)
{
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };
    kjit_kernel *twice = kernel_with(double_text, &debug);
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = stream
    };
    kjit_arg args[] = { kjit_arg_array(x), kjit_arg_array(y) };
    kjit_prepared *prepared, *none;
    kjit_graph *graph;

    (void)state;
    expect_ok(kjit_prepare(twice, &config, args, 2, &prepared));
    expect_ok(kjit_capture_begin(stream));
    expect(kjit_launch_prepared(prepared), KJIT_ARGUMENT, "loaded for debug");
    expect(kjit_prepare(twice, &config, args, 2, &none), KJIT_ARGUMENT, "loaded for debug");
    assert_null(none);
    expect_ok(kjit_capture_end(stream, &graph));
    set_all(&x, 4);
    expect_ok(kjit_graph_launch(graph, stream));
    assert_true(first(&y) == 0);
    expect_ok(kjit_launch_prepared(prepared));
    assert_true(first(&y) == 8);
    kjit_close_prepared(prepared);
    kjit_graph_close(graph);
}

static void a_prepared_launch_is_recorded(void **state)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = stream
    };
    kjit_arg args[] = { kjit_arg_array(x), kjit_arg_array(y) };
    kjit_prepared *prepared;
    kjit_graph *graph;

    (void)state;
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_prepare(kernel_of(double_text), &config, args, 2, &prepared));
    expect_ok(kjit_launch_prepared(prepared));
    expect_ok(kjit_capture_end(stream, &graph));
    kjit_close_prepared(prepared);
    set_all(&x, 4);
    assert_true(first(&y) == 0);
    expect_ok(kjit_graph_launch(graph, stream));
    assert_true(first(&y) == 8);
    kjit_graph_close(graph);
}

static void what_cannot_join_a_recording_is_told_so(void **state)
{
    kjit_graph *graph, *second;

    (void)state;
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_event_record(event, stream));
    expect(kjit_event_wait(event, NULL), KJIT_ARGUMENT, "the default stream");
    expect_ok(kjit_capture_begin(other));
    expect(kjit_event_wait(event, other), KJIT_ARGUMENT, "a stream that records another");
    expect_ok(kjit_capture_end(stream, &graph));
    expect_ok(kjit_event_wait(event, other));
    expect_ok(kjit_capture_end(other, &second));
    kjit_graph_close(graph);
    kjit_graph_close(second);
}

static void what_must_wait_is_refused_while_recording(void **state)
{
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };
    kjit_graph *graph, *empty;
    double ms;
    int done;

    (void)state;
    expect(kjit_capture_end(stream, &graph), KJIT_ARGUMENT, "is not recording a graph");
    assert_null(graph);
    expect_ok(kjit_capture_begin(other));
    expect_ok(kjit_capture_end(other, &empty));
    expect_ok(kjit_capture_begin(stream));
    expect(kjit_capture_begin(stream), KJIT_ARGUMENT, "recording a graph already");
    expect(kjit_stream_synchronize(stream), KJIT_ARGUMENT,
           "waiting for it cannot be recorded\nnote: kjit_capture_end()");
    expect(kjit_stream_query(stream, &done), KJIT_ARGUMENT, "asking whether it is done");
    expect(kjit_graph_launch(empty, stream), KJIT_ARGUMENT, "launching another graph");
    expect(launch_on(stream, kernel_with(double_text, &debug), x, y), KJIT_ARGUMENT,
           "loaded for debug");
    expect_ok(kjit_event_record(event, stream));
    expect(kjit_event_synchronize(event), KJIT_ARGUMENT, "recorded into a graph, where it orders");
    expect(kjit_event_query(event, &done), KJIT_ARGUMENT, "recorded into a graph");
    expect_ok(kjit_capture_end(stream, &graph));
    expect_ok(kjit_graph_launch(graph, stream));
    expect(kjit_event_elapsed(event, event, &ms), KJIT_ARGUMENT, "kjit_graph_launch()");
    expect_ok(kjit_event_record(event, stream));
    expect_ok(kjit_event_elapsed(event, event, &ms));
    kjit_graph_close(graph);
    kjit_graph_close(empty);
}

static void a_stream_may_be_closed_while_it_records(void **state)
{
    kjit_stream *third;
    kjit_event *late;

    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &third));
    expect_ok(kjit_event_new(context, 0, &late));
    expect_ok(kjit_capture_begin(third));
    expect_ok(kjit_event_record(late, third));
    expect_ok(kjit_array_zero(context, third, &x));
    kjit_stream_close(third);
    expect_ok(kjit_event_wait(late, stream));
    kjit_event_close(late);
    set_all(&x, 5);
    expect_ok(launch_on(stream, kernel_of(double_text), x, y));
    assert_true(first(&y) == 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_each, close_each)

static void functions_of_streams_alone_refuse_null(void **state)
{
    kjit_graph *graph;
    int done;

    (void)state;
    expect(kjit_stream_synchronize(NULL), KJIT_ARGUMENT, "kjit_stream_default()");
    expect(kjit_stream_query(NULL, &done), KJIT_ARGUMENT, "kjit_stream_default()");
    expect(kjit_stream_callback(NULL, NULL, NULL), KJIT_ARGUMENT, "kjit_stream_default()");
    expect(kjit_capture_begin(NULL), KJIT_ARGUMENT, "kjit_stream_default()");
    expect(kjit_capture_end(NULL, &graph), KJIT_ARGUMENT, "kjit_stream_default()");
    assert_null(kjit_stream_handle(NULL));
}

static void structs_without_a_size_are_refused(void **state)
{
    kjit_open_options options = { .device = "cpu" };
    kjit_launch_config config = { .grid = { 1 }, .block = { N } };
    kjit_context *opened;

    (void)state;
    expect(kjit_open(&options, &opened), KJIT_ARGUMENT, "sizeof(kjit_open_options)");
    expect(kjit_launch(kernel_of(double_text), &config,
                       (kjit_arg[]){ kjit_arg_array(x), kjit_arg_array(y) }, 2),
           KJIT_ARGUMENT, "sizeof(kjit_launch_config)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(callbacks_come_in_order),
        TEST(the_default_streams_are_streams),
        TEST(events_tell_how_long_it_took),
        TEST(streams_are_of_their_device),
        TEST(a_graph_is_replayed_with_what_is_there_then),
        TEST(copies_of_every_layout_can_be_recorded),
        TEST(a_stream_that_waits_joins_the_recording),
        TEST(a_stream_that_joined_records_as_the_first),
        TEST(a_prepared_debug_kernel_is_not_recorded),
        TEST(a_prepared_launch_is_recorded),
        TEST(what_cannot_join_a_recording_is_told_so),
        TEST(what_must_wait_is_refused_while_recording),
        TEST(a_stream_may_be_closed_while_it_records),
        TEST(functions_of_streams_alone_refuse_null),
        TEST(structs_without_a_size_are_refused),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
