/* Kernels compiled with configurations of records, each a module of its own that lives as long as
** the original. */
#include "runtime/tuning/tuned.h"
#include "runtime/capture/capture.h"
#include "runtime/launch/launching.h"

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
    memory_free(variant->launch);
    memory_free(variant->failed);
    memory_free(variant);
}

/* Creates a variant at the front of the list. */
static kjit_status add_variant(TunedKernel *tuned, const kjit_space *space, const char *text,
                               TunedVariant **made)
{
    TunedVariant *variant = memory_zeroed(1, sizeof *variant);
    uint32_t *config = memory_zeroed(space->count + 1, sizeof *config);

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
    *made = variant;
    return KJIT_OK;
}

/* Whether a failure is due to the record; otherwise a launch of the source itself would fail as
** well. */
static bool is_of_record(kjit_status status)
{
    return status == KJIT_ARGUMENT || status == KJIT_INVALID || status == KJIT_UNSUPPORTED;
}

/* Caches a failure, which takes long to find; without memory it is not cached. */
static void keep_failure(TunedVariant *variant, const char *launch, kjit_status status)
{
    memory_free(variant->launch);
    memory_free(variant->failed);
    variant->failed = memory_strdup(kjit_error_message());
    variant->launch = memory_strdup(launch);
    variant->failed_status = status;
}

/* Compiles it as a launch does, and checks that it can have the shape. */
static kjit_status compile_for(const TunedVariant *variant, const TunedChoice *choice)
{
    uint64_t threads = config_threads(&choice->shape);
    Choice launch;

    launch_clear_report();
    KJIT_TRY(launch_choose(variant->kernel, &choice->shape, choice->args, choice->count,
                           DISPATCH_NOW, &launch));
    if (shape_threads(launch.spec, threads) <= (uint64_t)launch.spec->most_threads)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: a block has %llu threads, and %d is the most for the registers that "
                     "each takes",
                     (unsigned long long)threads, launch.spec->most_threads);
}

static kjit_status try_variant(TunedVariant *variant, const TunedChoice *choice, const char *types)
{
    const uint32_t *grid = choice->shape.grid, *block = choice->shape.block;
    size_t room = strlen(types) + 96;
    char *launch = memory_alloc(room);

    if (!launch)
        return error_memory();
    snprintf(launch, room, "%s of %u, %u, %u by %u, %u, %u", types, grid[0], grid[1], grid[2],
             block[0], block[1], block[2]);
    kjit_status status = KJIT_OK;
    if (variant->launch && variant->failed && strcmp(variant->launch, launch) == 0)
        status = error_set(variant->failed_status, "%s", variant->failed);
    else if (is_of_record(status = compile_for(variant, choice)))
        keep_failure(variant, launch, status);
    memory_free(launch);
    return status == KJIT_MEMORY || is_of_record(status) ? status : KJIT_OK;
}

kjit_status tuned_variant(TunedKernel *tuned, const kjit_space *space, const char *text,
                          const TunedChoice *choice, const char *types, kjit_kernel **kernel)
{
    TunedVariant *variant = find(tuned, text);

    if (!variant)
        KJIT_TRY(add_variant(tuned, space, text, &variant));
    KJIT_TRY(try_variant(variant, choice, types));
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
