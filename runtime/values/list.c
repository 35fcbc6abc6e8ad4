/* Arrays written out: [[1, 2], [3, 4]], as NumPy makes them of lists. */
#include "runtime/values/values.h"

/* The array being made, and where its next element goes. */
typedef struct List {
    Eval *eval;
    int rank;
    int64_t shape[KJIT_RANK_MAX];
    kjit_arg *items;
    int64_t count, capacity;
    kjit_dtype dtype; /* of the elements so far */
    bool given;       /* the caller said which */
} List;

static bool is_row(const AstExpr *expr)
{
    return expr->kind == AST_LIST || expr->kind == AST_TUPLE;
}

/* The shape, from the first row of each axis. */
static bool measure(List *list, const AstExpr *expr)
{
    for (; is_row(expr); expr = expr->list.items.items[0]) {
        if (list->rank == KJIT_RANK_MAX) {
            diag_error(list->eval->diags, expr->span, "an array has %d axes at the most",
                       KJIT_RANK_MAX);
            return false;
        }
        list->shape[list->rank++] = expr->list.items.count;
        if (expr->list.items.count == 0)
            break;
    }
    return true;
}

/* The dtype that holds both: numpy.result_type's. */
static kjit_dtype common(kjit_dtype a, kjit_dtype b)
{
    if (a == b || a == KJIT_DTYPE_NONE)
        return b;
    const Type *left = dtype_type(a), *right = dtype_type(b);
    if (dtype_is_time(a))
        return type_dtype(
            type_time(left->kind == TY_DATETIME, time_finer(time_unit(left), time_unit(right))));
    return type_dtype(typing_nep50(AST_ADD, left, false, right, false).result);
}

/* Text is a time, in the unit that it shows. */
static bool as_time(List *list, Value *value)
{
    TimeUnit unit = TIME_NONE;
    int64_t count;

    if (!time_parse(value->text, &unit, &count)) {
        diag_error(list->eval->diags, value->span,
                   "this is no time: it is written "
                   "2001-12-31T23:59:59.999");
        return false;
    }
    value->kind = VALUE_ARG;
    value->arg = (kjit_arg){ .kind = KJIT_ARG_SCALAR, .dtype = type_dtype(type_time(true, unit)) };
    value->arg.as.integer = count;
    return true;
}

/* Whether times and numbers would come together. */
static bool mixes(const List *list, kjit_dtype dtype)
{
    if (list->dtype == KJIT_DTYPE_NONE || list->dtype == dtype)
        return false;
    return !dtype_is_time(dtype) || !dtype_is_time(list->dtype)
               ? dtype_is_time(dtype) || dtype_is_time(list->dtype)
               : dtype_type(dtype)->kind != dtype_type(list->dtype)->kind;
}

static bool add_item(List *list, const AstExpr *expr)
{
    Value value = { 0 };

    if (!value_eval(list->eval, expr, &value))
        return false;
    if (value.kind == VALUE_STRING && !as_time(list, &value))
        return false;
    if (value.kind != VALUE_ARG || value.arg.kind != KJIT_ARG_SCALAR) {
        diag_error(list->eval->diags, expr->span, "an array is made of numbers");
        return false;
    }
    if (list->given && dtype_is_complex(value.arg.dtype) && !dtype_is_complex(list->dtype)) {
        diag_error(list->eval->diags, expr->span, "a complex number cannot become %s",
                   kjit_dtype_name(list->dtype));
        return false;
    }
    if (mixes(list, value.arg.dtype)) {
        diag_error(list->eval->diags, expr->span, "an array holds numbers, times or spans of time");
        return false;
    }
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity ? 2 * list->capacity : 16;
        kjit_arg *items = arena_array(list->eval->arena, kjit_arg, capacity);
        for (int64_t i = 0; i < list->count; i++)
            items[i] = list->items[i];
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = value.arg;
    if (!list->given)
        list->dtype = common(list->dtype, value.arg.dtype);
    return true;
}

static bool add_rows(List *list, const AstExpr *expr, int axis)
{
    if (is_row(expr) != (axis < list->rank) ||
        (is_row(expr) && expr->list.items.count != list->shape[axis])) {
        diag_error(list->eval->diags, expr->span, "the rows of an array have one length");
        return false;
    }
    if (!is_row(expr))
        return add_item(list, expr);
    for (int i = 0; i < expr->list.items.count; i++)
        if (!add_rows(list, expr->list.items.items[i], axis + 1))
            return false;
    return true;
}

bool value_list(Eval *eval, const AstExpr *expr, kjit_dtype dtype, Value *out)
{
    List list = { .eval = eval, .dtype = dtype, .given = dtype != KJIT_DTYPE_NONE };
    kjit_array array;

    if (!measure(&list, expr) || !add_rows(&list, expr, 0))
        return false;
    if (list.dtype == KJIT_DTYPE_NONE)
        list.dtype = KJIT_DTYPE_FLOAT64;
    if (!value_new_array(eval, expr->span, list.dtype, list.rank, list.shape, false, false, &array))
        return false;
    for (int64_t i = 0; i < list.count; i++) {
        kjit_arg item = scalar_cast(&list.items[i], list.dtype);
        scalar_store(&item, (char *)array.data + (size_t)i * kjit_dtype_bytes(list.dtype));
    }
    *out = (Value){ .kind = VALUE_ARG, .span = expr->span, .arg = { .kind = KJIT_ARG_ARRAY } };
    out->arg.as.array = array;
    return true;
}
