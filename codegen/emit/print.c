/* print() as one printf, or as several where it has too many arguments for one. */
#include "codegen/emit/emit.h"

enum { PRINTF_MOST = 32 }; /* arguments of CUDA's printf behind the format */

/* A printf under construction. */
typedef struct Print {
    Emitter *e;
    Buf format, arguments;
    int count; /* of arguments */
} Print;

static void print_flush(Print *print, const char *end)
{
    line(print->e, "printf(\"%s%s\"%s);", buf_text(&print->format), end,
         buf_text(&print->arguments));
    print->format = buf_in(print->e->arena);
    print->arguments = buf_in(print->e->arena);
    print->count = 0;
}

/* Makes room for an argument. A line of more than one printf may be torn by other threads' lines,
** which is better than numba's way to print the format. */
static void print_room(Print *print)
{
    if (print->count == PRINTF_MOST)
        print_flush(print, "");
    print->count++;
}

/* Text inside a C string literal that is a format. */
static void put_quoted(Buf *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '%')
            buf_puts(out, "%%");
        else if (*p == '"' || *p == '\\')
            buf_printf(out, "\\%c", *p);
        else if (*p < ' ' || *p >= 0x7f)
            buf_printf(out, "\\%03o", *p);
        else if (*p == '?')
            buf_puts(out, "\\?");
        else
            buf_putc(out, (char)*p);
    }
}

/* The conversion of a real type, and how its argument is written around `text`. */
static void print_real(Print *print, const Type *type, const char *text)
{
    print_room(print);
    if (type == type_bool) {
        buf_puts(&print->format, "%s");
        buf_printf(&print->arguments, ", %s ? \"True\" : \"False\"", text);
    } else if (type_is_float(type)) {
        buf_puts(&print->format, "%f");
        buf_printf(&print->arguments, ", (double)%s", text);
    } else {
        bool is_signed = type_is_signed(type);
        buf_puts(&print->format, is_signed ? "%lld" : "%llu");
        buf_printf(&print->arguments, ", %s%s", is_signed ? "(long long)" : "(unsigned long long)",
                   text);
    }
}

static const char *printable_text(Emitter *e, const IrValue *value)
{
    if (type_is_float(value->type) && type_size(value->type) == 2)
        return cast_text(e, type_float32, value, PREC_POSTFIX);
    const char *text = value_text(e, value, PREC_UNARY);
    return *text == '-' ? arena_printf(e->arena, "(%s)", text) : text;
}

/* Prints what is at `text`, an expression of a struct or scalar type. */
static void print_at(Emitter *e, Print *print, const Type *type, const char *text)
{
    if (type_is_complex(type)) {
        buf_putc(&print->format, '(');
        print_real(print, type_complex_part(type), arena_printf(e->arena, "%s.real", text));
        buf_putc(&print->format, '+');
        print_real(print, type_complex_part(type), arena_printf(e->arena, "%s.imag", text));
        buf_puts(&print->format, "j)");
    } else if (type_is_tuple(type)) {
        buf_putc(&print->format, '(');
        for (int i = 0; i < type->tuple.count; i++) {
            buf_puts(&print->format, i ? ", " : "");
            print_at(e, print, type->tuple.items[i], arena_printf(e->arena, "%s._%d", text, i));
        }
        buf_puts(&print->format, type->tuple.count == 1 ? ",)" : ")");
    } else if (type_is_float(type) && type_size(type) == 2) {
        print_real(print, type_float32,
                   arena_printf(e->arena, "%s(%s)", prelude(e, "f32_from", type), text));
    } else if (type_is_scalar(type)) {
        print_real(print, type, text);
    }
}

static void print_value(Emitter *e, Print *print, const IrValue *value)
{
    if (value->op == OP_tuple) {
        buf_putc(&print->format, '(');
        for (int i = 0; i < value->count; i++) {
            buf_puts(&print->format, i ? ", " : "");
            print_value(e, print, value->operands[i]);
        }
        buf_puts(&print->format, value->count == 1 ? ",)" : ")");
    } else if (type_is_complex(value->type) || type_is_tuple(value->type)) {
        print_at(e, print, value->type, value_text(e, value, PREC_POSTFIX));
    } else if (type_is_float(value->type) && type_size(value->type) == 2) {
        print_real(print, type_float32, printable_text(e, value));
    } else {
        print_real(print, value->type, printable_text(e, value));
    }
}

void emit_print(Emitter *e, const IrStmt *stmt)
{
    Print print = { .e = e };

    print.format = buf_in(e->arena);
    print.arguments = buf_in(e->arena);
    for (int i = 0; i < stmt->print.count; i++) {
        buf_puts(&print.format, i ? " " : "");
        if (stmt->print.items[i].value)
            print_value(e, &print, stmt->print.items[i].value);
        else
            put_quoted(&print.format, stmt->print.items[i].text);
    }
    print_flush(&print, "\\n");
}
