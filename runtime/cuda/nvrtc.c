/* Compiles CUDA C with NVRTC, which is loaded on first use. */
#include "runtime/cuda/nvrtc.h"

#include <dlfcn.h>
#include <unistd.h>

typedef struct NvrtcProgramData *NvrtcProgram;

enum { ARCHS_MAX = 64, INCLUDES_MAX = 4, OPTIONS_MAX = 64 };

/* To the prelude: machine code is made without ptxas's optimisations. */
#define UNOPTIMISED "--define-macro=KJIT_UNOPTIMISED"

static struct Nvrtc {
#define NVRTC(name, symbol, params) int(*name) params;
#include "runtime/cuda/nvrtc_api.def"
    int major, minor;
    int archs_known[ARCHS_MAX], arch_total;
    char why_not[512];
} nvrtc;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/* ---- loading it ------------------------------------------------------------------------ */

static void *open_library(void)
{
    const char *path = nvrtc_path();
    void *library = NULL;

    if (*path)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (const char *const *name = nvrtc_names(); *name && !library; name++)
        library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find_symbols(void *library)
{
    static const WantedSymbol wanted[] = {
#define NVRTC(name, symbol, params) { symbol, &nvrtc.name },
#include "runtime/cuda/nvrtc_api.def"
    };
    const char *missing = symbols_find(library, wanted, ARRAY_COUNT(wanted));
    if (missing)
        snprintf(nvrtc.why_not, sizeof nvrtc.why_not, "%.300s has no '%s'", nvrtc_path(), missing);
    return !missing;
}

static void load(void)
{
    void *library = open_library();

    if (!library) {
        const char *reason = dlerror();
        if (*nvrtc_path())
            snprintf(nvrtc.why_not, sizeof nvrtc.why_not, "NVRTC cannot be loaded: %.400s",
                     reason ? reason : nvrtc_path());
        else
            snprintf(nvrtc.why_not, sizeof nvrtc.why_not,
                     "NVRTC (libnvrtc.so) was not found on this machine");
        return;
    }
    if (!find_symbols(library))
        return;
    int result = nvrtc.version(&nvrtc.major, &nvrtc.minor);
    if (result != 0) {
        snprintf(nvrtc.why_not, sizeof nvrtc.why_not,
                 "NVRTC does not say its version: nvrtcVersion failed (error %d)", result);
        return;
    }
    if (nvrtc.major < 12) {
        snprintf(nvrtc.why_not, sizeof nvrtc.why_not,
                 "NVRTC is version %d.%d, and 12.0 or newer is needed", nvrtc.major, nvrtc.minor);
        return;
    }
    int known = 0;
    if (nvrtc.arch_count(&known) == 0 && known > 0 && known <= ARCHS_MAX &&
        nvrtc.archs(nvrtc.archs_known) == 0)
        nvrtc.arch_total = known;
}

/* Loads the library, or fails with a remedy. */
static kjit_status need_nvrtc(void)
{
    pthread_once(&load_once, load);
    if (!nvrtc.why_not[0])
        return KJIT_OK;
    return error_set(
        KJIT_NO_DEVICE,
        "error: %s\nnote: compiling for GPUs needs NVIDIA's NVRTC 12.0 or newer: install "
        "the CUDA toolkit, or 'pip install nvidia-cuda-nvrtc', or set KJIT_NVRTC to the "
        "path of libnvrtc.so",
        nvrtc.why_not);
}

kjit_status nvrtc_version(int *major, int *minor)
{
    KJIT_TRY(need_nvrtc());
    *major = nvrtc.major;
    *minor = nvrtc.minor;
    return KJIT_OK;
}

/* ---- options -------------------------------------------------------------------------- */

typedef struct NvrtcOptions {
    const char *list[OPTIONS_MAX];
    int count;
    char arch[48], registers[32], includes[INCLUDES_MAX][CACHE_PATH_MAX + 16];
} NvrtcOptions;

static void push(NvrtcOptions *options, const char *option)
{
    options->list[options->count++] = option;
}

/* The newest architecture NVRTC knows up to `wanted`. */
static int newest_up_to(int wanted)
{
    int best = 0;

    for (int i = 0; i < nvrtc.arch_total; i++) {
        if (nvrtc.archs_known[i] <= wanted && nvrtc.archs_known[i] > best)
            best = nvrtc.archs_known[i];
    }
    return best;
}

static bool arch_known(int number)
{
    for (int i = 0; i < nvrtc.arch_total; i++) {
        if (nvrtc.archs_known[i] == number)
            return true;
    }
    return nvrtc.arch_total == 0;
}

/* "sm_75, sm_80, ..." */
static void list_archs(char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < nvrtc.arch_total && used + 16 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%ssm_%d", i ? ", " : "",
                                 nvrtc.archs_known[i]);
}

