/* Handles that are none: NULL everywhere, and under debug handles what was closed or freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>

#include "tests/unit/library.h"

static const char source[] = "@cuda.jit\ndef k(x):\n    x[0] = 1\n";

/* Handles that calls make; they are to be NULL afterwards. */
static struct {
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_stream *stream;
    kjit_event *event;
    kjit_graph *graph;
    kjit_prepared *prepared;
    kjit_batch *batch;
    kjit_values *values;
    kjit_replay *replay;
    kjit_space *space;
    kjit_program *program;
    struct DLManagedTensor *tensor;
    kjit_array array;
} made;

/* Every function that takes a handle, NULL in its place: those that give a status, those that give
** a value, and those for which NULL is harmless or that fill something. */
/* clang-format off */
#define STATUS_CALLS(X) \
    X(kjit_reset(NULL)) \
    X(kjit_load_file(NULL, NULL, NULL, &made.module)) \
    X(kjit_load_source(NULL, NULL, NULL, NULL, &made.module)) \
    X(kjit_get_kernel(NULL, NULL, &made.kernel)) \
    X(kjit_stream_new(NULL, NULL, &made.stream)) \
    X(kjit_stream_default(NULL, &made.stream)) \
    X(kjit_stream_per_thread(NULL, &made.stream)) \
    X(kjit_stream_foreign(NULL, NULL, &made.stream)) \
    X(kjit_stream_synchronize(NULL)) \
    X(kjit_stream_query(NULL, NULL)) \
    X(kjit_stream_callback(NULL, NULL, NULL)) \
    X(kjit_event_new(NULL, 0, &made.event)) \
    X(kjit_event_record(NULL, NULL)) \
    X(kjit_event_wait(NULL, NULL)) \
    X(kjit_event_synchronize(NULL)) \
    X(kjit_event_query(NULL, NULL)) \
    X(kjit_event_elapsed(NULL, NULL, NULL)) \
    X(kjit_capture_begin(NULL)) \
    X(kjit_capture_end(NULL, &made.graph)) \
    X(kjit_graph_launch(NULL, NULL)) \
    X(kjit_launch(NULL, NULL, NULL, 0)) \
    X(kjit_compile(NULL, NULL, 0)) \
    X(kjit_compile_signature(NULL, NULL)) \
    X(kjit_access(NULL, NULL, 0, NULL)) \
    X(kjit_meanings(NULL, NULL, 0, NULL, NULL)) \
    X(kjit_transfers(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_left_over(NULL, NULL, NULL, 0, NULL, NULL)) \
    X(kjit_misfit(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_prepare(NULL, NULL, NULL, 0, &made.prepared)) \
    X(kjit_launch_prepared(NULL)) \
    X(kjit_synchronize(NULL)) \
    X(kjit_forall(NULL, NULL, 0, 0, NULL)) \
    X(kjit_auto_config(NULL, NULL, 0, NULL)) \
    X(kjit_axes(NULL, NULL, 0, NULL)) \
    X(kjit_array_new(NULL, 0, 0, NULL, NULL, NULL)) \
    X(kjit_to_device(NULL, NULL, &made.array)) \
    X(kjit_array_free(NULL, NULL)) \
    X(kjit_array_free_on(NULL, NULL, NULL)) \
    X(kjit_copy(NULL, NULL, NULL)) \
    X(kjit_copy_on(NULL, NULL, NULL, NULL)) \
    X(kjit_copy_to_host(NULL, NULL, NULL)) \
    X(kjit_array_get(NULL, NULL, NULL, NULL)) \
    X(kjit_array_set(NULL, NULL, NULL, kjit_arg_int64(0))) \
    X(kjit_array_zero(NULL, NULL, NULL)) \
    X(kjit_pin(NULL, NULL)) \
    X(kjit_unpin(NULL, NULL)) \
    X(kjit_memory_usage(NULL, NULL)) \
    X(kjit_memory_trim(NULL, 0)) \
    X(kjit_to_dlpack(NULL, NULL, NULL, NULL, &made.tensor)) \
    X(kjit_from_dlpack(NULL, NULL, NULL)) \
    X(kjit_array_interface(NULL, NULL, NULL, NULL)) \
    X(kjit_values_set(NULL, NULL, NULL, NULL)) \
    X(kjit_values_example(NULL, NULL)) \
    X(kjit_example_config(NULL, NULL)) \
    X(kjit_replay_values(NULL, 0, NULL)) \
    X(kjit_emit(NULL, NULL, NULL, NULL)) \
    X(kjit_program_run(NULL, NULL)) \
    X(kjit_program_open(NULL, NULL, &made.program)) \
    X(kjit_program_call(NULL, "f", NULL, 0, NULL)) \
    X(kjit_program_get(NULL, "x", NULL)) \
    X(kjit_load_binary(NULL, NULL, 0, NULL, &made.module)) \
    X(kjit_embedded_kernel(NULL, NULL, 0, NULL, &made.kernel)) \
    X(kjit_replace_text(NULL, NULL, 0, NULL, NULL, NULL)) \
    X(kjit_kernel_facts(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_specialisation_facts(NULL, 0, NULL)) \
    X(kjit_count_work(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_check_set(NULL, NULL)) \
    X(kjit_check_finding_at(NULL, 0, NULL)) \
    X(kjit_device_facts(NULL, NULL)) \
    X(kjit_compiler(0, NULL, 0)) \
    X(kjit_device_sensors(NULL, NULL)) \
    X(kjit_watch(NULL, NULL)) \
    X(kjit_space_new(NULL, &made.space)) \
    X(kjit_space_set(NULL, NULL, NULL)) \
    X(kjit_space_allows(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_space_visit(NULL, NULL, 0, NULL)) \
    X(kjit_space_shape(NULL, NULL, NULL, 0, NULL)) \
    X(kjit_space_kernel(NULL, NULL, &made.module, &made.kernel)) \
    X(kjit_space_digest(NULL, NULL)) \
    X(kjit_group_launch(NULL, NULL, NULL, NULL, 0, NULL, 0)) \
    X(kjit_group_hold(NULL, NULL, NULL, 0)) \
    X(kjit_group_hold_args(NULL, NULL, NULL, 0)) \
    X(kjit_group_fetch(NULL, NULL)) \
    X(kjit_group_wrote(NULL, NULL)) \
    X(kjit_group_drop(NULL, NULL)) \
    X(kjit_group_synchronize(NULL)) \
    X(kjit_space_own(NULL, NULL, 0, NULL)) \
    X(kjit_own_shape(NULL, NULL, 0, NULL)) \
    X(kjit_wisdom_add(NULL, NULL, NULL, 0, NULL, 0, NULL)) \
    X(kjit_tuned_find(NULL, NULL, 0, NULL)) \
    X(kjit_launch_tuned(NULL, NULL, NULL, 0))
#define VALUE_CALLS(X) \
    X(kjit_device_name(NULL)) \
    X(kjit_device_model(NULL)) \
    X(kjit_kernel_count(NULL)) \
    X(kjit_kernel_name_at(NULL, 0)) \
    X(kjit_module_doc(NULL)) \
    X(kjit_module_is_program(NULL)) \
    X(kjit_module_has_function(NULL, "f")) \
    X(kjit_module_binds(NULL, "f")) \
    X(kjit_module_function_at(NULL, 0, NULL)) \
    X(kjit_kernel_doc(NULL)) \
    X(kjit_kernel_name(NULL)) \
    X(kjit_param_count(NULL)) \
    X(kjit_param_name(NULL, 0)) \
    X(kjit_kernel_need(NULL, 0)) \
    X(kjit_stream_handle(NULL)) \
    X(kjit_compile_left(NULL)) \
    X(kjit_values_get(NULL, NULL)) \
    X(kjit_values_name_at(NULL, 0)) \
    X(kjit_specialisation_count(NULL)) \
    X(kjit_check_count(NULL)) \
    X(kjit_device_compiler(NULL)) \
    X(kjit_kernel_tunes(NULL)) \
    X(kjit_space_param_count(NULL)) \
    X(kjit_space_param_name(NULL, 0)) \
    X(kjit_space_value_count(NULL, 0)) \
    X(kjit_space_value_text(NULL, 0, 0)) \
    X(kjit_space_value_number(NULL, 0, 0, NULL)) \
    X(kjit_space_unread_at(NULL, 0)) \
    X(kjit_space_param_is_own(NULL, 0)) \
    X(kjit_group_rank(NULL)) \
    X(kjit_group_ranks(NULL))
#define SILENT_CALLS(X) \
    X(kjit_close_group(NULL)) \
    X(kjit_group_fail(NULL, "")) \
    X(kjit_group_leave(NULL)) \
    X(kjit_close(NULL)) \
    X(kjit_close_module(NULL)) \
    X(kjit_stream_close(NULL)) \
    X(kjit_event_close(NULL)) \
    X(kjit_graph_close(NULL)) \
    X(kjit_compile_end(NULL)) \
    X(kjit_close_prepared(NULL)) \
    X(kjit_program_close(NULL)) \
    X(kjit_values_close(NULL)) \
    X(kjit_values_constants(NULL, NULL)) \
    X(kjit_replay_close(NULL)) \
    X(kjit_replay_tell(NULL, NULL)) \
    X(kjit_count(NULL, NULL)) \
    X(kjit_check_clear(NULL)) \
    X(kjit_space_close(NULL))
/* clang-format on */

/* Whatever a call was to make, it has not. */
static bool made_nothing(const char *call)
{
    static const struct {
        const char *name;
        size_t offset;
    } outputs[] = {
#define OUTPUT(name) { "&made." #name, offsetof(typeof(made), name) }
        OUTPUT(context),
        OUTPUT(module),
        OUTPUT(kernel),
        OUTPUT(stream),
        OUTPUT(event),
        OUTPUT(graph),
        OUTPUT(prepared),
        OUTPUT(batch),
        OUTPUT(values),
        OUTPUT(replay),
        OUTPUT(space),
        OUTPUT(tensor),
        { "&made.array", offsetof(typeof(made), array.data) },
    };

    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        void *there;
        memcpy(&there, (char *)&made + outputs[i].offset, sizeof there);
        if (strstr(call, outputs[i].name) && there)
            return false;
    }
    return true;
}

static void every_status_is_argument(void **state)
{
    (void)state;
#define EXPECT_ARGUMENT(call)                                                                      \
    memset(&made, 0xff, sizeof made);                                                              \
    expect(call, KJIT_ARGUMENT, " is NULL");                                                       \
    assert_true(made_nothing(#call));
    STATUS_CALLS(EXPECT_ARGUMENT)
}

static void every_value_is_0(void **state)
{
    (void)state;
#define EXPECT_0(call) assert_int_equal((intptr_t)(call), 0);
    VALUE_CALLS(EXPECT_0)
}

static void the_rest_is_harmless(void **state)
{
    kjit_counters counters = { .size = sizeof counters, .launches = 3 };
    kjit_replay_facts facts = { .size = sizeof facts, .debug = 3 };

    (void)state;
#define DO_CALL(call) (void)(call);
    SILENT_CALLS(DO_CALL)
    kjit_count(NULL, &counters);
    assert_int_equal(counters.launches, 3);
    kjit_replay_tell(NULL, &facts);
    assert_int_equal(facts.debug, 3);
}

/* Appends a file to the text. */
static void read_onto(char *text, size_t room, const char *path)
{
    size_t length = strlen(text);
    FILE *in = fopen(path, "r");

    assert_non_null(in);
    text[length + fread(text + length, 1, room - length - 1, in)] = '\0';
    fclose(in);
}

/* The headers' declarations, of functions that take a handle: each is a call above. */
static void no_function_is_left_out(void **state)
{
#define NAME_OF(call) #call,
    static const char *const calls[] = { STATUS_CALLS(NAME_OF) VALUE_CALLS(NAME_OF)
                                             SILENT_CALLS(NAME_OF) };
    static const char *const handles[] = { "context", "module", "kernel",   "stream",
                                           "event",   "graph",  "prepared", "batch",
                                           "values",  "replay", "space",    "group" };
    static char text[1 << 20];
    int found = 0;

    (void)state;
    read_onto(text, sizeof text, "include/kjit.h");
    read_onto(text, sizeof text, "include/kjit_tools.h");
    for (char *at = text; (at = strstr(at, "\nKJIT_API ")) != NULL;) {
        char *end = strchr(at, ';'), *open = memchr(at, '(', (size_t)(end - at)), name[64],
             taken[64];
        char *begin = open;
        bool takes = false;
        while (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')
            begin--;
        snprintf(name, sizeof name, "%.*s(", (int)(open - begin), begin);
        *end = '\0';
        for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
            snprintf(taken, sizeof taken, "kjit_%s *", handles[i]);
            for (char *handle = open; (handle = strstr(handle, taken)) != NULL;)
                takes = *(handle += strlen(taken)) != '*' || takes;
        }
        bool listed = !takes;
        for (size_t i = 0; i < sizeof calls / sizeof calls[0] && !listed; i++)
            listed = strncmp(calls[i], name, strlen(name)) == 0;
        if (!listed)
            fail_msg("%s) takes a handle, and is not tested with NULL", name);
        found += takes;
        at = end + 1;
    }
    assert_true(found > 100);
}

static void jobs_have_kernels(void **state)
{
    const kjit_compile_job job = { .signature = "float32[::1]" };
    const kjit_build_item item = { .signature = "float32[::1]" };
    const kjit_build_options options = { .size = sizeof options, .form = "binary" };
    char *data;
    size_t length;

    (void)state;
    expect(kjit_compile_begin(&job, 1, 1, &made.batch), KJIT_ARGUMENT, "the kernel is NULL");
    assert_null(made.batch);
    expect(kjit_build(&item, 1, &options, &data, &length), KJIT_ARGUMENT, "the kernel is NULL");
    assert_null(data);
}

static void a_failed_load_gives_no_kernel(void **state)
{
    kjit_module *module;
    kjit_kernel *kernel;

    (void)state;
    expect(kjit_load_file(context, "/nowhere.k", NULL, &module), KJIT_FILE, "nowhere");
    expect(kjit_get_kernel(module, "k", &kernel), KJIT_ARGUMENT, "the module is NULL");
    assert_null(kernel);
    assert_null(kjit_kernel_name(kernel));
    kjit_launch_config config = { sizeof config, { 1 }, { 1 }, 0, NULL };
    expect(kjit_launch(kernel, &config, NULL, 0), KJIT_ARGUMENT, "the kernel is NULL");
}

static void what_is_given_is_there(void **state)
{
    static const char text[] = "@cuda.jit\ndef k(x):\n    pass\n";
    kjit_launch_config config = { sizeof config, { 1 }, { 1 }, 0, NULL };
    kjit_module *module = (kjit_module *)context;
    kjit_kernel *kernel;

    (void)state;
    expect(kjit_load_file(context, NULL, NULL, &module), KJIT_ARGUMENT, "the path is NULL");
    assert_null(module);
    expect(kjit_load_source(context, NULL, NULL, NULL, &module), KJIT_ARGUMENT, "the text is NULL");
    expect(kjit_load_file(context, "k.k", NULL, NULL), KJIT_ARGUMENT, "no place for the module");
    expect(kjit_load_source(context, text, NULL, NULL, NULL), KJIT_ARGUMENT, "for the module");
    assert_int_equal(kjit_load_source(context, text, NULL, NULL, &module), KJIT_OK);
    expect(kjit_get_kernel(module, "k", NULL), KJIT_ARGUMENT, "no place for the kernel");
    assert_int_equal(kjit_get_kernel(module, "k", &kernel), KJIT_OK);
    expect(kjit_launch(kernel, NULL, NULL, 0), KJIT_ARGUMENT, "the launch configuration is NULL");
    expect(kjit_launch(kernel, &config, NULL, 1), KJIT_ARGUMENT, "1, and these are NULL");
    kjit_close_module(module);
}

/* ---- debug handles ----------------------------------------------------------------------- */

static void a_context_needs_a_place(void **state)
{
    (void)state;
    expect(kjit_open(NULL, NULL), KJIT_ARGUMENT, "no place for the context");
}

static kjit_context *debugged;

static int turn_on(void **state)
{
    const kjit_open_options options = { .size = sizeof options,
                                        .device = "cpu",
                                        .debug_handles = 1 };

    (void)state;
    return kjit_open(&options, &debugged);
}

static int turn_off(void **state)
{
    (void)state;
    kjit_close(debugged);
    atomic_store(&handles_debug, false);
    return 0;
}

static void closed_streams_and_events_are_refused(void **state)
{
    kjit_stream *stream, *other;
    kjit_event *event;
    int done;

    (void)state;
    expect_ok(kjit_stream_new(debugged, NULL, &stream));
    expect_ok(kjit_event_new(debugged, 0, &event));
    expect_ok(kjit_event_record(event, stream));
    kjit_stream_close(stream);
    expect(kjit_stream_synchronize(stream), KJIT_ARGUMENT, "the stream was closed before");
    expect(kjit_event_record(event, stream), KJIT_ARGUMENT, "the stream was closed before");
    expect(kjit_stream_query((kjit_stream *)event, &done), KJIT_ARGUMENT, "of another kind");
    kjit_stream_close(stream);
    for (int i = 0; i < 100; i++) { /* none of them lies where that one did */
        expect_ok(kjit_stream_new(debugged, NULL, &other));
        assert_ptr_not_equal(other, stream);
        kjit_stream_close(other);
    }
    kjit_event_close(event);
    expect(kjit_event_query(event, &done), KJIT_ARGUMENT, "the event was closed before");
}

static void what_a_context_had_goes_with_it(void **state)
{
    const kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    const int64_t shape[] = { 4 };
    kjit_context *short_lived;
    kjit_module *module;
    kjit_kernel *kernel;
    static kjit_stream *stream; /* which cannot be closed any more, and no leak to report */
    kjit_array array;
    kjit_prepared *prepared;
    uint64_t ones[4] = { 0 };

    (void)state;
    expect_ok(kjit_open(&options, &short_lived));
    expect_ok(kjit_load_source(short_lived, source, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(kjit_stream_new(short_lived, NULL, &stream));
    expect_ok(kjit_array_new(short_lived, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &array));
    kjit_launch_config config = { sizeof config, { 1 }, { 1 }, 0, NULL };
    const kjit_arg arg = kjit_arg_array(array);
    expect_ok(kjit_prepare(kernel, &config, &arg, 1, &prepared));
    kjit_close_prepared(prepared);
    expect(kjit_launch_prepared(prepared), KJIT_ARGUMENT, "was closed before");
    kjit_close(short_lived);
    expect(kjit_synchronize(short_lived), KJIT_ARGUMENT, "the context was closed before");
    expect(kjit_get_kernel(module, NULL, &kernel), KJIT_ARGUMENT, "the module was closed before");
    assert_null(kjit_module_doc(module));
    expect(kjit_stream_synchronize(stream), KJIT_ARGUMENT, "the stream went when its context");
    const kjit_array host = kjit_host_array(ones, KJIT_DTYPE_FLOAT32, 1, shape);
    expect(kjit_copy(debugged, &host, &array), KJIT_ARGUMENT, "was freed");
}

static void kernels_go_with_their_modules(void **state)
{
    const kjit_launch_config config = { sizeof config, { 1 }, { 1 }, 0, NULL };
    static kjit_prepared *prepared; /* which cannot be closed any more, and no leak to report */
    kjit_module *module;
    kjit_kernel *kernel;
    float x[1];
    const int64_t shape[] = { 1 };
    const kjit_arg arg = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, shape));

    (void)state;
    expect_ok(kjit_load_source(debugged, source, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(kjit_prepare(kernel, &config, &arg, 1, &prepared));
    kjit_close_module(module);
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(x, 1)), KJIT_ARGUMENT,
           "the kernel went when its module was closed");
    assert_int_equal(kjit_param_count(kernel), 0);
    expect(kjit_launch_prepared(prepared), KJIT_ARGUMENT,
           "the prepared launch went when its module was closed");
    kjit_close_module(module);
}

static void freed_arrays_are_refused(void **state)
{
    const int64_t shape[] = { 64 };
    const kjit_slice half[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, 2) };
    kjit_kernel *kernel;
    kjit_module *module;
    kjit_array array, copy, view, again;
    float numbers[64] = { 0 };
    const kjit_array host = kjit_host_array(numbers, KJIT_DTYPE_FLOAT32, 1, shape);

    (void)state;
    expect_ok(kjit_load_source(debugged, source, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(kjit_to_device(debugged, &host, &array));
    expect_ok(kjit_array_slice(&array, half, 1, &view));
    copy = array;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), copy));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), view));
    expect_ok(kjit_array_free(debugged, &array));
    for (int i = 0; i < 2; i++) { /* there may be another array where it was */
        expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), copy), KJIT_ARGUMENT, "was freed");
        expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), view), KJIT_ARGUMENT, "was freed");
        expect(kjit_copy(debugged, &host, &copy), KJIT_ARGUMENT, "was freed");
        expect(kjit_copy(debugged, &copy, &host), KJIT_ARGUMENT, "was freed");
        if (!i)
            expect_ok(kjit_array_new(debugged, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &again));
    }
    again.flags &= (1u << ARRAY_TAG_SHIFT) - 1; /* as another library describes it */
    expect_ok(kjit_copy(debugged, &host, &again));
    expect(kjit_array_free(debugged, &copy), KJIT_ARGUMENT, "freed before");
    expect_ok(kjit_array_free(debugged, &again));
    kjit_close_module(module);
}

