/* The values of numbers and strings. The lexer has seen to their form; what is left to complain
** of is in escapes and prefixes. */
#define _GNU_SOURCE
#include "parser/build.h"
#include "parser/grammar.h"

#include <locale.h>

/* ---- numbers -------------------------------------------------------------------------- */

static int digit_value(char c)
{
    return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

static void read_integer(AstExpr *expr, const char *at, const char *end)
{
    uint64_t value = 0, base = 10;

    if (end - at > 2 && at[0] == '0') {
        char letter = (char)(at[1] | 32);
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
        at += base == 10 ? 0 : 2;
    }
    for (; at < end; at++) {
        if (*at == '_')
            continue;
        uint64_t digit = (uint64_t)digit_value(*at);
        if (value > (UINT64_MAX - digit) / base)
            expr->integer.too_big = true;
        value = value * base + digit;
    }
    expr->integer.value = value;
}

/* The number without its underscores, read as C does whatever the program's locale. */
static double read_float(Parse *ps, const char *text, size_t length)
{
    char small[64], *digits = length < sizeof small ? small : arena_alloc(ps->arena, length + 1);
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] != '_')
            digits[count++] = text[i];
    }
    digits[count] = '\0';
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = c ? strtod_l(digits, NULL, c) : strtod(digits, NULL);
    if (c)
        freelocale(c);
    return value;
}

AstExpr *ast_number(Parse *ps, Token token)
{
    const char *text = ps->source->text + token.begin;
    size_t length = token.end - token.begin;
    AstExpr *expr = ast_leaf(ps,
                             token.kind == TK_INT     ? AST_INT
                             : token.kind == TK_FLOAT ? AST_FLOAT
                                                      : AST_IMAG,
                             token);

    if (token.kind == TK_INT)
        read_integer(expr, text, text + length);
    else
        expr->number.value = read_float(ps, text, length - (token.kind == TK_IMAG));
    return expr;
}

/* ---- strings -------------------------------------------------------------------------- */

/* A literal being read: never longer than what was written. */
typedef struct Literal {
    Parse *ps;
    const char *at, *end;
    char *out;
    bool bytes;
    bool unnamed; /* a character is given by its name */
} Literal;

static void put_code(Literal *it, uint32_t c)
{
    if (it->bytes)
        *it->out++ = (char)c;
    else
        it->out += utf8_encode(c, it->out);
}

