/* The machine code that a call gets: found, by variant.c, or compiled.
**
** A kernel has a list of its finished specialisations that is only ever pushed to, so a call
** finds its own without a lock. What is being compiled stands in a second list, under a lock:
** a call for the same types waits there, one for other types compiles beside it. */
#include "runtime/binary/binary.h"
#include "runtime/check/checked_kernel.h"
#include "runtime/check/findings.h"
#include "runtime/launch/hot.h"
#include "runtime/launch/variant.h"
#include "runtime/array/array.h"

/* A compilation: the request, and where its result goes. */
typedef struct CompileJob {
    kjit_kernel *kernel;
    Specialisation *spec;
    const EditedSource *edited; /* to be compiled instead; NULL: none */
    KernelRequest request;
    CheckedKernel *checked; /* out: for the checker's device, in the arena of the translation */
} CompileJob;

static void keep_faults(Specialisation *spec, const Emitted *emitted)
{
    spec->fault_count = emitted->fault_count;
    spec->faults = arena_array(&spec->keep, FaultPlace, emitted->fault_count);
    for (int i = 0; i < emitted->fault_count; i++) {
        const EmitFault *fault = &emitted->faults[i];
        const Source *source = fault->span.source;
        spec->faults[i].message =
            arena_strdup(&spec->keep, fault->message ? fault->message : "fault");
        if (source) {
            spec->faults[i].file = arena_strdup(&spec->keep, source->name);
            spec->faults[i].place = source_place(source, fault->span.begin);
        }
    }
}

static void note_axis(void *context, IrValue *value)
{
    static const struct {
        IrIntrinsic asks;
        bool thread, block;
    } positions[] = {
        { INTR_thread_idx, true, false }, { INTR_block_dim, true, false },
        { INTR_block_idx, false, true },  { INTR_grid_dim, false, true },
        { INTR_grid, true, true },        { INTR_gridsize, true, true },
        { INTR_laneid, true, false },     { INTR_activemask, true, false },
    };
    Specialisation *spec = context;

    for (size_t i = 0; value->op == OP_intrinsic && i < ARRAY_COUNT(positions); i++) {
        if (value->intrinsic != positions[i].asks)
            continue;
        spec->threads_asked |= (unsigned)positions[i].thread << value->index;
        spec->blocks_asked |= (unsigned)positions[i].block << value->index;
    }
}

static void note_axes(Specialisation *spec, const IrFunc *fn)
{
    ir_each_node_in(&fn->body, note_axis, spec);
}

/* The axes of the launch along which the unit reads indices. */
static void find_axes(Specialisation *spec, const IrUnit *unit)
{
    note_axes(spec, unit->kernel);
    for (int i = 0; i < unit->count; i++)
        note_axes(spec, unit->functions[i]);
    unsigned asked = spec->threads_asked | spec->blocks_asked;
    spec->axes = asked & 4 ? 3 : asked & 2 ? 2 : 1;
}

/* Which array parameters strides go with: arrays of such types have no simpler layout. */
static void mark_strided(Specialisation *spec, const Signature *signature)
{
    spec->strided = arena_array(&spec->keep, bool, signature->count);
    for (int i = 0; i < signature->count; i++) {
        const Type *type = signature->params[i];
        spec->strided[i] = type_is_array(type) && type->array.layout == LAYOUT_A;
    }
}

/* The checker adds as the text says. */
static void keep_sums(Specialisation *spec, const IrFunc *fn, Dialect dialect)
{
    for (int i = 0; i < fn->param_count && dialect != DIALECT_CHECK; i++) {
        const IrVar *param = fn->vars[i];
        if (param->exact)
            spec->sums[spec->sum_count++] =
                (ExactSum){ i, ir_exact_words(param->type->array.element) };
    }
}

