/* The threads that kernels on the processor and large copies are shared out to: one crew for the
** process, started when there is first something to share.
**
** The caller does the work itself, and helpers join as they wake up. It waits for those that have
** begun, never for one that has not: so no time is lost on a helper that the system does not let
** run, because other programs have the processor. */
#pragma once

#include "base/base.h"

enum { CREW_MOST = 1024 }; /* threads, the caller included */

/* A share of the work, done by several threads at once; `member` is 0 for the caller. It returns
** when no work is left to take; the task itself sees to it that every part is done once, by however
** many. */
typedef void CrewTask(void *job, int member);

/* How many threads may work at once, the caller included: cpu_threads(), from 1 to 1024. */
int crew_threads(void);
/* Runs the task here and on up to `most` - 1 helpers; returns when all that began have ended. From
** any thread; several jobs go on side by side and share the helpers. In a forked child the helpers
** are started anew. Without memory, or where no thread can be started, the caller works alone. */
void crew_run(CrewTask *task, void *job, int most);
