/* Where names got their types, for the notes below type errors.
**
** An assignment gives a variable its type. A variable that stands for several, where branches meet
** or a loop comes round, has its type from all of those: they are kept with it. */
#include "ir/lower/function.h"

enum { MAX_NOTES = 4 };

static IrOrigin *origin_new(FnState *f, const char *what, Span span, const IrOrigin *next)
{
    IrOrigin *origin = arena_new(f->arena, IrOrigin);
    *origin = (IrOrigin){ what, span, next };
    return origin;
}

const IrOrigin *origin_of(FnState *f, Binding binding, const IrVar *var)
{
    if (var && var->origins)
        return var->origins;
    const char *what = var                            ? type_name(f->arena, var->type)
                       : binding.kind == BIND_OPERAND ? describe(f, *binding.operand)
                                                      : NULL;
    return what && binding.span.source ? origin_new(f, what, binding.span, NULL) : NULL;
}

static bool has(const IrOrigin *list, const IrOrigin *origin)
{
    for (; list; list = list->next)
        if (same_place(list->span, origin->span))
            return true;
    return false;
}

/* The first of both, as many as notes are made of. */
const IrOrigin *origin_join(FnState *f, const IrOrigin *a, const IrOrigin *b)
{
    const IrOrigin *first[MAX_NOTES];
    int count = 0;
    for (; a && count < MAX_NOTES; a = a->next)
        if (!has(b, a))
            first[count++] = a;
    if (count == 0)
        return b;
    for (; b && count < MAX_NOTES; b = b->next)
        first[count++] = b;
    const IrOrigin *joined = NULL;
    while (count-- > 0)
        joined = origin_new(f, first[count]->what, first[count]->span, joined);
    return joined;
}

void origin_note(FnState *f, const IrOrigin *origins)
{
    int count = 0;
    if (library_hides(f))
        return;
    for (; origins && count < MAX_NOTES; origins = origins->next, count++)
        diag_note(f->lower->diags, origins->span, "%s here", origins->what);
}

/* The variables that the user named and that the type of `value` comes from. */
static void collect(const IrValue *value, const IrVar **vars, int *count)
{
    if (value->op == OP_var && value->var->kind == VAR_LOCAL && !value->var->temporary) {
        for (int i = 0; i < *count; i++)
            if (vars[i] == value->var)
                return;
        if (*count < MAX_NOTES)
            vars[(*count)++] = value->var;
    }
    bool first = value->op == OP_load || value->op == OP_view || value->op == OP_item_at;
    bool none = value->op == OP_call || value->op == OP_extent || value->op == OP_stride ||
                value->op == OP_data;
    for (int i = 0; i < value->count && !none && !(first && i > 0); i++)
        collect(value->operands[i], vars, count);
}

void note_types(FnState *f, const IrValue *a, const IrValue *b)
{
    const IrVar *vars[MAX_NOTES];
    int count = 0;
    if (f->constant_only || library_hides(f))
        return;
    collect(a, vars, &count);
    if (b)
        collect(b, vars, &count);
    for (int i = 0; i < count; i++) {
        const Name *name = table_get(&f->names, vars[i]->name);
        bool now = name && name->binding.kind == BIND_VAR && name->binding.var == vars[i];
        const char *type = type_name(f->arena, vars[i]->type);
        if (!vars[i]->origins) {
            diag_note(f->lower->diags, now ? name->binding.span : vars[i]->span,
                      "'%s' is %s from here", vars[i]->name, type);
            continue;
        }
        for (const IrOrigin *origin = vars[i]->origins; origin; origin = origin->next)
            diag_note(f->lower->diags, origin->span, "'%s' is %s: %s here", vars[i]->name, type,
                      origin->what);
    }
}
