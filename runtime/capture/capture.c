/* Capturing launches: which ones, and the contents of their arrays before and after. */
#include "runtime/capture/capture.h"
#include "runtime/cache/room.h"
#include "runtime/array/array.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum { DEFAULT_SHIFT = 30, FIRST_CAPACITY = 64 };

/* ---- the folder ----------------------------------------------------------------------- */

static kjit_status bad_folder(const char *path, int reason)
{
    return error_set(KJIT_ARGUMENT,
                     "error: launches cannot be captured in '%s': %s\nnote: KJIT_CAPTURE names it: "
                     "set it to a folder that you can write, or unset it",
                     path, strerror(reason));
}

static kjit_status open_folder(Capture *capture, const char *path)
{
    char real[PATH_MAX];
    int made = strlen(path) + 2 * CACHE_NAME_MAX < CACHE_PATH_MAX ? cache_make_folders(path, 0)
                                                                  : ENAMETOOLONG;

    if (made)
        return bad_folder(path, made);
    capture->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (capture->folder < 0 || faccessat(capture->folder, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return bad_folder(path, errno);
    /* Makes the path independent of the working directory. */
    const char *lasting = realpath(path, real) ? real : path;
    if (strlen(lasting) + 2 * CACHE_NAME_MAX >= CACHE_PATH_MAX)
        return bad_folder(path, ENAMETOOLONG);
    strcpy(capture->directory, lasting);
    return KJIT_OK;
}

static kjit_status read_limit(Capture *capture)
{
    const char *text = getenv("KJIT_CAPTURE_SIZE");

    capture->limit = 1ull << DEFAULT_SHIFT;
    if (!text || !*text || cache_read_size(text, &capture->limit))
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: KJIT_CAPTURE_SIZE is '%.40s', which is no size\nnote: set it to so "
                     "many bytes, with K, M, G or T behind them if need be (500M, 1.5G), or unset "
                     "it for 1G",
                     text);
}

kjit_status capture_open(Capture **capture)
{
    const char *path = getenv("KJIT_CAPTURE");

    *capture = NULL;
    if (!path || !*path)
        return KJIT_OK;
    Capture *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    made->folder = -1;
    pthread_mutex_init(&made->lock, NULL);
    kjit_status status = read_limit(made);
    if (status == KJIT_OK)
        status = open_folder(made, path);
    if (status == KJIT_OK)
        *capture = made;
    else
        capture_close(made);
    return status;
}

void capture_close(Capture *capture)
{
    if (!capture)
        return;
    if (capture->folder >= 0)
        close(capture->folder);
    pthread_mutex_destroy(&capture->lock);
    memory_free(capture->known);
    memory_free(capture);
}

/* ---- modules -------------------------------------------------------------------------- */

void capture_binary(kjit_module *module, const void *data, size_t length)
{
    module->image = memory_alloc(length);
    if (!module->image)
        return; /* its launches are reported as not captured */
    memcpy(module->image, data, length);
    module->image_length = length;
}

void capture_module(kjit_module *module)
{
    KeyState *key = key_begin();

    key_number(key, (uint64_t)module->debug << 1 | module->fastmath);
    key_number(key, (uint64_t)module->max_registers << 32 | (uint64_t)module->unroll);
    key_number(key, (uint64_t)module->matmul);
    key_number(key, module->passes.with);
    key_number(key, module->passes.without);
    key_text(key, module->schedule ? module->schedule->text : "");
    key_number(key, module->schedule != NULL);
    for (int i = 0; i < module->option_count; i++)
        key_text(key, module->options[i]);
    for (const ModulePart *part = module->parts; part && part->source; part = part->next) {
        key_text(key, part->name ? part->name : "");
        key_field(key, part->source->text, part->source->length);
    }
    for (int i = 0; i < module->define_count; i++) {
        key_text(key, module->defines[i].name);
        key_text(key, module->defines[i].value->span.source->text);
    }
    if (module->image)
        key_field(key, module->image, module->image_length);
    key_end(key, &module->digest);
}

/* ---- captured launches ----------------------------------------------------------------- */

/* The slot of a key, or the empty one where it would be. Under the lock; the table is not full. */
static CacheKey *slot_of(const Capture *capture, const CacheKey *key)
{
    char front[17];

    memcpy(front, key->name, 16);
    front[16] = '\0';
    size_t at = (size_t)strtoull(front, NULL, 16) & (capture->capacity - 1);
    while (capture->known[at].name[0] && strcmp(capture->known[at].name, key->name) != 0)
        at = (at + 1) & (capture->capacity - 1);
    return &capture->known[at];
}

static bool is_known(Capture *capture, const CacheKey *key)
{
    pthread_mutex_lock(&capture->lock);
    bool known = capture->count && slot_of(capture, key)->name[0];
    pthread_mutex_unlock(&capture->lock);
    return known;
}

static bool make_room(Capture *capture)
{
    Capture larger = { .capacity = capture->capacity ? 2 * capture->capacity : FIRST_CAPACITY };

    if (2 * (capture->count + 1) <= capture->capacity)
        return true;
    larger.known = memory_zeroed(larger.capacity, sizeof *larger.known);
    if (!larger.known)
        return false;
    for (size_t i = 0; i < capture->capacity; i++) {
        if (capture->known[i].name[0])
            *slot_of(&larger, &capture->known[i]) = capture->known[i];
    }
    memory_free(capture->known);
    capture->known = larger.known;
    capture->capacity = larger.capacity;
    return true;
}

/* Adds a key. False if it is there already, or without memory. */
static bool add_key(Capture *capture, const CacheKey *key)
{
    pthread_mutex_lock(&capture->lock);
    bool mine = make_room(capture) && !slot_of(capture, key)->name[0];
    if (mine) {
        *slot_of(capture, key) = *key;
        capture->count++;
    }
    pthread_mutex_unlock(&capture->lock);
    return mine;
}

/* ---- what makes launches differ ---------------------------------------------------------- */

/* Addresses of arrays so far, to detect arguments that share memory. */
typedef struct SeenArrays {
    const void *data[32];
    size_t count;
} SeenArrays;

static void add_array(KeyState *key, const kjit_array *array, SeenArrays *seen)
{
    size_t at = 0;

    key_field(key, array->shape, sizeof array->shape[0] * (size_t)array->rank);
    while (at < seen->count && seen->data[at] != array->data)
        at++;
    key_number(key, at);
    if (seen->count < ARRAY_COUNT(seen->data))
        seen->data[seen->count++] = array->data;
}

static void add_extents(KeyState *key, const kjit_arg *arg, SeenArrays *seen)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        add_array(key, &arg->as.array, seen);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_extents(key, &arg->as.tuple.items[i], seen);
}

