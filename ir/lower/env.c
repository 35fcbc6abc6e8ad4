/* What names are bound to, and what happens to that where branches meet.
**
** Bindings change in place and each change is logged, so that a branch can be undone: what it
** changed is kept aside until the other branch is through. Meeting costs as much as was changed,
** not as much as there are names. */
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* Two ends of branches that left a name with two bindings. */
struct Join {
    Binding a, b;
    IrRegion *region_a, *region_b; /* where the copies into the common variable go */
    Span span;
    IrVar *var; /* once it has been read */
};

Name *env_name(FnState *f, const char *text)
{
    Name *name = table_get(&f->names, text);
    if (!name) {
        name = arena_new(f->arena, Name);
        name->name = text;
        table_put(&f->names, text, name);
    }
    return name;
}

void env_bind(FnState *f, Name *name, Binding binding)
{
    array_push(f->arena, f->log, f->log_count, f->log_capacity) =
        (NameChange){ name, name->binding };
    name->binding = binding;
    name->around = NULL;
}

void env_assign(FnState *f, Name *name, Binding binding)
{
    if (name->is_set)
        emit(f, ir_set(f->arena, name->is_set, ir_integer(f->arena, type_bool, 1, binding.span),
                       binding.span));
    env_bind(f, name, binding);
}

IrVar *env_var_for(FnState *f, Name *name, const Type *type, Span span)
{
    Binding now = name->binding;
    if (now.kind == BIND_VAR && now.var->kind == VAR_LOCAL && now.var->type == type)
        return now.var;
    for (int i = 0; i < name->var_count; i++)
        if (name->vars[i]->type == type)
            return name->vars[i];
    IrVar *var = ir_var_new(f->arena, f->fn, name->name, type, VAR_LOCAL, span);
    array_push(f->arena, name->vars, name->var_count, name->var_capacity) = var;
    return var;
}

int env_mark(const FnState *f)
{
    return f->log_count;
}

Branch env_end_branch(FnState *f, int mark, IrRegion *region)
{
    int most = f->log_count - mark;
    Branch branch = { region, f->reachable, arena_array(f->arena, NameChange, most + 1), 0 };
    while (f->log_count > mark) {
        NameChange *change = &f->log[--f->log_count];
        Name *name = change->name;
        if (!name->other) { /* the newest change: this is what the branch leaves */
            branch.changes[branch.count] = (NameChange){ name, name->binding };
            name->other = &branch.changes[branch.count++].before;
        }
        name->binding = change->before;
    }
    for (int i = 0; i < branch.count; i++)
        branch.changes[i].name->other = NULL;
    return branch;
}

static Binding settled_as(Binding binding, IrVar *var)
{
    Span span = binding.kind == BIND_JOIN ? binding.join->span : binding.span;
    return (Binding){ .kind = BIND_VAR, .span = span, .var = var };
}

/* A join that was read is as good as its variable. */
static Binding settled(Binding binding)
{
    if (binding.kind == BIND_JOIN && binding.join->var)
        return settled_as(binding, binding.join->var);
    return binding;
}

bool operand_same(const Operand *a, const Operand *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case OPD_NONE:
        return true;
    case OPD_STRING:
        return a->string.length == b->string.length && a->string.bytes == b->string.bytes &&
               memcmp(a->string.text, b->string.text, a->string.length) == 0;
    case OPD_TYPE:
        return a->type == b->type;
    case OPD_FUNCTION:
        return a->function == b->function;
    case OPD_INTRINSIC:
        return a->intrinsic == b->intrinsic;
    case OPD_FIXED:
        return a->fixed == b->fixed;
    case OPD_NAMED:
        return a->named == b->named;
    case OPD_ENUM:
        return a->enumeration == b->enumeration;
    case OPD_BUNDLE:
        return a->bundle == b->bundle;
    case OPD_MODULE:
        return a->module->of == b->module->of;
    case OPD_NAMESPACE:
        return strcmp(a->path, b->path) == 0;
    default:
        return false;
    }
}

static bool same_binding(Binding a, Binding b)
{
    a = settled(a);
    b = settled(b);
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case BIND_NONE:
        return true;
    case BIND_VAR:
        return a.var == b.var;
    case BIND_OPERAND:
        return operand_same(a.operand, b.operand);
    case BIND_JOIN:
        return a.join == b.join;
    case BIND_LOOP:
        return a.loop == b.loop;
    }
    return false;
}

static void join_name(FnState *f, Name *name, Binding a, Binding b, const Branch *branch_a,
                      const Branch *branch_b, Span span)
{
    if (same_binding(a, b)) {
        if (!same_binding(a, name->binding))
            env_bind(f, name, a);
        return;
    }
    Join *join = arena_new(f->arena, Join);
    *join = (Join){ settled(a), settled(b), branch_a->region, branch_b->region, span, NULL };
    env_bind(f, name, (Binding){ .kind = BIND_JOIN, .span = span, .join = join });
}

