/* What the lexer's files share. Only lexer/ includes this. */
#pragma once

#include "lexer/lexer.h"

/* ---- lexer.re: `begin` is where the token begins, the cursor where it ends ---------------- */

/* The bytes of the text from `begin` to before `end`; and a token of the text from `begin` to the
** cursor. */
Span lexer_span(const Lexer *lx, const char *begin, const char *end);
Token lexer_token(Lexer *lx, int kind, const char *begin);
/* Complains about the text from `begin` to the cursor, which is no token. */
Token lexer_bad(Lexer *lx, const char *begin, const char *message);
/* The same, and what follows is not read at all. */
Token lexer_stop(Lexer *lx, const char *begin, const char *message);
Token lexer_open_bracket(Lexer *lx, int kind, const char *begin);
Token lexer_close_bracket(Lexer *lx, int kind, char opening, const char *begin);

/* ---- word.c: behind the word, which may be a keyword or a name ----------------------------- */

Token lexer_match_word(Lexer *lx, const char *begin);
Token lexer_case_word(Lexer *lx, const char *begin);
Token lexer_type_word(Lexer *lx, const char *begin);
Token lexer_with_word(Lexer *lx, const char *begin);

/* ---- fstring.c ---------------------------------------------------------------------------- */

/* Behind the opening quotes. */
Token lexer_open_fstring(Lexer *lx, const char *begin, bool triple);
/* The next token of the text of the innermost f-string. */
Token lexer_fstring_text(Lexer *lx);
/* Behind what means something else in a field of an f-string, outside of its brackets. */
Token lexer_close_brace(Lexer *lx, const char *begin);
Token lexer_colon(Lexer *lx, const char *begin);
Token lexer_colon_equal(Lexer *lx, const char *begin);
Token lexer_exclamation(Lexer *lx, const char *begin);
