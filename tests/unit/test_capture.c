/* Launches that were captured, and what their replay finds: on the processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

#include "runtime/values/values.h"
#define OWN_CACHE
#include "tests/unit/library.h"

enum { COUNT = 6 };

static char captures[128];
static kjit_context *capturing;

/* ---- what every test has --------------------------------------------------------------------- */

static kjit_status open_capturing(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };

    setenv("KJIT_CAPTURE", captures, 1);
    kjit_status status = kjit_open(&options, &capturing);
    unsetenv("KJIT_CAPTURE");
    return status;
}

static int begin(void **state)
{
    (void)state;
    snprintf(captures, sizeof captures, "%s/captures", folder);
    return open_capturing() != KJIT_OK;
}

static void remove_captures(void)
{
    char command[256];

    snprintf(command, sizeof command, "rm -rf %s", captures);
    assert_int_equal(system(command), 0);
}

static int end(void **state)
{
    (void)state;
    kjit_close(capturing);
    capturing = NULL;
    remove_captures();
    return 0;
}

static kjit_kernel *load_with(const char *text, const char *name, const kjit_load_options *options)
{
    kjit_module *module;
    kjit_kernel *kernel;

    expect_ok(kjit_load_source(capturing, text, name, options, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    return kernel;
}

static kjit_kernel *load(const char *text)
{
    return load_with(text, "t.k", NULL);
}

static kjit_status launch(kjit_kernel *kernel, uint32_t threads, const kjit_arg *args, size_t count)
{
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { threads, 1, 1 }, 0, NULL };

    return kjit_launch(kernel, &config, args, count);
}

static int is_launch(const struct dirent *entry)
{
    return strchr(entry->d_name, '-') && strcmp(entry->d_name, "not-captured.txt") != 0;
}

/* How many launches are captured; `last` gets the folder of one. */
static int count_captures(char last[256])
{
    struct dirent **list;
    int count = scandir(captures, &list, is_launch, alphasort);

    for (int i = 0; i < count; i++) {
        assert_int_not_equal(strncmp(list[i]->d_name, "tmp-", 4), 0);
        if (last)
            snprintf(last, 256, "%.100s/%.100s", captures, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return count;
}

/* The one launch that there is. */
static kjit_replay *replay_of_one(void)
{
    char path[256];
    kjit_replay *replay;

    assert_int_equal(count_captures(path), 1);
    expect_ok(kjit_replay_open(path, &replay));
    return replay;
}

static kjit_values *values_of(const kjit_replay *replay, int after)
{
    kjit_values *values;

    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_replay_values(replay, after, values));
    return values;
}

static const kjit_arg *get(const kjit_values *values, const char *name)
{
    const kjit_arg *arg = kjit_values_get(values, name);

    if (!arg)
        fail_msg("there is no %s", name);
    return arg;
}

/* Launches it again, without capturing, on the values that it began with. */
static void launch_again(const kjit_replay *replay, kjit_values *values)
{
    kjit_replay_facts facts = { .size = sizeof facts };
    kjit_load_options options = { .size = sizeof options };
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg args[16];

    kjit_replay_tell(replay, &facts);
    options.defines = facts.defines;
    options.define_count = facts.define_count;
    options.debug = facts.debug;
    options.fastmath = facts.fastmath;
    expect_ok(kjit_load_file(context, facts.file, &options, &module));
    expect_ok(kjit_get_kernel(module, facts.kernel, &kernel));
    for (size_t i = 0; i < kjit_param_count(kernel); i++)
        args[i] = *get(values, kjit_param_name(kernel, i));
    expect_ok(kjit_launch(kernel, &facts.config, args, kjit_param_count(kernel)));
    kjit_close_module(module);
}

/* Elements, row by row. */
static void elements_of(const kjit_array *array, char *out)
{
    kjit_array whole = *array;

    whole.data = out;
    array_set_strides(&whole, false);
    array_copy(&whole, array);
}

static void expect_same_arrays(const kjit_array *a, const kjit_array *b)
{
    char one[8192], other[8192];
    uint64_t bytes;

    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->flags, b->flags);
    assert_memory_equal(a->shape, b->shape, sizeof a->shape[0] * (size_t)a->rank);
    assert_int_equal(array_layout(a), array_layout(b));
    if (array_layout(a) == LAYOUT_A)
        assert_memory_equal(a->strides, b->strides, sizeof a->strides[0] * (size_t)a->rank);
    assert_true(array_check(a, "a", &bytes) && bytes <= sizeof one);
    elements_of(a, one);
    elements_of(b, other);
    if (bytes)
        assert_memory_equal(one, other, bytes);
}

static void expect_same(const kjit_arg *a, const kjit_arg *b)
{
    assert_int_equal(a->kind, b->kind);
    if (a->kind == KJIT_ARG_ARRAY) {
        expect_same_arrays(&a->as.array, &b->as.array);
    } else if (a->kind == KJIT_ARG_TUPLE) {
        assert_int_equal(a->as.tuple.count, b->as.tuple.count);
        for (size_t i = 0; i < a->as.tuple.count; i++)
            expect_same(&a->as.tuple.items[i], &b->as.tuple.items[i]);
    } else {
        char one[16] = "", other[16] = "";
        assert_int_equal(a->dtype, b->dtype);
        scalar_store(a, one);
        scalar_store(b, other);
        assert_memory_equal(one, other, sizeof one);
    }
}

/* Replays the one launch there is: it leaves what `args`, the launched ones, hold. */
static void expect_replay(const kjit_arg *args, const char *const *names, size_t count)
{
    kjit_replay *replay = replay_of_one();
    kjit_values *before = values_of(replay, 0), *after = values_of(replay, 1);

    launch_again(replay, before);
    for (size_t i = 0; i < count; i++) {
        expect_same(get(before, names[i]), &args[i]);
        if (kjit_values_get(after, names[i]))
            expect_same(kjit_values_get(after, names[i]), &args[i]);
    }
    kjit_values_close(before);
    kjit_values_close(after);
    kjit_replay_close(replay);
}

static const char copy_text[] = "@cuda.jit\n"
                                "def copy(a, b):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < a.shape[0]:\n"
                                "        a[i] = b[i]\n";
static const char *const copy_names[] = { "a", "b" };

/* ---- what is written ------------------------------------------------------------------------- */

static void every_dtype_comes_back(void **state)
{
    static const kjit_dtype dtypes[] = {
#define DTYPE(NAME, name, bytes) KJIT_DTYPE_##NAME,
        KJIT_DTYPE_MAP(DTYPE)
#undef DTYPE
            KJIT_DTYPE_DATETIME64_ns,
        KJIT_DTYPE_TIMEDELTA64_D, KJIT_DTYPE_DATETIME64
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(dtypes); i++) {
        char a[16 * COUNT] = { 0 }, b[16 * COUNT];
        for (size_t k = 0; k < sizeof b; k++)
            b[k] = dtypes[i] == KJIT_DTYPE_BOOL ? (char)(k % 2) : (char)(k % 60);
        kjit_arg args[] = {
            kjit_arg_host_array(a, dtypes[i], 0, 1, (int64_t[]){ COUNT }),
            kjit_arg_host_array(b, dtypes[i], KJIT_READONLY, 1, (int64_t[]){ COUNT }),
        };
        expect_ok(launch(load(copy_text), COUNT, args, 2));
        expect_replay(args, copy_names, 2);
        end(NULL);
        assert_int_equal(begin(NULL), 0);
    }
}

static void scalars_are_what_they_were(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, out):\n"
                               "    out[0] = 1\n";
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h",
                                         "i", "j", "k", "l", "m", "n", "o", "out" };
    int32_t out[1] = { 0 };
    kjit_arg time = kjit_arg_int64(INT64_MIN), span = kjit_arg_int64(-7);

    (void)state;
    time.dtype = KJIT_DTYPE_DATETIME64_us;
    span.dtype = KJIT_DTYPE_TIMEDELTA64;
    kjit_arg args[] = { kjit_arg_bool(1),
                        kjit_arg_int8(-128),
                        kjit_arg_int64(INT64_MIN),
                        kjit_arg_uint64(UINT64_MAX),
                        kjit_arg_float16(0.333251953125f),
                        kjit_arg_bfloat16(-0.0f),
                        kjit_arg_float32(0.1f),
                        kjit_arg_float64(0.1),
                        kjit_arg_float64(-5e-324),
                        kjit_arg_float64(-(double)INFINITY),
                        kjit_arg_float32(1e30f),
                        kjit_arg_complex64(-0.0f, (float)INFINITY),
                        kjit_arg_complex128(1e-300, -2),
                        time,
                        span,
                        kjit_arg_host_array(out, KJIT_DTYPE_INT32, 0, 1, (int64_t[]){ 1 }) };
    expect_ok(launch(load(text), 1, args, ARRAY_COUNT(args)));
    expect_replay(args, names, ARRAY_COUNT(args));
}

