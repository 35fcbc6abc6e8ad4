/* Variables of the environment that say nothing: what they should have changed stays as it is by
** itself, unnoticed. Words and numbers that kjit does not know are refused; names that it does not
** know, and files and folders that cannot be used, get a warning, for kjit works without them. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* Whether a text is a number of seconds. */
static bool is_seconds(const char *text)
{
    char *end;
    double number = strtod(text, &end);

    return end != text && !*end && number >= 0 && isfinite(number);
}

static int check_words(void)
{
    const char *progress = getenv("KJIT_PROGRESS"), *rehearse = getenv("KJIT_REHEARSE");

    if (progress && *progress && !is_seconds(progress))
        return bad_usage("KJIT_PROGRESS=%s: it is a number of seconds, or 0 for no line at all",
                         progress);
    if (rehearse && *rehearse && strcmp(rehearse, "always") != 0 && strcmp(rehearse, "never") != 0)
        return bad_usage("KJIT_REHEARSE=%s: it is 'always' or 'never'", rehearse);
    return EXIT_DONE;
}

/* OMP_NUM_THREADS is other programs' too: a bad value gets a warning. OpenMP takes a list. */
static void check_threads(void)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    long count = threads && *threads ? strtol(threads, NULL, 10) : 1;

    if (count <= 0 || count > INT_MAX)
        fprintf(stderr,
                "note: OMP_NUM_THREADS=%s: it is no number of threads, and launches use all\n",
                threads);
}

/* What another variable, or another program, is needed for. */
static void check_uses(void)
{
    static const char *const devices[] = { "", "auto", "cpu", "check", "cuda" };
    const char *device = getenv("KJIT_DEVICE"), *size = getenv("KJIT_CAPTURE_SIZE");
    bool is_device = !device || !strncmp(device, "cuda:", 5);

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        is_device |= device && !strcmp(device, devices[i]);
    if (!is_device)
        fprintf(stderr,
                "note: KJIT_DEVICE=%s: the Python package takes cpu, check, cuda or cuda:N; the "
                "command has --device\n",
                device);
    if (size && *size && !getenv("KJIT_CAPTURE"))
        fprintf(stderr,
                "note: KJIT_CAPTURE_SIZE=%s: without KJIT_CAPTURE nothing is written down\n", size);
}

/* A name that begins as kjit's own do and is none of them. */
static void check_names(void)
{
    static const char *const known[] = {
        "CACHE",       "CACHE_SIZE",    "CAPTURE", "CAPTURE_SIZE", "CC",       "COMMAND",
        "DEVICE",      "DRIVER",        "MPI",     "NCCL",         "NVML",     "NCCL_HOST",
        "NVRTC",       "PASSES",        "PATH",    "PROGRESS",     "REHEARSE", "FAIL_ALLOC",
        "MANY_POISON", "DEBUG_HANDLES", "ZMQ",
    };

    for (char **each = environ; *each; each++) {
        if (strncmp(*each, "KJIT_", 5) != 0)
            continue;
        char *name = must_strndup(*each + 5, strcspn(*each + 5, "="));
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known |= !strcmp(name, known[i]);
        const char *near = nearest_name(name, known, sizeof known / sizeof *known);
        if (!is_known)
            fprintf(stderr, "note: KJIT_%s: kjit knows no such variable%s%s%s\n", name,
                    near ? "; did you mean KJIT_" : "", near ? near : "", near ? "?" : "");
        free(name);
    }
}

/* Libraries by their paths, which are loaded when something needs them, if they can be. */
static void check_libraries(void)
{
    static const char *const names[] = { "KJIT_NVRTC", "KJIT_DRIVER", "KJIT_NVML",
                                         "KJIT_MPI",   "KJIT_ZMQ",    "KJIT_NCCL" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = getenv(names[i]);
        if (path && strchr(path, '/') && access(path, R_OK) != 0)
            fprintf(stderr, "note: %s=%s: there is no such file that can be read\n", names[i],
                    path);
    }
}

static void check_imports(void)
{
    const char *list = getenv("KJIT_PATH");

    while (list && *list) {
        size_t length = strcspn(list, ":");
        char *folder = must_strndup(list, length);
        if (length && !is_folder(folder))
            fprintf(stderr,
                    "note: KJIT_PATH names '%s', which is no folder: imports are not found there\n",
                    folder);
        free(folder);
        list += length + (list[length] == ':');
    }
}

/* Whether files can be made in a folder, which may have to be made first: that is tried with the
** outermost that is missing. */
static bool can_write(const char *path)
{
    char *at = must_strndup(path, strlen(path)), *missing = NULL;

    while (access(at, F_OK) != 0 && errno == ENOENT) {
        char *slash = strrchr(at, '/');
        free(missing);
        missing = must_strndup(at, strlen(at));
        if (!slash || slash == at)
            strcpy(at, slash ? "/" : ".");
        else
            *slash = '\0';
    }
    bool can = is_folder(at) && access(at, W_OK | X_OK) == 0;
    if (can && missing)
        can = mkdir(missing, 0700) == 0 ? rmdir(missing) == 0 : errno == EEXIST;
    free(missing);
    free(at);
    return can;
}

int environment_check(void)
{
    const char *cache = getenv("KJIT_CACHE");
    int status = check_words();

    if (status != EXIT_DONE)
        return status;
    check_names();
    check_threads();
    check_uses();
    check_libraries();
    check_imports();
    if (cache && *cache && !can_write(cache))
        fprintf(stderr,
                "note: KJIT_CACHE=%s: nothing can be written there, and kernels are compiled anew "
                "each time\n",
                cache);
    return EXIT_DONE;
}
