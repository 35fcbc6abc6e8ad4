/* Both threads only prepare: an error here occurs again, and is reported, where the result is
** needed. */
#include "cli/tune/start.h"

#include <pthread.h>

struct Startup {
    const TuneCommand *command;
    pthread_t looking, drawing;
    bool looks, draws; /* the thread runs */
    Session session;   /* on the processor, whose start takes no time */
    kjit_values *values;
};

/* Finding NVRTC loads it. */
static void *look(void *context)
{
    char text[16];
    kjit_compiler(true, text, sizeof text);
    return context;
}

static kjit_status set_values(const Startup *start, kjit_kernel *kernel, kjit_values *values)
{
    const Pairs *pairs = &start->command->launch.values;
    kjit_status status = KJIT_OK;
    kjit_values_constants(values, start->session.module);
    for (size_t i = 0; i < pairs->count && status == KJIT_OK; i++) {
        const Pair *pair = &pairs->list[i];
        status = launching_has_param(kernel, pair->name)
                     ? kjit_values_set(values, pair->name, pair->value, NULL)
                     : KJIT_ARGUMENT; /* the caller computes them again and reports it */
    }
    return status == KJIT_OK ? kjit_values_example(values, kernel) : status;
}

static void *draw(void *context)
{
    Startup *start = context;
    const TuneCommand *command = start->command;
    SessionOptions options = command->launch.session;
    kjit_kernel *kernel;
    kjit_values *values = NULL;
    options.device = "cpu";
    options.defines = &command->launch.defines;
    kjit_status status = session_try(&start->session, command->target.file, &options);
    if (status == KJIT_OK)
        status = kjit_get_kernel(start->session.module, command->target.kernel, &kernel);
    if (status == KJIT_OK)
        status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = set_values(start, kernel, values);
    if (status == KJIT_OK)
        start->values = values;
    else
        kjit_values_close(values);
    return NULL;
}

/* Whether opening the device may take long; wrong names are reported elsewhere. */
static bool may_be_gpu(const char *device)
{
    return !device || !strcmp(device, "auto") || !strncmp(device, "cuda", 4);
}

Startup *start_new(const TuneCommand *command)
{
    Startup *start = must_alloc(sizeof *start);
    start->command = command;
    if (may_be_gpu(command->launch.session.device)) {
        start->looks = pthread_create(&start->looking, NULL, look, NULL) == 0;
        start->draws = pthread_create(&start->drawing, NULL, draw, start) == 0;
    }
    return start;
}

static void end(bool *runs, pthread_t thread)
{
    if (*runs)
        pthread_join(thread, NULL);
    *runs = false;
}

kjit_values *start_values(Startup *start)
{
    end(&start->draws, start->drawing);
    return start->values;
}

void start_free(Startup *start)
{
    if (!start)
        return;
    end(&start->draws, start->drawing);
    end(&start->looks, start->looking);
    kjit_values_close(start->values);
    session_close(&start->session);
    free(start);
}
