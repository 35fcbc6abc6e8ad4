/* What -D NAME=VALUE gives, and what programs give kernels of what they have computed: values in
** place of constants. NAME alone is every constant of that name in the file that was asked for;
** NAME@PLACE is one: of a file, FILE, or of a function or class in it, FILE:OUTER:INNER. */
#include "ir/names/scope.h"

/* What follows a module's own place in a text; NULL: that begins with another place. */
static const char *behind_place(const Module *module, const char *text)
{
    size_t length = strlen(module->name);
    if (module->outer) {
        text = behind_place(module->outer, text);
        if (!text || *text++ != ':')
            return NULL;
    }
    return strncmp(text, module->name, length) == 0 ? text + length : NULL;
}

const char *module_place(Arena *arena, const Module *module)
{
    return module->outer
               ? arena_printf(arena, "%s:%s", module_place(arena, module->outer), module->name)
               : module->name;
}

const char *module_kernel_place(Arena *arena, const Module *module, const char *kernel, int level)
{
    const Symbol *symbol = module_function_symbol(module, kernel);
    const Module *at = symbol ? symbol->module : NULL;
    while (at && level-- > 0)
        at = at->outer;
    return at ? module_place(arena, at) : NULL;
}

bool define_names(const char *define, const char *name)
{
    size_t length = strcspn(define, "@");
    return strncmp(define, name, length) == 0 && !name[length];
}

/* Whether `define` is of a symbol, in a compilation of the module `file`. One with a place is what
** the name holds at a launch, and not what it held before the text bound it anew. */
static bool is_of(const char *define, const Module *file, const Symbol *symbol)
{
    const char *place = strchr(define, '@');
    if (!define_names(define, symbol->name))
        return false;
    const Module *module = symbol->place ? symbol->place : symbol->module;
    if (!place)
        return symbol->kind != SYMBOL_FUNCTION && module_in(module, file);
    const char *rest = behind_place(module, place + 1);
    return rest && !*rest && table_get(&module->symbols, symbol->name) == symbol;
}

const AstExpr *symbol_defined(const Define *defines, int count, const Module *file,
                              const Symbol *symbol)
{
    for (int i = count; i-- > 0;)
        if (is_of(defines[i].name, file, symbol))
            return defines[i].value;
    return NULL;
}

bool symbol_may_be_defined(const Symbol *symbol)
{
    const Symbol *of = symbol_imported((Symbol *)symbol);
    return of->kind == SYMBOL_CONSTANT || of->kind == SYMBOL_UNKNOWN || of->kind == SYMBOL_CHOICE ||
           of->kind == SYMBOL_IMPORT;
}

bool symbol_is_called(const Symbol *symbol, const Module *file, const char *define)
{
    const Symbol *of = symbol_imported((Symbol *)symbol);
    return (symbol_may_be_defined(symbol) || of->kind == SYMBOL_FUNCTION) &&
           is_of(define, file, symbol);
}
