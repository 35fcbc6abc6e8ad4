/* Functions of NumPy's, and some of Python's, that are written in the language itself, in library/
** and, where constants of modules have them too, in stdlib/numpy/derived.k and linear.k:
** interpreted as the program's own are, but for errors, whose place is where the program calls
** them. */
#include "runtime/compile/compile.h"
#include "runtime/program/program.h"

static const char more_text[] =
#include "runtime/program/library/more.k.inc"
    ;
static const char parts_text[] =
#include "runtime/program/library/parts.k.inc"
    ;
static const char fourier_text[] =
#include "runtime/program/library/fourier.k.inc"
    ;
static const char random_text[] =
#include "runtime/program/library/random.k.inc"
    ;
static const char algebra_text[] =
#include "runtime/program/library/algebra.k.inc"
    ;
static const char others_text[] =
#include "runtime/program/library/others.k.inc"
    ;
static const char iterators_text[] =
#include "runtime/program/library/iterators.k.inc"
    ;
static const char collections_text[] =
#include "runtime/program/library/collections.k.inc"
    ;
static const char contexts_text[] =
#include "runtime/program/library/contexts.k.inc"
    ;
static const char *const texts[] = { more_text,      parts_text,       fourier_text,
                                     random_text,    algebra_text,     others_text,
                                     iterators_text, collections_text, contexts_text };

/* Array methods that are such functions, with the array in front. */
static const char *const methods[] = { "swapaxes", "repeat",   "take",  "nonzero", "ptp",
                                       "round",    "diagonal", "trace", "squeeze", "searchsorted" };

static bool define(Program *p, const char *text)
{
    Diags diags;
    if (!text) /* a build without the standard library */
        return false;
    diags_init(&diags, p->arena);
    const Source *source = source_new(p->arena, "<numpy>", text, strlen(text));
    const AstModule *module = parse_module(p->arena, &diags, source);
    return module && !diags.count && host_exec(p, &module->body) != FLOW_FAILED;
}

/* Runs the definitions, where the first of its functions is asked for. */
static bool load(Program *p)
{
    p->library = env_new(p, NULL, NULL);
    HostFrame frame = { .caller = p->frame, .name = "<numpy>", .env = p->library };
    p->frame = &frame;
    bool fine = define(p, stdlib_find("derived")) && define(p, stdlib_find("linear"));
    for (size_t i = 0; i < ARRAY_COUNT(texts) && fine; i++)
        fine = define(p, texts[i]);
    p->frame = frame.caller;
    return fine;
}

/* Whether one of the texts defines a function of that name, so that it pays to load them. */
static bool is_defined(Program *p, const char *name)
{
    const char *head = arena_printf(&p->scratch, "\ndef %s(", name);
    const char *class_ = arena_printf(&p->scratch, "\nclass %s:", name);
    const char *derived = stdlib_find("derived"), *linear = stdlib_find("linear");
    bool found = (derived && strstr(derived, head)) || (linear && strstr(linear, head));
    for (size_t i = 0; i < ARRAY_COUNT(texts) && !found; i++)
        found = strstr(texts[i], head) || strstr(texts[i], class_);
    return found;
}

bool interpreted_find(Program *p, const char *path, HostValue *out)
{
    /* The modules that it has functions of, and what these begin with. */
    static const char *const modules[][2] = { { "np.", "" },
                                              { "itertools.", "itertools_" },
                                              { "operator.", "operator_" },
                                              { "timeit.", "timeit_" },
                                              { "json.", "json_" },
                                              { "contextlib.", "contextlib_" } };
    size_t module = 0;
    while (module < ARRAY_COUNT(modules) &&
           strncmp(path, modules[module][0], strlen(modules[module][0])) != 0)
        module++;
    if (module == ARRAY_COUNT(modules))
        return false;
    const char *own = path + strlen(modules[module][0]);
    if (*own == '_' || p->failed)
        return false;
    char *name = arena_printf(&p->scratch, "%s%s", modules[module][1], own);
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '_' : *at;
    if (!p->library && (!is_defined(p, name) || !load(p)))
        return false;
    const HostName *slot = env_find(p->library, name);
    bool found = slot && (slot->value.kind == HOST_FUNCTION || slot->value.kind == HOST_CLASS);
    if (found)
        *out = slot->value;
    return found;
}

bool interpreted_call(Program *p, const char *name, HostValue *values, size_t count, HostValue *out)
{
    HostArgs args = { .values = values, .count = count };
    if (!p->library && !load(p))
        return false;
    const HostName *slot = env_find(p->library, name);
    return slot && host_call(p, slot->value, &args, out);
}

bool interpreted_method(Program *p, HostValue self, const char *name, HostValue *out)
{
    HostValue function;
    const bool ufunc =
        self.kind == HOST_BUILTIN || self.kind == HOST_UFUNC || self.kind == HOST_FUNCTION;
    bool known = self.kind == HOST_GENERATOR || self.kind == HOST_DICT || ufunc;
    const char *class_ = ufunc ? "ufunc."
                         : self.kind == HOST_DICT
                             ? self.dict->form == DICT_COUNTER ? "Counter." : "OrderedDict."
                         : !known                        ? ""
                         : self.generator->source.modern ? "random.Generator."
                                                         : "random.RandomState.";
    for (size_t i = 0; i < ARRAY_COUNT(methods) && !known; i++)
        known = strcmp(methods[i], name) == 0;
    if (!known ||
        !interpreted_find(p, arena_printf(&p->scratch, "np.%s%s", class_, name), &function))
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = self;
    method->function = function;
    return host_give(out, host_object(method));
}

bool interpreted_part(Program *p, const HostFunction *function, const char *name, HostValue *out)
{
    if (!interpreted_has(p, function))
        return false;
    const char *whole = arena_printf(&p->scratch, "%s_%s", function->code->ast->name, name);
    const HostName *slot = env_find(p->library, whole);
    if (slot)
        *out = slot->value;
    return slot != NULL;
}

bool interpreted_has(const Program *p, const HostFunction *function)
{
    return p->library && function->closure == p->library;
}
