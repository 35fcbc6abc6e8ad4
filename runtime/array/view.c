/* Views: arrays that share another's memory, computed from extents and strides by NumPy's rules. */
#include "runtime/array/array.h"

/* A view under construction: what is left of an array, and what was made of it. */
typedef struct View {
    const kjit_array *from;
    kjit_array made;
    int axis;       /* of `from`, that comes next */
    int64_t offset; /* bytes */
} View;

/* ---- parts ---------------------------------------------------------------------------- */

bool index_wrap(int64_t *index, int64_t count)
{
    int64_t wrapped = *index < 0 ? *index + count : *index;

    if (wrapped < 0 || wrapped >= count)
        return false;
    *index = wrapped;
    return true;
}

static int64_t clamp(int64_t at, int64_t count, int64_t low, int64_t high)
{
    at += at < 0 ? count : 0;
    return at < low ? low : at > high ? high : at;
}

/* The start and length of a slice of `count` elements, as by CPython's PySlice_AdjustIndices(). */
static void resolve_slice(const kjit_slice *slice, int64_t count, int64_t *start, int64_t *taken)
{
    bool down = slice->step < 0;
    int64_t low = down ? -1 : 0, high = down ? count - 1 : count, last = down ? low : high;

    *start =
        slice->start == KJIT_OMIT ? (down ? high : low) : clamp(slice->start, count, low, high);
    if (slice->stop != KJIT_OMIT)
        last = clamp(slice->stop, count, low, high);
    uint64_t distance = down ? (uint64_t)(*start - last) : (uint64_t)(last - *start);
    uint64_t size = down ? -(uint64_t)slice->step : (uint64_t)slice->step;
    *taken = (int64_t)distance > 0 ? (int64_t)((distance - 1) / size) + 1 : 0;
}

static void view_begin(View *view, const kjit_array *array)
{
    *view = (View){ .from = array, .made = *array };
    view->made.rank = 0;
    memset(view->made.shape, 0, sizeof view->made.shape);
    memset(view->made.strides, 0, sizeof view->made.strides);
}

static void keep_axis(View *view, int64_t count, int64_t stride)
{
    view->made.shape[view->made.rank] = count;
    view->made.strides[view->made.rank++] = stride;
}

/* Takes a slice of the next axis, its step not being 0. */
static void view_span(View *view, const kjit_slice *slice)
{
    int64_t count = view->from->shape[view->axis], stride = view->from->strides[view->axis];
    int64_t start, taken, step;

    resolve_slice(slice, count, &start, &taken);
    /* A step beyond the array is equivalent to the array's length. */
    if (taken < 2 || __builtin_mul_overflow(stride, slice->step, &step))
        step = stride;
    keep_axis(view, taken, step);
    view->offset += taken ? start * stride : 0;
    view->axis++;
}

/* Takes an element of the next axis, which goes; false if there is no such element. */
static bool view_at(View *view, int64_t index)
{
    if (!index_wrap(&index, view->from->shape[view->axis]))
        return false;
    view->offset += index * view->from->strides[view->axis++];
    return true;
}

/* Takes axes whole, until that one. */
static void view_rest(View *view, int until)
{
    for (; view->axis < until; view->axis++)
        keep_axis(view, view->from->shape[view->axis], view->from->strides[view->axis]);
}

