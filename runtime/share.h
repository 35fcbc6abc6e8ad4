/* Work that is done in parts, by as many threads as may run. */
#pragma once

#include "base/base.h"

/* Does one part. Runs on any thread, beside other parts; it must not fail, nor leave messages. */
typedef void SharedTask(void *job, int64_t part);

/* Does the parts from 0 to `parts`, in any order, on the calling thread and on others of the crew
** (crew.h); returns when all are done. */
void share_out(int64_t parts, SharedTask *task, void *job);
