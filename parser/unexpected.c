/* What to say of a token the automaton cannot take.
**
** Advice first, for mistakes people really make. Else the message lists the tokens that the
** automaton would take, if they are few. */
#include "parser/build.h"
#include "parser/grammar.h"

#include <ctype.h>

/* A line that goes on with a statement which was complained about already. */
static bool is_echo(const Parse *ps)
{
    int kind = ps->token.kind;

    bool more = kind == TK_ELSE || kind == TK_ELIF || kind == TK_EXCEPT || kind == TK_FINALLY ||
                kind == TK_CASE || kind == TK_DEDENT;

    return more && ps->after_broken;
}

/* Whether the token before this one is the name `name`. */
static bool follows_name(const Parse *ps, const char *name)
{
    size_t length = ps->before.end - ps->before.begin;

    return ps->before.kind == TK_NAME && length == strlen(name) &&
           strncmp(ps->source->text + ps->before.begin, name, length) == 0;
}

static bool begins_line(const Parse *ps)
{
    int before = ps->before.kind;

    return before == TK_NEWLINE || before == TK_DEDENT || before == TK_INDENT || before == 0;
}

static bool on_another_line(const Parse *ps, uint32_t a, uint32_t b)
{
    return source_place(ps->source, a).line != source_place(ps->source, b).line;
}

/* A bracket left open shows only when the next line makes no sense. */
static bool say_unclosed(Parse *ps)
{
    const Lexer *lexer = &ps->lexer;

    if (!lexer->open)
        return false;
    uint32_t place = lexer->brackets[lexer->open - 1];
    bool here = !on_another_line(ps, place, ps->token.begin) && ps->token.kind != TK_ASSIGN;
    if (here || lexer_brackets_close(lexer))
        return false;
    diag_error(ps->diags, (Span){ ps->source, place, place + 1 }, "'%c' was never closed",
               ps->source->text[place]);
    return true;
}

/* Whether a type of C stands in front of the name, as where it declares a variable. */
static bool is_declared(const Parse *ps)
{
    static const char *const types[] = { "int",  "float", "double", "bool",     "char", "long",
                                         "auto", "const", "short",  "unsigned", "var",  "let" };
    for (size_t i = 0; i < ARRAY_COUNT(types); i++)
        if (follows_name(ps, types[i]))
            return ps->token.kind == TK_NAME && !ps->lexer.open;
    return false;
}

/* Where the mistake shows: of layout, which has no text, at the end of the line before. */
static Span place_of(const Parse *ps)
{
    bool layout = ps->token.kind == TK_DEDENT || ps->token.kind == TK_INDENT;

    return parse_span(ps, layout ? ps->before : ps->token);
}

/* Whether the line begins with a word that a condition follows. */
static bool begins_condition(const Parse *ps)
{
    static const char *const words[] = { "if", "elif", "while" };
    const char *text = ps->source->text;
    size_t begin = ps->token.begin;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    text += begin + strspn(text + begin, " \t");
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0 && strchr(" (", text[strlen(words[i])]))
            return true;
    return false;
}

/* Whether the line is a loop of C's: for (i = 0; ... */
static bool begins_loop_of_c(const Parse *ps)
{
    const char *text = ps->source->text;
    size_t begin = ps->token.begin;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    text += begin + strspn(text + begin, " \t");
    if (strncmp(text, "for", 3) != 0)
        return false;
    text += 3 + strspn(text + 3, " ");
    return *text == '(' && memchr(text, ';', strcspn(text, "\n")) && ps->lexer.open == 1;
}

/* Whether a line ends in the operator of C that adds 1, or takes it off. */
static bool doubled(const Parse *ps, char sign)
{
    size_t end = ps->before.end;
    return (ps->token.kind == TK_NEWLINE || ps->token.kind == 0) && end >= 2 &&
           ps->source->text[end - 1] == sign && ps->source->text[end - 2] == sign;
}

