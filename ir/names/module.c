/* Modules: what their names stand for. */
#include "ir/names/scope.h"

/* ---- making ------------------------------------------------------------------------------ */

Module *scope_new(Arena *arena, const char *name, Module *outer, bool is_class)
{
    Module *module = arena_new(arena, Module);
    *module = (Module){ .arena = arena,
                        .name = name,
                        .outer = outer,
                        .is_class = is_class,
                        .at = -1,
                        .standard = outer && outer->standard };
    table_init(&module->symbols, arena);
    table_init(&module->parts, arena);
    table_init(&module->bound, arena);
    return module;
}

Module *scope_inside(Module *outer, const char *name, bool is_class)
{
    Module *inside = scope_new(outer->arena, name, outer, is_class);
    array_push(outer->arena, outer->scopes, outer->scope_count, outer->scope_capacity) = inside;
    return inside;
}

Module *module_new(Arena *arena, const char *source)
{
    Module *module = scope_new(arena, source, NULL, false);
    module->standard = strncmp(source, "std:", 4) == 0;
    return module;
}

void module_break(Module *module, const Diag *complaints, size_t count)
{
    module->broken = (Complaints){ complaints, count };
}

void module_add_part(Module *package, const char *name, Module *part)
{
    Symbol *symbol = arena_new(package->arena, Symbol);
    *symbol = (Symbol){ .kind = SYMBOL_MODULE, .name = name, .module = package, .of = part };
    table_put(&package->parts, name, symbol);
}

Symbol *module_part(const Module *package, const char *name)
{
    return table_get(&package->parts, name);
}

bool module_is_file(const Module *module)
{
    return !module->outer;
}

Module *scope_file(Module *module)
{
    while (module->outer)
        module = module->outer;
    return module;
}

const char *scope_path(const Resolver *r, const char *name)
{
    for (const Module *at = r->module; at->outer; at = at->outer)
        name = arena_printf(r->arena, "%s.%s", at->name, name);
    return name;
}

Symbol *scope_define(Resolver *r, const char *name, SymbolKind kind, Span span)
{
    Module *module = r->module;
    Symbol *symbol = arena_new(r->arena, Symbol);
    *symbol = (Symbol){ .kind = kind,
                        .name = name,
                        .module = module,
                        .span = span,
                        .previous = table_get(&module->symbols, name),
                        .order = module->order++ };
    table_put(&module->symbols, name, symbol);
    array_push(r->arena, module->list, module->count, module->capacity) = symbol;
    return symbol;
}

Symbol *scope_define_unknown(Resolver *r, const char *name, Span span, const char *reason)
{
    Symbol *symbol = scope_define(r, name, SYMBOL_UNKNOWN, span);
    symbol->unknown.reason = reason;
    return symbol;
}

Symbol *scope_define_run(Resolver *r, const char *name, Span span, const char *reason)
{
    Symbol *symbol = scope_define_unknown(r, name, span, reason);
    symbol->unknown.by = r->running;
    symbol->unknown.begin = r->running_begin;
    array_push(r->arena, r->module->runs, r->module->run_count, r->module->run_capacity) = symbol;
    return symbol;
}

/* ---- looking up ---------------------------------------------------------------------------- */

/* What an import names; a module in a package whose own text imports it is that module. */
static Symbol *imported(const Symbol *symbol)
{
    Module *from = symbol->import.from;
    const char *name = symbol->import.name;
    bool itself = symbol->module == from && strcmp(symbol->name, name) == 0;
    return itself ? module_part(from, name) : module_binding(from, name);
}

/* What an import stands for, through others; the import itself if that is nothing. */
static Symbol *follow(Symbol *symbol)
{
    enum { FAR = 100 };
    Symbol *at = symbol;
    for (int i = 0; at && at->kind == SYMBOL_IMPORT; i++)
        at = i < FAR ? imported(at) : NULL;
    return at ? at : symbol;
}

/* Modules that a name was looked for in: they may import all from one another. */
typedef struct Looked {
    const Module *modules[256];
    size_t count;
} Looked;

static Symbol *look(const Module *module, const char *name, Looked *looked)
{
    for (size_t i = 0; i < looked->count; i++)
        if (looked->modules[i] == module)
            return NULL;
    if (looked->count == ARRAY_COUNT(looked->modules))
        return NULL;
    looked->modules[looked->count++] = module;
    Symbol *symbol = table_get(&module->symbols, name);
    if (!symbol)
        symbol = table_get(&module->parts, name);
    for (int i = module->starred_count; !symbol && i-- > 0;)
        symbol = name[0] == '_' ? NULL : look(module->starred[i], name, looked);
    return symbol;
}

