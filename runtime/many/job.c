/* A launch before its ranks begin: its plan, the kernel of a part of its grid, and digests by which
** ranks tell whether they all mean the same. */
#include "runtime/array/array.h"
#include "runtime/binary/binary.h"
#include "runtime/cache.h"
#include "runtime/launch/launching.h"
#include "runtime/many/group.h"

/* ---- what cannot be split -------------------------------------------------------------------- */

typedef struct AddressRange {
    uintptr_t low, high;
} AddressRange;

static AddressRange bytes_of(const kjit_array *array)
{
    int64_t low, high;
    array_span(array, &low, &high);
    return (AddressRange){ (uintptr_t)array->data + (uintptr_t)low,
                           (uintptr_t)array->data + (uintptr_t)high };
}

static bool meets(const kjit_arg *arg, AddressRange bytes)
{
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        if (meets(&arg->as.tuple.items[i], bytes))
            return true;
    if (arg->kind != KJIT_ARG_ARRAY)
        return false;
    AddressRange own = bytes_of(&arg->as.array);
    return own.low < bytes.high && bytes.low < own.high;
}

static bool is_changed(const SplitArray *plan)
{
    return plan->writes || plan->atomics;
}

static uint64_t divide_up(uint64_t whole, uint64_t part)
{
    return whole / part + (whole % part != 0);
}

static kjit_status check_memory(const Job *job, const kjit_arg *args)
{
    for (size_t i = 0; i < job->count; i++) {
        const SplitArray *plan = &job->plan.arrays[i];
        const kjit_array *array = &args[i].as.array;
        if (!is_changed(plan) || args[i].kind != KJIT_ARG_ARRAY)
            continue;
        for (size_t k = 0; k < job->count; k++)
            if (k != i && meets(&args[k], bytes_of(array)))
                return error_set(KJIT_UNSUPPORTED,
                                 "error: '%s' is written and shares memory with '%s', which cannot "
                                 "be split over ranks",
                                 job->kernel->param_names[i], job->kernel->param_names[k]);
        if (!strides_are_apart(array->rank, array->shape, array->strides, array_item_bytes(array)))
            return error_set(KJIT_UNSUPPORTED,
                             "error: '%s' is written and its elements share memory, which cannot "
                             "be split over ranks",
                             job->kernel->param_names[i]);
    }
    return KJIT_OK;
}

/* ---- the kernel of a part -------------------------------------------------------------------- */

/* What a job is made of in the front end. */
typedef struct Translation {
    Job *job;
    const kjit_arg *args;
    KernelRequest request;
    IrFacts facts;
    Diags diags;
} Translation;

/* Threads along each axis asked for that one block of what is launched stands for. */
static void find_together(const Job *job, const IrShape *shape, uint64_t together[3])
{
    for (int k = 0; k < 3; k++)
        together[k] = job->config.block[k] ? job->config.block[k] : 1;
    for (int k = 0; k < 3 && shape->changed; k++) {
        uint64_t blocks = shape->merge[k] ? shape->merge[k] : 1;
        if (shape->free)
            together[shape->axis[k]] = launch_together(shape, k);
        else
            together[shape->axis[k]] *= blocks;
    }
}

/* The axis of what is launched that stands for one that was asked for. */
static int launched_axis(const IrShape *shape, int axis)
{
    for (int k = 0; k < 3 && shape->changed; k++)
        if (shape->axis[k] == axis)
            return k;
    return axis;
}

/* Whether it is known which of the threads asked for a block of the code does the work of, along
** the axis that is split: blocks that stay are those along the first. */
static bool keeps_threads(const Job *job)
{
    const IrShape *shape = &job->spec->shape;
    bool stays = shape->iterations.any || shape->stay || shape->least || shape->share;

    return !job->exchanged && (job->axis != 0 || !stays);
}

