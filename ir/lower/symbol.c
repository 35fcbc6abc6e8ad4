/* What a name of the module stands for: a function, a constant, something built in. Constants are
** lowered when they are first read, once, and kept. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

/* ---- constants ------------------------------------------------------------------------------- */

bool constant_is_known(const IrValue *value)
{
    if (value->op == OP_tuple) {
        for (int i = 0; i < value->count; i++)
            if (!constant_is_known(value->operands[i]))
                return false;
        return true;
    }
    return value->op == OP_constant || value->op == OP_zero ||
           (value->op == OP_var &&
            (value->var->kind == VAR_CONSTANT || value->var->kind == VAR_PARAM));
}

const AstExpr *constant_defined(const Lower *lower, const Symbol *symbol)
{
    const LowerRequest *request = lower->request;
    return symbol_defined(request->defines, request->define_count, request->module, symbol);
}

FnState *constant_state(FnState *f, const Module *module)
{
    FnState *constant = arena_new(f->arena, FnState);
    *constant = (FnState){ .lower = f->lower,
                           .arena = f->arena,
                           .types = f->types,
                           .module = module,
                           .fn = arena_new(f->arena, IrFunc), /* for what turns out to be none */
                           .constant_only = true,
                           .reachable = true,
                           .region = arena_new(f->arena, IrRegion) };
    table_init(&constant->names, f->arena);
    return constant;
}

FnState *constant_state_at(FnState *f, const Module *module, int order)
{
    FnState *place = constant_state(f, module);
    Symbol *at = arena_new(f->arena, Symbol);
    *at = (Symbol){ .module = (Module *)(uintptr_t)module, .order = order };
    place->constant = at;
    return place;
}

const Name *name_origin(const Name *name)
{
    while (name->around)
        name = name->around;
    return name;
}

const Name *name_bound(const FnState *f, const char *name)
{
    const Name *own = table_get(&f->names, name);
    const FnState *run = f->function ? f->function->run : NULL;
    if (run && !(own && own->binding.kind != BIND_NONE))
        own = table_get(&run->names, name);
    own = own ? name_origin(own) : NULL;
    return own && own->binding.kind == BIND_OPERAND ? own : NULL;
}

void names_see(FnState *f, const FnState *run)
{
    for (size_t i = 0; i < run->names.capacity; i++) {
        const Name *name = run->names.slots[i].name ? run->names.slots[i].value : NULL;
        const Name *origin = name ? name_origin(name) : NULL;
        if (!origin || origin->binding.kind != BIND_OPERAND)
            continue;
        Name *own = env_name(f, origin->name);
        env_bind(f, own, origin->binding);
        own->around = origin;
    }
}

bool names_changing(const FnState *f, const char *name)
{
    const Symbol *bound;
    bool runs = f->lower->run && (f->running || f->runs);
    for (int i = 0; runs && (bound = module_bound_by(f->lower->run, i)); i++)
        if ((f->running || bound->unknown.lost) && strcmp(bound->name, name) == 0)
            return true;
    return false;
}

bool names_local(const FnState *f, const char *name)
{
    const Name *known = table_get(&f->names, name);
    return (known && known->binding.kind != BIND_NONE) ||
           (f->running && names_assigned(&f->running->ast->body, name));
}

const AstExpr *constant_expr(const Lower *lower, const Symbol *symbol)
{
    if (symbol->kind != SYMBOL_CONSTANT)
        return NULL;
    const AstExpr *defined = constant_defined(lower, symbol);
    return defined ? defined : symbol->constant.item < 0 ? symbol->constant.value : NULL;
}

FnState *constant_place(FnState *f, const Symbol *symbol)
{
    const bool defined = constant_defined(f->lower, symbol);
    FnState *place = constant_state(f, defined ? f->lower->request->module : symbol->module);
    if (!defined)
        place->constant = symbol;
    return place;
}

/* ---- what cannot be read --------------------------------------------------------------------- */

/* Tells what is wrong with what is read at a place, and that it is read there. */
static void complaints_tell(FnState *f, const Complaints *complaints, const char *name, Span span)
{
    Diags *diags = f->lower->diags;
    for (size_t i = 0; i < complaints->count; i++) {
        const Diag *diag = &complaints->items[i];
        (diag->level == DIAG_ERROR ? diag_error : diag_note)(diags, diag->span, "%s",
                                                             diag->message);
    }
    diag_note(diags, span, "'%s' is read here", name);
}

