/* Arrays given to other libraries and taken from them: DLPack, and Python's dicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlpack/dlpack.h>

#include "tests/unit/library.h"

static double numbers[24];
static int released;

static void count_release(void *data)
{
    released++;
    if (data)
        kjit_array_free(context, data);
}

static kjit_array matrix(void)
{
    for (int i = 0; i < 24; i++)
        numbers[i] = i;
    return kjit_host_array(numbers, KJIT_DTYPE_FLOAT64, 2, (int64_t[]){ 4, 6 });
}

/* ---- DLPack out ------------------------------------------------------------------------- */

static void an_array_goes_out_as_it_lies(void **state)
{
    static const kjit_slice part[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -2), KJIT_SPAN(1, 4) };
    kjit_array array = matrix();
    DLManagedTensor *tensor;

    (void)state;
    expect_ok(kjit_array_slice(&array, part, 2, &array));
    released = 0;
    expect_ok(kjit_to_dlpack(context, &array, count_release, NULL, &tensor));
    assert_ptr_equal(tensor->dl_tensor.data, &numbers[19]);
    assert_int_equal(tensor->dl_tensor.byte_offset, 0);
    assert_int_equal(tensor->dl_tensor.device.device_type, kDLCPU);
    assert_int_equal(tensor->dl_tensor.device.device_id, 0);
    assert_int_equal(tensor->dl_tensor.ndim, 2);
    assert_true(tensor->dl_tensor.shape[0] == 2 && tensor->dl_tensor.shape[1] == 3);
    assert_true(tensor->dl_tensor.strides[0] == -12 && tensor->dl_tensor.strides[1] == 1);
    assert_int_equal(tensor->dl_tensor.dtype.lanes, 1);
    assert_int_equal(released, 0);
    tensor->deleter(tensor);
    assert_int_equal(released, 1);
}

static void every_dtype_has_its_code(void **state)
{
    static const struct {
        kjit_dtype dtype;
        int code, bits;
    } rows[] = {
        { KJIT_DTYPE_BOOL, 6, 8 },
        { KJIT_DTYPE_INT8, kDLInt, 8 },
        { KJIT_DTYPE_INT16, kDLInt, 16 },
        { KJIT_DTYPE_INT32, kDLInt, 32 },
        { KJIT_DTYPE_INT64, kDLInt, 64 },
        { KJIT_DTYPE_UINT8, kDLUInt, 8 },
        { KJIT_DTYPE_UINT16, kDLUInt, 16 },
        { KJIT_DTYPE_UINT32, kDLUInt, 32 },
        { KJIT_DTYPE_UINT64, kDLUInt, 64 },
        { KJIT_DTYPE_FLOAT16, kDLFloat, 16 },
        { KJIT_DTYPE_FLOAT32, kDLFloat, 32 },
        { KJIT_DTYPE_FLOAT64, kDLFloat, 64 },
        { KJIT_DTYPE_BFLOAT16, kDLBfloat, 16 },
        { KJIT_DTYPE_COMPLEX64, kDLComplex, 64 },
        { KJIT_DTYPE_COMPLEX128, kDLComplex, 128 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_array array = kjit_host_array(numbers, rows[i].dtype, 1, (int64_t[]){ 3 }), back;
        DLManagedTensor *tensor;
        expect_ok(kjit_to_dlpack(context, &array, NULL, NULL, &tensor));
        assert_int_equal(tensor->dl_tensor.dtype.code, rows[i].code);
        assert_int_equal(tensor->dl_tensor.dtype.bits, rows[i].bits);
        expect_ok(kjit_from_dlpack(context, tensor, &back));
        assert_memory_equal(&back, &array, sizeof array);
        kjit_dlpack_release(tensor);
    }
}

static void every_layout_comes_back(void **state)
{
    (void)state;
    for (int rank = 0; rank <= KJIT_RANK_MAX; rank++) {
        int64_t shape[KJIT_RANK_MAX] = { 2, 1, 2, 1, 3, 1, 2, 1 };
        kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_FLOAT64, rank, shape), back;
        DLManagedTensor *tensor;
        expect_ok(kjit_array_transpose(&array, NULL, &array));
        expect_ok(kjit_to_dlpack(context, &array, NULL, NULL, &tensor));
        expect_ok(kjit_from_dlpack(context, tensor, &back));
        assert_memory_equal(&back, &array, sizeof array);
        kjit_dlpack_release(tensor);
    }
}

