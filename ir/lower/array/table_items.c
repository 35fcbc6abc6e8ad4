/* np.array([...]): lists inside one another are read into a constant array, with NumPy's rules for
** its dtype and its extents. */
#include "ir/lower/array/table.h"
#include "ir/lower/values.h"

/* The elements of nested lists, in order, and the extents that all rows agree on. */
typedef struct Items {
    const Maker *maker;
    const Type *element; /* as the dtype says; NULL: it does not */
    bool records;        /* tuples are elements, not axes */
    int rank;            /* once the first element is seen, else -1 */
    int64_t shape[RANK_MAX];
    int known; /* extents that are */
    const AstExpr **exprs;
    IrValue **values; /* NULL for records */
    int count, capacity, value_capacity;
} Items;

static bool ragged(const Items *items, Span span)
{
    return fail(items->maker->f, span, "the rows of an array are of one length");
}

/* Notes that an axis has so many elements. */
static bool note_axis(Items *items, int depth, int64_t count, Span span)
{
    if (depth == RANK_MAX)
        return fail(items->maker->f, span, "an array has at most %d axes", RANK_MAX);
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
        FnState *f = items->maker->f;
        IrValue *value = array_read(f, ir_table_get(f->arena, array->type->array.element,
                                                    ir_table_at(view, at), array->span));
        if (!put_item(items, depth + view->rank, NULL, value, array->span))
            return false;
    }
    return true;
}

static bool not_constant(const Items *items, Span span)
{
    return fail(items->maker->f, span,
                "the elements of a constant array are numbers that are known before the kernel is "
                "compiled");
}

/* The count of a time that is known, or NULL. */
static const IrValue *known_time(const IrValue *value)
{
    bool known =
        type_is_time(value->type) && value->op == OP_tuple && ir_is_constant(value->operands[0]);
    return known ? value->operands[0] : NULL;
}

