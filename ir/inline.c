/* Device functions put in the place of their calls.
**
** A body is copied into the caller with variables of its own, set to the arguments. Its returns
** become branches: what follows `if c: return a` goes into that if's other branch, a return in a
** loop raises a flag and breaks, and what follows the loop asks the flag. So a body that
** synchronises after an early return still does so in plain structured code. A shared array stays
** one array however often the body is copied. */
#include "ir/ir.h"

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

/* A body on its way into in->to. */
typedef struct Copy {
    Inline *in;
    IrVar **vars; /* what each variable has become, by its id */
} Copy;

static void copy_region(const Copy *c, const IrRegion *region, IrRegion *out);

/* ---- values ---------------------------------------------------------------------------- */

static IrFunc *copied_function(const Inline *in, IrFunc *fn)
{
    for (int i = 0; i < in->from->count; i++)
        if (in->from->functions[i] == fn && in->functions[i])
            return in->functions[i];
    return fn;
}

static IrValue *copy_value(const Copy *c, const IrValue *value)
{
    if (!value)
        return NULL;
    IrValue *copy = arena_new(c->in->arena, IrValue);
    *copy = *value;
    if (value->op == OP_var)
        copy->var = c->vars[value->var->id];
    if (value->op == OP_call)
        copy->callee = copied_function(c->in, value->callee);
    copy->operands = arena_array(c->in->arena, IrValue *, value->count + 1);
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = copy_value(c, value->operands[i]);
    return copy;
}

/* ---- returns --------------------------------------------------------------------------- */

/* How the statements of a region end: they go on behind it, some paths return, or all do. */
typedef enum Ending { ENDING_ON, ENDING_MIXED, ENDING_RETURN } Ending;

typedef struct Returns {
    Inline *in;
    IrVar *result;   /* NULL: nobody wants it */
    IrVar *returned; /* set at each return, NULL if no path needs to ask */
} Returns;

static Ending structure(const Returns *r, IrRegion *region, bool in_loop);

static IrStmt *set_var(const Returns *r, IrVar *var, IrValue *value, Span span)
{
    IrStmt *set = ir_stmt(r->in->arena, IR_SET, span);
    set->set.var = var;
    set->set.value = value;
    return set;
}

/* Takes what follows `stmt` out of its region. */
static IrRegion take_rest(IrRegion *region, IrStmt *stmt)
{
    IrRegion rest = { stmt->next, stmt->next ? region->last : NULL };
    if (stmt->next)
        stmt->next->prev = NULL;
    stmt->next = NULL;
    region->last = stmt;
    return rest;
}

static void append_region(IrRegion *region, IrRegion rest)
{
    for (IrStmt *stmt = rest.first, *next; stmt; stmt = next) {
        next = stmt->next;
        ir_append(region, stmt);
    }
}

/* `if returned:` or, negated, `if not returned:` with an empty body. */
static IrStmt *ask_returned(const Returns *r, bool negated, Span span)
{
    IrStmt *ask = ir_stmt(r->in->arena, IR_IF, span);
    ask->if_.condition = ir_var(r->in->arena, r->returned, span);
    if (negated)
        ask->if_.condition = ir_unary(r->in->arena, OP_not, ask->if_.condition, span);
    return ask;
}

static Ending structure_return(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    take_rest(region, stmt);
    if (r->result && stmt->return_.value)
        ir_insert_before(region, stmt, set_var(r, r->result, stmt->return_.value, stmt->span));
    if (r->returned) {
        IrValue *yes = ir_integer(r->in->arena, type_bool, 1, stmt->span);
        ir_insert_before(region, stmt, set_var(r, r->returned, yes, stmt->span));
    }
    ir_remove(region, stmt);
    if (in_loop)
        ir_append(region, ir_stmt(r->in->arena, IR_BREAK, stmt->span));
    return ENDING_RETURN;
}

