/* Whether the machine has so much memory. */
#include "runtime/runtime.h"

#include <sys/sysinfo.h>

/* "7.3 TiB" */
static void print_bytes(uint64_t bytes, char *out, size_t size)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1024 && unit + 1 < ARRAY_COUNT(units)) {
        value /= 1024;
        unit++;
    }
    snprintf(out, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

kjit_status memory_no_room(const char *path, uint64_t bytes)
{
    const char *quote = path ? "'" : "";
    struct sysinfo machine;
    char wanted[32], there[32] = "";

    print_bytes(bytes, wanted, sizeof wanted);
    if (sysinfo(&machine) == 0)
        print_bytes((uint64_t)machine.totalram * machine.mem_unit, there, sizeof there);
    return error_set(KJIT_MEMORY, "error: %s%s%s needs %s of memory%s%s", quote,
                     path ? path : "this", quote, wanted, *there ? ", and the machine has " : "",
                     there);
}

/* Whether the machine has that much memory at all: the system may overcommit. */
static bool plausible(uint64_t bytes)
{
    struct sysinfo machine;

    if (bytes > SIZE_MAX / 2)
        return false;
    return sysinfo(&machine) != 0 ||
           bytes / machine.mem_unit <= (uint64_t)machine.totalram + machine.totalswap;
}

kjit_status memory_room(const char *path, uint64_t bytes)
{
    return plausible(bytes) ? KJIT_OK : memory_no_room(path, bytes);
}
