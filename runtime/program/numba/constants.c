/* What the program has computed of the names that a kernel reads, as the texts of defines, which
** stand for it when the kernel is compiled. */
#include "runtime/array/array.h"
#include "runtime/program/kernels.h"

#include <math.h>
#include <string.h>

static void float_text(Buf *out, double number)
{
    if (isfinite(number))
        float_repr(out, number);
    else
        buf_puts(out, isnan(number) ? "np.nan" : number < 0 ? "-np.inf" : "np.inf");
}

/* A number, or lists of them, as an expression: what Python writes inf and nan has no such name,
** and 1-0j is 1+0j. */
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

/* The text that stands for an array of the device, which becomes an argument of launches. */
static bool captured_text(Captures *captures, HostValue array, const char *name, Buf *out)
{
    if (captures->count == (int)ARRAY_COUNT(captures->list))
        return false;
    buf_printf(out, "cuda.captured(%d)", captures->count);
    captures->names[captures->count] = name;
    captures->list[captures->count++] = array;
    return true;
}

/* A value as the text of an expression that is it; false if none is. Without `captures` arrays of
** the device are constants as others are. */
static bool constant_text(Program *p, HostValue value, const char *name, Captures *captures,
                          Buf *out)
{
    if (value.kind == HOST_DTYPE) {
        buf_puts(out, kjit_dtype_name(value.dtype));
        return true;
    }
    if (value.kind == HOST_TUPLE || value.kind == HOST_LIST) {
        const bool tuple = value.kind == HOST_TUPLE;
        buf_putc(out, tuple ? '(' : '[');
        for (size_t i = 0; i < value.list->count; i++) {
            if (!constant_text(p, value.list->items[i], name, captures, out))
                return false;
            buf_puts(out, ", ");
        }
        buf_putc(out, tuple ? ')' : ']');
        return true;
    }
    if (value.kind == HOST_ARRAY && value.array->block->of_device && captures)
        return captured_text(captures, value, name, out);
    if (value.kind == HOST_ARRAY)
        return array_constant(p, value.array, out);
    if (value.kind == HOST_STRING)
        host_repr(p, out, value);
    else if (host_is_number(value))
        numbers_text(p, value, out);
    return value.kind == HOST_STRING || host_is_number(value);
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

/* Whether the module's text alone says what a name is: it is bound once, to a literal. */
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

static void define(Program *p, Defines *defines, const char *name, const char *value)
{
    array_push(&p->scratch, defines->list, defines->count, defines->capacity) =
        (kjit_define){ name, value };
}

/* The names of one environment, which is `place`, that the kernel reads and whose values the
** program has computed. */
static void find_names(Program *p, const HostKernel *kernel, const HostEnv *env, const char *place,
                       Defines *defines, Captures *captures)
{
    const kjit_module *module = env_module(kernel->closure)->module;
    for (size_t i = 0; i < env->capacity; i++) {
        const HostName *slot = &env->slots[i];
        Buf text;
        if (!slot->name || !slot->bound || (env->module && is_plain(env->module, slot->name)))
            continue;
        const char *name = arena_printf(&p->scratch, "%s@%s", slot->name, place);
        buf_init(&text, &p->scratch);
        if (module_reads(&p->scratch, module->main->module, kernel->path, name) &&
            constant_text(p, slot->value, slot->name, captures, &text))
            define(p, defines, name, buf_text(&text));
    }
}

/* The names that the kernel reads and whose values the program has computed: of the functions
** around it, of its file and of those that it imports. */
static void find_constants(Program *p, const HostKernel *kernel, Defines *defines,
                           Captures *captures)
{
    const kjit_module *module = env_module(kernel->closure)->module;
    const HostEnv *env = kernel->closure;
    for (int level = 0; env->outer; env = env->outer) {
        const char *place =
            module_kernel_place(&p->scratch, module->main->module, kernel->path, level++);
        if (place)
            find_names(p, kernel, env, place, defines, captures);
    }
    find_names(p, kernel, env, module_place(&p->scratch, module->main->module), defines, captures);
    for (const HostFile *file = p->files; file; file = file->next)
        if (file->globals != env)
            find_names(p, kernel, file->globals, file->module->main->path, defines, captures);
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
