/* Statements at module level, and in classes and functions that hold kernels: what names they bind.
**
** Nothing is run. A constant is the expression that it is written as, to be evaluated where it is
** read; what branches bind is a choice by their condition (branch.c). What only running would tell
** (loops, `with`, what is changed in place) binds its names to nothing that can be used. */
#include "ir/names/scope.h"
#include "parser/parser.h"

/* ---- enumerations, classes ------------------------------------------------------------------- */

/* A = 1, or A, B = 1, 2 */
static bool is_member(const AstStmt *stmt)
{
    if (stmt->kind != AST_ASSIGN || stmt->assign.targets.count != 1)
        return false;
    const AstExpr *target = stmt->assign.targets.items[0];
    for (int i = 0; target->kind == AST_TUPLE && i < target->list.items.count; i++)
        if (target->list.items.items[i]->kind != AST_NAME)
            return false;
    return target->kind == AST_NAME || target->kind == AST_TUPLE;
}

/* Whether all that is said of a class is @unique. */
static bool is_unique(Resolver *r, const AstClass *ast)
{
    for (int i = 0; i < ast->decorators.count; i++) {
        const AstExpr *decorator = ast->decorators.items[i];
        const char *path = resolve_path(r, decorator);
        if ((!path || strcmp(path, "enum.unique") != 0) &&
            !resolve_refused(r, path, decorator->span))
            diag_error(r->diags, decorator->span, "an enumeration has no decorator but @unique");
    }
    return ast->decorators.count > 0;
}

/* Methods of an enumeration that decide what its members' values are, or whether two are equal. */
static bool makes_members(const AstStmt *stmt)
{
    static const char *const names[] = { "__new__", "__init__", "__eq__", "_generate_next_value_",
                                         "_missing_" };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, names[i]) == 0)
            return true;
    return false;
}

static void resolve_enumeration(Resolver *r, const AstStmt *stmt, bool integer, bool flags)
{
    static const char *const value[] = { "value" };
    const AstClass *ast = &stmt->class_;
    for (int i = 0; i < ast->body.count; i++) {
        const AstStmt *member = ast->body.items[i];
        bool text = member->kind == AST_EXPR_STMT && member->expr.value->kind == AST_STRING;
        bool method = member->kind == AST_DEF && !makes_members(member);
        if (!is_member(member) && member->kind != AST_PASS && !text && !method)
            diag_error(r->diags, member->span,
                       "an enumeration holds members, NAME = VALUE, a line each, and methods that "
                       "leave these as they are");
    }
    EnumClass *class = arena_new(r->arena, EnumClass);
    *class = (EnumClass){ .names = { ast->name, value },
                          .module = r->module,
                          .integer = integer,
                          .flags = flags,
                          .unique = is_unique(r, ast),
                          .ast = stmt };
    scope_define(r, ast->name, SYMBOL_ENUM, ast->name_span)->enumeration = class;
}

/* x: int = field(default=1), or with default_factory=list: what an object's field holds without an
** argument. Other values as they are. */
static const AstExpr *field_default(Resolver *r, const AstExpr *value)
{
    static const char *const makers[] = { "field", "attrib", "ib" };
    bool made = false;
    for (size_t i = 0; value->kind == AST_CALL && i < ARRAY_COUNT(makers); i++)
        made |= ast_ends_in(value->call.function, makers[i]);
    for (int i = 0; made && i < value->call.keyword_count; i++) {
        const AstKeyword *keyword = &value->call.keywords[i];
        if (keyword->name && strcmp(keyword->name, "default") == 0)
            return keyword->value;
        if (!keyword->name || (strcmp(keyword->name, "default_factory") != 0 &&
                               strcmp(keyword->name, "factory") != 0))
            continue;
        AstExpr *call = arena_new(r->arena, AstExpr);
        *call = (AstExpr){ .kind = AST_CALL,
                           .span = keyword->value->span,
                           .call.function = keyword->value };
        return call;
    }
    return value;
}

