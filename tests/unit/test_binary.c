/* Kernels compiled ahead of time: what goes into a binary comes out of it, and nothing comes out of
** a damaged one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/binary/binary.h"
#include "tests/unit/library.h"

typedef struct Bytes {
    char *data;
    size_t length;
} Bytes;

static const char *const cpu_only[] = { "cpu" };

static Bytes build_items(const kjit_build_item *items, size_t count, const char *target)
{
    const char *const targets[] = { target };
    kjit_build_options options = {
        .size = sizeof options, .form = "binary", .targets = targets, .target_count = 1
    };
    Bytes made;

    expect_ok(kjit_build(items, count, &options, &made.data, &made.length));
    return made;
}

static Bytes build_one(const char *text, const char *signature)
{
    kjit_build_item item = { .kernel = kernel_of(text), .signature = signature };

    return build_items(&item, 1, "cpu");
}

static kjit_kernel *load_from(kjit_context *from, Bytes bytes)
{
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    expect_ok(kjit_load_binary(from, bytes.data, bytes.length, "t.kjit", &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    kjit_free(bytes.data);
    return kernel;
}

static kjit_kernel *load(Bytes bytes)
{
    return load_from(context, bytes);
}

/* ---- what comes out ------------------------------------------------------------------------ */

static void a_binary_runs_without_a_compiler(void **state)
{
    Bytes bytes = build_one(double_text, "twice(float32[::1], float32[::1])");
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    float a[4] = { 1, 2, 3, 4 }, b[4] = { 0 };
    kjit_context *bare;

    (void)state;
    setenv("KJIT_CC", "/nonexistent", 1);
    expect_ok(kjit_open(&options, &bare));
    unsetenv("KJIT_CC");
    kjit_kernel *kernel = load_from(bare, bytes);
    assert_string_equal(kjit_kernel_name(kernel), "twice");
    assert_string_equal(kjit_param_name(kernel, 1), "b");
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_CONST_ARRAY(a, 4), KJIT_ARRAY(b, 4)));
    for (int i = 0; i < 4; i++)
        assert_float_equal(b[i], 2 * a[i], 0);
    kjit_close(bare);
}

static void other_types_are_told_which_there_are(void **state)
{
    kjit_kernel *kernel = load(build_one(double_text, "twice(float32[::1], float32[::1])"));
    double a[4] = { 0 };

    (void)state;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4)),
           KJIT_ARGUMENT, "twice(float64[::1], float64[::1])");
    assert_non_null(strstr(kjit_error_message(), "note: there is twice(float32[::1], "));
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4)), KJIT_ARGUMENT,
           "takes 2 arguments");
}

static void strides_in_the_types_take_every_layout(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(a, b):\n"
                               "    i, j = cuda.grid(2)\n"
                               "    b[j, i] = 10 * a[j, i]\n";
    kjit_kernel *kernel = load(build_one(text, "k(int32[:, :], int32[::1, :])"));
    int32_t from[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, to[6];
    kjit_array rows = kjit_host_array(from, KJIT_DTYPE_INT32, 2, (int64_t[]){ 2, 3 });
    kjit_array apart = rows, columns = kjit_host_array(to, KJIT_DTYPE_INT32, 2, rows.shape);

    (void)state;
    apart.strides[0] = 24, apart.strides[1] = 8;
    columns.strides[0] = 4, columns.strides[1] = 8;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(3, 2), rows, columns));
    assert_memory_equal(to, ((int32_t[]){ 0, 30, 10, 40, 20, 50 }), sizeof to);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(3, 2), apart, columns));
    assert_memory_equal(to, ((int32_t[]){ 0, 60, 20, 80, 40, 100 }), sizeof to);
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(3, 2), rows, rows), KJIT_ARGUMENT,
           "no matching definition");
    /* One column is laid out both ways. */
    rows.shape[1] = columns.shape[1] = 1;
    rows.strides[0] = 4;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1, 2), rows, rows));
    assert_int_equal(from[1], 10);
}

