/* Handles: what the driver gives out, and finds again. */
#include "tests/fake/cuda.h"

#include <stdlib.h>

enum { HANDLES_MAX = 16384 };

static Handle table[HANDLES_MAX];
static int used; /* of the table, ever */
static Handle *first_free, **last_free = &first_free;
static int live[KINDS];

/* The longest unused. */
static Handle *take(void)
{
    Handle *handle = first_free;

    if (used < HANDLES_MAX)
        return &table[used++];
    if (handle) {
        first_free = handle->next;
        if (!first_free)
            last_free = &first_free;
    }
    return handle;
}

Handle *handle_new(Kind kind, int device, Handle *owner, size_t data_bytes, void (*drop)(void *))
{
    void *data = calloc(1, data_bytes ? data_bytes : 1);
    Handle *handle = data ? take() : NULL;

    if (!handle) {
        free(data);
        return NULL;
    }
    handle->device = device;
    handle->owner = owner;
    handle->data = data;
    handle->drop = drop;
    live[kind]++;
    atomic_store(&handle->kind, (int)kind);
    return handle;
}

static void give_back(Handle *handle)
{
    int kind = atomic_exchange(&handle->kind, KIND_NONE);

    live[kind]--;
    if (handle->drop)
        handle->drop(handle->data);
    free(handle->data);
    handle->data = NULL;
    handle->next = NULL;
    *last_free = handle;
    last_free = &handle->next;
}

void handle_free(Handle *handle)
{
    for (int i = 0; i < used; i++) {
        if (table[i].owner == handle && atomic_load(&table[i].kind) != KIND_NONE)
            give_back(&table[i]);
    }
    give_back(handle);
}

void *handle_data(const void *pointer, Kind kind, const char *what)
{
    const Handle *handle = pointer;
    bool ours = handle >= table && handle < table + HANDLES_MAX &&
                ((const char *)handle - (const char *)table) % (long)sizeof *table == 0;

    if (ours && atomic_load_explicit(&handle->kind, memory_order_relaxed) == (int)kind)
        return handle->data;
    fake_misuse(FAKE_INVALID_HANDLE, "%s is %s", what, ours ? "gone, or of another kind" : "none");
    return NULL;
}

/* What is worth counting: a context is counted by who retains it, a function goes with its
** module. */
static bool counts(Kind kind)
{
    return kind != KIND_NONE && kind != KIND_CONTEXT && kind != KIND_FUNCTION;
}

int handles_count(void)
{
    int count = 0;

    for (Kind kind = 0; kind < KINDS; kind++)
        count += counts(kind) ? live[kind] : 0;
    return count;
}

int handles_end(int device)
{
    int before = handles_count();

    for (int i = 0; i < used; i++) {
        Kind kind = (Kind)atomic_load(&table[i].kind);
        if (counts(kind) && table[i].device == device)
            handle_free(&table[i]);
    }
    return before - handles_count();
}
