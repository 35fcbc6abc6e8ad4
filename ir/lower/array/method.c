/* Methods and attributes of arrays that give other views of their memory, or go over their
** elements. Kernels have no heap, so what would make a new array is refused, with that as the
** reason.
**
** A view with other axes or another type is an OP_recast: the same memory, read otherwise. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

static IrValue *whole(FnState *f, int64_t value, Span span)
{
    return ir_integer(f->arena, type_int64, value, span);
}

static IrValue *recast(FnState *f, IrValue *array, const Type *type, IrValue *const *parts,
                       int count, Span span)
{
    IrValue *value = ir_value(f->arena, OP_recast, type, span, count + 1);
    value->operands[0] = array;
    for (int i = 0; i < count; i++)
        value->operands[i + 1] = parts[i];
    return value;
}

/* The type of another view of an array's memory. */
static const Type *like(FnState *f, const Type *array, const Type *element, int rank,
                        ArrayLayout layout)
{
    return type_array_like(f->types, array, element, rank, layout, array->array.unaligned);
}

static bool rows_whole(const Type *type)
{
    return type->array.layout == LAYOUT_C || type->array.rank == 0;
}

static Operand refuse_layout(FnState *f, const Call *call, const Type *type)
{
    return fail_operand(f, call->span,
                        "%s needs an array whose rows lie whole in memory, and this is %s",
                        call->name, type_name(f->arena, type));
}

/* ---- reshape, ravel, view, transpose --------------------------------------------------------- */

/* The extents that reshape is given, a tuple or one by one, as int64; their number, -1 after a
** complaint. */
static int read_extents(FnState *f, const Call *call, IrValue **extents)
{
    Call spread = call_spread(f, call, "_shape");
    int count = spread.count;
    const Operand *operands = spread.args;
    if (count > RANK_MAX) {
        fail(f, call->span, "an array has at most %d axes", RANK_MAX);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (operands[i].kind != OPD_VALUE || !type_is_integer(operands[i].value->type)) {
            if (operands[i].kind != OPD_ERROR)
                fail(f, operands[i].span, "a shape is made of integers, and this is %s",
                     describe(f, operands[i]));
            return -1;
        }
        extents[i] = ir_cast(f->arena, type_int64, operands[i].value, call->span);
        extents[i] = lower_stable(f, extents[i], "_extent");
    }
    return count;
}

static IrValue *product(FnState *f, IrValue *const *extents, int count, int without, Span span)
{
    IrValue *size = whole(f, 1, span);
    for (int i = 0; i < count; i++)
        if (i != without)
            size = ir_binary(f->arena, OP_mul, size, extents[i], span);
    return size;
}

/* An extent that is found to be negative when the kernel runs is what the others leave. */
static void settle_late(FnState *f, IrValue *size, IrValue **extents, int count, Span span)
{
    IrValue *given[RANK_MAX];
    memcpy(given, extents, (size_t)count * sizeof(given[0]));
    for (int i = 0; i < count; i++) {
        if (ir_is_constant(given[i]))
            continue;
        IrValue *negative = ir_binary(f->arena, OP_lt, given[i], whole(f, 0, span), span);
        IrValue *left =
            ir_binary(f->arena, OP_floordiv, size, product(f, given, count, i, span), span);
        extents[i] =
            lower_stable(f, ir_select(f->arena, negative, left, given[i], span), "_extent");
    }
}

/* Puts what is left of the elements in place of a -1; under debug, checks that all fit. */
static bool settle_extents(FnState *f, const Call *call, IrValue *array, IrValue **extents,
                           int count)
{
    IrValue *size = lower_stable(f, array_size(f, array, call->span), "_size");
    int open = -1;
    for (int i = 0; i < count; i++) {
        if (!ir_is_constant(extents[i]) || extents[i]->constant.integer != -1)
            continue;
        if (open >= 0)
            return fail(f, call->span, "only one extent of a shape can be -1");
        open = i;
    }
    if (open >= 0) {
        IrValue *rest = lower_stable(f, product(f, extents, count, open, call->span), "_rest");
        extents[open] =
            lower_stable(f, ir_binary(f->arena, OP_floordiv, size, rest, call->span), "_extent");
    } else {
        settle_late(f, size, extents, count, call->span);
    }
    IrValue *differ =
        ir_binary(f->arena, OP_ne, product(f, extents, count, -1, call->span), size, call->span);
    if (ir_is_constant(differ) && differ->constant.integer)
        return fail(f, call->span, "%lld elements do not fit this shape",
                    (long long)size->constant.integer);
    if (is_reported(f))
        lower_fault_if(f, differ, "ValueError: the elements do not fit the new shape", call->span);
    return true;
}

