/* What names stand for, noted as they are lowered: editors show it.
**
** A function that is lowered for several lists of types notes each of them, and keeps its notes: a
** pass over it whose types did not hold, and that is done again, leaves none, while what it called
** then may be called again. */
#include "ir/lower/function.h"

static bool wanted(const FnState *f)
{
    return f->lower->request->meanings && !library_hides(f);
}

static void note(FnState *f, Span use, const char *what, Span defined)
{
    Meanings *meanings = f->lower->request->meanings;
    array_push(f->arena, meanings->list, meanings->count, meanings->capacity) =
        (Meaning){ use, what, defined };
}

static const char *what_of(FnState *f, Operand what)
{
    return what.kind == OPD_VALUE ? type_name(f->arena, what.value->type) : describe(f, what);
}

static bool is_error(Operand what)
{
    return what.kind == OPD_ERROR || (what.kind == OPD_VALUE && what.value->type->kind == TY_ERROR);
}

void meaning_note(FnState *f, Span use, Operand what, Span defined)
{
    if (wanted(f) && use.source && !is_error(what))
        note(f, use, what_of(f, what), defined);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool spells(Span span, const char *name)
{
    size_t length = strlen(name);
    return span.source && span.end - span.begin == length &&
           memcmp(span.source->text + span.begin, name, length) == 0;
}

/* Where branches or iterations meet, a name has a variable of its own, made where it was assigned
** first. */
static Span local_definition(const Name *name, Operand what)
{
    bool var = what.kind == OPD_VALUE && what.value->op == OP_var;
    if (spells(name->binding.span, name->name))
        return name->binding.span;
    if (var && spells(what.value->var->span, name->name))
        return what.value->var->span;
    return name->made.source ? name->made : name->binding.span;
}

void meaning_of_target(FnState *f, const AstExpr *target, Operand what)
{
    if (f->lower->request->meanings)
        env_name(f, target->name.name)->made = target->span;
    meaning_note(f, target->span, what, target->span);
}

/* A number of the module shows its value: "int64 = 16". */
static const char *constant_of(FnState *f, Operand what)
{
    const IrValue *value = what.kind == OPD_VALUE ? what.value : NULL;
    const char *type = what_of(f, what);
    if (value && value->op == OP_constant && type_is_integer(value->type))
        return arena_printf(f->arena, "%s = %lld", type, (long long)value->constant.integer);
    if (value && value->op == OP_constant && type_is_float(value->type))
        return arena_printf(f->arena, "%s = %.9g", type, value->constant.number);
    return type;
}

Operand meaning_of_name(FnState *f, const AstExpr *expr, Operand what)
{
    if (!wanted(f) || is_error(what))
        return what;
    const Name *name = table_get(&f->names, expr->name.name);
    if (name && name->binding.kind != BIND_NONE) {
        note(f, expr->span, what_of(f, what), local_definition(name, what));
        return what;
    }
    const Symbol *symbol = lower_lookup(f, expr->name.name);
    note(f, expr->span, constant_of(f, what), symbol ? symbol->span : (Span){ 0 });
    return what;
}

/* ---- functions ------------------------------------------------------------------------------- */

int meaning_mark(const Lower *lower)
{
    return lower->request->meanings ? lower->request->meanings->count : 0;
}

void meanings_void(Lower *lower, int mark)
{
    if (lower->request->meanings)
        lower->request->meanings->count = mark;
}

void meanings_take(Lower *lower, Specialisation *s, int mark)
{
    Meanings *meanings = lower->request->meanings;
    if (!meanings)
        return;
    s->meaning_count = meanings->count - mark;
    s->meanings = arena_array(lower->arena, Meaning, s->meaning_count + 1);
    if (s->meaning_count)
        memcpy(s->meanings, meanings->list + mark, (size_t)s->meaning_count * sizeof(Meaning));
    meanings->count = mark;
}

void meanings_give(Lower *lower)
{
    Meanings *meanings = lower->request->meanings;
    const Table *table = &lower->specialisations;
    for (size_t i = 0; meanings && i < table->capacity; i++) {
        const Specialisation *s = table->slots[i].name ? table->slots[i].value : NULL;
        for (; s; s = s->next)
            for (int k = 0; k < s->meaning_count; k++)
                array_push(lower->arena, meanings->list, meanings->count, meanings->capacity) =
                    s->meanings[k];
    }
}
