/* SPDX-License-Identifier: BSD-2-Clause
** Copyright (c) 2026, The kjit developers
**
** kjit for tools: what the command `kjit` and others of its kind need beside kjit.h, of which a
** program that launches kernels needs nothing. The rules are those of kjit.h. */
#ifndef KJIT_TOOLS_H
#define KJIT_TOOLS_H

#include "kjit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lists ---------------------------------------------------------------------------------- */

/* The optimising passes in the order they run, NULL beyond. The strings are the library's. */
KJIT_API const char *kjit_pass_name_at(size_t index);

/* The standard library's modules have files called "std:NAME", as in "std:histogram". Their names,
** in order, NULL beyond; and the text of one, NULL if there is none. The strings are the
** library's. */
KJIT_API const char *kjit_standard_name_at(size_t index);
KJIT_API const char *kjit_standard_text(const char *name);

/* The docstring of a module, and of a kernel, as it stands between its quotes; NULL if it has
** none. */
KJIT_API const char *kjit_module_doc(const kjit_module *module);
KJIT_API const char *kjit_kernel_doc(const kjit_kernel *kernel);

/* The names that a kernel inside a function reads and that have no value until kjit_define gives
** one, as that function's parameters without defaults; NULL beyond. */
KJIT_API const char *kjit_kernel_need(const kjit_kernel *kernel, size_t index);

/* 1 if the kernel has an @tune, else 0. */
KJIT_API int kjit_kernel_tunes(const kjit_kernel *kernel);

typedef struct kjit_check_rule {
    size_t size;       /* sizeof(kjit_check_rule), set by the caller */
    const char *name;  /* "race" */
    const char *about; /* a sentence */
    int advice;
} kjit_check_rule;

/* The rules in the order of docs/checking.md; 0 beyond the last, else 1. The strings are the
** library's. */
KJIT_API int kjit_check_rule_at(size_t index, kjit_check_rule *rule);

/* ---- values from text: what the command line and @example write ----------------------------- */

/* An expression is a number, True or False, a tuple, or one of
**     [[1, 2], [3, 4]]  array([1, 2, 3], dtype)
**     zeros(shape, dtype, order)  ones(...)  empty(...)  full(shape, value, dtype, order)
**     arange(start, stop, step, dtype)  linspace(start, stop, num, dtype, endpoint)
**     normal(size, seed, dtype, mean, std)  uniform(size, seed, dtype, low, high)
**     randint(low, high, size, seed, dtype)
**     datetime64("2001-12-31T23:59", unit)  timedelta64(5, "s")  array(["2001-12-31", "NaT"])
**     create_xoroshiro128p_states(n, seed=1, subsequence_start=0)
**     dtype([("x", float32), ("y", int32, (3,))], align=True)   for zeros, ones, empty and full
**     load("a.npy")  load("a.npz", "key")  load("a.bin", dtype=..., shape=...)
**     ndarray(shape, dtype, buffer, offset, strides)  readonly(x)
** with NumPy's defaults, and whatever host code of programs has (docs/values.md, docs/programs.md):
** arithmetic on arrays, which is compiled, conditions, NumPy's functions and methods, dtypes as
** functions (float32(-4)), lambdas, functions of the module. Slices, .T and ndarray() are views.
**
** Random numbers are xoroshiro128+'s, its state made of `seed` (0 unless given) by splitmix64; a
** normal pair is made of two of them by Box and Muller's method. The same seed gives the same
** numbers on every machine (normal ones up to the last bits of the C library's log and cos), for
** every dtype, rounded to it. empty() is filled with the byte 0xA5. */

/* Named values, in the order they were set, for the arguments of a launch. Owns its memory. One
** thread at a time. */
typedef struct kjit_values kjit_values;

/* No values yet. They are the caller's: kjit_values_close(), for which NULL is harmless. */
KJIT_API kjit_status kjit_values_new(kjit_values **values);
KJIT_API void kjit_values_close(kjit_values *values);
/* Evaluates `expression` ("normal(1000, seed=1, dtype=float32)", "data.npy", "x.T") and calls it
** `name`; it may use values set before. Setting a name again replaces it. Relative paths are
** relative to `directory`, or with NULL to the working directory. */
KJIT_API kjit_status kjit_values_set(kjit_values *values, const char *name, const char *expression,
                                     const char *directory);
/* From now on expressions may name the constants of the module, which must outlive that; with NULL
** those of none. Values go before constants. */
KJIT_API void kjit_values_constants(kjit_values *values, kjit_module *module);
/* Sets what the kernel's @example names and `values` has not, and what is left of the parameters
** that have defaults, whether or not there is an @example; grid, block and shared (if that is no
** parameter) are none of it. Paths are relative to the kernel's file. KJIT_ARGUMENT if the kernel
** has no @example. */
KJIT_API kjit_status kjit_values_example(kjit_values *values, kjit_kernel *kernel);
/* The example's grid and block into `config`, and, where that has 0, its shared: the bytes of
** dynamic shared memory. KJIT_ARGUMENT, and nothing changed, if it has none of them; what it does
** not name stays as it is. */
KJIT_API kjit_status kjit_example_config(kjit_kernel *kernel, kjit_launch_config *config);
/* The value called `name`: valid until it is set again. NULL if there is none. */
KJIT_API const kjit_arg *kjit_values_get(const kjit_values *values, const char *name);
/* All names in order; NULL beyond the last. */
KJIT_API const char *kjit_values_name_at(const kjit_values *values, size_t index);

/* ---- programs: the host's part of a file ----------------------------------------------------- */

