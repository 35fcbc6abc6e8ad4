/* @vectorize, @guvectorize and @cuda.reduce: functions of scalars or of small arrays that become
** kernels over whole ones.
**
** The kernel stands behind the module's own text, in which the function has lost its decorators, so
** that it sees what the function sees; its place in the file stays what it is. @vectorize is an
** expression of arrays whose form is the call. @guvectorize calls the function once for each place
** of the axes that its layout does not name. @cuda.reduce has threads that take a part each, and
** what they leave is joined by the interpreted function. */
#include "runtime/program/compiled.h"
#include "runtime/program/ufunc.h"

enum { REDUCE_PARTS = 1024, REDUCE_LEAST = 256 };

/* What a lambda is called in the text that it is compiled in. */
static const char lambda_name[] = "lambda_";

/* ---- signatures ----------------------------------------------------------------------------- */

static kjit_dtype dtype_of(const AstExpr *expr)
{
    while (expr->kind == AST_INDEX) /* float64[:] */
        expr = expr->index.object;
    const char *name = ast_last_name(expr);
    if (strcmp(name, "boolean") == 0)
        return KJIT_DTYPE_BOOL;
    return value_dtype_named(name);
}

static bool no_signature(Program *p, const AstExpr *expr)
{
    return host_raise(p, expr->span, "TypeError",
                      "a signature is needed here, like 'float32(float32, float32)'");
}

/* One signature: a text, a call of types, or a tuple of the arguments' types. */
static bool add_signature(Program *p, HostUfunc *made, const AstExpr *expr)
{
    if (expr->kind == AST_STRING) {
        Diags diags;
        diags_init(&diags, p->arena);
        const Source *source =
            source_new(p->arena, "<signature>", expr->string.text, expr->string.length);
        const AstExpr *parsed = parse_expression(p->arena, &diags, source);
        return parsed && parsed->kind != AST_STRING ? add_signature(p, made, parsed)
                                                    : no_signature(p, expr);
    }
    const AstExprs *args = expr->kind == AST_CALL    ? &expr->call.args
                           : expr->kind == AST_TUPLE ? &expr->list.items
                                                     : NULL;
    if (!args || args->count > UFUNC_ARGS || made->signature_count == UFUNC_SIGNATURES)
        return no_signature(p, expr);
    UfuncSignature *signature = &made->signatures[made->signature_count++];
    *signature = (UfuncSignature){ .count = args->count };
    if (expr->kind == AST_CALL)
        signature->result = dtype_of(expr->call.function);
    for (int i = 0; i < args->count; i++) {
        signature->args[i] = dtype_of(args->items[i]);
        signature->rows[i] = args->items[i]->kind == AST_INDEX;
        if (signature->args[i] == KJIT_DTYPE_NONE)
            return no_signature(p, args->items[i]);
    }
    return true;
}

static bool add_signatures(Program *p, HostUfunc *made, const AstExpr *expr)
{
    if (expr->kind != AST_LIST)
        return add_signature(p, made, expr);
    for (int i = 0; i < expr->list.items.count; i++)
        if (!add_signature(p, made, expr->list.items.items[i]))
            return false;
    return true;
}

/* ---- the decorator -------------------------------------------------------------------------- */

/* The module's text with the function's decorators blanked out. */
static const char *plain_text(Program *p, const AstFunction *ast)
{
    const Source *source = env_module(p->frame->env)->module->main->source;
    char *text = arena_strndup(p->arena, source->text, strlen(source->text));
    for (int i = 0; i < ast->decorators.count; i++) {
        const Span span = ast->decorators.items[i]->span;
        uint32_t at = span.begin;
        while (at > 0 && text[at] != '@')
            at--;
        for (; at < span.end; at++)
            text[at] = text[at] == '\n' ? '\n' : ' ';
    }
    return text;
}

static bool is_lambda(const AstFunction *ast)
{
    return ast->name[0] == '<';
}

