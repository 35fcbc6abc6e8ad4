/* Wisdom: what is written into its files, what is taken of them, and what happens when they are
** damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/wisdoms.h"

/* Launches, and looks at what the kernel wrote: the threads of a block are in it. */
static void expect_launch(kjit_kernel *kernel, int64_t count, int threads)
{
    kjit_arg args[2];

    fill_args(args, count);
    memset(y, 0, sizeof y);
    for (int64_t i = 0; i < count; i++)
        x[i] = (float)(i % 100);
    expect_ok(kjit_launch_tuned(kernel, NULL, args, 2));
    for (int64_t i = 0; i < count; i++)
        assert_true(y[i] == 2 * x[i] + (float)(threads * 1000 + 700000));
}

static int lines_with(const char *part)
{
    int count = 0;

    for (const char *at = wisdom_text(); (at = strstr(at, part)); at++)
        count++;
    return count;
}

static void without_wisdom_the_source_is_launched_in_its_own_shape(void **state)
{
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_tuned tuned = find(kernel, 100);

    (void)state;
    expect_tuned(tuned, "constants", "there is no scale.wisdom", "TILE=2, threads=4");
    assert_ptr_equal(tuned.kernel, kernel);
    assert_null(tuned.complaints);
    assert_int_equal(tuned.shape.grid[0], 13);
    assert_int_equal(tuned.shape.block[0], 4);
    expect_launch(kernel, 100, 4);
}

static void a_record_of_the_device_and_the_extents_is_taken(void **state)
{
    static const uint32_t config[] = { 2, 1, 1 }, again[] = { 0, 2, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_launch(kernel, 1000, 4);
    expect_ok(add(kernel, config, 1000, "time", 1.5));
    expect_tuned(find(kernel, 1000), "exact", "scale.wisdom:3, tuned on this device for these",
                 "TILE=4, threads=8, unroll=3");
    expect_launch(kernel, 1000, 8);
    expect_ok(add(kernel, again, 1000, "time", 0.25));
    expect_launch(kernel, 1000, 32);
    assert_int_equal(lines_with("tuned("), 1);
    kernel = scale_of(scale_text, NULL);
    expect_tuned(find(kernel, 1000), "exact", "time 0.25", "TILE=1, threads=32, unroll=None");
    expect_launch(kernel, 1000, 32);
    expect_launch(kernel, 1000, 32);
}

static void the_nearest_extents_are_taken(void **state)
{
    static const uint32_t small[] = { 0, 0, 0 }, large[] = { 0, 2, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, small, 64, "time", 1));
    expect_ok(add(kernel, large, 4096, "time", 1));
    expect_tuned(find(kernel, 100), "nearest", "scale.wisdom:3, tuned on this device for the near",
                 "TILE=1, threads=4, unroll=None");
    expect_tuned(find(kernel, 2000), "nearest", "scale.wisdom:4",
                 "TILE=1, threads=32, unroll=None");
    expect_launch(kernel, 100, 4);
    expect_launch(kernel, 2000, 32);
    expect_launch(kernel, 100, 4);
}

static void restrictions_hold_for_the_launch_at_hand(void **state)
{
    static const uint32_t config[] = { 2, 0, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, config, 1000, "time", 1));
    expect_tuned(find(kernel, 1004), "nearest", "scale.wisdom:3", "TILE=4, threads=4, unroll=None");
    expect_tuned(find(kernel, 1002), "constants", "scale.wisdom:3 is not taken: TILE * threads",
                 "TILE=2, threads=4");
}

static void records_of_other_devices_count_if_the_architecture_is_the_same(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    char device[256];

    (void)state;
    snprintf(device, sizeof device, "device='%s'", kjit_device_model(context));
    expect_ok(add(kernel, config, 64, "time", 1));
    edit(device, "device='Another'");
    kernel = scale_of(scale_text, NULL);
    expect_tuned(find(kernel, 64), "nearest",
                 "tuned on Another, of the same architecture, for these extents",
                 "TILE=1, threads=8, unroll=None");
    edit("arch='x86-64'", "arch='sm_90'");
    kernel = scale_of(scale_text, NULL);
    expect_tuned(find(kernel, 64), "constants", "scale.wisdom:3 is of another architecture",
                 "TILE=2, threads=4");
}

