/* Contexts: a device, the disk cache, and the modules loaded for it. */
#include "runtime/capture/capture.h"
#include "runtime/crew.h"
#include "runtime/cuda/driver.h"
#include "runtime/runtime.h"

/* Whether `text` is "cuda" or "cuda:N". */
static bool cuda_ordinal(const char *text, int *ordinal)
{
    char *end;

    *ordinal = 0;
    if (strncmp(text, "cuda", 4) != 0)
        return false;
    if (!text[4])
        return true;
    long number = strtol(text + 5, &end, 10);
    *ordinal = (int)number;
    return text[4] == ':' && end != text + 5 && !*end && number >= 0 && number < 4096;
}

static kjit_status open_device(kjit_context *context, const char *name, bool behind)
{
    int ordinal;

    if (!name || strcmp(name, "auto") == 0)
        return driver_get()->why_not[0]
                   ? device_cpu_open(&context->cache, &context->device)
                   : device_cuda_open(&context->cache, 0, behind, &context->device);
    if (strcmp(name, "cpu") == 0)
        return device_cpu_open(&context->cache, &context->device);
    if (strcmp(name, "check") == 0)
        return device_check_open(&context->cache, &context->device);
    if (!cuda_ordinal(name, &ordinal))
        return error_set(
            KJIT_ARGUMENT,
            "error: there is no device called '%s': it can be auto, cuda, cuda:N, cpu or check",
            name);
    return device_cuda_open(&context->cache, ordinal, behind, &context->device);
}

static kjit_status open_context(const kjit_open_options *options, bool behind,
                                kjit_context **context)
{
    kjit_open_options wanted = { .size = sizeof wanted };

    if (!context)
        return error_set(KJIT_ARGUMENT, "error: there is no place for the context: it is NULL");
    *context = NULL;
    if (options && options->size < sizeof options->size)
        return error_set(KJIT_ARGUMENT, "error: the size of the kjit_open_options is not set\n"
                                        "note: .size = sizeof(kjit_open_options)");
    SIZED_TAKE(&wanted, options);
    if (wanted.threads < 0 || wanted.threads > CREW_MOST)
        return error_set(KJIT_ARGUMENT,
                         "error: a launch cannot have %d threads of the processor\n"
                         "note: from 1 to %d, or 0 for as many as the process may use",
                         wanted.threads, CREW_MOST);
    kjit_context *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    handles_debug_on(wanted.debug_handles);
    head_open(&made->self, HANDLE_CONTEXT, NULL);
    kjit_status status = cache_open(&made->cache, wanted.no_disk_cache);
    if (status == KJIT_OK)
        status = capture_open(&made->capture);
    if (status == KJIT_OK)
        status = open_device(made, wanted.device, behind);
    if (status != KJIT_OK) {
        capture_close(made->capture);
        cache_close(&made->cache);
        memory_free(made);
        return status;
    }
    if (wanted.threads && made->device->limits.workers)
        made->device->limits.workers = wanted.threads;
    pthread_mutex_init(&made->lock, NULL);
    blocks_init(&made->blocks);
    pthread_mutex_init(&made->watch.lock, NULL);
    made->device->watch = &made->watch;
    behind_init(&made->behind);
    pthread_mutex_init(&made->embedding, NULL);
    *context = made;
    return KJIT_OK;
}

kjit_status kjit_open(const kjit_open_options *options, kjit_context **context)
{
    return open_context(options, false, context);
}

kjit_status kjit_open_behind(const kjit_open_options *options, kjit_context **context)
{
    return open_context(options, true, context);
}

void kjit_close(kjit_context *context)
{
    if (!context || !HANDLE_IS(CONTEXT, context))
        return;
    error_quiet(true);
    behind_close(&context->behind);
    while (context->modules)
        kjit_close_module(context->modules);
    behind_free(&context->behind);
    for (Block block; blocks_take_any(&context->blocks, &block);)
        context->device->ops->release(context->device, &block, NULL);
    blocks_free(&context->blocks);
    context->device->ops->close(context->device);
    error_quiet(false);
    cache_close(&context->cache);
    capture_close(context->capture);
    pthread_mutex_destroy(&context->lock);
    pthread_mutex_destroy(&context->embedding);
    pthread_mutex_destroy(&context->watch.lock);
    head_free(&context->self);
}

kjit_status kjit_reset(kjit_context *context)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    Device *device = context->device;
    unsigned before = atomic_load(&device->lifetime);
    Block lost;

    if (device->ops->host_memory)
        return KJIT_OK;
    kjit_status status = device->ops->reset(device);
    /* The device took the arrays with it, unless it was not even reset. */
    while (atomic_load(&device->lifetime) != before && blocks_take_any(&context->blocks, &lost)) {}
    return status;
}

int kjit_gpu_count(void)
{
    const Driver *driver = driver_get();

    return driver->why_not[0] ? 0 : driver->device_count;
}

void context_add(kjit_context *context, kjit_module *module)
{
    if (context->capture)
        capture_module(module);
    forks_lock(&context->lock);
    module->next = context->modules;
    context->modules = module;
    forks_unlock(&context->lock);
}

const char *kjit_device_name(const kjit_context *context)
{
    if (!HANDLE_IS(CONTEXT, context))
        return NULL;
    return context->device->name;
}

const char *kjit_device_model(const kjit_context *context)
{
    if (!HANDLE_IS(CONTEXT, context))
        return NULL;
    return context->device->model;
}
