/* Kernels as records configure them, each a module of its own that lives as long as the one it was
** made of. */
#include "runtime/tuned.h"
#include "runtime/capture.h"

#include <string.h>

static TunedVariant *find(const TunedKernel *tuned, const char *text)
{
    TunedVariant *variant = tuned->variants;

    while (variant && strcmp(variant->text, text) != 0)
        variant = variant->next;
    return variant;
}

static void free_variant(TunedVariant *variant)
{
    if (variant->module) {
        behind_forget(&variant->module->context->behind, variant->module);
        module_free(variant->module);
    }
    memory_free(variant->text);
    memory_free(variant);
}

kjit_status tuned_variant(TunedKernel *tuned, const kjit_space *space, const char *text,
                          kjit_kernel **kernel)
{
    TunedVariant *variant = find(tuned, text);
    uint32_t *config;

    if (variant) {
        *kernel = variant->kernel;
        return KJIT_OK;
    }
    variant = memory_zeroed(1, sizeof *variant);
    config = memory_zeroed(space->count + 1, sizeof *config);
    if (variant)
        variant->text = memory_strdup(text);
    kjit_status status = KJIT_OK;
    if (!variant || !variant->text || !config)
        status = error_memory();
    if (status == KJIT_OK)
        status = space_load(space, config, &variant->module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(variant->module, space->kernel->info->name, &variant->kernel);
    memory_free(config);
    if (status != KJIT_OK) {
        if (variant)
            free_variant(variant);
        return status;
    }
    if (variant->module->context->capture)
        capture_module(variant->module);
    variant->next = tuned->variants;
    tuned->variants = variant;
    *kernel = variant->kernel;
    return KJIT_OK;
}

void tuned_free(TunedKernel *tuned)
{
    while (tuned && tuned->variants) {
        TunedVariant *next = tuned->variants->next;
        free_variant(tuned->variants);
        tuned->variants = next;
    }
    memory_free(tuned);
}