static Operand unknown_symbol(FnState *f, const Symbol *symbol, Span span)
{
    const char *where = symbol->unknown.where;
    fail(f, span, "'%s' %s", symbol->name, symbol->unknown.reason);
    diag_note(f->lower->diags, symbol->span, "%s%s",
              where ? "it is imported here; " : "it is bound here", where ? where : "");
    return operand_error(span);
}

/* ---- what a statement leaves ----------------------------------------------------------------- */

/* A statement of the module that was run for what it binds or changes. */
typedef struct StatementRun {
    FnState *state; /* with the names that it has left */
    bool done;
    Diag why; /* it could not be: the last complaint, which is the innermost */
} StatementRun;

typedef struct Tables {
    const IrTable **items;
    int count, capacity;
} Tables;

/* A value that the run may change without changing it for others. */
static Operand copied(FnState *f, Operand value)
{
    if (value.kind != OPD_VALUE)
        return value;
    if (value.value->op == OP_tuple) {
        if (!type_holds_arrays(value.value->type))
            return value; /* lists are made anew when they change */
        IrValue *tuple = arena_new(f->arena, IrValue);
        *tuple = *value.value;
        tuple->operands = arena_array(f->arena, IrValue *, tuple->count + 1);
        for (int i = 0; i < tuple->count; i++)
            tuple->operands[i] = copied(f, operand_value(value.value->operands[i])).value;
        value.value = tuple;
    } else if (type_is_array(value.value->type)) {
        value.value = lower_table_copy(f, value.value);
    }
    return value;
}

/* Whether two items of a tuple, however deep, look at one of the tables, which is added to them. */
static bool has_table_twice(FnState *f, const IrValue *value, Tables *tables)
{
    TableView view;
    bool twice = false;
    for (int i = 0; value->op == OP_tuple && i < value->count && !twice; i++)
        twice = has_table_twice(f, value->operands[i], tables);
    if (!type_is_array(value->type) || !ir_table_view(value, &view))
        return twice;
    for (int i = 0; i < tables->count && !twice; i++)
        twice = tables->items[i] == view.table;
    array_push(f->arena, tables->items, tables->count, tables->capacity) = view.table;
    return twice;
}

/* Gives the run what its names stood for before. Where one holds an array twice, copies would be
** two: it keeps what it stands for, which cannot be changed. */
static void bind_before(FnState *run, const Symbol *symbol)
{
    const Symbol *bound;
    for (int i = 0; (bound = module_bound_by(symbol, i)); i++) {
        Attempt attempt = attempt_begin(run->lower);
        Symbol *before = module_symbol_before(symbol->module, bound->name, symbol->unknown.begin);
        if (!before || before->module != symbol->module || before->kind == SYMBOL_FUNCTION ||
            bound->unknown.lost)
            continue;
        Operand *value = arena_new(run->arena, Operand);
        Operand one = lower_symbol(run, before, bound->span);
        Tables tables = { 0 };
        bool twice = one.kind == OPD_VALUE && has_table_twice(run, one.value, &tables);
        *value = copied(run, one);
        if (!twice && !attempt_failed(run->lower, attempt))
            env_bind(run, env_name(run, bound->name),
                     (Binding){ .kind = BIND_OPERAND, .span = bound->span, .operand = value });
        attempt_void(run->lower, attempt);
    }
}

