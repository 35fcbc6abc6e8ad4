/* SPDX-License-Identifier: BSD-2-Clause
** Copyright (c) 2026, The kjit developers
**
** kjit: GPU kernels in numba's dialect, compiled at the first call.
**
** This header is the manual of the library for programs that launch kernels. kjit_tools.h has what
** only tools need, as the command is one: values from text, the stages of a compilation, what a
** launch would do, tuning. What is in neither is not published. A program, for examples/hist.k:
**
**     #include <kjit.h>
**     #include <stdio.h>
**
**     int main(void)
**     {
**         static float samples[100000];
**         int32_t counts[150] = { 0 };
**         kjit_context *context;
**         kjit_module *module;
**         kjit_kernel *histogram;
**
**         if (kjit_open(NULL, &context) != KJIT_OK ||
**             kjit_load_file(context, "hist.k", NULL, &module) != KJIT_OK ||
**             kjit_get_kernel(module, "histogram", &histogram) != KJIT_OK ||
**             KJIT_CALL(histogram, KJIT_GRID(64), KJIT_BLOCK(64), KJIT_ARRAY(samples, 100000),
**                       -4.0f, 4.0f, KJIT_ARRAY(counts, 150)) != KJIT_OK)
**             fprintf(stderr, "%s\n", kjit_error_message());
**         else
**             printf("%d\n", counts[75]);
**         kjit_close(context);
**         return 0;
**     }
**
** Rules that hold for every function unless it says otherwise.
** - Threads: it may be called from any thread, at the same time as others on the same handles; only
**   closing a handle must be the last use of it and of what belongs to it. After fork() the child
**   may go on with a processor's context, not with a GPU's.
** - Handles (kjit_context, kjit_module, kjit_kernel and their like): NULL is KJIT_ARGUMENT where
**   nothing else is said of it; functions that return a value, not a status, return 0 or NULL then,
**   leave a message as well, and those that fill a struct leave it as it is. One that was closed,
**   or that belonged to what was closed, may not be used, nor may an array whose memory was freed:
**   that is not looked for, unless kjit_open_options.debug_handles is set.
** - Other pointers: none may be NULL where nothing is said of NULL. Strings are UTF-8,
**   NUL-terminated, and copied if kept; those given back belong to the handle they come from, or to
**   the program.
** - Options: structs begin with their own size, so that they can grow; what a program that was
**   compiled earlier does not have counts as 0.
** - Errors: what can fail returns a kjit_status other than KJIT_OK, leaves a message for the
**   calling thread, and sets an output handle to NULL. Nothing exits, aborts or prints; but a
**   kernel on the processor is code of the process, which it ends if it reaches out of its arrays
**   (debug tells).
** - Environment, all optional: KJIT_CC, the C compiler, with options if need be (cc). KJIT_DRIVER,
**   the path of libcuda.so.1, where the loader does not find it, KJIT_NVRTC, that of libnvrtc.so,
**   and KJIT_NVML, that of libnvidia-ml.so.1. KJIT_CACHE, the folder of compiled kernels
**   ($XDG_CACHE_HOME/kjit, ~/.cache/kjit). KJIT_CACHE_SIZE, the bytes it may grow to, with K, M, G
**   or T behind them if need be: 500M, 1.5G, 0 for no cache (1G); kjit_open() takes nothing else.
**   KJIT_CAPTURE, a folder that launches are written down in, and KJIT_CAPTURE_SIZE (1G): see
**   kjit_tools.h. KJIT_DEBUG_HANDLES=1: see kjit_open_options. KJIT_PATH, folders, between colons,
**   where imports look for NAME.k behind the importing file's own and before the standard library.
**   KJIT_MPI, the MPI library, KJIT_ZMQ, that of ZeroMQ, and KJIT_NCCL, that of NCCL, or none:
**   kjit_open_group() in kjit_tools.h. KJIT_PASSES, which passes optimise: kjit_load_options.
**   KJIT_REHEARSE, which launches the checker may rehearse: never any,
**   always small ones too (docs/checking.md). TMPDIR, where compilers work, in a folder kjit-UID
**   (/tmp). */
#ifndef KJIT_H
#define KJIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef KJIT_API
#define KJIT_API __attribute__((visibility("default")))
#endif

#define KJIT_VERSION_MAJOR 0
#define KJIT_VERSION_MINOR 1
#define KJIT_VERSION_PATCH 0

/* The version of the library that runs, "0.1.0"; the macros are the header's. */
KJIT_API const char *kjit_version(void);

/* ---- errors --------------------------------------------------------------------------- */

/* X(name, number, meaning). Numbers are never reused. */
/* clang-format off */
#define KJIT_STATUS_MAP(X)                                                                     \
    X(OK,          0, "done")                                                                  \
    X(INVALID,     1, "the program is wrong: the message has the diagnostics")                 \
    X(ARGUMENT,    2, "the call is wrong: an argument, a name, a launch configuration")        \
    X(MEMORY,      3, "no memory, here or on the device")                                      \
    X(FILE,        4, "a file cannot be found, read, understood or written")                   \
    X(NO_DEVICE,   5, "no such device, driver, NVRTC or C compiler on this machine")           \
    X(LAUNCH,      6, "the device refused or failed the launch")                               \
    X(FAULT,       7, "the kernel reported an error (debug)")                                  \
    X(INTERNAL,    8, "a mistake in kjit itself, to be reported")                              \
    X(UNSUPPORTED, 9, "not there yet; the message says what")                                  \
    X(BROKEN,     10, "a kernel broke the device: kjit_reset() brings it back")
/* clang-format on */

typedef enum kjit_status {
#define KJIT_STATUS_ENUM(name, number, meaning) KJIT_##name = number,
    KJIT_STATUS_MAP(KJIT_STATUS_ENUM)
#undef KJIT_STATUS_ENUM
} kjit_status;

/* "KJIT_OK" and so on; "unknown status" for other numbers. The string is the library's. */
KJIT_API const char *kjit_status_name(kjit_status status);

/* What went wrong in the calling thread's last failed call, diagnostics included, without a
** newline at the end; "" if none failed yet. The string is good until the thread's next call that
** fails, or its end. */
KJIT_API const char *kjit_error_message(void);

/* Frees what the library allocated for the caller where a function says so. NULL is harmless. */
KJIT_API void kjit_free(void *memory);

/* ---- contexts ------------------------------------------------------------------------- */

/* A device, with what is compiled for it. */
typedef struct kjit_context kjit_context;

typedef struct kjit_open_options {
    size_t size;        /* sizeof(kjit_open_options) */
    const char *device; /* "auto" (or NULL): the first GPU, else the processor; "cuda", "cuda:1",
                             "cpu", or "check": the processor under the checker (kjit_check_set).
                             Only "auto" falls back: a GPU that is named and is not
                             there is KJIT_NO_DEVICE */
    int no_disk_cache;  /* 1: neither read nor write compiled kernels on disk */
    int threads;        /* that run a launch on the processor, the caller's included; 0: as many as
                             the process may use, or OMP_NUM_THREADS says. At most 1024 */
    int debug_handles;  /* 1: refuse handles that were closed, and arrays of device memory that was
                             freed (KJIT_ARGUMENT), in the whole process from now on. It keeps some
                             memory of each that is closed. KJIT_DEBUG_HANDLES=1 in the environment
                             does the same */
} kjit_open_options;

/* Opens a device. `options` may be NULL. The context is the caller's: kjit_close(). Opening a GPU
** retains its primary context, which other CUDA code in the process may share. KJIT_ARGUMENT if the
** device has no such name, or KJIT_CACHE_SIZE makes no sense and the cache is wanted. A cache that
** cannot be used is no failure: kjit_doctor() says why it cannot. */
KJIT_API kjit_status kjit_open(const kjit_open_options *options, kjit_context **context);
/* The same, but returns while a GPU, which takes tenths of a second, is being started by a thread
** of the library's: modules can be loaded meanwhile, and kernels compiled. The first call that
** needs the GPU waits for it, and if it does not start that call and all later ones fail. */
KJIT_API kjit_status kjit_open_behind(const kjit_open_options *options, kjit_context **context);
/* Closes a context, with its modules and kernels, after kjit_close_prepared() of its prepared
** launches. Device arrays of it are gone too. NULL is harmless. */
KJIT_API void kjit_close(kjit_context *context);
/* Brings a GPU back that a kernel broke: an illegal address, say, after which every call on the
** context fails and repeats the first cause. Restarts the device's primary context, for all code
** of the process, and loads the compiled kernels again: modules and kernels stay. Arrays, streams,
** events, graphs and prepared launches of all contexts of that device are lost: closing them is
** all that may be done with them; other contexts of the device need a kjit_reset() too. No other
** thread may be inside a call on the device. On the processor it does nothing.
**
** KJIT_BROKEN if the driver does not start the device for this process again. CUDA promises that
** it does only where no kernel has failed, and its drivers of release 580 keep to that: there the
** program has to be started anew. Debug reports bad indices without breaking the device. */
KJIT_API kjit_status kjit_reset(kjit_context *context);
/* How many GPUs there are for "cuda:0" and so on; 0 without a driver. */
KJIT_API int kjit_gpu_count(void);
/* "cpu", "check" or "cuda:0". Lives as long as the context. */
KJIT_API const char *kjit_device_name(const kjit_context *context);
/* What the device calls itself: "NVIDIA H200", a processor's model name. */
KJIT_API const char *kjit_device_model(const kjit_context *context);

/* ---- modules and kernels ---------------------------------------------------------------- */

/* What a file defines, and the files it imports. */
typedef struct kjit_module kjit_module;
/* One of its functions that can be launched, and what was compiled of it, by types of arguments. */
typedef struct kjit_kernel kjit_kernel;

