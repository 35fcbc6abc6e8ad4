/* Kernels that functions make: the names inside these, and what calls of them return.
**
**     def factory(n):                     "factory.kernel", n being what -D says of it
**         @cuda.jit
**         def kernel(...)
**         return kernel
**     name = factory(4)                   "name"
**
** A name that is bound to a kernel by another name, `a if c else b` or a call of a factory is that
** kernel, too. Of several returns the one counts that the conditions around them choose. */
#include "ir/names/scope.h"

/* ---- the names inside ------------------------------------------------------------------------ */

/* Whether something in an expression looks like cuda.jit(f) or cuda.jit(...)(f). */
static void look_for_jit(void *found, const AstExpr *expr)
{
    const AstExpr *callee = expr;
    while (callee->kind == AST_CALL)
        callee = callee->call.function;
    if (callee != expr && (ast_ends_in(callee, "jit") || ast_ends_in(callee, "njit")))
        *(bool *)found = true;
    ast_each_child(expr, look_for_jit, found);
}

/* Whether something in the body is a function with a decorator, a class, or made by cuda.jit(f). */
bool has_kernels(const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt->kind == AST_CLASS ||
            (stmt->kind == AST_DEF && stmt->def.function.decorators.count))
            return true;
        if (stmt->kind == AST_DEF && has_kernels(&stmt->def.function.body))
            return true;
        bool found = false;
        ast_each_value(stmt, look_for_jit, &found);
        if (found)
            return true;
        for (int k = ast_bodies(stmt, bodies); k-- > 0;)
            if (has_kernels(bodies[k]))
                return true;
    }
    return false;
}

static bool is_static(Resolver *r, const AstFunction *ast)
{
    for (int i = 0; i < ast->decorators.count; i++) {
        const char *path = resolve_path(r, ast->decorators.items[i]);
        if (path && strcmp(path, "staticmethod") == 0)
            return true;
    }
    return false;
}

/* The object whose method it is: one that its class makes without arguments. */
static void bind_self(Resolver *r, const Module *class, const AstParam *param)
{
    AstExpr *call = arena_new(r->arena, AstExpr), *name = arena_new(r->arena, AstExpr);
    *name = (AstExpr){ .kind = AST_NAME, .span = param->span, .name.name = class->name };
    *call = (AstExpr){ .kind = AST_CALL, .span = param->span, .call.function = name };
    resolve_constant(r, param->name, param->span, call, -1);
    change_bind(r, param->name, r, call);
}

/* What a function of that module sees when it is called here: the order in it; -1: its end. */
static int called_at(const Resolver *r, const Module *scope)
{
    int at = r->module->order;
    for (const Module *here = r->module; here != scope; here = here->outer) {
        if (!here)
            return -1;
        at = here->at;
    }
    return at;
}

/* An argument is what it is where the function is called. */
static void bind_given(Resolver *r, Resolver *inner, const AstParam *param, const AstExpr *given)
{
    Symbol *symbol = resolve_constant(inner, param->name, param->span, given, -1);
    symbol->place = inner->module;
    symbol->module = r->module;
    symbol->order = r->module->order;
    change_bind(inner, param->name, r, given);
}

/* A default is what it is where the function is defined. */
static void bind_default(Resolver *inner, const Function *function, const AstParam *param)
{
    Symbol *symbol = resolve_constant(inner, param->name, param->span, param->default_value, -1);
    symbol->place = inner->module;
    symbol->module = (Module *)(uintptr_t)function->scope;
    symbol->order = function->order;
    Resolver around = *inner;
    around.module = symbol->module;
    change_bind(inner, param->name, &around, param->default_value);
}

static bool names_param(const AstParams *params, const char *name)
{
    for (int i = 0; i < params->count; i++)
        if (!params->items[i].star && !params->items[i].double_star &&
            strcmp(params->items[i].name, name) == 0)
            return true;
    return false;
}

static void add(Arena *arena, AstExprs *list, AstExpr *expr)
{
    array_push(arena, list->items, list->count, list->capacity) = expr;
}

