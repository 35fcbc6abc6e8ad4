/* Sums, means, extremes and the like of constant arrays, at module level. As in NumPy, integers are
** summed in 64 bits and floats in pairs of halves, so that the same bits come out. */
#include "ir/lower/array/table.h"
#include "ir/lower/builtin.h"

#include <math.h>

/* The elements as constants. */
typedef struct Elements {
    FnState *f;
    bool in_turn; /* floats are added one by one */
    Span span;
    const Type *type;
    IrValue **items;
    int64_t count;
} Elements;

static Elements elements_of(FnState *f, const TableView *view, const Type *type, Span span)
{
    TableWalk walk = table_walk(view);
    Elements e = { .f = f, .span = span, .type = type, .count = walk.left };
    e.items = arena_array(f->arena, IrValue *, e.count + 1);
    for (int64_t i = 0; i < e.count; i++)
        e.items[i] = array_read(f, ir_table_get(f->arena, type, table_next(&walk), span));
    if (type_is_float8(type))
        e.type = type_float32;
    return e;
}

static IrValue *apply(const Elements *e, AstOp op, IrValue *a, IrValue *b)
{
    return lower_nep50(e->f, op, a, b, e->span);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static IrValue *add_up(const Elements *e, int64_t from, int64_t step, int64_t count)
{
    IrValue *sum = e->items[from];
    for (int64_t i = 1; i < count; i++)
        sum = apply(e, AST_ADD, sum, e->items[from + i * step]);
    return sum;
}

/* NumPy's sum in pairs: of up to 128 floats in eight strands, of more by halves. */
static IrValue *pairwise(const Elements *e, int64_t from, int64_t count)
{
    enum { STRANDS = 8, BLOCK = 128 };
    if (count < STRANDS)
        return add_up(e, from, 1, count);
    if (count > BLOCK) {
        int64_t half = count / 2 - count / 2 % STRANDS;
        return apply(e, AST_ADD, pairwise(e, from, half), pairwise(e, from + half, count - half));
    }
    IrValue *strands[STRANDS];
    for (int i = 0; i < STRANDS; i++)
        strands[i] = add_up(e, from + i, STRANDS, count / STRANDS);
    for (int width = 1; width < STRANDS; width *= 2)
        for (int i = 0; i < STRANDS; i += 2 * width)
            strands[i] = apply(e, AST_ADD, strands[i], strands[i + width]);
    for (int64_t i = count - count % STRANDS; i < count; i++)
        strands[0] = apply(e, AST_ADD, strands[0], e->items[from + i]);
    return strands[0];
}

static void cast_all(Elements *e, const Type *type)
{
    for (int64_t i = 0; i < e->count; i++)
        e->items[i] = convert(e->f, e->items[i], type, e->span);
    e->type = type;
}

static const Type *sum_type(const Type *element)
{
    if (type_is_unsigned(element))
        return type_uint64;
    return type_is_integer(element) || element->kind == TY_BOOL ? type_int64 : element;
}

static IrValue *number(const Elements *e, const Type *type, int64_t value)
{
    return convert(e->f, ir_integer(e->f->arena, type_int64, value, e->span), type, e->span);
}

static IrValue *sum(Elements *e)
{
    cast_all(e, sum_type(e->type));
    if (e->count && e->in_turn)
        return add_up(e, 0, 1, e->count);
    return e->count ? pairwise(e, 0, e->count) : number(e, e->type, 0);
}

static IrValue *product(Elements *e)
{
    cast_all(e, sum_type(e->type));
    IrValue *product = number(e, e->type, 1);
    for (int64_t i = 0; i < e->count; i++)
        product = apply(e, AST_MUL, product, e->items[i]);
    return product;
}

static IrValue *mean(Elements *e)
{
    if (type_is_integer(e->type) || e->type->kind == TY_BOOL)
        cast_all(e, type_float64);
    IrValue *total = sum(e);
    return apply(e, AST_DIV, total, number(e, e->type, e->count));
}

/* Of real numbers. */
static IrValue *variance(Elements *e)
{
    IrValue *middle = mean(e);
    for (int64_t i = 0; i < e->count; i++) {
        IrValue *off = apply(e, AST_SUB, e->items[i], middle);
        e->items[i] = apply(e, AST_MUL, off, off);
    }
    return mean(e);
}

static IrValue *deviation(Elements *e)
{
    const IrValue *square = variance(e);
    return ir_number(e->f->arena, square->type, sqrt(square->constant.number), e->span);
}

/* ---- extremes -------------------------------------------------------------------------------- */

/* Whether `a` comes before `b`, the first NaN being before everything. */
static bool precedes(const Elements *e, bool greatest, IrValue *a, IrValue *b)
{
    const Type *type = e->type->kind == TY_BOOL ? type_int64 : e->type;
    IrValue *x = convert(e->f, a, type, e->span), *y = convert(e->f, b, type, e->span);
    Arena *arena = e->f->arena;
    bool beyond = ir_binary(arena, greatest ? OP_gt : OP_lt, x, y, e->span)->constant.integer;
    bool nan = type_is_float(type) && x->constant.number != x->constant.number;
    return beyond || (nan && y->constant.number == y->constant.number);
}

static int64_t extreme(const Elements *e, bool greatest)
{
    int64_t best = 0;
    for (int64_t i = 1; i < e->count; i++)
        if (precedes(e, greatest, e->items[i], e->items[best]))
            best = i;
    return best;
}

/* How many elements are true. */
static int64_t truths(const Elements *e)
{
    int64_t count = 0;
    for (int64_t i = 0; i < e->count; i++)
        count += lower_truth(e->f, e->items[i], e->span)->constant.integer != 0;
    return count;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static Operand find_extreme(Elements *e, const char *name)
{
    bool where = strncmp(name, "arg", 3) == 0;
    if (e->count == 0 || type_is_complex(e->type)) {
        fail(e->f, e->span,
             e->count ? "complex numbers have no order"
                      : "an empty array has no least and no greatest element");
        return operand_error(e->span);
    }
    int64_t at = extreme(e, strstr(name, "max") != NULL);
    return operand_value(where ? ir_integer(e->f->arena, type_int64, at, e->span) : e->items[at]);
}

/* What comes of the elements by NumPy's name for it; OPD_NONE if it is no such name. */
static Operand reduce(Elements *e, const char *name)
{
    static const struct {
        const char *name;
        IrValue *(*of)(Elements *e);
    } folds[] = { { "sum", sum },
                  { "prod", product },
                  { "mean", mean },
                  { "var", variance },
                  { "std", deviation } };
    static const char *const extremes[] = { "min", "max", "amin", "amax", "argmin", "argmax" };
    bool real = !type_is_complex(e->type) || (name[0] != 'v' && strcmp(name, "std") != 0);
    for (size_t i = 0; real && i < ARRAY_COUNT(folds); i++)
        if (strcmp(folds[i].name, name) == 0)
            return operand_value(folds[i].of(e));
    for (size_t i = 0; i < ARRAY_COUNT(extremes); i++)
        if (strcmp(extremes[i], name) == 0)
            return find_extreme(e, name);
    if (strcmp(name, "any") == 0 || strcmp(name, "all") == 0) {
        bool holds = name[1] == 'n' ? truths(e) > 0 : truths(e) == e->count;
        return operand_value(ir_integer(e->f->arena, type_bool, holds, e->span));
    }
    return (Operand){ .kind = OPD_NONE, .span = e->span };
}

/* The same elements with the longest strides first, as NumPy goes over what it sums. */
static TableView in_memory(TableView view)
{
    for (int i = 1; i < view.rank; i++) {
        int64_t extent = view.shape[i], stride = view.strides[i];
        int to = i;
        for (; to > 0 && llabs(view.strides[to - 1]) < llabs(stride); to--) {
            view.shape[to] = view.shape[to - 1];
            view.strides[to] = view.strides[to - 1];
        }
        view.shape[to] = extent;
        view.strides[to] = stride;
    }
    return view;
}

static bool is_extreme(const char *name)
{
    return strstr(name, "min") || strstr(name, "max");
}

static Operand reduce_whole(FnState *f, const char *name, IrValue *array, Span span)
{
    TableView view;
    if (!ir_table_view(array, &view) || !type_is_scalar(array->type->array.element))
        return (Operand){ .kind = OPD_NONE, .span = span };
    if (!is_extreme(name)) /* whose place counts */
        view = in_memory(view);
    Elements e = elements_of(f, &view, array->type->array.element, span);
    return reduce(&e, name);
}

/* ---- along one axis -------------------------------------------------------------------------- */

/* A view without one axis, and of that alone. */
static void split_view(const TableView *view, int axis, TableView *rest, TableView *line)
{
    *rest = *line = *view;
    line->rank = 1;
    line->shape[0] = view->shape[axis];
    line->strides[0] = view->strides[axis];
    rest->rank = view->rank - 1;
    for (int i = axis; i < rest->rank; i++) {
        rest->shape[i] = view->shape[i + 1];
        rest->strides[i] = view->strides[i + 1];
    }
}

/* Whether elements lie side by side along another axis, which NumPy goes along first then. */
static bool is_across(const TableView *rest, const TableView *line)
{
    bool across = false;
    for (int i = 0; i < rest->rank; i++)
        across |= rest->shape[i] > 1 && llabs(rest->strides[i]) < llabs(line->strides[0]);
    return across;
}

static bool is_reduction(const char *name)
{
    static const char *const names[] = { "sum",  "prod", "mean",   "var",    "std", "min", "max",
                                         "amin", "amax", "argmin", "argmax", "any", "all" };
    return TEXT_IS_AMONG(name, names);
}

static Operand reduce_axis(FnState *f, const char *name, IrValue *array, const ReducedAxis *axis,
                           Span span)
{
    const Operand none = { .kind = OPD_NONE, .span = span };
    const Type *element = array->type->array.element;
    TableView view, rest, line;
    IrTable *table = NULL;
    int64_t number = axis->number;
    if (!ir_table_view(array, &view) || !type_is_scalar(element))
        return none;
    number += number < 0 ? view.rank : 0;
    if (number < 0 || number >= view.rank) {
        fail(f, span, "an array of rank %d has no such axis", view.rank);
        return operand_error(span);
    }
    split_view(&view, (int)number, &rest, &line);
    TableWalk walk = table_walk(&rest);
    int64_t at = 0;
    for (const unsigned char *from; (from = table_next(&walk)); at++) {
        line.offset = from - view.table->bytes;
        Elements e = elements_of(f, &line, element, span);
        e.in_turn = is_across(&rest, &line);
        Operand one = reduce(&e, name);
        if (one.kind != OPD_VALUE || (view.rank == 1 && !axis->kept))
            return one;
        if (!table && axis->kept)
            view.shape[number] = 1;
        if (!table)
            table = axis->kept ? lower_table_new(f->arena, one.value->type, view.rank, view.shape)
                               : lower_table_new(f->arena, one.value->type, rest.rank, rest.shape);
        if (!table)
            return none;
        ir_table_put(f->arena, table_element(table, at), table->element, one.value);
    }
    return table ? operand_value(lower_table_value(f, table, span)) : none;
}

Operand table_reduce_along(FnState *f, const char *name, IrValue *array, const ReducedAxis *axis,
                           Span span)
{
    if (!is_reduction(name) || (axis->kept && !axis->given))
        return (Operand){ .kind = OPD_NONE, .span = span };
    return axis->given ? reduce_axis(f, name, array, axis, span)
                       : reduce_whole(f, name, array, span);
}