/* 1 if the module level of the file does something, by calls, loops or `if __name__ == ...`, or
** binds names to values and there is no kernel; 0 if it only binds names. docs/programs.md says
** what the language of such programs has. */
KJIT_API int kjit_module_is_program(const kjit_module *module);
/* Whether a program may leave a value under this name: it assigns to it or imports it anywhere, or
** imports all names of a module. */
KJIT_API int kjit_module_binds(const kjit_module *module, const char *name);
/* Whether the host calls what the module has under this name: a function that is defined at its
** level, without a decorator, and is no kernel. */
KJIT_API int kjit_module_has_function(const kjit_module *module, const char *name);
/* Those that its `__all__` lists, in that order, and what they say of themselves, "" if nothing;
** `doc` may be NULL. NULL behind the last. */
KJIT_API const char *kjit_module_function_at(const kjit_module *module, size_t index,
                                             const char **doc);

/* A program in one of its steps. */
typedef struct kjit_program_state kjit_program_state;

/* A launch of a program: of one of its kernels, or of what became of an expression of arrays. */
typedef struct kjit_program_launch {
    size_t size;         /* sizeof(kjit_program_launch) */
    kjit_kernel *kernel; /* NULL: the remark is about several */
    const kjit_launch_config *config;
    const kjit_arg *args;
    size_t count;
    const char *file; /* of the statement */
    uint32_t line;
    const char *statement; /* its first line */
    const char *remark;    /* what became of an expression, as diagnostics are written; "": it is a
                              kernel of the program's */
} kjit_program_launch;

typedef struct kjit_group kjit_group; /* ranks that share launches: below */
typedef struct kjit_peaks kjit_peaks; /* what a device does at the best: below */

typedef struct kjit_program_options {
    size_t size; /* sizeof(kjit_program_options) */
    /* What the program prints, piece by piece; NULL: it goes to the standard output. */
    void (*print)(void *context, const char *text, size_t length);
    void *context;             /* for `print` */
    const kjit_define *values; /* expressions in place of what the module first assigns to a name */
    size_t value_count;
    kjit_values *results; /* gets what the module's names hold at the end, as far as kernels take
                             such: numbers, tuples, arrays; NULL: nothing is wanted */
    int *exit_status;     /* gets what exit() or SystemExit says, else 0; NULL: nothing is wanted */
    int profile;          /* 1: waits for each launch, and writes at the end to the standard error
                             how long they took, by kernel and line */
    /* Called where an iteration ends of a loop that no other is around, to show how far a program
    ** is. NULL: it is not reported. */
    void (*step)(void *step_context, kjit_program_state *state);
    void *step_context;
    const char *function; /* a function of the module's level, which is called at the end with
                             `values` for its parameters; what it gives is called `out` among the
                             results, several things a tuple; NULL: none is called */
    /* Called behind the first launch of a kernel by each line, to show what expressions became. All
    ** it gets is the program's. NULL: no such calls. */
    void (*launched)(void *launched_context, const kjit_program_launch *launch);
    void *launched_context;
    kjit_group *group; /* that its launches are split over, of the module's context, and which all
                          processes give; NULL: none. What cannot be split is done by rank 0 */
    const kjit_peaks *peaks; /* of the device: a profile shows how near launches come to them. Their
                                work is counted for it; NULL: it does not */
} kjit_program_options;

/* What a name holds in a step: in the function whose loop it is, else in the module. Array and
** tuple are the program's, until `step` returns; what a GPU works on is waited for and copied.
** KJIT_ARGUMENT if nothing is called so, or it is no value that kernels take. */
KJIT_API kjit_status kjit_program_value(kjit_program_state *state, const char *name, kjit_arg *arg);

/* Runs the file's statements, from the first to the last, as Python does. `options` may be NULL.
** KJIT_INVALID with Python's traceback as the message if it raises. One thread at a time for one
** module. What -D defines stands in place of what the name is first assigned at module level, as
** `values` do. KJIT_ARGUMENT if the module assigns no such name. */
KJIT_API kjit_status kjit_program_run(kjit_module *module, const kjit_program_options *options);

/* ---- values as text and as files ------------------------------------------------------------ */

/* The number that lies at an address, aligned or not, as an element of a dtype: a scalar of it, as
** kjit_array_get() gives. Of a record, or what is no dtype, it is 0. Any thread may call it. */
KJIT_API void kjit_element(kjit_dtype dtype, const void *at, kjit_arg *element);

/* A time as NumPy writes it, "2001-12-31T23:59" or "5 ns" or "NaT", cut off where the room ends; of
** a dtype that is none the number alone. */
KJIT_API void kjit_time_text(kjit_dtype dtype, int64_t count, char *text, size_t room);

/* Writes a file, of what kjit_emit() gives for one. It is written under another name and put in its
** place, so that it is complete, or what it was before, should the process end meanwhile (not the
** machine: nothing is synced). Where the folder takes no other file, and into pipes and devices,
** /dev/stdout among them, it is written as it comes: flush what is buffered before. KJIT_FILE if it
** cannot be written. Any thread may call it. */
KJIT_API kjit_status kjit_save_file(const char *path, const void *data, size_t length);
/* Whether kjit_save_file() could write there now: KJIT_FILE, with the reason, if the folder is not
** there or takes no files, or the path is a folder, or a file that may not be written. For programs
** that work long for what they write. What is there stays as it is. */
KJIT_API kjit_status kjit_save_check(const char *path);
/* Writes a host array as a .npy file: its columns where they lie whole and its rows do not, which
** the file says, else its rows. The file is complete or untouched. */
KJIT_API kjit_status kjit_save_npy(const char *path, const kjit_array *array);
/* The same, but as a picture where the path ends in .png, .pgm or .ppm: of uint8 or uint16,
** [height, width], or [height, width, channels] with grey and opacity (2), colours (3), or both
** (4), of which .pgm holds the first alone, and .ppm three channels. A .png needs libpng. */
KJIT_API kjit_status kjit_save_array(const char *path, const kjit_array *array);