/* Whether a text has instructions of one architecture alone, which passes write for that only. */
static bool is_specific(const char *text)
{
    return strstr(text, "wgmma.mma_async") != NULL;
}

/* Chooses the architecture; with `fallback` PTX for the newest known one if `arch` is unknown. */
static kjit_status choose_arch(const char *text, const char *arch, bool fallback,
                               NvrtcOutput *output, NvrtcOptions *options)
{
    char known[512], *end;
    long number = strncmp(arch, "sm_", 3) == 0 ? strtol(arch + 3, &end, 10) : 0;
    bool valid = number > 0 && number < 10000 &&
                 (*end == '\0' || ((*end == 'a' || *end == 'f') && end[1] == '\0'));

    if (valid && arch_known((int)number)) {
        snprintf(options->arch, sizeof options->arch, "--gpu-architecture=%.20s%s", arch,
                 *end == '\0' && is_specific(text) ? "a" : "");
        return KJIT_OK;
    }
    int nearest = newest_up_to((int)number);
    if (valid && fallback && nearest) {
        snprintf(options->arch, sizeof options->arch, "--gpu-architecture=compute_%d", nearest);
        *output = NVRTC_PTX;
        return KJIT_OK;
    }
    list_archs(known, sizeof known);
    return error_set(KJIT_ARGUMENT,
                     "error: NVRTC %d.%d does not compile for '%.20s'\nnote: it knows %s",
                     nvrtc.major, nvrtc.minor, arch, known);
}

/* The include folders of CUDA's headers for this library. */
static void push_includes(NvrtcOptions *options)
{
    static const char *const places[INCLUDES_MAX] = { "../include", "../../cuda_runtime/include",
                                                      "../targets/x86_64-linux/include", NULL };
    char folder[CACHE_PATH_MAX];

    snprintf(folder, sizeof folder, "%s", nvrtc_path());
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    for (int i = 0; slash && places[i]; i++) {
        char *option = options->includes[i], *path = option + strlen("--include-path=");
        int length = snprintf(option, sizeof options->includes[i], "--include-path=%s/%s", folder,
                              places[i]);
        if (length < (int)sizeof options->includes[i] && access(path, R_OK) == 0)
            push(options, option);
    }
}

static void fill_options(const BuildRequest *request, NvrtcOptions *options)
{
    bool headers = strstr(request->text, "#include") != NULL;
    const IrOptions *wanted = &request->options;

    push(options, options->arch);
    if (wanted->fastmath)
        push(options, "--use_fast_math");
    push(options, wanted->unfused ? "--fmad=false" : "--fmad=true");
    if (wanted->max_registers > 0) {
        snprintf(options->registers, sizeof options->registers, "--maxrregcount=%d",
                 wanted->max_registers);
        push(options, options->registers);
    }
    if (wanted->opt <= 0) {
        push(options, "--device-debug");
        push(options, UNOPTIMISED);
    } else if (wanted->lineinfo || wanted->debug)
        push(options, "--generate-line-info");
    if (headers)
        push_includes(options);
    else if (nvrtc.major > 12 || nvrtc.minor >= 4)
        push(options, "-minimal");
    if (nvrtc.major > 12 || nvrtc.minor >= 9)
        push(options, "-no-cache"); /* kjit has its own */
    push(options, "-w");
    push(options, "--ptxas-options=-v"); /* reports spills */
    for (int i = 0; i < request->extra_count && options->count < OPTIONS_MAX - 1; i++)
        push(options, request->extra[i]);
}

/* ---- compiling ------------------------------------------------------------------------ */

