/* What the rows of cuda_api.def do that no other file has written: they are not supported. */
#include "tests/fake/cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DRIVER(name, symbol, params)                                                               \
    __attribute__((weak)) CuResult cu_##name params                                                \
    {                                                                                              \
        return FAKE_NOT_SUPPORTED;                                                                 \
    }
#include "runtime/cuda/cuda_api.def"
