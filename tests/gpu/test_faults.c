/* A GPU that a kernel breaks: what is said, what fails fast, what comes back; and memory that runs
** out. All are skipped where there is no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "include/kjit.h"

enum { N = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def far(x, n):\n"
                           "    x[n] = 1\n"
                           "\n"
                           "@cuda.jit\n"
                           "def increment(x):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size:\n"
                           "        x[i] += 1\n"
                           "\n"
                           "@cuda.jit(max_registers=16)\n"
                           "def crowded(x, n):\n"
                           "    a = cuda.local.array(24, float64)\n"
                           "    for k in range(cuda.threadIdx.x, 3):\n"
                           "        for i in range(24):\n"
                           "            a[i] = x[i * k]\n"
                           "        for j in range(n):\n"
                           "            for i in range(24):\n"
                           "                a[i] = a[i] * a[(i + 1) % 24] + j\n"
                           "        for i in range(24):\n"
                           "            x[i] = a[i]\n";

static kjit_context *context;
static kjit_module *module;

static kjit_kernel *kernel_called(const char *name)
{
    kjit_kernel *kernel;

    assert_int_equal(kjit_get_kernel(module, name, &kernel), KJIT_OK);
    return kernel;
}

static kjit_status open_gpu(kjit_context **out)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };

    return kjit_open(&options, out);
}

static int open_device(void **state)
{
    (void)state;
    kjit_status status = open_gpu(&context);
    if (status == KJIT_NO_DEVICE)
        return 0;
    return status != KJIT_OK ||
           kjit_load_source(context, text, "faults.k", NULL, &module) != KJIT_OK;
}

static int close_device(void **state)
{
    (void)state;
    kjit_close(context);
    return 0;
}

static void need_gpu(void)
{
    if (!context)
        skip();
}

static void expect_ok(kjit_status got)
{
    if (got != KJIT_OK)
        fail_msg("%s: %s", kjit_status_name(got), kjit_error_message());
}

static void expect(kjit_status got, kjit_status wanted, const char *part)
{
    if (got != wanted || !strstr(kjit_error_message(), part))
        fail_msg("%s (%s), not %s (%s)", kjit_status_name(got), kjit_error_message(),
                 kjit_status_name(wanted), part);
}

/* The device works: a host array goes there and comes back changed. */
static void expect_work(kjit_kernel *increment)
{
    int32_t x[N] = { 0 };

    expect_ok(KJIT_CALL(increment, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N)));
    assert_int_equal(x[0], 1);
    assert_int_equal(x[N - 1], 1);
}

/* ---- faults, each in a process of its own, which may not get the device back ---------------- */

static const char *program;

enum { SCENARIO_PASSED = 0, SCENARIO_FAILED = 1 };

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition,                    \
                    kjit_error_message());                                                         \
            return SCENARIO_FAILED;                                                                \
        }                                                                                          \
    } while (0)

static bool says(kjit_status got, kjit_status wanted, const char *part)
{
    return got == wanted && strstr(kjit_error_message(), part);
}

static bool works(kjit_kernel *increment)
{
    int32_t x[N] = { 0 };

    return KJIT_CALL(increment, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N)) == KJIT_OK &&
           x[0] == 1 && x[N - 1] == 1;
}

static kjit_status reach_far(kjit_kernel *far)
{
    int32_t x[4] = { 0 };

    return KJIT_CALL(far, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(x, 4), (int64_t)1 << 29);
}

/* What comes of kjit_reset(): all of it works again, or the driver refuses and says so. */
static int expect_reset(kjit_context *gpu, kjit_kernel *increment)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *processor;

    if (kjit_reset(gpu) == KJIT_OK) {
        MUST(works(increment));
        return SCENARIO_PASSED;
    }
    MUST(strstr(kjit_error_message(), "does not give cuda:0 back to this process"));
    MUST(says(kjit_synchronize(gpu), KJIT_BROKEN, "far(int32[::1], int64) reached outside"));
    MUST(kjit_open(&options, &processor) == KJIT_OK);
    kjit_close(processor);
    return SCENARIO_PASSED;
}

/* A launch that is waited for, and all that is tried afterwards. */
static int fault_at_once(kjit_context *gpu, kjit_kernel *far, kjit_kernel *increment)
{
    kjit_stream *stream;
    kjit_event *event;
    kjit_array array;
    int done;

    MUST(works(increment));
    MUST(kjit_stream_new(gpu, NULL, &stream) == KJIT_OK);
    MUST(kjit_event_new(gpu, 1, &event) == KJIT_OK);
    MUST(kjit_array_new(gpu, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }, NULL, &array) == KJIT_OK);
    MUST(says(reach_far(far), KJIT_BROKEN,
              "error: far(int32[::1], int64) reached outside of its arrays"));
    MUST(says(kjit_synchronize(gpu), KJIT_BROKEN, "far(int32[::1], int64)"));
    MUST(says(kjit_stream_query(stream, &done), KJIT_BROKEN, "kjit_reset()"));
    MUST(!works(increment) && strstr(kjit_error_message(), "far(int32[::1], int64)"));
    int ended = expect_reset(gpu, increment);
    MUST(kjit_stream_synchronize(stream) == KJIT_ARGUMENT);
    MUST(kjit_event_record(event, NULL) == KJIT_ARGUMENT);
    MUST(says(kjit_array_free(gpu, &array), KJIT_ARGUMENT, "not an array of this context"));
    kjit_stream_close(stream);
    kjit_event_close(event);
    return ended;
}

