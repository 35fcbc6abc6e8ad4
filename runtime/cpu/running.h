/* Which kernel a thread runs, for kjit_running_call(). */
#pragma once

/* Before anything is noted. */
void running_open(void);
/* That the calling thread runs this from now on; NULL: none. */
void running_set(const char *call);
