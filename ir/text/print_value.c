/* Values as text: operations as calls, constants to the bit. */
#include "ir/text/parts.h"

#include <ctype.h>
#include <math.h>

/* ---- names and strings --------------------------------------------------------------------- */

static bool is_plain_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c != '_' && c < 0x80 && !isalpha(c) && !(i && isdigit(c)))
            return false;
    }
    return length && !text_is_reserved(name, length);
}

void print_name(Buf *out, const char *name)
{
    bool plain = is_plain_name(name);
    buf_puts(out, plain ? "" : "`");
    buf_puts(out, name);
    buf_puts(out, plain ? "" : "`");
}

const char *printed_name(Arena *arena, const char *name)
{
    return is_plain_name(name) ? name : arena_printf(arena, "`%s`", name);
}

void print_string(Buf *out, const char *text)
{
    buf_putc(out, '"');
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            buf_printf(out, "\\x%02x", c);
        else
            buf_putc(out, (char)c);
    }
    buf_putc(out, '"');
}

/* ---- constants ----------------------------------------------------------------------------- */

/* NaN by its bits, unless it is the one that "nan" or "-nan" is read as. */
static void put_double(Buf *out, double number)
{
    char text[DECIMAL_TEXT];
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (isnan(number) && (bits << 1) >> 1 != UINT64_C(0x7ff8000000000000)) {
        buf_printf(out, "nan(0x%llx)", (unsigned long long)bits);
        return;
    }
    if (isnan(number)) {
        buf_puts(out, bits >> 63 ? "-nan" : "nan");
        return;
    }
    decimal_text(text, number, 15);
    buf_puts(out, text);
    if (isfinite(number) && !strpbrk(text, ".e"))
        buf_puts(out, ".0");
}

void print_number(Printer *p, const Type *type, const IrConstant *constant)
{
    if (type_is_complex(type)) {
        buf_putc(p->out, '(');
        put_double(p->out, constant->complex.real);
        buf_puts(p->out, ", ");
        put_double(p->out, constant->complex.imag);
        buf_putc(p->out, ')');
    } else if (type->kind == TY_BOOL) {
        buf_puts(p->out, constant->integer ? "true" : "false");
    } else if (type_is_float(type)) {
        put_double(p->out, constant->number);
    } else if (type->kind == TY_UINT64) {
        buf_printf(p->out, "%llu", (unsigned long long)constant->integer);
    } else {
        buf_printf(p->out, "%lld", (long long)constant->integer);
    }
}

static void put_constant(Printer *p, const IrValue *value)
{
    const Type *type = value->type;
    print_number(p, type, &value->constant);
    if (type != type_int64 && type != type_float64 && type != type_bool) {
        buf_putc(p->out, ':');
        type_print(p->out, type);
    }
}

/* ---- operations ---------------------------------------------------------------------------- */

static void put_operands(Printer *p, const IrValue *value, const char *more)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < value->count; i++) {
        buf_puts(p->out, i ? ", " : "");
        print_value(p, value->operands[i]);
    }
    buf_printf(p->out, "%s%s)", value->count && more[0] ? ", " : "", more);
}

/* The type, where operands do not tell it. */
static void put_result(Printer *p, const IrValue *value)
{
    if (types_same(derived_type(p->types, value), value->type))
        return;
    buf_putc(p->out, '<');
    print_type(p, value->type);
    buf_putc(p->out, '>');
}

/* `view<is>` has any strides, `view<is, C>` rows whole. */
static void put_view(Printer *p, const IrValue *value)
{
    static const char *const layouts[] = {
        [LAYOUT_C] = ", C", [LAYOUT_F] = ", F", [LAYOUT_A] = ""
    };
    bool alone = value->type->array.rank == 0;
    buf_printf(p->out, "view<%s%s>", value->axes, alone ? "" : layouts[value->type->array.layout]);
}

static void put_field(Printer *p, const IrValue *value)
{
    const Type *record = value->operands[0]->type->array.element;
    buf_puts(p->out, "field<");
    print_name(p->out, record->record.fields[value->index].name);
    buf_putc(p->out, '>');
}

static void put_head(Printer *p, const IrValue *value)
{
    const char *cache = value->op == OP_load ? ir_cache_names[value->index] : "";
    switch (value->op) {
    case OP_view:
        put_view(p, value);
        return;
    case OP_field:
        put_field(p, value);
        return;
    case OP_call:
        buf_puts(p->out, "call ");
        print_name(p->out, value->callee->name);
        return;
    case OP_intrinsic:
        buf_puts(p->out, ir_intrinsics[value->intrinsic].name);
        put_result(p, value);
        return;
    default:
        buf_printf(p->out, "%s%s%s", ir_ops[value->op].name, cache[0] ? "." : "", cache);
        put_result(p, value);
    }
}

bool text_has_index(const IrValue *value)
{
    return value->op == OP_extent || value->op == OP_stride || value->op == OP_item ||
           value->op == OP_recast ||
           (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize);
}

/* What stands behind the operands: an axis, an item, what is known of a cast. */
static const char *behind(Arena *arena, const IrValue *value)
{
    if (value->op == OP_cast && value->index)
        return value->index == CAST_FITS ? "fits" : "clamps";
    return text_has_index(value) ? arena_printf(arena, "%d", value->index) : "";
}

static void put_plain_value(Printer *p, const IrValue *value)
{
    if (value->op == OP_constant) {
        put_constant(p, value);
    } else if (value->op == OP_var) {
        buf_puts(p->out, p->names[value->var->id]);
    } else {
        put_head(p, value);
        put_operands(p, value, behind(p->arena, value));
    }
}

void print_value(Printer *p, const IrValue *value)
{
    if (value->nonnegative)
        buf_puts(p->out, "nonnegative(");
    put_plain_value(p, value);
    if (value->nonnegative)
        buf_putc(p->out, ')');
}
