/* Names in C headers of binaries: distinct from those of C, C++ and kjit's own headers by appended
** underscores. */
#include "runtime/binary/c_header.h"

#include <ctype.h>

/* The names that kjit.h and kjit_tools.h declare. */
static const char *const published[] = {
#include "runtime/binary/published.inc"
};

/* Keywords of C and C++, macros that are there in any case, and names used inside the functions. */
static const char *const reserved[] = {
    "NULL",     "alignas",      "alignof",       "and",         "and_eq",
    "args",     "asm",          "auto",          "bitand",      "bitor",
    "block",    "bool",         "break",         "case",        "catch",
    "char",     "char16_t",     "char32_t",      "class",       "compl",
    "config",   "const",        "const_cast",    "constexpr",   "context",
    "continue", "decltype",     "default",       "delete",      "do",
    "double",   "dynamic_cast", "else",          "enum",        "explicit",
    "export",   "extern",       "false",         "float",       "for",
    "friend",   "goto",         "grid",          "if",          "inline",
    "int",      "kernel",       "launch",        "linux",       "long",
    "mutable",  "namespace",    "new",           "noexcept",    "not",
    "not_eq",   "nullptr",      "operator",      "or",          "or_eq",
    "private",  "protected",    "public",        "register",    "reinterpret_cast",
    "restrict", "return",       "shape",         "short",       "signed",
    "sizeof",   "static",       "static_assert", "static_cast", "status",
    "struct",   "switch",       "template",      "this",        "thread_local",
    "throw",    "true",         "try",           "typedef",     "typeid",
    "typename", "typeof",       "union",         "unix",        "unsigned",
    "using",    "virtual",      "void",          "volatile",    "wchar_t",
    "while",    "xor",          "xor_eq",        "memcpy",      "memset",
};

const char *c_name_take(CHeader *header, const char *name)
{
    while (text_is_among(name, published, ARRAY_COUNT(published)) ||
           text_is_among(name, header->names, (size_t)header->name_count))
        name = arena_printf(header->arena, "%s_", name);
    array_push(header->arena, header->names, header->name_count, header->name_capacity) = name;
    return name;
}

const char *c_name_of(Arena *arena, const char *text, bool upper)
{
    char *name = arena_strdup(arena, text);

    for (char *at = name; *at; at++) {
        if (!isalnum((unsigned char)*at) && !(*at & 0x80))
            *at = '_';
        else if (upper)
            *at = (char)toupper((unsigned char)*at);
    }
    return name;
}

const char *c_string_of(Arena *arena, const char *text)
{
    Buf out = buf_in(arena);
    buf_putc(&out, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < ' ')
            buf_printf(&out, "\\%03o", *at);
        else
            buf_printf(&out, "%s%c", *at == '"' || *at == '\\' || *at == '?' ? "\\" : "", *at);
    buf_putc(&out, '"');
    return buf_text(&out);
}

/* Whether a header that these include may have the name: INT32_MAX, size_t, KJIT_OK. */
static bool is_of_headers(const char *name)
{
    static const char *const ends[] = { "_t", "_MIN", "_MAX" };
    const size_t length = strlen(name);
    bool ends_so = false;

    for (size_t i = 0; i < ARRAY_COUNT(ends); i++)
        ends_so |=
            length > strlen(ends[i]) && strcmp(name + length - strlen(ends[i]), ends[i]) == 0;
    return ends_so || strncmp(name, "KJIT_", 5) == 0 || strncmp(name, "kjit_", 5) == 0;
}

static bool is_reserved(const char *name)
{
    return text_is_among(name, reserved, ARRAY_COUNT(reserved)) ||
           (is_of_headers(name) && name[strlen(name) - 1] != '_');
}

const char **c_name_params(Arena *arena, const BinaryKernel *kernel)
{
    const char **names = arena_array(arena, const char *, kernel->param_count);

    for (int i = 0; i < kernel->param_count; i++) {
        names[i] = kernel->params[i];
        while (is_reserved(names[i]) || text_is_among(names[i], names, (size_t)i) ||
               (names[i] != kernel->params[i] &&
                text_is_among(names[i], kernel->params, (size_t)kernel->param_count)))
            names[i] = arena_printf(arena, "%s_", names[i]);
    }
    return names;
}

const char *c_name_part(const CHeader *header, const CWrapper *wrapper, int param, const char *part)
{
    const char *name = arena_printf(header->arena, "%s_%s", wrapper->params[param], part);

    while (text_is_among(name, wrapper->params, (size_t)wrapper->kernel->param_count))
        name = arena_printf(header->arena, "%s_", name);
    return name;
}

const char *c_name_extent(const CHeader *header, const CWrapper *wrapper, int param, int axis)
{
    const Type *type = wrapper->types[param];

    if (type->array.rank == 1)
        return c_name_part(header, wrapper, param, "length");
    return c_name_part(header, wrapper, param, arena_printf(header->arena, "shape%d", axis));
}
