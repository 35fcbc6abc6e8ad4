/* Records of wisdom that contradict the source, since they or the @tune were edited. They are
** ignored like those that do not suit a launch, but with a warning. */
#include "runtime/tuning/tuned.h"

void tuned_complain(TunedChoice *choice, uint32_t line, const char *what)
{
    size_t used = strlen(choice->complaints), room = sizeof choice->complaints - used;
    char *at = choice->complaints + used;
    int length = snprintf(at, room,
                          "%s:%u: warning: %s\n"
                          "note: the record of this line is not used; mend it, or tune again and "
                          "delete it\n",
                          choice->wisdom->path, line, what);

    if (length < 0 || (size_t)length >= room)
        *at = '\0'; /* there is no room: drop it */
}

static bool sets(const WisdomItems *items, const char *name)
{
    for (int i = 0; i < items->count; i++) {
        if (strcmp(items->list[i].name, name) == 0)
            return true;
    }
    return false;
}

const char *tuned_lacks(Arena *arena, const kjit_kernel *kernel, const WisdomRecord *record)
{
    const TuneSpace *tune = kernel->info->tune;
    const WisdomItems *items = &record->configuration;
    size_t count = 0, room = (size_t)items->count + (tune ? (size_t)tune->param_count : 0);
    const char **names = arena_array(arena, const char *, room + 1), *lacks = NULL;
    CacheKey digest;

    for (int i = 0; i < items->count; i++)
        names[count++] = items->list[i].name;
    for (int i = 0; tune && i < tune->param_count; i++) {
        if (sets(items, tune->params[i].name))
            continue;
        lacks = lacks ? lacks : tune->params[i].name;
        names[count++] = tune->params[i].name;
    }
    if (!lacks)
        return NULL;
    wisdom_digest(arena, kernel, names, count, &digest);
    return strcmp(digest.name, record->digest) == 0 ? lacks : NULL;
}

const SpaceParam *tuned_unknown(Arena *arena, const kjit_space *space)
{
    for (size_t i = 0; i < space->count; i++) {
        if (!space_affects_launch(arena, space, &space->params[i]))
            return &space->params[i];
    }
    return NULL;
}

void tuned_put_untried(Buf *out, const kjit_space *space, const SpaceParam *tune, size_t count)
{
    const char *before = "; not among what @tune has to try: ";

    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        size_t k = 0;
        while (k < count && strcmp(tune[k].name, param->name) != 0)
            k++;
        if (k == count || space_find_value(&tune[k], param->values[0].text) < tune[k].count)
            continue;
        buf_printf(out, "%s%s=%s", before, param->name, param->values[0].text);
        before = ", ";
    }
}