/* ---- capture and replay ----------------------------------------------------------------- */

/* With KJIT_CAPTURE=FOLDER in the environment of kjit_open(), the context writes down what it
** launches: of launches that are alike in source, constants, types, extents and configuration the
** first, as a folder KERNEL-DIGEST of FOLDER with the kernel's files, its arguments, and what it
** left in its arrays. `kjit run` and the functions below replay it; docs/embedding.md says what
** stands in it. Such a launch is waited for, on any stream. Prepared launches are captured when
** they are first launched; what is recorded into a graph is not, and nothing says so. Another
** launch that cannot be captured goes on all the same: not-captured.txt in FOLDER says why, and
** kjit_count() how often. KJIT_CAPTURE_SIZE bounds what FOLDER may grow to, as KJIT_CACHE_SIZE is
** written (1G). kjit_open() is KJIT_ARGUMENT if FOLDER cannot be made or written. */

/* A launch that was captured. */
typedef struct kjit_replay kjit_replay;

typedef struct kjit_replay_facts {
    size_t size;               /* sizeof(kjit_replay_facts), set by the caller */
    const char *file, *kernel; /* for kjit_load_file() and kjit_get_kernel() */
    const char *device;        /* that it ran on, "cuda:0", and the model of that */
    const char *model;
    kjit_launch_config config;
    const kjit_define *defines; /* the options it was loaded with */
    size_t define_count;
    int debug, fastmath;
    const char *changed; /* files that were edited since, "a.k, b.k"; NULL if none was */
    const char *failure; /* what was said if the launch failed; then no values after it are there */
    int max_registers, unroll; /* as of kjit_load_options, which it was loaded with; 0: not said */
    const char *compiler_options, *passes; /* NULL: not said */
    const char *schedule;                  /* NULL: not said */
    const char *matmul;                    /* NULL: not said */
} kjit_replay_facts;

/* Reads a captured launch, given its folder or the launch.txt in it. The caller's:
** kjit_replay_close(). KJIT_FILE if it is none, or damaged. */
KJIT_API kjit_status kjit_replay_open(const char *path, kjit_replay **replay);
/* NULL is harmless. */
KJIT_API void kjit_replay_close(kjit_replay *replay);
/* Fills as much of `facts` as its size says. The strings live as long as the replay. */
KJIT_API void kjit_replay_tell(const kjit_replay *replay, kjit_replay_facts *facts);
/* Sets what `values` has not: the arguments that the launch began with; or, `after` being 1, those
** of them whose memory the kernel writes, as it left them. Arrays that shared memory share it. */
KJIT_API kjit_status kjit_replay_values(const kjit_replay *replay, int after, kjit_values *values);

/* ---- stages ---------------------------------------------------------------------------- */

/* What is said of an array of a launch that is split over ranks (docs/many.md): option "split" with
** an axis, "halo" with a number of rows, "reduce" with sum, sum:ordered, max, min, and, or, xor;
** or "copy", whose value is "". */
typedef struct kjit_wish {
    const char *option, *name, *value;
} kjit_wish;

typedef struct kjit_emit_options {
    size_t size;           /* sizeof(kjit_emit_options) */
    const char *stage;     /* "remarks", "ir", "ir-full", "schedule", "estimate",
                          "cuda", "c", "check", "ptx", "cubin", "sass", "so"; "remarks" are what the
                          compiler has to say of where numba's types cost time, or nothing;
                          "ir-full" has source lines, too;
                          "schedule" is what passes did, as docs/schedules.md has it;
                          "estimate" what a launch is expected to cost on a GPU;
                          "check" is the C that the checker runs; "so" is a shared
                          object for processors, with what kjit_load_file() needs to launch it
                          behind it */
    const char *signature; /* "hist_kernel(float32[::1], ...)"; NULL: use `args` or, if there are
                              none, the first signature that the decorator declares */
    const kjit_arg *args;
    size_t arg_count;
    const char *arch; /* "sm_90"; NULL: of the context's GPU, else sm_75; for "so" as a target of
                         kjit_build(), NULL: "cpu" */
    const char *text; /* for "ptx", "cubin", "sass" and "so": compile this instead, the text of the
                         stage "cuda" or "c" after editing by hand; as kjit_replace_text() */
    const char *text_name; /* what compilers are to call `text` */
    const char *facts; /* what is known of the launches that the code is for, which passes may use
                          to make it faster: "launch" (what one with `args` and `config` shows),
                          "hot" (that, its extents and scalars too), "none", "common" (what holds of
                          nearly all launches), or a list of facts (docs/optimisation.md) as
                          "narrow,aligned,block=16x16"; NULL: nothing, and no pass optimises
                          anything */
    const char *after; /* for "ir": show it as it is after this pass, or before any, after "lower";
                          NULL: after all */
    const kjit_launch_config *config; /* of the launch; NULL: not known */
    const char *passes; /* of kjit_emit_ir(): the passes to run, "forward,dce", in that order, "all"
                           standing for all that optimise; NULL: none */
    int without_lines;  /* 1: "cuda", "c" and "check" for readers, without #line */
    int ranks;          /* of "plan": how many share the launch, which `args` and `config` say; 0:
                           4 */
    const struct kjit_wish *wishes; /* of "plan": what is said of its arrays */
    size_t wish_count;
} kjit_emit_options;