typedef struct kjit_define {
    const char *name;  /* a constant of the module */
    const char *value; /* an expression of the language */
} kjit_define;

/* A module that is no file: imports of `name`, from whatever file or text, find it before files. */
typedef struct kjit_text {
    const char *name; /* without dots */
    const char *file; /* what diagnostics call it, and beside which its own imports look */
    const char *text;
} kjit_text;

typedef struct kjit_load_options {
    size_t size;                /* sizeof(kjit_load_options) */
    const kjit_define *defines; /* constants seen instead of the module's own */
    size_t define_count;
    int debug;          /* 1: report assert, raise and bad indices */
    int fastmath;       /* 1: as @cuda.jit(fastmath=True) on every kernel */
    const char *passes; /* which optimising passes run: "none", "-narrow" (all but that one), "all"
                           (those too that are meant for another device), "narrow" (that one too),
                           and lists of these between commas; NULL: as KJIT_PASSES in the
                           environment says, else those that are meant for the device */
    int max_registers;  /* of a thread, as @cuda.jit(max_registers=...) says it, which this goes
                          before; 0: not said. The processor has no such limit */
    int unroll; /* how many iterations of an innermost loop may begin at once, up to 64, where
                          kjit's own pass unrolls it: 1 is none; 0: as the pass chooses */
    const char *compiler_options; /* for the device's compiler, NVRTC or the C compiler, between
                                     blanks, with quotes as in a shell; NULL: none */
    const kjit_text *texts;       /* for programs that write kernels, or have them from elsewhere */
    size_t text_count;
    const char *schedule; /* what the passes that move work do, a directive a line, instead of what
                             they choose, for every kernel of the module or those it names:
                             docs/schedules.md; NULL: as @schedule says, else as they choose */
    const char *schedule_name; /* what diagnostics call it; NULL: <schedule> */
    const char *matmul; /* "tf32", "tf32x3", "f16", "bf16" or "bf16x9": as @cuda.jit(matmul=...) on
                           every kernel that multiplies, which this goes before: docs/accuracy.md;
                           "plain" is none of them whatever kernels say, "float64" their sums in
                           float64, to measure by; NULL: as the kernels say */
} kjit_load_options;

/* Loads the kernels of a file, or of `text`, which diagnostics will call `name`, and from whose
** folder, if it has one, imports are looked for; NULL: "<text>". `options` may be NULL. The module
** belongs to the context; kjit_close_module() lets go of it earlier. KJIT_INVALID with diagnostics,
** KJIT_FILE. */
KJIT_API kjit_status kjit_load_file(kjit_context *context, const char *path,
                                    const kjit_load_options *options, kjit_module **module);
KJIT_API kjit_status kjit_load_source(kjit_context *context, const char *text, const char *name,
                                      const kjit_load_options *options, kjit_module **module);
/* Forgets a module and its kernels, and unloads what was compiled of them. NULL is harmless. */
KJIT_API void kjit_close_module(kjit_module *module);

/* The kernel called `name`, or that an expression gives at the end of the module, "steps[1]", or
** with NULL the module's only one, or that of a standard module which has the module's name.
** Belongs to the module. KJIT_ARGUMENT if there is none, or several and no name, KJIT_INVALID with
** diagnostics if what gives it cannot be evaluated. */
KJIT_API kjit_status kjit_get_kernel(kjit_module *module, const char *name, kjit_kernel **kernel);
/* How many kernels a module has, and the name of each in the order they stand; NULL beyond. */
KJIT_API size_t kjit_kernel_count(const kjit_module *module);
KJIT_API const char *kjit_kernel_name_at(const kjit_module *module, size_t index);
/* A kernel's own name, how many parameters it has, and the name of each; NULL beyond. */
KJIT_API const char *kjit_kernel_name(const kjit_kernel *kernel);
KJIT_API size_t kjit_param_count(const kjit_kernel *kernel);
KJIT_API const char *kjit_param_name(const kjit_kernel *kernel, size_t index);
/* ---- values --------------------------------------------------------------------------- */

/* X(NAME, name, bytes). Floats of 8 bits are of arrays alone; e4m3 is what ml_dtypes and ONNX call
** float8_e4m3fn. */
/* clang-format off */
#define KJIT_DTYPE_MAP(X)                                                                      \
    X(BOOL, bool, 1) X(INT8, int8, 1) X(INT16, int16, 2) X(INT32, int32, 4) X(INT64, int64, 8)  \
    X(UINT8, uint8, 1) X(UINT16, uint16, 2) X(UINT32, uint32, 4) X(UINT64, uint64, 8)           \
    X(FLOAT16, float16, 2) X(BFLOAT16, bfloat16, 2) X(FLOAT32, float32, 4)                      \
    X(FLOAT64, float64, 8) X(COMPLEX64, complex64, 8) X(COMPLEX128, complex128, 16)             \
    X(FLOAT8_E4M3, float8_e4m3, 1) X(FLOAT8_E5M2, float8_e5m2, 1)
/* clang-format on */

/* X(unit): the units of times, from years, months and weeks to attoseconds */
#define KJIT_TIME_MAP(X) X(Y) X(M) X(W) X(D) X(h) X(m) X(s) X(ms) X(us) X(ns) X(ps) X(fs) X(as)

enum {
#define KJIT_TIME_UNIT(unit) KJIT_TIME_##unit,
    KJIT_TIME_MAP(KJIT_TIME_UNIT)
#undef KJIT_TIME_UNIT
        KJIT_TIME_UNITS
};

typedef enum kjit_dtype {
    KJIT_DTYPE_NONE,
#define KJIT_DTYPE_ENUM(NAME, name, bytes) KJIT_DTYPE_##NAME,
    KJIT_DTYPE_MAP(KJIT_DTYPE_ENUM)
#undef KJIT_DTYPE_ENUM
        KJIT_DTYPE_RECORD = 255, /* of arrays: what their `record` says */
/* NumPy's times, 64 bits each: how many of a unit since 1970 began, or how many of it. The least
    ** number is NaT. Those without a unit go with every other. */
#define KJIT_TIME_ENUM(unit)                                                                       \
    KJIT_DTYPE_DATETIME64_##unit = 64 + KJIT_TIME_##unit,                                          \
    KJIT_DTYPE_TIMEDELTA64_##unit = 96 + KJIT_TIME_##unit,
    KJIT_TIME_MAP(KJIT_TIME_ENUM) /* KJIT_DTYPE_DATETIME64_ns, KJIT_DTYPE_TIMEDELTA64_D */
#undef KJIT_TIME_ENUM
    KJIT_DTYPE_DATETIME64 = 64 + KJIT_TIME_UNITS,
    KJIT_DTYPE_TIMEDELTA64 = 96 + KJIT_TIME_UNITS
} kjit_dtype;

/* "float32", "datetime64[ns]", "record", "none" or "unknown"; the bytes of an element, 0 of records
** and of what is no dtype. */
KJIT_API const char *kjit_dtype_name(kjit_dtype dtype);
KJIT_API size_t kjit_dtype_bytes(kjit_dtype dtype);
enum { KJIT_RANK_MAX = 8 };

enum {
    KJIT_READONLY = 1,  /* kernels may not write it */
    KJIT_ON_DEVICE = 2, /* kernels work on `data` itself: kjit_to_device(), kjit_array_new() */
    KJIT_ON_HOST = 4,   /* so may the program, in spite of KJIT_ON_DEVICE: mapped, managed memory */
    KJIT_UNWRITTEN = 8  /* of the host: its elements have no values yet, and the device "check"
                             reports reads of them; others do not look */
    /* The upper 16 bits are the library's own, under kjit_open_options.debug_handles; copies of an
    ** array keep them. */
};

/* A field of a record: one thing, or with `rank` an array of them, row by row. */
typedef struct kjit_field {
    const char *name;
    kjit_dtype dtype;
    const struct kjit_record *record; /* where the dtype is KJIT_DTYPE_RECORD */
    size_t offset;                    /* bytes */
    int32_t rank;
    int64_t shape[KJIT_RANK_MAX];
} kjit_field;

/* A record, NumPy's structured dtype: offsetof() and sizeof describe a C struct. Fields may lie
** anywhere inside its bytes, aligned or not. It stays the caller's, and where it is as long as an
** array uses it. Two are the same type if everything in them is equal.
**
** Limits: KJIT_FIELDS_MAX fields, KJIT_RECORD_DEPTH_MAX records inside each other, 2 GiB; and the
** types of a launch's arguments, of which a field takes three words and its name, are 1024 words of
** 4 bytes. */
enum { KJIT_FIELDS_MAX = 256, KJIT_RECORD_DEPTH_MAX = 16 };

typedef struct kjit_record {
    const kjit_field *fields;
    size_t count;
    size_t bytes;
} kjit_record;

/* An array that another owns. */
typedef struct kjit_array {
    void *data; /* the first element */
    kjit_dtype dtype;
    int32_t rank; /* 0 to KJIT_RANK_MAX */
    uint32_t flags;
    int64_t shape[KJIT_RANK_MAX];   /* elements along each axis */
    int64_t strides[KJIT_RANK_MAX]; /* bytes from one to the next along each axis; any sign */
    const kjit_record *record;      /* of its elements, if they are records; else NULL */
} kjit_array;

/* A row-major array of host memory, which stays the caller's. `shape` has `rank` extents and may be
** NULL for none. Checks nothing: what takes the array does. */
KJIT_API kjit_array kjit_host_array(void *data, kjit_dtype dtype, int32_t rank,
                                    const int64_t *shape);

