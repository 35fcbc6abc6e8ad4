/* Types and constant arrays from their nodes. */
#include "ir/text/read.h"

static const Type *wrong_type(Reader *r, const Node *node, const char *why)
{
    read_wrong(r, node, "%s", why);
    return type_int64;
}

/* ---- what has a name ------------------------------------------------------------------------ */

/* A line `type NAME = ...`. */
typedef struct Definition {
    const Node *line;
    const Type *type; /* NULL: not asked for yet */
    bool begun;
} Definition;

void read_type_line(Reader *r, const Node *line)
{
    Definition *definition = arena_new(r->arena, Definition);
    definition->line = line;
    names_add(r, &r->named, line, definition, "type");
}

static TupleNames *names_of(Reader *r, const Definition *definition, const char *const *items)
{
    TupleNames *names = arena_new(r->arena, TupleNames);
    *names = (TupleNames){ read_name(r, definition->line), items };
    return names;
}

static const Type *named_tuple(Reader *r, const Definition *definition, NodeList fields)
{
    const Type **items = arena_array(r->arena, const Type *, fields.count + 1);
    const char **names = arena_array(r->arena, const char *, fields.count + 1);
    int count = 0;
    for (const Node *field = fields.first; field; field = field->next) {
        items[count] = read_type(r, field->type);
        names[count++] = read_name(r, field);
    }
    return type_tuple_named(r->types, items, count, names_of(r, definition, names));
}

/* Reads it as the language has it; its mistakes are at the whole. */
static const Type *record_type(Reader *r, const Node *node)
{
    Diags diags;
    diags_init(&diags, r->arena);
    const char *text = read_text(r, node);
    const Source *source = source_new(r->arena, "record", text, strlen(text));
    const AstExpr *expr = parse_expression(r->arena, &diags, source);
    const Type *type = expr ? type_from_ast(r->types, &diags, expr) : NULL;
    if (type && type_is_record(type))
        return type;
    return wrong_type(r, node, diags.count ? diags.list[0].message : "this is no record");
}

static const Type *enumeration(Reader *r, const Definition *definition, const Node *node)
{
    const Type *item = read_type(r, node->items.first);
    bool integer = read_is(r, node, "int_enum");
    return type_enum(r->types, names_of(r, definition, NULL), integer, item);
}

static const Type *defined(Reader *r, Definition *definition)
{
    const Node *node = definition->line->type;
    if (node->kind == NODE_RECORD)
        return record_type(r, node);
    if (node->kind == NODE_FIELDS)
        return named_tuple(r, definition, node->items);
    if (node->kind == NODE_TUPLE && !node->items.count)
        return named_tuple(r, definition, node->items);
    if (node->kind == NODE_NAME && read_is(r, node, "thing"))
        return type_tuple_named(r->types, NULL, 0, names_of(r, definition, NULL));
    bool enumerates = read_is(r, node, "enum") || read_is(r, node, "int_enum");
    if (node->kind == NODE_OPERATION && enumerates && node->items.count == 1)
        return enumeration(r, definition, node);
    return wrong_type(r, node,
                      "a type with a name is (x: float32, ...), record(x=float32, ...), "
                      "enum(int64), int_enum(int64) or thing");
}

static const Type *named_type(Reader *r, const Node *node)
{
    Definition *definition = names_find(r, &r->named, node);
    if (!definition)
        return NULL;
    if (definition->begun && !definition->type)
        return wrong_type(r, node, "this type is a part of itself");
    definition->begun = true;
    if (!definition->type)
        definition->type = defined(r, definition);
    return definition->type;
}

/* ---- the others ----------------------------------------------------------------------------- */

static const Type *plain_type(Reader *r, const Node *node)
{
    const char *name = read_text(r, node);
    const Type *type = named_type(r, node);
    if (!type)
        type = type_by_name(name);
    if (!type)
        type = type_vector_by_name(name);
    if (!type)
        type = type_time_by_name(name);
    if (!type && strcmp(name, "none") == 0)
        type = type_none;
    if (!type && strcmp(name, "None") == 0)
        type = type_optional(r->types, type_none);
    if (!type)
        read_wrong(r, node, "'%s' is not a type", name);
    return type ? type : type_int64;
}

static const Type *array_type(Reader *r, const Node *node)
{
    const Type *element = read_type(r, node->type);
    int rank = node->items.count, axis = 0;
    ArrayLayout layout = rank ? LAYOUT_A : LAYOUT_C;
    if (!type_is_scalar(element) && !type_is_record(element) && !type_has_items(element))
        return wrong_type(r, node->type, "an array has no such elements");
    if (rank > RANK_MAX)
        return wrong_type(r, node, "an array has at most 8 axes");
    for (const Node *part = node->items.first; part; part = part->next, axis++) {
        if (part->kind == NODE_UNIT_AXIS && axis == rank - 1 && layout == LAYOUT_A)
            layout = LAYOUT_C;
        else if (part->kind == NODE_UNIT_AXIS && axis == 0)
            layout = LAYOUT_F;
        else if (part->kind == NODE_UNIT_AXIS)
            return wrong_type(r, part, "'::1' marks the last axis or the first");
    }
    return type_array(r->types, element, rank, layout, false);
}

