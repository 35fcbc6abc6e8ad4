/* What the measuring child does in parallel to the start of a GPU, which takes tenths of a second:
** loading NVRTC, and computing the arguments. */
#pragma once

#include "cli/tune/tune.h"

typedef struct Startup Startup;

/* Begins, on threads of its own. `command` must not change until start_free(). */
Startup *start_new(const TuneCommand *command);
/* Waits, and frees the values. NULL is harmless. */
void start_free(Startup *start);
/* Waits for the values of the kernel's parameters, and returns them, borrowed; NULL after an error,
** which is reported when they are computed again. */
kjit_values *start_values(Startup *start);
