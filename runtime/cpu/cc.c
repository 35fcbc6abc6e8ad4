/* C text to a shared object, by the system's compiler in a process of its own.
**
** Integers wrap as on a GPU, and errno and traps are unused; options that change results, such as
** -ffast-math, are used only on request.
**
** With -fdelete-null-pointer-checks gcc 12 removes calls of functions that do store something: in
** loops that increment an address computed as an index from a null pointer it assumes a store to
** address 0, which is undefined. */
#include "runtime/cpu/cc.h"
#include "runtime/cpu/queue.h"

#include <cpuid.h>
#include <unistd.h>

static const char *const base_flags[] = {
    "-std=gnu11",
    "-fwrapv",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fPIC",
    "-shared",
    "-w",
    "-Werror=implicit-function-declaration",
};

/* What a kernel is linked with in the process that compiled it: the mathematical functions and the
** compiler's own, of 128-bit integers for one. The C library is in the process already, and nothing
** has to begin or end: the linker takes half the time, the whole an eighth less. */
static const char *const lean_flags[] = { "-nostdlib", "-lm", "-lgcc" };

/* For products and sums that are rounded one by one. gcc makes fmaddsub of products of which every
** other one is added, as complex numbers have them, whatever -ffp-contract says (seen in gcc 12):
** it must not have the instruction, which AVX-512 has, too. */
static const char *const unfused_flags[] = { "-ffp-contract=off",
#if defined __x86_64__ || defined __i386__
                                             "-mno-fma", "-mno-fma4", "-mno-avx512f"
#endif
};

void cc_find(CC *cc)
{
    const char *setting = getenv("KJIT_CC");

    memset(cc, 0, sizeof *cc);
    cc->named = setting && *setting;
    int length = snprintf(cc->text, sizeof cc->text, "%s", cc->named ? setting : "cc");
    char *rest = cc->text, *word = NULL;
    while (cc->count < CC_WORDS_MAX && (word = strtok_r(rest, " \t\n", &rest)))
        cc->words[cc->count++] = word;
    cc->too_long = length >= (int)sizeof cc->text || (word && rest[strspn(rest, " \t\n")]);
    if (!cc->count || cc->too_long || !spawn_find(cc->words[0], cc->path, sizeof cc->path))
        cc->path[0] = '\0';
}

/* What -march=native depends on: the processor's model and features, and the register state that
** the system saves. Fields of leaf 1 that differ between cores are masked. */
static void identify_processor(KeyState *key)
{
    unsigned a, b, c, d;

    for (unsigned leaf = 0x80000002u; leaf <= 0x80000004u; leaf++) {
        if (__get_cpuid(leaf, &a, &b, &c, &d))
            key_field(key, (unsigned[]){ a, b, c, d }, 4 * sizeof a);
    }
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        key_field(key, (unsigned[]){ a, c, d }, 3 * sizeof a);
        if (c & bit_OSXSAVE) {
            unsigned low, high;
            __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
            key_number(key, low);
        }
    }
    for (unsigned sub = 0; sub < 2; sub++) {
        if (__get_cpuid_count(7, sub, &a, &b, &c, &d))
            key_field(key, (unsigned[]){ a, b, c, d }, 4 * sizeof a);
    }
}

void cc_identify(const CC *cc, KeyState *key)
{
    char real[CACHE_PATH_MAX];

    /* Its name as invoked, since `clang` and `gcc` may be one file; and the file itself. */
    for (int i = 0; i < cc->count; i++)
        key_text(key, cc->words[i]);
    key_file(key, realpath(cc->path, real) ? real : cc->path);
    key_words(key, base_flags, ARRAY_COUNT(base_flags));
    key_words(key, unfused_flags, ARRAY_COUNT(unfused_flags));
    key_words(key, lean_flags, ARRAY_COUNT(lean_flags));
    identify_processor(key);
}

typedef struct Arguments {
    char *list[CC_WORDS_MAX + 72];
    char march[48];
    char linked[CACHE_PATH_MAX]; /* the file with BuildRequest.linked, or "" */
    int count;
} Arguments;

static void push(Arguments *arguments, const char *word)
{
    arguments->list[arguments->count++] = (char *)(uintptr_t)word;
}

enum { LONG_TEXT = 64 << 10, LONGEST_TEXT = 96 << 10 };

/* The optimisation level: long texts take long to optimise (docs/cpu.md). */
static const char *effort(size_t length)
{
    return length < LONG_TEXT ? "-O3" : length < LONGEST_TEXT ? "-O2" : "-O1";
}

/* The parts of -ffast-math that numba's fastmath has on a GPU, which keeps infinities and NaN.
** -ffast-math itself would also link code that makes the whole process flush denormals to zero. */
static const char *const fast_flags[] = { "-fno-signed-zeros", "-freciprocal-math" };
static const char *const reordering_flag = "-fassociative-math";

