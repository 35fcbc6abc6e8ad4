/* Functions: from a request, or a call, to an IrFunc. */
#include "ir/lower.h"

#include <string.h>

enum {
    MAX_PASSES = 64, /* more than a chain of loops can widen types */
    NOTED_DEPTH = 4, /* that complaints list the calls of */
    MAX_DEPTH = 64,  /* device functions being lowered inside one another */
    MAX_PARAMS = 1000,
    MAX_PARAM_BYTES = 32764 /* from compute capability 7.0 on */
};

static bool same_place(Span a, Span b)
{
    return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

void fail(FnState *f, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(f->arena, format, args);
    va_end(args);
    const Lower *lower = f->lower;
    Diags *diags = lower->diags;
    if (!lower->library_called || !library_is(lower, f->module)) {
        diag_error(diags, span, "%s", message);
        return;
    }
    /* its text is nobody's business: one complaint says that the call is wrong */
    const Diag *last = diags->count ? &diags->list[diags->count - 1] : NULL;
    if (!last || last->level != DIAG_ERROR || !same_place(last->span, lower->library_call))
        diag_error(diags, lower->library_call, "%s: %s", library_shown_name(lower->library_called),
                   message);
}

Memo *memo_for(FnState *f, const AstStmt *loop, const char *name)
{
    for (int i = 0; i < f->memo_count; i++)
        if (f->memos[i].loop == loop && strcmp(f->memos[i].name, name) == 0)
            return &f->memos[i];
    array_push(f->arena, f->memos, f->memo_count, f->memo_capacity) =
        (Memo){ .loop = loop, .name = name };
    return &f->memos[f->memo_count - 1];
}

void memo_widen(FnState *f, Memo *memo, const Type *type)
{
    if (type->kind == TY_ERROR || memo->type == type)
        return;
    const Type *wider = memo->type ? typing_unify(f->types, memo->type, type) : type;
    if (wider && wider != memo->type) {
        memo->type = wider;
        f->again = true;
    }
}

/* ---- module constants --------------------------------------------------------------------- */

static bool is_constant_value(const IrValue *value)
{
    if (value->op == OP_tuple) {
        for (int i = 0; i < value->count; i++)
            if (!is_constant_value(value->operands[i]))
                return false;
        return true;
    }
    return value->op == OP_constant || value->op == OP_zero ||
           (value->op == OP_var && value->var->kind == VAR_CONSTANT);
}

static const AstExpr *defined_value(const Lower *lower, const Symbol *symbol)
{
    for (int i = 0; i < lower->request->define_count; i++)
        if (symbol->module == lower->request->module &&
            strcmp(lower->request->defines[i].name, symbol->name) == 0)
            return lower->request->defines[i].value;
    return NULL;
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

const AstExpr *constant_expr(const Lower *lower, const Symbol *symbol)
{
    if (symbol->kind != SYMBOL_CONSTANT)
        return NULL;
    const AstExpr *defined = defined_value(lower, symbol);
    return defined ? defined : symbol->constant.item < 0 ? symbol->constant.value : NULL;
}

static Operand evaluate_constant(FnState *f, const Symbol *symbol, Span span)
{
    const AstExpr *defined = defined_value(f->lower, symbol);
    FnState *constant = constant_state(f, symbol->module);
    Operand value = lower_expr(constant, defined ? defined : symbol->constant.value);
    int item = defined ? -1 : symbol->constant.item;
    if (value.kind == OPD_VALUE && item >= 0) {
        if (!type_is_tuple(value.value->type) || item >= value.value->type->tuple.count) {
            fail(f, symbol->span, "there is no value for '%s'", symbol->name);
            return operand_error(span);
        }
        value = operand_value(ir_item(f->arena, value.value, item, span));
    }
    if (value.kind == OPD_VALUE)
        value.value = lower_table_settle(constant, value.value, symbol->name);
    bool walks = value.kind == OPD_WALK || value.kind == OPD_SEQUENCE || value.kind == OPD_UNROLL ||
                 value.kind == OPD_ITERATOR;
    if (walks || (value.kind == OPD_VALUE && !is_constant_value(value.value))) {
        fail(f, symbol->constant.value->span, "'%s' is not a constant that kjit can evaluate",
             symbol->name);
        return operand_error(span);
    }
    return value;
}

static Operand lower_constant(FnState *f, Symbol *symbol, Span span)
{
    static Operand in_progress;
    const char *key = arena_printf(f->arena, "%p", (void *)symbol);
    Operand *known = table_get(&f->lower->constants, key);
    if (known == &in_progress) {
        fail(f, symbol->span, "the constant '%s' depends on itself", symbol->name);
        return operand_error(span);
    }
    if (!known) {
        table_put(&f->lower->constants, key, &in_progress);
        known = arena_new(f->arena, Operand);
        *known = evaluate_constant(f, symbol, span);
        table_put(&f->lower->constants, key, known);
    }
    Operand operand = *known;
    operand.span = span;
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

Operand lower_symbol(FnState *f, Symbol *symbol, Span span)
{
    switch (symbol->kind) {
    case SYMBOL_FUNCTION:
        return (Operand){ .kind = OPD_FUNCTION, .span = span, .function = symbol->function };
    case SYMBOL_BUILTIN: {
        Operand found = builtin_find(f->arena, symbol->path, span);
        if (found.kind == OPD_ERROR)
            found = library_find(f, symbol->path, span);
        if (found.kind == OPD_ERROR)
            library_missing(f, symbol->path, span);
        return found;
    }
    case SYMBOL_CONSTANT:
        return lower_constant(f, symbol, span);
    case SYMBOL_ENUM:
        return (Operand){ .kind = OPD_ENUM, .span = span, .enumeration = symbol->enumeration };
    }
    return operand_error(span);
}

/* ---- parameters --------------------------------------------------------------------------- */

/* The type that an annotation demands, or NULL for Python's own annotations, which say nothing. */
static const Type *annotated_type(FnState *f, const AstExpr *annotation)
{
    const AstExpr *base = annotation->kind == AST_INDEX ? annotation->index.object : annotation;
    const char *name = base->kind == AST_NAME        ? base->name.name
                       : base->kind == AST_ATTRIBUTE ? base->attribute.name
                                                     : NULL;
    static const char *const silent[] = { "int", "float", "bool", "complex", "ndarray", "tuple" };
    for (size_t i = 0; name && i < ARRAY_COUNT(silent); i++)
        if (strcmp(name, silent[i]) == 0)
            return NULL;
    if (!name || !type_by_name(name))
        return NULL;
    return lower_type(f, annotation);
}

/* Whether an argument may be passed where an annotation says `wanted`. */
static bool accepts(const Type *wanted, const Type *given)
{
    if (type_is_tuple(wanted) && type_is_tuple(given)) {
        bool fits = wanted->tuple.count == given->tuple.count;
        for (int i = 0; fits && i < wanted->tuple.count; i++)
            fits = accepts(wanted->tuple.items[i], given->tuple.items[i]);
        return fits;
    }
    if (type_is_array(wanted) && type_is_array(given))
        return wanted->array.element == given->array.element &&
               wanted->array.rank == given->array.rank &&
               (wanted->array.layout == LAYOUT_A || wanted->array.layout == given->array.layout);
    return typing_can_store(given, wanted);
}

/* The variables of parameters come before all others. */
static void make_params(FnState *f, const Operand *args, int count)
{
    for (int i = 0; i < count; i++) {
        const AstParam *param = &f->function->ast->params.items[i];
        if (args[i].kind == OPD_VALUE)
            ir_var_new(f->arena, f->fn, param->name, args[i].value->type, VAR_PARAM, param->span)
                ->param = f->fn->param_count++;
    }
}

/* A plain tuple takes the names of the namedtuple that its annotation is; NULL for all else. */
static const Type *named_annotation(FnState *f, const AstExpr *annotation, const Type *type)
{
    Symbol *symbol =
        annotation->kind == AST_NAME ? module_symbol(f->module, annotation->name.name) : NULL;
    if (!symbol || symbol->kind != SYMBOL_CONSTANT || !type_is_tuple(type) || type->tuple.names)
        return NULL;
    Operand operand = lower_symbol(f, symbol, annotation->span);
    return operand.kind == OPD_NAMED && operand.named->count == type->tuple.count
               ? type_tuple_named(f->types, type->tuple.items, type->tuple.count,
                                  &operand.named->names)
               : NULL;
}

/* Binds one parameter: to its variable, or to a converted copy where a type was declared. */
static void bind_param(FnState *f, int index, int value_index, Operand arg, const Type *declared)
{
    const AstParam *param = &f->function->ast->params.items[index];
    Name *name = env_name(f, param->name);
    if (arg.kind != OPD_VALUE) {
        Operand *copy = arena_new(f->arena, Operand);
        *copy = arg.kind == OPD_LITERAL ? operand_value(arg.value) : arg;
        env_bind(f, name, (Binding){ .kind = BIND_OPERAND, .span = param->span, .operand = copy });
        return;
    }
    const Type *type = arg.value->type;
    IrVar *var = f->fn->vars[value_index];
    if (!declared && param->annotation)
        declared = named_annotation(f, param->annotation, type);
    const Type *annotated = param->annotation ? annotated_type(f, param->annotation) : NULL;
    if (annotated && !accepts(annotated, type)) {
        fail(f, param->annotation->span, "'%s' is declared as %s, but the call gives %s",
             param->name, type_name(f->arena, annotated), type_name(f->arena, type));
        annotated = NULL;
    }
    if (declared && declared != type) {
        IrVar *copy = ir_var_new(f->arena, f->fn, param->name, declared, VAR_LOCAL, param->span);
        IrValue *value = convert(f, ir_var(f->arena, var, param->span), declared, param->span);
        emit(f, ir_set(f->arena, copy, value, param->span));
        var = copy;
    } else if (annotated && type_is_scalar(annotated) && annotated != type) {
        fail(f, param->annotation->span, "'%s' is declared as %s, but the call gives %s",
             param->name, type_name(f->arena, annotated), type_name(f->arena, type));
    }
    env_bind(f, name, (Binding){ .kind = BIND_VAR, .span = param->span, .var = var });
}

/* ---- one function ------------------------------------------------------------------------- */

static void reset(FnState *f)
{
    table_init(&f->names, f->arena);
    f->log_count = 0;
    f->loop = NULL;
    f->untyped = NULL;
    f->again = false;
    f->reachable = true;
    f->fn->var_count = f->fn->param_count = 0;
    f->fn->body = (IrRegion){ 0 };
    f->region = &f->fn->body;
}

/* Drops what earlier passes specialised with types that did not last. */
static void forget_failures(Lower *lower)
{
    Table *table = &lower->specialisations;

    for (size_t i = 0; lower->failures && i < table->capacity; i++) {
        Specialisation *list = table->slots[i].name ? table->slots[i].value : NULL;
        Specialisation **link = &list;
        while (*link)
            if ((*link)->done && (*link)->failed)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        table->slots[i].value = list;
    }
    lower->failures = false;
}

/* A function that returns something elsewhere comes to its end. */
static void return_none(FnState *f)
{
    Specialisation *s = f->specialisation;
    Span span = f->function->ast->name_span;
    if (s->declared && !type_is_optional(s->result)) {
        fail(f, span, "'%s' returns %s on one path and nothing on another", f->function->name,
             type_name(f->arena, s->result));
        return;
    }
    const Type *result = typing_unify(f->types, s->result, type_none);
    if (result != s->result)
        f->again = true;
    s->result = result;
    IrStmt *ir = ir_stmt(f->arena, IR_RETURN, span);
    ir->return_.value = ir_zero(f->arena, result, span);
    emit(f, ir);
}

static void lower_once(FnState *f, const Type *const *declared)
{
    Specialisation *s = f->specialisation;
    reset(f);
    make_params(f, s->args, s->arg_count);
    for (int i = 0, value = 0; i < s->arg_count; i++) {
        bind_param(f, i, value, s->args[i], declared ? declared[i] : NULL);
        value += s->args[i].kind == OPD_VALUE;
    }
    lower_body(f, &f->function->ast->body);
    if (f->reachable && s->result && s->result->kind != TY_NONE && !f->fn->kernel)
        return_none(f);
}

/* Lowers until no loop's types widen any more. Complaints of passes before the last are void. */
static bool lower_until_stable(FnState *f, const Type *const *declared)
{
    Diags *diags = f->lower->diags;
    size_t mark = diags->count, errors = diags->errors;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        diags_truncate(diags, mark);
        forget_failures(f->lower);
        lower_once(f, declared);
        if (!f->again && f->untyped && diags->errors == errors)
            fail(f, f->function->ast->name_span, "'%s' is used before it is assigned", f->untyped);
        if (!f->again)
            return diags->errors == errors;
    }
    fail(f, f->function->ast->name_span, "the types of '%s' do not settle", f->fn->name);
    return false;
}

/* A name for the function that no other of the unit has. */
static const char *unique_name(Lower *lower, const char *name)
{
    const char *unique = name;
    for (int i = 2; table_get(&lower->names, unique); i++)
        unique = arena_printf(lower->arena, "%s_%d", name, i);
    return unique;
}

/* What calls itself cannot be put in the place of its calls, as what waits for other threads must be on
** the processor. Its calls keep their order: they might not come back. */
static void check_recursion(FnState *f, Specialisation *s)
{
    IrFunc *fn = s->fn;
    if (fn->effects & (EFFECT_BLOCK_SYNC | EFFECT_WARP_SYNC)) {
        fail(f, fn->span,
             "'%s' calls itself and waits for other threads, which cannot be compiled; write a "
             "loop",
             fn->name);
        s->failed = true;
    }
    if (!s->failed && ir_is_endless(fn)) {
        fail(f, fn->span, "'%s' calls itself on every path: no call of it could return", fn->name);
        s->failed = true;
    }
    fn->effects |= EFFECT_IO;
}

static bool check_escape(FnState *f)
{
    const IrStmt *escape = ir_escape(f->arena, f->fn);
    if (escape)
        fail(f, escape->span,
             "a local array does not outlive '%s'; take one as an argument instead", f->fn->name);
    return !escape;
}

static void lower_specialisation(Lower *lower, Specialisation *s, Span call)
{
    const Function *function = s->function;
    IrFunc *fn = arena_new(lower->arena, IrFunc);
    *fn = (IrFunc){ .name = unique_name(lower, library_function_name(lower, function)),
                    .kernel = s->entry,
                    .ast = function->ast,
                    .span = function->ast->name_span,
                    .options = function->options,
                    .result = type_none,
                    .effects = EFFECT_ORDERED }; /* until they are known */
    if (s->entry)
        lower->debug = function->options.debug || lower->request->debug;
    if (s->entry)
        lower->nep50 = function->options.nep50;
    fn->options.debug = lower->debug;
    fn->options.nep50 = lower->nep50 && !library_has(lower, function->module);
    fn->options.fastmath |= lower->request->fastmath;
    s->fn = fn;
    table_put(&lower->names, fn->name, fn);
    FnState f = { .lower = lower,
                  .arena = lower->arena,
                  .types = lower->types,
                  .module = function->module,
                  .function = function,
                  .fn = fn,
                  .specialisation = s };
    size_t mark = lower->diags->count;
    Signature declared = { 0 };
    bool chosen = !s->entry || function->signatures.count == 0 ||
                  signature_choose(&f, function, s->args, call, &declared);
    s->failed = !chosen || !lower_until_stable(&f, declared.params) || !check_escape(&f);
    s->done = true;
    remarks_take(lower, s, mark);
    fn->result = s->result ? s->result : type_none;
    fn->recursive = s->recursive;
    fn->effects = EFFECT_NONE; /* of its calls of itself, while the rest is counted */
    fn->effects = ir_region_effects(&fn->body);
    if (s->recursive)
        check_recursion(&f, s);
    lower->failures |= s->failed;
    if (!fn->kernel)
        array_push(lower->arena, lower->unit->functions, lower->unit->count,
                   lower->unit->capacity) = fn;
}

/* ---- device functions ----------------------------------------------------------------------- */

static bool same_arg(const Operand *a, const Operand *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case OPD_VALUE:
        return a->value->type == b->value->type;
    case OPD_TYPE:
        return a->type == b->type;
    case OPD_FUNCTION:
        return a->function == b->function;
    case OPD_INTRINSIC:
        return a->intrinsic == b->intrinsic;
    case OPD_STRING:
        return a->string.length == b->string.length &&
               memcmp(a->string.text, b->string.text, a->string.length) == 0;
    case OPD_LITERAL:
        return literal_same(a->value, b->value);
    case OPD_FIXED:
        return a->fixed == b->fixed;
    case OPD_NONE:
        return true;
    default:
        return false;
    }
}

static Specialisation *find_specialisation(const Lower *lower, const Function *function,
                                           const Operand *args, int count, Span place)
{
    for (Specialisation *s = table_get(&lower->specialisations, function->name); s; s = s->next) {
        bool same = !s->entry && s->function == function && s->arg_count == count &&
                    same_place(s->place, place);
        for (int i = 0; same && i < count; i++)
            same = same_arg(&s->args[i], &args[i]);
        if (same)
            return s;
    }
    return NULL;
}

static Specialisation *new_specialisation(Lower *lower, const Function *function,
                                          const Operand *args, int count)
{
    Specialisation *s = arena_new(lower->arena, Specialisation);
    Operand *copy = arena_array(lower->arena, Operand, count + 1);
    memcpy(copy, args, (size_t)count * sizeof(args[0]));
    *s = (Specialisation){ .next = table_get(&lower->specialisations, function->name),
                           .function = function,
                           .args = copy,
                           .arg_count = count };
    table_put(&lower->specialisations, function->name, s);
    return s;
}

static const char *describe_call(FnState *f, const Function *function, const Operand *args,
                                 int count)
{
    Buf out;
    buf_init(&out, f->arena);
    buf_printf(&out, "%s(", function->name);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "",
                   args[i].kind == OPD_VALUE ? type_name(f->arena, args[i].value->type)
                                             : describe(f, args[i]));
    buf_putc(&out, ')');
    return buf_text(&out);
}

