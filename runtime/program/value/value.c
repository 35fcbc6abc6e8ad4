/* Expressions given as text: NAME=VALUE, @example, @tune, -D. A program of its own evaluates each,
** in which there are, beside what every program has, the names of the launch and of the values
** before it, then the module's constants and functions. What is built in is there without `np.` in
** front. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

/* ---- values as a program's ------------------------------------------------------------------ */

HostValue value_of_scalar(const kjit_arg *arg)
{
    const double *parts = arg->as.complex_parts;
    return arg->dtype == KJIT_DTYPE_BOOL         ? host_bool(arg->as.integer)
           : arg->dtype == KJIT_DTYPE_INT64      ? host_int(arg->as.integer)
           : arg->dtype == KJIT_DTYPE_FLOAT64    ? host_float(arg->as.number)
           : arg->dtype == KJIT_DTYPE_COMPLEX128 ? host_complex(parts[0], parts[1])
                                                 : host_number(arg->dtype, arg);
}

/* Memory that the program does not own as a block: one for all views of a block of the values. */
static HostBlock *borrow(Program *p, const kjit_array *array, bool readable)
{
    int64_t low, high;
    array_span(array, &low, &high);
    char *begin = (char *)array->data + low;
    uint64_t bytes = (uint64_t)(high - low);
    for (const ValueBlock *own = p->values->blocks; readable && own; own = own->next)
        if (begin >= own->begin && begin < own->end) {
            begin = own->begin;
            bytes = (uint64_t)(own->end - own->begin);
            break;
        }
    for (HostObject *object = p->objects; object; object = object->next) {
        HostBlock *block = (HostBlock *)object;
        if (object->kind == HOST_BLOCK && !block->raw && block->begin == begin &&
            block->bytes == bytes)
            return block;
    }
    HostBlock *block = block_new(p);
    block->begin = begin;
    block->bytes = bytes;
    block->host_current = readable;
    block->unwritten = (array->flags & KJIT_UNWRITTEN) != 0;
    return block;
}

static HostValue of_arg(Program *p, const kjit_arg *arg, bool readable)
{
    if (arg->kind == KJIT_ARG_SCALAR)
        return value_of_scalar(arg);
    if (arg->kind == KJIT_ARG_ARRAY) {
        kjit_array view = arg->as.array;
        view.flags &= KJIT_READONLY;
        return host_object(host_array_of(p, borrow(p, &arg->as.array, readable), &view));
    }
    HostValue tuple = host_items(p, HOST_TUPLE, NULL, 0);
    for (size_t i = 0; i < arg->as.tuple.count; i++)
        host_append(p, tuple.list, of_arg(p, &arg->as.tuple.items[i], readable));
    return tuple;
}

static HostValue of_value(Program *p, const Value *value)
{
    switch (value->kind) {
    case VALUE_ARG:
        return of_arg(p, &value->arg, false);
    case VALUE_STRING:
        return host_text(p, value->text);
    case VALUE_DTYPE:
        return dtype_value(value->dtype, value->record);
    default:
        return host_none();
    }
}

/* ---- and back ------------------------------------------------------------------------------- */

static bool as_dtype(Program *p, HostValue value, Value *out)
{
    kjit_array like = { 0 };
    if (!element_from(p, value, &like))
        return false;
    out->kind = VALUE_DTYPE;
    out->dtype = like.dtype;
    out->record = like.record;
    return true;
}

