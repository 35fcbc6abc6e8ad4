/* The values of numbers and strings. The lexer has seen to their form; what is left to complain
** of is in escapes and prefixes. */
#define _GNU_SOURCE
#include "parser/build.h"
#include "parser/grammar.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

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
} Literal;

static void put_utf8(Literal *it, uint32_t c)
{
    if (c < 0x80) {
        *it->out++ = (char)c;
    } else if (c < 0x800) {
        *it->out++ = (char)(0xc0 | c >> 6);
        *it->out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *it->out++ = (char)(0xe0 | c >> 12);
        *it->out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *it->out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *it->out++ = (char)(0xf0 | c >> 18);
        *it->out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *it->out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *it->out++ = (char)(0x80 | (c & 0x3f));
    }
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
    else if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        bad_escape(it, begin, it->at, "there is no character with this number");
    else
        put_utf8(it, c);
}

static void read_octal(Literal *it)
{
    uint32_t c = 0;

    for (int i = 0; i < 3 && it->at < it->end && *it->at >= '0' && *it->at <= '7'; i++)
        c = c << 3 | (uint32_t)(*it->at++ - '0');
    put_utf8(it, c);
}

static void read_line_end(Literal *it, bool keep)
{
    if (*it->at++ == '\r' && it->at < it->end && *it->at == '\n')
        it->at++;
    if (keep)
        *it->out++ = '\n';
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
    } else if (c == 'x' || c == 'u' || c == 'U') {
        it->at++;
        read_code(it, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    } else if (c == 'N') {
        it->at++;
        bad_escape(it, it->at - 2, it->at,
                   "characters have no names in the kernel language; write \\u and the number");
    } else {
        *it->out++ = '\\'; /* as in Python, what is no escape stays */
    }
}

/* Reads the literal `token` to `out`, which has room for all of it, and returns the end. */
static char *read_string(Parse *ps, Token token, char *out)
{
    Literal it = { ps, ps->source->text + token.begin, ps->source->text + token.end, out };
    bool raw = false;

    for (; *it.at != '"' && *it.at != '\''; it.at++) {
        char letter = (char)(*it.at | 32);
        raw |= letter == 'r';
        if (letter == 'f' || letter == 't')
            diag_error(ps->diags, parse_span(ps, token),
                       "f-strings are not part of the kernel language; give print() the values "
                       "one by one");
        else if (letter == 'b')
            diag_error(ps->diags, parse_span(ps, token),
                       "bytes literals are not part of the kernel language");
    }
    int quotes = it.end - it.at >= 6 && it.at[1] == *it.at && it.at[2] == *it.at ? 3 : 1;
    it.at += quotes;
    it.end -= quotes;
    while (it.at < it.end) {
        if (*it.at == '\r' || *it.at == '\n')
            read_line_end(&it, true);
        else if (*it.at != '\\' || raw)
            *it.out++ = *it.at++;
        else if (it.at++, it.at < it.end)
            read_escape(&it);
    }
    return it.out;
}

AstExpr *ast_string(Parse *ps, Token token)
{
    AstExpr *expr = ast_leaf(ps, AST_STRING, token);
    char *text;

    ps->string_capacity = token.end - token.begin + 1;
    expr->string.text = text = arena_alloc(ps->arena, ps->string_capacity);
    char *end = read_string(ps, token, text);
    *end = '\0';
    expr->string.length = (size_t)(end - text);
    return expr;
}

AstExpr *ast_string_join(Parse *ps, AstExpr *string, Token token)
{
    size_t needed = string->string.length + (token.end - token.begin) + 1;

    if (needed > ps->string_capacity) {
        ps->string_capacity = 2 * needed;
        string->string.text =
            arena_grow(ps->arena, string->string.text, string->string.length, ps->string_capacity);
    }
    char *text = (char *)string->string.text;
    char *end = read_string(ps, token, text + string->string.length);
    *end = '\0';
    string->string.length = (size_t)(end - text);
    string->span.end = token.end;
    return string;
}