/* A decorator that may give back another class, or one that it has changed; NULL: there is none. A
** metaclass may do so too. */
static const AstExpr *unknown_decorator(const AstClass *ast)
{
    static const char *const known[] = {
        "dataclass", "define",         "frozen",           "attrs", "s", "jitclass",
        "final",     "total_ordering", "runtime_checkable"
    };
    for (int i = 0; i < ast->decorators.count; i++) {
        const AstExpr *at = ast->decorators.items[i];
        bool fine = false;
        at = at->kind == AST_CALL ? at->call.function : at;
        for (size_t k = 0; k < ARRAY_COUNT(known); k++)
            fine |= ast_ends_in(at, known[k]);
        if (!fine)
            return ast->decorators.items[i];
    }
    for (int i = 0; i < ast->keyword_count; i++)
        if (ast->keywords[i].name && strcmp(ast->keywords[i].name, "metaclass") == 0 &&
            !ast_ends_in(ast->keywords[i].value, "ABCMeta"))
            return ast->keywords[i].value;
    return NULL;
}

static void resolve_class(Resolver *r, const AstStmt *stmt)
{
    const AstClass *ast = &stmt->class_;
    if (resolve_named_tuple(r, ast))
        return;
    const char *path = ast->bases.count ? resolve_path(r, ast->bases.items[0]) : NULL;
    bool flags = path && strcmp(path, "enum.IntFlag") == 0;
    bool integer = flags || (path && strcmp(path, "enum.IntEnum") == 0);
    if (integer || (path && strcmp(path, "enum.Enum") == 0)) {
        resolve_enumeration(r, stmt, integer, flags);
        return;
    }
    Resolver inner = *r;
    inner.module = scope_inside(r->module, ast->name, true);
    inner.module->at = r->module->order;
    inner.running = NULL;
    inner.rest = NULL;
    class_take_bases(r, inner.module, ast); /* class A(A): the one before */
    scope_define(r, ast->name, SYMBOL_MODULE, ast->name_span)->of = inner.module;
    resolve_body(&inner, &ast->body);
    const AstExpr *unknown = unknown_decorator(ast);
    if (unknown)
        scope_define_unknown(r, ast->name, unknown->span,
                             "is what a decorator or metaclass makes of it, which kjit does not "
                             "run")
            ->inside = inner.module;
}

/* ---- constants ------------------------------------------------------------------------------- */

Symbol *resolve_constant(Resolver *r, const char *name, Span span, const AstExpr *value, int item)
{
    Symbol *symbol = scope_define(r, name, SYMBOL_CONSTANT, span);
    symbol->constant.value = value;
    symbol->constant.item = item;
    return symbol;
}

static AstExpr *number_new(Resolver *r, int64_t number, Span span)
{
    AstExpr *expr = ast_new(r->arena, AST_INT, span);
    expr->integer.value = (uint64_t)(number < 0 ? -number : number);
    if (number >= 0)
        return expr;
    AstExpr *minus = ast_new(r->arena, AST_UNARY, span);
    minus->unary.op = AST_NEG;
    minus->unary.operand = expr;
    return minus;
}

/* What target number `i` of several takes of the value: value[i], value[i - count] behind a star,
** value[i:i + 1 - count] with one; `star` is that one's number, or -1. */
static AstExpr *part_of(Resolver *r, const AstExpr *value, int i, int count, int star)
{
    AstExpr *part = ast_new(r->arena, AST_INDEX, value->span);
    part->index.object = (AstExpr *)(uintptr_t)value;
    part->index.index = number_new(r, star >= 0 && i > star ? i - count : i, value->span);
    if (i != star)
        return part;
    AstExpr *slice = ast_new(r->arena, AST_SLICE, value->span);
    slice->slice.start = part->index.index;
    slice->slice.stop = i + 1 < count ? number_new(r, i + 1 - count, value->span) : NULL;
    slice->slice.step = NULL;
    part->index.index = slice;
    return part;
}

static void resolve_target(Resolver *r, const AstExpr *target, const AstExpr *value);

/* (a, b), *c = value: one order for all, so that none sees another's new value. */
static void resolve_targets(Resolver *r, const AstExprs *targets, const AstExpr *value)
{
    int order = r->module->order, end = order, star = -1;
    for (int i = 0; i < targets->count; i++)
        if (targets->items[i]->kind == AST_STARRED)
            star = i;
    for (int i = 0; i < targets->count; i++) {
        const AstExpr *item = targets->items[i];
        r->module->order = order;
        if (item->kind == AST_NAME && star < 0)
            resolve_made(r, resolve_constant(r, item->name.name, item->span, value, i), value);
        else
            resolve_target(r, i == star ? item->starred.value : item,
                           part_of(r, value, i, targets->count, star));
        end = end < r->module->order ? r->module->order : end;
    }
    r->module->order = end;
}

