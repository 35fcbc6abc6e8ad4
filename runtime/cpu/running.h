/* Which launch a thread runs, for kjit_running_call() and kjit_stop_running(). */
#pragma once

#include "runtime/runtime.h"

typedef struct Running {
    const char *call;
    long long *next; /* of the parts that it shares out now, the first that none has taken; or
                         NULL */
    bool stopped;    /* parts that have not begun are to be left out */
} Running;

/* Before anything is noted. */
void running_open(void);
/* That the calling thread runs this from now on; NULL: nothing. Gives what it ran before. */
Running *running_set(Running *running);
/* The calling thread shares out parts by `next` from now on; NULL: no more. Whether they are to
** begin. */
bool running_share(long long *next);
/* Whether what the calling thread runs is to stop, and the error of what did. */
bool running_stopped(void);
kjit_status error_stopped(void);