static Operand lower_reshape(FnState *f, const Call *call, IrValue *array)
{
    const Type *type = array->type;
    IrValue *extents[RANK_MAX];
    if (!rows_whole(type) && f->constant_only)
        array = lower_table_copy(f, array); /* as NumPy does */
    else if (!rows_whole(type))
        return refuse_layout(f, call, type);
    if (is_poison(array))
        return operand_error(call->span);
    int rank = read_extents(f, call, extents);
    if (rank < 0 || !settle_extents(f, call, array, extents, rank))
        return operand_error(call->span);
    return operand_value(recast(f, array, like(f, type, type->array.element, rank, LAYOUT_C),
                                extents, rank, call->span));
}

IrValue *array_flat(FnState *f, IrValue *array, Span span)
{
    const Type *type = array->type;
    if (type->array.rank == 1)
        return array;
    if (!rows_whole(type)) {
        if (!f->constant_only)
            return NULL;
        array = lower_table_copy(f, array); /* as NumPy does */
        if (is_poison(array))
            return array;
    }
    IrValue *size = lower_stable(f, array_size(f, array, span), "_size");
    return recast(f, array, like(f, type, type->array.element, 1, LAYOUT_C), &size, 1, span);
}

static Operand lower_ravel(FnState *f, const Call *call, IrValue *array)
{
    if (!call_takes(f, call, 0, 0))
        return operand_error(call->span);
    IrValue *flat = array_flat(f, array, call->span);
    return flat ? operand_value(flat) : refuse_layout(f, call, array->type);
}

/* Whether a dtype that is given, by its place or by name, is that of the elements; complains if
** not. */
static bool same_dtype(FnState *f, const Call *call, const Type *element)
{
    int keywords = call->expr->call.keyword_count;
    const AstKeyword *keyword = keywords ? &call->expr->call.keywords[0] : NULL;
    bool named = keyword && keyword->name && strcmp(keyword->name, "dtype") == 0;
    if (keyword && (!named || keywords > 1 || call->count > 2))
        return fail(f, keyword->span, named ? "%s gets 'dtype' twice" : "%s has no keyword '%s'",
                    call->name, keyword->name ? keyword->name : "**");
    bool given = keyword || call->count > 2; /* keywords' values stand behind the others */
    const Type *dtype = given ? dtype_argument(f, &call->args[2]) : element;
    if (dtype && dtype != element)
        fail(f, call->args[2].span, "the elements are %s", type_name(f->arena, element));
    return dtype == element;
}

/* numba.carray(pointer, shape, dtype) and numba.farray, whose columns lie whole. What numba has a
** pointer for is an array here, CPointer in a signature; it may hold more than the shape takes. */
Operand lower_carray(FnState *f, const Call *call)
{
    IrValue *extents[RANK_MAX];
    if (!call_takes(f, call, 2, 3))
        return operand_error(call->span);
    IrValue *array = call_value(f, call, 0);
    if (is_poison(array))
        return operand_error(call->span);
    if (!type_is_array(array->type) || !rows_whole(array->type))
        return call_refuse(f, call, 0, "a pointer, an array that lies whole");
    Call shape = *call;
    shape.args++;
    shape.count = 1;
    int rank = read_extents(f, &shape, extents);
    if (rank < 0 || !same_dtype(f, call, array->type->array.element))
        return operand_error(call->span);
    array = stable_array(f, array);
    IrValue *wanted = product(f, extents, rank, -1, call->span);
    if (is_reported(f))
        lower_fault_if(
            f, ir_binary(f->arena, OP_gt, wanted, array_size(f, array, call->span), call->span),
            "ValueError: there are fewer elements than the shape takes", call->span);
    ArrayLayout layout = call->intrinsic == INTR_farray && rank > 1 ? LAYOUT_F : LAYOUT_C;
    return operand_value(recast(f, array,
                                like(f, array->type, array->type->array.element, rank, layout),
                                extents, rank, call->span));
}

