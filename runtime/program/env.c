/* Names and what they hold, and other targets of assignments. */
#include "runtime/program/arrays.h"
#include "runtime/program/kernels.h"

HostEnv *env_new(Program *p, HostEnv *outer, const HostCode *code)
{
    HostEnv *env = host_new(p, HOST_ENVIRONMENT, sizeof *env);
    env->outer = outer;
    env->code = code;
    return env;
}

HostEnv *env_module(HostEnv *env)
{
    while (env->outer)
        env = env->outer;
    return env;
}

static size_t hash(const char *name)
{
    size_t sum = 5381;
    for (; *name; name++)
        sum = sum * 33 + (unsigned char)*name;
    return sum ^ sum >> 7;
}

/* The slot that a name has, or would have. */
static HostName *slot_of(HostName *slots, size_t capacity, const char *name)
{
    size_t at = hash(name) & (capacity - 1);
    while (slots[at].name && slots[at].name != name && strcmp(slots[at].name, name) != 0)
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

HostName *env_find(const HostEnv *env, const char *name)
{
    if (!env->capacity)
        return NULL;
    HostName *slot = slot_of(env->slots, env->capacity, name);
    return slot->name && slot->bound ? slot : NULL;
}

static void grow(Program *p, HostEnv *env)
{
    size_t capacity = env->capacity ? 2 * env->capacity : 8;
    HostName *slots = memory_zeroed(capacity, sizeof *slots);
    if (!slots)
        arena_give_up(p->arena);
    for (size_t i = 0; i < env->capacity; i++)
        if (env->slots[i].name)
            *slot_of(slots, capacity, env->slots[i].name) = env->slots[i];
    memory_free(env->slots);
    p->bytes += (capacity - env->capacity) * sizeof *slots;
    env->slots = slots;
    env->capacity = capacity;
}

void env_set(Program *p, HostEnv *env, const char *name, HostValue value)
{
    if (2 * env->count >= env->capacity)
        grow(p, env);
    HostName *slot = slot_of(env->slots, env->capacity, name);
    if (!slot->name)
        slot->order = (uint32_t)env->count++;
    *slot = (HostName){ name, value, true, slot->order };
}

/* ---- whose a name is ------------------------------------------------------------------------ */

static bool is_listed(const Table *table, const char *name)
{
    return table->count && table_get(table, name);
}

/* The environment in which a name is assigned where the program is. */
static HostEnv *home_of(Program *p, const char *name)
{
    HostEnv *env = p->frame->env;
    const HostCode *code = env->code;
    if (!code || is_listed(&code->names.globals, name))
        return code ? env_module(env) : env;
    if (!is_listed(&code->names.nonlocals, name))
        return env;
    for (HostEnv *at = env->outer; at; at = at->outer)
        if (at->code && is_listed(&at->code->names.locals, name))
            return at;
    return env;
}

void env_write(Program *p, const char *name, HostValue value)
{
    env_set(p, home_of(p, name), name, value);
}

static bool unbound(Program *p, const AstExpr *expr, bool local)
{
    const char *name = expr->name.name;
    if (local)
        return host_raise(p, expr->span, "UnboundLocalError",
                          "cannot access local variable '%s' where it is not associated with a "
                          "value",
                          name);
    return host_raise(p, expr->span, "NameError",
                      "cannot access free variable '%s' where it is not associated with a value "
                      "in enclosing scope",
                      name);
}

static bool no_name(Program *p, const AstExpr *expr)
{
    if (p->failed) /* while it was looked for */
        return false;
    if (p->eval)
        return value_no_name(p, expr);
    if (lacks_builtin(expr->name.name))
        return host_refuse(p, expr->span, "there is no %s in programs" HOST_BY_PYTHON,
                           expr->name.name);
    const HostEnv *globals = env_module(p->frame->env);
    const char *names[512];
    size_t count = 0;
    for (size_t i = 0; i < globals->capacity && count < ARRAY_COUNT(names); i++)
        if (globals->slots[i].name && globals->slots[i].bound)
            names[count++] = globals->slots[i].name;
    const char *near = diag_nearest(expr->name.name, names, count);
    host_raise(p, expr->span, "NameError", "name '%s' is not defined", expr->name.name);
    p->exception->meant = near;
    return false;
}

bool env_read(Program *p, const AstExpr *expr, HostValue *out)
{
    const char *name = expr->name.name;
    HostEnv *env = p->frame->env;
    bool global = env->code && is_listed(&env->code->names.globals, name);
    for (HostEnv *at = global ? env_module(env) : env; at; at = at->outer) {
        const HostName *slot = env_find(at, name);
        if (slot)
            return host_give(out, slot->value);
        if (at->code && is_listed(&at->code->names.locals, name))
            return unbound(p, expr, at == env);
    }
    bool found = false;
    if (p->eval && !value_name(p, name, &found, out))
        return false;
    return found || imported_star_name(p, env_module(env), name, out) ||
           module_builtin(p, name, out) || no_name(p, expr);
}

bool env_delete(Program *p, const AstExpr *expr)
{
    HostName *slot = env_find(home_of(p, expr->name.name), expr->name.name);
    HostValue value;
    if (!slot)
        return env_read(p, expr, &value) ? no_name(p, expr) : false;
    slot->bound = false;
    return true;
}

/* ---- targets -------------------------------------------------------------------------------- */

static bool wrong_count(Program *p, Span span, size_t wanted, size_t got, bool star)
{
    if (got > wanted)
        return host_raise(p, span, "ValueError", "too many values to unpack (expected %zu)",
                          wanted);
    return host_raise(p, span, "ValueError",
                      "not enough values to unpack (expected %s%zu, got %zu)",
                      star ? "at least " : "", wanted, got);
}

/* What is unpacked, as a list: all of it, or one item more than there are targets, which is too
** many. */
static bool unpack(Program *p, const AstExpr *target, HostValue value, size_t most, HostList **out)
{
    HostIterator it;
    HostValue item;
    if (!host_is_iterable(value))
        return host_raise(p, target->span, "TypeError", "cannot unpack non-iterable %s object",
                          host_type_name(p, value));
    if (!host_iterate(p, value, &it))
        return host_place(p, target->span);
    HostValue all = host_items(p, HOST_LIST, NULL, 0);
    *out = all.list;
    while (all.list->count <= most && host_next(p, &it, &item))
        host_append(p, all.list, item);
    return !p->failed || host_place(p, target->span);
}

static bool assign_several(Program *p, const AstExpr *target, HostValue value)
{
    for (int i = 0; value.kind == HOST_FOREIGN && i < target->list.items.count; i++)
        if (!host_assign(p, target->list.items.items[i], value))
            return false;
    if (value.kind == HOST_FOREIGN)
        return true;
    const AstExprs *targets = &target->list.items;
    HostList *all = NULL;
    size_t count = (size_t)targets->count, star = count;
    for (size_t i = 0; i < count; i++)
        if (targets->items[i]->kind == AST_STARRED)
            star = i;
    if (!unpack(p, target, value, star < count ? HOST_ITEMS_MOST : count, &all))
        return false;
    const HostValue *items = all->items;
    size_t got = all->count, least = star < count ? count - 1 : count;
    if (got < least || (got > least && star == count))
        return wrong_count(p, target->span, least, got, star < count);
    for (size_t i = 0; i < count; i++) {
        const AstExpr *item = targets->items[i];
        HostValue part = i < star ? items[i] : items[got - (count - i)];
        if (i == star) {
            part = host_items(p, HOST_LIST, items + i, got - least);
            item = item->starred.value;
        }
        if (!host_assign(p, item, part))
            return false;
    }
    return true;
}

/* x.real and x.imag, which are views. */
static bool is_parts(const char *name)
{
    return strcmp(name, "real") == 0 || strcmp(name, "imag") == 0 || strcmp(name, "flat") == 0;
}

/* Point.__new__.__defaults__ = (0, 0): the function of a class of namedtuples. */
static bool tuple_maker(Program *p, const AstExpr *target, HostValue *out)
{
    const AstExpr *maker = target->attribute.object;
    if (strcmp(target->attribute.name, "__defaults__") != 0 || maker->kind != AST_ATTRIBUTE ||
        strcmp(maker->attribute.name, "__new__") != 0 ||
        !host_eval(p, maker->attribute.object, out) || out->kind != HOST_CLASS ||
        out->class_->form != CLASS_TUPLES)
        return false;
    *out = host_object(out->class_->make);
    return true;
}

bool host_assign(Program *p, const AstExpr *target, HostValue value)
{
    HostValue object, index;
    switch (target->kind) {
    case AST_NAME:
        env_write(p, target->name.name, value);
        return true;
    case AST_TUPLE:
    case AST_LIST:
        return assign_several(p, target, value);
    case AST_INDEX:
        if (!host_eval(p, target->index.object, &object))
            return false;
        if (object.kind == HOST_FOREIGN)
            foreign_note(p, object, target->span);
        return host_eval(p, target->index.index, &index) &&
               (host_set_index(p, object, index, value) || host_place(p, host_span(target)));
    case AST_ATTRIBUTE:
        if (tuple_maker(p, target, &object))
            return object_defaults(p, object.function, value) || host_place(p, host_span(target));
        if (p->failed || !host_eval(p, target->attribute.object, &object))
            return false;
        if (object.kind == HOST_FOREIGN) {
            foreign_note(p, object, target->span);
            return true;
        }
        if (is_parts(target->attribute.name) && object.kind == HOST_ARRAY)
            return eval_attribute(p, object, target, &index) &&
                   (host_array_assign(p, index.array, value) || host_place(p, host_span(target)));
        if (object.kind == HOST_MODULE) {
            const char *path =
                arena_printf(&p->scratch, "%s.%s", object.text, target->attribute.name);
            if (stream_set(p, path, value) || p->failed)
                return !p->failed || host_place(p, host_span(target));
        }
        object = kernel_function(object);
        if (object_takes(object))
            return object_set(p, object, target->attribute.name, value) ||
                   host_place(p, host_span(target));
        if (class_of(object))
            return host_raise(p, host_span(target), "AttributeError", "can't set attribute");
        if (object.kind == HOST_ARRAY && strcmp(target->attribute.name, "shape") == 0)
            return host_lacks(p, "NotImplementedError",
                              "an array's shape is not assigned here: write x = x.reshape(...)") ||
                   host_place(p, host_span(target));
        return host_raise(p, host_span(target), "AttributeError",
                          "'%s' object has no attribute '%s'", host_type_name(p, object),
                          target->attribute.name);
    default:
        return host_raise(p, target->span, "SyntaxError", "this cannot be assigned");
    }
}

/* ---- where names are assigned ---- */

typedef struct Assigned {
    const char *name;
    int count;
} Assigned;

static void count_target(void *context, const AstExpr *target)
{
    Assigned *assigned = context;
    assigned->count += target->kind == AST_NAME && strcmp(target->name.name, assigned->name) == 0;
    if (target->kind == AST_TUPLE || target->kind == AST_LIST || target->kind == AST_STARRED)
        ast_each_child(target, count_target, context);
}

static void count_walrus(void *context, const AstExpr *expr)
{
    Assigned *assigned = context;
    assigned->count += expr->kind == AST_WALRUS && strcmp(expr->walrus.name, assigned->name) == 0;
    ast_each_child(expr, count_walrus, assigned);
}

/* The name of a handler, which may be NULL. */
static void count_name(void *context, const char *name)
{
    Assigned *assigned = context;
    assigned->count += name && strcmp(name, assigned->name) == 0;
}

static void count_imports(Assigned *assigned, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++)
        assigned->count += strcmp(ast_alias_name(&stmt->import.names[i]), assigned->name) == 0;
}