/* What a kernel looks like after a stage. `*data` is the caller's: kjit_free(). Text ends in a NUL
** that `*length` does not count. */
KJIT_API kjit_status kjit_emit(kjit_kernel *kernel, const kjit_emit_options *options, char **data,
                               size_t *length);
/* The same of a kernel that is given as the text of the stage "ir", or "ir-full", which has source
** lines too: read again, sent through `passes`, and on to a stage (not "so"). `name` is what
** diagnostics call the text. Of the options `stage`, `arch`, `facts` (no "launch" or "hot") and
** `passes` count; without `facts` those of the text do. docs/ir.md has the language; it is that of
** this version of kjit, and changes. KJIT_INVALID if the text is wrong. */
KJIT_API kjit_status kjit_emit_ir(const char *text, const char *name,
                                  const kjit_emit_options *options, char **data, size_t *length);
/* The tokens ("tokens") or tree ("ast") of a source text, which diagnostics call `name`. `*data` as
** from kjit_emit(). */
KJIT_API kjit_status kjit_emit_source(const char *text, const char *name, const char *stage,
                                      char **data, size_t *length);

/* What a name means where it stands. */
typedef struct kjit_meaning {
    size_t size;
    const char *file;                  /* as diagnostics call it */
    uint32_t line, column, end_column; /* from 1, the last behind it; columns count characters */
    const char *what;      /* its type, "float32[::1]", or what else it is: "the function f" */
    const char *made_file; /* where it got that; NULL: it is built in */
    uint32_t made_line, made_column, made_end_column;
} kjit_meaning;

/* Tells of each name in the kernel, and in the functions that it calls, what it means for arguments
** of these types; without any, for the first signature that the decorator declares. In functions
** that are called with several lists of types a name is reported once for each. Strings live during
** the call of `each`. Fails as kjit_access() does, but after reporting what was understood. */
KJIT_API kjit_status kjit_meanings(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                   void (*each)(void *context, const kjit_meaning *meaning),
                                   void *context);

/* Compiles `text` in place of what kjit_emit() gives as `stage`, "cuda" on a GPU or "c" on the
** processor, for these arguments' types; launches with these types that begin from now on run it.
** It is that text, edited: with the same entry and parameters. All else stays as the kernel has it:
** which arrays are copied, what asserts say. `name` is what compilers call the text. KJIT_INVALID
** with the compiler's complaints; KJIT_ARGUMENT for another stage than the device's, or if the
** entry is not there or has other parameters. */
KJIT_API kjit_status kjit_replace_text(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                       const char *stage, const char *text, const char *name);

/* ---- predictions: what a launch would do ---------------------------------------------------- */

enum { KJIT_READS = 1, KJIT_WRITES = 2 };
/* What the kernel does to each argument's memory: `access[i]` gets KJIT_ flags, 0 for scalars. */
KJIT_API kjit_status kjit_access(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                 uint32_t *access);

enum { KJIT_COPIED_IN = 1, KJIT_COPIED_BACK = 2 };
/* What a launch with this configuration and these arguments copies of each host array, on a device
** with memory of its own: `transfers[i]` gets KJIT_COPIED_ flags, 0 for scalars and device arrays.
** An array that is only read is not copied back, and one that is surely overwritten whole, every
** element before anything reads it, is not copied in: the compiler derives that from stores such as
** out[i] at i = cuda.grid(1), or under i < n, or in a loop of stride cuda.gridsize(1), if the
** launch has as many threads, and n is as large, as `out` has elements (kjit_emit()'s "ir" has the
** conditions). Nothing is under debug, where a kernel may end at any place. Where arguments share
** bytes, each of them is copied as the one that needs most. Launches nothing, but compiles as
** kjit_compile() does; fails as kjit_launch() does. */
KJIT_API kjit_status kjit_transfers(kjit_kernel *kernel, const kjit_launch_config *config,
                                    const kjit_arg *args, size_t count, uint32_t *transfers);

/* Whether a launch with this configuration is too small for its results: `left[i]` is 1 for each
** array of which elements stay as they were, though a larger grid would overwrite them all; 2 for
** one of which it would write all that the kernel's conditions leave to write, such as the inner
** elements of a stencil, or all of an array that the kernel works on in place; else 0. If there
** are any, `enough`, three numbers, gets the blocks along x, y and z of a grid that does;
** otherwise it stays as it is. Only what is certain counts: arrays of which the kernel writes one
** element a thread, or iteration, at indices that the compiler understands. Launches nothing;
** fails as kjit_access() does. */
KJIT_API kjit_status kjit_left_over(kjit_kernel *kernel, const kjit_launch_config *config,
                                    const kjit_arg *args, size_t count, uint32_t *left,
                                    uint32_t *enough);

/* Whether the kernel's text is written for other blocks than this configuration's: it moves on by
** 32 threads a block where blocks have 16, or has a shared array with room for 32 threads where
** they have 64. `*misfit` gets NULL, or a line that says where and what: "k.k:9 has room for 32
** threads along x, not for 64", the caller's: kjit_free(). Launches nothing; fails as
** kjit_access() does. */
KJIT_API kjit_status kjit_misfit(kjit_kernel *kernel, const kjit_launch_config *config,
                                 const kjit_arg *args, size_t count, char **misfit);