/* False without memory. */
static bool find_key(const CaptureLaunch *launch, CacheKey *out)
{
    const kjit_kernel *kernel = launch->kernel;
    uint32_t words[KEY_MAX];
    int length;
    SeenArrays seen = { .count = 0 };

    if (!kernel->module->digest.name[0] ||
        signature_pack(launch->args, launch->count, kernel->param_names, words, &length) != KJIT_OK)
        return false;
    KeyState *key = key_begin();
    key_text(key, kernel->module->digest.name);
    key_text(key, kernel->info->name);
    key_field(key, words, sizeof *words * (size_t)length);
    key_field(key, launch->request->grid, sizeof launch->request->grid);
    key_field(key, launch->request->block, sizeof launch->request->block);
    key_number(key, launch->shared_bytes);
    for (size_t i = 0; i < launch->count; i++)
        add_extents(key, &launch->args[i], &seen);
    return key_end(key, out);
}

/* ---- a launch ------------------------------------------------------------------------- */

static kjit_status describe(void *context, Arena *arena)
{
    const CaptureLaunch *launch = context;
    CapturePlan *plan = (CapturePlan *)((char *)arena - offsetof(CapturePlan, arena));

    capture_describe(plan, launch);
    return KJIT_OK;
}

static CapturePlan *make_plan(Capture *capture, const CaptureLaunch *launch, const CacheKey *key)
{
    CapturePlan *plan = memory_zeroed(1, sizeof *plan);

    if (!plan)
        return NULL;
    plan->capture = capture;
    plan->counters = &launch->kernel->module->context->counters;
    plan->key = *key;
    snprintf(plan->folder, sizeof plan->folder, "%.100s-%.16s", launch->kernel->info->name,
             key->name);
    for (char *at = plan->folder; *at; at++)
        *at = *at == '/' ? '-' : *at; /* a kernel called make(6/2) names no folder */
    arena_init(&plan->arena, NULL);
    return plan;
}