/* ffi.from_buffer(array): a pointer to its elements, which is an array of one axis here. */
Operand lower_from_buffer(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *array = call_value(f, call, 0);
    if (is_poison(array))
        return operand_error(call->span);
    if (!type_is_array(array->type) || !rows_whole(array->type))
        return call_refuse(f, call, 0, "an array whose rows lie whole");
    Call none = *call;
    none.count = 0;
    return lower_ravel(f, &none, array);
}

/* x.view(dtype): the last axis has more or fewer elements if they are of another size. */
static Operand lower_view_as(FnState *f, const Call *call, IrValue *array)
{
    const Type *type = array->type, *element;
    IrValue *extents[2 * RANK_MAX];
    if (!call_takes(f, call, 1, 1) || !(element = dtype_argument(f, &call->args[0])))
        return operand_error(call->span);
    int rank = type->array.rank;
    int64_t old = (int64_t)type_size(type->array.element), new = (int64_t)type_size(element);
    if (old != new && (!rows_whole(type) || rank == 0))
        return refuse_layout(f, call, type);
    for (int axis = 0; axis < rank; axis++) {
        extents[axis] = lower_stable(f, array_extent(f, array, axis, call->span), "_extent");
        extents[rank + axis] =
            type->array.layout == LAYOUT_A
                ? lower_stable(f, array_stride(f, array, axis, call->span), "_stride")
                : NULL;
    }
    if (old != new) {
        IrValue *bytes =
            ir_binary(f->arena, OP_mul, extents[rank - 1], whole(f, old, call->span), call->span);
        IrValue *odd =
            ir_binary(f->arena, OP_ne,
                      ir_binary(f->arena, OP_mod, bytes, whole(f, new, call->span), call->span),
                      whole(f, 0, call->span), call->span);
        if (is_reported(f) && new > old)
            lower_fault_if(f, odd, "ValueError: the last axis does not hold whole elements",
                           call->span);
        extents[rank - 1] = lower_stable(
            f, ir_binary(f->arena, OP_floordiv, bytes, whole(f, new, call->span), call->span),
            "_extent");
    }
    bool strided = type->array.layout == LAYOUT_A && rank > 0;
    return operand_value(recast(f, array, like(f, type, element, rank, type->array.layout), extents,
                                strided ? 2 * rank : rank, call->span));
}

/* The axes in the order that transpose(1, 0, 2) gives; false after a complaint. */
static bool read_axes(FnState *f, const Call *call, int rank, int *axes)
{
    IrValue *extents[RANK_MAX];
    unsigned seen = 0;
    int count = read_extents(f, call, extents);
    bool ok = count == rank;
    for (int i = 0; ok && i < count; i++) {
        int64_t axis = ir_is_constant(extents[i]) ? extents[i]->constant.integer : RANK_MAX;
        axis += axis < 0 ? rank : 0;
        ok = axis >= 0 && axis < rank && !(seen & 1u << axis);
        if (ok)
            seen |= 1u << axis;
        axes[i] = (int)axis;
    }
    if (!ok && count >= 0)
        fail(f, call->span, "transpose takes each of the %d axes once, written out", rank);
    return ok;
}

static Operand lower_transpose(FnState *f, const Call *call, IrValue *array)
{
    const Type *type = array->type;
    int rank = type->array.rank, axes[RANK_MAX];
    IrValue *parts[2 * RANK_MAX];
    if (call->count == 0)
        return array_transposed(f, array, call->span);
    if (!read_axes(f, call, rank, axes))
        return operand_error(call->span);
    bool same = true, reversed = true;
    for (int i = 0; i < rank; i++) {
        same = same && axes[i] == i;
        reversed = reversed && axes[i] == rank - 1 - i;
    }
    if (same)
        return operand_value(array);
    if (reversed)
        return array_transposed(f, array, call->span);
    for (int i = 0; i < rank; i++) {
        parts[i] = lower_stable(f, array_extent(f, array, axes[i], call->span), "_extent");
        parts[rank + i] = lower_stable(f, array_stride(f, array, axes[i], call->span), "_stride");
    }
    return operand_value(recast(f, array, like(f, type, type->array.element, rank, LAYOUT_A), parts,
                                2 * rank, call->span));
}

/* ---- real and imag --------------------------------------------------------------------------- */

