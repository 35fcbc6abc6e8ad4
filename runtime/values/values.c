/* Named values, and where they come from: the command line, @example. */
#include "runtime/values/values.h"

kjit_status kjit_values_new(kjit_values **values)
{
    *values = memory_zeroed(1, sizeof **values);
    if (!*values)
        return error_memory();
    head_open(&(*values)->self, HANDLE_VALUES, NULL);
    return KJIT_OK;
}

void kjit_values_constants(kjit_values *values, kjit_module *module)
{
    if (!HANDLE_IS(VALUES, values))
        return;
    values->module = module;
}

/* ---- what a value owns ------------------------------------------------------------------ */

static void free_arg(kjit_arg *arg)
{
    if (arg->kind != KJIT_ARG_TUPLE)
        return;
    kjit_arg *items = (kjit_arg *)(uintptr_t)arg->as.tuple.items;
    for (size_t i = 0; i < arg->as.tuple.count; i++)
        free_arg(&items[i]);
    memory_free(items);
}

/* A copy whose tuples are memory of their own; arrays stay where they are. */
static bool copy_arg(const kjit_arg *from, kjit_arg *to)
{
    *to = *from;
    if (from->kind != KJIT_ARG_TUPLE)
        return true;
    kjit_arg *items = memory_zeroed(from->as.tuple.count, sizeof *items);
    to->as.tuple.items = items;
    to->as.tuple.count = 0;
    for (size_t i = 0; items && i < from->as.tuple.count; i++) {
        if (!copy_arg(&from->as.tuple.items[i], &items[i])) {
            free_arg(to);
            *to = (kjit_arg){ 0 };
            return false;
        }
        to->as.tuple.count++;
    }
    return items != NULL;
}

static void mark(kjit_values *values, const kjit_arg *arg)
{
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        mark(values, &arg->as.tuple.items[i]);
    if (arg->kind != KJIT_ARG_ARRAY)
        return;
    const char *data = arg->as.array.data;
    for (ValueBlock *block = values->blocks; block; block = block->next)
        block->used = block->used || (data >= block->begin && data < block->end);
}

/* Frees the memory that no value lies in any more. */
static void sweep(kjit_values *values)
{
    for (ValueBlock *block = values->blocks; block; block = block->next)
        block->used = false;
    for (size_t i = 0; i < values->count; i++)
        mark(values, &values->list[i].arg);
    for (ValueBlock **link = &values->blocks; *link;) {
        ValueBlock *block = *link;
        if (block->used) {
            link = &block->next;
        } else {
            *link = block->next;
            block_release(block->raw, block->mapped);
            memory_free(block);
        }
    }
}

void values_clear(kjit_values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        memory_free(values->list[i].name);
        free_arg(&values->list[i].arg);
    }
    values->count = 0;
    sweep(values);
    while (values->records) {
        ValueRecord *next = values->records->next;
        memory_free(values->records->record);
        memory_free(values->records);
        values->records = next;
    }
    memory_free(values->list);
    values->list = NULL;
    values->capacity = 0;
}

void values_take_records(kjit_values *values, kjit_values *from)
{
    ValueRecord **link = &from->records;

    while (*link)
        link = &(*link)->next;
    *link = values->records;
    values->records = from->records;
    from->records = NULL;
}

void kjit_values_close(kjit_values *values)
{
    if (!values || !HANDLE_IS(VALUES, values))
        return;
    values_clear(values);
    head_free(&values->self);
}

static NamedValue *find(const kjit_values *values, const char *name)
{
    for (size_t i = 0; i < values->count; i++) {
        if (strcmp(values->list[i].name, name) == 0)
            return &values->list[i];
    }
    return NULL;
}

const kjit_arg *kjit_values_get(const kjit_values *values, const char *name)
{
    if (!HANDLE_IS(VALUES, values))
        return NULL;
    const NamedValue *found = find(values, name);

    return found ? &found->arg : NULL;
}

const char *kjit_values_name_at(const kjit_values *values, size_t index)
{
    if (!HANDLE_IS(VALUES, values))
        return NULL;
    return index < values->count ? values->list[index].name : NULL;
}

/* An entry for a name, new ones empty; NULL if there is no memory. */
static NamedValue *entry(kjit_values *values, const char *name)
{
    NamedValue *found = find(values, name);

    if (found)
        return found;
    if (!memory_more(values->list, values->count, values->capacity))
        return NULL;
    char *copy = memory_strdup(name);
    if (!copy)
        return NULL;
    values->list[values->count] = (NamedValue){ .name = copy };
    return &values->list[values->count++];
}

kjit_status values_put(kjit_values *values, const char *name, const kjit_arg *arg)
{
    kjit_arg copy;

    if (!copy_arg(arg, &copy))
        return error_memory();
    NamedValue *value = entry(values, name);
    if (!value) {
        free_arg(&copy);
        return error_memory();
    }
    free_arg(&value->arg);
    value->arg = copy;
    return KJIT_OK;
}

