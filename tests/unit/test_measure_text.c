/* What is UTF-8, and what is made of what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/measure/text.h"

static void what_is_no_utf8_becomes_question_marks(void **state)
{
    static const struct {
        const char *text, *made;
    } rows[] = {
        { "", "" },
        { "plain", "plain" },
        { "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\x7f\xc2\x80\xdf\xbf\xef\xbf\xbf\xf4\x8f\xbf\xbf",
          "\x7f\xc2\x80\xdf\xbf\xef\xbf\xbf\xf4\x8f\xbf\xbf" },
        { "cut \xc3", "cut ?" },
        { "cut \xe2\x82", "cut ??" },
        { "\xfc ends", "? ends" },
        { "\xc0\xaf", "??" },                /* overlong */
        { "\xe0\x9f\xbf", "???" },           /* overlong */
        { "\xf0\x8f\xbf\xbf", "????" },      /* overlong */
        { "\xed\xa0\x80", "???" },           /* a surrogate */
        { "\xf4\x90\x80\x80", "????" },      /* beyond the last */
        { "\xe2\x82\xc3\xbc", "??\xc3\xbc" } /* the next one begins early */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[32];
        strcpy(text, rows[i].text);
        text_make_utf8(text);
        assert_string_equal(text, rows[i].made);
        assert_int_equal(text_is_utf8(rows[i].text), !strcmp(rows[i].text, rows[i].made));
        assert_true(text_is_utf8(text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_utf8_becomes_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
