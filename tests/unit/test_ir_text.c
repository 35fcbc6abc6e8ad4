/* The IR as text: what is printed and read again prints the same, before and after passes, and the
** same code comes of it. With arguments, of those programs; else of the goldens' and examples'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>

#include "tests/unit/library.h"

/* How a kernel came to what is printed. */
typedef struct Way {
    const char *what;
    const char *passes; /* of its module; NULL: those for its device */
    const char *facts, *after, *arch;
    const char *code[2]; /* the stages that are compared, or NULL */
} Way;

static const Way ways[] = {
    { "lowered", NULL, NULL, "lower", NULL, { NULL, NULL } },
    { "as it is written", NULL, NULL, NULL, NULL, { "cuda", "c" } },
    { "optimised for a launch", "all", "launch", NULL, NULL, { "cuda", NULL } },
    { "optimised for common launches", "all", "common", NULL, NULL, { "cuda", NULL } },
    { "optimised for a processor", NULL, "launch", NULL, "cpu", { "c", NULL } },
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static char **files; /* from the command line; NULL: the repository's */
static int file_count;
static size_t compared;

/* ---- texts --------------------------------------------------------------------------------- */

/* Without comments, in its place. */
static char *without_comments(char *text)
{
    char *to = text;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (line[strspn(line, " ")] != '#') {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
    return text;
}

static void compare(const char *file, const char *kernel, const Way *way, const char *stage,
                    const char *want, const char *got)
{
    size_t line = 1, at = 0;
    while (want[at] && want[at] == got[at])
        line += want[at++] == '\n';
    compared++;
    if (want[at] != got[at])
        fail_msg("%s:%s, %s, %s: line %zu differs: '%.60s' became '%.60s'", file, kernel, way->what,
                 stage, line, want + at, got + at);
}

/* A stage of what a text is; NULL if it is refused as the kernel itself is. */
static char *emit_text(const char *text, const char *stage)
{
    kjit_emit_options options = { .size = sizeof options, .stage = stage };
    char *out;
    size_t length;
    return kjit_emit_ir(text, "text.ir", &options, &out, &length) == KJIT_OK ? out : NULL;
}

/* ---- kernels -------------------------------------------------------------------------------- */

typedef struct Tried {
    const char *file;
    kjit_kernel *kernel;
    kjit_arg *args; /* NULL: it declares its types */
    kjit_launch_config config;
} Tried;

/* NULL if the kernel is refused. */
static char *emit_kernel(const Tried *tried, const Way *way, const char *stage)
{
    bool plain = !tried->args && way->facts && !strcmp(way->facts, "launch");
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = stage,
                                  .args = tried->args,
                                  .arg_count = tried->args ? kjit_param_count(tried->kernel) : 0,
                                  .arch = way->arch && *stage == 'i' ? way->arch : NULL,
                                  .facts = plain ? "common" : way->facts,
                                  .after = way->after,
                                  .config = &tried->config };
    char *out;
    size_t length;
    return kjit_emit(tried->kernel, &options, &out, &length) == KJIT_OK ? out : NULL;
}

static void try_stage(const Tried *tried, const Way *way, const char *text, const char *stage)
{
    char *want = *stage == 'i' ? NULL : emit_kernel(tried, way, stage);
    char *got = emit_text(text, stage);
    if (*stage == 'i' && !got)
        fail_msg("%s:%s, %s: %s\n%s", tried->file, kjit_kernel_name(tried->kernel), way->what,
                 kjit_error_message(), text);
    if (*stage == 'i')
        compare(tried->file, kjit_kernel_name(tried->kernel), way, stage, text,
                strcmp(stage, "ir") ? got : without_comments(got));
    else if (want || got)
        compare(tried->file, kjit_kernel_name(tried->kernel), way, stage, want ? want : "",
                got ? got : "");
    kjit_free(want);
    kjit_free(got);
}

static void try_way(const Tried *tried, const Way *way)
{
    char *plain = emit_kernel(tried, way, "ir"), *full = emit_kernel(tried, way, "ir-full");
    if (plain && full) {
        try_stage(tried, way, without_comments(plain), "ir");
        try_stage(tried, way, full, "ir-full");
        for (int i = 0; i < 2 && way->code[i]; i++)
            try_stage(tried, way, full, way->code[i]);
    }
    kjit_free(plain);
    kjit_free(full);
}

/* The arguments of its @example, or none; false if it names too few. */
static bool take_args(Tried *tried, kjit_values *values)
{
    size_t count = kjit_param_count(tried->kernel);
    tried->args = NULL;
    if (kjit_values_example(values, tried->kernel) != KJIT_OK)
        return true;
    tried->args = calloc(count + 1, sizeof *tried->args);
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = kjit_values_get(values, kjit_param_name(tried->kernel, i));
        if (!arg)
            return false;
        tried->args[i] = *arg;
    }
    return true;
}

static void try_kernel(const char *file, kjit_kernel *kernel, const Way *way)
{
    Tried tried = { .file = file, .kernel = kernel };
    kjit_values *values;
    tried.config = (kjit_launch_config){ .size = sizeof tried.config,
                                         .grid = { 1, 1, 1 },
                                         .block = { 32, 1, 1 } };
    kjit_example_config(kernel, &tried.config);
    expect_ok(kjit_values_new(&values));
    if (take_args(&tried, values))
        try_way(&tried, way);
    free(tried.args);
    kjit_values_close(values);
}

