/* Values from their nodes. What their text leaves out follows from their operands. */
#include "ir/text/read.h"

#include <errno.h>
#include <math.h>

static Span span_of(const Reader *r, const Node *node)
{
    return r->at.source ? r->at : read_span(r, node);
}

static IrValue *wrong_value(Reader *r, const Node *node, const char *why)
{
    read_wrong(r, node, "%s", why);
    return ir_integer(r->arena, type_int64, 0, read_span(r, node));
}

/* ---- constants ------------------------------------------------------------------------------ */

static IrValue *constant(Reader *r, const Node *node, const Type *type)
{
    return ir_value(r->arena, OP_constant, type, span_of(r, node), 0);
}

static IrValue *read_integer(Reader *r, const Node *node)
{
    const Type *type = node->type ? read_type(r, node->type) : type_int64;
    const char *text = read_text(r, node);
    errno = 0;
    int64_t number = type == type_uint64 && *text != '-' ? (int64_t)strtoull(text, NULL, 10)
                                                         : (int64_t)strtoll(text, NULL, 10);
    if (!type_is_integer(type))
        return wrong_value(r, node, "a whole number has an integer type");
    IrValue *value = ir_integer(r->arena, type, number, span_of(r, node));
    if (errno || value->constant.integer != number || (type == type_uint64 && *text == '-'))
        read_wrong(r, node, "%s is beyond its type", text);
    return value;
}

/* The bits of NaN as they are, other numbers rounded to their type. */
static double read_double(Reader *r, const Node *node, const Type *type)
{
    const char *text = read_text(r, node);
    const char *bits = strstr(text, "(0x");
    double number;
    if (!bits)
        number = strtod(text, NULL);
    else {
        uint64_t word = strtoull(bits + 1, NULL, 16);
        memcpy(&number, &word, sizeof number);
    }
    if (bits && !isnan(number))
        read_wrong(r, node, "these are not the bits of a NaN");
    return isnan(number) ? number : ir_number(r->arena, type, number, (Span){ 0 })->constant.number;
}

static IrValue *read_float(Reader *r, const Node *node)
{
    const Type *type = node->type ? read_type(r, node->type) : type_float64;
    if (!type_is_float(type))
        return wrong_value(r, node, "a number with a point has a float type");
    IrValue *value = constant(r, node, type);
    value->constant.number = read_double(r, node, type);
    return value;
}

static IrValue *read_complex(Reader *r, const Node *node)
{
    const Type *type = node->type ? read_type(r, node->type) : type_of(COMPLEX128);
    if (!type_is_complex(type))
        return wrong_value(r, node, "a number of two parts has a complex type");
    const Type *part = type_complex_part(type);
    IrValue *value = constant(r, node, type);
    value->constant.complex.real = read_double(r, node->items.first, part);
    value->constant.complex.imag = read_double(r, node->items.last, part);
    return value;
}

static IrValue *read_bool(Reader *r, const Node *node)
{
    IrValue *value = constant(r, node, type_bool);
    value->constant.integer = node->kind == NODE_TRUE;
    return value;
}

static IrValue *read_var(Reader *r, const Node *node)
{
    IrVar *var = names_find(r, &r->vars, node);
    if (var)
        return ir_var(r->arena, var, span_of(r, node));
    read_wrong(r, node, "there is no variable '%s'", read_text(r, node));
    return wrong_value(r, node, "");
}

/* ---- operations ----------------------------------------------------------------------------- */

static bool find_operation(Reader *r, const Node *node, IrValue *value)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (op != OP_constant && op != OP_var && op != OP_intrinsic && op != OP_call &&
            read_is(r, node, ir_ops[op].name)) {
            value->op = (IrOp)op;
            return true;
        }
    for (int intrinsic = 0; intrinsic < INTR_COUNT; intrinsic++)
        if (read_is(r, node, ir_intrinsics[intrinsic].name)) {
            value->op = OP_intrinsic;
            value->intrinsic = (IrIntrinsic)intrinsic;
            return true;
        }
    return false;
}

/* What is known of a cast, behind its operand. */
static bool read_fit(Reader *r, const Node *last, IrValue *value)
{
    if (last->kind != NODE_NAME || (!read_is(r, last, "fits") && !read_is(r, last, "clamps")))
        return false;
    value->index = read_is(r, last, "fits") ? CAST_FITS : CAST_CLAMPS;
    return true;
}

/* The operands that are values: a number behind them may be an axis or the like. */
static int count_operands(Reader *r, const Node *node, IrValue *value)
{
    const Node *last = node->items.last;
    int count = node->items.count;
    if (value->op == OP_cast && count == 2 && read_fit(r, last, value))
        return 1;
    if (!text_has_index(value))
        return count;
    if (!count || last->kind != NODE_INT || last->type) {
        read_wrong(r, node, "the last operand of '%s' is a plain number", read_text(r, node));
        return 0;
    }
    value->index = (int)read_int(r, last, INT32_MIN, INT32_MAX);
    return count - 1;
}

static void read_operands(Reader *r, const Node *node, IrValue *value, int count)
{
    const Node *operand = node->items.first;
    value->count = count;
    value->operands = count ? arena_array(r->arena, IrValue *, count) : NULL;
    for (int i = 0; i < count; i++, operand = operand->next)
        value->operands[i] = read_value(r, operand);
}

