/* The compiler in a page: from text to a bound module, and from a kernel and the types of its
** arguments to CUDA C or C. */
#pragma once

#include "runtime/runtime.h"

/* A module's text on its way to a bound module. */
typedef struct ModuleRequest {
    const Source *source;
    ModuleFinder *finder;
    void *finder_context;
    Diags *diags;
    Module *module; /* to be bound; from module_new() */
    bool is_main;   /* it is the file that was asked for */
    AstModule *ast; /* out */
} ModuleRequest;

/* False, with complaints made, if the text cannot be parsed. Other errors are reported for the
** kernels that they concern. */
bool compile_module(Arena *arena, ModuleRequest *request);

/* Decides between branches that bind the same kernels, once its definitions are known. */
void compile_decide(Arena *arena, const kjit_module *module);

/* The kernel that an expression gives at the end of a module, `text`; false, perhaps after
** complaints, if it gives none. */
bool compile_find(Arena *arena, Diags *diags, const kjit_module *module, const char *text,
                  KernelInfo *info);

/* A kernel on its way from types to text. */
typedef struct KernelRequest {
    const kjit_kernel *kernel;
    const uint32_t *key; /* the packed signature, or NULL for `signature_text` */
    int key_length;
    const char *signature_text;
    int block_threads; /* what its blocks must be able to have, or 0 */
    int launch_bound;  /* out: what its decorator allows, or 0 */
    Dialect dialect;
    const char *arch;     /* of the GPU that it is for, "sm_90"; NULL, "" or others: not known */
    const IrFacts *facts; /* of the launches it is for; NULL: of any, nothing is optimised */
    const char *after;    /* the last pass to run; NULL: all */
    IrPassSet set;        /* passes to leave out, beside those of the module */
    bool nan;             /* DIALECT_CHECK: it reports where NaN and infinities arise */
    bool without_lines;   /* text for readers: no #line */
    bool stop_at_ir;
    bool want_remarks;
    Meanings *meanings;  /* gets those of its names, also if it fails; or NULL */
    Signature signature; /* out, as all that follows */
    const char *call;    /* "hist_kernel(float32[::1], ...)" */
    IrUnit *unit;
    const char *remarks; /* as text, if they are wanted */
    const Diag *widened; /* for the checker: where types became 64 bits wide */
    size_t widened_count;
    Emitted emitted;
} KernelRequest;

/* Types, lowers, optimises and emits a kernel, as far as the request asks. KJIT_INVALID with
** diagnostics. */
kjit_status compile_kernel(Arena *arena, KernelRequest *request);
/* No more than the types of its signature. */
kjit_status compile_signature(Arena *arena, KernelRequest *request);

/* ---- stdlib.c ------------------------------------------------------------------------- */

/* The text of a library module, or NULL. */
const char *stdlib_find(const char *name);
/* NAME where a file is called "std:NAME"; NULL for other paths. */
const char *stdlib_named(const char *path);
/* What to say of a name that stdlib_find() does not know. */
const char *stdlib_unknown(Arena *arena, const char *name);
