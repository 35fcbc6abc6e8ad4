/* Modules: files, imports, constants; and every stage that can be shown of a kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"
#include "runtime/cuda/nvrtc.h"

#include <sys/stat.h>

static kjit_status load_named(const char *name, kjit_module **module)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return kjit_load_file(context, path, NULL, module);
}

static void imports_are_found_beside_the_file(void **state)
{
    kjit_module *module;
    kjit_kernel *kernel;
    int32_t a[1] = { 0 };

    (void)state;
    write_file("more.k", "def four():\n    return 4\n");
    write_file(
        "main.k",
        "from numba import cuda\nfrom more import four\n@cuda.jit\ndef k(a):\n    a[0] = four()\n");
    expect_ok(load_named("main.k", &module));
    expect_ok(kjit_get_kernel(module, "k", &kernel));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1)));
    assert_int_equal(a[0], 4);
    expect(kjit_get_kernel(module, "kk", &kernel), KJIT_ARGUMENT,
           "has no kernel 'kk'; did you mean 'k'? It has k");
    assert_null(kernel);
}

/* Compiles the only kernel of a file, for float64[::1]. */
static kjit_status compile_named(const char *name)
{
    kjit_module *module;
    kjit_kernel *kernel;

    expect_ok(load_named(name, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    return kjit_compile_signature(kernel, "(float64[::1],)");
}

static void files_may_import_one_another(void **state)
{
    static const char kernel[] = "@cuda.jit\ndef k(x):\n    x[0] = f(x[0]) + g(1)\n";
    char text[200];

    (void)state;
    snprintf(text, sizeof text, "from b import f\ndef g(x): return x\n%s", kernel);
    write_file("a.k", text);
    write_file("b.k", "from a import g\ndef f(x): return g(x) + 1\n");
    snprintf(text, sizeof text, "from b import f, g\n%s", kernel);
    write_file("main.k", text);
    expect_ok(compile_named("main.k"));
    write_file("b.k", "from c import f, g\n");
    write_file("c.k", "from b import f, g\n");
    expect(compile_named("main.k"), KJIT_INVALID, "files that import one another");
    write_file("b.k", "from c import *\n");
    write_file("c.k", "from b import *\ndef f(x): return x\ndef g(x): return x\n");
    expect_ok(compile_named("main.k"));
    write_file("c.k", "from b import *\n");
    expect(compile_named("main.k"), KJIT_INVALID, "module 'b' has no 'f'");
}

static void imports_matter_when_they_are_read(void **state)
{
    char path[256];

    (void)state;
    write_file("d.k", "from nowhere import f\n@cuda.jit\ndef k(x):\n    x[0] = 1\n");
    expect_ok(compile_named("d.k"));
    write_file("d.k", "from nowhere import f\n@cuda.jit\ndef k(x):\n    x[0] = f(1)\n");
    expect(compile_named("d.k"), KJIT_INVALID, "'f' comes from the module 'nowhere'");
    write_file("e.k", "x = = 1\n");
    write_file("d.k", "from e import f\n@cuda.jit\ndef k(x):\n    x[0] = 1\n");
    expect_ok(compile_named("d.k"));
    write_file("d.k", "from e import f\n@cuda.jit\ndef k(x):\n    x[0] = f(1)\n");
    expect(compile_named("d.k"), KJIT_INVALID, "unexpected '='");
    write_file("f.py", "import g.h\nfrom g import h as i\n@cuda.jit\ndef k(x):\n"
                       "    x[0] = g.h.N + i.N\n");
    snprintf(path, sizeof path, "%s/g", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file("g/h.py", "N = 1\nraise SystemExit\n");
    expect_ok(compile_named("f.py"));
}

static void texts_stand_for_files(void **state)
{
    static const kjit_text texts[] = {
        { "one", "a.py", "from two import g\n\ndef f(x):\n    return g(x) + N\n\nN = 5\n" },
        { "two", "a.py", "def g(x):\n    return x + undefined\n" },
        { "two_again", "a.py", "def g(x):\n    return 2 * x\n" },
    };
    static const char kernel[] = "from one import f\nfrom two_again import g\n"
                                 "@cuda.jit\ndef k(x):\n    x[0] = %s\n";
    kjit_load_options options = { .size = sizeof options,
                                  .texts = texts,
                                  .text_count = sizeof texts / sizeof *texts };
    char text[200];
    kjit_module *module;
    kjit_kernel *k;

    (void)state;
    snprintf(text, sizeof text, kernel, "g(1)");
    expect_ok(kjit_load_source(context, text, "main.py", &options, &module));
    expect_ok(kjit_get_kernel(module, "k", &k));
    expect_ok(kjit_compile_signature(k, "float32[::1]"));
    snprintf(text, sizeof text, kernel, "f(1)");
    expect_ok(kjit_load_source(context, text, "main.py", &options, &module));
    expect_ok(kjit_get_kernel(module, "k", &k));
    expect(kjit_compile_signature(k, "float32[::1]"), KJIT_INVALID, "a.py:2:16: error: ");
}

static void files_that_cannot_be_read_are_one_message(void **state)
{
    kjit_module *module;

    (void)state;
    expect(kjit_load_file(context, "/nowhere.k", NULL, &module), KJIT_FILE,
           "there is no file '/nowhere.k'");
    expect(kjit_load_file(context, folder, NULL, &module), KJIT_FILE, "is a folder");
}

static void constants_can_be_overridden(void **state)
{
    static const char text[] =
        "from numba import cuda\nN = 3\n@cuda.jit\ndef k(a):\n    a[0] = N\n";
    kjit_define define = { "N", "5 + 1" };
    kjit_load_options options = { .size = sizeof options, .defines = &define, .define_count = 1 };
    int32_t a[1];

    (void)state;
    expect_ok(
        KJIT_CALL(kernel_with(text, &options), KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1)));
    assert_int_equal(a[0], 6);
}

/* ---- stages --------------------------------------------------------------------------- */

static void every_stage_can_be_shown(void **state)
{
    static const struct {
        const char *stage, *part;
    } rows[] = {
        { "ir", "twice" },
        { "cuda", "__global__" },
        { "c", "kjit_entry" },
    };
    kjit_kernel *kernel = kernel_of(double_text);
    char *data;
    size_t length;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_emit_options options = { .size = sizeof options,
                                      .stage = rows[i].stage,
                                      .signature = "twice(float32[::1], float32[::1])" };
        expect_ok(kjit_emit(kernel, &options, &data, &length));
        assert_non_null(strstr(data, rows[i].part));
        assert_int_equal(strlen(data), length);
        kjit_free(data);
    }
    kjit_emit_options wrong = { .size = sizeof wrong,
                                .stage = "cuda",
                                .signature = "other(int32)" };
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "'other'");
    wrong.signature = "(int32)";
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "1 type ");
    wrong.signature = "void(float32[::1], int32[::1])";
    expect_ok(kjit_emit(kernel, &wrong, &data, &length));
    kjit_free(data);
    wrong.stage = "soup";
    expect(kjit_emit(kernel, &wrong, &data, &length), KJIT_ARGUMENT, "'soup'");
    assert_null(data);
}

