/* Any bytes at all as text of the IR: it is refused, or becomes a unit that prints as text which,
** read again, prints the same. */
#include "ir/text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text of the unit that a source is; NULL if it is refused. */
static const char *printed(Arena *arena, const Source *source, IrTextForm form)
{
    Types types;
    Diags diags;

    types_init(&types, arena);
    diags_init(&diags, arena);
    Buf text = buf_in(arena);
    Buf complaints = buf_in(arena);
    IrUnit *unit = ir_read(arena, &types, &diags, source);
    diags_render(&diags, &complaints);
    if (!unit != (diags.errors > 0))
        abort();
    if (!unit)
        return NULL;
    ir_print(&text, unit, form);
    return buf_text(&text);
}

static void try_form(Arena *arena, const Source *source, IrTextForm form)
{
    const char *once = printed(arena, source, form);
    if (!once)
        return;
    const Source *again = source_new(arena, "again.ir", once, strlen(once));
    const char *twice = printed(arena, again, form);
    if (!twice || strcmp(once, twice) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena;
    jmp_buf exhausted;

    arena_init(&arena, &exhausted);
    if (setjmp(exhausted) == 0) {
        const Source *source = source_new(&arena, "fuzz.ir", (const char *)data, size);
        try_form(&arena, source, IR_TEXT_PLAIN);
        try_form(&arena, source, IR_TEXT_FULL);
    }
    arena_free(&arena);
    return 0;
}
