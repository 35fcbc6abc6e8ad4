/* Tokens: a row is a text and the names of its tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lexer/lexer.h"
#include "parser/grammar.h"

typedef struct Row {
    const char *name, *text, *tokens;
    const char *complaint; /* how the first one begins; NULL if there is none */
} Row;

static const Row rows[] = {
    { "an empty text has an end", "", "EOF", NULL },
    { "blank lines say nothing", "\n  \n\t\n# a\n", "EOF", NULL },
    { "a line ends in NEWLINE", "x\n", "NAME NEWLINE EOF", NULL },
    { "a last line needs no newline", "x", "NAME NEWLINE EOF", NULL },
    { "a comment is no token", "x # y", "NAME NEWLINE EOF", NULL },
    { "a comment alone owes no NEWLINE", "x\n# y", "NAME NEWLINE EOF", NULL },
    { "a backslash joins lines", "x \\\n y\n", "NAME NAME NEWLINE EOF", NULL },
    { "brackets join lines", "(\n\n  x # y\n)\n", "LPAREN NAME RPAREN NEWLINE EOF", NULL },
    { "CR LF and CR end lines", "x\r\ny\rz", "NAME NEWLINE NAME NEWLINE NAME NEWLINE EOF", NULL },
    { "a byte order mark is passed", "\xef\xbb\xbfx", "NAME NEWLINE EOF", NULL },

    { "a block indents and dedents", "a\n  b\nc",
      "NAME NEWLINE INDENT NAME NEWLINE DEDENT NAME NEWLINE EOF", NULL },
    { "blocks close together", "a\n b\n  c\nd",
      "NAME NEWLINE INDENT NAME NEWLINE INDENT NAME NEWLINE DEDENT DEDENT NAME NEWLINE EOF", NULL },
    { "blocks close at the end", "a\n b\n  c",
      "NAME NEWLINE INDENT NAME NEWLINE INDENT NAME NEWLINE DEDENT DEDENT EOF", NULL },
    { "blocks close after a last comment", "a\n b\n# c",
      "NAME NEWLINE INDENT NAME NEWLINE DEDENT EOF", NULL },
    { "comments have no margin", "a\n b\n# c\n b\n",
      "NAME NEWLINE INDENT NAME NEWLINE NAME NEWLINE DEDENT EOF", NULL },
    { "a tab is eight columns", "a\n\tb\n        c",
      "NAME NEWLINE INDENT NAME NEWLINE NAME NEWLINE DEDENT EOF", "tabs and spaces" },
    { "a margin between two others is an error", "a\n    b\n  c",
      "NAME NEWLINE INDENT NAME NEWLINE DEDENT NAME NEWLINE EOF", "this line's indentation" },

    { "integers in every base", "0 00 12 1_0 0xFf 0X_f 0o17 0B1",
      "INT INT INT INT INT INT INT INT NEWLINE EOF", NULL },
    { "floats", "1. .5 1.5 1e3 1.E-3 1_0.0_1 09.5",
      "FLOAT FLOAT FLOAT FLOAT FLOAT FLOAT FLOAT NEWLINE EOF", NULL },
    { "imaginary numbers", "1j 1.5J 0j 09j", "IMAG IMAG IMAG IMAG NEWLINE EOF", NULL },
    { "a dot after a number and a space", "1 .x", "INT DOT NAME NEWLINE EOF", NULL },
    { "an ellipsis is no three dots", "... . ..", "ELLIPSIS DOT DOT DOT NEWLINE EOF", NULL },
    { "no leading zeros", "012", "BAD NEWLINE EOF", "a decimal number" },
    { "a hexadecimal number has digits", "0x", "BAD NEWLINE EOF", "not a hexadecimal" },
    { "no letters stick to numbers", "1abc 2", "BAD INT NEWLINE EOF", "not a number" },

    { "strings in every quote", "'a' \"b\" '''c\nd''' \"\"\"e\"f\"\"\" ''",
      "STRING STRING STRING STRING STRING NEWLINE EOF", NULL },
    { "prefixes of strings", "r'a' B'b' fR'c' u'd' x'e'",
      "STRING STRING FSTRING_START FSTRING_RAW FSTRING_END STRING NAME STRING NEWLINE EOF", NULL },
    { "a quote may be escaped", "'a\\'b' \"\\\\\"", "STRING STRING NEWLINE EOF", NULL },
    { "a string ends with its line", "'a\nb", "BAD NEWLINE NAME NEWLINE EOF", "this string" },
    { "a lone backslash at the end", "'a\\", "BAD NEWLINE EOF", "this string" },
    { "three quotes swallow the text", "'''a\nb", "BAD NEWLINE EOF", "this string is never" },

    { "keywords are no names", "if iffy True Trues not", "IF NAME TRUE NAME NOT NEWLINE EOF",
      NULL },
    { "letters of any script", "\xc3\xa9t\xc3\xa9 x\xe6\x95\xb0", "NAME NAME NEWLINE EOF", NULL },
    { "quotes for print are no letters", "x\xe2\x80\x9c", "BAD NEWLINE EOF",
      "unexpected character" },
    { "match is a keyword before a subject", "match x:\n", "MATCH NAME COLON NEWLINE EOF", NULL },
    { "match is a name elsewhere", "match = x\nmatch[a]\nmatch(x)",
      "NAME ASSIGN NAME NEWLINE NAME LBRACKET NAME RBRACKET NEWLINE NAME LPAREN NAME RPAREN "
      "NEWLINE EOF",
      NULL },

    { "the longest operator wins", "**= ** * //= // <<= << <= := -> @= != ==",
      "POW_EQ POWER STAR FLOOR_EQ DSLASH LSHIFT_EQ LSHIFT LE COLONEQ ARROW MATMUL_EQ NE EQ "
      "NEWLINE EOF",
      NULL },
    { "operators of C", "a && b", "NAME BAD NAME NEWLINE EOF", "there is no '&&'" },
    { "an unknown character", "a $ b", "NAME BAD NAME NEWLINE EOF", "unexpected character '$'" },
    { "nothing follows a backslash", "a \\ b", "NAME BAD NAME NEWLINE EOF", "only the end" },

    { "brackets must match", "(]", "LPAREN BAD NEWLINE EOF", "']' does not close '('" },
    { "brackets must be open", "x)", "NAME BAD NEWLINE EOF", "')' closes nothing" },
    { "brackets must be closed", "(x\n", "LPAREN NAME BAD NEWLINE EOF", "'(' was never closed" },
};

