/* For build.c alone. */
#pragma once

#include "cli/stage.h"

/* Prints what schedules of each kernel are estimated to cost on a GPU, to stderr; nothing where
** there is no launch to estimate. `request` is that of the remarks. */
void candidates_show(const Target *target, EmitRequest request);
