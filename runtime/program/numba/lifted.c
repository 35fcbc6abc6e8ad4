/* Loops of compiled functions as functions of their own: which names they take and leave, and their
** text (compiled.h).
**
** A name is exposed if an iteration may read it before it assigns it. Exposed names, and those that
** are read outside of the loop and assigned in it, are arguments if they are bound; results are
** those of them that the loop assigns. All others live in an iteration alone. */
#include "runtime/program/compiled.h"

enum { NAMES_MOST = 256 };

typedef struct LiftedNames {
    const char *list[NAMES_MOST];
    int count;
    bool full;
} LiftedNames;

typedef struct Lifting {
    LiftedNames read, assigned, exposed, outside;
    LiftedNames now;     /* assigned for sure where the walk is */
    const AstStmt *loop; /* that is taken out */
    bool stays;          /* it cannot be */
} Lifting;

static bool has(const LiftedNames *names, const char *name)
{
    return text_is_among(name, names->list, (size_t)names->count);
}

static void add(LiftedNames *names, const char *name)
{
    if (has(names, name))
        return;
    if (names->count == NAMES_MOST)
        names->full = true;
    else
        names->list[names->count++] = name;
}

/* ---- what an iteration reads ----------------------------------------------------------------- */

static void read_names(void *context, const AstExpr *expr)
{
    Lifting *l = context;
    const char *name = expr->kind == AST_NAME ? expr->name.name : NULL;
    l->stays |= expr->kind == AST_LAMBDA;
    if (expr->kind == AST_WALRUS) {
        add(&l->assigned, expr->walrus.name);
        add(&l->exposed, expr->walrus.name);
    }
    if (name) {
        add(&l->read, name);
        if (!has(&l->now, name))
            add(&l->exposed, name);
    }
    ast_each_child(expr, read_names, l);
}

/* Names of a target are assigned; what its indices have is read. */
static void assign_names(void *context, const AstExpr *target)
{
    Lifting *l = context;
    if (target->kind == AST_NAME) {
        add(&l->assigned, target->name.name);
        add(&l->now, target->name.name);
    } else if (target->kind == AST_TUPLE || target->kind == AST_LIST) {
        ast_each_child(target, assign_names, l);
    } else {
        read_names(l, target);
    }
}

/* Whether a loop with such a statement cannot be taken out. */
static bool keeps(const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_ASSIGN:
    case AST_AUG_ASSIGN:
    case AST_EXPR_STMT:
    case AST_IF:
    case AST_FOR:
    case AST_WHILE:
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_ASSERT:
    case AST_RAISE:
        return false;
    default:
        return true;
    }
}

static void walk(Lifting *l, const AstBody *body);

static void walk_stmt(Lifting *l, const AstStmt *stmt)
{
    const AstBody *bodies[2];
    const bool added = stmt->kind == AST_AUG_ASSIGN;
    l->stays |= keeps(stmt);
    ast_each_value(stmt, read_names, l);
    if (added)
        read_names(l, stmt->aug_assign.target);
    const int before = l->now.count;
    ast_each_target(stmt, assign_names, l);
    const int behind = stmt->kind == AST_FOR ? before : l->now.count;
    for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++) {
        walk(l, bodies[k]);
        l->now.count = behind; /* it may not be run at all */
    }
}

static void walk(Lifting *l, const AstBody *body)
{
    for (int i = 0; i < body->count; i++)
        walk_stmt(l, body->items[i]);
}

/* ---- what is read elsewhere ------------------------------------------------------------------ */

static void outside_names(void *context, const AstExpr *expr)
{
    Lifting *l = context;
    if (expr->kind == AST_NAME)
        add(&l->outside, expr->name.name);
    ast_each_child(expr, outside_names, l);
}

static void walk_outside(Lifting *l, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt == l->loop)
            continue;
        l->stays |= stmt->kind == AST_DEF || stmt->kind == AST_CLASS || stmt->kind == AST_GLOBAL ||
                    stmt->kind == AST_NONLOCAL;
        ast_each_value(stmt, outside_names, l);
        if (stmt->kind == AST_AUG_ASSIGN)
            outside_names(l, stmt->aug_assign.target);
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            walk_outside(l, bodies[k]);
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool is_local(const HostEnv *env, const char *name)
{
    return env->code && table_get(&env->code->names.locals, name);
}

/* What a name holds here: of a call's own, of functions around it, of the module. */
static const HostName *bound(const HostEnv *env, const char *name)
{
    for (; env; env = env->outer) {
        const HostName *slot = env_find(env, name);
        if (slot)
            return slot;
        if (is_local(env, name))
            return NULL;
    }
    return NULL;
}

/* Functions are called as the module's text has them: one in a function is none of these. */
static bool is_of_text(const Unit *unit, HostValue value)
{
    switch (value.kind) {
    case HOST_MODULE:
    case HOST_BUILTIN:
    case HOST_DTYPE:
    case HOST_FILE:
        return true;
    case HOST_FUNCTION:
    case HOST_UFUNC:
        return !unit->function->closure->outer;
    default:
        return false;
    }
}

static bool take(Unit *unit, const HostEnv *env, const char *name)
{
    const HostName *slot = bound(env, name);
    if (!slot)
        return true;
    const HostValue value = slot->value;
    if (!host_is_number(value) && value.kind != HOST_ARRAY && value.kind != HOST_TUPLE)
        return is_of_text(unit, value) && !is_local(env, name);
    if (unit->count == UNIT_ARGS)
        return false;
    unit->names[unit->count] = name;
    unit->values[unit->count++] = value;
    return true;
}

