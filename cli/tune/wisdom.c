/* Wisdom in the measuring child: which record launches use, and writing records. */
#include "cli/tune/child.h"

void child_note(Child *child, const json_t *message, kjit_space *space, const uint32_t *config)
{
    const char *objective = json_string_value(json_object_get(message, "objective"));
    double value = json_number_value(json_object_get(message, "value"));
    kjit_status status = kjit_wisdom_add(space, config, child->args, child->count,
                                         objective ? objective : "time", value, NULL);
    const char *failed = status == KJIT_OK ? "" : kjit_error_message();
    child_say(child, json_pack("{s:s,s:s,s:b}", "say", "answer", "failed", failed, "unwanted",
                               status == KJIT_UNSUPPORTED));
}

/* Whether `NAME=VALUE, NAME=VALUE` has this item. */
static bool has_item(const char *text, const char *name, const char *value)
{
    size_t name_length = strlen(name), length = name_length + 1 + strlen(value);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        bool begins = at == text || (at - text >= 2 && !strncmp(at - 2, ", ", 2));
        if (begins && strlen(at) >= length && at[name_length] == '=' &&
            !strncmp(at + name_length + 1, value, length - name_length - 1) &&
            (!at[length] || !strncmp(at + length, ", ", 2)))
            return true;
    }
    return false;
}

/* The indices of a configuration given as a text; NULL if it is not in the space. */
static json_t *find_config(const kjit_space *space, const char *text)
{
    size_t params = kjit_space_param_count(space), covered = params ? 2 * (params - 1) : 0;
    json_t *indices = json_array();
    for (size_t i = 0; i < params; i++) {
        const char *name = kjit_space_param_name(space, i), *value;
        size_t k = 0;
        while ((value = kjit_space_value_text(space, i, k)) != NULL && !has_item(text, name, value))
            k++;
        covered += value ? strlen(name) + 1 + strlen(value) : 0;
        json_array_append_new(indices, json_integer((json_int_t)k));
    }
    if (covered == strlen(text))
        return indices;
    json_decref(indices);
    return NULL;
}

/* Whether launches use the source's own constants and shape. */
static bool is_own(Child *child, const kjit_tuned *tuned)
{
    const uint32_t config[PARAMS_MOST] = { 0 };
    kjit_launch_config shape;
    return tuned->kernel == child->kernel &&
           child_shape(child, child->own, config, &shape) == KJIT_OK &&
           !memcmp(shape.grid, tuned->shape.grid, sizeof shape.grid) &&
           !memcmp(shape.block, tuned->shape.block, sizeof shape.block);
}

void child_report_taken(Child *child)
{
    kjit_tuned tuned = { .size = sizeof tuned };
    kjit_status status = kjit_tuned_find(child->kernel, child->args, child->count, &tuned);
    bool taken = status == KJIT_OK && tuned.objective;
    child_say(child, json_pack("{s:s,s:s,s:s,s:s,s:o?,s:b}", "say", "answer", "objective",
                               taken ? tuned.objective : "", "why", taken ? tuned.why : "",
                               "configuration", taken ? tuned.configuration : "", "config",
                               taken ? find_config(child->space, tuned.configuration) : NULL, "own",
                               taken && is_own(child, &tuned)));
}