static kjit_array strided(void *data, kjit_dtype dtype, int32_t rank, const int64_t *shape,
                          const int64_t *strides)
{
    kjit_array array = kjit_host_array(data, dtype, rank, shape);

    memcpy(array.strides, strides, sizeof *strides * (size_t)rank);
    return array;
}

static void layouts_stay_what_they_were(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def layouts(back, flat, columns, rows, none, point):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < back.shape[0]:\n"
                               "        back[i] += flat[i]\n"
                               "        columns[i, 0] = i\n"
                               "        rows[i, 1] = i\n"
                               "    point[()] = none.shape[1]\n";
    static const char *const names[] = { "back", "flat", "columns", "rows", "none", "point" };
    double back[3 * COUNT], flat[1] = { 4 }, columns[2 * COUNT], rows[10 * COUNT], point[1];

    (void)state;
    for (int i = 0; i < 10 * COUNT; i++)
        rows[i] = i;
    memcpy(back, rows, sizeof back);
    memcpy(columns, rows, sizeof columns);
    const kjit_arg args[] = {
        kjit_arg_array(strided(back + 3 * COUNT - 1, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ COUNT },
                               (int64_t[]){ -24 })),
        kjit_arg_array(
            strided(flat, KJIT_DTYPE_FLOAT64, 1, (int64_t[]){ COUNT }, (int64_t[]){ 0 })),
        kjit_arg_array(strided(columns, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ COUNT, 2 },
                               (int64_t[]){ 8, 8 * COUNT })),
        kjit_arg_array(strided(rows + 2, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ COUNT, 3 },
                               (int64_t[]){ 80, 16 })),
        kjit_arg_host_array(NULL, KJIT_DTYPE_INT16, 0, 2, (int64_t[]){ 0, 5 }),
        kjit_arg_host_array(point, KJIT_DTYPE_FLOAT64, 0, 0, NULL),
    };
    expect_ok(launch(load(text), COUNT, args, ARRAY_COUNT(args)));
    assert_true(point[0] == 5 && rows[4] == 0 && rows[5] == 5);
    expect_replay(args, names, ARRAY_COUNT(args));
}

