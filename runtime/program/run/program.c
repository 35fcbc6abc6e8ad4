/* Running a program: kjit_program_run(), and what is one. */
#include "runtime/program/kernels.h"
#include "runtime/values/values.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- what is a program ---------------------------------------------------------------------- */

static bool does_something(const AstBody *body);

static bool is_main_guard(const AstExpr *condition)
{
    return condition->kind == AST_COMPARE && condition->compare.first->kind == AST_NAME &&
           strcmp(condition->compare.first->name.name, "__name__") == 0;
}

/* Whether a statement is more than what names are bound by. */
static bool is_host(const AstStmt *stmt)
{
    const AstBody *bodies[2];
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        return stmt->expr.value->kind == AST_CALL || stmt->expr.value->kind == AST_COMPREHENSION;
    case AST_FOR:
    case AST_WHILE:
    case AST_WITH:
    case AST_MATCH:
    case AST_ASSERT:
    case AST_RAISE:
        return true;
    case AST_IF:
        if (is_main_guard(stmt->if_.condition))
            return true;
        break;
    default:
        break;
    }
    for (int i = 0, count = ast_bodies(stmt, bodies); i < count; i++)
        if (does_something(bodies[i]))
            return true;
    return false;
}

/* The first statement that is more; NULL: none is. */
static const AstStmt *first_doing(const AstBody *body)
{
    for (int i = 0; i < body->count; i++)
        if (is_host(body->items[i]))
            return body->items[i];
    return NULL;
}

static bool does_something(const AstBody *body)
{
    return first_doing(body);
}

/* Whether names are bound to something, functions and modules aside. */
static bool assigns(const AstBody *body)
{
    for (int i = 0; i < body->count; i++)
        if (body->items[i]->kind == AST_ASSIGN || body->items[i]->kind == AST_TRY)
            return true;
    return false;
}

int kjit_module_is_program(const kjit_module *module)
{
    if (!HANDLE_IS(MODULE, module))
        return 0;
    if (!module->main || !module->main->ast || module->compiled)
        return 0;
    const AstBody *body = &module->main->ast->body;
    return does_something(body) || (kjit_kernel_count(module) == 0 && assigns(body));
}

/* The module's own function of that name, without a decorator; the last, if there are several. */
static const AstFunction *function_of(const kjit_module *module, const char *name)
{
    const AstBody *body = &module->main->ast->body;
    for (int i = body->count; i-- > 0;) {
        const AstStmt *stmt = body->items[i];
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, name) == 0)
            return stmt->def.function.decorators.count ? NULL : &stmt->def.function;
    }
    return NULL;
}

int kjit_module_has_function(const kjit_module *module, const char *name)
{
    if (!HANDLE_IS(MODULE, module) || !module->main || !module->main->ast || module->compiled)
        return 0;
    const AstFunction *ast = function_of(module, name);
    for (int i = 0; ast && i < module->kernel_count; i++)
        if (module->kernels[i].info->ast == ast)
            return 0;
    return ast != NULL;
}

int kjit_module_binds(const kjit_module *module, const char *name)
{
    if (!HANDLE_IS(MODULE, module) || !module->main || !module->main->ast || module->compiled)
        return 0;
    return env_binds(&module->main->ast->body, name);
}

/* The items of `__all__`, NULL if there is no such list. */
static const AstExprs *all_of(const kjit_module *module)
{
    const AstBody *body = &module->main->ast->body;
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.targets.items[0] : NULL;
        if (target && target->kind == AST_NAME && strcmp(target->name.name, "__all__") == 0 &&
            (stmt->assign.value->kind == AST_LIST || stmt->assign.value->kind == AST_TUPLE))
            return &stmt->assign.value->list.items;
    }
    return NULL;
}

const char *kjit_module_function_at(const kjit_module *module, size_t index, const char **doc)
{
    const bool readable = HANDLE_IS(MODULE, module) && module->main && module->main->ast;
    const AstExprs *all = readable && !module->compiled ? all_of(module) : NULL;
    for (int i = 0; all && i < all->count; i++) {
        const AstExpr *item = all->items[i];
        if (item->kind != AST_STRING || !kjit_module_has_function(module, item->string.text) ||
            index--)
            continue;
        const char *text = function_of(module, item->string.text)->docstring;
        if (doc)
            *doc = text ? text : "";
        return item->string.text;
    }
    return NULL;
}

