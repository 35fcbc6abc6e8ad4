/* The digest of a space: it changes with what decides what kernels and launches are, and with
** nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit_tools.h"

typedef struct Text {
    const char *comment, *tune, *constant, *body, *imports;
} Text;

static const Text plain = { "", "tile=[1, 2], block=\"tile\", problem=\"x.shape[0]\"", "3", "x[i]",
                            "from math import sin as wave\nimport math" };

static void digest_of(const Text *text, char digest[KJIT_DIGEST_SIZE])
{
    const kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_space *space;
    char source[1024];

    snprintf(source, sizeof source,
             "%s\ntile = 1\nFACTOR = %s\n%s\n@tune(%s)\n@cuda.jit\ndef f(x):\n"
             "    i = cuda.grid(1)\n    if i < x.shape[0]:\n"
             "        x[i] = wave(%s * FACTOR) + math.cos(x[i]) + tile\n",
             text->imports, text->constant, text->comment, text->tune, text->body);
    assert_int_equal(kjit_open(&options, &context), KJIT_OK);
    assert_int_equal(kjit_load_source(context, source, "f.k", NULL, &module), KJIT_OK);
    assert_int_equal(kjit_get_kernel(module, NULL, &kernel), KJIT_OK);
    assert_int_equal(kjit_space_new(kernel, &space), KJIT_OK);
    assert_int_equal(kjit_space_digest(space, digest), KJIT_OK);
    assert_int_equal(strlen(digest), KJIT_DIGEST_SIZE - 1);
    kjit_space_close(space);
    kjit_close(context);
}

static bool same_as_plain(Text other)
{
    char one[KJIT_DIGEST_SIZE], two[KJIT_DIGEST_SIZE];
    digest_of(&plain, one);
    digest_of(&other, two);
    return strcmp(one, two) == 0;
}

static void comments_and_values_to_try_do_not_matter(void **state)
{
    Text other = plain;
    (void)state;
    assert_true(same_as_plain(plain));
    other.comment = "# It has one more line.";
    assert_true(same_as_plain(other));
    other.tune = "tile=[1, 2, 4], block=\"tile\", problem=\"x.shape[0]\", restrict=\"tile < 3\"";
    assert_true(same_as_plain(other));
}

/* A name that is imported stands for what is imported; an import that nothing reads for nothing. */
static void what_names_are_imported_as_matters(void **state)
{
    Text other = plain;
    (void)state;
    other.imports = "from math import cos as wave\nimport math";
    assert_false(same_as_plain(other));
    other.imports = "from math import sin as wave\nimport cmath as math";
    assert_false(same_as_plain(other));
    other.imports = "import math\nfrom math import tan\nfrom math import sin as wave";
    assert_true(same_as_plain(other));
    other.imports = "from math import sin as wave";
    assert_true(same_as_plain(other));
}

static void text_constants_and_shapes_matter(void **state)
{
    Text other = plain;
    (void)state;
    other.body = "x[i] * 2";
    assert_false(same_as_plain(other));
    other = plain;
    other.constant = "4";
    assert_false(same_as_plain(other));
    other = plain;
    other.tune = "tile=[1, 2], block=\"tile * 2\", problem=\"x.shape[0]\"";
    assert_false(same_as_plain(other));
    other.tune = "tile=[1, 2], block=\"tile\", problem=\"x.shape[0]\", grid_div_x=\"tile * 3\"";
    assert_false(same_as_plain(other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_values_to_try_do_not_matter),
        cmocka_unit_test(text_constants_and_shapes_matter),
        cmocka_unit_test(what_names_are_imported_as_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
