/* The public functions that belong to no other file: handles to modules and kernels, versions. */
#include "runtime/binary/binary.h"

#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *kjit_version(void)
{
    return VERSION_TEXT(KJIT_VERSION_MAJOR, KJIT_VERSION_MINOR, KJIT_VERSION_PATCH);
}

void kjit_free(void *memory)
{
    memory_free(memory);
}

const char *kjit_pass_name_at(size_t index)
{
    return index < PASSES_MAX ? ir_pass_name((int)index) : NULL;
}

static kjit_status load(kjit_context *context, const char *path, const char *text,
                        const kjit_load_options *options, kjit_module **module)
{
    KJIT_TRY(module_load(context, path, text, options, module));
    context_add(context, *module);
    return KJIT_OK;
}

/* That what a call reads, and where it puts what it makes, are there. */
static kjit_status check_given(const void *given, const char *what, const void *place,
                               const char *made)
{
    if (!given)
        return error_set(KJIT_ARGUMENT, "error: the %s is NULL", what);
    if (!place)
        return error_set(KJIT_ARGUMENT, "error: there is no place for the %s: it is NULL", made);
    return KJIT_OK;
}

kjit_status kjit_load_file(kjit_context *context, const char *path,
                           const kjit_load_options *options, kjit_module **module)
{
    if (module)
        *module = NULL;
    KJIT_TRY(check_given(path, "path", module, "module"));
    KJIT_TRY(HANDLE(CONTEXT, context));
    if (binary_file(path))
        return binary_load_file(context, path, options, module);
    return load(context, path, NULL, options, module);
}

kjit_status kjit_load_source(kjit_context *context, const char *text, const char *name,
                             const kjit_load_options *options, kjit_module **module)
{
    if (module)
        *module = NULL;
    KJIT_TRY(check_given(text, "text", module, "module"));
    KJIT_TRY(HANDLE(CONTEXT, context));
    return load(context, name ? name : "<text>", text, options, module);
}

void kjit_close_module(kjit_module *module)
{
    if (!module || !HANDLE_IS(MODULE, module))
        return;
    kjit_context *context = module->context;
    forks_lock(&context->lock);
    for (kjit_module **link = &context->modules; *link; link = &(*link)->next) {
        if (*link == module) {
            *link = module->next;
            break;
        }
    }
    forks_unlock(&context->lock);
    error_quiet(true);
    behind_forget(&context->behind, module);
    module_free(module);
    error_quiet(false);
}

/* How kernels are called, behind those of definitions those that calls make, which are kept in
** reverse. */
static size_t name_kernels(Arena *arena, const kjit_module *module, const char ***names)
{
    const kjit_kernel *made = module->kernels + module->kernel_count + module->made_count;
    size_t count = 0;

    *names = arena_array(arena, const char *, module->kernel_count + module->made_count + 1);
    for (int i = 0; i < module->kernel_count; i++)
        (*names)[count++] = module->kernels[i].info->name;
    for (int i = 0; i < module->made_count; i++)
        if (!(--made)->info->replaced && made->info->name[0] != '_')
            (*names)[count++] = made->info->name;
    return count;
}

/* "a, b, c" */
static const char *list_names(Arena *arena, const char *const *names, size_t count)
{
    Buf out = buf_in(arena);
    for (size_t i = 0; i < count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "", names[i]);
    return buf_text(&out);
}

/* Reports errors in decorators and parameters; KJIT_OK if there are none. */
static kjit_status tell(const Complaints *complaints)
{
    Arena arena;
    Diags diags;

    if (!complaints->count)
        return KJIT_OK;
    arena_init(&arena, NULL);
    diags_init(&diags, &arena);
    diags.list = (Diag *)complaints->items;
    diags.count = diags.errors = complaints->count;
    kjit_status status = error_diags(&diags);
    arena_free(&arena);
    return status;
}

/* The file has functions, but none to launch. */
static kjit_status no_kernels(const kjit_module *module)
{
    const AstBody *body = &module->main->ast->body;
    const char *path = module->main->path, *device = NULL;

    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstFunction *outer = stmt->kind == AST_DEF ? &stmt->def.function : NULL;
        if (outer)
            device = outer->name;
    }
    return error_set(
        KJIT_INVALID,
        "error: %s has no kernel\nnote: %s%s%sa kernel is a function with @cuda.jit or "
        "@kernel",
        path, device ? "'" : "", device ? device : "", device ? "' is a device function; " : "");
}

static bool has_open_bracket(const char *name)
{
    int open = 0;
    char quote = 0;

    for (const char *at = name; *at; at++)
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else
            open += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
    return open > 0;
}