static void try_file(const char *file, const Way *way)
{
    kjit_load_options options = { .size = sizeof options, .passes = way->passes };
    kjit_module *module;
    kjit_kernel *kernel;
    if (kjit_load_file(context, file, &options, &module) != KJIT_OK)
        return;
    for (size_t i = 0; i < kjit_kernel_count(module); i++)
        if (kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel) == KJIT_OK)
            try_kernel(file, kernel, way);
    kjit_close_module(module);
}

/* Builds with sanitizers are slow: there each file goes one of the ways in turn. Others go all. */
static void try_all(char **paths, int count)
{
    for (int i = 0; i < count; i++)
#ifdef KJIT_DEBUG
        try_file(paths[i], &ways[i % WAYS]);
#else
        for (int k = 0; k < WAYS; k++)
            try_file(paths[i], &ways[k]);
#endif
}

static void try_folder(const char *pattern)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    try_all(found.gl_pathv, (int)found.gl_pathc);
    globfree(&found);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void what_is_read_prints_the_same(void **state)
{
    (void)state;
    if (files) {
        try_all(files, file_count);
        assert_true(compared >= (size_t)file_count);
    } else {
        try_folder("tests/golden/ir/*.k");
        try_folder("tests/golden/opt/*.k");
        try_folder("tests/golden/syntax/*.k");
        try_folder("examples/*.k");
        assert_true(compared > 2000 / WAYS);
    }
}

/* What no kernel of the goldens has. */
static const char *const texts[] = {
    "kernel k(x: float64[::1])\n"
    "    store x[0] = nan\n"
    "    store x[1] = -nan\n"
    "    store x[2] = nan(0x7ff0000000000001)\n"
    "    store x[3] = nan(0xfff8000000000001)\n"
    "    store x[4] = -0.0\n"
    "    store x[5] = -inf\n"
    "    store x[6] = 4.94065645841247e-324\n",
    "kernel k(`stop`: uint64[::1], `a b`: int64)\n"
    "    store `stop`[0] = 18446744073709551615:uint64\n"
    "    store `stop`[`a b`] = cast<uint64>(nonnegative(`a b`))\n",
    "kernel k(to: int64, by: int64, x: int64[::1])\n"
    "    for in: int64 in to to by by 1\n"
    "        store x[in] = by\n",
    "type Point = (x: int64, y: Color)\n"
    "type float32.2 = (x: Point)\n"
    "type R = record(a=float32, b=int16[2, 3])\n"
    "type Color = int_enum(int64)\n"
    "table t: R of 1 = \"0102030405060708090a0b0c0d0e0f10\"\n"
    "\n"
    "kernel k(p: Point, q: float32.2, r: unaligned readonly R[:], u: UniTuple(int8, 9))\n"
    "    constant t: readonly R[::1] of t\n"
    "    print \"a \\\"quoted\\\" \\\\ word\\x0a\", item(p, 0)\n",
    "launch narrow alone aligned(y) block(8, 4, 1) grid_size(9) values(3, 4, -1)\n"
    "shape changed free axis(1, 0, 2) block(32, 1, 1) tile(4, 1, 1) least(2) stay(1) "
    "iterations(x, 0, -3, 1) raised_y(n, -1, 1, 2) copies(y, 8, 32)\n"
    "unit narrow processor births unroll(4)\n"
    "\n"
    "kernel k(x: int64[::1], y: int64[::1] merged(max), n: int64) debug matmul(bf16x9) "
    "launch_bounds(64, 2, 0) max_registers(40) carveout(50) opt(1)\n"
    "    shared s: int64[:, ::1] aligned(32) of 4 x 4\n"
    "    local left: int64\n"
    "    store.wt x[0] = load.cv(y, 0)\n"
    "    store s[0, 0] = left\n"
    "    while true\n"
    "        break\n"
    "    fault \"ValueError: {}\", left\n",
};

static void texts_print_as_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        char *got = emit_text(texts[i], "ir");
        if (!got)
            fail_msg("text %zu: %s", i, kjit_error_message());
        assert_string_equal(without_comments(got), texts[i]);
        kjit_free(got);
    }
}

static void positions_name_their_lines(void **state)
{
    static const char text[] = "kernel k(x: int64[::1]) @\"deep/hist.k\" 3\n"
                               "    i: int64 = grid(0) @5\n"
                               "    store x[i] = i\n"
                               "    eval syncthreads() @7:7:9\n";
    (void)state;
    char *full = emit_text(text, "ir-full"), *cuda = emit_text(text, "cuda");
    assert_non_null(full);
    assert_non_null(cuda);
    assert_non_null(strstr(cuda, "#line 5 \"deep/hist.k\""));
    assert_non_null(strstr(full, "@\"deep/hist.k\" 3\n"));
    assert_non_null(strstr(full, "@7:7:9\n"));
    kjit_free(full);
    kjit_free(cuda);
}

static void lines_without_a_position_are_in_the_same_file(void **state)
{
    static const char text[] = "kernel k(x: int64[::1])\n"
                               "    i: int64 = grid(0) @7\n"
                               "    store x[i] = i\n";
    (void)state;
    char *once = emit_text(text, "ir-full");
    assert_non_null(once);
    char *twice = emit_text(once, "ir-full");
    assert_string_equal(once, twice);
    kjit_free(once);
    kjit_free(twice);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_prints_the_same),
        cmocka_unit_test(texts_print_as_they_are),
        cmocka_unit_test(positions_name_their_lines),
        cmocka_unit_test(lines_without_a_position_are_in_the_same_file),
    };

    files = argc > 1 ? argv + 1 : NULL;
    file_count = argc - 1;
    return cmocka_run_group_tests(tests, open_all, close_all);
}