void specialisation_describe(Specialisation *spec, const KernelRequest *translation)
{
    const IrFunc *fn = translation->unit->kernel;

    spec->access = arena_array(&spec->keep, int, fn->param_count);
    if (fn->param_count)
        memcpy(spec->access, fn->access, sizeof *spec->access * (size_t)fn->param_count);
    spec->covers = covers_keep(&spec->keep, fn->covers);
    spec->call = arena_strdup(&spec->keep, translation->call);
    find_axes(spec, translation->unit);
    spec->debug = fn->options.debug;
    spec->launch_bound = translation->launch_bound;
    spec->optimised = translation->facts != NULL;
    if (translation->unit->launch)
        spec->launch = *translation->unit->launch;
    spec->shape = translation->unit->shape;
    memcpy(spec->hidden, translation->unit->hidden, sizeof spec->hidden);
    spec->hidden_count = translation->unit->hidden_count;
    keep_sums(spec, fn, translation->dialect);
    spec->static_shared = translation->emitted.static_shared;
    spec->moved_shared = translation->emitted.moved_shared;
    mark_strided(spec, &translation->signature);
    keep_faults(spec, &translation->emitted);
}

/* The front end, and what must outlive it. */
static kjit_status translate(void *context, Arena *arena)
{
    CompileJob *job = context;

    job->spec->keep.exhausted = arena->exhausted;
    KJIT_TRY(compile_kernel(arena, &job->request));
    specialisation_describe(job->spec, &job->request);
    if (job->request.dialect == DIALECT_CHECK)
        job->checked = checked_new(arena, &job->request);
    if (job->edited)
        job->spec->covers = (IrCovers){ 0 }; /* what the edited text leaves out is unknown */
    return KJIT_OK;
}

kjit_status specialisation_check(const Device *device, const Specialisation *spec)
{
    if (spec->static_shared <= device->limits.shared)
        return KJIT_OK;
    return error_set(
        KJIT_INVALID,
        "error: the shared arrays of %s take %llu bytes, and a block of %s may have %zu",
        spec->call, (unsigned long long)spec->static_shared, device->name, device->limits.shared);
}

/* Text to machine code, outside of any arena and lock. */
static kjit_status build(CompileJob *job)
{
    Device *device = job->kernel->module->context->device;
    BuildRequest request = build_request(&job->request);

    KJIT_TRY(specialisation_check(device, job->spec));
    KJIT_TRY(job->edited ? edited_build(device, &job->request.emitted, job->edited, &request,
                                        &job->spec->code)
                         : device->ops->build(device, &request, &job->spec->code));
    job->spec->fixed = job->edited != NULL;
    job->spec->most_threads = device->ops->most_threads(job->spec->code);
    return KJIT_OK;
}

static void keep_times(Specialisation *spec)
{
    const kjit_report *report = report_current();

    spec->frontend_ms = report->frontend_ms;
    spec->compiler_ms = report->compiler_ms;
    spec->load_ms = report->load_ms;
    spec->disk_hit = report->disk_hit;
}

kjit_status specialisation_compile(kjit_kernel *kernel, Specialisation *spec,
                                   const EditedSource *edited)
{
    kjit_module *module = kernel->module;
    const Device *device = module->context->device;
    CompileJob job = { .kernel = kernel, .spec = spec, .edited = edited };
    Arena arena;
    double begin = clock_ms();
    WatchPlace *place =
        watch_begin(&module->context->watch, KJIT_COMPILING, kernel->info->name, begin);

    arena_init(&arena, NULL);
    job.request =
        (KernelRequest){ .kernel = kernel,
                         .key = spec->key,
                         .key_length = spec->key_length,
                         .block_threads = spec->block_threads,
                         .facts = spec->optimised ? &spec->launch.facts : NULL,
                         .dialect = device->ops->dialect,
                         .arch = device->arch,
                         .nan = device->findings && findings_options(device->findings).nan };
    forks_lock(&module->lock);
    kjit_status status = arena_catch(&arena, translate, &job);
    forks_unlock(&module->lock);
    spec->keep.exhausted = NULL;
    report_current()->frontend_ms = clock_ms() - begin;
    if (status == KJIT_OK)
        status = build(&job);
    if (job.checked) /* which lies in it */
        spec->checked = checked_keep(job.checked, &arena);
    else
        arena_free(&arena);
    watch_end(place);
    keep_times(spec);
    return status;
}

void specialisation_free(Specialisation *spec)
{
    arena_free(&spec->keep);
    hot_free(spec->hot);
    checked_free(spec->checked);
    memory_free(spec->values);
    memory_free(spec->key);
    memory_free(spec);
}

