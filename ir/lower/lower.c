/* From a request to a unit: the kernel that is launched, and what it calls. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

enum { MAX_PARAMS = 1000, MAX_PARAM_BYTES = 32764 /* from compute capability 7.0 on */ };

/* ---- complaints ------------------------------------------------------------------------------ */

bool fail(FnState *f, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(f->arena, format, args);
    va_end(args);
    const Lower *lower = f->lower;
    Diags *diags = lower->diags;
    if (!library_hides(f))
        return diag_error(diags, span, "%s", message);
    /* its text is not the user's: one complaint says that the call is wrong */
    const Diag *last = diags->count ? &diags->list[diags->count - 1] : NULL;
    if (!last || last->level != DIAG_ERROR || !same_place(last->span, lower->library_call))
        diag_error(diags, lower->library_call, "%s: %s", library_shown_name(lower->library_called),
                   message);
    return false;
}

void failure_remember(Lower *lower, size_t mark, bool *forgotten)
{
    Failure *failure = arena_new(lower->arena, Failure);
    *failure = (Failure){ lower->failures, mark, forgotten };
    lower->failures = failure;
}

Attempt attempt_begin(const Lower *lower)
{
    return (Attempt){ lower->diags->count, lower->diags->errors, lower->poisons };
}

bool attempt_failed(const Lower *lower, Attempt attempt)
{
    return lower->diags->errors != attempt.errors;
}

void attempt_void(Lower *lower, Attempt attempt)
{
    diags_truncate(lower->diags, attempt.complaints);
    lower->poisons = attempt.poisons;
    for (Failure **link = &lower->failures; *link;) {
        if ((*link)->mark < attempt.complaints) {
            link = &(*link)->next;
            continue;
        }
        *(*link)->forgotten = true;
        *link = (*link)->next;
    }
}

/* ---- the unit -------------------------------------------------------------------------------- */

