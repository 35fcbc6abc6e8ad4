/* The processor's threads, caches and clock, from Linux. */
#include "runtime/runtime.h"

#include <sched.h>

int cpu_threads(void)
{
    const char *setting = getenv("OMP_NUM_THREADS");
    int wanted = setting ? atoi(setting) : 0;
    cpu_set_t allowed;

    if (wanted > 0)
        return wanted;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

/* The first line of a file under /sys/devices/system/cpu; false if there is none. */
static bool read_line(const char *file, char *line, size_t room)
{
    char path[160];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/%s", file);
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    bool found = fgets(line, (int)room, stream) != NULL;
    fclose(stream);
    return found;
}

/* "48K", "32768K" and so on; 0 if malformed. */
static int64_t parse_size(const char *text)
{
    char *end;
    long long size = strtoll(text, &end, 10);

    if (size <= 0 || size > (1ll << 40))
        return 0;
    return size << (*end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0);
}

/* The lowest thread of a list like "0-3,8-11" that the process may use; -1: none. */
static int lowest_allowed(const char *list, const cpu_set_t *allowed)
{
    for (const char *at = list; *at >= '0' && *at <= '9';) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++) {
            if (CPU_ISSET((int)cpu, allowed))
                return (int)cpu;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return -1;
}

/* The size of a data cache, if `cpu` is the first of the threads that share it; else 0. */
static int64_t own_cache(int cpu, int index, const cpu_set_t *allowed, bool *found)
{
    char file[64], kind[32], size[32], sharers[512];

    snprintf(file, sizeof file, "cpu%d/cache/index%d/type", cpu, index);
    *found = read_line(file, kind, sizeof kind);
    if (!*found || !strncmp(kind, "Instruction", strlen("Instruction")))
        return 0;
    snprintf(file, sizeof file, "cpu%d/cache/index%d/size", cpu, index);
    if (!read_line(file, size, sizeof size))
        return 0;
    snprintf(file, sizeof file, "cpu%d/cache/index%d/shared_cpu_list", cpu, index);
    if (!read_line(file, sharers, sizeof sharers) || lowest_allowed(sharers, allowed) != cpu)
        return 0;
    return parse_size(size);
}

/* The total bytes of data caches that the process can use; -1 if unknown. */
static int64_t cache_bytes(void)
{
    cpu_set_t allowed;
    int64_t sum = 0;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        bool found = CPU_ISSET(cpu, &allowed);
        for (int index = 0; found; index++)
            sum += own_cache(cpu, index, &allowed, &found);
    }
    return sum ? sum : -1;
}

static int64_t highest_clock(void)
{
    char line[64];

    if (!read_line("cpu0/cpufreq/cpuinfo_max_freq", line, sizeof line) || atoll(line) <= 0)
        return -1;
    return atoll(line);
}

void cpu_facts(Device *device, kjit_device_info *info)
{
    snprintf(info->arch, sizeof info->arch, "x86-64");
    info->processors = device->limits.workers;
    info->warp = 32; /* warp operations work on groups of 32 */
    info->l2_bytes = cache_bytes();
    info->clock_khz = highest_clock();
}

void cpu_sensors(Device *device, kjit_sensors *sensors)
{
    char line[64];

    (void)device;
    if (read_line("cpu0/cpufreq/scaling_cur_freq", line, sizeof line) && atoll(line) > 0)
        sensors->clock_mhz = (int)(atoll(line) / 1000);
}

void processor_model(char *model, size_t size)
{
    uint32_t parts[13] = { 0 };

    __builtin_cpu_init();
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t *at = parts + 4 * i;
        __asm__("cpuid"
                : "=a"(at[0]), "=b"(at[1]), "=c"(at[2]), "=d"(at[3])
                : "a"(0x80000002u + i), "c"(0));
    }
    const char *text = (const char *)parts;
    snprintf(model, size, "%s", text + strspn(text, " "));
    for (size_t end = strlen(model); end && model[end - 1] == ' ';)
        model[--end] = '\0';
}
