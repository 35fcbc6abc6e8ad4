/* f-strings.
**
** One is a FSTRING_START, its text in pieces, its fields as the tokens of braces and of what stands
** in them, and a FSTRING_END. The innermost that is open says which of the two comes next. */
#include "lexer/inside.h"
#include "parser/grammar.h"

Token lexer_open_fstring(Lexer *lx, const char *begin, bool triple)
{
    if (lx->fstring_count == LEXER_MAX_FSTRINGS)
        return lexer_stop(lx, begin, "nested too deeply: at most 50 f-strings may be open");
    bool raw = memchr(begin, 'r', 2) || memchr(begin, 'R', 2);
    lx->fstrings[lx->fstring_count++] = (FString){ .quote = lx->cursor[-1],
                                                   .triple = triple,
                                                   .raw = raw,
                                                   .base = lx->open,
                                                   .begin = (uint32_t)(begin - lx->source->text) };
    return lexer_token(lx, TK_FSTRING_START, begin);
}

static bool closes(const FString *string, const char *at)
{
    return at[0] == string->quote &&
           (!string->triple || (at[1] == string->quote && at[2] == string->quote));
}

/* Behind the escape at `at`, which begins with a backslash; a brace is never part of one. */
static const char *pass_escape(const FString *string, const char *at)
{
    if (!string->raw && at[1] == 'N' && at[2] == '{') {
        size_t length = strcspn(at, "}\r\n'\"");
        return at[length] == '}' ? at + length + 1 : at + 2;
    }
    if (at[1] == '{' || at[1] == '}' || at[1] == '\0')
        return at + 1;
    return at + (at[1] == '\r' && at[2] == '\n' ? 3 : 2);
}

/* The end of the text that begins at `at`. */
static const char *pass_text(const FString *string, const char *at)
{
    for (;;) {
        bool doubled = string->level == 0 && at[0] == at[1];
        if (*at == '\0' || closes(string, at))
            return at;
        if ((*at == '\n' || *at == '\r') && !string->triple)
            return at;
        if (*at == '\\')
            at = pass_escape(string, at);
        else if ((*at == '{' || *at == '}') && !doubled)
            return at;
        else
            at += *at == '{' || *at == '}' ? 2 : 1;
    }
}

/* The f-string ends without its quote. */
static Token broken_fstring(Lexer *lx, const FString *string)
{
    const char *begin = lx->source->text + string->begin;
    Span span = lexer_span(lx, begin, begin + strcspn(begin, "'\"") + (string->triple ? 3 : 1));

    lx->open = string->base;
    lx->fstring_count--;
    if (!lx->quiet)
        diag_error(lx->diags, span,
                   string->triple ? "this string is never closed"
                                  : "this string is not closed on its line");
    return lexer_token(lx, TK_BAD, lx->cursor);
}

/* The next token of the text of the innermost f-string. */
Token lexer_fstring_text(Lexer *lx)
{
    FString *string = &lx->fstrings[lx->fstring_count - 1];
    const char *begin = lx->cursor;

    lx->cursor = pass_text(string, begin);
    if (lx->cursor > begin)
        return lexer_token(lx, string->raw ? TK_FSTRING_RAW : TK_FSTRING_TEXT, begin);
    if (closes(string, begin) && string->level == 0) {
        lx->cursor += string->triple ? 3 : 1;
        lx->fstring_count--;
        return lexer_token(lx, TK_FSTRING_END, begin);
    }
    if (*begin == '{') {
        lx->cursor++;
        string->level++;
        string->in_field = true;
        return lexer_open_bracket(lx, TK_LBRACE, begin);
    }
    if (*begin == '}' && string->level) {
        lx->cursor++;
        string->level--;
        return lexer_close_bracket(lx, TK_RBRACE, '{', begin);
    }
    if (*begin != '}')
        return broken_fstring(lx, string);
    lx->cursor++;
    return lexer_bad(lx, begin, "a '}' in an f-string is written '}}'");
}

/* The f-string whose field the present token belongs to, outside of all brackets; else NULL. */
static FString *field_of(Lexer *lx)
{
    FString *string = lx->fstring_count ? &lx->fstrings[lx->fstring_count - 1] : NULL;

    return string && lx->open == string->base + string->level ? string : NULL;
}

Token lexer_close_brace(Lexer *lx, const char *begin)
{
    FString *string = field_of(lx);

    if (string) {
        string->level--;
        string->in_field = false;
    }
    return lexer_close_bracket(lx, TK_RBRACE, '{', begin);
}

/* In a field a colon begins the format. */
Token lexer_colon(Lexer *lx, const char *begin)
{
    FString *string = field_of(lx);

    if (string)
        string->in_field = false;
    return lexer_token(lx, TK_COLON, begin);
}

Token lexer_colon_equal(Lexer *lx, const char *begin)
{
    if (!field_of(lx))
        return lexer_token(lx, TK_COLONEQ, begin);
    lx->cursor--;
    return lexer_colon(lx, begin);
}

Token lexer_exclamation(Lexer *lx, const char *begin)
{
    if (field_of(lx))
        return lexer_token(lx, TK_BANG, begin);
    return lexer_bad(lx, begin, "there is no '!'; write 'not'");
}