/* How many axes of the launch the kernel reads indices along for these arguments: 2 if it uses
** cuda.grid(2) or the y of threadIdx and its like, 3 if it uses z, else 1. */
KJIT_API kjit_status kjit_axes(kjit_kernel *kernel, const kjit_arg *args, size_t count, int *axes);

/* How much work a launch does, as the kernel is written: before any pass improves it. */
typedef struct kjit_work {
    size_t size; /* sizeof(kjit_work), set by the caller */
    /* Floating-point operations by the width of their type: each + - * / % ** and function is one,
    ** a fused multiply-add two; comparisons, conversions, signs, minima and roundings are none. */
    uint64_t float16_ops, float32_ops, float64_ops; /* float16 and bfloat16 both in the first */
    uint64_t load_bytes, store_bytes, atomic_bytes; /* of global memory, asked for */
    /* What has to move at least between memory and device, everything being moved once: of each
    ** argument that is read its elements, and of each that is written; but no more than is asked
    ** for. Some of these elements may not be accessed. */
    uint64_t least_bytes;
    uint64_t blocks, counted_blocks; /* of the grid; those that stand for all. As many: the numbers
                                        are exact */
} kjit_work;

/* Counts what a launch with these arguments does. A copy of the kernel runs on the processor that
** keeps what decides where it goes, and counts in place of all else; what arrays hold is read
** if the kernel goes by that, and never changed. Large grids of kernels that take long are judged
** by blocks spread over them. Compiles with the C compiler (KJIT_NO_DEVICE without one).
** KJIT_UNSUPPORTED, with the reason, for kernels from binaries, recursive functions and the like;
** else fails as kjit_launch() does. Fills as much of `work` as its size says. */
KJIT_API kjit_status kjit_count_work(kjit_kernel *kernel, const kjit_launch_config *config,
                                     const kjit_arg *args, size_t count, kjit_work *work);

/* What a device does at the best: bytes copied, read and written together, and floating-point
** operations, each 1e9 a second; 0: unknown. */
struct kjit_peaks {
    size_t size; /* sizeof(kjit_peaks) */
    double copy_gbs, float32_gflops, float64_gflops;
};

/* The roof: the least time, in milliseconds, that so much work takes at these peaks, and what it
** goes by, "memory", "float32" or "float64". 0, and NULL, if nothing is known. */
KJIT_API double kjit_roof(const kjit_work *work, const kjit_peaks *peaks, const char **what);

/* ---- what a context and its device are doing ------------------------------------------------ */

typedef enum kjit_doing {
    KJIT_IDLE,      /* nothing, or something that is not looked at */
    KJIT_COMPILING, /* a kernel, front end and C compiler or NVRTC */
    KJIT_RUNNING,   /* a launch that the call which asked for it waits for */
    KJIT_WAITING    /* for a GPU: kjit_synchronize() and its like */
} kjit_doing;

/* What a context is doing. */
typedef struct kjit_activity {
    size_t size; /* sizeof(kjit_activity), set by the caller */
    kjit_doing doing;
    char kernel[128];             /* what is compiled or run, cut off if it is longer; or "" */
    double seconds;               /* since it began */
    uint64_t blocks, blocks_done; /* of a launch on the processor, checked or not: those it was
                                     to run, and about how many have ended; 0 if that is
                                     unknown, as of blocks that wait for one another */
    int others;                   /* more things that it does at the same time */
} kjit_activity;

/* Tells what the context is doing at this moment, for programs that show it, or look why they hang:
** of several things what began first. Meant for another thread than those that are at it; up to 64
** of these are seen. Waits for none of them. Fills as much of `activity` as its size says. */
KJIT_API kjit_status kjit_watch(kjit_context *context, kjit_activity *activity);

/* Who compiles for the device: "NVRTC 13.0", or what the C compiler says of itself; "" if there is
** none. Loads or runs it. The string is good until the calling thread asks again. */
KJIT_API const char *kjit_device_compiler(kjit_context *context);

/* How a device is at this moment. Of a GPU NVML tells it. Numbers that are not known are -1. */
typedef struct kjit_sensors {
    size_t size;                     /* sizeof(kjit_sensors), set by the caller */
    int clock_mhz, memory_clock_mhz; /* of the multiprocessors, or the processor; of memory */
    int throttled;                   /* 1: something holds the clock down, as heat or power do */
    char throttle[160]; /* why the clock is not the highest, "idle", "power cap, heat"; or "" */
    int celsius;
    int64_t milliwatts;
    int64_t millijoules; /* since the driver was loaded */
    char driver[64];     /* "580.95.05"; "" if not known */
    char why_not[320];   /* why nothing of a GPU is known; "" if something is */
} kjit_sensors;

/* Fills as much of `sensors` as its size says. Costs up to some milliseconds. */
KJIT_API kjit_status kjit_device_sensors(kjit_context *context, kjit_sensors *sensors);

/* ---- tuning ----------------------------------------------------------------------------- */

