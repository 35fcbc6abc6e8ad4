/* Which elements an access has in the iterations of a loop along rows. See rows.c. */
#include "ir/schedule/stage/rows.h"

/* ---- what all lanes know --------------------------------------------------------------------- */

typedef struct UniformCheck {
    const Rows *rows;
    bool fine;
} UniformCheck;

static void check_known(void *context, IrValue *value)
{
    UniformCheck *known = context;
    if (value->op == OP_var)
        known->fine &= value->var->kind == VAR_PARAM || known->rows->common[value->var->id];
    else if (value->op == OP_intrinsic)
        known->fine &= value->count > 0 || value->intrinsic == INTR_gridsize ||
                       (value->intrinsic == INTR_grid && value->index > 0);
    else
        known->fine &= value->op != OP_call && value->op != OP_load;
}

bool rows_shared(const Rows *r, const IrValue *value)
{
    UniformCheck known = { r, ir_value_effects(value) == EFFECT_NONE };
    ir_each_node((IrValue *)value, check_known, &known);
    return known.fine;
}

IrValue *rows_least(const Rows *r, IrValue *value)
{
    if (rows_shared(r, value))
        return value;
    if (value->op == OP_var && r->sums.named[value->var->id])
        value = r->sums.named[value->var->id];
    if (!ir_is_intrinsic(value, INTR_min))
        return NULL;
    IrValue *a = rows_least(r, value->operands[0]), *b = rows_least(r, value->operands[1]);
    return a && b ? ir_intrinsic(r->unit->arena, INTR_min, value->type, value->span, a, b, NULL)
           : a    ? a
                  : b;
}

/* ---- what a loop accesses -------------------------------------------------------------------- */

/* Whether a value is the thread's index and `*offset`. */
static bool is_thread_index(const Rows *r, const IrValue *value, int64_t *offset)
{
    const IrValue *rest = affine_split(&r->affine.sets, value, offset);
    return rest && ir_thread_axis(&r->affine.sets, rest) == 0;
}

/* Whether rows of so many elements may be parts of each other, as windows are that move on by a
** few: their length has another name than what is between them, which is no large number. */
static bool may_overlap(const Rows *r, const IrStmt *loop, const IrValue *apart)
{
    const IrValue *stop = sets_behind_casts(&r->affine.sets, loop->for_.stop);
    return apart->op == OP_var && apart->var->kind == VAR_PARAM && !schedule_is_given(r->unit) &&
           !ir_mentions(stop, apart->var) &&
           !launch_axes_from_128(r->unit->launch, apart->var->param);
}

/* Whether a product is of what all lanes know, and of the thread's index: then how often at least,
** in `*apart`. */
static bool is_of_thread(const Rows *r, const IrStmt *loop, const IrProduct *product, bool *apart)
{
    bool thread = false, close = false;
    for (int i = 0; i < product->count; i++) {
        const IrValue *atom = product->atoms[i];
        bool own = ir_thread_axis(&r->affine.sets, atom) == 0;
        close |= product->count == 2 && may_overlap(r, loop, atom);
        if (ir_mentions(atom, loop->for_.var) || !(own || rows_shared(r, atom)))
            return false;
        thread |= own;
    }
    int64_t factor = product->factor < 0 ? -product->factor : product->factor;
    *apart &= !thread || (product->count > 1 ? !close : factor >= ROW_APART);
    return true;
}

/* What an index is without the counter, which it has if `*counts`; NULL if it is not made of the
** thread's index and of what all lanes know, or neighbours' rows lie close to each other. */
static IrValue *base_of(const Rows *r, const IrStmt *loop, IrValue *index, bool *counts)
{
    const IrPolynomial sum = polynomial_of(&r->sums, index);
    IrPolynomial base = { 0 };
    bool apart = true;
    *counts = false;
    for (int i = 0; i < sum.count; i++) {
        const IrProduct *product = &sum.terms[i];
        const IrValue *only = product->count == 1 ? product->atoms[0] : NULL;
        if (only && ir_is_var(only, loop->for_.var) && product->factor == 1)
            *counts = true;
        else if (is_of_thread(r, loop, product, &apart))
            base.terms[base.count++] = *product;
        else
            return NULL;
    }
    return sum.count > 0 && apart ? polynomial_value(&r->sums, &base, index->span) : NULL;
}

