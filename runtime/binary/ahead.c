/* Compilation ahead of time: from kernels and types to a binary, C header or library for TVM FFI
** with code for several targets.
**
** An item is translated once for each dialect that its targets need, and compiled once for each
** target. Translation and assembly of the result allocate from an arena; the images in between are
** allocated individually. */
#include "runtime/binary/binary.h"
#include "runtime/cpu/cc.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/array/array.h"

BuildRequest build_emitted(const Emitted *emitted, const IrOptions *options, const char *call)
{
    return (BuildRequest){
        .text = emitted->text,
        .length = emitted->length,
        .linked = emitted->linked,
        .foreign = emitted->foreign || emitted->linked,
        .entry = emitted->entry,
        .rounding = emitted->rounding,
        .call = call,
        .options = *options,
        .static_shared = emitted->static_shared,
        .cooperative = emitted->cooperative,
        .recursive = emitted->recursive,
        .ordered_sums = emitted->ordered_sums,
    };
}

BuildRequest build_request(const KernelRequest *translation)
{
    const kjit_module *module = translation->kernel->module;
    BuildRequest build = build_emitted(&translation->emitted, &translation->unit->kernel->options,
                                       translation->call);

    build.extra = module->options;
    build.extra_count = module->option_count;
    return build;
}

/* ---- one target ---------------------------------------------------------------------------- */

/* C to a shared object, in memory. */
static kjit_status compile_object(const BuildRequest *request, const CodeTarget *target,
                                  char **image, size_t *length)
{
    char path[CACHE_PATH_MAX];
    Scratch scratch;
    BuildRequest portable = *request;
    CC cc;

    cc_find(&cc);
    portable.march = target_march(target);
    if (!scratch_open(&scratch, NULL))
        return error_set(KJIT_FILE, "error: there is no folder for temporary files\n"
                                    "note: set TMPDIR to one that can be written");
    scratch_path(&scratch, "kernel.so", path);
    kjit_status status = cc_compile(&cc, &portable, path);
    if (status == KJIT_OK)
        status = file_read(path, SOURCE_MAX, image, length);
    scratch_close(&scratch);
    return status;
}

kjit_status target_compile(const BuildRequest *request, const char *name, const CodeTarget *target,
                           char **image, size_t *length)
{
    char arch[32];

    *image = NULL;
    if (target->kind == TARGET_CPU)
        return compile_object(request, target, image, length);
    snprintf(arch, sizeof arch, "sm_%.20s", strchr(name, '_') + 1);
    return nvrtc_compile(request, arch, target->kind == TARGET_PTX ? NVRTC_PTX : NVRTC_CUBIN, false,
                         image, length, NULL);
}

/* ---- requests ------------------------------------------------------------------------------ */

enum { DIALECTS = 2, TARGETS_MAX = 64, ITEMS_MAX = 4096, ENTRY_ROOM = 48 };

/* A kernel with one list of types. */
typedef struct BuildItem {
    const kjit_build_item *wanted;
    kjit_kernel *kernel;
    bool packed; /* `key` is known before translation */
    bool translated[DIALECTS];
    bool repeated; /* an earlier item is the same */
    KernelRequest translations[DIALECTS];
    Specialisation facts[DIALECTS]; /* in the arena, except `keep` */
    uint32_t key[KEY_MAX];
    int key_length;
} BuildItem;

typedef struct ImageBytes {
    char *bytes;
    size_t length;
} ImageBytes;

typedef struct BuildJob {
    const kjit_build_options *options;
    const char *const *names; /* the targets' names */
    CodeTarget targets[TARGETS_MAX];
    size_t target_count;
    BuildItem *items;
    size_t count, at; /* current item */
    Dialect dialect;
    ImageBytes *pieces; /* by item and target */
    char machine[256];  /* name of this processor */
    char *data;         /* out */
    size_t length;
} BuildJob;

/* PTX for all but the oldest GPUs that NVRTC supports, machine code for the two most common
** data-centre GPUs, and the processor. */
static const char *const usual_targets[] = { "compute_75", "sm_80", "sm_90", "cpu" };

