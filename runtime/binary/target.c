/* Names of targets of machine code, and whether it runs on a device.
**
** GPUs, by CUDA's documentation (NVCC, "GPU compilation"): a cubin runs on the compute capability
** it was made for and on later minor ones of the same major number; with the suffix 'a' on just
** that one, with 'f' on those of its family, which share the major number. PTX is compiled by the
** driver for the same or any later one; with 'a', for just that one, with 'f' in its family.
**
** Processors: the levels of the x86-64 psABI. */
#include "runtime/binary/binary.h"

static bool read_gpu(const char *digits, CodeTarget *target)
{
    enum { FIRST = 20, LAST = 199 }; /* the oldest that CUDA C was for; some that are to come */
    char *end;
    long number = *digits >= '1' && *digits <= '9' ? strtol(digits, &end, 10) : 0;

    if (number < FIRST || number > LAST)
        return false;
    target->number = (int)number;
    target->suffix = *end;
    return !*end || ((*end == 'a' || *end == 'f') && !end[1]);
}

static const char *const marches[] = { "native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4" };

static bool read_processor(const char *text, CodeTarget *target)
{
    target->level = 1;
    if (!*text)
        return true;
    for (size_t i = 0; *text == ':' && i < ARRAY_COUNT(marches); i++) {
        target->level = (int)i;
        if (strcmp(text + 1, marches[i]) == 0)
            return true;
    }
    return false;
}

bool target_read(const char *text, CodeTarget *target)
{
    *target = (CodeTarget){ .kind = TARGET_CUBIN };
    if (strncmp(text, "sm_", 3) == 0)
        return read_gpu(text + 3, target);
    target->kind = TARGET_PTX;
    if (strncmp(text, "compute_", 8) == 0)
        return read_gpu(text + 8, target);
    target->kind = TARGET_CPU;
    return strncmp(text, "cpu", 3) == 0 && read_processor(text + 3, target);
}

const char *target_march(const CodeTarget *target)
{
    return marches[target->level];
}

/* The psABI level of this processor. */
static int own_level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
        return 1;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return 2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return 3;
    return 4;
}

static int processor_fits(const BinaryImage *image, const CodeTarget *target, const Device *device)
{
    if (target->level == 0)
        return strcmp(image->machine, device->model) == 0 ? 5 : 0;
    return target->level <= own_level() ? target->level : 0;
}

/* Exact machine code ranks above that of an earlier minor version, and that above PTX; of each, the
** newest is best. */
static int gpu_fits(const CodeTarget *target, int own)
{
    enum { PTX = 1, CUBIN = 10000 };
    int number = target->number;
    bool fits = number == own;

    if (!target->suffix && target->kind == TARGET_PTX)
        fits = number <= own;
    else if (target->suffix != 'a')
        fits = number <= own && number / 10 == own / 10;
    if (!fits)
        return 0;
    return (target->kind == TARGET_PTX ? PTX : CUBIN) + 2 * number + (target->suffix != '\0');
}

int target_fits(const BinaryImage *image, const Device *device)
{
    CodeTarget target, own;

    if (!target_read(image->target, &target) || device->ops->dialect == DIALECT_CHECK)
        return 0;
    if (device->ops->dialect == DIALECT_C)
        return target.kind == TARGET_CPU ? processor_fits(image, &target, device) : 0;
    if (target.kind == TARGET_CPU || !target_read(device->arch, &own))
        return 0;
    return gpu_fits(&target, own.number);
}