/* The whole kernel as passes leave it, then the plan for its blocks, and from both the kernel of a
** part. */
static kjit_status translate(void *context, Arena *arena)
{
    Translation *t = context;
    Job *job = t->job;
    Specialisation *spec = job->spec;
    uint64_t together[3];

    diags_init(&t->diags, arena);
    spec->keep.exhausted = arena->exhausted;
    KJIT_TRY(compile_kernel(arena, &t->request));
    const IrShape *shape = &t->request.unit->shape;
    find_together(job, shape, together);
    KJIT_TRY(
        plan_read_wishes(arena, job->kernel, t->args, job->said, job->said_count, &job->wishes));
    KJIT_TRY(plan_make(arena, job->kernel, &job->config, t->args, job->count, job->wishes,
                       job->ranks, together, &job->plan));
    job->axis = launched_axis(shape, job->plan.axis);
    job->together = together[job->plan.axis];
    job->exchanged = t->request.unit->exchanged;
    if (!ir_split_part(&t->request.unit, job->axis))
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s cannot be split over ranks: a function that cannot stand in "
                         "the place of its calls asks for its place in the grid",
                         job->kernel->info->name);
    if (!emit_unit(arena, t->request.unit, t->request.dialect, &t->diags, &t->request.emitted))
        return error_diags(&t->diags);
    specialisation_describe(spec, &t->request);
    return KJIT_OK;
}

static kjit_status translate_locked(Job *job, ArenaTask *task, void *context)
{
    kjit_module *module = job->kernel->module;

    forks_lock(&module->lock);
    kjit_status status = arena_catch(&job->arena, task, context);
    forks_unlock(&module->lock);
    return status;
}

static void drop_code(Job *job)
{
    for (int d = 0; job->codes && d < job->device_count; d++)
        if (job->codes[d])
            job->devices[d]->ops->unload(job->devices[d], job->codes[d]);
    memory_free(job->codes);
    job->codes = NULL;
    if (job->spec) {
        job->spec->code = NULL;
        specialisation_free(job->spec);
    }
    job->spec = NULL;
}

/* The same code on all devices. */
static kjit_status build_all(Job *job, const KernelRequest *request)
{
    BuildRequest build = build_request(request);

    KJIT_TRY(specialisation_check(job->devices[0], job->spec));
    job->codes = memory_zeroed((size_t)job->device_count, sizeof(Code *));
    if (!job->codes)
        return error_memory();
    for (int d = 0; d < job->device_count; d++)
        KJIT_TRY(job->devices[d]->ops->build(job->devices[d], &build, &job->codes[d]));
    job->spec->code = job->codes[0];
    job->spec->most_threads = job->devices[0]->ops->most_threads(job->spec->code);
    return KJIT_OK;
}

/* How a part is compiled: for just such launches, by all passes; by those after which a block does
** the work of the same threads, however many blocks there are; or as the text stands. */
typedef enum Version { VERSION_BEST, VERSION_BY_PLACE, VERSION_PLAIN, VERSIONS } Version;

static kjit_status compile(Job *job, const kjit_arg *args, Version version)
{
    Device *device = job->devices[0];
    uint32_t words[KEY_MAX];
    int length;

    drop_code(job);
    KJIT_TRY(signature_pack(args, job->count, job->kernel->param_names, words, &length));
    job->spec = specialisation_new(words, length, 0);
    if (!job->spec)
        return error_memory();
    Translation t = { .job = job, .args = args };
    facts_of_launch(args, job->count, &job->config, device, &t.facts);
    t.facts.parts = job->ranks > 1;
    if (device->ops->host_memory)
        t.facts.grid_size = grid_size_of_processor(&job->config, device->limits.workers);
    if (device->ops->host_memory && job->alike)
        t.facts.aligned = 0;
    t.request = (KernelRequest){ .kernel = job->kernel,
                                 .key = job->spec->key,
                                 .key_length = job->spec->key_length,
                                 .dialect = device->ops->dialect,
                                 .arch = device->arch,
                                 .facts = version == VERSION_PLAIN ? NULL : &t.facts,
                                 .stop_at_ir = true };
    if (version == VERSION_BY_PLACE)
        (void)ir_read_passes("-persist,-unroll", &t.request.set);
    kjit_status status = translate_locked(job, translate, &t);
    job->spec->keep.exhausted = NULL;
    KJIT_TRY(status);
    if (job->spec->sum_count)
        return error_set(KJIT_INVALID,
                         "error: %s cannot be split over ranks: its sums are kept exactly "
                         "(deterministic=True)",
                         job->kernel->info->name);
    return build_all(job, &t.request);
}

