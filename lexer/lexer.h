/* From text to tokens, INDENT and DEDENT included.
**
** A token is a kind and two byte offsets; nothing is converted or copied. Kinds are the grammar's
** own numbers (TK_*, from the generated parser/grammar.h); 0 is the end of the text. */
#pragma once

#include "base/base.h"

typedef struct Token {
    int kind;
    uint32_t begin, end;
} Token;

enum { LEXER_MAX_INDENTS = 100, LEXER_MAX_BRACKETS = 200, LEXER_MAX_FSTRINGS = 50 };

/* An f-string that is open. */
typedef struct FString {
    char quote;
    bool triple, raw;
    bool in_field;  /* the next token is one of a field, not text */
    int base;       /* brackets that were open before it */
    int level;      /* fields that are open, one in the format of the other */
    uint32_t begin; /* its place */
} FString;

typedef struct Lexer {
    const Source *source;
    Diags *diags;
    const char *cursor;
    int margins[LEXER_MAX_INDENTS + 1];     /* of the open blocks, tabs to multiples of 8 */
    int alt_margins[LEXER_MAX_INDENTS + 1]; /* the same with tabs of 1 */
    int depth;                              /* open blocks */
    int dents;                              /* INDENTs owed, or if negative DEDENTs */
    uint32_t brackets[LEXER_MAX_BRACKETS];  /* places of the open brackets */
    int open;                               /* how many of them */
    bool has_cases[LEXER_MAX_INDENTS + 1];  /* of the open blocks: it is that of a match */
    bool after_match;                       /* the line is `match x:` */
    FString fstrings[LEXER_MAX_FSTRINGS];   /* that are open */
    int fstring_count;
    bool at_margin; /* a logical line begins here */
    bool in_line;   /* the line has a token, so it owes a NEWLINE */
    bool quiet;     /* looking ahead: no complaints */
    bool stopped;   /* nested too deeply: the rest is not read */
} Lexer;

/* Starts on a text. `layout` is false where indentation means nothing: an expression. False,
** with a complaint made, if the text has a byte that no source may have. */
bool lexer_init(Lexer *lexer, Diags *diags, const Source *source, bool layout);

/* The next token. Where there is none it complains and returns TK_BAD. After the end, more ends. */
Token lexer_next(Lexer *lexer);

/* Whether the open brackets are all closed further on, before anything that no bracket holds. */
bool lexer_brackets_close(const Lexer *lexer);

/* Passes, without complaints, what is left of the logical line. An unclosed bracket ends with its
** physical line instead of swallowing the file. The next token is the NEWLINE. */
void lexer_resync(Lexer *lexer);

/* Whether what has the form of a name is a keyword wherever it stands. */
bool lexer_is_keyword(Arena *arena, const char *name);

typedef enum TokenPlace { PLACE_START, PLACE_BOTH, PLACE_OPERATOR, PLACE_OTHER } TokenPlace;

/* How messages call a kind of token ("'('", "a name"), its name ("LPAREN"), where it stands. */
const char *token_spelling(int kind);
const char *token_name(int kind);
TokenPlace token_place(int kind);