static void resolve_target(Resolver *r, const AstExpr *target, const AstExpr *value)
{
    if (target->kind == AST_NAME) {
        if (!resolve_jitted(r, target->name.name, target->span, value) &&
            !resolve_declared(r, target->name.name, target->span, value)) {
            resolve_made(r, resolve_constant(r, target->name.name, target->span, value, -1), value);
        }
        return;
    }
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        resolve_targets(r, &target->list.items, value);
}

/* a = b = value: neither sees the other's new value. */
static void resolve_assign(Resolver *r, const AstStmt *stmt)
{
    int order = r->module->order, end = order;
    for (int i = 0; i < stmt->assign.targets.count; i++) {
        r->module->order = order;
        resolve_target(r, stmt->assign.targets.items[i], stmt->assign.value);
        end = end < r->module->order ? r->module->order : end;
    }
    r->module->order = end;
}

/* `a += b` is `a = a + b`, where the second a is what it was before. */
static void resolve_augmented(Resolver *r, const AstStmt *stmt)
{
    AstExpr *target = stmt->aug_assign.target, *sum = ast_new(r->arena, AST_BINARY, stmt->span);
    sum->binary.op = stmt->aug_assign.op;
    sum->binary.op_span = stmt->span;
    sum->binary.left = target;
    sum->binary.right = stmt->aug_assign.value;
    resolve_target(r, target, sum);
}

/* ---- what is not run ------------------------------------------------------------------------- */

typedef struct Binder {
    Resolver *r;
    const char *reason;
    int depth; /* of statements inside a loop */
} Binder;

static void bind_unknown(void *context, const AstExpr *target)
{
    const Binder *binder = context;
    if (target->kind == AST_NAME)
        scope_define_run(binder->r, target->name.name, target->span, binder->reason);
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, bind_unknown, context);
    else if (target->kind == AST_STARRED)
        bind_unknown(context, target->starred.value);
}

typedef struct Iterated {
    const AstBody *loop;
    bool calls; /* count, too: what is called may read anything */
    bool found;
} Iterated;

static void find_iterated(void *context, const AstExpr *expr)
{
    Iterated *iterated = context;
    iterated->found |= (iterated->calls && expr->kind == AST_CALL) ||
                       (expr->kind == AST_NAME && names_assigned(iterated->loop, expr->name.name));
    ast_each_child(expr, find_iterated, iterated);
}

/* Whether a device function that a loop defines is another one in each iteration: its decorators or
** default values read what the loop binds, or call what may read it. */
static bool differs_by_iteration(const Resolver *r, const Function *function)
{
    AstStmt *running = (AstStmt *)(uintptr_t)r->running;
    const AstBody loop = { .items = &running, .count = 1 };
    Iterated iterated = { .loop = &loop };
    const AstFunction *ast = function->ast;
    for (int i = 0; i < ast->decorators.count; i++)
        find_iterated(&iterated, ast->decorators.items[i]);
    iterated.calls = true;
    for (int i = 0; i < ast->params.count; i++)
        if (ast->params.items[i].default_value)
            find_iterated(&iterated, ast->params.items[i].default_value);
    return iterated.found && !function->kernel;
}

/* A function or class that a loop defines: known if the name has no other meaning and whatever runs
** the loop defines it, as the same. */
static void bind_code(Binder *binder, const AstStmt *stmt)
{
    Resolver *r = binder->r;
    const char *name = stmt->kind == AST_DEF ? stmt->def.function.name : stmt->class_.name;
    bool other = table_get(&r->module->symbols, name);
    resolve_statement(r, stmt);
    const Symbol *bound = table_get(&r->module->symbols, name);
    const Function *function = bound->kind == SYMBOL_FUNCTION ? bound->function : NULL;
    other |= function && differs_by_iteration(r, function);
    if (other || binder->depth)
        scope_define_unknown(r, name, stmt->span,
                             "is defined in a statement that kjit does not run: define it outside");
}

