/* Both threads only prepare: an error here occurs again, and is reported, where the result is
** needed. */
#include "cli/tune/start.h"

#include <pthread.h>

struct Startup {
    const TuneCommand *command;
    pthread_t looking, drawing;
    bool looks, draws;    /* the thread runs */
    pthread_mutex_t lock; /* of the next two */
    pthread_cond_t found;
    json_t *compilers; /* NAME: description */
    bool looked;       /* the list is complete */
    Session session;   /* on the processor, whose start takes no time */
    kjit_values *values;
};

static void note_finding(void *context, const kjit_finding *finding)
{
    Startup *start = context;
    pthread_mutex_lock(&start->lock);
    json_object_set_new(start->compilers, finding->what,
                        finding->found ? json_string(finding->detail) : json_null());
    pthread_cond_broadcast(&start->found);
    pthread_mutex_unlock(&start->lock);
}

static void *look(void *context)
{
    Startup *start = context;
    kjit_doctor(note_finding, start);
    pthread_mutex_lock(&start->lock);
    start->looked = true;
    pthread_cond_broadcast(&start->found);
    pthread_mutex_unlock(&start->lock);
    return NULL;
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
    start->compilers = json_object();
    pthread_mutex_init(&start->lock, NULL);
    pthread_cond_init(&start->found, NULL);
    start->looks = pthread_create(&start->looking, NULL, look, start) == 0;
    start->draws = may_be_gpu(command->launch.session.device) &&
                   pthread_create(&start->drawing, NULL, draw, start) == 0;
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

json_t *start_compiler(Startup *start, const char *name)
{
    if (!start->looks && !start->looked)
        look(start);
    pthread_mutex_lock(&start->lock);
    while (!start->looked && !json_object_get(start->compilers, name))
        pthread_cond_wait(&start->found, &start->lock);
    const char *detail = json_string_value(json_object_get(start->compilers, name));
    json_t *found = detail ? json_string(detail) : NULL;
    pthread_mutex_unlock(&start->lock);
    return found;
}

void start_free(Startup *start)
{
    if (!start)
        return;
    end(&start->draws, start->drawing);
    end(&start->looks, start->looking);
    kjit_values_close(start->values);
    session_close(&start->session);
    json_decref(start->compilers);
    pthread_cond_destroy(&start->found);
    pthread_mutex_destroy(&start->lock);
    free(start);
}
