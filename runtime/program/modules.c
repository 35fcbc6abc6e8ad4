/* Modules of Python's, and NumPy, as far as they are written in the language itself, in
** library/python/: each is run in an environment of its own when one of its names is asked for
** first. A module may have functions that are built in, too; those are found before. What lies in
** parts of a module has their names in front: np.random.choice is `random_choice`.
**
** They are interpreted as the program's own functions are, but for errors, whose place is where the
** program calls them. */
#include "runtime/compile/compile.h"
#include "runtime/program/program.h"

/* Texts of one module lie side by side. */
static const struct {
    const char *name, *text;
} texts[] = {
#include "runtime/program/modules.inc"
};

/* What kernels' constants have too of NumPy, in stdlib/numpy/. */
static const char *const shared[] = { "derived", "linear" };

/* The first text of the module that a path lies in, and how long its name is; the count of all: in
** none. */
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

/* Text number `part` of the module whose first one is `first`; NULL: it has fewer. */
static const char *text_part(size_t first, size_t part)
{
    const char *name = texts[first].name;
    if (strcmp(name, "np") == 0) {
        const char *text = part < ARRAY_COUNT(shared) ? stdlib_find(shared[part]) : NULL;
        if (part < ARRAY_COUNT(shared))
            return text ? text : ""; /* a build without the standard library */
        part -= ARRAY_COUNT(shared);
    }
    const size_t at = first + part;
    return at < ARRAY_COUNT(texts) && strcmp(texts[at].name, name) == 0 ? texts[at].text : NULL;
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
    const char *text;
    const size_t first = text_of(module, &length);
    static const char *const forms[] = { "\ndef %s(", "\nclass %s:", "\nclass %s(", "\n%s = " };
    for (size_t k = 0; first < ARRAY_COUNT(texts) && k < ARRAY_COUNT(forms); k++) {
        snprintf(line, sizeof line, forms[k], name);
        for (size_t part = 0; (text = text_part(first, part)); part++)
            if (strstr(text, line))
                return true;
    }
    return false;
}

static bool run(Program *p, const char *text)
{
    Diags diags;
    diags_init(&diags, p->arena);
    const Source *source = source_new(p->arena, "<library>", text, strlen(text));
    const AstModule *module = parse_module(p->arena, &diags, source);
    if (!module || diags.count)
        return host_fail(p, "SystemError", "a module of the library cannot be read");
    return host_exec(p, &module->body) != FLOW_FAILED;
}

static const HostFile *loaded(const Program *p, const char *name)
{
    const HostFile *file = p->libraries;
    while (file && strcmp(file->name, name) != 0)
        file = file->next;
    return file;
}

/* Runs a module. NULL after an error. */
static const HostFile *module_of(Program *p, size_t first)
{
    HostFile *file = arena_new(p->arena, HostFile);
    *file = (HostFile){ .next = p->libraries,
                        .name = texts[first].name,
                        .globals = env_new(p, NULL, NULL) };
    file->globals->library = true;
    p->libraries = file;
    HostFrame frame = { .caller = p->frame, .name = "<library>", .env = file->globals };
    const char *text;
    bool fine = true;
    p->frame = &frame;
    for (size_t part = 0; fine && (text = text_part(first, part)); part++)
        fine = run(p, text);
    p->frame = frame.caller;
    return fine ? file : NULL;
}

bool modules_find(Program *p, const char *path, HostValue *out)
{
    size_t length;
    const size_t first = text_of(path, &length);
    if (first == ARRAY_COUNT(texts) || !path[length] || p->failed)
        return false;
    char *name = arena_strdup(&p->scratch, path + length + 1);
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '_' : *at;
    /* While a module is run it asks for what is built in by its own name: `import os` in os. */
    const HostFile *file = loaded(p, texts[first].name);
    if (!file && modules_define(texts[first].name, name))
        file = module_of(p, first);
    const HostName *slot = file ? env_find(file->globals, name) : NULL;
    if (slot)
        *out = slot->value;
    return slot != NULL;
}

bool modules_call(Program *p, const char *path, HostValue *values, size_t count, HostValue *out)
{
    HostValue function;
    HostArgs args = { .values = values, .count = count };
    return modules_find(p, path, &function) && host_call(p, function, &args, out);
}

bool modules_method(Program *p, HostValue self, const char *name, HostValue *out)
{
    /* Of arrays those that are functions, too, with the array in front. */
    static const char *const of_arrays[] = { "swapaxes", "repeat",      "take",     "nonzero",
                                             "ptp",      "round",       "diagonal", "trace",
                                             "squeeze",  "searchsorted" };
    const bool ufunc =
        self.kind == HOST_BUILTIN || self.kind == HOST_UFUNC || self.kind == HOST_FUNCTION;
    const char *class_ = ufunc                           ? "ufunc."
                         : self.kind != HOST_GENERATOR   ? ""
                         : self.generator->source.modern ? "random.Generator."
                                                         : "random.RandomState.";
    HostValue function;
    if ((!*class_ && !TEXT_IS_AMONG(name, of_arrays)) ||
        !modules_find(p, arena_printf(&p->scratch, "np.%s%s", class_, name), &function))
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = self;
    method->function = function;
    return host_give(out, host_object(method));
}

bool modules_part(const HostFunction *function, const char *name, HostValue *out)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s_%s", function->code->ast->name, name);
    const HostName *slot = function->closure->library ? env_find(function->closure, whole) : NULL;
    if (slot)
        *out = slot->value;
    return slot != NULL;
}

bool modules_have_function(const Program *p, const char *module, const HostFunction *function)
{
    const HostFile *file = loaded(p, module);
    return file && function->closure == file->globals;
}