/* Whether KJIT_CC has such an option, which takes precedence. */
static bool has_option(const CC *cc, const char *prefix)
{
    for (int i = 1; i < cc->count; i++)
        if (strncmp(cc->words[i], prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* Whether all options are how much to optimise. */
static bool are_levels(const char *const *options, int count)
{
    for (int i = 0; i < count; i++)
        if (strncmp(options[i], "-O", 2) != 0)
            return false;
    return true;
}

/* Whether the object needs no more than lean_flags name: it is for this machine, kjit alone wrote
** its text, and no options ask for more, as those of sanitizers and coverage do. */
static bool is_lean(const CC *cc, const BuildRequest *request)
{
    if (request->march || request->linked || request->foreign || request->edited)
        return false;
    return are_levels((const char *const *)cc->words + 1, cc->count - 1) &&
           are_levels(request->extra, request->extra_count);
}

static void fill_arguments(const CC *cc, const BuildRequest *request, const char *path, bool lean,
                           Arguments *arguments)
{
    const IrOptions *options = &request->options;
    const char *best = request->quick ? "-O1" : effort(request->length);
    arguments->count = 0;
    push(arguments, cc->path); /* the full path, beside which compilers find their parts */
    for (int i = 1; i < cc->count; i++)
        push(arguments, cc->words[i]);
    for (size_t i = 0; i < ARRAY_COUNT(base_flags); i++)
        push(arguments, base_flags[i]);
    snprintf(arguments->march, sizeof arguments->march, "-march=%.32s",
             request->march ? request->march : "native");
    if (request->march || !has_option(cc, "-march=")) /* binaries have a target of their own */
        push(arguments, arguments->march);
    if (options->opt <= 0 || !has_option(cc, "-O"))
        push(arguments, options->opt <= 0 ? "-O0" : best);
    for (size_t i = 0; options->unfused && i < ARRAY_COUNT(unfused_flags); i++)
        push(arguments, unfused_flags[i]);
    if (!options->unfused)
        push(arguments, "-ffp-contract=fast");
    for (size_t i = 0; options->fastmath && i < ARRAY_COUNT(fast_flags); i++)
        push(arguments, fast_flags[i]);
    if (options->fastmath && !request->ordered_sums)
        push(arguments, reordering_flag);
    if (options->debug || options->lineinfo)
        push(arguments, "-g");
    for (int i = 0; i < request->extra_count; i++)
        push(arguments, request->extra[i]);
    if (request->length < LONGEST_TEXT)
        push(arguments, "-fopenmp-simd"); /* to vectorise loops over threads */
    push(arguments, "-o");
    push(arguments, path);
    push(arguments, "-x");
    push(arguments, "c");
    push(arguments, "-");
    if (*arguments->linked) {
        push(arguments, arguments->linked);
        push(arguments, "-Wl,-z,defs"); /* missing symbols are errors now, not when it is loaded */
    }
    for (size_t i = 0; lean && i < ARRAY_COUNT(lean_flags); i++)
        push(arguments, lean_flags[i]);
    if (!lean)
        push(arguments, "-lm");
    arguments->list[arguments->count] = NULL;
}

/* Whether the compiler is not to optimise much. */
static bool is_quick(const CC *cc, const BuildRequest *request)
{
    if (request->extra_count)
        return false;
    return request->options.opt <= 0 || has_option(cc, "-O0") || has_option(cc, "-O1") ||
           (request->quick && !has_option(cc, "-O"));
}

bool cc_queue(const CC *cc, const BuildRequest *request, const CacheKey *key)
{
    Arguments arguments = { .linked = "" };

    if (!cc->path[0] || !is_lean(cc, request) || !is_quick(cc, request))
        return false;
    fill_arguments(cc, request, "", true, &arguments);
    return queue_put(arguments.list, request, key);
}

static int run_once(const CC *cc, const BuildRequest *request, const char *path, bool lean,
                    char **errors)
{
    Arguments arguments = { .linked = "" };

    if (request->linked) {
        snprintf(arguments.linked, sizeof arguments.linked, "%.*s.linked.c",
                 (int)sizeof arguments.linked - 16, path);
        if (file_write(arguments.linked, NULL, 0, request->linked, strlen(request->linked)) !=
            KJIT_OK)
            return 1;
    }
    fill_arguments(cc, request, path, lean, &arguments);
    int status = spawn_run(arguments.list, request->text, request->length, NULL, NULL, errors);
    if (request->linked)
        unlink(arguments.linked);
    return status == 0 && access(path, F_OK) != 0 ? 1 : status;
}

/* A compiler may have no -lgcc, but another library for that. */
static int run(const CC *cc, const BuildRequest *request, const char *path, char **errors)
{
    bool lean = is_lean(cc, request);
    int status = run_once(cc, request, path, lean, lean ? NULL : errors);

    return lean && status != 0 ? run_once(cc, request, path, false, errors) : status;
}

kjit_status cc_missing(const CC *cc)
{
    const char *program = cc->count ? cc->words[0] : "";

    if (cc->too_long)
        return error_set(KJIT_NO_DEVICE,
                         "error: KJIT_CC has more than %d words or %d bytes\nnote: set it to a C "
                         "compiler, with options if need be, or unset it to use cc",
                         CC_WORDS_MAX, (int)sizeof cc->text - 1);
    if (cc->named)
        return error_set(KJIT_NO_DEVICE,
                         "error: running kernels on the processor needs a C compiler, and KJIT_CC "
                         "names '%s', which is no program\nnote: set KJIT_CC to a C compiler, or "
                         "unset it to use cc",
                         program);
    return error_set(KJIT_NO_DEVICE,
                     "error: running kernels on the processor needs a C compiler, and there is no "
                     "'%s'\nnote: install gcc or clang, or set KJIT_CC to a C compiler",
                     program);
}

bool cc_works(const CC *cc, const char *path)
{
    static const char text[] = "int f(void) { return 0; }\n";
    BuildRequest trivial = { .text = text, .length = sizeof text - 1, .options.opt = 3 };

    return cc->path[0] && run(cc, &trivial, path, NULL) == 0;
}

/* The message for a failure: of the compiler, if it cannot even compile a trivial text, else a bug
** of kjit. */
static kjit_status compile_failure(const CC *cc, const BuildRequest *request, int exit_status,
                                   const char *errors, const char *path)
{
    if (exit_status == 127)
        return error_set(KJIT_NO_DEVICE,
                         "error: the C compiler '%s' could not be started\n"
                         "note: set KJIT_CC to one that can be",
                         cc->path);
    if (!cc_works(cc, path))
        return error_set(KJIT_NO_DEVICE,
                         "error: the C compiler '%s' does not work here\n%s"
                         "note: set KJIT_CC to one that does",
                         cc->path, errors ? errors : "");
    if (request->edited)
        return edited_failure(request, cc->path, errors ? errors : "");
    if (exit_status > 128)
        return error_set(KJIT_INTERNAL, "error: the C compiler '%s' was killed by signal %d",
                         cc->path, exit_status - 128);
    if (request->foreign)
        return linked_failure(request, cc->path, errors ? errors : "");
    return error_set(KJIT_INTERNAL,
                     "error: this is a bug in kjit: the C it made for %s does not compile "
                     "with '%s'\n%s",
                     request->call, cc->path, errors ? errors : "");
}

/* Finds an option of the user's that the compiler rejects: the one after the longest prefix that
** compiles. Shorter prefixes may fail, as an option may be two words. */
static bool wrong_option(const CC *cc, const BuildRequest *request, const char *path,
                         kjit_status *status)
{
    BuildRequest part = *request;
    bool fine = false;

    while (part.extra_count > 0 && !fine) {
        part.extra_count--;
        fine = run(cc, &part, path, NULL) == 0;
    }
    if (!fine)
        return false;
    *status = error_set(KJIT_ARGUMENT,
                        "error: the C compiler '%s' does not compile %s with the compiler option "
                        "'%s'\nnote: leave it out, or look it up in the compiler's manual",
                        cc->path, request->call, request->extra[part.extra_count]);
    return true;
}

kjit_status cc_compile(CC *cc, const BuildRequest *request, const char *path)
{
    char *errors = NULL;

    if (!cc->path[0])
        return cc_missing(cc);
    int exit_status = run(cc, request, path, &errors);
    kjit_status status = KJIT_OK;
    if (exit_status != 0 && !wrong_option(cc, request, path, &status))
        status = compile_failure(cc, request, exit_status, errors, path);
    memory_free(errors);
    return status;
}

char *cc_version(CC *cc)
{
    char *words[] = { cc->path, "--version", NULL }, *output = NULL;

    if (!cc->path[0] || spawn_run(words, "", 0, &output, NULL, NULL) != 0) {
        memory_free(output);
        return NULL;
    }
    if (output)
        output[strcspn(output, "\n")] = '\0';
    return output;
}

bool cc_has_fma(CC *cc, const char *path)
{
    static const char text[] = "#if defined __FMA__ || defined __FMA4__ || defined __aarch64__\n"
                               "int f(void) { return 0; }\n#else\n#error none\n#endif\n";
    BuildRequest request = { .text = text, .length = sizeof text - 1, .options.opt = 3 };

    return cc->path[0] && run(cc, &request, path, NULL) == 0;
}
