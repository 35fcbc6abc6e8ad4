/* Variables and statements from their nodes. */
#include "ir/text/read.h"

/* ---- variables ------------------------------------------------------------------------------ */

static bool take_flag(Reader *r, const Node *attribute, IrVar *var)
{
    for (const TextFlag *flag = text_var_flags; flag->name; flag++)
        if (read_is(r, attribute, flag->name)) {
            *((bool *)((char *)var + flag->offset)) = true;
            return true;
        }
    if (!read_is(r, attribute, "temporary") && !read_is(r, attribute, "named"))
        return false;
    var->temporary = read_is(r, attribute, "temporary");
    return true;
}

static bool take_combine(Reader *r, const Node *attribute, IrVar *var)
{
    for (int combine = COMBINE_SUM; combine <= COMBINE_XOR; combine++)
        if (read_is(r, attribute->items.first, text_combines[combine])) {
            var->merged = (Combine)combine;
            return true;
        }
    return false;
}

static bool is_array_param(const Reader *r, const IrVar *var)
{
    return var->kind == VAR_PARAM && r->fn->kernel && type_is_array(var->type);
}

static void read_attribute(Reader *r, const Node *attribute, IrVar *var)
{
    bool one = attribute->items.count == 1;
    if (!attribute->items.count && take_flag(r, attribute, var))
        return;
    if (one && read_is(r, attribute, "aligned"))
        var->alignment = (int)read_int(r, attribute->items.first, 0, 1 << 16);
    else if (one && read_is(r, attribute, "merged") && take_combine(r, attribute, var))
        return;
    else if (is_array_param(r, var) && read_is(r, attribute, "rows"))
        return; /* read_lengths(), when all parameters are known */
    else if (var->kind != VAR_PARAM || !r->fn->kernel || !read_hidden(r, attribute))
        read_wrong(r, attribute, "no variable is '%s'", read_text(r, attribute));
}

static void take_table(Reader *r, const Node *node, IrVar *var)
{
    const Node *name = node->items.first;
    IrTable *table = name && name->kind == NODE_NAME ? names_find(r, &r->tables, name) : NULL;
    if (!table || var->type->array.rank != table->rank ||
        var->type->array.element != table->element) {
        read_wrong(r, node, "expected 'of' and a table of these elements and axes");
        return;
    }
    var->table = table;
    var->shape = table->shape;
}

static void take_extents(Reader *r, const Node *node, IrVar *var)
{
    int count = 0, wanted = var->type->array.rank;
    int64_t *shape = arena_array(r->arena, int64_t, wanted + 1);
    if (node->items.count != wanted) {
        read_wrong(r, node, "expected 'of' and %d extent%s", wanted, wanted == 1 ? "" : "s");
        return;
    }
    for (const Node *extent = node->items.first; extent; extent = extent->next)
        shape[count++] =
            read_int(r, extent, var->kind == VAR_PARAM ? EXTENT_UNKNOWN : 0, INT64_C(1) << 40);
    var->shape = shape;
}

/* What the memory of an array is like, or that it is a parameter's of constant extents. */
static void read_memory(Reader *r, const Node *node, IrVar *var)
{
    bool fixed = var->kind == VAR_SHARED || var->kind == VAR_PRIVATE;
    bool own = var->kind != VAR_LOCAL && var->kind != VAR_PARAM;
    if (own && !type_is_array(var->type))
        read_wrong(r, node, "only arrays have memory of their own");
    else if (var->kind == VAR_CONSTANT)
        take_table(r, node, var);
    else if (fixed || (var->kind == VAR_PARAM && type_is_array(var->type) && node->items.count))
        take_extents(r, node, var);
    else if (node->items.count)
        read_wrong(r, node, "no extents are said of this");
}

IrVar *read_declared(Reader *r, const Node *node, IrVarKind kind)
{
    const char *name = read_name(r, node);
    const Type *type = read_type(r, node->type);
    IrVar *var = ir_var_new(r->arena, r->fn, name, type, kind, read_span(r, node));
    names_add(r, &r->vars, node, var, "variable");
    var->temporary = *name == '_';
    for (const Node *attribute = node->more.first; attribute; attribute = attribute->next)
        read_attribute(r, attribute, var);
    read_memory(r, node, var);
    return var;
}

