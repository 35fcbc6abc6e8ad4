/* Reading and writing whole files, and the sizes of folders. */
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_pieces(int fd, const char *at, size_t length)
{
    while (length) {
        ssize_t written = write(fd, at, length < (1u << 30) ? length : 1u << 30);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

/* A file that may not grow (ulimit -f) is an error like others, not the signal that ends the
** program: the signal goes to the thread that writes, which takes it before it is delivered. */
bool write_all(int fd, const void *data, size_t length)
{
    sigset_t too_long, before, waiting;

    sigemptyset(&too_long);
    sigaddset(&too_long, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_long, &before);
    bool was_waiting = sigpending(&waiting) == 0 && sigismember(&waiting, SIGXFSZ) == 1;
    bool written = write_pieces(fd, data, length);
    int reason = errno;
    if (!written && reason == EFBIG && !was_waiting)
        sigtimedwait(&too_long, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

/* Reads up to `limit` bytes into a block that grows; errno says why it is NULL. */
static char *read_limited(int fd, size_t hint, size_t limit, size_t *length)
{
    size_t room = hint + 1, filled = 0;
    char *text = memory_alloc(room + 1);

    while (text) {
        ssize_t got = read(fd, text + filled, room - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        filled += (size_t)got;
        if (filled > limit) {
            errno = EFBIG;
            break;
        }
        if (got == 0) {
            text[filled] = '\0';
            *length = filled;
            return text;
        }
        if (filled == room) {
            char *more = memory_resize(text, (room *= 2) + 1);
            if (!more) {
                errno = ENOMEM;
                break;
            }
            text = more;
        }
    }
    int reason = text ? errno : ENOMEM;
    memory_free(text);
    errno = reason;
    return NULL;
}

char *read_all(int fd, size_t *length)
{
    struct stat info;

    if (fstat(fd, &info) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        return NULL;
    return read_limited(fd, (size_t)info.st_size, SIZE_MAX / 4, length);
}

/* Whether two names end in the same way, behind a stem; cuts them there. */
static bool cut_same_ending(char *a, char *b)
{
    char *ending_a = strrchr(a, '.'), *ending_b = strrchr(b, '.');
    bool same = ending_a && ending_b && strcmp(ending_a, ending_b) == 0;

    if (same)
        *ending_a = *ending_b = '\0';
    return same;
}

/* The name in a folder that is nearest to one that is not there, of files of the same kind. */
static void find_nearest(const char *folder, const char *name, char nearest[NAME_MAX + 1])
{
    struct dirent **entries;
    char stem[NAME_MAX + 1], best[NAME_MAX + 1] = "";
    int count = strlen(name) > NAME_MAX ? 0 : scandir(folder, &entries, NULL, alphasort);

    nearest[0] = '\0';
    for (int i = 0; i < count; i++) {
        char *other = entries[i]->d_name;
        char whole[NAME_MAX + 1];
        snprintf(stem, sizeof stem, "%s", name);
        snprintf(whole, sizeof whole, "%s", other);
        const char *candidates[] = { best, other };
        if (cut_same_ending(stem, other) && diag_nearest(stem, candidates, 2) == other) {
            snprintf(best, sizeof best, "%s", other);
            snprintf(nearest, sizeof whole, "%s", whole);
        }
        free(entries[i]);
    }
    if (count > 0)
        free(entries);
}

static kjit_status no_such_file(const char *path)
{
    const int length = (int)(basename(path) - path);
    char folder[PATH_MAX], nearest[NAME_MAX + 1] = "";

    if (snprintf(folder, sizeof folder, "./%.*s", length, path) < (int)sizeof folder)
        find_nearest(*path == '/' ? folder + 2 : folder, path + length, nearest);
    if (!*nearest)
        return error_set(KJIT_FILE, "error: there is no file '%s'", path);
    return error_set(KJIT_FILE, "error: there is no file '%s'; did you mean '%.*s%s'?", path,
                     length, path, nearest);
}

static kjit_status read_failure(const char *path, size_t limit)
{
    switch (errno) {
    case ENOMEM:
        return error_memory();
    case ENOENT:
        return no_such_file(path);
    case EACCES:
        return error_set(KJIT_FILE, "error: the file '%s' may not be read", path);
    case EINVAL:
        return error_set(KJIT_FILE, "error: '%s' is not a regular file", path);
    case EISDIR:
        return error_set(KJIT_FILE, "error: '%s' is a folder, not a file", path);
    case EFBIG:
        return error_set(KJIT_FILE,
                         "error: '%s' is larger than %zu bytes, the most that can be read", path,
                         limit);
    }
    return error_set(KJIT_FILE, "error: cannot read '%s': %s", path, strerror(errno));
}

/* Devices and forgotten pipes have no end to wait for; what a shell hands over (`/dev/stdin`,
** `<(command)`) has. */
static bool has_an_end(const char *path, const struct stat *info)
{
    bool handed_over = strncmp(path, "/dev/fd/", 8) == 0 || strcmp(path, "/dev/stdin") == 0 ||
                       strncmp(path, "/proc/self/fd/", 14) == 0;

    return S_ISREG(info->st_mode) || S_ISDIR(info->st_mode) ||
           (handed_over && S_ISFIFO(info->st_mode));
}

/* Reads a file that is open. */
static kjit_status read_opened(int fd, const char *path, size_t limit, char **text, size_t *length)
{
    struct stat info;

    if (fstat(fd, &info) != 0)
        return read_failure(path, limit);
    const bool regular = S_ISREG(info.st_mode);
    if (!has_an_end(path, &info)) {
        errno = EINVAL;
    } else if (regular && (uint64_t)info.st_size > limit) {
        errno = EFBIG;
    } else {
        if (regular)
            KJIT_TRY(memory_room(path, (uint64_t)info.st_size));
        if (fcntl(fd, F_SETFL, 0) == 0)
            *text = read_limited(fd, regular ? (size_t)info.st_size : 4096, limit, length);
    }
    return *text ? KJIT_OK : read_failure(path, limit);
}

kjit_status file_read(const char *path, size_t limit, char **text, size_t *length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    *text = NULL;
    if (fd < 0)
        return read_failure(path, limit);
    kjit_status status = read_opened(fd, path, limit, text, length);
    close(fd);
    return status;
}

/* What a file is to hold, one behind the other. */
typedef struct Parts {
    const void *head;
    size_t head_length;
    const void *data;
    size_t length;
} Parts;

/* Writes both parts and closes the descriptor, which may be -1; errno says why not. */
static bool write_parts(int fd, const Parts *parts)
{
    bool written = fd >= 0 && write_all(fd, parts->head, parts->head_length) &&
                   write_all(fd, parts->data, parts->length);
    int reason = errno;

    if (fd >= 0 && close(fd) != 0 && written) {
        written = false;
        reason = errno;
    }
    errno = reason;
    return written;
}

/* Writes a new file of that mode under a name beside `path`, and renames it. */
static bool replace_file(const char *path, const char *temporary, mode_t mode, const Parts *parts)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return false;
    if (mode)
        fchmod(fd, mode & 0777);
    if (write_parts(fd, parts) && rename(temporary, path) == 0)
        return true;
    int reason = errno;
    unlink(temporary);
    errno = reason;
    return false;
}

/* The descriptor that a path stands for, of those that a shell hands over; -1: it is another path.
** Opened by name, a file behind it would be written from its start, over what is there already. */
static int handed_over(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0)
            continue;
        size_t digits = strspn(path + length, "0123456789");
        if (digits && digits < 6 && !path[length + digits])
            return atoi(path + length);
    }
    return -1;
}

/* The path that a link leads to, whose file is made if it is not there yet; else the path. */
static const char *follow(const char *path, char real[PATH_MAX])
{
    struct stat info;
    bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);

    if (link && stat(path, &info) != 0 && errno == ENOENT) {
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd >= 0)
            close(fd);
    }
    return link && realpath(path, real) ? real : path;
}

/* What is there may be replaced if it may be written; where its folder lets nothing be made beside
** it, it is written where it lies. */
static bool write_to(const char *path, const char *temporary, const Parts *parts)
{
    struct stat info;
    bool exists = stat(path, &info) == 0, regular = exists && S_ISREG(info.st_mode);

    if (regular && access(path, W_OK) != 0)
        return false;
    if (!exists || regular) {
        if (replace_file(path, temporary, exists ? info.st_mode : 0, parts))
            return true;
        if (!exists || (errno != EACCES && errno != EPERM && errno != EROFS))
            return false;
    }
    return write_parts(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), parts);
}