/* The same of records. Without axes it is a record by itself, which kernels get by reference: what
** they write in it comes back. */
KJIT_API kjit_array kjit_record_array(void *data, const kjit_record *record, int32_t rank,
                                      const int64_t *shape);
/* Field `index` of an array of records as an array of its own, in the same memory. No data if there
** is no such field, or the view would have too many axes. */
KJIT_API kjit_array kjit_field_array(const kjit_array *array, size_t index);
/* The bytes of one element. */
KJIT_API size_t kjit_array_itemsize(const kjit_array *array);

typedef enum kjit_arg_kind { KJIT_ARG_SCALAR, KJIT_ARG_ARRAY, KJIT_ARG_TUPLE } kjit_arg_kind;

/* One argument of a launch. */
typedef struct kjit_arg {
    kjit_arg_kind kind;
    kjit_dtype dtype; /* of a scalar */
    union {
        int64_t integer;         /* bool and integers; uint64 by its bits */
        double number;           /* every float */
        double complex_parts[2]; /* real, imaginary */
        kjit_array array;
        struct {
            const struct kjit_arg *items;
            size_t count;
        } tuple;
    } as;
} kjit_arg;

/* ---- random numbers ------------------------------------------------------------------------- */

/* The record of a generator of numba.cuda.random: two uint64, s0 and s1. The library's, for
** ever. */
KJIT_API const kjit_record *kjit_xoroshiro128p_record(void);
/* Fills `count` of them as its create_xoroshiro128p_states() does: state i starts 2**64 *
** (subsequence_start + i) numbers into the sequence of `seed`. `states` is host memory, of any
** alignment. */
KJIT_API kjit_status kjit_xoroshiro128p_states(void *states, size_t count, uint64_t seed,
                                               uint64_t subsequence_start);

/* ---- views ------------------------------------------------------------------------------ */

/* A view is an array that shares another's memory: a part of it, or all of it seen otherwise. What
** makes one computes and copies nothing, and so needs no context: host and device arrays alike. The
** array whose memory it is must stay, and is what is freed; kernels, copies and further views take
** views as any array. Rules are NumPy's. `view` may be `array` itself; on failure, which is
** KJIT_ARGUMENT with a message that names the axis and the value, it has no data. Axes count from
** the end if negative. */

/* What is taken along an axis. */
typedef enum kjit_slice_kind {
    KJIT_SLICE_SPAN,     /* elements start, start + step and so on, before stop */
    KJIT_SLICE_AT,       /* the element `start`; the axis goes */
    KJIT_SLICE_NEW_AXIS, /* an axis of one element that the array has not */
    KJIT_SLICE_REST      /* as many whole axes as nothing else is said of */
} kjit_slice_kind;

typedef struct kjit_slice {
    kjit_slice_kind kind;
    int64_t start, stop, step;
} kjit_slice;

/* Python's slices as initialisers: a[2, 1:-1, ::-1, None, ...] is
**     const kjit_slice where[] = { KJIT_AT(2), KJIT_SPAN(1, -1),
**                                  KJIT_STEP(KJIT_OMIT, KJIT_OMIT, -1), KJIT_NEW_AXIS, KJIT_REST };
** KJIT_OMIT stands for a start or stop that is left out. */
/* clang-format off */
#define KJIT_OMIT                    INT64_MIN
#define KJIT_ALL                     { KJIT_SLICE_SPAN, KJIT_OMIT, KJIT_OMIT, 1 }
#define KJIT_AT(index)               { KJIT_SLICE_AT, (index), 0, 0 }
#define KJIT_SPAN(start, stop)       { KJIT_SLICE_SPAN, (start), (stop), 1 }
#define KJIT_STEP(start, stop, step) { KJIT_SLICE_SPAN, (start), (stop), (step) }
#define KJIT_NEW_AXIS                { KJIT_SLICE_NEW_AXIS, 0, 0, 0 }
#define KJIT_REST                    { KJIT_SLICE_REST, 0, 0, 0 }
/* clang-format on */

/* The part that the slices take, one for each axis from the first on; axes without one are taken
** whole. An array of no elements stays where its memory begins. */
KJIT_API kjit_status kjit_array_slice(const kjit_array *array, const kjit_slice *slices,
                                      size_t count, kjit_array *view);
/* Axis i of the view is the array's axis axes[i]; with NULL their order is reversed. */
KJIT_API kjit_status kjit_array_transpose(const kjit_array *array, const int32_t *axes,
                                          kjit_array *view);
/* The elements, in row-major order, in another shape, of which one extent may be -1: whatever is
** left. KJIT_ARGUMENT too where that would take a copy. */
KJIT_API kjit_status kjit_array_reshape(const kjit_array *array, int32_t rank, const int64_t *shape,
                                        kjit_array *view);
/* Drops these axes, which have one element each; with NULL all that do. */
KJIT_API kjit_status kjit_array_squeeze(const kjit_array *array, const int32_t *axes, int32_t count,
                                        kjit_array *view);
/* Adds an axis of one element, which is the view's axis `axis`. */
KJIT_API kjit_status kjit_array_expand(const kjit_array *array, int32_t axis, kjit_array *view);
/* The same elements again and again along axes that have one, or are not there: strides of 0. The
** view is KJIT_READONLY. */
KJIT_API kjit_status kjit_array_broadcast(const kjit_array *array, int32_t rank,
                                          const int64_t *shape, kjit_array *view);
/* The same bytes as elements of another dtype; `record` goes with KJIT_DTYPE_RECORD, else NULL. If
** that has other bytes, the last axis grows or shrinks, and its elements must follow one another.
** Kernels expect numbers at addresses that are multiples of their size. */
KJIT_API kjit_status kjit_array_view(const kjit_array *array, kjit_dtype dtype,
                                     const kjit_record *record, kjit_array *view);
/* A field of records, by its name; as kjit_field_array(). */
KJIT_API kjit_status kjit_array_field(const kjit_array *array, const char *name, kjit_array *view);

/* How many elements an array has and how many bytes they have together; 0 for shapes that make no
** sense. */
KJIT_API uint64_t kjit_array_count(const kjit_array *array);
KJIT_API uint64_t kjit_array_bytes(const kjit_array *array);
/* 1 if the elements follow one another row by row, or with `columns` column by column, else 0. Axes
** of one element do not matter, and an array of none is both. */
KJIT_API int kjit_array_is_contiguous(const kjit_array *array, int columns);

/* ---- streams, events, graphs -------------------------------------------------------------- */

/* A queue of work of one context: copies and launches on it run in order, beside those on others.
** NULL stands for the context's default stream wherever a stream is asked for beside something else
** of the context (functions of streams alone refuse it): CUDA's legacy default stream, which waits
** for the others and they for it.
**
** On the processor a stream's work is done when the call that enqueues it returns. */
typedef struct kjit_stream kjit_stream;

typedef struct kjit_stream_options {
    size_t size;     /* sizeof(kjit_stream_options) */
    int independent; /* 1: does not wait for the default stream (CU_STREAM_NON_BLOCKING) */
    int priority; /* lower numbers go first; what the device does not have counts as the nearest */
} kjit_stream_options;

/* A new stream; `options` may be NULL. The caller's: kjit_stream_close(). */
KJIT_API kjit_status kjit_stream_new(kjit_context *context, const kjit_stream_options *options,
                                     kjit_stream **stream);
/* CUDA's default streams as handles: the legacy one, as NULL; and CU_STREAM_PER_THREAD, which in
** each thread that uses it is that thread's own. Closing one only gives the handle back. */
KJIT_API kjit_status kjit_stream_default(kjit_context *context, kjit_stream **stream);
KJIT_API kjit_status kjit_stream_per_thread(kjit_context *context, kjit_stream **stream);
/* A stream made elsewhere, a CUstream or cudaStream_t of the context's device. Closing
** gives the handle back and leaves the stream alone. KJIT_UNSUPPORTED on the processor. */
KJIT_API kjit_status kjit_stream_foreign(kjit_context *context, void *handle, kjit_stream **stream);
/* The CUstream, for other CUDA code; NULL for the default stream and on the processor. */
KJIT_API void *kjit_stream_handle(const kjit_stream *stream);
/* Closes a stream once its work is done, without waiting for it. Before kjit_close(). NULL is
** harmless. */
KJIT_API void kjit_stream_close(kjit_stream *stream);
/* Waits for all work of the stream, and reports what failed. */
KJIT_API kjit_status kjit_stream_synchronize(kjit_stream *stream);
/* Sets `*done` to 1 if nothing is left to do, else to 0. */
KJIT_API kjit_status kjit_stream_query(kjit_stream *stream, int *done);
/* Calls `function(data)` from a thread of the driver's when the work before is done; what comes
** behind waits for it. It may not call CUDA or kjit. */
KJIT_API kjit_status kjit_stream_callback(kjit_stream *stream, void (*function)(void *data),
                                          void *data);

/* A point in a stream's work. */
typedef struct kjit_event kjit_event;

/* A new event, the caller's: kjit_event_close(). `timed`: 1 if kjit_event_elapsed() will be asked
** of it, else 0, which is cheaper. */
KJIT_API kjit_status kjit_event_new(kjit_context *context, int timed, kjit_event **event);
/* NULL is harmless. Before kjit_close(). */
KJIT_API void kjit_event_close(kjit_event *event);
/* The event is now the point behind the work of the stream so far. `stream` may be NULL. */
KJIT_API kjit_status kjit_event_record(kjit_event *event, kjit_stream *stream);
/* Work that is put into the stream from now on waits for the event, which may be of another
** context. `stream` may be NULL. */
KJIT_API kjit_status kjit_event_wait(kjit_event *event, kjit_stream *stream);
/* Waits until the stream has passed the event; an event never recorded has been passed. */
KJIT_API kjit_status kjit_event_synchronize(kjit_event *event);
/* Sets `*done` to 1 if it was passed, else to 0. */
KJIT_API kjit_status kjit_event_query(kjit_event *event, int *done);
/* Milliseconds between two timed events that were passed. KJIT_ARGUMENT if one was not recorded, or
** is not timed, or they are of different devices. */
KJIT_API kjit_status kjit_event_elapsed(kjit_event *from, kjit_event *to, double *ms);