static void arrays_in_tuples_and_records_find_their_own(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(t, r):\n"
                               "    t[0][0] = r[0].x + t[1]\n";
    static const kjit_field fields[] = { { .name = "x", .dtype = KJIT_DTYPE_INT32 } };
    static const kjit_field others[] = { { .name = "y", .dtype = KJIT_DTYPE_INT32 } };
    kjit_record record = { fields, 1, 4 }, other = { others, 1, 4 };
    int32_t values[2] = { 7, 0 };
    int64_t one = 1;
    kjit_array array = kjit_record_array(values, &record, 1, &one);
    kjit_kernel *source = kernel_of(text);
    kjit_arg args[2] = { KJIT_TUPLE(KJIT_ARRAY(values + 1, 1), 5), kjit_arg_array(array) };
    kjit_build_item item = { .kernel = source, .args = args, .arg_count = 2 };
    kjit_kernel *kernel = load(build_items(&item, 1, "cpu"));

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), args[0], args[1]));
    assert_int_equal(values[1], 12);
    args[1].as.array.record = &other;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), args[0], args[1]), KJIT_ARGUMENT,
           "no matching definition");
    args[1].as.array.record = &record;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1),
                     KJIT_TUPLE(KJIT_CONST_ARRAY(values, 1), 5), args[1]),
           KJIT_ARGUMENT, "no matching definition");
}

static void what_a_launch_asks_about_is_there(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit(launch_bounds=64)\n"
                               "def k(a, n):\n"
                               "    i, j = cuda.grid(2)\n"
                               "    assert i < n, i\n"
                               "    a[j, i] += 1\n";
    kjit_load_options debug = { .size = sizeof debug, .debug = 1 };
    kjit_build_item item = { .kernel = kernel_with(text, &debug),
                             .signature = "k(int32[:, ::1], int64)" };
    kjit_kernel *kernel = load(build_items(&item, 1, "cpu"));
    int32_t a[4] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 2, 2), kjit_arg_int64(1) };
    uint32_t access[2];
    int axes;

    (void)state;
    expect_ok(kjit_access(kernel, args, 2, access));
    assert_int_equal(access[0], KJIT_READS | KJIT_WRITES);
    assert_int_equal(access[1], 0);
    expect_ok(kjit_axes(kernel, args, 2, &axes));
    assert_int_equal(axes, 2);
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2, 2), args[0], args[1]), KJIT_FAULT,
           "t.k:5:");
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(65), args[0], args[1]), KJIT_ARGUMENT,
           "launch_bounds");
    args[0].as.array.flags = KJIT_READONLY;
    expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), args[0], args[1]), KJIT_ARGUMENT,
           "read-only");
}

static void a_kernel_of_a_binary_has_no_source(void **state)
{
    kjit_kernel *kernel = load(build_one(double_text, "twice(float32[::1], float32[::1])"));
    kjit_emit_options emit = { .size = sizeof emit, .stage = "ir" };
    kjit_build_item item = { .kernel = kernel };
    kjit_build_options build = { .size = sizeof build, .form = "binary" };
    kjit_values *values;
    char *data;
    size_t length;

    (void)state;
    expect(kjit_emit(kernel, &emit, &data, &length), KJIT_UNSUPPORTED, "binary");
    expect(kjit_build(&item, 1, &build, &data, &length), KJIT_UNSUPPORTED, "binary");
    expect(kjit_replace_text(kernel, NULL, 0, "c", "", "x.c"), KJIT_UNSUPPORTED, "binary");
    assert_null(kjit_kernel_doc(kernel));
    expect_ok(kjit_values_new(&values));
    expect(kjit_values_example(values, kernel), KJIT_ARGUMENT, "@example");
    kjit_values_constants(values, kernel->module);
    expect(kjit_values_set(values, "a", "SIZE", NULL), KJIT_ARGUMENT, "SIZE");
    kjit_values_close(values);
}

/* ---- several ------------------------------------------------------------------------------- */

