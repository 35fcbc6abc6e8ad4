/* Trees, and texts made to break the parser. What mistakes are told is held by the golden tests. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "parser/parser.h"

typedef struct Fixture {
    Arena arena;
    jmp_buf exhausted;
    Diags diags;
    AstModule *module;
} Fixture;

static void parse(Fixture *f, const char *text, size_t length)
{
    arena_init(&f->arena, &f->exhausted);
    diags_init(&f->diags, &f->arena);
    f->module = parse_module(&f->arena, &f->diags, source_new(&f->arena, "a.k", text, length));
}

/* ---- expressions ---------------------------------------------------------------------- */

typedef struct Row {
    const char *text, *printed; /* printed is NULL for the same text */
} Row;

/* Brackets are printed only where they matter. */
static const Row rows[] = {
    { "a", NULL },
    { "(a)", "a" },
    { " a \n", "a" },
    { "a + b * c", NULL },
    { "(a + b) * c", NULL },
    { "(a * b) + c", "a * b + c" },
    { "a - (b - c)", NULL },
    { "(a - b) - c", "a - b - c" },
    { "-a ** -b", NULL },
    { "(-a) ** b", NULL },
    { "(a ** b) ** c", NULL },
    { "a ** b ** c", NULL },
    { "not a == b", NULL },
    { "(not a) == b", NULL },
    { "a < b <= c", NULL },
    { "(a < b) < c", NULL },
    { "a or b and c", NULL },
    { "(a or b) and c", NULL },
    { "a if b else c if d else e", NULL },
    { "(a if b else c) if d else e", NULL },
    { "lambda x, y=1, *z: x", NULL },
    { "(lambda: a)(b)", NULL },
    { "a, b", "(a, b)" },
    { "a,", "(a,)" },
    { "f(a, *b, c=d, **e)[i, j:k, ::2, ...].x", NULL },
    { "float32(-4)", NULL },
    { "void(float32[:, ::1], int32)", NULL },
    { "[a, b]", NULL },
    { "0x10 + 1e3 + 2j + 0.1", "16 + 1000.0 + 2.0j + 0.1" },
    { "'a' \"b\\n\"", "'ab\\n'" },
    { "1 .real", NULL },
    { "a is not b", NULL },
    { "not a in b", NULL },
    { "a not in b", NULL },
};

static void check_row(void **state)
{
    const Row *row = *state;
    Arena arena;
    jmp_buf exhausted;
    Diags diags;
    Buf out;

    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    diags_init(&diags, &arena);
    Source *source = source_new(&arena, "value", row->text, strlen(row->text));
    AstExpr *expr = parse_expression(&arena, &diags, source);
    assert_non_null(expr);
    out = buf_in(&arena);
    ast_print_expr(&out, expr);
    assert_string_equal(buf_text(&out), row->printed ? row->printed : row->text);
    arena_free(&arena);
}

static void what_is_no_expression_is_null(void **state)
{
    static const char *const texts[] = {
        "", "a b", "a = b", "(a", "a)", "a\nb", "a;", "1 +", "def"
    };
    Arena arena;
    jmp_buf exhausted;
    Diags diags;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        diags_init(&diags, &arena);
        Source *source = source_new(&arena, "value", texts[i], strlen(texts[i]));
        assert_null(parse_expression(&arena, &diags, source));
        assert_int_equal(diags.errors, 1);
    }
    arena_free(&arena);
}

static void places_are_those_of_the_text(void **state)
{
    static const char text[] = "x = (a + b)[i]\n";
    Fixture f;

    (void)state;
    parse(&f, text, strlen(text));
    const AstStmt *stmt = f.module->body.items[0];
    const AstExpr *value = stmt->assign.value;
    assert_int_equal(stmt->span.begin, 0);
    assert_int_equal(stmt->span.end, 14);
    assert_int_equal(value->span.begin, 4);
    assert_int_equal(value->index.object->span.end, 11);
    assert_int_equal(value->index.object->binary.op_span.begin, 7);
    assert_int_equal(value->index.index->span.begin, 12);
    arena_free(&f.arena);
}

