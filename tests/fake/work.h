/* A piece of work that a stream is given. */
#ifndef KJIT_TESTS_FAKE_WORK_H
#define KJIT_TESTS_FAKE_WORK_H

#include "tests/fake/cuda.h"

typedef struct Kernel Kernel;
typedef struct Function Function;

typedef enum WorkKind { WORK_LAUNCH } WorkKind;

typedef struct Work {
    WorkKind kind;
    Handle *stream; /* NULL: the default one */
    Function *function;
    unsigned grid[3], block[3];
    size_t shared;
    void **params;
} Work;

/* Does the work, or has the stream keep it. */
CuResult work_submit(const Work *work);
/* Does a launch. */
void work_launch(const Work *work);

#endif
