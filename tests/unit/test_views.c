/* Views of arrays, against NumPy's rules: what each element of a view is found by its index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"
#include "runtime/array/array.h"

/* Elements that say where they are: 0, 1, 2 and so on, row by row. */
static int32_t grid[2 * 3 * 4];

static kjit_array grid_array(void)
{
    for (int i = 0; i < (int)ARRAY_COUNT(grid); i++)
        grid[i] = i;
    return kjit_host_array(grid, KJIT_DTYPE_INT32, 3, (int64_t[]){ 2, 3, 4 });
}

/* "2,3: 0 4 8 ..." */
static const char *text_of(const kjit_array *array)
{
    static char text[1024];
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < array->rank; i++)
        used += (size_t)sprintf(text + used, i ? ",%lld" : "%lld", (long long)array->shape[i]);
    used += (size_t)sprintf(text + used, ":");
    for (uint64_t i = 0; i < kjit_array_count(array); i++) {
        const char *at = array->data;
        uint64_t left = i;
        int32_t value;
        for (int axis = array->rank; axis-- > 0; left /= (uint64_t)array->shape[axis])
            at += (int64_t)(left % (uint64_t)array->shape[axis]) * array->strides[axis];
        memcpy(&value, at, sizeof value);
        used += (size_t)sprintf(text + used, " %d", value);
    }
    return text;
}

static void expect_view(const kjit_array *view, const char *wanted)
{
    if (strcmp(text_of(view), wanted) != 0)
        fail_msg("%s\nnot %s", text_of(view), wanted);
}

#define SLICED(wanted, ...)                                                                        \
    do {                                                                                           \
        const kjit_slice slices[] = { __VA_ARGS__ };                                               \
        kjit_array from = grid_array(), view;                                                      \
        expect_ok(kjit_array_slice(&from, slices, ARRAY_COUNT(slices), &view));                    \
        expect_view(&view, (wanted));                                                              \
    } while (0)

static void slices_are_pythons(void **state)
{
    (void)state;
    SLICED("3,4: 12 13 14 15 16 17 18 19 20 21 22 23", KJIT_AT(1));
    SLICED("3,4: 12 13 14 15 16 17 18 19 20 21 22 23", KJIT_AT(-1));
    SLICED("2,4: 8 9 10 11 20 21 22 23", KJIT_ALL, KJIT_AT(2));
    SLICED(": 23", KJIT_AT(1), KJIT_AT(-1), KJIT_AT(3));
    SLICED("2,3,2: 1 2 5 6 9 10 13 14 17 18 21 22", KJIT_REST, KJIT_SPAN(1, 3));
    SLICED("2,3,1: 3 7 11 15 19 23", KJIT_REST, KJIT_SPAN(-1, KJIT_OMIT));
    SLICED("4: 3 2 1 0", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -1));
    SLICED("2: 3 1", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -2));
    SLICED("2: 0 3", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(0, 100, 3));
    SLICED("2: 2 1", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(2, 0, -1));
    SLICED("3: 2 1 0", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(2, -100, -1));
    SLICED("0:", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(2, -1, -1));
    SLICED("0:", KJIT_AT(0), KJIT_AT(0), KJIT_SPAN(3, 1));
    SLICED("0:", KJIT_AT(0), KJIT_AT(0), KJIT_SPAN(100, 200));
    SLICED("1: 0", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(KJIT_OMIT, KJIT_OMIT, INT64_MAX));
    SLICED("1: 3", KJIT_AT(0), KJIT_AT(0), KJIT_STEP(KJIT_OMIT, KJIT_OMIT, INT64_MIN));
    SLICED("4: 0 1 2 3", KJIT_AT(0), KJIT_AT(0), KJIT_SPAN(INT64_MIN + 1, INT64_MAX));
    SLICED("1,3,1,1: 1 5 9", KJIT_NEW_AXIS, KJIT_AT(0), KJIT_REST, KJIT_SPAN(1, 2), KJIT_NEW_AXIS);
    SLICED("2,4: 0 1 2 3 12 13 14 15", KJIT_REST, KJIT_AT(0), KJIT_ALL);
}

