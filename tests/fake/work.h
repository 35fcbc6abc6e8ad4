/* Work that streams are given, and when it is done: at once, or as late as can be. */
#ifndef KJIT_TESTS_FAKE_WORK_H
#define KJIT_TESTS_FAKE_WORK_H

#include "tests/fake/cuda.h"

typedef struct Work Work;
typedef struct Stream Stream;
typedef struct Graph Graph;

typedef enum WorkKind {
    WORK_LAUNCH,
    WORK_COPY,
    WORK_SET,
    WORK_FREE,
    WORK_CALL,
    WORK_WAIT
} WorkKind;

/* A point in the work of a stream. */
typedef struct Point {
    Handle *stream;
    unsigned long serial, position; /* of the stream; in it */
} Point;

struct Work {
    Work *next;
    WorkKind kind;
    Handle *function; /* a launch's */
    unsigned grid[3], block[3];
    size_t shared;
    void **params;
    void *params_kept; /* what they point to, if that is the work's own */
    char *to;          /* a copy's, of rows; and what is set or freed */
    const char *from;
    void *from_kept; /* the bytes, if they are the work's own */
    size_t width, height, to_pitch, from_pitch;
    bool to_host, from_host; /* memory that is not the device's */
    unsigned char byte;
    void (*call)(void *);
    void *data;
    Point point; /* to wait for */
};

struct Stream {
    Handle *handle;
    unsigned long serial, asked, done; /* pieces of work */
    Work *first, **last;
    bool independent, legacy;
    _Atomic(Handle *) graph; /* that it records; NULL: none */
};

struct Graph {
    Work *first, **last;
    int count;
};

/* ---- streams.c ------------------------------------------------------------------------ */

/* The stream that a handle stands for in the current context; NULL, which is noted, for none. */
Stream *stream_of(CuStream handle);
/* Does the work, has the stream keep it, or a graph record it. */
CuResult work_submit(CuStream stream, const Work *work);
/* The point behind all that the stream was asked. */
Point stream_point(const Stream *stream);
/* Sees to it that a point is passed; and whether it is. */
void point_reach(const Point *point);
bool point_passed(const Point *point);
/* Does one piece of what is left on the way to a point. */
void point_step(const Point *point);
/* Does all that is left for a device. */
void device_drain(int device);
/* What is left goes undone; the caller has both locks. */
void streams_end(int device);
/* The lock of what waits. Whoever wants the driver's own too takes this one first. */
void streams_lock(void);
void streams_unlock(void);

/* ---- work.c --------------------------------------------------------------------------- */

/* Does a piece of work, whatever its stream. */
void work_do(const Work *work);
/* A copy that has all it needs; NULL without memory. `snapshot`: the bytes it copies from plain
** host memory are read now. */
Work *work_keep(const Work *work, bool snapshot);
void work_free(Work *work);
/* A list of work. */
void works_free(Work *first);

/* ---- memory.c ------------------------------------------------------------------------- */

CuResult memory_free_ordered(char *start);
/* Whether the bytes lie in page-locked memory. */
bool memory_pinned(const void *memory, size_t bytes);
/* Whether all of it is memory that a kernel may touch. */
bool memory_on_device(const void *memory, size_t bytes);

/* ---- module.c ------------------------------------------------------------------------- */

/* The parameters of a function, by its handle; NULL if it is gone. */
const struct FakeEntry *function_entry(const Handle *function);
void function_run(const Handle *function, const Work *work);

#endif