/* Of two that are as near the device at hand goes first, though the other's line comes later; else
** the later line. */
static void the_device_at_hand_goes_before_others_and_then_the_later_line(void **state)
{
    static const uint32_t here[] = { 0, 0, 0 }, there[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    char device[256], later[512], earlier[300];

    (void)state;
    snprintf(device, sizeof device, "device='%s'", kjit_device_model(context));
    snprintf(earlier, sizeof earlier, "value=1, %s", device);
    snprintf(later, sizeof later, "value=2, %s", device);
    expect_ok(add(kernel, here, 64, "time", 1));
    edit(earlier, "value=1, device='Another'");
    expect_ok(add(kernel, there, 64, "time", 2));
    edit(later, "value=2, device='Another'");
    edit("value=1, device='Another'", earlier);
    kernel = scale_of(scale_text, NULL);
    expect_tuned(find(kernel, 128), "nearest", "scale.wisdom:3, tuned on this device",
                 "TILE=1, threads=4, unroll=None");
    edit(earlier, "value=1, device='Another'");
    kernel = scale_of(scale_text, NULL);
    expect_tuned(find(kernel, 128), "nearest", "scale.wisdom:4, tuned on Another",
                 "TILE=1, threads=8, unroll=None");
}

static void time_goes_before_other_objectives(void **state)
{
    static const uint32_t first[] = { 0, 0, 0 }, second[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, first, 64, "time", 1));
    expect_ok(add(kernel, second, 64, "energy", 1));
    assert_int_equal(lines_with("tuned("), 2);
    expect_tuned(find(kernel, 64), "exact", ": time 1", "TILE=1, threads=4, unroll=None");
}

/* ---- what a record is of ------------------------------------------------------------------ */

/* The text with one part of it changed. */
static const char *changed(const char *from, const char *to)
{
    static char text[2048];
    const char *at = strstr(scale_text, from);

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scale_text), scale_text, to,
             at + strlen(from));
    return text;
}

/* A program whose decimal point is a comma writes what any other reads. */
/* What was found by time on another device of the architecture is nearer to what is wanted than
** what was found by something else here. */
static void time_goes_before_the_device_at_hand(void **state)
{
    static const uint32_t least_energy[] = { 0, 0, 0 }, least_time[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    char here[512];

    (void)state;
    snprintf(here, sizeof here, "'time', value=2, device='%s'", kjit_device_model(context));
    expect_ok(add(kernel, least_time, 64, "time", 2));
    edit(here, "'time', value=2, device='Another'");
    expect_ok(add(kernel, least_energy, 64, "energy", 1));
    expect_tuned(find(scale_of(scale_text, NULL), 128), "nearest", "tuned on Another",
                 "TILE=1, threads=8, unroll=None");
}

static void records_do_not_depend_on_the_locale(void **state)
{
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_space *space;
    kjit_arg args[2];
    const uint32_t config[4] = { 0 };

    (void)state;
    fill_args(args, 1000);
    expect_ok(kjit_space_new(kernel, &space));
    setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* where it is there */
    expect_ok(kjit_space_set(space, "other", "[2.5]"));
    assert_string_equal(kjit_space_value_text(space, kjit_space_param_count(space) - 1, 0), "2.5");
    expect_ok(kjit_wisdom_add(space, config, args, 2, "time", 0.125, NULL));
    setlocale(LC_NUMERIC, "C");
    kjit_space_close(space);
    assert_int_equal(lines_with("value=0.125,"), 1);
    assert_int_equal(lines_with("other=2.5)"), 1);
}

static void an_edited_kernel_is_another(void **state)
{
    static const struct {
        const char *from, *to;
        bool same;
    } edits[] = {
        { "* 2 +", "* 3 +", false },
        { "other = 7", "other = 6 + 1", false },
        { "def scale(x, y):\n", "def scale(x, y):\n    # a comment\n    \"\"\"Words.\"\"\"\n",
          true },
        { "TILE = 2", "TILE = 1  # tuned", true },
        { "threads=[4, 8, 32]", "threads=[4, 8]", true },
        { "@cuda.jit\n", "@cuda.jit(fastmath=True)\n", false },
        { "TILE = 2\n", "TILE = 2\ndef unused():\n    return 1\n", true },
    };
    static const uint32_t config[] = { 0, 1, 0 };

    (void)state;
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        kjit_tuned tuned = find(scale_of(changed(edits[i].from, edits[i].to), NULL), 64);
        if ((strcmp(tuned.how, "exact") == 0) != edits[i].same)
            fail_msg("%s: %s (%s)", edits[i].to, tuned.how, tuned.why);
        if (!edits[i].same)
            assert_non_null(strstr(tuned.why, "scale.wisdom:3 is of another text of scale"));
    }
}

