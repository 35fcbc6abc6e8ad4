/* Modules that kjit does not have: what only uses them is passed over, what needs a value of theirs
** is an error.
**
** A call gives a stand-in that may be assigned, called and asked for attributes, which are
** stand-ins again; printed it says what it stands for. An 'if' that hangs on one is passed over
** whole. A bar of progress, tqdm(), is what it goes over. */
#include "runtime/program/program.h"

static const char *module_of(Program *p, HostValue value)
{
    return arena_strndup(p->arena, value.text, strcspn(value.text, ".("));
}

/* " (did you mean 'numpy'?)" of a module that is misspelt. */
static const char *near_module(Program *p, const char *name)
{
    static const char *const names[] = { "numpy",     "numba",       "math",     "random",
                                         "time",      "datetime",    "argparse", "itertools",
                                         "functools", "collections", "operator", "statistics" };
    const char *near = diag_nearest(name, names, ARRAY_COUNT(names));
    const size_t own = strlen(name), other = near ? strlen(near) : 0;
    if (near && (*near != *name || own > other + 1 || other > own + 2)) /* another module's name */
        near = NULL;
    return near ? arena_printf(&p->scratch, " (did you mean '%s'?)", near) : "";
}

void foreign_imported(Program *p, const char *name, Span span)
{
    const char *near = near_module(p, name);
    if (!*near || table_get(&p->noted, name))
        return;
    table_put(&p->noted, arena_strdup(p->arena, name), (void *)(uintptr_t)name);
    const SourcePlace place = source_place(span.source, span.begin);
    fprintf(stderr,
            "%s:%u: note: kjit has no module '%s'%s: statements that only use it are passed over\n",
            span.source->name, place.line, name, near);
}

void foreign_note(Program *p, HostValue value, Span span)
{
    const char *name = module_of(p, value);
    if (strcmp(name, "typing") == 0) /* what says nothing but types */
        return;
    if (table_get(&p->noted, name))
        return;
    table_put(&p->noted, name, (void *)(uintptr_t)name);
    const SourcePlace place = source_place(span.source, span.begin);
    fprintf(stderr,
            "%s:%u: note: statements that only use '%s' are passed over: kjit has no such "
            "module%s\n",
            span.source->name, place.line, name, near_module(p, name));
}

/* Whether it is kjit's own to have: nothing of it is passed over. */
static bool is_own(const char *path)
{
    static const char *const known[] = { "np.",    "cuda", "numba",      "sys.std",  "itertools.",
                                         "random", "time", "functools.", "operator." };
    bool own = modules_reach(path);
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        own |= strncmp(path, known[i], strlen(known[i])) == 0;
    return own;
}

