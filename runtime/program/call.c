/* Calls: of the program's own functions, and of what is built in. */
#include "runtime/program/compiled.h"
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

enum { CALLS_MOST = 1000, FEW_ARGS = 8 };

/* ---- arguments ------------------------------------------------------------------------------ */

const HostValue *args_named(const HostArgs *args, const char *name)
{
    for (size_t i = 0; i < args->named_count; i++)
        if (strcmp(args->names[i], name) == 0)
            return &args->named[i];
    return NULL;
}

HostValue args_get(const HostArgs *args, size_t index, const char *name, HostValue otherwise)
{
    const HostValue *named = name ? args_named(args, name) : NULL;
    return index < args->count ? args->values[index] : named ? *named : otherwise;
}

/* A few arguments, none of them starred, lie on the stack: each is a temporary, too. */
static bool eval_few(Program *p, const AstExpr *call, HostArgs *args, HostValue room[FEW_ARGS])
{
    args->values = room;
    args->count = (size_t)call->call.args.count;
    for (size_t i = 0; i < args->count; i++)
        if (!host_eval(p, call->call.args.items[i], &room[i]))
            return false;
    return true;
}

static bool are_few(const AstExpr *call)
{
    for (int i = 0; i < call->call.args.count; i++)
        if (i == FEW_ARGS || call->call.args.items[i]->kind == AST_STARRED)
            return false;
    return true;
}

static bool eval_positions(Program *p, const AstExpr *call, HostArgs *args)
{
    HostValue list = host_items(p, HOST_LIST, NULL, 0), value;
    HostIterator it;
    for (int i = 0; i < call->call.args.count; i++) {
        const AstExpr *item = call->call.args.items[i];
        bool star = item->kind == AST_STARRED;
        if (!host_eval(p, star ? item->starred.value : item, &value))
            return false;
        if (!star) {
            host_append(p, list.list, value);
            continue;
        }
        if (!host_iterate(p, value, &it))
            return host_place(p, host_span(call));
        while (host_next(p, &it, &value))
            host_append(p, list.list, value);
        if (p->failed)
            return host_place(p, host_span(call));
    }
    args->values = list.list->items;
    args->count = list.list->count;
    return true;
}

bool host_settle(Program *p, HostValue *value)
{
    HostArray *array;
    if (value->kind != HOST_EXPRESSION)
        return true;
    if (!expression_array(p, value->expression, &array))
        return false;
    *value = host_object(array);
    if (array->view.rank)
        return true;
    if (!host_array_read(p, array))
        return false;
    *value = host_array_or_number(array);
    return true;
}

bool host_settle_all(Program *p, HostValue *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!host_settle(p, &values[i]))
            return false;
    return true;
}

/* ---- the program's functions ---------------------------------------------------------------- */

static bool put_default(Program *p, const AstParam *param, HostValue *slot)
{
    slot->kind = HOST_KINDS;
    return !param->default_value || host_eval(p, param->default_value, slot);
}

/* A function whose defaults are to be filled in. */
static HostFunction *new_function(Program *p, const HostCode *code, HostEnv *closure)
{
    HostFunction *function = host_new(p, HOST_FUNCTION, sizeof *function);
    function->code = code;
    function->closure = closure;
    function->defaults = memory_zeroed((size_t)code->ast->params.count + 1, sizeof(HostValue));
    if (!function->defaults)
        arena_give_up(p->arena);
    return function;
}

HostValue host_py_func(Program *p, const HostFunction *compiled)
{
    const size_t count = (size_t)compiled->code->ast->params.count;
    HostFunction *function = new_function(p, compiled->code, compiled->closure);
    memcpy(function->defaults, compiled->defaults, count * sizeof(HostValue));
    return host_object(function);
}

bool host_function(Program *p, const AstFunction *ast, HostValue *out)
{
    HostEnv *env = p->frame->env;
    while (env->of_class)
        env = env->outer;
    if (ast->is_async)
        return host_refuse(
            p, ast->name_span,
            "there is no 'async' in programs: write def, and call it" HOST_BY_PYTHON);
    HostFunction *function = new_function(p, code_of(p, ast), env);
    *out = host_object(function);
    for (int i = 0; i < ast->params.count; i++)
        if (!put_default(p, &ast->params.items[i], &function->defaults[i]))
            return false;
    return true;
}

static bool is_positional(const AstParam *param)
{
    return !param->star && !param->double_star && !param->keyword_only;
}

