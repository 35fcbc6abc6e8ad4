/* What the host does round a launch: the disk cache, compilers and other processes, and copies to a
** device that has memory of its own, which the processor plays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cmocka.h>

#define OWN_CACHE
#include "tests/unit/library.h"

static void the_second_process_compiles_nothing(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def fresh(a):\n"
                               "    a[cuda.grid(1)] = 42\n";
    kjit_report report = { .size = sizeof report };
    float a[4];

    (void)state;
    expect_ok(KJIT_CALL(kernel_of(text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4)));
    kjit_last_report(&report);
    assert_int_equal(report.compiled, 1);
    expect_ok(KJIT_CALL(kernel_of(text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4)));
    kjit_last_report(&report);
    assert_int_equal(report.compiled, 0);
    assert_int_equal(report.disk_hit, 1);
    assert_true(a[3] == 42);
}

static void a_compiler_that_is_not_there_is_named(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_context *own = context;
    float a[1] = { 0 };

    (void)state;
    setenv("KJIT_CC", "no-such-compiler -x", 1);
    expect_ok(kjit_open(&options, &context));
    expect(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1),
                     KJIT_ARRAY(a, 1)),
           KJIT_NO_DEVICE, "no-such-compiler");
    kjit_close(context);
    unsetenv("KJIT_CC");
    context = own;
}

/* Launches once in a child, which has what it took of the parent and nothing else. */
static void a_forked_process_launches_too(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[64] = { 1 }, b[64] = { 0 };
    int ended;

    (void)state;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(64), KJIT_BLOCK(1), KJIT_ARRAY(a, 64), KJIT_ARRAY(b, 64)));
    pid_t child = fork();
    if (child == 0) {
        alarm(600);
        b[0] = 0;
        _exit(KJIT_CALL(kernel, KJIT_GRID(64), KJIT_BLOCK(1), KJIT_ARRAY(a, 64),
                        KJIT_ARRAY(b, 64)) != KJIT_OK ||
              b[0] != 2);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

/* Compiles until it is told to go on; which it says of itself. */
static kjit_kernel *being_compiled;

static void *compile_in_thread(void *status)
{
    float a[4] = { 1, 2, 3, 4 };

    *(kjit_status *)status =
        kjit_compile(being_compiled, (kjit_arg[]){ KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4) }, 2);
    return NULL;
}

static void wait_for_file(const char *path)
{
    for (int i = 0; i < 12000 && access(path, F_OK) != 0; i++)
        usleep(10000);
    assert_int_equal(access(path, F_OK), 0);
}

/* A thread that compiled when another one forked is not there in the child. */
static void a_forked_process_compiles_what_was_being_compiled(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    char compiler[128], text[1024], begun[128], go[128];
    kjit_context *own, *kept = context;
    float a[4] = { 1, 2, 3, 4 }, b[4] = { 0 };
    kjit_status status = KJIT_INTERNAL;
    pthread_t thread;
    int ended;

    (void)state;
    snprintf(compiler, sizeof compiler, "%s/cc-slow", folder);
    snprintf(begun, sizeof begun, "%s/begun", folder);
    snprintf(go, sizeof go, "%s/go", folder);
    snprintf(text, sizeof text,
             "#!/bin/sh\n: >%s\nwhile [ ! -e %s ]; do sleep 0.01; done\nexec cc \"$@\"\n", begun,
             go);
    write_file("cc-slow", text);
    assert_int_equal(chmod(compiler, 0700), 0);
    setenv("KJIT_CC", compiler, 1);
    expect_ok(kjit_open(&options, &own));
    context = own;
    being_compiled = kernel_of(double_text);
    assert_int_equal(pthread_create(&thread, NULL, compile_in_thread, &status), 0);
    wait_for_file(begun);
    pid_t child = fork();
    if (child == 0) {
        alarm(600);
        write_file("go", "");
        _exit(KJIT_CALL(being_compiled, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                        KJIT_ARRAY(b, 4)) != KJIT_OK ||
              b[3] != 8);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    pthread_join(thread, NULL);
    assert_int_equal(ended, 0);
    assert_int_equal(status, KJIT_OK);
    kjit_close(own);
    unsetenv("KJIT_CC");
    context = kept;
}

/* A program may ignore its children; its kernels compile all the same, and errors are still
** found. */
static void a_host_may_ignore_sigchld(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_context *own, *kept = context;
    float a[4] = { 1, 2, 3, 4 };

    (void)state;
    signal(SIGCHLD, SIG_IGN);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                        KJIT_ARRAY(a, 4)));
    assert_true(a[3] == 8);
    kjit_close(own);
    setenv("KJIT_CC", "false", 1);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect(
        kjit_compile(kernel_of(double_text), (kjit_arg[]){ KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4) }, 2),
        KJIT_NO_DEVICE, "does not work here");
    kjit_close(own);
    unsetenv("KJIT_CC");
    context = kept;
    signal(SIGCHLD, SIG_DFL);
}

/* A disk that is full, as far as the compiler can tell: it cannot write what it is told to. */
static void a_full_cache_is_as_good_as_none(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    char compiler[128], text[512];
    kjit_context *own, *kept = context;
    float a[4] = { 1, 2, 3, 4 };

    (void)state;
    snprintf(compiler, sizeof compiler, "%s/cc-full", folder);
    FILE *script = fopen(compiler, "w");
    snprintf(text, sizeof text,
             "#!/bin/sh\ncase \"$*\" in *\"-o %s/\"*) echo 'No space left' >&2; exit 1;; esac\n"
             "exec cc \"$@\"\n",
             folder);
    fputs(text, script);
    fclose(script);
    chmod(compiler, 0700);
    setenv("KJIT_CC", compiler, 1);
    expect_ok(kjit_open(&options, &own));
    context = own;
    expect_ok(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                        KJIT_ARRAY(a, 4)));
    assert_true(a[3] == 8);
    kjit_close(own);
    unsetenv("KJIT_CC");
    context = kept;
}

