/* The pretended NVRTC: "machine code" is a head that says what a compiler would find out, and the
** text. */
#include "tests/fake/fake.h"
#include "tests/fake/params.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct NvrtcProgramData {
    uint32_t magic;
    char *text, *code;
    bool ptx; /* there is no machine code */
    char log[256];
} * NvrtcProgram;

#define NVRTC(name, symbol, params) EXPORT int rtc_##name params __asm__(symbol);
#include "runtime/cuda/nvrtc_api.def"

typedef enum Call {
#define NVRTC(name, symbol, params) CALL_##name,
#include "runtime/cuda/nvrtc_api.def"
    CALLS
} Call;

enum {
    FAKE_OUT_OF_MEMORY = 1,
    FAKE_INVALID_INPUT = 3,
    FAKE_INVALID_PROGRAM = 4,
    FAKE_INVALID_OPTION = 5,
    FAKE_COMPILATION = 6,
    MAGIC = 0x6e767274
};

static const char *const symbols[CALLS] = {
#define NVRTC(name, symbol, params) symbol,
#include "runtime/cuda/nvrtc_api.def"
};

static _Atomic long calls[CALLS];
static _Atomic int programs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct Plan {
    int call; /* -1: any */
    long left;
    int code;
} plan;
static char failed[64];

static int call_named(const char *name)
{
    int call = 0;

    while (call < CALLS && strcmp(symbols[call], name) != 0)
        call++;
    return call;
}

