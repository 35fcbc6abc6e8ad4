/* What kjit finds on this machine, and what to do about what it does not. */
#include "runtime/capture/capture.h"
#include "runtime/cpu/cc.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvrtc.h"

#include <dlfcn.h>
#include <sys/stat.h>

/* Where findings go. */
typedef struct Listener {
    void (*each)(void *context, const kjit_finding *finding);
    void *context;
} Listener;

static void tell(const Listener *to, const char *what, bool found, const char *detail,
                 const char *advice)
{
    kjit_finding finding = {
        .what = what, .found = found, .detail = detail, .advice = found ? NULL : advice
    };

    to->each(to->context, &finding);
}

static void find_driver(const Listener *to)
{
    const Driver *driver = driver_get();
    char detail[600];

    if (driver->why_not[0])
        snprintf(detail, sizeof detail, "%s", driver->why_not);
    else
        snprintf(detail, sizeof detail, "for CUDA %d.%d, %d GPU%s", driver->version / 1000,
                 driver->version % 1000 / 10, driver->device_count,
                 driver->device_count == 1 ? "" : "s");
    tell(to, "CUDA driver", !driver->why_not[0], detail,
         getenv("KJIT_DRIVER") ? "to run on a GPU, unset KJIT_DRIVER, or set it to the path of "
                                 "libcuda.so.1; without a driver kernels run on the processor"
                               : "to run on a GPU, install NVIDIA's driver for CUDA 12.0 or newer, "
                                 "or set KJIT_DRIVER to the path of its libcuda.so.1; without it "
                                 "kernels run on the processor");
}

static void find_gpu(const Listener *to, const Driver *driver, int ordinal)
{
    char what[32], name[200] = "unknown", detail[300];
    CuDevice device;
    int major = 0, minor = 0, units = 0;
    size_t bytes = 0;

    snprintf(what, sizeof what, "cuda:%d", ordinal);
    bool found = driver->device_get(&device, ordinal) == CU_OK;
    if (found) {
        driver->device_name(name, sizeof name, device);
        driver->device_attribute(&major, CU_MAJOR, device);
        driver->device_attribute(&minor, CU_MINOR, device);
        driver->device_attribute(&units, CU_MULTIPROCESSORS, device);
        driver->device_memory(&bytes, device);
    }
    snprintf(detail, sizeof detail, "%s, sm_%d%d, %d multiprocessors, %.0f GiB", name, major, minor,
             units, (double)bytes / (1 << 30));
    tell(to, what, found, detail, "the driver lists it but does not open it: see nvidia-smi");
}

static kjit_status describe_nvrtc(char *text, size_t size)
{
    int major, minor;

    KJIT_TRY(nvrtc_version(&major, &minor));
    const char *path = nvrtc_path();
    snprintf(text, size, "%d.%d, %s", major, minor, *path ? path : "on the loader's path");
    return KJIT_OK;
}

static void describe_cc(CC *cc, char *text, size_t size)
{
    char *version = cc_version(cc);

    snprintf(text, size, "%s, %.200s", cc->path, version ? version : "");
    memory_free(version);
}

static void find_nvrtc(const Listener *to)
{
    char detail[CACHE_PATH_MAX + 64];

    if (describe_nvrtc(detail, sizeof detail) == KJIT_OK) {
        tell(to, "NVRTC", true, detail, NULL);
        return;
    }
    const char *named = getenv("KJIT_NVRTC");
    snprintf(detail, sizeof detail, "not found or not usable%s%.*s",
             named && *named ? "; KJIT_NVRTC names " : "", CACHE_PATH_MAX, named ? named : "");
    tell(
        to, "NVRTC", false, detail,
        "to compile for GPUs, install the CUDA toolkit, or 'pip install nvidia-cuda-nvrtc', or set "
        "KJIT_NVRTC to the path of libnvrtc.so");
}

static void tell_threads(const Listener *to)
{
    const char *setting = getenv("OMP_NUM_THREADS");
    int count = cpu_threads();
    char detail[128];

    snprintf(detail, sizeof detail, "blocks run on %d thread%s at a time%s", count,
             count == 1 ? "" : "s",
             setting && atoi(setting) > 0 ? ", as OMP_NUM_THREADS says" : "");
    tell(to, "threads", true, detail, NULL);
}

