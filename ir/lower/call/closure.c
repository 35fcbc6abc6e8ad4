/* Functions inside functions, and lambda. What such a function reads of the one around it becomes a
** parameter of its own, behind those it declares: a call gives it what the name holds then. A
** function that is passed on takes what it reads along, and that must be constants: its caller
** could not pass variables. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

/* ---- what is read from around -------------------------------------------------------------- */

typedef struct Free {
    FnState *f;
    const AstFunction *inner;
    const struct Free *outer; /* of a function around it that is inside the closure, too */
    const char **names;
    int count, capacity;
} Free;

static void collect_function(Free *free, const AstFunction *inner);

static bool is_param(const AstParams *params, const char *name)
{
    for (int i = 0; i < params->count; i++)
        if (strcmp(params->items[i].name, name) == 0)
            return true;
    return false;
}

static bool is_own(const Free *free, const char *name)
{
    for (; free; free = free->outer)
        if (is_param(&free->inner->params, name) || names_assigned(&free->inner->body, name))
            return true;
    return false;
}

/* Whether the function around has a variable of that name. */
static bool is_around(FnState *f, const char *name)
{
    const Name *known = table_get(&f->names, name);
    const AstFunction *ast = f->function->ast;
    return (known && known->binding.kind != BIND_NONE) || is_param(&ast->params, name) ||
           names_assigned(&ast->body, name);
}

static void collect_name(Free *free, const char *name)
{
    bool itself = strcmp(free->inner->name, name) == 0; /* refused, later */
    if (is_own(free, name) || !(itself || is_around(free->f, name)))
        return;
    for (int i = 0; i < free->count; i++)
        if (strcmp(free->names[i], name) == 0)
            return;
    array_push(free->f->arena, free->names, free->count, free->capacity) = name;
}

static void collect_value(void *context, const AstExpr *expr)
{
    Free *free = context;
    if (expr->kind == AST_NAME)
        collect_name(free, expr->name.name);
    if (expr->kind == AST_LAMBDA)
        collect_function(free, ast_lambda_function(free->f->arena, expr));
    else
        ast_each_child(expr, collect_value, context);
}

static void collect_body(Free *free, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        if (stmt->kind == AST_DEF)
            collect_function(free, &stmt->def.function);
        ast_each_value(stmt, collect_value, free);
        ast_each_target(stmt, collect_value, free);
        const AstBody *bodies[2];
        int count = ast_bodies(stmt, bodies);
        for (int k = 0; k < count; k++)
            collect_body(free, bodies[k]);
    }
}

static void collect_function(Free *free, const AstFunction *inner)
{
    for (int i = 0; free->inner && i < inner->params.count; i++)
        if (inner->params.items[i].default_value)
            collect_value(free, inner->params.items[i].default_value);
    Free deeper = *free;
    deeper.inner = inner;
    deeper.outer = free->inner ? free : NULL;
    collect_body(&deeper, &inner->body);
    free->names = deeper.names;
    free->count = deeper.count;
    free->capacity = deeper.capacity;
}

/* ---- the function ------------------------------------------------------------------------- */

/* The same function with a parameter more for each name it reads. */
static AstFunction *with_captures(Arena *arena, const AstFunction *ast, const Free *free)
{
    AstFunction *wider = arena_new(arena, AstFunction);
    *wider = *ast;
    wider->params.items = arena_array(arena, AstParam, ast->params.count + free->count + 1);
    if (ast->params.count)
        memcpy(wider->params.items, ast->params.items,
               (size_t)ast->params.count * sizeof(ast->params.items[0]));
    for (int i = 0; i < free->count; i++)
        wider->params.items[wider->params.count++] =
            (AstParam){ .name = free->names[i], .span = ast->name_span };
    return wider;
}

/* What cuda.made() says of a parameter's default value; NULL: nothing. */
static const Operand *said_default(const Call *made, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 1; made && i + 1 < made->count; i += 2) {
        const Operand *key = &made->args[i];
        if (key->kind == OPD_STRING && strncmp(key->string.text, name, length) == 0 &&
            strcmp(key->string.text + length, "=") == 0)
            return key + 1;
    }
    return NULL;
}