/* Whether a name in brackets comes before an operand, as in C's conversion: = (float)x. Behind a
** name or a word the brackets are of a call or a condition. */
static bool converts_as_c(const Parse *ps)
{
    const char *text = ps->source->text;
    size_t at = ps->before.begin, end = at;
    if (ps->before.kind != TK_RPAREN || (ps->token.kind != TK_NAME && ps->token.kind != TK_INT))
        return false;
    while (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_'))
        at--;
    if (at == end || at < 2 || text[--at] != '(')
        return false;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    return at > 0 && strchr("=([{,:+-*/%<>&|^~", text[at - 1]);
}

/* The mistakes people make, each with what to do. */
static const char *advice(const Parse *ps, const void *automaton)
{
    int kind = ps->token.kind, before = ps->before.kind;
    bool line_ends = kind == TK_NEWLINE || kind == 0;

    if (kind == TK_IF && before == TK_ELSE)
        return "'else if' is written 'elif'";
    if (begins_loop_of_c(ps))
        return "a loop over numbers is written 'for i in range(n):'";
    if (kind == TK_COLONEQ)
        return ps->lexer.open ? "':=' assigns to a single name only"
                              : "':=' stands only in brackets; write '='";
    if (kind == TK_ASSIGN &&
        (grammar_takes(automaton, TK_EQ) || (ps->lexer.open && !grammar_takes(automaton, TK_INT))))
        return "'=' is not an expression; '==' compares";
    if (kind == TK_ASSIGN && grammar_takes(automaton, TK_COLON) && begins_condition(ps))
        return "a condition has no '='; '==' compares";
    if (doubled(ps, '+'))
        return "there is no '++'; write 'i += 1'";
    if (doubled(ps, '-'))
        return "there is no '--'; write 'i -= 1'";
    if (converts_as_c(ps))
        return "a conversion is written as a call: float32(x)";
    if (is_declared(ps))
        return "variables are not declared; leave out the type, and write 'name = value'";
    if (follows_name(ps, "print") && !line_ends && !ps->lexer.open)
        return "print is a function; write print(...)";
    if (line_ends && grammar_takes(automaton, TK_COLON) && !grammar_takes(automaton, TK_NEWLINE))
        return "expected ':' at the end of this line";
    if (kind == TK_ELSE && begins_line(ps))
        return "this 'else' belongs to no 'if', 'for' or 'while' above it";
    if (kind == TK_ELIF && begins_line(ps))
        return "this 'elif' belongs to no 'if' above it";
    if (kind == TK_EXCEPT && begins_line(ps))
        return "this 'except' belongs to no 'try' above it";
    if (kind == TK_FINALLY && begins_line(ps))
        return "this 'finally' belongs to no 'try' above it";
    if (grammar_takes(automaton, TK_EXCEPT) && !grammar_takes(automaton, TK_NAME))
        return "'except' or 'finally' must follow the block of a 'try'";
    if (grammar_takes(automaton, TK_DEF) && !grammar_takes(automaton, TK_NAME))
        return "a decorator stands only before 'def' or 'class'";
    return NULL;
}

/* ---- what would do -------------------------------------------------------------------- */

static bool among(int kind, const int *kinds, int count)
{
    for (int i = 0; i < count; i++) {
        if (kinds[i] == kind)
            return true;
    }
    return false;
}

enum { MAX_EXPECTED = 5, MAX_KINDS = 256 };

/* What may follow an operand, and is no operator. */
static bool goes_on(int kind)
{
    return kind == TK_IF || kind == TK_IN || kind == TK_STRING || kind == TK_FSTRING_START;
}

/* Reduces the tokens that would do to a few words of what would do. More than MAX_EXPECTED
** means too many to tell. */
static int expectations(const void *automaton, const char **words)
{
    int kinds[MAX_KINDS], count = grammar_expected(automaton, kinds), named = 0;
    bool operand = among(TK_INT, kinds, count), operation = among(TK_SLASH, kinds, count);
    bool line_end = among(TK_NEWLINE, kinds, count);
    bool comprehends = among(TK_COMMA, kinds, count);

    if (operand && among(TK_BREAK, kinds, count))
        return MAX_EXPECTED + 1; /* any statement */
    if (operand)
        words[named++] = "an expression";
    for (int i = 0; i < count && named <= MAX_EXPECTED; i++) {
        TokenPlace place = token_place(kinds[i]);
        if (operand && (place == PLACE_START || place == PLACE_BOTH || kinds[i] == TK_YIELD))
            continue;
        if (operation && (place == PLACE_OPERATOR || place == PLACE_BOTH || goes_on(kinds[i])))
            continue;
        if (comprehends && (kinds[i] == TK_FOR || kinds[i] == TK_ASYNC))
            continue;
        if (operation && (kinds[i] == TK_ASSIGN || kinds[i] == TK_COLONEQ))
            continue;
        if (line_end && kinds[i] != TK_NEWLINE)
            continue;
        words[named++] = token_spelling(kinds[i]);
    }
    return named;
}

/* What the user sees of the token: names and numbers as they are written. */
static const char *spell(Parse *ps, Token token)
{
    enum { LONGEST = 40 };
    TokenPlace place = token_place(token.kind);

    if (token.kind == TK_NEWLINE || token.kind == TK_DEDENT || token.kind == 0)
        return ps->source->text[token.end] ? token_spelling(token.kind) : "end of the text";
    if (token.kind == TK_INDENT)
        return "indentation";
    if (place == PLACE_START && token.end - token.begin > LONGEST)
        return token_spelling(token.kind);
    return arena_printf(ps->arena, token.kind == TK_STRING ? "string %.*s" : "'%.*s'",
                        (int)(token.end - token.begin), ps->source->text + token.begin);
}

static void say_expected(Parse *ps, const void *automaton)
{
    const char *words[MAX_EXPECTED + 2];
    int named = expectations(automaton, words);
    Buf text = buf_in(ps->arena);
    buf_printf(&text, "unexpected %s", spell(ps, ps->token));
    for (int i = 0; i < named && named <= MAX_EXPECTED; i++)
        buf_printf(&text, "%s%s",
                   i == 0           ? ", expected "
                   : i == named - 1 ? " or "
                                    : ", ",
                   words[i]);
    diag_error(ps->diags, place_of(ps), "%s", buf_text(&text));
}

void parse_unexpected(Parse *ps, const void *automaton)
{
    if (ps->diags->errors > DIAG_MAX_ERRORS)
        ps->stop = true;
    else if (ps->token.kind != TK_BAD && !is_echo(ps) && !say_unclosed(ps)) {
        const char *message = advice(ps, automaton);
        if (message)
            diag_error(ps->diags, place_of(ps), "%s", message);
        else
            say_expected(ps, automaton);
    }
    lexer_resync(&ps->lexer);
}

void parse_indented(Parse *ps)
{
    const Diags *diags = ps->diags;
    const Diag *last = diags->count ? &diags->list[diags->count - 1] : NULL;
    bool said = last && last->level == DIAG_ERROR && last->span.source == ps->source &&
                !on_another_line(ps, last->span.begin, ps->token.begin);

    if (!said) /* of its tabs */
        diag_error(ps->diags, parse_span(ps, ps->token), "unexpected indentation");
}