static bool check_defines(Lower *lower)
{
    size_t errors = lower->diags->errors;
    for (int i = 0; i < lower->request->define_count; i++) {
        const Define *define = &lower->request->defines[i];
        if (strchr(define->name, '@') || /* which is one that is read */
            module_has_constant(lower->request->module, define->name))
            continue;
        int count;
        const char **names = module_names(lower->request->module, lower->arena, &count);
        const char *near = diag_nearest(define->name, names, (size_t)count);
        diag_error(lower->diags, (Span){ 0 }, "-D %s: the module has no constant '%s'%s%s%s",
                   define->name, define->name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
    return lower->diags->errors == errors;
}

/* The kernel's arguments: values without a definition, of which only the types count. */
static Operand *kernel_args(Lower *lower, const Function *kernel, Signature signature)
{
    Operand *args = arena_array(lower->arena, Operand, signature.count + 1);
    for (int i = 0; i < signature.count; i++)
        args[i] = signature.params[i]->kind == TY_NONE
                      ? (Operand){ .kind = OPD_NONE, .span = kernel->ast->params.items[i].span }
                      : operand_value(ir_value(lower->arena, OP_zero, signature.params[i],
                                               kernel->ast->params.items[i].span, 0));
    return args;
}

static void explain_types(Lower *lower, const Function *kernel, Signature signature)
{
    Buf out = buf_in(lower->arena);
    signature_print(&out, kernel->name, signature);
    diag_note(lower->diags, kernel->ast->name_span, "in the call %s", buf_text(&out));
}

static size_t parameter_bytes(Signature signature)
{
    size_t bytes = 0;
    for (int i = 0; i < signature.count; i++)
        bytes += (type_size(signature.params[i]) + 15) / 16 * 16;
    return bytes;
}

/* That nothing stands for an error that was not reported: what comes of it would be wrong. */
static void check_told(Lower *lower, const Function *kernel)
{
    if (lower->poisons && !lower->diags->errors)
        diag_error(lower->diags, kernel->ast->name_span,
                   "internal error: '%s' has an error that no message tells of; please report this",
                   kernel->name);
}

/* What is wrong with the kernel itself: its decorators, its parameters. */
static void tell_of_kernel(Diags *diags, const Complaints *complaints)
{
    for (size_t i = 0; i < complaints->count; i++) {
        const Diag *diag = &complaints->items[i];
        (diag->level == DIAG_ERROR ? diag_error : diag_note)(diags, diag->span, "%s",
                                                             diag->message);
    }
}

Lower lower_new(Arena *arena, Types *types, Diags *diags, const LowerRequest *request)
{
    Lower lower = { .arena = arena, .types = types, .diags = diags, .request = request };
    lower.unit = arena_new(arena, IrUnit);
    lower.unit->arena = arena;
    table_init(&lower.names, arena);
    table_init(&lower.runs, arena);
    table_init(&lower.constants, arena);
    table_init(&lower.libraries, arena);
    table_init(&lower.literals, arena);
    table_init(&lower.signatures, arena);
    table_init(&lower.specialisations, arena);
    lower.by_call.arena = lower.closures.arena = arena;
    return lower;
}

/* The type of what a parameter is by itself; NULL: nothing, or nothing that a type says. */
static const Type *default_type(FnState *f, const Function *kernel, const AstParam *param)
{
    if (!param->default_value)
        return NULL;
    Attempt attempt = attempt_begin(f->lower);
    Operand value =
        lower_expr(constant_state_at(f, kernel->scope, kernel->order), param->default_value);
    if (attempt_failed(f->lower, attempt))
        attempt_void(f->lower, attempt);
    if (operand_is_none(value))
        return type_none;
    return value.kind == OPD_VALUE && !type_is_array(value.value->type) ? value.value->type : NULL;
}

/* A signature that says nothing of the last parameters means what these are by themselves. */
static void take_defaults(FnState *f, const Function *kernel, Signature *signature)
{
    const AstParams *params = &kernel->ast->params;
    const Type **types = arena_array(f->arena, const Type *, params->count + 1);
    for (int i = 0; i < params->count; i++) {
        types[i] = i < signature->count ? signature->params[i]
                                        : default_type(f, kernel, &params->items[i]);
        if (!types[i])
            return;
    }
    signature->params = types;
    signature->count = params->count;
}

bool ir_read_signature(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                       const AstExpr *expr, const char **name, Signature *signature)
{
    Lower lower = lower_new(arena, types, diags, request);
    FnState none = { .lower = &lower, .arena = arena, .types = types };
    const Function *kernel = asked_kernel(&lower);
    const Module *module = kernel ? kernel->module : request->module;
    FnState *constant = constant_state(&none, module);
    if (kernel && kernel->run)
        names_see(constant, kernel->run);
    expr = signature_written(constant, kernel, expr);
    if (!expr || !lower_signature(constant, expr, name, signature))
        return false;
    if (kernel && signature->count < kernel->ast->params.count)
        take_defaults(&none, kernel, signature);
    return true;
}

IrUnit *ir_lower(Arena *arena, Types *types, Diags *diags, const LowerRequest *request)
{
    Lower lower = lower_new(arena, types, diags, request);
    const Symbol *symbol = module_function_symbol(request->module, request->kernel);
    if (symbol && symbol->complaints.count) {
        tell_of_kernel(diags, &symbol->complaints);
        return NULL;
    }
    const Function *kernel = asked_kernel(&lower);
    if (!kernel || !kernel->kernel) {
        diag_error(diags, (Span){ 0 }, "there is no kernel '%s' in this module", request->kernel);
        return NULL;
    }
    if (request->signature.count != kernel->ast->params.count) {
        diag_error(diags, kernel->ast->name_span, "'%s' takes %d argument%s, and %d %s given",
                   kernel->name, kernel->ast->params.count,
                   kernel->ast->params.count == 1 ? "" : "s", request->signature.count,
                   request->signature.count == 1 ? "was" : "were");
        return NULL;
    }
    if (parameter_bytes(request->signature) > MAX_PARAM_BYTES) {
        diag_error(
            diags, kernel->ast->name_span,
            "the arguments take %zu bytes, and a GPU's kernel at most %d; put them in arrays",
            parameter_bytes(request->signature), MAX_PARAM_BYTES);
        return NULL;
    }
    if (request->signature.count > MAX_PARAMS) {
        diag_error(diags, kernel->ast->name_span, "a kernel has at most %d parameters", MAX_PARAMS);
        return NULL;
    }
    if (!check_defines(&lower))
        return NULL;
    if (module_is_standard(request->module)) { /* launched by name, without its text at hand */
        lower.library_called = kernel;
        lower.library_call = kernel->ast->name_span;
    }
    captured_make(&lower, kernel);
    Operand *args = kernel_args(&lower, kernel, request->signature);
    Specialisation *s =
        new_specialisation(&lower, kernel, args, request->signature.count - kernel->captured);
    s->entry = true;
    size_t errors = diags->errors;
    lower_specialisation(&lower, s, kernel->ast->name_span);
    meanings_give(&lower);
    check_told(&lower, kernel);
    if (s->failed || diags->errors != errors) {
        explain_types(&lower, kernel, request->signature);
        return NULL;
    }
    lower.unit->kernel = s->fn;
    s->fn->options.unfused = lower.unfused; /* the compilers take it for the whole unit */
    ir_prune(lower.unit);
    link_read(&lower);
    if (diags->errors != errors)
        return NULL;
    if (request->remarks)
        remarks_give(&lower);
    return lower.unit;
}
