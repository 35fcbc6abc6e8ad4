/* Words that are keywords in some places alone, and what tells: how the line goes on. */
#include "lexer/inside.h"
#include "parser/grammar.h"

#include <string.h>

/* What the rest of a logical line is like. */
typedef struct LineAhead {
    int first;          /* the kind of its first token */
    bool ends_in_colon; /* outside of brackets */
} LineAhead;

static LineAhead look_along_line(const Lexer *lx)
{
    Lexer ahead = *lx;
    LineAhead line = { 0 };
    int last = 0;

    ahead.quiet = ahead.in_line = true;
    for (;;) {
        Token next = lexer_next(&ahead);
        if (!line.first)
            line.first = next.kind;
        if (next.kind == TK_NEWLINE || next.kind == TK_BAD || next.kind == 0)
            break;
        last = ahead.open ? 0 : next.kind;
    }
    line.ends_in_colon = last == TK_COLON;
    return line;
}

/* `match` begins a statement where an operand follows and the line ends in a colon. */
Token lexer_match_word(Lexer *lx, const char *begin)
{
    if (lx->in_line || lx->open)
        return lexer_token(lx, TK_NAME, begin);
    LineAhead line = look_along_line(lx);
    bool is_statement = line.ends_in_colon && line.first != TK_COLON && line.first != TK_DOT &&
                        line.first != TK_ASSIGN && line.first != TK_COMMA;
    lx->after_match = is_statement;
    return lexer_token(lx, is_statement ? TK_MATCH : TK_NAME, begin);
}

/* `case` begins each statement of a match, and no other. */
Token lexer_case_word(Lexer *lx, const char *begin)
{
    return lexer_token(lx, !lx->in_line && lx->has_cases[lx->depth] ? TK_CASE : TK_NAME, begin);
}

/* `type NAME` can mean nothing else. */
Token lexer_type_word(Lexer *lx, const char *begin)
{
    Lexer ahead = *lx;

    ahead.quiet = ahead.in_line = true;
    bool is_statement = !lx->open && lexer_next(&ahead).kind == TK_NAME;
    return lexer_token(lx, is_statement ? TK_TYPE : TK_NAME, begin);
}

/* Whether brackets follow that hold an `as` and are followed by a colon: `with (a as b, c as d):`,
** which is no expression in brackets. */
static bool group_follows(const Lexer *lx)
{
    Lexer ahead = *lx;
    bool names = false;

    ahead.quiet = ahead.in_line = true;
    if (lexer_next(&ahead).kind != TK_LPAREN)
        return false;
    while (ahead.open > lx->open) {
        int kind = lexer_next(&ahead).kind;
        if (kind == 0 || kind == TK_BAD)
            return false;
        names |= kind == TK_AS && ahead.open == lx->open + 1;
    }
    return names && lexer_next(&ahead).kind == TK_COLON;
}

Token lexer_with_word(Lexer *lx, const char *begin)
{
    return lexer_token(lx, group_follows(lx) ? TK_WITH_GROUP : TK_WITH, begin);
}

bool lexer_is_keyword(Arena *arena, const char *name)
{
    Lexer lexer;
    Diags diags;

    diags_init(&diags, arena);
    return lexer_init(&lexer, &diags, source_new(arena, "", name, strlen(name)), false) &&
           lexer_next(&lexer).kind != TK_NAME;
}
