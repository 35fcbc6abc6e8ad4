/* Loading modules: the text the caller names, and the files it imports.
**
** Where an import looks for its file is in search.c. Each file is parsed once for a module, however
** often it is imported, also while it is being loaded. One that cannot be read or parsed is
** reported when a kernel reads one of its names. */
#include "runtime/api/search.h"
#include "runtime/tuning/tuned.h"
#include "runtime/compile/compile.h"

/* A module being loaded. */
typedef struct Loader {
    kjit_module *module;
    const char *path;         /* of the file, or the name of `text` */
    const char *text;         /* NULL: read the file */
    const kjit_module *again; /* whose texts stand for files; NULL: none */
    const kjit_load_options *options;
    char *pending; /* a file's text while the arena takes it over */
    Arena *arena;
    Diags *diags;
    ModulePart *importer;
} Loader;

static Module *find_import(void *context, const char *name, Span span, const char **why);

/* A text that is to become a part. */
typedef struct PartText {
    const char *path;  /* tells it from other parts */
    const char *shown; /* what diagnostics call it */
    const char *text;
    size_t length;
} PartText;

static PartText text_of_file(const char *path, const char *text, size_t length)
{
    return (PartText){ path, path, text, length };
}

/* Parses and binds one text as part of the module; NULL after complaints, if it is the main one. */
static ModulePart *load_part(Loader *loader, const char *name, PartText text)
{
    ModulePart *part = arena_new(loader->arena, ModulePart), *importer = loader->importer;
    Diags aside;

    diags_init(&aside, loader->arena);
    *part = (ModulePart){ .next = loader->module->parts,
                          .importer = importer,
                          .library = stdlib_named(text.path) != NULL,
                          .path = arena_strdup(loader->arena, text.path),
                          .name = name };
    part->module = module_new(loader->arena, part->path);
    loader->module->parts = part;
    part->source = source_new(loader->arena, text.shown, text.text, text.length);
    ModuleRequest request = {
        .source = part->source,
        .module = part->module,
        .is_main = !importer,
        .finder = find_import,
        .finder_context = loader,
        .diags = importer ? &aside : loader->diags,
    };
    loader->importer = part;
    bool fine = compile_module(loader->arena, &request);
    loader->importer = importer;
    part->ast = request.ast;
    if (!fine && importer)
        module_break(part->module, aside.list, aside.count);
    return fine || importer ? part : NULL;
}

/* The file that a name meant when the module was loaded first; NULL: a library's, or none. */
static const char *path_before(Loader *loader, const char *name)
{
    for (const ModuleImport *import = loader->again->imports; import; import = import->next) {
        if (strcmp(import->importer->path, loader->importer->path) == 0 &&
            strcmp(import->name, name) == 0)
            return import->part->library ? NULL : import->part->path;
    }
    return NULL;
}

static const char *find_file(Loader *loader, const char *name)
{
    if (loader->importer->library && stdlib_find(name))
        return NULL; /* the library's modules know one another, whatever lies around */
    if (loader->again)
        return path_before(loader, name);
    return import_search(loader->arena, loader->importer->path, name);
}

/* The part loaded from `path`, if there is one. */
static ModulePart *part_of(const kjit_module *module, const char *path)
{
    for (ModulePart *part = module->parts; part; part = part->next) {
        if (strcmp(part->path, path) == 0)
            return part;
    }
    return NULL;
}

/* The text that was just read, moved into the arena. */
static const char *take_pending(Loader *loader, size_t length)
{
    const char *text = arena_strndup(loader->arena, loader->pending, length);

    memory_free(loader->pending);
    loader->pending = NULL;
    return text;
}

/* A file that cannot be read: a part without names. */
static ModulePart *unreadable(Loader *loader, const char *name, const char *path, Span span)
{
    const char *why = kjit_error_message();
    ModulePart *part = load_part(loader, name, text_of_file(path, "", 0));
    Diags aside;

    diags_init(&aside, loader->arena);
    diag_error(&aside, span, "%s", strncmp(why, "error: ", 7) == 0 ? why + 7 : why);
    module_break(part->module, aside.list, aside.count);
    return part;
}

static ModulePart *load_import(Loader *loader, const char *name, const char *path, Span span)
{
    size_t length = strlen(path);
    const ModulePart *before = loader->again ? part_of(loader->again, path) : NULL;

    if (before)
        return load_part(
            loader, name,
            (PartText){ path, before->source->name, before->source->text, before->source->length });
    if (path[length - 1] == '/') /* a folder of modules */
        return load_part(loader, name, text_of_file(path, "", 0));
    kjit_status status = file_read(path, SOURCE_MAX, &loader->pending, &length);
    if (status == KJIT_MEMORY)
        arena_give_up(loader->arena);
    if (status != KJIT_OK)
        return unreadable(loader, name, path, span);
    const char *text = take_pending(loader, length);
    return load_part(loader, name, text_of_file(path, text, length));
}