/* A sequence of work, recorded once and launched as a whole. */
typedef struct kjit_graph kjit_graph;

/* From now on work on the stream is recorded instead of done, until kjit_capture_end(): launches
** with device arrays, copies from and to memory that stays where it is, callbacks. An event that is
** recorded meanwhile orders the work and nothing else: another stream that waits for it records
** into the same graph from then on, until the end, before which the first has to wait for it. What
** must wait is refused: host arrays as arguments (on the processor they are memory like any other,
** and stay), debug kernels, synchronizing; and memory in the order of a stream that records. Not on
** a default stream. A kernel's first call may compile.
**
** On a GPU, what waits for the whole device spoils every recording on it, whichever thread it comes
** from, and fails: until the end no thread calls kjit_synchronize(), kjit_array_free(),
** kjit_close_module(), kjit_memory_trim(), or anything without a stream, which is the default
** stream's, unless the one that records is independent; and there should be memory enough, since
** looking for more waits, too. Source: CUDA C++ Programming Guide, "Prohibited and Unhandled
** Operations" of stream capture. */
KJIT_API kjit_status kjit_capture_begin(kjit_stream *stream);
/* Ends the recording. The graph is the caller's: kjit_graph_close(). The kernels in it, and the
** memory it works on, must outlive it. If the device refused a part, it refuses the whole. */
KJIT_API kjit_status kjit_capture_end(kjit_stream *stream, kjit_graph **graph);
/* Does what was recorded, on any stream of the context; NULL is the default one. */
KJIT_API kjit_status kjit_graph_launch(kjit_graph *graph, kjit_stream *stream);
/* NULL is harmless. Before kjit_close(). */
KJIT_API void kjit_graph_close(kjit_graph *graph);

/* ---- launching ------------------------------------------------------------------------ */

typedef struct kjit_launch_config {
    size_t size;                /* sizeof(kjit_launch_config) */
    uint32_t grid[3], block[3]; /* x, y, z; 0 counts as 1 in y and z */
    size_t shared_bytes;        /* of dynamic shared memory */
    kjit_stream *stream;        /* NULL: the default stream */
} kjit_launch_config;

/* Runs a kernel: types it from the arguments, compiles it if these types are new, copies host
** arrays in, launches, and copies back what the kernel writes: the elements of the arrays, not what
** lies between them. Returns when the host arrays are up to date; a launch with device arrays alone
** returns at once on a GPU. `args` may be NULL for none. KJIT_INVALID if the kernel makes no sense
** for these types, KJIT_ARGUMENT for a wrong call, KJIT_FAULT under debug, and what devices say. On
** the processor threads that wait for what no thread of the launch does, as for another launch or
** another thread of the program, are reported as a deadlock after about a fifth of a second in
** which nothing else of theirs went on. */
KJIT_API kjit_status kjit_launch(kjit_kernel *kernel, const kjit_launch_config *config,
                                 const kjit_arg *args, size_t count);

/* Compiles for these arguments without launching. Fails as kjit_launch() does. */
KJIT_API kjit_status kjit_compile(kjit_kernel *kernel, const kjit_arg *args, size_t count);

/* The same for types that are written, "float32[::1], int64" or "hist_kernel(float32[::1], int64)";
** with NULL for the first signature that the decorator declares. Types are meant as they stand: a
** launch with contiguous arrays is one of float32[::1], not of float32[:], which has strides. */
KJIT_API kjit_status kjit_compile_signature(kjit_kernel *kernel, const char *signature);

/* A compilation among many. */
typedef struct kjit_compile_job {
    kjit_kernel *kernel;
    const kjit_arg *args; /* whose types are meant; their memory is not looked at */
    size_t arg_count;
    const char *signature; /* without arguments: as for kjit_compile_signature() */
} kjit_compile_job;

/* Compilations under way, on threads of their own. */
typedef struct kjit_batch kjit_batch;

/* Begins to compile, `threads` at a time (0: as many as the process may run at once), and returns.
** `jobs`, the arguments they name and their kernels stay until kjit_compile_end(), which has to be
** called. A launch that needs one of them meanwhile waits for it, and compiles nothing twice. */
KJIT_API kjit_status kjit_compile_begin(const kjit_compile_job *jobs, size_t count, int threads,
                                        kjit_batch **batch);
/* How many of them are not done yet. */
KJIT_API size_t kjit_compile_left(kjit_batch *batch);
/* Waits for all and frees the batch. What is returned, and its message, are those of the first job
** in the list that failed; the others are compiled all the same. NULL is harmless. */
KJIT_API kjit_status kjit_compile_end(kjit_batch *batch);

/* A launch with everything decided: kernel, configuration and arguments, arrays on the device. */
typedef struct kjit_prepared kjit_prepared;

/* Prepares a launch; host arrays are refused on a GPU. The launch is the caller's:
** kjit_close_prepared(), before its kernel's module goes, or the stream and the arrays that it was
** given; if the module was loaded for debug, not while that stream records. */
KJIT_API kjit_status kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                                  const kjit_arg *args, size_t count, kjit_prepared **prepared);
/* Launches again. On a GPU returns at once, unless the module was loaded for debug. One thread at a
** time for one prepared launch. KJIT_ARGUMENT if kjit_reset() has taken it. */
KJIT_API kjit_status kjit_launch_prepared(kjit_prepared *prepared);
/* Gives a prepared launch back. NULL is harmless. */
KJIT_API void kjit_close_prepared(kjit_prepared *prepared);

/* Waits for all work of the context's device, and reports what failed since. */
KJIT_API kjit_status kjit_synchronize(kjit_context *context);

/* A block for `threads` threads along x, chosen as kjit_auto_config() does, and the grid that
** covers them. Where the kernel reads indices along y or z too, those are sized as there; numba's
** forall() leaves them at 1. Reads the shared_bytes of `config` and writes its grid and block.
** `threads` is at least 1. */
KJIT_API kjit_status kjit_forall(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                 uint64_t threads, kjit_launch_config *config);

/* Completes a configuration: the block where block[0] is 0, and the grid where grid[0] is 0. The
** grid gets as many threads along each axis as the kernel's conditions and indices leave something
** to do for: `i, j = cuda.grid(2)` with `if i < a.shape[0] and j < n` is given a.shape[0] threads
** along x and n along y, each rounded up to whole blocks; for `a[j, i]` it is the other way round.
** Axes that nothing is known of get the extents of the arrays, and those that the kernel does not
** look at one thread: others would do the same again. The block is the one that the text
** is written for, where it is for any: `blockIdx.x * 32 + threadIdx.x` is given 32 threads along x,
** and so is `tile[threadIdx.x]` of a shared array of 32. Compiles as kjit_compile() does, and fails
** as it does; KJIT_ARGUMENT where the device has no grid of that size, or no block suits all of the
** kernel. */
KJIT_API kjit_status kjit_auto_config(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                      kjit_launch_config *config);

/* ---- device memory ---------------------------------------------------------------------- */

typedef enum kjit_memory {
    KJIT_MEMORY_DEVICE,  /* of the device */
    KJIT_MEMORY_PINNED,  /* of the host, page-locked: copies are faster and need not wait */
    KJIT_MEMORY_MAPPED,  /* of the host, page-locked, and kernels work on it in place */
    KJIT_MEMORY_MANAGED, /* goes to where it is used */
} kjit_memory;

typedef struct kjit_array_options {
    size_t size;               /* sizeof(kjit_array_options) */
    kjit_memory memory;        /* 0: KJIT_MEMORY_DEVICE */
    int columns;               /* 1: column-major, Fortran's and MATLAB's order */
    const kjit_record *record; /* of the elements, with KJIT_DTYPE_RECORD */
    /* NULL: memory of its own, which all streams see, and other processes can be shown (CUDA-aware
    ** MPI). Else memory in the order of this stream, from the context's pool: there for the stream
    ** at once, for others once it is synchronized. */
    kjit_stream *stream;
} kjit_array_options;

/* A new array, its elements undefined. `options` may be NULL; `shape` may be NULL for none. The
** caller's: kjit_array_free(). Arrays of no elements have memory too. On the processor every kind
** is the process's own memory, aligned to 64 bytes. KJIT_MEMORY without room: nothing else is
** lost. */
KJIT_API kjit_status kjit_array_new(kjit_context *context, kjit_dtype dtype, int32_t rank,
                                    const int64_t *shape, const kjit_array_options *options,
                                    kjit_array *array);
/* A new device array with a host array's elements, in its own layout made contiguous. The
** caller's: kjit_array_free(). On failure `device` has no data. */
KJIT_API kjit_status kjit_to_device(kjit_context *context, const kjit_array *host,
                                    kjit_array *device);
/* Gives memory of kjit_array_new() or kjit_to_device() back, and sets the array's data to NULL;
** what streams still do with it is waited for. NULL, and an array without data, are harmless;
** KJIT_ARGUMENT for memory that is not the context's, views among them; but a view that begins
** where its array does is as good as the array. Where freeing fails and may be tried again the
** array keeps its data. */
KJIT_API kjit_status kjit_array_free(kjit_context *context, kjit_array *array);
/* The same in the order of a stream: memory that came in the order of one goes when the work before
** is done, and is there for the stream's next; the host does not wait. `stream` may be NULL. */
KJIT_API kjit_status kjit_array_free_on(kjit_context *context, kjit_stream *stream,
                                        kjit_array *array);