static void memory_between_elements_is_not_written_down(void **state)
{
    int32_t a[2 * COUNT], b[COUNT] = { 0 };

    (void)state;
    for (int i = 0; i < 2 * COUNT; i++)
        a[i] = 77;
    const kjit_arg args[] = {
        kjit_arg_array(strided(a, KJIT_DTYPE_INT32, 1, (int64_t[]){ COUNT }, (int64_t[]){ 8 })),
        kjit_arg_host_array(b, KJIT_DTYPE_INT32, 0, 1, (int64_t[]){ COUNT }),
    };
    expect_ok(launch(load(copy_text), COUNT, args, 2));
    kjit_replay *replay = replay_of_one();
    kjit_values *before = values_of(replay, 0);
    const int32_t *memory = get(before, "a")->as.array.data;
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(memory[2 * i], 77);
    for (int i = 0; i + 1 < COUNT; i++)
        assert_int_equal(memory[2 * i + 1], 0);
    kjit_values_close(before);
    kjit_replay_close(replay);
}

static void arrays_that_share_memory_share_it(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def shift(a, b, c, bits):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i == 0:\n"
                               "        a[0] = 5\n"
                               "        b[1] = a[0] + b[0]\n"
                               "        c[2] = b[1]\n"
                               "        bits[0] = 1\n";
    static const char *const names[] = { "a", "b", "c", "bits" };
    float memory[COUNT] = { 1, 2, 3, 4, 5, 6 };
    const kjit_arg args[] = {
        kjit_arg_host_array(memory, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ COUNT }),
        kjit_arg_host_array(memory + 1, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ 3 }),
        kjit_arg_host_array(memory, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ COUNT }),
        kjit_arg_host_array((char *)memory + 21, KJIT_DTYPE_UINT8, 0, 1, (int64_t[]){ 2 }),
    };

    (void)state;
    expect_ok(launch(load(text), 1, args, ARRAY_COUNT(args)));
    kjit_replay *replay = replay_of_one();
    kjit_values *before = values_of(replay, 0);
    const float *a = get(before, "a")->as.array.data;
    assert_ptr_equal(get(before, "b")->as.array.data, a + 1);
    assert_ptr_equal(get(before, "c")->as.array.data, a);
    assert_ptr_equal(get(before, "bits")->as.array.data, (const char *)a + 21);
    kjit_values_close(before);
    kjit_replay_close(replay);
    expect_replay(args, names, ARRAY_COUNT(args));
}

