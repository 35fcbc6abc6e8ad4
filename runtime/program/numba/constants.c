/* What the program has computed of the names that a kernel reads, as the texts of defines, which
** stand for it when the kernel is compiled. */
#include "runtime/array/array.h"
#include "runtime/program/kernels.h"

#include <math.h>

static void float_text(Buf *out, double number)
{
    if (isfinite(number))
        float_repr(out, number);
    else
        buf_puts(out, isnan(number) ? "np.nan" : number < 0 ? "-np.inf" : "np.inf");
}

/* A number, or lists of them, as an expression: what Python writes inf, nan and np.True_ has no
** such name, and 1-0j is 1+0j. */
static void numbers_text(Program *p, HostValue value, Buf *out)
{
    double number;
    if (value.kind == HOST_LIST) {
        for (size_t i = 0; i < value.list->count; i++) {
            buf_puts(out, i ? ", " : "[");
            numbers_text(p, value.list->items[i], out);
        }
        buf_puts(out, value.list->count ? "]" : "[]");
    } else if (host_is_complex(value)) {
        const Complex parts = host_parts(value);
        buf_printf(out, "np.%s(complex(", kjit_dtype_name(host_dtype_of(value)));
        float_text(out, parts.real);
        buf_puts(out, ", ");
        float_text(out, parts.imaginary);
        buf_puts(out, "))");
    } else if (value.kind == HOST_FLOAT) {
        float_text(out, value.number);
    } else if (value.kind == HOST_NUMBER && host_double(p, value, &number) && !isfinite(number)) {
        buf_printf(out, "np.%s(", kjit_dtype_name(host_dtype_of(value)));
        float_text(out, number);
        buf_putc(out, ')');
    } else if (value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_BOOL) {
        buf_printf(out, "np.bool_(%s)", value.integer ? "True" : "False");
    } else {
        host_repr(p, out, value);
    }
}

static bool array_constant(Program *p, HostArray *array, Buf *out)
{
    enum { MOST = 4096 };
    HostValue list;
    const kjit_dtype dtype = array->view.dtype;
    kjit_array view = array->view;
    const bool wide = dtype == KJIT_DTYPE_UINT64; /* no int holds all of them */
    view.dtype = wide ? KJIT_DTYPE_INT64 : dtype;
    if (array_elements(&array->view) > MOST || !host_array_read(p, array) ||
        !host_array_list(p, host_array_of(p, array->block, &view), &list))
        return false;
    buf_puts(out, "np.array(");
    numbers_text(p, list, out);
    buf_printf(out, ", dtype=np.%s)%s",
               dtype == KJIT_DTYPE_BOOL ? "bool_" : kjit_dtype_name(view.dtype),
               wide ? ".view(np.uint64)" : "");
    return true;
}

static bool is_literal(const AstExpr *expr)
{
    if (expr->kind == AST_UNARY)
        return is_literal(expr->unary.operand);
    if (expr->kind == AST_TUPLE) {
        for (int i = 0; i < expr->list.items.count; i++)
            if (!is_literal(expr->list.items.items[i]))
                return false;
        return true;
    }
    return expr->kind == AST_INT || expr->kind == AST_FLOAT || expr->kind == AST_STRING ||
           expr->kind == AST_TRUE || expr->kind == AST_FALSE;
}

/* Whether a default value, NULL if there is none, is one that only running the program tells. */
static bool is_computed(const AstExpr *value)
{
    return value && value->kind != AST_NONE && !is_literal(value);
}

/* The functions that are among the values which stand for names: they read names, too. */
typedef struct Passed {
    const AstFunction **list;
    int count, capacity;
} Passed;

static void pass(Program *p, Passed *passed, const AstFunction *ast)
{
    for (int i = 0; i < passed->count; i++)
        if (passed->list[i] == ast)
            return;
    array_push(&p->scratch, passed->list, passed->count, passed->capacity) = ast;
}

/* What reads a value, and by which name. */
typedef struct ConstantReading {
    Program *program;
    const kjit_module *module;
    const HostEnv *globals; /* the module's names */
    const char *name;
    int depth;          /* of functions that others close over */
    Captures *captures; /* NULL: arrays of the device are constants as others are */
    Passed *passed;
} ConstantReading;

/* The text that stands for an array of the device, which becomes an argument of launches. */
static bool captured_text(const ConstantReading *reading, HostValue array, Buf *out)
{
    Captures *captures = reading->captures;
    if (captures->count == (int)ARRAY_COUNT(captures->list))
        return false;
    buf_printf(out, "cuda.captured(%d)", captures->count);
    captures->names[captures->count] = reading->name;
    captures->list[captures->count++] = array;
    return true;
}

static bool constant_text(const ConstantReading *reading, HostValue value, Buf *out);