/* The text that the caller gave for a name; NULL: none. */
static const kjit_text *text_named(const Loader *loader, const char *name)
{
    for (size_t i = 0; i < loader->options->text_count; i++) {
        if (strcmp(loader->options->texts[i].name, name) == 0)
            return &loader->options->texts[i];
    }
    return NULL;
}

static ModulePart *load_text(Loader *loader, const kjit_text *given)
{
    const char *path = arena_printf(loader->arena, "%s:%s", given->file, given->name);
    ModulePart *part = part_of(loader->module, path);
    const char *text = part ? NULL : arena_strdup(loader->arena, given->text);

    return part ? part
                : load_part(loader, arena_strdup(loader->arena, given->name),
                            (PartText){ path, arena_strdup(loader->arena, given->file), text,
                                        strlen(text) });
}

static void note_import(Loader *loader, const ModulePart *part, const char *name)
{
    ModuleImport *import = arena_new(loader->arena, ModuleImport);

    *import = (ModuleImport){ .next = loader->module->imports,
                              .importer = loader->importer,
                              .part = part,
                              .name = arena_strdup(loader->arena, name) };
    loader->module->imports = import;
}

static Module *find_import(void *context, const char *name, Span span, const char **why)
{
    Loader *loader = context;
    const kjit_text *given = text_named(loader, name);
    const char *path = given ? NULL : find_file(loader, name);
    const char *text = given || path ? NULL : stdlib_find(name);

    if (given) {
        ModulePart *part = load_text(loader, given);
        note_import(loader, part, name);
        return part->module;
    }
    if (!path && !text) {
        *why = import_places(loader->arena, loader->importer->path, name);
        return NULL;
    }
    if (!path)
        path = arena_printf(loader->arena, "std:%s", name);
    ModulePart *part = part_of(loader->module, path);
    if (!part) {
        name = arena_strdup(loader->arena, name);
        part = text ? load_part(loader, name, text_of_file(path, text, strlen(text)))
                    : load_import(loader, name, path, span);
    }
    note_import(loader, part, name);
    return part->module;
}

/* ---- what the caller asks for ------------------------------------------------------------ */

/* Reads the values of -D as expressions. */
static bool read_defines(Loader *loader)
{
    const kjit_load_options *options = loader->options;
    kjit_module *module = loader->module;
    bool fine = true;

    module->defines = arena_array(loader->arena, Define, options->define_count);
    for (size_t i = 0; i < options->define_count; i++) {
        const kjit_define *define = &options->defines[i];
        const char *name = arena_printf(loader->arena, "-D %s", define->name);
        Source *source = source_new(loader->arena, name, define->value, strlen(define->value));
        AstExpr *value = parse_expression(loader->arena, loader->diags, source);
        fine = fine && value;
        module->defines[module->define_count++] =
            (Define){ arena_strdup(loader->arena, define->name), value };
    }
    return fine;
}

static kjit_status unclosed(const char *text)
{
    return error_set(KJIT_ARGUMENT,
                     "error: compiler options: a quote or backslash is not closed: %s\n"
                     "note: they are words between blanks, with quotes around what has blanks",
                     text);
}

/* The compiler's options, word by word, quotes and backslashes as a shell takes them. */
static kjit_status read_words(Loader *loader, const char *text)
{
    enum { WORDS_MOST = 32 };
    static const char blanks[] = " \t\n";
    kjit_module *module = loader->module;
    const char *at = text ? text + strspn(text, blanks) : "";

    module->options = arena_array(loader->arena, const char *, WORDS_MOST);
    while (*at) {
        char quote = 0;
        Buf word = buf_in(loader->arena);
        for (; *at && (quote || !strchr(blanks, *at)); at++) {
            bool escapes = *at == '\\' && quote != '\'';
            if (escapes && !at[1])
                return unclosed(text);
            if (quote ? *at == quote : *at == '"' || *at == '\'')
                quote = quote ? 0 : *at;
            else
                buf_putc(&word, escapes ? *++at : *at);
        }
        if (quote)
            return unclosed(text);
        if (module->option_count == WORDS_MOST)
            return error_set(KJIT_ARGUMENT, "error: more than %d compiler options: %s", WORDS_MOST,
                             text);
        module->options[module->option_count++] = buf_text(&word);
        at += strspn(at, blanks);
    }
    return KJIT_OK;
}

