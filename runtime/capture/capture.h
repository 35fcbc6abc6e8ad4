/* Capture: launches of production, written down so that they can be replayed.
**
** Contract
** - KJIT_CAPTURE names a folder. Of launches that are alike in source, constants, types, sizes and
**   configuration the first is kept, as a folder KERNEL-DIGEST with launch.txt, what the kernel was
**   loaded from, and its arrays before and after as .npy files. docs/embedding.md says what stands
**   where; replay.c reads it.
** - A folder is written under a temporary name and renamed: it is there whole or not at all,
**   whoever is killed and however many write. What killed writers left goes when somebody writes.
** - All together never pass $KJIT_CAPTURE_SIZE bytes. Who writes holds a lock, as the disk cache's
**   writers do.
** - Arrays that share memory share it in the replay. Of memory between the elements of an array
**   nothing is read, nor written down.
** - A launch that cannot be captured goes on as if nothing were asked for. not-captured.txt in the
**   folder says why, and the context's counters how often.
** - Where nothing is captured a launch costs one test of a pointer. */
#ifndef KJIT_CAPTURE_H
#define KJIT_CAPTURE_H

#include "runtime/runtime.h"

#define CAPTURE_TEXT "launch.txt" /* which makes a folder a captured launch */
#define CAPTURE_WHY  "not-captured.txt"

typedef struct Capture {
    char directory[CACHE_PATH_MAX];
    int folder; /* its descriptor */
    uint64_t limit;
    pthread_mutex_t lock; /* of what follows */
    CacheKey *known;      /* launches that are captured, or cannot be: a hash table */
    size_t count, capacity;
    bool reported_full;
} Capture;

/* A file of one .npy array: the memory of one or more arguments. */
typedef struct CaptureFile {
    struct CaptureFile *next;
    const char *name;     /* "x": x.npy */
    const char *variable; /* a value that it is read into, or NULL */
    kjit_array form;      /* what it is read as, at its address */
    bool columns;
    const char *head;
    size_t head_length;
    char *low;          /* where its memory begins */
    size_t lead, bytes; /* zeros in front of it, that keep alignments; its length */
    bool on_device, written;
    char *before, *after; /* memory_alloc()ed */
} CaptureFile;

/* An array among the arguments. */
typedef struct CaptureView {
    kjit_array array; /* its record has bytes, and no fields */
    const kjit_record *record;
    const char *name; /* "x", "t[0]" */
    char *low, *high;
    bool top; /* an argument by itself */
    bool written;
    CaptureFile *file;
} CaptureView;

/* A file that the kernel was loaded from. */
typedef struct CaptureSource {
    struct CaptureSource *next;
    const char *name; /* relative, "pkg/util.k" */
    const void *data;
    size_t length;
    CacheKey digest;
} CaptureSource;

/* A launch that is being captured. It stands on its own: arguments and tuples may go, what arrays
** lie in stays until it has run. */
typedef struct CapturePlan {
    Capture *capture;
    Counters *counters;
    Device *device;
    void *stream;
    Arena arena;
    CacheKey key;
    char folder[128]; /* "histogram-0123456789abcdef" */
    const char *call, *why_not;
    bool began, device_failed; /* all is read that the launch begins with */
    CaptureView *views;        /* in the order of the arguments */
    CaptureView **by_address;
    int view_count, view_room;
    CaptureFile *files;
    CaptureSource *sources;
    const char *launch, *before, *after; /* the parts of launch.txt */
    uint64_t bytes;                      /* of all files */
} CapturePlan;

/* A launch as far as it matters here. */
typedef struct CaptureLaunch {
    const kjit_kernel *kernel;
    const Specialisation *spec;
    const LaunchRequest *request;
    size_t shared_bytes;
    const kjit_arg *args;
    size_t count;
} CaptureLaunch;

/* ---- capture.c ------------------------------------------------------------------------ */

/* What the environment asks for; NULL if it asks for nothing. KJIT_ARGUMENT if the folder is of no
** use, or KJIT_CAPTURE_SIZE makes no sense. */
kjit_status capture_open(Capture **capture);
void capture_close(Capture *capture);
/* Notes what a module was made from. */
void capture_module(kjit_module *module);
/* Keeps a copy of a binary that a module was made from. */
void capture_binary(kjit_module *module, const void *data, size_t length);

/* What is to be written of a launch; NULL if it is known. Leaves no message, as what follows. */
CapturePlan *capture_plan(Capture *capture, const CaptureLaunch *launch, Device *device,
                          void *stream);
/* Directly before the launch: reads what it begins with. NULL, and the plan freed, if another
** thread was faster. */
CapturePlan *capture_before(CapturePlan *plan);
/* Once it was asked for: waits for it, writes it down and frees the plan. NULL is harmless. */
void capture_after(CapturePlan *plan, kjit_status status);
void capture_drop(CapturePlan *plan);

/* ---- plan.c --------------------------------------------------------------------------- */

/* Fills views, files, texts and sources. */
void capture_describe(CapturePlan *plan, const CaptureLaunch *launch);

/* ---- sources.c ------------------------------------------------------------------------ */

/* Fills the sources, none for a module of the standard library. */
void capture_sources(CapturePlan *plan, const CaptureLaunch *launch);

/* ---- write.c -------------------------------------------------------------------------- */

/* Whether the folder has it already. */
bool capture_there(const Capture *capture, const char *name);
/* Writes the folder; NULL, or why it cannot be. */
const char *capture_write(CapturePlan *plan, const char *failure);
/* "FOLDER, 3 launches, 1.2 of 1024 MiB; not-captured.txt names others" */
void capture_tell(const Capture *capture, char *out, size_t size);
/* Adds a line to not-captured.txt. */
void capture_complain(Capture *capture, const char *call, const char *reason);

#endif