static void what_the_kernel_calls_is_part_of_its_text(void **state)
{
    static const char text[] = "from helper import f as g\nTILE = 1\n"
                               "@tune(TILE=[1, 2], block=1, problem=1)\n@cuda.jit\n"
                               "def scale(x, y):\n    y[0] = g(x[0]) + TILE\n";

    (void)state;
    write_file("helper.k", "K = 3\ndef h(a):\n    return a * K\ndef f(a):\n    return h(a)\n");
    expect_ok(add(scale_of(text, NULL), (uint32_t[]){ 1 }, 64, "time", 1));
    expect_tuned(find(scale_of(text, NULL), 64), "exact", "", "TILE=2");
    write_file("helper.k", "K = 4\ndef h(a):\n    return a * K\ndef f(a):\n    return h(a)\n");
    expect_tuned(find(scale_of(text, NULL), 64), "constants", "another text", "TILE=1");
}

static void types_are_part_of_it(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    const int64_t count = 64;
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_arg args[2];

    (void)state;
    expect_ok(add(kernel, config, count, "time", 1));
    kernel = scale_of(scale_text, NULL);
    fill_args(args, count);
    args[0].as.array = kjit_host_array(x, KJIT_DTYPE_INT32, 1, &count);
    expect_ok(kjit_tuned_find(kernel, args, 2, &tuned));
    expect_tuned(tuned, "constants", "scale.wisdom:3 is for arguments of other types",
                 "TILE=2, threads=4");
}

static void what_the_caller_says_goes_first(void **state)
{
    static const uint32_t config[] = { 0, 1, 1 };
    kjit_define tile = { "TILE", "4 // 2" }, other = { "other", "8" };
    kjit_load_options options = { .size = sizeof options, .defines = &tile, .define_count = 1 };

    (void)state;
    expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
    expect_tuned(find(scale_of(scale_text, &options), 64), "constants",
                 "scale.wisdom:3 is not taken: 'TILE' is given otherwise", "TILE=2, threads=4");
    tile.value = "3 - 2";
    expect_tuned(find(scale_of(scale_text, &options), 64), "exact", "",
                 "TILE=1, threads=8, unroll=3");
    options.defines = &other;
    expect_tuned(find(scale_of(scale_text, &options), 64), "constants", "another text",
                 "TILE=2, threads=4");
    options = (kjit_load_options){ .size = sizeof options, .unroll = 2 };
    expect_tuned(find(scale_of(scale_text, &options), 64), "constants", "'unroll' is given",
                 "TILE=2, threads=4");
    options = (kjit_load_options){ .size = sizeof options, .fastmath = 1 };
    expect_tuned(find(scale_of(scale_text, &options), 64), "constants", "another text",
                 "TILE=2, threads=4");
}