static void several_kernels_and_signatures_share_a_binary(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def fill(a, value):\n"
                               "    a[cuda.grid(1)] = value\n"
                               "@cuda.jit('void(int32[::1])')\n"
                               "def count(a):\n"
                               "    a[cuda.grid(1)] = cuda.grid(1)\n";
    kjit_module *module;
    kjit_kernel *fill, *count;
    int32_t ints[3];
    float floats[3];

    (void)state;
    expect_ok(kjit_load_source(context, text, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, "fill", &fill));
    expect_ok(kjit_get_kernel(module, "count", &count));
    const kjit_build_item items[] = {
        { .kernel = fill, .signature = "fill(int32[::1], int32)" },
        { .kernel = count },
        { .kernel = fill, .signature = "void(float32[::1], float32)" },
        { .kernel = fill, .signature = "(int32[::1], int32)" },
    };
    Bytes bytes = build_items(items, 4, "cpu:native");
    expect_ok(kjit_load_binary(context, bytes.data, bytes.length, "t.kjit", &module));
    kjit_free(bytes.data);
    assert_int_equal(kjit_kernel_count(module), 2);
    expect_ok(kjit_get_kernel(module, "fill", &fill));
    expect_ok(kjit_get_kernel(module, "count", &count));
    expect_ok(KJIT_CALL(fill, KJIT_GRID(1), KJIT_BLOCK(3), KJIT_ARRAY(ints, 3), 4));
    expect_ok(KJIT_CALL(fill, KJIT_GRID(1), KJIT_BLOCK(3), KJIT_ARRAY(floats, 3), 0.5f));
    assert_int_equal(ints[2], 4);
    assert_float_equal(floats[2], 0.5, 0);
    expect_ok(KJIT_CALL(count, KJIT_GRID(1), KJIT_BLOCK(3), KJIT_ARRAY(ints, 3)));
    assert_int_equal(ints[2], 2);
    int specialisations = 0;
    for (const Specialisation *spec = atomic_load(&fill->ready); spec; spec = spec->next)
        specialisations++;
    assert_int_equal(specialisations, 2);
}

static void the_objects_of_many_are_not_confused(void **state)
{
    enum { MANY = 40 };

    (void)state;
    for (int i = 0; i < MANY; i++) {
        char text[200];
        int32_t a = -1;
        snprintf(text, sizeof text, "from numba import cuda\n@cuda.jit\ndef k(a):\n    a[0] = %d\n",
                 i % 4);
        kjit_kernel *kernel = load(build_one(text, "k(int32[::1])"));
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(&a, 1)));
        assert_int_equal(a, i % 4);
        if (i % 3)
            kjit_close_module(kernel->module);
    }
}

static void an_embedded_binary_is_loaded_once(void **state)
{
    Bytes bytes = build_one(double_text, "twice(float32[::1], float32[::1])");
    Bytes other = build_one(double_text, "twice(int32[::1], int32[::1])");
    kjit_kernel *first, *second;

    (void)state;
    expect_ok(kjit_embedded_kernel(context, bytes.data, bytes.length, "twice", &first));
    expect_ok(kjit_embedded_kernel(context, bytes.data, bytes.length, "twice", &second));
    assert_ptr_equal(first, second);
    expect(kjit_embedded_kernel(context, bytes.data, bytes.length, "thrice", &second),
           KJIT_ARGUMENT, "thrice");
    assert_null(second);
    /* Another one in its place is another one. */
    Bytes place = { memory_alloc(bytes.length + other.length), other.length };
    memcpy(place.data, bytes.data, bytes.length);
    expect_ok(kjit_embedded_kernel(context, place.data, bytes.length, "twice", &first));
    memcpy(place.data, other.data, other.length);
    expect_ok(kjit_embedded_kernel(context, place.data, other.length, "twice", &second));
    assert_ptr_not_equal(first, second);
    expect(kjit_embedded_kernel(context, place.data, BINARY_HEADER - 1, "twice", &second),
           KJIT_FILE, "cut short");
    memory_free(place.data);
    kjit_free(bytes.data);
    kjit_free(other.data);
}