static void an_array_given_twice_is_one(void **state)
{
    int64_t data[COUNT] = { 3, 1, 4, 1, 5, 9 };
    const kjit_arg array = kjit_arg_host_array(data, KJIT_DTYPE_INT64, 0, 1, (int64_t[]){ COUNT });
    const kjit_arg args[] = { array, array };

    (void)state;
    expect_ok(launch(load(copy_text), COUNT, args, 2));
    kjit_replay *replay = replay_of_one();
    kjit_values *before = values_of(replay, 0);
    assert_ptr_equal(get(before, "a")->as.array.data, get(before, "b")->as.array.data);
    kjit_values_close(before);
    kjit_replay_close(replay);
    expect_replay(args, copy_names, 2);
}

typedef struct Body {
    int16_t kind;
    double mass;
    float place[2];
} Body;

static const kjit_field body_fields[] = {
    { "kind", KJIT_DTYPE_INT16, NULL, offsetof(Body, kind), 0, { 0 } },
    { "mass", KJIT_DTYPE_FLOAT64, NULL, offsetof(Body, mass), 0, { 0 } },
    { "place", KJIT_DTYPE_FLOAT32, NULL, offsetof(Body, place), 1, { 2 } },
};
static const kjit_record body = { body_fields, 3, sizeof(Body) };

static void tuples_and_records_come_back(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def move(bodies, t, none, masses):\n"
                               "    i = cuda.grid(1)\n"
                               "    bodies[i].place[0] += t[0][i] * t[1][1]\n"
                               "    t[1][0][i] = masses[i]\n";
    static const char *const names[] = { "bodies", "t", "none", "masses" };
    Body bodies[COUNT];
    double weights[COUNT], out[COUNT] = { 0 };

    (void)state;
    memset(bodies, 0, sizeof bodies);
    for (int i = 0; i < COUNT; i++) {
        bodies[i] = (Body){ .kind = (int16_t)i, .mass = i + 0.5, .place = { 1, 2 } };
        weights[i] = i;
    }
    kjit_array all = kjit_record_array(bodies, &body, 1, (int64_t[]){ COUNT });
    const kjit_arg inner[] = {
        kjit_arg_host_array(out, KJIT_DTYPE_FLOAT64, 0, 1, (int64_t[]){ COUNT }), kjit_arg_int8(3)
    };
    const kjit_arg items[] = { kjit_arg_host_array(weights, KJIT_DTYPE_FLOAT64, KJIT_READONLY, 1,
                                                   (int64_t[]){ COUNT }),
                               kjit_arg_tuple(inner, 2) };
    const kjit_arg args[] = { kjit_arg_array(all), kjit_arg_tuple(items, 2),
                              kjit_arg_tuple(NULL, 0), kjit_arg_array(kjit_field_array(&all, 1)) };
    expect_ok(launch(load(text), COUNT, args, ARRAY_COUNT(args)));
    assert_true(bodies[2].place[0] == 7 && out[3] == 3.5);
    expect_replay(args, names, ARRAY_COUNT(args));
}

/* ---- sources --------------------------------------------------------------------------------- */

static void imports_defines_and_options_come_along(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "from parts.first import one\n"
                               "from second import two\n"
                               "ADD = 1\n"
                               "@cuda.jit\n"
                               "def sums(a):\n"
                               "    a[0] = one() + two() + ADD\n";
    static const char *const names[] = { "a" };
    static const kjit_define defines[] = { { "ADD", "(100 +\n 2)" } };
    kjit_load_options options = {
        .size = sizeof options, .defines = defines, .define_count = 1, .fastmath = 1
    };
    char path[256], copied[384];
    int64_t a[1] = { 0 };
    kjit_replay_facts facts = { .size = sizeof facts };
    const kjit_arg args[] = { kjit_arg_host_array(a, KJIT_DTYPE_INT64, 0, 1, (int64_t[]){ 1 }) };

    (void)state;
    snprintf(path, sizeof path, "%s/parts", folder);
    mkdir(path, 0700);
    write_file("parts/first.k", "from inner import three\n"
                                "@cuda.jit(device=True)\ndef one():\n    return three()\n");
    write_file("parts/inner.k", "@cuda.jit(device=True)\ndef three():\n    return 3000\n");
    write_file("second.k", "@cuda.jit(device=True)\ndef two():\n    return 20\n");
    snprintf(path, sizeof path, "%s/m.k", folder);
    expect_ok(launch(load_with(text, path, &options), 1, args, 1));
    assert_int_equal(a[0], 3122);
    expect_replay(args, names, 1);
    kjit_replay *replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_int_equal(facts.fastmath, 1);
    assert_int_equal(facts.debug, 0);
    assert_int_equal(facts.define_count, 1);
    assert_null(facts.changed);
    assert_null(facts.failure);
    assert_string_equal(facts.device, "cpu");
    kjit_replay_close(replay);

    count_captures(path);
    snprintf(copied, sizeof copied, "%.255s/parts/inner.k", path);
    FILE *edited = fopen(copied, "a");
    assert_non_null(edited);
    fputs("# more\n", edited);
    fclose(edited);
    replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_string_equal(facts.changed, "parts/inner.k");
    kjit_replay_close(replay);
}