static void take_branch(FnState *f, const Branch *branch)
{
    for (int i = 0; i < branch->count; i++)
        env_bind(f, branch->changes[i].name, branch->changes[i].before);
}

void env_join(FnState *f, const Branch *a, const Branch *b, Span span)
{
    f->reachable = a->reachable || b->reachable;
    if (!a->reachable || !b->reachable) {
        take_branch(f, a->reachable ? a : b);
        return;
    }
    for (int i = 0; i < b->count; i++)
        b->changes[i].name->other = &b->changes[i].before;
    for (int i = 0; i < a->count; i++) {
        Name *name = a->changes[i].name;
        Binding other = name->other ? *name->other : name->binding;
        name->other = NULL;
        join_name(f, name, a->changes[i].before, other, a, b, span);
    }
    for (int i = 0; i < b->count; i++) {
        Name *name = b->changes[i].name;
        if (name->other) {
            name->other = NULL;
            join_name(f, name, name->binding, b->changes[i].before, a, b, span);
        }
    }
}

static IrVar *settle_binding(FnState *f, Name *name, Binding binding, Span use);

void note_outer_name(FnState *f, const char *name)
{
    const Symbol *symbol = module_symbol_in(f->module, name);
    if (symbol)
        diag_note(f->lower->diags, symbol->span,
                  "'%s' here is another name: what a function assigns is its own", name);
}

/* A variable that only `loop` assigns is read outside of where it did: it needs a value on entry,
** which numba makes zero. */
void fail_unassigned(FnState *f, const Memo *memo)
{
    fail(f, memo->use, "'%s' is used before it is assigned; give it a value before the loop",
         memo->name);
    note_outer_name(f, memo->name);
}

static IrVar *settle_loop(FnState *f, Name *name, const AstStmt *loop, Span use)
{
    Memo *memo = memo_for(f, loop, name->name);
    if (!memo->needed) {
        memo->needed = true;
        memo->use = use;
        f->again = true;
    } else if (!memo->type && !f->again) {
        fail_unassigned(f, memo);
    }
    return ir_var_new(f->arena, f->fn, name->name, memo->type ? memo->type : type_error, VAR_LOCAL,
                      use);
}

/* Without `from` the binding is None, or the name has no value. */
static void copy_into(FnState *f, IrRegion *region, const Name *name, IrVar *target, IrVar *from,
                      Binding binding, Span span)
{
    if (from == target)
        return;
    IrValue *value = from ? convert(f, ir_var(f->arena, from, span), target->type, span)
                     : binding.kind == BIND_NONE ? env_unset(f, name, target->type, span)
                                                 : ir_zero(f->arena, target->type, span);
    ir_append(region, ir_set(f->arena, target, value, span));
}

static const char *binding_name(FnState *f, Binding binding, const IrVar *var)
{
    return var                            ? type_name(f->arena, var->type)
           : binding.kind == BIND_OPERAND ? describe(f, *binding.operand)
                                          : "nothing";
}

bool binding_is_none(Binding binding)
{
    return binding.kind == BIND_OPERAND && binding.operand->kind == OPD_NONE;
}

/* The type of what a binding was settled to; NULL if that is no value, nor None. */
static const Type *settled_type(Binding binding, const IrVar *var)
{
    return var ? var->type : binding_is_none(binding) ? type_none : NULL;
}

/* One side of a join; a range or a slice becomes a value at the end of its branch. */
static IrVar *settle_side(FnState *f, Name *name, Binding binding, IrRegion *region, Span use)
{
    Operand settled = binding.kind == BIND_OPERAND ? thing_settled(f, *binding.operand)
                                                   : operand_error(binding.span);
    if (settled.kind != OPD_VALUE)
        return settle_binding(f, name, binding, use);
    IrVar *var =
        ir_var_new(f->arena, f->fn, name->name, settled.value->type, VAR_LOCAL, binding.span);
    ir_append(region, ir_set(f->arena, var, settled.value, binding.span));
    return var;
}

static bool names_iterator(Binding binding)
{
    return binding.kind == BIND_OPERAND && is_iterator(binding.operand);
}

static bool names_text(Binding binding)
{
    return binding.kind == BIND_OPERAND && binding.operand->kind == OPD_STRING;
}

/* Whether it stands for an error, which has been complained of. */
static bool is_told(Binding binding, const IrVar *var)
{
    return (binding.kind == BIND_OPERAND && binding.operand->kind == OPD_ERROR) ||
           (var && var->type->kind == TY_ERROR);
}

