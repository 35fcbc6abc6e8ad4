/* What a kernel's text reaches: itself, the functions it calls, the constants, enumerations and
** imported names they read. A name that a function binds is the function's own; those of lambdas
** and comprehensions count: too much is found rather than too little. */
#include "ir/names/operand.h"

/* The names of a function whose text is looked at, and of those around it. */
typedef struct ReachNames {
    const struct ReachNames *outer;
    AstNames names;
} ReachNames;

typedef struct Reach {
    Arena *arena;
    const Symbol **seen;
    int count, capacity;
    const Module *module;    /* in which names are looked up */
    const ReachNames *names; /* NULL: outside of functions */
} Reach;

static bool is_seen(const Reach *reach, const Symbol *symbol)
{
    for (int i = 0; i < reach->count; i++) {
        const Symbol *other = reach->seen[i];
        bool same = other->kind == symbol->kind && other->span.source == symbol->span.source &&
                    other->span.begin == symbol->span.begin;
        if (other == symbol || (same && strcmp(other->name, symbol->name) == 0))
            return true;
    }
    return false;
}

static void reach_symbol(Reach *reach, const Symbol *symbol)
{
    if (symbol && !is_seen(reach, symbol))
        array_push(reach->arena, reach->seen, reach->count, reach->capacity) = symbol;
}

/* Whether a name is a variable of the functions around it; what these import or define is none. */
static bool is_variable(const Reach *reach, const char *name)
{
    for (const ReachNames *at = reach->names; at; at = at->outer) {
        if (table_get(&at->names.globals, name))
            return false;
        if (table_get(&at->names.locals, name))
            return !table_get(&at->names.defined, name);
    }
    return false;
}

/* Every name counts for all that it was bound to one after the other: a constant may have read an
** earlier one. */
static void reach_name(Reach *reach, const char *name)
{
    Symbol *bound = module_bound_before(reach->module, name, ORDER_END);
    reach_symbol(reach, bound);
    for (const Symbol *at = symbol_imported(bound); at; at = at->previous)
        reach_symbol(reach, at);
}

static void reach_expr(void *context, const AstExpr *expr)
{
    Reach *reach = context;
    if (expr->kind == AST_NAME && !is_variable(reach, expr->name.name))
        reach_name(reach, expr->name.name);
    else if (expr->kind == AST_ATTRIBUTE)
        reach_symbol(reach, module_path_symbol(reach->module, expr));
    ast_each_child(expr, reach_expr, reach);
}

static void reach_function(Reach *reach, const AstFunction *function);

static void reach_body(Reach *reach, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        ast_each_value(stmt, reach_expr, reach);
        ast_each_target(stmt, reach_expr, reach);
        if (stmt->kind == AST_ANN_ASSIGN)
            reach_expr(reach, stmt->ann_assign.annotation);
        if (stmt->kind == AST_DEF)
            reach_function(reach, &stmt->def.function);
        if (stmt->kind == AST_CLASS)
            reach_body(reach, &stmt->class_.body);
        for (int k = ast_bodies(stmt, bodies); k-- > 0;)
            reach_body(reach, bodies[k]);
    }
}

/* The decorators that say how a kernel is tried change nothing in it. */
static bool is_about_launches(const Symbol *symbol, const AstExpr *decorator)
{
    const Function *function = symbol->function;
    return decorator == function->example || decorator == function->tune ||
           decorator == function->schedule;
}

static void reach_params(Reach *reach, const AstFunction *function)
{
    for (int i = 0; i < function->params.count; i++) {
        const AstParam *param = &function->params.items[i];
        if (param->annotation)
            reach_expr(reach, param->annotation);
        if (param->default_value)
            reach_expr(reach, param->default_value);
    }
}

static void reach_function(Reach *reach, const AstFunction *function)
{
    ReachNames own = { .outer = reach->names };
    reach_params(reach, function);
    ast_names(&own.names, reach->arena, function);
    reach->names = &own;
    reach_body(reach, &function->body);
    reach->names = own.outer;
}