static void slices_of_slices_add_up(void **state)
{
    static const kjit_slice odd[] = { KJIT_STEP(1, KJIT_OMIT, 2) };
    static const kjit_slice back[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -1) };
    kjit_array array = kjit_host_array(grid, KJIT_DTYPE_INT32, 1, (int64_t[]){ 24 });

    (void)state;
    grid_array();
    expect_ok(kjit_array_slice(&array, odd, 1, &array));
    expect_ok(kjit_array_slice(&array, odd, 1, &array));
    expect_ok(kjit_array_slice(&array, back, 1, &array));
    expect_view(&array, "6: 23 19 15 11 7 3");
    assert_int_equal(array.strides[0], -16);
}

#define REFUSED_SLICE(part, ...)                                                                   \
    do {                                                                                           \
        const kjit_slice slices[] = { __VA_ARGS__ };                                               \
        kjit_array from = grid_array(), view;                                                      \
        expect(kjit_array_slice(&from, slices, ARRAY_COUNT(slices), &view), KJIT_ARGUMENT,         \
               (part));                                                                            \
        assert_null(view.data);                                                                    \
    } while (0)

static void slices_that_are_wrong_name_axis_and_value(void **state)
{
    (void)state;
    REFUSED_SLICE("index 3 is outside of axis 1, which has 3 elements", KJIT_ALL, KJIT_AT(3));
    REFUSED_SLICE("index -5 is outside of axis 2, which has 4", KJIT_REST, KJIT_AT(-5));
    REFUSED_SLICE("index -9223372036854775808 is outside of axis 0", KJIT_AT(INT64_MIN));
    REFUSED_SLICE("the step of the slice of axis 1 is 0", KJIT_ALL, KJIT_STEP(0, 1, 0));
    REFUSED_SLICE("4 slices for an array of 3 axes", KJIT_ALL, KJIT_ALL, KJIT_ALL, KJIT_ALL);
    REFUSED_SLICE("KJIT_REST can stand once", KJIT_REST, KJIT_REST);
    REFUSED_SLICE("slice 1 is of no kind (77)", KJIT_ALL, { (kjit_slice_kind)77, 0, 0, 0 });
    REFUSED_SLICE("more than 8 axes", KJIT_NEW_AXIS, KJIT_NEW_AXIS, KJIT_NEW_AXIS, KJIT_NEW_AXIS,
                  KJIT_NEW_AXIS, KJIT_NEW_AXIS);
}

static void axes_change_places(void **state)
{
    kjit_array from = grid_array(), view;

    (void)state;
    expect_ok(kjit_array_transpose(&from, NULL, &view));
    expect_view(&view, "4,3,2: 0 12 4 16 8 20 1 13 5 17 9 21 2 14 6 18 10 22 3 15 7 19 11 23");
    assert_true(kjit_array_is_contiguous(&view, 1));
    assert_false(kjit_array_is_contiguous(&view, 0));
    expect_ok(kjit_array_transpose(&from, (int32_t[]){ 1, 0, -1 }, &view));
    expect_view(&view, "3,2,4: 0 1 2 3 12 13 14 15 4 5 6 7 16 17 18 19 8 9 10 11 20 21 22 23");
    expect(kjit_array_transpose(&from, (int32_t[]){ 1, 0, 1 }, &view), KJIT_ARGUMENT,
           "axis 1 is named twice");
    expect(kjit_array_transpose(&from, (int32_t[]){ 1, 0, 3 }, &view), KJIT_ARGUMENT,
           "there is no axis 3: the array has 3");
}