Specialisation *specialisation_new(const uint32_t *words, int length, int block_threads)
{
    Specialisation *spec = memory_zeroed(1, sizeof *spec);
    uint32_t *key = memory_alloc(sizeof *key * (size_t)length);

    if (!spec || !key) {
        memory_free(spec);
        memory_free(key);
        return NULL;
    }
    memcpy(key, words, sizeof *key * (size_t)length);
    spec->key = key;
    spec->key_length = length;
    spec->block_threads = block_threads;
    arena_init(&spec->keep, NULL);
    return spec;
}

Specialisation *dispatch_find(const kjit_kernel *kernel, const uint32_t *words, int length)
{
    return variant_find(atomic_load_explicit(&kernel->ready, memory_order_acquire),
                        &(VariantKey){ .words = words, .length = length });
}

/* The caller has the lock. */
static void push_ready(kjit_kernel *kernel, Specialisation *spec)
{
    spec->next = atomic_load_explicit(&kernel->ready, memory_order_relaxed);
    atomic_store_explicit(&kernel->ready, spec, memory_order_release);
    if (spec->fixed)
        atomic_store_explicit(&kernel->replaced, true, memory_order_release);
}

/* In a child process no thread holds the lock any more, and none compiles. */
static void renew_kernel(void *what)
{
    kjit_kernel *kernel = what;

    pthread_mutex_init(&kernel->lock, NULL);
    pthread_cond_init(&kernel->built, NULL);
    kernel->building = NULL;
}

static void kernel_lock(kjit_kernel *kernel)
{
    forks_renew(&kernel->forks, renew_kernel, kernel);
    pthread_mutex_lock(&kernel->lock);
}

void dispatch_add(kjit_kernel *kernel, Specialisation *spec)
{
    VariantKey key = { spec->key, spec->key_length, spec->block_threads, NULL };

    kernel_lock(kernel);
    while (variant_find(kernel->building, &key)) /* it would be found first */
        pthread_cond_wait(&kernel->built, &kernel->lock);
    push_ready(kernel, spec);
    pthread_mutex_unlock(&kernel->lock);
}

static void remove_building(kjit_kernel *kernel, const Specialisation *spec)
{
    Specialisation **link = &kernel->building;

    while (*link != spec)
        link = &(*link)->next;
    *link = spec->next;
}

static bool keep_values(Specialisation *spec, const IrFacts *facts)
{
    size_t bytes = sizeof *facts->values * (size_t)facts->value_count;

    spec->values = facts->values ? memory_alloc(bytes + 1) : NULL;
    spec->launch.facts.values = spec->values;
    if (!spec->values)
        return !facts->values;
    memcpy(spec->values, facts->values, bytes);
    return true;
}

static Specialisation *new_for(const VariantKey *key)
{
    Specialisation *spec = specialisation_new(key->words, key->length, key->block_threads);

    if (spec && key->facts) {
        spec->optimised = true;
        spec->launch.facts = *key->facts;
        if (!keep_values(spec, key->facts)) {
            specialisation_free(spec);
            return NULL;
        }
    }
    return spec;
}

/* Whether a variant of it with its values as constants may be made. */
static bool may_be_hot(const kjit_kernel *kernel, const Specialisation *spec)
{
    const kjit_module *module = kernel->module;
    bool processor = module->context->device->ops->dialect == DIALECT_C;

    return spec->optimised && !spec->values && !spec->debug &&
           ir_pass_runs(&module->passes, "constants", processor);
}

