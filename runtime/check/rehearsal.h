/* Launches in which nothing can be found need not be checked thread by thread: where a rehearsal
** (ir/predict/rehearse.h) says so, the kernel runs as it does on the device cpu. */
#ifndef KJIT_CHECK_REHEARSAL_H
#define KJIT_CHECK_REHEARSAL_H

#include "runtime/check/checked_kernel.h"

/* What is needed for that of one checked kernel. */
typedef struct CheckPlain CheckPlain;

/* Of a translation, when it is emitted; its unit must not be used after. In its arena, but for what
** check_plain_free() frees. */
CheckPlain *check_plain_new(Arena *arena, const KernelRequest *translation);
void check_plain_free(CheckPlain *plain);
/* Carries a launch out if nothing can be found in it, and it is large enough for that to pay: then
** true, with how that went. `arrays` is what checked_arrays() has of it. */
bool check_plain_launch(CheckPlain *plain, Device *device, const CheckedKernel *kernel,
                        const LaunchRequest *launch, const CheckArray *arrays, kjit_status *status);

#endif