/* What stands for it here; NULL: docs/programs.md has that. */
static const char *instead_of(const char *path)
{
    static const char *const instead[][2] = {
        { "np.timedelta64",
          "datetime.timedelta is; or run the script by Python: python -m kjit FILE" },
        { "np.datetime64",
          "datetime.datetime is; or run the script by Python: python -m kjit FILE" },
        { "np.rec",
          "arrays with fields are, np.zeros(n, dtype=[('x', float)]), of which x['x'] is one" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(instead); i++)
        if (strncmp(path, instead[i][0], strlen(instead[i][0])) == 0)
            return instead[i][1];
    return NULL;
}

static bool refuse_own(Program *p, const char *path)
{
    const char *instead = instead_of(path);
    if (instead)
        return host_fail(p, "NotImplementedError", "%s is not there: %s", path, instead);
    return host_fail(p, "NotImplementedError",
                     "%s is not there%s%s: docs/programs.md lists what is", path,
                     strncmp(path, "cuda.", 5) == 0 ? " for the host" : "", module_near(p, path));
}

bool foreign_needed(Program *p, HostValue value)
{
    if (strncmp(value.text, "np.", 3) == 0)
        return refuse_own(p, value.text);
    host_fail(p, "ModuleNotFoundError",
              "kjit has no '%s', whose value is needed here%s: leave it out, or run the script by "
              "Python",
              value.text, near_module(p, module_of(p, value)));
    p->foreign = true;
    return false;
}

static const char configured[] = "[grid, block]";

HostValue foreign_item(Program *p, HostValue object, HostValue index)
{
    if (index.kind == HOST_TUPLE && index.list->count > 1)
        object.text = arena_printf(p->arena, "%s%s", object.text, configured);
    return object;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Whether calling it may be a launch, `kernel[grid, block]` or `kernel.forall(n)`. */
static bool foreign_launches(HostValue function)
{
    return ends_with(function.text, configured) || ends_with(function.text, ".forall()");
}

/* Whether it is a kernel, with or without grid and block. */
static bool foreign_is_kernel(HostValue value)
{
    return value.kind == HOST_KERNEL || value.kind == HOST_LAUNCH;
}

/* Whether one of them is a kernel, or holds one. */
static bool have_kernel(const HostValue *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool list = values[i].kind == HOST_LIST || values[i].kind == HOST_TUPLE;
        if (foreign_is_kernel(values[i]))
            return true;
        for (size_t k = 0; list && k < values[i].list->count; k++)
            if (foreign_is_kernel(values[i].list->items[k]))
                return true;
        for (size_t k = 0; dict_of(values[i]) && k < dict_of(values[i])->count; k++)
            if (foreign_is_kernel(dict_of(values[i])->entries[k].value))
                return true;
    }
    return false;
}

bool foreign_call(Program *p, HostValue function, const HostArgs *args, HostValue *out)
{
    const char *path = function.text, *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    HostValue range;
    if (is_own(path))
        return refuse_own(p, path);
    if (foreign_launches(function) || have_kernel(args->values, args->count) ||
        have_kernel(args->named, args->named_count))
        return foreign_needed(p, function);
    if (strncmp(path, "tqdm", 4) == 0 && strcmp(name, "tqdm") == 0 && args->count)
        return host_give(out, args->values[0]);
    if (strncmp(path, "tqdm", 4) == 0 && strcmp(name, "trange") == 0 && args->count) {
        HostArgs call = { .values = args->values, .count = args->count };
        return module_path(p, "range", &range) && host_call(p, range, &call, out);
    }
    if (args->call)
        foreign_note(p, function, args->call->span);
    return host_give(
        out, (HostValue){ .kind = HOST_FOREIGN, .text = arena_printf(p->arena, "%s()", path) });
}

/* ---- statements that are passed over -------------------------------------------------------- */

/* A bar of progress, which is what it goes over. */
static bool is_tqdm(HostValue value)
{
    return strncmp(value.text, "tqdm", 4) == 0;
}

static HostValue value_of(const Program *p, const char *name)
{
    for (const HostEnv *at = p->frame->env; at; at = at->outer) {
        const HostName *slot = env_find(at, name);
        if (slot)
            return slot->value;
    }
    return host_none();
}

/* What a statement is for that only uses a module which kjit does not know. */
static bool only_uses(const AstExpr *expr)
{
    return expr->kind == AST_CALL || expr->kind == AST_ATTRIBUTE || expr->kind == AST_INDEX;
}

/* Names of kernels and functions among arguments. */
typedef struct Runners {
    const Program *program;
    bool any;
} Runners;

static void find_runner(void *context, const AstExpr *expr)
{
    Runners *runners = context;
    if (expr->kind == AST_NAME) {
        const HostValue value = value_of(runners->program, expr->name.name);
        runners->any |= foreign_is_kernel(value) || value.kind == HOST_FUNCTION;
    } else if (expr->kind != AST_ATTRIBUTE) {
        ast_each_child(expr, find_runner, context);
    }
}

/* Whether a call may launch a kernel, which is not to be passed over: of what an index or a call
** gives, of a name for such, or one whose arguments are kernels or call functions. */
static bool may_launch(const Program *p, const AstExpr *expr)
{
    const AstExpr *function = expr->kind == AST_CALL ? expr->call.function : NULL;
    Runners runners = { .program = p };
    if (!function || function->kind == AST_INDEX || function->kind == AST_CALL)
        return function;
    if (function->kind == AST_NAME && foreign_launches(value_of(p, function->name.name)))
        return true;
    for (int i = 0; i < expr->call.args.count; i++)
        find_runner(&runners, expr->call.args.items[i]);
    for (int i = 0; i < expr->call.keyword_count; i++)
        find_runner(&runners, expr->call.keywords[i].value);
    return runners.any;
}

bool host_passes_over(Program *p, const AstExpr *expr)
{
    const AstExpr *root = only_uses(expr) ? ast_root(expr) : NULL;
    const HostValue value = root ? value_of(p, root->name.name) : host_none();
    if (value.kind != HOST_FOREIGN || is_tqdm(value) || may_launch(p, expr))
        return false;
    foreign_note(p, value, expr->span);
    return true;
}
