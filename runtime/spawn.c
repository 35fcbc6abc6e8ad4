/* Running another program: an argument vector, no shell, no fork of this process's memory.
**
** What goes in and what comes out passes through files in memory rather than pipes, so that neither
** process waits for the other and there is nothing to poll. */
#include "runtime/runtime.h"

#include <errno.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 127 };

/* Starts the program on three descriptors and waits for its end. */
static int start_and_wait(char *const *argv, int input, int output, int errors)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return NOT_STARTED;
    bool ready = posix_spawn_file_actions_adddup2(&actions, input, 0) == 0 &&
                 posix_spawn_file_actions_adddup2(&actions, output, 1) == 0 &&
                 posix_spawn_file_actions_adddup2(&actions, errors, 2) == 0;
    bool started = ready && posix_spawnp(&child, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started)
        return NOT_STARTED;
    while (waitpid(child, &state, 0) < 0) {
        /* It ended, but the program that kjit is part of ignores SIGCHLD, or took its status. */
        if (errno == ECHILD)
            return 0;
        if (errno != EINTR)
            return NOT_STARTED;
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

int spawn_run(char *const *argv, const char *input, size_t input_length, char **output,
              size_t *output_length, char **errors)
{
    int in = memfd_create("kjit-in", MFD_CLOEXEC), out = memfd_create("kjit-out", MFD_CLOEXEC),
        err = memfd_create("kjit-err", MFD_CLOEXEC), status = NOT_STARTED;
    size_t length = 0;

    if (in >= 0 && out >= 0 && err >= 0 && write_all(in, input, input_length) &&
        lseek(in, 0, SEEK_SET) == 0)
        status = start_and_wait(argv, in, out, err);
    if (output)
        *output = out >= 0 ? read_all(out, output_length ? output_length : &length) : NULL;
    if (errors)
        *errors = err >= 0 ? read_all(err, &length) : NULL;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    if (err >= 0)
        close(err);
    return status;
}

/* Folders may be "executed" too. */
static bool is_program(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool spawn_find(const char *program, char *path, size_t size)
{
    const char *at = getenv("PATH");

    if (strchr(program, '/'))
        return snprintf(path, size, "%s", program) < (int)size && is_program(path);
    for (at = at ? at : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        int needed = snprintf(path, size, "%.*s%s%s", (int)length, at, length ? "/" : "", program);
        if (needed > 0 && (size_t)needed < size && is_program(path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}