static void reach_from(Reach *reach, const Symbol *symbol)
{
    reach->module = symbol->module;
    switch (symbol->kind) {
    case SYMBOL_FUNCTION:
        for (int i = 0; i < symbol->function->ast->decorators.count; i++)
            if (!is_about_launches(symbol, symbol->function->ast->decorators.items[i]))
                reach_expr(reach, symbol->function->ast->decorators.items[i]);
        reach_function(reach, symbol->function->ast);
        break;
    case SYMBOL_CONSTANT:
        reach_expr(reach, symbol->constant.value);
        break;
    case SYMBOL_ENUM:
        reach_body(reach, &symbol->enumeration->ast->class_.body);
        break;
    case SYMBOL_CHOICE:
        reach_expr(reach, symbol->choice.condition);
        reach_symbol(reach, symbol->choice.then);
        reach_symbol(reach, symbol->choice.otherwise);
        break;
    case SYMBOL_BUILTIN:
    case SYMBOL_MODULE:
    case SYMBOL_IMPORT:
    case SYMBOL_UNKNOWN:
        break;
    }
}

static void reach_choice(void *context, Symbol *choice)
{
    reach_symbol(context, choice);
}

/* The kernel first, then the conditions that it is there under and all that is reached in the order
** of the text, each once. */
static Reach reach_kernel(Arena *arena, const Module *module, const char *kernel)
{
    Reach reach = { .arena = arena };
    reach_symbol(&reach, module_function_symbol(module, kernel));
    module_each_choice(module, kernel, reach_choice, &reach);
    for (int i = 0; i < reach.count; i++)
        reach_from(&reach, reach.seen[i]);
    return reach;
}

bool module_reads(Arena *arena, const Module *module, const char *kernel, const char *define)
{
    Reach reach = reach_kernel(arena, module, kernel);
    for (int i = 0; i < reach.count; i++)
        if (symbol_is_called(reach.seen[i], module, define))
            return true;
    return false;
}

static bool names_parameter(const AstFunction *function, const AstExpr *value)
{
    for (int i = 1; i < function->params.count; i++)
        if (value->kind == AST_NAME && !function->params.items[i].default_value &&
            strcmp(function->params.items[i].name, value->name.name) == 0)
            return true;
    return false;
}

/* Whether a class says of an attribute that it is what its objects are made with. */
static bool is_given(const AstClass *class, const char *name)
{
    for (int i = 0; i < class->body.count; i++) {
        const AstStmt *stmt = class->body.items[i];
        if (stmt->kind == AST_ANN_ASSIGN && stmt->ann_assign.target->kind == AST_NAME &&
            strcmp(stmt->ann_assign.target->name.name, name) == 0)
            return !stmt->ann_assign.value;
        if (stmt->kind != AST_DEF || strcmp(stmt->def.function.name, "__init__") != 0)
            continue;
        const AstBody *body = &stmt->def.function.body;
        for (int k = 0; k < body->count; k++) {
            const AstStmt *in = body->items[k];
            const AstExpr *target = in->kind == AST_ASSIGN ? in->assign.targets.items[0] : NULL;
            if (target && target->kind == AST_ATTRIBUTE &&
                strcmp(target->attribute.name, name) == 0)
                return names_parameter(&stmt->def.function, in->assign.value);
        }
    }
    return false;
}

/* n = self.n, which the class gets when an object is made. */
static bool reads_given(const Symbol *symbol)
{
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    const Symbol *self = value && value->kind == AST_ATTRIBUTE
                             ? module_path_symbol(symbol->module, value->attribute.object)
                             : NULL;
    const AstExpr *made = self && self->kind == SYMBOL_CONSTANT ? self->constant.value : NULL;
    const Symbol *class =
        made && made->kind == AST_CALL && !made->call.args.count && !made->call.keyword_count
            ? module_path_symbol(self->module, made->call.function)
            : NULL;
    return class && class->kind == SYMBOL_MODULE && module_class(class->of) &&
           is_given(module_class(class->of), value->attribute.name);
}