/* Constants have the shape that @tune gives them, though no search would try them. */
static void constants_that_are_not_tried_have_their_shape(void **state)
{
    static const char text[] =
        "T = 6\nN = 5\n"
        "@tune(T=[4, 8], N=[1, 5], free=[3, 7], block='T', problem='x.shape[0]',\n"
        "      grid_div_x=['T', 'N'], restrict=['T % 4 == 0', 'free > 5'])\n"
        "@cuda.jit\n"
        "def scale(x, y):\n"
        "    y[cuda.blockIdx.x] = cuda.gridDim.x * 1000 + cuda.blockDim.x\n";
    kjit_define tried = { "T", "8" }, wrong = { "T", "0" };
    kjit_load_options options = { .size = sizeof options, .define_count = 1 };
    kjit_kernel *kernel = scale_of(text, NULL);
    kjit_launch_config shape = { .size = sizeof shape };
    kjit_tuned tuned = find(kernel, 64);
    kjit_arg args[2];

    (void)state;
    expect_tuned(tuned, "constants", "there is no", "T=6, N=5, free=3");
    assert_int_equal(tuned.shape.block[0], 6);
    assert_int_equal(tuned.shape.grid[0], 3);
    fill_args(args, 64);
    expect_ok(kjit_launch_tuned(kernel, NULL, args, 2));
    assert_true(y[2] == 3006);
    options.defines = &tried;
    kernel = scale_of(text, &options);
    expect_tuned(find(kernel, 64), "constants", "there is no", "T=8, N=5, free=7");
    expect_ok(kjit_own_shape(kernel, args, 2, &shape));
    assert_int_equal(shape.block[0], 8);
    assert_int_equal(shape.grid[0], 2);
    options.defines = &wrong;
    kernel = scale_of(text, &options);
    expect(kjit_own_shape(kernel, args, 2, &shape), KJIT_INVALID, "the block is 0 in x");
    expect(kjit_launch_tuned(kernel, NULL, args, 2), KJIT_INVALID, "the block is 0 in x");
}

/* Sizes may hang on scalars, which are then part of what a choice is kept for. */
static void scalars_that_sizes_read_are_looked_at(void **state)
{
    static const char text[] = "T = 4\n@tune(T=[4, 8], block='T', problem='n', restrict='n < 90')\n"
                               "@cuda.jit\n"
                               "def scale(y, n, a):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < y.shape[0]:\n"
                               "        y[i] = cuda.gridDim.x + a\n";
    const int64_t count = 8;
    kjit_kernel *kernel = scale_of(text, NULL);
    kjit_arg args[3];

    (void)state;
    fill_args(args, count);
    args[0] = args[1];
    for (int n = 1; n < 90; n += 17) {
        for (int a = 0; a < 2; a++) {
            args[1] = kjit_arg_int64(n);
            args[2] = kjit_arg_float32((float)a / 2);
            expect_ok(kjit_launch_tuned(kernel, NULL, args, 3));
            assert_true(y[0] == (float)((n + 3) / 4) + (float)a / 2);
        }
    }
    args[1] = kjit_arg_int64(90);
    expect_ok(kjit_launch_tuned(kernel, NULL, args, 3)); /* as it stands, whatever is tuned */
    assert_true(y[0] == 23 + args[2].as.number);
    expect(kjit_launch_tuned(kernel, NULL, args, 2), KJIT_ARGUMENT, "takes 3 arguments");
}

static void more_sizes_than_are_kept_are_launched_all_the_same(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, config, 64, "time", 1));
    for (int turn = 0; turn < 2; turn++) {
        for (int64_t count = 1; count < 100; count++)
            expect_launch(kernel, count, 8);
    }
}

static void a_kernel_without_a_file_has_no_wisdom(void **state)
{
    kjit_kernel *kernel = kernel_of(scale_text);

    (void)state;
    expect(add(kernel, (uint32_t[]){ 0, 0, 0 }, 64, "time", 1), KJIT_ARGUMENT,
           "was loaded from no file");
    expect_tuned(find(kernel, 64), "constants", "no file goes with it", "TILE=2, threads=4");
    expect_launch(kernel, 64, 4);
}

static void a_kernel_that_nothing_is_said_of_has_no_shape(void **state)
{
    double a[2] = { 1, 2 };
    const int64_t count = 2;
    kjit_arg array = kjit_arg_array(kjit_host_array(a, KJIT_DTYPE_FLOAT64, 1, &count));
    const kjit_arg args[] = { array, array };

    (void)state;
    expect(kjit_launch_tuned(kernel_of(double_text), NULL, args, 2), KJIT_ARGUMENT,
           "nothing says the block of twice");
}