static StatementRun *run_of(FnState *f, const Symbol *symbol)
{
    const char *key = arena_printf(f->arena, "%p in %p", (const void *)symbol->unknown.by,
                                   (const void *)symbol->module);
    StatementRun *run = table_get(&f->lower->runs, key);
    if (run)
        return run;
    Attempt attempt = attempt_begin(f->lower);
    run = arena_new(f->arena, StatementRun);
    table_put(&f->lower->runs, key, run); /* which it may ask for itself */
    Symbol *at = arena_new(f->arena, Symbol);
    *at = *symbol;
    at->order = symbol->unknown.begin;
    run->state = constant_state(f, symbol->module);
    run->state->constant = at;
    bind_before(run->state, symbol);
    const Symbol *outer = f->lower->run;
    FnState *outer_state = f->lower->run_state;
    f->lower->run = symbol;
    f->lower->run_state = run->state;
    run->done =
        evaluate_statement(run->state, symbol->unknown.by) && !attempt_failed(f->lower, attempt);
    f->lower->run = outer;
    f->lower->run_state = outer_state;
    for (size_t i = attempt.complaints; !run->done && i < f->lower->diags->count; i++)
        if (strncmp(f->lower->diags->list[i].message, "it is bound here", 16) != 0)
            run->why = f->lower->diags->list[i];
    attempt_void(f->lower, attempt);
    return run;
}

/* A name as a statement of the module leaves it, if that can be run. */
static Operand left_symbol(FnState *f, const Symbol *symbol, Span span)
{
    const StatementRun *run = run_of(f, symbol);
    const Name *name = run->done ? table_get(&run->state->names, symbol->name) : NULL;
    if (name && name->binding.kind == BIND_OPERAND) {
        Operand value = *name->binding.operand;
        if (value.kind == OPD_VALUE)
            value.value = lower_table_settle(run->state, value.value, symbol->name);
        return value;
    }
    Operand none = unknown_symbol(f, symbol, span);
    if (run->why.message)
        diag_note(f->lower->diags, run->why.span, "%s", run->why.message);
    return none;
}

/* Complains of a name of Python's that the library's module of that name cannot have. */
static bool is_refused(FnState *f, const Module *of, const char *module, const char *name,
                       Span span)
{
    const char *path = arena_printf(f->arena, "%s.%s", module, name);
    const char *reason = module_is_standard(of) ? builtin_refusal(f->arena, path) : NULL;
    if (reason)
        fail(f, span, "kernels cannot use '%s': %s", path, reason);
    return reason != NULL;
}

