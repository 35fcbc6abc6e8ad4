/* Pieces of work: doing, keeping and forgetting them. */
#include "tests/fake/work.h"
#include "tests/fake/params.h"

#include <stdlib.h>
#include <string.h>

/* ---- doing ---------------------------------------------------------------------------- */

static bool rows_there(const void *memory, const Work *work, size_t pitch)
{
    return memory_on_device(memory, (work->height - 1) * pitch + work->width);
}

/* Memory that was there when the copy was asked for may be gone. */
static void copy(const Work *work)
{
    const char *from = work->from_kept ? work->from_kept : work->from;
    size_t from_pitch = work->from_kept ? work->width : work->from_pitch;

    if ((!work->to_host && !rows_there(work->to, work, work->to_pitch)) ||
        (!work->from_host && !rows_there(work->from, work, work->from_pitch))) {
        fake_misuse(FAKE_INVALID_VALUE, "memory went while a copy was waiting");
        return;
    }
    for (size_t row = 0; row < work->height; row++)
        memmove(work->to + row * work->to_pitch, from + row * from_pitch, work->width);
}

_Thread_local bool fake_in_callback;

static void call(const Work *work)
{
    fake_in_callback = true;
    work->call(work->data);
    fake_in_callback = false;
}

void work_do(const Work *work)
{
    switch (work->kind) {
    case WORK_LAUNCH:
        function_run(work->function, work);
        break;
    case WORK_COPY:
        copy(work);
        break;
    case WORK_SET:
        if (memory_on_device(work->to, work->width))
            memset(work->to, work->byte, work->width);
        else
            fake_misuse(FAKE_INVALID_VALUE, "memory went while it was to be set");
        break;
    case WORK_FREE:
        memory_free_ordered(work->to);
        break;
    case WORK_CALL:
        call(work);
        break;
    case WORK_WAIT:
        point_reach(&work->point);
    }
}

/* ---- keeping -------------------------------------------------------------------------- */

/* The parameters, values and all; a driver copies as much as the kernel has. */
static bool keep_params(Work *work)
{
    const FakeEntry *entry = function_entry(work->function);
    void **given = work->params;
    size_t bytes = 16;

    for (int i = 0; entry && i < entry->count; i++)
        bytes += sizeof(void *) + entry->sizes[i] + 16;
    char *room = entry ? calloc(1, bytes) : NULL;
    if (!room)
        return false;
    work->params_kept = room;
    work->params = (void **)(void *)room;
    room += sizeof(void *) * (size_t)entry->count;
    for (int i = 0; i < entry->count; i++) {
        room = (char *)(((uintptr_t)room + 15) / 16 * 16);
        work->params[i] = memcpy(room, given[i], entry->sizes[i]);
        room += entry->sizes[i];
    }
    return true;
}

static bool keep_bytes(Work *work)
{
    char *room = malloc(work->width * work->height);

    for (size_t row = 0; room && row < work->height; row++)
        memcpy(room + row * work->width, work->from + row * work->from_pitch, work->width);
    work->from_kept = room;
    return room != NULL;
}

Work *work_keep(const Work *work, bool snapshot)
{
    Work *kept = malloc(sizeof *kept);
    bool fine = kept != NULL;

    if (!fine)
        return NULL;
    *kept = *work;
    kept->next = NULL;
    kept->params_kept = kept->from_kept = NULL;
    if (kept->kind == WORK_LAUNCH)
        fine = keep_params(kept);
    if (kept->kind == WORK_COPY && snapshot && kept->from_host)
        fine = keep_bytes(kept);
    if (fine)
        return kept;
    work_free(kept);
    return NULL;
}

void work_free(Work *work)
{
    free(work->params_kept);
    free(work->from_kept);
    free(work);
}

void works_free(Work *first)
{
    while (first) {
        Work *next = first->next;
        work_free(first);
        first = next;
    }
}
