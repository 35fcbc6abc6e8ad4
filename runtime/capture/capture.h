/* Capture: writes launches of running programs to disk, for replay.
**
** Contract
** - KJIT_CAPTURE names a folder. Of launches that are alike in source, constants, types, sizes and
**   configuration the first is captured, as a folder KERNEL-DIGEST with launch.txt, the kernel's
**   source files, and its arrays before and after as .npy files. docs/embedding.md describes the
**   format; replay.c reads it.
** - A folder is written under a temporary name and renamed, so that it is complete or absent, even
**   if writers are killed or run concurrently. What killed writers leave, the next writer removes.
** - The total size never exceeds $KJIT_CAPTURE_SIZE bytes. Writers hold a lock, as those of the
**   disk cache do.
** - Arrays that share memory share it in the replay. Memory between the elements of an array is
**   neither read nor written.
** - A launch that cannot be captured runs as usual. not-captured.txt in the folder has the reason,
**   and the context's counters how often that was so.
** - Without capture a launch costs one test of a pointer. */
#pragma once

#include "runtime/runtime.h"

#define CAPTURE_TEXT "launch.txt" /* a folder with this file is a captured launch */
#define CAPTURE_WHY  "not-captured.txt"

typedef struct Capture {
    char directory[CACHE_PATH_MAX];
    int folder; /* descriptor of the folder */
    uint64_t limit;
    pthread_mutex_t lock; /* of the fields below */
    CacheKey *known;      /* hash table of the keys of launches that were captured, or cannot be */
    size_t count, capacity;
    bool reported_full;
} Capture;

/* A file of one .npy array: the memory of one or more arguments. */
typedef struct CaptureFile {
    struct CaptureFile *next;
    const char *name;     /* "x": x.npy */
    const char *variable; /* name of a value that holds the array for several views, or NULL */
    kjit_array form;      /* dtype and shape of the .npy, with the original address */
    bool columns;
    const char *head;
    size_t head_length;
    char *low;          /* first byte of its memory */
    size_t lead, bytes; /* zeros in front of it for alignment; its length */
    bool on_device, written;
    char *before, *after; /* memory_alloc()ed */
} CaptureFile;

/* An array among the arguments. */
typedef struct CaptureView {
    kjit_array array; /* its record has a size, but no fields */
    const kjit_record *record;
    const char *name; /* "x", "t[0]" */
    char *low, *high;
    bool top; /* an argument, not an item of a tuple */
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

/* A launch that is being captured. It has copies of everything but the arrays' memory, which must
** stay until the launch has ended. */
typedef struct CapturePlan {
    Capture *capture;
    Counters *counters;
    Device *device;
    void *stream;
    Arena arena;
    CacheKey key;
    char folder[128]; /* "histogram-0123456789abcdef" */
    const char *call, *why_not;
    bool began, device_failed; /* began: the contents before the launch have been read */
    CaptureView *views;        /* in the order of the arguments */
    CaptureView **by_address;
    int view_count, view_room;
    CaptureFile *files;
    CaptureSource *sources;
    const char *launch, *before, *after; /* parts of launch.txt */
    uint64_t bytes;                      /* of all files */
} CapturePlan;

/* The description of a launch. */
typedef struct CaptureLaunch {
    const kjit_kernel *kernel;
    const Specialisation *spec;
    const LaunchRequest *request;
    size_t shared_bytes;
    const kjit_arg *args;
    size_t count;
} CaptureLaunch;

/* ---- capture.c ------------------------------------------------------------------------ */

/* Opens the capture of the environment; NULL if there is none. KJIT_ARGUMENT if the folder is
** unusable, or KJIT_CAPTURE_SIZE malformed. */
kjit_status capture_open(Capture **capture);
void capture_close(Capture *capture);
/* Records the sources of a module. */
void capture_module(kjit_module *module);
/* Keeps a copy of a binary that a module was made from. */
void capture_binary(kjit_module *module, const void *data, size_t length);

/* Plans the capture of a launch; NULL if an equal one is captured. Sets no error message, like the
** functions below. */
CapturePlan *capture_plan(Capture *capture, const CaptureLaunch *launch, Device *device,
                          void *stream);
/* Directly before the launch: reads the arrays. Frees the plan and returns NULL if another thread
** has captured an equal launch. */
CapturePlan *capture_before(CapturePlan *plan);
/* After the launch: waits for it, writes the folder and frees the plan. NULL is harmless. */
void capture_after(CapturePlan *plan, kjit_status status);
void capture_drop(CapturePlan *plan);

/* ---- plan.c --------------------------------------------------------------------------- */

/* Fills views, files, texts and sources. */
void capture_describe(CapturePlan *plan, const CaptureLaunch *launch);

/* ---- sources.c ------------------------------------------------------------------------ */

/* Fills the sources; none for modules of the standard library. */
void capture_sources(CapturePlan *plan, const CaptureLaunch *launch);

/* ---- write.c -------------------------------------------------------------------------- */

/* Whether the folder has an entry of that name. */
bool capture_there(const Capture *capture, const char *name);
/* Writes the folder; NULL, or the reason for a failure. */
const char *capture_write(CapturePlan *plan, const char *failure);
/* "FOLDER, 3 launches, 1.2 of 1024 MiB; not-captured.txt names others" */
void capture_summary(const Capture *capture, char *out, size_t size);
/* Adds a line to not-captured.txt. */
void capture_complain(Capture *capture, const char *call, const char *reason);
