/* A function, lowered for one list of arguments: again and again until its loops' types hold. */
#include "ir/lower/function.h"

enum { MAX_PASSES = 64 }; /* and one for each name of a loop: a chain of them settles so late */

const char *function_key(Arena *arena, const Function *function)
{
    Span place = function->ast->name_span;
    return arena_printf(arena, "%p:%u", (const void *)place.source, (unsigned)place.begin);
}

/* ---- passes ---------------------------------------------------------------------------------- */

Memo *memo_for(FnState *f, const AstStmt *loop, const char *name)
{
    for (int i = 0; i < f->memo_count; i++)
        if (f->memos[i].loop == loop && strcmp(f->memos[i].name, name) == 0)
            return &f->memos[i];
    array_push(f->arena, f->memos, f->memo_count, f->memo_capacity) =
        (Memo){ .loop = loop, .name = name };
    return &f->memos[f->memo_count - 1];
}

void memo_widen(FnState *f, Memo *memo, const Type *type)
{
    if (type->kind == TY_ERROR || memo->type == type)
        return;
    const Type *wider = memo->type ? typing_unify(f->types, memo->type, type) : type;
    if (wider && wider != memo->type) {
        memo->type = wider;
        f->again = true;
    }
}

static void reset(FnState *f)
{
    table_init(&f->names, f->arena);
    f->log_count = 0;
    f->loop = NULL;
    f->untyped = NULL;
    f->again = false;
    f->reachable = true;
    f->fn->var_count = f->fn->param_count = 0;
    f->fn->body = (IrRegion){ 0 };
    f->region = &f->fn->body;
}

/* A function that returns something elsewhere comes to its end. */
static void return_none(FnState *f)
{
    Specialisation *s = f->specialisation;
    Span span = f->function->ast->name_span;
    if (s->declared && !type_is_optional(s->result)) {
        fail(f, span, "'%s' returns %s on one path and nothing on another", f->function->name,
             type_name(f->arena, s->result));
        return;
    }
    const Type *result = typing_unify(f->types, s->result, type_none);
    if (result != s->result)
        f->again = true;
    s->result = result;
    IrStmt *ir = ir_stmt(f->arena, IR_RETURN, span);
    ir->return_.value = ir_zero(f->arena, result, span);
    emit(f, ir);
}

static void lower_once(FnState *f, const Type *const *declared)
{
    Specialisation *s = f->specialisation;
    reset(f);
    if (f->function->foreign) {
        lower_foreign(f);
        return;
    }
    lower_params(f, s->args, s->arg_count, declared);
    int unset = env_declare_unset(f);
    lower_body(f, &f->function->ast->body);
    f->again |= env_count_unset(f) > unset;
    if (f->reachable && s->result && s->result->kind != TY_NONE && !f->fn->kernel)
        return_none(f);
}

/* Lowers until no loop's types widen any more. Complaints of passes before the last are void. */
static bool lower_until_stable(FnState *f, const Type *const *declared)
{
    Attempt attempt = attempt_begin(f->lower);
    int meanings = meaning_mark(f->lower);
    for (int pass = 0; pass < MAX_PASSES + f->memo_count; pass++) {
        attempt_void(f->lower, attempt);
        meanings_void(f->lower, meanings);
        lower_once(f, declared);
        if (!f->again && f->untyped && !attempt_failed(f->lower, attempt))
            fail_unassigned(f, f->untyped);
        if (!f->again)
            return !attempt_failed(f->lower, attempt);
    }
    return fail(f, f->function->ast->name_span, "the types of '%s' do not settle", f->fn->name);
}

/* ---- what came of it ------------------------------------------------------------------------- */

/* A name for the function that no other of the unit has. */
static const char *unique_name(Lower *lower, const char *name)
{
    const char *unique = name;
    int *next = table_get(&lower->names, name);
    while (next && table_get(&lower->names, unique))
        unique = arena_printf(lower->arena, "%s_%d", name, (*next)++);
    next = arena_new(lower->arena, int);
    *next = 2;
    table_put(&lower->names, unique, next);
    return unique;
}

