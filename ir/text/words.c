/* The words that printing and reading share. */
#include "ir/text/parts.h"

const TextFlag text_option_flags[] = {
    { "fastmath", offsetof(IrOptions, fastmath) },
    { "debug", offsetof(IrOptions, debug) },
    { "lineinfo", offsetof(IrOptions, lineinfo) },
    { "nep50", offsetof(IrOptions, nep50) },
    { "deterministic", offsetof(IrOptions, deterministic) },
    { "unfused", offsetof(IrOptions, unfused) },
    { "reassociate", offsetof(IrOptions, reassociate) },
    { "inline", offsetof(IrOptions, inline_always) },
    { NULL, 0 },
};

const TextFlag text_function_flags[] = {
    { "recursive", offsetof(IrFunc, recursive) },
    { "stays", offsetof(IrFunc, stays) },
    { "ends", offsetof(IrFunc, ends) },
    { NULL, 0 },
};

const TextFlag text_var_flags[] = {
    { "restricted", offsetof(IrVar, restricted) },
    { "exact", offsetof(IrVar, exact) },
    { "runs_on", offsetof(IrVar, runs_on) },
    { NULL, 0 },
};

const TextNumbers text_option_numbers[] = {
    { "launch_bounds", offsetof(IrOptions, launch_threads), 3, 0 },
    { "max_registers", offsetof(IrOptions, max_registers), 1, 0 },
    { "carveout", offsetof(IrOptions, carveout), 1, -1 },
    { "opt", offsetof(IrOptions, opt), 1, 3 },
    { NULL, 0, 0, 0 },
};

const char *const text_combines[] = {
    [COMBINE_NONE] = NULL, [COMBINE_SUM] = "sum", [COMBINE_MAX] = "max", [COMBINE_MIN] = "min",
    [COMBINE_AND] = "and", [COMBINE_OR] = "or",   [COMBINE_XOR] = "xor",
};

const char *const text_kinds[] = {
    [VAR_LOCAL] = "local",     [VAR_PARAM] = NULL,
    [VAR_SHARED] = "shared",   [VAR_SHARED_DYNAMIC] = "dynamic",
    [VAR_PRIVATE] = "private", [VAR_CONSTANT] = "constant",
};

/* The words of lex.re that begin a statement, a value or a declaration; the others may be
** names where the grammar does not expect them. */
static const char *const reserved[] = {
    "break",  "call",   "constant", "continue", "dynamic", "else",  "eval",  "false",
    "fault",  "for",    "if",       "inf",      "local",   "nan",   "print", "private",
    "return", "shared", "stop",     "store",    "true",    "while",
};

bool text_is_reserved(const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(reserved); i++)
        if (strlen(reserved[i]) == length && memcmp(reserved[i], name, length) == 0)
            return true;
    return false;
}