static kjit_status read_targets(BuildJob *job)
{
    const kjit_build_options *options = job->options;
    bool usual = !options->target_count;

    job->names = usual ? usual_targets : options->targets;
    job->target_count = usual ? ARRAY_COUNT(usual_targets) : options->target_count;
    if (job->target_count > TARGETS_MAX)
        return error_set(KJIT_ARGUMENT, "error: %zu targets, and %d is the limit",
                         job->target_count, TARGETS_MAX);
    for (size_t i = 0; i < job->target_count; i++) {
        if (!target_read(job->names[i], &job->targets[i]))
            return error_set(KJIT_ARGUMENT,
                             "error: there is no target '%s': it is sm_90, compute_75 and the "
                             "like, cpu, cpu:x86-64-v2, cpu:x86-64-v3, cpu:x86-64-v4 or cpu:native",
                             job->names[i]);
    }
    return KJIT_OK;
}

/* ---- the front end ------------------------------------------------------------------------- */

static Dialect dialect_of(const CodeTarget *target)
{
    return target->kind == TARGET_CPU ? DIALECT_C : DIALECT_CUDA;
}

/* Fills what the binary stores of a specialisation, with its key in `key`. */
static kjit_status describe(Arena *arena, const kjit_kernel *kernel,
                            const KernelRequest *translation, Specialisation *facts,
                            uint32_t key[KEY_MAX])
{
    arena_init(&facts->keep, arena->exhausted);
    specialisation_describe(facts, translation);
    KJIT_TRY(signature_pack_types(&translation->signature, kernel->param_names, key,
                                  &facts->key_length));
    facts->key = key;
    return KJIT_OK;
}

/* Refuses kernels that need a second kernel, which rounds sums. */
static kjit_status check_rounding(const KernelRequest *translation)
{
    if (!translation->emitted.rounding)
        return KJIT_OK;
    return error_set(KJIT_UNSUPPORTED,
                     "error: %s has deterministic=True and keeps sums beside its arrays, which "
                     "binaries for GPUs cannot have yet\n"
                     "note: build it for the processor alone (--arch cpu), or have it compiled "
                     "where it runs",
                     translation->call);
}

static kjit_status translate(void *context, Arena *arena)
{
    BuildJob *job = context;
    BuildItem *item = &job->items[job->at];
    KernelRequest *translation = &item->translations[job->dialect];
    Specialisation *facts = &item->facts[job->dialect];

    *translation = (KernelRequest){ .kernel = item->kernel,
                                    .key = item->packed ? item->key : NULL,
                                    .key_length = item->key_length,
                                    .signature_text = item->wanted->signature,
                                    .dialect = job->dialect };
    KJIT_TRY(compile_kernel(arena, translation));
    KJIT_TRY(check_rounding(translation));
    KJIT_TRY(describe(arena, item->kernel, translation, facts, item->key));
    item->key_length = facts->key_length;
    return KJIT_OK;
}

static bool repeats(const BuildJob *job, const BuildItem *item)
{
    for (const BuildItem *other = job->items; other < item; other++) {
        if (other->kernel == item->kernel && other->key_length == item->key_length &&
            memcmp(other->key, item->key, sizeof *item->key * (size_t)item->key_length) == 0)
            return true;
    }
    return false;
}

/* Reads the types of an item that are given by arguments, if any. */
static kjit_status read_types(BuildItem *item)
{
    const kjit_build_item *wanted = item->wanted;
    kjit_kernel *kernel = item->kernel;

    if (kernel->module->compiled)
        return error_set(KJIT_UNSUPPORTED, "error: %s comes from a binary, and has no source",
                         kernel->info->name);
    if (wanted->signature || (!wanted->arg_count && kernel->info->signature))
        return KJIT_OK;
    KJIT_TRY(check_count(kernel, wanted->arg_count));
    item->packed = true;
    return signature_pack(wanted->args, wanted->arg_count, kernel->param_names, item->key,
                          &item->key_length);
}