/* The module's text and, behind it, a lambda as a function with a name. */
static const char *text_with_lambda(Program *p, const AstFunction *ast)
{
    const Span body = ast->body.items[0]->span;
    Buf text = buf_in(p->arena);
    buf_printf(&text, "%s\n\n\ndef %s(", plain_text(p, ast), lambda_name);
    for (int i = 0; i < ast->params.count; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", ast->params.items[i].name);
    buf_printf(&text, "):\n    return (%.*s)\n", (int)(body.end - body.begin),
               body.source->text + body.begin);
    return buf_text(&text);
}

/* What is behind the module's text sees the last binding of each name: a function whose name is
** bound again has another one in that text, at the same line. */
static void rename_function(Program *p, const AstFunction *ast, HostUfunc *made)
{
    const kjit_module *module = env_module(p->frame->env)->module;
    const Span span = ast->name_span;
    if (env_bound_once(&module->main->ast->body, ast->name))
        return;
    while (strstr(made->text, made->called))
        made->called = arena_printf(p->arena, "%s_0", made->called);
    made->text = arena_printf(p->arena, "%.*s%s%s", (int)span.begin, made->text, made->called,
                              made->text + span.end);
}

static HostUfunc *ufunc_new(Program *p, UfuncKind kind, HostValue function)
{
    const AstFunction *ast = function.function->code->ast;
    HostUfunc *made = host_new(p, HOST_UFUNC, sizeof *made);
    made->kind = kind;
    made->function = function;
    made->name = made->called = is_lambda(ast) ? lambda_name : ast->name;
    made->text = is_lambda(ast) ? text_with_lambda(p, ast) : plain_text(p, ast);
    if (!is_lambda(ast))
        rename_function(p, ast, made);
    return made;
}

/* @vectorize(..., target="cuda") */
static bool is_for_cuda(const AstExpr *decorator)
{
    for (int i = 0; i < decorator->call.keyword_count; i++) {
        const AstKeyword *keyword = &decorator->call.keywords[i];
        if (keyword->name && strcmp(keyword->name, "target") == 0)
            return keyword->value->kind == AST_STRING &&
                   strncmp(keyword->value->string.text, "cuda", keyword->value->string.length) == 0;
    }
    return false;
}

bool ufunc_define(Program *p, UfuncKind kind, const AstExpr *decorator, HostValue function,
                  HostValue *out)
{
    if (function.kind != HOST_FUNCTION || function.function->closure->outer)
        return host_refuse(p, decorator->span,
                           "this decorates functions at the top level of a module alone, not "
                           "those inside another function" HOST_BY_PYTHON);
    HostUfunc *made = ufunc_new(p, kind, function);
    *out = host_object(made);
    made->lazy = true;
    if (decorator->kind != AST_CALL || kind == UFUNC_REDUCE)
        return true;
    const AstExprs *args = &decorator->call.args;
    int layouts = kind == UFUNC_GENERALIZED;
    made->exact = is_for_cuda(decorator);
    for (int i = 0; i < args->count; i++) {
        const AstExpr *arg = args->items[i];
        if (layouts && i + 1 == args->count) {
            if (arg->kind != AST_STRING)
                return no_signature(p, arg);
            made->layout = arena_strndup(p->arena, arg->string.text, arg->string.length);
        } else if (!add_signatures(p, made, arg)) {
            return false;
        }
    }
    made->lazy = !made->signature_count;
    const Defines *frozen = made->lazy ? NULL : constants_frozen(p, function.function);
    for (int i = 0; i < made->signature_count; i++)
        made->signatures[i].frozen = frozen;
    return (made->lazy || frozen) && (!layouts || ufunc_layout(p, made, decorator->span));
}

static const char *ufunc_text(Program *p, const HostUfunc *made, const char *text)
{
    return arena_printf(&p->scratch, "%s\n\n\n%s", made->text, text);
}

kjit_kernel *ufunc_kernel(Program *p, const HostUfunc *made, const char *text, const char *name)
{
    const char *whole = ufunc_text(p, made, text);
    kjit_kernel *kernel = NULL;
    const KernelText wanted = { .context = p->context,
                                .debug = p->module->debug,
                                .text = whole,
                                .name = name,
                                .reader = made->function.function,
                                .frozen = made->frozen };
    return kernel_of_text(p, &wanted, &kernel) ? kernel : NULL;
}

/* ---- which signature ------------------------------------------------------------------------ */

/* Bools, integers, floats, complex numbers. */
static int kind_of(kjit_dtype dtype)
{
    return dtype_is_complex(dtype) ? 3 : dtype_is_float(dtype) ? 2 : dtype_is_integer(dtype);
}

/* Whether a Python number takes the type of what it stands beside: an array or one of NumPy's
** numbers that is of its kind or of a wider one. Else it is an int64, a float64, a complex128. */
static bool stays_weak(HostValue number, const HostValue *args, int count)
{
    bool beside = false;
    for (int i = 0; i < count; i++)
        beside |= !host_is_weak(args[i]) &&
                  kind_of(operand_dtype(args[i])) >= kind_of(operand_dtype(number));
    return beside && host_is_weak(number);
}

/* Whether a number or an array's elements are among those of a dtype without loss. */
static bool goes_into(HostValue value, bool weak, kjit_dtype dtype)
{
    if (weak && value.kind == HOST_INT)
        return dtype != KJIT_DTYPE_BOOL && dtype_holds(dtype, value);
    if (weak)
        return kind_of(dtype) >= kind_of(operand_dtype(value));
    return dtype_promote(operand_dtype(value), dtype) == dtype;
}

typedef enum Fit { FIT_EXACT, FIT_ARRAYS, FIT_SAFE } Fit;

static bool fits(const UfuncSignature *signature, const HostValue *args, int count, Fit fit)
{
    bool all = signature->count >= count;
    for (int i = 0; i < count && all; i++) {
        const bool free = fit == FIT_SAFE || (fit == FIT_ARRAYS && host_is_number(args[i]));
        all = free ? goes_into(args[i], stays_weak(args[i], args, count), signature->args[i])
                   : operand_dtype(args[i]) == signature->args[i];
    }
    return all;
}

/* The dtype that the function gives for these dtypes. */
static bool infer(Program *p, HostUfunc *made, UfuncSignature *signature)
{
    const kjit_arg one = kjit_arg_int64(1);
    kjit_arg ones[UFUNC_ARGS];
    Buf params = buf_in(&p->scratch), text = buf_in(&p->scratch);
    for (int i = 0; i < signature->count; i++) {
        ones[i] = scalar_cast(&one, signature->args[i]);
        buf_printf(&params, "%sa%d_", i ? ", " : "", i);
    }
    buf_printf(&text, "from numba import cuda\n\n\n@cuda.jit\ndef typed_(%s):\n    r_ = %s(%s)\n",
               buf_text(&params), made->called, buf_text(&params));
    const char *whole = ufunc_text(p, made, buf_text(&text));
    uint32_t line = 0; /* the last one */
    for (const char *at = whole; *at; at++)
        line += *at == '\n';
    made->frozen = signature->frozen;
    kjit_kernel *kernel = ufunc_kernel(p, made, buf_text(&text), "typed_");
    signature->result =
        kernel ? compiled_type(p, kernel, ones, signature->count, line) : KJIT_DTYPE_NONE;
    return signature->result != KJIT_DTYPE_NONE ||
           (!p->failed && host_fail(p, "TypeError", "%s gives no number", made->name));
}

/* Another signature of a function that has none of its own, of these types. */
static bool compile_for(Program *p, HostUfunc *made, const HostValue *args, int count,
                        UfuncSignature *out)
{
    *out = (UfuncSignature){ .count = count };
    for (int i = 0; i < count; i++)
        out->args[i] = operand_dtype(args[i]);
    out->frozen = constants_frozen(p, made->function.function);
    if (!out->frozen || (made->kind == UFUNC_VECTORIZED && !infer(p, made, out)))
        return false;
    if (made->signature_count < UFUNC_SIGNATURES)
        made->signatures[made->signature_count++] = *out;
    return true;
}

bool ufunc_choose(Program *p, HostUfunc *made, const HostValue *args, int count,
                  UfuncSignature *out)
{
    for (Fit fit = made->exact ? FIT_EXACT : FIT_SAFE; fit <= FIT_SAFE; fit++)
        for (int i = 0; i < made->signature_count; i++)
            if (fits(&made->signatures[i], args, count, fit)) {
                *out = made->signatures[i];
                return true;
            }
    return made->lazy ? compile_for(p, made, args, count, out)
                      : host_fail(p, "TypeError",
                                  "ufunc '%s' did not contain a loop with signature matching types",
                                  made->name);
}

/* ---- vectorize ------------------------------------------------------------------------------ */

static bool call_vectorized(Program *p, HostUfunc *made, HostArgs *args, HostValue *out)
{
    HostValue operands[UFUNC_ARGS];
    UfuncSignature signature;
    int count = (int)args->count;
    HostArray *array;
    for (int i = 0; i < count; i++) {
        operands[i] = args->values[i];
        if (!host_is_number(operands[i]) && !numpy_operand(p, &operands[i]))
            return false;
    }
    if (!ufunc_choose(p, made, operands, count, &signature) ||
        (signature.result == KJIT_DTYPE_NONE && !infer(p, made, &signature)))
        return false;
    Buf form = buf_in(&p->scratch);
    buf_printf(&form, "%s(", made->called);
    for (int i = 0; i < count; i++) {
        buf_printf(&form, "%s%%%d", i ? ", " : "", i);
        if (operand_dtype(operands[i]) != signature.args[i] || !is_arrays(operands[i])) {
            if (!numpy_cast(p, signature.args[i], &operands[i]))
                return false;
        }
    }
    buf_putc(&form, ')');
    if (!expression_new(p, arena_strndup(p->arena, buf_text(&form), form.length), KJIT_DTYPE_NONE,
                        signature.result, operands, count, out))
        return false;
    p->ufunc = made;
    made->frozen = signature.frozen;
    bool fine = expression_array(p, out->expression, &array);
    p->ufunc = NULL;
    if (!fine || !host_array_read(p, array))
        return false;
    *out = host_array_or_number(array);
    return store_out_of(p, made->name, args, out);
}

/* ---- reduce --------------------------------------------------------------------------------- */

static const char *reduce_text(Program *p, const HostUfunc *made)
{
    return arena_printf(&p->scratch,
                        "from numba import cuda\n\n\n@cuda.jit\n"
                        "def reduced(values_, parts_, count_):\n"
                        "    t_ = cuda.grid(1)\n    if t_ < parts_.size:\n"
                        "        first_ = t_ * count_\n"
                        "        last_ = min(first_ + count_, values_.size)\n"
                        "        total_ = values_[first_]\n"
                        "        for i_ in range(first_ + 1, last_):\n"
                        "            total_ = %s(total_, values_[i_])\n"
                        "        parts_[t_] = total_\n",
                        made->called);
}

/* Each dtype is compiled for by itself. */
static bool freeze_for(Program *p, HostUfunc *made, HostValue values)
{
    UfuncSignature signature;
    for (int i = 0; i < made->signature_count; i++)
        if (made->signatures[i].args[0] == operand_dtype(values)) {
            made->frozen = made->signatures[i].frozen;
            return true;
        }
    const bool fine = compile_for(p, made, &values, 1, &signature);
    made->frozen = signature.frozen;
    return fine;
}

static bool reduce_parts(Program *p, HostUfunc *made, HostArray *values, HostArray **parts)
{
    if (!freeze_for(p, made, host_object(values)))
        return false;
    kjit_kernel *kernel = ufunc_kernel(p, made, reduce_text(p, made), "reduced");
    int64_t size = values->view.shape[0], wanted = (size + REDUCE_LEAST - 1) / REDUCE_LEAST;
    wanted = wanted > REDUCE_PARTS ? REDUCE_PARTS : wanted;
    int64_t count = (size + wanted - 1) / wanted, blocks = (size + count - 1) / count;
    kjit_array given[2];
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { 64, 1, 1 } };
    if (!kernel || !host_array_new(p, values->view.dtype, 1, &blocks, false, parts) ||
        !host_array_launch(p, values, &given[0]) || !host_array_launch(p, *parts, &given[1]))
        return false;
    config.grid[0] = (uint32_t)((blocks + 63) / 64);
    kjit_arg args[] = { kjit_arg_array(given[0]), kjit_arg_array(given[1]), kjit_arg_int64(count) };
    const HostWork work = { made->name, kernel, &config, args, ARRAY_COUNT(args), 0, 0, false };
    kjit_status status = program_launch(p, &work);
    host_array_launched(p, *parts, true);
    return status == KJIT_OK || host_failed(p, status);
}

