/* Methods of texts, in constants. */
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <ctype.h>

static const char white[] = " \t\n\r\f\v";

static Operand cased(FnState *f, const char *text, bool upper, Span span)
{
    char *made = arena_strdup(f->arena, text);
    for (char *at = made; *at; at++)
        if (isascii((unsigned char)*at))
            *at = (char)(upper ? toupper((unsigned char)*at) : tolower((unsigned char)*at));
    return operand_text(f->arena, made, strlen(made), span);
}

/* Without what of `set` stands at its ends. */
static Operand stripped(FnState *f, const char *text, const char *set, const char *name, Span span)
{
    size_t length = strlen(text);
    if (strcmp(name, "rstrip") != 0) {
        size_t skip = strspn(text, set);
        text += skip;
        length -= skip;
    }
    while (strcmp(name, "lstrip") != 0 && length && strchr(set, text[length - 1]))
        length--;
    return operand_text(f->arena, text, length, span);
}

/* The parts between separators; without one, the words between blanks. */
static Operand split(FnState *f, const char *text, const char *separator, Span span)
{
    Operand *items = NULL;
    int count = 0, capacity = 0;
    bool words = !separator;
    for (;;) {
        if (words)
            text += strspn(text, white);
        if (words && !*text)
            break;
        const char *end = words ? text + strcspn(text, white) : strstr(text, separator);
        size_t length = end ? (size_t)(end - text) : strlen(text);
        array_push(f->arena, items, count, capacity) = operand_text(f->arena, text, length, span);
        if (!end)
            break;
        text = end + (words ? 0 : strlen(separator));
    }
    return tuple_of_operands(f, items, count, span);
}

static Operand lines(FnState *f, const char *text, Span span)
{
    size_t length = strlen(text);
    if (length && text[length - 1] == '\n')
        length--;
    return split(f, arena_strndup(f->arena, text, length), "\n", span);
}

static Operand replaced(FnState *f, const char *text, const char *from, const char *to, Span span)
{
    Buf out;
    buf_init(&out, f->arena);
    for (const char *at; *from && (at = strstr(text, from)); text = at + strlen(from))
        buf_printf(&out, "%.*s%s", (int)(at - text), text, to);
    buf_printf(&out, "%s", text);
    return operand_text(f->arena, buf_text(&out), strlen(buf_text(&out)), span);
}

static Operand joined(FnState *f, const char *text, const Operand *parts, Span span)
{
    Buf out;
    buf_init(&out, f->arena);
    int64_t count = evaluate_count(f, parts);
    for (int64_t i = 0; i < count; i++) {
        Operand part = evaluate_item(f, parts, i, span);
        if (part.kind != OPD_STRING) {
            fail(f, span, "only texts are joined");
            return operand_error(span);
        }
        buf_printf(&out, "%s%s", i ? text : "", part.string.text);
    }
    return operand_text(f->arena, buf_text(&out), strlen(buf_text(&out)), span);
}

static Operand truth(FnState *f, bool holds, Span span)
{
    return operand_value(ir_integer(f->arena, type_bool, holds, span));
}

bool lower_text_method(FnState *f, const AstExpr *call, const Operand *text, Operand *out)
{
    const char *name = call->call.function->attribute.name, *of = text->string.text;
    int count = call->call.args.count;
    if (strcmp(name, "format") == 0 && !call->call.keyword_count) {
        *out = lower_format_method(f, call, text);
        return true;
    }
    Operand args[2] = { { .kind = OPD_NONE }, { .kind = OPD_NONE } };
    if (count > 2 || call->call.keyword_count || strlen(of) != text->string.length)
        return false;
    for (int i = 0; i < count; i++)
        if ((args[i] = lower_expr(f, call->call.args.items[i])).kind == OPD_ERROR) {
            *out = args[i];
            return true;
        }
    const char *first = args[0].kind == OPD_STRING ? args[0].string.text : NULL;
    const char *second = args[1].kind == OPD_STRING ? args[1].string.text : NULL;
    Span span = call->span;
    size_t length = first ? strlen(first) : 0;
    if (!count && (strcmp(name, "lower") == 0 || strcmp(name, "upper") == 0))
        *out = cased(f, of, *name == 'u', span);
    else if ((!count || first) && strstr(name, "strip") && strlen(name) <= 6)
        *out = stripped(f, of, first ? first : white, name, span);
    else if ((!count || length) && strcmp(name, "split") == 0)
        *out = split(f, of, first, span);
    else if (!count && strcmp(name, "splitlines") == 0)
        *out = lines(f, of, span);
    else if (first && second && strcmp(name, "replace") == 0)
        *out = replaced(f, of, first, second, span);
    else if (count == 1 && strcmp(name, "join") == 0)
        *out = joined(f, of, &args[0], span);
    else if (first && strcmp(name, "startswith") == 0)
        *out = truth(f, strncmp(of, first, length) == 0, span);
    else if (first && strcmp(name, "endswith") == 0)
        *out = truth(f, strlen(of) >= length && strcmp(of + strlen(of) - length, first) == 0, span);
    else if (first &&
             (strcmp(name, "find") == 0 || (strcmp(name, "index") == 0 && strstr(of, first))))
        *out = operand_value(ir_integer(f->arena, type_int64,
                                        strstr(of, first) ? strstr(of, first) - of : -1, span));
    else
        return false;
    return true;
}
