/* What a debug kernel leaves of an assertion that failed, as an error. */
#include "runtime/launch/launching.h"

void fault_print(char *out, size_t size, const char *message, const int64_t *integers,
                 const double *floats)
{
    size_t used = 0;
    int value = 0;

    for (const char *at = message; *at && used + 32 < size; at++) {
        if (*at != '%') {
            out[used++] = *at;
            continue;
        }
        const char mark = *++at;
        if (mark == 'd')
            used += (size_t)sprintf(out + used, "%lld", (long long)integers[value++]);
        else if (mark == 'u')
            used += (size_t)sprintf(out + used, "%llu", (unsigned long long)integers[value++]);
        else if (mark == 'b')
            used += (size_t)sprintf(out + used, "%s", integers[value++] ? "True" : "False");
        else if (mark == 'g')
            used += (size_t)sprintf(out + used, "%g", floats[value++]);
        else
            out[used++] = '%';
    }
    out[used] = 0;
}

/* Makes an error of what a debug kernel left. */
static kjit_status report_fault(const Specialisation *spec, const KjitFault *fault)
{
    if (!fault->code)
        return KJIT_OK;
    if (fault->code > (uint32_t)spec->fault_count)
        return error_set(KJIT_INTERNAL, "error: %s reported the unknown fault %u", spec->call,
                         fault->code);
    const FaultPlace *place = &spec->faults[fault->code - 1];
    char where[512] = "";
    if (place->file)
        snprintf(where, sizeof where, "%.400s:%u:%u: ", place->file, place->place.line,
                 place->place.column);
    char message[1024];
    fault_print(message, sizeof message, place->message, fault->integers, fault->floats);
    return error_set(KJIT_FAULT, "%s%s (block (%u, %u, %u), thread (%u, %u, %u))", where, message,
                     fault->block[0], fault->block[1], fault->block[2], fault->thread[0],
                     fault->thread[1], fault->thread[2]);
}

kjit_status launch_check_fault(Device *device, const Specialisation *spec, Pack *pack)
{
    KjitFault fault;

    if (!pack->fault.memory)
        return KJIT_OK;
    KJIT_TRY(pack_fault(pack, device, &fault));
    return report_fault(spec, &fault);
}
