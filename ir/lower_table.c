/* What makes constant arrays at module level: np.array([...]), np.zeros(shape) and their like, with
** NumPy's rules for dtypes and extents.
**
** They are evaluated from the tree, since lists are no values, and give an OP_var of kind
** VAR_CONSTANT that belongs to no function yet: lower_table_value.c. */
#include "ir/lower_array.h"
#include "ir/lower_builtin.h"
#include "ir/lower_function.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 7 };

/* A call taken apart: an expression for each parameter, NULL where none is given. */
typedef struct Maker {
    FnState *f;
    const AstExpr *call;
    const char *path;
    const AstExpr *slots[SLOTS];
} Maker;

/* ---- arguments ----------------------------------------------------------------------------- */

static bool take_arguments(Maker *m, const char *const names[SLOTS])
{
    int known = 0;
    while (known < SLOTS && names[known])
        known++;
    if (m->call->call.args.count > known) {
        fail(m->f, m->call->span, "%s takes at most %d arguments", m->path, known);
        return false;
    }
    for (int i = 0; i < m->call->call.args.count; i++)
        m->slots[i] = m->call->call.args.items[i];
    for (int i = 0; i < m->call->call.keyword_count; i++) {
        const AstKeyword *keyword = &m->call->call.keywords[i];
        int at = 0;
        while (at < known && !(keyword->name && strcmp(names[at], keyword->name) == 0))
            at++;
        if (at == known || m->slots[at]) {
            fail(m->f, keyword->span,
                 at == known ? "%s has no parameter '%s'" : "%s gets '%s' twice", m->path,
                 keyword->name ? keyword->name : "**");
            return false;
        }
        m->slots[at] = keyword->value;
    }
    return true;
}

/* A slot that says how elements lie, where rows are all that there is. */
static bool take_order(const Maker *m, int slot)
{
    if (!m->slots[slot])
        return true;
    Operand order = lower_expr(m->f, m->slots[slot]);
    if (order.kind == OPD_STRING && strchr("CKA", order.string.text[0]))
        return true;
    fail(m->f, m->slots[slot]->span, "the rows of a constant array lie whole: order is \"C\"");
    return false;
}

/* The type that a slot names; `*type` stays as it is where nothing is given. */
static bool take_dtype(const Maker *m, int slot, const Type **type)
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
static IrValue *take_scalar(const Maker *m, const AstExpr *expr)
{
    IrValue *value = lower_value(m->f, expr);
    if (value->type->kind == TY_ERROR)
        return NULL;
    if (ir_is_constant(value) && type_is_scalar(value->type))
        return value;
    fail(m->f, expr->span, "%s takes a number here that is known before the kernel is compiled",
         m->path);
    return NULL;
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
static IrTable *new_table(FnState *f, const Type *element, int rank, const int64_t *shape,
                          Span span)
{
    IrTable *table = lower_table_new(f->arena, element, rank, shape);
    if (!table)
        fail(f, span, "a constant array holds at most %d KB; pass this one as an argument",
             TABLE_MAX / 1024);
    return table;
}

static int64_t elements_of(const IrTable *table)
{
    return (int64_t)(table->size / type_size(table->element));
}

static unsigned char *element_at(IrTable *table, int64_t index)
{
    return (unsigned char *)table->bytes + (size_t)index * type_size(table->element);
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
    if (!m->slots[0]) {
        fail(m->f, m->call->span, "%s needs a shape", m->path);
        return NULL;
    }
    if ((rank = take_shape(m, m->slots[0], shape)) < 0)
        return NULL;
    IrTable *table = new_table(m->f, element, rank, shape, m->call->span);
    const IrValue *one = ir_integer(m->f->arena, type_int64, fill, m->call->span);
    for (int64_t i = 0; table && fill && type_is_scalar(element) && i < elements_of(table); i++)
        ir_table_put(m->f->arena, element_at(table, i), element, one);
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
    if (!m->slots[0] || !m->slots[1]) {
        fail(m->f, m->call->span, "np.full needs a shape and a value");
        return NULL;
    }
    if ((rank = take_shape(m, m->slots[0], shape)) < 0 || !(value = take_scalar(m, m->slots[1])))
        return NULL;
    const Type *element = value->type;
    if (!take_dtype(m, 2, &element))
        return NULL;
    if (!type_is_scalar(element) || !typing_can_store(value->type, element)) {
        fail(m->f, m->slots[1]->span, "an array of %s cannot be filled with this",
             type_name(m->f->arena, element));
        return NULL;
    }
    IrTable *table = new_table(m->f, element, rank, shape, m->call->span);
    for (int64_t i = 0; table && i < elements_of(table); i++)
        ir_table_put(m->f->arena, element_at(table, i), element, value);
    return table;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static double as_double(Arena *arena, const IrValue *value)
{
    return fold_cast(arena, type_float64, value, value->span)->constant.number;
}

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
        if (!type_is_real(given[i]->type)) {
            fail(m->f, given[i]->span, "np.arange counts real numbers");
            return NULL;
        }
        element = typing_unify(m->f->types, element, given[i]->type);
    }
    if (!take_dtype(m, 3, &element))
        return NULL;
    double start = as_double(arena, given[0]), step = as_double(arena, given[2]);
    double count = ceil((as_double(arena, given[1]) - start) / step);
    if (step == 0 || isnan(count) || !(type_is_float(element) || type_is_integer(element))) {
        fail(m->f, span,
             step == 0 ? "the step of np.arange cannot be 0"
                       : "np.arange counts real numbers that are finite");
        return NULL;
    }
    int64_t shape[] = { count < 0 ? 0 : count > TABLE_MAX ? TABLE_MAX + 1 : (int64_t)count };
    IrTable *table = new_table(m->f, element, 1, shape, span);
    IrValue *next = lower_binary(m->f, AST_ADD, given[0], given[2], span);
    for (int64_t i = 0; table && i < shape[0]; i++)
        ir_table_put(arena, element_at(table, i), element,
                     range_element(arena, element, given[0], next, i, span));
    return table;
}