/* Whether the statements of a function, or what decorates it, read a name from around it. */
static bool reads(const AstFunction *ast, const char *name)
{
    bool found = names_read_outside(&ast->body, name);
    for (int i = 0; i < ast->params.count; i++)
        found &= strcmp(ast->params.items[i].name, name) != 0;
    for (int i = 0; i < ast->decorators.count; i++)
        found |= ast_mentions(ast->decorators.items[i], name);
    return found;
}

/* What the default values became when the function was defined, where its text does not say that;
** `function` is NULL if there are none. */
static bool defaults_text(const ConstantReading *reading, const HostFunction *function, Buf *out)
{
    const AstParams *params = function ? &function->code->ast->params : NULL;
    for (int i = 0; params && i < params->count; i++) {
        if (!is_computed(params->items[i].default_value))
            continue;
        buf_printf(out, ", \"%s=\", ", params->items[i].name);
        if (!constant_text(reading, function->defaults[i], out))
            return false;
    }
    return true;
}

static bool has_computed_defaults(const AstFunction *ast)
{
    for (int i = 0; i < ast->params.count; i++)
        if (is_computed(ast->params.items[i].default_value))
            return true;
    return false;
}

static bool is_described(const kjit_module *module, const AstFunction *ast)
{
    return module_described(module->main->module, ast->name_span.begin) != NULL;
}

/* Whether a `def` of the module made a function to which its name does not lead: it stands in
** another function, or in a loop, or the name is bound anew below. */
static bool is_hidden(const kjit_module *module, const AstFunction *ast)
{
    return is_described(module, ast) && module_tree(module->main->module, ast->name) != ast;
}

/* Whether a name is bound once, to a literal. */
static bool is_plain(const kjit_module *module, const char *name)
{
    const AstBody *body = &module->main->ast->body;
    bool literal = false;
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.targets.items[0] : NULL;
        literal |= target && target->kind == AST_NAME && strcmp(target->name.name, name) == 0 &&
                   is_literal(stmt->assign.value);
    }
    return literal && env_bound_once(body, name);
}

static const AstFunction *function_of(HostValue value)
{
    return value.kind == HOST_FUNCTION ? value.function->code->ast
           : value.kind == HOST_KERNEL ? value.kernel->ast
                                       : NULL;
}

/* Whether the module's text alone says what a name of the module is: one that is bound once, to
** a literal, or a function by its own name. */
static bool is_known(const kjit_module *module, const HostName *slot)
{
    const AstFunction *ast = function_of(slot->value);
    return ast ? strcmp(ast->name, slot->name) == 0 && !is_hidden(module, ast) &&
                     !has_computed_defaults(ast)
               : is_plain(module, slot->name);
}

/* A function inside one that has been run, or one with default values: where it stands, its text if
** it is a lambda, its name if it stands in none; what the names around it hold; the defaults. */
static bool made_text(const ConstantReading *reading, const HostEnv *around, const AstFunction *ast,
                      const HostFunction *function, Buf *out)
{
    enum { DEEPEST = 8 };
    const Span span = ast->name_span;
    ConstantReading inner = *reading;
    if (inner.depth++ == DEEPEST)
        return false;
    if (strcmp(ast->name, "<lambda>") == 0)
        buf_printf(out, "cuda.made((%.*s)", (int)(span.end - span.begin),
                   span.source->text + span.begin);
    else if (is_described(reading->module, ast))
        buf_printf(out, "cuda.made(%u", span.begin);
    else
        return false;
    for (const HostEnv *env = around; env->outer; env = env->outer)
        for (size_t i = 0; i < env->capacity; i++) {
            const HostName *slot = &env->slots[i];
            if (!slot->name || !slot->bound || !reads(ast, slot->name))
                continue;
            buf_printf(out, ", \"%s\", ", slot->name);
            if (!constant_text(&inner, slot->value, out))
                return false;
        }
    if (!defaults_text(&inner, function, out))
        return false;
    buf_putc(out, ')');
    return true;
}

/* Whether the name of a function in the file leads to it, now and where defines are read. */
static bool has_name(const ConstantReading *reading, const HostEnv *around, const AstFunction *ast)
{
    const HostName *slot = around->outer ? NULL : env_find(around, ast->name);
    return slot && slot->bound && function_of(slot->value) == ast &&
           is_known(reading->module, slot);
}

