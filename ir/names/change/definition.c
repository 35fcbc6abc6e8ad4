/* Functions, classes and imports: what they bind names to. */
#include "ir/names/change/follow.h"

#include <string.h>

static Arena *arena_of(const Frame *f)
{
    return f->trace->r->arena;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* What decorators make of a function: what functions of the program return, or the function. */
static Set decorated(Frame *f, const AstExprs *decorators, Set set)
{
    for (int i = decorators->count; i-- > 0;) {
        AstExpr *decorator = decorators->items[i];
        Set maker = follow_value(f, decorator);
        AstExpr *call = arena_new(arena_of(f), AstExpr);
        *call = (AstExpr){ .kind = AST_CALL, .span = decorator->span };
        call->call.function = decorator;
        Args args = { .items = &set, .count = 1, .call = decorator };
        if (!set_has(maker, THING_FUNCTION) && !set_has(maker, THING_SPACE))
            continue;
        Set made = call_set(f, maker, &args), all = { 0 };
        set_join(arena_of(f), &all, set);
        set_join(arena_of(f), &all, made);
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
    for (int i = 0; i < ast->decorators.count; i++)
        thing->of_class |= ast_ends_in(ast->decorators.items[i], "classmethod");
    follow_name(f, ast->name, decorated(f, &ast->decorators, set_of(arena_of(f), thing, 0)));
}

static void take_bases(Frame *f, Thing *class, const AstClass *ast)
{
    class->class_ = ast;
    for (int i = 0; i < ast->bases.count; i++)
        set_join(arena_of(f), &class->bases, follow_value(f, ast->bases.items[i]));
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
    if (module && !inside) { /* an enumeration, a tuple with names */
        follow_name(f, ast->name, (Set){ 0 });
        return;
    }
    Thing *class = inside ? names_of_module(inside)->thing : thing_made(f, ast, "", THING_SPACE);
    take_bases(f, class, ast);
    if (!module) {
        class->names = class->names ? class->names : names_new(arena_of(f), f->names);
        class->names->thing = class;
        Names *around = f->names;
        f->names = class->names;
        follow_body(f, &ast->body);
        f->names = around;
    }
    for (int i = 0; i < ast->decorators.count; i++)
        follow_value(f, ast->decorators.items[i]);
    follow_name(f, ast->name, set_of(arena_of(f), class, 0));
}

/* ---- imports --------------------------------------------------------------------------------- */

/* Names of modules that are not there hold something unknown. Others are found by their symbols. */
void follow_import(Frame *f, const AstStmt *stmt)
{
    Arena *arena = arena_of(f);
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        const char *name =
            alias->as ? alias->as : arena_strndup(arena, alias->name, strcspn(alias->name, "."));
        const Symbol *symbol =
            f->names->module ? table_get(&f->names->module->symbols, name) : NULL;
        bool lost = symbol ? symbol->kind == SYMBOL_UNKNOWN
                           : !builtin_is_namespace(builtin_canonical(arena, alias->name));
        if (lost && strcmp(name, "*") != 0)
            follow_name(f, name, held_made(f, alias, "", THING_FOREIGN, (Set){ 0 }));
    }
}
