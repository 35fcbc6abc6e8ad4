/* Modules of Python's that are written in the language itself, in library/python/: each is run in
** an environment of its own when one of its names is asked for first. A module may have functions
** that are built in, too; those are found before. */
#include "runtime/program/program.h"

static const struct {
    const char *name, *text;
} texts[] = {
#include "runtime/program/modules.inc"
};

/* The module that a path lies in, and how long its name is; the count of all: in none. */
static size_t text_of(const char *path, size_t *length)
{
    size_t found = ARRAY_COUNT(texts);
    *length = 0;
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        const size_t own = strlen(texts[i].name);
        if (own > *length && strncmp(path, texts[i].name, own) == 0 &&
            (!path[own] || path[own] == '.')) {
            *length = own;
            found = i;
        }
    }
    return found;
}

bool modules_have(const char *path)
{
    size_t length;
    const size_t i = text_of(path, &length);
    return i < ARRAY_COUNT(texts) && !path[length];
}

bool modules_reach(const char *path)
{
    size_t length;
    return text_of(path, &length) < ARRAY_COUNT(texts);
}

bool modules_define(const char *module, const char *name)
{
    char line[128];
    size_t length;
    const size_t i = text_of(module, &length);
    static const char *const forms[] = { "\ndef %s(", "\nclass %s:", "\nclass %s(", "\n%s = " };
    for (size_t k = 0; i < ARRAY_COUNT(texts) && k < ARRAY_COUNT(forms); k++) {
        snprintf(line, sizeof line, forms[k], name);
        if (strstr(texts[i].text, line))
            return true;
    }
    return false;
}

static bool fill(Program *p, HostEnv *env, const char *text)
{
    Diags diags;
    diags_init(&diags, p->arena);
    HostFrame frame = { .caller = p->frame, .name = "<library>", .env = env };
    const Source *source = source_new(p->arena, "<library>", text, strlen(text));
    const AstModule *module = parse_module(p->arena, &diags, source);
    if (!module || diags.count)
        return host_fail(p, "SystemError", "a module of the library cannot be read");
    p->frame = &frame;
    const bool fine = host_exec(p, &module->body) != FLOW_FAILED;
    p->frame = frame.caller;
    return fine;
}

static const HostFile *loaded(const Program *p, const char *name)
{
    const HostFile *file = p->libraries;
    while (file && file->name != name)
        file = file->next;
    return file;
}

/* Runs a module. NULL after an error. */
static const HostFile *module_of(Program *p, size_t index)
{
    HostFile *file = arena_new(p->arena, HostFile);
    *file = (HostFile){ .next = p->libraries,
                        .name = texts[index].name,
                        .globals = env_new(p, NULL, NULL) };
    file->globals->library = true;
    p->libraries = file;
    return fill(p, file->globals, texts[index].text) ? file : NULL;
}

bool modules_find(Program *p, const char *path, HostValue *out)
{
    size_t length;
    const size_t i = text_of(path, &length);
    const char *name = path + length + 1;
    if (i == ARRAY_COUNT(texts) || !path[length] || strchr(name, '.') || p->failed)
        return false;
    /* While a module is run it asks for what is built in by its own name: `import os` in os. */
    const HostFile *file = loaded(p, texts[i].name);
    if (!file && modules_define(texts[i].name, name))
        file = module_of(p, i);
    const HostName *slot = file ? env_find(file->globals, name) : NULL;
    if (slot)
        *out = slot->value;
    return slot != NULL;
}
