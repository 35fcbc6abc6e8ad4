/* DIALECT_CHECK: undefined results of shuffles, which read a lane that does not take part.
**
** Only a use of such a result is an error: `u = shfl_down_sync(mask, v, step)` and then `if lane +
** step < count: v += u` is right. So each variable that a shuffle sets has a bit in the thread that
** says whether its value is undefined, and each use tests it. Copies and casts of such a variable
** have bits of their own, which are copied with the value. */
#include "codegen/check/check.h"

enum { BITS = 32 };

static bool is_shuffle(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_shfl_sync || value->intrinsic == INTR_shfl_up_sync ||
            value->intrinsic == INTR_shfl_down_sync || value->intrinsic == INTR_shfl_xor_sync);
}

/* The variable that a value is a copy of, or NULL. */
static const IrVar *copied_var(const IrValue *value)
{
    while (value->op == OP_cast && type_is_scalar(value->type))
        value = value->operands[0];
    return value->op == OP_var && type_is_scalar(value->type) ? value->var : NULL;
}

int check_shuffle_bit(const Emitter *e, const IrVar *var)
{
    return e->dialect == DIALECT_CHECK && e->check->shuffled ? e->check->shuffled[var->id] - 1 : -1;
}

static void find_shuffled(void *context, IrStmt *stmt)
{
    Emitter *e = context;
    CheckState *check = e->check;

    if (stmt->kind != IR_SET || stmt->set.var->kind != VAR_LOCAL || check->shuffled_count == BITS ||
        check->shuffled[stmt->set.var->id])
        return;
    const IrVar *copied = copied_var(stmt->set.value);
    if (is_shuffle(stmt->set.value) || (copied && check->shuffled[copied->id]))
        check->shuffled[stmt->set.var->id] = ++check->shuffled_count;
}

void check_find_shuffled(Emitter *e)
{
    CheckState *check = e->check;
    int before = check->shuffled_count - 1;

    check->shuffled = arena_array(e->arena, int, e->fn->var_count + 1);
    while (before != check->shuffled_count) {
        before = check->shuffled_count;
        ir_each_stmt((IrRegion *)&e->fn->body, find_shuffled, e);
    }
}

const char *check_shuffle_text(Emitter *e, const IrValue *value, const char *name)
{
    int bit = check_shuffle_bit(e, value->var);

    if (bit < 0 || e->check->copied == value->var)
        return name;
    return arena_printf(e->arena, "(%s(%s, %d), %s)", prelude(e, "use_shuffled", NULL),
                        e->context_arg, bit, name);
}

bool check_follows_set(const Emitter *e, const IrStmt *stmt)
{
    return e->dialect == DIALECT_CHECK &&
           (is_shuffle(stmt->set.value) || check_shuffle_bit(e, stmt->set.var) >= 0);
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
    int bit = check_shuffle_bit(e, stmt->set.var);
    const IrVar *copied = e->check->copied;
    e->check->copied = NULL;
    if (is_shuffle(stmt->set.value))
        line(e, "%s(%s, %d);", prelude(e, "from_shuffle", NULL), e->context_arg, bit);
    else
        line(e, "%s(%s, %d, %d);", prelude(e, "copy_shuffled", NULL), e->context_arg,
             copied ? check_shuffle_bit(e, copied) : -1, bit);
}
