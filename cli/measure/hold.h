/* Holding a stream of a GPU until the host has queued what is to run without gaps. */
#pragma once

#include <stdbool.h>

#include "include/kjit.h"

/* One stream at a time. */
typedef struct Hold Hold;

/* The caller's: hold_free(), when no stream is held. */
Hold *hold_new(void);
void hold_free(Hold *hold);
/* What is put into the stream from now on waits for hold_end(), or for a fifth of a second. Where
** the device runs callbacks on the calling thread, as the processor does, nothing waits. */
kjit_status hold_begin(Hold *hold, kjit_stream *stream);
/* Lets the stream go on; false if it already did. The stream must be synchronised before the next
** hold, and before hold_free(). */
bool hold_end(Hold *hold);