/* What follows `stmt`, behind which some have returned, moves into `into`, or into an if of its
** own when that is NULL. */
static Ending structure_rest(const Returns *r, IrRegion *region, IrStmt *stmt, IrRegion *into)
{
    IrRegion rest = take_rest(region, stmt);
    Ending ending = structure(r, &rest, false);
    if (!into && rest.first) {
        IrStmt *ask = ask_returned(r, true, stmt->span);
        ir_append(region, ask);
        into = &ask->if_.then;
    }
    if (into)
        append_region(into, rest);
    return ending == ENDING_RETURN ? ENDING_RETURN : ENDING_MIXED;
}

static Ending structure_if(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    Ending then = structure(r, &stmt->if_.then, in_loop);
    Ending otherwise = structure(r, &stmt->if_.otherwise, in_loop);
    if (then == ENDING_RETURN && otherwise == ENDING_RETURN) {
        take_rest(region, stmt);
        return ENDING_RETURN;
    }
    if (then == ENDING_ON && otherwise == ENDING_ON)
        return ENDING_ON;
    if (in_loop)
        return ENDING_MIXED; /* who returned broke out, who is here goes on */
    if (then == ENDING_RETURN && otherwise == ENDING_ON)
        return structure_rest(r, region, stmt, &stmt->if_.otherwise);
    if (then == ENDING_ON && otherwise == ENDING_RETURN)
        return structure_rest(r, region, stmt, &stmt->if_.then);
    return structure_rest(r, region, stmt, NULL);
}

static Ending structure_loop(const Returns *r, IrRegion *region, IrStmt *stmt, bool in_loop)
{
    IrRegion *body = stmt->kind == IR_FOR ? &stmt->for_.body : &stmt->while_.body;
    if (structure(r, body, true) == ENDING_ON)
        return ENDING_ON;
    if (!in_loop)
        return structure_rest(r, region, stmt, NULL);
    IrStmt *ask = ask_returned(r, false, stmt->span);
    ir_append(&ask->if_.then, ir_stmt(r->in->arena, IR_BREAK, stmt->span));
    ir_insert_before(region, stmt->next, ask);
    return ENDING_MIXED;
}

/* Replaces the returns of a region. Outside of loops nothing follows a statement behind which
** some have returned. */
static Ending structure(const Returns *r, IrRegion *region, bool in_loop)
{
    Ending ending = ENDING_ON;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        Ending one = ENDING_ON;
        if (stmt->kind == IR_RETURN)
            return structure_return(r, region, stmt, in_loop);
        if (stmt->kind == IR_IF)
            one = structure_if(r, region, stmt, in_loop);
        else if (stmt->kind == IR_WHILE || stmt->kind == IR_FOR)
            one = structure_loop(r, region, stmt, in_loop);
        if (one == ENDING_RETURN || (one == ENDING_MIXED && !in_loop))
            return one;
        if (one == ENDING_MIXED)
            ending = one;
    }
    return ending;
}

/* Whether a return stands deeper than in one if: then branches alone may not do. */
static bool returns_deep(const IrRegion *region, int depth)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_RETURN && depth > 1)
            return true;
        IrRegion *regions[2];
        int step = stmt->kind == IR_IF ? 1 : 2;
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            if (returns_deep(regions[i], depth + step))
                return true;
    }
    return false;
}

/* ---- calls ------------------------------------------------------------------------------ */

