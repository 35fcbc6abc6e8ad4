/* Tasks that allocate from an arena, and the one place that catches its exhaustion. */
#include "runtime/runtime.h"

#include <locale.h>

static kjit_status catch_exhaustion(Arena *arena, ArenaTask *task, void *context)
{
    jmp_buf exhausted;

    if (setjmp(exhausted))
        return error_memory();
    arena->exhausted = &exhausted;
    return task(context, arena);
}

kjit_status arena_catch(Arena *arena, ArenaTask *task, void *context)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    kjit_status status = catch_exhaustion(arena, task, context);

    if (c) {
        uselocale(before);
        freelocale(c);
    }
    return status;
}

kjit_status arena_run(ArenaTask *task, void *context)
{
    Arena arena;

    arena_init(&arena, NULL);
    kjit_status status = arena_catch(&arena, task, context);
    arena_free(&arena);
    return status;
}