static void tell_vectors(const Listener *to, bool found)
{
    tell(to, "vector math", found,
         found ? "math.exp and the like are vectors"
               : "math.exp and the like are the C library's, one number at a time",
         "they are vectors on processors with fused multiply-add (x86-64-v3)");
}

/* What the compiler can do is tried, not believed. */
static void find_compiler(const Listener *to)
{
    CC cc;
    char detail[CACHE_PATH_MAX + 256], path[CACHE_PATH_MAX];
    Scratch scratch;

    cc_find(&cc);
    bool temporary = scratch_open(&scratch, NULL);
    scratch_path(&scratch, "kernel.so", path);
    bool works = temporary && cc_works(&cc, path);
    if (cc.too_long)
        snprintf(detail, sizeof detail, "KJIT_CC has more than %d words or %d bytes", CC_WORDS_MAX,
                 (int)sizeof cc.text - 1);
    else if (!cc.path[0])
        snprintf(detail, sizeof detail, "there is no %.200s%s", cc.count ? cc.words[0] : "cc",
                 cc.named ? ", which KJIT_CC names" : "");
    else if (temporary && !works)
        snprintf(detail, sizeof detail, "%s compiles nothing%s", cc.path,
                 cc.named ? "; KJIT_CC names it" : "");
    else
        describe_cc(&cc, detail, sizeof detail);
    tell(to, "C compiler", cc.path[0] && (works || !temporary), detail,
         "to run on the processor, install gcc or clang, or set KJIT_CC to a C compiler");
    if (works) {
        tell_threads(to);
        tell_vectors(to, cc_has_fma(&cc, path));
    }
    scratch_close(&scratch);
}

kjit_status kjit_compiler(int for_gpu, char *text, size_t size)
{
    CC cc;

    if (!text)
        return error_set(KJIT_ARGUMENT, "error: there is no place for the text: it is NULL");
    if (for_gpu)
        return describe_nvrtc(text, size);
    cc_find(&cc);
    if (!cc.path[0])
        return cc_missing(&cc);
    describe_cc(&cc, text, size);
    return KJIT_OK;
}

typedef struct Tally {
    uint64_t entries, bytes;
} Tally;

static void count_entry(void *context, const kjit_cache_entry *entry)
{
    Tally *tally = context;

    tally->entries++;
    tally->bytes += entry->bytes;
}

static void find_cache(const Listener *to)
{
    Cache cache;
    Tally tally = { 0 };
    char detail[CACHE_PATH_MAX + 512];

    cache_open(&cache, false);
    if (cache.folder >= 0)
        kjit_cache_list(count_entry, &tally);
    if (cache.problem[0])
        snprintf(detail, sizeof detail, "%s%s%s", cache.directory, *cache.directory ? ": " : "",
                 cache.problem);
    else
        snprintf(detail, sizeof detail, "%s, %llu kernels, %.1f of %.0f MiB", cache.directory,
                 (unsigned long long)tally.entries, (double)tally.bytes / (1 << 20),
                 (double)cache.limit / (1 << 20));
    bool named = strncmp(cache.problem, "KJIT_CACHE_SIZE", 15) == 0;
    tell(to, "disk cache", !cache.problem[0], detail,
         !named ? "every process compiles its kernels anew; set KJIT_CACHE to a folder that "
                  "only you can write"
                : "every process compiles its kernels anew; unset KJIT_CACHE_SIZE, or give it "
                  "a size: 500M, 2G");
    cache_close(&cache);
}

/* The folder of captured launches, if one is named. */
static void find_captures(const Listener *to)
{
    const char *named = getenv("KJIT_CAPTURE");
    char detail[CACHE_PATH_MAX + 128];
    Capture *capture;

    if (!named || !*named)
        return;
    bool found = capture_open(&capture) == KJIT_OK;
    if (found)
        capture_summary(capture, detail, sizeof detail);
    else
        snprintf(detail, sizeof detail, "%.*s", (int)strcspn(kjit_error_message(), "\n"),
                 kjit_error_message());
    tell(to, "captures", found, detail,
         "kjit_open() refuses: set KJIT_CAPTURE to a folder that you can write, and "
         "KJIT_CAPTURE_SIZE to a size (500M), or unset them");
    capture_close(capture);
}