/* The consumer outlives the program's own handle. */
static void memory_may_go_with_the_tensor(void **state)
{
    static kjit_array array;
    kjit_memory_info info = { .size = sizeof info };
    DLManagedTensor *tensor;

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT32, 1, (int64_t[]){ 10 }, NULL, &array));
    expect_ok(kjit_to_dlpack(context, &array, count_release, &array, &tensor));
    expect_ok(kjit_memory_usage(context, &info));
    assert_int_equal(info.arrays, 1);
    kjit_dlpack_release(tensor);
    expect_ok(kjit_memory_usage(context, &info));
    assert_int_equal(info.arrays, 0);
}

static void what_dlpack_cannot_say_is_refused(void **state)
{
    static const kjit_field fields[] = { { "a", KJIT_DTYPE_INT32, NULL, 0, 0, { 0 } },
                                         { "b", KJIT_DTYPE_INT64, NULL, 4, 0, { 0 } } };
    static const kjit_record record = { fields, 2, 12 };
    kjit_array array = kjit_record_array(numbers, &record, 1, (int64_t[]){ 2 }), field;
    DLManagedTensor *tensor;

    (void)state;
    released = 0;
    expect(kjit_to_dlpack(context, &array, count_release, NULL, &tensor), KJIT_ARGUMENT,
           "kjit_array_field()");
    assert_null(tensor);
    expect_ok(kjit_array_field(&array, "b", &field));
    expect(kjit_to_dlpack(context, &field, count_release, NULL, &tensor), KJIT_ARGUMENT,
           "the stride of axis 0 is 12 bytes, and DLPack counts in elements of 8");
    array = kjit_host_array(numbers, KJIT_DTYPE_DATETIME64_ns, 1, (int64_t[]){ 2 });
    expect(kjit_to_dlpack(context, &array, count_release, NULL, &tensor), KJIT_ARGUMENT,
           "DLPack has no datetime64[ns]\nnote: kjit_array_view()");
    array = matrix();
    array.flags = KJIT_READONLY;
    expect(kjit_to_dlpack(context, &array, count_release, NULL, &tensor), KJIT_ARGUMENT,
           "read-only");
    array.data = NULL;
    expect(kjit_to_dlpack(context, &array, count_release, NULL, &tensor), KJIT_ARGUMENT, "NULL");
    assert_int_equal(released, 0);
}

/* ---- DLPack in -------------------------------------------------------------------------- */

static int64_t tensor_shape[] = { 2, 3 }, tensor_strides[] = { 6, -1 };

/* A tensor of another library's. */
static DLManagedTensor foreign(void)
{
    matrix();
    return (DLManagedTensor){ .dl_tensor = { .data = numbers,
                                             .device = { kDLCPU, 0 },
                                             .ndim = 2,
                                             .dtype = { kDLFloat, 64, 1 },
                                             .shape = tensor_shape,
                                             .byte_offset = 16 } };
}

static void a_tensor_comes_in_as_it_lies(void **state)
{
    DLManagedTensor tensor = foreign();
    kjit_array array;

    (void)state;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    assert_ptr_equal(array.data, &numbers[2]);
    assert_true(array.strides[0] == 24 && array.strides[1] == 8 && array.flags == 0);
    tensor.dl_tensor.strides = tensor_strides;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    assert_true(array.strides[0] == 48 && array.strides[1] == -8);
    tensor.dl_tensor.device.device_type = kDLCUDAHost;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    tensor.dl_tensor.device.device_type = kDLCUDAManaged;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    kjit_dlpack_release(&tensor); /* which has no deleter */
    kjit_dlpack_release(NULL);
}

static void a_tensor_is_an_argument_like_any(void **state)
{
    DLManagedTensor tensor = foreign();
    double out[3] = { 0 };
    kjit_array array;

    (void)state;
    tensor.dl_tensor.ndim = 1;
    tensor.dl_tensor.shape++;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    expect_ok(
        KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(32), array, KJIT_ARRAY(out, 3)));
    assert_true(out[0] == 4 && out[1] == 6 && out[2] == 8);
}

#define REFUSED_TENSOR(part, ...)                                                                  \
    do {                                                                                           \
        DLManagedTensor tensor = foreign();                                                        \
        kjit_array array;                                                                          \
        __VA_ARGS__;                                                                               \
        expect(kjit_from_dlpack(context, &tensor, &array), KJIT_ARGUMENT, (part));                 \
        assert_null(array.data);                                                                   \
    } while (0)

