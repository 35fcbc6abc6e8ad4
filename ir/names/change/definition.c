/* Functions, classes and imports: what they bind names to. */
#include "ir/names/change/follow.h"

/* ---- definitions ----------------------------------------------------------------------------- */

/* @f.register(int): what is called where f is. */
static void hold_registered(Frame *f, const AstExpr *decorator, Set set)
{
    const AstExpr *at = decorator->kind == AST_CALL ? decorator->call.function : decorator;
    if (at->kind != AST_ATTRIBUTE || !ast_ends_in(at, "register"))
        return;
    Set functions = follow_value(f, at->attribute.object);
    for (int i = 0; i < functions.count; i++)
        if (functions.items[i].thing->kind == THING_FUNCTION)
            join(f, &functions.items[i].thing->registered, set);
}

/* What decorators make of a function or class: what functions of the program return, or itself. */
static Set decorated(Frame *f, const AstExprs *decorators, Set set)
{
    for (int i = decorators->count; i-- > 0;) {
        AstExpr *decorator = decorators->items[i];
        Set maker = follow_value(f, decorator);
        AstExpr *call = arena_new(arena_of(f), AstExpr);
        *call = (AstExpr){ .kind = AST_CALL, .span = decorator->span };
        call->call.function = decorator;
        Args args = { .items = &set, .count = 1, .call = decorator };
        hold_registered(f, decorator, set);
        if (!set_has(maker, THING_FUNCTION) && !set_has(maker, THING_SPACE) &&
            !set_has(maker, THING_OBJECT))
            continue;
        Set made = call_set(f, maker, &args), all = { 0 };
        join(f, &all, set);
        join(f, &all, made);
        set = all;
    }
    return set;
}

void follow_function(Frame *f, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    Thing *thing = thing_made(f, ast, "", THING_FUNCTION);
    thing->function = ast;
    thing->around = f->names;
    if (!f->names->module) /* it holds what the names around it do */
        held_hold(f, thing, set_of(arena_of(f), names_thing(arena_of(f), f->names), 0));
    thing->defaults = arena_array(arena_of(f), Set, ast->params.count + 1);
    for (int i = 0; i < ast->params.count; i++)
        if (ast->params.items[i].default_value) {
            thing->defaults[i] = follow_value(f, ast->params.items[i].default_value);
            held_hold(f, thing, thing->defaults[i]);
        }
    for (int i = 0; i < ast->params.count; i++)
        if (ast->params.items[i].annotation)
            follow_value(f, ast->params.items[i].annotation);
    if (ast->returns)
        follow_value(f, ast->returns);
    thing->of_class |= ast_is_decorated(ast, "classmethod");
    follow_name(f, ast->name, decorated(f, &ast->decorators, set_of(arena_of(f), thing, 0)));
}

/* Its bases, and its metaclass, which is called with it. */
static void take_bases(Frame *f, Thing *class, const AstClass *ast)
{
    Set self = set_of(arena_of(f), class, 0);
    class->class_ = ast;
    for (int i = 0; i < ast->bases.count; i++) {
        Set base = follow_value(f, ast->bases.items[i]);
        class->open |= !set_has(base, THING_SPACE) && !ast_ends_in(ast->bases.items[i], "object");
        join(f, &class->bases, base);
    }
    for (int i = 0; i < ast->keyword_count; i++) {
        const AstKeyword *keyword = &ast->keywords[i];
        Set value = follow_value(f, keyword->value);
        if (!keyword->name || strcmp(keyword->name, "metaclass") != 0)
            continue;
        Args args = arguments_for_any(self);
        args.call = keyword->value;
        join(f, &class->metas, value);
        if (!set_has(value, THING_SPACE))
            call_set(f, value, &args);
    }
}

/* A class of a module has names of its own, which were followed where they are resolved. */
void follow_class(Frame *f, const AstStmt *stmt)
{
    const AstClass *ast = &stmt->class_;
    Module *module = f->names->module;
    const Symbol *symbol = module ? table_get(&module->symbols, ast->name) : NULL;
    Module *inside = !symbol                           ? NULL
                     : symbol->kind == SYMBOL_MODULE   ? symbol->of
                     : symbol->kind == SYMBOL_FUNCTION ? NULL
                                                       : symbol->inside;
    Thing *class = inside ? names_of_module(inside)->thing : thing_made(f, ast, "", THING_SPACE);
    take_bases(f, class, ast);
    if (!inside) { /* in a function; an enumeration, a tuple with names */
        class->names = class->names ? class->names : names_new(arena_of(f), f->names);
        class->names->thing = class;
        HeapNames *around = f->names;
        f->names = class->names;
        follow_body(f, &ast->body);
        f->names = around;
    }
    Set self = set_of(arena_of(f), class, 0);
    call_makers(f, self.items[0]);
    join(f, &f->touched, self);
    follow_name(f, ast->name, decorated(f, &ast->decorators, self));
}

/* ---- imports --------------------------------------------------------------------------------- */

/* What an import in a function binds, by its path, and what one of a module binds that is not
** there. Others are found by their symbols. */
void follow_import(Frame *f, const AstStmt *stmt)
{
    Arena *arena = arena_of(f);
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        const char *first = arena_strndup(arena, alias->name, strcspn(alias->name, "."));
        const char *name = alias->as ? alias->as : first;
        const Symbol *symbol =
            f->names->module ? table_get(&f->names->module->symbols, name) : NULL;
        bool lost = !f->names->module || !symbol || symbol->kind == SYMBOL_UNKNOWN;
        if (!lost || strcmp(name, "*") == 0)
            continue;
        Set made = held_made(f, alias, "", THING_FOREIGN, (Set){ 0 });
        const char *path = alias->as ? alias->name : first;
        if (stmt->kind == AST_FROM_IMPORT)
            path = arena_printf(arena, "%s.%s", stmt->import.module, alias->name);
        made.items[0].thing->path = builtin_canonical(arena, path);
        follow_name(f, name, made);
    }
}
