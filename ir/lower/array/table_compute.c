/* What a module computes of constant arrays, element by element, with NumPy's types and its
** broadcasting: operators, functions, astype(). The elements are constants, so each result is what
** lowering makes of them. */
#include "ir/lower/array/table.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- elements ------------------------------------------------------------------------------ */

TableWalk table_walk(const TableView *view)
{
    TableWalk walk = { .view = view, .left = 1 };
    for (int axis = 0; axis < view->rank; axis++)
        walk.left *= view->shape[axis];
    return walk;
}

const unsigned char *table_next(TableWalk *walk)
{
    if (walk->left-- <= 0)
        return NULL;
    const unsigned char *here = ir_table_at(walk->view, walk->at);
    for (int axis = walk->view->rank - 1; axis >= 0; axis--) {
        if (++walk->at[axis] < walk->view->shape[axis])
            break;
        walk->at[axis] = 0;
    }
    return here;
}

/* ---- operands of one shape ------------------------------------------------------------------- */

enum { SIDES = 8 };

/* An operand: a view of an array, or a number for each element. */
typedef struct Side {
    IrValue *value;
    TableView view;
    bool array;
    TableWalk walk;
} Side;

static bool open_side(FnState *f, Side *side, IrValue *value)
{
    if (value->op == OP_tuple && !(value = lower_table_of(f, value)))
        return false; /* a list becomes an array, as in NumPy */
    *side = (Side){ .value = value, .array = type_is_array(value->type) };
    if (is_poison(value))
        return false;
    if (side->array
            ? ir_table_view(value, &side->view) && type_is_scalar(value->type->array.element)
            : ir_is_constant(value))
        return true;
    return fail(f, value->span,
                "constant arrays are computed of numbers and arrays that are constant");
}

static IrValue *next_of(FnState *f, Side *side)
{
    if (!side->array)
        return side->value;
    return array_read(f, ir_table_get(f->arena, side->value->type->array.element,
                                      table_next(&side->walk), side->value->span));
}

/* An element, or something of its type. */
static IrValue *sample_of(FnState *f, const Side *side, Span span)
{
    return side->array ? array_read(f, ir_zero(f->arena, side->value->type->array.element, span))
                       : side->value;
}

/* Whether the extents of a view go with those of the others so far, which they are added to: from
** the last axis on, equal or 1. */
static bool join_shape(TableView *whole, const TableView *view)
{
    for (int back = 1; back <= view->rank; back++) {
        int64_t extent = view->shape[view->rank - back];
        if (back > whole->rank) {
            memmove(whole->shape + 1, whole->shape, (size_t)whole->rank * sizeof(int64_t));
            whole->shape[0] = extent;
            whole->rank++;
            continue;
        }
        int64_t *known = &whole->shape[whole->rank - back];
        if (*known != extent && *known != 1 && extent != 1)
            return false;
        *known = *known == 1 ? extent : *known;
    }
    return true;
}

/* The view with the extents of `whole`: axes that it has not, or that are 1, repeat it. */
static void spread_view(TableView *view, const TableView *whole)
{
    TableView wide = *view;
    int more = whole->rank - view->rank;
    wide.rank = whole->rank;
    for (int axis = 0; axis < whole->rank; axis++) {
        bool repeats = axis < more || view->shape[axis - more] != whole->shape[axis];
        wide.shape[axis] = whole->shape[axis];
        wide.strides[axis] = repeats ? 0 : view->strides[axis - more];
    }
    *view = wide;
}

static bool broadcast(FnState *f, Side *sides, int count, TableView *whole, Span span)
{
    *whole = (TableView){ 0 };
    for (int i = 0; i < count; i++)
        if (sides[i].array && !join_shape(whole, &sides[i].view))
            return fail(f, span, "the extents of these constant arrays do not go together");
    for (int i = 0; i < count; i++) {
        if (sides[i].array)
            spread_view(&sides[i].view, whole);
        sides[i].walk = table_walk(&sides[i].view);
    }
    return true;
}

/* ---- element by element ---------------------------------------------------------------------- */

/* One element of the result, of one of each operand. */
typedef IrValue *ElementOf(FnState *f, const void *context, IrValue *const *items, Span span);