Specialisation *specialise(FnState *f, const Function *function, Operand *args, int count,
                           Span call)
{
    Lower *lower = f->lower;
    const Type *result = NULL;
    bool declared = function->signatures.count > 0;
    if (declared && !signature_apply(f, function, args, call, &result))
        return NULL;
    if (!declared)
        literal_arguments(f, function, args, count);
    bool library = library_is(lower, function->module);
    bool enters = library && !lower->library_called;
    Span place = { 0 };
    if (library && lower->debug)
        place = enters ? call : lower->library_call;
    Specialisation *s = find_specialisation(lower, function, args, count, place);
    if (s && !s->done) {
        if (s == f->specialisation) {
            if (!s->recursive && !s->result)
                f->again = true; /* the result is known when this pass is through */
            s->recursive = true;
            return s;
        }
        fail(f, call,
             "'%s' and '%s' call each other; only a function that calls itself can be "
             "typed",
             function->name, f->fn->name);
        return NULL;
    }
    if (s)
        return s->failed ? NULL : s;
    if (++lower->depth > MAX_DEPTH) {
        fail(f, call,
             "calls are nested too deeply here: '%s' seems to call itself with ever new "
             "types",
             function->name);
        lower->depth--;
        return NULL;
    }
    s = new_specialisation(lower, function, args, count);
    s->result = result;
    s->declared = result != NULL;
    s->place = place;
    if (enters) {
        lower->library_called = function;
        lower->library_call = call;
    }
    size_t mark = lower->diags->count;
    lower_specialisation(lower, s, call);
    if (enters)
        lower->library_called = NULL;
    if (!declared && s->retry && s->failed && literal_arguments(f, function, args, count)) {
        diags_truncate(lower->diags, mark);
        lower->depth--;
        return specialise(f, function, args, count, call);
    }
    lower->depth--;
    if (s->failed && lower->depth < NOTED_DEPTH && !library)
        diag_note(lower->diags, call, "in the call %s", describe_call(f, function, args, count));
    return s->failed ? NULL : s;
}