Symbol *module_binding(const Module *module, const char *name)
{
    Looked looked = { .count = 0 };
    return look(module, name, &looked);
}

Symbol *module_symbol_in(const Module *module, const char *name)
{
    Symbol *symbol = module->is_class ? class_member(module, name) : module_binding(module, name);
    return symbol ? follow(symbol) : NULL;
}

static Symbol *module_bound(const Module *module, const char *name)
{
    Symbol *symbol = NULL;
    while (module && !symbol) {
        symbol = module_binding(module, name);
        do
            module = module->outer;
        while (module && module->is_class);
    }
    return symbol;
}

Symbol *symbol_imported(Symbol *symbol)
{
    return symbol ? follow(symbol) : NULL;
}

Symbol *module_symbol(const Module *module, const char *name)
{
    return symbol_imported(module_bound(module, name));
}

/* What a statement of number `order` in one of the branches that a choice stands for sees: what its
** own branch has bound by then, else what was bound before the branches. */
static Symbol *bound_in_branch(const Symbol *choice, int order)
{
    Symbol *symbol = symbol_before(choice->choice.last, order);
    bool other = order >= choice->choice.middle && symbol && symbol->order < choice->choice.middle;
    return other ? symbol_before(choice->previous, order) : symbol;
}

Symbol *symbol_before(Symbol *symbol, int order)
{
    while (symbol && symbol->order >= order) {
        bool inside = symbol->kind == SYMBOL_CHOICE && order > symbol->choice.begin &&
                      order < symbol->choice.end;
        if (inside)
            return bound_in_branch(symbol, order);
        symbol = symbol->previous;
    }
    return symbol;
}

Symbol *module_bound_before(const Module *module, const char *name, int order)
{
    const Module *at = order == ORDER_END ? NULL : module;
    Symbol *symbol = at ? symbol_before(table_get(&at->symbols, name), order) : NULL;
    if (!at)
        return module_bound(module, name);
    for (order = at->at; !symbol && at->outer && order >= 0; order = at->at) {
        at = at->outer;
        if (!at->is_class)
            symbol = symbol_before(table_get(&at->symbols, name), order);
    }
    return symbol ? symbol : module_bound(module, name);
}

Symbol *module_symbol_before(const Module *module, const char *name, int order)
{
    return symbol_imported(module_bound_before(module, name, order));
}

Symbol *module_path_symbol(const Module *module, const AstExpr *expr)
{
    if (expr->kind == AST_NAME)
        return module_symbol(module, expr->name.name);
    Symbol *owner =
        expr->kind == AST_ATTRIBUTE ? module_path_symbol(module, expr->attribute.object) : NULL;
    if (!owner || owner->kind != SYMBOL_MODULE)
        return NULL;
    return module_symbol_in(owner->of, expr->attribute.name);
}

const Symbol *module_bound_by(const Symbol *symbol, int index)
{
    const Module *module = symbol->module;
    for (int i = 0; i < module->run_count; i++)
        if (module->runs[i]->unknown.by == symbol->unknown.by && !index--)
            return module->runs[i];
    return NULL;
}

const char **module_names(const Module *module, Arena *arena, int *count)
{
    int total = 0;
    for (const Module *at = module; at; at = at->outer)
        total += at->count;
    const char **names = arena_array(arena, const char *, total + 1);
    *count = 0;
    for (const Module *at = module; at; at = at->outer)
        for (int i = 0; i < at->count; i++)
            names[(*count)++] = at->list[i]->name;
    return names;
}

const Symbol *module_lost_star(const Module *module)
{
    while (module && !module->lost_star)
        module = module->outer;
    return module ? module->lost_star : NULL;
}

const char *module_starred_space(const Module *module, int index)
{
    for (; module; index -= module->space_count, module = module->outer)
        if (index < module->space_count)
            return module->spaces[index];
    return NULL;
}

const Complaints *module_complaints(const Module *module)
{
    return module->broken.count ? &module->broken : NULL;
}

/* ---- what others ask ------------------------------------------------------------------------- */

const Complaints *module_complaints_about(const Module *module, const char *name)
{
    const Symbol *symbol = module_function_symbol(module, name);
    return symbol && symbol->complaints.count ? &symbol->complaints : NULL;
}

/* A path on its way through a module, "factory.kernel". */
typedef struct PathWay {
    ChoiceVisitor *meet; /* or NULL */
    void *context;
} PathWay;

static Symbol *lead_from(const PathWay *way, const Module *module, const char *path);

static Symbol *lead(const PathWay *way, Symbol *symbol, const char *rest);

static bool is_kernel(const Symbol *symbol)
{
    return symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->kernel;
}