/* What an import names is not in its module. */
static Operand missing_import(FnState *f, const Symbol *symbol, Span span)
{
    const Module *from = symbol->import.from;
    const Complaints *broken = module_complaints(from);
    int count;
    if (broken) {
        complaints_tell(f, broken, symbol->name, span);
        return operand_error(span);
    }
    if (module_binding(from, symbol->import.name)) {
        fail(f, symbol->span, "'%s' comes from files that import one another, and none defines it",
             symbol->import.name);
        diag_note(f->lower->diags, span, "'%s' is read here", symbol->name);
        return operand_error(span);
    }
    if (is_refused(f, from, symbol->import.module, symbol->import.name, span))
        return operand_error(span);
    const char **names = module_names(from, f->arena, &count);
    const char *near = diag_nearest(symbol->import.name, names, (size_t)count);
    fail(f, symbol->span, "module '%s' has no '%s'%s%s%s", symbol->import.module,
         symbol->import.name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    diag_note(f->lower->diags, span, "'%s' is read here", symbol->name);
    return operand_error(span);
}

/* ---- what is worked out once ----------------------------------------------------------------- */

/* Item `item` of a, b, c, which may be functions, if it is written out; or NULL. */
static const AstExpr *written_item(const AstExpr *value, int item)
{
    bool tuple = value->kind == AST_TUPLE && item >= 0 && item < value->list.items.count;
    for (int i = 0; tuple && i <= item; i++)
        tuple = value->list.items.items[i]->kind != AST_STARRED;
    return tuple ? value->list.items.items[item] : NULL;
}

static Operand evaluate_constant(FnState *f, const Symbol *symbol, Span span)
{
    const AstExpr *defined = constant_defined(f->lower, symbol);
    FnState *constant = constant_place(f, symbol);
    const AstExpr *one =
        defined ? defined : written_item(symbol->constant.value, symbol->constant.item);
    const AstExpr *from = one ? one : symbol->constant.value;
    if (!one && symbol->constant.item < 0 && evaluate_is_iterator(constant, from))
        return fail_operand(
            f, from->span, "'%s' can be gone through once alone: make a tuple of it", symbol->name);
    Operand value =
        from->kind == AST_BYTES ? lower_string(constant, from) : lower_expr(constant, from);
    int item = one ? -1 : symbol->constant.item;
    if (item >= 0 &&
        (value.kind == OPD_RANGE || value.kind == OPD_STRING || value.kind == OPD_SEQUENCE) &&
        item < evaluate_count(constant, &value))
        return evaluate_item(constant, &value, item, span);
    if (value.kind == OPD_VALUE && item >= 0 && type_is_array(value.value->type) &&
        item < evaluate_count(constant, &value)) {
        value = evaluate_item(constant, &value, item, span);
    } else if (value.kind == OPD_VALUE && item >= 0) {
        if (!type_is_tuple(value.value->type) || item >= value.value->type->tuple.count)
            return fail_operand(f, symbol->span, "there is no value for '%s'", symbol->name);
        value = operand_value(ir_item(f->arena, value.value, item, span));
    }
    if (value.kind == OPD_VALUE)
        value.value = lower_table_settle(constant, value.value, symbol->name);
    bool walks = value.kind == OPD_WALK || value.kind == OPD_SEQUENCE || value.kind == OPD_UNROLL ||
                 value.kind == OPD_ITERATOR;
    if (walks || (value.kind == OPD_VALUE && !constant_is_known(value.value)))
        return fail_operand(f, from->span, "'%s' is not a constant that kjit can evaluate",
                            symbol->name);
    return value;
}

/* The function that a decorator of the program makes of one, by running it; an error, of which
** nothing is said, where that is not known. */
static Operand run_decorator(FnState *f, const Function *function, Span span)
{
    FnState *constant = constant_state_at(f, function->scope, function->order);
    const Operand decorator = lower_expr(constant, function->wrapped);
    if (decorator.kind != OPD_FUNCTION || function->ast->decorators.count != 1 ||
        decorator.function->ast->params.count != 1)
        return operand_error(span);
    Function *bare = arena_new(f->arena, Function);
    *bare = *function;
    bare->wrapped = NULL;
    const Operand arg = { .kind = OPD_FUNCTION, .span = span, .function = bare };
    const Operand made = lower_evaluate(constant, function->wrapped, decorator.function, &arg, 1);
    return made.kind == OPD_FUNCTION ? made : operand_error(span);
}

static Operand wrapped_function(FnState *f, const Function *function, Span span)
{
    Attempt attempt = attempt_begin(f->lower);
    const Operand made = run_decorator(f, function, span);
    const bool failed = attempt_failed(f->lower, attempt);
    attempt_void(f->lower, attempt);
    if (!failed && made.kind == OPD_FUNCTION)
        return made;
    fail(f, span, "'%s' is what a decorator makes of it, and not the function itself",
         function->name);
    diag_note(f->lower->diags, function->wrapped->span, "this decorator wraps it");
    return operand_error(span);
}

static Operand evaluate_symbol(FnState *f, Symbol *symbol, Span span)
{
    if (symbol->kind == SYMBOL_CONSTANT || constant_defined(f->lower, symbol))
        return evaluate_constant(f, symbol, span);
    if (symbol->kind == SYMBOL_FUNCTION && !symbol->complaints.count)
        return wrapped_function(f, symbol->function, span);
    if (symbol->kind == SYMBOL_UNKNOWN && !symbol->complaints.count)
        return symbol->unknown.by && !symbol->unknown.lost ? left_symbol(f, symbol, span)
                                                           : unknown_symbol(f, symbol, span);
    if (symbol->kind == SYMBOL_IMPORT)
        return missing_import(f, symbol, span);
    if (symbol->kind == SYMBOL_CHOICE)
        return lower_choice(f, symbol, span);
    complaints_tell(f, &symbol->complaints, symbol->name, span);
    return operand_error(span);
}

/* The same, unless too many wait for one another. */
static Operand evaluate_deeper(FnState *f, Symbol *symbol, Span span)
{
    enum { DEEPEST = 300 };
    if (f->lower->constant_depth == DEEPEST)
        return fail_operand(f, symbol->span,
                            "'%s' hangs on too many other constants, one of the other",
                            symbol->name);
    f->lower->constant_depth++;
    Operand value = evaluate_symbol(f, symbol, span);
    f->lower->constant_depth--;
    return value;
}

/* A module's constant, or what is none, as it was evaluated. */
typedef struct Constant {
    Operand operand;
    bool forgotten; /* it failed, and that was void */
} Constant;

static Operand lower_constant(FnState *f, Symbol *symbol, Span span)
{
    static Constant in_progress;
    const char *key = arena_printf(f->arena, "%p", (void *)symbol);
    Constant *known = table_get(&f->lower->constants, key);
    if (known == &in_progress)
        return fail_operand(f, symbol->span, "the constant '%s' depends on itself", symbol->name);
    if (!known || known->forgotten) {
        size_t mark = f->lower->diags->count, errors = f->lower->diags->errors;
        table_put(&f->lower->constants, key, &in_progress);
        known = arena_new(f->arena, Constant);
        known->operand = evaluate_deeper(f, symbol, span);
        table_put(&f->lower->constants, key, known);
        if (f->lower->diags->errors != errors)
            failure_remember(f->lower, mark, &known->forgotten);
    }
    Operand operand = known->operand;
    operand.span = span;
    if (f->constant_only && operand.kind == OPD_STRING && operand.string.bytes)
        return fail_operand(f, span,
                            "constants are not made of bytes; np.frombuffer(%s, np.uint8) is an "
                            "array that they can be made of",
                            symbol->name);
    if (operand.kind == OPD_VALUE && operand.value->op == OP_constant) {
        IrValue *here = arena_new(f->arena, IrValue);
        *here = *operand.value;
        here->span = span;
        operand.value = here;
    }
    if (operand.kind == OPD_VALUE)
        operand.value = lower_table_in_function(f, operand.value);
    return operand;
}

/* ---- symbols --------------------------------------------------------------------------------- */

Symbol *lower_lookup(const FnState *f, const char *name)
{
    const bool before = f->constant && f->constant->module == f->module;
    Symbol *symbol = module_bound_before(f->module, name, before ? f->constant->order : ORDER_END);
    return symbol && constant_defined(f->lower, symbol) ? symbol : symbol_imported(symbol);
}

Operand module_attribute(FnState *f, const Symbol *module, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    const Complaints *broken = module_complaints(module->of);
    if (broken) {
        complaints_tell(f, broken, module->name, expr->span);
        return operand_error(expr->span);
    }
    Symbol *symbol = module_symbol_in(module->of, name);
    if (symbol)
        return lower_builtin(f, lower_symbol(f, symbol, expr->span));
    int count;
    const char **names = module_names(module->of, f->arena, &count);
    const char *near = diag_nearest(name, names, (size_t)count);
    if (is_refused(f, module->of, module->name, name, expr->span))
        return operand_error(expr->span);
    fail(f, expr->attribute.name_span, "'%s' has no '%s'%s%s%s", module->name, name,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    diag_note(f->lower->diags, module->span, "'%s' is bound here", module->name);
    return operand_error(expr->span);
}

Operand lower_symbol(FnState *f, Symbol *symbol, Span span)
{
    if (symbol->complaints.count)
        return lower_constant(f, symbol, span);
    switch (symbol->kind) {
    case SYMBOL_FUNCTION:
        if (symbol->function->wrapped || constant_defined(f->lower, symbol))
            return lower_constant(f, symbol, span);
        return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = symbol->function };
    case SYMBOL_BUILTIN: {
        Operand found = builtin_find(f->arena, symbol->path, span);
        if (found.kind == OPD_ERROR)
            found = library_find(f, symbol->path, span);
        if (found.kind == OPD_ERROR)
            found = library_find_array(f, symbol->path, span);
        if (found.kind == OPD_ERROR)
            library_missing(f, symbol->path, span);
        return found;
    }
    case SYMBOL_CONSTANT:
    case SYMBOL_UNKNOWN:
    case SYMBOL_IMPORT:
    case SYMBOL_CHOICE:
        return lower_constant(f, symbol, span);
    case SYMBOL_MODULE:
        return (Operand){ .kind = OPD_MODULE, .span = span, .module = symbol };
    case SYMBOL_ENUM:
        return (Operand){ .kind = OPD_ENUM, .span = span, .enumeration = symbol->enumeration };
    }
    return operand_error(span);
}