IrValue *array_part(FnState *f, IrValue *array, bool imag, Span span)
{
    const Type *type = array->type, *part = type_complex_part(type->array.element);
    if (f->constant_only)
        return lower_table_part(f, array, imag, span);
    int rank = type->array.rank;
    IrValue *parts[2 * RANK_MAX];
    for (int axis = 0; axis < rank; axis++) {
        parts[axis] = lower_stable(f, array_extent(f, array, axis, span), "_extent");
        parts[rank + axis] = lower_stable(f, array_stride(f, array, axis, span), "_stride");
    }
    IrValue *value = recast(f, array, like(f, type, part, rank, rank ? LAYOUT_A : LAYOUT_C), parts,
                            2 * rank, span);
    value->index = imag ? (int)type_size(part) : 0;
    return value;
}

/* ---- item and fill --------------------------------------------------------------------------- */

static Operand lower_item(FnState *f, const Call *call, IrValue *array)
{
    IrValue *indices[RANK_MAX];
    if (!call_takes(f, call, 0, 0))
        return operand_error(call->span);
    for (int axis = 0; axis < array->type->array.rank; axis++)
        indices[axis] = whole(f, 0, call->span);
    if (is_reported(f) && array->type->array.rank > 0)
        lower_fault_if(f,
                       ir_binary(f->arena, OP_ne, array_size(f, array, call->span),
                                 whole(f, 1, call->span), call->span),
                       "ValueError: item() is for arrays of one element", call->span);
    return operand_value(array_element(f, array, indices, call->span));
}

static Operand lower_fill_method(FnState *f, const Call *call, IrValue *array)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *value = call_value(f, call, 0);
    if (type_is_tuple(value->type))
        fail(f, call->args[0].span, "fill takes one value, and this is %s",
             describe(f, call->args[0]));
    else if (array->type->array.readonly)
        lower_readonly(f, array, call->span);
    else
        lower_fill(f, array, value, call->span);
    return operand_value(ir_value(f->arena, OP_zero, type_none, call->span, 0));
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef struct Method {
    const char *name;
    IrIntrinsic function; /* np.NAME, which does the same; INTR_COUNT if there is none in kernels */
    Operand (*lower)(FnState *f, const Call *call,
                     IrValue *array); /* NULL: the library's np.NAME */
} Method;

static const Method methods[] = {
    { "reshape", INTR_np_reshape, lower_reshape },
    { "ravel", INTR_np_ravel, lower_ravel },
    { "view", INTR_COUNT, lower_view_as },
    { "transpose", INTR_np_transpose, lower_transpose },
    { "item", INTR_COUNT, lower_item },
    { "fill", INTR_COUNT, lower_fill_method },
    { "sum", INTR_np_sum, lower_sum },
    { "prod", INTR_np_prod, lower_sum },
    { "mean", INTR_np_mean, lower_sum },
    { "min", INTR_np_min, lower_extreme },
    { "max", INTR_np_max, lower_extreme },
    { "argmin", INTR_np_argmin, lower_extreme },
    { "argmax", INTR_np_argmax, lower_extreme },
    { "any", INTR_np_any, lower_all },
    { "all", INTR_np_all, lower_all },
    { "var", INTR_COUNT, NULL },
    { "std", INTR_COUNT, NULL },
};

/* What would give a new array. */
static bool makes_array(const char *name)
{
    static const char *const names[] = {
        "copy",   "astype",  "flatten",  "cumsum",  "cumprod",   "dot",          "take",
        "repeat", "nonzero", "argsort",  "sort",    "clip",      "conj",         "conjugate",
        "round",  "squeeze", "swapaxes", "tolist",  "partition", "searchsorted", "diagonal",
        "trace",  "ptp",     "choose",   "compress"
    };
    return TEXT_IS_AMONG(name, names);
}

/* x.std(): the library's np.std(x) */
static Operand lower_in_library(FnState *f, const Call *call, IrValue *array, const char *name)
{
    if (reduction_refused(f, call, array))
        return operand_error(call->span);
    Operand arg = operand_value(array);
    Operand found = library_find(f, arena_printf(f->arena, "np.%s", name), call->span);
    return found.kind == OPD_FUNCTION ? lower_call_of(f, call->expr, found.function, &arg, 1)
                                      : operand_error(call->span);
}