/* The compiler's log, to be memory_free()d; NULL if unavailable. */
static char *read_log(NvrtcProgram program)
{
    size_t size = 0;
    char *log = NULL;

    if (program && nvrtc.log_size(program, &size) == 0 && (log = memory_zeroed(size + 1, 1)))
        nvrtc.log(program, log);
    return log;
}

/* Adds up the lines "N bytes stack frame, N bytes spill stores, N bytes spill loads". */
static void read_spills(NvrtcProgram program, Spills *spills)
{
    static const char mark[] = "bytes stack frame, ";
    char *log = read_log(program);

    *spills = (Spills){ -1, -1 };
    for (const char *at = log; at && (at = strstr(at, mark)); at += sizeof mark) {
        long long stores, loads;
        if (sscanf(at + sizeof mark - 1, "%lld bytes spill stores, %lld bytes spill loads", &stores,
                   &loads) != 2)
            continue;
        spills->stores = stores + (spills->stores > 0 ? spills->stores : 0);
        spills->loads = loads + (spills->loads > 0 ? spills->loads : 0);
    }
    memory_free(log);
}

enum { NVRTC_OUT_OF_MEMORY = 1, NVRTC_COMPILATION = 6 };

/* A failure not due to the text. */
static kjit_status call_failure(const char *call, int result)
{
    if (result == NVRTC_OUT_OF_MEMORY)
        return error_set(KJIT_MEMORY, "error: out of memory in NVRTC (%s)", call);
    return error_set(KJIT_INTERNAL, "error: NVRTC %d.%d does not compile: %s failed (error %d)",
                     nvrtc.major, nvrtc.minor, call, result);
}