/* What `*args` takes of a call, a tuple, or `**options`, a dictionary. */
static const AstExpr *collected(Arena *arena, const AstExpr *call, const AstParams *params, int at)
{
    const bool star = params->items[at].star;
    AstExpr *all = ast_new(arena, star ? AST_TUPLE : AST_DICT, call->span);
    for (int i = at; star && i < call->call.args.count; i++)
        add(arena, &all->list.items, call->call.args.items[i]);
    for (int i = 0; !star && i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (names_param(params, keyword->name))
            continue;
        add(arena, &all->dict.keys, expand_text(arena, keyword->name, keyword->value->span));
        add(arena, &all->dict.values, keyword->value);
    }
    return all;
}

/* What a call gives a parameter; NULL: nothing. */
static const AstExpr *given_to(Arena *arena, const AstExpr *call, const AstParams *params, int at)
{
    const AstParam *param = &params->items[at];
    if (call && (param->star || param->double_star))
        return collected(arena, call, params, at);
    return call_argument(call, params, at);
}

/* The names inside a function that makes kernels, as a part `name` of the module. Parameters are
** what -D says, else what `call` gives, by names as they are at its line, else their defaults. */
Module *resolve_factory(Resolver *r, const Function *function, const char *name,
                        const AstExpr *call)
{
    const AstFunction *ast = function->ast;
    Module *around = call ? function->module : (Module *)(uintptr_t)function->scope;
    Resolver inner = *r;
    inner.module = scope_inside(around, name, false);
    inner.module->order = r->module->order;
    inner.module->at = call ? called_at(r, around) : -1;
    inner.running = NULL;
    inner.rest = NULL;
    inner.making = r->making + (call != NULL);
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        const AstExpr *given = given_to(r->arena, call, &ast->params, i);
        if (given)
            bind_given(r, &inner, param, given);
        else if (function->of_class && i == 0)
            scope_define(&inner, param->name, SYMBOL_MODULE, param->span)->of = inner.module->outer;
        else if (i == 0 && function->scope->is_class && !param->default_value && !is_static(r, ast))
            bind_self(&inner, function->scope, param);
        else if (param->default_value)
            bind_default(&inner, function, param);
        else
            scope_define_unknown(&inner, param->name, param->span,
                                 arena_printf(r->arena,
                                              "is a parameter of '%s', and has no value: give it "
                                              "one with -D %s=VALUE",
                                              ast->name, param->name));
    }
    resolve_body(&inner, &ast->body);
    resolve_given(&inner, &ast->body);
    return inner.module;
}

/* ---- what a name is bound to ----------------------------------------------------------------- */

/* Whether it shows of each argument of a call which parameter it is for: no *args, no **kwargs. */
static bool is_plain_call(const AstExpr *call, const AstParams *params)
{
    bool star = false;
    for (int i = 0; i < call->call.args.count; i++) {
        const AstParam *param = i < params->count ? &params->items[i] : NULL;
        star |= param && param->star;
        if ((!star && (!param || param->keyword_only || param->double_star)) ||
            call->call.args.items[i]->kind == AST_STARRED)
            return false;
    }
    for (int i = 0; i < call->call.keyword_count; i++)
        if (!call->call.keywords[i].name)
            return false;
    return true;
}

/* Whether a function may return what another one makes. */
static bool returns_call(const AstBody *body)
{
    const AstBody *inner;
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstExpr *value = stmt->kind == AST_RETURN ? stmt->return_.value : NULL;
        if (value && (value->kind == AST_CALL || value->kind == AST_IF_EXPR))
            return true;
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            if (returns_call(inner))
                return true;
    }
    return false;
}

static Symbol *result_of(Resolver *r, const char *name, const AstExpr *value);

static Symbol *result_new(Resolver *r, const Symbol *like)
{
    Symbol *symbol = arena_new(r->arena, Symbol);
    *symbol = *like;
    return symbol;
}