/* np.linspace(start, stop, num=50, endpoint=True, dtype=) */
static IrTable *make_linspace(Maker *m)
{
    static const char *const names[SLOTS] = {
        "start", "stop", "num", "endpoint", "retstep", "dtype"
    };
    Arena *arena = m->f->arena;
    Span span = m->call->span;
    const Type *element = type_float64;
    IrValue *given[4];
    if (!take_arguments(m, names) || !take_dtype(m, 5, &element))
        return NULL;
    for (int i = 0; i < 4; i++)
        if (!(given[i] = m->slots[i] ? take_scalar(m, m->slots[i])
                                     : ir_integer(arena, i == 3 ? type_bool : type_int64,
                                                  i == 2 ? 50 : 1, span)))
            return NULL;
    bool real = type_is_real(given[0]->type) && type_is_real(given[1]->type) &&
                type_is_integer(given[2]->type) && type_is_real(element);
    if (!m->slots[1] || !real || given[2]->constant.integer < 0 || m->slots[4]) {
        fail(m->f, span,
             "np.linspace takes two real numbers, how many elements, endpoint and dtype");
        return NULL;
    }
    double start = as_double(arena, given[0]), stop = as_double(arena, given[1]);
    bool ends = as_double(arena, given[3]) != 0;
    int64_t shape[] = { given[2]->constant.integer };
    double parts = (double)(ends ? shape[0] - 1 : shape[0]), step = (stop - start) / parts;
    IrTable *table = new_table(m->f, element, 1, shape, span);
    for (int64_t i = 0; table && i < shape[0]; i++) {
        double x = parts <= 0           ? start
                   : step == 0          ? (double)i / parts * (stop - start) + start
                   : ends && i == parts ? stop
                                        : (double)i * step + start;
        x = type_is_integer(element) ? floor(x) : x;
        ir_table_put(arena, element_at(table, i), element, ir_number(arena, type_float64, x, span));
    }
    return table;
}

/* ---- np.array ------------------------------------------------------------------------------ */

/* The elements of nested lists, in order, and the extents that all rows agree on. */
typedef struct Items {
    const Maker *maker;
    bool records; /* tuples are elements, not axes */
    int rank;     /* once the first element is seen, else -1 */
    int64_t shape[RANK_MAX];
    int known; /* extents that are */
    const AstExpr **exprs;
    IrValue **values; /* NULL for records */
    int count, capacity, value_capacity;
} Items;

static bool ragged(const Items *items, Span span)
{
    fail(items->maker->f, span, "the rows of an array are of one length");
    return false;
}