bool lifted_unit(Program *p, const AstStmt *loop, Unit *unit)
{
    Lifting *l = arena_new(&p->scratch, Lifting);
    l->loop = unit->loop = loop;
    walk_outside(l, &unit->function->code->ast->body);
    walk_stmt(l, loop);
    if (l->stays || l->read.full || l->assigned.full || l->exposed.full || l->outside.full)
        return false;
    for (int i = 0; i < l->exposed.count; i++)
        if (!take(unit, p->frame->env, l->exposed.list[i]))
            return false;
    for (int i = 0; i < l->assigned.count; i++) {
        const char *name = l->assigned.list[i];
        const bool exposed = has(&l->exposed, name);
        if (!exposed && !has(&l->outside, name))
            continue;
        if ((!exposed && !take(unit, p->frame->env, name)) || unit->result_count == UNIT_RESULTS)
            return false;
        unit->results[unit->result_count++] = name;
    }
    return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Calls whose results are floats in kernels, as numba has it there, and ints on the host. */
typedef struct Rounding {
    const HostEnv *env; /* of the module */
    Span list[NAMES_MOST];
    int count;
    bool full;
} Rounding;

/* What of `math` a call is of, "floor", by the names of the module; else "". */
static const char *math_name(const Rounding *found, const AstExpr *callee)
{
    const bool attribute =
        callee->kind == AST_ATTRIBUTE && callee->attribute.object->kind == AST_NAME;
    const AstExpr *first = attribute ? callee->attribute.object : callee;
    const HostName *slot = first->kind == AST_NAME ? env_find(found->env, first->name.name) : NULL;
    if (!slot || !slot->bound)
        return "";
    if (attribute)
        return slot->value.kind == HOST_MODULE && strcmp(slot->value.text, "math") == 0
                   ? callee->attribute.name
                   : "";
    const bool builtin = slot->value.kind == HOST_BUILTIN;
    return builtin && strncmp(slot->value.builtin->name, "math.", 5) == 0
               ? slot->value.builtin->name + 5
               : "";
}

static void find_rounding(void *context, const AstExpr *expr)
{
    static const char *const names[] = { "floor", "ceil", "trunc" };
    Rounding *found = context;
    const char *name = expr->kind == AST_CALL ? math_name(found, expr->call.function) : "";
    if (TEXT_IS_AMONG(name, names) && found->count < NAMES_MOST)
        found->list[found->count++] = host_span(expr);
    else if (TEXT_IS_AMONG(name, names))
        found->full = true;
    ast_each_child(expr, find_rounding, found);
}

static void find_all_rounding(Rounding *found, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        ast_each_value(stmt, find_rounding, found);
        ast_each_target(stmt, find_rounding, found);
        if (stmt->kind == AST_DEF)
            find_all_rounding(found, &stmt->def.function.body);
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            find_all_rounding(found, bodies[k]);
    }
}

bool lifted_source(Program *p, const Unit *unit, uint32_t begin, uint32_t end, Buf *text)
{
    Rounding *found = arena_new(&p->scratch, Rounding);
    found->env = env_module(unit->function->closure);
    const ModulePart *main = found->env->module->main;
    const char *whole = main->source->text;
    find_all_rounding(found, &main->ast->body);
    for (uint32_t at = begin; at < end; at++) {
        for (int i = 0; i < found->count; i++)
            if (found->list[i].begin == at)
                buf_puts(text, "int(");
        buf_putc(text, whole[at]);
        for (int i = 0; i < found->count; i++)
            if (found->list[i].end == at + 1)
                buf_putc(text, ')');
    }
    return !found->full ||
           host_fail(p, "TypeError",
                     "its file has more than %d calls of floor(), ceil() and trunc()", NAMES_MOST);
}

uint32_t lifted_line(const Buf *text)
{
    uint32_t line = 1;
    for (const char *at = buf_text(text); *at; at++)
        line += *at == '\n';
    return line;
}

/* The end of the line in which the last statement of a loop ends. */
static uint32_t loop_end(const AstStmt *loop)
{
    const AstStmt *last = loop;
    const AstBody *bodies[2];
    for (int count; (count = ast_bodies(last, bodies)) > 0;) {
        const AstBody *body = bodies[count - 1]->count ? bodies[count - 1] : bodies[0];
        last = body->items[body->count - 1];
    }
    return last->span.end + (uint32_t)strcspn(loop->span.source->text + last->span.end, "\n");
}

uint32_t lifted_text(Program *p, const Unit *unit, Buf *text)
{
    const Span span = unit->loop->span;
    uint32_t begin = span.begin;
    while (begin > 0 && span.source->text[begin - 1] != '\n')
        begin--;
    buf_puts(text, "\n\n\ndef loop_(");
    for (int i = 0; i < unit->count; i++)
        buf_printf(text, "%s%s", i ? ", " : "", unit->names[i]);
    buf_puts(text, "):\n");
    const uint32_t line = lifted_line(text);
    lifted_source(p, unit, begin, loop_end(unit->loop), text);
    buf_putc(text, '\n');
    if (!unit->result_count)
        return line;
    buf_printf(text, "%*sreturn (", (int)(span.begin - begin), "");
    for (int i = 0; i < unit->result_count; i++)
        buf_printf(text, "%s, ", unit->results[i]);
    buf_puts(text, ")\n");
    return line;
}
