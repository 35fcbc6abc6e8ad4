/* Recognises handles that are NULL, of another kind or closed, and arrays that were freed. */
#include "runtime/handle.h"

#include "runtime/runtime.h"

static const uint32_t ALIVE = 0x6b6a6900; /* and the kind */

static const char *const names[] = {
    [HANDLE_CONTEXT] = "context",
    [HANDLE_MODULE] = "module",
    [HANDLE_KERNEL] = "kernel",
    [HANDLE_STREAM] = "stream",
    [HANDLE_EVENT] = "event",
    [HANDLE_GRAPH] = "graph",
    [HANDLE_PREPARED] = "prepared launch",
    [HANDLE_BATCH] = "batch",
    [HANDLE_VALUES] = "values",
    [HANDLE_REPLAY] = "captured launch",
    [HANDLE_SPACE] = "space",
    [HANDLE_GROUP] = "group",
    [HANDLE_PROGRAM] = "program",
};

atomic_bool handles_debug;

void handles_debug_on(bool asked)
{
    const char *said = getenv("KJIT_DEBUG_HANDLES");

    if (asked || (said && *said && strcmp(said, "0") != 0))
        atomic_store(&handles_debug, true);
}

/* ---- handles ----------------------------------------------------------------------------- */

/* Those that were closed, linked by their owners: as their memory is kept, no new handle lies
** there. */
static HandleHead *_Atomic closed;

void head_open(HandleHead *handle, HandleKind kind, const void *owner)
{
    handle->owner = owner;
    atomic_store(&handle->word, ALIVE | (uint32_t)kind);
}

/* From now on it is none. */
static void head_close(HandleHead *handle)
{
    atomic_store(&handle->word, 0);
}

void head_free(HandleHead *handle)
{
    head_close(handle);
    if (!atomic_load(&handles_debug)) {
        memory_free(handle);
        return;
    }
    HandleHead *next = atomic_load(&closed);
    do
        handle->owner = next;
    while (!atomic_compare_exchange_weak(&closed, &next, handle));
}

kjit_status handle_refuse(HandleKind kind, const void *given)
{
    const HandleHead *handle = given;

    if (!handle && kind == HANDLE_STREAM)
        return error_set(KJIT_ARGUMENT,
                         "error: the stream is NULL, which does not say of which context\n"
                         "note: kjit_stream_default() gives a context's default stream");
    if (!handle)
        return error_set(KJIT_ARGUMENT,
                         "error: the %s is NULL\n"
                         "note: the call that was to make it failed, or was not made",
                         names[kind]);
    uint32_t word = atomic_load(&handle->word);
    if (word != (ALIVE | (uint32_t)kind))
        return error_set(KJIT_ARGUMENT, "error: the %s %s", names[kind],
                         word ? "is a handle of another kind" : "was closed before");
    const HandleHead *owner = handle->owner;
    if (!owner || atomic_load(&owner->word))
        return KJIT_OK;
    bool of_module = kind == HANDLE_KERNEL || kind == HANDLE_SPACE || kind == HANDLE_PREPARED;
    return error_set(KJIT_ARGUMENT, "error: the %s went when its %s was closed", names[kind],
                     of_module ? "module" : "context");
}

/* ---- arrays ------------------------------------------------------------------------------ */

enum { TAGS = 1 << 16 };

typedef struct Tagged {
    uintptr_t low, high; /* of its bytes, the latter behind them */
    bool gone;
} Tagged;

static pthread_mutex_t tags_lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static Tagged tagged[TAGS];
static uint32_t last_tag;

/* The numbers come round again; one whose memory is still there is passed over. */
uint32_t array_tag_new(void)
{
    uint32_t tag = 0;

    if (!atomic_load(&handles_debug))
        return 0;
    forks_lock(&tags_lock);
    for (int tries = 0; tries < TAGS && !tag; tries++) {
        last_tag = last_tag % (TAGS - 1) + 1;
        if (!tagged[last_tag].high || tagged[last_tag].gone)
            tag = last_tag;
    }
    forks_unlock(&tags_lock);
    return tag;
}

void array_tag_set(uint32_t tag, const void *memory, size_t bytes)
{
    if (!tag)
        return;
    forks_lock(&tags_lock);
    tagged[tag] = (Tagged){ (uintptr_t)memory, (uintptr_t)memory + (bytes ? bytes : 1), false };
    forks_unlock(&tags_lock);
}

void array_tag_drop(uint32_t tag)
{
    if (!tag)
        return;
    forks_lock(&tags_lock);
    tagged[tag].gone = true;
    forks_unlock(&tags_lock);
}

bool array_is_gone(const kjit_array *array)
{
    uint32_t tag = array->flags >> ARRAY_TAG_SHIFT;
    uintptr_t data = (uintptr_t)array->data;

    if (!tag)
        return false;
    forks_lock(&tags_lock);
    bool gone = tagged[tag].gone && data >= tagged[tag].low && data < tagged[tag].high;
    forks_unlock(&tags_lock);
    return gone;
}