/* The whole launch as it is carried out; false if the code cannot do that. */
static bool shape_whole(const Job *job, const kjit_arg *args, const LaunchRequest *asked,
                        LaunchRequest *real)
{
    Device device = *job->devices[0];
    uint64_t fixed = job->spec->moved_shared ? 0 : job->spec->static_shared;

    if (job->anywhere) /* blocks that stay fill all devices */
        device.limits.multiprocessors *= (uint32_t)job->ranks;
    return shape_apply(job->spec, &device, asked, args, job->count, real) &&
           real->shared_bytes + fixed <= device.limits.shared;
}

static bool serves(const Job *job, const kjit_arg *args)
{
    LaunchRequest asked = { 0 }, real;

    return keeps_threads(job) &&
           launch_check_config(&job->config, job->devices[0], job->spec, &asked) == KJIT_OK &&
           shape_whole(job, args, &asked, &real);
}

/* Whether all that it changes is put together by an operation, whichever thread did what. */
static bool only_reduces(const Job *job)
{
    bool any = false;
    for (size_t i = 0; i < job->count; i++) {
        const SplitArray *array = &job->plan.arrays[i];
        bool changes = is_changed(array);
        if (changes && (array->role != SPLIT_REDUCED || job->wishes[i].ordered))
            return false;
        any |= changes;
    }
    return any;
}

/* Code whose blocks do not do the work of just those that were asked for: if it only reduces, ranks
** may share its blocks in any way, each with all of what is read; and one rank does them all. */
static bool share_blocks(Job *job, const kjit_arg *args)
{
    LaunchRequest asked = { 0 }, real;

    job->anywhere = job->ranks == 1 || only_reduces(job);
    if (!job->anywhere ||
        launch_check_config(&job->config, job->devices[0], job->spec, &asked) != KJIT_OK ||
        !shape_whole(job, args, &asked, &real)) {
        job->anywhere = false;
        return false;
    }
    uint64_t blocks = real.grid[job->axis], ranks = (uint64_t)job->ranks;
    job->together = 1;
    for (uint64_t r = 0; r <= ranks; r++)
        job->plan.first[r] = (blocks * r + ranks - 1) / ranks;
    for (size_t i = 0; i < job->count; i++)
        if (job->plan.arrays[i].role == SPLIT_PARTS && !is_changed(&job->plan.arrays[i]))
            job->plan.arrays[i].role = SPLIT_COPIED;
    return true;
}

/* ---- what ranks need and write --------------------------------------------------------------- */

/* Whether what lies between the elements of ranks is no other rank's. */
static bool parts_lie_apart(const Job *job, const kjit_array *array, const SplitArray *plan,
                            const char *begin)
{
    int64_t behind = INT64_MIN;
    bool apart = true;

    for (int down = 0; down < 2; down++) { /* ranks may go up or down in memory */
        behind = INT64_MIN;
        apart = true;
        for (int i = 0; i < job->ranks && apart; i++) {
            int r = down ? job->ranks - 1 - i : i;
            Region own;
            if (!region_of_array(array, plan->axis, &plan->own[r], begin, true, &own))
                return false;
            apart = own.count < 2 && (!own.count || own.runs[0].low >= behind);
            behind = own.count ? own.runs[own.count - 1].high : behind;
            region_free(&own);
        }
        if (apart)
            return true;
    }
    return false;
}

static bool find_parts(const Job *job, const kjit_array *array, const SplitArray *plan,
                       const char *begin, JobArray *out)
{
    bool coarse = parts_lie_apart(job, array, plan, begin), good = true;

    for (int r = 0; good && r < job->ranks; r++) {
        good = region_of_array(array, plan->axis, &plan->held[r], begin, coarse, &out->need[r]) &&
               region_of_array(array, plan->axis, &plan->own[r], begin, coarse, &out->own[r]) &&
               region_add(&out->need[r], &out->own[r]) &&
               region_of_array(array, plan->axis, &plan->inner[r], begin, coarse, &out->inner[r]);
    }
    return good;
}