static void docstrings_are_found(void **state)
{
    static const char text[] = "'module'\ndef f():\n    'function'\ndef g():\n    x\n";
    Fixture f;

    (void)state;
    parse(&f, text, strlen(text));
    assert_string_equal(f.module->docstring, "module");
    assert_string_equal(f.module->body.items[1]->def.function.docstring, "function");
    assert_null(f.module->body.items[2]->def.function.docstring);
    arena_free(&f.arena);
}

static void integers_know_when_they_are_too_big(void **state)
{
    static const char text[] = "18446744073709551615; 18446744073709551616; 0xffffffffffffffff0\n";
    Fixture f;

    (void)state;
    parse(&f, text, strlen(text));
    const AstBody *body = &f.module->body;
    assert_false(body->items[0]->expr.value->integer.too_big);
    assert_true(body->items[0]->expr.value->integer.value == UINT64_MAX);
    assert_true(body->items[1]->expr.value->integer.too_big);
    assert_true(body->items[2]->expr.value->integer.too_big);
    arena_free(&f.arena);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    Fixture f;

    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    parse(&f, "1.5\n", 4);
    assert_true(f.module->body.items[0]->expr.value->number.value == 1.5);
    arena_free(&f.arena);
    setlocale(LC_NUMERIC, "C");
}

/* ---- texts made to break it ----------------------------------------------------------- */

typedef struct Hostile {
    const char *name;
    const char *before, *again, *after; /* `again` is repeated */
    int times;
    const char *complaint; /* part of the only one; NULL if there is none */
} Hostile;

static const Hostile hostiles[] = {
    { "10,000 nested parentheses", "x = ", "(", "", 10000, "nested too deeply" },
    { "10,000 nested indices", "x = ", "a[", "", 10000, "nested too deeply" },
    { "10,000 unary minuses", "x = ", "-", "1", 10000, "nested too deeply" },
    { "10,000 nots", "x = ", "not ", "1", 10000, "nested too deeply" },
    { "10,000 powers", "x = 2", "**2", "", 10000, "nested too deeply" },
    { "10,000 conditional expressions", "x = ", "a if b else ", "c", 10000, "nested too deeply" },
    { "10,000 lambdas", "x = ", "lambda: ", "c", 10000, "nested too deeply" },
    { "a sum of 100,000 terms", "x = 1", "+1", "", 100000, "nested too deeply" },
    { "a chain of 100,000 attributes", "x", ".a", "", 100000, "nested too deeply" },
    { "a chain of 100,000 calls", "x", "()", "", 100000, "nested too deeply" },
    { "100,000 ands", "x = a", " and a", "", 100000, "nested too deeply" },
    { "10,000 elifs", "if a: b\n", "elif a: b\n", "", 10000, "nested too deeply" },
    { "a sum of 900 terms", "x = 1", "+1", "", 900, NULL },
    { "100,000 comparisons in a chain", "x = a", " < a", "", 100000, NULL },
    { "100,000 targets in a chain", "", "a = ", "3", 100000, NULL },
    { "100,000 strings side by side", "x = ", "'a' ", "", 100000, NULL },
    { "100,000 items of a tuple", "x = ", "a, ", "", 100000, NULL },
    { "100,000 statements on a line", "", "a;", "", 100000, NULL },
    { "10,000 keywords of a call", "f(", "a, ", "b=1)", 10000, NULL },
    { "10,000 decorators", "", "@a\n", "def f(): pass\n", 10000, NULL },
    { "a million tokens on a line", "x = ", "1,", "", 600000, "this line is too long" },
    { "10,000 open lines", "", "((((\n", "", 10000, "nested too deeply" },
    { "a name of a megabyte", "", "xxxxxxxx", "", 131072, NULL },
    { "a number of a megabyte", "", "12345678", "", 131072, NULL },
    { "a string that never ends", "'''", "xxxxxxxx", "", 131072, "never closed" },
    { "a comment of a megabyte", "#", "xxxxxxxx", "", 131072, NULL },
    { "a megabyte of blank lines", "", "\n\r\n\r  \n", "x", 131072, NULL },
};

