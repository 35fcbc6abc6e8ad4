/* What is done often leaves nothing behind: as much memory is in use after a thousand modules or a
** hundred thousand launches as before. The address sanitizer keeps books of its own and sees the
** same; it has no use for malloc's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/leaks.h"
#include "tests/unit/library.h"

enum { COUNT = 4, LAUNCHES = 100000, MODULES = 1000, USED_MODULES = 100, WARM_UP = 20 };

static float data[COUNT], doubled[COUNT];

/* Bytes that the program has of malloc, and in debug builds blocks that kjit has. */
typedef struct Use {
    size_t bytes;
    long blocks;
} Use;

static Use in_use(void)
{
    Use use = { .bytes = leaks_bytes() };

#ifdef KJIT_DEBUG
    use.blocks = memory_blocks();
#endif
    return use;
}

/* What threads and the loader keep is no more than this; a leak of a byte each time would be. */
static void expect_no_more(Use before, int times)
{
    Use after = in_use();

    assert_int_equal(after.blocks, before.blocks);
    if (after.bytes > before.bytes + (size_t)times)
        fail_msg("%zu bytes more after %d times", after.bytes - before.bytes, times);
}

static void launch(kjit_kernel *kernel)
{
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(COUNT), KJIT_ARRAY(data, COUNT),
                        KJIT_ARRAY(doubled, COUNT)));
}

static void launches_leave_nothing(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);

    (void)state;
    for (int i = 0; i < WARM_UP; i++)
        launch(kernel);
    Use before = in_use();
    for (int i = 0; i < LAUNCHES; i++)
        launch(kernel);
    expect_no_more(before, LAUNCHES / 100);
}

static void prepared_launches_leave_nothing(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { COUNT, 1, 1 } };
    int64_t count = COUNT;
    kjit_arg args[2] = {
        kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, &count)),
        kjit_arg_array(kjit_host_array(doubled, KJIT_DTYPE_FLOAT32, 1, &count)),
    };
    kjit_prepared *prepared;
    Use before = { 0 };

    (void)state;
    for (int i = -WARM_UP; i < LAUNCHES; i++) {
        if (i == 0)
            before = in_use();
        if (i % 100 == 0 || i == -WARM_UP)
            expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared));
        expect_ok(kjit_launch_prepared(prepared));
        if (i % 100 == 99 || i == -1)
            kjit_close_prepared(prepared);
    }
    expect_no_more(before, LAUNCHES / 100);
}

static void modules_leave_nothing(void **state)
{
    Use before = { 0 };

    (void)state;
    for (int i = -WARM_UP; i < MODULES; i++) {
        if (i == 0)
            before = in_use();
        kjit_close_module(kernel_of(double_text)->module);
    }
    expect_no_more(before, MODULES);
}

/* Each loaded, run with the compiled code that the disk cache has, and freed again. */
static void used_modules_leave_nothing(void **state)
{
    Use before = { 0 };

    (void)state;
    for (int i = -WARM_UP; i < USED_MODULES; i++) {
        if (i == 0)
            before = in_use();
        kjit_kernel *kernel = kernel_of(double_text);
        launch(kernel);
        kjit_close_module(kernel->module);
    }
    expect_no_more(before, USED_MODULES);
}

static void contexts_leave_nothing(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    Use before = { 0 };

    (void)state;
    for (int i = -WARM_UP; i < USED_MODULES; i++) {
        kjit_context *other;
        if (i == 0)
            before = in_use();
        expect_ok(kjit_open(&options, &other));
        kjit_close(other);
    }
    expect_no_more(before, USED_MODULES);
}

/* Calls that fail, with messages too long for the place that each thread has for one. */
static void failures_leave_nothing(void **state)
{
    static char text[2000] = "def k(:";
    kjit_module *module;
    Use before = { 0 };

    (void)state;
    memset(text + strlen(text), '#', sizeof text - strlen(text) - 1);
    for (int i = -WARM_UP; i < MODULES; i++) {
        if (i == 0)
            before = in_use();
        assert_int_equal(kjit_load_source(context, text, text, NULL, &module), KJIT_INVALID);
    }
    expect_no_more(before, MODULES);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_leave_nothing), cmocka_unit_test(prepared_launches_leave_nothing),
        cmocka_unit_test(modules_leave_nothing),  cmocka_unit_test(used_modules_leave_nothing),
        cmocka_unit_test(contexts_leave_nothing), cmocka_unit_test(failures_leave_nothing),
    };

    (void)argc;
    leaks_begin(argv);
    return cmocka_run_group_tests_name("leaks", tests, open_all, close_all);
}