/* Copies between arrays of one dtype and shape, of any layout each, on the host or a device, of any
** context. Returns when that is done. They may not overlap unless they are the same.
**
** If memory of a GPU is among them, `context` is that GPU's, or one of two GPUs'; the processor's
** does not reach there, and says so (KJIT_ARGUMENT). Work of other devices is not waited for:
** kjit_synchronize() their contexts before, or have a stream wait for an event of theirs. From GPU
** to GPU it goes straight if other code has enabled peer access between them
** (cudaDeviceEnablePeerAccess), else by way of the host: kjit leaves that as it is. */
KJIT_API kjit_status kjit_copy(kjit_context *context, const kjit_array *to, const kjit_array *from);
/* The same in the order of a stream, which may be NULL. Between device arrays, and from and to
** pinned, mapped or managed memory, it returns at once (or, where there are many rows, when it is
** done), and the arrays must stay until the stream has done it. Other host memory is free to be
** used again when it returns: it was read, or has been written. */
KJIT_API kjit_status kjit_copy_on(kjit_context *context, kjit_stream *stream, const kjit_array *to,
                                  const kjit_array *from);
/* kjit_copy() for a device array and a host array. */
KJIT_API kjit_status kjit_copy_to_host(kjit_context *context, const kjit_array *device,
                                       const kjit_array *host);
/* Reads or writes one element, which has an index for each axis, from the end if negative: as
** kjit_copy(), and as slow for one element as for thousands. What is written becomes the array's
** dtype as in NumPy. To write many, kjit_array_slice() or kjit_array_broadcast() and kjit_copy().
** KJIT_ARGUMENT for records. */
KJIT_API kjit_status kjit_array_get(kjit_context *context, const kjit_array *array,
                                    const int64_t *index, kjit_arg *value);
KJIT_API kjit_status kjit_array_set(kjit_context *context, const kjit_array *array,
                                    const int64_t *index, kjit_arg value);
/* Sets every byte of an array's elements to 0 in the order of a stream, which may be NULL. The
** elements must be all that lies in the array's span: no gaps. On a GPU, host arrays are set when
** the stream is done with what was asked before, and then it returns. */
KJIT_API kjit_status kjit_array_zero(kjit_context *context, kjit_stream *stream,
                                     const kjit_array *array);

/* Page-locks the memory of a host array, so that copies are faster and need not wait; kjit_unpin()
** before it is freed. Slow: for memory that is used often. On the processor they do nothing. */
KJIT_API kjit_status kjit_pin(kjit_context *context, const kjit_array *host);
KJIT_API kjit_status kjit_unpin(kjit_context *context, const kjit_array *host);

/* The memory of a context's device, in bytes. */
typedef struct kjit_memory_info {
    size_t size;            /* sizeof(kjit_memory_info), set by the caller */
    uint64_t total, free;   /* of the device, by whomever used; the processor: the machine's */
    uint64_t arrays, bytes; /* arrays of this context that were not freed, and their bytes */
    uint64_t pool_used;     /* what arrays in stream order, and copies of host arrays, use now */
    uint64_t pool_used_most;
    uint64_t pool_reserved; /* what the pool holds of the device, used or kept for later */
} kjit_memory_info;

/* Fills as much of `info` as its size says. */
KJIT_API kjit_status kjit_memory_usage(kjit_context *context, kjit_memory_info *info);
/* Gives memory that the pool keeps for later back to the device, down to `keep` bytes. */
KJIT_API kjit_status kjit_memory_trim(kjit_context *context, uint64_t keep);

/* ---- other libraries' arrays ---------------------------------------------------------------- */

struct DLManagedTensor;

/* An array as a tensor of DLPack (dlpack.h, version 0.6 on), which any library that knows it takes
** over: nothing is copied. The tensor is the caller's until it hands it on; whoever has it at last
** calls its deleter, or kjit_dlpack_release(). That calls `release(data)`, from any thread, unless
** `release` is NULL: the array's memory has to stay until then, and may be freed there. Work that
** still writes it is not waited for: hand it on synchronized, or in the order of a stream that both
** sides know. float16 to complex128 and bool go by DLPack's own codes (bool by the newer kDLBool;
** for consumers that do not know it, kjit_array_view() as uint8). KJIT_ARGUMENT for records, times,
** what is read-only, and strides that are no multiple of an element. */
KJIT_API kjit_status kjit_to_dlpack(kjit_context *context, const kjit_array *array,
                                    void (*release)(void *data), void *data,
                                    struct DLManagedTensor **tensor);
/* The array that a tensor describes, in the same memory: of the processor, of the context's GPU,
** pinned or managed. The tensor stays the caller's, who calls kjit_dlpack_release() when the array
** is not used any more, and not kjit_array_free(); whoever made it frees the memory. KJIT_ARGUMENT
** for a foreign device or dtype, vector elements, and more than KJIT_RANK_MAX axes. */
KJIT_API kjit_status kjit_from_dlpack(kjit_context *context, const struct DLManagedTensor *tensor,
                                      kjit_array *array);
/* Lets go of a tensor: calls its deleter, if it has one. NULL is harmless. */
KJIT_API void kjit_dlpack_release(struct DLManagedTensor *tensor);

/* What Python's dicts __array_interface__ (host arrays) and __cuda_array_interface__ (device
** arrays) say of an array, both of version 3: for programs that embed Python, or are loaded by it.
** Source: NumPy's manual, "The array interface protocol"; numba's, "CUDA Array Interface". */
typedef struct kjit_interface {
    size_t size;      /* sizeof(kjit_interface), set by the caller */
    int version;      /* 3 */
    char typestr[32]; /* "<f4", "|b1", "<M8[ns]", "|V12" for records, "<V2" for bfloat16,
                         "|V1" and "|f1" for float8_e4m3 and float8_e5m2, as ml_dtypes has them */
    int32_t rank;
    int64_t shape[KJIT_RANK_MAX];
    int has_strides;                /* 0: strides are None, the array is row-major without gaps */
    int64_t strides[KJIT_RANK_MAX]; /* bytes */
    void *data;                     /* NULL if it has no elements */
    int readonly;
    int has_mask;              /* 1: it has a `mask` that is not None */
    const kjit_record *record; /* of records, what `descr` says; else NULL */
    uint64_t stream;           /* whose work has to be waited for: a CUstream; 1: the legacy default
                                  stream, 2: the thread's own; 0: none */
} kjit_interface;

/* Describes an array as work on `stream`, which may be NULL, leaves it. A program that has
** synchronized may set `stream` to 0. Fills as much as `interface->size` says; the record stays
** whose it is. */
KJIT_API kjit_status kjit_array_interface(kjit_context *context, const kjit_stream *stream,
                                          const kjit_array *array, kjit_interface *interface);
/* The array that is described, in the same memory, which stays whose it is. `flags`: KJIT_ON_DEVICE
** for a __cuda_array_interface__, 0 for an __array_interface__. Its `stream` is the caller's to
** wait for: kjit_stream_foreign() takes its number as a handle. KJIT_ARGUMENT for what kjit has
** not: masks, Python objects, texts, big-endian numbers. */
KJIT_API kjit_status kjit_interface_array(const kjit_interface *interface, uint32_t flags,
                                          kjit_array *array);
/* The dict itself, as Python writes it: "{'shape': (3, 4), 'typestr': '<f4', ...}". `*text` is the
** caller's: kjit_free(). */
KJIT_API kjit_status kjit_interface_text(const kjit_interface *interface, char **text);

/* ---- ahead of time ---------------------------------------------------------------------- */

/* A kernel with the types that it is to be compiled for: as in kjit_emit_options. */
typedef struct kjit_build_item {
    kjit_kernel *kernel;
    const char *signature; /* "hist_kernel(float32[::1], ...)"; NULL: use `args` or, if there are
                              none, the first signature that the decorator declares */
    const kjit_arg *args;
    size_t arg_count;
} kjit_build_item;

typedef struct kjit_build_options {
    size_t size;      /* sizeof(kjit_build_options) */
    const char *form; /* "binary": for kjit_load_binary(); "c-header": that inside of a C header;
                           "tvm-ffi": a shared object for TVM FFI, which needs kjit no more, of
                           kernels of arrays and numbers (docs/embedding.md) */
    /* What to compile for: "sm_90", a GPU; "compute_75", PTX, which the driver of any newer GPU
    ** compiles; "cpu", any x86-64 processor, or with "cpu:x86-64-v3" and the like its later levels,
    ** or with "cpu:native" processors of this model. None: compute_75, sm_80, sm_90 and cpu. */
    const char *const *targets;
    size_t target_count;
    const char *name; /* of a header: what its names end in, "hist" */
} kjit_build_options;

/* Compiles kernels ahead of time: each item for every target. The kernels' contexts do not matter,
** nor does what device they are of. `*data` is the caller's: kjit_free(); a header's text ends in a
** NUL that `*length` does not count. KJIT_INVALID and KJIT_ARGUMENT as kjit_emit(); KJIT_NO_DEVICE
** without the NVRTC or C compiler that a target needs, or the C compiler that "tvm-ffi" needs;
** KJIT_UNSUPPORTED for a kernel that the form cannot have. */
KJIT_API kjit_status kjit_build(const kjit_build_item *items, size_t count,
                                const kjit_build_options *options, char **data, size_t *length);