/* A space that only the command line knows: the record holds what the shape follows from. */
static void records_say_how_shapes_follow(void **state)
{
    static const char text[] = "N = 3\n@cuda.jit\ndef scale(x, y):\n    i = cuda.grid(1)\n"
                               "    if i < x.shape[0]:\n        y[i] = N + cuda.blockDim.x\n";
    kjit_kernel *kernel = scale_of(text, NULL);
    kjit_space *space;
    kjit_arg args[2];

    (void)state;
    fill_args(args, 50);
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_space_set(space, "N", "[5]"));
    expect_ok(kjit_space_set(space, "b", "[16]"));
    expect_ok(kjit_space_set(space, "block", "'b'"));
    expect_ok(kjit_space_set(space, "problem", "[\"x.shape[0]\"]"));
    expect_ok(kjit_wisdom_add(space, (uint32_t[]){ 0, 0 }, args, 2, "time", 1, NULL));
    kjit_space_close(space);
    kernel = scale_of(text, NULL);
    fill_args(args, 70);
    expect_ok(kjit_launch_tuned(kernel, NULL, args, 2));
    assert_true(y[69] == 21);
    assert_int_equal(find(kernel, 70).shape.grid[0], 5);
}

/* ---- the file ----------------------------------------------------------------------------- */

static void what_is_not_the_records_stays(void **state)
{
    static const char before[] = "# kjit wisdom 1\n\n  # mine\nbroken(\n\ttuned(kernel='a')";
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    write_file("scale.wisdom", before);
    expect_ok(add(kernel, config, 64, "time", 1));
    expect_ok(add(kernel, config, 64, "time", 2));
    expect_ok(add(kernel, config, 65, "time", 2));
    assert_memory_equal(wisdom_text(), before, sizeof before - 1);
    assert_int_equal(lines_with("\ntuned("), 2);
    assert_int_equal(lines_with("value=1,"), 0);
}

static void a_newer_file_is_left_alone(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, config, 64, "time", 1));
    edit("wisdom 1", "wisdom 2");
    edit("objective=", "novelty=(1, 2), objective=");
    char *kept = strdup(wisdom_text());
    kernel = scale_of(scale_text, NULL);
    kjit_tuned tuned = find(kernel, 64);
    expect_tuned(tuned, "exact", "", "TILE=1, threads=8, unroll=None");
    assert_non_null(strstr(tuned.complaints, "scale.wisdom:1:1: warning: a newer kjit"));
    expect(add(kernel, config, 64, "time", 2), KJIT_FILE, "a newer kjit has written it");
    assert_string_equal(wisdom_text(), kept);
    free(kept);
}

static void a_file_of_something_else_is_left_alone(void **state)
{
    static const char *const texts[] = { "T = 4\n", "\n", "#", "# kjit", "\xef\xbb\xbf# kjot" };
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_file("scale.wisdom", texts[i]);
        expect(add(kernel, config, 64, "time", 1), KJIT_FILE, "is no file of wisdom");
        assert_string_equal(wisdom_text(), texts[i]);
    }
    write_file("scale.wisdom", "");
    expect_ok(add(kernel, config, 64, "time", 1));
    expect_tuned(find(kernel, 64), "exact", "", "TILE=1, threads=8, unroll=None");
}

static void calls_that_leave_something_out_are_refused(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    kjit_arg args[2];

    (void)state;
    fill_args(args, 64);
    expect(kjit_tuned_find(kernel, args, 2, NULL), KJIT_ARGUMENT, "needs a kjit_tuned to fill in");
    expect(add(kernel, config, 64, NULL, 1), KJIT_ARGUMENT, "names its objective");
    expect(add(kernel, config, 64, "", 1), KJIT_ARGUMENT, "names its objective");
    assert_int_equal(access(wisdom_file, F_OK), -1);
}