/* Asked for by a name that none has; NULL: by none. */
typedef struct Asking {
    const kjit_module *module;
    const char *name;
} Asking;

static kjit_status no_kernel(void *context, Arena *arena)
{
    const kjit_module *module = ((const Asking *)context)->module;
    const char *name = ((const Asking *)context)->name, *path = module->main->path;
    const Module *names = module->main->module; /* NULL: of a binary */
    const Complaints *about = name && names ? module_complaints_about(names, name) : NULL;
    const char *items = name && names ? module_items(arena, names, name) : NULL, **all;

    if (about) /* what keeps it from being a kernel, perhaps */
        return tell(about);
    if (!module->kernel_count)
        return no_kernels(module);
    const size_t count = name_kernels(arena, module, &all);
    const char *list = list_names(arena, all, count);
    if (!name)
        return error_set(KJIT_ARGUMENT, "error: %s has several kernels, so one must be named: %s",
                         path, list);
    if (items)
        return error_set(KJIT_ARGUMENT,
                         "error: '%s' is no kernel of %s: name one that it holds: %s", name, path,
                         items);
    if (has_open_bracket(name))
        return error_set(KJIT_ARGUMENT, "error: a bracket of '%s' is not closed", name);
    const char *near = diag_nearest(name, all, count);
    return error_set(KJIT_ARGUMENT, "error: %s has no kernel '%s'; %s%s%s has %s", path, name,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? It" : "it", list);
}

static kjit_status none_called(const kjit_module *module, const char *name)
{
    Asking asking = { module, name };
    Arena arena;

    arena_init(&arena, NULL);
    kjit_status status = arena_catch(&arena, no_kernel, &asking);
    arena_free(&arena);
    return status;
}

kjit_status kjit_get_kernel(kjit_module *module, const char *name, kjit_kernel **kernel)
{
    KJIT_TRY(check_given("", "", kernel, "kernel"));
    *kernel = NULL;
    KJIT_TRY(HANDLE(MODULE, module));
    if (!name && module->kernel_count > 1)
        name = stdlib_named(module->main->path);
    for (int i = 0; i < module->kernel_count + (name ? module->made_count : 0); i++) {
        const KernelInfo *info = module->kernels[i].info;
        if (name ? module_kernel_is(info, name) : module->kernel_count == 1) {
            if (!name && info->uncertain) {
                name = info->uncertain;
                break;
            }
            if (!name || !strchr(name, '@')) /* else the text says which */
                KJIT_TRY(tell(&info->complaints));
            *kernel = &module->kernels[i];
            return KJIT_OK;
        }
    }
    if (name) {
        KJIT_TRY(found_kernel(module, name, kernel));
        if (*kernel)
            return tell(&(*kernel)->info->complaints);
    }
    return none_called(module, name);
}

size_t kjit_kernel_count(const kjit_module *module)
{
    if (!HANDLE_IS(MODULE, module))
        return 0;
    return (size_t)module->kernel_count;
}

const char *kjit_kernel_name_at(const kjit_module *module, size_t index)
{
    if (!HANDLE_IS(MODULE, module))
        return NULL;
    return index < (size_t)module->kernel_count ? module->kernels[index].info->name : NULL;
}

const char *kjit_module_doc(const kjit_module *module)
{
    if (!HANDLE_IS(MODULE, module))
        return NULL;
    return module->main->ast->docstring;
}

const char *kjit_kernel_doc(const kjit_kernel *kernel)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return NULL;
    return kernel->info->ast->docstring;
}

const char *kjit_kernel_need(const kjit_kernel *kernel, size_t index)
{
    if (!HANDLE_IS(KERNEL, kernel) || !kernel->needs)
        return NULL;
    for (size_t i = 0; i < index; i++) {
        if (!kernel->needs[i])
            return NULL;
    }
    return kernel->needs[index];
}

const char *kjit_kernel_name(const kjit_kernel *kernel)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return NULL;
    return kernel->info->name;
}

size_t kjit_param_count(const kjit_kernel *kernel)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return 0;
    return (size_t)kernel->param_count;
}

const char *kjit_param_name(const kjit_kernel *kernel, size_t index)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return NULL;
    return index < (size_t)kernel->param_count ? kernel->param_names[index] : NULL;
}

static kjit_status synchronize(Device *device, void *handle)
{
    (void)handle;
    return device->ops->synchronize(device);
}

kjit_status kjit_synchronize(kjit_context *context)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    return watch_wait(context->device, synchronize, NULL);
}
