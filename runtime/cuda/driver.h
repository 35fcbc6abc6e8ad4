/* The parts of the CUDA driver that kjit uses: declared here, found at run time.
**
** The types are written out so that kjit builds where there is no CUDA. cuda_api.def lists each
** function under its exact, versioned symbol: cuda.h renames by macro, and the plain names are
** older functions with other parameters. */
#pragma once

#include "runtime/runtime.h"

typedef int CuResult;
typedef int CuDevice;
typedef unsigned long long CuPointer;
typedef struct CUctx_st *CuContext;
typedef struct CUmod_st *CuModule;
typedef struct CUfunc_st *CuFunction;
typedef struct CUstream_st *CuStream;
typedef struct CUevent_st *CuEvent;
typedef struct CUgraph_st *CuGraph;
typedef struct CUgraphExec_st *CuGraphExec;
typedef struct CUmemPoolHandle_st *CuPool;

/* CUDA_MEMCPY2D: rows of bytes from one pitch to another. */
typedef struct CuCopyRows {
    size_t from_x, from_y;
    int from_kind; /* CU_MEMORY_HOST or CU_MEMORY_DEVICE, as to_kind */
    const void *from_host;
    CuPointer from_device;
    void *from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_kind;
    void *to_host;
    CuPointer to_device;
    void *to_array;
    size_t to_pitch;
    size_t width, height; /* bytes, rows */
} CuCopyRows;

/* CUmemPoolProps */
typedef struct CuPoolProps {
    int kind, handles, location, device;
    void *security;
    size_t most;
    unsigned short usage;
    unsigned char reserved[54];
} CuPoolProps;

enum {
    CU_OK = 0,
    CU_INVALID_VALUE = 1,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_READY = 600,
    CU_ILLEGAL_ADDRESS = 700,
    CU_LAUNCH_TIMEOUT = 702,
    CU_CONTEXT_DESTROYED = 709,
    CU_ASSERT = 710,
    CU_HARDWARE_STACK = 714,
    CU_ILLEGAL_INSTRUCTION = 715,
    CU_MISALIGNED_ADDRESS = 716,
    CU_INVALID_ADDRESS_SPACE = 717,
    CU_INVALID_PC = 718,
    CU_LAUNCH_FAILED = 719,
    CU_TOO_MANY_BLOCKS = 720
};

/* Attributes of devices and functions, options of the linker: numbers from cuda.h. */
enum {
    CU_MAX_THREADS = 1,
    CU_MAX_BLOCK_X = 2,
    CU_MAX_GRID_X = 5,
    CU_MAX_SHARED = 8,
    CU_WARP = 10,
    CU_BLOCK_REGISTERS = 12,
    CU_CLOCK = 13, /* kHz */
    CU_MULTIPROCESSORS = 16,
    CU_MEMORY_CLOCK = 36, /* kHz */
    CU_MEMORY_BUS = 37,   /* bits */
    CU_L2_BYTES = 38,
    CU_THREADS_RESIDENT = 39, /* of a multiprocessor */
    CU_MAJOR = 75,
    CU_MINOR = 76,
    CU_MAX_SHARED_OPTIN = 97,
    CU_BLOCKS_RESIDENT = 106, /* of a multiprocessor */
    CU_MEMORY_POOLS = 115,
    CU_LIMIT_STACK = 0,
    CU_FN_MAX_THREADS = 0,
    CU_FN_SHARED = 1,
    CU_FN_CONST = 2,
    CU_FN_LOCAL = 3,
    CU_FN_REGISTERS = 4,
    CU_FN_MAX_DYNAMIC_SHARED = 8,
    CU_FN_SHARED_CARVEOUT = 9,
    CU_JIT_ERROR_LOG = 5,
    CU_JIT_ERROR_LOG_SIZE = 6,
    CU_MEMORY_HOST = 1,
    CU_MEMORY_DEVICE = 2,
    CU_POOL_PINNED = 1, /* the only kind that pools support */
    CU_POOL_ON_DEVICE = 1,
    CU_POOL_KEEP = 4,
    CU_POOL_RESERVED = 5,
    CU_POOL_USED = 7,
    CU_POOL_USED_MOST = 8,
    CU_HOST_PORTABLE = 1,
    CU_HOST_MAPPED = 2,
    CU_MANAGED_GLOBAL = 1,
    CU_STREAM_INDEPENDENT = 1,
    CU_EVENT_UNTIMED = 2,
    CU_CAPTURE_RELAXED = 2,
    CU_POINTER_KIND = 2,
    CU_POINTER_ORDINAL = 9,
    CU_MAP_UINT16 = 1,
    CU_MAP_UINT32 = 2,
    CU_MAP_SWIZZLE_128 = 3,
    CU_MAP_PROMOTE_256 = 3,
};

/* The legacy default stream, and the calling thread's own. */
#define CU_STREAM_LEGACY     ((CuStream)(uintptr_t)1)
#define CU_STREAM_PER_THREAD ((CuStream)(uintptr_t)2)

enum { DRIVER_OLDEST = 12000 }; /* CUDA 12.0, as cuDriverGetVersion() counts */

typedef struct Driver {
#define DRIVER(name, symbol, params) CuResult(*name) params;
#include "runtime/cuda/cuda_api.def"
    int version;
    int device_count;
    unsigned forks;    /* seen when it was started */
    char why_not[512]; /* "" if the driver is usable */
} Driver;

/* Finds and starts the driver, once a process. Never NULL: see `why_not`. */
const Driver *driver_get(void);
/* The driver if the process has started it by driver_get(), else NULL. */
const Driver *driver_started(void);
/* "CUDA_ERROR_OUT_OF_MEMORY (out of memory)". Thread-local. */
const char *driver_error(CuResult result);