/* That name, or what the function is made of; false if it is of another file. */
static bool function_text(const ConstantReading *reading, HostValue value, Buf *out)
{
    const HostKernel *kernel = value.kind == HOST_KERNEL ? value.kernel : NULL;
    const HostValue plain = kernel ? kernel->function : value;
    const HostFunction *function = plain.kind == HOST_FUNCTION ? plain.function : NULL;
    const HostEnv *around = kernel ? kernel->closure : function->closure;
    const AstFunction *ast = kernel ? kernel->ast : function->code->ast;
    pass(reading->program, reading->passed, ast);
    if (env_module((HostEnv *)(uintptr_t)around)->module != reading->module)
        return false;
    if (!has_name(reading, around, ast))
        return made_text(reading, around, ast, function, out);
    buf_puts(out, ast->name);
    return true;
}

/* Whether a statement of a module is what makes a class, or imports one, under that name: those of
** whom the compiler knows that it is one. */
static bool names_class(const AstStmt *stmt, const char *name)
{
    if (stmt->kind == AST_CLASS)
        return strcmp(stmt->class_.name, name) == 0;
    if (stmt->kind == AST_ASSIGN)
        return stmt->assign.targets.items[0]->kind == AST_NAME &&
               strcmp(stmt->assign.targets.items[0]->name.name, name) == 0 &&
               stmt->assign.value->kind == AST_CALL;
    for (int i = 0; stmt->kind == AST_FROM_IMPORT && i < stmt->import.count; i++)
        if (strcmp(ast_alias_name(&stmt->import.names[i]), name) == 0)
            return true;
    return false;
}

/* The name by which the text of the module knows a class; false: it has none there, or is what
** the name at hand holds. */
static bool class_text(const ConstantReading *reading, const HostClass *class_, Buf *out)
{
    const AstBody *body = &reading->module->main->ast->body;
    for (int i = 0; i < body->count; i++)
        for (size_t k = 0; k < reading->globals->capacity; k++) {
            const HostName *slot = &reading->globals->slots[k];
            if (!slot->name || !slot->bound || slot->value.kind != HOST_CLASS ||
                slot->value.class_ != class_ || !names_class(body->items[i], slot->name))
                continue;
            buf_puts(out, slot->name);
            return strcmp(slot->name, reading->name) != 0;
        }
    return false;
}

/* Color.RED; of flags, those that have a name of their own. */
static bool member_text(const ConstantReading *reading, const HostMember *member, Buf *out)
{
    if (!member->name || !env_find(member->class_->names, member->name) ||
        !class_text(reading, member->class_, out))
        return false;
    buf_printf(out, ".%s", member->name);
    return true;
}

static bool items_text(const ConstantReading *reading, HostValue value, Buf *out)
{
    const bool tuple = value.kind == HOST_TUPLE;
    if (value.list->class_ && !class_text(reading, value.list->class_, out))
        return false;
    buf_putc(out, tuple ? '(' : '[');
    for (size_t i = 0; i < value.list->count; i++) {
        if (!constant_text(reading, value.list->items[i], out))
            return false;
        buf_puts(out, ", ");
    }
    buf_putc(out, tuple ? ')' : ']');
    return true;
}

static bool dict_text(const ConstantReading *reading, const HostDict *dict, Buf *out)
{
    buf_putc(out, '{');
    for (size_t i = 0; i < dict->count; i++) {
        if (dict->entries[i].key.kind == HOST_KINDS)
            continue;
        if (!constant_text(reading, dict->entries[i].key, out))
            return false;
        buf_puts(out, ": ");
        if (!constant_text(reading, dict->entries[i].value, out))
            return false;
        buf_puts(out, ", ");
    }
    buf_putc(out, '}');
    return true;
}

/* A value as the text of an expression that is it; false if none is. */
static bool constant_text(const ConstantReading *reading, HostValue value, Buf *out)
{
    Program *p = reading->program;
    switch (value.kind) {
    case HOST_DTYPE:
    case HOST_TYPE:
        return numba_type_text(value, out);
    case HOST_TUPLE:
    case HOST_LIST:
        return items_text(reading, value, out);
    case HOST_DICT:
        return dict_text(reading, value.dict, out);
    case HOST_CLASS:
        return class_text(reading, value.class_, out);
    case HOST_MEMBER:
        return member_text(reading, value.member, out);
    case HOST_INT:
        if (!value.enumerated || !member_text(reading, value.enumerated, out))
            buf_printf(out, "%lld", (long long)value.integer);
        return true;
    case HOST_FUNCTION:
    case HOST_KERNEL:
        return function_text(reading, value, out);
    case HOST_BUILTIN:
        buf_puts(out, value.builtin->name);
        return true;
    case HOST_ARRAY:
        return value.array->block->of_device && reading->captures
                   ? captured_text(reading, value, out)
                   : array_constant(p, value.array, out);
    case HOST_STRING:
        host_repr(p, out, value);
        return true;
    default:
        if (host_is_number(value))
            numbers_text(p, value, out);
        return host_is_number(value);
    }
}

