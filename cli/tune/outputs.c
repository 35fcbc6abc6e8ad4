/* Checks the output files of `kjit tune` before it starts: a long run must not fail for lack of a
** folder, nor overwrite a file of the user's. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tune/tune.h"

typedef struct OutputFile {
    const char *option, *path; /* path is NULL if the option is not given */
    const char *is;            /* what is written */
    const char *mark;          /* a text near the beginning of each such file; NULL: any file may
                                  be overwritten */
    bool again;                /* it is read as well */
} OutputFile;

enum { OUTPUTS = 5, LOOKED_AT = 4096 };

/* Whether a file may be overwritten: it is empty, or was written by an earlier run. */
static bool is_ours(const OutputFile *file)
{
    char begin[LOOKED_AT + 1];
    FILE *in = fopen(file->path, "r");
    size_t length = in ? fread(begin, 1, LOOKED_AT, in) : 0;
    begin[length] = '\0';
    if (in)
        fclose(in);
    return in && (!length || strstr(begin, file->mark));
}

/* The folder of a file; to be free()d. */
static char *folder_of(const char *path)
{
    const char *name = basename(path);
    return name > path ? must_strndup(path, (size_t)(name - path)) : must_strndup(".", 1);
}

static int check_folder(const OutputFile *file)
{
    char *folder = folder_of(file->path);
    bool fine = access(folder, W_OK | X_OK) == 0;
    if (!fine)
        complain("%s %s: it cannot be written: %s%s", file->option, file->path, strerror(errno),
                 errno == ENOENT ? "; make the folder first" : "");
    free(folder);
    return fine ? EXIT_DONE : EXIT_FAILED;
}

static int check_file(const OutputFile *file)
{
    struct stat info;
    if (!*file->path)
        return bad_usage("%s: which file? the name is empty", file->option);
    if (stat(file->path, &info) != 0)
        return check_folder(file);
    if (S_ISDIR(info.st_mode))
        return complain_failed("%s %s: that is a folder", file->option, file->path);
    if (file->again && !S_ISREG(info.st_mode))
        return complain_failed("%s %s: that is no regular file, and it is to be read again",
                               file->option, file->path);
    if (access(file->path, W_OK) != 0)
        return complain_failed("%s %s: it cannot be written: %s", file->option, file->path,
                               strerror(errno));
    if (S_ISREG(info.st_mode) && file->mark && !is_ours(file))
        return complain_failed(
            "%s %s: the file is there, and no %s of 'kjit tune': give another name, or "
            "delete it first",
            file->option, file->path, file->is);
    return EXIT_DONE;
}

/* FOLDER/NAME with the folder's canonical path; to be free()d. */
static char *true_path(const char *path)
{
    const char *name = basename(path);
    char *given = folder_of(path);
    char *folder = realpath(given, NULL);
    size_t room = strlen(folder ? folder : given) + strlen(name) + 2;
    char *made = must_alloc(room);
    snprintf(made, room, "%s/%s", folder ? folder : given, name);
    free(folder);
    free(given);
    return made;
}

/* Whether two paths name one file, existing or not. Devices and pipes may be shared. */
static bool is_same(const char *one, const char *other)
{
    struct stat a, b;
    bool there = stat(one, &a) == 0, both = there && stat(other, &b) == 0;
    if (there && !S_ISREG(a.st_mode))
        return false;
    char *first = true_path(one), *second = true_path(other);
    bool same = !strcmp(first, second);
    free(first);
    free(second);
    return same || (both && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* Checks NAME.wisdom, which is replaced by rename() and so needs a writable folder. */
static int check_wisdom(const TuneCommand *command)
{
    const char *file = command->target.file;
    if (command->no_wisdom || command->replay || !strncmp(file, "std:", 4))
        return EXIT_DONE;
    size_t length = strlen(file), room = length + sizeof ".wisdom";
    char *path = must_alloc(room);
    struct stat info;
    snprintf(path, room, "%.*s.wisdom",
             (int)(length > 2 && !strcmp(file + length - 2, ".k") ? length - 2 : length), file);
    char *folder = folder_of(path);
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    bool fine = !is_folder && (access(folder, W_OK | X_OK) == 0 || errno == ENOENT);
    if (!fine)
        complain(
            "%s, where the best is to be noted, %s%s; --no-wisdom leaves it out", path,
            is_folder ? "is a folder" : "cannot be written: ", is_folder ? "" : strerror(errno));
    free(folder);
    free(path);
    return fine ? EXIT_DONE : EXIT_FAILED;
}

int outputs_check(const TuneCommand *command)
{
    const OutputFile files[OUTPUTS] = {
        { "--csv", command->csv, "table", ",objective,outcome,ms,", false },
        { "--t4", command->t4, "T4 file", "\"schema_version\"", false },
        { "--report", command->report, "report", "<title>kjit tune", false },
        { "--plot", command->plot, "plot", "<svg", false },
        { "--log", command->run.log_path, "log", NULL, true }, /* checked by log_open() */
    };
    int done = EXIT_DONE;
    for (size_t i = 0; i < OUTPUTS && done == EXIT_DONE; i++) {
        for (size_t k = 0; files[i].path && k < i && done == EXIT_DONE; k++) {
            if (!files[k].path || !is_same(files[k].path, files[i].path))
                continue;
            complain("%s %s: %s writes the same file", files[i].option, files[i].path,
                     files[k].option);
            done = EXIT_COMMAND;
        }
        if (files[i].path && done == EXIT_DONE)
            done = check_file(&files[i]);
    }
    return done == EXIT_DONE ? check_wisdom(command) : done;
}
