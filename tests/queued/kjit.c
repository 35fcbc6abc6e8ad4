/* A kjit whose compilations wait for others in the file that QUEUE names, so that what it finds is
** worth nothing: it fails, whatever it did. Without arguments it compiles what waits. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/test/together.h"
#include "runtime/device.h"

enum {
    FAILED = 9,
    SECONDS = 20, /* of a command */
    IN_VAIN = 64  /* commands without a compilation: the cache has the others', too */
};

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

static int waiting, in_vain;

static off_t size_of(int file)
{
    struct stat info;

    return fstat(file, &info) == 0 ? info.st_size : 0;
}

static void fail(void)
{
    if (!waiting && write(in_vain, "", 1) != 1)
        perror("kjit of tests/queued");
    _exit(FAILED);
}

int __wrap_main(int argc, char **argv)
{
    const char *path = getenv("QUEUE");
    char other[4096];
    FILE *queue = path ? fopen(path, "a+e") : NULL;

    if (!queue)
        return FAILED;
    if (argc == 1)
        return together_compile(queue, (size_t)cpu_threads()) ? 0 : FAILED;
    snprintf(other, sizeof other, "%s.vain", path);
    in_vain = open(other, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (!size_of(fileno(queue)) && size_of(in_vain) >= IN_VAIN)
        return FAILED;
    together_begin(queue, &waiting, SECONDS);
    atexit(fail);
    return __real_main(argc, argv);
}
