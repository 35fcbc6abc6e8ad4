/* Signatures that decorators declare: reading them, and choosing among several.
**
** A call takes the signature that its arguments fit best: the one with the fewest conversions that
** may lose something, of those the one with the fewest that change the kind of number, and of those
** the one with the fewest that only widen. That is numba's rating; so is what it does with a tie: a
** device function takes the first, a launch is refused. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- reading ------------------------------------------------------------------------------- */

/* The signatures of one function, as read. */
typedef struct Declarations {
    Signature *items;
    int count;
    bool wrong;     /* some cannot be used: complained of */
    bool forgotten; /* and that was void */
} Declarations;

static const AstExpr *parsed(FnState *f, const char *text, size_t length)
{
    Source *source = source_new(f->arena, "<signature>", text, length);
    return parse_expression(f->arena, f->lower->diags, source);
}

/* What a name of the program is bound to where the function is defined; NULL: nothing that can be
** evaluated. */
static Symbol *held_by(const FnState *f, const Function *function, const AstExpr *expr)
{
    Symbol *symbol = expr->kind == AST_NAME && !name_bound(f, expr->name.name)
                         ? module_symbol_before(function->scope, expr->name.name, function->order)
                         : NULL;
    bool value = symbol && (symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_UNKNOWN ||
                            symbol->kind == SYMBOL_CHOICE);
    return value ? symbol : NULL;
}

/* What it holds; an error, without a complaint, if that is not known. */
static Operand held(FnState *f, Symbol *symbol, Span span)
{
    Attempt attempt = attempt_begin(f->lower);
    Operand value = lower_symbol(f, symbol, span);
    const bool failed = attempt_failed(f->lower, attempt);
    if (failed)
        attempt_void(f->lower, attempt);
    return failed ? operand_error(span) : value;
}

const AstExpr *signature_written(FnState *f, const Function *function, const AstExpr *expr)
{
    Symbol *symbol = function ? held_by(f, function, expr) : NULL;
    const AstExpr *defined = symbol ? constant_defined(f->lower, symbol) : NULL;
    expr = defined ? defined : expr;
    if (expr->kind == AST_STRING)
        return parsed(f, expr->string.text, expr->string.length);
    const Name *own = expr->kind == AST_NAME ? name_bound(f, expr->name.name) : NULL;
    if ((!symbol && !own) || defined)
        return expr;
    const Operand value = own ? *own->binding.operand : held(f, symbol, expr->span);
    return value.kind == OPD_STRING ? parsed(f, value.string.text, value.string.length) : expr;
}

typedef struct Unknown {
    FnState *f;
    const Function *function;
    bool found;
} Unknown;

static void find_unknown(void *context, const AstExpr *expr)
{
    Unknown *unknown = context;
    Symbol *symbol = held_by(unknown->f, unknown->function, expr);
    if (symbol && symbol->kind == SYMBOL_UNKNOWN)
        unknown->found |= held(unknown->f, symbol, expr->span).kind == OPD_ERROR;
    ast_each_child(expr, find_unknown, unknown);
}

/* Whether nothing is known of something in a signature, as of a parameter of a factory that is not
** called here. */
static bool is_unknown(FnState *f, const Function *function, const AstExpr *expr)
{
    Unknown unknown = { f, function, false };
    find_unknown(&unknown, expr);
    return unknown.found;
}

static bool read_one(FnState *f, const Function *function, const AstExpr *expr, Signature *out)
{
    const char *name = NULL;
    const AstExpr *tree = signature_written(f, function, expr);
    int wanted = function->ast->params.count - function->captures - function->captured;
    if (!tree || !lower_signature(f, tree, &name, out))
        return false;
    if (name && !out->result && strcmp(name, function->name) != 0)
        fail(f, tree->span, "'%s' is not a type, which a signature begins with: void(...)", name);
    else if (out->count != wanted)
        fail(f, tree->span, "the signature has %d type%s, and '%s' has %d parameter%s", out->count,
             out->count == 1 ? "" : "s", function->name, wanted, wanted == 1 ? "" : "s");
    else if (function->kernel && out->result && out->result->kind != TY_NONE)
        fail(f, tree->span, "'%s' is a kernel, which returns nothing: its signature is void(...)",
             function->name);
    else
        return true;
    return false;
}

