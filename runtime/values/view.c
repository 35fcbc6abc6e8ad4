/* Views: parts of arrays and tuples that share their memory. */
#include "runtime/values/values.h"

#include <string.h>

static bool no_element(Eval *eval, Span span, int64_t index, int64_t count)
{
    diag_error(eval->diags, span, "index %lld is outside of %lld elements", (long long)index,
               (long long)count);
    return false;
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

static bool read_slice(Eval *eval, const AstExpr *expr, kjit_slice *slice)
{
    slice->kind = KJIT_SLICE_SPAN;
    if (!slice_part(eval, expr->slice.step, 1, &slice->step))
        return false;
    if (!slice->step) {
        diag_error(eval->diags, expr->span, "the step of a slice cannot be 0");
        return false;
    }
    return slice_part(eval, expr->slice.start, KJIT_OMIT, &slice->start) &&
           slice_part(eval, expr->slice.stop, KJIT_OMIT, &slice->stop);
}

static bool apply_index(Eval *eval, View *view, const AstExpr *index)
{
    int64_t count = view->from->shape[view->axis], at;
    kjit_slice slice;
    Value value;

    if (index->kind == AST_SLICE) {
        if (!read_slice(eval, index, &slice))
            return false;
        view_span(view, &slice);
        return true;
    }
    return value_eval(eval, index, &value) && value_integer(eval, &value, &at) &&
           (view_at(view, at) || no_element(eval, index->span, at, count));
}

static bool index_array(Eval *eval, const AstExpr *expr, const kjit_array *array, Value *out)
{
    AstExpr *alone = expr->index.index;
    bool several = alone->kind == AST_TUPLE;
    AstExpr **list = several ? alone->list.items.items : &alone;
    int count = several ? alone->list.items.count : 1, named = 0;
    View view;

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
    view_begin(&view, array);
    for (int i = 0; i < count; i++) {
        if (list[i]->kind == AST_ELLIPSIS)
            view_rest(&view, view.axis + array->rank - named);
        else if (!apply_index(eval, &view, list[i]))
            return false;
    }
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY, .as.array = view_end(&view) };
    if (named == array->rank && view.made.rank == 0 && array->dtype != KJIT_DTYPE_RECORD)
        out->arg = scalar_load(array->dtype, view.made.data);
    return true;
}

bool value_ndarray(Eval *eval, Span span, const kjit_array *buffer, int64_t offset,
                   kjit_array *array)
{
    uint64_t bytes;
    int64_t low, high, begin, end;

    array_span(buffer, &begin, &end);
    if (!array_is_dense(buffer)) {
        diag_error(eval->diags, span, "the buffer of ndarray() must be an array without gaps");
        return false;
    }
    array->data = (char *)buffer->data + begin;
    array->flags = buffer->flags;
    if (!array_check(array, "the array", &bytes))
        return value_failed(eval, span, KJIT_ARGUMENT);
    array_span(array, &low, &high);
    if (offset < 0 || offset > end - begin || offset + low < 0 || high > end - begin - offset) {
        diag_error(eval->diags, span, "the array reaches out of the %lld bytes of its buffer",
                   (long long)(end - begin));
        return false;
    }
    array->data = (char *)array->data + offset;
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
    int64_t count = (int64_t)object->arg.as.tuple.count;
    if (!value_eval(eval, expr->index.index, &value) || !value_integer(eval, &value, &at))
        return false;
    if (!index_wrap(&at, count))
        return no_element(eval, expr->index.index->span, at, count);
    out->arg = object->arg.as.tuple.items[at];
    return true;
}