static void a_binary_is_captured_as_it_is(void **state)
{
    static const char *const targets[] = { "cpu" };
    const kjit_build_item item = { .kernel = kernel_of(copy_text),
                                   .signature = "copy(int32[::1], int32[::1])" };
    const kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = targets, .target_count = 1
    };
    int32_t a[COUNT] = { 0 }, b[COUNT] = { 1, 2, 3 };
    const kjit_arg args[] = { kjit_arg_host_array(a, KJIT_DTYPE_INT32, 0, 1, (int64_t[]){ COUNT }),
                              kjit_arg_host_array(b, KJIT_DTYPE_INT32, 0, 1,
                                                  (int64_t[]){ COUNT }) };
    kjit_kernel *kernel;
    char *binary;
    size_t length;

    (void)state;
    expect_ok(kjit_build(&item, 1, &options, &binary, &length));
    expect_ok(kjit_embedded_kernel(capturing, binary, length, "copy", &kernel));
    expect_ok(launch(kernel, COUNT, args, 2));
    expect_replay(args, copy_names, 2);
    kjit_close(capturing);
    capturing = NULL;
    kjit_free(binary);
}

static void the_library_needs_no_file(void **state)
{
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_values *values;
    kjit_replay_facts facts = { .size = sizeof facts };
    kjit_launch_config config = { sizeof config, { 4, 1, 1 }, { 64, 1, 1 }, 0, NULL };
    kjit_arg args[16];

    (void)state;
    expect_ok(kjit_load_file(capturing, "std:histogram", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_example(values, kernel));
    (void)kjit_example_config(kernel, &config);
    for (size_t i = 0; i < kjit_param_count(kernel); i++)
        args[i] = *get(values, kjit_param_name(kernel, i));
    expect_ok(kjit_launch(kernel, &config, args, kjit_param_count(kernel)));
    kjit_values_close(values);
    kjit_replay *replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_string_equal(facts.file, "std:histogram");
    values = values_of(replay, 0);
    launch_again(replay, values);
    kjit_values_close(values);
    kjit_replay_close(replay);
}

/* ---- which launches -------------------------------------------------------------------------- */

static int32_t left[2 * COUNT], right[COUNT];

static kjit_status copy_numbers(kjit_kernel *kernel, int64_t count, int32_t *from)
{
    const kjit_arg args[] = { kjit_arg_host_array(left, KJIT_DTYPE_INT32, 0, 1, &count),
                              kjit_arg_host_array(from, KJIT_DTYPE_INT32, 0, 1, &count) };

    return launch(kernel, COUNT, args, 2);
}

static void the_first_of_its_kind_is_kept(void **state)
{
    kjit_kernel *kernel = load(copy_text);
    kjit_counters done = { .size = sizeof done };

    (void)state;
    right[0] = 11;
    expect_ok(copy_numbers(kernel, COUNT, right));
    right[0] = 12;
    expect_ok(copy_numbers(kernel, COUNT, right));
    kjit_replay *replay = replay_of_one();
    kjit_values *before = values_of(replay, 0);
    assert_int_equal(*(int32_t *)get(before, "b")->as.array.data, 11);
    kjit_values_close(before);
    kjit_replay_close(replay);
    expect_ok(copy_numbers(kernel, COUNT - 1, right));
    assert_int_equal(count_captures(NULL), 2);
    expect_ok(copy_numbers(kernel, COUNT, left));
    assert_int_equal(count_captures(NULL), 3);
    expect_ok(copy_numbers(load(copy_text), COUNT, left));
    assert_int_equal(count_captures(NULL), 3);
    expect_ok(copy_numbers(
        load_with(copy_text, "t.k",
                  &(kjit_load_options){ .size = sizeof(kjit_load_options), .debug = 1 }),
        COUNT, left));
    assert_int_equal(count_captures(NULL), 4);
    kjit_count(capturing, &done);
    assert_int_equal(done.captures, 4);
    assert_int_equal(done.capture_failures, 0);
    /* A second process, as it were. */
    kjit_close(capturing);
    expect_ok(open_capturing());
    expect_ok(copy_numbers(load(copy_text), COUNT, right));
    assert_int_equal(count_captures(NULL), 4);
}

static void a_prepared_launch_is_captured_when_it_runs(void **state)
{
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { COUNT, 1, 1 }, 0, NULL };
    kjit_prepared *prepared, *unused;
    kjit_kernel *kernel = load(copy_text);
    const int64_t count = COUNT;
    kjit_arg args[] = { kjit_arg_host_array(left, KJIT_DTYPE_INT32, 0, 1, &count),
                        kjit_arg_host_array(right, KJIT_DTYPE_INT32, 0, 1, &count) };

    (void)state;
    expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared));
    expect_ok(kjit_prepare(kernel, &config, args, 2, &unused));
    memset(args, 0, sizeof args);
    assert_int_equal(count_captures(NULL), 0);
    right[1] = 21;
    expect_ok(kjit_launch_prepared(prepared));
    right[1] = 22;
    expect_ok(kjit_launch_prepared(prepared));
    expect_ok(kjit_launch_prepared(unused));
    kjit_close_prepared(prepared);
    kjit_close_prepared(unused);
    kjit_replay *replay = replay_of_one();
    kjit_values *after = values_of(replay, 1);
    assert_int_equal(((int32_t *)get(after, "a")->as.array.data)[1], 21);
    kjit_values_close(after);
    kjit_replay_close(replay);
}