static void bad_escape(const Literal *it, const char *begin, const char *end, const char *message)
{
    const char *text = it->ps->source->text;

    diag_error(it->ps->diags,
               (Span){ it->ps->source, (uint32_t)(begin - text), (uint32_t)(end - text) }, "%s",
               message);
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* \xhh, \uhhhh, \Uhhhhhhhh: `it->at` is behind the letter. */
static void read_code(Literal *it, int digits)
{
    const char *begin = it->at - 2;
    uint32_t c = 0;
    int count = 0;

    for (; count < digits && it->at < it->end && is_hex(*it->at); count++)
        c = c << 4 | (uint32_t)digit_value(*it->at++);
    if (count < digits)
        bad_escape(it, begin, it->at,
                   digits == 2   ? "\\x needs two hexadecimal digits"
                   : digits == 4 ? "\\u needs four hexadecimal digits"
                                 : "\\U needs eight hexadecimal digits");
    else if (c > 0x10ffff)
        bad_escape(it, begin, it->at, "there is no character with this number");
    else
        put_code(it, c);
}

static void read_octal(Literal *it)
{
    uint32_t c = 0;

    for (int i = 0; i < 3 && it->at < it->end && *it->at >= '0' && *it->at <= '7'; i++)
        c = c << 3 | (uint32_t)(*it->at++ - '0');
    put_code(it, c);
}

static void read_line_end(Literal *it, bool keep)
{
    if (*it->at++ == '\r' && it->at < it->end && *it->at == '\n')
        it->at++;
    if (keep)
        *it->out++ = '\n';
}

/* \N{BULLET}: names of characters are not supported, so the text stays as it is written. */
static void read_named(Literal *it)
{
    const char *begin = it->at - 1, *end = memchr(it->at, '}', (size_t)(it->end - it->at));

    if (!end || it->at + 1 == it->end || it->at[1] != '{' || end == it->at + 2) {
        bad_escape(it, begin, it->at + 1, "\\N needs the name of a character in braces");
        it->at++;
        return;
    }
    it->unnamed = true;
    memcpy(it->out, begin, (size_t)(end + 1 - begin));
    it->out += end + 1 - begin;
    it->at = end + 1;
}

/* Reads what follows a backslash. */
static void read_escape(Literal *it)
{
    static const char letters[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    char c = *it->at;
    const char *letter = strchr(letters, c);

    if (c >= '0' && c <= '7') {
        read_octal(it);
    } else if (c == '\n' || c == '\r') {
        read_line_end(it, false);
    } else if (letter) {
        *it->out++ = values[letter - letters];
        it->at++;
    } else if (c == 'x' || (!it->bytes && (c == 'u' || c == 'U'))) {
        it->at++;
        read_code(it, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    } else if (c == 'N' && !it->bytes) {
        read_named(it);
    } else {
        *it->out++ = '\\'; /* as in Python, what is no escape stays */
    }
}

/* Reads text with its escapes, if it is not raw; in an f-string braces are doubled. */
static void read_text(Literal *it, bool raw, bool braces)
{
    while (it->at < it->end) {
        bool doubled = braces && (*it->at == '{' || *it->at == '}') && it->at + 1 < it->end;
        if (*it->at == '\r' || *it->at == '\n')
            read_line_end(it, true);
        else if (doubled && it->at[1] == *it->at)
            it->at++, *it->out++ = *it->at++;
        else if (*it->at != '\\' || raw)
            *it->out++ = *it->at++;
        else if (it->at++, it->at < it->end)
            read_escape(it);
        else
            *it->out++ = '\\';
    }
}

static AstExpr *literal(Parse *ps, AstExprKind kind, Token token, Literal *it)
{
    AstExpr *expr = ast_leaf(ps, kind, token);
    char *text = arena_alloc(ps->arena, token.end - token.begin + 1);

    *it = (Literal){ .ps = ps,
                     .at = ps->source->text + token.begin,
                     .end = ps->source->text + token.end,
                     .out = text,
                     .bytes = kind == AST_BYTES };
    expr->string.text = text;
    return expr;
}

static AstExpr *finish(AstExpr *expr, Literal *it)
{
    *it->out = '\0';
    expr->string.length = (size_t)(it->out - expr->string.text);
    expr->string.unnamed = it->unnamed;
    return expr;
}

/* Complains of what is not ASCII in bytes. */
static void check_bytes(const Literal *it)
{
    for (const char *at = it->at; at < it->end; at++) {
        if ((unsigned char)*at < 0x80)
            continue;
        bad_escape(it, at, at + utf8_length(at, it->end),
                   "bytes hold only ASCII characters; write \\x and the number");
        return;
    }
}

AstExpr *ast_string(Parse *ps, Token token)
{
    const char *text = ps->source->text + token.begin;
    size_t letters = strcspn(text, "'\"");
    bool raw = memchr(text, 'r', letters) || memchr(text, 'R', letters);
    bool bytes = memchr(text, 'b', letters) || memchr(text, 'B', letters);
    Literal it;
    AstExpr *expr = literal(ps, bytes ? AST_BYTES : AST_STRING, token, &it);

    it.at += letters;
    int quotes = it.end - it.at >= 6 && it.at[1] == *it.at && it.at[2] == *it.at ? 3 : 1;
    it.at += quotes;
    it.end -= quotes;
    if (bytes)
        check_bytes(&it);
    read_text(&it, raw, false);
    return finish(expr, &it);
}

AstExpr *ast_fstring_text(Parse *ps, Token token)
{
    Literal it;
    AstExpr *expr = literal(ps, AST_STRING, token, &it);

    read_text(&it, token.kind == TK_FSTRING_RAW, true);
    return finish(expr, &it);
}

/* ---- neighbours ------------------------------------------------------------------------- */

/* Puts the text of `next` behind that of `string`. */
static AstExpr *join_texts(Parse *ps, AstExpr *string, const AstExpr *next)
{
    size_t length = string->string.length, needed = length + next->string.length + 1;

    if (ps->joined != string || needed > ps->string_capacity) {
        ps->joined = string;
        ps->string_capacity = 2 * needed;
        string->string.text =
            arena_grow(ps->arena, string->string.text, length, ps->string_capacity);
    }
    memcpy((char *)string->string.text + length, next->string.text, next->string.length + 1);
    string->string.length = needed - 1;
    string->string.unnamed |= next->string.unnamed;
    string->span.end = next->span.end;
    return string;
}

/* A string as an f-string of one part. */
static AstExpr *as_fstring(Parse *ps, AstExpr *string)
{
    if (string->kind == AST_FSTRING)
        return string;
    AstExpr *expr = ast_expr(ps, AST_FSTRING, string->span);
    expr->list.items = ast_exprs(ps, (AstExprs){ 0 }, ast_hang(ps, expr, string));
    return expr;
}

AstExpr *ast_string_join(Parse *ps, AstExpr *string, AstExpr *next)
{
    if ((string->kind == AST_BYTES) != (next->kind == AST_BYTES)) {
        diag_error(ps->diags, next->span, "bytes and strings cannot be joined");
        return string;
    }
    if (string->kind != AST_FSTRING && next->kind != AST_FSTRING)
        return join_texts(ps, string, next);
    string = as_fstring(ps, string);
    next = as_fstring(ps, next);
    for (int i = 0; i < next->list.items.count; i++)
        string->list.items =
            ast_exprs(ps, string->list.items, ast_hang(ps, string, next->list.items.items[i]));
    string->span.end = next->span.end;
    return string;
}