/* The kernel that a call of a function gives: of the names inside that the call makes. */
static Symbol *made_by(Resolver *r, const char *name, Symbol *factory, const AstExpr *call)
{
    enum { DEEPEST = 4 };
    const Function *function = factory->function;
    Module *file = scope_file((Module *)(uintptr_t)function->scope);
    int kernels = file->kernel_count;
    if (!function->ast || function->kernel || function->wrapped || r->making == DEEPEST ||
        module_is_standard(function->module) ||
        (!has_kernels(&function->ast->body) && !returns_call(&function->ast->body)) ||
        !is_plain_call(call, &function->ast->params))
        return NULL;
    const Module *inside = resolve_factory(r, function, name, call);
    file->kernel_count = kernels; /* those of the factory's own names are no others */
    return table_get(&inside->symbols, RETURNED);
}

/* The same where branches define the function. */
static Symbol *made_by_symbol(Resolver *r, const char *name, Symbol *symbol, const AstExpr *call)
{
    if (!symbol || symbol->kind == SYMBOL_FUNCTION)
        return symbol ? made_by(r, name, symbol, call) : NULL;
    if (symbol->kind != SYMBOL_CHOICE)
        return NULL;
    Symbol *choice = result_new(r, symbol);
    choice->choice.then = made_by_symbol(r, name, symbol->choice.then, call);
    choice->choice.otherwise = made_by_symbol(r, name, symbol->choice.otherwise, call);
    return choice;
}

static Symbol *either(Resolver *r, const char *name, const AstExpr *expr)
{
    int order = r->module->order;
    Symbol choice = {
        .kind = SYMBOL_CHOICE, .name = name, .module = r->module, .span = expr->span
    };
    choice.choice.condition = expr->if_expr.condition;
    choice.choice.then = result_of(r, name, expr->if_expr.then);
    choice.choice.otherwise = result_of(r, name, expr->if_expr.otherwise);
    choice.choice.begin = choice.choice.middle = choice.choice.end = choice.order = order;
    return choice.choice.then || choice.choice.otherwise ? result_new(r, &choice) : NULL;
}

/* What a name, or a path of a file or class, stands for at the statement at hand; NULL: nothing. */
static Symbol *named(Resolver *r, const AstExpr *expr)
{
    if (expr->kind == AST_NAME)
        return symbol_imported(scope_bound(r, expr->name.name));
    Symbol *owner = expr->kind == AST_ATTRIBUTE ? named(r, expr->attribute.object) : NULL;
    bool module = owner && owner->kind == SYMBOL_MODULE;
    return module ? module_symbol_in(owner->of, expr->attribute.name) : NULL;
}

/* The class whose object an expression is, a call of it or a name for one; NULL: no object. */
static const Module *class_of(Resolver *r, const AstExpr *object)
{
    Symbol *symbol = object->kind == AST_CALL ? named(r, object->call.function) : named(r, object);
    bool constant = symbol && symbol->kind == SYMBOL_CONSTANT && symbol->constant.item < 0;
    const AstExpr *value = constant ? symbol->constant.value : NULL;
    if (object->kind != AST_CALL && value && value->kind == AST_CALL)
        symbol = module_path_symbol(symbol->module, value->call.function);
    else if (object->kind != AST_CALL)
        return NULL;
    return symbol && symbol->kind == SYMBOL_MODULE && symbol->of->is_class ? symbol->of : NULL;
}

/* A call of a method as one of its function, which is given the object before what it is given. */
static const AstExpr *call_with(Resolver *r, const AstExpr *call, AstExpr *object)
{
    AstExpr *whole = arena_new(r->arena, AstExpr);
    int count = call->call.args.count;
    *whole = *call;
    whole->call.args.items = arena_array(r->arena, AstExpr *, count + 1);
    whole->call.args.items[0] = object;
    for (int i = 0; i < count; i++)
        whole->call.args.items[i + 1] = call->call.args.items[i];
    whole->call.args.count = count + 1;
    return whole;
}

static Symbol *made_by_call(Resolver *r, const char *name, const AstExpr *call);

