/* The CUDA driver, as far as kjit needs it: declared here, found at run time.
**
** The types are written out so that kjit builds where there is no CUDA. cuda_api.def lists each
** function under its exact, versioned symbol: cuda.h renames by macro, and the plain names are
** older functions with other parameters. */
#ifndef KJIT_DRIVER_H
#define KJIT_DRIVER_H

#include "runtime/runtime.h"

typedef int CuResult;
typedef int CuDevice;
typedef unsigned long long CuPointer;
typedef struct CUctx_st *CuContext;
typedef struct CUmod_st *CuModule;
typedef struct CUfunc_st *CuFunction;
typedef struct CUstream_st *CuStream;

enum {
    CU_OK = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_ILLEGAL_ADDRESS = 700,
    CU_OUT_OF_RESOURCES = 701,
    CU_TOO_MANY_BLOCKS = 720
};

/* Attributes of devices and functions, options of the linker: numbers from cuda.h. */
enum {
    CU_MAX_THREADS = 1,
    CU_MAX_BLOCK_X = 2,
    CU_MAX_GRID_X = 5,
    CU_MAX_SHARED = 8,
    CU_MULTIPROCESSORS = 16,
    CU_MAJOR = 75,
    CU_MINOR = 76,
    CU_MAX_SHARED_OPTIN = 97,
    CU_LIMIT_STACK = 0,
    CU_FN_MAX_THREADS = 0,
    CU_FN_LOCAL = 3,
    CU_FN_REGISTERS = 4,
    CU_FN_MAX_DYNAMIC_SHARED = 8,
    CU_FN_SHARED_CARVEOUT = 9,
    CU_JIT_ERROR_LOG = 5,
    CU_JIT_ERROR_LOG_SIZE = 6,
};

enum { DRIVER_OLDEST = 12000 }; /* CUDA 12.0, as cuDriverGetVersion() counts */

typedef struct Driver {
#define DRIVER(name, symbol, params) CuResult(*name) params;
#include "runtime/cuda_api.def"
    int version;
    int device_count;
    char why_not[512]; /* "" if the driver is there and can be used */
} Driver;

/* Finds and starts the driver, once a process. Never NULL: see `why_not`. */
const Driver *driver_get(void);
/* "CUDA_ERROR_OUT_OF_MEMORY (out of memory)". Thread-local. */
const char *driver_error(CuResult result);

#endif