static bool as_value(Program *p, HostValue value, Value *out)
{
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (value.kind == HOST_NONE) {
        out->kind = VALUE_NONE;
        return true;
    }
    if (value.kind == HOST_STRING) {
        out->kind = VALUE_STRING;
        out->text = arena_strndup(p->arena, value.string->text, value.string->length);
        return true;
    }
    if (value.kind == HOST_DTYPE || host_is_type(value))
        return as_dtype(p, value, out);
    out->kind = VALUE_ARG;
    return host_argument(p, p->values, value, &out->arg);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool defines(const AstStmt *stmt, const char *name)
{
    return stmt->kind == AST_DEF && !stmt->def.function.decorators.count &&
           strcmp(stmt->def.function.name, name) == 0;
}

static const AstFunction *function_in(const AstModule *ast, const char *name)
{
    const AstFunction *found = NULL;
    for (int i = 0; ast && i < ast->body.count; i++)
        if (defines(ast->body.items[i], name))
            found = &ast->body.items[i]->def.function;
    return found;
}

/* A function of the module, or of what it imports, which is interpreted. */
static const AstFunction *function_of(const kjit_module *module, const char *name)
{
    const AstFunction *found = function_in(module->main->ast, name);
    for (const ModulePart *part = module->parts; part && !found; part = part->next)
        found = function_in(part->ast, name);
    return found;
}

static bool binds(const AstStmt *stmt, const char *name)
{
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        if (strcmp(alias->as ? alias->as : alias->name, name) == 0)
            return true;
    }
    return false;
}

/* `import numpy as xp`: the statement that binds the name is run. */
static bool imported(Program *p, const char *name, bool *found, HostValue *out)
{
    const AstModule *ast = p->module->main->ast;
    for (int i = 0; ast && i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        if ((stmt->kind != AST_IMPORT && stmt->kind != AST_FROM_IMPORT) || !binds(stmt, name))
            continue;
        if (!host_import(p, stmt))
            return false;
        HostName *slot = env_find(p->globals, name);
        *found = slot && slot->value.kind != HOST_FOREIGN;
        if (*found)
            *out = slot->value;
        else if (slot)
            slot->bound = false;
    }
    return true;
}

/* What the module means by a name, evaluated where it stands. */
static bool constant(Program *p, const char *name, bool *found, HostValue *out)
{
    const AstExpr *expr = value_constant(p->eval, name);
    const AstFunction *function = expr ? NULL : function_of(p->module, name);
    *found = expr || function;
    if (!*found)
        return true;
    if (table_get(&p->given, name))
        return host_fail(p, "NameError", "'%s' is defined by itself", name);
    table_put(&p->given, name, (void *)(uintptr_t)name);
    HostFrame frame = { .caller = p->frame, .name = "<module>", .env = p->globals };
    p->frame = &frame;
    bool fine = expr ? host_eval(p, expr, out) : host_function(p, function, out);
    p->frame = frame.caller;
    table_put(&p->given, name, NULL);
    return fine && host_settle(p, out);
}

/* A namedtuple is a tuple, as launches know no names. */
static bool make_namedtuple(Program *p, HostArgs *args, HostValue *out)
{
    return host_give(out, host_items(p, HOST_TUPLE, args->values, args->count));
}

static const HostBuiltin namedtuple = { "namedtuple", 0, -1, make_namedtuple, NULL };

static bool find_name(Program *p, const char *name, bool *found, HostValue *out)
{
    Value value = { .kind = VALUE_MISSING };
    const kjit_arg *set = kjit_values_get(p->values, name);
    *found = true;
    if (p->eval->look && p->eval->look(p->eval->look_context, name, &value))
        return host_give(out, of_value(p, &value));
    if (set)
        return host_give(out, of_arg(p, set, true));
    *found = p->module && module_namedtuple(p->module->main->module, name);
    if (*found)
        *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = &namedtuple };
    if (*found || !p->module)
        return true;
    return constant(p, name, found, out) && (*found || imported(p, name, found, out));
}

bool value_name(Program *p, const char *name, bool *found, HostValue *out)
{
    bool fine = find_name(p, name, found, out);
    if (fine && *found)
        env_set(p, p->globals, name, *out);
    return fine;
}

/* Says of x.npy[::2] what it means, if a name begins such a path; false if it does not. */
static bool is_path(Program *p, const AstExpr *expr)
{
    const char *text = expr->span.source->text + expr->span.begin;
    size_t length = strcspn(text, "[],+*= \t\n)");
    const char *index = text + length;
    if (!path_stands_alone(text, length))
        return false;
    host_raise(p, expr->span, "NameError",
               "there is no value '%s'; did you mean 'load(\"%.*s\")%.*s'?", expr->name.name,
               (int)length, text, *index == '[' ? (int)strcspn(index, "]") + 1 : 0, index);
    return true;
}