static void read_view(Reader *r, const Node *node, IrValue *value)
{
    const Node *axes = node->more.first, *layout = axes ? axes->next : NULL;
    const Type *array = value->count ? value->operands[0]->type : type_int64;
    int rank = axes && axes->kind == NODE_NAME && type_is_array(array)
                   ? ir_view_rank(read_text(r, axes), array->array.rank)
                   : -1;
    if (rank < 0 || ir_view_operands(read_text(r, axes)) != value->count - 1) {
        read_wrong(r, node,
                   "a view<...> has for each axis i and an index, or s and start, count "
                   "and step, and n for a new one");
        return;
    }
    value->axes = read_text(r, axes);
    value->type = derived_type(r->types, value);
    if (!layout)
        return;
    bool c = read_is(r, layout, "C"), fortran = read_is(r, layout, "F");
    if (!c && !fortran)
        read_wrong(r, layout, "a view's layout is C or F, or is left out");
    value->type = type_array_like(r->types, array, array->array.element, rank,
                                  fortran ? LAYOUT_F : LAYOUT_C, array->array.unaligned);
}

static void read_field(Reader *r, const Node *node, IrValue *value)
{
    const Type *array = value->count ? value->operands[0]->type : type_int64;
    const Node *field = node->more.first;
    bool records = type_is_array(array) && type_is_record(array->array.element);
    if (!field || field->kind != NODE_NAME || !records) {
        read_wrong(r, node, "this is field<name>(array of records)");
        return;
    }
    value->index = record_find(array->array.element, read_name(r, field));
    if (value->index < 0)
        read_wrong(r, field, "the records have no field '%s'", read_name(r, field));
    value->type = derived_type(r->types, value);
}

/* load.cg and the like: names from the first to the last, or those from CACHE_AT on. */
static int read_cache(Reader *r, const Node *node, int first, int last)
{
    for (int cache = first; node && cache < CACHE_COUNT; cache++)
        if ((cache <= last || cache >= CACHE_AT) &&
            strcmp(ir_cache_names[cache], read_text(r, node) + 1) == 0)
            return cache;
    if (node)
        read_wrong(r, node, "there is no such cache hint");
    return 0;
}

static void read_result(Reader *r, const Node *node, IrValue *value)
{
    if (value->op == OP_view) {
        read_view(r, node, value);
    } else if (value->op == OP_field) {
        read_field(r, node, value);
    } else if (node->more.count) {
        value->type = read_type(r, node->more.first);
    } else if (!r->failed) {
        value->type = derived_type(r->types, value);
    }
    if (!value->type)
        read_wrong(r, node, "the type of this does not follow from its operands: %s<type>(...)",
                   read_text(r, node));
}

static IrValue *read_nonnegative(Reader *r, const Node *node)
{
    if (node->items.count != 1)
        return wrong_value(r, node, "this takes one operand");
    IrValue *value = read_value(r, node->items.first);
    value->nonnegative = true;
    return value;
}

static IrValue *read_operation(Reader *r, const Node *node)
{
    if (read_is(r, node, "nonnegative"))
        return read_nonnegative(r, node);
    IrValue *value = ir_value(r->arena, OP_zero, NULL, span_of(r, node), 0);
    if (!find_operation(r, node, value)) {
        read_wrong(r, node, "there is no operation '%s'; functions are called by 'call %s(...)'",
                   read_text(r, node), read_text(r, node));
        return wrong_value(r, node, "");
    }
    int count = count_operands(r, node, value), wanted = ir_ops[value->op].operands;
    if (wanted >= 0 && wanted != count) {
        read_wrong(r, node, "'%s' has %d operand%s, not %d", ir_ops[value->op].name, wanted,
                   wanted == 1 ? "" : "s", count);
        count = 0;
    }
    read_operands(r, node, value, count);
    if (node->cache && value->op != OP_load)
        read_wrong(r, node->cache, "only a load has a cache hint");
    else if (node->cache)
        value->index = read_cache(r, node->cache, 1, INTR_ldcv - INTR_ldca + 1);
    read_result(r, node, value);
    return r->failed ? wrong_value(r, node, "") : value;
}

static IrValue *read_call(Reader *r, const Node *node)
{
    IrFunc *callee = names_find(r, &r->functions, node);
    if (!callee || callee->kernel) {
        read_wrong(r, node, "there is no device function '%s'", read_text(r, node));
        return wrong_value(r, node, "");
    }
    IrValue *value = ir_value(r->arena, OP_call, callee->result, span_of(r, node), 0);
    value->callee = callee;
    read_operands(r, node, value, node->items.count);
    return value;
}

IrValue *read_value(Reader *r, const Node *node)
{
    switch ((int)node->kind) {
    case NODE_NAME:
        return read_var(r, node);
    case NODE_TRUE:
    case NODE_FALSE:
        return read_bool(r, node);
    case NODE_INT:
        return read_integer(r, node);
    case NODE_FLOAT:
        return read_float(r, node);
    case NODE_COMPLEX:
        return read_complex(r, node);
    case NODE_CALL:
        return read_call(r, node);
    case NODE_OPERATION:
        return read_operation(r, node);
    default:
        return wrong_value(r, node, "this is not a value");
    }
}

int read_store_cache(Reader *r, const Node *node)
{
    return read_cache(r, node, INTR_ldcv - INTR_ldca + 2, INTR_stwt - INTR_ldca + 1);
}
