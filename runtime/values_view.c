/* Views: parts of arrays and tuples that share their memory. */
#include "runtime/values.h"

#include <string.h>

void value_transpose(kjit_array *array)
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

/* An index counted from the end if negative; false if there is no such element. */
static bool wrap_index(Eval *eval, Span span, int64_t *index, int64_t count)
{
    int64_t wrapped = *index < 0 ? *index + count : *index;

    if (wrapped < 0 || wrapped >= count) {
        diag_error(eval->diags, span, "index %lld is outside of %lld elements", (long long)*index,
                   (long long)count);
        return false;
    }
    *index = wrapped;
    return true;
}

/* One part of a slice, or what stands for it when left out. */
static bool slice_part(Eval *eval, const AstExpr *expr, int64_t missing, int64_t *out)
{
    Value value;

    *out = missing;
    if (!expr)
        return true;
    return value_eval(eval, expr, &value) &&
           (value.kind == VALUE_NONE || value_integer(eval, &value, out));
}

static int64_t clamp(int64_t at, int64_t count, int64_t low, int64_t high)
{
    at += at < 0 ? count : 0;
    return at < low ? low : at > high ? high : at;
}

/* Where a slice of `count` elements starts, how many it takes and in what steps, as in Python. */
static bool resolve_slice(Eval *eval, const AstExpr *expr, int64_t count, int64_t *start,
                          int64_t *taken, int64_t *step)
{
    int64_t first, last;
    const AstExpr *end = expr->slice.stop;

    if (!slice_part(eval, expr->slice.step, 1, step))
        return false;
    if (*step == 0 || *step == INT64_MIN) {
        diag_error(eval->diags, expr->span, "the step of a slice cannot be %s",
                   *step ? "that small" : "0");
        return false;
    }
    bool down = *step < 0;
    if (!slice_part(eval, expr->slice.start, down ? INT64_MAX : 0, &first) ||
        !slice_part(eval, end, down ? INT64_MIN : INT64_MAX, &last))
        return false;
    *start = clamp(first, count, down ? -1 : 0, down ? count - 1 : count);
    last = down && last == INT64_MIN ? -1
                                     : clamp(last, count, down ? -1 : 0, down ? count - 1 : count);
    int64_t distance = down ? *start - last : last - *start, size = down ? -*step : *step;
    *taken = distance > 0 ? (distance - 1) / size + 1 : 0;
    return true;
}

/* A view under construction: what is left of the array, and what was made of it. */
typedef struct View {
    const kjit_array *from;
    kjit_array made;
    int axis;       /* of `from` */
    int64_t offset; /* bytes */
} View;

static void keep_axis(View *view, int64_t count, int64_t stride)
{
    view->made.shape[view->made.rank] = count;
    view->made.strides[view->made.rank++] = stride;
}

static bool apply_index(Eval *eval, View *view, const AstExpr *index)
{
    int64_t count = view->from->shape[view->axis], stride = view->from->strides[view->axis];
    int64_t start, taken, step;
    Value value;

    if (index->kind == AST_SLICE) {
        if (!resolve_slice(eval, index, count, &start, &taken, &step))
            return false;
        keep_axis(view, taken, stride * step);
        view->offset += taken ? start * stride : 0;
    } else {
        if (!value_eval(eval, index, &value) || !value_integer(eval, &value, &start) ||
            !wrap_index(eval, index->span, &start, count))
            return false;
        view->offset += start * stride;
    }
    view->axis++;
    return true;
}

/* Axes that no index names are taken whole. */
static void take_axes(View *view, int until)
{
    for (; view->axis < until; view->axis++)
        keep_axis(view, view->from->shape[view->axis], view->from->strides[view->axis]);
}

static bool index_array(Eval *eval, const AstExpr *expr, const kjit_array *array, Value *out)
{
    AstExpr *alone = expr->index.index;
    bool several = alone->kind == AST_TUPLE;
    AstExpr **list = several ? alone->list.items.items : &alone;
    int count = several ? alone->list.items.count : 1, named = 0;
    View view = { .from = array,
                  .made = { .data = array->data,
                            .dtype = array->dtype,
                            .flags = array->flags,
                            .record = array->record } };

    if (!several && alone->kind == AST_STRING) {
        out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
        return value_field(eval, alone->span, array, alone->string.text, &out->arg.as.array);
    }
    for (int i = 0; i < count; i++)
        named += list[i]->kind != AST_ELLIPSIS;
    if (named > array->rank) {
        diag_error(eval->diags, expr->span, "%d indices for an array of %d ax%cs", named,
                   array->rank, array->rank == 1 ? 'i' : 'e');
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (list[i]->kind == AST_ELLIPSIS)
            take_axes(&view, view.axis + array->rank - named);
        else if (!apply_index(eval, &view, list[i]))
            return false;
    }
    take_axes(&view, array->rank);
    /* An array of nothing stays where its memory begins. */
    if (array_elements(&view.made))
        view.made.data = (char *)array->data + view.offset;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY, .as.array = view.made };
    if (named == array->rank && view.made.rank == 0 && array->dtype != KJIT_DTYPE_RECORD)
        out->arg = scalar_load(array->dtype, view.made.data);
    return true;
}

bool value_index(Eval *eval, const AstExpr *expr, const Value *object, Value *out)
{
    int64_t at;
    Value value;

    out->kind = VALUE_ARG;
    out->span = expr->span;
    if (object->kind == VALUE_ARG && object->arg.kind == KJIT_ARG_ARRAY)
        return index_array(eval, expr, &object->arg.as.array, out);
    if (object->kind != VALUE_ARG || object->arg.kind != KJIT_ARG_TUPLE) {
        diag_error(eval->diags, expr->span, "only arrays and tuples can be indexed");
        return false;
    }
    if (!value_eval(eval, expr->index.index, &value) || !value_integer(eval, &value, &at) ||
        !wrap_index(eval, expr->index.index->span, &at, (int64_t)object->arg.as.tuple.count))
        return false;
    out->arg = object->arg.as.tuple.items[at];
    return true;
}