/* A launch that is not waited for: the next wait reports it. */
static int fault_later(kjit_context *gpu, kjit_kernel *far, kjit_kernel *increment)
{
    kjit_array array;

    MUST(kjit_array_new(gpu, KJIT_DTYPE_INT32, 1, (int64_t[]){ 4 }, NULL, &array) == KJIT_OK);
    MUST(KJIT_CALL(far, KJIT_GRID(1), KJIT_BLOCK(1), array, (int64_t)1 << 29) == KJIT_OK);
    MUST(says(kjit_synchronize(gpu), KJIT_BROKEN, "far(int32[::1], int64) reached outside"));
    return expect_reset(gpu, increment);
}

/* With two contexts on the device. */
static int fault_shared(kjit_context *gpu, kjit_kernel *far, kjit_kernel *increment)
{
    kjit_context *other;
    kjit_module *its;
    kjit_kernel *own;

    MUST(open_gpu(&other) == KJIT_OK);
    MUST(kjit_load_source(other, text, "faults.k", NULL, &its) == KJIT_OK);
    MUST(kjit_get_kernel(its, "increment", &own) == KJIT_OK && works(own));
    MUST(reach_far(far) == KJIT_BROKEN);
    bool back = kjit_reset(gpu) == KJIT_OK;
    MUST(says(kjit_synchronize(other), KJIT_BROKEN, "reset through another context"));
    MUST((kjit_reset(other) == KJIT_OK) == back);
    MUST(!back || (works(own) && works(increment)));
    kjit_close(other);
    MUST(!back || works(increment));
    return SCENARIO_PASSED;
}

static const struct Scenario {
    const char *name;
    int (*run)(kjit_context *gpu, kjit_kernel *far, kjit_kernel *increment);
} scenarios[] = {
    { "at-once", fault_at_once },
    { "later", fault_later },
    { "shared", fault_shared },
};

static int run_scenario(const char *name)
{
    kjit_kernel *far, *increment;

    MUST(open_gpu(&context) == KJIT_OK);
    MUST(kjit_load_source(context, text, "faults.k", NULL, &module) == KJIT_OK);
    MUST(kjit_get_kernel(module, "far", &far) == KJIT_OK);
    MUST(kjit_get_kernel(module, "increment", &increment) == KJIT_OK);
    int ended = SCENARIO_FAILED;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (strcmp(scenarios[i].name, name) == 0)
            ended = scenarios[i].run(context, far, increment);
    }
    kjit_close(context);
    return ended;
}

static void expect_scenario(const char *name)
{
    char command[512];

    need_gpu();
    snprintf(command, sizeof command, "'%s' %s", program, name);
    assert_int_equal(system(command), 0);
}

static void a_broken_device_says_why_until_it_is_reset(void **state)
{
    (void)state;
    expect_scenario("at-once");
}

static void a_launch_that_is_not_waited_for_fails_later(void **state)
{
    (void)state;
    expect_scenario("later");
}

static void contexts_that_share_the_device_break_together(void **state)
{
    (void)state;
    expect_scenario("shared");
}

static void a_device_in_good_health_can_be_reset(void **state)
{
    kjit_context *other;
    kjit_module *its;
    kjit_kernel *increment;

    (void)state;
    need_gpu();
    expect_ok(open_gpu(&other));
    expect_ok(kjit_load_source(other, text, "faults.k", NULL, &its));
    expect_ok(kjit_get_kernel(its, "increment", &increment));
    assert_true(works(increment));
    expect_ok(kjit_reset(other));
    assert_true(works(increment));
    assert_false(works(kernel_called("increment")));
    expect_ok(kjit_reset(context));
    assert_true(works(kernel_called("increment")));
    assert_true(works(increment));
    kjit_close(other);
    assert_true(works(kernel_called("increment")));
}