static void check_hostile(void **state)
{
    const Hostile *it = *state;
    Fixture f;
    size_t before = strlen(it->before), again = strlen(it->again), after = strlen(it->after);
    size_t length = before + again * (size_t)it->times + after;
    char *text = malloc(length + 1), *at = text;

    memcpy(at, it->before, before);
    at += before;
    for (int i = 0; i < it->times; i++, at += again)
        memcpy(at, it->again, again);
    memcpy(at, it->after, after + 1);
    parse(&f, text, length);
    if (it->complaint) {
        assert_int_equal(f.diags.errors, 1);
        assert_non_null(strstr(f.diags.list[0].message, it->complaint));
    } else {
        assert_int_equal(f.diags.errors, 0);
    }
    arena_free(&f.arena);
    free(text);
}

static void blocks_nest_to_a_hundred_and_no_further(void **state)
{
    (void)state;
    for (int depth = 100; depth <= 101; depth++) {
        Arena arena;
        jmp_buf exhausted;
        Buf text;
        Fixture f;

        arena_init(&arena, &exhausted);
        if (setjmp(exhausted))
            fail();
        text = buf_in(&arena);
        for (int i = 0; i < depth; i++)
            buf_printf(&text, "%*sfor i in x:\n", i, "");
        buf_printf(&text, "%*sx\n", depth, "");
        parse(&f, text.text, text.length);
        assert_int_equal(f.diags.errors, depth > 100);
        arena_free(&f.arena);
        arena_free(&arena);
    }
}

static void a_long_line_takes_twice_its_size(void **state)
{
    enum { LENGTH = 10000000 };
    static const char *const opening[] = { "#", "x = '", "x", "1+" };
    Fixture f;
    char *text = malloc(LENGTH);

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(opening); i++) {
        memset(text, opening[i][0] == '1' ? '+' : 'x', LENGTH);
        memcpy(text, opening[i], strlen(opening[i]));
        parse(&f, text, LENGTH);
        assert_in_range(f.arena.total, LENGTH, 2.2 * LENGTH);
        arena_free(&f.arena);
    }
    free(text);
}

static void a_small_kernel_takes_little_memory(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def saxpy(a, x, y, out):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < x.size:\n"
                               "        out[i] = a * x[i] + y[i]\n";
    Fixture f;

    (void)state;
    parse(&f, text, strlen(text));
    assert_int_equal(f.diags.errors, 0);
    assert_in_range(f.arena.total, 1, 64 << 10);
    arena_free(&f.arena);
}

int main(void)
{
    enum { OTHERS = 8 };
    struct CMUnitTest tests[OTHERS + ARRAY_COUNT(rows) + ARRAY_COUNT(hostiles)] = {
        cmocka_unit_test(what_is_no_expression_is_null),
        cmocka_unit_test(places_are_those_of_the_text),
        cmocka_unit_test(docstrings_are_found),
        cmocka_unit_test(integers_know_when_they_are_too_big),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(blocks_nest_to_a_hundred_and_no_further),
        cmocka_unit_test(a_long_line_takes_twice_its_size),
        cmocka_unit_test(a_small_kernel_takes_little_memory),
    };
    struct CMUnitTest *next = tests + OTHERS;

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        *next++ = (struct CMUnitTest){ rows[i].text, check_row, NULL, NULL, (void *)&rows[i] };
    for (size_t i = 0; i < ARRAY_COUNT(hostiles); i++)
        *next++ = (struct CMUnitTest){ hostiles[i].name, check_hostile, NULL, NULL,
                                       (void *)&hostiles[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