bool value_no_name(Program *p, const AstExpr *expr)
{
    enum { NAMES_MOST = 512 };
#define DTYPE_CALLED(NAME, name, bytes) #name,
    static const char *const dtypes[] = { KJIT_DTYPE_MAP(DTYPE_CALLED) };
#undef DTYPE_CALLED
    const char *names[NAMES_MOST], *name = expr->name.name;
    size_t count = 0;
    bool called = expr->span.source->text[expr->span.end] == '(';
    if (is_path(p, expr))
        return false;
    for (; count < p->values->count && count < NAMES_MOST / 2; count++)
        names[count] = p->values->list[count].name;
    if (called)
        count = value_names(names, count, NAMES_MOST);
    for (size_t i = 0; !called && i < ARRAY_COUNT(dtypes); i++)
        names[count++] = dtypes[i];
    const char *what = called ? "function" : "value", *near = diag_nearest(name, names, count);
    if (near)
        return host_raise(p, expr->span, "NameError", "there is no %s '%s'; did you mean '%s'?",
                          what, name, near);
    if (called)
        return host_raise(p, expr->span, "NameError",
                          "there is no function '%s': docs/values.md lists what is there", name);
    return host_raise(p, expr->span, "NameError",
                      "there is no value '%s': no value before it is called that, nor a constant "
                      "of the module",
                      name);
}

/* ---- evaluating ----------------------------------------------------------------------------- */

typedef struct EvalTask {
    Program program;
    Eval *eval;
    const AstExpr *expr;
    Value *out;
    bool fine;
} EvalTask;

/* The exception as an error at its place. */
static void complain(Program *p, Span whole)
{
    enum { STEPS_SHOWN = 3 };
    Eval *eval = p->eval;
    Buf text = buf_in(eval->arena);
    host_str(p, &text, host_object(p->exception));
    char *message = (char *)(uintptr_t)(text.length ? buf_text(&text) : p->exception->class_);
    char *note = strstr(message, "\nnote: ");
    const Span span = p->trace_count && p->traces[0].span.source ? p->traces[0].span : whole;
    if (note)
        *note = '\0';
    if (p->status != KJIT_OK && p->status != KJIT_ARGUMENT && p->status != KJIT_INVALID)
        eval->status = p->status;
    diag_error(eval->diags, span, "%s", message);
    for (size_t i = 1; i < p->trace_count && i < STEPS_SHOWN; i++)
        if (strcmp(p->traces[i - 1].name, "<module>") != 0)
            diag_note(eval->diags, p->traces[i].span, "%s() is called here", p->traces[i - 1].name);
    if (note)
        diag_note(eval->diags, (Span){ 0 }, "%s", note + strlen("\nnote: "));
}

static kjit_status evaluate(void *context, Arena *arena)
{
    enum { STACK_MOST = 512 << 10 };
    EvalTask *task = context;
    Program *p = &task->program;
    HostFrame frame;
    HostValue value;
    program_start(p, arena, &frame);
    p->eval = task->eval;
    p->values = task->eval->values;
    p->module = (kjit_module *)(uintptr_t)task->eval->module;
    p->context = p->module ? p->module->context : NULL;
    p->directory = task->eval->directory;
    p->stack_limit = p->stack_limit < STACK_MOST ? p->stack_limit : STACK_MOST;
    task->fine = host_eval(p, task->expr, &value) && as_value(p, value, task->out);
    if (!task->fine)
        complain(p, task->expr->span);
    return KJIT_OK;
}

bool value_eval(Eval *eval, const AstExpr *expr, Value *out)
{
    EvalTask task = { .eval = eval, .expr = expr, .out = out };
    jmp_buf *exhausted = eval->arena->exhausted;
    *out = (Value){ .span = expr->span };
    kjit_status status = arena_catch(eval->arena, evaluate, &task);
    eval->arena->exhausted = exhausted;
    host_free_all(&task.program);
    if (status != KJIT_OK)
        arena_give_up(eval->arena);
    return task.fine;
}
