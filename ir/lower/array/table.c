/* What makes constant arrays at module level: np.array([...]), np.zeros(shape) and their like, with
** NumPy's rules for dtypes and extents.
**
** They are evaluated from the tree, since lists are no values, and give an OP_var of kind
** VAR_CONSTANT that belongs to no function yet: table_value.c. */
#include "ir/lower/array/table.h"

#include <math.h>

/* ---- arguments ----------------------------------------------------------------------------- */

bool take_arguments(Maker *m, const char *const names[SLOTS])
{
    int known = 0;
    while (known < SLOTS && names[known])
        known++;
    if (m->call->call.args.count > known)
        return fail(m->f, m->call->span, "%s takes at most %d arguments", m->path, known);
    for (int i = 0; i < m->call->call.args.count; i++)
        m->slots[i] = m->call->call.args.items[i];
    for (int i = 0; i < m->call->call.keyword_count; i++) {
        const AstKeyword *keyword = &m->call->call.keywords[i];
        int at = 0;
        while (at < known && !(keyword->name && strcmp(names[at], keyword->name) == 0))
            at++;
        if (at == known || m->slots[at])
            return fail(m->f, keyword->span,
                        at == known ? "%s has no parameter '%s'" : "%s gets '%s' twice", m->path,
                        keyword->name ? keyword->name : "**");
        m->slots[at] = keyword->value;
    }
    return true;
}

/* A slot that says how elements lie, where rows are all that there is. */
bool take_order(const Maker *m, int slot)
{
    if (!m->slots[slot])
        return true;
    Operand order = lower_expr(m->f, m->slots[slot]);
    if (order.kind == OPD_STRING && strchr("CKA", order.string.text[0]))
        return true;
    return fail(m->f, m->slots[slot]->span,
                "the rows of a constant array lie whole: order is \"C\"");
}

/* The type that a slot names; `*type` stays as it is where nothing is given. */
bool take_dtype(const Maker *m, int slot, const Type **type)
{
    if (!m->slots[slot])
        return true;
    Operand dtype = lower_expr(m->f, m->slots[slot]);
    if (dtype.kind == OPD_NONE)
        return true;
    const Type *named = dtype.kind == OPD_INTRINSIC && dtype.intrinsic == INTR_complex_
                            ? type_of(COMPLEX128)
                            : dtype_argument(m->f, &dtype);
    if (named)
        *type = named;
    return named != NULL;
}

/* A scalar constant. NULL after a complaint. */
IrValue *take_scalar(const Maker *m, const AstExpr *expr)
{
    IrValue *value = lower_value(m->f, expr);
    if (value->type->kind == TY_ERROR)
        return NULL;
    if (ir_is_constant(value) && type_is_scalar(value->type))
        return value;
    return fail_null(m->f, expr->span,
                     "%s takes a number here that is known before the kernel is compiled", m->path);
}

/* An integer or a tuple of them as extents; -1 after a complaint. */
static int take_shape(const Maker *m, const AstExpr *expr, int64_t *shape)
{
    IrValue *value = lower_value(m->f, expr);
    bool tuple = type_is_tuple(value->type);
    int rank = tuple ? value->type->tuple.count : 1;
    if (value->type->kind == TY_ERROR)
        return -1;
    if (rank > RANK_MAX) {
        fail(m->f, expr->span, "an array has at most %d axes", RANK_MAX);
        return -1;
    }
    for (int axis = 0; axis < rank; axis++) {
        const IrValue *extent = tuple ? ir_item(m->f->arena, value, axis, expr->span) : value;
        if (!ir_is_constant(extent) || !type_is_integer(extent->type) ||
            extent->constant.integer < 0) {
            fail(m->f, expr->span, "a shape is an integer or a tuple of integers, none below 0");
            return -1;
        }
        shape[axis] = extent->constant.integer;
    }
    return rank;
}

/* ---- the array ----------------------------------------------------------------------------- */

/* An array of zeros, to be filled; NULL after a complaint that it is too big. */
IrTable *maker_table(FnState *f, const Type *element, int rank, const int64_t *shape, Span span)
{
    IrTable *table = lower_table_new(f->arena, element, rank, shape);
    if (!table)
        fail(f, span, "a constant array holds at most %d KB; pass this one as an argument",
             TABLE_MAX / 1024);
    return table;
}

/* np.zeros, np.ones, np.empty (shape, dtype) */
static IrTable *make_filled(Maker *m, int fill)
{
    static const char *const names[SLOTS] = { "shape", "dtype", "order" };
    const Type *element = type_float64;
    int64_t shape[RANK_MAX];
    int rank;
    if (!take_arguments(m, names) || !take_order(m, 2) || !take_dtype(m, 1, &element))
        return NULL;
    if (!m->slots[0])
        return fail_null(m->f, m->call->span, "%s needs a shape", m->path);
    if ((rank = take_shape(m, m->slots[0], shape)) < 0)
        return NULL;
    IrTable *table = maker_table(m->f, element, rank, shape, m->call->span);
    const IrValue *one = ir_integer(m->f->arena, type_int64, fill, m->call->span);
    for (int64_t i = 0; table && fill && type_is_scalar(element) && i < ir_table_count(table); i++)
        ir_table_put(m->f->arena, table_element(table, i), element, one);
    return table;
}

