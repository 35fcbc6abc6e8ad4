/* Sizes of parameters: a parser of as much C as kjit writes in a parameter list and in the structs
** of tuples. */
#include "tests/fake/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Layout {
    size_t bytes, align; /* bytes 0: of an unknown type */
} Layout;

static const struct {
    const char *name;
    Layout layout;
} scalars[] = {
    { "bool", { 1, 1 } },           { "signed char", { 1, 1 } },
    { "unsigned char", { 1, 1 } },  { "short", { 2, 2 } },
    { "unsigned short", { 2, 2 } }, { "float16", { 2, 2 } },
    { "bfloat16", { 2, 2 } },       { "int", { 4, 4 } },
    { "unsigned int", { 4, 4 } },   { "float", { 4, 4 } },
    { "long long", { 8, 8 } },      { "unsigned long long", { 8, 8 } },
    { "double", { 8, 8 } },         { "complex64", { 8, 4 } },
    { "complex128", { 16, 8 } },    { "char", { 1, 1 } },
    { "tile_map", { 128, 64 } },
};

static Layout struct_layout(const char *text, const char *name);

static int is_word(int c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The layout of what a declaration `TYPE NAME` or `TYPE NAME[N]` declares; it ends at `end`. */
static Layout declared(const char *text, const char *from, const char *end)
{
    char type[256];
    long items = 1;
    const char *bracket = memchr(from, '[', (size_t)(end - from));

    if (memchr(from, '*', (size_t)(end - from)))
        return (Layout){ 8, 8 };
    if (bracket) {
        items = strtol(bracket + 1, NULL, 10);
        end = bracket;
    }
    while (end > from && is_word(end[-1]))
        end--;
    while (end > from && end[-1] == ' ')
        end--;
    if (strncmp(from, "const ", 6) == 0)
        from += 6;
    if (strncmp(from, "__grid_constant__ ", 18) == 0)
        from += 18;
    snprintf(type, sizeof type, "%.*s", (int)(end - from), from);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (strcmp(scalars[i].name, type) == 0)
            return (Layout){ scalars[i].layout.bytes * (size_t)items, scalars[i].layout.align };
    }
    Layout layout = struct_layout(text, type);
    layout.bytes *= (size_t)items;
    return layout;
}

static size_t round_up(size_t value, size_t align)
{
    return (value + align - 1) / align * align;
}

/* Adds a member; false if its type is unknown. */
static int add_member(Layout *whole, Layout member)
{
    if (!member.bytes)
        return 0;
    whole->bytes = round_up(whole->bytes, member.align) + member.bytes;
    whole->align = member.align > whole->align ? member.align : whole->align;
    return 1;
}

/* Of a struct that the text defines: a member a line, arrays of one type side by side. */
static Layout struct_layout(const char *text, const char *name)
{
    char head[300];
    Layout whole = { 0, 1 }, unknown = { 0, 1 };

    snprintf(head, sizeof head, "typedef struct %s {\n", name);
    const char *at = strstr(text, head);
    if (!at || !*name)
        return unknown;
    for (at += strlen(head); *at && *at != '}'; at += strspn(at, " \n")) {
        at += strspn(at, " ");
        const char *end = at + strcspn(at, ";,");
        Layout member = declared(text, at, end);
        if (!add_member(&whole, member))
            return unknown;
        for (; *end == ','; end += 1 + strcspn(end + 1, ";,")) {
            if (!add_member(&whole, member))
                return unknown;
        }
        at = end + (*end == ';');
    }
    whole.bytes = whole.bytes ? round_up(whole.bytes, whole.align) : 1;
    return whole;
}

static const char *read_params(const char *text, const char *at, FakeEntry *entry)
{
    for (at += strspn(at, " \n"); *at && *at != ')'; at += strspn(at, ", \n")) {
        const char *end = at + strcspn(at, ",)");
        Layout layout = declared(text, at, end);
        if (!layout.bytes)
            return "a parameter's type is unknown";
        if (entry->count == FAKE_PARAMS_MAX)
            return "there are too many parameters";
        entry->sizes[entry->count++] = layout.bytes;
        at = end;
    }
    return NULL;
}

const char *fake_read_entry(const char *text, FakeEntry *entry)
{
    static const char bounds[] = "__launch_bounds__(";
    const char *at = strstr(text, "__global__ void ");

    memset(entry, 0, sizeof *entry);
    if (!at)
        return "there is no kernel";
    at += strlen("__global__ void ");
    if (strncmp(at, bounds, strlen(bounds)) == 0) {
        entry->bounds = atoi(at + strlen(bounds));
        at += strcspn(at, ")") + 1;
        at += strspn(at, " ");
    }
    const char *end = at;
    while (is_word(*end))
        end++;
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)(end - at), at);
    return *end == '(' ? read_params(text, end + 1, entry) : "the kernel has no name";
}
