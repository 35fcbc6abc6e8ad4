/* Arena, text, places and diagnostics. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"

/* ---- memory --------------------------------------------------------------------------- */

static void an_arena_gives_zeroed_aligned_memory(void **state)
{
    Arena arena;
    jmp_buf exhausted;
    static const char zeros[5000];

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    for (size_t bytes = 0; bytes < sizeof zeros; bytes += 7) {
        char *block = arena_alloc(&arena, bytes);
        assert_int_equal((uintptr_t)block % 16, 0);
        assert_memory_equal(block, zeros, bytes);
        memset(block, 0xff, bytes);
    }
    arena_free(&arena);
    assert_int_equal(arena.total, 0);
}

static void a_large_block_leaves_room_in_the_small_one(void **state)
{
    Arena arena;
    jmp_buf exhausted;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    char *a = arena_alloc(&arena, 16);
    arena_alloc(&arena, 1 << 20);
    char *b = arena_alloc(&arena, 16);
    assert_ptr_equal(a + 16, b);
    assert_in_range(arena.total, 1 << 20, (1 << 20) + (20 << 10));
    arena_free(&arena);
}

static void an_impossible_size_jumps_to_the_catch(void **state)
{
    Arena arena;
    jmp_buf exhausted;
    volatile bool caught = false;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted) == 0)
        arena_alloc(&arena, SIZE_MAX - 5);
    else
        caught = true;
    assert_true(caught);
    arena_free(&arena);
}

static void an_array_keeps_what_was_pushed(void **state)
{
    Arena arena;
    jmp_buf exhausted;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    int *list = NULL, count = 0, capacity = 0;
    for (int i = 0; i < 1000; i++)
        array_push(&arena, list, count, capacity) = i;
    assert_int_equal(count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    arena_free(&arena);
}

static void text_grows_and_stays_terminated(void **state)
{
    Arena arena;
    jmp_buf exhausted;
    Buf buf;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    buf = buf_in(&arena);
    assert_string_equal(buf_text(&buf), "");
    for (int i = 0; i < 1000; i++)
        buf_printf(&buf, "%d,", i % 10);
    buf_putc(&buf, '!');
    assert_int_equal(buf.length, 2001);
    assert_int_equal(strlen(buf_text(&buf)), 2001);
    assert_string_equal(buf_text(&buf) + 1996, "8,9,!");
    buf_printf(&buf, "%0*d", 5000, 7);
    assert_int_equal(strlen(buf_text(&buf)), 7001);
    assert_string_equal(arena_printf(&arena, "%s-%d", "a", 3), "a-3");
    arena_free(&arena);
}

/* ---- numbers -------------------------------------------------------------------------- */

/* What print_text() and vsnprintf() give for a room of `room` bytes is the same. */
static __attribute__((format(printf, 2, 3))) void prints_alike(size_t room, const char *format, ...)
{
    char ours[64], theirs[64];
    va_list args, again;

    memset(ours, '?', sizeof ours);
    memset(theirs, '?', sizeof theirs);
    va_start(args, format);
    va_copy(again, args);
    assert_int_equal(print_text(ours, room, format, args), vsnprintf(theirs, room, format, again));
    va_end(again);
    va_end(args);
    assert_memory_equal(ours, theirs, sizeof ours);
}

static void text_is_printed_as_by_vsnprintf(void **state)
{
    static const size_t rooms[] = { 0, 1, 2, 7, 8, 9, 64 };

    (void)state;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        prints_alike(rooms[i], "nothing to do");
        prints_alike(rooms[i], "%s and %c, %%, %.*s|", "one", 'x', 3, "another");
        prints_alike(rooms[i], "%d %d %u %d", 0, -1, UINT32_MAX, INT32_MIN);
        prints_alike(rooms[i], "%lld %lld", (long long)INT64_MIN, (long long)INT64_MAX);
        prints_alike(rooms[i], "%llu%zu", (unsigned long long)UINT64_MAX, SIZE_MAX);
        prints_alike(rooms[i], "%s%d and %.4g, %04x", "before", 5, 0.25, 17u);
        prints_alike(rooms[i], "%.*s|%*d", -1, "whole", 6, 12);
    }
}