/* Loads what kjit_build() made: the kernels, for the signatures it was given and no others, without
** a compiler. `data` may go afterwards; `name` is what messages call it. Of each kernel the image
** that suits the device best is taken. All that can be done with a kernel can be done with these,
** but for kjit_emit(), kjit_build() and kjit_replace_text(); a launch with other types is
** KJIT_ARGUMENT, and the message lists those there are. Where the types have strides (float32[:])
** arrays of every layout do. The module is as kjit_load_file()'s, which also loads such files.
** KJIT_FILE if it is damaged or of another kjit's format; KJIT_NO_DEVICE if nothing in it runs on
** the device. Damage is found; but the machine code in it runs, so it has to come from a trusted
** source. */
KJIT_API kjit_status kjit_load_binary(kjit_context *context, const void *data, size_t length,
                                      const char *name, kjit_module **module);
/* A kernel of a binary that is part of the program, which stays where it is as long as the context:
** loaded at the first call, and once for a context, whatever threads call. It goes with the
** context. Generated headers call this. */
KJIT_API kjit_status kjit_embedded_kernel(kjit_context *context, const void *data, size_t length,
                                          const char *name, kjit_kernel **kernel);

/* ---- facts ------------------------------------------------------------------------------ */

/* What the last launch or compilation of the calling thread did. */
typedef struct kjit_report {
    size_t size;                  /* sizeof(kjit_report), set by the caller */
    int compiled;                 /* 1: NVRTC or the C compiler ran */
    int disk_hit;                 /* 1: a compiled kernel came from disk */
    double frontend_ms;           /* text to CUDA C or C */
    double compiler_ms;           /* NVRTC or the C compiler */
    double load_ms;               /* loading machine code */
    double run_ms;                /* the launch, copies left out, where it was waited for */
    uint64_t bytes_in, bytes_out; /* copied to and from the device */
    int rehearsed; /* 1: device check: nothing can be found in the launch, which was seen before it
                      began; so it ran as on the processor */
} kjit_report;

/* Fills as much of the report as its size says. */
KJIT_API void kjit_last_report(kjit_report *report);

/* What became of a kernel for one list of argument types. */
typedef struct kjit_facts {
    size_t size;      /* sizeof(kjit_facts), set by the caller */
    const char *call; /* "hist_kernel(float32[::1], ...)"; lives as long as the kernel */
    int max_threads;  /* of a block */
    int registers;    /* of a thread; as what follows, 0 on the processor */
    uint64_t shared_bytes, local_bytes,
        constant_bytes; /* fixed: of a block, a thread, the kernel */
    int64_t spill_store_bytes,
        spill_load_bytes;   /* of a thread, for want of registers; -1: unknown */
    int resident_blocks;    /* of the configuration's size, at once on a multiprocessor */
    uint64_t device_blocks; /* and on the device: the largest grid that may wait for itself */
    double occupancy;       /* threads of these, of those that a multiprocessor can hold: 0 to 1 */
    int disk_hit;           /* 1: it came from disk */
    double frontend_ms, compiler_ms, load_ms; /* what making it took */
} kjit_facts;

/* The facts of a kernel for these arguments, compiled if need be, and what blocks and shared
** memory of `config` make of them; with NULL, and for blocks that are not allowed, the resident
** ones are 0. Fills as much of `facts` as its size says. */
KJIT_API kjit_status kjit_kernel_facts(kjit_kernel *kernel, const kjit_launch_config *config,
                                       const kjit_arg *args, size_t count, kjit_facts *facts);
/* How often a kernel has been compiled or loaded, for other types each time; and the facts of one
** of these, what came last first. KJIT_ARGUMENT beyond the last. */
KJIT_API size_t kjit_specialisation_count(const kjit_kernel *kernel);
KJIT_API kjit_status kjit_specialisation_facts(kjit_kernel *kernel, size_t index,
                                               kjit_facts *facts);

/* What a context has done since it was opened. */
typedef struct kjit_counters {
    size_t size;                         /* sizeof(kjit_counters), set by the caller */
    uint64_t compilations;               /* by NVRTC or the C compiler */
    uint64_t disk_hits;                  /* kernels found in the disk cache instead */
    uint64_t memory_hits;                /* calls that found their kernel compiled and loaded */
    uint64_t launches, graph_launches;   /* those that were recorded count as launches, once */
    uint64_t bytes_in, bytes_out;        /* of host arrays, copied for launches */
    uint64_t captures, capture_failures; /* under KJIT_CAPTURE: launches written down, or not */
} kjit_counters;

/* Fills as much of `counters` as its size says. */
KJIT_API void kjit_count(kjit_context *context, kjit_counters *counters);

/* ---- the checker -------------------------------------------------------------------------- */

/* Every launch in a context of the device "check" runs under a checker, which looks for what is
** wrong whether or not it does harm this time: docs/checking.md. A launch that ran is KJIT_OK
** whatever was found. Findings are gathered in the context: those of one rule at the same lines are
** one, however many threads and launches had a part in it. A large launch of which it is seen
** before that nothing can be found in it runs as on the processor (kjit_report.rehearsed).
**
** Memory that kjit_array_new() hands out, and host arrays with KJIT_UNWRITTEN, count
** as unwritten until something is copied or stored there. */
typedef struct kjit_check_options {
    size_t size;   /* sizeof(kjit_check_options) */
    uint64_t seed; /* of the order that threads run in; 0: one after the other. Another order may
                      find more: launch again on the same data with another seed */
    int nan;       /* 1: tell where NaN and infinities are born, in kernels that are called with
                      their types for the first time */
    int advise;    /* 1: tell what makes the kernel slow on a GPU, too */
} kjit_check_options;

/* What the launches that begin from now on look for. Else everything in it is 0. KJIT_ARGUMENT if
** the context's device is not "check". */
KJIT_API kjit_status kjit_check_set(kjit_context *context, const kjit_check_options *options);

/* Where something was done, or waited for. */
typedef struct kjit_check_place {
    const char *file;              /* NULL: there is no such place */
    uint32_t line, column;         /* from 1; columns count characters */
    uint32_t end_line, end_column; /* behind its last character */
    const char *what; /* is done: "reads", "writes", "does atomic add on", "comes to syncthreads" */
    int access;       /* 1: to an element */
    int known;        /* 1: block and thread are */
    uint32_t block[3], thread[3];
} kjit_check_place;

typedef struct kjit_check_finding {
    size_t size;                /* sizeof(kjit_check_finding), set by the caller */
    const char *rule;           /* "race": kjit_check_rule_at() lists them */
    int advice;                 /* 1: it is no defect, but slow */
    const char *kernel;         /* that was launched */
    const char *message;        /* one line without places */
    const char *note;           /* what would help, or "" */
    const char *element;        /* that was touched, "x[3, 5]", or "" */
    uint64_t times;             /* that it was met with */
    kjit_check_place at, other; /* the two accesses, say; or one */
    const char *text; /* all of that as kjit check prints it, with the lines; ends in a newline */
} kjit_check_finding;

/* How many findings there are; 0 where nothing is checked. */
KJIT_API size_t kjit_check_count(kjit_context *context);
/* One of them, in the order they came. Fills as much of `finding` as its size says. KJIT_ARGUMENT
** beyond the last. Its strings are good until kjit_check_clear(), or the context is closed. */
KJIT_API kjit_status kjit_check_finding_at(kjit_context *context, size_t index,
                                           kjit_check_finding *finding);
/* Forgets them. */
KJIT_API void kjit_check_clear(kjit_context *context);

/* ---- the device ---------------------------------------------------------------------------- */

/* What a device is. Numbers that are not known are -1. */
typedef struct kjit_device_info {
    size_t size;         /* sizeof(kjit_device_info), set by the caller */
    char arch[16];       /* "sm_90"; of the processor "x86-64" */
    char driver[64];     /* "CUDA 13.0"; "" for the processor */
    int processors;      /* multiprocessors; of the processor: threads that blocks run on at once */
    int warp;            /* threads of one */
    int block_threads;   /* the most threads of a block */
    int max_block[3];    /* and along each axis */
    int64_t max_grid[3]; /* the most blocks along each axis */
    int resident_threads, resident_blocks; /* the most at once on a multiprocessor */
    int block_registers;                   /* for all threads of a block together, 32 bits each */
    int64_t static_shared, shared;         /* bytes that a block may have fixed; and in all */
    int64_t l2_bytes;     /* of the last cache before memory: the L2 of a GPU, all caches that the
                             threads of the processor share or have, together */
    int64_t memory_bytes; /* as kjit_memory_usage() */
    int64_t clock_khz, memory_clock_khz; /* the highest there are */
    int memory_bus_bits;
} kjit_device_info;

/* Fills as much of `info` as its size says. Drivers of GPUs take up to a millisecond to tell. */
KJIT_API kjit_status kjit_device_facts(kjit_context *context, kjit_device_info *info);

/* ---- tuned kernels -------------------------------------------------------------------------- */

/* Of a kernel with an @tune, tuning leaves a file NAME.wisdom beside NAME.k: which constants, block
** and grid were the best for a text of the kernel, for types and extents of its arguments, and for
** a device. docs/tuning.md has more; kjit_tools.h has what tuning itself takes. */

/* What a kernel is launched as. */
typedef struct kjit_tuned {
    size_t size;     /* sizeof(kjit_tuned), set by the caller */
    const char *how; /* "exact": a record of the device, for these extents; "nearest": of its
                        architecture, for the nearest extents; "constants": none, so the source as
                        it stands (kjit_own_shape() of kjit_tools.h) */
    const char *why; /* which record, or why none, in words; "" of a kernel that has no @tune, and
                        that the file says nothing of */
    const char *configuration; /* "block_size_x=32, tile=2" */
    const char *complaints;    /* what in the file makes no sense, or contradicts the source, and
                                  is not used, as the command prints it; NULL: nothing */
    kjit_kernel *kernel; /* to be launched; lives as long as the module of the one asked for */
    kjit_launch_config shape;
    const char *objective; /* "time": what the record was found by; NULL: none is taken */
} kjit_tuned;

