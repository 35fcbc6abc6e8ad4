/* Texts of fixed length, the elements of arrays of characters: they are stored, and compared with
** one another and with texts that are written out. A reference to one is a record's (record.c);
** what is to be done letter by letter does the library, on the arrays of their codes. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"

bool is_characters(const IrValue *value)
{
    return type_is_record_ref(value->type) && type_is_characters(value->type->array.element);
}

static Operand call_library(FnState *f, const char *name, IrValue *a, IrValue *b, Span span)
{
    AstExpr *expr = arena_new(f->arena, AstExpr);
    Operand args[2] = { operand_value(a) };
    *expr = (AstExpr){ .kind = AST_CALL, .span = span };
    if (b)
        args[1] = operand_value(b);
    return lower_library_call(f, expr, name, args, b ? 2 : 1);
}

static IrValue *number_of_library(FnState *f, const char *name, IrValue *a, IrValue *b, Span span)
{
    Operand number = call_library(f, name, a, b, span);
    return number.kind == OPD_VALUE ? number.value : lower_poison(f, span);
}

/* ---- codes --------------------------------------------------------------------------------- */

static IrValue *codes_of(FnState *f, IrValue *characters, Span span)
{
    return lower_field(f, characters, 0, span);
}

/* The next letter of UTF-8 that was read as such. */
static uint32_t next_code(const unsigned char **at)
{
    uint32_t code = *(*at)++;
    int more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
    if (more)
        code &= 0x3fu >> more;
    while (more-- > 0)
        code = code << 6 | (*(*at)++ & 0x3f);
    return code;
}

/* The codes of a text, as far as there is room for `count`; how many there are. */
static int64_t put_codes(const char *text, size_t length, bool bytes, unsigned char *to,
                         int64_t count)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    int64_t i = 0;
    for (; at < end; i++) {
        uint32_t code = bytes ? *at++ : next_code(&at);
        if (i < count)
            memcpy(to + i * (bytes ? 1 : 4), &code, bytes ? 1 : 4);
    }
    return i;
}

bool characters_put(FnState *f, unsigned char *to, const Type *type, const AstExpr *expr)
{
    bool unicode = characters_are_unicode(type);
    if (expr->kind != (unicode ? AST_STRING : AST_BYTES))
        return fail(f, expr->span, "an array of %s is made of %s", type_name(f->arena, type),
                    unicode ? "texts" : "bytes");
    put_codes(expr->string.text, expr->string.length, !unicode, to, characters_count(type));
    return true;
}

/* A text that is written out, as a constant array of codes; at least one. */
static IrValue *written_codes(FnState *f, const Operand *text, Span span)
{
    const bool bytes = text->string.bytes;
    int64_t count = put_codes(text->string.text, text->string.length, bytes, NULL, 0);
    const int64_t shape[] = { count > 0 ? count : 1 };
    IrTable *table = lower_table_new(f->arena, bytes ? type_of(UINT8) : type_uint32, 1, shape);
    if (!table)
        return fail_value(f, span, "this text is too long");
    unsigned char *to = (unsigned char *)table->bytes;
    memset(to, 0, table->size);
    put_codes(text->string.text, text->string.length, bytes, to, count);
    table->name = bytes ? "bytes" : "text";
    return lower_table_in_function(f, lower_table_value(f, table, span));
}

void characters_settle(FnState *f, Operand *operand)
{
    if (operand->kind != OPD_STRING || !operand->string.bytes)
        return;
    *operand = operand->string.length > 0
                   ? operand_value(written_codes(f, operand, operand->span))
                   : fail_operand(f, operand->span, "there is nothing in these bytes");
}

/* Codes of what is one of two texts, and whether these are Unicode's; NULL after a complaint. */
static IrValue *codes_of_either(FnState *f, const Operand *text, bool *unicode, Span span)
{
    if (text->kind == OPD_STRING) {
        *unicode = !text->string.bytes;
        return written_codes(f, text, span);
    }
    if (text->kind != OPD_VALUE || !is_characters(text->value)) {
        if (text->kind != OPD_ERROR && !(text->kind == OPD_VALUE && is_poison(text->value)))
            fail(f, span, "a text goes with texts, and this is %s", describe(f, *text));
        return NULL;
    }
    *unicode = characters_are_unicode(text->value->type->array.element);
    return codes_of(f, text->value, span);
}

/* ---- what is done with them ------------------------------------------------------------------ */

void characters_store(FnState *f, IrValue *to, const Operand *from, Span span)
{
    bool unicode, wanted = characters_are_unicode(to->type->array.element);
    IrValue *codes = codes_of_either(f, from, &unicode, span);
    if (!codes || is_poison(codes))
        return;
    if (unicode != wanted) {
        fail(f, span, "cannot store %s in an array of %s", unicode ? "a text" : "bytes",
             type_name(f->arena, to->type->array.element));
        return;
    }
    call_library(f, "_copy_characters", codes_of(f, to, span), codes, span);
}

IrValue *characters_compare(FnState *f, AstOp op, const Operand *left, const Operand *right,
                            Span span)
{
    static const IrOp ops[] = { [AST_EQ] = OP_eq, [AST_NE] = OP_ne, [AST_LT] = OP_lt,
                                [AST_LE] = OP_le, [AST_GT] = OP_gt, [AST_GE] = OP_ge };
    bool first, second;
    IrValue *a = codes_of_either(f, left, &first, span);
    IrValue *b = a ? codes_of_either(f, right, &second, span) : NULL;
    if (!b || is_poison(a) || is_poison(b))
        return lower_poison(f, span);
    bool equality = op == AST_EQ || op == AST_NE;
    if (first != second && equality) /* as in Python, where str and bytes never are */
        return ir_integer(f->arena, type_bool, op == AST_NE, span);
    if (first != second || op > AST_GE || (!equality && op < AST_LT))
        return fail_value(f, span, "'%s' is not there for texts%s", ast_op_spelling(op),
                          first != second ? " and bytes" : "");
    IrValue *order = number_of_library(f, "_order_of_characters", a, b, span);
    if (is_poison(order))
        return order;
    return ir_binary(f->arena, ops[op], order, ir_integer(f->arena, order->type, 0, span), span);
}

IrValue *characters_length(FnState *f, IrValue *characters, Span span)
{
    return number_of_library(f, "_length_of_characters", codes_of(f, characters, span), NULL, span);
}

Operand characters_index(FnState *f, IrValue *characters, IrValue **indices, Span span)
{
    if (!characters_are_unicode(characters->type->array.element))
        return operand_value(convert(f, lower_load(f, codes_of(f, characters, span), indices, span),
                                     type_int64, span));
    return fail_operand(
        f, span,
        "single letters of a text are not there; compare it as a whole, or look at the codes, "
        "a.view(np.uint32)");
}
