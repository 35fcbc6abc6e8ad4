/* Device functions put in place of their calls.
**
** A body is copied into the caller with variables of its own, set to the arguments. Its returns
** become branches: what follows `if c: return a` goes into that if's other branch, a return in a
** loop raises a flag and breaks, and what follows the loop asks the flag. So a body that
** synchronises after an early return still does so in plain structured code. A shared array stays
** one array however often the body is copied. */
#include "ir/clone.h"

typedef struct SharedCopy {
    const IrVar *of;
    IrVar *copy;
} SharedCopy;

typedef struct Inline {
    Arena *arena;
    const IrUnit *from;
    IrInlined *inlined;
    IrFunc **functions; /* the copies of from->functions, by index */
    IrFunc *to;         /* the function that is being made */
    SharedCopy *shared; /* arrays of `to` that came with a body */
    int shared_count, shared_capacity;
} Inline;

static IrFunc *copied_function(const IrClone *clone, IrFunc *fn)
{
    const Inline *in = clone->context;
    for (int i = 0; i < in->from->count; i++)
        if (in->from->functions[i] == fn && in->functions[i])
            return in->functions[i];
    return fn;
}

/* ---- calls ------------------------------------------------------------------------------ */

/* The variable of in->to that stands for `var` of a body. */
static IrVar *copy_var(Inline *in, const IrVar *var)
{
    bool shared = ir_is_shared(var);
    for (int i = 0; shared && i < in->shared_count; i++)
        if (in->shared[i].of == var)
            return in->shared[i].copy;
    IrVarKind kind = var->kind == VAR_PARAM ? VAR_LOCAL : var->kind;
    IrVar *copy = ir_var_new(in->arena, in->to, var->name, var->type, kind, var->span);
    copy->shape = var->shape;
    copy->table = var->table;
    copy->alignment = var->alignment;
    copy->temporary = var->temporary;
    if (shared)
        array_push(in->arena, in->shared, in->shared_count, in->shared_capacity) =
            (SharedCopy){ var, copy };
    return copy;
}

/* The kernel's array parameter that an argument is, which replaces the callee's, as nothing assigns
** it; NULL: the callee's parameter becomes a variable that is set to the argument. */
static IrVar *whole_array(const IrValue *argument)
{
    const IrVar *var = argument->op == OP_var ? argument->var : NULL;
    return var && var->kind == VAR_PARAM && type_is_array(var->type) ? argument->var : NULL;
}

/* Maps the callee's parameters to variables of the caller. */
static void set_parameters(const IrClone *caller, const IrClone *callee, const IrValue *call,
                           IrRegion *out)
{
    Inline *in = caller->context;
    for (int i = 0; i < call->count; i++) {
        const IrVar *param = call->callee->vars[i];
        IrValue *argument = ir_clone_value(caller, call->operands[i]);
        IrVar *array = whole_array(argument);
        callee->vars[param->id] = array ? array : copy_var(in, param);
        if (!array)
            ir_append(out, ir_set(caller->arena, callee->vars[param->id], argument, call->span));
    }
}

static bool copy_call(const IrClone *clone, const IrStmt *stmt, IrRegion *out);

/* A body on its way into in->to. */
static IrClone copier(Inline *in, const IrFunc *fn)
{
    return (IrClone){ .arena = in->arena,
                      .vars = arena_array(in->arena, IrVar *, fn->var_count + 1),
                      .stmt = copy_call,
                      .function = copied_function,
                      .context = in };
}

/* Appends the body of the called function; `result`, unless NULL, is set to what it returns. */
static void inline_call(const IrClone *caller, const IrValue *call, IrVar *result, IrRegion *out)
{
    Inline *in = caller->context;
    const IrFunc *fn = call->callee;
    IrClone c = copier(in, fn);
    set_parameters(caller, &c, call, out);
    for (int i = call->count; i < fn->var_count; i++)
        c.vars[i] = copy_var(in, fn->vars[i]);

    IrRegion body = { NULL, NULL };
    ir_clone_region(&c, &fn->body, &body);
    ir_structure_returns(in->arena, in->to, &body, result, call->span);
    ir_append_region(out, body);
}

static bool goes_inline(const IrFunc *callee, IrInlined *inlined)
{
    return !callee->recursive && !callee->foreign && inlined(callee);
}

/* The call that `stmt` consists of, if its function is to be inlined. */
static const IrValue *inlined_call(const Inline *in, const IrStmt *stmt)
{
    const IrValue *value = ir_stmt_value(stmt);
    bool call = value && value->op == OP_call && goes_inline(value->callee, in->inlined);
    return call ? value : NULL;
}