static void damage_is_told_by_line(void **state)
{
    static const struct {
        const char *from, *to, *complaint;
    } damages[] = {
        { "# kjit wisdom 1", "# something else", ":1:1: warning: a file of wisdom begins with" },
        { "tuned(", "tuned(kernel=3, was(", "warning: '(' was never closed" },
        { "tuned(kernel", "tuned(kernel=3, kernal", "kernel= takes a text in quotes" },
        { "device=", "devise=", ":3:" },
        { "device=", "devise=", "no field 'devise'; did you mean 'device'?" },
        { "value=1", "value='fast'", "value= takes a number" },
        { "extents=(64, 64)", "extents=(64, -1)", "extents= takes numbers from 0" },
        { "configuration=dict(", "configuration=list(", "takes dict(NAME=VALUE, ...)" },
        { "tuned(", "wonder(", "a record is written tuned(" },
        { "digest=", "date='', driver='', compiler='', kjit='', date=", "is given twice" },
    };
    static const uint32_t config[] = { 0, 1, 0 };

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        forget_wisdom(state);
        expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
        expect_ok(add(scale_of(scale_text, NULL), config, 65, "time", 1));
        edit(damages[i].from, damages[i].to);
        kjit_tuned tuned = find(scale_of(scale_text, NULL), 65);
        if (!tuned.complaints || !strstr(tuned.complaints, damages[i].complaint))
            fail_msg("%s: %s", damages[i].to, tuned.complaints ? tuned.complaints : "nothing");
        assert_string_equal(tuned.how, "exact");
    }
}

static void records_that_make_no_sense_are_passed_over(void **state)
{
    static const struct {
        const char *from, *to, *why;
    } edits[] = {
        { "threads=8", "threads=0", "scale.wisdom:3 is not taken" },
        { "threads=8", "threads=nowhere", "there is no value 'nowhere'" },
        { "threads=8", "threads=8, x=3", "'x' is a parameter of scale" },
        { "threads=8", "threads='text'", "scale.wisdom:3 is not taken" },
        { "problem=['x.shape[0]']", "problem=['x.shape[4]']", "scale.wisdom:3 is not taken" },
        { "problem=['x.shape[0]']", "problem=['y[0]']", "the shape alone is known" },
        { "extents=(64, 64)", "extents=(64,)", "" },
        { "shape=dict(", "shape=dict(nonsense=1, ", "has no 'nonsense': it takes block" },
    };
    static const uint32_t config[] = { 0, 1, 0 };

    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        forget_wisdom(state);
        expect_ok(add(scale_of(scale_text, NULL), config, 64, "time", 1));
        edit(edits[i].from, edits[i].to);
        kjit_kernel *kernel = scale_of(scale_text, NULL);
        expect_tuned(find(kernel, 64), "constants", edits[i].why, "TILE=2, threads=4");
        expect_launch(kernel, 64, 4);
    }
}

static void files_that_cannot_be_read_or_written_are_told(void **state)
{
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    assert_int_equal(mkdir(wisdom_file, 0700), 0);
    kjit_tuned tuned = find(kernel, 64);
    assert_string_equal(tuned.how, "constants");
    assert_non_null(strstr(tuned.complaints, "is a folder, not a file"));
    expect(add(kernel, config, 64, "time", 1), KJIT_FILE, "cannot write");
    rmdir(wisdom_file);
    kjit_space *space;
    kjit_arg args[2];
    fill_args(args, 64);
    expect_ok(kjit_space_new(kernel, &space));
    expect(kjit_wisdom_add(space, config, args, 2, "time", 1, "/nowhere/a.wisdom"), KJIT_FILE,
           "cannot write '/nowhere/a.wisdom'");
    expect(kjit_wisdom_add(space, config, args, 2, "time", (double)INFINITY, NULL), KJIT_ARGUMENT,
           "a finite number");
    kjit_space_close(space);
}