/* Errors in the text: a bug of kjit, or of an edited text. */
static kjit_status compile_failure(NvrtcProgram program, const BuildRequest *request, int result)
{
    if (result != NVRTC_COMPILATION)
        return call_failure("nvrtcCompileProgram", result);
    char *log = read_log(program);
    if (request->edited || request->foreign) {
        char version[32];
        snprintf(version, sizeof version, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
        kjit_status wrong =
            (request->edited ? edited_failure : linked_failure)(request, version, log ? log : "");
        memory_free(log);
        return wrong;
    }
    kjit_status status = error_set(KJIT_INTERNAL,
                                   "error: this is a bug in kjit: the CUDA C it made for %s does "
                                   "not compile with NVRTC %d.%d\n%s",
                                   request->call ? request->call : request->entry, nvrtc.major,
                                   nvrtc.minor, log ? log : "");
    memory_free(log);
    return status;
}

static kjit_status fetch(NvrtcProgram program, NvrtcOutput output, char **image, size_t *length)
{
    bool ptx = output == NVRTC_PTX;
    int result = ptx ? nvrtc.ptx_size(program, length) : nvrtc.cubin_size(program, length);

    if (result != 0)
        return call_failure(ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize", result);
    if (!*length)
        return error_set(KJIT_INTERNAL, "error: NVRTC %d.%d gave no code", nvrtc.major,
                         nvrtc.minor);
    *image = memory_zeroed(*length + 1, 1);
    if (!*image)
        return error_memory();
    result = ptx ? nvrtc.ptx(program, *image) : nvrtc.cubin(program, *image);
    if (result == 0)
        return KJIT_OK;
    memory_free(*image);
    *image = NULL;
    return call_failure(ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", result);
}

/* Whether the text compiles with the first `extra` of the user's options. */
static bool compiles_with(const BuildRequest *request, NvrtcOptions options, int extra)
{
    NvrtcProgram program = NULL;

    options.count -= request->extra_count - extra;
    bool fine = nvrtc.create(&program, request->text, "kernel.cu", 0, NULL, NULL) == 0 &&
                nvrtc.compile(program, options.count, options.list) == 0;
    if (program)
        nvrtc.destroy(&program);
    return fine;
}

/* Finds an option of the user's that NVRTC rejects: the one after the longest prefix that compiles.
** Shorter prefixes may fail, as an option may be two words. */
static kjit_status wrong_option(const BuildRequest *request, const NvrtcOptions *options,
                                bool *blamed)
{
    int fine = request->extra_count - 1;

    while (fine > 0 && !compiles_with(request, *options, fine))
        fine--;
    *blamed = fine > 0 || (request->extra_count && compiles_with(request, *options, 0));
    if (!*blamed)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: NVRTC %d.%d does not compile %s with the compiler option '%s'\n"
                     "note: leave it out, or look it up in NVRTC's manual",
                     nvrtc.major, nvrtc.minor, request->call ? request->call : request->entry,
                     request->extra[fine]);
}

/* The message for a failed compilation. */
static kjit_status explain(NvrtcProgram program, const BuildRequest *request,
                           const NvrtcOptions *options, int result)
{
    bool blamed = false;
    kjit_status status = KJIT_OK;

    if (result != NVRTC_OUT_OF_MEMORY && request->extra_count)
        status = wrong_option(request, options, &blamed);
    return blamed ? status : compile_failure(program, request, result);
}

/* One run of the compiler. `ptx`, unless NULL, is what the image was made of. */
static kjit_status compile_once(const BuildRequest *request, const NvrtcOptions *options,
                                NvrtcOutput output, char **image, size_t *length, Spills *spills,
                                char **ptx)
{
    NvrtcProgram program = NULL;
    size_t ptx_length;
    int result = nvrtc.create(&program, request->text, "kernel.cu", 0, NULL, NULL);
    kjit_status status = result == 0 ? KJIT_OK : call_failure("nvrtcCreateProgram", result);

    if (status == KJIT_OK) {
        result = nvrtc.compile(program, options->count, options->list);
        status = result == 0 ? fetch(program, output, image, length)
                             : explain(program, request, options, result);
    }
    if (status == KJIT_OK && ptx)
        status = fetch(program, NVRTC_PTX, ptx, &ptx_length);
    if (status == KJIT_OK && spills)
        read_spills(program, spills);
    if (program)
        nvrtc.destroy(&program);
    return status;
}

static void drop(char **image)
{
    memory_free(*image);
    *image = NULL;
}

/* Compiles to machine code, and without the assembler's optimisations if with them it is, or may
** be, wrong (cubin.c, negatives.c). */
static kjit_status compile_right(const BuildRequest *request, NvrtcOptions *options, int arch,
                                 char **image, size_t *length, Spills *spills)
{
    char *ptx = NULL;
    bool forgets = false;
    kjit_status status = compile_once(request, options, NVRTC_CUBIN, image, length, spills, &ptx);

    if (status == KJIT_OK)
        status = ptx_forgets_signs(ptx, arch, &forgets);
    memory_free(ptx);
    if (status != KJIT_OK || (!forgets && !cubin_mistakes_clamps(*image, *length, arch)))
        return status;
    drop(image);
    push(options, "--ptxas-options=-O0");
    push(options, UNOPTIMISED);
    KJIT_TRY(compile_once(request, options, NVRTC_CUBIN, image, length, spills, NULL));
    if (!cubin_mistakes_clamps(*image, *length, arch))
        return KJIT_OK;
    return error_set(
        KJIT_INTERNAL,
        "error: NVRTC %d.%d makes wrong code of max(min(a, b), 0) where the minimum is "
        "compared with a or b, in %s\n"
        "note: another NVRTC may not: KJIT_NVRTC says which is used; or compare a with "
        "b instead",
        nvrtc.major, nvrtc.minor, request->call ? request->call : request->entry);
}

kjit_status nvrtc_compile(const BuildRequest *request, const char *arch, NvrtcOutput output,
                          bool fallback, char **image, size_t *length, Spills *spills)
{
    NvrtcOptions *options = NULL;

    *image = NULL;
    KJIT_TRY(need_nvrtc());
    options = memory_zeroed(1, sizeof *options);
    if (!options)
        return error_memory();
    kjit_status status = choose_arch(request->text, arch, fallback, &output, options);
    if (status == KJIT_OK) {
        fill_options(request, options);
        status = output == NVRTC_PTX
                     ? compile_once(request, options, output, image, length, spills, NULL)
                     : compile_right(request, options, atoi(arch + 3), image, length, spills);
    }
    if (status != KJIT_OK)
        drop(image);
    memory_free(options);
    return status;
}