/* What a name stands for; of one that is bound to what a factory makes in this scope that, which
** may be a factory, too. */
static Symbol *made_before(Resolver *r, Symbol *symbol)
{
    bool call = symbol && symbol->kind == SYMBOL_CONSTANT && symbol->module == r->module &&
                symbol->constant.item < 0 && symbol->constant.value->kind == AST_CALL;
    int order = r->module->order;
    if (!call)
        return symbol;
    r->module->order = symbol->order;
    Symbol *made = made_by_call(r, symbol->name, symbol->constant.value);
    r->module->order = order;
    return made;
}

/* What a call calls: a function, also of another file or a class, or an object's method. */
static Symbol *called_by(Resolver *r, const char *name, const AstExpr **call)
{
    const AstExpr *callee = (*call)->call.function;
    AstExpr *object = callee->kind == AST_ATTRIBUTE ? callee->attribute.object : NULL;
    const Module *class = object ? class_of(r, object) : NULL;
    Symbol *made = callee->kind == AST_CALL ? made_by_call(r, name, callee)
                   : class                  ? NULL
                                            : made_before(r, named(r, callee));
    if (made && made->kind == SYMBOL_UNKNOWN && made->result != made)
        made = made->result; /* what a factory returns, which may be one, too */
    if (!class)
        return made;
    Symbol *method = module_symbol_in(class, callee->attribute.name);
    bool function = method && method->kind == SYMBOL_FUNCTION;
    if (function && !method->function->of_none && !method->function->of_class)
        *call = call_with(r, *call, object);
    return method;
}

static Symbol *made_by_call(Resolver *r, const char *name, const AstExpr *call)
{
    Symbol *symbol = called_by(r, name, &call);
    return made_by_symbol(r, name, symbol, call);
}

/* cuda.jit(f, ...), or what is not known and takes a function alone, as a decorator does: the
** function. What takes more, as partial(f, n=5) and fuse(f, g), makes another one of it. */
static Symbol *called(Resolver *r, const char *name, const AstExpr *value)
{
    Symbol *made = made_by_call(r, name, value);
    const AstExprs *args = &value->call.args;
    Jit jit;
    bool alone = args->count == 1 && !value->call.keyword_count;
    if (made || !args->count || args->items[0]->kind != AST_NAME ||
        (!alone && !jit_find(r, value->call.function, &jit)))
        return made;
    return result_of(r, name, args->items[0]);
}

/* What the items of a tuple, a list or a dictionary are, as a symbol of its own; NULL: none of them
** is a function. */
static Symbol *tuple_of(Resolver *r, const char *name, const AstExpr *value, const AstExprs *items,
                        const AstExprs *keys)
{
    Symbol *tuple = arena_new(r->arena, Symbol);
    *tuple =
        (Symbol){ .kind = SYMBOL_UNKNOWN, .name = name, .module = r->module, .span = value->span };
    tuple->unknown.reason = "is a tuple of functions";
    tuple->result = tuple;
    tuple->parts = arena_array(r->arena, Symbol *, items->count + 1);
    tuple->part_count = items->count;
    tuple->part_keys = keys;
    bool some = false;
    for (int i = 0; i < items->count; i++) {
        if (items->items[i]->kind == AST_STARRED || (keys && !keys->items[i]))
            return NULL;
        tuple->parts[i] = result_of(r, name, items->items[i]);
        some |= tuple->parts[i] != NULL;
    }
    return some ? tuple : NULL;
}

/* Which item of what a dictionary is has a text as its key: the last one; -1: none. */
static int item_of_key(const Symbol *symbol, const char *key)
{
    int item = symbol->part_count - 1;
    for (; key && item >= 0; item--) {
        const AstExpr *expr = symbol->part_keys->items[item];
        if (expr->kind != AST_STRING)
            return -1; /* which may be this key */
        if (strcmp(expr->string.text, key) == 0)
            return item;
    }
    return -1;
}