/* Whatever stands in the file, launches go on, and what is added is found again. */
static void no_damage_does_harm(void **state)
{
    enum { TURNS = 600 };
    static const uint32_t config[] = { 0, 1, 0 };
    static const char odd[] = "()[]='\"\\,#\n\t\0 -9ex{}*\xff\xc3";
    static char text[1 << 12];
    uint32_t random = 12345;
    kjit_kernel *kernel = scale_of(scale_text, NULL);

    (void)state;
    expect_ok(add(kernel, config, 64, "time", 1));
    expect_ok(add(kernel, config, 128, "energy", 1));
    size_t length = (size_t)snprintf(text, sizeof text, "%s", wisdom_text());
    for (int turn = 0; turn < TURNS; turn++) {
        Wisdom *wisdom;
        char damaged[sizeof text];
        size_t left = length;
        memcpy(damaged, text, length);
        for (int i = 0; i <= turn % 5; i++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 8) % left;
            if (random >> 28 < 5)
                damaged[at] = odd[(random >> 4) % sizeof odd];
            else if (random >> 28 < 10)
                memmove(damaged + at, damaged + at + 1, --left - at);
            else if (random >> 28 < 15)
                damaged[at] = damaged[(random >> 12) % left];
            else
                left = at + 1;
        }
        FILE *file = fopen(wisdom_file, "w");
        assert_non_null(file);
        fwrite(damaged, 1, left, file);
        fclose(file);
        expect_ok(wisdom_read(wisdom_file, &wisdom));
        bool newer = wisdom->newer;
        wisdom_free(wisdom);
        if (turn % 20 == 0) {
            kernel = scale_of(scale_text, NULL);
            find(kernel, 64);
            kjit_status status = add(kernel, config, 64, "time", 1);
            if (status != KJIT_OK)
                expect(status, KJIT_FILE,
                       newer ? "a newer kjit has written it" : "is no file of wisdom");
            else
                expect_tuned(find(kernel, 64), "exact", "", "TILE=1, threads=8, unroll=None");
            kjit_close_module(kernel->module);
        }
    }
}

static void processes_that_write_at_once_lose_nothing(void **state)
{
    enum { PROCESSES = 4, RECORDS = 12 };
    static const uint32_t config[] = { 0, 1, 0 };
    kjit_kernel *kernel = scale_of(scale_text, NULL);
    pid_t children[PROCESSES];
    int status;

    (void)state;
    expect_ok(add(kernel, config, 1, "first", 1));
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i])
            continue;
        for (int k = 0; k < RECORDS; k++) {
            char objective[32];
            snprintf(objective, sizeof objective, "p%d-%d", i, k);
            if (add(kernel, config, 64, objective, k + 1) != KJIT_OK)
                _exit(1);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(lines_with("\ntuned("), PROCESSES * RECORDS + 1);
    assert_int_equal(lines_with("# kjit wisdom"), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget_wisdom)
    const struct CMUnitTest tests[] = {
        TEST(without_wisdom_the_source_is_launched_in_its_own_shape),
        TEST(a_record_of_the_device_and_the_extents_is_taken),
        TEST(the_nearest_extents_are_taken),
        TEST(restrictions_hold_for_the_launch_at_hand),
        TEST(records_of_other_devices_count_if_the_architecture_is_the_same),
        TEST(the_device_at_hand_goes_before_others_and_then_the_later_line),
        TEST(time_goes_before_other_objectives),
        TEST(time_goes_before_the_device_at_hand),
        TEST(records_do_not_depend_on_the_locale),
        TEST(an_edited_kernel_is_another),
        TEST(what_the_kernel_calls_is_part_of_its_text),
        TEST(types_are_part_of_it),
        TEST(what_the_caller_says_goes_first),
        TEST(constants_that_are_not_tried_have_their_shape),
        TEST(scalars_that_sizes_read_are_looked_at),
        TEST(more_sizes_than_are_kept_are_launched_all_the_same),
        TEST(a_kernel_without_a_file_has_no_wisdom),
        TEST(a_kernel_that_nothing_is_said_of_has_no_shape),
        TEST(records_say_how_shapes_follow),
        TEST(what_is_not_the_records_stays),
        TEST(a_newer_file_is_left_alone),
        TEST(a_file_of_something_else_is_left_alone),
        TEST(calls_that_leave_something_out_are_refused),
        TEST(damage_is_told_by_line),
        TEST(records_that_make_no_sense_are_passed_over),
        TEST(files_that_cannot_be_read_or_written_are_told),
        TEST(no_damage_does_harm),
        TEST(processes_that_write_at_once_lose_nothing),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
