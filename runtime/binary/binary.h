/* Kernels compiled ahead of time: a container with their machine code and everything a launch needs
** to know about them, so that neither source nor compiler is needed.
**
** Contract
** - A header of BINARY_HEADER bytes: the magic, the format's version, the total length, a 128-bit
**   checksum of everything but itself. Then kjit's version, and the kernels: names, and their
**   images, each a specialisation for one target. Numbers are little-endian; texts and lists are
**   preceded by their length; machine code is aligned to BINARY_ALIGN bytes from the start.
** - A shared object may have the same appended, at a multiple of BINARY_ALIGN bytes, and after it
**   its offset.
** - The format's version changes with anything that changes here, in codegen.h's list of
**   parameters, or in the words of a signature's key. Other versions are refused.
** - Reading arbitrary bytes yields kernels or a message, and touches no other memory. The machine
**   code is not verified: a binary must come from a trusted source. */
#pragma once

#include "runtime/compile/compile.h"

enum { BINARY_VERSION = 4, BINARY_HEADER = 48, BINARY_ALIGN = 16 };

typedef enum TargetKind { TARGET_CUBIN, TARGET_PTX, TARGET_CPU } TargetKind;

/* What machine code is for: "sm_90", "sm_90a"; "compute_75", PTX for that and everything newer;
** "cpu", any x86-64, "cpu:x86-64-v3" or "cpu:native". */
typedef struct CodeTarget {
    TargetKind kind;
    int number;  /* of a GPU: 90 */
    char suffix; /* 'a', 'f' or '\0' */
    int level;   /* of a processor: 1 to 4; 0: this machine's */
} CodeTarget;

/* One specialisation for one target. */
typedef struct BinaryImage {
    const char *target;
    const char *machine; /* with "cpu:native" the processor's name, else "" */
    BuildRequest build;  /* entry, call, carveout, static_shared, cooperative, recursive */
    Specialisation facts;
    const void *bytes;
    size_t length;
} BinaryImage;

typedef struct BinaryKernel {
    const char *name;
    const char **params;
    int param_count;
    BinaryImage *images; /* those of one specialisation are adjacent */
    int image_count;
} BinaryKernel;

typedef struct Binary {
    const char *made_by; /* kjit's version */
    BinaryKernel *kernels;
    int kernel_count;
} Binary;

/* ---- binary.c ------------------------------------------------------------------------- */

/* Whether bytes begin as a binary does. */
bool is_binary(const void *data, size_t length);
/* The binary appended to a shared object, if the bytes are one with a binary, else the bytes. */
const void *binary_inside(const void *data, size_t *length);
/* Appends a binary to a shared object, which loaders ignore and binary_inside() finds. */
void binary_append(Buf *object, const Binary *binary);
void binary_write(Buf *out, const Binary *binary);
/* Writes length and checksum into a whole binary's header. */
void binary_seal(void *data, size_t length);
/* The checksum in a header. */
void binary_get_seal(const void *data, uint64_t seal[2]);
bool binary_has_seal(const void *data, const uint64_t seal[2]);
/* Reads a binary into the arena, except the machine code, which is not copied. KJIT_FILE, with
** `name` in the message, if it is no binary of this version, or damaged. */
kjit_status binary_read(Arena *arena, const void *data, size_t length, const char *name,
                        Binary *out);

/* ---- target.c ------------------------------------------------------------------------- */

/* False if it is no target. */
bool target_read(const char *text, CodeTarget *target);
/* The argument of cc's -march for a processor's target. */
const char *target_march(const CodeTarget *target);
/* How well an image fits a device: 0: it does not run; more is better. */
int target_fits(const BinaryImage *image, const Device *device);

/* ---- load.c --------------------------------------------------------------------------- */

/* The specialisation of a binary's kernel for arguments with the types `key`. KJIT_ARGUMENT, with a
** list of all, if there is none. */
kjit_status binary_find(kjit_kernel *kernel, const kjit_arg *args, const uint32_t *key, int length,
                        Specialisation **out);
/* Whether two images are of one specialisation. */
bool binary_same_types(const BinaryImage *a, const BinaryImage *b);
/* Whether a file is a binary, or has one appended; and kjit_load_file() for such a file. */
bool binary_file(const char *path);
kjit_status binary_load_file(kjit_context *context, const char *path,
                             const kjit_load_options *options, kjit_module **module);

/* ---- ahead.c -------------------------------------------------------------------------- */

/* The code of a kernel for one target, to be memory_free()d. */
kjit_status target_compile(const BuildRequest *request, const char *name, const CodeTarget *target,
                           char **image, size_t *length);
/* A shared object of a kernel with the appended binary by which kjit launches it, to be
** memory_free()d. */
kjit_status object_wrap(const kjit_kernel *kernel, const KernelRequest *translation,
                        const char *target, bool edited, const void *object, size_t length,
                        char **data, size_t *out_length);
/* The build request of a translated kernel. */
BuildRequest build_request(const KernelRequest *translation);
/* The same of a text that the emitter gave by itself; `call` is for observers. */
BuildRequest build_emitted(const Emitted *emitted, const IrOptions *options, const char *call);

/* ---- c_header.c ----------------------------------------------------------------------- */

/* Prints a binary as a C header; `binary` describes it. The header's own names derive from `name`,
** made valid for C. */
void c_header_print(Buf *out, const Binary *binary, const void *data, size_t length,
                    const char *name);

/* ---- tvm_ffi.c ------------------------------------------------------------------------ */

/* A binary as a library for TVM FFI, to be memory_free()d. Its images for the processor are objects
** with a symbol of their own each, their entry. KJIT_UNSUPPORTED for kernels that such a library
** cannot launch. */
kjit_status tvm_ffi_build(Arena *arena, const Binary *binary, char **data, size_t *length);
