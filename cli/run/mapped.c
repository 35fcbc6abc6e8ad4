/* A .npy that a program loads is read where it lies. Who makes it shorter meanwhile takes pages
** away, which the system reports by SIGBUS: here that is an error with a message. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/run/run.h"

enum { LINE = 4608 }; /* a path and what stands before it */

/* A hexadecimal number, and the character behind it. */
static uintptr_t read_number(const char **at)
{
    uintptr_t number = 0;

    for (;; ++*at) {
        char c = **at;
        if (c >= '0' && c <= '9')
            number = number * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return number;
    }
}

/* The path in a line of /proc/self/maps whose memory has the address; NULL: it has not. */
static const char *path_in(const char *line, uintptr_t address)
{
    uintptr_t begin = read_number(&line);
    if (*line++ != '-' || address < begin || address >= read_number(&line))
        return NULL;
    return strchr(line, '/');
}

/* Which file lies at an address, by calls that a handler may make. */
static const char *find_path(uintptr_t address, char text[LINE])
{
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    const char *path = NULL;
    size_t used = 0;
    char c;

    while (maps >= 0 && !path && read(maps, &c, 1) == 1) {
        if (c != '\n') {
            text[used] = c;
            used += used < LINE - 1;
            continue;
        }
        text[used] = '\0';
        path = path_in(text, address);
        used = 0;
    }
    return path;
}

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void on_lost_page(int number, siginfo_t *info, void *context)
{
    char text[LINE];
    const char *path =
        info->si_code == BUS_ADRERR ? find_path((uintptr_t)info->si_addr, text) : NULL;

    (void)context;
    if (!path) { /* it comes again, and ends the process */
        signal(number, SIG_DFL);
        return;
    }
    say("kjit: error: ");
    say(path);
    say(" was made shorter while the program used it\n"
        "note: write another file and rename it, as save() does\n");
    _exit(EXIT_FAILED);
}

void mapped_watch(void)
{
    struct sigaction action = { .sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO | SA_ONSTACK };

    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