/* The default values, computed now: later assignments do not change them. `made` is the cuda.made()
** that may say what some are; NULL: none. */
static Operand *held_defaults(FnState *f, const AstParams *params, const Call *made)
{
    Operand *defaults = arena_array(f->arena, Operand, params->count + 1);
    for (int i = 0; i < params->count; i++) {
        if (!params->items[i].default_value)
            continue;
        const Operand *said = said_default(made, params->items[i].name);
        Operand value = said ? *said : lower_maybe(f, params->items[i].default_value);
        IrValue *known = value.kind == OPD_VALUE ? literal_known(f, value.value) : NULL;
        if (known)
            value.value = known;
        else if (value.kind == OPD_VALUE && f->constant_only)
            value.value = lower_table_settle(f, value.value, params->items[i].name);
        else if (value.kind == OPD_VALUE && !ir_is_constant(value.value))
            value.value = spill_before(f, NULL, value.value, "_default");
        defaults[i] = value;
    }
    return defaults;
}

/* A function that a constant is, or is computed with: it sees what its names stand for where it is
** called, those of the module if no statements are run around it. */
static Operand constant_function(FnState *f, const AstFunction *ast, Span span)
{
    Function *function = arena_new(f->arena, Function);
    *function = (Function){ .name = ast->name,
                            .module = (Module *)(uintptr_t)f->module,
                            .ast = ast,
                            .options = { .opt = 3, .carveout = -1 },
                            .run = f->runs ? f : NULL };
    if (f->runs)
        function->defaults = held_defaults(f, &ast->params, NULL);
    return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = function };
}

static Operand closure(FnState *f, const AstFunction *ast, Span span)
{
    if (f->constant_only)
        return constant_function(f, ast, span);
    Free free = { .f = f };
    collect_function(&free, ast);
    for (int i = 0; i < free.count; i++)
        if (strcmp(free.names[i], ast->name) == 0)
            return fail_operand(
                f, span,
                "'%s' calls itself, which functions inside functions cannot; move it to "
                "module level",
                ast->name);
    Function *function = arena_new(f->arena, Function);
    *function = (Function){ .name = ast->name,
                            .module = f->function->module,
                            .ast = with_captures(f->arena, ast, &free),
                            .options = f->fn->options,
                            .owner = f,
                            .run = f->function->run,
                            .captures = free.count,
                            .defaults = held_defaults(f, &ast->params, NULL) };
    return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = function };
}

/* The same of one that is described: made by what is run in `f`, or by that cuda.made(). */
static Operand made_function(FnState *f, const Function *described, const Call *made, Span span)
{
    Function *function = arena_new(f->arena, Function);
    *function = *described;
    function->wrapped = NULL; /* what a decorator made of it is another function */
    function->run = f;
    function->defaults = held_defaults(f, &function->ast->params, made);
    signature_read(f, function);
    return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = function };
}

/* cuda.made(byte, "name", value, "param=", value, ...): the function whose name stands there in the
** file, or a function in place of that, with what the names around it hold and what are default
** values. Programs write that of functions that they have run definitions of. */
Operand lower_made(FnState *f, const Call *call)
{
    const Operand *which = f->constant_only && call->count ? &call->args[0] : NULL;
    const Function *described = NULL;
    if (which && which->kind == OPD_FUNCTION)
        described = which->function;
    else if (which && which->kind == OPD_VALUE && ir_is_constant(which->value))
        described = module_described(f->module, (uint32_t)which->value->constant.integer);
    if (!described)
        return fail_operand(f, call->span,
                            "cuda.made() is for constants that programs have computed");
    FnState *run = constant_state(f, described->module);
    run->runs = true;
    for (int i = call->count - 2; i > 0; i -= 2) /* the innermost stand first */
        if (call->args[i].kind == OPD_STRING)
            env_bind(run, env_name(run, call->args[i].string.text),
                     (Binding){
                         .kind = BIND_OPERAND, .span = call->span, .operand = &call->args[i + 1] });
    return made_function(run, described, call, call->span);
}