/* What of a kernel can be chosen, and how a launch's shape follows from it. @tune beside the kernel
** says so, or kjit_space_set():
**
**     @tune(block_size_x=[16, 32, 64], tile=[1, 2, 4], unroll=[1, 4],
**           block="block_size_x", problem="x.shape[0]",
**           grid_div_x=["block_size_x", "tile"], restrict="block_size_x * tile <= 128")
**
** Each other keyword is a parameter and the values to try. A parameter is a constant of the module,
** which takes its value as from kjit_load_options.defines, or one of kjit's own names, which go
** where the module has no such constant: max_registers, unroll, fastmath, passes and options are
** what kjit_load_options calls max_registers, unroll, fastmath, passes and compiler_options; None
** among their values stands for not saying it.
**
** Conditions and sizes are expressions, in quotes or not, of parameters, of the kernel's arguments,
** and of the module's constants: numbers, comparisons, and, or, not, in, if else, x.shape[0].
** `block` has one to three, for x, y and z; without it those of the parameters block_size_x,
** block_size_y and block_size_z that there are, else the block of the @example. `problem` says what
** the grid is to cover along each axis, in elements; what a block covers of that is the product of
** grid_div_x (y, z), by default the block's threads along the axis: so many blocks there are,
** rounded up. Without it the grid is the @example's. `restrict` is a condition, or a list of which
** all must hold. docs/tuning.md has more. */
typedef struct kjit_space kjit_space;

/* The space of the kernel's @tune, or without one an empty one. The caller's: kjit_space_close(),
** before the kernel's module goes. One thread at a time. KJIT_UNSUPPORTED if the kernel comes from
** a binary; KJIT_INVALID if values make no sense. */
KJIT_API kjit_status kjit_space_new(kjit_kernel *kernel, kjit_space **space);
/* NULL is harmless. */
KJIT_API void kjit_space_close(kjit_space *space);
/* One keyword as @tune takes it: a parameter ("tile", "[1, 2]"), or block, problem, grid_div_x,
** grid_div_y, grid_div_z or restrict. Replaces what was said of it; a new parameter comes last.
** KJIT_ARGUMENT, and the space as before, if it makes no sense. */
KJIT_API kjit_status kjit_space_set(kjit_space *space, const char *name, const char *expression);

/* The parameters in the order they stand, and how many values each has. Strings are the space's,
** until the parameter is set again; NULL and 0 beyond the last. */
KJIT_API size_t kjit_space_param_count(const kjit_space *space);
KJIT_API const char *kjit_space_param_name(const kjit_space *space, size_t param);
KJIT_API size_t kjit_space_value_count(const kjit_space *space, size_t param);
/* A value as Python writes it: 16, True, 'none', (4, 4). */
KJIT_API const char *kjit_space_value_text(const kjit_space *space, size_t param, size_t value);
/* 1 and the value if it is a number (True is 1), else 0. */
KJIT_API int kjit_space_value_number(const kjit_space *space, size_t param, size_t value,
                                     double *number);
/* A parameter that changes nothing: the kernel, with what it calls, reads no constant called so, it
** is none of kjit's own names, and no condition or size uses it. NULL behind the last. */
KJIT_API const char *kjit_space_unread_at(kjit_space *space, size_t index);
/* 1 if the parameter is one of kjit's own (max_registers, unroll and so on), which the module has
** no constant of, else 0. */
KJIT_API int kjit_space_param_is_own(const kjit_space *space, size_t param);
/* The names that are @tune's own: its keywords, and then kjit's own parameters. NULL behind the
** last. */
KJIT_API const char *kjit_space_name_at(size_t index);

/* A configuration is the number of a value for each parameter. */

/* Whether a launch with these arguments may have a configuration: its restrictions hold, and blocks
** and grid fit the device, as do the shared arrays whose sizes the kernel's text shows. Compiles
** nothing. `*why` gets NULL, or what is in the way, which is the space's until its next call.
** KJIT_INVALID, or KJIT_ARGUMENT for what kjit_space_set() said, if an expression makes no sense
** for these arguments. */
KJIT_API kjit_status kjit_space_allows(kjit_space *space, const uint32_t *config,
                                       const kjit_arg *args, size_t count, const char **why);
/* Receives all configurations. */
typedef struct kjit_space_visitor {
    size_t size; /* sizeof(kjit_space_visitor), set by the caller */
    void *context;
    /* One that is allowed, and the shape of its launch. 0: go on; else no more is wanted. */
    int (*allowed)(void *context, const uint32_t *config, const kjit_launch_config *shape);
    /* That so many are not, and why, as of kjit_space_allows(). `by_device`: by what the device
       has, not by a restriction. May be NULL. */
    void (*excluded)(void *context, double count, const char *why, int by_device);
    /* That so many were decided on, of all; from time to time. May be NULL. */
    void (*progress)(void *context, double count, double of);
} kjit_space_visitor;

/* Finds all configurations that kjit_space_allows() for these arguments, in no special order. A
** restriction is looked at as soon as the parameters that it reads have values, and what it
** excludes is not gone through one by one: how long it takes depends on what is left rather than
** on how many configurations there are. Of one that an earlier look excludes, later restrictions
** are not asked whether they make sense. Fails as kjit_space_allows() does. */
KJIT_API kjit_status kjit_space_visit(kjit_space *space, const kjit_arg *args, size_t count,
                                      const kjit_space_visitor *visitor);
/* The grid, the block and the bytes of dynamic shared memory (the @example's) that follow. Leaves
** the stream of `shape` as it is. Fails as kjit_space_allows() does; KJIT_ARGUMENT if neither @tune
** nor @example say how large blocks and grid are. */
KJIT_API kjit_status kjit_space_shape(kjit_space *space, const uint32_t *config,
                                      const kjit_arg *args, size_t count,
                                      kjit_launch_config *shape);
/* The kernel with the configuration's constants and options, in a module of its own, loaded from
** the text that the kernel's module was loaded from, with its options. `*module` is the caller's:
** kjit_close_module(). */
KJIT_API kjit_status kjit_space_kernel(kjit_space *space, const uint32_t *config,
                                       kjit_module **module, kjit_kernel **kernel);