static void what_a_graph_records_is_not_captured(void **state)
{
    kjit_launch_config config = { sizeof config, { 1, 1, 1 }, { COUNT, 1, 1 }, 0, NULL };
    const int64_t count = COUNT;
    kjit_stream *stream;
    kjit_graph *graph;
    kjit_array array;

    (void)state;
    expect_ok(kjit_stream_new(capturing, NULL, &stream));
    expect_ok(kjit_array_new(capturing, KJIT_DTYPE_INT32, 1, &count, NULL, &array));
    expect_ok(kjit_array_zero(capturing, NULL, &array));
    const kjit_arg args[] = { kjit_arg_array(array), kjit_arg_array(array) };
    config.stream = stream;
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_launch(load(copy_text), &config, args, 2));
    expect_ok(kjit_capture_end(stream, &graph));
    expect_ok(kjit_graph_launch(graph, stream));
    kjit_graph_close(graph);
    assert_int_equal(count_captures(NULL), 0);
    expect_ok(kjit_launch(load(copy_text), &config, args, 2));
    kjit_stream_close(stream);
    expect_ok(kjit_array_free(capturing, &array));
    assert_int_equal(count_captures(NULL), 1);
}

static void a_launch_that_fails_is_kept_with_what_was_said(void **state)
{
    static const char text[] = "@cuda.jit(debug=True, opt=False)\n"
                               "def careful(a):\n"
                               "    a[0] = 7\n"
                               "    assert a[1] == 1, 'not one'\n";
    int32_t a[2] = { 0 };
    const kjit_arg args[] = { kjit_arg_host_array(a, KJIT_DTYPE_INT32, 0, 1, (int64_t[]){ 2 }) };
    kjit_replay_facts facts = { .size = sizeof facts };

    (void)state;
    expect(launch(load(text), 1, args, 1), KJIT_FAULT, "not one");
    kjit_replay *replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_non_null(strstr(facts.failure, "not one"));
    kjit_values *before = values_of(replay, 0), *after = values_of(replay, 1);
    assert_int_equal(*(int32_t *)get(before, "a")->as.array.data, 0);
    assert_null(kjit_values_name_at(after, 0));
    kjit_values_close(before);
    kjit_values_close(after);
    kjit_replay_close(replay);
}

/* ---- what cannot be captured ----------------------------------------------------------------- */

static void expect_said(const char *part, int lines)
{
    char path[256], text[4096];
    int count = 0;

    snprintf(path, sizeof path, "%s/not-captured.txt", captures);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        count++;
    if (!strstr(text, part) || count != lines)
        fail_msg("%d lines: %s", count, text);
}