/* Where the memory that an array is spread in begins is 0. */
static bool find_array(Job *job, size_t i, const kjit_array *array, const char *begin)
{
    const SplitArray *plan = &job->plan.arrays[i];
    JobArray *out = &job->arrays[i];
    size_t ranks = (size_t)job->ranks;

    out->changes = is_changed(plan);
    out->whole = plan->role != SPLIT_PARTS;
    out->need = memory_zeroed(ranks, sizeof(Region));
    out->own = memory_zeroed(ranks, sizeof(Region));
    out->inner = memory_zeroed(ranks, sizeof(Region));
    if (!out->need || !out->own || !out->inner ||
        !region_of_array(array, 0, NULL, begin, false, &out->all))
        return false;
    if (plan->role == SPLIT_UNUSED)
        return true;
    if (!out->whole)
        return find_parts(job, array, plan, begin, out);
    for (int r = 0; r < job->ranks; r++)
        if (!region_copy(&out->all, &out->need[r]))
            return false;
    return true;
}

kjit_status job_place(Job *job, const kjit_arg *args, char *const *begins)
{
    job->arrays = memory_zeroed(job->count + 1, sizeof *job->arrays);
    if (!job->arrays)
        return error_memory();
    for (size_t i = 0; i < job->count; i++)
        if (args[i].kind == KJIT_ARG_ARRAY && begins[i] &&
            !find_array(job, i, &args[i].as.array, begins[i]))
            return error_memory();
    return KJIT_OK;
}