/* Whether a name of a scope has no value, and none of its own that the kernel assigns is meant. */
static bool is_needed(const Symbol *symbol, const AstFunction *kernel)
{
    bool own = names_assigned(&kernel->body, symbol->name);
    for (int i = 0; i < kernel->params.count; i++)
        own |= strcmp(kernel->params.items[i].name, symbol->name) == 0;
    bool unknown = symbol->kind == SYMBOL_UNKNOWN && !symbol->unknown.where && !symbol->unknown.by;
    return (unknown || reads_given(symbol)) && !own &&
           module_symbol(symbol->module, symbol->name) == symbol && module_is_scope(symbol->module);
}

const char **module_needs(Arena *arena, const Module *module, const char *kernel)
{
    Reach reach = reach_kernel(arena, module, kernel);
    const char **names = arena_array(arena, const char *, reach.count + 1);
    int count = 0;
    for (int i = 0; i < reach.count; i++)
        if (is_needed(reach.seen[i], reach.seen[0]->function->ast))
            names[count++] = reach.seen[i]->name;
    return names;
}

/* ---- its text ----------------------------------------------------------------------------- */

/* The function without its docstring and what is only about launches. */
static void print_function(Buf *out, Arena *arena, const Symbol *symbol)
{
    AstFunction bare = *symbol->function->ast;
    AstExprs decorators = { arena_array(arena, AstExpr *, bare.decorators.count + 1), 0, 0 };
    for (int i = 0; i < bare.decorators.count; i++)
        if (!is_about_launches(symbol, bare.decorators.items[i]))
            decorators.items[decorators.count++] = bare.decorators.items[i];
    bare.decorators = decorators;
    if (bare.docstring) {
        bare.body.items++;
        bare.body.count--;
    }
    ast_print_function(out, &bare);
}

/* A name that stands for a value, the one that -D gives it if it does. */
static void print_constant(Buf *out, const Symbol *symbol, const AstExpr *value)
{
    bool constant = symbol->kind == SYMBOL_CONSTANT;
    buf_printf(out, "%s[%d] = ", symbol->name, constant && !value ? symbol->constant.item : -1);
    if (value || constant)
        ast_print_expr(out, value ? value : symbol->constant.value);
    else if (symbol->kind == SYMBOL_CHOICE)
        ast_print_expr(out, symbol->choice.condition);
    buf_putc(out, '\n');
    const AstExpr *made = value ? NULL : constant ? symbol->constant.value : NULL;
    const Symbol *class = made && made->kind == AST_CALL
                              ? module_path_symbol(symbol->module, made->call.function)
                              : NULL;
    if (class && class->kind == SYMBOL_MODULE && module_class(class->of))
        ast_print_body(out, &module_class(class->of)->body);
}

void module_reach_text(Arena *arena, const ReachRequest *request, Buf *out)
{
    Reach reach = reach_kernel(arena, request->module, request->kernel);
    for (int i = 0; i < reach.count; i++) {
        const Symbol *symbol = reach.seen[i];
        if (module_is_standard(symbol->module) && !module_is_standard(request->module))
            continue; /* a part of kjit */
        if (symbol->kind == SYMBOL_FUNCTION &&
            !symbol_defined(request->defines, request->define_count, request->module, symbol)) {
            print_function(out, arena, symbol);
        } else if (symbol->kind == SYMBOL_ENUM) {
            ast_print_body(out, &symbol->enumeration->ast->class_.body);
        } else if (symbol->kind == SYMBOL_BUILTIN) {
            if (strcmp(symbol->name, symbol->path) != 0)
                buf_printf(out, "%s = %s\n", symbol->name, symbol->path);
        } else if ((symbol_may_be_defined(symbol) || symbol->kind == SYMBOL_FUNCTION) &&
                   !text_is_among(symbol->name, request->without, request->without_count)) {
            const AstExpr *value =
                symbol_defined(request->defines, request->define_count, request->module, symbol);
            if (value || symbol->kind != SYMBOL_IMPORT)
                print_constant(out, symbol, value);
        }
    }
}