static Operand apply_method(FnState *f, const Call *given, IrValue *array, const Method *method)
{
    Call named = *given;
    const Call *call = &named;
    named.name = arena_printf(f->arena, "%s()", method->name);
    named.intrinsic = method->function;
    if (call->expr->call.keyword_count)
        return fail_operand(f, call->expr->call.keywords[0].span, "%s takes no keywords",
                            call->name);
    for (int i = 0; i < call->count; i++)
        if (call->args[i].kind == OPD_ERROR ||
            (call->args[i].kind == OPD_VALUE && is_poison(call->args[i].value)))
            return operand_error(call->span);
    array = stable_array(f, array);
    return method->lower ? method->lower(f, call, array)
                         : lower_in_library(f, call, array, method->name);
}

bool is_method(FnState *f, const IrValue *value, const char *name, Span span)
{
    static const char *const of_numbers[] = { "item", "conjugate", "bit_count" };
    for (size_t i = 0; type_is_array(value->type) && i < ARRAY_COUNT(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return true;
    return (type_is_scalar(value->type) && TEXT_IS_AMONG(name, of_numbers)) ||
           library_method(f, value->type, name, span);
}

const char *attribute_advice(FnState *f, const IrValue *value, const char *name)
{
    static const char *const of_arrays[] = { "shape", "strides", "size", "ndim",  "itemsize",
                                             "dtype", "nbytes",  "flat", "flags", "ctypes",
                                             "real",  "imag",    "T" };
    static const char *const of_numbers[] = { "real",      "imag",      "item",
                                              "conjugate", "bit_count", "view" };
    const char *all[ARRAY_COUNT(of_arrays) + ARRAY_COUNT(methods) + ARRAY_COUNT(of_numbers)];
    size_t count = 0;
    bool array = type_is_array(value->type);
    for (size_t i = 0; array && i < ARRAY_COUNT(of_arrays); i++)
        all[count++] = of_arrays[i];
    for (size_t i = 0; array && i < ARRAY_COUNT(methods); i++)
        all[count++] = methods[i].name;
    for (size_t i = 0; type_is_scalar(value->type) && i < ARRAY_COUNT(of_numbers); i++)
        all[count++] = of_numbers[i];
    const char *near = diag_nearest(name, all, count);
    return near ? arena_printf(f->arena, "; did you mean '%s'?", near) : "";
}

Operand lower_method(FnState *f, const Call *call, IrValue *array, const char *name)
{
    if (is_poison(array))
        return operand_error(call->span);
    for (size_t i = 0; type_is_array(array->type) && i < ARRAY_COUNT(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return apply_method(f, call, array, &methods[i]);
    if (type_is_array(array->type) && makes_array(name))
        fail(f, call->span,
             "arrays have no '%s' in kernels, which have no heap for its result; write the loop",
             name);
    else
        fail(f, call->span, "%s has no method '%s' that kernels can use%s",
             describe(f, operand_value(array)), name, attribute_advice(f, array, name));
    return operand_error(call->span);
}

static const Method *method_of(IrIntrinsic function)
{
    if (function == INTR_np_amin || function == INTR_np_amax)
        function = function == INTR_np_amin ? INTR_np_min : INTR_np_max;
    const Method *method = methods;
    while (method->function != function)
        method++;
    return method;
}

/* np.sum(x) is x.sum() */
Operand lower_array_function(FnState *f, const Call *call)
{
    if (call->count < 1) {
        call_takes(f, call, 1, 2);
        return operand_error(call->span);
    }
    IrValue *array = call_value(f, call, 0);
    if (is_poison(array))
        return operand_error(call->span);
    if (!type_is_array(array->type))
        return fail_operand(f, call->args[0].span, "%s takes an array, and this is %s", call->name,
                            describe(f, call->args[0]));
    Call method = *call;
    method.args++;
    method.count--;
    return apply_method(f, &method, array, method_of(call->intrinsic));
}

/* np.shape(x), np.size(x), np.ndim(x) */
Operand lower_array_facts(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *array = call_value(f, call, 0);
    if (is_poison(array))
        return operand_error(call->span);
    if (call->intrinsic == INTR_np_ndim)
        return operand_value(
            whole(f, type_is_array(array->type) ? array->type->array.rank : 0, call->span));
    if (!type_is_array(array->type))
        return fail_operand(f, call->args[0].span, "%s takes an array, and this is %s", call->name,
                            describe(f, call->args[0]));
    return operand_value(call->intrinsic == INTR_np_size ? array_size(f, array, call->span)
                                                         : array_shape(f, array, call->span));
}