/* As messages call a function, a method with its class: "Timer.__init__". */
static const char *title(Program *p, const HostFunction *function)
{
    const HostName *class_ = env_find(function->closure, "__class__");
    const char *name = function->code->name;
    return class_ ? arena_printf(&p->scratch, "%s.%s", class_->value.class_->name, name) : name;
}

/* `env`: what the arguments have bound. */
static bool too_many(Program *p, const HostFunction *function, const HostEnv *env, size_t given)
{
    const AstParams *params = &function->code->ast->params;
    int least = 0, most = 0, named = 0;
    for (int i = 0; i < params->count; i++) {
        const bool positional = is_positional(&params->items[i]);
        most += positional;
        least += positional && function->defaults[i].kind == HOST_KINDS;
        named += params->items[i].keyword_only && env_find(env, params->items[i].name);
    }
    const char *range = least < most ? arena_printf(&p->scratch, "from %d to ", least) : "";
    const char *also =
        !named
            ? ""
            : arena_printf(&p->scratch, " positional argument%s (and %d keyword-only argument%s)",
                           given == 1 ? "" : "s", named, named == 1 ? "" : "s");
    return host_fail(p, "TypeError", "%s() takes %s%d positional argument%s but %zu%s %s given",
                     title(p, function), range, most, most == 1 && least == most ? "" : "s", given,
                     also, given == 1 && !named ? "was" : "were");
}

/* Names in quotes, "'a', 'b', and 'c'". */
static const char *list_names(Program *p, const char **names, int count)
{
    Buf out = buf_in(&p->scratch);
    for (int i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : count == 2 ? " and " : ", and ";
        buf_printf(&out, "%s'%s'", before, names[i]);
    }
    return buf_text(&out);
}

static bool check_missing(Program *p, const HostFunction *function, const HostEnv *env, bool only)
{
    const AstFunction *ast = function->code->ast;
    const char **names = arena_array(&p->scratch, const char *, ast->params.count + 1);
    int missing = 0;
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        if (param->keyword_only == only && !env_find(env, param->name))
            names[missing++] = param->name;
    }
    if (!missing)
        return true;
    return host_fail(p, "TypeError", "%s() missing %d required %s argument%s: %s",
                     title(p, function), missing, only ? "keyword-only" : "positional",
                     missing == 1 ? "" : "s", list_names(p, names, missing));
}

/* Those that no parameter has go to `rest`; NULL: there is none. */
static bool bind_keywords(Program *p, const HostFunction *function, const HostArgs *args,
                          HostEnv *env, HostDict *rest)
{
    const AstFunction *ast = function->code->ast;
    for (size_t k = 0; k < args->named_count; k++) {
        const AstParam *param = NULL;
        for (int i = ast->params.positional_only; i < ast->params.count; i++)
            if (strcmp(ast->params.items[i].name, args->names[k]) == 0 &&
                !ast->params.items[i].star && !ast->params.items[i].double_star)
                param = &ast->params.items[i];
        if (!param && rest) {
            if (!dict_put(p, rest, host_name(p, args->names[k]), args->named[k]))
                return false;
            continue;
        }
        if (!param)
            return host_fail(p, "TypeError", "%s() got an unexpected keyword argument '%s'",
                             title(p, function), args->names[k]);
        if (env_find(env, param->name))
            return host_fail(p, "TypeError", "%s() got multiple values for argument '%s'",
                             title(p, function), param->name);
        env_set(p, env, param->name, args->named[k]);
    }
    return true;
}

static bool bind_arguments(Program *p, const HostFunction *function, const HostArgs *args,
                           HostEnv *env)
{
    const AstParams *params = &function->code->ast->params;
    size_t positional = 0;
    const AstParam *star = NULL;
    HostDict *rest = NULL;
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        star = param->star ? param : star;
        if (param->double_star) {
            rest = host_dict(p).dict;
            env_set(p, env, param->name, host_object(rest));
        }
        if (is_positional(param) && positional++ < args->count)
            env_set(p, env, param->name, args->values[positional - 1]);
    }
    const size_t more = args->count > positional ? args->count - positional : 0;
    if (star) /* there may be no values to point into */
        env_set(p, env, star->name,
                host_items(p, HOST_TUPLE, more ? args->values + positional : NULL, more));
    if (!bind_keywords(p, function, args, env, rest))
        return false;
    if (more && !star)
        return too_many(p, function, env, args->count);
    for (int i = 0; i < params->count; i++)
        if (function->defaults[i].kind != HOST_KINDS && !env_find(env, params->items[i].name))
            env_set(p, env, params->items[i].name, function->defaults[i]);
    return check_missing(p, function, env, false) && check_missing(p, function, env, true);
}

