/* The stages of a compilation, which `kjit build` shows and `kjit test` compares. */
#pragma once

#include "cli/cli.h"

typedef struct Stage {
    const char *name, *ending; /* the argument of --emit; the ending of files */
    bool of_source;            /* of the source text, before kernels and types */
    bool binary;
    const char *device; /* device to load kernels on, without --arch */
} Stage;

/* By the name of the stage, and by the ending of a file; NULL if there is none. */
const Stage *stage_find(const char *name);
const Stage *stage_of_ending(const char *ending);
/* Each of them, NULL beyond. */
const Stage *stage_at(size_t index);

typedef struct EmitRequest {
    const Stage *stage;
    const char *signature, *arch; /* NULL if not asked for */
    const EditedText *edited;     /* to be compiled instead, or NULL */
    const char *facts, *after;    /* as in kjit_emit_options */
    bool without_lines;
    char **why; /* not NULL: gets the reason of a failure, to be free()d, instead of stderr */
    SessionOptions session;
    const LaunchOptions *launch; /* values and a grid that are given; NULL: none are */
    const ManyOptions *many;     /* of the stage "plan", or NULL */
    int ranks;                   /* likewise; 0: not said */
} EmitRequest;

/* The output of a stage, for a kernel or, with NULL, for a whole file. */
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

/* Compiles a file up to a stage, the named kernel or all of them, and adds the outputs. Then
** emissions_free(), failed or not. */
int stage_emit(const Target *target, const EmitRequest *request, Emissions *emissions);
void emissions_free(Emissions *emissions);

/* Whether a file is text of the IR: by its ending. */
bool stage_is_ir(const char *file);

/* The kernel whose name a signature begins with; NULL if it begins with none. Complains of an
** expression that gives none, table[7](float32[:]). */
int kernel_of_signature(kjit_module *module, const char *signature, kjit_kernel **kernel);
