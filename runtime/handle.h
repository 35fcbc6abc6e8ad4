/* Whether what a program passes as a handle, or as an array of the device, is one.
**
** NULL is always refused. With debug handles on (kjit_open_options, KJIT_DEBUG_HANDLES) so is what
** was closed: a handle begins with a word that says its kind, which closing changes; and the memory
** of closed handles is kept, so that the word can be read. Arrays of the device are structs that
** programs copy: the memory of each gets a number, which goes with the array in the upper bits of
** its flags, and a table knows which numbers are gone. */
#pragma once

#include "include/kjit.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef enum HandleKind {
    HANDLE_CONTEXT,
    HANDLE_MODULE,
    HANDLE_KERNEL,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_GRAPH,
    HANDLE_PREPARED,
    HANDLE_BATCH,
    HANDLE_VALUES,
    HANDLE_REPLAY,
    HANDLE_SPACE,
    HANDLE_GROUP,
    HANDLE_PROGRAM
} HandleKind;

/* What the struct behind a handle begins with. */
typedef struct HandleHead {
    _Atomic uint32_t word;
    const struct HandleHead *owner; /* with which it goes, or NULL */
} HandleHead;

/* Whether closed handles are looked for: once on, it stays so. */
extern atomic_bool handles_debug;
/* Looks for them from now on if `asked`, or if KJIT_DEBUG_HANDLES in the environment asks. */
void handles_debug_on(bool asked);

/* From now on it is one of that kind; `owner` is a handle too, or NULL. */
void head_open(HandleHead *handle, HandleKind kind, const void *owner);
/* The same, and frees its memory, or keeps that. */
void head_free(HandleHead *handle);

/* KJIT_ARGUMENT with a message for what is not, or not any more, a handle of that kind. */
kjit_status handle_refuse(HandleKind kind, const void *handle);

static inline kjit_status handle_check(HandleKind kind, const void *handle)
{
    if (handle && !atomic_load_explicit(&handles_debug, memory_order_relaxed))
        return KJIT_OK;
    return handle_refuse(kind, handle);
}

#define HANDLE(KIND, handle)    handle_check(HANDLE_##KIND, handle)
#define HANDLE_IS(KIND, handle) (HANDLE(KIND, handle) == KJIT_OK)

/* ---- arrays ------------------------------------------------------------------------------ */

enum { ARRAY_TAG_SHIFT = 16 };

/* A number for memory that is handed out, 0 unless debug handles are on. */
uint32_t array_tag_new(void);
/* The memory of a number is there, is gone. */
void array_tag_set(uint32_t tag, const void *memory, size_t bytes);
void array_tag_drop(uint32_t tag);
/* Whether the array's memory was freed. */
bool array_is_gone(const kjit_array *array);
