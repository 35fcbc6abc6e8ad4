/* One context, many threads. Meant for the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit.h"

enum { THREADS = 64, ELEMENTS = 1000, ROUNDS = 5 };

static const char text[] = "from numba import cuda\n"
                           "@cuda.jit\n"
                           "def scale(data, factor):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < data.shape[0]:\n"
                           "        data[i] = i * factor\n"
                           "@cuda.jit\n"
                           "def wrong(data):\n"
                           "    data[0] = nothing\n";

typedef struct Shared {
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *scale, *wrong;
    pthread_barrier_t start;
    atomic_int compiled;
    kjit_stream *stream;
    kjit_event *event;
    kjit_graph *graph;
    atomic_int begun, ended;
} Shared;

static int open_shared(void **state)
{
    Shared *shared = calloc(1, sizeof *shared);
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };

    *state = shared;
    pthread_barrier_init(&shared->start, NULL, THREADS);
    return kjit_open(&options, &shared->context) != KJIT_OK ||
           kjit_load_source(shared->context, text, "threads.k", NULL, &shared->module) != KJIT_OK ||
           kjit_get_kernel(shared->module, "scale", &shared->scale) != KJIT_OK ||
           kjit_get_kernel(shared->module, "wrong", &shared->wrong) != KJIT_OK;
}

static int close_shared(void **state)
{
    Shared *shared = *state;

    kjit_close(shared->context);
    pthread_barrier_destroy(&shared->start);
    free(shared);
    return 0;
}

static void run_threads(Shared *shared, void *(*body)(void *))
{
    pthread_t threads[THREADS];
    void *failed = NULL;

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, shared), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &failed);
        if (failed)
            fail_msg("%s", (char *)failed);
    }
}

static void *launch_float(void *context)
{
    Shared *shared = context;
    kjit_report report = { .size = sizeof report };
    float data[ELEMENTS];

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (KJIT_CALL(shared->scale, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(data, ELEMENTS),
                      3) != KJIT_OK)
            return (void *)(uintptr_t)kjit_error_message();
        kjit_last_report(&report);
        atomic_fetch_add(&shared->compiled, report.compiled);
        for (int i = 0; i < ELEMENTS; i++) {
            if (data[i] != (float)(3 * i))
                return "a wrong element";
        }
    }
    return NULL;
}

static void a_second_compile_waits_for_the_first(void **state)
{
    Shared *shared = *state;

    run_threads(shared, launch_float);
    assert_int_equal(shared->compiled, 1);
}

static atomic_int next_type;

static void *launch_own_type(void *context)
{
    Shared *shared = context;
    _Alignas(8) char data[8 * ELEMENTS];
    kjit_dtype dtype = (kjit_dtype)(KJIT_DTYPE_INT16 + atomic_fetch_add(&next_type, 1) % 6);
    int64_t shape[] = { ELEMENTS };
    kjit_arg args[] = { kjit_arg_host_array(data, dtype, 0, 1, shape), kjit_arg_int64(1) };
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 8, 1, 1 },
                                  .block = { 128, 1, 1 } };

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (kjit_launch(shared->scale, &config, args, 2) != KJIT_OK)
            return (void *)(uintptr_t)kjit_error_message();
    }
    return NULL;
}

static void different_types_compile_side_by_side(void **state)
{
    run_threads(*state, launch_own_type);
}

static void *launch_wrong(void *context)
{
    Shared *shared = context;
    float data[1];

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (KJIT_CALL(shared->wrong, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(data, 1)) !=
            KJIT_INVALID)
            return "an error was expected";
        if (!strstr(kjit_error_message(), "nothing"))
            return "another error was expected";
    }
    return NULL;
}

static void errors_belong_to_their_thread(void **state)
{
    run_threads(*state, launch_wrong);
}

static void *load_and_close(void *context)
{
    Shared *shared = context;
    kjit_module *module;

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (kjit_load_source(shared->context, text, "threads.k", NULL, &module) != KJIT_OK)
            return (void *)(uintptr_t)kjit_error_message();
        kjit_close_module(module);
    }
    return NULL;
}

static void modules_load_side_by_side(void **state)
{
    run_threads(*state, load_and_close);
}

/* ---- recordings ----------------------------------------------------------------------- */

