/* The digest of a space: that of wisdom, and the expressions of the launch's shape, which a record
** of wisdom stores separately, or which the @example has. */
#include "runtime/tuning/space.h"
#include "runtime/tuning/wisdom.h"

typedef struct DigestTask {
    const kjit_space *space;
    CacheKey digest;
} DigestTask;

_Static_assert(sizeof((CacheKey){ 0 }.name) == KJIT_DIGEST_SIZE, "the header says how long it is");

/* What the shape of a configuration takes from the @example (space_shape.c). */
static void put_example(Buf *text, Arena *arena, const kjit_space *space)
{
    static const char *const names[] = { "grid", "block", "shared" };
    const bool said[] = { space->said.problem.count, space->said.block.count, false };

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const AstExpr *expr = said[i] ? NULL : example_config_text(space->kernel, names[i]);
        if (expr)
            buf_printf(text, "\n%s=%s", names[i], ast_expr_text(arena, expr));
    }
}

static kjit_status make_digest(void *context, Arena *arena)
{
    DigestTask *task = context;
    const kjit_space *space = task->space;
    const char **names = arena_array(arena, const char *, space->count + 1);
    WisdomItems shape = { 0 };

    for (size_t i = 0; i < space->count; i++)
        names[i] = space->params[i].name;
    wisdom_digest(arena, space->kernel, names, space->count, &task->digest);
    wisdom_shape(arena, &space->said, &shape);
    Buf text = buf_in(arena);
    buf_puts(&text, task->digest.name);
    for (int i = 0; i < shape.count; i++)
        buf_printf(&text, "\n%s=%s", shape.list[i].name, shape.list[i].text);
    put_example(&text, arena, space);
    key_of_bytes(buf_text(&text), text.length, &task->digest);
    return KJIT_OK;
}

kjit_status kjit_space_digest(kjit_space *space, char digest[KJIT_DIGEST_SIZE])
{
    KJIT_TRY(HANDLE(SPACE, space));
    DigestTask task = { .space = space };
    kjit_status status = arena_run(make_digest, &task);

    memcpy(digest, task.digest.name, KJIT_DIGEST_SIZE);
    return status;
}