/* `rows(h, w)`: the lengths of all axes but the first of an array that comes with one. */
static void take_lengths(Reader *r, const Node *attribute, IrVar *var)
{
    IrValue **lengths = arena_array(r->arena, IrValue *, attribute->items.count + 1);
    int count = 0;
    if (attribute->items.count != var->type->array.rank - 1 ||
        var->type->array.layout != LAYOUT_C) {
        read_wrong(r, attribute, "expected the lengths of all axes but the first, in C's order");
        return;
    }
    for (const Node *item = attribute->items.first; item; item = item->next) {
        Span span = read_span(r, item);
        IrVar *param = item->kind == NODE_NAME ? names_find(r, &r->vars, item) : NULL;
        if (param && param->kind == VAR_PARAM && type_is_integer(param->type))
            lengths[count++] = ir_cast(r->arena, type_int64, ir_var(r->arena, param, span), span);
        else
            lengths[count++] =
                ir_integer(r->arena, type_int64, read_int(r, item, 1, INT64_C(1) << 30), span);
    }
    var->extents = lengths;
}

void read_lengths(Reader *r, const Node *node, IrVar *var)
{
    for (const Node *attribute = node->more.first; attribute; attribute = attribute->next)
        if (is_array_param(r, var) && read_is(r, attribute, "rows"))
            take_lengths(r, attribute, var);
}

static IrVarKind kind_of(Reader *r, const Node *word)
{
    for (int kind = VAR_SHARED; kind <= VAR_CONSTANT; kind++)
        if (read_is(r, word, text_kinds[kind]))
            return (IrVarKind)kind;
    return VAR_LOCAL;
}

