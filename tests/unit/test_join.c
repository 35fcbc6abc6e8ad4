/* Several kernels' texts as one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/cpu/join.h"

static void assert_joined(const char *text, const char *want)
{
    Arena arena;
    jmp_buf exhausted;
    TextJoin join;
    Buf out;

    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    out = buf_in(&arena);
    join_init(&join, &out);
    join.count = 3;
    join_text(&join, text, "entry", "entry$1");
    assert_string_equal(buf_text(&out), want);
    arena_free(&arena);
}

static void what_is_defined_has_a_name_of_its_own(void **state)
{
    (void)state;
    assert_joined("static inline int f(int x) { return g(x); }",
                  "static inline int f$3(int x) { return g(x); }\n");
    assert_joined(
        "static __attribute__((const)) long f(void)\n{\n}\nint entry(void) { return f(); }",
        "static __attribute__((const)) long f$3(void)\n{\n}\nint entry$1(void) { return f$3(); "
        "}\n");
    assert_joined("static const double t[2] = { NAN, f };\nstatic int a, b = c, d;",
                  "static const double t$3[2] = { NAN, f };\nstatic int a$3, b$3 = c, d$3;\n");
}

static void types_have_names_of_their_own(void **state)
{
    (void)state;
    assert_joined("typedef struct S { int m; } T; T v(S *s) { return s->m; }",
                  "typedef struct S$3 { int m; } T$3; T$3 v(S$3 *s) { return s->m; }\n");
    assert_joined("struct P { int x; }; typedef int F(void *const *p);",
                  "struct P$3 { int x; }; typedef int F$3(void *const *p);\n");
    assert_joined(
        "typedef float v4 __attribute__((vector_size(16))); enum { A, B = 3, C };",
        "typedef float v4$3 __attribute__((vector_size(16))); enum { A$3, B$3 = 3, C$3 };\n");
}

static void what_is_elsewhere_keeps_its_name(void **state)
{
    (void)state;
    assert_joined("double sin(double), cos(double);\nextern int g;\n__typeof__(1) h(void);",
                  "double sin(double), cos(double);\nextern int g;\n__typeof__(1) h(void);\n");
}

static void no_name_is_found_in_texts_and_numbers(void **state)
{
    (void)state;
    assert_joined("static int e5; /* e5 */ \"e5 \\\" e5\" 'e' 1e5 1e+5 .5e5",
                  "static int e5$3; /* e5 */ \"e5 \\\" e5\" 'e' 1e5 1e+5 .5e5\n");
    assert_joined("#line 1 \"f.k\"\n#pragma f\n#include <f.h>\nstatic int f;",
                  "#line 1 \"f.k\"\n#pragma f\n#include <f.h>\nstatic int f$3;\n");
}

static void macros_end_with_the_text(void **state)
{
    (void)state;
    assert_joined("#define TWICE(x) \\\n    (f(x) + x##f)\nstatic int f(int x) { return TWICE(x); "
                  "}\n#undef TWICE",
                  "#define TWICE(x) \\\n    (f$3(x) + x##f$3)\nstatic int f$3(int x) { return "
                  "TWICE(x); }\n#undef TWICE\n#undef TWICE\n");
}

/* What comes of two texts. */
static void assert_shared(const char *one, const char *other, const char *want)
{
    Arena arena;
    jmp_buf exhausted;
    TextJoin join;
    Buf out;

    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    out = buf_in(&arena);
    join_init(&join, &out);
    join_text(&join, one, "entry", "entry$1");
    size_t first = out.length;
    join_text(&join, other, "entry", "entry$2");
    assert_string_equal(buf_text(&out) + first, want);
    arena_free(&arena);
}