static void decimals_are_short_and_read_back(void **state)
{
    static const struct {
        double number;
        int least;
        const char *text;
    } rows[] = {
        { 0.1, 1, "0.1" },       { 3, 1, "3" },
        { 1e30, 1, "1e+30" },    { 1.0 / 3, 1, "0.3333333333333333" },
        { -0.0, 1, "-0" },       { 5e-324, 1, "5e-324" },
        { 123456, 4, "123456" }, { 4.49, 4, "4.49" },
    };
    const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8" };

    (void)state;
    for (size_t l = 0; l < sizeof locales / sizeof *locales; l++) {
        setlocale(LC_NUMERIC, locales[l]); /* one that is not there changes nothing */
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char text[DECIMAL_TEXT];
            decimal_text(text, rows[i].number, rows[i].least);
            assert_string_equal(text, rows[i].text);
        }
    }
    setlocale(LC_NUMERIC, "C");
}

/* ---- places --------------------------------------------------------------------------- */

typedef struct PlaceRow {
    const char *text;
    uint32_t offset, line, column;
} PlaceRow;

static void places_count_lines_and_characters(void **state)
{
    static const PlaceRow rows[] = {
        { "", 0, 1, 1 },
        { "a\nb", 0, 1, 1 },
        { "a\nb", 1, 1, 2 },
        { "a\nb", 2, 2, 1 },
        { "a\n", 2, 2, 1 },
        { "a\r\nb", 3, 2, 1 },
        { "a\rb", 2, 2, 1 },
        { "a\r\rb", 3, 3, 1 },
        { "\tx", 1, 1, 2 },
        { "\xc3\xa9\xc3\xa9x", 4, 1, 3 },
        { "\xef\xbb\xbfx", 3, 1, 1 },
        { "\xef\xbb\xbfxy", 4, 1, 2 },
    };
    Arena arena;
    jmp_buf exhausted;

    (void)state;
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted))
        fail();
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        Source *source = source_new(&arena, "a.k", rows[i].text, strlen(rows[i].text));
        SourcePlace place = source_place(source, rows[i].offset);
        assert_int_equal(place.line, rows[i].line);
        assert_int_equal(place.column, rows[i].column);
    }
    arena_free(&arena);
}

static void utf8_is_told_from_other_bytes(void **state)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        { "a", 1 },
        { "\xc3\xa9", 2 },
        { "\xe2\x82\xac", 3 },
        { "\xf0\x9f\x98\x80", 4 },
        { "\x80", 0 },
        { "\xc0\x80", 0 }, /* overlong */
        { "\xe0\x80\x80", 0 },
        { "\xed\xa0\x80", 0 },     /* a surrogate */
        { "\xf4\x90\x80\x80", 0 }, /* beyond the last */
        { "\xe2\x82", 0 },
        { "\xff", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const char *text = rows[i].text;
        assert_int_equal(utf8_length(text, text + strlen(text)), rows[i].length);
    }
    assert_int_equal(utf8_length(rows[0].text, rows[0].text), 0);
}

/* ---- diagnostics ---------------------------------------------------------------------- */

typedef struct Fixture {
    Arena arena;
    jmp_buf exhausted;
    Diags diags;
    Source *source;
} Fixture;

static void begin(Fixture *f, const char *text, size_t length)
{
    arena_init(&f->arena, &f->exhausted);
    diags_init(&f->diags, &f->arena);
    f->source = source_new(&f->arena, "a.k", text, length);
}

static Span span(const Fixture *f, uint32_t from, uint32_t to)
{
    return (Span){ f->source, from, to };
}

static const char *rendered(Fixture *f)
{
    Buf out = buf_in(&f->arena);
    diags_render(&f->diags, &out);
    return buf_text(&out);
}

static void a_complaint_shows_its_line(void **state)
{
    Fixture f;

    (void)state;
    begin(&f, "x = 1\n\ty = \xc3\xa9 + zz\n", 19);
    diag_error(&f.diags, span(&f, 16, 18), "no %s", "zz");
    diag_note(&f.diags, span(&f, 11, 13), "same line");
    diag_note(&f.diags, span(&f, 0, 1), "another line");
    diag_warning(&f.diags, (Span){ 0 }, "nowhere");
    assert_string_equal(rendered(&f), "a.k:2:10: error: no zz\n"
                                      "    2 | \ty = \xc3\xa9 + zz\n"
                                      "      | \t        ^~\n"
                                      "a.k:2:6: note: same line\n"
                                      "a.k:1:1: note: another line\n"
                                      "    1 | x = 1\n"
                                      "      | ^\n"
                                      "warning: nowhere\n");
    assert_int_equal(f.diags.errors, 1);
    diags_truncate(&f.diags, 0);
    assert_string_equal(rendered(&f), "");
    assert_int_equal(f.diags.errors, 0);
    arena_free(&f.arena);
}