/* The folder that a path lies in. */
static const char *folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    int length = slash == path ? 1 : slash ? (int)(slash - path) : 1;

    snprintf(folder, PATH_MAX, "%.*s", length, slash ? path : ".");
    return folder;
}

static kjit_status write_failure(const char *path)
{
    char folder[PATH_MAX];
    struct stat info;

    switch (errno) {
    case EISDIR:
        return error_set(KJIT_FILE, "error: cannot write '%s': it is a folder", path);
    case ENOENT:
        if (stat(folder_of(path, folder), &info) != 0)
            return error_set(KJIT_FILE, "error: cannot write '%s': there is no folder '%s'", path,
                             folder);
        errno = ENOENT;
    }
    return error_set(KJIT_FILE, "error: cannot write '%s': %s", path, strerror(errno));
}

enum { TEMPORARY_ROOM = PATH_MAX + 32 };

/* A name beside a file that no other has; false if it is too long. */
static bool name_temporary(const char *target, char temporary[TEMPORARY_ROOM])
{
    static atomic_uint serial;
    int needed = snprintf(temporary, TEMPORARY_ROOM, "%s.tmp%d-%u", target, (int)getpid(),
                          atomic_fetch_add(&serial, 1));

    return needed > 0 && needed < TEMPORARY_ROOM;
}