/* A constant: a number, a time, a tuple of such, or an array. */
static bool read_value(Items *items, int depth, IrValue *value, const AstExpr *expr)
{
    TableView view;
    if (value->type->kind == TY_ERROR)
        return false;
    if (known_time(value))
        return put_item(items, depth, expr, value, expr->span);
    if (value->type->kind == TY_INT_ENUM && value->op == OP_tuple)
        value = value->operands[0]; /* is a number */
    if (value->op == OP_tuple && !type_is_enum(value->type)) {
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

/* A range whose numbers are known is the list of what it gives. */
static bool read_range(Items *items, int depth, const Operand *range, const AstExpr *expr)
{
    FnState *f = items->maker->f;
    const IrValue *length = range_length(f, range, expr->span);
    for (int i = 0; i < 3; i++)
        if (!ir_is_constant(range->range[i]))
            return not_constant(items, expr->span);
    if (!note_axis(items, depth, length->constant.integer, expr->span))
        return false;
    for (int64_t i = 0; i < length->constant.integer && i <= TABLE_MAX; i++) {
        IrValue *at = ir_integer(f->arena, type_int64, i, expr->span);
        if (!put_item(items, depth + 1, NULL, range_item(f, range, at, expr->span), expr->span))
            return false;
    }
    return true;
}

static bool read_operand(Items *items, int depth, Operand operand, const AstExpr *expr)
{
    if (operand.kind == OPD_VALUE)
        return read_value(items, depth, operand.value, expr);
    if (operand.kind == OPD_RANGE)
        return read_range(items, depth, &operand, expr);
    if (operand.kind == OPD_STRING && items->element && items->element->kind == TY_DATETIME)
        return read_value(
            items, depth,
            time_from_text(items->maker->f, operand.string.text, items->element, expr->span), expr);
    return operand.kind != OPD_ERROR && not_constant(items, expr->span);
}

static void find_name(void *found, const AstExpr *expr)
{
    *(bool *)found |= expr->kind == AST_NAME;
    ast_each_child(expr, find_name, found);
}

/* A name that stands for a list of the module's is that list, if it would be the same here. */
static const AstExpr *look_through(FnState *f, const AstExpr *expr)
{
    for (int links = 0; expr->kind == AST_NAME && links < 16; links++) {
        if (names_local(f, expr->name.name))
            break;
        const Symbol *symbol = lower_lookup(f, expr->name.name);
        const AstExpr *meant = symbol ? constant_expr(f->lower, symbol) : NULL;
        bool reads = false;
        if (meant)
            find_name(&reads, meant);
        if (!meant || meant->kind != AST_LIST || reads)
            break;
        expr = meant;
    }
    return expr;
}

/* How often `[a] * n` repeats its items; -1 of what is no such expression. */
static int64_t repeats(Items *items, const AstExpr *expr)
{
    const AstExpr *count = expr->kind == AST_BINARY ? expr->binary.right : NULL;
    if (!count || expr->binary.op != AST_MUL || expr->binary.left->kind != AST_LIST)
        return -1;
    Operand times = lower_expr(items->maker->f, count);
    bool known = times.kind == OPD_VALUE && ir_is_constant(times.value) &&
                 type_is_integer(times.value->type);
    return known && times.value->constant.integer > 0 ? times.value->constant.integer : 0;
}

/* `[a] * 3 + [b]` is the list that it makes; other expressions stay what they are. */
static const AstExpr *made_list(Items *items, const AstExpr *expr)
{
    enum { MOST = 1 << 20 };
    Arena *arena = items->maker->f->arena;
    int64_t times = repeats(items, expr);
    const AstExpr *left, *right;
    if (expr->kind != AST_BINARY || (times < 0 && expr->binary.op != AST_ADD))
        return expr;
    left = made_list(items, look_through(items->maker->f, expr->binary.left));
    right = times < 0 ? made_list(items, look_through(items->maker->f, expr->binary.right)) : left;
    if (left->kind != AST_LIST || right->kind != AST_LIST ||
        left->list.items.count * (times < 0 ? 1 : times) + right->list.items.count > MOST)
        return expr;
    AstExpr *list = arena_new(arena, AstExpr);
    *list = (AstExpr){ .kind = AST_LIST, .span = expr->span };
    AstExprs *all = &list->list.items;
    int64_t both = times < 0 ? 2 : times;
    for (int64_t k = 0; k < both; k++) {
        const AstExprs *part = k == 0 || times >= 0 ? &left->list.items : &right->list.items;
        for (int i = 0; i < part->count; i++)
            array_push(arena, all->items, all->count, all->capacity) = part->items[i];
    }
    return list;
}

static bool read_items(Items *items, int depth, const AstExpr *expr)
{
    expr = made_list(items, look_through(items->maker->f, expr));
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
    if (typing_can_store(value->type, type) && type_is_time(type)) {
        const IrValue *count = known_time(
            value->type == type ? value
                                : time_convert(m->f, (IrValue *)(uintptr_t)value, type, span));
        ir_table_put(m->f->arena, to, type_int64, count);
        return true;
    }
    if (typing_can_store(value->type, type)) {
        ir_table_put(m->f->arena, to, type, value);
        return true;
    }
    return fail(m->f, span, "an array of %s cannot hold a %s", type_name(m->f->arena, type),
                type_name(m->f->arena, value->type));
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
            expr->list.items.count != field->shape[axis])
            return fail(m->f, expr->span, "the field '%s' takes %lld items here", field->name,
                        (long long)field->shape[axis]);
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
    if (type_is_characters(type))
        return characters_put(m->f, to, type, look_through(m->f, expr));
    if (expr->kind != AST_TUPLE || expr->list.items.count != count)
        return fail(m->f, expr->span, "a record is a tuple of %d, an item for each field", count);
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
    for (int i = 1; i < items->count; i++) {
        const Type *other = items->values[i]->type;
        bool times = type_is_time(type) && other->kind == type->kind;
        type = times ? type_time(type->kind == TY_DATETIME,
                                 time_finer(time_unit(type), time_unit(other)))
                     : typing_unify(m->f->types, type, other);
    }
    return type;
}

/* What np.asarray(x) and np.array(x, copy=False) make is x itself in NumPy. */
static void note_view(const Maker *m, IrTable *table)
{
    const AstExprKind kind = m->slots[0]->kind;
    if (kind != AST_NAME && kind != AST_INDEX && kind != AST_ATTRIBUTE)
        return;
    Operand of = lower_expr(m->f, m->slots[0]);
    table->viewed = of.kind == OPD_VALUE && type_is_array(of.value->type);
    if (table->viewed)
        table_mark_viewed(of.value);
}

/* np.array(object, dtype), np.asarray */
IrTable *make_array(Maker *m)
{
    static const char *const names[SLOTS] = { "object", "dtype", "copy", "order" };
    static const char *const names_as[SLOTS] = { "a", "dtype", "order" };
    bool as = strcmp(m->path, "np.asarray") == 0;
    const Type *element = NULL;
    if (!take_arguments(m, as ? names_as : names) || !take_order(m, as ? 2 : 3) ||
        !take_dtype(m, 1, &element))
        return NULL;
    if (!m->slots[0])
        return fail_null(m->f, m->call->span, "%s needs a list of elements", m->path);
    Items items = {
        .maker = m, .element = element, .records = element && type_is_record(element), .rank = -1
    };
    if (!read_items(&items, 0, m->slots[0]))
        return NULL;
    if (!element)
        element = common_type(m, &items);
    IrTable *table = maker_table(m->f, element, items.known, items.shape, m->call->span);
    for (int i = 0; table && i < items.count; i++) {
        bool fine = items.records ? put_record(m, table_element(table, i), element, items.exprs[i])
                                  : put_scalar(m, table_element(table, i), element, items.values[i],
                                               items.values[i]->span);
        if (!fine)
            return NULL;
    }
    if (table && (as || m->slots[2]) && !module_is_standard(m->f->module))
        note_view(m, table);
    return table;
}

/* Bytes: b"...", a name for these, or "...".encode(). */
static bool bytes_of(FnState *f, const AstExpr *expr, const char **bytes, size_t *length)
{
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    const Symbol *symbol = expr->kind == AST_NAME && !names_local(f, expr->name.name)
                               ? lower_lookup(f, expr->name.name)
                               : NULL;
    const AstExpr *meant = symbol ? constant_expr(f->lower, symbol) : NULL;
    if (meant && meant->kind == AST_BYTES)
        expr = meant;
    if (expr->kind == AST_BYTES) {
        *bytes = expr->string.text;
        *length = expr->string.length;
        return true;
    }
    if (!callee || callee->kind != AST_ATTRIBUTE || strcmp(callee->attribute.name, "encode") != 0)
        return false;
    Operand text = lower_expr(f, callee->attribute.object);
    *bytes = text.kind == OPD_STRING ? text.string.text : NULL;
    *length = text.kind == OPD_STRING ? text.string.length : 0;
    return *bytes != NULL;
}

IrTable *make_frombuffer(Maker *m)
{
    static const char *const names[SLOTS] = { "buffer", "dtype", "count", "offset" };
    const Type *element = type_float64;
    const char *bytes;
    size_t length;
    if (!take_arguments(m, names) || !take_dtype(m, 1, &element))
        return NULL;
    if (!m->slots[0] || !bytes_of(m->f, m->slots[0], &bytes, &length))
        return fail_null(m->f, m->call->span,
                         "np.frombuffer takes bytes that are written out, b\"...\"");
    const IrValue *given[2] = { NULL, NULL };
    for (int i = 0; i < 2; i++)
        if (m->slots[2 + i] && !(given[i] = take_scalar(m, m->slots[2 + i])))
            return NULL;
    int64_t offset = given[1] ? given[1]->constant.integer : 0, size = (int64_t)type_size(element);
    int64_t rest = (int64_t)length - offset, count = given[0] ? given[0]->constant.integer : -1;
    if (!type_is_scalar(element) || offset < 0 || rest < 0 || (count < 0 && rest % size != 0) ||
        count > rest / size)
        return fail_null(m->f, m->call->span, "these are %zu bytes, which are no such elements",
                         length);
    int64_t shape[] = { count < 0 ? rest / size : count };
    IrTable *table = maker_table(m->f, element, 1, shape, m->call->span);
    if (table)
        memcpy(table_element(table, 0), bytes + offset, (size_t)(shape[0] * size));
    return table;
}

IrValue *lower_table_of(FnState *f, IrValue *tuple)
{
    const AstExpr at = { .kind = AST_TUPLE, .span = tuple->span };
    Maker m = { .f = f, .call = &at, .path = "np.array" };
    Items items = { .maker = &m, .rank = -1 };
    if (!read_value(&items, 0, tuple, &at))
        return NULL;
    const Type *element = common_type(&m, &items);
    IrTable *table = maker_table(f, element, items.known, items.shape, tuple->span);
    for (int i = 0; table && i < items.count; i++)
        if (!put_scalar(&m, table_element(table, i), element, items.values[i], tuple->span))
            return NULL;
    return table ? lower_table_value(f, table, tuple->span) : NULL;
}