/* Takes the others whole, and gives the view. */
static kjit_array view_end(View *view)
{
    view_rest(view, view->from->rank);
    if (array_elements(&view->made))
        view->made.data = (char *)view->from->data + view->offset;
    return view->made;
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Clears the view, and copies and checks the array, which may be the same object. */
static bool begin(const kjit_array *array, kjit_array *copy, kjit_array *view)
{
    uint64_t bytes;

    *copy = *array;
    memset(view, 0, sizeof *view);
    return array_check(copy, "the array", &bytes);
}

/* An axis, counted from the end if negative. */
static kjit_status take_axis(int64_t given, int rank, int *axis)
{
    int64_t wrapped = given;

    if (!index_wrap(&wrapped, rank))
        return error_set(KJIT_ARGUMENT, "error: there is no axis %lld: the array has %d",
                         (long long)given, rank);
    *axis = (int)wrapped;
    return KJIT_OK;
}

static kjit_status too_many_axes(void)
{
    return error_set(KJIT_ARGUMENT, "error: the view would have more than %d axes", KJIT_RANK_MAX);
}

static kjit_status check_rank(int64_t rank)
{
    if (rank < 0 || rank > KJIT_RANK_MAX)
        return error_set(KJIT_ARGUMENT, "error: an array has 0 to %d axes, not %lld", KJIT_RANK_MAX,
                         (long long)rank);
    return KJIT_OK;
}

/* ---- slices --------------------------------------------------------------------------- */

static kjit_status take_slice(View *view, const kjit_slice *slice, int rest)
{
    int axis = view->axis;

    switch (slice->kind) {
    case KJIT_SLICE_SPAN:
        if (!slice->step)
            return error_set(KJIT_ARGUMENT, "error: the step of the slice of axis %d is 0", axis);
        view_span(view, slice);
        return KJIT_OK;
    case KJIT_SLICE_AT:
        if (!view_at(view, slice->start))
            return error_set(KJIT_ARGUMENT,
                             "error: index %lld is outside of axis %d, which has %lld elements",
                             (long long)slice->start, axis, (long long)view->from->shape[axis]);
        return KJIT_OK;
    case KJIT_SLICE_NEW_AXIS:
        keep_axis(view, 1, 0);
        return KJIT_OK;
    default:
        view_rest(view, axis + rest);
        return KJIT_OK;
    }
}

/* Counts the axes that the slices consume and those of the view, and checks both. */
static kjit_status count_slices(const kjit_array *array, const kjit_slice *slices, size_t count,
                                int *named)
{
    size_t axes = 0, added = 0, rests = 0, dropped = 0;

    for (size_t i = 0; i < count; i++) {
        if ((unsigned)slices[i].kind > KJIT_SLICE_REST)
            return error_set(KJIT_ARGUMENT, "error: slice %zu is of no kind (%d)", i,
                             (int)slices[i].kind);
        axes += slices[i].kind <= KJIT_SLICE_AT;
        dropped += slices[i].kind == KJIT_SLICE_AT;
        added += slices[i].kind == KJIT_SLICE_NEW_AXIS;
        rests += slices[i].kind == KJIT_SLICE_REST;
    }
    if (rests > 1)
        return error_set(KJIT_ARGUMENT, "error: KJIT_REST can stand once among slices");
    if (axes > (size_t)array->rank)
        return error_set(KJIT_ARGUMENT, "error: %zu slices for an array of %d ax%cs", axes,
                         array->rank, array->rank == 1 ? 'i' : 'e');
    if ((size_t)array->rank - dropped + added > KJIT_RANK_MAX)
        return too_many_axes();
    *named = (int)axes;
    return KJIT_OK;
}

kjit_status kjit_array_slice(const kjit_array *array, const kjit_slice *slices, size_t count,
                             kjit_array *out)
{
    kjit_array from;
    View view;
    int named = 0;

    if (!begin(array, &from, out))
        return KJIT_ARGUMENT;
    KJIT_TRY(count_slices(&from, slices, count, &named));
    view_begin(&view, &from);
    for (size_t i = 0; i < count; i++)
        KJIT_TRY(take_slice(&view, &slices[i], from.rank - named));
    *out = view_end(&view);
    return KJIT_OK;
}

/* ---- axes ----------------------------------------------------------------------------- */

static void array_reverse_axes(kjit_array *array)
{
    for (int i = 0; i < array->rank / 2; i++) {
        int j = array->rank - 1 - i;
        int64_t shape = array->shape[i], stride = array->strides[i];
        array->shape[i] = array->shape[j];
        array->strides[i] = array->strides[j];
        array->shape[j] = shape;
        array->strides[j] = stride;
    }
}

kjit_status kjit_array_transpose(const kjit_array *array, const int32_t *axes, kjit_array *view)
{
    kjit_array from;
    unsigned seen = 0;

    if (!begin(array, &from, view))
        return KJIT_ARGUMENT;
    kjit_array made = from;
    if (!axes)
        array_reverse_axes(&made);
    for (int i = 0; axes && i < from.rank; i++) {
        int axis = 0;
        KJIT_TRY(take_axis(axes[i], from.rank, &axis));
        if (seen & 1u << axis)
            return error_set(KJIT_ARGUMENT, "error: axis %d is named twice", axis);
        seen |= 1u << axis;
        made.shape[i] = from.shape[axis];
        made.strides[i] = from.strides[axis];
    }
    *view = made;
    return KJIT_OK;
}

kjit_status kjit_array_squeeze(const kjit_array *array, const int32_t *axes, int32_t count,
                               kjit_array *out)
{
    kjit_array from;
    unsigned dropped = 0;
    View view;
    int axis = 0;

    if (!begin(array, &from, out))
        return KJIT_ARGUMENT;
    for (int i = 0; axes && i < count; i++) {
        KJIT_TRY(take_axis(axes[i], from.rank, &axis));
        if (from.shape[axis] != 1)
            return error_set(
                KJIT_ARGUMENT,
                "error: axis %d has %lld elements, and only axes of one can be dropped", axis,
                (long long)from.shape[axis]);
        dropped |= 1u << axis;
    }
    view_begin(&view, &from);
    while (view.axis < from.rank) {
        if (axes ? dropped >> view.axis & 1 : from.shape[view.axis] == 1)
            view_at(&view, 0);
        else
            view_rest(&view, view.axis + 1);
    }
    *out = view_end(&view);
    return KJIT_OK;
}

kjit_status kjit_array_expand(const kjit_array *array, int32_t axis, kjit_array *out)
{
    kjit_array from;
    View view;
    int at = 0;

    if (!begin(array, &from, out))
        return KJIT_ARGUMENT;
    if (from.rank == KJIT_RANK_MAX)
        return too_many_axes();
    KJIT_TRY(take_axis(axis, from.rank + 1, &at));
    view_begin(&view, &from);
    view_rest(&view, at);
    keep_axis(&view, 1, 0);
    *out = view_end(&view);
    return KJIT_OK;
}

kjit_status kjit_array_broadcast(const kjit_array *array, int32_t rank, const int64_t *shape,
                                 kjit_array *view)
{
    kjit_array from;
    uint64_t bytes;

    if (!begin(array, &from, view))
        return KJIT_ARGUMENT;
    KJIT_TRY(check_rank(rank));
    if (rank < from.rank)
        return error_set(KJIT_ARGUMENT, "error: an array of %d axes cannot be broadcast to %d",
                         from.rank, rank);
    kjit_array made = from;
    made.rank = rank;
    made.flags |= KJIT_READONLY;
    for (int i = 0; i < rank; i++) {
        int axis = i - (rank - from.rank);
        bool repeated = axis < 0 || (from.shape[axis] == 1 && shape[i] != 1);
        made.shape[i] = shape[i];
        made.strides[i] = repeated ? 0 : from.strides[axis];
        if (!repeated && from.shape[axis] != shape[i])
            return error_set(KJIT_ARGUMENT,
                             "error: axis %d has %lld elements, which cannot become %lld", axis,
                             (long long)from.shape[axis], (long long)shape[i]);
    }
    if (!array_check(&made, "the view", &bytes))
        return KJIT_ARGUMENT;
    *view = made;
    return KJIT_OK;
}

/* ---- shapes --------------------------------------------------------------------------- */

bool shape_fit(int64_t *shape, int rank, int64_t count)
{
    int64_t known = 1;
    int open = -1;

    for (int i = 0; i < rank; i++) {
        if (shape[i] == -1 && open < 0)
            open = i;
        else if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known))
            return false;
    }
    if (open >= 0 && known > 0 && count % known == 0)
        shape[open] = count / known;
    else if (open >= 0)
        return false;
    return open >= 0 || known == count;
}