static const Type *qualified_type(Reader *r, const Node *node)
{
    const Type *type = read_type(r, node->type);
    if (!type_is_array(type))
        return wrong_type(r, node, "only arrays are so");
    Type changed = *type;
    changed.array.readonly |= node->kind == NODE_READONLY;
    changed.array.unaligned |= node->kind == NODE_UNALIGNED;
    return type_intern(r->types, &changed);
}

static const Type *tuple_type(Reader *r, const Node *node)
{
    const Type **items = arena_array(r->arena, const Type *, node->items.count + 1);
    int count = 0;
    for (const Node *item = node->items.first; item; item = item->next)
        items[count++] = read_type(r, item);
    return type_tuple(r->types, items, count);
}

static const Type *uniform_tuple(Reader *r, const Node *node)
{
    const Type *item = read_type(r, node->items.first);
    int count = (int)read_int(r, node->items.last, 0, 1 << 16);
    const Type **items = arena_array(r->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++)
        items[i] = item;
    return type_tuple(r->types, items, count);
}

static const Type *made_type(Reader *r, const Node *node)
{
    if (read_is(r, node, "Optional") && node->items.count == 1)
        return type_optional(r->types, read_type(r, node->items.first));
    if (read_is(r, node, "UniTuple") && node->items.count == 2)
        return uniform_tuple(r, node);
    return wrong_type(r, node,
                      "this is not a type: there are Optional(type) and "
                      "UniTuple(type, count)");
}

static const Type *time_type(Reader *r, const Node *node)
{
    const char *unit = read_text(r, node);
    const Type *type =
        node->type->kind == NODE_NAME ? type_time_by_name(read_text(r, node->type)) : NULL;
    TimeUnit found;
    if (!type || !time_unit_named(unit, strlen(unit), &found))
        return wrong_type(r, node, "this is not a type");
    return type_time(type->kind == TY_DATETIME, found);
}

const Type *read_type(Reader *r, const Node *node)
{
    switch ((int)node->kind) {
    case NODE_NAME:
        return plain_type(r, node);
    case NODE_ARRAY:
        return array_type(r, node);
    case NODE_READONLY:
    case NODE_UNALIGNED:
        return qualified_type(r, node);
    case NODE_TIME:
        return time_type(r, node);
    case NODE_TUPLE:
        return tuple_type(r, node);
    case NODE_OPERATION:
        return made_type(r, node);
    default:
        return wrong_type(r, node, "this is not a type");
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

enum { TABLE_MOST = 1 << 28 }; /* bytes */

static void read_bytes(Reader *r, const Node *node, IrTable *table, unsigned char *bytes)
{
    const char *text = r->source->text + node->begin + 1;
    bool right = node->end - node->begin == 2 * table->size + 2;
    for (size_t i = 0; right && i < table->size; i++) {
        int high = text_hex_digit(text[2 * i]), low = text_hex_digit(text[2 * i + 1]);
        right = high >= 0 && low >= 0;
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    if (!right)
        read_wrong(r, node, "expected the %zu bytes of the elements, two digits each", table->size);
}

static void read_elements(Reader *r, const Node *line, IrTable *table, unsigned char *bytes)
{
    size_t each = type_size(table->element), at = 0;
    if ((size_t)line->items.count * each != table->size) {
        read_wrong(r, line, "expected %zu elements, not %d", table->size / each, line->items.count);
        return;
    }
    for (Node *item = line->items.first; item && !r->failed; item = item->next, at += each) {
        if (!item->type && item->kind != NODE_TRUE && item->kind != NODE_FALSE)
            item->type = line->type;
        const IrValue *value = read_value(r, item);
        if (value->op != OP_constant || value->type != table->element)
            read_wrong(r, item, "an element is a constant of the array's type");
        else
            ir_table_put(r->arena, bytes + at, table->element, value);
    }
}

static void read_extents(Reader *r, NodeList extents, IrTable *table)
{
    for (const Node *extent = extents.first; extent; extent = extent->next) {
        int64_t count = read_int(r, extent, 0, TABLE_MOST);
        if (table->rank == RANK_MAX) {
            read_wrong(r, extent, "an array has at most 8 axes");
            return;
        }
        table->shape[table->rank++] = count;
        table->size *= (size_t)count;
        if (table->size > TABLE_MOST)
            read_wrong(r, extent, "a constant array has at most 256 MiB");
        if (r->failed)
            return;
    }
}

void read_table_line(Reader *r, const Node *line)
{
    IrTable *table = arena_new(r->arena, IrTable);
    const char *name = read_name(r, line);
    const Type *element = read_type(r, line->type);
    names_add(r, &r->tables, line, table, "constant array");
    if (!type_size(element) ||
        (!type_is_scalar(element) && !type_is_record(element) && !type_has_items(element)))
        read_wrong(r, line->type, "an array has no such elements");
    *table =
        (IrTable){ .name = *name ? name : NULL, .element = element, .size = type_size(element) };
    read_extents(r, line->more, table);
    if (r->failed)
        return;
    unsigned char *bytes = arena_alloc(r->arena, table->size + 1);
    table->bytes = bytes;
    const Node *first = line->items.first;
    if (first && first->kind == NODE_STRING)
        read_bytes(r, first, table, bytes);
    else
        read_elements(r, line, table, bytes);
}