void lower_def(FnState *f, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    Operand function = operand_error(stmt->span);
    const Function *described =
        ast->decorators.count && f->runs ? module_described(f->module, ast->name_span.begin) : NULL;
    if (described && described->compiled && !described->wrapped)
        function = made_function(f, described, NULL, ast->name_span);
    else if (ast->decorators.count)
        fail(f, ast->decorators.items[0]->span,
             "functions inside functions have no decorators; move '%s' to module level", ast->name);
    else
        function = closure(f, ast, ast->name_span);
    lower_bind(f, ast->name, function, ast->name_span);
}

Operand lower_lambda(FnState *f, const AstExpr *expr)
{
    return closure(f, ast_lambda_function(f->arena, expr), expr->span);
}

/* ---- what it takes along ------------------------------------------------------------------ */

static const Function *bind(FnState *f, const Function *function, Span span, bool values);

int closure_values(const Function *function, IrValue **values)
{
    int count = 0;
    for (int i = 0; function->bound && i < function->captures; i++)
        count += operand_values(&function->bound[i], values ? values + count : NULL);
    return count;
}

int operand_values(const Operand *operand, IrValue **values)
{
    if (operand->kind == OPD_VALUE && values)
        *values = operand->value;
    return operand->kind == OPD_VALUE      ? 1
           : operand->kind == OPD_FUNCTION ? closure_values(operand->function, values)
                                           : 0;
}

const Function *closure_with_values(FnState *f, const Function *function, IrValue *const *values)
{
    if (!closure_values(function, NULL))
        return function;
    Function *copy = arena_new(f->arena, Function);
    Operand *bound = arena_array(f->arena, Operand, function->captures + 1);
    *copy = *function;
    copy->bound = bound;
    for (int i = 0; i < function->captures; i++) {
        bound[i] = function->bound[i];
        if (bound[i].kind == OPD_FUNCTION) {
            bound[i].function = closure_with_values(f, bound[i].function, values);
            values += closure_values(bound[i].function, NULL);
        } else if (bound[i].kind == OPD_VALUE) {
            bound[i].value = *values++;
        }
    }
    return copy;
}

/* What one captured name holds now; a constant stays one. */
static Operand captured(FnState *f, const Function *function, const AstParam *param, Span call)
{
    AstExpr *expr = arena_new(f->arena, AstExpr);
    *expr = (AstExpr){ .kind = AST_NAME, .span = call, .name.name = param->name };
    Operand held = lower_maybe(f, expr);
    if (held.kind == OPD_FUNCTION && held.function->owner && !held.function->bound) {
        if (held.function->ast->name_span.begin == function->ast->name_span.begin)
            return fail_operand(
                f, call,
                "'%s' calls itself, which functions inside functions cannot; move it to "
                "module level",
                param->name);
        held.function = bind(f, held.function, call, true);
        return held.function ? held : operand_error(call);
    }
    IrValue *known = held.kind == OPD_VALUE ? literal_known(f, held.value) : NULL;
    if (known)
        held = (Operand){ .kind = OPD_LITERAL, .span = held.span, .value = known };
    return held;
}

bool closure_captures(FnState *f, const Function *function, Operand *args, Span call)
{
    const AstParams *params = &function->ast->params;
    int first = params->count - function->captures;
    if (!function->captures)
        return true;
    if (function->bound) {
        memcpy(args, function->bound, (size_t)function->captures * sizeof(args[0]));
        return true;
    }
    if (function->owner != f)
        return fail(f, call, "'%s' can be called only in the function it stands in",
                    function->name);
    for (int i = 0; i < function->captures; i++) {
        args[i] = captured(f, function, &params->items[first + i], call);
        if (args[i].kind == OPD_ERROR)
            return false;
    }
    return true;
}

bool closure_same_text(const Function *a, const Function *b)
{
    if (a == b)
        return true;
    const AstParams *x = &a->ast->params, *y = &b->ast->params;
    if (!a->owner || !b->owner || a->run != b->run || a->module != b->module ||
        x->count != y->count || a->captures != b->captures ||
        !same_place(a->ast->name_span, b->ast->name_span))
        return false;
    for (int i = x->count - a->captures; i < x->count; i++)
        if (strcmp(x->items[i].name, y->items[i].name) != 0)
            return false;
    return true;
}

