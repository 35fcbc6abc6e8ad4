/* What the measuring child does beside the start of a GPU, which takes tenths of a second: it looks
** for compilers, and draws the arguments. */
#ifndef KJIT_CLI_TUNE_START_H
#define KJIT_CLI_TUNE_START_H

#include "cli/tune/tune.h"

typedef struct Start Start;

/* Begins, on threads of its own. `command` stays as it is until start_free(). */
Start *start_new(const TuneCommand *command);
/* Waits. NULL is harmless. Afterwards the values are gone. */
void start_free(Start *start);
/* The values of the kernel's parameters, which are still the start's; NULL if they could not be had
** without a complaint: they are to be made anew, to hear it. Waits for them. */
kjit_values *start_values(Start *start);
/* What there is to know of a compiler, "NVRTC" or "C compiler", the caller's; NULL: it is not
** there. Waits for that, but for no others. */
json_t *start_compiler(Start *start, const char *name);

#endif
