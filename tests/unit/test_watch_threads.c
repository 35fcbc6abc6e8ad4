/* What a context says that it is doing, asked from beside. Meant for the thread sanitizer too.
**
** Kernels here wait until the test lets them go on, by a flag in their array, so that whatever is
** seen is seen however fast things are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define OWN_CACHE
#include "tests/unit/library.h"

enum { GATE, ENDED, BLOCK, TURNS, WORDS }; /* the elements of `state` */
enum { GRID = 8 };

/* The block that `state` names iterates until the gate is open; it does something there, so that
** it is not taken for one that waits for others. */
static const char text[] = "from numba import cuda\n"
                           "@cuda.jit\n"
                           "def waits(state):\n"
                           "    if cuda.blockIdx.x == state[2]:\n"
                           "        while cuda.atomic.add(state, 0, 0) == 0:\n"
                           "            cuda.atomic.add(state, 3, 1)\n"
                           "    cuda.atomic.add(state, 1, 1)\n";

/* The same where all blocks wait for the grid before they end. */
static const char together[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def together(state):\n"
                               "    if cuda.blockIdx.x == state[2]:\n"
                               "        while cuda.atomic.add(state, 0, 0) == 0:\n"
                               "            cuda.atomic.add(state, 3, 1)\n"
                               "    cuda.cg.this_grid().sync()\n"
                               "    cuda.atomic.add(state, 1, 1)\n";

typedef struct Launch {
    kjit_kernel *kernel;
    _Atomic int64_t state[WORDS];
    kjit_status status;
    char message[512]; /* of the thread's last error */
    atomic_bool over;
    pthread_t thread;
} Launch;

static void note_end(Launch *launch)
{
    if (launch->status != KJIT_OK)
        snprintf(launch->message, sizeof launch->message, "%s", kjit_error_message());
    atomic_store(&launch->over, true);
}

static void *run_launch(void *argument)
{
    Launch *launch = argument;
    int64_t extent = WORDS;
    const kjit_arg arg =
        kjit_arg_array(kjit_host_array((void *)launch->state, KJIT_DTYPE_INT64, 1, &extent));
    const kjit_launch_config config = { .size = sizeof config, .grid = { GRID }, .block = { 1 } };

    launch->status = kjit_launch(launch->kernel, &config, &arg, 1);
    note_end(launch);
    return NULL;
}

static void begin_launch(Launch *launch, kjit_kernel *kernel, int64_t block)
{
    *launch = (Launch){ .kernel = kernel, .state[BLOCK] = block };
    assert_int_equal(pthread_create(&launch->thread, NULL, run_launch, launch), 0);
}

static void end_launch(Launch *launch)
{
    atomic_store(&launch->state[GATE], 1);
    pthread_join(launch->thread, NULL);
    expect_ok(launch->status);
    assert_int_equal(launch->state[ENDED], GRID);
}

/* A context of so many threads, in the place of the one there is. */
static kjit_kernel *open_with(int threads, const char *source)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .threads = threads };

    kjit_close(context);
    expect_ok(kjit_open(&options, &context));
    return kernel_of(source);
}

static kjit_activity look(void)
{
    kjit_activity activity = { .size = sizeof activity };

    expect_ok(kjit_watch(context, &activity));
    return activity;
}

/* Lets other threads go on. What is waited for never comes once the launch is over: it has failed,
** or the test has. */
static void wait_for(Launch *launch)
{
    sched_yield();
    if (!atomic_load(&launch->over))
        return;
    pthread_join(launch->thread, NULL);
    fail_msg("the launch was over before it was seen: status %d: %s", (int)launch->status,
             launch->message);
}

/* Asks until it does that, and other things beside, while that launch goes on. */
static kjit_activity await(Launch *launch, kjit_doing doing, int others)
{
    kjit_activity activity;

    while (activity = look(), activity.doing != doing || activity.others != others)
        wait_for(launch);
    return activity;
}

static void await_turns(Launch *launch)
{
    while (!launch->state[TURNS])
        wait_for(launch);
}

static void nothing_is_going_on(void **state)
{
    kjit_activity activity = look();

    (void)state;
    assert_int_equal(activity.doing, KJIT_IDLE);
    assert_string_equal(activity.kernel, "");
    assert_int_equal(activity.others, 0);
    assert_true(activity.seconds == 0);
}

static void a_launch_is_seen_while_it_runs(void **state)
{
    kjit_kernel *kernel = open_with(1, text);
    Launch launch;

    (void)state;
    begin_launch(&launch, kernel, 0);
    kjit_activity activity = await(&launch, KJIT_RUNNING, 0);
    assert_string_equal(activity.kernel, "waits");
    assert_true(activity.seconds >= 0);
    assert_true(look().seconds >= activity.seconds);
    assert_int_equal(activity.blocks, GRID);
    end_launch(&launch);
    assert_int_equal(look().doing, KJIT_IDLE);
}

/* One thread comes to the block when it has done those before; of several the others do all. */
static void blocks_are_counted_as_they_are_done(void **state)
{
    static const struct {
        int threads, block, done;
    } tries[] = { { 1, 5, 5 }, { 1, 0, 0 }, { 2, 0, GRID - 1 }, { 3, 4, GRID - 1 } };

    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        Launch launch;
        begin_launch(&launch, open_with(tries[i].threads, text), tries[i].block);
        kjit_activity activity;
        do {
            activity = await(&launch, KJIT_RUNNING, 0);
            assert_in_range(activity.blocks_done, 0, tries[i].done);
        } while (activity.blocks_done != (uint64_t)tries[i].done || !launch.state[TURNS]);
        assert_int_equal(activity.blocks, GRID);
        end_launch(&launch);
    }
}

