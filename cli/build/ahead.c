/* `kjit build --emit binary` and `--emit c-header`: kernels of one or more files, for known types,
** compiled for several targets into one output. */
#include "cli/build/ahead.h"

/* The kernels to build, and the values that hold their arguments. */
typedef struct BuildItems {
    kjit_build_item *list;
    kjit_values **values; /* each may be NULL */
    size_t count;
} BuildItems;

static void items_free(BuildItems *items)
{
    for (size_t i = 0; i < items->count; i++) {
        free((kjit_arg *)(uintptr_t)items->list[i].args);
        kjit_values_close(items->values[i]);
    }
    free(items->list);
    free(items->values);
}

static kjit_build_item *items_push(BuildItems *items, kjit_kernel *kernel, const char *signature)
{
    items->list = must_grow(items->list, (items->count + 1) * sizeof *items->list);
    items->values = must_grow(items->values, (items->count + 1) * sizeof(kjit_values *));
    items->values[items->count] = NULL;
    items->list[items->count] = (kjit_build_item){ .kernel = kernel, .signature = signature };
    return &items->list[items->count++];
}

/* Whether the decorator of a kernel without an example declares its types. */
static bool declares_types(kjit_kernel *kernel)
{
    kjit_emit_options options = { .size = sizeof options, .stage = "ir" };
    char *data;
    size_t length;
    kjit_status status = kjit_emit(kernel, &options, &data, &length);
    kjit_free(data);
    return status != KJIT_ARGUMENT;
}

/* Adds a kernel with the types of its example, or else of its decorator. `*known`: it has types. */
static int push_kernel(BuildItems *items, kjit_kernel *kernel, bool *known)
{
    kjit_build_item *item = items_push(items, kernel, NULL);
    kjit_values **values = &items->values[items->count - 1];
    kjit_arg *args = NULL;
    kjit_status made = kjit_values_new(values);
    int status = made == KJIT_OK ? session_example(kernel, *values, known) : complain_status(made);

    if (status == EXIT_DONE && *known) {
        status = session_args(kernel, *values, &args);
        item->args = args;
        item->arg_count = kjit_param_count(kernel);
    } else if (status == EXIT_DONE) {
        *known = declares_types(kernel);
    }
    if (status == EXIT_DONE && !*known) {
        kjit_values_close(*values);
        items->count--;
    }
    return status;
}

static int no_types(const char *name)
{
    return bad_usage("%s has no @example to take its types from: say --sig '%s(TYPE, ...)'", name,
                     name);
}

/* Adds all kernels of a file whose types are known; reports the others. */
static int push_all(BuildItems *items, const Session *session)
{
    size_t count = kjit_kernel_count(session->module);
    int status = EXIT_DONE;

    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        const char *name = kjit_kernel_name_at(session->module, i);
        kjit_kernel *kernel;
        bool known = false;
        kjit_status found = kjit_get_kernel(session->module, name, &kernel);
        status = found == KJIT_OK ? push_kernel(items, kernel, &known) : complain_status(found);
        if (status == EXIT_DONE && !known && count > 1)
            complain("%s is left out: it has no @example and declares no types", name);
        else if (status == EXIT_DONE && !known)
            status = no_types(name);
    }
    return status;
}

/* Adds a signature: of the kernel it names, else of the target's. */
static int push_signature(BuildItems *items, const Session *session, const Target *target,
                          const char *signature)
{
    kjit_kernel *kernel = NULL;

    int status =
        target->kernel ? EXIT_DONE : kernel_of_signature(session->module, signature, &kernel);
    if (status == EXIT_DONE && !kernel)
        status = session_kernel(session, target, &kernel);
    if (status == EXIT_DONE)
        items_push(items, kernel, signature);
    return status;
}

static int push_target(BuildItems *items, const Session *session, const Target *target,
                       const AheadRequest *request)
{
    int status = EXIT_DONE;
    kjit_kernel *kernel;
    bool known = false;

    for (size_t i = 0; i < request->signature_count && status == EXIT_DONE; i++)
        status = push_signature(items, session, target, request->signatures[i]);
    if (request->signature_count)
        return status;
    if (!target->kernel)
        return push_all(items, session);
    status = session_kernel(session, target, &kernel);
    if (status == EXIT_DONE)
        status = push_kernel(items, kernel, &known);
    return status == EXIT_DONE && !known ? no_types(target->kernel) : status;
}

/* The file name of a path, without its ending. */
static char *stem_of(const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    if (!strncmp(base, "std:", 4))
        base += 4;
    return must_strndup(base, strcspn(base, "."));
}

static int build(const BuildItems *items, const AheadRequest *request, const char *name,
                 Emission *emission)
{
    kjit_build_options options = {
        .size = sizeof options,
        .form = request->form,
        .targets = request->archs,
        .target_count = request->arch_count,
        .name = name,
    };
    kjit_status status =
        kjit_build(items->list, items->count, &options, &emission->data, &emission->length);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int ahead_build(const char *const *files, size_t count, const AheadRequest *request,
                const char *output, Emission *emission)
{
    Session *sessions = must_alloc(count * sizeof *sessions);
    Target *targets = must_alloc(count * sizeof *targets);
    SessionOptions options = request->session;
    BuildItems items = { 0 };
    int status = EXIT_DONE;

    options.device = "cpu"; /* any device will do */
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        targets[i] = target_parse(files[i]);
        status = session_open(&sessions[i], targets[i].file, &options);
        if (status == EXIT_DONE)
            status = push_target(&items, &sessions[i], &targets[i], request);
    }
    char *name = stem_of(output ? output : targets[0].file);
    if (status == EXIT_DONE && !items.count) {
        complain("%s has no kernel whose types are known: say --sig 'KERNEL(TYPE, ...)'",
                 targets[count - 1].file);
        status = EXIT_COMMAND;
    }
    if (status == EXIT_DONE)
        status = build(&items, request, name, emission);
    emission->kernel = name;
    items_free(&items);
    for (size_t i = 0; i < count; i++) {
        session_close(&sessions[i]);
        target_free(&targets[i]);
    }
    free(sessions);
    free(targets);
    return status;
}