/* Whether a name that leads to no function may be one all the same when the program runs. */
static bool may_be_function(const Symbol *symbol)
{
    static const AstExprKind kinds[] = { AST_NAME,  AST_ATTRIBUTE, AST_CALL,   AST_INDEX,
                                         AST_AWAIT, AST_IF_EXPR,   AST_BOOLEAN };
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    for (size_t i = 0; value && i < ARRAY_COUNT(kinds); i++)
        if (value->kind == kinds[i])
            return true;
    return symbol->kind == SYMBOL_UNKNOWN || symbol->kind == SYMBOL_IMPORT;
}

/* Where it is not decided, a kernel goes before what surely is none. */
static Symbol *lead_by_choice(const PathWay *way, Symbol *choice, const char *rest)
{
    if (way->meet)
        way->meet(way->context, choice);
    Symbol *then = NULL, *otherwise = NULL;
    if (choice->choice.decision != DECIDE_OTHERWISE)
        then = lead(way, choice->choice.then, rest);
    if (choice->choice.decision != DECIDE_THEN)
        otherwise = lead(way, choice->choice.otherwise, rest);
    if (then && otherwise && then != otherwise && choice->choice.decision == DECIDE_UNKNOWN)
        choice->choice.contested = true;
    return is_kernel(then) || !otherwise ? then : otherwise;
}

/* The function that a symbol is, or that `rest` names inside it; NULL: none. What only running the
** program would tell of is given as it is. */
static Symbol *lead(const PathWay *way, Symbol *symbol, const char *rest)
{
    symbol = symbol ? follow(symbol) : NULL;
    if (!symbol)
        return NULL;
    if (symbol->kind == SYMBOL_CHOICE)
        return lead_by_choice(way, symbol, rest);
    if (rest) {
        const Module *inside = symbol->kind == SYMBOL_MODULE ? symbol->of : symbol->inside;
        return inside ? lead_from(way, inside, rest) : NULL;
    }
    if (symbol->kind == SYMBOL_FUNCTION || symbol->result == symbol)
        return symbol;
    if (!symbol->result)
        return may_be_function(symbol) ? symbol : NULL;
    return lead(way, symbol->result, NULL);
}

static Symbol *lead_from(const PathWay *way, const Module *module, const char *path)
{
    size_t length = strcspn(path, ".");
    Symbol *symbol = table_get_part(&module->symbols, path, length);
    return lead(way, symbol, path[length] ? path + length + 1 : NULL);
}

void module_each_choice(const Module *module, const char *path, ChoiceVisitor *meet, void *context)
{
    lead_from(&(PathWay){ meet, context }, module, path);
}

static unsigned line_of(const KernelInfo *kernel)
{
    return source_place(kernel->ast->name_span.source, kernel->ast->name_span.begin).line;
}

bool module_kernel_is(const KernelInfo *kernel, const char *name)
{
    size_t length = strcspn(name, "@"), own = strcspn(kernel->name, "@");
    if (!name[length] || !kernel->ast->name_span.source)
        return strcmp(kernel->name, name) == 0;
    return length == own && strncmp(kernel->name, name, own) == 0 &&
           strtoul(name + length + 1, NULL, 10) == line_of(kernel);
}

Symbol *module_function_symbol(const Module *module, const char *path)
{
    for (int i = 0; strchr(path, '@') && i < module->kernel_count; i++)
        if (module_kernel_is(&module->kernels[i], path))
            return module->kernels[i].symbol;
    Symbol *symbol = lead_from(&(PathWay){ 0 }, module, path);
    return symbol && symbol->kind == SYMBOL_FUNCTION ? symbol : NULL;
}

static void take_complaints(void *context, Symbol *choice)
{
    KernelInfo *info = context;
    if (choice->choice.contested && !info->complaints.count)
        info->complaints = choice->complaints;
}

/* Whether only running the program tells if a name still stands for a function, the last that it
** was bound to by a definition. */
static bool is_uncertain(const Symbol *meant, const Symbol *function)
{
    if (!meant || meant->kind == SYMBOL_FUNCTION)
        return false;
    while (meant && meant->kind != SYMBOL_FUNCTION)
        meant = meant->previous;
    return meant == function;
}

void module_settle_kernels(Module *module)
{
    int kept = 0;
    for (int i = 0; i < module->kernel_count; i++) {
        KernelInfo info = module->kernels[i];
        const Symbol *meant = lead_from(&(PathWay){ 0 }, module, info.name);
        info.complaints = info.symbol->complaints;
        info.uncertain = !info.made && is_uncertain(meant, info.symbol) ? info.name : NULL;
        info.replaced = meant != info.symbol;
        if (info.replaced)
            info.name = arena_printf(module->arena, "%s@%u", info.name, line_of(&info));
        else
            module_each_choice(module, info.name, take_complaints, &info);
        if (!info.replaced || !info.made)
            module->kernels[kept++] = info;
    }
    module->kernel_count = kept;
}

