/* The space as a child lists it: names, values, and allowed configurations. */
#include <math.h>

#include "cli/measure/memory.h"
#include "cli/search/tune.h"

static bool open_param(ListedSpace *space, size_t index, const json_t *description)
{
    ListedParam *param = &space->params[index];
    param->name = json_string_value(json_object_get(description, "name"));
    param->values = json_object_get(description, "values");
    size_t count = json_array_size(param->values);
    bool all = true;
    if (!param->name || !count)
        return false;
    param->numbers = must_alloc(count * sizeof *param->numbers);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(param->values, i);
        all = all && (json_is_number(value) || json_is_boolean(value));
        param->numbers[i] = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
    }
    if (!all) {
        free(param->numbers);
        param->numbers = NULL;
    }
    space->value_counts[index] = count;
    space->numbers[index] = param->numbers;
    return true;
}

static bool open_configs(ListedSpace *space, const json_t *description, size_t params)
{
    size_t numbers = json_array_size(description), count = params ? numbers / params : 1;
    space->configs = must_alloc((numbers + 1) * sizeof *space->configs);
    for (size_t i = 0; i < numbers; i++) {
        json_int_t value = json_integer_value(json_array_get(description, i));
        if (value < 0 || (size_t)value >= space->value_counts[i % params])
            return false;
        space->configs[i] = (uint32_t)value;
    }
    space->search = (SearchSpace){
        .params = params,
        .value_counts = space->value_counts,
        .numbers = space->numbers,
        .configs = space->configs,
        .count = count,
    };
    space->expected = expected_times(json_object_get(space->description, "shapes"), count);
    return !params || numbers % params == 0;
}

bool space_open(ListedSpace *space, json_t *description)
{
    const json_t *params = json_object_get(description, "params");
    size_t count = json_array_size(params);
    *space = (ListedSpace){ .description = json_incref(description) };
    space->params = must_alloc((count + 1) * sizeof *space->params);
    space->value_counts = must_alloc((count + 1) * sizeof *space->value_counts);
    space->numbers = must_alloc((count + 1) * sizeof *space->numbers);
    space->search.params = count;
    for (size_t i = 0; i < count; i++)
        if (!open_param(space, i, json_array_get(params, i)))
            return false;
    return open_configs(space, json_object_get(description, "configs"), count);
}

void space_close(ListedSpace *space)
{
    for (size_t i = 0; space->params && i < space->search.params; i++)
        free(space->params[i].numbers);
    free(space->params);
    free(space->value_counts);
    free(space->numbers);
    free(space->configs);
    free(space->expected);
    json_decref(space->description);
    *space = (ListedSpace){ 0 };
}

json_t *space_config(const ListedSpace *space, size_t index)
{
    const uint32_t *config = search_config(&space->search, index);
    json_t *object = json_object();
    for (size_t i = 0; i < space->search.params; i++)
        json_object_set(object, space->params[i].name,
                        json_array_get(space->params[i].values, config[i]));
    return object;
}

json_t *space_indices(const ListedSpace *space, size_t index)
{
    const uint32_t *config = search_config(&space->search, index);
    json_t *list = json_array();
    for (size_t i = 0; i < space->search.params; i++)
        json_array_append_new(list, json_integer(config[i]));
    return list;
}

size_t space_find(const ListedSpace *space, const json_t *config)
{
    size_t params = space->search.params;
    uint32_t indices[params + 1];
    if (json_object_size(config) != params)
        return SIZE_MAX;
    for (size_t i = 0; i < params; i++) {
        const json_t *value = json_object_get(config, space->params[i].name);
        size_t count = json_array_size(space->params[i].values), at = 0;
        while (at < count && !json_equal(json_array_get(space->params[i].values, at), value))
            at++;
        if (at == count)
            return SIZE_MAX;
        indices[i] = (uint32_t)at;
    }
    return search_find(&space->search, indices);
}

void number_text(double number, char *text, size_t room)
{
    int digits = 15;
    do
        snprintf(text, room, "%.*g", digits, number);
    while (digits++ < 17 && strtod(text, NULL) != number);
    size_t length = strlen(text);
    if (!strpbrk(text, ".en") && length + 3 <= room)
        memcpy(text + length, ".0", 3);
}

/* Unquotes a string literal of the language. */
static json_t *plain_string(const char *text)
{
    size_t length = strlen(text), count = 0;
    bool quoted = length > 1 && (*text == '\'' || *text == '"') && text[length - 1] == *text;
    if (!quoted)
        return strcmp(text, "None") ? json_string(text) : json_null();
    char *plain = must_alloc(length);
    for (size_t i = 1; i + 1 < length; i++) {
        bool escaped = text[i] == '\\' && i + 2 < length;
        char at = text[i += escaped];
        plain[count++] = !escaped    ? at
                         : at == 'n' ? '\n'
                         : at == 't' ? '\t'
                         : at == 'r' ? '\r'
                                     : at;
    }
    json_t *made = json_stringn(plain, count);
    free(plain);
    return made ? made : json_string(text);
}

json_t *config_plain_value(const json_t *value)
{
    return json_is_string(value) ? plain_string(json_string_value(value))
                                 : json_incref((json_t *)value);
}

static void put_value(FILE *out, const json_t *value)
{
    char text[40];
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "True" : "False", out);
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else {
        number_text(json_number_value(value), text, sizeof text);
        fputs(text, out);
    }
}

char *config_value_text(const json_t *value)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    put_value(out, value);
    fclose(out);
    return text;
}

char *config_text(const json_t *config)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    const char *name, *before = "";
    json_t *value;
    json_object_foreach((json_t *)config, name, value)
    {
        fprintf(out, "%s%s=", before, name);
        put_value(out, value);
        before = ", ";
    }
    fclose(out);
    return text;
}