/* ---- evaluating ----------------------------------------------------------------------- */

/* Complains of what is no argument. */
static void refuse(Diags *diags, Span span, const Value *value)
{
    if (value->kind == VALUE_NONE)
        diag_error(diags, span,
                   "None is no argument of a kernel, in numba neither: pass a number or an "
                   "array of length 0, and test for that");
    else if (value->kind == VALUE_STRING)
        diag_error(diags, span,
                   "a string is no argument of a kernel: pass a number or an array; that of a "
                   "file is load(\"x.npy\")");
    else if (value->kind == VALUE_DTYPE)
        diag_error(diags, span, "this is a type: pass a value of it, float64(1) for one");
    else
        diag_error(diags, span,
                   "this is not a value that a kernel can take: pass a number, an array, or a "
                   "tuple of such");
}

/* What is to be set, from a text or from a kernel's @example. */
typedef struct Request {
    kjit_values *values;
    const char *name, *text, *directory;
    const kjit_kernel *kernel;
    kjit_launch_config *config;
} Request;

/* The expression as a source; a bare path becomes the load that it means. */
static Source *expression_source(Arena *arena, const Request *request)
{
    const char *text = request->text + strspn(request->text, " \t\n");
    size_t length = strlen(text);
    const char *name = arena_printf(arena, "<%s>", request->name);

    while (length && strchr(" \t\n", text[length - 1]))
        length--;
    if (path_stands_alone(text, length))
        text = arena_printf(arena, "load(\"%.*s\")", (int)length, text);
    return source_new(arena, name, text, strlen(text));
}

static kjit_status failure(Eval *eval)
{
    kjit_status status = eval->status;

    error_diags(eval->diags);
    return status;
}

static kjit_status evaluate_text(void *context, Arena *arena)
{
    Request *request = context;
    Diags diags;
    Value value;

    diags_init(&diags, arena);
    Eval eval = { .arena = arena,
                  .diags = &diags,
                  .values = request->values,
                  .directory = request->directory,
                  .module = request->values->module,
                  .status = KJIT_ARGUMENT };
    const Source *source = expression_source(arena, request);
    const AstExpr *expr = parse_expression(arena, &diags, source);
    if (!expr || !value_eval(&eval, expr, &value))
        return failure(&eval);
    if (value.kind != VALUE_ARG) {
        refuse(&diags, expr->span, &value);
        return failure(&eval);
    }
    return values_put(request->values, request->name, &value.arg);
}

kjit_status kjit_values_set(kjit_values *values, const char *name, const char *expression,
                            const char *directory)
{
    KJIT_TRY(HANDLE(VALUES, values));
    Request request = {
        .values = values, .name = name, .text = expression, .directory = directory
    };
    kjit_status status = arena_run(evaluate_text, &request);

    sweep(values);
    return status;
}

/* ---- @example ------------------------------------------------------------------------- */

/* What says how to launch, and is no argument: a kernel may have a parameter called shared. */
static bool is_config(const kjit_kernel *kernel, const char *name)
{
    if (!name || strcmp(name, "shared") != 0)
        return name && (strcmp(name, "grid") == 0 || strcmp(name, "block") == 0);
    for (int i = 0; i < kernel->param_count; i++)
        if (strcmp(kernel->param_names[i], name) == 0)
            return false;
    return true;
}

/* The folder of the file a kernel is in. */
static const char *kernel_folder(Arena *arena, const kjit_kernel *kernel)
{
    const char *path = kernel->module->main->path, *slash = strrchr(path, '/');

    return slash ? arena_strndup(arena, path, (size_t)(slash - path) + (slash == path)) : NULL;
}

static Eval example_eval(Arena *arena, Diags *diags, const Request *request)
{
    diags_init(diags, arena);
    return (Eval){ .arena = arena,
                   .diags = diags,
                   .values = request->values,
                   .module = request->kernel->module,
                   .status = KJIT_INVALID,
                   .directory = kernel_folder(arena, request->kernel) };
}

/* What parameters are by themselves, where neither the example nor the caller says. */
static kjit_status take_defaults(Arena *arena, Request *request)
{
    const KernelInfo *info = request->kernel->info;

    for (int i = 0; info->ast && i < info->ast->params.count; i++) {
        const AstParam *param = &info->ast->params.items[i];
        Diags diags;
        Eval eval = example_eval(arena, &diags, request);
        Value value;
        if (!param->default_value ||
            (info->example && ast_given_keyword(info->example, param->name)) ||
            find(request->values, param->name))
            continue;
        if (value_eval(&eval, param->default_value, &value) && value.kind == VALUE_ARG)
            KJIT_TRY(values_put(request->values, param->name, &value.arg));
    }
    return KJIT_OK;
}