/* Compiles, or waits for the thread that does. What is being compiled for the same types and other
** launches may fit this one, so that is waited for too. */
static kjit_status compile_once(kjit_kernel *kernel, const VariantKey *key, Specialisation **out)
{
    kernel_lock(kernel);
    while (variant_find(kernel->building, key))
        pthread_cond_wait(&kernel->built, &kernel->lock);
    *out = variant_best(kernel, key);
    Specialisation *spec = *out ? NULL : new_for(key);
    if (spec) {
        spec->next = kernel->building;
        kernel->building = spec;
    }
    pthread_mutex_unlock(&kernel->lock);
    if (!spec)
        return *out ? KJIT_OK : error_memory();
    kjit_status status = specialisation_compile(kernel, spec, NULL);
    if (status == KJIT_OK && may_be_hot(kernel, spec))
        spec->hot = hot_new();
    kernel_lock(kernel);
    remove_building(kernel, spec);
    if (status == KJIT_OK) {
        push_ready(kernel, spec);
        *out = spec;
    }
    pthread_cond_broadcast(&kernel->built);
    pthread_mutex_unlock(&kernel->lock);
    if (status != KJIT_OK)
        specialisation_free(spec);
    return status;
}

static kjit_status wrong_count(const kjit_kernel *kernel, size_t count)
{
    char names[512] = "";
    size_t used = 0;

    for (int i = 0; i < kernel->param_count && used < sizeof names - 1; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 kernel->param_names[i]);
    return error_set(KJIT_ARGUMENT, "error: %s(%s) takes %d argument%s, and %zu %s given",
                     kernel->info->name, names, kernel->param_count,
                     kernel->param_count == 1 ? "" : "s", count, count == 1 ? "was" : "were");
}

kjit_status check_count(const kjit_kernel *kernel, size_t count)
{
    return count == (size_t)kernel->param_count ? KJIT_OK : wrong_count(kernel, count);
}

static kjit_status find_or_compile(kjit_kernel *kernel, const VariantKey *key, DispatchBest best,
                                   Specialisation **out)
{
    Counters *counters = &kernel->module->context->counters;

    *out = variant_best(kernel, key);
    if (!*out && best == DISPATCH_NOW) {
        *out = variant_right(kernel, key);
        if (*out)
            behind_add(kernel, key, NULL);
    }
    if (*out) {
        counters_add(counters, COUNT_MEMORY_HITS, 1);
        return KJIT_OK;
    }
    kjit_status status = compile_once(kernel, key, out);
    counters_add(counters, COUNT_COMPILATIONS, (uint64_t)report_current()->compiled);
    counters_add(counters, COUNT_DISK_HITS, (uint64_t)report_current()->disk_hit);
    return status;
}

kjit_status dispatch_behind(kjit_kernel *kernel, const VariantKey *key, Specialisation **spec)
{
    return find_or_compile(kernel, key, DISPATCH_BEST, spec);
}

static kjit_status find_specialisation(kjit_kernel *kernel, const kjit_arg *args,
                                       const VariantKey *key, DispatchBest best,
                                       Specialisation **out)
{
    if (!kernel->module->compiled)
        return find_or_compile(kernel, key, best, out);
    KJIT_TRY(binary_find(kernel, args, key->words, key->length, out));
    counters_add(&kernel->module->context->counters, COUNT_MEMORY_HITS, 1);
    return KJIT_OK;
}

static kjit_status too_many_threads(const Specialisation *spec, uint64_t threads)
{
    return error_set(KJIT_ARGUMENT,
                     "error: a block of %llu threads, and %s runs at most %d as it was compiled\n"
                     "note: @cuda.jit(launch_bounds=%llu) makes kjit compile it for such blocks",
                     (unsigned long long)threads, spec->call, spec->most_threads,
                     (unsigned long long)threads);
}

kjit_status dispatch(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                     const kjit_launch_config *config, DispatchBest best,
                     Specialisation **specialisation)
{
    const Device *device = kernel->module->context->device;
    uint64_t threads = config ? config_threads(config) : 0;
    uint32_t most = device->limits.threads;
    uint32_t words[KEY_MAX];
    VariantKey key = { .words = words };
    IrFacts facts;

    KJIT_TRY(check_count(kernel, count));
    KJIT_TRY(signature_pack(args, count, kernel->param_names, words, &key.length));
    bool checked = device->ops->dialect == DIALECT_CHECK; /* as it is written, for any launch */
    if (best != DISPATCH_PLAIN && !kernel->module->compiled && !checked) {
        facts_of_launch(args, count, config, device, &facts);
        if (device->ops->host_memory)
            facts.grid_size = grid_size_of_processor(config, device->limits.workers);
        key.facts = &facts;
    }
    KJIT_TRY(find_specialisation(kernel, args, &key, best, specialisation));
    threads = shape_threads(*specialisation, threads);
    if (threads <= (uint64_t)(*specialisation)->most_threads || threads > most ||
        (*specialisation)->launch_bound)
        return KJIT_OK;
    if ((*specialisation)->fixed)
        return too_many_threads(*specialisation, threads);
    key.block_threads = (int)most;
    return find_or_compile(kernel, &key, best, specialisation);
}

