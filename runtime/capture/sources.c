/* The source files of a kernel, with paths such that each import finds the same file: beside the
** importing file, which is searched first. */
#include "runtime/capture/capture.h"

static CaptureSource *find_source(const CapturePlan *plan, const char *name)
{
    CaptureSource *source = plan->sources;

    while (source && strcmp(source->name, name) != 0)
        source = source->next;
    return source;
}

static void add_source(CapturePlan *plan, const char *name, const void *data, size_t length)
{
    CaptureSource *source = arena_new(&plan->arena, CaptureSource), **link = &plan->sources;

    *source = (CaptureSource){ .name = name, .data = data, .length = length };
    key_of_bytes(data, length, &source->digest);
    plan->bytes += length;
    while (*link)
        link = &(*link)->next;
    *link = source;
}

/* The path that an import of an importing file tries first. */
static const char *beside(CapturePlan *plan, const char *importer, const char *name)
{
    int folder = (int)(basename(importer) - importer);
    char *path = arena_printf(&plan->arena, "%.*s%s.k", folder, importer, name);

    for (char *at = path + folder; at < path + strlen(path) - 2; at++) {
        if (*at == '.')
            *at = '/';
    }
    return path;
}

/* Adds a file under a path, and its imports beside it. */
static void add_part(CapturePlan *plan, const kjit_module *module, const ModulePart *part,
                     const char *name)
{
    const CaptureSource *there = find_source(plan, name);

    if (there && there->data != part->source->text)
        plan->why_not = "two of its files are imported under one name";
    if (there)
        return;
    add_source(plan, name, part->source->text, part->source->length);
    for (const ModuleImport *import = module->imports; import; import = import->next) {
        if (import->importer == part && !import->part->library)
            add_part(plan, module, import->part, beside(plan, name, import->name));
    }
}

/* The name of the kernel's own file: its original one, if that is a plain file name. */
static const char *main_name(CapturePlan *plan, const CaptureLaunch *launch, const char *ending)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const char *name = basename(launch->kernel->module->main->path);
    size_t length = strlen(name), tail = strlen(ending);

    if (length > tail && length < 200 && strspn(name, plain) == length && *name != '.' &&
        strcmp(name + length - tail, ending) == 0)
        return name;
    char *made = arena_printf(&plan->arena, "%s%s", launch->kernel->info->name, ending);
    for (char *at = made; *at; at++)
        *at = *at == '/' ? '-' : *at; /* of a kernel called make(6/2) */
    return made;
}

void capture_sources(CapturePlan *plan, const CaptureLaunch *launch)
{
    const kjit_module *module = launch->kernel->module;

    if (launch->spec->fixed && !module->compiled)
        plan->why_not = "it runs a text that was edited";
    else if (module->compiled && !module->image)
        plan->why_not = "there was no memory to keep its binary";
    else if (module->compiled)
        add_source(plan, main_name(plan, launch, ".kbin"), module->image, module->image_length);
    else if (!module->main->library)
        add_part(plan, module, module->main, main_name(plan, launch, ".k"));
}