static void define(Program *p, Defines *defines, const char *name, const char *value)
{
    array_push(&p->scratch, defines->list, defines->count, defines->capacity) =
        (kjit_define){ name, value };
}

/* Whether a kernel, or a function that was passed to it, reads a name: `define` is the name with
** its place. */
static bool is_read(Program *p, const HostKernel *kernel, const Passed *passed, const char *name,
                    const char *define)
{
    const Module *module = env_module(kernel->closure)->module->main->module;
    if (module_reads(&p->scratch, module, kernel->path, define))
        return true;
    for (int i = 0; i < passed->count; i++) {
        const AstFunction *ast = passed->list[i];
        const bool own = module_tree(module, ast->name) == ast;
        if (own ? module_reads(&p->scratch, module, ast->name, define) : reads(ast, name))
            return true;
    }
    return false;
}

/* Passes on a function by whose name others that were passed read it. */
static void pass_known(Program *p, Passed *passed, const HostName *slot)
{
    const AstFunction *ast = function_of(slot->value);
    for (int i = 0; ast && i < passed->count; i++)
        if (reads(passed->list[i], slot->name)) {
            pass(p, passed, ast);
            return;
        }
}

static bool is_defined(const Defines *defines, const char *name)
{
    for (size_t i = 0; i < defines->count; i++)
        if (strcmp(defines->list[i].name, name) == 0)
            return true;
    return false;
}

/* The names of one environment, which is `place`, that the kernel reads and whose values the
** program has computed; those, too, that functions among these values read. */
static void find_names(Program *p, const HostKernel *kernel, const HostEnv *env, const char *place,
                       Defines *defines, Captures *captures, Passed *passed)
{
    const kjit_module *module = env_module(kernel->closure)->module;
    int known;
    do {
        known = passed->count;
        for (size_t i = 0; i < env->capacity; i++) {
            const HostName *slot = &env->slots[i];
            const ConstantReading reading = { p,          module, env_module(kernel->closure),
                                              slot->name, 0,      captures,
                                              passed };
            if (!slot->name || !slot->bound)
                continue;
            if (env->module && is_known(env->module, slot)) {
                pass_known(p, passed, slot);
                continue;
            }
            const char *name = arena_printf(&p->scratch, "%s@%s", slot->name, place);
            Buf text = buf_in(&p->scratch);
            if (!is_defined(defines, name) && is_read(p, kernel, passed, slot->name, name) &&
                constant_text(&reading, slot->value, &text))
                define(p, defines, name, buf_text(&text));
        }
    } while (passed->count > known);
}

/* The names that the kernel reads and whose values the program has computed: of the functions
** around it, of its file and of those that it imports. */
static void find_constants(Program *p, const HostKernel *kernel, Defines *defines,
                           Captures *captures)
{
    const kjit_module *module = env_module(kernel->closure)->module;
    const HostEnv *env = kernel->closure;
    Passed passed = { 0 };
    if (module_tree(module->main->module, kernel->path) != kernel->ast)
        pass(p, &passed, kernel->ast); /* its name is another's by the end of the module */
    for (int level = 0; env->outer; env = env->outer) {
        const char *place =
            module_kernel_place(&p->scratch, module->main->module, kernel->path, level++);
        if (place)
            find_names(p, kernel, env, place, defines, captures, &passed);
    }
    find_names(p, kernel, env, module_place(&p->scratch, module->main->module), defines, captures,
               &passed);
    for (const HostFile *file = p->files; file; file = file->next)
        if (file->globals != env)
            find_names(p, kernel, file->globals, file->module->main->path, defines, captures,
                       &passed);
}

bool constants_all(Program *p, const HostKernel *kernel, Defines *defines, Captures *captures)
{
    const kjit_module *module = env_module(kernel->closure)->module;
    for (int i = 0; i < module->define_count; i++)
        define(p, defines, module->defines[i].name,
               ast_expr_text(&p->scratch, module->defines[i].value));
    const size_t said = defines->count;
    find_constants(p, kernel, defines, captures);
    if (defines->count == said)
        defines->count = 0; /* as the module is loaded already */
    return !p->failed;
}

const Defines *constants_frozen(Program *p, const HostFunction *reader)
{
    const AstFunction *ast = reader->code->ast;
    const HostKernel like = { .ast = ast, .path = ast->name, .closure = reader->closure };
    Defines now = { .count = 0 };
    Defines *kept = arena_new(p->arena, Defines);
    if (!constants_all(p, &like, &now, NULL))
        return NULL;
    kept->list = arena_array(p->arena, kjit_define, now.count + 1);
    kept->count = now.count;
    for (size_t i = 0; i < now.count; i++)
        kept->list[i] = (kjit_define){ arena_strdup(p->arena, now.list[i].name),
                                       arena_strdup(p->arena, now.list[i].value) };
    return kept;
}
