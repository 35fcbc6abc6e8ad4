/* Launches split over two pretended GPUs of one process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "include/kjit_tools.h"
#include "tests/unit/cuda.h"

enum { LENGTH = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def smooth(x, y):\n"
                           "    i = cuda.grid(1)\n"
                           "    if 0 < i and i < x.shape[0] - 1:\n"
                           "        y[i] = x[i - 1] + 2 * x[i] + x[i + 1]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def count(x, n):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.shape[0]:\n"
                           "        cuda.atomic.add(n, x[i] % 3, 1)\n";

static kjit_context *context;
static kjit_group *group;
static kjit_kernel *kernel;
static int32_t x[LENGTH], y[LENGTH], wanted[LENGTH];

/* What a part is told of its place: its first block, all blocks, its first thread, all threads. */
static void smooth(const FakeLaunch *launch)
{
    const int32_t *from = PARAM(launch, 0, int32_t *);
    int32_t *to = PARAM(launch, 2, int32_t *);
    int64_t length = PARAM(launch, 1, int64_t), first = PARAM(launch, 6, int64_t);

    for (int64_t i = first; i < first + thread_count(launch); i++)
        if (i > 0 && i < length - 1)
            to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
}

static void count(const FakeLaunch *launch)
{
    const int32_t *from = PARAM(launch, 0, int32_t *);
    int32_t *to = PARAM(launch, 2, int32_t *);
    int64_t length = PARAM(launch, 1, int64_t), first = PARAM(launch, 6, int64_t);

    for (int64_t i = first; i < first + thread_count(launch) && i < length; i++)
        to[from[i] % 3]++;
}

static int open_all(void **state)
{
    static const int gpus[] = { 0, 1 };
    kjit_load_options options = { .size = sizeof options, .passes = "none" };
    kjit_module *module;

    (void)state;
    fake_cuda_kernel("smooth", smooth);
    fake_cuda_kernel("count", count);
    fake_cuda_forget();
    fake_cuda_lazy(true); /* work that is not waited for is not done */
    context = open_gpu("cuda:0");
    expect_ok(kjit_load_source(context, text, "t.k", &options, &module));
    expect_ok(kjit_open_gpus(gpus, 2, &group));
    for (int i = 0; i < LENGTH; i++) {
        x[i] = i * 7 % 31;
        y[i] = -1;
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    kjit_close_group(group);
    close_gpu(context);
    fake_cuda_lazy(false);
    return 0;
}

static void get(const char *name)
{
    kjit_module *module;
    kjit_load_options options = { .size = sizeof options, .passes = "none" };

    expect_ok(kjit_load_source(context, text, "t.k", &options, &module));
    expect_ok(kjit_get_kernel(module, name, &kernel));
}

static kjit_status launch(int32_t *from, int32_t *to, int64_t to_length)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 16 }, .block = { 64 } };
    int64_t length = LENGTH;
    kjit_arg args[] = { kjit_arg_array(kjit_host_array(from, KJIT_DTYPE_INT32, 1, &length)),
                        kjit_arg_array(kjit_host_array(to, KJIT_DTYPE_INT32, 1, &to_length)) };

    return kjit_group_launch(group, kernel, &config, args, 2, NULL, 0);
}

static void smooth_here(const int32_t *from, int32_t *to)
{
    for (int i = 1; i < LENGTH - 1; i++)
        to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
}

static void test_one_launch(void **state)
{
    (void)state;
    get("smooth");
    memcpy(wanted, y, sizeof wanted);
    smooth_here(x, wanted);
    expect_ok(launch(x, y, LENGTH));
    assert_memory_equal(y, wanted, sizeof y);
    assert_int_equal(fake_cuda_launches("smooth"), 2);
}

/* Halos go from one to the other, and nothing goes through the host. */
static void test_held(void **state)
{
    static int32_t a[LENGTH], b[LENGTH];
    long marks = 0;

    (void)state;
    get("smooth");
    memcpy(a, x, sizeof a);
    memcpy(b, y, sizeof b);
    expect_ok(kjit_group_hold(group, context, x, sizeof x));
    expect_ok(kjit_group_hold(group, context, y, sizeof y));
    for (int i = 0; i < 5; i++) {
        smooth_here(i % 2 ? b : a, i % 2 ? a : b);
        expect_ok(launch(i % 2 ? y : x, i % 2 ? x : y, LENGTH));
        if (i == 1)
            fake_cuda_record(true);
        marks -= i == 1 ? fake_cuda_calls("cuEventRecord") : 0;
    }
    marks += fake_cuda_calls("cuEventRecord");
    assert_int_equal(marks, 3 * 2 * 3); /* of a stream before copies, behind them, behind edges */
    const char *events = fake_cuda_events();
    assert_non_null(strstr(events, "copy_peer 4"));
    assert_null(strstr(events, "copy_in"));
    assert_null(strstr(events, "copy_out"));
    fake_cuda_record(false);
    expect_ok(kjit_group_fetch(group, NULL));
    assert_memory_equal(x, a, sizeof a);
    assert_memory_equal(y, b, sizeof b);
    expect_ok(kjit_group_drop(group, NULL));
}

static void test_reduced(void **state)
{
    int32_t numbers[3] = { 100, 200, 300 }, sums[3] = { 100, 200, 300 };

    (void)state;
    get("count");
    for (int i = 0; i < LENGTH; i++)
        sums[x[i] % 3]++;
    expect_ok(launch(x, numbers, 3));
    assert_memory_equal(numbers, sums, sizeof sums);
}