static bool copy_call(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const IrValue *call = inlined_call(clone->context, stmt);
    if (call)
        inline_call(clone, call, stmt->kind == IR_SET ? ir_clone_var(clone, stmt->set.var) : NULL,
                    out);
    return call != NULL;
}

/* Fills `to`, a shallow copy of `fn`, with variables and a body of its own. */
static void copy_function(Inline *in, const IrFunc *fn, IrFunc *to)
{
    in->to = to;
    in->shared = NULL;
    in->shared_count = in->shared_capacity = 0;
    to->vars = NULL;
    to->var_count = to->var_capacity = 0;
    to->body = (IrRegion){ NULL, NULL };
    IrClone c = copier(in, fn);
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        c.vars[i] = ir_var_new(in->arena, to, var->name, var->type, var->kind, var->span);
        *c.vars[i] = *var;
    }
    ir_clone_region(&c, &fn->body, &to->body);
}

static IrFunc *shallow_copy(Arena *arena, const IrFunc *fn)
{
    IrFunc *copy = arena_new(arena, IrFunc);
    *copy = *fn;
    return copy;
}

static bool wants_inlining(const IrUnit *unit, IrInlined *inlined)
{
    for (int i = 0; i < unit->count; i++)
        if (goes_inline(unit->functions[i], inlined))
            return true;
    return false;
}

/* ---- how much that will be ------------------------------------------------------------------- */

typedef struct InlineCount {
    const IrUnit *unit;
    IrInlined *inlined;
    int64_t *sizes; /* of unit->functions, by index, with what stands in them; 0: not yet known */
    int64_t copied;
} InlineCount;

static int64_t count_region(InlineCount *c, const IrRegion *region);

static int64_t count_call(InlineCount *c, const IrValue *call)
{
    int64_t size = 1;
    for (int i = 0; i < c->unit->count; i++)
        if (c->unit->functions[i] == call->callee)
            size += c->sizes[i] + call->count;
    c->copied += size;
    return size;
}

static int64_t count_stmt(InlineCount *c, IrStmt *stmt)
{
    const Inline in = { .inlined = c->inlined };
    const IrValue *call = inlined_call(&in, stmt);
    int64_t size = call ? count_call(c, call) : 1;
    for_each_region (inner, stmt)
        size += count_region(c, inner);
    return size;
}

static int64_t count_region(InlineCount *c, const IrRegion *region)
{
    int64_t size = 0;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        size += count_stmt(c, stmt);
    return size;
}

bool ir_is_inlined(const IrFunc *callee)
{
    return !callee->stays;
}

const IrFunc *ir_inline_excess(const IrUnit *unit, IrInlined *inlined, int64_t most)
{
    InlineCount c = { unit, inlined, arena_array(unit->arena, int64_t, unit->count + 1), 0 };
    for (int i = 0; i <= unit->count; i++) { /* callees stand before their callers */
        const IrFunc *fn = i < unit->count ? unit->functions[i] : unit->kernel;
        c.copied = 0;
        c.sizes[i] = count_region(&c, &fn->body);
        if (c.copied > most)
            return fn;
    }
    return NULL;
}

static IrUnit *copy_unit(Arena *arena, const IrUnit *unit, IrInlined *inlined)
{
    Inline in = { .arena = arena, .from = unit, .inlined = inlined };
    in.functions = arena_array(arena, IrFunc *, unit->count + 1);
    IrUnit *made = arena_new(arena, IrUnit);
    *made = *unit;
    made->arena = arena;
    made->functions = NULL;
    made->count = made->capacity = 0;
    for (int i = 0; i < unit->count; i++) {
        const IrFunc *fn = unit->functions[i];
        if (goes_inline(fn, inlined))
            continue;
        in.functions[i] = shallow_copy(arena, fn);
        array_push(arena, made->functions, made->count, made->capacity) = in.functions[i];
    }
    for (int i = 0; i < unit->count; i++)
        if (in.functions[i])
            copy_function(&in, unit->functions[i], in.functions[i]);
    made->kernel = shallow_copy(arena, unit->kernel);
    copy_function(&in, unit->kernel, made->kernel);
    return made;
}

static bool none(const IrFunc *callee)
{
    (void)callee;
    return false;
}

IrUnit *ir_copy_unit(Arena *arena, const IrUnit *unit)
{
    return copy_unit(arena, unit, none);
}

IrUnit *ir_inline(Arena *arena, const IrUnit *unit, IrInlined *inlined)
{
    if (!wants_inlining(unit, inlined))
        return (IrUnit *)unit;
    IrUnit *made = copy_unit(arena, unit, inlined);
    ir_effects(made);
    ir_range(made);
    ir_uniform(made);
    return made;
}
