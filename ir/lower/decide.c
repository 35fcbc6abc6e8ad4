/* Branches at module level, and in functions and classes that hold kernels: which of them binds a
** name. The condition tells, evaluated with the names as they are before the branches, by what the
** module, -D and the calls of factories say. Both constants and kernels are decided here. */
#include "ir/lower/function.h"

/* Evaluates a condition once. What keeps that from being done is what the diagnostics end in, if
** `why` is to have it. */
static Decision decide(FnState *f, Symbol *symbol, const Diag **why)
{
    if (symbol->choice.decision != DECIDE_NOT_ASKED && !why)
        return symbol->choice.decision;
    FnState *constant = constant_state(f, symbol->module);
    Attempt attempt = attempt_begin(f->lower);
    Symbol *at = arena_new(f->arena, Symbol);
    *at = *symbol;
    at->order = symbol->choice.begin; /* what stands before the branches is seen */
    constant->constant = at;
    IrValue *value = lower_condition(constant, symbol->choice.condition);
    bool known = f->lower->diags->count == attempt.complaints && ir_is_constant(value);
    if (why && f->lower->diags->count > attempt.complaints) {
        Diag *kept = arena_new(f->arena, Diag);
        *kept = f->lower->diags->list[attempt.complaints];
        *why = kept;
    }
    attempt_void(f->lower, attempt);
    symbol->choice.decision = !known                    ? DECIDE_UNKNOWN
                              : value->constant.integer ? DECIDE_THEN
                                                        : DECIDE_OTHERWISE;
    return symbol->choice.decision;
}

/* Whether no -D can say what a name is: a function, a class. */
static bool is_code(const Symbol *symbol)
{
    if (symbol && symbol->kind == SYMBOL_CHOICE)
        return is_code(symbol->choice.then) || is_code(symbol->choice.otherwise);
    return symbol &&
           (symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_MODULE || symbol->result);
}

/* Complains that it is not known which branch has run, and why. */
static void complain(FnState *f, Symbol *symbol, Span span)
{
    const Diag *why = NULL;
    decide(f, symbol, &why);
    const char *name = is_code(symbol) ? "NAME" : symbol->name;
    fail(f, span,
         "which '%s' is meant depends on a condition that kjit cannot evaluate: give %s with -D "
         "%s=VALUE",
         symbol->name, is_code(symbol) ? "the names in it values" : "its value", name);
    diag_note(f->lower->diags, symbol->choice.condition->span, "this condition");
    if (why)
        diag_note(f->lower->diags, why->span, "%s", why->message);
}

/* Whether both branches import the same that is built in, whichever runs. */
static bool is_same_builtin(Symbol *a, Symbol *b)
{
    a = symbol_imported(a);
    b = symbol_imported(b);
    return a && b && a->kind == SYMBOL_BUILTIN && b->kind == SYMBOL_BUILTIN &&
           strcmp(a->path, b->path) == 0;
}

Operand lower_choice(FnState *f, Symbol *symbol, Span span)
{
    Symbol *then = symbol->choice.then, *otherwise = symbol->choice.otherwise;
    Decision decision = decide(f, symbol, NULL);
    Symbol *chosen = decision == DECIDE_THEN            ? then
                     : decision == DECIDE_OTHERWISE     ? otherwise
                     : is_same_builtin(then, otherwise) ? then
                     : then && otherwise                ? NULL
                     : then                             ? then
                                                        : otherwise;
    if (!chosen && decision != DECIDE_UNKNOWN)
        chosen = module_part(symbol->module, symbol->name); /* a file of the package */
    if (chosen)
        return lower_symbol(f, symbol_imported(chosen), span);
    if (decision == DECIDE_UNKNOWN) {
        complain(f, symbol, span);
        return operand_error(span);
    }
    Operand builtin = builtin_find_bare(f->arena, symbol->name, span);
    if (builtin.kind != OPD_ERROR) /* range, where `range = xrange` is not run */
        return builtin;
    fail(f, span, "'%s' is bound only under a condition that does not hold", symbol->name);
    diag_note(f->lower->diags, symbol->choice.condition->span, "this condition");
    return operand_error(span);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void decide_choice(void *context, Symbol *choice)
{
    decide(context, choice, NULL);
}

static void complain_of_choice(void *context, Symbol *choice)
{
    FnState *f = context;
    Diags *diags = f->lower->diags;
    if (!choice->choice.contested || choice->complaints.count)
        return;
    diags_truncate(diags, 0);
    complain(f, choice, choice->span);
    Diag *kept = arena_array(f->arena, Diag, diags->count);
    memcpy(kept, diags->list, diags->count * sizeof *kept);
    choice->complaints = (Complaints){ kept, diags->count };
}

void ir_decide_kernels(Arena *arena, Types *types, const LowerRequest *request)
{
    Diags diags;
    diags_init(&diags, arena);
    Lower lower = lower_new(arena, types, &diags, request);
    FnState none = { .lower = &lower, .arena = arena, .types = types };
    const KernelInfo *kernels;
    int count = module_kernels(request->module, &kernels);
    for (int i = 0; i < count; i++)
        module_each_choice(request->module, kernels[i].name, decide_choice, &none);
    for (int i = 0; i < count; i++)
        module_each_choice(request->module, kernels[i].name, complain_of_choice, &none);
}