/* What names are bound to so far is not known any more. */
static void lose_all(Resolver *r, Span span)
{
    for (int i = r->module->count; i-- > 0;) {
        const Symbol *symbol = r->module->list[i];
        if (table_get(&r->module->symbols, symbol->name) == symbol)
            scope_define_unknown(r, symbol->name, span,
                                 "may be bound by exec(), which kjit does not run: write what it "
                                 "executes as statements");
    }
}

/* exec(text) in the module's own names: statements like others, if the text is written there. */
static void resolve_exec(Resolver *r, const AstExpr *text)
{
    size_t mark = r->diags->count;
    const AstStmt *running = r->running;
    const Source *source =
        text->kind == AST_STRING
            ? source_new(r->arena, "exec", text->string.text, text->string.length)
            : NULL;
    const AstModule *ast = source ? parse_module(r->arena, r->diags, source) : NULL;
    bool fine = ast && r->diags->count == mark;
    diags_truncate(r->diags, mark);
    r->running = NULL; /* those in the text run by themselves */
    if (fine)
        resolve_body(r, &ast->body);
    else
        lose_all(r, text->span);
    r->running = running;
}

typedef struct Executed {
    Resolver *r;
    bool loops; /* the statement may be run several times, or not at all */
} Executed;

/* Calls of exec() in a statement. Those in a lambda are followed where it is called. */
static void meet_exec(void *context, const AstExpr *expr)
{
    const Executed *executed = context;
    Resolver *r = executed->r;
    Executed inner = *executed;
    inner.loops |=
        expr->kind == AST_COMPREHENSION || expr->kind == AST_BOOLEAN || expr->kind == AST_IF_EXPR;
    if (expr->kind != AST_LAMBDA)
        ast_each_child(expr, meet_exec, &inner);
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    bool binds = callee && callee->kind == AST_NAME && strcmp(callee->name.name, "exec") == 0 &&
                 expr->call.args.count && !scope_bound(r, "exec");
    const AstExpr *in = binds && expr->call.args.count > 1 ? expr->call.args.items[1] : NULL;
    bool own = !in || (in->kind == AST_CALL && ast_ends_in(in->call.function, "globals"));
    if (!binds || !own || (r->module->outer && !r->module->is_class))
        return;
    if (executed->loops)
        lose_all(r, expr->span);
    else
        resolve_exec(r, expr->call.args.items[0]);
}

/* All that the body of a loop binds. */
static void bind_body(Binder *binder, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        if (stmt->kind == AST_DEF || stmt->kind == AST_CLASS)
            bind_code(binder, stmt);
        if (stmt->kind == AST_IMPORT || stmt->kind == AST_FROM_IMPORT)
            resolve_statement(binder->r, stmt);
        ast_each_target(stmt, bind_unknown, binder);
        ast_each_value(stmt, meet_exec, &(Executed){ binder->r, true });
        binder->depth++;
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            bind_body(binder, inner);
        binder->depth--;
    }
}

static void resolve_loop(Resolver *r, const AstStmt *stmt)
{
    const bool match = stmt->kind == AST_MATCH;
    Binder binder = { r,
                      match
                          ? "is assigned in a 'match' that kjit cannot run: give its value with -D"
                          : "is assigned in a loop that kjit cannot run: give its value with -D",
                      match };
    const AstBody *inner;
    ast_each_target(stmt, bind_unknown, &binder);
    for (int i = 0; (inner = ast_body(stmt, i)); i++)
        bind_body(&binder, inner);
}

static void resolve_with(Resolver *r, const AstStmt *stmt)
{
    Binder binder = { r, "is bound by a 'with', which kjit does not run: give its value with -D",
                      0 };
    ast_each_target(stmt, bind_unknown, &binder);
    resolve_with_body(r, &stmt->with);
}

static void resolve_del(Resolver *r, const AstExprs *targets)
{
    Binder binder = { r, "is deleted", 0 };
    for (int i = 0; i < targets->count; i++)
        bind_unknown(&binder, targets->items[i]);
}

