/* Jansson, loaded when JSON is read or written: see cli/needed/needed.h. With KJIT_LINK_JANSSON it
** is linked instead. */
#include <dlfcn.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/needed/needed.h"

#ifdef KJIT_LINK_JANSSON

void needed_json_memory(void *(*alloc)(size_t size))
{
    json_set_alloc_funcs(alloc, free);
}

#else

static void *(*checked_alloc)(size_t size);

static void set_memory(void *it)
{
    void (*set)(json_malloc_t alloc, json_free_t release);
    void *address = dlsym(it, "json_set_alloc_funcs");
    memcpy(&set, &address, sizeof set);
    if (checked_alloc && set)
        set(checked_alloc, free);
}

static Needed jansson = { .file = "libjansson.so.4",
                          .package = "libjansson4",
                          .purpose = "read and write JSON",
                          .loaded = set_memory };

void needed_json_memory(void *(*alloc)(size_t size))
{
    checked_alloc = alloc;
}

NEEDED(jansson, json_t *, json_array, (void), ())
NEEDED(jansson, int, json_array_append_new, (json_t * array, json_t *value), (array, value))
NEEDED(jansson, int, json_array_clear, (json_t * array), (array))
NEEDED(jansson, int, json_array_extend, (json_t * array, json_t *other), (array, other))
NEEDED(jansson, json_t *, json_array_get, (const json_t *array, size_t index), (array, index))
NEEDED(jansson, int, json_array_remove, (json_t * array, size_t index), (array, index))
NEEDED(jansson, size_t, json_array_size, (const json_t *array), (array))
NEEDED(jansson, json_t *, json_copy, (json_t * value), (value))
NEEDED(jansson, json_t *, json_deep_copy, (const json_t *value), (value))
NEEDED(jansson, void, json_delete, (json_t * json), (json))
NEEDED(jansson, int, json_dumpf, (const json_t *json, FILE *output, size_t flags),
       (json, output, flags))
NEEDED(jansson, char *, json_dumps, (const json_t *json, size_t flags), (json, flags))
NEEDED(jansson, int, json_equal, (const json_t *value1, const json_t *value2), (value1, value2))
NEEDED(jansson, json_t *, json_false, (void), ())
NEEDED(jansson, json_t *, json_integer, (json_int_t value), (value))
NEEDED(jansson, json_int_t, json_integer_value, (const json_t *integer), (integer))
NEEDED(jansson, json_t *, json_load_file, (const char *path, size_t flags, json_error_t *error),
       (path, flags, error))
NEEDED(jansson, json_t *, json_loadb,
       (const char *buffer, size_t buflen, size_t flags, json_error_t *error),
       (buffer, buflen, flags, error))
NEEDED(jansson, json_t *, json_loadf, (FILE * input, size_t flags, json_error_t *error),
       (input, flags, error))
NEEDED(jansson, json_t *, json_null, (void), ())
NEEDED(jansson, double, json_number_value, (const json_t *json), (json))
NEEDED(jansson, json_t *, json_object, (void), ())
NEEDED(jansson, int, json_object_del, (json_t * object, const char *key), (object, key))
NEEDED(jansson, json_t *, json_object_get, (const json_t *object, const char *key), (object, key))
NEEDED(jansson, void *, json_object_iter, (json_t * object), (object))
NEEDED(jansson, const char *, json_object_iter_key, (void *iter), (iter))
NEEDED(jansson, void *, json_object_iter_next, (json_t * object, void *iter), (object, iter))
NEEDED(jansson, json_t *, json_object_iter_value, (void *iter), (iter))
NEEDED(jansson, void *, json_object_key_to_iter, (const char *key), (key))
NEEDED(jansson, int, json_object_set_new, (json_t * object, const char *key, json_t *value),
       (object, key, value))
NEEDED(jansson, size_t, json_object_size, (const json_t *object), (object))
NEEDED(jansson, int, json_object_update, (json_t * object, json_t *other), (object, other))
NEEDED(jansson, json_t *, json_real, (double value), (value))
NEEDED(jansson, double, json_real_value, (const json_t *real), (real))
NEEDED(jansson, json_t *, json_string, (const char *value), (value))
NEEDED(jansson, const char *, json_string_value, (const json_t *string), (string))
NEEDED(jansson, json_t *, json_stringn, (const char *value, size_t len), (value, len))
NEEDED(jansson, json_t *, json_true, (void), ())

/* Those with more arguments than they name go by others that take a va_list. */
NEEDED(jansson, json_t *, json_vpack_ex,
       (json_error_t * error, size_t flags, const char *format, va_list args),
       (error, flags, format, args))
NEEDED(jansson, json_t *, json_vsprintf, (const char *format, va_list args), (format, args))

json_t *json_pack(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *made = json_vpack_ex(NULL, 0, format, args);
    va_end(args);
    return made;
}

json_t *json_sprintf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *made = json_vsprintf(format, args);
    va_end(args);
    return made;
}

#endif