/* Reads a function's signatures, when they are first wanted, and once. */
static Declarations *declarations(FnState *f, const Function *function)
{
    const char *key = arena_printf(f->arena, "%p", (const void *)function);
    Declarations *list = table_get(&f->lower->signatures, key);
    size_t mark = f->lower->diags->count;
    if (list && !list->forgotten)
        return list;
    const bool own = function->signed_in == function->module;
    FnState *constant =
        constant_state_at(f, function->module, own ? function->signed_at : ORDER_END);
    if (function->run)
        names_see(constant, function->run);
    list = arena_new(f->arena, Declarations);
    list->items = arena_array(f->arena, Signature, function->signatures.count);
    for (int i = 0; i < function->signatures.count; i++) {
        const AstExpr *expr = function->signatures.items[i];
        if (function->kernel && is_unknown(constant, function, expr))
            diag_remark(f->lower->diags, expr->span,
                        "the signature has no value: the types that are asked for count");
        else if (read_one(constant, function, expr, &list->items[list->count]))
            list->count++;
        else {
            if (expr->kind == AST_STRING)
                diag_note(f->lower->diags, expr->span, "in this signature");
            list->wrong = true;
        }
    }
    table_put(&f->lower->signatures, key, list);
    if (list->wrong)
        failure_remember(f->lower, mark, &list->forgotten);
    return list;
}

void signature_read(FnState *f, const Function *function)
{
    declarations(f, function);
}

/* ---- complaints ------------------------------------------------------------------------------ */

static const char *print_signature(FnState *f, const Function *function, Signature signature)
{
    Buf out = buf_in(f->arena);
    signature_print(&out, function->name, signature);
    return buf_text(&out);
}

static const char *print_given(FnState *f, const Operand *arg)
{
    return arg->kind == OPD_VALUE || arg->kind == OPD_LITERAL
               ? type_name(f->arena, arg->value->type)
               : describe(f, *arg);
}

/* NULL of what is no value. */
static const Type *given_type(const Operand *arg)
{
    if (operand_is_none(*arg))
        return type_none;
    return arg->kind == OPD_VALUE || arg->kind == OPD_LITERAL ? arg->value->type : NULL;
}

static TypeConversion conversion(const Operand *arg, const Type *wanted)
{
    const Type *given = given_type(arg);
    return given ? typing_conversion(given, wanted) : CONVERSION_NONE;
}

/* The first argument that cannot become what the signature says, or -1. */
static int misfit(const Operand *args, Signature signature)
{
    for (int i = 0; i < signature.count; i++)
        if (conversion(&args[i], signature.params[i]) == CONVERSION_NONE)
            return i;
    return -1;
}

static void explain_declared(FnState *f, const Function *function, const Declarations *list,
                             const Operand *args)
{
    for (int i = 0; i < list->count; i++) {
        Span span = function->signatures.items[i]->span;
        int at = args ? misfit(args, list->items[i]) : -1;
        const char *text = print_signature(f, function, list->items[i]);
        if (at < 0)
            diag_note(f->lower->diags, span, "declared: %s", text);
        else
            diag_note(f->lower->diags, span, "declared: %s, and '%s' is %s", text,
                      function->ast->params.items[at].name, print_given(f, &args[at]));
    }
}

