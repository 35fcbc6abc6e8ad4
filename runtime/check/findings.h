/* The findings of a context of the device "check". */
#ifndef KJIT_FINDINGS_H
#define KJIT_FINDINGS_H

#include "runtime/check/checked_kernel.h"

typedef struct Findings Findings;

Findings *findings_new(void); /* NULL without memory */
void findings_free(Findings *findings);
/* What launches are to look for. */
kjit_check_options findings_options(Findings *findings);
/* Takes in what a launch of that kernel was reported for. */
kjit_status findings_add(Findings *findings, const CheckedKernel *kernel,
                         const CheckReport *report);
/* Takes in that a launch of `asked` blocks writes `name`, of which nothing was written before, only
** in part, and that `enough` blocks write all of it, or what the kernel can. */
kjit_status findings_add_left_over(Findings *findings, const CheckedKernel *kernel,
                                   const char *name, const LaunchRequest *asked,
                                   const uint32_t enough[3], bool all);
/* Takes in where its types became 64 bits wide. */
kjit_status findings_add_widened(Findings *findings, const CheckedKernel *kernel);

#endif
