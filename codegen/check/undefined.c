/* DIALECT_CHECK: variables that hold no defined value: of a name that was not set on the path
** taken, or from a shuffle that read a lane which does not take part.
**
** Only a use of such a value is an error: `u = shfl_down_sync(mask, v, step)` and then `if lane +
** step < count: v += u` is right, and so is `if found: out[i] = place` where only the branch that
** sets `found` sets `place`. So each variable that a shuffle sets has a bit in the thread that says
** whether its value is undefined, each that is not set on every path a bool beside it, and each use
** tests them. Copies and casts of such a variable have their own, which are copied with the value.
*/
#include "codegen/check/check.h"

enum { BITS = 32 };

static bool is_shuffle(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_shfl_sync || value->intrinsic == INTR_shfl_up_sync ||
            value->intrinsic == INTR_shfl_down_sync || value->intrinsic == INTR_shfl_xor_sync);
}

/* The variable that a value is a copy of, or NULL. An array that was not set has no elements. */
static const IrVar *copied_var(const IrValue *value)
{
    while (value->op == OP_cast && type_is_scalar(value->type))
        value = value->operands[0];
    return value->op == OP_var && !type_is_array(value->type) ? value->var : NULL;
}

/* ---- which variables ------------------------------------------------------------------------- */

static const Undefined *undefined_of(const Emitter *e, const IrVar *var)
{
    static const Undefined none = { 0 };

    return e->dialect == DIALECT_CHECK && var ? &e->check->undefined[var->id] : &none;
}

static void find_undefined(void *context, IrStmt *stmt)
{
    Emitter *e = context;
    CheckState *check = e->check;

    if (stmt->kind != IR_SET || stmt->set.var->kind != VAR_LOCAL)
        return;
    const IrValue *value = stmt->set.value;
    const Undefined *copied = undefined_of(e, copied_var(value));
    Undefined *own = &check->undefined[stmt->set.var->id];
    if (!own->bit && check->shuffled_count < BITS && (is_shuffle(value) || copied->bit))
        own->bit = ++check->shuffled_count;
    if (!own->unset && !type_is_array(value->type) && (value->unset || copied->unset))
        own->unset = local_name(e, arena_printf(e->arena, "%s_unset", stmt->set.var->name));
    else
        return;
    check->undefined_changed = true;
}

void check_find_undefined(Emitter *e)
{
    CheckState *check = e->check;
    int bits;

    check->undefined = arena_array(e->arena, Undefined, e->fn->var_count + 1);
    do {
        bits = check->shuffled_count;
        check->undefined_changed = false;
        ir_each_stmt((IrRegion *)&e->fn->body, find_undefined, e);
    } while (check->undefined_changed || bits != check->shuffled_count);
}

void check_declare_undefined(Emitter *e)
{
    for (int i = 0; e->dialect == DIALECT_CHECK && i < e->fn->var_count; i++)
        if (e->check->undefined[i].unset)
            line(e, "bool %s = false;", e->check->undefined[i].unset);
}

bool check_is_followed(const Emitter *e, const IrVar *var)
{
    const Undefined *own = undefined_of(e, var);

    return own->bit || own->unset;
}

/* ---- uses and assignments -------------------------------------------------------------------- */

const char *check_used_text(Emitter *e, const IrValue *value, const char *name)
{
    const Undefined *own = undefined_of(e, value->var);
    const char *text = name;

    if (!check_is_followed(e, value->var) || e->check->copied == value->var)
        return name;
    if (own->bit)
        text = arena_printf(e->arena, "%s(%s, %d), %s", prelude(e, "use_shuffled", NULL),
                            e->context_arg, own->bit - 1, text);
    if (own->unset)
        text = arena_printf(e->arena, "%s(%s, %d, %s), %s", prelude(e, "use_unset", NULL),
                            e->context_arg, check_site(e, value->span, value->var->name, "read", 1),
                            own->unset, text);
    return arena_printf(e->arena, "(%s)", text);
}

bool check_follows_set(const Emitter *e, const IrStmt *stmt)
{
    return e->dialect == DIALECT_CHECK &&
           (is_shuffle(stmt->set.value) || check_is_followed(e, stmt->set.var));
}

void check_begin_set(Emitter *e, const IrStmt *stmt)
{
    if (check_follows_set(e, stmt))
        e->check->copied = copied_var(stmt->set.value);
}

void check_end_set(Emitter *e, const IrStmt *stmt)
{
    if (!check_follows_set(e, stmt))
        return;
    const IrValue *value = stmt->set.value;
    const Undefined *own = undefined_of(e, stmt->set.var);
    const Undefined *copied = undefined_of(e, e->check->copied);
    e->check->copied = NULL;
    if (own->unset)
        line(e, "%s = %s;", own->unset,
             value->unset    ? "true"
             : copied->unset ? copied->unset
                             : "false");
    if (is_shuffle(value))
        line(e, "%s(%s, %d);", prelude(e, "from_shuffle", NULL), e->context_arg, own->bit - 1);
    else if (own->bit)
        line(e, "%s(%s, %d, %d);", prelude(e, "copy_shuffled", NULL), e->context_arg,
             copied->bit - 1, own->bit - 1);
}