/* np.full(shape, value, dtype) */
static IrTable *make_full(Maker *m)
{
    static const char *const names[SLOTS] = { "shape", "fill_value", "dtype", "order" };
    int64_t shape[RANK_MAX];
    IrValue *value;
    int rank;
    if (!take_arguments(m, names) || !take_order(m, 3))
        return NULL;
    if (!m->slots[0] || !m->slots[1])
        return fail_null(m->f, m->call->span, "np.full needs a shape and a value");
    if ((rank = take_shape(m, m->slots[0], shape)) < 0 || !(value = take_scalar(m, m->slots[1])))
        return NULL;
    const Type *element = value->type;
    if (!take_dtype(m, 2, &element))
        return NULL;
    if (!type_is_scalar(element) || !typing_can_store(value->type, element))
        return fail_null(m->f, m->slots[1]->span, "an array of %s cannot be filled with this",
                         type_name(m->f->arena, element));
    IrTable *table = maker_table(m->f, element, rank, shape, m->call->span);
    for (int64_t i = 0; table && i < ir_table_count(table); i++)
        ir_table_put(m->f->arena, table_element(table, i), element, value);
    return table;
}

/* ---- ranges -------------------------------------------------------------------------------- */

/* Element number i of a range that begins with these two, computed as NumPy does. */
static const IrValue *range_element(Arena *arena, const Type *type, const IrValue *first,
                                    const IrValue *second, int64_t i, Span span)
{
    if (type_is_integer(type)) {
        uint64_t a = (uint64_t)fold_cast(arena, type_int64, first, span)->constant.integer;
        uint64_t b = (uint64_t)fold_cast(arena, type_int64, second, span)->constant.integer;
        return ir_integer(arena, type_int64, (int64_t)(a + (uint64_t)i * (b - a)), span);
    }
    double a = fold_cast(arena, type, first, span)->constant.number;
    double b = fold_cast(arena, type, second, span)->constant.number;
    if (type == type_float64)
        return ir_number(arena, type, a + (double)i * (b - a), span);
    float delta = (float)b - (float)a;
    return ir_number(arena, type, (double)((float)a + (float)i * delta), span);
}

/* np.arange([start,] stop[, step], dtype) */
static IrTable *make_arange(Maker *m)
{
    static const char *const names[SLOTS] = { "start", "stop", "step", "dtype" };
    Arena *arena = m->f->arena;
    Span span = m->call->span;
    IrValue *given[3];
    if (!take_arguments(m, names))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (!(given[i] = m->slots[i] ? take_scalar(m, m->slots[i])
                                     : ir_integer(arena, type_int64, i == 2, span)))
            return NULL;
    if (m->slots[0] && !m->slots[1]) { /* the one argument is where it ends */
        given[1] = given[0];
        given[0] = ir_integer(arena, type_int64, 0, span);
    }
    const Type *element = type_int64;
    for (int i = 0; i < 3; i++) {
        if (!type_is_real(given[i]->type))
            return fail_null(m->f, given[i]->span, "np.arange counts real numbers");
        element = typing_unify(m->f->types, element, given[i]->type);
    }
    if (!take_dtype(m, 3, &element))
        return NULL;
    double start = constant_number(arena, given[0]), step = constant_number(arena, given[2]);
    double count = ceil((constant_number(arena, given[1]) - start) / step);
    if (step == 0 || isnan(count) || !(type_is_float(element) || type_is_integer(element)))
        return fail_null(m->f, span,
                         step == 0 ? "the step of np.arange cannot be 0"
                                   : "np.arange counts real numbers that are finite");
    int64_t shape[] = { count < 0 ? 0 : count > TABLE_MAX ? TABLE_MAX + 1 : (int64_t)count };
    IrTable *table = maker_table(m->f, element, 1, shape, span);
    IrValue *next = lower_binary(m->f, AST_ADD, given[0], given[2], span);
    for (int64_t i = 0; table && i < shape[0]; i++)
        ir_table_put(arena, table_element(table, i), element,
                     range_element(arena, element, given[0], next, i, span));
    return table;
}

/* ---- the call ------------------------------------------------------------------------------ */

static IrTable *make_table(Maker *m, IrIntrinsic intrinsic)
{
    switch (intrinsic) {
    case INTR_np_zeros:
    case INTR_np_empty:
        return make_filled(m, 0);
    case INTR_np_ones:
        return make_filled(m, 1);
    case INTR_np_full:
        return make_full(m);
    case INTR_np_arange:
        return make_arange(m);
    case INTR_np_frombuffer:
        return make_frombuffer(m);
    default:
        return make_array(m);
    }
}

/* cuda.to_device(a): kernels read what it holds then. */
static Operand device_array(const Maker *m)
{
    const AstExprs *args = &m->call->call.args;
    TableView view;
    IrValue *array = args->count == 1 ? lower_value(m->f, args->items[0]) : NULL;
    if (array && type_is_tuple(array->type)) /* a list becomes an array, as in NumPy */
        array = lower_table_of(m->f, array);
    else if (!array)
        fail(m->f, m->call->span, "%s needs an array", m->path);
    if (!array || is_poison(array))
        return operand_error(m->call->span);
    if (type_is_array(array->type) && ir_table_view(array, &view))
        return operand_value(array);
    return fail_operand(m->f, args->items[0]->span, "%s takes a constant array, and this is %s",
                        m->path, describe(m->f, operand_value(array)));
}

Operand lower_table(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr)
{
    Maker m = { .f = f, .call = expr, .path = ir_intrinsics[intrinsic].path };
    if (!f->constant_only)
        return fail_operand(f, expr->span, "kernels cannot use '%s': %s%s", m.path,
                            builtin_refusal(f->arena, m.path),
                            intrinsic == INTR_to_device ? "; give the kernel the array"
                                                        : "; or make it a constant of the module");
    if (intrinsic == INTR_to_device)
        return device_array(&m);
    IrTable *table = make_table(&m, intrinsic);
    return table ? operand_value(lower_table_value(f, table, expr->span))
                 : operand_error(expr->span);
}