static void foreign_tensors_are_refused_with_the_remedy(void **state)
{
    (void)state;
    REFUSED_TENSOR("the tensor is on cuda:1, and the context is one of cpu\nnote: kjit_open()",
                   tensor.dl_tensor.device = (DLDevice){ kDLCUDA, 1 });
    REFUSED_TENSOR("DLPack's type 10, neither", tensor.dl_tensor.device.device_type = kDLROCM);
    REFUSED_TENSOR("vectors of 4 numbers", tensor.dl_tensor.dtype.lanes = 4);
    REFUSED_TENSOR("code 2 and 80 bits", tensor.dl_tensor.dtype.bits = 80);
    REFUSED_TENSOR("code 0 and 4 bits", tensor.dl_tensor.dtype = ((DLDataType){ kDLInt, 4, 1 }));
    REFUSED_TENSOR("code 3 and 64", tensor.dl_tensor.dtype.code = kDLOpaqueHandle);
    REFUSED_TENSOR("9 axes", tensor.dl_tensor.ndim = 9);
    REFUSED_TENSOR("-1 axes", tensor.dl_tensor.ndim = -1);
    REFUSED_TENSOR("2 axes", tensor.dl_tensor.shape = NULL);
    REFUSED_TENSOR("data is NULL", tensor.dl_tensor.data = NULL);
    REFUSED_TENSOR("axis 1 of the tensor has a stride of",
                   tensor.dl_tensor.strides = ((int64_t[]){ 1, INT64_MAX }));
    REFUSED_TENSOR("lead out of any memory",
                   tensor.dl_tensor.strides = ((int64_t[]){ 1, INT64_MAX / 16 }));
    REFUSED_TENSOR("axis 0 of the tensor has -2", tensor.dl_tensor.shape = ((int64_t[]){ -2, 1 }));
}

static void a_tensor_of_nothing_needs_no_data(void **state)
{
    DLManagedTensor tensor = foreign();
    kjit_array array;

    (void)state;
    tensor.dl_tensor.shape = (int64_t[]){ 0, 3 };
    tensor.dl_tensor.data = NULL;
    expect_ok(kjit_from_dlpack(context, &tensor, &array));
    assert_int_equal(array.shape[1], 3);
}

/* ---- Python's dicts ----------------------------------------------------------------------- */

static void expect_text(const kjit_interface *interface, const char *format)
{
    char *text, wanted[512];

    snprintf(wanted, sizeof wanted, format, (unsigned long long)(uintptr_t)interface->data);
    expect_ok(kjit_interface_text(interface, &text));
    assert_string_equal(text, wanted);
    kjit_free(text);
}

static void an_array_is_described_as_numpy_does(void **state)
{
    kjit_array array = matrix();
    kjit_interface interface = { .size = sizeof interface };

    (void)state;
    expect_ok(kjit_array_interface(context, NULL, &array, &interface));
    expect_text(&interface, "{'shape': (4, 6), 'typestr': '<f8', 'data': (%llu, False), "
                            "'strides': None, 'version': 3}");
    expect_ok(kjit_array_transpose(&array, NULL, &array));
    array.flags = KJIT_READONLY;
    array.dtype = KJIT_DTYPE_TIMEDELTA64_us;
    expect_ok(kjit_array_interface(context, NULL, &array, &interface));
    expect_text(&interface, "{'shape': (6, 4), 'typestr': '<m8[us]', 'data': (%llu, True), "
                            "'strides': (8, 48), 'version': 3}");
    interface.stream = 2;
    expect_text(&interface, "{'shape': (6, 4), 'typestr': '<m8[us]', 'data': (%llu, True), "
                            "'strides': (8, 48), 'version': 3, 'stream': 2}");
    array = kjit_host_array(numbers, KJIT_DTYPE_BOOL, 1, (int64_t[]){ 0 });
    expect_ok(kjit_array_interface(context, NULL, &array, &interface));
    expect_text(&interface, "{'shape': (0,), 'typestr': '|b1', 'data': (%llu, False), "
                            "'strides': None, 'version': 3}");
    assert_null(interface.data);
}

