/* Functions that are declared here and defined in what is linked: cuda.declare_device().
**
** One becomes a function without a body whose parameters have the types that it is declared with,
** so that it is called as any other is. */
#include "ir/names/scope.h"

void links_take(Arena *arena, AstExpr *value, AstExprs *links)
{
    bool list = value->kind == AST_LIST || value->kind == AST_TUPLE || value->kind == AST_SET;
    for (int i = 0; list && i < value->list.items.count; i++)
        links_take(arena, value->list.items.items[i], links);
    if (!list && value->kind != AST_NONE)
        array_push(arena, links->items, links->count, links->capacity) = value;
}

/* ---- the call ------------------------------------------------------------------------------ */

/* What cuda.declare_device() is given. */
typedef struct Declaration {
    const AstExpr *name, *signature;
    Function *function;
    IrForeign *foreign;
} Declaration;

static void take_abi(Resolver *r, const AstExpr *value, IrForeign *foreign)
{
    bool text = value->kind == AST_STRING;
    foreign->c_abi = text && strcmp(value->string.text, "c") == 0;
    if (!foreign->c_abi && !(text && strcmp(value->string.text, "numba") == 0))
        diag_error(r->diags, value->span, "abi takes \"numba\" or \"c\"");
}

static void take_keyword(Resolver *r, const AstKeyword *keyword, Declaration *declaration)
{
    const char *name = keyword->name ? keyword->name : "**";
    if (strcmp(name, "name") == 0)
        declaration->name = keyword->value;
    else if (strcmp(name, "sig") == 0)
        declaration->signature = keyword->value;
    else if (strcmp(name, "link") == 0)
        links_take(r->arena, keyword->value, &declaration->function->links);
    else if (strcmp(name, "abi") == 0)
        take_abi(r, keyword->value, declaration->foreign);
    else if (strcmp(name, "use_cooperative") == 0)
        declaration->foreign->cooperative = keyword->value->kind != AST_FALSE;
    else
        diag_error(r->diags, keyword->span, "cuda.declare_device has no parameter '%s'", name);
}

/* ---- the signature ------------------------------------------------------------------------- */

/* The expression that an expression stands for, through names of constants. */
static const AstExpr *held(Resolver *r, const AstExpr *expr)
{
    for (int depth = 0; expr && expr->kind == AST_NAME && depth < 8; depth++) {
        const Symbol *symbol = module_symbol(r->module, expr->name.name);
        if (!symbol || symbol->kind != SYMBOL_CONSTANT || symbol->constant.item >= 0)
            break;
        expr = symbol->constant.value;
    }
    return expr;
}

static bool is_identifier(const AstExpr *expr)
{
    const char *at = expr && expr->kind == AST_STRING ? expr->string.text : "";
    bool letters = *at && !(*at >= '0' && *at <= '9');
    for (; letters && *at; at++)
        letters = *at == '_' || (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                  (*at >= '0' && *at <= '9');
    return letters;
}

/* How many parameters a signature has; -1 after a complaint. */
static int count_params(Resolver *r, const AstExpr *signature)
{
    const AstExpr *tree = signature;
    if (tree->kind == AST_STRING)
        tree = parse_expression(
            r->arena, r->diags,
            source_new(r->arena, "<signature>", tree->string.text, tree->string.length));
    if (tree && tree->kind == AST_CALL)
        return tree->call.args.count;
    if (tree)
        diag_error(r->diags, signature->span,
                   "cuda.declare_device takes the signature behind the name, with the result's "
                   "type: \"float32(float32, int32)\"");
    return -1;
}

/* The text of a function of so many parameters, which has none. */
static const AstFunction *text_of(Resolver *r, const char *name, Span span, int count)
{
    AstFunction *ast = arena_new(r->arena, AstFunction);
    ast->name = name;
    ast->name_span = span;
    ast->params.items = arena_array(r->arena, AstParam, count + 1);
    ast->params.count = ast->params.capacity = ast->params.positional_only = count;
    for (int i = 0; i < count; i++)
        ast->params.items[i] =
            (AstParam){ .name = arena_printf(r->arena, "arg%d", i), .span = span };
    return ast;
}

bool resolve_declared(Resolver *r, const char *name, Span span, const AstExpr *value)
{
    const char *path = value->kind == AST_CALL ? resolve_path(r, value->call.function) : NULL;
    if (!path || strcmp(path, "cuda.declare_device") != 0)
        return false;
    const AstExprs *args = &value->call.args;
    Declaration d = { args->count > 0 ? args->items[0] : NULL,
                      args->count > 1 ? args->items[1] : NULL,
                      function_new(r, text_of(r, name, span, 0)), arena_new(r->arena, IrForeign) };
    for (int i = 0; i < value->call.keyword_count; i++)
        take_keyword(r, &value->call.keywords[i], &d);
    d.name = held(r, d.name);
    d.signature = held(r, d.signature);
    int count = d.signature ? count_params(r, d.signature) : 0;
    if (!is_identifier(d.name) || !d.signature || args->count > 2)
        diag_error(r->diags, value->span,
                   "cuda.declare_device takes the name of a function and its signature: "
                   "cuda.declare_device(\"f\", \"int32(int32)\")");
    else
        d.foreign->name = d.name->string.text;
    d.function->ast = text_of(r, name, span, count < 0 ? 0 : count);
    d.function->foreign = d.foreign;
    if (d.signature)
        array_push(r->arena, d.function->signatures.items, d.function->signatures.count,
                   d.function->signatures.capacity) = (AstExpr *)(uintptr_t)d.signature;
    scope_define(r, name, SYMBOL_FUNCTION, span)->function = d.function;
    return true;
}