typedef struct Fixture {
    Arena arena;
    jmp_buf exhausted;
    Diags diags;
    Lexer lexer;
} Fixture;

static bool begin(Fixture *f, const char *text, size_t length)
{
    arena_init(&f->arena, &f->exhausted);
    diags_init(&f->diags, &f->arena);
    const Source *source = source_new(&f->arena, "a.k", text, length);
    return lexer_init(&f->lexer, &f->diags, source, true);
}

static const char *token_names(Fixture *f)
{
    Token token;
    Buf out = buf_in(&f->arena);
    do {
        token = lexer_next(&f->lexer);
        buf_printf(&out, "%s%s", out.length ? " " : "", token_name(token.kind));
    } while (token.kind != 0);
    return buf_text(&out);
}

static void check_row(void **state)
{
    const Row *row = *state;
    Fixture f;

    assert_true(begin(&f, row->text, strlen(row->text)));
    assert_string_equal(token_names(&f), row->tokens);
    assert_int_equal(f.diags.errors, row->complaint != NULL);
    if (row->complaint)
        assert_memory_equal(f.diags.list[0].message, row->complaint, strlen(row->complaint));
    arena_free(&f.arena);
}

static void every_token_has_a_spelling(void **state)
{
    (void)state;
    for (int kind = 0; kind <= TK_BAD; kind++) {
        if (kind == TK_MODULE || kind == TK_EXPRESSION || kind == TK_MISTAKE)
            continue;
        assert_non_null(token_spelling(kind));
        assert_non_null(token_name(kind));
    }
}

/* The only complaint about a text that is not even lexed. */
static void check_refused(const char *text, size_t length, uint32_t place, const char *message)
{
    Fixture f;

    assert_false(begin(&f, text, length));
    assert_int_equal(f.diags.count, 1);
    assert_int_equal(f.diags.list[0].span.begin, place);
    assert_non_null(strstr(f.diags.list[0].message, message));
    arena_free(&f.arena);
}

static void bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    check_refused("x\0y", 3, 1, "NUL");
    check_refused("# \xff", 3, 2, "0xff is not UTF-8");
    check_refused("'\xe2\x82'", 4, 1, "0xe2 is not UTF-8");
    check_refused("\xed\xa0\x80", 3, 0, "0xed is not UTF-8");
}

static void a_text_beyond_the_limit_is_refused(void **state)
{
    Fixture f;
    Source huge = {
        .name = "a.k",
        .text = "",
        .length = (size_t)SOURCE_MAX + 1,
        .lines = (uint32_t[]){ 0 },
        .line_count = 1,
    };

    (void)state;
    arena_init(&f.arena, &f.exhausted);
    diags_init(&f.diags, &f.arena);
    assert_false(lexer_init(&f.lexer, &f.diags, &huge, true));
    assert_string_equal(f.diags.list[0].message, "the text is longer than 1 GiB");
    arena_free(&f.arena);
}

static void too_many_brackets_are_one_mistake(void **state)
{
    enum { MANY = 10000 };
    Fixture f;
    char *text = malloc(2 * MANY);

    (void)state;
    memset(text, '(', MANY);
    memset(text + MANY, ')', MANY);
    assert_true(begin(&f, text, 2 * MANY));
    token_names(&f);
    assert_int_equal(f.diags.errors, 1);
    assert_non_null(strstr(f.diags.list[0].message, "nested too deeply"));
    arena_free(&f.arena);
    free(text);
}

static void too_many_blocks_are_one_mistake(void **state)
{
    Fixture f;
    Buf text;

    (void)state;
    arena_init(&f.arena, &f.exhausted);
    if (setjmp(f.exhausted))
        fail();
    text = buf_in(&f.arena);
    for (int i = 0; i < 300; i++)
        buf_printf(&text, "%*sx\n", i, "");
    diags_init(&f.diags, &f.arena);
    lexer_init(&f.lexer, &f.diags, source_new(&f.arena, "a.k", text.text, text.length), true);
    token_names(&f);
    assert_int_equal(f.diags.errors, 1);
    assert_non_null(strstr(f.diags.list[0].message, "indented too deeply"));
    arena_free(&f.arena);
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_COUNT(rows) + 5] = {
        cmocka_unit_test(every_token_has_a_spelling),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(a_text_beyond_the_limit_is_refused),
        cmocka_unit_test(too_many_brackets_are_one_mistake),
        cmocka_unit_test(too_many_blocks_are_one_mistake),
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        tests[i + 5] = (struct CMUnitTest){ rows[i].name, check_row, NULL, NULL, (void *)&rows[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
