/* Variables of the environment that say nothing: what they should have changed stays as it is by
** itself, unnoticed. Words and numbers that kjit does not know are refused; folders
** that cannot be used are told, for kjit does without them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

    if (progress && *progress && !is_seconds(progress)) {
        complain("KJIT_PROGRESS=%s: it is a number of seconds, or 0 for no line at all", progress);
        return EXIT_COMMAND;
    }
    if (rehearse && *rehearse && strcmp(rehearse, "always") != 0 &&
        strcmp(rehearse, "never") != 0) {
        complain("KJIT_REHEARSE=%s: it is 'always' or 'never'", rehearse);
        return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
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
    check_imports();
    if (cache && *cache && !can_write(cache))
        fprintf(stderr,
                "note: KJIT_CACHE=%s: nothing can be written there, and kernels are compiled anew "
                "each time\n",
                cache);
    return EXIT_DONE;
}