/* ---- what does not fit --------------------------------------------------------------------- */

static int fits(const char *target, const char *arch)
{
    static const DeviceOps gpu = { .dialect = DIALECT_CUDA };
    Device device = { .ops = &gpu };
    BinaryImage image = { .target = target, .machine = "" };

    snprintf(device.arch, sizeof device.arch, "%s", arch);
    return target_fits(&image, &device);
}

static void a_gpu_takes_the_nearest_code(void **state)
{
    (void)state;
    assert_true(fits("sm_86", "sm_86") > fits("sm_80", "sm_86"));
    assert_true(fits("sm_80", "sm_86") > fits("compute_86", "sm_86"));
    assert_true(fits("compute_80", "sm_90") > fits("compute_75", "sm_90"));
    assert_true(fits("sm_90a", "sm_90") > fits("sm_90", "sm_90"));
    assert_true(fits("sm_100f", "sm_103") > 0);
    assert_true(fits("compute_75", "sm_120") > 0);
    assert_int_equal(fits("sm_86", "sm_80"), 0);
    assert_int_equal(fits("sm_80", "sm_90"), 0);
    assert_int_equal(fits("sm_90a", "sm_91"), 0);
    assert_int_equal(fits("sm_100f", "sm_110"), 0);
    assert_int_equal(fits("compute_90", "sm_89"), 0);
    assert_int_equal(fits("compute_90a", "sm_100"), 0);
    assert_int_equal(fits("cpu", "sm_90"), 0);
}

static void what_is_no_target_is_refused(void **state)
{
    static const char *const wrong[] = { "",        "sm_",    "sm_9",    "sm_90x",     "sm_90aa",
                                         "compute", "cpu:",   "cpu:386", "gpu",        "sm_99999",
                                         "SM_90",   "cpuarm", "sm_-90",  "compute_90 " };
    kjit_build_item item = { .kernel = kernel_of(double_text),
                             .signature = "twice(float32[::1], float32[::1])" };
    char *data;
    size_t length;
    CodeTarget target;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        kjit_build_options options = {
            .size = sizeof options, .form = "binary", .targets = &wrong[i], .target_count = 1
        };
        assert_false(target_read(wrong[i], &target));
        expect(kjit_build(&item, 1, &options, &data, &length), KJIT_ARGUMENT, "no target");
        assert_null(data);
    }
    kjit_build_options options = { .size = sizeof options, .form = "tarball" };
    expect(kjit_build(&item, 1, &options, &data, &length), KJIT_ARGUMENT, "tarball");
    options.form = "c-header";
    expect(kjit_build(&item, 1, &options, &data, &length), KJIT_ARGUMENT, "name");
    options.form = "binary";
    options.targets = cpu_only, options.target_count = 1;
    expect(kjit_build(NULL, 0, &options, &data, &length), KJIT_ARGUMENT, "0 kernels");
    item.signature = "twice(float32[::1])";
    expect(kjit_build(&item, 1, &options, &data, &length), KJIT_ARGUMENT, "1 type for the 2");
}

static void another_processor_s_code_is_not_run(void **state)
{
    kjit_build_item item = { .kernel = kernel_of(double_text),
                             .signature = "twice(float32[::1], float32[::1])" };
    Bytes bytes = build_items(&item, 1, "cpu:native");
    char *model =
        memmem(bytes.data, bytes.length, context->device->model, strlen(context->device->model));
    kjit_module *module;

    (void)state;
    assert_non_null(model);
    *model ^= 1;
    binary_seal(bytes.data, bytes.length);
    expect(kjit_load_binary(context, bytes.data, bytes.length, "t.kjit", &module), KJIT_NO_DEVICE,
           "it has cpu:native");
    kjit_free(bytes.data);
}

/* ---- damage -------------------------------------------------------------------------------- */

static kjit_status try_load(Bytes bytes)
{
    kjit_module *module;
    kjit_status status = kjit_load_binary(context, bytes.data, bytes.length, "t.kjit", &module);

    kjit_close_module(module);
    return status;
}