/* Notes that an axis has so many elements. */
static bool note_axis(Items *items, int depth, int64_t count, Span span)
{
    if (depth == RANK_MAX) {
        fail(items->maker->f, span, "an array has at most %d axes", RANK_MAX);
        return false;
    }
    if (items->rank >= 0 && depth >= items->rank)
        return ragged(items, span);
    if (depth < items->known)
        return items->shape[depth] == count || ragged(items, span);
    items->shape[depth] = count;
    items->known = depth + 1;
    return true;
}

static bool put_item(Items *items, int depth, const AstExpr *expr, IrValue *value, Span span)
{
    Arena *arena = items->maker->f->arena;
    int count = items->count;
    if (items->known != depth || (items->rank >= 0 && items->rank != depth))
        return ragged(items, span);
    items->rank = depth;
    array_push(arena, items->exprs, items->count, items->capacity) = expr;
    array_push(arena, items->values, count, items->value_capacity) = value;
    return true;
}

static bool put_table(Items *items, int depth, IrValue *array, const TableView *view)
{
    int64_t at[RANK_MAX] = { 0 }, count = 1;
    for (int axis = 0; axis < view->rank; axis++) {
        if (!note_axis(items, depth + axis, view->shape[axis], array->span))
            return false;
        count *= view->shape[axis];
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        for (int axis = view->rank - 1; axis >= 0; axis--) {
            at[axis] = rest % view->shape[axis];
            rest /= view->shape[axis];
        }
        IrValue *value = ir_table_get(items->maker->f->arena, array->type->array.element,
                                      ir_table_at(view, at), array->span);
        if (!put_item(items, depth + view->rank, NULL, value, array->span))
            return false;
    }
    return true;
}

static bool not_constant(const Items *items, Span span)
{
    fail(items->maker->f, span,
         "the elements of a constant array are numbers that are known before the kernel is "
         "compiled");
    return false;
}

/* A constant: a number, a tuple of such, or an array. */
static bool read_value(Items *items, int depth, IrValue *value, const AstExpr *expr)
{
    TableView view;
    if (value->type->kind == TY_ERROR)
        return false;
    if (value->op == OP_tuple) {
        if (!note_axis(items, depth, value->count, expr->span))
            return false;
        for (int i = 0; i < value->count; i++)
            if (!read_value(items, depth + 1, value->operands[i], expr))
                return false;
        return true;
    }
    if (type_is_array(value->type) && type_is_scalar(value->type->array.element) &&
        ir_table_view(value, &view))
        return put_table(items, depth, value, &view);
    if (ir_is_constant(value) && type_is_scalar(value->type))
        return put_item(items, depth, expr, value, expr->span);
    return not_constant(items, expr->span);
}

static bool read_operand(Items *items, int depth, Operand operand, const AstExpr *expr)
{
    if (operand.kind == OPD_VALUE)
        return read_value(items, depth, operand.value, expr);
    return operand.kind != OPD_ERROR && not_constant(items, expr->span);
}

/* A name that stands for a list of the module's is that list. */
static const AstExpr *look_through(FnState *f, const AstExpr *expr)
{
    for (int links = 0; expr->kind == AST_NAME && links < 16; links++) {
        const Symbol *symbol = module_symbol(f->module, expr->name.name);
        const AstExpr *meant = symbol ? constant_expr(f->lower, symbol) : NULL;
        if (!meant || (meant->kind != AST_LIST && meant->kind != AST_NAME))
            break;
        expr = meant;
    }
    return expr;
}

static bool read_items(Items *items, int depth, const AstExpr *expr)
{
    expr = look_through(items->maker->f, expr);
    if (items->records && expr->kind != AST_LIST)
        return put_item(items, depth, expr, NULL, expr->span);
    if (expr->kind != AST_LIST && expr->kind != AST_TUPLE)
        return read_operand(items, depth, lower_expr(items->maker->f, expr), expr);
    if (!note_axis(items, depth, expr->list.items.count, expr->span))
        return false;
    for (int i = 0; i < expr->list.items.count; i++)
        if (!read_items(items, depth + 1, expr->list.items.items[i]))
            return false;
    return true;
}

/* One scalar into its place. */
static bool put_scalar(const Maker *m, unsigned char *to, const Type *type, const IrValue *value,
                       Span span)
{
    if (typing_can_store(value->type, type)) {
        ir_table_put(m->f->arena, to, type, value);
        return true;
    }
    fail(m->f, span, "an array of %s cannot hold a %s", type_name(m->f->arena, type),
         type_name(m->f->arena, value->type));
    return false;
}