CapturePlan *capture_plan(Capture *capture, const CaptureLaunch *launch, Device *device,
                          void *stream)
{
    CacheKey key;
    CapturePlan *plan = NULL;

    error_quiet(true);
    if (find_key(launch, &key) && !is_known(capture, &key))
        plan = make_plan(capture, launch, &key);
    if (plan && capture_there(capture, plan->folder)) {
        add_key(capture, &key);
        capture_drop(plan);
        plan = NULL;
    }
    if (plan) {
        plan->device = device;
        plan->stream = stream;
        if (arena_catch(&plan->arena, describe, (void *)(uintptr_t)launch) != KJIT_OK) {
            capture_drop(plan);
            plan = NULL;
        }
    }
    error_quiet(false);
    return plan;
}

void capture_drop(CapturePlan *plan)
{
    if (!plan)
        return;
    for (CaptureFile *file = plan->files; file; file = file->next) {
        memory_free(file->before);
        memory_free(file->after);
    }
    arena_free(&plan->arena);
    memory_free(plan);
}

/* ---- memory --------------------------------------------------------------------------- */

static bool copy_device(const CapturePlan *plan, const CaptureFile *file, char *to)
{
    const DeviceOps *ops = plan->device->ops;
    CopyRequest request = { .to = to,
                            .from = file->low,
                            .to_host = true,
                            .width = file->bytes,
                            .height = 1,
                            .stream = plan->stream };

    return ops->copy(plan->device, &request) == KJIT_OK &&
           ops->stream_synchronize(plan->device, plan->stream) == KJIT_OK;
}

/* Copies an array's elements between two copies of its file's memory. */
static void copy_view(const CaptureView *view, char *to, const char *from)
{
    const CaptureFile *file = view->file;
    ptrdiff_t begin = view->low - file->low, first = (char *)view->array.data - file->low;
    kjit_array into = view->array, out_of = view->array;

    if (array_is_dense(&view->array)) {
        memcpy(to + begin, from + begin, (size_t)(view->high - view->low));
        return;
    }
    into.data = to + first;
    out_of.data = (char *)(uintptr_t)from + first;
    array_copy(&into, &out_of);
}

/* The present contents of a file, to be memory_free()d; NULL, with the reason in the plan. */
static char *read_memory(CapturePlan *plan, const CaptureFile *file)
{
    char *out = memory_zeroed(file->lead + file->bytes + 1, 1);
    char *staged = file->on_device && file->bytes ? memory_alloc(file->bytes) : NULL;
    bool fine = out && (staged || !file->on_device || !file->bytes);

    if (!fine)
        plan->why_not = "there is no memory for a copy of its arrays";
    if (fine && staged && !copy_device(plan, file, staged)) {
        plan->why_not = "its arrays cannot be copied from the device";
        plan->device_failed = true;
        fine = false;
    }
    for (int i = 0; fine && file->bytes && i < plan->view_count; i++) {
        if (plan->views[i].file == file)
            copy_view(&plan->views[i], out + file->lead, staged ? staged : file->low);
    }
    memory_free(staged);
    if (fine)
        return out;
    memory_free(out);
    return NULL;
}

CapturePlan *capture_before(CapturePlan *plan)
{
    if (!add_key(plan->capture, &plan->key)) {
        capture_drop(plan);
        return NULL;
    }
    error_quiet(true);
    if (!plan->why_not && plan->bytes > plan->capture->limit)
        plan->why_not = "it alone is larger than KJIT_CAPTURE_SIZE";
    for (CaptureFile *file = plan->files; file && !plan->why_not; file = file->next)
        file->before = read_memory(plan, file);
    plan->began = !plan->why_not;
    error_quiet(false);
    return plan;
}

void capture_after(CapturePlan *plan, kjit_status status)
{
    if (!plan)
        return;
    bool ran =
        status == KJIT_OK || status == KJIT_FAULT || status == KJIT_LAUNCH || status == KJIT_BROKEN;
    const char *failure = status == KJIT_OK ? NULL : kjit_error_message();
    error_quiet(true);
    if (!ran && !plan->why_not)
        plan->why_not = "the launch was refused";
    for (CaptureFile *file = plan->files; file && !failure && !plan->why_not; file = file->next) {
        if (file->written)
            file->after = read_memory(plan, file);
    }
    /* A launch that breaks the device is captured too: it is worth replaying. */
    if (plan->device_failed && !failure && plan->began) {
        failure = "the device failed";
        plan->why_not = NULL;
    }
    if (!plan->why_not)
        plan->why_not = capture_write(plan, failure);
    if (plan->why_not && *plan->why_not)
        capture_complain(plan->capture, plan->call, plan->why_not);
    counters_add(plan->counters, plan->why_not ? COUNT_CAPTURE_FAILURES : COUNT_CAPTURES, 1);
    capture_drop(plan);
    error_quiet(false);
}
