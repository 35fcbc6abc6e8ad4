/* Any bytes at all: the parser says what is wrong with them or makes a tree, and the tree of an
** expression, printed and parsed again, prints the same. */
#include "base/base.h"
#include "parser/parser.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Renders what was said, for the sake of its own mistakes. */
static void render(Arena *arena, const Diags *diags)
{
    Buf text = buf_in(arena);
    diags_render(diags, &text);
}

static void try_module(Arena *arena, const Source *source)
{
    Diags diags;

    diags_init(&diags, arena);
    AstModule *module = parse_module(arena, &diags, source);
    Buf tree = buf_in(arena);
    if (module)
        ast_print_module(&tree, module);
    render(arena, &diags);

    diags_init(&diags, arena);
    Buf tokens = buf_in(arena);
    tokens_print(arena, &tokens, &diags, source);
}

/* The text of the expression that `source` is; NULL if it is none. */
static const char *expression_text(Arena *arena, const Source *source)
{
    Diags diags;

    diags_init(&diags, arena);
    AstExpr *expr = parse_expression(arena, &diags, source);
    render(arena, &diags);
    if (!expr)
        return NULL;
    Buf text = buf_in(arena);
    ast_print_expr(&text, expr);
    return buf_text(&text);
}

static void try_expression(Arena *arena, const Source *source)
{
    const char *once = expression_text(arena, source);

    if (!once)
        return;
    Source *again = source_new(arena, "again", once, strlen(once));
    const char *twice = expression_text(arena, again);
    if (!twice || strcmp(once, twice) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena;
    jmp_buf exhausted;

    arena_init(&arena, &exhausted);
    if (setjmp(exhausted) == 0) {
        const Source *source = source_new(&arena, "fuzz.k", (const char *)data, size);
        try_module(&arena, source);
        try_expression(&arena, source);
    }
    arena_free(&arena);
    return 0;
}