static void an_edited_text_is_not_captured(void **state)
{
    const int64_t count = COUNT;
    const kjit_arg args[] = { kjit_arg_host_array(left, KJIT_DTYPE_INT32, 0, 1, &count),
                              kjit_arg_host_array(right, KJIT_DTYPE_INT32, 0, 1, &count) };
    kjit_kernel *kernel = load(copy_text);
    kjit_emit_options options = {
        .size = sizeof options, .stage = "c", .args = args, .arg_count = 2
    };
    char *text;
    size_t length;

    (void)state;
    expect_ok(kjit_emit(kernel, &options, &text, &length));
    expect_ok(kjit_replace_text(kernel, args, 2, "c", text, "t.c"));
    kjit_free(text);
    expect_ok(launch(kernel, COUNT, args, 2));
    assert_int_equal(count_captures(NULL), 0);
    expect_said("copy(int32[::1], int32[::1]): it runs a text that was edited", 1);
}

static void records_that_share_bytes_are_not_captured(void **state)
{
    static const kjit_field fields[] = { { "a", KJIT_DTYPE_INT32, NULL, 0, 0, { 0 } },
                                         { "b", KJIT_DTYPE_FLOAT32, NULL, 0, 0, { 0 } } };
    static const kjit_record both = { fields, 2, 4 };
    float data[COUNT] = { 0 };
    const kjit_arg args[] = { kjit_arg_array(
        kjit_record_array(data, &both, 1, (int64_t[]){ COUNT })) };

    (void)state;
    expect_ok(
        launch(load("@cuda.jit\ndef set(x):\n    x[cuda.grid(1)].b = 1.5\n"), COUNT, args, 1));
    assert_true(data[5] == 1.5f);
    assert_int_equal(count_captures(NULL), 0);
    expect_said("share bytes", 1);
}

static void the_bound_holds_and_is_said_once(void **state)
{
    static char large[200000], other[200000];
    static const char text[] = "@cuda.jit\ndef set(a):\n    a[0] = 1\n";
    kjit_counters done = { .size = sizeof done };

    (void)state;
    kjit_close(capturing);
    setenv("KJIT_CAPTURE_SIZE", "100K", 1);
    kjit_status status = open_capturing();
    unsetenv("KJIT_CAPTURE_SIZE");
    expect_ok(status);
    kjit_kernel *kernel = load(text);
    for (int64_t count = 20000; count < 20010; count++) {
        const kjit_arg args[] = { kjit_arg_host_array(large, KJIT_DTYPE_INT8, 0, 1, &count) };
        expect_ok(launch(kernel, 1, args, 1));
    }
    assert_int_equal(count_captures(NULL), 2);
    expect_said("KJIT_CAPTURE_SIZE leaves no room", 1);
    const kjit_arg args[] = { kjit_arg_host_array(other, KJIT_DTYPE_INT8, 0, 1,
                                                  (int64_t[]){ 200000 }) };
    expect_ok(launch(kernel, 1, args, 1));
    expect_said("it alone is larger than KJIT_CAPTURE_SIZE", 2);
    kjit_count(capturing, &done);
    assert_int_equal(done.captures, 2);
    assert_int_equal(done.capture_failures, 9);
}

static void a_folder_of_no_use_is_refused(void **state)
{
    kjit_context *none;

    (void)state;
    write_file("plain", "");
    snprintf(captures, sizeof captures, "%s/plain", folder);
    setenv("KJIT_CAPTURE", captures, 1);
    kjit_status status = kjit_open(NULL, &none);
    assert_null(none);
    expect(status, KJIT_ARGUMENT, "/plain': ");
    expect(status, KJIT_ARGUMENT, "KJIT_CAPTURE names it");
    setenv("KJIT_CAPTURE", "/proc/nowhere/folder", 1);
    expect(kjit_open(NULL, &none), KJIT_ARGUMENT, "/proc/nowhere/folder");
    setenv("KJIT_CAPTURE", folder, 1);
    setenv("KJIT_CAPTURE_SIZE", "many", 1);
    expect(kjit_open(NULL, &none), KJIT_ARGUMENT, "KJIT_CAPTURE_SIZE is 'many'");
    unsetenv("KJIT_CAPTURE_SIZE");
    unsetenv("KJIT_CAPTURE");
}

static void a_folder_that_goes_away_harms_nothing(void **state)
{
    kjit_counters done = { .size = sizeof done };

    (void)state;
    kjit_kernel *kernel = load(copy_text);
    remove_captures();
    right[3] = 33;
    expect_ok(copy_numbers(kernel, COUNT, right));
    assert_int_equal(left[3], 33);
    kjit_count(capturing, &done);
    assert_int_equal(done.capture_failures, 1);
}