static void blocks_that_wait_for_one_another_are_not_counted(void **state)
{
    Launch launch;

    (void)state;
    begin_launch(&launch, open_with(1, together), GRID - 1);
    await_turns(&launch);
    kjit_activity activity = look();
    assert_int_equal(activity.doing, KJIT_RUNNING);
    assert_int_equal(activity.blocks, 0);
    assert_int_equal(activity.blocks_done, 0);
    end_launch(&launch);
}

static void what_began_first_is_told_of_several(void **state)
{
    kjit_kernel *kernel = open_with(1, text);
    Launch first, second;

    (void)state;
    begin_launch(&first, kernel, 3);
    await_turns(&first);
    begin_launch(&second, kernel, 0);
    assert_int_equal(await(&second, KJIT_RUNNING, 1).blocks_done, 3);
    end_launch(&first);
    assert_int_equal(await(&second, KJIT_RUNNING, 0).blocks_done, 0);
    end_launch(&second);
    assert_int_equal(look().doing, KJIT_IDLE);
}

/* ---- compiling ------------------------------------------------------------------------------- */

static void *run_compile(void *argument)
{
    Launch *launch = argument;

    launch->status = kjit_compile_signature(launch->kernel, "waits(int64[::1])");
    note_end(launch);
    return NULL;
}

/* Through a compiler that waits for a file to be there. */
static void a_compilation_is_seen(void **state)
{
    char path[256];

    (void)state;
    write_file("cc", "#!/bin/sh\nwhile [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done\n"
                     "exec cc \"$@\"\n");
    snprintf(path, sizeof path, "%s/cc", folder);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("KJIT_CC", path, 1);
    Launch launch = { .kernel = open_with(1, text) };
    pthread_create(&launch.thread, NULL, run_compile, &launch);
    assert_string_equal(await(&launch, KJIT_COMPILING, 0).kernel, "waits");
    write_file("go", "");
    pthread_join(launch.thread, NULL);
    unsetenv("KJIT_CC");
    expect_ok(launch.status);
    assert_int_equal(look().doing, KJIT_IDLE);
}

/* ---- names that go --------------------------------------------------------------------------- */

static void *look_often(void *argument)
{
    atomic_bool *over = argument;

    while (!atomic_load(over)) {
        kjit_activity activity = look();
        if (activity.doing != KJIT_IDLE && strcmp(activity.kernel, "twice") != 0)
            return "another kernel";
    }
    return NULL;
}

/* Kernels come and go while they are watched. */
static void closed_modules_are_not_looked_at(void **state)
{
    enum { ROUNDS = 50 };
    atomic_bool over = false;
    float a[2] = { 1, 2 }, b[2];
    pthread_t looking;
    void *wrong;

    (void)state;
    open_with(1, double_text);
    pthread_create(&looking, NULL, look_often, &over);
    for (int i = 0; i < ROUNDS; i++) {
        kjit_module *module;
        kjit_kernel *kernel;
        expect_ok(kjit_load_source(context, double_text, "t.k", NULL, &module));
        expect_ok(kjit_get_kernel(module, NULL, &kernel));
        expect_ok(
            KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2), KJIT_ARRAY(a, 2), KJIT_ARRAY(b, 2)));
        kjit_close_module(module);
    }
    atomic_store(&over, true);
    pthread_join(looking, &wrong);
    if (wrong)
        fail_msg("%s", (const char *)wrong);
}

/* ---- other processes, other sizes ------------------------------------------------------------ */

static void a_child_does_not_what_its_parent_does(void **state)
{
    Launch launch;
    int status = -1;

    (void)state;
    begin_launch(&launch, open_with(1, text), 0);
    await_turns(&launch);
    pid_t child = fork();
    if (child == 0)
        _exit(look().doing != KJIT_IDLE);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    assert_int_equal(look().doing, KJIT_RUNNING);
    end_launch(&launch);
}

static void an_older_program_has_a_smaller_struct(void **state)
{
    kjit_activity activity;

    (void)state;
    memset(&activity, 0x55, sizeof activity);
    activity.size = offsetof(kjit_activity, kernel);
    expect_ok(kjit_watch(context, &activity));
    assert_int_equal(activity.doing, KJIT_IDLE);
    assert_int_equal(activity.kernel[0], 0x55);
    expect(kjit_watch(NULL, &activity), KJIT_ARGUMENT, "context");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_going_on),
        cmocka_unit_test(a_launch_is_seen_while_it_runs),
        cmocka_unit_test(blocks_are_counted_as_they_are_done),
        cmocka_unit_test(blocks_that_wait_for_one_another_are_not_counted),
        cmocka_unit_test(what_began_first_is_told_of_several),
        cmocka_unit_test(a_compilation_is_seen),
        cmocka_unit_test(closed_modules_are_not_looked_at),
        cmocka_unit_test(a_child_does_not_what_its_parent_does),
        cmocka_unit_test(an_older_program_has_a_smaller_struct),
    };

    return cmocka_run_group_tests_name("watch_threads", tests, open_all, close_all);
}
