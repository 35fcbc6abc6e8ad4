/* The stages of a compilation, as `kjit build` shows them and `kjit test` compares them. */
#ifndef KJIT_CLI_STAGE_H
#define KJIT_CLI_STAGE_H

#include "cli/cli.h"

typedef struct Stage {
    const char *name, *ending; /* `--emit` takes the one, files end in the other */
    bool of_source;            /* comes before kernels and types */
    bool binary;
    const char *device; /* where kernels are loaded for it unless --arch says more */
} Stage;

/* By the name of the stage, and by the ending of a file; NULL if there is none. */
const Stage *stage_find(const char *name);
const Stage *stage_of_ending(const char *ending);

typedef struct EmitRequest {
    const Stage *stage;
    const char *signature, *arch; /* NULL if not asked for */
    const EditedText *edited;     /* to be compiled instead; NULL: none */
    const char *facts, *after;    /* as in kjit_emit_options */
    bool without_lines;
    SessionOptions session;
} EmitRequest;

/* What came out of a stage, for a kernel or, with NULL, for a whole file. */
typedef struct Emission {
    char *kernel, *data;
    const char *arch; /* of the request */
    size_t length;
    int number; /* of the signature among several, from 1; 0 if there is one */
} Emission;

typedef struct Emissions {
    Emission *list;
    size_t count;
} Emissions;

/* Takes a file as far as a stage: the kernel that is named, else all of them, and adds what comes
** out. Afterwards emissions_free(), failed or not. */
int stage_emit(const Target *target, const EmitRequest *request, Emissions *emissions);
void emissions_free(Emissions *emissions);

/* Whether a file is text of the IR: by its ending. */
bool stage_is_ir(const char *file);

/* A kernel's signature that begins with its name names it; NULL if none does. */
kjit_kernel *kernel_of_signature(kjit_module *module, const char *signature);

#endif