/* What kjit_launch_tuned() would launch. Records count if they are of the kernel's text and of the
** arguments' types. A record that sets what the module was loaded with otherwise (defines and the
** like) is not taken, nor one whose restrictions do not hold, whose block or grid follow otherwise
** than in @tune, or that does not compile: it is compiled for the launch here. The file is read at
** the first such call for a module. Fills as much of `tuned` as its size says; its strings are good
** until the calling thread calls it again. Fails as kjit_own_shape() does if no record is taken:
** `why` and `complaints` are set then, too, and the others 0. KJIT_UNSUPPORTED if the kernel comes
** from a binary. */
KJIT_API kjit_status kjit_tuned_find(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                     kjit_tuned *tuned);
/* Launches that. `stream` may be NULL. The first launch for types and extents looks it up, and may
** load and compile the kernel anew; later ones cost little more than kjit_launch(). Fails as
** kjit_tuned_find() and kjit_launch() do. */
KJIT_API kjit_status kjit_launch_tuned(kjit_kernel *kernel, kjit_stream *stream,
                                       const kjit_arg *args, size_t count);

/* ---- programs: functions of the host's part ------------------------------------------------- */

/* A file with a host's part (docs/programs.md) whose level has run, and whose functions can be
** called: a solver with its loops and launches is one call, as in examples/embed/solver.c:
**
**     kjit_program *program;
**     kjit_arg mean;
**     kjit_program_open(module, NULL, &program);
**     KJIT_PROGRAM_CALL(program, "solve", &mean, KJIT_ARRAY(plate, ROWS, COLUMNS), 0.2, 5000);
**     printf("%g\n", mean.as.number);
**
** The program is the caller's: kjit_program_close(), before its module goes. Calls on one program
** wait for one another; what it prints to may call none on it. */
typedef struct kjit_program kjit_program;

typedef struct kjit_program_open_options {
    size_t size; /* sizeof(kjit_program_open_options) */
    /* What the program prints, piece by piece; NULL: it goes to the standard output. */
    void (*print)(void *context, const char *text, size_t length);
    void *context;             /* for `print` */
    const kjit_define *values; /* expressions in place of what the module first assigns to a name */
    size_t value_count;
} kjit_program_open_options;

/* Runs the statements of the module's level as an import does: `__name__` is the file's name, and
** what stands under `if __name__ == "__main__":` is left out. `options` may be NULL. KJIT_INVALID
** with Python's traceback as the message if it raises; KJIT_ARGUMENT if the module assigns nothing
** to a name of `values`. */
KJIT_API kjit_status kjit_program_open(kjit_module *module,
                                       const kjit_program_open_options *options,
                                       kjit_program **program);
/* Calls a function of the module's level with these arguments, by their order. Numbers that are
** int, long, double, bool or double _Complex in C are Python's numbers, others NumPy's. The
** function works in the memory of host arrays, and on the elements of the device's; what it writes
** is there when it returns, in arrays of a GPU in the order of the context's default stream. What
** is stored in a name of the module is a copy.
**
** `*result`, which may be NULL, gets what the function returns: a number, an array, a tuple of
** such; None is a tuple without items. Arrays of arguments, and views of them, are where they were;
** other arrays are the host's, and the program's until its next call. KJIT_INVALID with a traceback
** if it raises, KJIT_ARGUMENT if there is no such name, or a status of what it launched. */
KJIT_API kjit_status kjit_program_call(kjit_program *program, const char *function,
                                       const kjit_arg *args, size_t count, kjit_arg *result);
/* What a name of the module's level holds, which is as a result: good until the next call. */
KJIT_API kjit_status kjit_program_get(kjit_program *program, const char *name, kjit_arg *value);
/* Lets go of a program and its results. NULL is harmless. */
KJIT_API void kjit_program_close(kjit_program *program);

/* ---- the call that reads like numba's ------------------------------------------------------- */

/* An argument of each scalar type: kjit_arg_float32(-4), kjit_arg_int64(n). float16 and bfloat16
** are given as float. */
/* clang-format off */
#define KJIT_SCALAR_MAP(X)                                                                     \
    X(INT8, int8, int8_t, integer) X(INT16, int16, int16_t, integer)                            \
    X(INT32, int32, int32_t, integer) X(INT64, int64, int64_t, integer)                         \
    X(UINT8, uint8, uint8_t, integer) X(UINT16, uint16, uint16_t, integer)                      \
    X(UINT32, uint32, uint32_t, integer) X(UINT64, uint64, uint64_t, integer)                   \
    X(FLOAT16, float16, float, number) X(BFLOAT16, bfloat16, float, number)                     \
    X(FLOAT32, float32, float, number) X(FLOAT64, float64, double, number)
/* clang-format on */

#define KJIT_SCALAR_FUNCTION(NAME, name, type, field)                                              \
    static inline kjit_arg kjit_arg_##name(type value)                                             \
    {                                                                                              \
        kjit_arg arg;                                                                              \
        arg.kind = KJIT_ARG_SCALAR;                                                                \
        arg.dtype = KJIT_DTYPE_##NAME;                                                             \
        arg.as.complex_parts[1] = 0;                                                               \
        KJIT_SET_##field(arg, value);                                                              \
        return arg;                                                                                \
    }
#define KJIT_SET_integer(arg, value) ((arg).as.integer = (int64_t)(value))
#define KJIT_SET_number(arg, value)  ((arg).as.number = (double)(value))
KJIT_SCALAR_MAP(KJIT_SCALAR_FUNCTION)
#undef KJIT_SCALAR_FUNCTION
#undef KJIT_SET_integer
#undef KJIT_SET_number

static inline kjit_arg kjit_arg_bool(int value)
{
    kjit_arg arg = kjit_arg_int64(value != 0);
    arg.dtype = KJIT_DTYPE_BOOL;
    return arg;
}

static inline kjit_arg kjit_arg_complex128(double real, double imag)
{
    kjit_arg arg = kjit_arg_float64(real);
    arg.dtype = KJIT_DTYPE_COMPLEX128;
    arg.as.complex_parts[1] = imag;
    return arg;
}

static inline kjit_arg kjit_arg_complex64(float real, float imag)
{
    kjit_arg arg = kjit_arg_complex128((double)real, (double)imag);
    arg.dtype = KJIT_DTYPE_COMPLEX64;
    return arg;
}

/* An array as an argument: of the host, or of the device as kjit_to_device() describes it. */
static inline kjit_arg kjit_arg_array(kjit_array array)
{
    kjit_arg arg;
    arg.kind = KJIT_ARG_ARRAY;
    arg.dtype = KJIT_DTYPE_NONE;
    arg.as.array = array;
    return arg;
}

/* A tuple as an argument, of `count` items of any kind, tuples too: `items` stays the caller's, and
** where it is as long as the argument is used. A kernel's type of it has the types of all items, so
** that tuples of other lengths are other types. kjit_access() reports the arrays in it together. */
static inline kjit_arg kjit_arg_tuple(const kjit_arg *items, size_t count)
{
    kjit_arg arg;
    arg.kind = KJIT_ARG_TUPLE;
    arg.dtype = KJIT_DTYPE_NONE;
    arg.as.tuple.items = items;
    arg.as.tuple.count = count;
    return arg;
}

static inline kjit_arg kjit_arg_host_array(void *data, kjit_dtype dtype, uint32_t flags,
                                           size_t rank, const int64_t *shape)
{
    kjit_arg arg = kjit_arg_array(kjit_host_array(data, dtype, (int32_t)rank, shape));
    arg.as.array.flags = flags;
    return arg;
}

/* KJIT_CALL(kernel, KJIT_GRID(x, y, z), KJIT_BLOCK(x, y, z), arguments...) launches with the types
** that the C arguments have: numba's kernel[grid, block](arguments...). Sizes left out of a grid or
** block are 1. An argument is
**     a number                               int is int32, long is int64, double is float64; _Bool
**                                            is bool, but C's `true` is an int: kjit_arg_bool(1)
**     KJIT_ARRAY(pointer, extents...)        a row-major host array of the pointer's element type
**     KJIT_CONST_ARRAY(pointer, extents...)  the same, which the kernel may not write
**     KJIT_TUPLE(arguments...)               a tuple of such arguments, tuples among them; of none,
**                                            kjit_arg_tuple(NULL, 0)
**     a kjit_array or a kjit_arg             as it is
** At most 32 of them, and of those in a tuple, which lives as long as the block that KJIT_TUPLE()
** stands in. Gives a kjit_status. C11 only; C++ programs have kjit.hpp. */
#ifndef __cplusplus

#define KJIT_GRID(...)  ((const uint32_t[3]){ __VA_ARGS__ })
#define KJIT_BLOCK(...) ((const uint32_t[3]){ __VA_ARGS__ })

#define KJIT_ARRAY(pointer, ...)                                                                   \
    kjit_arg_host_array((pointer), KJIT_DTYPE_OF(*(pointer)), 0, KJIT_EXTENTS(__VA_ARGS__))
#define KJIT_CONST_ARRAY(pointer, ...)                                                             \
    kjit_arg_host_array((void *)(uintptr_t)(pointer), KJIT_DTYPE_OF(*(pointer)), KJIT_READONLY,    \
                        KJIT_EXTENTS(__VA_ARGS__))

#define KJIT_TUPLE(...)                                                                            \
    kjit_arg_tuple(                                                                                \
        (const kjit_arg[]){ KJIT_PASTE(KJIT_ARGS_, KJIT_COUNT(0, __VA_ARGS__))(0, __VA_ARGS__) },  \
        KJIT_COUNT(__VA_ARGS__))