/* The names that a kernel lacks values for, in spite of what the caller defines; NULL: none. */
static const char **needs_of(kjit_module *module, const char *kernel)
{
    int kept = 0;

    if (!strchr(kernel, '.'))
        return NULL;
    const char **names = module_needs(&module->arena, module->main->module, kernel);
    for (int i = 0; names[i]; i++) {
        bool defined = false;
        for (int k = 0; k < module->define_count; k++)
            defined |= define_names(module->defines[k].name, names[i]);
        if (!defined)
            names[kept++] = names[i];
    }
    names[kept] = NULL;
    return names;
}

static void name_params(Arena *arena, kjit_kernel *kernel)
{
    const AstParams *params = &kernel->info->ast->params;

    kernel->param_count = params->count;
    kernel->param_names = arena_array(arena, const char *, params->count);
    for (int i = 0; i < params->count; i++)
        kernel->param_names[i] = params->items[i].name;
}

void kernel_bind(kjit_module *module, kjit_kernel *kernel, const KernelInfo *info)
{
    head_open(&kernel->self, HANDLE_KERNEL, &module->self);
    kernel->module = module;
    kernel->info = info;
    kernel->needs = info->found ? NULL : needs_of(module, info->name);
    name_params(&module->arena, kernel);
}

void kernel_open(kjit_kernel *kernel)
{
    pthread_mutex_init(&kernel->lock, NULL);
    pthread_cond_init(&kernel->built, NULL);
    atomic_init(&kernel->forks, forks_seen());
}

static void bind_kernels(Loader *loader)
{
    kjit_module *module = loader->module;
    const KernelInfo *infos = NULL;
    int count = module_kernels(module->main->module, &infos);

    int bound = 0, made = 0;

    module->kernels = arena_array(loader->arena, kjit_kernel, count);
    for (int i = 0; i < count; i++)
        if (infos[i].made || (infos[i].replaced && !infos[i].uncertain))
            kernel_bind(module, &module->kernels[count - ++made], &infos[i]);
        else
            kernel_bind(module, &module->kernels[bound++], &infos[i]);
    /* Only now: whatever can jump out must not leave locks behind. */
    for (int i = 0; i < count; i++)
        kernel_open(&module->kernels[i]);
    module->kernel_count = bound;
    module->made_count = made;
}

static kjit_status load(void *context, Arena *arena)
{
    Loader *loader = context;
    const char *text = loader->text;
    Diags diags;
    size_t length = text ? strlen(text) : 0;

    diags_init(&diags, arena);
    loader->arena = arena;
    loader->diags = &diags;
    const char *standard = text ? NULL : stdlib_named(loader->path);
    if (standard) {
        text = stdlib_find(standard);
        if (!text)
            return error_set(KJIT_ARGUMENT, "error: %s", stdlib_unknown(arena, standard));
        length = strlen(text);
    }
    if (!text) {
        KJIT_TRY(file_read(loader->path, SOURCE_MAX, &loader->pending, &length));
        text = take_pending(loader, length);
        loader->module->from_file = true;
    }
    const char *schedule = loader->options->schedule, *name = loader->options->schedule_name;
    if (schedule)
        loader->module->schedule =
            source_new(arena, name ? name : "<schedule>", schedule, strlen(schedule));
    else if (loader->again)
        loader->module->schedule = loader->again->schedule;
    bool fine = read_defines(loader);
    KJIT_TRY(read_words(loader, loader->options->compiler_options));
    loader->module->main = load_part(loader, NULL, text_of_file(loader->path, text, length));
    if (!fine || !loader->module->main)
        return error_diags(&diags);
    compile_decide(arena, loader->module);
    bind_kernels(loader);
    return KJIT_OK;
}

const char *module_options_text(Arena *arena, const kjit_module *module)
{
    Buf out = buf_in(arena);
    for (int i = 0; i < module->option_count; i++) {
        buf_puts(&out, i ? " \"" : "\"");
        for (const char *at = module->options[i]; *at; at++) {
            if (*at == '"' || *at == '\\')
                buf_putc(&out, '\\');
            buf_putc(&out, *at);
        }
        buf_putc(&out, '"');
    }
    return module->option_count ? buf_text(&out) : NULL;
}

const char *module_matmul(const kjit_module *module)
{
    return module->matmul ? ir_tile_name((TileForm)module->matmul) : NULL;
}

/* Which passes run, as the caller or else the environment says. */
static kjit_status read_passes(kjit_module *module, const char *text)
{
    const char *variable = "KJIT_PASSES", *from = text ? "passes" : variable;

    if (!text)
        text = getenv(variable);
    if (!text || !*text)
        return KJIT_OK;
    const char *wrong = ir_read_passes(text, &module->passes);
    char names[PASS_NAMES], says[PASS_WRONG];
    if (!wrong)
        return KJIT_OK;
    ir_pass_names(names);
    ir_pass_wrong(says, wrong);
    return error_set(KJIT_ARGUMENT, "error: %s: %s\nnote: there are %s; and all, and none", from,
                     says, names);
}