static void axes_of_one_come_and_go(void **state)
{
    kjit_array array = grid_array(), view;

    (void)state;
    expect_ok(kjit_array_expand(&array, 0, &array));
    expect_ok(kjit_array_expand(&array, -1, &array));
    assert_int_equal(array.rank, 5);
    assert_true(array.shape[0] == 1 && array.shape[4] == 1 && array.shape[3] == 4);
    expect(kjit_array_squeeze(&array, (int32_t[]){ 0, 1 }, 2, &view), KJIT_ARGUMENT,
           "axis 1 has 2 elements");
    expect(kjit_array_squeeze(&array, (int32_t[]){ -6 }, 1, &view), KJIT_ARGUMENT,
           "no axis -6: the array has 5");
    expect_ok(kjit_array_squeeze(&array, (int32_t[]){ -1 }, 1, &view));
    assert_int_equal(view.rank, 4);
    expect_ok(kjit_array_squeeze(&array, NULL, 0, &view));
    assert_int_equal(view.rank, 3);
    expect(kjit_array_expand(&array, 7, &view), KJIT_ARGUMENT, "no axis 7");
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_array_expand(&array, 1, &array));
    expect(kjit_array_expand(&array, 0, &view), KJIT_ARGUMENT, "more than 8 axes");
}

static kjit_status reshape(const kjit_array *from, kjit_array *view, int rank, const int64_t *shape)
{
    return kjit_array_reshape(from, rank, shape, view);
}

static void shapes_change_where_no_copy_is_needed(void **state)
{
    kjit_array from = grid_array(), view, part;
    static const kjit_slice head[] = { KJIT_ALL, KJIT_SPAN(0, 2) };
    static const kjit_slice back[] = { KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -1) };

    (void)state;
    expect_ok(reshape(&from, &view, 2, (int64_t[]){ 6, -1 }));
    assert_true(view.shape[1] == 4 && view.strides[0] == 16);
    expect_ok(reshape(&from, &view, 1, (int64_t[]){ -1 }));
    assert_true(view.shape[0] == 24 && view.strides[0] == 4);
    expect_ok(reshape(&from, &view, 6, (int64_t[]){ 1, 2, 1, 12, 1, 1 }));
    expect_ok(reshape(&view, &view, 3, (int64_t[]){ 4, 3, 2 }));
    assert_true(kjit_array_is_contiguous(&view, 0));
    /* Rows with gaps between them: within a row and over rows, not both. */
    expect_ok(kjit_array_slice(&from, head, 2, &part));
    expect_ok(reshape(&part, &view, 4, (int64_t[]){ 2, 4, 1, 2 }));
    expect_view(&view, "2,4,1,2: 0 1 2 3 4 5 6 7 12 13 14 15 16 17 18 19");
    expect_ok(reshape(&part, &view, 2, (int64_t[]){ -1, 8 }));
    expect(reshape(&part, &view, 1, (int64_t[]){ 16 }), KJIT_ARGUMENT, "only as a copy");
    assert_null(view.data);
    /* Backwards, and the same thing again and again. */
    expect_ok(reshape(&from, &view, 1, (int64_t[]){ 24 }));
    expect_ok(kjit_array_slice(&view, back, 1, &view));
    expect_ok(reshape(&view, &view, 2, (int64_t[]){ 12, 2 }));
    assert_true(view.strides[0] == -8 && view.strides[1] == -4);
    expect_ok(kjit_array_transpose(&from, NULL, &view));
    expect(reshape(&view, &view, 1, (int64_t[]){ -1 }), KJIT_ARGUMENT, "only as a copy");
    from = kjit_host_array(grid, KJIT_DTYPE_INT32, 0, NULL);
    expect_ok(reshape(&from, &view, 2, (int64_t[]){ 1, 1 }));
    expect_ok(reshape(&view, &view, 0, NULL));
    expect_view(&view, ": 0");
}

