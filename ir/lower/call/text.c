/* Methods of texts, in constants: base/strings.c computes them. */
#include "base/strings.h"
#include "ir/lower/function.h"

static const char *type_of_number(const Type *type)
{
    return type == type_bool       ? "bool"
           : type_is_integer(type) ? "int"
           : type_is_complex(type) ? "complex"
           : type_is_float(type)   ? "float"
                                   : NULL;
}

/* What a method is given; of what no constant of Python's is, a kernel say, false. */
static bool given_value(FnState *f, const Operand *operand, StringValue *out, Span span)
{
    const IrValue *value = operand->kind == OPD_VALUE ? operand->value : NULL;
    const char *type = value && ir_is_constant(value) ? type_of_number(value->type) : NULL;
    const int64_t count = operand->kind == OPD_STRING ? -1 : evaluate_count(f, operand);
    *out = (StringValue){ .kind = STRING_NONE, .type = "NoneType" };
    if (operand->kind == OPD_STRING) {
        *out = (StringValue){ .kind = STRING_TEXT,
                              .type = "str",
                              .text = operand->string.text,
                              .length = operand->string.length };
    } else if (type) {
        const bool whole = *type == 'b' || *type == 'i';
        *out = (StringValue){ .kind = whole ? STRING_NUMBER : STRING_OTHER,
                              .type = type,
                              .number = whole ? value->constant.integer : 0 };
    } else if (count >= 0) {
        *out = (StringValue){ .kind = STRING_TUPLE, .type = "tuple", .count = (int)count };
        out->items = arena_array(f->arena, StringValue, count + 1);
        for (int i = 0; i < out->count; i++) {
            const Operand item = evaluate_item(f, operand, i, span);
            if (!given_value(f, &item, &out->items[i], span))
                return false;
        }
    }
    return out->kind != STRING_NONE || operand->kind == OPD_NONE;
}

static Operand made_value(FnState *f, const StringValue *made, Span span)
{
    if (made->kind == STRING_TEXT)
        return operand_text(f->arena, made->text, made->length, span);
    if (made->kind == STRING_TRUTH || made->kind == STRING_NUMBER)
        return operand_value(ir_integer(
            f->arena, made->kind == STRING_TRUTH ? type_bool : type_int64, made->number, span));
    Operand *items = arena_array(f->arena, Operand, made->count + 1);
    for (int i = 0; i < made->count; i++)
        items[i] = made_value(f, &made->items[i], span);
    return tuple_of_operands(f, items, made->count, span);
}

bool lower_text_method(FnState *f, const AstExpr *call, const Operand *text, Operand *out)
{
    StringCall to = { .arena = f->arena,
                      .method = call->call.function->attribute.name,
                      .count = call->call.args.count };
    StringValue made;
    if (strcmp(to.method, "format") == 0 && !call->call.keyword_count) {
        *out = lower_format_method(f, call, text);
        return true;
    }
    const StringMethod *method = string_find(to.method);
    if (call->call.keyword_count || !method || to.count < method->least || to.count > method->most)
        return false;
    given_value(f, text, &to.self, call->span);
    for (int i = 0; i < to.count; i++) {
        *out = lower_expr(f, call->call.args.items[i]);
        if (out->kind == OPD_ERROR)
            return true;
        if (!given_value(f, out, &to.args[i], call->span))
            return false;
    }
    if (method->compute(&to, &made)) {
        *out = made_value(f, &made, call->span);
    } else {
        fail(f, call->span, "%s", to.message);
        *out = operand_error(call->span);
    }
    return true;
}