static IrValue *compute(FnState *f, Side *sides, int count, const Type *type, ElementOf *of,
                        const void *context, Span span)
{
    TableView whole;
    if (type->kind == TY_ERROR || !broadcast(f, sides, count, &whole, span))
        return lower_poison(f, span);
    IrTable *table = lower_table_new(f->arena, type, whole.rank, whole.shape);
    if (!table)
        return fail_value(f, span, "a constant array holds at most %d KB", TABLE_MAX / 1024);
    for (size_t at = 0; at < table->size; at += type_size(type)) {
        IrValue *items[SIDES];
        for (int i = 0; i < count; i++)
            items[i] = next_of(f, &sides[i]);
        const IrValue *result = of(f, context, items, span);
        if (is_poison(result))
            return lower_poison(f, span);
        if (!ir_is_constant(result))
            return fail_value(f, span, "this cannot be computed of constant arrays");
        ir_table_put(f->arena, (unsigned char *)table->bytes + at, type, result);
    }
    return lower_table_value(f, table, span);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static IrValue *element_itself(FnState *f, const void *context, IrValue *const *items, Span span)
{
    (void)f, (void)context, (void)span;
    return items[0];
}

static IrValue *table_as(FnState *f, IrValue *array, const Type *type, Span span)
{
    Side side;
    if (!open_side(f, &side, array))
        return lower_poison(f, span);
    return compute(f, &side, 1, type, element_itself, NULL, span);
}

IrValue *lower_table_copy(FnState *f, IrValue *array)
{
    return table_as(f, array, array->type->array.element, array->span);
}

bool lower_table_assign(FnState *f, const TableView *view, const IrValue *to, IrValue *value)
{
    const Type *element = to->type->array.element;
    Span span = value->span;
    Side side;
    if (!open_side(f, &side, value))
        return false;
    const Type *given = side.array ? side.value->type->array.element : side.value->type;
    TableView whole = *view;
    bool fits =
        !side.array || (join_shape(&whole, &side.view) && whole.rank == view->rank &&
                        !memcmp(whole.shape, view->shape, (size_t)view->rank * sizeof(int64_t)));
    if (!fits || !type_is_scalar(element) || !typing_can_store(given, element))
        return fail(f, span, "this does not fit where it is assigned to");
    if (side.array) { /* from a copy: it may look at the same memory */
        side.value = lower_table_copy(f, side.value);
        if (is_poison(side.value) || !ir_table_view(side.value, &side.view))
            return false;
        spread_view(&side.view, &whole);
        side.walk = table_walk(&side.view);
    }
    TableWalk walk = table_walk(view);
    for (const unsigned char *at; (at = table_next(&walk));)
        ir_table_put(f->arena, (unsigned char *)(uintptr_t)at, element, next_of(f, &side));
    return true;
}

/* ---- operators ------------------------------------------------------------------------------- */

static IrValue *element_of_operator(FnState *f, const void *op, IrValue *const *items, Span span)
{
    IrValue *known = lower_constant_binary(f, *(const AstOp *)op, items[0], items[1], span);
    return known ? known : lower_nep50(f, *(const AstOp *)op, items[0], items[1], span);
}

IrValue *lower_table_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    Side sides[2];
    if (!open_side(f, &sides[0], left) || !open_side(f, &sides[1], right))
        return lower_poison(f, span);
    IrValue *samples[] = { sample_of(f, &sides[0], span), sample_of(f, &sides[1], span) };
    if (samples[0]->type->kind == TY_BOOL && samples[1]->type->kind == TY_BOOL)
        op = op == AST_ADD ? AST_BITOR : op == AST_MUL ? AST_BITAND : op; /* as NumPy has it */
    const Type *type = lower_nep50(f, op, samples[0], samples[1], span)->type;
    return compute(f, sides, 2, type, element_of_operator, &op, span);
}

static IrValue *element_part(FnState *f, const void *imag, IrValue *const *items, Span span)
{
    const Type *part = type_complex_part(items[0]->type);
    return ir_number(f->arena, part,
                     *(const bool *)imag ? items[0]->constant.complex.imag
                                         : items[0]->constant.complex.real,
                     span);
}