static void shapes_that_do_not_fit_are_refused(void **state)
{
    kjit_array from = grid_array(), view;

    (void)state;
    expect(reshape(&from, &view, 2, (int64_t[]){ 5, -1 }), KJIT_ARGUMENT, "the array's 24");
    expect(reshape(&from, &view, 2, (int64_t[]){ -1, -1 }), KJIT_ARGUMENT, "more than one -1");
    expect(reshape(&from, &view, 2, (int64_t[]){ INT64_MAX, 2 }), KJIT_ARGUMENT, "24");
    expect(reshape(&from, &view, 9, NULL), KJIT_ARGUMENT, "0 to 8 axes, not 9");
    expect(reshape(&from, &view, -1, NULL), KJIT_ARGUMENT, "not -1");
    from.shape[0] = 0;
    expect_ok(reshape(&from, &view, 2, (int64_t[]){ 0, 100 }));
    expect(reshape(&from, &view, 2, (int64_t[]){ 0, -1 }), KJIT_ARGUMENT, "0, or");
}

static void elements_are_repeated_without_memory(void **state)
{
    kjit_array row = kjit_host_array(grid, KJIT_DTYPE_INT32, 2, (int64_t[]){ 1, 3 }), view;

    (void)state;
    grid_array();
    expect_ok(kjit_array_broadcast(&row, 3, (int64_t[]){ 2, 2, 3 }, &view));
    expect_view(&view, "2,2,3: 0 1 2 0 1 2 0 1 2 0 1 2");
    assert_true(view.flags & KJIT_READONLY);
    expect_ok(kjit_array_broadcast(&row, 2, (int64_t[]){ 0, 3 }, &view));
    assert_int_equal(kjit_array_count(&view), 0);
    expect(kjit_array_broadcast(&row, 2, (int64_t[]){ 2, 6 }, &view), KJIT_ARGUMENT,
           "axis 1 has 3 elements, which cannot become 6");
    expect(kjit_array_broadcast(&row, 1, (int64_t[]){ 3 }, &view), KJIT_ARGUMENT,
           "2 axes cannot be broadcast to 1");
    expect(kjit_array_broadcast(&row, 3, (int64_t[]){ -1, 1, 3 }, &view), KJIT_ARGUMENT,
           "axis 0 of the view has -1");
    expect(kjit_array_broadcast(&row, 3, (int64_t[]){ INT64_MAX, 9, 3 }, &view), KJIT_ARGUMENT,
           "larger than any memory");
    expect(kjit_array_broadcast(&row, 9, (int64_t[]){ 0 }, &view), KJIT_ARGUMENT, "not 9");
}

static void bytes_are_seen_as_other_dtypes(void **state)
{
    kjit_array from = grid_array(), view;
    static const kjit_slice rows[] = { KJIT_ALL, KJIT_STEP(KJIT_OMIT, KJIT_OMIT, 2) };
    static const kjit_slice gaps[] = { KJIT_REST, KJIT_STEP(KJIT_OMIT, KJIT_OMIT, 3) };
    static const kjit_slice three[] = { KJIT_REST, KJIT_SPAN(0, 3) };

    (void)state;
    expect_ok(kjit_array_view(&from, KJIT_DTYPE_INT16, NULL, &view));
    assert_true(view.shape[2] == 8 && view.strides[2] == 2 && view.strides[1] == 16);
    expect_ok(kjit_array_view(&view, KJIT_DTYPE_COMPLEX128, NULL, &view));
    assert_true(view.shape[2] == 1 && view.strides[2] == 16);
    /* Only the last axis must be whole. */
    expect_ok(kjit_array_slice(&from, rows, 2, &view));
    expect_ok(kjit_array_view(&view, KJIT_DTYPE_FLOAT64, NULL, &view));
    assert_true(view.shape[1] == 2 && view.shape[2] == 2 && view.strides[1] == 32);
    expect_ok(kjit_array_slice(&from, gaps, 2, &view));
    expect_ok(kjit_array_view(&view, KJIT_DTYPE_FLOAT32, NULL, &view));
    expect(kjit_array_view(&view, KJIT_DTYPE_INT8, NULL, &view), KJIT_ARGUMENT,
           "axis 2, the last, do not follow one another (stride 12)");
    expect_ok(kjit_array_slice(&from, three, 2, &view));
    expect(kjit_array_view(&view, KJIT_DTYPE_INT64, NULL, &view), KJIT_ARGUMENT,
           "the 12 bytes of axis 2, the last, are no whole number of elements of 8");
    expect(kjit_array_view(&from, KJIT_DTYPE_RECORD, NULL, &view), KJIT_ARGUMENT, "without");
    expect(kjit_array_view(&from, (kjit_dtype)60, NULL, &view), KJIT_ARGUMENT, "dtype 60");
    from.rank = 0;
    expect_ok(kjit_array_view(&from, KJIT_DTYPE_UINT32, NULL, &view));
    expect(kjit_array_view(&from, KJIT_DTYPE_INT8, NULL, &view), KJIT_ARGUMENT,
           "one element of 4 bytes, not 1");
}

