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

void imported_names(Program *p, HostEnv *globals, const kjit_module *module, const char *name)
{
    const char *doc = module->main->ast->docstring;
    char *path = realpath(module->main->path, NULL);
    env_set(p, globals, "__name__", host_text(p, name));
    env_set(p, globals, "__doc__", doc ? host_text(p, doc) : host_none());
    env_set(p, globals, "__file__", host_text(p, path ? path : module->main->path));
    free(path);
}

/* Runs its statements, where it is imported. */
static bool run(Program *p, const HostFile *file)
{
    HostFrame frame = {
        .caller = p->frame, .name = "<module>", .env = file->globals, .depth = p->frame->depth + 1
    };
    imported_names(p, file->globals, file->module, file->name);
    p->frame = &frame;
    const HostFlow left = host_exec(p, &file->module->main->ast->body);
    p->frame = frame.caller;
    return left != FLOW_FAILED;
}

/* The file that an import in the file at hand means: "a.b", with dots in front as in Python. It is
** run when it is imported first. HOST_NONE: there is none; false if running it fails. */
static bool imported_find(Program *p, const char *name, HostValue *out)
{
    const HostEnv *here = env_module(p->frame->env);
    const ModulePart *part = here->module ? part_of(here->module, name) : NULL;
    const char *path = part ? part->path : arena_printf(&p->scratch, "std:%s", name);
    const char *text = part ? part->source->text : here->library ? stdlib_find(name) : NULL;
    *out = host_none();
    if (!text)
        return true;
    HostFile *file = known(p, path);
    if (!file) {
        file = load(p, text, path, name);
        if (!file || !run(p, file))
            return false;
    }
    return host_give(out, (HostValue){ .kind = HOST_FILE, .file = file });
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

/* from a import *: all names of a module from here on. */
static void imported_star(Program *p, HostValue module)
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

/* from a import *: those of a file. */
static bool imported_all(Program *p, const AstAlias *alias, const HostFile *file)
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

/* ---- import statements ----------------------------------------------------------------------- */

/* The error at hand names the module. */
static bool lacks_module(Program *p, const char *path)
{
    HostException *error = p->exception;
    error->fields = env_new(p, NULL, NULL);
    env_set(p, error->fields, "name", host_text(p, path));
    return false;
}

/* What kjit has not, where a handler says what is to be done without it: the first part of its path
** that is not there. */
static bool not_there(Program *p, const AstStmt *stmt, const char *path)
{
    if (!p->frame->seeks)
        return true;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *above = arena_strndup(&p->scratch, path, (size_t)(dot - path));
        HostValue file;
        if (module_is_space(module_canonical(&p->scratch, above)))
            continue;
        if (!imported_find(p, above, &file))
            return false;
        if (file.kind == HOST_FILE)
            continue;
        path = above;
        break;
    }
    host_raise(p, stmt->span, "ModuleNotFoundError", "No module named '%s'", path);
    return lacks_module(p, path);
}

/* A module, or what no kjit has. */
static HostValue module_value(Program *p, const char *path)
{
    HostValue value = { .kind = HOST_FOREIGN, .text = module_canonical(p->arena, path) };
    if (module_is_space(value.text))
        value.kind = HOST_MODULE;
    return value;
}

static bool import_module(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const char *dot = strchr(alias->name, '.');
    HostValue file = host_none();
    if (!module_is_space(module_canonical(&p->scratch, alias->name)) && (alias->as || !dot) &&
        !imported_find(p, alias->name, &file))
        return false;
    if (file.kind != HOST_FILE && module_value(p, alias->name).kind == HOST_FOREIGN) {
        if (!not_there(p, stmt, alias->name))
            return false;
        foreign_imported(p, alias->name, stmt->span);
    }
    if (alias->as || file.kind == HOST_FILE) {
        env_write(p, alias->as ? alias->as : alias->name,
                  file.kind == HOST_FILE ? file : module_value(p, alias->name));
        return true;
    }
    const char *head =
        dot ? arena_strndup(p->arena, alias->name, (size_t)(dot - alias->name)) : alias->name;
    env_write(p, head, module_value(p, head));
    return true;
}

/* What a file calls a name, or the file of that name in a folder of files. */
static bool import_from(Program *p, const char *module, const AstAlias *alias, const HostFile *file)
{
    const char *point = module[strlen(module) - 1] == '.' ? "" : ".";
    HostValue value = host_none();
    if (!imported_name(p, file, alias->name, &value) &&
        !imported_find(p, arena_printf(&p->scratch, "%s%s%s", module, point, alias->name), &value))
        return false;
    if (value.kind == HOST_NONE && !imported_name(p, file, alias->name, &value))
        return host_raise(p, alias->span, "ImportError", "cannot import name '%s' from '%s'",
                          alias->name, file->name) ||
               lacks_module(p, file->name);
    env_write(p, alias->as ? alias->as : alias->name, value);
    return true;
}

/* "..a.b" */
static const char *import_path(Program *p, const AstStmt *stmt)
{
    static const char dots[] = "........";
    int level = stmt->import.level < (int)sizeof dots ? stmt->import.level : (int)sizeof dots - 1;
    return arena_printf(&p->scratch, "%.*s%s", level, dots, stmt->import.module);
}

/* from a import * */
static bool import_all(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const HostValue module = module_value(p, stmt->import.module);
    HostValue file = host_none();
    if ((stmt->import.level || module.kind == HOST_FOREIGN) &&
        !imported_find(p, import_path(p, stmt), &file))
        return false;
    if (file.kind == HOST_FILE)
        return imported_all(p, alias, file.file);
    if (module.kind == HOST_FOREIGN)
        return host_refuse(p, stmt->span,
                           "kjit has no module '%s': name what is to be imported, instead of *",
                           stmt->import.module);
    imported_star(p, module);
    return true;
}

static bool import_name(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const char *module = module_canonical(p->arena, stmt->import.module);
    const char *path =
        module_canonical(p->arena, arena_printf(&p->scratch, "%s.%s", module, alias->name));
    HostValue value;
    bool known = !stmt->import.level && module_is_space(module);
    if (strcmp(alias->name, "*") == 0)
        return import_all(p, stmt, alias);
    if (!module_is_space(module) && !imported_find(p, import_path(p, stmt), &value))
        return false;
    if (!module_is_space(module) && value.kind == HOST_FILE)
        return import_from(p, import_path(p, stmt), alias, value.file);
    if (!module_path(p, path, &value)) {
        bool whole = strcmp(module, "math") == 0 || strcmp(module, "time") == 0;
        if (known && (whole || p->frame->seeks))
            return host_raise(p, stmt->span, "ImportError", "cannot import name '%s' from '%s'",
                              alias->name, stmt->import.module) ||
                   lacks_module(p, stmt->import.module);
        if (!known && !not_there(p, stmt, module))
            return false;
        if (!known)
            foreign_imported(p, module, stmt->span);
        value = (HostValue){ .kind = HOST_FOREIGN, .text = path };
    }
    env_write(p, alias->as ? alias->as : alias->name, value);
    return true;
}

bool host_import(Program *p, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        if (stmt->kind == AST_IMPORT ? !import_module(p, stmt, alias)
                                     : !import_name(p, stmt, alias))
            return false;
    }
    return true;
}