static kjit_status translate_item(BuildJob *job, Arena *arena, BuildItem *item)
{
    kjit_module *module = item->kernel->module;

    job->at = (size_t)(item - job->items);
    KJIT_TRY(read_types(item));
    for (size_t i = 0; i < job->target_count; i++) {
        job->dialect = dialect_of(&job->targets[i]);
        if (item->translated[job->dialect])
            continue;
        forks_lock(&module->lock);
        kjit_status status = arena_catch(arena, translate, job);
        forks_unlock(&module->lock);
        item->facts[job->dialect].keep.exhausted = NULL;
        KJIT_TRY(status);
        item->translated[job->dialect] = true;
    }
    item->repeated = repeats(job, item);
    return KJIT_OK;
}

/* ---- the compilers ------------------------------------------------------------------------- */

/* Adds a remedy for users that named no GPU target. */
static kjit_status without_gpus(const BuildJob *job, kjit_status status)
{
    if (status != KJIT_NO_DEVICE || job->options->target_count)
        return status;
    return error_set(status, "%s\nnote: the target cpu alone (--arch cpu) needs a C compiler only",
                     kjit_error_message());
}

static bool has_form(const BuildJob *job, const char *form)
{
    return strcmp(job->options->form, form) == 0;
}

/* The symbol of an item's code for a processor in a library of several: by their numbers. */
static void name_entry(const BuildJob *job, const BuildItem *item, size_t target,
                       char entry[ENTRY_ROOM])
{
    snprintf(entry, ENTRY_ROOM, "kjit_entry_%zu",
             (size_t)(item - job->items) * job->target_count + target);
}

/* For a processor to an object that can be linked with others, which see nothing but its entry. */
static kjit_status compile_part(const BuildJob *job, const BuildItem *item, size_t i,
                                BuildRequest *request, ImageBytes *piece)
{
    enum { OWN = 3 };
    const char **words = memory_alloc(((size_t)request->extra_count + OWN) * sizeof *words);
    char entry[ENTRY_ROOM], define[2 * ENTRY_ROOM];

    if (!words)
        return error_memory();
    if (request->linked) {
        memory_free(words);
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s links C, which a library for TVM FFI cannot have yet",
                         request->call);
    }
    name_entry(job, item, i, entry);
    snprintf(define, sizeof define, "-D%s=%s", request->entry, entry);
    if (request->extra_count)
        memcpy(words, request->extra, (size_t)request->extra_count * sizeof *words);
    words[request->extra_count++] = "-c";
    words[request->extra_count++] = "-fvisibility=hidden";
    words[request->extra_count++] = define;
    request->extra = words;
    kjit_status status =
        target_compile(request, job->names[i], &job->targets[i], &piece->bytes, &piece->length);
    memory_free(words);
    return status;
}

static kjit_status compile_item(BuildJob *job, const BuildItem *item)
{
    ImageBytes *pieces = job->pieces + (size_t)(item - job->items) * job->target_count;

    for (size_t i = 0; i < job->target_count; i++) {
        const CodeTarget *target = &job->targets[i];
        BuildRequest request = build_request(&item->translations[dialect_of(target)]);
        bool part = target->kind == TARGET_CPU && has_form(job, "tvm-ffi");
        kjit_status status = part ? compile_part(job, item, i, &request, &pieces[i])
                                  : target_compile(&request, job->names[i], target,
                                                   &pieces[i].bytes, &pieces[i].length);
        KJIT_TRY(without_gpus(job, status));
    }
    return KJIT_OK;
}

/* ---- assembly ------------------------------------------------------------------------------ */

static BinaryImage image_of(Arena *arena, const BuildJob *job, const BuildItem *item, size_t target)
{
    Dialect dialect = dialect_of(&job->targets[target]);
    const ImageBytes *piece =
        &job->pieces[(size_t)(item - job->items) * job->target_count + target];
    bool native = job->targets[target].kind == TARGET_CPU && !job->targets[target].level;
    BinaryImage image = { .target = job->names[target],
                          .machine = native ? job->machine : "",
                          .build = build_request(&item->translations[dialect]),
                          .facts = item->facts[dialect],
                          .bytes = piece->bytes,
                          .length = piece->length };

    if (dialect == DIALECT_C && has_form(job, "tvm-ffi")) {
        char entry[ENTRY_ROOM];
        name_entry(job, item, target, entry);
        image.build.entry = arena_printf(arena, "%s", entry);
    }
    return image;
}