static void strange_bytes_do_not_reach_the_terminal(void **state)
{
    Fixture f;

    (void)state;
    begin(&f,
          "a\033\0\xff"
          "b",
          5);
    diag_error(&f.diags, span(&f, 4, 5), "bad");
    assert_string_equal(rendered(&f), "a.k:1:5: error: bad\n"
                                      "    1 | a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                      "b\n"
                                      "      |     ^\n");
    arena_free(&f.arena);
}

static void a_long_line_is_cut_to_a_window(void **state)
{
    enum { LENGTH = 1000000 };
    Fixture f;
    char *text = malloc(LENGTH);

    (void)state;
    memset(text, 'a', LENGTH);
    begin(&f, text, LENGTH);
    diag_error(&f.diags, span(&f, LENGTH / 2, LENGTH / 2 + 1000), "here");
    const char *out = rendered(&f);
    assert_in_range(strlen(out), 200, 350);
    assert_non_null(strstr(out, "a.k:1:500001: error"));
    assert_non_null(strstr(out, " ...aaa"));
    arena_free(&f.arena);
    free(text);
}

static void a_place_at_the_end_has_an_excerpt(void **state)
{
    Fixture f;

    (void)state;
    begin(&f, "x\n", 2);
    diag_error(&f.diags, span(&f, 2, 2), "end");
    assert_string_equal(rendered(&f), "a.k:2:1: error: end\n    2 |\n      | ^\n");
    arena_free(&f.arena);
}

static void more_than_twenty_errors_are_counted_only(void **state)
{
    Fixture f;

    (void)state;
    begin(&f, "x\n", 2);
    for (int i = 0; i < 50; i++) {
        diag_error(&f.diags, span(&f, 0, 1), "error %d", i);
        diag_note(&f.diags, span(&f, 0, 1), "note %d", i);
    }
    assert_int_equal(f.diags.errors, 50);
    const char *out = rendered(&f);
    assert_non_null(strstr(out, "note 19\n"));
    assert_null(strstr(out, "20\n"));
    assert_non_null(strstr(out, "too many errors: the first 20 are shown\n"));
    arena_free(&f.arena);
}

static void a_misspelt_name_finds_its_neighbour(void **state)
{
    static const char *const names[] = { "gridsize", "grid", "syncthreads", "threadIdx", "x" };

    (void)state;
    assert_string_equal(diag_nearest("gridsiez", names, 5), "gridsize");
    assert_string_equal(diag_nearest("syncthread", names, 5), "syncthreads");
    assert_string_equal(diag_nearest("threadidx", names, 5), "threadIdx");
    assert_string_equal(diag_nearest("gird", names, 5), "grid");
    assert_null(diag_nearest("banana", names, 5));
    assert_null(diag_nearest("y", names, 5));
    assert_null(diag_nearest("", names, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(a_large_block_leaves_room_in_the_small_one),
        cmocka_unit_test(an_impossible_size_jumps_to_the_catch),
        cmocka_unit_test(an_array_keeps_what_was_pushed),
        cmocka_unit_test(text_grows_and_stays_terminated),
        cmocka_unit_test(text_is_printed_as_by_vsnprintf),
        cmocka_unit_test(decimals_are_short_and_read_back),
        cmocka_unit_test(places_count_lines_and_characters),
        cmocka_unit_test(utf8_is_told_from_other_bytes),
        cmocka_unit_test(a_complaint_shows_its_line),
        cmocka_unit_test(strange_bytes_do_not_reach_the_terminal),
        cmocka_unit_test(a_long_line_is_cut_to_a_window),
        cmocka_unit_test(a_place_at_the_end_has_an_excerpt),
        cmocka_unit_test(more_than_twenty_errors_are_counted_only),
        cmocka_unit_test(a_misspelt_name_finds_its_neighbour),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
