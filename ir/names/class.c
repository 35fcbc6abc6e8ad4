/* Classes: what they have by their bases, and functions that are given the class. */
#include "ir/names/scope.h"

enum { CLASS_DEPTH = 100 }; /* bases of bases: a class may come to be its own by imports */

/* A base is what its expression stands for where the class begins; what that is kjit may not
** know. */
void class_take_bases(Resolver *r, Module *class, const AstClass *ast)
{
    class->class_ast = ast;
    for (int i = 0; i < ast->bases.count; i++) {
        const Symbol *base = module_path_symbol(r->module, ast->bases.items[i]);
        if (base && base->kind == SYMBOL_MODULE && base->of->is_class)
            array_push(r->arena, class->bases, class->base_count, class->base_capacity) = base->of;
    }
}

const AstClass *module_class(const Module *module)
{
    return module->class_ast;
}

/* Adds a class and its bases, depth first, to `order`, each where it comes last: Python's order
** wherever that has one. */
static int add_in_order(const Module *class, const Module **order, int count, int depth)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (order[i] != class)
            order[kept++] = order[i];
    count = kept;
    if (count < CLASS_ORDER_MAX)
        order[count++] = class;
    for (int i = 0; depth < CLASS_DEPTH && i < class->base_count; i++)
        count = add_in_order(class->bases[i], order, count, depth + 1);
    return count;
}

int module_class_order(const Module *class, const Module *order[CLASS_ORDER_MAX])
{
    return add_in_order(class, order, 0, 0);
}

static Symbol *find(const Module *class, const char *name)
{
    const Module *order[CLASS_ORDER_MAX];
    Symbol *symbol = NULL;
    for (int i = 0, count = module_class_order(class, order); i < count && !symbol; i++)
        symbol = module_binding(order[i], name);
    return symbol;
}

/* A function whose first parameter stands for the class: one without it, to which that name is one
** of the module's. */
static Function *bound_function(const Module *class, const Function *function)
{
    Arena *arena = class->arena;
    Module *around = scope_new(arena, class->name, function->module, false);
    AstFunction *ast = arena_new(arena, AstFunction);
    Function *bound = arena_new(arena, Function);
    Symbol *symbol = arena_new(arena, Symbol);
    const AstParam *first = function->ast->params.items;
    *ast = *function->ast;
    ast->params.items++;
    ast->params.count--;
    ast->params.positional_only -= ast->params.positional_only > 0;
    *bound = *function;
    bound->ast = ast;
    bound->module = around;
    bound->of_class = false;
    *symbol = (Symbol){ .kind = SYMBOL_MODULE,
                        .name = first->name,
                        .module = around,
                        .span = first->span,
                        .of = (Module *)(uintptr_t) class };
    table_put(&around->symbols, first->name, symbol);
    return bound;
}

Symbol *class_member(const Module *class, const char *name)
{
    Symbol *symbol = find(class, name);
    bool bound = symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->of_class &&
                 symbol->function->ast->params.count > 0;
    if (!bound)
        return symbol;
    Table *known = (Table *)(uintptr_t) & class->bound;
    Symbol *member = table_get(known, name);
    if (!member) {
        member = arena_new(class->arena, Symbol);
        *member = *symbol;
        member->function = bound_function(class, symbol->function);
        table_put(known, name, member);
    }
    return member;
}