static int begin(Call call)
{
    int result = 0;

    atomic_fetch_add_explicit(&calls[call], 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    if (plan.left > 0 && (plan.call < 0 || plan.call == (int)call) && --plan.left == 0) {
        result = plan.code;
        snprintf(failed, sizeof failed, "%s", symbols[call]);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static void demand(int call, long n, int code)
{
    pthread_mutex_lock(&lock);
    plan = (struct Plan){ call, n, code };
    failed[0] = '\0';
    pthread_mutex_unlock(&lock);
}

EXPORT void fake_nvrtc_fail(long n, int code)
{
    demand(-1, n, code);
}

EXPORT const char *fake_nvrtc_failed(void)
{
    return failed;
}

EXPORT long fake_nvrtc_calls(const char *name)
{
    int call = call_named(name);

    return call < CALLS ? atomic_load(&calls[call]) : 0;
}

EXPORT int fake_nvrtc_leaks(void)
{
    return atomic_load(&programs);
}

EXPORT void fake_nvrtc_forget(void)
{
    demand(-1, 0, 0);
    for (int call = 0; call < CALLS; call++)
        atomic_store(&calls[call], 0);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *fail = getenv("FAKE_NVRTC_FAIL");
    char name[64] = "";
    long n;
    int code;

    if (fail && sscanf(fail, "%ld:%d", &n, &code) == 2)
        demand(-1, n, code);
    else if (fail && sscanf(fail, "%63[A-Za-z0-9]:%ld:%d", name, &n, &code) == 3)
        demand(call_named(name), n, code);
}

/* ---- the functions -------------------------------------------------------------------- */

int rtc_version(int *major, int *minor)
{
    const char *setting = getenv("FAKE_NVRTC_VERSION");

    *major = 13;
    *minor = 0;
    if (setting)
        sscanf(setting, "%d.%d", major, minor);
    return begin(CALL_version);
}

static const int known_archs[] = { 75, 80, 86, 89, 90, 100, 120 };

int rtc_arch_count(int *count)
{
    *count = sizeof known_archs / sizeof *known_archs;
    return begin(CALL_arch_count);
}

int rtc_archs(int *archs)
{
    memcpy(archs, known_archs, sizeof known_archs);
    return begin(CALL_archs);
}

int rtc_create(NvrtcProgram *program, const char *text, const char *name, int headers,
               const char *const *header_texts, const char *const *header_names)
{
    int result = begin(CALL_create);

    if (result != 0 || !name || headers || header_texts || header_names)
        return result ? result : FAKE_INVALID_INPUT;
    NvrtcProgram made = calloc(1, sizeof *made);
    if (!made)
        return FAKE_OUT_OF_MEMORY;
    made->magic = MAGIC;
    made->text = strdup(text);
    atomic_fetch_add(&programs, 1);
    *program = made;
    return 0;
}

int rtc_destroy(NvrtcProgram *program)
{
    int result = begin(CALL_destroy);
    NvrtcProgram old = *program;

    if (!old || old->magic != MAGIC)
        return FAKE_INVALID_PROGRAM;
    old->magic = 0;
    free(old->text);
    free(old->code);
    free(old);
    atomic_fetch_sub(&programs, 1);
    *program = NULL;
    return result;
}

/* The head, which begins as machine code does, and behind it the text. */
static char *make_code(const char *arch, const char *text, const FakeEntry *entry)
{
    size_t size = strlen(text) + 1024 + 16 * (size_t)entry->count;
    char *code = malloc(size);
    int used = code ? snprintf(code, size, "\177ELF fake %s %s %d %d", arch, entry->name,
                               entry->bounds, entry->count)
                    : 0;

    for (int i = 0; code && i < entry->count; i++)
        used += snprintf(code + used, size - (size_t)used, " %zu", entry->sizes[i]);
    if (code)
        snprintf(code + used, size - (size_t)used, "\n%s", text);
    return code;
}

int rtc_compile(NvrtcProgram program, int count, const char *const *options)
{
    static const char arch_option[] = "--gpu-architecture=";
    const char *arch = NULL;
    FakeEntry entry;
    int result = begin(CALL_compile);

    if (result != 0) {
        snprintf(program->log, sizeof program->log, "kernel.cu(1): error: made up");
        return result;
    }
    for (int i = 0; i < count; i++) {
        if (options[i][0] != '-')
            return FAKE_INVALID_OPTION;
        if (strncmp(options[i], arch_option, strlen(arch_option)) == 0)
            arch = options[i] + strlen(arch_option);
    }
    const char *wrong = arch ? fake_read_entry(program->text, &entry) : "there is no architecture";
    if (wrong) {
        snprintf(program->log, sizeof program->log, "kernel.cu: %s", wrong);
        return FAKE_COMPILATION;
    }
    program->ptx = strncmp(arch, "sm_", 3) != 0;
    program->code = make_code(arch, program->text, &entry);
    return program->code ? 0 : FAKE_OUT_OF_MEMORY;
}

int rtc_log_size(NvrtcProgram program, size_t *size)
{
    *size = strlen(program->log) + 1;
    return begin(CALL_log_size);
}

int rtc_log(NvrtcProgram program, char *log)
{
    strcpy(log, program->log);
    return begin(CALL_log);
}

static int code_size(Call call, NvrtcProgram program, bool ptx, size_t *size)
{
    *size = program->code && (ptx || !program->ptx) ? strlen(program->code) + 1 : 0;
    return begin(call);
}

static int code_copy(Call call, NvrtcProgram program, bool ptx, char *code)
{
    int result = begin(call);

    if (result != 0 || !program->code || (program->ptx && !ptx))
        return result ? result : FAKE_INVALID_PROGRAM;
    strcpy(code, program->code);
    return 0;
}

int rtc_ptx_size(NvrtcProgram program, size_t *size)
{
    return code_size(CALL_ptx_size, program, true, size);
}

int rtc_ptx(NvrtcProgram program, char *ptx)
{
    return code_copy(CALL_ptx, program, true, ptx);
}

int rtc_cubin_size(NvrtcProgram program, size_t *size)
{
    return code_size(CALL_cubin_size, program, false, size);
}

int rtc_cubin(NvrtcProgram program, char *cubin)
{
    return code_copy(CALL_cubin, program, false, cubin);
}