/* What calls itself cannot be put in place of its calls, as what waits for other threads must
** be on the processor. Its calls keep their order: they might not come back. */
static void check_recursion(FnState *f, Specialisation *s)
{
    IrFunc *fn = s->fn;
    if (fn->effects & (EFFECT_BLOCK_SYNC | EFFECT_WARP_SYNC)) {
        fail(f, fn->span,
             "'%s' calls itself and waits for other threads, which cannot be compiled; write a "
             "loop",
             s->function->name);
        s->failed = true;
    }
    if (!s->failed && ir_is_endless(fn)) {
        fail(f, fn->span, "'%s' calls itself on every path: no call of it could return",
             s->function->name);
        s->failed = true;
    }
    fn->effects |= EFFECT_IO;
}

/* A function inside another may return an array of its own: as in numba it becomes a part of who
** calls it, and so does the array. */
static bool check_escape(FnState *f)
{
    const IrStmt *escape = ir_escape(f->arena, f->fn);
    f->fn->hands_out = escape && f->function->owner && !f->specialisation->recursive;
    if (f->fn->hands_out)
        return true;
    if (escape)
        fail(f, escape->span,
             "a local array does not outlive '%s'; take one as an argument instead", f->fn->name);
    return !escape;
}

void lower_specialisation(Lower *lower, Specialisation *s, Span call)
{
    const Function *function = s->function;
    IrFunc *fn = arena_new(lower->arena, IrFunc);
    *fn = (IrFunc){ .name = unique_name(lower, library_function_name(lower, function)),
                    .kernel = s->entry,
                    .ast = function->ast,
                    .span = function->ast->name_span,
                    .result = type_none,
                    .effects = EFFECT_ORDERED }; /* until they are known */
    s->fn = fn;
    FnState f = { .lower = lower,
                  .arena = lower->arena,
                  .types = lower->types,
                  .module = function->module,
                  .function = function,
                  .fn = fn,
                  .specialisation = s };
    size_t mark = lower->diags->count;
    int meanings = meaning_mark(lower);
    fn->options = options_read(&f, function);
    if (s->entry) {
        lower->debug = (fn->options.debug || lower->request->debug) && !lower->request->checked;
        lower->nep50 = fn->options.nep50;
    }
    remark_assumed(&f, function);
    lower->unfused |= fn->options.unfused;
    fn->options.debug = lower->debug;
    fn->options.nep50 = lower->nep50 && !library_is_namespace(lower, function->module);
    fn->options.fastmath |= lower->request->fastmath;
    if (lower->request->matmul) {
        int matmul = lower->request->matmul;
        fn->options.matmul_all = !fn->options.matmul || matmul == MATMUL_FLOAT64;
        fn->options.matmul = matmul == MATMUL_PLAIN ? 0 : matmul;
    }
    Signature declared = { 0 };
    bool chosen = !s->entry || function->signatures.count == 0 ||
                  signature_choose(&f, function, s->args, call, &declared);
    if (function->links.count)
        link_note(lower, function);
    s->failed = !chosen || !lower_until_stable(&f, declared.params) || !check_escape(&f);
    s->done = true;
    remarks_take(lower, s, mark);
    meanings_take(lower, s, meanings);
    fn->result = s->result ? s->result : type_none;
    fn->recursive = s->recursive;
    fn->effects = EFFECT_NONE; /* of its calls of itself, while the rest is counted */
    fn->effects = ir_function_effects(fn);
    if (s->recursive)
        check_recursion(&f, s);
    if (s->failed)
        failure_remember(lower, SIZE_MAX, &s->forgotten); /* each call of it is reported */
    if (!fn->kernel)
        array_push(lower->arena, lower->unit->functions, lower->unit->count,
                   lower->unit->capacity) = fn;
}
