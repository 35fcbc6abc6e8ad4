/* The tokens of the IR's text. A line is a statement; four blanks of margin are a region. */
#include "ir/text/read.h"

#include "ir/text/grammar.h"

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = at;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;

    letter   = [a-zA-Z_\x80-\xff];
    word     = letter (letter | [0-9])*;
    number   = "." [0-9]+;
    name     = (word | "`" [^`\n\x00]* "`") number?;
    digits   = [0-9]+;
    exponent = 'e' [+-]? digits;
    float    = digits "." digits exponent? | digits exponent | "inf" | "nan"
             | "nan(0x" [0-9a-f]+ ")";
    record   = ("record" | "packed") "(" [^\n\x00]*;
    string   = ["] ([^"\\\n\x00] | "\\" [^\n\x00])* ["];
*/

enum { NESTED_MOST = 1000, MARGIN = 4, REGIONS_MOST = 200 };

static Span span_of(const TextLexer *lx, const char *begin)
{
    return (Span){ lx->source, (uint32_t)(begin - lx->source->text),
                   (uint32_t)(lx->cursor - lx->source->text) };
}

static TextToken token(TextLexer *lx, int kind, const char *begin)
{
    Span span = span_of(lx, begin);
    lx->last = kind;
    return (TextToken){ kind, span.begin, span.end };
}

static TextToken bad(TextLexer *lx, const char *begin, const char *message)
{
    diag_error(lx->diags, span_of(lx, begin), "%s", message);
    return token(lx, 0, begin);
}

/* Passes blank lines and comments, and the margin of the next line. False after a complaint. */
static bool read_margin(TextLexer *lx)
{
    for (;;) {
        const char *begin = lx->cursor, *at = begin;
        while (*at == ' ')
            at++;
        int width = (int)(at - begin);
        if (*at == '#')
            at += strcspn(at, "\n");
        lx->cursor = at;
        if (*at == '\n') {
            lx->cursor++;
            continue;
        }
        int depth = *at ? width / MARGIN : 0;
        lx->dents = depth - lx->depth;
        lx->depth = depth;
        if (!*at || (width % MARGIN == 0 && depth <= REGIONS_MOST && lx->dents <= 1))
            return true;
        bad(lx, at, width % MARGIN       ? "a margin is a multiple of four blanks"
                    : lx->dents > 1      ? "a line can be one region deeper than the one before it"
                                         : "regions nest too deeply: at most 200");
        return false;
    }
}

static TextToken end_of_line(TextLexer *lx, const char *begin)
{
    lx->at_margin = true;
    lx->open = 0;
    lx->is_type = false;
    return token(lx, TX_NEWLINE, begin);
}

/* What a type of records is made of is read as the language has it; elsewhere it is a name. */
static TextToken record(TextLexer *lx, const char *begin)
{
    if (lx->is_type && lx->last == TX_ASSIGN)
        return token(lx, TX_RECORD, begin);
    lx->cursor = begin + 6;
    return token(lx, TX_NAME, begin);
}

static TextToken open_bracket(TextLexer *lx, int kind, const char *begin)
{
    if (++lx->open > NESTED_MOST)
        return bad(lx, begin, "brackets nest too deeply: at most 1000");
    return token(lx, kind, begin);
}

static TextToken close_bracket(TextLexer *lx, int kind, const char *begin)
{
    lx->open -= lx->open > 0;
    return token(lx, kind, begin);
}

#define DOES(action) lx->cursor = (const char *)at; return action;
#define IS(kind) DOES(token(lx, TX_##kind, begin))

TextToken text_next(TextLexer *lx)
{
    if (lx->at_margin && !read_margin(lx))
        return (TextToken){ 0 };
    lx->at_margin = false;
    if (lx->dents) {
        int kind = lx->dents > 0 ? TX_INDENT : TX_DEDENT;
        lx->dents += lx->dents > 0 ? -1 : 1;
        return token(lx, kind, lx->cursor);
    }

    const unsigned char *at = (const unsigned char *)lx->cursor, *marker = at;
    for (;;) {
        const char *begin = (const char *)at;
        /*!re2c
            " "+ | "#" [^\n\x00]*   { continue; }
            "\n"        { DOES(end_of_line(lx, begin)) }
            "\x00"      { lx->cursor = begin;
                          return lx->last && lx->last != TX_NEWLINE && lx->last != TX_DEDENT
                                     ? end_of_line(lx, begin) : token(lx, 0, begin); }

            "any"       { IS(ANY) }      "bounded"   { IS(BOUNDED) }  "break"     { IS(BREAK) }
            "by"        { IS(BY) }       "call"      { IS(CALL) }     "constant"  { IS(CONSTANT) }
            "continue"  { IS(CONTINUE) } "device"    { IS(DEVICE) }   "dynamic"   { IS(DYNAMIC) }
            "else"      { IS(ELSE) }     "eval"      { IS(EVAL) }     "false"     { IS(FALSE) }
            "fault"     { IS(FAULT) }    "for"       { IS(FOR) }      "if"        { IS(IF) }
            "in"        { IS(IN) }       "kernel"    { IS(KERNEL) }   "launch"    { IS(LAUNCH) }
            "local"     { IS(LOCAL) }    "of"        { IS(OF) }       "order"     { IS(ORDER) }
            "print"     { IS(PRINT) }    "private"   { IS(PRIVATE) }  "readonly"  { IS(READONLY) }
            "rest"      { IS(REST) }     "return"    { IS(RETURN) }   "rises"     { IS(RISES) }
            "shape"     { IS(SHAPE) }    "shared"    { IS(SHARED) }   "stop"      { IS(STOP) }
            "store"     { IS(STORE) }    "sums"      { IS(SUMS) }     "table"     { IS(TABLE) }
            "to"        { IS(TO) }       "true"      { IS(TRUE) }     "unaligned" { IS(UNALIGNED) }
            "unit"      { IS(UNIT) }     "unroll"    { IS(UNROLL) }   "while"     { IS(WHILE) }
            "type"      { lx->is_type = lx->last == TX_NEWLINE || lx->last == 0; IS(TYPE) }
            "inf" | "nan"           { IS(FLOAT) }
            record      { DOES(record(lx, begin)) }
            name        { IS(NAME) }
            "." [a-z]+ [0-9]*  { IS(CACHE) }
            "-"? digits { IS(INT) }
            "-"? float  { IS(FLOAT) }
            string      { IS(STRING) }

            "("         { DOES(open_bracket(lx, TX_LPAREN, begin)) }
            ")"         { DOES(close_bracket(lx, TX_RPAREN, begin)) }
            "["         { DOES(open_bracket(lx, TX_LBRACKET, begin)) }
            "]"         { DOES(close_bracket(lx, TX_RBRACKET, begin)) }
            "<"         { DOES(open_bracket(lx, TX_LANGLE, begin)) }
            ">"         { DOES(close_bracket(lx, TX_RANGLE, begin)) }
            "->"        { IS(ARROW) }           ","         { IS(COMMA) }
            ":"         { IS(COLON) }           "::1"       { IS(UNIT_STRIDE) }
            "="         { IS(ASSIGN) }          "@"         { IS(AT) }
            ["]         { DOES(bad(lx, begin, "this string is not closed on its line")) }
            *           { DOES(bad(lx, begin, "unexpected character")) }
        */
    }
}