Function *module_function(const Module *module, const char *name)
{
    Symbol *symbol = module_function_symbol(module, name);
    return symbol ? symbol->function : NULL;
}

const Function *module_described(const Module *module, uint32_t begin)
{
    const Module *file = scope_file((Module *)(uintptr_t)module);
    for (int i = 0; i < file->described_count; i++)
        if (file->described[i]->ast->name_span.begin == begin)
            return file->described[i];
    return NULL;
}

const AstFunction *module_tree(const Module *module, const char *path)
{
    const Function *function = module_function(module, path);
    return function ? function->ast : NULL;
}

static bool may_define(const Symbol *symbol)
{
    if (symbol && symbol->kind == SYMBOL_CHOICE)
        return may_define(symbol->choice.then) || may_define(symbol->choice.otherwise);
    return symbol && symbol_may_be_defined(symbol);
}

const AstExpr *module_namedtuple(const Module *module, const char *name)
{
    const Symbol *symbol = module_symbol(module, name);
    const AstExpr *value = symbol && symbol->kind == SYMBOL_CONSTANT && symbol->constant.item < 0
                               ? symbol->constant.value
                               : NULL;
    bool makes =
        value && value->kind == AST_CALL && ast_ends_in(value->call.function, "namedtuple");
    return makes ? value : NULL;
}

bool module_has_constant(const Module *module, const char *name)
{
    if (may_define(table_get(&module->symbols, name)))
        return true;
    for (int i = 0; i < module->scope_count; i++)
        if (module_has_constant(module->scopes[i], name))
            return true;
    return false;
}

bool module_is_standard(const Module *module)
{
    return module->standard;
}

const char *module_source(const Module *module)
{
    return scope_file((Module *)(uintptr_t)module)->name;
}

bool module_is_scope(const Module *module)
{
    return module->outer != NULL;
}

bool module_is_class(const Module *module)
{
    return module->is_class;
}

const Module *module_around_class(const Module *module)
{
    while (module->is_class)
        module = module->outer;
    return module;
}

bool module_in(const Module *module, const Module *file)
{
    while (module && module != file)
        module = module->outer;
    return module;
}

const KernelInfo *module_kernel_of(const Module *module, const AstFunction *ast)
{
    const Module *file = scope_file((Module *)(uintptr_t)module);
    for (int i = 0; i < file->kernel_count; i++)
        if (file->kernels[i].ast->name_span.begin == ast->name_span.begin && !file->kernels[i].made)
            return &file->kernels[i];
    return NULL;
}

/* Of [factory(n) for n in SIZES] and {n: factory(n) for n in SIZES}: which items there are only
** evaluation tells. */
static bool holds_calls(const AstExpr *value)
{
    const AstComprehension *all = value->kind == AST_COMPREHENSION ? value->comprehension : NULL;
    return all && (all->kind == AST_LIST || all->kind == AST_DICT) &&
           (all->value ? all->value : all->element)->kind == AST_CALL;
}

const char *module_items(Arena *arena, const Module *module, const char *name)
{
    const Symbol *symbol = module_symbol(module, name);
    const Symbol *table = symbol ? symbol->result : NULL;
    Buf out = buf_in(arena);
    if (symbol && symbol->kind == SYMBOL_CONSTANT && holds_calls(symbol->constant.value))
        return arena_printf(arena, "%s[%s]", name,
                            symbol->constant.value->comprehension->kind == AST_DICT ? "KEY" : "0");
    for (int i = 0; table && table->parts && i < table->part_count; i++) {
        const AstExpr *key = table->part_keys ? table->part_keys->items[i] : NULL;
        if (!table->parts[i])
            continue;
        buf_printf(&out, "%s%s[", i ? ", " : "", name);
        if (key)
            ast_print_expr(&out, key);
        else
            buf_printf(&out, "%d", i);
        buf_putc(&out, ']');
    }
    return table && table->parts ? buf_text(&out) : NULL;
}

Span module_bound_at(Arena *arena, const Module *module, const char *path)
{
    const size_t length = strcspn(path, ".[(");
    const Symbol *symbol = module_symbol(module, arena_strndup(arena, path, length));
    const bool value =
        symbol && (symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_UNKNOWN ||
                   symbol->kind == SYMBOL_CHOICE || path[length] == '(');
    return value ? symbol->span : (Span){ 0 };
}

int module_kernels(const Module *module, const KernelInfo **kernels)
{
    *kernels = module->kernels;
    return module->kernel_count;
}
