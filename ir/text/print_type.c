/* Types as text. What has a name of its own, or is long, is said once at the head of the text:
**
**     type Point = (x: float32, y: float32)       a namedtuple
**     type Color = enum(int64)                    int_enum: of an IntEnum
**     type f = thing                              what is no value
**     type R = record(x=float32, y=int32[3])      as record_print() has it
**     table lut: float32 of 2 = 0.5, 1.0          a constant array of the module */
#include "ir/text/parts.h"

/* ---- names --------------------------------------------------------------------------------- */

static bool is_built_in(const char *name)
{
    static const char *const others[] = { "None", "Optional", "UniTuple", "enum", "int_enum",
                                          "none", "packed",   "record",   "thing" };
    return TEXT_IS_AMONG(name, others) || type_by_name(name) || type_vector_by_name(name) ||
           type_time_by_name(name);
}

/* The name with a number behind it if others have it. */
static const char *new_name(Printer *p, const char *name)
{
    int same = is_built_in(name);
    for (int i = 0; i < p->taken_count; i++)
        same += strcmp(p->taken[i], name) == 0;
    array_push(p->arena, p->taken, p->taken_count, p->taken_capacity) = name;
    const char *printed = printed_name(p->arena, name);
    return same ? arena_printf(p->arena, "%s.%d", printed, same + 1) : printed;
}

static const char *type_name_of(Printer *p, const Type *type)
{
    for (int i = 0; i < p->named_count; i++)
        if (p->named[i].type == type)
            return p->named[i].name;
    const char *name = new_name(p, type_is_record(type) ? "R" : type->tuple.names->name);
    array_push(p->arena, p->named, p->named_count, p->named_capacity) = (NamedType){ type, name };
    return name;
}

const char *table_name(Printer *p, const IrTable *table)
{
    for (int i = 0; i < p->table_count; i++)
        if (p->tables[i].table == table)
            return p->tables[i].name;
    const char *name = new_name(p, table->name ? table->name : "");
    array_push(p->arena, p->tables, p->table_count, p->table_capacity) =
        (NamedTable){ table, name };
    return name;
}

/* ---- types --------------------------------------------------------------------------------- */

static void put_array(Printer *p, const Type *type)
{
    buf_puts(p->out, type->array.unaligned ? "unaligned " : "");
    buf_puts(p->out, type->array.readonly ? "readonly " : "");
    print_type(p, type->array.element);
    buf_puts(p->out, type->array.rank ? "[" : "[()]");
    for (int axis = 0; axis < type->array.rank; axis++) {
        bool unit = (type->array.layout == LAYOUT_C && axis == type->array.rank - 1) ||
                    (type->array.layout == LAYOUT_F && axis == 0);
        buf_printf(p->out, "%s%s", axis ? ", " : "", unit ? "::1" : ":");
    }
    buf_puts(p->out, type->array.rank ? "]" : "");
}

static void put_tuple(Printer *p, const Type *type)
{
    int count = type->tuple.count;
    if (type_is_optional(type) && count == 1) {
        buf_puts(p->out, "None");
    } else if (type_is_optional(type)) {
        buf_puts(p->out, "Optional(");
        print_type(p, type_optional_value(type));
        buf_putc(p->out, ')');
    } else if (count > LONG_TUPLE && type_is_uniform(type)) {
        buf_puts(p->out, "UniTuple(");
        print_type(p, type->tuple.items[0]);
        buf_printf(p->out, ", %d)", count);
    } else {
        buf_putc(p->out, '(');
        for (int i = 0; i < count; i++) {
            buf_puts(p->out, i ? ", " : "");
            print_type(p, type->tuple.items[i]);
        }
        buf_puts(p->out, count == 1 ? ",)" : ")");
    }
}

void print_type(Printer *p, const Type *type)
{
    if (type_is_array(type))
        put_array(p, type);
    else if (type_is_record(type) || type_is_enum(type) ||
             (type_is_tuple(type) && type->tuple.names))
        buf_puts(p->out, type_name_of(p, type));
    else if (type_is_tuple(type))
        put_tuple(p, type);
    else
        type_print(p->out, type);
}

/* ---- what names stand for ------------------------------------------------------------------ */

static void put_fields(Printer *p, const Type *type)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < type->tuple.count; i++) {
        buf_puts(p->out, i ? ", " : "");
        print_name(p->out, type->tuple.names->items[i]);
        buf_puts(p->out, ": ");
        print_type(p, type->tuple.items[i]);
    }
    buf_putc(p->out, ')');
}

/* Types that it is made of are named by that, if they were not. */
static const char *definition(Printer *p, const Type *type)
{
    Buf *out = p->out, text;
    text = buf_in(p->arena);
    p->out = &text;
    if (type_is_record(type)) {
        record_print(&text, type);
    } else if (type_is_enum(type)) {
        buf_puts(&text, type->kind == TY_ENUM ? "enum(" : "int_enum(");
        print_type(p, type->tuple.items[0]);
        buf_putc(&text, ')');
    } else if (!type->tuple.names->items) {
        buf_puts(&text, "thing");
    } else {
        put_fields(p, type);
    }
    p->out = out;
    return buf_text(&text);
}

static void put_elements(Printer *p, const IrTable *table)
{
    size_t bytes = type_size(table->element);
    if (!type_is_scalar(table->element)) {
        buf_puts(p->out, " = \"");
        for (size_t i = 0; i < table->size; i++)
            buf_printf(p->out, "%02x", table->bytes[i]);
        buf_putc(p->out, '"');
        return;
    }
    for (size_t at = 0; bytes && at + bytes <= table->size; at += bytes) {
        IrValue *value = ir_table_get(p->arena, table->element, table->bytes + at, (Span){ 0 });
        buf_puts(p->out, at ? ", " : " = ");
        print_number(p, table->element, &value->constant);
    }
}

static void put_table(Printer *p, const IrTable *table)
{
    buf_printf(p->out, "table %s: ", table_name(p, table));
    print_type(p, table->element);
    for (int axis = 0; axis < table->rank; axis++)
        buf_printf(p->out, "%s%lld", axis ? " x " : " of ", (long long)table->shape[axis]);
    put_elements(p, table);
    buf_putc(p->out, '\n');
}

void print_named(Printer *p, Buf *out)
{
    Buf tables = buf_in(p->arena);
    p->out = &tables;
    for (int i = 0; i < p->table_count; i++)
        put_table(p, p->tables[i].table);
    for (int i = 0; i < p->named_count; i++) { /* which may name more */
        const char *text = definition(p, p->named[i].type);
        buf_printf(out, "type %s = %s\n", p->named[i].name, text);
    }
    buf_puts(out, buf_text(&tables));
    buf_puts(out, p->named_count || p->table_count ? "\n" : "");
    p->out = out;
}