IrValue *lower_table_part(FnState *f, IrValue *array, bool imag, Span span)
{
    Side side;
    if (!open_side(f, &side, array))
        return lower_poison(f, span);
    IrValue *part = compute(f, &side, 1, type_complex_part(array->type->array.element),
                            element_part, &imag, span);
    if (!module_is_standard(f->module)) {
        table_mark_viewed(array);
        table_mark_viewed(part);
    }
    return part;
}

static IrValue *element_of_comparison(FnState *f, const void *op, IrValue *const *items, Span span)
{
    return compare_values(f, *(const AstOp *)op, items[0], items[1], span);
}

IrValue *lower_table_compare(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    Side sides[2];
    if (!open_side(f, &sides[0], left) || !open_side(f, &sides[1], right))
        return lower_poison(f, span);
    return compute(f, sides, 2, type_bool, element_of_comparison, &op, span);
}

IrValue *lower_table_inverted(FnState *f, IrValue *array, Span span)
{
    bool bools = array->type->array.element->kind == TY_BOOL;
    IrValue *ones = ir_integer(f->arena, bools ? type_bool : type_int64, bools ? 1 : -1, span);
    ones->weak = true;
    return lower_table_binary(f, AST_BITXOR, array, ones, span);
}

IrValue *lower_table_negated(FnState *f, IrValue *array, Span span)
{
    bool integers = type_is_integer(array->type->array.element);
    IrValue *zero = integers ? ir_integer(f->arena, type_int64, 0, span)
                             : ir_number(f->arena, type_float64, -0.0, span);
    zero->weak = true;
    return lower_table_binary(f, AST_SUB, zero, array, span);
}

/* ---- functions ------------------------------------------------------------------------------- */

static IrValue *element_of_function(FnState *f, const void *call, IrValue *const *items, Span span)
{
    Call one = *(const Call *)call;
    one.args = arena_array(f->arena, Operand, one.count + 1);
    for (int i = 0; i < one.count; i++)
        one.args[i] = operand_value(items[i]);
    Operand result = lower_intrinsic(f, &one);
    return result.kind == OPD_VALUE ? result.value : lower_poison(f, span);
}

/* The float that NumPy's functions make of a number. */
static const Type *float_of(const Type *type)
{
    if (type_is_float(type) || type_is_complex(type))
        return type;
    return type_size(type) == 1   ? type_of(FLOAT16)
           : type_size(type) == 2 ? type_float32
                                  : type_float64;
}

/* The type that NumPy gives the results of a function of such operands; NULL if it is none that
** arrays are computed with. */
static const Type *function_type(FnState *f, const Call *call, const Side *sides)
{
    IrValue *common = sample_of(f, &sides[0], call->span);
    for (int i = 1; i < call->count; i++)
        common = lower_nep50(f, AST_ADD, common, sample_of(f, &sides[i], call->span), call->span);
    switch (ir_intrinsics[call->intrinsic].rule) {
    case RULE_MATH1:
    case RULE_MATH2:
        return float_of(common->type);
    case RULE_TEST1:
        return type_bool;
    case RULE_ABS:
        return type_is_complex(common->type) ? type_complex_part(common->type) : common->type;
    case RULE_MINMAX:
    case RULE_POW:
        return common->type;
    default:
        return NULL;
    }
}

static Operand cast_table(FnState *f, IrValue *array, const Type *type, Span span)
{
    const Type *from = array->type->array.element;
    if (type && type_is_scalar(type) && typing_can_store(from, type))
        return operand_value(table_as(f, array, type, span));
    if (type)
        fail(f, span, "an array of %s cannot become one of %s", type_name(f->arena, from),
             type_name(f->arena, type));
    return operand_error(span);
}

static Operand apply_function(FnState *f, const Call *call)
{
    Side sides[SIDES];
    for (int i = 0; i < call->count; i++)
        if (i == SIDES || call->args[i].kind != OPD_VALUE) /* the function itself complains */
            return (Operand){ .kind = OPD_NONE, .span = call->span };
        else if (!open_side(f, &sides[i], call->args[i].value))
            return operand_error(call->span);
    const Type *type = function_type(f, call, sides);
    return type ? operand_value(
                      compute(f, sides, call->count, type, element_of_function, call, call->span))
                : (Operand){ .kind = OPD_NONE, .span = call->span };
}