static void what_texts_define_alike_is_shared(void **state)
{
    static const char dim[] = "typedef struct dim { int x; } dim;";
    static const char twice[] = "static int f(int x) { return f(x) + 1; }"
                                "int entry(void) { return f(1); }";
    static const char types[] = "double sin(double); enum { A }; typedef int I; struct S { I s; };"
                                "int entry(struct S *s) { return A; }";

    (void)state;
    assert_shared(twice, twice, "int entry$2(void) { return f$0(1); }\n");
    assert_shared(types, types, "   int entry$2(struct S$0 *s) { return A$0; }\n");
    assert_shared(dim, "typedef struct dim { int x; } dim; typedef dim E;",
                  " typedef dim$0 E$1;\n");
}

static void what_differs_is_not_shared(void **state)
{
    (void)state;
    /* By a type, a function, a macro. */
    assert_shared("typedef int T; static T f(T x) { return x; }",
                  "typedef long T; static T f(T x) { return x; }",
                  "typedef long T$1; static T$1 f$1(T$1 x) { return x; }\n");
    assert_shared("static int g(void) { return 1; } static int f(void) { return g(); }",
                  "static int g(void) { return 2; } static int f(void) { return g(); }",
                  "static int g$1(void) { return 2; } static int f$1(void) { return g$1(); }\n");
    assert_shared("#define N 1\nstatic int f(void) { return N; }",
                  "#define N 2\nstatic int f(void) { return N; }",
                  "#define N 2\nstatic int f$1(void) { return N; }\n#undef N\n");
    assert_shared("static int f(void) { return N; }",
                  "#define N 2\nstatic int f(void) { return N; }",
                  "#define N 2\nstatic int f$1(void) { return N; }\n#undef N\n");
}

static void what_is_written_or_defined_in_parts_is_not_shared(void **state)
{
    static const char *const texts[] = {
        "static int a;",
        "static const int a[1] = { (1) };",
        "typedef struct S S; struct S { int x; };",
        "static int f(int x); static int f(int x) { return x; }",
        "#define G f(1)\nstatic int f(int x) { return x; }",
        "#if A\nstatic int f(int x) { return x; }\n#endif\n",
        "static int f(int x) {\n#define A 1\nreturn x; }",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena arena;
        jmp_buf exhausted;
        TextJoin join;
        Buf out, alone;
        arena_init(&arena, &exhausted);
        if (setjmp(exhausted))
            fail();
        out = buf_in(&arena);
        alone = buf_in(&arena);
        join_init(&join, &out);
        join_text(&join, texts[i], "entry", "entry$0");
        const size_t first = out.length;
        join_text(&join, texts[i], "entry", "entry$1");
        join_init(&join, &alone);
        join.count = 1;
        join_text(&join, texts[i], "entry", "entry$1");
        assert_string_equal(buf_text(&out) + first, buf_text(&alone));
        arena_free(&arena);
    }
}

static void a_text_may_end_anywhere(void **state)
{
    static const char text[] =
        "#define A \"x\\\"\" /* c */\nstatic int f(void) { return 'c' + 1e+5; }";
    char part[sizeof text];
    Arena arena;
    jmp_buf exhausted;

    (void)state;
    for (size_t length = 0; length < sizeof text; length++) {
        TextJoin join;
        Buf out;
        memcpy(part, text, length);
        part[length] = '\0';
        arena_init(&arena, &exhausted);
        if (setjmp(exhausted))
            fail();
        out = buf_in(&arena);
        join_init(&join, &out);
        join_text(&join, part, "entry", "entry$1");
        assert_true(out.length >= length);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_defined_has_a_name_of_its_own),
        cmocka_unit_test(types_have_names_of_their_own),
        cmocka_unit_test(what_is_elsewhere_keeps_its_name),
        cmocka_unit_test(no_name_is_found_in_texts_and_numbers),
        cmocka_unit_test(macros_end_with_the_text),
        cmocka_unit_test(what_texts_define_alike_is_shared),
        cmocka_unit_test(what_differs_is_not_shared),
        cmocka_unit_test(what_is_written_or_defined_in_parts_is_not_shared),
        cmocka_unit_test(a_text_may_end_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
