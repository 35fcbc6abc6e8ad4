/* The page of `kjit build --report`. */
#pragma once

#include "cli/stage.h"

/* Writes the page of the target's kernel; an exit status. The request's stage is not looked at. */
int report_build(const Target *target, EmitRequest request, const char *path);
