/* What programs have of numba's host side: kernels, launches, streams, events. */
#pragma once

#include "runtime/program/arrays.h"

/* A kernel for arguments of one list of types. */
typedef struct HostVersion {
    struct HostVersion *next;
    const char *types;
    kjit_kernel *kernel; /* its constants are what they were at the first launch of these types */
    HostValue *captured; /* arrays of the device that it reads from around it: arguments too */
    size_t captured_count;
} HostVersion;

typedef struct HostKernel {
    HostObject head;
    const AstFunction *ast;
    const char *path;        /* "kernel", "factory.kernel" */
    HostEnv *closure;        /* around its definition */
    struct HostLaunch *last; /* that was configured; NULL: none */
    HostVersion *versions;   /* the latest first; NULL until it is launched */
    bool reads_computed;     /* what the program has computed: a version for each list of types */
    HostValue function;      /* for arguments that have defaults; none: it has none */
} HostKernel;

typedef struct HostLaunch {
    HostObject head;
    HostValue kernel, stream;
    kjit_launch_config config;
    uint64_t threads; /* of forall(); 0: the grid is given */
} HostLaunch;

typedef struct HostStream {
    HostObject head;
    kjit_stream *stream; /* NULL: the default one */
} HostStream;

typedef struct HostEvent {
    HostObject head;
    kjit_event *event;
} HostEvent;

/* The kernel that a function with these decorators is; false if it is none. */
/* The function that a kernel is made of, which has its attributes; others are themselves. */
static inline HostValue kernel_function(HostValue value)
{
    return value.kind == HOST_KERNEL ? value.kernel->function : value;
}
bool kernel_define(Program *p, const AstFunction *ast, HostValue *out);
/* kernel[grid, block, stream, shared] */
bool kernel_index(Program *p, HostValue kernel, HostValue index, HostValue *out);
bool kernel_forall(Program *p, HostArgs *args, HostValue *out);
bool kernel_call(Program *p, HostValue launch, HostArgs *args, HostValue *out);
/* Appends the type that a kernel's argument has; false if kernels have none such. */
bool kernel_put_type(Buf *text, HostValue value);
void stream_free(HostObject *object);

/* A kernel of a text that is a module's and more. */
typedef struct KernelText {
    kjit_context *context; /* that it is for */
    bool debug;
    const char *text, *name;
    const HostFunction *reader; /* with the constants that it reads and the program has computed */
    const struct Defines *frozen; /* those; NULL: what they are now */
} KernelText;

/* Loads the text behind the reader's module, with its constants, and finds the kernel; false
** after an error. */
bool kernel_of_text(Program *p, const KernelText *wanted, kjit_kernel **out);

/* ---- numba/constants.c ----------------------------------------------------------------------- */

/* Arrays of the device that a kernel reads from around it, and what they are called. */
typedef struct Captures {
    HostValue list[64];
    const char *names[64];
    int count;
} Captures;

typedef struct Defines {
    kjit_define *list;
    size_t count, capacity;
} Defines;

/* What the program has computed of what a function reads, to be kept; NULL after an error. */
const Defines *constants_frozen(Program *p, const HostFunction *reader);
/* What the program has computed of what a kernel reads, and what -D says of the rest. Without
** `captures` arrays of the device are constants as others are. */
bool constants_all(Program *p, const HostKernel *kernel, Defines *defines, Captures *captures);

/* ---- numba/types.c --------------------------------------------------------------------------- */

/* Appends a type as decorators read it; false if the value is none that can be written so. */
bool numba_type_text(HostValue value, Buf *out);
/* numba.void */
bool numba_type_path(const char *path, HostValue *out);
/* float32[:, ::1] */
bool numba_type_index(Program *p, HostValue type, HostValue index, HostValue *out);
/* void(float32[:], int32) */
bool numba_type_call(Program *p, HostValue result, const HostArgs *args, HostValue *out);

/* ---- run/launches.c -------------------------------------------------------------------------- */

/* A launch of a program: of one of its kernels, or of what became of an expression of arrays. */
typedef struct HostWork {
    const char *name;
    kjit_kernel *kernel;
    const kjit_launch_config *config;
    const kjit_arg *args;
    size_t count;
    int operations; /* of elements, that are one kernel; 0: it is the program's own */
    int arrays;     /* that they read */
    bool apart;     /* into an array of its own, which is copied to where it belongs */
} HostWork;

/* Launches it; reports it, and notes how long it took, if that was requested. */
kjit_status program_launch(Program *p, const HostWork *work);

/* Reports why a function that is to be compiled, or a loop of it, is interpreted. */
void launches_interpreted(Program *p, const AstFunction *function, const AstStmt *loop,
                          const char *why);

/* Reports that so many launches were repeated, and go by graphs of so many from now on. */
void launches_repeat(Program *p, size_t period, size_t nodes);

/* ---- run/repeats.c --------------------------------------------------------------------------- */

/* Whether launches are looked at for repetitions here. */
bool repeats_start(Program *p);
/* Launches it now, or with others that are sure to come before anybody looks. */
kjit_status repeats_launch(Program *p, const HostWork *work);
void repeats_free(Program *p);

/* ---- run/profile.c --------------------------------------------------------------------------- */

/* Makes the events that launches are timed by; false after an error. */
bool profile_start(Program *p);
/* Launches a kernel, and notes how long it took. */
kjit_status profile_launch(Program *p, const HostWork *work);
/* A line a kernel and place, to the standard error. */
void profile_print(Program *p);
void profile_free(Program *p);