/* Computes strides for a new shape of a non-empty array; false if there are none. Both shapes are
** partitioned, from the last axis on, into groups of axes with equal products; the old axes of a
** group must be contiguous. Axes of one element fit any group, and keep their strides. */
static bool find_strides(const kjit_array *from, kjit_array *made)
{
    int old = from->rank, new = made->rank;

    while (new > 0) {
        while (old > 0 && from->shape[old - 1] == 1)
            old--;
        int64_t have = old > 0 ? from->shape[old - 1] : 1, want = 1;
        int64_t stride = old > 0 ? from->strides[old - 1] : (int64_t)array_item_bytes(from);
        old -= old > 0;
        while (new > 0 && want < have) { /* match new axes to the old ones */
            made->strides[new - 1] = stride * want;
            want *= made->shape[--new];
            while (want > have) { /* add an old axis, contiguous with the others */
                while (from->shape[old - 1] == 1)
                    old--;
                int64_t outer;
                if (__builtin_mul_overflow(stride, have, &outer) || from->strides[old - 1] != outer)
                    return false;
                have *= from->shape[--old];
            }
        }
        while (new > 0 && made->shape[new - 1] == 1)
            new --;
    }
    return true;
}

kjit_status kjit_array_reshape(const kjit_array *array, int32_t rank, const int64_t *shape,
                               kjit_array *view)
{
    kjit_array from;

    if (!begin(array, &from, view))
        return KJIT_ARGUMENT;
    KJIT_TRY(check_rank(rank));
    kjit_array made = from;
    made.rank = rank;
    if (rank)
        memcpy(made.shape, shape, sizeof *shape * (size_t)rank);
    if (!shape_fit(made.shape, rank, array_elements(&from)))
        return error_set(KJIT_ARGUMENT,
                         "error: the new shape has another number of elements than the array's "
                         "%lld, or more than one -1",
                         (long long)array_elements(&from));
    array_set_strides(&made, false);
    if (array_elements(&from) && !find_strides(&from, &made))
        return error_set(KJIT_ARGUMENT,
                         "error: an array with these strides takes this shape only as a copy\n"
                         "note: kjit_copy() into a contiguous array, which can be reshaped");
    *view = made;
    return KJIT_OK;
}