static void machine_code_is_made_without_a_gpu(void **state)
{
    static const char *const archs[] = { "sm_75", "sm_80", "sm_90" };
    kjit_kernel *kernel = kernel_of(double_text);
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = "cubin",
                                  .signature = "(float32[::1], float32[:])" };
    int major, minor;
    char *data;
    size_t length;

    (void)state;
    if (nvrtc_version(&major, &minor) != KJIT_OK)
        skip();
    for (size_t i = 0; i < ARRAY_COUNT(archs); i++) {
        options.arch = archs[i];
        expect_ok(kjit_emit(kernel, &options, &data, &length));
        assert_memory_equal(data,
                            "\x7f"
                            "ELF",
                            4);
        kjit_free(data);
    }
    options.stage = "ptx";
    expect_ok(kjit_emit(kernel, &options, &data, &length));
    assert_non_null(strstr(data, ".entry twice"));
    kjit_free(data);
    options.arch = "sm_1";
    expect(kjit_emit(kernel, &options, &data, &length), KJIT_ARGUMENT, "not for 'sm_1'");
    options.arch = "sm_199";
    expect(kjit_emit(kernel, &options, &data, &length), KJIT_ARGUMENT,
           "does not compile for 'sm_199'");
    /* A GPU newer than NVRTC gets PTX. */
    BuildRequest build = {
        .text = "extern \"C\" __global__ void k() {}", .length = 33, .entry = "k", .options.opt = 3
    };
    expect_ok(nvrtc_compile(&build, "sm_999", NVRTC_CUBIN, true, &data, &length, NULL));
    assert_non_null(strstr(data, ".entry k"));
    memory_free(data);
    build.text = "nonsense";
    expect(nvrtc_compile(&build, "sm_90", NVRTC_CUBIN, true, &data, &length, NULL), KJIT_INTERNAL,
           "this is a bug in kjit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imports_are_found_beside_the_file),
        cmocka_unit_test(files_may_import_one_another),
        cmocka_unit_test(imports_matter_when_they_are_read),
        cmocka_unit_test(texts_stand_for_files),
        cmocka_unit_test(files_that_cannot_be_read_are_one_message),
        cmocka_unit_test(constants_can_be_overridden),
        cmocka_unit_test(every_stage_can_be_shown),
        cmocka_unit_test(machine_code_is_made_without_a_gpu),
    };

    return cmocka_run_group_tests_name("modules", tests, open_all, close_all);
}