static void complain_misfit(FnState *f, const Function *function, const Declarations *list,
                            const Operand *args, Span call)
{
    if (list->count > 1) {
        fail(f, call, "none of the signatures that '%s' declares takes these arguments",
             function->name);
        explain_declared(f, function, list, args);
        return;
    }
    int at = misfit(args, list->items[0]);
    Span span = f->specialisation && f->specialisation->entry && f->function == function
                    ? function->ast->params.items[at].span
                    : args[at].span;
    fail(f, span, "'%s' of '%s' is declared as %s, and the call gives %s",
         function->ast->params.items[at].name, function->name,
         type_name(f->arena, list->items[0].params[at]), print_given(f, &args[at]));
    explain_declared(f, function, list, NULL);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* What a call costs: less is better. Negative if it cannot be. */
static int64_t rate(const Operand *args, Signature signature)
{
    static const int64_t cost[] = {
        [CONVERSION_PROMOTE] = 1, [CONVERSION_SAFE] = 1 << 10, [CONVERSION_UNSAFE] = 1 << 20
    };
    int64_t rating = 0;
    for (int i = 0; i < signature.count; i++) {
        TypeConversion how = conversion(&args[i], signature.params[i]);
        if (how == CONVERSION_NONE)
            return -1;
        rating += cost[how];
    }
    return rating;
}

/* A declared array: it lies as the one that is given does, but may be read-only. */
static const Type *adapted_array(FnState *f, const Type *declared, const Type *given)
{
    if (!declared->array.readonly || given->array.readonly)
        return given;
    Type candidate = *given;
    candidate.array.readonly = true;
    return type_intern(f->types, &candidate);
}

/* A declared type for an argument: numbers become what it says, arrays stay as they lie, unless
** items that are declared alike would no longer be alike. */
static const Type *adapted(FnState *f, const Type *declared, const Type *given)
{
    if (type_is_array(declared))
        return adapted_array(f, declared, given);
    if (!type_is_tuple(declared) || type_is_optional(declared))
        return declared;
    int count = declared->tuple.count;
    const Type *const *wanted = declared->tuple.items;
    const Type **items = arena_array(f->arena, const Type *, count + 1);
    bool apart = false;
    for (int i = 0; i < count; i++) {
        items[i] = adapted(f, wanted[i], given->tuple.items[i]);
        apart |= items[i] != items[0] && wanted[i] == wanted[0];
    }
    for (int i = 0; apart && i < count; i++)
        items[i] = wanted[i];
    return type_tuple_named(f->types, items, count, declared->tuple.names);
}

bool signature_choose(FnState *f, const Function *function, const Operand *args, Span call,
                      Signature *chosen)
{
    const Declarations *list = declarations(f, function);
    int best = -1;
    int64_t least = INT64_MAX;
    bool tie = false;
    *chosen = (Signature){ 0 };
    if (list->wrong || !list->count)
        return !list->wrong;
    for (int i = 0; i < list->count; i++) {
        int64_t rating = rate(args, list->items[i]);
        if (rating < 0 || rating > least)
            continue;
        tie = rating == least;
        best = tie ? best : i;
        least = rating;
    }
    if (best < 0) {
        complain_misfit(f, function, list, args, call);
        return false;
    }
    if (tie && f->specialisation->entry && f->function == function) {
        fail(f, call, "several signatures that '%s' declares fit these arguments equally well",
             function->name);
        explain_declared(f, function, list, NULL);
        return false;
    }
    const Type **params = arena_array(f->arena, const Type *, list->items[best].count + 1);
    for (int i = 0; i < list->items[best].count; i++)
        params[i] = adapted(f, list->items[best].params[i], given_type(&args[i]));
    *chosen = (Signature){ params, list->items[best].count, list->items[best].result };
    return true;
}

bool signature_apply(FnState *f, const Function *function, Operand *args, Span call,
                     const Type **result)
{
    Signature chosen;
    if (!signature_choose(f, function, args, call, &chosen))
        return false;
    for (int i = 0; i < chosen.count; i++) {
        Span span = args[i].span;
        IrValue *given = operand_is_none(args[i]) ? ir_value(f->arena, OP_zero, type_none, span, 0)
                                                  : args[i].value;
        args[i] = operand_value(convert(f, given, chosen.params[i], span));
        args[i].span = span;
    }
    *result = chosen.result;
    return true;
}