/* The variable of in->to that stands for `var` of a body. */
static IrVar *copy_var(Inline *in, const IrVar *var)
{
    bool shared = var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC;
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

static void set_parameters(const Copy *caller, const Copy *callee, const IrValue *call,
                           IrRegion *out)
{
    for (int i = 0; i < call->count; i++) {
        Returns r = { .in = caller->in };
        IrVar *param = callee->vars[call->callee->vars[i]->id];
        ir_append(out, set_var(&r, param, copy_value(caller, call->operands[i]), call->span));
    }
}

/* Appends the body of the called function; `result`, unless NULL, is set to what it returns. */
static void inline_call(const Copy *caller, const IrValue *call, IrVar *result, IrRegion *out)
{
    Inline *in = caller->in;
    const IrFunc *fn = call->callee;
    Copy c = { in, arena_array(in->arena, IrVar *, fn->var_count + 1) };
    for (int i = 0; i < fn->var_count; i++)
        c.vars[i] = copy_var(in, fn->vars[i]);
    set_parameters(caller, &c, call, out);

    Returns r = { .in = in, .result = result };
    IrRegion body = { NULL, NULL };
    copy_region(&c, &fn->body, &body);
    if (returns_deep(&fn->body, 0)) {
        r.returned = ir_temporary(in->arena, in->to, "_returned", type_bool, call->span);
        IrValue *no = ir_integer(in->arena, type_bool, 0, call->span);
        ir_append(out, set_var(&r, r.returned, no, call->span));
    }
    structure(&r, &body, false);
    append_region(out, body);
}

/* The call that `stmt` consists of, if its function is to be inlined. */
static const IrValue *inlined_call(const Inline *in, const IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_SET    ? stmt->set.value
                           : stmt->kind == IR_EVAL ? stmt->eval.value
                                                   : NULL;
    bool call = value && value->op == OP_call && in->inlined(value->callee);
    return call && !value->callee->recursive ? value : NULL;
}

/* ---- statements -------------------------------------------------------------------------- */

static void copy_store(const Copy *c, IrStmt *copy, const IrStmt *stmt)
{
    copy->store.array = copy_value(c, stmt->store.array);
    copy->store.indices = arena_array(c->in->arena, IrValue *, stmt->store.count + 1);
    for (int i = 0; i < stmt->store.count; i++)
        copy->store.indices[i] = copy_value(c, stmt->store.indices[i]);
    copy->store.value = copy_value(c, stmt->store.value);
}

static void copy_print(const Copy *c, IrStmt *copy, const IrStmt *stmt)
{
    copy->print.items = arena_array(c->in->arena, IrPrintItem, stmt->print.count + 1);
    for (int i = 0; i < stmt->print.count; i++)
        copy->print.items[i] =
            (IrPrintItem){ stmt->print.items[i].text, copy_value(c, stmt->print.items[i].value) };
}

static void copy_loop(const Copy *c, IrStmt *copy, const IrStmt *stmt)
{
    if (stmt->kind == IR_WHILE) {
        copy->while_.condition = copy_value(c, stmt->while_.condition);
        copy->while_.body = (IrRegion){ NULL, NULL };
        copy_region(c, &stmt->while_.body, &copy->while_.body);
        return;
    }
    copy->for_.var = c->vars[stmt->for_.var->id];
    copy->for_.start = copy_value(c, stmt->for_.start);
    copy->for_.stop = copy_value(c, stmt->for_.stop);
    copy->for_.step = copy_value(c, stmt->for_.step);
    copy->for_.body = (IrRegion){ NULL, NULL };
    copy_region(c, &stmt->for_.body, &copy->for_.body);
}

static void copy_if(const Copy *c, IrStmt *copy, const IrStmt *stmt)
{
    copy->if_.condition = copy_value(c, stmt->if_.condition);
    copy->if_.then = copy->if_.otherwise = (IrRegion){ NULL, NULL };
    copy_region(c, &stmt->if_.then, &copy->if_.then);
    copy_region(c, &stmt->if_.otherwise, &copy->if_.otherwise);
}

static IrStmt *copy_stmt(const Copy *c, const IrStmt *stmt)
{
    IrStmt *copy = arena_new(c->in->arena, IrStmt);
    *copy = *stmt;
    copy->next = copy->prev = NULL;
    switch (stmt->kind) {
    case IR_SET:
        copy->set.var = c->vars[stmt->set.var->id];
        copy->set.value = copy_value(c, stmt->set.value);
        break;
    case IR_STORE:
        copy_store(c, copy, stmt);
        break;
    case IR_EVAL:
        copy->eval.value = copy_value(c, stmt->eval.value);
        break;
    case IR_IF:
        copy_if(c, copy, stmt);
        break;
    case IR_WHILE:
    case IR_FOR:
        copy_loop(c, copy, stmt);
        break;
    case IR_RETURN:
        copy->return_.value = copy_value(c, stmt->return_.value);
        break;
    case IR_PRINT:
        copy_print(c, copy, stmt);
        break;
    case IR_FAULT:
        copy->fault.values = arena_array(c->in->arena, IrValue *, stmt->fault.count + 1);
        for (int i = 0; i < stmt->fault.count; i++)
            copy->fault.values[i] = copy_value(c, stmt->fault.values[i]);
        break;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_STOP:
        break;
    }
    return copy;
}

static void copy_region(const Copy *c, const IrRegion *region, IrRegion *out)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        const IrValue *call = inlined_call(c->in, stmt);
        if (call)
            inline_call(c, call, stmt->kind == IR_SET ? c->vars[stmt->set.var->id] : NULL, out);
        else
            ir_append(out, copy_stmt(c, stmt));
    }
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
    Copy c = { in, arena_array(in->arena, IrVar *, fn->var_count + 1) };
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        c.vars[i] = ir_var_new(in->arena, to, var->name, var->type, var->kind, var->span);
        *c.vars[i] = *var;
    }
    copy_region(&c, &fn->body, &to->body);
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
        if (!unit->functions[i]->recursive && inlined(unit->functions[i]))
            return true;
    return false;
}