typedef struct Point {
    int32_t at[2];
    int32_t weight;
} Point;

static const kjit_field point_fields[] = {
    { "at", KJIT_DTYPE_INT32, NULL, offsetof(Point, at), 1, { 2 } },
    { "weight", KJIT_DTYPE_INT32, NULL, offsetof(Point, weight), 0, { 0 } },
};
static const kjit_record point = { point_fields, 2, sizeof(Point) };

static void fields_are_arrays(void **state)
{
    kjit_array numbers = grid_array(), points, view;

    (void)state;
    expect_ok(reshape(&numbers, &numbers, 2, (int64_t[]){ 8, 3 }));
    expect_ok(kjit_array_view(&numbers, KJIT_DTYPE_RECORD, &point, &points));
    assert_true(points.shape[0] == 8 && points.shape[1] == 1);
    expect_ok(kjit_array_squeeze(&points, NULL, 0, &points));
    expect_ok(kjit_array_field(&points, "weight", &view));
    expect_view(&view, "8: 2 5 8 11 14 17 20 23");
    expect_ok(kjit_array_field(&points, "at", &view));
    expect_view(&view, "8,2: 0 1 3 4 6 7 9 10 12 13 15 16 18 19 21 22");
    expect(kjit_array_field(&points, "mass", &view), KJIT_ARGUMENT, "no field 'mass'");
    expect(kjit_array_field(&numbers, "at", &view), KJIT_ARGUMENT, "only records have fields");
    points.rank = 8;
    memset(points.shape, 0, sizeof points.shape);
    expect(kjit_array_field(&points, "at", &view), KJIT_ARGUMENT, "more than 8 axes");
}

static void questions_are_answered_of_any_array(void **state)
{
    kjit_array array = kjit_host_array(NULL, KJIT_DTYPE_COMPLEX64, 2, (int64_t[]){ 3, 5 });

    (void)state;
    assert_int_equal(kjit_array_count(&array), 15);
    assert_int_equal(kjit_array_bytes(&array), 120);
    assert_true(kjit_array_is_contiguous(&array, 0) && !kjit_array_is_contiguous(&array, 1));
    array.shape[0] = 1;
    assert_true(kjit_array_is_contiguous(&array, 0) && kjit_array_is_contiguous(&array, 1));
    array.shape[0] = INT64_MAX;
    assert_int_equal(kjit_array_count(&array), 0);
    array.rank = 9;
    assert_int_equal(kjit_array_bytes(&array), 0);
    assert_false(kjit_array_is_contiguous(&array, 0));
}

