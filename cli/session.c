/* From a file and values to a kernel and arguments: what `run`, `build` and `test` begin with. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static kjit_define *defines_of(const Pairs *pairs)
{
    kjit_define *defines = must_alloc(pairs->count * sizeof *defines);
    for (size_t i = 0; i < pairs->count; i++)
        defines[i] = (kjit_define){ pairs->list[i].name, pairs->list[i].value };
    return defines;
}

int session_open(Session *session, const char *file, const SessionOptions *options)
{
    static const Pairs none;
    const Pairs *pairs = options->defines ? options->defines : &none;
    kjit_open_options open = { .size = sizeof open, .device = options->device };
    kjit_define *defines = defines_of(pairs);
    kjit_load_options load = {
        .size = sizeof load,
        .defines = defines,
        .define_count = pairs->count,
        .debug = options->debug,
        .fastmath = options->fastmath,
    };

    *session = (Session){ 0 };
    kjit_status status = kjit_open(&open, &session->context);
    if (status == KJIT_OK)
        status = kjit_load_file(session->context, file, &load, &session->module);
    free(defines);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

void session_close(Session *session)
{
    kjit_close_module(session->module);
    kjit_close(session->context);
    *session = (Session){ 0 };
}

int session_kernel(const Session *session, const Target *target, kjit_kernel **kernel)
{
    size_t count = kjit_kernel_count(session->module);
    if (!target->kernel && count > 1) {
        complain("%s has %zu kernels; name one:", target->file, count);
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, "    %s:%s\n", target->file, kjit_kernel_name_at(session->module, i));
        return EXIT_COMMAND;
    }
    kjit_status status = kjit_get_kernel(session->module, target->kernel, kernel);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int session_example(kjit_kernel *kernel, kjit_values *values, bool *has)
{
    kjit_status status = kjit_values_example(values, kernel);
    *has = status == KJIT_OK;
    return status == KJIT_OK || status == KJIT_ARGUMENT ? EXIT_DONE : complain_status(status);
}

bool session_constant(const char *file, const char *name)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t room = 0, length = strlen(name);
    bool found = false;

    while (in && !found && getline(&line, &room, in) >= 0) {
        const char *after = line + length;
        if (!strncmp(line, name, length)) {
            after += strspn(after, " \t");
            found = after[0] == '=' && after[1] != '=';
        }
    }
    free(line);
    if (in)
        fclose(in);
    return found;
}

int session_args(kjit_kernel *kernel, const kjit_values *values, kjit_arg **args)
{
    size_t count = kjit_param_count(kernel), missing = 0;
    *args = must_alloc(count * sizeof **args);
    for (size_t i = 0; i < count; i++) {
        const kjit_arg *arg = kjit_values_get(values, kjit_param_name(kernel, i));
        if (arg)
            (*args)[i] = *arg;
        else
            missing++;
    }
    if (!missing)
        return EXIT_DONE;

    fflush(stdout);
    fprintf(stderr, "kjit: %s needs", kjit_kernel_name(kernel));
    for (size_t i = 0; i < count; i++)
        if (!kjit_values_get(values, kjit_param_name(kernel, i)))
            fprintf(stderr, " %s", kjit_param_name(kernel, i));
    fputs(": give NAME=VALUE, or put an @example above the kernel\n", stderr);
    return EXIT_COMMAND;
}