/* Runs the body of the frame at hand: what compiles as a kernel, else statement by statement. */
static HostFlow run_body(Program *p, const AstBody *body, HostValue *out)
{
    const bool compiles = p->frame->compiled != NULL;
    const CompiledFlow compiled = compiles ? compiled_call(p, out) : COMPILED_NOT;
    if (compiled != COMPILED_NOT)
        return compiled == COMPILED_DONE ? FLOW_RETURN : FLOW_FAILED;
    const HostFlow left = host_exec(p, body);
    *out = left == FLOW_RETURN || left == FLOW_YIELD ? p->result : host_none();
    if (compiles)
        *out = compiled_result(p, *out);
    return left;
}

HostFlow host_run(Program *p, HostFrame *frame, const AstBody *body, HostValue *out)
{
    const Span at = p->at;
    size_t mark = p->temp_count;
    frame->caller = p->frame;
    frame->depth = p->frame->depth + 1;
    if (frame->depth >= CALLS_MOST) {
        host_fail(p, "RecursionError", "maximum recursion depth exceeded");
        return FLOW_FAILED;
    }
    p->frame = frame;
    p->result = host_none();
    const HostFlow left = run_body(p, body, out);
    p->frame = frame->caller;
    p->at = at;
    p->temp_count = mark;
    p->result = host_none();
    host_keep(p, *out);
    return left;
}

bool host_complete(Program *p, const HostFunction *function, HostArgs *args)
{
    const AstParams *params = &function->code->ast->params;
    HostEnv *env = env_new(p, function->closure, function->code);
    HostValue *values = arena_array(&p->scratch, HostValue, params->count + 1);
    if (!bind_arguments(p, function, args, env))
        return false;
    for (int i = 0; i < params->count; i++)
        values[i] = env_find(env, params->items[i].name)->value;
    *args = (HostArgs){
        .self = args->self, .call = args->call, .values = values, .count = (size_t)params->count
    };
    return true;
}

static bool call_function(Program *p, const HostFunction *function, HostArgs *args, HostValue *out)
{
    HostEnv *env = env_new(p, function->closure, function->code);
    if (!bind_arguments(p, function, args, env))
        return false;
    const AstFunction *ast = function->code->ast;
    if (function->code->names.generates)
        return host_give(out, generator_new(p, function->code->name, &ast->body, env));
    HostFrame frame = { .name = function->code->name,
                        .env = env,
                        .compiled = function->compiles ? function : NULL };
    return host_run(p, &frame, &ast->body, out) != FLOW_FAILED;
}

static bool call_with_self(Program *p, const HostMethod *method, HostArgs *args, HostValue *out)
{
    HostArgs call = *args;
    HostValue values = host_items(p, HOST_LIST, &method->self, 1);
    for (size_t i = 0; i < args->count; i++)
        host_append(p, values.list, args->values[i]);
    call.values = values.list->items;
    call.count = values.list->count;
    return host_call(p, method->function, &call, out);
}

/* ---- what is built in ----------------------------------------------------------------------- */

static bool wrong_number(Program *p, const HostBuiltin *b, size_t given)
{
    const char *dot = strrchr(b->name, '.');
    const char *name = dot && strncmp(b->name, "math.", 5) != 0 && b->most != 1 ? dot + 1 : b->name;
    if (b->least == b->most && b->most == 1)
        return host_fail(p, "TypeError", "%s() takes exactly one argument (%zu given)", name,
                         given);
    if (b->most == 0)
        return host_fail(p, "TypeError", "%s() takes no arguments (%zu given)", name, given);
    bool few = given < (size_t)b->least;
    if (b->least == b->most)
        return host_fail(p, "TypeError", "%s expected %d arguments, got %zu", name, b->least,
                         given);
    int bound = few ? b->least : b->most;
    return host_fail(p, "TypeError", "%s expected at %s %d argument%s, got %zu", name,
                     few ? "least" : "most", bound, bound == 1 ? "" : "s", given);
}

static bool takes_keyword(const HostBuiltin *b, const char *name)
{
    size_t length = strlen(name);
    if (b->keywords && *b->keywords == '*')
        return true;
    for (const char *at = b->keywords; at && *at; at += strspn(at, " ")) {
        size_t next = strcspn(at, " ");
        if (next == length && strncmp(at, name, length) == 0)
            return true;
        at += next;
    }
    return false;
}