static bool put_record(const Maker *m, unsigned char *to, const Type *type, const AstExpr *expr);

/* A field from axis `axis` of its own on. */
static bool put_field(const Maker *m, unsigned char *to, const RecordField *field, int axis,
                      const AstExpr *expr)
{
    if (axis < field->rank) {
        int64_t bytes = (int64_t)type_size(field->type);
        for (int i = axis + 1; i < field->rank; i++)
            bytes *= field->shape[i];
        expr = look_through(m->f, expr);
        if ((expr->kind != AST_LIST && expr->kind != AST_TUPLE) ||
            expr->list.items.count != field->shape[axis]) {
            fail(m->f, expr->span, "the field '%s' takes %lld items here", field->name,
                 (long long)field->shape[axis]);
            return false;
        }
        for (int i = 0; i < expr->list.items.count; i++)
            if (!put_field(m, to + i * bytes, field, axis + 1, expr->list.items.items[i]))
                return false;
        return true;
    }
    if (type_is_record(field->type))
        return put_record(m, to, field->type, expr);
    const IrValue *value = take_scalar(m, expr);
    return value && put_scalar(m, to, field->type, value, expr->span);
}

/* A tuple with an item for each field. */
static bool put_record(const Maker *m, unsigned char *to, const Type *type, const AstExpr *expr)
{
    int count = type->record.count;
    if (expr->kind != AST_TUPLE || expr->list.items.count != count) {
        fail(m->f, expr->span, "a record is a tuple of %d, an item for each field", count);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const RecordField *field = &type->record.fields[i];
        if (!put_field(m, to + field->offset, field, 0, expr->list.items.items[i]))
            return false;
    }
    return true;
}

/* The type that all elements have in common; float64 if there are none. */
static const Type *common_type(const Maker *m, const Items *items)
{
    const Type *type = items->count ? items->values[0]->type : type_float64;
    for (int i = 1; i < items->count; i++)
        type = typing_unify(m->f->types, type, items->values[i]->type);
    return type;
}

/* np.array(object, dtype), np.asarray */
static IrTable *make_array(Maker *m)
{
    static const char *const names[SLOTS] = { "object", "dtype", "copy", "order" };
    static const char *const names_as[SLOTS] = { "a", "dtype", "order" };
    bool as = strcmp(m->path, "np.asarray") == 0;
    const Type *element = NULL;
    if (!take_arguments(m, as ? names_as : names) || !take_order(m, as ? 2 : 3) ||
        !take_dtype(m, 1, &element))
        return NULL;
    if (!m->slots[0]) {
        fail(m->f, m->call->span, "%s needs a list of elements", m->path);
        return NULL;
    }
    Items items = { .maker = m, .records = element && type_is_record(element), .rank = -1 };
    if (!read_items(&items, 0, m->slots[0]))
        return NULL;
    if (!element)
        element = common_type(m, &items);
    IrTable *table = new_table(m->f, element, items.known, items.shape, m->call->span);
    for (int i = 0; table && i < items.count; i++) {
        bool fine = items.records ? put_record(m, element_at(table, i), element, items.exprs[i])
                                  : put_scalar(m, element_at(table, i), element, items.values[i],
                                               items.values[i]->span);
        if (!fine)
            return NULL;
    }
    return table;
}

/* ---- the call ------------------------------------------------------------------------------ */

Operand lower_table(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr)
{
    Maker m = { .f = f, .call = expr, .path = ir_intrinsics[intrinsic].path };
    if (!f->constant_only) {
        fail(f, expr->span, "kernels cannot use '%s': %s; or make it a constant of the module",
             m.path, builtin_refusal(f->arena, m.path));
        return operand_error(expr->span);
    }
    IrTable *table = intrinsic == INTR_np_zeros      ? make_filled(&m, 0)
                     : intrinsic == INTR_np_empty    ? make_filled(&m, 0)
                     : intrinsic == INTR_np_ones     ? make_filled(&m, 1)
                     : intrinsic == INTR_np_full     ? make_full(&m)
                     : intrinsic == INTR_np_arange   ? make_arange(&m)
                     : intrinsic == INTR_np_linspace ? make_linspace(&m)
                                                     : make_array(&m);
    return table ? operand_value(lower_table_value(f, table, expr->span))
                 : operand_error(expr->span);
}