static kjit_status too_long(const char *path)
{
    return error_set(KJIT_FILE, "error: the path '%.80s...' is too long", path);
}

kjit_status file_write(const char *path, const void *head, size_t head_length, const void *data,
                       size_t length)
{
    char real[PATH_MAX], temporary[TEMPORARY_ROOM];
    const Parts parts = { head, head_length, data, length };
    int handed = handed_over(path);
    const char *target = handed < 0 ? follow(path, real) : path;

    if (!name_temporary(target, temporary))
        return too_long(path);
    bool written = handed < 0 ? write_to(target, temporary, &parts)
                              : write_parts(fcntl(handed, F_DUPFD_CLOEXEC, 0), &parts);
    return written ? KJIT_OK : write_failure(path);
}

/* What write_to() would come to, as far as that can be known before; errno says why not. */
static bool can_write(const char *path, const char *temporary)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;

    if (exists && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists)
        return access(path, W_OK) == 0;
    if (lstat(path, &info) == 0) /* a link that leads to no file yet */
        return true;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    close(fd);
    unlink(temporary);
    return true;
}

kjit_status kjit_save_check(const char *path)
{
    char temporary[TEMPORARY_ROOM];
    int handed = path ? handed_over(path) : -1;

    if (!path || !*path)
        return error_set(KJIT_ARGUMENT, "error: a file that is written has a name");
    if (!name_temporary(path, temporary))
        return too_long(path);
    bool fine = handed < 0 ? can_write(path, temporary) : fcntl(handed, F_GETFL) >= 0;
    return fine ? KJIT_OK : write_failure(path);
}

kjit_status kjit_save_file(const char *path, const void *data, size_t length)
{
    if (!path || !*path || (!data && length))
        return error_set(KJIT_ARGUMENT, "error: a file that is written has a name and bytes");
    return file_write(path, NULL, 0, data, length);
}

static uint64_t bytes_in(int above, const char *name, int depth)
{
    enum { DEPTH_MAX = 64 };
    int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    uint64_t bytes = 0;
    struct dirent *found;
    struct stat info;

    if (!folder && fd >= 0)
        close(fd);
    while (folder && (found = readdir(folder))) {
        bool self = strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0;
        if (self || fstatat(dirfd(folder), found->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode))
            bytes += (uint64_t)info.st_size;
        else if (S_ISDIR(info.st_mode) && depth < DEPTH_MAX)
            bytes += bytes_in(dirfd(folder), found->d_name, depth + 1);
    }
    if (folder)
        closedir(folder);
    return bytes;
}

uint64_t folder_bytes(int above, const char *name)
{
    return bytes_in(above, name, 0);
}

bool path_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}