/* Names that ':=' binds. */
static void resolve_walrus(void *context, const AstExpr *expr)
{
    Resolver *r = context;
    ast_each_child(expr, resolve_walrus, r);
    if (expr->kind == AST_WALRUS)
        resolve_constant(r, expr->walrus.name, expr->walrus.name_span, expr->walrus.value, -1);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void resolve_kind(Resolver *r, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_IMPORT:
        resolve_import(r, stmt);
        return;
    case AST_FROM_IMPORT:
        resolve_from_import(r, stmt);
        return;
    case AST_DEF:
        resolve_function(r, stmt);
        return;
    case AST_CLASS:
        resolve_class(r, stmt);
        return;
    case AST_ASSIGN:
        resolve_assign(r, stmt);
        return;
    case AST_AUG_ASSIGN:
        resolve_augmented(r, stmt);
        return;
    case AST_ANN_ASSIGN:
        if (stmt->ann_assign.value)
            resolve_target(r, stmt->ann_assign.target,
                           r->module->is_class ? field_default(r, stmt->ann_assign.value)
                                               : stmt->ann_assign.value);
        return;
    case AST_TYPE_ALIAS:
        resolve_constant(r, stmt->type_alias.name->name.name, stmt->span, stmt->type_alias.value,
                         -1);
        return;
    case AST_IF:
        resolve_if(r, stmt);
        return;
    case AST_TRY:
        resolve_try(r, &stmt->try_);
        return;
    case AST_WITH:
        resolve_with(r, stmt);
        return;
    case AST_FOR:
    case AST_WHILE:
    case AST_MATCH:
        resolve_loop(r, stmt);
        return;
    case AST_DEL:
        resolve_del(r, &stmt->del.targets);
        return;
    case AST_RETURN:
        resolve_return(r, stmt);
        return;
    default:
        return;
    }
}

/* What was complained of goes to the symbols that the statement has bound. */
void scope_keep_complaints(Resolver *r, size_t mark, int first)
{
    size_t count = r->diags->count - mark;
    if (!count)
        return;
    Diag *kept = arena_array(r->arena, Diag, count);
    memcpy(kept, r->diags->list + mark, count * sizeof *kept);
    diags_truncate(r->diags, mark);
    for (int i = first; i < r->module->count; i++) {
        Symbol *symbol = r->module->list[i];
        if (!symbol->complaints.count)
            symbol->complaints = (Complaints){ kept, count };
    }
}

/* Whether running a statement would tell what it leaves, not the statements inside it. */
static bool runs_whole(const AstStmt *stmt)
{
    return stmt->kind == AST_FOR || stmt->kind == AST_WHILE || stmt->kind == AST_MATCH ||
           stmt->kind == AST_ASSIGN || stmt->kind == AST_AUG_ASSIGN || stmt->kind == AST_EXPR_STMT;
}

void resolve_statement(Resolver *r, const AstStmt *stmt)
{
    size_t mark = r->diags->count;
    int first = r->module->count;
    const AstStmt *running = r->running;
    if (!running && runs_whole(stmt)) {
        r->running = stmt;
        r->running_begin = r->module->order;
    }
    bool parts = stmt->kind == AST_IF || stmt->kind == AST_WITH || stmt->kind == AST_TRY;
    r->inside++;
    ast_each_value(stmt, resolve_walrus, r);
    ast_each_value(stmt, meet_exec, &(Executed){ r, false });
    if (parts)
        change_by_header(r, stmt);
    resolve_kind(r, stmt);
    if (parts)
        change_by_end(r, stmt);
    else
        change_by_statement(r, stmt);
    r->inside--;
    scope_keep_complaints(r, mark, first);
    r->running = running;
}

void module_bind(Module *module, Diags *diags, const AstModule *ast, bool is_main,
                 ModuleFinder *finder, void *context)
{
    Resolver r = { .arena = module->arena,
                   .diags = diags,
                   .module = module,
                   .finder = finder,
                   .context = context,
                   .is_main = is_main };
    resolve_body(&r, &ast->body);
    if (!module->standard)
        resolve_given(&r, &ast->body);
}

Module *module_resolve(Arena *arena, Diags *diags, const AstModule *ast, ModuleFinder *finder,
                       void *context)
{
    Module *module = module_new(arena, ast->source->name);
    module_bind(module, diags, ast, true, finder, context);
    return module;
}