static void records_are_described_by_their_fields(void **state)
{
    static const kjit_field fields[] = { { "x", KJIT_DTYPE_FLOAT32, NULL, 0, 1, { 2 } },
                                         { "n", KJIT_DTYPE_INT64, NULL, 16, 0, { 0 } } };
    static const kjit_record record = { fields, 2, 24 };
    kjit_array array = kjit_record_array(numbers, &record, 0, NULL), back;
    kjit_interface interface = { .size = sizeof interface };

    (void)state;
    expect_ok(kjit_array_interface(context, NULL, &array, &interface));
    expect_text(&interface, "{'shape': (), 'typestr': '|V24', 'descr': [('x', '<f4', (2,)), "
                            "('', '|V8'), ('n', '<i8')], 'data': (%llu, False), 'strides': None, "
                            "'version': 3}");
    expect_ok(kjit_interface_array(&interface, 0, &back));
    assert_memory_equal(&back, &array, sizeof back);
    strcpy(interface.typestr, "|V20");
    expect(kjit_interface_array(&interface, 0, &back), KJIT_ARGUMENT,
           "'|V20', and that of the record is '|V24'");
}

static void a_description_is_an_array_again(void **state)
{
    (void)state;
    for (int i = KJIT_DTYPE_BOOL; i <= KJIT_DTYPE_TIMEDELTA64; i++) {
        kjit_array array = kjit_host_array(numbers, (kjit_dtype)i, 2, (int64_t[]){ 1, 2 }), back;
        kjit_interface interface = { .size = sizeof interface };
        if (!kjit_dtype_bytes((kjit_dtype)i))
            continue;
        array.flags = KJIT_ON_DEVICE;
        expect_ok(kjit_array_interface(context, NULL, &array, &interface));
        expect_ok(kjit_interface_array(&interface, KJIT_ON_DEVICE, &back));
        assert_memory_equal(&back, &array, sizeof back);
    }
}

#define REFUSED_DICT(part, ...)                                                                    \
    do {                                                                                           \
        kjit_array array = matrix();                                                               \
        kjit_interface interface = { .size = sizeof interface };                                   \
        expect_ok(kjit_array_interface(context, NULL, &array, &interface));                        \
        __VA_ARGS__;                                                                               \
        expect(kjit_interface_array(&interface, 0, &array), KJIT_ARGUMENT, (part));                \
        assert_null(array.data);                                                                   \
    } while (0)

static void descriptions_of_what_kjit_has_not_are_refused(void **state)
{
    (void)state;
    REFUSED_DICT("mask", interface.has_mask = 1);
    REFUSED_DICT("version 0", interface.version = 0);
    REFUSED_DICT("9 axes", interface.rank = 9);
    REFUSED_DICT("'>f8' is big-endian", strcpy(interface.typestr, ">f8"));
    REFUSED_DICT("'|O8' is of no dtype that kjit has\nnote: kernels have no objects",
                 strcpy(interface.typestr, "|O8"));
    REFUSED_DICT("'<U4' is of no dtype", strcpy(interface.typestr, "<U4"));
    REFUSED_DICT("'|V12' is of no dtype that kjit has\nnote: records",
                 strcpy(interface.typestr, "|V12"));
    REFUSED_DICT("'' is of no dtype", strcpy(interface.typestr, ""));
    REFUSED_DICT("does not end", memset(interface.typestr, 'f', sizeof interface.typestr));
    REFUSED_DICT("data is NULL", interface.data = NULL);
    REFUSED_DICT("axis 1 of the array has -6", interface.shape[1] = -6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_goes_out_as_it_lies),
        cmocka_unit_test(every_dtype_has_its_code),
        cmocka_unit_test(every_layout_comes_back),
        cmocka_unit_test(memory_may_go_with_the_tensor),
        cmocka_unit_test(what_dlpack_cannot_say_is_refused),
        cmocka_unit_test(a_tensor_comes_in_as_it_lies),
        cmocka_unit_test(a_tensor_is_an_argument_like_any),
        cmocka_unit_test(foreign_tensors_are_refused_with_the_remedy),
        cmocka_unit_test(a_tensor_of_nothing_needs_no_data),
        cmocka_unit_test(an_array_is_described_as_numpy_does),
        cmocka_unit_test(records_are_described_by_their_fields),
        cmocka_unit_test(a_description_is_an_array_again),
        cmocka_unit_test(descriptions_of_what_kjit_has_not_are_refused),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
