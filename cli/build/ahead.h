/* Building binaries and headers from one or more files. */
#pragma once

#include "cli/stage.h"

typedef struct AheadRequest {
    const char *form; /* "binary", "c-header" or "tvm-ffi" */
    const char *const *signatures, *const *archs;
    size_t signature_count, arch_count;
    SessionOptions session;
} AheadRequest;

/* Builds FILE[:KERNEL]... into one output, named after `output` or, if that is NULL, the first
** file. `emission` receives it, with the name as its kernel; to be freed, failed or not. */
int ahead_build(const char *const *files, size_t count, const AheadRequest *request,
                const char *output, Emission *emission);
