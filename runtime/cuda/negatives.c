/* Detects in PTX what ptxas miscompiles.
**
** For sm_90, sm_100 and sm_103, ptxas 13.0 makes two min.s32, or two max.s32, of three numbers one
** VIMNMX3, and forgets the sign of an operand that is a negative:
**
**     neg.s32 %r3, %r2;
**     min.s32 %r4, %r1, %r3;
**     min.s32 %r5, %r4, %r6;
**
** Machine code does not show that, so it is found in the PTX: two of a kind, one of whose operands
** is the other, where either has a negative for an operand. codegen/emit/cuda/least.c avoids
** negatives that ptxas recognises, but NVVM, in front of it, makes some, as of ~x + 1 and
** x - (x + y). */
#include "runtime/cuda/nvrtc.h"

enum { STATEMENT_MAX = 64 };

/* Where a function declares its registers of 32 bits, before its statements. */
static const char REGISTERS[] = ".reg .b32 \t%r<";

/* What is known of a register: it is a negative; a minimum or maximum one of whose operands is one;
** a minimum; a maximum. */
enum { NEGATIVE = 1, OF_NEGATIVE = 2, LEAST = 4, GREATEST = 8 };

typedef struct Registers {
    unsigned char *known; /* of %r0, %r1, ... of a function */
    long count;
} Registers;

static unsigned known_of(const Registers *registers, long number)
{
    return number >= 0 && number < registers->count ? registers->known[number] : 0;
}

/* Registers that stand for variables are set in several places: what is known of any counts. */
static void learn(Registers *registers, long number, unsigned known)
{
    if (number >= 0 && number < registers->count)
        registers->known[number] |= (unsigned char)known;
}

/* Notes a minimum or maximum. Whether it is the second of two, and one of them is of a negative. */
static bool note_extreme(Registers *registers, const long numbers[3], unsigned kind)
{
    unsigned operands = known_of(registers, numbers[1]) | known_of(registers, numbers[2]);

    learn(registers, numbers[0], kind | (operands & NEGATIVE ? OF_NEGATIVE : 0));
    return (operands & kind) && (operands & (NEGATIVE | OF_NEGATIVE));
}

/* Whether a statement completes what is miscompiled. */
static bool note_statement(Registers *registers, const char *text)
{
    long numbers[3] = { -1, -1, -1 };

    if (sscanf(text, "min.s32 %%r%ld, %%r%ld, %%r%ld", &numbers[0], &numbers[1], &numbers[2]) >= 2)
        return note_extreme(registers, numbers, LEAST);
    if (sscanf(text, "max.s32 %%r%ld, %%r%ld, %%r%ld", &numbers[0], &numbers[1], &numbers[2]) >= 2)
        return note_extreme(registers, numbers, GREATEST);
    if (sscanf(text, "neg.s32 %%r%ld", &numbers[0]) == 1 ||
        sscanf(text, "sub.s32 %%r%ld, 0, %%r%ld", &numbers[0], &numbers[1]) == 2)
        learn(registers, numbers[0], NEGATIVE);
    else if (sscanf(text, "mov.%*1[bsu]32 %%r%ld, %%r%ld", &numbers[0], &numbers[1]) == 2)
        learn(registers, numbers[0], known_of(registers, numbers[1]));
    return false;
}

/* Copies the next statement, as far as it has room, and returns what is behind it, or NULL. */
static const char *next_statement(const char *at, char statement[STATEMENT_MAX])
{
    at += strspn(at, " \t\n{};");
    size_t length = strcspn(at, "\n{};");

    snprintf(statement, STATEMENT_MAX, "%.*s",
             (int)(length < STATEMENT_MAX ? length : STATEMENT_MAX), at);
    return length ? at + length : NULL;
}

/* The most registers of 32 bits that a function has. */
static long most_registers(const char *ptx)
{
    long most = 0;

    for (const char *at = ptx; (at = strstr(at, "%r<")); at++) {
        long count = strtol(at + 3, NULL, 10);
        if (count > most)
            most = count;
    }
    return most;
}

/* Whether a function from `at` up to `end` has what is miscompiled. It is gone through twice: what
** the end of a loop sets, its beginning reads. */
static bool function_forgets(Registers *registers, const char *at, const char *end)
{
    char statement[STATEMENT_MAX];
    bool forgets = false;

    memset(registers->known, 0, (size_t)registers->count);
    for (int time = 0; time < 2; time++)
        for (const char *next = at;
             !forgets && (next = next_statement(next, statement)) && next <= end;)
            forgets = note_statement(registers, statement);
    return forgets;
}

kjit_status ptx_forgets_signs(const char *ptx, int arch, bool *forgets)
{
    Registers registers = { .count = most_registers(ptx) };

    *forgets = false;
    if (arch < 90 || arch >= 110 || !strstr(ptx, ".s32") || !registers.count)
        return KJIT_OK;
    registers.known = memory_zeroed((size_t)registers.count, 1);
    if (!registers.known)
        return error_memory();
    for (const char *at = strstr(ptx, REGISTERS); at && !*forgets;) {
        const char *next = strstr(at + 1, REGISTERS);
        *forgets = function_forgets(&registers, at, next ? next : ptx + strlen(ptx));
        at = next;
    }
    memory_free(registers.known);
    return KJIT_OK;
}