static kjit_status evaluate_example(void *context, Arena *arena)
{
    Request *request = context;
    const AstExpr *example = request->kernel->info->example;
    Diags diags;
    Eval eval = example_eval(arena, &diags, request);

    KJIT_TRY(take_defaults(arena, request));
    if (!example || example->kind != AST_CALL)
        return error_set(KJIT_ARGUMENT, "error: %s has no @example, so its arguments must be given",
                         request->kernel->info->name);
    for (int i = 0; i < example->call.keyword_count; i++) {
        const AstKeyword *keyword = &example->call.keywords[i];
        Value value;
        if (!keyword->name || is_config(request->kernel, keyword->name) ||
            find(request->values, keyword->name))
            continue;
        if (!value_eval(&eval, keyword->value, &value))
            return failure(&eval);
        if (value.kind != VALUE_ARG) {
            refuse(&diags, keyword->value->span, &value);
            return failure(&eval);
        }
        KJIT_TRY(values_put(request->values, keyword->name, &value.arg));
    }
    return KJIT_OK;
}

kjit_status kjit_values_example(kjit_values *values, kjit_kernel *kernel)
{
    KJIT_TRY(HANDLE(VALUES, values));
    KJIT_TRY(HANDLE(KERNEL, kernel));
    Request request = { .values = values, .kernel = kernel };
    kjit_status status = arena_run(evaluate_example, &request);

    sweep(values);
    return status;
}

/* An integer, or a tuple of one to three, as sizes in x, y and z. */
static bool read_dim3(Eval *eval, const AstExpr *expr, uint32_t sizes[3])
{
    uint32_t read[3] = { 1, 1, 1 };
    Value value;

    if (!value_eval(eval, expr, &value))
        return false;
    bool tuple = value.kind == VALUE_ARG && value.arg.kind == KJIT_ARG_TUPLE;
    size_t count = tuple ? value.arg.as.tuple.count : 1;
    bool fits = count >= 1 && count <= 3;
    for (size_t i = 0; i < count && fits; i++) {
        Value item = value;
        int64_t size;
        if (tuple)
            item.arg = value.arg.as.tuple.items[i];
        if (!value_integer(eval, &item, &size))
            return false;
        fits = size >= 1 && size <= UINT32_MAX;
        read[i] = (uint32_t)size;
    }
    if (fits)
        memcpy(sizes, read, sizeof read);
    else
        diag_error(eval->diags, expr->span, "one to three sizes of at least 1 are needed here");
    return fits;
}

/* Bytes of dynamic shared memory, where `*bytes` has none yet. */
static bool read_bytes(Eval *eval, const AstExpr *expr, size_t *bytes)
{
    Value value;
    int64_t given;

    if (!value_eval(eval, expr, &value) || !value_integer(eval, &value, &given))
        return false;
    if (given < 0 || given > INT32_MAX)
        return diag_error(eval->diags, expr->span, "shared= takes a number of bytes");
    if (!*bytes)
        *bytes = (size_t)given;
    return true;
}

const AstExpr *example_config_text(const kjit_kernel *kernel, const char *name)
{
    const AstExpr *example = kernel->info->example;
    bool has = example && example->kind == AST_CALL && is_config(kernel, name);
    return has ? ast_given_keyword(example, name) : NULL;
}

kjit_status example_config(Eval *eval, const kjit_kernel *kernel, unsigned parts,
                           kjit_launch_config *config)
{
    const AstExpr *grid = example_config_text(kernel, "grid");
    const AstExpr *block = example_config_text(kernel, "block");
    const AstExpr *shared = example_config_text(kernel, "shared");
    kjit_launch_config made = *config;

    eval->directory = kernel_folder(eval->arena, kernel);
    if ((grid && parts & EXAMPLE_GRID && !read_dim3(eval, grid, made.grid)) ||
        (block && parts & EXAMPLE_BLOCK && !read_dim3(eval, block, made.block)) ||
        (shared && parts & EXAMPLE_SHARED && !read_bytes(eval, shared, &made.shared_bytes)))
        return failure(eval);
    if (!grid && !block && !shared)
        return error_set(KJIT_ARGUMENT, "error: the @example of %s has no grid and block",
                         kernel->info->name);
    *config = made;
    return KJIT_OK;
}

static kjit_status evaluate_config(void *context, Arena *arena)
{
    Request *request = context;
    Diags diags;
    Eval eval = example_eval(arena, &diags, request);

    return example_config(&eval, request->kernel, EXAMPLE_GRID | EXAMPLE_BLOCK | EXAMPLE_SHARED,
                          request->config);
}

kjit_status kjit_example_config(kjit_kernel *kernel, kjit_launch_config *config)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_values *scratch;

    KJIT_TRY(kjit_values_new(&scratch));
    Request request = { .values = scratch, .kernel = kernel, .config = config };
    kjit_status status = arena_run(evaluate_config, &request);
    kjit_values_close(scratch);
    return status;
}