static HostValue first_foreign(const HostArgs *args)
{
    for (size_t i = 0; i < args->count; i++)
        if (args->values[i].kind == HOST_FOREIGN)
            return args->values[i];
    return host_none();
}

/* Whether nothing is given that no module of kjit's has, or it may be: to be shown, or kept. */
static bool takes_foreign(const HostBuiltin *b, const HostArgs *args)
{
    static const char *const shows[] = { "print",      "str",         "repr",
                                         "isinstance", "list.append", "callable",
                                         "str.format", "typing.cast", "typing.NewType" };
    if (first_foreign(args).kind != HOST_FOREIGN)
        return true;
    return TEXT_IS_AMONG(b->name, shows);
}

static bool is_records(HostValue value)
{
    return value.kind == HOST_ARRAY && value.array->view.dtype == KJIT_DTYPE_RECORD;
}

/* Whether it is given arrays of records and does more with them than to move them about. */
static bool computes_with_records(const HostBuiltin *b, const HostArgs *args)
{
    static const char *const moves[] = {
        "np.array",
        "np.sort",
        "np.argsort",
        "array.sort",
        "array.argsort",
        "np.asarray",
        "np.ascontiguousarray",
        "np.asfortranarray",
        "np.copy",
        "np.ravel",
        "np.reshape",
        "np.transpose",
        "np.broadcast_to",
        "np.ndarray",
        "np.save",
        "np.zeros_like",
        "np.empty_like",
        "np.ones_like",
        "np.full_like",
        "array.copy",
        "array.view",
        "array.copy_to_host",
        "array.copy_to_device",
        "array.flatten",
        "array.ravel",
        "array.reshape",
        "array.squeeze",
        "array.tolist",
        "array.transpose",
    };
    bool array = strncmp(b->name, "array.", 6) == 0, given = array && is_records(args->self);
    if (given && strcmp(b->name, "array.astype") == 0 && record_is_text(&args->self.array->view))
        return false;
    for (size_t i = 0; i < args->count; i++)
        given |= is_records(args->values[i]);
    return given && (array || strncmp(b->name, "np.", 3) == 0) && !TEXT_IS_AMONG(b->name, moves);
}

static bool call_builtin(Program *p, const HostBuiltin *b, HostArgs *args, HostValue *out)
{
    const char *dot = strrchr(b->name, '.');
    for (size_t i = 0; i < args->named_count; i++) {
        if (takes_keyword(b, args->names[i]))
            continue;
        if (!b->keywords)
            return host_fail(p, "TypeError", "%s() takes no keyword arguments", b->name);
        return host_fail(p, "TypeError", "'%s' is an invalid keyword argument for %s()",
                         args->names[i], dot ? dot + 1 : b->name);
    }
    bool arrays = strncmp(b->name, "np.", 3) == 0 || strncmp(b->name, "array.", 6) == 0;
    if (!takes_foreign(b, args))
        return foreign_needed(p, first_foreign(args));
    if (arrays && b->name[2] == '.' && texts_call(p, b->name + 3, true, args, out))
        return !p->failed;
    if (!arrays && (!host_settle_all(p, args->values, args->count) ||
                    !host_settle_all(p, args->named, args->named_count)))
        return false;
    bool few = args->count + args->named_count < (size_t)b->least;
    if (few || (b->most >= 0 && args->count > (size_t)b->most))
        return wrong_number(p, b, args->count);
    args->builtin = b;
    return computes_with_records(b, args) ? records_refused(p) : b->call(p, args, out);
}

/* np.complex64(1.5, -2) */
static bool call_complex(Program *p, kjit_dtype dtype, HostArgs *args, HostValue *out)
{
    double real, imaginary;
    if (!host_double(p, args->values[0], &real) || !host_double(p, args->values[1], &imaginary))
        return false;
    kjit_arg scalar = host_scalar(host_complex(real, imaginary));
    scalar = scalar_cast(&scalar, dtype);
    return host_give(out, host_number(dtype, &scalar));
}

/* Of types a type makes a signature: float32(float32). */
static bool is_type(const HostArgs *args)
{
    const HostKind first = args->count ? args->values[0].kind : HOST_NONE;
    return first == HOST_DTYPE || first == HOST_TYPE;
}