static IrVar *settle_join(FnState *f, Name *name, Join *join, Span use)
{
    if (join->var)
        return join->var;
    Span at = join->span;
    IrVar *a = settle_side(f, name, join->a, join->region_a, use);
    IrVar *b = settle_side(f, name, join->b, join->region_b, use);
    const Type *type_a = settled_type(join->a, a), *type_b = settled_type(join->b, b);
    bool operands =
        (join->a.kind == BIND_OPERAND && !type_a) || (join->b.kind == BIND_OPERAND && !type_b);
    const Type *type = operands           ? NULL
                       : type_a && type_b ? typing_unify(f->types, type_a, type_b)
                       : type_a           ? type_a
                                          : type_b;
    if (a && b)
        remark_join(f, name->name, a->type, join->a.span, b->type, join->b.span, type);
    const IrOrigin *origins = origin_join(f, origin_of(f, join->a, a), origin_of(f, join->b, b));
    if (!type && (is_told(join->a, a) || is_told(join->b, b))) {
        type = type_error;
    } else if (!type) {
        if (names_iterator(join->a) && names_iterator(join->b))
            fail(f, use,
                 "'%s' is one iterator or another here, which cannot be chosen when the kernel "
                 "runs; choose the array, and make the iterator behind that",
                 name->name);
        else if (names_text(join->a) && names_text(join->b))
            fail(f, use, "'%s' is one text or another here, %s", name->name, TEXT_IS_NOT_CHOSEN);
        else
            fail(f, use, "'%s' is %s or %s here, depending on the path taken", name->name,
                 binding_name(f, join->a, a), binding_name(f, join->b, b));
        origin_note(f, origins);
        type = type_error;
    }
    join->var = a && a->type == type && a->kind == VAR_LOCAL   ? a
                : b && b->type == type && b->kind == VAR_LOCAL ? b
                                                               : NULL;
    if (join->var) {
        at = join->var == a ? join->a.span : join->b.span;
    } else {
        join->var = ir_var_new(f->arena, f->fn, name->name, type, VAR_LOCAL, join->span);
        join->var->origins = origins;
    }
    if (type->kind != TY_ERROR && type->kind != TY_NONE) {
        copy_into(f, join->region_a, name, join->var, a, join->a, join->span);
        copy_into(f, join->region_b, name, join->var, b, join->b, join->span);
    }
    join->span = at; /* which gave it its type */
    return join->var;
}

static IrVar *settle_binding(FnState *f, Name *name, Binding binding, Span use)
{
    switch (binding.kind) {
    case BIND_VAR:
        return binding.var;
    case BIND_JOIN:
        return settle_join(f, name, binding.join, use);
    case BIND_LOOP:
        return settle_loop(f, name, binding.loop, use);
    case BIND_NONE:
    case BIND_OPERAND:
        return NULL;
    }
    return NULL;
}

IrVar *env_settle(FnState *f, Name *name, Span use)
{
    IrVar *var = settle_binding(f, name, name->binding, use);
    if (var && name->binding.kind != BIND_VAR)
        env_bind(f, name, settled_as(name->binding, var));
    return var;
}

/* ---- names without a value ------------------------------------------------------------------- */

/* That a name is read where it may have no value is found out behind assignments of it, which then
** note in a variable that they were reached. So the function is lowered again. */
IrValue *env_unset(FnState *f, const Name *name, const Type *type, Span span)
{
    if (is_debugged(f))
        memo_for(f, NULL, name->name)->unset = true;
    return ir_unset(f->arena, type, span);
}

int env_count_unset(const FnState *f)
{
    int count = 0;
    for (int i = 0; i < f->memo_count; i++)
        count += f->memos[i].unset;
    return count;
}

int env_declare_unset(FnState *f)
{
    for (int i = 0; i < f->memo_count; i++) {
        if (!f->memos[i].unset)
            continue;
        Name *name = env_name(f, f->memos[i].name);
        Span span = f->function->ast->name_span;
        const char *called = arena_printf(f->arena, "%s_is_set", name->name);
        name->is_set = ir_var_new(f->arena, f->fn, called, type_bool, VAR_LOCAL, span);
        emit(f, ir_set(f->arena, name->is_set, ir_integer(f->arena, type_bool, 0, span), span));
    }
    return env_count_unset(f);
}

void env_check_set(FnState *f, const Name *name, Span use)
{
    if (!name->is_set)
        return;
    IrValue *unset = ir_unary(f->arena, OP_not, ir_var(f->arena, name->is_set, use), use);
    lower_fault_if(f, unset,
                   arena_printf(f->arena,
                                "UnboundLocalError: cannot access local variable '%s' where it is "
                                "not associated with a value",
                                name->name),
                   use);
}
