/* Work that is done in parts, by as many threads as may run. */
#ifndef KJIT_SHARE_H
#define KJIT_SHARE_H

#include "base/base.h"

#include <stdint.h>

/* Does one part. Runs on any thread, beside other parts; it must not fail, nor leave messages. */
typedef void SharedTask(void *job, int64_t part);

/* Does the parts from 0 to `parts`, in any order, on the calling thread and on others that live for
** as long; returns when all are done. As many threads as kernels of the processor may use
** (OMP_NUM_THREADS, affinity), fewer where they cannot be had, and none but the caller's for one
** part. */
void share_out(int64_t parts, SharedTask *task, void *job);

#endif
