/* Arrays that a kernel captures: parameters behind those of its text, which no name of it stands
** for (ir/lower/captured.c). */
#include "ir/names/scope.h"

/* Widens the kernel's tree by a parameter for each name. */
static void widen(Arena *arena, Function *function, const char *const *names, int count)
{
    AstFunction *wider = arena_new(arena, AstFunction);
    const AstParams *own = &function->ast->params;
    *wider = *function->ast;
    wider->params.items = arena_array(arena, AstParam, own->count + count + 1);
    if (own->count)
        memcpy(wider->params.items, own->items, (size_t)own->count * sizeof own->items[0]);
    for (int i = 0; i < count; i++)
        wider->params.items[wider->params.count++] =
            (AstParam){ .name = names[i], .span = function->ast->name_span };
    function->ast = wider;
    function->captured = count;
}

void captures_take(Arena *arena, Diags *diags, Function *function, const AstExpr *value)
{
    const bool list = value->kind == AST_LIST;
    const char **names = arena_array(arena, const char *, (list ? value->list.items.count : 0) + 1);
    for (int i = 0; list && i < value->list.items.count; i++) {
        const AstExpr *name = value->list.items.items[i];
        if (name->kind != AST_STRING) {
            diag_error(diags, name->span, "captures takes a list of names");
            return;
        }
        names[i] = name->string.text;
    }
    if (!list || function->captured)
        diag_error(diags, value->span, "captures takes a list of names");
    else
        widen(arena, function, names, value->list.items.count);
}

const AstFunction *module_capture(Arena *arena, const Module *module, const char *kernel,
                                  const char *const *names, int count)
{
    Function *function = module_function(module, kernel);
    if (function && !function->captured)
        widen(arena, function, names, count);
    return function ? function->ast : NULL;
}