/* ---- without code --------------------------------------------------------------------------- */

/* The caller has the lock. */
static kjit_status describe(kjit_kernel *kernel, const VariantKey *key, Specialisation **out)
{
    kjit_module *module = kernel->module;
    Arena arena;

    *out = variant_find(kernel->described, key);
    if (*out)
        return KJIT_OK;
    Specialisation *spec = specialisation_new(key->words, key->length, 0);
    if (!spec)
        return error_memory();
    CompileJob job = { .kernel = kernel, .spec = spec };
    job.request = (KernelRequest){ .kernel = kernel,
                                   .key = spec->key,
                                   .key_length = spec->key_length,
                                   .dialect = module->context->device->ops->dialect };
    arena_init(&arena, NULL);
    forks_lock(&module->lock);
    kjit_status status = arena_catch(&arena, translate, &job);
    forks_unlock(&module->lock);
    spec->keep.exhausted = NULL;
    arena_free(&arena);
    if (status != KJIT_OK) {
        specialisation_free(spec);
        return status;
    }
    spec->next = kernel->described;
    *out = kernel->described = spec;
    return KJIT_OK;
}

kjit_status dispatch_describe(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                              Specialisation **specialisation)
{
    uint32_t words[KEY_MAX];
    VariantKey key = { .words = words };

    KJIT_TRY(check_count(kernel, count));
    KJIT_TRY(signature_pack(args, count, kernel->param_names, words, &key.length));
    if (kernel->module->compiled)
        return find_specialisation(kernel, args, &key, DISPATCH_NOW, specialisation);
    *specialisation = variant_best(kernel, &key); /* optimised code reads other indices */
    if (*specialisation)
        return KJIT_OK;
    kernel_lock(kernel);
    kjit_status status = describe(kernel, &key, specialisation);
    pthread_mutex_unlock(&kernel->lock);
    return status;
}

/* ---- signatures that are written ------------------------------------------------------------- */

/* A signature on its way to a key. */
typedef struct SignatureReading {
    kjit_kernel *kernel;
    const char *signature;
    uint32_t words[KEY_MAX];
    int length;
} SignatureReading;

static kjit_status read_signature(void *context, Arena *arena)
{
    SignatureReading *reading = context;
    KernelRequest request = { .kernel = reading->kernel, .signature_text = reading->signature };

    KJIT_TRY(compile_signature(arena, &request));
    return signature_pack_types(&request.signature, reading->kernel->param_names, reading->words,
                                &reading->length);
}

kjit_status dispatch_signature(kjit_kernel *kernel, const char *signature,
                               Specialisation **specialisation)
{
    kjit_module *module = kernel->module;
    SignatureReading reading = { .kernel = kernel, .signature = signature };

    if (module->compiled)
        return error_set(KJIT_UNSUPPORTED, "error: %s comes from a binary, and has no source",
                         kernel->info->name);
    forks_lock(&module->lock);
    kjit_status status = arena_run(read_signature, &reading);
    forks_unlock(&module->lock);
    KJIT_TRY(status);
    VariantKey key = { .words = reading.words, .length = reading.length };
    return find_or_compile(kernel, &key, DISPATCH_BEST, specialisation);
}

void dispatch_free(kjit_kernel *kernel)
{
    Device *device = kernel->module->context->device;
    Specialisation *next;

    for (Specialisation *spec = atomic_load(&kernel->ready); spec; spec = next) {
        next = spec->next;
        hot_close(spec->hot, device);
        device->ops->unload(device, spec->code);
        specialisation_free(spec);
    }
    for (Specialisation *spec = kernel->described; spec; spec = next) {
        next = spec->next;
        specialisation_free(spec);
    }
}