/* ---- the unit ------------------------------------------------------------------------------ */

static void mark_value(Table *used, const IrValue *value)
{
    if (value->op == OP_call)
        table_put(used, value->callee->name, value->callee);
    for (int i = 0; i < value->count; i++)
        mark_value(used, value->operands[i]);
}

static void mark_visit(void *context, IrValue *value)
{
    mark_value(context, value);
}

static void mark_region(Table *used, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_value(stmt, mark_visit, used);
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            mark_region(used, regions[i]);
    }
}

/* Leaves out functions that only passes since thrown away have called. Callees come before callers,
** so one walk from the back finds all that are reached. */
static void prune(IrUnit *unit)
{
    Table used;
    table_init(&used, unit->arena);
    mark_region(&used, &unit->kernel->body);
    for (int i = unit->count - 1; i >= 0; i--)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            mark_region(&used, &unit->functions[i]->body);
    int kept = 0;
    for (int i = 0; i < unit->count; i++)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            unit->functions[kept++] = unit->functions[i];
    unit->count = kept;
}

static bool check_defines(Lower *lower)
{
    size_t errors = lower->diags->errors;
    for (int i = 0; i < lower->request->define_count; i++) {
        const Define *define = &lower->request->defines[i];
        const Symbol *symbol = module_symbol(lower->request->module, define->name);
        if (symbol && symbol->kind == SYMBOL_CONSTANT)
            continue;
        int count;
        const char **names = module_names(lower->request->module, lower->arena, &count);
        const char *near = diag_nearest(define->name, names, (size_t)count);
        diag_error(lower->diags, (Span){ 0 }, "-D %s: the module has no constant '%s'%s%s%s",
                   define->name, define->name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
    return lower->diags->errors == errors;
}

/* The kernel's arguments: values without a definition, of which only the types count. */
static Operand *kernel_args(Lower *lower, const Function *kernel, Signature signature)
{
    Operand *args = arena_array(lower->arena, Operand, signature.count + 1);
    for (int i = 0; i < signature.count; i++)
        args[i] = operand_value(ir_value(lower->arena, OP_zero, signature.params[i],
                                         kernel->ast->params.items[i].span, 0));
    return args;
}

static void explain_types(Lower *lower, const Function *kernel, Signature signature)
{
    Buf out;
    buf_init(&out, lower->arena);
    signature_print(&out, kernel->name, signature);
    diag_note(lower->diags, kernel->ast->name_span, "in the call %s", buf_text(&out));
}

static size_t parameter_bytes(Signature signature)
{
    size_t bytes = 0;
    for (int i = 0; i < signature.count; i++)
        bytes += (type_size(signature.params[i]) + 15) / 16 * 16;
    return bytes;
}

IrUnit *ir_lower(Arena *arena, Types *types, Diags *diags, const LowerRequest *request)
{
    Lower lower = { .arena = arena, .types = types, .diags = diags, .request = request };
    lower.unit = arena_new(arena, IrUnit);
    lower.unit->arena = arena;
    table_init(&lower.names, arena);
    table_init(&lower.constants, arena);
    table_init(&lower.libraries, arena);
    table_init(&lower.literals, arena);
    table_init(&lower.signatures, arena);
    table_init(&lower.specialisations, arena);
    const Function *kernel = module_function(request->module, request->kernel);
    if (!kernel || !kernel->kernel) {
        diag_error(diags, (Span){ 0 }, "there is no kernel '%s' in this module", request->kernel);
        return NULL;
    }
    if (request->signature.count != kernel->ast->params.count) {
        diag_error(diags, kernel->ast->name_span, "'%s' takes %d argument%s, and %d %s given",
                   kernel->name, kernel->ast->params.count,
                   kernel->ast->params.count == 1 ? "" : "s", request->signature.count,
                   request->signature.count == 1 ? "was" : "were");
        return NULL;
    }
    if (parameter_bytes(request->signature) > MAX_PARAM_BYTES) {
        diag_error(
            diags, kernel->ast->name_span,
            "the arguments take %zu bytes, and a GPU's kernel at most %d; put them in arrays",
            parameter_bytes(request->signature), MAX_PARAM_BYTES);
        return NULL;
    }
    if (request->signature.count > MAX_PARAMS) {
        diag_error(diags, kernel->ast->name_span, "a kernel has at most %d parameters", MAX_PARAMS);
        return NULL;
    }
    if (!check_defines(&lower))
        return NULL;
    Operand *args = kernel_args(&lower, kernel, request->signature);
    Specialisation *s = new_specialisation(&lower, kernel, args, request->signature.count);
    s->entry = true;
    lower_specialisation(&lower, s, kernel->ast->name_span);
    if (s->failed) {
        explain_types(&lower, kernel, request->signature);
        return NULL;
    }
    lower.unit->kernel = s->fn;
    prune(lower.unit);
    if (request->remarks)
        remarks_give(&lower);
    return lower.unit;
}
