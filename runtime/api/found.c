/* Kernels that no text defines by the name they are asked for: that, or an expression such as
** `steps[1]`, is evaluated at the end of the module, and the kernel is kept. */
#include "runtime/compile/compile.h"
#include "runtime/runtime.h"

#include <string.h>

kjit_kernel *module_next_kernel(const kjit_module *module, const kjit_kernel *kernel)
{
    const int count = module->kernel_count + module->made_count;
    kjit_kernel *const first = module->kernels;

    if (kernel && !(count > 0 && kernel >= first && kernel < first + count))
        return kernel->next;
    const ptrdiff_t next = kernel ? kernel + 1 - first : 0;
    return next < count ? &first[next] : module->found;
}

/* What is asked for, and what comes of it. */
typedef struct Finding {
    kjit_module *module;
    const char *text;
    KernelInfo info;
    kjit_kernel *kernel;
    bool given;
} Finding;

/* "make.step -D n=VALUE": how kernels are called that need no evaluation. */
static const char *list_names(Arena *arena, const kjit_module *module)
{
    Buf out = buf_in(arena);
    for (int i = 0; i < module->kernel_count; i++) {
        const kjit_kernel *kernel = &module->kernels[i];
        buf_printf(&out, "%s%s", i ? ", " : "", kernel->info->name);
        for (int k = 0; kernel->needs && kernel->needs[k]; k++)
            buf_printf(&out, " -D %s=VALUE", kernel->needs[k]);
    }
    return buf_text(&out);
}

/* One error, at the statement that binds the name, of what could not be evaluated. */
static kjit_status not_known(Arena *arena, const Finding *finding, const Diags *why)
{
    const kjit_module *module = finding->module;
    const Span bound = module_bound_at(arena, module->main->module, finding->text);
    Diags diags;

    if (!bound.source)
        return KJIT_OK; /* there is no such kernel */
    diags_init(&diags, arena);
    diag_error(&diags, bound,
               "it is not known which kernel '%s' is, as kjit cannot evaluate what gives it",
               finding->text);
    for (size_t i = 0; i < why->count; i++) {
        const Source *at = why->list[i].span.source;
        const bool asked = at && strcmp(at->name, "<kernel>") == 0; /* which says nothing */
        diag_note(&diags, asked ? (Span){ 0 } : why->list[i].span, "%s", why->list[i].message);
    }
    if (module->kernel_count)
        diag_note(&diags, (Span){ 0 }, "kernels can be named where they are defined: %s",
                  list_names(arena, module));
    return error_diags(&diags);
}

static kjit_status evaluate(void *context, Arena *arena)
{
    Finding *finding = context;
    Diags diags;

    diags_init(&diags, arena);
    finding->given = compile_find(arena, &diags, finding->module, finding->text, &finding->info);
    return finding->given || !diags.errors ? KJIT_OK : not_known(arena, finding, &diags);
}

static kjit_status keep(void *context, Arena *arena)
{
    Finding *finding = context;
    kjit_module *module = finding->module;
    KernelInfo *info = arena_new(arena, KernelInfo);
    kjit_kernel *kernel = arena_new(arena, kjit_kernel);

    *info = finding->info;
    info->name = arena_strdup(arena, finding->text);
    kernel_bind(module, kernel, info);
    kernel_open(kernel);
    forks_lock(&module->tuning);
    kernel->next = module->found;
    module->found = kernel;
    forks_unlock(&module->tuning);
    finding->kernel = kernel;
    return KJIT_OK;
}

static kjit_status find(Finding *finding)
{
    kjit_module *module = finding->module;
    Arena arena;

    for (kjit_kernel *kernel = module->found; kernel; kernel = kernel->next)
        if (strcmp(kernel->info->name, finding->text) == 0) {
            finding->kernel = kernel;
            return KJIT_OK;
        }
    arena_init(&arena, NULL);
    kjit_status status = arena_catch(&arena, evaluate, finding);
    arena_free(&arena);
    return status == KJIT_OK && finding->given ? arena_catch(&module->arena, keep, finding)
                                               : status;
}

kjit_status found_kernel(kjit_module *module, const char *text, kjit_kernel **kernel)
{
    Finding finding = { .module = module, .text = text };

    *kernel = NULL;
    if (module->compiled)
        return KJIT_OK;
    forks_lock(&module->lock);
    kjit_status status = find(&finding);
    forks_unlock(&module->lock);
    *kernel = finding.kernel;
    return status;
}