/* Launches that add to the same array: what each GPU has is put together when it is asked for. */
static void test_reduced_late(void **state)
{
    int32_t numbers[3] = { 100, 200, 300 }, sums[3] = { 100, 200, 300 };

    (void)state;
    get("count");
    expect_ok(kjit_group_hold(group, context, x, sizeof x));
    expect_ok(kjit_group_hold(group, context, numbers, sizeof numbers));
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < LENGTH; i++)
            sums[x[i] % 3]++;
        expect_ok(launch(x, numbers, 3));
        if (!turn)
            fake_cuda_record(true);
    }
    assert_null(strstr(fake_cuda_events(), "copy_"));
    fake_cuda_record(false);
    expect_ok(kjit_group_fetch(group, numbers));
    assert_memory_equal(numbers, sums, sizeof sums);

    expect_ok(launch(x, numbers, 3)); /* and what the program writes instead counts */
    memset(numbers, 0, sizeof numbers);
    expect_ok(kjit_group_wrote(group, numbers));
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < LENGTH; i++)
        sums[x[i] % 3]++;
    expect_ok(launch(x, numbers, 3));
    expect_ok(kjit_group_fetch(group, numbers));
    assert_memory_equal(numbers, sums, sizeof sums);
    expect_ok(kjit_group_drop(group, NULL));
}

enum { MANY = 1 << 22 };

static int64_t noted_threads;

static void note_threads(const FakeLaunch *launch)
{
    noted_threads += thread_count(launch);
}

/* Threads that a launch of so many gets which marks each element and counts the marks. */
static int64_t threads_of_marks(const int *gpus, int count)
{
    static const char marks[] = "@cuda.jit\n"
                                "def mark(x, m, n):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < x.shape[0]:\n"
                                "        m[i] = x[i] % 3\n"
                                "        cuda.atomic.add(n, x[i] % 3, 1)\n";
    static int32_t from[MANY], to[MANY], numbers[3];
    kjit_load_options options = { .size = sizeof options, .passes = "-constants,-coarsen" };
    kjit_launch_config config = { .size = sizeof config, .grid = { MANY / 256 }, .block = { 256 } };
    int64_t length = MANY, three = 3;
    kjit_arg args[] = { kjit_arg_array(kjit_host_array(from, KJIT_DTYPE_INT32, 1, &length)),
                        kjit_arg_array(kjit_host_array(to, KJIT_DTYPE_INT32, 1, &length)),
                        kjit_arg_array(kjit_host_array(numbers, KJIT_DTYPE_INT32, 1, &three)) };
    kjit_group *own;
    kjit_module *module;

    noted_threads = 0;
    fake_cuda_kernel("mark", note_threads);
    expect_ok(kjit_load_source(context, marks, "m.k", &options, &module));
    expect_ok(kjit_get_kernel(module, "mark", &kernel));
    expect_ok(kjit_open_gpus(gpus, count, &own));
    expect_ok(kjit_group_launch(own, kernel, &config, args, 3, NULL, 0));
    kjit_close_group(own);
    return noted_threads;
}

/* Few threads that stay do the work of all where there is one GPU; where each is to do the work of
** its own part, the code is one whose blocks do. */
static void test_threads_that_stay(void **state)
{
    static const int gpus[] = { 0, 1 };

    (void)state;
    assert_true(threads_of_marks(gpus, 1) <= MANY / 16);
    assert_int_equal(threads_of_marks(gpus, 2), MANY);
}

/* The program writes between launches. */
static void test_written_by_host(void **state)
{
    (void)state;
    get("smooth");
    expect_ok(kjit_group_hold(group, context, x, sizeof x));
    expect_ok(launch(x, y, LENGTH));
    for (int i = 0; i < LENGTH; i++)
        x[i] += i;
    expect_ok(kjit_group_wrote(group, x));
    memcpy(wanted, y, sizeof wanted);
    smooth_here(x, wanted);
    expect_ok(launch(x, y, LENGTH));
    assert_memory_equal(y, wanted, sizeof y);
}

/* Whatever call fails, it is told, and nothing is left. */
static void test_failures(void **state)
{
    (void)state;
    get("smooth");
    for (long n = 1; n < 400; n++) {
        fake_cuda_fail(n, 2);
        kjit_status status = launch(x, y, LENGTH);
        bool failed = *fake_cuda_failed();
        fake_cuda_fail(0, 0);
        if (!failed)
            return;
        assert_true(status == KJIT_OK || *kjit_error_message());
        kjit_group_leave(group);
    }
    fail_msg("more calls than that");
}

static void test_refused(void **state)
{
    kjit_group *none;

    (void)state;
    expect(kjit_open_gpus((int[]){ 0, 7 }, 2, &none), KJIT_NO_DEVICE,
           "there is no GPU 7: this machine has 2");
    expect(kjit_open_gpus((int[]){ 1, 1 }, 2, &none), KJIT_ARGUMENT, "GPU 1 is named twice");
    expect(kjit_open_gpus((int[]){ 1 }, 0, &none), KJIT_ARGUMENT, "a group has 1 to 256 ranks");
    expect(kjit_group_fetch(group, x), KJIT_ARGUMENT, "does not hold this memory");
    expect_ok(kjit_group_hold(group, context, x, sizeof x));
    expect(kjit_group_hold(group, context, x + 3, 8), KJIT_ARGUMENT, "holds some of this memory");
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)
    const struct CMUnitTest tests[] = {
        EACH(test_one_launch),        EACH(test_held),
        EACH(test_reduced),           EACH(test_reduced_late),
        EACH(test_threads_that_stay), EACH(test_written_by_host),
        EACH(test_failures),          EACH(test_refused),
    };
    return cmocka_run_group_tests_name("groups of GPUs", tests, pretend, NULL);
}