static bool takes_array(const Call *call)
{
    for (int i = 0; i < call->count; i++)
        if (call->args[i].kind == OPD_VALUE && type_is_array(call->args[i].value->type))
            return true;
    return false;
}

typedef struct LibraryCall {
    const Call *call;
    Operand callee;
} LibraryCall;

static IrValue *element_of_library(FnState *f, const void *context, IrValue *const *items,
                                   Span span)
{
    const LibraryCall *of = context;
    const Call *one = of->call;
    Operand *args = arena_array(f->arena, Operand, one->count + 1);
    for (int i = 0; i < one->count; i++)
        args[i] = operand_value(items[i]);
    Operand result = lower_apply(f, one->expr, of->callee, args, one->count);
    return result.kind == OPD_VALUE ? result.value : lower_poison(f, span);
}

/* A function of NumPy's that is written in the language, and takes numbers: element by element. */
static Operand apply_library(FnState *f, const Call *call, const Operand *callee)
{
    const LibraryCall of = { call, *callee };
    Side sides[SIDES];
    IrValue *samples[SIDES];
    for (int i = 0; i < call->count; i++) {
        const Operand *arg = &call->args[i];
        if (i == SIDES || (arg->kind != OPD_VALUE && arg->kind != OPD_ERROR))
            fail(f, arg->span, "constant arrays are computed of numbers and arrays, and this is %s",
                 describe(f, *arg));
        if (i == SIDES || arg->kind != OPD_VALUE || !open_side(f, &sides[i], arg->value))
            return operand_error(call->span);
        sides[i].walk = table_walk(&sides[i].view);
        samples[i] = sides[i].array && sides[i].walk.left ? next_of(f, &sides[i])
                                                          : sample_of(f, &sides[i], call->span);
    }
    const IrValue *sample = element_of_library(f, &of, samples, call->span);
    if (is_poison(sample))
        return operand_error(call->span);
    return operand_value(
        compute(f, sides, call->count, sample->type, element_of_library, &of, call->span));
}

/* Whether it is one that NumPy applies to each element: it says so by a parameter `out`, is one of
** these, or one of cmath's. */
static bool is_ufunc(const Operand *callee)
{
    static const char *const others[] = { "clip", "round", "around", "sinc", "angle",
                                          "exp",  "sqrt",  "log",    "sin",  "cos",
                                          "tan",  "log10", "sinh",   "cosh", "tanh" };
    if (callee->kind != OPD_FUNCTION || !module_is_standard(callee->function->module))
        return false;
    return library_out_place(callee->function) >= 0 ||
           TEXT_IS_AMONG(callee->function->name, others);
}

/* Whether the call gives a function an array to write to, which the function itself fills: of what
** the array may overlap with, copies are read, as NumPy does. */
static bool gives_out(FnState *f, const Call *call, const Operand *callee)
{
    const AstExpr *expr = call->expr;
    int count = call->count + expr->call.keyword_count, place = -1;
    if (is_ufunc(callee) && library_out_place(callee->function) < call->count)
        place = library_out_place(callee->function);
    for (int i = call->count; i < count && is_ufunc(callee); i++) {
        const char *name = expr->call.keywords[i - call->count].name;
        place = name && strcmp(name, "out") == 0 ? i : place;
    }
    if (place < 0 || operand_is_none(call->args[place]))
        return false;
    for (int i = 0; i < count; i++)
        if (i != place && call->args[i].kind == OPD_VALUE &&
            type_is_array(call->args[i].value->type))
            call->args[i].value = lower_table_copy(f, call->args[i].value);
    return true;
}