/* Anywhere in the text, in functions too, which may declare it global. */
static void count_assigned(Assigned *assigned, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        ast_each_target(stmt, count_target, assigned);
        ast_each_value(stmt, count_walrus, assigned);
        if (stmt->kind == AST_DEF) {
            assigned->count += strcmp(stmt->def.function.name, assigned->name) == 0;
            count_assigned(assigned, &stmt->def.function.body);
        }
        if (stmt->kind == AST_IMPORT || stmt->kind == AST_FROM_IMPORT)
            count_imports(assigned, stmt);
        for (int k = 0; stmt->kind == AST_TRY && k < stmt->try_.handlers.count; k++)
            count_name(assigned, stmt->try_.handlers.items[k].name);
        for (int k = 0; stmt->kind == AST_MATCH && k < stmt->match.cases.count; k++)
            ast_each_captured(stmt->match.cases.items[k].pattern, count_name, assigned);
        for (int k = 0; (inner = ast_body(stmt, k)) != NULL; k++)
            count_assigned(assigned, inner);
    }
}

bool env_binds(const AstBody *body, const char *name)
{
    Assigned assigned = { .name = name }, all = { .name = "*" };
    count_assigned(&assigned, body);
    count_assigned(&all, body);
    return assigned.count + all.count > 0;
}

bool env_bound_once(const AstBody *body, const char *name)
{
    Assigned assigned = { .name = name };
    count_assigned(&assigned, body);
    return assigned.count == 1;
}

static const char *written_name(Arena *arena, const AstFunction *ast)
{
    const Span span = ast->name_span;
    if (*ast->name != '_' || span.end == span.begin)
        return ast->name;
    return arena_strndup(arena, span.source->text + span.begin, span.end - span.begin);
}

const HostCode *code_of(Program *p, const AstFunction *ast)
{
    const char *key = arena_printf(&p->scratch, "%p", (const void *)ast);
    HostCode *code = table_get(&p->codes, key);
    if (code)
        return code;
    code = arena_new(p->arena, HostCode);
    code->ast = ast;
    code->name = written_name(p->arena, ast);
    ast_names(&code->names, p->arena, ast);
    table_put(&p->codes, arena_strdup(p->arena, key), code);
    return code;
}
