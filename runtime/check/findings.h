/* The findings of a context of the device "check". */
#pragma once

#include "runtime/check/checked_kernel.h"

typedef struct Findings Findings;

Findings *findings_new(void); /* NULL without memory */
void findings_free(Findings *findings);
/* The options of further launches. */
kjit_check_options findings_options(Findings *findings);
/* Where the program stands that launches from now on, which is shown, too; no source: in none.
** `findings` may be NULL. One thread runs a program. */
void findings_launched_at(Findings *findings, Span span);
/* Adds the findings of a launch. */
kjit_status findings_add(Findings *findings, const CheckedKernel *kernel,
                         const CheckReport *report);
/* Adds that a launch writes only part of the array `name`, which was unwritten before, and that
** `enough` blocks write all of it, or (`all` is false) as much as the kernel can. With `bytes` it
** is the device's memory from `begin` on, which other launches may write: the finding counts if it
** is copied to the host before they have. */
kjit_status findings_add_left_over(Findings *findings, const CheckedKernel *kernel,
                                   const char *name, const LaunchRequest *asked,
                                   const uint32_t enough[3], bool all, const void *begin,
                                   uint64_t bytes);
/* Memory of the device is copied to the host, or freed. */
kjit_status findings_settle(Findings *findings, const void *memory, uint64_t bytes, bool freed);
/* Adds where its types became 64 bits wide. */
kjit_status findings_add_widened(Findings *findings, const CheckedKernel *kernel);
