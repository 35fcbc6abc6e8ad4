/* Launches that a rehearsal (ir/predict/rehearse.h) proves free of findings need not be checked
** thread by thread: the kernel runs as on the device cpu. */
#pragma once

#include "runtime/check/checked_kernel.h"

/* The unchecked version of a checked kernel. */
typedef struct CheckPlain CheckPlain;

/* Of a translation, after it is emitted; its unit must not be used afterwards. In its arena, but
** for what check_plain_free() frees. */
CheckPlain *check_plain_new(Arena *arena, const KernelRequest *translation);
void check_plain_free(CheckPlain *plain);
/* Carries a launch out if it is proved free of findings, and large enough for that to pay: then
** true, and its `*status`. `arrays` is of checked_arrays(). */
bool check_plain_launch(CheckPlain *plain, Device *device, const CheckedKernel *kernel,
                        const LaunchRequest *launch, const CheckArray *arrays, kjit_status *status);