/* ---- running -------------------------------------------------------------------------------- */

typedef struct ProgramRun {
    Program program;
    kjit_module *module;
    const kjit_program_options *options;
} ProgramRun;

/* The bytes of stack below this function, of a thread that the program has made. */
static bool thread_room(size_t *room)
{
    pthread_attr_t attributes;
    void *begin;
    size_t size;
    if (getpid() == (pid_t)syscall(SYS_gettid) || /* gettid() came with glibc 2.30 */
        pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool known = pthread_attr_getstack(&attributes, &begin, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (known)
        *room = (size_t)((char *)__builtin_frame_address(0) - (char *)begin);
    return known;
}

/* How much of the stack evaluations may use: less than there is, so that what they call fits. */
static size_t stack_room(void)
{
    enum { LEAST = 1 << 20, MOST = 64 << 20 };
    struct rlimit limit;
    size_t room = 8 << 20;
    if (thread_room(&room))
        return room > MOST ? MOST : room / 5 * 4;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = limit.rlim_cur;
    room = room < LEAST ? LEAST : room > MOST ? MOST : room;
    return room / 5 * 4;
}

void program_stack(Program *p)
{
    p->stack = __builtin_frame_address(0);
    p->stack_limit = stack_room();
}

void program_start(Program *p, Arena *arena, HostFrame *frame)
{
    static const kjit_program_options none = { .size = sizeof none };
    p->arena = arena;
    arena_init(&p->scratch, arena->exhausted);
    table_init(&p->codes, arena);
    table_init(&p->noted, arena);
    table_init(&p->given, arena);
    table_init(&p->words, arena);
    table_init(&p->kernels, arena);
    p->options = &none;
    p->printing = (PrintOptions){ .precision = 8, .threshold = 1000, .edge = 3, .line = 75 };
    program_stack(p);
    p->globals = env_new(p, NULL, NULL);
    *frame = (HostFrame){ .name = "<module>", .env = p->globals };
    p->frame = frame;
}

bool program_context(Program *p)
{
    const kjit_open_options processor = { .size = sizeof processor, .device = "cpu" };
    if (p->context)
        return true;
    kjit_status status = kjit_open(&processor, &p->context);
    p->own_context = status == KJIT_OK;
    return status == KJIT_OK || host_failed(p, status);
}

/* Of NAME=VALUE: what is built in needs no module in front. */
static bool compute_given(Program *p, const AstExpr *expr, HostValue *value)
{
    p->given_value = true;
    bool fine = host_eval(p, expr, value);
    p->given_value = false;
    return fine;
}

static bool give(Program *p, const char *name, const AstExpr *expr)
{
    HostValue *value = arena_new(p->arena, HostValue);
    if (!compute_given(p, expr, value))
        return false;
    host_keep(p, *value);
    table_put(&p->given, name, value);
    return true;
}

/* NAME=VALUE: an expression, or a path that is to be loaded; NULL after an error. */
static const AstExpr *value_expression(Program *p, const kjit_define *define)
{
    const char *text = define->value;
    Diags diags;
    diags_init(&diags, p->arena);
    if (path_stands_alone(text, strlen(text)))
        text = arena_printf(p->arena, "load(\"%s\")", text);
    const Source *source =
        source_new(p->arena, arena_printf(p->arena, "<%s>", define->name), text, strlen(text));
    const AstExpr *expr = parse_expression(p->arena, &diags, source);
    if (!expr)
        error_diags(&diags);
    return expr;
}

/* A kernel of the file that has such a parameter; NULL: none has. */
static const kjit_kernel *kernel_with(const kjit_module *module, const char *param)
{
    for (int i = 0; i < module->kernel_count; i++)
        for (int k = 0; k < module->kernels[i].param_count; k++)
            if (strcmp(module->kernels[i].param_names[k], param) == 0)
                return &module->kernels[i];
    return NULL;
}

/* The names of a module that can be given. */
typedef struct Givable {
    const char **items;
    int count, capacity;
} Givable;

static void find_givable(Program *p, Givable *names, const AstBody *body)
{
    const AstBody *inner;
    for (int i = 0; i < body->count; i++) {
        const char *name = exec_givable(body->items[i]);
        if (name)
            array_push(p->arena, names->items, names->count, names->capacity) = name;
        for (int k = 0; (inner = ast_body(body->items[i], k)) != NULL; k++)
            find_givable(p, names, inner);
    }
}

static bool is_givable(const Givable *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

static kjit_status not_assigned(const Program *p, const Givable *names, const char *name)
{
    const char *path = p->module->main->path;
    const kjit_kernel *kernel = kernel_with(p->module, name);
    const char *near = diag_nearest(name, names->items, (size_t)names->count);
    const char *end = near ? arena_printf(p->arena, "; did you mean '%s'?", near) : "";
    if (env_binds(&p->module->main->ast->body, name))
        return error_set(KJIT_ARGUMENT,
                         "error: no statement of %s outside of functions is '%s = ...', so it "
                         "cannot be given%s",
                         path, name, end);
    if (!kernel)
        return error_set(KJIT_ARGUMENT,
                         "error: %s assigns nothing to '%s', so it cannot be given%s", path, name,
                         end);
    const AstStmt *stmt = first_doing(&p->module->main->ast->body);
    return error_set(KJIT_ARGUMENT,
                     "error: %s is a program, as line %u does something, and assigns nothing to "
                     "'%s'; %s:%s launches the kernel that has such a parameter",
                     path, stmt ? source_place(stmt->span.source, stmt->span.begin).line : 1, name,
                     path, kernel->info->name);
}

static kjit_status take_values(Program *p)
{
    Givable names = { 0 };
    find_givable(p, &names, &p->module->main->ast->body);
    for (size_t i = 0; i < p->options->value_count; i++) {
        const kjit_define *define = &p->options->values[i];
        if (!is_givable(&names, define->name))
            return not_assigned(p, &names, define->name);
        const AstExpr *expr = value_expression(p, define);
        if (!expr)
            return KJIT_INVALID;
        give(p, arena_strdup(p->arena, define->name), expr);
        if (p->failed)
            return KJIT_INVALID;
    }
    return KJIT_OK;
}

/* Calls the function that was asked for; the values see those before them. */
static kjit_status call_function(Program *p)
{
    const size_t count = p->options->value_count;
    const char **names = arena_array(p->arena, const char *, count + 1);
    HostValue *values = arena_array(p->arena, HostValue, count + 1), out;
    HostFrame frame = { .name = "<values>", .env = env_new(p, p->globals, NULL) };
    const HostName *slot = env_find(p->globals, p->options->function);
    HostArgs args = { .names = names, .named = values, .named_count = count };
    if (!slot)
        return error_set(KJIT_ARGUMENT, "error: %s has no function '%s'", p->module->main->path,
                         p->options->function);
    const HostValue function = slot->value;
    p->frame = &frame;
    for (size_t i = 0; i < count; i++) {
        const AstExpr *expr = value_expression(p, &p->options->values[i]);
        names[i] = arena_strdup(p->arena, p->options->values[i].name);
        if (!expr || !compute_given(p, expr, &values[i]) || !host_settle(p, &values[i]))
            return KJIT_INVALID;
        host_keep(p, values[i]);
        env_set(p, frame.env, names[i], values[i]);
    }
    bool fine = host_call(p, function, &args, &out) && host_settle(p, &out);
    p->frame = frame.caller;
    if (!fine)
        return KJIT_INVALID;
    for (size_t i = 0; out.kind == HOST_TUPLE && i < out.list->count; i++)
        if (!host_settle(p, &out.list->items[i]))
            return KJIT_INVALID;
    p->globals = env_new(p, NULL, NULL); /* the results are what it gives, and nothing else */
    env_set(p, p->globals, "out", out);
    return KJIT_OK;
}

/* What -D says of a name is what its first assignment gives. */
static bool take_given(Program *p)
{
    for (int i = 0; i < p->module->define_count; i++) {
        const Define *define = &p->module->defines[i];
        if (!give(p, define->name, define->value))
            return false;
    }
    return true;
}

kjit_status program_report(Program *p)
{
    Buf text = buf_in(&p->scratch);
    host_traceback(p, &text, p->exception);
    return error_text(p->status != KJIT_OK && p->status != KJIT_ARGUMENT ? p->status : KJIT_INVALID,
                      buf_text(&text));
}

/* What SystemExit says: a number; nothing, for 0; or a text to be printed, for 1. */
static int exit_status(Program *p)
{
    const HostList *args = p->exception->args.list;
    if (!args->count || args->items[0].kind == HOST_NONE)
        return 0;
    if (args->items[0].kind == HOST_INT || args->items[0].kind == HOST_BOOL)
        return (int)(args->items[0].integer & 0xff);
    Buf text = buf_in(p->arena);
    p->failed = false;
    host_str(p, &text, args->items[0]);
    fprintf(stderr, "%s\n", buf_text(&text));
    return 1;
}

static kjit_status end(Program *p, bool fine)
{
    int status = fine ? 0 : exit_status(p);
    if (p->options->exit_status)
        *p->options->exit_status = status;
    return p->options->results ? host_results(p, p->options->results) : KJIT_OK;
}

kjit_status program_begin(Program *p, kjit_module *module, const kjit_program_options *options,
                          Arena *arena, HostFrame *frame)
{
    KJIT_TRY(kjit_values_new(&p->values));
    program_start(p, arena, frame);
    p->module = module;
    p->context = module->context;
    p->options = options;
    p->group = options->group;
    p->globals->module = module;
    return KJIT_OK;
}

kjit_status program_level(Program *p, const char *name)
{
    imported_names(p, p->globals, p->module, name);
    if (!take_given(p))
        return KJIT_INVALID;
    if (!p->options->function)
        KJIT_TRY(take_values(p));
    return host_exec(p, &p->module->main->ast->body) != FLOW_FAILED ? KJIT_OK : KJIT_INVALID;
}

/* Whether there was a generator that should have gone on when it was left. */
static bool waits(const Program *p)
{
    bool any = p->dropped;
    for (const HostObject *at = p->objects; at && !any; at = at->next)
        any = at->kind == HOST_PRODUCER && producer_waits((const HostProducer *)at);
    return any;
}

static kjit_status run(void *context, Arena *arena)
{
    ProgramRun *request = context;
    Program *p = &request->program;
    HostFrame frame;
    KJIT_TRY(program_begin(p, request->module, request->options, arena, &frame));
    if (p->options->profile && !profile_start(p))
        return program_report(p);
    kjit_status status = program_level(p, "__main__");
    if (status == KJIT_OK && p->options->function)
        status = call_function(p);
    if (status != KJIT_OK && !p->failed)
        return status;
    const kjit_status left = repeats_flush(p);
    if (status == KJIT_OK && left != KJIT_OK)
        return left;
    profile_print(p);
    if (!p->failed && waits(p))
        host_fail(p, "NotImplementedError",
                  "a generator was left amid a 'try' or a 'with', which programs end only if its "
                  "close() is called");
    if (!p->failed || exception_is(p->exception, "SystemExit"))
        return end(p, !p->failed);
    return program_report(p);
}

kjit_status kjit_program_run(kjit_module *module, const kjit_program_options *options)
{
    kjit_program_options wanted = { .size = sizeof wanted };
    KJIT_TRY(HANDLE(MODULE, module));
    SIZED_TAKE(&wanted, options);
    if (!module->main || !module->main->ast)
        return error_set(KJIT_ARGUMENT, "error: a binary holds kernels alone, and no program");
    ProgramRun request = { .module = module, .options = &wanted };
    kjit_status status = arena_run(run, &request);
    if (wanted.group && status != KJIT_OK) /* else leaving would wait for those that wait for it */
        kjit_group_fail(wanted.group, kjit_error_message());
    if (wanted.group) /* before modules are closed whose kernels it has compiled */
        kjit_group_leave(wanted.group);
    request.program.group = NULL;
    profile_free(&request.program);
    host_free_all(&request.program);
    kjit_values_close(request.program.values);
    return status;
}