/* The images of all items of a kernel, beginning with `first`. */
static BinaryKernel kernel_of(Arena *arena, const BuildJob *job, const BuildItem *first)
{
    const kjit_kernel *kernel = first->kernel;
    BinaryKernel made = { .name = kernel->info->name,
                          .params = kernel->param_names,
                          .param_count = kernel->param_count };

    made.images = arena_array(arena, BinaryImage, job->count * job->target_count);
    for (const BuildItem *item = first; item < job->items + job->count; item++) {
        for (size_t i = 0; i < job->target_count; i++) {
            if (item->kernel == kernel && !item->repeated)
                made.images[made.image_count++] = image_of(arena, job, item, i);
        }
    }
    return made;
}

static kjit_status add_kernel(Binary *binary, BinaryKernel kernel)
{
    for (int i = 0; i < binary->kernel_count; i++) {
        if (strcmp(binary->kernels[i].name, kernel.name) == 0)
            return error_set(KJIT_ARGUMENT, "error: two kernels are called '%s'", kernel.name);
    }
    binary->kernels[binary->kernel_count++] = kernel;
    return KJIT_OK;
}

static kjit_status assemble(void *context, Arena *arena)
{
    BuildJob *job = context;
    Binary binary = { .made_by = kjit_version() };
    Buf header;

    binary.kernels = arena_array(arena, BinaryKernel, job->count);
    for (const BuildItem *item = job->items; item < job->items + job->count; item++) {
        bool first = true;
        for (const BuildItem *other = job->items; other < item; other++)
            first = first && other->kernel != item->kernel;
        if (first)
            KJIT_TRY(add_kernel(&binary, kernel_of(arena, job, item)));
    }
    if (has_form(job, "tvm-ffi"))
        return tvm_ffi_build(arena, &binary, &job->data, &job->length);
    Buf bytes = buf_in(arena);
    binary_write(&bytes, &binary);
    if (!has_form(job, "c-header"))
        return give_text(bytes.text, bytes.length, &job->data, &job->length);
    header = buf_in(arena);
    c_header_print(&header, &binary, bytes.text, bytes.length, job->options->name);
    return give_text(header.text, header.length, &job->data, &job->length);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static WatchPlace *begin_item(const BuildItem *item)
{
    const kjit_kernel *kernel = item->wanted->kernel;

    return watch_begin(&kernel->module->context->watch, KJIT_COMPILING, kernel->info->name,
                       clock_ms());
}

static kjit_status build_all(BuildJob *job, Arena *arena)
{
    for (size_t i = 0; i < job->count; i++) {
        WatchPlace *place = begin_item(&job->items[i]);
        kjit_status status = translate_item(job, arena, &job->items[i]);
        watch_end(place);
        KJIT_TRY(status);
    }
    for (size_t i = 0; i < job->count; i++) {
        if (job->items[i].repeated)
            continue;
        WatchPlace *place = begin_item(&job->items[i]);
        kjit_status status = compile_item(job, &job->items[i]);
        watch_end(place);
        KJIT_TRY(status);
    }
    return arena_catch(arena, assemble, job);
}

static void free_job(BuildJob *job)
{
    for (size_t i = 0; job->pieces && i < job->count * job->target_count; i++)
        memory_free(job->pieces[i].bytes);
    for (size_t i = 0; job->items && i < job->count; i++) {
        for (int dialect = 0; dialect < DIALECTS; dialect++)
            arena_free(&job->items[i].facts[dialect].keep);
    }
    memory_free(job->pieces);
    memory_free(job->items);
}

static kjit_status start_job(BuildJob *job, const kjit_build_item *items)
{
    KJIT_TRY(read_targets(job));
    if (!job->count || job->count > ITEMS_MAX)
        return error_set(KJIT_ARGUMENT, "error: %zu kernels to build: it can be 1 to %d",
                         job->count, ITEMS_MAX);
    job->items = memory_zeroed(job->count, sizeof *job->items);
    job->pieces = memory_zeroed(job->count * job->target_count, sizeof *job->pieces);
    if (!job->items || !job->pieces)
        return error_memory();
    for (size_t i = 0; i < job->count; i++) {
        job->items[i].wanted = &items[i];
        job->items[i].kernel = items[i].kernel;
        for (int dialect = 0; dialect < DIALECTS; dialect++)
            arena_init(&job->items[i].facts[dialect].keep, NULL);
    }
    return KJIT_OK;
}

kjit_status kjit_build(const kjit_build_item *items, size_t count,
                       const kjit_build_options *options, char **data, size_t *length)
{
    kjit_build_options own = { .size = sizeof own };
    BuildJob job = { .options = &own, .count = count };
    Arena arena;

    *data = NULL;
    *length = 0;
    for (size_t i = 0; i < count; i++)
        KJIT_TRY(HANDLE(KERNEL, items[i].kernel));
    SIZED_TAKE(&own, options);
    if (!own.form ||
        !(has_form(&job, "binary") || has_form(&job, "c-header") || has_form(&job, "tvm-ffi")))
        return error_set(KJIT_ARGUMENT,
                         "error: there is no form '%s': it is binary, c-header or tvm-ffi",
                         own.form ? own.form : "");
    if (has_form(&job, "c-header") && !own.name)
        return error_set(KJIT_ARGUMENT, "error: a header needs a name");
    arena_init(&arena, NULL);
    kjit_status status = start_job(&job, items);
    if (status == KJIT_OK) {
        processor_model(job.machine, sizeof job.machine);
        status = build_all(&job, &arena);
    }
    free_job(&job);
    arena_free(&arena);
    *data = job.data;
    *length = job.length;
    return status;
}

/* ---- shared objects ------------------------------------------------------------------------- */

typedef struct Wrapping {
    const kjit_kernel *kernel;
    const KernelRequest *translation;
    const char *target;
    bool edited;
    const void *object;
    size_t length;
    Specialisation facts;
    char machine[256];
    char *data; /* out */
    size_t out_length;
} Wrapping;

static kjit_status wrap(void *context, Arena *arena)
{
    Wrapping *wrapping = context;
    const kjit_kernel *kernel = wrapping->kernel;
    uint32_t *key = arena_array(arena, uint32_t, KEY_MAX);

    KJIT_TRY(describe(arena, kernel, wrapping->translation, &wrapping->facts, key));
    if (wrapping->edited)
        wrapping->facts.covers = (IrCovers){ 0 };
    BinaryImage image = { .target = wrapping->target,
                          .machine = wrapping->machine,
                          .build = build_request(wrapping->translation),
                          .facts = wrapping->facts,
                          .bytes = wrapping->object,
                          .length = wrapping->length };
    BinaryKernel only = { .name = kernel->info->name,
                          .params = kernel->param_names,
                          .param_count = kernel->param_count,
                          .images = &image,
                          .image_count = 1 };
    Binary binary = { .made_by = kjit_version(), .kernels = &only, .kernel_count = 1 };
    Buf out = buf_in(arena);
    buf_put(&out, wrapping->object, wrapping->length);
    binary_append(&out, &binary);
    return give_text(out.text, out.length, &wrapping->data, &wrapping->out_length);
}

kjit_status object_wrap(const kjit_kernel *kernel, const KernelRequest *translation,
                        const char *target, bool edited, const void *object, size_t length,
                        char **data, size_t *out_length)
{
    Wrapping wrapping = { .kernel = kernel,
                          .translation = translation,
                          .target = target,
                          .edited = edited,
                          .object = object,
                          .length = length };

    arena_init(&wrapping.facts.keep, NULL);
    if (strcmp(target, "cpu:native") == 0)
        processor_model(wrapping.machine, sizeof wrapping.machine);
    kjit_status status = arena_run(wrap, &wrapping);
    arena_free(&wrapping.facts.keep);
    *data = wrapping.data;
    *out_length = wrapping.out_length;
    return status;
}