/* In the order of the text, wherever they are used. */
static void declare(Reader *r, NodeList list)
{
    for (const Node *node = list.first; node && !r->failed; node = node->next) {
        if (node->kind == NODE_FIRST)
            read_declared(r, node->target, kind_of(r, node));
        if ((node->kind == NODE_SET || node->kind == NODE_FOR) &&
            node->target->kind == NODE_DECLARED)
            read_declared(r, node->target, VAR_LOCAL);
        declare(r, node->body);
        if (node->kind == NODE_IF)
            declare(r, node->more);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static IrVar *find_var(Reader *r, const Node *node)
{
    static IrVar nothing = { .name = "", .type = type_int64 };
    IrVar *var = names_find(r, &r->vars, node);
    if (!var)
        read_wrong(r, node, "the type of '%s' is not said: %s: type = ...", read_text(r, node),
                   read_text(r, node));
    return var ? var : &nothing;
}

static IrValue **read_values(Reader *r, const Node *first, int count)
{
    IrValue **values = count ? arena_array(r->arena, IrValue *, count) : NULL;
    for (int i = 0; i < count; i++, first = first->next)
        values[i] = read_value(r, first);
    return values;
}

static void read_store(Reader *r, const Node *node, IrStmt *stmt)
{
    stmt->store.cache = read_store_cache(r, node->cache);
    stmt->store.array = read_value(r, node->target);
    stmt->store.count = node->items.count;
    stmt->store.indices = read_values(r, node->items.first, node->items.count);
    stmt->store.value = read_value(r, node->type);
}

static void read_print(Reader *r, const Node *node, IrStmt *stmt)
{
    stmt->print.items = arena_array(r->arena, IrPrintItem, node->items.count + 1);
    for (const Node *item = node->items.first; item; item = item->next) {
        IrPrintItem *into = &stmt->print.items[stmt->print.count++];
        if (item->kind == NODE_STRING)
            into->text = text_unquoted(r->arena, r->source, item->begin, item->end);
        else
            into->value = read_value(r, item);
    }
}

static void read_fault(Reader *r, const Node *node, IrStmt *stmt)
{
    const Node *message = node->items.first;
    if (message->kind != NODE_STRING || node->items.count > 1 + FAULT_VALUES) {
        read_wrong(r, node, "expected a message, and at most %d values behind it", FAULT_VALUES);
        return;
    }
    stmt->fault.message = text_unquoted(r->arena, r->source, message->begin, message->end);
    stmt->fault.count = node->items.count - 1;
    stmt->fault.values = read_values(r, message->next, stmt->fault.count);
}

static void read_sums(Reader *r, const Node *node, IrStmt *stmt)
{
    stmt->for_.sums = arena_array(r->arena, IrVar *, node->items.count + 1);
    for (const Node *name = node->items.first; name; name = name->next)
        stmt->for_.sums[stmt->for_.sum_count++] = find_var(r, name);
}

static void read_for(Reader *r, const Node *node, IrStmt *stmt)
{
    const Node *start = node->items.first;
    stmt->for_.var = find_var(r, node->target);
    stmt->for_.start = read_value(r, start);
    stmt->for_.stop = read_value(r, start->next);
    stmt->for_.step = read_value(r, start->next->next);
    for (const Node *more = node->more.first; more; more = more->next) {
        const Node *count = more->items.first;
        stmt->for_.bounded |= more->kind == NODE_BOUNDED;
        stmt->for_.rises |= more->kind == NODE_RISES;
        stmt->for_.rest |= more->kind == NODE_REST;
        stmt->for_.any_order |= more->kind == NODE_ANY_ORDER;
        if (more->kind == NODE_SUMS && !stmt->for_.sum_count)
            read_sums(r, more, stmt);
        if (more->kind == NODE_UNROLL)
            stmt->for_.unroll = count ? (int)read_int(r, count, 1, UNROLL_ALL - 1) : UNROLL_ALL;
    }
}

static IrStmtKind stmt_kind(const Node *node)
{
    switch ((int)node->kind) {
    case NODE_SET:
        return IR_SET;
    case NODE_STORE:
        return IR_STORE;
    case NODE_EVAL:
        return IR_EVAL;
    case NODE_IF:
        return IR_IF;
    case NODE_WHILE:
        return IR_WHILE;
    case NODE_FOR:
        return IR_FOR;
    case NODE_BREAK:
        return IR_BREAK;
    case NODE_CONTINUE:
        return IR_CONTINUE;
    case NODE_RETURN:
        return IR_RETURN;
    case NODE_PRINT:
        return IR_PRINT;
    case NODE_FAULT:
        return IR_FAULT;
    default:
        return IR_STOP;
    }
}

/* What stands on the line, regions left out. */
static void read_line(Reader *r, const Node *node, IrStmt *stmt)
{
    const Node *first = node->items.first;
    switch (stmt->kind) {
    case IR_SET:
        stmt->set.var = find_var(r, node->target);
        stmt->set.value = read_value(r, first);
        return;
    case IR_STORE:
        read_store(r, node, stmt);
        return;
    case IR_EVAL:
        stmt->eval.value = read_value(r, first);
        return;
    case IR_IF:
        stmt->if_.condition = read_value(r, first);
        return;
    case IR_WHILE:
        stmt->while_.condition = read_value(r, first);
        return;
    case IR_FOR:
        read_for(r, node, stmt);
        return;
    case IR_RETURN:
        stmt->return_.value = first ? read_value(r, first) : NULL;
        return;
    case IR_PRINT:
        read_print(r, node, stmt);
        return;
    case IR_FAULT:
        read_fault(r, node, stmt);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_STOP:
        return;
    }
}

/* ---- positions ------------------------------------------------------------------------------ */

static Span span_at(const TextFile *file, uint32_t line, uint32_t column)
{
    uint32_t begin = (line - 1) * (file->columns + 1) + column - 1;
    return (Span){ file->source, begin, begin + 1 };
}

static void take_position(Reader *r, const Node *node)
{
    if (node->at.given)
        r->at = span_at(&r->parse->files[node->at.file], node->at.line, 1);
}

static void place_root(Reader *r, const Node *node, IrStmt *stmt)
{
    IrValue *root = ir_stmt_value(stmt);
    if (root && node->at.root_line && node->at.root_column)
        root->span =
            span_at(&r->parse->files[node->at.file], node->at.root_line, node->at.root_column);
}

/* ---- regions -------------------------------------------------------------------------------- */

static void read_region(Reader *r, NodeList list, IrRegion *region, bool top);

static void read_regions(Reader *r, const Node *node, IrStmt *stmt)
{
    IrRegion *regions[2];
    NodeList lists[] = { node->body, node->more };
    int count = ir_regions(stmt, regions);
    for (int i = 0; i < count; i++)
        read_region(r, lists[i], regions[i], false);
}

static void read_stmt(Reader *r, const Node *node, IrRegion *region)
{
    take_position(r, node);
    IrStmt *stmt = ir_stmt(r->arena, stmt_kind(node), r->at.source ? r->at : read_span(r, node));
    read_line(r, node, stmt);
    if (r->failed)
        return;
    place_root(r, node, stmt);
    ir_append(region, stmt);
    read_regions(r, node, stmt);
}

static void read_region(Reader *r, NodeList list, IrRegion *region, bool top)
{
    bool first = top;
    for (const Node *node = list.first; node && !r->failed; node = node->next) {
        if (node->kind != NODE_FIRST)
            read_stmt(r, node, region);
        else if (!first)
            read_wrong(r, node, "this stands at the head of a function");
        first = first && node->kind == NODE_FIRST;
    }
}

void read_body(Reader *r, const Node *function)
{
    take_position(r, function);
    if (r->at.source)
        r->fn->span = r->at;
    declare(r, function->body);
    read_region(r, function->body, &r->fn->body, true);
}