/* Whose numbers come round meanwhile. */
static void many_arrays_come_and_go(void **state)
{
    kjit_array kept, array;

    (void)state;
    expect_ok(kjit_array_new(debugged, KJIT_DTYPE_FLOAT32, 0, NULL, NULL, &kept));
    for (int i = 0; i < 70000; i++) {
        expect_ok(kjit_array_new(debugged, KJIT_DTYPE_FLOAT32, 0, NULL, NULL, &array));
        expect_ok(kjit_array_free(debugged, &array));
    }
    expect_ok(kjit_array_zero(debugged, NULL, &kept));
    expect_ok(kjit_array_free(debugged, &kept));
}

static void the_environment_asks_too(void **state)
{
    (void)state;
    atomic_store(&handles_debug, false);
    setenv("KJIT_DEBUG_HANDLES", "0", 1);
    handles_debug_on(false);
    assert_false(atomic_load(&handles_debug));
    setenv("KJIT_DEBUG_HANDLES", "1", 1);
    handles_debug_on(false);
    assert_true(atomic_load(&handles_debug));
    unsetenv("KJIT_DEBUG_HANDLES");
}

int main(void)
{
    const struct CMUnitTest null[] = {
        cmocka_unit_test(every_status_is_argument), cmocka_unit_test(every_value_is_0),
        cmocka_unit_test(the_rest_is_harmless),     cmocka_unit_test(no_function_is_left_out),
        cmocka_unit_test(jobs_have_kernels),        cmocka_unit_test(a_failed_load_gives_no_kernel),
        cmocka_unit_test(what_is_given_is_there),   cmocka_unit_test(a_context_needs_a_place),
    };
#define DEBUGGED(test) cmocka_unit_test_setup_teardown(test, turn_on, turn_off)
    const struct CMUnitTest debug[] = {
        DEBUGGED(closed_streams_and_events_are_refused),
        DEBUGGED(what_a_context_had_goes_with_it),
        DEBUGGED(kernels_go_with_their_modules),
        DEBUGGED(freed_arrays_are_refused),
        DEBUGGED(many_arrays_come_and_go),
        DEBUGGED(the_environment_asks_too),
    };

    int failed = cmocka_run_group_tests(null, open_all, close_all);
    return failed + cmocka_run_group_tests(debug, open_all, close_all);
}