static void a_forked_child_is_told(void **state)
{
    int ended;

    (void)state;
    need_gpu();
    pid_t child = fork();
    if (child == 0) {
        kjit_context *own;
        bool told =
            kjit_synchronize(context) != KJIT_OK && strstr(kjit_error_message(), "forked") != NULL;
        told = told && open_gpu(&own) == KJIT_NO_DEVICE && strstr(kjit_error_message(), "forked");
        kjit_close(context);
        _exit(told ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    expect_work(kernel_called("increment"));
}

static void memory_that_runs_out_leaves_the_rest_usable(void **state)
{
    kjit_array huge, arrays[64];
    kjit_array_options ordered = { .size = sizeof ordered };
    kjit_memory_info info = { .size = sizeof info };
    int count = 0;

    (void)state;
    need_gpu();
    expect_ok(kjit_stream_new(context, NULL, &ordered.stream));
    expect(kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 1LL << 41 }, NULL, &huge),
           KJIT_MEMORY, "no room");
    expect(
        kjit_array_new(context, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ 1LL << 41 }, &ordered, &huge),
        KJIT_MEMORY, "no room");
    expect_work(kernel_called("increment"));
    /* All of it, eighth by eighth. */
    expect_ok(kjit_memory_usage(context, &info));
    int64_t eighth = (int64_t)(info.total / 8);
    while (count < 64 && kjit_array_new(context, KJIT_DTYPE_UINT8, 1, &eighth, &ordered,
                                        &arrays[count]) == KJIT_OK)
        count++;
    assert_in_range(count, 4, 8);
    expect_work(kernel_called("increment"));
    while (count)
        expect_ok(kjit_array_free_on(context, ordered.stream, &arrays[--count]));
    expect_ok(kjit_stream_synchronize(ordered.stream));
    expect_ok(kjit_memory_trim(context, 0));
    expect_ok(kjit_memory_usage(context, &info));
    assert_int_equal(info.arrays, 0);
    assert_true(info.free > info.total / 2);
    kjit_stream_close(ordered.stream);
}

static void facts_tell_of_registers_and_spills(void **state)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 8 }, .block = { 256 } };
    kjit_facts facts = { .size = sizeof facts };
    double x[N];
    int32_t i[N];

    (void)state;
    need_gpu();
    expect_ok(kjit_kernel_facts(kernel_called("increment"), &config,
                                (kjit_arg[]){ KJIT_ARRAY(i, N) }, 1, &facts));
    assert_in_range(facts.registers, 4, 64);
    assert_int_equal(facts.spill_store_bytes, 0);
    assert_in_range(facts.resident_blocks, 2, 64);
    assert_true(facts.occupancy > 0.4 && facts.occupancy <= 1);
    assert_true(facts.device_blocks > (uint64_t)facts.resident_blocks);
    expect_ok(kjit_kernel_facts(kernel_called("crowded"), &config,
                                (kjit_arg[]){ KJIT_ARRAY(x, N), kjit_arg_int64(3) }, 2, &facts));
    assert_in_range(facts.registers, 4, 40);
    assert_true(facts.spill_store_bytes > 0 || facts.local_bytes >= 192);
}

static uint64_t free_now(void)
{
    kjit_memory_info info = { .size = sizeof info };

    expect_ok(kjit_synchronize(context));
    expect_ok(kjit_memory_trim(context, 0));
    expect_ok(kjit_memory_usage(context, &info));
    return info.free;
}

static void launches_and_modules_leave_no_memory_behind(void **state)
{
    enum { LAUNCHES = 100000, MODULES = 1000, SLACK = 4 << 20 };
    kjit_open_options options = { .size = sizeof options, .device = "cuda" };
    kjit_kernel *increment, *kernel;
    kjit_array array;
    kjit_module *loaded;
    kjit_context *cached;
    int32_t x[N] = { 0 };

    (void)state;
    need_gpu();
    increment = kernel_called("increment");
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT32, 1, (int64_t[]){ N }, NULL, &array));
    expect_ok(kjit_open(&options, &cached)); /* the disk serves all modules but the first */
    uint64_t before = 0;
    for (int i = 0; i < MODULES + 10; i++) {
        expect_ok(kjit_load_source(cached, text, "faults.k", NULL, &loaded));
        expect_ok(kjit_get_kernel(loaded, "increment", &kernel));
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N)));
        kjit_close_module(loaded);
        if (i == 9)
            before = free_now();
    }
    assert_int_equal(x[7], MODULES + 10);
    assert_true(free_now() + SLACK > before);
    for (int i = 0; i < LAUNCHES; i++)
        expect_ok(KJIT_CALL(increment, KJIT_GRID(1), KJIT_BLOCK(128), array));
    for (int i = 0; i < LAUNCHES / 10; i++)
        expect_ok(KJIT_CALL(increment, KJIT_GRID(1), KJIT_BLOCK(128), KJIT_ARRAY(x, N)));
    assert_true(free_now() + SLACK > before);
    expect_ok(kjit_array_free(context, &array));
    kjit_close(cached);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_scenario(argv[1]);
    program = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_tell_of_registers_and_spills),
        cmocka_unit_test(a_forked_child_is_told),
        cmocka_unit_test(memory_that_runs_out_leaves_the_rest_usable),
        cmocka_unit_test(launches_and_modules_leave_no_memory_behind),
        cmocka_unit_test(a_device_in_good_health_can_be_reset),
        cmocka_unit_test(a_broken_device_says_why_until_it_is_reset),
        cmocka_unit_test(a_launch_that_is_not_waited_for_fails_later),
        cmocka_unit_test(contexts_that_share_the_device_break_together),
    };

    return cmocka_run_group_tests(tests, open_device, close_device);
}