static void drop_arrays(Job *job)
{
    for (size_t i = 0; job->arrays && i < job->count; i++) {
        JobArray *array = &job->arrays[i];
        for (int r = 0; r < job->ranks; r++) {
            if (array->need)
                region_free(&array->need[r]);
            if (array->own)
                region_free(&array->own[r]);
            if (array->inner)
                region_free(&array->inner[r]);
        }
        memory_free(array->need);
        memory_free(array->own);
        memory_free(array->inner);
        region_free(&array->all);
    }
    memory_free(job->arrays);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Whether sums are to be in order: that of the text, which passes change within a thread. */
static bool wants_order(const Job *job)
{
    for (size_t i = 0; i < job->said_count; i++)
        if (strcmp(job->said[i].value, "sum:ordered") == 0)
            return true;
    return false;
}

/* The first version that can be shared out. */
static kjit_status compile_parts(Job *job, const kjit_arg *args)
{
    if (wants_order(job))
        return compile(job, args, VERSION_PLAIN);
    for (Version version = VERSION_BEST; version < VERSION_PLAIN; version++) {
        kjit_status status = compile(job, args, version);
        if (version == VERSION_BEST)
            KJIT_TRY(status);
        error_quiet(true);
        bool good = status == KJIT_OK && (serves(job, args) || share_blocks(job, args));
        error_quiet(false);
        if (good)
            return KJIT_OK;
    }
    return compile(job, args, VERSION_PLAIN);
}

kjit_status job_open(Job *job, const kjit_arg *args)
{
    LaunchRequest asked = { 0 };

    KJIT_TRY(check_count(job->kernel, job->count));
    KJIT_TRY(compile_parts(job, args));
    KJIT_TRY(check_memory(job, args));
    KJIT_TRY(launch_check_config(&job->config, job->devices[0], job->spec, &asked));
    return launch_check_arrays(job->kernel, job->spec, args, job->count);
}

void job_close(Job *job)
{
    drop_arrays(job);
    drop_code(job);
    memory_free(job->why);
    arena_free(&job->arena);
}

bool job_works(const Job *job, int rank)
{
    return job->plan.first[rank] < job->plan.first[rank + 1];
}

bool job_is_ordered(const Job *job)
{
    for (size_t i = 0; i < job->count; i++)
        if (job->wishes[i].ordered && job->arrays[i].changes)
            return true;
    return false;
}

/* ---- launching ------------------------------------------------------------------------------- */

void job_blocks(const Job *job, int rank, uint64_t *from, uint64_t *to)
{
    const uint64_t *first = &job->plan.first[rank];
    *from = first[0] / job->together;
    *to = divide_up(first[1], job->together);
}

bool job_inner(const Job *job, int rank, uint64_t *from, uint64_t *to)
{
    if (job->anywhere || !job->plan.inner)
        return false;
    *from = divide_up(job->plan.inner[2 * rank], job->together);
    *to = job->plan.inner[2 * rank + 1] / job->together;
    return *from < *to;
}

/* Some blocks among those of the whole launch, and the kernel's parameters that say which. */
static void take_blocks(const Job *job, uint64_t from, uint64_t to, LaunchRequest *real,
                        int64_t part[SPLIT_PARAMS])
{
    int64_t threads = real->block[job->axis];

    part[SPLIT_FIRST_BLOCK] = (int64_t)from;
    part[SPLIT_BLOCKS] = real->grid[job->axis];
    part[SPLIT_FIRST_THREAD] = part[SPLIT_FIRST_BLOCK] * threads;
    part[SPLIT_THREADS] = part[SPLIT_BLOCKS] * threads;
    real->grid[job->axis] = (uint32_t)(to - from);
    real->asked_blocks = (uint64_t)real->grid[0] * real->grid[1] * real->grid[2];
}

kjit_status job_launch(const Job *job, int which, void *stream, uint64_t from, uint64_t to,
                       const kjit_arg *args)
{
    Device *device = job->devices[which];
    LaunchRequest asked = { 0 }, real;
    int64_t part[SPLIT_PARAMS];
    Pack pack;

    KJIT_TRY(launch_check_config(&job->config, device, job->spec, &asked));
    if (!shape_whole(job, args, &asked, &real))
        return error_set(KJIT_ARGUMENT, "error: the shared arrays of %s do not fit %s",
                         job->spec->call, device->name);
    take_blocks(job, from, to, &real, part);
    real.stream = stream;
    real.one_by_one = job_is_ordered(job);
    asked.part = part;
    kjit_status status = pack_args(&pack, device, stream, job->spec, &asked, args, job->count);
    if (status == KJIT_OK) {
        launch_set_params(&real, &pack);
        status = device->ops->launch(device, job->codes[which], &real);
    }
    if (status == KJIT_OK)
        status = launch_check_fault(device, job->spec, &pack);
    pack_free(&pack, device);
    return status;
}

/* ---- digests --------------------------------------------------------------------------------- */

static void add_array(KeyState *state, const kjit_array *array, const void *of)
{
    const bool *held = of;
    uint64_t bytes = parcel_bytes(array);

    key_number(state, (uint64_t)array->dtype);
    for (int k = 0; k < array->rank; k++)
        key_number(state, (uint64_t)array->shape[k]);
    if (*held)
        return;
    if (array_layout(array) == LAYOUT_C || !array->rank) {
        key_field(state, array->data, bytes);
        return;
    }
    void *parcel = memory_alloc(bytes + 1);
    if (!parcel)
        return; /* then it goes by its extents */
    parcel_take(array, parcel);
    key_field(state, parcel, bytes);
    memory_free(parcel);
}

static uint64_t digest_of_launch(const Job *job)
{
    KeyState *state = key_begin();

    for (int k = 0; k < 3; k++) {
        key_number(state, job->config.grid[k] ? job->config.grid[k] : 1);
        key_number(state, job->config.block[k] ? job->config.block[k] : 1);
    }
    key_number(state, job->config.shared_bytes);
    key_text(state, job->devices[0]->arch);
    key_number(state, job->devices[0]->limits.multiprocessors);
    key_number(state, job->anywhere);
    key_number(state, job->together);
    key_number(state, (uint64_t)job->axis);
    for (int r = 0; r <= job->ranks; r++)
        key_number(state, job->plan.first[r]);
    for (size_t i = 0; i < job->count; i++)
        key_number(state, job->plan.arrays[i].role);
    for (size_t i = 0; i < job->said_count; i++) {
        key_text(state, job->said[i].option);
        key_text(state, job->said[i].name);
        key_text(state, job->said[i].value);
    }
    return many_digest(state);
}

void job_say(const Job *job, const kjit_arg *args, const bool *held, Says *says)
{
    for (size_t i = 0; i < job->count; i++) {
        size_t at = i < SAYS_ARGS ? i : SAYS_ARGS - 1;
        KeyState *state = key_begin();
        key_number(state, says->args[at]);
        many_key_arg(state, &args[i], true, add_array, &held[i]);
        says->args[at] = many_digest(state);
    }
    says->launch = digest_of_launch(job);
    says->text = job->plan.text;
}