Operand lower_table_function(FnState *f, const Call *call, const Operand *callee)
{
    Operand none = { .kind = OPD_NONE, .span = call->span };
    if (!takes_array(call))
        return none;
    if (gives_out(f, call, callee) || call->expr->call.keyword_count)
        return none;
    if (callee->kind == OPD_TYPE)
        return call->count == 1 ? cast_table(f, call->args[0].value, callee->type, call->span)
                                : none;
    if (is_ufunc(callee))
        return apply_library(f, call, callee);
    return callee->kind == OPD_INTRINSIC ? apply_function(f, call) : none;
}

const char *lower_callee_name(const Operand *callee)
{
    if (callee->kind == OPD_METHOD)
        return callee->method.name;
    const char *path = callee->kind == OPD_INTRINSIC ? ir_intrinsics[callee->intrinsic].path : NULL;
    const char *dot = path ? strrchr(path, '.') : NULL;
    return callee->kind == OPD_FUNCTION ? callee->function->name : dot ? dot + 1 : path;
}

void table_mark_viewed(const IrValue *value)
{
    TableView view;
    for (int i = 0; value->op == OP_tuple && i < value->count; i++)
        table_mark_viewed(value->operands[i]);
    if (type_is_array(value->type) && ir_table_view(value, &view))
        ((IrTable *)(uintptr_t)view.table)->viewed = true;
}

static bool is_of_table(const IrValue *value, const IrValue *array)
{
    TableView a, b;
    return type_is_array(value->type) && ir_table_view(value, &a) && ir_table_view(array, &b) &&
           a.table == b.table;
}

void lower_table_note_view(const Call *call, const Operand *callee, const Operand *out)
{
    const char *name = lower_callee_name(callee);
    bool keeps = name && strcmp(name, "astype") == 0 && call->expr->call.keyword_count > 0;
    if (!name || out->kind != OPD_VALUE || !(keeps || builtin_looks_at(name)) ||
        (!type_is_array(out->value->type) && !type_is_tuple(out->value->type)))
        return;
    for (int i = callee->kind == OPD_METHOD ? -1 : 0; i < call->count; i++) {
        const IrValue *of = i < 0                             ? callee->method.object
                            : call->args[i].kind == OPD_VALUE ? call->args[i].value
                                                              : NULL;
        if (!of || !type_is_array(of->type) || is_of_table(out->value, of))
            continue;
        table_mark_viewed(of);
        table_mark_viewed(out->value);
    }
}

/* ---- methods --------------------------------------------------------------------------------- */

static bool is_of_library(const char *name)
{
    static const char *const names[] = { "tolist",  "dot",     "cumsum", "cumprod",  "repeat",
                                         "argsort", "nonzero", "trace",  "squeeze",  "diagonal",
                                         "conj",    "clip",    "round",  "conjugate" };
    return TEXT_IS_AMONG(name, names);
}

/* x.f(y) that is np.f(x, y). */
static Operand library_method_of(FnState *f, const Call *call, IrValue *array)
{
    const char *path = arena_printf(f->arena, "np.%s", call->name);
    Operand function = library_find_array(f, path, call->span);
    Operand *args = arena_array(f->arena, Operand, call->count + 1);
    args[0] = operand_value(array);
    memcpy(args + 1, call->args, (size_t)call->count * sizeof args[0]);
    if (function.kind == OPD_ERROR)
        function = library_find(f, path, call->span);
    return lower_apply(f, call->expr, function, args, call->count + 1);
}

Operand lower_table_method(FnState *f, const Call *call, IrValue *array)
{
    TableView view;
    const Type *element = array->type->array.element;
    bool copy = strcmp(call->name, "copy") == 0;
    Operand none = { .kind = OPD_NONE, .span = call->span };
    if (!ir_table_view(array, &view) || !type_is_scalar(element))
        return none;
    if (copy || strcmp(call->name, "astype") == 0) {
        if (!call_takes(f, call, !copy, !copy))
            return operand_error(call->span);
        return cast_table(f, array, copy ? element : dtype_argument(f, &call->args[0]), call->span);
    }
    if (strcmp(call->name, "flatten") == 0 && call->count == 0)
        return operand_value(array_flat(f, table_as(f, array, element, call->span), call->span));
    if (call->expr->call.keyword_count == 0 && is_of_library(call->name))
        return library_method_of(f, call, array);
    return none;
}