static void what_killed_writers_left_goes(void **state)
{
    char path[256], inner[512];
    struct stat info;

    (void)state;
    snprintf(path, sizeof path, "%s/tmp-1-1-abcdef", captures);
    snprintf(inner, sizeof inner, "%s/parts", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    snprintf(inner, sizeof inner, "%s/parts/x.k", path);
    FILE *file = fopen(inner, "w");
    assert_non_null(file);
    fclose(file);
    expect_ok(copy_numbers(load(copy_text), COUNT, right));
    assert_int_not_equal(stat(path, &info), 0);
    assert_int_equal(count_captures(NULL), 1);
}

/* ---- what was damaged ------------------------------------------------------------------------ */

static char launch_folder[256];

static void replace(const char *name, const char *text)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", launch_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_refused(const char *text, const char *part)
{
    kjit_replay *replay = NULL;

    if (text)
        replace("launch.txt", text);
    kjit_status status = kjit_replay_open(launch_folder, &replay);
    kjit_values *values;
    expect_ok(kjit_values_new(&values));
    if (status == KJIT_OK)
        status = kjit_replay_values(replay, 0, values);
    assert_int_not_equal(status, KJIT_OK);
    if (!strstr(kjit_error_message(), part))
        fail_msg("not '%s': %s", part, kjit_error_message());
    kjit_values_close(values);
    kjit_replay_close(replay);
}

static void damage_is_named(void **state)
{
    (void)state;
    expect_ok(copy_numbers(load(copy_text), COUNT, right));
    assert_int_equal(count_captures(launch_folder), 1);
    replace("b.npy", "what");
    expect_refused(NULL, "b.npy: this is no .npy file");
    expect_refused("[launch]\nformat = 1\nkernel = copy\n", "lacks 'file'");
    expect_refused("[launch]\nformat = 2\n", "of a newer kjit: its format is 2");
    expect_refused("[launch]\nformat = 1\ngrid = 1, 0, 1\n", "launch.txt:3: this makes no sense: "
                                                             "'grid'");
    expect_refused("[launch]\nformat = 1\ngrid = 1, 2, 3, 4\n", "'grid'");
    expect_refused("x = 1\n", "launch.txt:1: this stands before any section: 'x'");
    expect_refused("[other]\n", "there is no section '[other]'");
    expect_refused("# fine\n[launch]\nwhat\n", "launch.txt:3: NAME = VALUE is wanted, not 'what'");
    expect_refused("[launch]\n[files]\n../t.k = 0\n", "no file of the folder: '../t.k'");
    expect_refused("[launch]\n[files]\nu.k = 0\n", "u.k'");
    expect_refused("[launch]\nformat = 1\nfile = /etc/t.k\nkernel = k\ngrid = 1\nblock = 1\n"
                   "device = cpu\n[after]\n",
                   "'/etc/t.k' is no file of the folder");
    expect_refused("[launch]\nformat = 1\nfile = t.k\nkernel = k\ngrid = 1\nblock = 1\n"
                   "device = cpu\n[before]\n",
                   "its end is missing");
    expect_refused("[launch]\nformat = 1\nfile = t.k\nkernel = k\ngrid = 1\nblock = 1\n"
                   "device = cpu\n[before]\na = nonsense(3)\n[after]\n",
                   "there is no function 'nonsense'");
    expect_refused("", "it lacks 'format'");
    snprintf(launch_folder, sizeof launch_folder, "%s", "/nowhere");
    expect_refused(NULL, "/nowhere");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_dtype_comes_back),
        TEST(scalars_are_what_they_were),
        TEST(layouts_stay_what_they_were),
        TEST(memory_between_elements_is_not_written_down),
        TEST(arrays_that_share_memory_share_it),
        TEST(an_array_given_twice_is_one),
        TEST(tuples_and_records_come_back),
        TEST(imports_defines_and_options_come_along),
        TEST(a_binary_is_captured_as_it_is),
        TEST(the_library_needs_no_file),
        TEST(the_first_of_its_kind_is_kept),
        TEST(a_prepared_launch_is_captured_when_it_runs),
        TEST(what_a_graph_records_is_not_captured),
        TEST(a_launch_that_fails_is_kept_with_what_was_said),
        TEST(an_edited_text_is_not_captured),
        TEST(records_that_share_bytes_are_not_captured),
        TEST(the_bound_holds_and_is_said_once),
        TEST(a_folder_of_no_use_is_refused),
        TEST(a_folder_that_goes_away_harms_nothing),
        TEST(what_killed_writers_left_goes),
        TEST(damage_is_named),
    };

    return cmocka_run_group_tests_name("capture", tests, open_all, close_all);
}
