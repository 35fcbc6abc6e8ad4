/* Modules loaded from binaries, whose kernels have a fixed set of specialisations. The best image
** of each for the device is loaded at once. */
#include "runtime/binary/binary.h"
#include "runtime/capture/capture.h"
#include "runtime/array/array.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- selection ----------------------------------------------------------------------------- */

bool binary_same_types(const BinaryImage *a, const BinaryImage *b)
{
    return a->facts.key_length == b->facts.key_length &&
           memcmp(a->facts.key, b->facts.key, sizeof *a->facts.key * (size_t)a->facts.key_length) ==
               0;
}

/* Whether an earlier image is for the same types. */
static bool is_repeated(const BinaryKernel *kernel, int index)
{
    for (int i = 0; i < index; i++) {
        if (binary_same_types(&kernel->images[i], &kernel->images[index]))
            return true;
    }
    return false;
}

static const BinaryImage *best_image(const BinaryKernel *kernel, const BinaryImage *like,
                                     const Device *device)
{
    const BinaryImage *best = NULL;
    int most = 0;

    for (int i = 0; i < kernel->image_count; i++) {
        const BinaryImage *image = &kernel->images[i];
        int fits = binary_same_types(image, like) ? target_fits(image, device) : 0;
        if (fits > most) {
            most = fits;
            best = image;
        }
    }
    return best;
}

/* Reports that no image runs on the device. */
static kjit_status none_fits(const BinaryKernel *kernel, const BinaryImage *like,
                             const Device *device, const char *name)
{
    char list[512] = "";
    size_t used = 0;

    for (int i = 0; i < kernel->image_count && used < sizeof list - 1; i++) {
        if (binary_same_types(&kernel->images[i], like))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     kernel->images[i].target);
    }
    return error_set(KJIT_NO_DEVICE,
                     "error: %s has no code of %s for %s (%s): it has %s\n"
                     "note: kjit build --arch %s makes it",
                     name, like->facts.call, device->name,
                     device->arch[0] ? device->arch : device->model, list,
                     device->arch[0] ? device->arch : "cpu");
}

/* ---- loading ------------------------------------------------------------------------------- */

/* The image's description is in the module's arena, which lives as long as the specialisation. */
static kjit_status load_image(kjit_kernel *kernel, const BinaryImage *image)
{
    Device *device = kernel->module->context->device;
    const Specialisation *facts = &image->facts;
    Specialisation *spec = specialisation_new(facts->key, facts->key_length, 0);

    if (!spec)
        return error_memory();
    Specialisation empty = *spec;
    *spec = *facts;
    spec->key = empty.key;
    spec->keep = empty.keep;
    kjit_status status = specialisation_check(device, spec);
    if (status == KJIT_OK)
        status = device->ops->load(device, image->bytes, image->length, &image->build, &spec->code);
    if (status != KJIT_OK) {
        specialisation_free(spec);
        return status;
    }
    spec->load_ms = report_current()->load_ms;
    spec->most_threads = device->ops->most_threads(spec->code);
    dispatch_add(kernel, spec);
    return KJIT_OK;
}

static kjit_status load_kernel(kjit_kernel *kernel, const BinaryKernel *from, const char *name)
{
    const Device *device = kernel->module->context->device;

    for (int i = 0; i < from->image_count; i++) {
        const BinaryImage *like = &from->images[i];
        if (is_repeated(from, i))
            continue;
        const BinaryImage *best = best_image(from, like, device);
        if (!best)
            return none_fits(from, like, device, name);
        KJIT_TRY(load_image(kernel, best));
    }
    return KJIT_OK;
}

/* ---- modules ------------------------------------------------------------------------------- */

typedef struct ModuleReading {
    kjit_module *module;
    const void *data;
    size_t length;
    const char *name;
    Binary binary;
} ModuleReading;