/* KJIT_CALL(kernel, grid, block, arguments...) */
#define KJIT_CALL(kernel, grid, ...)                                                               \
    kjit_call((kernel), (grid), KJIT_FIRST(__VA_ARGS__, 0),                                        \
              (const kjit_arg[]){ KJIT_PASTE(KJIT_ARGS_, KJIT_COUNT(__VA_ARGS__))(__VA_ARGS__) },  \
              KJIT_COUNT(__VA_ARGS__) - 1)

/* KJIT_CALL_WITH(kernel, config, arguments...): the same with all of a kjit_launch_config, which is
** given by its address: dynamic shared memory, a stream. */
#define KJIT_CALL_WITH(kernel, ...)                                                                \
    kjit_launch(                                                                                   \
        (kernel), KJIT_FIRST(__VA_ARGS__, 0),                                                      \
        (const kjit_arg[]){ KJIT_PASTE(KJIT_ARGS_, KJIT_COUNT(__VA_ARGS__))(__VA_ARGS__) },        \
        KJIT_COUNT(__VA_ARGS__) - 1)

/* KJIT_PROGRAM_CALL(program, function, result, arguments...): kjit_program_call() with such
** arguments. */
#define KJIT_PROGRAM_CALL(program, function, ...)                                                  \
    kjit_program_call(                                                                             \
        (program), (function),                                                                     \
        (const kjit_arg[]){ KJIT_PASTE(KJIT_ARGS_, KJIT_COUNT(__VA_ARGS__))(__VA_ARGS__) },        \
        KJIT_COUNT(__VA_ARGS__) - 1, KJIT_FIRST(__VA_ARGS__, 0))

/* What stands behind it; not to be used by itself. */
static inline kjit_status kjit_call(kjit_kernel *kernel, const uint32_t *grid,
                                    const uint32_t *block, const kjit_arg *args, size_t count)
{
    kjit_launch_config config = {
        sizeof config, { grid[0], grid[1], grid[2] }, { block[0], block[1], block[2] }, 0, NULL
    };
    return kjit_launch(kernel, &config, args, count);
}

static inline kjit_arg kjit_arg_same(kjit_arg arg)
{
    return arg;
}

static inline kjit_arg kjit_arg_of_float_complex(float _Complex value)
{
    const float *parts = (const float *)&value;
    return kjit_arg_complex64(parts[0], parts[1]);
}

static inline kjit_arg kjit_arg_of_double_complex(double _Complex value)
{
    const double *parts = (const double *)&value;
    return kjit_arg_complex128(parts[0], parts[1]);
}

/* clang-format off */
/* For what is no argument: there is no such function, and compilers say what to write instead. */
#if defined(__has_attribute)
#if __has_attribute(error)
__attribute__((error("pass a pointer as KJIT_ARRAY(pointer, length)")))
#endif
#endif
kjit_arg kjit_arg_of_pointer(const void *pointer);

#define KJIT_DTYPE_OF(element)                                                                 \
    _Generic((element), _Bool: KJIT_DTYPE_BOOL, char: KJIT_DTYPE_INT8,                          \
             signed char: KJIT_DTYPE_INT8, short: KJIT_DTYPE_INT16, int: KJIT_DTYPE_INT32,      \
             long: KJIT_DTYPE_INT64, long long: KJIT_DTYPE_INT64,                               \
             unsigned char: KJIT_DTYPE_UINT8, unsigned short: KJIT_DTYPE_UINT16,                \
             unsigned: KJIT_DTYPE_UINT32, unsigned long: KJIT_DTYPE_UINT64,                     \
             unsigned long long: KJIT_DTYPE_UINT64, float: KJIT_DTYPE_FLOAT32,                  \
             double: KJIT_DTYPE_FLOAT64, float _Complex: KJIT_DTYPE_COMPLEX64,                  \
             double _Complex: KJIT_DTYPE_COMPLEX128)
#define KJIT_ARG(value)                                                                        \
    _Generic((value), _Bool: kjit_arg_bool, char: kjit_arg_int8, signed char: kjit_arg_int8,    \
             short: kjit_arg_int16, int: kjit_arg_int32, long: kjit_arg_int64,                  \
             long long: kjit_arg_int64, unsigned char: kjit_arg_uint8,                          \
             unsigned short: kjit_arg_uint16, unsigned: kjit_arg_uint32,                        \
             unsigned long: kjit_arg_uint64, unsigned long long: kjit_arg_uint64,               \
             float: kjit_arg_float32, double: kjit_arg_float64,                                 \
             float _Complex: kjit_arg_of_float_complex,                                         \
             double _Complex: kjit_arg_of_double_complex, kjit_array: kjit_arg_array,           \
             kjit_arg: kjit_arg_same, default: kjit_arg_of_pointer)(value)
#define KJIT_EXTENTS(...)                                                                      \
    sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), (const int64_t[]){ __VA_ARGS__ }
#define KJIT_FIRST(first, ...)  first
#define KJIT_PASTE(a, b)        KJIT_PASTE_NOW(a, b)
#define KJIT_PASTE_NOW(a, b)    a##b
#define KJIT_COUNT(...) KJIT_PICK(__VA_ARGS__, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, \
                                  22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, \
                                  6, 5, 4, 3, 2, 1, 0)
#define KJIT_PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, \
                  a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, \
                  a33, n, ...) n
/* KJIT_ARGS_n(block, n - 1 arguments): the arguments as a list, and one more that ends it. */
#define KJIT_ARGS_1(b)          kjit_arg_int64(0)
#define KJIT_ARGS_2(b, a)       KJIT_ARG(a), KJIT_ARGS_1(b)
#define KJIT_ARGS_3(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_2(b, __VA_ARGS__)
#define KJIT_ARGS_4(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_3(b, __VA_ARGS__)
#define KJIT_ARGS_5(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_4(b, __VA_ARGS__)
#define KJIT_ARGS_6(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_5(b, __VA_ARGS__)
#define KJIT_ARGS_7(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_6(b, __VA_ARGS__)
#define KJIT_ARGS_8(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_7(b, __VA_ARGS__)
#define KJIT_ARGS_9(b, a, ...)  KJIT_ARG(a), KJIT_ARGS_8(b, __VA_ARGS__)
#define KJIT_ARGS_10(b, a, ...) KJIT_ARG(a), KJIT_ARGS_9(b, __VA_ARGS__)
#define KJIT_ARGS_11(b, a, ...) KJIT_ARG(a), KJIT_ARGS_10(b, __VA_ARGS__)
#define KJIT_ARGS_12(b, a, ...) KJIT_ARG(a), KJIT_ARGS_11(b, __VA_ARGS__)
#define KJIT_ARGS_13(b, a, ...) KJIT_ARG(a), KJIT_ARGS_12(b, __VA_ARGS__)
#define KJIT_ARGS_14(b, a, ...) KJIT_ARG(a), KJIT_ARGS_13(b, __VA_ARGS__)
#define KJIT_ARGS_15(b, a, ...) KJIT_ARG(a), KJIT_ARGS_14(b, __VA_ARGS__)
#define KJIT_ARGS_16(b, a, ...) KJIT_ARG(a), KJIT_ARGS_15(b, __VA_ARGS__)
#define KJIT_ARGS_17(b, a, ...) KJIT_ARG(a), KJIT_ARGS_16(b, __VA_ARGS__)
#define KJIT_ARGS_18(b, a, ...) KJIT_ARG(a), KJIT_ARGS_17(b, __VA_ARGS__)
#define KJIT_ARGS_19(b, a, ...) KJIT_ARG(a), KJIT_ARGS_18(b, __VA_ARGS__)
#define KJIT_ARGS_20(b, a, ...) KJIT_ARG(a), KJIT_ARGS_19(b, __VA_ARGS__)
#define KJIT_ARGS_21(b, a, ...) KJIT_ARG(a), KJIT_ARGS_20(b, __VA_ARGS__)
#define KJIT_ARGS_22(b, a, ...) KJIT_ARG(a), KJIT_ARGS_21(b, __VA_ARGS__)
#define KJIT_ARGS_23(b, a, ...) KJIT_ARG(a), KJIT_ARGS_22(b, __VA_ARGS__)
#define KJIT_ARGS_24(b, a, ...) KJIT_ARG(a), KJIT_ARGS_23(b, __VA_ARGS__)
#define KJIT_ARGS_25(b, a, ...) KJIT_ARG(a), KJIT_ARGS_24(b, __VA_ARGS__)
#define KJIT_ARGS_26(b, a, ...) KJIT_ARG(a), KJIT_ARGS_25(b, __VA_ARGS__)
#define KJIT_ARGS_27(b, a, ...) KJIT_ARG(a), KJIT_ARGS_26(b, __VA_ARGS__)
#define KJIT_ARGS_28(b, a, ...) KJIT_ARG(a), KJIT_ARGS_27(b, __VA_ARGS__)
#define KJIT_ARGS_29(b, a, ...) KJIT_ARG(a), KJIT_ARGS_28(b, __VA_ARGS__)
#define KJIT_ARGS_30(b, a, ...) KJIT_ARG(a), KJIT_ARGS_29(b, __VA_ARGS__)
#define KJIT_ARGS_31(b, a, ...) KJIT_ARG(a), KJIT_ARGS_30(b, __VA_ARGS__)
#define KJIT_ARGS_32(b, a, ...) KJIT_ARG(a), KJIT_ARGS_31(b, __VA_ARGS__)
#define KJIT_ARGS_33(b, a, ...) KJIT_ARG(a), KJIT_ARGS_32(b, __VA_ARGS__)
/* clang-format on */

#endif

#ifdef __cplusplus
}
#endif
#endif