/* Whether a function that is passed on takes the same along in two places. */
static bool same_held(const Operand *a, const Operand *b)
{
    bool values = (a->kind == OPD_VALUE || a->kind == OPD_LITERAL) && a->kind == b->kind;
    return values ? literal_same(a->value, b->value) : operand_same(a, b);
}

static bool same_closure(const Function *a, const Function *b, bool types)
{
    bool same = closure_same_text(a, b) && !a->bound == !b->bound;
    const AstParams *params = &a->ast->params;
    for (int i = 0; same && i < params->count - a->captures; i++)
        if (params->items[i].default_value)
            same = same_held(&a->defaults[i], &b->defaults[i]);
    for (int i = 0; same && a->bound && i < a->captures; i++) {
        const Operand *x = &a->bound[i], *y = &b->bound[i];
        if (types && x->kind == y->kind && x->kind == OPD_FUNCTION)
            same = closure_same_types(x->function, y->function);
        else if (types && x->kind == y->kind && x->kind == OPD_VALUE)
            same = x->value->type == y->value->type;
        else
            same = same_held(x, y);
    }
    return same;
}

bool closure_same_types(const Function *a, const Function *b)
{
    return a == b || (a->owner && b->owner && same_closure(a, b, true));
}

uint64_t closure_hash(const Function *function)
{
    if (!function->owner)
        return (uintptr_t)function;
    uint64_t hash = hash_with(function->ast->name_span.begin, (uint64_t)function->captures);
    for (int i = 0; function->bound && i < function->captures; i++) {
        const Operand *bound = &function->bound[i];
        hash = hash_with(hash, bound->kind);
        if (bound->kind == OPD_FUNCTION)
            hash = hash_with(hash, closure_hash(bound->function));
        if (bound->kind == OPD_VALUE)
            hash = hash_with(hash, (uintptr_t)bound->value->type);
    }
    return hash;
}

/* The first function like this one that was passed on: what is specialised for it serves all. */
static const Function *first_like(Lower *lower, const Function *function)
{
    uint64_t hash = closure_hash(function);
    size_t step = 0;
    const Function *known;
    while ((known = hashes_next(&lower->closures, hash, &step)))
        if (same_closure(known, function, false))
            return known;
    hashes_put(&lower->closures, hash, function);
    return function;
}

/* `values`: what it reads may be a value of `f`, which is then an argument wherever it is given. */
static const Function *bind(FnState *f, const Function *function, Span span, bool values)
{
    if (!function->owner || function->bound)
        return function;
    const AstParams *own = &function->ast->params;
    for (int i = 0; i < own->count - function->captures; i++)
        if (own->items[i].default_value && function->defaults[i].kind == OPD_VALUE &&
            !ir_is_constant(function->defaults[i].value))
            return fail_null(
                f, span,
                "'%s' cannot be passed on: the default value of '%s' is no constant; give it "
                "as an argument",
                function->name, own->items[i].name);
    if (!function->captures)
        return first_like(f->lower, function);
    Operand *bound = arena_array(f->arena, Operand, function->captures + 1);
    if (!closure_captures(f, function, bound, span))
        return NULL;
    const AstParam *params =
        function->ast->params.items + function->ast->params.count - function->captures;
    for (int i = 0; i < function->captures; i++)
        if (bound[i].kind == OPD_VALUE && !values)
            return fail_null(
                f, span,
                "'%s' cannot be passed on: it reads '%s', which is no constant; give it a "
                "parameter for that",
                function->name, params[i].name);
    Function *copy = arena_new(f->arena, Function);
    *copy = *function;
    copy->bound = bound;
    return closure_values(copy, NULL) ? copy : first_like(f->lower, copy);
}

const Function *closure_bind(FnState *f, const Function *function, Span span)
{
    return bind(f, function, span, false);
}