/* A digest, in hexadecimal digits, of the text that decides what the space's kernels and launches
** are: the kernel and all that it reaches, without comments, and without what the parameters set;
** block, problem and grid_div_x, y, z. What was timed under one digest holds for nothing under
** another. */
enum { KJIT_DIGEST_SIZE = 33 };
KJIT_API kjit_status kjit_space_digest(kjit_space *space, char digest[KJIT_DIGEST_SIZE]);

/* The first configuration that is allowed for these arguments and is the source as it stands:
** constants of the module have the values that it gives them, and kjit's own names are not said.
** Parameters that are neither have whatever value is allowed. `config` has room for as many numbers
** as there are parameters. KJIT_ARGUMENT if there is none. */
KJIT_API kjit_status kjit_space_own(kjit_space *space, const kjit_arg *args, size_t count,
                                    uint32_t *config);
/* The shape that the kernel's @tune gives the source as it stands, whether or not the values of its
** constants are among those to try, and restrictions hold: where they do, the kjit_space_shape() of
** kjit_space_own(). Of parameters that the module has no constant of the sizes of the block are the
** @example's, if no block= says otherwise; the others have the first values that are allowed, or
** just the first if none are. Leaves the stream of `shape` as it is. Fails as kjit_space_new() and
** kjit_space_shape() do. */
KJIT_API kjit_status kjit_own_shape(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                    kjit_launch_config *shape);

/* Wisdom is what tuning found, in a file NAME.wisdom beside NAME.k: text, a record a line, made to
** be committed. A record holds for a text of the kernel (and of what it calls), for types and
** extents of its arguments, and for a device. */

/* Writes a record: that the configuration, for these arguments, reached `value` of the objective,
** "time" or another. It takes the place of those for the same kernel, text, types, extents, device
** and objective, of another block and grid as well; all else in the file stays as it is. `path`
** NULL: beside the source. Processes may do so at the same time. KJIT_FILE if it cannot be
** written, if it holds something else than wisdom, or a newer kjit has written it; KJIT_ARGUMENT
** if the kernel comes from no file, and none is named; KJIT_UNSUPPORTED if kjit_space_set() has
** said block, problem or grid_div_ otherwise than @tune does, by which launches go. */
KJIT_API kjit_status kjit_wisdom_add(kjit_space *space, const uint32_t *config,
                                     const kjit_arg *args, size_t count, const char *objective,
                                     double value, const char *path);

/* ---- many ranks ----------------------------------------------------------------------------- */

/* A kjit_group is ranks that share launches: docs/many.md. How many ranks a launcher, as mpirun or
** torchrun, says that this process is one of; 0: it says nothing. */
KJIT_API int kjit_launched_ranks(void);
/* 1: that launcher is one of MPI's; 0: it is not. */
KJIT_API int kjit_launched_by_mpi(void);
/* Which of the ranks on its host this process is, and how many these are, as the launcher says: 0
** and 1 if it says nothing. GPUs are given out by that. */
KJIT_API int kjit_launched_local_rank(void);
KJIT_API int kjit_launched_local_ranks(void);
/* A group of so many ranks of this process, which the processor serves one after the other; 0: this
** process is one of those that kjit_launched_ranks() tells of, all of which make this call. Loads
** MPI, which KJIT_MPI may name, and starts it unless it runs; or where the launcher is none of
** MPI's ZeroMQ, which KJIT_ZMQ may name. The caller's: kjit_close_group(), which is to be a call of
** all ranks. KJIT_NO_DEVICE without that library. */
KJIT_API kjit_status kjit_open_group(int ranks, kjit_group **group);
/* The same of the processes of a communicator: `comm` is the address of an MPI_Comm, of which it
** takes a copy (MPI_Comm_dup). MPI runs by then, and does until the group is closed. */
KJIT_API kjit_status kjit_open_group_of(const void *comm, kjit_group **group);
/* How a program moves bytes between its processes, where that is not by MPI: with what it has that
** connects them, as torch.distributed. */
typedef struct kjit_transport {
    size_t size;   /* sizeof(kjit_transport) */
    void *context; /* given to the functions */
    int rank, ranks;
    /* Begin to send and to receive: finish() waits for all that has begun, and gives KJIT_OK or,
    ** where another rank is gone or does not answer, the code of kjit_fail_with(). What is sent
    ** between two ranks arrives in that order; the receiver knows the size. Memory stays
    ** where it is until then. */
    kjit_status (*send)(void *context, int to, const void *data, size_t bytes);
    kjit_status (*receive)(void *context, int from, void *data, size_t bytes);
    kjit_status (*finish)(void *context);
    void (*fail)(void *context, const char *message); /* tells others that this rank has failed,
                                                         and waits for none; or NULL */
    void (*close)(void *context);                     /* or NULL */
} kjit_transport;
/* What functions of a transport return: sets kjit_error_message(), and gives `status` back. */
KJIT_API kjit_status kjit_fail_with(kjit_status status, const char *message);
/* A group of the processes that a transport connects, all of which make this call. */
KJIT_API kjit_status kjit_open_group_by(const kjit_transport *transport, kjit_group **group);
/* A group whose ranks are these GPUs, by their numbers, of which none is named twice. Launches are
** those of a context of the first. */
KJIT_API kjit_status kjit_open_gpus(const int *gpus, int count, kjit_group **group);
/* NULL is harmless. Ends MPI if the group started it. */
KJIT_API void kjit_close_group(kjit_group *group);
/* Before the context of its launches is closed, unless the group is: lets go of what it has of
** that, memory that it holds too. */
KJIT_API void kjit_group_leave(kjit_group *group);
/* Which rank the process is, 0 of ranks in one process; how many there are. */
KJIT_API int kjit_group_rank(const kjit_group *group);
KJIT_API int kjit_group_ranks(const kjit_group *group);
/* One launch over the ranks of a group. All processes call it with the same arguments, of the host;
** each rank computes on its parts of them. Memory that the group holds stays so: see below. What is
** written of other memory is, when it returns, on rank 0 what the launch leaves on one device; what
** other ranks then have there is not said. If a rank fails, or has other arguments, all fail, with
** its message. KJIT_INVALID, with the line, if the launch cannot be split. */
KJIT_API kjit_status kjit_group_launch(kjit_group *group, kjit_kernel *kernel,
                                       const kjit_launch_config *config, const kjit_arg *args,
                                       size_t count, const kjit_wish *wishes, size_t wish_count);
