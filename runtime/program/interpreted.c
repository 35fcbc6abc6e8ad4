/* Functions of NumPy's that are written in the language itself, in library/numpy.k: interpreted as
** the program's own are, but for errors, whose place is where the program calls them. */
#include "runtime/program/program.h"

#include <string.h>

static const char text[] =
#include "runtime/program/library/numpy.k.inc"
    ;

/* Array methods that are such functions, with the array in front. */
static const char *const methods[] = { "swapaxes", "repeat",   "take",  "nonzero", "ptp",
                                       "round",    "diagonal", "trace", "squeeze", "searchsorted" };

/* Runs its definitions, where the first of its functions is asked for. */
static bool load(Program *p)
{
    Diags diags;
    diags_init(&diags, p->arena);
    const Source *source = source_new(p->arena, "<numpy>", text, strlen(text));
    const AstModule *module = parse_module(p->arena, &diags, source);
    p->library = env_new(p, NULL, NULL);
    HostFrame frame = { .caller = p->frame, .name = "<numpy>", .env = p->library };
    p->frame = &frame;
    bool fine = module && !diags.count && host_exec(p, &module->body) != FLOW_FAILED;
    p->frame = frame.caller;
    return fine;
}

bool interpreted_find(Program *p, const char *path, HostValue *out)
{
    if (strncmp(path, "np.", 3) != 0 || path[3] == '_' || p->failed || (!p->library && !load(p)))
        return false;
    char *name = arena_strndup(&p->scratch, path + 3, strlen(path + 3));
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '_' : *at;
    const HostName *slot = env_find(p->library, name);
    bool found = slot && slot->value.kind == HOST_FUNCTION;
    if (found)
        *out = slot->value;
    return found;
}

bool interpreted_method(Program *p, HostValue self, const char *name, HostValue *out)
{
    HostValue function;
    bool known = false;
    for (size_t i = 0; i < ARRAY_COUNT(methods); i++)
        known |= strcmp(methods[i], name) == 0;
    if (!known || !interpreted_find(p, arena_printf(&p->scratch, "np.%s", name), &function))
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = self;
    method->function = function;
    *out = host_object(method);
    return true;
}

bool interpreted_has(const Program *p, const HostFunction *function)
{
    return p->library && function->closure == p->library;
}
