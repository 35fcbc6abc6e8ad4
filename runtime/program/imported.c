/* Files that a program imports: those beside it, and the standard library.
**
** Which file an import means was found when the module was loaded, for its kernels. Here the file
** becomes a module of its own, whose kernels are its own, and its statements are run, once, with
** names of their own. What Python's library has, too, stays Python's: a program that imports
** `random` means that one. */
#include "runtime/compile/compile.h"
#include "runtime/program/program.h"

/* Modules of the standard library that are for kernels, and called as Python's are. */
static const char *const pythons[] = { "builtins", "cmath", "operator", "random" };

/* The part that the import of a name in a module is; NULL: none that programs see. */
static const ModulePart *part_of(const kjit_module *module, const char *name)
{
    for (const ModuleImport *import = module->imports; import; import = import->next) {
        if (import->importer != module->main || strcmp(import->name, name) != 0)
            continue;
        for (size_t i = 0; import->part->library && i < ARRAY_COUNT(pythons); i++)
            if (strcmp(pythons[i], name) == 0)
                return NULL;
        return import->part->ast ? import->part : NULL;
    }
    return NULL;
}

static HostFile *known(const Program *p, const char *path)
{
    for (HostFile *file = p->files; file; file = file->next)
        if (strcmp(file->module->main->path, path) == 0)
            return file;
    return NULL;
}

static HostFile *load(Program *p, const char *text, const char *path, const char *name)
{
    kjit_module *module;
    kjit_load_options options = { .size = sizeof options,
                                  .debug = p->module->debug,
                                  .fastmath = p->module->fastmath,
                                  .matmul = module_matmul(p->module) };
    kjit_status status = kjit_load_source(p->context, text, path, &options, &module);
    if (status != KJIT_OK) {
        host_failed(p, status);
        return NULL;
    }
    host_module(p, module);
    HostFile *file = arena_new(p->arena, HostFile);
    *file = (HostFile){ .next = p->files,
                        .name = arena_strdup(p->arena, name + strspn(name, ".")),
                        .module = module,
                        .globals = env_new(p, NULL, NULL) };
    file->globals->module = module;
    p->files = file;
    return file;
}

/* Runs its statements, where it is imported. */
static bool run(Program *p, const HostFile *file)
{
    HostFrame frame = {
        .caller = p->frame, .name = "<module>", .env = file->globals, .depth = p->frame->depth + 1
    };
    env_set(p, file->globals, "__name__", host_text(p, file->name));
    p->frame = &frame;
    const HostFlow left = host_exec(p, &file->module->main->ast->body);
    p->frame = frame.caller;
    return left != FLOW_FAILED;
}

bool imported_find(Program *p, const char *name, HostValue *out)
{
    const HostEnv *here = env_module(p->frame->env);
    const ModulePart *part = here->module ? part_of(here->module, name) : NULL;
    const char *path = part ? part->path : arena_printf(&p->scratch, "std:%s", name);
    const char *text = part                 ? part->source->text
                       : here == p->library ? stdlib_find(name) /* which imports nothing else */
                                            : NULL;
    *out = host_none();
    if (!text)
        return true;
    HostFile *file = known(p, path);
    if (!file) {
        file = load(p, text, path, name);
        if (!file || !run(p, file))
            return false;
    }
    *out = (HostValue){ .kind = HOST_FILE, .file = file };
    return true;
}

/* ---- from a import * ------------------------------------------------------------------------- */

/* The name under which a module's environment keeps the modules whose names it has, all of them:
** from math import *. */
static const char star[] = "*";

bool imported_star_name(Program *p, const HostEnv *globals, const char *name, HostValue *out)
{
    const HostName *slot = env_find(globals, star);
    for (size_t i = slot ? slot->value.list->count : 0; i-- > 0 && !p->failed;) {
        const char *module = slot->value.list->items[i].text;
        if (module_path(p, arena_printf(&p->scratch, "%s.%s", module, name), out))
            return true;
    }
    return false;
}

bool imported_name(Program *p, const HostFile *file, const char *name, HostValue *out)
{
    const HostName *slot = env_find(file->globals, name);
    if (slot)
        *out = slot->value;
    return slot || imported_star_name(p, file->globals, name, out);
}

void imported_star(Program *p, HostValue module)
{
    HostEnv *globals = env_module(p->frame->env);
    if (!env_find(globals, star))
        env_set(p, globals, star, host_items(p, HOST_LIST, NULL, 0));
    host_append(p, env_find(globals, star)->value.list, module);
}

/* What a file names but for what begins with _, and all of the modules that it has all of. */
static void import_names(Program *p, const HostEnv *env)
{
    const HostName *modules = env_find(env, star);
    for (size_t i = 0; modules && i < modules->value.list->count; i++)
        imported_star(p, modules->value.list->items[i]);
    for (size_t i = 0; i < env->capacity; i++) {
        const HostName *slot = &env->slots[i];
        if (slot->name && slot->bound && slot != modules && slot->name[0] != '_')
            env_write(p, slot->name, slot->value);
    }
}

bool imported_all(Program *p, const AstAlias *alias, const HostFile *file)
{
    HostValue all, name, value;
    HostIterator it;
    if (!imported_name(p, file, "__all__", &all)) {
        import_names(p, file->globals);
        return true;
    }
    if (!host_iterate(p, all, &it))
        return host_place(p, alias->span);
    while (host_next(p, &it, &name)) {
        const char *text = name.kind == HOST_STRING ? name.string->text : "";
        if (!imported_name(p, file, text, &value))
            return host_raise(p, alias->span, "AttributeError", "module '%s' has no attribute '%s'",
                              file->name, text);
        env_write(p, arena_strdup(p->arena, text), value);
    }
    return !p->failed;
}

const AstBody *imported_body(const Program *p, const Source *source)
{
    if (p->module && source == p->module->main->source)
        return &p->module->main->ast->body;
    for (const HostFile *file = p->files; file; file = file->next)
        if (source == file->module->main->source)
            return &file->module->main->ast->body;
    return NULL;
}