static float recorded[THREADS][2][ELEMENTS];
static atomic_int next_place;

static kjit_status scale_on(Shared *shared, kjit_stream *stream, float *data, int factor)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 8 }, .block = { 128 }, .stream = stream
    };
    kjit_arg args[] = { KJIT_ARRAY(data, ELEMENTS), kjit_arg_int32(factor) };

    return kjit_launch(shared->scale, &config, args, 2);
}

/* Has the stream join the recording of the shared one, records on both, and goes back. */
static kjit_status record_on_both(Shared *shared, kjit_stream *own, kjit_event *event, int place)
{
    kjit_status status = scale_on(shared, shared->stream, recorded[place][0], place);

    if (status == KJIT_OK)
        status = kjit_event_record(shared->event, place % 2 ? shared->stream : NULL);
    if (status == KJIT_OK)
        status = kjit_event_record(event, shared->stream);
    if (status == KJIT_OK)
        status = kjit_event_wait(event, own);
    if (status == KJIT_OK)
        status = scale_on(shared, own, recorded[place][1], place + 1);
    if (status == KJIT_OK)
        status = kjit_event_record(event, own);
    return status == KJIT_OK ? kjit_event_wait(event, shared->stream) : status;
}

static void *record(void *context)
{
    Shared *shared = context;
    int place = atomic_fetch_add(&next_place, 1);
    kjit_stream *own;
    kjit_event *event;

    if (kjit_stream_new(shared->context, NULL, &own) != KJIT_OK ||
        kjit_event_new(shared->context, place % 2, &event) != KJIT_OK)
        return "no stream or event";
    pthread_barrier_wait(&shared->start);
    kjit_status status = record_on_both(shared, own, event, place);
    kjit_event_close(event);
    kjit_stream_close(own);
    return status == KJIT_OK ? NULL : (void *)(uintptr_t)kjit_error_message();
}

static void check_recorded(float wanted)
{
    for (int i = 0; i < THREADS; i++) {
        assert_true(recorded[i][0][2] == wanted * (float)(2 * i));
        assert_true(recorded[i][1][2] == wanted * (float)(2 * i + 2));
    }
}

static void threads_record_into_one_graph(void **state)
{
    Shared *shared = *state;

    assert_int_equal(kjit_stream_new(shared->context, NULL, &shared->stream), KJIT_OK);
    assert_int_equal(kjit_event_new(shared->context, 1, &shared->event), KJIT_OK);
    assert_int_equal(kjit_capture_begin(shared->stream), KJIT_OK);
    run_threads(shared, record);
    assert_int_equal(kjit_capture_end(shared->stream, &shared->graph), KJIT_OK);
    check_recorded(0);
    assert_int_equal(kjit_graph_launch(shared->graph, NULL), KJIT_OK);
    check_recorded(1);
    kjit_graph_close(shared->graph);
    kjit_event_close(shared->event);
    kjit_stream_close(shared->stream);
}

static void *begin_and_end(void *context)
{
    Shared *shared = context;
    kjit_graph *graph;

    pthread_barrier_wait(&shared->start);
    if (kjit_capture_begin(shared->stream) == KJIT_OK)
        atomic_fetch_add(&shared->begun, 1);
    else if (!strstr(kjit_error_message(), "record"))
        return "another error was expected";
    pthread_barrier_wait(&shared->start);
    if (kjit_capture_end(shared->stream, &graph) == KJIT_OK)
        atomic_fetch_add(&shared->ended, 1);
    kjit_graph_close(graph);
    return NULL;
}

static void one_thread_begins_a_recording_and_one_ends_it(void **state)
{
    Shared *shared = *state;

    assert_int_equal(kjit_stream_new(shared->context, NULL, &shared->stream), KJIT_OK);
    run_threads(shared, begin_and_end);
    assert_int_equal(shared->begun, 1);
    assert_int_equal(shared->ended, 1);
    kjit_stream_close(shared->stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_compile_waits_for_the_first),
        cmocka_unit_test(different_types_compile_side_by_side),
        cmocka_unit_test(errors_belong_to_their_thread),
        cmocka_unit_test(modules_load_side_by_side),
        cmocka_unit_test(threads_record_into_one_graph),
        cmocka_unit_test(one_thread_begins_a_recording_and_one_ends_it),
    };

    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