/* A placeholder for the missing source. */
static ModulePart *no_source(Arena *arena, const char *name)
{
    ModulePart *part = arena_new(arena, ModulePart);

    part->path = arena_strdup(arena, name);
    part->ast = arena_new(arena, AstModule);
    return part;
}

static void bind_kernel(Arena *arena, kjit_kernel *kernel, const BinaryKernel *from)
{
    KernelInfo *info = arena_new(arena, KernelInfo);

    info->name = from->name;
    info->ast = arena_new(arena, AstFunction);
    kernel->info = info;
    kernel->param_names = from->params;
    kernel->param_count = from->param_count;
}

static kjit_status read_module(void *context, Arena *arena)
{
    ModuleReading *reading = context;
    kjit_module *module = reading->module;
    const Binary *binary = &reading->binary;

    KJIT_TRY(binary_read(arena, reading->data, reading->length, reading->name, &reading->binary));
    module->main = module->parts = no_source(arena, reading->name);
    module->kernels = arena_array(arena, kjit_kernel, binary->kernel_count);
    for (int i = 0; i < binary->kernel_count; i++) {
        head_open(&module->kernels[i].self, HANDLE_KERNEL, &module->self);
        module->kernels[i].module = module;
        bind_kernel(arena, &module->kernels[i], &binary->kernels[i]);
    }
    /* Last: allocations above may fail by a jump, which must not leave initialised locks. */
    for (int i = 0; i < binary->kernel_count; i++) {
        pthread_mutex_init(&module->kernels[i].lock, NULL);
        pthread_cond_init(&module->kernels[i].built, NULL);
        atomic_init(&module->kernels[i].forks, forks_seen());
    }
    module->kernel_count = binary->kernel_count;
    return KJIT_OK;
}

/* Creates a module from a binary, not yet added to the context. */
static kjit_status binary_module(kjit_context *context, const void *data, size_t length,
                                 const char *name, kjit_module **out)
{
    kjit_module *module = memory_zeroed(1, sizeof *module);

    *out = NULL;
    if (!module)
        return error_memory();
    head_open(&module->self, HANDLE_MODULE, &context->self);
    module->context = context;
    module->compiled = true;
    arena_init(&module->arena, NULL);
    pthread_mutex_init(&module->lock, NULL);
    pthread_mutex_init(&module->tuning, NULL);
    ModuleReading reading = { .module = module, .name = name, .length = length };
    reading.data = binary_inside(data, &reading.length);
    kjit_status status = arena_catch(&module->arena, read_module, &reading);
    for (int i = 0; status == KJIT_OK && i < module->kernel_count; i++)
        status = load_kernel(&module->kernels[i], &reading.binary.kernels[i], name);
    if (status != KJIT_OK) {
        module_free(module);
        return status;
    }
    *out = module;
    return KJIT_OK;
}

kjit_status kjit_load_binary(kjit_context *context, const void *data, size_t length,
                             const char *name, kjit_module **module)
{
    *module = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    KJIT_TRY(binary_module(context, data, length, name, module));
    if (context->capture)
        capture_binary(*module, data, length);
    context_add(context, *module);
    return KJIT_OK;
}

bool binary_file(const char *path)
{
    char edge[8];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;

    if (fd < 0)
        return false;
    /* A pipe cannot be read twice. */
    bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    bool binary = regular && read(fd, edge, sizeof edge) == sizeof edge;
    const char *ending = strrchr(path, '.');
    if (regular && ending && strcmp(ending, ".kjit") == 0)
        binary = true; /* or meant to be one: who reads it says that it is damaged */
    else if (binary && !is_binary(edge, sizeof edge))
        binary = pread(fd, edge, sizeof edge, info.st_size - (off_t)sizeof edge) == sizeof edge &&
                 is_binary(edge, sizeof edge);
    close(fd);
    return binary;
}

