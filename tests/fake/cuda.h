/* What the files of the pretended driver say to one another.
**
** Every entry begins with fake_begin(), which counts it and may make it fail, or with fake_enter(),
** which besides wants a context that works. Launches, and what leads to them, take no lock: one
** would order threads that the library itself has to order, and hide its mistakes from the thread
** sanitizer. */
#ifndef KJIT_TESTS_FAKE_CUDA_H
#define KJIT_TESTS_FAKE_CUDA_H

#include "runtime/cuda/driver.h"
#include "tests/fake/fake.h"

#define EXPORT __attribute__((visibility("default")))

/* Each function of the driver is cu_NAME here and has its own symbol outside. */
#define DRIVER(name, symbol, params) EXPORT CuResult cu_##name params __asm__(symbol);
#include "runtime/cuda/cuda_api.def"

typedef enum Call {
#define DRIVER(name, symbol, params) CALL_##name,
#include "runtime/cuda/cuda_api.def"
    CALLS
} Call;

enum {
    FAKE_INVALID_VALUE = 1,
    FAKE_NO_MEMORY = 2,
    FAKE_NOT_INITIALIZED = 3,
    FAKE_NO_DEVICE = 100,
    FAKE_INVALID_DEVICE = 101,
    FAKE_INVALID_IMAGE = 200,
    FAKE_INVALID_CONTEXT = 201,
    FAKE_INVALID_HANDLE = 400,
    FAKE_NOT_FOUND = 500,
    FAKE_NOT_READY = 600,
    FAKE_OUT_OF_RESOURCES = 701,
    FAKE_CONTEXT_DESTROYED = 709,
    FAKE_TOO_MANY_BLOCKS = 720,
    FAKE_NOT_PERMITTED = 800,
    FAKE_NOT_SUPPORTED = 801,
    FAKE_NO_CAPTURE = 900,
    FAKE_ALREADY_PINNED = 712,
    FAKE_NOT_PINNED = 713,
    FAKE_DEVICES = 2,
    FAKE_PROCESSORS = 132,
    FAKE_THREADS = 1024,
    FAKE_STATIC_SHARED = 48 << 10,
    FAKE_SHARED = 227 << 10
};

typedef enum Kind {
    KIND_NONE, /* gone, or never there */
    KIND_CONTEXT,
    KIND_MODULE,
    KIND_FUNCTION,
    KIND_STREAM,
    KIND_EVENT,
    KIND_GRAPH,
    KIND_EXEC,
    KIND_POOL,
    KINDS
} Kind;

/* What a handle points to. Handles are used again as late as can be, so that one that is gone is
** told from one that is there. */
typedef struct Handle {
    _Atomic int kind;
    int device;
    struct Handle *owner;     /* what takes it along: a function's module */
    struct Handle *next;      /* of those that are free */
    void *data;               /* of its kind, from malloc() */
    void (*drop)(void *data); /* frees what the data has; may be NULL */
} Handle;

typedef struct FakeDevice {
    Handle *context;
    int retained;
    _Atomic bool active; /* retained since it was last reset */
    _Atomic int broken;
    size_t capacity, used;
} FakeDevice;

extern struct Fake {
    pthread_mutex_t lock; /* of all that is not atomic */
    FakeDevice devices[FAKE_DEVICES];
    int device_count, version;
    _Atomic bool started, recording;
    int leaks; /* when contexts ended */
} fake;

/* ---- notes.c: counting, failing, and what happened ------------------------------------------- */

/* Notes a call. CU_OK, or the failure that was demanded of it. */
CuResult fake_begin(Call call);
/* The same for calls that want a context: it is in `device` then. */
CuResult fake_enter(Call call, FakeDevice **device);
/* The context that is current, NULL for none. */
FakeDevice *fake_current(void);
/* Notes a broken rule, and gives `result`. */
CuResult fake_misuse(CuResult result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes an event, if they are noted. */
void fake_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether the thread is in a callback of a stream's, where no call is allowed. */
extern _Thread_local bool fake_in_callback;
/* Whether a context is lost with that error. */
bool fake_fatal(int code);

/* ---- handles.c ------------------------------------------------------------------------ */

/* A new handle, with zeroed `data`; the caller has the lock. NULL: there are too many. */
Handle *handle_new(Kind kind, int device, Handle *owner, size_t data_bytes, void (*drop)(void *));
/* Gives it and what it owns back. */
void handle_free(Handle *handle);
/* The data of a handle that must be of that kind; NULL, which is noted, if it is not. No lock. */
void *handle_data(const void *handle, Kind kind, const char *what);
/* Ends everything of a device. Gives how many there were. */
int handles_end(int device);
int handles_count(void);

/* ---- emulated.c ----------------------------------------------------------------------- */

struct FakeEntry;
/* Makes what runs of CUDA C, if it is to; false: it failed, or the text has what nothing runs. */
bool emulated_make(const char *text, struct FakeEntry *entry);
void emulated_run(const struct FakeEntry *entry, const FakeLaunch *launch);

/* ---- memory.c ------------------------------------------------------------------------- */

/* The same for memory. */
int memory_end(int device);
int memory_count(void);

#endif