/* The folders of imports, if any are named: each is there, or named as missing. */
static void find_folders(const Listener *to)
{
    const char *list = getenv("KJIT_PATH");

    while (list && *list) {
        struct stat info;
        char folder[CACHE_PATH_MAX];
        size_t length = strcspn(list, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        bool found = stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
        if (length)
            tell(to, "imports", found, folder,
                 "KJIT_PATH names it, and it is no folder: imports are not found there");
        list += length + (list[length] == ':');
    }
}

/* Which passes optimise, if the environment says. */
static void find_passes(const Listener *to)
{
    const char *text = getenv("KJIT_PASSES");
    char detail[128], advice[PASS_NAMES + 128], names[PASS_NAMES];
    IrPassSet set = { 0, 0 };

    if (!text || !*text)
        return;
    const char *wrong = ir_read_passes(text, &set);
    if (wrong)
        snprintf(detail, sizeof detail, "KJIT_PASSES names '%.*s', which is no pass",
                 (int)strcspn(wrong, ",") < 40 ? (int)strcspn(wrong, ",") : 40, wrong);
    else
        snprintf(detail, sizeof detail, "as KJIT_PASSES says: %.80s", text);
    ir_pass_names(names);
    snprintf(advice, sizeof advice,
             "no module is loaded: unset it, or name some of %s; or all, or none", names);
    tell(to, "passes", !wrong, detail, advice);
}

static void find_disassembler(const Listener *to)
{
    char path[CACHE_PATH_MAX];
    bool found = disassembler_find(path);

    tell(to, "disassembler", found, found ? path : "neither cuobjdump nor nvdisasm",
         "only for --emit sass: put the CUDA toolkit's bin folder on PATH, or pip install "
         "nvidia-cuda-nvdisasm");
}

/* What is loaded when an option or a file asks for it. It stays loaded: what cairo's libraries have
** allocated they cannot let go. */
static void find_libraries(const Listener *to)
{
    static const struct {
        const char *what, *names[2], *advice;
    } wanted[] = {
        { "pictures", { "libcairo.so.2" }, "only for --plot: Debian's package libcairo2 has it" },
        { ".npz files",
          { "libzip.so.5", "libzip.so.4" },
          "only for arrays in such files: Debian's package libzip4 or libzip5 has it" },
        { ".png files",
          { "libpng16.so.16" },
          "only for images in such files: Debian's package libpng16-16 has it" },
    };

    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
        const char *const *name = wanted[i].names;
        void *library = dlopen(name[0], RTLD_LAZY | RTLD_LOCAL);
        if (!library && name[1])
            library = dlopen(*++name, RTLD_LAZY | RTLD_LOCAL);
        char detail[64];
        snprintf(detail, sizeof detail, library ? "%s" : "there is no %s", *name);
        tell(to, wanted[i].what, library, detail, wanted[i].advice);
    }
}

static void find_movies(const Listener *to)
{
    char path[CACHE_PATH_MAX];
    bool found = spawn_find("ffmpeg", path, sizeof path);

    tell(to, "movies", found, found ? path : "there is no ffmpeg",
         "only for --plot NAME=FILE.gif and .mp4: Debian's package ffmpeg has it");
}

kjit_status kjit_doctor(void (*each)(void *context, const kjit_finding *finding), void *context)
{
    Listener to = { each, context };
    const Driver *driver = driver_get();

    find_driver(&to);
    for (int i = 0; !driver->why_not[0] && i < driver->device_count; i++)
        find_gpu(&to, driver, i);
    find_nvrtc(&to);
    find_disassembler(&to);
    find_compiler(&to);
    find_libraries(&to);
    find_movies(&to);
    find_cache(&to);
    find_captures(&to);
    find_passes(&to);
    find_folders(&to);
    return KJIT_OK;
}
