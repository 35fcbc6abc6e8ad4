/* What identifies a launch in wisdom: the kernel's text, the types and extents of its arguments,
** the device.
**
** The digest is of the printed syntax tree of the kernel and of everything it reaches, so that
** comments, blanks and other kernels of the file may change. Constants that a record sets are left
** out; the others count with their values by -D or the module. The typed IR would be a worse key:
** it differs with the types, which records have separately, and with each version of kjit. */
#include "runtime/tuning/wisdom.h"

const char *wisdom_path(Arena *arena, const kjit_module *module)
{
    const char *path = module->main->path;
    size_t length = strlen(path);

    if (!module->from_file)
        return NULL;
    if (length > 2 && strcmp(path + length - 2, ".k") == 0)
        length -= 2;
    return arena_printf(arena, "%.*s.wisdom", (int)length, path);
}

void wisdom_digest(Arena *arena, const kjit_kernel *kernel, const char *const *without,
                   size_t count, CacheKey *digest)
{
    const kjit_module *module = kernel->module;
    const ReachRequest request = { .module = module->main->module,
                                   .kernel = kernel->info->name,
                                   .defines = module->defines,
                                   .define_count = module->define_count,
                                   .without = without,
                                   .without_count = count };
    bool fastmath = module->fastmath;

    for (size_t i = 0; i < count; i++)
        fastmath = fastmath && strcmp(without[i], "fastmath") != 0;
    Buf text = buf_in(arena);
    module_reach_text(arena, &request, &text);
    buf_puts(&text, fastmath ? "fastmath\n" : "");
    if (module->matmul)
        buf_printf(&text, "matmul %s\n", ir_tile_name((TileForm)module->matmul));
    key_of_bytes(buf_text(&text), text.length, digest);
}

/* ---- arguments ---------------------------------------------------------------------------- */

static void add_extents(Arena *arena, const kjit_arg *arg, WisdomInts *extents)
{
    for (int i = 0; arg->kind == KJIT_ARG_ARRAY && i < arg->as.array.rank; i++)
        array_push(arena, extents->list, extents->count, extents->capacity) =
            arg->as.array.shape[i];
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_extents(arena, &arg->as.tuple.items[i], extents);
}

static kjit_status types_text(Arena *arena, const SpacePoint *point, const char **text)
{
    const kjit_kernel *kernel = point->space->kernel;
    uint32_t key[KEY_MAX];
    int length = 0;
    Types types;

    KJIT_TRY(signature_pack(point->args, point->count, kernel->param_names, key, &length));
    types_init(&types, arena);
    Buf out = buf_in(arena);
    signature_print(&out, kernel->info->name, signature_unpack(arena, &types, key, length));
    *text = buf_text(&out);
    return KJIT_OK;
}

kjit_status wisdom_arguments(Arena *arena, const SpacePoint *point, WisdomRecord *record)
{
    Diags diags;
    Eval eval = space_eval(arena, &diags, point);
    int64_t problem[TUNE_AXES];

    KJIT_TRY(check_count(point->space->kernel, point->count));
    KJIT_TRY(types_text(arena, point, &record->types));
    record->extents = record->problem = (WisdomInts){ 0 };
    for (size_t i = 0; i < point->count; i++)
        add_extents(arena, &point->args[i], &record->extents);
    int axes = space_problem(&eval, point->space, problem);
    for (int i = 0; i < axes; i++)
        array_push(arena, record->problem.list, record->problem.count, record->problem.capacity) =
            problem[i];
    return axes < 0 ? space_failure(&eval) : KJIT_OK;
}