static bool join_two(Program *p, const HostUfunc *made, kjit_dtype dtype, HostValue other,
                     HostValue *total)
{
    HostValue pair[2] = { *total, other };
    HostArgs call = { .values = pair, .count = 2 };
    return host_call(p, made->function, &call, total) && numpy_cast(p, dtype, total);
}

static bool call_reduce(Program *p, HostUfunc *made, HostArgs *args, HostValue *out)
{
    HostArray *values, *parts;
    HostValue init = args_get(args, 3, "init", host_int(0));
    const HostValue size = args_get(args, 1, "size", host_none()), given = init;
    const HostValue res = args_get(args, 2, "res", host_none());
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &values))
        return false;
    kjit_dtype dtype = values->view.dtype;
    if (values->view.rank != 1)
        return host_fail(p, "TypeError", "only support 1D array");
    if (!host_fits(p, init, dtype) || !numpy_cast(p, dtype, &init))
        return false;
    kjit_array view = values->view;
    if (size.kind != HOST_NONE && (!host_integer(p, size, &view.shape[0]) ||
                                   view.shape[0] > values->view.shape[0] || view.shape[0] < 0))
        return p->failed ? false : host_fail(p, "ValueError", "size is larger than array");
    values = host_array_of(p, values->block, &view);
    *out = init;
    if (!view.shape[0])
        *out = given; /* as it is */
    if (view.shape[0]) {
        int64_t at = 0;
        if (!reduce_parts(p, made, values, &parts) || !host_array_read(p, parts))
            return false;
        *out = host_array_element(&parts->view, &at);
        for (at = 1; at < parts->view.shape[0]; at++)
            if (!join_two(p, made, dtype, host_array_element(&parts->view, &at), out))
                return false;
        if (!join_two(p, made, dtype, init, out))
            return false;
    }
    if (res.kind != HOST_ARRAY)
        return true;
    const HostValue total = *out;
    *out = host_none();
    return host_array_set_index(p, res.array, host_int(0), total);
}

/* cuda.reduce(function), called. */
static bool cuda_reduce(Program *p, HostArgs *args, HostValue *out)
{
    return ufunc_define(p, UFUNC_REDUCE, args->call, args->values[0], out);
}

const HostBuiltin ufunc_functions[] = {
    { "cuda.reduce", 1, 1, cuda_reduce, NULL },
    { "cuda.Reduce", 1, 1, cuda_reduce, NULL },
    { NULL, 0, 0, NULL, NULL },
};

bool ufunc_call(Program *p, HostUfunc *made, HostArgs *args, HostValue *out)
{
    size_t count = (size_t)made->function.function->code->ast->params.count;
    if (made->kind == UFUNC_REDUCE)
        return args->count ? call_reduce(p, made, args, out)
                           : host_fail(p, "TypeError", "%s() takes an array", made->name);
    if (made->kind == UFUNC_GENERALIZED)
        return ufunc_call_generalized(p, made, args, out);
    if (args->count != count || count > UFUNC_ARGS)
        return host_fail(p, "TypeError", "%s() takes %zu positional arguments but %zu were given",
                         made->name, count, args->count);
    return call_vectorized(p, made, args, out);
}
