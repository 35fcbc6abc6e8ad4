/* The lexer: two re2c blocks, one for the margin of a logical line and one for its tokens.
**
** Layout follows Python. A stack of margins is compared with each line's own; the difference goes
** into one signed counter, `dents`, which lexer_next() pays back in INDENTs or DEDENTs. A margin
** is measured twice, with tabs of 8 and of 1: if the two disagree, tabs and spaces are mixed in a
** way that means different things in different editors. Inside brackets lines are plain space.
**
** The text is whole and ends in NUL, so there is no buffer to refill. Numbers and strings that
** are almost right are matched too, for the sake of their messages. */
#include "lexer/inside.h"
#include "parser/grammar.h"

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = at;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;

    eol       = "\r\n" | [\r\n];
    comment   = "#" [^\r\n\x00]*;
    blank     = [ \t\f];
    letter    = [a-zA-Z_\x80-\xff];
    name      = letter (letter | [0-9])*;
    digits    = [0-9] ("_"? [0-9])*;
    integer   = [1-9] ("_"? [0-9])* | "0" ("_"? "0")* | '0x' ("_"? [0-9a-fA-F])+
              | '0o' ("_"? [0-7])+ | '0b' ("_"? [01])+;
    exponent  = 'e' [+-]? digits;
    float     = digits exponent | (digits "." digits? | "." digits) exponent?;
    prefix    = [rRbBuU] | [rR] [bB] | [bB] [rR];
    fprefix   = [fF] | [rR] [fF] | [fF] [rR];
    escape    = "\\" ("\r\n" | [^\x00]);
    single    = "'" ([^'\\\r\n\x00] | escape)* "'";
    double    = ["] ([^"\\\r\n\x00] | escape)* ["];
    single3   = "'''" ("'"{0,2} ([^'\\\x00] | escape))* "'''";
    double3   = ["]{3} (["]{0,2} ([^"\\\x00] | escape))* ["]{3};
*/

/* ---- what tokens are called ----------------------------------------------------------- */

typedef struct TokenInfo {
    const char *name, *spelling;
    TokenPlace place;
} TokenInfo;

static const TokenInfo infos[] = {
    [0] = { "EOF", "end of the text", PLACE_OTHER },
#define TOKEN(name, spelling, place) [TK_##name] = { #name, spelling, PLACE_##place },
#include "lexer/tokens.def"
};

static const TokenInfo *info(int kind)
{
    static const TokenInfo unknown = { NULL, NULL, PLACE_OTHER };

    return kind >= 0 && (size_t)kind < ARRAY_COUNT(infos) ? &infos[kind] : &unknown;
}

const char *token_spelling(int kind)
{
    return info(kind)->spelling;
}

const char *token_name(int kind)
{
    return info(kind)->name;
}

TokenPlace token_place(int kind)
{
    return info(kind)->place;
}

/* ---- complaints ----------------------------------------------------------------------- */

Span lexer_span(const Lexer *lx, const char *begin, const char *end)
{
    return (Span){ lx->source, (uint32_t)(begin - lx->source->text),
                   (uint32_t)(end - lx->source->text) };
}

Token lexer_token(Lexer *lx, int kind, const char *begin)
{
    Span span = lexer_span(lx, begin, lx->cursor);

    lx->in_line = kind != TK_NEWLINE && (lx->in_line || (kind != TK_INDENT && kind != TK_DEDENT));
    return (Token){ kind, span.begin, span.end };
}

Token lexer_bad(Lexer *lx, const char *begin, const char *message)
{
    if (!lx->quiet)
        diag_error(lx->diags, lexer_span(lx, begin, lx->cursor), "%s", message);
    return lexer_token(lx, TK_BAD, begin);
}

Token lexer_stop(Lexer *lx, const char *begin, const char *message)
{
    lx->stopped = true;
    lx->open = lx->fstring_count = 0;
    return lexer_bad(lx, begin, message);
}

/* ---- the text as a whole -------------------------------------------------------------- */

static bool check_bytes(Lexer *lx)
{
    const char *at = lx->cursor, *end = lx->source->text + lx->source->length;

    while (at < end) {
        size_t length = (unsigned char)*at < 0x80 ? *at != '\0' : utf8_length(at, end);
        if (length == 0) {
            diag_error(lx->diags, lexer_span(lx, at, at + 1),
                       *at ? "byte 0x%02x is not UTF-8; save the file as UTF-8"
                           : "a NUL byte (0x%02x) cannot stand in a source text",
                       (unsigned char)*at);
            return false;
        }
        at += length;
    }
    return true;
}

bool lexer_init(Lexer *lx, Diags *diags, const Source *source, bool layout)
{
    *lx = (Lexer){ .source = source, .diags = diags, .cursor = source->text, .at_margin = layout };
    if (source->length > SOURCE_MAX) {
        diag_error(diags, (Span){ source, 0, 0 }, "the text is longer than 1 GiB");
        return false;
    }
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
        lx->cursor += 3;
    return check_bytes(lx);
}

/* ---- the margin ----------------------------------------------------------------------- */

/* The width of the margin from `begin` to the cursor, with tabs to multiples of `tab`. */
static int margin_width(const Lexer *lx, const char *begin, int tab)
{
    int width = 0;

    for (const char *at = begin; at < lx->cursor; at++)
        width = *at == '\t' ? (width / tab + 1) * tab : *at == '\f' ? 0 : width + 1;
    return width;
}

/* Sets `dents` from the margin that ends at the cursor. Returns what is wrong with it, NULL if
** nothing is; `dents` is something sensible either way. */
static const char *weigh_margin(Lexer *lx, const char *begin)
{
    static const char *const mixed = "tabs and spaces are mixed differently than in the lines "
                                     "above; indent with spaces only";
    int width = margin_width(lx, begin, 8), alt = margin_width(lx, begin, 1);
    const char *wrong = NULL;

    if (width > lx->margins[lx->depth]) {
        if (lx->depth == LEXER_MAX_INDENTS) {
            lx->stopped = true;
            return "indented too deeply: at most 100 blocks nest";
        }
        wrong = alt > lx->alt_margins[lx->depth] ? NULL : mixed;
        lx->margins[++lx->depth] = width;
        lx->has_cases[lx->depth] = lx->after_match;
        lx->alt_margins[lx->depth] = alt;
        lx->dents = 1;
        return wrong;
    }
    while (width < lx->margins[lx->depth]) {
        lx->depth--;
        lx->dents--;
    }
    if (width != lx->margins[lx->depth])
        return "this line's indentation matches no block above it";
    return alt == lx->alt_margins[lx->depth] ? NULL : mixed;
}

/* Passes blank lines and the margin of the next one that is not. */
static void read_margin(Lexer *lx)
{
    const unsigned char *at = (const unsigned char *)lx->cursor;
    const char *begin, *wrong = NULL;

    lx->at_margin = false;
    for (;;) {
        begin = (const char *)at;
        /*!re2c
            blank* comment? eol      { continue; }
            blank* comment? / "\x00" { lx->dents = -lx->depth; lx->depth = 0; break; }
            blank*                   { lx->cursor = (const char *)at;
                                       wrong = weigh_margin(lx, begin);
                                       lx->after_match = false;
                                       break; }
        */
    }
    lx->cursor = (const char *)at;
    if (wrong && !lx->quiet)
        diag_error(lx->diags, lexer_span(lx, begin, lx->cursor), "%s", wrong);
}

/* ---- brackets ------------------------------------------------------------------------- */

Token lexer_open_bracket(Lexer *lx, int kind, const char *begin)
{
    if (lx->open == LEXER_MAX_BRACKETS)
        return lexer_stop(lx, begin, "nested too deeply: at most 200 brackets may be open");
    lx->brackets[lx->open++] = (uint32_t)(begin - lx->source->text);
    return lexer_token(lx, kind, begin);
}

Token lexer_close_bracket(Lexer *lx, int kind, char opening, const char *begin)
{
    char message[] = "'?' closes nothing that was opened";

    message[1] = *begin;
    if (lx->open == 0)
        return lexer_bad(lx, begin, message);
    uint32_t place = lx->brackets[--lx->open];
    if (lx->source->text[place] == opening)
        return lexer_token(lx, kind, begin);
    if (!lx->quiet) {
        diag_error(lx->diags, lexer_span(lx, begin, lx->cursor), "'%c' does not close '%c'", *begin,
                   lx->source->text[place]);
        diag_note(lx->diags, (Span){ lx->source, place, place + 1 }, "opened here");
    }
    return lexer_token(lx, TK_BAD, begin);
}

/* The text ends in a bracket, or with the NEWLINE and the DEDENTs that are still owed. */
static Token end_of_text(Lexer *lx)
{
    if (lx->open) {
        const char *place = lx->source->text + lx->brackets[0];
        char message[] = "'?' was never closed";
        message[1] = *place;
        lx->open = lx->fstring_count = 0;
        if (!lx->quiet)
            diag_error(lx->diags, lexer_span(lx, place, place + 1), "%s", message);
        return lexer_token(lx, TK_BAD, lx->cursor);
    }
    if (lx->in_line)
        return lexer_token(lx, TK_NEWLINE, lx->cursor);
    if (lx->depth) {
        lx->dents = -lx->depth + 1;
        lx->depth = 0;
        return lexer_token(lx, TK_DEDENT, lx->cursor);
    }
    return lexer_token(lx, 0, lx->cursor);
}

/* ---- near misses ---------------------------------------------------------------------- */

static void pass_name(Lexer *lx)
{
    for (;;) {
        unsigned char c = (unsigned char)*lx->cursor;
        bool letter = c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
        if (c < 0x80 && !letter && !(c >= '0' && c <= '9'))
            return;
        lx->cursor++;
    }
}

static bool name_follows(const Lexer *lx)
{
    unsigned char c = (unsigned char)*lx->cursor;

    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* `1if x else y`: a number and the word behind it, which begins no suffix of a number. */
static bool keyword_follows(const Lexer *lx)
{
    static const char *const words[] = { "and", "else", "for", "if", "in", "is", "not", "or" };
    Lexer ahead = *lx;

    pass_name(&ahead);
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(ahead.cursor - lx->cursor) == length &&
            memcmp(lx->cursor, words[i], length) == 0)
            return true;
    }
    return false;
}

/* A number, unless letters or digits stick to it. */
static Token number(Lexer *lx, int kind, const char *begin)
{
    char base = begin[0] == '0' ? (char)(begin[1] | 32) : ' ';

    if (!name_follows(lx) || keyword_follows(lx))
        return lexer_token(lx, kind, begin);
    pass_name(lx);
    return lexer_bad(lx, begin, base == 'x'   ? "not a hexadecimal number"
                          : base == 'o' ? "not an octal number"
                          : base == 'b' ? "not a binary number"
                                        : "not a number, and not a name either");
}

static Token leading_zero(Lexer *lx, const char *begin)
{
    if (name_follows(lx))
        return number(lx, TK_INT, begin);
    return lexer_bad(lx, begin, "a decimal number cannot begin with 0; write 0o for octal");
}

/* Characters that look like others but are no letters: quotes, dashes, spaces, arrows. */
static bool is_symbol(uint32_t c)
{
    return (c >= 0x80 && c < 0xaa) || (c > 0xaa && c < 0xb5) || (c > 0xb5 && c < 0xb7) ||
           (c > 0xb7 && c < 0xba) || (c > 0xba && c < 0xc0) || c == 0xd7 || c == 0xf7 ||
           (c >= 0x2000 && c < 0x203f) || (c > 0x2040 && c < 0x2054) ||
           (c > 0x2054 && c < 0x2070) || (c >= 0x2190 && c < 0x2c00) ||
           (c >= 0x3000 && c < 0x3005) || (c >= 0xff00 && c < 0xff10) || c == 0xfeff;
}

static uint32_t code_point(const char *at, int *length)
{
    unsigned char c = (unsigned char)*at;

    *length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    uint32_t point = *length == 1 ? c : c & (0x7fu >> *length);
    for (int i = 1; i < *length; i++)
        point = point << 6 | ((unsigned char)at[i] & 0x3f);
    return point;
}

/* What was meant by a character that an editor has put in its place; NULL: unknown. */
static const char *meant_by(uint32_t point)
{
    static const struct {
        uint32_t first, last;
        const char *text;
    } meant[] = {
        { 0x00b4, 0x00b4, "'" },  { 0x00d7, 0x00d7, "*" },  { 0x00f7, 0x00f7, "/" },
        { 0x2010, 0x2015, "-" },  { 0x2018, 0x201b, "'" },  { 0x201c, 0x201f, "\"" },
        { 0x2032, 0x2032, "'" },  { 0x2033, 0x2033, "\"" }, { 0x2212, 0x2212, "-" },
        { 0x2215, 0x2215, "/" },  { 0x2217, 0x2217, "*" },  { 0x22c5, 0x22c5, "*" },
        { 0x2260, 0x2260, "!=" }, { 0x2264, 0x2264, "<=" }, { 0x2265, 0x2265, ">=" },
        { 0xff08, 0xff08, "(" },  { 0xff09, 0xff09, ")" },  { 0xff0c, 0xff0c, "," },
        { 0xff1a, 0xff1a, ":" },  { 0xff1b, 0xff1b, ";" },  { 0xff1d, 0xff1d, "=" },
    };

    for (size_t i = 0; i < ARRAY_COUNT(meant); i++)
        if (point >= meant[i].first && point <= meant[i].last)
            return meant[i].text;
    return NULL;
}

/* A name, unless one of its characters is no letter. */
static Token name(Lexer *lx, const char *begin)
{
    int length;

    for (const char *at = begin; at < lx->cursor; at += length) {
        uint32_t point = code_point(at, &length);
        if (!is_symbol(point))
            continue;
        const char *meant = meant_by(point);
        lx->cursor = at + length;
        if (!lx->quiet)
            diag_error(lx->diags, lexer_span(lx, at, lx->cursor),
                       "unexpected character '%.*s' (U+%04X)%s%s", length, at, (unsigned)point,
                       meant ? "; write " : "", meant ? meant : "");
        return lexer_token(lx, TK_BAD, begin);
    }
    return lexer_token(lx, TK_NAME, begin);
}

static Token unknown_character(Lexer *lx, const char *begin)
{
    unsigned char c = (unsigned char)*begin;

    if (!lx->quiet)
        diag_error(lx->diags, lexer_span(lx, begin, lx->cursor),
                   c == '?'              ? "unexpected character '%c'; write A if CONDITION else B"
                   : c > ' ' && c < 0x7f ? "unexpected character '%c'"
                                         : "unexpected byte 0x%02x",
                   c);
    return lexer_token(lx, TK_BAD, begin);
}

/* A quote without its partner: the rest of the line, or of the text after three, is its string. */
static Token unterminated(Lexer *lx, const char *begin, bool triple)
{
    const char *opened = lx->cursor;

    lx->cursor += strcspn(lx->cursor, triple ? "" : "\r\n");
    if (!lx->quiet)
        diag_error(lx->diags, lexer_span(lx, begin, opened),
                   triple ? "this string is never closed"
                          : "this string is not closed on its line");
    return lexer_token(lx, TK_BAD, begin);
}

/* ---- tokens --------------------------------------------------------------------------- */

#define DOES(action) lx->cursor = (const char *)at; return action;
#define IS(kind) DOES(lexer_token(lx, TK_##kind, begin))
#define MAY(what) DOES(lexer_##what(lx, begin))
#define SAYS(message) DOES(lexer_bad(lx, begin, message))

Token lexer_next(Lexer *lx)
{
    const char *begin;

    if (lx->at_margin && !lx->stopped)
        read_margin(lx);
    if (lx->stopped)
        lx->cursor = lx->source->text + lx->source->length;
    else if (lx->dents != 0) {
        int kind = lx->dents > 0 ? TK_INDENT : TK_DEDENT;
        lx->dents += lx->dents > 0 ? -1 : 1;
        return lexer_token(lx, kind, lx->cursor);
    } else if (lx->fstring_count && !lx->fstrings[lx->fstring_count - 1].in_field) {
        return lexer_fstring_text(lx);
    }

    const unsigned char *at = (const unsigned char *)lx->cursor, *marker;
    for (;;) {
        begin = (const char *)at;
        /*!re2c
            blank+ | comment    { continue; }
            "\\" eol            { continue; }
            "\\"                { SAYS("only the end of the line may follow '\\'") }
            eol                 { if (lx->open)
                                      continue;
                                  lx->cursor = (const char *)at;
                                  lx->at_margin = true;
                                  lx->fstring_count = 0;
                                  return lexer_token(lx, TK_NEWLINE, begin); }
            "\x00"              { lx->cursor = begin; return end_of_text(lx); }

            "and"       { IS(AND) }       "as"        { IS(AS) }         "assert"  { IS(ASSERT) }
            "async"     { IS(ASYNC) }     "await"     { IS(AWAIT) }      "break"   { IS(BREAK) }
            "class"     { IS(CLASS) }     "continue"  { IS(CONTINUE) }   "def"     { IS(DEF) }
            "del"       { IS(DEL) }       "elif"      { IS(ELIF) }       "else"    { IS(ELSE) }
            "except"    { IS(EXCEPT) }    "finally"   { IS(FINALLY) }    "for"     { IS(FOR) }
            "from"      { IS(FROM) }      "global"    { IS(GLOBAL) }     "if"      { IS(IF) }
            "import"    { IS(IMPORT) }    "in"        { IS(IN) }         "is"      { IS(IS) }
            "lambda"    { IS(LAMBDA) }    "nonlocal"  { IS(NONLOCAL) }   "not"     { IS(NOT) }
            "or"        { IS(OR) }        "pass"      { IS(PASS) }       "raise"   { IS(RAISE) }
            "return"    { IS(RETURN) }    "try"       { IS(TRY) }        "while"   { IS(WHILE) }
            "with"      { MAY(with_word) }      "yield"     { IS(YIELD) }
            "True"      { IS(TRUE) }      "False"     { IS(FALSE) }      "None"    { IS(NONE) }
            "match"             { MAY(match_word) }
            "case"              { MAY(case_word) }
            "type"              { MAY(type_word) }
            name                { DOES(name(lx, begin)) }

            integer             { DOES(number(lx, TK_INT, begin)) }
            digits              { DOES(leading_zero(lx, begin)) }
            float               { DOES(number(lx, TK_FLOAT, begin)) }
            (float | digits) 'j' { DOES(number(lx, TK_IMAG, begin)) }

            prefix? (single | double | single3 | double3)   { IS(STRING) }
            prefix? ("'''" | ["]{3})    { DOES(unterminated(lx, begin, true)) }
            prefix? ['"]                { DOES(unterminated(lx, begin, false)) }
            fprefix ("'''" | ["]{3})     { DOES(lexer_open_fstring(lx, begin, true)) }
            fprefix ['"]                { DOES(lexer_open_fstring(lx, begin, false)) }

            "("     { DOES(lexer_open_bracket(lx, TK_LPAREN, begin)) }
            "["     { DOES(lexer_open_bracket(lx, TK_LBRACKET, begin)) }
            "{"     { DOES(lexer_open_bracket(lx, TK_LBRACE, begin)) }
            ")"     { DOES(lexer_close_bracket(lx, TK_RPAREN, '(', begin)) }
            "]"     { DOES(lexer_close_bracket(lx, TK_RBRACKET, '[', begin)) }
            "}"     { MAY(close_brace) }

            "+"     { IS(PLUS) }        "+="    { IS(ADD_EQ) }      "=="    { IS(EQ) }
            "-"     { IS(MINUS) }       "-="    { IS(SUB_EQ) }      "!="    { IS(NE) }
            "*"     { IS(STAR) }        "*="    { IS(MUL_EQ) }      "<"     { IS(LT) }
            "/"     { IS(SLASH) }       "/="    { IS(DIV_EQ) }      "<="    { IS(LE) }
            "//"    { IS(DSLASH) }      "//="   { IS(FLOOR_EQ) }    ">"     { IS(GT) }
            "%"     { IS(PERCENT) }     "%="    { IS(MOD_EQ) }      ">="    { IS(GE) }
            "**"    { IS(POWER) }       "**="   { IS(POW_EQ) }      "="     { IS(ASSIGN) }
            "@"     { IS(AT) }          "@="    { IS(MATMUL_EQ) }   ":="    { MAY(colon_equal) }
            "<<"    { IS(LSHIFT) }      "<<="   { IS(LSHIFT_EQ) }   ":"     { MAY(colon) }
            ">>"    { IS(RSHIFT) }      ">>="   { IS(RSHIFT_EQ) }   ","     { IS(COMMA) }
            "&"     { IS(AMP) }         "&="    { IS(AND_EQ) }      ";"     { IS(SEMI) }
            "|"     { IS(BAR) }         "|="    { IS(OR_EQ) }       "."     { IS(DOT) }
            "^"     { IS(CARET) }       "^="    { IS(XOR_EQ) }      "..."   { IS(ELLIPSIS) }
            "~"     { IS(TILDE) }       "->"    { IS(ARROW) }

            "&&"    { SAYS("there is no '&&'; write 'and'") }
            "||"    { SAYS("there is no '||'; write 'or'") }
            "<>"    { SAYS("there is no '<>'; write '!='") }
            "!"     { MAY(exclamation) }
            *       { DOES(unknown_character(lx, begin)) }
        */
    }
}

/* ---- after a mistake ------------------------------------------------------------------ */

/* What begins a statement and stands in no expression. */
static bool begins_statement(int kind)
{
    switch (kind) {
    case TK_DEF: case TK_RETURN: case TK_WHILE: case TK_IMPORT: case TK_CLASS: case TK_BREAK:
    case TK_CONTINUE: case TK_PASS: case TK_ELIF: case TK_RAISE: case TK_ASSERT: case TK_TRY:
        return true;
    }
    return false;
}

bool lexer_brackets_close(const Lexer *lx)
{
    enum { FAR = 10000 };
    Lexer ahead = *lx;

    ahead.quiet = true;
    for (int i = 0; ahead.open && i < FAR; i++) {
        Token next = lexer_next(&ahead);
        if (next.kind == 0 || next.kind == TK_BAD || begins_statement(next.kind))
            return false;
    }
    return ahead.open == 0;
}

void lexer_resync(Lexer *lx)
{
    bool quiet = lx->quiet;

    if (!lx->in_line)
        return;
    if (lx->open && !lexer_brackets_close(lx))
        lx->open = lx->fstring_count = 0;
    lx->quiet = true;
    for (;;) {
        Token passed = lexer_next(lx);
        if (passed.kind != TK_NEWLINE && passed.kind != 0)
            continue;
        lx->cursor = lx->source->text + passed.begin;
        lx->at_margin = false;
        lx->in_line = passed.kind == TK_NEWLINE;
        break;
    }
    lx->quiet = quiet;
}