kjit_status binary_load_file(kjit_context *context, const char *path,
                             const kjit_load_options *options, kjit_module **module)
{
    kjit_load_options wanted = { .size = sizeof wanted };
    char *data;
    size_t length;

    *module = NULL;
    SIZED_TAKE(&wanted, options);
    if (wanted.define_count || wanted.debug || wanted.fastmath || wanted.matmul)
        return error_set(
            KJIT_ARGUMENT,
            "error: %s is compiled already: constants, debug, fastmath and matmul are settled\n"
            "note: say them to 'kjit build'",
            path);
    KJIT_TRY(file_read(path, SOURCE_MAX, &data, &length));
    kjit_status status = kjit_load_binary(context, data, length, path, module);
    memory_free(data);
    return status;
}

/* ---- embedded binaries --------------------------------------------------------------------- */

/* Identified by address and checksum: another plugin may be loaded at the address of a former
** one. */
static kjit_module *find_embedded(kjit_context *context, const void *data, size_t length)
{
    kjit_module *module = atomic_load_explicit(&context->embedded, memory_order_acquire);

    if (length < BINARY_HEADER)
        return NULL;
    while (module && (module->embedded != data || !binary_has_seal(data, module->seal)))
        module = module->next_embedded;
    return module;
}

/* Loads it, or waits for the thread that does. */
static kjit_status embed_once(kjit_context *context, const void *data, size_t length,
                              kjit_module **module)
{
    kjit_status status = KJIT_OK;

    pthread_mutex_lock(&context->embedding);
    *module = find_embedded(context, data, length);
    if (!*module)
        status = kjit_load_binary(context, data, length, "the embedded binary", module);
    if (*module && !(*module)->embedded) {
        (*module)->embedded = data;
        binary_get_seal(data, (*module)->seal);
        (*module)->next_embedded = atomic_load_explicit(&context->embedded, memory_order_relaxed);
        atomic_store_explicit(&context->embedded, *module, memory_order_release);
    }
    pthread_mutex_unlock(&context->embedding);
    return status;
}

kjit_status kjit_embedded_kernel(kjit_context *context, const void *data, size_t length,
                                 const char *name, kjit_kernel **kernel)
{
    *kernel = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_module *module = find_embedded(context, data, length);

    if (!module)
        KJIT_TRY(embed_once(context, data, length, &module));
    return kjit_get_kernel(module, name, kernel);
}

/* ---- calling ------------------------------------------------------------------------------- */

/* A call without a matching specialisation. */
typedef struct Miss {
    const kjit_kernel *kernel;
    const uint32_t *key;
    int length;
} Miss;

static kjit_status describe_miss(void *context, Arena *arena)
{
    const Miss *miss = context;
    const kjit_kernel *kernel = miss->kernel;
    Types types;

    types_init(&types, arena);
    Buf wanted = buf_in(arena);
    Buf call = buf_in(arena);
    signature_print(&call, kernel->info->name,
                    signature_unpack(arena, &types, miss->key, miss->length));
    for (const Specialisation *spec = atomic_load(&kernel->ready); spec; spec = spec->next)
        buf_printf(&wanted, "\nnote: there is %s", spec->call);
    return error_set(KJIT_ARGUMENT,
                     "error: no matching definition for argument types: %s was not compiled ahead "
                     "of time into %s%s",
                     buf_text(&call), kernel->module->main->path, buf_text(&wanted));
}

kjit_status binary_find(kjit_kernel *kernel, const kjit_arg *args, const uint32_t *key, int length,
                        Specialisation **out)
{
    *out = dispatch_find(kernel, key, length);
    if (*out)
        return KJIT_OK;
    for (Specialisation *spec = atomic_load_explicit(&kernel->ready, memory_order_acquire); spec;
         spec = spec->next) {
        if (spec->key_length == length &&
            signature_accepts(spec->key, key, args, (size_t)kernel->param_count)) {
            *out = spec;
            return KJIT_OK;
        }
    }
    return arena_run(describe_miss, &(Miss){ kernel, key, length });
}