static void damage_is_found(void **state)
{
    Bytes bytes = build_one(double_text, "twice(float32[::1], float32[::1])");

    (void)state;
    for (size_t i = 0; i < bytes.length; i += 1 + i / 40) {
        bytes.data[i] ^= 4;
        expect(try_load(bytes), KJIT_FILE, "t.kjit");
        bytes.data[i] ^= 4;
    }
    for (size_t length = 0; length < bytes.length; length += 1 + length / 10)
        expect(try_load((Bytes){ bytes.data, length }), KJIT_FILE, "t.kjit");
    expect_ok(try_load(bytes));
    kjit_free(bytes.data);
}

static void another_version_is_named(void **state)
{
    Bytes bytes = build_one(double_text, "twice(float32[::1], float32[::1])");

    (void)state;
    bytes.data[8]++;
    binary_seal(bytes.data, bytes.length);
    expect(try_load(bytes), KJIT_FILE, "of format 5, and kjit");
    kjit_free(bytes.data);
}

typedef struct Reading {
    Bytes bytes;
    Binary binary;
} Reading;

static kjit_status read_all_of_it(void *data, Arena *arena)
{
    Reading *reading = data;

    return binary_read(arena, reading->bytes.data, reading->bytes.length, "t.kjit",
                       &reading->binary);
}

/* Whoever makes damage with a right checksum means it. The machine code is left out: a binary's own
** is run by who trusts it. */
static void no_bytes_lead_the_reader_astray(void **state)
{
    enum { FLIPS = 6000 };
    Bytes bytes = build_one(double_text, "twice(float32[::1], float32[::1])");
    size_t facts = (size_t)((char *)memmem(bytes.data, bytes.length,
                                           "\x7f"
                                           "ELF",
                                           4) -
                            bytes.data);
    uint64_t random = 88172645463325252u;
    int refused = 0;

    (void)state;
    /* Its end, too, must be where sanitizers watch. */
    char *copy = memory_alloc(bytes.length);
    for (int i = 0; i < FLIPS; i++) {
        memcpy(copy, bytes.data, bytes.length);
        for (int flips = 1 + i % 3; flips--;) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            size_t at = BINARY_HEADER + random % (facts - BINARY_HEADER);
            copy[at] = (char)(i % 2 ? copy[at] ^ 1 << (random >> 60 & 7) : (int)(random >> 50));
        }
        Reading reading = { .bytes = { copy, bytes.length } };
        binary_seal(copy, bytes.length);
        kjit_status status = arena_run(read_all_of_it, &reading);
        assert_true(status == KJIT_OK || status == KJIT_FILE);
        refused += status == KJIT_FILE;
    }
    assert_in_range(refused, FLIPS / 4, FLIPS);
    for (size_t length = BINARY_HEADER; length < bytes.length; length += 1 + length / 20) {
        char *cut = memory_alloc(length);
        memcpy(cut, bytes.data, length);
        binary_seal(cut, length);
        expect(try_load((Bytes){ cut, length }), KJIT_FILE, "do not fit together");
        memory_free(cut);
    }
    memory_free(copy);
    kjit_free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_runs_without_a_compiler),
        cmocka_unit_test(other_types_are_told_which_there_are),
        cmocka_unit_test(strides_in_the_types_take_every_layout),
        cmocka_unit_test(arrays_in_tuples_and_records_find_their_own),
        cmocka_unit_test(what_a_launch_asks_about_is_there),
        cmocka_unit_test(a_kernel_of_a_binary_has_no_source),
        cmocka_unit_test(several_kernels_and_signatures_share_a_binary),
        cmocka_unit_test(the_objects_of_many_are_not_confused),
        cmocka_unit_test(an_embedded_binary_is_loaded_once),
        cmocka_unit_test(a_gpu_takes_the_nearest_code),
        cmocka_unit_test(what_is_no_target_is_refused),
        cmocka_unit_test(another_processor_s_code_is_not_run),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(another_version_is_named),
        cmocka_unit_test(no_bytes_lead_the_reader_astray),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