/* From now on what ranks write of this memory of the host stays with them from launch to launch,
** and is brought to others as far as they read it. All processes make these calls alike, with what
** the memory holds being the same for all. It may not be freed before kjit_group_drop(). */
KJIT_API kjit_status kjit_group_hold(kjit_group *group, kjit_context *context, void *memory,
                                     size_t bytes);
/* The same of the memory of all arrays among these arguments, where it is not held already. */
KJIT_API kjit_status kjit_group_hold_args(kjit_group *group, kjit_context *context,
                                          const kjit_arg *args, size_t count);
/* Brings all of it to the host, of each process; with NULL, as for kjit_group_drop(), of all memory
** that is held. */
KJIT_API kjit_status kjit_group_fetch(kjit_group *group, const void *memory);
/* The program has written some of it, after kjit_group_fetch(), the same in all processes. */
KJIT_API kjit_status kjit_group_wrote(kjit_group *group, const void *memory);
/* Its contents on the host are what was fetched last. */
KJIT_API kjit_status kjit_group_drop(kjit_group *group, const void *memory);
/* Waits until all ranks have done what was launched. */
KJIT_API kjit_status kjit_group_synchronize(kjit_group *group);
/* This rank has failed, for that reason, and will take part in nothing any more. Those that wait
** for it fail. */
KJIT_API void kjit_group_fail(kjit_group *group, const char *message);

/* ---- this machine ------------------------------------------------------------------------ */

typedef struct kjit_finding {
    const char *what;   /* "CUDA driver" */
    int found;          /* 1 or 0 */
    const char *detail; /* version, path */
    const char *advice; /* what to do if not found; NULL otherwise */
} kjit_finding;

/* Looks for drivers, devices, NVRTC, the C compiler and the cache, and calls `each` for every
** finding; the strings live during the call. */
KJIT_API kjit_status kjit_doctor(void (*each)(void *context, const kjit_finding *finding),
                                 void *context);
/* What compiles kernels for a GPU, or for the processor: version and path, as kjit_doctor() has
** them, but without trying it. They are cut to `size`. */
KJIT_API kjit_status kjit_compiler(int for_gpu, char *text, size_t size);

/* The kernel that the calling thread runs on the processor at this moment, as "f(float32[::1])";
** NULL if it runs none. Handlers of signals may ask. */
KJIT_API const char *kjit_running_call(void);
/* Asks the launch that the calling thread runs on the processor to stop: blocks that no thread has
** begun are left out, and kjit_launch() gives KJIT_LAUNCH. Those that have begun go on to their
** end, and so does a launch whose blocks wait for each other. For handlers of signals. */
KJIT_API void kjit_stop_running(void);

typedef struct kjit_cache_entry {
    const char *file;   /* name inside the cache folder */
    const char *kernel; /* "hist_kernel(float32[::1], ...)" */
    const char *target; /* "sm_90", "cpu" */
    uint64_t bytes;
    int64_t used; /* seconds since 1970 when it was last read or written */
} kjit_cache_entry;

/* The cache's folder, "" if it cannot be determined. The string is good until the calling thread
** asks again. */
KJIT_API const char *kjit_cache_directory(void);
/* Calls `each` for every entry, what was used last first; the strings live during the call.
** KJIT_FILE if there is no cache, KJIT_ARGUMENT if KJIT_CACHE_SIZE makes no sense. */
KJIT_API kjit_status kjit_cache_list(void (*each)(void *context, const kjit_cache_entry *entry),
                                     void *context);
/* Removes every entry; `removed`, which may be NULL, gets how many. What other processes have
** loaded goes on working. Fails as kjit_cache_list(). */
KJIT_API kjit_status kjit_cache_clear(size_t *removed);

/* For what compiles many kernels, each in a process that may be done over. From now on what this
** process would have the C compiler compile, hardly optimised, as by KJIT_CC="cc -O0", waits: it is
** written into `file`, open for appending, and counted in `*count`. Such a kernel does nothing when
** it is launched, so that with the first that waits the process's results are worth nothing; that
** others wait for the same file does no harm. Not while other threads compile. */
KJIT_API void kjit_queue_compilations(int file, int *count);
/* Compiles what waits into the disk cache, several kernels by one call of the C compiler, which
** takes a fifth of the time: the part `share` of `shares`, each of which a process may do. What
** cannot be compiled so is left out; errors are found by compiling it as usual. */
KJIT_API void kjit_compile_queued(int file, size_t share, size_t shares);

#ifdef __cplusplus
}
#endif
#endif