static kjit_status read_numbers(kjit_module *module, const kjit_load_options *wanted)
{
    if (wanted->max_registers < 0 || wanted->max_registers > UINT16_MAX)
        return error_set(KJIT_ARGUMENT, "error: max_registers is %d: it takes 1 to %d, or 0",
                         wanted->max_registers, UINT16_MAX);
    if (wanted->unroll < 0 || wanted->unroll > UNROLL_MOST)
        return error_set(KJIT_ARGUMENT, "error: unroll is %d: it takes 1 to %d, or 0",
                         wanted->unroll, UNROLL_MOST);
    if (wanted->matmul && !ir_matmul_named(wanted->matmul))
        return error_set(KJIT_ARGUMENT,
                         "error: matmul is \"%s\": it takes %s; \"plain\" or "
                         "\"float64\"",
                         wanted->matmul, ir_tile_names);
    module->max_registers = wanted->max_registers;
    module->unroll = wanted->unroll;
    module->matmul = wanted->matmul ? (int)ir_matmul_named(wanted->matmul) : 0;
    return KJIT_OK;
}

static kjit_status load_as(kjit_context *context, Loader loader, const kjit_load_options *options,
                           kjit_module **out)
{
    kjit_load_options wanted = { .size = sizeof wanted };
    kjit_module *module = memory_zeroed(1, sizeof *module);

    *out = NULL;
    if (!module)
        return error_memory();
    SIZED_TAKE(&wanted, options);
    head_open(&module->self, HANDLE_MODULE, &context->self);
    module->context = context;
    module->debug = wanted.debug;
    module->fastmath = wanted.fastmath;
    arena_init(&module->arena, NULL);
    pthread_mutex_init(&module->lock, NULL);
    pthread_mutex_init(&module->tuning, NULL);
    loader.module = module;
    loader.options = &wanted;
    if (loader.again)
        module->passes = loader.again->passes;
    kjit_status status =
        loader.again && !wanted.passes ? KJIT_OK : read_passes(module, wanted.passes);
    if (status == KJIT_OK)
        status = read_numbers(module, &wanted);
    if (status == KJIT_OK && wanted.schedule && strlen(wanted.schedule) > SOURCE_MAX)
        status = error_set(KJIT_ARGUMENT, "error: the schedule is too long");
    if (status == KJIT_OK)
        status = arena_catch(&module->arena, load, &loader);
    memory_free(loader.pending);
    if (status != KJIT_OK) {
        module_free(module);
        return status;
    }
    *out = module;
    return KJIT_OK;
}

kjit_status module_load(kjit_context *context, const char *path, const char *text,
                        const kjit_load_options *options, kjit_module **out)
{
    return load_as(context, (Loader){ .path = path, .text = text }, options, out);
}

kjit_status module_load_again(const kjit_module *module, const kjit_load_options *options,
                              kjit_module **out)
{
    const ModulePart *main = module->main;
    const Loader loader = { .path = main->path, .text = main->source->text, .again = module };

    return load_as(module->context, loader, options, out);
}

/* What kernel_capture() is given. */
typedef struct Capturing {
    kjit_kernel *kernel;
    const char *const *names;
    int count;
} Capturing;

static kjit_status capture(void *context, Arena *arena)
{
    const Capturing *capturing = context;
    kjit_kernel *kernel = capturing->kernel;
    const char **names = arena_array(arena, const char *, capturing->count + 1);

    for (int i = 0; i < capturing->count; i++)
        names[i] = arena_strdup(arena, capturing->names[i]);
    KernelInfo *info = arena_new(arena, KernelInfo);
    *info = *kernel->info;
    info->ast =
        module_capture(arena, kernel->module->main->module, info->name, names, capturing->count);
    kernel->info = info;
    name_params(arena, kernel);
    return KJIT_OK;
}

kjit_status kernel_capture(kjit_kernel *kernel, const char *const *names, int count)
{
    Capturing capturing = { kernel, names, count };

    return arena_catch(&kernel->module->arena, capture, &capturing);
}

void module_free(kjit_module *module)
{
    watch_settle(&module->context->watch);
    tuned_close(module);
    for (kjit_kernel *kernel = NULL; (kernel = module_next_kernel(module, kernel));) {
        dispatch_free(kernel);
        pthread_mutex_destroy(&kernel->lock);
        pthread_cond_destroy(&kernel->built);
    }
    pthread_mutex_destroy(&module->lock);
    pthread_mutex_destroy(&module->tuning);
    if (!atomic_load(&handles_debug)) /* where the kernels lie, which stay distinct from others */
        arena_free(&module->arena);
    memory_free(module->image);
    head_free(&module->self);
}
