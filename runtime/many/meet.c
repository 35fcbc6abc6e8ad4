/* Where all processes meet, and tell whether they mean the same. */
#include "runtime/array/array.h"
#include "runtime/many/group.h"

static kjit_status report_failure(const Says *all, int ranks, int first)
{
    bool same = true;

    for (int r = 0; r < ranks; r++)
        same &=
            all[r].status == all[first].status && strcmp(all[r].message, all[first].message) == 0;
    static const char mark[] = "error: ";
    kjit_status status = (kjit_status)all[first].status;
    const char *text = all[first].message;
    if (same)
        return error_text(status, text);
    text += strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    bool named = strncmp(text, "ranks ", strlen("ranks ")) == 0;
    return named ? error_set(status, "error: %s", text)
                 : error_set(status, "error: rank %d: %s", first, text);
}

static kjit_status differs(int rank, const char *what)
{
    return error_set(KJIT_ARGUMENT, "error: rank %d has another %s than rank 0", rank, what);
}

/* Whether all mean the same. */
static kjit_status compare(const Says *all, int ranks)
{
    for (int r = 1; r < ranks; r++) {
        if (all[r].text != all[0].text)
            return differs(r, "version of the file, or of kjit,");
        if (all[r].launch != all[0].launch)
            return differs(r, "grid, other options of arrays, or another kind of device");
        for (int i = 0; i < SAYS_ARGS; i++)
            if (all[r].args[i] != all[0].args[i])
                return error_set(KJIT_ARGUMENT,
                                 "error: rank %d has another value of argument %d than rank 0", r,
                                 i + 1);
    }
    return KJIT_OK;
}

kjit_status group_meet(kjit_group *group, const Says *says)
{
    Engine *engine = group->engine;

    if (!engine)
        return says->status == KJIT_OK ? KJIT_OK
                                       : error_text((kjit_status)says->status, says->message);
    Says *all = memory_zeroed((size_t)engine->ranks, sizeof *all);
    if (!all)
        return error_memory();
    kjit_status status = engine_all(engine, says, sizeof *says, all);
    if (status != KJIT_OK)
        return status; /* what has begun may still come: the memory stays */
    for (int r = 0; status == KJIT_OK && r < engine->ranks; r++)
        if (all[r].status != KJIT_OK)
            status = report_failure(all, engine->ranks, r);
    if (status == KJIT_OK)
        status = compare(all, engine->ranks);
    group->over |= status != KJIT_OK; /* which all know */
    memory_free(all);
    return status;
}

/* ---- what all do alike ----------------------------------------------------------------------- */

static void add_array(KeyState *state, const kjit_array *array, const void *of)
{
    const Spread *spread = spread_find(of, array->data);

    key_number(state, spread ? spread->number : 0);
    key_number(state, spread ? (uint64_t)((char *)array->data - spread->begin) : 0);
    for (int k = 0; k < array->rank; k++) {
        key_number(state, (uint64_t)array->shape[k]);
        key_number(state, (uint64_t)array->strides[k]);
    }
}

kjit_status group_adds_launch(const kjit_group *group, const char *kernel,
                              const kjit_launch_config *config, const kjit_arg *args, size_t count)
{
    if (!group->engine)
        return KJIT_OK;
    KeyState *state = key_begin();
    key_text(state, kernel);
    for (int k = 0; k < 3; k++)
        key_number(state, (uint64_t)config->grid[k] << 32 | config->block[k]);
    for (size_t i = 0; i < count; i++)
        many_key_arg(state, &args[i], true, add_array, group);
    uint64_t digest = many_digest(state);
    engine_adds(group->engine, digest);
    return digest ? KJIT_OK : error_memory();
}

kjit_status group_agree(kjit_group *group, kjit_status status)
{
    if (!group->engine)
        return status;
    Says *says = memory_zeroed(1, sizeof *says);
    if (!says)
        return error_memory();
    says->status = status;
    if (status != KJIT_OK)
        strncpy(says->message, kjit_error_message(), sizeof says->message - 1);
    status = group_meet(group, says);
    memory_free(says);
    return status;
}