static void arrays_that_are_none_have_no_views(void **state)
{
    kjit_array array = grid_array(), view;

    (void)state;
    array.data = NULL;
    expect(kjit_array_transpose(&array, NULL, &view), KJIT_ARGUMENT, "its data is NULL");
    array.rank = 9;
    expect(kjit_array_expand(&array, 0, &view), KJIT_ARGUMENT, "rank 9");
    array.rank = 1;
    array.shape[0] = -1;
    expect(kjit_array_slice(&array, NULL, 0, &view), KJIT_ARGUMENT, "axis 0 of the array has -1");
}

/* ---- a random walk ---------------------------------------------------------------------- */

static uint64_t seed = 20240229;

static int64_t below(int64_t limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)limit);
}

/* The elements of a view in order, however it lies. */
static void list_elements(const kjit_array *array, int32_t *out)
{
    kjit_array whole = *array;

    whole.data = out;
    array_set_strides(&whole, false);
    array_copy(&whole, array);
}

/* Where a reshape is not refused the order of elements stays; and what is refused cannot be done:
** two neighbours in the new shape would have to lie at two distances. */
static void reshapes_keep_the_order(void **state)
{
    static int32_t memory[4096], before[4096], after[4096];
    int done = 0, refused = 0;

    (void)state;
    for (int i = 0; i < 4096; i++)
        memory[i] = i;
    for (int round = 0; round < 3000; round++) {
        int64_t shape[4] = { 1 + below(4), 1 + below(4), 1 + below(3), 1 + below(4) }, wanted[3];
        kjit_array array = kjit_host_array(memory, KJIT_DTYPE_INT32, 4, shape), view;
        int64_t count = array_elements(&array);
        kjit_slice slices[4];
        for (int i = 0; i < 4; i++) {
            slices[i] = (kjit_slice)KJIT_STEP(KJIT_OMIT, KJIT_OMIT,
                                              below(3)   ? 1
                                              : below(2) ? 2
                                                         : -1);
            slices[i].start = below(4) ? KJIT_OMIT : below(2);
        }
        expect_ok(kjit_array_slice(&array, slices, 4, &array));
        if (below(4) == 0)
            expect_ok(kjit_array_transpose(&array, (int32_t[]){ 1, 0, 2, 3 }, &array));
        count = array_elements(&array);
        wanted[0] = 1 + below(4);
        wanted[1] = 1 + below(4);
        wanted[2] = -1;
        if (!count || count % (wanted[0] * wanted[1]) != 0)
            continue;
        list_elements(&array, before);
        if (kjit_array_reshape(&array, 3, wanted, &view) == KJIT_OK) {
            list_elements(&view, after);
            assert_memory_equal(before, after, (size_t)count * 4);
            done++;
        } else {
            wanted[2] = count / (wanted[0] * wanted[1]);
            bool uneven = false; /* an axis whose steps differ */
            for (int64_t i = 0; i < count; i++) {
                int64_t inner = i % wanted[2], middle = i / wanted[2] % wanted[1];
                uneven |= inner > 0 && before[i] - before[i - 1] != before[1] - before[0];
                uneven |= middle > 0 &&
                          before[i] - before[i - wanted[2]] != before[wanted[2]] - before[0];
                int64_t row = wanted[1] * wanted[2];
                uneven |= i >= row && before[i] - before[i - row] != before[row] - before[0];
            }
            assert_true(uneven);
            refused++;
        }
    }
    assert_true(done > 300 && refused > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_pythons),
        cmocka_unit_test(slices_of_slices_add_up),
        cmocka_unit_test(slices_that_are_wrong_name_axis_and_value),
        cmocka_unit_test(axes_change_places),
        cmocka_unit_test(axes_of_one_come_and_go),
        cmocka_unit_test(shapes_change_where_no_copy_is_needed),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(elements_are_repeated_without_memory),
        cmocka_unit_test(bytes_are_seen_as_other_dtypes),
        cmocka_unit_test(fields_are_arrays),
        cmocka_unit_test(questions_are_answered_of_any_array),
        cmocka_unit_test(arrays_that_are_none_have_no_views),
        cmocka_unit_test(reshapes_keep_the_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