/* The item of what a tuple or list is, or a dictionary, or a choice of such, that has a number,
** from the end if that is negative, or a key. */
static Symbol *part_of(Resolver *r, Symbol *symbol, int item, const char *key)
{
    if (symbol && symbol->kind == SYMBOL_CHOICE) {
        Symbol *choice = result_new(r, symbol);
        choice->choice.then = part_of(r, symbol->choice.then, item, key);
        choice->choice.otherwise = part_of(r, symbol->choice.otherwise, item, key);
        return choice;
    }
    if (symbol && !symbol->parts)
        return symbol->result != symbol ? part_of(r, symbol->result, item, key) : symbol;
    if (!symbol || (key && !symbol->part_keys))
        return NULL;
    if (symbol->part_keys)
        item = item_of_key(symbol, key);
    else if (item < 0)
        item += symbol->part_count;
    return item >= 0 && item < symbol->part_count ? symbol->parts[item] : NULL;
}

/* The same of an index: a text, a number, or one that is subtracted from the length. */
static Symbol *indexed(Resolver *r, const char *name, const AstExpr *value)
{
    const AstExpr *index = value->index.index;
    const char *key = index->kind == AST_STRING ? index->string.text : NULL;
    bool minus = index->kind == AST_UNARY && index->unary.op == AST_NEG;
    index = minus ? index->unary.operand : index;
    if (!key && (index->kind != AST_INT || index->integer.value > INT32_MAX))
        return NULL;
    int item = key ? 0 : (int)index->integer.value;
    return part_of(r, result_of(r, name, value->index.object), minus ? -item : item, key);
}

/* The function that a value is, or a tuple with such in it, a choice of these, or NULL. */
static Symbol *result_of(Resolver *r, const char *name, const AstExpr *value)
{
    if (value->kind == AST_IF_EXPR)
        return either(r, name, value);
    if (value->kind == AST_CALL)
        return called(r, name, value);
    if (value->kind == AST_TUPLE || value->kind == AST_LIST)
        return tuple_of(r, name, value, &value->list.items, NULL);
    if (value->kind == AST_DICT)
        return tuple_of(r, name, value, &value->dict.values, &value->dict.keys);
    if (value->kind == AST_INDEX)
        return indexed(r, name, value);
    Symbol *symbol = value->kind == AST_NAME ? scope_bound(r, value->name.name) : NULL;
    bool function = symbol && (symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_CHOICE);
    return function ? symbol : symbol ? symbol->result : NULL;
}

/* Adds what a result may be to the kernels, by its new name. */
static void add_results(Resolver *r, const char *name, Symbol *symbol)
{
    Module *file = scope_file(r->module);
    if (symbol && symbol->kind == SYMBOL_CHOICE) {
        add_results(r, name, symbol->choice.then);
        add_results(r, name, symbol->choice.otherwise);
    }
    if (symbol && symbol->result && symbol->result != symbol)
        add_results(r, name, symbol->result);
    if (!symbol || symbol->kind != SYMBOL_FUNCTION || !symbol->function->kernel)
        return;
    resolve_kernel(r, name, symbol);
    file->kernels[file->kernel_count - 1].made = true;
}

/* What a symbol is that is bound to a value: names in that are what they were before. */
static void find_result(Resolver *r, Symbol *symbol, const AstExpr *value)
{
    int order = r->module->order;
    r->module->order = symbol->order;
    symbol->result = result_of(r, symbol->name, value);
    r->module->order = order;
}

void resolve_made(Resolver *r, Symbol *symbol, const AstExpr *value)
{
    if (!r->is_main || (r->module->outer && !r->making))
        return;
    size_t mark = r->diags->count;
    find_result(r, symbol, value);
    if (symbol->kind == SYMBOL_CONSTANT && symbol->constant.item >= 0)
        symbol->result = part_of(r, symbol->result, symbol->constant.item, NULL);
    if (!r->module->outer)
        add_results(r, symbol->name, symbol->result);
    diags_truncate(r->diags, mark); /* reported where the factory is read */
}

void resolve_return(Resolver *r, const AstStmt *stmt)
{
    const AstExpr *value = stmt->return_.value;
    Symbol *symbol = scope_define(r, RETURNED, SYMBOL_UNKNOWN, stmt->span);
    symbol->unknown.reason = "is what a function returns";
    if (!r->making || !value || value->kind == AST_NONE)
        return;
    find_result(r, symbol, value);
    if (!symbol->result)
        symbol->result = symbol;
}