bool rows_read(const Rows *r, const IrStmt *loop, const IrValue *array, IrValue *const *index,
               int count, Row *row)
{
    enum { FAR = 1 << 20 }; /* of a constant in an index, so that no sum wraps */
    int param = ir_array_param(array);
    const Type *element = array->type->array.element;
    *row = (Row){ .index = index, .count = count, .counter = -1, .along = -1 };
    if (param < 0 || count != array->type->array.rank || array->type->array.unaligned ||
        !(type_is_integral(element) || type_is_float(element)))
        return false;
    row->array = array->var;
    for (int i = 0; i < count; i++) {
        int64_t offset;
        const IrValue *rest = affine_split(&r->affine.sets, index[i], &offset);
        if (index[i]->type != type_int64)
            return false;
        if (rest && ir_is_var(rest, loop->for_.var)) {
            if (row->counter >= 0 || offset > FAR || offset < -FAR)
                return false;
            row->counter = i;
            row->iteration = offset;
        } else if (rows_shared(r, index[i])) {
            continue;
        } else if (row->along >= 0) {
            return false;
        } else if (!is_thread_index(r, index[i], &row->shift)) {
            bool counts;
            row->base = base_of(r, loop, index[i], &counts);
            if (!row->base || (counts && row->counter >= 0))
                return false;
            row->along = i;
            row->counter = counts ? i : row->counter;
        } else if (row->shift > FAR || row->shift < -FAR) {
            return false;
        } else {
            row->along = i;
        }
    }
    return row->counter >= 0 && row->counter == dense_axis(array->type);
}

static bool same_elements(const Rows *r, const Row *row, const Row *other)
{
    if (row->array != other->array || row->counter != other->counter ||
        row->along != other->along || row->iteration != other->iteration ||
        (row->along >= 0 && !row->base && row->shift != other->shift) ||
        !row->base != !other->base || (row->base && !ir_same_value(row->base, other->base)))
        return false;
    for (int i = 0; i < row->count; i++)
        if (i != row->counter && i != row->along &&
            !affine_same_apart(&r->affine, row->index[i], other->index[i]))
            return false;
    return true;
}

const Row *rows_find(const Rows *r, const RowLoop *loop, const IrValue *array,
                     IrValue *const *index, int count)
{
    Row row;
    if (!rows_read(r, loop->loop, array, index, count, &row))
        return NULL;
    for (int i = 0; i < loop->count; i++)
        if (same_elements(r, &loop->rows[i], &row))
            return &loop->rows[i];
    return NULL;
}

/* ---- elements that exist --------------------------------------------------------------------- */

typedef struct Existence {
    const Rows *rows;
    const Row *row;
    const IrStmt *loop;
    bool exists;
} Existence;

/* A row's index in the loop's body, of whatever iteration. */
static IrValue *index_there(const Existence *e, int i)
{
    const IrBuilder b[1] = { { e->rows->unit->arena, e->rows->unit->kernel, e->loop->span } };
    if (i == e->row->counter)
        return build_plus(b, build_var(b, e->loop->for_.var), e->row->iteration);
    if (i == e->row->along)
        return build_plus(b, ir_axis(b->arena, INTR_grid, 0, b->span), e->row->shift);
    return e->row->index[i];
}

static void look_there(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Existence *e = context;
    const IrBuilder b[1] = { { e->rows->unit->arena, e->rows->unit->kernel, stmt->span } };
    if (stmt != e->loop->for_.body.first)
        return;
    e->exists = true;
    for (int i = 0; i < e->row->count; i++) {
        IrValue *index = index_there(e, i);
        IrValue *extent =
            ir_extent(b->arena, ir_var(b->arena, (IrVar *)e->row->array, b->span), i, b->span);
        Interval over = bounds_difference(bounds, index, extent);
        Interval back = bounds_of(bounds, build_op(b, OP_add, index, extent));
        bool first = bounds_of(bounds, index).low >= 0 || back.low >= 0; /* or from the end */
        e->exists &= !interval_empty(over) && over.high < 0 && first;
    }
}

bool rows_exist(const Rows *r, const IrStmt *loop, const Row *row)
{
    Existence e = { r, row, loop, false };
    if (!row->base && !row->array->extents)
        bounds_walk(ir_bounds(r->unit), look_there, &e);
    return e.exists;
}