static bool call_dtype(Program *p, HostValue dtype, HostArgs *args, HostValue *out)
{
    if (dtype.dtype == KJIT_DTYPE_RECORD)
        return host_lacks(p, "TypeError",
                          "records cannot be made of numbers here: say zeros(n, dtype=...)");
    if (dtype_is_complex(dtype.dtype) && args->count == 2 && !args->named_count)
        return call_complex(p, dtype.dtype, args, out);
    if (args->count > 1 || args->named_count)
        return host_fail(p, "TypeError", "%s takes one number", kjit_dtype_name(dtype.dtype));
    HostValue value = args_get(args, 0, NULL, host_int(0));
    HostArray *array;
    if (value.kind == HOST_ARRAY || value.kind == HOST_LIST || value.kind == HOST_EXPRESSION) {
        if (!host_array_from(p, value, dtype.dtype, &array))
            return false;
        return host_give(out, host_object(array));
    }
    if (!wide_as(p, dtype.dtype, &value))
        return false;
    if (!host_is_number(value))
        return host_fail(p, "TypeError", "%s takes a number, not '%s'",
                         kjit_dtype_name(dtype.dtype), host_type_name(p, value));
    if (value.kind == HOST_INT && !p->eval && !host_fits(p, value, dtype.dtype))
        return false;
    kjit_arg scalar = host_scalar(value);
    scalar = scalar_cast(&scalar, dtype.dtype);
    return host_give(out, host_number(dtype.dtype, &scalar));
}

bool host_call(Program *p, HostValue function, HostArgs *args, HostValue *out)
{
    HostValue method;
    *out = host_none();
    switch (function.kind) {
    case HOST_FUNCTION:
        if (!host_settle_all(p, args->values, args->count) ||
            !host_settle_all(p, args->named, args->named_count))
            return false;
        if (modules_have_function(p, "np", function.function) &&
            texts_call(p, function.function->code->name, false, args, out))
            return !p->failed;
        return call_function(p, function.function, args, out);
    case HOST_BUILTIN:
        return call_builtin(p, function.builtin, args, out);
    case HOST_METHOD:
        if (!function.method->builtin)
            return call_with_self(p, function.method, args, out);
        args->self = function.method->self;
        if (args->self.kind == HOST_KINDS && !method_self(p, function.method->builtin, args))
            return false;
        return call_builtin(p, function.method->builtin, args, out);
    case HOST_PARTIAL:
        return partial_call(p, function.partial, args, out);
    case HOST_UFUNC:
        return ufunc_call(p, function.ufunc, args, out);
    case HOST_KERNEL:
    case HOST_LAUNCH:
        return kernel_call(p, function, args, out);
    case HOST_DTYPE:
        return is_type(args) ? numba_type_call(p, function, args, out)
                             : call_dtype(p, function, args, out);
    case HOST_TYPE:
        return numba_type_call(p, function, args, out);
    case HOST_EXCEPTION_CLASS:
        return exception_call(p, function.text, args, out);
    case HOST_CLASS:
        return class_call(p, function.class_, args, out);
    case HOST_FOREIGN:
        return foreign_call(p, function, args, out);
    case HOST_INSTANCE:
        if (class_attribute(p, function, "__call__", &method))
            return host_call(p, method, args, out);
        /* fall through */
    default:
        return !p->failed && host_fail(p, "TypeError", "'%s' object is not callable",
                                       host_type_name(p, function));
    }
}

bool host_call_one(Program *p, HostValue function, HostValue argument, HostValue *out)
{
    HostArgs args = { .values = &argument, .count = 1 };
    host_keep(p, argument);
    return host_call(p, function, &args, out);
}

static bool calls_in_arguments(const AstExpr *call)
{
    for (int i = 0; i < call->call.args.count; i++)
        if (host_calls_something(call->call.args.items[i]))
            return true;
    for (int i = 0; i < call->call.keyword_count; i++)
        if (host_calls_something(call->call.keywords[i].value))
            return true;
    return false;
}

bool eval_call(Program *p, const AstExpr *expr, HostValue *out)
{
    HostValue function;
    HostArgs args = { .call = expr };
    p->called = calls_in_arguments(expr) ? NULL : expr->call.function;
    if (!host_eval(p, expr->call.function, &function))
        return false;
    if (function.kind == HOST_BUILTIN && function.builtin->least == HOST_AS_WRITTEN)
        return function.builtin->call(p, &args, out) || host_place(p, host_span(expr));
    HostValue room[FEW_ARGS];
    bool few = are_few(expr);
    if (!(few ? eval_few(p, expr, &args, room) : eval_positions(p, expr, &args)) ||
        !keywords_eval(p, expr, function, &args))
        return host_place(p, host_span(expr));
    return host_call(p, function, &args, out) || host_place(p, host_span(expr));
}
