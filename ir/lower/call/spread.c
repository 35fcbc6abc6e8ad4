/* Calls in constants whose arguments are not all written there: f(**keywords), and what
** functools.partial() makes. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <string.h>

static bool spreads(const AstExpr *call)
{
    for (int i = 0; i < call->call.keyword_count; i++)
        if (!call->call.keywords[i].name)
            return true;
    return false;
}

/* dictionary["key"] */
static AstExpr *item_of(FnState *f, const AstExpr *dictionary, Operand key)
{
    AstExpr *text = ast_new(f->arena, AST_STRING, dictionary->span);
    AstExpr *item = ast_new(f->arena, AST_INDEX, dictionary->span);
    text->string.text = arena_strndup(f->arena, key.string.text, key.string.length);
    text->string.length = key.string.length;
    item->index.object = (AstExpr *)(uintptr_t)dictionary;
    item->index.index = text;
    return item;
}

/* The items of **d as a=d["a"], b=d["b"]; false after a complaint. */
static bool add_items(FnState *f, AstExpr *call, int *capacity, const AstExpr *dictionary)
{
    const Operand held = lower_expr(f, dictionary);
    if (held.kind != OPD_BUNDLE) {
        if (held.kind != OPD_ERROR)
            fail(f, dictionary->span, "only a dictionary can be spread with '**'");
        return false;
    }
    for (int i = 0; i < bundle_count(f, held.bundle); i++) {
        const Operand key = bundle_key_at(f, held.bundle, i);
        if (key.kind != OPD_STRING)
            return fail(f, dictionary->span, "a keyword is a text: %s is none", describe(f, key));
        AstExpr *value = item_of(f, dictionary, key);
        array_push(f->arena, call->call.keywords, call->call.keyword_count, *capacity) =
            (AstKeyword){ .name = value->index.index->string.text,
                          .value = value,
                          .span = dictionary->span };
    }
    return true;
}

const AstExpr *lower_keywords(FnState *f, const AstExpr *expr)
{
    if (!f->constant_only || !spreads(expr))
        return expr;
    AstExpr *call = arena_new(f->arena, AstExpr);
    int capacity = 0;
    *call = *expr;
    call->call.keywords = NULL;
    call->call.keyword_count = 0;
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        if (keyword->name)
            array_push(f->arena, call->call.keywords, call->call.keyword_count, capacity) =
                *keyword;
        else if (!add_items(f, call, &capacity, keyword->value))
            return NULL;
    }
    return call;
}

/* ---- functools.partial() --------------------------------------------------------------------- */

/* Moves parameter `at` behind the others, where it holds a value that is given by name at most. */
static void give(AstParams *params, Operand *values, int at, Operand value)
{
    AstParam param = params->items[at];
    const int last = params->count - 1;
    memmove(params->items + at, params->items + at + 1, (size_t)(last - at) * sizeof param);
    memmove(values + at, values + at + 1, (size_t)(last - at) * sizeof *values);
    param.keyword_only = true;
    params->items[last] = param;
    values[last] = value;
}

static int param_of(const AstParams *params, const char *name)
{
    for (int i = 0; i < params->count; i++)
        if (strcmp(params->items[i].name, name) == 0)
            return i;
    return -1;
}

/* The function with all its parameters' default values computed, in a tree of its own. */
static Function *with_defaults(FnState *f, const Function *function)
{
    AstFunction *ast = arena_new(f->arena, AstFunction);
    Function *made = arena_new(f->arena, Function);
    const AstParams *params = &function->ast->params;
    *made = *function;
    made->kernel = false;
    made->partial = true;
    *ast = *function->ast;
    ast->params.items = arena_array(f->arena, AstParam, params->count + 1);
    made->defaults = arena_array(f->arena, Operand, params->count + 1);
    made->ast = ast;
    for (int i = 0; i < params->count; i++) {
        ast->params.items[i] = params->items[i];
        if (params->items[i].default_value)
            made->defaults[i] = param_default(f, function, i);
    }
    return made;
}

/* Parameter number `at`, where a call gives it; -1: the function has none such. */
static int param_given(const AstParams *params, const AstKeyword *keyword)
{
    int at = keyword ? param_of(params, keyword->name) : 0;
    const bool none = at < 0 || at >= params->count || params->items[at].star ||
                      params->items[at].double_star || (!keyword && params->items[at].keyword_only);
    return none ? -1 : at;
}

static bool give_all(FnState *f, const AstExpr *call, Function *made)
{
    AstParams *params = &((AstFunction *)(uintptr_t)made->ast)->params;
    const int positional = call->call.args.count;
    for (int i = 1; i < positional + call->call.keyword_count; i++) {
        const AstKeyword *keyword = i < positional ? NULL : &call->call.keywords[i - positional];
        AstExpr *arg = keyword ? keyword->value : call->call.args.items[i];
        const int at = arg->kind == AST_STARRED ? -1 : param_given(params, keyword);
        const Operand value = at < 0 ? operand_error(arg->span) : lower_expr(f, arg);
        if (at < 0)
            fail(f, arg->span, "'%s' has no parameter that partial() can give this to", made->name);
        if (value.kind == OPD_ERROR)
            return false;
        params->items[at].default_value = arg;
        give(params, made->defaults, at, value);
    }
    return true;
}

Operand lower_partial(FnState *f, const AstExpr *expr)
{
    const AstExpr *call = lower_keywords(f, expr);
    const Operand callee =
        call ? lower_expr(f, call->call.args.items[0]) : operand_error(expr->span);
    if (callee.kind == OPD_ERROR)
        return callee;
    if (callee.kind != OPD_FUNCTION)
        return fail_operand(f, expr->span, "partial() is for functions here, and this is %s",
                            describe(f, callee));
    Function *made = with_defaults(f, callee.function);
    return give_all(f, call, made)
               ? (Operand){ .kind = OPD_FUNCTION, .span = expr->span, .function = made }
               : operand_error(expr->span);
}
