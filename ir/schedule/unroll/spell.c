/* Indices that an iteration works out in variables of its own, before it loads by them:
**
**     for i in t to n by block_dim(0)            for i in t to n by block_dim(0)
**         b = floordiv(i, area)                      b = floordiv(i, area)
**         s = add(s, load(x, b, i))         =>       s = add(s, load(x, floordiv(i, area), i))
**
** are written out, so that the load can come before the iteration.
**
** Legal if one statement sets the variable, to what nothing in the loop but the counter changes:
** it comes to the same where the variable is read in that iteration. Pays where all indices of a
** load become known before the iteration, so that several are under way at once, if no other load
** has such already: what a table holds at such indices is near. */
#include "ir/schedule/unroll/unroll.h"

typedef struct Spell {
    IrUnit *unit;
    IrSets names; /* of the kernel */
    IrSets sets;  /* of the loop */
    const IrVar *counter;
    bool known; /* some load comes ahead as it stands */
} Spell;

/* What a variable stands for in its iteration; NULL: for itself. */
static const IrValue *spelt(const Spell *s, const IrValue *value)
{
    if (value->op != OP_var || value->var == s->counter || !sets_any(&s->sets, value->var))
        return NULL;
    return sets_value(&s->names, value->var);
}

static bool is_known_spelt(const Spell *s, const IrValue *value)
{
    const IrValue *behind = spelt(s, value);
    if (behind)
        return is_known_spelt(s, behind);
    if (value->count == 0 || value->op == OP_load || value->op == OP_call)
        return sets_invariant(&s->sets, value, s->counter);
    if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect != EFFECT_NONE)
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_known_spelt(s, value->operands[i]))
            return false;
    return true;
}

static void write_out(void *context, IrValue *value)
{
    const Spell *s = context;
    const IrClone clone = { .arena = s->unit->arena };
    for (const IrValue *behind = spelt(s, value); behind; behind = spelt(s, value))
        *value = *ir_clone_value(&clone, behind);
}

static bool is_load(const IrValue *value)
{
    return value->op == OP_load && ir_array_param(value->operands[0]) >= 0;
}

static void note_known(void *context, IrValue *load)
{
    Spell *s = context;
    bool known = is_load(load);
    for (int i = 1; i < load->count && known; i++)
        known = sets_invariant(&s->sets, load->operands[i], s->counter);
    s->known |= known;
}

static void spell_load(void *context, IrValue *load)
{
    const Spell *s = context;
    bool known = is_load(load);
    for (int i = 1; i < load->count && known; i++)
        known = sets_is_short(&s->names, load->operands[i]) && is_known_spelt(s, load->operands[i]);
    for (int i = 1; i < load->count && known; i++)
        ir_each_node(load->operands[i], write_out, context);
}

void unroll_spell(IrUnit *unit, IrStmt *loop)
{
    const IrFunc *fn = unit->kernel;
    Spell s = { .unit = unit,
                .names = ir_sets(unit->arena, fn, &fn->body),
                .sets = ir_sets_of_loop(unit->arena, fn, loop),
                .counter = loop->for_.var };
    ir_each_node_in(&loop->for_.body, note_known, &s);
    if (!s.known)
        ir_each_node_in(&loop->for_.body, spell_load, &s);
}