/* ---- elements ------------------------------------------------------------------------- */

/* Computes the last axis of a view with elements of another size. */
static kjit_status fit_last_axis(const kjit_array *from, kjit_array *made)
{
    int64_t old = (int64_t)array_item_bytes(from), new = (int64_t)array_item_bytes(made);
    int last = from->rank - 1;

    if (last < 0)
        return error_set(KJIT_ARGUMENT,
                         "error: an array without axes has one element of %lld bytes, not %lld",
                         (long long)old, (long long)new);
    if (from->shape[last] != 1 && from->strides[last] != old && array_elements(from))
        return error_set(KJIT_ARGUMENT,
                         "error: the elements of axis %d, the last, do not follow one another "
                         "(stride %lld), so they cannot be seen in other sizes",
                         last, (long long)from->strides[last]);
    if (from->shape[last] * old % new != 0)
        return error_set(KJIT_ARGUMENT,
                         "error: the %lld bytes of axis %d, the last, are no whole number of "
                         "elements of %lld",
                         (long long)(from->shape[last] * old), last, (long long)new);
    made->shape[last] = from->shape[last] * old / new;
    made->strides[last] = new;
    return KJIT_OK;
}

kjit_status kjit_array_view(const kjit_array *array, kjit_dtype dtype, const kjit_record *record,
                            kjit_array *view)
{
    kjit_array from;

    if (!begin(array, &from, view))
        return KJIT_ARGUMENT;
    kjit_array made = from;
    made.dtype = dtype;
    made.record = dtype == KJIT_DTYPE_RECORD ? record : NULL;
    if (!array_item_bytes(&made))
        return error_set(KJIT_ARGUMENT, "error: there are no elements of dtype %d%s", (int)dtype,
                         dtype == KJIT_DTYPE_RECORD ? " without a record that has bytes" : "");
    if (made.record)
        KJIT_TRY(dtype_check_record(made.record, "the view"));
    if (array_item_bytes(&made) != array_item_bytes(&from))
        KJIT_TRY(fit_last_axis(&from, &made));
    *view = made;
    return KJIT_OK;
}

kjit_status kjit_array_field(const kjit_array *array, const char *name, kjit_array *view)
{
    kjit_array from;

    if (!begin(array, &from, view))
        return KJIT_ARGUMENT;
    if (from.dtype != KJIT_DTYPE_RECORD)
        return error_set(KJIT_ARGUMENT, "error: only records have fields");
    for (size_t i = 0; i < from.record->count; i++) {
        if (strcmp(from.record->fields[i].name, name) != 0)
            continue;
        if (from.rank + from.record->fields[i].rank > KJIT_RANK_MAX)
            return too_many_axes();
        *view = array_field(&from, &from.record->fields[i]);
        return KJIT_OK;
    }
    return error_set(KJIT_ARGUMENT, "error: the records have no field '%s'", name);
}

/* ---- queries -------------------------------------------------------------------------- */

uint64_t kjit_array_count(const kjit_array *array)
{
    kjit_array known = *array;
    uint64_t bytes;

    known.data = known.data ? known.data : &known;
    error_quiet(true);
    bool sane = array_check(&known, "the array", &bytes);
    error_quiet(false);
    return sane ? bytes / array_item_bytes(array) : 0;
}

uint64_t kjit_array_bytes(const kjit_array *array)
{
    return kjit_array_count(array) * array_item_bytes(array);
}

int kjit_array_is_contiguous(const kjit_array *array, int columns)
{
    if (array->rank < 0 || array->rank > KJIT_RANK_MAX)
        return 0;
    return columns ? array_is_columns(array) : array_layout(array) == LAYOUT_C;
}