/* ---- how much that will be ------------------------------------------------------------------- */

typedef struct Count {
    const IrUnit *unit;
    IrInlined *inlined;
    int64_t *sizes; /* of unit->functions, by index, with what stands in them; 0: not yet known */
    int64_t copied;
} Count;

static int64_t count_region(Count *c, const IrRegion *region);

static int64_t count_call(Count *c, const IrValue *call)
{
    int64_t size = 1;
    for (int i = 0; i < c->unit->count; i++)
        if (c->unit->functions[i] == call->callee)
            size += c->sizes[i] + call->count;
    c->copied += size;
    return size;
}

static int64_t count_stmt(Count *c, IrStmt *stmt)
{
    const Inline in = { .inlined = c->inlined };
    const IrValue *call = inlined_call(&in, stmt);
    IrRegion *regions[2];
    int64_t size = call ? count_call(c, call) : 1;
    for (int i = ir_regions(stmt, regions); i-- > 0;)
        size += count_region(c, regions[i]);
    return size;
}

static int64_t count_region(Count *c, const IrRegion *region)
{
    int64_t size = 0;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        size += count_stmt(c, stmt);
    return size;
}

const IrFunc *ir_inline_excess(const IrUnit *unit, IrInlined *inlined, int64_t most)
{
    Count c = { unit, inlined, arena_array(unit->arena, int64_t, unit->count + 1), 0 };
    for (int i = 0; i <= unit->count; i++) { /* what is called stands before who calls it */
        const IrFunc *fn = i < unit->count ? unit->functions[i] : unit->kernel;
        c.copied = 0;
        c.sizes[i] = count_region(&c, &fn->body);
        if (c.copied > most)
            return fn;
    }
    return NULL;
}

IrUnit *ir_inline(Arena *arena, const IrUnit *unit, IrInlined *inlined)
{
    if (!wants_inlining(unit, inlined))
        return (IrUnit *)unit;
    Inline in = { .arena = arena, .from = unit, .inlined = inlined };
    in.functions = arena_array(arena, IrFunc *, unit->count + 1);
    IrUnit *made = arena_new(arena, IrUnit);
    made->arena = arena;
    for (int i = 0; i < unit->count; i++) {
        const IrFunc *fn = unit->functions[i];
        if (!fn->recursive && inlined(fn))
            continue;
        in.functions[i] = shallow_copy(arena, fn);
        array_push(arena, made->functions, made->count, made->capacity) = in.functions[i];
    }
    for (int i = 0; i < unit->count; i++)
        if (in.functions[i])
            copy_function(&in, unit->functions[i], in.functions[i]);
    made->kernel = shallow_copy(arena, unit->kernel);
    copy_function(&in, unit->kernel, made->kernel);
    ir_effects(made);
    ir_range(made);
    ir_uniform(made);
    return made;
}