/* ---- a device with memory of its own, played by the processor -------------------------------- */

static kjit_status far_alloc(Device *device, Block *block, void *stream)
{
    (void)device, (void)stream;
    block->memory = malloc(block->bytes + 1);
    memset(block->memory, 0xee, block->bytes);
    return KJIT_OK;
}

static kjit_status far_release(Device *device, Block *block, void *stream)
{
    (void)device, (void)stream;
    free(block->memory);
    return KJIT_OK;
}

/* A thread that writes `*neighbour` while a kernel runs. */
static float *neighbour;

static kjit_status far_synchronize(Device *device, void *stream)
{
    (void)device, (void)stream;
    if (neighbour)
        *neighbour = 99;
    return KJIT_OK;
}

static void host_arrays_go_there_and_back(void **state)
{
    const DeviceOps *ops = context->device->ops;
    DeviceOps apart = *ops;
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_report report = { .size = sizeof report };
    float a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, b[8] = { 0 };
    kjit_array odd = {
        .data = a + 7, .dtype = KJIT_DTYPE_FLOAT32, .rank = 1, .shape = { 4 }, .strides = { -8 }
    };

    (void)state;
    apart.host_memory = false;
    apart.alloc = far_alloc;
    apart.release = far_release;
    apart.stream_synchronize = far_synchronize;
    context->device->ops = &apart;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8)));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, 32);  /* b is overwritten whole */
    assert_int_equal(report.bytes_out, 32); /* a is only read */
    assert_true(b[7] == 16);
    /* The same array twice, and overlapping ones: one span. */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(8), KJIT_ARRAY(b, 8), KJIT_ARRAY(b, 8)));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, 32);
    assert_true(b[7] == 32);
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(b, 1), KJIT_ARRAY(b + 1, 7)));
    assert_true(b[1] == 2 * b[0]);
    assert_true(b[7] == 32);
    /* Every other element, backwards: what lies between is not touched. */
    neighbour = &a[6];
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), odd, odd));
    assert_true(a[7] == 16 && a[6] == 99 && a[1] == 4 && a[0] == 1);
    /* Not either where the span is shared with what is only read. */
    neighbour = &a[1];
    odd.data = a + 6;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 8), odd));
    assert_true(a[6] == 2 && a[4] == 8 && a[1] == 99 && a[7] == 16);
    neighbour = NULL;
    /* Nothing at all. */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 0), KJIT_ARRAY(a, 0)));
    context->device->ops = ops;
}

/* The bytes that a launch of one block copies in. */
static uint64_t bytes_in(kjit_kernel *kernel, uint32_t threads, const kjit_arg *args, size_t count)
{
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { threads, 1, 1 }, 0, NULL };
    kjit_report report = { .size = sizeof report };

    expect_ok(kjit_launch(kernel, &config, args, count));
    kjit_last_report(&report);
    return report.bytes_in;
}

static void what_is_overwritten_whole_is_not_copied_in(void **state)
{
    const DeviceOps *ops = context->device->ops;
    DeviceOps apart = *ops;
    kjit_kernel *kernel = kernel_of(double_text);
    float a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, b[8] = { 0 };
    kjit_array odd = {
        .data = b, .dtype = KJIT_DTYPE_FLOAT32, .rank = 1, .shape = { 4 }, .strides = { 8 }
    };
    kjit_arg whole[] = { KJIT_ARRAY(a, 8), KJIT_ARRAY(b, 8) };
    kjit_arg part[] = { KJIT_ARRAY(a, 4), KJIT_ARRAY(b, 8) };
    kjit_arg strided[] = { KJIT_ARRAY(a, 4), kjit_arg_array(odd) };
    kjit_arg shared[] = { KJIT_ARRAY(b, 4), KJIT_ARRAY(b + 2, 4) };

    (void)state;
    apart.host_memory = false;
    apart.alloc = far_alloc;
    apart.release = far_release;
    apart.stream_synchronize = far_synchronize;
    context->device->ops = &apart;
    assert_int_equal(bytes_in(kernel, 8, whole, 2), 32);
    for (int i = 0; i < 8; i++)
        assert_true(b[i] == 2 * a[i]);
    /* Too few threads, or turns: the rest of the array is still there afterwards. */
    assert_int_equal(bytes_in(kernel, 7, whole, 2), 64);
    assert_int_equal(bytes_in(kernel, 8, part, 2), 16 + 32);
    assert_true(b[7] == 16);
    /* What lies between its elements is not copied either way. */
    b[1] = 5;
    assert_int_equal(bytes_in(kernel, 8, strided, 2), 16);
    assert_true(b[1] == 5 && b[2] == 4 && b[6] == 8);
    /* Read through another argument. */
    assert_int_equal(bytes_in(kernel, 4, shared, 2), 24);
    assert_true(b[2] == 4 && b[3] == 10);
    context->device->ops = ops;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_process_compiles_nothing),
        cmocka_unit_test(a_compiler_that_is_not_there_is_named),
        cmocka_unit_test(a_forked_process_launches_too),
        cmocka_unit_test(a_forked_process_compiles_what_was_being_compiled),
        cmocka_unit_test(a_host_may_ignore_sigchld),
        cmocka_unit_test(a_full_cache_is_as_good_as_none),
        cmocka_unit_test(host_arrays_go_there_and_back),
        cmocka_unit_test(what_is_overwritten_whole_is_not_copied_in),
    };

    return cmocka_run_group_tests_name("the host", tests, open_all, close_all);
}
