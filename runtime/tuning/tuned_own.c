/* The choice without a record of wisdom. */
#include "runtime/tuning/tuned.h"

typedef struct OwnText {
    const kjit_space *space;
    const uint32_t *config;
    const char *text; /* out */
} OwnText;

static kjit_status put_own(void *context, Arena *arena)
{
    OwnText *own = context;
    Buf text = buf_in(arena);
    for (size_t i = 0; i < own->space->count; i++) {
        const SpaceParam *param = &own->space->params[i];
        if (param->role == ROLE_CONSTANT)
            buf_printf(&text, "%s%s=%s", text.length ? ", " : "", param->name,
                       param->values[own->config[i]].text);
    }
    own->text = buf_text(&text);
    return KJIT_OK;
}

kjit_status tuned_own(TunedChoice *choice, kjit_space *space)
{
    uint32_t *config = memory_zeroed(space->count + 1, sizeof *config);
    OwnText own = { .space = space, .config = config };

    if (!config)
        return error_memory();
    kjit_status status =
        space_own_shape(space, choice->args, choice->count, config, &choice->shape);
    if (status == KJIT_OK)
        status = arena_catch(&choice->arena, put_own, &own);
    if (status == KJIT_OK && !(choice->configuration = memory_strdup(own.text)))
        status = error_memory();
    memory_free(config);
    choice->kernel = status == KJIT_OK ? choice->asked : NULL;
    choice->how = "constants";
    return status;
}
